// SPDX-License-Identifier: Apache-2.0
// The common integer instructions as loops over 32 lanes, compiled once for each SIMD level. Whatever
// is not here is done by the instruction's handler.
#include "analysis/execute/lane_kernels.h"

#include <array>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__)
#define COALESCOPE_X86 1
#endif

namespace coalescope::analysis {

namespace {

#define COALESCOPE_INLINE [[gnu::always_inline]] static inline

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T> constexpr int kBits = int(sizeof(T)) * 8;
/// A word's low bits as a T, widened to 64 bits.
template <class T> [[gnu::always_inline]] inline Word widened(Word a)
{
    if constexpr (sizeof(T) == 8)
        return a;
    else if constexpr (std::is_signed_v<T>)
        return Word(std::int64_t(a << (64 - kBits<T>)) >> (64 - kBits<T>));
    else
        return a & std::numeric_limits<T>::max();
}
template <class T> [[gnu::always_inline]] inline Word cut(Word a) { return widened<Unsigned<T>>(a); }
template <class T> [[gnu::always_inline]] inline bool less(Word a, Word b)
{
    if constexpr (std::is_signed_v<T>)
        return std::int64_t(a << (64 - kBits<T>)) < std::int64_t(b << (64 - kBits<T>));
    else
        return cut<T>(a) < cut<T>(b);
}

struct Mov {
    COALESCOPE_INLINE Word of(Word a, Word, Word, Word) { return a; }
};
/// Predicates: bit 0 of k flips a, bit 1 flips b.
struct MovPredicate {
    COALESCOPE_INLINE Word of(Word a, Word, Word, Word k) { return (a ^ k) & 1; }
};
struct AndPredicate {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word k) { return (a ^ k) & (b ^ k >> 1) & 1; }
};
struct OrPredicate {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word k)
    {
        return ((a ^ k) | (b ^ k >> 1)) & 1;
    }
};
struct XorPredicate {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word k) { return (a ^ k ^ b ^ k >> 1) & 1; }
};
struct And {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return a & b; }
};
struct Or {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return a | b; }
};
struct Xor {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return a ^ b; }
};
struct Not {
    COALESCOPE_INLINE Word of(Word a, Word, Word, Word) { return ~a; }
};
struct AddConstant {
    COALESCOPE_INLINE Word of(Word a, Word, Word, Word k) { return a + k; }
};
template <class T> struct Add {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return cut<T>(a + b); }
};
template <class T> struct Sub {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return cut<T>(a - b); }
};
template <class T> struct Neg {
    COALESCOPE_INLINE Word of(Word a, Word, Word, Word) { return cut<T>(0 - a); }
};
template <class T> [[gnu::always_inline]] inline Word productLow(Word a, Word b)
{
    // The low half of a product needs the low halves of its factors only.
    if constexpr (sizeof(T) == 8)
        return a * b;
    else
        return cut<T>(widened<std::uint32_t>(a) * widened<std::uint32_t>(b));
}
template <class T> [[gnu::always_inline]] inline Word productWide(Word a, Word b)
{
    return sizeof(T) == 2 ? cut<std::uint32_t>(widened<T>(a) * widened<T>(b))
                          : widened<T>(a) * widened<T>(b);
}
template <class T> struct MulLo {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return productLow<T>(a, b); }
};
template <class T> struct MulHi {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word)
    {
        return cut<T>(widened<T>(a) * widened<T>(b) >> (kBits<T> & 63));
    }
};
template <class T> struct MulWide {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return productWide<T>(a, b); }
};
template <class T> struct MadLo {
    COALESCOPE_INLINE Word of(Word a, Word b, Word c, Word)
    {
        return cut<T>(productLow<T>(a, b) + c);
    }
};
template <class T> struct MadWide {
    COALESCOPE_INLINE Word of(Word a, Word b, Word c, Word)
    {
        const Word sum = productWide<T>(a, b) + c;
        return sizeof(T) == 2 ? cut<std::uint32_t>(sum) : sum;
    }
};
template <class T> struct Min {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return cut<T>(less<T>(b, a) ? b : a); }
};
template <class T> struct Max {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return cut<T>(less<T>(a, b) ? b : a); }
};
template <class T> struct Shl {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word)
    {
        const Word by = b & 0xffffffffu;
        return by >= Word(kBits<T>) ? 0 : cut<T>(a << (by & 63));
    }
};
template <class T> struct Shr {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word)
    {
        constexpr Word kMost = kBits<T> - (std::is_signed_v<T> ? 1 : 0);
        const Word given = b & 0xffffffffu, by = given < kMost ? given : kMost;
        if constexpr (std::is_signed_v<T>)
            return cut<T>(Word(std::int64_t(widened<T>(a)) >> by));
        else
            return by >= Word(kBits<T>) ? 0 : widened<T>(a) >> (by & 63);
    }
};
template <class T> struct Less {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return less<T>(a, b) ? 1 : 0; }
};
template <class T> struct LessEqual {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return less<T>(b, a) ? 0 : 1; }
};
template <class T> struct Greater {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return less<T>(b, a) ? 1 : 0; }
};
template <class T> struct GreaterEqual {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return less<T>(a, b) ? 0 : 1; }
};
template <class T> struct Equal {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return cut<T>(a ^ b) == 0 ? 1 : 0; }
};
template <class T> struct NotEqual {
    COALESCOPE_INLINE Word of(Word a, Word b, Word, Word) { return cut<T>(a ^ b) == 0 ? 0 : 1; }
};
struct Selp {
    COALESCOPE_INLINE Word of(Word a, Word b, Word c, Word k) { return ((c ^ k) & 1) != 0 ? a : b; }
};
template <class From> struct Convert {
    template <class To> struct Op {
        COALESCOPE_INLINE Word of(Word a, Word, Word, Word) { return widened<To>(widened<From>(a)); }
    };
};

