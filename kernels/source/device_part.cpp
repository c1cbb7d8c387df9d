// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/device_part.h"

#include "kernels/compile/standard_headers.h"
#include "kernels/source/declarations.h"
#include "kernels/source/host_words.h"
#include "kernels/source/kernel_macros.h"
#include "kernels/source/tensor_library.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

namespace coalescope::kernels {
namespace {

constexpr auto kMarksOfKernels = std::to_array<std::string_view>({ "__global__" });
constexpr auto kMarksOfDevice = std::to_array<std::string_view>({ "__global__", "__device__", "__constant__", "__managed__", "__shared__" });

/// What headers of containers have of <iterator>.
constexpr auto kOfStdAlone = std::to_array<std::string_view>({ "numeric_limits", "is_same", "is_same_v", "enable_if", "enable_if_t", "conditional_t", "integral_constant" }); ///< names that nothing but std has
constexpr auto kOfRanges = std::to_array<std::string_view>({ "size", "ssize", "data", "empty", "begin", "end" });
constexpr auto kHaveRanges = std::to_array<std::string_view>({ "vector", "string", "string_view", "deque", "unordered_map" });

bool isConditional(std::string_view directive)
{
    return directive.starts_with("if") || directive.starts_with("el") || directive == "endif";
}

std::span<const Token> tokensIn(const std::vector<Token>& tokens, std::size_t first, std::size_t last)
{
    return std::span(tokens).subspan(first, last - first);
}

void blank(std::string& text, std::size_t begin, std::size_t end)
{
    std::replace_if(text.begin() + std::ptrdiff_t(begin), text.begin() + std::ptrdiff_t(end), [](char c) { return c != '\n'; }, ' ');
}

struct CutFile {
    std::vector<Token> tokens;
    std::vector<Declaration> declarations;
    std::vector<bool> kept;
};

/// Finds what kernels need, from name to name.
class DevicePart {
public:
    explicit DevicePart(std::span<const ProgramFile> files)
        : m_files(files)
    {
        for (const ProgramFile& file : files)
            m_texts.push_back(withKernelMacros(withWholeLaunchMarks(std::string(file.text))));
        for (const std::string& text : m_texts) {
            CutFile cut { .tokens = tokensOf(text) };
            cut.declarations = declarationsOf(cut.tokens);
            cut.kept.assign(cut.declarations.size(), false);
            m_cut.push_back(std::move(cut));
        }
        readMacros();
        readNamespaces();
        m_marksOfKernels = withMacros(kMarksOfKernels);
        m_marksOfDevice = withMacros(kMarksOfDevice);
        for (std::size_t file = 0; file < m_cut.size(); ++file)
            for (std::size_t i = 0; i < m_cut[file].declarations.size(); ++i)
                for (const std::string_view name : m_cut[file].declarations[i].names)
                    m_places[name].emplace_back(file, i);
    }

    void keepWhatKernelsNeed(const std::vector<Token>& mentioned, std::string_view onlyKernel)
    {
        for (std::size_t file = 0; file < m_cut.size(); ++file)
            for (std::size_t i = 0; i < m_cut[file].declarations.size(); ++i)
                if (isRoot(m_cut[file], m_cut[file].declarations[i], onlyKernel))
                    keep(file, i);
        follow(mentioned);
        while (!m_waiting.empty() || !m_waitingCode.empty()) {
            if (!m_waitingCode.empty()) {
                const std::span<const Token> code = m_waitingCode.back();
                m_waitingCode.pop_back();
                follow(code);
                continue;
            }
            const auto [file, i] = m_waiting.back();
            m_waiting.pop_back();
            for (const auto& [first, last] : keptParts(m_cut[file], m_cut[file].declarations[i]))
                follow(tokensIn(m_cut[file].tokens, first, last));
        }
    }

