// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr int kTurns = 16; ///< of a loop that launches another kernel in each
constexpr std::size_t kShortBody = 12; ///< tokens: such as doubles a size until it is large enough
constexpr int kShortTurns = 40;
constexpr int kDeepest = 200; ///< of nested statements

constexpr auto kQualifiers = std::to_array<std::string_view>({ "const", "static", "constexpr", "volatile", "inline", "register", "extern",
    "typename", "struct", "class", "enum", "mutable", "thread_local", "__restrict__", "__restrict", "virtual", "explicit", "friend", "alignas" });

constexpr auto kNoTypes = std::to_array<std::string_view>({ "return", "new", "delete", "throw", "else", "goto", "case", "default", "using",
    "operator", "sizeof", "this", "true", "false", "nullptr", "template", "if", "for", "while", "do", "switch", "try", "catch" });

constexpr auto kIntegerWords = std::to_array<std::string_view>({ "unsigned", "signed", "long", "short", "int", "char" });

template <std::size_t Count> bool contains(const std::array<std::string_view, Count>& words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

/// "unsigned long" of `unsigned long int`, and so on.
std::string integerNamed(const std::vector<std::string_view>& words)
{
    const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
    const std::string sign = count("unsigned") ? "unsigned " : "";
    if (count("char"))
        return sign.empty() ? (count("signed") ? "signed char" : "char") : "unsigned char";
    if (count("long"))
        return sign + (count("long") > 1 ? "long long" : "long");
    return sign + (count("short") ? "short" : "int");
}

bool isIntegerType(std::string_view name)
{
    return name != "float" && name != "double" && name != "half" && name != "__half" && name != "__nv_bfloat16" && bytesOfType(name) > 0
        && bytesOfType(name) <= 8 && name.find_first_of("234") == name.npos;
}

} // namespace

std::optional<HostType> HostReader::typeAt(std::size_t& at, std::size_t last)
{
    HostType type;
    std::size_t i = at;
    const auto skipQualifiers = [&] {
        while (i < last && token(i).isWord() && contains(kQualifiers, token(i).text)) {
            type.isConst = type.isConst || token(i).is("const") || token(i).is("constexpr");
            ++i;
        }
    };
    skipQualifiers();
    i += i < last && token(i).is("::") ? 1 : 0;
    if (i >= last || !token(i).isWord() || contains(kNoTypes, token(i).text))
        return std::nullopt;
    std::vector<std::string_view> integer;
    while (i < last && token(i).isWord() && (contains(kIntegerWords, token(i).text) || (!integer.empty() && contains(kQualifiers, token(i).text))))
        integer.push_back(token(i++).text);
    if (!integer.empty() && !(integer.size() == 1 && integer[0] == "long" && i < last && token(i).is("double"))) {
        type.name = type.full = integerNamed(integer);
    } else {
        i += i < last && !integer.empty() ? 1 : 0; // long double
        if (integer.empty()) {
            type.name = type.full = token(i++).text;
            while (i + 1 < last && token(i).is("::") && token(i + 1).isWord()) {
                type.name = token(i + 1).text;
                type.full += "::" + type.name;
                i += 2;
            }
        } else {
            type.name = type.full = "double";
        }
        if (i < last && token(i).is("<")) {
            const std::size_t end = behindAngle(m_program.tokens(), i, AngleIn::Declaration);
            if (end == i || end > last)
                return std::nullopt;
            type.arguments = templateArguments(i);
        }
        if (i + 1 < last && token(i).is("::") && token(i + 1).isWord()) // vector<T>::iterator
            i += 2;
        if (const std::string resolved = resolvedType(type.name); resolved != type.name && type.arguments.empty()) {
            const int pointers = type.pointers + int(std::ranges::count(resolved, '*'));
            type = typeOfText(resolved.substr(0, resolved.find('*')));
            type.pointers = pointers;
        }
    }
    while (i < last) {
        if (token(i).is("*"))
            ++type.pointers;
        else if (token(i).is("&") || token(i).is("&&"))
            type.isReference = true;
        else if (!token(i).isWord() || !contains(kQualifiers, token(i).text))
            break;
        ++i;
    }
    at = i;
    return type;
}

