// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/program_kernels.h"

#include "kernels/catalogue/argument_parts.h"
#include "kernels/compile/compiler.h"
#include "kernels/experiment/left_contents.h"
#include "kernels/experiment/predict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <array>
#include <cstring>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

const std::string kProgram = R"(#include <vector>
#define TILE 32
#define PAD 1
constexpr int kUnused = 3;
namespace image {
template <class T> __global__ void turn(const T* in, T* out, int rows, int cols)
{
    __shared__ T tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void scale(float* data, const int* colIdx, float factor, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] *= factor; }
__global__ void idle() { }
}
int main()
{
    const int rows = 512, cols = 256;
    std::vector<float> h(rows * cols);
    float *in, *out;
    int* idx;
    cudaMalloc(&in, h.size() * sizeof(float));
    cudaMalloc(&out, h.size() * sizeof(float));
    cudaMalloc(&idx, 4 * rows * cols);
    cudaMemcpy(in, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
    image::turn<<<dim3((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE), dim3(TILE, TILE)>>>(in, out, rows, cols);
    image::scale<<<(rows * cols + 255) / 256, 256>>>(out, idx, 0.5f, rows * cols);
}
)";

Result<KernelSpec> opened(const std::string& source, const std::string& entry = {})
{
    return kernelOfFile(source, "/nowhere/image.cu", entry);
}

std::vector<std::string> parametersOf(const KernelSpec& spec)
{
    std::vector<std::string> names;
    for (const ParameterSpec& parameter : spec.parameters)
        names.push_back(parameter.name + "=" + parameter.defaultValue + (parameter.define.empty() ? "" : " -D" + parameter.define));
    return names;
}

} // namespace

TEST(ProgramKernels, aProgramIsOpenedAsItLaunches)
{
    const auto spec = opened(kProgram);
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->id, "turn");
    EXPECT_EQ(spec->entry, "image::turn<float>");
    EXPECT_EQ(spec->title.en, "image::turn<float>");
    EXPECT_EQ(spec->summary.en, "As launched on line 28 of image.cu.");
    EXPECT_EQ(parametersOf(*spec), (std::vector<std::string> { "rows=512", "cols=256", "TILE=32 -DTILE", "PAD=1 -DPAD" }));
    EXPECT_TRUE(spec->guesses.empty());
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->grid, (analysis::Dim3 { 8, 16, 1 }));
    EXPECT_EQ(plan->block, (analysis::Dim3 { 32, 32, 1 }));
    ASSERT_EQ(plan->arguments.size(), 4u);
    const auto& in = std::get<BufferPlan>(plan->arguments[0]);
    EXPECT_EQ(in.name, "in");
    EXPECT_EQ(in.count, 512u * 256);
    EXPECT_EQ(in.fill.kind, FillKind::Random);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[1]).fill.kind, FillKind::Zero);
}

TEST(ProgramKernels, aChangedTileChangesGridBlockAndSource)
{
    const auto spec = opened(kProgram);
    ASSERT_TRUE(spec);
    const auto plan = planLaunch(*spec, { { "TILE", "16" }, { "PAD", "0" } });
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->grid, (analysis::Dim3 { 16, 32, 1 }));
    EXPECT_EQ(plan->block, (analysis::Dim3 { 16, 16, 1 }));
    const auto compiled = compileToPtx(*plan);
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_NE(compiled->ptx.find("[1024]"), std::string::npos) << "16 x 16 floats of shared memory\n" << compiled->ptx;
}

TEST(ProgramKernels, inWhatLaterLaunchesDifferIsTold)
{
    const std::string kernel = "__global__ void step(float* a, int j, int k) { a[threadIdx.x * k + j] = 1; }\n";
    const auto summaryOf = [&](const std::string& code) {
        const auto spec = opened(kernel + code);
        EXPECT_TRUE(spec) << spec.error().detail;
        return spec ? spec->summary.en : "";
    };
    const std::string calls = "void run(float* a, int k) { step<<<4, 64>>>(a, 1, k); }\nint main() { float* a; cudaMalloc(&a, 65536); run(a, 8); run(a, 8); ";
    EXPECT_EQ(summaryOf(calls + "}\n"), "As launched on line 2 of image.cu.");
    EXPECT_EQ(summaryOf(calls + "run(a, 4); run(a, 2); }\n"), "As launched on line 2 of image.cu. Later launches of it differ in k: 4, 2.");
    EXPECT_EQ(summaryOf("int main() { float* a; cudaMalloc(&a, 65536); for (int j = 512; j > 0; j /= 2) step<<<4, 64>>>(a, j, 8); }\n"),
        "As launched on line 2 of image.cu. Later launches of it differ in j: 256, ….");
    EXPECT_EQ(summaryOf("int main(int argc, char**) { float* a; cudaMalloc(&a, 65536); if (argc > 3) step<<<4, 64>>>(a, 1, 8); }\n"),
        "As launched on line 2 of image.cu, in a branch that the program by itself does not take.");
}

TEST(ProgramKernels, nothingIsSetInTheEnvironment)
{
    const auto program = programKernels("#include <cstdlib>\ntemplate <int B> __global__ void k(float* a, int n) { int i = blockIdx.x * B + threadIdx.x; if (i < n) a[i] = 1; }\n"
                                        "static void go(int threads, dim3 g, float* a, int n) { switch (threads) { case 512: k<512><<<g, 512>>>(a, n); break; case 128: k<128><<<g, 128>>>(a, n); break; default: k<64><<<g, 64>>>(a, n); } }\n"
                                        "int main() { int n = 4096, threads = 128; if (const char* e = getenv(\"THREADS\")) threads = atoi(e); float* a; cudaMalloc(&a, n * 4); go(threads, dim3((n + threads - 1) / threads), a, n); }\n",
        "k.cu", "/nowhere/k.cu");
    ASSERT_EQ(program->kernels.size(), 3u);
    for (const KernelSpec& kernel : program->kernels)
        EXPECT_EQ(kernel.summary.en.find("in a branch that the program by itself does not take") == std::string::npos, kernel.title.en == "k<128>") << kernel.title.en << kernel.summary.en;
}

