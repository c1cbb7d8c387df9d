// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/traffic.h"

#include "analysis/access/bank_model.h"
#include "analysis/access/sector_model.h"
#include "kernels/experiment/atomics.h"
#include "kernels/experiment/block_shape.h"
#include "kernels/experiment/constant_loads.h"
#include "kernels/experiment/local_words.h"
#include "kernels/experiment/machine_path.h"
#include "kernels/experiment/missing_work.h"
#include "kernels/experiment/program_work.h"
#include "kernels/experiment/open_sectors.h"
#include "kernels/experiment/put_back.h"
#include "kernels/experiment/reads_by_data.h"
#include "kernels/experiment/repeated_reads.h"
#include "kernels/experiment/scattered_stores.h"
#include "kernels/experiment/sector_parts.h"
#include "kernels/experiment/spread_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace coalescope::kernels {

namespace {

void addTotals(analysis::Traffic& traffic, const analysis::Program& program,
    const analysis::GridTotals& totals)
{
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const analysis::InstructionTotals& counts = totals.instructions[i];
        const analysis::Opcode op = program.instructions[i].op;
        const bool store = op == analysis::Opcode::St
            || (op == analysis::Opcode::BulkCopy && program.instructions[i].mod.space == analysis::Space::Global);
        if (op == analysis::Opcode::Atom || op == analysis::Opcode::Red) {
            traffic.atomicSectors += double(counts.sectors);
            traffic.atomicRequests += double(counts.requests);
        } else {
            (store ? traffic.storeRequests : traffic.loadRequests) += double(counts.requests);
            (store ? traffic.storeSectors : traffic.loadSectors) += double(counts.copyAsked > 0 ? counts.copyAsked : counts.sectors);
            (store ? traffic.storeTags : traffic.loadTags) += double(counts.tags);
        }
        traffic.gridWaits += program.instructions[i].endsWait && totals.blocks > 1 ? double(counts.executions) / double(totals.blocks) : 0;
        traffic.multiplyAdds += op == analysis::Opcode::Fma ? double(counts.executions) : 0;
        traffic.sharedInstructions += double(counts.sharedExecutions);
        traffic.sharedWavefronts += double(counts.wavefronts);
    }
    traffic.warpInstructions = double(totals.warpInstructions);
    traffic.program = programWork(program, totals.instructions);
    traffic.issuedByBlock = totals.issuedByBlock;
    traffic.programInstructions = double(program.instructions.size());
}

/// Lines of an SM's L1; 0 where its size is not known. The carve-out is for as many blocks as fit, however few the grid
/// has: on an H200 132 blocks of 1,024 threads and 98 KiB leave L1 28 KiB, not 156.
std::size_t l1LinesOfAnSm(const analysis::DeviceModel& device, const Prediction& prediction)
{
    constexpr analysis::Dim3 kEndless { 1u << 30 };
    const auto shared = std::uint32_t(prediction.program->staticSharedBytes + prediction.launch.dynamicSharedBytes);
    const analysis::Occupancy fits = analysis::occupancyOf(
        device, kEndless, prediction.launch.block, shared, prediction.result.occupancy->registersPerThread);
    return std::size_t(l1BytesAfterCarveOut(device, shared, fits.blocksPerSm).value_or(0)) / analysis::kCacheLineBytes;
}

/// Bytes that all blocks together would read of some buffers beyond what each of these holds, if each block read others: of pieces of
/// `bytes`, counted in one block.
double readBeyondBuffers(const BlockShape& shape, double blocks, double BlockShape::Touched::*pieces, int bytes)
{
    double beyond = 0;
    for (const BlockShape::Touched& touched : shape.touched)
        beyond += std::max(0.0, blocks * touched.*pieces * bytes - touched.heldBytes - bytes);
    return beyond;
}

