// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

namespace coalescope::analysis {

/// Marks what ptxas makes of atomics, from whether anybody asks for what was there before and from which operands are the same in all lanes:
/// - a count (Modifiers::countsUp): a constant 1 is added to 4 bytes of shared memory and nobody asks, as in most histograms. Lanes of one word
///   are served together then.
/// - one lane's (Modifiers::isOneLanes): all lanes update the same word, and what they add is added up first.
/// - the launch's (Modifiers::isOfLaunch): all threads of all blocks update one word, as that from which blocks draw what is next.
/// - a reduction (Modifiers::isReduction): nobody asks, and the operation can go without an answer.
///
/// Source:  ATOMS.POPC.INC, REDUX and VOTEU, REDG and ATOMG in sm_90 code of ptxas 13.0; 72 kernels whose lanes all have one address and
///          71 whose addresses are the same in other ways, or not, counted by an H200 (driver 580.159.04, 2026-11-28).
/// Checked: atomic_forms_test.cpp.
void markAtomics(Program& program);

} // namespace coalescope::analysis