TEST(ProgramKernels, arraysInAStructureHoldWhatTheHostPutsThere)
{
    const auto spec = opened("struct List { float* p[3]; int size[3]; unsigned char tensor[300]; int chunk[300]; };\n"
                             "__global__ void k(const List l) { int t = l.tensor[blockIdx.x], i = l.chunk[blockIdx.x] * 256 + threadIdx.x; if (i < l.size[t]) l.p[t][i] = 1; }\n"
                             "int main() { float* base; cudaMalloc(&base, 3000 * 4); List l {}; int blocks = 0;\n"
                             "for (int t = 0; t < 3; ++t) { l.p[t] = base + 1000 * t; l.size[t] = 1000; for (int c = 0; c * 256 < 1000; ++c, ++blocks) { l.tensor[blocks] = (unsigned char)t; l.chunk[blocks] = c; } }\n"
                             "k<<<blocks, 256>>>(l); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_TRUE(spec->guesses.empty());
    const auto prediction = predict(*planLaunch(*spec, {}), { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_EQ(prediction->result.metrics.get(analysis::Metric::GlobalStoreSectors), 375);
}

TEST(ProgramKernels, theStagesOfASortAreParametersOfTheirOwn)
{
    const auto spec = opened("__global__ void step(unsigned* v, int j, int k, int n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x, p = i ^ j; if (p > i && (i & k) == 0) v[i] = v[p]; }\n"
                             "int main() { const int n = 1 << 20; unsigned* d; cudaMalloc(&d, n * 4);\n"
                             "for (int k = 2; k <= n; k *= 2) for (int j = k / 2; j > 0; j /= 2) step<<<n / 256, 256>>>(d, j, k, n); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(parametersOf(*spec), (std::vector<std::string> { "n=1048576", "j=1", "k=2", "block_x=256" }));
    const auto plan = planLaunch(*spec, { { "j", "64" }, { "k", "1048576" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[1]).bits, 64u);
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[2]).bits, 1048576u);
    const auto halved = opened("__global__ void step(float* v, int s) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < s) v[i] += v[i + s]; }\n"
                               "int main() { const int n = 1 << 20; float* d; cudaMalloc(&d, n * 4); for (int s = n / 2; s > 0; s /= 2) step<<<(s + 255) / 256, 256>>>(d, s); }\n");
    EXPECT_EQ(parametersOf(*halved), (std::vector<std::string> { "n=1048576", "block_x=256" })) << "what follows from the problem's size stays so";
    const auto defined = opened("#define N 1048576\n#define FIRST 1024\n__global__ void step(float* v, int n, int s) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i + s < n) v[i] += v[i + s]; }\n"
                                "int main() { float* d; cudaMalloc(&d, N * 4); for (int n = N, s = FIRST; s > 0; s /= 2, n -= s) step<<<N / 256, 256>>>(d, n, s); }\n");
    EXPECT_EQ(parametersOf(*defined), (std::vector<std::string> { "N=1048576", "s=1024", "block_x=256" })) << "a constant that is no size is where strides begin";
}

TEST(ProgramKernels, theBranchThatTheHostTakesIsTheLaunch)
{
    const auto spec = opened("#include <vector>\ntemplate <int T> __global__ void k(float* a) { a[threadIdx.x] = T; }\n"
                             "void launch(int mean, float* a) { if (mean <= 2) k<1><<<4, 32>>>(a); else if (mean <= 24) k<16><<<8, 64>>>(a); else k<32><<<16, 128>>>(a); }\n"
                             "int main() { std::vector<int> v; unsigned s = 1; for (int i = 0; i < 1000; ++i) { s = s * 1664525u + 1013904223u; for (unsigned j = 0; j < s >> 27; ++j) v.push_back(j); }\n"
                             "float* a; cudaMalloc(&a, 4096); launch(int(v.size()) / 1000, a); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->entry, "k<16>") << "15 on average, which reading does not tell";
    EXPECT_TRUE(spec->summary.en.starts_with("As launched on line 3 of image.cu.")) << spec->summary.en;
    const auto other = opened(spec->source, "k<1>");
    ASSERT_TRUE(other) << other.error().detail;
    EXPECT_TRUE(other->summary.en.starts_with("As launched on line 3 of image.cu, in a branch that the program by itself does not take.")) << other->summary.en;
}

TEST(ProgramKernels, overloadsAreKernelsOfTheirOwn)
{
    const std::string kernels = "template <class T> __global__ void k(T* x, T a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = a; }\n"
                                "__global__ void k(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 0; }\n"
                                "__global__ void k(double* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 0; }\n";
    const std::string launches = "int main() { const int n = 4096; float* f; double* d; cudaMalloc(&f, n * sizeof(float)); cudaMalloc(&d, n * sizeof(double));\n"
                                 "k<<<n / 128, 128>>>(d, n); k<<<n / 128, 128>>>(f, n); k<<<n / 128, 128>>>(f, 1.f, n); }\n";
    const auto entriesOf = [](const std::string& source) {
        std::vector<std::string> entries;
        const auto program = programKernels(source, "k.cu", "/nowhere/k.cu");
        for (const KernelSpec& kernel : program->kernels)
            entries.push_back(kernel.title.en);
        return entries;
    };
    EXPECT_EQ(entriesOf(kernels + launches), (std::vector<std::string> { "k(double*,int)", "k(float*,int)", "k<float>(float*,float,int)" }));
    EXPECT_EQ(entriesOf(kernels), (std::vector<std::string> { "k<float>(float*,float,int)", "k(float*,int)", "k(double*,int)" })) << "as their code suggests";
    const auto sectors = [&](const std::string& entry) {
        const auto spec = opened(kernels + launches, entry);
        return predict(*planLaunch(*spec, {}), { .verify = false })->result.metrics.get(analysis::Metric::GlobalStoreSectors);
    };
    EXPECT_EQ(sectors("k(float*, int)"), 512u);
    EXPECT_EQ(sectors("k(double*, int)"), 1024u);
    EXPECT_EQ(opened(kernels + launches, "k(int*, int)").error().code, ErrorCode::EntryNotFound);
}

TEST(ProgramKernels, anEntryWithTemplateArgumentsIsThatInstanceOrNone)
{
    const std::string kernel = "namespace lib { struct Twice { static constexpr int of = 2; }; struct Thrice { static constexpr int of = 3; }; template <class F, int N = 4> __global__ void scale(float* x, int n)\n"
                               "{\n    int i = blockIdx.x * 256 + threadIdx.x;\n    if (i < n) x[i * N] *= F::of;\n}\n}\n";
    for (const std::string instances : { "", "namespace lib { template __global__ void scale<Twice, 2>(float*, int); }\n" }) {
        EXPECT_EQ(opened(kernel + instances, "lib::scale<Thrice, 8>")->entry, "lib::scale<lib::Thrice,8>") << "of a kernel alone";
        const auto spec = opened(kernel + instances, "scale<Twice,8>");
        ASSERT_TRUE(spec) << spec.error().detail;
        const auto prediction = predict(*planLaunch(*spec, { { "n", "256" } }), { .verify = false });
        ASSERT_TRUE(prediction) << prediction.error().detail;
        EXPECT_EQ(prediction->result.metrics.get(analysis::Metric::GlobalStoreSectors), 256);
    }
    EXPECT_EQ(opened("template <class T> __global__ void set(T* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }\n", "set<unsigned int>")->id, "set");
    const std::string host = "int main() { float* x; cudaMalloc(&x, 1 << 20); lib::scale<lib::Twice, 2><<<40, 256>>>(x, 10000); lib::scale<lib::Twice, 1><<<20, 256>>>(x, 5000); }\n";
    for (const char* const entry : { "scale<Twice,1>", "lib::scale<lib::Twice, 1>" })
        EXPECT_EQ(opened(kernel + host, entry)->entry, "lib::scale<lib::Twice,1>");
    EXPECT_EQ(opened(kernel + host, "scale<Twice>")->entry, "lib::scale<lib::Twice,2>") << "the first of them";
    const std::string ofTypes = "#include <cstdint>\ntemplate <class T> __global__ void clear(T* x) { x[threadIdx.x] = 0; }\nint main() { uint32_t* x; cudaMalloc(&x, 4096); clear<uint32_t><<<1, 64>>>(x); }\n";
    EXPECT_TRUE(opened(ofTypes, "clear<unsigned int>")) << "another name of the type";
    EXPECT_FALSE(opened(ofTypes, "clear<float>"));
    const auto none = opened(kernel + host, "scale<Twice,8>");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::EntryNotFound);
    EXPECT_EQ(none.error().detail, "the program does not launch 'scale<Twice,8>'; it launches lib::scale<lib::Twice,2>, lib::scale<lib::Twice,1>");
}

TEST(ProgramKernels, templateArgumentsAreOfTheNamespacesThatDeclareThem)
{
    const auto spec = opened("namespace fd { namespace detail { template <class F, class I> __global__ void k(I n, F f) { I i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) f(i); } }\n"
                             "template <class F, class I> void each(I n, F f) { detail::k<F><<<(n + 127) / 128, 128>>>(n, f); } }\n"
                             "namespace app { enum Mode { Fast, Slow }; template <Mode M> struct Set { float* p; __device__ void operator()(int i) const { p[i] = M; } }; }\n"
                             "int main() { float* a; cudaMalloc(&a, 4000); fd::each(1000ull, app::Set<app::Slow> { a }); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->title.en, "fd::detail::k<app::Set<app::Slow>,unsigned long long>");
    const auto prediction = predict(*planLaunch(*spec, {}), { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_EQ(prediction->result.metrics.get(analysis::Metric::GlobalStoreSectors), 125);
}

TEST(ProgramKernels, whatAClassCallsATypeIsThatType)
{
    const auto program = programKernels("template <class T> struct Tuning { static constexpr int block = 256, items = 8; };\n"
                                        "template <> struct Tuning<double> { static constexpr int block = 128, items = 4; };\n"
                                        "struct Config { struct Params { float scale; }; using Real = double; };\n"
                                        "template <class T, int B, int I> __global__ void k(T* x, int n) { int i = blockIdx.x * B * I + threadIdx.x; for (int j = 0; j < I; ++j) if (i + j * B < n) x[i + j * B] = 1; }\n"
                                        "template <class P, class T = typename P::Real> class Runner { using Tune = Tuning<T>; static constexpr int per = Tune::block * Tune::items; typename P::Params params_;\n"
                                        "public: explicit Runner(typename P::Params p) : params_(p) { }\n"
                                        "void operator()(T* x, int n) { k<T, Tune::block, Tune::items><<<(n + per - 1) / per, Tune::block>>>(x, n); } };\n"
                                        "int main() { double* x; cudaMalloc(&x, 8 << 20); Runner<Config> run(Config::Params { 1 }); run(x, 1 << 20); }\n",
        "k.cu", "/nowhere/k.cu");
    ASSERT_EQ(program->kernels.size(), 1u);
    const auto plan = planLaunch(program->kernels[0], {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->block.x, 128u);
    EXPECT_EQ(plan->grid.x, 2048u);
}

TEST(ProgramKernels, aTemplatesOtherKernelsThatAHelperMayLaunchAreInBranches)
{
    const auto program = programKernels("enum class Type { F32, F64 }; struct Tensor { void* data; Type type; int n; template <class T> T* ptr() const { return static_cast<T*>(data); }\n"
                                        "static Tensor empty(int n, Type t) { Tensor x; x.n = n; x.type = t; cudaMalloc(&x.data, n * (t == Type::F32 ? 4 : 8)); return x; } };\n"
                                        "template <class T> __global__ void k(T* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 1; }\n"
                                        "template <class K, class... A> void launch(K kernel, dim3 g, dim3 b, A... args) { kernel<<<g, b>>>(args...); }\n"
                                        "void fill(const Tensor& x) { switch (x.type) { case Type::F32: launch(k<float>, dim3((x.n + 255) / 256), dim3(256), x.ptr<float>(), x.n); break;\n"
                                        "case Type::F64: launch(k<double>, dim3((x.n + 255) / 256), dim3(256), x.ptr<double>(), x.n); break; } }\n"
                                        "int main() { Tensor t = Tensor::empty(10000, Type::F32); fill(t); }\n",
        "k.cu", "/nowhere/k.cu");
    ASSERT_EQ(program->kernels.size(), 2u);
    const std::string branch = "in a branch that the program by itself does not take";
    EXPECT_EQ(program->kernels[0].summary.en.find(branch), std::string::npos) << program->kernels[0].summary.en;
    EXPECT_NE(program->kernels[1].summary.en.find(branch), std::string::npos) << program->kernels[1].summary.en;
    const auto prediction = predict(*planLaunch(program->kernels[1], {}), { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_TRUE(prediction->result.hazards.empty()) << "the memory is as large as it touches";
}

TEST(ProgramKernels, aTemplateOfDefaultsIsLaunchedAsOne)
{
    const auto spec = opened("template <int TILE = 32> __global__ void fill(float* c) { c[blockIdx.x * TILE + threadIdx.x] = 1; }\n"
                             "int main() { float* c; cudaMalloc(&c, 4096); fill<><<<32, 32>>>(c); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->entry, "fill<>");
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan);
    const auto compiled = compileToPtx(*plan);
    EXPECT_TRUE(compiled) << compiled.error().detail;
}

TEST(ProgramKernels, indicesPointIntoTheSmallestBuffer)
{
    const auto spec = opened("__global__ void ell(const int* idx, const float* a, const float* x, float* y, int n) { y[threadIdx.x] = x[idx[threadIdx.x]]; }\n"
                             "int main() { int n = 1000; int* idx; float *a, *x, *y; cudaMalloc(&idx, 8 * n * 4); cudaMalloc(&a, 8 * n * 4);\n"
                             "cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); ell<<<8, 128>>>(idx, a, x, y, n); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->guesses, (std::vector<Guess> { { Guess::Kind::Indices, "idx", "n" } }));
    const auto plan = planLaunch(*spec, { { "n", "500" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    ASSERT_FALSE(plan->arguments.empty());
    const auto& fill = std::get<BufferPlan>(plan->arguments.front()).fill;
    EXPECT_EQ(fill.high, 500);
}

TEST(ProgramKernels, whatIsUsedAsAnIndexHoldsIndicesWhateverItsName)
{
    const std::string kernel = "struct Csr { int rows; const int* begin; const int* where; const float* a; };\n"
                               "__global__ void mv(Csr m, const float* x, float* y) { int i = threadIdx.x; float s = 0;\n"
                               "for (int j = m.begin[i]; j < m.begin[i + 1]; ++j) s += m.a[j] * x[m.where[j]]; y[i] = s; }\n"
                               "__global__ void rows(const int* who, const unsigned* what, unsigned* count, const float* x, float* y, int dim)\n"
                               "{ int w = __ldg(&who[blockIdx.x]); y[threadIdx.x] = x[w * dim + threadIdx.x]; atomicAdd(&count[what[threadIdx.x]], 1); }\n";
    const std::string main = "int main() { int n = 1000, dim = 32; Csr m; m.rows = n; int *b, *w; float *a, *x, *y; unsigned *what, *count; cudaMalloc(&b, (n + 1) * 4);\n"
                             "cudaMalloc(&w, n * 24 * 4); cudaMalloc(&a, n * 24 * 4); cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); m.begin = b; m.where = w; m.a = a;\n"
                             "cudaMalloc(&what, n * 4); cudaMalloc(&count, 64 * 4); cudaMemset(count, 0, 64 * 4);\n"
                             "mv<<<8, 125>>>(m, x, y); rows<<<n, 32>>>(w, what, count, x, y, dim); }\n";
    const auto spec = opened(kernel + main, "mv");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->guesses, (std::vector<Guess> { { Guess::Kind::Ranges, "b", "n * 24 // (n + 1 - 1)" }, { Guess::Kind::Indices, "w", "n" } }));
    const auto plan = planLaunch(*spec, { { "n", "500" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(partsOf(plan->arguments[0])[1].buffer->fill.step, 24);
    const auto rows = opened(kernel + main, "rows");
    ASSERT_TRUE(rows) << rows.error().detail;
    EXPECT_EQ(rows->guesses, (std::vector<Guess> { { Guess::Kind::Indices, "w", "n // dim" }, { Guess::Kind::Indices, "what", "64" } }));
}

TEST(ProgramKernels, whatTheHostComputesIsInItsBuffers)
{
    const std::string program = "#include <vector>\n__global__ void gather(const int* idx, const float* x, float* y, int n) { int i = blockIdx.x * 64 + threadIdx.x; y[i] = x[idx[i]]; }\n"
                                "int main() { const int n = 256; std::vector<int> back; for (int i = 0; i < n; ++i) back.push_back((i * 8) % n); int* idx; float *x, *y;\n"
                                "cudaMalloc(&idx, n * sizeof(int)); cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); cudaMemcpy(idx, back.data(), n * sizeof(int), cudaMemcpyHostToDevice);\n"
                                "gather<<<n / 64, 64>>>(idx, x, y, n); }\n";
    const auto spec = opened(program);
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->guesses, std::vector<Guess> {});
    EXPECT_TRUE(spec->summary.en.ends_with("Worked out from the host's code: idx.")) << spec->summary.en;
    for (const char* n : { "256", "512" }) {
        const auto plan = planLaunch(*spec, { { "n", n } });
        ASSERT_TRUE(plan) << plan.error().detail;
        std::vector<std::int32_t> indices(std::size_t(std::stoi(n)));
        ASSERT_TRUE(BufferContents().bytes(std::get<BufferPlan>(plan->arguments.front()), 0, std::span(reinterpret_cast<std::uint8_t*>(indices.data()), indices.size() * 4)));
        for (std::size_t i = 0; i < indices.size(); ++i)
            ASSERT_EQ(std::size_t(indices[i]), i * 8 % indices.size()) << n;
    }
}

TEST(ProgramKernels, realNumbersThatIntegersAreMadeOfAreTheHosts)
{
    const std::string main = "int main() { const int n = 128; std::vector<float4> h(n); for (int i = 0; i < n; ++i) h[i] = make_float4(i * 0.5f, 0, 0, 1);\n"
                             "float4* p; int* count; cudaMalloc(&p, n * sizeof(float4)); cudaMalloc(&count, 64 * 4); cudaMemset(count, 0, 64 * 4); cudaMemcpy(p, h.data(), n * sizeof(float4), cudaMemcpyHostToDevice);\n"
                             "bin<<<1, 128>>>(p, count); }\n";
    const auto isTold = [&](const std::string& statement) {
        const auto spec = opened("#include <vector>\n__global__ void bin(const float4* p, int* count) { float4 q = p[threadIdx.x]; " + statement + " }\n" + main);
        const auto plan = spec ? planLaunch(*spec, {}) : std::unexpected(spec.error());
        EXPECT_TRUE(plan && std::get<BufferPlan>(plan->arguments.front()).host.has_value());
        return spec && spec->summary.en.ends_with("Worked out from the host's code: p.");
    };
    EXPECT_TRUE(isTold("atomicAdd(&count[int(q.x)], 1);"));
    EXPECT_TRUE(isTold("atomicAdd(&count[(int)(q.x * 2)], 1);"));
    EXPECT_TRUE(isTold("atomicAdd(&count[__float2int_rd(q.x)], 1);"));
    EXPECT_FALSE(isTold("count[(int)blockIdx.x] = q.x > 1;")) << "nothing depends on what they are: nobody asks";
}

TEST(ProgramKernels, rangesOfWhichNothingIsKnownAreShort)
{
    const auto spec = opened("__global__ void mv(const int* ptr, const int* col, const float* x, float* y, int rows) { int i = blockIdx.x * 128 + threadIdx.x; float s = 0;\n"
                             "for (int j = ptr[i / 4]; j < ptr[i / 4 + 1]; ++j) s += x[col[j]]; y[i] = s; }\nstruct Csr { int* ptr() const; int* col() const; };\n"
                             "int main() { const int rows = 4096; Csr a; float *x, *y; cudaMalloc(&x, rows * 4); cudaMalloc(&y, rows * 4); mv<<<rows * 4 / 128, 128>>>(a.ptr(), a.col(), x, y, rows); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    const Fill& fill = std::get<BufferPlan>(plan->arguments.front()).fill;
    EXPECT_EQ(fill.kind, FillKind::Iota);
    EXPECT_EQ(fill.step, 1);
}

TEST(ProgramKernels, tablesOfTheHostsAreInConstantsAndAsLargeAsTheirArrays)
{
    const auto spec = opened("#include <cstdint>\nstatic uint32_t box[256]; static uint32_t round_keys[4];\n__constant__ uint32_t keys[4];\n"
                             "__global__ void look(const uint32_t* table, uint32_t* out) { out[threadIdx.x] = table[(threadIdx.x * 5) & 255] ^ keys[threadIdx.x & 3]; }\n"
                             "static void make() { for (int i = 0; i < 256; i++) box[i] = i * 17u; for (int i = 0; i < 4; i++) round_keys[i] = box[i] ^ 1; }\n"
                             "int main() { make(); uint32_t *table, *out; cudaMalloc(&table, sizeof box); cudaMalloc(&out, 128); cudaMemcpy(table, box, sizeof box, cudaMemcpyHostToDevice);\n"
                             "cudaMemcpyToSymbol(keys, round_keys, sizeof round_keys); look<<<1, 32>>>(table, out); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->guesses, std::vector<Guess> {});
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments.front()).count, 256u);
    EXPECT_EQ(plan->constants, (std::vector<std::pair<std::string, std::string>> { { "keys", "{ 1, 16, 35, 50 }" } }));
}

TEST(ProgramKernels, whatIsAllocatedThroughAReferenceToAPointerIsAMembersBuffer)
{
    const auto spec = opened("struct Particles { float *x, *v; int n; };\n__global__ void push(Particles p) { p.x[threadIdx.x] += p.v[threadIdx.x]; }\n"
                             "class Simulation { Particles p_ {}; template <class T> void get(T*& pointer, size_t n) { cudaMalloc(&pointer, n * sizeof(T)); }\n"
                             "public: explicit Simulation(int n) { p_.n = n; get(p_.x, n); get(p_.v, n); push<<<1, 128>>>(p_); } };\nint main() { Simulation s(1024); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    for (const std::size_t member : { 0, 1 }) {
        ASSERT_TRUE(partsOf(plan->arguments[0])[member].buffer);
        EXPECT_EQ(partsOf(plan->arguments[0])[member].buffer->count, 1024u);
    }
}

TEST(ProgramKernels, aVariableOfTheHostsIsNoNameThatKernelsSee)
{
    const auto spec = opened("static int size = 2, half;\nstruct Grid { int size, half; float* a; };\n__global__ void touch(Grid g) { if (threadIdx.x < g.half) g.a[threadIdx.x] = g.size; }\n"
                             "int main() { size *= 128; half = size / 2; Grid g; g.size = size; g.half = half; cudaMalloc(&g.a, size * 4); touch<<<1, 256>>>(g); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto compiled = compileToPtx(*plan);
    EXPECT_TRUE(compiled) << compiled.error().detail;
}

TEST(ProgramKernels, theEntryChoosesAndABlocksSizeBecomesAParameter)
{
    const auto spec = opened(kProgram, "scale");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(parametersOf(*spec), (std::vector<std::string> { "rows=512", "cols=256", "block_x=256", "factor=0.5" }));
    EXPECT_EQ(spec->guesses, (std::vector<Guess> { { Guess::Kind::Indices, "idx", "" } }));
    const auto plan = planLaunch(*spec, { { "block_x", "128" } });
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->grid.x, 1024u);
    EXPECT_EQ(plan->block.x, 128u);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[1]).fill.kind, FillKind::Iota);
    EXPECT_TRUE(opened(kProgram, "image::scale"));
    EXPECT_TRUE(opened(kProgram, "image::turn<float>"));
}

TEST(ProgramKernels, theGridFollowsTheBlocksSizesThatItWasMadeOf)
{
    const std::string source = "__global__ void k(float* p, int w, int h) { p[0] = w + h; }\nint main() { const int w = 640, h = 480; float* p; cudaMalloc(&p, w * h * 4);\n"
                               "  dim3 threads(16, 8); dim3 blocks((w + 15) / 16, h / 8); k<<<blocks, threads>>>(p, w, h); }\n";
    const auto spec = opened(source);
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, { { "threads_x", "32" }, { "threads_y", "4" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->grid.x, 20u);
    EXPECT_EQ(plan->grid.y, 120u);
    EXPECT_EQ(plan->block.x, 32u);
}

TEST(ProgramKernels, whatOnePassOverTheHostsCodeMakesOfIntegersIsAskedOfFollowingIt)
{
    const auto held = [](const std::string& made) {
        const auto spec = opened("__global__ void k(const int* p, int* q) { q[threadIdx.x] = p[0]; }\nint main() { int *p, *q; cudaMalloc(&p, 4096); cudaMalloc(&q, 128); " + made + " k<<<1, 32>>>(p, q); }\n");
        EXPECT_TRUE(spec) << spec.error().detail;
        return spec && spec->derived.find("host = ") != std::string::npos;
    };
    EXPECT_TRUE(held("int start = 0; while (start < 500) ++start; cudaMemcpy(p, &start, 4, cudaMemcpyHostToDevice);"));
    EXPECT_TRUE(held("int* h = (int*)calloc(1024, 4); for (int i = 0; i < 1024; ++i) if (i % 3 == 0) h[i] = 1; cudaMemcpy(p, h, 4096, cudaMemcpyHostToDevice);"));
    EXPECT_FALSE(held("cudaMemset(p, 0, 4096);")) << "it is all zeros";
}

TEST(ProgramKernels, bothSizesOfABlockWrittenAsNumbersAreParameters)
{
    const auto launch = [](const std::string& body, const std::string& shape) {
        const auto spec = opened("__global__ void k(float* p, int w, int h) { const int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y + blockIdx.y * blockDim.y; " + body
            + " }\nint main() { const int w = 640, h = 480; float* p; cudaMalloc(&p, w * h * 4); const dim3 grid(20, 60), block(32, 8); k<<<" + shape + ">>>(p, w, h); }\n");
        EXPECT_TRUE(spec) << spec.error().detail;
        const std::string text = spec ? spec->derived : "";
        const auto at = text.find("grid = ");
        return at == text.npos ? "" : text.substr(at, text.find("\n\n", at) - at);
    };
    const std::string element = "if (x < w && y < h) p[y * w + x] *= 2;";
    const std::string follows = "grid = [\"cdiv(w, block_x)\", \"cdiv(h, block_y)\"]\nblock = [\"block_x\", \"block_y\"]";
    EXPECT_EQ(launch(element, "dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)"), follows);
    EXPECT_EQ(launch(element, "dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16), 16 * 16 * 4"), follows + "\ndynamic_shared = \"block_x * block_y * 4\"");
    EXPECT_EQ(launch(element, "dim3(20, 60), dim3(32, 8)"), "grid = [\"cdiv(640, block_x)\", \"cdiv(480, block_y)\"]\nblock = [\"block_x\", \"block_y\"]") << "as many threads";
    EXPECT_EQ(launch("__shared__ float t[8][33]; t[threadIdx.y][threadIdx.x] = p[x]; p[y] = t[0][0];", "dim3(20, 60), dim3(32, 8)"), "grid = [20, 60]\nblock = [32, 8]") << "a tile has them";
    EXPECT_EQ(launch("__shared__ float t[10 * 34]; t[threadIdx.x] = p[x]; p[y] = t[0];", "dim3(20, 60), dim3(32, 8)"), "grid = [20, 60]\nblock = [32, 8]") << "a tile with a halo has them";
    EXPECT_EQ(launch("__shared__ float t[256]; t[threadIdx.x] = p[x]; p[y] = t[0];", "dim3(20, 60), dim3(32, 8)"), "grid = [20, 60]\nblock = [32, 8]") << "a sum of all threads has them";
    EXPECT_EQ(launch("for (int row = blockIdx.y; row < h; row += gridDim.y) p[row * w + x] += y;", "dim3(20, 60), dim3(32, 8)"), "grid = [\"cdiv(640, block_x)\", 60]\nblock = [\"block_x\", 8]")
        << "each block has its rows";
    EXPECT_EQ(launch(element, "grid, block"), "grid = [\"cdiv(640, block_x)\", \"cdiv(480, block_y)\"]\nblock = [\"block_x\", \"block_y\"]") << "as many threads";
    EXPECT_EQ(launch("for (int i = x; i < w; i += blockDim.x * gridDim.x) p[i] += y;", "grid, 32"), "grid = [\"grid_x\", \"grid_y\"]\nblock = [\"block_x\"]") << "as many as one likes";
}

TEST(ProgramKernels, aBlocksSizeIsAParameterHoweverTheGridIsWritten)
{
    const auto launched = [](const std::string& body, const std::string& launch) {
        const auto spec = opened("__global__ void k(float* x, float* y, int n) { " + body + " }\nint main() { const int n = 65536; float *x, *y; cudaMalloc(&x, n * 4); cudaMalloc(&y, n / 256 * 4); " + launch + " }\n");
        EXPECT_TRUE(spec) << spec.error().detail;
        auto plan = spec ? planLaunch(*spec, { { "block_x", "64" } }) : std::unexpected(spec.error());
        EXPECT_TRUE(plan) << plan.error().detail;
        return plan ? *std::move(plan) : LaunchPlan {};
    };
    const std::string element = "const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2;";
    EXPECT_EQ(launched(element, "k<<<n / 256, 256>>>(x, y, n);").grid.x, 1024u);
    EXPECT_EQ(launched(element, "k<<<n / 256 + 1, 256>>>(x, y, n);").grid.x, 1025u);
    EXPECT_EQ(launched(element, "k<<<256, 256>>>(x, y, n);").grid.x, 1024u) << "as many threads";
    EXPECT_EQ(launched("for (int i = threadIdx.x; i < n; i += blockDim.x) x[blockIdx.x] += x[i];", "k<<<100, 128>>>(x, y, n);").grid.x, 100u) << "each block has its row";
    const LaunchPlan sums = launched("extern __shared__ float s[]; const int i = blockIdx.x * blockDim.x + threadIdx.x; s[threadIdx.x] = x[i]; __syncthreads(); y[blockIdx.x] = s[0];",
        "k<<<n / 256, 256, 256 * sizeof(float)>>>(x, y, n);");
    EXPECT_EQ(std::get<BufferPlan>(sums.arguments[1]).count, 1024u) << "one for each block";
    EXPECT_EQ(sums.dynamicSharedBytes, 256u) << "one for each thread";
}

TEST(ProgramKernels, aConstantOfAnotherKernelIsNoParameter)
{
    const std::string source = "#ifndef PAD\n#define PAD 1\n#endif\n__global__ void plain(float* p, int n) { p[threadIdx.x] = n; }\n"
                               "__global__ void padded(float* p, int n) { __shared__ float s[32][32 + PAD]; s[0][threadIdx.x] = n; p[threadIdx.x] = s[0][threadIdx.x]; }\n"
                               "int main() { const int n = 640; float* p; cudaMalloc(&p, n * 4); plain<<<1, 32>>>(p, n); padded<<<1, 32>>>(p, n); }\n";
    EXPECT_EQ(parametersOf(*opened(source, "plain")), (std::vector<std::string> { "n=640" }));
    EXPECT_EQ(parametersOf(*opened(source, "padded")), (std::vector<std::string> { "n=640", "PAD=1 -DPAD" }));
}

TEST(ProgramKernels, aBlocksSizeThatTheKernelHasAsALiteralIsFixed)
{
    const auto launched = [](const std::string& body, const std::string& launch) {
        const auto spec = opened("__global__ void k(float* p, int w, int h) { " + body + " }\nint main() { const int w = 640, h = 480; float* p; cudaMalloc(&p, w * h * 4); " + launch + " }\n");
        EXPECT_TRUE(spec) << spec.error().detail;
        const std::string text = spec ? spec->derived : "";
        const auto at = text.find("grid = ");
        return at == text.npos ? "" : text.substr(at, text.find('\n', text.find("block = ", at)) - at);
    };
    const std::string fixed = "grid = [\"cdiv(w, 32)\", \"cdiv(h, 32)\"]\nblock = [32, 8]";
    const std::string literals = "const dim3 grid((w + 31) / 32, (h + 31) / 32), block(32, 8); k<<<grid, block>>>(p, w, h);";
    EXPECT_EQ(launched("__shared__ float t[32][33]; t[threadIdx.y][threadIdx.x] = 0; for (int j = 0; j < 32; j += 8) p[blockIdx.x * 32] = t[j][0];", literals), fixed);
    EXPECT_EQ(launched("p[0] = w + h;", literals), "grid = [\"cdiv(w, 32)\", \"cdiv(h, 32)\"]\nblock = [32, \"block_y\"]") << "what the other axis divides by";
    EXPECT_EQ(launched("__shared__ float s[256]; s[threadIdx.x] = w + h; p[0] = s[1];", "k<<<(w * h + 255) / 256, 256>>>(p, w, h);"), "grid = [\"cdiv(w * h, 256)\"]\nblock = [256]");
    EXPECT_EQ(launched("p[0] = 256.f * w + h;", "k<<<(w * h + 255) / 256, 256>>>(p, w, h);"), "grid = [\"cdiv(w * h, block_x)\"]\nblock = [\"block_x\"]");
    EXPECT_EQ(launched("p[16] = w + h;", "int threads = 16; k<<<(w + threads - 1) / threads, threads>>>(p, w, h);"), "grid = [\"cdiv(w, threads)\"]\nblock = [\"threads\"]")
        << "the program's own";
}

TEST(ProgramKernels, anIntegerThatALaunchHasAsALiteralIsAParameterByTheKernelsName)
{
    const auto spec = opened(R"(__global__ void strided(const float* in, float* out, int n, int stride, bool flip, float scale, unsigned mask, int step = 3)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / stride)
        out[flip ? n / stride - 1 - i : i] = in[i * stride] * scale * float(mask) * step;
}
int main()
{
    int n = 1 << 20;
    float *a, *b;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    strided<<<(n + 255) / 256, 256>>>(a, b, n, 5, false, 2, 0xffffffff);
}
)",
        "strided");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(parametersOf(*spec), (std::vector<std::string> { "n=1048576", "block_x=256", "stride=5", "flip=0", "step=3", "scale=2" })) << "a mask is nothing to try";
    const auto plan = planLaunch(*spec, { { "stride", "8" }, { "flip", "1" } });
    ASSERT_TRUE(plan);
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[3]).bits, 8u);
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[4]).bits, 1u);
}

TEST(ProgramKernels, whatABufferHoldsThatIsOnlyWrittenIsNoGuess)
{
    const std::string host = "int main() { int n = 8192, h[4], *d; read(h); cudaMalloc(&d, n * 4); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); k<<<32, 256>>>(d, n); }\n";
    const auto guesses = [&](const std::string& body) {
        const auto spec = opened("__global__ void k(int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) " + body + "; }\n" + host, "k");
        EXPECT_TRUE(spec) << spec.error().detail;
        return spec ? spec->guesses.size() : 9;
    };
    EXPECT_EQ(guesses("p[i] = i"), 0u);
    EXPECT_EQ(guesses("p[i] = p[p[i] % n]"), 1u);
}

TEST(ProgramKernels, sizesFollowTheLiteralsThatTheLaunchHasForThem)
{
    const std::string kernel = "__global__ void turn(const float* in, float* out, const float* factors, int rows, int cols, int level)\n{ int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y; if (x < cols) out[x * rows + y] = in[y * cols + x] * factors[x] * level; }\n";
    const auto spec = opened(kernel + "int main() { float *a, *b, *c; cudaMalloc(&a, 700 * 900 * sizeof(float)); cudaMalloc(&b, 2520000); cudaMalloc(&c, 900 * 4); turn<<<dim3(8, 700), 128>>>(a, b, c, 700, 900, 8); }\n", "turn");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, { { "cols", "1000" }, { "rows", "64" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(plan->grid, (analysis::Dim3 { 8, 64, 1 }));
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[0]).count, 64'000u);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[1]).count, 64'000u);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[2]).count, 1000u);
    const auto other = planLaunch(*spec, { { "level", "9" } });
    ASSERT_TRUE(other) << other.error().detail;
    EXPECT_EQ(other->grid, (analysis::Dim3 { 8, 700, 1 })) << "8 blocks, and a literal 8 that has nothing to do with them";
}

TEST(ProgramKernels, aLibrarysFunctionHasBuffersForAllThatItsIntegersSpan)
{
    const auto spec = opened(R"(__global__ void gather(const float* table, float* out, int batch, int steps, int width, int seed) { }
void gatherRows(const float* table, float* out, int batch, int steps, int width, cudaStream_t stream)
{
    gather<<<batch * steps, 128, 0, stream>>>(table, out, batch, steps, width, 1);
}
)",
        "gather");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(parametersOf(*spec), (std::vector<std::string> { "batch=256", "steps=256", "width=256", "seed=1" }));
    const auto guesses = [](const KernelSpec& kernel, const Guess& guess) { return std::ranges::find(kernel.guesses, guess) != kernel.guesses.end(); };
    EXPECT_TRUE(guesses(*spec, { Guess::Kind::Value, "width", "256" }));
    EXPECT_TRUE(guesses(*spec, { Guess::Kind::BufferSize, "table", "batch * steps * width" }));
    const auto plan = planLaunch(*spec, { { "width", "64" } });
    ASSERT_TRUE(plan);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[0]).count, 256u * 256 * 64);
    const auto hash = opened("__global__ void hash(unsigned* out, int n, int seed) { }\nvoid all(unsigned* out, int n) { hash<<<(n + 255) / 256, 256>>>(out, n, 12345); }\n");
    ASSERT_TRUE(hash) << hash.error().detail;
    EXPECT_TRUE(guesses(*hash, { Guess::Kind::BufferSize, "out", "n" })) << "a seed is no extent";
}

TEST(ProgramKernels, whatAFunctionThatIsNotReadMaySetIsGuessed)
{
    const auto sizeOf = [](const std::string& statements, const std::string& size = "n") {
        const auto spec = opened("struct Grid { int n; };\n__global__ void k(float* x, int n) { }\nint main()\n{\n" + statements
            + " float* x; cudaMalloc(&x, " + size + " * 4); k<<<(" + size + " + 255) / 256, 256>>>(x, " + size + ");\n}\n");
        return spec ? parametersOf(*spec).front() : spec.error().detail;
    };
    EXPECT_EQ(sizeOf("int n; scanf(\"%d\", &n);"), "n=16384");
    EXPECT_EQ(sizeOf("int n = 0; readMatrix(\"a\", &n);"), "n=16384");
    EXPECT_EQ(sizeOf("int n = 500; sscanf(argv[1], \"%d\", &n);"), "n=500") << "what it is without";
    EXPECT_EQ(sizeOf("Grid g; scanf(\"%d\", &g.n);", "g.n"), "n=16384");
    EXPECT_EQ(sizeOf("int width; load(\"a.png\", &width);", "width"), "width=1024") << "a side of an image";
    EXPECT_EQ(sizeOf("int n = 300, rank = 0; MPI_Comm_rank(MPI_COMM_WORLD, &rank); if (rank > 0) n = 200;"), "n=300") << "the first process";
}

TEST(ProgramKernels, whatAHeaderThatIsNotThereHoldsIsGuessedOrNamed)
{
    constexpr const char* kKernel = "#include \"gone.cuh\"\n__global__ void k(const float* x, float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x]; }\n";
    const auto member = opened(std::string(kKernel) + "void f(const Particles& p) { k<<<(p.count + 127) / 128, 128>>>(p.x, p.y, p.count); }\n");
    ASSERT_TRUE(member) << member.error().detail;
    EXPECT_EQ(parametersOf(*member).front(), "p_count=16384");
    const auto detail = [&](const std::string& function) { return opened(kKernel + function).error().detail; };
    EXPECT_EQ(detail("void f(float* x, int n) { k<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, x, n); }\n"), "the launch of k does not tell how large the grid and the block are: BLOCK is not known there");
    EXPECT_EQ(detail("void f(float* x, int n) { k<<<n / 64, Config::kBlock>>>(x, x, n); }\n"), "the launch of k does not tell how large the block is: Config::kBlock is not known there");
    EXPECT_EQ(detail("void f(float* x, float dt) { int blocks = (COUNT + 63) / 64; k<<<blocks, 64>>>(x, x, 5); }\n"), "the launch of k does not tell how large the grid is: COUNT is not known there");
    EXPECT_EQ(detail("void f(Boids* b, float* x) { int blocks = b->count / 64; k<<<blocks, 64>>>(x, x, 5); }\n"), "the launch of k does not tell how large the grid is: b->count is not known there");
    const auto block = opened(std::string(kKernel) + "void f(float* x, int n) { int block = Config::kBlock; k<<<(n + block - 1) / block, block>>>(x, x, n); }\n");
    ASSERT_TRUE(block) << block.error().detail;
    EXPECT_EQ(parametersOf(*block).back(), "block=256") << "threads may be as many as most blocks have";
    EXPECT_EQ(detail("void f(float* x, int n) { dim3 grid(n / WIDE), block(64);\n k<<<grid, block>>>(x, x, n); }\n"), "the launch of k does not tell how large the grid is: WIDE is not known there");
}

TEST(ProgramKernels, aNotebooksCellIsAProgram)
{
    const auto spec = opened("%%writefile a.cu\n__global__ void k(float* x) { x[threadIdx.x] = 1; }\nint main() { float* x; cudaMalloc(&x, 1024); k<<<1, 256>>>(x); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->summary.en, "As launched on line 3 of image.cu.");
    EXPECT_TRUE(spec->source.starts_with("//writefile"));
}

TEST(ProgramKernels, whatDoesNotFitAManifestIsSaidAsItIs)
{
    const auto spec = opened("__global__ void a(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }\nint main() { int n = atoi(argv[1]); float* x; cudaMalloc(&x, n * 4); a<<<1, n>>>(x, n); }\n");
    ASSERT_FALSE(spec);
    EXPECT_EQ(spec.error().detail, "the launch of a cannot be described: '1048576' is outside the range of the parameter 'n'");
}

TEST(ProgramKernels, aFunctionThatIsNotThereRoundsUpIfItsNameSaysSo)
{
    for (const char* name : { "div_up", "DivUp", "CEIL_DIV", "cdiv", "ceil_div" }) {
        const auto spec = opened("#include \"gone.cuh\"\n__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }\nvoid f(float* x, int n) { k<<<" + std::string(name) + "(n, 256), 256>>>(x, n); }\n");
        ASSERT_TRUE(spec) << spec.error().detail;
        EXPECT_NE(spec->derived.find("grid = [\"cdiv(n, block_x)\"]"), std::string::npos) << spec->derived;
        ASSERT_FALSE(spec->guesses.empty());
        EXPECT_EQ(spec->guesses[0], (Guess { Guess::Kind::RoundingUp, name, {} }));
    }
}

TEST(ProgramKernels, buffersOfALibrarysFunctionAreAsLargeAsItsKernelTouches)
{
    const auto spec = opened(R"(__global__ void rows(const float* x, float* y, const float* w, int dim, int kernel_size, int iters)
{
    for (int j = threadIdx.x; j < dim; j += blockDim.x)
        y[(size_t)blockIdx.x * dim + j] = x[(size_t)blockIdx.x * dim + j] * w[(j % kernel_size) * kernel_size + kernel_size - 1];
}
void f(const float* x, float* y, const float* w, int count, int dim, int kernel_size, int iters)
{
    rows<<<count, 256>>>(x, y, w, dim, kernel_size, iters);
}
)");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(parametersOf(*spec), (std::vector<std::string> { "dim=1024", "kernel_size=5", "iters=10", "count=1024", "block_x=256" }));
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[0]).count, 1024u * 1024);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[1]).count, 1024u * 1024);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments[2]).count, 25u);
}

