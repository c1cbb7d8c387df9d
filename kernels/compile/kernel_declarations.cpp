// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/kernel_declarations.h"

#include "kernels/source/kernel_macros.h"
#include "kernels/source/tokens.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <map>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr std::string_view kMark = "__global__", kTemplate = "template";

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Without space around it and with single spaces in it.
std::string singleSpaced(std::string_view text)
{
    std::string plain;
    for (const char c : text) {
        const bool blank = std::isspace(static_cast<unsigned char>(c));
        if (!blank)
            plain += c;
        else if (!plain.empty() && plain.back() != ' ')
            plain += ' ';
    }
    while (plain.ends_with(' '))
        plain.pop_back();
    return plain;
}

/// The source with comments and texts blanked, so that words in them are not taken for code.
std::string codeOnly(std::string_view source)
{
    std::string code(source);
    for (std::size_t i = 0; i < code.size(); ++i) {
        std::size_t end = i;
        if (source.substr(i, 2) == "//")
            end = std::min(source.find('\n', i), source.size());
        else if (source.substr(i, 2) == "/*")
            end = std::min(source.find("*/", i + 2), source.size() - 2) + 2;
        else if (source[i] == '"') {
            for (end = i + 1; end < source.size() && source[end] != '"' && source[end] != '\n'; ++end)
                end += source[end] == '\\';
            end = std::min(end + 1, source.size());
        }
        if (end > i) {
            std::fill(code.begin() + std::ptrdiff_t(i), code.begin() + std::ptrdiff_t(end), ' ');
            i = end - 1;
        }
    }
    return code;
}

/// What stands in the brackets that open at `at`, which moves behind them; < and > count outside of ( and ) only.
std::string_view inBrackets(std::string_view code, std::size_t& at)
{
    const char open = code[at], close = open == '(' ? ')' : open == '{' ? '}' : '>';
    const std::size_t begin = at + 1;
    int depth = 0, inner = 0;
    for (; at < code.size(); ++at) {
        const char c = code[at];
        if (open == '<' && (c == '(' || c == ')'))
            inner += c == '(' ? 1 : -1;
        else if (inner == 0 && c == open)
            ++depth;
        else if (inner == 0 && c == close && --depth == 0)
            return code.substr(begin, at++ - begin);
    }
    return code.substr(std::min(begin, code.size()));
}

/// The parts between commas that stand in no brackets.
std::vector<std::string> listed(std::string_view text)
{
    std::vector<std::string> parts;
    std::string part;
    int angles = 0, others = 0; // in ( and ) a < compares
    for (const char c : text) {
        others += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        angles += others == 0 ? (c == '<') - (c == '>') : 0;
        if (c == ',' && angles == 0 && others == 0)
            parts.push_back(singleSpaced(std::exchange(part, {})));
        else
            part += c;
    }
    if (part = singleSpaced(part); !part.empty() || !parts.empty())
        parts.push_back(part);
    return parts;
}

/// An array of the block whose size the launch gives.
bool declaresDynamicShared(std::string_view code)
{
    for (auto at = code.find("extern"); at != code.npos; at = code.find("extern", at + 1))
        if (const auto statement = code.substr(at, code.find(';', at) - at); statement.find("__shared__") != statement.npos)
            return true;
    return false;
}

/// Reads a declaration that goes on after __global__.
void readFunction(std::string_view code, KernelDeclaration& kernel)
{
    std::string last;
    for (std::size_t at = 0; at < code.size();) {
        const char c = code[at];
        if (isWord(c)) {
            const std::size_t begin = at;
            while (at < code.size() && isWord(code[at]))
                ++at;
            last = code.substr(begin, at - begin);
            kernel.isSpecialization = false;
        } else if (c == '(') {
            const std::string_view inside = inBrackets(code, at);
            if (last == "__launch_bounds__")
                kernel.launchBounds = singleSpaced(inside);
            if (last == "__launch_bounds__" || last == "__attribute__" || last == "__cluster_dims__")
                continue;
            kernel.name = last;
            kernel.parameters = listed(inside);
            if (kernel.parameters == std::vector<std::string> { "void" })
                kernel.parameters.clear();
            const auto end = std::min(code.find(kMark, at), code.size()); // the next kernel
            auto behind = code.find_first_of("{;", at);
            kernel.isDefined = behind < end && code[behind] == '{';
            kernel.dynamicShared = declaresDynamicShared(code.substr(at, end - at));
            if (kernel.isDefined) {
                inBrackets(code, behind);
                kernel.lastLine += int(std::ranges::count(code.substr(0, behind), '\n'));
            }
            return;
        } else if (c == '<') {
            inBrackets(code, at); // the name came before
            kernel.isSpecialization = true;
        } else if (c == ';' || c == '{' || c == '}') {
            return;
        } else {
            ++at;
        }
    }
}

