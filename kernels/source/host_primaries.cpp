// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr auto kNamedCasts = std::to_array<std::string_view>({ "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast" });

/// What a GPU tells of itself, as the H200 does.
constexpr auto kProperties = std::to_array<std::pair<std::string_view, int>>({ { "multiProcessorCount", 132 }, { "maxThreadsPerBlock", 1024 },
    { "warpSize", 32 }, { "maxThreadsPerMultiProcessor", 2048 }, { "sharedMemPerBlock", 49152 }, { "regsPerBlock", 65536 } });

bool isOperand(const Token& token)
{
    return token.kind != TokenKind::Mark || token.is("(") || token.is("&") || token.is("*") || token.is("-") || token.is("!") || token.is("~")
        || token.is("::");
}

/// "B::c" of "A::B::c".
std::string lastTwo(const std::string& name)
{
    const auto last = name.rfind("::");
    const auto before = last == name.npos || last == 0 ? name.npos : name.rfind("::", last - 1);
    return before == name.npos ? name : name.substr(before + 2);
}

} // namespace

/// (T)x. Where it is none, m_at stays at the bracket.
HostValue HostReader::cast()
{
    const std::size_t open = m_at;
    std::size_t at = open + 1;
    const auto type = typeAt(at, m_end);
    const bool isCast = type && at + 1 < m_end && token(at).is(")") && isOperand(token(at + 1))
        && (type->pointers > 0 || bytesOfType(type->name) > 0 || type->name == "void" || m_program.classNamed(type->name))
        && find(type->name).name.empty();
    if (!isCast)
        return {};
    m_at = at + 1;
    HostValue value = unary();
    if (value.kind == HostKind::Reference || value.kind == HostKind::Kernel || value.kind == HostKind::Unknown)
        return value; // (void**)&p
    return valueOfType(*type, { std::move(value) });
}

HostValue HostReader::primary()
{
    if (m_at >= m_end)
        return {};
    const Token& first = token(m_at);
    if (first.kind == TokenKind::Number) {
        ++m_at;
        HostValue number = HostValue::of(literal(first.text));
        number.type = !number.number.isReal ? "int" : first.text.ends_with('f') || first.text.ends_with('F') ? "float" : "double";
        return number;
    }
    if (first.isWord() || first.is("::"))
        return word();
    if (first.is("[") && first.kind == TokenKind::Mark)
        return lambda();
    if (first.is("(") || first.is("{")) {
        const std::size_t close = std::min(behindBracket(m_program.tokens(), m_at), m_end);
        const Range inside { m_at + 1, close - 1 };
        m_at = close;
        if (first.is("("))
            return evaluate(inside);
        HostValue value { .kind = HostKind::List, .isBraced = true };
        value.items = list(inside);
        value.number = Symbolic::ofInteger(std::int64_t(value.items.size()));
        return value;
    }
    ++m_at;
    return {};
}

