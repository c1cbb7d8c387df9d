// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope;
using kernels::ParameterValues;
using Texts = std::vector<std::string>;

Result<kernels::SweepRequest> requested(const Texts& over, const Texts& sets = {})
{
    return kernels::sweepRequest(**kernels::kernelNamed("transpose_shared_flat"), over, sets);
}

Texts valuesOf(const std::string& axis)
{
    const auto request = requested({ axis });
    EXPECT_TRUE(request) << axis << ": " << request.error().detail;
    return request ? request->axes.at(0).values : Texts {};
}

void expectRefused(const std::string& axis, ErrorCode code, const std::string& part)
{
    const auto request = requested({ axis });
    ASSERT_FALSE(request) << axis;
    EXPECT_EQ(request.error().code, code) << axis;
    EXPECT_NE(request.error().detail.find(part), std::string::npos) << request.error().detail;
    EXPECT_FALSE(request.error().where.empty()) << axis;
}

TEST(SweepRequest, listsAndRangesMix)
{
    EXPECT_EQ(valuesOf("pad=0,1,4:16:4"), (Texts { "0", "1", "4", "8", "12", "16" }));
    EXPECT_EQ(valuesOf("pad=2:4"), (Texts { "2", "3", "4" }));
    EXPECT_EQ(valuesOf("pad=7:7"), (Texts { "7" }));
    EXPECT_EQ(valuesOf("type=f32,i8"), (Texts { "f32", "i8" }));
    EXPECT_EQ(valuesOf("grid=tight"), (Texts { "tight" }));
}

TEST(SweepRequest, rangesMultiply)
{
    EXPECT_EQ(
        valuesOf("rows=512:16384:x2"), (Texts { "512", "1024", "2048", "4096", "8192", "16384" }));
    EXPECT_EQ(valuesOf("rows=1:100:x10"), (Texts { "1", "10", "100" }));
}

TEST(SweepRequest, aRangeStopsBeforeALastValueThatNoStepMeets)
{
    EXPECT_EQ(valuesOf("block_x=4:15:4"), (Texts { "4", "8", "12" }));
    EXPECT_EQ(valuesOf("rows=3:20:x2"), (Texts { "3", "6", "12" }));
}

TEST(SweepRequest, theLargestIntegersDoNotOverflow)
{
    EXPECT_EQ(valuesOf("rows=9223372036854775806:9223372036854775807").size(), 2u);
    EXPECT_EQ(valuesOf("rows=4611686018427387904:9223372036854775807:x2").size(), 1u);
    expectRefused("rows=9223372036854775808", ErrorCode::IllegalParameter, "no integer");
}

TEST(SweepRequest, malformedRangesAreRefusedWithTheirText)
{
    using enum ErrorCode;
    expectRefused("rows=many", IllegalParameter, "'many' is no integer");
    expectRefused("rows=1:2:3:4", IllegalParameter, "'1:2:3:4' is no range");
    expectRefused("rows=1:", IllegalParameter, "'1:' is not finished");
    expectRefused("rows=8:4", IllegalParameter, "ends before it begins");
    expectRefused("rows=1:4:", IllegalParameter, "is not finished");
    expectRefused("rows=4:", IllegalParameter, "is not finished");
    expectRefused("rows=1:4:x", IllegalParameter, "'x' is no step");
    expectRefused("rows=1:4:0", IllegalParameter, "leads nowhere");
    expectRefused("rows=1:4:-1", IllegalParameter, "leads nowhere");
    expectRefused("rows=1:4:x1", IllegalParameter, "leads nowhere");
    expectRefused("rows=0:4:x2", IllegalParameter, "leads nowhere");
    expectRefused("type=f33", IllegalParameter, "'f33' is none of f32");
    expectRefused("type=1:3", IllegalParameter, "'1:3' is none of");
}

TEST(SweepRequest, namesAndRepetitionsAreChecked)
{
    using enum ErrorCode;
    expectRefused("rowss=1", WrongUsage, "no parameter 'rowss'; it has rows");
    expectRefused("rows", WrongUsage, "NAME=VALUE");
    expectRefused("rows=", WrongUsage, "lists no values");
    for (const auto& [text, values] : { std::pair("pad=1,0:3", std::vector<std::string> { "1", "0", "2", "3" }), std::pair("pad=1,01", std::vector<std::string> { "1" }) }) {
        const auto request = requested({ text });
        ASSERT_TRUE(request) << request.error().detail;
        EXPECT_EQ(request->axes[0].values, values) << "what is listed again is the same launch";
    }
    EXPECT_FALSE(requested({ "pad=1", "pad=2" }));
    EXPECT_FALSE(requested({ "pad=1" }, { "pad=2" }));
    EXPECT_FALSE(requested({ "pad=1" }, { "rows=32", "rows=64" }));
    EXPECT_FALSE(requested({ "pad=1" }, { "rows=32,64" }));
}

TEST(SweepRequest, sizeIsLimitedBeforeMemoryIs)
{
    expectRefused("rows=1:9000000000000000000", ErrorCode::WrongUsage, "100,000");
    const auto product = requested({ "rows=1:1000", "cols=1:101" });
    ASSERT_FALSE(product);
    EXPECT_NE(product.error().detail.find("100,000"), std::string::npos);
    EXPECT_TRUE(requested({ "rows=1:1000", "cols=1:100" }));
}

TEST(SweepRequest, theLastAxisIsFastestAndFixedValuesAreInEachLaunch)
{
    const auto request = requested({ "block_x=8,16", "pad=0:1" }, { "rows=64" });
    ASSERT_TRUE(request);
    const auto launches = kernels::combinations(*request);
    const auto launch = [](const char* x, const char* pad) {
        return ParameterValues { { "block_x", x }, { "pad", pad }, { "rows", "64" } };
    };
    EXPECT_EQ(launches,
        (std::vector { launch("8", "0"), launch("8", "1"), launch("16", "0"), launch("16", "1") }));
}

TEST(SweepRequest, realNumbersAreListedAndStepAsTheirTextTells)
{
    const auto kernel = kernels::parseKernel("/* --- coalescope\nid = 'k'\ntitle = 'T'\nentry = 'k'\n[[parameters]]\nname = 'keep'\nreal = true\ndefault = 0.5\n"
                                             "[[arguments]]\nscalar = 'keep'\ntype = 'f32'\n[launch]\ngrid = [1]\nblock = [32]\n--- */\n__global__ void k(float keep) {}\n",
        "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail;
    const auto valuesOf = [&](const std::string& axis) {
        const auto request = kernels::sweepRequest(*kernel, { axis }, {});
        EXPECT_TRUE(request) << axis << ": " << request.error().detail;
        return request ? request->axes.at(0).values : Texts {};
    };
    EXPECT_EQ(valuesOf("keep=0,0.50,.5,1e-3"), (Texts { "0", "0.5", "0.001" }));
    EXPECT_EQ(valuesOf("keep=0.1:0.4:0.1"), (Texts { "0.1", "0.2", "0.3", "0.4" }));
    EXPECT_EQ(valuesOf("keep=-1:1"), (Texts { "-1", "0", "1" }));
    EXPECT_EQ(valuesOf("keep=0.001:1:x10"), (Texts { "0.001", "0.01", "0.1", "1" }));
    for (const char* wrong : { "keep=much", "keep=nan", "keep=1:0", "keep=0:1:0", "keep=0:1:x2", "keep=1:2:x1", "keep=1::2", "keep=1:2:3:4", "keep=0:1:1e-9" })
        EXPECT_FALSE(kernels::sweepRequest(*kernel, { wrong }, {})) << wrong;
}

} // namespace
