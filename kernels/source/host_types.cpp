// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include "kernels/compile/diagnostics.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr auto kQualifiers = std::to_array<std::string_view>({ "const", "static", "constexpr", "volatile", "inline", "register", "extern",
    "typename", "struct", "class", "enum", "mutable", "thread_local", "__restrict__", "__restrict", "virtual", "explicit", "friend", "alignas" });

constexpr auto kNoTypes = std::to_array<std::string_view>({ "return", "new", "delete", "throw", "else", "goto", "case", "default", "using",
    "operator", "sizeof", "this", "true", "false", "nullptr", "template", "if", "for", "while", "do", "switch", "try", "catch" });

constexpr auto kIntegerWords = std::to_array<std::string_view>({ "unsigned", "signed", "long", "short", "int", "char" });

constexpr auto kVectors = std::to_array<std::string_view>({ "vector", "array", "host_vector", "device_vector", "universal_vector" });
constexpr auto kVectorsOfTheGpu = std::to_array<std::string_view>({ "device_vector", "universal_vector" });

/// PyTorch's types that sums are made in, and of what they are others.
constexpr auto kOfSums = std::to_array<std::string_view>({ "opmath_type", "acc_type", "acc_type_device" });
constexpr auto kShortReals = std::to_array<std::string_view>({ "Half", "BFloat16" });

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

bool isFraction(std::string_view name) { return name == "float" || name == "double"; }

/// As a variable of the type holds it, which nothing or `value` was given.
HostValue numberOfType(const HostType& type, HostValue value, bool isGiven)
{
    if (value.kind == HostKind::List && value.items.size() == 1) // int n { 3 }
        value = HostValue(value.items[0]);
    if (!isGiven && isFraction(type.name))
        return HostValue::of(Symbolic::ofReal(0));
    if (!isGiven && isIntegerType(type.name))
        return HostValue::of(Symbolic::ofInteger(0));
    if (!value.isNumber())
        return value;
    if (isFraction(type.name))
        value.number = asReal(value.number);
    else if (isIntegerType(type.name))
        value.number = asInteger(value.number);
    if (!type.isAuto())
        value.type = type.name;
    value.place = {};
    return value;
}

} // namespace

bool HostReader::isTypeQualifier(const Token& token)
{
    return isOneOf(token.text, kQualifiers);
}

/// The type at `at`, which moves behind it; nothing where none stands there.
std::optional<HostType> HostReader::typeAt(std::size_t& at, std::size_t last)
{
    HostType type;
    std::size_t i = at;
    for (; i < last && isTypeQualifier(token(i)); ++i)
        type.isConst = type.isConst || token(i).is("const") || token(i).is("constexpr");
    i += i < last && token(i).is("::") ? 1 : 0;
    if (i >= last || !token(i).isWord() || isOneOf(token(i).text, kNoTypes))
        return std::nullopt;
    const bool isRead = token(i).is("decltype") ? readDeducedType(type, i, last) : readIntegerType(type, i, last) || readNamedType(type, i, last);
    if (!isRead)
        return std::nullopt;
    for (; i < last; ++i) {
        if (token(i).is("*"))
            ++type.pointers;
        else if (token(i).is("&") || token(i).is("&&"))
            type.isReference = true;
        else if (!isTypeQualifier(token(i)))
            break;
    }
    at = i;
    return type;
}

/// `unsigned const long int`, and long double.
bool HostReader::readIntegerType(HostType& type, std::size_t& at, std::size_t last) const
{
    std::vector<std::string_view> words;
    while (at < last && (isOneOf(token(at).text, kIntegerWords) || (!words.empty() && isTypeQualifier(token(at)))))
        words.push_back(token(at++).text);
    if (words.empty())
        return false;
    const bool isLongDouble = words.size() == 1 && words[0] == "long" && at < last && token(at).is("double");
    type.name = type.full = isLongDouble ? "double" : integerNamed(words);
    at += isLongDouble ? 1 : 0;
    return true;
}

/// decltype(object), and what its class calls so. False for all else, and where nobody knows the object.
bool HostReader::readDeducedType(HostType& type, std::size_t& at, std::size_t last)
{
    if (at + 3 >= last || !token(at + 1).is("(") || !token(at + 2).isWord() || !token(at + 3).is(")"))
        return false;
    const HostValue value = evaluate({ at + 2, at + 3 });
    if (value.kind != HostKind::Object || value.type.empty())
        return false;
    type = pointerOfText(value.type);
    at += 4;
    if (at + 1 < last && token(at).is("::") && token(at + 1).isWord()) {
        auto own = typeWithin(type, token(at + 1).text);
        if (!own)
            return false;
        type = *std::move(own);
        at += 2;
    }
    return true;
}

