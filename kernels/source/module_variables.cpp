// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/module_variables.h"

#include "kernels/source/declarations.h"
#include "kernels/source/index_use.h"

#include <algorithm>
#include <array>
#include <set>

namespace coalescope::kernels {
namespace {

bool isAt(const std::vector<Token>& tokens, std::size_t at, std::string_view text) { return at < tokens.size() && tokens[at].is(text); }

/// The words before the first name: "unsigned int".
std::string typeOf(const std::vector<Token>& tokens, const Declaration& declaration)
{
    static constexpr std::array<std::string_view, 10> kMarks { "__device__", "__constant__", "__managed__", "static", "extern", "const", "constexpr", "volatile", "inline", "struct" };
    std::string type;
    for (std::size_t i = declaration.first; i < declaration.last && tokens[i].isWord(); ++i) {
        if (std::ranges::find(declaration.names, tokens[i].text) != declaration.names.end())
            break;
        if (isAt(tokens, i + 1, "(")) // __align__(16)
            i = behindBracket(tokens, i + 1) - 1;
        else if (std::ranges::find(kMarks, tokens[i].text) == kMarks.end())
            type += (type.empty() ? "" : " ") + std::string(tokens[i].text);
    }
    return type;
}

/// The function in whose arguments the token stands; empty: in none's.
std::string_view calledWith(const std::vector<Token>& tokens, std::size_t at)
{
    int depth = 0;
    for (std::size_t i = at; i-- > 0 && !tokens[i].is(";") && !tokens[i].is("{") && !tokens[i].is("}");) {
        depth += tokens[i].is(")") || tokens[i].is("]") ? 1 : tokens[i].opens() ? -1 : 0;
        if (depth < 0 && tokens[i].is("(") && i > 0 && tokens[i - 1].isWord())
            return tokens[i - 1].text;
        depth = std::max(depth, 0);
    }
    return {};
}

/// Whether a function returns what stands there, and by reference or as a pointer: `int& at(int i) { return table[i]; }`.
bool isReturned(const std::vector<Token>& tokens, std::size_t at)
{
    std::size_t first = at;
    while (first > 0 && !tokens[first - 1].is(";") && !tokens[first - 1].is("{") && !tokens[first - 1].is("}") && !tokens[first - 1].is("return"))
        --first;
    if (!isAt(tokens, first - 1, "return"))
        return false;
    int depth = 0;
    for (std::size_t i = first; i-- > 0;) {
        depth += tokens[i].is("}") ? 1 : tokens[i].is("{") ? -1 : 0;
        if (depth >= 0)
            continue;
        depth = 0;
        int brackets = 0;
        std::size_t open = i; // of what stands before the brace: f(int i) const
        while (open > 0 && !(brackets == 0 && open < i && tokens[open].is("(")) && !tokens[open].is(";") && !tokens[open].is("}")) {
            --open;
            brackets += tokens[open].is(")") ? 1 : tokens[open].is("(") ? -1 : 0;
        }
        const bool isFunction = open >= 2 && tokens[open].is("(") && (tokens[open - 1].isWord() || tokens[open - 1].is("]")) && !tokens[open - 1].is("if") && !tokens[open - 1].is("for") && !tokens[open - 1].is("while");
        for (std::size_t word = open; isFunction && word-- > 0 && !tokens[word].is(";") && !tokens[word].is("}") && !tokens[word].is("{");)
            if (tokens[word].is("&") || tokens[word].is("*"))
                return true;
        if (isFunction)
            return false;
    }
    return false;
}

/// Whether what stands around a number's name may change it.
bool mayChange(const std::vector<Token>& tokens, std::size_t at)
{
    static constexpr std::array<std::string_view, 14> kBehind { "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "++", "--", "." };
    static constexpr std::array<std::string_view, 3> kBefore { "++", "--", "&" };
    const bool isBoundTo = at >= 3 && tokens[at - 1].is("=") && tokens[at - 3].is("&"); // int& n = count
    return isBoundTo || (at + 1 < tokens.size() && std::ranges::find(kBehind, tokens[at + 1].text) != kBehind.end())
        || (at > 0 && std::ranges::find(kBefore, tokens[at - 1].text) != kBefore.end());
}

} // namespace

std::vector<ModuleVariable> moduleVariablesOf(std::span<const std::string> deviceCode)
{
    struct Declared {
        ModuleVariable variable;
        std::size_t file = 0, first = 0, last = 0; ///< tokens
        bool isNumber = true;
    };
    std::vector<std::vector<Token>> files;
    std::vector<Declared> found;
    std::set<std::string, std::less<>> functions; // of the program's: they may take what they are given by reference
    for (const std::string& code : deviceCode) {
        const std::vector<Token>& tokens = files.emplace_back(tokensOf(code));
        for (const Declaration& declaration : declarationsOf(tokens)) {
            if (declaration.kind == DeclarationKind::Function)
                functions.insert(declaration.names.begin(), declaration.names.end());
            const auto has = [&](std::string_view word) {
                return std::any_of(tokens.begin() + std::ptrdiff_t(declaration.first), tokens.begin() + std::ptrdiff_t(declaration.last), [&](const Token& token) { return token.is(word); });
            };
            const bool isManaged = has("__managed__"), isConstant = has("__constant__") || ((has("const") || has("constexpr")) && !has("*"));
            if (declaration.kind != DeclarationKind::Other || !(isManaged || has("__constant__") || has("__device__")))
                continue;
            for (const std::string_view name : declaration.names)
                found.push_back({ .variable = { .name = std::string(name), .type = typeOf(tokens, declaration), .isConst = isConstant, .hasValue = has("=") || has("{"), .isManaged = isManaged },
                    .file = files.size() - 1, .first = declaration.first, .last = declaration.last, .isNumber = !has("[") && !has("*") });
        }
    }
    for (Declared& declared : found)
        for (std::size_t file = 0; file < files.size() && !declared.variable.isConst; ++file)
            for (std::size_t i = 0; i < files[file].size(); ++i) {
                const std::vector<Token>& tokens = files[file];
                const bool isItself = file == declared.file && i >= declared.first && i < declared.last;
                if (!isItself && tokens[i].is(declared.variable.name))
                    declared.variable.isWritten = declared.variable.isWritten || isReturned(tokens, i) || functions.contains(calledWith(tokens, i)) || (declared.isNumber ? mayChange(tokens, i) : useAt(tokens, i).writes);
            }
    std::vector<ModuleVariable> variables;
    for (Declared& declared : found)
        if (std::ranges::find(variables, declared.variable.name, &ModuleVariable::name) == variables.end()) // once, of several with `extern`
            variables.push_back(std::move(declared.variable));
    return variables;
}

} // namespace coalescope::kernels