/// Scales what one block touches to the grid; blocks that touch the same touch no more than the
/// buffers hold.
void addShape(analysis::Traffic& traffic, const BlockShape& shape)
{
    constexpr int kPair = 2 * analysis::kSectorBytes, kLine = analysis::kCacheLineBytes;
    const auto grid = [&](double count, int bytes, double most) {
        return std::min(traffic.wholeBlocks * count * bytes, most);
    };
    const auto read = [&](double count, double BlockShape::Touched::*pieces, int bytes) {
        const double all = traffic.wholeBlocks * count * bytes;
        return std::clamp(all - readBeyondBuffers(shape, traffic.wholeBlocks, pieces, bytes), 0.0, shape.loadBufferBytes);
    };
    traffic.l1ReadShare = shape.loadSectors > 0 ? shape.distinctSectors / shape.loadSectors : 1;
    traffic.readBytes = read(shape.loadPairs, &BlockShape::Touched::pairs, kPair);
    traffic.readLineBytes = read(shape.loadLines, &BlockShape::Touched::lines, kLine);
    traffic.writeBytes = grid(shape.storeSectors, analysis::kSectorBytes, shape.storeBufferBytes);
    traffic.writeLineBytes = grid(shape.storeLines, kLine, shape.storeBufferBytes);
    traffic.bothLineBytes = grid(shape.bothLines, kLine, std::min(traffic.readLineBytes, traffic.writeLineBytes));
    traffic.readRuns = shape.loadRuns;
    traffic.writeRuns = shape.storeRuns;
    traffic.storedSectors = shape.storeSectors;
    traffic.storedLines = shape.storeLines;
    traffic.loadedLines = shape.loadLines;
    traffic.partStoredSectors = shape.partStoreSectors;
    traffic.loadRounds = shape.loadRounds;
    traffic.copyRounds = shape.copies.rounds;
    traffic.copiesAhead = shape.copies.ahead;
    traffic.storesAfterCopies = shape.copies.storesLast;
    traffic.sharedRounds = shape.sharedRounds;
    traffic.barriers = shape.barriers;
}

/// Share of the global loads that warps make before they store; 1 where there are none.
double loadsAhead(const analysis::BlockTrace& trace)
{
    double ahead = 0, loads = 0;
    for (const auto& warp : trace.warps) {
        const auto store = std::ranges::find_if(warp, isGlobalStore);
        ahead += double(std::count_if(warp.begin(), store, isGlobalLoad));
        loads += double(std::ranges::count_if(warp, isGlobalLoad));
    }
    return loads > 0 ? ahead / loads : 1;
}

/// Wavefronts of a global load, on average: L1 has the banks that shared memory has, and hits are served like its loads.
/// An H200 (driver 580.159.04, 2026-11-22) takes as many clocks for loads of 4, 8 and 16 bytes at 59 strides and 40
/// random patterns, unless it takes longer for their lines. 0 where there are none.
double wavefrontsOfALoad(const analysis::BlockTrace& trace)
{
    constexpr std::size_t kMost = 512; ///< loads that stand for all
    const std::size_t mostOfAWarp = std::max<std::size_t>(1, kMost / std::max<std::size_t>(1, trace.warps.size()));
    double wavefronts = 0, loads = 0;
    for (const auto& warp : trace.warps) {
        std::size_t ofWarp = 0;
        for (const analysis::TraceStep& step : warp) {
            if (!isGlobalLoad(step) || step.access.op != analysis::MemoryOp::Load)
                continue;
            analysis::WarpAccess access = step.access;
            access.space = analysis::Space::Shared;
            if (const auto report = analysis::bankReport(access)) {
                wavefronts += report->wavefronts;
                loads += 1;
            }
            if (++ofWarp == mostOfAWarp)
                break;
        }
    }
    return loads > 0 ? wavefronts / loads : 0;
}

/// Mean width of the global stores; 0 where there are none.
double storeLaneBytes(const analysis::BlockTrace& trace)
{
    double bytes = 0, stores = 0;
    for (const auto& warp : trace.warps) {
        for (const analysis::TraceStep& step : warp) {
            if (isGlobalStore(step)) {
                bytes += step.access.widthBytes;
                stores += 1;
            }
        }
    }
    return stores > 0 ? bytes / stores : 0;
}

