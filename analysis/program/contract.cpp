// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/contract.h"

#include "analysis/program/control_flow.h"
#include "analysis/program/uses.h"

#include <algorithm>
#include <map>

namespace coalescope::analysis {

namespace {

bool mayBeFused(const Instruction& ins)
{
    return (ins.type == Type::F32 || ins.type == Type::F64) && ins.mod.rounding == Rounding::None && ins.guard == kNone;
}
bool isSum(const Instruction& ins)
{
    return (ins.op == Opcode::Add || ins.op == Opcode::Sub) && mayBeFused(ins)
        && !(ins.src[0].kind == ins.src[1].kind && ins.src[0].index == ins.src[1].index);
}
bool isProduct(const Instruction& ins)
{
    return ins.op == Opcode::Mul && mayBeFused(ins) && !ins.mod.saturate;
}

/// The operand with the other sign.
Operand negated(Operand operand, Type type)
{
    if (operand.kind == OperandKind::Immediate)
        operand.bits ^= std::uint64_t(1) << (bytesOf(type) * 8 - 1);
    else
        operand.negated = !operand.negated;
    return operand;
}

class Contraction {
public:
    explicit Contraction(Program& program)
        : m_program(program)
        , m_registers(program)
    {
    }

    void run()
    {
        for (const BasicBlock& block : basicBlocks(m_program))
            contract(block);
    }

private:
    void contract(const BasicBlock& block)
    {
        m_products.clear();
        m_joined.clear();
        std::vector<std::uint32_t> sums;
        for (std::uint32_t i = block.begin; i < block.end; ++i) {
            const Instruction& ins = m_program.instructions[i];
            if (isSum(ins))
                sums.push_back(i);
            else if (isProduct(ins) && isUsedBySumsOnly(i, block))
                m_products.emplace(ins.dst[0].index, i);
        }
        for (const bool usedOnce : { true, false })
            for (const std::uint32_t sum : sums)
                if (!m_joined.contains(sum))
                    join(sum, usedOnce);
        for (const auto& [sum, product] : m_joined)
            fuse(m_program.instructions[sum], m_program.instructions[m_products.at(product)]);
    }

    /// Whether all that use a product are sums behind it in its block, with the same factors.
    [[nodiscard]] bool isUsedBySumsOnly(std::uint32_t product, const BasicBlock& block) const
    {
        const Instruction& ins = m_program.instructions[product];
        const std::uint32_t result = ins.dst[0].index;
        if (!m_registers.isSetOnce(result))
            return false;
        return std::ranges::all_of(m_registers.uses[result], [&](std::uint32_t use) {
            const Instruction& sum = m_program.instructions[use];
            return use > product && use < block.end && isSum(sum) && sum.type == ins.type
                && sum.mod.flushSubnormals == ins.mod.flushSubnormals
                && std::ranges::none_of(ins.src, [&](const Operand& factor) { return m_registers.isSetBetween(factor, product, use); });
        });
    }
    void join(std::uint32_t sum, bool usedOnce)
    {
        std::uint32_t best = kNone;
        for (const Operand& operand : m_program.instructions[sum].src) {
            if (operand.kind != OperandKind::Register || !m_products.contains(operand.index))
                continue;
            const auto& uses = m_registers.uses[operand.index];
            const auto isFree = [&](std::uint32_t use) {
                const auto joined = m_joined.find(use);
                return joined == m_joined.end() || joined->second == operand.index;
            };
            if ((usedOnce ? uses.size() == 1 : std::ranges::all_of(uses, isFree))
                && (best == kNone || uses.size() < m_registers.uses[best].size()))
                best = operand.index;
        }
        if (best != kNone)
            m_joined.emplace(sum, best);
    }

    static void fuse(Instruction& sum, const Instruction& product)
    {
        const bool isFirst = sum.src[0].kind == OperandKind::Register && sum.src[0].index == product.dst[0].index;
        const bool subtracts = sum.op == Opcode::Sub;
        Operand addend = sum.src[isFirst ? 1 : 0];
        Operand factor = product.src[0];
        if (subtracts)
            (isFirst ? addend : factor) = negated(isFirst ? addend : factor, sum.type);
        sum.op = Opcode::Fma;
        sum.src = { factor, product.src[1], addend };
    }

    Program& m_program;
    RegisterUses m_registers;
    std::map<std::uint32_t, std::uint32_t> m_products; ///< of a block: where each register gets its product
    std::map<std::uint32_t, std::uint32_t> m_joined; ///< sums, with the register of the product
};

} // namespace

void contractProducts(Program& program) { Contraction(program).run(); }

} // namespace coalescope::analysis