/// "Sum<float>", as template arguments are written down.
HostType HostReader::typeOfText(const std::string& text)
{
    HostType type { .name = text.substr(0, text.find('<')), .full = text };
    if (const auto scope = type.name.rfind("::"); scope != std::string::npos)
        type.name.erase(0, scope + 2);
    std::string argument;
    int depth = 0;
    for (std::size_t i = text.find('<'); i < text.size(); ++i) {
        depth += (text[i] == '<') - (text[i] == '>');
        if (depth == 0 || (text[i] == ',' && depth == 1))
            type.arguments.push_back(std::exchange(argument, {}));
        else if (depth > 1 || text[i] != '<')
            argument += text[i];
    }
    return type;
}

bool HostReader::startsDeclaration(std::size_t at, std::size_t last)
{
    const std::size_t first = at;
    const auto type = typeAt(at, last);
    if (!type || at >= last)
        return false;
    if (type->isAuto() && token(at).is("["))
        return true;
    if (!token(at).isWord() || at == first || at + 1 > last)
        return false;
    if (at + 1 == last)
        return true;
    static constexpr auto kNext = std::to_array<std::string_view>({ "=", "(", "{", ";", ",", "[", ":" });
    if (!contains(kNext, token(at + 1).text))
        return false;
    // `a * b;` of two variables multiplies; so rare a statement that it need not be looked for.
    return find(type->name).name.empty() || type->pointers == 0;
}

HostReader::Flow HostReader::block(std::size_t first, std::size_t last)
{
    if (m_nested > kDeepest)
        return Flow::Next;
    ++m_nested;
    HostScope* const outer = m_scope;
    m_scope = newScope(outer);
    Flow flow = Flow::Next;
    for (std::size_t at = first; at < last && flow == Flow::Next && m_budget > 0;) {
        const std::size_t next = statement(at, last, flow);
        at = std::max(next, at + 1);
    }
    m_scope = outer;
    --m_nested;
    return flow;
}

std::size_t HostReader::statement(std::size_t at, std::size_t last, Flow& flow)
{
    --m_budget;
    const Token& first = token(at);
    const auto behindSemicolon = [&] { return behindStatement(at, last); };
    if (first.is("{")) {
        const std::size_t close = std::min(behindBracket(m_program.tokens(), at), last);
        flow = block(at + 1, close - 1);
        return close;
    }
    if (!first.isWord()) {
        const std::size_t end = behindSemicolon();
        evaluate({ at, end > at && token(end - 1).is(";") ? end - 1 : end });
        return end;
    }
    if (first.is("if"))
        return ifStatement(at, last, flow);
    if (first.is("for") || first.is("while") || first.is("do"))
        return loop(at, last, flow);
    if (first.is("switch"))
        return switchStatement(at, last, flow);
    if (first.is("case") || first.is("default")) {
        while (at < last && !token(at).is(":"))
            ++at;
        return at + 1;
    }
    if (first.is("break") || first.is("continue")) {
        flow = first.is("break") ? Flow::Break : Flow::Continue;
        return behindSemicolon();
    }
    if (first.is("return")) {
        const std::size_t end = behindSemicolon();
        if (HostValue value = evaluate({ at + 1, end - 1 }); m_unsure == 0 || m_returned.kind == HostKind::Unknown)
            m_returned = std::move(value);
        flow = Flow::Return;
        return end;
    }
    if (first.is("try"))
        return at + 1;
    if (first.is("catch")) // not reached
        return behindStatement(behindBracket(m_program.tokens(), at + 1), last);
    std::size_t unqualified = at; // `static const struct { ... } cases[]`
    while (unqualified + 1 < last && (token(unqualified).is("static") || token(unqualified).is("const") || token(unqualified).is("constexpr")))
        ++unqualified;
    if (unqualified > at && token(unqualified).is("struct") && unqualified + 1 < last && token(unqualified + 1).is("{"))
        return statement(unqualified, last, flow);
    if (first.is("struct") || first.is("class") || first.is("enum") || first.is("union") || first.is("using") || first.is("typedef")
        || first.is("static_assert") || first.is("goto") || first.is("throw") || first.is("delete")) {
        const bool isType = first.is("struct") || first.is("class");
        std::size_t body = at;
        while (body < last && !token(body).is("{") && !token(body).is(";") && !token(body).is("="))
            ++body;
        if (!isType || (body < last && token(body).is("{") && body <= at + 3)) {
            const std::size_t end = behindSemicolon();
            if (isType)
                m_program.readLocalType(at, end);
            const std::size_t behind = isType ? behindBracket(m_program.tokens(), body) : end;
            if (isType && behind < end && token(behind).isWord()) // struct { int n; } cases[] = { ... };
                return declarators({ .name = std::string(token(body == at + 1 ? behind : at + 1).text) }, behind, end, false);
            if (first.is("using") && at + 2 < end && token(at + 2).is("=")) {
                std::size_t place = at + 3;
                if (const auto type = typeAt(place, end))
                    m_scope->types[std::string(token(at + 1).text)] = type->name + std::string(std::size_t(type->pointers), '*');
            }
            return end;
        }
    }
    if (startsDeclaration(at, last))
        return declaration(at, last, false);
    const std::size_t end = behindSemicolon();
    evaluate({ at, end > at && token(end - 1).is(";") ? end - 1 : end });
    return end;
}