/// Share of a block's loads whose data no other block has read before, as far as the sizes of the buffers tell: all blocks
/// together may read more of an index than it holds.
double freshLoads(const BlockShape& shape, double blocks)
{
    double all = 0, fresh = 0;
    for (const BlockShape::Touched& touched : shape.touched) {
        const double times = timesRead(touched, blocks);
        all += touched.loads;
        fresh += touched.loads / (times >= kOftenRead ? times : 1);
    }
    return all > 0 ? fresh / all : 1;
}

/// Accesses of global memory by a block's warps.
double globalAccesses(const analysis::BlockTrace& trace)
{
    double accesses = 0;
    for (const auto& warp : trace.warps)
        accesses += double(std::ranges::count_if(
            warp, [](const analysis::TraceStep& step) { return isGlobalLoad(step) || isGlobalStore(step); }));
    return accesses;
}

/// Whether the stores of the next block lie behind this one's, so that their stretches of neighbouring sectors become one.
bool storesContinue(const analysis::BlockTrace& trace, const BlockMoves& moves)
{
    if (moves.axes().empty() || moves.axes()[0].stride != 1)
        return false;
    SectorParts own, both;
    for (const auto& warp : trace.warps) {
        for (const analysis::TraceStep& step : warp) {
            if (!isGlobalStore(step))
                continue;
            appendParts(own, step.access);
            appendParts(both, step.access, moves.move(moves.groupOf()[step.access.instruction], 0));
        }
    }
    both.insert(both.end(), own.begin(), own.end());
    keepDistinct(own);
    keepDistinct(both);
    return !own.empty() && countRuns(both) < 2 * countRuns(own);
}

/// Whether a path accesses about as many words of arrays in local memory as PTX does in the warp that makes most accesses, by the
/// path's length: loops around them may have been unrolled.
bool fitsLocalMemory(const MachinePath& path, const analysis::BlockTrace& trace)
{
    constexpr double kFew = 0.1; ///< of its instructions
    double ofPtx = 0, ofPath = 0;
    for (const analysis::TraceStep& step : *std::ranges::max_element(trace.warps, {}, &std::vector<analysis::TraceStep>::size))
        ofPtx += isLocal(step) ? double(analysis::localWordsOf(step.access)) : 0;
    for (const LocalStep& step : path.local)
        ofPath += step.words;
    return ofPtx == 0 || ofPath == 0 || std::abs(ofPath - ofPtx) < kFew * (path.work.loadInstructions + path.work.storeInstructions);
}

/// How many divisions of 64-bit integers a launch's warps make together. Compilers branch around those that fit 32 bits.
double longDivisions(const analysis::Program& program, const analysis::GridTotals& totals)
{
    double sum = 0;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const analysis::Instruction& one = program.instructions[i];
        if ((one.op == analysis::Opcode::Div || one.op == analysis::Opcode::Rem) && !analysis::isFloat(one.type) && analysis::bytesOf(one.type) == 8)
            sum += double(totals.instructions[i].executions);
    }
    return sum;
}

/// By how much each loop counts, at the instruction that jumps back: the most that one of its instructions adds to a register.
std::map<std::uint32_t, std::int64_t> loopSteps(const analysis::Program& program)
{
    std::map<std::uint32_t, std::int64_t> steps;
    for (std::uint32_t last = 0; last < program.instructions.size(); ++last) {
        const std::uint32_t first = program.instructions[last].target;
        if (program.instructions[last].op != analysis::Opcode::Bra || first > last)
            continue;
        std::int64_t& step = steps[last];
        for (const analysis::Instruction& one : std::span(program.instructions).subspan(first, last - first)) {
            const bool isInPlace = one.op == analysis::Opcode::Add && !analysis::isFloat(one.type) && one.dst[0].kind == analysis::OperandKind::Register
                && one.src[0].kind == analysis::OperandKind::Register && one.src[0].index == one.dst[0].index && one.src[1].kind == analysis::OperandKind::Immediate;
            if (isInPlace)
                step = std::max<std::int64_t>(step, std::abs(std::int64_t(std::int32_t(one.src[1].bits))));
        }
    }
    return steps;
}

