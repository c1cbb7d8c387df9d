// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/parse.h"

#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

namespace coalescope::analysis {

namespace {
std::string listed(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list.empty() ? "none" : list;
}

std::vector<std::string> entriesOf(const ptx::Module& module)
{
    std::vector<std::string> names;
    for (const ptx::FunctionDeclaration& function : module.functions) {
        if (function.isEntry && function.hasBody)
            names.emplace_back(function.name);
    }
    return names;
}

Result<Program> decodeEntry(
    const ptx::Module& module, const ptx::Cursor& cursor, std::string_view entry)
{
    const std::vector<std::string> names = entriesOf(module);
    if (entry.empty() && names.size() != 1)
        return fail(ErrorCode::EntryNotFound,
            "The module has not exactly one kernel; it has: " + listed(names) + '.');
    if (entry.empty())
        entry = names.front();
    const auto found = module.functionNamed.find(entry);
    if (found == module.functionNamed.end() || !module.functions[found->second].isEntry
        || !module.functions[found->second].hasBody)
        return fail(ErrorCode::EntryNotFound,
            "The module has no kernel '" + std::string(entry) + "'; it has: " + listed(names)
                + '.');
    return ptx::Decoder(module, cursor).decode(module.functions[found->second]);
}
}

Result<Program> parsePtx(std::string_view text, std::string_view entry)
{
    try {
        const std::vector<ptx::Token> tokens = ptx::tokenize(text);
        const ptx::Cursor cursor(text, tokens);
        const ptx::Module module = ptx::readModule(cursor);
        return decodeEntry(module, cursor, entry);
    } catch (const ptx::Failure& failure) {
        return std::unexpected(ptx::describe(failure, text));
    }
}

} // namespace coalescope::analysis
