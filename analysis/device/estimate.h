// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/cache_model.h"
#include "analysis/result/run_result.h"

namespace coalescope::analysis {

/// What no data sheet tells of the time a launch takes. None belongs to a kernel.
///
/// Source:  fitted to the recorded H200 launches by coalescope_model --fit, which prints them;
/// docs/models.md.
struct TimeConstants {
    double blockStartNs = 79.5; ///< an SM takes this long from one block's start to the next's
    double blockLeadNs
        = 228; ///< from a block's start to its first load, and from its last store to its end
    double l2LatencyNs = 196; ///< of a load that the L2 answers
    double dramLatencyNs = 317; ///< more, where DRAM does
    double barrierNs = 70;
    double requestClocks = 2.2; ///< of the LSU, for a memory instruction of a warp; more where it has more tags
    double issueSlots
        = 1.34; ///< an instruction of PTX takes of the schedulers, who have one a clock each
    double storeLineSectors
        = 2.5; ///< of the L2, for each line of a store, in times of a sector read
    double splitSectorSectors = 20.4; ///< the same for a sector that must be completed from DRAM
    double dramRunBytes = 29.6; ///< of DRAM, for each stretch of neighbouring bytes
    double eventNs = 1936; ///< a launch timed between two events takes this much longer
};

/// Traffic beyond L1 and the time of a launch: marked as estimates everywhere.
struct Estimate {
    CacheSectors sectors;
    TimeValues time;
};

/// Mean absolute relative error of the time estimate over the recorded H200 launches.
inline constexpr double kRecordedTimeError = 0.06;

/// Estimates what cannot be counted exactly.
///
/// The time is the launch overhead and the time an SM takes for its blocks (smWavesNs). Each term
/// is the time that one resource alone would take; the largest is named as the limiter. Time and
/// terms stand for gpu__time_duration; warm and cold for a launch between two events.
///
/// Source:  the device's rates (DeviceModel), TimeConstants.
/// Checked: recorded_test.cpp, over the recorded launches.
[[nodiscard]] Estimate estimate(const DeviceModel& device, const Traffic& traffic,
    const Occupancy& occupancy, const TimeConstants& constants = {});

} // namespace coalescope::analysis
