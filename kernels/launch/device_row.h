// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/device_model.h"

#include <string>
#include <string_view>

namespace coalescope::kernels {

/// A GPU as `coalescope calibrate` found it: what its driver reports, and its rates.
struct DeviceRow {
    std::string name; ///< "rtx4090"
    std::string fullName; ///< as the driver has it
    std::string driver, date; ///< of the calibration; an ISO date
    std::string launchFrom
        = "launches in a row"; ///< how model.launchNs was measured: or "profiler"
    analysis::DeviceModel model; ///< without the texts above
};

/// The row as a JSON object of one line (indent -1) or many.
[[nodiscard]] std::string toJson(const DeviceRow& row, int indent = -1);

/// Devices as a JSON array: numbers under the same names, 0 where not measured.
[[nodiscard]] std::string toJson(
    const std::vector<const analysis::DeviceModel*>& devices, int indent = -1);

/// Errors: BadInput with the field's name as place: missing, of the wrong kind, or outside its
/// range.
[[nodiscard]] Result<DeviceRow> deviceRowFromJson(std::string_view text);

/// One rate of a row for people: "DRAM, read and written", 4220, "GB/s".
struct RateText {
    std::string_view what;
    double value;
    std::string_view unit;
};
[[nodiscard]] std::vector<RateText> ratesOf(const analysis::DeviceModel& model);

/// Adds the row to the devices that can be named, as a verified one.
void addDevice(const DeviceRow& row);

} // namespace coalescope::kernels
