// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/constant_loads.h"
#include "kernels/experiment/machine_path.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

/// 32 warps, each lane at a random 4 bytes of a table; 64 requests each.
analysis::BlockTrace randomLoads(std::uint32_t bytes)
{
    std::mt19937 random(1);
    analysis::BlockTrace trace;
    trace.constants.resize(32);
    for (analysis::ConstantLoads& warp : trace.constants) {
        for (int request = 0; request < 64; ++request) {
            std::set<std::uint32_t> addresses, known;
            for (int lane = 0; lane < 32; ++lane) {
                const std::uint32_t address = std::uint32_t(random() % (bytes / 4)) * 4;
                addresses.insert(address);
                if (known.insert(address / analysis::kConstantLineBytes).second)
                    warp.lines.push_back(address / analysis::kConstantLineBytes);
            }
            warp.requests += 1;
            warp.addresses += addresses.size();
            warp.ends.push_back(std::uint32_t(warp.lines.size()));
        }
    }
    return trace;
}

double clocksOfALoad(std::uint32_t bytes)
{
    const ConstantTraffic traffic = constantTraffic(randomLoads(bytes), std::nullopt);
    return std::max(2 * traffic.addresses, 34.5 * traffic.misses) / (32 * 64);
}

} // namespace

TEST(ConstantLoads, tablesBeyondTwoKilobytesTakeAsLongAsMeasured) // an NVIDIA H100, driver 580.159.04, 2026-11-25
{
    for (const auto& [bytes, measured] : { std::pair(1024u, 62.95), std::pair(2048u, 64.49), std::pair(3072u, 174.53), std::pair(4096u, 324.31),
             std::pair(8192u, 676.8), std::pair(16384u, 904.5), std::pair(32768u, 1026.7), std::pair(65536u, 1090.8) })
        EXPECT_NEAR(clocksOfALoad(bytes), measured, 0.15 * measured) << bytes;
}

TEST(ConstantLoads, whatTheMachineCodeDoesNotLoadMissesNothing)
{
    MachinePath none;
    none.constantLoads = 0;
    const ConstantTraffic traffic = constantTraffic(randomLoads(65536), none);
    EXPECT_EQ(traffic.addresses, 0);
    EXPECT_EQ(traffic.misses, 0);
}