constexpr auto kLaneBit = [] {
    std::array<Word, kWarpLanes> bits {};
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
        bits[lane] = Word(1) << lane;
    return bits;
}();

COALESCOPE_INLINE LaneMask setLanes(const Word* p)
{
    const Word* const bit = kLaneBit.data();
    Word set = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane)
        set |= (0 - (p[lane] & 1)) & bit[lane];
    return LaneMask(set);
}
COALESCOPE_INLINE LaneMask differingLanes(const Word* a, Word anchor, const Word* relative)
{
    const Word* const bit = kLaneBit.data();
    Word differs = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane)
        differs |= a[lane] - anchor != relative[lane] ? bit[lane] : 0;
    return LaneMask(differs);
}
COALESCOPE_INLINE void blendLanes(Word* out, const Word* from, LaneMask mask)
{
    const Word* const bit = kLaneBit.data();
#pragma GCC ivdep
    for (int lane = 0; lane < kWarpLanes; ++lane)
        out[lane] = (mask & bit[lane]) != 0 ? from[lane] : out[lane];
}

// One body, compiled for each level: what is inlined takes the instructions of the function that it
// is inlined into, so that no code for a newer processor is ever shared with an older one.
#define COALESCOPE_LEVEL(name, attributes)                                                         \
    struct name {                                                                                  \
        template <class Op>                                                                        \
        attributes static void run(Word* out, const Word* a, const Word* b, const Word* c, Word k) \
        {                                                                                          \
            _Pragma("GCC ivdep") for (int lane = 0; lane < kWarpLanes; ++lane) out[lane]           \
                = Op::of(a[lane], b[lane], c[lane], k);                                            \
        }                                                                                          \
        attributes static LaneMask set(const Word* p) { return setLanes(p); }                      \
        attributes static LaneMask differs(const Word* a, Word anchor, const Word* relative)       \
        {                                                                                          \
            return differingLanes(a, anchor, relative);                                            \
        }                                                                                          \
        attributes static void blend(Word* out, const Word* from, LaneMask mask)                   \
        {                                                                                          \
            blendLanes(out, from, mask);                                                           \
        }                                                                                          \
        static constexpr LaneTools kTools { &set, &differs, &blend };                              \
    };

COALESCOPE_LEVEL(Portable, )
#ifdef COALESCOPE_X86
COALESCOPE_LEVEL(Avx2, [[gnu::target("avx2")]])
COALESCOPE_LEVEL(Avx512,
    [[gnu::target("avx512f,avx512dq,avx512bw,avx512vl,avx512cd,prefer-vector-width=512")]])
#endif
#undef COALESCOPE_LEVEL

