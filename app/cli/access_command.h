// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace coalescope::cli {

/// Adds `coalescope access`: what single warp accesses cost, from the command line or a CSV file.
///
/// Errors: printed; `status` becomes the exit status once the command has run.
void addAccessCommand(CLI::App& app, int& status);

} // namespace coalescope::cli
