// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model_errors.h"

namespace coalescope::bench {

/// Constants with which the times of the launches have the least mean error: duration, warm and
/// cold. Starts at each guess, tries steps of one constant at a time, smaller ones when none helps, and keeps the
/// best end.
[[nodiscard]] analysis::TimeConstants fitConstants(
    std::span<const RecordedLaunch> launches, std::span<const analysis::TimeConstants> guesses);

/// Estimates of every launch with constants fitted to the launches of all other kernels.
[[nodiscard]] Estimates crossValidated(
    std::span<const RecordedLaunch> launches, std::span<const analysis::TimeConstants> guesses);

void printConstants(const analysis::TimeConstants& constants);

} // namespace coalescope::bench
