// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/constant.h"
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"
#include "analysis/ptx/special_registers.h"

#include <algorithm>
#include <string>

namespace coalescope::analysis::ptx {

namespace {
Operand immediate(std::uint64_t bits) { return { .kind = OperandKind::Immediate, .bits = bits }; }

Type twiceAsWide(Type type)
{
    switch (type) {
    case Type::U16:
        return Type::U32;
    case Type::S16:
        return Type::S32;
    case Type::U32:
        return Type::U64;
    default:
        return Type::S64;
    }
}
}

Name* Decoder::find(std::string_view name)
{
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        if (!scope->names.empty()) {
            if (const auto found = scope->names.find(name); found != scope->names.end())
                return &found->second;
        }
        if (Name* found = scope->inRange(name); found != nullptr)
            return found;
    }
    return nullptr;
}

std::uint32_t Decoder::registerOf(Name& name, std::string_view text)
{
    if (name.index == kNone) {
        name.index = m_program.registers++;
        m_program.registerType.push_back(name.type);
        m_program.registerName.emplace_back(text);
    }
    return name.index;
}

Operand Decoder::temporary(Type type)
{
    m_program.registerType.push_back(type);
    m_program.registerName.push_back("temporary" + std::to_string(m_program.registers));
    return { .kind = OperandKind::Register, .index = m_program.registers++ };
}

void Decoder::checkWidth(
    std::uint32_t registerIndex, Type type, Fit fit, std::uint32_t offset) const
{
    const Type declared = m_program.registerType[registerIndex];
    const bool predicates = (declared == Type::Pred) == (type == Type::Pred);
    const int have = bytesOf(declared), want = bytesOf(type);
    if (declared == Type::B128)
        failUnsupported(offset, "128-bit registers are not modelled.");
    if (!predicates || (fit == Fit::Exact ? have != want : have < want))
        failBad(offset,
            "The register '" + m_program.registerName[registerIndex] + "' is ."
                + std::string(nameOf(declared)) + " where the instruction needs ."
                + std::string(nameOf(type)) + '.');
}

std::uint32_t Decoder::variablePlace(const Variable& variable)
{
    const auto [at, isNew]
        = m_placeOf.try_emplace(&variable, static_cast<std::uint32_t>(m_places.size()));
    if (isNew)
        m_places.push_back({ &variable, variable.name, 0, variable.align, false });
    return at->second;
}

const Variable* Decoder::moduleVariable(std::string_view name, std::uint32_t offset) const
{
    if (const auto found = m_module.variableNamed.find(name); found != m_module.variableNamed.end())
        return &m_module.variables[found->second];
    if (m_module.functionNamed.contains(name))
        failUnsupported(offset, "The address of a function is not modelled.");
    return nullptr;
}

Operand Decoder::placeOperand(const Name& name, std::uint32_t offset)
{
    if (name.kind == NameKind::EntryParameter)
        return immediate(name.index);
    if (name.kind != NameKind::Place)
        failBad(offset, "Expected a variable.");
    Place& place = m_places[name.index];
    place.addressTaken = place.addressTaken || place.variable != nullptr;
    Operand operand = immediate(0);
    operand.index = name.index;
    return operand;
}

Operand Decoder::specialOperand(const Token& token, Type type)
{
    const std::string_view text = m_cursor.text(token);
    if (const auto half = gridBarrierHalf(text)) {
        m_program.isCooperative = true;
        return immediate(*half);
    }
    const SpecialRow* row = specialRegister(text);
    if (row == nullptr) {
        if (isUnmodelledSpecial(text))
            failUnsupported(
                token.offset, "The special register '" + std::string(text) + "' is not modelled.");
        failBad(
            token.offset, "The name '" + std::string(text.substr(0, 80)) + "' is not declared.");
    }
    if (bytesOf(type) != bytesOf(row->type) && !(bytesOf(type) == 2 && bytesOf(row->type) == 4))
        failBad(token.offset,
            "The special register '" + std::string(text)
                + "' does not fit the instruction's type.");
    const Operand special { .kind = OperandKind::Special,
        .index = static_cast<std::uint32_t>(row->special) };
    if (m_current.op == Opcode::Mov)
        return special;
    const Operand copy = temporary(row->type);
    emitMove(copy, special, row->type);
    return copy;
}

Operand Decoder::nameOperand(const Token& token, Type type, Fit fit)
{
    const std::string_view text = m_cursor.text(token);
    if (Name* name = find(text); name != nullptr) {
        if (name->kind == NameKind::Register) {
            const std::uint32_t index = registerOf(*name, text);
            checkWidth(index, type, fit, token.offset);
            return { .kind = OperandKind::Register, .index = index };
        }
        if (name->kind == NameKind::Place)
            m_places[name->index].addressTaken = true;
        return placeOperand(*name, token.offset);
    }
    if (const Variable* variable = moduleVariable(text, token.offset); variable != nullptr)
        return placeOperand({ NameKind::Place, type, variablePlace(*variable) }, token.offset);
    return specialOperand(token, type);
}

