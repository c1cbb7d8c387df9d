// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/register_banks.h"

#include <algorithm>
#include <span>

namespace coalescope::kernels {

void RegisterBanks::issue(const MachineInstruction& instruction)
{
    const Operands& registers = instruction.registers;
    std::array<long, 2> reads {};
    Operands read = kNoOperands, kept = kNoOperands;
    for (std::size_t operand = 0; operand < registers.size(); ++operand) {
        const std::uint8_t number = registers[operand];
        const bool isAtHand = number == kNoRegister || number == m_kept[operand];
        const auto before = std::span(read).first(operand);
        if (!isAtHand && std::ranges::find(before, number) == before.end()) {
            read[operand] = number;
            reads[number % reads.size()] += 1;
        }
        if ((instruction.kept >> operand % kMostOperands & 1) != 0)
            kept[operand] = number;
    }
    m_kept = kept;
    long begins = m_next;
    for (std::size_t bank = 0; bank < reads.size(); ++bank) {
        if (reads[bank] == 0)
            continue;
        m_read[bank] += reads[bank];
        const long from = std::max(m_readUntil[bank], m_next);
        begins = std::max(begins, from);
        m_readUntil[bank] = from + reads[bank];
    }
    m_next = begins + 1;
    ++m_issued;
}

} // namespace coalescope::kernels
