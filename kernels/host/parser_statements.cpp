// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/parser.h"

#include <algorithm>

namespace coalescope::kernels::host {
namespace {

constexpr int kDeepest = 150; ///< nested statements and expressions

} // namespace

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
        if (const Variable* variable = find(word.text); variable && !variable->isConst) {
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
    bool isStatic = false, isConst = false;
    for (std::size_t i = 0; i < 3; ++i) {
        isStatic = isStatic || token(i).is("static");
        isConst = isConst || token(i).is("const") || token(i).is("constexpr");
    }
    const TypeName base = [&] {
        auto read = type(false);
        if (!read)
            throw Misread {};
        return *std::move(read);
    }();
    return declarators(base, isStatic && !m_context.isGlobal, isConst);
}

const Node* Parser::declarators(const TypeName& base, bool isStatic, bool isConst)
{
    Node* node = make(Op::Declare);
    node->flag = isStatic;
    do {
        TypeName declared = base;
        pointersOf(declared);
        node->kids.push_back(is("[") ? bindings(declared.isReference) : declarator(declared, node->flag, isConst && declared.pointers == 0 && !declared.isReference));
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

const Node* Parser::declarator(const TypeName& type, bool isStatic, bool isConst)
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
        node->slot = declare(name, type.isReference, isStatic, false, isConst);
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
        node->slot = declare(name, type.isReference, isStatic, false, isConst);
    node->isAlias = type.isReference;
    node->flag = isStatic || m_context.isGlobal;
    m_types.push_back(type);
    node->type = &m_types.back();
    return node;
}

} // namespace coalescope::kernels::host
