// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/reads_by_data.h"

#include "kernels/experiment/block_accesses.h"
#include "kernels/experiment/sector_parts.h"
#include "kernels/experiment/spread_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <vector>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kFewestBlocks = 16, kMostBlocks = 1024;
constexpr std::size_t kTellPool = 128; ///< blocks, or more
constexpr std::size_t kTellNone = 512; ///< blocks none of which reads what another one does
constexpr double kDrawnAgain = 0.5; ///< of the draws: then the pool's size is known well enough
constexpr double kFewestAgain = 8; ///< blocks that drew what others had drawn: fewer tell nothing
constexpr std::size_t kPairs = 8; ///< of neighbouring blocks
constexpr double kNeighbours = 3; ///< times what blocks anywhere in the grid share, of what neighbours share: these read what is near
constexpr double kMoreThanHeld = 1.5; ///< lines drawn, over those that the buffer has
/// Of a pool, what is new with the last half of the blocks is what was with the half before to the power of 2; where blocks a fixed way apart
/// read the same (planes of a stencil), it stays as it was. Between the two, and what chance may do.
constexpr double kLikeAPool = 1.5, kChance = 0.02;

/// Lines of a buffer that were asked for.
struct Drawn {
    std::unordered_set<std::uint64_t> lines;
    double draws = 0;
    double newBefore = 1, newLast = 1; ///< share of the draws of the half of the blocks before the last, and of that, that was new
};

/// Blocks that lie evenly in the grid, however many are taken; or so many behind such a one.
analysis::Dim3 blockAt(std::size_t i, const analysis::Dim3& grid, std::uint64_t behind = 0)
{
    constexpr double kGolden = 0.6180339887498949;
    const double place = 0.5 + double(i) * kGolden;
    return grid.at((std::uint64_t((place - std::floor(place)) * double(grid.count())) + behind) % grid.count());
}

void add(std::vector<Drawn>& drawn, const analysis::BlockTrace& trace, std::span<const analysis::Buffer> buffers)
{
    std::uint64_t last = ~std::uint64_t(0);
    for (const SectorPart& part : distinctSectors(trace, isGlobalLoad)) {
        const std::uint64_t line = part.sector / kLineSectors, address = part.sector * analysis::kSectorBytes;
        if (line == std::exchange(last, line))
            continue;
        const auto buffer = std::ranges::find_if(buffers, [&](const analysis::Buffer& b) { return address + analysis::kSectorBytes > b.address && address < b.address + b.bytes; });
        if (buffer == buffers.end())
            continue;
        Drawn& of = drawn[std::size_t(buffer - buffers.begin())];
        of.lines.insert(line);
        of.draws += 1;
    }
}

/// Of each buffer, the share of its lines that a block asks for and the one before it has asked for as well.
std::vector<double> sharedByNeighbours(const Prediction& prediction)
{
    const analysis::Launch& launch = prediction.launch;
    std::vector<double> draws(launch.buffers.size()), shared(launch.buffers.size());
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
        const std::array blocks { blockAt(pair, launch.grid), blockAt(pair, launch.grid, 1) };
        const auto traces = analysis::traceAddresses(*prediction.program, launch, std::span<const analysis::Dim3>(blocks));
        if (!traces)
            return shared;
        std::vector<Drawn> drawn(launch.buffers.size());
        for (const analysis::BlockTrace& trace : *traces)
            add(drawn, trace, launch.buffers);
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            draws[i] += drawn[i].draws / 2;
            shared[i] += drawn[i].draws - double(drawn[i].lines.size());
        }
    }
    for (std::size_t i = 0; i < shared.size(); ++i)
        shared[i] /= std::max(1.0, draws[i]);
    return shared;
}

