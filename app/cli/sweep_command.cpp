// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/number_text.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_arguments.h"
#include "app/cli/interrupt.h"
#include "app/cli/measure_arguments.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/report_error.h"
#include "app/cli/sweep_output.h"
#include "kernels/experiment/sweep_files.h"
#include "kernels/experiment/sweep_problem.h"
#include "kernels/launch/job.h"
#include "kernels/launch/measure.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace coalescope::cli {

namespace {

constexpr const char* kExamples
    = R"(Values are lists and ranges, FIRST:LAST[:STEP] or FIRST:LAST:xFACTOR:
  coalescope sweep transpose_shared_flat --over block_x=4:64:4 --over block_y=8,16 --over pad=0:2
  coalescope sweep transpose_naive --over rows=512:16384:x2 --csv > rows.csv
On GPUs, one launch at a time on each. After a crash or Ctrl-C the same command goes on from the journal:
  coalescope sweep copy --over block_x=8:256:8 --measure --journal copy.sweep --gpus 0,1
  coalescope sweep copy ... --measure --journal copy.sweep --target "ssh gpu01" --target "ssh gpu02"
  coalescope sweep copy ... --measure --journal copy.sweep --target "srun -n1 --gres=gpu:1" --jobs 4)";

struct SweepOptions {
    std::string kernel, entry, device = "h200";
    kernels::CompileSettings compile;
    std::vector<std::string> sets, over;
    bool measure = false, csv = false, json = false;
    std::vector<std::string> targets, gpus;
    int jobs = 1;
    kernels::MeasureSweepOptions measureOptions;

    SweepOptions() { measureOptions.measure.lines = false; } // a table of launches shows totals
};

/// `--target`, each so often as `--jobs` says, and this machine's GPUs.
std::vector<std::string> targetsOf(const SweepOptions& options)
{
    std::vector<std::string> targets;
    for (const std::string& gpu : options.gpus)
        targets.push_back("env CUDA_VISIBLE_DEVICES=" + gpu);
    for (int job = 0; job < options.jobs; ++job)
        targets.insert(targets.end(), options.targets.begin(), options.targets.end());
    return targets;
}

Result<void> checkOptions(const SweepOptions& options)
{
    const auto needs = [](const char* option, const char* what) {
        return fail(ErrorCode::WrongUsage, fmt::format("{} needs {}", option, what), option);
    };
    if (options.jobs > 1 && options.targets.empty())
        return needs("--jobs", "a --target that starts each job");
    if (options.measureOptions.retryFailed && options.measureOptions.journal.empty())
        return needs("--retry-failed", "a --journal that keeps what failed");
    if (!options.measure) {
        if (!options.measureOptions.journal.empty())
            return needs("--journal", "--measure");
        if (!options.targets.empty() || !options.gpus.empty())
            return needs(options.gpus.empty() ? "--target" : "--gpus", "--measure");
    }
    for (const std::string& gpu : options.gpus)
        if (gpu.empty()
            || gpu.find_first_not_of(
                   "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-/")
                != std::string::npos)
            return fail(ErrorCode::WrongUsage,
                fmt::format(
                    "'{}' is no GPU: give numbers or names as CUDA_VISIBLE_DEVICES takes them",
                    gpu),
                "--gpus");
    return {};
}

/// The rows of one sweep and what is told of its progress.
class Sweep {
public:
    Sweep(const kernels::KernelSpec& kernel, const SweepOptions& options,
        const kernels::SweepRequest& request)
        : m_kernel(kernel)
        , m_options(options)
        , m_launches(combinations(request))
        , m_rows(m_launches.size())
    {
    }

    Result<std::vector<kernels::SweepRow>> run()
    {
        if (m_options.measure) // a journal of something else is told before the work begins
            if (auto checked = kernels::measureSweep(m_kernel, {}, measureOptions(), {}); !checked)
                return std::unexpected(checked.error());
        if (auto predicted = predict(); !predicted)
            return std::unexpected(predicted.error());
        if (m_options.measure)
            if (auto measured = measure(); !measured)
                return std::unexpected(measured.error());
        if (const auto refused = whyNoneCame())
            return std::unexpected(*refused);
        return std::move(m_rows);
    }

    /// What was predicted before an interruption, in the order asked for.
    [[nodiscard]] std::vector<kernels::SweepRow> takeFinished()
    {
        std::erase_if(m_rows, [](const kernels::SweepRow& row) { return !row.predicted && !row.refused; });
        return std::move(m_rows);
    }
    [[nodiscard]] std::size_t launches() const { return m_launches.size(); }

