// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/left_contents.h"

#include "kernels/catalogue/argument_parts.h"
#include "kernels/compile/compiler.h"
#include "kernels/experiment/predict.h"
#include "kernels/source/program_kernels.h"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace coalescope;
using namespace coalescope::kernels;
using analysis::Metric;

const std::string kKernels = R"(
__global__ void spread(int* order, int n) { int i = blockIdx.x * 256 + threadIdx.x; order[i] = i % (n / 32) * 32 + i / (n / 32); }
__global__ void gather(const float* in, const int* order, float* out) { int i = blockIdx.x * 256 + threadIdx.x; out[i] = in[order[i]]; }
__global__ void count(int* counts) { atomicAdd(&counts[threadIdx.x % 8], 1); }
__global__ void scan(int* counts) { int sum = 0; for (int i = 0; i < 9; ++i) { int c = counts[i]; counts[i] = sum; sum += c; } }
__global__ void walk(const int* counts, const float* in, float* out)
{
    float sum = 0;
    for (int i = counts[threadIdx.x]; i < counts[threadIdx.x + 1]; ++i) sum += in[i];
    out[threadIdx.x] = sum;
}
)";

/// The launch of a kernel in a program whose main is this.
KernelSpec launchIn(const std::string& main, const std::string& entry)
{
    auto spec = kernelOfFile(kKernels + "int main()\n{\n" + main + "\n}\n", "/nowhere/program.cu", entry);
    EXPECT_TRUE(spec) << spec.error().detail;
    return std::move(spec).value();
}

Prediction predicted(const KernelSpec& kernel, const ParameterValues& values = {})
{
    const auto plan = planLaunch(kernel, values);
    EXPECT_TRUE(plan) << plan.error().detail;
    auto prediction = predict(plan.value());
    EXPECT_TRUE(prediction) << prediction.error().detail;
    return std::move(prediction).value();
}

double valueOf(const Prediction& prediction, Metric metric)
{
    return prediction.result.metrics.get(metric).value_or(-1);
}

const std::string kGather = "const int n = 65536; int* order; float *in, *out;\n"
                            "cudaMalloc(&order, n * 4); cudaMalloc(&in, n * 4); cudaMalloc(&out, n * 4);\n"
                            "spread<<<n / 256, 256>>>(order, n);\n";

TEST(LeftContents, indicesThatAnEarlierLaunchWritesLeadTheLaterOne)
{
    const KernelSpec kernel = launchIn(kGather + "gather<<<n / 256, 256>>>(in, order, out);", "gather");
    EXPECT_NE(kernel.summary.en.find("Left by earlier launches: order (spread)."), std::string::npos) << kernel.summary.en;
    EXPECT_TRUE(kernel.guesses.empty());
    for (const double n : { 65536.0, 32768.0 }) { // the earlier one follows the parameter
        const Prediction prediction = predicted(kernel, { { "n", std::to_string(int(n)) } });
        EXPECT_EQ(valueOf(prediction, Metric::GlobalLoadSectors), n / 8 + n) << n; // each lane its own sector
        EXPECT_TRUE(prediction.result.hazards.empty());
    }
}

TEST(LeftContents, whatTheHostWritesInBetweenCounts)
{
    const KernelSpec kernel = launchIn(kGather + "cudaMemset(order, 0, n * 4); gather<<<n / 256, 256>>>(in, order, out);", "gather");
    EXPECT_TRUE(kernel.earlier.empty());
    EXPECT_EQ(valueOf(predicted(kernel), Metric::GlobalLoadSectors), 65536 / 8 + 65536 / 32); // all lanes the same
}

TEST(LeftContents, launchesBeforeTheEarlierOneAreExecutedAsWell)
{
    const std::string main = "int* counts; float *in, *out; cudaMalloc(&counts, 9 * 4); cudaMalloc(&in, 4096 * 4); cudaMalloc(&out, 8 * 4);\n"
                             "cudaMemset(counts, 0, 36); count<<<16, 256>>>(counts); scan<<<1, 1>>>(counts); walk<<<1, 8>>>(counts, in, out);";
    // Each of the eight lanes goes round 512 times, and asks for both ends of its range first.
    EXPECT_EQ(valueOf(predicted(launchIn(main, "walk")), Metric::GlobalLoadRequests), 512 + 2);
}

TEST(LeftContents, whatCannotBeWorkedOutIsToldAndTheFillTaken)
{
    const std::string large = "const int n = 67108864; int* order; float *in, *out;\n"
                              "cudaMalloc(&order, 4294967296); cudaMalloc(&in, 4096); cudaMalloc(&out, 4096);\n"
                              "spread<<<1, 256>>>(order, n); gather<<<1, 256>>>(in, order, out);";
    const Prediction prediction = predicted(launchIn(large, "gather"));
    ASSERT_EQ(prediction.result.hazards.size(), 1u);
    EXPECT_EQ(prediction.result.hazards[0].kind, analysis::HazardKind::NotModelled);
    EXPECT_NE(prediction.result.hazards[0].detail.find("what 'spread' leaves in 'order' is not known (4096 MB"), std::string::npos)
        << prediction.result.hazards[0].detail;
}

TEST(LeftContents, aBufferThatIsLargerThanWhatIsLeftKeepsItsFillBehindIt)
{
    const auto launch = planLaunch(launchIn(kGather + "gather<<<n / 256, 256>>>(in, order, out);", "gather"), {});
    ASSERT_TRUE(launch) << launch.error().detail;
    BufferPlan order = std::get<BufferPlan>(launch->arguments.at(1));
    ASSERT_TRUE(order.left);
    order.count += 2;
    order.fill = { .kind = FillKind::Iota };
    std::array<std::int32_t, 4> last {};
    ASSERT_TRUE(BufferContents().bytes(order, 4 * (order.count - 4), { reinterpret_cast<std::uint8_t*>(last.data()), sizeof last }));
    EXPECT_EQ(last, (std::array<std::int32_t, 4> { 65503, 65535, 65536, 65537 }));
    order.left->buffer = "no";
    EXPECT_EQ(BufferContents::whyUnknown(order), "what 'spread' leaves in 'order' is not known (it has no buffer 'no')");
}

TEST(LeftContents, whatALaunchOnlyCountsInOrOverwritesIsNotAskedFor)
{
    const KernelSpec again = launchIn("int* counts; cudaMalloc(&counts, 36); count<<<16, 256>>>(counts); count<<<16, 128>>>(counts); spread<<<1, 8>>>(counts, 256);", "spread");
    EXPECT_TRUE(again.earlier.empty());
}

TEST(LeftContents, aManifestInTheFileNamesItsLaunchesToo)
{
    const KernelSpec derived = launchIn(kGather + "gather<<<n / 256, 256>>>(in, order, out);", "gather");
    const std::string source = "/* --- coalescope\n" + derived.derived + "--- */\n" + derived.source;
    const auto own = kernelOfFile(source, "/nowhere/program.cu");
    ASSERT_TRUE(own) << own.error().detail;
    EXPECT_TRUE(own->derived.empty());
    EXPECT_EQ(valueOf(predicted(*own), Metric::GlobalLoadSectors), 65536 / 8 + 65536);
}

}
