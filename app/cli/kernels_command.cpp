// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/experiment_arguments.h"
#include "app/cli/output.h"
#include "app/cli/report_error.h"
#include "kernels/source/manifest_template.h"
#include "kernels/source/program_kernels.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
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
    } else if (parameter.isReal) {
        json["real"] = true;
    } else {
        json["choices"] = nlohmann::ordered_json::array();
        for (const kernels::Choice& choice : parameter.choices)
            json["choices"].push_back(choice.value);
    }
    json["compile_time"] = !parameter.define.empty();
    return json;
}

std::string jsonText(const std::vector<kernels::KernelSpec>& kernels)
{
    auto list = nlohmann::ordered_json::array();
    for (const kernels::KernelSpec& kernel : kernels) {
        nlohmann::ordered_json json { { "id", kernel.id }, { "entry", kernel.derived.empty() ? kernel.entry : kernel.title.en }, { "title", textJson(kernel.title) },
            { "summary", textJson(kernel.summary) }, { "teaches", textJson(kernel.teaches) },
            { "parameters", nlohmann::ordered_json::array() } };
        for (const kernels::ParameterSpec& parameter : kernel.parameters)
            json["parameters"].push_back(parameterJson(parameter));
        if (!kernel.derived.empty()) {
            json["guessed"] = nlohmann::ordered_json::array();
            for (const kernels::Guess& guess : kernel.guesses)
                json["guessed"].push_back(sentenceOf(guess));
        }
        list.push_back(std::move(json));
    }
    return list.dump(2) + '\n';
}

/// What the parameter accepts: "1 to 65536", or its choices.
std::string valuesOf(const kernels::ParameterSpec& parameter)
{
    if (parameter.isReal)
        return "any number";
    if (parameter.isInteger())
        return fmt::format("{} to {}", parameter.minimum, parameter.maximum);
    std::string values;
    for (const kernels::Choice& choice : parameter.choices)
        values += (values.empty() ? "" : ", ") + choice.value;
    return values;
}

std::string plainText(const std::vector<kernels::KernelSpec>& kernels)
{
    std::string text;
    for (const kernels::KernelSpec& kernel : kernels) {
        text += fmt::format("{}\n  {}\n", kernel.derived.empty() ? kernel.id : kernel.title.en, kernel.summary.en);
        for (const kernels::ParameterSpec& parameter : kernel.parameters)
            text += fmt::format("    {:<28} {:<24} {}\n",
                fmt::format("--set {}={}", parameter.name, parameter.defaultValue),
                valuesOf(parameter), parameter.label.en);
        text += '\n';
    }
    return kernels.empty() ? text : text + "The values after = are the defaults.\n";
}

/// The kernels of a user's file: of its manifest, or as its host code launches them.
int runOfFile(const std::string& path, bool json, const kernels::CompileSettings& compile)
{
    auto source = readSourceFile(path);
    if (!source)
        return reportError(source.error());
    const std::string name = std::filesystem::path(path).filename().string();
    if (!kernels::lacksManifest(*source)) {
        auto spec = kernels::kernelOfFile(*std::move(source), path);
        return spec ? printResult(json ? jsonText({ *spec }) : plainText({ *spec })) : reportError(spec.error());
    }
    const auto program = kernels::programKernels(*source, name, path, compile);
    if (!program)
        return reportError(program.error());
    std::string unread;
    for (const kernels::ProgramKernels::Unread& one : program->unread)
        unread += one.line == 0 ? fmt::format("{}: no launch was found\n", one.entry) : fmt::format("{}: the launch on line {} {}\n", one.entry, one.line, one.why);
    if (json) {
        fmt::print(stderr, "{}", unread);
        return printResult(jsonText(program->kernels));
    }
    const std::string text = plainText(program->kernels) + unread;
    return text.empty() ? reportError({ ErrorCode::BadInput, "the file holds no __global__ function", name }) : printResult(text);
}

/// The manifest that a file could have: its own, of its launch, or one to start from.
int printManifest(const std::string& path, const std::string& entry, const kernels::CompileSettings& compile)
{
    auto source = readSourceFile(path);
    if (!source)
        return reportError(source.error());
    const std::string name = std::filesystem::path(path).filename().string();
    if (!kernels::lacksManifest(*source))
        return reportError({ ErrorCode::BadInput, "the file has a manifest of its own", name + ":1" });
    const auto program = kernels::programKernels(*source, name, path, compile);
    if (!program)
        return reportError(program.error());
    const auto chosen = kernels::chosenKernel(*program, entry, name);
    if (chosen)
        return printResult(kernels::manifestComment((*chosen)->derived));
    const kernels::ProgramKernels::Unread* unread = kernels::unreadKernel(*program, entry);
    if (!unread)
        return reportError(chosen.error());
    fmt::print(stderr, "note: {}; this is one to start from\n", chosen.error().detail);
    return printResult(unread->manifest);
}

} // namespace

void addKernelsCommand(CLI::App& app, int& status)
{
    struct Options {
        std::string file, entry;
        bool json = false, manifest = false;
        kernels::CompileSettings compile;
    };
    CLI::App* command = app.add_subcommand("kernels", "List the kernels of the catalogue, or of a file, and their parameters");
    auto options = std::make_shared<Options>();
    command->add_option("KERNEL", options->file, "A .cu file, with a manifest or launches in it, or one of the catalogue");
    command->add_flag("--json", options->json, "JSON instead of text");
    auto* manifest = command->add_flag("--manifest", options->manifest, "Print the manifest that a launch in the file comes to");
    command->add_option("--entry", options->entry, "Which of the file's launches")->needs(manifest);
    addCompileOptions(*command, options->compile);
    command->callback([options, &status] {
        if (options->manifest && options->file.empty())
            status = reportError({ ErrorCode::WrongUsage, "--manifest needs a file", "--manifest" });
        else if (options->manifest)
            status = printManifest(options->file, options->entry, options->compile);
        else if (const auto known = kernels::kernelNamed(options->file))
            status = printResult(options->json ? jsonText({ **known }) : plainText({ **known }));
        else if (!options->file.empty())
            status = runOfFile(options->file, options->json, options->compile);
        else
            status = printResult(options->json ? jsonText(kernels::catalogue()) : plainText(kernels::catalogue()));
    });
}

} // namespace coalescope::cli