/// The parameters of a template<...> before __global__, in what follows the statement before.
std::vector<std::string> templateParameters(std::string_view before)
{
    if (const auto statement = before.find_last_of(";{}"); statement != before.npos)
        before.remove_prefix(statement + 1);
    auto at = before.find(kTemplate);
    at = at == before.npos ? at : before.find_first_not_of(" \t\r\n", at + kTemplate.size());
    if (at == before.npos || before[at] != '<')
        return {};
    return listed(inBrackets(before, at));
}

/// `template __global__ void k(float*);`, in what follows the statement before.
bool isInstantiation(std::string_view before)
{
    if (const auto statement = before.find_last_of(";{}"); statement != before.npos)
        before.remove_prefix(statement + 1);
    const auto at = before.find(kTemplate);
    const auto behind = at == before.npos ? at : before.find_first_not_of(" \t\r\n", at + kTemplate.size());
    return at != before.npos && (behind == before.npos || before[behind] != '<');
}

/// The namespaces that are open at the end of the code, with :: between them.
std::string scopeAtEnd(std::string_view code)
{
    std::vector<std::string> open; // a name for each brace; none: no namespace, or one without a name
    std::string last, beforeLast;
    for (std::size_t at = 0; at < code.size(); ++at) {
        const char c = code[at];
        if (isWord(c)) {
            const std::size_t begin = at;
            while (at < code.size() && (isWord(code[at]) || code.substr(at, 2) == "::"))
                at += isWord(code[at]) ? 1 : 2;
            beforeLast = std::exchange(last, code.substr(begin, at-- - begin));
        } else if (c == '{') {
            open.push_back(beforeLast == "namespace" ? last : "");
            last = beforeLast = {};
        } else if (c == '}' && !open.empty()) {
            open.pop_back();
        } else if (!std::isspace(static_cast<unsigned char>(c))) {
            last = beforeLast = {};
        }
    }
    std::string scope;
    for (const std::string& name : open)
        scope += (scope.empty() || name.empty() ? "" : "::") + name;
    return scope;
}

/// The end of the preprocessor's line that holds the place; the place where there is no such line.
std::size_t endOfDirective(std::string_view code, std::size_t place)
{
    const auto isContinued = [&](std::size_t lineEnd) { return lineEnd > 0 && code[lineEnd - 1] == '\\'; };
    std::size_t begin = code.rfind('\n', place);
    while (begin != code.npos && isContinued(begin))
        begin = code.rfind('\n', begin - 1);
    const auto first = code.find_first_not_of(" \t\r\n", begin == code.npos ? 0 : begin);
    if (code[first] != '#')
        return place;
    std::size_t end = code.find('\n', place);
    while (end != code.npos && isContinued(end))
        end = code.find('\n', end + 1);
    return std::min(end, code.size());
}

/// Whether a macro holds the function's name, which its uses make another one of.
bool isOfAMacro(std::string_view code, std::size_t mark)
{
    const std::size_t end = endOfDirective(code, mark);
    KernelDeclaration inside;
    readFunction(code.substr(mark, end - mark), inside);
    return !inside.name.empty();
}

std::string exampleOf(std::string_view parameter, std::string_view launchBounds)
{
    const auto name = parameter.substr(parameter.find_last_of(' ') + 1);
    if (launchBounds.substr(0, launchBounds.find(',')) == name)
        return std::to_string(kExampleThreads);
    const auto starts = [&](std::string_view word) {
        return parameter.starts_with(word) && (parameter.size() == word.size() || !isWord(parameter[word.size()]));
    };
    if (starts("class") || starts("typename"))
        return "float";
    if (starts("bool"))
        return "true";
    return starts(kTemplate) ? "..." : exampleNumber(name);
}

