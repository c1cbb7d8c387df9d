// SPDX-License-Identifier: Apache-2.0
#include "app/cli/result_text.h"

#include "analysis/result/number_text.h"
#include "analysis/result/time_terms.h"
#include "app/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace coalescope::cli {

using analysis::Comparison;
using analysis::Exactness;
using analysis::Metric;
using analysis::MetricInfo;
using analysis::RunResult;

namespace {

std::string heading(const RunResult& result)
{
    const auto& [grid, block] = std::tie(result.launch.grid, result.launch.block);
    std::string text = fmt::format("{}  grid {} x {} x {}, block {} x {} x {}", result.kernel,
        grid.x, grid.y, grid.z, block.x, block.y, block.z);
    if (const std::uint32_t bytes = result.launch.dynamicSharedBytes; bytes > 0)
        text += fmt::format(", {} of dynamic shared memory", analysis::counted(bytes, "byte"));
    for (const auto& [name, value] : result.launch.parameters)
        text += fmt::format("  {}={}", name, value);
    return text + '\n';
}

std::string label(const MetricInfo& info, bool predicted)
{
    const bool estimate = predicted && info.exactness == Exactness::Estimate;
    // The duration is shown with its own unit.
    const std::string_view name = info.metric == Metric::Duration ? "duration" : info.label;
    return fmt::format("{}{}", name, estimate ? " (estimate)" : "");
}

std::string value(Metric metric, std::optional<double> number)
{
    return metric == Metric::Duration && number ? microseconds(*number) : grouped(number);
}

struct LineColumn {
    Metric metric;
    const char* title;
};

constexpr LineColumn kLineColumns[] = {
    { .metric = Metric::GlobalLoadSectors, .title = "ld sectors" },
    { .metric = Metric::GlobalStoreSectors, .title = "st sectors" },
    { .metric = Metric::GlobalAtomicSectors, .title = "atom sectors" },
    { .metric = Metric::GlobalReductionSectors, .title = "red sectors" },
    // What is counted per line on a GPU does not tell loads from stores; a prediction does.
    { .metric = Metric::GlobalSassSectors, .title = "sectors" },
    { .metric = Metric::SharedLoadWavefrontsSass, .title = "ld wavefronts" },
    { .metric = Metric::SharedStoreWavefrontsSass, .title = "st wavefronts" },
    { .metric = Metric::SharedAtomicWavefronts, .title = "atom wavefronts" },
};

/// One row a source line that accesses memory; columns in which no line has anything are left out.
std::string linesText(const RunResult& result)
{
    std::vector<LineColumn> columns;
    std::vector<std::string> head { "line" };
    for (const LineColumn& column : kLineColumns) {
        const auto counts = [&](const analysis::LineValues& line) {
            return line.metrics.get(column.metric).value_or(0) > 0;
        };
        const bool isSum = column.metric == Metric::GlobalSassSectors
            && result.kind == analysis::ResultKind::Prediction;
        if (isSum || std::ranges::none_of(result.lines, counts))
            continue;
        columns.push_back(column);
        head.emplace_back(column.title);
    }
    if (columns.empty())
        return {};
    Table table;
    table.add(head);
    for (const analysis::LineValues& line : result.lines) {
        std::vector<std::string> cells { fmt::format("{}:{}", line.file, line.line) };
        bool any = false;
        for (const LineColumn& column : columns) {
            const auto number = line.metrics.get(column.metric);
            any = any || number.value_or(0) > 0;
            cells.push_back(number == 0.0 ? std::string() : grouped(number));
        }
        if (any)
            table.add(std::move(cells));
    }
    return "\n" + table.text();
}

bool hasNumbers(const RunResult& result)
{
    return std::ranges::any_of(analysis::metricTable(),
        [&](const MetricInfo& info) { return result.metrics.get(info.metric).has_value(); });
}

/// The keys without a value, one paragraph for each reason; where none has one, the reasons alone.
std::string notMeasuredText(const RunResult& result)
{
    std::map<std::string, std::string> keysOf;
    for (const auto& [key, why] : result.notMeasured)
        keysOf[why] += (keysOf[why].empty() ? "" : ", ") + key;
    std::string text;
    for (const auto& [why, keys] : keysOf)
        text += fmt::format("not measured: {}\n", why)
            + (hasNumbers(result) ? fmt::format("  {}\n", keys) : "");
    return text.empty() ? text : '\n' + text;
}

std::string outputText(const RunResult& result)
{
    return fmt::format("{}{}", *result.verified ? "verified" : "WRONG",
        result.verifyDetail.empty() ? "" : fmt::format(" ({})", result.verifyDetail));
}

std::string findingsText(const RunResult& result)
{
    std::string text;
    if (result.occupancy) {
        const auto& registers = result.occupancy->registersPerThread;
        text += fmt::format("\noccupancy: {} of {} warps an SM, {}; limited by {}; {}\n",
            result.occupancy->warpsPerSm, result.occupancy->maxWarpsPerSm,
            analysis::counted(std::uint64_t(result.occupancy->blocksPerSm), "block"), result.occupancy->limiter,
            registers ? analysis::counted(std::uint64_t(*registers), "register") + " a thread" : "registers not known");
    }
    if (result.verified)
        text += fmt::format("output: {}\n", outputText(result));
    else if (!result.verifyDetail.empty())
        text += fmt::format("output: {}\n", result.verifyDetail);
    for (const analysis::Hazard& hazard : result.hazards) {
        std::string place = hazard.line == 0 ? "" : fmt::format(" line {}", hazard.line); // 0: the whole kernel
        if (hazard.otherLine && hazard.otherLine != hazard.line)
            place += fmt::format(" and line {}", hazard.otherLine);
        const bool isOften = hazard.count > 1 && analysis::isFault(hazard.kind) && hazard.kind != analysis::HazardKind::WrongOutput;
        text += fmt::format("{}:{}{} {}{}\n", nameOf(hazard.kind), place, place.empty() ? "" : ":", hazard.detail,
            isOften ? fmt::format("; seen at least {} times", grouped(double(hazard.count))) : "");
    }
    return text;
}

std::string_view termLabel(std::string_view term)
{
    const auto found = std::ranges::find(analysis::kTimeTermTexts, term, &analysis::TimeTermText::name);
    return found == analysis::kTimeTermTexts.end() ? term : found->label;
}

std::string timeText(const RunResult& result)
{
    std::string text;
    const analysis::TimeValues& time = result.time;
    if (time.estimateNs)
        text += fmt::format("time: {} (estimate{}; a profiler's gpu__time_duration), limited by {}\n",
            microseconds(*time.estimateNs), trustOf(result), termLabel(time.limiter));
    if (const auto emptied = result.emptied.get(Metric::Duration))
        text += fmt::format("time, caches emptied: {} (estimate; the same from Nsight Compute, which empties them first unless told not to: "
                            "DRAM then reads {} sectors and writes {})\n",
            microseconds(*emptied), grouped(result.emptied.get(Metric::DramReadSectors)), grouped(result.emptied.get(Metric::DramWriteSectors)));
    const auto estimate = [&](const char* name, std::optional<double> ns) {
        if (ns)
            text += fmt::format("time, {} L2: {} (estimate; between two events, which add about 2 us)\n", name, microseconds(*ns));
    };
    estimate("warm", time.warmNs);
    estimate("cold", time.coldNs);
    const auto sample = [&](const char* name, const std::optional<analysis::TimeSample>& one) {
        if (one)
            text += fmt::format("time, {} L2: {} median of {} ({} to {}), between two events\n", name,
                microseconds(one->medianNs), one->runs, microseconds(one->p10Ns),
                microseconds(one->p90Ns));
    };
    sample("warm", time.warm);
    sample("cold", time.cold);
    return text;
}

} // namespace

