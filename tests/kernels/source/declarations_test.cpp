// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/declarations.h"

#include <gtest/gtest.h>

#include <string>

using namespace coalescope::kernels;

namespace {

/// "F:name,name T:name ..." of the declarations; a body is told by a star.
std::string listed(std::string_view source)
{
    const auto tokens = tokensOf(source);
    std::string text;
    for (const Declaration& declaration : declarationsOf(tokens)) {
        text += text.empty() ? "" : " ";
        text += "DUFTO"[std::size_t(declaration.kind)];
        for (std::size_t i = 0; i < declaration.names.size(); ++i)
            text += (i ? "," : ":") + std::string(declaration.names[i]);
        text += declaration.hasBody() ? "*" : "";
        text += declaration.scope.empty() ? "" : "@" + std::string(declaration.scope);
    }
    return text;
}

} // namespace

TEST(Declarations, functionsVariablesAndTypesAreToldApart)
{
    EXPECT_EQ(listed("int f(int a, int b = g(3)) { if (a) { return b; } }\nint a = 1, b[2] = { 1, 2 };\nstruct S : B<int> { int x; } s;"),
        "F:f* O:a,b T:S,s*");
    EXPECT_EQ(listed("template <class T, int N = (1 > 0)> __global__ void __launch_bounds__(256, 2) k(const T* in) { }\nstd::map<int, float> m;"),
        "F:k* O:m");
    EXPECT_EQ(listed("enum class E : int { A, B = 2 };\ntypedef struct { float x; } P;\ntypedef void (*Kernel)(float*);\nstruct Q;"),
        "T:E,A,B* O:P* O:Kernel T:Q");
    EXPECT_EQ(listed("typedef struct { float x; } P __attribute__((aligned));\ntypedef float V __attribute__((ext_vector_type(4)));"), "O:P* O:V");
    EXPECT_EQ(listed("struct Node* next(struct Node* n);\nextern __shared__ float s[];\nauto f = [](int x) { return x; };\ndim3 block{32, 8};"),
        "F:Node,next O:s O:f O:block");
}

TEST(Declarations, constructorsAndOperatorsEndWithTheirBodies)
{
    EXPECT_EQ(listed("S::S(int a) : x(a), y { a } { run(); }\nint after;"), "F:S,x* O:after");
    EXPECT_EQ(listed("__device__ float3 operator+(float3 a, float3 b) { return a; }\nbool F::operator()(int a) const { return a; }\nint after;"),
        "F:operator* F:operator* O:after");
}

TEST(Declarations, namespacesAreEnteredAndAliasesAreNot)
{
    EXPECT_EQ(listed("namespace a::b { int x; namespace { int y; } }\nextern \"C\" { void f(); }\nint z;"), "O:x@b O:y@b F:f O:z");
    EXPECT_EQ(listed("using namespace std;\nnamespace cg = cooperative_groups;\nusing T = float;\nusing std::min;"), "U:std O:cg O:T O:min");
}

TEST(Declarations, branchesOfAnIfThatOpenTheSameBracketCountOnce)
{
    EXPECT_EQ(listed("#ifdef HALF\n__global__ void k(half* a) {\n#else\n__global__ void k(float* a) {\n#endif\n  f();\n}\nint after;"),
        "D F:k* O:after");
    EXPECT_EQ(listed("void f() {\n#if A\n  if (x) { g(); }\n#else\n  h();\n#endif\n}\nint after;"), "F:f* O:after");
    EXPECT_EQ(listed("#if A\nint x;\n#elif B\nint y;\n#else\nint z;\n#endif\nint after;"), "D O:x D O:y D O:z D O:after");
}

TEST(Declarations, aMacroBeforeAFunctionIsOneOfItsNames)
{
    EXPECT_EQ(listed("INSTANTIATE(float)\n__global__ void k(int* p) { }\nint after;"), "F:INSTANTIATE,k* O:after");
}

TEST(Declarations, whatIsNoSourceEnds)
{
    for (const char* odd : { "}", "{", "(", "struct", "template <", "namespace", "using", "operator", "enum {", "int a(", "#else\n#endif\n}", "typedef (*" })
        (void)listed(odd);
}