    [[nodiscard]] std::string textOf(std::size_t file) const
    {
        const CutFile& cut = m_cut[file];
        std::string text = m_texts[file];
        for (std::size_t i = 0; i < cut.declarations.size(); ++i) {
            const Declaration& declaration = cut.declarations[i];
            if (declaration.kind == DeclarationKind::Directive)
                blankInclude(text, cut.tokens[declaration.first]);
            else if (!cut.kept[i] && declaration.kind != DeclarationKind::UsingNamespace)
                blankTokens(text, cut.tokens, declaration.first, declaration.last);
            else if (declaration.kind == DeclarationKind::UsingNamespace && !keepsUsing(cut, declaration))
                blankTokens(text, cut.tokens, declaration.first, declaration.last);
            else
                blankMembers(text, cut, declaration);
        }
        return text;
    }

private:
    using Range = std::pair<std::size_t, std::size_t>; ///< of tokens

    void readMacros()
    {
        for (const CutFile& cut : m_cut) {
            for (const Token& token : cut.tokens)
                if (const auto definition = definitionOf(token))
                    std::ranges::copy(definition->tokens, std::back_inserter(m_macros[definition->name]));
        }
    }

    void readNamespaces()
    {
        for (const CutFile& cut : m_cut) {
            for (std::size_t i = 0; i + 1 < cut.tokens.size(); ++i) {
                m_hasHostHeader = m_hasHostHeader || isHeaderForHost(includedName(cut.tokens[i]));
                if (cut.tokens[i].is("namespace") && (i == 0 || !cut.tokens[i - 1].is("using")))
                    for (std::size_t at = i + 1; at < cut.tokens.size() && (cut.tokens[at].isWord() || cut.tokens[at].is("::")); ++at)
                        m_namespaces.insert(cut.tokens[at].text);
            }
        }
    }

    /// The words, and macros that come to one of them.
    [[nodiscard]] std::set<std::string_view> withMacros(std::span<const std::string_view> words) const
    {
        std::set<std::string_view> found(words.begin(), words.end());
        for (int round = 0; round < 16; ++round) {
            const std::size_t before = found.size();
            for (const auto& [name, body] : m_macros)
                if (mentions(body, found))
                    found.insert(name);
            if (found.size() == before)
                break;
        }
        return found;
    }

    [[nodiscard]] static bool mentions(std::span<const Token> code, const std::set<std::string_view>& words)
    {
        return std::ranges::any_of(code, [&](const Token& token) { return token.isWord() && words.contains(token.text); });
    }

    [[nodiscard]] static std::span<const Token> headOf(const CutFile& cut, const Declaration& declaration)
    {
        return tokensIn(cut.tokens, declaration.first, declaration.hasBody() ? declaration.bodyFirst : declaration.last);
    }

    [[nodiscard]] bool isRoot(const CutFile& cut, const Declaration& declaration, std::string_view onlyKernel) const
    {
        if (declaration.kind == DeclarationKind::Directive || declaration.kind == DeclarationKind::UsingNamespace
            || declaration.kind == DeclarationKind::Type)
            return false;
        const std::span<const Token> head = headOf(cut, declaration);
        if (mentions(head, m_marksOfKernels))
            return onlyKernel.empty() || std::ranges::find(declaration.names, onlyKernel) != declaration.names.end();
        // Nobody calls an operator by its name.
        const bool isOperator = std::ranges::find(declaration.names, "operator") != declaration.names.end();
        return isOperator && (isOfDevice(cut, declaration) || !isForHost(tokensIn(cut.tokens, declaration.first, declaration.last)));
    }

    [[nodiscard]] bool isOfDevice(const CutFile& cut, const Declaration& declaration) const
    {
        return mentions(headOf(cut, declaration), m_marksOfDevice);
    }

    void keep(std::size_t file, std::size_t i)
    {
        if (m_cut[file].kept[i])
            return;
        m_cut[file].kept[i] = true;
        m_waiting.emplace_back(file, i);
    }

