// SPDX-License-Identifier: Apache-2.0
// The part of the per-line values that needs no CUPTI: choosing metrics and summing instructions.
#include "kernels/launch/line_metrics.h"

#include <algorithm>
#include <utility>

namespace coalescope::kernels {

namespace {

    using analysis::Metric;

    /// A SASS metric and the key that it measures. The roll-up over SMs or over their quarters gives the
    /// same sum, so either prefix serves.
    struct LineMetric {
        std::string_view name; ///< without the prefix
        Metric metric;
    };
    constexpr LineMetric kLineMetrics[] = {
        { "sass_sectors_mem_global", Metric::GlobalSassSectors },
        { "sass_sectors_mem_global_ideal", Metric::GlobalSassSectorsIdeal },
        { "sass_l1tex_tags_mem_global", Metric::GlobalTags },
        { "sass_inst_executed_op_shared_ld", Metric::SharedLoadInstructions },
        { "sass_inst_executed_op_shared_st", Metric::SharedStoreInstructions },
        { "sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld", Metric::SharedLoadWavefrontsSass },
        { "sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st", Metric::SharedStoreWavefrontsSass },
    };
    constexpr std::string_view kCombinedWavefronts = "sass_l1tex_pipe_lsu_wavefronts_mem_shared";
    constexpr std::string_view kExtras[] = { "sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal" };
    constexpr std::string_view kPrefixes[] = { "smsp__", "sm__" };

    std::string_view withoutPrefix(std::string_view name)
    {
        for (std::string_view prefix : kPrefixes)
            if (name.starts_with(prefix))
                return name.substr(prefix.size());
        return name;
    }

    bool isShort(const std::vector<std::string>& names, std::string_view shortName)
    {
        return std::ranges::any_of(names, [&](const auto& name) { return withoutPrefix(name) == shortName; });
    }

    double valueOf(const InstructionValues& instruction, std::string_view shortName)
    {
        for (const auto& [name, value] : instruction.values)
            if (withoutPrefix(name) == shortName)
                return value;
        return 0;
    }

    analysis::MetricValues valuesOf(
        const InstructionValues& instruction, const std::vector<std::string>& collected)
    {
        analysis::MetricValues values;
        for (const LineMetric& row : kLineMetrics)
            if (isShort(collected, row.name))
                values.set(row.metric, valueOf(instruction, row.name));
        const bool split = values.get(Metric::SharedLoadWavefrontsSass).has_value();
        const bool canTell = values.get(Metric::SharedLoadInstructions) && values.get(Metric::SharedStoreInstructions);
        if (split || !canTell || !isShort(collected, kCombinedWavefronts))
            return values;
        const double combined = valueOf(instruction, kCombinedWavefronts);
        const bool load = *values.get(Metric::SharedLoadInstructions) > 0;
        const bool store = *values.get(Metric::SharedStoreInstructions) > 0;
        if (combined > 0 && load == store)
            return values;
        values.set(Metric::SharedLoadWavefrontsSass, load ? combined : 0);
        values.set(Metric::SharedStoreWavefrontsSass, store ? combined : 0);
        return values;
    }

    bool isZero(const analysis::MetricValues& values)
    {
        return std::ranges::all_of(analysis::metricTable(),
            [&](const analysis::MetricInfo& info) { return values.get(info.metric).value_or(0) == 0; });
    }

    void addTo(analysis::MetricValues& sum, const analysis::MetricValues& values)
    {
        for (const analysis::MetricInfo& info : analysis::metricTable())
            if (const auto value = values.get(info.metric))
                sum.add(info.metric, *value);
    }

} // namespace

LineTotals linesOf(
    const std::vector<InstructionValues>& instructions, const std::vector<std::string>& collected)
{
    LineTotals result;
    for (const LineMetric& row : kLineMetrics)
        if (isShort(collected, row.name))
            result.totals.set(row.metric, 0); // a kernel without such accesses has none
    std::map<std::pair<std::string, std::uint32_t>, analysis::MetricValues> lines;
    for (const InstructionValues& instruction : instructions) {
        const analysis::MetricValues values = valuesOf(instruction, collected);
        addTo(result.totals, values);
        if (instruction.line && !isZero(values))
            addTo(lines[{ instruction.file, instruction.line }], values);
    }
    for (auto& [place, values] : lines)
        result.lines.push_back({ place.first, place.second, values });
    return result;
}

std::vector<std::string> lineMetricsAmong(const std::vector<std::string>& available, bool coreOnly)
{
    std::vector<std::string> chosen;
    const auto add = [&](std::string_view shortName) {
        for (std::string_view prefix : kPrefixes) {
            const std::string name = std::string(prefix) + std::string(shortName);
            if (std::ranges::find(available, name) == available.end())
                continue;
            chosen.push_back(name);
            return true;
        }
        return false;
    };
    bool split = false;
    for (const LineMetric& row : kLineMetrics)
        if (add(row.name) && row.metric == Metric::SharedStoreWavefrontsSass)
            split = true;
    if (!split || !coreOnly)
        add(kCombinedWavefronts);
    if (!coreOnly)
        for (std::string_view extra : kExtras)
            add(extra);
    return chosen;
}

} // namespace coalescope::kernels
