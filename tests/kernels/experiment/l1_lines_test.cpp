// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/l1_lines.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope;
using analysis::L1Use;
using kernels::L1Lines;

constexpr std::uint32_t kAllSectors = 15;

int load(L1Lines& l1, std::uint64_t line, std::uint32_t sectors = kAllSectors, L1Use use = L1Use::Cached)
{
    return l1.load({ line, sectors }, use);
}

TEST(L1Lines, sectorsAreFetchedSingly)
{
    L1Lines l1(8);
    EXPECT_EQ(load(l1, 5, 0b0011), 2);
    EXPECT_EQ(load(l1, 5, 0b0111), 1);
    EXPECT_EQ(load(l1, 5, 0b0111), 0);
}

TEST(L1Lines, ofLinesUsedOnceTheOldestGoes)
{
    L1Lines l1(8);
    for (std::uint64_t line = 0; line < 9; ++line)
        load(l1, line);
    EXPECT_EQ(load(l1, 8), 0);
    EXPECT_EQ(load(l1, 0), 4);
}

TEST(L1Lines, linesUsedAgainStayWhileOthersPass)
{
    L1Lines l1(8);
    for (const int time : { 1, 2 })
        for (std::uint64_t line = 0; line < 5; ++line)
            EXPECT_EQ(load(l1, line), time == 1 ? 4 : 0);
    for (std::uint64_t line = 100; line < 200; ++line)
        EXPECT_EQ(load(l1, line), 4);
    for (std::uint64_t line = 0; line < 5; ++line)
        EXPECT_EQ(load(l1, line), 0);
}

TEST(L1Lines, noMoreThanFiveEighthsAreKept)
{
    L1Lines l1(8);
    for (int time = 0; time < 2; ++time)
        for (std::uint64_t line = 0; line < 8; ++line)
            load(l1, line);
    for (std::uint64_t line = 100; line < 200; ++line)
        load(l1, line);
    int found = 0;
    for (std::uint64_t line = 0; line < 8; ++line)
        found += load(l1, line) == 0;
    EXPECT_EQ(found, 5);
}

TEST(L1Lines, storesTakeTheOldestLinesPlace)
{
    L1Lines l1(8);
    for (std::uint64_t line = 0; line < 8; ++line)
        load(l1, line);
    l1.store({ 100, kAllSectors });
    EXPECT_EQ(load(l1, 1), 0);
    EXPECT_EQ(load(l1, 0), 4);
}

TEST(L1Lines, whatIsStoredIsThereToBeLoaded)
{
    L1Lines l1(8);
    l1.store({ 100, 0b0011 });
    EXPECT_EQ(load(l1, 100), 2);
}

TEST(L1Lines, loadsPastL1LeaveItAsItIs)
{
    L1Lines l1(8);
    EXPECT_EQ(load(l1, 1, kAllSectors, L1Use::Bypassed), 4);
    EXPECT_EQ(load(l1, 2, kAllSectors, L1Use::NoAllocate), 4);
    EXPECT_EQ(load(l1, 1), 4);
    EXPECT_EQ(load(l1, 2), 4);
    EXPECT_EQ(load(l1, 2, kAllSectors, L1Use::NoAllocate), 0);
}

TEST(L1Lines, aRowOfLinesSpreadsOverAllSets)
{
    L1Lines l1(2048);
    for (std::uint64_t line = 0; line < 1792; ++line)
        load(l1, line);
    int found = 0;
    for (std::uint64_t line = 0; line < 1792; ++line)
        found += load(l1, line) == 0;
    EXPECT_EQ(found, 1792);
}

} // namespace