std::string trustOf(const RunResult& result)
{
    if (result.time.estimateError)
        return fmt::format(", mean error {:.0f} %", *result.time.estimateError * 100);
    if (result.deviceVerified == false)
        return fmt::format(": the rates of {} are its data sheet's, not measured", result.device);
    return fmt::format(": its error on {} is not known", result.device);
}

std::string textOf(const RunResult& result)
{
    const bool predicted = result.kind == analysis::ResultKind::Prediction;
    Table table;
    table.add({ "", predicted ? "predicted" : "measured" });
    for (const MetricInfo& info : analysis::metricTable())
        if (isShown(info, result.metrics))
            table.add({ label(info, predicted), value(info.metric, result.metrics.get(info.metric)) });
    std::string text = heading(result);
    if (hasNumbers(result))
        text += '\n' + table.text();
    text += linesText(result) + findingsText(result);
    return text + timeText(result) + notMeasuredText(result);
}

std::string textOf(const Comparison& comparison)
{
    const RunResult& measured = comparison.measured;
    Table table;
    table.add({ "", "predicted", "measured", "difference" });
    std::string notes;
    for (const analysis::ComparisonRow& row : comparison.rows) {
        const MetricInfo& info = infoOf(row.metric);
        if (!isShown(info, comparison.predicted.metrics) && !isShown(info, measured.metrics))
            continue;
        const std::string delta = row.equal ? "=" : row.delta ? value(row.metric, row.delta) : "";
        table.add({ label(info, true), value(row.metric, row.predicted),
            value(row.metric, row.measured), delta });
        if (!row.note.empty())
            notes += fmt::format("{}: {}\n", info.label, row.note);
    }
    const std::string& device = comparison.predicted.device;
    std::string text = heading(comparison.predicted)
        + (device == measured.device ? "" : fmt::format("predicted for {}, another GPU\n", device))
        + fmt::format(
            "measured on {}, driver {}, {}\n\n", measured.gpu, measured.driver, measured.date);
    text += table.text() + (notes.empty() ? "" : "\n" + notes);
    text += linesText(comparison.predicted) + findingsText(comparison.predicted);
    if (measured.verified)
        text += fmt::format("output on the GPU: {}\n", outputText(measured));
    return text + timeText(comparison.predicted) + timeText(measured) + notMeasuredText(measured);
}

} // namespace coalescope::cli
