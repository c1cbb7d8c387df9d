// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/clang.h"
#include "kernels/compile/diagnostics.h"
#include "kernels/compile/kernel_declarations.h"
#include "kernels/compile/run_child.h"

#include <gtest/gtest.h>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

TEST(Diagnostics, readsBothCompilersPlaces)
{
    const auto all = diagnosticsOf("user.cu(12): error: identifier \"x\" is undefined\n"
                                   "      x = 1;\n      ^\n"
                                   "user.cu(3): warning #177-D: variable \"y\" was declared but never referenced\n"
                                   "dir/user.cu:7:5: error: use of undeclared identifier 'x'\n"
                                   "user.cu(1): catastrophic error: cannot open source file \"no.h\"\n"
                                   "user.cu:9:10: fatal error: 'no.h' file not found\n"
                                   "nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
    ASSERT_EQ(all.size(), 6u);
    EXPECT_EQ(all[0].file, "user.cu");
    EXPECT_EQ(all[0].line, 12);
    EXPECT_EQ(all[0].column, 0);
    EXPECT_EQ(all[0].message, "identifier \"x\" is undefined");
    EXPECT_FALSE(all[1].isError);
    EXPECT_EQ(all[1].message, "variable \"y\" was declared but never referenced");
    EXPECT_EQ(all[2].file, "dir/user.cu");
    EXPECT_EQ(all[2].line, 7);
    EXPECT_EQ(all[2].column, 5);
    EXPECT_TRUE(all[3].isError && all[4].isError && all[5].isError);
    EXPECT_EQ(all[5].file, "");
}

TEST(Diagnostics, findsKernelsInTheText)
{
    const auto names = [](std::string_view source) {
        std::vector<std::string> all;
        for (const KernelDeclaration& kernel : kernelDeclarations(source))
            all.push_back(kernel.name);
        return all;
    };
    const auto found = names("// __global__ void commented()\n/* __global__ void blocked(); */\n"
                             "const char* text = \"__global__ void quoted()\";\n"
                             "__global__ void plain(int* p);\n__global__ void plain(int* p) {}\n"
                             "template <class T> __global__ void\n__launch_bounds__(256, 2)\nbounded(T* p) {}\n"
                             "extern \"C\" __global__ __attribute__((used)) void attributed() {}\n"
                             "void __global__ reversed() {}\n#define K __global__\n");
    EXPECT_EQ(found, (std::vector<std::string> { "plain", "bounded", "attributed", "reversed" }));
    EXPECT_TRUE(names("").empty());
    EXPECT_TRUE(names("/* unfinished").empty());
    EXPECT_TRUE(names("\"unfinished\\").empty());
}

TEST(Diagnostics, aKernelHasItsLines)
{
    const auto kernels = kernelDeclarations("__global__ void one(int n)\n{\n    if (n) { // }\n    }\n}\n__global__ void two();\nint main() { }\n");
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].line, 1);
    EXPECT_EQ(kernels[0].lastLine, 5);
    EXPECT_EQ(kernels[1].line, 6);
    EXPECT_EQ(kernels[1].lastLine, 6);
}

TEST(Diagnostics, numbersOfTemplatesAreWhatTheirNamesSay)
{
    const auto kernels = kernelDeclarations("template <typename T, int BLOCK_SIZE, unsigned log2N, int WARP_SIZE, int UNROLL> __global__ void sum(T* x) { }\n");
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(exampleEntry(kernels[0]), "sum<float,256,9,32,4>");
}

TEST(Diagnostics, kernelsAreNamedWithTheirNamespaces)
{
    const auto kernels = kernelDeclarations("namespace a { namespace { struct namespaces { int x; };\n"
                                            "__global__ void one() { if (1) { } }\n"
                                            "} namespace b::c { template <class T> __global__ void two(T*) {} } }\n"
                                            "extern \"C\" { __global__ void three() {} }\n"
                                            "namespace d { __global__ void one() {} }\n"
                                            "using namespace a; __global__ void four() {}\n");
    ASSERT_EQ(kernels.size(), 5u);
    const char* names[] { "a::one", "a::b::c::two<float>", "three", "d::one", "four" };
    for (std::size_t i = 0; i < kernels.size(); ++i)
        EXPECT_EQ(exampleEntry(kernels[i]), names[i]);
    LaunchPlan plan;
    plan.source = "namespace ns { namespace { template <class T> __global__ void map(T*) {} } }\n__global__ void other() {}\n";
    plan.entry = "map<float>";
    EXPECT_TRUE(missingEntry(plan, "").detail.ends_with("the file holds ns::map, other")) << missingEntry(plan, "").detail;
}

