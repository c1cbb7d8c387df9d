// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/device_row.h"

#include <filesystem>
#include <vector>

namespace coalescope::kernels {

/// Where calibrated devices lie: $XDG_CONFIG_HOME/coalescope/devices, or
/// ~/.config/coalescope/devices. Empty where neither variable says where that is.
[[nodiscard]] std::filesystem::path deviceFolder();

/// Adds every NAME.json of the folder to the devices that can be named. Once, when a program
/// starts.
///
/// A file that cannot be used is left out and reported: BadInput or FileFailed with the file as
/// place. The built-in rows stay.
[[nodiscard]] std::vector<Error> loadCalibratedDevices(
    const std::filesystem::path& folder = deviceFolder());

} // namespace coalescope::kernels
