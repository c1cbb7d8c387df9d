// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/footprint.h"

#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace coalescope::kernels {

namespace {

constexpr double kNearlyTheSame = 0.25; ///< of a block's sectors are fresh, or fewer
constexpr double kRounding = 0.05; ///< sectors at the borders of blocks: no re-reading

/// Leaves each line once, in order, with the sectors of all its parts.
void joinLines(std::vector<LinePart>& lines)
{
    if (!std::ranges::is_sorted(lines, {}, &LinePart::line))
        std::ranges::sort(lines, {}, &LinePart::line);
    std::size_t count = 0;
    for (const LinePart& part : lines) {
        if (count > 0 && lines[count - 1].line == part.line)
            lines[count - 1].sectors |= part.sectors;
        else
            lines[count++] = part;
    }
    lines.resize(count);
}

std::vector<std::uint64_t> sectorsIn(std::span<const LinePart> lines)
{
    std::vector<std::uint64_t> sectors;
    for (const LinePart& part : lines)
        for (std::uint64_t s = 0; s < kLineSectors; ++s)
            if (part.sectors >> s & 1)
                sectors.push_back(part.line * kLineSectors + s);
    return sectors;
}

std::int64_t sectorsIn(std::int64_t bytes)
{
    return bytes >> 5; // rounds down, also below 0
}
static_assert(analysis::kSectorBytes == 1 << 5);

/// How many of sorted sectors, moved by `shift`, are among them.
std::size_t common(std::span<const std::uint64_t> sorted, std::int64_t shift)
{
    if (sorted.empty() || std::uint64_t(std::abs(shift)) > sorted.back() - sorted.front())
        return 0;
    std::size_t count = 0;
    auto at = sorted.begin();
    for (const std::uint64_t sector : sorted) {
        const std::uint64_t moved = sector + std::uint64_t(shift);
        while (at != sorted.end() && *at < moved)
            ++at;
        count += at != sorted.end() && *at == moved;
    }
    return count;
}

/// The same for a shift in bytes; of one that is no multiple of a sector as many as there are on average: from
/// block to block the sectors' borders are passed now and then.
double commonOnAverage(std::span<const std::uint64_t> sorted, std::int64_t bytes)
{
    const std::int64_t whole = sectorsIn(bytes);
    const double rest
        = double(bytes - whole * analysis::kSectorBytes) / double(analysis::kSectorBytes);
    const auto same = double(common(sorted, whole));
    return rest == 0 ? same : std::lerp(same, double(common(sorted, whole + 1)), rest);
}

} // namespace

Footprint::Footprint(const BlockAccesses& block, const BlockMoves& moves)
    : m_axes(moves.axes().begin(), moves.axes().end())
    , m_parts(moves.groups())
{
    std::vector<std::vector<LinePart>> lines(moves.groups());
    for (const auto& warp : block.warps()) {
        for (const BlockAccesses::Access& load : warp) {
            if (load.isStore())
                continue;
            auto& all = lines[moves.groupOf()[load.instruction]];
            const auto own = block.parts(load);
            // A loop often wants what its last turn wanted: that much needs no sorting.
            if (!std::ranges::equal(std::span(all).last(std::min(all.size(), own.size())), own))
                all.insert(all.end(), own.begin(), own.end());
        }
    }
    for (std::size_t group = 0; group < m_parts.size(); ++group) {
        Part& part = m_parts[group];
        joinLines(lines[group]);
        part.sectors = sectorsIn(std::span<const LinePart>(lines[group]));
        for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
            const double same = commonOnAverage(part.sectors, moves.move(group, axis));
            part.fresh.push_back(1 - same / double(part.sectors.size()));
            m_readsTheSame = m_readsTheSame || part.fresh.back() <= kNearlyTheSame;
        }
    }
}

/// How many times one block's sectors a window of blocks reads: along each of the first `axes` axes
/// the window has as many rows as it touches on average; rows are fresh or they lie over each
/// other.
double Footprint::growth(const Part& part, std::size_t axes, double blocks) const
{
    if (axes == 0)
        return 1;
    const GridAxis& axis = m_axes[axes - 1];
    const double rows = std::min(axis.blocks, 1 + std::max(0.0, blocks - 1) / axis.stride);
    const double over = growth(part, axes - 1, std::min(blocks, axis.stride));
    const double apart = rows * growth(part, axes - 1, blocks / rows);
    return std::lerp(over, apart, part.fresh[axes - 1]);
}

double Footprint::sectors(double blocks) const
{
    double sum = 0;
    for (std::size_t group = 0; group < m_parts.size(); ++group)
        sum += sectors(group, blocks);
    return sum;
}

double Footprint::sectors(std::size_t group, double blocks) const
{
    const Part& part = m_parts[group];
    return part.sectors.empty() ? 0 : double(part.sectors.size()) * growth(part, m_axes.size(), blocks);
}

