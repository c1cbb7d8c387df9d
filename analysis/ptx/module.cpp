// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/module.h"

#include "analysis/ptx/constant.h"
#include "analysis/ptx/failure.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coalescope::analysis::ptx {

namespace {
constexpr auto kLinkage
    = std::to_array<std::string_view>({ ".visible", ".extern", ".weak", ".common" });

/// Performance and cluster directives with their comma-separated numbers; none changes what is
/// executed.
constexpr auto kTuning = std::to_array<std::string_view>({ ".maxnreg", ".minnctapersm",
    ".maxnctapersm", ".maxclusterrank", ".reqnctapercluster", ".explicitcluster", ".noreturn",
    ".pragma", ".abi_preserve", ".abi_preserve_control", ".unified", ".blocksareclusters" });

/// The text of a quoted string: bytes that are not printable stand as three octal digits, quotes and backslashes
/// behind a backslash.
std::string unescaped(std::string_view quoted)
{
    const auto isOctal = [](char c) { return c >= '0' && c <= '7'; };
    const std::string_view text = quoted.substr(1, quoted.size() - 2);
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            plain += text[i];
        } else if (i + 3 < text.size() && isOctal(text[i + 1]) && isOctal(text[i + 2]) && isOctal(text[i + 3])) {
            plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
            i += 3;
        } else {
            plain += text[++i];
        }
    }
    return plain;
}

class ModuleReader {
public:
    explicit ModuleReader(Cursor cursor)
        : m_cursor(cursor)
    {
    }

    Module run()
    {
        while (!m_cursor.atEnd())
            item();
        return std::move(m_module);
    }

private:
    void item()
    {
        const Token& token = m_cursor.peek();
        if (m_cursor.accept(';'))
            return;
        if (token.kind != TokenKind::Directive)
            failBad(token.offset, "Expected a directive, found " + m_cursor.found() + '.');
        const std::string_view name = m_cursor.text(token);
        if (std::ranges::find(kLinkage, name) != kLinkage.end()) {
            m_cursor.next();
            m_isExtern = m_isExtern || name == ".extern";
            return;
        }
        const bool isExtern = std::exchange(m_isExtern, false);
        if (name == ".entry" || name == ".func")
            return function(name == ".entry");
        if (startsVariable(name))
            return variables(isExtern);
        m_cursor.next();
        if (name == ".file")
            return file();
        if (name == ".section")
            return section();
        if (name == ".loc")
            return skipLine(token.line);
        if (name == ".version" || name == ".target" || name == ".address_size" || name == ".pragma"
            || name == ".alias" || name == ".samplerref" || name == ".texref" || name == ".surfref"
            || name == ".tex")
            return header(name, token);
        failBad(token.offset,
            "The directive '" + std::string(name) + "' is not known at module level.");
    }

    void header(std::string_view name, const Token& directive)
    {
        if (name == ".address_size" && m_cursor.peek().kind == TokenKind::Number) {
            if (const std::uint32_t offset = m_cursor.peek().offset; readInteger(m_cursor) != 64)
                failUnsupported(offset, "Only 64-bit addresses are modelled.");
            return;
        }
        if (name == ".version" || name == ".target")
            return skipLine(directive.line);
        while (!m_cursor.atEnd() && !m_cursor.accept(';'))
            m_cursor.next();
    }

    void skipLine(std::uint32_t line)
    {
        while (!m_cursor.atEnd() && m_cursor.peek().line == line)
            m_cursor.next();
    }

    void file()
    {
        const std::int64_t number = readInteger(m_cursor);
        if (m_cursor.peek().kind != TokenKind::String)
            failBad(m_cursor.peek().offset,
                "Expected a file name in quotes, found " + m_cursor.found() + '.');
        m_module.files[static_cast<std::uint32_t>(number)] = unescaped(m_cursor.text(m_cursor.next()));
        while (m_cursor.accept(','))
            readInteger(m_cursor);
    }

    void section()
    {
        const bool isTexts = m_cursor.atDirective(".debug_str");
        while (!m_cursor.atEnd() && !m_cursor.at('{'))
            m_cursor.next();
        m_cursor.expect('{');
        if (isTexts)
            debugTexts();
        skipBraces(m_cursor);
    }

    /// Lines of bytes, `.b8 95,90,0`, with labels before them. Anything else is skipped: only names are lost.
    void debugTexts()
    {
        while (!m_cursor.atEnd() && !m_cursor.at('{') && !m_cursor.at('}')) {
            if (m_cursor.acceptDirective(".b8")) {
                do {
                    m_module.debugTexts += static_cast<char>(readInteger(m_cursor));
                } while (m_cursor.accept(','));
            } else if (m_cursor.atWord()) {
                m_module.debugLabels[m_cursor.text(m_cursor.next())] = m_module.debugTexts.size();
            } else {
                m_cursor.next();
            }
        }
    }