TEST(Diagnostics, codeForTheHostIsSaidToBeAndHowItIsKeptAway)
{
    LaunchPlan plan;
    plan.sourceName = "k.cu";
    plan.source = "__global__ void k(float* a)\n{\n    a[1] = b;\n}\nint main(int argc, char** argv)\n{\n    k<<<1, 1>>>(0);\n}\nint after = c;\n";
    const auto isHost = [&](const char* error) {
        const Error told = compileError(plan, error);
        return told.sentence().ends_with(": this is code for the host; keep it away by #ifndef COALESCOPE");
    };
    EXPECT_TRUE(isHost("k.cu(2): error: identifier \"cudaMalloc\" is undefined\n"));
    EXPECT_TRUE(isHost("k.cu:2:24: error: unknown type name 'cudaError_t'\n"));
    EXPECT_TRUE(isHost("k.cu:2:3: error: use of undeclared identifier 'cuMemAlloc'\n"));
    EXPECT_TRUE(isHost("k.cu(2): error: namespace \"std\" has no member \"cout\"\n"));
    EXPECT_TRUE(isHost("k.cu:2:10: error: no member named 'vector' in namespace 'std'\n"));
    EXPECT_TRUE(isHost("k.cu:7:5: error: reference to __global__ function 'k' in __host__ __device__ function\n")) << "in main";
    EXPECT_FALSE(isHost("k.cu(3): error: identifier \"b\" is undefined\n"));
    EXPECT_FALSE(isHost("k.cu(9): error: identifier \"c\" is undefined\n"));
    EXPECT_FALSE(isHost("other.cuh(7): error: identifier \"c\" is undefined\n"));
    EXPECT_FALSE(isHost("k.cu(3): error: identifier \"cube\" is undefined\n"));
    EXPECT_EQ(compileError(plan, "k.cu(2): error: identifier \"cudaMalloc\" is undefined\n").where, "k.cu:2");
}

TEST(Diagnostics, theFirstErrorStandsOnceAndTheCodeItPointsAtBelowIt)
{
    EXPECT_EQ(compileError({}, "k.cu(9): warning #1: unused\n\nk.cu(4): error: no x\n   x\n   ^\n\nk.cu(5): error: no y\n").detail,
        "no x\n   x\n   ^\n\nk.cu(5): error: no y\n");
    EXPECT_EQ(compileError({}, "k.cu:4:2: error: no x\n").detail, "no x\n");
    const char* const including = "In file included from k.cu:1:\na.h:4:2: error: no x\n";
    EXPECT_EQ(compileError({}, including).detail, std::string("no x\n") + including);
}

TEST(Diagnostics, kernelsOfMacrosHaveTheNamesThatTheirUsesMake)
{
    const auto kernels = kernelDeclarations("#define SCALE(T) extern \"C\" __global__ void scale_##T(T* p) {}\n"
                                            "#define LONG(NAME) \\\n  __global__ \\\n void NAME(float* p) \\\n { }\n"
                                            "SCALE(float)\n  # define KERNEL __global__ void\nKERNEL real(int n) {}\n");
    ASSERT_EQ(kernels.size(), 2u) << "nobody uses LONG";
    EXPECT_EQ(kernels[0].name, "scale_float");
    EXPECT_EQ(kernels[0].line, 6);
    EXPECT_EQ(kernels[1].name, "real");
}

