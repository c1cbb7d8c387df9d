// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/table.h"
#include "kernels/catalogue/kernel_spec.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
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

void printJson()
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
    fmt::print("{}\n", list.dump(2));
}

void printTable()
{
    for (const kernels::KernelSpec& kernel : kernels::catalogue()) {
        fmt::print("{}\n  {}\n ", kernel.id, kernel.summary.en);
        for (const kernels::ParameterSpec& parameter : kernel.parameters)
            fmt::print(" {}={}", parameter.name, parameter.defaultValue);
        fmt::print("\n\n");
    }
}

} // namespace

void addKernelsCommand(CLI::App& app, int&)
{
    CLI::App* command = app.add_subcommand("kernels", "List the catalogue");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "JSON instead of text");
    command->callback([json] { *json ? printJson() : printTable(); });
}

} // namespace coalescope::cli
