// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/failure.h"

#include <algorithm>
#include <utility>

namespace coalescope::analysis::ptx {

namespace {
constexpr std::size_t kLongestLineShown = 160;

/// Blanks that put a caret under the column, keeping tabs so that both lines indent alike.
std::string caretUnder(std::string_view before)
{
    std::string blanks(before);
    for (char& c : blanks)
        c = c == '\t' ? '\t' : ' ';
    return blanks + '^';
}

std::string printable(std::string_view line)
{
    std::string out(line);
    for (char& c : out) {
        if (c != '\t'
            && (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e))
            c = '?';
    }
    return out;
}
}

void failBad(std::uint32_t offset, std::string sentence)
{
    throw Failure { ErrorCode::BadInput, std::move(sentence), offset, {} };
}

void failUnsupported(std::uint32_t offset, std::string sentence)
{
    throw Failure { ErrorCode::UnsupportedInstruction, std::move(sentence), offset, {} };
}

Error describe(const Failure& failure, std::string_view text)
{
    const std::size_t at = std::min<std::size_t>(failure.offset, text.size());
    const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto line
        = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    const std::size_t column = at - begin + 1;

    const std::size_t skipped = column > kLongestLineShown ? column - kLongestLineShown / 2 : 0;
    const std::string shown = printable(
        text.substr(begin + skipped, std::min(end - begin - skipped, kLongestLineShown)));
    const std::string caret = caretUnder(std::string_view(shown).substr(0, column - 1 - skipped));
    return Error { failure.code, failure.sentence + '\n' + shown + '\n' + caret,
        (failure.source.empty() ? "" : failure.source + ", ") + "ptx:" + std::to_string(line) + ':' + std::to_string(column) };
}

} // namespace coalescope::analysis::ptx
