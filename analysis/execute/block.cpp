// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/block.h"

#include "analysis/execute/rules.h"

#include <fmt/format.h>

namespace coalescope::analysis {

Block::Block(const DecodedProgram& program, const Launch& launch, const MemoryMap& map)
    : Block(program, launch, map, nullptr)
{
}

Block::Block(const BlockPlan& plan, const Launch& launch, const MemoryMap& map)
    : Block(plan.program, launch, map, &plan)
{
}

Block::Block(const DecodedProgram& program, const Launch& launch, const MemoryMap& map,
    const BlockPlan* plan)
    : m_program(program)
    , m_launch(launch)
    , m_map(map)
    , m_threads(std::uint32_t(launch.block.count()))
    , m_plan(plan)
{
    const std::size_t warps = (m_threads + kWarpLanes - 1) / kWarpLanes;
    m_registers.resize(warps * program.registers);
    m_states.resize(warps * program.registers);
    m_constantStates.resize(program.constants.size() / kWarpLanes);
    m_warps.resize(warps);
    m_counts.resize(program.code.size());
    m_moves.resize(program.code.size());
}

BlockOutcome Block::run(const Box& box, BlockObserver& observer, const BlockOptions& options)
{
    m_observer = &observer;
    m_options = options;
    m_shared.watch(options.findsRaces);
    if (m_plan != nullptr)
        preparePlanned(box);
    else
        prepare(box);
    runWarps();
    m_shared.endFollowed(m_hazards.has(HazardKind::SharedRace)
        || m_hazards.has(HazardKind::Uninitialised) || m_hazards.has(HazardKind::NotModelled));
    return m_outcome;
}

void Block::runWarps()
{
    for (bool running = true; running && !isStopped();) {
        running = false;
        for (Warp& warp : m_warps) {
            if (warp.status != WarpStatus::Ready)
                continue;
            running = true;
            if (m_plan != nullptr)
                runWarpPlanned(warp);
            else
                runWarp(warp);
            if (isStopped())
                break;
        }
        if (!isStopped())
            releaseBarriers();
        running = running || tellWaitsInVain();
    }
    if (!isStopped())
        reportDeadlock();
}

void Block::prepare(const Box& box)
{
    m_pool.reset(box);
    m_quotients.assign(1, {}); // 0: none
    m_outcome = {};
    m_hazards.clear();
    m_issued = 0;
    m_nextCheck = kCheckEvery;
    std::ranges::fill(m_counts, Count {});
    m_passedRegions.assign(m_program.regions.size(), false);
    std::ranges::fill(m_moves, kNone);
    std::ranges::fill(m_registers, LaneWords {});
    std::ranges::fill(m_states, RegisterState {});
    m_barriers = {};
    m_mbarriers.clear();
    m_roundsInVain = 0;
    m_shared.reset(m_program.sharedBytes, std::uint32_t(m_warps.size()), m_program.shadowBytes);
    m_local.reset(m_program.program->localBytes, m_threads);
    for (std::uint32_t index = 0; index < m_warps.size(); ++index)
        prepareWarp(index);
}

void Block::prepareWarp(std::uint32_t index)
{
    Warp& warp = m_warps[index];
    warp.block = this;
    warp.index = index;
    warp.bank = { m_registers[std::size_t(index) * m_program.registers].lane.data(),
        const_cast<Word*>(m_program.constants.data()) }; // bank 1 is only ever a source
    warp.states
        = { m_states.data() + std::size_t(index) * m_program.registers, m_constantStates.data() };
    const std::uint32_t lanes = std::min(m_threads - index * kWarpLanes, std::uint32_t(kWarpLanes));
    warp.live = lanes == kWarpLanes ? kAllLanes : (1u << lanes) - 1;
    warp.active = warp.live;
    warp.pc = 0;
    warp.reconverge = kNone;
    warp.stack.clear();
    warp.status = WarpStatus::Ready;
    warp.waitsInVain = false;
    std::ranges::fill(warp.carry, false);
    for (const auto& [special, slot] : m_program.specials)
        fillSpecial(warp, special, slot);
}

void Block::fillSpecial(Warp& warp, SpecialRegister special, std::uint32_t slot)
{
    const Dim3 block = m_launch.block, grid = m_launch.grid;
    Word* out = warp.bank[0] + std::size_t(slot) * kWarpLanes;
    const auto fill = [&](auto&& valueOf) {
        for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
            out[lane] = Word(valueOf(lane));
    };
    const auto same = [&](Word value) { fill([&](std::uint32_t) { return value; }); };
    const auto thread = [&](std::uint32_t lane) { return warp.index * kWarpLanes + lane; };
    const auto coordinate = [&](int dimension) {
        same(Word(box().origin[std::size_t(dimension)]));
        warp.states[0][slot].coefficients = m_pool.coordinate(dimension);
    };
    switch (special) {
    case SpecialRegister::TidX:
        return fill([&](auto l) { return thread(l) % block.x; });
    case SpecialRegister::TidY:
        return fill([&](auto l) { return thread(l) / block.x % block.y; });
    case SpecialRegister::TidZ:
        return fill([&](auto l) { return thread(l) / block.x / block.y; });
    case SpecialRegister::NtidX:
        return same(block.x);
    case SpecialRegister::NtidY:
        return same(block.y);
    case SpecialRegister::NtidZ:
        return same(block.z);
    case SpecialRegister::CtaidX:
        return coordinate(0);
    case SpecialRegister::CtaidY:
        return coordinate(1);
    case SpecialRegister::CtaidZ:
        return coordinate(2);
    case SpecialRegister::NctaidX:
        return same(grid.x);
    case SpecialRegister::NctaidY:
        return same(grid.y);
    case SpecialRegister::NctaidZ:
        return same(grid.z);
    case SpecialRegister::LaneId:
        return fill([](auto l) { return l; });
    case SpecialRegister::WarpId:
        return same(warp.index);
    case SpecialRegister::NwarpId:
        return same(m_warps.size());
    case SpecialRegister::LaneMaskEq:
        return fill([](auto l) { return 1u << l; });
    case SpecialRegister::LaneMaskLt:
        return fill([](auto l) { return (1u << l) - 1; });
    case SpecialRegister::LaneMaskLe:
        return fill([](auto l) { return (2u << l) - 1; });
    case SpecialRegister::LaneMaskGt:
        return fill([](auto l) { return ~((2u << l) - 1); });
    case SpecialRegister::LaneMaskGe:
        return fill([](auto l) { return ~((1u << l) - 1); });
    case SpecialRegister::DynamicSharedSize:
        return same(m_launch.dynamicSharedBytes);
    case SpecialRegister::TotalSharedSize:
        return same(m_program.sharedBytes);
    case SpecialRegister::NsmId:
        return same(1);
    // Time and place on the chip are not modelled: they read as 0.
    case SpecialRegister::Clock:
    case SpecialRegister::Clock64:
    case SpecialRegister::GlobalTimer:
    case SpecialRegister::SmId:
    case SpecialRegister::GridId:
        return same(0);
    }
}

void Block::runWarp(Warp& warp)
{
    const Decoded* const code = m_program.code.data();
    const auto end = std::uint32_t(m_program.code.size());
    while (warp.findLanes(end)) {
        const std::uint32_t pc = warp.pc;
        const Decoded& d = code[pc];
        LaneMask mask = warp.active;
        if (d.guard != kNone) {
            const OperandSlot guard { .slot = d.guard };
            if (d.region != kNone && (warp.state(guard).unknown & mask) != 0) {
                passRegion(warp, d);
                continue;
            }
            if (rules::asksForValue(warp, warp.state(guard), mask))
                return;
            const Word* p = warp.value(guard);
            LaneMask set = 0;
            for (int lane = 0; lane < kWarpLanes; ++lane)
                set |= LaneMask(p[lane] & 1) << lane;
            mask &= d.guardNegated ? ~set : set;
        }
        if (++m_issued >= m_nextCheck && overBudget(warp))
            return;
        warp.pc = pc + 1;
        if (mask == 0) {
            ++m_counts[pc].idle;
            continue;
        }
        ++m_counts[pc].executions;
        m_counts[pc].lanes += unsigned(std::popcount(mask));
        const Step step = d.run(warp, d, mask);
        if (step == Step::Next) [[likely]]
            continue;
        if (step == Step::Again) {
            warp.pc = pc;
            --m_issued;
            --m_counts[pc].executions;
            m_counts[pc].lanes -= unsigned(std::popcount(mask));
        }
        return;
    }
}

/// The branch counts, what follows is left out.
void Block::passRegion(Warp& warp, const Decoded& branch)
{
    Count& count = m_counts[instructionOf(branch)];
    ++m_issued;
    ++count.executions;
    count.lanes += unsigned(std::popcount(warp.active));
    m_passedRegions[branch.region] = true;
    for (const std::uint32_t result : m_program.regions[branch.region].results)
        warp.setState({ .slot = result }, warp.active, { .unknown = kAllLanes });
    warp.pc = branch.source->reconverge;
}

bool Block::overBudget(const Warp& warp)
{
    m_nextCheck = m_issued + kCheckEvery;
    if (m_options.stop.stop_requested())
        stop({ ErrorCode::Cancelled, "cancelled", {} });
    else if (m_issued > m_options.instructionLimit)
        stop({ ErrorCode::ExecutionFailed,
            fmt::format(
                "a block executed more than {} million warp instructions: its sizes are too large to predict here (take smaller ones), it never ends, "
                "or it waits for another block, which cannot be predicted, for blocks are executed one after another",
                m_options.instructionLimit / 1'000'000),
            placeOf(*m_program.program, warp.pc) });
    return isStopped();
}

void Block::askSplit(const Split& split)
{
    if (!isStopped())
        m_outcome = { .end = BlockEnd::Split, .split = split };
}

void Block::askBisection(unsigned axes)
{
    int axis = box().longestAxis(axes);
    if (axis < 0)
        axis = box().longestAxis(~0u);
    if (axis < 0) // a single block has nothing that could differ between blocks
        return stop({ ErrorCode::ExecutionFailed, "a single block was asked to be divided", {} });
    askSplit({ .axis = axis, .at = box().axis[std::size_t(axis)].extent / 2 });
}

void Block::askValues()
{
    if (!isStopped())
        m_outcome = { .end = BlockEnd::NeedsValues };
}

void Block::stop(Error error)
{
    if (!isStopped())
        m_outcome = { .end = BlockEnd::Failed, .error = std::move(error) };
}

std::optional<std::array<std::int64_t, kMaxAxes>> Block::moveOf(std::uint32_t instruction) const
{
    const std::uint32_t move = m_moves[instruction];
    if (move == kNone || move == kMixed)
        return {};
    return m_pool[CoefficientId(move)].c;
}

Step Block::observe(std::uint32_t warp, const WarpAccess& access, CoefficientId shift)
{
    if (access.space == Space::Global) {
        std::uint32_t& move = m_moves[access.instruction];
        move = move == kNone || move == shift ? shift : kMixed;
    }
    auto seen = m_observer->onAccess(warp, access, m_pool.residues(shift));
    if (seen)
        return Step::Next;
    if (seen.error().code == ErrorCode::UnsupportedInstruction
        || seen.error().code == ErrorCode::UnsupportedWidth) {
        const auto& instruction = m_program.program->instructions[access.instruction];
        m_hazards.add(HazardKind::NotModelled, instruction.lineToName(), 0, 0, [&] {
            return fmt::format("`{}`: {}; it is missing from the counts",
                m_program.program->mnemonic(access.instruction), seen.error().detail);
        });
        return Step::Next;
    }
    seen.error().where = placeOf(*m_program.program, access.instruction);
    stop(std::move(seen.error()));
    return Step::Stop;
}

} // namespace coalescope::analysis
