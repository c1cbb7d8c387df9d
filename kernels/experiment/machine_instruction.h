// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/traffic.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace coalescope::kernels {

/// Where a scheduler executes an instruction; null where that takes it no longer than to issue it.
using Pipe = double analysis::MachineWork::*;

inline constexpr std::size_t kInstructionBytes = 16;
inline constexpr unsigned kNoBarrier = 7; ///< none is released
inline constexpr std::uint8_t kNoRegister = 255; ///< RZ reads as zero

inline constexpr std::size_t kMostOperands = 3;
using Operands = std::array<std::uint8_t, 2 * kMostOperands>; ///< the register of each, and behind these the other one of those of 64 bits
inline constexpr Operands kNoOperands { kNoRegister, kNoRegister, kNoRegister, kNoRegister, kNoRegister, kNoRegister };

/// One instruction of machine code.
///
/// Source:  see machinePath().
struct MachineInstruction {
    /// Accesses and barriers, which PTX and machine code have in common, and what else changes a warp's path.
    enum Kind : std::uint8_t {
        GlobalLoad,
        GlobalStore,
        GlobalAtomic,
        SharedLoad,
        SharedStore,
        SharedAtomic,
        AsyncCopy, ///< from global to shared memory
        Barrier,
        Counted,
        Branch = Counted,
        Call,
        Return, ///< from one
        Exit,
        Join, ///< of the lanes that a branch has parted
        LocalLoad, ///< of arrays, or of registers that were spilled
        LocalStore,
        BulkCopy,
        AsyncWait, ///< for copies
        PhaseCheck, ///< of an mbarrier
        Shuffle,
        ConstantLoad, ///< from an address in a register
        FixedConstantLoad,
        GenericLoad, ///< of global or shared memory
        GenericStore,
        GenericAtomic,
        Other
    };

    /// `bytes`: its kInstructionBytes; `at`: its place among the kernel's instructions.
    MachineInstruction(const char* bytes, std::size_t at, int computeMajor);

    [[nodiscard]] bool isLocal() const { return kind == LocalLoad || kind == LocalStore; }
    /// Of memory, or of what goes the same way.
    [[nodiscard]] bool isAccess() const { return kind < Counted || isLocal() || kind == Shuffle || (kind >= GenericLoad && kind <= GenericAtomic); }

    Kind kind = Other;
    Pipe pipe = nullptr;
    double pipeCount = 1; ///< it counts as so many of the pipe's instructions
    bool conditional = false;
    unsigned predicate = 0; ///< that it is conditional on; of a phase check: that tells whether the phase is complete
    bool negated = false; ///< conditional on the predicate's being false
    int stallClocks = 1;
    int lateClocks = 0; ///< beyond those, for arithmetic that needs its result: of products of 64 bits
    double resultClocks = 0; ///< from it to the next that needs its result, where that waits for a barrier; 0: not known
    unsigned releases = kNoBarrier; ///< the barrier, when its result is there
    unsigned frees = kNoBarrier; ///< the barrier, when its operands have been read
    unsigned waits = 0; ///< a bit for each barrier
    std::int64_t target = 0; ///< of a branch or a call
    int words = 0; ///< of a lane, that a load of global memory or an access to local memory moves
    std::int64_t offset = 0; ///< of an access to local memory, in bytes
    std::int64_t step = 0; ///< that is added to a register, as in loops; 0: it does something else
    Operands registers = kNoOperands; ///< that arithmetic reads, by operand
    unsigned kept = 0; ///< a bit for each of those operands that stay at hand for the warp's next instruction
};

} // namespace coalescope::kernels
