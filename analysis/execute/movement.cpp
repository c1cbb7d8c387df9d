// SPDX-License-Identifier: Apache-2.0
// Moves between registers. Source: PTX ISA, "Data Movement and Conversion Instructions": mov, prmt.
#include "analysis/execute/lane_ops.h"

namespace coalescope::analysis {

namespace {

Step nop(Warp&, const Decoded&, LaneMask) { return Step::Next; }

Step mov(Warp& w, const Decoded& d, LaneMask mask)
{
    const RegisterState state = w.state(d.src[0]);
    const Word* a = w.value(d.src[0]);
    writeLanes(w, d.dst[0], mask, [&](int l) { return a[l]; });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}

Step movPredicate(Warp& w, const Decoded& d, LaneMask mask)
{
    const Word flip = d.src[0].negated;
    return mapUnary(w, d, mask, [flip](Word a) { return (a ^ flip) & 1; });
}

Step pack(Warp& w, const Decoded& d, LaneMask mask)
{
    const std::size_t parts = d.source->vector;
    const int bits = bytesOf(d.source->type) * 8 / int(parts);
    const Word low = (Word(1) << bits) - 1;
    std::array<RegisterState, 5> states;
    std::array<const Word*, 5> values {};
    for (std::size_t i = 0; i < parts; ++i) {
        states[i] = w.state(d.src[i]);
        values[i] = w.value(d.src[i]);
    }
    const RegisterState state = rules::opaque(w, std::span(states.data(), parts));
    writeLanes(w, d.dst[0], mask, [&](int l) {
        Word out = 0;
        for (std::size_t i = 0; i < parts; ++i)
            out |= (values[i][l] & low) << (int(i) * bits);
        return out;
    });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}

Step unpack(Warp& w, const Decoded& d, LaneMask mask)
{
    const std::size_t parts = d.source->vector;
    const int bits = bytesOf(d.source->type) * 8 / int(parts);
    const Word low = (Word(1) << bits) - 1;
    const RegisterState whole = w.state(d.src[0]);
    const RegisterState rest = rules::opaqueSources<1>(w, d);
    std::array<Word, kWarpLanes> source; // a destination may be the source itself
    std::copy_n(w.value(d.src[0]), kWarpLanes, source.begin());
    for (std::size_t i = 0; i < parts; ++i) {
        writeLanes(w, d.dst[i], mask,
            [&](int l) { return source[std::size_t(l)] >> (int(i) * bits) & low; });
        w.setState(d.dst[i], mask, i == 0 ? rules::truncated(w, whole, bits) : rest);
    }
    return Step::Next;
}

/// Byte selectors of the modes other than the generic one, by the low two bits of the control.
std::uint32_t selectorsOf(PrmtMode mode, unsigned control)
{
    static constexpr std::uint16_t kSelectors[][4] = {
        { 0x3210, 0x4321, 0x5432, 0x6543 }, // f4e
        { 0x5670, 0x6701, 0x7012, 0x0123 }, // b4e
        { 0x0000, 0x1111, 0x2222, 0x3333 }, // rc8
        { 0x3210, 0x3211, 0x3222, 0x3333 }, // ecl
        { 0x0000, 0x1110, 0x2210, 0x3210 }, // ecr
        { 0x1010, 0x3232, 0x1010, 0x3232 }, // rc16
    };
    return kSelectors[std::size_t(mode) - 1][control & 3];
}

Step prmt(Warp& w, const Decoded& d, LaneMask mask)
{
    const PrmtMode mode = d.source->mod.prmt;
    return mapTernary(w, d, mask, [mode](Word a, Word b, Word c) {
        const Word bytes = (b << 32) | std::uint32_t(a);
        const std::uint32_t selectors
            = mode == PrmtMode::Generic ? std::uint32_t(c) : selectorsOf(mode, unsigned(c));
        Word out = 0;
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t selector = selectors >> (4 * i) & 0xf;
            const Word byte = bytes >> (8 * (selector & 7)) & 0xff;
            out |= (selector & 8 ? (byte & 0x80 ? Word(0xff) : Word(0)) : byte) << (8 * i);
        }
        return out;
    });
}

} // namespace

Handler selectNop(const Instruction&) { return &nop; }
Handler selectMov(const Instruction& i)
{
    return i.type == Type::B128 ? nullptr : i.type == Type::Pred ? &movPredicate : &mov;
}
Handler selectPack(const Instruction& i)
{
    return i.type == Type::B128 || i.vector < 2 || i.vector > 4 ? nullptr : &pack;
}
Handler selectUnpack(const Instruction& i)
{
    return i.type == Type::B128 || i.vector < 2 || i.vector > 4 ? nullptr : &unpack;
}
Handler selectPrmt(const Instruction&) { return &prmt; }

} // namespace coalescope::analysis