/// std::vector<T>, and what an alias or a template's parameter stands for.
bool HostReader::readNamedType(HostType& type, std::size_t& at, std::size_t last)
{
    type.name = type.full = token(at++).text;
    for (; at + 1 < last && token(at).is("::") && token(at + 1).isWord(); at += 2) {
        if (auto own = typeWithin(typeOfText(resolvedType(type.name)), token(at + 1).text)) { // P::Real
            type = *std::move(own);
            continue;
        }
        type.name = token(at + 1).text;
        type.full += "::" + type.name;
    }
    if (at < last && token(at).is("<")) {
        const std::size_t end = behindAngle(m_program.tokens(), at, AngleIn::Declaration);
        if (end == at || end > last)
            return false;
        type.arguments = templateArguments(at);
        if (const auto alias = m_templateAliases.find(type.name); alias != m_templateAliases.end()) {
            type.name = alias->second;
            type.arguments.resize(1);
        }
        if (isOneOf(type.name, kOfSums) && !m_program.classNamed(type.name) && !type.arguments.empty()) { // at::opmath_type<T>
            const PlainType* const plain = plainType(baseName(type.arguments[0]));
            const bool isShort = isOneOf(baseName(type.arguments[0]), kShortReals) || (plain && plain->elements == 1 && plain->element.ends_with("f16"));
            type.name = type.full = isShort ? "float" : type.arguments[0];
            type.arguments.clear();
            return true;
        }
        if (type.name == "vector" && type.arguments.size() > 1 && allocatesForTheGpu(type.arguments[1]))
            type.name = kVectorsOfTheGpu.back();
    }
    if (at + 1 < last && token(at).is("::") && token(at + 1).isWord()) { // vector<T>::iterator, Traits<T>::Real
        at += 2;
        if (auto own = typeWithin(type, token(at - 1).text)) {
            type = *std::move(own);
            return true;
        }
    }
    if (const std::string resolved = resolvedType(type.name); resolved != type.name && type.arguments.empty()) {
        type = pointerOfText(resolved);
    }
    return true;
}

/// What a class of the program's calls so, where that is a name that it gives to a type.
std::optional<HostType> HostReader::typeWithin(const HostType& type, std::string_view name)
{
    const HostClass* of = m_program.classNamed(type.name);
    for (const auto& [special, range] : m_program.specializationsOf(type.name)) {
        std::string arguments;
        for (std::size_t i = range.first; i < range.last; ++i)
            arguments += token(i).text;
        of = arguments == templateList(type.arguments) ? special : of;
    }
    const auto isNamed = [&](const Declaration& alias) { return !alias.names.empty() && alias.names.back() == name; };
    if (!of || std::ranges::none_of(of->aliases, isNamed))
        return std::nullopt;
    const std::map<std::string, std::string, std::less<>>& known = newObjectScope(*of, type.arguments)->types;
    const auto found = known.find(name);
    if (found == known.end())
        return std::nullopt;
    return pointerOfText(found->second);
}

/// An allocator of the program's that asks CUDA for memory.
bool HostReader::allocatesForTheGpu(const std::string& allocator)
{
    const HostClass* type = m_program.classNamed(typeOfText(allocator).name);
    return type && std::ranges::any_of(type->functions, [&](const HostFunction* function) {
        for (std::size_t i = function->bodyFirst; i < function->bodyLast; ++i)
            if (token(i).text.starts_with("cudaMalloc") || token(i).is("cudaHostAlloc"))
                return true;
        return false;
    });
}

/// "Sum<float>", as template arguments are written down.
HostType HostReader::typeOfText(const std::string& text)
{
    HostType type { .name = text.substr(0, text.find('<')), .full = text, .arguments = templateArgumentsOf(text) };
    if (const auto scope = type.name.rfind("::"); scope != std::string::npos)
        type.name.erase(0, scope + 2);
    return type;
}

/// The same, perhaps with pointers to it: "Sum<float>*".
HostType HostReader::pointerOfText(const std::string& text)
{
    const std::size_t pointee = text.find_last_not_of('*') + 1;
    HostType type = typeOfText(text.substr(0, pointee));
    type.pointers = int(text.size() - pointee);
    return type;
}

std::optional<HostType> HostReader::typeOf(const HostParameter& parameter)
{
    std::size_t at = parameter.typeFirst;
    return typeAt(at, parameter.typeLast);
}