    [[nodiscard]] bool isMeasuring() const { return m_measuring; }
    [[nodiscard]] bool hasFailed() const { return m_failed > 0; } ///< a launch of those that were measured
    /// How to go on after an interruption.
    [[nodiscard]] std::string resumeText() const
    {
        const std::string& journal = m_options.measureOptions.journal;
        if (!m_measuring)
            return "run the command again";
        if (journal.empty())
            return "what was measured is lost; with --journal FILE a sweep can go on";
        return fmt::format(
            "{} of {} launches are done and kept in {}; run the same command to go on", m_done,
            m_launches.size(), journal);
    }

private:
    Result<void> predict()
    {
        ProgressLine line;
        const auto times = kernels::predictSweep(m_kernel, m_launches,
            { .device = m_options.device,
                .keepLines = m_options.json, // only JSON shows them
                .stop = m_interrupt.token() },
            [&](std::size_t index, const kernels::SweepRow& row) {
                m_rows[index] = row;
                show(line, "predicted");
            });
        if (!times)
            return std::unexpected(times.error());
        line.clear();
        if (m_options.measure || !whyNoneCame()) // else the sentence is all that there is to say
            fmt::print(stderr, "{}\n", summary(*times));
        return {};
    }

    Result<void> measure()
    {
        ProgressLine line;
        m_measuring = true;
        m_done = 0;
        kernels::MeasureSweepOptions options = measureOptions();
        options.targetLost = [&](const std::string& target, const Error& why) {
            line.clear();
            fmt::print(stderr, "coalescope: {} is given up: {}\n",
                target.empty() ? "this machine" : "'" + target + "'", why.sentence());
        };
        const auto measured = kernels::measureSweep(
            m_kernel, m_launches, options, [&](std::size_t index, const kernels::SweepRow& row) {
                m_rows[index].measured = row.measured;
                m_failed += !row.measured && m_rows[index].predicted ? 1 : 0;
                if (m_rows[index].problem.empty())
                    m_rows[index].problem = row.problem;
                show(line, "measured");
            });
        line.clear();
        if (measured && m_failed > 0 && !options.journal.empty())
            fmt::print(stderr, "{} of them failed on the GPU; with --retry-failed they are measured once more\n",
                m_failed);
        return measured;
    }

    [[nodiscard]] kernels::MeasureSweepOptions measureOptions() const
    {
        kernels::MeasureSweepOptions options = m_options.measureOptions;
        options.targets = targetsOf(m_options);
        options.stop = m_interrupt.token();
        return options;
    }

    void show(ProgressLine& line, const char* what)
    {
        m_done = std::min<std::size_t>(m_done + 1, m_launches.size()); // some are told once more
        line.show(double(m_done) / double(m_launches.size()),
            fmt::format("{} of {} launches {}", m_done, m_launches.size(), what));
    }

    /// What kept every launch from a result, other than that launches are not allowed: the sentence of the
    /// first one, and below it those of others that differ.
    [[nodiscard]] std::optional<Error> whyNoneCame() const
    {
        std::optional<Error> why;
        std::vector<std::string> told;
        for (const kernels::SweepRow& row : m_rows) {
            if (row.predicted || row.measured)
                return std::nullopt;
            if (!row.refused || kernels::isNotAllowed(row.refused->code))
                continue;
            if (!why)
                why = row.refused;
            else if (std::ranges::find(told, row.problem) == told.end())
                why->detail += '\n' + row.problem;
            told.push_back(row.problem);
        }
        return why;
    }

    [[nodiscard]] std::string summary(const kernels::SweepTimes& times) const
    {
        std::size_t predicted = 0, faulty = 0, notAllowed = 0;
        for (const kernels::SweepRow& row : m_rows) {
            predicted += row.predicted ? 1 : 0;
            faulty += hasFault(row) ? 1 : 0;
            notAllowed += row.refused && kernels::isNotAllowed(row.refused->code) ? 1 : 0;
        }
        std::string text = fmt::format("{} launch{} predicted", predicted, predicted == 1 ? "" : "es");
        if (faulty > 0)
            text += fmt::format(" ({} faulty)", faulty);
        if (notAllowed > 0)
            text += fmt::format(", {} not allowed", notAllowed);
        if (const std::size_t failed = m_rows.size() - predicted - notAllowed; failed > 0)
            text += fmt::format(", {} failed", failed);
        text += fmt::format(" in {:.2f} s", times.wallMs / 1000);
        if (times.compiled > 0)
            text += fmt::format(
                "; compiling {} took {:.2f} s of the threads' time, predicting {:.2f} s",
                analysis::counted(times.compiled, "program"), times.compileMs / 1000, times.analyseMs / 1000);
        return text;
    }

