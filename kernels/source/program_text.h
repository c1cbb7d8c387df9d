// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/device_part.h"
#include "kernels/source/tokens.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// A #define.
struct Macro {
    std::optional<std::vector<std::string_view>> parameters; ///< none: no function
    std::vector<Token> body;
};

/// A program as the compiler for the host reads it: the branches of each #if that hold, files of the user's where they are
/// included, macros replaced, but for those that name a number: they stay as names. A type that is declared with a variable of it stands
/// before it.
///
/// Offsets of tokens are those of the file that they come from; `fileOf` tells it by what they view.
class ProgramText {
public:
    /// The first file is the program's, and units behind it are read after it; of the others each is read where an #include names it.
    /// The texts must outlive this.
    explicit ProgramText(std::vector<ProgramFile> files);

    /// The program's, and behind programEnd() what macros that name numbers stand for.
    [[nodiscard]] const std::vector<Token>& tokens() const { return m_tokens; }
    [[nodiscard]] std::size_t programEnd() const { return m_programEnd; }

    /// Tokens [first, second) of the number that a macro names; nothing where it names none.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> constant(std::string_view name) const;

    [[nodiscard]] std::vector<std::string_view> constantNames() const;

    /// Macros that stand for one other name: `#define REAL float`.
    [[nodiscard]] std::map<std::string, std::string, std::less<>> renamings() const;

    /// The line of fileOf() on which the token stands; 0 where it comes from elsewhere.
    [[nodiscard]] int lineOf(const Token& token) const;

    /// Whether it comes from what stands for a library: see ProgramFile::isLibrary.
    [[nodiscard]] bool isOfLibrary(const Token& token) const;

    /// The file of the user's that it stands in, among the program's; the first where it comes from elsewhere.
    [[nodiscard]] std::size_t fileOf(const Token& token) const;

private:
    void readFile(std::size_t file);
    void readDirective(const Token& directive);
    void readInclude(const Token& directive);
    [[nodiscard]] bool holds(const Token& directive) const;
    [[nodiscard]] std::int64_t conditionOf(std::vector<Token> tokens, std::set<std::string_view> open = {}) const;
    [[nodiscard]] bool namesNumber(const Macro& macro) const;
    std::vector<Token> expanded(const std::vector<Token>& tokens, std::set<std::string_view> open) const;
    std::vector<Token> substituted(const Macro& macro, const std::vector<std::vector<Token>>& arguments, const std::set<std::string_view>& open) const;

    std::deque<std::string> m_texts; ///< of files that are not read as they are
    const std::vector<ProgramFile> m_files;
    std::vector<Token> m_tokens;
    std::size_t m_programEnd = 0;
    std::map<std::string_view, std::pair<std::size_t, std::size_t>> m_constants;
    std::map<std::string_view, Macro> m_macros;
    std::vector<bool> m_read; ///< files
    std::vector<std::size_t> m_open; ///< files, the innermost last
    mutable std::deque<std::string> m_pasted; ///< texts of tokens that ## made, and names of types that have none
    mutable int m_budget = 200'000; ///< replacements; a program that needs more is read in part
};

} // namespace coalescope::kernels
