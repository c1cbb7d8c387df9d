// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/block_plan.h"

#include "analysis/execute/handlers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

namespace coalescope::analysis {

namespace {

bool endsSegment(const Instruction& i)
{
    return i.op == Opcode::Bra || i.op == Opcode::BrxIdx || i.op == Opcode::Exit
        || i.op == Opcode::Bar || i.op == Opcode::Trap;
}

/// A plan's segments are not executed again while a warp waits.
bool isAsynchronous(const Decoded& d)
{
    return d.source->op == Opcode::MBarrier || d.source->op == Opcode::CpAsyncArrive || d.source->op == Opcode::BulkCopy;
}

bool readsShared(const Instruction& i)
{
    return (i.op == Opcode::Ld || i.op == Opcode::LdMatrix || i.op == Opcode::Atom)
        && (i.mod.space == Space::Shared || i.mod.space == Space::Generic);
}

/// Where a register's value lives, from what it depends on.
enum class Home : std::uint8_t {
    LaunchUniform, ///< one value for the launch
    LaunchLanes, ///< a lane's position in its block
    BlockUniform, ///< one value for a block
    Warp, ///< anything else
};

Home homeOf(SpecialRegister special)
{
    switch (special) {
    case SpecialRegister::CtaidX:
    case SpecialRegister::CtaidY:
    case SpecialRegister::CtaidZ:
        return Home::BlockUniform;
    case SpecialRegister::TidX:
    case SpecialRegister::TidY:
    case SpecialRegister::TidZ:
    case SpecialRegister::LaneId:
    case SpecialRegister::WarpId:
    case SpecialRegister::LaneMaskEq:
    case SpecialRegister::LaneMaskLt:
    case SpecialRegister::LaneMaskLe:
    case SpecialRegister::LaneMaskGt:
    case SpecialRegister::LaneMaskGe:
        return Home::LaunchLanes;
    default:
        return Home::LaunchUniform;
    }
}

Home joined(Home a, Home b)
{
    if (a == b || b == Home::LaunchUniform)
        return a;
    return a == Home::LaunchUniform ? b : Home::Warp;
}

/// Offsets of the parameters' words that lead into buffers; none where two lead into the same.
std::set<std::uint32_t> pointersOf(const Launch& launch)
{
    std::set<std::uint32_t> pointers;
    std::set<std::size_t> found;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= launch.parameters.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t address = 0;
        std::memcpy(&address, &launch.parameters[at], sizeof address);
        const auto buffer = std::ranges::find_if(
            launch.buffers, [&](const Buffer& b) { return address - b.address < b.bytes; });
        if (buffer == launch.buffers.end())
            continue;
        if (!found.insert(std::size_t(buffer - launch.buffers.begin())).second)
            return {};
        pointers.insert(std::uint32_t(at));
    }
    return pointers;
}

class Planner {
public:
    Planner(const DecodedProgram& program, const Launch& launch, Values values, SimdLevel level)
        : m_flow(program, values, pointersOf(launch))
        , m_code(program.code)
    {
        if (values == Values::OfEachBlock)
            m_decisions.emplace(program, values, pointersOf(launch), For::Decisions);
        m_plan.program = program;
        m_values = values;
        m_plan.level = level;
    }

    std::optional<BlockPlan> run()
    {
        if (m_flow.asksForData() || std::ranges::any_of(m_code, isAsynchronous))
            return std::nullopt;
        chooseHomes();
        moveUniformSources();
        findSegments();
        for (const Decoded& d : m_code) {
            m_plan.hasBarriers |= d.source->op == Opcode::Bar;
            m_plan.hasCarry |= usesCarry(*d.source);
        }
        for (std::uint32_t pc = 0; pc < m_code.size(); ++pc)
            m_plan.sharedDataMatters |= readsShared(*m_code[pc].source) && m_flow.resultMatters(pc);
        for (std::uint32_t slot = 0; slot < m_plan.program.registers; ++slot)
            if (m_flow.isReadEarly(slot) || m_flow.isUnknown(slot))
                m_plan.cleared.push_back(slot);
        return std::move(m_plan);
    }

private:
    Home homeOfSource(const OperandSlot& slot) const
    {
        return slot.bank == 1 ? Home::LaunchUniform : m_home[slot.slot];
    }

    /// A value that may be computed at any time, for every lane.
    bool isMovable(const Decoded& d) const
    {
        const Instruction& i = *d.source;
        if (d.guard != kNone || !(isPure(i) || isParameterLoad(d)))
            return false;
        bool writes = false;
        for (std::size_t k = 0; k < d.dst.size(); ++k) {
            if (i.dst[k].kind != OperandKind::Register)
                continue;
            writes = true;
            const std::uint32_t slot = d.dst[k].slot;
            if (m_flow.definitions(slot) != 1 || m_flow.isReadEarly(slot))
                return false;
        }
        return writes;
    }

    /// From a fixed place within the parameters.
    bool isParameterLoad(const Decoded& d) const
    {
        const Instruction& i = *d.source;
        const std::uint64_t width = std::uint64_t(bytesOf(i.type)) * i.vector;
        const std::uint64_t at = i.src[0].bits + std::uint64_t(i.offset);
        return i.op == Opcode::Ld && i.mod.space == Space::Param
            && i.src[0].kind == OperandKind::Immediate && at % width == 0
            && at + width <= m_plan.program.program->parameterBytes;
    }

