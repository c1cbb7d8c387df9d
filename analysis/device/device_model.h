// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"
#include "analysis/program/program.h"
#include "analysis/result/error.h"
#include "analysis/result/run_result.h"

#include <span>
#include <string_view>
#include <vector>

namespace coalescope::analysis {

inline constexpr double kGiB = 1024.0 * 1024.0 * 1024.0; ///< bytes

/// One GPU. Every number has its source beside its row in device_table.cpp, or was measured by
/// `coalescope calibrate`.
struct DeviceModel {
    std::string_view name; ///< "h200"
    std::string_view fullName; ///< "NVIDIA H200"
    std::string_view origin; ///< where its rates are from: "data sheet", "measured, driver 580.159"
    std::span<const std::string_view> driverNames; ///< what the driver calls it, where not fullName
    int computeMajor = 0, computeMinor = 0;
    bool verified = false; ///< its rates were measured, not read
    bool errorsRecorded = false; ///< how far the estimates for it are from recorded launches is known
    int sms = 0;
    int maxWarpsPerSm = 0, maxBlocksPerSm = 0, maxThreadsPerBlock = 1024;
    int registersPerSm = 65536, registerAllocationUnit = 256; ///< registers, per warp
    int sharedPerSm = 0, sharedPerBlock = 0, sharedPerBlockOptIn = 0, sharedReserved = 1024, sharedUnit = 128; ///< bytes
    int l1AndSharedPerSm = 0; ///< bytes of the memory that L1 and shared memory divide; 0: not known
    std::span<const int> sharedCarveOuts; ///< KiB of it that can be shared memory, ascending
    std::uint64_t maxGridX = 2147483647, maxGridY = 65535, maxGridZ = 65535;
    double doublesPerClock = 2; ///< an SM: arithmetic of 64 bits
    double matrixClocks = 16; ///< that a product of 16 x 16 with 16 x 8 halves keeps a scheduler's tensor core
    double clockGHz = 0; ///< sustained SM clock
    double memoryBytes = 0; ///< that buffers lie in; 0: not known
    double l2Bytes = 0;
    bool l2InHalves = false; ///< what crosses between them is counted in both
    double smsPerGpc = 0; ///< on average, where the requests of a GPC's SMs for the same sector are joined before the L2; 0: they are not
    double dramBytesPerNs = 0; ///< read + write, sustained
    double dramRunNs = 0; ///< DRAM loses with each stretch of neighbouring bytes; 0: as many bytes' time as on an H200
    double l2SectorsPerNs = 0; ///< L1-L2 traffic, whole chip
    double lsuTagsPerClock = 0; ///< cache lines a clock an SM
    double l1SectorsPerClock = 0; ///< global data stage a clock an SM
    double sharedWavefrontsPerClock = 0; ///< an SM
    double launchNs = 0; ///< smallest kernel duration
    // 0: not measured.
    double dramReadBytesPerNs = 0, l2WriteSectorsPerNs = 0;
    double dramLatencyNs = 0, l2LatencyNs = 0, l1LatencyNs = 0, sharedLatencyNs = 0; ///< dependent loads
};

/// The built-in rows.
[[nodiscard]] std::span<const DeviceModel> deviceTable();

/// Limits and carve-outs that every GPU of a compute capability has; null where it is not in the table.
[[nodiscard]] const DeviceModel* architectureOf(int computeMajor, int computeMinor);

/// Adds a row, or replaces the one of its name, until the program ends. Not while others look rows up:
/// programs do it once, when they start. The texts are copied.
void addDevice(const DeviceModel& row);

/// The built-in rows, each as its replacement where there is one, then the added ones.
[[nodiscard]] std::vector<const DeviceModel*> knownDevices();

/// Errors: UnknownDevice with the nearest name and all names.
[[nodiscard]] Result<const DeviceModel*> deviceNamed(std::string_view name);

/// The row of a GPU by what the driver says of it; null where there is none.
[[nodiscard]] const DeviceModel* deviceOfDriverName(std::string_view driverName, int sms);

/// Errors: IllegalLaunch with the limit and the value.
[[nodiscard]] Result<void> checkLaunch(const DeviceModel& device, const Launch& launch,
    std::uint32_t staticSharedBytes, std::optional<int> registersPerThread = {});

/// What the kernel itself says of its launch: __launch_bounds__ (.maxntid), .reqntid, and __cluster_dims__ (.reqnctapercluster), of which
/// the grid is a multiple.
///
/// Errors: IllegalLaunch.
[[nodiscard]] Result<void> checkLaunchBounds(const Program& program, Dim3 grid, Dim3 block);

/// All blocks of a cooperative launch must be resident at once.
///
/// Source:  CUDA C++ Programming Guide 13.0, "Cooperative Groups", grid synchronization.
/// Errors: IllegalLaunch, with the number of blocks that fit.
[[nodiscard]] Result<void> checkCooperative(const DeviceModel& device, const Launch& launch, std::uint32_t staticSharedBytes,
    std::optional<int> registersPerThread);

[[nodiscard]] Occupancy occupancyOf(const DeviceModel& device, Dim3 grid, Dim3 block, std::uint32_t sharedBytesPerBlock,
    std::optional<int> registersPerThread);

/// L1 that is left where `blocksPerSm` blocks of this much shared memory each are resident; nothing
/// where the GPU's carve-outs are not known or the blocks do not fit.
///
/// The driver chooses the carve-out so that it does not limit occupancy; its exact rule is documented
/// nowhere. Assumed is the smallest one that holds the blocks. Published Nsight Compute reports agree
/// wherever blocks use more than 16 KiB together; below, drivers often take a larger one, so that this
/// is the most that L1 can be.
///
/// Source:  CUDA C++ Programming Guide 13.1, compute capability 7.x, "Shared Memory".
/// Checked: occupancy_test.cpp, thirteen published reports.
[[nodiscard]] std::optional<std::uint64_t> l1BytesAfterCarveOut(
    const DeviceModel& device, std::uint32_t sharedBytesPerBlock, int blocksPerSm);

} // namespace coalescope::analysis
