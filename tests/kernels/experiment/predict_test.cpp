// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/predict.h"

#include "analysis/device/estimate.h"
#include "catalogue_ids.h"
#include "kernels/compile/nvrtc.h"
#include "kernels/source/program_kernels.h"
#include "source_kernel.h"
#include "tests/folder.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace coalescope;
using analysis::HazardKind;
using analysis::Metric;

Result<kernels::Prediction> predicted(
    const char* id, const kernels::ParameterValues& values, kernels::PredictOptions options = {})
{
    auto kernel = kernels::kernelNamed(id);
    if (!kernel)
        return std::unexpected(kernel.error());
    auto plan = kernels::planLaunch(**kernel, values);
    if (!plan)
        return std::unexpected(plan.error());
    return kernels::predict(*plan, options);
}

const analysis::Hazard* find(const analysis::RunResult& result, HazardKind kind)
{
    const auto found = std::ranges::find(result.hazards, kind, &analysis::Hazard::kind);
    return found == result.hazards.end() ? nullptr : &*found;
}

double value(const kernels::Prediction& prediction, Metric metric)
{
    return prediction.result.metrics.get(metric).value_or(-1);
}

class EveryKernel : public testing::TestWithParam<std::string> { };

TEST_P(EveryKernel, writesTheReferenceAtItsDefaults)
{
    const auto prediction = predicted(GetParam().c_str(), {});
    ASSERT_TRUE(prediction) << prediction.error().detail << ' ' << prediction.error().where;
    EXPECT_EQ(prediction->result.verified, true) << prediction->result.verifyDetail;
}

TEST_P(EveryKernel, hasEveryKey)
{
    const auto prediction = predicted(GetParam().c_str(), {});
    ASSERT_TRUE(prediction) << prediction.error().detail;
    for (const analysis::MetricInfo& info : analysis::metricTable())
        EXPECT_TRUE(prediction->result.metrics.get(info.metric)) << info.key;
}

TEST_P(EveryKernel, linesAddUpToTheTotals)
{
    const auto prediction = predicted(GetParam().c_str(), {});
    ASSERT_TRUE(prediction) << prediction.error().detail;
    for (const analysis::MetricInfo& info : analysis::metricTable()) {
        if (!info.perLine)
            continue;
        double sum = 0;
        for (const analysis::LineValues& line : prediction->result.lines)
            sum += line.metrics.get(info.metric).value_or(0);
        EXPECT_EQ(sum, value(*prediction, info.metric)) << info.key;
    }
}

TEST_P(EveryKernel, givesTheSameExactKeysThroughClang)
{
    const auto nvrtc
        = predicted(GetParam().c_str(), {}, { .compiler = kernels::CompilerKind::Nvrtc });
    const auto clang
        = predicted(GetParam().c_str(), {}, { .compiler = kernels::CompilerKind::Clang });
    for (const auto* one : { &nvrtc, &clang }) {
        if (!*one && one->error().code == ErrorCode::NoCompiler)
            GTEST_SKIP() << one->error().detail;
        ASSERT_TRUE(*one) << one->error().detail << ' ' << one->error().where;
    }
    for (const analysis::MetricInfo& info : analysis::metricTable()) {
        if (info.exactness == analysis::Exactness::Estimate)
            continue;
        EXPECT_EQ(value(*nvrtc, info.metric), value(*clang, info.metric)) << info.key;
    }
}

INSTANTIATE_TEST_SUITE_P(
    , EveryKernel, testing::ValuesIn(kernelIds()), [](const auto& row) { return row.param; });

struct OddShape {
    const char* rows;
    const char* cols;
};

class OddShapes : public testing::TestWithParam<OddShape> { };

