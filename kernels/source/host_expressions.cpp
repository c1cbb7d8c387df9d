// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>

namespace coalescope::kernels {
namespace {

constexpr auto kLevels = std::to_array<std::array<std::string_view, 4>>({ { "||" }, { "&&" }, { "|" }, { "^" }, { "&" }, { "==", "!=" },
    { "<", ">", "<=", ">=" }, { "<<" }, { "+", "-" }, { "*", "/", "%" } });
constexpr int kShifts = 7; ///< where << stands, and >>, which are two tokens

} // namespace

bool HostReader::is(std::string_view mark) const
{
    return m_at < m_end && token(m_at).is(mark);
}

/// Whether so many tokens follow each other without a blank.
bool HostReader::isAdjacent(std::size_t at, std::size_t count) const
{
    for (std::size_t i = at; i + 1 < at + count; ++i) {
        if (i + 1 >= m_program.tokens().size() || token(i).text.data() + token(i).text.size() != token(i + 1).text.data())
            return false;
    }
    return true;
}

HostValue HostReader::evaluate(Range range)
{
    const std::size_t at = m_at, end = m_end;
    m_at = range.first;
    m_end = std::min(range.last, m_program.tokens().size());
    HostValue value;
    if (m_at < m_end)
        value = assignment();
    while (is(",")) {
        ++m_at;
        value = assignment();
    }
    m_at = at;
    m_end = end;
    return value;
}

/// The parts between commas that stand in no brackets.
std::vector<HostReader::Range> HostReader::parts(Range range) const { return betweenCommas(m_program.tokens(), range); }

/// What stands in the brackets at `at`, which moves behind them.
HostReader::Range HostReader::inBrackets(std::size_t& at, std::size_t last) const
{
    const std::size_t first = at + 1;
    at = std::min(behindBracket(m_program.tokens(), at), last);
    return { first, at - 1 };
}

std::vector<HostValue> HostReader::list(Range range)
{
    std::vector<HostValue> values;
    for (const Range& part : parts(range)) {
        if (part.last > part.first && token(part.last - 1).is("...")) {
            const HostValue pack = packIn(part);
            values.insert(values.end(), pack.items.begin(), pack.items.end());
        } else if (part.last > part.first + 2 && token(part.first).is(".") && token(part.first + 1).isWord()) { // .name = value, .name { value }
            values.push_back(evaluate({ part.first + (token(part.first + 2).is("=") ? 3 : 2), part.last }));
            values.back().designator = token(part.first + 1).text;
        } else {
            values.push_back(evaluate(part));
        }
    }
    return values;
}

/// Of `rest...` and `std::forward<T>(rest)...`.
HostValue HostReader::packIn(Range code) const
{
    for (std::size_t i = code.first; i < code.last; ++i)
        if (token(i).isWord())
            if (HostValue value = at(find(std::string(token(i).text))); value.isPack)
                return value;
    return {};
}

HostValue HostReader::assignment()
{
    if (--m_budget < m_kept || m_nested > kDeepest) {
        m_at = m_end;
        return {};
    }
    ++m_nested;
    const std::size_t first = m_at;
    HostValue left = ternary();
    static constexpr auto kAssignments = std::to_array<std::string_view>({ "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=" });
    const auto found = m_at < m_end ? std::ranges::find(kAssignments, token(m_at).text) : kAssignments.end();
    const bool shifts = is(">") && m_at + 1 < m_end && token(m_at + 1).is(">=") && isAdjacent(m_at, 2);
    if (found != kAssignments.end() || shifts) {
        const std::string_view op = shifts ? ">>" : found->substr(0, found->size() - 1);
        m_at += shifts ? 2 : 1;
        const std::size_t value = m_at;
        HostValue right = asNumber(assignment());
        fillByAssignment(first, left, { value, m_at });
        if (!op.empty() && byOperator(std::string(op) + "=", left, { right })) {
            --m_nested;
            return left.place.name.empty() ? left : at(left.place);
        }
        if (!op.empty())
            right = left.isNumber() && right.isNumber() ? HostValue::of(applied(op, left.number, right.number)) : HostValue {};
        else if (right.kind == HostKind::List && right.isBraced && (left.kind == HostKind::Object || left.kind == HostKind::Dim3)) // v = { 1, 2 };
            right = valueOfType({ .name = left.kind == HostKind::Dim3 ? "dim3" : left.type }, { std::move(right) });
        store(left.place, right);
        left = std::move(right);
    }
    --m_nested;
    return left;
}

HostValue HostReader::ternary()
{
    HostValue condition = binary(0);
    if (!is("?"))
        return condition;
    ++m_at;
    m_muted += condition.isKnownFalse() ? 1 : 0;
    HostValue first = assignment();
    m_muted -= condition.isKnownFalse() ? 1 : 0;
    if (!is(":"))
        return first;
    ++m_at;
    m_muted += condition.isKnownTrue() ? 1 : 0;
    HostValue second = assignment();
    m_muted -= condition.isKnownTrue() ? 1 : 0;
    if (condition.isNumber())
        return chosenBy(condition, first, second);
    return first.kind == HostKind::Unknown ? second : first;
}

/// What a known condition chooses. Of two constants the one, which may get a name and so be a parameter; else a number that follows
/// what is asked.
HostValue HostReader::chosenBy(const HostValue& condition, const HostValue& first, const HostValue& second)
{
    HostValue one = condition.isKnownTrue() ? first : second;
    if (!first.isNumber() || !second.isNumber() || (first.number.isConstant() && second.number.isConstant()))
        return one;
    Symbolic number = choice(condition.number, first.number, second.number);
    if (number.text() != one.number.text())
        one.place = {};
    one.number = std::move(number);
    return one;
}

/// The operator at m_at and how weakly it binds, from 0 for ||; empty: there is none.
std::pair<std::string_view, int> HostReader::operatorHere() const
{
    const bool shifts = is(">") && m_at + 1 < m_end && token(m_at + 1).is(">") && isAdjacent(m_at, 2);
    if (shifts)
        return { ">>", kShifts };
    for (std::size_t level = 0; m_at < m_end && level < kLevels.size(); ++level)
        for (const std::string_view mark : kLevels[level])
            if (!mark.empty() && is(mark))
                return { mark, int(level) };
    return {};
}

HostValue HostReader::binary(int level)
{
    HostValue left = unary();
    for (;;) {
        const auto [op, own] = operatorHere();
        if (op.empty() || own < level)
            return left;
        m_at += op == ">>" ? 2 : 1;
        HostValue right = binary(own + 1);
        const bool isShift = own == kShifts;
        if (own >= kShifts && (!isShift || right.isNumber())) // else `file >> n`
            left = asNumber(std::move(left));
        if (own >= kShifts && (!isShift || left.isNumber())) // else `cout << n`
            right = asNumber(std::move(right));
        if (left.isNumber() && right.isNumber()) {
            left = HostValue::of(applied(op, left.number, right.number));
        } else if ((op == "+" || op == "-") && (left.kind == HostKind::Pointer || right.kind == HostKind::Pointer)) {
            left = left.kind == HostKind::Pointer ? left : right;
            left.place = {};
            left.isOffset = !(right.isNumber() && right.number.isConstant() && right.number.integer == 0);
        } else if (auto made = byOperator(op, left, { right })) {
            left = *std::move(made);
        } else {
            if (op == ">>" && left.kind == HostKind::Unknown) { // file >> n
                store(right.place, readNumber(right, right.place.name));
                fillManaged(right.buffer);
            }
            left = {};
        }
    }
}

HostValue HostReader::unary()
{
    if (is("(")) {
        if (HostValue value = cast(); value.kind != HostKind::Unknown || !is("("))
            return value;
        return postfix();
    }
    if (is("-") || is("+") || is("!") || is("~")) {
        const std::string_view op = token(m_at++).text;
        const HostValue value = unary();
        if (auto own = op == "-" ? byOperator(op, value, {}) : std::nullopt)
            return *std::move(own);
        return value.isNumber() ? HostValue::of(applied(op, value.number)) : HostValue {};
    }
    if (is("++") || is("--")) {
        const std::string_view op = token(m_at++).text.substr(0, 1);
        HostValue value = unary();
        if (value.isNumber()) {
            const HostPlace place = value.place;
            value = HostValue::of(applied(op, value.number, Symbolic::ofInteger(1)));
            store(place, value);
        }
        return value;
    }
    if (is("*")) {
        ++m_at;
        return pointedTo(unary());
    }
    if (is("&") || is("&&")) {
        ++m_at;
        return referenceTo(unary());
    }
    return postfix();
}

/// *value
HostValue HostReader::pointedTo(HostValue value) const
{
    if (value.kind == HostKind::Pointer && value.target.scope && !value.isOffset) {
        HostValue number = at(value.target);
        if (number.kind == HostKind::Unknown) { // whoever calls the function gives it
            number = elementOf(value);
            number.isRead = isCount(value.type);
        }
        number.place = value.target;
        return number;
    }
    if (value.kind == HostKind::Pointer)
        return elementOf(value);
    if (value.kind != HostKind::Reference)
        return value;
    HostValue target = at(value.target);
    target.place = value.target;
    return target;
}

/// &value
HostValue HostReader::referenceTo(HostValue value)
{
    if (value.kind == HostKind::Kernel || value.kind == HostKind::Function)
        return value;
    if (value.kind == HostKind::Unknown && value.buffer >= 0) { // &d[0]
        value.kind = HostKind::Pointer;
        return value;
    }
    HostValue reference { .kind = value.place.name.empty() ? HostKind::Unknown : HostKind::Reference };
    reference.target = value.place;
    if (value.isNull && value.place.scope && value.place.component < 0 && !m_muted) // who gets it may set it
        value.place.scope->values[value.place.name].isNull = false;
    return reference;
}

HostValue HostReader::postfix()
{
    HostValue value = primary();
    while (m_at < m_end) {
        if (is("<<<")) {
            value = launchBehind(value);
        } else if (is("(")) {
            const std::size_t open = m_at;
            std::vector<HostValue> arguments = list(inBrackets(m_at, m_end));
            m_open = open;
            value = value.kind == HostKind::Function && value.function ? callFunction(value, std::move(arguments))
                : value.kind == HostKind::Object                       ? callMember(value, "operator", std::move(arguments), {})
                                                                       : HostValue {};
        } else if (is("[")) {
            const HostValue index = evaluate(inBrackets(m_at, m_end));
            value = item(std::move(value), index);
        } else if (is(".") || is("->")) {
            ++m_at;
            value = member(std::move(value));
        } else if (is("++") || is("--")) {
            const std::string_view op = token(m_at++).text.substr(0, 1);
            if (value.isNumber())
                store(value.place, HostValue::of(applied(op, value.number, Symbolic::ofInteger(1))));
            value.place = {};
        } else {
            break;
        }
    }
    return value;
}

HostValue HostReader::at(const HostPlace& place) const
{
    const auto found = place.scope ? place.scope->values.find(place.name) : decltype(place.scope->values.end()) {};
    if (!place.scope || found == place.scope->values.end())
        return {};
    const HostValue& value = found->second;
    if (place.component < 0)
        return value;
    if (value.kind == HostKind::Dim3)
        return HostValue::of(value.dims[std::size_t(place.component) % 3]);
    if (std::size_t(place.component) < value.items.size())
        return value.items[std::size_t(place.component)];
    HostValue unknown;
    unknown.type = value.kind == HostKind::List ? value.type : "";
    return unknown;
}

void HostReader::store(const HostPlace& place, HostValue value)
{
    if (m_muted || !place.scope || place.name.empty())
        return;
    HostValue& stored = place.scope->values[place.name];
    value.place = {};
    if (place.component >= 0) {
        if (stored.kind == HostKind::Dim3 && value.isNumber())
            stored.dims[std::size_t(place.component) % 3] = named(place.name + "_" + "xyz"[place.component % 3], std::move(value), Naming::Dimension).number;
        else if (stored.kind == HostKind::List && std::size_t(place.component) < kMostItems) {
            stored.items.resize(std::max(stored.items.size(), std::size_t(place.component) + 1), stored.restItem());
            if (stored.isMap) {
                value = itemMade(stored, std::move(value));
                value.key = stored.items[std::size_t(place.component)].key;
            }
            stored.items[std::size_t(place.component)] = std::move(value);
        } else if (stored.kind == HostKind::List) {
            stored.rest.reset(); // what is not kept
        }
        return;
    }
    if (value.kind == HostKind::Unknown && !stored.isKnownFalse()) {
        stored.isNull = false;
        return; // what was known before is the better guess, unless it was nothing
    }
    if (stored.isNumber() && value.isNumber())
        value.number = stored.number.isReal ? asReal(value.number) : asInteger(value.number);
    if (stored.kind == HostKind::Dim3 && value.isNumber())
        value = valueOfType({ .name = "dim3" }, { std::move(value) });
    if (stored.isMap && !value.isMap)
        value = mapOfType({ .arguments = { "", stored.type } }, { std::move(value) });
    const std::string type = stored.type.empty() || stored.type == "null" ? value.type : stored.type;
    if (value.kind == HostKind::Pointer && value.buffer >= 0) {
        nameBuffers(value, place.name);
        std::string& known = m_found.buffers[std::size_t(value.buffer)].type;
        if (known.empty() || known == "void")
            known = type;
    }
    if (!m_counting && !place.scope->isElement)
        value = named(place.name, std::move(value));
    value.type = type;
    stored = std::move(value);
}

HostPlace HostReader::find(const std::string& name) const
{
    for (HostScope* scope = m_scope; scope; scope = scope->outer) {
        if (const auto found = scope->values.find(name); found != scope->values.end())
            return found->second.isAlias ? found->second.target : HostPlace { .scope = scope, .name = name };
    }
    return {};
}

std::string HostReader::resolvedType(const std::string& name) const
{
    for (HostScope* scope = m_scope; scope; scope = scope->outer) {
        if (const auto found = scope->types.find(name); found != scope->types.end())
            return found->second;
    }
    return name;
}

} // namespace coalescope::kernels