    /// Keeps what the words of the code name.
    void follow(std::span<const Token> code)
    {
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (!code[i].isWord())
                continue;
            m_usesStd = m_usesStd || code[i].text == "std" || isOneOf(code[i].text, kOfStdAlone);
            m_usesRanges = m_usesRanges || (i >= 2 && code[i - 1].is("::") && code[i - 2].is("std") && isOneOf(code[i].text, kOfRanges));
            m_usesCub = m_usesCub || code[i].text == "cub";
            const bool isCalled = i + 1 == code.size() || code[i + 1].is("(") || code[i + 1].is("<") || code[i + 1].is("::")
                || (i > 0 && code[i - 1].is("&"));
            followName(code[i].text, isCalled);
        }
    }

    void followName(std::string_view name, bool isCalled)
    {
        if (const auto macro = m_macros.find(name); macro != m_macros.end() && m_followed.insert(name).second)
            m_waitingCode.push_back(macro->second);
        const auto places = m_places.find(name);
        if (places == m_places.end())
            return;
        for (const auto& [file, i] : places->second) {
            const CutFile& cut = m_cut[file];
            const Declaration& declaration = cut.declarations[i];
            const bool isMarked = isOfDevice(cut, declaration);
            const bool isType = declaration.kind == DeclarationKind::Type;
            if (declaration.kind == DeclarationKind::Function && !isMarked && !isCalled)
                continue; // a variable of that name
            if (isMarked || isType || !isForHost(tokensIn(cut.tokens, declaration.first, declaration.last)))
                keep(file, i);
        }
    }

    /// Members of a kept type that only the host can compile.
    [[nodiscard]] std::vector<Range> hostMembers(const CutFile& cut, const Declaration& type) const
    {
        std::vector<Range> found;
        if (type.kind != DeclarationKind::Type || !type.hasBody())
            return found;
        for (const Declaration& member : declarationsOf(cut.tokens, type.bodyFirst, type.bodyLast)) {
            if (member.kind == DeclarationKind::Function && !isOfDevice(cut, member) && isForHost(tokensIn(cut.tokens, member.first, member.last)))
                found.emplace_back(member.first, member.last);
        }
        return found;
    }

    [[nodiscard]] std::vector<Range> keptParts(const CutFile& cut, const Declaration& declaration) const
    {
        std::vector<Range> parts;
        std::size_t at = declaration.first;
        for (const auto& [first, last] : hostMembers(cut, declaration)) {
            parts.emplace_back(at, first);
            at = last;
        }
        parts.emplace_back(at, declaration.last);
        return parts;
    }

    [[nodiscard]] bool keepsUsing(const CutFile& cut, const Declaration& declaration) const
    {
        const std::string_view name = declaration.names.empty() ? std::string_view {} : declaration.names.back();
        const bool isStd = std::ranges::any_of(tokensIn(cut.tokens, declaration.first, declaration.last),
            [](const Token& token) { return token.is("std") || token.is("thrust"); });
        static constexpr std::string_view kOfHeadersForKernels[] = { "cooperative_groups", "nvcuda", "wmma", "cuda", "cub", "cute", "cutlass", "at", "torch", "c10" };
        const bool isOfHost = m_hasHostHeader && !m_namespaces.contains(name) && std::ranges::find(kOfHeadersForKernels, name) == std::end(kOfHeadersForKernels);
        return isStd ? name == "std" && m_usesStd : !isOfHost;
    }

    /// What stays of an #include: files of the user's, and headers that kernels can use.
    void blankInclude(std::string& text, const Token& directive) const
    {
        const std::string_view name = includedName(directive);
        const auto isNamed = [&](const ProgramFile& file) { return std::ranges::find(file.names, name) != file.names.end(); };
        if (name.empty() || std::ranges::any_of(m_files, isNamed))
            return;
        if (isTensorHeader(name))
            return replaceInclude(text, directive, kTensors);
        if (m_usesRanges && isOneOf(name, kHaveRanges))
            return replaceInclude(text, directive, "array");
        const bool isQuoted = partsOf(directive).rest.starts_with('"');
        const bool isKept = name.starts_with("cub/") ? m_usesCub
            : isHeaderForKernels(name)               ? true
                                                     : isQuoted && !isHeaderForHost(name); // missing, and to be told
        if (!isKept)
            blank(text, directive.offset, directive.end());
    }

