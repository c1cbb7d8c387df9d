// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"
#include "analysis/execute/launch.h"
#include "analysis/program/program.h"
#include "analysis/result/error.h"
#include "analysis/result/hazard.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace coalescope::analysis {

enum class TraceKind : std::uint8_t { Access, Barrier };

/// One step of a warp that the views show.
struct TraceStep {
    TraceKind kind = TraceKind::Access;
    std::uint32_t instruction = 0; ///< into Program::instructions; the line and mnemonic are there
    WarpAccess access; ///< of Access steps (shared, global and local only)
};

/// Turns of a loop that accesses neither global nor shared memory and meets no barrier.
struct LoopTurns {
    std::uint32_t instruction = 0; ///< that jumps back
    std::uint32_t steps = 0; ///< of the warp, made before, those at local memory apart
    std::uint32_t count = 0; ///< jumps back, one after another
};

inline constexpr std::uint32_t kConstantLineBytes = 64; ///< measured: see docs/models.md

/// Loads from constant memory whose address is in a register. They are served an address at a time.
struct ConstantLoads {
    std::uint64_t requests = 0; ///< 16 bytes are two
    std::uint64_t addresses = 0; ///< different ones of each request
    std::vector<std::uint32_t> lines; ///< of the first requests, different ones of each, in the order of the lanes
    std::vector<std::uint32_t> ends; ///< into `lines`, behind each of these requests
};

/// A wait of a warp for asynchronous copies, where there are any to wait for.
struct CopyWait {
    std::uint32_t steps = 0; ///< of the warp, made before
    std::uint32_t asked = 0; ///< made before it asked for the last ones that it waits for; of an mbarrier: `steps`
    std::optional<std::uint64_t> barrier; ///< address of the mbarrier that it waits for
};

/// One block executed, warp by warp: the views' source.
struct BlockTrace {
    Dim3 block; ///< which block
    std::vector<std::vector<TraceStep>> warps; ///< [warp][step], in execution order
    std::vector<std::vector<LoopTurns>> turns; ///< [warp][loop entered], in execution order
    std::vector<ConstantLoads> constants; ///< [warp]
    std::vector<std::vector<CopyWait>> copyWaits; ///< [warp][wait], in execution order
    std::uint64_t warpInstructions = 0; ///< executed, all opcodes
    std::vector<Hazard> hazards;
};

/// Executes one block and keeps what each warp did to memory.
///
/// Errors: UnsupportedInstruction, ExecutionFailed, Cancelled.
[[nodiscard]] Result<BlockTrace> traceBlock(
    const Program& program, const Launch& launch, Dim3 block, std::stop_token stop = {});

/// The same, several times as fast where no address and no branch depends on what is loaded: then
/// memory holds no values, and hazards that only values show are not found.
[[nodiscard]] Result<BlockTrace> traceAddresses(
    const Program& program, const Launch& launch, Dim3 block, std::stop_token stop = {});

/// Several blocks so, each as if it ran alone. `mostInstructions`: of warps, of all blocks together.
///
/// Errors: as above; ExecutionFailed where it takes more than the most instructions.
[[nodiscard]] Result<std::vector<BlockTrace>> traceAddresses(const Program& program, const Launch& launch, std::span<const Dim3> blocks,
    std::stop_token stop = {}, std::optional<std::uint64_t> mostInstructions = {});

} // namespace coalescope::analysis
