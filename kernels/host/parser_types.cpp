// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/parser.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels::host {
namespace {

constexpr std::array<std::string_view, 13> kQualifiers { "const", "constexpr", "static", "inline", "volatile", "typename", "struct", "class", "mutable", "extern",
    "thread_local", "enum", "register" };
constexpr std::array<std::string_view, 8> kIntegerWords { "unsigned", "signed", "long", "short", "int", "char", "double", "__int128" };
constexpr std::array<std::string_view, 81> kKnownTypes { "float", "bool", "void", "auto", "size_t", "ssize_t", "ptrdiff_t", "int8_t", "uint8_t", "int16_t", "uint16_t",
    "int32_t", "uint32_t", "int64_t", "uint64_t", "uintptr_t", "intptr_t", "uint", "uchar", "ushort", "ulong", "vector", "array", "pair", "tuple", "string",
    "host_vector", "device_vector", "device_ptr", "deque", "queue", "stack", "initializer_list", "mt19937", "mt19937_64", "minstd_rand", "minstd_rand0", "default_random_engine", "random_device",
    "unique_ptr", "shared_ptr", "function", "span", "optional",
    "variant", "monostate", "priority_queue", "half", "__half", "half2", "__half2", "nv_bfloat16", "__nv_bfloat16", "dim3", "cudaStream_t", "cudaEvent_t", "cudaError_t", "cudaDeviceProp", "map", "unordered_map", "set",
    "unordered_set", "unordered_multiset", "list", "forward_list", "multiset", "float2", "float3", "float4", "string_view", "integer_sequence", "index_sequence", "make_integer_sequence",
    "make_index_sequence", "FILE", "ifstream", "ofstream", "fstream", "strong_ordering", "weak_ordering", "partial_ordering" };

bool isDistribution(std::string_view name)
{
    constexpr std::array<std::string_view, 18> kDrawn { "uniform_int", "uniform_real", "normal", "lognormal", "bernoulli", "geometric", "exponential", "poisson", "binomial", "negative_binomial",
        "discrete", "gamma", "weibull", "cauchy", "extreme_value", "chi_squared", "student_t", "fisher_f" };
    constexpr std::string_view kEnd = "_distribution";
    return name.ends_with(kEnd) && std::ranges::find(kDrawn, name.substr(0, name.size() - kEnd.size())) != kDrawn.end();
}

bool isVector(std::string_view name)
{
    constexpr std::array<std::string_view, 12> kElements { "int", "uint", "float", "double", "char", "uchar", "short", "ushort", "long", "ulong", "longlong", "ulonglong" };
    return name.size() > 1 && name.back() >= '1' && name.back() <= '4' && std::ranges::find(kElements, name.substr(0, name.size() - 1)) != kElements.end();
}

} // namespace

bool Parser::isType(std::string_view name) const
{
    const auto isOwnFunction = [&] { return token().is(name) && token(1).is("(") && m_context.ofClass && m_context.ofClass->name != name && !m_program.functionsOf(*m_context.ofClass, name).empty(); };
    return (std::ranges::find(kKnownTypes, name) != kKnownTypes.end() && !isOwnFunction()) || isVector(name) || isDistribution(name) || m_context.typeParameters.contains(name) || m_aliases.contains(name)
        || m_context.aliases.contains(name) || (m_program.classNamed(name) && !find(name)) || std::ranges::find(m_program.enumerators(), name, &Enumerator::ofEnumeration) != m_program.enumerators().end();
}

/// "unsigned int", as one name; nothing where none stands here.
std::optional<std::string> Parser::builtIn()
{
    int longs = 0;
    bool isUnsigned = false, isSigned = false, isAny = false;
    std::string_view base = "int";
    for (; token().isWord() && std::ranges::find(kIntegerWords, token().text) != kIntegerWords.end(); ++m_at) {
        isAny = true;
        isUnsigned = isUnsigned || is("unsigned");
        isSigned = isSigned || is("signed");
        longs += is("long") ? 1 : 0;
        if (is("char") || is("short") || is("double"))
            base = token().text;
        while (token(1).is("const"))
            ++m_at;
    }
    if (!isAny)
        return std::nullopt;
    if (base == "double")
        return "double";
    const std::string name(longs > 0 ? "long" : base);
    return isUnsigned ? "unsigned " + name : name;
}

/// Moves only where there is one.
std::optional<TypeName> Parser::type(bool withPointers)
{
    const std::size_t at = m_at;
    TypeName result;
    const auto isQualifier = [&] { return token().isWord() && std::ranges::find(kQualifiers, token().text) != kQualifiers.end(); };
    while (isQualifier() || is("__restrict__"))
        ++m_at;
    if (const std::size_t behind = m_at + (is("std") ? 3 : 1); m_program.token(behind).is("auto") && m_program.isConcept(m_at)) // std::integral auto n
        m_at = behind;
    if (auto deduced = deducedType()) {
        result = *std::move(deduced);
        namesWithin(result, at);
    } else if (auto name = builtIn()) {
        result.name = *std::move(name);
    } else {
        skipped("::");
        bool isOfLibrary = false; // of what other scope it is, is not looked at
        for (; token().isWord() && token(1).is("::") && !m_context.typeParameters.contains(token().text); m_at += 2)
            isOfLibrary = is("std") || is("thrust");
        const bool isTemplate = token().isWord() && token(1).is("<");
        if (!token().isWord() || !(isType(token().text) || (isTemplate && m_program.classNamed(token().text)))) {
            m_at = at;
            return std::nullopt;
        }
        if (const auto alias = m_context.aliases.find(token().text); alias != m_context.aliases.end())
            result = alias->second; // of a lambda's parameter, it may be another one elsewhere
        else
            result.name = token().text;
        result.isAuto = result.name == "auto";
        result.isOfLibrary = isOfLibrary;
        if (m_context.typeParameters.contains(result.name))
            notePack(result);
        ++m_at;
        if (is("<"))
            templateArguments(result.arguments, result.values);
        const bool isIterator = is("::") && (token(1).is("iterator") || token(1).is("const_iterator"));
        if (isIterator || (is("::") && token(1).is("size_type"))) { // vector<int>::iterator: what it is given tells what it is
            result = { .name = isIterator ? "auto" : "size_t", .isAuto = isIterator };
            m_at += 2;
        }
        namesWithin(result, at);
        if (is("::")) { // another type of it, or no type at all
            m_at = at;
            return std::nullopt;
        }
    }
    while (is("const") || is("volatile") || is("static") || is("constexpr"))
        ++m_at;
    if (withPointers)
        pointersOf(result);
    return result;
}

