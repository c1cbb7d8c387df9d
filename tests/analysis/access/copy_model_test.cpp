// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/copy_model.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace coalescope::analysis {
namespace {

struct Recorded {
    int lanes = 0, padding = 0, sharedShift = 0, globalShift = 0;
    std::uint32_t counted = 0, asked = 0;
};

std::vector<Recorded> recordedCopies()
{
    std::vector<Recorded> copies;
    std::ifstream file(COALESCOPE_SOURCE_DIR "/tests/analysis/access/h200_copies.csv");
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        Recorded one;
        char comma = 0;
        if (cells >> one.lanes >> comma >> one.padding >> comma >> one.sharedShift >> comma >> one.globalShift >> comma >> one.counted
            >> comma >> one.asked)
            copies.push_back(one);
    }
    return copies;
}

TEST(CopyModel, everyCopyAsksForWhatAnH200Counted)
{
    const auto copies = recordedCopies();
    ASSERT_EQ(copies.size(), 116u);
    for (const Recorded& c : copies) {
        WarpAccess from { .op = MemoryOp::AsyncCopy, .widthBytes = 16, .l1 = L1Use::Bypassed, .active = kAllLanes };
        WarpAccess to = from;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            const int row = lane / c.lanes, piece = lane % c.lanes * 16;
            from.address[std::size_t(lane)] = std::uint64_t(row * 1024 + piece + c.globalShift);
            to.address[std::size_t(lane)] = std::uint64_t(row * (c.lanes * 16 + c.padding) + piece + c.sharedShift);
        }
        EXPECT_EQ(copyReport(from, to), (CopyReport { c.counted, c.asked }))
            << c.lanes << " lanes, padding " << c.padding << ", shifted by " << c.sharedShift << " and " << c.globalShift;
    }
}

TEST(CopyModel, lanesThatCopyNothingAskForNothing)
{
    WarpAccess from { .op = MemoryOp::AsyncCopy, .widthBytes = 16, .l1 = L1Use::Bypassed, .active = 0b101 };
    from.address = { 0, 16, 32 };
    const WarpAccess to = from;
    EXPECT_EQ(copyReport(from, to), (CopyReport { 2, 2 }));
    from.active = 0;
    EXPECT_EQ(copyReport(from, to), (CopyReport { 0, 0 }));
}

} // namespace
} // namespace coalescope::analysis
