// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"
#include "analysis/program/program.h"
#include "analysis/result/error.h"

#include <array>
#include <cstdint>
#include <vector>

namespace coalescope::analysis {

/// One lane's value of one register: the low bits of a 64-bit word. Bits above the width that an
/// instruction reads mean nothing.
using Word = std::uint64_t;

/// The words of the 32 lanes of one register.
struct alignas(64) LaneWords {
    std::array<Word, 32> lane {};
};

struct Warp;
struct Decoded;

/// What a handler tells the warp's loop.
enum class Step : std::uint8_t {
    Next,
    Wait, ///< at a barrier; the program counter already points behind it
    Again, ///< nothing was done: the instruction is executed anew when the warp goes on
    Stop, ///< the block cannot go on: its Signal says why
};

/// Executes one instruction for the lanes of `mask`, which is never empty.
using Handler = Step (*)(Warp& warp, const Decoded& instruction, LaneMask mask);

/// Where an operand's 32 lane values lie: a bank and a word offset in it.
struct OperandSlot {
    std::uint8_t bank = 0; ///< 0: the warp's registers, 1: constants of the program, 2: the block's
    bool negated = false;
    std::uint32_t slot = 0; ///< register or constant number
};

/// An instruction with its handler chosen and its operands resolved.
struct Decoded {
    Handler run = nullptr;
    const Instruction* source = nullptr;
    std::array<OperandSlot, 4> dst {};
    std::array<OperandSlot, 5> src {};
    std::uint32_t guard = kNone;
    bool guardNegated = false;
    bool turnsLoop = false; ///< jumps back, if its guard is true, over loads or stores of global or shared memory
    bool turnsFreely = false; ///< jumps back over neither barriers nor accesses to global or shared memory
    std::uint32_t region = kNone; ///< of a branch whose outcome changes nothing in memory: in DecodedProgram::regions
};

/// What lies between a branch and where its lanes meet again.
struct DataRegion {
    std::vector<std::uint32_t> instructions;
    std::vector<std::uint32_t> results; ///< registers that it may write, in order
    std::vector<std::uint32_t> accesses; ///< of the instructions, those to local memory, and loads of a table
};

/// A program ready to be executed for launches of one shape; shared by all threads, never changed.
struct DecodedProgram {
    const Program* program = nullptr;
    std::vector<Decoded> code;
    std::vector<Word> constants; ///< 32 words each
    std::uint32_t registers = 0; ///< the program's, one a special register in use, and a sink
    std::vector<std::pair<SpecialRegister, std::uint32_t>> specials; ///< register each lives in
    std::uint32_t sharedBytes = 0; ///< static and dynamic
    std::vector<bool> reachesAccess; ///< [instruction] whether a load or store of global or shared memory may come from there on; empty without mbarriers
    std::uint32_t shadowBytes = 4; ///< smallest shared access: the grain of race detection
    std::vector<DataRegion> regions;
};

/// Chooses handlers and resolves operands.
///
/// Errors: UnsupportedInstruction with the line.
[[nodiscard]] Result<DecodedProgram> decode(const Program& program, const Launch& launch);

/// "file.cu:12", or the front end's own line where the source line is unknown.
[[nodiscard]] std::string placeOf(const Program& program, std::uint32_t instruction);

} // namespace coalescope::analysis