TEST(Diagnostics, knowsTemplatesAndParametersOfKernels)
{
    const auto kernels = kernelDeclarations("#include <x>\nint a;\ntemplate <typename T, int N = (4 > 3, 2), bool Add = true>\n"
                                            "static __global__ void odd(const T* __restrict__ in, float4 out[],\n"
                                            "    ns::F<int, 3> f) { }\n"
                                            "template <> __global__ void odd<float, 1>(const float*) { }\n"
                                            "__global__ void none(void) { }\n");
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].name, "odd");
    EXPECT_EQ(kernels[0].templateParameters,
        (std::vector<std::string> { "typename T", "int N = (4 > 3, 2)", "bool Add = true" }));
    EXPECT_EQ(kernels[0].parameters, (std::vector<std::string> { "const T* __restrict__ in", "float4 out[]", "ns::F<int, 3> f" }));
    EXPECT_EQ(exampleEntry(kernels[0]), "odd<float>");
    EXPECT_TRUE(!kernels[1].isTemplate() && kernels[1].parameters.empty());
    EXPECT_EQ(exampleEntry(kernels[1]), "none");
    for (const char* odd : { "template < __global__ k(", "template <class T __global__ void k(int", "__global__ void k(int a, <,",
             "__global__ <" })
        (void)kernelDeclarations(odd); // wrong code: no crash
}

TEST(Diagnostics, overloadedKernelsAreToldApartByTheirParameters)
{
    const auto entries = [](std::string_view source) {
        std::vector<std::string> all;
        for (const KernelDeclaration& kernel : kernelDeclarations(source))
            all.push_back(exampleEntry(kernel));
        return all;
    };
    EXPECT_EQ(entries("namespace a { __global__ void k(float* __restrict__ x, unsigned int n);\n__global__ void k(const double x[], unsigned);\n"
                      "__global__ void k(float* y, unsigned int) { }\n__global__ void k() { } }\n"),
        (std::vector<std::string> { "a::k(float*,unsigned int)", "a::k(const double*,unsigned)", "a::k()" }));
    EXPECT_EQ(entries("template <class T> __global__ void k(T* x);\ntemplate <class U> __global__ void k(U* x) { }\n"
                      "template <> __global__ void k<int>(int* x) { }\ntemplate __global__ void k<double>(double*);\ntemplate __global__ void k(short*);\n"),
        std::vector<std::string> { "k<float>" }) << "one template";
    EXPECT_EQ(entries("template <class T, int N = 2> __global__ void k(Tile<T, N> x) { }\n__global__ void k(ns::View x) { }\n"),
        (std::vector<std::string> { "k<float>(Tile<float,2>)", "k(ns::View)" }));
    EXPECT_EQ(entries("#if HALF\n__global__ void k(__half* x) { }\n#else\n__global__ void k(float* x) { }\n#endif\n"), std::vector<std::string> { "k" }) << "one of them is compiled";
    EXPECT_EQ(entryNameOf("k<(a > b)>(void (*)(int), T)").kernel, "k<(a > b)>");
    EXPECT_EQ(entryNameOf("k<(a > b)>(void (*)(int), T)").parameters, "void (*)(int), T");
    EXPECT_FALSE(entryNameOf("k<(a > b)>").parameters);
}

TEST(Diagnostics, anEntryThatSeveralKernelsHaveAsksForTheirParameters)
{
    LaunchPlan plan { .sourceName = "k.cu", .source = "__global__ void k(float* x) { }\n__global__ void k(int* x) { }\n" };
    plan.entry = "k";
    EXPECT_EQ(missingEntry(plan).detail, "several kernels are called k: write the types of the one's parameters behind its name; the file holds k(float*), k(int*)");
    plan.entry = "k(double*)";
    EXPECT_EQ(missingEntry(plan).detail, "there is no kernel 'k(double*)'; the file holds k(float*), k(int*)");
}

