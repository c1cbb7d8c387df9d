// SPDX-License-Identifier: Apache-2.0
// Calls: the callee's tokens are read again in place, under fresh names. The model has no call
// stack, and what a call passes in .param space usually ends up in registers, as it does on the
// GPU.
#include "analysis/ptx/constant.h"
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace coalescope::analysis::ptx {

namespace {
constexpr std::size_t kDeepestCall = 64;

std::string quoted(std::string_view name) { return '\'' + std::string(name) + '\''; }
}

std::uint32_t Decoder::newPlace(const ParamDeclaration& param)
{
    m_places.push_back({ nullptr, param.name, param.size, param.align, false });
    return static_cast<std::uint32_t>(m_places.size() - 1);
}

void Decoder::declareParam(const ParamDeclaration& param)
{
    const Name name { NameKind::Place, param.type, newPlace(param), param.size };
    if (!m_scopes.back().names.try_emplace(param.name, name).second)
        failBad(param.offset, "The name " + quoted(param.name) + " is declared twice.");
}

void Decoder::emitCallParameter(
    Opcode op, Type type, const Address& address, std::int64_t extra, Operand value)
{
    const Place& place = m_places[address.place];
    const std::int64_t offset = address.offset + extra;
    if (address.offset < 0 || offset + bytesOf(type) > std::int64_t(place.size))
        failBad(m_mnemonicOffset, "This access leaves the parameter " + quoted(place.name) + '.');
    Instruction access = m_current;
    access.op = op;
    access.type = type;
    access.vector = 1;
    access.mod = {};
    access.mod.space = Space::Param;
    access.src[0] = { .kind = OperandKind::Immediate, .index = address.place };
    access.offset = offset;
    (op == Opcode::Ld ? access.dst[0] : access.src[1]) = value;
    if (value.kind == OperandKind::Sink)
        return;
    m_parameterAccesses.push_back({ emit(access), address.place, static_cast<std::uint32_t>(offset),
        static_cast<std::uint32_t>(bytesOf(type)) });
}

void Decoder::returnFromFunction()
{
    if (m_calls.size() == 1) {
        emit();
        return;
    }
    m_current.op = Opcode::Bra;
    m_calls.back().returns.push_back(emit());
}

Name Decoder::bindArgument(const ParamDeclaration& formal)
{
    const Token& token = m_cursor.peek();
    const Name* actual = m_cursor.atWord() ? find(m_cursor.text(token)) : nullptr;
    if (!formal.isRegister && actual != nullptr && actual->kind == NameKind::Place
        && m_places[actual->index].variable == nullptr) {
        m_cursor.next();
        if (m_places[actual->index].size < formal.size)
            failBad(token.offset,
                "This argument is smaller than the parameter " + quoted(formal.name) + '.');
        return *actual;
    }
    m_current = {};
    const Operand value = source(formal.type);
    if (formal.isRegister) {
        const Operand copy = temporary(formal.type);
        emitMove(copy, value, formal.type);
        return { NameKind::Register, formal.type, copy.index, formal.size };
    }
    if (formal.size != static_cast<std::uint32_t>(bytesOf(formal.type)))
        failBad(token.offset, "An array is passed in a .param variable.");
    const std::uint32_t place = newPlace(formal);
    emitCallParameter(Opcode::St, formal.type, Address { .place = place }, 0, value);
    return { NameKind::Place, formal.type, place, formal.size };
}

Name Decoder::bindReturn(
    const ParamDeclaration& formal, const Token& actual, std::vector<Copy>& copies)
{
    Name* name = find(m_cursor.text(actual));
    if (name == nullptr)
        failBad(actual.offset, "The name " + quoted(m_cursor.text(actual)) + " is not declared.");
    if (name->kind == NameKind::Register) {
        const std::uint32_t index = registerOf(*name, m_cursor.text(actual));
        checkWidth(index, formal.type, Fit::Exact, actual.offset);
        if (formal.isRegister)
            return *name;
        const std::uint32_t place = newPlace(formal);
        copies.push_back({ { .kind = OperandKind::Register, .index = index }, place, formal.type });
        return { NameKind::Place, formal.type, place, formal.size };
    }
    if (formal.isRegister || name->kind != NameKind::Place
        || m_places[name->index].variable != nullptr || m_places[name->index].size < formal.size)
        failBad(actual.offset, "The result does not fit here.");
    return *name;
}

void Decoder::callDefined(const FunctionDeclaration& function, const std::vector<Token>& returns)
{
    std::unordered_map<std::string_view, Name> names;
    std::vector<Copy> copies;
    if (returns.size() != function.returns.size())
        failBad(m_mnemonicOffset,
            "The call of " + quoted(function.name) + " takes another number of results.");
    for (std::size_t i = 0; i < returns.size(); ++i)
        names.try_emplace(
            function.returns[i].name, bindReturn(function.returns[i], returns[i], copies));
    if (!function.params.empty()) {
        m_cursor.expect(',');
        m_cursor.expect('(');
        for (std::size_t i = 0; i < function.params.size(); ++i) {
            if (i > 0)
                m_cursor.expect(',');
            names.try_emplace(function.params[i].name, bindArgument(function.params[i]));
        }
        m_cursor.expect(')');
    } else if (m_cursor.accept(',')) {
        m_cursor.expect('(');
        m_cursor.expect(')');
    }
    expand(function, std::move(names));
    m_current = {};
    for (const Copy& copy : copies)
        emitCallParameter(Opcode::Ld, copy.type, Address { .place = copy.place }, 0, copy.to);
}

void Decoder::expand(
    const FunctionDeclaration& function, std::unordered_map<std::string_view, Name> names)
{
    const bool recursive = std::ranges::any_of(
        m_calls, [&](const Call& call) { return call.function == &function; });
    if (recursive)
        failUnsupported(m_mnemonicOffset,
            "The function " + quoted(function.name) + " calls itself, which is not modelled.");
    if (m_calls.size() > kDeepestCall)
        failUnsupported(m_mnemonicOffset, "The calls are nested too deeply.");

    const Cursor back = m_cursor;
    const Locations::Mark location = m_locations.mark();
    const std::uint32_t textLine = m_textLine;
    std::deque<Scope> scopes = std::exchange(m_scopes, {});
    m_calls.push_back({ &function, {} });
    openScope();
    m_scopes.back().names = std::move(names);
    m_cursor.seek(function.bodyBegin);
    body();
    closeScope();

    auto& instructions = m_program.instructions;
    const auto end = static_cast<std::uint32_t>(instructions.size());
    for (const std::uint32_t branch : m_calls.back().returns) {
        instructions[branch].target = end;
        if (branch + 1 == end)
            instructions[branch].op = Opcode::Nop;
    }
    m_calls.pop_back();
    m_scopes = std::move(scopes);
    m_cursor = back;
    m_locations.restore(location);
    m_textLine = textLine;
}

void Decoder::callExternal(const Token& name, const std::vector<Token>& returns)
{
    const std::string_view text = m_cursor.text(name);
    while (!m_cursor.atEnd() && !m_cursor.at(';'))
        m_cursor.next();
    m_current = {};
    if (text == "__assertfail") {
        m_current.op = Opcode::Trap;
        emit();
        return;
    }
    if (text != "vprintf")
        failUnsupported(
            name.offset, "The function " + quoted(text) + " has no body in this module.");
    // printf prints nothing here; what it returns reads as zero
    for (const Token& token : returns) {
        const Name* result = find(m_cursor.text(token));
        if (result != nullptr && result->kind == NameKind::Place
            && m_places[result->index].variable == nullptr)
            emitCallParameter(Opcode::St, Type::B32, Address { .place = result->index }, 0,
                { .kind = OperandKind::Immediate });
    }
}

void Decoder::call()
{
    std::vector<Token> returns;
    if (m_cursor.accept('(')) {
        do {
            returns.push_back(m_cursor.expectWord("a result"));
        } while (m_cursor.accept(','));
        m_cursor.expect(')');
        m_cursor.expect(',');
    }
    const Token name = m_cursor.expectWord("a function");
    const auto found = m_module.functionNamed.find(m_cursor.text(name));
    if (found == m_module.functionNamed.end()) {
        if (find(m_cursor.text(name)) != nullptr)
            failUnsupported(name.offset, "A call through a register is not modelled.");
        failBad(name.offset, "The function " + quoted(m_cursor.text(name)) + " is not declared.");
    }
    const FunctionDeclaration& function = m_module.functions[found->second];
    if (function.isEntry)
        failUnsupported(name.offset, "A call of a kernel is not modelled.");

    // a guarded call is a branch around its expansion
    std::uint32_t around = kNone;
    if (m_guard != kNone) {
        Instruction branch;
        branch.op = Opcode::Bra;
        branch.guard = m_guard;
        branch.guardNegated = !m_guardNegated;
        around = emit(branch);
        m_guard = kNone;
    }
    if (function.hasBody)
        callDefined(function, returns);
    else
        callExternal(name, returns);
    if (around != kNone)
        m_program.instructions[around].target
            = static_cast<std::uint32_t>(m_program.instructions.size());
}

} // namespace coalescope::analysis::ptx