/// Unknown where it has none.
HostValue HostReader::defaultOf(const HostParameter& parameter)
{
    return evaluate({ parameter.valueFirst, parameter.valueLast });
}

/// A value of the type, made of what stands in the brackets behind it.
HostValue HostReader::valueOfType(const HostType& type, std::vector<HostValue> arguments)
{
    if (!type.isReference)
        asNumbers(arguments);
    const HostValue first = arguments.empty() ? HostValue {} : arguments.front();
    const bool isGiven = !arguments.empty();
    if (type.pointers > 0)
        return pointerOfType(type, first, isGiven);
    if (type.name == "dim3") {
        if (first.kind == HostKind::Dim3 || (first.kind == HostKind::Unknown && isGiven))
            return first;
        return dim3Of(first.kind == HostKind::List ? first.items : arguments);
    }
    const bool isOfLibrary = type.full.starts_with("std::") || type.full.starts_with("thrust::") || !m_program.classNamed(type.name); // it may be a class of the program's
    if (isOfLibrary && isOneOf(type.name, kVectors))
        return vectorOfType(type, first, arguments.size() > 1 ? arguments[1] : HostValue {});
    if (isOfLibrary && isFollowedMap(type))
        return mapOfType(type, arguments);
    if (const HostClass* known = m_program.classNamed(type.name); known && known->members.empty()) // overloaded { lambdas }: any of them
        if (const std::vector<HostValue>& given = first.kind == HostKind::List ? first.items : arguments; !given.empty() && std::ranges::all_of(given, [](const HostValue& value) { return value.kind == HostKind::Function && value.function; })) {
            HostValue any = given.front();
            any.items.insert(any.items.end(), given.begin() + 1, given.end());
            return any;
        }
    if (const HostClass* known = m_program.classNamed(type.name))
        return objectOfType(type, *known, std::move(arguments));
    if (type.name == "cudaLaunchConfig_t")
        return launchConfig(first.kind == HostKind::List ? first.items : arguments);
    if (!componentOf(type.name).empty())
        return vectorOfComponents(type.name, first.kind == HostKind::List ? first.items : std::move(arguments));
    return numberOfType(type, first, isGiven);
}

/// What cudaLaunchKernelEx takes; its attributes are not read.
HostValue HostReader::launchConfig(const std::vector<HostValue>& values)
{
    const auto given = [&](std::size_t i) { return i < values.size() ? std::vector { values[i] } : std::vector<HostValue> {}; };
    HostValue config { .kind = HostKind::Object };
    config.type = "cudaLaunchConfig_t";
    config.scope = newScope(m_globals);
    config.scope->values = { { "gridDim", valueOfType({ .name = "dim3" }, given(0)) }, { "blockDim", valueOfType({ .name = "dim3" }, given(1)) },
        { "dynamicSmemBytes", valueOfType({ .name = "size_t" }, given(2)) } };
    return config;
}

/// A float3 and its kin.
HostValue HostReader::vectorOfComponents(const std::string& type, std::vector<HostValue> values)
{
    if (values.size() == 1 && !values[0].isNumber()) // another one, or what is not known
        return values[0];
    HostValue vector { .kind = HostKind::Object };
    vector.type = type;
    vector.scope = newScope(m_globals);
    vector.scope->ofClass = vector.scope->typeText = type;
    const HostType component { .name = componentOf(type) };
    for (std::size_t i = 0; i < std::size_t(plainType(type)->elements); ++i) {
        const std::string name(kComponents[i]);
        vector.scope->values[name] = i < values.size() ? valueOfType(component, { std::move(values[i]) }) : valueOfType(component, {});
        vector.scope->order.push_back(name);
    }
    return vector;
}

HostValue HostReader::pointerOfType(const HostType& type, const HostValue& value, bool isGiven)
{
    if (value.kind == HostKind::Object)
        return m_program.derives(value.type, type.name) ? value : pointerWithin(value);
    if (value.kind != HostKind::Pointer && value.kind != HostKind::Unknown && value.kind != HostKind::Number)
        return value;
    if (value.kind == HostKind::Unknown && isGiven && value.buffer < 0)
        return {};
    HostValue pointer { .kind = HostKind::Pointer };
    pointer.buffer = value.buffer;
    pointer.isOffset = value.isOffset;
    pointer.isNull = value.isNull || (value.kind == HostKind::Pointer && value.type == "null");
    pointer.target = value.target;
    pointer.type = type.name == "void" && !value.type.empty() ? value.type : type.name;
    if (pointer.buffer >= 0 && type.name != "void" && type.pointers == 1) {
        std::string& known = m_found.buffers[std::size_t(pointer.buffer)].type;
        known = known.empty() || known == "void" ? type.name : known;
    }
    return pointer;
}

