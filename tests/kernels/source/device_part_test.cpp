// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/device_part.h"

#include "kernels/source/kernel_macros.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace coalescope::kernels;

namespace {

std::string partOf(std::string_view source, std::string_view mentioned = "")
{
    const ProgramFile file { .text = source, .names = {} };
    const std::string part = deviceParts(std::span(&file, 1), mentioned)[0];
    EXPECT_EQ(std::ranges::count(part, '\n'), std::ranges::count(source, '\n'));
    EXPECT_TRUE(part.size() == source.size() || withKernelMacros(source) != source);
    return part;
}

bool has(const std::string& text, std::string_view what) { return text.find(what) != text.npos; }

} // namespace

TEST(DevicePart, keepsKernelsAndWhatTheyNeedAtTheirPlaces)
{
    const std::string source = "#include <vector>\n#define TILE 32\nconst int kScale = 3;\nint unused = rand();\n"
                               "struct P { float x; };\nfloat twice(float x) { return 2 * x; }\nvoid host() { std::vector<int> v; }\n"
                               "__global__ void k(P* p) { p[TILE].x = twice(kScale); }\nint main() { k<<<1, 1>>>(0); }\n";
    const std::string part = partOf(source);
    for (const char* kept : { "#define TILE 32", "const int kScale = 3;", "struct P { float x; };", "float twice(float x)", "__global__ void k(P* p)" })
        EXPECT_EQ(part.find(kept), source.find(kept)) << kept;
    for (const char* gone : { "vector", "unused", "host", "main", "<<<" })
        EXPECT_FALSE(has(part, gone)) << gone;
}

TEST(DevicePart, followsMacrosFunctorsAndWhatTheEntryNames)
{
    const std::string source = "#define HD __host__ __device__\n#define KERNEL(name) __global__ void name(float* p) { helper(p); }\n"
                               "HD void helper(float* p) { }\nstruct Add { HD float operator()(float a, float b) { return a + b; } };\n"
                               "struct Other { };\nKERNEL(first)\ntemplate <class Op> __global__ void second(float* p) { Op op; }\n"
                               "int main() { second<Add><<<1, 1>>>(0); }\n";
    const std::string part = partOf(source, "second<Add>");
    for (const char* kept : { "HD void helper", "struct Add", "__global__ void first(float* p) { helper(p); }" })
        EXPECT_TRUE(has(part, kept)) << kept;
    EXPECT_FALSE(has(part, "Other"));
    EXPECT_FALSE(has(partOf(source), "struct Add")) << "nothing leads to it";
}

TEST(DevicePart, namespacesOfTheHostsLibrariesGoWithTheirHeaders)
{
    const std::string kernel = "namespace mine { }\nusing namespace mine;\nusing namespace cooperative_groups;\n__global__ void k() { }\n";
    const std::string part = partOf("#include <opencv2/opencv.hpp>\nusing namespace cv;\n" + kernel);
    EXPECT_FALSE(has(part, "cv"));
    EXPECT_TRUE(has(part, "using namespace mine;"));
    EXPECT_TRUE(has(part, "using namespace cooperative_groups;"));
    EXPECT_TRUE(has(partOf("using namespace cv;\n" + kernel), "cv")) << "no header is missing: the compiler tells";
}

TEST(DevicePart, aVariablesNameLeadsToNoFunctionOfTheHost)
{
    const std::string part = partOf("void sum(std::vector<float>& v) { }\nfloat mean(float* p) { return *p; }\n"
                                    "__global__ void k(float* p) { float sum = 0, mean = 0; p[0] = sum + mean; }\nint main() { }\n");
    EXPECT_FALSE(has(part, "vector"));
    EXPECT_FALSE(has(part, "return *p"));
}

