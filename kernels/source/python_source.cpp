// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/python_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <vector>

namespace coalescope::kernels {
namespace {

bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string trimmed(std::string_view text)
{
    const std::size_t first = std::min(text.find_first_not_of(" \t()"), text.size()), last = text.find_last_not_of(" \t()\r");
    return std::string(text.substr(first, last == text.npos ? 0 : last + 1 - first));
}

std::vector<std::string> betweenCommas(std::string_view text)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        parts.push_back(trimmed(text.substr(at, comma - at)));
        at = comma + 1;
    }
    return parts;
}

/// Of `A, B = 32, 8`.
std::optional<std::string> amongSeveral(std::string_view program, const std::string& name)
{
    for (std::size_t at = 0; at < program.size();) {
        const std::size_t end = std::min(program.find('\n', at), program.size());
        const std::string_view line = program.substr(at, end - at);
        at = end + 1;
        const std::size_t equals = line.find('=');
        if (equals == line.npos || line.find(',') > equals || line.substr(equals).starts_with("=="))
            continue;
        const std::vector<std::string> names = betweenCommas(line.substr(0, equals)), values = betweenCommas(line.substr(equals + 1));
        const auto found = std::ranges::find(names, name);
        if (found != names.end() && names.size() == values.size())
            if (const std::string& value = values[std::size_t(found - names.begin())]; !value.empty() && std::ranges::all_of(value, isOfWord))
                return value;
    }
    return std::nullopt;
}

/// The literal that a name of the program stands for: `TILE = 16`, or `"TILE": 16` among what a string is formatted with.
std::optional<std::string> numberNamed(std::string_view program, const std::string& name, int depth = 0)
{
    if (depth > 4 || !std::ranges::all_of(name, isOfWord))
        return std::nullopt;
    const std::regex given("(?:^|[^\\w.])(?:[\"']" + name + "[\"']\\s*:|" + name + "\\s*=(?!=))\\s*([\\w.]+)");
    const std::string text(program);
    for (std::sregex_iterator at(text.begin(), text.end(), given); at != std::sregex_iterator(); ++at) {
        const std::string value = (*at)[1];
        if (std::isdigit(static_cast<unsigned char>(value.front())))
            return value;
        if (value != name)
            if (auto named = numberNamed(program, value, depth + 1))
                return named;
    }
    if (const auto value = amongSeveral(program, name); value && std::isdigit(static_cast<unsigned char>(value->front())))
        return value;
    return std::nullopt;
}

/// A string of three quotes.
struct Literal {
    std::size_t first = 0, last = 0; ///< of the program, without the quotes
    bool isRaw = false, isFormatted = false; ///< r"""...""", f"""..."""
};

std::vector<Literal> literalsOf(std::string_view program)
{
    std::vector<Literal> literals;
    for (std::size_t i = 0; i < program.size();) {
        const char c = program[i];
        if (c == '#') {
            i = std::min(program.find('\n', i), program.size());
            continue;
        }
        if (c != '"' && c != '\'') {
            ++i;
            continue;
        }
        const bool isLong = program.substr(i).starts_with(std::string(3, c));
        Literal literal { .first = i + (isLong ? 3 : 1) };
        for (std::size_t p = i; p > 0 && std::isalpha(static_cast<unsigned char>(program[p - 1])) && i - p < 2; --p) {
            literal.isRaw |= std::tolower(program[p - 1]) == 'r';
            literal.isFormatted |= std::tolower(program[p - 1]) == 'f';
        }
        std::size_t end = literal.first;
        while (end < program.size() && !(program[end] == c && (!isLong || program.substr(end).starts_with(std::string(3, c)))) && (isLong || program[end] != '\n'))
            end += program[end] == '\\' ? 2 : 1;
        literal.last = std::min(end, program.size());
        i = std::min(end + (isLong ? 3 : 1), program.size());
        if (isLong)
            literals.push_back(literal);
    }
    return literals;
}

/// What Python makes of the string: `%%` and `%(NAME)d` where it is formatted, `{{` and `{NAME}` of an f-string, `\\` of one that is not raw.
std::string made(std::string_view program, const Literal& literal)
{
    const std::string_view text = program.substr(literal.first, literal.last - literal.first);
    const std::size_t behind = std::min(program.find_first_not_of(" \t\r\n", literal.last + 3), program.size());
    const bool takesPercents = program.substr(behind).starts_with("%");
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        const bool isName = literal.isFormatted ? rest.starts_with("{") && !rest.starts_with("{{") : takesPercents && rest.starts_with("%(");
        const std::size_t close = isName ? rest.find(literal.isFormatted ? '}' : ')') : rest.npos;
        const bool isTwice = (literal.isFormatted && (rest.starts_with("{{") || rest.starts_with("}}"))) || (takesPercents && rest.starts_with("%%")) || (!literal.isRaw && rest.starts_with("\\\\"));
        if (close != rest.npos) {
            const std::size_t open = literal.isFormatted ? 1 : 2;
            const std::string name(rest.substr(open, close - open));
            result += numberNamed(program, name).value_or(name);
            i += close + (literal.isFormatted ? 0 : 1); // the d of %(NAME)d
            continue;
        }
        result += text[i];
        i += isTwice;
    }
    return result;
}

bool isCuda(std::string_view text)
{
    static constexpr auto kWords = std::to_array<std::string_view>({ "__global__", "__device__", "<<<" });
    return std::ranges::any_of(kWords, [&](std::string_view word) { return text.find(word) != text.npos; });
}

} // namespace

bool isPython(const std::filesystem::path& file) { return file.extension() == ".py"; }

std::string cudaOfPython(std::string_view program)
{
    std::string result;
    const auto addBlank = [&](std::string_view text) {
        for (const char c : text)
            if (c == '\n')
                result += '\n';
    };
    std::size_t end = 0;
    for (const Literal& literal : literalsOf(program)) {
        const std::string_view text = program.substr(literal.first, literal.last - literal.first);
        if (!isCuda(text))
            continue;
        addBlank(program.substr(end, literal.first - end));
        result += made(program, literal);
        end = literal.last;
    }
    addBlank(program.substr(end));
    return result;
}

} // namespace coalescope::kernels
