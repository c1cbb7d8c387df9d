// SPDX-License-Identifier: Apache-2.0
// Programs as users have them: kernels and the host code that launches them, without a manifest.
#include "program.h"

#include <gtest/gtest.h>

using namespace coalescope::cli;

namespace {

const std::string kTurn = R"(#include <iostream>
#include <vector>
#define TILE 16
__global__ void turn(const float* in, float* out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    out[(blockIdx.x * TILE + threadIdx.y) * rows + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void gather(const float* in, const int* idx, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[idx[i]];
}
)";

const std::string kMain = R"(int main()
{
    const int rows = 96, cols = 64;
    std::vector<float> h(rows * cols);
    float *in, *out;
    int* idx;
    cudaMalloc(&in, h.size() * sizeof(float));
    cudaMalloc(&out, h.size() * sizeof(float));
    cudaMalloc(&idx, 4 * rows * cols);
    cudaMemcpy(in, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
    turn<<<dim3(cols / TILE, rows / TILE), dim3(TILE, TILE)>>>(in, out, rows, cols);
    gather<<<(rows * cols + 255) / 256, 256>>>(in, idx, out, rows * cols);
    std::cout << h[0] << std::endl;
}
)";

double metric(const Outcome& outcome, const char* key) { return outcome.json().at("metrics").at(key); }

} // namespace

TEST(Programs, areLaunchedAsTheirHostCodeDoes)
{
    const Folder folder;
    const std::string file = folder.write("turn.cu", kTurn + kMain);
    const Outcome outcome = run({ "predict", file, "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "note: turn as launched on line 27 of turn.cu.\n");
    EXPECT_EQ(outcome.json().at("launch").at("grid"), (std::vector<int> { 4, 6, 1 }));
    EXPECT_EQ(metric(outcome, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 96 * 64 / 8);
    const Outcome other = run({ "predict", "--source", file, "--entry", "gather", "--set", "block_x=128", "--json" });
    ASSERT_EQ(other.status, 0) << other.err;
    EXPECT_EQ(other.err, "note: gather as launched on line 28 of turn.cu.\nnote: guessed what indices idx holds: 0, 1, 2, ...\n");
    EXPECT_EQ(other.json().at("launch").at("grid"), (std::vector<int> { 48, 1, 1 }));
    EXPECT_EQ(other.json().at("guessed"), (std::vector<std::string> { "what indices idx holds: 0, 1, 2, ..." }));
    EXPECT_FALSE(outcome.json().contains("guessed"));
}

TEST(Programs, launchesTakeAnotherGridAndBlock)
{
    const Folder folder;
    const std::string file = folder.write("turn.cu", kTurn + kMain);
    const Outcome outcome = run({ "predict", file, "--entry", "gather", "--grid", "2", "--block", "64", "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("launch").at("grid"), (std::vector<int> { 2, 1, 1 }));
    EXPECT_EQ(metric(outcome, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 128 / 8);
    EXPECT_EQ(run({ "predict", file, "--entry", "gather", "--block", "2048" }).status, 2);
    const std::string described = folder.write("own.cu", run({ "kernels", file, "--manifest", "--entry", "gather" }).out + kTurn);
    const Outcome refused = run({ "predict", described, "--block", "64" });
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("it takes --set"), std::string::npos) << refused.err;
}

TEST(Programs, aSuggestedGridFollowsTheBlockThatIsAskedFor)
{
    const Folder folder;
    const std::string file = folder.write("fill.cu", "__global__ void fill(float* x, int H, int W, int C)\n{\n    int i = threadIdx.x + blockIdx.x * blockDim.x;\n    if (i < H * W * C) x[i] = 1;\n}\n");
    const Outcome outcome = run({ "predict", file, "--set", "H=64", "--set", "W=64", "--set", "C=8", "--block", "128", "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("launch").at("grid"), (std::vector<int> { 256, 1, 1 }));
    EXPECT_EQ(outcome.json().at("launch").at("block"), (std::vector<int> { 128, 1, 1 }));
}

TEST(Programs, aDefineOfTheFileIsSwept)
{
    const Folder folder;
    const Outcome outcome = run({ "sweep", folder.write("turn.cu", kTurn + kMain), "--over", "TILE=8,16,32", "--csv" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 4) << outcome.out;
    for (const char* row : { "\n96,64,8,192,192,768,768,0,0,0,0,1536,", "\n96,64,16,192,192,768,768,0,0,0,0,768,", "\n96,64,32,192,192,768,768,0,0,0,0,384," }) // tags
        EXPECT_NE(outcome.out.find(row), std::string::npos) << outcome.out;
}

TEST(Programs, theirKernelsAreListedAndTheirManifestPrinted)
{
    const Folder folder;
    const std::string file = folder.write("turn.cu", kTurn + kMain);
    const Outcome listed = run({ "kernels", file });
    ASSERT_EQ(listed.status, 0) << listed.err;
    EXPECT_TRUE(listed.out.starts_with("turn\n  As launched on line 27 of turn.cu.\n    --set rows=96")) << listed.out;
    EXPECT_EQ(run({ "kernels", file, "--json" }).json().size(), 2u);
    EXPECT_TRUE(run({ "kernels", file, "--json" }).json().at(0).at("guessed").is_array());
    const Outcome manifest = run({ "kernels", file, "--manifest" });
    ASSERT_EQ(manifest.status, 0) << manifest.err;
    const std::string whole = folder.write("whole.cu", manifest.out + kTurn + kMain);
    const Outcome with = run({ "predict", whole, "--json" }), without = run({ "predict", file, "--json" });
    ASSERT_EQ(with.status, 0) << with.err;
    EXPECT_EQ(with.json().at("metrics"), without.json().at("metrics"));
}

TEST(Programs, whatTheirHostCodeDoesNotTellIsSaidWithTheNextStep)
{
    const Folder folder;
    const std::string file = folder.write("turn.cu", kTurn + "int main() { int n = ask();\n  turn<<<n, 32>>>(nullptr, nullptr, 8, 8); }\n");
    expectError(run({ "predict", file }), 3, "the launch of turn does not tell how large the grid is: ask() is not known there (turn.cu:18). Give --source");
    const Outcome alone = run({ "predict", folder.write("alone.cu", kTurn) });
    EXPECT_EQ(alone.status, 0) << alone.err;
    EXPECT_NE(alone.err.find("note: guessed its launch, for which the program has no code"), std::string::npos) << alone.err;
    expectError(run({ "predict", file, "--entry", "other" }), 3, "the launch of turn does not tell");
    const Outcome manifest = run({ "kernels", file, "--manifest" });
    EXPECT_EQ(manifest.status, 0);
    EXPECT_NE(manifest.err.find("this is one to start from"), std::string::npos) << manifest.err;
    EXPECT_NE(manifest.out.find("entry = \"turn\""), std::string::npos);
    const std::string both = folder.write("both.cu", kTurn + kMain + "__global__ void later(double* out, int count) { }\n");
    EXPECT_EQ(run({ "predict", both, "--entry", "later" }).status, 0) << "as its code suggests";
    const Outcome later = run({ "kernels", both, "--manifest", "--entry", "later" });
    EXPECT_EQ(later.status, 0) << later.err;
    EXPECT_NE(later.out.find("entry = \"later\""), std::string::npos) << later.out;
    expectError(run({ "predict", "copy", "--entry", "x" }), 2, "--entry chooses a kernel of a file");
}

TEST(Programs, headersAndTheStandardAreGiven)
{
    const Folder folder, headers;
    headers.write("scale.cuh", "#pragma once\n#include <string>\ntemplate <class T> concept Number = requires(T a) { a + a; };\n"
                               "template <Number T> __global__ void scale(T* p) { p[threadIdx.x] *= 2; }\n");
    const std::string file = folder.write("main.cu", "#include \"scale.cuh\"\nint main() { double* p; cudaMalloc(&p, 512); scale<<<1, 64>>>(p); }\n");
    const Outcome outcome = run({ "predict", file, "--include", headers.path().string(), "--std", "c++20", "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(metric(outcome, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 16);
    EXPECT_NE(run({ "predict", file }).status, 0);
}
