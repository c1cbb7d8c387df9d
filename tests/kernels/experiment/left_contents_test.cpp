// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/left_contents.h"

#include "kernels/catalogue/argument_parts.h"
#include "kernels/compile/compiler.h"
#include "kernels/experiment/predict.h"
#include "kernels/source/program_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
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
__global__ void pick(const float* w, float* out, int n) { int i = blockIdx.x * 256 + threadIdx.x; float v = w[i / 32 % n]; if (v > 2) out[i] = v; }
__global__ void weigh(const float* d, const int* length, float* out, int n)
{
    __shared__ float part[256];
    float m = -1e30f, sum = 0;
    for (int i = 0; i < length[blockIdx.x]; ++i) { float v = d[(i * 256 + threadIdx.x) % n]; m = fmaxf(m, v); sum += __expf(v - m); }
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) { if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s]; __syncthreads(); }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
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
    EXPECT_EQ(BufferContents::whyUnknown(order), "what 'spread' leaves in 'order' is not known (it has no buffer 'no'): its fill is taken");
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

const std::string kSteps = R"(
__global__ void iota(int* p, int n, int by) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) p[i] = i * by; }
__global__ void twice(const int* in, int* out, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) out[i] = in[i] * 2; }
__global__ void mark(const int* in, int* flags, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) flags[i] = in[i] % 5 == 0; }
__constant__ int kStride[4];
__global__ void strided(int* p, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) p[i] = i * kStride[1] % 65536; }
__device__ int counter;
__global__ void counted(int* p, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) p[i] = atomicAdd(&counter, 8); }
__global__ void blurred(const float* x, int* p, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) p[i] = x[i] > 0 ? i : i * 8 % n; }
__global__ void use(const int* at, float* out, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) out[at[i]] = 1; }
int main()
{
    const int n = 4096;
    int *a, *b, *flags; float *out, *x;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&flags, n * 4); cudaMalloc(&out, 65536 * 4); cudaMalloc(&x, n * 4);
)";

Prediction usedAfter(const std::string& main)
{
    const auto spec = kernelOfFile(kSteps + main + "\n}\n", "/nowhere/steps.cu", "use");
    EXPECT_TRUE(spec) << spec.error().detail;
    return predicted(*spec);
}

constexpr double kAside = 4096 / 8, kApart = 4096; // sectors of indices that stand side by side, or eight apart

TEST(LeftContents, launchesAreExecutedAsOftenAsTheHostMakesThem)
{
    const std::string use = " use<<<n / 256, 256>>>(a, out, n);", first = "iota<<<n / 256, 256>>>(a, n, 1); ";
    EXPECT_EQ(valueOf(usedAfter(first + use), Metric::GlobalStoreSectors), kAside);
    EXPECT_EQ(valueOf(usedAfter(first + "for (int k = 0; k < 3; ++k) { twice<<<n / 256, 256>>>(a, b, n); std::swap(a, b); }" + use), Metric::GlobalStoreSectors), kApart);
    EXPECT_EQ(valueOf(usedAfter(first + "iota<<<n / 256, 256>>>(b, n, 8);" + use), Metric::GlobalStoreSectors), kAside) << "the second is of another buffer";
    EXPECT_EQ(valueOf(usedAfter("iota<<<n / 256, 256>>>(b, n, 1);" + first + "iota<<<n / 256, 256>>>(a, n, 8);" + use), Metric::GlobalStoreSectors), kApart);
    EXPECT_EQ(valueOf(usedAfter("iota<<<n / 256, 256>>>(b, n, 8); cudaMemcpy(a, b, n * 4, cudaMemcpyDeviceToDevice);" + use), Metric::GlobalStoreSectors), kApart);
}

TEST(LeftContents, aCountThatIsReadBackMakesTheNextGrid)
{
    const Prediction used = usedAfter("iota<<<n / 256, 256>>>(a, n, 1); mark<<<n / 256, 256>>>(a, flags, n);\nint h[4096]; cudaMemcpy(h, flags, n * 4, cudaMemcpyDeviceToHost);\n"
                                      "int kept = 0; for (int i = 0; i < n; ++i) kept += h[i];\nuse<<<(kept + 255) / 256, 256>>>(a, out, kept);");
    EXPECT_EQ(used.result.launch.grid.x, 4u);
    EXPECT_EQ(valueOf(used, Metric::GlobalStoreSectors), 103) << "of 820 neighbours";
}

