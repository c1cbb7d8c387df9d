// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/machine_path.h"

#include "kernels/compile/nvrtc.h"
#include "kernels/experiment/predict.h"
#include "kernels/experiment/traffic.h"

#include "source_kernel.h"
#include "tests/counted_launches.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <random>

namespace {

using namespace coalescope;

Result<kernels::LaunchPlan> planOf(const std::string& launch)
{
    const auto [name, settings] = settingsOf(launch);
    const auto spec = kernels::kernelNamed(name);
    if (!spec && settings.empty())
        return kernels::planLaunch(readSourceKernel(name).request);
    return kernels::planLaunch(spec ? **spec : sweptKernel(name), settings);
}

class MachinePath : public testing::Test {
protected:
    void SetUp() override
    {
        if (!kernels::Nvrtc::instance())
            GTEST_SKIP() << "NVRTC is not installed here";
    }
    static std::optional<kernels::Prediction> predicted(const std::string& launch)
    {
        auto plan = planOf(launch);
        EXPECT_TRUE(plan) << launch;
        auto prediction = kernels::predict(*plan, { .verify = false });
        return prediction ? std::optional(*std::move(prediction)) : std::nullopt;
    }
    static analysis::Traffic trafficOf(const kernels::Prediction& prediction)
    {
        const auto totals = analysis::gridTotals(*prediction.program, prediction.launch);
        EXPECT_TRUE(totals);
        return kernels::trafficOf(**analysis::deviceNamed("h200"), prediction, *totals);
    }
    /// Of the whole grid; 0 where the machine code was not followed.
    static double instructionsOf(const kernels::Prediction& prediction)
    {
        const analysis::Traffic traffic = trafficOf(prediction);
        const double warps
            = std::ceil(double(prediction.launch.block.count()) / analysis::kWarpLanes);
        return (traffic.machine.loadInstructions + traffic.machine.storeInstructions) * warps
            * traffic.wholeBlocks;
    }
    static analysis::MachineWork workOf(
        const kernels::Prediction& prediction, std::string_view code)
    {
        const auto trace = analysis::traceAddresses(
            *prediction.program, prediction.launch, analysis::Dim3 { 0, 0, 0 });
        EXPECT_TRUE(trace);
        return kernels::machinePath(code, 9, trace->warps[0], { trace->turns[0] }, 0).value_or(kernels::MachinePath {}).work;
    }
};

TEST_F(MachinePath, aWaitForAPhaseOfAnMbarrierIsPassedOnce)
{
    for (const std::string launch : { "bulk_ring", "bulk_shift", "pipe_stages", "warp_roles" }) {
        const auto plan = kernels::planLaunch(sweptKernel(launch), {});
        ASSERT_TRUE(plan) << launch;
        const auto prediction = kernels::predict(*plan, { .verify = false });
        if (!prediction)
            continue; // the toolkit's headers are not installed here
        EXPECT_TRUE(trafficOf(*prediction).machineFits) << launch;
    }
}

// h200_instructions.csv: what an H200 counted.
TEST_F(MachinePath, executesWhatTheHardwareCounted)
{
    int ofCatalogue = 0, ofOthers = 0, followed = 0, exact = 0;
    for (const auto& [launch, values] : countedLaunches("kernels/experiment/h200_instructions.csv")) {
        const double counted = values.front();
        const bool isOfCatalogue = launch.find(' ') != std::string::npos;
        const auto prediction = predicted(launch);
        if (!prediction)
            continue; // the toolkit's headers are not installed here
        const double instructions = instructionsOf(*prediction);
        if (isOfCatalogue) {
            EXPECT_NEAR(instructions, counted, 0.005 * counted) << launch;
            ++ofCatalogue;
        } else {
            followed += instructions > 0;
            exact += instructions == counted;
            ++ofOthers;
        }
    }
    RecordProperty("followed", followed);
    RecordProperty("exact", exact);
    EXPECT_EQ(ofCatalogue, 21);
    EXPECT_GT(followed, 0.8 * ofOthers);
    EXPECT_GT(exact, 0.6 * followed)
        << "the others' warps take different paths, or their loops are not told apart";
}

// h200_pipes.csv: what an H200 counted.
TEST_F(MachinePath, tellsWhichPipesAreKept)
{
    int launches = 0, exact = 0, ofAll = 0;
    for (const auto& [launch, values] : countedLaunches("kernels/experiment/h200_pipes.csv")) {
        const auto prediction = predicted(launch);
        ASSERT_TRUE(prediction) << launch;
        const analysis::MachineWork work = trafficOf(*prediction).machine;
        ASSERT_TRUE(work.known()) << launch;
        const double instructions = work.loadInstructions + work.storeInstructions, counted = values.at(0);
        EXPECT_NEAR(work.integers / instructions, values.at(1) / counted, 0.05) << launch << " alu";
        exact += std::abs(work.integers / instructions - values.at(1) / counted) < 0.002;
        EXPECT_NEAR(work.specials / instructions, values.at(2) / counted, 0.02) << launch << " xu";
        EXPECT_NEAR(work.doubles / instructions, values.at(3) / counted, 0.02) << launch << " fp64";
        ofAll += std::abs(instructionsOf(*prediction) / counted - 1) < 0.002;
        ++launches;
    }
    EXPECT_EQ(launches, 41);
    EXPECT_GE(exact, 26) << "the others' warps take different paths";
    EXPECT_GE(ofAll, 30);
}

TEST_F(MachinePath, conditionsKeepNoMoreThanSixLoadsAWait)
{
    // 32 rows a thread, each behind its own condition: a predicate for each load, of which there
    // are seven.
    const auto prediction
        = predicted("transpose_shared_multi tile=64 rows_per_block=2 rows=2048 cols=2048");
    ASSERT_TRUE(prediction);
    const analysis::MachineWork work = trafficOf(*prediction).machine;
    EXPECT_GE(work.loadWaits, 5);
    EXPECT_LE(work.loadWaits, 7);
    EXPECT_EQ(work.sharedWaits, 32) << "a row is stored before the next one is read";
}

TEST_F(MachinePath, whatRemainsOfAnUnrolledLoopIsLeftOutWhereNothingRemains)
{
    // Four rows a turn; a loop for the one to three that remain stands before it.
    for (const auto& [chunk, waits] : { std::pair("16", 4), std::pair("256", 64) }) {
        const auto prediction = predicted(std::string("column_chunks chunk=") + chunk);
        ASSERT_TRUE(prediction);
        EXPECT_EQ(trafficOf(*prediction).machine.loadWaits, waits) << chunk;
    }
}

TEST_F(MachinePath, loopsInLoopsAndPredicatedOnesAreFollowed)
{
    // Tiles with a halo: two rounds of rows with two of columns.
    const auto jacobi = predicted("jacobi_tiles n=1024");
    ASSERT_TRUE(jacobi);
    EXPECT_EQ(trafficOf(*jacobi).machine.loadWaits, 4);
    // Four predicated loads at a time, then one: a single one is made by the second loop alone.
    const auto one = predicted("reduce_atomic n=1048576 per=1"), four = predicted("reduce_atomic n=1048576 per=4");
    ASSERT_TRUE(one && four);
    EXPECT_EQ(trafficOf(*one).machine.loadWaits, 1);
    EXPECT_LT(trafficOf(*one).machine.loadInstructions, trafficOf(*four).machine.loadInstructions);
    for (const char* launch : { "rms_rows rows=1024", "nbody_tiles n=1024", "columns_times chunk=64", "argmax_rows rows=132" }) {
        const auto prediction = predicted(launch);
        ASSERT_TRUE(prediction) << launch;
        EXPECT_TRUE(trafficOf(*prediction).machine.known()) << launch;
    }
}

TEST_F(MachinePath, loopsOneAfterTheOtherAreToldApart)
{
    // Two loops fill tiles in the same way, four elements a turn, behind the rests that neither has.
    const auto sgemm = predicted("sgemm_registers n=256 tile=64 depth=8");
    ASSERT_TRUE(sgemm);
    const analysis::MachineWork work = trafficOf(*sgemm).machine;
    EXPECT_EQ(work.loadWaits, 256 / 8 * 2 * 2) << "two turns of each, 32 times";
    // What a warp stores and loads again follows in a loop of its own, backwards.
    const auto tridiagonal = predicted("tridiagonal systems=4096 steps=16");
    ASSERT_TRUE(tridiagonal);
    EXPECT_EQ(trafficOf(*tridiagonal).machine.loadWaits, 2 * 16 + 15);
}

TEST_F(MachinePath, branchesWhoseReasonShowsLaterAreDecidedOtherwise)
{
    // 340 elements of a tile by 256 threads: one, and for some warps another, by the rest of a loop of four.
    const auto prediction = predicted("conv_channels n=128 channels=16");
    ASSERT_TRUE(prediction);
    EXPECT_EQ(trafficOf(*prediction).machine.loadWaits, 16 * 3) << "two of the tile, one of the weights";
}

TEST_F(MachinePath, accessesStayBetweenTheirBarriersButForLoadsOfGlobalMemory)
{
    // h200_instructions.csv: counted on an H100.
    for (const auto& [launch, counted] : std::map<std::string, double> { { "nbody_unrolled", 2385024 }, { "plane_queue", 672768 }, { "sgemm_column", 115520 } }) {
        const auto prediction = predicted(launch);
        ASSERT_TRUE(prediction);
        EXPECT_NEAR(instructionsOf(*prediction), counted, 0.05 * counted) << launch;
    }
}

TEST_F(MachinePath, anAtomicOfSharedMemoryThatIsALoopTurnsOnce)
{
    const auto sums = predicted("shared_float_sums");
    ASSERT_TRUE(sums);
    EXPECT_NEAR(instructionsOf(*sums), 324179, 0.25 * 324179) << "counted on an H100, which issues a fifth more than the path has";
    EXPECT_TRUE(trafficOf(*sums).machineFits);
}

TEST_F(MachinePath, asynchronousCopiesAreFollowed)
{
    const auto prediction = predicted("pipeline_copy");
    ASSERT_TRUE(prediction);
    const analysis::Traffic traffic = trafficOf(*prediction);
    EXPECT_TRUE(traffic.machineFits);
    EXPECT_EQ(traffic.machine.loadWaits, 1) << "for the copy";
}

TEST_F(MachinePath, loopsWithoutAccessesTurnAsOftenAsThoseOfThePtx)
{
    const auto reduce = predicted("reduce_shuffle");
    ASSERT_TRUE(reduce);
    EXPECT_NEAR(instructionsOf(*reduce), 18419, 0.05 * 18419); // counted: h200_instructions.csv
    const auto few = predicted("field_power squarings=1"), many = predicted("field_power squarings=9");
    ASSERT_TRUE(few && many);
    EXPECT_GT(instructionsOf(*many), 4 * instructionsOf(*few));
}

TEST_F(MachinePath, loopsOfDivisionsAndTheirSlowCasesTurnAsOftenAsThoseOfThePtx)
{
    for (const char* body : { "x = 0.5f * (x + a / x);", "x += sinf(x * i);" }) {
        const std::string source = std::string("__global__ void turns(float* o, int n)\n{ float a = threadIdx.x + 1.0f, x = a;\n"
                                               "for (int i = 0; i < n; ++i) ") + body + "\no[blockIdx.x * blockDim.x + threadIdx.x] = x; }\n";
        std::array<double, 2> issuedNs {};
        for (std::size_t i = 0; i < issuedNs.size(); ++i) {
            const std::string file = testing::TempDir() + "/turns.cu";
            std::ofstream(file) << source;
            const auto plan = kernels::planLaunch(kernels::SourceRequest { .file = file, .entry = "turns", .grid = { 132 }, .block = { 64 },
                .arguments = { "f32[8448]", i == 0 ? "i32:20" : "i32:200" }, .defines = {} });
            ASSERT_TRUE(plan) << plan.error().detail;
            const auto prediction = kernels::predict(*plan, { .verify = false });
            ASSERT_TRUE(prediction) << prediction.error().detail;
            for (const analysis::TimeTerm& term : prediction->result.time.terms)
                issuedNs[i] += term.name == "issue" ? term.ns : 0;
        }
        EXPECT_NEAR(issuedNs[1] / issuedNs[0], 10, 2.5) << body;
    }
}

TEST_F(MachinePath, warpsThatTurnUnlikeEachOtherAreNotToldFromOne)
{
    const auto prediction = predicted("mandelbrot n=64");
    ASSERT_TRUE(prediction);
    EXPECT_EQ(instructionsOf(*prediction), 0);
}

TEST_F(MachinePath, everyGenerationsCodeIsFollowed)
{
    const auto plan = planOf("transpose_one_warp rows=512 cols=512"); // loops, unrolled and not
    ASSERT_TRUE(plan);
    const auto prediction = kernels::predict(*plan, { .verify = false });
    ASSERT_TRUE(prediction);
    const auto trace = analysis::traceAddresses(
        *prediction->program, prediction->launch, analysis::Dim3 { 0, 0, 0 });
    ASSERT_TRUE(trace);
    for (const auto& [major, minor] :
        { std::pair(7, 5), { 8, 0 }, { 8, 6 }, { 8, 9 }, { 9, 0 }, { 12, 0 } }) {
        const auto compiled = kernels::compileToPtx(
            *plan, { .computeMajor = major, .computeMinor = minor, .registers = true });
        if (!compiled || compiled->machineCode.empty())
            continue; // this NVRTC does not know it
        const auto path = kernels::machinePath(compiled->machineCode, major, trace->warps[0], { trace->turns[0] }, 0);
        ASSERT_TRUE(path) << major << '.' << minor;
        EXPECT_GT(path->work.loadWaits, 0) << major << '.' << minor;
        EXPECT_NEAR(path->work.loadInstructions + path->work.storeInstructions, 480, 120)
            << major << '.' << minor;
    }
}

TEST_F(MachinePath, brokenCodeTellsNothingAndDoesNoHarm)
{
    const auto prediction = predicted("transpose_one_warp rows=512 cols=512");
    ASSERT_TRUE(prediction);
    const std::string& code = prediction->machineCode;
    ASSERT_TRUE(workOf(*prediction, code).known());
    EXPECT_FALSE(workOf(*prediction, {}).known());
    EXPECT_FALSE(workOf(*prediction, std::string_view(code).substr(0, code.size() / 2)).known());
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        std::string broken = code;
        for (int bytes = 0; bytes < 40; ++bytes)
            broken[random() % broken.size()] = char(random());
        (void)workOf(*prediction, broken); // ends
    }
}

} // namespace
