// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/declarations.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels {
namespace {

/// Words before a ( that name no function.
constexpr auto kNoFunctions = std::to_array<std::string_view>({ "__launch_bounds__", "__attribute__", "__align__", "alignas", "decltype",
    "__cluster_dims__", "__declspec", "noexcept", "requires", "explicit", "static_assert", "__maxnreg__" });

constexpr auto kAccess = std::to_array<std::string_view>({ "public", "private", "protected" });

int depthChange(const Token& token)
{
    if (token.kind != TokenKind::Mark || token.text.size() != 1)
        return 0;
    const char c = token.text[0];
    return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

/// Tokens of the branches of an #if behind its first one, where they open other brackets than they close:
/// they would be counted twice.
std::vector<bool> uncountedTokens(const std::vector<Token>& tokens)
{
    struct Open {
        int depth = 0, depthOfFirst = 0;
        std::size_t alternative = 0; ///< where the branches behind the first begin; 0: still in the first
    };
    std::vector<bool> uncounted(tokens.size(), false);
    std::vector<Open> open;
    int depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        depth += depthChange(tokens[i]);
        if (tokens[i].kind != TokenKind::Directive)
            continue;
        const std::string_view name = partsOf(tokens[i]).name;
        if (name.starts_with("if")) {
            open.push_back({ .depth = depth });
        } else if (open.empty()) {
            continue;
        } else if (name.starts_with("el") && open.back().alternative == 0) {
            open.back().depthOfFirst = depth;
            open.back().alternative = i;
            depth = open.back().depth;
        } else if (name.starts_with("el") || name == "endif") {
            const Open& group = open.back();
            if (group.alternative && group.depthOfFirst != group.depth)
                std::fill(uncounted.begin() + std::ptrdiff_t(group.alternative), uncounted.begin() + std::ptrdiff_t(i), true);
            depth = name == "endif" && group.alternative ? group.depthOfFirst : name == "endif" ? depth : group.depth;
            if (name == "endif")
                open.pop_back();
        }
    }
    return uncounted;
}

/// Tokens [.., last), and which of them count for brackets.
struct Stretch {
    const std::vector<Token>& tokens;
    const std::vector<bool>& uncounted;
    std::size_t last = 0;
    [[nodiscard]] bool isAt(std::size_t at, std::string_view text) const { return at < last && tokens[at].is(text); }
    [[nodiscard]] bool isWordAt(std::size_t at) const { return at < last && tokens[at].isWord(); }

    /// The index behind the bracket at `at`.
    [[nodiscard]] std::size_t behind(std::size_t at) const
    {
        int depth = 0;
        for (; at < last; ++at) {
            depth += uncounted[at] ? 0 : depthChange(tokens[at]);
            if (depth == 0)
                return at + 1;
        }
        return at;
    }
};

bool isTypeWord(const Token& token)
{
    return token.is("struct") || token.is("class") || token.is("union") || token.is("enum");
}

/// Reads one declaration that is neither an alias nor opens a scope.
class DeclarationReader {
public:
    DeclarationReader(const Stretch& in, std::size_t first)
        : m_in(in)
        , m_at(first)
    {
        m_declaration.first = first;
    }

    Declaration read()
    {
        while (m_at < m_in.last && step()) { }
        m_declaration.last = std::min(std::max(m_at, m_declaration.first + 1), m_in.last);
        m_declaration.bodyLast = std::min(m_declaration.bodyLast, m_declaration.last);
        return std::move(m_declaration);
    }

private:
    [[nodiscard]] const Token& token() const { return m_in.tokens[m_at]; }

    void nameBefore(std::size_t at)
    {
        std::vector<std::string_view>& names = m_declaration.names;
        if (at > m_declaration.first && m_behindAngle == at) // f<int>(
            at = m_angle;
        const std::string_view name = at > m_declaration.first && m_in.tokens[at - 1].isWord() ? m_in.tokens[at - 1].text : "";
        if (!name.empty() && (names.empty() || names.back() != name))
            names.push_back(name);
    }

    /// False: the declaration ends at m_at.
    bool step()
    {
        if (m_in.uncounted[m_at] || token().kind == TokenKind::Directive)
            ++m_at;
        else if (token().is("template") && m_in.isAt(m_at + 1, "<"))
            m_at = std::max(behindAngle(m_in.tokens, m_at + 1, AngleIn::Declaration), m_at + 2);
        else if (token().is("<") && (!m_sawEqual || behindMade(m_in.tokens, m_at) > m_at)) // = std::vector<std::array<int, 4>>(1)
            skipAngle();
        else if (isTypeWord(token()) && !m_sawParameters && !m_sawEqual)
            readTypeHead();
        else if (token().is("operator"))
            readOperator();
        else if (token().is("("))
            readParentheses();
        else if (token().is("{"))
            return readBraces();
        else if (token().is(";") || token().is("}"))
            return readEnd();
        else
            readOther();
        return true;
    }

