// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/parse.h"
#include "kernels/compile/clang.h"
#include "kernels/compile/compiler.h"
#include "kernels/compile/nvrtc.h"

#include "tests/environment.h"
#include "plan_of.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

namespace fs = std::filesystem;

class EachCompiler : public testing::TestWithParam<CompilerKind> {
protected:
    void SetUp() override
    {
        if (GetParam() == CompilerKind::Nvrtc && !Nvrtc::instance())
            GTEST_SKIP() << "NVRTC is not installed here";
        if (GetParam() == CompilerKind::Clang && !Clang::find())
            GTEST_SKIP() << "clang is not installed here";
    }

    Result<CompiledPtx> compile(const LaunchPlan& plan) const
    {
        return compileToPtx(plan, { .compiler = GetParam() });
    }
};

TEST_P(EachCompiler, compilesEveryCatalogueKernelForEveryType)
{
    for (const KernelSpec& kernel : catalogue()) {
        for (const Choice& type : kernel.parameters[2].choices) {
            const auto plan = planLaunch(kernel, { { "type", type.value } });
            ASSERT_TRUE(plan);
            const auto compiled = compile(*plan);
            ASSERT_TRUE(compiled) << kernel.id << ": " << compiled.error().detail;
            EXPECT_TRUE(compiled->warnings.empty()) << kernel.id << ": " << compiled->warnings.front();
            EXPECT_NE(compiled->ptx.find(".entry " + compiled->entry + "("), std::string::npos);
            EXPECT_NE(compiled->ptx.find("\t.file\t1 \"" + kernel.sourceName + "\""), std::string::npos);
        }
    }
}

TEST_P(EachCompiler, anOverloadIsChosenByItsParameters)
{
    LaunchPlan plan { .sourceName = "k.cu", .source = "namespace a { struct View { int* p; };\ntemplate <class T> __global__ void k(T* x, int n) { x[n] = 1; }\n"
                                                      "__global__ void k(double* x, int n) { x[n] = 2; }\n__global__ void k(View v) { *v.p = 3; } }" };
    for (const auto& [entry, mangled] : { std::pair { "a::k(View)", "_ZN1a1kENS_4ViewE" }, std::pair { "a::k(double*, int)", "_ZN1a1kEPdi" },
             std::pair { "a::k<float>(float*,int)", "_ZN1a1kIfEEvPT_i" } }) {
        plan.entry = entry;
        const auto compiled = compile(plan);
        ASSERT_TRUE(compiled) << entry << ": " << compiled.error().detail;
        EXPECT_EQ(compiled->entry, mangled);
    }
    plan.entry = "a::k(Vew)"; // the compiler's error stands behind the source
    EXPECT_EQ(compile(plan).error().code, ErrorCode::EntryNotFound);
    EXPECT_EQ(compile(plan).error().where, "k.cu");
}

