// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/waiting_blocks.h"

#include <algorithm>
#include <memory>
#include <span>

namespace coalescope::kernels {
namespace {

constexpr std::uint64_t kMostWhileWaiting = 4'000'000; ///< instructions of a block that may wait: half a second
constexpr std::uint64_t kMostInOrder = 50'000'000, kMostBytes = std::uint64_t(1) << 29; ///< of all blocks; of all buffers

/// Whether it reads what others write meanwhile.
bool mayWait(const analysis::Program& program)
{
    return std::ranges::any_of(program.instructions,
        [](const analysis::Instruction& ins) { return ins.op == analysis::Opcode::Ld && ins.mod.isOrdered && ins.mod.space != analysis::Space::Shared; });
}

/// What tickets are drawn from is as before the launch.
void restoreTickets(const analysis::Buffer& buffer, const std::set<std::uint64_t>& tickets, std::span<std::uint8_t> bytes)
{
    constexpr std::uint64_t kWordBytes = 4;
    for (const std::uint64_t ticket : tickets) {
        if (ticket < buffer.address || ticket + kWordBytes > buffer.address + buffer.bytes)
            continue;
        const std::span<std::uint8_t> word = bytes.subspan(ticket - buffer.address, kWordBytes);
        std::ranges::fill(word, std::uint8_t(0));
        if (buffer.fill)
            buffer.fill(ticket - buffer.address, word);
    }
}

/// False where the blocks do not end in order either, or take too long.
bool takeWhatBlocksLeave(const analysis::Program& program, analysis::Launch& launch, const std::stop_token& stop)
{
    std::uint64_t bytes = 0;
    for (const analysis::Buffer& buffer : launch.buffers)
        bytes += buffer.bytes;
    if (bytes > kMostBytes || launch.grid.count() == 1)
        return false;
    auto output = analysis::gridOutput(program, launch, { .stop = stop, .mostInstructions = kMostInOrder, .noteWriters = false });
    if (!output)
        return false;
    for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
        analysis::Buffer& buffer = launch.buffers[i];
        std::vector<std::uint8_t>& left = output->buffers[i];
        if (left.size() != buffer.bytes)
            continue;
        restoreTickets(buffer, output->tickets, left);
        buffer.fill = [kept = std::make_shared<const std::vector<std::uint8_t>>(std::move(left))](std::uint64_t first, std::span<std::uint8_t> out) {
            std::copy_n(kept->begin() + std::ptrdiff_t(first), out.size(), out.begin());
        };
    }
    return true;
}

} // namespace

Result<analysis::GridTotals> totalsOfBlocks(
    const analysis::Program& program, analysis::Launch& launch, analysis::GridOptions options, bool& areWaiting)
{
    areWaiting = false;
    if (mayWait(program))
        options.mostOfABlock = kMostWhileWaiting;
    auto totals = analysis::gridTotals(program, launch, options);
    if (totals || totals.error().code != ErrorCode::ExecutionFailed)
        return totals;
    areWaiting = takeWhatBlocksLeave(program, launch, options.stop);
    if (!areWaiting && !options.mostOfABlock)
        return totals;
    options.mostOfABlock.reset();
    return analysis::gridTotals(program, launch, options);
}

} // namespace coalescope::kernels
