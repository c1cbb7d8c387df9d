// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/index_use.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace coalescope::kernels {

namespace {

/// The body of a __global__ function; empty: it is not there.
std::span<const Token> bodyOf(const std::vector<Token>& tokens, std::string_view kernel)
{
    bool isKernel = false;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        isKernel = (isKernel && !tokens[i].is(";") && !tokens[i].is("}")) || tokens[i].is("__global__");
        if (!isKernel || !tokens[i].is(kernel) || !tokens[i + 1].is("("))
            continue;
        const std::size_t open = behindBracket(tokens, i + 1);
        if (open >= tokens.size() || !tokens[open].is("{"))
            continue;
        const std::size_t close = behindBracket(tokens, open);
        return std::span(tokens).subspan(open + 1, close - open - 1);
    }
    return {};
}

/// What one mention of a buffer in a kernel's body does to its elements.
class Mention {
public:
    Mention(const std::vector<Token>& body, std::size_t at)
        : m_body(body)
        , m_first(at)
        , m_behind(at + 1)
    {
        while (m_first >= 2 && (is(m_first - 1, ".") || is(m_first - 1, "->")))
            m_first -= 2;
        const std::size_t named = m_behind;
        while (is(m_behind, "[") || (m_behind > named && is(m_behind, ".")))
            m_behind = is(m_behind, "[") ? behindBracket(m_body, m_behind) : m_behind + 2;
        m_isElement = m_behind > named || isUnary("*");
        m_first -= m_behind == named && isUnary("*");
    }

    [[nodiscard]] BufferUse use() const
    {
        if (isAddress() || !m_isElement) {
            const std::size_t before = m_first - isAddress();
            const bool isCall = before >= 2 && is(before - 1, "(");
            if (isCall && m_body[before - 2].text.starts_with("atomic"))
                return { .reads = !isStatement(before - 2) };
            const bool isLoad = isCall && m_body[before - 2].text.starts_with("__ldg");
            return { .writes = !isLoad && !isCastToConst() };
        }
        static constexpr std::array<std::string_view, 13> kChanges { "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "++", "--" };
        const bool isBound = m_first >= 3 && is(m_first - 1, "=") && is(m_first - 3, "&") && !isConstBefore(m_first - 3); // Cell& cell = cells[i]
        const bool writes = isBound || (m_first > 0 && (is(m_first - 1, "++") || is(m_first - 1, "--")))
            || std::ranges::any_of(kChanges, [&](std::string_view text) { return is(m_behind, text); });
        return { .reads = !is(m_behind, "=") || !isStatement(m_first), .writes = writes };
    }

private:
    [[nodiscard]] bool is(std::size_t at, std::string_view text) const { return at < m_body.size() && m_body[at].is(text); }
    /// Before it, with no operand on its left.
    [[nodiscard]] bool isUnary(std::string_view sign) const
    {
        if (m_first == 0 || !is(m_first - 1, sign))
            return false;
        return m_first < 2 || (!m_body[m_first - 2].isWord() && m_body[m_first - 2].kind != TokenKind::Number && !is(m_first - 2, ")") && !is(m_first - 2, "]"));
    }
    [[nodiscard]] bool isAddress() const { return isUnary("&"); }
    /// Within the statement.
    [[nodiscard]] bool isConstBefore(std::size_t at) const
    {
        while (at > 0 && !is(at - 1, ";") && !is(at - 1, "{") && !is(at - 1, "}"))
            if (is(--at, "const"))
                return true;
        return false;
    }
    [[nodiscard]] bool isStatement(std::size_t at) const
    {
        static constexpr std::array<std::string_view, 6> kBefore { ";", "{", "}", ")", "else", "do" };
        return at == 0 || std::ranges::any_of(kBefore, [&](std::string_view text) { return is(at - 1, text); });
    }
    /// reinterpret_cast<const float4*>(buffer)
    [[nodiscard]] bool isCastToConst() const
    {
        std::size_t at = m_first;
        if (at < 2 || !is(at - 1, "(") || !is(at - 2, ">"))
            return false;
        for (at -= 2; at > 0 && !is(at, "<"); --at)
            if (is(at, "const"))
                return true;
        return false;
    }

    const std::vector<Token>& m_body;
    std::size_t m_first, m_behind; ///< of its tokens, and behind them
    bool m_isElement = false;
};

class UseFinder {
public:
    UseFinder(std::span<const Token> body, std::string_view buffer)
        : m_body(body.begin(), body.end())
        , m_buffer(buffer)
    {
    }

