// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/kernel_impl.h"

#include <algorithm>

namespace coalescope::kernels {
namespace {

constexpr std::string_view kBegin = "--- coalescope", kEnd = "---";

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A line of a comment without the comment's own characters.
struct CommentLine {
    std::string text;
    bool isComment = true; ///< false: the first line that is code
};

/// Walks the comments that a file starts with.
class LeadingComment {
public:
    CommentLine take(std::string_view line)
    {
        if (m_inBlock)
            return takeBlock(line, true);
        const std::string_view content = trimmed(line);
        if (content.empty())
            return {};
        if (content.starts_with("//")) {
            std::string_view text = content.substr(2);
            if (text.starts_with(' '))
                text.remove_prefix(1);
            return { std::string(text) };
        }
        if (content.starts_with("/*")) {
            m_inBlock = true;
            return takeBlock(content.substr(2), false);
        }
        return { {}, false };
    }

private:
    CommentLine takeBlock(std::string_view line, bool mayHaveStar)
    {
        if (mayHaveStar) { // the decoration of " * text" lines
            const std::string_view content = trimmed(line);
            if (content == "*" || content.starts_with("* "))
                line = content.substr(1);
        }
        if (const auto end = line.find("*/"); end != line.npos) {
            m_inBlock = false;
            line = line.substr(0, end);
        }
        return { std::string(line) };
    }

    bool m_inBlock = false;
};

/// Index behind a quoted text that begins at `at`; one-line quotes end with the line at the latest.
std::size_t skipQuoted(std::string_view toml, std::size_t at)
{
    const char quote = toml[at];
    const std::string three(3, quote);
    const bool manyLines = toml.substr(at).starts_with(three);
    for (at += manyLines ? 3 : 1; at < toml.size(); ++at) {
        if (toml[at] == '\\' && quote == '"')
            ++at;
        else if (manyLines && toml.substr(at).starts_with(three))
            return at + 3;
        else if (!manyLines && (toml[at] == quote || toml[at] == '\n'))
            return at + (toml[at] == quote);
    }
    return toml.size();
}

} // namespace

int lineOfStrayCharacter(std::string_view toml)
{
    for (std::size_t at = 0; at < toml.size();) {
        if (toml[at] == '"' || toml[at] == '\'')
            at = skipQuoted(toml, at);
        else if (toml[at] == '#')
            at = std::min(toml.find('\n', at), toml.size());
        else if (static_cast<unsigned char>(toml[at++]) >= 0x80)
            return 1 + int(std::count(toml.begin(), toml.begin() + std::ptrdiff_t(at), '\n'));
    }
    return 0;
}

Result<std::string> manifestText(std::string_view source, std::string_view sourceName)
{
    LeadingComment comment;
    std::string manifest;
    bool inside = false;
    int line = 0, begin = 0;
    while (!source.empty()) {
        const auto end = source.find('\n');
        const std::string_view text = source.substr(0, end);
        source = end == source.npos ? std::string_view {} : source.substr(end + 1);
        ++line;
        CommentLine content = comment.take(text);
        if (!content.isComment)
            break;
        const std::string_view mark = trimmed(content.text);
        if (inside && mark == kEnd)
            return manifest;
        if (!inside && mark == kBegin) {
            inside = true;
            begin = line;
        } else if (inside) {
            if (content.text.ends_with('\r'))
                content.text.pop_back();
            manifest += content.text;
        }
        manifest += '\n';
    }
    const std::string name(sourceName);
    if (inside)
        return fail(ErrorCode::BadInput, "the manifest has no end: a line '---' in the same leading comment",
            name + ":" + std::to_string(begin));
    return fail(ErrorCode::BadInput,
        "the file has no manifest: its leading comment holds no line '--- coalescope'", name + ":1");
}

} // namespace coalescope::kernels
