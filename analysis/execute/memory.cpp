// SPDX-License-Identifier: Apache-2.0
// Loads, stores and copies. Source: PTX ISA, "Data Movement and Conversion Instructions": ld, st,
// ldmatrix, cp.async.
#include "analysis/execute/access_path.h"
#include "analysis/execute/lane_ops.h"

#include <cstring>

namespace coalescope::analysis {

Word element(const std::uint8_t* bytes, Type type)
{
    return withElement(type, [&]<class T>(T) { return elementOf<T>(bytes); });
}

namespace {

/// Collects what loaded lanes are known by.
void note(RegisterState& state, const LaneBytes& bytes, int lane)
{
    if (bytes.flags & kByteUnknown)
        state.unknown |= 1u << lane;
    else if (bytes.flags & kByteNonlinear)
        state.nonlinear |= 1u << lane;
    state.axes |= bytes.axes;
}

Step load(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const auto width = std::uint8_t(bytesOf(i.type) * i.vector);
    std::array<AccessPath, 5> paths;
    int count = 0;
    const AccessRequest request { .base = d.src[0],
        .offset = i.offset,
        .space = i.mod.space,
        .op = MemoryOp::Load,
        .purpose = Purpose::Read,
        .widthBytes = width };
    if (!openAccess(w, d, mask, request, paths, count))
        return Step::Stop;
    RegisterState state;
    const auto size = std::size_t(bytesOf(i.type));
    for (int p = 0; p < count; ++p) {
        const AccessPath& path = paths[std::size_t(p)];
        if (path.space == Space::Shared)
            w.block->shared().beginAccess();
        for (LaneMask rest = path.lanes; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            LaneBytes bytes;
            loadLane(w, d, path, lane, width, bytes);
            note(state, bytes, lane);
            for (std::size_t e = 0; e < i.vector; ++e)
                w.target(d.dst[e])[lane] = element(bytes.bytes.data() + e * size, i.type);
        }
    }
    for (std::size_t e = 0; e < i.vector; ++e)
        w.setState(d.dst[e], mask, state);
    return Step::Next;
}

Step store(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const auto width = std::uint8_t(bytesOf(i.type) * i.vector);
    std::array<AccessPath, 5> paths;
    int count = 0;
    const AccessRequest request { .base = d.src[0],
        .offset = i.offset,
        .space = i.mod.space,
        .op = MemoryOp::Store,
        .purpose = Purpose::Write,
        .widthBytes = width };
    if (!openAccess(w, d, mask, request, paths, count))
        return Step::Stop;
    LaneMask unknown = 0, nonlinear = 0;
    std::uint16_t axes = 0;
    std::array<const Word*, 4> values {};
    for (std::size_t e = 0; e < i.vector; ++e) {
        const RegisterState& s = w.state(d.src[e + 1]);
        unknown |= s.unknown;
        nonlinear |= s.coefficients != 0 ? kAllLanes : s.nonlinear;
        axes |= std::uint16_t(s.axes | w.block->pool()[s.coefficients].axes);
        values[e] = w.value(d.src[e + 1]);
    }
    const auto size = std::size_t(bytesOf(i.type));
    for (int p = 0; p < count; ++p) {
        const AccessPath& path = paths[std::size_t(p)];
        if (path.space == Space::Global && w.block->values() == nullptr)
            continue;
        if (path.space == Space::Shared)
            w.block->shared().beginAccess();
        for (LaneMask rest = path.good; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            LaneBytes bytes { .flags = std::uint8_t((unknown >> lane & 1 ? kByteUnknown : 0)
                                  | (nonlinear >> lane & 1 ? kByteNonlinear : 0)),
                .axes = axes };
            for (std::size_t e = 0; e < i.vector; ++e)
                std::memcpy(bytes.bytes.data() + e * size, &values[e][lane], size);
            storeLane(w, d, path, lane, width, bytes);
        }
    }
    return Step::Next;
}

/// Row r of matrix m comes from the address of lane 8m + r; lane l gets two elements of row l / 4,
/// or of column l / 4 where the matrix is transposed.
Step loadMatrix(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const int matrices = i.vector;
    const LaneMask rows = matrices == 4 ? kAllLanes : (1u << (8 * matrices)) - 1;
    std::array<AccessPath, 5> paths;
    int count = 0;
    const AccessRequest request { .base = d.src[0],
        .offset = i.offset,
        .space = i.mod.space,
        .op = MemoryOp::MatrixLoad,
        .widthBytes = 16,
        .matrices = std::uint8_t(matrices) };
    if ((mask & rows) == 0)
        return Step::Next;
    if (!openAccess(w, d, mask & rows, request, paths, count))
        return Step::Stop;
    std::array<LaneBytes, kWarpLanes> row;
    for (int p = 0; p < count; ++p) {
        if (paths[std::size_t(p)].space == Space::Shared)
            w.block->shared().beginAccess();
        for (LaneMask rest = paths[std::size_t(p)].lanes; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            loadLane(w, d, paths[std::size_t(p)], lane, 16, row[std::size_t(lane)]);
        }
    }
    for (int m = 0; m < matrices; ++m) {
        RegisterState state;
        Word* out = w.target(d.dst[std::size_t(m)]);
        for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest), major = lane / 4, minor = lane % 4 * 2;
            Word pair = 0;
            for (int e = 0; e < 2; ++e) {
                const int r = i.mod.transposed ? minor + e : major,
                          c = i.mod.transposed ? major : minor + e;
                const LaneBytes& source = row[std::size_t(8 * m + r)];
                std::uint16_t half = 0;
                std::memcpy(&half, source.bytes.data() + 2 * c, 2);
                pair |= Word(half) << (16 * e);
                note(state, source, lane);
            }
            out[lane] = pair;
        }
        w.setState(d.dst[std::size_t(m)], mask, state);
    }
    return Step::Next;
}

