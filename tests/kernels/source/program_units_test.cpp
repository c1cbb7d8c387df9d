// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/program_units.h"

#include "kernels/experiment/predict.h"
#include "kernels/launch/job.h"
#include "kernels/source/manifest_template.h"
#include "kernels/source/program_kernels.h"
#include "tests/folder.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope;
using namespace coalescope::kernels;

constexpr auto kShapes = R"(#pragma once
constexpr int kTile = 64;
struct Shape { int rows, cols; __host__ __device__ int all() const { return rows * cols; } };
)";
constexpr auto kHeader = R"(#pragma once
#include "shapes.h"
__global__ void scale(float* data, Shape shape, float by);
__global__ void count(const int* keys, int* bins, int n);
class Counter { public: explicit Counter(int n); void run(const int* keys); private: int m_n; int* m_bins; };
)";
constexpr auto kScale = R"(#include "include/kernels.cuh"
static int rounded(int n) { return n; }
__global__ void scale(float* data, Shape shape, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < shape.all()) data[i] *= by;
}
)";
constexpr auto kCount = R"(#include "include/kernels.cuh"
static int rounded(int n) { return (n + kTile - 1) / kTile; }
__global__ void count(const int* keys, int* bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) bins[keys[i]] = i;
}
Counter::Counter(int n) : m_n(n) { cudaMalloc(&m_bins, n * sizeof(int)); }
void Counter::run(const int* keys) { count<<<rounded(m_n), kTile>>>(keys, m_bins, m_n); }
)";
constexpr auto kMain = R"(#include <vector>
#include "include/shapes.h"
#include "include/kernels.cuh"
int main()
{
    const Shape shape { 128, 32 };
    float* data;
    cudaMalloc(&data, shape.all() * sizeof(float));
    scale<<<shape.all() / kTile, kTile>>>(data, shape, 0.5f);
    std::vector<int> keys(shape.all());
    for (int i = 0; i < shape.all(); ++i) keys[i] = i * 7 % shape.all();
    int* d;
    cudaMalloc(&d, keys.size() * sizeof(int));
    cudaMemcpy(d, keys.data(), keys.size() * sizeof(int), cudaMemcpyHostToDevice);
    Counter counter(shape.all());
    counter.run(d);
}
)";

/// A program of three units and two headers.
class Project : public ::testing::Test {
protected:
    Project()
    {
        write("main.cu", kMain);
        write("scale.cu", kScale);
        write("count.cu", kCount);
        write("include/kernels.cuh", kHeader);
        write("include/shapes.h", kShapes);
    }

    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return m_folder.path() / name; }
    [[nodiscard]] std::string textOf(const std::string& name) const { return m_folder.read(name); }

    void write(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories(path(name).parent_path());
        m_folder.write(name, text);
    }

    [[nodiscard]] ProgramKernels opened(const std::string& name) const
    {
        auto program = programKernels(textOf(name), path(name).filename().string(), path(name));
        EXPECT_TRUE(program) << program.error().detail;
        return program ? *std::move(program) : ProgramKernels {};
    }

private:
    Folder m_folder;
};

std::vector<std::string> namesOf(const ProgramKernels& program)
{
    std::vector<std::string> names;
    for (const KernelSpec& spec : program.kernels)
        names.push_back(spec.sourceName + ": " + spec.entry + ": " + spec.summary.en);
    return names;
}

const std::vector<std::string> kLaunches { "scale.cu: scale: As launched on line 9 of main.cu.", "count.cu: count: As launched on line 9 of count.cu. Worked out from the host's code: d." };

TEST_F(Project, aLaunchInAHeaderIsToldWithItsLine)
{
    write("include/each.cuh", "#pragma once\ntemplate <class T> __global__ void one(T* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 1; }\n"
                              "template <class T> void ones(T* x, int n)\n{\n    one<<<(n + 127) / 128, 128>>>(x, n);\n}\n");
    write("alone.cu", "#include \"include/each.cuh\"\nint main() { float* x; cudaMalloc(&x, 4096); ones(x, 1024); }\n");
    EXPECT_EQ(namesOf(opened("alone.cu")), std::vector<std::string> { "alone.cu: one<float>: As launched on line 5 of each.cuh." });
}

TEST_F(Project, aProgramWithConceptsInAHeaderAloneIsCompiledAsCpp20)
{
    write("include/view.hpp", "#pragma once\n#include <concepts>\ntemplate <class T> concept Element = sizeof(T) >= 1;\ntemplate <Element T> struct View { T* p; int n; };\n");
    write("views.cu", "#include \"include/view.hpp\"\n__global__ void k(View<float> v) { if (threadIdx.x < v.n) v.p[threadIdx.x] = 1; }\nint main() { View<float> v { nullptr, 32 }; cudaMalloc(&v.p, 128); k<<<1, 32>>>(v); }\n");
    const ProgramKernels program = opened("views.cu");
    ASSERT_EQ(program.kernels.size(), 1u);
    EXPECT_EQ(program.kernels[0].compile.standard, "c++20");
}

