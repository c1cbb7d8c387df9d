// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

namespace coalescope::analysis {

/// Marks the atomics that ptxas makes a count of (Modifiers::countsUp): a constant 1 is added to 4 bytes and nobody asks for
/// what was there before, as in most histograms. Shared memory serves lanes of one word together then.
///
/// Source:  ATOMS.POPC.INC in sm_90 code of ptxas 13.0; 26 patterns that an H200 counted (atomic_patterns.csv, red.add1.u32).
void markCounts(Program& program);

} // namespace coalescope::analysis
