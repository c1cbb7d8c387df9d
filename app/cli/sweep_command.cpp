// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/experiment_arguments.h"
#include "app/cli/report_error.h"
#include "app/cli/table.h"
#include "kernels/launch/measure.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <memory>

namespace coalescope::cli {

using analysis::Metric;

namespace {

struct Axis {
    std::string name;
    std::vector<std::string> values;
};

struct SweepOptions {
    std::string kernel, device = "h200";
    std::vector<std::string> sets, over;
    bool measure = false, csv = false, json = false;
    kernels::MeasureOptions measureOptions { .lines = false };
};

/// One launch of the sweep; `problem` says why there is no result.
struct SweepRow {
    kernels::ParameterValues values;
    std::optional<analysis::RunResult> predicted, measured;
    std::string problem;
};

constexpr std::size_t kLargestSweep = 1'000'000;

Result<std::vector<Axis>> axesOf(const SweepOptions& options)
{
    std::vector<Axis> axes;
    std::size_t launches = 1;
    for (const std::string& text : options.over) {
        auto assignment = assignmentOf(text, "--over");
        if (!assignment)
            return std::unexpected(assignment.error());
        Axis axis { assignment->first, CLI::detail::split(assignment->second, ',') };
        std::erase(axis.values, std::string());
        if (axis.values.empty())
            return fail(ErrorCode::WrongUsage, fmt::format("'{}' lists no values", text), "--over");
        launches *= axis.values.size();
        if (launches > kLargestSweep)
            return fail(
                ErrorCode::WrongUsage, "a sweep holds at most a million launches", "--over");
        axes.push_back(std::move(axis));
    }
    return axes;
}

std::vector<kernels::ParameterValues> combinations(
    const kernels::ParameterValues& fixed, const std::vector<Axis>& axes)
{
    std::vector<kernels::ParameterValues> all { fixed };
    for (const Axis& axis : axes) {
        std::vector<kernels::ParameterValues> next;
        for (const kernels::ParameterValues& values : all) {
            for (const std::string& value : axis.values) {
                next.push_back(values);
                next.back()[axis.name] = value;
            }
        }
        all = std::move(next);
    }
    return all;
}

/// Runs one launch. Illegal values and launches are rows with a problem; anything else ends the
/// sweep.
Result<SweepRow> runRow(
    const kernels::KernelSpec& kernel, kernels::ParameterValues values, const SweepOptions& options)
{
    SweepRow row { .values = std::move(values) };
    const auto tolerable = [](ErrorCode code) {
        return code == ErrorCode::IllegalParameter || code == ErrorCode::IllegalLaunch;
    };
    auto plan = kernels::planLaunch(kernel, row.values);
    if (!plan) {
        if (!tolerable(plan.error().code))
            return std::unexpected(plan.error());
        row.problem = plan.error().detail;
        return row;
    }
    row.values = plan->parameters;
    auto prediction = kernels::predict(*plan, { .device = options.device, .verify = false });
    if (!prediction) {
        if (!tolerable(prediction.error().code))
            return std::unexpected(prediction.error());
        row.problem = prediction.error().detail;
        return row;
    }
    row.predicted = std::move(prediction->result);
    if (options.measure) {
        auto measured = kernels::measure(*plan, options.measureOptions);
        if (!measured)
            return std::unexpected(measured.error());
        row.measured = *std::move(measured);
    }
    return row;
}

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

std::string medianNs(const std::optional<analysis::TimeSample>& sample)
{
    return sample ? fmt::format("{:.0f}", sample->medianNs) : std::string();
}

void printCsv(const kernels::KernelSpec& kernel, const std::vector<SweepRow>& rows, bool measured)
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
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void printJson(const std::vector<SweepRow>& rows)
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
    fmt::print("{}\n", list.dump(2));
}

void printTable(const std::vector<SweepRow>& rows, const std::vector<Axis>& axes)
{
    Table table;
    std::vector<std::string> head;
    for (const Axis& axis : axes)
        head.push_back(axis.name);
    for (const char* name : { "ld sectors", "st sectors", "ld wavefronts", "st wavefronts",
             "time (est.)", "warm", "cold" })
        head.emplace_back(name);
    table.add(head);
    for (const SweepRow& row : rows) {
        std::vector<std::string> cells;
        for (const Axis& axis : axes)
            cells.push_back(row.values.at(axis.name));
        if (!row.predicted) {
            cells.push_back(row.problem);
            table.add(cells);
            continue;
        }
        for (const Metric metric : { Metric::GlobalLoadSectors, Metric::GlobalStoreSectors,
                 Metric::SharedLoadWavefronts, Metric::SharedStoreWavefronts })
            cells.push_back(grouped(row.predicted->metrics.get(metric)));
        cells.push_back(microseconds(row.predicted->time.estimateNs.value_or(0)));
        if (row.measured) {
            for (const auto& sample : { row.measured->time.warm, row.measured->time.cold })
                cells.push_back(sample ? microseconds(sample->medianNs) : "-");
        }
        table.add(cells);
    }
    fmt::print("{}", table.text());
}

int runSweep(const SweepOptions& options)
{
    auto kernel = kernelOf(options.kernel);
    if (!kernel)
        return reportError(kernel.error());
    auto axes = axesOf(options);
    if (!axes)
        return reportError(axes.error());
    kernels::ParameterValues fixed;
    for (const std::string& text : options.sets) {
        auto assignment = assignmentOf(text, "--set");
        if (!assignment)
            return reportError(assignment.error());
        fixed[assignment->first] = assignment->second;
    }
    std::vector<SweepRow> rows;
    for (kernels::ParameterValues& values : combinations(fixed, *axes)) {
        auto row = runRow(*kernel, std::move(values), options);
        if (!row)
            return reportError(row.error());
        rows.push_back(*std::move(row));
    }
    if (options.json)
        printJson(rows);
    else if (options.csv)
        printCsv(*kernel, rows, options.measure);
    else
        printTable(rows, *axes);
    return 0;
}

} // namespace

void addSweepCommand(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand(
        "sweep", "Predict (and measure) every combination of parameter values");
    auto options = std::make_shared<SweepOptions>();
    command->add_option("KERNEL", options->kernel, "Catalogue id, or a .cu file with a manifest")
        ->required();
    command->add_option("--over", options->over, "NAME=V1,V2,...; several make a grid")
        ->required()
        ->allow_extra_args(false);
    command->add_option("--set", options->sets, "NAME=VALUE held fixed")->allow_extra_args(false);
    command->add_option("--device", options->device, "Device to predict for")
        ->capture_default_str();
    command->add_flag("--measure", options->measure, "Also run every launch on the GPU");
    auto* csv = command->add_flag("--csv", options->csv, "CSV instead of a table");
    command->add_flag("--json", options->json, "JSON instead of a table")->excludes(csv);
    command->callback([options, &status] { status = runSweep(*options); });
}

} // namespace coalescope::cli
