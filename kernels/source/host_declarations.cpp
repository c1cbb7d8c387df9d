// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace coalescope::kernels {

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
    if (!isOneOf(token(at + 1).text, kNext))
        return false;
    // `a * b;` of two variables multiplies; so rare a statement that it need not be looked for.
    return find(type->name).name.empty() || type->pointers == 0;
}

std::size_t HostReader::declaration(std::size_t at, std::size_t last, bool isOfLoop)
{
    const auto base = typeAt(at, last);
    if (!base)
        return behindStatement(at, last);
    if (at < last && token(at).is("[")) { // auto [a, b] = ...
        const std::size_t end = behindStatement(at, last), close = std::min(behindBracket(m_program.tokens(), at), end);
        if (close < end && token(close).is("="))
            bindParts({ at, close }, evaluate({ close + 1, end - 1 }));
        return end;
    }
    return declarators(*base, at, last, isOfLoop);
}

/// `a = 1, *b(2), c[3];` behind their type.
std::size_t HostReader::declarators(HostType type, std::size_t at, std::size_t last, bool isOfLoop)
{
    while (at < last && token(at).isWord()) {
        const std::string name(token(at++).text);
        const std::size_t behindName = at;
        HostValue value = initialValue(type, at, last);
        if (type.name == "dim3" && value.kind == HostKind::Unknown && !m_muted) {
            const bool outer = std::exchange(m_isGuessing, true);
            const bool isBlock = name.find("hread") != name.npos || (name.find("lock") != name.npos && !name.ends_with('s'));
            const bool guessesThreads = std::exchange(m_guessesThreads, isBlock);
            value = initialValue(type, at = behindName, last);
            m_isGuessing = outer;
            m_guessesThreads = guessesThreads;
        }
        if (type.isReference && !value.place.name.empty() && value.kind != HostKind::Object) {
            m_scope->values[name] = HostValue::aliasOf(value.place);
        } else if (!m_muted) {
            value.place = {};
            nameBuffers(value, name);
            nameMembers(value);
            if (value.type.empty() && !type.isAuto())
                value.type = type.name;
            if (value.kind == HostKind::Unknown && behindName < at && token(behindName).is("="))
                std::tie(value.madeFirst, value.madeLast) = std::pair(behindName + 1, at);
            m_scope->values[name] = isOfLoop ? std::move(value) : named(name, std::move(value));
        }
        if (at >= last || !token(at).is(","))
            break;
        type.pointers = 0;
        for (++at; at < last && !token(at).isWord(); ++at)
            type.pointers += token(at).is("*");
        if (at < last && isTypeQualifier(token(at)))
            ++at;
    }
    while (at < last && !token(at).is(";"))
        ++at;
    return std::min(at + 1, last);
}

/// What a variable is declared with; `at` stands behind its name and moves on to , or ;
HostValue HostReader::initialValue(const HostType& type, std::size_t& at, std::size_t last)
{
    const std::optional<HostValue> array = emptyArray(type, at, last);
    if (at < last && token(at).is("=")) {
        const std::size_t first = ++at;
        at = behindValue(at, last);
        HostValue value = evaluate({ first, std::min(at, last) });
        if (type.isAuto() && !type.isReference)
            value = asNumber(std::move(value));
        if (array)
            return arrayOf(type, *array, std::move(value.items));
        if (value.kind == HostKind::Kernel || value.kind == HostKind::Function || type.isAuto())
            return value;
        const HostPlace place = value.place;
        m_open = 0;
        value = valueOfType(type, { std::move(value) });
        value.place = place;
        return value;
    }
    std::vector<HostValue> arguments;
    if (at < last && (token(at).is("(") || token(at).is("{"))) {
        const bool isList = token(at).is("{");
        const std::size_t open = at;
        arguments = list(inBrackets(at, last));
        m_open = open;
        if (array)
            return arrayOf(type, *array, std::move(arguments));
        if (isList && (type.name == "vector" || type.name == "array" || m_program.classNamed(type.name)))
            return valueOfType(type, { HostValue::inBraces(std::move(arguments)) });
    }
    return array ? *array : valueOfType(type, std::move(arguments));
}

/// Of as many items as stand in the [ ] at `at`, which moves behind them; nothing where there are none.
std::optional<HostValue> HostReader::emptyArray(const HostType& type, std::size_t& at, std::size_t last)
{
    if (at >= last || !token(at).is("["))
        return std::nullopt;
    HostValue array { .kind = HostKind::List };
    array.type = type.withPointers();
    array.number = Symbolic::ofInteger(1);
    while (at < last && token(at).is("[")) {
        const HostValue count = evaluate(inBrackets(at, last));
        array.number = applied("*", array.number, count.isNumber() ? count.number : Symbolic::ofInteger(0));
    }
    return array;
}

/// The index behind a value that , or ; ends.
std::size_t HostReader::behindValue(std::size_t at, std::size_t last) const
{
    while (at < last && !token(at).is(",") && !token(at).is(";")) {
        if (token(at).opens())
            at = std::min(behindBracket(m_program.tokens(), at), last);
        else if (const std::size_t behind = token(at).is("<") ? behindAngle(m_program.tokens(), at) : at; behind > at && behind < last
            && (token(behind).is("(") || token(behind).is("<<<") || token(behind).is("{") || m_program.isKernel(token(at - 1).text)))
            at = behind;
        else
            ++at;
    }
    return at;
}

/// An array of as many items as it is declared with, or else as there are.
HostValue HostReader::arrayOf(const HostType& type, HostValue array, std::vector<HostValue> items)
{
    array.items = std::move(items);
    array.rest = 0;
    if (array.number.isConstant() && array.number.integer == 0)
        array.number = Symbolic::ofInteger(std::int64_t(array.items.size()));
    if (const HostClass* known = m_program.classNamed(type.name))
        for (HostValue& item : array.items)
            item = ofInitialList(*known, std::move(item), type.arguments);
    return array;
}

} // namespace coalescope::kernels
