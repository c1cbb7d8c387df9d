// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/include_check.h"

#include "kernels/source/declarations.h"
#include "kernels/source/tensor_library.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <span>

namespace coalescope::kernels {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kFileLimitBytes = 16 << 20;
constexpr std::size_t kFileLimit = 1024;

/// The name of an `#include "name"` or `#include <name>` line; empty where the line is none.
std::string_view includedName(std::string_view line)
{
    const auto skip = [&line](std::string_view characters) {
        line.remove_prefix(std::min(line.find_first_not_of(characters), line.size()));
    };
    skip(" \t");
    if (!line.starts_with('#'))
        return {};
    line.remove_prefix(1);
    skip(" \t");
    if (!line.starts_with("include"))
        return {};
    line.remove_prefix(7);
    skip(" \t_next");
    if (line.empty() || (line[0] != '"' && line[0] != '<'))
        return {};
    const auto end = line.find(line[0] == '"' ? '"' : '>', 1);
    return end == line.npos ? std::string_view {} : line.substr(1, end - 1);
}

/// Whether a line that is no plain #include may still read a file, or ask for one. A comment may look so.
bool mayRead(std::string_view line)
{
    return std::ranges::any_of(std::array { "include", "import", "embed" },
        [&](const char* word) { return line.find(word) != line.npos; });
}

/// Walks the includes, each file once.
class IncludeWalk {
public:
    explicit IncludeWalk(const LaunchPlan& plan)
        : m_folders { plan.includeDirectory }
    {
        m_folders.insert(m_folders.end(), plan.compile.include.begin(), plan.compile.include.end());
    }

    Result<void> walk(std::string_view text, const std::string& name, const fs::path& folder)
    {
        int line = 0;
        while (!text.empty()) {
            const auto end = text.find('\n');
            const std::string_view included = includedName(text.substr(0, end));
            if (included.empty() && mayRead(text.substr(0, end)))
                m_includes.complete = false;
            text = end == text.npos ? std::string_view {} : text.substr(end + 1);
            ++line;
            if (included.empty())
                continue;
            bool found = false;
            std::vector<fs::path> bases { folder };
            bases.insert(bases.end(), m_folders.begin(), m_folders.end());
            for (const fs::path& base : bases) {
                const fs::path file = base / included; // an absolute name replaces the base
                std::error_code error;
                if (!file.is_absolute() || !fs::exists(file, error))
                    continue;
                if (auto done = enter(file, std::string(included), name + ":" + std::to_string(line)); !done)
                    return done;
                found = true;
                break;
            }
            if (!found)
                m_includes.elsewhere.emplace_back(included);
        }
        return {};
    }

    /// A unit of its own.
    Result<void> add(const fs::path& unit, const std::string& where) { return enter(unit, "", where); }

    Includes take() { return std::move(m_includes); }

private:
    Result<void> enter(const fs::path& path, const std::string& included, const std::string& where)
    {
        std::vector<IncludedFile>& files = m_includes.files;
        std::error_code error;
        const fs::path file = fs::canonical(path, error);
        if (error || !fs::is_regular_file(file, error))
            return fail(ErrorCode::BadInput, "'" + path.string() + "' is no regular file and cannot be included", where);
        const std::uintmax_t bytes = fs::file_size(file, error);
        if (error || bytes > kFileLimitBytes)
            return fail(ErrorCode::BadInput, "'" + path.string() + "' is larger than 16 MiB", where);
        if (const auto known = std::ranges::find(files, file, &IncludedFile::path); known != files.end()) {
            if (!included.empty() && std::ranges::find(known->names, included) == known->names.end())
                known->names.push_back(included);
            return {};
        }
        if (files.size() >= kFileLimit)
            return fail(ErrorCode::BadInput, "more than 1024 files are included", where);
        std::ifstream in(file, std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(in)), {});
        files.push_back({ .path = file,
            .bytes = bytes,
            .modified = fs::last_write_time(file, error).time_since_epoch().count(),
            .names = included.empty() ? std::vector<std::string> {} : std::vector { included },
            .text = text,
            .isUnit = included.empty() });
        return walk(text, path.filename().string(), file.parent_path());
    }

    std::vector<fs::path> m_folders; ///< where the compilers look
    Includes m_includes;
};

/// Of the plan's file and of further units.
Result<Includes> walked(const LaunchPlan& plan, std::span<const fs::path> units)
{
    IncludeWalk walk(plan);
    if (auto done = walk.walk(plan.source, plan.sourceName, plan.includeDirectory); !done)
        return std::unexpected(done.error());
    for (const fs::path& unit : units)
        if (auto done = walk.add(plan.includeDirectory / unit, plan.sourceName); !done)
            return std::unexpected(done.error());
    return walk.take();
}

} // namespace

Result<Includes> includesOf(const LaunchPlan& plan) { return walked(plan, {}); }

Result<Includes> programIncludesOf(const LaunchPlan& plan)
{
    Result<Includes> includes = walked(plan, plan.compile.sources);
    if (includes && std::ranges::any_of(includes->elsewhere, isTensorHeader))
        includes->library = tensorLibrary(programFiles(plan, *includes));
    return includes;
}

std::vector<ProgramFile> programFiles(const LaunchPlan& plan, const Includes& includes)
{
    const fs::path own = plan.includeDirectory / plan.sourceName;
    std::vector<ProgramFile> files { { .text = plan.source, .names = {}, .isUnit = true, .path = own } };
    for (const IncludedFile& included : includes.files)
        files.push_back({ .text = included.text, .names = included.names, .isUnit = included.isUnit, .path = included.path });
    if (!includes.library.empty()) {
        files.push_back({ .text = includes.library, .names = {}, .isLibrary = true });
        std::ranges::copy_if(includes.elsewhere, std::back_inserter(files.back().names), isTensorHeader);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (const std::string_view library = runtimeLibraryFor(files[i].text); !library.empty()) {
            files.push_back({ .text = library, .names = {}, .isLibrary = true });
            break;
        }
    }
    std::ranges::stable_partition(files, &ProgramFile::isUnit);
    const auto units = std::span(files).first(std::size_t(std::ranges::count_if(files, &ProgramFile::isUnit)));
    if (units.size() > 1)
        std::ranges::sort(units, {}, [](const ProgramFile& unit) { return std::pair(!definesMain(unit.text), unit.path); });
    return files;
}

bool definesMain(std::string_view text)
{
    const std::vector<Token> tokens = tokensOf(text);
    const auto isMain = [](const Declaration& declaration) {
        return declaration.kind == DeclarationKind::Function && declaration.hasBody() && std::ranges::find(declaration.names, "main") != declaration.names.end();
    };
    return std::ranges::any_of(declarationsOf(tokens), isMain);
}

} // namespace coalescope::kernels
