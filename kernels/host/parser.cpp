// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/parser.h"

#include <algorithm>

namespace coalescope::kernels::host {
namespace {

constexpr int kDeepest = 150; ///< nested statements and expressions

} // namespace

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

int Parser::declare(std::string_view name, bool isAlias, bool isStatic, bool isPack)
{
    const bool isGlobal = m_context.isGlobal || isStatic;
    const int slot = isGlobal ? m_globalSlots++ : m_context.slots++;
    const Variable variable { slot, isAlias, isGlobal, isPack };
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

const Node* Parser::block(std::size_t last)
{
    Node* node = make(Op::Block);
    m_context.scopes.emplace_back();
    node->firstSlot = m_context.slots;
    while (m_at < last) {
        const std::size_t first = m_at;
        if (const Node* next = statementOrBroken(last)) {
            node->kids.push_back(next);
            m_begins[next] = first;
        }
    }
    node->lastSlot = m_context.slots;
    m_context.scopes.pop_back();
    return node;
}

std::size_t Parser::tokenOf(const Node& statement) const
{
    const auto known = m_begins.find(&statement);
    return known == m_begins.end() ? 0 : known->second;
}

const Node* Parser::statementOrBroken(std::size_t last)
{
    const std::size_t first = m_at, scopes = m_context.scopes.size();
    const std::size_t end = m_end;
    const auto skipAll = [&] {
        m_context.scopes.resize(scopes);
        m_end = end;
        m_at = std::max(behindStatement(first, last), first + 1);
        return broken(first, m_at);
    };
    if (m_depth >= kDeepest)
        return skipAll();
    ++m_depth;
    const Node* read = nullptr;
    try {
        read = statement(last);
    } catch (const Misread&) {
        read = skipAll();
    }
    --m_depth;
    return read;
}

const Node* Parser::broken(std::size_t first, std::size_t last)
{
    Node* node = make(Op::Broken);
    for (std::size_t i = first; i < last; ++i) {
        const Token& word = m_program.token(i);
        if (!word.isWord())
            continue;
        if (const Variable* variable = find(word.text)) {
            Node* mentioned = make(variable->isGlobal ? Op::Global : Op::Local);
            mentioned->slot = variable->slot;
            mentioned->isAlias = variable->isAlias;
            node->kids.push_back(mentioned);
        }
    }
    // What it declares is not known, but it is there.
    const bool declares = first + 2 < last && m_program.token(first + 1).isWord() && (m_program.token(first + 2).is("=") || m_program.token(first + 2).is(";"));
    if (declares && !m_context.isGlobal && !m_context.scopes.empty() && m_program.token(first).isWord() && !m_program.token(first).is("return"))
        declare(m_program.token(first + 1).text, false);
    return node;
}

/// Brackets, and what belongs to if, for and their kin, are passed over.
std::size_t Parser::behindStatement(std::size_t at, std::size_t last) const
{
    const std::vector<Token>& all = m_program.tokens();
    const auto isAt = [&](std::size_t place, std::string_view mark) { return place < last && m_program.token(place).is(mark); };
    if (isAt(at, "{"))
        return std::min(behindBracket(all, at), last);
    const bool heads = isAt(at, "if") || isAt(at, "for") || isAt(at, "while") || isAt(at, "switch") || isAt(at, "catch");
    if (heads || isAt(at, "else") || isAt(at, "do") || isAt(at, "try")) {
        std::size_t body = at + 1;
        while (heads && body < last && !isAt(body, "("))
            ++body;
        if (heads)
            body = behindBracket(all, body);
        std::size_t end = body < last ? behindStatement(body, last) : last;
        if (isAt(at, "do"))
            while (end < last && !isAt(end++, ";")) { }
        while ((isAt(at, "if") && isAt(end, "else")) || (isAt(at, "try") && isAt(end, "catch")))
            end = behindStatement(end, last);
        return std::min(end, last);
    }
    for (std::size_t i = at; i < last; ++i) {
        if (m_program.token(i).is(";"))
            return i + 1;
        if (m_program.token(i).opens())
            i = behindBracket(all, i) - 1;
    }
    return last;
}

const Node* Parser::statement(std::size_t last)
{
    if (skipped(";"))
        return nullptr;
    if (is("{")) {
        const std::size_t end = behindBracket(m_program.tokens(), m_at);
        ++m_at;
        const Node* inside = block(end - 1);
        m_at = end;
        return inside;
    }
    if (is("if"))
        return ifStatement(last);
    if (is("for") || is("while") || is("do"))
        return forStatement(last);
    if (is("switch"))
        return switchStatement(last);
    if (skipped("try"))
        return tryStatement(last);
    if (skipped("throw"))
        return throwStatement(last);
    if (is("using") || is("typedef"))
        return localAlias(last);
    if (is("struct") || is("class") || is("enum") || is("goto") || token().kind == TokenKind::Directive) {
        if (token().kind == TokenKind::Directive) {
            ++m_at;
            return nullptr;
        }
        return localType();
    }
    if (is("static_assert") || is("__pragma")) {
        m_at = behindStatement(m_at, last);
        return nullptr;
    }
    if (is("break") || is("continue")) {
        Node* node = make(is("break") ? Op::Break : Op::Continue);
        ++m_at;
        skip(";");
        return node;
    }
    if (skipped("return")) {
        Node* node = make(Op::Return);
        if (!is(";"))
            node->kids.push_back(is("{") ? list() : expression());
        skip(";");
        return node;
    }
    if (startsDeclaration()) {
        const Node* declared = declaration();
        skip(";");
        return declared;
    }
    const Node* evaluated = of(Op::Expression, { expression() });
    skip(";");
    return evaluated;
}

const Node* Parser::localAlias(std::size_t last)
{
    const std::size_t end = behindStatement(m_at, last);
    if (skipped("using") && token(1).is("=")) {
        const std::string name(token().text);
        m_at += 2;
        m_context.aliases[name] = typeOrMisread();
        m_aliases[name] = { m_context.aliases[name], {} };
    } else if (skipped("typedef")) {
        TypeName type = typeOrMisread();
        m_context.aliases[std::string(token().text)] = std::move(type);
    }
    m_at = end;
    return nullptr;
}

/// What the object says is of no interest: only its class.
const Node* Parser::throwStatement(std::size_t last)
{
    Node* node = make(Op::Throw);
    while (m_at < last && (token().isWord() || is("::"))) {
        node->name = token().isWord() ? token().text : node->name;
        ++m_at;
    }
    m_at = behindStatement(m_at, last);
    return node;
}

const Node* Parser::tryStatement(std::size_t last)
{
    Node* node = of(Op::Try, { statementOrBroken(last) });
    while (skipped("catch")) {
        Node* caught = make(Op::Catch);
        m_context.scopes.emplace_back();
        const std::size_t end = behindBracket(m_program.tokens(), m_at);
        skip("(");
        const std::vector<HostParameter> parameters = is("...") ? std::vector<HostParameter> {} : m_program.parametersIn(m_at, end - 1);
        if (!parameters.empty()) {
            const HostParameter& parameter = parameters[0];
            for (std::size_t i = parameter.typeFirst; i < parameter.typeLast; ++i)
                if (m_program.token(i).isWord() && !m_program.token(i).is("const"))
                    caught->name = m_program.token(i).text;
            if (!parameter.name.empty())
                declare(m_program.token(parameter.typeLast).text, false);
        }
        m_at = end;
        caught->kids = { statementOrBroken(last) };
        caught->flag = caught->kids[0] && endsFunction(*caught->kids[0]);
        m_context.scopes.pop_back();
        node->kids.push_back(caught);
    }
    return node;
}

const Node* Parser::ifStatement(std::size_t last)
{
    ++m_at;
    skipped("constexpr");
    skip("(");
    Node* node = make(Op::If);
    Node* around = make(Op::Block);
    m_context.scopes.emplace_back();
    around->firstSlot = m_context.slots;
    const Node* const declared = startsDeclaration() ? declaration() : nullptr;
    if (declared)
        around->kids.push_back(declared);
    if (declared && is(")")) { // if (cudaError_t error = f())
        const Node& variable = *declared->kids.back();
        Node* const condition = make(Op::Local);
        condition->slot = variable.slot;
        condition->isAlias = variable.isAlias;
        node->kids.push_back(condition);
    } else { // if (int i = f(); i > 0)
        if (declared)
            skip(";");
        node->kids.push_back(expression());
        if (skipped(";"))
            node->kids.back() = expression();
    }
    skip(")");
    const std::size_t first = m_at;
    node->kids.push_back(statementOrBroken(last));
    const bool launches = std::ranges::any_of(m_launches, [&](std::size_t at) { return first <= at && at < m_at; });
    node->flag = !launches && node->kids.back() && endsFunction(*node->kids.back());
    node->kids.push_back(skipped("else") ? statementOrBroken(last) : nullptr);
    around->kids.push_back(node);
    around->lastSlot = m_context.slots;
    m_context.scopes.pop_back();
    return around;
}

/// Its last statement returns, or ends the program.
bool Parser::endsFunction(const Node& node) const
{
    if (node.op == Op::Return || node.op == Op::Throw)
        return true;
    if (node.op == Op::Block)
        return !node.kids.empty() && endsFunction(*node.kids.back());
    if (node.op != Op::Expression)
        return false;
    const std::string_view name = node.kids[0]->op == Op::Call ? node.kids[0]->name : "";
    return name == "exit" || name == "abort" || name == "_exit" || name == "quick_exit";
}

const Node* Parser::forStatement(std::size_t last)
{
    const bool isFor = is("for"), isDo = is("do");
    Node* node = make(isDo ? Op::Do : isFor ? Op::For : Op::While);
    node->line = m_program.text().lineOf(token());
    ++m_at;
    m_context.scopes.emplace_back();
    node->firstSlot = m_context.slots;
    if (isDo) {
        const Node* body = statementOrBroken(last);
        skip("while");
        skip("(");
        node->kids = { expression(), body };
        skip(")");
        skip(";");
    } else if (!isFor) {
        skip("(");
        const Node* condition = expression();
        skip(")");
        node->kids = { condition, statementOrBroken(last) };
    } else {
        const std::size_t end = behindBracket(m_program.tokens(), m_at);
        skip("(");
        const Node* first = nullptr;
        bool isEach = false;
        if (startsDeclaration()) {
            for (std::size_t i = m_at; i < end && !m_program.token(i).is(";"); ++i)
                isEach = isEach || (m_program.token(i).is(":") && !m_program.token(i - 1).is("?"));
            first = declaration();
        } else if (!is(";")) {
            first = of(Op::Expression, { expression() });
        }
        if (isEach) {
            skip(":");
            node->op = Op::ForEach;
            node->kids = { first, is("{") ? list() : expression() };
        } else {
            skip(";");
            const Node* condition = is(";") ? nullptr : expression();
            skip(";");
            node->kids = { first, condition, is(")") ? nullptr : expression() };
        }
        skip(")");
        node->kids.push_back(statementOrBroken(last));
    }
    node->lastSlot = m_context.slots;
    m_context.scopes.pop_back();
    return node;
}

const Node* Parser::switchStatement(std::size_t last)
{
    ++m_at;
    skip("(");
    Node* node = make(Op::Switch);
    node->kids.push_back(expression());
    skip(")");
    const std::size_t end = std::min(behindBracket(m_program.tokens(), m_at), last);
    skip("{");
    m_context.scopes.emplace_back();
    node->firstSlot = m_context.slots;
    while (m_at + 1 < end) {
        if (skipped("case")) {
            Node* label = make(Op::Case);
            label->kids.push_back(conditional());
            skip(":");
            node->kids.push_back(label);
        } else if (skipped("default")) {
            skip(":");
            node->kids.push_back(make(Op::Case));
        } else if (const Node* inside = statementOrBroken(end - 1)) {
            node->kids.push_back(inside);
        }
    }
    node->lastSlot = m_context.slots;
    m_context.scopes.pop_back();
    m_at = end;
    return node;
}

/// Moves nothing.
bool Parser::startsDeclaration()
{
    const std::size_t at = m_at;
    const bool isStatic = is("static") || is("const") || is("constexpr") || is("auto") || is("extern");
    bool starts = false;
    try {
        const auto read = type();
        starts = read && (is("[") ? read->isAuto : token().isWord() && (token(1).is("=") || token(1).is(";") || token(1).is(",") || token(1).is("(") || token(1).is("{") || token(1).is("[") || token(1).is(":")));
    } catch (const Misread&) {
        starts = isStatic;
    }
    m_at = at;
    return starts;
}

/// `struct P { ... };`, which HostProgram has read, perhaps with variables of it.
const Node* Parser::localType()
{
    if (is("enum")) {
        std::size_t open = m_at;
        while (open < m_end && !m_program.token(open).is("{") && !m_program.token(open).is(";"))
            ++open;
        const auto& known = m_program.enumerators();
        if (open + 1 >= m_end || std::ranges::none_of(known, [&](const Enumerator& one) { return one.isLocal && one.at == open + 1; }))
            throw Misread {};
        m_at = behindBracket(m_program.tokens(), open);
        skip(";");
        return nullptr;
    }
    const bool isRead = (is("struct") || is("class")) && (token(2).is("{") || token(2).is(":")) && m_program.classNamed(token(1).text);
    if (!isRead)
        throw Misread {};
    const TypeName base { .name = std::string(token(1).text) };
    while (m_at < m_end && !is("{"))
        ++m_at;
    m_at = behindBracket(m_program.tokens(), m_at);
    if (skipped(";"))
        return nullptr;
    const Node* const declared = declarators(base, false);
    skip(";");
    return declared;
}

const Node* Parser::declaration()
{
    bool isStatic = false;
    for (std::size_t i = 0; i < 3; ++i)
        isStatic = isStatic || token(i).is("static");
    const TypeName base = [&] {
        auto read = type(false);
        if (!read)
            throw Misread {};
        return *std::move(read);
    }();
    return declarators(base, isStatic && !m_context.isGlobal);
}

const Node* Parser::declarators(const TypeName& base, bool isStatic)
{
    Node* node = make(Op::Declare);
    node->flag = isStatic;
    do {
        TypeName declared = base;
        pointersOf(declared);
        node->kids.push_back(is("[") ? bindings(declared.isReference) : declarator(declared, node->flag));
    } while (skipped(","));
    return node;
}

const Node* Parser::bindings(bool isAlias)
{
    Node* node = make(Op::Bindings);
    node->flag = isAlias;
    std::vector<std::string_view> names;
    skip("[");
    do {
        names.push_back(token().text);
        ++m_at;
    } while (skipped(","));
    skip("]");
    if (skipped("="))
        node->kids.push_back(assignment());
    for (const std::string_view name : names)
        node->slots.push_back(declare(name, isAlias));
    return node;
}

const Node* Parser::declarator(const TypeName& type, bool isStatic)
{
    if (!token().isWord())
        throw Misread {};
    const std::string_view name = token().text;
    ++m_at;
    Node* node = make(Op::Variable);
    node->name = name;
    std::vector<const Node*> extents;
    while (skipped("[")) {
        extents.push_back(is("]") ? nullptr : expression());
        skip("]");
    }
    const Node* value = nullptr;
    // A lambda may call itself by its name, and a pointer ask how large it is what it points to; others never see it.
    const bool isSeen = (is("=") && token(1).is("[")) || type.pointers > 0;
    if (isSeen)
        node->slot = declare(name, type.isReference, isStatic);
    if (skipped("=")) {
        node->style = Initial::Equals;
        value = is("{") ? list() : assignment();
    } else if (is("{")) {
        node->style = Initial::Braces;
        value = list();
    } else if (skipped("(")) {
        node->style = Initial::Brackets;
        value = of(Op::List, arguments(")"));
    }
    node->kids.push_back(value);
    node->kids.insert(node->kids.end(), extents.begin(), extents.end());
    if (!isSeen)
        node->slot = declare(name, type.isReference, isStatic);
    node->isAlias = type.isReference;
    node->flag = isStatic || m_context.isGlobal;
    m_types.push_back(type);
    node->type = &m_types.back();
    return node;
}

} // namespace coalescope::kernels::host
