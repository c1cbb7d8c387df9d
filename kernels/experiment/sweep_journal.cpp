// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep_journal.h"

#include "kernels/compile/include_check.h"
#include "kernels/hash.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <utility>

namespace coalescope::kernels {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kFormat = "coalescope sweep 1";

std::string dumped(const ordered_json& json)
{
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// The kernel's text and what it includes.
Result<std::uint64_t> sourceHash(const KernelSpec& kernel)
{
    std::string text = kernel.source + kernel.derived; // a program may launch several kernels
    LaunchPlan plan { .sourceName = kernel.sourceName, .source = kernel.source };
    plan.includeDirectory = kernel.path.parent_path();
    plan.compile = kernel.compile;
    const auto includes = programIncludesOf(plan);
    if (!includes)
        return std::unexpected(includes.error());
    for (const IncludedFile& included : includes->files) {
        std::ifstream file(included.path, std::ios::binary);
        text += '\n' + included.path.filename().string() + '\n';
        text.append(std::istreambuf_iterator<char>(file), {});
    }
    return hashOf(text);
}

Result<std::string> headLine(const KernelSpec& kernel, const MeasureOptions& options)
{
    const auto hash = sourceHash(kernel);
    if (!hash)
        return std::unexpected(hash.error());
    return dumped({ { "journal", kFormat }, { "kernel", kernel.id },
        { "source_hash", fmt::format("{:016x}", *hash) }, { "warmups", options.warmups },
        { "runs", options.runs }, { "counters", options.counters }, { "lines", options.lines },
        { "kernel_time_limit_s", options.kernelTimeLimitSeconds } });
}

/// "3 warm-ups, 20 runs, counters without lines, 10 s a kernel"
std::string optionsText(const ordered_json& head)
{
    const bool counters = head.value("counters", true), lines = head.value("lines", true);
    return fmt::format("{} warm-ups, {} runs, {}, {} s a kernel", head.value("warmups", 0),
        head.value("runs", 0),
        counters ? lines ? "counters with lines" : "counters without lines"
                 : lines ? "lines without counters" : "no counters",
        dumped(head.value("kernel_time_limit_s", ordered_json())));
}

/// What of the first line differs, in a sentence.
std::string difference(const std::string& found, const std::string& wanted)
{
    const auto there = ordered_json::parse(found, nullptr, false);
    if (!there.is_object() || there.value("journal", ordered_json()) != kFormat)
        return "this file is no journal of a sweep; take another file";
    const auto here = ordered_json::parse(wanted);
    const auto differs
        = [&](const char* key) { return there.value(key, ordered_json()) != here.at(key); };
    if (differs("kernel"))
        return fmt::format("the journal is of the kernel {}, not of {}; take another file",
            dumped(there.value("kernel", ordered_json())), dumped(here.at("kernel")));
    if (differs("source_hash"))
        return "the journal was measured with another version of the kernel's source; take another "
               "file, or remove this one to measure everything again";
    return fmt::format("the journal was measured with {}, and now {} are asked for; give the options as "
                       "before, or take another file",
        optionsText(there), optionsText(here));
}

Result<SweepRow> rowOf(std::string_view line)
{
    const auto bad = [](std::string what) { return fail(ErrorCode::BadInput, std::move(what)); };
    const auto json = ordered_json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("values") || !json.at("values").is_object()
        || json.contains("measured") == json.contains("problem"))
        return bad("the line is no launch of a sweep");
    SweepRow row;
    for (const auto& [name, value] : json.at("values").items()) {
        if (!value.is_string())
            return bad("a parameter's value is no text");
        row.values[name] = value.get<std::string>();
    }
    if (const auto problem = json.find("problem"); problem != json.end()) {
        if (!problem->is_string() || problem->get<std::string>().empty())
            return bad("the problem is no text");
        row.problem = problem->get<std::string>();
        return row;
    }
    auto measured = analysis::resultFromJson(dumped(json.at("measured")));
    if (!measured)
        return bad(measured.error().detail);
    row.measured = *std::move(measured);
    return row;
}

} // namespace

Result<SweepJournal> SweepJournal::open(
    const std::string& path, const KernelSpec& kernel, const MeasureOptions& options)
{
    const auto head = headLine(kernel, options);
    if (!head)
        return std::unexpected(head.error());
    auto file = LineFile::open(path, "journal");
    if (!file)
        return std::unexpected(file.error());
    SweepJournal journal(*std::move(file));
    if (auto loaded = journal.load(*head); !loaded)
        return std::unexpected(loaded.error());
    return journal;
}

Result<void> SweepJournal::load(const std::string& head)
{
    const auto content = m_file.content();
    if (!content)
        return std::unexpected(content.error());
    const std::size_t whole = content->rfind('\n') + 1; // 0 where there is none
    std::string_view rest = std::string_view(*content).substr(0, whole);
    const std::string first(rest.substr(0, rest.find('\n')));
    // A file that is not ours is left as it is, even where it is one unfinished line.
    if (whole == 0 ? !head.starts_with(*content) : first != head)
        return fail(ErrorCode::BadInput, difference(first, head), m_file.path());
    if (whole != content->size())
        if (auto cut = m_file.cutAt(whole); !cut)
            return cut;
    if (whole == 0)
        return m_file.append(head);
    for (int line = 1; !rest.empty(); ++line) {
        const std::size_t end = rest.find('\n');
        if (line > 1) {
            auto row = rowOf(rest.substr(0, end));
            if (!row)
                return fail(ErrorCode::BadInput,
                    fmt::format("the journal is damaged: {}; remove the line, and its launch is "
                                "measured again",
                        row.error().detail),
                    fmt::format("{}:{}", m_file.path(), line));
            m_rows.insert_or_assign(row->values, *std::move(row));
        }
        rest.remove_prefix(end + 1);
    }
    return {};
}

Result<void> SweepJournal::append(const SweepRow& row)
{
    ordered_json json { { "values", row.values } };
    if (row.measured)
        json["measured"] = ordered_json::parse(toJson(*row.measured));
    else
        json["problem"] = row.problem;
    return m_file.append(dumped(json));
}

} // namespace coalescope::kernels