HostValue HostReader::word()
{
    m_at += is("::") ? 1 : 0;
    if (m_at >= m_end || !token(m_at).isWord())
        return {};
    const std::string_view keyword = token(m_at).text;
    if (keyword == "sizeof" || keyword == "alignof")
        return sizeOf();
    if (keyword == "new")
        return newExpression();
    if (keyword == "this") {
        ++m_at;
        return thisObject();
    }
    if (std::ranges::find(kNamedCasts, keyword) != kNamedCasts.end() && m_at + 1 < m_end && token(m_at + 1).is("<")) {
        std::size_t at = m_at + 2;
        const auto type = typeAt(at, m_end);
        while (at < m_end && !token(at).is("("))
            ++at;
        m_at = at;
        HostValue value = primary(); // in its brackets
        return type && value.kind != HostKind::Reference && value.kind != HostKind::Kernel ? valueOfType(*type, { std::move(value) }) : value;
    }
    if (keyword == "unsigned" || keyword == "signed" || keyword == "long" || keyword == "short") { // unsigned(x), unsigned long long(x)
        std::size_t at = m_at;
        const auto type = typeAt(at, m_end);
        m_at = std::max(at, m_at + 1);
        if (!type || (!is("(") && !is("{")))
            return {};
        const std::size_t close = std::min(behindBracket(m_program.tokens(), m_at), m_end);
        std::vector<HostValue> arguments = list({ m_at + 1, close - 1 });
        m_at = close;
        return valueOfType(*type, std::move(arguments));
    }
    std::string name(keyword), full(keyword), owner;
    const std::size_t first = m_at++;
    std::vector<std::string> ofTemplate, ofOwner;
    for (;;) {
        if (is("<")) {
            const std::size_t end = behindAngle(m_program.tokens(), m_at);
            const bool names = end > m_at && end <= m_end
                && (end == m_end || token(end).is("(") || token(end).is("<<<") || token(end).is("::") || token(end).is("{") || token(end).is(")")
                    || token(end).is(",") || token(end).is(";"));
            if (!names || !find(name).name.empty())
                break;
            ofTemplate = templateArguments(m_at);
        } else if (is("::") && m_at + 1 < m_end && token(m_at + 1).isWord()) {
            owner = std::exchange(name, token(m_at + 1).text);
            full += "::" + name;
            ofOwner = std::exchange(ofTemplate, {});
            m_at += 2;
        } else {
            break;
        }
    }
    if (is("(") || (is("{") && (m_program.classNamed(name) || resolvedType(name) != name || name == "dim3" || name == "vector"))) {
        const std::size_t close = std::min(behindBracket(m_program.tokens(), m_at), m_end);
        std::vector<HostValue> arguments = list({ m_at + 1, close - 1 });
        m_at = close;
        const bool isLibrarys = full.starts_with("std::") || full.starts_with("thrust::") || full.starts_with("cub::");
        return isLibrarys ? callLibrary(name, std::move(arguments), ofTemplate, first) : callNamed(name, std::move(arguments), ofTemplate, first);
    }
    if (name == "true" || name == "false")
        return HostValue::of(Symbolic::ofInteger(name == "true"));
    if (name == "nullptr" || name == "NULL") {
        HostValue null { .kind = HostKind::Pointer };
        null.type = "null";
        return null;
    }
    if (name == "cudaSuccess" || name == "CUDA_SUCCESS" || name == "EXIT_SUCCESS")
        return HostValue::of(Symbolic::ofInteger(0));
    if (const HostPlace place = find(lastTwo(full)); full != name && !place.name.empty()) // Mode::Fast
        return at(place);
    if (const HostClass* type = owner.empty() ? nullptr : m_program.classNamed(resolvedType(owner))) { // Shape<4>::kBlock
        const HostScope* scope = newObjectScope(*type, ofOwner);
        if (const auto held = scope->values.find(name); held != scope->values.end())
            return held->second;
    }
    if (HostPlace place = find(name); !place.name.empty()) {
        HostValue value = at(place);
        value.place = std::move(place);
        return value;
    }
    if (const auto constant = m_program.text().constant(name))
        return named(name, evaluate({ constant->first, constant->second }), true);
    if (m_program.isKernel(name)) {
        HostValue kernel { .kind = HostKind::Kernel };
        std::string arguments;
        for (const std::string& argument : ofTemplate)
            arguments += (arguments.empty() ? "" : ",") + argument;
        kernel.type = full + (arguments.empty() ? "" : "<" + arguments + ">");
        return kernel;
    }
    HostValue function { .kind = HostKind::Function };
    function.function = m_program.function(name, 0);
    return function.function ? function : HostValue {};
}

