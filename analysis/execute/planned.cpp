// SPDX-License-Identifier: Apache-2.0
// Execution of single blocks by a plan. The handlers remain the owners of the semantics: whatever is
// unusual, from a misaligned address to a hazard, is left to them.
#include "analysis/execute/access_path.h"

#include <algorithm>
#include <cstring>

namespace coalescope::analysis {

/// Sets up what all blocks of the launch share.
void Block::startPlan(const Box& box)
{
    m_planStarted = true;
    m_tools = &laneTools(m_plan->level);
    const std::size_t constantCount = m_program.constants.size() / kWarpLanes;
    m_constants.resize(constantCount + 1);
    for (std::size_t c = 0; c < constantCount; ++c)
        std::copy_n(m_program.constants.data() + c * kWarpLanes, kWarpLanes,
            m_constants[c].lane.data());
    m_uniformRegisters.assign(m_program.registers, {});
    m_uniformStates.assign(m_program.registers, {});
    m_segmentCounts.assign(m_plan->segments.size(), {});
    m_memos.resize(m_plan->accesses * m_warps.size());
    prepare(box);

    Word* const uniform = m_uniformRegisters.front().lane.data();
    Word* const constants = m_constants.front().lane.data();
    m_uniform.block = this;
    m_uniform.bank = { uniform, constants, uniform };
    m_uniform.states
        = { m_uniformStates.data(), m_constantStates.data(), m_uniformStates.data() };
    m_uniform.live = m_uniform.active = kAllLanes;
    for (const auto& [special, slot] : m_program.specials)
        fillSpecial(m_uniform, special, slot);
    const auto compute = [this](Warp& warp, std::uint32_t pc) {
        (void)m_program.code[pc].run(warp, m_program.code[pc], kAllLanes);
    };
    for (const std::uint32_t pc : m_plan->launchUniform)
        compute(m_uniform, pc);
    for (Warp& warp : m_warps) {
        warp.bank[1] = constants;
        warp.bank[2] = uniform;
        warp.states[2] = m_uniformStates.data();
        for (const std::uint32_t pc : m_plan->launchLanes)
            compute(warp, pc);
    }
}

void Block::preparePlanned(const Box& box)
{
    if (!m_planStarted)
        startPlan(box);
    m_issuedBefore += m_issued;
    m_issued = 0;
    m_nextCheck = kCheckEvery;
    m_outcome = {};
    m_hazards.clear();
    m_pool.moveTo(box.origin);
    if (m_plan->hasBarriers)
        m_barriers = {};
    if (m_program.sharedBytes != 0)
        m_shared.resetAndFollow(m_program.sharedBytes, std::uint32_t(m_warps.size()),
            m_program.shadowBytes, m_plan->sharedDataMatters);
    if (auto told = tellRetired(*m_observer); !told)
        stop(std::move(told.error()));
    if (m_program.program->localBytes != 0)
        m_local.reset(m_program.program->localBytes, m_threads);
    for (const auto& [special, slot] : m_program.specials)
        if (special >= SpecialRegister::CtaidX && special <= SpecialRegister::CtaidZ)
            fillSpecial(m_uniform, special, slot);
    for (const std::uint32_t pc : m_plan->blockUniform)
        (void)m_program.code[pc].run(m_uniform, m_program.code[pc], kAllLanes);
    for (Warp& warp : m_warps) {
        const std::uint32_t lanes
            = std::min(m_threads - warp.index * kWarpLanes, std::uint32_t(kWarpLanes));
        warp.live = warp.active = lanes == kWarpLanes ? kAllLanes : (1u << lanes) - 1;
        warp.pc = 0;
        warp.reconverge = kNone;
        warp.stack.clear();
        warp.status = WarpStatus::Ready;
        if (m_plan->hasCarry)
            std::ranges::fill(warp.carry, false);
        for (const std::uint32_t slot : m_plan->cleared) {
            std::fill_n(warp.bank[0] + std::size_t(slot) * kWarpLanes, kWarpLanes, Word(0));
            warp.states[0][slot] = {};
        }
    }
}

void Block::runWarpPlanned(Warp& warp)
{
    const auto end = std::uint32_t(m_program.code.size());
    while (warp.findLanes(end)) {
        const std::uint32_t number = m_plan->segmentAt[warp.pc];
        const Segment& segment = m_plan->segments[number];
        LaneMask mask = warp.active;
        if (segment.guard) {
            const LaneMask set = m_tools->set(warp.value(*segment.guard));
            mask &= m_program.code[segment.begin].guardNegated ? ~set : set;
        }
        if (!isWithinBudget(warp, segment))
            return;
        warp.pc = segment.end;
        if (mask == 0)
            continue;
        ++m_segmentCounts[number].executions;
        m_segmentCounts[number].lanes += unsigned(std::popcount(mask));
        if (runSteps(warp, segment, mask) != Step::Next) [[unlikely]]
            return;
    }
}

bool Block::isWithinBudget(Warp& warp, const Segment& segment)
{
    const std::uint32_t count = segment.end - segment.begin;
    if (m_issued + count < m_nextCheck) [[likely]] {
        m_issued += count;
        return true;
    }
    for (warp.pc = segment.begin; warp.pc < segment.end; ++warp.pc)
        if (++m_issued >= m_nextCheck && overBudget(warp))
            return false;
    return true;
}

Step Block::runSteps(Warp& warp, const Segment& segment, LaneMask mask)
{
    const PlannedStep* const last = m_plan->steps.data() + segment.lastStep;
    for (const PlannedStep* step = m_plan->steps.data() + segment.firstStep; step != last; ++step) {
        const Decoded& d = m_program.code[step->instruction];
        Step next = Step::Next;
        switch (step->kind) {
        case PlannedKind::Lanes:
            runLanes(warp, *step, mask);
            continue;
        case PlannedKind::Access:
            next = access(warp, *step, mask);
            break;
        case PlannedKind::SharedAccess:
            next = accessShared(warp, *step, mask);
            break;
        case PlannedKind::Branch:
            if (mask == warp.active)
                warp.pc = d.source->target;
            else
                next = d.run(warp, d, mask);
            break;
        case PlannedKind::Handler:
            next = d.run(warp, d, mask);
            break;
        }
        if (next != Step::Next) [[unlikely]]
            return next;
    }
    return Step::Next;
}

void Block::runLanes(Warp& warp, const PlannedStep& step, LaneMask mask)
{
    const Decoded& d = m_program.code[step.instruction];
    const Word *a = warp.value(d.src[0]), *b = warp.value(d.src[1]), *c = warp.value(d.src[2]);
    Word* const out = warp.target(d.dst[0]);
    if (warp.coversAll(mask)) [[likely]]
        return step.kernel.run(out, a, b, c, step.kernel.k);
    LaneWords result;
    step.kernel.run(result.lane.data(), a, b, c, step.kernel.k);
    m_tools->blend(out, result.lane.data(), mask);
}

Step Block::access(Warp& warp, const PlannedStep& step, LaneMask mask)
{
    AccessMemo& memo = m_memos[step.access * m_warps.size() + warp.index];
    const Decoded& d = m_program.code[step.instruction];
    if (!isKnown(warp, step, mask, memo)) [[unlikely]]
        return isStopped() ? Step::Stop : d.run(warp, d, mask);
    const Word address = warp.value(d.src[0])[memo.anchorLane] + Word(step.offset);
    ++memo.seen[address % memo.seen.size()];
    if (step.movesData)
        moveData(warp, step, mask, memo);
    return Step::Next;
}

/// True where every lane is aligned and lies in one buffer, and the memo holds their distances.
bool Block::isKnown(Warp& warp, const PlannedStep& step, LaneMask mask, AccessMemo& memo)
{
    const Word* const base = warp.value(m_program.code[step.instruction].src[0]);
    const Word width = step.widthBytes;
    const bool same = memo.lanes == mask
        && (m_tools->differs(base, base[memo.anchorLane], memo.relative.data()) & mask) == 0;
    const int lane = same ? memo.anchorLane : std::countr_zero(mask);
    const Word anchor = base[lane] + Word(step.offset);
    if (same && anchor - memo.windowStart <= memo.windowSize && anchor % width == 0) [[likely]]
        return true;

    Word least = ~Word(0), most = 0, bits = 0;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const Word address = base[std::countr_zero(rest)] + Word(step.offset);
        least = std::min(least, address);
        most = std::max(most, address);
        bits |= address;
    }
    if (bits % width != 0 || most > ~Word(0) - width)
        return false;
    const auto buffer = m_map.find(least, most + width - least);
    if (!buffer)
        return false;
    if (!same) {
        if (auto told = tell(*m_observer, memo, step, warp.index); !told) {
            stop(std::move(told.error()));
            return false;
        }
        memo.seen = {};
        memo.lanes = mask;
        memo.anchorLane = lane;
        memo.first = anchor;
        for (std::size_t l = 0; l < kWarpLanes; ++l)
            memo.relative[l] = base[l] - base[lane];
    }
    const Buffer& found = m_map.buffers()[*buffer];
    memo.buffer = *buffer;
    memo.windowStart = found.address + (anchor - least);
    memo.windowSize = found.bytes - (most + width - least);
    return true;
}

