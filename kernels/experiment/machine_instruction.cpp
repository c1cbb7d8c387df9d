// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/machine_instruction.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace coalescope::kernels {

namespace {

using analysis::MachineWork;
using Kind = MachineInstruction::Kind;
using enum MachineInstruction::Kind;

constexpr unsigned kAlways = 7; ///< the predicate PT
constexpr unsigned kNever = 15; ///< the predicate !PT
constexpr unsigned kPhaseCheck = 0x5a7; ///< SYNCS.PHASECHK: mbarrier.test_wait and .try_wait
constexpr unsigned kWhereDiverged = 2; ///< BRA.DIV: a shuffle's way out where lanes are elsewhere
constexpr std::array kWordsOfASize { 1, 1, 1, 1, 1, 2, 4, 4 }; ///< .U8 .S8 .U16 .S16, none, .64 .128
constexpr int kSplitOffsets
    = 9; ///< from this compute capability on the low byte of a branch's offset stands apart

constexpr std::uint64_t kIntegerMatrices = 0x037, kMatrices = 0x03c, kDoubleMatrices = 0x03f; ///< IMMA, HMMA, DMMA
constexpr std::uint64_t kWideProduct = 0x025, kHighProduct = 0x027; ///< IMAD.WIDE, IMAD.HI

/// Bits of an instruction, the lowest being bit 0.
std::uint64_t bitsOf(const std::array<std::uint64_t, 2>& words, unsigned first, unsigned count)
{
    const unsigned shift = first % 64;
    std::uint64_t value = words[first / 64] >> shift;
    if (shift + count > 64)
        value |= words[1] << (64 - shift);
    return value & ((std::uint64_t(1) << count) - 1);
}

Kind kindOf(std::uint64_t operation)
{
    switch (operation) {
    case 0x181: // LDG
        return GlobalLoad;
    case 0x186: // STG
        return GlobalStore;
    case 0x18e: // RED
    case 0x1a6:
    case 0x1a8: // ATOMG
    case 0x1a9: // ATOMG.CAS
        return GlobalAtomic;
    case 0x180: // LD
        return GenericLoad;
    case 0x18a: // ATOM
    case 0x18b: // ATOM.CAS
        return GenericAtomic;
    case 0x189: // SHFL
        return Shuffle;
    case 0x182: // LDC
        return ConstantLoad;
    case 0x183: // LDL
        return LocalLoad;
    case 0x184: // LDS
    case 0x03b: // LDSM
        return SharedLoad;
    case 0x185: // ST
        return GenericStore;
    case 0x187: // STL
        return LocalStore;
    case 0x188: // STS
        return SharedStore;
    case 0x18c: // ATOMS
    case 0x18d: // ATOMS.CAS
        return SharedAtomic;
    case 0x1ae: // LDGSTS
        return AsyncCopy;
    case 0x1ba: // UBLKCP
        return BulkCopy;
    case 0x11a: // DEPBAR
        return AsyncWait;
    case 0x11d: // BAR
        return Barrier;
    case 0x147: // BRA
        return Branch;
    case 0x143: // CALL.ABS
    case 0x144: // CALL.REL
        return Call;
    case 0x150: // RET
        return Return;
    case 0x14d: // EXIT
        return Exit;
    case 0x141: // BSYNC
        return Join;
    default:
        return Other;
    }
}

Pipe pipeOf(std::uint64_t operation)
{
    switch (operation) {
    case 0x002: // MOV
    case 0x007: // SEL
    case 0x008: // FSEL
    case 0x009: // FMNMX
    case 0x00b: // FSETP
    case 0x00c: // ISETP
    case 0x00f: // VIMNMX3
    case 0x010: // IADD3
    case 0x011: // LEA
    case 0x012: // LOP3
    case 0x013: // IABS
    case 0x014: // VABSDIFF
    case 0x016: // PRMT
    case 0x017: // IMNMX
    case 0x019: // SHF
    case 0x01a: // SGXT
    case 0x01b: // BMSK
    case 0x01c: // PLOP3
    case 0x03e: // F2FP
    case 0x045: // I2FP
    case 0x046: // VIADDMNMX
    case 0x048: // VIMNMX
        return &MachineWork::integers;
    case 0x024: // IMAD
    case kWideProduct:
    case 0x026: // IDP
    case kHighProduct:
    case 0x036: // VIADD
        return &MachineWork::products;
    case 0x028: // DMUL
    case 0x029: // DADD
    case 0x02a: // DSETP
    case 0x02b: // DFMA
    case kDoubleMatrices:
        return &MachineWork::doubles;
    case kMatrices:
    case kIntegerMatrices:
        return &MachineWork::matrices;
    case 0x100: // FLO
    case 0x101: // BREV
    case 0x102: // FCHK
    case 0x104: // F2F
    case 0x105: // F2I
    case 0x106: // I2F
    case 0x107: // FRND
    case 0x108: // MUFU
    case 0x109: // POPC
    case 0x111: // F2I
    case 0x112: // I2F
        return &MachineWork::specials;
    default:
        return nullptr;
    }
}

/// By how much later than their control bits say the next instruction issues that needs one's result: of products of 64 bits.
///
/// Source: as resultClocksOf().
int lateClocksOf(std::uint64_t operation)
{
    return operation == kHighProduct ? 3 : operation == kWideProduct ? 2 : 0;
}

/// Source: chains of one operation each, of one warp, on an NVIDIA H200 (driver 580.159.04, 2026-11-28); of checks of divisions and of
/// constants where a profiler saw warps that wait for nothing else (the same GPU, 2026-11-30, tests/kernels/experiment/parted_lanes.cu).
double resultClocksOf(std::uint64_t operation)
{
    switch (operation) {
    case 0x100: // FLO
    case 0x101: // BREV
    case 0x105: // F2I
    case 0x106: // I2F
    case 0x107: // FRND
    case 0x108: // MUFU
    case 0x109: // POPC
        return 17;
    case 0x182: // LDC
        return 27;
    case 0x102: // FCHK
        return 30;
    case 0x110: // F2F, of 64 bits
    case 0x111: // F2I
    case 0x112: // I2F
        return 18;
    case 0x113: // FRND
        return 19;
    case 0x1a1: // MATCH
        return 28;
    case 0x1c4: // REDUX
        return 38;
    default:
        return 0;
    }
}

/// What a sum of a register and a constant adds to it, where it is the same register.
std::int64_t stepOf(const std::array<std::uint64_t, 2>& raw)
{
    constexpr std::uint64_t kSum = 0x010, kShortSum = 0x036, kUniformSum = 0x090; // IADD3, VIADD, UIADD3
    constexpr std::uint64_t kWithConstant = 4;
    const std::uint64_t operation = bitsOf(raw, 0, 9);
    const bool isSum = operation == kSum || operation == kShortSum || operation == kUniformSum;
    const bool isInPlace = bitsOf(raw, 16, 8) == bitsOf(raw, 24, 8);
    return isSum && isInPlace && bitsOf(raw, 9, 3) == kWithConstant ? std::int32_t(bitsOf(raw, 32, 32)) : 0;
}

/// How many of its pipe's instructions a product of matrices takes as long as. Measured on an H200 (driver 580.159.04,
/// 2026-11-23), clocks of a scheduler for each; where the shape stands was read off what ptxas makes of every shape.
double pipeCountOf(const std::array<std::uint64_t, 2>& raw)
{
    constexpr double kHalfTheDepth = 4.02 / 6.04; ///< m16n8k8 to m16n8k16 of halves
    constexpr std::array kDoubles { 8.0, 8.65, 16.0, 34.0 }; ///< m8n8k4, m16n8k4, m16n8k8, m16n8k16: 16 to 68 clocks, where a dfma takes 2
    switch (bitsOf(raw, 0, 9)) {
    case kMatrices: {
        const bool isTf32 = bitsOf(raw, 83, 1) != 0;
        return (isTf32 ? bitsOf(raw, 78, 1) != 0 : bitsOf(raw, 75, 1) == 0) ? kHalfTheDepth : 1;
    }
    case kIntegerMatrices:
        return bitsOf(raw, 75, 1) == 0 ? kHalfTheDepth : 1;
    case kDoubleMatrices:
        return kDoubles[bitsOf(raw, 76, 2)];
    case kWideProduct:
    case kHighProduct:
        return 2; // 3.9 clocks, where one of 32 bits takes 1.9 (the same GPU, 2026-11-28)
    default:
        return 1;
    }
}

/// Registers that arithmetic of 32 bits reads, and products of twice as many.
Operands registersOf(const std::array<std::uint64_t, 2>& raw)
{
    constexpr std::uint64_t kAllInRegisters = 1; // one operand is a constant or the same for the warp in the other forms
    const auto first = std::uint8_t(bitsOf(raw, 24, 8)), last = std::uint8_t(bitsOf(raw, 64, 8));
    const std::uint8_t second = bitsOf(raw, 9, 3) == kAllInRegisters ? std::uint8_t(bitsOf(raw, 32, 8)) : kNoRegister;
    const auto of = [](std::uint8_t one, std::uint8_t two, std::uint8_t three) { return Operands { one, two, three, kNoRegister, kNoRegister, kNoRegister }; };
    switch (bitsOf(raw, 0, 9)) {
    case kWideProduct:
        return { first, second, last, kNoRegister, kNoRegister, last == kNoRegister ? last : std::uint8_t(last + 1) };
    case 0x002: // MOV
        return of(kNoRegister, second, kNoRegister);
    case 0x007: // SEL
    case 0x008: // FSEL
    case 0x009: // FMNMX
    case 0x00b: // FSETP
    case 0x00c: // ISETP
    case 0x017: // IMNMX
    case 0x020: // FMUL
    case 0x021: // FADD
    case 0x030: // HADD2
    case 0x032: // HMUL2
    case 0x036: // VIADD
    case 0x048: // VIMNMX
        return of(first, second, kNoRegister);
    case 0x00f: // VIMNMX3
    case 0x010: // IADD3
    case 0x011: // LEA
    case 0x012: // LOP3
    case 0x016: // PRMT
    case 0x019: // SHF
    case 0x023: // FFMA
    case 0x024: // IMAD
    case kHighProduct:
    case 0x031: // HFMA2
    case 0x035: // HFMA2.MMA
        return of(first, second, last);
    default:
        return kNoOperands;
    }
}

} // namespace