/// What an object is taken for where a pointer is wanted: the only one that it holds, as one that owns memory does.
HostValue HostReader::pointerWithin(const HostValue& object)
{
    if (!object.scope)
        return object;
    const HostValue* only = nullptr;
    for (const std::string& name : object.scope->order) {
        const HostValue& member = object.scope->values[name];
        if (member.kind == HostKind::Pointer && std::exchange(only, &member))
            return object;
    }
    return only ? *only : object;
}

HostValue HostReader::dim3Of(const std::vector<HostValue>& sizes)
{
    HostValue value { .kind = HostKind::Dim3 };
    for (std::size_t i = 0; i < 3; ++i) {
        value.dims[i] = Symbolic::ofInteger(1);
        if (i < sizes.size() && !sizes[i].isNumber())
            return {};
        if (i < sizes.size())
            value.dims[i] = asInteger(sizes[i].number);
    }
    return value;
}

HostValue HostReader::vectorOfType(const HostType& type, const HostValue& first, const HostValue& element)
{
    HostValue value { .kind = HostKind::List };
    value.type = type.arguments.empty() ? "" : type.arguments[0];
    if (type.name == "array" && type.arguments.size() > 1)
        value.number = Symbolic::ofInteger(std::atoll(type.arguments[1].c_str()));
    if (first.kind == HostKind::List) {
        value.number = type.name == "array" ? value.number : first.number;
        value.items = first.items;
        value.rest = first.rest;
        const bool isWithin = type.name == "array" && first.items.size() == 1 && first.items[0].isBraced; // array<int, 3> a {{ 1, 2, 3 }}
        if (isWithin && (value.number.asInteger() > 1 || !plainType(value.type) || plainType(value.type)->elements == 1))
            value.items = HostValue(first.items[0]).items;
        if (const HostClass* known = m_program.classNamed(value.type))
            for (HostValue& item : value.items)
                item = ofInitialList(*known, std::move(item));
    } else if (first.isNumber()) {
        value.number = asInteger(first.number);
        if (bytesOfType(value.type) > 0 && (element.isNumber() || element.kind == HostKind::Unknown))
            value.rest = element.isNumber() ? element.number.asReal() : 0;
    }
    if (!isOneOf(type.name, kVectorsOfTheGpu))
        return value;
    value.buffer = newBuffer("buffer", applied("*", value.number, Symbolic::ofInteger(std::max(1, bytesOfType(value.type)))), value.type);
    if (value.buffer >= 0) {
        m_bufferDepths[std::size_t(value.buffer)] = m_depth + 1; // called as what will hold it
        if (first.kind == HostKind::List)
            m_found.buffers[std::size_t(value.buffer)].fill = BufferFill::Copied;
        else if (element.isNumber())
            m_found.buffers[std::size_t(value.buffer)].holdOne(element.number.asReal());
    }
    return value;
}

HostValue HostReader::objectOfType(const HostType& type, const HostClass& known, std::vector<HostValue> arguments)
{
    if (arguments.size() != 1 || (arguments[0].kind != HostKind::Object && !arguments[0].isBraced))
        return construct(known, std::move(arguments), type.arguments);
    HostValue first = std::move(arguments[0]);
    if (first.kind == HostKind::Object) {
        if (m_program.derives(first.type, known.name)) // a copy
            return first;
        const HostFunction* taking = chosen(known, known.name, { first });
        if (taking && taking->takes(1) && !taking->parameters[0].name.empty())
            return construct(known, { std::move(first) }, type.arguments);
        const auto held = known.members.empty() ? std::nullopt : typeOf(known.members[0]);
        if (!held || held->name != first.type)
            return first;
        HostValue list { .kind = HostKind::List }; // View { object }
        list.items = { std::move(first) };
        return ofInitialList(known, std::move(list), type.arguments);
    }
    const HostFunction* constructor = chosen(known, known.name, first.items);
    if (!constructor)
        return ofInitialList(known, std::move(first), type.arguments);
    if (!constructor->takes(first.items.size())) // T object({ 1, 2, 3 })
        return construct(known, { std::move(first) }, type.arguments);
    return construct(known, first.items, type.arguments);
}

} // namespace coalescope::kernels
