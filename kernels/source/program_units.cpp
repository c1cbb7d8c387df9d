// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/program_units.h"

#include "kernels/compile/include_check.h"
#include "kernels/source/declarations.h"
#include "kernels/source/host_words.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace coalescope::kernels {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestUnit = 1 << 20;
constexpr std::size_t kMostFiles = 64, kMostEntries = 500, kMostFolders = 32, kMostUnits = 200;

/// Functions by their names, without what they are of.
struct Functions {
    std::set<std::string, std::less<>> declared, defined;

    void add(std::string_view text)
    {
        const std::vector<Token> tokens = tokensOf(text);
        add(tokens, declarationsOf(tokens));
    }

private:
    /// `= default`, `= delete` and `= 0`: there is none elsewhere.
    static bool isSettled(const std::vector<Token>& tokens, const Declaration& declaration)
    {
        return declaration.last >= declaration.first + 3 && tokens[declaration.last - 1].is(";") && tokens[declaration.last - 3].is("=")
            && isOneOf(tokens[declaration.last - 2].text, std::to_array<std::string_view>({ "default", "delete", "0" }));
    }

    void add(const std::vector<Token>& tokens, const std::vector<Declaration>& declarations)
    {
        for (const Declaration& declaration : declarations) {
            if (declaration.kind == DeclarationKind::Type && declaration.hasBody())
                add(tokens, declarationsOf(tokens, declaration.bodyFirst, declaration.bodyLast)); // members
            if (declaration.kind != DeclarationKind::Function || declaration.names.empty() || isSettled(tokens, declaration))
                continue;
            (declaration.hasBody() ? defined : declared).emplace(declaration.names.back());
        }
    }
};

struct Unit {
    fs::path path;
    std::string text;
    bool hasMain = false;
    Functions functions; ///< and of what it includes
    std::vector<fs::path> headers;
};

bool isSource(const fs::path& file)
{
    static constexpr std::array<std::string_view, 6> kEnds { ".cu", ".cpp", ".cc", ".cxx", ".c++", ".c" };
    return isOneOf(file.extension().string(), kEnds);
}

std::vector<fs::path> entriesOf(const fs::path& folder, bool wantsFolders)
{
    std::vector<fs::path> found;
    std::error_code error;
    std::size_t seen = 0;
    for (fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end; !error && entry != end && ++seen <= kMostEntries; entry.increment(error)) {
        std::error_code unread;
        const bool isWanted = wantsFolders ? entry->is_directory(unread) && !entry->path().filename().string().starts_with('.')
                                           : isSource(entry->path()) && entry->is_regular_file(unread) && entry->file_size(unread) <= kLargestUnit;
        if (isWanted && !unread)
            found.push_back(entry->path());
    }
    std::ranges::sort(found);
    found.resize(std::min(found.size(), wantsFolders ? kMostFolders : kMostFiles));
    return found;
}

class Search {
public:
    explicit Search(const LaunchPlan& plan)
        : m_plan(plan)
    {
        m_own = read(plan.includeDirectory / plan.sourceName, plan.source);
    }

    ProgramUnits found()
    {
        const fs::path& folder = m_plan.includeDirectory;
        if (m_own.hasMain || folder.empty()) {
            if (!folder.empty() && !missing({ &m_own }).empty())
                readFolders(folder);
            return withoutOwn(joined(m_own));
        }
        readFolders(folder);
        if (const auto units = mainsUnits(); !units.empty())
            return withoutOwn(units);
        if (folder.has_parent_path() && folder.parent_path() != folder)
            readFolders(folder.parent_path());
        if (const auto units = mainsUnits(); !units.empty())
            return withoutOwn(units);
        return withoutOwn(joined(m_own));
    }

private:
    using Units = std::vector<const Unit*>;

    Unit read(const fs::path& path, std::string text) const
    {
        Unit unit { .path = path, .text = text, .functions = {}, .headers = {} };
        unit.functions.add(text);
        unit.hasMain = unit.functions.defined.contains("main");
        LaunchPlan plan { .sourceName = path.filename().string(), .source = std::move(text) };
        plan.includeDirectory = path.parent_path();
        plan.compile = m_plan.compile;
        if (const auto includes = includesOf(plan))
            for (const IncludedFile& header : includes->files) {
                unit.functions.add(header.text);
                unit.headers.push_back(header.path);
            }
        return unit;
    }

