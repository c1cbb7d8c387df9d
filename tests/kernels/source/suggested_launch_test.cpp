// SPDX-License-Identifier: Apache-2.0
// Kernels that nobody launches, as they stand in posts and libraries: what people launch them with is what the program suggests.
#include "kernels/source/suggested_launch.h"

#include "kernels/experiment/predict.h"
#include "kernels/source/program_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::kernels {
namespace {

LaunchPlan suggested(const std::string& source, const ParameterValues& values = {}, const std::string& entry = {})
{
    const auto spec = kernelOfFile(source, "/nowhere/snippet.cu", entry);
    EXPECT_TRUE(spec) << spec.error().detail << source;
    if (!spec)
        return {};
    EXPECT_EQ(spec->source, source) << "what is compiled is what the user wrote";
    EXPECT_TRUE(std::ranges::any_of(spec->guesses, [](const Guess& guess) { return guess.kind == Guess::Kind::Launch; })) << "it is told";
    auto plan = planLaunch(*spec, values);
    EXPECT_TRUE(plan) << plan.error().detail;
    return plan ? *std::move(plan) : LaunchPlan {};
}

std::vector<std::uint64_t> countsOf(const LaunchPlan& plan)
{
    std::vector<std::uint64_t> counts;
    for (const Argument& argument : plan.arguments)
        if (const auto* const buffer = std::get_if<BufferPlan>(&argument))
            counts.push_back(buffer->count);
    return counts;
}

/// Nothing is read or written outside of what there is.
void expectInside(const LaunchPlan& plan)
{
    const auto prediction = predict(plan, { .verify = false, .registers = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    for (const analysis::Hazard& hazard : prediction->result.hazards)
        EXPECT_TRUE(hazard.kind == analysis::HazardKind::Uninitialised || hazard.detail.find("guessed") == std::string::npos) << hazard.detail;
    EXPECT_GT(prediction->result.metrics.get(analysis::Metric::GlobalLoadSectors).value_or(0), 0);
}

using Shape = analysis::Dim3;

TEST(SuggestedLaunch, hasSizesWithWhichABlockIsExecutedSoon)
{
    const LaunchPlan plan = suggested("__global__ void sums(const float* x, float* s, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
                                      "    float sum = x[i];\n    for (int j = 0; j < n; ++j)\n        for (int k = 0; k < n; ++k)\n            sum = sum * 0.5f + k;\n    s[i] = sum;\n}\n");
    ASSERT_EQ(countsOf(plan).size(), 2u);
    EXPECT_LT(countsOf(plan)[1], 1048576u);
    EXPECT_GE(countsOf(plan)[1], 64u);
    EXPECT_EQ(countsOf(plan)[0], countsOf(plan)[1]);
}

TEST(SuggestedLaunch, hasSizesForConstantsAndBehindPointers)
{
    const std::string kernel = "__constant__ int rows, cols;\n__global__ void scale(float* x, const float* by)\n{\n    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;\n"
                               "    if (c < cols && r < rows) x[r * cols + c] *= by[c];\n}\n";
    EXPECT_EQ(countsOf(suggested(kernel)), (std::vector<std::uint64_t> { 8 * 1024, 1024 })) << "of which eight rows have blocks";
    EXPECT_EQ(countsOf(suggested(kernel, { { "cols", "500" } })), (std::vector<std::uint64_t> { 8 * 500, 500 }));
    const LaunchPlan pointed = suggested("__global__ void fill(float* x, const int* n)\n{\n    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < *n; i += gridDim.x * blockDim.x) x[i] = 1;\n}\n");
    EXPECT_EQ(countsOf(pointed), (std::vector<std::uint64_t> { 1048576, 1 }));
    expectInside(pointed);
}

TEST(SuggestedLaunch, eachInstantiationOfATemplateIsAKernelWithWhatTheFileGivesIt)
{
    const auto entriesOf = [](const std::string& source) {
        std::vector<std::string> entries;
        const auto program = programKernels(source, "k.cu", "/nowhere/k.cu");
        for (const KernelSpec& kernel : program->kernels)
            entries.push_back(kernel.title.en);
        return entries;
    };
    const std::string body = "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = F::of(a[i]); }\n";
    const std::string twice = "struct Twice { template <class T> static __device__ T of(T x) { return 2 * x; } };\n";
    EXPECT_EQ(entriesOf("namespace lib { " + twice + "using Double = Twice;\ntemplate <class F, class T> __global__ void k(T* a, int n) " + body
                  + "template __global__ void k<Double, float>(float*, int);\ntemplate __global__ void k<Double, unsigned>(unsigned*, int); }\n"),
        (std::vector<std::string> { "lib::k<lib::Twice,float>", "lib::k<lib::Twice,unsigned>" }));
    EXPECT_EQ(entriesOf("template <class T> __global__ void k(T* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }\ntemplate __global__ void k(double*, int);\n"),
        std::vector<std::string> { "k<double>" });
    EXPECT_EQ(entriesOf(twice + "template <class F> __global__ void k(float* a, int n) " + body + "template <class F> __global__ void other(float* a, int n) " + body + "template __global__ void other<Twice>(float*, int);\n"),
        (std::vector<std::string> { "k<Twice>", "other<Twice>" })) << "float has no 'of'";
}

TEST(SuggestedLaunch, gridsFollowTheThreadsThatShareARow)
{
    const auto planOf = [](const std::string& source, const ParameterValues& values) { return suggested(source, values); };
    const std::string warps = "__global__ void k(float* a, int rows) { int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32; if (r < rows) a[r * 32 + threadIdx.x % 32] = 1; }\n";
    EXPECT_EQ(planOf(warps, { { "rows", "4096" } }).grid.x, 512u);
    EXPECT_EQ(planOf(warps, { { "rows", "4096" }, { "block_x", "128" } }).grid.x, 1024u);
    const std::string halves = "__global__ void k(float* a, int rows) { int r = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16; if (r < rows) a[r * 16 + threadIdx.x % 16] = 1; }\n";
    EXPECT_EQ(planOf(halves, { { "rows", "8192" }, { "block_x", "128" } }).grid.x, 1024u);
    const std::string planes = "__global__ void k(float* o, int nx, int ny, int nz) { int x = blockIdx.x * 32 + threadIdx.x, z = blockIdx.y * 8 + threadIdx.y, y = blockIdx.z; if (x < nx && z < nz) o[(z * ny + y) * nx + x] = 1; }\n";
    EXPECT_EQ(planOf(planes, { { "ny", "100" } }).grid.z, 100u);
    const std::string bags = "__global__ void k(const float4* t, const int* idx, float4* out, int bags) { int b = blockIdx.x * blockDim.y + threadIdx.y; if (b < bags) out[b * 32 + threadIdx.x] = t[idx[b] * 32 + threadIdx.x]; }\n";
    EXPECT_EQ(planOf(bags, {}).block.x, 32u);
    const std::string lanes = "__global__ void k(const float* a, float* b, int n) { int lane = threadIdx.x, row = lane >> 2; b[blockIdx.x * n + row * 8 + (lane & 3)] = a[lane]; }\n";
    EXPECT_EQ(planOf(lanes, {}).block.x, 32u);
    EXPECT_EQ(planOf(lanes, { { "blocks_x", "77" } }).grid.x, 77u) << "of which the code says nothing";
}

TEST(SuggestedLaunch, theBlocksSizesCanBeSetWhereTheGridFollowsThemOrNothingSaysWhatItIs)
{
    const std::string bags = "__global__ void k(const float4* t, const int* idx, float4* out, int bags) { int b = blockIdx.x * blockDim.y + threadIdx.y; if (b < bags) out[b * 32 + threadIdx.x] = t[idx[b] * 32 + threadIdx.x]; }\n";
    const LaunchPlan four = suggested(bags, { { "bags", "4096" }, { "block_y", "4" } });
    EXPECT_EQ(four.block.y, 4u);
    EXPECT_EQ(four.grid.x, 1024u);
    EXPECT_EQ(four.grid.y, 1u);
    const std::string reversed = "__global__ void k(unsigned* a, int log_n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x, r = __brev(i) >> (32 - log_n); if (i < r && i < (1u << log_n)) { unsigned t = a[i]; a[i] = a[r]; a[r] = t; } }\n";
    const LaunchPlan plan = suggested(reversed, { { "log_n", "16" }, { "block_x", "128" }, { "blocks_x", "512" } });
    EXPECT_EQ(countsOf(plan), std::vector<std::uint64_t> { 65536 }) << "two to the power of it";
    EXPECT_EQ(plan.block.x, 128u);
    EXPECT_EQ(plan.grid.x, 512u);
    expectInside(plan);
}

TEST(SuggestedLaunch, aConstantThatIsTheBlocksSizeStaysIt)
{
    const std::string body = "__global__ void k(float* a, int n) { int i = blockIdx.x * BLOCK + threadIdx.x; if (i < n) a[i] = 1; }\n";
    for (const std::string& constant : { std::string("#define BLOCK 256\n"), std::string("constexpr int BLOCK = 256;\n") }) {
        const LaunchPlan plan = suggested(constant + body, { { "BLOCK", "512" } });
        EXPECT_EQ(plan.block.x, 512u) << constant;
        EXPECT_EQ(plan.grid.x, 2048u) << constant;
    }
    const LaunchPlan own = suggested("__global__ void k(float* a, int n) { constexpr int BLOCK = 128; int i = blockIdx.x * BLOCK + threadIdx.x; if (i < n) a[i] = 1; }\n");
    EXPECT_EQ(own.block.x, 128u) << "which nobody else sees";
}

TEST(SuggestedLaunch, blocksAreAsLargeAsBoundsAndTilesAllow)
{
    EXPECT_EQ(suggested("#define FRAME 1024\n__global__ void __launch_bounds__(FRAME / 4) k(const float* s, float* f, int hop) { for (int i = threadIdx.x; i < FRAME; i += blockDim.x) f[blockIdx.x * FRAME + i] = s[blockIdx.x * hop + i]; }\n").block.x, 256u);
    const LaunchPlan halo = suggested("__global__ void k(const float* p, float* q, int nx, int ny) { __shared__ float s[16][32]; int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y + 4;\n"
                                      "s[threadIdx.y + 4][threadIdx.x] = p[y * nx + x]; if (threadIdx.y < 4) { s[threadIdx.y][threadIdx.x] = p[(y - 4) * nx + x]; s[threadIdx.y + 12][threadIdx.x] = p[(y + 8) * nx + x]; }\n"
                                      "__syncthreads(); float a = 0; for (int k = -4; k <= 4; ++k) a += s[threadIdx.y + 4 + k][threadIdx.x]; q[y * nx + x] = a; }\n");
    EXPECT_EQ(halo.block.y, 8u) << "what four rows of threads do besides says nothing of the others";
}

TEST(SuggestedLaunch, keepsItsSizesWhereAKernelNeverEnds)
{
    const LaunchPlan plan = suggested("__global__ void find(const unsigned* keys, const unsigned* wanted, int* places, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                      "    if (i >= n) return;\n    unsigned place = i;\n    while (keys[place] != wanted[i] + 1)\n        place = (place + 1) & 1023;\n    places[i] = place;\n}\n");
    ASSERT_EQ(countsOf(plan).size(), 3u);
    EXPECT_EQ(countsOf(plan)[2], 1048576u);
}

TEST(SuggestedLaunch, whereBlocksBehindHaveNothingToDoEndsWithTheLastThatHas)
{
    const LaunchPlan plan = suggested("template <int Lanes> __global__ void sums(float* out, const float* in, int rows, int cols)\n{\n"
                                      "    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes, lane = threadIdx.x % Lanes;\n    float s = 0;\n"
                                      "    if (row < rows)\n        for (int c = lane; c < cols; c += Lanes)\n            s += in[row * cols + c];\n"
                                      "    for (int o = Lanes / 2; o; o >>= 1)\n        s += __shfl_xor_sync(~0u, s, o, Lanes);\n    if (row < rows && lane == 0)\n        out[row] = s;\n}\n"
                                      "template __global__ void sums<8>(float*, const float*, int, int);\n");
    EXPECT_EQ(plan.grid, (Shape { 32, 1, 1 }));
    EXPECT_EQ(countsOf(plan), (std::vector<std::uint64_t> { 1024, 1024 * 1024 }));
    expectInside(plan);
}

TEST(SuggestedLaunch, ofATemplateInANamespaceMayHaveATruthForAnArgument)
{
    const LaunchPlan plan = suggested("namespace rs {\ntemplate <int N, bool Twice> __global__ void scale(float* x) { x[blockIdx.x * N + threadIdx.x] *= Twice ? 2 : 3; }\n"
                                      "template __global__ void scale<96, true>(float*);\n}\n");
    expectInside(plan);
}

TEST(SuggestedLaunch, aListsStrideIsBetweenItsElements)
{
    const LaunchPlan plan = suggested("__global__ void strided(const float* x, float* y, int n, int stride)\n{\n    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;\n"
                                      "    if (i < n) y[i] = x[i];\n}\n");
    EXPECT_EQ(countsOf(plan), (std::vector<std::uint64_t> { 1048576, 1048576 }));
    EXPECT_EQ(plan.grid, (Shape { 2048, 1, 1 }));
    expectInside(plan);
}

TEST(SuggestedLaunch, ofBlocksThatWaitForEachOtherHasOneForEachSm)
{
    const LaunchPlan plan = suggested("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                                      "__global__ void smooth(float* x, float* y, int n)\n{\n    cg::grid_group grid = cg::this_grid();\n"
                                      "    for (int i = grid.thread_rank(); i < n; i += grid.size())\n        y[i] = 2 * x[i];\n    grid.sync();\n"
                                      "    for (int i = grid.thread_rank(); i < n; i += grid.size())\n        x[i] = y[i ^ 1];\n}\n");
    EXPECT_EQ(plan.grid, (Shape { 132, 1, 1 }));
    expectInside(plan);
}

TEST(SuggestedLaunch, ofAnElementAThreadHasAsManyThreadsAsElements)
{
    const std::string source = "__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y)\n"
                               "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n";
    const LaunchPlan plan = suggested(source);
    EXPECT_EQ(plan.block, (Shape { 256, 1, 1 }));
    EXPECT_EQ(countsOf(plan), (std::vector<std::uint64_t> { 1048576, 1048576 }));
    expectInside(plan);
    const LaunchPlan smaller = suggested(source, { { "n", "1000" }, { "block_x", "128" } });
    EXPECT_EQ(smaller.grid, (Shape { 8, 1, 1 })) << "and follows what the user changes";
    EXPECT_EQ(countsOf(smaller), (std::vector<std::uint64_t> { 1000, 1000 }));
}

TEST(SuggestedLaunch, ofATileHasTheTilesBlock)
{
    const std::string source = "#define TILE 16\n__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)\n{\n"
                               "    __shared__ float As[TILE][TILE], Bs[TILE][TILE + 1];\n"
                               "    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;\n    float sum = 0;\n"
                               "    for (int t = 0; t < (K + TILE - 1) / TILE; t++) {\n"
                               "        As[threadIdx.y][threadIdx.x] = row < M && t * TILE + threadIdx.x < K ? A[row * K + t * TILE + threadIdx.x] : 0;\n"
                               "        Bs[threadIdx.y][threadIdx.x] = col < N && t * TILE + threadIdx.y < K ? B[(t * TILE + threadIdx.y) * N + col] : 0;\n"
                               "        __syncthreads();\n        for (int k = 0; k < TILE; k++) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];\n        __syncthreads();\n    }\n"
                               "    if (row < M && col < N) C[row * N + col] = sum;\n}\n";
    const LaunchPlan plan = suggested(source, { { "M", "96" }, { "N", "160" }, { "K", "224" } });
    EXPECT_EQ(plan.block, (Shape { 16, 16, 1 }));
    EXPECT_EQ(plan.grid, (Shape { 10, 6, 1 }));
    EXPECT_EQ(countsOf(plan), (std::vector<std::uint64_t> { 96 * 224, 224 * 160, 96 * 160 }));
    expectInside(plan);
}

TEST(SuggestedLaunch, withoutGuardsHasTheBlocksOfWholeTiles)
{
    const std::string source = "#define BM 64\n#define BN 128\n"
                               "extern \"C\" __global__ void __launch_bounds__(256) copyTiles(const float4* in, float* out, int M, int N)\n{\n"
                               "    for (int i = threadIdx.x; i < BM * BN / 4; i += 256) {\n        int r = i / (BN / 4), c = i % (BN / 4);\n"
                               "        float4 v = in[((blockIdx.y * BM + r) * N + blockIdx.x * BN) / 4 + c];\n"
                               "        float* to = out + (blockIdx.y * BM + r) * N + blockIdx.x * BN + c * 4;\n        to[0] = v.x; to[1] = v.y; to[2] = v.z; to[3] = v.w;\n    }\n}\n";
    const LaunchPlan plan = suggested(source, { { "M", "256" }, { "N", "512" } });
    EXPECT_EQ(plan.block, (Shape { 256, 1, 1 }));
    EXPECT_EQ(plan.grid.x, 4u);
    EXPECT_EQ(countsOf(plan)[1], 256u * 512u);
    expectInside(plan);
}

TEST(SuggestedLaunch, ofARowABlockHasAsManyBlocksAsTheParameterThatTheCodeDoesNotUse)
{
    const std::string source = "template <typename T> __device__ T sumOf(T v, T* part)\n{\n    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);\n"
                               "    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;\n    __syncthreads();\n    T all = 0;\n    for (int w = 0; w < 4; ++w) all += part[w];\n    return all;\n}\n"
                               "template <typename T> __global__ void softmax(T* out, const T* in, int rows, int cols)\n{\n    __shared__ T part[4];\n    T sum = 0;\n"
                               "    for (int c = threadIdx.x; c < cols; c += 128) sum += exp(in[blockIdx.x * cols + c]);\n    sum = sumOf(sum, part);\n"
                               "    for (int c = threadIdx.x; c < cols; c += 128) out[blockIdx.x * cols + c] = exp(in[blockIdx.x * cols + c]) / sum;\n}\n"
                               "template __global__ void softmax<double>(double*, const double*, int, int);\n";
    const LaunchPlan plan = suggested(source, { { "rows", "48" }, { "cols", "1000" } });
    EXPECT_EQ(plan.entry, "softmax<double>") << "its instantiation";
    EXPECT_EQ(plan.block, (Shape { 128, 1, 1 }));
    EXPECT_EQ(plan.grid, (Shape { 48, 1, 1 }));
    EXPECT_EQ(countsOf(plan), (std::vector<std::uint64_t> { 48000, 48000 }));
    expectInside(plan);
}

TEST(SuggestedLaunch, hasTheDynamicSharedMemoryThatTheKernelTouches)
{
    const std::string source = "extern __shared__ float line[];\n__global__ void reverseRows(float* data, int rows, int width)\n{\n    int row = blockIdx.x;\n    if (row >= rows) return;\n"
                               "    for (int i = threadIdx.x; i < width; i += blockDim.x) line[i] = data[row * width + i];\n    __syncthreads();\n"
                               "    for (int i = threadIdx.x; i < width; i += blockDim.x) data[row * width + i] = line[width - 1 - i];\n}\n";
    const LaunchPlan plan = suggested("__global__ void reverseRows(float* data, int rows, int width);\n" + source, { { "rows", "10" }, { "width", "700" } });
    EXPECT_EQ(plan.grid, (Shape { 10, 1, 1 }));
    const LaunchPlan inside = suggested("__global__ void reverseRows(float* data, int rows, int width)\n{\n    extern __shared__ float line[];\n" + source.substr(source.find("    int row")), { { "rows", "10" }, { "width", "700" } });
    EXPECT_EQ(inside.dynamicSharedBytes, 2800u);
    expectInside(inside);
}

TEST(SuggestedLaunch, ofACommentIsTakenAsItStands)
{
    const std::string source = "// launched as:  blur<<<dim3(width / 24, height / 8), dim3(24, 8)>>>(src, dst, width, height)\n"
                               "__global__ void blur(const unsigned char* src, unsigned char* dst, int width, int height)\n{\n"
                               "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n    dst[y * width + x] = src[y * width + x] / 2;\n}\n";
    const LaunchPlan plan = suggested(source, { { "width", "480" }, { "height", "80" } });
    EXPECT_EQ(plan.block, (Shape { 24, 8, 1 }));
    EXPECT_EQ(plan.grid, (Shape { 20, 10, 1 }));
    EXPECT_EQ(countsOf(plan), (std::vector<std::uint64_t> { 480 * 80, 480 * 80 }));
}

TEST(SuggestedLaunch, ofACommentAboveTheKernelNeedsNoName)
{
    const LaunchPlan plan = suggested("// sums of pairs   <<<80, 128>>>\n__global__ void pairs(const float2* x, float* s, int count)\n{\n"
                                      "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)\n        s[i] = x[i].x + x[i].y;\n}\n");
    EXPECT_EQ(plan.grid, (Shape { 80, 1, 1 }));
    EXPECT_EQ(plan.block, (Shape { 128, 1, 1 }));
}

TEST(SuggestedLaunch, ofACommentHasANumberForTheOneNameThatSaysHowManyBlocks)
{
    const std::string source = "// One block a token: <<<tokens, 256>>>\n__global__ void norms(const float* x, float* s, int hidden)\n{\n    float sum = 0;\n"
                               "    for (int i = threadIdx.x; i < hidden; i += blockDim.x)\n        sum += x[blockIdx.x * hidden + i];\n    atomicAdd(s + blockIdx.x, sum);\n}\n";
    EXPECT_EQ(suggested(source, { { "tokens", "77" }, { "hidden", "1000" } }).grid, (Shape { 77, 1, 1 }));
}

TEST(SuggestedLaunch, ofRowsWhoseNumberNothingTellsHasShortOnes)
{
    const LaunchPlan plan = suggested("__global__ void norms(const float* x, float* s, int width)\n{\n    float sum = 0;\n"
                                      "    for (int i = threadIdx.x; i < width; i += blockDim.x)\n        sum += x[blockIdx.x * width + i];\n    atomicAdd(s + blockIdx.x, sum);\n}\n");
    EXPECT_EQ(countsOf(plan)[0], 256u * 1024);
}

TEST(SuggestedLaunch, followsASizeWhoseTypeHasANameOfTheFiles)
{
    for (const char* type : { "typedef unsigned int Index;", "using Index = std::uint32_t;", "typedef long long Index;" }) {
        const std::string source = std::string("#include <cstdint>\n") + type + "\n__global__ void set(float* x, Index n)\n{\n    Index i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] = 1;\n}\n";
        EXPECT_EQ(suggested(source, { { "n", "5000" } }).grid, (Shape { 20, 1, 1 })) << type;
    }
}

TEST(SuggestedLaunch, followsTheRanksOfABlocksGroup)
{
    const std::string source = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void set(float* a, int n)\n{\n    auto b = cg::this_thread_block();\n"
                               "    int i = b.group_index().x * b.size() + b.thread_rank();\n    if (i < n) a[i] = 1;\n}\n";
    EXPECT_EQ(suggested(source, { { "n", "5000" } }).grid, (Shape { 20, 1, 1 }));
}

TEST(SuggestedLaunch, hasABlockForEachPartOfWhichTheLastIsShorter)
{
    const std::string source = "__global__ void part(const float* in, float* out, int n)\n{\n    const int first = blockIdx.x * 512, count = min(512, n - first);\n"
                               "    for (int i = threadIdx.x; i < count; i += blockDim.x) out[first + i] = in[first + i];\n}\n";
    EXPECT_EQ(suggested(source, { { "n", "1000000" } }).grid, (Shape { 1954, 1, 1 }));
}

TEST(SuggestedLaunch, ofATileWhoseRowsAreReadInALoopHasItsBlock)
{
    const LaunchPlan plan = suggested("template <int W> __global__ void common(const unsigned long long* p, int n, float* s)\n{\n"
                                      "    __shared__ unsigned long long a[16][W + 1], b[16][W + 1];\n    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
                                      "    for (int w = threadIdx.x; w < W; w += 16) {\n        const int ra = blockIdx.y * 16 + threadIdx.y, rb = blockIdx.x * 16 + threadIdx.y;\n"
                                      "        a[threadIdx.y][w] = ra < n ? p[(size_t)ra * W + w] : 0;\n        b[threadIdx.y][w] = rb < n ? p[(size_t)rb * W + w] : 0;\n    }\n"
                                      "    __syncthreads();\n    if (x >= n || y >= n) return;\n    int both = 0;\n"
                                      "    for (int w = 0; w < W; w++) both += __popcll(a[threadIdx.y][w] & b[threadIdx.x][w]);\n    s[(size_t)y * n + x] = both;\n}\n"
                                      "template __global__ void common<16>(const unsigned long long*, int, float*);\n");
    EXPECT_EQ(plan.block, (Shape { 16, 16, 1 }));
}

TEST(SuggestedLaunch, ofATileThatIsFilledInSeveralTurnsHasTheRowsOfOne)
{
    const std::string body = "__global__ void transpose(float* odata, const float* idata, int width, int height)\n{\n    __shared__ float tile[TILE_DIM][TILE_DIM + 1];\n"
                             "    int x = blockIdx.x * TILE_DIM + threadIdx.x;\n    int y = blockIdx.y * TILE_DIM + threadIdx.y;\n"
                             "    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)\n        IN tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];\n    __syncthreads();\n"
                             "    x = blockIdx.y * TILE_DIM + threadIdx.x;\n    y = blockIdx.x * TILE_DIM + threadIdx.y;\n"
                             "    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)\n        OUT odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];\n}\n";
    const std::string tile = "const int TILE_DIM = 32;\nconst int BLOCK_ROWS = 8;\n";
    for (const std::string& guards : { tile + "#define IN\n#define OUT\n", tile + "#define IN if (x < width && y + j < height)\n#define OUT if (x < height && y + j < width)\n" }) {
        const LaunchPlan plan = suggested(guards + body, { { "width", "256" }, { "height", "128" } });
        EXPECT_EQ(plan.block, (Shape { 32, 8, 1 })) << guards;
        EXPECT_EQ(plan.grid, (Shape { 8, 4, 1 })) << guards;
        const auto prediction = predict(plan, { .verify = false, .registers = false });
        ASSERT_TRUE(prediction) << prediction.error().detail;
        EXPECT_TRUE(prediction->result.hazards.empty()) << prediction->result.hazards.front().detail;
    }
}

TEST(SuggestedLaunch, ofRowsAndColumnsOfOneIndexHasAThreadForEachElement)
{
    for (const char* const integer : { "int", "long long", "unsigned" }) {
        const std::string source = std::string("__global__ void flip(float* a, ") + integer + " rows, " + integer + " columns)\n{\n    const " + integer + " i = (" + integer
            + ")blockDim.x * blockIdx.x + threadIdx.x;\n    const int row = i / columns, column = i % columns;\n    if (row >= rows || column >= columns) return;\n    a[row * columns + column] *= -1;\n}\n";
        EXPECT_EQ(suggested(source, { { "rows", "512" }, { "columns", "256" } }).grid, (Shape { 512, 1, 1 })) << integer;
    }
}

TEST(SuggestedLaunch, followsAGuardOfWhatIsSetAgainBehindIt)
{
    const std::string root = "__device__ int root(const int* a, int i) { while (a[i] != i) i = a[i]; return i; }\n"
                             "__global__ void flatten(int* a, int w, int h)\n{\n    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < w * h && a[i] >= 0) a[i] = root(a, i);\n}\n";
    EXPECT_EQ(suggested(root, { { "w", "512" }, { "h", "384" } }).grid, (Shape { 768, 1, 1 }));
    const std::string segments = "__global__ void sums(const float* v, const int* ptr, float* out, int segments)\n{\n    int segment = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;\n"
                                 "    if (segment >= segments) return;\n    float s = 0;\n    for (int i = ptr[segment] + lane; i < ptr[segment + 1]; i += warpSize) s += v[i];\n"
                                 "    for (int o = warpSize / 2; o > 0; o /= 2) s += __shfl_down_sync(~0u, s, o);\n    if (lane == 0) out[segment] = s;\n}\n";
    EXPECT_EQ(suggested(segments, { { "segments", "20000" } }).grid, (Shape { 2500, 1, 1 }));
}

TEST(SuggestedLaunch, ofRowsThatShareTheThreadsOfABlockHasSoManyThreads)
{
    const std::string product = "template <const int B> __global__ void sgemm(int M, int N, int K, const float* A, const float* Bm, float* C)\n{\n"
                                "    const int r = blockIdx.x * B + (threadIdx.x / B), c = blockIdx.y * B + (threadIdx.x % B);\n    if (r < M && c < N) {\n        float t = 0;\n"
                                "        for (int i = 0; i < K; ++i) t += A[r * K + i] * Bm[i * N + c];\n        C[r * N + c] = t;\n    }\n}\n"
                                "template __global__ void sgemm<32>(int, int, int, const float*, const float*, float*);\n";
    const LaunchPlan square = suggested(product, { { "M", "256" }, { "N", "128" }, { "K", "64" } });
    EXPECT_EQ(square.block, (Shape { 1024, 1, 1 }));
    EXPECT_EQ(square.grid, (Shape { 8, 4, 1 }));
    const std::string warps = "__global__ void rowMax(const float* a, float* out, int rows, int cols)\n{\n    const int row = blockIdx.x * 4 + (threadIdx.x >> 5), lane = threadIdx.x & 31;\n"
                              "    if (row >= rows) return;\n    float s = 0;\n    for (int i = lane; i < cols; i += 32) s = fmaxf(s, a[row * cols + i]);\n    if (s > 0) out[row] = s;\n}\n";
    const LaunchPlan rows = suggested(warps, { { "rows", "50" } });
    EXPECT_EQ(rows.block, (Shape { 128, 1, 1 }));
    EXPECT_EQ(rows.grid, (Shape { 13, 1, 1 }));
}

TEST(SuggestedLaunch, ofAFilterHasASmallWindow)
{
    const LaunchPlan plan = suggested("__global__ void im2col(const float* im, float* col, int channels, int height, int width, int ksize, int pad, int stride, int height_col, int width_col)\n{\n"
                                      "    int n = channels * height_col * width_col;\n    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {\n"
                                      "        int w_out = index % width_col, t = index / width_col, h_out = t % height_col, c = t / height_col;\n        int h_in = h_out * stride - pad, w_in = w_out * stride - pad;\n"
                                      "        float* dst = col + ((size_t)c * ksize * ksize * height_col + h_out) * width_col + w_out;\n        for (int i = 0; i < ksize; ++i)\n            for (int j = 0; j < ksize; ++j) {\n"
                                      "                int y = h_in + i, x = w_in + j;\n                *dst = y >= 0 && x >= 0 && y < height && x < width ? im[((size_t)c * height + y) * width + x] : 0.f;\n"
                                      "                dst += (size_t)height_col * width_col;\n            }\n    }\n}\n");
    std::vector<std::uint64_t> scalars;
    for (const Argument& argument : plan.arguments)
        if (const auto* const number = std::get_if<ScalarPlan>(&argument))
            scalars.push_back(number->bits);
    ASSERT_EQ(scalars.size(), 8u);
    EXPECT_EQ((std::vector(scalars.begin() + 3, scalars.begin() + 6)), (std::vector<std::uint64_t> { 3, 0, 1 })) << "ksize, pad and stride";
}

TEST(SuggestedLaunch, ofARotationHasRowsAsBlocksAndHeadsOfTheirUsualSize)
{
    const LaunchPlan plan = suggested("__global__ void rope(const long long* pos, float* q, const float* cs, int rot_dim, int heads, int head_size)\n{\n    const float* c = cs + pos[blockIdx.x] * rot_dim;\n"
                                      "    const int e = rot_dim / 2;\n    for (int i = threadIdx.x; i < heads * e; i += blockDim.x) {\n        float* p = q + (long long)blockIdx.x * heads * head_size + i / e * head_size;\n"
                                      "        float x = p[i % e], y = p[i % e + e];\n        p[i % e] = x * c[i % e] - y * c[e + i % e];\n        p[i % e + e] = y * c[i % e] + x * c[e + i % e];\n    }\n}\n",
        { { "blocks_x", "100" } });
    EXPECT_EQ(plan.grid, (Shape { 100, 1, 1 }));
    for (const Argument& argument : plan.arguments)
        if (const auto* const number = std::get_if<ScalarPlan>(&argument)) {
            EXPECT_EQ(number->bits, number->name == "heads" ? 8u : 64u) << number->name;
        }
}

TEST(SuggestedLaunch, ofATileWhoseBorderHasThreadsOfItsOwnHasThemAll)
{
    const LaunchPlan plan = suggested("#define TILE 16\n#define R 1\n#define BLOCK_W (TILE + 2 * R)\n__global__ void blur(const float* src, float* dst, int w, int h)\n{\n    __shared__ float s[BLOCK_W][BLOCK_W];\n"
                                      "    int x = blockIdx.x * TILE + threadIdx.x - R, y = blockIdx.y * TILE + threadIdx.y - R;\n    int cx = max(0, min(x, w - 1)), cy = max(0, min(y, h - 1));\n"
                                      "    s[threadIdx.y][threadIdx.x] = src[cy * w + cx];\n    __syncthreads();\n"
                                      "    if (threadIdx.x >= R && threadIdx.x < BLOCK_W - R && threadIdx.y >= R && threadIdx.y < BLOCK_W - R && x < w && y < h)\n"
                                      "        dst[y * w + x] = s[threadIdx.y][threadIdx.x - 1] + s[threadIdx.y][threadIdx.x + 1] + s[threadIdx.y - 1][threadIdx.x] + s[threadIdx.y + 1][threadIdx.x];\n}\n",
        { { "w", "64" }, { "h", "32" } });
    EXPECT_EQ(plan.block, (Shape { 18, 18, 1 }));
    EXPECT_EQ(plan.grid, (Shape { 4, 2, 1 }));
    const auto prediction = predict(plan, { .verify = false, .registers = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_TRUE(prediction->result.hazards.empty()) << prediction->result.hazards.front().detail;
}

TEST(SuggestedLaunch, hasNoBlockOfAConstantThatTheKernelDoesNotSee)
{
    const LaunchPlan plan = suggested("constexpr int kThreads = 128;\n__global__ void groups(const float* x, float* s, int n)\n{\n    const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                      "    if (i < n) s[i] = x[i];\n}\n");
    EXPECT_EQ(plan.block, (Shape { 256, 1, 1 }));
}

TEST(SuggestedLaunch, knowsTheMembersOfAStructure)
{
    const std::string source = "namespace img {\nstruct View { const float* data; float* out; int width, height; };\n"
                               "__global__ void invert(View view)\n{\n    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
                               "    if (x < view.width && y < view.height) view.out[y * view.width + x] = 1 - view.data[y * view.width + x];\n}\n}\n";
    const LaunchPlan plan = suggested(source, { { "width", "100" }, { "height", "50" } });
    EXPECT_EQ(plan.block, (Shape { 32, 8, 1 }));
    EXPECT_EQ(plan.grid, (Shape { 4, 7, 1 }));
    expectInside(plan);
}

TEST(SuggestedLaunch, ofAStructureHasItsMembersOfTheirTypes)
{
    const LaunchPlan plan = suggested("struct Law { float scale; double rates[3]; unsigned char kind; int n; };\n"
                                      "__global__ void age(float* p, Law law)\n{\n    int i = blockIdx.x * 64 + threadIdx.x;\n    if (i < law.n) p[i] *= law.scale + law.rates[1] + law.kind;\n}\n",
        { { "n", "130" } });
    EXPECT_EQ(plan.block, (Shape { 64, 1, 1 }));
    EXPECT_EQ(plan.grid, (Shape { 3, 1, 1 }));
    expectInside(plan);
}

TEST(SuggestedLaunch, takesLittleTimeWhereEachThreadReadsAll)
{
    const LaunchPlan plan = suggested("__global__ void pull(const float4* body, float4* force, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float sum = 0;\n"
                                      "    for (int j = 0; j < n; ++j) sum += body[j].x / (1 + body[j].y);\n    if (i < n) force[i].x = sum;\n}\n");
    EXPECT_EQ(countsOf(plan)[0], countsOf(plan)[1]);
    expectInside(plan);
}

TEST(SuggestedLaunch, ofATreeOfThreadsHasAllOfThem)
{
    const LaunchPlan plan = suggested("__global__ void sum(const float* in, float* out, int n)\n{\n    __shared__ float part[192];\n    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
                                      "    part[t] = i < n ? in[i] : 0;\n    __syncthreads();\n    if (t < 96) part[t] += part[t + 96];\n    __syncthreads();\n    if (t < 48) part[t] += part[t + 48];\n"
                                      "    __syncthreads();\n    if (t == 0) out[blockIdx.x] = part[0];\n}\n");
    EXPECT_EQ(plan.block, (Shape { 192, 1, 1 }));
    expectInside(plan);
}

TEST(SuggestedLaunch, ofOneBlockIsAsLargeAsTheBlock)
{
    const LaunchPlan plan = suggested("__global__ void scan(const int* in, int* out, int n)\n{\n    __shared__ int temp[2 * 256];\n    int t = threadIdx.x, from = 0, to = 1;\n"
                                      "    temp[t] = t > 0 && t < n ? in[t - 1] : 0;\n    __syncthreads();\n"
                                      "    for (int o = 1; o < n; o *= 2) {\n        to = 1 - to; from = 1 - to;\n        temp[to * n + t] = temp[from * n + t] + (t >= o ? temp[from * n + t - o] : 0);\n        __syncthreads();\n    }\n"
                                      "    if (t < n) out[t] = temp[to * n + t];\n}\n");
    EXPECT_EQ(plan.grid.count(), 1u);
    EXPECT_LE(plan.block.x, 512u);
    expectInside(plan);
}

TEST(SuggestedLaunch, whatNothingBoundsHasAThreadForEachElement)
{
    const LaunchPlan shifted = suggested("__global__ void shift(const int* in, int* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }\n");
    EXPECT_EQ(shifted.grid.x, 4096u);
    EXPECT_EQ(shifted.block.x, 256u);
    const LaunchPlan reversed = suggested("__global__ void reverse(int* d, int n) { __shared__ int s[128]; int t = threadIdx.x; s[t] = d[blockIdx.x * 128 + t]; __syncthreads(); d[blockIdx.x * 128 + t] = s[127 - t]; }\n");
    EXPECT_EQ(reversed.grid.x, 8192u);
    EXPECT_EQ(reversed.block.x, 128u);
}

TEST(SuggestedLaunch, threadsOfSeveralElementsAreAsFarApartAsTheirLoopSteps)
{
    const LaunchPlan plan = suggested("__global__ void add4(const float* a, float* b, int n)\n{\n    int base = blockIdx.x * 1024 + threadIdx.x;\n#pragma unroll\n    for (int j = 0; j < 4; ++j) { int i = base + j * 256; if (i < n) b[i] = a[i] + 1; }\n}\n");
    EXPECT_EQ(plan.grid.x, 1024u);
    EXPECT_EQ(plan.block.x, 256u);
}

TEST(SuggestedLaunch, whatOneBlockStridesThroughIsLongAndStaysOneBlock)
{
    const auto spec = kernelOfFile("__global__ void add(float* out, const float* a, int n)\n{\n    int index = threadIdx.x, step;\n    step = blockDim.x;\n    for (int i = index; i < n; i += step)\n        out[i] = a[i];\n}\n", "/nowhere/snippet.cu");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, { { "block_x", "64" }, { "n", "10000" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->grid.x, 1u);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[0]).count, 10'000u);
}

TEST(SuggestedLaunch, sharedMemoryOfEachThreadFollowsTheBlock)
{
    const auto spec = kernelOfFile("extern __shared__ float part[];\n__global__ void turn(const float* in, float* out, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    part[threadIdx.x] = i < n ? in[i] : 0;\n    __syncthreads();\n    if (i < n)\n        out[i] = part[blockDim.x - 1 - threadIdx.x];\n}\n", "/nowhere/snippet.cu");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, { { "block_x", "512" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->dynamicSharedBytes, 2048u);
}

TEST(SuggestedLaunch, sizesOfWhichTheProductIsNoGridAreSmaller)
{
    const LaunchPlan plan = suggested("__global__ void turn(float* out, int a, int b, int c, int d)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < a * b * c * d)\n        out[i] = i % d;\n}\n");
    EXPECT_LE(plan.grid.x, 1u << 20);
    EXPECT_GT(plan.grid.x, 1u << 10);
}

TEST(SuggestedLaunch, tilesOfTemplatesAreOf16)
{
    const LaunchPlan plan = suggested("template <int TILE> __global__ void turn(const float* in, float* out, int n)\n{\n    __shared__ float tile[TILE][TILE + 1];\n    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
                                      "    tile[threadIdx.y][threadIdx.x] = in[y * n + x];\n    __syncthreads();\n    out[x * n + y] = tile[threadIdx.y][threadIdx.x];\n}\n");
    EXPECT_EQ(plan.block.x, 16u);
    EXPECT_EQ(plan.block.y, 16u);
}

TEST(SuggestedLaunch, aTileWhoseRowsAreDoneSoManyAtATimeHasABlockOfThese)
{
    const std::string source = "#define TILE_DIM 32\n#define BLOCK_ROWS 8\n__global__ void turn(float* out, const float* in, int width, int height)\n{\n    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;\n"
                               "    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)\n        if (x < width && y + j < height) out[x * height + y + j] = in[(y + j) * width + x];\n}\n";
    const LaunchPlan plan = suggested(source, { { "width", "256" }, { "height", "128" } });
    EXPECT_EQ(plan.block, (Shape { 32, 8, 1 }));
    EXPECT_EQ(plan.grid, (Shape { 8, 4, 1 }));
}

TEST(SuggestedLaunch, aTemplatesOperationIsAStructureOfTheFileThatCanBeCalledSo)
{
    const std::string source = "namespace ew {\nstruct Half { __device__ float operator()(float x) const { return x * 0.5f; } };\nstruct Scaled { float alpha; __device__ float operator()(float a, float b) const { return a + alpha * b; } };\n"
                               "template <typename T, typename Op, int BLOCK> __global__ void each(const T* in, T* out, int n, Op op)\n{\n    int i = blockIdx.x * BLOCK + threadIdx.x;\n    if (i < n) out[i] = op(in[i]);\n}\n"
                               "template <typename T, typename Op> __global__ void both(const T* in, T* out, int n, Op op)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = op(in[i], out[i]);\n}\n}\n";
    EXPECT_EQ(suggested(source, {}, "each").entry, "ew::each<float,ew::Half,256>");
    const LaunchPlan plan = suggested(source, { { "alpha", "0.25" } }, "both");
    EXPECT_EQ(plan.entry, "ew::both<float,ew::Scaled>");
    EXPECT_EQ(plan.parameters.at("alpha"), "0.25");
}

TEST(SuggestedLaunch, ofATextThatDoesNotCompileIsStillOneWhoseErrorHasItsPlace)
{
    const auto spec = kernelOfFile("__global__ void broken(float* p, int n)\n{\n    p[threadIdx.x] = undeclared;\n}\n", "/nowhere/snippet.cu");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto prediction = predict(*plan, {});
    ASSERT_FALSE(prediction);
    EXPECT_NE(prediction.error().where.find("snippet.cu:3"), std::string::npos) << prediction.error().where;
}

TEST(SuggestedLaunch, endsWhereTheKernelWouldNot)
{
    const LaunchPlan plan = suggested("__global__ void wait(volatile int* flag, int* out, int n)\n{\n    while (flag[blockIdx.x] == 0) { }\n    if (threadIdx.x < n) out[threadIdx.x] = 1;\n}\n");
    EXPECT_GT(plan.grid.count(), 0u);
}

} // namespace
} // namespace coalescope::kernels
