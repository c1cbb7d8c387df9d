// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/estimate.h"
#include "analysis/result/run_result.h"

#include <optional>
#include <string>
#include <vector>

namespace coalescope::bench {

/// A recorded launch with what the time model is told of it.
struct RecordedLaunch {
    const analysis::RunResult* measured = nullptr;
    const analysis::DeviceModel* device = nullptr;
    analysis::Traffic traffic;
    analysis::Occupancy occupancy;
    std::string file; ///< it was read from: "h200_check.jsonl"
    std::string name; ///< "copy rows=1024 cols=1024 ..."
    std::optional<double> warmAgainNs; ///< measured once more in another process
    bool ledByData = false; ///< see kernels::Prediction
    std::string problem; ///< "1024 x 1024 f32": launches with the same one may be ranked
};

/// What the time model's constants are fitted to, and what was recorded to judge them by.
enum class Purpose { Fit, Check };

/// Predicts every launch recorded for a purpose. Writes to stderr what cannot be predicted.
[[nodiscard]] std::vector<RecordedLaunch> recordedLaunches(Purpose purpose);

/// The same for the kernels of tests/device/sweeps, to which nothing is fitted, on an "h200" or "h100". Minutes: some are executed
/// block by block.
[[nodiscard]] std::vector<RecordedLaunch> otherKernelsLaunches(const std::string& gpu);

} // namespace coalescope::bench
