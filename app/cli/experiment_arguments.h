// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/experiment/predict.h"

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}

namespace coalescope::cli {

/// What predict, measure and compare share on the command line.
struct ExperimentArguments {
    std::string kernel; ///< catalogue id, or a .cu file with a manifest
    std::vector<std::string> sets; ///< NAME=VALUE
    std::string source, entry, grid, block;
    std::uint32_t sharedBytes = 0;
    std::vector<std::string> arguments, defines;
    kernels::CompileSettings compile;
    std::string device = "h200";
    const CLI::Option* deviceOption = nullptr;
    std::string compiler = "auto"; ///< auto, nvrtc or clang
    bool json = false;
    bool noVerify = false;
    [[nodiscard]] bool deviceGiven() const;
};

/// Adds --device, which takes names in any case.
CLI::Option* addDeviceOption(CLI::App& command, std::string& device, const char* help);

void addExperimentArguments(CLI::App& command, ExperimentArguments& arguments);

/// The kernel that the arguments name: of the catalogue, or of a file, where `entry` chooses among its launches. What is guessed is told,
/// but for the values that `sets` ("n=64") give.
///
/// Errors: UnknownKernel, FileFailed, BadInput, EntryNotFound.
[[nodiscard]] Result<kernels::KernelSpec> kernelOf(
    const std::string& idOrFile, const std::string& entry = {}, const kernels::CompileSettings& compile = {},
    std::span<const std::string> sets = {});

/// Adds --std and --include.
void addCompileOptions(CLI::App& command, kernels::CompileSettings& compile);

/// "how large a is: 1024 elements".
[[nodiscard]] std::string sentenceOf(const kernels::Guess& guess);

/// A value that a user's kernel does not take is told with the file, whose manifest says what it takes.
[[nodiscard]] Error withFile(Error error, const kernels::KernelSpec& kernel);

/// Errors: WrongUsage where the arguments contradict each other, and all of planLaunch().
[[nodiscard]] Result<kernels::LaunchPlan> planOf(const ExperimentArguments& arguments);

[[nodiscard]] kernels::PredictOptions predictOptionsOf(const ExperimentArguments& arguments);

} // namespace coalescope::cli
