// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_output.h"

#include "app/cli/result_text.h"
#include "app/cli/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace coalescope::cli {

using analysis::Metric;
using kernels::SweepAxis;
using kernels::SweepRow;

namespace {

std::string csvCell(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string number(const std::optional<analysis::RunResult>& result, Metric metric)
{
    const auto value = result ? result->metrics.get(metric) : std::nullopt;
    if (!value)
        return {};
    return *value == std::floor(*value) ? fmt::format("{:.0f}", *value)
                                        : fmt::format("{:.3f}", *value);
}

/// The launch with the least time; none where fewer than two have one.
template <class TimeOf> const SweepRow* fastest(const std::vector<SweepRow>& rows, TimeOf timeOf)
{
    const SweepRow* best = nullptr;
    int timed = 0;
    for (const SweepRow& row : rows) {
        const std::optional<double> time = timeOf(row);
        if (!time)
            continue;
        ++timed;
        if (!best || *time < *timeOf(*best))
            best = &row;
    }
    return timed > 1 ? best : nullptr;
}

std::optional<double> predictedNs(const SweepRow& row)
{
    return row.predicted ? row.predicted->time.estimateNs : std::nullopt;
}

std::optional<double> warmNs(const SweepRow& row)
{
    if (!row.measured || !row.measured->time.warm)
        return std::nullopt;
    return row.measured->time.warm->medianNs;
}

std::string medianNs(const std::optional<analysis::TimeSample>& sample)
{
    return sample ? fmt::format("{:.0f}", sample->medianNs) : std::string();
}

} // namespace

std::string sweepCsv(
    const kernels::KernelSpec& kernel, const std::vector<SweepRow>& rows, bool measured)
{
    std::string text;
    for (const kernels::ParameterSpec& parameter : kernel.parameters)
        text += parameter.name + ',';
    for (const analysis::MetricInfo& info : analysis::metricTable())
        text += fmt::format("{}{}", info.key, measured ? fmt::format(",measured:{}", info.key) : "")
            + ',';
    text += measured ? "warm_ns,cold_ns,problem\n" : "problem\n";
    for (const SweepRow& row : rows) {
        for (const kernels::ParameterSpec& parameter : kernel.parameters) {
            const auto value = row.values.find(parameter.name);
            text += csvCell(value == row.values.end() ? parameter.defaultValue : value->second)
                + ',';
        }
        for (const analysis::MetricInfo& info : analysis::metricTable()) {
            text += number(row.predicted, info.metric) + ',';
            if (measured)
                text += number(row.measured, info.metric) + ',';
        }
        if (measured)
            text += (row.measured ? medianNs(row.measured->time.warm) : "") + ','
                + (row.measured ? medianNs(row.measured->time.cold) : "") + ',';
        text += csvCell(row.problem) + '\n';
    }
    return text;
}

std::string sweepJson(const std::vector<SweepRow>& rows)
{
    using nlohmann::ordered_json;
    auto list = ordered_json::array();
    for (const SweepRow& row : rows) {
        ordered_json json { { "parameters", row.values } };
        if (row.predicted)
            json["predicted"] = ordered_json::parse(toJson(*row.predicted));
        if (row.measured)
            json["measured"] = ordered_json::parse(toJson(*row.measured));
        if (!row.problem.empty())
            json["problem"] = row.problem;
        list.push_back(std::move(json));
    }
    return list.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string sweepText(
    const std::vector<SweepRow>& rows, const std::vector<SweepAxis>& axes, bool measured)
{
    Table table;
    std::vector<std::string> head;
    for (const SweepAxis& axis : axes)
        head.push_back(axis.name);
    for (const char* name :
        { "ld sectors", "st sectors", "ld wavefronts", "st wavefronts", "time (estimate)" })
        head.emplace_back(name);
    if (measured)
        head.insert(head.end(), { "warm L2", "cold L2" });
    head.emplace_back("");
    table.add(head);
    const SweepRow* const bestPredicted = fastest(rows, &predictedNs);
    const SweepRow* const bestMeasured = fastest(rows, &warmNs);
    std::string problems;
    for (const SweepRow& row : rows) {
        std::vector<std::string> cells;
        std::string place;
        for (const SweepAxis& axis : axes) {
            cells.push_back(row.values.at(axis.name));
            place += fmt::format("{}{}={}", place.empty() ? "" : " ", axis.name, cells.back());
        }
        if (!row.problem.empty())
            problems += fmt::format("{}: {}\n", place, row.problem);
        for (const Metric metric : { Metric::GlobalLoadSectors, Metric::GlobalStoreSectors,
                 Metric::SharedLoadWavefronts, Metric::SharedStoreWavefronts })
            cells.push_back(row.predicted ? grouped(row.predicted->metrics.get(metric)) : "-");
        const auto estimate = predictedNs(row);
        cells.push_back(estimate ? microseconds(*estimate) : "-");
        if (measured) {
            const auto time = row.measured ? row.measured->time : analysis::TimeValues {};
            for (const auto& sample : { time.warm, time.cold })
                cells.push_back(sample ? microseconds(sample->medianNs) : "-");
        }
        cells.emplace_back(&row == bestMeasured && &row == bestPredicted
                ? "<- fastest, predicted and measured"
                : &row == bestMeasured  ? "<- fastest measured"
                : &row == bestPredicted ? "<- fastest predicted"
                                        : "");
        table.add(cells);
    }
    const auto predicted = std::ranges::find_if(
        rows, [](const SweepRow& row) { return row.predicted && row.predicted->time.estimateNs; });
    const std::string trust = predicted == rows.end()
        ? ""
        : fmt::format("times are estimates{}\n", trustOf(*predicted->predicted));
    return table.text() + trust + (problems.empty() ? "" : '\n' + problems);
}

} // namespace coalescope::cli