TEST(LeftContents, variablesOfTheModuleAreWhatTheHostHasCopiedToThem)
{
    const std::string launches = "strided<<<n / 256, 256>>>(a, n); use<<<n / 256, 256>>>(a, out, n);";
    EXPECT_EQ(valueOf(usedAfter("int strides[4] = { 1, 8, 3, 4 }; cudaMemcpyToSymbol(kStride, strides, 16); " + launches), Metric::GlobalStoreSectors), kApart);
    EXPECT_EQ(valueOf(usedAfter("int strides[4] = { 1, 8, 3, 4 }; cudaMemcpyToSymbol(kStride, strides, 16); strided<<<1, 32>>>(b, 32); strides[1] = 1; cudaMemcpyToSymbol(kStride, strides, 16); " + launches),
                  Metric::GlobalStoreSectors),
        kAside);
}

TEST(LeftContents, whatDependsOnWhatNobodyKnowsIsTold)
{
    const auto isTold = [](const Prediction& prediction, std::string_view what) {
        return std::ranges::any_of(prediction.result.hazards, [&](const analysis::Hazard& hazard) { return hazard.detail.find(what) != std::string::npos; });
    };
    const std::string unknown = "float h[4096]; for (int i = 0; i < n; ++i) h[i] = time(0) % 7 - 3.f; cudaMemcpy(x, h, n * 4, cudaMemcpyHostToDevice); ";
    EXPECT_TRUE(isTold(usedAfter(unknown + "blurred<<<n / 256, 256>>>(x, a, n); use<<<n / 256, 256>>>(a, out, n);"), "('blurred' depends on data that nobody knows)"));
    EXPECT_TRUE(isTold(usedAfter("counted<<<n / 256, 256>>>(a, time(0)); use<<<n / 256, 256>>>(a, out, n);"), "('counted' is given what the host code does not tell)"));
    EXPECT_FALSE(isTold(usedAfter("iota<<<n / 256, 256>>>(a, n, 1); use<<<n / 256, 256>>>(a, out, n);"), "leave"));
}

TEST(LeftContents, structuresAndRealNumbersLeadAsIntegersDo)
{
    const auto storesOf = [](const std::string& kernels, const std::string& main) {
        const auto spec = kernelOfFile(kernels + "int main() { const int n = 4096; float* out; cudaMalloc(&out, n * 32);\n" + main + "}\n", "/nowhere/steps.cu", "use");
        EXPECT_TRUE(spec) << spec.error().detail;
        return valueOf(predicted(*spec), Metric::GlobalStoreSectors);
    };
    EXPECT_EQ(storesOf("struct Hit { int id; float t; };\n__global__ void find(Hit* h) { int i = blockIdx.x * 256 + threadIdx.x; h[i] = { i * 8, 1.f }; }\n"
                       "__global__ void use(const Hit* h, float* out) { out[h[blockIdx.x * 256 + threadIdx.x].id] = 1; }\n",
                  "Hit* h; cudaMalloc(&h, n * sizeof(Hit)); find<<<16, 256>>>(h); use<<<16, 256>>>(h, out);"),
        kApart);
    EXPECT_EQ(storesOf("__global__ void make(float* x) { int i = blockIdx.x * 256 + threadIdx.x; x[i] = i * 8; }\n__global__ void use(const float* x, float* out) { out[(int)x[blockIdx.x * 256 + threadIdx.x]] = 1; }\n",
                  "float* x; cudaMalloc(&x, n * 4); make<<<16, 256>>>(x); use<<<16, 256>>>(x, out);"),
        kApart);
}