TEST(ProgramKernels, aStructureOfVectorsIsGuessedWhole)
{
    const auto spec = opened("struct Camera { float3 at; int2 size; };\n__global__ void k(float* x, Camera c) { x[threadIdx.x] = c.at.z; }\n"
                             "void f(float* x, Camera c) { k<<<1, 32>>>(x, c); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan);
    EXPECT_EQ(std::get<StructPlan>(plan->arguments[1]).members.size(), 5u);
}

TEST(ProgramKernels, oneNumberThatIsCopiedIsWhatABufferHolds)
{
    const auto spec = opened("__global__ void k(int* a, int* n) { if (threadIdx.x < *n) a[threadIdx.x] = 1; }\n"
                             "void f(int* a, int n) { int* dn; cudaMalloc(&dn, 4); cudaMemcpy(dn, &n, sizeof(int), cudaMemcpyHostToDevice); k<<<n / 256, 256>>>(a, dn); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan);
    const Fill& fill = std::get<BufferPlan>(plan->arguments[1]).fill;
    EXPECT_EQ(fill.kind, FillKind::Iota);
    EXPECT_EQ(fill.start, 1 << 20);
    EXPECT_EQ(fill.step, 0);
}

TEST(ProgramKernels, longIntegersOfEqualBytesAreBytes)
{
    const auto spec = opened("__global__ void k(long long* a) { a[threadIdx.x] %= 1000003; }\n"
                             "int main() { long long* a; cudaMalloc(&a, 256 * 8); cudaMemset(a, 0x4d, 256 * 8); k<<<1, 256>>>(a); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    const BufferPlan& buffer = std::get<BufferPlan>(plan->arguments[0]);
    EXPECT_EQ(buffer.count, 2048u);
    EXPECT_EQ(buffer.fill.start, 0x4d);
}

TEST(ProgramKernels, launchesThatAFormatterTookApartAreRead)
{
    const auto spec = opened("template <int N> __global__ void k(float* x) { }\nint main() { float* x; cudaMalloc(&x, 4096);\n\n k<4> << <4, 256 >> > (x); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_NE(spec->summary.en.find("line 4"), std::string::npos) << spec->summary.en;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->grid.x, 4u);
}

TEST(ProgramKernels, whatACountingKernelFoundIsGuessed)
{
    constexpr const char* kFound = "__global__ void count(int* n) { }\n__global__ void use(float* x, int n) { }\nint main()\n{\n    const int capacity = 4096;\n"
                                   "    int *n, found = 0;\n    float* x;\n    cudaMalloc(&n, 4);\n    cudaMalloc(&x, capacity * 4);\n    count<<<1, 32>>>(n);\n"
                                   "    found = FOUND;\n    if (found > 0) use<<<(found + 127) / 128, 128>>>(x, found);\n}\n";
    const auto usedWith = [&](const std::string& found) {
        std::string text = kFound;
        text.replace(text.find("FOUND"), 5, found);
        return opened(text, "use");
    };
    const auto spec = usedWith("ask()");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(parametersOf(*spec), (std::vector<std::string> { "capacity=4096", "found=16384", "block_x=128" }));
    EXPECT_EQ(spec->guesses, (std::vector<Guess> { { Guess::Kind::Value, "found", "16384" } }));
}

TEST(ProgramKernels, memoryHoldsWhatItIsSetTo)
{
    const auto spec = opened("__global__ void k(unsigned long long* keys, const int* from, float* far, int* counts) { }\nint main()\n{\n"
                             "    unsigned long long* keys;\n    int *from, *counts;\n    float* far;\n    cudaMalloc(&keys, 800);\n    cudaMalloc(&from, 400);\n"
                             "    cudaMalloc(&far, 400);\n    cudaMalloc(&counts, 400);\n    cudaMemset(keys, 0xff, 800);\n    cudaMemset(from, -1, 400);\n"
                             "    cudaMemset(far, 0x7f, 400);\n    cudaMemset(counts, 0, 400);\n    k<<<1, 32>>>(keys, from, far, counts);\n}\n",
        "k");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan);
    const auto fillOf = [&](std::size_t i) { return std::get<BufferPlan>(plan->arguments[i]).fill; };
    for (const std::size_t i : { 0u, 1u }) {
        EXPECT_EQ(fillOf(i).start, -1) << "all bits are set: an empty place of a hash table";
        EXPECT_EQ(fillOf(i).step, 0);
    }
    EXPECT_NEAR(fillOf(2).start, 3.3961514e38, 1e32);
    EXPECT_EQ(fillOf(3).kind, FillKind::Zero);
}

TEST(ProgramKernels, objectsThatOwnMemoryConvertToItsPointer)
{
    const auto spec = opened("template <typename T> struct Owned {\n    T* ptr = nullptr;\n    size_t len = 0;\n    explicit Owned(size_t n) : len(n) { cudaMalloc(&ptr, n * sizeof(T)); }\n"
                             "    T& operator[](size_t i) { return ptr[i]; }\n    operator T*() { return ptr; }\n};\nstruct View { int n; const int* row; };\n"
                             "template <typename T> Owned<T> make(size_t n) { Owned<T> m(n); return m; }\n"
                             "template <typename T> Owned<T> make(const std::vector<T>& v) { return make<T>(v.size() + 1); }\n"
                             "__global__ void k(View view, double* out) { }\nint main()\n{\n    std::vector<int> rows(99);\n    auto row = make(rows);\n    Owned<double> out(50);\n"
                             "    const View view { 7, row };\n    k<<<1, 32>>>(view, out);\n}\n",
        "k");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan);
    const BufferPlan& out = std::get<BufferPlan>(plan->arguments.back());
    EXPECT_EQ(out.count, 50u);
    EXPECT_TRUE(spec->guesses.empty() || spec->guesses.front().kind != Guess::Kind::BufferSize);
}

TEST(ProgramKernels, vectorsOfComponentsAreAlignedAsAWhole)
{
    const auto spec = opened("struct Box { int first; float4 low; int2 size; float3 high; };\n__global__ void k(Box box, double2 d, float* out) { }\n"
                             "int main() { Box box; box.size = make_int2(7, 8); float* o; cudaMalloc(&o, 32); k<<<1, 8>>>(box, make_double2(1, 2), o); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail << spec->derived;
    const auto& box = std::get<StructPlan>(plan->arguments[0]);
    EXPECT_EQ(box.bytes, 64u) << "4 + 12, 16, 8, 12 and 12 to a multiple of 16";
    EXPECT_EQ(box.alignment, 16u);
    EXPECT_EQ(box.members[5].offset, 32u);
    EXPECT_EQ(std::get<ScalarPlan>(box.members[5].value).bits, 7u);
    EXPECT_EQ(std::get<StructPlan>(plan->arguments[1]).bytes, 16u);
}

TEST(ProgramKernels, aTemplatesClassIsThatOfTheObjectItIsGiven)
{
    const auto spec = opened("struct Odd { __device__ bool operator()(float v) const { return v > 1; } };\ntemplate <class P> __global__ void k(float* a, P p) { if (p(*a)) *a = 1; }\n"
                             "int main() { float* a; cudaMalloc(&a, 32); k<<<1, 8>>>(a, Odd {}); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->entry, "k<Odd>");
    EXPECT_TRUE(spec->guesses.empty());
}

TEST(ProgramKernels, membersOfAnUnknownStructureAreGuessedByTheirFullNames)
{
    const auto spec = opened("struct Point { float x, y; };\nstruct View { Point eye; int steps; };\n__global__ void k(View view) { }\n"
                             "int main() { View view = viewOf(ask()); k<<<1, 32>>>(view); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    std::vector<std::string> guessed;
    for (const Guess& guess : spec->guesses)
        guessed.push_back(guess.what + "=" + guess.taken);
    EXPECT_EQ(guessed, (std::vector<std::string> { "view.eye.x=1", "view.eye.y=1", "view.steps=1" }));
    ASSERT_TRUE(planLaunch(*spec, {}));
}

TEST(ProgramKernels, whatIsNotThereIsSaidWithWhatIs)
{
    const auto none = opened(kProgram, "missing");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::EntryNotFound);
    EXPECT_EQ(none.error().detail, "there is no kernel 'missing' in the file; it has image::turn<float>, image::scale, image::idle");
    const auto idle = opened(kProgram, "image::idle");
    ASSERT_TRUE(idle) << "which nothing launches: it is suggested";
    EXPECT_EQ(idle->summary.en, "As its code suggests: nothing in the program launches it.");
    const auto unread = opened("__global__ void k(float* p) { }\nint main() { int n = ask(); k<<<n, 32>>>(nullptr); }\n");
    ASSERT_FALSE(unread);
    EXPECT_EQ(unread.error().detail, "the launch of k does not tell how large the grid is: ask() is not known there");
    EXPECT_EQ(unread.error().where, "image.cu:2");
    EXPECT_EQ(opened("int x;\n").error().detail, "the file holds no __global__ function");
}

TEST(ProgramKernels, aKernelOfALambdaIsToHaveAFunctor)
{
    const std::string kernels = "template <class F> __global__ void each(int n, F f) { if (threadIdx.x < n) f(threadIdx.x); }\n__global__ void clear(float* p) { p[threadIdx.x] = 0; }\n";
    for (const char* launch : { "each<<<1, 32>>>(32, [=] __device__(int x) { p[x] = 2; });", "auto f = [=] __device__(int x) { p[x] = 2; }; each<<<1, 32>>>(32, f);",
             "run([=] __device__(int x) { p[x] = 2; });" }) {
        const std::string source = kernels + "template <class F> void run(F f) { each<<<1, 32>>>(32, f); }\nint main() { float* p; cudaMalloc(&p, 128);\n" + launch + " clear<<<1, 32>>>(p); }\n";
        const auto first = opened(source);
        ASSERT_TRUE(first) << first.error().detail;
        EXPECT_EQ(first->id, "clear") << "what can be read";
        const auto each = opened(source, "each");
        ASSERT_FALSE(each);
        EXPECT_EQ(each.error().code, ErrorCode::LaunchUnread);
        EXPECT_EQ(each.error().detail,
            "the launch of each gives 'f' the lambda [=] __device__(int x) of line 5: a kernel of an extended __device__ lambda cannot be compiled on its own; "
            "give it a functor, a struct with operator()");
    }
}

TEST(ProgramKernels, whereNoLaunchIsReadThereIsAManifestToStartFrom)
{
    const std::string source = "__global__ void fill(float* out) { out[threadIdx.x] = 1; }\n"
                               "__global__ void later(const double* in, double* out, int count) { if (threadIdx.x < count) out[threadIdx.x] = in[threadIdx.x]; }\n"
                               "int main() { float* p; cudaMalloc(&p, 128); fill<<<1, 32>>>(p); int n = ask(); later<<<n, 32>>>(nullptr, nullptr, 7); }\n";
    const auto program = programKernels(source, "image.cu", {}, {});
    ASSERT_TRUE(program);
    EXPECT_EQ(unreadKernel(*program, "fill"), nullptr) << "it is read";
    EXPECT_EQ(unreadKernel(*program, ""), nullptr) << "others are";
    const ProgramKernels::Unread* later = unreadKernel(*program, "later");
    ASSERT_TRUE(later);
    const auto spec = parseKernel(later->manifest + source, "image.cu");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->entry, "later");
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments.at(1)).name, "out");
}

TEST(ProgramKernels, bitFieldsLieSideBySide)
{
    const std::string rest = "__global__ void k(const P* p, float* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = p[threadIdx.x].z; }\n"
                             "int main() { const int n = 100; P* p; float* out; cudaMalloc(&p, n * sizeof(P)); cudaMalloc(&out, 4 * n); k<<<1, 128>>>(p, out, n); }\n";
    for (const auto& [members, bytes] : { std::pair { "float a; unsigned sex : 1; unsigned months : 9; int z;", 12 }, { "unsigned a : 20; unsigned b : 13; int z;", 12 }, { "unsigned char a : 4, b : 4; short c : 3; int z;", 8 }, { "unsigned long long a : 40; unsigned b : 24; int z;", 16 } }) {
        const auto spec = opened("struct P { " + std::string(members) + " };\n" + rest);
        ASSERT_TRUE(spec) << spec.error().detail;
        const auto plan = planLaunch(*spec, {});
        ASSERT_TRUE(plan) << plan.error().detail;
        const auto& buffer = std::get<BufferPlan>(plan->arguments.at(0));
        EXPECT_EQ(buffer.count * std::uint64_t(bytesOf(buffer.type)), 100u * std::uint64_t(bytes)) << members;
    }
}

TEST(ProgramKernels, whatALaunchLacksIsSaidBeforeOthersAreSuggested)
{
    const std::string source = "__global__ void idle(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }\n__global__ void k(float* p) { p[0] = 1; }\n"
                               "int main() { int n = ask(); k<<<n, 32>>>(nullptr); }\n";
    const auto first = opened(source);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().detail, "the launch of k does not tell how large the grid is: ask() is not known there");
    EXPECT_TRUE(opened(source, "idle")) << "which is asked for";
}

