// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/box.h"
#include "analysis/execute/lane_kernels.h"
#include "analysis/execute/launch.h"
#include "analysis/program/program.h"
#include "analysis/result/error.h"
#include "analysis/result/hazard.h"

#include <array>
#include <atomic>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <vector>

namespace coalescope::analysis {

/// What one instruction did over the whole grid.
struct InstructionTotals {
    std::uint64_t executions = 0; ///< warp instructions with at least one active lane
    std::uint64_t requests = 0, sectors = 0, tags = 0, idealSectors = 0; ///< global
    std::uint64_t copyCounted = 0, copyAsked = 0; ///< of asynchronous copies past L1, see CopyReport
    std::uint64_t wavefronts = 0, wavefrontsSass = 0, conflicts = 0, phases = 0; ///< shared
    std::uint64_t sharedExecutions = 0; ///< those that reached shared memory
    std::uint64_t atomicSectors = 0; ///< of atomics on global memory, see atomicSectors()
    std::uint64_t openAtomicSectors = 0; ///< so many more they may be, see there
    std::uint64_t turns = 0, swapWavefronts = 0; ///< of loops on shared memory, see LoopReport
    std::uint64_t turnLoads = 0, turnLoadsSass = 0, turnLoadConflicts = 0; ///< what their loads take: wavefronts, and conflicts
    std::uint64_t activeLanes = 0;
    InstructionTotals& operator+=(const InstructionTotals& other);
    bool operator==(const InstructionTotals&) const = default;
};

/// The largest box of blocks that one execution stood for, and how the addresses of each instruction
/// move from one of its blocks to the next.
struct GridMoves {
    using Move = std::array<std::int64_t, kMaxAxes>; ///< bytes a step along each axis
    Box box;
    std::vector<std::optional<Move>> instructions; ///< one an instruction; empty: none, or not always the same
};

struct GridTotals {
    std::vector<InstructionTotals> instructions; ///< one an instruction of the program
    std::uint64_t warpInstructions = 0; ///< executed, all opcodes
    std::vector<Hazard> hazards;
    std::uint64_t blocks = 0; ///< of the grid
    std::uint64_t blocksExecuted = 0; ///< really executed; the rest were represented
    std::optional<GridMoves> moves; ///< empty: every block was executed
    bool valuesNeeded = false; ///< addresses or control flow depended on loaded data
    std::vector<std::string> deciding; ///< the buffers of those data, as far as blocks went by a plan
    std::vector<std::uint32_t> passedOver; ///< instructions whose executions are those of sampled blocks, in order
    std::vector<std::uint32_t> issuedByBlock; ///< warp instructions of each, in the order in which they start; empty where all issue
                                              ///< about as many, or there are more than IssuedByBlocks::kMostBlocks
};

struct GridOptions {
    int threads = 0; ///< 0: as many as the machine has
    bool executeEveryBlock = false; ///< the reference: no representatives
    bool planBlocks = true; ///< false: blocks that are executed each for itself go without a plan
    std::optional<SimdLevel> simd; ///< of a plan; empty: what simdLevel() says
    std::stop_token stop;
    std::atomic<double>* progress = nullptr; ///< 0 to 1, written as blocks finish
    std::optional<std::uint64_t> mostOfABlock; ///< instructions that its warps execute, in gridTotals(); empty: BlockOptions::instructionLimit
    std::uint64_t mostInstructions = 0; ///< that gridOutput() executes, of all warps together; 0: as many as there are
    std::uint64_t* instructions = nullptr; ///< where gridOutput() says how many it has executed, also where it fails
    bool findsRaces = true; ///< gridOutput() looks for races on shared memory
    bool noteWriters = true; ///< gridOutput() fills GridOutput::writer, at five times the memory
    std::span<const std::span<std::uint8_t>> into = {}; ///< one a buffer, of its size and with its content, where gridOutput() puts what blocks store, and nothing where it fails; empty
                                                        ///< ones: it is of no interest. Then GridOutput::buffers and writer stay empty
};

/// Totals of the whole grid: exact, but for how often arithmetic is executed about which loaded data decide and nothing else depends on
/// (see findDataRegions()). That is what up to eight blocks do that are executed with their data.
///
/// Errors: UnsupportedInstruction, ExecutionFailed, IllegalLaunch, Cancelled.
/// Checked: grid_totals_test.cpp (representatives equal full execution), recorded H200 counters.
[[nodiscard]] Result<GridTotals> gridTotals(
    const Program& program, const Launch& launch, const GridOptions& options = {});

/// The bytes that a launch leaves in its buffers, for verification, with who wrote each.
struct GridOutput {
    std::vector<std::vector<std::uint8_t>> buffers; ///< one a Launch::buffers
    std::vector<std::vector<std::uint32_t>>
        writer; ///< per byte: instruction that wrote it last; kNone: nobody; empty: not noted
    std::vector<Hazard> hazards;
    std::set<std::uint64_t> tickets; ///< addresses of words from which blocks have drawn what is next
};

/// Executes every block with real values, on this thread. For small launches: all buffers are held in
/// memory. Of the options, threads and progress do not count.
///
/// Errors: as gridTotals(); ExecutionFailed where it takes more than the most instructions.
[[nodiscard]] Result<GridOutput> gridOutput(
    const Program& program, const Launch& launch, const GridOptions& options);
[[nodiscard]] Result<GridOutput> gridOutput(
    const Program& program, const Launch& launch, std::stop_token stop = {});

} // namespace coalescope::analysis