/// The path of the warp that makes most accesses; instructions as an average warp of the block, between those of the ones that make
/// most and fewest: some may have nothing to do.
std::optional<MachinePath> machinePathOfAWarp(const Prediction& prediction, int computeMajor, const analysis::BlockTrace& trace, double wideDivisions)
{
    const auto steps = loopSteps(*prediction.program);
    const auto& warps = trace.warps;
    const auto [fewest, most] = std::ranges::minmax_element(warps, {}, &std::vector<analysis::TraceStep>::size);
    if (most == warps.end())
        return std::nullopt;
    const auto pathOf = [&](auto warp) { return machinePath(prediction.machineCode, computeMajor, *warp, { trace.turns[std::size_t(warp - warps.begin())], steps }, wideDivisions); };
    auto path = pathOf(most);
    if (!path || fewest->size() == most->size())
        return path;
    const auto least = pathOf(fewest);
    if (!least)
        return path;
    double mean = 0;
    for (const auto& warp : warps)
        mean += double(warp.size()) / double(warps.size());
    const double share = (mean - double(fewest->size())) / double(most->size() - fewest->size());
    using Work = analysis::MachineWork;
    for (const auto issued : { &Work::loadInstructions, &Work::storeInstructions, &Work::integers, &Work::products, &Work::doubles,
             &Work::specials, &Work::issueClocks, &Work::matrices })
        path->work.*issued = std::lerp(least->work.*issued, path->work.*issued, share);
    return path;
}

/// Whether one block tells how often all turn in loops that make no accesses: not where they turn until their data is good enough. A
/// trace has what others passed over, or has it not.
bool allTurnAlike(const analysis::BlockTrace& trace, const analysis::Traffic& traffic, const analysis::GridTotals& totals)
{
    constexpr double kAlike = 1.25;
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> fewestAndMost; // of a loop
    for (const auto& ofWarp : trace.turns) {
        for (const analysis::LoopTurns& loop : ofWarp) {
            auto& [fewest, most] = fewestAndMost.try_emplace(loop.instruction, loop.count, loop.count).first->second;
            fewest = std::min(fewest, loop.count);
            most = std::max(most, loop.count);
        }
    }
    double passedOver = 0;
    for (const std::uint32_t instruction : totals.passedOver)
        passedOver += double(totals.instructions[instruction].executions);
    const auto blocks = [&](double issued) { return issued / double(trace.warpInstructions); }; // so many such blocks issue as much
    return fewestAndMost.empty()
        || (blocks(traffic.warpInstructions - passedOver) < kAlike * traffic.wholeBlocks && traffic.wholeBlocks < kAlike * blocks(traffic.warpInstructions)
            && std::ranges::all_of(fewestAndMost, [](const auto& loop) { return loop.second.second <= kAlike * loop.second.first; }));
}

/// Whether a path has so few instructions that it cannot have turned in all of the PTX's loops, as where a loop's slow case has
/// loops of its own: of 160 kernels in tests/device/sweeps the machine code has 0.35 times the PTX's and more.
bool lacksLoops(const MachinePath& path, std::size_t warps, const analysis::Traffic& traffic)
{
    constexpr double kFewest = 0.3;
    const double instructions = path.work.loadInstructions + path.work.storeInstructions;
    return instructions * double(warps) * traffic.wholeBlocks < kFewest * traffic.warpInstructions;
}