/// Limits what the grid reads of a buffer by what `blocks` of its `all` blocks have drawn.
void limit(BlockShape::Touched& touched, const Drawn& drawn, double blocks, double all)
{
    const double distinct = double(drawn.lines.size()), draws = drawn.draws / blocks * all;
    const bool isDrawnAgain = (1 - distinct / std::max(1.0, drawn.draws)) * blocks >= kFewestAgain;
    if (isDrawnAgain && drawn.newLast <= std::pow(drawn.newBefore, kLikeAPool) + kChance)
        touched.poolLines = poolOf(distinct, drawn.draws);
    const double lines = touched.poolLines > 0 ? linesDrawn(touched.poolLines, draws)
                                               : distinct + drawn.newLast * std::max(0.0, draws - drawn.draws);
    // Of so large a pool hardly one is drawn twice by the few blocks: it is the whole buffer where the grid draws more than that.
    const double held = touched.heldBytes / analysis::kCacheLineBytes;
    if (!isDrawnAgain && lines > kMoreThanHeld * held)
        touched.poolLines = held;
    touched.heldBytes = std::min(touched.heldBytes, lines * analysis::kCacheLineBytes);
}

} // namespace

double linesDrawn(double lines, double draws)
{
    return lines * -std::expm1(-draws / lines);
}

double poolOf(double distinct, double draws)
{
    constexpr double kLargest = 1e6; ///< times what was drawn
    double low = distinct, high = kLargest * distinct;
    for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        (linesDrawn(middle, draws) < distinct ? low : high) = middle;
    }
    return low;
}

void limitReadsByData(BlockShape& shape, const Prediction& prediction, double instructions)
{
    const analysis::Launch& launch = prediction.launch;
    const auto blocks = double(launch.grid.count());
    const auto most = std::size_t(std::min({ double(kMostBlocks), blocks / 4, affordableBlocks(blocks, instructions) }));
    std::vector<Drawn> drawn(launch.buffers.size());
    std::size_t done = 0;
    for (std::size_t count = kFewestBlocks; count <= most; count *= 2) {
        std::vector<analysis::Dim3> wanted;
        for (std::size_t i = done; i < count; ++i)
            wanted.push_back(blockAt(i, launch.grid));
        const auto traces = analysis::traceAddresses(*prediction.program, launch, std::span<const analysis::Dim3>(wanted));
        if (!traces)
            return;
        std::vector<double> lines, draws;
        for (const Drawn& of : drawn) {
            lines.push_back(double(of.lines.size()));
            draws.push_back(of.draws);
        }
        for (const analysis::BlockTrace& trace : *traces)
            add(drawn, trace, launch.buffers);
        bool isKnown = true;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            Drawn& of = drawn[i];
            of.newBefore = of.newLast;
            of.newLast = of.draws > draws[i] ? (double(of.lines.size()) - lines[i]) / (of.draws - draws[i]) : 0;
            const auto distinct = double(of.lines.size());
            isKnown = isKnown && (distinct <= kDrawnAgain * of.draws || (distinct == of.draws && count >= kTellNone));
        }
        done = count;
        if (isKnown && count >= kTellPool)
            break;
    }
    if (done < 2 * kFewestBlocks)
        return;
    const std::vector<double> near = sharedByNeighbours(prediction);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        BlockShape::Touched& touched = shape.touched[i];
        limit(touched, drawn[i], double(done), blocks);
        const double anywhere = drawn[i].draws / double(done) / std::max(1.0, touched.poolLines); // two blocks share so much
        if (near[i] > kNeighbours * anywhere + 1.0 / double(kPairs))
            touched.poolLines = 0;
    }
}

double drawnBytesReadAgain(const BlockShape::Touched& touched, const analysis::DeviceModel& device, const analysis::Traffic& traffic)
{
    constexpr int kMoments = 16;
    const double pool = touched.poolLines, draws = traffic.wholeBlocks * touched.lines, again = draws - linesDrawn(pool, draws);
    const double others = traffic.readLineBytes - touched.heldBytes + analysis::roomOfStores(device) * traffic.writeLineBytes;
    double gone = 0;
    for (int i = 0; i < kMoments; ++i) {
        // How many draws pass until a line is drawn again: of an exponential distribution that ends with the launch.
        const double share = (i + 0.5) / kMoments * -std::expm1(-draws / pool);
        const double since = -std::log1p(-share) * pool;
        gone += analysis::goneShare(device, linesDrawn(pool, since) * analysis::kCacheLineBytes + others * since / draws) / kMoments;
    }
    return std::max(0.0, again) * gone * touched.pairs / touched.lines * 2 * analysis::kSectorBytes;
}

} // namespace coalescope::kernels