TEST(DevicePart, membersThatOnlyTheHostCompilesAreLeftOut)
{
    const std::string part = partOf("struct Image {\n  float* data;\npublic:\n  void load(const std::string& path) { std::ifstream in(path); }\n"
                                    "  __device__ float at(int i) const { return data[i]; }\n  void print() const { fprintf(stderr, \"x\"); }\n"
                                    "  __host__ Image(int w) : width(w) { }\n  int width;\n};\n"
                                    "__global__ void k(Image i, float* o) { o[0] = i.at(0); }\nint main() { cudaFree(0); }\n");
    for (const char* kept : { "float* data;", "public:", "__device__ float at", "int width;" })
        EXPECT_TRUE(has(part, kept)) << kept;
    EXPECT_FALSE(has(part, "load"));
    EXPECT_FALSE(has(part, "print"));
    EXPECT_FALSE(has(part, "__host__"));
}

TEST(DevicePart, includesStayWhereKernelsCanUseThem)
{
    const std::string source = "#include <iostream>\n#include <cuda_fp16.h>\n#include \"mine.h\"\n#include \"missing.h\"\n#include <cub/cub.cuh>\n"
                               "#include \"helper_cuda.h\"\n#include <opencv2/core.hpp>\n#include <cstdint>\n__global__ void k(half* p) { }\nint main() { }\n";
    const ProgramFile files[] { { .text = source, .names = {} }, { .text = "", .names = { "mine.h" } } };
    const std::string part = deviceParts(files, "")[0];
    for (const char* kept : { "<cuda_fp16.h>", "\"mine.h\"", "\"missing.h\"", "<cstdint>" })
        EXPECT_TRUE(has(part, kept)) << kept;
    for (const char* gone : { "iostream", "cub", "helper", "opencv" })
        EXPECT_FALSE(has(part, gone)) << gone;
}

TEST(DevicePart, theSizeOfATableIsAConstantOfKernels)
{
    const std::string source = "#include <vector>\n#include <string>\nconstexpr float kTaps[] = { 1, 2, 1 };\nconstexpr int kTapCount = static_cast<int>(std::size(kTaps));\n"
                               "__constant__ float taps[kTapCount];\n__global__ void k(float* p) { *p = taps[kTapCount - 1]; }\nint main() { std::vector<int> v; }\n";
    const std::string part = deviceParts(std::vector<ProgramFile> { { .text = source, .names = {} } }, "")[0];
    EXPECT_TRUE(has(part, "std::size(kTaps)"));
    EXPECT_TRUE(has(part, "#include <array>")) << "which has std::size for kernels, as <vector> has for the host";
    EXPECT_FALSE(has(part, "vector"));
}

TEST(DevicePart, filesAreOneProgram)
{
    const std::string header = "#pragma once\n#include <string>\nstruct Timer { std::string name; };\n__device__ float square(float x) { return x * x; }\n";
    const std::string source = "#include \"common.h\"\n__global__ void k(float* p) { p[0] = square(p[0]); }\nint main() { Timer t; }\n";
    const ProgramFile files[] { { .text = source, .names = {} }, { .text = header, .names = { "common.h" } } };
    const auto parts = deviceParts(files, "");
    EXPECT_TRUE(has(parts[0], "#include \"common.h\""));
    EXPECT_TRUE(has(parts[1], "square"));
    EXPECT_FALSE(has(parts[1], "Timer"));
    EXPECT_FALSE(has(parts[1], "<string>"));
}

TEST(DevicePart, linesOfThePreprocessorInsideOfWhatGoesStay)
{
    const std::string part = partOf("int main() {\n#ifdef A\n  run();\n#define LATER 3\n#else\n  stop();\n#endif\n}\n__global__ void k(int* p) { p[0] = LATER; }\n");
    for (const char* kept : { "#ifdef A", "#define LATER 3", "#else", "#endif", "p[0] = LATER" })
        EXPECT_TRUE(has(part, kept)) << kept;
    EXPECT_FALSE(has(part, "run"));
}

