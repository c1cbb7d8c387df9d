// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_arguments.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/report_error.h"
#include "app/cli/sweep.h"
#include "kernels/launch/measure.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>

namespace coalescope::cli {

namespace {

struct SweepOptions {
    std::string kernel, device = "h200";
    std::vector<std::string> sets, over;
    bool measure = false, csv = false, json = false;
    kernels::MeasureOptions measureOptions { .lines = false };
};

/// Whether the error is about this one launch, so that the others may go on.
bool isOfTheLaunch(ErrorCode code)
{
    switch (code) {
    case ErrorCode::IllegalParameter:
    case ErrorCode::IllegalLaunch:
    case ErrorCode::CompileFailed:
    case ErrorCode::UnsupportedInstruction:
    case ErrorCode::ExecutionFailed:
    case ErrorCode::NeedsValues:
    case ErrorCode::OutOfMemory:
    case ErrorCode::IllegalAddress:
    case ErrorCode::LaunchFailed:
    case ErrorCode::TimedOut:
        return true;
    default:
        return false;
    }
}

/// The launches of a sweep, taken in order by several workers and kept in order.
class Sweep {
public:
    Sweep(const kernels::KernelSpec& kernel, const SweepOptions& options,
        std::vector<kernels::ParameterValues> launches)
        : m_kernel(kernel)
        , m_options(options)
        , m_launches(std::move(launches))
        , m_rows(m_launches.size())
    {
    }

    Result<std::vector<SweepRow>> run()
    {
        const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
        // Times are measured on a machine that does nothing else.
        const std::size_t workers = m_options.measure ? 1 : std::min(cores, m_launches.size());
        m_threadsEach = workers > 1 ? 1 : 0;
        {
            std::vector<std::jthread> pool;
            for (std::size_t i = 1; i < workers; ++i)
                pool.emplace_back([this] { work(); });
            work();
        }
        if (m_failure)
            return std::unexpected(*std::move(m_failure));
        return std::move(m_rows);
    }

private:
    void work()
    {
        for (;;) {
            std::size_t index = 0;
            {
                const std::scoped_lock lock(m_mutex);
                if (m_failure || m_next == m_launches.size())
                    return;
                index = m_next++;
            }
            auto row = runLaunch(m_launches[index]);
            const std::scoped_lock lock(m_mutex);
            keep(index, std::move(row));
        }
    }

    void keep(std::size_t index, Result<SweepRow> row)
    {
        if (row)
            m_rows[index] = *std::move(row);
        else if (!m_failure || index < m_failedAt) {
            m_failure = std::move(row.error());
            m_failedAt = index;
        }
        ++m_done;
        m_progress.show(double(m_done) / double(m_launches.size()),
            fmt::format("{} of {} launches", m_done, m_launches.size()));
    }

    Result<SweepRow> runLaunch(kernels::ParameterValues values) const
    {
        SweepRow row { .values = std::move(values) };
        auto plan = kernels::planLaunch(m_kernel, row.values);
        if (!plan)
            return withProblem(std::move(row), std::move(plan.error()));
        row.values = plan->parameters;
        auto prediction = kernels::predict(
            *plan, { .device = m_options.device, .verify = false, .threads = m_threadsEach });
        if (!prediction)
            return withProblem(std::move(row), std::move(prediction.error()));
        row.predicted = std::move(prediction->result);
        if (!m_options.json) // only JSON shows them, and a sweep may be long
            row.predicted->lines.clear();
        if (!m_options.measure)
            return row;
        auto measured = kernels::measure(*plan, m_options.measureOptions);
        if (!measured)
            return withProblem(std::move(row), std::move(measured.error()));
        row.measured = *std::move(measured);
        return row;
    }

    static Result<SweepRow> withProblem(SweepRow row, Error error)
    {
        if (!isOfTheLaunch(error.code))
            return std::unexpected(std::move(error));
        row.problem = error.detail.substr(0, error.detail.find('\n'));
        return row;
    }

    const kernels::KernelSpec& m_kernel;
    const SweepOptions& m_options;
    const std::vector<kernels::ParameterValues> m_launches;
    int m_threadsEach = 0;

    std::mutex m_mutex;
    std::vector<SweepRow> m_rows;
    std::size_t m_next = 0, m_done = 0, m_failedAt = 0;
    std::optional<Error> m_failure;
    ProgressLine m_progress;
};

int runSweep(const SweepOptions& options)
{
    auto kernel = kernelOf(options.kernel);
    if (!kernel)
        return reportError(kernel.error());
    auto request = sweepRequest(*kernel, options.over, options.sets);
    if (!request)
        return reportError(request.error());
    if (auto known = analysis::deviceNamed(options.device); !known)
        return reportError(known.error());
    if (options.measure) {
        if (auto gpu = kernels::localGpu(); !gpu)
            return reportError(gpu.error());
    }
    auto rows = Sweep(*kernel, options, combinations(*request)).run();
    if (!rows)
        return reportError(rows.error());
    return printResult(options.json ? sweepJson(*rows)
            : options.csv           ? sweepCsv(*kernel, *rows, options.measure)
                                    : sweepText(*rows, request->axes, options.measure));
}

} // namespace

void addSweepCommand(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand(
        "sweep", "Predict (and measure) every combination of parameter values");
    auto options = std::make_shared<SweepOptions>();
    command->add_option("KERNEL", options->kernel, "Catalogue id, or a .cu file with a manifest")
        ->required();
    command->add_option("--over", options->over, "NAME=V1,V2,...; several make a grid")
        ->required()
        ->allow_extra_args(false);
    command->add_option("--set", options->sets, "NAME=VALUE held fixed")->allow_extra_args(false);
    command->add_option("--device", options->device, "Device to predict for")
        ->capture_default_str();
    command->add_flag("--measure", options->measure, "Also run every launch on the GPU");
    auto* csv = command->add_flag("--csv", options->csv, "CSV instead of a table");
    command->add_flag("--json", options->json, "JSON instead of a table")->excludes(csv);
    command->callback([options, &status] { status = runSweep(*options); });
}

} // namespace coalescope::cli
