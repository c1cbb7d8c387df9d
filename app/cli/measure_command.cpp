// SPDX-License-Identifier: Apache-2.0
#include "app/cli/measure_command.h"

#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/report_error.h"
#include "app/cli/result_text.h"
#include "kernels/launch/target.h"

#include <fmt/format.h>

namespace coalescope::cli {

namespace {

std::string measuredOn(const analysis::RunResult& result)
{
    const auto total = result.milliseconds.find("measure");
    return fmt::format("measured on {}, driver {}, {}{}\n", result.gpu, result.driver, result.date,
        total == result.milliseconds.end() ? ""
                                           : fmt::format(", in {:.1f} s", total->second / 1000));
}

} // namespace

Result<analysis::RunResult> measureWithProgress(const kernels::LaunchPlan& plan,
    const kernels::MeasureOptions& options, const std::string& target)
{
    ProgressLine line;
    const auto show = [&](const kernels::MeasureProgress& progress) {
        line.show(progress.fraction, progress.stage);
    };
    return target.empty() ? kernels::measure(plan, options, show)
                          : kernels::measureOnTarget(target, plan, options, show);
}

int runMeasure(const kernels::LaunchPlan& plan, const kernels::MeasureOptions& options,
    const std::string& target, bool json)
{
    const auto result = measureWithProgress(plan, options, target);
    if (!result)
        return reportError(result.error());
    return printResult(json ? toJson(*result, 2) + '\n' : textOf(*result) + measuredOn(*result));
}

} // namespace coalescope::cli
