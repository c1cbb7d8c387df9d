// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/function_objects.h"
#include "kernels/host/named_constants.h"
#include "kernels/host/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace coalescope::kernels::host {
namespace {

struct Operator {
    std::string_view mark;
    Arithmetic arithmetic;
    int level;
};

constexpr int kLevels = 8; ///< of binary operators, the loosest first; && and || are looser
constexpr int kRelations = 4; ///< the level of < and its kin
constexpr std::array kOperators {
    Operator { "|", Arithmetic::Or, 0 },
    Operator { "^", Arithmetic::Xor, 1 },
    Operator { "&", Arithmetic::And, 2 },
    Operator { "==", Arithmetic::Equal, 3 },
    Operator { "!=", Arithmetic::NotEqual, 3 },
    Operator { "<=", Arithmetic::LessEqual, 4 },
    Operator { ">=", Arithmetic::GreaterEqual, 4 },
    Operator { "<", Arithmetic::Less, 4 },
    Operator { ">", Arithmetic::Greater, 4 },
    Operator { "<<", Arithmetic::ShiftLeft, 5 },
    Operator { "+", Arithmetic::Add, 6 },
    Operator { "-", Arithmetic::Subtract, 6 },
    Operator { "*", Arithmetic::Multiply, 7 },
    Operator { "/", Arithmetic::Divide, 7 },
    Operator { "%", Arithmetic::Remainder, 7 },
};
constexpr std::array kAssignments {
    Operator { "+=", Arithmetic::Add, 0 },
    Operator { "-=", Arithmetic::Subtract, 0 },
    Operator { "*=", Arithmetic::Multiply, 0 },
    Operator { "/=", Arithmetic::Divide, 0 },
    Operator { "%=", Arithmetic::Remainder, 0 },
    Operator { "&=", Arithmetic::And, 0 },
    Operator { "|=", Arithmetic::Or, 0 },
    Operator { "^=", Arithmetic::Xor, 0 },
    Operator { "<<=", Arithmetic::ShiftLeft, 0 },
    Operator { ">>=", Arithmetic::ShiftRight, 0 },
};

/// "is_same_v"
bool isTraitName(std::string_view name) { return name.starts_with("is_") && name.ends_with("_v"); }

/// What \n and its kin stand for.
char escaped(char letter)
{
    switch (letter) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case '0': return '\0';
    default: return letter;
    }
}

} // namespace

std::optional<std::pair<Arithmetic, int>> Parser::operatorHere() const
{
    if (is(">") && token(1).is(">") && areAdjacent(2))
        return token(2).is(">") && areAdjacent(3) ? std::nullopt : std::optional(std::pair(Arithmetic::ShiftRight, 5)); // >>> ends a launch's shape
    if (m_at >= m_end || (is(">") && token(1).is(">=") && areAdjacent(2)))
        return std::nullopt;
    const auto found = std::ranges::find_if(kOperators, [&](const Operator& known) { return token().is(known.mark); });
    return found == kOperators.end() ? std::nullopt : std::optional(std::pair(found->arithmetic, found->level));
}

const Node* Parser::expression()
{
    const Node* first = assignment();
    while (skipped(","))
        first = of(Op::Comma, { first, assignment() });
    return first;
}

const Node* Parser::assignment()
{
    if (m_depth >= 150)
        throw Misread {};
    ++m_depth;
    struct Leave {
        int& depth;
        ~Leave() { --depth; }
    } const leave { m_depth };
    if (is("throw"))
        throw Misread {};
    const Node* left = conditional();
    if (skipped("="))
        return of(Op::Assign, { left, is("{") ? list() : assignment() });
    const bool isShift = is(">") && token(1).is(">=") && areAdjacent(2); // >>=
    const auto found = std::ranges::find_if(kAssignments, [&](const Operator& known) { return isShift ? known.mark == ">>=" : is(known.mark); });
    if (found == kAssignments.end())
        return left;
    m_at += isShift ? 2 : 1;
    Node* node = make(Op::AssignWith);
    node->arithmetic = found->arithmetic;
    node->kids = { left, assignment() };
    return node;
}

