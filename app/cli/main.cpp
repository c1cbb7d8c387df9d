// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/report_error.h"
#include "kernels/launch/device_files.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <sstream>

namespace {

using namespace coalescope;
using namespace coalescope::cli;

constexpr const char* kExamples = R"(Examples:
  coalescope predict transpose_shared --set pad=0
      Executes the kernel's code on the CPU and prints the memory traffic of the whole
      launch: sectors, cache-line tags, shared-memory wavefronts, bank conflicts, and the
      lines they come from. No GPU is needed.
  coalescope compare transpose_shared --set pad=0 --recorded
      The same beside what an NVIDIA H200 counted; without --recorded, beside your GPU.

"coalescope kernels" lists the kernels that can be named, and what --set changes in each. Your own program:
  coalescope predict my.cu
      The first kernel that it launches, as its host code launches it; "coalescope kernels my.cu" lists them all,
      --entry names another one. A launch of your own choice:
  coalescope predict --source my.cu --entry scale --grid 4096 --block 256 \
      --arg f32[1048576] --arg f32[1048576]=iota --arg i32:1048576

Exit status: 0 done; 1 a finding that --fail-on asked for; 2 wrong usage; 3 bad input;
4 no GPU, driver or permission; 5 the run on the GPU failed.)";

void addCommands(CLI::App& app, int& status)
{
    app.set_version_flag("--version", "coalescope " COALESCOPE_VERSION);
    app.set_help_flag("-h,--help", "Print this text, or behind a command its options");
    addKernelsCommand(app, status);
    addPredictCommand(app, status);
    addMeasureCommand(app, status);
    addCompareCommand(app, status);
    addSweepCommand(app, status);
    addAccessCommand(app, status);
    addReportCommand(app, status);
    addDevicesCommand(app, status);
    addCalibrateCommand(app, status);
    app.footer(kExamples); // last: a command takes over the footer that there is when it is added
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    for (CLI::App* command : app.get_subcommands({}))
        command->group("Commands");
}

bool isCommand(const CLI::App& app, std::string_view word)
{
    return std::ranges::any_of(app.get_subcommands({}),
        [&](const CLI::App* command) { return command->get_name() == word; });
}

Error unknownCommand(const CLI::App& app, const char* word)
{
    std::string names;
    for (const CLI::App* command : app.get_subcommands({}))
        names += (names.empty() ? "" : ", ") + command->get_name();
    return { ErrorCode::WrongUsage,
        fmt::format("there is no command '{}'; there are {}", word, names), {} };
}

constexpr const char* kOneEach = ": each NAME=VALUE has an option before it, as in --set a=1 --set b=2";

bool isAssignment(const std::string& word)
{
    return word.find('=') != std::string::npos && !word.starts_with('-');
}

/// What the parser says, as a sentence of ours with the command as its place.
Error usageError(const CLI::App& app, const CLI::ParseError& error)
{
    const auto commands = app.get_subcommands();
    const CLI::App& command = commands.empty() ? app : *commands.front();
    std::string sentence = error.what();
    std::ranges::replace(sentence, '\n', ' ');
    if (const auto extra = command.remaining(); !extra.empty())
        sentence = fmt::format("'{}' was not expected here{}", extra.front(), isAssignment(extra.front()) ? kOneEach : "");
    return { ErrorCode::WrongUsage, std::move(sentence), command.get_name() };
}

} // namespace

int main(int argc, char** argv)
{
    // A reader that closes the pipe early (head, a killed GUI) ends the program quietly.
    std::signal(SIGPIPE, SIG_DFL);

    CLI::App app { "Coalescope shows what every warp of a CUDA kernel does to memory: "
                   "predicted from its source, measured beside it.",
        "coalescope" };
    int status = 0;
    addCommands(app, status);
    if (argc < 2)
        return printResult(app.help());
    if (argv[1][0] != '-' && !isCommand(app, argv[1]))
        return reportError(unknownCommand(app, argv[1]));
    // A device that cannot be read is no reason to stop: the built-in one stands in.
    for (const Error& problem : kernels::loadCalibratedDevices())
        reportError(problem);
    app.require_subcommand(1);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& done) { // --help and --version
        std::ostringstream text;
        app.exit(done, text, text);
        return printResult(text.str());
    } catch (const CLI::ParseError& error) {
        return reportError(usageError(app, error));
    }
    return status;
}