/// Where blocks fill sectors together in no order, and the L2 may not keep them until they are full.
void addScattered(analysis::Traffic& traffic, const analysis::DeviceModel& device, const Prediction& prediction)
{
    constexpr double kParts = 0.5, kFilled = 1.3, kLarge = 0.3;
    const double sectors = traffic.writeBytes / analysis::kSectorBytes, stores = sectors > 0 ? traffic.storeSectors / sectors : 0;
    if (traffic.partStoredSectors < kParts * traffic.storedSectors || stores < kFilled || traffic.writeBytes < kLarge * device.l2Bytes)
        return;
    const Meetings meetings = meetingsOfStores(prediction, sectors, stores, traffic.warpInstructions / traffic.blocks);
    traffic.filledFarApart = meetings == Meetings::Fewer;
    if (meetings != Meetings::Chance)
        return;
    traffic.scatteredSectors = sectors;
    traffic.scatteredStores = stores;
}

/// A block that stands for all, with its shape.
struct Example {
    analysis::BlockTrace trace;
    BlockShape shape;
    bool isOfFew = false; ///< it stands for the few blocks that do nearly everything
    bool isUnlikeOthers = false; ///< it loads much less or more than the average block
};

/// How many addresses of constants the average block asks for, in times of the example's: which ones its lanes want follows from what they load.
double constantsOfOthers(const Prediction& prediction, const analysis::BlockTrace& example)
{
    constexpr int kTried = 16;
    const auto addresses = [](const analysis::BlockTrace& trace) {
        return std::accumulate(trace.constants.begin(), trace.constants.end(), 0.0, [](double sum, const analysis::ConstantLoads& ofWarp) { return sum + double(ofWarp.addresses); });
    };
    const double own = addresses(example);
    double others = 0;
    int traced = 0;
    for (const analysis::Dim3& block : spreadBlocks(prediction.launch.grid, own > 0 ? kTried : 0))
        if (const auto trace = analysis::traceAddresses(*prediction.program, prediction.launch, block)) {
            others += addresses(*trace);
            ++traced;
        }
    return traced > 0 ? others / traced / own : 1;
}

/// The block in whose middle, or before which, half of all that is issued has been issued, starting with the blocks that issue
/// least: where a few do nearly everything, one of these.
std::uint64_t busyBlock(const std::vector<std::uint32_t>& issued)
{
    std::vector<std::uint64_t> order(issued.size());
    std::iota(order.begin(), order.end(), std::uint64_t(0));
    std::ranges::stable_sort(order, {}, [&](std::uint64_t block) { return issued[block]; });
    const double half = std::accumulate(issued.begin(), issued.end(), 0.0) / 2;
    double sum = 0;
    const auto found = std::ranges::find_if(order, [&](std::uint64_t block) { return (sum += issued[block]) >= half; });
    return found == order.end() ? 0 : *found;
}

