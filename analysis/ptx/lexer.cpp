// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/lexer.h"

#include "analysis/ptx/failure.h"

#include <array>

namespace coalescope::analysis::ptx {

namespace {
enum Class : std::uint8_t { kOther, kBlank, kNewline, kLetter, kDigit, kDot };

constexpr std::array<Class, 256> kClasses = [] {
    std::array<Class, 256> classes {};
    for (int c = 'a'; c <= 'z'; ++c)
        classes[c] = classes[c - 'a' + 'A'] = kLetter;
    classes['_'] = classes['$'] = classes['%'] = kLetter;
    for (int c = '0'; c <= '9'; ++c)
        classes[c] = kDigit;
    classes[' '] = classes['\t'] = classes['\r'] = classes['\f'] = classes['\v'] = kBlank;
    classes['\n'] = kNewline;
    classes['.'] = kDot;
    return classes;
}();

class Lexer {
public:
    explicit Lexer(std::string_view text)
        : m_text(text)
    {
        m_tokens.reserve(text.size() / 5 + 8);
    }

    std::vector<Token> run()
    {
        while (m_at < m_text.size())
            step();
        push(TokenKind::End, m_at);
        return std::move(m_tokens);
    }

private:
    [[nodiscard]] char at(std::size_t i) const { return i < m_text.size() ? m_text[i] : '\0'; }
    [[nodiscard]] Class classAt(std::size_t i) const
    {
        return i < m_text.size() ? kClasses[static_cast<unsigned char>(m_text[i])] : kOther;
    }

    void push(TokenKind kind, std::size_t end, char symbol = 0)
    {
        m_tokens.push_back({ kind, symbol, static_cast<std::uint32_t>(m_at),
            static_cast<std::uint32_t>(end - m_at), m_line });
        m_at = end;
    }

    /// The end of a name, its dots and scope marks (`L2::128B`) included.
    [[nodiscard]] std::size_t wordEnd(std::size_t i) const
    {
        for (;; ++i) {
            const Class c = classAt(i);
            if (c == kLetter || c == kDigit || c == kDot)
                continue;
            const bool scope = at(i) == ':' && at(i + 1) == ':'
                && (classAt(i + 2) == kLetter || classAt(i + 2) == kDigit);
            if (!scope)
                return i;
            ++i;
        }
    }

    /// The end of a directive: the next dot starts another, as in `.reg.b32`.
    [[nodiscard]] std::size_t directiveEnd(std::size_t i) const
    {
        while (classAt(i) == kLetter || classAt(i) == kDigit)
            ++i;
        return i;
    }

    [[nodiscard]] std::size_t numberEnd(std::size_t i) const
    {
        const char second = at(i) == '0' ? at(i + 1) : '\0';
        const bool prefixed
            = second != '\0' && std::string_view("xXfFdDbB").find(second) != std::string_view::npos;
        for (++i;; ++i) {
            const Class c = classAt(i);
            if (c == kLetter || c == kDigit || c == kDot)
                continue;
            const bool exponent = !prefixed && (at(i) == '+' || at(i) == '-')
                && (at(i - 1) == 'e' || at(i - 1) == 'E') && classAt(i + 1) == kDigit;
            if (!exponent)
                return i;
        }
    }

    void step()
    {
        switch (classAt(m_at)) {
        case kNewline:
            ++m_line;
            [[fallthrough]];
        case kBlank:
            ++m_at;
            return;
        case kLetter:
            return push(TokenKind::Word, wordEnd(m_at));
        case kDigit:
            return push(TokenKind::Number, numberEnd(m_at));
        case kDot:
            return push(TokenKind::Directive, directiveEnd(m_at + 1));
        case kOther:
            break;
        }
        if (at(m_at) == '/' && (at(m_at + 1) == '/' || at(m_at + 1) == '*'))
            return comment();
        if (at(m_at) == '"')
            return quoted();
        push(TokenKind::Punctuation, m_at + 1, at(m_at));
    }

    void comment()
    {
        const bool line = at(m_at + 1) == '/';
        const std::size_t end = line ? m_text.find('\n', m_at) : m_text.find("*/", m_at + 2);
        if (!line && end == std::string_view::npos)
            failBad(static_cast<std::uint32_t>(m_at), "This comment never ends.");
        const std::size_t stop = line ? std::min(end, m_text.size()) : end + 2;
        for (; m_at < stop; ++m_at)
            m_line += at(m_at) == '\n';
    }

    void quoted()
    {
        std::size_t i = m_at + 1;
        while (i < m_text.size() && at(i) != '"' && at(i) != '\n')
            i += at(i) == '\\' ? 2 : 1;
        if (at(i) != '"')
            failBad(static_cast<std::uint32_t>(m_at), "This string never ends.");
        push(TokenKind::String, i + 1);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::uint32_t m_line = 1;
    std::vector<Token> m_tokens;
};
}

std::vector<Token> tokenize(std::string_view text)
{
    if (text.size() > 0xf000'0000u)
        failBad(0, "The PTX text is larger than 4 GB.");
    return Lexer(text).run();
}

void Cursor::expect(char symbol)
{
    if (!accept(symbol))
        failBad(peek().offset, std::string("Expected '") + symbol + "', found " + found() + '.');
}

const Token& Cursor::expectWord(std::string_view what)
{
    if (!atWord())
        failBad(peek().offset, "Expected " + std::string(what) + ", found " + found() + '.');
    return next();
}

std::string Cursor::found() const
{
    const Token& token = peek();
    if (token.kind == TokenKind::End)
        return "the end of the text";
    std::string shown(text(token).substr(0, 40));
    for (char& c : shown) {
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
            c = '?';
    }
    return '\'' + shown + '\'';
}

} // namespace coalescope::analysis::ptx