TEST_P(OddShapes, areTransposedRightByEveryKernelThatTakesThem)
{
    // transpose_flat_bound keeps its published bug; it has tests of its own.
    for (const std::string& id : kernelIds()) {
        if (id == "transpose_flat_bound")
            continue;
        const auto prediction
            = predicted(id.c_str(), { { "rows", GetParam().rows }, { "cols", GetParam().cols } });
        if (!prediction && prediction.error().code == ErrorCode::IllegalParameter)
            continue;
        ASSERT_TRUE(prediction) << id << ": " << prediction.error().detail;
        EXPECT_EQ(prediction->result.verified, true)
            << id << ": " << prediction->result.verifyDetail;
        EXPECT_EQ(find(prediction->result, HazardKind::OutOfBounds), nullptr) << id;
    }
}

INSTANTIATE_TEST_SUITE_P(, OddShapes,
    testing::Values(OddShape { "1000", "1003" }, OddShape { "33", "65" }, OddShape { "1", "1" },
        OddShape { "1", "4097" }, OddShape { "31", "32" }),
    [](const auto& row) { return std::string(row.param.rows) + "x" + row.param.cols; });

TEST(Predict, onlyAGpuThatLaunchesWereRecordedOnHasARecordedError)
{
    const auto fitted = predicted("copy", {}, { .device = "h200", .verify = false });
    ASSERT_TRUE(fitted);
    EXPECT_EQ(fitted->result.time.estimateError,
        analysis::recordedError(**analysis::deviceNamed("h200"), Metric::Duration,
            { .registersKnown = fitted->result.occupancy->registersPerThread.has_value() }));
    const auto other = predicted("copy", {}, { .device = "a100-80", .verify = false });
    ASSERT_TRUE(other);
    EXPECT_FALSE(other->result.time.estimateError);
    EXPECT_FALSE(other->result.estimateErrors.get(Metric::Duration));
}

/// Whether a launch's hazards speak of something that is not modelled in these words.
bool isTold(const analysis::RunResult& result, std::string_view words)
{
    return std::ranges::any_of(result.hazards, [&](const analysis::Hazard& hazard) {
        return hazard.kind == HazardKind::NotModelled && hazard.detail.contains(words);
    });
}

analysis::RunResult ofSource(const std::string& name)
{
    const auto plan = kernels::planLaunch(readSourceKernel(name).request);
    EXPECT_TRUE(plan) << name;
    return kernels::predict(*plan, { .verify = false }).value().result;
}

TEST(Predict, saysThatAnArrayLiesInLocalMemory)
{
    EXPECT_TRUE(isTold(ofSource("local_array"), "local memory"));
    EXPECT_FALSE(isTold(ofSource("grid_stride"), "local memory"));
}

TEST(Predict, saysThatTheProfilerLeavesOutCopiesOfZeros)
{
    EXPECT_TRUE(isTold(ofSource("copy_or_zeros"), "may fill up with zeros"));
    EXPECT_FALSE(isTold(ofSource("async_padded"), "may fill up with zeros")) << "always 16 bytes";
}

TEST(Predict, tellsByTheMachineCodeWhatIsSpilledAndWhatStaysInRegisters)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const auto ofSwept = [](const std::string& name, const std::map<std::string, std::string>& settings) {
        const auto plan = kernels::planLaunch(sweptKernel(name), settings);
        EXPECT_TRUE(plan) << name;
        return kernels::predict(*plan, { .verify = false }).value().result;
    };
    EXPECT_TRUE(isTold(ofSwept("lorenz_rk", { { "dims", "12" } }), "spills"));
    EXPECT_FALSE(isTold(ofSwept("lorenz_rk", { { "dims", "4" } }), "local memory"));
    EXPECT_FALSE(isTold(ofSwept("topk_warp", { { "rows", "512" } }), "local memory")) << "an array in PTX, registers in machine code";
}

TEST(Predict, saysWhereTheMachineCodeMakesOtherAccesses)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const auto plan = kernels::planLaunch(sweptKernel("cholesky_batch"), { { "batch", "1024" } });
    ASSERT_TRUE(plan);
    EXPECT_TRUE(isTold(kernels::predict(*plan, { .verify = false }).value().result, "could not be matched"));
    EXPECT_FALSE(isTold(predicted("transpose_shared", {}, { .verify = false })->result, "could not be matched"));
}