    void readFolders(const fs::path& folder)
    {
        std::vector<fs::path> folders { folder };
        std::ranges::copy(entriesOf(folder, true), std::back_inserter(folders));
        for (const fs::path& one : folders)
            for (const fs::path& file : entriesOf(one, false)) {
                if (file == m_own.path || std::ranges::find(m_others, file, &Unit::path) != m_others.end() || m_others.size() >= kMostUnits)
                    continue;
                std::ifstream in(file, std::ios::binary);
                m_others.push_back(read(file, std::string((std::istreambuf_iterator<char>(in)), {})));
            }
    }

    /// Functions that are declared and defined nowhere.
    [[nodiscard]] static std::set<std::string_view> missing(const Units& units)
    {
        std::set<std::string_view> names;
        for (const Unit* unit : units)
            names.insert(unit->functions.declared.begin(), unit->functions.declared.end());
        for (const Unit* unit : units)
            for (const std::string& name : unit->functions.defined)
                names.erase(name);
        return names;
    }

    /// With the units that define what it, or they, declare.
    [[nodiscard]] Units joined(const Unit& first) const
    {
        Units units { &first };
        for (bool grows = true; grows;) {
            grows = false;
            const std::set<std::string_view> names = missing(units);
            for (const Unit* unit : candidates()) {
                const auto isMissing = [&](const std::string& name) { return names.contains(name); };
                if (unit->hasMain || std::ranges::find(units, unit) != units.end() || isIncluded(*unit, units) || !isNear(*unit, units) || std::ranges::none_of(unit->functions.defined, isMissing))
                    continue;
                units.push_back(unit);
                grows = true;
            }
        }
        return units;
    }

    [[nodiscard]] Units candidates() const
    {
        Units all { &m_own };
        for (const Unit& other : m_others)
            all.push_back(&other);
        return all;
    }

    [[nodiscard]] static bool isIncluded(const Unit& unit, const Units& units)
    {
        std::error_code error;
        const fs::path file = fs::canonical(unit.path, error);
        return std::ranges::any_of(units, [&](const Unit* other) { return std::ranges::find(other->headers, file) != other->headers.end(); });
    }

    /// It lies beside another, or both include the same.
    [[nodiscard]] static bool isNear(const Unit& unit, const Units& units)
    {
        const auto isOfOther = [&](const Unit& other, const fs::path& header) { return std::ranges::find(other.headers, header) != other.headers.end(); };
        return std::ranges::any_of(units, [&](const Unit* other) {
            return other->path.parent_path() == unit.path.parent_path() || std::ranges::any_of(unit.headers, [&](const fs::path& header) { return isOfOther(*other, header); });
        });
    }

    /// The first program with a main that the file is part of.
    [[nodiscard]] Units mainsUnits() const
    {
        for (const Unit& other : m_others) {
            if (!other.hasMain)
                continue;
            Units units = joined(other);
            if (std::ranges::find(units, &m_own) != units.end() || isIncluded(m_own, units))
                return units;
        }
        return {};
    }

    /// A header's is the one with main, which is the first.
    [[nodiscard]] ProgramUnits withoutOwn(const Units& units) const
    {
        const bool isUnit = std::ranges::find(units, &m_own) != units.end();
        const Unit* const own = isUnit ? &m_own : units.front();
        ProgramUnits found { .own = own->path, .source = own->text, .others = {} };
        for (const Unit* unit : units)
            if (unit != own)
                found.others.push_back(unit->path);
        std::ranges::sort(found.others);
        return found;
    }

    const LaunchPlan& m_plan;
    Unit m_own;
    std::vector<Unit> m_others;
};

} // namespace

ProgramUnits programUnits(const LaunchPlan& plan) { return Search(plan).found(); }

} // namespace coalescope::kernels
