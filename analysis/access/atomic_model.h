// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/bank_model.h"

namespace coalescope::analysis {

/// Sectors that the L1TEX counts of one atomic or reduction on global memory: each as often as lanes want the word in it that most of them
/// want; one where the compiler has made one lane's of all lanes'.
///
/// Source:  390 launches of one warp on an H200 (driver 580.159.04, 2026-11-28), resources/patterns/atomic_counters.csv and
///          special_patterns.csv. Two counted one more: one of the 24 of vectors of 16 bytes, and `o1-403`.
/// Checked: atomic_model_test.cpp.
[[nodiscard]] std::uint32_t atomicSectors(const WarpAccess& access);

/// How many more sectors the L1TEX may count of an atomic on global memory than atomicSectors() tells, at most. 0 unless lanes want other words
/// of one sector, and some lanes other words of one bank (words that are alike modulo 32): which lanes are then put off, so that their sector
/// counts once more, is not known.
///
/// Source:  339 launches of one warp on an H200 (driver 580.159.04, 2026-11-30), tests/analysis/access/h200_met_atomics.csv: 47 of 47 equal where
///          this is 0; of the others 199, 93 counted 1 to 5 more.
/// Checked: atomic_model_test.cpp.
[[nodiscard]] std::uint32_t openAtomicSectors(const WarpAccess& access);

/// What a loop of a load from shared memory and a compare and swap (SharedUpdate::InALoop) takes where no other warp comes between.
struct LoopReport {
    std::uint32_t turns = 0; ///< of one load and one compare and swap each
    std::uint32_t swapWavefronts = 0; ///< of the compares and swaps: two for each half warp of 8 bytes, or warp of 4, that is still there
    BankReport loads; ///< of all turns together

    bool operator==(const LoopReport&) const = default;
};

/// Errors: those of bankReport().
///
/// Source and check: as atomicSectors(), 120 rows.
[[nodiscard]] Result<LoopReport> loopReport(const WarpAccess& access);

} // namespace coalescope::analysis
