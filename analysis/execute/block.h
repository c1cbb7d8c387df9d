// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/access_memo.h"
#include "analysis/execute/block_plan.h"
#include "analysis/execute/global_memory.h"
#include "analysis/execute/hazards.h"
#include "analysis/execute/local_memory.h"
#include "analysis/execute/quotients.h"
#include "analysis/execute/shared_memory.h"
#include "analysis/execute/warp.h"

#include <optional>
#include <span>
#include <stop_token>

namespace coalescope::analysis {

/// A warp's load from constant memory.
struct ConstantLoad {
    std::span<const std::uint64_t, kWarpLanes> address; ///< of each lane
    LaneMask lanes = 0; ///< that load; at least one
    std::uint32_t widthBytes = 0;
};

/// What a warp does about asynchronous copies, apart from asking for them.
struct CopyEvent {
    enum class Kind : std::uint8_t {
        Commit, ///< closes a group of cp.async
        Groups, ///< waits until only the last `value` groups may be on their way
        Barrier, ///< finds a phase complete of the mbarrier at the shared address `value`, which copies have arrived at
    };
    Kind kind = Kind::Commit;
    std::uint64_t value = 0;
};

/// What watches a block's execution: counters of a grid, or the steps of a trace.
class BlockObserver {
public:
    virtual ~BlockObserver() = default;
    /// One memory access of a warp. Over the blocks of the box its addresses shift by `shifts`.
    virtual Result<void> onAccess(
        std::uint32_t warp, const WarpAccess& access, std::span<const ResidueCount> shifts)
        = 0;
    virtual void onBarrier(std::uint32_t warp, std::uint32_t instruction) = 0;
    /// A warp loads constants from an address in a register.
    virtual void onConstantLoad(std::uint32_t /*warp*/, const ConstantLoad& /*load*/) { }
    virtual void onCopyEvent(std::uint32_t /*warp*/, const CopyEvent& /*event*/) { }
    /// The warp, or some of its lanes, jumps back in a loop that makes no accesses and meets no barrier.
    virtual void onTurn(std::uint32_t /*warp*/, std::uint32_t /*instruction*/) { }
};

enum class BlockEnd : std::uint8_t {
    Done,
    Split, ///< the box must be divided first
    NeedsValues, ///< an address or a branch depends on data: only execution with values can tell
    Failed,
};

struct BlockOutcome {
    BlockEnd end = BlockEnd::Done;
    Split split;
    Error error;
};

struct BlockOptions {
    GlobalMemory* values = nullptr; ///< null: global memory has no values
    std::uint64_t instructionLimit = 50'000'000; ///< the block's warps execute no more than this
    std::stop_token stop;
    bool findsRaces = true; ///< of shared memory, and what is read there unwritten; false: only what is left in memory is of interest
};

/// What a warp knows that waited for an mbarrier, as clocks of SharedMemory.
struct MBarrierClocks {
    std::uint64_t address = 0;
    std::array<std::uint32_t, 32> arrived {}; ///< up to now
    std::array<std::uint32_t, 32> completed {}; ///< when the last phase was complete
    bool tellsOfCopies = false; ///< asynchronous ones have arrived
};

/// Executes one box of blocks through its first block. Reused from box to box for its allocations.
class Block {
public:
    Block(const DecodedProgram& program, const Launch& launch, const MemoryMap& map);

    /// Follows a plan, which must outlive it: for boxes of one block, which end as Done or Failed.
    /// The observer and counts() get most of what happened at finishPlan() only.
    Block(const BlockPlan& plan, const Launch& launch, const MemoryMap& map);

    [[nodiscard]] BlockOutcome run(
        const Box& box, BlockObserver& observer, const BlockOptions& options);
    /// Hands over what the runs since the start have added up.
    Result<void> finishPlan(BlockObserver& observer);

    /// Warp executions with an active lane, and the active lanes, of each instruction in the last
    /// run; with a plan, in all runs.
    struct Count {
        std::uint64_t executions = 0, lanes = 0;
        std::uint64_t idle = 0; ///< issued for no lane, without a plan
    };
    [[nodiscard]] std::span<const Count> counts() const { return m_counts; }
    [[nodiscard]] std::uint64_t issued() const { return m_issued; }
    /// Regions that the last run passed over, since data that are not known decide about them: of DecodedProgram::regions. What
    /// they compute is as unknown as what is loaded.
    [[nodiscard]] const std::vector<bool>& passedRegions() const { return m_passedRegions; }
    [[nodiscard]] const HazardLog& hazards() const { return m_hazards; }
    /// How far an instruction's global addresses move for each step along an axis of the last run's
    /// box; nothing where it has none, or not always the same. Without a plan.
    [[nodiscard]] std::optional<std::array<std::int64_t, kMaxAxes>> moveOf(
        std::uint32_t instruction) const;

