// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/program_text.h"

#include "kernels/source/host_words.h"
#include "kernels/source/symbolic.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kDeepestMacro = 64; ///< in other macros

constexpr auto kPredefined = std::to_array<std::string_view>({ "__CUDACC__", "__NVCC__", "__cplusplus", "__linux__", "__GNUC__" });

/// Commas that stand in no brackets part the arguments.
std::vector<std::vector<Token>> argumentsIn(const std::vector<Token>& tokens, std::size_t first, std::size_t last)
{
    std::vector<std::vector<Token>> arguments(1);
    int depth = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Token& token = tokens[i];
        depth += token.is("(") || token.is("[") || token.is("{");
        depth -= token.is(")") || token.is("]") || token.is("}");
        if (token.is(",") && depth == 0)
            arguments.emplace_back();
        else
            arguments.back().push_back(token);
    }
    return arguments;
}

/// Makes two declarations of `static struct Limits { ... } limits = { ... };`, of the type and of what is of it. A type without a name
/// gets one, which is kept in `names`.
class TypesApart {
public:
    TypesApart(const std::vector<Token>& tokens, std::deque<std::string>& names)
        : m_tokens(tokens)
        , m_names(names)
    {
    }

    std::vector<Token> made()
    {
        copy(0, m_tokens.size());
        return std::move(m_made);
    }

private:
    static constexpr auto kQualifiers = std::to_array<std::string_view>({ "static", "const", "constexpr", "inline", "volatile", "thread_local", "mutable" });

    [[nodiscard]] bool is(std::size_t at, std::string_view mark) const { return at < m_tokens.size() && m_tokens[at].is(mark); }
    [[nodiscard]] bool isWord(std::size_t at) const { return at < m_tokens.size() && m_tokens[at].isWord(); }

    void copy(std::size_t first, std::size_t last)
    {
        bool begins = true;
        for (std::size_t at = first; at < last;) {
            const std::size_t behind = begins ? taken(at, last) : at;
            if (behind > at) {
                at = behind;
                begins = false;
                continue;
            }
            begins = is(at, ";") || is(at, "{") || is(at, "}") || (is(at, ":") && at > first && isOneOf(m_tokens[at - 1].text, kAccess)) || m_tokens[at].kind == TokenKind::Directive;
            m_made.push_back(m_tokens[at++]);
        }
    }

    /// Copies the type at `at`, and what the declaration behind it begins with: the index behind it; `at` where there is none.
    std::size_t taken(std::size_t at, std::size_t last)
    {
        std::size_t type = at;
        while (type < last && isOneOf(m_tokens[type].text, kQualifiers))
            ++type;
        if (!is(type, "struct") && !is(type, "class"))
            return at;
        std::size_t name = type + 1;
        while (is(name, "__align__") || is(name, "alignas") || is(name, "__attribute__"))
            name = behindBracket(m_tokens, name + 1);
        std::size_t open = name;
        while (open < last && !is(open, "{") && !is(open, ";") && !is(open, "=") && !is(open, "("))
            ++open;
        const std::size_t close = is(open, "{") ? behindBracket(m_tokens, open) : last;
        if (close >= last || !(isWord(close) || is(close, "*")))
            return at;
        const bool isNamed = isWord(name);
        Token known = m_tokens[isNamed ? name : type];
        if (!isNamed)
            known.text = m_names.emplace_back("unnamed_" + std::to_string(m_names.size()));
        m_made.insert(m_made.end(), m_tokens.begin() + std::ptrdiff_t(type), m_tokens.begin() + std::ptrdiff_t(name));
        if (!isNamed)
            m_made.push_back(known);
        m_made.insert(m_made.end(), m_tokens.begin() + std::ptrdiff_t(name), m_tokens.begin() + std::ptrdiff_t(open));
        m_made.push_back(m_tokens[open]);
        copy(open + 1, close - 1);
        m_made.push_back(m_tokens[close - 1]);
        m_made.push_back({ TokenKind::Mark, ";", m_tokens[close - 1].offset });
        m_made.insert(m_made.end(), m_tokens.begin() + std::ptrdiff_t(at), m_tokens.begin() + std::ptrdiff_t(type));
        m_made.push_back(known);
        return close;
    }

    static constexpr auto kAccess = std::to_array<std::string_view>({ "public", "private", "protected" });

    const std::vector<Token>& m_tokens;
    std::deque<std::string>& m_names;
    std::vector<Token> m_made;
};

bool isIn(const ProgramFile& file, const Token& token)
{
    return token.text.data() >= file.text.data() && token.text.data() < file.text.data() + file.text.size();
}