    static void replaceInclude(std::string& text, const Token& directive, std::string_view header)
    {
        const std::string standIn = "#include <" + std::string(header) + ">";
        blank(text, directive.offset, directive.end());
        if (standIn.size() <= directive.text.size())
            text.replace(directive.offset, standIn.size(), standIn);
    }

    /// All but #if and its kin, which may begin or end elsewhere, and macros.
    static void blankTokens(std::string& text, const std::vector<Token>& tokens, std::size_t first, std::size_t last)
    {
        std::size_t begin = tokens[first].offset;
        for (std::size_t i = first; i < last; ++i) {
            if (tokens[i].kind != TokenKind::Directive)
                continue;
            const std::string_view name = partsOf(tokens[i]).name;
            if (!isConditional(name) && name != "define" && name != "undef")
                continue;
            blank(text, begin, tokens[i].offset);
            begin = tokens[i].end();
        }
        if (const std::size_t end = tokens[last - 1].end(); end > begin)
            blank(text, begin, end);
    }

    void blankMembers(std::string& text, const CutFile& cut, const Declaration& declaration) const
    {
        for (const auto& [first, last] : hostMembers(cut, declaration))
            blankTokens(text, cut.tokens, first, last);
    }

    const std::span<const ProgramFile> m_files;
    std::vector<std::string> m_texts; ///< with kernels where macros make some
    std::vector<CutFile> m_cut;
    std::map<std::string_view, std::vector<Token>> m_macros; ///< what they stand for, of all definitions
    std::map<std::string_view, std::vector<std::pair<std::size_t, std::size_t>>> m_places; ///< file, declaration
    std::vector<std::pair<std::size_t, std::size_t>> m_waiting;
    std::vector<std::span<const Token>> m_waitingCode; ///< what macros stand for
    std::set<std::string_view> m_followed;
    std::set<std::string_view> m_marksOfKernels, m_marksOfDevice;
    bool m_usesStd = false, m_usesCub = false, m_usesRanges = false;
    std::set<std::string_view> m_namespaces; ///< that the files have
    bool m_hasHostHeader = false; ///< a file includes one of a library for the host
};

/// `constexpr int NAME = value, OTHER = value;`, which no body belongs to.
bool givesValue(const std::vector<Token>& tokens, const Declaration& declaration)
{
    const std::span<const Token> code = tokensIn(tokens, declaration.first, declaration.last);
    const auto has = [&](std::string_view word) { return std::ranges::any_of(code, [&](const Token& token) { return token.is(word); }); };
    return declaration.kind == DeclarationKind::Other && !declaration.names.empty() && has("=") && (has("const") || has("constexpr"))
        && !has("[") && !has("template");
}

/// For each token, whether #if decides if it counts; an #ifndef whose name the next line defines does not.
std::vector<bool> conditionals(const std::vector<Token>& tokens)
{
    std::vector<bool> found(tokens.size());
    std::vector<bool> open;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == TokenKind::Directive) {
            const auto [name, rest] = partsOf(tokens[i]);
            if (name == "endif" && !open.empty())
                open.pop_back();
            if (name.starts_with("if")) {
                const auto next = i + 1 < tokens.size() ? definitionOf(tokens[i + 1]) : std::nullopt;
                const std::vector<Token> asked = tokensOf(rest);
                open.push_back(!(name == "ifndef" && next && !asked.empty() && asked[0].is(next->name)));
            }
        }
        found[i] = std::ranges::find(open, true) != open.end();
    }
    return found;
}

/// The values of a declaration's variables that are given.
void replaceVariables(const std::vector<Token>& tokens, const Declaration& declaration, const GivenValues& values, std::set<std::string>& found,
    std::vector<Replacement>& replacements)
{
    std::size_t at = declaration.first;
    while (at < declaration.last && std::ranges::find(declaration.names, tokens[at].text) == declaration.names.end())
        ++at; // the type
    for (std::size_t end = 0; at < declaration.last; at = end + 1) {
        end = at;
        std::size_t value = 0;
        while (end < declaration.last && !tokens[end].is(",") && !tokens[end].is(";")) {
            value = value == 0 && tokens[end].is("=") ? end + 1 : value;
            end = tokens[end].opens() ? behindBracket(tokens, end) : end + 1;
        }
        const auto given = values.find(tokens[at].text);
        if (given == values.end() || value == 0 || value >= end)
            continue;
        found.insert(given->first);
        replacements.push_back({ tokens[value].offset, tokens[end - 1].end(), given->second });
    }
}

} // namespace

