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
    double blockStartNs = 0.6061; ///< the chip takes this long from one block's start to the next's, whichever SMs they start on
    double blockLeadNs
        = 165; ///< from a block's start to its first load, and from its last store to its end
    double warpStartNs = 1.83; ///< longer for each of the block's warps
    double l2LatencyNs = 207; ///< of a load that the L2 answers
    double dramLatencyNs = 330; ///< more, where DRAM does
    double barrierNs = 94;
    double requestClocks
        = 1.1; ///< of the LSU, for a load or an access to shared memory; more where it has more tags. Measured on an H200
               ///< (driver 580.159.04, 2026-11-22): 257 loads of one word each a warp, 1.09 clocks each
    double storeClocks = 3.16; ///< the same for a global store
    double issueSlots
        = 1; ///< of a scheduler, that a clock of issuing takes: of an instruction's registers, and of one more for an access
    double splitSectorSectors
        = 97; ///< of the L2, for a sector that must be completed from DRAM, in times of a sector read
    double windowNs = 3580; ///< of the smallest kernel, between two events: the same on an H200 and an H100, whose profilers tell
                            ///< 1.6 and 2.1 us
};

/// Traffic beyond L1 and the time of a launch: marked as estimates everywhere.
struct Estimate {
    CacheSectors sectors;
    TimeValues time;
    CacheSectors emptiedSectors; ///< where the profiler empties the caches before the launch
    double emptiedNs = 0; ///< gpu__time_duration, likewise
};

/// What is known of a prediction, and with it which recorded launches its errors are those of.
struct ErrorBasis {
    bool registersKnown = true; ///< of the kernel, and with them its resident blocks
    bool ofCatalogue = true; ///< otherwise of kernels to which nothing was fitted
    bool ledByData = false; ///< of those, kernels whose addresses or branches depend on what they load
};

/// Mean absolute relative error of an estimated metric over the launches recorded on the device; nothing for a metric that is
/// counted exactly, and where none are recorded. For DRAM over the launches where it moves 10,000 sectors and
/// more: of next to nothing a relative error says nothing.
///
/// Checked: recorded_test.cpp and swept_kernels_test.cpp compute each anew.
[[nodiscard]] std::optional<double> recordedError(const DeviceModel& device, Metric metric, ErrorBasis basis = {});

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