/// In capitals, as macros are written.
bool namesMacro(const Token& token)
{
    const auto isOfMacros = [](char c) { return c == '_' || std::isdigit(static_cast<unsigned char>(c)) || std::isupper(static_cast<unsigned char>(c)); };
    return token.isWord() && token.text.size() > 1 && std::isupper(static_cast<unsigned char>(token.text[0])) && std::ranges::all_of(token.text, isOfMacros);
}

/// Ends the statements that macros on lines of their own are which are not there to be replaced, and have no ; behind them: `START_TIMER(x)`.
std::vector<Token> withMacrosEnded(const std::vector<Token>& tokens, std::span<const ProgramFile> files)
{
    const auto isLineBetween = [&](const Token& one, const Token& other) {
        const auto file = std::ranges::find_if(files, [&](const ProgramFile& of) { return isIn(of, one) && isIn(of, other); });
        return file != files.end() && one.end() <= other.offset && file->text.substr(one.end(), other.offset - one.end()).find('\n') != std::string_view::npos;
    };
    std::vector<Token> made;
    made.reserve(tokens.size());
    std::size_t ended = 0; // behind such a macro
    bool begins = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i == ended && i > 0) {
            made.push_back({ TokenKind::Mark, ";", tokens[i - 1].offset });
            begins = true;
        }
        if (begins && namesMacro(tokens[i])) {
            const std::size_t behind = i + 1 < tokens.size() && tokens[i + 1].is("(") ? behindBracket(tokens, i + 1) : i + 1;
            if (behind < tokens.size() && tokens[behind].isWord() && isLineBetween(tokens[behind - 1], tokens[behind]))
                ended = behind;
        }
        begins = tokens[i].is(";") || tokens[i].is("{") || tokens[i].is("}");
        made.push_back(tokens[i]);
    }
    return made;
}

/// An expression of the preprocessor, without names.
class Condition {
public:
    explicit Condition(std::vector<Token> tokens)
        : m_tokens(std::move(tokens))
    {
    }

    std::int64_t value() { return binary(0); }

private:
    [[nodiscard]] bool at(std::string_view mark) const { return m_at < m_tokens.size() && m_tokens[m_at].is(mark); }

    std::int64_t primary()
    {
        if (m_at >= m_tokens.size() || ++m_depth > 200)
            return 0;
        const Token& token = m_tokens[m_at++];
        if (token.is("!"))
            return !primary();
        if (token.is("-"))
            return applied("-", Symbolic::ofInteger(primary())).integer;
        if (token.is("(")) {
            const std::int64_t inner = binary(0);
            m_at += at(")") ? 1 : 0;
            return inner;
        }
        return token.kind == TokenKind::Number ? literal(token.text).integer : 0;
    }

    std::int64_t binary(std::size_t level)
    {
        static constexpr auto kLevels = std::to_array<std::array<std::string_view, 4>>({ { "||" }, { "&&" }, { "==", "!=" },
            { "<", ">", "<=", ">=" }, { "+", "-" }, { "*", "/", "%" } });
        if (level == kLevels.size())
            return primary();
        std::int64_t left = binary(level + 1);
        for (;;) {
            const auto op = std::ranges::find_if(kLevels[level], [&](std::string_view mark) { return !mark.empty() && at(mark); });
            if (op == kLevels[level].end())
                return left;
            ++m_at;
            left = applied(*op, Symbolic::ofInteger(left), Symbolic::ofInteger(binary(level + 1))).integer;
        }
    }

    const std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
};

/// Files with launches as withWholeLaunchMarks() writes them; `texts` holds those of which something has changed.
std::vector<ProgramFile> ofWholeMarks(std::vector<ProgramFile> files, std::deque<std::string>& texts)
{
    for (ProgramFile& file : files)
        if (std::string text = withWholeLaunchMarks(std::string(file.text)); text != file.text)
            file.text = texts.emplace_back(std::move(text));
    return files;
}

} // namespace

ProgramText::ProgramText(std::vector<ProgramFile> files)
    : m_files(ofWholeMarks(std::move(files), m_texts))
    , m_read(m_files.size(), false)
{
    for (std::size_t file = 0; file < m_files.size(); ++file)
        if (m_files[file].isLibrary && m_files[file].names.empty()) // what no #include names is there from the start
            readFile(file);
    for (std::size_t file = 0; file < m_files.size(); ++file)
        if (file == 0 || m_files[file].isUnit)
            readFile(file);
    m_tokens = withMacrosEnded(TypesApart(m_tokens, m_pasted).made(), m_files);
    m_programEnd = m_tokens.size();
    for (const auto& [name, macro] : m_macros) {
        if (!namesNumber(macro))
            continue;
        m_constants[name] = { m_tokens.size(), m_tokens.size() + macro.body.size() };
        m_tokens.insert(m_tokens.end(), macro.body.begin(), macro.body.end());
    }
}