bool holdsHostCode(std::string_view source)
{
    const std::vector<Token> tokens = tokensOf(source);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == TokenKind::Directive ? isHeaderForHost(includedName(tokens[i])) : tokens[i].is("<<<"))
            return true;
        if (i + 1 < tokens.size() && tokens[i + 1].is("(")
            && (tokens[i].is("main") || (tokens[i].isWord() && isForHost(std::span(&tokens[i], 1)))))
            return true;
    }
    return false;
}

std::vector<std::string> deviceParts(std::span<const ProgramFile> files, std::string_view mentioned, std::string_view onlyKernel)
{
    DevicePart part(files);
    part.keepWhatKernelsNeed(tokensOf(mentioned), onlyKernel);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < files.size(); ++i)
        texts.push_back(part.textOf(i));
    return texts;
}

std::string withValues(std::string_view source, const GivenValues& values, std::set<std::string>& found)
{
    if (std::ranges::none_of(values, [&](const auto& value) { return source.find(value.first) != source.npos; }))
        return std::string(source);
    const std::vector<Token> tokens = tokensOf(source);
    const std::vector<bool> isConditional = conditionals(tokens);
    std::vector<Replacement> replacements;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto definition = definitionOf(tokens[i]);
        const auto given = definition && !definition->takesArguments ? values.find(definition->name) : values.end();
        if (given == values.end())
            continue;
        if (isConditional[i]) { // the compiler is told before
            replacements.push_back({ tokens[i].offset, tokens[i].end(), {} });
            continue;
        }
        found.insert(given->first);
        const std::size_t behindName = std::size_t(definition->name.data() - source.data()) + definition->name.size();
        replacements.push_back({ behindName, tokens[i].end(), " " + given->second });
    }
    for (const Declaration& declaration : declarationsOf(tokens)) {
        if (givesValue(tokens, declaration))
            replaceVariables(tokens, declaration, values, found, replacements);
    }
    return replaced(source, std::move(replacements));
}

std::string withInitialisers(
    std::string_view source, std::span<const std::pair<std::string, std::string>> values, std::set<std::string>& found)
{
    if (std::ranges::none_of(values, [&](const auto& value) { return source.find(value.first) != source.npos; }))
        return std::string(source);
    const std::vector<Token> tokens = tokensOf(source);
    std::vector<Replacement> replacements;
    for (const Declaration& declaration : declarationsOf(tokens)) {
        const auto isOfTheGpu = [](const Token& token) { return token.is("__constant__") || token.is("__device__"); };
        if (declaration.hasBody() || std::ranges::none_of(tokensIn(tokens, declaration.first, declaration.last), isOfTheGpu))
            continue;
        for (std::size_t i = declaration.first; i < declaration.last; ++i) {
            const auto value = std::ranges::find(values, tokens[i].text, &std::pair<std::string, std::string>::first);
            if (!tokens[i].isWord() || value == values.end())
                continue;
            std::size_t end = i + 1;
            while (end < declaration.last && tokens[end].is("["))
                end = behindBracket(tokens, end);
            std::size_t behind = end; // what it has now
            if (behind < declaration.last && tokens[behind].is("="))
                while (behind < declaration.last && !tokens[behind].is(",") && !tokens[behind].is(";"))
                    behind = tokens[behind].opens() ? behindBracket(tokens, behind) : behind + 1;
            if (behind < tokens.size() && (tokens[behind].is(";") || tokens[behind].is(",")) && found.insert(value->first).second)
                replacements.push_back({ tokens[end - 1].end(), tokens[behind - 1].end(), " = " + value->second });
        }
    }
    return replaced(source, std::move(replacements));
}

} // namespace coalescope::kernels
