// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"
#include "analysis/result/error.h"

#include <vector>

namespace coalescope::analysis {

inline constexpr int kBanks = 32;
inline constexpr int kBankBytes = 4;

/// What one shared access costs.
struct BankReport {
    std::uint32_t wavefronts = 0; ///< by addresses, as the hardware serves them
    std::uint32_t wavefrontsSass = 0; ///< as smsp__sass_l1tex_data_pipe_lsu_wavefronts_* counts them
    std::uint32_t conflicts = 0; ///< wavefronts minus phases that have an active lane
    std::uint32_t phases = 0; ///< phases with an active lane, after lane-pair merging

    bool operator==(const BankReport&) const = default;
};

/// One word asked of one bank in one wavefront.
struct BankRequest {
    std::int8_t bank = 0;
    std::uint64_t word = 0; ///< index of the 4-byte word in the shared window
    LaneMask lanes = 0; ///< lanes served by it
};

/// One wavefront, in the order served.
struct Wavefront {
    std::int8_t phase = 0; ///< 0-based; 64- and 128-bit accesses have up to 2 and 4
    LaneMask lanes = 0;
    std::vector<BankRequest> requests; ///< at most one a bank
};

/// Of a loop (SharedUpdate::InALoop) a wavefront is a turn: of what each turn takes see loopReport().
[[nodiscard]] Result<BankReport> bankReport(const WarpAccess& access);

/// Whether it is an atomic that is a loop of a load and a compare and swap.
[[nodiscard]] inline bool isLoop(const WarpAccess& access) { return isAtomic(access) && access.update == SharedUpdate::InALoop; }

/// One turn of a loop of a load and a compare and swap.
struct LoopTurn {
    LaneMask lanes = 0; ///< that come first, and leave
    std::uint32_t phases = 0; ///< in which lanes try: half warps of 8 bytes, the warp of 4
};

/// The turns of a warp's loop (SharedUpdate::InALoop), if no other warp comes between: in each one lane of a bank comes first.
///
/// Source:  120 launches of one warp on an H200, see atomic_model.h.
[[nodiscard]] std::vector<LoopTurn> loopTurns(const WarpAccess& access);

/// The wavefronts one by one, for the views; as many as bankReport() counts.
[[nodiscard]] std::vector<Wavefront> wavefronts(const WarpAccess& access);

} // namespace coalescope::analysis