TEST_P(EachCompiler, sixteenByteElementsMoveInOneInstruction)
{
    const auto compiled = compile(*planLaunch(**kernelNamed("transpose_float4"), {}));
    ASSERT_TRUE(compiled);
    const auto count = [&](std::string_view text) {
        int found = 0;
        for (auto at = compiled->ptx.find(text); at != std::string::npos; at = compiled->ptx.find(text, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("ld.global"), 4);
    EXPECT_EQ(count("ld.global.v4.f32"), 4);
    EXPECT_EQ(count("st.global"), 4);
    EXPECT_EQ(count("st.global.v4.f32"), 4);
}

TEST_P(EachCompiler, aPairWhoseHalvesAreUsedApartIsLoadedAtOnce)
{
    const auto ptx = compile(planOf("__global__ void k(float2* p, int n) { float2 a = p[threadIdx.x], b = p[threadIdx.x + n];"
                                    " float2 c = make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);"
                                    " p[threadIdx.x] = c; p[threadIdx.x + n] = make_float2(a.x - c.x, a.y - c.y); }",
        "k"));
    ASSERT_TRUE(ptx.has_value()) << ptx.error().detail;
    EXPECT_EQ(ptx->ptx.find("ld.global.f32"), std::string::npos) << ptx->ptx;
}

TEST_P(EachCompiler, findsEntriesHoweverTheyAreWritten)
{
    const std::string source = "namespace ns { template <class T, int N> __global__ void tile(T* p) { p[N] = N; }\n"
                               "__global__ void inner(int* p) { *p = 1; } }\n"
                               "extern \"C\" __global__ void plain(int* p) { *p = 2; }\n"
                               "__global__ void mangled(int* p) { *p = 3; }\n";
    EXPECT_EQ(compile(planOf(source, "plain"))->entry, "plain");
    EXPECT_EQ(compile(planOf(source, "mangled"))->entry, "_Z7mangledPi");
    EXPECT_EQ(compile(planOf(source, "ns::inner"))->entry, "_ZN2ns5innerEPi");
    const auto instance = compile(planOf(source, "ns::tile<float,32>"));
    ASSERT_TRUE(instance) << instance.error().detail;
    EXPECT_EQ(instance->entry, "_ZN2ns4tileIfLi32EEEvPT_");
    EXPECT_EQ(instance->ptx.find("coalescope"), std::string::npos) << "a trace of how the name was found";
}

TEST_P(EachCompiler, anEmptyEntryMeansTheOnlyKernel)
{
    EXPECT_EQ(compile(planOf("__global__ void one(int* p) { *p = 1; }", ""))->entry, "_Z3onePi");
    const auto two = compile(planOf("__global__ void a() {}\n__global__ void b() {}\n", ""));
    ASSERT_FALSE(two);
    EXPECT_EQ(two.error().code, ErrorCode::EntryNotFound);
    EXPECT_NE(two.error().detail.find("a, b"), std::string::npos);
}

TEST_P(EachCompiler, anUnknownEntryIsAnsweredWithTheKernelsThereAre)
{
    const std::string source = "__global__ void left() {}\ntemplate <int N> __global__ void right() {}\n";
    for (const char* entry : { "lift", "right", "right<int>", "std::left" }) {
        const auto compiled = compile(planOf(source, entry));
        ASSERT_FALSE(compiled) << entry;
        EXPECT_EQ(compiled.error().code, ErrorCode::EntryNotFound) << compiled.error().detail;
        const bool lacksArguments = std::string_view(entry) == "right";
        EXPECT_NE(compiled.error().detail.find(lacksArguments ? "right<4>" : "left, right"), std::string::npos)
            << compiled.error().detail;
    }
}

TEST_P(EachCompiler, aTemplateIsAskedForItsArguments)
{
    const std::string source = "template <class T, int N> __global__ void saxpyN(T* y) { y[N] = 1; }\n";
    for (const char* entry : { "", "saxpyN" }) {
        LaunchPlan plan = planOf(source, entry);
        const auto compiled = compile(plan);
        ASSERT_FALSE(compiled) << entry;
        EXPECT_EQ(compiled.error().code, ErrorCode::EntryNotFound);
        EXPECT_EQ(compiled.error().detail, "saxpyN is a template: write its arguments, such as saxpyN<float,4>");
        EXPECT_EQ(compiled.error().where, "user.cu");
        plan.manifest = ManifestLines { .entryLine = 5, .argumentLines = {} };
        EXPECT_EQ(compile(plan).error().where, "user.cu:5");
    }
    EXPECT_TRUE(compile(planOf(source, "saxpyN<float,4>")));
}

TEST_P(EachCompiler, integersOf128BitsAreTwoOf64)
{
    const auto compiled = compile(planOf("__global__ void k(const unsigned long long* a, unsigned long long* o)\n"
                                         "{ unsigned __int128 x = a[0]; o[0] = (x * a[1]) >> 64; }\n", "k"));
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_TRUE(analysis::parsePtx(compiled->ptx, compiled->entry));
}

TEST_P(EachCompiler, addressesOfSharedMemoryGoIntoInlinePtx)
{
    const auto compiled = compile(planOf("__global__ void k(float* o)\n{ __shared__ float s[32]; s[threadIdx.x] = o[threadIdx.x];\n"
                                         "  unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);\n"
                                         "  asm volatile(\"ld.shared.f32 %0, [%1];\" : \"=f\"(o[threadIdx.x]) : \"r\"(at)); }\n", "k"));
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_TRUE(analysis::parsePtx(compiled->ptx, compiled->entry));
}

TEST_P(EachCompiler, theToolkitsIntegersAndTheLibrarysAreTheSame)
{
    if (!compile(planOf("#include <cuda/std/cstdint>\n__global__ void k() {}\n", "k")))
        GTEST_SKIP() << "the CUDA toolkit's headers are not installed here, or not used";
    const std::string own = "#include <cstdint>\n", toolkit = "#include <cuda/std/cstdint>\n";
    const std::string use = "__global__ void k(int64_t* a, std::uint64_t* b, size_t n) { a[n] = INT64_MAX; b[n] = SIZE_MAX; }\n";
    for (const std::string& includes : { own + toolkit, toolkit + own, own }) {
        const auto compiled = compile(planOf(includes + use, "k"));
        ASSERT_TRUE(compiled) << includes << compiled.error().detail;
        EXPECT_TRUE(compiled->warnings.empty()) << includes << compiled->warnings.front();
    }
}

TEST_P(EachCompiler, anErrorNamesItsLine)
{
    const auto compiled = compile(planOf("// one\n__global__ void k(int* p)\n{\n    *p = missing;\n}\n", "k"));
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, ErrorCode::CompileFailed);
    EXPECT_TRUE(compiled.error().where.starts_with("user.cu:4")) << compiled.error().where;
    const std::string first = compiled.error().detail.substr(0, compiled.error().detail.find('\n'));
    EXPECT_NE(first.find("missing"), std::string::npos) << first;
    EXPECT_EQ(first.find("error"), std::string::npos) << first;
}

TEST_P(EachCompiler, aHeaderThatIsNotThereIsMissedWhereItIsNeeded)
{
    if (GetParam() != CompilerKind::Nvrtc)
        GTEST_SKIP() << "NVRTC alone is asked again";
    const std::string headers = "#include \"judge.h\"\n#include \"solve.h\"\n";
    EXPECT_TRUE(compile(planOf(headers + "__global__ void k(int* p) { *p = 1; }\n", "k")));
    const auto compiled = compile(planOf(headers + "__global__ void k(int* p) { *p = kOfTheJudge; }\n", "k"));
    ASSERT_FALSE(compiled);
    EXPECT_NE(compiled.error().detail.find("judge.h"), std::string::npos) << compiled.error().detail;
}

TEST_P(EachCompiler, definesReachTheSource)
{
    LaunchPlan plan = planOf("__global__ void k(Element* p) { p[0] = VALUE; }\n", "k");
    plan.defines = { { "Element", "unsigned short" }, { "VALUE", "77" } };
    const auto compiled = compile(plan);
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_EQ(compiled->entry, "_Z1kPt");
    EXPECT_NE(compiled->ptx.find("77"), std::string::npos);
    plan.defines = { { "A B", "1" } };
    EXPECT_EQ(compile(plan).error().code, ErrorCode::BadInput);
}

TEST_P(EachCompiler, usualHeadersResolve)
{
    const auto compiled = compile(planOf("#include <cuda_runtime.h>\n#include <cstdint>\n#include <stdint.h>\n"
                                         "#include <stdio.h>\n#include <cmath>\n#include <assert.h>\n"
                                         "int twice(int x) { return 2 * x; }\n" // no __device__, as with NVRTC
                                         "__global__ void k(uint8_t* p, std::size_t n, float4 v)\n"
                                         "{ p[threadIdx.x] = uint8_t(twice(int(n)) + sqrtf(v.y)); }\n",
        "k"));
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_EQ(compiled->entry, "_Z1kPhm6float4");
}

TEST_P(EachCompiler, whatNvccIncludesByItselfNeedsNoInclude)
{
    for (const char* expression : { "-INFINITY", "NAN", "HUGE_VALF", "M_PI", "M_SQRT1_2", "INT_MAX", "std::sqrt(p[1])", "std::abs(-i)",
             "std::pow(p[1], 2.0f)", "std::isnan(p[1])", "std::llround(p[1])", "(uint)i", "uint32_t(i)", "(int64_t)i" }) {
        const auto compiled = compile(planOf("__global__ void k(float* p, int i) { p[0] = " + std::string(expression) + "; }\n", "k"));
        ASSERT_TRUE(compiled) << expression << ": " << compiled.error().detail;
        EXPECT_TRUE(compiled->warnings.empty() || expression == std::string("INT_MAX")) << compiled->warnings.front();
    }
}

TEST_P(EachCompiler, namesOfHeadersThatAreNotReadAreThere)
{
    for (const char* kernel : { "__global__ void k(uchar* p) { p[0] = (uchar)(255 - p[1]); }\n", "typedef unsigned char uchar;\n__global__ void k(uchar* p) { p[0] = 1; }\n",
             "__global__ void k(std::byte* p, int i) { p[0] = static_cast<std::byte>(i) | (p[1] << 3); p[2] &= std::byte { 7 }; p[3] = std::byte(std::to_integer<int>(p[4]) + 1); }\n",
             "using namespace std;\ntypedef unsigned char byte;\n__global__ void k(byte* p) { p[0] = 1; }\n" }) {
        const auto compiled = compile(planOf(kernel, "k"));
        ASSERT_TRUE(compiled) << kernel << ": " << compiled.error().detail;
    }
}

TEST_P(EachCompiler, theLibrarysHeadersForKernelsAreThere)
{
    const auto compiled = compile(planOf("#include <algorithm>\n#include <limits>\n#include <type_traits>\n#include <utility>\n"
                                         "#include <climits>\n#include <cfloat>\nusing namespace std;\n"
                                         "template <class T> __global__ void k(T* p, int i) {\n"
                                         "  p[0] = std::max(p[0], T(3)) + std::min(p[1], p[2]) + max(i, 3) + std::clamp(p[0], p[1], p[2]);\n"
                                         "  p[3] = -std::numeric_limits<T>::infinity() + numeric_limits<int>::max() + FLT_MAX;\n"
                                         "  if constexpr (std::is_same_v<T, float>) std::swap(p[4], p[5]);\n"
                                         "  std::conditional_t<std::is_floating_point<T>::value, float, int> x = std::move(p[6]);\n"
                                         "  p[7] = x + sqrt(p[6]); }\n",
        "k<float>"));
    ASSERT_TRUE(compiled) << compiled.error().detail;
}

TEST_P(EachCompiler, halvesWorkWhereTheirHeaderIsFound)
{
    const auto compiled = compile(planOf(
        "#include <cuda_fp16.h>\n__global__ void k(half* p) { p[0] = __float2half(__half2float(p[1]) + 1.0f); }\n", "k"));
    if (!compiled && GetParam() == CompilerKind::Nvrtc)
        GTEST_SKIP() << "the toolkit's headers are not installed here";
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_EQ(compiled->entry, "_Z1kP6__half");
}

TEST_P(EachCompiler, ofAllOfCubBlocksAndWarpsGetTheirs)
{
    const auto compiled = compile(planOf("#include <cub/cub.cuh>\n__global__ void k(float* p) { using Sum = cub::BlockReduce<float, 64>; __shared__ typename Sum::TempStorage s;\n"
                                         "using Scan = cub::WarpScan<float>; __shared__ typename Scan::TempStorage t[2]; float v = p[threadIdx.x];\n"
                                         "Scan(t[threadIdx.x / 32]).InclusiveSum(v, v); p[threadIdx.x] = v; v = Sum(s).Sum(v); if (threadIdx.x == 0) p[64] = v; }\n",
        "k"));
    if (!compiled && (GetParam() != CompilerKind::Nvrtc || compiled.error().detail.contains("cub")))
        GTEST_SKIP() << "CUB comes with the toolkit, and needs NVRTC";
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_TRUE(compiled->ptx.contains("shfl"));
}

TEST_P(EachCompiler, thrustsComplexNumbersWorkInKernels)
{
    const auto compiled = compile(planOf("#include <thrust/complex.h>\n__global__ void k(thrust::complex<float>* p) { p[0] = p[1] * p[2] / thrust::conj(p[3]) + thrust::exp(p[4]) * thrust::abs(p[5]); }\n", "k"));
    if (!compiled && (GetParam() != CompilerKind::Nvrtc || compiled.error().detail.contains("thrust/complex.h\"")))
        GTEST_SKIP() << "Thrust comes with the toolkit, and needs NVRTC";
    ASSERT_TRUE(compiled) << compiled.error().detail;
}

TEST_P(EachCompiler, structuresOfKernelsMayHaveNames)
{
    const auto compiled = compile(planOf("#include <string_view>\n#include <type_traits>\ntemplate <class T> struct Named { static constexpr std::string_view name = \"other\"; };\n"
                                         "template <> struct Named<float> { static constexpr std::string_view name = \"float\"; static __device__ float twice(float x) { return x + x; } };\n"
                                         "static_assert(Named<float>::name.size() == 5 && Named<int>::name[1] == 't' && sizeof(std::string_view) == 16);\n"
                                         "__global__ void k(float* p) { p[0] = Named<float>::twice(p[1]); }\n",
        "k"));
    ASSERT_TRUE(compiled) << compiled.error().detail;
}

TEST_P(EachCompiler, pairsOfHalvesAreConvertedAndCalculatedWith)
{
    const auto compiled = compile(planOf("#include <cuda_fp16.h>\n__global__ void k(__half2* p) { float2 v = __half22float2(p[0]);\n"
                                         "p[1] = __floats2half2_rn(v.x, v.y); p[2] = __hfma2(p[3], __half2half2(__low2half(p[4])), p[5]);\n"
                                         "p[6] = __hadd2(p[7], __hmul2(p[8], __float2half2_rn(__high2float(p[9])))); }\n",
        "k"));
    if (!compiled && GetParam() == CompilerKind::Nvrtc)
        GTEST_SKIP() << "the toolkit's headers are not installed here";
    ASSERT_TRUE(compiled) << compiled.error().detail;
}

TEST_P(EachCompiler, aSharedWordIsReadAgainBehindABarrier)
{
    for (const char* barrier : { "__syncthreads()", "__syncthreads_count(1)", "__syncthreads_and(1)",
             "__syncthreads_or(1)", "__threadfence_block()", "__threadfence()" }) {
        const auto compiled = compile(planOf(std::string("__global__ void k(int* out) { __shared__ int word; "
                                                         "if (threadIdx.x == 0) word = out[1]; ")
                + barrier + "; out[threadIdx.x] = word; " + barrier + "; out[threadIdx.x + 64] = word; }",
            "k"));
        ASSERT_TRUE(compiled.has_value()) << compiled.error().detail;
        int loads = 0;
        for (std::size_t at = 0; (at = compiled->ptx.find("ld.shared", at)) != std::string::npos; ++at)
            ++loads;
        EXPECT_EQ(loads, 2) << barrier;
    }
}

TEST_P(EachCompiler, theSecondTimeComesFromTheCache)
{
    const LaunchPlan plan = planOf("__global__ void cached(int* p) { *p = 1234; }\n", "cached");
    const auto first = compile(plan), second = compile(plan);
    ASSERT_TRUE(first && second);
    EXPECT_GT(first->milliseconds, 0);
    EXPECT_EQ(second->milliseconds, 0);
    EXPECT_EQ(first->ptx, second->ptx);
    LaunchPlan other = plan;
    other.defines = { { "X", "1" } };
    EXPECT_GT(compile(other)->milliseconds, 0);
}

TEST_P(EachCompiler, severalThreadsMayCompileAtOnce)
{
    std::vector<std::string> entries(4);
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            threads.emplace_back([&, i] {
                const std::string name = "k" + std::to_string(i % 2);
                if (auto compiled = compile(planOf("extern \"C\" __global__ void " + name + "() {}\n", name)))
                    entries[i] = compiled->entry;
            });
        }
    }
    EXPECT_EQ(entries, (std::vector<std::string> { "k0", "k1", "k0", "k1" }));
}