HostValue HostReader::sizeOf()
{
    ++m_at;
    if (!is("(")) {
        const HostValue value = unary();
        return HostValue::of(Symbolic::ofInteger(std::max(1, bytesOfType(value.type))));
    }
    const std::size_t close = std::min(behindBracket(m_program.tokens(), m_at), m_end);
    std::size_t at = m_at + 1;
    const Range inside { m_at + 1, close - 1 };
    m_at = close;
    const auto type = typeAt(at, close - 1);
    if (type && at == close - 1 && find(type->name).name.empty()) {
        if (type->pointers > 0)
            return HostValue::of(Symbolic::ofInteger(8));
        if (const int bytes = bytesOfType(type->name))
            return HostValue::of(Symbolic::ofInteger(bytes));
        if (const HostClass* known = m_program.classNamed(type->name)) {
            std::int64_t bytes = 0, alignment = 1;
            for (const HostParameter& field : known->members) {
                std::size_t place = field.typeFirst;
                const auto ofField = typeAt(place, m_program.tokens().size());
                const int size = ofField && ofField->pointers == 0 ? std::max(1, bytesOfType(ofField->name)) : 8;
                alignment = std::max<std::int64_t>(alignment, std::min(size, 8));
                bytes = (bytes + std::min(size, 8) - 1) / std::min(size, 8) * std::min(size, 8) + size;
            }
            return HostValue::of(Symbolic::ofInteger((bytes + alignment - 1) / alignment * alignment));
        }
        return {};
    }
    ++m_muted;
    const HostValue value = evaluate(inside);
    --m_muted;
    const int bytes = bytesOfType(value.type);
    if (value.kind == HostKind::List && bytes > 0)
        return HostValue::of(applied("*", value.number, Symbolic::ofInteger(bytes)));
    return bytes > 0 ? HostValue::of(Symbolic::ofInteger(bytes)) : HostValue {};
}

HostValue HostReader::newExpression()
{
    ++m_at;
    std::size_t at = m_at;
    const auto type = typeAt(at, m_end);
    m_at = std::max(at, m_at);
    std::vector<HostValue> arguments;
    bool isArray = false;
    while (is("(") || is("[") || is("{")) {
        isArray = isArray || is("[");
        const std::size_t close = std::min(behindBracket(m_program.tokens(), m_at), m_end);
        arguments = list({ m_at + 1, close - 1 });
        m_at = close;
    }
    if (type && !isArray)
        if (const HostClass* known = m_program.classNamed(type->name))
            return construct(*known, std::move(arguments), type->arguments);
    HostValue pointer { .kind = HostKind::Pointer };
    pointer.type = type ? type->name : "";
    return pointer;
}

HostValue HostReader::lambda()
{
    const std::vector<Token>& all = m_program.tokens();
    const std::size_t first = m_at;
    std::size_t at = behindBracket(all, m_at);
    HostFunction function;
    if (at < m_end && token(at).is("(")) {
        const std::size_t close = behindBracket(all, at);
        function.parameters = m_program.parametersIn(at + 1, close - 1);
        at = close;
    }
    while (at < m_end && !token(at).is("{") && !token(at).is(",") && !token(at).is(")") && !token(at).is(";"))
        ++at;
    if (at >= m_end || !token(at).is("{")) {
        m_at = std::max(at, first + 1);
        return {};
    }
    function.bodyFirst = at + 1;
    m_at = std::min(behindBracket(all, at), m_end);
    function.bodyLast = m_at - 1;
    const HostFunction*& known = m_lambdas[first];
    if (!known)
        known = m_program.keep(std::move(function));
    HostValue value { .kind = HostKind::Function };
    value.function = known;
    value.scope = m_scope;
    return value;
}

