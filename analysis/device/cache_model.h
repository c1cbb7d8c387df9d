// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/device_model.h"
#include "analysis/device/traffic.h"

namespace coalescope::analysis {

inline constexpr double kLineSectors = 4; ///< sectors of a cache line

/// What a launch finds in the L2.
enum class L2State {
    Profiled, ///< the profiler has just put back all buffers
    Warm, ///< the same launch ran before
    Cold, ///< other, modified data
    Emptied, ///< nothing, as a profiler leaves it that empties the caches before each pass: Nsight Compute, unless it is told not to
};

/// Bytes that a launch moves between L2 and DRAM.
struct DramTraffic {
    double splitShare = 0; ///< of what is half written: among what the L2 cannot keep
    double readShare = 0; ///< of what is read: misses the L2 when it is read first
    double missShare = 0; ///< of the sectors that L1 asks for: not in the L2
    double writeShare = 0; ///< of what is written: leaves the L2 during the launch
    double holeShare = 0; ///< of written sectors with bytes that nothing writes: their line leaves the L2 during the launch
    double readBytes = 0, writeBytes = 0;
    double scatteredCompleted = 0; ///< of scattered sectors: read for what is missing when they leave the L2
    double scatteredAgain = 0; ///< written back once more
};

/// `residentBlocks`: on the whole chip, at most.
///
/// Source:  counters of the recorded H200 launches.
/// Checked: recorded_test.cpp.
[[nodiscard]] DramTraffic dramTraffic(
    const DeviceModel& device, const Traffic& traffic, double residentBlocks, L2State state);

/// Of all sectors that are stored, those that no single access fills.
[[nodiscard]] double begunShare(const Traffic& traffic);

/// Sectors of stores that are served together with those of the warp before.
struct JoinedSectors {
    double beforeL2 = 0, inL2 = 0;
    double withTheirLines = 0; ///< of those before the L2: no request for their line is left
};
/// Source:  l1tex__m_l1tex2xbar_write_sectors of recorded transpose_naive launches.
/// Checked: cache_model_test.cpp, recorded_test.cpp.
[[nodiscard]] JoinedSectors joinedSectors(const Traffic& traffic, const DramTraffic& dram);

/// Requests for a line that stores make of the L2, when those of neighbouring warps that meet on their way count once.
///
/// `residentOfAnSm`: blocks.
///
/// Source:  lts__t_requests on an H200; docs/models.md.
/// Checked: traffic_test.cpp, against h200_store_requests.csv.
[[nodiscard]] double storeLineRequests(const Traffic& traffic, double residentOfAnSm, const DramTraffic& dram);

/// Share of what was read that the L2 has let go when so many bytes of lines have passed since.
///
/// Source:  as the share of a launch's data that has outgrown the L2, with its ends cut off: what is
/// read again many times would else be missed often from an L2 that holds it easily.
[[nodiscard]] double goneShare(const DeviceModel& device, double bytesSince);

/// Room that a byte which is stored takes of the L2: less than one that is read, where the L2 has two halves.
[[nodiscard]] double roomOfStores(const DeviceModel& device);

/// Sectors between the levels, as the profiler counts them.
struct CacheSectors {
    double l1Read = 0, l1Write = 0, l2Read = 0, l2Write = 0, dramRead = 0, dramWrite = 0;
};

/// `residentBlocks`: on the whole chip, at most.
[[nodiscard]] CacheSectors cacheSectors(
    const DeviceModel& device, const Traffic& traffic, double residentBlocks, L2State state = L2State::Profiled);
/// The same where dramTraffic() of this state is known.
[[nodiscard]] CacheSectors cacheSectors(
    const DeviceModel& device, const Traffic& traffic, double residentBlocks, L2State state, const DramTraffic& dram);

/// Of a line that a store writes to, on average.
[[nodiscard]] double sectorsOfALine(const Traffic& traffic);

/// What one warp fills, of all that lies half written in the L2 at any moment.
[[nodiscard]] double openByOneWarpShare(const Traffic& traffic);

/// Sectors that leave the L2 and that no store has filled: DRAM must be read for the rest.
[[nodiscard]] double holeSectors(const Traffic& traffic, const DramTraffic& dram);

/// What DRAM moves for them beyond what is written. It moves pairs of sectors: more where one of a pair is read, and written back.
[[nodiscard]] double holeBytes(const Traffic& traffic, const DramTraffic& dram);

/// Sectors whose parts lie in L2 and are pushed out before their other parts are written: DRAM must
/// then be read to complete them.
[[nodiscard]] double splitSectors(const DeviceModel& device, const Traffic& traffic,
    double residentBlocks, const DramTraffic& dram);

} // namespace coalescope::analysis
