// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/experiment.h"
#include "kernels/experiment/sweep.h"

#include <QString>

#include <map>

namespace coalescope::app {

/// What each parameter is swept over, as typed: "4:64:4"; a parameter that is missing keeps the
/// experiment's value.
using SweepRanges = std::map<std::string, QString>;

/// What is worth a first sweep: the two parameters that shape the work, over what their controls
/// allow; where there is none, the first one that has values to offer.
[[nodiscard]] SweepRanges suggestedRanges(const kernels::KernelSpec& spec);

/// A sweep as it is run: everything that its rows depend on.
struct SweepOrder {
    SpecPointer spec;
    QString device;
    kernels::SweepRequest request;

    [[nodiscard]] std::size_t launches() const;
    /// Every parameter of a launch; the last axis is the fastest.
    [[nodiscard]] kernels::ParameterValues valuesOf(std::size_t launch) const;
    /// The launch that has these values; nothing where it is none of the sweep's.
    [[nodiscard]] std::optional<std::size_t> launchOf(const kernels::ParameterValues& values) const;
};
[[nodiscard]] bool operator==(const SweepOrder& a, const SweepOrder& b);

/// The ranges over the experiment's values. A range of one value holds its parameter at it.
///
/// Errors: those of sweepRequest(); WrongUsage where nothing has several values, or the launches are more than a
/// window can show.
[[nodiscard]] Result<SweepOrder> sweepOrder(const ExperimentState& state, const SweepRanges& ranges);

} // namespace coalescope::app
