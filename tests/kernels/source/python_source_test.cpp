// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/python_source.h"

#include "kernels/source/program_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::kernels {
namespace {

TEST(PythonSource, stringsOfThreeQuotesThatHoldCudaAreKeptWhereTheyStand)
{
    const std::string program = "\"\"\"Adds on the GPU: no kernel here.\"\"\"\nimport cupy\n\nsource = r'''\n__global__ void add(float* x) { x[threadIdx.x] += 1; }\n'''\nprint(\"it's # done\")\n";
    EXPECT_EQ(cudaOfPython(program), "\n\n\n\n__global__ void add(float* x) { x[threadIdx.x] += 1; }\n\n\n");
}

TEST(PythonSource, namesThatAStringIsFormattedWithAreTheirNumbers)
{
    const std::string percents = "BX, BY = 32, 8\nN = 4096\nmod = SourceModule(\"\"\"\n#define BX %(bx)d\n#define N %(N)d\n__global__ void k(int* x) { x[threadIdx.x %% BX] = N; }\n\"\"\" % {\"bx\": BX, \"N\": N})\n";
    const std::string made = cudaOfPython(percents);
    EXPECT_NE(made.find("#define BX 32\n"), made.npos) << made;
    EXPECT_NE(made.find("#define N 4096\n"), made.npos) << made;
    EXPECT_NE(made.find("threadIdx.x % BX"), made.npos) << made;
    const std::string braces = "TILE = 16\ncode = f'''\n__global__ void k(int* x) {{ __shared__ int s[{TILE}]; s[threadIdx.x] = 0; x[0] = s[1]; }}\n'''\n";
    EXPECT_EQ(cudaOfPython(braces), "\n\n__global__ void k(int* x) { __shared__ int s[16]; s[threadIdx.x] = 0; x[0] = s[1]; }\n\n");
}

TEST(PythonSource, whatNeverEndsIsReadToTheEnd)
{
    EXPECT_EQ(cudaOfPython("a = '''\n__global__ void k() {}\n"), "\n__global__ void k() {}\n");
    EXPECT_EQ(cudaOfPython("x = 'half a string\ny = \"\\"), "\n");
    EXPECT_EQ(cudaOfPython(""), "");
}

TEST(PythonSource, aKernelsLineIsThatOfThePythonFile)
{
    const std::string source = cudaOfPython("import cupy as cp\n# a kernel\nk = cp.RawKernel(r'''\nextern \"C\" __global__\nvoid scale(const float* x, float* y, int n)\n{\n"
                                            "    int i = blockDim.x * blockIdx.x + threadIdx.x;\n    if (i < n) y[i] = 2 * x[i];\n}\n''', 'scale')\n");
    const auto spec = kernelOfFile(source, "/nowhere/scale.py");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->title.en, "scale");
    EXPECT_EQ(std::count(spec->source.begin(), spec->source.begin() + std::ptrdiff_t(spec->source.find("void scale")), '\n'), 4);
}

} // namespace
} // namespace coalescope::kernels
