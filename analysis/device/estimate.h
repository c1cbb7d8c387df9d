// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/device_model.h"
#include "analysis/result/run_result.h"

namespace coalescope::analysis {

/// What a launch asks of the memory system: exact counts, and how much of them caches may absorb.
struct Traffic {
    double loadSectors = 0, storeSectors = 0; ///< global, whole grid
    double loadTags = 0, storeTags = 0; ///< global cache lines, whole grid
    double sharedWavefronts = 0; ///< whole grid
    double warpInstructions = 0; ///< whole grid
    double blockLoadReuse
        = 1; ///< distinct sectors loaded by one block over sectors it asks for: 1 is no reuse
    double readFootprintBytes = 0,
           writeFootprintBytes = 0; ///< distinct bytes DRAM moves, whole grid
    double blocks = 0;
    int warpsPerBlock = 1;
};

/// Traffic beyond L1 and the time of a launch, by a bottleneck model: marked as estimates
/// everywhere.
struct Estimate {
    double l1ReadSectors = 0, l1WriteSectors = 0, l2ReadSectors = 0, l2WriteSectors = 0;
    double dramReadSectors = 0, dramWriteSectors = 0;
    TimeValues time;
};

/// Mean absolute relative error of the time estimate over the recorded H200 launches it was fitted
/// to.
inline constexpr double kRecordedTimeError = 0.08;

/// Estimates what cannot be counted exactly.
///
/// The time is the launch overhead plus the terms DRAM, L2, LSU, shared memory, issue, latency and
/// block starts, added as their cubes so that the largest leads; it is named as the limiter. It
/// stands for gpu__time_duration: a repeated launch, whose data is in the L2 where it fits.
///
/// Source:  the device's rates (DeviceModel) and constants fitted to the recorded H200 launches;
/// the form of
///          each term is in docs/models.md.
/// Checked: recorded_test.cpp, over the recorded launches.
[[nodiscard]] Estimate estimate(
    const DeviceModel& device, const Traffic& traffic, const Occupancy& occupancy);

} // namespace coalescope::analysis
