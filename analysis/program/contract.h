// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

namespace coalescope::analysis {

/// Makes one fused operation of a sum and its product where the machine code does: it rounds once, and an address that comes
/// from floating point may be another one.
///
/// ptxas joins an `add` or `sub` of f32 or f64 with a `mul` before it in the same basic block, if neither names a rounding and
/// both flush subnormals or neither does, and if whatever uses the product is such a sum: a product that a comparison or a
/// store needs as well stays apart. Products used once come first, then, from the first sum to the last, those whose sums
/// have not been joined with others; of two in one sum the one used less often, else the first.
/// The product's own instruction remains, so that every line keeps what it counts.
///
/// Source:  the FFMA, FADD and FMUL that ptxas 13.0 makes for sm_90 of 1,100 random sequences of 3 to 12 operations, and
/// of 20 written by hand.
/// Checked: contract_test.cpp.
void contractProducts(Program& program);

} // namespace coalescope::analysis
