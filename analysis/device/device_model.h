// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"
#include "analysis/result/error.h"
#include "analysis/result/run_result.h"

#include <span>
#include <string_view>

namespace coalescope::analysis {

/// One GPU. Every number has its source beside its row in device_table.cpp.
struct DeviceModel {
    std::string_view name; ///< "h200"
    std::string_view fullName; ///< "NVIDIA H200"
    int computeMajor = 0, computeMinor = 0;
    bool verified = false; ///< its rates were measured, not read
    int sms = 0;
    int maxWarpsPerSm = 0, maxBlocksPerSm = 0, maxThreadsPerBlock = 1024;
    int registersPerSm = 65536, registerAllocationUnit = 256; ///< registers, per warp
    int sharedPerSm = 0, sharedPerBlock = 0, sharedPerBlockOptIn = 0, sharedReserved = 1024, sharedUnit = 128; ///< bytes
    std::uint64_t maxGridX = 2147483647, maxGridY = 65535, maxGridZ = 65535;
    double clockGHz = 0; ///< sustained SM clock
    double l2Bytes = 0;
    double dramBytesPerNs = 0; ///< read + write, sustained
    double l2SectorsPerNs = 0; ///< L1-L2 traffic, whole chip
    double lsuTagsPerClock = 0; ///< cache lines a clock an SM
    double l1SectorsPerClock = 0; ///< global data stage a clock an SM
    double sharedWavefrontsPerClock = 0; ///< an SM
    double launchNs = 0; ///< smallest kernel duration
};

[[nodiscard]] std::span<const DeviceModel> deviceTable();
[[nodiscard]] Result<const DeviceModel*> deviceNamed(std::string_view name);

/// Errors: IllegalLaunch with the limit and the value.
[[nodiscard]] Result<void> checkLaunch(const DeviceModel& device, const Launch& launch, std::uint32_t staticSharedBytes);

[[nodiscard]] Occupancy occupancyOf(const DeviceModel& device, Dim3 grid, Dim3 block, std::uint32_t sharedBytesPerBlock,
    std::optional<int> registersPerThread);

} // namespace coalescope::analysis