    void skipAngle()
    {
        m_angle = m_at;
        m_at = std::max(behindAngle(m_in.tokens, m_at, AngleIn::Declaration), m_at + 1);
        m_behindAngle = m_at;
    }

    void readOperator()
    {
        m_declaration.names.push_back(token().text);
        const std::size_t behind = ++m_at;
        while (m_at < m_in.last && !token().is("("))
            ++m_at;
        if (m_at == behind && m_in.isAt(m_at + 1, ")")) // operator()
            m_at += 2;
    }

    void readParentheses()
    {
        const bool isAttribute = m_at > m_declaration.first && isOneOf(m_in.tokens[m_at - 1].text, kNoFunctions);
        if (isAttribute && m_isTypedef) // typedef struct { ... } Site __attribute__((aligned));
            nameBefore(m_at - 1);
        if (!isAttribute && !m_sawEqual) {
            if (m_isTypedef && m_in.isAt(m_at + 1, "*") && m_in.isWordAt(m_at + 2)) {
                m_declaration.names.push_back(m_in.tokens[m_at + 2].text);
            } else if (!m_isTypedef) {
                nameBefore(m_at);
                m_declaration.kind = DeclarationKind::Function;
                m_sawParameters = true;
            }
        }
        m_at = m_in.behind(m_at);
    }

    bool readBraces()
    {
        const std::size_t open = m_at;
        m_at = m_in.behind(m_at);
        const bool initialises = m_sawEqual || (m_listsMembers && (m_in.isAt(m_at, ",") || m_in.isAt(m_at, "{")));
        if (initialises)
            return true;
        if (m_declaration.kind == DeclarationKind::Other && !m_isTypedef) {
            nameBefore(open);
        } else if (!m_declaration.hasBody()) {
            m_declaration.bodyFirst = open + 1;
            m_declaration.bodyLast = std::max(open + 1, m_at - 1);
        }
        return m_declaration.kind != DeclarationKind::Function;
    }

    bool readEnd()
    {
        if (!m_sawParameters && !m_sawEqual)
            nameBefore(m_at);
        m_at += token().is(";") ? 1 : 0;
        return false;
    }

    void readOther()
    {
        const bool endsName = token().is("=") || token().is(",") || token().is("[") || token().is(":");
        if (endsName && !m_sawParameters && !m_sawEqual)
            nameBefore(m_at);
        if (token().is("="))
            m_sawEqual = true;
        if (token().is(",") && !m_sawParameters)
            m_sawEqual = false; // int a = 1, b = 2
        m_listsMembers = m_listsMembers || (token().is(":") && m_sawParameters);
        m_isTypedef = m_isTypedef || token().is("typedef");
        ++m_at;
    }

    /// Of `struct __align__(16) Name final : Base`, and of an enum its members, too.
    void readTypeHead()
    {
        const bool isEnum = token().is("enum");
        ++m_at;
        while (m_at < m_in.last && (isTypeWord(token()) || isOneOf(token().text, kNoFunctions)))
            m_at = m_in.isAt(m_at + 1, "(") ? m_in.behind(m_at + 1) : m_at + 1;
        if (m_in.isWordAt(m_at))
            m_declaration.names.push_back(m_in.tokens[m_at++].text);
        std::size_t body = m_at;
        while (body < m_in.last && !m_in.isAt(body, "{") && !m_in.isAt(body, ";") && !m_in.isAt(body, "(") && !m_in.isAt(body, "="))
            ++body;
        if (!m_in.isAt(body, "{")) { // `struct Node* next(struct Node*)` declares no type
            if (m_in.isAt(m_at, ";") && !m_isTypedef)
                m_declaration.kind = DeclarationKind::Type;
            return;
        }
        if (!m_isTypedef)
            m_declaration.kind = DeclarationKind::Type;
        for (std::size_t member = body + 1; isEnum && member < m_in.last && !m_in.isAt(member, "}"); ++member) {
            if (m_in.isWordAt(member) && (m_in.isAt(member - 1, "{") || m_in.isAt(member - 1, ",")))
                m_declaration.names.push_back(m_in.tokens[member].text);
        }
        m_at = body;
    }