MachineInstruction::MachineInstruction(const char* bytes, std::size_t at, int computeMajor)
{
    std::array<std::uint64_t, 2> raw {};
    std::memcpy(raw.data(), bytes, kInstructionBytes);
    kind = kindOf(bitsOf(raw, 0, 9));
    if (bitsOf(raw, 0, 12) == kPhaseCheck)
        kind = PhaseCheck;
    if (kind == Branch && bitsOf(raw, 32, 2) == kWhereDiverged)
        kind = Other;
    if (bitsOf(raw, 12, 4) == kNever)
        kind = Other; // as the loads that sm_90 puts before asynchronous copies
    if (kind == ConstantLoad && bitsOf(raw, 24, 8) == kNoRegister)
        kind = FixedConstantLoad;
    pipe = pipeOf(bitsOf(raw, 0, 9));
    pipeCount = pipeCountOf(raw);
    step = stepOf(raw);
    registers = registersOf(raw);
    kept = unsigned(bitsOf(raw, 122, 3));
    resultClocks = resultClocksOf(bitsOf(raw, 0, 9));
    conditional = bitsOf(raw, 12, 3) != kAlways;
    predicate = unsigned(kind == PhaseCheck ? bitsOf(raw, 81, 3) : bitsOf(raw, 12, 3));
    negated = bitsOf(raw, 15, 1) != 0;
    stallClocks = std::max(1, int(bitsOf(raw, 105, 4)));
    lateClocks = lateClocksOf(bitsOf(raw, 0, 9));
    releases = unsigned(bitsOf(raw, 110, 3));
    frees = unsigned(bitsOf(raw, 113, 3));
    waits = unsigned(bitsOf(raw, 116, 6));
    if (isLocal() || kind == GlobalLoad || kind == GenericLoad)
        words = kWordsOfASize[bitsOf(raw, 73, 3)];
    if (isLocal())
        offset = std::int64_t(bitsOf(raw, 40, 24) << 40) >> 40;
    auto jump
        = std::int64_t(bitsOf(raw, 34, 48) << 16) >> 16; // in units of 4 bytes, from the next
    if (computeMajor >= kSplitOffsets)
        jump = jump * 256 + std::int64_t(bitsOf(raw, 16, 8));
    target = std::int64_t(at) + 1 + jump * 4 / std::int64_t(kInstructionBytes);
}

} // namespace coalescope::kernels