TEST(ProgramKernels, aManifestOfTheFilesOwnComesFirst)
{
    const auto spec = opened("/* --- coalescope\ntitle = \"Mine\"\nentry = \"k\"\n[launch]\ngrid = [1]\nblock = [32]\n--- */\n__global__ void k() { }\nint main() { k<<<7, 7>>>(); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->title.en, "Mine");
    EXPECT_TRUE(spec->derived.empty());
}

TEST(ProgramKernels, theDerivedManifestPutIntoTheFileSaysTheSame)
{
    const auto spec = opened(kProgram);
    ASSERT_TRUE(spec);
    const auto again = parseKernel("/* --- coalescope\n" + spec->derived + "--- */\n" + kProgram, "image.cu");
    ASSERT_TRUE(again) << again.error().detail << "\n" << spec->derived;
    EXPECT_EQ(parametersOf(*again), parametersOf(*spec));
    EXPECT_EQ(planLaunch(*again, {})->grid, planLaunch(*spec, {})->grid);
}

TEST(ProgramKernels, structuresAreLaidOutWithTheirMembers)
{
    const auto spec = opened("struct P { int nx; float3 o; double* u; float w[2]; const char* label; };\n__global__ void k(P p, float* out) { }\n"
                             "int main() { P p; p.nx = 7; cudaMalloc(&p.u, 800); p.label = \"x\"; float* o; cudaMalloc(&o, 32); k<<<1, 8>>>(p, o); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail << spec->derived;
    const auto& structure = std::get<StructPlan>(plan->arguments[0]);
    EXPECT_EQ(structure.bytes, 40u) << "4 + 12, a pointer, 2 floats, a pointer";
    EXPECT_EQ(structure.alignment, 8u);
}

const std::string kWithConstants = R"(struct Grid { int nx, ny; float h; dim3 cells; int off[2]; int count() const { return nx * ny; } };
__constant__ Grid kGrid;
__constant__ int c_dx[3];
__constant__ float c_w[4], c_unused[2];
namespace lab { __constant__ unsigned kStride; }
__global__ void step(const float* a, float* b)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < kGrid.nx - 1 && x > 0)
        b[y * kGrid.nx + x] = a[y * lab::kStride + x + c_dx[1]] * c_w[x & 3] + kGrid.h + kGrid.off[1] + kGrid.cells.z;
}
__global__ void other(float* b) { b[threadIdx.x] = 1; }
#define CHECK(x) if ((x) != 0) abort()
int main()
{
    const int n = 96, m = 20;
    Grid g;
    g.nx = n; g.ny = m; g.h = 0.25f; g.cells = dim3(4, 5, 6); g.off[0] = 7; g.off[1] = -8;
    CHECK(cudaMemcpyToSymbol(kGrid, &g, sizeof(Grid)));
    const int dx[3] = { -1, 8, 1 };
    cudaMemcpyToSymbol(c_dx, dx, sizeof dx);
    std::vector<float> w(4);
    for (auto& v : w) v = clock();
    cudaMemcpyToSymbol(c_w, w.data(), 16);
    unsigned stride = n + 32;
    cudaMemcpyToSymbolAsync(lab::kStride, &stride, 4, 0, cudaMemcpyHostToDevice, 0);
    float *a, *b;
    cudaMalloc(&a, m * stride * 4); cudaMalloc(&b, g.count() * sizeof(float));
    step<<<dim3(g.nx / 32, g.ny), 32>>>(a, b);
    other<<<1, 32>>>(b);
}
)";

