// SPDX-License-Identifier: Apache-2.0
// Atomics and reductions. Source: PTX ISA, "Parallel Synchronization and Communication
// Instructions": atom, red. Lanes are served in order of their number; the hardware promises no
// order.
#include "analysis/execute/access_checks.h"
#include "analysis/execute/access_path.h"
#include "analysis/execute/half.h"
#include "analysis/execute/lane_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace coalescope::analysis {

namespace {

template <class T> T integerUpdate(AtomOp op, T old, T a, T b)
{
    using U = std::make_unsigned_t<T>;
    switch (op) {
    case AtomOp::And:
        return old & a;
    case AtomOp::Or:
        return old | a;
    case AtomOp::Xor:
        return old ^ a;
    case AtomOp::Cas:
        return old == a ? b : old;
    case AtomOp::Exch:
        return a;
    case AtomOp::Add:
        return T(U(old) + U(a));
    case AtomOp::Inc:
        return U(old) >= U(a) ? T(0) : T(U(old) + 1);
    case AtomOp::Dec:
        return U(old) == 0 || U(old) > U(a) ? a : T(U(old) - 1);
    case AtomOp::Min:
        return std::min(old, a);
    case AtomOp::Max:
        return std::max(old, a);
    case AtomOp::None:
        break;
    }
    return old;
}
template <class T> T floatUpdate(AtomOp op, T old, T a)
{
    switch (op) {
    case AtomOp::Add:
        return T(double(old) + double(a));
    case AtomOp::Exch:
        return a;
    case AtomOp::Min:
        return double(a) < double(old) ? a : old;
    case AtomOp::Max:
        return double(a) > double(old) ? a : old;
    default:
        return old;
    }
}
template <class T> Word packedUpdate(AtomOp op, Word old, Word a)
{
    return word(floatUpdate<T>(op, as<T>(old), as<T>(a)))
        | word(floatUpdate<T>(op, as<T>(old >> 16), as<T>(a >> 16))) << 16;
}

Word updated(const Instruction& i, Word old, Word a, Word b)
{
    const AtomOp op = i.mod.atom;
    switch (i.type) {
    case Type::S32:
        return word(
            integerUpdate<std::int32_t>(op, std::int32_t(old), std::int32_t(a), std::int32_t(b)));
    case Type::S64:
        return word(
            integerUpdate<std::int64_t>(op, std::int64_t(old), std::int64_t(a), std::int64_t(b)));
    case Type::B16:
    case Type::U16:
        return integerUpdate<std::uint16_t>(
            op, std::uint16_t(old), std::uint16_t(a), std::uint16_t(b));
    case Type::B64:
    case Type::U64:
        return integerUpdate<std::uint64_t>(op, old, a, b);
    case Type::F32:
        return op == AtomOp::Add ? word(as<float>(old) + as<float>(a))
                                 : word(floatUpdate<float>(op, as<float>(old), as<float>(a)));
    case Type::F64:
        return word(floatUpdate<double>(op, as<double>(old), as<double>(a)));
    case Type::F16:
        return word(floatUpdate<Half>(op, as<Half>(old), as<Half>(a)));
    case Type::BF16:
        return word(floatUpdate<BFloat>(op, as<BFloat>(old), as<BFloat>(a)));
    case Type::F16x2:
        return packedUpdate<Half>(op, old, a);
    case Type::BF16x2:
        return packedUpdate<BFloat>(op, old, a);
    default:
        return integerUpdate<std::uint32_t>(
            op, std::uint32_t(old), std::uint32_t(a), std::uint32_t(b));
    }
}

/// Whether one thread draws the next of what all blocks share, as a tile, or its place among those that are done.
bool isTicket(const Instruction& i, LaneMask mask)
{
    constexpr LaneMask kElected = 1; // lane 0
    return i.op == Opcode::Atom && i.mod.isOfLaunch && mask == kElected && !isFloat(i.type)
        && (i.mod.atom == AtomOp::Inc || (i.mod.atom == AtomOp::Add && i.src[1].kind == OperandKind::Immediate && i.src[1].bits != 0));
}

/// The word after so many more updates like it.
Word afterUpdates(const Instruction& i, Word old, Word a, std::uint64_t times)
{
    if (i.mod.atom == AtomOp::Add)
        return updated(i, old, a * times, 0);
    const std::uint64_t values = std::uint64_t(std::uint32_t(a)) + 1; // 0 to a, then 0 again
    if (old < values)
        return (old + times) % values;
    return times == 0 ? old : (times - 1) % values;
}

/// One lane's update in one space; returns the old value's bytes.
///
/// Blocks draw tickets in turn: each finds what those of lower index have taken before, once for each time that it has come back. No
/// memory is shared with them: the word holds what all have taken together, the others as many as this one.
LaneBytes updateLane(Warp& w, const Decoded& d, const AccessPath& path, int lane, LaneBytes operand, bool isDrawn)
{
    const auto width = std::uint32_t(bytesOf(d.source->type));
    Block& block = *w.block;
    const std::uint64_t address = path.address[std::size_t(lane)];
    LaneBytes old;
    if (path.space == Space::Global && block.values() == nullptr) {
        old.flags = kByteUnknown;
        return old;
    }
    const bool isInTurn = isDrawn && block.values()->isOfOneBlock();
    if (isDrawn && !isInTurn)
        block.values()->noteTicket(address);
    if (path.space == Space::Shared) {
        std::memcpy(old.bytes.data(), block.shared().bytes(address), width);
        for (std::uint32_t b = 0; b < width; ++b)
            old.flags |= block.shared().flags(address)[b];
        old.axes = block.shared().nonlinearAxes;
        touchShared(w, d, address, width, lane, Touch::Atomic);
        if ((old.flags & kByteUnwritten) && d.source->mod.atom != AtomOp::Exch)
            report(w, d, HazardKind::Uninitialised, lane, {},
                fmt::format("updates shared bytes {} to {}, which nothing has written", address, address + width - 1));
    } else if (isInTurn) {
        block.values()->load(address, std::span(old.bytes).first(width)); // nothing of this is lost between blocks
    } else {
        loadLane(w, d, path, lane, width, old);
    }
    Word before = 0;
    std::memcpy(&before, old.bytes.data(), width);
    const Word a = w.value(d.src[1])[lane];
    const Dim3 grid = block.launch().grid;
    const Word after = isInTurn ? afterUpdates(*d.source, before, a, grid.count()) : updated(*d.source, before, a, w.value(d.src[2])[lane]);
    if (isInTurn) {
        const Word drawn = afterUpdates(*d.source, before, a, orderOf(grid, block.box().origin));
        std::memcpy(old.bytes.data(), &drawn, width);
    }
    operand.flags |= old.flags & (kByteUnknown | kByteNonlinear);
    operand.axes |= old.axes;
    std::memcpy(operand.bytes.data(), &after, width);
    if (path.space == Space::Shared) {
        std::memcpy(block.shared().bytes(address), operand.bytes.data(), width);
        std::memset(block.shared().flags(address), operand.flags, width);
        block.shared().nonlinearAxes |= operand.axes;
    } else {
        storeLane(w, d, path, lane, width, operand);
    }
    return old;
}

/// Source: cuobjdump -sass of each, CUDA 13.0, sm_90: ATOMS.ADD, .POPC.INC, .EXCH.64, .CAS, .CAST.SPIN.64.
SharedUpdate sharedUpdateOf(const Instruction& i)
{
    const AtomOp op = i.mod.atom;
    return op == AtomOp::Cas                      ? SharedUpdate::InTwoSteps
        : op == AtomOp::Exch                      ? SharedUpdate::LaneByLane
        : isFloat(i.type) || bytesOf(i.type) != 4 ? SharedUpdate::InALoop
        : i.mod.countsUp                          ? SharedUpdate::Counted
                                                  : SharedUpdate::LaneByLane;
}

Step atom(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const bool returns = i.op == Opcode::Atom;
    std::array<AccessPath, 5> paths;
    int count = 0;
    const AccessRequest request { .base = d.src[0],
        .offset = i.offset,
        .space = i.mod.space,
        .op = returns ? MemoryOp::Atomic : MemoryOp::Reduction,
        .purpose = Purpose::Atomic,
        .widthBytes = std::uint8_t(bytesOf(i.type)),
        .update = sharedUpdateOf(i) };
    if (!openAccess(w, d, mask, request, paths, count))
        return Step::Stop;
    const RegisterState operands[] = { w.state(d.src[1]), w.state(d.src[2]) };
    const RegisterState operand = rules::opaque(w, operands);
    RegisterState state;
    std::array<Word, kWarpLanes> olds {};
    for (int p = 0; p < count; ++p) {
        const AccessPath& path = paths[std::size_t(p)];
        if (path.space == Space::Shared)
            w.block->shared().beginAccess();
        for (LaneMask rest = path.good; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const auto flags = std::uint8_t((operand.unknown >> lane & 1 ? kByteUnknown : 0)
                | (operand.nonlinear >> lane & 1 ? kByteNonlinear : 0));
            const LaneBytes old
                = updateLane(w, d, path, lane, { .flags = flags, .axes = operand.axes }, path.space == Space::Global && isTicket(i, mask));
            std::memcpy(&olds[std::size_t(lane)], old.bytes.data(), std::size_t(bytesOf(i.type)));
            if (old.flags & kByteUnknown)
                state.unknown |= 1u << lane;
            else if (old.flags & kByteNonlinear)
                state.nonlinear |= 1u << lane;
            state.axes |= old.axes;
        }
    }
    if (returns) {
        writeLanes(w, d.dst[0], mask, [&](int l) { return olds[std::size_t(l)]; });
        w.setState(d.dst[0], mask, state);
    }
    return Step::Next;
}

} // namespace

Handler selectAtom(const Instruction& i)
{
    return i.type == Type::Pred || i.type == Type::B128 || i.vector != 1 || bytesOf(i.type) < 2
            || i.mod.atom == AtomOp::None
        ? nullptr
        : &atom;
}

} // namespace coalescope::analysis
