// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/estimate.h"

#include <algorithm>
#include <array>

namespace coalescope::analysis {

namespace {

    constexpr double kSectorBytes = 32;

    /// SMs that have work at all.
    double busySms(const DeviceModel& device, const Traffic& traffic)
    {
        return std::clamp(traffic.blocks, 1.0, double(device.sms));
    }

} // namespace

Estimate estimate(const DeviceModel& device, const Traffic& traffic, const Occupancy& occupancy)
{
    Estimate result;
    result.l1ReadSectors = traffic.loadSectors * traffic.blockLoadReuse;
    result.l1WriteSectors = traffic.storeSectors;
    result.l2ReadSectors = result.l1ReadSectors;
    result.l2WriteSectors = result.l1WriteSectors;
    result.dramReadSectors = traffic.readFootprintBytes / kSectorBytes;
    result.dramWriteSectors = std::max(0.0, traffic.writeFootprintBytes - device.l2Bytes / 2) / kSectorBytes;

    const double sms = busySms(device, traffic);
    const double smClocks = sms * device.clockGHz;
    const double waveBlocks = double(device.sms) * std::max(occupancy.blocksPerSm, 1);
    // The last wave keeps only some SMs busy: its part of the work runs at their rate.
    const double waves = traffic.blocks / std::max(waveBlocks, 1.0);
    (void)waves;
    const double dramBytes = traffic.readFootprintBytes + traffic.writeFootprintBytes;
    const std::array terms {
        TimeTerm { "dram", dramBytes / device.dramBytesPerNs },
        TimeTerm { "l2", (result.l1ReadSectors + result.l1WriteSectors) / device.l2SectorsPerNs },
        TimeTerm { "lsu", (traffic.loadTags + traffic.storeTags) / (device.lsuTagsPerClock * smClocks) },
        TimeTerm { "shared", traffic.sharedWavefronts / (device.sharedWavefrontsPerClock * smClocks) },
        TimeTerm { "issue", traffic.warpInstructions / (4 * smClocks) },
    };
    const auto largest = std::ranges::max_element(terms, {}, &TimeTerm::ns);
    result.time.terms.assign(terms.begin(), terms.end());
    result.time.terms.insert(result.time.terms.begin(), TimeTerm { "launch", device.launchNs });
    result.time.limiter = largest->ns > device.launchNs ? largest->name : "launch";
    result.time.estimateNs = device.launchNs + largest->ns;
    return result;
}

} // namespace coalescope::analysis
