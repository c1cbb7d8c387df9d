// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/narrow_loads.h"

#include "analysis/program/control_flow.h"
#include "analysis/program/uses.h"

#include <algorithm>
#include <array>
#include <bit>

namespace coalescope::analysis {
namespace {

constexpr unsigned kLowHalf = 1, kHighHalf = 2, kLowQuarter = 4; ///< of 64 bits; the last: no more than that of the low half

class Narrower {
public:
    explicit Narrower(Program& program)
        : m_program(program)
        , m_uses(program)
    {
    }

    void run()
    {
        std::vector<Instruction> made;
        std::vector<std::uint32_t> places; ///< of each instruction, in what is made
        for (const Instruction& ins : m_program.instructions) {
            places.push_back(std::uint32_t(made.size()));
            if (isPlainLoad(ins))
                narrow(ins, made);
            else
                made.push_back(ins);
        }
        places.push_back(std::uint32_t(made.size()));
        const bool isLonger = made.size() != m_program.instructions.size();
        m_program.instructions = std::move(made);
        if (!isLonger)
            return;
        for (Instruction& ins : m_program.instructions)
            if (ins.op == Opcode::Bra && ins.target != kNone)
                ins.target = places[ins.target];
        for (auto& table : m_program.branchTables)
            std::ranges::transform(table, table.begin(), [&](std::uint32_t target) { return target == kNone ? target : places[target]; });
        computeReconvergence(m_program);
    }

private:
    static bool isPlainLoad(const Instruction& ins)
    {
        return ins.op == Opcode::Ld && (ins.mod.space == Space::Shared || ins.mod.space == Space::Global) && !ins.mod.isOrdered;
    }

    [[nodiscard]] bool isUsed(const Operand& operand) const
    {
        return operand.kind == OperandKind::Register && !m_uses.uses[operand.index].empty();
    }

    void narrow(Instruction ins, std::vector<Instruction>& made) const
    {
        const int bytes = bytesOf(ins.type);
        unsigned used = 0;
        for (unsigned i = 0; i < ins.vector; ++i)
            used |= unsigned(isUsed(ins.dst[i])) << i;
        const int count = std::popcount(used);
        const unsigned all = (1u << ins.vector) - 1;
        const auto add = [&](unsigned first, unsigned elements) { made.push_back(part(ins, first, elements)); };
        if (count == 1 && used != all) {
            add(unsigned(std::countr_zero(used)), 1);
        } else if (bytes > 1 && ins.vector == 4 && (used == 0b0011 || used == 0b1100)) {
            add(unsigned(std::countr_zero(used)), 2);
        } else if (bytes == 4 && ins.vector == 4 && count == 2) {
            add(unsigned(std::countr_zero(used)), 1);
            add(unsigned(std::bit_width(used)) - 1, 1);
        } else {
            made.push_back(ins);
        }
        if (Instruction& last = made.back(); last.vector == 1 && bytesOf(last.type) == 8)
            keepHalf(last);
        else if (last.vector == 1 && bytesOf(last.type) == 4)
            keepHalfOfWord(last);
    }

    static Instruction part(Instruction ins, unsigned first, unsigned elements)
    {
        for (unsigned i = 0; i < ins.dst.size(); ++i)
            ins.dst[i] = i < elements ? ins.dst[first + i] : Operand {};
        ins.vector = std::uint8_t(elements);
        ins.offset += std::int64_t(first) * bytesOf(ins.type);
        return ins;
    }

    void keepHalf(Instruction& ins) const
    {
        if (!isUsed(ins.dst[0]) || !m_uses.isSetOnce(ins.dst[0].index))
            return;
        unsigned used = 0;
        for (const std::uint32_t use : m_uses.uses[ins.dst[0].index])
            used |= halvesUsedBy(m_program.instructions[use], ins.dst[0].index);
        if (used == kLowQuarter)
            ins.joinedBytes = 2;
        else if ((used & kHighHalf) == 0)
            ins.joinedBytes = 4;
        else if (used == kHighHalf)
            ins.joinedBytes = ins.joinedOffset = 4;
    }

    /// Of a half2 the one that is taken out of it.
    void keepHalfOfWord(Instruction& ins) const
    {
        if (!isUsed(ins.dst[0]) || !m_uses.isSetOnce(ins.dst[0].index))
            return;
        unsigned used = 0;
        for (const std::uint32_t use : m_uses.uses[ins.dst[0].index])
            used |= m_program.instructions[use].op == Opcode::Unpack ? halvesUsedBy(m_program.instructions[use], ins.dst[0].index) : kLowHalf | kHighHalf;
        if (used == kLowHalf || used == kHighHalf) {
            ins.joinedBytes = 2;
            ins.joinedOffset = used == kHighHalf ? 2 : 0;
        }
    }

    [[nodiscard]] unsigned halvesUsedBy(const Instruction& ins, std::uint32_t index) const
    {
        constexpr unsigned kBoth = kLowHalf | kHighHalf;
        const auto isIt = [&](const Operand& operand) { return operand.kind == OperandKind::Register && operand.index == index; };
        const auto isAtLeast = [&](const Operand& operand, std::uint64_t bits) { return operand.kind == OperandKind::Immediate && operand.bits >= bits && operand.bits < 64; };
        switch (ins.op) {
        case Opcode::Cvt:
            if (isFloat(ins.type) || isFloat(ins.sourceType))
                return kBoth;
            if (bytesOf(ins.type) > 4)
                return bytesOf(ins.sourceType) == 4 ? kLowHalf : kBoth;
            return bytesOf(ins.type) <= 2 ? kLowQuarter : kLowHalf;
        case Opcode::St:
            if (isIt(ins.src[0]) || bytesOf(ins.type) > 4)
                return kBoth;
            return bytesOf(ins.type) <= 2 ? kLowQuarter : kLowHalf;
        case Opcode::Unpack: // into two halves
            if (ins.dst[2].kind != OperandKind::None)
                return kBoth;
            return (isUsed(ins.dst[0]) ? kLowHalf : 0) | (isUsed(ins.dst[1]) ? kHighHalf : 0);
        case Opcode::Shr:
            return isIt(ins.src[0]) && isAtLeast(ins.src[1], 32) ? kHighHalf : kBoth;
        case Opcode::Shl:
            return isIt(ins.src[0]) && isAtLeast(ins.src[1], 32) ? kLowHalf : kBoth;
        case Opcode::And:
            return (ins.src[1].kind == OperandKind::Immediate && ins.src[1].bits >> 32 == 0) || (ins.src[0].kind == OperandKind::Immediate && ins.src[0].bits >> 32 == 0) ? kLowHalf : kBoth;
        case Opcode::Setp: // its sign
            return ins.type == Type::S64 && isIt(ins.src[0]) && ins.src[1].kind == OperandKind::Immediate && ins.src[1].bits == 0 && (ins.mod.compare == Compare::Lt || ins.mod.compare == Compare::Ge) ? kHighHalf : kBoth;
        default:
            return kBoth;
        }
    }

    Program& m_program;
    const RegisterUses m_uses;
};

} // namespace

void narrowLoads(Program& program) { Narrower(program).run(); }

} // namespace coalescope::analysis
