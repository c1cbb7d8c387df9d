// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels {
namespace {

constexpr int kTurns = 16; ///< of a loop that launches another kernel in each
constexpr std::size_t kShortBody = 12; ///< tokens: such as doubles a size until it is large enough
constexpr int kShortTurns = 40;
constexpr auto kItemAssignments = std::to_array<std::string_view>({ "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=" });
constexpr std::size_t kTableBody = 60; ///< tokens
constexpr std::int64_t kGuessedSize = std::int64_t(1) << 20; ///< of what is doubled until it is large enough

} // namespace

HostReader::Flow HostReader::block(std::size_t first, std::size_t last)
{
    if (m_nested > kDeepest)
        return Flow::Next;
    ++m_nested;
    HostScope* const outer = m_scope;
    m_scope = newScope(outer);
    Flow flow = Flow::Next;
    for (std::size_t at = first; at < last && flow == Flow::Next && m_budget > m_kept;) {
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
    if (first.is("{")) {
        const Range inside = inBrackets(at, last);
        flow = block(inside.first, inside.last);
        return at;
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
    if (first.is("break") || first.is("continue") || first.is("return"))
        return jump(at, last, flow);
    if (first.is("try"))
        return at + 1;
    if (first.is("catch")) // not reached
        return behindStatement(behindBracket(m_program.tokens(), at + 1), last);
    if (const std::size_t behind = localType(at, last); behind > at)
        return behind;
    return startsDeclaration(at, last) ? declaration(at, last, false) : expressionStatement(at, last);
}

std::size_t HostReader::expressionStatement(std::size_t at, std::size_t last)
{
    const std::size_t end = behindStatement(at, last);
    evaluate({ at, end > at && token(end - 1).is(";") ? end - 1 : end });
    return end;
}

std::size_t HostReader::jump(std::size_t at, std::size_t last, Flow& flow)
{
    const std::size_t end = behindStatement(at, last);
    flow = token(at).is("break") ? Flow::Break : token(at).is("continue") ? Flow::Continue : Flow::Return;
    if (flow == Flow::Return)
        if (HostValue value = evaluate({ at + 1, end - 1 }); m_unsure == 0 || m_returned.kind == HostKind::Unknown)
            m_returned = std::move(value);
    return end;
}

/// A type, an alias, or what has no effect here: the index behind it. `at` where it is none of these.
std::size_t HostReader::localType(std::size_t at, std::size_t last)
{
    static constexpr auto kWords = std::to_array<std::string_view>(
        { "struct", "class", "enum", "union", "using", "typedef", "static_assert", "goto", "throw", "delete" });
    if (!isOneOf(token(at).text, kWords))
        return at;
    const std::size_t end = behindStatement(at, last);
    if (token(at).is("using") && at + 2 < end && token(at + 2).is("=")) {
        std::size_t place = at + 3;
        if (const auto type = typeAt(place, end))
            m_scope->types[std::string(token(at + 1).text)] = type->text();
        else
            m_unreadTypes.emplace(token(at + 1).text);
    }
    if (!token(at).is("struct") && !token(at).is("class"))
        return end;
    std::size_t body = at;
    while (body < last && !token(body).is("{") && !token(body).is(";") && !token(body).is("="))
        ++body;
    if (body >= last || !token(body).is("{") || body > at + 3) // `struct P p = { ... };`
        return at;
    m_program.readLocalType(at, end);
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
        if (token(i).opens())
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
    const Range then { close, std::max(close, thenEnd) }, otherwise { hasElse ? thenEnd + 1 : end, end };
    const bool isKnown = value.isKnownTrue() || value.isKnownFalse();
    if (const auto given = isKnown ? followingBoth(value, then, otherwise) : std::nullopt) {
        store(given->place, given->value);
        m_scope = outer;
        return end;
    }
    if (isKnown)
        value = withArgumentsGiven(std::move(value), { condition, close - 1 }, value.isKnownTrue() ? then : otherwise);
    m_unsure += isKnown ? 0 : 1;
    Flow inside = Flow::Next;
    if (!value.isKnownFalse() && close < last)
        statement(close, thenEnd, inside);
    if (hasElse && !value.isKnownTrue() && (isKnown || inside != Flow::Break))
        statement(thenEnd + 1, end, inside);
    m_unsure -= isKnown ? 0 : 1;
    if (isKnown) {
        const bool endsInVain = inside == Flow::Return && m_depth == 1 && m_found.launches.empty(); // what the program checks is taken to hold
        flow = endsInVain ? Flow::Next : inside;
        const bool asks = value.isKnownFalse() && launchesIn(then); // of others nobody wants to know
        readAside(value.isKnownTrue() ? otherwise : then, asks ? askedIn({ condition, close - 1 }) : std::nullopt);
    }
    m_scope = outer;
    return end;
}

/// Of `x = value;`, with or without braces: the assignment's place; empty: the branch is another.
std::optional<HostReader::Assignment> HostReader::onlyAssignment(Range branch) const
{
    if (branch.last > branch.first + 1 && token(branch.first).is("{") && token(branch.last - 1).is("}"))
        branch = { branch.first + 1, branch.last - 1 };
    const bool isOne = branch.last > branch.first + 3 && token(branch.first).isWord() && token(branch.first + 1).is("=") && token(branch.last - 1).is(";");
    if (!isOne)
        return std::nullopt;
    for (std::size_t i = branch.first + 2; i < branch.last - 1; ++i)
        if (token(i).is(";") || token(i).is("=") || token(i).is("{"))
            return std::nullopt;
    return Assignment { find(std::string(token(branch.first).text)), { branch.first + 2, branch.last - 1 } };
}

/// What a variable is behind `if (grid > most) grid = most;`, by what is asked; nothing: the branches do something else.
std::optional<HostReader::Given> HostReader::followingBoth(const HostValue& condition, Range then, Range otherwise)
{
    const auto first = onlyAssignment(then), second = onlyAssignment(otherwise);
    const bool hasElse = otherwise.last > otherwise.first;
    if (!first || (hasElse && (!second || second->place.name != first->place.name)) || !first->place.scope)
        return std::nullopt;
    ++m_muted;
    const HostValue a = evaluate(first->value), b = hasElse ? evaluate(second->value) : at(first->place);
    --m_muted;
    HostValue value = chosenBy(condition, a, b);
    if (!value.isNumber() || value.number.isConstant())
        return std::nullopt;
    return Given { first->place, std::move(value) };
}

/// The parameter that a value is, and which number it is to be; nothing: it is none.
std::optional<HostReader::Asked> HostReader::askedFor(const HostValue& value, const HostValue& number)
{
    const bool isParameter = value.isNumber() && value.number.parameters.size() == 1 && value.number.text() == value.number.parameters[0];
    if (!isParameter || !number.isNumber() || number.number.isReal || !number.number.isConstant())
        return std::nullopt;
    return Asked { value.number.parameters[0], number.number.integer };
}

/// Of `n == 64`.
std::optional<HostReader::Asked> HostReader::askedIn(Range condition)
{
    std::size_t equals = 0;
    for (std::size_t i = condition.first; i < condition.last; ++i) {
        if (token(i).opens())
            i = behindBracket(m_program.tokens(), i) - 1;
        else if (token(i).is("==") && equals == 0)
            equals = i;
        else if (token(i).is("&&") || token(i).is("||") || token(i).is("?") || token(i).is("=="))
            return std::nullopt;
    }
    if (equals == 0)
        return std::nullopt;
    ++m_muted;
    const auto asked = askedFor(evaluate({ condition.first, equals }), evaluate({ equals + 1, condition.last }));
    --m_muted;
    return asked;
}

/// What is not done, but launches, with the values that are known now: its kernels are shown, too, unless they are launched elsewhere.
void HostReader::readAside(Range code, const std::optional<Asked>& asked)
{
    if (m_muted || code.first >= code.last || !launchesIn(code))
        return;
    const auto askedBefore = m_asked;
    if (asked)
        m_asked[asked->first] = asked->second;
    std::vector<decltype(HostScope::values)> before;
    for (const HostScope& scope : m_scopes)
        before.push_back(scope.values);
    const HostValue returned = m_returned;
    const std::vector<ProgramConstant> constants = m_constants;
    ++m_unsure;
    ++m_aside;
    m_unasked += !asked;
    block(code.first, code.last);
    m_unasked -= !asked;
    --m_aside;
    --m_unsure;
    m_asked = askedBefore;
    m_returned = returned;
    m_constants = constants;
    for (std::size_t i = 0; i < before.size(); ++i)
        m_scopes[i].values = std::move(before[i]);
}

std::size_t HostReader::loop(std::size_t at, std::size_t last, Flow& flow)
{
    const bool isDo = token(at).is("do"), isFor = token(at).is("for");
    std::size_t head = at + 1;
    while (!isDo && head < last && !token(head).is("("))
        ++head;
    const std::size_t body = isDo ? at + 1 : std::min(behindBracket(m_program.tokens(), head), last);
    const std::size_t end = behindStatement(at, last);
    const std::size_t bodyEnd = isDo ? behindStatement(body, last) : end;
    const Head parts = isFor ? headOf({ head + 1, body - 1 }) : Head { .first = {}, .condition = { head + 1, body - 1 }, .step = {} };
    HostScope* const outer = m_scope;
    m_scope = newScope(outer);
    if (parts.colon) {
        forEach({ head + 1, body }, parts.colon);
    } else if (!isFor || parts.isWhole) {
        if (startsDeclaration(parts.first.first, parts.first.last + 1))
            declaration(parts.first.first, parts.first.last + 1, true);
        else
            evaluate(parts.first);
        if (launchesIn({ body, bodyEnd }))
            nameCounters();
        goRound(parts, { body, bodyEnd }, isDo, flow);
    }
    m_scope = outer;
    return end;
}

/// What a loop that launches counts is a parameter: the first turn's launch is shown, others can be asked for.
void HostReader::nameCounters()
{
    for (auto& [name, value] : m_scope->values)
        if (value.isNumber() && value.number.isConstant())
            value = named(name, std::move(value));
}

HostReader::Head HostReader::headOf(Range inside)
{
    std::vector<std::size_t> stops;
    Head head;
    for (std::size_t i = inside.first; i < inside.last; ++i) {
        if (token(i).opens())
            i = behindBracket(m_program.tokens(), i) - 1;
        else if (token(i).is(";"))
            stops.push_back(i);
        else if (token(i).is(":") && head.colon == 0)
            head.colon = i;
    }
    head.isWhole = stops.size() >= 2;
    if (!head.isWhole)
        return head;
    return { { inside.first, stops[0] }, { stops[0] + 1, stops[1] }, { stops[1] + 1, inside.last }, 0, true };
}

/// Turn by turn where these are known to be few, or each launches another kernel; else once for all: where how many they are is known,
/// and none of them launches, a turn in their middle, for what holds at the borders does not for most.
void HostReader::goRound(const Head& head, Range body, bool isDo, Flow& flow)
{
    const std::optional<Turns> known = turnsOf(head);
    const bool isShort = body.last - body.first < kShortBody && !(known && known->count.integer > kShortTurns);
    const bool isTable = known && known->count.integer > kTurns && known->count.integer <= std::min(std::int64_t(kMostItems), m_tableTurns)
        && body.last - body.first < kTableBody && assignsItems(body) && !launchesIn(body);
    m_tableTurns -= isTable ? known->count.integer : 0;
    const bool isFew = known && (known->count.integer <= kTurns || isTable);
    // Such as makes a level of half the size until it is small enough; what is counted is multiplied, below.
    const bool growsList = !known && std::ranges::any_of(std::span(m_program.tokens()).subspan(body.first, body.last - body.first),
                                         [](const Token& token) { return token.is("push_back") || token.is("emplace_back"); });
    const bool launchesOften = known && !isFew && launchesIn(body);
    const auto setVariable = [&](HostValue value) {
        if (const HostPlace variable = find(known->variable); variable.scope)
            variable.scope->values[variable.name] = std::move(value);
    };
    const Symbolic around = m_turns;
    if (known && !isFew && !isShort && !launchesOften) {
        m_turns = applied("*", m_turns, known->count);
        setVariable(HostValue::of(Symbolic::ofInteger(known->middle)));
    }
    std::size_t launches = m_found.launches.size();
    if (isShort && !known && !isDo && guessDoubled(head.condition, body))
        return;
    bool hasEnded = false;
    for (int turn = 0; turn < (isTable ? int(kMostItems) : isShort ? kShortTurns : kTurns) && m_budget > m_kept; ++turn) {
        const HostValue goesOn = isDo || head.condition.first >= head.condition.last ? HostValue {} : evaluate(head.condition);
        const bool goesRound = isShort || isFew || growsList || m_found.launches.size() != launches;
        if (goesOn.isKnownFalse() && turn == 0)
            readAside(body);
        hasEnded = goesOn.isKnownFalse();
        if (goesOn.isKnownFalse() || (turn > 0 && (!goesOn.isKnownTrue() || !goesRound)))
            break;
        launches = m_found.launches.size();
        Flow inside = Flow::Next;
        const bool isCounting = std::exchange(m_counting, m_counting || isTable); // a table's numbers are no parameters
        if (body.first < body.last)
            inLoop(body, inside);
        m_counting = isCounting;
        if (inside == Flow::Return && m_unsure == 0)
            flow = Flow::Return;
        if (inside == Flow::Return || inside == Flow::Break)
            break;
        m_counting = true; // a counter is no parameter
        evaluate(head.step);
        m_counting = isCounting;
    }
    m_turns = around;
    if (!isFew)
        forgetItems(body);
    if (!known && !hasEnded)
        openLists(body);
    if (launchesOften) { // what is launched in some turns only: `if (step % 100 == 0)`
        setVariable({});
        Flow inside = Flow::Next;
        ++m_unsure;
        inLoop(body, inside);
        --m_unsure;
    }
}

void HostReader::inLoop(Range body, Flow& flow)
{
    ++m_loops;
    statement(body.first, body.last, flow);
    --m_loops;
}

/// Whether one of its statements is `list[i] = ...` or `list[i].member = ...`.
bool HostReader::assignsItems(Range code) const
{
    for (std::size_t at = code.first; at < code.last; ++at)
        if (isItemAssigned(at))
            return true;
    return false;
}

/// Whether a list's name stands there whose item, or a member of it, is assigned to.
bool HostReader::isItemAssigned(std::size_t at) const
{
    if (!token(at).isWord() || !token(at + 1).is("["))
        return false;
    for (at = behindBracket(m_program.tokens(), at + 1); token(at).is("[") || token(at).is(".");)
        at = token(at).is("[") ? behindBracket(m_program.tokens(), at) : at + 2;
    return isOneOf(token(at).text, kItemAssignments);
}

/// Of lists whose items a loop sets that is not followed to its end, those that it did not get to.
void HostReader::forgetItems(Range code)
{
    for (std::size_t at = code.first; at < code.last; ++at) {
        if (!isItemAssigned(at))
            continue;
        if (const HostPlace place = find(std::string(token(at).text)); place.scope && !m_muted)
            place.scope->values[place.name].rest.reset();
    }
}

/// Of lists into which a loop puts more, nobody knows how often: how many there are is not known.
void HostReader::openLists(Range code)
{
    for (std::size_t at = code.first + 2; at < code.last; ++at)
        if ((token(at).is("push_back") || token(at).is("emplace_back")) && token(at - 1).is(".") && token(at - 2).isWord())
            if (const HostPlace place = find(std::string(token(at - 2).text)); place.scope && !m_muted)
                place.scope->values[place.name].isOpen = true;
}

/// `while (size < ...) size *= 2;` where nobody knows up to what.
bool HostReader::guessDoubled(Range condition, Range body)
{
    for (std::size_t at = body.first + 1; at < body.last; ++at) {
        if (!token(at).is("<<=") && !token(at).is("*="))
            continue;
        ++m_muted;
        const bool isKnown = evaluate(condition).isNumber();
        --m_muted;
        const HostPlace place = find(std::string(token(at - 1).text));
        if (isKnown || !place.scope)
            return false;
        HostValue& size = place.scope->values[place.name];
        const auto parameter = std::ranges::find(m_found.parameters, size.number.text(), &ProgramParameter::name);
        if (!size.isNumber() || parameter == m_found.parameters.end())
            return false;
        parameter->value = kGuessedSize;
        parameter->isGuessed = true;
        size.number = Symbolic::ofParameter(parameter->name, kGuessedSize);
        return true;
    }
    return false;
}

/// How often `for (int i = a; i < b; i += c)` turns, or one that counts down; nothing where that is not known. Others may be counted beside: `++i, j ^= 1`.
std::optional<HostReader::Turns> HostReader::turnsOf(const Head& head)
{
    const auto has = [&](Range range, std::size_t i, std::string_view mark) { return range.first + i < range.last && token(range.first + i).is(mark); };
    const bool isDown = has(head.condition, 1, ">") || has(head.condition, 1, ">=");
    if (head.condition.first >= head.condition.last || !(isDown || has(head.condition, 1, "<") || has(head.condition, 1, "<=")))
        return std::nullopt;
    const std::string_view name = token(head.condition.first).text;
    const std::vector<Range> firsts = parts(head.first), steps = parts(head.step);
    const auto equalsIn = [&](const Range& part) { // of `int i = a`
        std::size_t at = part.first;
        while (at < part.last && !token(at).is("="))
            ++at;
        return at < part.last && at > part.first && token(at - 1).is(name) ? at : 0;
    };
    const auto first = std::ranges::find_if(firsts, equalsIn);
    const std::string_view oneStep = isDown ? "--" : "++", someSteps = isDown ? "-=" : "+=";
    const auto byOne = [&](const Range& part) { return (has(part, 0, oneStep) && has(part, 1, name)) || (has(part, 0, name) && has(part, 1, oneStep)); };
    const auto bySome = [&](const Range& part) { return has(part, 0, name) && has(part, 1, someSteps); };
    const auto step = std::ranges::find_if(steps, [&](const Range& part) { return byOne(part) || bySome(part); });
    if (first == firsts.end() || step == steps.end())
        return std::nullopt;
    const Symbolic one = Symbolic::ofInteger(1);
    const HostValue from = evaluate({ equalsIn(*first) + 1, first->last }), to = evaluate({ head.condition.first + 2, head.condition.last });
    const HostValue by = byOne(*step) ? HostValue::of(one) : evaluate({ step->first + 2, step->last });
    if (!from.isNumber() || !to.isNumber() || !by.isNumber() || by.number.asInteger() < 1)
        return std::nullopt;
    Symbolic turns = isDown ? applied("-", asInteger(from.number), asInteger(to.number)) : applied("-", asInteger(to.number), asInteger(from.number));
    if (has(head.condition, 1, "<=") || has(head.condition, 1, ">="))
        turns = applied("+", turns, one);
    if (bySome(*step))
        turns = applied("/", applied("-", applied("+", turns, asInteger(by.number)), one), asInteger(by.number));
    if (turns.integer < 1)
        return std::nullopt;
    constexpr double kMiddle = 0.618; // no row's or column's border in most grids
    const auto middle = std::int64_t(kMiddle * double(turns.integer)) * by.number.asInteger();
    return Turns { turns, std::string(name), from.number.asInteger() + (isDown ? -middle : middle) };
}

/// `auto [a, b]`: the brackets, and what is taken apart.
void HostReader::bindParts(Range names, const HostValue& value)
{
    const auto part = [&](std::size_t index) {
        if (value.kind == HostKind::Object && value.scope)
            return index < value.scope->order.size() ? value.scope->values[value.scope->order[index]] : HostValue {};
        return index < value.items.size() ? value.items[index] : HostValue {};
    };
    std::size_t index = 0;
    for (std::size_t i = names.first; i < names.last; ++i)
        if (token(i).isWord())
            m_scope->values[std::string(token(i).text)] = part(index++);
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
    if (all.kind == HostKind::List && all.buffer < 0 && all.items.empty() && isStructure(all.type)) { // whose members get values in the loop
        const std::int64_t count = all.number.isConstant() ? std::min<std::int64_t>(all.number.asInteger(), kTurns) : 1;
        if (count > 0 && growTo(all.place, std::size_t(count)))
            all = this->at(all.place);
    }
    // An array's items that have no values yet, or are pointers: what the loop gives them stays.
    const bool isOfPlaces = type->isReference && all.kind == HostKind::List && !all.isMap && all.buffer < 0 && !all.place.name.empty() && all.place.component < 0;
    const auto declared = isOfPlaces ? std::size_t(std::max<std::int64_t>(all.number.asInteger(), 0)) : 0;
    for (std::size_t turn = 0; turn < std::clamp<std::size_t>(std::max(all.items.size(), declared), 1, kTurns); ++turn) {
        HostValue value = turn < all.items.size() ? all.items[turn] : HostValue {};
        value = all.isMap ? pairOf(std::move(value)) : std::move(value);
        const bool isPlace = isOfPlaces && (value.kind == HostKind::Unknown || value.kind == HostKind::Pointer);
        if (token(at).isWord() && isPlace) {
            HostPlace place = all.place;
            place.component = int(turn);
            m_scope->values[std::string(token(at).text)] = HostValue::aliasOf(place);
        } else if (token(at).isWord()) {
            const std::string name(token(at).text);
            value.place = {};
            m_scope->values[name] = turn == 0 ? named(name, std::move(value)) : std::move(value);
        } else if (token(at).is("[")) { // auto [name, size]
            bindParts({ at, std::min(behindBracket(m_program.tokens(), at), colon) }, value);
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
    struct Start {
        std::size_t at = 0; // behind the label
        bool isChosen = false; // it is the value's
        HostValue of;
    };
    std::vector<Start> starts;
    std::size_t otherwise = 0;
    for (std::size_t i = close + 1; i < end - 1; ++i) {
        if (token(i).opens()) {
            i = behindBracket(m_program.tokens(), i) - 1;
        } else if (token(i).is("case")) {
            const std::size_t label = i + 1;
            while (i < end && !token(i).is(":"))
                ++i;
            const HostValue of = evaluate({ label, i });
            starts.push_back({ i + 1, value.isNumber() && of.isNumber() && of.number.asReal() == value.number.asReal(), of });
        } else if (token(i).is("default")) {
            otherwise = i + 2;
        }
    }
    const auto run = [&](std::size_t start) {
        const Flow inside = block(start, end - 1);
        if (inside == Flow::Return || inside == Flow::Continue)
            flow = inside;
    };
    const auto behindLabels = [&] {
        std::int64_t behind = 0;
        for (const Start& start : starts)
            if (start.of.isNumber() && start.of.number.isConstant() && !start.of.number.isReal)
                behind = std::max(behind, start.of.number.integer + 1);
        return HostValue::of(Symbolic::ofInteger(behind));
    };
    if (value.isNumber()) {
        const auto chosen = std::ranges::find(starts, true, &Start::isChosen);
        const std::size_t start = chosen != starts.end() ? chosen->at : otherwise;
        if (start)
            run(start);
        for (const Start& other : starts)
            if (other.at != start)
                readAside({ other.at, end - 1 }, askedFor(value, other.of));
        if (otherwise && otherwise != start)
            readAside({ otherwise, end - 1 }, askedFor(value, behindLabels()));
        return end;
    }
    ++m_unsure;
    for (const Start& start : starts)
        run(start.at);
    if (otherwise)
        run(otherwise);
    --m_unsure;
    flow = Flow::Next;
    return end;
}

} // namespace coalescope::kernels