/// Where a place stands among branches of the preprocessor: which branch of which #if.
std::map<std::size_t, int> branchesAt(std::string_view code, std::size_t place)
{
    std::vector<std::pair<std::size_t, int>> open;
    for (std::size_t line = 0; line < place; line = std::min(code.find('\n', line), code.size() - 1) + 1) {
        const auto mark = code.find_first_not_of(" \t", line);
        const auto word = mark == code.npos || code[mark] != '#' ? code.npos : code.find_first_not_of(" \t", mark + 1);
        const std::string_view name = word == code.npos ? "" : code.substr(word);
        if (name.starts_with("if"))
            open.emplace_back(line, 0);
        else if (name.starts_with("el") && !open.empty())
            ++open.back().second;
        else if (name.starts_with("endif") && !open.empty())
            open.pop_back();
    }
    return { open.begin(), open.end() };
}

/// Whether the preprocessor keeps one of two places at most.
bool areAlternatives(std::string_view code, std::size_t one, std::size_t other)
{
    const std::map<std::size_t, int> ofOther = branchesAt(code, other);
    return std::ranges::any_of(branchesAt(code, one), [&](const auto& branch) {
        const auto same = ofOther.find(branch.first);
        return same != ofOther.end() && same->second != branch.second;
    });
}

/// The types of its parameters, whatever its template's are called.
std::vector<std::string> typesOf(const KernelDeclaration& kernel)
{
    std::vector<std::string> places, types;
    for (std::size_t i = 0; i < kernel.templateParameters.size(); ++i)
        places.push_back("$" + std::to_string(i));
    for (const std::string& parameter : kernel.parameters)
        types.push_back(withTemplateValues(typeOfParameter(parameter), kernel, places));
    return types;
}

} // namespace

std::string exampleNumber(std::string_view name)
{
    constexpr std::array<std::string_view, 9> kThreads { "block", "blocksize", "blockdim", "blockdimx", "blockthreads", "threads", "nthreads", "numthreads", "threadsperblock" };
    std::string plain;
    for (const char letter : name)
        if (letter != '_')
            plain += char(std::tolower(static_cast<unsigned char>(letter)));
    if (std::ranges::find(kThreads, plain) != kThreads.end())
        return std::to_string(kExampleThreads);
    if (plain.starts_with("log"))
        return std::to_string(std::bit_width(unsigned(kExampleThreads))); // two elements a thread
    constexpr std::array<std::pair<std::string_view, const char*>, 8> kNamed { { { "warpsize", "32" }, { "headdim", "64" }, { "bm", "64" }, { "bn", "64" }, { "bk", "8" }, { "tm", "8" }, { "tn", "8" }, { "ts", "16" } } };
    const auto* const named = std::ranges::find(kNamed, plain, &std::pair<std::string_view, const char*>::first);
    return named != kNamed.end() ? named->second : plain.starts_with("tile") && plain.find("per") == plain.npos ? "16" : "4";
}

std::string_view nameOfTemplateParameter(std::string_view parameter)
{
    parameter = parameter.substr(0, parameter.find('='));
    const auto last = parameter.find_last_not_of(' ');
    parameter = parameter.substr(0, last == parameter.npos ? 0 : last + 1);
    const auto before = parameter.find_last_of(" .");
    return before == parameter.npos ? parameter : parameter.substr(before + 1);
}

std::string withTemplateValues(std::string_view text, const KernelDeclaration& kernel, std::span<const std::string> given)
{
    std::map<std::string_view, std::string_view> values;
    for (std::size_t i = 0; i < kernel.templateParameters.size(); ++i) {
        const std::string_view parameter = kernel.templateParameters[i];
        const std::size_t equals = parameter.find('=');
        if (i < given.size())
            values.emplace(nameOfTemplateParameter(parameter), given[i]);
        else if (equals != parameter.npos)
            values.emplace(nameOfTemplateParameter(parameter), parameter.substr(std::min(parameter.find_first_not_of(' ', equals + 1), parameter.size())));
    }
    std::string result;
    std::size_t end = 0;
    for (const Token& token : tokensOf(text)) {
        result += text.substr(end, token.offset - end);
        const auto known = values.find(token.text);
        result += known == values.end() || known->second.empty() ? token.text : known->second;
        end = token.end();
    }
    return result;
}

