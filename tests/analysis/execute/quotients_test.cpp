// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/quotients.h"

#include <gtest/gtest.h>

#include <random>

namespace coalescope::analysis {
namespace {

TEST(ScaledQuotient, divisorOfTheUsualMagicNumbers)
{
    EXPECT_EQ(divisorOf(1717986919, 34, 0x7fffffff), 10); // signed
    EXPECT_EQ(divisorOf(2454267027, 34, 0x7fffffff), 7); // -1840700269 + 2^32
    EXPECT_EQ(divisorOf(3435973837, 35, 0xffffffff), 10); // unsigned
    EXPECT_EQ(divisorOf(-1840700269, 34, 0x7fffffff), 0);
}

TEST(ScaledQuotient, divisorHoldsForEveryValueBelowTheBound)
{
    std::mt19937_64 random(3);
    int found = 0;
    for (int round = 0; round < 20000; ++round) {
        const Int128 factor = Int128(1 + random() % 0xffffffffu);
        const int shift = 32 + int(random() % 12);
        const std::uint64_t most = random() % (1u << (1 + random() % 31));
        const std::int64_t d = divisorOf(factor, shift, most);
        if (d == 0)
            continue;
        ++found;
        for (int probe = 0; probe < 16; ++probe) {
            std::uint64_t x = random() % (most + 1);
            x = probe == 0  ? most
                : probe % 2 ? x
                            : std::min<std::uint64_t>(most,
                                x / std::uint64_t(d) * std::uint64_t(d) + std::uint64_t(d) - 1);
            ASSERT_EQ(std::int64_t((Int128(x) * factor) >> shift), std::int64_t(x) / d);
        }
    }
    EXPECT_GT(found, 1000);
}

} // namespace
} // namespace coalescope::analysis
