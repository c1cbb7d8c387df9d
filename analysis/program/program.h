// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"
#include "analysis/program/opcode.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace coalescope::analysis {

inline constexpr std::uint32_t kNone = 0xffffffffu;

enum class OperandKind : std::uint8_t {
    None,
    Register, ///< `index` into the register file (predicates are registers too: 0 or 1)
    Immediate, ///< `bits`, already in the instruction's type (f32 and f64 as their bit patterns)
    Special, ///< `index` is a SpecialRegister
    Sink, ///< the PTX `_`
};

enum class SpecialRegister : std::uint8_t {
    TidX, TidY, TidZ, NtidX, NtidY, NtidZ, CtaidX, CtaidY, CtaidZ, NctaidX, NctaidY, NctaidZ,
    LaneId, WarpId, NwarpId, LaneMaskEq, LaneMaskLt, LaneMaskLe, LaneMaskGt, LaneMaskGe,
    Clock, Clock64, GlobalTimer, SmId, NsmId, GridId, DynamicSharedSize, TotalSharedSize,
};

struct Operand {
    OperandKind kind = OperandKind::None;
    bool negated = false; ///< `!%p` of a predicate source; fma of f32, f64: with the other sign
    std::uint32_t index = kNone;
    std::uint64_t bits = 0;
};

/// One decoded instruction. Nothing here tells which front end made it.
///
/// Operands, by opcode (a missing optional operand has kind None):
/// - ld: dst[0..vector), src[0] address. st: src[0] address, src[1..vector] values.
/// - atom: dst[0], src[0] address, src[1], src[2] (cas: compare, then new). red: the same without dst.
/// - cp.async: src[0] shared address, src[1] global address, src[2] bytes (immediate), src[3] source bytes.
/// - cp.async.mbarrier.arrive: src[0] the mbarrier's address.
/// - bulk copy: src[0] destination, src[1] source, mod.space that of the destination (shared or global), src[2] bytes, src[3] where
///   the destination is shared memory the address of the mbarrier that gets to know of them.
/// - mbarrier: dst[0] state, predicate or count, src[0] address (pending_count: state), src[1] count, bytes, state or parity.
/// - ldmatrix: dst[0..vector), src[0] row address.
/// - mma: dst[0] is one register of the result, type its; src[0], src[1] the registers of a with its row, src[2], src[3] those of b
///   with its columns, of sourceType (f32: tf32), src[4] what is added. A PTX instruction becomes one for each register of d and
///   each two of a row of a. movmatrix: dst[0], src[0].
/// - setp, set: dst[0], dst[1] (setp's second predicate), src[0], src[1], src[2] predicate to combine with.
/// - selp: src[0], src[1], src[2] predicate. slct: src[0], src[1], src[2] of sourceType.
/// - shfl: dst[0], dst[1] predicate, src[0] value, src[1] lane, src[2] clamp and segment, src[3] member mask.
/// - vote: dst[0], src[0] predicate, src[1] member mask. match, redux: src[0] value, src[1] member mask.
/// - bar: src[0] barrier, src[1] thread count, src[2] predicate of a reduction; dst[0] its result.
/// - bar.warp: src[0] member mask. brx.idx: src[0] index.
/// - dp4a, dp2a: type is that of a (src[0]), sourceType that of b (src[1]). lop3: the table is in mod.
/// - popc, clz, bfind: type is the source's, the result has 32 bits. mul, mad with mod.part Wide: type is
///   the factors'; the result (and mad's src[2]) has twice its width.
/// - cvt to f16x2, bf16x2: src[0] becomes the upper half, src[1] the lower.
/// - vote and shfl without .sync: no member mask (kind None).
/// - pack: src[0..vector) to dst[0], least significant first. unpack: the reverse.
/// - every other opcode: dst[0] and the sources in PTX order.
///
/// An address operand is a register or an immediate; a variable's name is resolved to its address in its
/// own space by the front end (shared, local, param: an offset in the window; global, constant: absolute).
/// cvta adds or subtracts the window base of shared, local and param and is the identity for the others.
struct Instruction {
    Opcode op = Opcode::Nop;
    Type type = Type::B32; ///< of the operation (destination type of a conversion)
    Type sourceType = Type::B32; ///< of a conversion's, set's or slct's source
    Modifiers mod;
    std::uint8_t vector = 1; ///< elements a lane moves: ld/st .v2 .v4, ldmatrix .x2 .x4
    std::uint32_t guard = kNone; ///< predicate register
    bool guardNegated = false;
    std::array<Operand, 4> dst {}; ///< vector loads and shfl|p use more than one
    std::array<Operand, 5> src {}; ///< memory: src[0] is the address base, values follow
    std::int64_t offset = 0; ///< bytes added to the address base
    std::int64_t sourceOffset = 0; ///< cp.async, bulk copy: bytes added to the source's address, src[1]
    std::uint32_t target = kNone; ///< bra: instruction jumped to; brx: index into Program::branchTables
    std::uint32_t reconverge = kNone; ///< branch: immediate post-dominator; instructions.size() is the exit
    std::uint8_t joinedBytes = 0; ///< ld, st: bytes a lane moves in the access that this one leads; 0: its own
    std::int8_t joinedOffset = 0; ///< where that access begins, relative to this instruction's address
    bool isJoined = false; ///< another instruction's joined access moves this one's bytes; see joinAccesses
    bool endsWait = false; ///< bra: leaves a loop that waits for other blocks, after one turn; see passWaits
    std::uint32_t file = 0; ///< into Program::files
    std::uint32_t line = 0; ///< source line, 1-based; 0 where unknown
    std::uint32_t kernelLine = 0; ///< the same in the kernel's file: of the call that brought it in; 0: as line
    std::uint32_t textLine = 0; ///< line of the front end's text (PTX), 1-based

