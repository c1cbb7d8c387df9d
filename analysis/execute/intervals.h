// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/coefficients.h"
#include "analysis/execute/decoded.h"

#include <optional>

namespace coalescope::analysis {

/// Exact integer reasoning on lane values base + sum of c[k] * t[k] over a box.

/// A word as the integer that a type reads.
[[nodiscard]] Int128 asInteger(Word word, Type type);

/// True where no lane leaves the range of the type anywhere in the box: the sum is the value.
[[nodiscard]] bool fits(const Word* lanes, LaneMask mask, const Coefficients& c, Type type);
[[nodiscard]] bool staysNonNegative(
    const Word* lanes, LaneMask mask, const Coefficients& c, Type type);
[[nodiscard]] bool productHighIsConstant(
    const Word* lanes, LaneMask mask, const Coefficients& c, std::int64_t factor, Type type);

/// Largest k such that every coefficient is a multiple of 2^k; 64 where all are 0.
[[nodiscard]] int trailingZeros(const Coefficients& c);

struct Division {
    std::optional<Split> split; ///< where set, quotient and remainder are not affine in the box
    std::array<std::int64_t, kMaxAxes> quotient {}, remainder {};
};
/// Floor division by a positive constant of values that fit their type and are not negative.
[[nodiscard]] Division divide(const Word* lanes, LaneMask mask, const Coefficients& c,
    std::int64_t by, Type type, const Box& box);

/// The split after which a comparison may have one outcome a lane; empty where it has already.
[[nodiscard]] std::optional<Split> comparisonSplit(const Word* a, const Coefficients& ca,
    const Word* b, const Coefficients& cb, LaneMask mask, Type type, Compare compare,
    const Box& box);

} // namespace coalescope::analysis