/// The index behind a statement, which is not looked into.
std::size_t HostReader::behindStatement(std::size_t at, std::size_t last) const
{
    const std::vector<Token>& all = m_program.tokens();
    if (at >= last)
        return last;
    if (token(at).is("{"))
        return std::min(behindBracket(all, at), last);
    if (token(at).is("if") || token(at).is("for") || token(at).is("while") || token(at).is("switch")) {
        std::size_t head = at + 1;
        while (head < last && !token(head).is("("))
            ++head;
        std::size_t end = behindStatement(behindBracket(all, head), last);
        while (token(at).is("if") && end < last && token(end).is("else"))
            end = behindStatement(end + 1, last);
        return end;
    }
    if (token(at).is("do")) {
        const std::size_t end = behindStatement(at + 1, last);
        return end < last && token(end).is("while") ? behindStatement(end + 1, last) : end;
    }
    while (at < last && !token(at).is(";") && !token(at).is("}"))
        at = token(at).is("(") || token(at).is("[") || token(at).is("{") ? std::min(behindBracket(all, at), last) : at + 1;
    return std::min(at + 1, last);
}

std::size_t HostReader::ifStatement(std::size_t at, std::size_t last, Flow& flow)
{
    std::size_t head = at + 1;
    while (head < last && !token(head).is("("))
        ++head;
    const std::size_t close = std::min(behindBracket(m_program.tokens(), head), last);
    const std::size_t thenEnd = behindStatement(close, last);
    const bool hasElse = thenEnd < last && token(thenEnd).is("else");
    const std::size_t end = hasElse ? behindStatement(thenEnd + 1, last) : thenEnd;
    HostScope* const outer = m_scope;
    m_scope = newScope(outer); // `if (int n = f(); n > 0)`
    std::size_t condition = head + 1;
    for (std::size_t i = condition; i < close - 1; ++i) {
        if (token(i).is("(") || token(i).is("[") || token(i).is("{"))
            i = behindBracket(m_program.tokens(), i) - 1;
        else if (token(i).is(";"))
            condition = i + 1;
    }
    if (condition > head + 1)
        startsDeclaration(head + 1, close) ? declaration(head + 1, condition, true) : (evaluate({ head + 1, condition - 1 }), 0);
    HostValue value;
    if (startsDeclaration(condition, close - 1))
        declaration(condition, close - 1, true); // `if (auto e = f())`: not known
    else
        value = evaluate({ condition, close - 1 });
    const bool isKnown = value.isKnownTrue() || value.isKnownFalse();
    m_unsure += isKnown ? 0 : 1;
    Flow inside = Flow::Next;
    if (!value.isKnownFalse() && close < last)
        statement(close, thenEnd, inside);
    if (hasElse && !value.isKnownTrue() && (isKnown || inside != Flow::Break))
        statement(thenEnd + 1, end, inside);
    m_unsure -= isKnown ? 0 : 1;
    if (isKnown)
        flow = inside;
    m_scope = outer;
    return end;
}