std::optional<std::pair<std::size_t, std::size_t>> ProgramText::constant(std::string_view name) const
{
    const auto found = m_constants.find(name);
    return found == m_constants.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string_view> ProgramText::constantNames() const
{
    std::vector<std::string_view> names;
    for (const auto& [name, range] : m_constants)
        names.push_back(name);
    return names;
}

std::map<std::string, std::string, std::less<>> ProgramText::renamings() const
{
    std::map<std::string, std::string, std::less<>> renamings;
    for (const auto& [name, macro] : m_macros)
        if (!macro.parameters && macro.body.size() == 1 && macro.body[0].isWord())
            renamings.emplace(name, macro.body[0].text);
    return renamings;
}

int ProgramText::lineOf(const Token& token) const
{
    if (m_files.empty())
        return 0;
    const std::string_view text = m_files[fileOf(token)].text;
    if (token.text.data() < text.data() || token.text.data() >= text.data() + text.size())
        return 0;
    return 1 + int(std::count(text.data(), token.text.data(), '\n'));
}

bool ProgramText::isOfLibrary(const Token& token) const
{
    return std::ranges::any_of(m_files, [&](const ProgramFile& file) { return file.isLibrary && isIn(file, token); });
}

std::size_t ProgramText::fileOf(const Token& token) const
{
    const auto found = std::ranges::find_if(m_files, [&](const ProgramFile& file) { return !file.isLibrary && isIn(file, token); });
    return found == m_files.end() ? 0 : std::size_t(found - m_files.begin());
}

void ProgramText::readFile(std::size_t file)
{
    if (m_read[file] || m_open.size() > 32)
        return;
    m_read[file] = true;
    m_open.push_back(file);
    struct Branch {
        bool taken = false, was = false, outer = true;
    };
    std::vector<Branch> branches;
    const auto isActive = [&] { return branches.empty() || (branches.back().taken && branches.back().outer); };
    std::vector<Token> stretch; // what one #define after the other may change is replaced before
    const auto flush = [&] {
        const std::vector<Token> tokens = expanded(stretch, {});
        m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
        stretch.clear();
    };
    for (const Token& token : tokensOf(m_files[file].text)) {
        if (token.kind != TokenKind::Directive) {
            if (isActive())
                stretch.push_back(token);
            continue;
        }
        const std::string_view name = partsOf(token).name;
        if (name.starts_with("if")) {
            const bool outer = isActive(), taken = outer && holds(token);
            branches.push_back({ taken, taken, outer });
        } else if (name.starts_with("el") && !branches.empty()) {
            Branch& branch = branches.back();
            branch.taken = !branch.was && (name == "else" || (branch.outer && holds(token)));
            branch.was = branch.was || branch.taken;
        } else if (name == "endif" && !branches.empty()) {
            branches.pop_back();
        } else if (isActive()) {
            flush();
            readDirective(token);
        }
    }
    flush();
    m_open.pop_back();
}

void ProgramText::readDirective(const Token& directive)
{
    const auto [name, rest] = partsOf(directive);
    if (name == "include")
        return readInclude(directive);
    if (name == "undef") {
        const std::vector<Token> words = tokensOf(rest);
        if (!words.empty())
            m_macros.erase(words[0].text);
    }
    const auto definition = definitionOf(directive);
    if (!definition)
        return;
    Macro macro;
    const std::vector<Token>& parts = definition->tokens;
    std::size_t body = 0;
    if (definition->takesArguments) {
        body = behindBracket(parts, 0);
        macro.parameters.emplace();
        for (std::size_t i = 1; i + 1 < body; ++i)
            if (parts[i].isWord() || parts[i].is("..."))
                macro.parameters->push_back(parts[i].is("...") ? "__VA_ARGS__" : parts[i].text);
    }
    macro.body.assign(parts.begin() + std::ptrdiff_t(body), parts.end());
    m_macros[definition->name] = std::move(macro);
}

void ProgramText::readInclude(const Token& directive)
{
    const std::string_view name = includedName(directive);
    for (std::size_t file = 1; file < m_files.size(); ++file) {
        if (std::ranges::find(m_files[file].names, name) != m_files[file].names.end())
            return readFile(file);
    }
}

bool ProgramText::holds(const Token& directive) const
{
    const auto [name, rest] = partsOf(directive);
    const std::vector<Token> parts = tokensOf(rest);
    const auto isDefined = [&](std::string_view word) {
        return m_macros.contains(word) || isOneOf(word, kPredefined);
    };
    if (name == "ifdef" || name == "ifndef")
        return !parts.empty() && isDefined(parts[0].text) == (name == "ifdef");
    std::vector<Token> condition;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].is("defined")) {
            condition.push_back(parts[i]);
            continue;
        }
        const bool brackets = i + 1 < parts.size() && parts[i + 1].is("(");
        const std::size_t word = i + (brackets ? 2 : 1);
        condition.push_back({ TokenKind::Number, word < parts.size() && isDefined(parts[word].text) ? "1" : "0", 0 });
        i = word + (brackets ? 1 : 0);
    }
    return conditionOf(std::move(condition)) != 0;
}

