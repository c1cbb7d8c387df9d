// SPDX-License-Identifier: Apache-2.0
// What the lanes of a warp tell each other. Source: PTX ISA, shfl.sync, vote.sync, match.sync,
// redux.sync, activemask, elect.sync.
//
// Lanes of the member mask that are elsewhere in the program are not waited for: the lanes that are
// here take part.
#include "analysis/execute/lane_ops.h"

#include <algorithm>

namespace coalescope::analysis {

namespace {

using LaneWords = std::array<Word, kWarpLanes>;

void synchronise(Warp& w) { w.block->shared().syncWarp(w.index); }

/// An operand that must be the same in every block of the box and known.
bool asksForFixed(Warp& w, OperandSlot slot, LaneMask mask)
{
    const RegisterState& state = w.state(slot);
    if (rules::asksForValue(w, state, mask))
        return true;
    if (state.coefficients == 0)
        return false;
    w.block->askBisection(w.block->pool()[state.coefficients].axes);
    return true;
}

/// Calls f(members, lanes) for each group of lanes with one member mask: tiles of a warp may vote
/// in one instruction, each for itself. `members` are those that are here. Without a mask, all are
/// one group.
template <class F>
void forEachGroup(Warp& w, const Decoded& d, std::size_t maskOperand, LaneMask mask, F&& f)
{
    if (d.source->src[maskOperand].kind == OperandKind::None)
        return f(mask, mask);
    const Word* masks = w.value(d.src[maskOperand]);
    for (LaneMask rest = mask; rest != 0;) {
        const auto named = LaneMask(masks[std::countr_zero(rest)]);
        LaneMask lanes = 0;
        for (LaneMask others = rest; others != 0; others &= others - 1)
            if (LaneMask(masks[std::countr_zero(others)]) == named)
                lanes |= others & -others;
        f((named & mask) | lanes,
            lanes); // a lane that its own mask leaves out is undefined: it takes part
        rest &= ~lanes;
    }
}

Step shfl(Warp& w, const Decoded& d, LaneMask mask)
{
    for (const OperandSlot slot : { d.src[1], d.src[2] })
        if (asksForFixed(w, slot, mask))
            return Step::Stop;
    synchronise(w);
    const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]), *c = w.value(d.src[2]);
    const RegisterState source = w.state(d.src[0]);
    RegisterState state { .coefficients = source.coefficients, .axes = source.axes };
    LaneWords values {};
    LaneMask inRange = 0;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const int amount = int(b[lane] & 31), clamp = int(c[lane] & 31);
        const int segment = int(c[lane] >> 8 & 31);
        const int maximum = (lane & segment) | (clamp & ~segment), minimum = lane & segment;
        int from = lane;
        bool valid = false;
        switch (d.source->mod.shfl) {
        case ShflMode::Up:
            from = lane - amount;
            valid = from >= maximum;
            break;
        case ShflMode::Down:
            from = lane + amount;
            valid = from <= maximum;
            break;
        case ShflMode::Bfly:
            from = lane ^ amount;
            valid = from <= maximum;
            break;
        case ShflMode::Idx:
            from = minimum | (amount & ~segment);
            valid = from <= maximum;
            break;
        }
        if (!valid)
            from = lane;
        values[std::size_t(lane)] = a[from];
        inRange |= LaneMask(valid) << lane;
        state.unknown |= (source.unknown >> from & 1) << lane;
        state.nonlinear |= (source.nonlinear >> from & 1) << lane;
    }
    writeLanes(w, d.dst[0], mask, [&](int l) { return values[std::size_t(l)]; });
    w.setState(d.dst[0], mask, state);
    if (d.source->dst[1].kind == OperandKind::Register) {
        writeLanes(w, d.dst[1], mask, [&](int l) { return Word(inRange >> l & 1); });
        w.setState(d.dst[1], mask, {});
    }
    return Step::Next;
}

/// What a result that all lanes share depends on.
RegisterState sharedState(const Warp& w, OperandSlot slot, LaneMask mask)
{
    const RegisterState& source = w.state(slot);
    if (source.unknown & mask)
        return { .unknown = kAllLanes };
    const unsigned axes = source.axes | w.block->pool()[source.coefficients].axes;
    if ((source.nonlinear & mask) != 0 || source.coefficients != 0)
        return { .nonlinear = kAllLanes, .axes = std::uint16_t(axes) };
    return {};
}

void give(LaneWords& words, LaneMask lanes, Word value)
{
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
        words[std::size_t(std::countr_zero(rest))] = value;
}

/// Executes an instruction whose second source is the member mask: `answer(out, members, lanes)` gives the lanes of a group
/// their words. The second destination, of match.all alone, is whether they have one.
template <class Answer> Step answerGroups(Warp& w, const Decoded& d, LaneMask mask, Answer answer)
{
    if (asksForFixed(w, d.src[1], mask))
        return Step::Stop;
    synchronise(w);
    const RegisterState state = sharedState(w, d.src[0], mask);
    LaneWords out {}; // the destination may hold the member mask
    forEachGroup(w, d, 1, mask, [&](LaneMask members, LaneMask lanes) { answer(out, members, lanes); });
    writeLanes(w, d.dst[0], mask, [&](int l) { return out[std::size_t(l)]; });
    w.setState(d.dst[0], mask, state);
    if (d.source->dst[1].kind == OperandKind::Register) {
        writeLanes(w, d.dst[1], mask, [&](int l) { return Word(out[std::size_t(l)] != 0); });
        w.setState(d.dst[1], mask, state);
    }
    return Step::Next;
}

