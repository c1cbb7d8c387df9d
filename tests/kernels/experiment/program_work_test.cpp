// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/program_work.h"

#include "kernels/compile/nvrtc.h"
#include "kernels/experiment/predict.h"
#include "kernels/experiment/traffic.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace coalescope;

struct Works {
    analysis::ProgramWork program;
    analysis::MachineWork machine;
    double warps = 0; ///< of the grid
};

Works worksOf(const std::string& kernel)
{
    const auto plan = kernels::planLaunch(sweptKernel(kernel), {});
    EXPECT_TRUE(plan);
    const auto prediction = kernels::predict(*plan, { .verify = false });
    if (!prediction) {
        ADD_FAILURE() << kernel << ": " << prediction.error().detail;
        return {};
    }
    const auto totals = analysis::gridTotals(*prediction->program, prediction->launch);
    EXPECT_TRUE(totals);
    const analysis::Traffic traffic = kernels::trafficOf(**analysis::deviceNamed("h200"), *prediction, *totals);
    return { kernels::programWork(*prediction->program, totals->instructions), traffic.machine, traffic.warps * traffic.wholeBlocks };
}

// What the machine code of the same kernels has; kernels of divisions, roots, doubles and functions among them.
TEST(ProgramWork, isNearWhatTheMachineCodeIssues)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "no NVRTC";
    int kernelsSeen = 0;
    double off = 0;
    for (const char* kernel : { "option_prices", "riemann_flux", "points_rotate", "horner", "lorenz_rk", "hsv_pixels", "binomial_tree",
             "field_power", "kmeans_assign", "nbody_tiles", "layernorm_rows", "stencil_five", "median_bytes" }) {
        const Works works = worksOf(kernel);
        ASSERT_TRUE(works.machine.known()) << kernel;
        const double machine = (works.machine.loadInstructions + works.machine.storeInstructions) * works.warps;
        EXPECT_GT(works.program.instructions, 0.6 * machine) << kernel;
        EXPECT_LT(works.program.instructions, 1.6 * machine) << kernel;
        EXPECT_NEAR(works.program.specials / machine, works.machine.specials * works.warps / machine, 0.08) << kernel << ": divisions by one number share its reciprocal";
        EXPECT_NEAR(works.program.doubles / machine, works.machine.doubles * works.warps / machine, 0.2) << kernel;
        off += std::abs(works.program.instructions / machine - 1);
        ++kernelsSeen;
    }
    EXPECT_LT(off / kernelsSeen, 0.25);
}

} // namespace