TEST(ProgramKernels, variablesOfTheGpuHoldWhatTheHostCopiesThere)
{
    const auto spec = opened(kWithConstants);
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, { { "n", "64" } });
    ASSERT_TRUE(plan) << plan.error().detail << spec->derived;
    const std::vector<std::pair<std::string, std::string>> expected { { "kGrid", "{ 64, 20, 0.25, { 4, 5, 6 }, { 7, -8 } }" }, { "c_dx", "{ -1, 8, 1 }" },
        { "kStride", "{ 96 }" } };
    EXPECT_EQ(plan->constants, expected);
    EXPECT_EQ(std::ranges::count(spec->guesses, Guess { Guess::Kind::Value, "c_w", "0" }), 1) << "its numbers are not known";
    const auto compiled = compileToPtx(*plan, {});
    ASSERT_TRUE(compiled) << compiled.error().detail;
    EXPECT_NE(compiled->ptx.find("kGrid"), std::string::npos);
}

TEST(ProgramKernels, whatAKernelDoesNotReadIsNotInItsManifest)
{
    const auto program = programKernels(kWithConstants, "image.cu", {}, {});
    ASSERT_TRUE(program);
    ASSERT_EQ(program->kernels.size(), 2u);
    EXPECT_EQ(program->kernels[1].derived.find("constants"), std::string::npos);
    EXPECT_TRUE(std::ranges::none_of(program->kernels[1].parameters, [](const ParameterSpec& parameter) { return parameter.name.starts_with("cells"); }));
}

