// SPDX-License-Identifier: Apache-2.0
// Bulk copies between global and shared memory. Source: PTX ISA, "Data Movement and Conversion
// Instructions": cp.async.bulk.
#include "analysis/execute/access_checks.h"
#include "analysis/execute/mbarrier.h"

#include <fmt/format.h>

#include <algorithm>

namespace coalescope::analysis {

namespace {

constexpr std::uint32_t kPiece = 16; ///< bytes: size and both addresses are multiples of it

/// What is copied at a time lies within one line of shared memory, however the global side lies: the
/// L2 is asked for the sectors of each part. Source: copies of 16 to 16,384 bytes to and from shared
/// memory at 7 pairs of offsets, l1tex__m_xbar2l1tex_read_sectors and l1tex__m_l1tex2xbar_write_sectors
/// on an H200, driver 580.159.04, 2026-11-24, as predicted each time.
constexpr std::uint32_t kLine = 128; ///< bytes

/// One thread's copy.
struct Copy {
    int lane = 0;
    std::uint64_t global = 0, shared = 0;
    std::uint32_t bytes = 0;
    CoefficientId shift = 0; ///< of the global address
    bool loads = false;
};

/// One piece of 16 bytes of the copy, as an access of the thread.
AccessPath pathOf(Space space, const Copy& copy, std::uint64_t address)
{
    AccessPath path { .space = space, .lanes = 1u << copy.lane, .shift = space == Space::Global ? copy.shift : CoefficientId(0) };
    path.address[std::size_t(copy.lane)] = address;
    return path;
}

Step observe(Warp& w, const Decoded& d, const Copy& copy)
{
    Block& block = *w.block;
    for (std::uint32_t at = 0; at < copy.bytes;) {
        const auto bytes = std::min<std::uint32_t>(copy.bytes - at, kLine - (copy.shared + at) % kLine);
        WarpAccess access { .space = Space::Global,
            .op = copy.loads ? MemoryOp::BulkLoad : MemoryOp::BulkStore,
            .widthBytes = kPiece,
            .l1 = L1Use::Bypassed,
            .active = (1u << bytes / kPiece) - 1,
            .instruction = block.instructionOf(d) };
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
            access.address[lane] = copy.global + at + lane * kPiece;
        if (block.observe(w.index, access, copy.shift) != Step::Next)
            return Step::Stop;
        at += bytes;
    }
    return Step::Next;
}

Step move(Warp& w, const Decoded& d, const Copy& copy)
{
    Block& block = *w.block;
    for (std::uint32_t at = 0; at < copy.bytes; at += kPiece) {
        AccessPath global = pathOf(Space::Global, copy, copy.global + at);
        AccessPath shared = pathOf(Space::Shared, copy, copy.shared + at);
        AccessPath &from = copy.loads ? global : shared, &to = copy.loads ? shared : global;
        from.good = checkAccess(w, d, from, { .base = d.src[1], .purpose = Purpose::Read, .widthBytes = kPiece });
        to.good = checkAccess(w, d, to, { .base = d.src[0], .purpose = Purpose::Write, .widthBytes = kPiece });
        if (block.isStopped())
            return Step::Stop;
        LaneBytes bytes;
        loadLane(w, d, from, copy.lane, kPiece, bytes);
        if (to.good != 0 && (copy.loads || block.values() != nullptr))
            storeLane(w, d, to, copy.lane, kPiece, bytes);
    }
    return Step::Next;
}

Step bulkCopy(Warp& w, const Decoded& d, LaneMask mask)
{
    Block& block = *w.block;
    const bool loads = d.source->mod.space == Space::Shared;
    const OperandSlot sharedSide = d.src[loads ? 0 : 1], globalSide = d.src[loads ? 1 : 0];
    if (rules::asksForValue(w, w.state(globalSide), mask))
        return Step::Stop;
    for (const OperandSlot slot : { sharedSide, d.src[2], d.src[3] })
        if (rules::asksForOneValue(w, w.state(slot), mask))
            return Step::Stop;
    const Instruction& i = *d.source;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const Copy copy { .lane = lane,
            .global = w.value(globalSide)[lane] + Word(loads ? i.sourceOffset : i.offset),
            .shared = (w.value(sharedSide)[lane] + Word(loads ? i.offset : i.sourceOffset)) & 0xffffffff,
            .bytes = std::uint32_t(w.value(d.src[2])[lane]),
            .shift = w.state(globalSide).coefficients,
            .loads = loads };
        if (copy.bytes % kPiece != 0 || copy.bytes > block.shared().size()) {
            stopAt(w, d, lane,
                fmt::format("copies {} bytes at once; a bulk copy takes a multiple of {}, up to the {} bytes of shared memory", copy.bytes,
                    kPiece, block.shared().size()));
            return Step::Stop;
        }
        block.shared().beginAccess();
        if (observe(w, d, copy) != Step::Next || move(w, d, copy) != Step::Next)
            return Step::Stop;
        if (loads && !completeTransfer(w, d, lane, w.value(d.src[3])[lane] & 0xffffffff, copy.bytes))
            return Step::Stop;
    }
    return Step::Next;
}

} // namespace

Handler selectBulkCopy(const Instruction&) { return &bulkCopy; }

} // namespace coalescope::analysis
