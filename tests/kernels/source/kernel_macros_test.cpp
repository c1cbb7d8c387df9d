// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/kernel_macros.h"

#include "kernels/compile/kernel_declarations.h"
#include "kernels/source/device_part.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace coalescope::kernels;

namespace {

const std::string kSource = "#define BODY(op) { int i = threadIdx.x; if (i >> 1 < n) { op; } }\n"
                            "#define KERNEL(name, op) \\\n    __global__ void name(float* y, int n) \\\n    BODY(op)\n"
                            "#define PAIR(type) KERNEL(fill_##type, y[i] = (type)0) __global__ void copy_##type(type* a, const type* b) { *a = *b; }\n"
                            "KERNEL(twice, y[i] = max(y[i], 2.f))\nKERNEL(half,\n       y[i] *= 0.5f)\nPAIR(float)\nstruct Mesh { std::vector<int> nodes; };\n";

std::string namesOf(const std::string& source)
{
    std::string names;
    for (const KernelDeclaration& kernel : kernelDeclarations(source))
        names += kernel.name + ":" + std::to_string(kernel.line) + " ";
    return names;
}

} // namespace

TEST(KernelMacros, kernelsThatMacrosMakeStandWhereTheirMacrosDo)
{
    EXPECT_EQ(namesOf(kSource), "twice:6 half:7 fill_float:9 copy_float:9 ");
    const std::string made = withKernelMacros(kSource);
    EXPECT_EQ(std::ranges::count(made, '\n'), std::ranges::count(kSource, '\n')) << "lines stay lines";
    EXPECT_NE(made.find("__global__ void twice(float* y, int n) BODY(y[i] = max(y[i], 2.f))"), made.npos) << made;
    EXPECT_NE(made.find("__global__ void copy_float(float* a, const float* b) { *a = *b; }"), made.npos) << made;
}

TEST(KernelMacros, aSourceWithoutThemStaysAsItIs)
{
    const std::string plain = "#define N 4\n#define ADD(a, b) a + b\n__global__ void k(int* x) { *x = ADD(N, 1); }\n";
    EXPECT_EQ(withKernelMacros(plain), plain);
    EXPECT_EQ(withKernelMacros("#define KERNEL(n) __global__ void n() {}\nKERNEL("), "#define KERNEL(n) __global__ void n() {}\n__global__ void () {}") << "no end";
}

TEST(KernelMacros, whatFollowsThemIsNoPartOfThem)
{
    const std::vector<ProgramFile> files { { .text = kSource, .names = {} } };
    const std::string part = deviceParts(files, "", "half").front();
    EXPECT_EQ(part.find("Mesh"), part.npos) << "it is the host's";
    EXPECT_EQ(part.find("twice"), part.rfind("twice")) << part;
    EXPECT_NE(part.find("void half("), part.npos) << part;
}

TEST(KernelMacros, whatStandsForParametersIsReplacedByThem)
{
    const auto parametersOf = [](const std::string& source) {
        std::string all;
        for (const KernelDeclaration& kernel : kernelDeclarations(source)) {
            all += kernel.name + "(";
            for (const std::string& parameter : kernel.parameters)
                all += parameter + ";";
            all += ") ";
        }
        return all;
    };
    EXPECT_EQ(parametersOf("#define ARGS const float* x, float* y\n__global__ void k(ARGS, int n) {}\n__global__ void both(ARGS) { }\n"), "k(const float* x;float* y;int n;) both(const float* x;float* y;) ");
    EXPECT_EQ(parametersOf("#define IN(T) const T* __restrict__\n#define BOUNDS(n) __launch_bounds__(n)\n__global__ BOUNDS(128) void k(IN(float) x) {}\n"), "k(const float* __restrict__ x;) ");
    EXPECT_EQ(parametersOf("#define KERNEL __global__ void\nKERNEL k(int* x) {}\n"), "k(int* x;) ");
    EXPECT_EQ(parametersOf("#define REAL float\n#define N 4\n__global__ void k(REAL* x, int (&y)[N]) {}\n"), "k(REAL* x;int (&y)[N];) ") << "names of one type or number stay";
    std::string twice = "#define A A A A A A A A A A A A A A A A A A A A\n__global__ void k(A x) {}\n";
    EXPECT_LT(withKernelMacros(twice).size(), std::size_t(16) << 20) << "what grows in each turn ends";
}