TEST(LeftContents, variablesOfTheModuleAreWhatLaunchesLeaveInThem)
{
    EXPECT_EQ(valueOf(usedAfter("counted<<<n / 256, 256>>>(a, n); use<<<n / 256, 256>>>(a, out, n);"), Metric::GlobalStoreSectors), kApart) << "one atomic after the other";
    const auto prediction = [](const std::string& launches) {
        const auto spec = kernelOfFile("namespace list { __device__ int cursor[4096]; static __device__ int first; }\nusing namespace list;\n__global__ void make(int by) { int i = blockIdx.x * 256 + threadIdx.x; cursor[i] = i * by; first = 100; }\n"
                                       "__global__ void use(float* out) { int i = blockIdx.x * 256 + threadIdx.x; if (i < first) out[cursor[i]] = 1; }\nint main() { float* out; cudaMalloc(&out, 4096 * 32); int h[4096]; " + launches + " use<<<16, 256>>>(out); }\n", "/nowhere/steps.cu", "use");
        EXPECT_TRUE(spec) << spec.error().detail;
        return predicted(*spec);
    };
    EXPECT_EQ(valueOf(prediction("make<<<16, 256>>>(8);"), Metric::GlobalStoreSectors), 100) << "the first hundred, eight apart";
    EXPECT_EQ(valueOf(prediction("make<<<16, 256>>>(1);"), Metric::GlobalStoreSectors), 13);
    const Prediction untouched = prediction("");
    EXPECT_EQ(valueOf(untouched, Metric::GlobalStoreSectors), 0) << "nobody has written to it";
    EXPECT_EQ(untouched.launch.buffers.back().name, "first") << "variables are buffers of the launch";
    EXPECT_EQ(valueOf(prediction("make<<<16, 256>>>(1); for (int i = 0; i < 4096; ++i) h[i] = i * 8 % 4096; cudaMemcpyToSymbol(cursor, h, sizeof h);"), Metric::GlobalStoreSectors), 100) << "the host's in place of a launch's";
    EXPECT_EQ(valueOf(prediction("make<<<16, 256>>>(8); int few[16] = {}; cudaMemcpyToSymbol(cursor, few, sizeof few);"), Metric::GlobalStoreSectors), 1 + 84) << "the host's in a part, a launch's behind it";
    const Prediction unknown = prediction("for (int i = 0; i < 4096; ++i) h[i] = time(0) % 4096; cudaMemcpyToSymbol(cursor, h, sizeof h); make<<<1, 1>>>(time(0));");
    const auto isTold = [](const analysis::Hazard& hazard) { return hazard.detail == "what launches before leave in 'first' is not known ('make' is given what the host code does not tell): what it starts with is taken"; };
    EXPECT_EQ(std::ranges::count_if(unknown.result.hazards, isTold), 1);
}

TEST(LeftContents, structuresWithArraysInThemAreExecutedWith)
{
    const auto storesOf = [](const std::string& main) {
        const auto spec = kernelOfFile("struct Acc { float sum[3]; int count; int bins[2]; };\n__device__ Acc every[8];\n"
                                       "__global__ void add(Acc* acc) { atomicAdd(&acc[threadIdx.x % 8].count, 1); acc[threadIdx.x % 8].bins[1] = threadIdx.x % 8 * 8; }\n__global__ void put() { every[threadIdx.x % 8].bins[1] = threadIdx.x % 8 * 8; }\n"
                                       "__global__ void use(const Acc* acc, float* out) { const Acc& one = acc ? acc[threadIdx.x % 8] : every[threadIdx.x % 8]; out[one.bins[1] * one.count] = 1; }\n"
                                       "int main() { Acc* acc; float* out; cudaMalloc(&acc, 8 * sizeof(Acc)); cudaMalloc(&out, 65536); cudaMemset(acc, 0, 8 * sizeof(Acc)); " + main + " }\n", "/nowhere/steps.cu", "use");
        EXPECT_TRUE(spec) << spec.error().detail;
        return valueOf(predicted(*spec), Metric::GlobalStoreSectors);
    };
    EXPECT_EQ(storesOf("add<<<1, 8>>>(acc); use<<<1, 32>>>(acc, out);"), 8);
    EXPECT_EQ(storesOf("use<<<1, 32>>>(acc, out);"), 1) << "all zeros";
}