const Node* Parser::conditional()
{
    const Node* condition = binary(-2);
    if (!skipped("?"))
        return condition;
    const Node* then = assignment();
    skip(":");
    return of(Op::Conditional, { condition, then, assignment() });
}

/// Levels -2 and -1 are || and &&.
const Node* Parser::binary(int level)
{
    if (level == kLevels)
        return unary();
    const auto operand = [&] { return level == kRelations ? threeWay() : binary(level + 1); };
    const Node* left = operand();
    for (;;) {
        if (level < 0) {
            if (!is(level == -2 ? "||" : "&&"))
                return left;
            ++m_at;
            left = of(level == -2 ? Op::Either : Op::Both, { left, binary(level + 1) });
            continue;
        }
        const auto operation = operatorHere();
        if (!operation || operation->second != level)
            return left;
        m_at += operation->first == Arithmetic::ShiftRight ? 2 : 1;
        Node* node = make(Op::Binary);
        node->arithmetic = operation->first;
        node->kids = { left, operand() };
        left = asTrait(node);
    }
}

const Node* Parser::threeWay()
{
    const Node* left = binary(kRelations + 1);
    while (skipped("<=>"))
        left = of(Op::ThreeWay, { left, binary(kRelations + 1) });
    return left;
}

/// typeid(A) == typeid(B) asks whether they are the same.
const Node* Parser::asTrait(Node* node)
{
    const auto isTypeId = [](const Node* kid) { return kid->op == Op::Trait && kid->name == "typeid"; };
    const bool isDifference = node->op == Op::Binary && node->arithmetic == Arithmetic::NotEqual;
    if (!(isDifference || node->arithmetic == Arithmetic::Equal) || !std::ranges::all_of(node->kids, isTypeId))
        return node;
    Node* const same = make(Op::Trait);
    same->name = "is_same_v";
    for (const Node* const kid : node->kids) {
        same->types.push_back(kid->types[0]);
        same->values.push_back(nullptr);
    }
    return isDifference ? of(Op::Not, { same }) : same;
}

const Node* Parser::unary()
{
    if (skipped("-"))
        return of(Op::Negate, { unary() });
    if (skipped("+"))
        return unary();
    if (skipped("!"))
        return of(Op::Not, { unary() });
    if (skipped("~"))
        return of(Op::Complement, { unary() });
    if (skipped("*"))
        return of(Op::Dereference, { unary() });
    if (skipped("&"))
        return of(Op::AddressOf, { unary() });
    if (is("++") || is("--")) {
        Node* node = make(Op::Increase);
        node->slot = is("++") ? 1 : -1;
        ++m_at;
        node->kids = { unary() };
        return node;
    }
    return postfix();
}

const Node* Parser::postfix()
{
    const Node* value = primary();
    for (;;) {
        if (skipped("[")) {
            value = of(Op::Index, { value, expression() });
            skip("]");
        } else if (is(".") || is("->")) {
            const bool isPointer = is("->");
            ++m_at;
            skipped("template");
            if (!token().isWord())
                throw Misread {};
            const std::string_view name = token().text;
            ++m_at;
            Node* node = make(Op::Member);
            node->name = name;
            node->flag = isPointer;
            node->kids = { value };
            if (is("<") && behindAngle(m_program.tokens(), m_at) > m_at && m_program.token(behindAngle(m_program.tokens(), m_at)).is("("))
                templateArguments(node->types, node->values);
            if (skipped("(")) {
                node->op = Op::CallMember;
                for (const Node* argument : arguments(")"))
                    node->kids.push_back(argument);
            }
            value = node;
        } else if (skipped("(")) {
            Node* node = make(Op::CallValue);
            node->kids = { value };
            for (const Node* argument : arguments(")"))
                node->kids.push_back(argument);
            value = node;
        } else if (is("++") || is("--")) {
            Node* node = make(Op::Increase);
            node->slot = is("++") ? 1 : -1;
            node->flag = true;
            node->kids = { value };
            ++m_at;
            value = node;
        } else if (is("<<<")) {
            value = launch(value);
        } else {
            return value;
        }
    }
}

