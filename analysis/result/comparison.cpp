// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/number_text.h"
#include "analysis/result/run_result.h"

namespace coalescope::analysis {

namespace {

/// The SASS-patched wavefront count that sees the same addresses but no arbitration.
std::optional<Metric> addressOnlyCount(Metric metric)
{
    switch (metric) {
    case Metric::SharedLoadWavefronts:
    case Metric::SharedLoadConflicts:
        return Metric::SharedLoadWavefrontsSass;
    case Metric::SharedStoreWavefronts:
    case Metric::SharedStoreConflicts:
        return Metric::SharedStoreWavefrontsSass;
    default:
        return std::nullopt;
    }
}

bool isArbitration(
    const ComparisonRow& row, const MetricValues& predicted, const MetricValues& measured)
{
    const std::optional<Metric> byAddresses = addressOnlyCount(row.metric);
    if (!byAddresses || !row.delta || *row.delta <= 0)
        return false;
    const auto expected = predicted.get(*byAddresses), counted = measured.get(*byAddresses);
    return expected && counted && *expected == *counted;
}

std::string noteFor(const ComparisonRow& row, const Comparison& comparison)
{
    if (!row.measured) {
        const auto why = comparison.measured.notMeasured.find(std::string(infoOf(row.metric).key));
        return why == comparison.measured.notMeasured.end() ? "not measured" : why->second;
    }
    if (!row.predicted)
        return "not predicted";
    if (isArbitration(row, comparison.predicted.metrics, comparison.measured.metrics))
        return "arbitration, not your addresses";
    return {};
}

/// A field as RFC 4180 wants it.
std::string csvField(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csvNumber(std::optional<double> value)
{
    return value ? numberText(*value) : std::string();
}

/// What a metric counts, which its key names.
std::string_view unitOf(std::string_view key)
{
    for (const std::string_view unit : { "sectors", "requests", "tags", "wavefronts", "conflicts" })
        if (key.find(unit) != key.npos)
            return unit;
    return key.find("inst_executed") != key.npos ? "instructions" : "ns";
}

std::optional<double> medianNs(const std::optional<TimeSample>& sample)
{
    return sample ? std::optional(sample->medianNs) : std::nullopt;
}

std::string sizeText(Dim3 size)
{
    return fmt::format("{}x{}x{}", size.x, size.y, size.z);
}

} // namespace

Comparison compare(RunResult predicted, RunResult measured)
{
    Comparison comparison { .predicted = std::move(predicted), .measured = std::move(measured) };
    for (const MetricInfo& info : metricTable()) {
        ComparisonRow row { .metric = info.metric,
            .predicted = comparison.predicted.metrics.get(info.metric),
            .measured = comparison.measured.metrics.get(info.metric) };
        if (row.predicted && row.measured) {
            row.delta = *row.measured - *row.predicted;
            row.equal = *row.measured == *row.predicted;
        }
        row.note = noteFor(row, comparison);
        comparison.rows.push_back(std::move(row));
    }
    return comparison;
}

std::string toCsv(const Comparison& comparison)
{
    const RunResult &predicted = comparison.predicted, &measured = comparison.measured;
    const std::string name = csvField(predicted.kernel) + ',' + csvField(predicted.device) + ',';
    std::string parameters;
    for (const auto& [parameter, value] : predicted.launch.parameters)
        parameters += (parameters.empty() ? "" : " ") + parameter + '=' + value;
    const std::string launch
        = csvField(parameters) + ',' + sizeText(predicted.launch.grid) + ',' + sizeText(predicted.launch.block) + ',';
    std::string csv = "kernel,device,key,predicted,measured,delta,parameters,grid,block,unit\n";
    const auto add = [&](std::string_view key, std::optional<double> before, std::optional<double> after, std::string_view unit) {
        const std::optional<double> delta = before && after ? std::optional(*after - *before) : std::nullopt;
        csv += fmt::format("{}{},{},{},{},{}{}\n", name, key, csvNumber(before), csvNumber(after), csvNumber(delta), launch, unit);
    };
    for (const ComparisonRow& row : comparison.rows)
        add(infoOf(row.metric).key, row.predicted, row.measured, unitOf(infoOf(row.metric).key));
    add("warm_ns", predicted.time.warmNs, medianNs(measured.time.warm), "ns");
    add("cold_ns", predicted.time.coldNs, medianNs(measured.time.cold), "ns");
    return csv;
}

} // namespace coalescope::analysis