TEST(LeftContents, whatTheHostReadsOfManagedVariablesIsWhatLaunchesHaveLeft)
{
    const auto spec = kernelOfFile("__managed__ int found; __managed__ int bins[4] = { 1, 1, 1, 1 };\n__global__ void mark() { atomicAdd(&found, 1); bins[threadIdx.x % 4] = 64; }\n__global__ void use(float* out) { out[threadIdx.x * bins[2] / 8] = 1; }\n"
                                   "int main() { float* out; cudaMalloc(&out, 65536); found = 3; mark<<<2, 32>>>(); cudaDeviceSynchronize(); use<<<found, bins[1]>>>(out); }\n", "/nowhere/steps.cu", "use");
    ASSERT_TRUE(spec) << spec.error().detail;
    const Prediction prediction = predicted(*spec);
    EXPECT_EQ(prediction.result.launch.grid.x, 67u);
    EXPECT_EQ(prediction.result.launch.block.x, 64u);
    EXPECT_EQ(valueOf(prediction, Metric::GlobalStoreSectors), 67 * 64) << "eight apart";
    const auto rows = kernelOfFile("__managed__ int rows[2][4];\n__global__ void mark() { rows[1][threadIdx.x] += threadIdx.x * 8; }\n__global__ void use(float* out) { out[rows[1][threadIdx.x % 4]] = 1; }\n"
                                   "int main() { float* out; cudaMalloc(&out, 65536); for (int i = 0; i < 4; ++i) rows[1][i] = 16; mark<<<1, 4>>>(); cudaDeviceSynchronize(); rows[1][0] += rows[1][3] * 8; use<<<1, 32>>>(out); }\n", "/nowhere/steps.cu", "use");
    ASSERT_TRUE(rows) << rows.error().detail;
    EXPECT_EQ(valueOf(predicted(*rows), Metric::GlobalStoreSectors), 4) << "16 + 40 * 8, 24, 32, 40";
}

}

TEST(LeftContents, realNumbersThatDecideAreTheHostsOrToldToBeDrawn)
{
    const auto isDrawn = [](const Prediction& prediction) {
        return std::ranges::any_of(prediction.result.hazards, [](const analysis::Hazard& hazard) { return hazard.detail.find("the values in `d`, which are not known") != std::string::npos; });
    };
    const std::string begin = "float w[8] = { 1, 2, 3, 2, 4, 2, 1, 5 }; float *d, *out; cudaMalloc(&d, sizeof(w)); cudaMalloc(&out, 65536 * 4);\n";
    const Prediction known = predicted(launchIn(begin + "cudaMemcpy(d, w, sizeof(w), cudaMemcpyHostToDevice); pick<<<256, 256>>>(d, out, 8);", "pick"));
    EXPECT_EQ(valueOf(known, Metric::GlobalStoreSectors), 65536 / 32 * 4 * 3 / 8.0) << "warps whose number is 3, 4 and 5";
    EXPECT_FALSE(isDrawn(known));
    const Prediction unknown = predicted(launchIn(begin + "fread(w, 4, 8, stdin); cudaMemcpy(d, w, sizeof(w), cudaMemcpyHostToDevice); pick<<<256, 256>>>(d, out, 8);", "pick"));
    EXPECT_TRUE(isDrawn(unknown));
    EXPECT_FALSE(isDrawn(predicted(launchIn("float *in, *out; cudaMalloc(&in, 262144); cudaMalloc(&out, 262144); int* order; cudaMalloc(&order, 262144); gather<<<256, 256>>>(in, order, out);", "gather"))))
        << "these decide nothing";
    EXPECT_FALSE(isDrawn(predicted(launchIn("std::vector<int> h; for (int i = 0; i < 16; ++i) h.push_back(i); float *d, *out; cudaMalloc(&d, 4096); cudaMalloc(&out, 4); int* l; cudaMalloc(&l, 64);\n"
                                            "cudaMemcpy(l, h.data(), 64, cudaMemcpyHostToDevice); weigh<<<16, 256>>>(d, l, out, 1024);", "weigh"))))
        << "lengths decide, and what is added up in shared memory does not";
}
