// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "kernels/catalogue/kernel_spec.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace coalescope::cli {

namespace {

nlohmann::ordered_json textJson(const kernels::LocalizedText& text)
{
    return { { "en", text.en }, { "zh_CN", text.zhCN } };
}

nlohmann::ordered_json parameterJson(const kernels::ParameterSpec& parameter)
{
    nlohmann::ordered_json json { { "name", parameter.name },
        { "label", textJson(parameter.label) }, { "default", parameter.defaultValue } };
    if (parameter.isInteger()) {
        json["minimum"] = parameter.minimum;
        json["maximum"] = parameter.maximum;
    } else {
        json["choices"] = nlohmann::ordered_json::array();
        for (const kernels::Choice& choice : parameter.choices)
            json["choices"].push_back(choice.value);
    }
    json["compile_time"] = !parameter.define.empty();
    return json;
}

std::string jsonText()
{
    auto list = nlohmann::ordered_json::array();
    for (const kernels::KernelSpec& kernel : kernels::catalogue()) {
        nlohmann::ordered_json json { { "id", kernel.id }, { "title", textJson(kernel.title) },
            { "summary", textJson(kernel.summary) }, { "teaches", textJson(kernel.teaches) },
            { "parameters", nlohmann::ordered_json::array() } };
        for (const kernels::ParameterSpec& parameter : kernel.parameters)
            json["parameters"].push_back(parameterJson(parameter));
        list.push_back(std::move(json));
    }
    return list.dump(2) + '\n';
}

/// What the parameter accepts: "1 to 65536", or its choices.
std::string valuesOf(const kernels::ParameterSpec& parameter)
{
    if (parameter.isInteger())
        return fmt::format("{} to {}", parameter.minimum, parameter.maximum);
    std::string values;
    for (const kernels::Choice& choice : parameter.choices)
        values += (values.empty() ? "" : ", ") + choice.value;
    return values;
}

std::string plainText()
{
    std::string text;
    for (const kernels::KernelSpec& kernel : kernels::catalogue()) {
        text += fmt::format("{}\n  {}\n", kernel.id, kernel.summary.en);
        for (const kernels::ParameterSpec& parameter : kernel.parameters)
            text += fmt::format("    {:<28} {:<24} {}\n",
                fmt::format("--set {}={}", parameter.name, parameter.defaultValue),
                valuesOf(parameter), parameter.label.en);
        text += '\n';
    }
    return text + "The values after = are the defaults.\n";
}

} // namespace

void addKernelsCommand(CLI::App& app, int& status)
{
    CLI::App* command
        = app.add_subcommand("kernels", "List the catalogue's kernels and their parameters");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "JSON instead of text");
    command->callback([json, &status] { status = printResult(*json ? jsonText() : plainText()); });
}

} // namespace coalescope::cli
