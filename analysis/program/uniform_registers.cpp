// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/uniform_registers.h"

#include "analysis/program/control_flow.h"
#include "analysis/program/uses.h"

#include <algorithm>
#include <set>

namespace coalescope::analysis {
namespace {

bool isOfTheBlock(const Operand& operand)
{
    switch (SpecialRegister(operand.index)) {
    case SpecialRegister::NtidX:
    case SpecialRegister::NtidY:
    case SpecialRegister::NtidZ:
    case SpecialRegister::CtaidX:
    case SpecialRegister::CtaidY:
    case SpecialRegister::CtaidZ:
    case SpecialRegister::NctaidX:
    case SpecialRegister::NctaidY:
    case SpecialRegister::NctaidZ:
    case SpecialRegister::GridId:
    case SpecialRegister::DynamicSharedSize:
    case SpecialRegister::TotalSharedSize: return true;
    default: return false;
    }
}

/// Whether lanes get different results of the same operands. What a warp votes or adds up is the same in all its lanes, and what it loads
/// from one address, but for memory of each lane's own.
bool tellsLanesApart(const Instruction& ins)
{
    switch (ins.op) {
    case Opcode::Atom:
    case Opcode::Shfl:
    case Opcode::MatchAny:
    case Opcode::MatchAll:
    case Opcode::ElectSync:
    case Opcode::Mma:
    case Opcode::MoveMatrix:
    case Opcode::LdMatrix: return true;
    case Opcode::Ld: return ins.mod.space == Space::Local || ins.mod.space == Space::Generic;
    default: return false;
    }
}

/// Finds what is the same in all lanes by taking from all registers those that are not, until no more are found.
class UniformRegisters {
public:
    explicit UniformRegisters(const Program& program)
        : m_program(program)
        , m_registers(program)
        , m_blocks(basicBlocks(program))
        , m_uniform(program.registers, true)
    {
    }

    std::vector<bool> find()
    {
        for (m_changed = true; m_changed;) {
            m_changed = false;
            for (std::uint32_t i = 0; i < m_program.instructions.size(); ++i)
                look(i);
        }
        return m_uniform;
    }

private:
    [[nodiscard]] bool isUniform(const Operand& operand) const
    {
        return operand.kind == OperandKind::Register ? bool(m_uniform[operand.index]) : operand.kind != OperandKind::Special || isOfTheBlock(operand);
    }

    [[nodiscard]] bool isSame(const Instruction& ins) const
    {
        if (ins.op == Opcode::Shfl && ins.mod.shfl == ShflMode::Idx)
            return isUniform(ins.src[1]); // all get one lane's
        if (ins.op == Opcode::Vote || ins.op == Opcode::Redux || ins.op == Opcode::ActiveMask)
            return true;
        return !tellsLanesApart(ins) && std::ranges::all_of(ins.src, [&](const Operand& operand) { return isUniform(operand); });
    }

    void look(std::uint32_t i)
    {
        const Instruction& ins = m_program.instructions[i];
        const bool isGuarded = ins.guard != kNone && !m_uniform[ins.guard];
        if ((ins.op == Opcode::Bra || ins.op == Opcode::BrxIdx) && !m_diverging.contains(i) && (isGuarded || !isSame(ins))) {
            m_diverging.insert(i);
            takeSetWithin(i);
        }
        if (isGuarded || !isSame(ins))
            for (const Operand& operand : ins.dst)
                take(operand);
    }

    void take(const Operand& operand)
    {
        if (operand.kind != OperandKind::Register || !m_uniform[operand.index])
            return;
        m_uniform[operand.index] = false;
        m_changed = true;
    }

    /// Takes what some lanes set, and others elsewhere, before they run together again.
    void takeSetWithin(std::uint32_t branch)
    {
        std::vector<bool> seen(m_blocks.size());
        std::vector<std::uint32_t> work = m_blocks[blockOf(branch)].successors;
        while (!work.empty()) {
            const std::uint32_t block = work.back();
            work.pop_back();
            if (block >= m_blocks.size() || seen[block] || m_blocks[block].begin == m_program.instructions[branch].reconverge)
                continue;
            seen[block] = true;
            for (std::uint32_t i = m_blocks[block].begin; i < m_blocks[block].end; ++i)
                for (const Operand& operand : m_program.instructions[i].dst)
                    if (operand.kind == OperandKind::Register && !m_registers.isSetOnce(operand.index))
                        take(operand);
            work.insert(work.end(), m_blocks[block].successors.begin(), m_blocks[block].successors.end());
        }
    }

    [[nodiscard]] std::uint32_t blockOf(std::uint32_t instruction) const
    {
        const auto next = std::ranges::upper_bound(m_blocks, instruction, {}, &BasicBlock::begin);
        return std::uint32_t(next - m_blocks.begin() - 1);
    }

    const Program& m_program;
    RegisterUses m_registers;
    std::vector<BasicBlock> m_blocks;
    std::vector<bool> m_uniform;
    std::set<std::uint32_t> m_diverging; ///< branches that lanes take apart
    bool m_changed = false;
};

} // namespace

std::vector<bool> uniformRegisters(const Program& program) { return UniformRegisters(program).find(); }

} // namespace coalescope::analysis
