// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recorded_launches.h"

#include <optional>
#include <span>

namespace coalescope::bench {

/// The times that are measured of a launch.
enum class TimeKind { Duration, Warm, Cold };

inline constexpr TimeKind kTimeKinds[] { TimeKind::Duration, TimeKind::Warm, TimeKind::Cold };

[[nodiscard]] const char* nameOf(TimeKind kind);
[[nodiscard]] std::optional<double> measuredNs(const RecordedLaunch& launch, TimeKind kind);
[[nodiscard]] double predictedNs(const analysis::Estimate& estimate, TimeKind kind);

/// Predicted over measured, minus 1, with the launch's place in the pack.
struct TimeError {
    std::size_t launch = 0;
    double predictedNs = 0, measuredNs = 0;
    [[nodiscard]] double relative() const { return predictedNs / measuredNs - 1; }
};

/// One estimate a launch, in the pack's order.
using Estimates = std::vector<analysis::Estimate>;

[[nodiscard]] Estimates estimatesOf(
    std::span<const RecordedLaunch> launches, const analysis::TimeConstants& constants);
[[nodiscard]] std::vector<TimeError> timeErrors(
    std::span<const RecordedLaunch> launches, const Estimates& estimates, TimeKind kind);

inline constexpr double kManySectors = 10000; ///< of fewer a relative error may say nothing

/// Prints the errors of times and sectors, by kernel and in all; of sectors between L1 and L2, as always of DRAM's,
/// over the launches that move `fewest` and more.
void printErrors(std::span<const RecordedLaunch> launches, const Estimates& estimates, double fewest = 0);
/// Prints how well launches of the same problem are ordered, and what taking the predicted best
/// costs.
void printRanking(std::span<const RecordedLaunch> launches, const Estimates& estimates);
void printWorst(
    std::span<const RecordedLaunch> launches, const Estimates& estimates, std::size_t count);
/// kernel,launch,predicted and measured in microseconds.
void printCsv(std::span<const RecordedLaunch> launches, const Estimates& estimates);

} // namespace coalescope::bench
