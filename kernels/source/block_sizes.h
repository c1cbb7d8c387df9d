// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/launches.h"

#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// The grid's size with the block's by its name: cdiv(w, 16), w // 16 or w // 16 + 1 follow it. Nothing: it is made of other things.
[[nodiscard]] std::optional<Symbolic> overBlock(Symbolic grid, std::int64_t size, const std::string& name);

/// Whether the grid has another axis that is divided by the block's size along this one, and not by its own.
[[nodiscard]] bool dividesOther(const ProgramLaunch& launch, std::size_t axis);

/// Whether a function has the value as a literal, such as the side of a tile. Values below 8 stand for other things more often: no.
[[nodiscard]] bool isLiteralIn(std::span<const std::string> deviceCode, std::int64_t value);

/// How a kernel and the functions beside it use the block along its axes.
struct BlockUse {
    std::array<bool, 3> hasIndex{}; ///< blockIdx.x, or a group of all blocks
    std::array<bool, 3> hasPlaceAlone{}; ///< blockIdx.x that is not multiplied by blockDim.x
    std::array<bool, 3> hasSize{}; ///< blockDim.x
    std::array<bool, 3> hasGrid{}; ///< gridDim.x
    std::vector<std::int64_t> sharedExtents; ///< numbers in the extents of shared arrays
};
[[nodiscard]] BlockUse blockUseOf(const std::string& kernel, std::span<const std::string> deviceCode);

/// The grid along an axis where the block's size has a name: (n + 255) / 256 blocks follow it; of 4,096 blocks the threads stay as many, or the
/// blocks where each has its own work; what strides over the grid takes any. Nothing: it does not follow.
[[nodiscard]] std::optional<Symbolic> gridOver(const ProgramLaunch& launch, std::size_t axis, const std::string& name, const BlockUse& use);

/// What a launch has in place of the sizes of its block that the program has as numbers: parameters of its own, which the grid follows.
struct OwnBlock {
    std::array<std::string, 3> names; ///< empty: the size stays as it is
    std::array<Symbolic, 3> grid;

    [[nodiscard]] bool isAny() const;
};

/// Axes whose size the kernel has as a literal, or in the extent of a shared array, are nothing to try. `taken`: names of other parameters.
[[nodiscard]] OwnBlock ownBlockOf(
    const ProgramLaunch& launch, std::span<const std::string> deviceCode, const BlockUse& use, const std::set<std::string, std::less<>>& taken);

} // namespace coalescope::kernels