std::int64_t ProgramText::conditionOf(std::vector<Token> tokens, std::set<std::string_view> open) const
{
    std::vector<Token> numbers;
    for (const Token& token : expanded(tokens, {})) {
        const auto macro = token.isWord() && open.size() < 16 ? m_macros.find(token.text) : m_macros.end();
        if (macro == m_macros.end() || !namesNumber(macro->second) || open.contains(token.text) || --m_budget < 0) {
            numbers.push_back(token.is("__cplusplus") ? Token { TokenKind::Number, "201703", 0 } : token);
            continue;
        }
        std::set<std::string_view> inside = open;
        inside.insert(token.text);
        m_pasted.push_back(std::to_string(conditionOf(macro->second.body, inside)));
        numbers.push_back({ TokenKind::Number, m_pasted.back(), 0 });
    }
    return Condition(std::move(numbers)).value();
}

bool ProgramText::namesNumber(const Macro& macro) const
{
    if (macro.parameters || macro.body.empty())
        return false;
    return std::ranges::all_of(macro.body, [&](const Token& token) {
        if (!token.isWord())
            return token.kind == TokenKind::Number || token.kind == TokenKind::Mark;
        const auto other = m_macros.find(token.text);
        static constexpr auto kTypes = std::to_array<std::string_view>({ "sizeof", "float", "double", "int", "unsigned", "long", "size_t" });
        return other != m_macros.end() ? !other->second.parameters && !other->second.body.empty()
                                       : macro.body.size() > 1 && isOneOf(token.text, kTypes);
    });
}

std::vector<Token> ProgramText::expanded(const std::vector<Token>& tokens, std::set<std::string_view> open) const
{
    std::vector<Token> result;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const auto found = token.isWord() && !open.contains(token.text) ? m_macros.find(token.text) : m_macros.end();
        const bool isCalled = i + 1 < tokens.size() && tokens[i + 1].is("(");
        if (found == m_macros.end() || (found->second.parameters && !isCalled) || namesNumber(found->second) || open.size() >= kDeepestMacro || --m_budget < 0) {
            result.push_back(token);
            continue;
        }
        std::set<std::string_view> inside = open;
        inside.insert(token.text);
        std::vector<Token> replacement = found->second.body;
        if (found->second.parameters) {
            const std::size_t end = behindBracket(tokens, i + 1);
            replacement = substituted(found->second, argumentsIn(tokens, i + 2, end - 1), open);
            i = end - 1;
        }
        replacement = expanded(replacement, inside);
        result.insert(result.end(), replacement.begin(), replacement.end());
    }
    return result;
}

std::vector<Token> ProgramText::substituted(const Macro& macro, const std::vector<std::vector<Token>>& arguments, const std::set<std::string_view>& open) const
{
    const auto argumentOf = [&](const Token& token) -> std::optional<std::vector<Token>> { // as it is given
        const auto parameter = std::ranges::find(*macro.parameters, token.text);
        if (!token.isWord() || parameter == macro.parameters->end())
            return std::nullopt;
        const std::size_t index = std::size_t(parameter - macro.parameters->begin());
        std::vector<Token> argument = index < arguments.size() ? arguments[index] : std::vector<Token> {};
        for (std::size_t i = index + 1; token.is("__VA_ARGS__") && i < arguments.size(); ++i) {
            argument.push_back({ TokenKind::Mark, ",", 0 });
            argument.insert(argument.end(), arguments[i].begin(), arguments[i].end());
        }
        return argument;
    };
    std::vector<Token> result;
    for (std::size_t i = 0; i < macro.body.size(); ++i) {
        const Token& token = macro.body[i];
        if (token.is("##") && !result.empty() && i + 1 < macro.body.size()) {
            const auto argument = argumentOf(macro.body[++i]);
            const std::string_view right = argument ? (argument->empty() ? std::string_view {} : argument->front().text) : macro.body[i].text;
            m_pasted.push_back(std::string(result.back().text) + std::string(right));
            result.back().text = m_pasted.back();
        } else if (token.is("#") && i + 1 < macro.body.size()) {
            ++i;
            result.push_back({ TokenKind::Text, "\"\"", token.offset });
        } else if (const auto argument = argumentOf(token)) {
            const bool isPastedTo = i + 1 < macro.body.size() && macro.body[i + 1].is("##");
            const std::vector<Token> replaced = isPastedTo ? *argument : expanded(*argument, open);
            result.insert(result.end(), replaced.begin(), replaced.end());
        } else {
            result.push_back(token);
        }
    }
    return result;
}

} // namespace coalescope::kernels
