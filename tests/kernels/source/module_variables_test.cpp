// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/module_variables.h"

#include <gtest/gtest.h>

using namespace coalescope::kernels;

namespace {

/// "name:type" of each, with " written" or " const".
std::string variablesIn(const std::string& declared, const std::string& body)
{
    const std::vector<std::string> code { declared + "\n__global__ void k(float* out, int n)\n{ " + body + " }" };
    std::string text;
    for (const ModuleVariable& variable : moduleVariablesOf(code))
        text += (text.empty() ? "" : ", ") + variable.name + ":" + variable.type + (variable.isWritten ? " written" : "") + (variable.isConst ? " const" : "") + (variable.isManaged ? " managed" : "");
    return text;
}

} // namespace

TEST(ModuleVariables, areTheGpusOwnWithTheirTypes)
{
    EXPECT_EQ(variablesIn("__device__ unsigned int a; static __device__ float b[4][8]; __constant__ __align__(16) Params c; __managed__ int d, e; extern __device__ double f;", ""),
        "a:unsigned int, b:float, c:Params const, d:int managed, e:int managed, f:double");
    EXPECT_EQ(variablesIn("namespace t { __device__ const int a[2] = { 1, 2 }; __device__ const float* b; }", ""), "a:int const, b:float");
    EXPECT_EQ(variablesIn("int host; __device__ int f(int x) { return x; } __device__ int g(int);", ""), "") << "functions, and the host's";
}

TEST(ModuleVariables, areWrittenToWhereTheyMayBe)
{
    for (const char* body : { "a = 1;", "a += n;", "++a;", "a--;", "atomicAdd(&a, 1);", "int* p = &a;", "int& r = a;", "change(a);", "a.x = 3;" })
        EXPECT_EQ(variablesIn("__device__ int a; __device__ void change(int& x) { x = 1; }", body), "a:int written") << body;
    for (const char* body : { "if (a > n) return;", "out[a] = 1;", "n = a * 2;", "out[0] = min(a, n);", "return a == 3;" })
        EXPECT_EQ(variablesIn("__device__ int a;", body), "a:int") << body;
    for (const char* body : { "a[n] = 1;", "atomicAdd(&a[n], 1);", "int* p = a;", "int& r = a[n];", "change(a[n]);", "a[n].x += 1;" })
        EXPECT_EQ(variablesIn("__device__ int a[8]; __device__ void change(int& x) { x = 1; }", body), "a:int written") << body;
    for (const char* body : { "out[a[n]] = 1;", "n = a[n] + a[n + 1];", "const int& r = a[n];" })
        EXPECT_EQ(variablesIn("__device__ int a[8];", body), "a:int") << body;
    EXPECT_EQ(variablesIn("__device__ int a[2][8]; template <int B> __device__ __forceinline__ int& at(int i) { if (i > 8) return a[0][0]; return a[B][i]; }", "at<0>(3) = 1;"), "a:int written");
    EXPECT_EQ(variablesIn("__device__ int a[8]; __device__ int at(const int* p, int i) { for (;;) { if (p[i] > 8) return a[i]; } }", "at(p, 3);"), "a:int");
    EXPECT_EQ(variablesIn("__device__ int a; __device__ void push() { a = 1; }", "push();"), "a:int written") << "a function that the kernel calls";
}
