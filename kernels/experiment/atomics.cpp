// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/atomics.h"

#include "analysis/access/atomic_model.h"
#include "kernels/experiment/block_moves.h"
#include "kernels/experiment/spread_blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <vector>

namespace coalescope::kernels {

namespace {

using analysis::Buffer;
using analysis::TraceStep;
using analysis::WarpAccess;

// A slice of the L2 has every other 256 of 1,024 neighbouring bytes. Measured on an H100 (driver 580.159.04, 2026-11-26): atomics to 0.25,
// 0.5, 1, 2 and 4 KiB, and to two words 32 to 65,536 words apart.
constexpr std::uint64_t kNeighbourBytes = 256, kPieceBytes = 512; ///< the latter of one slice's

/// Which of the pieces an address is in.
std::uint64_t pieceOf(std::uint64_t address) { return address / (2 * kPieceBytes) * 2 + address / kNeighbourBytes % 2; }
/// How many they are where so many neighbours lie one after another.
double piecesIn(double neighbours) { return std::max({ 1.0, std::min(neighbours, 2.0), neighbours * double(kNeighbourBytes) / double(kPieceBytes) }); }

constexpr int kSampled = 16; ///< blocks, and those behind them, that stand for the grid where data lead

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

/// What some blocks' atomics on one buffer ask of the L2.
struct BufferAtomics {
    double passes = 0;
    std::map<std::uint64_t, double> pieces; ///< passes of each
    std::map<std::uint64_t, double> floats; ///< by word: lanes that add floating-point values to it
};

/// Adds one access, as if it were made that many times.
void add(BufferAtomics& atomics, const WarpAccess& access, bool floats, double times)
{
    const std::map<std::uint64_t, int> ofWords = lanesOfWords(access);
    const double passes = times * analysis::atomicSectors(access);
    const double ofALane = passes / std::popcount(access.active);
    atomics.passes += passes;
    for (const auto& [address, lanes] : ofWords) {
        atomics.pieces[pieceOf(address)] += ofALane * lanes;
        if (floats)
            atomics.floats[address] += times * lanes;
    }
}

/// Some blocks that stand for the grid.
struct Sample {
    std::vector<const analysis::BlockTrace*> blocks;
    std::map<std::uint32_t, double> executions; ///< by instruction: how often they execute each atomic on global memory

    void add(const analysis::BlockTrace& block)
    {
        blocks.push_back(&block);
        for (const auto& warp : block.warps)
            for (const TraceStep& step : warp)
                if (isGlobalAtomic(step) && step.access.active != 0)
                    executions[step.access.instruction] += 1;
    }
};

/// What the grid's atomics ask, if all blocks are as these.
BufferAtomics atomicsOf(const Sample& sample, const Buffer& buffer, const analysis::Program& program, const analysis::GridTotals& totals)
{
    BufferAtomics atomics;
    for (const analysis::BlockTrace* block : sample.blocks) {
        for (const auto& warp : block->warps) {
            for (const TraceStep& step : warp) {
                if (!isGlobalAtomic(step) || step.access.active == 0)
                    continue;
                const std::uint64_t first = step.access.address[std::size_t(std::countr_zero(step.access.active))];
                if (first < buffer.address || first >= buffer.address + buffer.bytes)
                    continue;
                const std::uint32_t instruction = step.access.instruction;
                const double times = double(totals.instructions[instruction].executions) / sample.executions.at(instruction);
                add(atomics, step.access, isFloat(program.instructions[instruction].type), times);
            }
        }
    }
    return atomics;
}

/// The share that the busiest piece, or word, of some blocks has in others, as where many lanes add to a few words: by chance some
/// of these always has more than its part. 0 where they share none.
double shareOfBusiest(const std::map<std::uint64_t, double>& some, const std::map<std::uint64_t, double>& others)
{
    if (some.empty() || others.empty())
        return 0;
    const auto busiest = std::ranges::max_element(some, {}, [](const auto& piece) { return piece.second; });
    const auto again = others.find(busiest->first);
    const double all = std::accumulate(others.begin(), others.end(), 0.0, [](double sum, const auto& piece) { return sum + piece.second; });
    return again == others.end() ? 0 : again->second / all;
}

/// How many pieces all blocks touch, from how many of some blocks' others touch as well: as animals are counted
/// by those that are caught twice. All of the buffer's where there are none.
double piecesOfAll(const std::map<std::uint64_t, double>& some, const std::map<std::uint64_t, double>& others, double inBuffer)
{
    const auto both = std::ranges::count_if(some, [&](const auto& piece) { return others.contains(piece.first); });
    return both == 0 ? inBuffer : std::min(inBuffer, double(some.size()) * double(others.size()) / double(both));
}

/// Neighbouring bytes of one slice that the first accesses of a block's warps touch.
std::set<std::uint64_t> firstTouched(const analysis::BlockTrace& block, const Buffer& buffer)
{
    std::set<std::uint64_t> touched;
    for (const auto& warp : block.warps) {
        std::set<std::uint32_t> made;
        for (const TraceStep& step : warp)
            if (isGlobalAtomic(step) && made.insert(step.access.instruction).second)
                for (analysis::LaneMask active = step.access.active; active; active &= active - 1)
                    if (const std::uint64_t at = step.access.address[std::size_t(std::countr_zero(active))]; at >= buffer.address && at < buffer.address + buffer.bytes)
                        touched.insert(at / kNeighbourBytes);
    }
    return touched;
}

/// How many pieces resident blocks touch at a time: as many as one block, and for each other one what the block behind it adds.
/// `pairs`: blocks, each with the one behind it.
double piecesAtATime(std::span<const analysis::BlockTrace> pairs, const Buffer& buffer, double residentBlocks)
{
    double ofOne = 0, added = 0;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
        std::set<std::uint64_t> touched = firstTouched(pairs[i], buffer);
        ofOne += double(touched.size());
        const std::size_t before = touched.size();
        touched.merge(firstTouched(pairs[i + 1], buffer));
        added += double(touched.size() - before);
    }
    const double all = std::max(1.0, double(pairs.size() / 2));
    return piecesIn(ofOne / all + added / all * std::max(0.0, residentBlocks - 1));
}

/// How many slices work at a time where so many pieces are asked for, each as often. Where blocks move on to others together, the slice
/// that has most of these is waited for. Measured on an H100 and an H200 (driver 580.159.04, 2026-11-26), pieces and slices: 2 and 2, 8 and
/// 8, 32 and 25, 64 and 26 to 31, 128 and 45, 512 and 46 or 60, 1,056 and 49; of moving blocks 33 and 29, 66 and 38, 132 and 27, 205 and
/// 30, 264 and 28.
double slicesOf(double pieces, bool areMoving)
{
    constexpr double kSlices = 80, kOfMoving = 36;
    return areMoving ? std::min(pieces, kOfMoving) : kSlices * pieces / (pieces + kSlices);
}

/// Blocks of the grid, each with the one behind it.
std::vector<analysis::Dim3> withNext(std::span<const analysis::Dim3> blocks, const analysis::Dim3& grid)
{
    std::vector<analysis::Dim3> pairs;
    for (const analysis::Dim3& block : blocks) {
        const std::uint64_t at = block.x + std::uint64_t(grid.x) * (block.y + std::uint64_t(grid.y) * block.z);
        pairs.push_back(block);
        pairs.push_back(grid.at((at + 1) % grid.count()));
    }
    return pairs;
}

bool areEveryBlocks(const BlockMoves& moves)
{
    return std::ranges::all_of(std::views::iota(std::size_t(0), moves.groups()),
        [&](std::size_t group) { return moves.isEveryBlocks(group); });
}

/// Whether an atomic on shared memory is a loop of a load and a compare and swap.
///
/// Source:  what ptxas 13.0 makes for sm_90 of additions of floats and of 8 bytes.
bool locks(const analysis::Instruction& instruction)
{
    return instruction.mod.atom == analysis::AtomOp::Add && (isFloat(instruction.type) || bytesOf(instruction.type) == 8);
}

} // namespace