std::string constantsOf(const std::string& declared, const std::string& host)
{
    const auto spec = opened(declared + "\n__global__ void k(int* a) { a[threadIdx.x] = use(t); }\nint main() { int* a; cudaMalloc(&a, 128); " + host
        + " k<<<1, 32>>>(a); }\n");
    EXPECT_TRUE(spec) << spec.error().detail;
    const auto at = spec ? spec->derived.find("values = ") : std::string::npos;
    return at == std::string::npos ? "" : spec->derived.substr(at + 9, spec->derived.find('\n', at) - at - 9);
}

TEST(ProgramKernels, constantsAreWhatBracesGiveAndZeros)
{
    EXPECT_EQ(constantsOf("__constant__ int t[4];", "int h[4] = { 8 }; cudaMemcpyToSymbol(t, h, 16);"), "[8, 0, 0, 0]");
    EXPECT_EQ(constantsOf("__constant__ int t[2][3];", "int h[2][3] = { { 1, 2, 3 }, { 4, 5, 8 } }; cudaMemcpyToSymbol(t, h, 24);"), "[[1, 2, 3], [4, 5, 8]]");
    EXPECT_EQ(constantsOf("struct P { int n; int f[2]; };\n__constant__ P t;", "P h { 7 }; h.f[0] = 9; cudaMemcpyToSymbol(t, &h, 12);"), "[\"n\", [9, 0]]");
    EXPECT_EQ(constantsOf("__constant__ int t = 3;", "int h = rand(); h = 5; cudaMemcpyToSymbol(t, &h, 4);"), "[\"h\"]") << "in place of what it began with";
}

TEST(ProgramKernels, itemsThatNobodySetAreWhatTheVectorWasMadeOf)
{
    EXPECT_EQ(constantsOf("__constant__ unsigned char t[6];", "std::vector<unsigned char> h(6, 9); h['\\2'] = h[1] = 'A'; cudaMemcpyToSymbol(t, h.data(), 6);"), "[9, 65, 65, 9, 9, 9]");
    EXPECT_EQ(constantsOf("__constant__ int t[4];", "std::vector<int> h(4); h[2] = 5; cudaMemcpyToSymbol(t, h.data(), 16);"), "[0, 0, 5, 0]");
    const std::string table = constantsOf("__constant__ float t[121];", "std::vector<float> h(121); for (int i = 0; i < 121; ++i) h[i] = i + 1.f; cudaMemcpyToSymbol(t, h.data(), 484);");
    EXPECT_TRUE(table.starts_with("[1, 2, 3") && table.ends_with("120, 121]")) << table;
    const std::string longer = constantsOf("__constant__ float t[500];", "std::vector<float> h(500); for (int i = 0; i < 500; ++i) h[i] = i + 1.f; cudaMemcpyToSymbol(t, h.data(), 2000);");
    EXPECT_TRUE(longer.starts_with("[1, 2, 3") && longer.ends_with("499, 500]")) << longer;
    EXPECT_EQ(constantsOf("__constant__ float t[2000];", "std::vector<float> h(2000); for (int i = 0; i < 2000; ++i) h[i] = i + 1.f; cudaMemcpyToSymbol(t, h.data(), 8000);"), "") << "zeros, and told";
}

