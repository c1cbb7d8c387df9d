// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/job.h"

#include "kernels/catalogue/argument_parts.h"
#include "kernels/source/program_kernels.h"
#include "test_plans.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace coalescope::kernels {
namespace {

    LaunchPlan sourcePlan()
    {
        LaunchPlan plan;
        plan.kernel = "k.cu:scale";
        plan.sourceName = "k.cu";
        plan.source = "__global__ void scale(float* a, float s) { a[threadIdx.x] *= s; } // \"quoted\"\n";
        plan.entry = "scale";
        plan.defines = { { "N", "4" } };
        plan.parameters = { { "N", "4" } }; // as planLaunch() shows the defines of a --source run
        plan.grid = { 2, 3, 4 };
        plan.block = { 32, 2, 1 };
        plan.dynamicSharedBytes = 4096;
        plan.argumentSpecs = { "f32[128]=random:7", "f32:0.5" };
        plan.arguments = { BufferPlan { "a", ElementType::F32, 128, { FillKind::Random, 7, {} } },
            ScalarPlan { "s", ElementType::F32, 0x3f000000 } };
        return plan;
    }

} // namespace

TEST(Job, holdSurvivesTheRoundTrip)
{
    EXPECT_TRUE(jobFromJson(toJson(Job { .plan = sourcePlan(), .hold = true }))->hold);
    EXPECT_FALSE(jobFromJson(toJson(Job { .plan = sourcePlan() }))->hold);
}

TEST(Job, sourceRunSurvivesTheRoundTrip)
{
    const auto job = jobFromJson(jobJson(sourcePlan(), { .warmups = 1, .runs = 33, .counters = false }));
    ASSERT_TRUE(job) << job.error().detail;
    const LaunchPlan expected = sourcePlan();
    EXPECT_EQ(job->plan.kernel, expected.kernel);
    EXPECT_EQ(job->plan.source, expected.source);
    EXPECT_EQ(job->plan.entry, expected.entry);
    EXPECT_EQ(job->plan.defines, expected.defines);
    EXPECT_EQ(job->plan.grid, expected.grid);
    EXPECT_EQ(job->plan.block, expected.block);
    EXPECT_EQ(job->plan.dynamicSharedBytes, 4096u);
    EXPECT_EQ(job->plan.argumentSpecs, expected.argumentSpecs);
    ASSERT_EQ(job->plan.arguments.size(), 2u);
    const auto& buffer = std::get<BufferPlan>(job->plan.arguments[0]);
    EXPECT_EQ(buffer.count, 128u);
    EXPECT_EQ(buffer.fill.kind, FillKind::Random);
    EXPECT_EQ(buffer.fill.seed, 7u);
    EXPECT_EQ(std::get<ScalarPlan>(job->plan.arguments[1]).bits, 0x3f000000u);
    EXPECT_EQ(job->options.runs, 33);
    EXPECT_EQ(job->options.warmups, 1);
    EXPECT_FALSE(job->options.counters);
    EXPECT_EQ(job->step, JobStep::All);
}

TEST(Job, numbersOfAFillSurviveTheRoundTripAndAreChecked)
{
    LaunchPlan plan = sourcePlan();
    plan.arguments = { BufferPlan { "a", ElementType::I32, 8, { .kind = FillKind::Random, .seed = 1, .hasBounds = true, .low = -2, .high = 9 } },
        BufferPlan { "b", ElementType::F32, 8, { .kind = FillKind::Iota, .start = 0.5, .step = -2 } } };
    std::string text = jobJson(plan, {});
    const auto job = jobFromJson(text);
    ASSERT_TRUE(job) << job.error().detail;
    const Fill &random = std::get<BufferPlan>(job->plan.arguments[0]).fill, &iota = std::get<BufferPlan>(job->plan.arguments[1]).fill;
    EXPECT_TRUE(random.hasBounds && random.low == -2 && random.high == 9);
    EXPECT_TRUE(iota.kind == FillKind::Iota && iota.start == 0.5 && iota.step == -2);
    text.replace(text.find("\"bounds\":[-2.0,9.0]"), 19, "\"bounds\":[-2.0,1e99]");
    EXPECT_FALSE(jobFromJson(text));
}

