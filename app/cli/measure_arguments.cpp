// SPDX-License-Identifier: Apache-2.0
#include "app/cli/measure_arguments.h"

#include <CLI/CLI.hpp>

namespace coalescope::cli {

void addMeasureArguments(CLI::App& command, kernels::MeasureOptions& options)
{
    command.add_option("--runs", options.runs, "Timed runs, warm and cold each")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000));
    command.add_option("--time-limit", options.kernelTimeLimitSeconds, "Seconds a kernel may take")
        ->capture_default_str();
    const auto count = [&options](const std::string& what) {
        options.counters = what != "none";
        options.lines = what == "all";
    };
    command
        .add_option_function<std::string>("--count", count,
            "all: counters, also of each source line; totals: counters of the launch; none: "
            "verification and times alone")
        ->default_str(!options.counters ? "none"
                : options.lines         ? "all"
                                        : "totals")
        ->check(CLI::IsMember({ "all", "totals", "none" }));
}

} // namespace coalescope::cli
