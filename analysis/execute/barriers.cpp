// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/block.h"
#include "analysis/execute/rules.h"
#include "analysis/result/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace coalescope::analysis {

/// A warp arrives as a whole; lanes that are elsewhere in the program are reported.
Step Block::arrive(Warp& warp, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const int lane = std::countr_zero(mask);
    for (const OperandSlot slot : { d.src[0], d.src[1] })
        if (rules::asksForOneValue(warp, warp.state(slot), mask))
            return Step::Stop;
    const Word id = std::uint32_t(warp.value(d.src[0])[lane]);
    if (id >= m_barriers.size()) {
        stop({ ErrorCode::ExecutionFailed,
            fmt::format("barrier {} does not exist: there are 16", id),
            placeOf(*m_program.program, instructionOf(d)) });
        return Step::Stop;
    }
    Barrier& barrier = m_barriers[id];
    if (i.src[1].kind != OperandKind::None)
        barrier.expected = std::uint32_t(warp.value(d.src[1])[lane]);
    barrier.instruction = instructionOf(d);
    if (mask != warp.live) {
        const auto missing = unsigned(std::popcount(warp.live & ~mask));
        const auto block = box().origin;
        m_hazards.add(HazardKind::BarrierDivergence, i.lineToName(), 0, 0, [&] {
            return fmt::format(
                "{} of warp {} in block ({}, {}, {}) {} not at this barrier with the rest of the warp",
                counted(missing, "thread"), warp.index, block[0], block[1], block[2], missing == 1 ? "is" : "are");
        });
    }
    // The hardware counts whole warps: a partial last warp counts as 32 threads against a given
    // count.
    barrier.arrived
        += barrier.expected != 0 ? unsigned(kWarpLanes) : unsigned(std::popcount(warp.live));
    if (barrier.expected != 0)
        m_shared.arrive(warp.index, barrier.joined);
    if (i.mod.bar == BarMode::RedPopc || i.mod.bar == BarMode::RedAnd
        || i.mod.bar == BarMode::RedOr) {
        const RegisterState& state = warp.state(d.src[2]);
        barrier.predicateUnknown |= (state.unknown | state.nonlinear) & mask;
        for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
            barrier.predicateLanes += unsigned(
                (warp.value(d.src[2])[std::countr_zero(rest)] & 1) != Word(d.src[2].negated));
    }
    m_observer->onBarrier(warp.index, instructionOf(d));
    if (i.mod.bar == BarMode::Arrive)
        return Step::Next;
    barrier.waiting.push_back(warp.index);
    warp.status = WarpStatus::Waiting;
    warp.barrier = std::uint32_t(id);
    return Step::Wait;
}

std::uint32_t Block::liveThreads() const
{
    std::uint32_t live = 0;
    for (const Warp& warp : m_warps)
        if (warp.status != WarpStatus::Exited)
            live += unsigned(std::popcount(warp.live));
    return live;
}

void Block::releaseBarriers()
{
    for (Barrier& barrier : m_barriers)
        if (!barrier.waiting.empty()
            && barrier.arrived >= (barrier.expected != 0 ? barrier.expected : liveThreads()))
            release(barrier);
}

void Block::release(Barrier& barrier)
{
    const bool everyWarp = std::ranges::all_of(m_warps, [&](const Warp& warp) {
        return warp.status == WarpStatus::Exited
            || std::ranges::count(barrier.waiting, warp.index) != 0;
    });
    if (everyWarp) {
        m_shared.syncAll();
    } else {
        for (const std::uint32_t warp : barrier.waiting)
            m_shared.join(warp, barrier.joined);
    }
    for (const std::uint32_t index : barrier.waiting) {
        Warp& warp = m_warps[index];
        warp.status = WarpStatus::Ready;
        const Decoded& d = m_program.code[warp.pc - 1];
        const BarMode mode = d.source->mod.bar;
        if (mode == BarMode::Sync || mode == BarMode::Arrive)
            continue;
        const Word result = mode == BarMode::RedPopc ? barrier.predicateLanes
            : mode == BarMode::RedAnd ? Word(barrier.predicateLanes >= barrier.arrived)
                                      : Word(barrier.predicateLanes != 0);
        writeLanes(warp, d.dst[0], warp.active, [&](int) { return result; });
        warp.setState(
            d.dst[0], warp.active, { .unknown = barrier.predicateUnknown != 0 ? warp.active : 0 });
    }
    barrier = {};
}

MBarrierClocks& Block::clocksOf(std::uint64_t address)
{
    const auto known = std::ranges::find(m_mbarriers, address, &MBarrierClocks::address);
    return known != m_mbarriers.end() ? *known : m_mbarriers.emplace_back(MBarrierClocks { .address = address });
}

void Block::onPhase()
{
    m_roundsInVain = 0;
    for (Warp& warp : m_warps)
        if (warp.status == WarpStatus::Polling)
            warp.status = WarpStatus::Ready;
}

/// A warp that waits for a phase sleeps until one is complete: how often it looks meanwhile is a matter of time.
Step Block::poll(Warp& warp, std::uint64_t address)
{
    warp.status = WarpStatus::Polling;
    warp.barrier = std::uint32_t(address);
    return Step::Again;
}

/// Where nothing else goes on, a wait may be answered with no: the warp may have other things to do.
bool Block::tellWaitsInVain()
{
    if (isStopped() || m_roundsInVain == kMostRoundsInVain)
        return false;
    bool told = false;
    for (Warp& warp : m_warps)
        if (warp.status == WarpStatus::Polling) {
            warp.status = WarpStatus::Ready;
            warp.waitsInVain = told = true;
        }
    m_roundsInVain += told;
    return told;
}

/// Every warp has exited or waits for a barrier that cannot complete.
void Block::reportDeadlock()
{
    const auto polling = std::ranges::find(m_warps, WarpStatus::Polling, &Warp::status);
    if (polling != m_warps.end()) {
        const auto block = box().origin;
        return stop({ ErrorCode::ExecutionFailed,
            fmt::format("block ({}, {}, {}) hangs: warp {} waits here for a phase of the mbarrier at shared offset {} that nothing completes",
                block[0], block[1], block[2], polling->index, polling->barrier),
            placeOf(*m_program.program, polling->pc) });
    }
    for (const Barrier& barrier : m_barriers) {
        if (barrier.waiting.empty())
            continue;
        const auto block = box().origin;
        stop({ ErrorCode::ExecutionFailed,
            fmt::format(
                "block ({}, {}, {}) hangs: {} reached this barrier, which waits for {}",
                block[0], block[1], block[2], counted(barrier.arrived, "thread"),
                barrier.expected != 0 ? barrier.expected : liveThreads()),
            placeOf(*m_program.program, barrier.instruction) });
        return;
    }
}

} // namespace coalescope::analysis