TEST_F(Project, kernelsOfOtherFilesAreCompiledWithTheirOwnAndLaunchedAsMainSays)
{
    const ProgramKernels program = opened("main.cu");
    EXPECT_EQ(namesOf(program), kLaunches);
    EXPECT_TRUE(program.unread.empty());
    for (const KernelSpec& spec : program.kernels) {
        EXPECT_EQ(spec.path, path(spec.sourceName));
        const auto plan = planLaunch(spec, {});
        ASSERT_TRUE(plan) << plan.error().detail;
        const auto prediction = predict(*plan);
        ASSERT_TRUE(prediction) << prediction.error().detail;
        EXPECT_EQ(prediction->result.metrics.get(analysis::Metric::GlobalStoreRequests), 128) << spec.entry;
        // Keys that are 28 bytes apart: each lane of a warp has a sector of its own; those of the scaled lie side by side.
        EXPECT_EQ(prediction->result.metrics.get(analysis::Metric::GlobalStoreSectors), spec.entry == "scale" ? 512 : 128 * 28) << spec.entry;
    }
}

TEST_F(Project, aJobMakesTheLaunchOfAnyFileAgain)
{
    write("gather.cu", "#include \"include/kernels.cuh\"\n__global__ void gather(const int* bins, float* data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[bins[i]] = 1; }\n");
    write("include/kernels.cuh", std::string(kHeader) + "__global__ void gather(const int* bins, float* data, int n);\n");
    write("count.cu", std::string(kCount).replace(std::string(kCount).rfind("; }"), 3, "; gather<<<rounded(m_n), kTile>>>(m_bins, reinterpret_cast<float*>(m_bins) , m_n); }"));
    const ProgramKernels program = opened("main.cu");
    ASSERT_EQ(program.kernels.size(), 3u);
    for (const KernelSpec& spec : program.kernels) {
        Job job;
        const auto plan = planLaunch(spec, {});
        ASSERT_TRUE(plan) << plan.error().detail;
        job.plan = *plan;
        const auto again = jobFromJson(toJson(job));
        ASSERT_TRUE(again) << again.error().detail;
        const auto expected = predict(*plan), prediction = predict(again->plan);
        ASSERT_TRUE(expected) << expected.error().detail;
        ASSERT_TRUE(prediction) << prediction.error().detail;
        EXPECT_EQ(prediction->result.metrics.get(analysis::Metric::GlobalStoreSectors), expected->result.metrics.get(analysis::Metric::GlobalStoreSectors)) << spec.entry;
    }
}

TEST_F(Project, whicheverFileIsOpenedItIsTheSameProgramAndItsOwnKernelIsFirst)
{
    for (const char* name : { "scale.cu", "count.cu", "include/kernels.cuh" })
        EXPECT_EQ(namesOf(opened(name)), kLaunches) << name;
    const ProgramKernels program = opened("count.cu");
    const auto chosen = chosenKernel(program, "", "count.cu");
    ASSERT_TRUE(chosen);
    EXPECT_EQ((*chosen)->entry, "count");
}

TEST_F(Project, programsThatLieBesideEachOtherStayApart)
{
    write("other.cu", "__global__ void alone(int* p) { p[threadIdx.x] = 1; }\nvoid unused();\nint main() { int* p; cudaMalloc(&p, 128); alone<<<1, 32>>>(p); }\n");
    write("bench.cpp", "int main() { }\n");
    EXPECT_EQ(namesOf(opened("other.cu")), std::vector<std::string> { "other.cu: alone: As launched on line 3 of other.cu." });
    EXPECT_EQ(namesOf(opened("main.cu")), kLaunches);
    EXPECT_EQ(namesOf(opened("count.cu")), kLaunches);
}

TEST_F(Project, filesLieInFoldersBesideMainToo)
{
    for (const char* name : { "scale.cu", "count.cu" }) {
        write(std::string("src/") + name, "#include \"../include/kernels.cuh\"\n" + textOf(name).substr(textOf(name).find('\n') + 1));
        std::filesystem::remove(path(name));
    }
    EXPECT_EQ(namesOf(opened("main.cu")), kLaunches);
    EXPECT_EQ(namesOf(opened("src/count.cu")), kLaunches);
}

TEST_F(Project, aManifestThatIsPrintedNamesTheOtherFiles)
{
    const ProgramKernels program = opened("main.cu");
    ASSERT_EQ(program.kernels.size(), 2u);
    write("count.cu", manifestComment(program.kernels[1].derived) + textOf("count.cu"));
    const auto spec = kernelOfFile(textOf("count.cu"), path("count.cu"));
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->compile.sources, (std::vector<std::filesystem::path> { "main.cu", "scale.cu" }));
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan);
    const auto prediction = predict(*plan);
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_EQ(prediction->result.metrics.get(analysis::Metric::GlobalStoreSectors), 128 * 28);
}

TEST_F(Project, aKernelThatNobodyLaunchesIsSuggestedOnceWithItsFile)
{
    write("include/kernels.cuh", std::string(kHeader) + "__global__ void idle(int* p);\n");
    write("scale.cu", std::string(kScale) + "__global__ void idle(int* p) { *p = 1; }\n");
    const ProgramKernels program = opened("main.cu");
    EXPECT_TRUE(program.unread.empty());
    ASSERT_EQ(std::ranges::count(program.kernels, "idle", &KernelSpec::id), 1);
    EXPECT_EQ(std::ranges::find(program.kernels, "idle", &KernelSpec::id)->sourceName, "scale.cu");
}

} // namespace
