// SPDX-License-Identifier: Apache-2.0
// predict, measure and compare: one experiment each.
#include "analysis/device/device_model.h"
#include "app/cli/batch_command.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_arguments.h"
#include "app/cli/measure_arguments.h"
#include "app/cli/measure_command.h"
#include "app/cli/output.h"
#include "app/cli/prediction_progress.h"
#include "app/cli/report_error.h"
#include "app/cli/result_text.h"
#include "kernels/experiment/compare.h"
#include "kernels/experiment/recorded.h"
#include "kernels/launch/measure.h"
#include "kernels/launch/target.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace coalescope::cli {

namespace {

struct ExperimentOptions {
    ExperimentArguments arguments;
    std::string target, job, failOn, batch, output;
    bool recorded = false;
    kernels::MeasureOptions measure;
};

/// What of a launch is guessed, but for numbers that --set gives.
std::vector<std::string> guessesOf(const kernels::LaunchPlan& plan)
{
    std::vector<std::string> sentences;
    for (const kernels::Guess& guess : plan.guesses) {
        const auto set = plan.parameters.find(guess.what);
        const bool isGiven = guess.kind == kernels::Guess::Kind::Value && set != plan.parameters.end() && set->second != guess.taken;
        if (!isGiven)
            sentences.push_back(sentenceOf(guess));
    }
    return sentences;
}

int runPredict(const ExperimentOptions& options)
{
    const auto plan = planOf(options.arguments);
    if (!plan)
        return reportError(plan.error());
    auto prediction = predictWithProgress(*plan, predictOptionsOf(options.arguments));
    if (!prediction)
        return reportPredictionError(prediction.error());
    prediction->result.guesses = guessesOf(*plan);
    return printResult(
        options.arguments.json ? toJson(prediction->result, 2) + '\n' : textOf(prediction->result),
        options.failOn == "hazard" && isFaulty(prediction->result) ? 1 : 0);
}

/// The measurement, from the recordings, this machine or behind a target.
Result<analysis::RunResult> measurementOf(
    const ExperimentOptions& options, const kernels::LaunchPlan& plan)
{
    if (!options.recorded)
        return measureWithProgress(plan, options.measure, options.target);
    return kernels::recordedResult(plan, options.arguments.deviceGiven() ? options.arguments.device : "");
}

int runCompare(const ExperimentOptions& options)
{
    const auto plan = planOf(options.arguments);
    if (!plan)
        return reportError(plan.error());
    kernels::PredictOptions predictOptions = predictOptionsOf(options.arguments);
    auto prediction = predictWithProgress(*plan, predictOptions);
    if (!prediction)
        return reportPredictionError(prediction.error());
    auto measured = measurementOf(options, *plan);
    if (!measured)
        return reportError(measured.error());
    // Unless another GPU was asked for, the prediction is for the one that was measured.
    if (!options.arguments.deviceGiven() && measured->device != predictOptions.device
        && analysis::deviceNamed(measured->device)) {
        predictOptions.device = measured->device;
        prediction = predictWithProgress(*plan, predictOptions);
        if (!prediction)
            return reportPredictionError(prediction.error());
    }
    const auto comparison = analysis::compare(std::move(prediction->result), *std::move(measured));
    const bool hazard = options.failOn == "hazard" && isFaulty(comparison.predicted);
    const bool difference = options.failOn == "difference" && !kernels::exactKeysAgree(comparison);
    return printResult(options.arguments.json ? toJson(comparison, 2) + '\n' : textOf(comparison),
        hazard || difference ? 1 : 0);
}

int runBatch(const ExperimentOptions& options)
{
    if (options.output.empty())
        return reportError(
            { ErrorCode::WrongUsage, "--batch needs --output, the file that the results go to", "--batch" });
    if (!options.arguments.kernel.empty() || !options.arguments.source.empty() || !options.arguments.sets.empty())
        return reportError({ ErrorCode::WrongUsage,
            "--batch takes its kernels and their parameters from the list alone", "--batch" });
    kernels::RecordOptions record;
    record.measure = options.measure;
    record.targets = { options.target };
    record.output = options.output;
    return runMeasureBatch(options.batch, record);
}

int runMeasureCommand(const ExperimentOptions& options)
{
    if (!options.job.empty()) {
        if (options.job != "-")
            return reportError(
                { ErrorCode::WrongUsage, "the only job source is '-', standard input", "--job" });
        return kernels::serveJob();
    }
    if (!options.batch.empty())
        return runBatch(options);
    if (!options.output.empty())
        return reportError({ ErrorCode::WrongUsage, "--output belongs to --batch", "--output" });
    auto plan = planOf(options.arguments);
    if (!plan)
        return reportError(plan.error());
    return runMeasure(*plan, options.measure, options.target, options.arguments.json);
}

void addMeasureOptions(CLI::App& command, ExperimentOptions& options)
{
    command.add_option("--target", options.target,
        "Prefix of the command that reaches a GPU: \"ssh gpu01\", \"srun --gres=gpu:1\"");
    addMeasureArguments(command, options.measure);
}

std::shared_ptr<ExperimentOptions> optionsOf(CLI::App& command)
{
    auto options = std::make_shared<ExperimentOptions>();
    addExperimentArguments(command, options->arguments);
    return options;
}

} // namespace

void addPredictCommand(CLI::App& app, int& status)
{
    CLI::App* command
        = app.add_subcommand("predict", "Predict a launch from the kernel's source; needs no GPU");
    auto options = optionsOf(*command);
    command->add_option("--fail-on", options->failOn, "Exit with 1 on a 'hazard'")
        ->check(CLI::IsMember({ "hazard" }));
    command->callback([options, &status] { status = runPredict(*options); });
}

void addMeasureCommand(CLI::App& app, int& status)
{
    CLI::App* command
        = app.add_subcommand("measure", "Run, verify, time and count a launch on a GPU");
    auto options = optionsOf(*command);
    addMeasureOptions(*command, *options);
    command->add_option("--batch", options->batch,
        "List of launches, a line KERNEL NAME=VALUE... each; what --output holds is not measured again");
    command->add_option("-o,--output", options->output, "File of results of a --batch, as JSON lines");
    command->add_option("--job", options->job, "'-': read a job as JSON, answer in JSON lines");
    command->callback([options, &status] { status = runMeasureCommand(*options); });
}

void addCompareCommand(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand("compare", "Prediction beside measurement");
    auto options = optionsOf(*command);
    addMeasureOptions(*command, *options);
    command->add_flag(
        "--recorded", options->recorded, "Compare with the recorded launch; needs no GPU");
    command
        ->add_option("--fail-on", options->failOn,
            "Exit with 1 on a 'hazard' or a 'difference' of an exact key")
        ->check(CLI::IsMember({ "hazard", "difference" }));
    command->callback([options, &status] { status = runCompare(*options); });
}

} // namespace coalescope::cli
