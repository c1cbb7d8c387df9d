// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/made_integers.h"

#include "kernels/source/parameter_types.h"
#include "kernels/source/tokens.h"

#include <algorithm>
#include <array>
#include <set>

namespace coalescope::kernels {
namespace {

constexpr auto kRoundings = std::to_array<std::string_view>({ "floorf", "floor", "lrintf", "lroundf", "rintf", "roundf", "truncf", "ceilf" });
constexpr auto kPlaces = std::to_array<std::string_view>({ "blockIdx", "threadIdx", "blockDim", "gridDim" });

bool isReal(std::string_view type)
{
    const PlainType* const plain = plainType(type);
    return plain && plain->elements == 1 && (plain->element[0] == 'f' || plain->element[0] == 'b');
}

class CastFinder {
public:
    explicit CastFinder(const std::vector<Token>& tokens)
        : m_tokens(tokens)
    {
    }

    bool find()
    {
        for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
            if (is(i, "__global__")) // whose parameters are the same for all threads
                while (i + 1 < m_tokens.size() && !is(i, "{") && !is(i, ";"))
                    ++i;
            if (!m_tokens[i].isWord())
                continue;
            readDeclaration(i);
            if (is(i + 1, "(") && isRounding(m_tokens[i].text))
                return true;
            if (const std::size_t operand = operandOfCast(i); operand > 0 && (looksReal(operand) || isVariable(operand)))
                return true;
        }
        return false;
    }

private:
    [[nodiscard]] bool is(std::size_t at, std::string_view mark) const { return at < m_tokens.size() && m_tokens[at].is(mark); }

    static bool isRounding(std::string_view name)
    {
        return isOneOf(name, kRoundings) || name.starts_with("__float2int") || name.starts_with("__float2uint");
    }

    /// `float x = a(1, 2), y;`: its names are variables of real numbers; of `int x` it no longer is one.
    void readDeclaration(std::size_t at)
    {
        const std::string_view type = m_tokens[at].text;
        if (!plainType(type))
            return;
        std::size_t name = at + 1;
        while (is(name, "const") || is(name, "&"))
            ++name;
        while (name + 1 < m_tokens.size() && m_tokens[name].isWord() && !m_tokens[name + 1].isWord() && !is(name + 1, "*") && !is(name + 1, "&")) {
            if (isReal(type))
                m_variables.insert(m_tokens[name].text);
            else
                m_variables.erase(m_tokens[name].text);
            std::size_t end = name + 1;
            while (end < m_tokens.size() && !is(end, ",") && !is(end, ";") && !is(end, ")") && !is(end, "}"))
                end = m_tokens[end].opens() ? behindBracket(m_tokens, end) : end + 1;
            if (!is(end, ","))
                return;
            name = end + 1;
        }
    }

    /// Of `(int)x`, `int(x)` and `static_cast<int>(x)`, i being the type: what is cast, or its bracket; 0: it is no cast.
    [[nodiscard]] std::size_t operandOfCast(std::size_t i) const
    {
        if (i == 0 || !isCount(m_tokens[i].text))
            return 0;
        const bool isNamed = is(i - 1, "<") && is(i + 1, ">") && is(i + 2, "(");
        if ((is(i - 1, "(") && is(i + 1, ")")) || isNamed)
            return i + 2;
        return is(i + 1, "(") && !m_tokens[i - 1].isWord() ? i + 2 : 0;
    }

    /// A member, or an element that is divided or multiplied.
    [[nodiscard]] bool looksReal(std::size_t first) const
    {
        constexpr std::size_t kLongest = 14;
        bool isElement = false, isScaled = false, isMember = false;
        int open = 0;
        for (std::size_t i = first; i < std::min(first + kLongest, m_tokens.size()) && open >= 0 && !is(i, ";") && !is(i, ","); ++i) {
            open += m_tokens[i].opens() ? 1 : is(i, ")") || is(i, "]") ? -1 : 0;
            isElement = isElement || is(i, "[");
            isScaled = isScaled || is(i, "/") || is(i, "*");
            isMember = isMember || (is(i, ".") && i > 0 && !isOneOf(m_tokens[i - 1].text, kPlaces));
        }
        const bool isElementAlone = first + 1 < m_tokens.size() && m_tokens[first].isWord() && is(first + 1, "["); // (int)x[i]
        return isMember || isElementAlone || (isElement && isScaled);
    }

    /// A variable of real numbers, alone or in brackets.
    [[nodiscard]] bool isVariable(std::size_t first) const
    {
        const bool isBracketed = is(first, "(") || is(first - 1, "(");
        const std::size_t open = is(first, "(") ? first : first - 1;
        const std::size_t end = isBracketed ? behindBracket(m_tokens, open) : std::min(first + 1, m_tokens.size());
        for (std::size_t i = first; i < end; ++i)
            if (m_tokens[i].isWord() && !is(i - 1, ".") && !is(i - 1, "->") && !is(i + 1, "(") && m_variables.contains(m_tokens[i].text))
                return true;
        return false;
    }

    const std::vector<Token>& m_tokens;
    std::set<std::string_view> m_variables; ///< of real numbers, by their last declarations
};

} // namespace

bool makesIntegers(std::span<const std::string> deviceCode)
{
    return std::ranges::any_of(deviceCode, [](const std::string& code) { return CastFinder(tokensOf(code)).find(); });
}

} // namespace coalescope::kernels
