// SPDX-License-Identifier: Apache-2.0
#include "app/cli/experiment_arguments.h"

#include "app/cli/output.h"
#include "kernels/catalogue/assignment.h"
#include "kernels/source/followed_plan.h"
#include "kernels/source/program_kernels.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

namespace coalescope::cli {

namespace {

Result<analysis::Dim3> dim3Of(const std::string& text, const char* option)
{
    std::uint32_t values[3] { 1, 1, 1 };
    const char* at = text.data();
    const char* const end = at + text.size();
    int count = 0;
    while (count < 3) {
        const auto [next, error] = std::from_chars(at, end, values[count]);
        if (error != std::errc() || values[count] == 0)
            break;
        ++count;
        at = next;
        if (at == end)
            return analysis::Dim3 { values[0], values[1], values[2] };
        if (*at++ != ',')
            break;
    }
    return fail(ErrorCode::WrongUsage,
        fmt::format("'{}' is not a size: give X, X,Y or X,Y,Z, each from 1 to 4294967295", text), option);
}

bool looksLikeFile(const std::string& text)
{
    return text.find('/') != std::string::npos || text.ends_with(".cu") || text.ends_with(".cuh") || text.ends_with(".py");
}

/// Where a launch comes from that no manifest describes, and what of it is not known: not what `sets` ("n=64") give.
void tellLaunch(const kernels::KernelSpec& spec, std::span<const std::string> sets)
{
    const auto isSet = [&](const kernels::Guess& guess) {
        return guess.kind == kernels::Guess::Kind::Value && std::ranges::any_of(sets, [&](const std::string& set) { return set.starts_with(guess.what + "="); });
    };
    fmt::print(stderr, "note: {} {}\n", spec.title.en, spec.summary.en.empty() ? "" : "a" + spec.summary.en.substr(1));
    for (const kernels::Guess& guess : spec.guesses)
        if (!isSet(guess))
            fmt::print(stderr, "note: guessed {}\n", sentenceOf(guess));
}

/// The folders as seen from here, not from the file.
kernels::CompileSettings absolute(kernels::CompileSettings compile)
{
    std::error_code error;
    for (std::filesystem::path& folder : compile.include)
        folder = std::filesystem::absolute(folder, error);
    return compile;
}

bool isIdentifier(std::string_view text)
{
    const auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
    return !text.empty() && isLetter(text[0])
        && std::ranges::all_of(text, [&](char c) { return isLetter(c) || std::isdigit(static_cast<unsigned char>(c)); });
}

Result<kernels::LaunchPlan> sourcePlan(const ExperimentArguments& arguments)
{
    kernels::SourceRequest request { .file = arguments.source,
        .entry = arguments.entry,
        .dynamicSharedBytes = arguments.sharedBytes,
        .arguments = arguments.arguments,
        .compile = absolute(arguments.compile) };
    if (arguments.grid.empty() || arguments.block.empty())
        return fail(ErrorCode::WrongUsage, "a source without a manifest needs --grid and --block",
            "--source");
    auto grid = dim3Of(arguments.grid, "--grid");
    if (!grid)
        return std::unexpected(grid.error());
    auto block = dim3Of(arguments.block, "--block");
    if (!block)
        return std::unexpected(block.error());
    request.grid = *grid;
    request.block = *block;
    for (const std::string& text : arguments.defines) {
        const std::size_t equals = text.find('=');
        if (!isIdentifier(std::string_view(text).substr(0, equals)))
            return fail(ErrorCode::WrongUsage, fmt::format("'{}' defines no name: give NAME or NAME=VALUE", text), "--define");
        if (equals == std::string::npos)
            request.defines.emplace_back(text, "1");
        else
            request.defines.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return kernels::planLaunch(request);
}

/// A suggested launch has its grid follow the block that is asked for, as far as its sizes have names.
void setBlock(const kernels::KernelSpec& spec, const std::string& block, kernels::ParameterValues& values)
{
    const auto given = block.empty() ? std::nullopt : std::optional(dim3Of(block, "--block"));
    if (!given || !*given || std::ranges::none_of(spec.guesses, [](const kernels::Guess& guess) { return guess.kind == kernels::Guess::Kind::Launch; }))
        return;
    for (const auto& [name, threads] : { std::pair("block_x", (*given)->x), std::pair("block_y", (*given)->y), std::pair("block_z", (*given)->z) })
        if (std::ranges::find(spec.parameters, name, &kernels::ParameterSpec::name) != spec.parameters.end())
            values.emplace(name, std::to_string(threads));
}

/// Gives a launch that a file makes, or that its code suggests, another grid or block, or more shared memory.
Result<void> shape(kernels::LaunchPlan& plan, const ExperimentArguments& arguments)
{
    for (const auto& [text, option, extents] : { std::tuple(&arguments.grid, "--grid", &plan.grid), std::tuple(&arguments.block, "--block", &plan.block) }) {
        if (text->empty())
            continue;
        const auto given = dim3Of(*text, option);
        if (!given)
            return std::unexpected(given.error());
        *extents = *given;
    }
    if (arguments.sharedBytes > 0)
        plan.dynamicSharedBytes = arguments.sharedBytes;
    return {};
}

} // namespace

std::string sentenceOf(const kernels::Guess& guess)
{
    using Kind = kernels::Guess::Kind;
    switch (guess.kind) {
    case Kind::BufferSize: return fmt::format("how large {} is: {} elements", guess.what, guess.taken);
    case Kind::BufferStart: return fmt::format("where in {} its pointer points to: to its start", guess.what);
    case Kind::Indices:
        return fmt::format("what indices {} holds: {}", guess.what, guess.taken.empty() ? "0, 1, 2, ..." : "random ones below " + guess.taken);
    case Kind::Ranges: return fmt::format("where the ranges of {} begin: each {} behind the one before", guess.what, guess.taken);
    case Kind::Integers: return fmt::format("what integers {} holds: {}", guess.what, guess.taken == "1" ? "zeros" : "random ones below " + guess.taken);
    case Kind::Value: return fmt::format("the value of {}: {}", guess.what, guess.taken);
    case Kind::TemplateArgument: return fmt::format("the template's {}: {}", guess.what, guess.taken);
    case Kind::Variable: return fmt::format("what {} holds: what it starts with", guess.what);
    case Kind::Launch: return "its launch, for which the program has no code: block, grid and sizes are read off the kernel";
    case Kind::RoundingUp: return fmt::format("what {}(a, b) is: a / b, rounded up", guess.what);
    case Kind::SharedBytes: return "how much dynamic shared memory it has: 4 bytes a thread";
    }
    return {};
}

CLI::Option* addDeviceOption(CLI::App& command, std::string& device, const char* help)
{
    return command.add_option("--device", device, help)->capture_default_str()->transform([](std::string name) {
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        return name; // as devices are called
    });
}

void addCompileOptions(CLI::App& command, kernels::CompileSettings& compile)
{
    command.add_option("--std", compile.standard, "c++17 or c++20, of a file without a manifest")->check(CLI::IsMember({ "c++17", "c++20" }));
    command.add_option("--include", compile.include, "Folder of headers, of a file without a manifest; --include again for another one")
        ->allow_extra_args(false)
        ->check(CLI::ExistingDirectory);
}

void addExperimentArguments(CLI::App& command, ExperimentArguments& arguments)
{
    command.add_option("KERNEL", arguments.kernel, "Catalogue id, or a .cu file with a manifest or a launch in it");
    command.add_option("--set", arguments.sets, "NAME=VALUE of a manifest parameter; --set again for another one")
        ->allow_extra_args(false);
    command.add_option("--source", arguments.source, "CUDA C++ file");
    command.add_option("--entry", arguments.entry, "Kernel name, or a template instantiation; of a file, which of its launches");
    command.add_option("--grid", arguments.grid, "Blocks: X[,Y[,Z]]; of a FILE's launch, in place of its own");
    command.add_option("--block", arguments.block, "Threads of a block: X[,Y[,Z]]; of a FILE's launch, in place of its own");
    command.add_option("--shared", arguments.sharedBytes, "Dynamic shared memory, bytes");
    command
        .add_option("--arg", arguments.arguments,
            "One a kernel parameter, in order: f32[COUNT], f32[COUNT]=iota, i32[COUNT]=random:SEED:LOW:HIGH (HIGH excluded), "
            "i32:1024; a structure by its members: "
            "{f32:0.5,i32:7,f32[COUNT]}")
        ->allow_extra_args(false);
    command.add_option("--define", arguments.defines, "NAME=VALUE for the preprocessor, in place of what the file gives it")
        ->allow_extra_args(false);
    addCompileOptions(command, arguments.compile);
    arguments.deviceOption = addDeviceOption(command, arguments.device, "GPU to predict for, such as t4");
    command.add_option("--compiler", arguments.compiler, "auto, nvrtc or clang")
        ->check(CLI::IsMember({ "auto", "nvrtc", "clang" }));
    command.add_flag("--json", arguments.json, "JSON instead of a table");
    command.add_flag("--no-verify", arguments.noVerify, "Do not execute the verification launch");
}

bool ExperimentArguments::deviceGiven() const { return deviceOption && deviceOption->count() > 0; }

Result<kernels::KernelSpec> kernelOf(const std::string& idOrFile, const std::string& entry, const kernels::CompileSettings& compile, std::span<const std::string> sets)
{
    if (looksLikeFile(idOrFile)) {
        auto text = readSourceFile(idOrFile);
        if (!text)
            return std::unexpected(text.error());
        auto spec = kernels::kernelOfFile(*std::move(text), idOrFile, entry, absolute(compile));
        if (spec && !spec->derived.empty())
            tellLaunch(*spec, sets);
        return spec;
    }
    auto known = kernels::kernelNamed(idOrFile);
    if (!known)
        return std::unexpected(known.error());
    return **known;
}

Error withFile(Error error, const kernels::KernelSpec& kernel)
{
    if (error.code == ErrorCode::IllegalParameter && !kernel.path.empty() && error.where.find(':') == std::string::npos)
        error.where += " in " + kernel.sourceName;
    return error;
}

Result<kernels::LaunchPlan> planOf(const ExperimentArguments& arguments)
{
    const bool isShaped = !arguments.grid.empty() || !arguments.block.empty() || arguments.sharedBytes > 0;
    const bool isDescribed = !arguments.arguments.empty() || !arguments.defines.empty(), raw = isShaped || isDescribed;
    if (arguments.kernel.empty() == arguments.source.empty())
        return fail(ErrorCode::WrongUsage, "give either a KERNEL or --source FILE.cu");
    if (arguments.kernel.empty() && raw) {
        if (!arguments.sets.empty())
            return fail(ErrorCode::WrongUsage,
                "--set belongs to a manifest or a launch in the file; a source with --grid, --block or --arg takes "
                "--define",
                "--set");
        return sourcePlan(arguments);
    }
    if (isDescribed || (isShaped && !looksLikeFile(arguments.kernel)))
        return fail(ErrorCode::WrongUsage,
            "--grid, --block, --shared, --arg and --define belong to --source; a KERNEL "
            "takes --set");
    const std::string& named = arguments.kernel.empty() ? arguments.source : arguments.kernel;
    if (!arguments.entry.empty() && !looksLikeFile(named) && arguments.source.empty())
        return fail(ErrorCode::WrongUsage, "--entry chooses a kernel of a file", "--entry");
    auto spec = kernelOf(named, arguments.entry, arguments.compile, arguments.sets);
    if (!spec)
        return std::unexpected(spec.error());
    kernels::ParameterValues values;
    for (const std::string& text : arguments.sets) {
        auto assignment = kernels::assignmentOf(text, "--set");
        if (!assignment)
            return std::unexpected(assignment.error());
        if (!values.emplace(*assignment).second)
            return fail(ErrorCode::WrongUsage, fmt::format("the parameter '{}' is given twice", assignment->first), "--set");
    }
    setBlock(*spec, arguments.block, values);
    auto plan = kernels::planFollowed(*spec, values);
    if (!plan)
        return std::unexpected(withFile(std::move(plan.error()), *spec));
    if (isShaped && spec->derived.empty())
        return fail(ErrorCode::WrongUsage, "the file's manifest gives the launch its grid and block; it takes --set", named);
    if (const auto shaped = shape(*plan, arguments); !shaped)
        return std::unexpected(shaped.error());
    return plan;
}

kernels::PredictOptions predictOptionsOf(const ExperimentArguments& arguments)
{
    kernels::PredictOptions options { .device = arguments.device, .verify = !arguments.noVerify };
    if (arguments.compiler == "nvrtc")
        options.compiler = kernels::CompilerKind::Nvrtc;
    if (arguments.compiler == "clang")
        options.compiler = kernels::CompilerKind::Clang;
    return options;
}

} // namespace coalescope::cli
