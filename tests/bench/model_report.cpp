// SPDX-License-Identifier: Apache-2.0
// How far the estimates are from the recorded launches: every error, computed anew.
#include "model_errors.h"
#include "model_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <span>
#include <string_view>

using namespace coalescope;

namespace {

/// Where every fit begins: round numbers, so that no fold starts from what the others know. The best of two
/// descents is taken, for there are several valleys.
constexpr analysis::TimeConstants kGuesses[] { // each fold takes the second, for time's sake
    { .blockStartNs = 0.8,
        .blockLeadNs = 200,
        .warpStartNs = 2,
        .l2LatencyNs = 200,
        .dramLatencyNs = 300,
        .barrierNs = 50,
        .requestClocks = 1.25,
        .storeClocks = 2,
        .issueSlots = 1,
        .splitSectorSectors = 30,
        .windowNs = 3600 },
    { .blockStartNs = 0.6,
        .blockLeadNs = 175,
        .warpStartNs = 2,
        .l2LatencyNs = 150,
        .dramLatencyNs = 400,
        .barrierNs = 100,
        .requestClocks = 1.25,
        .storeClocks = 2.5,
        .issueSlots = 1.25,
        .splitSectorSectors = 60,
        .windowNs = 3600 },
};

} // namespace

int main(int argc, char** argv)
{
    const std::string_view command = argc > 1 ? argv[1] : "";
    if (argc > 2 || (!command.empty() && command != "--csv" && command != "--fit")) {
        fmt::print(stderr,
            "coalescope_model          errors of the estimates over the recorded launches\n"
            "coalescope_model --csv    predicted and measured times, a launch a line\n"
            "coalescope_model --fit    fits the constants anew, also without each kernel "
            "(minutes)\n");
        return 2;
    }
    const auto launches = bench::recordedLaunches(bench::Purpose::Fit);
    const auto estimates = bench::estimatesOf(launches, {});
    if (command == "--csv") {
        bench::printCsv(launches, estimates);
        return 0;
    }
    if (command == "--fit") {
        const analysis::TimeConstants fitted = bench::fitConstants(launches, kGuesses);
        bench::printConstants(fitted);
        std::fflush(stdout);
        fmt::print("\nWith these constants, fitted to every launch\n");
        bench::printErrors(launches, bench::estimatesOf(launches, fitted));
        fmt::print("\nCross-validated: each kernel with constants fitted to the others\n");
        bench::printErrors(launches, bench::crossValidated(launches, std::span(kGuesses).last(1)));
        return 0;
    }
    bench::printErrors(launches, estimates);
    bench::printRanking(launches, estimates);
    bench::printWorst(launches, estimates, 10);
    std::map<std::string, std::vector<bench::RecordedLaunch>> checks;
    for (bench::RecordedLaunch& launch : bench::recordedLaunches(bench::Purpose::Check))
        checks[launch.file].push_back(std::move(launch));
    for (const auto& [file, check] : checks) {
        fmt::print("\n=== Check: {}, recorded after the model was fitted, never fitted to ===\n", file);
        const auto checked = bench::estimatesOf(check, {});
        bench::printErrors(check, checked);
        bench::printRanking(check, checked);
        bench::printWorst(check, checked, 10);
    }
    for (const char* file : { "h200", "h100" }) {
        fmt::print("\n=== Kernels that are not in the catalogue: tests/device/sweeps/{}.jsonl ===\n", file);
        auto others = bench::otherKernelsLaunches(file);
        const auto estimated = bench::estimatesOf(others, {});
        bench::printErrors(others, estimated, bench::kManySectors);
        bench::printRanking(others, estimated);
        bench::printWorst(others, estimated, 10);
        const auto led = std::ranges::stable_partition(others, [](const auto& launch) { return !launch.ledByData; });
        const auto errorsOf = [](const char* which, std::span<const bench::RecordedLaunch> those) {
            fmt::print("\n--- {}\n", which);
            bench::printErrors(those, bench::estimatesOf(those, {}), bench::kManySectors);
        };
        errorsOf("Those that their data lead", led);
        errorsOf("The others", { others.begin(), led.begin() });
    }
    return 0;
}