std::size_t HostReader::loop(std::size_t at, std::size_t last, Flow& flow)
{
    const bool isDo = token(at).is("do");
    std::size_t head = at + 1;
    while (!isDo && head < last && !token(head).is("("))
        ++head;
    const std::size_t body = isDo ? at + 1 : std::min(behindBracket(m_program.tokens(), head), last);
    const std::size_t end = behindStatement(at, last);
    const std::size_t bodyEnd = isDo ? behindStatement(body, last) : end;
    HostScope* const outer = m_scope;
    m_scope = newScope(outer);
    Range condition { head + 1, body - 1 }, step;
    if (token(at).is("for")) {
        std::vector<std::size_t> stops;
        std::size_t colon = 0;
        for (std::size_t i = head + 1; i < body - 1; ++i) {
            if (token(i).is("(") || token(i).is("[") || token(i).is("{"))
                i = behindBracket(m_program.tokens(), i) - 1;
            else if (token(i).is(";"))
                stops.push_back(i);
            else if (token(i).is(":") && colon == 0)
                colon = i;
        }
        if (stops.size() < 2) {
            if (colon)
                forEach({ head + 1, body }, colon);
            m_scope = outer;
            return end;
        }
        if (startsDeclaration(head + 1, stops[0] + 1))
            declaration(head + 1, stops[0] + 1, true);
        else
            evaluate({ head + 1, stops[0] });
        condition = { stops[0] + 1, stops[1] };
        step = { stops[1] + 1, body - 1 };
    }
    const bool isShort = bodyEnd - body < kShortBody;
    std::size_t launches = m_found.launches.size();
    for (int turn = 0; turn < (isShort ? kShortTurns : kTurns) && m_budget > 0; ++turn) {
        const HostValue goesOn = isDo || condition.first >= condition.last ? HostValue {} : evaluate(condition);
        if (goesOn.isKnownFalse() || (turn > 0 && (!goesOn.isKnownTrue() || (!isShort && m_found.launches.size() == launches))))
            break;
        launches = m_found.launches.size();
        Flow inside = Flow::Next;
        if (body < bodyEnd)
            statement(body, bodyEnd, inside);
        if (inside == Flow::Return && m_unsure == 0)
            flow = Flow::Return;
        if (inside == Flow::Return || inside == Flow::Break)
            break;
        if (step.first < step.last)
            evaluate(step);
    }
    m_scope = outer;
    return end;
}

/// `for (type name : list)`; the head ends where the body begins.
void HostReader::forEach(Range head, std::size_t colon)
{
    std::size_t at = head.first;
    const auto type = typeAt(at, colon);
    HostValue all = evaluate({ colon + 1, head.last - 1 });
    const std::size_t end = behindStatement(head.last, m_program.tokens().size());
    if (!type)
        return;
    for (std::size_t turn = 0; turn < std::max<std::size_t>(1, std::min<std::size_t>(all.items.size(), kTurns)); ++turn) {
        HostValue value = turn < all.items.size() ? all.items[turn] : HostValue {};
        if (token(at).isWord()) {
            const std::string name(token(at).text);
            value.place = {};
            m_scope->values[name] = turn == 0 ? named(name, std::move(value)) : std::move(value);
        } else if (token(at).is("[")) { // auto [name, size]
            std::size_t index = 0;
            for (std::size_t i = at + 1; i < colon && !token(i).is("]"); ++i)
                if (token(i).isWord())
                    m_scope->values[std::string(token(i).text)] = index < value.items.size() ? value.items[index++] : HostValue {};
        }
        Flow inside = Flow::Next;
        statement(head.last, end, inside);
        if (inside == Flow::Break || inside == Flow::Return)
            break;
    }
}

std::size_t HostReader::switchStatement(std::size_t at, std::size_t last, Flow& flow)
{
    const std::size_t close = std::min(behindBracket(m_program.tokens(), at + 1), last);
    const std::size_t end = behindStatement(at, last);
    const HostValue value = evaluate({ at + 2, close - 1 });
    if (close >= end || !token(close).is("{"))
        return end;
    std::vector<std::pair<std::size_t, bool>> starts; // behind the label; whether it is the value's
    std::size_t otherwise = 0;
    for (std::size_t i = close + 1; i < end - 1; ++i) {
        if (token(i).is("(") || token(i).is("[") || token(i).is("{")) {
            i = behindBracket(m_program.tokens(), i) - 1;
        } else if (token(i).is("case")) {
            const std::size_t label = i + 1;
            while (i < end && !token(i).is(":"))
                ++i;
            const HostValue of = evaluate({ label, i });
            starts.emplace_back(i + 1, value.isNumber() && of.isNumber() && of.number.asReal() == value.number.asReal());
        } else if (token(i).is("default")) {
            otherwise = i + 2;
        }
    }
    const auto run = [&](std::size_t start) {
        const Flow inside = block(start, end - 1);
        if (inside == Flow::Return || inside == Flow::Continue)
            flow = inside;
    };
    if (value.isNumber()) {
        const auto chosen = std::ranges::find(starts, true, &std::pair<std::size_t, bool>::second);
        if (chosen != starts.end() || otherwise)
            run(chosen != starts.end() ? chosen->first : otherwise);
        return end;
    }
    ++m_unsure;
    for (const auto& [start, isChosen] : starts)
        run(start);
    --m_unsure;
    flow = Flow::Next;
    return end;
}