std::string typeOfParameter(std::string_view parameter)
{
    static constexpr auto kLeft = std::to_array<std::string_view>({ "__restrict__", "__restrict", "restrict", "__grid_constant__" });
    static constexpr auto kOfTypes = std::to_array<std::string_view>({ "const", "volatile", "unsigned", "signed", "long", "short", "int", "char", "float", "double", "bool" });
    std::vector<Token> tokens = tokensOf(parameter.substr(0, parameter.find('=')));
    std::erase_if(tokens, [](const Token& token) { return isOneOf(token.text, kLeft); });
    const auto extents = std::ranges::find_if(tokens, [](const Token& token) { return token.is("["); });
    const bool isArray = extents != tokens.end();
    tokens.erase(extents, tokens.end());
    const auto isOfType = [&](const Token& token) { return token.isWord() && !token.is("const") && !token.is("volatile"); };
    if (std::ranges::count_if(tokens, isOfType) > 1 && tokens.back().isWord() && !isOneOf(tokens.back().text, kOfTypes) && !tokens[tokens.size() - 2].is("::"))
        tokens.pop_back(); // its name
    return plainText(tokens) + (isArray ? "*" : "");
}

std::string overloadOf(const KernelDeclaration& kernel, std::span<const std::string> given)
{
    if (!kernel.isOverloaded)
        return {};
    std::string types;
    for (const std::string& parameter : kernel.parameters)
        types += (types.empty() ? "" : ",") + withTemplateValues(typeOfParameter(parameter), kernel, given);
    return "(" + types + ")";
}

EntryName entryNameOf(std::string_view entry)
{
    const std::size_t last = entry.find_last_not_of(' ');
    if (last == entry.npos || entry[last] != ')')
        return { .kernel = entry, .parameters = {} };
    std::size_t open = last;
    for (int depth = 0; depth >= 0 && open > 0; depth -= entry[open] == '(')
        depth += entry[--open] == ')';
    return { .kernel = entry.substr(0, open), .parameters = entry.substr(open + 1, last - open - 1) };
}

std::vector<KernelDeclaration> kernelDeclarations(std::string_view text)
{
    std::vector<KernelDeclaration> kernels;
    std::vector<std::size_t> places;
    const std::string source = withKernelMacros(text);
    const std::string code = codeOnly(source);
    const std::string_view view = code;
    for (auto at = view.find(kMark); at != view.npos; at = view.find(kMark, at + kMark.size())) {
        const std::string_view before = view.substr(0, at);
        KernelDeclaration kernel {
            .name = {}, .scope = scopeAtEnd(before), .templateParameters = templateParameters(before), .parameters = {}
        };
        kernel.line = kernel.lastLine = int(std::count(source.begin(), source.begin() + std::ptrdiff_t(at), '\n')) + 1;
        readFunction(view.substr(at + kMark.size()), kernel);
        kernel.isSpecialization = kernel.isSpecialization || isInstantiation(before);
        if (kernel.name.empty() || isOfAMacro(view, at))
            continue;
        const auto isSame = [&](const KernelDeclaration& other) {
            const std::size_t place = places[std::size_t(&other - kernels.data())];
            return other.fullName() == kernel.fullName() && (kernel.isSpecialization || typesOf(kernel) == typesOf(other) || areAlternatives(view, place, at));
        };
        const auto known = std::ranges::find_if(kernels, isSame);
        if (known == kernels.end()) {
            kernels.push_back(std::move(kernel));
            places.push_back(at);
        } else if (kernel.isDefined && !known->isDefined) {
            *known = std::move(kernel);
        }
    }
    markOverloads(kernels);
    return kernels;
}

void markOverloads(std::span<KernelDeclaration> kernels)
{
    for (KernelDeclaration& kernel : kernels)
        kernel.isOverloaded = std::ranges::any_of(kernels, [&](const KernelDeclaration& other) {
            return other.fullName() == kernel.fullName() && (kernel.isTemplate() != other.isTemplate() || typesOf(kernel) != typesOf(other));
        });
}

std::string exampleEntry(const KernelDeclaration& kernel)
{
    std::string values;
    for (const std::string& parameter : kernel.templateParameters)
        if (parameter.find('=') == parameter.npos)
            values += (values.empty() ? "" : ",") + exampleOf(parameter, kernel.launchBounds);
    return kernel.fullName() + (kernel.isTemplate() ? "<" + values + ">" : "") + overloadOf(kernel, listed(values));
}

} // namespace coalescope::kernels
