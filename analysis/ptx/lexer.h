// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::analysis::ptx {

enum class TokenKind : std::uint8_t {
    Word, ///< names, registers and whole mnemonics: `ld.global.L1::no_allocate.v4.f32` is one
    Directive, ///< starts with a dot
    Number,
    String, ///< with its quotes
    Punctuation, ///< one character
    End,
};

struct Token {
    TokenKind kind = TokenKind::End;
    char symbol = 0; ///< of Punctuation
    std::uint32_t offset = 0, length = 0; ///< bytes of the text
    std::uint32_t line = 0; ///< 1-based
};

/// Splits PTX into tokens, the last one End; throws Failure.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text);

/// A place in the tokens; copying it is going back.
class Cursor {
public:
    Cursor(std::string_view text, const std::vector<Token>& tokens)
        : m_text(text)
        , m_tokens(&tokens)
    {
    }

    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const
    {
        const std::size_t at = m_at + ahead;
        return at < m_tokens->size() ? (*m_tokens)[at] : m_tokens->back();
    }
    const Token& next()
    {
        const Token& token = peek();
        if (token.kind != TokenKind::End)
            ++m_at;
        return token;
    }
    [[nodiscard]] bool atEnd() const { return peek().kind == TokenKind::End; }
    [[nodiscard]] bool at(char symbol, std::size_t ahead = 0) const
    {
        return peek(ahead).kind == TokenKind::Punctuation && peek(ahead).symbol == symbol;
    }
    [[nodiscard]] bool atWord() const { return peek().kind == TokenKind::Word; }
    [[nodiscard]] bool atDirective(std::string_view name) const
    {
        return peek().kind == TokenKind::Directive && text(peek()) == name;
    }
    bool accept(char symbol)
    {
        const bool is = at(symbol);
        m_at += is;
        return is;
    }
    bool acceptDirective(std::string_view name)
    {
        const bool is = atDirective(name);
        m_at += is;
        return is;
    }
    void expect(char symbol);
    const Token& expectWord(std::string_view what);

    [[nodiscard]] std::string_view text(const Token& token) const
    {
        return m_text.substr(token.offset, token.length);
    }
    [[nodiscard]] std::string_view wholeText() const { return m_text; }
    [[nodiscard]] std::size_t index() const { return m_at; }
    void seek(std::size_t index) { m_at = index; }

    /// What stands here, for an error message.
    [[nodiscard]] std::string found() const;

private:
    std::string_view m_text;
    const std::vector<Token>* m_tokens;
    std::size_t m_at = 0;
};

} // namespace coalescope::analysis::ptx