/// The block in the middle of a row and a third down, where it is not on the diagonal of a square matrix, whose transpose
/// may be the block itself; if it asks for more or less than the average block does, as the last one of a
/// row that a one-dimensional grid counts through or one whose data ask for less, another one that is nearer; where a few blocks do nearly everything,
/// one of these. Nothing where none can be executed.
std::optional<Example> exampleOf(const Prediction& prediction, const analysis::Traffic& traffic, bool byData)
{
    constexpr double kNear = 0.05, kFar = 0.3;
    constexpr double kFew = 4; ///< so many times what the average block issues is issued by one of the few that do nearly everything
    constexpr int kMoreTried = 12;
    const analysis::Launch& launch = prediction.launch;
    // A block that does nothing tells nothing.
    const auto distance = [&](const Example& example) {
        if (traffic.loadSectors == 0)
            return 0.0;
        return example.shape.loadSectors > 0
            ? std::abs(example.shape.loadSectors * traffic.blocks / traffic.loadSectors - 1)
            : std::numeric_limits<double>::infinity();
    };
    const auto exampleAt = [&](analysis::Dim3 block) -> std::optional<Example> {
        auto trace = analysis::traceAddresses(*prediction.program, launch, block);
        if (!trace)
            return {};
        const BlockShape shape = blockShape(*trace, launch.buffers);
        return Example { std::move(*trace), shape };
    };
    // Where there are two blocks in a row, the first is the whole one.
    const analysis::Dim3 grid = launch.grid;
    const analysis::Dim3 first { (grid.x - 1) / 2, (grid.y - 1) / 3, (grid.z - 1) / 2 };
    auto best = exampleAt(first);
    const auto isNear = [&] { return !best || distance(*best) <= kNear; };
    const auto tryAt = [&](analysis::Dim3 block) {
        auto other = exampleAt(block);
        if (other && distance(*other) < distance(*best))
            best = std::move(other);
    };
    const auto besideDiagonal = [&](analysis::Dim3 block) {
        if (grid.x == grid.y && block.x == block.y && block.x > 0) // still in the lower triangle
            --block.x;
        return block;
    };
    for (const std::uint32_t x : { first.x + 1, grid.x / 3, grid.x / 5 }) {
        if (isNear() || x >= grid.x)
            break;
        tryAt(besideDiagonal({ x, first.y, first.z }));
    }
    // As of a triangular matrix.
    for (const std::uint32_t y : { grid.y / 2, grid.y / 3 * 2 }) {
        if (isNear())
            break;
        tryAt(besideDiagonal({ first.x, y, first.z }));
    }
    for (const analysis::Dim3& block : spreadBlocks(grid, byData ? kMoreTried : 0)) // they differ by their data
        if (!isNear())
            tryAt(block);
    if (!best)
        return best;
    best->isUnlikeOthers = distance(*best) > kFar;
    if (!best->isUnlikeOthers || traffic.issuedByBlock.empty())
        return best;
    const std::uint64_t busy = busyBlock(traffic.issuedByBlock);
    const double issued = std::accumulate(traffic.issuedByBlock.begin(), traffic.issuedByBlock.end(), 0.0);
    if (traffic.issuedByBlock[busy] * traffic.blocks < kFew * issued)
        return best;
    if (auto ofFew = exampleAt(grid.at(busy))) {
        best = std::move(ofFew);
        best->isOfFew = true;
    }
    return best;
}

/// Adds what the block asks of local memory, as many times as there are such blocks. Where there is machine code, it says whether
/// arrays lie in registers and which registers are spilled.
void addLocal(analysis::Traffic& traffic, const analysis::DeviceModel& device, const Prediction& prediction,
    const std::optional<MachinePath>& path, Example& example)
{
    double times = traffic.wholeBlocks;
    if (prediction.program->localBytes == 0) {
        if (!path || path->local.empty())
            return;
        times *= addSpills(example.trace, path->local);
    } else if (!prediction.machineCode.empty() && localWordsStored(prediction.machineCode, device.computeMajor) == 0) {
        return;
    }
    analysis::LocalTraffic& local = traffic.local;
    local = localTraffic(example.trace);
    using Local = analysis::LocalTraffic;
    for (const auto ofAll : { &Local::loadRequests, &Local::storeRequests, &Local::loadSectors, &Local::storeSectors, &Local::loadTags,
             &Local::storeTags, &Local::partStoreTags })
        local.*ofAll *= times;
    local.rounds = traffic.machine.known() ? traffic.machine.localWaits : example.shape.localRounds;
}

} // namespace

