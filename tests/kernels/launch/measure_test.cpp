// SPDX-License-Identifier: Apache-2.0
// Whole measurements with the steps in their own processes, on no GPU and on fake ones.
#include "kernels/launch/measure.h"

#include "kernels/compile/compiler.h"
#include "kernels/launch/child_process.h"
#include "kernels/launch/job.h"
#include "kernels/launch/orchestrate.h"
#include "test_plans.h"
#include "tests/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include <dlfcn.h>
#include <unistd.h>

namespace coalescope::kernels {
namespace {

    const MeasureOptions kTimesOnly { .counters = false, .lines = false, .kernelTimeLimitSeconds = 0.2 };

    bool canCompile()
    {
        return compileToCubin(copyPlan(), {}).has_value();
    }

    Result<analysis::RunResult> measureOn(const char* gpu, const MeasureOptions& options = kTimesOnly)
    {
        const Environment scenario("COALESCOPE_FAKE_GPU", gpu);
        return measure(copyPlan(), options);
    }

#define NEEDS_CUBIN()                                                                              \
    if (!canCompile())                                                                             \
    GTEST_SKIP() << "NVRTC is missing: no cubin can be made"

} // namespace

TEST(Measure, withoutDriverSaysSoInOneSentence)
{
    if (void* driver = dlopen("libcuda.so.1", RTLD_NOW))
        GTEST_SKIP() << "this machine has a driver" << driver;
    const auto result = measure(copyPlan(), {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NoDriver);
    EXPECT_EQ(exitStatusOf(result.error().code), 4);
    EXPECT_EQ(result.error().detail.find('\n'), std::string::npos);
    EXPECT_NE(result.error().detail.find("no NVIDIA driver"), std::string::npos);
    const auto gpu = localGpu();
    ASSERT_FALSE(gpu);
    EXPECT_EQ(gpu.error().code, ErrorCode::NoDriver);
}

TEST(Measure, servedJobExitsWithTheErrorsStatus)
{
    const Environment scenario("COALESCOPE_FAKE_GPU", "no-device");
    auto child = ChildProcess::start({ "/proc/self/exe", "measure", "--job", "-" }, ChildProcess::ErrorOutput::Keep);
    ASSERT_TRUE(child);
    (*child)->send(jobJson(copyPlan(), kTimesOnly) + '\n');
    std::optional<Error> error;
    while ((*child)->poll(1000))
        while (const auto line = (*child)->nextLine())
            if (auto message = messageFromLine(*line); message && message->error)
                error = message->error;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::NoDevice);
    EXPECT_EQ((*child)->finish(2000).status, 4);
}

TEST(Measure, badJobExitsWithThree)
{
    auto child = ChildProcess::start({ "/proc/self/exe", "measure", "--job", "-" }, ChildProcess::ErrorOutput::Keep);
    ASSERT_TRUE(child);
    (*child)->send("no json");
    (*child)->closeInput();
    while ((*child)->poll(1000)) { }
    EXPECT_EQ((*child)->finish(2000).status, 3);
}

TEST(Measure, goodLaunchIsVerifiedAndTimed)
{
    NEEDS_CUBIN();
    const auto result = measureOn("good");
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->kind, analysis::ResultKind::Measurement);
    EXPECT_EQ(result->gpu, "NVIDIA H200");
    EXPECT_EQ(result->verified, true) << result->verifyDetail;
    ASSERT_TRUE(result->time.warm && result->time.cold);
    EXPECT_EQ(result->time.warm->runs, 20);
    EXPECT_NEAR(result->time.warm->medianNs, 2000, 200);
    ASSERT_TRUE(result->occupancy);
    EXPECT_EQ(result->occupancy->registersPerThread, 16);
    EXPECT_EQ(result->launch.parameters.at("rows"), "33");
    EXPECT_EQ(result->date.size(), std::string("2026-01-01T00:00:00Z").size());
    for (const auto& info : analysis::metricTable())
        EXPECT_TRUE(result->notMeasured.contains(std::string(info.key))) << info.key;
}

TEST(Measure, wrongOutputIsToldWithTheFirstElement)
{
    NEEDS_CUBIN();
    const auto result = measureOn("wrong-output");
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->verified, false);
    EXPECT_NE(result->verifyDetail.find("1 of 2145 elements of 'out' are wrong"), std::string::npos)
        << result->verifyDetail;
    EXPECT_NE(result->verifyDetail.find("element 2144"), std::string::npos) << result->verifyDetail;
}

TEST(Measure, blocksThatWaitForEachOtherAreLaunchedCooperatively)
{
    NEEDS_CUBIN();
    const Environment scenario("COALESCOPE_FAKE_GPU", "cooperative");
    LaunchPlan plan = copyPlan();
    const auto alone = measure(plan, kTimesOnly);
    EXPECT_TRUE(alone) << alone.error().detail;
    plan.source.insert(plan.source.rfind('{') + 1, " cooperative_groups::this_grid().sync(); ");
    plan.source.insert(plan.source.find("*/") + 2, "\n#include <cooperative_groups.h>\n");
    const auto together = measure(plan, kTimesOnly);
    ASSERT_TRUE(together) << together.error().detail << plan.source;
    const Environment without("COALESCOPE_FAKE_GPU", "good");
    const auto refused = measure(plan, kTimesOnly);
    ASSERT_FALSE(refused) << "a GPU that cannot";
    EXPECT_NE(refused.error().detail.find("must all be resident"), std::string::npos) << refused.error().detail;
}