/// Chooses among the kernels of one level.
template <class Level> struct Kernels {
    template <class Op> static constexpr PlannedKernel make(Word k = 0)
    {
        return { &Level::template run<Op>, k };
    }
    template <template <class> class Op> static PlannedKernel byInteger(Type type)
    {
        switch (type) {
        case Type::U16:
            return make<Op<std::uint16_t>>();
        case Type::U32:
            return make<Op<std::uint32_t>>();
        case Type::U64:
            return make<Op<std::uint64_t>>();
        case Type::S16:
            return make<Op<std::int16_t>>();
        case Type::S32:
            return make<Op<std::int32_t>>();
        case Type::S64:
            return make<Op<std::int64_t>>();
        default:
            return {};
        }
    }
    template <template <class> class Op> static PlannedKernel byBits(Type type)
    {
        switch (bytesOf(type)) {
        case 2:
            return make<Op<std::uint16_t>>();
        case 4:
            return make<Op<std::uint32_t>>();
        case 8:
            return make<Op<std::uint64_t>>();
        default:
            return {};
        }
    }
    template <template <class> class Op> static PlannedKernel narrow(Type type)
    {
        return bytesOf(type) == 8 ? PlannedKernel {} : byInteger<Op>(type);
    }

    static Type withoutSign(Type type)
    {
        return bytesOf(type) == 8 ? Type::U64 : bytesOf(type) == 4 ? Type::U32 : Type::U16;
    }
    static PlannedKernel compare(const Instruction& i)
    {
        const bool plain = i.mod.combine == BoolOp::None && i.dst[1].kind != OperandKind::Register;
        if (!plain || isFloat(i.type) || bytesOf(i.type) < 2 || bytesOf(i.type) > 8)
            return {};
        const Type bits = withoutSign(i.type), type = isSigned(i.type) ? i.type : bits;
        switch (i.mod.compare) {
        case Compare::Eq:
            return byInteger<Equal>(bits);
        case Compare::Ne:
            return byInteger<NotEqual>(bits);
        case Compare::Lt:
            return byInteger<Less>(type);
        case Compare::Le:
            return byInteger<LessEqual>(type);
        case Compare::Gt:
            return byInteger<Greater>(type);
        case Compare::Ge:
            return byInteger<GreaterEqual>(type);
        case Compare::Lo:
            return byInteger<Less>(bits);
        case Compare::Ls:
            return byInteger<LessEqual>(bits);
        case Compare::Hi:
            return byInteger<Greater>(bits);
        case Compare::Hs:
            return byInteger<GreaterEqual>(bits);
        default:
            return {};
        }
    }

    template <class From> static PlannedKernel convertTo(Type to)
    {
        switch (to) {
        case Type::S32:
            return make<typename Convert<From>::template Op<std::int32_t>>();
        case Type::S64:
            return make<typename Convert<From>::template Op<std::int64_t>>();
        case Type::U16:
        case Type::B16:
            return make<typename Convert<From>::template Op<std::uint16_t>>();
        case Type::U32:
        case Type::B32:
            return make<typename Convert<From>::template Op<std::uint32_t>>();
        case Type::U64:
        case Type::B64:
            return make<typename Convert<From>::template Op<std::uint64_t>>();
        default:
            return {};
        }
    }
    static PlannedKernel convert(const Instruction& i)
    {
        if (i.mod.saturate)
            return {};
        switch (i.sourceType) {
        case Type::S16:
            return convertTo<std::int16_t>(i.type);
        case Type::S32:
            return convertTo<std::int32_t>(i.type);
        case Type::S64:
            return convertTo<std::int64_t>(i.type);
        case Type::U16:
        case Type::B16:
            return convertTo<std::uint16_t>(i.type);
        case Type::U32:
        case Type::B32:
            return convertTo<std::uint32_t>(i.type);
        case Type::U64:
        case Type::B64:
            return convertTo<std::uint64_t>(i.type);
        default:
            return {};
        }
    }
    static PlannedKernel convertAddress(const Instruction& i)
    {
        const Word base = i.mod.space == Space::Shared ? kSharedWindowBase
            : i.mod.space == Space::Local              ? kLocalWindowBase
            : i.mod.space == Space::Param              ? kParamWindowBase
                                                       : 0;
        return make<AddConstant>(i.mod.toSpace ? 0 - base : base);
    }

    template <class OfPredicates, class OfBits> static PlannedKernel bitwise(const Instruction& i)
    {
        return i.type == Type::Pred
            ? make<OfPredicates>(Word(i.src[0].negated) | Word(i.src[1].negated) << 1)
            : make<OfBits>();
    }

    static PlannedKernel multiply(const Instruction& i)
    {
        switch (i.mod.part) {
        case MulPart::Hi:
            return narrow<MulHi>(i.type);
        case MulPart::Wide:
            return narrow<MulWide>(i.type);
        default:
            return byInteger<MulLo>(i.type);
        }
    }
    static PlannedKernel multiplyAdd(const Instruction& i)
    {
        switch (i.mod.part) {
        case MulPart::Hi:
            return {};
        case MulPart::Wide:
            return narrow<MadWide>(i.type);
        default:
            return byInteger<MadLo>(i.type);
        }
    }

    static PlannedKernel select(const Instruction& i)
    {
        const bool isExact = !isFloat(i.type) && !i.mod.saturate && !i.mod.carryOut && !i.mod.relu;
        switch (i.op) {
        case Opcode::Mov:
            return i.type == Type::Pred ? make<MovPredicate>(i.src[0].negated) : make<Mov>();
        case Opcode::Add:
            return isExact ? byInteger<Add>(i.type) : PlannedKernel {};
        case Opcode::Sub:
            return isExact ? byInteger<Sub>(i.type) : PlannedKernel {};
        case Opcode::Mul:
            return isExact ? multiply(i) : PlannedKernel {};
        case Opcode::Mad:
            return isExact ? multiplyAdd(i) : PlannedKernel {};
        case Opcode::Neg:
            return isExact ? byInteger<Neg>(i.type) : PlannedKernel {};
        case Opcode::Min:
            return isExact ? byInteger<Min>(i.type) : PlannedKernel {};
        case Opcode::Max:
            return isExact ? byInteger<Max>(i.type) : PlannedKernel {};
        case Opcode::And:
            return bitwise<AndPredicate, And>(i);
        case Opcode::Or:
            return bitwise<OrPredicate, Or>(i);
        case Opcode::Xor:
            return bitwise<XorPredicate, Xor>(i);
        case Opcode::Not:
            return i.type == Type::Pred ? make<MovPredicate>(!i.src[0].negated) : make<Not>();
        case Opcode::Shl:
            return byBits<Shl>(i.type);
        case Opcode::Shr:
            return isSigned(i.type) ? byInteger<Shr>(i.type) : byBits<Shr>(i.type);
        case Opcode::Setp:
            return compare(i);
        case Opcode::Selp:
            return make<Selp>(i.src[2].negated);
        case Opcode::Cvt:
            return convert(i);
        case Opcode::Cvta:
            return convertAddress(i);
        default:
            return {};
        }
    }
};