TEST_P(EachCompiler, oddSourceNamesAreNoTrap)
{
    for (const char* name : { "my kernel.cu", "größe.cu", "coalescope_entry.cu", "a'b;c.cu" }) {
        LaunchPlan plan = planOf("__global__ void k() {}\n", "k");
        plan.sourceName = name;
        EXPECT_TRUE(compile(plan)) << name;
    }
}

TEST_P(EachCompiler, ofAWholeProgramOnlyWhatKernelsNeedIsCompiled)
{
    const auto compiled = compile(planOf("#include <iostream>\n#include <vector>\n#include <cuda_runtime.h>\nusing namespace std;\n"
                                         "#define CHECK(x) do { if ((x) != cudaSuccess) exit(1); } while (0)\n#define TILE 16\n"
                                         "float scaled(float x) { return TILE * x; }\nvoid fill(vector<float>& v) { for (auto& x : v) x = rand(); }\n"
                                         "__global__ void k(float* p) {\n  p[threadIdx.x] = scaled(p[threadIdx.x]);\n}\n"
                                         "int main() { vector<float> h(64); float* d; CHECK(cudaMalloc(&d, 256)); k<<<1, 64>>>(d); cout << h[0] << endl; }\n",
        "k"));
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_EQ(compiled->entry, "_Z1kPf");
    EXPECT_NE(compiled->ptx.find(".loc\t1 10"), std::string::npos) << "the line in the file:\n" << compiled->ptx;
}