// An NVIDIA H200 (driver 580.159.04, 2026-11-26) counted 297,875 load sectors of this launch, of 324,495 in the order of the PTX.
TEST(Predict, saysWhereTheMachineCodeLoadsOnlyBehindAnExit)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const std::filesystem::path path = COALESCOPE_TEST_DATA "/kernels/experiment/masked_lattice.cu";
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    const auto kernel = kernels::kernelOfFile(text.str(), path);
    ASSERT_TRUE(kernel) << kernel.error().detail;
    const auto plan = kernels::planLaunch(*kernel, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto result = kernels::predict(*plan, { .verify = false }).value().result;
    EXPECT_TRUE(isTold(result, " loads before this branch ptxas makes "));
    EXPECT_FALSE(isTold(predicted("transpose_shared", {}, { .verify = false })->result, "before this branch"));
}

TEST(Predict, anEditedBuiltInKernelHasTheErrorOfOthers)
{
    auto plan = kernels::planLaunch(**kernels::kernelNamed("copy"), {});
    ASSERT_TRUE(plan);
    plan->source += "// edited\n";
    const auto edited = kernels::predict(*plan, { .device = "h200", .verify = false });
    ASSERT_TRUE(edited);
    EXPECT_EQ(edited->result.time.estimateError,
        analysis::recordedError(**analysis::deviceNamed("h200"), Metric::Duration,
            { .registersKnown = edited->result.occupancy->registersPerThread.has_value(), .ofCatalogue = false }));
}

