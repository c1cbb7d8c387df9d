// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

enum class TokenKind : std::uint8_t {
    Word, ///< a name or a keyword
    Number,
    Text, ///< "..." or '...', with its quotes
    Mark, ///< an operator or a bracket; each > is one of its own, but for >=, -> and >>=
    Directive, ///< a whole line of the preprocessor, with its continuations
};

/// A piece of C++ source. Views the source.
struct Token {
    TokenKind kind = TokenKind::Mark;
    std::string_view text;
    std::size_t offset = 0; ///< of the source
    [[nodiscard]] bool is(std::string_view mark) const { return text == mark && kind != TokenKind::Text; }
    [[nodiscard]] bool isWord() const { return kind == TokenKind::Word; }
    [[nodiscard]] bool opens() const { return is("(") || is("[") || is("{"); }
    [[nodiscard]] std::size_t end() const { return offset + text.size(); }
};

/// Of a name or a number: a letter, also beyond ASCII, a digit, _ or $.
[[nodiscard]] bool isWordPart(char c);

/// Cuts C++ source into tokens, comments left out. What is no C++ comes as marks of one character.
[[nodiscard]] std::vector<Token> tokensOf(std::string_view source);
/// A source of the same length whose launches are written `<<<` and `>>>` where a formatter has made `<< <` and `>> >` of them.
[[nodiscard]] std::string withWholeLaunchMarks(std::string source);

/// A source of the same length whose first line is a comment where it is a notebook's word on what to do with the cell: `%%writefile a.cu`.
[[nodiscard]] std::string withoutCellMagic(std::string source);

/// The index behind the bracket that closes the one at `at`, of ( [ and {; the number of tokens where none does.
[[nodiscard]] std::size_t behindBracket(const std::vector<Token>& tokens, std::size_t at);

/// The first ( or [ that is still open where a } stands, which is an error whatever the preprocessor leaves out; nothing: there is none.
[[nodiscard]] std::optional<std::size_t> unclosedBracket(const std::vector<Token>& tokens);

/// In expressions `a < b && c > d` compares.
enum class AngleIn : std::uint8_t { Expression, Declaration };

/// The index behind the > that closes the < at `at`; `at` where this is no list of template arguments.
[[nodiscard]] std::size_t behindAngle(const std::vector<Token>& tokens, std::size_t at, AngleIn in = AngleIn::Expression);

/// Tokens [first, last).
struct TokenRange {
    std::size_t first = 0, last = 0;
};

/// Behind the `<...>` at `at` of what is made of a template, `std::array<int, 4>(1)`, or lies within it; `at`: it is something else.
[[nodiscard]] std::size_t behindMade(const std::vector<Token>& tokens, std::size_t at);

/// Tokens as C++ has them, with blanks between words only.
[[nodiscard]] std::string plainText(std::span<const Token> tokens);

/// What stands between the commas that no bracket, nor a list of template arguments, encloses.
[[nodiscard]] std::vector<TokenRange> betweenCommas(const std::vector<Token>& tokens, TokenRange range);

/// A line of the preprocessor, taken apart: "define" and what follows it.
struct DirectiveParts {
    std::string_view name, rest;
};
[[nodiscard]] DirectiveParts partsOf(const Token& directive);

/// A #define, taken apart.
struct Definition {
    std::string_view name;
    std::vector<Token> tokens; ///< behind the name
    bool takesArguments = false; ///< they begin with its parameters
};

/// Nothing where the token is no #define.
[[nodiscard]] std::optional<Definition> definitionOf(const Token& token);

/// Whether it opens a launch's shape, or names the runtime's function that launches.
[[nodiscard]] inline bool startsLaunch(const Token& token)
{
    return token.is("<<<") || (token.isWord() && token.text.starts_with("cudaLaunch"));
}

[[nodiscard]] bool isOneOf(std::string_view word, std::span<const std::string_view> words);

} // namespace coalescope::kernels