TEST(Measure, aTableThatLaunchesInsertIntoIsEmptyBeforeEach)
{
    NEEDS_CUBIN();
    const auto planOf = [](const char* source) {
        LaunchPlan plan { .kernel = "k", .sourceName = "k.cu", .source = source, .entry = "k", .grid = { 1 }, .block = { 32 } };
        plan.arguments = { BufferPlan { "keys", ElementType::U64, 32, {} }, BufferPlan { "table", ElementType::I64, 32, { .kind = FillKind::Iota, .start = -1, .step = 0 } } };
        plan.argumentSpecs = { "u64[32]", "i64[32]=iota:-1:0" };
        return plan;
    };
    const Environment scenario("COALESCOPE_FAKE_GPU", "inserts");
    const auto filled = measure(planOf("__global__ void k(unsigned long long*, unsigned long long* table) { atomicCAS(table, ~0ull, 1ull); }"), kTimesOnly);
    EXPECT_TRUE(filled) << filled.error().detail;
    const auto full = measure(planOf("__global__ void k(unsigned long long*, unsigned long long* table) { table[0] = 1; }"), kTimesOnly);
    ASSERT_FALSE(full) << "only compare-and-swap inserts";
    EXPECT_NE(full.error().detail.find("did not end"), std::string::npos) << full.error().detail;
}

TEST(Measure, variablesOfTheModuleHoldWhatThePlanSaysBeforeEachLaunch)
{
    NEEDS_CUBIN();
    const auto planOf = [](const std::string& variable) {
        const auto kernel = parseKernel("/* --- coalescope\nid = 'k'\ntitle = 'k'\nsummary = 's'\nentry = 'k'\n[[arguments]]\nbuffer = 'in'\ntype = 'i32'\ncount = 32\n[[arguments]]\nbuffer = 'out'\ntype = 'i32'\ncount = 32\n"
                + variable + "[launch]\ngrid = [1]\nblock = [32]\n--- */\n__device__ unsigned tail[64]; __global__ void k(int*, int* p) { p[tail[0]++] = 1; }\n", "k.cu");
        EXPECT_TRUE(kernel) << kernel.error().detail;
        return planLaunch(*kernel, {}).value();
    };
    const Environment scenario("COALESCOPE_FAKE_GPU", "counts");
    const auto filled = measure(planOf("[[variables]]\nbuffer = 'tail'\ntype = 'u32'\ncount = 64\nfill = 'iota:7:0'\n"), kTimesOnly);
    EXPECT_TRUE(filled) << filled.error().detail;
    const auto zero = measure(planOf(""), kTimesOnly);
    EXPECT_FALSE(zero) << "it begins at nothing";
}

TEST(Measure, countersThatFailLeaveTimesAndReasons)
{
    NEEDS_CUBIN();
    // CUPTI, where it is installed, finds no real driver behind the fake one.
    const auto result = measureOn("good", { .kernelTimeLimitSeconds = 0.2 });
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_TRUE(result->time.warm);
    EXPECT_EQ(result->verified, true);
    for (const auto& info : analysis::metricTable()) {
        const auto why = result->notMeasured.find(std::string(info.key));
        ASSERT_NE(why, result->notMeasured.end()) << info.key;
        EXPECT_FALSE(why->second.empty());
    }
}

struct Failure {
    const char* gpu;
    ErrorCode code;
    const char* said;
};
class MeasureFailures : public testing::TestWithParam<Failure> { };

TEST_P(MeasureFailures, areToldApart)
{
    NEEDS_CUBIN();
    const auto result = measureOn(GetParam().gpu);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, GetParam().code) << result.error().detail;
    EXPECT_NE(result.error().detail.find(GetParam().said), std::string::npos) << result.error().detail;
}

INSTANTIATE_TEST_SUITE_P(, MeasureFailures,
    testing::Values(Failure { "no-device", ErrorCode::NoDevice, "sees no GPU" },
        Failure { "out-of-memory", ErrorCode::OutOfMemory, "8580 bytes for buffer 'in'" },
        Failure { "illegal-address", ErrorCode::IllegalAddress, "illegal address" },
        Failure { "endless", ErrorCode::TimedOut, "within 0.2 seconds" },
        Failure { "crash", ErrorCode::LaunchFailed, "signal SIGSEGV" },
        Failure { "small-blocks", ErrorCode::IllegalLaunch, "block x is 32, and this GPU allows 1 to 16" }),
    [](const auto& row) {
        std::string name = row.param.gpu;
        std::ranges::replace(name, '-', '_');
        return name;
    });

