// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/experiment_arguments.h"
#include "app/cli/output.h"
#include "app/cli/prediction_progress.h"
#include "app/cli/report_error.h"
#include "kernels/experiment/compare.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <unistd.h>

namespace coalescope::cli {

namespace {

struct ReportOptions {
    ExperimentArguments arguments;
    std::string output;
};

/// Pictures and pages are the window's work: becomes coalescope-gui, which lies beside this program
/// or on the PATH. Returns only where it cannot be started.
int handOver(const ReportOptions& options)
{
    std::vector<std::string> words { "coalescope" }; // whose errors they are
    words.push_back(options.arguments.kernel);
    if (!options.arguments.entry.empty())
        words.insert(words.end(), { "--entry", options.arguments.entry });
    for (const std::string& set : options.arguments.sets)
        words.insert(words.end(), { "--set", set });
    if (options.arguments.deviceGiven()) // a session has a device of its own
        words.insert(words.end(), { "--device", options.arguments.device });
    words.insert(words.end(), { "--export", options.output });
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error)
        execv((self.parent_path() / "coalescope-gui").c_str(), argv.data());
    execvp("coalescope-gui", argv.data());
    return reportError({ ErrorCode::FileFailed,
        "pictures and pages are drawn by coalescope-gui, which is neither beside this program nor "
        "on the PATH; .csv and .json need no window",
        options.output });
}

int runReport(const ReportOptions& options)
{
    const std::string extension = std::filesystem::path(options.output).extension().string();
    const bool picture
        = extension == ".png" || extension == ".svg" || extension == ".pdf" || extension == ".html";
    const bool data = extension == ".csv" || extension == ".json";
    if (!picture && !data)
        return reportError({ ErrorCode::WrongUsage,
            "a report is .html, .pdf, .png, .svg, .csv or .json", options.output });
    const bool session = options.arguments.kernel.ends_with(".json");
    if (picture || session)
        return handOver(options);
    const auto plan = planOf(options.arguments);
    if (!plan)
        return reportError(plan.error());
    auto prediction = predictWithProgress(*plan, predictOptionsOf(options.arguments));
    if (!prediction)
        return reportPredictionError(prediction.error());
    const auto measured = kernels::recordedResult(*plan, options.arguments.device);
    const auto comparison = analysis::compare(
        std::move(prediction->result), measured.value_or(analysis::RunResult {}));
    const std::string text = extension == ".csv" ? toCsv(comparison)
        : measured                               ? toJson(comparison, 2) + '\n'
                                                 : toJson(comparison.predicted, 2) + '\n';
    if (auto written = writeFile(options.output, text); !written)
        return reportError(written.error());
    return 0;
}

} // namespace

void addReportCommand(CLI::App& app, int& status)
{
    CLI::App* command
        = app.add_subcommand("report", "Write a comparison as a picture, a page or data");
    auto options = std::make_shared<ReportOptions>();
    command
        ->add_option("KERNEL", options->arguments.kernel,
            "Catalogue id, a .cu file with a manifest, or a session")
        ->required();
    command
        ->add_option("-o,--output", options->output, "FILE.html, .pdf, .png, .svg, .csv or .json")
        ->required();
    command->add_option("--entry", options->arguments.entry, "Which of the file's launches");
    command->add_option("--set", options->arguments.sets, "NAME=VALUE of a manifest parameter; --set again for another one")
        ->allow_extra_args(false);
    options->arguments.deviceOption
        = addDeviceOption(*command, options->arguments.device, "Device to predict for; of a session, instead of its own");
    command->callback([options, &status] { status = runReport(*options); });
}

} // namespace coalescope::cli
