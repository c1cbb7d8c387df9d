// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/sweep_look.h"

#include <QString>

namespace coalescope::app {

/// "time, L2 warm, µs, predicted".
[[nodiscard]] QString titleOf(const SweepLook& look);
[[nodiscard]] QString textOfValue(const SweepLook& look, double value);

/// A launch with its figures or why it has none, one a line.
[[nodiscard]] QString launchText(const SweepOrder& order, const SweepEntry& entry, std::size_t launch, const SweepMetric& metric);
/// Why a launch is not allowed or has no result; empty where it has one.
[[nodiscard]] QString problemText(const SweepEntry& entry);

/// A map or a line in a sentence: the best launch and the worst, of all where that is not shown, how many are not allowed.
[[nodiscard]] QString sliceSentence(const SweepData& data, const SweepLook& look);
/// How far off the predictions are over everything measured.
[[nodiscard]] QString scatterSentence(const SweepData& data, const SweepLook& look);

} // namespace coalescope::app