    IndexUses find()
    {
        std::vector<std::pair<std::size_t, std::size_t>> loads;
        for (std::size_t i = 0; i < m_body.size(); ++i)
            if (isLoad(i))
                loads.emplace_back(i - readBefore(i), behindLoad(i));
        m_found.boundsRanges = std::ranges::any_of(loads, [&](const auto& load) {
            return load.second >= load.first + 5 && is(load.second - 2, "1") && is(load.second - 3, "+");
        });
        std::set<std::string_view> variables;
        for (const auto& [first, last] : loads) {
            if (isSummed(first, last) && !m_found.boundsRanges) // how much of the index it makes up is not known
                continue;
            if (addSubscript(first, last) || addOffset(first, last))
                continue;
            if (const auto variable = assignedTo(first))
                variables.insert(*variable);
        }
        followOn(variables);
        for (std::size_t i = 0; i < m_body.size(); ++i)
            if (m_body[i].isWord() && variables.contains(m_body[i].text))
                addSubscript(i, i + 1);
        return std::move(m_found);
    }

private:
    [[nodiscard]] bool is(std::size_t at, std::string_view mark) const { return at < m_body.size() && m_body[at].is(mark); }
    /// How many tokens of `__ldg(` or `__ldg(&` stand before one.
    [[nodiscard]] std::size_t readBefore(std::size_t at) const
    {
        const std::size_t sign = at > 0 && is(at - 1, "&") ? 1 : 0, behind = at - sign;
        return behind >= 2 && is(behind - 1, "(") && is(behind - 2, "__ldg") ? 2 + sign : 0;
    }
    [[nodiscard]] bool isLoad(std::size_t at) const { return is(at, m_buffer) && (is(at + 1, "[") || readBefore(at) > 0); }
    /// Behind the bracket of a load's subscript, or of __ldg's.
    [[nodiscard]] std::size_t behindLoad(std::size_t at) const
    {
        return behindBracket(m_body, is(at + 1, "[") ? at + 1 : at - readBefore(at) + 1);
    }

    /// Whether something else than a number is added, and the sum of products is no row and column.
    [[nodiscard]] bool isSummed(std::size_t first, std::size_t last) const
    {
        const auto isNumber = [&](std::size_t at) { return at < m_body.size() && m_body[at].kind == TokenKind::Number; };
        const bool behind = (is(last, "+") || is(last, "-")) && !isNumber(last + 1);
        const bool before = first >= 2 && (is(first - 1, "+") || is(first - 1, "-")) && !isNumber(first - 2);
        return factorOf(first, last).empty() && (behind || before);
    }

    /// Adds the variables that get a value from these: `j = begin + lane`.
    void followOn(std::set<std::string_view>& variables) const
    {
        constexpr int kMostSteps = 4;
        for (int step = 0; step < kMostSteps; ++step) {
            const std::size_t known = variables.size();
            for (std::size_t i = 0; i < m_body.size(); ++i)
                if (m_body[i].isWord() && variables.contains(m_body[i].text) && !subscriptAround(i))
                    if (const auto variable = assignedTo(i))
                        variables.insert(*variable);
            if (variables.size() == known)
                return;
        }
    }

    /// Adds the array in whose subscript the tokens [first, last) stand, if in one.
    bool addSubscript(std::size_t first, std::size_t last)
    {
        const auto array = subscriptAround(first);
        if (array)
            m_found.uses.push_back({ std::string(*array), factorOf(first, last) });
        return array.has_value();
    }

