// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coalescope::analysis {

namespace {

constexpr double kSectorBytes = 32;

// Fitted to the recorded H200 launches (resources/measured); the H200's own rates are in its row.
constexpr double kTagRate = 0.285; ///< share of the row's tag rate that strided accesses reach
constexpr double kWriteRate = 0.42; ///< write rate of the L2 over its read rate
constexpr double kDramLatencyNs = 515; ///< of a wave of blocks whose loads come from DRAM
constexpr double kWarpLatencyNs = 15; ///< a warp of the block, of a wave
constexpr double kBarrierLatencyNs = 135; ///< of a wave of blocks that meet at a barrier
constexpr double kBlockStartNs = 79; ///< an SM takes this long from one block's start to the next's
constexpr double kJoin
    = 3.5; ///< exponent with which terms join: 1 would add them, infinity take the largest

/// Rises from 0 to 1 as `bytes` outgrows the middle: a share of an L2 that keeps what it can.
double outgrown(double bytes, double middle, double width)
{
    return 1 / (1 + std::exp(-(bytes - middle) / width));
}

/// Shares of the footprint that reach DRAM in a repeated launch.
struct DramShares {
    double read = 0, write = 0;
};

DramShares dramShares(const DeviceModel& device, double footprintBytes)
{
    return { .read = outgrown(footprintBytes, 0.54 * device.l2Bytes, 0.064 * device.l2Bytes),
        .write = outgrown(footprintBytes, 0.262 * device.l2Bytes, 0.04 * device.l2Bytes) };
}

} // namespace

Estimate estimate(const DeviceModel& device, const Traffic& traffic, const Occupancy& occupancy)
{
    Estimate result;
    const DramShares shares
        = dramShares(device, traffic.readFootprintBytes + traffic.writeFootprintBytes);
    result.l1ReadSectors = traffic.loadSectors * traffic.blockLoadReuse;
    result.l1WriteSectors = traffic.storeSectors;
    // A read that misses in the L2 half of its SM is counted in the other half as well; so is every
    // second write.
    result.l2ReadSectors = result.l1ReadSectors * (1.25 + 0.25 * shares.read);
    result.l2WriteSectors = result.l1WriteSectors * 1.5;
    result.dramReadSectors = traffic.readFootprintBytes * shares.read / kSectorBytes;
    result.dramWriteSectors = traffic.writeFootprintBytes * shares.write / kSectorBytes;

    for (double* sectors : { &result.l1ReadSectors, &result.l1WriteSectors, &result.l2ReadSectors,
             &result.l2WriteSectors, &result.dramReadSectors, &result.dramWriteSectors })
        *sectors = std::round(*sectors);

    const double sms = std::clamp(traffic.blocks, 1.0, double(device.sms));
    const double smClocks = sms * device.clockGHz;
    const double waves
        = std::max(1.0, traffic.blocks / (device.sms * std::max(occupancy.blocksPerSm, 1)));
    const double waveNs = kDramLatencyNs * shares.read + kWarpLatencyNs * traffic.warpsPerBlock
        + (traffic.sharedWavefronts > 0 ? kBarrierLatencyNs : 0);
    const double dram
        = (result.dramReadSectors + result.dramWriteSectors) * kSectorBytes / device.dramBytesPerNs;
    const double l2
        = (traffic.loadSectors + traffic.storeSectors / kWriteRate) / device.l2SectorsPerNs;
    const double lsu
        = (traffic.loadTags + traffic.storeTags) / (kTagRate * device.lsuTagsPerClock * smClocks);
    const double shared = traffic.sharedWavefronts / (device.sharedWavefrontsPerClock * smClocks);
    const double issue = traffic.warpInstructions / (4 * smClocks);
    const double latency = waves * waveNs;
    const double blocks = traffic.blocks / sms * kBlockStartNs;
    const std::array terms { TimeTerm { "dram", dram }, TimeTerm { "l2", l2 },
        TimeTerm { "lsu", lsu }, TimeTerm { "shared", shared }, TimeTerm { "issue", issue },
        TimeTerm { "latency", latency }, TimeTerm { "blocks", blocks } };
    double joined = 0;
    // The warps of a block wait for their loads together and then queue at the banks together:
    // these two add.
    for (const double ns : { dram, l2, lsu, shared + latency, issue, blocks })
        joined += std::pow(ns, kJoin);
    const auto largest = std::ranges::max_element(terms, {}, &TimeTerm::ns);
    result.time.terms.assign(terms.begin(), terms.end());
    result.time.terms.insert(result.time.terms.begin(), TimeTerm { "launch", device.launchNs });
    result.time.limiter = largest->ns > device.launchNs ? largest->name : "launch";
    result.time.estimateNs = device.launchNs + std::pow(joined, 1 / kJoin);
    if (device.verified)
        result.time.estimateError = kRecordedTimeError;
    return result;
}

} // namespace coalescope::analysis
