// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/argument_parts.h"
#include "kernels/compile/nvrtc.h"
#include "kernels/experiment/predict.h"
#include "kernels/source/program_kernels.h"
#include "tests/kernels/source/planned_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

using namespace coalescope::kernels;

namespace {

const std::string kCopy = "#include <cuda_runtime.h>\n#include <vector>\n#include <cstdlib>\n__global__ void copy(const int* in, int* out, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m) out[i] = in[i]; }\n";

/// The launch of a kernel as the program's main comes to it.
LaunchPlan launchOf(const std::string& program, const ParameterValues& values = {}, const std::string& entry = {})
{
    const auto spec = kernelOfFile(program, "/nowhere/program.cu", entry);
    EXPECT_TRUE(spec) << spec.error().detail;
    const auto plan = spec ? planLaunch(*spec, values) : std::unexpected(spec.error());
    EXPECT_TRUE(plan) << plan.error().detail;
    return plan ? *plan : LaunchPlan {};
}


/// A main that computes m, and copies as many.
std::string copied(const std::string& code)
{
    return kCopy + "int main() { const int n = 100000; " + code + " int *a, *b; cudaMalloc(&a, m * sizeof(int)); cudaMalloc(&b, m * sizeof(int)); copy<<<(m + 255) / 256, 256>>>(a, b, m); }\n";
}

} // namespace

TEST(HostLaunch, sumsThatLoopsMakeAreTheSizesOfLaunches)
{
    for (const auto& [code, count] : { std::pair("int m = 0; for (int i = 0; i < n; ++i) if (i % 3 == 0) ++m;", 33334u), std::pair("int m = 0; for (int i = 0; i < n; ++i) m += i % 3;", 99999u),
             std::pair("int m = 0, w = 640, h = 480; while (w > 1 && h > 1) { m += w * h; w /= 2; h /= 2; }", 409585u), std::pair("std::vector<int> v; for (int i = 0; i < n; ++i) if (i & 1) v.push_back(i); int m = v.size();", 50000u) }) {
        const LaunchPlan plan = launchOf(copied(code));
        EXPECT_EQ(plan.grid.x, (count + 255) / 256) << code;
        EXPECT_EQ(scalarOf(plan, 2), count) << code;
        EXPECT_EQ(countOf(plan, 0), count) << code;
    }
}

TEST(HostLaunch, whatTheGpuTellsIsKnownBesideWhatLoopsMake)
{
    const std::string counted = "std::vector<int> v; for (int i = 0; i < 70000; ++i) if (i % 7 == 2) v.push_back(i); const int m = v.size(); ", end = " int *a, *b; cudaMalloc(&a, m * 4); cudaMalloc(&b, m * 4); copy<<<";
    const auto gridOf = [&](const std::string& asked, const std::string& shape) { return launchOf(kCopy + "int main() { " + counted + asked + end + shape + ">>>(a, b, m); }\n").grid.x; };
    EXPECT_EQ(gridOf("cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int t = p.warpSize * 4;", "(m + t - 1) / t, t"), 79u);
    EXPECT_EQ(gridOf("int sms; cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);", "std::min((m + 63) / 64, sms), 64"), 132u);
    EXPECT_EQ(gridOf("int g = 0, t = 0; cudaOccupancyMaxPotentialBlockSize(&g, &t, copy, 0, 256);", "(m + t - 1) / t, t"), 40u);
    EXPECT_EQ(gridOf("int per = 0; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, copy, 1024, 0); int g = per * 4; if (g > (m + 1023) / 1024) g = (m + 1023) / 1024;", "g, 1024"), 8u);
}

TEST(HostLaunch, tablesInConstantMemoryAreAsFollowingFillsThem)
{
    const std::string kernel = "#include <algorithm>\n#include <vector>\n__constant__ int table[8];\n__global__ void k(int* p) { p[table[threadIdx.x]] = 1; }\n";
    const auto valuesOf = [&](const std::string& code) {
        const LaunchPlan plan = launchOf(kernel + "int main() { int t[8] = {}; " + code + " cudaMemcpyToSymbol(table, t, sizeof(t)); int* p; cudaMalloc(&p, 4096); k<<<1, 8>>>(p); }\n");
        const auto prediction = predict(plan, { .verify = false });
        EXPECT_TRUE(prediction) << prediction.error().detail;
        return prediction ? prediction->result.metrics.get(coalescope::analysis::Metric::GlobalStoreSectors).value_or(-1) : -1;
    };
    EXPECT_EQ(valuesOf("for (int i = 0; i < 8; ++i) t[i] = i;"), 1);
    EXPECT_EQ(valuesOf("for (int i = 0; i < 8; ++i) { int x = i, turns = 0; while (x < 40) { x += 9; ++turns; } t[i] = 8 * x; }"), 8);
    EXPECT_EQ(valuesOf("int n = 0; for (int i = 0; i < 30; ++i) { if (i % 4) continue; t[n++] = 16 * i; }"), 8);
    EXPECT_EQ(valuesOf("for (int i = 0; i < 8; ++i) t[i] = i < 4 ? 100 - i : 300 + i; std::sort(t, t + 8);"), 2);
}

