// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep_files.h"

#include "kernels/experiment/sweep_problem.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace coalescope::kernels {

using analysis::Metric;

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

std::string nanoseconds(std::optional<double> ns)
{
    return ns ? fmt::format("{:.0f}", *ns) : std::string();
}

std::string medianNs(const std::optional<analysis::TimeSample>& sample)
{
    return nanoseconds(sample ? std::optional(sample->medianNs) : std::nullopt);
}

} // namespace

std::string sweepCsv(const KernelSpec& kernel, const std::vector<SweepRow>& rows, bool measured)
{
    std::string text;
    for (const ParameterSpec& parameter : kernel.parameters)
        text += parameter.name + ',';
    for (const analysis::MetricInfo& info : analysis::metricTable())
        text += fmt::format("{}{}", info.key, measured ? fmt::format(",measured:{}", info.key) : "")
            + ',';
    text += measured ? "warm_ns,cold_ns,problem" : "problem"; // of the measurement
    text += ",predicted:warm_ns,predicted:cold_ns\n";
    for (const SweepRow& row : rows) {
        for (const ParameterSpec& parameter : kernel.parameters) {
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
        const analysis::TimeValues predicted
            = row.predicted ? row.predicted->time : analysis::TimeValues {};
        text += csvCell(problemText(row)) + ',' + nanoseconds(predicted.warmNs) + ','
            + nanoseconds(predicted.coldNs) + '\n';
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
        if (std::string problem = problemText(row); !problem.empty())
            json["problem"] = std::move(problem);
        list.push_back(std::move(json));
    }
    return list.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

} // namespace coalescope::kernels
