// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace coalescope::analysis {

namespace {

constexpr int kThreadsPerWarp = 32;
constexpr int kSubPartitions = 4; // of an SM; each has its own registers (7.0 and newer)
constexpr std::uint32_t kMaxBlockX = 1024, kMaxBlockY = 1024, kMaxBlockZ = 64;

constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

std::uint64_t warpsOf(Dim3 block)
{
    return std::max<std::uint64_t>(1, roundUp(block.count(), kThreadsPerWarp) / kThreadsPerWarp);
}

/// Blocks an SM that its registers allow: whole warps are placed in sub-partitions.
std::uint64_t blocksByRegisters(
    const DeviceModel& device, std::uint64_t warpsPerBlock, int registers)
{
    const std::uint64_t perWarp = roundUp(
        std::uint64_t(std::max(registers, 1)) * kThreadsPerWarp, device.registerAllocationUnit);
    const std::uint64_t warps = device.registersPerSm / kSubPartitions / perWarp * kSubPartitions;
    return warps / warpsPerBlock;
}

/// Shared memory that a block takes: its own, the system's, rounded up.
std::uint64_t sharedTaken(const DeviceModel& device, std::uint64_t bytesPerBlock)
{
    return roundUp(bytesPerBlock + device.sharedReserved, device.sharedUnit);
}

struct Limit {
    std::string_view name;
    std::uint64_t value, most;
    std::string_view where;
};

} // namespace

Occupancy occupancyOf(const DeviceModel& device, Dim3 grid, Dim3 block,
    std::uint32_t sharedBytesPerBlock, std::optional<int> registersPerThread)
{
    const std::uint64_t warpsPerBlock = warpsOf(block);
    struct Bound {
        std::uint64_t blocks;
        const char* limiter;
    };
    const std::array bounds {
        Bound { device.maxWarpsPerSm / warpsPerBlock, "threads" },
        Bound { registersPerThread ? blocksByRegisters(device, warpsPerBlock, *registersPerThread)
                                   : ~std::uint64_t(0),
            "registers" },
        Bound {
            sharedBytesPerBlock ? device.sharedPerSm / sharedTaken(device, sharedBytesPerBlock)
                                : ~std::uint64_t(0),
            "shared memory" },
        Bound { std::uint64_t(device.maxBlocksPerSm), "blocks" },
    };
    Bound lowest = *std::ranges::min_element(bounds, {}, &Bound::blocks);
    const std::uint64_t wanted = roundUp(grid.count(), device.sms) / device.sms;
    if (wanted < lowest.blocks)
        lowest = { wanted, "grid" };
    return { .warpsPerSm = int(lowest.blocks * warpsPerBlock),
        .maxWarpsPerSm = device.maxWarpsPerSm,
        .blocksPerSm = int(lowest.blocks),
        .limiter = lowest.limiter,
        .registersPerThread = registersPerThread };
}

std::optional<std::uint64_t> l1BytesAfterCarveOut(
    const DeviceModel& device, std::uint32_t sharedBytesPerBlock, int blocksPerSm)
{
    const std::uint64_t wanted
        = sharedTaken(device, sharedBytesPerBlock) * std::uint64_t(std::max(blocksPerSm, 0));
    for (const int kiB : device.sharedCarveOuts) {
        if (const std::uint64_t bytes = std::uint64_t(kiB) * 1024; wanted <= bytes)
            return device.l1AndSharedPerSm - bytes;
    }
    return {};
}

