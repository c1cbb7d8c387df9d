// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/coefficients.h"
#include "analysis/execute/decoded.h"

namespace coalescope::analysis {

/// The value floor(x * factor / 2^shift) of affine, non-negative x.
///
/// For a suitable factor and shift this is x divided by a constant, the way compilers do it.
struct ScaledQuotient {
    std::array<Word, kWarpLanes> x {};
    CoefficientId coefficients = 0; ///< of x
    LaneMask lanes = 0; ///< for which this holds
    Type type = Type::U32; ///< of x: 32 bits
    Int128 factor = 0;
    int shift = 32;
};

/// The d for which floor(x * factor / 2^shift) = floor(x / d) for all x in [0, most]; 0: there is
/// none.
///
/// With d = ceil(2^shift / factor) and e = factor * d - 2^shift, x * factor / 2^shift exceeds x / d
/// by x * e / (d * 2^shift); the next integer is at least 1 / d away, so e * most < 2^shift is
/// enough.
[[nodiscard]] std::int64_t divisorOf(Int128 factor, int shift, Int128 most);

} // namespace coalescope::analysis
