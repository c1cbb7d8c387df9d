// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <utility>

namespace coalescope::kernels {
namespace {

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
    const PlainType* plain = plainType(name);
    return plain && plain->elements == 1 && (plain->element[0] == 'i' || plain->element[0] == 'u');
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
        HostValue value = initialValue(type, at, last);
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
HostValue HostReader::initialValue(const HostType& type, std::size_t& at, std::size_t last)
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
        return valueOfType(type, std::move(arguments));
    }
    if (isArray)
        return array;
    return valueOfType(type, {});
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
            if (value.buffer >= 0) {
                m_bufferDepths[std::size_t(value.buffer)] = m_depth + 1; // called as what will hold it
                if (first.kind == HostKind::List)
                    m_found.buffers[std::size_t(value.buffer)].fill = BufferFill::Copied;
            }
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
        first = HostValue(first.items[0]);
    if (!first.isNumber())
        return !arguments.empty()                            ? first
            : type.name == "float" || type.name == "double" ? HostValue::of(Symbolic::ofReal(0))
            : isIntegerType(type.name)                      ? HostValue::of(Symbolic::ofInteger(0))
                                                            : HostValue {};
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