TEST(Predict, keepsTheLinesOfAFileWhoseNameIsNotAscii)
{
    const Folder folder;
    const std::string file = folder.write("rows α.cu", "__global__ void rows(float* a)\n{\n    a[threadIdx.x] = 1;\n}\n");
    const auto plan = kernels::planLaunch({ .file = file, .entry = "rows", .grid = { 1, 1, 1 }, .block = { 32, 1, 1 },
        .arguments = { "f32[128]" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto prediction = kernels::predict(*plan, {});
    ASSERT_TRUE(prediction) << prediction.error().detail;
    ASSERT_EQ(prediction->result.lines.size(), 1u);
    const analysis::LineValues& line = prediction->result.lines.front();
    EXPECT_EQ(line.file, "rows α.cu");
    EXPECT_EQ(line.line, 3u);
    EXPECT_EQ(line.metrics.get(Metric::GlobalStoreSectors), 4);
}

TEST(Predict, catchesTheFlatBoundWithTheLineThatWroteWrong)
{
    const auto prediction
        = predicted("transpose_flat_bound", { { "rows", "1000" }, { "cols", "1003" } });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_EQ(prediction->result.verified, false);
    const analysis::Hazard* hazard = find(prediction->result, HazardKind::WrongOutput);
    ASSERT_NE(hazard, nullptr);
    EXPECT_GT(hazard->line, 0u);
}

TEST(Predict, passesTheFlatBoundWhereTheTileDividesTheMatrix)
{
    const auto prediction
        = predicted("transpose_flat_bound", { { "rows", "1024" }, { "cols", "1024" } });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_EQ(prediction->result.verified, true) << prediction->result.verifyDetail;
}

TEST(Predict, reportsTheMissingBarrierAsARaceWithBothLines)
{
    const auto prediction
        = predicted("copy_transpose_batched", { { "second_barrier", "without" } });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    const analysis::Hazard* race = find(prediction->result, HazardKind::SharedRace);
    ASSERT_NE(race, nullptr);
    EXPECT_GT(race->line, 0u);
    EXPECT_GT(race->otherLine, 0u);
    EXPECT_NE(race->line, race->otherLine);
}

TEST(Predict, findsNoRaceWithTheSecondBarrier)
{
    const auto prediction = predicted("copy_transpose_batched", { { "second_barrier", "with" } });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_EQ(find(prediction->result, HazardKind::SharedRace), nullptr);
}

TEST(Predict, refusesFloat4WhereTheBlockDoesNotDivideTheMatrix)
{
    const auto prediction
        = predicted("transpose_float4", { { "rows", "1000" }, { "cols", "1003" } });
    ASSERT_FALSE(prediction);
    EXPECT_EQ(prediction.error().code, ErrorCode::IllegalParameter);
    EXPECT_FALSE(prediction.error().detail.empty());
}

TEST(Predict, showsOneWordOfPaddingRemovingEveryConflict)
{
    const kernels::ParameterValues shape { { "rows", "1024" }, { "cols", "1024" },
        { "tile", "32" } };
    auto padded = shape, plain = shape;
    plain["pad"] = "0";
    padded["pad"] = "1";
    const auto without = predicted("transpose_shared", plain);
    const auto with = predicted("transpose_shared", padded);
    ASSERT_TRUE(without && with);
    // 32768 warps read a column each: 32 wavefronts without padding, one with it.
    EXPECT_EQ(value(*without, Metric::SharedLoadWavefronts), 32768.0 * 32);
    EXPECT_EQ(value(*with, Metric::SharedLoadWavefronts), 32768.0);
    EXPECT_EQ(value(*with, Metric::SharedLoadConflicts), 0);
}

TEST(Predict, countsTheFifthSectorOfAShiftedCopy)
{
    const auto aligned = predicted("offset_copy", { { "offset", "0" } });
    const auto shifted = predicted("offset_copy", { { "offset", "1" } });
    ASSERT_TRUE(aligned && shifted);
    const double four
        = value(*aligned, Metric::GlobalLoadSectors) / value(*aligned, Metric::GlobalLoadRequests);
    const double five
        = value(*shifted, Metric::GlobalLoadSectors) / value(*shifted, Metric::GlobalLoadRequests);
    EXPECT_NEAR(four, 4, 0.01);
    EXPECT_NEAR(five, 5, 0.01);
}

TEST(Predict, addressesFollowTheConstantsThatTheHostGives)
{
    const std::string source = "/* --- coalescope\nid = 'k'\ntitle = 'K'\nentry = 'k'\n[[parameters]]\nname = 'stride'\ndefault = 1\nmin = 1\nmax = 64\n"
                               "[launch]\ngrid = [1]\nblock = [32]\n[[arguments]]\nbuffer = 'a'\ntype = 'f32'\ncount = 2048\n"
                               "[[constants]]\nname = 'kStride'\nvalues = ['stride']\n--- */\n__constant__ int kStride;\n"
                               "extern \"C\" __global__ void k(float* a) { a[threadIdx.x * kStride] = 1; }\n";
    const auto spec = kernels::parseKernel(source, "strided.cu");
    ASSERT_TRUE(spec) << spec.error().detail;
    for (const auto& [stride, sectors] : { std::pair("1", 4), std::pair("2", 8), std::pair("33", 32) }) {
        const auto prediction = kernels::predict(*kernels::planLaunch(*spec, { { "stride", stride } }), {});
        ASSERT_TRUE(prediction) << prediction.error().detail;
        EXPECT_EQ(prediction->result.metrics.get(Metric::GlobalStoreSectors), sectors) << stride;
    }
    auto tooMany = source;
    tooMany.replace(tooMany.find("['stride']"), 10, "[1, 2]");
    const auto tooManyValues = kernels::predict(*kernels::planLaunch(*kernels::parseKernel(tooMany, "strided.cu"), {}), {});
    ASSERT_FALSE(tooManyValues);
    EXPECT_NE(tooManyValues.error().detail.find("'kStride', { 1, 2 }, is what the manifest's [[constants]] say"), std::string::npos)
        << tooManyValues.error().detail;
    auto misspelt = source;
    misspelt.replace(misspelt.find("kStride'"), 7, "kStrife");
    const auto refused = kernels::predict(*kernels::planLaunch(*kernels::parseKernel(misspelt, "strided.cu"), {}), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
    EXPECT_NE(refused.error().detail.find("kStrife"), std::string::npos) << refused.error().detail;
}

/// A program whose grid is rounded down, with the kernel's body and the grid's size in x.
std::string twice(const std::string& body, const std::string& blocks)
{
    return "__global__ void twice(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; " + body
        + " }\nint main() { int n = 1024; dim3 block(64); float* a; cudaMalloc(&a, n * 4); twice<<<" + blocks + ", block>>>(a, n); }\n";
}

TEST(Predict, findsWhatAGridThatIsRoundedDownLeavesOut)
{
    struct Case {
        std::string body, blocks;
        const char* threads;
        std::string told;
    };
    for (const Case& c : { Case { "if (i < n) a[i] *= 2;", "n / block.x", "64", "" },
             Case { "if (i < n) a[i] *= 2;", "n / block.x", "96", "the grid's x is 10, 1024 / 96 rounded down: no block works on the last 64 of 1024" },
             Case { "if (i < n) a[i] *= 2;", "(n + block.x - 1) / block.x", "96", "" }, // rounded up
             Case { "for (; i < n; i += gridDim.x * blockDim.x) a[i] *= 2;", "n / block.x", "96", "" } }) {
        const auto spec = kernels::kernelOfFile(twice(c.body, c.blocks), "/nowhere/twice.cu");
        ASSERT_TRUE(spec) << spec.error().detail;
        const auto prediction = kernels::predict(*kernels::planLaunch(*spec, { { "block_x", c.threads } }), {});
        ASSERT_TRUE(prediction) << prediction.error().detail;
        const analysis::Hazard* found = find(prediction->result, HazardKind::LeftOut);
        EXPECT_EQ(found ? found->detail : "", c.told) << c.body << c.blocks << c.threads;
        EXPECT_EQ(found ? found->line : 2u, 2u) << "where the launch is";
    }
}

/// As CUB's scans: a block adds what the one before has published to its own sum, and publishes that.
constexpr const char* kChainedScan = R"(
__global__ void chained(const int* in, int* out, unsigned* sums, unsigned* next)
{
    __shared__ unsigned block, before, own;
    if (threadIdx.x == 0) {
        block = atomicAdd(next, 1u);
        own = 0;
    }
    __syncthreads();
    const int i = block * 64 + threadIdx.x;
    atomicAdd(&own, (unsigned)in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        before = 0;
        if (block > 0)
            while ((before = ((volatile unsigned*)sums)[block - 1]) == 0) { }
        ((volatile unsigned*)sums)[block] = before + own;
    }
    __syncthreads();
    out[i] = before;
}
int main()
{
    static int host[1024];
    for (int i = 0; i < 1024; ++i)
        host[i] = 1;
    int *in, *out; unsigned *sums, *next;
    cudaMalloc(&in, sizeof host); cudaMalloc(&out, sizeof host); cudaMalloc(&sums, 64); cudaMalloc(&next, 4);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(sums, 0, 64); cudaMemset(next, 0, 4);
    chained<<<16, 64>>>(in, out, sums, next);
    cudaDeviceSynchronize();
}
)";

TEST(Predict, blocksThatWaitForOthersFindWhatTheseLeave)
{
    const auto spec = kernels::kernelOfFile(kChainedScan, "/nowhere/chained.cu", "");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = kernels::planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto prediction = kernels::predict(*plan, { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_EQ(value(*prediction, Metric::GlobalLoadRequests), 2 * 16 + 15) << "each but the first looks once";
    EXPECT_EQ(value(*prediction, Metric::GlobalStoreRequests), 2 * 16 + 16);
    const analysis::Hazard* const told = find(prediction->result, HazardKind::NotModelled);
    ASSERT_NE(told, nullptr);
    EXPECT_TRUE(std::ranges::any_of(prediction->result.hazards, [](const analysis::Hazard& hazard) { return hazard.detail.starts_with("blocks wait for what others write"); }));
    const auto last = kernels::traceBlock(*prediction, { 15, 0, 0 });
    ASSERT_TRUE(last) << last.error().detail << ": it may be looked at";
    EXPECT_LT(last->warpInstructions, 1000u);
}

} // namespace
