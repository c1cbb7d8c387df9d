// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/lane_kernels.h"
#include "analysis/execute/launch.h"
#include "analysis/execute/register_flow.h"

#include <optional>

namespace coalescope::analysis {

/// How a planned instruction is done.
enum class PlannedKind : std::uint8_t {
    Lanes, ///< by a lane kernel
    Access, ///< a global load or store
    SharedAccess, ///< a shared load or store
    Branch, ///< bra
    Handler, ///< by its handler
};

/// One instruction that still has work to do in every warp of every block.
struct PlannedStep {
    PlannedKind kind = PlannedKind::Handler;
    std::uint32_t instruction = 0;
    PlannedKernel kernel; ///< Lanes
    std::uint32_t access = kNone; ///< Access: its number among the accesses
    bool movesData = false; ///< Access: somebody looks at what is loaded or stored
    bool decides = false; ///< Access: addresses or control flow depend on what is loaded
    std::uint8_t widthBytes = 0; ///< Access: of a lane
    std::int64_t offset = 0; ///< Access: added to the base
};

/// Instructions that are executed together: with one mask, one after another.
struct Segment {
    std::uint32_t begin = 0, end = 0; ///< instructions
    std::uint32_t firstStep = 0, lastStep = 0; ///< of BlockPlan::steps
    std::optional<OperandSlot> guard; ///< of the only instruction
};

/// What execution block by block need not do anew for each warp or block, and the fast ways to do
/// the rest. Made once for a launch; for boxes of one block.
///
/// Contract: a register leaves the warps' own work only where it has one definition that is executed
/// without a guard, is not readable before it, and depends on nothing but what is the same for every
/// block (or every warp). Computing it early and for every lane is then seen by nobody.
/// Checked: planned_test.cpp, against execution without a plan.
struct BlockPlan {
    DecodedProgram program; ///< sources that every lane of a block shares lie in bank 2
    SimdLevel level = SimdLevel::Portable;
    std::vector<Segment> segments;
    std::vector<std::uint32_t> segmentAt; ///< of each instruction that is jumped to
    std::vector<PlannedStep> steps;
    std::uint32_t accesses = 0;
    std::vector<std::uint32_t> launchUniform; ///< instructions computed once, in this order
    std::vector<std::uint32_t> launchLanes; ///< once for each warp of a block's shape
    std::vector<std::uint32_t> blockUniform; ///< once for each block
    std::vector<std::uint32_t> cleared; ///< registers that may be read before they are written
    bool hasBarriers = false, hasCarry = false;
    bool sharedDataMatters = false; ///< something depends on what is loaded from shared memory
};

/// Empty where the plan cannot serve: without values, an address or a branch might depend on loaded
/// data, which only the handlers can tell.
[[nodiscard]] std::optional<BlockPlan> planBlocks(
    const DecodedProgram& program, const Launch& launch, Values values, SimdLevel level);

} // namespace coalescope::analysis
