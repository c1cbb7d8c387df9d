// SPDX-License-Identifier: Apache-2.0
#include "recorded_launches.h"

#include "kernels/experiment/predict.h"
#include "kernels/experiment/recorded.h"
#include "kernels/experiment/traffic.h"
#include "tests/counted_launches.h"
#include "tests/swept_kernels.h"

#include <fmt/format.h>

#include <map>

namespace coalescope::bench {

namespace {

std::string value(const analysis::RunResult& result, const std::string& parameter)
{
    const auto found = result.launch.parameters.find(parameter);
    return found == result.launch.parameters.end() ? "" : found->second;
}

/// Warm times by launch, measured once more on an H200.
std::map<std::string, double> timesAgain()
{
    std::map<std::string, double> times;
    for (const CountedLaunch& again : countedLaunches("bench/h200_again.csv"))
        times.emplace(again.launch, again.values.front());
    return times;
}

Result<RecordedLaunch> readLaunch(const analysis::RunResult& measured, const kernels::LaunchPlan& plan)
{
    const auto prediction = kernels::predict(plan, { .device = measured.device, .verify = false });
    if (!prediction)
        return std::unexpected(prediction.error());
    const auto totals = analysis::gridTotals(*prediction->program, prediction->launch);
    if (!totals)
        return std::unexpected(totals.error());
    RecordedLaunch launch { .measured = &measured,
        .device = *analysis::deviceNamed(measured.device),
        .occupancy = *prediction->result.occupancy,
        .name = coalescope::nameOf(measured),
        .ledByData = prediction->ledByData };
    launch.traffic = kernels::trafficOf(*launch.device, *prediction, *totals);
    launch.problem = fmt::format(
        "{} x {} {}", value(measured, "rows"), value(measured, "cols"), value(measured, "type"));
    if (const std::string batch = value(measured, "batch"); !batch.empty())
        launch.problem += " batch " + batch;
    return launch;
}

Result<RecordedLaunch> readLaunch(const analysis::RunResult& measured)
{
    const auto kernel = kernels::kernelNamed(measured.kernel);
    if (!kernel)
        return std::unexpected(kernel.error());
    const auto plan = kernels::planLaunch(**kernel, measured.launch.parameters);
    if (!plan)
        return std::unexpected(plan.error());
    return readLaunch(measured, *plan);
}

} // namespace

std::vector<RecordedLaunch> otherKernelsLaunches(const std::string& gpu)
{
    static std::map<std::string, std::vector<SweptLaunch>> measured; // pointed to
    std::vector<RecordedLaunch> launches;
    for (const SweptLaunch& swept : measured.try_emplace(gpu, sweptLaunches(gpu)).first->second) {
        auto launch = readLaunch(swept.measured, swept.plan);
        if (launch) {
            launch->problem = "one sweep of";
            launches.push_back(*std::move(launch));
        } else {
            fmt::print(stderr, "{}: {}\n", swept.measured.kernel, launch.error().detail);
        }
    }
    return launches;
}

std::vector<RecordedLaunch> recordedLaunches(Purpose purpose)
{
    const auto again = timesAgain();
    std::vector<RecordedLaunch> launches;
    for (const kernels::RecordedFile& file : kernels::recordedFiles()) {
        if (file.name.ends_with("_check.jsonl") != (purpose == Purpose::Check))
            continue;
        for (const analysis::RunResult& measured : file.launches) {
            auto launch = readLaunch(measured);
            if (launch) {
                launch->file = file.name;
                if (const auto found = again.find(launch->name); found != again.end() && measured.device == "h200")
                    launch->warmAgainNs = found->second;
                launches.push_back(*std::move(launch));
            } else {
                fmt::print(stderr, "{}: {}\n", measured.kernel, launch.error().detail);
            }
        }
    }
    return launches;
}

} // namespace coalescope::bench
