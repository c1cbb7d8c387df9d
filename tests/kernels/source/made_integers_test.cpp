// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/made_integers.h"

#include <gtest/gtest.h>

#include <vector>

using namespace coalescope::kernels;

namespace {

bool makes(const std::string& body)
{
    const std::vector<std::string> code { "__global__ void k(const float4* p, float* v, float scale, int n)\n{ int i = threadIdx.x; " + body + " }" };
    return makesIntegers(code);
}

} // namespace

TEST(MadeIntegers, areRoundedMembersAndElements)
{
    for (const char* body : { "int x = floorf(a);", "int x = __float2int_rd(a);", "int x = (int)(p[i].x / h);", "int x = (int)v[i];", "int x = int(v[i] * scale);", "auto x = static_cast<int>(p[i].x);" })
        EXPECT_TRUE(makes(body)) << body;
    for (const char* body : { "int x = (int)i;", "int x = (int)(i * 4);", "int x = (int)blockIdx.x;", "float y = (float)v[i];", "v[i] = 1;" })
        EXPECT_FALSE(makes(body)) << body;
}

TEST(MadeIntegers, areCastsOfVariablesOfARealType)
{
    for (const char* body : { "float x = p[i].x * scale; int ix = (int)x;", "float x = fminf(p[i].x, 1.f), y = p[i].y; int ix = 0, iy = (int)y;", "const double x(1); int a = int(x * 3);",
             "half x; auto a = static_cast<int>(x);", "float const x = 2; unsigned a = (unsigned)(n + x);" })
        EXPECT_TRUE(makes(body)) << body;
    EXPECT_TRUE(makesIntegers(std::vector<std::string> { "struct V { __device__ float sample(float x, float y) const { int ix = (int)y; return at(ix); } };" }));
}

TEST(MadeIntegers, areNoneOfIntegersBesideRealVariables)
{
    for (const char* body : { "float x = 1; int a = (int)n + x;", "float x = 1; int a = (int)f(n);", "float x = 1; { int x = 2; int a = (int)x; }", "float* x = v; long a = (long)x;",
             "int a = (int)scale;", "float x = 1; int a = (int)(n / 2);" })
        EXPECT_FALSE(makes(body)) << body;
}
