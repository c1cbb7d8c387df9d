// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/cubin.h"
#include "kernels/compile/compiler.h"
#include "kernels/compile/nvrtc.h"

#include "plan_of.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

/// Keeps 64 values alive from the first load to the last store.
const std::string kManyValues = R"(
template <int Bound> __global__ void __launch_bounds__(Bound) many(float* p)
{
    float v[64];
    #pragma unroll
    for (int i = 0; i < 64; ++i)
        v[i] = p[i * 1024 + threadIdx.x];
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 64; ++i)
        p[i * 1024 + threadIdx.x] = v[63 - i] * v[(i * 7) % 64];
}
__global__ void few(float* p) { p[threadIdx.x] = 1; }
)";

class Cubin : public testing::Test {
protected:
    void SetUp() override
    {
        if (!Nvrtc::instance())
            GTEST_SKIP() << "NVRTC is not installed here";
    }
    static CompiledPtx compiled(const std::string& entry, CompileOptions options = { .registers = true })
    {
        auto result = compileToPtx(planOf(kManyValues, entry), options);
        EXPECT_TRUE(result) << result.error().detail;
        return result.value_or(CompiledPtx {});
    }
};

TEST_F(Cubin, aKernelThatKeeps64ValuesHasMoreRegistersThanOneThatKeepsNone)
{
    const auto many = compiled("many<256>").registersPerThread, few = compiled("few").registersPerThread;
    ASSERT_TRUE(many && few);
    EXPECT_GT(*many, 64);
    EXPECT_LE(*few, 16);
}

TEST_F(Cubin, variablesOfTheModuleHaveTheirNamesInIt)
{
    const auto cubin = compileToCubin(planOf("__device__ int tail; __constant__ float scale[4]; namespace n { __device__ int table[8] = { 1 }; }\n"
                                             "__global__ void k(int* p) { p[atomicAdd(&tail, 1)] = scale[p[0]] + n::table[p[1]]; n::table[p[2]] = 1; printf(\"%d\", p[3]); }", "k"), {});
    ASSERT_TRUE(cubin) << cubin.error().detail;
    std::set<std::string> global, constant;
    for (const CubinVariable& variable : variablesOf(cubin->image))
        (variable.isConstant ? constant : global).insert(variable.name);
    EXPECT_EQ(global, (std::set<std::string> { "tail", "_ZN1n5tableE" }));
    EXPECT_EQ(constant, std::set<std::string> { "scale" });
    EXPECT_TRUE(variablesOf({}).empty());
}

TEST_F(Cubin, launchBoundsKeepTheRegistersOfABlockWithinAnSm)
{
    const auto registers = compiled("many<1024>").registersPerThread;
    ASSERT_TRUE(registers);
    EXPECT_LE(*registers, 64) << "65,536 registers for 1,024 threads";
}

TEST_F(Cubin, theMachineCodeIsThatOfTheEntry)
{
    const auto many = compiled("many<256>").machineCode, few = compiled("few").machineCode;
    EXPECT_EQ(many.size() % 16, 0u);
    EXPECT_GT(many.size(), 128 * 16u) << "64 loads, 64 products and 64 stores";
    EXPECT_LT(few.size(), 64 * 16u);
    EXPECT_FALSE(few.empty());
    EXPECT_TRUE(codeOf({}, "few").empty());
}

TEST_F(Cubin, thePtxIsTheSameWithAndWithoutMachineCode)
{
    EXPECT_EQ(compiled("many<512>", { .registers = false }).ptx, compiled("many<512>").ptx);
}

TEST_F(Cubin, registersAreKnownAfterwardsWithoutAskingAgain)
{
    EXPECT_FALSE(compiled("many<128>", { .registers = false }).registersPerThread);
    const auto asked = compiled("many<128>").registersPerThread;
    EXPECT_TRUE(asked);
    EXPECT_EQ(compiled("many<128>", { .registers = false }).registersPerThread, asked);
}

TEST_F(Cubin, aGpuThatNvrtcMakesNoCodeForHasNoRegistersButPtx)
{
    const CompileOptions old { .computeMajor = 1, .computeMinor = 0, .registers = true };
    const CompiledPtx made = compiled("few", old);
    EXPECT_FALSE(made.registersPerThread);
    EXPECT_FALSE(made.ptx.empty());
}

TEST_F(Cubin, whatOnlyTheMachineCodeRefusesStillHasPtx)
{
    const auto large = compileToPtx(planOf("__global__ void large(float* p) { __shared__ float s[1 << 20];"
                                           " s[threadIdx.x] = 1; __syncthreads(); p[0] = s[p[1] > 0]; }",
                                        "large"),
        { .registers = true });
    ASSERT_TRUE(large) << large.error().detail;
    EXPECT_FALSE(large->registersPerThread);
}

TEST_F(Cubin, noDamagedFileIsReadBeyondItsEnd)
{
    const auto cubin = compileToCubin(planOf(kManyValues, "few"), {});
    ASSERT_TRUE(cubin) << cubin.error().detail;
    const auto whole = registersOf(cubin->image, cubin->entry);
    ASSERT_TRUE(whole);
    EXPECT_FALSE(registersOf(cubin->image, "another"));
    EXPECT_FALSE(registersOf({}, cubin->entry));
    for (std::size_t size = 0; size < cubin->image.size(); size += 7) {
        const std::vector<char> cut(cubin->image.begin(), cubin->image.begin() + std::ptrdiff_t(size));
        const auto found = registersOf(cut, cubin->entry);
        EXPECT_TRUE(!found || found == whole) << size;
    }
    for (std::size_t at = 0; at < cubin->image.size(); ++at) { // the sanitizers judge
        std::vector<char> damaged = cubin->image;
        damaged[at] = char(0xff);
        (void)registersOf(damaged, cubin->entry);
    }
}

} // namespace
