// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/machine_instruction.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels {

/// The clocks that reading registers leaves a scheduler: the even registers lie in one bank and the odd ones in another, each of which
/// reads one for all lanes a clock. An instruction issues when the one before has begun to read in every bank it needs, and waits there for
/// what that one still reads. What an operand's place has kept is not read again, nor is one register twice.
///
/// Source:  multiply-adds, additions and logic whose registers were written into the machine code, 68 choices, 1 to 8 warps a scheduler,
/// on an NVIDIA H200 (driver 580.159.04, 2026-11-30; `tests/kernels/experiment/h200_register_banks.csv`).
class RegisterBanks {
public:
    void issue(const MachineInstruction& instruction); ///< a warp's next one

    /// All until now take so many, one each at least, where the warp issues them one right after the other.
    [[nodiscard]] double clocks() const { return double(m_next); }
    /// The same where other warps issue in between, so that both banks always have something to read.
    [[nodiscard]] double mixedClocks() const { return double(std::max({ m_issued, m_read[0], m_read[1] })); }

private:
    long m_issued = 0;
    std::array<long, 2> m_read {}; ///< of each bank
    long m_next = 0; ///< the clock at which another may issue
    std::array<long, 2> m_readUntil {}; ///< the clock from which each bank is free
    Operands m_kept = kNoOperands;
};

} // namespace coalescope::kernels