TEST(Diagnostics, aMissingHeaderIsToldWithTheNextStep)
{
    const auto sentence = [](const std::string& log) {
        const std::string detail = compileError({}, log).detail;
        return detail.substr(0, detail.find('\n'));
    };
    const auto nvrtc = [&](const std::string& name) {
        return sentence("a.cu(1): catastrophic error: cannot open source file \"" + name + "\"\n");
    };
    const auto clang = [&](const std::string& name) { return sentence("a.cu:1:10: fatal error: '" + name + "' file not found\n"); };
    EXPECT_NE(nvrtc("limits").find("<cuda/std/limits> has the same in cuda::std"), std::string::npos) << nvrtc("limits");
    EXPECT_NE(clang("limits").find("comes with the CUDA toolkit: install it, with NVRTC"), std::string::npos);
    EXPECT_NE(nvrtc("vector").find("#ifndef COALESCOPE"), std::string::npos);
    for (const char* name : { "cuda_bf16.h", "cuComplex.h", "cooperative_groups.h", "cuda/std/array" })
        EXPECT_NE(clang(name).find("comes with the CUDA toolkit"), std::string::npos) << name;
    EXPECT_NE(sentence("cub.h(1): error: A function explicitly marked as a __host__ function is not allowed in JIT mode\n")
                  .find("<cub/block/block_reduce.cuh>"),
        std::string::npos);
    const std::string named = ": if it lies in another folder, name that by --include DIR, in the window by File > Header folders";
    EXPECT_EQ(nvrtc("mine.h"), "cannot open source file \"mine.h\"" + named);
    EXPECT_EQ(clang("mine.h"), "'mine.h' file not found" + named);
    EXPECT_NE(sentence("/usr/include/c++/12/bits/x.h:81:3: error: no variadic functions\n").find("host's C++ library"),
        std::string::npos);
}

TEST(Diagnostics, anEntrysBaseNameHasNoScopeAndNoArguments)
{
    EXPECT_EQ(baseName("ns::deep::tile<std::pair<int, ns::T>, 32>"), "tile");
    EXPECT_EQ(baseName("plain"), "plain");
    EXPECT_EQ(baseName(""), "");
}

TEST(ClangPtx, losesWhatOnlyFoundTheName)
{
    std::string entry;
    const std::string ptx = cleanedPtx(".visible .entry k\n(\n\t.param .u64 k_param_0\n)\n;\n"
                                       ".visible .global .align 8 .u64 coalescopeEntry = generic(k);\n"
                                       ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\tret;\n}\n"
                                       "\t.file\t1 \"/tmp/x/./source/user.cu\"\n",
        "/tmp/x", entry);
    EXPECT_EQ(entry, "k");
    EXPECT_EQ(ptx.find("coalescopeEntry"), std::string::npos);
    EXPECT_EQ(ptx.find(".visible .entry k\n"), std::string::npos);
    EXPECT_NE(ptx.find(".visible .entry k(\n\t.param .u64 k_param_0\n)\n{"), std::string::npos);
    EXPECT_NE(ptx.find("\t.file\t1 \"user.cu\""), std::string::npos);
}

TEST(RunChild, givesStatusAndOutput)
{
    const auto child = runChild({ "/bin/sh", "-c", "echo out; echo err >&2; exit 3" }, std::chrono::seconds(20));
    ASSERT_TRUE(child) << child.error().detail;
    EXPECT_EQ(child->status, 3);
    EXPECT_EQ(child->output, "out\nerr\n");
}

TEST(RunChild, stopsWhatDoesNotEndAndItsChildren)
{
    const auto child = runChild({ "/bin/sh", "-c", "sleep 60 & sleep 60" }, std::chrono::milliseconds(50));
    ASSERT_FALSE(child);
    EXPECT_EQ(child.error().code, ErrorCode::TimedOut);
}

TEST(RunChild, capsEndlessOutput)
{
    const auto child = runChild({ "/bin/sh", "-c", "head -c 9000000 /dev/zero" }, std::chrono::seconds(20));
    ASSERT_TRUE(child);
    EXPECT_EQ(child->output.size(), std::size_t(4) << 20);
}

TEST(RunChild, aMissingProgramIsAnError)
{
    EXPECT_FALSE(runChild({ "/nonexistent/clang++" }, std::chrono::seconds(1)));
}

TEST(RunChild, aTemporaryDirectoryIsRemoved)
{
    std::filesystem::path path;
    {
        const TemporaryDirectory folder;
        path = folder.path();
        ASSERT_TRUE(std::filesystem::is_directory(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

} // namespace
