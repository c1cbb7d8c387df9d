// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/last_launch.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace coalescope::kernels::host {
namespace {

class Launching {
public:
    explicit Launching(const HostProgram& program)
        : m_program(program)
    {
        for (bool grows = true; grows && m_isKnown;) {
            grows = false;
            for (const HostFunction& function : program.everyFunction())
                if (!m_functions.contains(&function) && function.name != "main" && (launches(function.bodyFirst, function.bodyLast) || launches(function.membersFirst, function.membersLast)))
                    grows = add(function, function.name) || grows;
            for (std::size_t i = 1; i < program.tokens().size(); ++i)
                grows = addLambda(i) || grows;
        }
    }

    [[nodiscard]] bool isKnown() const { return m_isKnown; }

    [[nodiscard]] bool isAt(std::size_t at) const
    {
        const Token& token = m_program.token(at);
        return startsLaunch(token) || (token.isWord() && m_names.contains(token.text));
    }

    /// Whether a name of what launches stands there and is not called: something else may call it, anywhere.
    [[nodiscard]] bool isHandedOn(std::size_t at) const
    {
        const Token& token = m_program.token(at);
        if (!token.isWord() || !m_names.contains(token.text) || m_classes.contains(token.text) || at + 1 >= m_program.tokens().size())
            return false;
        const Token& behind = m_program.token(at + 1);
        const bool isTaken = at > 0 && m_program.token(at - 1).is("&") && !(at > 1 && m_program.token(at - 2).isWord()); // not of `void f(T& run)`
        return isTaken || !(behind.is("(") || behind.is("<") || behind.is("=") || behind.is("::"));
    }

private:
    [[nodiscard]] bool launches(std::size_t first, std::size_t last) const
    {
        for (std::size_t i = first; i < last; ++i)
            if (isAt(i))
                return true;
        return false;
    }

    bool add(const HostFunction& function, std::string_view name)
    {
        m_functions.insert(&function);
        if (!function.ofClass.empty() && name == function.ofClass) // whoever declares an object calls it
            m_classes.insert(name);
        m_isKnown = m_isKnown && !name.empty() && !name.starts_with("operator") && !name.starts_with("~");
        return m_names.insert(name).second;
    }

    /// `auto name = [&] { ... };` where it launches. One without a name may be called by whoever is given it.
    bool addLambda(std::size_t at)
    {
        constexpr std::size_t kLongestHead = 16; ///< tokens behind its parameters: mutable noexcept -> T
        const std::vector<Token>& tokens = m_program.tokens();
        const Token& before = tokens[at - 1];
        if (!tokens[at].is("[") || (before.isWord() && !before.is("return")) || before.is("]") || before.is(")"))
            return false;
        std::size_t body = behindBracket(tokens, at);
        body = body < tokens.size() && tokens[body].is("(") ? behindBracket(tokens, body) : body;
        const std::size_t last = std::min(body + kLongestHead, tokens.size());
        while (body < last && !tokens[body].is("{") && !tokens[body].is(";"))
            ++body;
        if (body >= last || !tokens[body].is("{") || !launches(body, behindBracket(tokens, body)))
            return false;
        const bool hasName = before.is("=") && at > 1 && tokens[at - 2].isWord();
        m_isKnown = m_isKnown && hasName;
        return hasName && m_names.insert(tokens[at - 2].text).second;
    }

    const HostProgram& m_program;
    std::set<const HostFunction*> m_functions;
    std::set<std::string_view> m_names, m_classes;
    bool m_isKnown = true;
};

/// Its ;, behind lambdas that stand in it.
std::size_t endOfStatement(const HostProgram& program, std::size_t at, std::size_t last)
{
    while (at < last && !program.token(at).is(";"))
        at = program.token(at).opens() ? behindBracket(program.tokens(), at) : at + 1;
    return at;
}

} // namespace

std::optional<std::size_t> lastLaunching(const HostProgram& program, const HostFunction& main)
{
    const Launching launching(program);
    if (!launching.isKnown())
        return std::nullopt;
    for (std::size_t i = 0; i < program.tokens().size(); ++i)
        if (launching.isHandedOn(i) || program.token(i).is("goto"))
            return std::nullopt;
    for (std::size_t i = main.bodyLast; i > main.bodyFirst; --i)
        if (launching.isAt(i - 1))
            return endOfStatement(program, i - 1, main.bodyLast);
    return std::nullopt;
}

} // namespace coalescope::kernels::host
