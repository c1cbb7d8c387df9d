// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"

#include <algorithm>
#include <array>

namespace coalescope::analysis {

namespace {

constexpr int kKiB = 1024;
constexpr double kMiB = 1024.0 * 1024.0;

// Limits of an architecture, by compute capability.
// Warps, threads, registers, shared memory of an SM and of a block, sizes of a grid: CUDA C++
// Programming Guide 13.1, "Compute Capabilities", table "Technical Specifications per Compute
// Capability". L1 and shared memory together, and carve-outs: the same chapter, the sections "Shared
// Memory"; the 256 KB of 9.0: Hopper white paper. Arithmetic of 64 bits, where it is not 2 a clock: "Throughput of Native
// Arithmetic Instructions". Block slots, carve-outs once more, allocation units and
// what the system reserves of shared memory (nothing before 8.0): cuda_occupancy.h of CUDA 13.0;
// tests/analysis/device/occupancy_rules.csv holds its answers.
constexpr int kVoltaCarveOuts[] { 0, 8, 16, 32, 64, 96 };
constexpr int kTuringCarveOuts[] { 32, 64 };
constexpr int kLargeAmpereCarveOuts[] { 0, 8, 16, 32, 64, 100, 132, 164 };
constexpr int kHopperCarveOuts[] { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228 };
constexpr int kSmallCarveOuts[] { 0, 8, 16, 32, 64, 100 }; // 8.6, 8.9, 12.0

// What a stretch of neighbouring bytes costs an H200, and an H100, whose DRAM is 0.7 times as fast: by launches recorded on both.
// Taken over for the other GPUs that have HBM.
constexpr double kHbmRunNs = 0.00403;

constexpr DeviceModel kVolta { .computeMajor = 7,
    .computeMinor = 0,
    .maxWarpsPerSm = 64,
    .maxBlocksPerSm = 32,
    .sharedPerSm = 96 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 96 * kKiB,
    .sharedReserved = 0,
    .sharedUnit = 256,
    .l1AndSharedPerSm = 128 * kKiB,
    .sharedCarveOuts = kVoltaCarveOuts,
    .doublesPerClock = 32,
    .dramRunNs = kHbmRunNs };
constexpr DeviceModel kTuring { .computeMajor = 7,
    .computeMinor = 5,
    .maxWarpsPerSm = 32,
    .maxBlocksPerSm = 16,
    .sharedPerSm = 64 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 64 * kKiB,
    .sharedReserved = 0,
    .sharedUnit = 256,
    .l1AndSharedPerSm = 96 * kKiB,
    .sharedCarveOuts = kTuringCarveOuts };
constexpr DeviceModel kAmpere80 { .computeMajor = 8,
    .computeMinor = 0,
    .maxWarpsPerSm = 64,
    .maxBlocksPerSm = 32,
    .sharedPerSm = 164 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 163 * kKiB,
    .l1AndSharedPerSm = 192 * kKiB,
    .sharedCarveOuts = kLargeAmpereCarveOuts,
    .doublesPerClock = 32,
    .matrixClocks = 8, // A100 white paper: 1024 multiply-adds of halves a clock an SM
    .l2InHalves = true, // A100 white paper: two partitions
    .dramRunNs = kHbmRunNs };
constexpr DeviceModel kAmpere86 { .computeMajor = 8,
    .computeMinor = 6,
    .maxWarpsPerSm = 48,
    .maxBlocksPerSm = 16,
    .sharedPerSm = 100 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 99 * kKiB,
    .l1AndSharedPerSm = 128 * kKiB,
    .sharedCarveOuts = kSmallCarveOuts };
constexpr DeviceModel kAmpere87 { .computeMajor = 8,
    .computeMinor = 7,
    .maxWarpsPerSm = 48,
    .maxBlocksPerSm = 16,
    .sharedPerSm = 164 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 163 * kKiB,
    .l1AndSharedPerSm = 192 * kKiB,
    .sharedCarveOuts = kLargeAmpereCarveOuts };
constexpr DeviceModel kAda { .computeMajor = 8,
    .computeMinor = 9,
    .maxWarpsPerSm = 48,
    .maxBlocksPerSm = 24,
    .sharedPerSm = 100 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 99 * kKiB,
    .l1AndSharedPerSm = 128 * kKiB,
    .sharedCarveOuts = kSmallCarveOuts };
constexpr DeviceModel kHopper { .computeMajor = 9,
    .computeMinor = 0,
    .maxWarpsPerSm = 64,
    .maxBlocksPerSm = 32,
    .sharedPerSm = 228 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 227 * kKiB,
    .l1AndSharedPerSm = 256 * kKiB,
    .sharedCarveOuts = kHopperCarveOuts,
    .doublesPerClock = 64,
    .matrixClocks = 6.04, // of mma.sync, measured on an H200 (driver 580.159.04, 2026-11-23); wgmma is faster
    .l2InHalves = true, // its counters show it: docs/models.md
    .smsPerGpc = 16.5, // 132 in eight: which SMs' requests are joined was measured on an H200 (docs/models.md)
    .dramRunNs = kHbmRunNs };
// The documents disagree. Blocks: 24 in cuda_occupancy.h, 32 in the Blackwell Tuning Guide 13.0. L1 and
// shared memory: the Programming Guide's "100 KB" is the largest carve-out; 128 KB is the RTX Blackwell
// white paper's. The SM's 100 KiB of shared memory is what the driver reports for an RTX 5090.
constexpr DeviceModel kBlackwell120 { .computeMajor = 12,
    .computeMinor = 0,
    .maxWarpsPerSm = 48,
    .maxBlocksPerSm = 24,
    .sharedPerSm = 100 * kKiB,
    .sharedPerBlock = 48 * kKiB,
    .sharedPerBlockOptIn = 99 * kKiB,
    .l1AndSharedPerSm = 128 * kKiB,
    .sharedCarveOuts = kSmallCarveOuts };

constexpr std::array kArchitectures { kVolta, kTuring, kAmpere80, kAmpere86, kAmpere87, kAda, kHopper,
    kBlackwell120 };

/// What distinguishes the products of one architecture, as the driver reports it.
struct Product {
    std::string_view name, fullName;
    std::span<const std::string_view> driverNames;
    int sms = 0;
    double clockGHz = 0; ///< the highest; what is sustained is lower, and not known
    double l2MiB = 0;
    double memoryMHz = 0; ///< two transfers a clock
    int busBits = 0;
    double memoryGiB = 0; ///< as the product is named; the driver keeps some of it
};

// A large copy reaches 4.22 of the H200's 4.8 TB/s; other rows assume the same share of their peak.
constexpr double kCopyShareOfPeak = 0.88;
// The H200 reads 9.43 TB/s from L2, 36.1 bytes a clock an SM; other rows assume the same rate.
constexpr double kL2BytesPerClock = 36.1;
// Duration that the profiler reports for an empty kernel on the H200; taken over for other rows.
constexpr double kEmptyKernelNs = 1600;

constexpr DeviceModel device(DeviceModel model, const Product& product)
{
    model.name = product.name;
    model.fullName = product.fullName;
    model.origin = "data sheet";
    model.driverNames = product.driverNames;
    model.sms = product.sms;
    model.clockGHz = product.clockGHz;
    model.l2Bytes = product.l2MiB * kMiB;
    model.memoryBytes = product.memoryGiB * kGiB;
    model.dramBytesPerNs = 2 * product.memoryMHz * product.busBits / 8 / 1000 * kCopyShareOfPeak;
    model.l2SectorsPerNs = product.sms * product.clockGHz * kL2BytesPerClock / 32;
    // 128 bytes of data a clock: Volta and Ampere white papers. Turing moves 64 bytes: Jia et al., Dissecting the NVIDIA
    // Turing T4 GPU via Microbenchmarking, 2019. Lines: 4-byte loads from 32 lines and 32 banks take the H200 8.5 clocks
    // (driver 580.159.04, 2026-11-22), taken over for other rows.
    const bool turing = model.computeMajor == 7 && model.computeMinor == 5;
    model.lsuTagsPerClock = 32 / 8.5;
    model.l1SectorsPerClock = turing ? 2 : 4;
    model.sharedWavefrontsPerClock = turing ? 0.5 : 1;
    model.launchNs = kEmptyKernelNs;
    return model;
}

/// Rates of a GPU that launches were recorded on. L2: as `coalescope calibrate` measures it; DRAM: cudaMemcpy of 1 GiB, device to
/// device; the empty kernel: as the profiler times it.
struct MeasuredRates {
    double copyGBps = 0, l2ReadGBps = 0, l2WriteGBps = 0, emptyKernelNs = 0;
};

constexpr DeviceModel measured(DeviceModel model, const MeasuredRates& rates)
{
    model.origin = "measured, driver 580.159";
    model.verified = true;
    model.errorsRecorded = true;
    model.dramBytesPerNs = rates.copyGBps;
    model.l2SectorsPerNs = rates.l2ReadGBps / 32;
    model.l2WriteSectorsPerNs = rates.l2WriteGBps / 32;
    model.launchNs = rates.emptyKernelNs;
    return model;
}

constexpr std::string_view kH100Sxm[] { "NVIDIA H100 80GB HBM3" };
constexpr std::string_view kA100With40[] { "NVIDIA A100-SXM4-40GB", "NVIDIA A100-PCIE-40GB",
    "A100-SXM4-40GB", "A100-PCIE-40GB" };
// Not the PCIe card of 80 GB, whose memory is slower: 1935 GB/s (A100 data sheet).
constexpr std::string_view kA100With80[] { "NVIDIA A100-SXM4-80GB", "A100-SXM4-80GB" };
constexpr std::string_view kT4[] { "Tesla T4" };
constexpr std::string_view kV100[] { "Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB" };
constexpr std::string_view kOrin[] { "Orin" };

// Each product's SMs, clock, L2, memory clock and bus width are what its driver reports (published
// outputs of the CUDA sample deviceQuery), compared with the vendor's document named. Memory: the same data sheets; a product
// sold with two sizes has the larger one here.
constexpr std::array kDevices {
    measured(device(kHopper, { .name = "h200", .fullName = "NVIDIA H200", .sms = 132, .clockGHz = 1.98, .l2MiB = 60, .memoryGiB = 141 }),
        { .copyGBps = 4220, .l2ReadGBps = 9432, .l2WriteGBps = 4837, .emptyKernelNs = kEmptyKernelNs }),
    // 2026-11-23. Its data sheet: 3.35 TB/s (HBM3), 2619 MHz and 5120 bits.
    measured(device(kHopper,
                 { .name = "h100-sxm",
                     .fullName = "NVIDIA H100 SXM",
                     .driverNames = kH100Sxm,
                     .sms = 132,
                     .clockGHz = 1.98,
                     .l2MiB = 50,
                     .memoryGiB = 80 }),
        { .copyGBps = 2994, .l2ReadGBps = 8167, .l2WriteGBps = 4144, .emptyKernelNs = 2112 }),
    // H100 data sheet: 2 TB/s (HBM2e). Hopper white paper: 114 SMs, 50 MB of L2.
    device(kHopper,
        { .name = "h100-pcie",
            .fullName = "NVIDIA H100 PCIe",
            .sms = 114,
            .clockGHz = 1.755,
            .l2MiB = 50,
            .memoryMHz = 1593,
            .busBits = 5120,
            .memoryGiB = 80 }),
    // A100 data sheet: 1,555 GB/s. Ampere white paper: 108 SMs, 1410 MHz, 40 MB of L2.
    device(kAmpere80,
        { .name = "a100-40",
            .fullName = "NVIDIA A100 40 GB",
            .driverNames = kA100With40,
            .sms = 108,
            .clockGHz = 1.41,
            .l2MiB = 40,
            .memoryMHz = 1215,
            .busBits = 5120,
            .memoryGiB = 40 }),
    // A100 data sheet: 2,039 GB/s (SXM).
    device(kAmpere80,
        { .name = "a100-80",
            .fullName = "NVIDIA A100 80 GB",
            .driverNames = kA100With80,
            .sms = 108,
            .clockGHz = 1.41,
            .l2MiB = 40,
            .memoryMHz = 1593,
            .busBits = 5120,
            .memoryGiB = 80 }),
    // L40S data sheet: 864 GB/s, 18,176 cores (142 SMs).
    device(kAda,
        { .name = "l40s",
            .fullName = "NVIDIA L40S",
            .sms = 142,
            .clockGHz = 2.52,
            .l2MiB = 96,
            .memoryMHz = 9001,
            .busBits = 384,
            .memoryGiB = 48 }),
    // L4 data sheet: 300 GB/s.
    device(kAda,
        { .name = "l4",
            .fullName = "NVIDIA L4",
            .sms = 58,
            .clockGHz = 2.04,
            .l2MiB = 48,
            .memoryMHz = 6251,
            .busBits = 192,
            .memoryGiB = 24 }),
    // A10 data sheet: 600 GB/s.
    device(kAmpere86,
        { .name = "a10",
            .fullName = "NVIDIA A10",
            .sms = 72,
            .clockGHz = 1.695,
            .l2MiB = 6,
            .memoryMHz = 6251,
            .busBits = 384,
            .memoryGiB = 24 }),
    // T4 data sheet: 320 GB/s, 2,560 cores (40 SMs).
    device(kTuring,
        { .name = "t4",
            .fullName = "NVIDIA T4",
            .driverNames = kT4,
            .sms = 40,
            .clockGHz = 1.59,
            .l2MiB = 4,
            .memoryMHz = 5001,
            .busBits = 256,
            .memoryGiB = 16 }),
    // V100 data sheet: 900 GB/s. Volta white paper: 80 SMs, 1530 MHz, 6144 KB of L2.
    device(kVolta,
        { .name = "v100",
            .fullName = "NVIDIA V100",
            .driverNames = kV100,
            .sms = 80,
            .clockGHz = 1.53,
            .l2MiB = 6,
            .memoryMHz = 877,
            .busBits = 4096,
            .memoryGiB = 32 }),
    // GeForce RTX 3060, 12 GB: 360 GB/s. The driver reports 2,359,296 bytes of L2 where product tables
    // print 3 MB; the driver is followed.
    device(kAmpere86,
        { .name = "rtx3060",
            .fullName = "NVIDIA GeForce RTX 3060",
            .sms = 28,
            .clockGHz = 1.777,
            .l2MiB = 2.25,
            .memoryMHz = 7501,
            .busBits = 192,
            .memoryGiB = 12 }),
    // GA102 white paper: 82 SMs, 1695 MHz, 936 GB/s, 6144 KB of L2.
    device(kAmpere86,
        { .name = "rtx3090",
            .fullName = "NVIDIA GeForce RTX 3090",
            .sms = 82,
            .clockGHz = 1.695,
            .l2MiB = 6,
            .memoryMHz = 9751,
            .busBits = 384,
            .memoryGiB = 24 }),
    // No deviceQuery output of this one was found: 46 SMs, 2475 MHz, 36 MB of L2, 21 Gbit/s on 192 bits
    // and 504 GB/s are NVIDIA's presentation of April 2023 as the press printed it.
    device(kAda,
        { .name = "rtx4070",
            .fullName = "NVIDIA GeForce RTX 4070",
            .sms = 46,
            .clockGHz = 2.475,
            .l2MiB = 36,
            .memoryMHz = 10500,
            .busBits = 192,
            .memoryGiB = 12 }),
    // Ada white paper: 128 SMs, 2520 MHz, 1008 GB/s, 73728 KB of L2.
    device(kAda,
        { .name = "rtx4090",
            .fullName = "NVIDIA GeForce RTX 4090",
            .sms = 128,
            .clockGHz = 2.52,
            .l2MiB = 72,
            .memoryMHz = 10501,
            .busBits = 384,
            .memoryGiB = 24 }),
    // RTX Blackwell white paper: 170 SMs, 2407 MHz, 1792 GB/s.
    device(kBlackwell120,
        { .name = "rtx5090",
            .fullName = "NVIDIA GeForce RTX 5090",
            .sms = 170,
            .clockGHz = 2.407,
            .l2MiB = 96,
            .memoryMHz = 14001,
            .busBits = 512,
            .memoryGiB = 32 }),
    // Jetson AGX Orin 64 GB at its highest power mode: 16 SMs, 1.3 GHz and 4 MiB of L2 as the driver
    // reports; 204.8 GB/s, which the CPU shares, is the data sheet's (LPDDR5, 256 bits: the driver's
    // "memory clock" is none). The driver calls every Orin module "Orin"; 16 SMs tell this one apart.
    device(kAmpere87,
        { .name = "orin",
            .fullName = "NVIDIA Jetson AGX Orin",
            .driverNames = kOrin,
            .sms = 16,
            .clockGHz = 1.3,
            .l2MiB = 4,
            .memoryMHz = 3200,
            .busBits = 256,
            .memoryGiB = 64 }),
};

constexpr bool rowsAreComplete()
{
    return std::ranges::all_of(kDevices, [](const DeviceModel& row) {
        return !row.name.empty() && row.sms > 0 && row.clockGHz > 0 && row.l2Bytes > 0 && row.memoryBytes > 0
            && row.dramBytesPerNs > 0 && row.l1AndSharedPerSm > 0
            && row.sharedCarveOuts.back() * kKiB == row.sharedPerSm
            && std::ranges::count(kDevices, row.name, &DeviceModel::name) == 1;
    });
}
static_assert(rowsAreComplete(), "every GPU has its own name and no number missing");

} // namespace

std::span<const DeviceModel> deviceTable() { return kDevices; }

const DeviceModel* architectureOf(int computeMajor, int computeMinor)
{
    const auto row = std::ranges::find_if(kArchitectures, [&](const DeviceModel& model) {
        return model.computeMajor == computeMajor && model.computeMinor == computeMinor;
    });
    return row == kArchitectures.end() ? nullptr : &*row;
}

} // namespace coalescope::analysis