HostValue HostReader::member(HostValue object)
{
    m_at += is("template") ? 1 : 0;
    if (m_at >= m_end || !token(m_at).isWord())
        return {};
    const std::string name(token(m_at++).text);
    if (object.kind == HostKind::Reference)
        object = at(object.target);
    if (object.kind == HostKind::Pointer && object.scope)
        object.kind = HostKind::Object;
    std::vector<std::string> ofTemplate;
    if (is("<")) {
        const std::size_t end = behindAngle(m_program.tokens(), m_at);
        if (end > m_at && end < m_end && token(end).is("("))
            ofTemplate = templateArguments(m_at);
    }
    if (is("(")) {
        const std::size_t close = std::min(behindBracket(m_program.tokens(), m_at), m_end);
        std::vector<HostValue> arguments = list({ m_at + 1, close - 1 });
        m_at = close;
        return callMember(object, name, std::move(arguments), ofTemplate);
    }
    if (object.kind == HostKind::Dim3 && name.size() == 1 && name[0] >= 'x' && name[0] <= 'z') {
        HostValue value = HostValue::of(object.dims[std::size_t(name[0] - 'x')]);
        value.place = object.place;
        value.place.component = name[0] - 'x';
        return value;
    }
    if (object.kind == HostKind::Object && object.scope) {
        HostValue value;
        if (const auto found = object.scope->values.find(name); found != object.scope->values.end())
            value = found->second;
        value.place = { .scope = object.scope, .name = name };
        return value;
    }
    const auto property = std::ranges::find(kProperties, name, [](const auto& row) { return row.first; });
    if (property != kProperties.end())
        return named(name, HostValue::of(Symbolic::ofInteger(property->second)));
    return {};
}

HostValue HostReader::item(HostValue object, const HostValue& index)
{
    if (object.kind == HostKind::Pointer)
        return elementOf(object);
    if (object.kind != HostKind::List)
        return {};
    if (object.buffer >= 0) // thrust::device_vector
        return elementOf(object);
    const std::size_t at = index.isNumber() && index.number.asInteger() >= 0 ? std::size_t(index.number.asInteger()) : 0;
    HostValue value;
    if (at < object.items.size())
        value = object.items[at];
    else
        value.type = object.type;
    value.place = object.place;
    value.place.component = int(at);
    return value;
}

HostValue HostReader::launchBehind(const HostValue& kernel)
{
    const std::size_t first = m_at + 1;
    std::size_t at = first;
    const auto closes = [&] {
        return at + 3 < m_end && token(at).is(">") && token(at + 1).is(">") && token(at + 2).is(">") && isAdjacent(at, 3) && token(at + 3).is("(");
    };
    while (at < m_end && !closes())
        at = token(at).is("(") || token(at).is("[") || token(at).is("{") ? behindBracket(m_program.tokens(), at) : at + 1;
    if (at >= m_end) {
        m_at = m_end;
        return {};
    }
    const std::size_t close = std::min(behindBracket(m_program.tokens(), at + 3), m_end);
    std::vector<HostValue> shape = list({ first, at });
    const std::vector<HostValue> arguments = list({ at + 4, close - 1 });
    m_at = close;
    shape.resize(std::max<std::size_t>(shape.size(), 2));
    launch(kernel, shape[0], shape[1], shape.size() > 2 ? shape[2] : HostValue::of(Symbolic::ofInteger(0)), arguments, first);
    return {};
}

/// In < and >, resolved. `at` moves behind them.
std::vector<std::string> HostReader::templateArguments(std::size_t& at)
{
    const std::size_t end = behindAngle(m_program.tokens(), at);
    std::vector<std::string> arguments;
    for (const Range& part : parts({ at + 1, end - 1 })) {
        std::string text;
        bool isType = true;
        for (std::size_t i = part.first; i < part.last; ++i) {
            std::string word(token(i).text);
            if (token(i).isWord()) {
                const std::string type = resolvedType(word);
                const HostPlace place = find(word);
                isType = isType && (place.name.empty() || this->at(place).isEnumerator) && !m_program.text().constant(word);
                word = type;
            } else if (!token(i).is("::") && !token(i).is("<") && !token(i).is(">") && !token(i).is(",") && !token(i).is("*") && !token(i).is("&")) {
                isType = false;
            }
            const bool parted = !text.empty() && token(i).isWord() && token(i - 1).isWord() && i > part.first;
            text += (parted ? " " : "") + word;
        }
        if (!isType) {
            const HostValue value = evaluate(part);
            if (value.isNumber() && value.number.parameters.size() == 1 && value.number.text() == value.number.parameters[0])
                text = "{" + value.number.text() + "}";
            else if (value.isNumber())
                text = std::to_string(value.number.asInteger());
        }
        arguments.push_back(text);
    }
    at = end;
    return arguments;
}

} // namespace coalescope::kernels
