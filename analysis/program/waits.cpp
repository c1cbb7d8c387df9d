// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/waits.h"

#include "analysis/program/uses.h"

#include <algorithm>

namespace coalescope::analysis {

namespace {

bool isOfGrid(const Instruction& ins) { return ins.mod.space == Space::Global || ins.mod.space == Space::Generic; }

bool writesForOthers(const Instruction& ins) { return isOfGrid(ins) && (ins.op == Opcode::St || isAtomic(ins)); }

/// An atomic that leaves what it finds: people read with them past the caches.
bool onlyLooks(const Instruction& ins)
{
    const AtomOp op = ins.mod.atom;
    return ins.src[1].kind == OperandKind::Immediate && ins.src[1].bits == 0
        && (op == AtomOp::Add || op == AtomOp::Or || op == AtomOp::Xor);
}

/// Whether a loop may hold the instruction and still do nothing but wait; branches are looked at by others.
bool mayWait(const Instruction& ins)
{
    switch (ins.op) {
    case Opcode::Ld: return isOfGrid(ins);
    case Opcode::Atom: return isOfGrid(ins) && onlyLooks(ins);
    case Opcode::Membar:
    case Opcode::Nanosleep: return true;
    case Opcode::BrxIdx:
    case Opcode::Exit:
    case Opcode::Trap:
    case Opcode::Brkpt: return false;
    default: return ins.op < Opcode::Shfl; // arithmetic and moves
    }
}

class Waits {
public:
    explicit Waits(Program& program)
        : m_program(program)
        , m_registers(program)
    {
    }

    void pass()
    {
        for (std::uint32_t last = 0; last < m_program.instructions.size(); ++last) {
            const Instruction& back = m_program.instructions[last];
            if (back.op == Opcode::Bra && back.target <= last && isWait(back.target, last))
                leave(back.target, last);
        }
    }

private:
    /// Instructions [first, last], the last of which jumps to the first.
    [[nodiscard]] bool isWait(std::uint32_t first, std::uint32_t last) const
    {
        bool looks = false;
        int exits = 0;
        for (std::uint32_t i = first; i <= last; ++i) {
            const Instruction& ins = m_program.instructions[i];
            looks = looks || ins.op == Opcode::Ld || ins.op == Opcode::Atom;
            if (ins.op == Opcode::Bra) {
                if (i != last && ins.target >= first && ins.target <= last)
                    return false;
                exits += ins.guard != kNone;
            } else if (!mayWait(ins)) {
                return false;
            }
        }
        return looks && exits == 1 && leavesNothing(first, last);
    }

    /// Neither to its next turn nor to what follows.
    [[nodiscard]] bool leavesNothing(std::uint32_t first, std::uint32_t last) const
    {
        for (std::uint32_t i = first; i <= last; ++i) {
            for (const Operand& operand : m_program.instructions[i].dst) {
                if (operand.kind != OperandKind::Register)
                    continue;
                const std::uint32_t setFirst = *std::ranges::lower_bound(m_registers.definitions[operand.index], first);
                if (m_program.instructions[setFirst].guard != kNone)
                    return false;
                if (std::ranges::any_of(m_registers.uses[operand.index],
                        [&](std::uint32_t at) { return at <= setFirst || at > last; }))
                    return false;
            }
        }
        return true;
    }

    /// The one branch that decides is taken, or not taken, always.
    void leave(std::uint32_t first, std::uint32_t last)
    {
        for (std::uint32_t i = first; i <= last; ++i) {
            Instruction& ins = m_program.instructions[i];
            if (ins.op != Opcode::Bra || ins.guard == kNone)
                continue;
            ins.endsWait = true;
            ins.guard = kNone;
            if (i == last)
                ins.target = last + 1;
        }
    }

    Program& m_program;
    RegisterUses m_registers;
};

} // namespace

void passWaits(Program& program)
{
    if (std::ranges::any_of(program.instructions, &writesForOthers))
        Waits(program).pass();
}

} // namespace coalescope::analysis
