// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/decoded.h"

#include <cstdint>

namespace coalescope::analysis {

/// Which instructions of the host the lane kernels use.
enum class SimdLevel : std::uint8_t { Portable, Avx2, Avx512 };

/// The best level of this machine, or the one that the environment variable COALESCOPE_SIMD
/// (portable, avx2, avx512) names where the machine has it. Every level gives the same results.
[[nodiscard]] SimdLevel simdLevel();
[[nodiscard]] bool isSupported(SimdLevel level);

/// Computes all 32 lanes of one instruction whose registers all have known values. `k` is a
/// constant of the instruction. `out` may be one of the sources.
using LaneKernel = void (*)(Word* out, const Word* a, const Word* b, const Word* c, Word k);

struct PlannedKernel {
    LaneKernel run = nullptr; ///< null: the instruction has none, its handler does the work
    Word k = 0;
};

/// Chooses the kernel that computes what the instruction's handler would.
///
/// Checked: lane_kernels_test.cpp, every kernel against its handler.
[[nodiscard]] PlannedKernel laneKernel(const Instruction& instruction, SimdLevel level);

/// What the executor itself does lane by lane.
struct LaneTools {
    /// Lanes whose predicate is 1.
    LaneMask (*set)(const Word* predicate);
    /// Lanes where a[lane] - anchor differs from relative[lane].
    LaneMask (*differs)(const Word* a, Word anchor, const Word* relative);
    /// Copies the lanes of the mask.
    void (*blend)(Word* out, const Word* from, LaneMask mask);
};
[[nodiscard]] const LaneTools& laneTools(SimdLevel level);

} // namespace coalescope::analysis
