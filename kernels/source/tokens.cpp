// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace coalescope::kernels {
namespace {

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80); }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// Longer ones first. A > may close two lists of template arguments, so >> is none.
constexpr auto kMarks = std::to_array<std::string_view>({ "<<<", "...", "<<=", "<=>", "->*", "::", "->", "<<", "<=", ">=", "==", "!=",
    "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "##" });

constexpr std::size_t kLongestList = 4096; ///< tokens of template arguments

class Scanner {
public:
    explicit Scanner(std::string_view source)
        : m_source(source)
    {
    }

    std::vector<Token> scan()
    {
        while (m_at < m_source.size()) {
            const char c = m_source[m_at];
            if (c == '\n') {
                m_lineStart = true;
                ++m_at;
            } else if (isBlank(c) || startsWith("\\\n")) {
                m_at += isBlank(c) ? 1 : 2;
            } else if (const std::size_t end = commentEnd(m_at); end > m_at) {
                m_at = end;
            } else if (c == '#' && m_lineStart) {
                add(TokenKind::Directive, directiveEnd());
            } else {
                m_lineStart = false;
                scanToken(c);
            }
        }
        return std::move(m_tokens);
    }

private:
    [[nodiscard]] bool startsWith(std::string_view text) const { return m_source.substr(m_at).starts_with(text); }

    void add(TokenKind kind, std::size_t end)
    {
        m_tokens.push_back({ kind, m_source.substr(m_at, end - m_at), m_at });
        m_at = end;
    }

    void scanToken(char c)
    {
        if (const std::size_t end = rawTextEnd(); end > m_at)
            return add(TokenKind::Text, end);
        if (c == '"' || c == '\'')
            return add(TokenKind::Text, textEnd(m_at));
        if (isDigit(c) || (c == '.' && m_at + 1 < m_source.size() && isDigit(m_source[m_at + 1])))
            return add(TokenKind::Number, numberEnd());
        if (isWordStart(c)) {
            std::size_t end = m_at;
            while (end < m_source.size() && isWordPart(m_source[end]))
                ++end;
            return add(TokenKind::Word, end);
        }
        const auto mark = std::ranges::find_if(kMarks, [&](std::string_view text) { return startsWith(text); });
        add(TokenKind::Mark, m_at + (mark == kMarks.end() ? 1 : mark->size()));
    }

    /// The end of the comment at `at`; `at` where there is none.
    [[nodiscard]] std::size_t commentEnd(std::size_t at) const
    {
        const std::string_view rest = m_source.substr(at);
        if (rest.starts_with("//")) {
            std::size_t end = m_source.find('\n', at);
            while (end != m_source.npos && m_source[end - 1] == '\\')
                end = m_source.find('\n', end + 1);
            return std::min(end, m_source.size());
        }
        if (!rest.starts_with("/*"))
            return at;
        const std::size_t end = m_source.find("*/", at + 2);
        return end == m_source.npos ? m_source.size() : end + 2;
    }

    [[nodiscard]] std::size_t textEnd(std::size_t at) const
    {
        const char quote = m_source[at++];
        while (at < m_source.size() && m_source[at] != quote && m_source[at] != '\n')
            at += m_source[at] == '\\' ? 2 : 1;
        return std::min(at + 1, m_source.size());
    }

    /// Of R"x(...)x", also behind u8, u, U and L.
    [[nodiscard]] std::size_t rawTextEnd() const
    {
        std::size_t at = m_at;
        while (at < m_source.size() && at < m_at + 2 && (m_source[at] == 'u' || m_source[at] == '8' || m_source[at] == 'U' || m_source[at] == 'L'))
            ++at;
        if (!m_source.substr(at).starts_with("R\""))
            return m_at;
        const std::size_t open = m_source.find('(', at);
        if (open == m_source.npos || open > at + 18)
            return m_at;
        const std::string close = ")" + std::string(m_source.substr(at + 2, open - at - 2)) + "\"";
        const std::size_t end = m_source.find(close, open);
        return end == m_source.npos ? m_source.size() : end + close.size();
    }

    [[nodiscard]] std::size_t numberEnd() const
    {
        std::size_t end = m_at;
        while (end < m_source.size()) {
            const char c = m_source[end], before = end > m_at ? m_source[end - 1] : ' ';
            const bool isExponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
            const bool isHex = m_source.substr(m_at, 2) == "0x" || m_source.substr(m_at, 2) == "0X";
            const bool signs = (c == '+' || c == '-') && isExponent && (!isHex || before == 'p' || before == 'P');
            const bool parts = c == '\'' && end + 1 < m_source.size() && isWordPart(m_source[end + 1]);
            if (!isWordPart(c) && c != '.' && !signs && !parts)
                break;
            ++end;
        }
        return end;
    }

    /// A comment on the line belongs to it, also one of several lines.
    [[nodiscard]] std::size_t directiveEnd() const
    {
        std::size_t at = m_at;
        while (at < m_source.size() && m_source[at] != '\n') {
            if (m_source[at] == '\\' && at + 1 < m_source.size()) {
                at += m_source.substr(at).starts_with("\\\r\n") ? 3 : 2;
            } else if (const std::size_t end = commentEnd(at); end > at) {
                at = end;
            } else if (m_source[at] == '"') {
                at = std::max(textEnd(at), at + 1);
                at -= m_source[at - 1] == '\n';
            } else {
                ++at;
            }
        }
        return std::min(at, m_source.size());
    }

    const std::string_view m_source;
    std::size_t m_at = 0;
    bool m_lineStart = true;
    std::vector<Token> m_tokens;
};

} // namespace

bool isWordPart(char c) { return isWordStart(c) || isDigit(c); }

std::string withWholeLaunchMarks(std::string source)
{
    for (const char mark : { '<', '>' }) {
        const std::string two(2, mark);
        for (std::size_t at = 0; (at = source.find(two, at)) != std::string::npos; at += 2) {
            const std::size_t third = source.find_first_not_of(" \t", at + 2);
            if (third != std::string::npos && third > at + 2 && source[third] == mark)
                std::swap(source[at + 2], source[third]);
        }
    }
    return source;
}

std::vector<Token> tokensOf(std::string_view source)
{
    return Scanner(source).scan();
}

std::string withoutCellMagic(std::string source)
{
    const std::size_t first = source.find_first_not_of(" \t\r\n");
    if (first != source.npos && source.compare(first, 2, "%%") == 0)
        source.replace(first, 2, "//");
    return source;
}

std::size_t behindBracket(const std::vector<Token>& tokens, std::size_t at)
{
    int depth = 0;
    for (; at < tokens.size(); ++at) {
        if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{"))
            ++depth;
        else if ((tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}")) && --depth == 0)
            return at + 1;
    }
    return at;
}

std::optional<std::size_t> unclosedBracket(const std::vector<Token>& tokens)
{
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{"))
            open.push_back(i);
        else if (tokens[i].is("}") && !open.empty() && !tokens[open.back()].is("{"))
            return open.back();
        else if ((tokens[i].is(")") || tokens[i].is("]") || tokens[i].is("}")) && !open.empty())
            open.pop_back();
    }
    return std::nullopt;
}

std::size_t behindAngle(const std::vector<Token>& tokens, std::size_t at, AngleIn in)
{
    const auto ends = [in](const Token& token) {
        if (token.is("&&") || token.is("||"))
            return in == AngleIn::Expression;
        return token.is(";") || token.is("<<<") || token.is(")") || token.is("}") || token.is("]") || token.kind == TokenKind::Directive;
    };
    int depth = 0;
    for (std::size_t i = at; i < std::min(tokens.size(), at + kLongestList); ++i) {
        const Token& token = tokens[i];
        if (token.is("<"))
            ++depth;
        else if (token.is(">") && --depth == 0)
            return i + 1;
        else if (token.is("(") || token.is("[") || token.is("{"))
            i = behindBracket(tokens, i) - 1;
        else if (ends(token))
            return at;
    }
    return at;
}

std::size_t behindMade(const std::vector<Token>& tokens, std::size_t at)
{
    const std::size_t behind = behindAngle(tokens, at);
    const bool isMade = behind > at && behind < tokens.size() && (tokens[behind].is("(") || tokens[behind].is("{") || tokens[behind].is("::"));
    return isMade ? behind : at;
}

std::string plainText(std::span<const Token> tokens)
{
    std::string text;
    for (const Token& token : tokens)
        text += (!text.empty() && isWordPart(text.back()) && isWordPart(token.text.front()) ? " " : "") + std::string(token.text);
    return text;
}

std::vector<TokenRange> betweenCommas(const std::vector<Token>& tokens, TokenRange range)
{
    std::vector<TokenRange> found;
    const std::size_t last = std::min(range.last, tokens.size());
    std::size_t begin = range.first;
    for (std::size_t i = range.first; i < last; ++i) {
        if (tokens[i].opens()) {
            i = behindBracket(tokens, i) - 1;
        } else if (tokens[i].is("<") && i > range.first && tokens[i - 1].isWord()) {
            if (const std::size_t behind = behindAngle(tokens, i); behind > i && behind <= range.last)
                i = behind - 1;
        } else if (tokens[i].is(",")) {
            found.push_back({ begin, i });
            begin = i + 1;
        }
    }
    if (begin < range.last)
        found.push_back({ begin, range.last });
    return found;
}

DirectiveParts partsOf(const Token& directive)
{
    constexpr std::string_view kBlanks = " \t\r";
    std::string_view text = directive.text.substr(std::min<std::size_t>(1, directive.text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    std::size_t end = 0;
    while (end < text.size() && isWordPart(text[end]))
        ++end;
    std::string_view rest = text.substr(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    return { text.substr(0, end), rest };
}

std::optional<Definition> definitionOf(const Token& token)
{
    if (token.kind != TokenKind::Directive || partsOf(token).name != "define")
        return std::nullopt;
    std::vector<Token> parts = tokensOf(partsOf(token).rest);
    if (parts.empty() || !parts[0].isWord())
        return std::nullopt;
    const bool takesArguments = parts.size() > 1 && parts[1].is("(") && parts[1].offset == parts[0].end();
    return Definition { parts[0].text, std::vector<Token>(parts.begin() + 1, parts.end()), takesArguments };
}

bool isOneOf(std::string_view word, std::span<const std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

} // namespace coalescope::kernels
