// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/join_accesses.h"

#include <algorithm>
#include <bit>

namespace coalescope::analysis {

namespace {
constexpr int kAll = 64; ///< of zero, and of a register not yet seen

class TrailingZeros {
public:
    explicit TrailingZeros(const Program& program)
        : m_of(program.registers, kAll)
    {
    }

    /// Narrows what is known of the destinations. True where anything changed.
    bool visit(const Instruction& ins)
    {
        const int zeros = result(ins);
        bool changed = false;
        for (const Operand& target : ins.dst) {
            if (target.kind != OperandKind::Register || m_of[target.index] <= zeros)
                continue;
            m_of[target.index] = zeros;
            changed = true;
        }
        return changed;
    }

    std::vector<int> take() { return std::move(m_of); }

private:
    [[nodiscard]] int of(const Operand& operand) const
    {
        if (operand.kind == OperandKind::Register)
            return m_of[operand.index];
        if (operand.kind == OperandKind::Immediate)
            return operand.bits == 0 ? kAll : std::countr_zero(operand.bits);
        return 0;
    }

    [[nodiscard]] int product(const Instruction& ins) const
    {
        return ins.mod.part == MulPart::Hi ? 0 : std::min(of(ins.src[0]) + of(ins.src[1]), kAll);
    }

    [[nodiscard]] int result(const Instruction& ins) const
    {
        if (isFloat(ins.type))
            return 0;
        const auto& src = ins.src;
        switch (ins.op) {
        case Opcode::Mov:
        case Opcode::Cvta:
        case Opcode::Neg:
            return of(src[0]);
        case Opcode::Cvt:
            return isFloat(ins.sourceType) ? 0 : of(src[0]);
        case Opcode::Add:
        case Opcode::Sub:
        case Opcode::Or:
        case Opcode::Xor:
        case Opcode::Rem:
        case Opcode::Selp:
            return std::min(of(src[0]), of(src[1]));
        case Opcode::And:
            return std::max(of(src[0]), of(src[1]));
        case Opcode::Mul:
            return product(ins);
        case Opcode::Mad:
            return std::min(product(ins), of(src[2]));
        case Opcode::Shl:
            return src[1].kind == OperandKind::Immediate
                ? std::min(of(src[0]) + int(std::min<std::uint64_t>(src[1].bits, kAll)), kAll)
                : of(src[0]);
        case Opcode::Bfi:
            return src[2].kind == OperandKind::Immediate
                ? std::min(of(src[1]), of(src[0]) + int(std::min<std::uint64_t>(src[2].bits, kAll)))
                : 0;
        default:
            return 0;
        }
    }

    std::vector<int> m_of;
};
}

std::vector<int> knownTrailingZeros(const Program& program)
{
    TrailingZeros zeros(program);
    bool changed = true;
    while (changed) { // what is known only shrinks
        changed = false;
        for (const Instruction& ins : program.instructions)
            changed = zeros.visit(ins) || changed;
    }
    return zeros.take();
}

} // namespace coalescope::analysis
