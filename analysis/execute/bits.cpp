// SPDX-License-Identifier: Apache-2.0
// Bit fields, counts and packed dot products. Source: PTX ISA, "Integer Arithmetic Instructions".
#include "analysis/execute/lane_ops.h"

#include <algorithm>
#include <cstdlib>
#include <type_traits>

namespace coalescope::analysis {

namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T> constexpr int kBits = int(sizeof(T)) * 8;

template <class T> struct Popc {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        return mapUnary(w, d, mask, [](Word a) { return Word(std::popcount(T(a))); });
    }
};
template <class T> struct Clz {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        return mapUnary(w, d, mask, [](Word a) { return Word(std::countl_zero(T(a))); });
    }
};
template <class T> struct Bfind {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        const bool shiftAmount = d.source->mod.shiftAmount;
        return mapUnary(w, d, mask, [shiftAmount](Word a) {
            const T value = as<T>(a);
            const auto bits = Unsigned<T>(std::is_signed_v<T> && value < 0 ? ~value : value);
            const int lead = std::countl_zero(bits);
            if (lead == kBits<T>)
                return Word(0xffffffffu);
            return Word(shiftAmount ? lead : kBits<T> - 1 - lead);
        });
    }
};
template <class T> struct Brev {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        return mapUnary(w, d, mask, [](Word a) {
            Word out = 0;
            for (int bit = 0; bit < kBits<T>; ++bit)
                out |= (a >> bit & 1) << (kBits<T> - 1 - bit);
            return out;
        });
    }
};
/// A position or length: of 32 bits' the low 8 bits count; of 64 bits', which machine code computes with shifts that clamp, all do
/// (the PTX ISA leaves more than 255 open; NVIDIA H200, 2026-11-24).
template <class T> int fieldNumber(Word number)
{
    return int(sizeof(T) == 4 ? number & 0xff : std::min<Word>(std::uint32_t(number), 0xff));
}
template <class T> Word extract(Word a, Word positionWord, Word lengthWord)
{
    const int position = fieldNumber<T>(positionWord), length = fieldNumber<T>(lengthWord);
    if (length == 0)
        return 0;
    const int top = std::min(position + length - 1, kBits<T> - 1);
    const Word sign = std::is_signed_v<T> ? a >> top & 1 : 0;
    const Word field = position >= kBits<T> ? 0 : Word(Unsigned<T>(a)) >> position;
    const int have = position >= kBits<T> ? 0 : std::min(length, kBits<T> - position);
    const Word low = have >= 64 ? ~Word(0) : (Word(1) << have) - 1;
    return Word(Unsigned<T>((field & low) | (sign ? ~low : 0)));
}
/// The field that the sources from `first` on name, where they are constants.
template <class T>
std::optional<rules::BitField> constantField(const Warp& w, const Decoded& d, std::size_t first, LaneMask mask)
{
    constexpr int kBitsThatCount = sizeof(T) == 4 ? 8 : 32;
    const auto position = rules::constant(w.view(d.src[first]), mask, kBitsThatCount);
    const auto length = rules::constant(w.view(d.src[first + 1]), mask, kBitsThatCount);
    if (!position || !length)
        return std::nullopt;
    return rules::BitField { fieldNumber<T>(*position), fieldNumber<T>(*length) };
}
template <class T> struct Bfe {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<3>(w, d)) [[unlikely]] {
            const auto field = constantField<T>(w, d, 1, mask);
            state = field ? rules::extracted(w, w.view(d.src[0]), *field, mask, d.source->type)
                          : rules::opaqueSources<3>(w, d);
        }
        const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]), *c = w.value(d.src[2]);
        writeLanes(w, d.dst[0], mask, [&](int l) { return extract<T>(a[l], b[l], c[l]); });
        w.setState(d.dst[0], mask, state);
        return stepOf(w);
    }
};
template <class T> struct Bfi {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<4>(w, d)) [[unlikely]] {
            const auto field = constantField<T>(w, d, 2, mask);
            state = field ? rules::inserted(w, w.view(d.src[0]), w.view(d.src[1]), *field, mask, kBits<T>)
                          : rules::opaqueSources<4>(w, d);
        }
        const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]), *c = w.value(d.src[2]), *e = w.value(d.src[3]);
        writeLanes(w, d.dst[0], mask, [&](int l) { return inserted(a[l], b[l], c[l], e[l]); });
        w.setState(d.dst[0], mask, state);
        return stepOf(w);
    }

private:
    static Word inserted(Word a, Word b, Word positionWord, Word lengthWord)
    {
        const rules::BitField field { fieldNumber<T>(positionWord), fieldNumber<T>(lengthWord) };
        if (field.position >= kBits<T> || field.length == 0)
            return Word(T(b));
        return Word(T((b & ~(field.low() << field.position)) | ((a & field.low()) << field.position)));
    }
};

