// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/sign_tests.h"

#include "analysis/program/control_flow.h"
#include "analysis/program/uses.h"

#include <algorithm>
#include <optional>
#include <ranges>

namespace coalescope::analysis {

namespace {

/// Whether a comparison asks for the sign alone; true: holds for negative numbers.
std::optional<bool> holdsForNegative(const Instruction& ins)
{
    const Operand& with = ins.src[1];
    const bool isSigned = ins.type == Type::S16 || ins.type == Type::S32 || ins.type == Type::S64;
    if (ins.op != Opcode::Setp || !isSigned || with.kind != OperandKind::Immediate || ins.mod.combine != BoolOp::None
        || ins.dst[1].kind != OperandKind::None)
        return std::nullopt;
    const std::uint64_t minusOne = ~std::uint64_t(0) >> (64 - 8 * bytesOf(ins.type));
    const Compare compare = ins.mod.compare;
    if (with.bits == 0 && (compare == Compare::Lt || compare == Compare::Ge))
        return compare == Compare::Lt;
    if ((with.bits & minusOne) == minusOne && (compare == Compare::Le || compare == Compare::Gt))
        return compare == Compare::Le;
    return std::nullopt;
}

bool isBitwise(const Instruction& ins)
{
    return (ins.op == Opcode::Or || ins.op == Opcode::And) && ins.type != Type::Pred && ins.guard == kNone
        && ins.src[0].kind == OperandKind::Register && ins.src[1].kind == OperandKind::Register;
}

class SignTests {
public:
    explicit SignTests(Program& program)
        : m_program(program)
        , m_registers(program)
    {
    }

    void run()
    {
        for (const BasicBlock& block : basicBlocks(m_program))
            for (std::uint32_t i = block.end; i-- > block.begin;) // from the last, so that chains come apart
                if (isBitwise(m_program.instructions[i]))
                    split(i, block);
    }

private:
    void split(std::uint32_t at, const BasicBlock& block)
    {
        Instruction& bits = m_program.instructions[at];
        const std::uint32_t result = bits.dst[0].index;
        if (!m_registers.isSetOnce(result) || m_registers.uses[result].size() != 1)
            return;
        const std::uint32_t use = m_registers.uses[result].front();
        if (use <= at || use >= block.end)
            return;
        Instruction& test = m_program.instructions[use];
        const auto negative = holdsForNegative(test);
        if (!negative || test.src[0].kind != OperandKind::Register || test.src[0].index != result || test.guard == result
            || bytesOf(test.type) != bytesOf(bits.type))
            return;
        // What comes of other bits is compared first, alone, so that it can be split as well.
        Operand first = bits.src[0], second = bits.src[1];
        if (isOfBits(second) || m_registers.isSetBetween(second, at, use))
            std::swap(first, second);
        if (m_registers.isSetBetween(second, at, use))
            return;
        const BoolOp both = (bits.op == Opcode::Or) == *negative ? BoolOp::Or : BoolOp::And;
        std::ranges::replace(m_registers.uses[second.index], at, use);
        m_program.registerType[result] = Type::Pred;
        bits.op = Opcode::Setp;
        bits.type = test.type;
        bits.mod.compare = test.mod.compare;
        bits.src = { first, test.src[1] };
        test.mod.combine = both;
        test.src[2] = test.src[0];
        test.src[0] = second;
    }

    [[nodiscard]] bool isOfBits(const Operand& operand) const
    {
        return m_registers.isSetOnce(operand.index)
            && isBitwise(m_program.instructions[m_registers.definitions[operand.index].front()]);
    }

    Program& m_program;
    RegisterUses m_registers;
};

} // namespace

void splitSignTests(Program& program) { SignTests(program).run(); }

} // namespace coalescope::analysis
