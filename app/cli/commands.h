// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace coalescope::cli {

// Each adds one command. The command runs in its callback and leaves the exit status of the
// contract in `status`, which outlives the parse.
void addKernelsCommand(CLI::App& app, int& status);
void addPredictCommand(CLI::App& app, int& status);
void addMeasureCommand(CLI::App& app, int& status);
void addCompareCommand(CLI::App& app, int& status);
void addSweepCommand(CLI::App& app, int& status);
void addAccessCommand(CLI::App& app, int& status);
void addReportCommand(CLI::App& app, int& status);
void addDevicesCommand(CLI::App& app, int& status);
void addCalibrateCommand(CLI::App& app, int& status);

} // namespace coalescope::cli
