// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/ptx/opcode_table.h"

namespace coalescope::analysis::ptx {

template <class... Types> constexpr TypeMask types(Types... list) { return (maskOf(list) | ...); }
template <class... Suffixes> constexpr SuffixMask with(Suffixes... list)
{
    return (maskOf(list) | ...);
}

inline constexpr TypeMask kU32 = types(Type::U32), kB32 = types(Type::B32), kB64 = types(Type::B64),
                          kPred = types(Type::Pred);
inline constexpr TypeMask kWord = types(Type::U32, Type::S32), kLong = types(Type::U64, Type::S64);
inline constexpr TypeMask kShort = types(Type::U16, Type::S16), kByte = types(Type::U8, Type::S8);
inline constexpr TypeMask kInt = kShort | kWord | kLong;
inline constexpr TypeMask kSigned = types(Type::S16, Type::S32, Type::S64);
inline constexpr TypeMask kBits32 = types(Type::B32, Type::B64), kBits = kBits32 | types(Type::B16);
inline constexpr TypeMask kHalfScalar = types(Type::F16, Type::BF16),
                          kHalfPair = types(Type::F16x2, Type::BF16x2);
inline constexpr TypeMask kIntPair = types(Type::U16x2, Type::S16x2);
inline constexpr TypeMask kHalf = kHalfScalar | kHalfPair;
inline constexpr TypeMask kTinyPair = types(Type::E4M3x2, Type::E5M2x2);
inline constexpr TypeMask kF32 = types(Type::F32), kF64 = types(Type::F64), kWide = kF32 | kF64;

inline constexpr SuffixMask kHints
    = with(Suffix::Cache, Suffix::NonCoherent, Suffix::Order, Suffix::Scope, Suffix::Level, Suffix::CacheHint);

/// Forms that each take any of the chapter's float suffixes.
inline constexpr SuffixMask kFloatMods = with(Suffix::Rounding, Suffix::Ftz, Suffix::Sat);

// One row a line.
// clang-format off
inline constexpr OpcodeRow kArithmeticRows[] = {
    { .name = "add", .op = Opcode::Add, .types = kInt, .optional = Suffix::Sat | Suffix::Cc, .operands = "dtt", .decode = &decodePlain },
    { .name = "add", .op = Opcode::Add, .types = kWide | kHalf, .optional = kFloatMods, .operands = "dtt", .decode = &decodePlain },
    { .name = "add", .op = Opcode::Add, .types = kIntPair, .operands = "dtt", .decode = &decodePlain },
    { .name = "addc", .op = Opcode::AddC, .types = kWord | kLong, .optional = with(Suffix::Cc), .operands = "dtt", .decode = &decodePlain },
    { .name = "sub", .op = Opcode::Sub, .types = kInt, .optional = Suffix::Sat | Suffix::Cc, .operands = "dtt", .decode = &decodePlain },
    { .name = "sub", .op = Opcode::Sub, .types = kWide | kHalf, .optional = kFloatMods, .operands = "dtt", .decode = &decodePlain },
    { .name = "subc", .op = Opcode::SubC, .types = kWord | kLong, .optional = with(Suffix::Cc), .operands = "dtt", .decode = &decodePlain },
    { .name = "mul.lo", .op = Opcode::Mul, .types = kInt, .mod = { .part = MulPart::Lo }, .operands = "dtt", .decode = &decodePlain },
    { .name = "mul.hi", .op = Opcode::Mul, .types = kInt, .mod = { .part = MulPart::Hi }, .operands = "dtt", .decode = &decodePlain },
    { .name = "mul.wide", .op = Opcode::Mul, .types = kShort | kWord, .mod = { .part = MulPart::Wide }, .operands = "Dtt", .decode = &decodePlain },
    { .name = "mul", .op = Opcode::Mul, .types = kWide | kHalf, .optional = kFloatMods, .operands = "dtt", .decode = &decodePlain },
    { .name = "mul24.lo", .op = Opcode::Mul24, .types = kWord, .mod = { .part = MulPart::Lo }, .operands = "dtt", .decode = &decodePlain },
    { .name = "mul24.hi", .op = Opcode::Mul24, .types = kWord, .mod = { .part = MulPart::Hi }, .operands = "dtt", .decode = &decodePlain },
    { .name = "mad.lo", .op = Opcode::Mad, .types = kInt, .optional = with(Suffix::Cc), .mod = { .part = MulPart::Lo }, .operands = "dttt", .decode = &decodePlain },
    { .name = "mad.hi", .op = Opcode::Mad, .types = kInt, .optional = Suffix::Cc | Suffix::Sat, .mod = { .part = MulPart::Hi }, .operands = "dttt", .decode = &decodePlain },
    { .name = "mad.wide", .op = Opcode::Mad, .types = kShort | kWord, .mod = { .part = MulPart::Wide }, .operands = "DttT", .decode = &decodePlain },
    { .name = "madc.lo", .op = Opcode::MadC, .types = kWord | kLong, .optional = with(Suffix::Cc), .mod = { .part = MulPart::Lo }, .operands = "dttt", .decode = &decodePlain },
    { .name = "madc.hi", .op = Opcode::MadC, .types = kWord | kLong, .optional = with(Suffix::Cc), .mod = { .part = MulPart::Hi }, .operands = "dttt", .decode = &decodePlain },
    // mad of floats is fused on every GPU that is modelled
    { .name = "mad", .op = Opcode::Fma, .types = kWide, .optional = kFloatMods, .operands = "dttt", .decode = &decodePlain },
    { .name = "mad24.lo", .op = Opcode::Mad24, .types = kWord, .mod = { .part = MulPart::Lo }, .operands = "dttt", .decode = &decodePlain },
    { .name = "mad24.hi", .op = Opcode::Mad24, .types = kWord, .optional = with(Suffix::Sat), .mod = { .part = MulPart::Hi }, .operands = "dttt", .decode = &decodePlain },
    { .name = "sad", .op = Opcode::Sad, .types = kInt, .operands = "dttt", .decode = &decodePlain },
    { .name = "div", .op = Opcode::Div, .types = kInt, .operands = "dtt", .decode = &decodePlain },
    { .name = "div", .op = Opcode::Div, .types = kWide, .optional = with(Suffix::Rounding, Suffix::Approx, Suffix::Full, Suffix::Ftz), .operands = "dtt", .decode = &decodePlain },
    { .name = "rem", .op = Opcode::Rem, .types = kInt, .operands = "dtt", .decode = &decodePlain },
    { .name = "abs", .op = Opcode::Abs, .types = kSigned, .operands = "dt", .decode = &decodePlain },
    { .name = "abs", .op = Opcode::Abs, .types = kWide | kHalf, .optional = with(Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "neg", .op = Opcode::Neg, .types = kSigned, .operands = "dt", .decode = &decodePlain },
    { .name = "neg", .op = Opcode::Neg, .types = kWide | kHalf, .optional = with(Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "min", .op = Opcode::Min, .types = kInt | kIntPair, .optional = with(Suffix::Relu), .operands = "dtt", .decode = &decodePlain },
    { .name = "min", .op = Opcode::Min, .types = kWide | kHalf, .optional = Suffix::Ftz | Suffix::Nan, .operands = "dtt", .decode = &decodePlain },
    { .name = "max", .op = Opcode::Max, .types = kInt | kIntPair, .optional = with(Suffix::Relu), .operands = "dtt", .decode = &decodePlain },
    { .name = "max", .op = Opcode::Max, .types = kWide | kHalf, .optional = Suffix::Ftz | Suffix::Nan, .operands = "dtt", .decode = &decodePlain },
    { .name = "fma", .op = Opcode::Fma, .types = kWide, .required = with(Suffix::Rounding), .optional = Suffix::Ftz | Suffix::Sat, .operands = "dttt", .decode = &decodePlain },
    { .name = "fma", .op = Opcode::Fma, .types = kHalf, .required = with(Suffix::Rounding), .optional = with(Suffix::Ftz, Suffix::Sat, Suffix::Relu), .operands = "dttt", .decode = &decodePlain },
    { .name = "rcp", .op = Opcode::Rcp, .types = kWide, .optional = with(Suffix::Rounding, Suffix::Approx, Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "sqrt", .op = Opcode::Sqrt, .types = kWide, .optional = with(Suffix::Rounding, Suffix::Approx, Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "rsqrt", .op = Opcode::Rsqrt, .types = kWide, .required = with(Suffix::Approx), .optional = with(Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "sin", .op = Opcode::Sin, .types = kF32, .required = with(Suffix::Approx), .optional = with(Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "cos", .op = Opcode::Cos, .types = kF32, .required = with(Suffix::Approx), .optional = with(Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "lg2", .op = Opcode::Lg2, .types = kF32, .required = with(Suffix::Approx), .optional = with(Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "ex2", .op = Opcode::Ex2, .types = kF32 | kHalf, .required = with(Suffix::Approx), .optional = with(Suffix::Ftz), .operands = "dt", .decode = &decodePlain },
    { .name = "tanh", .op = Opcode::Tanh, .types = kF32 | kHalf, .required = with(Suffix::Approx), .operands = "dt", .decode = &decodePlain },
    { .name = "copysign", .op = Opcode::CopySign, .types = kWide, .operands = "dtt", .decode = &decodePlain },
    { .name = "testp.finite", .op = Opcode::TestP, .types = kWide, .mod = { .testFinite = true }, .operands = "pt", .decode = &decodePlain },
    { .name = "testp.infinite", .op = Opcode::TestP, .types = kWide, .mod = { .testInfinite = true }, .operands = "pt", .decode = &decodePlain },
    { .name = "testp.number", .op = Opcode::TestP, .types = kWide, .mod = { .testNumber = true }, .operands = "pt", .decode = &decodePlain },
    { .name = "testp.notanumber", .op = Opcode::TestP, .types = kWide, .mod = { .testNotANumber = true }, .operands = "pt", .decode = &decodePlain },
    { .name = "testp.normal", .op = Opcode::TestP, .types = kWide, .mod = { .testNormal = true }, .operands = "pt", .decode = &decodePlain },
    { .name = "testp.subnormal", .op = Opcode::TestP, .types = kWide, .mod = { .testSubnormal = true }, .operands = "pt", .decode = &decodePlain },
    { .name = "popc", .op = Opcode::Popc, .types = kBits32, .operands = "et", .decode = &decodePlain },
    { .name = "clz", .op = Opcode::Clz, .types = kBits32, .operands = "et", .decode = &decodePlain },
    { .name = "bfind", .op = Opcode::Bfind, .types = kWord | kLong, .optional = with(Suffix::ShiftAmount), .operands = "et", .decode = &decodePlain },
    { .name = "brev", .op = Opcode::Brev, .types = kBits32, .operands = "dt", .decode = &decodePlain },
    { .name = "bfe", .op = Opcode::Bfe, .types = kWord | kLong, .operands = "dtuu", .decode = &decodePlain },
    { .name = "bfi", .op = Opcode::Bfi, .types = kBits32, .operands = "dttuu", .decode = &decodePlain },
    { .name = "fns", .op = Opcode::Fns, .types = kB32, .operands = "dttu", .decode = &decodePlain },
    { .name = "dp4a", .op = Opcode::Dp4a, .types = kWord, .sourceTypes = kWord, .operands = "dttt", .decode = &decodePlain },
    { .name = "dp2a.lo", .op = Opcode::Dp2a, .types = kWord, .sourceTypes = kWord, .mod = { .part = MulPart::Lo }, .operands = "dttt", .decode = &decodePlain },
    { .name = "dp2a.hi", .op = Opcode::Dp2a, .types = kWord, .sourceTypes = kWord, .mod = { .part = MulPart::Hi }, .operands = "dttt", .decode = &decodePlain },
    { .name = "vabsdiff4.u32.u32.u32", .op = Opcode::AbsDiff4, .operands = "euuu", .decode = &decodePlain },
    { .name = "vabsdiff4.u32.u32.u32.add", .op = Opcode::AbsDiff4, .mod = { .atom = AtomOp::Add }, .operands = "euuu", .decode = &decodePlain },
    { .name = "vabsdiff2.u32.u32.u32", .op = Opcode::AbsDiff2, .operands = "euuu", .decode = &decodePlain },
    { .name = "vabsdiff2.u32.u32.u32.add", .op = Opcode::AbsDiff2, .mod = { .atom = AtomOp::Add }, .operands = "euuu", .decode = &decodePlain },
    { .name = "szext", .op = Opcode::SzExt, .types = kWord, .required = with(Suffix::Clamp), .operands = "dtu", .decode = &decodePlain },
    { .name = "bmsk", .op = Opcode::Bmsk, .types = kB32, .required = with(Suffix::Clamp), .operands = "dtt", .decode = &decodePlain },
};

inline constexpr OpcodeRow kLogicRows[] = {
    { .name = "set", .op = Opcode::Set, .types = kWord | kF32 | kHalf | kShort, .sourceTypes = kInt | kBits | kWide | kHalf, .required = with(Suffix::Compare), .optional = Suffix::Bool | Suffix::Ftz, .operands = "dssC", .decode = &decodePlain },
    { .name = "setp", .op = Opcode::Setp, .types = kInt | kBits | kWide | kHalf, .required = with(Suffix::Compare), .optional = Suffix::Bool | Suffix::Ftz, .operands = "pqttC", .decode = &decodePlain },
    { .name = "selp", .op = Opcode::Selp, .types = kInt | kBits | kWide | kHalfScalar, .operands = "dttP", .decode = &decodePlain },
    { .name = "slct", .op = Opcode::Slct, .types = kInt | kBits | kWide, .sourceTypes = types(Type::S32, Type::F32), .optional = with(Suffix::Ftz), .operands = "dtts", .decode = &decodePlain },
    { .name = "and", .op = Opcode::And, .types = kBits | kPred, .operands = "dtt", .decode = &decodePlain },
    { .name = "or", .op = Opcode::Or, .types = kBits | kPred, .operands = "dtt", .decode = &decodePlain },
    { .name = "xor", .op = Opcode::Xor, .types = kBits | kPred, .operands = "dtt", .decode = &decodePlain },
    { .name = "not", .op = Opcode::Not, .types = kBits | kPred, .operands = "dt", .decode = &decodePlain },
    { .name = "cnot", .op = Opcode::CNot, .types = kBits, .operands = "dt", .decode = &decodePlain },
    { .name = "lop3", .op = Opcode::Lop3, .types = kB32, .operands = "dttt", .decode = &decodeLop3 },
    { .name = "shl", .op = Opcode::Shl, .types = kBits, .operands = "dtu", .decode = &decodePlain },
    { .name = "shr", .op = Opcode::Shr, .types = kBits | kInt, .operands = "dtu", .decode = &decodePlain },
    { .name = "shf.l.clamp", .op = Opcode::Shf, .types = kB32, .mod = { .shf = ShfMode::LeftClamp }, .operands = "dttu", .decode = &decodePlain },
    { .name = "shf.l.wrap", .op = Opcode::Shf, .types = kB32, .mod = { .shf = ShfMode::LeftWrap }, .operands = "dttu", .decode = &decodePlain },
    { .name = "shf.r.clamp", .op = Opcode::Shf, .types = kB32, .mod = { .shf = ShfMode::RightClamp }, .operands = "dttu", .decode = &decodePlain },
    { .name = "shf.r.wrap", .op = Opcode::Shf, .types = kB32, .mod = { .shf = ShfMode::RightWrap }, .operands = "dttu", .decode = &decodePlain },
};

inline constexpr TypeMask kConvertible = kByte | kInt | kWide | kHalfScalar;
inline constexpr SuffixMask kCvtMods = with(Suffix::Rounding, Suffix::IntRounding, Suffix::Ftz, Suffix::Sat);

inline constexpr OpcodeRow kMovementRows[] = {
    { .name = "mov", .op = Opcode::Mov, .types = kPred | kBits | kInt | kWide | kHalf, .operands = "dt", .decode = &decodeMov },
    { .name = "prmt", .op = Opcode::Prmt, .types = kB32, .optional = with(Suffix::Prmt), .operands = "dttu", .decode = &decodePlain },
    { .name = "cvt", .op = Opcode::Cvt, .types = kConvertible | kHalfPair, .sourceTypes = kConvertible, .optional = kCvtMods, .operands = "ds", .decode = &decodeCvt },
    { .name = "cvt", .op = Opcode::Cvt, .types = kHalf, .sourceTypes = kF32, .required = with(Suffix::Rounding), .optional = with(Suffix::Relu, Suffix::Finite), .operands = "ds", .decode = &decodeCvt },
    { .name = "cvt", .op = Opcode::Cvt, .types = kTinyPair, .sourceTypes = kF32 | types(Type::F16x2), .required = with(Suffix::Rounding, Suffix::Finite), .optional = with(Suffix::Relu), .operands = "ds", .decode = &decodeCvt },
    { .name = "cvt", .op = Opcode::Cvt, .types = types(Type::F16x2), .sourceTypes = kTinyPair, .required = with(Suffix::Rounding), .optional = with(Suffix::Relu), .operands = "ds", .decode = &decodeCvt },
    { .name = "cvt.rna.tf32.f32", .op = Opcode::And, .decode = &decodeTf32 },
    { .name = "cvta", .op = Opcode::Cvta, .types = types(Type::U32, Type::U64), .required = with(Suffix::Space), .operands = "dt", .decode = &decodePlain },
    { .name = "cvta.to", .op = Opcode::Cvta, .types = types(Type::U32, Type::U64), .required = with(Suffix::Space), .mod = { .toSpace = true }, .operands = "dt", .decode = &decodePlain },
    { .name = "isspacep", .op = Opcode::IsSpacep, .required = with(Suffix::Space), .operands = "pg", .decode = &decodePlain },
    { .name = "shfl.up", .op = Opcode::Shfl, .types = kB32, .mod = { .shfl = ShflMode::Up }, .operands = "dqtuu", .decode = &decodePlain },
    { .name = "shfl.down", .op = Opcode::Shfl, .types = kB32, .mod = { .shfl = ShflMode::Down }, .operands = "dqtuu", .decode = &decodePlain },
    { .name = "shfl.bfly", .op = Opcode::Shfl, .types = kB32, .mod = { .shfl = ShflMode::Bfly }, .operands = "dqtuu", .decode = &decodePlain },
    { .name = "shfl.idx", .op = Opcode::Shfl, .types = kB32, .mod = { .shfl = ShflMode::Idx }, .operands = "dqtuu", .decode = &decodePlain },
    { .name = "shfl.sync.up", .op = Opcode::Shfl, .types = kB32, .mod = { .shfl = ShflMode::Up }, .operands = "dqtuuu", .decode = &decodePlain },
    { .name = "shfl.sync.down", .op = Opcode::Shfl, .types = kB32, .mod = { .shfl = ShflMode::Down }, .operands = "dqtuuu", .decode = &decodePlain },
    { .name = "shfl.sync.bfly", .op = Opcode::Shfl, .types = kB32, .mod = { .shfl = ShflMode::Bfly }, .operands = "dqtuuu", .decode = &decodePlain },
    { .name = "shfl.sync.idx", .op = Opcode::Shfl, .types = kB32, .mod = { .shfl = ShflMode::Idx }, .operands = "dqtuuu", .decode = &decodePlain },
};

inline constexpr TypeMask kMemoryTypes = types(Type::B8) | kByte | kBits | kInt | kWide;
inline constexpr TypeMask kAtomTypes = kBits | kWord | kLong | kWide | kHalf;
inline constexpr SuffixMask kMemoryMods = kHints | Suffix::Space | Suffix::Vector;
inline constexpr SuffixMask kAtomMods = with(Suffix::Space, Suffix::Order, Suffix::Scope, Suffix::Level, Suffix::CacheHint, Suffix::NoFtz);
inline constexpr SuffixMask kMatrixMods = Suffix::Trans | Suffix::Space;

/// Bulk copies to a space.
constexpr OpcodeRow bulkRow(std::string_view name, Space to, std::string_view operands)
{
    return { .name = name, .op = Opcode::BulkCopy, .optional = with(Suffix::CacheHint), .mod = { .space = to }, .operands = operands, .decode = &decodeBulkCopy };
}

inline constexpr OpcodeRow kMemoryRows[] = {
    { .name = "ld", .op = Opcode::Ld, .types = kMemoryTypes, .optional = kMemoryMods, .operands = "da", .decode = &decodeLd },
    { .name = "ldu", .op = Opcode::Ld, .types = kMemoryTypes, .optional = kMemoryMods, .operands = "da", .decode = &decodeLd },
    { .name = "st", .op = Opcode::St, .types = kMemoryTypes, .optional = kMemoryMods, .operands = "at", .decode = &decodeSt },
    { .name = "atom", .op = Opcode::Atom, .types = kAtomTypes, .required = with(Suffix::Atom), .optional = kAtomMods, .operands = "dat", .decode = &decodeAtom },
    { .name = "red", .op = Opcode::Red, .types = kAtomTypes, .required = with(Suffix::Atom), .optional = kAtomMods, .operands = "at", .decode = &decodeAtom },
    { .name = "ldmatrix.sync", .op = Opcode::LdMatrix, .types = types(Type::B16), .required = Suffix::MatrixCount | Suffix::Shape | maskOf(Suffix::Aligned), .optional = kMatrixMods, .operands = "da", .decode = &decodeLdMatrix },
    { .name = "cp.async.ca", .op = Opcode::CpAsync, .required = with(Suffix::Space), .optional = Suffix::Level | Suffix::CacheHint, .operands = "aau?u", .decode = &decodeCpAsync },
    { .name = "cp.async.cg", .op = Opcode::CpAsync, .required = with(Suffix::Space), .optional = Suffix::Level | Suffix::CacheHint, .operands = "aau?u", .decode = &decodeCpAsync },
    { .name = "cp.async.commit_group", .op = Opcode::CpAsyncCommit, .decode = &decodePlain },
    { .name = "cp.async.wait_group", .op = Opcode::CpAsyncWait, .operands = "u", .decode = &decodeCpAsyncWait },
    { .name = "cp.async.wait_all", .op = Opcode::CpAsyncWait, .decode = &decodePlain },
    { .name = "cp.async.mbarrier.arrive", .op = Opcode::CpAsyncArrive, .types = kB64, .optional = Suffix::NoIncrement | Suffix::Space, .operands = "a", .decode = &decodeMBarrier },
    bulkRow("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", Space::Shared, "aaua"),
    bulkRow("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes", Space::Shared, "aaua"),
    bulkRow("cp.async.bulk.global.shared::cta.bulk_group", Space::Global, "aau"),
    { .name = "cp.async.bulk.commit_group", .op = Opcode::BulkCommit, .decode = &decodePlain },
    { .name = "cp.async.bulk.wait_group", .op = Opcode::BulkWait, .optional = with(Suffix::Read), .operands = "u", .decode = &decodeCpAsyncWait },
    { .name = "cp.async.bulk.prefetch.L2.global", .op = Opcode::Prefetch, .optional = with(Suffix::CacheHint), .operands = "au", .decode = &decodePrefetch },
    { .name = "prefetch", .op = Opcode::Prefetch, .required = with(Suffix::Level), .optional = with(Suffix::Space), .operands = "a", .decode = &decodePrefetch },
    { .name = "prefetchu", .op = Opcode::Prefetch, .required = with(Suffix::Level), .operands = "a", .decode = &decodePrefetch },
    { .name = "applypriority", .op = Opcode::Prefetch, .required = with(Suffix::Level), .optional = with(Suffix::Space), .operands = "au", .decode = &decodePrefetch },
    { .name = "discard", .op = Opcode::Prefetch, .required = with(Suffix::Level), .optional = with(Suffix::Space), .operands = "au", .decode = &decodePrefetch },
};

inline constexpr OpcodeRow kMatrixRows[] = {
    { .name = "mma.sync.aligned", .op = Opcode::Mma, .decode = &decodeMma, .readsRest = true },
    { .name = "wmma.mma.sync.aligned", .op = Opcode::Mma, .decode = &decodeWmmaMma, .readsRest = true },
    { .name = "wmma.load.a.sync.aligned", .op = Opcode::Ld, .decode = &decodeWmmaLoadA, .readsRest = true },
    { .name = "wmma.load.b.sync.aligned", .op = Opcode::Ld, .decode = &decodeWmmaLoadB, .readsRest = true },
    { .name = "wmma.load.c.sync.aligned", .op = Opcode::Ld, .decode = &decodeWmmaLoadC, .readsRest = true },
    { .name = "wmma.store.d.sync.aligned", .op = Opcode::St, .decode = &decodeWmmaStore, .readsRest = true },
    { .name = "movmatrix.sync", .op = Opcode::MoveMatrix, .types = types(Type::B16), .required = Suffix::Shape | Suffix::Aligned | maskOf(Suffix::Trans), .operands = "eu", .decode = &decodePlain },
};

/// A form of bar; both spellings of the instruction, with and without .cta, mean the same.
constexpr OpcodeRow barRow(std::string_view name, BarMode mode, std::string_view operands, TypeMask types = 0)
{
    return { .name = name, .op = Opcode::Bar, .types = types, .optional = with(Suffix::Aligned), .mod = { .bar = mode },
        .operands = operands, .decode = types == 0 ? &decodePlain : &decodeBarRed };
}

constexpr OpcodeRow mbarrierRow(std::string_view name, MBarrierMode mode, std::string_view operands)
{
    return { .name = name, .op = Opcode::MBarrier, .types = kB64, .optional = with(Suffix::Space, Suffix::ClusterSpace, Suffix::Order, Suffix::Scope),
        .mod = { .mbarrier = mode }, .operands = operands, .decode = &decodeMBarrier };
}

inline constexpr OpcodeRow kControlRows[] = {
    barRow("bar.sync", BarMode::Sync, "u?u"), barRow("bar.cta.sync", BarMode::Sync, "u?u"),
    barRow("barrier.sync", BarMode::Sync, "u?u"), barRow("barrier.cta.sync", BarMode::Sync, "u?u"),
    barRow("bar.arrive", BarMode::Arrive, "uu"), barRow("bar.cta.arrive", BarMode::Arrive, "uu"),
    barRow("barrier.arrive", BarMode::Arrive, "uu"), barRow("barrier.cta.arrive", BarMode::Arrive, "uu"),
    barRow("bar.red.popc", BarMode::RedPopc, "duP", kU32), barRow("bar.cta.red.popc", BarMode::RedPopc, "duP", kU32),
    barRow("barrier.red.popc", BarMode::RedPopc, "duP", kU32), barRow("barrier.cta.red.popc", BarMode::RedPopc, "duP", kU32),
    barRow("bar.red.and", BarMode::RedAnd, "puP", kPred), barRow("bar.cta.red.and", BarMode::RedAnd, "puP", kPred),
    barRow("barrier.red.and", BarMode::RedAnd, "puP", kPred), barRow("barrier.cta.red.and", BarMode::RedAnd, "puP", kPred),
    barRow("bar.red.or", BarMode::RedOr, "puP", kPred), barRow("bar.cta.red.or", BarMode::RedOr, "puP", kPred),
    barRow("barrier.red.or", BarMode::RedOr, "puP", kPred), barRow("barrier.cta.red.or", BarMode::RedOr, "puP", kPred),
    mbarrierRow("mbarrier.init", MBarrierMode::Init, "au"), mbarrierRow("mbarrier.inval", MBarrierMode::Inval, "a"),
    mbarrierRow("mbarrier.expect_tx", MBarrierMode::ExpectTx, "au"), mbarrierRow("mbarrier.complete_tx", MBarrierMode::CompleteTx, "au"),
    mbarrierRow("mbarrier.arrive", MBarrierMode::Arrive, "da?u"),
    mbarrierRow("mbarrier.arrive.expect_tx", MBarrierMode::ArriveExpectTx, "dau"),
    mbarrierRow("mbarrier.arrive.noComplete", MBarrierMode::ArriveNoComplete, "dau"),
    mbarrierRow("mbarrier.arrive_drop", MBarrierMode::ArriveDrop, "da?u"),
    mbarrierRow("mbarrier.arrive_drop.expect_tx", MBarrierMode::ArriveDropExpectTx, "dau"),
    mbarrierRow("mbarrier.arrive_drop.noComplete", MBarrierMode::ArriveDropNoComplete, "dau"),
    mbarrierRow("mbarrier.test_wait", MBarrierMode::TestWait, "pat"), mbarrierRow("mbarrier.test_wait.parity", MBarrierMode::TestWaitParity, "pau"),
    mbarrierRow("mbarrier.try_wait", MBarrierMode::TryWait, "pat?u"), mbarrierRow("mbarrier.try_wait.parity", MBarrierMode::TryWaitParity, "pau?u"),
    { .name = "mbarrier.pending_count", .op = Opcode::MBarrier, .types = kB64, .mod = { .mbarrier = MBarrierMode::PendingCount }, .operands = "et", .decode = &decodePlain },
    { .name = "fence.mbarrier_init.release.cluster", .op = Opcode::Membar, .decode = &decodePlain },
    { .name = "bar.warp.sync", .op = Opcode::BarWarp, .operands = "u", .decode = &decodePlain },
    { .name = "membar", .op = Opcode::Membar, .required = with(Suffix::Scope), .decode = &decodePlain },
    { .name = "fence", .op = Opcode::Membar, .required = with(Suffix::Scope), .optional = with(Suffix::Order), .decode = &decodePlain },
    { .name = "griddepcontrol.wait", .op = Opcode::Membar, .decode = &decodePlain }, // the kernel before it is over
    { .name = "griddepcontrol.launch_dependents", .op = Opcode::Nop, .decode = &decodePlain },
    { .name = "fence.proxy.alias", .op = Opcode::Membar, .decode = &decodePlain },
    { .name = "fence.proxy.async", .op = Opcode::Membar, .optional = with(Suffix::Space), .decode = &decodePlain },
    { .name = "vote.all", .op = Opcode::Vote, .types = kPred, .mod = { .vote = VoteMode::All }, .operands = "pP", .decode = &decodePlain },
    { .name = "vote.any", .op = Opcode::Vote, .types = kPred, .mod = { .vote = VoteMode::Any }, .operands = "pP", .decode = &decodePlain },
    { .name = "vote.uni", .op = Opcode::Vote, .types = kPred, .mod = { .vote = VoteMode::Uni }, .operands = "pP", .decode = &decodePlain },
    { .name = "vote.ballot", .op = Opcode::Vote, .types = kB32, .mod = { .vote = VoteMode::Ballot }, .operands = "eP", .decode = &decodePlain },
    { .name = "vote.sync.all", .op = Opcode::Vote, .types = kPred, .mod = { .vote = VoteMode::All }, .operands = "pPu", .decode = &decodePlain },
    { .name = "vote.sync.any", .op = Opcode::Vote, .types = kPred, .mod = { .vote = VoteMode::Any }, .operands = "pPu", .decode = &decodePlain },
    { .name = "vote.sync.uni", .op = Opcode::Vote, .types = kPred, .mod = { .vote = VoteMode::Uni }, .operands = "pPu", .decode = &decodePlain },
    { .name = "vote.sync.ballot", .op = Opcode::Vote, .types = kB32, .mod = { .vote = VoteMode::Ballot }, .operands = "ePu", .decode = &decodePlain },
    { .name = "match.any.sync", .op = Opcode::MatchAny, .types = kBits32, .operands = "etu", .decode = &decodePlain },
    { .name = "match.all.sync", .op = Opcode::MatchAll, .types = kBits32, .operands = "eqtu", .decode = &decodePlain },
    { .name = "redux.sync", .op = Opcode::Redux, .types = kWord | kB32, .required = with(Suffix::Atom), .operands = "dtu", .decode = &decodePlain },
    { .name = "activemask", .op = Opcode::ActiveMask, .types = kB32, .operands = "d", .decode = &decodePlain },
    { .name = "elect.sync", .op = Opcode::ElectSync, .operands = "equ", .decode = &decodePlain },
    { .name = "bra", .op = Opcode::Bra, .optional = with(Suffix::Uni), .decode = &decodeBra },
    { .name = "brx.idx", .op = Opcode::BrxIdx, .optional = with(Suffix::Uni), .operands = "u", .decode = &decodeBrxIdx },
    { .name = "ret", .op = Opcode::Exit, .optional = with(Suffix::Uni), .decode = &decodeRet },
    { .name = "exit", .op = Opcode::Exit, .decode = &decodePlain },
    { .name = "call", .op = Opcode::Nop, .optional = with(Suffix::Uni), .decode = &decodeCall },
    { .name = "trap", .op = Opcode::Trap, .decode = &decodePlain },
    { .name = "brkpt", .op = Opcode::Brkpt, .decode = &decodePlain },
    { .name = "nanosleep", .op = Opcode::Nanosleep, .types = kU32, .operands = "t", .decode = &decodePlain },
};
// clang-format on

} // namespace coalescope::analysis::ptx
