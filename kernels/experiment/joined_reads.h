// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/footprint.h"

#include <span>

namespace coalescope::kernels {

/// A launch's blocks on the chip.
struct AskingSms {
    double sms = 1, smsPerGpc = 1;
    double blocks = 1; ///< of the grid
    double resident = 1; ///< blocks of an SM
    double warpsPerSm = 1;
};

/// Of the sectors that all L1 ask for, the share that the L2 is read for: an SM that asks for a sector which another one of its GPC has
/// just asked for is answered together with it.
///
/// Shapes:  `missed`: for each group of the footprint's loads the share of its sectors that L1 does not have; empty: all.
/// Source:  lts__t_sectors_srcunit_tex_op_read over l1tex__m_xbar2l1tex_read_sectors on an H200 (driver 580.159.04, 2026-11-23): two SMs
/// of a GPC that ask within 32 ns are answered together, at most four; two of different GPCs never. How far apart they ask was chosen by
/// 166 launches of 21 kernels: docs/models.md.
/// Checked: joined_reads_test.cpp, and swept_kernels_test.cpp against what was counted.
[[nodiscard]] double joinedReads(const Footprint& footprint, std::span<const double> missed, const AskingSms& chip);

} // namespace coalescope::kernels
