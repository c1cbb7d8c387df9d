// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope::kernels;

LaunchPlan planOf(std::initializer_list<const char*> specs)
{
    LaunchPlan plan;
    for (const char* spec : specs)
        plan.arguments.push_back(parseArgument(spec, "a").value());
    return plan;
}

TEST(ArgumentParts, aScalarMayDifferWhereTheBuffersAreThoseOfTheSameProblem)
{
    const LaunchPlan four = planOf({ "f32[1024]", "{f32[512],i32:4}" }), eight = planOf({ "f32[1024]=iota", "{f32[512],i32:8}" });
    EXPECT_EQ(buffersOf(four), buffersOf(eight));
    EXPECT_NE(workOf(four), workOf(eight));
    EXPECT_EQ(workOf(four), workOf(four));
    EXPECT_NE(buffersOf(four), buffersOf(planOf({ "f32[1024]", "{f32[513],i32:4}" })));
    EXPECT_NE(buffersOf(four), buffersOf(planOf({ "f64[1024]", "{f32[512],i32:4}" })));
}

} // namespace
