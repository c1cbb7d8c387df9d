// SPDX-License-Identifier: Apache-2.0
#include "app/cli/access_command.h"
#include "app/cli/commands.h"

#include <CLI/CLI.hpp>

#include <csignal>

int main(int argc, char** argv)
{
    // A reader that closes the pipe early (head, a killed GUI) ends the program quietly.
    std::signal(SIGPIPE, SIG_DFL);

    CLI::App app { "Coalescope shows what every warp of a CUDA kernel does to memory: "
                   "predicted from its source, measured beside it.",
        "coalescope" };
    app.require_subcommand(1);
    app.set_version_flag("--version", "coalescope 0.1.0");
    int status = 0;
    using namespace coalescope::cli;
    addKernelsCommand(app, status);
    addPredictCommand(app, status);
    addMeasureCommand(app, status);
    addCompareCommand(app, status);
    addSweepCommand(app, status);
    addAccessCommand(app, status);
    addReportCommand(app, status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        return code == 0 ? 0 : 2;
    }
    return status;
}