/// The copy is done at once: nothing may look at the bytes before the wait anyway.
Step copyAsync(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const auto width = std::uint8_t(i.src[2].bits);
    const bool partial = i.src[3].kind != OperandKind::None;
    if (partial && rules::asksForOneValue(w, w.state(d.src[3]), mask))
        return Step::Stop;
    LaneMask reading = mask; // a lane that copies 0 bytes reads nothing
    for (LaneMask rest = partial ? mask : 0; rest != 0; rest &= rest - 1)
        if (std::uint32_t(w.value(d.src[3])[std::countr_zero(rest)]) == 0)
            reading &= ~(rest & -rest);
    std::array<AccessPath, 5> from, to;
    int fromCount = 0, toCount = 0;
    if (reading != 0
        && !openAccess(w, d, reading,
            { .base = d.src[1],
                .offset = i.sourceOffset,
                .space = Space::Global,
                .op = MemoryOp::AsyncCopy,
                .purpose = Purpose::Read,
                .widthBytes = width },
            from, fromCount))
        return Step::Stop;
    if (!openAccess(w, d, mask,
            { .base = d.src[0],
                .offset = i.offset,
                .space = Space::Shared,
                .op = MemoryOp::AsyncCopy,
                .purpose = Purpose::Write,
                .widthBytes = width },
            to, toCount))
        return Step::Stop;
    w.block->shared().beginAccess();
    for (LaneMask rest = to[0].good; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        LaneBytes bytes;
        if (reading >> lane & 1) {
            const auto wanted = partial ? std::uint32_t(w.value(d.src[3])[lane]) : width;
            loadLane(w, d, from[0], lane, width, bytes);
            for (std::size_t b = wanted; b < width; ++b)
                bytes.bytes[b] = 0;
        }
        storeLane(w, d, to[0], lane, width, bytes);
    }
    return Step::Next;
}

Step commitCopies(Warp& w, const Decoded&, LaneMask)
{
    w.block->onCopyEvent(w, { CopyEvent::Kind::Commit });
    return Step::Next;
}
Step waitForCopies(Warp& w, const Decoded& d, LaneMask mask)
{
    const Operand& groups = d.source->src[0];
    if (groups.kind == OperandKind::None) // of wait_all, which waits for what is in no group too
        (void)commitCopies(w, d, mask);
    w.block->onCopyEvent(w, { CopyEvent::Kind::Groups, groups.bits });
    return Step::Next;
}

bool isMovable(const Instruction& i)
{
    const int bytes = bytesOf(i.type) * i.vector;
    return i.type != Type::Pred && i.type != Type::B128 && i.vector >= 1 && i.vector <= 4
        && bytes <= 16;
}

} // namespace

Handler selectLd(const Instruction& i) { return isMovable(i) ? &load : nullptr; }
Handler selectSt(const Instruction& i) { return isMovable(i) ? &store : nullptr; }
Handler selectLdMatrix(const Instruction& i)
{
    return i.vector == 1 || i.vector == 2 || i.vector == 4 ? &loadMatrix : nullptr;
}
Handler selectCpAsync(const Instruction& i)
{
    const auto bytes = i.src[2].bits;
    return bytes == 4 || bytes == 8 || bytes == 16 ? &copyAsync : nullptr;
}
Handler selectCpAsyncCommit(const Instruction&) { return &commitCopies; }
Handler selectCpAsyncWait(const Instruction&) { return &waitForCopies; }

} // namespace coalescope::analysis