std::size_t HostReader::declaration(std::size_t at, std::size_t last, bool isOfLoop)
{
    const auto base = typeAt(at, last);
    if (!base)
        return behindStatement(at, last);
    if (at < last && token(at).is("[")) { // auto [a, b] = ...
        const std::size_t end = behindStatement(at, last);
        while (at < end && !token(at).is("="))
            ++at;
        if (at < end)
            evaluate({ at + 1, end - 1 });
        return end;
    }
    return declarators(*base, at, last, isOfLoop);
}

/// `a = 1, *b(2), c[3];` behind their type.
std::size_t HostReader::declarators(HostType type, std::size_t at, std::size_t last, bool isOfLoop)
{
    while (at < last && token(at).isWord()) {
        const std::string name(token(at++).text);
        HostValue value = initialValue(type, name, at, last);
        if (type.isReference && !value.place.name.empty() && value.kind != HostKind::Object) {
            HostValue alias { .kind = HostKind::Reference };
            alias.target = value.place;
            alias.isAlias = true;
            m_scope->values[name] = std::move(alias);
        } else if (!m_muted) {
            value.place = {};
            nameBuffers(value, name);
            nameMembers(value);
            if (value.type.empty() && !type.isAuto())
                value.type = type.name;
            m_scope->values[name] = isOfLoop ? std::move(value) : named(name, std::move(value));
        }
        if (at >= last || !token(at).is(","))
            break;
        type.pointers = 0;
        for (++at; at < last && !token(at).isWord(); ++at)
            type.pointers += token(at).is("*");
        if (at < last && contains(kQualifiers, token(at).text))
            ++at;
    }
    while (at < last && !token(at).is(";"))
        ++at;
    return std::min(at + 1, last);
}

/// What a variable is declared with; `at` stands behind its name and moves on to , or ;
HostValue HostReader::initialValue(const HostType& type, const std::string& name, std::size_t& at, std::size_t last)
{
    HostValue array { .kind = HostKind::List };
    array.type = type.name;
    bool isArray = false;
    while (at < last && token(at).is("[")) {
        const std::size_t close = std::min(behindBracket(m_program.tokens(), at), last);
        const HostValue count = evaluate({ at + 1, close - 1 });
        const Symbolic one = count.isNumber() ? count.number : Symbolic::ofInteger(0);
        array.number = isArray ? applied("*", array.number, one) : one;
        isArray = true;
        at = close;
    }
    if (at < last && token(at).is("=")) {
        const std::size_t first = ++at;
        while (at < last && !token(at).is(",") && !token(at).is(";")) {
            if (token(at).is("(") || token(at).is("[") || token(at).is("{"))
                at = std::min(behindBracket(m_program.tokens(), at), last);
            else if (const std::size_t behind = token(at).is("<") ? behindAngle(m_program.tokens(), at) : at; behind > at && behind < last
                && (token(behind).is("(") || token(behind).is("<<<") || token(behind).is("{")))
                at = behind;
            else
                ++at;
        }
        HostValue value = evaluate({ first, std::min(at, last) });
        if (isArray) {
            array.items = std::move(value.items);
            if (array.number.isConstant() && array.number.integer == 0)
                array.number = Symbolic::ofInteger(std::int64_t(array.items.size()));
            if (const HostClass* known = m_program.classNamed(type.name))
                for (HostValue& item : array.items)
                    item = ofInitialList(*known, std::move(item), type.arguments);
            return array;
        }
        const HostPlace place = value.place;
        if (value.kind == HostKind::Kernel || value.kind == HostKind::Function || type.isAuto())
            return value;
        value = valueOfType(type, { std::move(value) });
        value.place = place;
        return value;
    }
    if (at < last && (token(at).is("(") || token(at).is("{"))) {
        const std::size_t close = std::min(behindBracket(m_program.tokens(), at), last);
        const bool isList = token(at).is("{");
        std::vector<HostValue> arguments = list({ at + 1, close - 1 });
        at = close;
        if (isArray) {
            array.items = std::move(arguments);
            return array;
        }
        if (isList && (type.name == "vector" || type.name == "array" || m_program.classNamed(type.name))) {
            HostValue inside { .kind = HostKind::List, .isBraced = true };
            inside.number = Symbolic::ofInteger(std::int64_t(arguments.size()));
            inside.items = std::move(arguments);
            return valueOfType(type, { std::move(inside) });
        }
        HostValue value = valueOfType(type, std::move(arguments));
        if (value.buffer >= 0 && value.kind == HostKind::List)
            m_found.buffers[std::size_t(value.buffer)].name = name;
        return value;
    }
    if (isArray)
        return array;
    HostValue value = valueOfType(type, {});
    if (value.buffer >= 0 && value.kind == HostKind::List)
        m_found.buffers[std::size_t(value.buffer)].name = name;
    return value;
}