TEST_P(EachCompiler, headersOfTheUsersMayHoldCodeForTheHost)
{
    const auto folder = fs::path(testing::TempDir()) / ("coalescope_program_" + std::to_string(::getpid()));
    fs::create_directories(folder / "util");
    std::ofstream(folder / "util/kernels.cuh") << "#pragma once\n#include <string>\n#include \"../base.h\"\n"
                                                  "struct Timer { std::string name; void stop() { cudaDeviceSynchronize(); } };\n"
                                                  "__global__ void k(float* p) {\n  p[threadIdx.x] += OFFSET;\n}\n";
    std::ofstream(folder / "base.h") << "#pragma once\n#define OFFSET 3.0f\n";
    LaunchPlan plan = planOf("#include <iostream>\n#include \"util/kernels.cuh\"\nint main() { k<<<1, 1>>>(0); std::cout << 1; }\n", "k");
    plan.includeDirectory = folder;
    const auto compiled = compile(plan);
    fs::remove_all(folder);
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_NE(compiled->ptx.find("kernels.cuh\""), std::string::npos) << compiled->ptx;
}

TEST_P(EachCompiler, aGivenValueReplacesTheFiles)
{
    LaunchPlan plan = planOf("#define TILE 32\nconstexpr int kRows = 5;\n__global__ void k(int* p) { p[0] = TILE * 1000 + kRows; }\n", "k");
    plan.defines = { { "TILE", "16" }, { "kRows", "7" } };
    const auto compiled = compile(plan);
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_NE(compiled->ptx.find("16007"), std::string::npos) << compiled->ptx;
    EXPECT_TRUE(compiled->warnings.empty());
}

