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
    double blockLoadReuse = 1; ///< distinct sectors loaded by one block over sectors it asks for: 1 is no reuse
    double readFootprintBytes = 0, writeFootprintBytes = 0; ///< distinct bytes, whole grid
    double blocks = 0;
    int warpsPerBlock = 1;
};

/// Traffic beyond L1 and the time of a launch, by a bottleneck model: marked as estimates everywhere.
struct Estimate {
    double l1ReadSectors = 0, l1WriteSectors = 0, l2ReadSectors = 0, l2WriteSectors = 0;
    double dramReadSectors = 0, dramWriteSectors = 0;
    TimeValues time;
};

/// Estimates what cannot be counted exactly.
///
/// The time is the launch overhead plus the largest of the terms DRAM, L2, LSU, shared memory and issue;
/// the largest is named as the limiter.
///
/// Source:  the device's rates (DeviceModel); the form of each term is in docs/models.md.
/// Checked: recorded_error_test.cpp gives the error over the recorded launches.
[[nodiscard]] Estimate estimate(const DeviceModel& device, const Traffic& traffic, const Occupancy& occupancy);

} // namespace coalescope::analysis
