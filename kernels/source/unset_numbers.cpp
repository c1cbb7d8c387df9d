// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/unset_numbers.h"

#include "kernels/source/parameter_types.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels {
namespace {

bool isInteger(std::string_view type)
{
    const PlainType* const plain = plainType(type);
    return plain && plain->elements == 1 && isCount(type);
}

/// The body of the kernel; empty: it is not there.
TokenRange bodyOf(const std::vector<Token>& tokens, std::string_view kernel)
{
    bool isKernel = false;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        isKernel = (isKernel && !tokens[i].is(";") && !tokens[i].is("}")) || tokens[i].is("__global__");
        if (!isKernel || !tokens[i].is(kernel) || !tokens[i + 1].is("("))
            continue;
        const std::size_t open = behindBracket(tokens, i + 1);
        if (open < tokens.size() && tokens[open].is("{"))
            return { open + 1, behindBracket(tokens, open) - 1 };
    }
    return {};
}

/// Each mention is `*name`, and none is assigned to.
bool isOneNumber(const std::vector<Token>& tokens, TokenRange body, std::string_view name)
{
    static constexpr auto kChanges = std::to_array<std::string_view>({ "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", "++", "--", "[" });
    bool isRead = false;
    for (std::size_t i = body.first; i < body.last; ++i) {
        if (!tokens[i].is(name))
            continue;
        const bool isPointedTo = tokens[i - 1].is("*") && !tokens[i - 2].is("++") && !tokens[i - 2].is("--");
        if (!isPointedTo || (i + 1 < body.last && isOneOf(tokens[i + 1].text, kChanges)))
            return false;
        isRead = true;
    }
    return isRead;
}

} // namespace

std::vector<UnsetNumber> unsetNumbersOf(const std::vector<Token>& tokens, const KernelDeclaration& kernel)
{
    const TokenRange body = bodyOf(tokens, kernel.name);
    std::vector<UnsetNumber> numbers;
    for (std::size_t i = 0; i + 3 < tokens.size(); ++i) { // `__constant__ unsigned int n, m;`
        if (!tokens[i].is("__constant__"))
            continue;
        std::string type;
        std::size_t at = i + 1;
        for (; at + 1 < tokens.size() && tokens[at].isWord() && tokens[at + 1].isWord(); ++at)
            if (!tokens[at].is("const") && !tokens[at].is("static"))
                type += (type.empty() ? "" : " ") + std::string(tokens[at].text);
        for (; isInteger(type) && at + 1 < tokens.size() && tokens[at].isWord() && (tokens[at + 1].is(";") || tokens[at + 1].is(",")); at += 2) {
            if (std::ranges::count(tokens, tokens[at].text, &Token::text) > 1)
                numbers.push_back({ std::string(tokens[at].text), type, false });
            if (tokens[at + 1].is(";"))
                break;
        }
    }
    for (const std::string& text : kernel.parameters) {
        const KernelParameter parameter = parameterOf(text, "", kernel);
        if (parameter.pointers == 1 && isInteger(parameter.type) && isOneNumber(tokens, body, parameter.name))
            numbers.push_back({ parameter.name, parameter.type, true });
    }
    return numbers;
}

} // namespace coalescope::kernels