SimdLevel bestLevel()
{
#ifdef COALESCOPE_X86
    if (isSupported(SimdLevel::Avx512))
        return SimdLevel::Avx512;
    if (isSupported(SimdLevel::Avx2))
        return SimdLevel::Avx2;
#endif
    return SimdLevel::Portable;
}

} // namespace

bool isSupported(SimdLevel level)
{
#ifdef COALESCOPE_X86
    __builtin_cpu_init();
    if (level == SimdLevel::Avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("avx512cd");
    if (level == SimdLevel::Avx2)
        return __builtin_cpu_supports("avx2");
#endif
    return level == SimdLevel::Portable;
}

SimdLevel simdLevel()
{
    const char* const named = std::getenv("COALESCOPE_SIMD");
    const std::string_view wanted = named != nullptr ? named : "";
    if (wanted == "portable")
        return SimdLevel::Portable;
    if (wanted == "avx2" && isSupported(SimdLevel::Avx2))
        return SimdLevel::Avx2;
    return bestLevel();
}

PlannedKernel laneKernel(const Instruction& instruction, SimdLevel level)
{
#ifdef COALESCOPE_X86
    if (level == SimdLevel::Avx512)
        return Kernels<Avx512>::select(instruction);
    if (level == SimdLevel::Avx2)
        return Kernels<Avx2>::select(instruction);
#endif
    (void)level;
    return Kernels<Portable>::select(instruction);
}

const LaneTools& laneTools(SimdLevel level)
{
#ifdef COALESCOPE_X86
    if (level == SimdLevel::Avx512)
        return Avx512::kTools;
    if (level == SimdLevel::Avx2)
        return Avx2::kTools;
#endif
    (void)level;
    return Portable::kTools;
}

} // namespace coalescope::analysis