    /// `p = array + 3 * i[k];`: adds the array that a pointer goes on from.
    bool addOffset(std::size_t first, std::size_t last)
    {
        const std::string factor = factorOf(first, last);
        std::size_t begin = first, end = last;
        if (!factor.empty() && is(last, "*"))
            end += 2;
        else if (!factor.empty())
            begin = first - 2;
        const bool isOffset = begin >= 3 && is(begin - 1, "+") && m_body[begin - 2].isWord() && is(begin - 3, "=") && (is(end, ";") || is(end, ","));
        if (isOffset)
            m_found.uses.push_back({ std::string(m_body[begin - 2].text), factor });
        return isOffset;
    }

    /// The array in whose subscript the token stands.
    [[nodiscard]] std::optional<std::string_view> subscriptAround(std::size_t at) const
    {
        int depth = 0;
        for (std::size_t i = at; i-- > 0;) {
            const Token& token = m_body[i];
            if (token.is(";") || token.is("{") || token.is("}"))
                return std::nullopt;
            if (token.is(")") || token.is("]"))
                ++depth;
            else if (token.opens() && --depth < 0) {
                depth = 0;
                if (token.is("[") && i > 0 && m_body[i - 1].isWord())
                    return m_body[i - 1].text;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::string factorOf(std::size_t first, std::size_t last) const
    {
        const auto isOperand = [&](std::size_t at) { return at < m_body.size() && (m_body[at].isWord() || m_body[at].kind == TokenKind::Number); };
        if (is(last, "*") && isOperand(last + 1))
            return std::string(m_body[last + 1].text);
        if (first >= 2 && is(first - 1, "*") && isOperand(first - 2))
            return std::string(m_body[first - 2].text);
        const bool isCast = first >= 3 && is(first - 1, ")") && m_body[first - 2].isWord() && is(first - 3, "("); // (size_t)c * n
        return isCast && first >= 5 && is(first - 4, "*") && isOperand(first - 5) ? std::string(m_body[first - 5].text) : "";
    }

    /// The variable of `v = ...` that the token at `at` stands in.
    [[nodiscard]] std::optional<std::string_view> assignedTo(std::size_t at) const
    {
        for (std::size_t i = at; i-- > 0;) {
            if (m_body[i].is(";") || m_body[i].is("{") || m_body[i].is("}") || m_body[i].is("<") || m_body[i].is(">"))
                return std::nullopt;
            if (m_body[i].is("=") && i > 0 && m_body[i - 1].isWord())
                return m_body[i - 1].text;
        }
        return std::nullopt;
    }

    std::vector<Token> m_body;
    std::string_view m_buffer;
    IndexUses m_found;
};

} // namespace

BufferUse useAt(const std::vector<Token>& tokens, std::size_t at)
{
    return Mention(tokens, at).use();
}

BufferUse useOf(std::span<const std::string> deviceCode, std::string_view kernel, std::string_view buffer, std::string_view object)
{
    for (const std::string& code : deviceCode) {
        const std::vector<Token> tokens = tokensOf(code);
        const std::span<const Token> found = bodyOf(tokens, kernel);
        if (found.empty())
            continue;
        const std::vector<Token> body(found.begin(), found.end());
        bool isMentioned = false; // else in a member function, perhaps
        BufferUse all { .reads = false, .writes = false };
        for (std::size_t i = 0; i < body.size(); ++i) {
            const auto leads = [&](std::size_t at) { return at < body.size() && (body[at].is(".") || body[at].is("->")); };
            const bool isMember = i > 0 && leads(i - 1);
            if (!object.empty() && !isMember && body[i].is(object) && (!leads(i + 1) || (i + 3 < body.size() && body[i + 3].is("("))))
                return {};
            if (!body[i].is(buffer) || isMember == object.empty())
                continue;
            isMentioned = true;
            const BufferUse use = useAt(body, i);
            all = { all.reads || use.reads, all.writes || use.writes };
        }
        return isMentioned ? all : BufferUse {};
    }
    return {};
}

IndexUses indexUsesOf(std::span<const std::string> deviceCode, std::string_view kernel, std::string_view buffer)
{
    for (const std::string& code : deviceCode) {
        const std::vector<Token> tokens = tokensOf(code);
        if (const std::span<const Token> body = bodyOf(tokens, kernel); !body.empty())
            return UseFinder(body, buffer).find();
    }
    return {};
}

} // namespace coalescope::kernels