Word nthSetBit(Word maskWord, Word baseWord, Word offsetWord)
{
    const auto mask = std::uint32_t(maskWord);
    const auto base = std::uint32_t(baseWord) & 31;
    const auto offset = std::int32_t(offsetWord);
    if (offset == 0)
        return mask >> base & 1 ? base : 0xffffffffu;
    std::int64_t left = std::abs(std::int64_t(offset));
    for (int at = int(base); at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
        if ((mask >> at & 1) && --left == 0)
            return Word(at);
    return 0xffffffffu;
}
Step fns(Warp& w, const Decoded& d, LaneMask mask)
{
    return mapTernary(w, d, mask, [](Word a, Word b, Word c) { return nthSetBit(a, b, c); });
}

template <bool SignedA, bool SignedB> struct DotProduct {
    static std::int64_t part(Word a, int index, int bits, bool isSigned_)
    {
        const Word field = a >> (index * bits) & ((Word(1) << bits) - 1);
        return isSigned_ ? std::int64_t(field << (64 - bits)) >> (64 - bits) : std::int64_t(field);
    }
    static Step four(Warp& w, const Decoded& d, LaneMask mask)
    {
        return mapTernary(w, d, mask, [](Word a, Word b, Word c) {
            std::int64_t sum = std::int64_t(c);
            for (int i = 0; i < 4; ++i)
                sum += part(a, i, 8, SignedA) * part(b, i, 8, SignedB);
            return Word(std::uint32_t(sum));
        });
    }
    static Step two(Warp& w, const Decoded& d, LaneMask mask)
    {
        const int first = d.source->mod.part == MulPart::Hi ? 2 : 0;
        return mapTernary(w, d, mask, [first](Word a, Word b, Word c) {
            std::int64_t sum = std::int64_t(c);
            for (int i = 0; i < 2; ++i)
                sum += part(a, i, 16, SignedA) * part(b, first + i, 8, SignedB);
            return Word(std::uint32_t(sum));
        });
    }
};

/// vabsdiff4, vabsdiff2 of unsigned parts: each beside the others, or all added to the third operand.
template <int Bits> Step absDiff(Warp& w, const Decoded& d, LaneMask mask)
{
    const bool addsUp = d.source->mod.atom == AtomOp::Add;
    return mapTernary(w, d, mask, [addsUp](Word a, Word b, Word c) {
        constexpr Word kPart = (Word(1) << Bits) - 1;
        Word result = addsUp ? c : 0;
        for (int at = 0; at < 32; at += Bits) {
            const Word x = a >> at & kPart, y = b >> at & kPart, distance = x > y ? x - y : y - x;
            result += addsUp ? distance : distance << at;
        }
        return Word(std::uint32_t(result));
    });
}

/// szext: a number of bits beyond 31 clamps, or wraps with .wrap.
template <class T> struct SzExt {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        const bool wrap = !d.source->mod.clampMode;
        return mapBinary(w, d, mask, [wrap](Word a, Word b) {
            const Word n = wrap ? b & 31 : std::min<Word>(std::uint32_t(b), 32);
            return n == 0 ? 0 : n >= 32 ? Word(std::uint32_t(a)) : extract<T>(a, 0, n);
        });
    }
};
Step bmsk(Warp& w, const Decoded& d, LaneMask mask)
{
    const bool wrap = !d.source->mod.clampMode;
    return mapBinary(w, d, mask, [wrap](Word a, Word b) {
        const Word start = wrap ? a & 31 : std::min<Word>(std::uint32_t(a), 32);
        const Word width = wrap ? b & 31 : std::min<Word>(std::uint32_t(b), 32);
        return Word(std::uint32_t(((Word(1) << width) - 1) << start));
    });
}

} // namespace

Handler selectPopc(const Instruction& i) { return byBits<Popc>(i.type); }
Handler selectClz(const Instruction& i) { return byBits<Clz>(i.type); }
Handler selectBfind(const Instruction& i) { return byInteger<Bfind>(i.type); }
Handler selectBrev(const Instruction& i) { return byBits<Brev>(i.type); }
Handler selectBfe(const Instruction& i) { return byInteger<Bfe>(i.type); }
Handler selectBfi(const Instruction& i) { return byBits<Bfi>(i.type); }
Handler selectFns(const Instruction&) { return &fns; }
Handler selectDp4a(const Instruction& i)
{
    if (isSigned(i.type))
        return isSigned(i.sourceType) ? &DotProduct<true, true>::four
                                      : &DotProduct<true, false>::four;
    return isSigned(i.sourceType) ? &DotProduct<false, true>::four
                                  : &DotProduct<false, false>::four;
}
Handler selectDp2a(const Instruction& i)
{
    if (isSigned(i.type))
        return isSigned(i.sourceType) ? &DotProduct<true, true>::two
                                      : &DotProduct<true, false>::two;
    return isSigned(i.sourceType) ? &DotProduct<false, true>::two : &DotProduct<false, false>::two;
}
Handler selectAbsDiff(const Instruction& i) { return i.op == Opcode::AbsDiff4 ? &absDiff<8> : &absDiff<16>; }
Handler selectSzExt(const Instruction& i)
{
    return i.type == Type::S32 ? &SzExt<std::int32_t>::run : &SzExt<std::uint32_t>::run;
}
Handler selectBmsk(const Instruction&) { return &bmsk; }

} // namespace coalescope::analysis
