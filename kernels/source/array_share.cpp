// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/array_share.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels {
namespace {

/// Parts of names of functions that fill an array.
constexpr auto kFilling = std::to_array<std::string_view>(
    { "copy", "cpy", "fill", "gen", "init", "iota", "load", "parse", "rand", "read", "scan", "shuffle", "sort", "sum", "swap", "transform" });

/// The bracket that the one at `close` closes.
std::size_t opening(const HostProgram& program, std::size_t close)
{
    int depth = 0;
    for (std::size_t at = close; at > 0; --at) {
        const Token& token = program.token(at);
        depth += (token.is(")") || token.is("}") || token.is("]")) - token.opens();
        if (depth == 0)
            return at;
    }
    return 0;
}

/// Whether a condition asks for equality, though of no remainder.
bool isRare(const HostProgram& program, std::size_t open)
{
    bool asks = false;
    for (std::size_t at = open, end = behindBracket(program.tokens(), open); at < end; ++at) {
        const Token& token = program.token(at);
        if (token.is("%") || token.is("&") || token.is("||"))
            return false;
        asks = asks || token.is("==");
    }
    return asks;
}

bool namesFilling(std::string_view name)
{
    return !name.starts_with("cuda") && std::ranges::any_of(kFilling, [&](std::string_view part) { return name.find(part) != name.npos; });
}

/// Whether a name is among what a function gets that fills.
bool isGivenToFill(const HostProgram& program, std::size_t at)
{
    while (at > 1) {
        const Token& before = program.token(--at);
        if (before.is(";") || before.is("{") || before.is("}"))
            return false;
        if (before.is(")") || before.is("]"))
            at = opening(program, at);
        else if (before.is("(") && namesFilling(program.token(at - 1).text))
            return true;
    }
    return false;
}

} // namespace

Share shareSet(const HostProgram& program, std::size_t at)
{
    bool isOfStatement = true; // what stands before `at` belongs to the statement, or to one around it
    while (at > 1) {
        const Token& before = program.token(--at);
        if (before.is(";") || before.is("}"))
            isOfStatement = false;
        if (before.is("}") || before.is(")") || before.is("]")) {
            at = opening(program, at);
            const Token& head = program.token(at - std::min<std::size_t>(at, 1));
            if (isOfStatement && before.is(")") && head.is("if"))
                return isRare(program, at) ? Share::Few : Share::Some;
            if (isOfStatement && before.is(")") && (head.is("for") || head.is("while") || head.is("]")))
                return Share::All;
        } else if (before.is("{")) {
            isOfStatement = true;
        } else if (isOfStatement && (before.is("else") || before.is("do"))) {
            return Share::All;
        }
    }
    return Share::Few;
}

bool declaresVector(const HostProgram& program, std::size_t at)
{
    while (at > 0) {
        const Token& before = program.token(--at);
        if (before.is(";") || before.is("{") || before.is("}") || before.is("=") || before.is("("))
            return false;
        if (before.is("vector") || before.is("host_vector"))
            return true;
        if (before.is(")"))
            at = opening(program, at);
    }
    return false;
}

bool mayChange(const HostProgram& program, std::size_t at)
{
    static constexpr auto kBefore = std::to_array<std::string_view>({ "++", "--", "&", ">" });
    static constexpr auto kBehind = std::to_array<std::string_view>({ "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=" });
    const bool isItem = program.token(at + 1).is("[");
    const std::string_view before = program.token(at - std::min<std::size_t>(at, 1)).text;
    if (isItem && (isOneOf(before, kBefore) || isOneOf(program.token(behindBracket(program.tokens(), at + 1)).text, kBehind)))
        return true;
    const bool isReferred = at > 2 && (program.token(at - 3).is("&") || program.token(at - 3).is("&&")); // auto& item = array[i];
    if (before == "=" && (!isItem || isReferred))
        return true;
    return isGivenToFill(program, at);
}

} // namespace coalescope::kernels
