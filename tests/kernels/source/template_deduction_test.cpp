// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/template_deduction.h"

#include "kernels/source/program_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace coalescope::kernels;

namespace {

KernelDeclaration declared(const std::string& text) { return kernelDeclarations(text).at(0); }
using Texts = std::vector<std::string>;

Texts argumentsBy(const std::string& kernel, const Texts& types, const Texts& given = {}) { return templateArgumentsBy(declared(kernel), given, types); }

Texts entriesOf(const std::string& source)
{
    const auto program = programKernels("#include <cuda_runtime.h>\n#include <tuple>\n#include <utility>\n" + source, "program.cu", "/nowhere/program.cu", {});
    EXPECT_TRUE(program) << program.error().detail;
    Texts entries;
    if (program) {
        std::ranges::transform(program->kernels, std::back_inserter(entries), [](const KernelSpec& spec) { return spec.entry; });
        for (const auto& unread : program->unread)
            entries.push_back(unread.entry + ": " + unread.why);
    }
    return entries;
}

} // namespace

TEST(TemplateDeduction, typesFollowFromArgumentsByTheirPatterns)
{
    EXPECT_EQ(argumentsBy("template <class T> __global__ void k(const T* __restrict__ in, T* out, int n) {}", { "float*", "float*", "int" }), Texts({ "float" }));
    EXPECT_EQ(argumentsBy("template <class In, class Out> __global__ void k(In in, Out out) {}", { "float*", "unsigned int*" }), Texts({ "float*", "unsigned int*" }));
    EXPECT_EQ(argumentsBy("template <class T, int N> __global__ void k(const Tile<T, N> tile) {}", { "Tile<Pair<int,float>,8>" }), Texts({ "Pair<int,float>", "8" }));
    EXPECT_EQ(argumentsBy("template <class T> __global__ void k(View<const T*> view) {}", { "View<double*>" }), Texts({ "double" }));
    EXPECT_EQ(argumentsBy("template <std::floating_point T> __global__ void k(T a, T* x) {}", { "float", "float*" }), Texts({ "float" }));
}

TEST(TemplateDeduction, whatIsGivenStaysAndWhatIsNotToldIsEmptyOrADefault)
{
    EXPECT_EQ(argumentsBy("template <int N, class T> __global__ void k(T* x) {}", { "float*" }, { "32" }), Texts({ "32", "float" }));
    EXPECT_EQ(argumentsBy("template <class T, class U> __global__ void k(T* x, U y) {}", { "", "int" }), Texts({ "", "int" }));
    EXPECT_EQ(argumentsBy("template <class T, int N = 4, class Op = Sum> __global__ void k(T* x) {}", { "float*" }), Texts({ "float" }));
}

TEST(TemplateDeduction, aPackIsAsLongAsTheArgumentsAre)
{
    const std::string kernel = "template <class T, class... Fs> __global__ void k(const T* in, int n, Fs... fs) {}";
    EXPECT_EQ(argumentsBy(kernel, { "float*", "int", "Scale", "Add<int>" }), Texts({ "float", "Scale", "Add<int>" }));
    EXPECT_EQ(argumentsBy(kernel, { "float*", "int" }), Texts({ "float" }));
    EXPECT_EQ(argumentsBy(kernel, { "float*", "int", "Scale", "Add" }, { "float", "Scale" }), Texts({ "float", "Scale", "Add" }));
    EXPECT_EQ(argumentsBy("template <class... Ts> __global__ void k(Ts*... all) {}", { "float*", "int*" }), Texts({ "float", "int" }));
    const KernelDeclaration expanded = withoutPack(declared(kernel), 4);
    EXPECT_EQ(expanded.parameters, Texts({ "const T* in", "int n", "Fs_1 fs", "Fs_2 fs" }));
    EXPECT_EQ(expanded.templateParameters, Texts({ "class T", "class Fs_1", "class Fs_2" }));
    EXPECT_EQ(*parameterFor(declared(kernel), 7), "Fs... fs");
}

