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
constexpr double kEventNs = 1700; ///< a launch timed between two events takes this much longer
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

/// What keeps a launch busy, in the order shown.
struct Terms {
    double dram = 0, l2 = 0, lsu = 0, shared = 0, issue = 0, latency = 0, blocks = 0;

    /// The terms joined so that the largest leads. The warps of a block wait for their loads
    /// together and then queue at the banks together: these two add.
    [[nodiscard]] double joined() const
    {
        double sum = 0;
        for (const double ns : { dram, l2, lsu, shared + latency, issue, blocks })
            sum += std::pow(ns, kJoin);
        return std::pow(sum, 1 / kJoin);
    }

    [[nodiscard]] std::array<TimeTerm, 7> named() const
    {
        return { TimeTerm { "dram", dram }, { "l2", l2 }, { "lsu", lsu }, { "shared", shared },
            { "issue", issue }, { "latency", latency }, { "blocks", blocks } };
    }
};

Terms termsOf(const DeviceModel& device, const Traffic& traffic, const Occupancy& occupancy,
    DramShares shares)
{
    const double sms = std::clamp(traffic.blocks, 1.0, double(device.sms));
    const double smClocks = sms * device.clockGHz;
    const double waves
        = std::max(1.0, traffic.blocks / (device.sms * std::max(occupancy.blocksPerSm, 1)));
    const double waveNs = kDramLatencyNs * shares.read + kWarpLatencyNs * traffic.warpsPerBlock
        + (traffic.sharedWavefronts > 0 ? kBarrierLatencyNs : 0);
    const double dramBytes
        = traffic.readFootprintBytes * shares.read + traffic.writeFootprintBytes * shares.write;
    return { .dram = dramBytes / device.dramBytesPerNs,
        .l2 = (traffic.loadSectors + traffic.storeSectors / kWriteRate) / device.l2SectorsPerNs,
        .lsu
        = (traffic.loadTags + traffic.storeTags) / (kTagRate * device.lsuTagsPerClock * smClocks),
        .shared = traffic.sharedWavefronts / (device.sharedWavefrontsPerClock * smClocks),
        .issue = traffic.warpInstructions / (4 * smClocks),
        .latency = waves * waveNs,
        .blocks = traffic.blocks / sms * kBlockStartNs };
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

    const Terms terms = termsOf(device, traffic, occupancy, shares);
    const Terms cold = termsOf(device, traffic, occupancy, { .read = 1, .write = shares.write });
    const auto named = terms.named();
    const auto largest = std::ranges::max_element(named, {}, &TimeTerm::ns);
    TimeValues& time = result.time;
    time.terms.assign(named.begin(), named.end());
    time.terms.insert(time.terms.begin(), TimeTerm { "launch", device.launchNs });
    time.limiter = largest->ns > device.launchNs ? largest->name : "launch";
    time.estimateNs = device.launchNs + terms.joined();
    time.warmNs = *time.estimateNs + kEventNs;
    time.coldNs = device.launchNs + cold.joined() + kEventNs;
    if (device.timeModelFitted)
        time.estimateError = kRecordedTimeError;
    return result;
}

} // namespace coalescope::analysis
