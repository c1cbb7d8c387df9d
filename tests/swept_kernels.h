// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace coalescope {

/// A launch of a kernel of tests/device/sweeps, as it was measured, and how to launch it again.
struct SweptLaunch {
    analysis::RunResult measured;
    kernels::LaunchPlan plan;
};

/// Whether its prediction executes most of its blocks: seconds a launch.
inline bool isSlowToPredict(const SweptLaunch& launch)
{
    const std::string& kernel = launch.measured.kernel;
    return kernel == "histogram_bins" || kernel == "histogram_global" || kernel == "nbody_tiles";
}

/// Errors: std::runtime_error with what is wrong with the files.
inline std::vector<SweptLaunch> sweptLaunches()
{
    const std::filesystem::path folder = COALESCOPE_SOURCE_DIR "/tests/device/sweeps";
    std::map<std::string, kernels::KernelSpec> kernels;
    std::vector<SweptLaunch> launches;
    std::ifstream file(folder / "h200.jsonl");
    for (std::string line; std::getline(file, line);) {
        auto measured = analysis::resultFromJson(line);
        if (!measured)
            throw std::runtime_error(measured.error().detail);
        const auto [known, isNew] = kernels.try_emplace(measured->kernel);
        if (isNew) {
            std::ostringstream text;
            text << std::ifstream(folder / (measured->kernel + ".cu")).rdbuf();
            auto kernel = kernels::parseKernel(text.str(), measured->kernel + ".cu");
            if (!kernel)
                throw std::runtime_error(kernel.error().detail);
            known->second = *std::move(kernel);
        }
        auto plan = kernels::planLaunch(known->second, measured->launch.parameters);
        if (!plan)
            throw std::runtime_error(plan.error().detail);
        launches.push_back({ *std::move(measured), *std::move(plan) });
    }
    return launches;
}

} // namespace coalescope
