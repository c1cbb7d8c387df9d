// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/atomics.h"

#include "analysis/access/sector_model.h"
#include "kernels/experiment/block_moves.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>

namespace coalescope::kernels {

namespace {

using analysis::Buffer;
using analysis::TraceStep;
using analysis::WarpAccess;

constexpr std::uint64_t kPieceBytes = 512; ///< neighbours that lie in one slice of the L2: atomics to 1, 2 and 4 KiB take half
                                           ///< as long each time

// Of a block's lanes as many meet in some piece by chance, and up to twice the average where they spread evenly.
constexpr double kOftenLanes = 8, kOftenOfAverage = 2;

// Additions of floats and of 8 bytes in shared memory lock the word, a lane at a time. Measured on an H200 (driver 580.159.04,
// 2026-11-23): one warp whose 1 to 32 lanes add to one word, and 32 warps that add to the same words; clocks for each lane.
struct LockClocks {
    double ofAWarp, ofAWord;
};
constexpr LockClocks kFloatLock { 95, 43 }, kWideLock { 111, 65 };

bool isAtomicIn(analysis::Space space, const TraceStep& step)
{
    return step.kind == analysis::TraceKind::Access && step.access.space == space && isAtomic(step.access);
}
bool isGlobalAtomic(const TraceStep& step) { return isAtomicIn(analysis::Space::Global, step); }

std::map<std::uint64_t, int> lanesOfWords(const WarpAccess& access)
{
    std::map<std::uint64_t, int> lanes;
    for (analysis::LaneMask active = access.active; active; active &= active - 1)
        ++lanes[access.address[std::size_t(std::countr_zero(active))]];
    return lanes;
}

/// What the atomics of one block do to one buffer.
struct BufferAtomics {
    double passes = 0;
    std::map<std::uint64_t, double> floats; ///< by word: lanes that add floating-point values to it
};

/// Sectors of one access, each once for every lane on its busiest word; one where all lanes add integers to the same word.
double passesOf(const WarpAccess& access, const std::map<std::uint64_t, int>& lanesOfWords, bool floats)
{
    if (lanesOfWords.size() == 1 && !floats)
        return 1;
    std::map<std::uint64_t, int> busiest;
    for (const auto& [address, lanes] : lanesOfWords)
        for (std::uint64_t at = address / analysis::kSectorBytes;
             at <= (address + access.widthBytes - 1) / analysis::kSectorBytes; ++at)
            busiest[at] = std::max(busiest[at], lanes);
    double passes = 0;
    for (const int lanes : busiest | std::views::values)
        passes += lanes;
    return passes;
}

void add(BufferAtomics& atomics, const WarpAccess& access, bool floats, double times)
{
    const std::map<std::uint64_t, int> ofWords = lanesOfWords(access);
    atomics.passes += times * passesOf(access, ofWords, floats);
    for (const auto& [address, lanes] : ofWords) {
        if (floats)
            atomics.floats[address] += times * lanes;
    }
}

/// The pieces of a buffer that a block's atomics touch, and how often: lanes, of a warp whose lanes all touch one word one.
std::map<std::uint64_t, int> piecesOf(const analysis::BlockTrace& trace, const Buffer& buffer)
{
    std::map<std::uint64_t, int> pieces;
    for (const auto& warp : trace.warps) {
        for (const TraceStep& step : warp) {
            if (!isGlobalAtomic(step))
                continue;
            const std::map<std::uint64_t, int> words = lanesOfWords(step.access);
            for (const auto& [at, lanes] : words)
                if (at >= buffer.address && at < buffer.address + buffer.bytes)
                    pieces[at / kPieceBytes] += words.size() == 1 ? 1 : lanes;
        }
    }
    return pieces;
}

/// The share of the busiest piece that two blocks touch often, as where many lanes add to a few words; 0: there is none.
double shareOfBusiest(const std::map<std::uint64_t, int>& one, const std::map<std::uint64_t, int>& other)
{
    const auto sum = [](const std::map<std::uint64_t, int>& pieces) {
        return std::accumulate(pieces.begin(), pieces.end(), 0.0, [](double all, const auto& piece) { return all + piece.second; });
    };
    if (one.empty() || other.empty())
        return 0;
    const double ofOne = sum(one), ofOther = sum(other);
    const double often = std::max({ kOftenLanes, kOftenOfAverage * ofOne / double(one.size()), kOftenOfAverage * ofOther / double(other.size()) });
    double most = 0;
    for (const auto& [piece, lanes] : one)
        if (const auto again = other.find(piece); again != other.end() && std::min(lanes, again->second) >= often)
            most = std::max(most, (lanes / ofOne + again->second / ofOther) / 2);
    return most;
}

/// How many pieces all blocks touch, from how many of one block's another one touches as well: as animals are counted
/// by those that are caught twice. All of the buffer's where there are none.
double piecesOfAll(const std::map<std::uint64_t, int>& one, const std::map<std::uint64_t, int>& other, double inBuffer)
{
    const auto both = std::ranges::count_if(one, [&](const auto& piece) { return other.contains(piece.first); });
    return both == 0 ? inBuffer : std::min(inBuffer, double(one.size()) * double(other.size()) / double(both));
}

bool areEveryBlocks(const BlockMoves& moves)
{
    return std::ranges::all_of(std::views::iota(std::size_t(0), moves.groups()),
        [&](std::size_t group) { return moves.isEveryBlocks(group); });
}

} // namespace

bool locks(const analysis::Instruction& instruction)
{
    return instruction.mod.atom == analysis::AtomOp::Add && (isFloat(instruction.type) || bytesOf(instruction.type) == 8);
}

void addAtomics(analysis::Traffic& traffic, const Prediction& prediction, const analysis::GridTotals& totals,
    const analysis::BlockTrace& trace)
{
    std::map<std::uint32_t, double> traced; ///< executions of the block, by instruction
    for (const auto& warp : trace.warps)
        for (const TraceStep& step : warp)
            if (isGlobalAtomic(step) && step.access.active != 0)
                traced[step.access.instruction] += 1;
    if (traced.empty())
        return;
    const auto moves = BlockMoves::of(totals, prediction.launch.grid, trace, isGlobalAtomic);
    const bool same = moves && areEveryBlocks(*moves);
    std::optional<analysis::BlockTrace> other; // where blocks move in no regular way
    if (!moves) {
        const analysis::Dim3 grid = prediction.launch.grid;
        if (auto another = analysis::traceAddresses(
                *prediction.program, prediction.launch, analysis::Dim3 { grid.x / 4, grid.y / 4, grid.z / 4 }))
            other = *std::move(another);
    }
    for (const Buffer& buffer : prediction.launch.buffers) {
        BufferAtomics atomics;
        for (const auto& warp : trace.warps) {
            for (const TraceStep& step : warp) {
                if (!isGlobalAtomic(step) || step.access.active == 0)
                    continue;
                const std::uint64_t first = step.access.address[std::size_t(std::countr_zero(step.access.active))];
                if (first < buffer.address || first >= buffer.address + buffer.bytes)
                    continue;
                const std::uint32_t instruction = step.access.instruction;
                const double times = double(totals.instructions[instruction].executions) / traced[instruction];
                add(atomics, step.access, isFloat(prediction.program->instructions[instruction].type), times);
            }
        }
        if (atomics.passes == 0)
            continue;
        const double inBuffer = std::max(1.0, double(buffer.bytes) / double(kPieceBytes));
        const std::map<std::uint64_t, int> touched = piecesOf(trace, buffer);
        const std::map<std::uint64_t, int> touchedToo = other ? piecesOf(*other, buffer) : std::map<std::uint64_t, int> {};
        const double ofBlock = double(touched.size());
        const double pieces = same ? ofBlock
            : moves                ? std::min(inBuffer, ofBlock * traffic.blocks)
            : other                ? piecesOfAll(touched, touchedToo, inBuffer)
                                   : inBuffer;
        traffic.atomicPasses += atomics.passes;
        traffic.atomicPassesOfAPiece = std::max({ traffic.atomicPassesOfAPiece, atomics.passes / pieces, atomics.passes * shareOfBusiest(touched, touchedToo) });
        double most = 0;
        for (const double lanes : atomics.floats | std::views::values)
            most = std::max(most, lanes);
        traffic.atomicFloatsOfAWord = std::max(traffic.atomicFloatsOfAWord, most * std::min(1.0, ofBlock / pieces));
    }
}

void addSharedAtomics(analysis::Traffic& traffic, const analysis::Program& program, const analysis::BlockTrace& trace)
{
    std::map<std::uint64_t, double> clocksOfWords;
    for (const auto& warp : trace.warps) {
        double clocks = 0;
        for (const TraceStep& step : warp) {
            if (!isAtomicIn(analysis::Space::Shared, step) || step.access.active == 0)
                continue;
            const analysis::Instruction& instruction = program.instructions[step.access.instruction];
            if (!locks(instruction))
                continue;
            const LockClocks& lock = bytesOf(instruction.type) == 8 ? kWideLock : kFloatLock;
            const std::map<std::uint64_t, int> ofWords = lanesOfWords(step.access);
            clocks += lock.ofAWarp * std::ranges::max(ofWords | std::views::values);
            for (const auto& [address, lanes] : ofWords)
                clocksOfWords[address] += lock.ofAWord * lanes;
        }
        traffic.sharedLockClocks = std::max(traffic.sharedLockClocks, clocks);
    }
    for (const double clocks : clocksOfWords | std::views::values)
        traffic.sharedLockClocks = std::max(traffic.sharedLockClocks, clocks);
}

} // namespace coalescope::kernels
