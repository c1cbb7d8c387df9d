// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// A GPU that runs the calibration's kernels at rates that a test knows. Work is read off the
/// launch's own parameters, not off calibrate_kernels.cpp.
namespace coalescope::kernels::fake {

inline constexpr double kFakeClockGHz = 1.6;
inline constexpr double kFakeLaunchNs = 2000; ///< of every launch, whatever it does
inline constexpr double kFakeCopyBytesPerNs = 4000, kFakeReadBytesPerNs = 4500;
inline constexpr double kFakeL2ReadBytesPerNs = 8000, kFakeL2WriteBytesPerNs = 4400;
inline constexpr double kFakeL1Sectors = 3.5, kFakeL1Tags = 0.75, kFakeRows = 1,
                        kFakeConflicts = 0.96; ///< a clock
inline constexpr double kFakeL1Ns = 20, kFakeL2Ns = 150, kFakeDramNs = 500, kFakeSharedNs = 15;
inline constexpr std::size_t kFakeMemory = 70u
    << 20; ///< for one buffer: less than calibration would like

template <class Value> Value parameter(void** parameters, int index)
{
    return *static_cast<Value*>(parameters[index]);
}

/// Runs a kernel: writes its times where it would, and returns its duration.
inline double runFakeCalibration(std::string_view entry, unsigned blocks, void** parameters)
{
    double ns = 0;
    const auto selfTimed = [&](double blockNs, unsigned count) {
        auto* out = reinterpret_cast<std::uint64_t*>(parameter<std::uint64_t>(parameters, 0));
        for (unsigned block = 0; block < count; ++block) {
            out[block * 2] = std::uint64_t(blockNs * kFakeClockGHz);
            out[block * 2 + 1] = std::uint64_t(blockNs);
        }
        ns = blockNs;
    };
    const auto perClock = [&](double perTurn, double rate, int turns) {
        selfTimed(
            perTurn * parameter<std::uint32_t>(parameters, turns) / rate / kFakeClockGHz, blocks);
    };
    constexpr double kLoads = 8 * 32; // of a turn: 8 a warp, 32 warps
    if (entry == "l1_sectors") {
        perClock(16 * kLoads, kFakeL1Sectors, 2);
    } else if (entry == "l1_tags") {
        perClock(32 * kLoads, kFakeL1Tags, 2);
    } else if (entry == "shared_rows") {
        perClock(1 * kLoads, kFakeRows, 1);
    } else if (entry == "shared_conflicts") {
        perClock(8 * kLoads, kFakeConflicts, 1);
    } else if (entry == "read_past_l1") {
        ns = blocks * 65536.0 / kFakeL2ReadBytesPerNs;
    } else if (entry == "write_16") {
        ns = blocks * 16384.0 / kFakeL2WriteBytesPerNs;
    } else if (entry == "copy_16") {
        ns = blocks * 2 * 16384.0 / kFakeCopyBytesPerNs;
    } else if (entry == "read_16") {
        ns = blocks * 16384.0 / kFakeReadBytesPerNs;
    } else if (entry == "chase_l1" || entry == "chase_l2") {
        const bool dram
            = parameter<std::uint32_t>(parameters, 3) > 0; // others were written in between
        selfTimed(parameter<std::uint32_t>(parameters, 4)
                * (dram                       ? kFakeDramNs
                        : entry == "chase_l1" ? kFakeL1Ns
                                              : kFakeL2Ns),
            1);
    } else if (entry == "chase_shared") {
        selfTimed(parameter<std::uint32_t>(parameters, 1) * kFakeSharedNs, 1);
    }
    return ns + kFakeLaunchNs;
}

} // namespace coalescope::kernels::fake
