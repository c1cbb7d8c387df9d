// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model_errors.h"

namespace coalescope::bench {

/// Constants with which the times of the launches have the least mean error: duration, warm and
/// cold. Starts at `first` and tries steps of one constant at a time, smaller ones when none helps.
[[nodiscard]] analysis::TimeConstants fitConstants(
    std::span<const RecordedLaunch> launches, const analysis::TimeConstants& first);

/// Estimates of every launch with constants fitted to the launches of all other kernels.
[[nodiscard]] Estimates crossValidated(
    std::span<const RecordedLaunch> launches, const analysis::TimeConstants& first);

void printConstants(const analysis::TimeConstants& constants);

} // namespace coalescope::bench