analysis::Traffic trafficOf(const analysis::DeviceModel& device, const Prediction& prediction,
    const analysis::GridTotals& totals)
{
    analysis::Traffic traffic;
    traffic.blocks = traffic.wholeBlocks = double(prediction.launch.grid.count());
    addTotals(traffic, *prediction.program, totals);
    if (auto example = exampleOf(prediction, traffic, totals.valuesNeeded)) {
        const std::size_t l1Lines = l1LinesOfAnSm(device, prediction);
        if (const double accesses = globalAccesses(example->trace); accesses > 0)
            traffic.wholeBlocks = (traffic.loadRequests + traffic.storeRequests) / accesses;
        if (!example->isUnlikeOthers)
            traffic.wholeBlocks = std::min(traffic.wholeBlocks, traffic.blocks);
        if (example->isOfFew) {
            traffic.blocks = std::clamp(std::round(traffic.wholeBlocks), 1.0, traffic.blocks);
            traffic.issuedByBlock.clear();
        }
        if (totals.valuesNeeded || !totals.moves) // addresses may be hashes of the block as well
            limitReadsByData(example->shape, prediction, traffic.warpInstructions / traffic.blocks);
        addShape(traffic, example->shape);
        traffic.putBack = putBackOf(example->shape, example->trace.block, prediction.launch, traffic.wholeBlocks);
        traffic.l1Lines = std::floor(double(l1Lines) / std::max(1, prediction.result.occupancy->blocksPerSm));
        const auto& warps = example->trace.warps;
        std::optional<MachinePath> path;
        if (!prediction.machineCode.empty() && allTurnAlike(example->trace, traffic, totals)) {
            path = machinePathOfAWarp(
                prediction, device.computeMajor, example->trace,
                longDivisions(*prediction.program, totals) / (traffic.wholeBlocks * double(warps.size())));
            traffic.machineFits = path.has_value();
        }
        if (path && (!fitsLocalMemory(*path, example->trace) || lacksLoops(*path, warps.size(), traffic)))
            path.reset();
        if (path)
            addMissingWork(path->work, traffic.program, *prediction.program, totals, traffic.wholeBlocks * double(warps.size()));
        if (path)
            traffic.machine = path->work;
        if (traffic.machine.loadWaits > 0) // where ptxas has unrolled a loop further
            traffic.loadRounds = std::min(traffic.loadRounds, traffic.machine.loadWaits);
        traffic.atomicRounds = path ? path->work.atomicWaits : example->shape.atomicRounds;
        addLocal(traffic, device, prediction, path, *example);
        const ConstantTraffic constants = constantTraffic(example->trace, path);
        const double ofOthers = totals.valuesNeeded ? constantsOfOthers(prediction, example->trace) : 1;
        traffic.constantAddresses = traffic.wholeBlocks * constants.addresses * ofOthers;
        traffic.constantMisses = traffic.wholeBlocks * constants.misses;
        if (path && path->constantLoads > 0) {
            traffic.constantWaits = path->constantWaits;
            traffic.constantWaitShare = std::min(1.0, path->constantWaits / path->constantLoads);
        }
        const auto moves = BlockMoves::of(totals, prediction.launch.grid, example->trace, isGlobalStore);
        const bool loadsAreFirst = traffic.machine.loadWaits == 1;
        const double gapClocks = traffic.machine.storesInTurn > 0 ? traffic.machine.storeGapClocks / traffic.machine.storesInTurn : 0;
        const OpenSectors open = openSectors(example->trace, moves ? &*moves : nullptr, loadsAreFirst, gapClocks);
        if (!moves)
            addScattered(traffic, device, prediction);
        traffic.storesContinue = moves && storesContinue(example->trace, *moves);
        traffic.joinedSectors = open.joined;
        traffic.partStoredSectors = std::max(0.0, traffic.partStoredSectors - open.filledByJoining);
        traffic.followedSectors = open.followed;
        traffic.followedShifted = open.followedShifted;
        traffic.followedLines = open.followedLines;
        traffic.loadWavefronts = traffic.loadRequests * wavefrontsOfALoad(example->trace);
        traffic.storeLaneBytes = storeLaneBytes(example->trace);
        traffic.loadsAhead = loadsAhead(example->trace);
        traffic.freshLoads = freshLoads(example->shape, traffic.blocks);
        traffic.warps = double(warps.size());
        traffic.openSectors = open.inBlock;
        traffic.openByOneWarp = open.byOneWarp;
        traffic.openInPlace = open.inPlace;
        traffic.holeSectors = open.holes;
        traffic.holesStoredAgain = open.holesStoredAgain;
        traffic.openBetweenBlocks = open.betweenBlocks;
        traffic.openApart = open.apart;
        traffic.sharedSectors = open.shared;
        addAtomics(traffic, device, prediction, totals, example->trace);
        addSharedAtomics(traffic, *prediction.program, example->trace);
        addRepeatedReads(traffic, device, prediction, totals, example->trace, example->shape, l1Lines);
    }
    return traffic;
}

} // namespace coalescope::kernels