TEST(Job, aBufferThatIsAnotherSurvivesTheRoundTrip)
{
    LaunchPlan plan = sourcePlan();
    plan.arguments = { BufferPlan { .name = "a", .count = 64 }, BufferPlan { .name = "b", .count = 64, .fill = {}, .sameAs = "a" } };
    const auto job = jobFromJson(toJson(Job { .plan = plan }));
    ASSERT_TRUE(job) << job.error().detail;
    EXPECT_TRUE(std::get<BufferPlan>(job->plan.arguments.at(0)).isOwn());
    EXPECT_EQ(std::get<BufferPlan>(job->plan.arguments.at(1)).sameAs, "a");
}

TEST(Job, aStructureSurvivesTheRoundTripAndItsMembersLieInIt)
{
    LaunchPlan plan = sourcePlan();
    plan.arguments[1] = structOf("p", { ScalarPlan { "p.1", ElementType::U8, 7 }, BufferPlan { "p.2", ElementType::I64, 9, { FillKind::Iota, 0, {} } } });
    std::string text = jobJson(plan, {});
    const auto job = jobFromJson(text);
    ASSERT_TRUE(job) << job.error().detail;
    EXPECT_EQ(bytesOf(job->plan.arguments[1]), 16u);
    const auto parts = partsOf(job->plan.arguments[1]);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].scalar->bits, 7u);
    EXPECT_EQ(parts[1].offset, 8u);
    EXPECT_EQ(parts[1].buffer->count, 9u);
    EXPECT_EQ(parts[1].buffer->fill.kind, FillKind::Iota);
    text.replace(text.find("\"offset\":8"), 10, "\"offset\":9");
    EXPECT_EQ(jobFromJson(text).error().detail, "a member does not lie in its structure");
}

TEST(Job, manifestKernelIsRebuiltWithItsReference)
{
    const LaunchPlan plan = copyPlan();
    const auto job = jobFromJson(jobJson(plan, {}));
    ASSERT_TRUE(job) << job.error().detail;
    EXPECT_EQ(job->plan.kernel, "copy");
    EXPECT_EQ(job->plan.parameters, plan.parameters);
    EXPECT_EQ(job->plan.grid, plan.grid);
    ASSERT_TRUE(job->plan.reference);
    std::vector<std::int64_t> sources(3);
    ASSERT_TRUE(job->plan.reference->indices(64, sources));
    EXPECT_EQ(sources, (std::vector<std::int64_t> { 64, 65, 66 }));
}

TEST(Job, whatAnEarlierLaunchLeavesIsLeftThereToo)
{
    const auto spec = kernelOfFile("__global__ void first(int* p) { p[threadIdx.x] = 7; }\n__global__ void second(const int* p) { if (p[0]) __trap(); }\n"
                                   "int main() { int* p; cudaMalloc(&p, 128); first<<<1, 32>>>(p); second<<<1, 32>>>(p); }\n",
        "/nowhere/k.cu", "second", { .standard = "c++20", .include = {} });
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto job = jobFromJson(jobJson(*plan, {}));
    ASSERT_TRUE(job) << job.error().detail;
    const auto& left = std::get<BufferPlan>(job->plan.arguments.at(0)).left;
    ASSERT_TRUE(left);
    EXPECT_EQ(left->buffer, "p");
    EXPECT_EQ(left->launch->entry, "first");
    EXPECT_EQ(left->launch->compile.standard, "c++20");
    EXPECT_EQ(left->launch->includeDirectory, "/nowhere");
}

