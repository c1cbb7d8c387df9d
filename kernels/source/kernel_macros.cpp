// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/kernel_macros.h"

#include "kernels/source/tokens.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace coalescope::kernels {
namespace {

constexpr int kDeepest = 8; ///< of macros in macros
constexpr std::size_t kMostMade = 4 << 20; ///< characters

struct KernelMacro {
    bool takesArguments = false;
    std::vector<std::string_view> parameters;
    std::vector<Token> body;
    bool makesKernel = false; ///< itself or through others
    [[nodiscard]] bool isOneName() const { return !takesArguments && body.size() == 1; } ///< REAL, TILE: what knows types and numbers by them reads these
};

using KernelMacros = std::map<std::string_view, KernelMacro>;

/// Tokens as they stand, on one line.
std::string textOf(std::span<const Token> tokens)
{
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool isBeside = i > 0 && tokens[i - 1].text.data() + tokens[i - 1].text.size() == tokens[i].text.data();
        text += (i == 0 || isBeside ? "" : " ") + std::string(tokens[i].text);
    }
    return text;
}

KernelMacros kernelMacrosOf(const std::vector<Token>& tokens)
{
    KernelMacros macros;
    for (const Token& token : tokens) {
        const auto definition = definitionOf(token);
        if (!definition)
            continue;
        KernelMacro macro { .takesArguments = definition->takesArguments };
        const std::size_t body = macro.takesArguments ? behindBracket(definition->tokens, 0) : 0;
        for (std::size_t i = 1; i + 1 < body; ++i)
            if (definition->tokens[i].isWord() || definition->tokens[i].is("..."))
                macro.parameters.push_back(definition->tokens[i].is("...") ? "__VA_ARGS__" : definition->tokens[i].text);
        macro.body.assign(definition->tokens.begin() + std::ptrdiff_t(std::min(body, definition->tokens.size())), definition->tokens.end());
        macros[definition->name] = std::move(macro);
    }
    for (int round = 0; round < kDeepest; ++round)
        for (auto& [name, macro] : macros)
            macro.makesKernel = macro.makesKernel || std::ranges::any_of(macro.body, [&](const Token& token) {
                const auto other = macros.find(token.text);
                return token.is("__global__") || (token.isWord() && other != macros.end() && other->second.makesKernel);
            });
    return macros;
}

/// Of each kernel the tokens from `__global__` to the end of its parameters.
std::vector<TokenRange> signaturesIn(const std::vector<Token>& tokens, const KernelMacros& macros)
{
    static constexpr auto kNoNames = std::to_array<std::string_view>({ "__launch_bounds__", "__attribute__", "__cluster_dims__" });
    std::vector<TokenRange> signatures;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].is("__global__"))
            continue;
        std::size_t at = i + 1;
        for (; at < tokens.size() && !tokens[at].is(";") && !tokens[at].is("{") && !tokens[at].is("}"); ++at) {
            if (!tokens[at].is("("))
                continue;
            const bool isNoName = isOneOf(tokens[at - 1].text, kNoNames) || macros.contains(tokens[at - 1].text);
            at = behindBracket(tokens, at);
            if (!isNoName)
                break;
            --at;
        }
        signatures.push_back({ i, std::min(at, tokens.size()) });
    }
    return signatures;
}

/// What a macro stands for, with these texts as its arguments.
std::string substituted(const KernelMacro& macro, const std::vector<std::string>& arguments)
{
    const auto argumentOf = [&](const Token& token) -> const std::string* {
        static const std::string kNone;
        const auto parameter = std::ranges::find(macro.parameters, token.text);
        const auto index = std::size_t(parameter - macro.parameters.begin());
        return !token.isWord() || parameter == macro.parameters.end() ? nullptr : index < arguments.size() ? &arguments[index] : &kNone;
    };
    std::string text;
    bool isPasted = true;
    for (std::size_t i = 0; i < macro.body.size(); ++i) {
        const Token& token = macro.body[i];
        if (token.is("##")) {
            isPasted = true;
            continue;
        }
        const bool isText = token.is("#") && i + 1 < macro.body.size() && argumentOf(macro.body[i + 1]);
        const std::string* const argument = argumentOf(isText ? macro.body[++i] : token);
        const bool isBeside = i > 0 && macro.body[i - 1].text.data() + macro.body[i - 1].text.size() == token.text.data();
        text += (isPasted || isBeside ? "" : " ") + (isText ? "\"\"" : argument ? *argument : std::string(token.text));
        isPasted = false;
    }
    return text;
}

/// With each macro that makes a kernel, or some of a kernel's parameters, replaced once; nothing: there is none.
std::vector<Replacement> replacementsIn(const std::vector<Token>& tokens)
{
    const KernelMacros macros = kernelMacrosOf(tokens);
    if (macros.empty())
        return {};
    const std::vector<TokenRange> signatures = signaturesIn(tokens, macros);
    std::vector<Replacement> replacements;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const auto macro = tokens[i].isWord() ? macros.find(tokens[i].text) : macros.end();
        if (macro == macros.end() || (macro->second.takesArguments && !tokens[i + 1].is("(")))
            continue;
        const bool isOfSignature = !macro->second.isOneName() && std::ranges::any_of(signatures, [i](const TokenRange& range) { return range.first < i && i < range.last; });
        if (!macro->second.makesKernel && !isOfSignature)
            continue;
        if (!macro->second.takesArguments) {
            replacements.push_back({ tokens[i].offset, tokens[i].end(), substituted(macro->second, {}) });
            continue;
        }
        const std::size_t behind = behindBracket(tokens, i + 1);
        std::vector<std::string> arguments;
        std::size_t first = i + 2;
        int depth = 0;
        for (std::size_t at = first; at < behind; ++at) {
            const bool isLastOfAll = arguments.size() + 1 >= macro->second.parameters.size() && !macro->second.parameters.empty() && macro->second.parameters.back() == "__VA_ARGS__";
            const bool isEnd = at + 1 == behind || (depth == 0 && tokens[at].is(",") && !isLastOfAll); // a list in < > parts arguments, as the preprocessor has it
            depth += tokens[at].opens() ? 1 : tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}") ? -1 : 0;
            if (!isEnd)
                continue;
            arguments.push_back(textOf(std::span(tokens).subspan(first, at - first)));
            first = at + 1;
        }
        replacements.push_back({ tokens[i].offset, tokens[std::min(behind, tokens.size()) - 1].end(), substituted(macro->second, arguments) });
        i = behind - 1;
    }
    return replacements;
}

} // namespace

std::string replaced(std::string_view source, std::vector<Replacement> replacements)
{
    std::string text;
    std::ranges::sort(replacements, {}, &Replacement::begin);
    std::size_t at = 0;
    for (const auto& [begin, end, with] : replacements) {
        if (begin < at) // within one before
            continue;
        text.append(source.substr(at, begin - at)).append(with);
        text.append(std::size_t(std::ranges::count(source.substr(begin, end - begin), '\n')), '\n');
        at = end;
    }
    return text.append(source.substr(at));
}

std::string withKernelMacros(std::string_view source)
{
    std::string text(source);
    for (int depth = 0; depth < kDeepest && text.find("__global__") != text.npos && text.find("define") != text.npos; ++depth) {
        std::vector<Replacement> replacements = replacementsIn(tokensOf(text));
        std::size_t made = 0;
        for (const Replacement& replacement : replacements)
            made += replacement.text.size();
        if (replacements.empty() || made > kMostMade)
            break;
        text = replaced(text, std::move(replacements));
    }
    return text;
}

} // namespace coalescope::kernels
