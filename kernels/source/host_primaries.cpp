// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <utility>

namespace coalescope::kernels {
namespace {

bool isOperand(const Token& token)
{
    return token.kind != TokenKind::Mark || token.is("(") || token.is("&") || token.is("*") || token.is("-") || token.is("!") || token.is("~")
        || token.is("::");
}

/// What 'x' is worth; nothing for other texts.
std::optional<int> characterOf(std::string_view text)
{
    if (!text.starts_with('\'') || text.size() < 3)
        return std::nullopt;
    if (text[1] != '\\')
        return static_cast<unsigned char>(text[1]);
    int octal = 0;
    if (std::from_chars(text.data() + 2, text.data() + text.size() - 1, octal, 8).ec == std::errc())
        return octal;
    constexpr std::string_view kNames = "ntr", kWorth = "\n\t\r";
    const auto named = kNames.find(text[2]);
    return named == kNames.npos ? text[2] : kWorth[named];
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
    if (const std::optional<int> character = first.kind == TokenKind::Text ? characterOf(first.text) : std::nullopt) {
        ++m_at;
        return HostValue::of(Symbolic::ofInteger(*character));
    }
    if (first.kind == TokenKind::Text) {
        HostValue text;
        text.key = token(m_at++).text;
        return text;
    }
    if (first.isWord() || first.is("::"))
        return word();
    if (first.is("[") && first.kind == TokenKind::Mark)
        return lambda();
    if (first.is("(") || first.is("{")) {
        const Range inside = inBrackets(m_at, m_end);
        if (first.is("("))
            return evaluate(inside);
        return HostValue::inBraces(list(inside));
    }
    ++m_at;
    return {};
}

/// static_cast<T>(x) and its kin.
HostValue HostReader::namedCast()
{
    const bool isDynamic = is("dynamic_cast");
    std::size_t at = m_at + 2;
    const auto type = typeAt(at, m_end);
    while (at < m_end && !token(at).is("("))
        ++at;
    m_at = at;
    HostValue value = primary(); // in its brackets
    if (isDynamic && type && value.kind == HostKind::Object && !m_program.derives(value.type, type->name)) {
        value = { .kind = HostKind::Pointer };
        value.type = "null";
        return value;
    }
    return type && value.kind != HostKind::Reference && value.kind != HostKind::Kernel ? valueOfType(*type, { std::move(value) }) : value;
}

/// unsigned(x), unsigned long long(x)
HostValue HostReader::integerCast()
{
    std::size_t at = m_at;
    const auto type = typeAt(at, m_end);
    m_at = std::max(at, m_at + 1);
    if (!type || (!is("(") && !is("{")))
        return {};
    return valueOfType(*type, list(inBrackets(m_at, m_end)));
}

HostValue HostReader::sizeOf()
{
    ++m_at;
    const auto ofValue = [&](const HostValue& value) {
        const bool isPointer = value.kind == HostKind::Pointer || value.kind == HostKind::Reference;
        const std::int64_t bytes = isPointer ? 8 : bytesOf(typeOfText(value.type));
        if (value.kind == HostKind::List && bytes > 0)
            return HostValue::of(applied("*", value.number, Symbolic::ofInteger(bytes)));
        return bytes > 0 ? HostValue::of(Symbolic::ofInteger(bytes)) : HostValue {};
    };
    if (!is("(")) {
        ++m_muted;
        const HostValue value = unary();
        --m_muted;
        return ofValue(value);
    }
    const Range inside = inBrackets(m_at, m_end);
    std::size_t at = inside.first;
    const auto type = typeAt(at, inside.last);
    if (type && at == inside.last && find(type->name).name.empty()) {
        const std::int64_t bytes = bytesOf(*type);
        return bytes > 0 ? HostValue::of(Symbolic::ofInteger(bytes)) : HostValue {};
    }
    ++m_muted;
    const HostValue value = evaluate(inside);
    --m_muted;
    return ofValue(value);
}

/// 0: not known.
std::int64_t HostReader::bytesOf(const HostType& type) { return layoutOf(type, 0).bytes; }

namespace {

/// Of a type that bytesOfType() knows. Source: CUDA C++ Programming Guide, "Built-in Vector Types".
std::int64_t alignmentOf(std::string_view type, std::int64_t bytes)
{
    const PlainType* const plain = plainType(type);
    const std::int64_t elements = plain != nullptr ? plain->elements : 1;
    return elements == 3 ? bytes / 3 : std::min<std::int64_t>(bytes, elements == 1 ? 8 : 16);
}

} // namespace

HostReader::Layout HostReader::layoutOf(const HostType& type, int depth)
{
    if (type.pointers > 0)
        return { 8, 8 };
    const HostClass* known = m_program.classNamed(type.name);
    if (const int plain = bytesOfType(type.name); plain > 0)
        return { plain, alignmentOf(type.name, plain) };
    if (!known || depth > kDeepestCall)
        return {};
    const auto upTo = [](std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; };
    std::int64_t bits = known->virtuals.empty() ? 0 : 64, alignment = std::max<std::int64_t>(1, bits / 8);
    for (const HostParameter& field : known->members) {
        const auto of = typeOf(field);
        Layout own = of ? layoutOf(*of, depth + 1) : Layout { 8, 8 };
        if (own.bytes == 0)
            own = { 1, 1 };
        alignment = std::max(alignment, own.alignment);
        if (field.bits == 0)
            bits = upTo(bits, 8 * own.alignment) + 8 * own.bytes * (of ? itemsOf(*of, field) : 1);
        else // in what is left of a unit of its type, or in the next. Source: Itanium C++ ABI, 2.4 II.1 (b)
            bits = (bits % (8 * own.bytes) + field.bits > 8 * own.bytes ? upTo(bits, 8 * own.bytes) : bits) + field.bits;
    }
    return { upTo(upTo(bits, 8) / 8, alignment), alignment };
}

/// Of a member that is an array; 1 where it is none, or how large it is is not known.
std::int64_t HostReader::itemsOf(const HostType& type, const HostParameter& member)
{
    std::size_t at = member.extents;
    ++m_muted;
    const auto array = at > 0 ? emptyArray(type, at, m_program.tokens().size()) : std::nullopt;
    --m_muted;
    return array ? std::clamp<std::int64_t>(array->number.asInteger(), 1, std::int64_t(1) << 32) : 1;
}

HostValue HostReader::newExpression()
{
    ++m_at;
    std::size_t at = m_at;
    const auto type = typeAt(at, m_end);
    m_at = std::max(at, m_at);
    std::vector<HostValue> arguments;
    bool isArray = false;
    std::size_t open = 0;
    while (is("(") || is("[") || is("{")) {
        isArray = isArray || is("[");
        open = m_at;
        arguments = list(inBrackets(m_at, m_end));
    }
    m_open = open;
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
    const bool isOfDevice = at < m_end && (token(at).is("__device__") || (token(at).is("__host__") && token(at + 1).is("__device__")));
    while (at < m_end && (token(at).is("__device__") || token(at).is("__host__")))
        ++at;
    if (at < m_end && token(at).is("<")) { // []<class T, int... Ns>
        const std::size_t close = std::max(behindAngle(all, at, AngleIn::Declaration), at + 2);
        function.ofTemplate = m_program.parametersIn(at + 1, close - 1);
        at = close;
    }
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
    if (isOfDevice)
        function.deviceLambda = textOf({ first, at }) + " of line " + std::to_string(m_program.text().lineOf(token(first)));
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

/// As it could be written.
std::string HostReader::textOf(Range code) const
{
    std::string text;
    for (std::size_t i = code.first; i < code.last; ++i) {
        const bool isParted = i > code.first && (token(i - 1).is(",") || (token(i).isWord() && !token(i - 1).opens() && !token(i - 1).is("::") && !token(i - 1).is("&")));
        text += (isParted ? " " : "") + std::string(token(i).text);
    }
    return text;
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
        const std::size_t open = m_at;
        std::vector<HostValue> arguments = list(inBrackets(m_at, m_end));
        m_open = open;
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
        guessWhereUnknown(value, { .scope = object.scope, .name = name });
        value.place = { .scope = object.scope, .name = name };
        return value;
    }
    if (object.kind == HostKind::List && object.items.size() == 2 && (name == "first" || name == "second")) // a pair
        return object.items[name == "first" ? 0 : 1];
    if (const auto property = std::ranges::find(kProperties, name, &DeviceProperty::name); property != kProperties.end())
        return named(name, HostValue::of(Symbolic::ofInteger(property->value)));
    static constexpr std::array<std::string_view, 4> kOfImages { "cols", "rows", "width", "height" };
    const bool isOfAnImage = object.kind == HostKind::Unknown && !object.place.name.empty() && std::ranges::find(kOfImages, name) != kOfImages.end();
    if (isOfAnImage && !m_muted) // cv::Mat and others' of libraries
        return guessed(object.place.name + "_" + name, kGuessedSide);
    if (object.kind != HostKind::Unknown || object.place.name.empty() || m_muted)
        return {};
    // Of a type that is not known, as of a header that is not there: guessed where a launch's shape needs it, and the same from there on.
    const std::string ofBoth = object.place.name + "_" + name;
    const auto known = m_guessedMembers.find(ofBoth);
    if (known == m_guessedMembers.end() && !m_isGuessing)
        return {};
    if (known == m_guessedMembers.end())
        m_guessedMembers.emplace(ofBoth, m_guessesThreads ? kGuessedThreads : kGuessedCount);
    return guessed(ofBoth, m_guessedMembers.at(ofBoth));
}

HostValue HostReader::item(HostValue object, const HostValue& index)
{
    if (object.kind == HostKind::Pointer)
        return elementOf(object);
    if (object.kind != HostKind::List)
        return {};
    if (object.isMap)
        return itemOfMap(object, index);
    if (object.buffer >= 0) // thrust::device_vector
        return elementOf(object);
    const std::size_t at = index.isNumber() && index.number.asInteger() >= 0 ? std::size_t(index.number.asInteger()) : 0;
    HostValue value;
    if (at < object.items.size())
        value = object.items[at];
    else if (index.isNumber() && isStructure(object.type) && growTo(object.place, at + 1))
        value = object.place.scope->values[object.place.name].items[at];
    else
        value.type = object.type;
    value.place = object.place;
    value.place.component = int(at);
    return value;
}

bool HostReader::isStructure(const std::string& type) const { return m_program.classNamed(type) || !componentOf(type).empty(); }

/// So many objects of its class, whose members can be given values. False where it is no list of a variable's.
bool HostReader::growTo(const HostPlace& list, std::size_t count)
{
    if (m_muted || !list.scope || list.component >= 0 || count > kMostItems)
        return false;
    const auto found = list.scope->values.find(list.name);
    if (found == list.scope->values.end() || found->second.kind != HostKind::List)
        return false;
    HostValue& stored = found->second;
    for (const std::string type = stored.type; stored.items.size() < count;) {
        HostValue made = m_program.classNamed(type) ? valueOfType({ .name = type }, {}) : vectorOfComponents(type, {});
        if (made.scope)
            made.scope->isElement = true;
        list.scope->values[list.name].items.push_back(std::move(made));
    }
    return true;
}

/// Where the shape of a launch ends whose first token this is: at its >>>; m_end where there is none.
std::size_t HostReader::shapeEnd(std::size_t at) const
{
    const auto closes = [&] {
        return at + 3 < m_end && token(at).is(">") && token(at + 1).is(">") && token(at + 2).is(">") && isAdjacent(at, 3) && token(at + 3).is("(");
    };
    while (at < m_end && !closes())
        at = token(at).opens() ? behindBracket(m_program.tokens(), at) : at + 1;
    return at;
}

HostValue HostReader::launchBehind(const HostValue& kernel)
{
    const std::size_t first = m_at + 1;
    const std::size_t at = shapeEnd(first);
    if (at >= m_end) {
        m_at = m_end;
        return {};
    }
    const std::size_t close = std::min(behindBracket(m_program.tokens(), at + 3), m_end);
    std::vector<HostValue> shape = list({ first, at });
    for (std::size_t i = 0; i < shape.size(); ++i) {
        m_guessesThreads = i == 1;
        shape[i] = asNumber(std::move(shape[i]));
    }
    m_guessesThreads = false;
    if (std::ranges::any_of(shape | std::views::take(2), [](const HostValue& part) { return part.kind == HostKind::Unknown; })) {
        const bool outer = std::exchange(m_isGuessing, true);
        m_guessesThreads = true;
        if (const std::vector<Range> written = parts({ first, at }); written.size() > 1)
            evaluate(written[1]); // what it is made of may be in the grid, too
        m_guessesThreads = false;
        shape = list({ first, at });
        m_isGuessing = outer;
    }
    std::vector<HostValue> arguments = list({ at + 4, close - 1 });
    asNumbers(arguments);
    m_at = close;
    shape.resize(std::max<std::size_t>(shape.size(), 2));
    launch(kernel, shape[0], shape[1], shape.size() > 2 ? shape[2] : HostValue::of(Symbolic::ofInteger(0)), arguments, first - 1);
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