std::span<const std::uint64_t> Footprint::inBuffer(std::size_t group, const analysis::Buffer& buffer) const
{
    const std::vector<std::uint64_t>& sectors = m_parts[group].sectors;
    const auto first = std::ranges::lower_bound(sectors, buffer.address / analysis::kSectorBytes);
    const auto end
        = std::ranges::lower_bound(sectors, (buffer.address + buffer.bytes + analysis::kSectorBytes - 1) / analysis::kSectorBytes);
    return { first, end };
}

double Footprint::sectorsOf(std::size_t group, const analysis::Buffer& buffer, double blocks) const
{
    return double(inBuffer(group, buffer).size()) * growth(m_parts[group], m_axes.size(), blocks);
}

std::optional<std::uint64_t> Footprint::firstOf(std::size_t group, const analysis::Buffer& buffer) const
{
    const auto sectors = inBuffer(group, buffer);
    return sectors.empty() ? std::nullopt : std::optional(sectors.front() * analysis::kSectorBytes);
}

double bytesReadAgain(const Footprint& footprint, const analysis::DeviceModel& device,
    const analysis::Traffic& traffic, double running)
{
    // DRAM moves pairs of sectors, and the L2 keeps whole lines: as many bytes a sector as in all.
    const double all = footprint.sectors(traffic.blocks);
    const double bytes = traffic.readBytes / all, lineBytes = traffic.readLineBytes / all;
    double window = std::min(running, traffic.blocks), read = footprint.sectors(window);
    double perBlock = read / window, again = 0;
    const double first = perBlock;
    while (window < traffic.blocks) {
        // What a window twice as long reads less per block was read in the first half of it.
        const double next = std::min(2 * window, traffic.blocks);
        const double nextRead = footprint.sectors(next);
        const double nextPerBlock = std::min(perBlock, (nextRead - read) / (next - window));
        const double since = read * lineBytes + traffic.writeLineBytes * window / traffic.blocks;
        if (perBlock - nextPerBlock > kRounding * first)
            again += (perBlock - nextPerBlock) * analysis::goneShare(device, since);
        window = next;
        read = nextRead;
        perBlock = nextPerBlock;
    }
    return again * traffic.blocks * bytes;
}

namespace {

/// In which order, counted in blocks, the block starts that reads `bytes` behind what the grid's first block reads.
double blockThatReads(std::int64_t bytes, const BlockMoves& moves, std::size_t group)
{
    std::vector<std::size_t> axes(moves.axes().size());
    std::iota(axes.begin(), axes.end(), std::size_t(0));
    std::ranges::sort(axes, std::greater {}, [&](std::size_t axis) { return std::abs(moves.move(group, axis)); });
    double block = 0;
    for (const std::size_t axis : axes) {
        const std::int64_t move = moves.move(group, axis);
        if (move == 0)
            continue;
        const auto last = std::int64_t(moves.axes()[axis].blocks) - 1;
        const std::int64_t steps = std::clamp<std::int64_t>(bytes / move, 0, last);
        bytes -= steps * move;
        block += double(steps) * moves.axes()[axis].stride;
    }
    return block;
}

} // namespace

double bytesReadByOtherLoads(const Footprint& footprint, const BlockMoves& moves, const analysis::DeviceModel& device,
    const analysis::Traffic& traffic, std::span<const analysis::Buffer> buffers)
{
    constexpr int kSamples = 61; // a prime: no multiple of a row
    const double moved = footprint.sectors(traffic.blocks) * analysis::kSectorBytes + traffic.writeLineBytes;
    const std::vector<std::int64_t> toFirst = moves.shifts(0);
    // Share of what the blocks read with one group's loads, since others read it with the other's.
    const auto goneBetween = [&](std::size_t one, std::size_t other, const analysis::Buffer& buffer) {
        double gone = 0;
        for (int i = 0; i < kSamples; ++i) {
            const double block = std::floor(traffic.blocks * (i + 0.5) / kSamples);
            const std::int64_t address
                = std::int64_t(*footprint.firstOf(one, buffer)) + moves.shifts(std::uint64_t(block))[one];
            const double reader = blockThatReads(
                address - std::int64_t(*footprint.firstOf(other, buffer)) - toFirst[other], moves, other);
            gone += analysis::goneShare(device, std::abs(reader - block) / traffic.blocks * moved) / kSamples;
        }
        return gone;
    };
    double again = 0;
    for (const analysis::Buffer& buffer : buffers) {
        const double whole = double(buffer.bytes) / analysis::kSectorBytes;
        std::optional<std::size_t> first;
        double read = 0;
        for (std::size_t group = 0; group < moves.groups(); ++group) {
            if (!footprint.firstOf(group, buffer))
                continue;
            const double sectors = std::min(whole, footprint.sectorsOf(group, buffer, traffic.blocks));
            read += sectors;
            if (first) {
                const double twice = std::min(read - whole, sectors);
                if (twice > kRounding * whole)
                    again += twice * goneBetween(group, *first, buffer);
            } else {
                first = group;
            }
        }
    }
    return again * analysis::kSectorBytes;
}

} // namespace coalescope::kernels