/// typename Traits<T>::Vector: what a type, which was read from `at` on, calls so.
void Parser::namesWithin(TypeName& type, std::size_t at)
{
    const auto& tokens = m_program.tokens();
    const bool isNamedType = std::any_of(tokens.begin() + std::ptrdiff_t(at), tokens.begin() + std::ptrdiff_t(m_at), [](const Token& token) { return token.is("typename"); });
    while (isNamedType && is("::") && token(1).isWord() && !token(2).is("<")) {
        type = { .name = "::" + std::string(token(1).text), .arguments = { std::move(type) } };
        m_at += 2;
    }
}

/// decltype(x), and what is made of it or of another one without const and &; nothing where none stands here.
std::optional<TypeName> Parser::deducedType()
{
    constexpr std::array<std::string_view, 5> kWithout { "decay", "remove_cv", "remove_reference", "remove_cvref", "remove_const" };
    const std::size_t at = m_at;
    if (is("std") && token(1).is("::"))
        m_at += 2;
    const bool isShort = token().text.ends_with("_t");
    const std::string_view name = token().text.substr(0, token().text.size() - (isShort ? 2 : 0));
    if (is("decltype") && token(1).is("(") && !token(2).is("auto")) {
        m_at += 2;
        TypeName deduced { .name = "decltype" };
        deduced.values.push_back(expression());
        skip(")");
        return deduced;
    }
    if (token(1).is("<") && std::ranges::find(kWithout, name) != kWithout.end()) {
        ++m_at;
        std::vector<TypeName> arguments;
        std::vector<const Node*> values;
        templateArguments(arguments, values);
        if (!isShort && is("::") && token(1).is("type"))
            m_at += 2;
        if (arguments.size() == 1)
            return std::move(arguments[0]);
    }
    m_at = at;
    return std::nullopt;
}

/// That a type names a pack, if it does.
void Parser::notePack(TypeName& type)
{
    const Variable* const pack = find(type.name);
    if (!pack || !pack->isPack)
        return;
    type.pack = pack->slot + 1;
    m_packs.push_back(pack->slot);
}

TypeName Parser::typeOrMisread()
{
    auto read = type();
    if (!read)
        throw Misread {};
    return *std::move(read);
}

void Parser::pointersOf(TypeName& type)
{
    for (;; ++m_at) {
        if (is("*"))
            ++type.pointers;
        else if (is("&") || is("&&"))
            type.isReference = true;
        else if (!is("const") && !is("__restrict__") && !is("__restrict") && !is("restrict"))
            return;
    }
}

std::optional<TypeName> Parser::templateArgumentsIn(TokenRange range, const std::vector<HostParameter>& ofTemplate)
{
    const Context outer = std::exchange(m_context, {});
    seeTypes(ofTemplate);
    std::optional<TypeName> read = TypeName {};
    try {
        within(range.first, range.last, [&] {
            templateArguments(read->arguments, read->values);
            return 0;
        });
    } catch (const Misread&) {
        read = std::nullopt;
    }
    m_context = outer;
    return read;
}

void Parser::templateArguments(std::vector<TypeName>& types, std::vector<const Node*>& values)
{
    const std::size_t end = behindAngle(m_program.tokens(), m_at, AngleIn::Declaration);
    if (end <= m_at + 1 || end > m_end)
        throw Misread {};
    for (const TokenRange& range : betweenCommas(m_program.tokens(), { m_at + 1, end - 1 })) {
        TypeName argument { .name = "?" };
        const Node* value = nullptr;
        within(range.first, range.last, [&] {
            const std::size_t unqualified = is("std") && token(1).is("::") ? 2 : 0;
            if (token(unqualified).is("greater") || token(unqualified).is("less")) {
                argument.name = token(unqualified).text;
                return 0;
            }
            if (token().isWord() && token(1).is("...")) {
                argument = { .name = std::string(token().text), .isExpanded = true };
                notePack(argument);
                m_at = m_end;
                return 0;
            }
            auto read = type();
            if (read && (m_at == m_end || is("["))) // unique_ptr<int[]>
                argument = *std::move(read);
            else
                m_at = range.first;
            return 0;
        });
        if (argument.name == "?") {
            try {
                value = within(range.first, range.last, [&] { return conditional(); });
            } catch (const Misread&) { // void(int)
                value = make(Op::Unknown);
            }
        }
        types.push_back(std::move(argument));
        values.push_back(value);
    }
    m_at = end;
}

} // namespace coalescope::kernels::host