Step vote(Warp& w, const Decoded& d, LaneMask mask)
{
    return answerGroups(w, d, mask, [&](LaneWords& out, LaneMask members, LaneMask lanes) {
        const Word* p = w.value(d.src[0]);
        LaneMask set = 0;
        for (LaneMask rest = members; rest != 0; rest &= rest - 1) {
            const int l = std::countr_zero(rest);
            set |= LaneMask((p[l] & 1) ^ Word(d.src[0].negated)) << l;
        }
        Word result = set;
        switch (d.source->mod.vote) {
        case VoteMode::All:
            result = set == members;
            break;
        case VoteMode::Any:
            result = set != 0;
            break;
        case VoteMode::Uni:
            result = set == members || set == 0;
            break;
        case VoteMode::Ballot:
            break;
        }
        give(out, lanes, result);
    });
}

LaneMask sameValue(const Word* a, int lane, LaneMask mask, Word low)
{
    LaneMask same = 0;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int l = std::countr_zero(rest);
        same |= LaneMask((a[l] & low) == (a[lane] & low)) << l;
    }
    return same;
}
Word lowBits(Type type) { return bytesOf(type) == 8 ? ~Word(0) : Word(0xffffffffu); }

Step matchAny(Warp& w, const Decoded& d, LaneMask mask)
{
    return answerGroups(w, d, mask, [&](LaneWords& out, LaneMask members, LaneMask lanes) {
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
            const int l = std::countr_zero(rest);
            out[std::size_t(l)] = sameValue(w.value(d.src[0]), l, members, lowBits(d.source->type));
        }
    });
}
Step matchAll(Warp& w, const Decoded& d, LaneMask mask)
{
    return answerGroups(w, d, mask, [&](LaneWords& out, LaneMask members, LaneMask lanes) {
        const int first = std::countr_zero(members);
        const bool all = sameValue(w.value(d.src[0]), first, members, lowBits(d.source->type)) == members;
        give(out, lanes, all ? members : 0);
    });
}

Step activeMask(Warp& w, const Decoded& d, LaneMask mask)
{
    const Word active = w.active;
    writeLanes(w, d.dst[0], mask, [&](int) { return active; });
    w.setState(d.dst[0], mask, {});
    return Step::Next;
}

template <class T> Word reduced(AtomOp op, const Word* a, LaneMask mask)
{
    T out = T(a[std::countr_zero(mask)]);
    for (LaneMask rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
        const T value = T(a[std::countr_zero(rest)]);
        switch (op) {
        case AtomOp::Add:
            out = T(std::uint32_t(out) + std::uint32_t(value));
            break;
        case AtomOp::Min:
            out = std::min(out, value);
            break;
        case AtomOp::Max:
            out = std::max(out, value);
            break;
        case AtomOp::And:
            out &= value;
            break;
        case AtomOp::Or:
            out |= value;
            break;
        default:
            out ^= value;
            break;
        }
    }
    return Word(std::uint32_t(out));
}
Step redux(Warp& w, const Decoded& d, LaneMask mask)
{
    return answerGroups(w, d, mask, [&](LaneWords& out, LaneMask members, LaneMask lanes) {
        const Word* a = w.value(d.src[0]);
        give(out, lanes,
            isSigned(d.source->type) ? reduced<std::int32_t>(d.source->mod.atom, a, members)
                                     : reduced<std::uint32_t>(d.source->mod.atom, a, members));
    });
}

/// The lowest lane of the members is elected.
Step electSync(Warp& w, const Decoded& d, LaneMask mask)
{
    if (asksForFixed(w, d.src[0], mask))
        return Step::Stop;
    synchronise(w);
    const Instruction& i = *d.source;
    // elect.sync d|p, mask: the predicate is the second destination, or the only one.
    const bool pair = i.dst[1].kind == OperandKind::Register;
    const OperandSlot predicate = pair ? d.dst[1] : d.dst[0];
    std::array<int, kWarpLanes> leader {};
    forEachGroup(w, d, 0, mask, [&](LaneMask members, LaneMask lanes) {
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
            leader[std::size_t(std::countr_zero(rest))] = std::countr_zero(members);
    });
    if (pair) {
        writeLanes(w, d.dst[0], mask, [&](int l) { return Word(leader[std::size_t(l)]); });
        w.setState(d.dst[0], mask, {});
    }
    writeLanes(w, predicate, mask, [&](int l) { return Word(l == leader[std::size_t(l)]); });
    w.setState(predicate, mask, {});
    return Step::Next;
}

} // namespace

Handler selectShfl(const Instruction&) { return &shfl; }
Handler selectMatchAny(const Instruction&) { return &matchAny; }
Handler selectMatchAll(const Instruction&) { return &matchAll; }
Handler selectVote(const Instruction&) { return &vote; }
Handler selectActiveMask(const Instruction&) { return &activeMask; }
Handler selectRedux(const Instruction& i) { return isFloat(i.type) ? nullptr : &redux; }
Handler selectElectSync(const Instruction&) { return &electSync; }

} // namespace coalescope::analysis
