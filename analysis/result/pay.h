// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"

#include <optional>
#include <string>

namespace coalescope::analysis {

/// A figure of two variants.
struct PayFigure {
    double before = 0, after = 0;

    [[nodiscard]] double share() const; ///< after over before; 1 where both are 0
    [[nodiscard]] double moved() const; ///< after less before
    [[nodiscard]] bool changed() const; ///< by more than what a count may differ for no reason
};

enum class PayVerdict : std::uint8_t { Pays, NoDifference, Costs };

/// Why the time follows the counts, or does not.
enum class PayReason : std::uint8_t {
    Unknown, ///< a variant has no terms
    Nothing, ///< neither counts nor terms change
    Follows, ///< the term of a count that changed the same way is what the time follows
    AnotherLeads, ///< it does, and led, until another term leads: no more is to be gained this way
    Beside, ///< what changes is short beside the limiter: it costs nothing
    OtherTerm, ///< a term is what the time follows, and no count of sectors or wavefronts decides it
    Several, ///< no term alone, but several together
    Balanced, ///< one term gains what another loses
    Overlap, ///< the terms do not explain the time: they overlap more than before, or less
    Unexplained, ///< nor does the time that the terms are of: it is the repetition that matters
};

/// What of the counts a term of the time stands for.
enum class PayCount : std::uint8_t { None, Sectors, DramSectors, Wavefronts };

/// Whether a change pays, and why.
struct PayFinding {
    PayFigure sectors; ///< global, loads and stores
    PayFigure dramSectors; ///< read and written; 0: not estimated
    PayFigure wavefronts, conflicts; ///< shared, loads and stores
    std::optional<PayFigure> predictedNs; ///< repeated launches, L2 warm
    std::optional<PayFigure> measuredNs; ///< the same; only where both were measured
    std::optional<PayVerdict> predicted, measured;
    std::optional<PayFigure> coldNs; ///< L2 cold: measured where both were, else predicted
    std::optional<PayVerdict> cold; ///< by `coldNs`
    bool withinError
        = false; ///< the predicted difference is smaller than the estimate's mean error
    PayReason reason = PayReason::Unknown;
    PayCount count = PayCount::None; ///< that `reason` speaks of
    std::string term; ///< that `reason` speaks of; a name of TimeValues::terms
    PayFigure termNs;
    std::string otherTerm; ///< where Balanced: the one that loses; where Several: the second
    PayFigure otherNs;
    std::string limiterBefore, limiterAfter;
    PayFigure limiterNs; ///< each variant's own limiter
    bool otherDevice = false; ///< than before: rates change, which no count decides
    bool otherKernel = false; ///< than before
};

/// Judges `after` against `before`: two predictions, and their measurements where both are there.
///
/// The reason is read off the two predictions' terms; the terms need not be known here by name.
///
/// Units: nanoseconds.
[[nodiscard]] PayFinding payFinding(const RunResult& before, const RunResult& after,
    const RunResult* measuredBefore = nullptr, const RunResult* measuredAfter = nullptr);

} // namespace coalescope::analysis
