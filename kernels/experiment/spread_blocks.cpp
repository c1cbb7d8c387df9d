// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/spread_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace coalescope::kernels {

std::vector<analysis::Dim3> spreadBlocks(const analysis::Dim3& grid, int count)
{
    std::vector<analysis::Dim3> blocks;
    for (int i = 1; i <= count; ++i) {
        const auto at = [i](double step, std::uint32_t along) {
            const double place = 0.5 + i * step;
            return std::uint32_t((place - std::floor(place)) * along);
        };
        blocks.push_back({ at(0.8191725, grid.x), at(0.6710436, grid.y), at(0.5497005, grid.z) });
    }
    return blocks;
}

double affordableBlocks(double blocks, double instructions)
{
    constexpr double kMostInstructions = 200'000, kMostOfTheGrid = 0.05;
    return std::max(kMostOfTheGrid * blocks, kMostInstructions / std::max(1.0, instructions));
}

} // namespace coalescope::kernels
