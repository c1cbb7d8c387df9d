// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/unset_numbers.h"

#include <gtest/gtest.h>

using namespace coalescope::kernels;

namespace {

/// "int n, int* m"
std::string numbersOf(const std::string& source)
{
    const auto kernels = kernelDeclarations(source);
    std::string text;
    for (const UnsetNumber& number : kernels.empty() ? std::vector<UnsetNumber> {} : unsetNumbersOf(tokensOf(source), kernels.front()))
        text += (text.empty() ? "" : ", ") + number.type + (number.isPointer ? "* " : " ") + number.name;
    return text;
}

} // namespace

TEST(UnsetNumbers, areConstantsWithoutAValue)
{
    EXPECT_EQ(numbersOf("__constant__ int n;\n__constant__ unsigned int a, b;\n__global__ void k(float* x) { if (threadIdx.x < n + a + b) x[0] = 1; }\n"), "int n, unsigned int a, unsigned int b");
    EXPECT_EQ(numbersOf("__constant__ int n = 5, m[4];\n__constant__ float f;\n__constant__ int unused;\n__global__ void k(float* x) { x[n] = f + m[1]; }\n"), "");
}

TEST(UnsetNumbers, arePointersToOneInteger)
{
    EXPECT_EQ(numbersOf("__global__ void k(float* x, const int* n, int* m) { if (threadIdx.x < *n) x[*m * *n] = 1; }\n"), "int* n, int* m");
    for (const char* body : { "x[n[0]] = 1;", "*n = 5;", "*n += 1;", "atomicAdd(n, 1);", "x[*(n + 1)] = 1;", "x[0] = 1;", "x[*n++] = 1;" })
        EXPECT_EQ(numbersOf("__global__ void k(float* x, int* n) { " + std::string(body) + " }\n"), "") << body;
}
