// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/report_error.h"
#include "app/cli/table.h"
#include "kernels/launch/device_files.h"
#include "kernels/launch/target.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace coalescope::cli {

namespace {

struct CalibrateOptions {
    std::string output, target;
    bool json = false;
};

/// The measured rates beside those of the table's row, where there is one.
std::string plainText(const kernels::DeviceRow& row)
{
    const auto table = analysis::deviceTable();
    const auto known = std::ranges::find(table, row.name, &analysis::DeviceModel::name);
    const auto number = [](double value) { return value > 0 ? fmt::format("{:.4g}", value) : "-"; };
    Table text;
    text.add({ "", "measured", known == table.end() ? "" : "in the table", "" });
    const auto measured = kernels::ratesOf(row.model);
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const auto& [what, value, unit] = measured[i];
        text.add({ std::string(what), number(value),
            known == table.end() ? "" : number(kernels::ratesOf(*known)[i].value),
            std::string(unit) });
    }
    return fmt::format(
        "{}, driver {}, {}\n\n{}\n", row.fullName, row.driver, row.date, text.text());
}

Result<std::filesystem::path> placeOf(const CalibrateOptions& options)
{
    if (!options.output.empty())
        return std::filesystem::path(options.output);
    auto folder = kernels::deviceFolder();
    if (folder.empty())
        return fail(ErrorCode::FileFailed,
            "neither XDG_CONFIG_HOME nor HOME says where the device shall lie; give -o FILE", "-o");
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::FileFailed,
            fmt::format("the folder cannot be made: {}", error.message()), folder.string());
    return folder;
}

int runCalibrate(const CalibrateOptions& options)
{
    // Before a minute is spent.
    auto place = placeOf(options);
    if (!place)
        return reportError(place.error());
    Result<kernels::DeviceRow> row;
    {
        ProgressLine line;
        row = kernels::calibrateOnTarget(options.target,
            [&](const kernels::MeasureProgress& now) { line.show(now.fraction, now.stage); });
    }
    if (!row)
        return reportError(row.error());
    if (options.output.empty())
        *place /= row->name + ".json";
    if (auto written = writeFile(*place, toJson(*row, 2) + '\n'); !written)
        return reportError(written.error());
    if (options.json)
        return printResult(toJson(*row, 2) + '\n');
    const std::string next = options.output.empty()
        ? fmt::format("; --device {} means this GPU from now on", row->name)
        : fmt::format(
            "; in {} it would be --device {}", kernels::deviceFolder().string(), row->name);
    return printResult(plainText(*row) + "Written to " + place->string() + next + ".\n");
}

} // namespace

void addCalibrateCommand(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand(
        "calibrate", "Measure a GPU's own rates and add it to the devices; needs a GPU");
    auto options = std::make_shared<CalibrateOptions>();
    command->add_flag("--json", options->json, "JSON instead of a table");
    command->add_option("-o,--output", options->output, "Write the device to FILE instead");
    command->add_option("--target", options->target,
        "Prefix of the command that reaches a GPU: \"ssh gpu01\", \"srun --gres=gpu:1\"");
    command->callback([options, &status] { status = runCalibrate(*options); });
}

} // namespace coalescope::cli