TEST(TemplateDeduction, eachTypeThatAKernelIsLaunchedWithIsAKernelOfItsOwn)
{
    EXPECT_EQ(entriesOf(R"(
template <class In, class Out, class Op> __global__ void transform(In in, Out out, int n, Op op) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = op(in[i]); }
template <class T> struct Square { __device__ T operator()(T x) const { return x * x; } };
template <class T> __global__ void axpy(T a, const T* x, T* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }
int main() {
    const int n = 1 << 16; float *a, *b; double *c, *d;
    cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); cudaMalloc(&c, n * sizeof(double)); cudaMalloc(&d, n * sizeof(double));
    transform<<<n / 256, 256>>>(a, c, n, Square<float>{});
    transform<<<n / 256, 256>>>(a, b, n, Square<float>{});
    axpy<<<n / 256, 256>>>(2.0, c, d, n);
    axpy<<<n / 256, 256>>>(2.0f, a, b, n);
    axpy<<<n / 128, 128>>>(3.0f, b, a, n);
})"),
        Texts({ "transform<float*,double*,Square<float>>", "transform<float*,float*,Square<float>>", "axpy<double>", "axpy<float>", "axpy<float>" }));
}

TEST(TemplateDeduction, aKernelsPackIsWhatItIsLaunchedWith)
{
    const auto spec = kernelOfFile(R"(#include <cuda_runtime.h>
struct Scale { float k; __device__ float operator()(float x) const { return k * x; } };
template <class T, class... Fs> __global__ void map(const T* in, T* out, int n, Fs... fs) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { T v = in[i]; ((v = fs(v)), ...); out[i] = v; } }
int main() { const int n = 1 << 16; float *a, *b; cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); map<<<n / 256, 256>>>(a, b, n, Scale { 2 }, Scale { 3 }); }
)",
        "/nowhere/program.cu", {});
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->entry, "map<float,Scale,Scale>");
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->arguments.size(), 5u);
}

TEST(TemplateDeduction, launchesThatAPackMakesAreAllThere)
{
    const std::string tile = R"(
template <int X, int Y> struct Tile { static constexpr int x = X, y = Y; };
template <class C> __global__ void tile(const float* in, float* out, int w) { int x = blockIdx.x * C::x + threadIdx.x, y = blockIdx.y * C::y + threadIdx.y; out[y * w + x] = in[y * w + x]; }
template <class... Cs> void types(const float* in, float* out, int w) { (tile<Cs><<<dim3(w / Cs::x, w / Cs::y), dim3(Cs::x, Cs::y)>>>(in, out, w), ...); }
)", add = R"(
template <int N> __global__ void add(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += N; }
template <int... Ns> void counted(std::integer_sequence<int, Ns...>, float* x, int n) { (add<(1 << Ns)><<<n / 128, 128>>>(x, n), ...); }
)";
    const std::string main = "int main() { float *a, *b; cudaMalloc(&a, 4 << 20); cudaMalloc(&b, 4 << 20); ";
    EXPECT_EQ(entriesOf(tile + main + "types<Tile<32, 8>, Tile<16, 16>>(a, b, 1024); }"), Texts({ "tile<Tile<32,8>>", "tile<Tile<16,16>>" }));
    EXPECT_EQ(entriesOf(tile + "template <class... Cs> void listed(std::tuple<Cs...>, const float* in, float* out, int w) { types<Cs...>(in, out, w); }" + main + "listed(std::tuple<Tile<64, 4>, Tile<8, 32>> {}, a, b, 1024); }"),
        Texts({ "tile<Tile<64,4>>", "tile<Tile<8,32>>" }));
    EXPECT_EQ(entriesOf(add + main + "counted(std::make_integer_sequence<int, 3> {}, a, 1 << 20); }"), Texts({ "add<1>", "add<2>", "add<4>" }));
    EXPECT_EQ(entriesOf(add.substr(0, add.find("template <int...")) + main + "[&]<int... Ns>(std::integer_sequence<int, Ns...>) { (add<Ns><<<1024, 128>>>(a, 1 << 17), ...); }(std::integer_sequence<int, 5, 9> {}); }"), Texts({ "add<5>", "add<9>" }));
}
