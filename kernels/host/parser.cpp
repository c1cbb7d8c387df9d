// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/parser.h"

#include <algorithm>

namespace coalescope::kernels::host {

Parser::Parser(const HostProgram& program)
    : m_program(program)
{
    for (std::size_t i = 0; i < program.tokens().size(); ++i)
        if (startsLaunch(program.token(i)))
            m_launches.push_back(i);
    m_context.isGlobal = true;
    readAliases();
    readEnumerators();
    readGlobals();
    readOfModule();
}

const Token& Parser::token(std::size_t ahead) const
{
    static constexpr Token kNone;
    return m_at + ahead < m_end ? m_program.token(m_at + ahead) : kNone;
}

/// Whether so many tokens follow each other without a blank.
bool Parser::areAdjacent(std::size_t count) const
{
    for (std::size_t i = 0; i + 1 < count; ++i)
        if (token(i).end() != token(i + 1).offset)
            return false;
    return m_at + count <= m_end;
}

Node* Parser::make(Op op)
{
    m_nodes.push_back({ .op = op });
    return &m_nodes.back();
}

Node* Parser::of(Op op, std::vector<const Node*> kids)
{
    Node* node = make(op);
    node->kids = std::move(kids);
    return node;
}

void Parser::skip(std::string_view mark)
{
    if (!skipped(mark))
        throw Misread {};
}

bool Parser::skipped(std::string_view mark)
{
    const bool is = this->is(mark);
    m_at += is;
    return is;
}

const Parser::Variable* Parser::find(std::string_view name) const
{
    for (auto scope = m_context.scopes.rbegin(); scope != m_context.scopes.rend(); ++scope)
        if (const auto found = scope->find(name); found != scope->end())
            return &found->second;
    if (m_context.ofClass && std::ranges::find(m_context.ofClass->members, name, &HostParameter::name) != m_context.ofClass->members.end())
        return nullptr;
    const auto global = m_globals.find(name);
    return global == m_globals.end() ? nullptr : &global->second;
}

int Parser::declare(std::string_view name, bool isAlias, bool isStatic, bool isPack, bool isConst)
{
    const bool isGlobal = m_context.isGlobal || isStatic;
    const int slot = isGlobal ? m_globalSlots++ : m_context.slots++;
    const Variable variable { slot, isAlias, isGlobal, isPack, isConst };
    if (m_context.isGlobal || m_context.scopes.empty())
        m_globals[name] = variable;
    else
        m_context.scopes.back()[name] = variable;
    return slot;
}

void Parser::readAliases()
{
    for (const Declaration& type : m_program.types()) {
        try {
            within(type.first, type.last, [&] {
                std::vector<std::string> parameters;
                if (skipped("template"))
                    for (++m_at; m_at < m_end && !is("using"); ++m_at)
                        if (isAmong(token().text, { "class", "typename" }) && token(1).isWord())
                            parameters.emplace_back(token(1).text);
                if (skipped("using")) {
                    const std::string name(token().text);
                    ++m_at;
                    skip("=");
                    m_context.typeParameters = { parameters.begin(), parameters.end() };
                    m_aliases[name] = { typeOrMisread(), parameters };
                    m_context.typeParameters.clear();
                } else {
                    skip("typedef");
                    if (type.names.empty())
                        throw Misread {};
                    TypeName aliased = typeOrMisread();
                    if (is("(") && token(1).is("*"))
                        aliased = { .name = std::string(kFunctionPointer) };
                    if (aliased.name != type.names.back())
                        m_aliases[std::string(type.names.back())] = { std::move(aliased), {} };
                }
                return 0;
            });
        } catch (const Misread&) { // its name stays unknown
            m_context.typeParameters.clear();
        }
    }
}

void Parser::readEnumerators()
{
    const Node* before = nullptr;
    for (const Enumerator& enumerator : m_program.enumerators()) {
        Node* one = make(Op::Constant);
        one->constant = Value::of(Kind::I32, before && !enumerator.isFirst ? 1 : 0);
        const Node* value = one;
        if (before && !enumerator.isFirst) {
            Node* next = make(Op::Binary);
            next->kids = { before, one };
            value = next;
        }
        try {
            if (enumerator.first < enumerator.last)
                value = within(enumerator.first, enumerator.last, [&] { return assignment(); });
        } catch (const Misread&) {
            value = make(Op::Unknown);
        }
        before = m_enumerators[enumerator.name] = value;
    }
}

void Parser::readGlobals()
{
    for (const Declaration& variable : m_program.variables()) {
        if (m_program.token(variable.first).is("template"))
            continue;
        try {
            m_globalNodes.push_back(within(variable.first, variable.last, [&] {
                if (!startsDeclaration())
                    throw Misread {};
                return declaration();
            }));
        } catch (const Misread&) {
            for (const std::string_view name : variable.names)
                declare(name, false);
        }
    }
}

/// Host code names these where it copies to them and from them, and managed ones everywhere.
void Parser::readOfModule()
{
    for (const Declaration& variable : m_program.ofModule()) {
        std::size_t first = variable.first;
        bool isManaged = false;
        for (; first < variable.last && isAmong(m_program.token(first).text, { "__device__", "__constant__", "__managed__", "__align__", "alignas", "static", "extern", "inline" }); ++first) {
            isManaged = isManaged || m_program.token(first).is("__managed__");
            if (m_program.token(first + 1).is("("))
                first = behindBracket(m_program.tokens(), first + 1) - 1;
        }
        Context own { .scopes = { {} } };
        own.isGlobal = isManaged;
        const Context outer = std::exchange(m_context, std::move(own));
        try {
            const Node* const declared = within(first, variable.last, [&] { return startsDeclaration() ? declaration() : throw Misread {}; });
            for (const Node* one : declared->kids)
                if (one->op == Op::Variable && (one->kids[0] || !m_ofModule.contains(one->name)))
                    m_ofModule[one->name] = one;
            if (isManaged)
                m_globalNodes.push_back(declared);
        } catch (const Misread&) { // nothing is known of it
        }
        m_context = outer;
    }
}

const Node* Parser::variableOfModule(std::string_view name) const
{
    const auto found = m_ofModule.find(name);
    return found == m_ofModule.end() ? nullptr : found->second;
}

bool Parser::isGlobal(const Node& variable) const
{
    return m_globals.contains(variable.name);
}

const Parser::Alias* Parser::alias(std::string_view name) const
{
    const auto found = m_aliases.find(name);
    return found == m_aliases.end() ? nullptr : &found->second;
}

TypeName Parser::memberType(const HostClass& type, const HostParameter& member)
{
    const Context outer = std::exchange(m_context, Context { .ofClass = &type });
    seeTypes(type);
    TypeName result { .name = "?" };
    try {
        result = within(member.typeFirst, member.typeLast, [&] { return typeOrMisread(); });
        if (m_program.token(member.typeLast).is("(") && m_program.token(member.typeLast + 1).is("*"))
            result = { .name = std::string(kFunctionPointer) };
        for (std::size_t at = member.extents; at > 0 && m_program.token(at).is("["); at = behindBracket(m_program.tokens(), at)) {
            const Node* extent = within(at + 1, behindBracket(m_program.tokens(), at) - 1, [&] { return assignment(); });
            result.values.push_back(extent); // more of them than arguments
        }
    } catch (const Misread&) {
        result = { .name = "?" };
    }
    m_context = outer;
    return result;
}

TypeName Parser::baseType(const HostClass& type, const HostBase& base)
{
    HostParameter unnamed;
    std::tie(unnamed.typeFirst, unnamed.typeLast) = std::pair(base.first, base.last);
    return memberType(type, unnamed);
}

const Node* Parser::memberValue(const HostClass& type, const HostParameter& member)
{
    if (!member.hasValue())
        return nullptr;
    if (const auto known = m_memberValues.find(&member); known != m_memberValues.end())
        return known->second;
    const Context outer = std::exchange(m_context, Context { .ofClass = &type });
    seeTypes(type);
    const Node* value = nullptr;
    try {
        value = within(member.valueFirst, member.valueLast, [&] { return assignment(); });
    } catch (const Misread&) {
        value = make(Op::Unknown);
    }
    m_context = outer;
    m_memberValues[&member] = value;
    return value;
}

const Body& Parser::bodyOf(const HostFunction& function)
{
    const auto known = m_bodies.find(&function);
    if (known != m_bodies.end())
        return known->second;
    const Context outer = std::exchange(m_context, {});
    Body& body = m_bodies[&function];
    try {
        body = readBody(function);
    } catch (const Misread&) {
        body = {};
    }
    m_context = outer;
    return body;
}

/// Those of a template's parameters that are types are known as such from here on.
void Parser::seeTypes(const std::vector<HostParameter>& ofTemplate)
{
    for (const HostParameter& parameter : ofTemplate)
        if (parameter.isType)
            m_context.typeParameters.insert(parameter.name);
}

/// Also those that it gives names to.
void Parser::seeTypes(const HostClass& type)
{
    seeTypes(type.ofTemplate);
    for (const Declaration& alias : type.aliases) {
        try {
            within(m_program.aliasedFrom(alias), alias.last, [&] {
                TypeName of = typeOrMisread();
                if (!is("("))
                    m_context.aliases[std::string(alias.names.back())] = std::move(of);
                return 0;
            });
        } catch (const Misread&) { // its name stays unknown
        }
    }
}

void Parser::enterTemplate(const HostFunction& function, Body* body)
{
    m_context.ofClass = function.ofClass.empty() ? nullptr : m_program.classNamed(function.ofClass);
    const auto enter = [&](const std::vector<HostParameter>& parameters) {
        for (const HostParameter& parameter : parameters) {
            const bool hasSlot = body && (!parameter.isType || parameter.isPack);
            const int slot = hasSlot ? declare(parameter.name, false, false, parameter.isPack) : 0;
            if (parameter.isType)
                m_context.typeParameters.insert(parameter.name);
            if (hasSlot)
                body->ofTemplate.emplace_back(parameter.name, slot);
            if (!body || !parameter.hasValue() || parameter.name.empty())
                continue;
            try {
                within(parameter.valueFirst, parameter.valueLast, [&] {
                    if (parameter.isType)
                        body->defaultTypes.emplace_back(parameter.name, typeOrMisread());
                    else
                        body->defaultValues.emplace_back(slot, conditional());
                    return 0;
                });
            } catch (const Misread&) { // it has none that is known
            }
        }
    };
    enter(function.ofTemplate);
    if (m_context.ofClass)
        enter(m_context.ofClass->ofTemplate);
}

Body Parser::readBody(const HostFunction& function)
{
    Body body;
    m_context.scopes.emplace_back();
    m_context.scope = function.scope;
    seeTypes(function.ofTemplate);
    if (const HostClass* type = function.ofClass.empty() ? nullptr : m_program.classNamed(function.ofClass))
        seeTypes(*type);
    for (const HostParameter& parameter : function.parameters) {
        TypeName type = within(parameter.typeFirst, parameter.typeLast, [&] { return typeOrMisread(); });
        const std::size_t behindName = parameter.typeLast + (parameter.name.empty() ? 0 : 1);
        type.pointers += m_program.token(behindName).is("[") ? 1 : 0;
        const Node* otherwise = parameter.hasValue() ? within(parameter.valueFirst, parameter.valueLast, [&] { return assignment(); }) : nullptr;
        declare(parameter.name, type.isReference, false, parameter.isPack);
        body.takesPack = parameter.isPack;
        body.areAliases.push_back(type.isReference);
        body.parameters.push_back(std::move(type));
        body.defaults.push_back(otherwise);
    }
    body.returns = returnType(function);
    enterTemplate(function, &body);
    if (function.membersFirst < function.membersLast)
        readMembers(function, body);
    body.block = within(function.bodyFirst, function.bodyLast, [&] { return block(function.bodyLast); });
    body.slots = m_context.slots;
    return body;
}

TypeName Parser::returnType(const HostFunction& function)
{
    TypeName result { .name = "auto", .isAuto = true };
    if (function.name == function.ofClass)
        return result;
    try {
        result = within(function.returnFirst, function.returnLast, [&] {
            while (m_at < m_end && !is("auto")) {
                if (is("template") && token(1).is("<"))
                    m_at = behindAngle(m_program.tokens(), m_at + 1, AngleIn::Declaration);
                else if (is("["))
                    m_at = behindBracket(m_program.tokens(), m_at);
                else if (auto read = type())
                    return *std::move(read);
                else
                    ++m_at; // __host__
            }
            return TypeName { .name = "auto", .isAuto = true };
        });
    } catch (const Misread&) { // what it returns is taken as it is
    }
    return result;
}

/// `: m_a(x), m_b { y }`
const Node* Parser::readMembers(const HostFunction& function, Body& body)
{
    return within(function.membersFirst, function.membersLast, [&]() -> const Node* {
        while (m_at < m_end && token().isWord()) {
            while (token(1).is("::"))
                m_at += 2;
            const std::string_view name = token().text;
            ++m_at;
            if (is("<"))
                m_at = behindAngle(m_program.tokens(), m_at, AngleIn::Declaration);
            if (!is("(") && !is("{"))
                throw Misread {};
            Node* made = make(Op::Make);
            made->flag = is("{");
            ++m_at;
            made->kids = arguments(made->flag ? "}" : ")");
            body.members.emplace_back(name, made);
            if (!skipped(","))
                break;
        }
        return nullptr;
    });
}

} // namespace coalescope::kernels::host