Operand Decoder::destination(Type type, Fit fit)
{
    const Token& token = m_cursor.expectWord("a register");
    if (m_cursor.text(token) == "_")
        return { .kind = OperandKind::Sink };
    Name* name = find(m_cursor.text(token));
    if (name == nullptr)
        failBad(token.offset,
            "The register '" + std::string(m_cursor.text(token).substr(0, 80))
                + "' is not declared.");
    if (name->kind != NameKind::Register)
        failBad(token.offset, "Expected a register, found a variable.");
    const std::uint32_t index = registerOf(*name, m_cursor.text(token));
    checkWidth(index, type, fit, token.offset);
    return { .kind = OperandKind::Register, .index = index };
}

Operand Decoder::source(Type type, Fit fit)
{
    const std::uint32_t offset = m_cursor.peek().offset;
    if (type == Type::Pred && m_cursor.at('!'))
        return predicate();
    if (atConstant(m_cursor))
        return immediate(bitsAs(readConstant(m_cursor), type, offset));
    const Token& token = m_cursor.expectWord("a register or a constant");
    Operand operand = nameOperand(token, type, fit);
    if (operand.kind != OperandKind::Immediate)
        return operand;
    if (bytesOf(type) < 4 || type == Type::F32 || type == Type::F64)
        failBad(token.offset, "An address does not fit the operand's type.");
    if (m_cursor.at('+') || m_cursor.at('-'))
        operand.bits += static_cast<std::uint64_t>(readInteger(m_cursor));
    return operand;
}

Operand Decoder::predicate()
{
    const bool negated = m_cursor.accept('!');
    Operand operand = source(Type::Pred);
    if (operand.kind == OperandKind::Immediate)
        operand.bits ^= negated;
    else
        operand.negated = negated;
    return operand;
}

bool Decoder::atPredicate()
{
    if (m_cursor.at('!'))
        return true;
    const Name* name = find(m_cursor.text(m_cursor.peek()));
    return name != nullptr && name->kind == NameKind::Register && name->type == Type::Pred;
}

Operand Decoder::addressValue()
{
    const Token& token = m_cursor.expectWord("a register");
    return nameOperand(token, Type::B32, Fit::Relaxed);
}

Address Decoder::memoryOperand(bool allowCallParameter)
{
    m_cursor.expect('[');
    Address address;
    const Token& token = m_cursor.peek();
    if (!m_cursor.atWord()) {
        address.base = immediate(static_cast<std::uint64_t>(readInteger(m_cursor)));
        m_cursor.expect(']');
        return address;
    }
    m_cursor.next();
    Name* name = find(m_cursor.text(token));
    if (name != nullptr && name->kind != NameKind::Register) {
        address.base = placeOperand(*name, token.offset);
        address.place = address.base.index;
    } else {
        address.base = nameOperand(token, Type::B32, Fit::Relaxed);
        if (address.base.kind == OperandKind::Immediate)
            address.place = address.base.index;
    }
    if (isCallParameter(address) && !allowCallParameter)
        failBad(token.offset, "Only ld.param and st.param reach a call's parameter.");
    if (m_cursor.at('+') || m_cursor.at('-')) {
        const bool plus = m_cursor.accept('+');
        if (plus && !atConstant(m_cursor))
            failBad(m_cursor.peek().offset, "Only a constant may be added to an address.");
        address.offset = readInteger(m_cursor);
    }
    m_cursor.expect(']');
    return address;
}

void Decoder::settleSpace(const Address& address)
{
    Space& space = m_current.mod.space;
    if (address.place != kNone && place(address.place).variable != nullptr && space == Space::Generic)
        space = place(address.place).variable->space;
    if (space == Space::Param && address.place == kNone && insideFunction())
        space = Space::Local;
}

void Decoder::readCacheHint()
{
    if (!spelledWith(Suffix::CacheHint))
        return;
    m_cursor.expect(',');
    (void)source(Type::B64);
}

void Decoder::plainOperands(std::string_view letters)
{
    Instruction& ins = m_current;
    std::size_t destinations = 0, sources = 0;
    bool first = true;
    for (const char letter : letters) {
        if (letter == '?') {
            if (m_cursor.at(';'))
                return;
            continue;
        }
        if (letter == 'q') {
            if (m_cursor.accept('|'))
                ins.dst[destinations] = destination(Type::Pred);
            ++destinations;
            continue;
        }
        if (letter == 'C' && !spelledWith(Suffix::Bool))
            continue;
        if (!first)
            m_cursor.expect(',');
        first = false;
        switch (letter) {
        case 'd':
            ins.dst[destinations++] = destination(ins.type);
            break;
        case 'D':
            ins.dst[destinations++] = destination(twiceAsWide(ins.type));
            break;
        case 'e':
            ins.dst[destinations++] = destination(Type::B32);
            break;
        case 'p':
            ins.dst[destinations++] = destination(Type::Pred);
            break;
        case 't':
            ins.src[sources++] = source(ins.type);
            break;
        case 'T':
            ins.src[sources++] = source(twiceAsWide(ins.type));
            break;
        case 's':
            ins.src[sources++] = source(ins.sourceType);
            break;
        case 'u':
            ins.src[sources++] = source(Type::B32);
            break;
        case 'g':
            ins.src[sources++] = addressValue();
            break;
        case 'a': {
            const Address address = memoryOperand();
            ins.src[sources++] = address.base;
            ins.offset = address.offset;
            break;
        }
        default:
            ins.src[sources++] = predicate();
            break; // P, C
        }
    }
}

} // namespace coalescope::analysis::ptx
