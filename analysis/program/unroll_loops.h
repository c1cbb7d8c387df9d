// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <cstdint>
#include <vector>

namespace coalescope::analysis {

/// A loop without branches inside of it that turns equally often whenever it is entered, whatever the launch.
struct CountedLoop {
    std::uint32_t begin = 0, end = 0; ///< instructions; the last is the branch back
    std::uint32_t turns = 0; ///< 2 and more
};

/// Those that access shared or global memory, in order: a register counts from a constant, by a constant, to a constant.
[[nodiscard]] std::vector<CountedLoop> countedLoops(const Program& program);

/// The program with the turns of one of its loops one after the other, as ptxas may leave them. Sums that advance by a constant from
/// turn to turn are told from the first turn's, so that joinAccesses() sees what neighbours they are.
///
/// Checked: unroll_loops_test.cpp; what ptxas 13.0 joins then, by what an NVIDIA H100 counted of a product of 64 x 64 tiles.
[[nodiscard]] Program unrolled(const Program& program, const CountedLoop& loop);

/// A loop without branches inside of it that goes on as long as a counter, which gains a constant each turn, is less than a bound.
struct BoundedLoop {
    std::uint32_t begin = 0, end = 0; ///< instructions; the last is the branch back
    std::uint32_t test = 0; ///< the instruction that compares
    std::int64_t step = 0; ///< above 0
};

/// Those that access shared or global memory, in order, however often they turn.
[[nodiscard]] std::vector<BoundedLoop> boundedLoops(const Program& program);

/// The program with one of its loops as ptxas unrolls it: four turns as long as more than three are left, then two if more than one is left,
/// then one. Lanes that have other numbers of turns are together in the same parts, not in the same turns.
///
/// Source:  machine code of ptxas 13.0 for sm_90, and what an NVIDIA H200 counted of it (driver 580.159.04, 2026-11-29).
/// Checked: unroll_loops_test.cpp.
[[nodiscard]] Program cascaded(const Program& program, const BoundedLoop& loop);

} // namespace coalescope::analysis