TEST(HostCode, isToldByMainLaunchesTheRuntimeAndHeaders)
{
    for (const char* host : { "int main() { }", "void f() { k<<<1, 2>>>(); }", "void f() { cudaMalloc(&p, 4); }", "#include <iostream>\n", "#include \"helper_cuda.h\"\n" })
        EXPECT_TRUE(holdsHostCode(host)) << host;
    for (const char* none : { "#include <cmath>\n#include <cuda_fp16.h>\n__global__ void k() { }", "// main()\n", "#define MAIN main\n", "#include \"mine.h\"\n" })
        EXPECT_FALSE(holdsHostCode(none)) << none;
}

TEST(GivenValues, standWhereTheFileHasItsOwn)
{
    const std::string source = "#define TILE 32 // wide\n#define TILE_BYTES (TILE * 4)\n#define N(x) x\nconstexpr int N = 4, M = 5;\nconstexpr int BLOCK = 256;\n"
                               "const int A = 1, GAP = 2, B = f(3,\n 4), LAST = g(\n6);\n#define TWO \\\n 2\nnamespace n { constexpr long DEEP = 3; }\n"
                               "int f() { const int TILE2 = TILE; return TILE2 + n::DEEP; }\n";
    const GivenValues values { { "TILE", "16" }, { "BLOCK", "64" }, { "N", "7" }, { "TILE2", "1" }, { "GAP", "8" }, { "LAST", "9" }, { "TWO", "22" }, { "DEEP", "33" } };
    std::set<std::string> found;
    EXPECT_EQ(withValues(source, values, found),
        "#define TILE 16\n#define TILE_BYTES (TILE * 4)\n#define N(x) x\nconstexpr int N = 7, M = 5;\nconstexpr int BLOCK = 64;\n"
        "const int A = 1, GAP = 8, B = f(3,\n 4), LAST = 9\n;\n#define TWO 22\n\nnamespace n { constexpr long DEEP = 33; }\n"
        "int f() { const int TILE2 = TILE; return TILE2 + n::DEEP; }\n");
    EXPECT_EQ(found, (std::set<std::string> { "TILE", "BLOCK", "N", "GAP", "LAST", "TWO", "DEEP" }));
}

TEST(GivenValues, areToldBeforeWhereConditionsDecide)
{
    const std::string source = "#ifndef GUARD_H\n#define GUARD_H\n#ifndef TILE\n#define TILE 32\n#endif\n#ifdef WIDE\n#define LANES 64\n#endif\n#endif\n";
    std::set<std::string> found;
    EXPECT_EQ(withValues(source, { { "TILE", "16" }, { "LANES", "8" } }, found),
        "#ifndef GUARD_H\n#define GUARD_H\n#ifndef TILE\n#define TILE 16\n#endif\n#ifdef WIDE\n\n#endif\n#endif\n");
    EXPECT_EQ(found, (std::set<std::string> { "TILE" }));
}

TEST(GivenValues, areInitialisersOfTheGpusVariables)
{
    const std::string source = "__constant__ int A; // A;\nnamespace n { static __constant__ float B[2][3], C; }\n__device__ unsigned D [4] ;\n"
                               "__constant__ int E = f(1,\n 3), E2 = 4;\n__device__ int f(int A) { int C; return A; }\nint D2, F;\n";
    std::set<std::string> found;
    const std::vector<std::pair<std::string, std::string>> values { { "A", "1" }, { "B", "{ 2 }" }, { "C", "{ 3 }" }, { "D", "{ 4, 5 }" }, { "E", "6" }, { "F", "7" } };
    EXPECT_EQ(withInitialisers(source, values, found),
        "__constant__ int A = 1; // A;\nnamespace n { static __constant__ float B[2][3] = { 2 }, C = { 3 }; }\n__device__ unsigned D [4] = { 4, 5 } ;\n"
        "__constant__ int E = 6\n, E2 = 4;\n__device__ int f(int A) { int C; return A; }\nint D2, F;\n");
    EXPECT_EQ(found, (std::set<std::string> { "A", "B", "C", "D", "E" })) << "one is the host's";
}