    /// The line to tell people: one of the file that holds the kernel.
    [[nodiscard]] std::uint32_t lineToName() const { return kernelLine != 0 ? kernelLine : line; }
};

[[nodiscard]] inline bool isAtomic(const Instruction& ins) { return ins.op == Opcode::Atom || ins.op == Opcode::Red; }

struct Parameter {
    std::string name;
    std::uint32_t offset = 0; ///< bytes into the parameter block
    std::uint32_t size = 0; ///< bytes
    std::uint32_t align = 0;
    Type type = Type::B8; ///< as declared; of a structure: bytes
};

/// A variable of the module in shared, constant, global or local memory.
struct Symbol {
    std::string name;
    Space space = Space::Shared;
    std::uint64_t address = 0; ///< shared, local: offset in the window; constant, global: see MemoryMap
    std::uint64_t size = 0; ///< 0: dynamic (extern) shared memory
    std::uint32_t align = 1;
    std::vector<std::uint8_t> initial; ///< empty: zero
};

/// One kernel, decoded: what a front end makes and the interpreter runs.
struct Program {
    std::string entry; ///< mangled name
    std::string text; ///< what the front end read, for views and error carets
    std::vector<Instruction> instructions;
    std::uint32_t registers = 0; ///< size of the register file, predicates included
    std::vector<Type> registerType; ///< declared type of each register
    std::vector<std::string> registerName; ///< for views and errors
    std::vector<Parameter> parameters;
    std::uint32_t parameterBytes = 0;
    std::vector<Symbol> symbols;
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t dynamicSharedOffset = 0; ///< where extern shared memory starts
    std::uint32_t localBytes = 0; ///< per thread
    std::vector<std::string> files; ///< Instruction::file indexes this
    std::vector<std::vector<std::uint32_t>> branchTables; ///< targets of each brx.idx
    std::uint32_t maxThreads = 0; ///< of a block: .maxntid product; 0: none
    std::array<std::uint32_t, 3> requiredBlock {}; ///< .reqntid: the only block there may be; zeros: none
    std::array<std::uint32_t, 3> cluster { 1, 1, 1 }; ///< blocks that are started together: .reqnctapercluster
    bool isCooperative = false; ///< its blocks meet at the grid's barrier: all of them must be resident, and are launched so

    /// Name for people of an instruction: opcode with its modifiers, as in `ld.global.v4.f32`.
    [[nodiscard]] std::string mnemonic(std::uint32_t instruction) const;
};

/// Where spaces lie in the generic address space of a modelled launch. Space bases are chosen so that
/// no two overlap and none is a multiple too small to tell (a null pointer plus an offset stays bad).
///
/// Units: bytes.
inline constexpr std::uint64_t kSharedWindowBase = 0x7000'0000'0000ull;
inline constexpr std::uint64_t kLocalWindowBase = 0x7100'0000'0000ull;
inline constexpr std::uint64_t kConstantBase = 0x7200'0000'0000ull; ///< module constants
inline constexpr std::uint64_t kModuleGlobalBase = 0x6f00'0000'0000ull; ///< module __device__ variables
inline constexpr std::uint64_t kParamWindowBase = 0x7300'0000'0000ull;
/// What the driver gives a cooperative launch: a size, and the word where blocks arrive.
inline constexpr std::uint64_t kGridBarrierBase = 0x6e00'0000'0000ull;
inline constexpr std::uint64_t kGridBarrierBytes = 8;

} // namespace coalescope::analysis
