// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/template_deduction.h"

#include "kernels/compile/diagnostics.h"
#include "kernels/source/parameter_types.h"
#include "kernels/source/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace coalescope::kernels {
namespace {

constexpr std::string_view kPack = "...";

/// What a parameter's type may be made of, without its name: tokens of "const View<T>& v" that are View < T >.
std::vector<std::string> patternOf(std::string_view parameter)
{
    static constexpr std::array<std::string_view, 9> kLeft { "const", "volatile", "__restrict__", "__restrict", "struct", "typename", "__grid_constant__", "&", kPack };
    const std::string text(parameter.substr(0, parameter.find('=')));
    std::vector<std::string> pattern;
    for (const Token& token : tokensOf(text))
        if (!isOneOf(token.text, kLeft))
            pattern.emplace_back(token.text);
    const auto isName = [](const std::string& part) { return std::isalpha(static_cast<unsigned char>(part[0])) || part[0] == '_'; };
    if (pattern.size() > 1 && isName(pattern.back()) && pattern[pattern.size() - 2] != "::") // else it has no name
        pattern.pop_back();
    return pattern;
}

std::vector<std::string> partsOf(std::string_view type)
{
    std::vector<std::string> parts;
    const std::string text(type);
    for (const Token& token : tokensOf(text))
        parts.emplace_back(token.text);
    return parts;
}

std::string joined(std::span<const std::string> parts)
{
    std::string text;
    for (const std::string& part : parts) {
        const bool areWords = !text.empty() && (std::isalnum(static_cast<unsigned char>(text.back())) || text.back() == '_') && (std::isalnum(static_cast<unsigned char>(part[0])) || part[0] == '_');
        text += (areWords ? " " : "") + part;
    }
    return text;
}

/// The parts between the commas of `Name < a, b >`; empty: it is none.
std::vector<std::span<const std::string>> argumentsIn(std::span<const std::string> parts)
{
    const auto open = std::ranges::find(parts, "<");
    if (open == parts.end() || parts.back() != ">")
        return {};
    std::vector<std::span<const std::string>> found;
    int depth = 0;
    for (auto first = open + 1, at = first; at != parts.end(); ++at) {
        depth += (*at == "<") - (*at == ">");
        if ((*at == "," && depth == 0) || at + 1 == parts.end()) {
            found.emplace_back(first, at);
            first = at + 1;
        }
    }
    return found;
}

using Bound = std::map<std::string, std::string, std::less<>>; ///< of the template's parameters, what they are

void unify(std::span<const std::string> pattern, std::span<const std::string> type, Bound& bound)
{
    while (!pattern.empty() && !type.empty() && pattern.back() == "*" && type.back() == "*") {
        pattern = pattern.first(pattern.size() - 1);
        type = type.first(type.size() - 1);
    }
    if (pattern.empty() || type.empty())
        return;
    if (pattern.size() == 1) {
        if (const auto known = bound.find(pattern[0]); known != bound.end() && known->second.empty())
            known->second = joined(type);
        return;
    }
    const auto wanted = argumentsIn(pattern), told = argumentsIn(type);
    for (std::size_t i = 0; i < std::min(wanted.size(), told.size()); ++i)
        unify(wanted[i], told[i], bound);
}

bool isPack(std::string_view parameter) { return parameter.find(kPack) != parameter.npos; }

/// How well an argument suits a parameter: 0 where nothing is known of it.
int suits(const KernelDeclaration& kernel, std::string_view parameter, std::string_view type)
{
    constexpr int kNever = -100, kOther = -10, kAny = 2, kSame = 4;
    if (type.empty())
        return 0;
    const KernelParameter wanted = parameterOf(parameter, "", kernel);
    const bool isPointer = type.ends_with('*');
    const std::string of = typeOfParameter(parameter);
    if (kernel.isTemplate() && withTemplateValues(of, kernel, std::vector<std::string>(kernel.templateParameters.size(), "$")) != of) // T, T*, View<T>
        return wanted.pointers > 0 && !isPointer ? kNever : kAny;
    if ((wanted.pointers > 0) != isPointer)
        return kNever;
    std::string_view element = type.substr(0, type.find('*'));
    element.remove_prefix(element.starts_with("const ") ? 6 : 0);
    if (element.empty())
        return 0;
    const PlainType* const given = plainType(element);
    const bool isSame = given && wanted.plain ? given->element == wanted.plain->element && given->elements == wanted.plain->elements : element == wanted.type;
    if (isSame || isPointer)
        return isSame ? kSame : kOther;
    const auto isReal = [](const PlainType* plain) { return plain->element[0] == 'f' || plain->element[0] == 'b'; };
    return given && wanted.plain ? isReal(given) == isReal(wanted.plain) : kOther;
}

} // namespace