    void variables(bool isExtern)
    {
        for (Variable& variable : readVariables(m_cursor, isExtern)) {
            const auto [at, isNew]
                = m_module.variableNamed.try_emplace(variable.name, m_module.variables.size());
            if (isNew) {
                m_module.variables.push_back(std::move(variable));
            } else if (m_module.variables[at->second].isExtern) {
                if (!variable.isExtern)
                    m_module.variables[at->second] = std::move(variable);
            } else if (!variable.isExtern) {
                failBad(variable.offset,
                    "The variable '" + std::string(variable.name) + "' is declared twice.");
            }
        }
    }

    void params(std::vector<ParamDeclaration>& list)
    {
        if (!m_cursor.accept('(') || m_cursor.accept(')'))
            return;
        do {
            list.push_back(readParam(m_cursor));
        } while (m_cursor.accept(','));
        m_cursor.expect(')');
    }

    void function(bool isEntry)
    {
        FunctionDeclaration function;
        function.isEntry = isEntry;
        m_cursor.next();
        if (!isEntry) {
            while (m_cursor.peek().kind == TokenKind::Directive) // .attribute(...)
                attribute();
            params(function.returns);
        }
        function.offset = m_cursor.peek().offset;
        function.name = m_cursor.text(m_cursor.expectWord("a function's name"));
        params(function.params);
        while (m_cursor.peek().kind == TokenKind::Directive)
            tuning(function);
        if (!m_cursor.accept(';')) {
            m_cursor.expect('{');
            function.hasBody = true;
            function.bodyBegin = m_cursor.index();
            skipBraces(m_cursor);
        }
        add(std::move(function));
    }

    void attribute()
    {
        m_cursor.next();
        if (m_cursor.accept('(')) {
            while (!m_cursor.atEnd() && !m_cursor.accept(')'))
                m_cursor.next();
        }
    }

    void tuning(FunctionDeclaration& function)
    {
        const Token& token = m_cursor.next();
        const std::string_view name = m_cursor.text(token);
        const bool isMost = name == ".maxntid", isRequired = name == ".reqntid";
        if (!isMost && !isRequired && std::ranges::find(kTuning, name) == kTuning.end())
            failBad(token.offset,
                "The directive '" + std::string(name) + "' is not known for a function.");
        if (name == ".pragma") {
            while (!m_cursor.atEnd() && !m_cursor.accept(';'))
                m_cursor.next();
            return;
        }
        std::uint64_t product = 1;
        std::array<std::uint32_t, 3> sizes { 1, 1, 1 };
        const bool parenthesised = m_cursor.accept('(');
        for (std::size_t count = 0; m_cursor.peek().kind == TokenKind::Number; ++count) {
            const auto number = static_cast<std::uint64_t>(readInteger(m_cursor));
            product = std::min<std::uint64_t>(product * number, 0xffff'ffffu);
            if (count < sizes.size())
                sizes[count] = static_cast<std::uint32_t>(number);
            if (!m_cursor.accept(','))
                break;
        }
        if (parenthesised)
            m_cursor.expect(')');
        if (isMost)
            function.maxThreads = static_cast<std::uint32_t>(product);
        if (isRequired)
            function.requiredBlock = sizes;
        if (name == ".reqnctapercluster")
            std::ranges::transform(sizes, function.cluster.begin(), [](std::uint32_t size) { return std::max(size, 1u); });
    }

    void add(FunctionDeclaration function)
    {
        const auto [at, isNew]
            = m_module.functionNamed.try_emplace(function.name, m_module.functions.size());
        if (isNew) {
            m_module.functions.push_back(std::move(function));
            return;
        }
        FunctionDeclaration& known = m_module.functions[at->second];
        if (known.hasBody && function.hasBody)
            failBad(function.offset,
                "The function '" + std::string(function.name) + "' is defined twice.");
        if (!known.hasBody)
            known = std::move(function);
    }

    Cursor m_cursor;
    Module m_module;
    bool m_isExtern = false;
};
}

std::string_view Module::debugText(std::string_view label, std::int64_t offset) const
{
    const auto found = debugLabels.find(label);
    if (found == debugLabels.end() || offset < 0)
        return {};
    const std::size_t begin = found->second + static_cast<std::size_t>(offset);
    if (begin >= debugTexts.size())
        return {};
    const std::string_view rest = std::string_view(debugTexts).substr(begin);
    return rest.substr(0, rest.find('\0'));
}

Module readModule(Cursor cursor) { return ModuleReader(cursor).run(); }

void skipBraces(Cursor& cursor)
{
    const std::uint32_t opening = cursor.peek().offset;
    for (int depth = 1; depth > 0; cursor.next()) {
        if (cursor.atEnd())
            failBad(opening, "The brace before this is never closed.");
        depth += cursor.at('{') - cursor.at('}');
    }
}

} // namespace coalescope::analysis::ptx
