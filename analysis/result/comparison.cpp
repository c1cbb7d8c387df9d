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
    const std::string launch
        = csvField(comparison.predicted.kernel) + ',' + csvField(comparison.predicted.device) + ',';
    std::string csv = "kernel,device,key,predicted,measured,delta\n";
    for (const ComparisonRow& row : comparison.rows) {
        csv += launch;
        csv += infoOf(row.metric).key;
        csv += ',' + csvNumber(row.predicted) + ',' + csvNumber(row.measured) + ','
            + csvNumber(row.delta) + '\n';
    }
    return csv;
}

} // namespace coalescope::analysis
