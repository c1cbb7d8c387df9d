// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/decoded.h"

namespace coalescope::analysis {

/// Finds the branches whose outcome changes nothing in memory: between them and where their lanes meet again there is arithmetic
/// alone, as in powf() for a base of 1, or in one side of a ?:. Accesses to local memory count as such where only regions make any, and
/// with them read-only loads, as sinf() makes both for large angles. Fills DecodedProgram::regions and Decoded::region.
void findDataRegions(DecodedProgram& program);

} // namespace coalescope::analysis
