// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace coalescope {

/// A kernel with its manifest, of a file under tests/. Errors: std::runtime_error with what is wrong with it.
inline kernels::KernelSpec testKernel(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream(COALESCOPE_SOURCE_DIR "/tests/" + path).rdbuf();
    auto kernel = kernels::parseKernel(text.str(), path);
    if (!kernel)
        throw std::runtime_error(path + ": " + kernel.error().detail);
    return *std::move(kernel);
}

/// A kernel of tests/device/sweeps. Errors: as above.
inline kernels::KernelSpec sweptKernel(const std::string& name)
{
    return testKernel("device/sweeps/" + name + ".cu");
}

/// A launch of a kernel of tests/device/sweeps, as it was measured, and how to launch it again.
struct SweptLaunch {
    analysis::RunResult measured;
    kernels::LaunchPlan plan;
};

/// Whether its prediction takes long, up to seconds a launch: most of its blocks are executed, for what they do depends on data,
/// or one for long.
inline bool isSlowToPredict(const SweptLaunch& launch)
{
    constexpr std::array kSlow { "aes_ctr", "argmax_rows", "bilinear_zoom", "bit_reverse", "bitonic_step", "charge_deposit", "compact_flags",
        "cross_entropy", "bloom_probe", "group_by", "hmm_forward", "jpeg_dct", "kd_walk", "knn_list", "lu_pivot", "merge_small",
        "modexp_256", "topk_warp", "triangle_count", "dropout_mask", "histogram_bins", "histogram_global", "mandelbrot", "nbody_tiles",
        "riemann_flux", "rotate_image", "sgemm_registers", "sph_density", "splat_tiles", "table_bytes", "volume_project", "voxel_rays",
        "where_select" };
    return std::ranges::find(kSlow, launch.measured.kernel) != kSlow.end();
}

/// Every one that was measured on a GPU, "h200" or "h100", in that order; on the H100 four of each kernel. Errors: as above.
inline std::vector<SweptLaunch> sweptLaunches(const std::string& gpu)
{
    std::map<std::string, kernels::KernelSpec> kernels;
    std::vector<SweptLaunch> launches;
    std::ifstream file(COALESCOPE_SOURCE_DIR "/tests/device/sweeps/" + gpu + ".jsonl");
    for (std::string line; std::getline(file, line);) {
        auto measured = analysis::resultFromJson(line);
        if (!measured)
            throw std::runtime_error(measured.error().detail);
        if (!kernels.contains(measured->kernel))
            kernels.emplace(measured->kernel, sweptKernel(measured->kernel));
        auto plan = kernels::planLaunch(kernels.at(measured->kernel), measured->launch.parameters);
        if (!plan)
            throw std::runtime_error(plan.error().detail);
        launches.push_back({ *std::move(measured), *std::move(plan) });
    }
    return launches;
}

} // namespace coalescope
