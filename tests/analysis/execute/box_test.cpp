// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/coefficients.h"
#include "analysis/execute/intervals.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace coalescope::analysis {
namespace {

std::multiset<std::array<std::int64_t, 3>> blocksOf(const std::vector<Box>& boxes)
{
    std::multiset<std::array<std::int64_t, 3>> blocks;
    for (const Box& box : boxes)
        for (const Box& single : singles(box))
            blocks.insert(single.origin);
    return blocks;
}

TEST(Box, partsHoldTheSameBlocks)
{
    const Box grid = wholeGrid({ 23, 5, 2 });
    const auto all = blocksOf({ grid });
    EXPECT_EQ(all.size(), 230u);
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), 230u);
    EXPECT_EQ(blocksOf(parts(grid, { .axis = 0, .at = 7 })), all);
    EXPECT_EQ(blocksOf(parts(grid, { .kind = SplitKind::Factor, .axis = 0, .at = 4 })), all);
    const auto factored = parts(grid, { .kind = SplitKind::Factor, .axis = 1, .at = 2 });
    EXPECT_EQ(blocksOf(factored), all);
    EXPECT_EQ(
        blocksOf(parts(factored.front(), { .axis = 1, .at = 1 })), blocksOf({ factored.front() }));
}

TEST(Coefficients, residuesAreTheHistogramOverTheBox)
{
    CoefficientPool pool;
    pool.reset(wholeGrid({ 37, 11, 3 }));
    const std::array<std::int64_t, kMaxAxes> c { 20, -4100, 128 };
    std::map<std::uint32_t, std::uint64_t> expected;
    for (int x = 0; x < 37; ++x)
        for (int y = 0; y < 11; ++y)
            expected[std::uint32_t(20 * x - 4100 * y) % 128] += 3;
    std::map<std::uint32_t, std::uint64_t> actual;
    for (const auto& [shift, count] : pool.residues(*pool.intern(c)))
        actual[shift] = count;
    EXPECT_EQ(actual, expected);
    ASSERT_EQ(pool.residues(0).size(), 1u);
    EXPECT_EQ(pool.residues(0)[0].count, 37u * 11 * 3);
}

// Whatever `divide` says without a split must hold in every block of the box.
TEST(Intervals, quotientsHoldInEveryBlock)
{
    std::mt19937 random(7);
    const auto pick
        = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    int decided = 0;
    for (int round = 0; round < 3000; ++round) {
        Box box;
        box.add({ .extent = pick(1, 6), .step = { 1, 0, 0 } });
        box.add({ .extent = pick(1, 6), .step = { 0, 1, 0 } });
        CoefficientPool pool;
        pool.reset(box);
        std::array<std::int64_t, kMaxAxes> c {};
        for (std::size_t k = 0; k < std::size_t(box.axes); ++k)
            c[k] = pick(-8, 40);
        const auto id = *pool.intern(c);
        std::array<Word, kWarpLanes> lanes;
        const int base = pick(300, 500), step = pick(0, 3);
        for (int l = 0; l < kWarpLanes; ++l)
            lanes[std::size_t(l)] = Word(base + l * step);
        const std::int64_t by = pick(1, 64);
        const auto division = divide(lanes.data(), kAllLanes, pool[id], by, Type::U32, box);
        if (division.split) {
            const auto divided = parts(box, *division.split);
            ASSERT_GE(divided.size(), 1u);
            ASSERT_EQ(blocksOf(divided), blocksOf({ box }));
            continue;
        }
        ++decided;
        std::array<std::int64_t, kMaxAxes> t {};
        for (t[0] = 0; t[0] < box.axis[0].extent; ++t[0])
            for (t[1] = 0; t[1] < box.axis[1].extent; ++t[1])
                for (const Word lane : lanes) {
                    const auto at = std::int64_t(lane);
                    const std::int64_t value = at + c[0] * t[0] + c[1] * t[1];
                    ASSERT_EQ(value / by,
                        at / by + division.quotient[0] * t[0] + division.quotient[1] * t[1]);
                    ASSERT_EQ(value % by,
                        at % by + division.remainder[0] * t[0] + division.remainder[1] * t[1]);
                }
    }
    EXPECT_GT(decided, 100);
}

// Without a split, every lane's comparison must come out the same in every block.
TEST(Intervals, comparisonsHoldInEveryBlock)
{
    std::mt19937 random(11);
    const auto pick
        = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    int decided = 0;
    for (int round = 0; round < 3000; ++round) {
        Box box;
        box.add({ .extent = pick(1, 5), .step = { 1, 0, 0 } });
        box.add({ .extent = pick(1, 5), .step = { 0, 1, 0 } });
        CoefficientPool pool;
        pool.reset(box);
        std::array<std::int64_t, kMaxAxes> ca {}, cb {};
        for (std::size_t k = 0; k < std::size_t(box.axes); ++k) {
            ca[k] = pick(-30, 30);
            cb[k] = pick(0, 1) * pick(-30, 30);
        }
        std::array<Word, kWarpLanes> a, b;
        const int base = pick(-200, 200);
        for (int l = 0; l < kWarpLanes; ++l) {
            a[std::size_t(l)] = std::uint32_t(base + l);
            b[std::size_t(l)] = std::uint32_t(pick(-20, 20));
        }
        const auto compare = Compare(pick(0, int(Compare::Ge)));
        const auto idA = *pool.intern(ca), idB = *pool.intern(cb);
        const auto split = comparisonSplit(
            a.data(), pool[idA], b.data(), pool[idB], kAllLanes, Type::S32, compare, box);
        if (split) {
            ASSERT_EQ(blocksOf(parts(box, *split)), blocksOf({ box }));
            continue;
        }
        ++decided;
        const auto holds = [&](std::int64_t x, std::int64_t y) {
            switch (compare) {
            case Compare::Eq:
                return x == y;
            case Compare::Ne:
                return x != y;
            case Compare::Lt:
                return x < y;
            case Compare::Le:
                return x <= y;
            case Compare::Gt:
                return x > y;
            default:
                return x >= y;
            }
        };
        std::array<std::int64_t, 2> t {};
        for (t[0] = 0; t[0] < box.axis[0].extent; ++t[0])
            for (t[1] = 0; t[1] < box.axis[1].extent; ++t[1])
                for (std::size_t l = 0; l < kWarpLanes; ++l) {
                    const auto x = std::int64_t(std::int32_t(a[l])),
                               y = std::int64_t(std::int32_t(b[l]));
                    ASSERT_EQ(holds(x, y),
                        holds(x + ca[0] * t[0] + ca[1] * t[1], y + cb[0] * t[0] + cb[1] * t[1]));
                }
    }
    EXPECT_GT(decided, 100);
}

} // namespace
} // namespace coalescope::analysis