/// A value of the type, made of what stands in the brackets behind it.
HostValue HostReader::valueOfType(const HostType& type, std::vector<HostValue> arguments)
{
    HostValue first = arguments.empty() ? HostValue {} : arguments.front();
    if (type.pointers > 0) {
        if (first.kind == HostKind::Pointer || first.kind == HostKind::Unknown || first.kind == HostKind::Number) {
            HostValue pointer { .kind = HostKind::Pointer };
            pointer.buffer = first.buffer;
            pointer.isOffset = first.isOffset;
            pointer.type = type.name == "void" && !first.type.empty() ? first.type : type.name;
            if (first.kind == HostKind::Unknown && !arguments.empty() && first.buffer < 0)
                return {};
            if (pointer.buffer >= 0 && type.name != "void" && type.pointers == 1) {
                std::string& known = m_found.buffers[std::size_t(pointer.buffer)].type;
                known = known.empty() || known == "void" ? type.name : known;
            }
            return pointer;
        }
        return first;
    }
    if (type.name == "dim3") {
        if (first.kind == HostKind::Dim3 || (first.kind == HostKind::Unknown && !arguments.empty()))
            return first;
        if (first.kind == HostKind::List)
            arguments = first.items;
        HostValue value { .kind = HostKind::Dim3 };
        for (std::size_t i = 0; i < 3; ++i) {
            value.dims[i] = Symbolic::ofInteger(1);
            if (i < arguments.size() && !arguments[i].isNumber())
                return {};
            if (i < arguments.size())
                value.dims[i] = asInteger(arguments[i].number);
        }
        return value;
    }
    if (type.name == "vector" || type.name == "array" || type.name == "device_vector" || type.name == "host_vector" || type.name == "universal_vector") {
        HostValue value { .kind = HostKind::List };
        value.type = type.arguments.empty() ? "" : type.arguments[0];
        if (type.name == "array" && type.arguments.size() > 1)
            value.number = Symbolic::ofInteger(std::atoll(type.arguments[1].c_str()));
        if (first.kind == HostKind::List) {
            value.number = first.number;
            value.items = first.items;
            if (const HostClass* known = m_program.classNamed(value.type))
                for (HostValue& item : value.items)
                    item = ofInitialList(*known, std::move(item));
        } else if (first.isNumber()) {
            value.number = asInteger(first.number);
        }
        if (type.name == "device_vector" || type.name == "universal_vector") {
            value.buffer = newBuffer("buffer", applied("*", value.number, Symbolic::ofInteger(std::max(1, bytesOfType(value.type)))), value.type);
            if (value.buffer >= 0 && first.kind == HostKind::List)
                m_found.buffers[std::size_t(value.buffer)].fill = BufferFill::Copied;
        }
        return value;
    }
    if (const HostClass* known = m_program.classNamed(type.name)) {
        if (first.kind == HostKind::Object && arguments.size() == 1)
            return first;
        if (first.isBraced && arguments.size() == 1)
            return std::ranges::any_of(known->functions, [&](const HostFunction* function) { return function->name == known->name; })
                ? construct(*known, first.items, type.arguments)
                : ofInitialList(*known, std::move(first), type.arguments);
        return construct(*known, std::move(arguments), type.arguments);
    }
    if (first.kind == HostKind::List && first.items.size() == 1) // int n { 3 }
        first = first.items[0];
    if (!first.isNumber())
        return arguments.empty() && bytesOfType(type.name) > 0 && type.name.find_first_of("234") == std::string::npos
            ? HostValue::of(type.name == "float" || type.name == "double" ? Symbolic::ofReal(0) : Symbolic::ofInteger(0))
            : first;
    if (type.name == "float" || type.name == "double")
        first.number = asReal(first.number);
    else if (isIntegerType(type.name))
        first.number = asInteger(first.number);
    if (!type.isAuto())
        first.type = type.name;
    first.place = {};
    return first;
}

} // namespace coalescope::kernels