/// Moves what one access loads or stores. Every lane is aligned and in the memo's buffer.
void Block::moveData(Warp& warp, const PlannedStep& step, LaneMask mask, const AccessMemo& memo)
{
    const Decoded& d = m_program.code[step.instruction];
    const Instruction& i = *d.source;
    const bool loads = i.op == Opcode::Ld;
    const auto size = std::size_t(bytesOf(i.type));
    if (m_options.values == nullptr) { // a load whose values nobody has
        for (std::size_t e = 0; e < i.vector; ++e) {
            m_tools->blend(warp.target(d.dst[e]), LaneWords {}.lane.data(), mask);
            warp.setState(d.dst[e], mask, { .unknown = mask });
        }
        return;
    }
    if (step.decides)
        m_options.values->noteDecision(memo.buffer);
    const Word* const base = warp.value(d.src[0]);
    const Word start = m_map.buffers()[memo.buffer].address - Word(step.offset);
    std::array<std::uint8_t, 16> room;
    const auto bytes = std::span(room).first(step.widthBytes);
    if (loads) {
        // Neighbours mostly lie in one page and one line: each is looked up once.
        GlobalMemory::PageBytes page;
        std::uint64_t line = ~std::uint64_t(0);
        const auto bytesAt = [&](std::uint64_t offset) -> const std::uint8_t* {
            if (offset / LineUses::kLineBytes != line) {
                line = offset / LineUses::kLineBytes;
                m_options.values->noteLoad(memo.buffer, offset, step.instruction);
            }
            if (offset - page.offset >= page.bytes.size())
                page = m_options.values->pageAt(memo.buffer, offset);
            const std::uint64_t at = offset - page.offset;
            if (bytes.size() <= page.bytes.size() - at)
                return page.bytes.data() + at;
            m_options.values->load(memo.buffer, offset, bytes);
            return room.data();
        };
        return withElement(i.type, [&]<class T>(T) {
            for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
                const int lane = std::countr_zero(rest);
                const std::uint8_t* const from = bytesAt(base[lane] - start);
                for (std::size_t e = 0; e < i.vector; ++e)
                    warp.target(d.dst[e])[lane] = elementOf<T>(from + e * sizeof(T));
            }
        });
    }
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        for (std::size_t e = 0; e < i.vector; ++e)
            std::memcpy(room.data() + e * size, &warp.value(d.src[e + 1])[lane], size);
        m_options.values->store(memo.buffer, base[lane] - start, bytes, step.instruction);
    }
}