TEST(HostLaunch, ofAKernelThatAConditionChoosesIsTheChosenOnes)
{
    const std::string kernel = "template <int S> __global__ void pay(int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = i * S; }\n";
    const auto spec = kernelOfFile(kernel + "struct Options { int style; };\nint main() { int* p; cudaMalloc(&p, 4000); Options o { 1 }; auto f = o.style == 0 ? pay<3> : pay<5>; f<<<8, 128>>>(p, 1000); }\n", "/nowhere/program.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->entry, "pay<5>");
}

TEST(HostLaunch, isFoundWhereOnlyFollowingTheCodeComesToIt)
{
    const auto launched = [](const std::string& code) {
        return launchOf(kCopy + "#include <functional>\n#include <map>\n#include <string>\nint main() { const int n = 100000; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMemset(a, 0, n * 4); " + code + " }\n");
    };
    for (const std::string code : {
             "std::map<std::string, void (*)(const int*, int*, int)> m { { \"one\", copy }, { \"two\", copy } }; auto it = m.find(\"two\"); if (it == m.end()) return 1; it->second<<<(n + 95) / 96, 96>>>(a, b, n);",
             "auto make = [&](int t) -> std::function<void()> { return [=] { copy<<<(n + t - 1) / t, t>>>(a, b, n); }; }; auto f = make(96), other = make(32); f(); other();",
             "std::vector<std::function<void()>> v; std::vector<int> sizes { 96, 64 }; std::transform(sizes.begin(), sizes.end(), std::back_inserter(v), [&](int t) { return [=] { copy<<<(n + t - 1) / t, t>>>(a, b, n); }; }); for (auto& f : v) f();" }) {
        const LaunchPlan plan = launched(code);
        EXPECT_EQ(plan.block.x, 96u) << code;
        EXPECT_EQ(plan.grid.x, 1042u) << code;
        ASSERT_EQ(plan.arguments.size(), 3u) << code;
        EXPECT_EQ(countOf(plan, 0), 100000u) << code;
        EXPECT_EQ(scalarOf(plan, 2), 100000u) << code;
        EXPECT_TRUE(plan.guesses.empty()) << code << plan.guesses[0].what;
    }
}

TEST(HostLaunch, isOfTheFirstOfManySizesThatLambdasAreMadeFor)
{
    const LaunchPlan plan = launchOf(kCopy + "#include <functional>\nint main() { const int n = 100000; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); std::vector<std::function<void()>> v; for (int t : { 128, 256, 1024 }) v.push_back([=] { copy<<<(n + t - 1) / t, t>>>(a, b, n); }); for (auto& f : v) f(); }\n");
    EXPECT_EQ(plan.block.x, 128u);
    EXPECT_EQ(plan.grid.x, 782u);
}

TEST(HostLaunch, whatWasWorkedOutForOtherValuesIsNoFaultOfTheKernel)
{
    const std::string program = kCopy + "int main(int argc, char** argv) { const int n = argc > 1 ? atoi(argv[1]) : 1000; int m = 0; for (int i = 0; i < n; ++i) if (i % 3 == 0) ++m; int *a, *b; cudaMalloc(&a, n * sizeof(int)); cudaMalloc(&b, n * sizeof(int)); copy<<<(n + 255) / 256, 256>>>(a, b, m); }\n";
    const auto findings = [&](const ParameterValues& values) {
        const auto prediction = predict(launchOf(program, values), { .verify = false });
        EXPECT_TRUE(prediction) << prediction.error().detail;
        return prediction ? prediction->result.hazards : std::vector<coalescope::analysis::Hazard> {};
    };
    EXPECT_TRUE(findings({}).empty());
    const auto smaller = findings({ { "n", "100" } }); // m stays 334
    ASSERT_EQ(smaller.size(), 1u);
    EXPECT_EQ(smaller[0].kind, coalescope::analysis::HazardKind::NotModelled) << smaller[0].detail;
    EXPECT_NE(smaller[0].detail.find("`m` was worked out for other values, and may be why"), std::string::npos) << smaller[0].detail;
}

TEST(HostLaunch, inABranchThatTheProgramDoesNotTakeGoesWrongForThatReason)
{
    const std::string program = "#include <cuda_runtime.h>\ntemplate <bool Whole> __global__ void copy(const int* in, int* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (Whole || i < n) out[i] = in[i]; }\n"
                                "bool isWhole(int n) { return n % 128 == 0; }\nint main() { int n = 1000, *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); if (isWhole(n)) copy<true><<<(n + 127) / 128, 128>>>(a, b, n); else copy<false><<<(n + 127) / 128, 128>>>(a, b, n); }\n";
    EXPECT_TRUE(predict(launchOf(program), { .verify = false })->result.hazards.empty());
    const auto aside = predict(launchOf(program, {}, "copy<true>"), { .verify = false });
    ASSERT_TRUE(aside) << aside.error().detail;
    ASSERT_EQ(aside->result.hazards.size(), 1u);
    EXPECT_EQ(aside->result.hazards[0].kind, coalescope::analysis::HazardKind::NotModelled);
    EXPECT_NE(aside->result.hazards[0].detail.find("with these values the program takes another branch"), std::string::npos) << aside->result.hazards[0].detail;
}

TEST(HostLaunch, theGridFollowsANumberThatWasWorkedOut)
{
    const auto spec = kernelOfFile(copied("int m = 0; for (int i = 0; i < n; ++i) m += i % 3;"), "/nowhere/program.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_NE(spec->summary.en.find("Worked out from the host's code: m"), std::string::npos) << spec->summary.en;
    const auto plan = planLaunch(*spec, { { "m", "1000" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->grid.x, 4u);
    EXPECT_EQ(scalarOf(*plan, 2), 1000u);
    EXPECT_EQ(countOf(*plan, 0), 1000u);
}

TEST(HostLaunch, ofATemplateIsThatOfItsArguments)
{
    const std::string program = "template <int T> __global__ void tile(float* a) { a[blockIdx.x * T + threadIdx.x] = 1; }\n"
                                "template <int T> void go(float* a, int n) { tile<T><<<n / T, T>>>(a); }\n"
                                "void run(int t, float* a, int n) { switch (t) { case 8: return go<8>(a, n); case 16: return go<16>(a, n); case 32: return go<32>(a, n); } }\n"
                                "int main() { const int n = 4096; float* a; cudaMalloc(&a, n * 4); run(32, a, n); run(16, a, n); }\n";
    for (const auto& [entry, threads] : { std::pair("tile<8>", 8u), std::pair("tile<16>", 16u), std::pair("tile<32>", 32u) }) {
        const auto spec = kernelOfFile(program, "/nowhere/program.cu", entry);
        ASSERT_TRUE(spec) << spec.error().detail;
        const auto plan = planLaunch(*spec, {});
        ASSERT_TRUE(plan) << plan.error().detail;
        EXPECT_EQ(plan->block.x, threads) << entry;
    }
}

TEST(HostLaunch, inABranchThatIsNotTakenIsFollowedThere)
{
    for (const std::string branch : { "if (n < 5) ", "switch (n) { case 1: break; case 2: ", "if (n > 5) b = a; else " }) {
        const LaunchPlan plan = launchOf(kCopy + "int main() { const int n = 100000; int m = 0; for (int i = 0; i < n; ++i) { if (i % 3) m++; }\n"
            "int *a, *b; cudaMalloc(&a, m * 4); cudaMalloc(&b, m * 4); " + branch + "copy<<<(m + 255) / 256, 256>>>(a, b, m);" + (branch[0] == 's' ? "}" : "") + " }\n");
        EXPECT_EQ(scalarOf(plan, 2), 66666u) << branch;
        EXPECT_EQ(countOf(plan, 0), 66666u) << branch;
    }
}

TEST(HostLaunch, realNumbersAreWhatTheHostMakesOfThem)
{
    const std::string program = "#include <cmath>\nstruct Vec3 { float x, y, z; __host__ __device__ Vec3(float a = 0, float b = 0, float c = 0) : x(a), y(b), z(c) {}\n"
                                "  __host__ __device__ Vec3 operator-(const Vec3& o) const { return {x - o.x, y - o.y, z - o.z}; } __host__ __device__ Vec3 operator*(float s) const { return {x * s, y * s, z * s}; } };\n"
                                "inline Vec3 turned(const Vec3& a) { return {a.y * 2, a.z - a.x, a.x * a.y}; }\n"
                                "struct Camera { Vec3 eye, w, v; float hw; Camera(Vec3 from, Vec3 at, float aspect) : eye(from) { w = (from - at) * 0.5f; v = turned(w); hw = 0.5f * aspect; } };\n"
                                "__global__ void k(float* o, Camera c, float t) { if (c.w.x > 1.f && t < 0) o[threadIdx.x] = c.w.y; }\n"
                                "static float ricker(int it) { float a = float(M_PI) * 0.05f * (it - 12); a *= a; return (1 - 2 * a) * std::exp(-a); }\n"
                                "int main() { Camera cam(Vec3(9, 3, 7), Vec3(0, 0.5f, 0), float(1280) / 720); float* o; cudaMalloc(&o, 4096); k<<<1, 32>>>(o, cam, ricker(0)); }\n";
    const auto spec = kernelOfFile(program, "/nowhere/camera.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_TRUE(spec->guesses.empty());
    for (const char* value : { "value = 4.5", "value = 1.25", "value = 2.5", "value = 5.625", "default = -0.17486" })
        EXPECT_NE(spec->derived.find(value), std::string::npos) << value << '\n' << spec->derived;
}

TEST(HostLaunch, theFirstTurnThatLaunchesIsTheLaunch)
{
    const LaunchPlan plan = launchOf(kCopy
        + "int main() { const int n = 4096; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);\n"
          "for (int size = 2; size <= n; size *= 2) for (int stride = size / 2; stride >= 1024; stride /= 2) copy<<<n / 256, 256>>>(a, b, stride); }\n");
    EXPECT_EQ(scalarOf(plan, 2), 1024u);
}

TEST(HostLaunch, whatIsLaunchedBehindAConditionThatNobodyKnowsIsComeTo)
{
    const std::string program = kCopy
        + "int main() { const int n = 512; std::vector<int> h; for (int i = 0; i < n; ++i) if (i % 2) h.push_back(n - i); int m = h.size(); int *a, *b; cudaMalloc(&a, m * 4); cudaMalloc(&b, m * 4);\n"
          "cudaMemcpy(a, h.data(), m * 4, cudaMemcpyHostToDevice); float error = atof(getenv(\"E\")); int it = 0;\n"
          "while (error > 0.5f && it < 10) { copy<<<(m + 63) / 64, 64>>>(a, b, m); ++it; } }\n";
    const LaunchPlan plan = launchOf(program);
    EXPECT_EQ(plan.grid.x, 4u);
    EXPECT_EQ(scalarOf(plan, 2), 256u);
    EXPECT_TRUE(std::get<BufferPlan>(plan.arguments.at(0)).host);
}

TEST(HostLaunch, aNumberThatFollowingDoesNotTellIsToldAsAGuess)
{
    const std::string program = kCopy + "bool odd(int x);\nint main() { int n = odd(3) ? 512 : 256; int *a, *b; cudaMalloc(&a, 2048); cudaMalloc(&b, 2048); copy<<<1, 64>>>(a, b, n); }\n";
    const auto spec = kernelOfFile(program, "/nowhere/odd.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto isOfTheChoice = [](const Guess& guess) { return guess.kind == Guess::Kind::Value && guess.taken == "512"; };
    EXPECT_EQ(std::ranges::count_if(spec->guesses, isOfTheChoice), 1);
}

TEST(HostLaunch, theLastLaunchIsFollowedWhereALambdaStandsInIt)
{
    const LaunchPlan plan = launchOf(kCopy
        + "void go(int m) { int *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); copy<<<m, 64>>>(a, b, m); }\n"
          "int main() { std::vector<int> v { 2, 4, 5 }; go(std::count_if(v.begin(), v.end(), [](int x) { return x % 2 == 0; }) + 7); }\n");
    EXPECT_EQ(plan.grid.x, 9u);
}

TEST(HostLaunch, classesOfObjectsKeepTheirNamespace)
{
    const std::string program = "#include <cuda_runtime.h>\nnamespace ops {\nstruct Relu { __device__ float operator()(float v) const { return v > 0 ? v : 0; } };\n"
                                "template <class Op> __global__ void act(float* x, int n, Op op) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = op(x[i]); }\n}\n"
                                "int main() { int n = 1024; float* x; cudaMalloc(&x, n * 4); ";
    EXPECT_EQ(launchOf(program + "ops::act<<<n / 256, 256>>>(x, n, ops::Relu{}); }").entry, "ops::act<ops::Relu>");
    EXPECT_EQ(launchOf(program + "ops::act<ops::Relu><<<n / 256, 256>>>(x, n, ops::Relu{}); }").entry, "ops::act<ops::Relu>");
}

TEST(HostLaunch, integersAndObjectsThatLookDrawnAtRandomAreTheProgramsOwn)
{
    const auto isOfHost = [](const std::string& program, std::size_t argument) { return bool(std::get<BufferPlan>(launchOf(program).arguments.at(argument)).host); };
    EXPECT_TRUE(isOfHost(kCopy + "int main() { const int m = 1024; std::vector<int> h(m); for (int i = 0; i < m; ++i) h[i] = i % 64; int *a, *b; cudaMalloc(&a, m * 4); cudaMalloc(&b, m * 4); cudaMemcpy(a, h.data(), m * 4, cudaMemcpyHostToDevice); copy<<<m / 256, 256>>>(a, b, m); }", 0));
    EXPECT_TRUE(isOfHost("#include <vector>\nstruct Edge { int src, dst; };\n__global__ void relax(const Edge* e, int* d, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m) atomicAdd(d + e[i].dst, e[i].src); }\n"
                         "int main() { const int m = 1024; std::vector<Edge> h(m); for (int i = 0; i < m; ++i) { h[i].src = i; h[i].dst = (i * 7) % m; } Edge* a; int* b; cudaMalloc(&a, m * sizeof(Edge)); cudaMalloc(&b, m * 4); cudaMemcpy(a, h.data(), m * sizeof(Edge), cudaMemcpyHostToDevice); relax<<<m / 256, 256>>>(a, b, m); }",
        0));
}

TEST(HostLaunch, aNumberThatIsNothingIsToldAsWell)
{
    const auto spec = kernelOfFile("#include <vector>\n__global__ void k(float* v, int first, int count) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < count) v[first + i] *= 2; }\n"
                                   "int main() { std::vector<int> off(3, 0); for (int i = 0; i < 2; ++i) off[i + 1] = off[i] + 1000 + i; float* v; cudaMalloc(&v, 16000);\n"
                                   "for (int c = 0; c < 2; ++c) { const int first = off[c], count = off[c + 1] - first; k<<<(count + 127) / 128, 128>>>(v, first, count); } }\n", "/nowhere/program.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_TRUE(spec->guesses.empty());
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(scalarOf(*plan, 1), 0u);
    EXPECT_EQ(scalarOf(*plan, 2), 1000u);
}

TEST(HostLaunch, isFoundBehindARecursionOfManySteps)
{
    const std::string trees = "static int deepest; void build(int lo, int hi, int depth) { if (hi - lo < 2) return; for (int d = 0; d < 3; ++d) if (depth > deepest) deepest = depth; build(lo, (lo + hi) / 2, depth + 1); build((lo + hi) / 2, hi, depth + 1); }\n"
                              "struct Node { int left, right; }; void walk(const Node* t, int at) { if (t[at].left < 0) return; walk(t, t[at].left); walk(t, t[at].right); }\n";
    const LaunchPlan plan = launchOf(kCopy + trees + "int main() { const int n = 4096; build(0, n, 0); Node h[64]; Node* t; cudaMalloc(&t, sizeof h); cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost); walk(h, 63);\n"
        "int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); copy<<<n / 256, 256>>>(a, b, n); }\n");
    EXPECT_EQ(plan.grid.x, 16u);
}

TEST(HostLaunch, stagesThatAreEmplacedWithTheirNamesAreCalled)
{
    const LaunchPlan plan = launchOf(kCopy + "#include <functional>\n#include <utility>\nint main() { const int n = 4096; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); std::vector<std::pair<const char*, std::function<void()>>> stages;\n"
        "stages.emplace_back(\"copy\", [&] { copy<<<n / 256, 256>>>(a, b, n); }); for (auto& [name, stage] : stages) stage(); }\n");
    EXPECT_EQ(plan.grid.x, 16u);
}

TEST(HostLaunch, theBlockThatOccupancyAsksForIsGuessed)
{
    const auto spec = kernelOfFile(kCopy + "int main() { const int n = 1 << 20; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); int blocks, threads; cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, copy, 0, 0);\n"
                                           "copy<<<blocks, threads>>>(a, b, n); }\n", "/nowhere/program.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    for (const char* name : { "blocks", "threads" })
        EXPECT_TRUE(std::ranges::any_of(spec->guesses, [&](const Guess& guess) { return guess.what == name; })) << name;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->block.x, 1024u);
    EXPECT_EQ(plan->grid.x, 264u);
}

TEST(HostLaunch, occupancyAsksForNoBlockAboveItsLimit)
{
    const auto spec = kernelOfFile(kCopy + "int main() { const int n = 1 << 20; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); int blocks, threads; cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, copy, 0, 256);\n"
                                           "copy<<<(n + threads - 1) / threads, threads>>>(a, b, n); }\n", "/nowhere/program.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_FALSE(std::ranges::any_of(spec->guesses, [](const Guess& guess) { return guess.what == "threads"; }));
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->block.x, 256u);
    EXPECT_EQ(plan->grid.x, 4096u);
}

TEST(HostLaunch, aStructureThatMayHoldIndicesHoldsNoRandomBits)
{
    const auto spec = kernelOfFile("struct Edge { int to; float w; };\nstruct Point { float x, y; };\n__global__ void k(const Edge* e, const Point* p, float* v, int n) { int i = threadIdx.x; v[i] = p[e[i].to].x * e[i].w; }\n"
                                   "int main() { const int n = 256; Edge* e; Point* p; float* v; cudaMalloc(&e, n * sizeof(Edge)); cudaMalloc(&p, n * sizeof(Point)); cudaMalloc(&v, n * 4); readEdges(e); readPoints(p); k<<<1, n>>>(e, p, v, n); }\n",
        "/nowhere/program.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    ASSERT_EQ(spec->guesses.size(), 1u);
    EXPECT_EQ(spec->guesses[0].what, "e");
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments.at(0)).fill.kind, FillKind::Zero);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments.at(1)).fill.kind, FillKind::Random);
}

TEST(HostLaunch, twoLaunchesOfAKernelHaveNamesOfTheirOwn)
{
    const std::string program = kCopy + "struct Buffer { int* p; Buffer(int n) { cudaMalloc(&p, n * 4); } operator int*() const { return p; } };\nint main() { int *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096);\ncopy<<<4, 256>>>(a, b, 1024);\nBuffer c(128);\ncopy<<<1, 128>>>(c, a, 128); }\n";
    const auto read = programKernels(program, "program.cu", "/nowhere/program.cu", {});
    ASSERT_TRUE(read) << read.error().detail;
    std::vector<std::string> titles;
    for (const KernelSpec& kernel : read->kernels)
        titles.push_back(kernel.title.en);
    ASSERT_EQ(titles, (std::vector<std::string> { "copy", "copy (line 9)" }));
    EXPECT_EQ(launchOf(program, {}, "copy (line 9)").grid.x, 1u);
}

TEST(HostLaunch, theProgramsOwnOperatorsAreFollowed)
{
    const std::string program = "#include <cmath>\n#define HD inline __host__ __device__\n"
                                "HD float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }\n"
                                "HD float3 operator*(float s, const float3& a) { return make_float3(a.x * s, a.y * s, a.z * s); }\n"
                                "HD float3 operator-(const float3& a) { return make_float3(-a.x, -a.y, -a.z); }\n"
                                "HD void operator+=(float3& a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }\n"
                                "HD float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }\n"
                                "template <class T> struct Pair { T x, y; Pair operator+(const Pair& o) const { return { x + o.x, y + o.y }; }\n"
                                "    Pair& operator*=(T s) { x *= s; y *= s; return *this; } bool operator==(const Pair& o) const { return x == o.x && y == o.y; } };\n"
                                "struct Scene { float3 eye, back, sum, unit; Pair<float> pair; };\n"
                                "__global__ void draw(float* p, Scene s) { p[threadIdx.x] = s.eye.x + s.back.x + s.sum.x + s.unit.x + s.pair.x; }\n"
                                "int main() { float* p; cudaMalloc(&p, 1024); Scene s; float3 u = make_float3(1, 2, 2);\n"
                                "    s.eye = u + 2.0f * u; s.back = -u; s.sum = u; s.sum += s.eye; s.unit = rsqrtf(dot(u, u)) * u;\n"
                                "    Pair<float> v{1.5f, 2.5f}; v = v + v; v *= 2.0f; s.pair = v; int threads = 256; if (v == s.pair) threads = 128;\n"
                                "    draw<<<1, threads>>>(p, s); }\n";
    const LaunchPlan plan = launchOf(program);
    EXPECT_EQ(plan.block.x, 128u);
    std::vector<float> members;
    for (const ArgumentPart& part : partsOf(plan.arguments.at(1)))
        if (part.scalar)
            members.push_back(std::bit_cast<float>(std::uint32_t(part.scalar->bits)));
    const std::vector<float> expected { 3, 6, 6, -1, -2, -2, 4, 8, 8, 1.0f / 3, 2.0f / 3, 2.0f / 3, 6, 10 };
    ASSERT_EQ(members.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(members[i], expected[i], 1e-6f) << i;
}

TEST(HostLaunch, tablesWhoseMembersLoopsSetAreWhatTheHostComputes)
{
    const auto constantsOf = [](const std::string& loop) {
        const std::string program = "#include <vector>\n#include <cuda_runtime.h>\nconstexpr int kRows = 80, kCols = 513;\n__constant__ int2 ranges[kRows];\n"
                                    "__global__ void k(float* p) { p[threadIdx.x] = ranges[threadIdx.x].x; }\n"
                                    "int main() { std::vector<int2> h(kRows); for (int m = 0; m < kRows; ++m) { " + loop + " }\n"
                                    "    cudaMemcpyToSymbol(ranges, h.data(), kRows * sizeof(int2)); float* p; cudaMalloc(&p, 320); k<<<1, kRows>>>(p); }\n";
        return launchOf(program);
    };
    for (const char* loop : { "h[m].x = m; h[m].y = m + 5;", "h[m] = make_int2(kCols, 0); for (int b = m; b < m + 5; ++b) { if (b < h[m].x) h[m].x = b; h[m].y = b + 1; }" }) {
        const LaunchPlan plan = constantsOf(loop);
        EXPECT_LE(plan.parameters.size(), 2u) << loop << ": no number of a table is a parameter";
        std::string values;
        for (const auto& [name, value] : plan.constants)
            values += name + " = " + value + ";";
        EXPECT_TRUE(values.find("{ 0, 5 }, { 1, 6 }") != values.npos || values.find("{0, 5}, {1, 6}") != values.npos || values.find("0, 5, 1, 6") != values.npos) << loop << values.substr(0, 200);
    }
}

TEST(HostLaunch, asManyBlocksFitAsAnSmHasRegistersFor)
{
    if (!Nvrtc::instance())
        GTEST_SKIP() << "only NVRTC makes machine code";
    // 64 sums of each thread at once: more than the 32 registers that 2,048 threads would leave it.
    const std::string program = "#include <cuda_runtime.h>\n__global__ void many(const float* x, float* y, int n) { float s[64];\n#pragma unroll\n for (int i = 0; i < 64; ++i) s[i] = x[i * n + threadIdx.x];\n"
                                "    for (int j = 1; j < n; ++j)\n#pragma unroll\n for (int i = 0; i < 64; ++i) s[i] = s[i] * x[j] + s[(i + 1) % 64];\n"
                                "    float t = 0;\n#pragma unroll\n for (int i = 0; i < 64; ++i) t += s[i];\n y[blockIdx.x * blockDim.x + threadIdx.x] = t; }\n"
                                "int main() { const int threads = 256; int perSm; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, many, threads, 0);\n"
                                "    float *x, *y; cudaMalloc(&x, 64 * 1024 * 4); cudaMalloc(&y, 1 << 24); many<<<132 * perSm, threads>>>(x, y, 1024); }\n";
    const LaunchPlan plan = launchOf(program);
    const auto prediction = predict(plan, { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    const auto& occupancy = *prediction->result.occupancy;
    EXPECT_EQ(occupancy.limiter, "registers");
    EXPECT_EQ(plan.grid.x, 132 * std::uint32_t(occupancy.blocksPerSm));
    EXPECT_LT(plan.grid.x, 132 * 8u);
}

TEST(HostLaunch, constantsStayWhereAStatementIsNotUnderstood)
{
    const LaunchPlan plan = launchOf(kCopy
        + "constexpr int kN = 640;\nint main() { const int m = kN / 2; int *a, *b; cudaMalloc(&a, kN * 4); cudaMalloc(&b, kN * 4); Unknown z(kN, m), y = kN + m;\n"
          "auto go = [n = kN, m, a, b](int) { copy<<<n / 64 + m / 32, 64>>>(a, b, n); }; go(1); }\n");
    EXPECT_EQ(plan.grid.x, 20u);
    EXPECT_EQ(scalarOf(plan, 2), 640u);
}

TEST(HostLaunch, memoryOfThreeDimensionsHasItsPitch)
{
    const LaunchPlan plan = launchOf("#include <vector>\n__global__ void add(cudaPitchedPtr volume, int n) { ((float*)((char*)volume.ptr + blockIdx.x * volume.pitch))[threadIdx.x] += n; }\n"
                                     "class Volume { cudaPitchedPtr m_memory {}; cudaExtent m_extent {};\npublic:\n"
                                     "    Volume(size_t w, size_t h, size_t d) : m_extent(make_cudaExtent(w * sizeof(float), h, d)) { cudaMalloc3D(&m_memory, m_extent); cudaMemset3D(m_memory, 0, m_extent); }\n"
                                     "    cudaPitchedPtr get() const { return m_memory; } };\n"
                                     "int main() { Volume volume(150, 20, 3); add<<<20 * 3, 128>>>(volume.get(), 7); }\n");
    const auto& memory = std::get<StructPlan>(plan.arguments.at(0));
    const auto numberOf = [&](std::size_t member) { return std::get<ScalarPlan>(memory.members.at(member).value).bits; };
    EXPECT_EQ(std::get<BufferPlan>(memory.members.at(0).value).count, 1024u / 4 * 20 * 3);
    EXPECT_EQ(numberOf(1), 1024u);
    EXPECT_EQ(numberOf(2), 600u);
    EXPECT_EQ(numberOf(3), 20u);
    EXPECT_TRUE(plan.guesses.empty());
}

TEST(HostLaunch, whatAnObjectHoldsThatOnlyFollowingKnowsIsTold)
{
    const LaunchPlan plan = launchOf("#include <map>\n#include <string>\n#include <variant>\nstruct Put { float strike; int kind; };\nstruct Call { float strike; };\n"
                                     "template <class P> __global__ void pay(float* cash, P payoff) { cash[threadIdx.x] = payoff.strike; }\n"
                                     "struct Pricer { float* cash; Pricer() { cudaMalloc(&cash, 4096); } template <class P> void price(const P& payoff) { pay<<<2, 64>>>(cash, payoff); } };\n"
                                     "int main() { const std::map<std::string, std::variant<Put, Call>> book = { { \"a\", Put { 40.5f, 3 } } }; Pricer pricer;\n"
                                     "for (const auto& [name, payoff] : book) std::visit([&](const auto& p) { pricer.price(p); }, payoff); }\n");
    const auto& payoff = std::get<StructPlan>(plan.arguments.at(1));
    EXPECT_EQ(plan.entry, "pay<Put>");
    EXPECT_EQ(std::bit_cast<float>(std::uint32_t(std::get<ScalarPlan>(payoff.members.at(0).value).bits)), 40.5f);
    EXPECT_EQ(std::get<ScalarPlan>(payoff.members.at(1).value).bits, 3u);
}

TEST(HostLaunch, aTypeIsWhatTheObjectThatIsVisitedCallsSo)
{
    const std::string fill = "#include <type_traits>\n#include <variant>\n#include <vector>\ntemplate <class T> __global__ void fill(T* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = T(n); }\n"
                             "template <class T> struct Model { T* x {}; int n; explicit Model(int size) : n(size) { cudaMalloc(&x, n * sizeof(T)); } void run() { fill<T><<<1, 64>>>(x, n); } };\n";
    const std::string visit = "std::visit([&](auto tag) { using T = typename decltype(tag)::type; Model<T>(40).run(); }, precision);";
    const LaunchPlan ofLibrary = launchOf(fill + "int main() { using Precision = std::variant<std::type_identity<float>, std::type_identity<double>>;\n"
                                                 "std::vector<std::pair<int, Precision>> runs = { { 3, std::type_identity<double> {} } }; for (const auto& [cfg, precision] : runs) " + visit + " }\n");
    EXPECT_EQ(ofLibrary.entry, "fill<double>");
    EXPECT_EQ(countOf(ofLibrary, 0), 40u);
    const LaunchPlan own = launchOf(fill + "struct Short { using type = short; }; struct Long { using type = long long; };\nint main() { std::variant<Long, Short> precision = Short {}; " + visit + " }\n");
    EXPECT_EQ(own.entry, "fill<short>");
}

TEST(HostLaunch, aSmartPointerIsMadeOfAListWithWhatDeletes)
{
    const LaunchPlan plan = launchOf(kCopy
        + "template <class T> std::shared_ptr<T> made(size_t n) { T* raw {}; cudaMalloc(&raw, n * sizeof(T)); return { raw, [](T* p) { cudaFree(p); } }; }\n"
          "int main() { auto a = made<int>(300), b = made<int>(500); copy<<<1, 64>>>(a.get(), b.get(), 64); }\n");
    EXPECT_EQ(std::get<BufferPlan>(plan.arguments.at(0)).count, 300u);
    EXPECT_EQ(std::get<BufferPlan>(plan.arguments.at(1)).count, 500u);
}