    const Stretch& m_in;
    std::size_t m_at;
    std::size_t m_angle = 0, m_behindAngle = 0; ///< the last list of template arguments
    Declaration m_declaration;
    bool m_sawParameters = false, m_sawEqual = false, m_isTypedef = false;
    bool m_listsMembers = false; ///< behind the : of a constructor
};

class Splitter {
public:
    Splitter(const std::vector<Token>& tokens, std::size_t first, std::size_t last)
        : m_uncounted(uncountedTokens(tokens))
        , m_in { tokens, m_uncounted, last }
        , m_at(first)
    {
    }

    std::vector<Declaration> split()
    {
        while (m_at < m_in.last) {
            const Token& token = m_in.tokens[m_at];
            if (token.kind == TokenKind::Directive)
                take({ .kind = DeclarationKind::Directive, .first = m_at, .last = m_at + 1 });
            else if (m_uncounted[m_at])
                ++m_at;
            else if (token.is("}") || token.is(";"))
                leave(token);
            else if (m_in.isAt(m_at + 1, ":") && isOneOf(token.text, kAccess))
                m_at += 2;
            else if (token.is("using") || (token.is("namespace") && isAlias()))
                readAlias();
            else if (!entersScope())
                take(DeclarationReader(m_in, m_at).read());
        }
        return std::move(m_found);
    }

private:
    /// Where it is: the innermost namespace with a name, and all of them.
    struct Scope {
        std::string_view name;
        std::string path;
    };
    [[nodiscard]] Scope scope() const { return m_scopes.empty() ? Scope {} : m_scopes.back(); }

    void take(Declaration declaration)
    {
        declaration.scope = scope().name;
        declaration.path = scope().path;
        m_at = declaration.last;
        m_found.push_back(std::move(declaration));
    }

    void leave(const Token& token)
    {
        if (token.is("}") && !m_scopes.empty())
            m_scopes.pop_back();
        ++m_at;
    }

    [[nodiscard]] bool isAlias() const { return m_in.isAt(m_at + 2, "="); }

    /// Of a namespace, or of extern "C".
    bool entersScope()
    {
        std::size_t at = m_at;
        Scope inner = scope();
        if (m_in.isAt(at, "extern") && at + 1 < m_in.last && m_in.tokens[at + 1].kind == TokenKind::Text && m_in.isAt(at + 2, "{")) {
            at += 2;
        } else {
            at += m_in.isAt(at, "inline") ? 1 : 0;
            if (!m_in.isAt(at, "namespace"))
                return false;
            while (++at < m_in.last && !m_in.isAt(at, "{"))
                if (m_in.isWordAt(at) && !m_in.isAt(at, "inline")) {
                    inner.name = m_in.tokens[at].text;
                    inner.path += (inner.path.empty() ? "" : "::") + std::string(inner.name);
                }
        }
        m_scopes.push_back(std::move(inner));
        m_at = at + 1;
        return true;
    }

    /// `using namespace a::b;`, `using a::b;`, `using a = b;`, `namespace a = b;`
    void readAlias()
    {
        Declaration alias { .first = m_at, .last = m_at };
        if (m_in.isAt(m_at + 1, "namespace"))
            alias.kind = DeclarationKind::UsingNamespace;
        bool sawEqual = false;
        std::string_view name;
        while (alias.last < m_in.last && !m_in.isAt(alias.last, ";")) {
            sawEqual = sawEqual || m_in.isAt(alias.last, "=");
            if (m_in.isWordAt(alias.last) && !sawEqual)
                name = m_in.tokens[alias.last].text;
            ++alias.last;
        }
        alias.last = std::min(alias.last + 1, m_in.last);
        alias.names.push_back(name);
        take(std::move(alias));
    }

    const std::vector<bool> m_uncounted;
    const Stretch m_in;
    std::size_t m_at;
    std::vector<Scope> m_scopes;
    std::vector<Declaration> m_found;
};

} // namespace

std::vector<Declaration> declarationsOf(const std::vector<Token>& tokens, std::size_t first, std::size_t last)
{
    return Splitter(tokens, first, last).split();
}

std::vector<Declaration> declarationsOf(const std::vector<Token>& tokens)
{
    return declarationsOf(tokens, 0, tokens.size());
}

bool isOtherKernel(const std::vector<Token>& tokens, const Declaration& declaration, std::string_view kernel)
{
    if (!declaration.hasBody())
        return false;
    const auto head = std::span(tokens).subspan(declaration.first, declaration.bodyFirst - declaration.first);
    const auto has = [&](std::string_view name) { return std::ranges::any_of(head, [&](const Token& token) { return token.is(name); }); };
    return has("__global__") && !has(kernel);
}

} // namespace coalescope::kernels