    const kernels::KernelSpec& m_kernel;
    const SweepOptions& m_options;
    const std::vector<kernels::ParameterValues> m_launches;
    std::vector<kernels::SweepRow> m_rows;
    Interrupt m_interrupt;
    std::size_t m_done = 0, m_failed = 0;
    bool m_measuring = false;
};

int runSweep(const SweepOptions& options)
{
    if (auto checked = checkOptions(options); !checked)
        return reportError(checked.error());
    std::vector<std::string> given = options.sets;
    given.insert(given.end(), options.over.begin(), options.over.end());
    auto kernel = kernelOf(options.kernel, options.entry, options.compile, given);
    if (!kernel)
        return reportError(kernel.error());
    auto request = kernels::sweepRequest(*kernel, options.over, options.sets);
    if (!request)
        return reportError(withFile(request.error(), *kernel));
    if (options.measure && targetsOf(options).empty()) {
        if (auto gpu = kernels::localGpu(); !gpu)
            return reportError(gpu.error());
    }
    const auto print = [&](const std::vector<kernels::SweepRow>& rows) {
        return printResult(options.json ? kernels::sweepJson(rows)
                : options.csv           ? kernels::sweepCsv(*kernel, rows, options.measure)
                                        : sweepText(rows, request->axes, options.measure));
    };
    Sweep sweep(*kernel, options, *request);
    auto rows = sweep.run();
    if (!rows && rows.error().code == ErrorCode::Cancelled && Interrupt::signal() != 0) {
        if (!options.measure) {
            const auto finished = sweep.takeFinished();
            if (!finished.empty())
                print(finished);
            fmt::print(stderr, "coalescope: the sweep was interrupted: {} of {} launches are predicted; run the command again for all.\n",
                finished.size(), sweep.launches());
            return 128 + Interrupt::signal();
        }
        fmt::print(stderr, "coalescope: the sweep was interrupted: {}.\n", sweep.resumeText());
        return 128 + Interrupt::signal();
    }
    if (!rows) {
        const int status = reportError(rows.error());
        if (sweep.isMeasuring() && !options.measureOptions.journal.empty())
            fmt::print(stderr, "{}.\n", sweep.resumeText());
        return status;
    }
    const int printed = print(*rows);
    return printed == 0 && sweep.hasFailed() ? kernels::exitStatusOf(ErrorCode::LaunchFailed) : printed; // as of a list
}

void addSweepMeasureOptions(CLI::App& command, SweepOptions& options)
{
    command.add_flag("--measure", options.measure, "Also run every launch on a GPU");
    command.add_option("--journal", options.measureOptions.journal,
        "File that keeps what is measured; the same command goes on from it");
    command
        .add_option("--target", options.targets,
            "Prefix of the command that reaches a GPU; several share the launches")
        ->allow_extra_args(false);
    command
        .add_option(
            "--jobs", options.jobs, "Launches at a time behind each --target: one job a GPU")
        ->check(CLI::Range(1, 1024));
    command
        .add_option("--gpus", options.gpus, "GPUs of this machine that share the launches: 0,1,2")
        ->delimiter(',')
        ->allow_extra_args(false);
    addMeasureArguments(command, options.measureOptions.measure);
    command.add_flag("--retry-failed", options.measureOptions.retryFailed,
        "Measure launches anew that the journal keeps as failed");
}

} // namespace

void addSweepCommand(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand(
        "sweep", "Predict (and measure) every combination of parameter values");
    auto options = std::make_shared<SweepOptions>();
    command->add_option("KERNEL", options->kernel, "Catalogue id, or a .cu file with a manifest or a launch in it")
        ->required();
    command->add_option("--entry", options->entry, "Which of a file's launches");
    addCompileOptions(*command, options->compile);
    command
        ->add_option(
            "--over", options->over, "NAME=VALUES, such as pad=0,1,4:16:4; several make a grid")
        ->required()
        ->allow_extra_args(false);
    command->add_option("--set", options->sets, "NAME=VALUE held fixed; --set again for another one")->allow_extra_args(false);
    addDeviceOption(*command, options->device, "Device to predict for");
    addSweepMeasureOptions(*command, *options);
    auto* csv = command->add_flag("--csv", options->csv, "CSV instead of a table");
    command->add_flag("--json", options->json, "JSON instead of a table")->excludes(csv);
    command->footer(kExamples);
    command->callback([options, &status] { status = runSweep(*options); });
}

} // namespace coalescope::cli
