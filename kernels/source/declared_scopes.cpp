// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/declared_scopes.h"

#include "kernels/source/declarations.h"

#include <algorithm>

namespace coalescope::kernels {
namespace {

/// Whether a namespace is the other one, or lies around it.
bool encloses(std::string_view outer, std::string_view inner)
{
    return outer.empty() || inner == outer || (inner.starts_with(outer) && inner.substr(outer.size()).starts_with("::"));
}

/// Whether the names before a :: may mean a namespace: "detail", or "fd::detail", of "fd::detail".
bool endsWith(std::string_view path, std::string_view written)
{
    return written.empty() || path == written || (path.ends_with(written) && path.substr(0, path.size() - written.size()).ends_with("::"));
}

} // namespace

DeclaredScopes::DeclaredScopes(std::span<const std::string> texts)
{
    for (const std::string& text : texts) {
        const std::vector<Token> tokens = tokensOf(text);
        for (const Declaration& declaration : declarationsOf(tokens)) {
            if (declaration.kind != DeclarationKind::Type && declaration.kind != DeclarationKind::Other)
                continue;
            const auto add = [&](std::string_view name) {
                std::vector<std::string>& paths = m_paths[std::string(name)];
                if (std::ranges::find(paths, declaration.path) == paths.end())
                    paths.push_back(declaration.path);
            };
            std::ranges::for_each(declaration.names, add);
            const auto head = std::span(tokens).subspan(declaration.first, declaration.bodyFirst > declaration.first ? declaration.bodyFirst - declaration.first : 0);
            const auto has = [&](std::string_view word) { return std::ranges::any_of(head, [&](const Token& token) { return token.is(word); }); };
            if (!has("enum") || has("class") || has("struct"))
                continue;
            for (std::size_t i = declaration.bodyFirst; i < declaration.bodyLast; ++i)
                if (tokens[i].isWord() && (i == declaration.bodyFirst || tokens[i - 1].is(",") || tokens[i - 1].is("{")))
                    add(tokens[i].text);
        }
    }
}

const std::string* DeclaredScopes::pathOf(std::string_view name, std::string_view written, std::string_view from) const
{
    const auto known = m_paths.find(name);
    if (known == m_paths.end())
        return nullptr;
    const std::string* best = nullptr;
    const auto worth = [&](const std::string& path) { return encloses(path, from) ? std::ptrdiff_t(path.size()) : -1; };
    for (const std::string& path : known->second)
        if (endsWith(path, written) && (!best || worth(path) > worth(*best)))
            best = &path;
    return best;
}

std::string DeclaredScopes::qualified(std::string_view type, std::string_view from) const
{
    const std::string text(type);
    const std::vector<Token> tokens = tokensOf(text);
    std::string result;
    const auto append = [&](std::string_view word) {
        const bool isBehindWord = !result.empty() && isWordPart(result.back()) && !word.empty() && isWordPart(word.front());
        result += (isBehindWord ? " " : "") + std::string(word);
    };
    for (std::size_t i = 0; i < tokens.size();) {
        std::size_t end = i + 1; // of the names between ::
        while (tokens[i].isWord() && end + 1 < tokens.size() && tokens[end].is("::") && tokens[end + 1].isWord())
            end += 2;
        const bool isMember = i > 0 && (tokens[i - 1].is("::") || tokens[i - 1].is("{"));
        std::size_t named = i; // the last of them that is declared there
        const std::string* path = nullptr;
        std::string written;
        for (std::size_t at = i; tokens[i].isWord() && !isMember && at < end; at += 2) {
            if (const std::string* const found = pathOf(tokens[at].text, written, from)) {
                path = found;
                named = at;
                break;
            }
            written += (written.empty() ? "" : "::") + std::string(tokens[at].text);
        }
        if (path && !path->empty())
            append(*path + "::");
        for (std::size_t at = path ? named : i; at < end; ++at)
            append(tokens[at].text);
        i = end;
    }
    return result;
}

} // namespace coalescope::kernels