void addAtomics(analysis::Traffic& traffic, const analysis::DeviceModel& device, const Prediction& prediction, const analysis::GridTotals& totals,
    const analysis::BlockTrace& trace)
{
    const analysis::Program& program = *prediction.program;
    if (traffic.atomicSectors == 0)
        return;
    const analysis::Dim3 grid = prediction.launch.grid;
    const auto moves = BlockMoves::of(totals, grid, trace, isGlobalAtomic);
    const bool same = moves && areEveryBlocks(*moves);
    // Where blocks move in no regular way, each is another: two halves of some that lie evenly in the grid.
    std::vector<analysis::BlockTrace> sampled;
    if (!same) {
        const auto some = moves ? std::vector { trace.block } : spreadBlocks(grid, kSampled);
        if (auto traces = analysis::traceAddresses(program, prediction.launch, withNext(some, grid)))
            sampled = *std::move(traces);
    }
    Sample all, halves[2];
    for (std::size_t i = 0; i < sampled.size() && !moves; ++i) {
        all.add(sampled[i]);
        halves[i / 2 % 2].add(sampled[i]);
    }
    if (all.executions.empty()) {
        all = {};
        all.add(trace);
    }
    const double resident = std::min(traffic.blocks, double(device.sms) * std::max(1, prediction.result.occupancy->blocksPerSm));
    for (const Buffer& buffer : prediction.launch.buffers) {
        const auto ofThe = [&](const Sample& some) { return atomicsOf(some, buffer, program, totals); };
        const BufferAtomics atomics = ofThe(all);
        if (atomics.passes == 0)
            continue;
        const BufferAtomics one = ofThe(halves[0]), other = ofThe(halves[1]);
        const auto busiest = [&](std::map<std::uint64_t, double> BufferAtomics::*of) {
            return (shareOfBusiest(one.*of, other.*of) + shareOfBusiest(other.*of, one.*of)) / 2;
        };
        const double inBuffer = piecesIn(double(buffer.bytes) / double(kNeighbourBytes));
        const double ofBlocks = double(atomics.pieces.size());
        const double pieces = same ? ofBlocks
            : moves                ? std::min(inBuffer, ofBlocks * traffic.blocks)
                                   : piecesOfAll(one.pieces, other.pieces, inBuffer);
        traffic.atomicPasses += atomics.passes;
        const double atATime = same ? pieces : std::min(pieces, piecesAtATime(sampled, buffer, resident));
        const double slices = slicesOf(atATime, atATime < pieces / 2);
        traffic.atomicPassesOfASlice = std::max({ traffic.atomicPassesOfASlice, atomics.passes / slices, atomics.passes * busiest(&BufferAtomics::pieces) });
        double floats = 0, most = 0;
        for (const double lanes : atomics.floats | std::views::values) {
            floats += lanes;
            most = std::max(most, lanes);
        }
        const double ofAWord = moves ? most * std::min(1.0, ofBlocks / pieces) : floats * busiest(&BufferAtomics::floats);
        traffic.atomicFloatsOfAWord = std::max(traffic.atomicFloatsOfAWord, ofAWord);
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