TEST_P(EachCompiler, anIncludedFileIsFoundAndItsChangeIsSeen)
{
    const fs::path folder = fs::path(testing::TempDir()) / ("coalescope_include_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    LaunchPlan plan = planOf("#include \"value.h\"\n__global__ void k(int* p) { *p = kValue; }\n", "k");
    plan.includeDirectory = folder;
    std::ofstream(folder / "value.h") << "constexpr int kValue = 4711;\n";
    const auto first = compile(plan);
    std::ofstream(folder / "value.h") << "constexpr int kValue = 123456;\n";
    const auto second = compile(plan);
    fs::remove_all(folder);
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->ptx.find("4711"), std::string::npos);
    EXPECT_NE(second->ptx.find("123456"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(, EachCompiler, testing::Values(CompilerKind::Nvrtc, CompilerKind::Clang),
    [](const auto& info) { return info.param == CompilerKind::Nvrtc ? "nvrtc" : "clang"; });

TEST(Compiler, takesClangWhereNvrtcIsHidden)
{
    if (!Clang::find())
        GTEST_SKIP() << "clang is not installed here";
    const Environment hidden("COALESCOPE_NVRTC", "off");
    const auto compiled = compileToPtx(planOf("__global__ void hidden(int* p) { *p = 5; }\n", "hidden"));
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_TRUE(compiled->compiler.starts_with("clang "));
    EXPECT_EQ(compileToPtx(planOf("", "k"), { .compiler = CompilerKind::Nvrtc }).error().code, ErrorCode::NoCompiler);
    EXPECT_EQ(compileToCubin(planOf("", "k"), {}).error().code, ErrorCode::NoCompiler);
}

TEST(Compiler, saysWhatToInstallWhereThereIsNone)
{
    const Environment hidden("COALESCOPE_NVRTC", "off"), path("PATH", "/nonexistent");
    const auto compiled = compileToPtx(planOf("__global__ void none() {}\n", "none"));
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, ErrorCode::NoCompiler);
    EXPECT_NE(compiled.error().detail.find("install clang"), std::string::npos);
}

TEST(Compiler, refusesToReadADeviceOrAPipe)
{
    const fs::path pipe = fs::path(testing::TempDir()) / ("coalescope_pipe_" + std::to_string(::getpid()));
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& name : { std::string("/dev/zero"), pipe.string() }) {
        const auto compiled = compileToPtx(planOf("int x;\n # include \"" + name + "\"\n__global__ void k() {}\n", "k"));
        ASSERT_FALSE(compiled);
        EXPECT_EQ(compiled.error().code, ErrorCode::BadInput);
        EXPECT_EQ(compiled.error().where, "user.cu:2");
    }
    fs::remove(pipe);
    EXPECT_EQ(compileToPtx(planOf(std::string((16 << 20) + 1, ' '), "k")).error().code, ErrorCode::BadInput);
}

TEST(Compiler, makesMachineCodeWithNvrtc)
{
    if (!Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const auto cubin = compileToCubin(*planLaunch(**kernelNamed("copy"), {}), {});
    ASSERT_TRUE(cubin) << cubin.error().detail;
    EXPECT_EQ(cubin->entry, "_Z10copyMatrixPKfPfii");
    ASSERT_GT(cubin->image.size(), 1000u);
    EXPECT_EQ(std::string(cubin->image.data() + 1, 3), "ELF");
    const auto wrong = compileToCubin(planOf("__global__ void k() { x; }\n", "k"), {});
    EXPECT_EQ(wrong.error().code, ErrorCode::CompileFailed);
}

} // namespace