    // For handlers.
    [[nodiscard]] const DecodedProgram& program() const { return m_program; }
    [[nodiscard]] const Launch& launch() const { return m_launch; }
    [[nodiscard]] const MemoryMap& map() const { return m_map; }
    [[nodiscard]] CoefficientPool& pool() { return m_pool; }
    [[nodiscard]] const Box& box() const { return m_pool.box(); }
    [[nodiscard]] std::vector<ScaledQuotient>& quotients() { return m_quotients; }
    [[nodiscard]] SharedMemory& shared() { return m_shared; }
    [[nodiscard]] LocalMemory& local() { return m_local; }
    [[nodiscard]] GlobalMemory* values() { return m_options.values; }
    [[nodiscard]] HazardLog& log() { return m_hazards; }
    [[nodiscard]] std::uint32_t threads() const { return m_threads; }
    [[nodiscard]] std::uint32_t instructionOf(const Decoded& d) const
    {
        return std::uint32_t(&d - m_program.code.data());
    }
    [[nodiscard]] bool isStopped() const { return m_outcome.end != BlockEnd::Done; }
    void askSplit(const Split& split);
    void askBisection(unsigned axes);
    void askValues();
    void stop(Error error);
    [[nodiscard]] Step observe(std::uint32_t warp, const WarpAccess& access, CoefficientId shift);
    /// A warp reaches a barrier with some lanes. `predicate` counts towards bar.red.
    [[nodiscard]] Step arrive(Warp& warp, const Decoded& d, LaneMask mask);
    /// Whose work has met in the mbarrier at a shared address.
    [[nodiscard]] MBarrierClocks& clocksOf(std::uint64_t address);
    /// A phase of some mbarrier is complete: polling warps look again.
    void onPhase();
    [[nodiscard]] Step poll(Warp& warp, std::uint64_t address);
    void onConstantLoad(const Warp& warp, const ConstantLoad& load) { m_observer->onConstantLoad(warp.index, load); }
    void onCopyEvent(const Warp& warp, const CopyEvent& event) { m_observer->onCopyEvent(warp.index, event); }
    void onTurn(const Warp& warp, const Decoded& d) { m_observer->onTurn(warp.index, instructionOf(d)); }

private:
    static constexpr std::uint32_t kMixed = kNone - 1; ///< of m_moves
    static constexpr int kMostRoundsInVain = 1000; ///< a kernel may look as often before it does what is waited for
    static constexpr std::uint64_t kCheckEvery
        = 16384; ///< instructions between looks at the stop token

    struct Barrier {
        std::uint32_t arrived = 0; ///< threads
        std::uint32_t expected = 0; ///< threads; 0: all that have not exited
        std::vector<std::uint32_t> waiting; ///< warps
        std::uint32_t predicateLanes = 0;
        std::array<std::uint32_t, 32> joined {}; ///< clocks, where not every warp takes part
        LaneMask predicateUnknown = 0; ///< not 0: a predicate of the reduction is not known
        std::uint32_t instruction = kNone;
    };

    Block(const DecodedProgram& program, const Launch& launch, const MemoryMap& map,
        const BlockPlan* plan);
    void prepare(const Box& box);
    void prepareWarp(std::uint32_t index);
    void fillSpecial(Warp& warp, SpecialRegister special, std::uint32_t slot);
    void runWarps();
    void runWarp(Warp& warp);
    void passRegion(Warp& warp, const Decoded& branch);
    void startPlan(const Box& box);
    void preparePlanned(const Box& box);
    void runWarpPlanned(Warp& warp);
    [[nodiscard]] bool isWithinBudget(Warp& warp, const Segment& segment);
    [[nodiscard]] Step runSteps(Warp& warp, const Segment& segment, LaneMask mask);
    void runLanes(Warp& warp, const PlannedStep& step, LaneMask mask);
    [[nodiscard]] Step access(Warp& warp, const PlannedStep& step, LaneMask mask);
    [[nodiscard]] bool isKnown(Warp& warp, const PlannedStep& step, LaneMask mask, AccessMemo& memo);
    void moveData(Warp& warp, const PlannedStep& step, LaneMask mask, const AccessMemo& memo);
    [[nodiscard]] Step accessShared(Warp& warp, const PlannedStep& step, LaneMask mask);
    [[nodiscard]] bool mayBeFollowed(const SharedEvent& event);
    template <class Number> LaneMask loadShared(Word* target, const SharedEvent& event);
    void moveShared(Warp& warp, const PlannedStep& step, const SharedEvent& event);
    Result<void> tellRetired(BlockObserver& observer);
    Result<void> tell(BlockObserver& observer, const AccessMemo& memo, const PlannedStep& step,
        std::uint32_t warp);
    [[nodiscard]] bool overBudget(const Warp& warp);
    void releaseBarriers();
    [[nodiscard]] bool tellWaitsInVain();
    void release(Barrier& barrier);
    [[nodiscard]] std::uint32_t liveThreads() const;
    void reportDeadlock();

    const DecodedProgram& m_program;
    const Launch& m_launch;
    const MemoryMap& m_map;
    std::uint32_t m_threads = 0;
    std::vector<LaneWords> m_registers;
    std::vector<RegisterState> m_states, m_constantStates;
    std::vector<Warp> m_warps;
    std::array<Barrier, 16> m_barriers;
    std::vector<MBarrierClocks> m_mbarriers;
    int m_roundsInVain = 0; ///< since a phase was complete
    CoefficientPool m_pool;
    std::vector<ScaledQuotient> m_quotients;
    SharedMemory m_shared;
    LocalMemory m_local;
    HazardLog m_hazards;
    BlockOptions m_options;
    BlockObserver* m_observer = nullptr;
    BlockOutcome m_outcome;
    std::vector<Count> m_counts;
    std::vector<bool> m_passedRegions;
    std::vector<std::uint32_t> m_moves; ///< [instruction], a CoefficientId; kNone: no global access
    std::uint64_t m_issued = 0;
    std::uint64_t m_nextCheck = 0;

    // With a plan.
    const BlockPlan* m_plan = nullptr;
    const LaneTools* m_tools = nullptr;
    bool m_planStarted = false;
    Warp m_uniform; ///< computes what all lanes of a block share
    std::vector<LaneWords> m_uniformRegisters, m_constants;
    std::vector<RegisterState> m_uniformStates;
    std::vector<AccessMemo> m_memos; ///< [access][warp]
    std::vector<Count> m_segmentCounts;
    std::uint64_t m_issuedBefore = 0; ///< in earlier runs
};

} // namespace coalescope::analysis
