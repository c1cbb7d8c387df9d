// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"
#include "analysis/result/error.h"
#include "analysis/result/hazard.h"
#include "analysis/result/metrics.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coalescope::analysis {

struct LineValues {
    std::string file;
    std::uint32_t line = 0;
    MetricValues metrics;
};

/// One part of a time estimate. Units: nanoseconds.
struct TimeTerm {
    std::string name; ///< "dram", "lsu"; see kTimeTermTexts
    double ns = 0;
};

/// A distribution of measured durations. Units: nanoseconds.
struct TimeSample {
    double medianNs = 0, minimumNs = 0, p10Ns = 0, p90Ns = 0;
    int runs = 0;
};

struct TimeValues {
    std::optional<double> estimateNs; ///< predictions: gpu__time_duration
    std::optional<double> warmNs, coldNs; ///< predictions: as `warm` and `cold` are measured, between events
    std::string limiter; ///< name of the largest term
    std::vector<TimeTerm> terms;
    std::optional<double> estimateError; ///< mean absolute relative error over the recorded pack
    std::optional<TimeSample> warm, cold; ///< measurements: L2 warm, L2 flushed before each run
};

struct Occupancy {
    int warpsPerSm = 0, maxWarpsPerSm = 0, blocksPerSm = 0;
    std::string limiter; ///< "threads", "registers", "shared memory", "blocks", "grid"
    std::optional<int> registersPerThread; ///< known only where a cubin was made
};

/// What ran or was predicted to run.
struct LaunchInfo {
    Dim3 grid, block;
    std::uint32_t staticSharedBytes = 0, dynamicSharedBytes = 0;
    std::map<std::string, std::string> parameters; ///< manifest parameters, or defines of a --source run
    std::vector<std::string> arguments; ///< --arg of a --source run
    bool operator==(const LaunchInfo&) const = default;
};

enum class ResultKind : std::uint8_t { Prediction, Measurement };

/// A prediction or a measurement of one launch: the same kind of value with the same keys.
struct RunResult {
    ResultKind kind = ResultKind::Prediction;
    std::string kernel; ///< catalogue id, or FILE:ENTRY
    std::string device; ///< short name: "h200"
    std::optional<bool> deviceVerified; ///< of a prediction: the device's rates were measured
    std::string source = "ptx"; ///< front end of a prediction
    LaunchInfo launch;
    std::vector<std::string> guesses; ///< what of the launch the program does not tell, a sentence each
    MetricValues metrics;
    MetricValues emptied; ///< of a prediction: the estimates where the profiler empties the caches before the launch, as Nsight Compute does unless it is told not to
    MetricValues estimateErrors; ///< of a prediction's estimates: mean absolute relative error, where it is known
    std::map<std::string, std::string> notMeasured; ///< key -> why
    std::vector<LineValues> lines; ///< by file and line
    TimeValues time;
    std::vector<Hazard> hazards;
    std::optional<bool> verified;
    std::string verifyDetail; ///< one sentence, where verified is false or unknown
    std::optional<Occupancy> occupancy;
    std::string gpu, driver, date; ///< of a measurement: full name, driver version, ISO date
    std::map<std::string, double> milliseconds; ///< what the work took: "compile", "analyse", "run", ...
};

/// Races, bad addresses and wrong output; what is merely not modelled is no fault.
[[nodiscard]] inline bool isFaulty(const RunResult& result)
{
    return result.verified == false
        || std::ranges::any_of(result.hazards, [](const Hazard& hazard) { return isFault(hazard.kind); });
}

/// One row of a comparison.
struct ComparisonRow {
    Metric metric;
    std::optional<double> predicted, measured;
    std::optional<double> delta; ///< measured - predicted
    bool equal = false; ///< both present and the same number
    std::string note; ///< "arbitration, not your addresses", or why there is no value
};

struct Comparison {
    RunResult predicted, measured;
    std::vector<ComparisonRow> rows; ///< one a metric, in table order
};

/// Joins a prediction and a measurement of the same launch by key.
[[nodiscard]] Comparison compare(RunResult predicted, RunResult measured);

/// JSON as the command-line contract gives it; one object, no trailing newline.
[[nodiscard]] std::string toJson(const RunResult& result, int indent = -1);
[[nodiscard]] std::string toJson(const Comparison& comparison, int indent = -1);
[[nodiscard]] Result<RunResult> resultFromJson(std::string_view json);

/// `kernel,device,key,predicted,measured,delta,parameters,grid,block,unit` rows; behind the metrics warm_ns and cold_ns.
[[nodiscard]] std::string toCsv(const Comparison& comparison);

} // namespace coalescope::analysis