const KernelDeclaration* launchedKernel(std::span<const KernelDeclaration> kernels, std::string_view entry, std::span<const std::string> types)
{
    const std::string name = baseName(entry);
    const bool hasArguments = entry.find('<') != entry.npos;
    const auto worthOf = [&](const KernelDeclaration& kernel) {
        constexpr int kWrongCount = -1000, kNoTemplate = -1000, kUndefined = -10000;
        const auto required = std::size_t(std::ranges::count_if(kernel.parameters, [](const std::string& text) { return text.find('=') == text.npos && !isPack(text); }));
        int worth = (types.size() < required || !parameterFor(kernel, types.empty() ? 0 : types.size() - 1)) && !(types.empty() && required == 0) ? kWrongCount : 0;
        worth += (hasArguments && !kernel.isTemplate() ? kNoTemplate : 0) + (kernel.isDefined ? 0 : kUndefined);
        for (std::size_t i = 0; i < types.size(); ++i)
            if (const std::string* const parameter = parameterFor(kernel, i))
                worth += suits(kernel, *parameter, types[i]);
        return worth;
    };
    std::vector<const KernelDeclaration*> named;
    for (const KernelDeclaration& kernel : kernels)
        if (kernel.name == name)
            named.push_back(&kernel);
    if (named.size() < 2)
        return named.empty() ? nullptr : named[0];
    return *std::ranges::max_element(named, {}, [&](const KernelDeclaration* kernel) { return worthOf(*kernel); });
}

std::vector<std::string> templateArgumentsBy(const KernelDeclaration& kernel, std::vector<std::string> given, std::span<const std::string> types)
{
    Bound bound;
    const std::size_t packed = !kernel.templateParameters.empty() && isPack(kernel.templateParameters.back()) ? kernel.templateParameters.size() - 1 : kernel.templateParameters.size();
    for (std::size_t i = given.size(); i < packed; ++i)
        bound.emplace(nameOfTemplateParameter(kernel.templateParameters[i]), "");
    for (std::size_t i = 0; i < types.size(); ++i)
        if (const std::string* const parameter = parameterFor(kernel, i); parameter && !isPack(*parameter))
            unify(patternOf(*parameter), partsOf(types[i]), bound);
    for (std::size_t i = given.size(); i < packed; ++i) {
        const std::string& told = bound.find(nameOfTemplateParameter(kernel.templateParameters[i]))->second;
        if (told.empty() && kernel.templateParameters[i].find('=') != std::string::npos)
            return given;
        given.push_back(told);
    }
    if (packed == kernel.templateParameters.size() || kernel.parameters.empty() || !isPack(kernel.parameters.back()))
        return given;
    const std::string name(nameOfTemplateParameter(kernel.templateParameters.back()));
    for (std::size_t i = kernel.parameters.size() - 1 + given.size() - packed; i < types.size(); ++i) {
        Bound one { { name, "" } };
        unify(patternOf(kernel.parameters.back()), partsOf(types[i]), one);
        given.push_back(one[name]);
    }
    return given;
}

KernelDeclaration withoutPack(const KernelDeclaration& kernel, std::size_t arguments)
{
    if (kernel.templateParameters.empty() || kernel.parameters.empty() || !isPack(kernel.templateParameters.back()) || !isPack(kernel.parameters.back()))
        return kernel;
    KernelDeclaration expanded = kernel;
    const std::string ofTemplate = kernel.templateParameters.back(), name(nameOfTemplateParameter(ofTemplate)), parameter = kernel.parameters.back();
    expanded.templateParameters.pop_back();
    expanded.parameters.pop_back();
    for (std::size_t i = 1; expanded.parameters.size() < arguments; ++i) {
        const std::string own = fmt::format("{}_{}", name, i);
        expanded.templateParameters.push_back(ofTemplate.substr(0, ofTemplate.find(kPack)) + " " + own);
        std::string text;
        for (const Token& token : tokensOf(parameter))
            if (!token.is(kPack))
                text += (text.empty() ? "" : " ") + (token.is(name) ? own : std::string(token.text));
        expanded.parameters.push_back(std::move(text));
    }
    return expanded;
}

const std::string* parameterFor(const KernelDeclaration& kernel, std::size_t argument)
{
    if (argument < kernel.parameters.size())
        return &kernel.parameters[argument];
    return !kernel.parameters.empty() && isPack(kernel.parameters.back()) ? &kernel.parameters.back() : nullptr;
}

} // namespace coalescope::kernels
