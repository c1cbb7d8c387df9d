// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/followed_plan.h"

#include "kernels/experiment/predict.h"
#include "kernels/launch/job.h"
#include "kernels/source/program_kernels.h"
#include "tests/kernels/source/planned_arguments.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>

using namespace coalescope::kernels;

namespace {

const std::string kKernel = R"(#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>
__global__ void gather(const float* values, const int* columns, float* out, int count, int last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = values[columns[i]] + last;
}
)";

/// A list that is as long as its conditions make it, of the numbers from 0 to n that 3 divides.
const std::string kProgram = kKernel + R"(int main(int argc, char** argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    std::vector<int> columns;
    for (int i = 0; i < n; ++i)
        if (i % 3 == 0)
            columns.push_back(i);
    float *values, *out;
    int* onGpu;
    cudaMalloc(&values, n * sizeof(float));
    cudaMalloc(&out, columns.size() * sizeof(float));
    cudaMalloc(&onGpu, columns.size() * sizeof(int));
    cudaMemcpy(onGpu, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
    gather<<<(columns.size() + 31) / 32, 32>>>(values, onGpu, out, columns.size(), columns.back());
}
)";

KernelSpec opened(const std::string& program)
{
    const auto spec = kernelOfFile(program, "/nowhere/program.cu");
    EXPECT_TRUE(spec) << spec.error().detail;
    return spec ? *spec : KernelSpec {};
}


bool isToldAsGuessed(const LaunchPlan& plan)
{
    return std::ranges::any_of(plan.guesses, &Guess::isOfOtherValues);
}

}

