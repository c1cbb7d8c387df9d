// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/diagnostics.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace coalescope::kernels {
namespace {

/// Where the compilers look for the entry: NVRTC's own text, and the wrapper that clang is given.
constexpr std::array<std::string_view, 2> kEntryFiles { "__nv_name_map", "coalescope_entry.cu" };

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Reads a number that ends at `end` of `text`; false where there is none.
bool numberBefore(std::string_view text, std::size_t end, std::size_t& begin, int& number)
{
    begin = end;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])))
        --begin;
    return begin < end && std::from_chars(text.data() + begin, text.data() + end, number).ec == std::errc();
}

/// FILE(LINE), FILE:LINE or FILE:LINE:COLUMN.
void readPlace(std::string_view place, Diagnostic& diagnostic)
{
    std::size_t begin = 0;
    int number = 0;
    if (place.ends_with(')') && numberBefore(place, place.size() - 1, begin, number) && begin > 0
        && place[begin - 1] == '(') {
        diagnostic.line = number;
        diagnostic.file = place.substr(0, begin - 1);
        return;
    }
    diagnostic.file = place;
    if (!numberBefore(place, place.size(), begin, number) || begin == 0 || place[begin - 1] != ':')
        return;
    diagnostic.line = number;
    place = place.substr(0, begin - 1);
    diagnostic.file = place;
    if (numberBefore(place, place.size(), begin, number) && begin > 0 && place[begin - 1] == ':') {
        diagnostic.column = std::exchange(diagnostic.line, number);
        diagnostic.file = place.substr(0, begin - 1);
    }
}

/// Skips one balanced (...) or <...> that starts at `at`.
std::size_t pastBrackets(std::string_view text, std::size_t at)
{
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '(')
            ++depth;
        else if (text[at] == ')' && --depth == 0)
            return at + 1;
    }
    return at;
}

/// The source with comments and texts blanked, so that words in them are not taken for code.
std::string codeOnly(std::string_view source)
{
    std::string code(source);
    for (std::size_t i = 0; i < code.size(); ++i) {
        std::size_t end = i;
        if (source.substr(i, 2) == "//")
            end = std::min(source.find('\n', i), source.size());
        else if (source.substr(i, 2) == "/*")
            end = std::min(source.find("*/", i + 2), source.size() - 2) + 2;
        else if (source[i] == '"') {
            for (end = i + 1; end < source.size() && source[end] != '"' && source[end] != '\n'; ++end)
                end += source[end] == '\\';
            end = std::min(end + 1, source.size());
        }
        if (end > i) {
            std::fill(code.begin() + std::ptrdiff_t(i), code.begin() + std::ptrdiff_t(end), ' ');
            i = end - 1;
        }
    }
    return code;
}

/// The function's name in a declaration that goes on after __global__.
std::string declaredName(std::string_view code)
{
    std::string last;
    for (std::size_t at = 0; at < code.size();) {
        const char c = code[at];
        if (isWord(c)) {
            const std::size_t begin = at;
            while (at < code.size() && isWord(code[at]))
                ++at;
            last = code.substr(begin, at - begin);
        } else if (c == '(') {
            if (last != "__launch_bounds__" && last != "__attribute__" && last != "__cluster_dims__")
                return last;
            at = pastBrackets(code, at);
        } else if (c == ';' || c == '{' || c == '}') {
            return {};
        } else {
            ++at;
        }
    }
    return {};
}

} // namespace

std::vector<Diagnostic> diagnosticsOf(std::string_view log)
{
    std::vector<Diagnostic> found;
    while (!log.empty()) {
        const auto end = log.find('\n');
        const std::string_view line = log.substr(0, end);
        log = end == log.npos ? std::string_view {} : log.substr(end + 1);
        for (const std::string_view word : { ": error: ", ": fatal error: ", ": catastrophic error: ", ": error #",
                 ": warning: ", ": warning #" }) {
            const auto at = line.find(word);
            if (at == line.npos)
                continue;
            Diagnostic diagnostic;
            diagnostic.isError = word.find("error") != word.npos;
            diagnostic.message = line.substr(at + word.size());
            if (word.ends_with('#')) { // the number says nothing to people
                if (const auto text = diagnostic.message.find(": "); text != std::string::npos)
                    diagnostic.message.erase(0, text + 2);
            }
            if (line.substr(0, at) != "nvrtc") // about its options: no place in the source
                readPlace(line.substr(0, at), diagnostic);
            found.push_back(std::move(diagnostic));
            break;
        }
    }
    return found;
}

std::string baseName(std::string_view entry)
{
    entry = entry.substr(0, entry.find('<'));
    if (const auto scope = entry.rfind("::"); scope != entry.npos)
        entry.remove_prefix(scope + 2);
    while (!entry.empty() && !isWord(entry.back()))
        entry.remove_suffix(1);
    return std::string(entry);
}

std::vector<std::string> kernelNames(std::string_view source)
{
    constexpr std::string_view kMark = "__global__";
    std::vector<std::string> names;
    const std::string code = codeOnly(source);
    const std::string_view view = code;
    for (auto at = view.find(kMark); at != view.npos; at = view.find(kMark, at + kMark.size())) {
        std::string name = declaredName(view.substr(at + kMark.size()));
        if (!name.empty() && std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    }
    return names;
}

Error compileError(const LaunchPlan& plan, std::string_view log)
{
    const std::vector<Diagnostic> all = diagnosticsOf(log);
    const auto first = std::ranges::find_if(all, &Diagnostic::isError);
    if (first == all.end())
        return { ErrorCode::CompileFailed, "the compiler failed\n" + std::string(log), plan.sourceName };
    if (std::ranges::find(kEntryFiles, first->file) != kEntryFiles.end()) {
        // Nothing is wrong before the place where the entry is asked for.
        const std::vector<std::string> kernels = kernelNames(plan.source);
        const bool known = std::ranges::find(kernels, baseName(plan.entry)) != kernels.end();
        const std::string why = known ? " as written (" + first->message + ")" : "";
        return { ErrorCode::EntryNotFound, missingEntry(plan, kernels, why), plan.sourceName };
    }
    std::string where = first->file.empty() ? plan.sourceName : first->file;
    if (first->line)
        where += ":" + std::to_string(first->line);
    if (first->column)
        where += ":" + std::to_string(first->column);
    return { ErrorCode::CompileFailed, first->message + "\n" + std::string(log), where };
}

std::string missingEntry(const LaunchPlan& plan, const std::vector<std::string>& kernels, const std::string& why)
{
    std::string names;
    for (const std::string& name : kernels)
        names += (names.empty() ? "" : ", ") + name;
    if (names.empty())
        return "the file holds no __global__ function";
    if (plan.entry.empty())
        return "the file holds several kernels; name one of " + names;
    return "there is no kernel '" + plan.entry + "'" + why + "; the file holds " + names;
}

std::vector<std::string> warningsOf(std::string_view log)
{
    std::vector<std::string> warnings;
    for (const Diagnostic& diagnostic : diagnosticsOf(log)) {
        if (!diagnostic.isError)
            warnings.push_back((diagnostic.file.empty() ? "" : diagnostic.file + ":" + std::to_string(diagnostic.line) + ": ")
                + diagnostic.message);
    }
    return warnings;
}

} // namespace coalescope::kernels
