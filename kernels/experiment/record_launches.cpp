// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/record_launches.h"

#include "kernels/experiment/line_file.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace coalescope::kernels {

namespace {

using LaunchKey = std::pair<std::string, ParameterValues>;

/// What the file holds. A last line that a killed run left without its end is cut off.
Result<std::map<LaunchKey, analysis::RunResult>> resultsOf(LineFile& file)
{
    const auto content = file.content();
    if (!content)
        return std::unexpected(content.error());
    const std::size_t whole = content->rfind('\n') + 1; // 0 where there is none
    std::map<LaunchKey, analysis::RunResult> results;
    std::string_view rest = std::string_view(*content).substr(0, whole);
    for (int line = 1; !rest.empty(); ++line) {
        const std::size_t end = rest.find('\n');
        auto result = analysis::resultFromJson(rest.substr(0, end));
        if (!result)
            return fail(ErrorCode::BadInput,
                fmt::format(
                    "the line is no result of a measurement ({}); remove it, or give another file",
                    result.error().detail),
                fmt::format("{}:{}", file.path(), line));
        LaunchKey key { result->kernel, result->launch.parameters };
        results.insert_or_assign(std::move(key), *std::move(result));
        rest.remove_prefix(end + 1);
    }
    const std::string_view tail = std::string_view(*content).substr(whole);
    if (!tail.empty() && tail[0] != '{')
        return fail(ErrorCode::BadInput,
            "the file holds something else than results; give another file", file.path());
    if (!tail.empty())
        if (auto cut = file.cutAt(whole); !cut)
            return std::unexpected(cut.error());
    return results;
}

} // namespace

Result<void> recordLaunches(const std::vector<LaunchPlan>& launches, const RecordOptions& options,
    const RecordedFunction& recorded)
{
    auto file = LineFile::open(options.output, "file of results");
    if (!file)
        return std::unexpected(file.error());
    const auto known = resultsOf(*file);
    if (!known)
        return std::unexpected(known.error());
    std::map<LaunchKey, std::vector<std::size_t>> indexes; // the same launch may be listed twice
    std::vector<std::size_t> open;
    for (std::size_t index = 0; index < launches.size(); ++index) {
        const LaunchKey key { launches[index].kernel, launches[index].parameters };
        if (const auto found = known->find(key); found != known->end()) {
            recorded(index, found->second);
            continue;
        }
        auto& same = indexes[key];
        if (same.empty())
            open.push_back(index);
        same.push_back(index);
    }
    const auto plan = [&](std::size_t number) { return launches[open[number]]; };
    const auto finished
        = [&](std::size_t number, const Result<analysis::RunResult>& measured) -> Result<void> {
        const LaunchPlan& launch = launches[open[number]];
        if (measured)
            if (auto kept = file->append(toJson(*measured)); !kept)
                return kept;
        for (const std::size_t index : indexes.at({ launch.kernel, launch.parameters }))
            recorded(index, measured);
        return {};
    };
    return measureQueue({ open.size(), plan, finished }, options);
}

} // namespace coalescope::kernels