Result<void> checkLaunch(const DeviceModel& device, const Launch& launch,
    std::uint32_t staticSharedBytes, std::optional<int> registersPerThread)
{
    for (const auto& [size, where] :
        { std::pair(launch.grid, "grid"), std::pair(launch.block, "block") }) {
        if (!size.x || !size.y || !size.z)
            return fail(ErrorCode::IllegalLaunch,
                fmt::format("a {} of {} x {} x {} is empty", where, size.x, size.y, size.z), where);
    }
    const std::uint64_t threads = std::uint64_t(launch.block.x) * launch.block.y;
    const std::array limits {
        Limit { "the grid's x size", launch.grid.x, device.maxGridX, "grid" },
        Limit { "the grid's y size", launch.grid.y, device.maxGridY, "grid" },
        Limit { "the grid's z size", launch.grid.z, device.maxGridZ, "grid" },
        Limit { "the block's x size", launch.block.x, kMaxBlockX, "block" },
        Limit { "the block's y size", launch.block.y, kMaxBlockY, "block" },
        Limit { "the block's z size", launch.block.z, kMaxBlockZ, "block" },
        Limit { "the number of threads in a block", threads * launch.block.z,
            std::uint64_t(device.maxThreadsPerBlock), "block" },
        Limit { "the static shared memory of a block, in bytes,", staticSharedBytes,
            std::uint64_t(device.sharedPerBlock), "shared" },
        Limit { "the shared memory of a block, in bytes,",
            std::uint64_t(staticSharedBytes) + launch.dynamicSharedBytes,
            std::uint64_t(device.sharedPerBlockOptIn), "shared" },
    };
    for (const Limit& limit : limits) {
        if (limit.value > limit.most)
            return fail(ErrorCode::IllegalLaunch,
                fmt::format(
                    "{} is {}, {} allows {}", limit.name, limit.value, device.fullName, limit.most),
                std::string(limit.where));
    }
    if (registersPerThread
        && blocksByRegisters(device, warpsOf(launch.block), *registersPerThread) == 0)
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("a block of {} threads with {} registers each is more than an SM of {} holds: "
                        "take fewer threads, or let __launch_bounds__ tell the compiler how many",
                launch.block.count(), *registersPerThread, device.fullName),
            "block");
    double buffers = 0;
    for (const Buffer& buffer : launch.buffers)
        buffers += double(buffer.bytes);
    if (device.memoryBytes != 0 && buffers > device.memoryBytes)
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("the buffers take {:.1f} GiB, {} has {:g}: take smaller ones", buffers / kGiB, device.fullName, device.memoryBytes / kGiB),
            "buffers");
    return {};
}

Result<void> checkCooperative(
    const DeviceModel& device, const Launch& launch, std::uint32_t staticSharedBytes, std::optional<int> registersPerThread)
{
    const int perSm = occupancyOf(device, { kNone, 1, 1 }, launch.block, staticSharedBytes + launch.dynamicSharedBytes, registersPerThread).blocksPerSm;
    const std::uint64_t most = std::uint64_t(perSm) * std::uint64_t(device.sms);
    if (launch.grid.count() <= most)
        return {};
    return fail(ErrorCode::IllegalLaunch,
        fmt::format("the kernel's blocks wait for each other, so that all must be resident: {} of this size are on {} ({} on each of {} SMs), "
                    "not {}",
            most, device.fullName, perSm, device.sms, launch.grid.count()),
        "grid");
}

Result<void> checkLaunchBounds(const Program& program, Dim3 grid, Dim3 block)
{
    const auto [across, down, deep] = program.cluster;
    if (grid.x % across != 0 || grid.y % down != 0 || grid.z % deep != 0)
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("a grid of {} x {} x {} blocks is no multiple of the kernel's clusters of {} x {} x {}", grid.x, grid.y, grid.z, across, down, deep),
            "grid");
    if (program.maxThreads != 0 && block.count() > program.maxThreads)
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("a block has {} threads, the kernel's __launch_bounds__ allow {}", block.count(), program.maxThreads),
            "block");
    const auto [x, y, z] = program.requiredBlock;
    if (x != 0 && block != Dim3 { x, y, z })
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("the block is {} x {} x {}, the kernel requires {} x {} x {} (.reqntid)", block.x, block.y, block.z,
                x, y, z),
            "block");
    return {};
}

} // namespace coalescope::analysis
