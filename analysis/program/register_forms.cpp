// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/register_forms.h"

#include <algorithm>
#include <functional>

namespace coalescope::analysis {
namespace {

constexpr std::size_t kMostTerms = 24, kMostFactors = 4, kMostAtoms = 4000;

std::int64_t signedBits(std::uint64_t bits, Type type)
{
    return bytesOf(type) == 4 ? std::int64_t(std::int32_t(bits)) : std::int64_t(bits);
}

bool isTooLong(const Form& form)
{
    return form.size() > kMostTerms || std::ranges::any_of(form, [](const auto& term) { return term.first.size() > kMostFactors; });
}

} // namespace

Form product(const Form& a, const Form& b)
{
    Form result;
    for (const auto& [left, leftFactor] : a)
        for (const auto& [right, rightFactor] : b) {
            std::vector<std::uint16_t> both = left;
            both.insert(both.end(), right.begin(), right.end());
            std::ranges::sort(both);
            std::int64_t factor = 0;
            if (__builtin_mul_overflow(leftFactor, rightFactor, &factor))
                return {};
            result = sum(std::move(result), { { std::move(both), factor } });
        }
    return result;
}

Form sum(Form a, const Form& b, std::int64_t factor)
{
    for (const auto& [product, times] : b) {
        std::int64_t& own = a[product];
        std::int64_t more = 0;
        if (__builtin_mul_overflow(times, factor, &more) || __builtin_add_overflow(own, more, &own))
            own = 0;
        if (own == 0)
            a.erase(product);
    }
    return a;
}

std::optional<std::int64_t> constantOf(const Form& form)
{
    if (form.empty())
        return 0;
    return form.size() == 1 && form.begin()->first.empty() ? std::optional(form.begin()->second) : std::nullopt;
}

RegisterForms::RegisterForms(const Program& program)
    : m_program(program)
    , m_uses(program)
    , m_isTarget(program.instructions.size())
{
    const auto mark = [&](std::uint32_t target) {
        if (target < m_isTarget.size())
            m_isTarget[target] = true;
    };
    for (const Instruction& ins : program.instructions)
        if (ins.op != Opcode::BrxIdx)
            mark(ins.target);
    for (const auto& table : program.branchTables)
        std::ranges::for_each(table, mark);
}

std::optional<std::uint16_t> RegisterForms::special(SpecialRegister name) const
{
    const auto found = std::ranges::find_if(m_atoms, [&](const Atom& atom) { return atom.kind == Atom::Kind::Special && atom.index == std::uint32_t(name); });
    return found == m_atoms.end() ? std::nullopt : std::optional(std::uint16_t(found - m_atoms.begin()));
}

bool RegisterForms::holds(const Form& form, SpecialRegister name) const
{
    return std::ranges::any_of(form, [&](const auto& term) {
        return std::ranges::any_of(term.first, [&](std::uint16_t number) {
            const Atom& atom = m_atoms[number];
            return (atom.kind == Atom::Kind::Special && atom.index == std::uint32_t(name)) || (!atom.of.empty() && holds(atom.of, name));
        });
    });
}

Form RegisterForms::atomForm(Atom atom)
{
    const auto same = std::ranges::find_if(m_atoms, [&](const Atom& other) {
        return other.kind == atom.kind && other.index == atom.index && other.of == atom.of && other.step == atom.step && other.divisor == atom.divisor;
    });
    const auto number = std::uint16_t(same - m_atoms.begin());
    if (same == m_atoms.end())
        m_atoms.push_back(std::move(atom));
    return { { { number }, 1 } };
}

Form RegisterForms::quotient(const Form& form, std::int64_t divisor)
{
    Form whole, rest; // what the divisor divides needs no rounding where the rest is smaller, as far as can be seen here
    for (const auto& [product, factor] : form)
        (factor % divisor == 0 ? whole : rest)[product] = factor % divisor == 0 ? factor / divisor : factor;
    if (const auto constant = constantOf(rest))
        return sum(std::move(whole), { { {}, 1 } }, *constant / divisor);
    return sum(std::move(whole), atomForm({ .kind = Atom::Kind::Quotient, .of = std::move(rest), .divisor = divisor }));
}

Form RegisterForms::of(const Operand& operand)
{
    switch (operand.kind) {
    case OperandKind::Register: return ofRegister(operand.index);
    case OperandKind::Immediate: return operand.bits == 0 ? Form {} : Form { { {}, std::int64_t(operand.bits) } };
    case OperandKind::Special: return atomForm({ .kind = Atom::Kind::Special, .index = operand.index });
    default: return {};
    }
}

Form RegisterForms::of(const Operand& operand, std::uint32_t place)
{
    const auto before = operand.kind == OperandKind::Register ? definitionBefore(operand.index, place) : std::nullopt;
    if (!before)
        return of(operand);
    const Form otherwise = ofRegister(operand.index), itself = atomForm({ .kind = Atom::Kind::Other, .index = operand.index });
    Form form = ofResult(m_program.instructions[*before], operand.index);
    const auto isItself = [&](const auto& term) { return otherwise.contains(term.first) || itself.contains(term.first); };
    return form.empty() || isTooLong(form) || (!constantOf(form) && std::ranges::any_of(form, isItself)) ? otherwise : form;
}

std::optional<std::uint32_t> RegisterForms::definitionBefore(std::uint32_t index, std::uint32_t place) const
{
    const std::vector<std::uint32_t>& places = m_uses.definitions[index];
    const auto behind = std::ranges::lower_bound(places, place);
    if (places.size() < 2 || behind == places.begin())
        return std::nullopt;
    const std::uint32_t before = *std::prev(behind);
    for (std::uint32_t i = before + 1; i <= place; ++i)
        if (m_isTarget[i])
            return std::nullopt;
    return m_program.instructions[before].guard == kNone ? std::optional(before) : std::nullopt;
}

Form RegisterForms::ofRegister(std::uint32_t index)
{
    if (const auto known = m_known.find(index); known != m_known.end())
        return known->second;
    const Form itself = m_atoms.size() < kMostAtoms ? atomForm({ .kind = Atom::Kind::Other, .index = index }) : Form {};
    const std::vector<std::uint32_t>& places = m_uses.definitions[index];
    m_known[index] = itself;
    if (itself.empty())
        return itself;
    if (places.size() == 1) {
        Form form = ofResult(m_program.instructions[places[0]], index);
        if (isTooLong(form) || form.empty()) {
            const auto constant = m_program.instructions[places[0]].op == Opcode::Mov; // of 0
            form = form.empty() && constant ? form : itself;
        }
        m_known[index] = form;
        return form;
    }
    std::vector<Form> before, steps;
    for (const std::uint32_t place : places) {
        const Form form = ofResult(m_program.instructions[place], index);
        if (form.contains(itself.begin()->first))
            steps.push_back(sum(form, itself, -1));
        else
            before.push_back(form);
    }
    const bool isSame = std::ranges::adjacent_find(before, std::not_equal_to {}) == before.end(); // of long numbers that are short, a division is worked out apart
    if (isSame && before.size() > 1 && steps.empty() && !before[0].empty() && !isTooLong(before[0]))
        return m_known[index] = before[0];
    if (before.size() != 1 || steps.empty() || isTooLong(before[0]))
        return itself;
    // A loop that is unrolled has turns of several lengths, of which the shortest is the source's.
    std::ranges::sort(steps, {}, [](const Form& step) { return constantOf(step).value_or(0); });
    if (isTooLong(steps[0]))
        return itself;
    // What was worked out meanwhile names the register by itself, so the same atom becomes the loop.
    Atom& atom = m_atoms[itself.begin()->first[0]];
    atom.kind = Atom::Kind::Loop;
    atom.of = before[0];
    atom.step = steps[0];
    return itself;
}

Form RegisterForms::ofResult(const Instruction& ins, std::uint32_t index)
{
    const Form other = atomForm({ .kind = Atom::Kind::Other, .index = index });
    if (ins.op == Opcode::Ld && ins.mod.space == Space::Param && ins.src[0].kind == OperandKind::Immediate) {
        const auto element = std::ranges::find_if(ins.dst, [&](const Operand& operand) { return operand.kind == OperandKind::Register && operand.index == index; });
        const auto offset = std::int64_t(ins.src[0].bits) + ins.offset + (element - ins.dst.begin()) * bytesOf(ins.type);
        return atomForm({ .kind = Atom::Kind::Parameter, .index = std::uint32_t(offset) });
    }
    if (isFloat(ins.type) || ins.type == Type::Pred || isFloat(ins.sourceType) || ins.dst[1].kind == OperandKind::Register)
        return other;
    const auto place = std::uint32_t(&ins - m_program.instructions.data());
    const auto source = [&](std::size_t i) {
        return ins.src[i].kind == OperandKind::Immediate ? (ins.src[i].bits == 0 ? Form {} : Form { { {}, signedBits(ins.src[i].bits, ins.type) } }) : of(ins.src[i], place);
    };
    const bool isLow = ins.mod.part != MulPart::Hi;
    switch (ins.op) {
    case Opcode::Mov:
    case Opcode::Cvt:
    case Opcode::Cvta: return source(0);
    case Opcode::Add: return sum(source(0), source(1));
    case Opcode::Sub: return sum(source(0), source(1), -1);
    case Opcode::Neg: return sum({}, source(0), -1);
    case Opcode::Or: return sum(source(0), source(1));
    case Opcode::Mul: return isLow ? product(source(0), source(1)) : other;
    case Opcode::Mad: return isLow ? sum(product(source(0), source(1)), source(2)) : other;
    case Opcode::Shl:
    case Opcode::Shr:
    case Opcode::Div: {
        const Form divisor = source(1);
        const std::optional<std::int64_t> by = constantOf(divisor);
        const bool isShift = ins.op != Opcode::Div;
        if (!by && !isShift)
            return atomForm({ .kind = Atom::Kind::Ratio, .of = source(0), .step = divisor });
        if (!by || *by < !isShift || (isShift && *by > 40))
            return other;
        const std::int64_t factor = isShift ? std::int64_t(1) << *by : *by;
        return ins.op == Opcode::Shl ? product(source(0), { { {}, factor } }) : quotient(source(0), factor);
    }
    default: return other;
    }
}

} // namespace coalescope::analysis