TEST(Job, aLaunchReadOutOfAProgramIsMadeThereAgain)
{
    const auto spec = kernelOfFile("#define TILE 8\n__global__ void k(float* p) { p[threadIdx.x] = TILE; }\n"
                                   "int main() { float* p; cudaMalloc(&p, 4 * TILE); k<<<1, TILE>>>(p); }\n",
        "/nowhere/k.cu", {}, { .standard = "c++20", .include = { "/usr/include" } });
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, { { "TILE", "16" } });
    ASSERT_TRUE(plan);
    const auto job = jobFromJson(jobJson(*plan, {}));
    ASSERT_TRUE(job) << job.error().detail;
    EXPECT_EQ(job->plan.entry, "k");
    EXPECT_EQ(job->plan.defines, plan->defines);
    EXPECT_EQ(job->plan.block.x, 16u);
    EXPECT_EQ(std::get<BufferPlan>(job->plan.arguments.at(0)).count, 16u);
    EXPECT_EQ(job->plan.compile, plan->compile);
    EXPECT_EQ(job->plan.parameters, plan->parameters);
}

TEST(Job, stepAndHoldSurviveTheRoundTrip)
{
    const auto job = jobFromJson(
        toJson(Job { .plan = sourcePlan(), .options = {}, .step = JobStep::Lines, .hold = true, .coreLineMetrics = true }));
    ASSERT_TRUE(job);
    EXPECT_EQ(job->step, JobStep::Lines);
    EXPECT_TRUE(job->hold);
    EXPECT_TRUE(job->coreLineMetrics);
}

TEST(Job, fileFillOfAnotherHostIsRefused)
{
    LaunchPlan plan = sourcePlan();
    plan.arguments[0] = BufferPlan { "a", ElementType::F32, 4, { FillKind::File, 0, "/data/a.bin" } };
    std::string text = jobJson(plan, {});
    EXPECT_TRUE(jobFromJson(text));
    const auto host = text.find("\"host\":\"");
    text.insert(host + 8, "not-");
    const auto job = jobFromJson(text);
    ASSERT_FALSE(job);
    EXPECT_EQ(job.error().code, ErrorCode::FileFailed);
    EXPECT_EQ(job.error().where, "/data/a.bin");
    EXPECT_NE(job.error().detail.find("not sent to another machine"), std::string::npos);
}

struct BadJob {
    const char* name;
    const char* text;
    const char* where;
};
class BadJobs : public testing::TestWithParam<BadJob> { };

TEST_P(BadJobs, areRefusedWithTheirPlace)
{
    const auto job = jobFromJson(GetParam().text);
    ASSERT_FALSE(job);
    EXPECT_EQ(job.error().code, ErrorCode::BadInput) << job.error().detail;
    EXPECT_EQ(job.error().where, GetParam().where);
}

INSTANTIATE_TEST_SUITE_P(, BadJobs,
    testing::Values(BadJob { "empty", "", "job" }, BadJob { "garbage", "hello", "job" },
        BadJob { "array", "[]", "job" }, BadJob { "noSource", "{}", "job" },
        BadJob { "wrongType", R"({"source":5,"entry":"f"})", "job" },
        BadJob { "unknownStep", R"({"step":"dance"})", "step" },
        BadJob { "noRuns", R"({"options":{"runs":0}})", "options" },
        BadJob { "emptyGrid",
            R"({"source":"","entry":"f","grid":[0,1,1],"block":[1,1,1],"arguments":[]})", "grid" },
        BadJob { "unknownType",
            R"({"source":"","entry":"f","grid":[1,1,1],"block":[1,1,1],"arguments":[{"buffer":"f33","count":1}]})",
            "arguments" },
        BadJob { "unknownFill",
            R"({"source":"","entry":"f","grid":[1,1,1],"block":[1,1,1],"arguments":[{"buffer":"f32","count":1,"fill":"lava"}]})",
            "arguments" }),
    [](const auto& row) { return row.param.name; });

