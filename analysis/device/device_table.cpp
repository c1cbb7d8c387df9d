// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace coalescope::analysis {

namespace {

constexpr int kKiB = 1024;
constexpr double kMiB = 1024.0 * 1024.0;

// Limits of an architecture. Source: CUDA C++ Programming Guide, technical specifications per
// compute capability, and the CUDA occupancy rules for allocation units.
constexpr DeviceModel kVolta { .computeMajor = 7,
    .computeMinor = 0,
    .maxWarpsPerSm = 64,
    .maxBlocksPerSm = 32,
    .sharedPerSm = 96 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 96 * kKiB,
    .sharedReserved = 0,
    .sharedUnit = 256 };
constexpr DeviceModel kTuring { .computeMajor = 7,
    .computeMinor = 5,
    .maxWarpsPerSm = 32,
    .maxBlocksPerSm = 16,
    .sharedPerSm = 64 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 64 * kKiB,
    .sharedReserved = 0,
    .sharedUnit = 256 };
constexpr DeviceModel kAmpere80 { .computeMajor = 8,
    .computeMinor = 0,
    .maxWarpsPerSm = 64,
    .maxBlocksPerSm = 32,
    .sharedPerSm = 164 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 163 * kKiB };
constexpr DeviceModel kAmpere86 { .computeMajor = 8,
    .computeMinor = 6,
    .maxWarpsPerSm = 48,
    .maxBlocksPerSm = 16,
    .sharedPerSm = 100 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 99 * kKiB };
constexpr DeviceModel kAmpere87 { .computeMajor = 8,
    .computeMinor = 7,
    .maxWarpsPerSm = 48,
    .maxBlocksPerSm = 16,
    .sharedPerSm = 164 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 163 * kKiB };
constexpr DeviceModel kAda { .computeMajor = 8,
    .computeMinor = 9,
    .maxWarpsPerSm = 48,
    .maxBlocksPerSm = 24,
    .sharedPerSm = 100 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 99 * kKiB };
constexpr DeviceModel kHopper { .computeMajor = 9,
    .computeMinor = 0,
    .maxWarpsPerSm = 64,
    .maxBlocksPerSm = 32,
    .sharedPerSm = 228 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 227 * kKiB };
// Blocks: as the Programming Guide has it; the Blackwell tuning guide says 32.
constexpr DeviceModel kBlackwell120 { .computeMajor = 12,
    .computeMinor = 0,
    .maxWarpsPerSm = 48,
    .maxBlocksPerSm = 24,
    .sharedPerSm = 100 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 99 * kKiB };

/// What distinguishes the products of one architecture.
struct Product {
    std::string_view name, fullName;
    int sms = 0;
    double clockGHz = 0; ///< boost
    double l2MiB = 0;
    double dramGBps = 0; ///< peak
};

// A large copy reaches 4.22 of the H200's 4.8 TB/s; other rows assume the same share of their peak.
constexpr double kCopyShareOfPeak = 0.88;
// The H200 reads 8.05 TB/s from L2, 30.8 bytes a clock an SM; other rows assume the same rate.
constexpr double kL2BytesPerClock = 30.8;
// Duration that the profiler reports for an empty kernel on the H200; taken over for other rows.
constexpr double kEmptyKernelNs = 1600;

constexpr DeviceModel device(DeviceModel model, const Product& product)
{
    model.name = product.name;
    model.fullName = product.fullName;
    model.sms = product.sms;
    model.clockGHz = product.clockGHz;
    model.l2Bytes = product.l2MiB * kMiB;
    model.dramBytesPerNs = product.dramGBps * kCopyShareOfPeak;
    model.l2SectorsPerNs = product.sms * product.clockGHz * kL2BytesPerClock / 32;
    // One cache line's tag, and 128 bytes of data, a clock: Volta and Ampere white papers. Turing
    // moves 64 bytes: Jia et al., Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking, 2019.
    const bool turing = model.computeMajor == 7 && model.computeMinor == 5;
    model.lsuTagsPerClock = 1;
    model.l1SectorsPerClock = turing ? 2 : 4;
    model.sharedWavefrontsPerClock = turing ? 0.5 : 1;
    model.launchNs = kEmptyKernelNs;
    return model;
}

/// The H200's own rates, measured on one (driver 580.159, CUDA 13.0).
constexpr DeviceModel measuredH200()
{
    DeviceModel model = device(kHopper,
        { .name = "h200", .fullName = "NVIDIA H200", .sms = 132, .clockGHz = 1.98, .l2MiB = 60 });
    model.verified = true;
    model.dramBytesPerNs = 4220; // cudaMemcpy of 1 GiB, device to device
    model.l2SectorsPerNs = 8050.0 / 32; // 16-byte loads past L1 from 40 MiB
    return model;
}

constexpr std::array kDevices {
    measuredH200(),
    // H100 data sheet (SXM: HBM3 3.35 TB/s; PCIe: HBM2e 2 TB/s) and Hopper white paper.
    device(kHopper,
        { .name = "h100-sxm",
            .fullName = "NVIDIA H100 SXM",
            .sms = 132,
            .clockGHz = 1.98,
            .l2MiB = 50,
            .dramGBps = 3352 }),
    device(kHopper,
        { .name = "h100-pcie",
            .fullName = "NVIDIA H100 PCIe",
            .sms = 114,
            .clockGHz = 1.755,
            .l2MiB = 50,
            .dramGBps = 2039 }),
    // A100 data sheet and Ampere white paper.
    device(kAmpere80,
        { .name = "a100-40",
            .fullName = "NVIDIA A100 40 GB",
            .sms = 108,
            .clockGHz = 1.41,
            .l2MiB = 40,
            .dramGBps = 1555 }),
    device(kAmpere80,
        { .name = "a100-80",
            .fullName = "NVIDIA A100 80 GB",
            .sms = 108,
            .clockGHz = 1.41,
            .l2MiB = 40,
            .dramGBps = 2039 }),
    // L40S and L4 data sheets, Ada white paper.
    device(kAda,
        { .name = "l40s",
            .fullName = "NVIDIA L40S",
            .sms = 142,
            .clockGHz = 2.52,
            .l2MiB = 96,
            .dramGBps = 864 }),
    device(kAda,
        { .name = "l4",
            .fullName = "NVIDIA L4",
            .sms = 58,
            .clockGHz = 2.04,
            .l2MiB = 48,
            .dramGBps = 300 }),
    // A10 data sheet, GA102 white paper.
    device(kAmpere86,
        { .name = "a10",
            .fullName = "NVIDIA A10",
            .sms = 72,
            .clockGHz = 1.695,
            .l2MiB = 6,
            .dramGBps = 600 }),
    // T4 data sheet, Turing white paper.
    device(kTuring,
        { .name = "t4",
            .fullName = "NVIDIA T4",
            .sms = 40,
            .clockGHz = 1.59,
            .l2MiB = 4,
            .dramGBps = 320 }),
    // V100 SXM2 data sheet, Volta white paper.
    device(kVolta,
        { .name = "v100",
            .fullName = "NVIDIA V100",
            .sms = 80,
            .clockGHz = 1.53,
            .l2MiB = 6,
            .dramGBps = 900 }),
    // GeForce product pages, GA102 white paper.
    device(kAmpere86,
        { .name = "rtx3060",
            .fullName = "NVIDIA GeForce RTX 3060",
            .sms = 28,
            .clockGHz = 1.777,
            .l2MiB = 3,
            .dramGBps = 360 }),
    device(kAmpere86,
        { .name = "rtx3090",
            .fullName = "NVIDIA GeForce RTX 3090",
            .sms = 82,
            .clockGHz = 1.695,
            .l2MiB = 6,
            .dramGBps = 936 }),
    // GeForce product pages, Ada white paper.
    device(kAda,
        { .name = "rtx4070",
            .fullName = "NVIDIA GeForce RTX 4070",
            .sms = 46,
            .clockGHz = 2.475,
            .l2MiB = 36,
            .dramGBps = 504 }),
    device(kAda,
        { .name = "rtx4090",
            .fullName = "NVIDIA GeForce RTX 4090",
            .sms = 128,
            .clockGHz = 2.52,
            .l2MiB = 72,
            .dramGBps = 1008 }),
    // GeForce product page, RTX Blackwell white paper.
    device(kBlackwell120,
        { .name = "rtx5090",
            .fullName = "NVIDIA GeForce RTX 5090",
            .sms = 170,
            .clockGHz = 2.407,
            .l2MiB = 96,
            .dramGBps = 1792 }),
    // Jetson AGX Orin 64 GB data sheet.
    device(kAmpere87,
        { .name = "orin",
            .fullName = "NVIDIA Jetson AGX Orin",
            .sms = 16,
            .clockGHz = 1.3,
            .l2MiB = 4,
            .dramGBps = 204.8 }),
};

constexpr bool rowsAreComplete()
{
    return std::ranges::all_of(kDevices, [](const DeviceModel& row) {
        return !row.name.empty() && row.sms > 0 && row.clockGHz > 0 && row.l2Bytes > 0
            && row.dramBytesPerNs > 0
            && std::ranges::count(kDevices, row.name, &DeviceModel::name) == 1;
    });
}
static_assert(rowsAreComplete(), "every GPU has its own name and no number missing");

/// Letters to insert, remove or replace to turn one name into the other.
std::size_t editDistance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i - 1] != to[j - 1]);
            diagonal = row[j];
            row[j] = std::min({ replaced, row[j] + 1, row[j - 1] + 1 });
        }
    }
    return row.back();
}

} // namespace

std::span<const DeviceModel> deviceTable() { return kDevices; }

Result<const DeviceModel*> deviceNamed(std::string_view name)
{
    const auto row = std::ranges::find(kDevices, name, &DeviceModel::name);
    if (row != kDevices.end())
        return &*row;
    const auto nearest = std::ranges::min_element(kDevices, {},
        [&](const DeviceModel& model) { return editDistance(name.substr(0, 64), model.name); });
    std::string names;
    for (const DeviceModel& model : kDevices)
        names += (names.empty() ? "" : ", ") + std::string(model.name);
    return fail(ErrorCode::UnknownDevice,
        fmt::format("no GPU is called \"{}\", the nearest is \"{}\"; known are {}", name,
            nearest->name, names));
}

} // namespace coalescope::analysis
