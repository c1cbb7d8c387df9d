// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/advice.h"

#include "analysis/result/metric_sums.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace coalescope::analysis {

namespace {

constexpr double kManyConflicts = 0.2; ///< of the wavefronts
constexpr double kWasteful = 1.25; ///< sectors to those that lanes side by side need

struct OfTerm {
    std::string_view term;
    AdviceKind kind; ///< where nothing is wasted
};
constexpr std::array kOfTerms { OfTerm { "atomics", AdviceKind::AddUpFirst }, OfTerm { "shared", AdviceKind::KeepInRegisters },
    OfTerm { "dram", AdviceKind::FewerBytes }, OfTerm { "l2", AdviceKind::Reuse }, OfTerm { "lsu", AdviceKind::WiderAccesses },
    OfTerm { "l1", AdviceKind::WiderAccesses }, OfTerm { "latency", AdviceKind::HideWaits }, OfTerm { "launch", AdviceKind::MoreWork },
    OfTerm { "blocks", AdviceKind::LargerBlocks }, OfTerm { "constants", AdviceKind::TableElsewhere }, OfTerm { "issue", AdviceKind::LessArithmetic } };

/// About the line that has the most of something.
template <class Cost> Advice aboutLine(AdviceKind kind, const RunResult& result, Cost cost)
{
    Advice advice { .kind = kind, .file = {} };
    double most = 0;
    for (const LineValues& line : result.lines) {
        const double here = cost(line.metrics);
        if (here <= most)
            continue;
        most = here;
        advice.file = line.file;
        advice.line = line.line;
    }
    return advice;
}

const MetricValues* valuesOf(const RunResult& result, const Advice& advice)
{
    const auto found = std::ranges::find_if(result.lines, [&](const LineValues& line) { return line.line == advice.line && line.file == advice.file; });
    return found == result.lines.end() ? nullptr : &found->metrics;
}

double valueOf(const MetricValues& values, Metric metric) { return values.get(metric).value_or(0); }

Advice forAtomics(const RunResult& result)
{
    return aboutLine(AdviceKind::AddUpFirst, result, [](const MetricValues& line) {
        return valueOf(line, Metric::GlobalAtomicSectors) + valueOf(line, Metric::GlobalReductionSectors);
    });
}

Advice forConflicts(const RunResult& result)
{
    Advice advice = aboutLine(AdviceKind::Pad, result, [](const MetricValues& line) { return sumOf(line, kConflicts); });
    if (const MetricValues* const line = valuesOf(result, advice)) {
        advice.cost = sumOf(*line, kWavefronts);
        advice.atBest = advice.cost - sumOf(*line, kConflicts);
    }
    return advice;
}

Advice forSectors(const RunResult& result)
{
    const auto waste = [](const MetricValues& line) { return valueOf(line, Metric::GlobalSassSectors) - valueOf(line, Metric::GlobalSassSectorsIdeal); };
    Advice advice = aboutLine(AdviceKind::SideBySide, result, waste);
    if (const MetricValues* const line = valuesOf(result, advice)) {
        advice.cost = valueOf(*line, Metric::GlobalSassSectors);
        advice.atBest = valueOf(*line, Metric::GlobalSassSectorsIdeal);
    }
    return advice;
}

} // namespace

std::optional<Advice> adviceFor(const RunResult& prediction)
{
    const std::string_view limiter = prediction.time.limiter;
    const auto* const own = std::ranges::find(kOfTerms, limiter, &OfTerm::term);
    if (prediction.time.terms.empty() || own == kOfTerms.end())
        return std::nullopt;
    if (limiter == "atomics")
        return forAtomics(prediction);
    const MetricValues& all = prediction.metrics;
    if (limiter == "shared" && sumOf(all, kConflicts) > kManyConflicts * sumOf(all, kWavefronts))
        return forConflicts(prediction);
    const bool isOfGlobal = limiter == "dram" || limiter == "l2" || limiter == "lsu" || limiter == "l1" || limiter == "latency";
    if (isOfGlobal && valueOf(all, Metric::GlobalSassSectors) > kWasteful * valueOf(all, Metric::GlobalSassSectorsIdeal))
        return forSectors(prediction);
    return Advice { .kind = own->kind, .file = {} };
}

} // namespace coalescope::analysis
