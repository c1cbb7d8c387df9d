// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/program.h"

#include <array>
#include <utility>

namespace coalescope::analysis {

namespace {
using namespace std::string_view_literals;

template <class Enum, std::size_t N>
constexpr std::string_view at(const std::array<std::string_view, N>& names, Enum value)
{
    const auto index = static_cast<std::size_t>(value);
    return index < N ? names[index] : "?"sv;
}

constexpr std::array kTypes = { "pred"sv, "b8"sv, "b16"sv, "b32"sv, "b64"sv, "b128"sv, "u8"sv,
    "u16"sv, "u32"sv, "u64"sv, "s8"sv, "s16"sv, "s32"sv, "s64"sv, "u16x2"sv, "s16x2"sv, "f16"sv, "f16x2"sv, "bf16"sv,
    "bf16x2"sv, "f32"sv, "f64"sv, "e4m3"sv, "e4m3x2"sv, "e5m2"sv, "e5m2x2"sv };
static_assert(kTypes.size() == static_cast<std::size_t>(Type::E5M2x2) + 1);

struct OpcodeName {
    Opcode op;
    std::string_view name;
};

using enum Opcode;
constexpr auto kOpcodes = std::to_array<OpcodeName>({ { Nop, "nop" }, { Add, "add" },
    { AddC, "addc" }, { Sub, "sub" }, { SubC, "subc" }, { Mul, "mul" }, { Mad, "mad" },
    { MadC, "madc" }, { Mul24, "mul24" }, { Mad24, "mad24" }, { Sad, "sad" }, { Div, "div" },
    { Rem, "rem" }, { Abs, "abs" }, { Neg, "neg" }, { Min, "min" }, { Max, "max" }, { Fma, "fma" },
    { Rcp, "rcp" }, { Sqrt, "sqrt" }, { Rsqrt, "rsqrt" }, { Sin, "sin" }, { Cos, "cos" },
    { Lg2, "lg2" }, { Ex2, "ex2" }, { Tanh, "tanh" }, { CopySign, "copysign" }, { TestP, "testp" },
    { Popc, "popc" }, { Clz, "clz" }, { Bfind, "bfind" }, { Brev, "brev" }, { Bfe, "bfe" },
    { Bfi, "bfi" }, { Fns, "fns" }, { Dp4a, "dp4a" }, { Dp2a, "dp2a" }, { AbsDiff4, "vabsdiff4" }, { AbsDiff2, "vabsdiff2" }, { SzExt, "szext" },
    { Bmsk, "bmsk" }, { Set, "set" }, { Setp, "setp" }, { Selp, "selp" }, { Slct, "slct" },
    { And, "and" }, { Or, "or" }, { Xor, "xor" }, { Not, "not" }, { CNot, "cnot" },
    { Lop3, "lop3" }, { Shl, "shl" }, { Shr, "shr" }, { Shf, "shf" }, { Mov, "mov" },
    { Pack, "mov" }, { Unpack, "mov" }, { Prmt, "prmt" }, { Cvt, "cvt" }, { Cvta, "cvta" },
    { IsSpacep, "isspacep" }, { Shfl, "shfl" }, { Mma, "mma.sync" },
    { MoveMatrix, "movmatrix.sync" }, { MatchAny, "match.any" },
    { MatchAll, "match.all" }, { Ld, "ld" }, { St, "st" }, { LdMatrix, "ldmatrix" },
    { CpAsync, "cp.async" }, { CpAsyncCommit, "cp.async.commit_group" },
    { CpAsyncWait, "cp.async.wait_group" }, { CpAsyncArrive, "cp.async.mbarrier.arrive" },
    { BulkCopy, "cp.async.bulk" }, { BulkCommit, "cp.async.bulk.commit_group" },
    { BulkWait, "cp.async.bulk.wait_group" }, { Prefetch, "prefetch" }, { Bar, "bar" },
    { MBarrier, "mbarrier" }, { BarWarp, "bar.warp.sync" }, { Membar, "membar" }, { Atom, "atom" }, { Red, "red" },
    { Vote, "vote" }, { ActiveMask, "activemask" }, { Redux, "redux.sync" },
    { ElectSync, "elect.sync" }, { Bra, "bra" }, { BrxIdx, "brx.idx" }, { Exit, "exit" },
    { Trap, "trap" }, { Brkpt, "brkpt" }, { Nanosleep, "nanosleep" } });
static_assert(
    [] {
        for (std::size_t i = 0; i < kOpcodes.size(); ++i) {
            if (kOpcodes[i].op != static_cast<Opcode>(i))
                return false;
        }
        return kOpcodes.size() == static_cast<std::size_t>(Opcode::Nanosleep) + 1;
    }(),
    "names stand in the order of Opcode");

constexpr std::array kSpaces
    = { ""sv, ".global"sv, ".shared"sv, ".local"sv, ".const"sv, ".param"sv };
constexpr std::array kCompares
    = { ".eq"sv, ".ne"sv, ".lt"sv, ".le"sv, ".gt"sv, ".ge"sv, ".lo"sv, ".ls"sv, ".hi"sv, ".hs"sv,
          ".equ"sv, ".neu"sv, ".ltu"sv, ".leu"sv, ".gtu"sv, ".geu"sv, ".num"sv, ".nan"sv };
constexpr std::array kRoundings = { ""sv, ".rn"sv, ".rz"sv, ".rm"sv, ".rp"sv, ".rna"sv, ".rni"sv,
    ".rzi"sv, ".rmi"sv, ".rpi"sv };
constexpr std::array kParts = { ""sv, ".lo"sv, ".hi"sv, ".wide"sv };
constexpr std::array kAtoms = { ""sv, ".and"sv, ".or"sv, ".xor"sv, ".cas"sv, ".exch"sv, ".add"sv,
    ".inc"sv, ".dec"sv, ".min"sv, ".max"sv };
constexpr std::array kBools = { ""sv, ".and"sv, ".or"sv, ".xor"sv };
constexpr std::array kShfls = { ".up"sv, ".down"sv, ".bfly"sv, ".idx"sv };
constexpr std::array kVotes = { ".all"sv, ".any"sv, ".uni"sv, ".ballot"sv };
constexpr std::array kBars = { ".sync"sv, ".arrive"sv, ".red.popc"sv, ".red.and"sv, ".red.or"sv };
constexpr std::array kMBarriers = { ".init"sv, ".inval"sv, ".expect_tx"sv, ".complete_tx"sv, ".arrive"sv,
    ".arrive.expect_tx"sv, ".arrive.noComplete"sv, ".arrive_drop"sv, ".arrive_drop.expect_tx"sv, ".arrive_drop.noComplete"sv,
    ".test_wait"sv, ".test_wait.parity"sv, ".try_wait"sv, ".try_wait.parity"sv, ".pending_count"sv };
constexpr std::array kPrmts = { ""sv, ".f4e"sv, ".b4e"sv, ".rc8"sv, ".ecl"sv, ".ecr"sv, ".rc16"sv };
constexpr std::array kShfs = { ".l.clamp"sv, ".l.wrap"sv, ".r.clamp"sv, ".r.wrap"sv };

// Opcodes without a type.
// clang-format off
bool isTyped(Opcode op)
{
    switch (op) {
    case Nop: case IsSpacep: case CpAsync: case CpAsyncCommit: case CpAsyncWait: case CpAsyncArrive: case BulkCopy:
    case BulkCommit: case BulkWait: case Prefetch: case Bar: case BarWarp:
    case Membar: case ElectSync: case Bra: case BrxIdx: case Exit: case Trap: case Brkpt: return false;
    default: return true;
    }
}
// clang-format on

bool hasSourceType(Opcode op)
{
    return op == Cvt || op == Set || op == Slct || op == Dp4a || op == Dp2a || op == Mma;
}

std::string_view testOf(const Modifiers& mod)
{
    return mod.testFinite    ? ".finite"sv
        : mod.testInfinite   ? ".infinite"sv
        : mod.testNumber     ? ".number"sv
        : mod.testNotANumber ? ".notanumber"sv
        : mod.testNormal     ? ".normal"sv
                             : ".subnormal"sv;
}

/// What only some opcodes have, one a line.
// clang-format off
void appendSpecific(std::string& text, const Instruction& ins)
{
    const Modifiers& mod = ins.mod;
    switch (ins.op) {
    case Setp: case Set: (text += at(kCompares, mod.compare)) += at(kBools, mod.combine); break;
    case Shf: text += at(kShfs, mod.shf); break;
    case Shfl: (text += ".sync") += at(kShfls, mod.shfl); break;
    case Vote: (text += ".sync") += at(kVotes, mod.vote); break;
    case MatchAny: case MatchAll: text += ".sync"; break;
    case Bar: text += at(kBars, mod.bar); break;
    case MBarrier: text += at(kMBarriers, mod.mbarrier); break;
    case CpAsyncArrive: text += mod.noIncrement ? ".noinc" : ""; break;
    case BulkCopy: text += mod.space == Space::Shared ? ".shared.global" : ".global.shared"; break;
    case TestP: text += testOf(mod); break;
    case Cvta: text += mod.toSpace ? ".to" : ""; [[fallthrough]];
    case Ld: case St: case IsSpacep: case Prefetch: text += at(kSpaces, mod.space); break;
    case Atom: case Red: text += at(kSpaces, mod.space); [[fallthrough]];
    case Redux: text += at(kAtoms, mod.atom); break;
    case LdMatrix:
        text += ".x" + std::to_string(ins.vector) + (mod.transposed ? ".trans" : "") + std::string(at(kSpaces, mod.space));
        break;
    case Bfind: text += mod.shiftAmount ? ".shiftamt" : ""; break;
    case Bmsk: case SzExt: text += mod.clampMode ? ".clamp" : ".wrap"; break;
    default: break;
    }
}
// clang-format on
}

std::string_view nameOf(Type type) { return at(kTypes, type); }

std::string_view nameOf(Opcode op)
{
    const auto index = static_cast<std::size_t>(op);
    return index < kOpcodes.size() ? kOpcodes[index].name : "?"sv;
}

std::string Program::mnemonic(std::uint32_t instruction) const
{
    const Instruction& ins = instructions.at(instruction);
    const Modifiers& mod = ins.mod;
    std::string text(nameOf(ins.op));
    text += at(kParts, mod.part);
    appendSpecific(text, ins);
    text += at(kRoundings, mod.rounding);
    text += mod.approximate ? ".approx" : "";
    text += mod.flushSubnormals ? ".ftz" : "";
    text += mod.nanResult ? ".NaN" : "";
    text += mod.saturate ? ".sat" : "";
    text += mod.finite ? ".satfinite" : "";
    text += mod.relu ? ".relu" : "";
    text += mod.carryOut ? ".cc" : "";
    const int elements = ins.joinedBytes != 0 ? ins.joinedBytes / bytesOf(ins.type) : ins.vector;
    if ((ins.op == Ld || ins.op == St) && elements > 1)
        text += ".v" + std::to_string(elements);
    if (isTyped(ins.op))
        (text += '.') += nameOf(ins.type);
    if (hasSourceType(ins.op))
        (text += '.') += nameOf(ins.sourceType);
    if (ins.op == Prmt)
        text += at(kPrmts, mod.prmt);
    return text;
}

} // namespace coalescope::analysis
