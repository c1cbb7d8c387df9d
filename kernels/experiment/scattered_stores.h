// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/predict.h"

namespace coalescope::kernels {

/// In how many sectors stores of blocks in a row meet.
enum class Meetings : std::uint8_t {
    Unknown, ///< too few to tell
    Fewer, ///< than chance has it: the places are steps of one length apart, and others fill a sector much later
    Chance, ///< values that are moved to drawn places
    More, ///< runs of neighbours
};

/// How the blocks of a launch, each of which stores parts of sectors, meet in so many sectors that all of them fill.
///
/// Bounded for any kernel: at most 256 blocks are traced, and no more than a twentieth of the grid or 200,000 instructions of a warp.
/// `stores`: to each sector; `instructions`: of a block's warps, on average.
[[nodiscard]] Meetings meetingsOfStores(const Prediction& prediction, double sectors, double stores, double instructions);

} // namespace coalescope::kernels