    void chooseHomes()
    {
        m_home.assign(m_plan.program.registers, Home::Warp);
        m_done.assign(m_code.size(), false);
        for (const auto& [special, slot] : m_plan.program.specials)
            m_home[slot] = homeOf(special);
        for (std::uint32_t pc = 0; pc < m_code.size(); ++pc) {
            const Decoded& d = m_code[pc];
            if (!m_flow.matters(pc)) {
                m_done[pc] = true;
                continue;
            }
            if (!isMovable(d))
                continue;
            Home home = Home::LaunchUniform;
            for (const OperandSlot& source : d.src)
                home = joined(home, homeOfSource(source));
            if (home == Home::Warp)
                continue;
            m_done[pc] = true;
            for (std::size_t k = 0; k < d.dst.size(); ++k)
                if (d.source->dst[k].kind == OperandKind::Register)
                    m_home[d.dst[k].slot] = home;
            (home == Home::LaunchUniform     ? m_plan.launchUniform
                    : home == Home::LaunchLanes ? m_plan.launchLanes
                                                : m_plan.blockUniform)
                .push_back(pc);
        }
    }

    bool isShared(std::uint32_t slot) const
    {
        return m_home[slot] == Home::LaunchUniform || m_home[slot] == Home::BlockUniform;
    }

    void moveUniformSources()
    {
        for (Decoded& d : m_plan.program.code)
            for (OperandSlot& source : d.src)
                if (source.bank == 0 && isShared(source.slot))
                    source.bank = 2;
    }

    void findSegments()
    {
        const Program& source = *m_plan.program.program;
        const auto count = std::uint32_t(m_code.size());
        std::vector<bool> leads(count + 1, false);
        leads[0] = true;
        const auto lead = [&](std::uint32_t pc) {
            if (pc < count)
                leads[pc] = true;
        };
        for (std::uint32_t pc = 0; pc < count; ++pc) {
            const Instruction& i = *m_code[pc].source;
            if (endsSegment(i) || m_code[pc].guard != kNone)
                lead(pc + 1);
            if (m_code[pc].guard != kNone)
                lead(pc);
            if (i.op == Opcode::Bra)
                lead(i.target);
            if (i.op == Opcode::BrxIdx)
                for (const std::uint32_t target : source.branchTables[i.target])
                    lead(target);
            if (i.op == Opcode::Bra || i.op == Opcode::BrxIdx)
                lead(i.reconverge);
        }
        m_plan.segmentAt.assign(count, kNone);
        for (std::uint32_t pc = 0; pc < count;) {
            Segment segment { .begin = pc, .firstStep = std::uint32_t(m_plan.steps.size()) };
            m_plan.segmentAt[pc] = std::uint32_t(m_plan.segments.size());
            if (m_code[pc].guard != kNone) {
                const std::uint32_t slot = m_code[pc].guard;
                segment.guard
                    = OperandSlot { .bank = std::uint8_t(isShared(slot) ? 2 : 0), .slot = slot };
            }
            do
                addStep(pc++);
            while (pc < count && !leads[pc]);
            segment.end = pc;
            segment.lastStep = std::uint32_t(m_plan.steps.size());
            m_plan.segments.push_back(segment);
        }
    }

    void addStep(std::uint32_t pc)
    {
        const Decoded& d = m_code[pc];
        const Instruction& i = *d.source;
        if (m_done[pc] || isNop(d))
            return;
        PlannedStep step { .instruction = pc };
        const int width = bytesOf(i.type) * i.vector;
        if (i.op == Opcode::Bra) {
            step.kind = PlannedKind::Branch;
        } else if ((i.op == Opcode::Ld || i.op == Opcode::St) && i.mod.space == Space::Global
            && width <= 16 && std::has_single_bit(unsigned(width))) {
            step.kind = PlannedKind::Access;
            step.access = m_plan.accesses++;
            step.widthBytes = std::uint8_t(width);
            step.offset = i.offset;
            step.movesData
                = i.op == Opcode::Ld ? m_flow.resultMatters(pc) : m_values != Values::None && m_flow.storeMatters(pc);
            step.decides = i.op == Opcode::Ld && m_decisions && m_decisions->resultMatters(pc);
        } else if ((i.op == Opcode::Ld || i.op == Opcode::St) && i.mod.space == Space::Shared
            && m_plan.program.sharedBytes != 0 && width <= 16
            && std::has_single_bit(unsigned(width))) {
            step.kind = PlannedKind::SharedAccess;
            step.widthBytes = std::uint8_t(width);
            step.offset = i.offset;
        } else if (isPure(i) && !m_flow.touchesUnknown(d)) {
            step.kernel = laneKernel(i, m_plan.level);
            if (step.kernel.run != nullptr)
                step.kind = PlannedKind::Lanes;
        }
        m_plan.steps.push_back(step);
    }

    bool isNop(const Decoded& d) const
    {
        static const Handler nop = handlerOf(Instruction { .op = Opcode::Nop });
        // Nobody watches a plan's waits for copies.
        return d.run == nop || d.source->op == Opcode::CpAsyncCommit || d.source->op == Opcode::CpAsyncWait;
    }

    RegisterFlow m_flow;
    std::optional<RegisterFlow> m_decisions;
    const std::vector<Decoded>& m_code;
    BlockPlan m_plan;
    Values m_values = Values::None;
    std::vector<Home> m_home;
    std::vector<bool> m_done; ///< nothing left to do in the warps
};

} // namespace

std::optional<BlockPlan> planBlocks(
    const DecodedProgram& program, const Launch& launch, Values values, SimdLevel level)
{
    return Planner(program, launch, values, level).run();
}

} // namespace coalescope::analysis
