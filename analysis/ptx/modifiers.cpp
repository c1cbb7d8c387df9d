// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/modifiers.h"

#include <algorithm>

namespace coalescope::analysis::ptx {

namespace {
template <class Enum> constexpr std::uint8_t v(Enum e) { return static_cast<std::uint8_t>(e); }

// Grouped by meaning.
// clang-format off
constexpr auto kUnsorted = std::to_array<SuffixRow>({
    { "pred", Suffix::Type, v(Type::Pred) },
    { "b8", Suffix::Type, v(Type::B8) }, { "b16", Suffix::Type, v(Type::B16) },
    { "b32", Suffix::Type, v(Type::B32) }, { "b64", Suffix::Type, v(Type::B64) },
    { "b128", Suffix::Type, v(Type::B128) },
    { "u8", Suffix::Type, v(Type::U8) }, { "u16", Suffix::Type, v(Type::U16) },
    { "u32", Suffix::Type, v(Type::U32) }, { "u64", Suffix::Type, v(Type::U64) },
    { "s8", Suffix::Type, v(Type::S8) }, { "s16", Suffix::Type, v(Type::S16) },
    { "s32", Suffix::Type, v(Type::S32) }, { "s64", Suffix::Type, v(Type::S64) },
    { "u16x2", Suffix::Type, v(Type::U16x2) }, { "s16x2", Suffix::Type, v(Type::S16x2) },
    { "f16", Suffix::Type, v(Type::F16) }, { "f16x2", Suffix::Type, v(Type::F16x2) },
    { "bf16", Suffix::Type, v(Type::BF16) }, { "bf16x2", Suffix::Type, v(Type::BF16x2) },
    { "f32", Suffix::Type, v(Type::F32) }, { "f64", Suffix::Type, v(Type::F64) },
    { "e4m3x2", Suffix::Type, v(Type::E4M3x2) }, { "e5m2x2", Suffix::Type, v(Type::E5M2x2) },

    { "global", Suffix::Space, v(Space::Global) }, { "shared", Suffix::Space, v(Space::Shared) },
    { "shared::cta", Suffix::Space, v(Space::Shared) }, { "shared::cluster", Suffix::ClusterSpace, v(Space::Shared) }, { "local", Suffix::Space, v(Space::Local) },
    { "const", Suffix::Space, v(Space::Constant) }, { "param", Suffix::Space, v(Space::Param) },
    { "param::entry", Suffix::Space, v(Space::Param) }, { "param::func", Suffix::Space, v(Space::Param) },

    { "v2", Suffix::Vector, 2 }, { "v4", Suffix::Vector, 4 },

    { "eq", Suffix::Compare, v(Compare::Eq) }, { "ne", Suffix::Compare, v(Compare::Ne) },
    { "lt", Suffix::Compare, v(Compare::Lt) }, { "le", Suffix::Compare, v(Compare::Le) },
    { "gt", Suffix::Compare, v(Compare::Gt) }, { "ge", Suffix::Compare, v(Compare::Ge) },
    { "lo", Suffix::Compare, v(Compare::Lo) }, { "ls", Suffix::Compare, v(Compare::Ls) },
    { "hi", Suffix::Compare, v(Compare::Hi) }, { "hs", Suffix::Compare, v(Compare::Hs) },
    { "equ", Suffix::Compare, v(Compare::Equ) }, { "neu", Suffix::Compare, v(Compare::Neu) },
    { "ltu", Suffix::Compare, v(Compare::Ltu) }, { "leu", Suffix::Compare, v(Compare::Leu) },
    { "gtu", Suffix::Compare, v(Compare::Gtu) }, { "geu", Suffix::Compare, v(Compare::Geu) },
    { "num", Suffix::Compare, v(Compare::Num) }, { "nan", Suffix::Compare, v(Compare::Nan) },

    { "and", Suffix::Bool, v(BoolOp::And) }, { "or", Suffix::Bool, v(BoolOp::Or) },
    { "xor", Suffix::Bool, v(BoolOp::Xor) },

    { "rn", Suffix::Rounding, v(Rounding::Nearest) }, { "rz", Suffix::Rounding, v(Rounding::Zero) },
    { "rm", Suffix::Rounding, v(Rounding::Down) }, { "rp", Suffix::Rounding, v(Rounding::Up) },
    { "rni", Suffix::IntRounding, v(Rounding::IntNearest) }, { "rzi", Suffix::IntRounding, v(Rounding::IntZero) },
    { "rmi", Suffix::IntRounding, v(Rounding::IntDown) }, { "rpi", Suffix::IntRounding, v(Rounding::IntUp) },

    { "and", Suffix::Atom, v(AtomOp::And) }, { "or", Suffix::Atom, v(AtomOp::Or) },
    { "xor", Suffix::Atom, v(AtomOp::Xor) }, { "cas", Suffix::Atom, v(AtomOp::Cas) },
    { "exch", Suffix::Atom, v(AtomOp::Exch) }, { "add", Suffix::Atom, v(AtomOp::Add) },
    { "inc", Suffix::Atom, v(AtomOp::Inc) }, { "dec", Suffix::Atom, v(AtomOp::Dec) },
    { "min", Suffix::Atom, v(AtomOp::Min) }, { "max", Suffix::Atom, v(AtomOp::Max) },

    { "f4e", Suffix::Prmt, v(PrmtMode::F4e) }, { "b4e", Suffix::Prmt, v(PrmtMode::B4e) },
    { "rc8", Suffix::Prmt, v(PrmtMode::Rc8) }, { "ecl", Suffix::Prmt, v(PrmtMode::Ecl) },
    { "ecr", Suffix::Prmt, v(PrmtMode::Ecr) }, { "rc16", Suffix::Prmt, v(PrmtMode::Rc16) },

    { "clamp", Suffix::Clamp, 1 }, { "wrap", Suffix::Clamp, 0 },
    { "sat", Suffix::Sat, 1 }, { "satfinite", Suffix::Finite, 1 }, { "relu", Suffix::Relu, 1 },
    { "ftz", Suffix::Ftz, 1 }, { "cc", Suffix::Cc, 1 }, { "trans", Suffix::Trans, 1 },
    { "approx", Suffix::Approx, 1 }, { "full", Suffix::Full, 1 },
    { "NaN", Suffix::Nan, 1 }, { "shiftamt", Suffix::ShiftAmount, 1 },
    { "x1", Suffix::MatrixCount, 1 }, { "x2", Suffix::MatrixCount, 2 }, { "x4", Suffix::MatrixCount, 4 },

    { "ca", Suffix::Cache }, { "cg", Suffix::Cache, v(L1Use::Bypassed) }, { "cs", Suffix::Cache }, { "lu", Suffix::Cache },
    { "cv", Suffix::Cache, v(L1Use::Bypassed) }, { "wb", Suffix::Cache }, { "wt", Suffix::Cache }, { "nc", Suffix::NonCoherent },
    { "weak", Suffix::Order }, { "volatile", Suffix::Order, 1 }, { "relaxed", Suffix::Order, 1 },
    { "acquire", Suffix::Order, 2 }, { "release", Suffix::Order, 1 }, { "acq_rel", Suffix::Order, 1 },
    { "sc", Suffix::Order, 1 }, { "mmio", Suffix::Order, 1 },
    { "cta", Suffix::Scope }, { "cluster", Suffix::Scope }, { "gpu", Suffix::Scope }, { "sys", Suffix::Scope },
    { "gl", Suffix::Scope },
    { "L1", Suffix::Level }, { "L2", Suffix::Level },
    { "L1::evict_normal", Suffix::Level }, { "L1::evict_unchanged", Suffix::Level },
    { "L1::evict_first", Suffix::Level }, { "L1::evict_last", Suffix::Level }, { "L1::no_allocate", Suffix::Level, v(L1Use::NoAllocate) },
    { "L2::evict_normal", Suffix::Level }, { "L2::evict_first", Suffix::Level }, { "L2::evict_last", Suffix::Level },
    { "L2::64B", Suffix::Level }, { "L2::128B", Suffix::Level }, { "L2::256B", Suffix::Level },
    { "L2::cache_hint", Suffix::CacheHint },
    { "aligned", Suffix::Aligned }, { "uni", Suffix::Uni }, { "noftz", Suffix::NoFtz }, { "m8n8", Suffix::Shape },
    { "noinc", Suffix::NoIncrement, 1 }, { "read", Suffix::Read },
});
// clang-format on

constexpr auto kSuffixes = [] {
    auto rows = kUnsorted;
    std::ranges::sort(rows, {}, &SuffixRow::name);
    return rows;
}();

static_assert(
    std::ranges::all_of(kSuffixes, [](const SuffixRow& row) { return !row.name.empty(); }));
static_assert(
    [] {
        for (std::size_t i = 0; i < kSuffixes.size(); ++i) {
            for (std::size_t j = i + 1; j < kSuffixes.size(); ++j) {
                if (kSuffixes[i].name == kSuffixes[j].name
                    && kSuffixes[i].suffix == kSuffixes[j].suffix)
                    return false;
            }
        }
        return true;
    }(),
    "a spelling means one thing of each kind");
}

std::span<const SuffixRow> suffixesNamed(std::string_view name)
{
    return std::ranges::equal_range(kSuffixes, name, {}, &SuffixRow::name);
}

void applySuffix(const SuffixRow& row, Instruction& instruction)
{
    Modifiers& mod = instruction.mod;
    // One meaning a line.
    // clang-format off
    switch (row.suffix) {
    case Suffix::Space: case Suffix::ClusterSpace: mod.space = static_cast<Space>(row.value); break;
    case Suffix::Vector: case Suffix::MatrixCount: instruction.vector = row.value; break;
    case Suffix::Compare: mod.compare = static_cast<Compare>(row.value); break;
    case Suffix::Bool: mod.combine = static_cast<BoolOp>(row.value); break;
    case Suffix::Rounding: case Suffix::IntRounding: mod.rounding = static_cast<Rounding>(row.value); break;
    case Suffix::Atom: mod.atom = static_cast<AtomOp>(row.value); break;
    case Suffix::Prmt: mod.prmt = static_cast<PrmtMode>(row.value); break;
    case Suffix::Clamp: mod.clampMode = row.value != 0; break;
    case Suffix::Sat: mod.saturate = true; break;
    case Suffix::Finite: mod.finite = true; break;
    case Suffix::Relu: mod.relu = true; break;
    case Suffix::Ftz: mod.flushSubnormals = true; break;
    case Suffix::Cc: mod.carryOut = true; break;
    case Suffix::Trans: mod.transposed = true; break;
    case Suffix::Approx: case Suffix::Full: mod.approximate = true; break;
    case Suffix::Nan: mod.nanResult = true; break;
    case Suffix::NoIncrement: mod.noIncrement = true; break;
    case Suffix::ShiftAmount: mod.shiftAmount = true; break;
    case Suffix::NonCoherent: mod.isReadOnly = true; break;
    case Suffix::Order: mod.isOrdered = row.value != 0; mod.acquires = mod.acquires || row.value == 2; break;
    case Suffix::Cache: case Suffix::Level: mod.l1 = std::max(mod.l1, static_cast<L1Use>(row.value)); break;
    case Suffix::Type: case Suffix::Scope:
    case Suffix::CacheHint: case Suffix::Aligned: case Suffix::Uni: case Suffix::NoFtz: case Suffix::Shape: case Suffix::Read: break;
    }
    // clang-format on
}

const SuffixRow* typeNamed(std::string_view name)
{
    for (const SuffixRow& row : suffixesNamed(name)) {
        if (row.suffix == Suffix::Type)
            return &row;
    }
    return nullptr;
}

} // namespace coalescope::analysis::ptx
