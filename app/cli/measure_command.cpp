// SPDX-License-Identifier: Apache-2.0
#include "app/cli/measure_command.h"

#include "app/cli/report_error.h"
#include "app/cli/result_text.h"
#include "kernels/launch/target.h"

#include <fmt/format.h>

#include <cstdio>

#include <unistd.h>

namespace coalescope::cli {

namespace {

/// One line on the terminal that the next one overwrites.
class ProgressLine {
public:
    void show(const kernels::MeasureProgress& progress)
    {
        if (!m_terminal)
            return;
        fmt::print(stderr, "\r\x1b[K{:3.0f} %  {}", 100 * progress.fraction, progress.stage);
        std::fflush(stderr);
    }
    ~ProgressLine()
    {
        if (m_terminal)
            fmt::print(stderr, "\r\x1b[K");
    }

private:
    bool m_terminal = isatty(STDERR_FILENO) == 1;
};

/// The keys without a value, one line for each reason.
std::string notMeasuredText(const analysis::RunResult& result)
{
    std::map<std::string, std::string> keysOf;
    for (const auto& [key, why] : result.notMeasured)
        keysOf[why] += (keysOf[why].empty() ? "" : ", ") + key;
    std::string text;
    for (const auto& [why, keys] : keysOf)
        text += fmt::format("not measured: {}\n  {}\n", why, keys);
    return text.empty() ? text : '\n' + text;
}

std::string measuredOn(const analysis::RunResult& result)
{
    const auto total = result.milliseconds.find("measure");
    return fmt::format("measured on {}, driver {}, {}{}\n", result.gpu, result.driver, result.date,
        total == result.milliseconds.end() ? ""
                                           : fmt::format(", in {:.1f} s", total->second / 1000));
}

} // namespace

int runMeasure(const kernels::LaunchPlan& plan, const kernels::MeasureOptions& options,
    const std::string& target, bool json)
{
    Result<analysis::RunResult> result;
    {
        ProgressLine line;
        const auto show = [&](const kernels::MeasureProgress& progress) { line.show(progress); };
        result = target.empty() ? kernels::measure(plan, options, show)
                                : kernels::measureOnTarget(target, plan, options, show);
    }
    if (!result)
        return reportError(result.error());
    const std::string text = json
        ? toJson(*result, 2) + '\n'
        : textOf(*result) + notMeasuredText(*result) + measuredOn(*result);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
}

} // namespace coalescope::cli
