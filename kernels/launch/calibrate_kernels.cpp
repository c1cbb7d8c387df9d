// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/calibrate_kernels.h"

#include "kernels/resource.h"

#include <algorithm>
#include <array>
#include <bit>

namespace coalescope::kernels {

namespace {

constexpr std::string_view kSource = "kernels/launch/calibrate.cu";
constexpr std::uint32_t kThreads = 1024, kCopyThreads = 256;
constexpr double kWarps = kThreads / 32, kLoadsATurn = 8;
constexpr std::uint64_t kLineBytes = 128, kCopyBytesABlock = 16 * 1024, kReadBytesABlock = 64 * 1024;
constexpr std::uint64_t kL1Bytes = 16 << 10;

struct RateRow {
    Rate rate;
    std::string_view entry;
    double perLoad; ///< what one warp's load adds, of kernels that time themselves
};
constexpr std::array kRows {
    RateRow { Rate::L1Sectors, "l1_sectors", 16 },
    RateRow { Rate::L1Tags, "l1_tags", 32 },
    RateRow { Rate::SharedRows, "shared_rows", 1 },
    RateRow { Rate::SharedConflicts, "shared_conflicts", 8 },
    RateRow { Rate::L2Read, "read_past_l1", 0 },
    RateRow { Rate::L2Write, "write_16", 0 },
    RateRow { Rate::DramCopy, "copy_16", 0 },
    RateRow { Rate::DramRead, "read_16", 0 },
    RateRow { Rate::L1Latency, "chase_l1", 0 },
    RateRow { Rate::L2Latency, "chase_l2", 0 },
    RateRow { Rate::DramLatency, "chase_l2", 0 },
    RateRow { Rate::SharedLatency, "chase_shared", 0 },
    RateRow { Rate::Empty, "empty", 0 },
};
static_assert(kRows.size() == kRates);

constexpr bool rowsMatchTheEnum()
{
    for (std::size_t row = 0; row < kRows.size(); ++row) {
        if (kRows[row].rate != Rate(row))
            return false;
    }
    return true;
}
static_assert(rowsMatchTheEnum(), "kRows lists the rates in the enum's order");

const RateRow& rowOf(Rate rate) { return kRows[std::size_t(rate)]; }

// Read are two thirds of the L2, written an eighth, by small blocks that come and go: what written data stays where it is little.
// Blocks of 1,024 threads that stay on their SM read 8.1 to 8.7 and write 3.5 to 4.4 TB/s of an H200's 9.4 and 4.8, from run to run.
std::uint64_t l2ReadPieces(const GpuProperties& gpu)
{
    return std::max<std::uint64_t>(1, gpu.l2Bytes * 2 / 3 / kReadBytesABlock);
}
std::uint64_t l2WritePieces(const GpuProperties& gpu)
{
    return std::max<std::uint64_t>(1, gpu.l2Bytes / 8 / kCopyBytesABlock);
}

/// Lines of a chain, and of what is written to drive it out of the L2.
struct Chain {
    std::uint32_t lines = 0, others = 0;
};

Chain chainOf(Rate rate, const GpuProperties& gpu)
{
    if (rate == Rate::L1Latency)
        return { .lines = 64 };
    if (rate == Rate::L2Latency)
        return { .lines = std::uint32_t(std::bit_floor(
                     std::min<std::uint64_t>(gpu.l2Bytes / 4, 1 << 20) / kLineBytes)) };
    const std::uint64_t l2Lines = gpu.l2Bytes / kLineBytes;
    return { .lines = std::uint32_t(std::bit_floor(std::max<std::uint64_t>(l2Lines / 4, 1024))),
        .others = std::uint32_t(4 * l2Lines) };
}

/// No line is met twice on the way through DRAM: the second time it would be in the L2.
std::uint64_t stepsOf(Rate rate, const GpuProperties& gpu, std::uint64_t amount)
{
    return rate == Rate::DramLatency ? std::min<std::uint64_t>(amount, chainOf(rate, gpu).lines)
                                     : amount;
}

Argument buffer(const char* name, ElementType type, std::uint64_t bytes)
{
    return BufferPlan { name, type, bytes / std::uint64_t(bytesOf(type)), {} };
}

Argument number(const char* name, std::uint64_t value)
{
    return ScalarPlan { name, ElementType::U32, value };
}

} // namespace

std::string_view entryOf(Rate rate) { return rowOf(rate).entry; }

LaunchPlan calibrationPlan(Rate rate, const GpuProperties& gpu, std::uint64_t amount)
{
    LaunchPlan plan;
    plan.entry = rowOf(rate).entry;
    plan.kernel = "calibrate:" + plan.entry;
    plan.sourceName = "calibrate.cu";
    plan.source = resourcesUnder(kSource).front().content;
    plan.grid = { std::uint32_t(gpu.sms), 1, 1 };
    plan.block = { kThreads, 1, 1 };
    // Two clocks a block, and a place that is never written.
    const Argument out = buffer("out", ElementType::U64, (std::uint64_t(gpu.sms) * 2 + 1) * 8 + 16);
    switch (rate) {
    case Rate::L1Sectors:
    case Rate::L1Tags:
        plan.arguments
            = { out, buffer("data", ElementType::U32, kL1Bytes), number("turns", amount) };
        break;
    case Rate::SharedRows:
    case Rate::SharedConflicts:
        plan.arguments = { out, number("turns", amount) };
        break;
    case Rate::L2Read:
        plan.arguments = { out, buffer("data", ElementType::U32, l2ReadPieces(gpu) * kReadBytesABlock),
            number("pieces", l2ReadPieces(gpu)) };
        plan.grid = { std::uint32_t(l2ReadPieces(gpu) * amount), 1, 1 };
        plan.block = { kCopyThreads, 1, 1 };
        break;
    case Rate::L2Write:
        plan.arguments = { buffer("data", ElementType::U32, l2WritePieces(gpu) * kCopyBytesABlock),
            number("pieces", l2WritePieces(gpu)) };
        plan.grid = { std::uint32_t(l2WritePieces(gpu) * amount), 1, 1 };
        plan.block = { kCopyThreads, 1, 1 };
        break;
    case Rate::DramCopy:
    case Rate::DramRead: {
        const bool copy = rate == Rate::DramCopy;
        const std::uint64_t bytes = amount / kCopyBytesABlock * kCopyBytesABlock;
        plan.arguments = { copy ? buffer("to", ElementType::U32, bytes) : out,
            buffer("from", ElementType::U32, bytes) };
        plan.grid = { std::uint32_t(bytes / kCopyBytesABlock), 1, 1 };
        plan.block = { kCopyThreads, 1, 1 };
        break;
    }
    case Rate::L1Latency:
    case Rate::L2Latency:
    case Rate::DramLatency: {
        const Chain chain = chainOf(rate, gpu);
        plan.arguments = { out,
            buffer(
                "data", ElementType::U64, (chain.lines + std::uint64_t(chain.others)) * kLineBytes),
            number("lines", chain.lines), number("others", chain.others),
            number("steps", stepsOf(rate, gpu, amount)) };
        plan.grid = { 1, 1, 1 };
        break;
    }
    case Rate::SharedLatency:
        plan.arguments = { out, number("steps", amount) };
        plan.grid = { 1, 1, 1 };
        break;
    case Rate::Empty:
        plan.grid = { 1, 1, 1 };
        plan.block = { 32, 1, 1 };
        break;
    }
    return plan;
}

double workOf(Rate rate, const GpuProperties& gpu, std::uint64_t amount)
{
    const double times = double(amount);
    switch (rate) {
    case Rate::L1Sectors:
    case Rate::L1Tags:
    case Rate::SharedRows:
    case Rate::SharedConflicts:
        return rowOf(rate).perLoad * kLoadsATurn * kWarps * gpu.sms * times;
    case Rate::L2Read:
        return double(l2ReadPieces(gpu) * kReadBytesABlock) * times;
    case Rate::L2Write:
        return double(l2WritePieces(gpu) * kCopyBytesABlock) * times;
    case Rate::DramCopy:
        return 2 * double(amount / kCopyBytesABlock * kCopyBytesABlock);
    case Rate::DramRead:
        return double(amount / kCopyBytesABlock * kCopyBytesABlock);
    default:
        return double(stepsOf(rate, gpu, amount));
    }
}

} // namespace coalescope::kernels