TEST(ProgramKernels, bracesMakeVectorsOfTheirMembers)
{
    const std::string box = "struct Box { float3 lo, hi; };\n__global__ void k(float* x, Box b, float3 f) { x[threadIdx.x] = b.hi.x + f.y; }\n";
    const auto spec = opened(box + "int main() { float* x; cudaMalloc(&x, 4096); Box box{{0.f, 0.f, -2.f}, {30.f, 30.5f, 3.f}}; k<<<8, 64>>>(x, box, float3{1.f, 2.f, 3.f}); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(spec->derived.find("\"i32\""), std::string::npos) << spec->derived;
    EXPECT_NE(spec->derived.find("value = 30.5"), std::string::npos) << spec->derived;
    EXPECT_NE(spec->derived.find("type = \"f32\", value = 2 }"), std::string::npos) << spec->derived;
}

TEST(ProgramKernels, aKernelsNameMayHaveSeveralTemplateArgumentsAndBeHeldByAVariable)
{
    const auto spec = opened("template <int D, int E> __global__ void k(float* x) { x[blockIdx.x * D + threadIdx.x] = 1; }\n"
                             "int main() { float* x; cudaMalloc(&x, 4096); auto kernel = k<128, 16>; kernel<<<8, 64>>>(x); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_NE(spec->derived.find("entry = \"k<128,16>\""), std::string::npos) << spec->derived;
}

TEST(ProgramKernels, whatIsDoubledUntilItIsLargeEnoughIsGuessed)
{
    const auto spec = opened("__global__ void k(int* x, int mask) { x[threadIdx.x & mask] = 1; }\n"
                             "int main() { int slots = 1; while (slots < 2 * count()) slots <<= 1; int* x; cudaMalloc(&x, slots * 4); k<<<8, 64>>>(x, slots - 1); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    ASSERT_EQ(spec->parameters.size(), 1u);
    EXPECT_EQ(spec->parameters[0].name, "slots");
    EXPECT_EQ(spec->parameters[0].defaultValue, "1048576");
    EXPECT_EQ(std::ranges::count(spec->guesses, Guess { Guess::Kind::Value, "slots", "1048576" }), 1);
    EXPECT_NE(spec->derived.find("count = \"slots\""), std::string::npos) << spec->derived;
}

TEST(ProgramKernels, flagsAreTrueOrFalseAndNumbersThatSizeNothingMayBeNegative)
{
    const auto spec = opened("__global__ void k(const unsigned char* mask, const int* valid, int* x, int zero) { x[threadIdx.x] = mask[threadIdx.x] ? valid[threadIdx.x] : zero; }\n"
                             "int main() { unsigned char* m; int *v, *x; const int n = 512; int zero = 5; cudaMalloc(&m, n); cudaMalloc(&v, n * 4); cudaMalloc(&x, n * 4);\n"
                             "  cudaMemcpy(m, read(), n, cudaMemcpyHostToDevice); cudaMemcpy(v, read(), n * 4, cudaMemcpyHostToDevice); k<<<1, n>>>(m, v, x, zero); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_EQ(std::ranges::count(spec->guesses, Guess { Guess::Kind::Integers, "m", "2" }), 1);
    EXPECT_EQ(std::ranges::count(spec->guesses, Guess { Guess::Kind::Integers, "v", "2" }), 1);
    const auto least = [&](const std::string& name) { return std::ranges::find(spec->parameters, name, &ParameterSpec::name)->minimum; };
    EXPECT_EQ(least("zero"), -65536);
    EXPECT_EQ(least("n"), 1);
}

TEST(ProgramKernels, aLoopOverAnArrayOfObjectsGivesThemTheirBuffers)
{
    const auto spec = opened("struct Channel { float *in, *out; };\n__global__ void k(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }\n"
                             "int main() { const int cells = 640; Channel all[3]; for (auto& c : all) { cudaMalloc(&c.in, cells * 4); cudaMalloc(&c.out, cells * 8); }\n"
                             "  for (int f = 0; f < 9; ++f) { Channel& c = all[f % 3]; k<<<1, 64>>>(c.in, c.out); } }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    EXPECT_NE(spec->derived.find("count = \"cells\""), std::string::npos) << spec->derived;
    EXPECT_NE(spec->derived.find("count = \"cells * 2\""), std::string::npos) << spec->derived;
    EXPECT_TRUE(spec->guesses.empty());
}

TEST(ProgramKernels, whatAnObjectThatLaunchesIsMadeOfFollowsItsSizes)
{
    const auto spec = opened("__global__ void k(float* x, int width, int pitch) { if (threadIdx.x < width) x[threadIdx.x + pitch * blockIdx.x] = 1; }\n"
                             "class Run { public: Run(int w, int h) : width_(w), pitch_((w + 31) / 32 * 32) { cudaMalloc(&x_, pitch_ * h * 4); rows_ = h; }\n"
                             "  void run() { k<<<rows_, 64>>>(x_, width_, pitch_); }\n private: int width_, pitch_, rows_; float* x_; };\n"
                             "int main() { Run it(500, 240); it.run(); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, { { "width_", "1000" }, { "h", "16" } });
    ASSERT_TRUE(plan) << plan.error().detail << spec->derived;
    EXPECT_EQ(plan->grid.x, 16u);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments.at(0)).count, 1024u * 16) << spec->derived;
}