TEST(Measure, cancelledMeasurementEnds)
{
    NEEDS_CUBIN();
    const Environment scenario("COALESCOPE_FAKE_GPU", "endless");
    const auto begin = std::chrono::steady_clock::now();
    const Job job { .plan = copyPlan(), .options = { .kernelTimeLimitSeconds = 600 } };
    const auto result = measureJob(job, {}, [&] { return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(100); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

namespace {

    /// `measure --job -` with a job that waits for its turn.
    class HeldMeasurement {
    public:
        HeldMeasurement()
        {
            auto child
                = ChildProcess::start({ "/proc/self/exe", "measure", "--job", "-" }, ChildProcess::ErrorOutput::Keep);
            m_child = *std::move(child);
            m_child->send(toJson(Job { .plan = copyPlan(), .options = kTimesOnly, .hold = true }) + '\n');
        }
        ChildProcess& child() { return *m_child; }
        /// Reads for a while; true once there is an answer.
        bool answers(std::chrono::milliseconds patience)
        {
            const auto until = std::chrono::steady_clock::now() + patience;
            while (!m_answer && std::chrono::steady_clock::now() < until && m_child->poll(20))
                while (const auto line = m_child->nextLine())
                    if (auto message = messageFromLine(*line)) {
                        if (message->progress)
                            m_stages.push_back(message->progress->stage);
                        else
                            m_answer = *std::move(message);
                    }
            return m_answer.has_value();
        }
        const std::vector<std::string>& stages() const { return m_stages; }
        const JobMessage& answer() const { return *m_answer; }

    private:
        std::unique_ptr<ChildProcess> m_child;
        std::vector<std::string> m_stages;
        std::optional<JobMessage> m_answer;
    };

    constexpr std::chrono::milliseconds kALittle { 400 };
    constexpr std::chrono::seconds kLong { 60 };

} // namespace

TEST(HeldMeasurement, waitsForItsTurnAndIsThenLikeAnyOther)
{
    NEEDS_CUBIN();
    const Environment scenario("COALESCOPE_FAKE_GPU", "good");
    HeldMeasurement held;
    EXPECT_FALSE(held.answers(kALittle));
    EXPECT_EQ(std::ranges::count(held.stages(), "verify"), 0) << "nothing that needs the GPU";
    held.child().send("go\n");
    held.child().closeInput();
    ASSERT_TRUE(held.answers(kLong));
    ASSERT_TRUE(held.answer().result);
    EXPECT_EQ(held.answer().result->verified, true);
    EXPECT_EQ(held.stages(), (std::vector<std::string> { "compile", "compile", "verify", "time", "timed", "done" }));
}

TEST(HeldMeasurement, mayBeLetGoBeforeItIsReady)
{
    NEEDS_CUBIN();
    const Environment scenario("COALESCOPE_FAKE_GPU", "good");
    HeldMeasurement held;
    held.child().send("go\n");
    held.child().closeInput();
    ASSERT_TRUE(held.answers(kLong));
    EXPECT_TRUE(held.answer().result);
}

TEST(HeldMeasurement, tellsAtItsTurnWhatItMetWhileItWaited)
{
    const Environment scenario("COALESCOPE_FAKE_GPU", "no-device");
    HeldMeasurement held;
    EXPECT_FALSE(held.answers(kALittle));
    held.child().send("go\n");
    ASSERT_TRUE(held.answers(kLong));
    ASSERT_TRUE(held.answer().error);
    EXPECT_EQ(held.answer().error->code, ErrorCode::NoDevice);
}

TEST(HeldMeasurement, endsWhereItsTurnNeverComes)
{
    const Environment scenario("COALESCOPE_FAKE_GPU", "good");
    HeldMeasurement left;
    EXPECT_FALSE(left.answers(kALittle));
    left.child().closeInput();
    ASSERT_TRUE(left.answers(kLong));
    ASSERT_TRUE(left.answer().error);
    EXPECT_EQ(left.answer().error->code, ErrorCode::Cancelled);
    HeldMeasurement killed;
    EXPECT_FALSE(killed.answers(kALittle));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(killed.child().kill().signal, 0) << "it ends by itself, with what it started";
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(Measure, joinedResultHasAValueOrAReasonForEveryKey)
{
    using analysis::Metric;
    analysis::RunResult run, counted, lines;
    counted.metrics.set(Metric::GlobalLoadSectors, 5);
    counted.notMeasured["dram__sectors_read.sum"] = "no such metric";
    lines.metrics.set(Metric::GlobalSassSectors, 7);
    lines.metrics.set(Metric::GlobalLoadSectors, 6);
    lines.lines = { { "k.cu", 3, lines.metrics } };
    joinCounts(run, counted, lines);
    EXPECT_EQ(run.metrics.get(Metric::GlobalLoadSectors), 5) << "the profiler's own value stands";
    EXPECT_EQ(run.metrics.get(Metric::GlobalSassSectors), 7);
    EXPECT_EQ(run.notMeasured.at("dram__sectors_read.sum"), "no such metric");
    EXPECT_EQ(run.lines.size(), 1u);
    for (const auto& info : analysis::metricTable())
        EXPECT_NE(run.metrics.get(info.metric).has_value(), run.notMeasured.contains(std::string(info.key)))
            << info.key;
}

} // namespace coalescope::kernels