/// Has the accesses that a memo counted judged: as those of a box whose blocks shift them.
Result<void> Block::tell(
    BlockObserver& observer, const AccessMemo& memo, const PlannedStep& step, std::uint32_t warp)
{
    if (memo.lanes == 0)
        return {};
    std::array<ResidueCount, 128> shifts;
    std::size_t count = 0;
    for (std::size_t r = memo.first % step.widthBytes; r < memo.seen.size(); r += step.widthBytes)
        if (memo.seen[r] != 0)
            shifts[count++] = { std::uint32_t((r - memo.first) % memo.seen.size()), memo.seen[r] };
    const Instruction& source = *m_program.code[step.instruction].source;
    if (source.isJoined) // its bytes count with the access that it is joined to
        return {};
    WarpAccess access { .space = Space::Global,
        .op = source.op == Opcode::Ld ? MemoryOp::Load : MemoryOp::Store,
        .widthBytes = source.joinedBytes != 0 ? source.joinedBytes : step.widthBytes,
        .active = memo.lanes,
        .instruction = step.instruction };
    for (std::size_t l = 0; l < kWarpLanes; ++l)
        access.address[l]
            = memo.first + memo.relative[l] + Word(std::int64_t(source.joinedOffset));
    return observer.onAccess(warp, access, std::span(shifts).first(count));
}

Result<void> Block::finishPlan(BlockObserver& observer)
{
    for (std::size_t s = 0; s < m_segmentCounts.size(); ++s)
        for (std::uint32_t pc = m_plan->segments[s].begin; pc < m_plan->segments[s].end; ++pc)
            m_counts[pc] = m_segmentCounts[s];
    m_issued += m_issuedBefore;
    m_issuedBefore = 0;
    m_shared.retireAll();
    if (auto told = tellRetired(observer); !told)
        return told;
    for (const PlannedStep& step : m_plan->steps) {
        if (step.kind != PlannedKind::Access)
            continue;
        for (std::uint32_t warp = 0; warp < m_warps.size() && m_planStarted; ++warp) {
            AccessMemo& memo = m_memos[step.access * m_warps.size() + warp];
            if (auto told = tell(observer, memo, step, warp); !told)
                return told;
            memo = {};
        }
    }
    return {};
}

} // namespace coalescope::analysis