TEST(ProgramKernels, aBufferThatIsGivenTwiceIsOne)
{
    const std::string kernel = "struct Pair { const float* in; float* out; };\n__global__ void k(const float* in, float* out, Pair pair) { out[threadIdx.x] = 2 * in[threadIdx.x]; }\n";
    const auto spec = opened(kernel + "int main() { float *x, *y; cudaMalloc(&x, 4096); cudaMalloc(&y, 64); Pair pair { y, x }; k<<<1, 64>>>(x, x, pair); }\n");
    ASSERT_TRUE(spec) << spec.error().detail;
    const auto plan = planLaunch(*spec, {});
    ASSERT_TRUE(plan) << plan.error().detail << spec->derived;
    EXPECT_EQ(bufferBytes(*plan), 4096u + 64);
    const auto prediction = predict(*plan, { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    EXPECT_EQ(prediction->launch.buffers.size(), 2u);
    std::array<std::uint64_t, 4> given {};
    std::memcpy(given.data(), prediction->launch.parameters.data(), sizeof given);
    EXPECT_EQ(given[0], given[1]);
    EXPECT_EQ(given[3], given[0]);
    EXPECT_NE(given[2], given[0]);
}

TEST(ProgramKernels, constantsAreWhatLoopsPutThere)
{
    const std::string type = "struct S { float w; int off; };\n";
    EXPECT_EQ(constantsOf(type + "__constant__ S t[3];", "std::array<S, 3> h {}; for (int i = 0; i < 3; ++i) { h[i].w = 1; h[i].off = 2 * i + 2; } cudaMemcpyToSymbol(t, h.data(), 24);"),
        "[[1, 2], [1, 4], [1, 6]]");
    EXPECT_EQ(constantsOf("__constant__ int2 t[2];", "int2 h[2]; for (int i = 0; i < 2; ++i) h[i].x = h[i].y = i + 1; cudaMemcpyToSymbol(t, h, 16);"), "[[1, 1], [2, 2]]");
    EXPECT_EQ(constantsOf("__constant__ int3 t[7];",
                  "std::vector<int3> h; for (int n = 0; n <= 1; ++n) for (int y = -1; y <= 1; ++y) for (int x = -1; x <= 1; ++x)"
                  " if (x * x + y * y == n) h.push_back(make_int3(x, y, 4)); cudaMemcpyToSymbol(t, h.data(), 60);"),
        "[[0, 0, 4], [0, -1, 4], [-1, 0, 4], [1, 0, 4], [0, 1, 4]]");
}

TEST(ProgramKernels, aLaunchThatIsMadeAgainLeavesInOtherBuffersWhatItLeftInItsOwn)
{
    const std::string program = "__global__ void clear(int* t) { t[blockIdx.x * 256 + threadIdx.x] = -1; }\n"
                                "__global__ void a(const int* t, int* o) { o[threadIdx.x] = t[t[threadIdx.x] + 1]; }\n"
                                "__global__ void b(const int* t, int* o) { o[threadIdx.x] = t[t[threadIdx.x] + 2]; }\n"
                                "void run(int way) { int *t, *o; cudaMalloc(&t, 4096); cudaMalloc(&o, 1024); clear<<<4, 256>>>(t);\n"
                                "switch (way) { case 0: a<<<1, 256>>>(t, o); break; case 1: b<<<1, 256>>>(t, o); } }\nint main() { run(0); run(1); }\n";
    for (const std::string entry : { "a", "b" }) {
        const auto spec = opened(program, entry);
        ASSERT_TRUE(spec) << spec.error().detail;
        EXPECT_NE(spec->summary.en.find("Left by earlier launches: t (clear)"), std::string::npos) << entry << ": " << spec->summary.en;
    }
}

TEST(ProgramKernels, aTypeIsReadThatIsDeclaredWithAVariableOfIt)
{
    EXPECT_EQ(constantsOf("struct P { struct { int s = 2; } in; struct Q { int n = 3; } out; };\n__constant__ P t;", "P h; cudaMemcpyToSymbol(t, &h, 8);"), "[[2], [3]]");
    EXPECT_EQ(constantsOf("static const struct { int s, n; } kCfg = { 2, 3 };\n__constant__ int t;", "int h = kCfg.s * kCfg.n; cudaMemcpyToSymbol(t, &h, 4);"), "[\"s * n\"]");
}

TEST(ProgramKernels, constantsThatAreCopiedInPartsAreFollowed)
{
    EXPECT_EQ(constantsOf("__constant__ int t[2];", "int h = 5; cudaMemcpyToSymbol(t, &h, 4, 4);"), "[0, 5]");
    EXPECT_EQ(constantsOf("__constant__ int t[3];", "int h[3] = { 1, 2, 3 }, *p; cudaMemcpyToSymbol(t, h, 12); cudaGetSymbolAddress((void**)&p, t); cudaMemset(p, 0, 8);"), "[0, 0, 3]");
    EXPECT_EQ(constantsOf("struct P { int n; int f[3]; };\n__constant__ P t;", "P h; h.n = 7; h.f[0] = h.f[1] = 1; h.f[2] = 5; cudaMemcpyToSymbol(t, &h, sizeof h); int g[2] = { 8, 9 }; cudaMemcpyToSymbol(t, g, 8, offsetof(P, f) + 4);"),
        "[7, 1, 8, 9]");
}

TEST(ProgramKernels, aProgramThatReadsBackThroughAVariableIsReadOn)
{
    const auto program = programKernels("__device__ int left;\n__global__ void step() { left = 0; }\n__global__ void last(float* out) { out[threadIdx.x] = 1; }\n"
                                        "int main() { float* out; cudaMalloc(&out, 4096); int n = 0; for (;;) { step<<<1, 32>>>(); cudaMemcpyFromSymbol(&n, left, 4); if (n == 0) break; last<<<n, 32>>>(out); } }\n",
        "loop.cu", {}, {});
    ASSERT_TRUE(program);
    ASSERT_EQ(program->kernels.size() + program->unread.size(), 2u) << "n may be another number than it began with";
}

TEST(ProgramKernels, constantsThatAreNotReadWholeAreNotGuessedAt)
{
    EXPECT_EQ(constantsOf("__constant__ int t[2];", "int h = time(0); cudaMemcpyToSymbol(t, &h, 4, 4);"), "");
    EXPECT_EQ(constantsOf("struct P { struct { int s; }; int n; };\n__constant__ P t;", "P h; h.s = 8; h.n = 4; cudaMemcpyToSymbol(t, &h, 8);"), "") << "a member without a name";
    EXPECT_EQ(constantsOf("namespace a { __constant__ int t; } namespace b { __constant__ int t; }", "int h = 5; cudaMemcpyToSymbol(a::t, &h, 4);"), "");
    EXPECT_EQ(constantsOf("__constant__ int t;", "int h = 5; void* p; cudaMemcpyToSymbol(t, &h, 4); cudaGetSymbolAddress(&p, t); fill(p);"), "") << "nobody knows what is written there";
}

TEST(ProgramKernels, anEnumerationIsOfTheTypeThatItIsDeclaredWith)
{
    const auto opened = kernelOfFile("enum class Act : unsigned char { None, Relu };\n__global__ void k(float* x, Act act) { if (act == Act::Relu) x[threadIdx.x] = 0; }\n"
                                     "int main() { float* x; cudaMalloc(&x, 128); k<<<1, 32>>>(x, Act::Relu); }\n",
        "/nowhere/act.cu", "k");
    ASSERT_TRUE(opened) << opened.error().detail;
    EXPECT_NE(opened->derived.find("scalar = \"act\"\ntype = \"u8\"\nvalue = 1\n"), std::string::npos) << opened->derived;
}

TEST(ProgramKernels, kernelsThatATableOfFunctionsLeadsToAreAllLaunched)
{
    const auto opened = programKernels("__global__ void a(int* p, int n) { p[0] = n; }\n__global__ void b(int* p, int n) { p[1] = n; }\n__global__ void c(int* p, int n) { p[2] = n; }\n"
                                       "typedef void (*fn)(int*, int); struct Version { const char* name; fn kernel; int threads; };\nstatic Version versions[] = { { \"a\", a, 32 }, { \"b\", b, 64 } };\n"
                                       "static void run(const Version* v, int* p, int n) { v->kernel<<<n / v->threads, v->threads>>>(p, n); }\n"
                                       "int main() { int* p; cudaMalloc(&p, 4096); for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); ++i) run(&versions[i], p, 1024); }\n",
        "/nowhere/table.cu", {}, {});
    ASSERT_TRUE(opened) << opened.error().detail;
    ASSERT_EQ(opened->kernels.size(), 3u);
    EXPECT_EQ(opened->kernels[1].entry, "b");
    EXPECT_NE(opened->kernels[1].derived.find("name = \"block_x\"\ndefault = 64\n"), std::string::npos) << opened->kernels[1].derived;
    EXPECT_EQ(opened->kernels[2].entry, "c");
    EXPECT_EQ(opened->kernels[2].guesses.front().kind, Guess::Kind::Launch) << "nothing launches it";
}

TEST(ProgramKernels, objectsOfConstantsOfWhichNothingIsKnownAreWrittenAsObjects)
{
    const auto opened = kernelOfFile("struct Sun { float3 way; float3 low, high; int n; };\n__constant__ Sun sun;\n__global__ void k(float* x) { x[0] = sun.way.x + sun.n; }\n"
                                     "int main() { Sun s {}; s.way = somewhere(); s.low = make_float3(1, 2, 3); s.n = 4; cudaMemcpyToSymbol(sun, &s, sizeof s); float* x; cudaMalloc(&x, 128); k<<<1, 32>>>(x); }\n",
        "/nowhere/sun.cu", "k");
    ASSERT_TRUE(opened) << opened.error().detail;
    EXPECT_NE(opened->derived.find("values = [[1], [1, 2, 3], "), std::string::npos) << opened->derived;
}

TEST(ProgramKernels, addressesOfWhichNobodyKnowsWhereTheyLeadAreToldToBeMissing)
{
    const auto opened = kernelOfFile("__global__ void k(float** x) { x[blockIdx.x][threadIdx.x] = 0; }\nvoid run(float** x) { k<<<1, 32>>>(x); }\n", "/nowhere/tables.cu", "k");
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().detail.find("does not tell where the addresses in 'x' lead"), std::string::npos) << opened.error().detail;
}

TEST(ProgramKernels, aProgramInCpp20IsCompiledAsOne)
{
    const std::string code = "template <class T> concept Real = std::same_as<T, float>;\ntemplate <Real T> __global__ void k(T* x) { x[threadIdx.x] = 1; }\nint main() { float* x; cudaMalloc(&x, 128); k<<<1, 32>>>(x); }\n";
    const auto opened = kernelOfFile("#include <concepts>\n" + code, "/nowhere/real.cu", {});
    ASSERT_TRUE(opened) << opened.error().detail;
    EXPECT_EQ(opened->compile.standard, "c++20");
    EXPECT_EQ(opened->entry, "k<float>");
    const auto older = kernelOfFile("__global__ void k(float* x) { x[threadIdx.x] = 1; }\nint main() { float* x; cudaMalloc(&x, 128); k<<<1, 32>>>(x); }\n", "/nowhere/older.cu", {});
    ASSERT_TRUE(older) << older.error().detail;
    EXPECT_EQ(older->compile.standard, "c++17");
}

TEST(ProgramKernels, sharedMemoryIsWhatTheHostComesToWhereTheGridIsTheDevices)
{
    const auto opened = kernelOfFile("#include <vector>\n__global__ void k(int* x) { extern __shared__ int s[]; s[threadIdx.x] = 1; x[blockIdx.x] = s[0]; }\n"
                                     "int main() { cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0); std::vector<int> names; unsigned seed = 1; for (int i = 0; i < 500; i++) { seed = seed * 1664525u + 1013904223u; if (seed >> 30 == 2) names.push_back(i); }\n"
                                     "const int n = (int)names.size(); int* x; cudaMalloc(&x, 4096); k<<<prop.multiProcessorCount, 64, n * 8>>>(x); }\n",
        "/nowhere/shared.cu", {});
    ASSERT_TRUE(opened) << opened.error().detail;
    int expected = 0;
    for (unsigned i = 0, seed = 1; i < 500; i++)
        expected += (seed = seed * 1664525u + 1013904223u) >> 30 == 2 ? 8 : 0;
    const auto plan = planLaunch(*opened, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(int(plan->dynamicSharedBytes), expected);
}

TEST(ProgramKernels, whatFollowsFromAStructureThatNobodyKnowsIsNotWorkedOut)
{
    const std::string code = "#include <cstdio>\n#include <vector>\nstruct Code { unsigned short bits; unsigned char length, pad; };\n__constant__ Code book[8];\n"
                             "__global__ void count(int n, unsigned* b) { int i = threadIdx.x; if (i < n) b[i] = book[i % 8].length; }\n"
                             "__global__ void use(const unsigned* s, int n, unsigned* o) { int i = threadIdx.x; if (i < n) o[s[i]] = 1; }\n"
                             "int main() { const int n = 100; Code codes[8] = {}; FILE* f = fopen(\"codes\", \"r\"); LENGTHS cudaMemcpyToSymbol(book, codes, sizeof codes);\n"
                             "unsigned *w, *s, *o; cudaMalloc(&w, 4 * n); cudaMalloc(&s, 4 * n); cudaMalloc(&o, 4096); count<<<1, 128>>>(n, w); std::vector<unsigned> words(n), start(n, 0);\n"
                             "cudaMemcpy(words.data(), w, n * 4, cudaMemcpyDeviceToHost); for (int i = 1; i < n; i++) start[i] = start[i - 1] + words[i];\n"
                             "cudaMemcpy(s, start.data(), 4 * n, cudaMemcpyHostToDevice); use<<<1, 128>>>(s, n, o); }\n";
    const auto summaryWith = [&](const std::string& lengths) {
        std::string program = code;
        const auto opened = kernelOfFile(program.replace(program.find("LENGTHS"), 7, lengths), "/nowhere/codes.cu", "use");
        return opened ? opened->summary.en : opened.error().detail;
    };
    EXPECT_NE(summaryWith("for (Code& c : codes) c.length = 2;").find("Worked out from the host's code: s"), std::string::npos) << summaryWith("for (Code& c : codes) c.length = 2;");
    EXPECT_EQ(summaryWith("fread(codes, sizeof(Code), 8, f);").find("Worked out"), std::string::npos) << summaryWith("fread(codes, sizeof(Code), 8, f);");
}

TEST(ProgramKernels, vectorsAreAssignedWhatBracesHold)
{
    const auto opened = kernelOfFile("__global__ void k(double3 beta, double* x) { x[threadIdx.x] = beta.y; }\nint main() { double* x; cudaMalloc(&x, 256); double3 beta { 1, 2, 3 }; beta = { 4, x[0] / 2, 6 }; k<<<1, 32>>>(beta, x); }\n", "/nowhere/beta.cu", {});
    ASSERT_TRUE(opened) << opened.error().detail;
    const auto plan = planLaunch(*opened, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(bytesOf(plan->arguments[0]), 24u);
}

TEST(ProgramKernels, objectsOfIntegersAreIntegers)
{
    const auto opened = kernelOfFile("struct Slot { unsigned key, pos; };\n__global__ void k(Slot* table) { table[threadIdx.x].pos += table[threadIdx.x].key; }\nint main() { Slot* t; cudaMalloc(&t, 32 * sizeof(Slot)); cudaMemset(t, 0xff, 32 * sizeof(Slot)); k<<<1, 32>>>(t); }\n", "/nowhere/slots.cu", {});
    ASSERT_TRUE(opened) << opened.error().detail;
    EXPECT_NE(opened->derived.find("buffer = \"t\"\ntype = \"u32\"\ncount = 64\n"), std::string::npos) << opened->derived;
}

TEST(ProgramKernels, anObjectThatStandsForAPointerIsNoNumbers)
{
    const auto opened = kernelOfFile("template <class T> struct Column { T* d = nullptr; size_t n_ = 0; explicit Column(size_t n) : n_(n) { cudaMalloc(&d, n * sizeof(T)); } operator T*() const { return d; } };\n"
                                     "__global__ void k(const int* in, int* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x]; }\n"
                                     "int main() { Column<int> a(100), b(100); int n = 0; cudaMemcpy(&n, a, 4, cudaMemcpyDeviceToHost); k<<<1, 32>>>(a, b, 7); }\n",
        "/nowhere/columns.cu", {});
    ASSERT_TRUE(opened) << opened.error().detail;
    EXPECT_TRUE(std::ranges::none_of(opened->guesses, [](const Guess& guess) { return guess.what.starts_with("n_"); }));
    EXPECT_EQ(opened->derived.find("name = \"n_"), std::string::npos) << opened->derived;
}

TEST(ProgramKernels, parametersThatALaunchLeavesToTheirDefaultsAreThese)
{
    const auto opened = kernelOfFile("struct Plus { __device__ int operator()(int a, int b) const { return a + b; } };\n"
                                     "template <class Op> __global__ void k(int* x, int n, float scale = 2.5f, int shift = -3, const int* extra = nullptr, Op op = Op()) { x[threadIdx.x] = op(n, shift) * scale + (extra ? extra[0] : 0); }\n"
                                     "int main() { int* x; cudaMalloc(&x, 128); k<Plus><<<1, 32>>>(x, 7); }\n",
        "/nowhere/defaults.cu", {});
    ASSERT_TRUE(opened) << opened.error().detail;
    const auto plan = planLaunch(*opened, {});
    ASSERT_TRUE(plan) << plan.error().detail;
    ASSERT_EQ(plan->arguments.size(), 6u);
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[2]).bits, std::bit_cast<std::uint32_t>(2.5f));
    EXPECT_EQ(std::int32_t(std::get<ScalarPlan>(plan->arguments[3]).bits), -3);
    EXPECT_EQ(std::get<ScalarPlan>(plan->arguments[4]).bits, 0u);
    EXPECT_EQ(bytesOf(plan->arguments[5]), 1u);
}