TEST(FollowedPlan, loopsOfTheHostTurnAsOftenAsTheValuesAskedForMakeThem)
{
    const KernelSpec spec = opened(kKernel + R"(int nextPowerOfTwo(int n)
{
    int p = 1;
    while (p < n)
        p *= 2;
    return p;
}
int main(int argc, char** argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 5000;
    const int slots = nextPowerOfTwo(2 * n);
    float *values, *out;
    int* columns;
    cudaMalloc(&values, slots * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMalloc(&columns, n * sizeof(int));
    gather<<<slots / 32, 32>>>(values, columns, out, n, slots - 1);
}
)");
    for (const auto& [n, slots] : { std::pair(5000, 16384), std::pair(1200, 4096), std::pair(20000, 65536) }) {
        const auto plan = planFollowed(spec, { { "n", std::to_string(n) } });
        ASSERT_TRUE(plan) << plan.error().detail;
        EXPECT_EQ(plan->grid.x, slots / 32) << n;
        EXPECT_EQ(scalarOf(*plan, 4), slots - 1) << n;
        EXPECT_EQ(countOf(*plan, 0), slots) << n;
    }
}

TEST(FollowedPlan, aLaunchThatTheProgramDoesNotMakeWithTheValuesIsTold)
{
    const KernelSpec spec = opened(kKernel + R"(int main(int argc, char** argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *values, *out;
    int* columns;
    cudaMalloc(&values, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMalloc(&columns, n * sizeof(int));
    if (n > 500)
        gather<<<(n + 31) / 32, 32>>>(values, columns, out, n, 0);
}
)");
    for (const auto& [n, isMade] : { std::pair(1000, true), std::pair(600, true), std::pair(100, false) }) {
        const auto plan = planFollowed(spec, { { "n", std::to_string(n) } });
        ASSERT_TRUE(plan) << plan.error().detail;
        EXPECT_EQ(plan->grid.x, (n + 31) / 32);
        EXPECT_EQ(plan->isNotMade || plan->isAside, !isMade) << n;
    }
}

TEST(FollowedPlan, aPointerThatStaysNullIsNull)
{
    const auto program = [](const std::string& set) {
        return opened(kKernel + R"(void provide(float** memory, int n);
int main(int argc, char** argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    float *values = nullptr, *out = NULL;
    int* columns;
)" + set + R"(
    cudaMalloc(&out, n * sizeof(float));
    cudaMalloc(&columns, n * sizeof(int));
    gather<<<(n + 31) / 32, 32>>>(values, columns, out, n, 0);
}
)");
    };
    const auto isBuffer = [](const KernelSpec& spec, const char* n, std::size_t argument) {
        const auto plan = planFollowed(spec, { { "n", n } });
        EXPECT_TRUE(plan) << plan.error().detail;
        return plan && std::holds_alternative<BufferPlan>(plan->arguments.at(argument));
    };
    const KernelSpec sometimes = program("    if (n > 500)\n        cudaMalloc(&values, n * sizeof(float));");
    EXPECT_TRUE(isBuffer(sometimes, "1000", 0));
    EXPECT_FALSE(isBuffer(sometimes, "100", 0));
    EXPECT_TRUE(isBuffer(sometimes, "100", 2));
    EXPECT_FALSE(isBuffer(program(""), "1000", 0));
    EXPECT_TRUE(isBuffer(program("    provide(&values, n);"), "1000", 0)) << "somebody else may have set it";
}

TEST(FollowedPlan, aShapeAndWhatIsAssignedAreTheOnesAskedFor)
{
    const KernelSpec spec = opened(kKernel + R"(int main()
{
    std::vector<int> columns;
    for (int i = 0; i < 1000; ++i)
        columns.push_back(i);
    int last;
    last = int(columns.size()) - 1;
    dim3 block(64, 2);
    float *values, *out;
    int* onGpu;
    cudaMalloc(&values, columns.size() * sizeof(float));
    cudaMalloc(&out, columns.size() * sizeof(float));
    cudaMalloc(&onGpu, columns.size() * sizeof(int));
    gather<<<(columns.size() + block.x - 1) / block.x, block>>>(values, onGpu, out, columns.size(), last);
}
)");
    const auto wide = planFollowed(spec, { { "block_x", "128" } });
    ASSERT_TRUE(wide) << wide.error().detail;
    EXPECT_EQ(wide->block.x, 128);
    EXPECT_EQ(wide->block.y, 2);
    EXPECT_EQ(wide->grid.x, 8);
    const auto other = planFollowed(spec, { { "last", "7" } });
    ASSERT_TRUE(other) << other.error().detail;
    EXPECT_EQ(scalarOf(*other, 4), 7);
}

TEST(FollowedPlan, whatTheHostCodeWorksOutIsOfTheValuesAskedFor)
{
    const KernelSpec spec = opened(kProgram);
    for (const int n : { 1000, 100, 5000 }) {
        const std::uint64_t count = (std::uint64_t(n) + 2) / 3;
        const auto plan = planFollowed(spec, { { "n", std::to_string(n) } });
        ASSERT_TRUE(plan) << plan.error().detail;
        EXPECT_EQ(scalarOf(*plan, 3), count) << n;
        EXPECT_EQ(scalarOf(*plan, 4), 3 * (count - 1)) << n;
        EXPECT_EQ(plan->grid.x, (count + 31) / 32) << n;
        EXPECT_EQ(countOf(*plan, 0), std::uint64_t(n));
        EXPECT_EQ(countOf(*plan, 1), count) << n;
        EXPECT_FALSE(isToldAsGuessed(*plan)) << n;
        EXPECT_EQ(plan->parameters.at("n"), std::to_string(n));
        const auto prediction = predict(*plan, { .verify = false });
        ASSERT_TRUE(prediction) << prediction.error().detail;
        EXPECT_TRUE(prediction->result.hazards.empty()) << prediction->result.hazards[0].detail;
    }
}

TEST(FollowedPlan, whatIsSetByHandStaysAsItIsSet)
{
    const KernelSpec spec = opened(kProgram);
    const auto last = std::ranges::find(spec.parameters, std::string("last"), &ParameterSpec::name);
    ASSERT_NE(last, spec.parameters.end());
    EXPECT_TRUE(last->isWorkedOut);
    const auto plan = planFollowed(spec, { { "n", "100" }, { "last", "7" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(scalarOf(*plan, 3), 34u);
    EXPECT_EQ(scalarOf(*plan, 4), 7u);
    EXPECT_FALSE(planFollowed(spec, { { "nobody", "1" } }));
}

TEST(FollowedPlan, anEarlierLaunchIsOfTheSameValues)
{
    const KernelSpec spec = [] {
        std::string program = kKernel + "__global__ void fill(int* columns, int count, int step) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < count) columns[i] = i * step; }\n";
        program += R"(int main()
{
    const int n = 64;
    int count = 0;
    for (int i = 0; i < n; ++i)
        count += i % 2;
    float *values, *out;
    int* columns;
    cudaMalloc(&values, 8 * count * sizeof(float));
    cudaMalloc(&out, count * sizeof(float));
    cudaMalloc(&columns, count * sizeof(int));
    fill<<<1, count>>>(columns, count, 8);
    gather<<<1, count>>>(values, columns, out, count, 1);
}
)";
        const auto found = kernelOfFile(program, "/nowhere/program.cu", "gather");
        EXPECT_TRUE(found) << found.error().detail;
        return found ? *found : KernelSpec {};
    }();
    const auto plan = planFollowed(spec, { { "n", "128" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->block.x, 64u);
    const auto prediction = predict(*plan, { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_TRUE(prediction->result.hazards.empty()) << prediction->result.hazards[0].detail;
    EXPECT_EQ(prediction->result.metrics.get(coalescope::analysis::Metric::GlobalLoadSectors), 64.0 + 8.0) << "a sector each of the values, and the columns";
}

TEST(FollowedPlan, ofABlockThatTheProgramAsksForHasTheOneThatIsSet)
{
    std::string program = kProgram;
    program.replace(program.find("gather<<<"), std::string::npos, "int least = 0, block = 0; cudaOccupancyMaxPotentialBlockSize(&least, &block, gather, 0, 256);\n    gather<<<(columns.size() + block - 1) / block, block>>>(values, onGpu, out, columns.size(), 1);\n}\n");
    const auto plan = planFollowed(opened(program), { { "n", "5000" }, { "block", "128" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(scalarOf(*plan, 3), 1667u);
    EXPECT_EQ(plan->block.x, 128u);
    EXPECT_EQ(plan->grid.x, 14u);
}

TEST(FollowedPlan, isTheSameOnTheMachineWithTheGpu)
{
    const auto plan = planFollowed(opened(kProgram), { { "n", "5000" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto job = jobFromJson(jobJson(*plan, {}));
    ASSERT_TRUE(job) << job.error().detail;
    EXPECT_EQ(job->plan.grid, plan->grid);
    EXPECT_EQ(job->plan.parameters, plan->parameters);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(countOf(job->plan, i), countOf(*plan, i));
    for (std::size_t i = 3; i < 5; ++i)
        EXPECT_EQ(scalarOf(job->plan, i), scalarOf(*plan, i));
}

TEST(FollowedPlan, ofAKernelOfWhichNothingIsWorkedOutIsThePlan)
{
    const KernelSpec spec = opened(kKernel + "int main() { const int n = 640; float *v, *o; int* c; cudaMalloc(&v, n * 4); cudaMalloc(&o, n * 4); cudaMalloc(&c, n * 4); gather<<<n / 32, 32>>>(v, c, o, n, 3); }\n");
    EXPECT_FALSE(spec.isWorkedOut);
    const auto plan = planFollowed(spec, { { "n", "320" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->grid.x, 10u);
}

TEST(FollowedPlan, realNumbersFollowTheOtherValuesUnlessTheyAreSet)
{
    const KernelSpec spec = opened(R"(#include <cuda_runtime.h>
#include <cmath>
#include <vector>
__global__ void scale(float* values, int n, float factor) { if (threadIdx.x < n && factor < 0.01f) values[threadIdx.x] *= factor; }
int main()
{
    const int n = 64;
    std::vector<float> ones(n, 1.f);
    float* values;
    cudaMalloc(&values, ones.size() * sizeof(float));
    scale<<<1, 64>>>(values, n, 1.f / std::sqrt(float(ones.size())));
}
)");
    const auto factorOf = [&](const ParameterValues& values) {
        const auto plan = planFollowed(spec, values);
        EXPECT_TRUE(plan) << plan.error().detail;
        return plan ? std::bit_cast<float>(std::uint32_t(std::get<ScalarPlan>(plan->arguments.at(2)).bits)) : 0.f;
    };
    EXPECT_EQ(factorOf({}), 1.f / 8);
    EXPECT_EQ(factorOf({ { "n", "16" } }), 1.f / 4);
    EXPECT_EQ(factorOf({ { "n", "16" }, { "factor", "0.5" } }), 0.5f);
    EXPECT_EQ(factorOf({ { "factor", "-2.5e-3" } }), -2.5e-3f);
}