TEST(JobMessages, surviveTheRoundTrip)
{
    const auto progress = messageFromLine(progressLine({ "time", 0.5 }));
    ASSERT_TRUE(progress && progress->progress);
    EXPECT_EQ(progress->progress->stage, "time");
    EXPECT_EQ(progress->progress->fraction, 0.5);

    const auto error = messageFromLine(errorLine({ ErrorCode::IllegalAddress, "it went \"there\"", "k.cu:3" }));
    ASSERT_TRUE(error && error->error);
    EXPECT_EQ(error->error->code, ErrorCode::IllegalAddress);
    EXPECT_EQ(error->error->detail, "it went \"there\"");
    EXPECT_EQ(error->error->where, "k.cu:3");

    const auto gpu = messageFromLine(gpuLine({ "NVIDIA H200", "580.159.04", 9, 0 }));
    ASSERT_TRUE(gpu && gpu->gpu);
    EXPECT_EQ(gpu->gpu->driver, "580.159.04");
    EXPECT_EQ(gpu->gpu->computeMajor, 9);
}

TEST(JobMessages, resultKeepsWhatAMeasurementHas)
{
    analysis::RunResult run;
    run.kind = analysis::ResultKind::Measurement;
    run.kernel = "copy";
    run.device = "h200";
    run.gpu = "NVIDIA H200";
    run.driver = "580.159.04";
    run.metrics.set(analysis::Metric::GlobalLoadSectors, 2097152);
    run.notMeasured["dram__sectors_read.sum"] = "no permission";
    run.lines = { { "copy.cu", 12, run.metrics } };
    run.time.warm = analysis::TimeSample { 41000.5, 40000, 40100, 43000, 20 };
    run.verified = false;
    run.verifyDetail = "1 of 4 elements";
    run.occupancy = analysis::Occupancy { 64, 64, 8, "threads", 16 };
    run.milliseconds["verify"] = 2.5;
    const auto message = messageFromLine(resultLine(run));
    ASSERT_TRUE(message && message->result);
    const analysis::RunResult& back = *message->result;
    EXPECT_EQ(back.kind, run.kind);
    EXPECT_EQ(back.gpu, run.gpu);
    EXPECT_EQ(back.driver, run.driver);
    EXPECT_EQ(back.metrics, run.metrics);
    EXPECT_EQ(back.notMeasured, run.notMeasured);
    ASSERT_EQ(back.lines.size(), 1u);
    EXPECT_EQ(back.lines[0].metrics, run.metrics);
    ASSERT_TRUE(back.time.warm);
    EXPECT_EQ(back.time.warm->medianNs, 41000.5);
    EXPECT_EQ(back.verified, false);
    EXPECT_EQ(back.verifyDetail, run.verifyDetail);
    ASSERT_TRUE(back.occupancy);
    EXPECT_EQ(back.occupancy->registersPerThread, 16);
    EXPECT_EQ(back.milliseconds, run.milliseconds);
}

TEST(JobMessages, otherLinesAreNoAnswer)
{
    for (const char* line : { "", "Welcome to gpu01", "42", "{}", "{\"progress\":7}", "{\"result\":{\"kernel\":3}}" })
        EXPECT_FALSE(messageFromLine(line)) << line;
}

TEST(ErrorNames, everyCodeHasItsOwnNameAndTheContractsStatus)
{
    for (int i = 0; i <= int(ErrorCode::FileFailed); ++i)
        EXPECT_EQ(errorCodeNamed(nameOf(ErrorCode(i))), ErrorCode(i));
    EXPECT_EQ(exitStatusOf(ErrorCode::NoDriver), 4);
    EXPECT_EQ(exitStatusOf(ErrorCode::NoCounterPermission), 4);
    EXPECT_EQ(exitStatusOf(ErrorCode::IllegalAddress), 5);
    EXPECT_EQ(exitStatusOf(ErrorCode::TimedOut), 5);
    EXPECT_EQ(exitStatusOf(ErrorCode::BadInput), 3);
    EXPECT_FALSE(errorCodeNamed("NoSuchThing"));
}

TEST(Job, completeJsonIsFoundAcrossLines)
{
    EXPECT_TRUE(isCompleteJson("{\n  \"a\": 1\n}\n"));
    EXPECT_FALSE(isCompleteJson("{\n  \"a\": {}\n"));
    EXPECT_FALSE(isCompleteJson("\n"));
}

} // namespace coalescope::kernels
