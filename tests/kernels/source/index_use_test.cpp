// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/index_use.h"

#include <gtest/gtest.h>

using namespace coalescope::kernels;

namespace {

/// "into*factor ...", with "ranges" where an element and the next are loaded.
std::string usesOf(const std::string& body)
{
    const std::vector<std::string> code { "__global__ void other(int* i) { x[i[0]]; }\n__global__ void k(const int* i, float* x)\n{ " + body + " }" };
    const IndexUses found = indexUsesOf(code, "k", "i");
    std::string text = found.boundsRanges ? "ranges " : "";
    for (const IndexUse& use : found.uses)
        text += use.into + (use.factor.empty() ? "" : "*" + use.factor) + " ";
    return text;
}

} // namespace

TEST(BufferUse, tellsWhetherElementsAreReadOrWritten)
{
    const auto useIn = [](const std::string& body) {
        const std::vector<std::string> code { "__global__ void k(int* b, int* c)\n{ " + body + " }" };
        const BufferUse use = useOf(code, "k", "b");
        return std::string(use.reads ? "reads " : "") + (use.writes ? "writes" : "");
    };
    for (const char* body : { "b[i] = 1;", "if (i < n) b[i] = c[i];", "*b = 3;", "b[i].x = 1;", "atomicAdd(&b[i], 1);", "else atomicMax(b + i, 2);" })
        EXPECT_EQ(useIn(body), "writes") << body;
    for (const char* body : { "c[i] = b[i];", "int x = *b;", "x = c[i] & b[i];", "y = x * b[i];", "x = __ldg(&b[i]);", "auto v = reinterpret_cast<const int4*>(b)[i];", "const int& cell = b[i];" })
        EXPECT_EQ(useIn(body), "reads ") << body;
    for (const char* body : { "b[i] += 1;", "++b[i];", "x = atomicAdd(&b[i], 1);", "f(b);", "f(&b[i]);", "int* p = b + i;", "c[i] = b[i]; b[i] = 0;", "x = b[i] = 1;", "x = 1;", "int& cell = b[i];",
             "auto v = reinterpret_cast<int4*>(b)[i];" })
        EXPECT_EQ(useIn(body), "reads writes") << body;
    EXPECT_TRUE(useOf({}, "k", "b").reads);
}

TEST(BufferUse, ofAMemberIsNotThatOfAParameterOfItsName)
{
    const auto useIn = [](const std::string& body, const std::string& object) {
        const std::vector<std::string> code { "__global__ void k(Table t, const int* b)\n{ " + body + " }" };
        const BufferUse use = useOf(code, "k", "b", object);
        return std::string(use.reads ? "reads " : "") + (use.writes ? "writes" : "");
    };
    EXPECT_EQ(useIn("t.b[i] = b[i];", ""), "reads ");
    EXPECT_EQ(useIn("t.b[i] = b[i];", "t"), "writes");
    EXPECT_EQ(useIn("t.insert(b[i]);", "t"), "reads writes") << "a function of the object's may do anything";
    EXPECT_EQ(useIn("fill(t, b[i]);", "t"), "reads writes");
}

TEST(IndexUse, isFoundInSubscriptsAndThroughVariables)
{
    EXPECT_EQ(usesOf("x[i[t]] = 1;"), "x ");
    EXPECT_EQ(usesOf("int c = i[t]; x[c] = 1;"), "x ");
    EXPECT_EQ(usesOf("int c = __ldg(&i[t]); x[c] = 1;"), "x ");
    EXPECT_EQ(usesOf("int c = __ldg(i + t); x[c] = 1;"), "x ");
    EXPECT_EQ(usesOf("atomicAdd(&x[i[t]], 1);"), "x ");
    EXPECT_EQ(usesOf("x[i[t] * n + t] = y[n * i[t]];"), "x*n y*n ");
    EXPECT_EQ(usesOf("for (int j = i[t]; j < i[t + 1]; ++j) s += x[j];"), "ranges x ");
    EXPECT_EQ(usesOf("const int a = i[t], b = i[t + 1]; for (int j = a; j < b; ++j) s += x[j];"), "ranges x ");
}

TEST(IndexUse, isFoundWhereAPointerGoesOnFromAnArray)
{
    EXPECT_EQ(usesOf("const float* p = x + 3 * i[t]; s += p[0];"), "x*3 ");
    EXPECT_EQ(usesOf("p = x + i[t] * n;"), "x*n ");
    EXPECT_EQ(usesOf("float* p = x + 2 * i[t] + 1;"), "");
}

TEST(IndexUse, whatIsOnlyComputedWithIsNone)
{
    EXPECT_EQ(usesOf("int d = i[t] + r[t]; x[d] = 1; y[i[t] + r[t]] = 1;"), "") << "how much of the sum it is, is not known";
    EXPECT_EQ(usesOf("x[t] = i[t] * 2;"), "");
    EXPECT_EQ(usesOf("int c = i[t]; if (c > 3) x[t] = c;"), "");
    EXPECT_EQ(usesOf(""), "");
}

TEST(IndexUse, ofTextsThatEndAnywhereIsFound)
{
    for (const char* broken : { "x[i[", "x[i[t]", "int c = i[t", "x[(i[t]", ") ] } i[t]", "i[i[i[t]]]", "__ldg(", "& i" })
        (void)usesOf(broken);
    EXPECT_TRUE(indexUsesOf(std::vector<std::string> {}, "k", "i").uses.empty());
}
