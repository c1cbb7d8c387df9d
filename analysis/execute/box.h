// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"

#include <array>
#include <cstdint>
#include <vector>

namespace coalescope::analysis {

inline constexpr int kMaxAxes = 8;

/// One direction of a lattice of blocks: t in [0, extent) moves the block by t * step.
struct Axis {
    std::int64_t extent = 1;
    std::array<std::int64_t, 3> step {};
    bool operator==(const Axis&) const = default;
};

/// A lattice of blocks that one execution of its first block, the origin, stands for.
///
/// Block(t) = origin + sum of t[k] * axis[k].step. No block is reached twice.
struct Box {
    std::array<std::int64_t, 3> origin {};
    std::array<Axis, kMaxAxes> axis {};
    int axes = 0; ///< all of them longer than one block

    void add(Axis added);
    [[nodiscard]] std::uint64_t volume() const;
    [[nodiscard]] bool isSingle() const { return axes == 0; }
    [[nodiscard]] std::array<std::int64_t, 3> block(
        const std::array<std::int64_t, kMaxAxes>& t) const;
    [[nodiscard]] int longestAxis(unsigned among) const; ///< of the axes in a bit mask; -1: none
};

enum class SplitKind : std::uint8_t {
    Cut, ///< at t = at: [0, at) and [at, extent)
    Factor, ///< t = at * t1 + t2: two axes, and the ragged rest as a box of its own
};

/// How a box must be divided before one block can stand for all of it.
struct Split {
    SplitKind kind = SplitKind::Cut;
    int axis = 0;
    std::int64_t at = 0; ///< Cut: in (0, extent); Factor: the period
};

[[nodiscard]] Box wholeGrid(Dim3 grid);
[[nodiscard]] Box singleBlock(Dim3 block);

/// The parts of a box; together they hold the same blocks.
[[nodiscard]] std::vector<Box> parts(const Box& box, const Split& split);

/// Every block of a box as a box of its own, x fastest where the axes are in that order.
[[nodiscard]] std::vector<Box> singles(const Box& box);

} // namespace coalescope::analysis