/// What stands up to the bracket that closes, which is passed.
std::vector<const Node*> Parser::arguments(std::string_view close)
{
    std::vector<const Node*> found;
    while (!skipped(close)) {
        const std::size_t packs = m_packs.size();
        if (!found.empty())
            skip(",");
        if (skipped(close)) // { 1, 2, }
            break;
        Node* const designated = is(".") && token(1).isWord() && (token(2).is("=") || token(2).is("{")) ? make(Op::Designated) : nullptr;
        if (designated) {
            designated->name = token(1).text;
            m_at += token(2).is("=") ? 3 : 2;
        }
        const Node* const value = is("{") ? list() : assignment();
        if (designated)
            designated->kids = { value };
        found.push_back(designated ? designated : value);
        if (skipped("...")) {
            if (m_packs.size() == packs) // of types alone
                throw Misread {};
            Node* const expanded = of(Op::Expand, { found.back() });
            expanded->slots.assign(m_packs.begin() + std::ptrdiff_t(packs), m_packs.end());
            found.back() = expanded;
            m_packs.resize(packs);
        }
    }
    return found;
}

const Node* Parser::list()
{
    skip("{");
    return of(Op::List, arguments("}"));
}

/// kernel<<<grid, block>>>(arguments): its shape is not looked at.
const Node* Parser::launch(const Node* kernel)
{
    Node* node = make(Op::Launch);
    node->slot = int(std::ranges::lower_bound(m_launches, m_at) - m_launches.begin()) + 1;
    const std::size_t first = m_at + 1;
    ++m_at;
    while (m_at < m_end && !(is(">") && token(1).is(">") && token(2).is(">") && areAdjacent(3) && token(3).is("(")))
        m_at = token().opens() ? behindBracket(m_program.tokens(), m_at) : m_at + 1;
    node->values = configuration(first, m_at);
    m_at += 3;
    skip("(");
    node->kids = arguments(")");
    node->kids.insert(node->kids.begin(), kernel);
    return node;
}

/// Grid, block and shared memory; none: they are not understood.
std::vector<const Node*> Parser::configuration(std::size_t first, std::size_t last)
{
    const std::size_t depth = std::size_t(m_depth);
    try {
        return within(first, last, [&] {
            std::vector<const Node*> read { assignment() };
            while (read.size() < 3 && skipped(","))
                read.push_back(assignment());
            return read;
        });
    } catch (const Misread&) {
        m_depth = int(depth);
        return {};
    }
}

