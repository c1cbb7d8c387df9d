// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/manifest_template.h"

#include "kernels/catalogue/kernel_spec.h"

#include <gtest/gtest.h>

using namespace coalescope;
using namespace coalescope::kernels;

TEST(ManifestTemplate, isAManifest)
{
    const std::string source = "template <class T>\n__global__ void turn(const T* in, T* out, int rows, int cols) { }\n";
    EXPECT_TRUE(lacksManifest(source));
    const std::string whole = manifestTemplate(source) + source;
    EXPECT_TRUE(!lacksManifest(whole));
    const auto spec = parseKernel(whole, "turn.cu");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->entry, "turn<float>");
    EXPECT_TRUE(planLaunch(*spec, {}));
    EXPECT_TRUE(manifestTemplate("no kernel here").find("kernelName") != std::string::npos);
    EXPECT_TRUE(manifestTemplate("__global__").find("kernelName") != std::string::npos);
}

TEST(ManifestTemplate, followsTheKernelsSignature)
{
    const auto planOf = [](const std::string& source) {
        const std::string whole = manifestTemplate(source) + source;
        const auto spec = parseKernel(whole, "mine.cu");
        return spec ? planLaunch(*spec, {}) : Result<LaunchPlan>(std::unexpected(spec.error()));
    };
    const auto plan = planOf("struct Particle { float x[7]; };\n// __global__ void old(int)\n"
                             "__global__ void advance(Particle* p, const unsigned char* __restrict__ flags, int size,\n"
                             "    float dt) { }\n");
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->entry, "advance");
    EXPECT_EQ(plan->arguments.size(), 4u);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[0]).name, "p");
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[1]).type, ElementType::U8);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[1]).fill.kind, FillKind::Random);
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[2]).type, ElementType::I32);
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[2]).bits, 1048576u); // `size`, which no parameter may be called
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[3]).type, ElementType::F32);
    const auto odd = planOf("template <typename T, int N = (4 > 3)> __global__ __launch_bounds__(64) void odd(const T in[],\n"
                            "    float4* out,\n"
                            "    unsigned long long, float** rows, bool on, half2 h) { }\n");
    ASSERT_TRUE(odd) << odd.error().detail;
    EXPECT_EQ(odd->entry, "odd<float>");
    EXPECT_EQ(odd->arguments.size(), 6u);
    EXPECT_EQ(std::get<BufferPlan>(odd->arguments[0]).type, ElementType::F32);
    EXPECT_EQ(std::get<BufferPlan>(odd->arguments[1]).count, 4 * std::get<BufferPlan>(odd->arguments[0]).count);
    EXPECT_EQ(std::get<ScalarPlan>(odd->arguments[2]).type, ElementType::U64);
    EXPECT_EQ(std::get<BufferPlan>(odd->arguments[3]).type, ElementType::U64);
    EXPECT_TRUE(planOf("__global__ void nothing() { }\n"));
    EXPECT_TRUE(planOf("__global__ void twice(int i, int i, int, Foo f) { }\n") || true); // wrong code: no crash
}

TEST(ManifestTemplate, ofThreadsAlongOneAxisIsFlat)
{
    const std::string flat = "__global__ void stride(const float* in, float* out, int n, int step)\n"
                             "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i * step]; }\n";
    const auto spec = parseKernel(manifestTemplate(flat) + flat, "stride.cu");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    EXPECT_TRUE(plan);
    EXPECT_EQ(plan->block.x, 256u);
    EXPECT_EQ(plan->block.y, 1u);
    EXPECT_EQ(plan->grid.x, 4096u);
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[3]).bits, 1u);
    const auto square = manifestTemplate("__global__ void turn(float* a, int rows, int cols) { a[threadIdx.y * cols] = 0; }\n");
    EXPECT_TRUE(square.find("block = [32, 8]") != std::string::npos) << square;
}

TEST(ManifestTemplate, saysWhatItCannotKnow)
{
    const auto has = [](const std::string& manifest, const char* line) { return manifest.find(line) != std::string::npos; };
    const std::string reduce = manifestTemplate("template <int BLOCK, class Op>\n__global__ void __launch_bounds__(BLOCK) "
                                                "reduce(const float* in, int n) { extern __shared__ float sm[]; }\n"
                                                "__global__ void other() { }\n");
    EXPECT_TRUE(has(reduce, "\n# TODO: values for the template's int BLOCK, class Op; those below are guesses.\nentry = \"reduce<256,float>\"\n")) << reduce;
    EXPECT_TRUE(has(reduce, "block = [256]\n# TODO: the bytes of its extern __shared__ array; these are 4 a thread.\ndynamic_shared = 1024\n")) << reduce;
    const std::string plain = manifestTemplate("__global__ void first(const float* color, int n) { }\n"
                                               "__global__ void second() { extern __shared__ int s[]; }\n");
    EXPECT_TRUE(!has(plain, "TODO") && !has(plain, "dynamic_shared")) << plain;
    const std::string csr = manifestTemplate("__global__ void csr(const int* rowPtr, const int* value, int* col, int n) { }\n");
    EXPECT_TRUE(has(csr, "buffer = \"rowPtr\"\ntype = \"i32\"\ncount = \"n\"\n# TODO: its values are addresses")) << csr;
    EXPECT_TRUE(has(csr, "buffer = \"value\"\ntype = \"i32\"\ncount = \"n\"\nfill = \"random:1\"\n")) << csr;
}
