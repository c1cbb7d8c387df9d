// SPDX-License-Identifier: Apache-2.0
// Barrier objects in shared memory. Source: PTX ISA, "Parallel Synchronization and Communication
// Instructions": mbarrier; "Data Movement and Conversion Instructions": cp.async.mbarrier.arrive.
//
// They touch no counter of shared memory. Source: 8 arrivals, waits, initialisations and expect_tx a
// thread on an H200, driver 580.159.04, 2026-11-24: wavefronts and instructions of shared loads and
// stores as without them.
#include "analysis/execute/mbarrier.h"

#include "analysis/execute/access_checks.h"
#include "analysis/execute/lane_ops.h"

#include <fmt/format.h>

#include <cstring>

namespace coalescope::analysis {

namespace {

constexpr int kBytes = 8;
constexpr std::uint64_t kWindow = 0xffffffff; ///< offsets in shared memory
constexpr std::uint32_t kMostArrivals = (1u << 20) - 1; ///< PTX ISA, "mbarrier contents"

/// What the 64 bits hold; the ISA leaves their order open.
struct Contents {
    std::uint32_t pending = 0, expected = 0; ///< arrivals
    std::int32_t bytes = 0; ///< that are still to come
    bool phase = false;

    static Contents of(Word word)
    {
        return { .pending = std::uint32_t(word) & kMostArrivals,
            .expected = std::uint32_t(word >> 20) & kMostArrivals,
            .bytes = std::int32_t(word >> 40 << 9) >> 9,
            .phase = (word >> 63) != 0 };
    }
    [[nodiscard]] Word word() const
    {
        return Word(pending) | Word(expected) << 20 | (Word(std::uint32_t(bytes)) & 0x7fffff) << 40 | Word(phase) << 63;
    }
};

Contents contentsAt(Block& block, std::uint64_t address)
{
    Word word = 0;
    std::memcpy(&word, block.shared().bytes(address), kBytes);
    return Contents::of(word);
}

void put(Block& block, std::uint64_t address, Word word)
{
    std::memcpy(block.shared().bytes(address), &word, kBytes);
    std::memset(block.shared().flags(address), 0, kBytes);
}

/// One arrival or transfer of some thread.
struct Change {
    std::uint32_t arrivals = 0, dropped = 0;
    std::int64_t bytes = 0; ///< more to come
    bool ofCopies = false; ///< asynchronous ones that are there
    bool joins = true; ///< what the thread did before is known to those who wait
};

/// False where the block has to stop.
bool change(Warp& w, const Decoded& d, int lane, std::uint64_t address, const Change& change)
{
    Block& block = *w.block;
    Contents now = contentsAt(block, address);
    if (now.expected == 0) {
        stopAt(w, d, lane, fmt::format("uses an mbarrier at shared offset {} that has not been initialised", address));
        return false;
    }
    if (change.arrivals > now.pending) {
        stopAt(w, d, lane,
            fmt::format("arrives at the mbarrier at shared offset {} more often than its count of {} allows", address, now.expected));
        return false;
    }
    MBarrierClocks& clocks = block.clocksOf(address);
    clocks.tellsOfCopies = clocks.tellsOfCopies || change.ofCopies;
    if (change.joins)
        block.shared().arrive(w.index, clocks.arrived);
    now.bytes += std::int32_t(change.bytes);
    now.pending -= change.arrivals;
    now.expected -= change.dropped;
    if (now.pending == 0 && now.bytes == 0) {
        now.pending = now.expected;
        now.phase = !now.phase;
        clocks.completed = clocks.arrived;
        block.onPhase();
    }
    put(block, address, now.word());
    return true;
}

/// Addresses of the lanes' objects in shared memory; false where the block has to stop.
bool open(Warp& w, const Decoded& d, LaneMask mask, AccessPath& path)
{
    Block& block = *w.block;
    for (const OperandSlot slot : { d.src[0], d.src[1] }) {
        if (rules::asksForOneValue(w, w.state(slot), mask))
            return false;
    }
    const bool isGeneric = d.source->mod.space == Space::Generic;
    path = { .space = Space::Shared, .lanes = mask };
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t address = w.value(d.src[0])[lane] + Word(d.source->offset);
        path.address[std::size_t(lane)] = isGeneric ? address - kSharedWindowBase : address & kWindow;
        if (path.address[std::size_t(lane)] > kWindow) {
            stopAt(w, d, lane, fmt::format("uses an mbarrier at {:#x}, outside shared memory", address));
            return false;
        }
    }
    path.good = checkAccess(w, d, path, { .base = d.src[0], .purpose = Purpose::Atomic, .widthBytes = kBytes });
    for (LaneMask rest = path.good; rest != 0; rest &= rest - 1)
        if (path.address[std::size_t(std::countr_zero(rest))] % kBytes != 0)
            path.good &= ~(rest & -rest);
    block.shared().beginAccess();
    return !block.isStopped();
}

/// Calls f(lane, address) for each lane's object, lanes in order of their number, until it says that the block has to stop.
template <class F> Step forEachObject(Warp& w, const Decoded& d, LaneMask mask, F&& f)
{
    AccessPath path;
    if (!open(w, d, mask, path))
        return Step::Stop;
    for (LaneMask rest = path.good; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (!f(lane, path.address[std::size_t(lane)]))
            return Step::Stop;
    }
    return Step::Next;
}

Change changeOf(MBarrierMode mode, std::uint32_t operand)
{
    switch (mode) {
    case MBarrierMode::ExpectTx:
        return { .bytes = operand, .joins = false };
    case MBarrierMode::CompleteTx:
        return { .bytes = -std::int64_t(operand) };
    case MBarrierMode::ArriveExpectTx:
        return { .arrivals = 1, .bytes = operand };
    case MBarrierMode::ArriveDropExpectTx:
        return { .arrivals = 1, .dropped = 1, .bytes = operand };
    case MBarrierMode::ArriveDrop:
    case MBarrierMode::ArriveDropNoComplete:
        return { .arrivals = operand, .dropped = operand };
    default:
        return { .arrivals = operand };
    }
}

bool isReady(const Warp& w, const Decoded& d, int lane, const Contents& now)
{
    const Word operand = w.value(d.src[1])[lane];
    return now.phase != (waitsByParity(d.source->mod.mbarrier) ? (operand & 1) != 0 : Contents::of(operand).phase);
}

/// Whether the warp's lanes have more to load or store where all of them meet again.
bool meetAndAccess(const Warp& w)
{
    return !w.stack.empty() && w.block->program().reachesAccess[w.stack.front().pc];
}

/// Source: rings as in bulk_ring of tests/device/kernels, but filled by the first lane of those who empty them, on an H200, driver 580.159.04, 2026-11-24: up to
/// a fifth more shared loads than without the wait, those of one warp in two parts.
void noteWaitingApart(Warp& w, const Decoded& d)
{
    Block& block = *w.block;
    const auto& origin = block.box().origin;
    block.log().add(HazardKind::NotModelled, d.source->lineToName(), 0, orderOf(block.launch().grid, origin), [&] {
        return fmt::format("lanes of warp {} of block ({}, {}, {}) wait here for an mbarrier apart from the others: if the GPU does not "
                           "join them again, it counts requests in parts, and more of them than are predicted",
            w.index, origin[0], origin[1], origin[2]);
    });
}

/// Every wait, also a test, lasts until the phase is complete, unless nothing else in the block goes on.
Step wait(Warp& w, const Decoded& d, LaneMask mask)
{
    AccessPath path;
    if (!open(w, d, mask, path))
        return Step::Stop;
    Block& block = *w.block;
    if (mask != w.live && meetAndAccess(w))
        noteWaitingApart(w, d);
    LaneMask ready = mask & ~path.good;
    for (LaneMask rest = path.good; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t address = path.address[std::size_t(lane)];
        if (isReady(w, d, lane, contentsAt(block, address)))
            ready |= rest & -rest;
        else if (!w.waitsInVain)
            return block.poll(w, address);
    }
    w.waitsInVain = false;
    for (LaneMask rest = ready & path.good; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t address = path.address[std::size_t(lane)];
        touchShared(w, d, address, kBytes, lane, Touch::Atomic);
        const MBarrierClocks& clocks = block.clocksOf(address);
        block.shared().join(w.index, clocks.completed);
        if (clocks.tellsOfCopies && (mask & ((rest & -rest) - 1)) == 0)
            block.onCopyEvent(w, { CopyEvent::Kind::Barrier, address });
    }
    writeLanes(w, d.dst[0], mask, [&](int lane) { return Word(ready >> lane & 1); });
    w.setState(d.dst[0], mask, {});
    return Step::Next;
}

Step arrive(Warp& w, const Decoded& d, LaneMask mask)
{
    std::array<Word, kWarpLanes> states {};
    const Step step = forEachObject(w, d, mask, [&](int lane, std::uint64_t address) {
        states[std::size_t(lane)] = contentsAt(*w.block, address).word();
        touchShared(w, d, address, kBytes, lane, Touch::Atomic);
        return change(w, d, lane, address, changeOf(d.source->mod.mbarrier, std::uint32_t(w.value(d.src[1])[lane])));
    });
    if (step != Step::Next)
        return step;
    writeLanes(w, d.dst[0], mask, [&](int lane) { return states[std::size_t(lane)]; });
    w.setState(d.dst[0], mask, {});
    return Step::Next;
}

Step initialise(Warp& w, const Decoded& d, LaneMask mask)
{
    const bool ends = d.source->mod.mbarrier == MBarrierMode::Inval;
    return forEachObject(w, d, mask, [&](int lane, std::uint64_t address) {
        const auto count = ends ? 0 : std::uint32_t(w.value(d.src[1])[lane]);
        if (!ends && (count == 0 || count > kMostArrivals)) {
            stopAt(w, d, lane, fmt::format("initialises an mbarrier with a count of {}; it is 1 to {}", count, kMostArrivals));
            return false;
        }
        // The last one to use it ends it: which that is may be counted in other memory.
        touchShared(w, d, address, kBytes, lane, ends ? Touch::Atomic : Touch::Write);
        put(*w.block, address, Contents { .pending = count, .expected = count }.word());
        return true;
    });
}

Step pendingCount(Warp& w, const Decoded& d, LaneMask mask)
{
    if (rules::asksForValue(w, w.state(d.src[0]), mask))
        return Step::Stop;
    writeLanes(w, d.dst[0], mask, [&](int lane) { return Word(Contents::of(w.value(d.src[0])[lane]).pending); });
    w.setState(d.dst[0], mask, {});
    return Step::Next;
}

/// The thread's copies are there already. Without .noinc the arrival was added to the count before.
Step arriveForCopies(Warp& w, const Decoded& d, LaneMask mask)
{
    const Change arrival { .arrivals = d.source->mod.noIncrement ? 1u : 0u, .ofCopies = true };
    return forEachObject(w, d, mask, [&](int lane, std::uint64_t address) { return change(w, d, lane, address, arrival); });
}

} // namespace

bool completeTransfer(Warp& w, const Decoded& d, int lane, std::uint64_t address, std::uint32_t bytes)
{
    if (address % kBytes != 0 || address + kBytes > w.block->shared().size()) {
        stopAt(w, d, lane, fmt::format("names an mbarrier at shared offset {}; it lies within shared memory at a multiple of {}", address, kBytes));
        return false;
    }
    return change(w, d, lane, address, { .bytes = -std::int64_t(bytes), .ofCopies = true });
}

Handler selectMBarrier(const Instruction& i)
{
    if (i.mod.space != Space::Shared && i.mod.space != Space::Generic)
        return nullptr;
    switch (i.mod.mbarrier) {
    case MBarrierMode::Init:
    case MBarrierMode::Inval:
        return &initialise;
    case MBarrierMode::TestWait:
    case MBarrierMode::TestWaitParity:
    case MBarrierMode::TryWait:
    case MBarrierMode::TryWaitParity:
        return &wait;
    case MBarrierMode::PendingCount:
        return &pendingCount;
    default:
        return &arrive;
    }
}
Handler selectCpAsyncArrive(const Instruction&) { return &arriveForCopies; }

} // namespace coalescope::analysis