const Node* Parser::primary()
{
    if (m_at >= m_end)
        throw Misread {};
    if (token().kind == TokenKind::Number) {
        const Node* read = number();
        ++m_at;
        return read;
    }
    const auto isName = [&] { return token().isWord() && isAmong(token().text, { "__FILE__", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__" }); }; // which text it is, is not looked at
    if (token().kind == TokenKind::Text || isName()) {
        const std::string_view text = isName() ? std::string_view("\"\"") : token().text;
        Node* node = make(Op::Unknown);
        node->constant = Value::unknown(Kind::Other);
        if (text.size() >= 3 && text.front() == '\'') {
            node->op = Op::Constant;
            node->constant = Value::of(Kind::I8, text[1] == '\\' && text.size() >= 4 ? escaped(text[2]) : text[1]);
            ++m_at;
            return node;
        }
        std::string whole;
        for (; token().kind == TokenKind::Text || isName(); ++m_at) { // "a" "b"
            const std::string_view part = isName() ? std::string_view {} : token().text;
            for (std::size_t i = 1; i + 1 < part.size(); ++i)
                whole += part[i] == '\\' && i + 2 < part.size() ? char(escaped(part[++i])) : part[i];
        }
        if (text.front() == '"') {
            node->op = Op::Literal;
            node->name = m_literals.emplace_back(std::move(whole));
        }
        return suffixed(node);
    }
    if (is("["))
        return lambda();
    if (is("{"))
        return list();
    if (is("(")) {
        const std::size_t at = m_at;
        ++m_at;
        if (auto target = type(); target && skipped(")")) {
            const bool casts = token().isWord() || token().kind == TokenKind::Number || token().kind == TokenKind::Text || is("(") || is("-") || is("~") || is("!") || is("&") || is("*") || is("{");
            if (casts) {
                Node* node = make(Op::Cast);
                m_types.push_back(*std::move(target));
                node->type = &m_types.back();
                node->kids = { unary() };
                return node;
            }
        }
        m_at = at;
        if (const Node* folded = fold())
            return folded;
        m_at = at + 1;
        const Node* inside = expression();
        skip(")");
        return inside;
    }
    if (token().isWord() || is("::"))
        return word();
    throw Misread {};
}

/// "text"s, "text"sv
const Node* Parser::suffixed(const Node* text)
{
    const Token& before = m_program.token(m_at - 1);
    if (!(is("s") || is("sv")) || token().text.data() != before.text.data() + before.text.size())
        return text;
    ++m_at;
    Node* node = make(Op::Make);
    m_types.push_back({ .name = "string" });
    node->type = &m_types.back();
    node->kids = { text };
    return node;
}

const Node* Parser::number() const
{
    auto* node = const_cast<Parser*>(this)->make(Op::Constant);
    std::string text;
    for (const char c : token().text)
        if (c != '\'')
            text += char(std::tolower(static_cast<unsigned char>(c)));
    const bool isHex = text.starts_with("0x"), isBinary = text.starts_with("0b");
    const bool isReal = !isHex && !isBinary && text.find_first_of(".e") != text.npos;
    if (isReal || (!isHex && !isBinary && text.ends_with('f'))) {
        node->constant = Value::ofReal(text.ends_with('f') ? Kind::F32 : Kind::F64, std::strtod(text.c_str(), nullptr));
        return node;
    }
    const std::size_t suffix = text.find_first_of("ulz");
    const std::string_view tail = suffix == text.npos ? std::string_view() : std::string_view(text).substr(suffix);
    const int base = isHex ? 16 : isBinary ? 2 : text.size() > 1 && text[0] == '0' ? 8 : 10;
    const std::size_t first = isHex || isBinary ? 2 : 0;
    std::uint64_t value = 0;
    std::from_chars(text.data() + first, text.data() + std::min(suffix, text.size()), value, base);
    const bool isUnsigned = tail.find('u') != tail.npos, isLong = tail.find('l') != tail.npos || tail.find('z') != tail.npos;
    const bool fitsSigned = value <= 0x7fffffffu, fitsUnsigned = value <= 0xffffffffu;
    const Kind kind = isUnsigned        ? (isLong || !fitsUnsigned ? Kind::U64 : Kind::U32)
        : !isLong && fitsSigned         ? Kind::I32
        : !isLong && base != 10 && fitsUnsigned ? Kind::U32
        : value > 0x7fffffffffffffffu   ? Kind::U64
                                        : Kind::I64;
    node->constant = Value::of(kind, std::int64_t(value));
    return node;
}

const Node* Parser::cast()
{
    const bool isDynamic = is("dynamic_cast");
    ++m_at;
    const std::size_t end = behindAngle(m_program.tokens(), m_at, AngleIn::Declaration);
    if (end <= m_at + 1)
        throw Misread {};
    Node* node = make(Op::Cast);
    node->flag = isDynamic;
    m_types.push_back(within(m_at + 1, end - 1, [&] { return typeOrMisread(); }));
    node->type = &m_types.back();
    m_at = end;
    skip("(");
    node->kids = { expression() };
    skip(")");
    return node;
}

const Node* Parser::word()
{
    if (is("static_cast") || is("reinterpret_cast") || is("const_cast") || is("dynamic_cast"))
        return cast();
    if (is("sizeof") && token(1).is("..."))
        return countPack();
    if (skipped("sizeof")) {
        Node* node = make(Op::SizeOf);
        const bool isBracketed = is("(");
        const std::size_t at = m_at;
        if (isBracketed) {
            ++m_at;
            if (auto of = type(); of && skipped(")")) {
                m_types.push_back(*std::move(of));
                node->type = &m_types.back();
                return node;
            }
            m_at = at;
        }
        node->kids = { unary() };
        return node;
    }
    if (is("typeid") && token(1).is("(")) {
        m_at += 2;
        Node* node = make(Op::Trait);
        node->name = "typeid";
        node->types.push_back(typeOrMisread());
        node->values.push_back(nullptr);
        skip(")");
        return node;
    }
    if (is("offsetof") && token(1).is("(")) {
        m_at += 2;
        Node* node = make(Op::SizeOf);
        m_types.push_back(typeOrMisread());
        node->type = &m_types.back();
        skip(",");
        node->name = token().text;
        ++m_at;
        skip(")");
        return node;
    }
    if (is("new"))
        return newExpression();
    if (skipped("delete")) {
        if (skipped("["))
            skip("]");
        unary();
        return make(Op::Unknown);
    }
    if (skipped("this")) {
        Node* node = make(Op::AddressOf);
        node->kids = { make(Op::Self) };
        return node;
    }
    const bool isNullopt = is("nullopt") || (is("std") && token(1).is("::") && token(2).is("nullopt"));
    if (is("nullptr") || is("NULL") || isNullopt) {
        m_at += is("std") ? 3 : 1;
        Node* node = make(Op::Constant);
        node->constant = Value::pointer({}, 0);
        return node;
    }
    for (const NamedConstant& constant : kNamedConstants) {
        const bool isQualified = token().is("std") && token(1).is("::") && token(2).is("numbers") && token(3).is("::") && token(4).is(constant.name);
        if (isQualified || (is(constant.name) && constant.name != "pi")) {
            m_at += isQualified ? 5 : 1;
            Node* node = make(Op::Constant);
            node->constant = isReal(constant.kind) ? Value::ofReal(constant.kind, constant.value) : Value::of(constant.kind, std::int64_t(constant.value));
            return node;
        }
    }
    const std::size_t at = m_at;
    if (!find(token().text)) {
        if (auto made = type(false); made && (is("(") || is("{"))) {
            Node* node = make(Op::Make);
            node->flag = is("{");
            ++m_at;
            node->kids = arguments(node->flag ? "}" : ")");
            m_types.push_back(*std::move(made));
            node->type = &m_types.back();
            return node;
        }
        m_at = at;
    }
    skipped("::");
    std::string_view name = token().text;
    std::vector<TypeName> scopeTypes;
    std::vector<const Node*> scopeValues;
    ++m_at;
    const HostClass* owner = nullptr;
    std::optional<TypeName> ownerType; // where templates tell what it is
    std::string_view scope = m_context.scope;
    while (is("::") || (is("<") && behindAngle(m_program.tokens(), m_at) > m_at && m_program.token(behindAngle(m_program.tokens(), m_at)).is("::"))) {
        if (is("<"))
            templateArguments(scopeTypes, scopeValues);
        skip("::");
        const auto alias = m_context.aliases.find(name);
        const HostClass* const named = m_program.classNamed(name);
        if (alias != m_context.aliases.end())
            ownerType = alias->second;
        else if (m_context.typeParameters.contains(name) || m_aliases.contains(name) || (named && !scopeTypes.empty()))
            notePack(ownerType.emplace(TypeName { .name = std::string(name), .arguments = scopeTypes, .values = scopeValues }));
        scope = name;
        const HostBase* const base = m_context.ofClass ? m_program.baseNamed(*m_context.ofClass, name) : nullptr;
        owner = m_program.classNamed(base ? std::string_view(base->name) : name);
        const bool isTrait = !owner && !scopeTypes.empty() && is("value"); // is_same<A, B>::value
        name = isTrait ? std::string_view(m_literals.emplace_back(std::string(name) + "_v")) : token().text;
        if (!token().isWord())
            throw Misread {};
        ++m_at;
    }
    if (name == "npos" && isAmong(scope, { "string", "string_view" })) {
        Node* const node = make(Op::Constant);
        node->constant = Value::of(Kind::U64, -1);
        return node;
    }
    if (ownerType && token(0).text != "<") {
        Node* const node = make(Op::Static);
        node->name = name;
        m_types.push_back(*std::move(ownerType));
        node->type = &m_types.back();
        if (skipped("(")) {
            node->op = Op::CallStatic;
            node->kids = arguments(")");
        }
        return node;
    }
    if (owner) { // Config::kSize
        const auto constant = std::ranges::find(owner->statics, name, &HostParameter::name);
        if (constant != owner->statics.end())
            if (const Node* value = memberValue(*owner, *constant))
                return value;
    }
    Node* node = make(Op::Named);
    node->name = name;
    node->scope = scope;
    node->types = std::move(scopeTypes);
    node->values = std::move(scopeValues);
    if (const Node* const object = functionObject(node))
        return object;
    if (is("<")) {
        const std::size_t end = behindAngle(m_program.tokens(), m_at);
        const bool isTemplate = end > m_at && !find(name) && (isTraitName(name) || m_program.token(end).is("(") || m_program.token(end).is("<<<") || m_program.token(end).is(",") || m_program.token(end).is(")"));
        if (isTemplate) {
            node->types.clear();
            node->values.clear();
            templateArguments(node->types, node->values);
        }
    }
    if (!owner && isTraitName(name) && !node->types.empty()) {
        node->op = Op::Trait;
        return node;
    }
    const bool isKernel = m_at > at + 1 && m_program.token(at + 1).is("::") && m_program.isKernel(name); // kernels::dot, beside a lambda dot
    const Node* value = isKernel ? nullptr : named(name);
    if (value && !(value->op == Op::Member && is("(")))
        return value;
    if (skipped("(")) {
        node->op = Op::Call;
        node->ofClass = owner;
        if (name.starts_with("cudaLaunch"))
            node->slot = int(std::ranges::lower_bound(m_launches, at) - m_launches.begin()) + 1;
        node->kids = arguments(")");
        node->flag = std::ranges::any_of(node->kids, [](const Node* kid) { return kid->op == Op::Expand; });
        if (name == "forward" && scope == "std" && node->kids.size() == 1)
            return node->kids[0];
    }
    return node;
}

/// std::greater<int>(), std::greater {}; null: it is none, and nothing has been moved.
const Node* Parser::functionObject(Node* named)
{
    const std::size_t behind = is("<") ? behindAngle(m_program.tokens(), m_at) : m_at;
    const std::string_view open = m_program.token(behind).text;
    const bool isOwn = find(named->name) || m_program.classNamed(named->name) || !m_program.functionsNamed(named->name).empty();
    if (!operationOf(named->name) || isOwn || behind < m_at || !((open == "(" && m_program.token(behind + 1).is(")")) || (open == "{" && m_program.token(behind + 1).is("}"))))
        return nullptr;
    m_at = behind + 2;
    named->op = Op::Call;
    return named;
}

/// A variable, a member or a constant; null: none of these.
const Node* Parser::named(std::string_view name)
{
    if (const Variable* variable = find(name)) {
        Node* node = make(variable->isGlobal ? Op::Global : Op::Local);
        node->slot = variable->slot;
        node->isAlias = variable->isAlias;
        node->name = name;
        if (variable->isPack)
            m_packs.push_back(variable->slot);
        if (!variable->isGlobal)
            m_mentioned.insert(variable->slot);
        return node;
    }
    if (m_context.ofClass) {
        if (std::ranges::find(m_context.ofClass->members, name, &HostParameter::name) != m_context.ofClass->members.end()) {
            Node* node = make(Op::Member);
            node->name = name;
            node->kids = { make(Op::Self) };
            return node;
        }
        const auto constant = std::ranges::find(m_context.ofClass->statics, name, &HostParameter::name);
        if (constant != m_context.ofClass->statics.end())
            if (const Node* value = memberValue(*m_context.ofClass, *constant))
                return value;
    }
    if (const auto enumerator = m_enumerators.find(name); enumerator != m_enumerators.end())
        return enumerator->second;
    if (const auto range = m_program.text().constant(name)) {
        Node* node = make(Op::Macro);
        node->name = name;
        node->kids = { within(range->first, range->second, [&] { return expression(); }) };
        return node;
    }
    return nullptr;
}

const Node* Parser::newExpression()
{
    ++m_at;
    Node* node = make(Op::New);
    auto made = type();
    if (!made)
        throw Misread {};
    m_types.push_back(*std::move(made));
    node->type = &m_types.back();
    if (skipped("[")) {
        node->flag = true;
        node->kids = { expression() };
        skip("]");
    }
    if (is("(") || is("{")) {
        const std::string_view close = is("{") ? "}" : ")";
        ++m_at;
        for (const Node* argument : arguments(close))
            node->kids.push_back(argument);
    }
    return node;
}

/// ( ... + pack ), ( pack + ... ) or one of them with another end; null: it is none, and nothing has been moved.
const Node* Parser::fold()
{
    const std::size_t first = m_at, close = behindBracket(m_program.tokens(), m_at);
    std::size_t dots = first + 1;
    for (; dots + 1 < close && !m_program.token(dots).is("..."); ++dots)
        if (m_program.token(dots).opens())
            dots = behindBracket(m_program.tokens(), dots) - 1;
    if (dots + 1 >= close || m_program.token(dots - 1).is("sizeof"))
        return nullptr;
    const bool isLeft = dots == first + 1, isRight = dots + 2 == close;
    const Token& operation = m_program.token(isLeft ? dots + 1 : dots - 1);
    const auto known = std::ranges::find_if(kOperators, [&](const Operator& one) { return operation.is(one.mark); });
    Node* node = make(Op::Fold);
    node->joins = operation.is("&&") ? Op::Both : operation.is("||") ? Op::Either : operation.is(",") ? Op::Comma : Op::Binary;
    if (node->joins == Op::Binary && known == kOperators.end())
        throw Misread {};
    if (node->joins == Op::Binary)
        node->arithmetic = known->arithmetic;
    const std::size_t packs = m_packs.size();
    const auto read = [&](std::size_t from, std::size_t to) { return within(from, to, [&] { return assignment(); }); };
    const Node* const before = isLeft ? nullptr : read(first + 1, dots - 1);
    const bool isPackFirst = m_packs.size() > packs;
    const Node* const behind = isRight ? nullptr : read(dots + 2, close - 1);
    if (m_packs.size() == packs)
        throw Misread {};
    node->flag = !isPackFirst;
    node->kids = isPackFirst ? std::vector { before, behind } : std::vector { behind, before };
    node->slots.assign(m_packs.begin() + std::ptrdiff_t(packs), m_packs.end());
    m_packs.resize(packs);
    m_at = close;
    return node;
}

/// sizeof...(pack): of types, nobody knows.
const Node* Parser::countPack()
{
    m_at += 2;
    skip("(");
    const Variable* const variable = find(token().text);
    Node* node = make(variable && variable->isPack ? Op::CountPack : Op::Unknown);
    node->slot = variable ? variable->slot : 0;
    ++m_at;
    skip(")");
    return node;
}

/// Its variables stand among those of the function around it.
const Node* Parser::lambda()
{
    Node* node = make(Op::Lambda);
    const std::size_t capturesEnd = behindBracket(m_program.tokens(), m_at);
    m_context.scopes.emplace_back();
    node->firstSlot = m_context.slots;
    ++m_at;
    bool areCopied = false;
    std::set<std::string_view> others; // than by default
    while (m_at + 1 < capturesEnd) { // [=, x = 3, &y = z, &u]
        areCopied = areCopied || is("=");
        const bool isAlias = skipped("&");
        if (token().isWord() && token(1).is("=")) {
            const std::string_view name = token().text;
            m_at += 2;
            Node* variable = make(Op::Variable);
            variable->style = Initial::Equals;
            variable->kids = { assignment() };
            variable->slot = declare(name, isAlias);
            variable->isAlias = isAlias;
            m_types.push_back({ .name = "auto", .isAuto = true });
            variable->type = &m_types.back();
            node->kids.push_back(variable);
            node->captured.push_back(variable->slot);
        } else {
            const Variable* const named = find(token().text);
            if (isAlias)
                others.insert(token().text);
            else if (token().isWord() && named && !named->isGlobal)
                node->captured.push_back(named->slot);
            ++m_at;
        }
        skipped(",");
    }
    m_at = capturesEnd;
    std::set<int> mentionedBefore = std::exchange(m_mentioned, {});
    const auto outerTypes = m_context.typeParameters;
    if (is("<")) { // []<class T, int... Ns>
        const std::size_t end = std::max(behindAngle(m_program.tokens(), m_at, AngleIn::Declaration), m_at + 2);
        m_lambdaParameters.push_back(m_program.parametersIn(m_at + 1, end - 1));
        node->ofTemplate = &m_lambdaParameters.back();
        for (const HostParameter& parameter : m_lambdaParameters.back()) {
            if (parameter.isType)
                m_context.typeParameters.insert(parameter.name);
            if (!parameter.isType || parameter.isPack)
                node->templateSlots.emplace_back(parameter.name, declare(parameter.name, false, false, parameter.isPack));
        }
        m_at = end;
    }
    if (is("(")) {
        const std::size_t end = behindBracket(m_program.tokens(), m_at);
        m_lambdaParameters.push_back(m_program.parametersIn(m_at + 1, end - 1)); // scopes view their names
        for (const HostParameter& parameter : m_lambdaParameters.back()) {
            TypeName type = within(parameter.typeFirst, parameter.typeLast, [&] { return typeOrMisread(); });
            node->slots.push_back(declare(parameter.name, type.isReference, false, parameter.isPack));
            node->takesPack = parameter.isPack;
            node->areAliases.push_back(type.isReference);
            node->types.push_back(std::move(type));
        }
        m_at = end;
    }
    while (m_at < m_end && !is("{")) {
        if (is("__device__")) // of no use to the host
            throw Misread {};
        node->flag = is("&") && token(1).is("{");
        ++m_at;
    }
    const std::size_t end = behindBracket(m_program.tokens(), m_at);
    skip("{");
    node->kids.push_back(block(end - 1)); // the last one
    m_at = end;
    for (const std::string_view name : others)
        if (const Variable* const named = find(name))
            m_mentioned.erase(named->slot);
    if (areCopied)
        std::ranges::copy_if(m_mentioned, std::back_inserter(node->captured), [&](int slot) { return slot < node->firstSlot; });
    m_mentioned.merge(mentionedBefore);
    node->lastSlot = m_context.slots;
    m_context.scopes.pop_back();
    m_context.typeParameters = outerTypes;
    return node;
}

} // namespace coalescope::kernels::host
