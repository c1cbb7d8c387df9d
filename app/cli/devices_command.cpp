// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/table.h"
#include "kernels/launch/device_row.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace coalescope::cli {

namespace {

std::string plainText()
{
    Table table;
    table.add({ "", "GPU", "compute", "SMs", "GHz", "GiB", "L2 MiB", "DRAM GB/s", "rates" });
    for (const analysis::DeviceModel* device : analysis::knownDevices()) {
        table.add({ std::string(device->name), std::string(device->fullName),
            fmt::format("{}.{}", device->computeMajor, device->computeMinor),
            fmt::format("{}", device->sms), fmt::format("{:.2f}", device->clockGHz),
            device->memoryBytes > 0 ? fmt::format("{:g}", device->memoryBytes / (1 << 30)) : std::string("-"),
            fmt::format("{:g}", device->l2Bytes / (1 << 20)),
            fmt::format("{:.0f}", device->dramBytesPerNs), std::string(device->origin) });
    }
    return table.text()
        + "\nDRAM is a large copy, read and written: measured, or 88 % of the data sheet's peak.\n"
          "\"coalescope calibrate\" measures the rates of a GPU and adds it.\n";
}

} // namespace

void addDevicesCommand(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand("devices", "List the GPUs that can be predicted for");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "JSON instead of text");
    command->callback([json, &status] {
        status = printResult(
            *json ? kernels::toJson(analysis::knownDevices(), 2) + '\n' : plainText());
    });
}

} // namespace coalescope::cli
