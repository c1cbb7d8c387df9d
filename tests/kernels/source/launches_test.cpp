// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/launches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace coalescope::kernels;

namespace {

const std::string kKernels = "__global__ void copy(const float* in, float* out, int n) { }\n"
                             "template <class T, int TILE> __global__ void tile(const T* in, T* out, int n) { }\n";

std::string shapeOf(const std::array<Symbolic, 3>& sizes)
{
    std::string text;
    for (const Symbolic& size : sizes)
        text += (text.empty() ? "" : ",") + size.text();
    while (text.ends_with(",1"))
        text.resize(text.size() - 2);
    return text;
}

/// "entry<<<grid|block|shared>>>(arguments)", one a line.
std::string listed(const std::string& source, const std::string& header = {})
{
    const std::string whole = kKernels + source;
    std::vector<ProgramFile> files { { .text = whole, .names = {} } };
    if (!header.empty())
        files.push_back({ .text = header, .names = { "header.h" } });
    const ProgramLaunches found = launchesOf(files);
    std::string text;
    for (const ProgramLaunch& launch : found.launches) {
        text += launch.entry + "<<<" + (launch.isShapeKnown ? shapeOf(launch.grid) + "|" + shapeOf(launch.block) : "?");
        text += "|" + (launch.sharedBytes ? launch.sharedBytes->text() : "?") + ">>>(";
        std::string arguments;
        for (const LaunchArgument& argument : launch.arguments) {
            arguments += arguments.empty() ? "" : ", ";
            if (argument.kind == LaunchArgument::Kind::Buffer) {
                const ProgramBuffer& buffer = found.buffers[std::size_t(argument.buffer)];
                arguments += buffer.type + " " + buffer.name + "[" + (buffer.bytes ? buffer.bytes->text() : "?") + "]" + (argument.isOffset ? "+" : "")
                    + (buffer.fill == BufferFill::Copied ? " copied" : buffer.fill == BufferFill::Zero ? " zero" : "");
            } else {
                arguments += argument.kind == LaunchArgument::Kind::Number ? argument.number.text()
                    : argument.kind == LaunchArgument::Kind::Null          ? "null"
                    : argument.kind == LaunchArgument::Kind::Structure     ? "{" + std::to_string(argument.members.size()) + "}"
                                                                           : "?";
            }
        }
        text += arguments + ")\n";
    }
    return text;
}

} // namespace

TEST(Launches, functionsOfRealNumbersAreKnownByTheirNamesForFloatsToo)
{
    const std::string main = "__global__ void k(float a, float b, float c, float d) {}\nint main() { const float x = 64.0f;\n"
                             "  k<<<1, 32>>>(cbrtf(x / 8), std::exp2(0.5 * 4), log10f(100.0f), fabsf(-x)); }\n";
    const std::string found = listed(main);
    EXPECT_NE(found.find("(2, 4, 2, 64)"), std::string::npos) << found;
}

TEST(Launches, aPlainMainIsRead)
{
    EXPECT_EQ(listed("#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) exit(1); } while (0)\n"
                     "int main(int argc, char** argv) {\n  int n = 1 << 20;\n  if (argc > 1) n = atoi(argv[1]);\n"
                     "  size_t bytes = n * sizeof(float);\n  float *h = (float*)malloc(bytes), *d_in, *d_out;\n"
                     "  CHECK(cudaMalloc((void**)&d_in, bytes)); CHECK(cudaMalloc(&d_out, bytes));\n"
                     "  CHECK(cudaMemcpy(d_in, h, bytes, cudaMemcpyHostToDevice)); cudaMemset(d_out, 0, bytes);\n"
                     "  int threads = 256;\n  copy<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);\n}\n"),
        "copy<<<cdiv(n, threads)|threads|0>>>(float d_in[n * 4] copied, float d_out[n * 4] zero, n)\n");
}

TEST(Launches, aMacroThatIsNotThereEndsWithItsLine)
{
    for (const char* macro : { "START_TIMER(generate)\n", "TIC\n", "NVTX_PUSH(\"x\")\n", "TIC\nSTART(a, b)\n" })
        EXPECT_EQ(listed(std::string("#include \"timer.h\"\nint main() { int n = 5000;\n") + macro + "copy<<<(n + 127) / 128, 128>>>(0, 0, n);\nSTOP(generate)\nTOC\ncopy<<<1, 32>>>(0, 0, n); }\n"), "copy<<<cdiv(n, 128)|128|0>>>(0, 0, n)\ncopy<<<1|32|0>>>(0, 0, n)\n") << macro;
}

TEST(Launches, whatTheHostChoosesByASizeFollowsIt)
{
    const std::string begin = "int main() { int n = 5000; const int threads = 128; int blocks = (n + threads - 1) / threads;\n";
    const std::string one = "copy<<<blocks, threads>>>(0, 0, n); }\n";
    EXPECT_EQ(listed(begin + "if (blocks > 32) blocks = 32;\n" + one), "copy<<<min(32, cdiv(n, threads))|threads|0>>>(0, 0, n)\n");
    EXPECT_EQ(listed(begin + "if (n % 2 == 0) { blocks = n / 2; } else { blocks = n; }\n" + one), "copy<<<n % 2 == 0 and n // 2 or n|threads|0>>>(0, 0, n)\n");
    EXPECT_EQ(listed(begin + "blocks = blocks < 65535 ? blocks : 65535;\n" + one), "copy<<<min(cdiv(n, threads), 65535)|threads|0>>>(0, 0, n)\n");
    EXPECT_EQ(listed(begin + "if (blocks > 9) { blocks = 9; n = 7; }\n" + one), "copy<<<blocks|threads|0>>>(0, 0, n_2)\n") << "what is more than a number is as it is by itself";
    EXPECT_EQ(listed("int main() { int n = 5000; int threads = n > 1024 ? 256 : 32; copy<<<(n + threads - 1) / threads, threads>>>(0, 0, n); }\n"), "copy<<<cdiv(n, threads)|threads|0>>>(0, 0, n)\n")
        << "one of two numbers has a name, and can be tried";
}

TEST(Launches, aRecursionThatNoLaunchComesFromHidesNone)
{
    EXPECT_EQ(listed("struct Node { int l, r; };\nint build(std::vector<Node>& nodes, int* keys, int a, int b) { int best = 0; for (int i = a; i < b; ++i) { best += keys[i] * 3 + i % 7; keys[i] = best; }\n"
                     "  for (int i = b; i > a; --i) { best -= keys[i] / 2 - i; } if (b - a < 2) return best; int m = (a + b) / 2; int l = build(nodes, keys, a, m); int r = build(nodes, keys, m, b); nodes[best].l = l; nodes[best].r = r; return best; }\n"
                     "int main() { const int n = 20000; std::vector<Node> nodes; int keys[64]; build(nodes, keys, 0, n); copy<<<(n + 127) / 128, 128>>>(0, 0, n); }\n"),
        "copy<<<cdiv(n, 128)|128|0>>>(0, 0, n)\n");
}

TEST(Launches, aStructureIsAsLargeAsItsArraysAndItsPadding)
{
    const std::string begin = "struct Inner { char c; float2 v; };\nstruct Cell { float f[9]; int type; };\nstruct Wide { short s; float4 q; Inner in[2][3]; char end; };\nconst int K = 5;\nstruct Deep { Cell cells[K]; double d; };\n";
    for (const auto& [type, bytes] : std::map<std::string, int> { { "Inner", 16 }, { "Cell", 40 }, { "Wide", 144 }, { "Deep", 208 } })
        EXPECT_EQ(listed(begin + "int main() { int n = 100; float* p; cudaMalloc(&p, n * sizeof(" + type + ")); copy<<<n, 32>>>(p, p, n); }\n"),
            "copy<<<n|32|0>>>(float p[n * " + std::to_string(bytes) + "], float p[n * " + std::to_string(bytes) + "], n)\n") << type;
}

TEST(Launches, classesKnowTheirStaticShapesDefaultsAndLists)
{
    EXPECT_EQ(listed("class Solver { static inline const dim3 kBlock{32, 8}; static dim3 blocks(int n) { return dim3((n + kBlock.x - 1) / kBlock.x, (n + kBlock.y - 1) / kBlock.y); }\n"
                     "public: void run(float* u, int n) { copy<<<blocks(n), kBlock>>>(u, u, n); } };\nint main() { float* u; cudaMalloc(&u, 4096); Solver s; s.run(u, 1025); }\n"),
        "copy<<<33,129|32,8|0>>>(float u[4096], float u[4096], 1025)\n");
    EXPECT_EQ(listed("template <typename V, typename I = int, int K = 3> struct Csr { I rows; std::vector<I> offsets; static constexpr int width = K * 2; };\n"
                     "template <class T> T* upload(const std::vector<T>& v) { T* p; cudaMalloc(&p, v.size() * sizeof(T)); return p; }\n"
                     "int main() { Csr<double> m; m.offsets.resize(50); copy<<<Csr<double>::width, 32>>>(upload(m.offsets), nullptr, 7); }\n"),
        "copy<<<6|32|0>>>(int p[200], null, 7)\n");
    EXPECT_EQ(listed("int main() { int rows = 1000; std::vector<double> values; for (int i = 0; i < rows * 16; i++) values.push_back(i); int nnz = values.size();\n"
                     "if (nnz < 100) copy<<<1, 128>>>(0, 0, rows); else copy<<<nnz / 128, 128>>>(0, 0, rows); }\n"),
        "copy<<<rows * 16 // 128|128|0>>>(0, 0, rows)\n");
    EXPECT_EQ(listed("int main() { const double turns = 2 * M_PI; copy<<<int(turns * 1000) + INT_MAX % 10, 32>>>(0, 0, 5); }\n"), "copy<<<6290|32|0>>>(0, 0, 5)\n");
}

TEST(Launches, dim3AndItsMembersAreFollowed)
{
    EXPECT_EQ(listed("int main() { const int w = 640, h = 480; dim3 block(32, 8); dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);\n"
                     "block.z = 2; float* p; cudaMallocManaged(&p, sizeof(float) * w * h); copy<<<grid, block, 2 * block.x * sizeof(float)>>>(p, nullptr, w); }\n"),
        "copy<<<cdiv(w, block_x),cdiv(h, block_y)|block_x,block_y,block_z|block_x * 8>>>(float p[w * h * 4], null, w)\n");
    EXPECT_EQ(listed("int main() { copy<<<dim3(4, 2), dim3{16, 16}>>>(0, 0, 3); copy<<<{1, 1}, 32>>>(0, 0, 3); }\n"), "copy<<<4,2|16,16|0>>>(0, 0, 3)\ncopy<<<1|32|0>>>(0, 0, 3)\n");
}

TEST(Launches, theSameKernelInAnotherShapeIsAnotherLaunch)
{
    const std::string begin = "int main() { float *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 256);\n";
    EXPECT_EQ(listed(begin + "copy<<<4, 256>>>(a, b, 1024); copy<<<1, 256>>>(b, a, 64); }\n"),
        "copy<<<4|256|0>>>(float a[4096], float b[256], 1024)\ncopy<<<1|256|0>>>(float b[256], float a[4096], 64)\n");
    EXPECT_EQ(listed(begin + "copy<<<4, 256>>>(a, b, 1024); copy<<<4, 256>>>(b, a, 1024); }\n"), "copy<<<4|256|0>>>(float a[4096], float b[256], 1024)\n") << "a warm-up is not";
    EXPECT_EQ(listed(begin + "for (int g = 4; g > 0; g /= 2) copy<<<g, 256>>>(a, b, 1024); }\n"), "copy<<<g|256|0>>>(float a[4096], float b[256], 1024)\n") << "the turns of a loop are not";
}

TEST(Launches, sidesOfAPictureOfALibraryAreParametersOfTheirOwn)
{
    const std::string main = "int main() { cv::Mat image = cv::imread(\"a.png\"); unsigned char* a; cudaMalloc(&a, image.rows * image.cols);\n"
                             "dim3 t(32, 4); dim3 g((image.cols + t.x - 1) / t.x, (image.rows + t.y - 1) / t.y); copy<<<g, t>>>(a, a, image.cols); }\n";
    EXPECT_EQ(listed(main), "copy<<<cdiv(image_cols, t_x),cdiv(image_rows, t_y)|t_x,t_y|0>>>(unsigned char a[image_rows * image_cols], unsigned char a[image_rows * image_cols], image_cols)\n");
}

TEST(Launches, whatALibraryIsGivenByTheHostIsCopied)
{
    EXPECT_EQ(listed("void go(float* h, int n) { float* d; cudaMalloc(&d, n * 4); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice); copy<<<n / 32, 32>>>(d, d, n); }\n"),
        "copy<<<n // 32|32|0>>>(float d[n * 4] copied, float d[n * 4] copied, n)\n");
}

TEST(Launches, aGuessWithWhichThereIsNoBlockIsMadeAnother)
{
    const std::string begin = "int main(int argc, char** argv) { int cols = atoi(argv[1]), height = atoi(argv[2]); float* p; cudaMalloc(&p, cols * 4);\n";
    const ProgramLaunches halo = launchesOf({ { .text = std::string(kKernels) + begin + "int blocks = cols / (256 - height * 2); copy<<<blocks, 256>>>(p, p, cols); }\n" } });
    ASSERT_EQ(halo.launches.size(), 1u);
    EXPECT_GE(halo.launches[0].grid[0].asInteger(), 1);
    ASSERT_EQ(halo.guesses.size(), 1u);
    EXPECT_EQ(halo.guesses[0].name, "height");
    const ProgramLaunches plain = launchesOf({ { .text = std::string(kKernels) + begin + "copy<<<cols, 256>>>(p, p, cols); }\n" } });
    EXPECT_TRUE(plain.guesses.empty()) << "where there are blocks, guesses stay";
}

TEST(Launches, macrosFunctionsAndTemplatesAreGoneThrough)
{
    EXPECT_EQ(listed("#define N 4096\n#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))\n"
                     "template <typename T> T* onDevice(const std::vector<T>& h) { T* p; cudaMalloc(&p, h.size() * sizeof(T));\n"
                     "  cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice); return p; }\n"
                     "template <typename T, int TILE> void run(const T* in, T* out, int n) { tile<T, TILE><<<CEIL_DIV(n, TILE), TILE>>>(in, out, n); }\n"
                     "int main() { std::vector<double> h(N); double* a = onDevice(h); auto* b = onDevice<double>(h); run<double, 32>(a, b, N); }\n"),
        "tile<double,{TILE}><<<cdiv(N, TILE)|TILE|0>>>(double a[N * 8] copied, double b[N * 8] copied, N)\n");
}

TEST(Launches, truthsAndEnumeratorsAreHandedOnAsTheyAreWritten)
{
    EXPECT_EQ(listed("enum class Mode { Fast, Exact };\ntemplate <bool ADD, Mode M> __global__ void modes(int n) { }\n"
                     "template <bool ADD, Mode M> void run(int n) { if (ADD) n *= 2; modes<ADD, M><<<n, 32>>>(n); }\n"
                     "int main() { run<true, Mode::Exact>(5); run<false, Mode::Fast>(5); }\n"),
        "modes<true,Mode::Exact><<<n * 2|32|0>>>(n * 2)\nmodes<false,Mode::Fast><<<n|32|0>>>(n)\n");
}

TEST(Launches, lambdasAndTheFunctionsTheyAreHandedTo)
{
    EXPECT_EQ(listed("template <class F> float timed(F&& f, int repeats = 10) { for (int i = 0; i < repeats; ++i) f(); return 0; }\n"
                     "int main() { int n = 100; float *a, *b; cudaMalloc(&a, 4 * n); cudaMalloc(&b, 4 * n);\n"
                     "  auto launch = [&](int block) { copy<<<n / block, block>>>(a, b, n); };\n  timed([&] { launch(25); }); }\n"),
        "copy<<<n // 25|25|0>>>(float a[n * 4], float b[n * 4], n)\n");
    EXPECT_EQ(listed("int main() { std::for_each(v.begin(), v.end(), [](int i) { copy<<<1, 2>>>(0, 0, 7); }); }\n"), "copy<<<1|2|0>>>(0, 0, 7)\n");
}

TEST(Launches, functionsInMapsAreCalledByTheirKeys)
{
    const std::string main = "using Run = std::function<void(int)>;\nint main(int argc, char** argv) { int n = 64; float* d; cudaMalloc(&d, n * 4);\n"
                             "  auto two = [&](int b) { tile<float, 2><<<n / b, b>>>(d, d, n); };\n  ";
    const std::string map = "std::map<std::string, Run> runs; runs[\"b\"] = two; runs[\"a\"] = [&](int b) { copy<<<n / b, b>>>(d, d, n); };\n  ";
    const std::string copied = "copy<<<n // 32|32|0>>>(float d[n * 4], float d[n * 4], n)\n", tiled = "tile<float,2><<<n // 32|32|0>>>(float d[n * 4], float d[n * 4], n)\n";
    EXPECT_EQ(listed(main + map + "for (auto& [name, run] : runs) run(32); }\n"), copied + tiled) << "in the order of the keys";
    EXPECT_EQ(listed(main + map + "runs.at(\"a\")(32); }\n"), copied);
    EXPECT_EQ(listed(main + map + "if (runs.count(argv[1])) runs[argv[1]](32); }\n"), copied + tiled) << "any of them";
    EXPECT_EQ(listed(main + map + "auto it = runs.find(argv[1]); if (it == runs.end()) return 1; it->second(32); }\n"), copied + tiled);
    EXPECT_EQ(listed(main + "const std::unordered_map<int, Run> runs { { 7, two }, { 8, [&](int b) { copy<<<n / b, b>>>(d, d, n); } } }; for (const auto& run : runs) run.second(32); }\n"), tiled + copied);
    EXPECT_EQ(listed(main + "std::map<int, Run> runs = { { 7, two } }; runs[7](32); }\n"), tiled);
    EXPECT_EQ(listed(main + "std::map<std::string, Run> runs; auto add = [&](const std::string& name, Run run) { runs[name] = std::move(run); }; add(\"a\", two); runs.at(\"a\")(32); }\n"), tiled);
    EXPECT_EQ(listed("struct Job { virtual void run(float* d, int n) = 0; }; struct Copy : Job { void run(float* d, int n) override { copy<<<n / 32, 32>>>(d, d, n); } };\n" + main
                  + "std::map<std::string, std::unique_ptr<Job>> jobs; jobs[\"a\"] = std::make_unique<Copy>(); jobs.at(argv[1])->run(d, n); }\n"),
        copied);
    EXPECT_EQ(listed(main + "std::vector<std::pair<std::string, Run>> runs { { \"b\", two } }; for (const auto& run : runs) run.second(32); }\n"), tiled);
}

TEST(Launches, ownersOfBuffersAndSolversAreObjects)
{
    EXPECT_EQ(listed("template <class T> class Buffer { public: explicit Buffer(size_t n) : size_(n) { cudaMalloc(&ptr_, n * sizeof(T)); }\n"
                     "  explicit Buffer(const std::vector<T>& h) : Buffer(h.size()) { cudaMemcpy(ptr_, h.data(), size_ * sizeof(T), cudaMemcpyHostToDevice); }\n"
                     "  T* get() { return ptr_; } size_t size() const { return size_; } private: T* ptr_ = nullptr; size_t size_ = 0; };\n"
                     "class Solver { int n_; Buffer<float> in_, out_; static constexpr int kBlock = 128; public: Solver(int n) : n_(n), in_(std::vector<float>(n)), out_(n) { }\n"
                     "  int blocks() const { return (n_ + kBlock - 1) / kBlock; }\n"
                     "  void step() { copy<<<blocks(), kBlock>>>(in_.get(), out_.get(), out_.size()); } };\n"
                     "int main() { const int cells = 5000; Solver solver(cells); solver.step(); }\n"),
        "copy<<<cdiv(cells, kBlock)|kBlock|0>>>(float solver_in[cells * 4] copied, float solver_out[cells * 4], cells)\n");
}

TEST(Launches, whatLoopsPutIntoAVectorIsCounted)
{
    EXPECT_EQ(listed("struct Cloud { std::vector<float> x; Cloud(int nx, int ny) {\n"
                     "  for (int j = 0; j < ny; ++j) for (int i = 0; i < nx; i += 2) { const float at = i + 0.5f * j; x.push_back(at * 2.0f + 1.0f); } }\n"
                     "  int size() const { return x.size(); } };\n"
                     "int main() { const int w = 640, h = 480; Cloud cloud(w, h); float* p; cudaMalloc(&p, cloud.size() * sizeof(float)); copy<<<1, 32>>>(p, p, cloud.size()); }\n"),
        "copy<<<1|32|0>>>(float p[h * cdiv(w, 2) * 4], float p[h * cdiv(w, 2) * 4], h * cdiv(w, 2))\n");
}

TEST(Launches, aLoopThatCountsDownIsGoneThroughTurnByTurn)
{
    EXPECT_EQ(listed("int main() { const int rows = 512, cols = 2048; int size[2] = { rows, cols }, stride[2], step = 1;\n"
                     "for (int i = 1; i >= 0; --i) { stride[i] = step; step = step * size[i]; }\n"
                     "float* p; cudaMalloc(&p, step * sizeof(float)); copy<<<stride[0], 32>>>(p, p, stride[1]); }"),
        "copy<<<step * cols|32|0>>>(float p[step * cols * rows * 4], float p[step * cols * rows * 4], step)\n");
}

TEST(Launches, aLoopOverAnArraysItemsGivesThemTheirMemory)
{
    EXPECT_EQ(listed("constexpr int Q = 2;\nstruct Parts { float* f[Q]; };\nstruct Lattice { Parts p{}; explicit Lattice(int n) { for (auto& q : p.f) cudaMalloc((void**)&q, n * 4); } };\n"
                     "int main() { const int n = 100; Lattice a(n); copy<<<1, 32>>>(a.p.f[0], a.p.f[1], n); }\n"),
        "copy<<<1|32|0>>>(float f[n * 4], float f[n * 4], n)\n");
}

TEST(Launches, ofWhatIsLaunchedInABranchForAnotherValueThatValueIsAskedFor)
{
    const std::string source = kKernels
        + "int main() { const int n = 64; float* p; cudaMalloc(&p, n * 4);\nif (n == 32) tile<float, 32><<<n, 32>>>(p, p, n); else if (n == 64) tile<float, 64><<<n, 64>>>(p, p, n);\n"
          "switch (n) { case 64: copy<<<n, 1>>>(p, p, n); break; case 128: tile<float, 128><<<n, 128>>>(p, p, n); break; default: tile<float, 16><<<n, 16>>>(p, p, n); } }";
    const ProgramLaunches found = launchesOf({ { .text = source, .names = {} } });
    std::map<std::string, std::map<std::string, std::int64_t>> asked;
    for (const ProgramLaunch& launch : found.launches)
        asked[launch.entry] = launch.asked;
    using Values = std::map<std::string, std::int64_t>;
    EXPECT_EQ(asked, (std::map<std::string, Values> { { "tile<float,32>", { { "n", 32 } } }, { "tile<float,64>", {} }, { "copy", {} }, { "tile<float,128>", { { "n", 128 } } }, { "tile<float,16>", { { "n", 129 } } } }));
}

TEST(Launches, aLoopOfManyTurnsIsReadAsInItsMiddle)
{
    EXPECT_EQ(listed("int main() { const int g = 100; std::vector<int> col; auto add = [&](int c) { col.push_back(c); };\n"
                     "  for (int r = 0; r < g * g; r++) { const int i = r / g, j = r % g; if (i > 0) add(r - g); if (j > 0) add(r - 1); add(r);\n"
                     "    if (j + 1 < g) add(r + 1); if (i + 1 < g) add(r + g); if (r % 1000 == 0) for (int k = 0; k < 64; k++) add(k); }\n"
                     "  copy<<<1, 32>>>(0, 0, col.size()); }\n"),
        "copy<<<1|32|0>>>(0, 0, g * g * 5)\n");
}

TEST(Launches, whatIsLaunchedInSomeTurnsIsFound)
{
    EXPECT_EQ(listed("int main() { float* p; cudaMalloc(&p, 4096); for (int t = 0; t < 400; ++t) { copy<<<8, 32>>>(p, p, t);\n"
                     "  if ((t + 1) % 100 == 0) { tile<float, 4><<<2, 64>>>(p, p, 1024); } } }\n"),
        "copy<<<8|32|0>>>(float p[4096], float p[4096], t)\ntile<float,4><<<2|64|0>>>(float p[4096], float p[4096], 1024)\n");
}

TEST(Launches, whatMembersAndLambdasLaunchInSomeTurnsIsFound)
{
    const std::string turns = "for (int n = 0; n < 200; ++n) { s.step(n); if (n % 50 == 49) s.probe(); } }\n";
    const std::string expected = "copy<<<1|32|0>>>(float s[4096], float s[4096], n)\ntile<float,4><<<2|64|0>>>(float s[4096], float s[4096], 1024)\n";
    EXPECT_EQ(listed("struct S { float* p; S() { cudaMalloc(&p, 4096); } void step(int n) { copy<<<1, 32>>>(p, p, n); } void probe() { all(); }\n"
                     "  void all() { tile<float, 4><<<2, 64>>>(p, p, 1024); } };\nint main() { S s; "
            + turns),
        expected);
    EXPECT_EQ(listed("int main() { float* s; cudaMalloc(&s, 4096); auto step = [&](int n) { copy<<<1, 32>>>(s, s, n); };\n"
                     "  auto probe = [&] { tile<float, 4><<<2, 64>>>(s, s, 1024); };\n"
                     "  for (int n = 0; n < 200; ++n) { step(n); if (n % 50 == 49) probe(); } }\n"),
        expected);
}

TEST(Launches, aFewTurnsAreReadEach)
{
    EXPECT_EQ(listed("int main() { int total = 0; for (int n : { 100, 20, 3 }) { total += (n + 63) / 64 * 64; printf(\"%d of them\\n\", n); }\n"
                     "  int blocks[4]; for (int i = 0; i < 3; ++i) { blocks[i] = 1 << i; printf(\"%d: %d blocks\\n\", i, blocks[i]); }\n"
                     "  copy<<<blocks[2], 32>>>(0, 0, 7); }\n"),
        "copy<<<4|32|0>>>(0, 0, 7)\n");
}

TEST(Launches, aLoopMayChangeSeveralVariables)
{
    const std::string buffers = "int main() { int n = 4096; float* k[2]; for (int j = 0; j < 2; j++) cudaMalloc(&k[j], (j + 1) * n); ";
    const std::string expected = "copy<<<1|32|0>>>(float k[n], float k[n * 2], ";
    for (const char* head : { "int pass = 0, src = 0; pass < 4; ++pass, src ^= 1", "int src = 0, pass = 0; pass < 4; src ^= 1, pass++", "int pass = 0, src = 0; pass < 32; src ^= 1, pass += 8" })
        EXPECT_EQ(listed(buffers + "for (" + head + ") copy<<<1, 32>>>(k[src], k[1 - src], pass); }\n"), expected + "pass)\n") << head;
    EXPECT_EQ(listed(buffers + "int src = 0; for (int shift = 0; shift < 32; shift += 8, src ^= 1) copy<<<1, 32>>>(k[src], k[1 - src], 7); }\n"), expected + "7)\n");
}

TEST(Launches, arraysInStructuresHoldWhatIsStoredInThem)
{
    EXPECT_EQ(listed("struct Args { float* p[3]; int n[3]; int count; };\n"
                     "class Step { Args args_ { }; public: explicit Step(const std::vector<int>& sizes) { args_.count = sizes.size();\n"
                     "  for (int i = 0; i < args_.count; ++i) { args_.n[i] = sizes[i]; cudaMalloc(&args_.p[i], sizes[i] * sizeof(float)); } }\n"
                     "  void run() { copy<<<args_.n[1], 32>>>(args_.p[1], nullptr, args_.count); } };\n"
                     "int main() { Step step({ 100, 200 }); step.run(); }\n"),
        "copy<<<200|32|0>>>(float p[800], null, count)\n");
    EXPECT_EQ(listed("class Shape { int dims_[2]; public: Shape(int a, int b) : dims_ { a, b } { } int dim(int i) const { return dims_[i]; } };\n"
                     "int main() { Shape s(6, 8); copy<<<s.dim(0), s.dim(1)>>>(0, 0, 1); }\n"),
        "copy<<<6|8|0>>>(0, 0, 1)\n");
}

TEST(Launches, aPitchIsTheRowRoundedUp)
{
    EXPECT_EQ(listed("int main() { int w = 1000, h = 600; float* p; size_t pitch; cudaMallocPitch(&p, &pitch, w * sizeof(float), h);\n"
                     "copy<<<h, 256>>>(p, nullptr, pitch / sizeof(float)); }\n"),
        "copy<<<h|256|0>>>(float p[cdiv(w * 4, 512) * h * 512], null, cdiv(w * 4, 512) * 128)\n");
}

TEST(Launches, aPitchOfWhichTheWidthIsNotKnownIsGuessed)
{
    const auto made = [](const std::string& width, const std::string& height) {
        return listed("void f(const cv::Mat& img) { uchar4* p; size_t pitch; cudaMallocPitch(&p, &pitch, " + width + ", " + height + "); copy<<<8, 256>>>(p, p, pitch); }\n");
    };
    EXPECT_EQ(made("img.cols * img.elemSize()", "img.rows"), "copy<<<8|256|0>>>(uchar4 p[cdiv(img_cols * img_elemSize, 512) * img_rows * 512], uchar4 p[cdiv(img_cols * img_elemSize, 512) * img_rows * 512], cdiv(img_cols * img_elemSize, 512) * 512)\n");
    EXPECT_EQ(made("widthOf(img)", "600"), "copy<<<8|256|0>>>(uchar4 p[pitch * 600], uchar4 p[pitch * 600], pitch)\n");
    const auto pitch = [](const std::string& type, const std::string& width) {
        const ProgramLaunches found = launchesOf({ { .text = kKernels + "void f() { " + type + "* p; size_t pitch; cudaMallocPitch(&p, &pitch, " + width + ", 6); copy<<<8, 256>>>(p, p, pitch); }\n", .names = {} } });
        const auto parameter = std::ranges::find(found.parameters, "pitch", &ProgramParameter::name);
        return parameter != found.parameters.end() && parameter->isGuessed ? parameter->value : -1;
    };
    EXPECT_EQ(pitch("uchar4", "width()"), 4096);
    EXPECT_EQ(pitch("Pixel", "100 * sizeof(Pixel)"), 2048) << "what is known of it counts";
}

TEST(Launches, whatAPointerPointsToIsAsLargeAsItsClass)
{
    EXPECT_EQ(listed("struct P { float a, b; long long n; };\nint main() { P* p; int* q; cudaMalloc(&p, 4 * sizeof(*p)); cudaMalloc(&q, 4 * sizeof(q[0])); copy<<<4, 256>>>(p, q, sizeof(p)); }\n"), "copy<<<4|256|0>>>(P p[64], int q[16], 8)\n");
}

TEST(Launches, thrustsVectorsAreBuffers)
{
    EXPECT_EQ(listed("int main() { const int n = 64; thrust::host_vector<float> h(n); thrust::device_vector<float> a = h, b(n);\n"
                     "  copy<<<2, 32>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(&b[0]), n); }\n"),
        "copy<<<2|32|0>>>(float a[n * 4] copied, float b[n * 4], n)\n");
}

TEST(Launches, whatIsNotTakenChangesNothingAndGivesWay)
{
    EXPECT_EQ(listed("int main() { int n = 8, mode = 0; if (mode == 1) { n = 64; copy<<<1, 1>>>(0, 0, n); } tile<float, 8><<<n, 32>>>(0, 0, n); copy<<<2, 2>>>(0, 0, 3); }\n"),
        "copy<<<2|2|0>>>(0, 0, 3)\ntile<float,8><<<n|32|0>>>(0, 0, n)\n");
}

TEST(Launches, theProgramIsGivenTheArgumentsItAsksFor)
{
    const std::string rest = "  int n = atoi(argv[1]); float* p; cudaMalloc(&p, n * sizeof(float)); copy<<<(n + 255) / 256, 256>>>(p, nullptr, n); }\n";
    const std::string expected = "copy<<<cdiv(n, 256)|256|0>>>(float p[n * 4], null, n)\n";
    for (const char* check : { "if (argc != 3) { printf(\"usage\"); return 1; }\n", "if (argc < 2) return 1;\n", "if (argc == 3) { } else { exit(1); }\n", "if (argc != 2) { help(); }\n",
             "if (argc == 1 || argc > 9) return 1;\n" })
        EXPECT_EQ(listed("void help() { exit(1); }\nint main(int argc, char** argv) {\n" + std::string(check) + rest), expected) << check;
    EXPECT_EQ(listed("int main(int argc, char** argv) { int n = 64; if (argc > 1) n = atoi(argv[1]); copy<<<1, 32>>>(0, 0, n); }\n"), "copy<<<1|32|0>>>(0, 0, n)\n")
        << "what it can do without it is not given";
    EXPECT_EQ(listed("int run() { copy<<<1, 2>>>(0, 0, 3); return 0; }\nint main(int argc, char** argv) { if (argc == 1) return run(); tile<int, 4><<<1, 1>>>(0, 0, 4); }\n"),
        "copy<<<1|2|0>>>(0, 0, 3)\n");
}

TEST(Launches, whatMainChecksBeforeItLaunchesHolds)
{
    EXPECT_EQ(listed("int main() { int devices = 0; if (devices == 0) { return 1; } copy<<<1, 2>>>(0, 0, 3); }\n"), "copy<<<1|2|0>>>(0, 0, 3)\n");
}

TEST(Launches, whatTheHostDrawsAtRandomIsAsLarge)
{
    const auto range = [](const std::string& draws) {
        const std::string source = kKernels + "int main() { const int n = 64; int *h = new int[n], *g = new int[n], *d; cudaMalloc(&d, n * 4);\n  for (int i = 0; i < n; ++i) " + draws
            + "\n  cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice); copy<<<1, 32>>>(d, nullptr, n); }\n";
        const ProgramLaunches found = launchesOf({ { .text = source, .names = {} } });
        return found.buffers.empty() || !found.buffers[0].range ? std::string() : (*found.buffers[0].range)[0].text() + ":" + (*found.buffers[0].range)[1].text();
    };
    EXPECT_EQ(range("h[i] = rand() % 16;"), "0:16");
    EXPECT_EQ(range("h[i] = g[i] = (int)std::rand() % (n - 1);"), "0:n - 1");
    EXPECT_EQ(range("h[i] = rand() % 10 + 1;"), "1:11");
    EXPECT_EQ(range("h[i] = rand() % 10 * 2;"), "");
    EXPECT_EQ(range("g[i] = rand() % 16;"), "") << "another array";
    EXPECT_EQ(range("h[i] = rand();"), "");
}

TEST(Launches, eachVectorOfAHelperKeepsWhatItHolds)
{
    const auto contents = [](const std::string& helper, const std::string& uploads) {
        const ProgramLaunches found = launchesOf({ { .text = kKernels + helper + "\nint main() { const int n = 64; std::vector<float> x(n, -1.f), y(n), z(n);\n"
                                                         "  for (int i = 0; i < n; ++i) { y[i] = 2.5 + 0.01 * (i % 10); z[i] = std::sin(0.1 * i); if (i == 0) x[i] = 0; }\n  "
                + uploads + " }\n", .names = {} } });
        std::string text;
        for (const ProgramBuffer& buffer : found.buffers)
            text += buffer.name + (buffer.reals ? " " + Symbolic::ofReal(buffer.reals->low).text() + ":" + Symbolic::ofReal(buffer.reals->high).text() : "") + "\n";
        return text;
    };
    const std::string expected = "a -1:-1\nb 2.5:2.59\nc -1:1\n";
    EXPECT_EQ(contents("template <class T> class Buffer { public: explicit Buffer(size_t n) : n_(n) { cudaMalloc(&p_, n_ * sizeof(T)); }\n"
                       "  Buffer(const std::vector<T>& h) : Buffer(h.size()) { cudaMemcpy(p_, h.data(), n_ * sizeof(T), cudaMemcpyHostToDevice); }\n"
                       "  T* p_; size_t n_; };",
                  "Buffer<float> a(x), b(y), c { z };"),
        expected);
    const std::string upload = "template <class T> T* upload(const std::vector<T>& v) { T* p; cudaMalloc(&p, v.size() * sizeof(T)); cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); return p; }\n";
    EXPECT_EQ(contents(upload, "float *a = upload(x), *b = upload(y), *c = upload(z);"), expected);
    EXPECT_EQ(contents(upload + "template <class T> T* twice(const std::vector<T>& data) { return upload(data); }", "float *a = twice(x), *b = twice<float>(y); auto up = [&](const std::vector<float>& l) { return upload(l); }; float* c = up(z);"), expected);
    EXPECT_EQ(contents("struct Owner { float* p = nullptr; void set(const std::vector<float>& w) { cudaMalloc(&p, w.size() * 4); cudaMemcpy(p, w.data(), w.size() * 4, cudaMemcpyHostToDevice); } };\n"
                       "struct All { Owner a, b; All(const std::vector<float>& one, const std::vector<float>& two) { a.set(one); b.set(two); } };",
                  "All all(x, y);"),
        "all_a -1:-1\nall_b 2.5:2.59\n");
}

TEST(Launches, whatAFileGivesIsGuessed)
{
    EXPECT_EQ(listed("int main() { std::ifstream file(\"x\"); int n = 0; file >> n; float* p; cudaMalloc(&p, n * 4); copy<<<(n + 255) / 256, 256>>>(p, nullptr, n); }\n"),
        "copy<<<cdiv(n, 256)|256|0>>>(float p[n * 4], null, n)\n");
    const std::string shifted = "int main() { int n = 64, m = n >> 1; copy<<<m, 32>>>(0, 0, n); }\n";
    EXPECT_EQ(listed(shifted), "copy<<<n // 2|32|0>>>(0, 0, n)\n") << "a shift is none";
}

TEST(Launches, whatIsMadeOfNumbersThatTheProgramReadsFollowsThem)
{
    const auto made = [](const std::string& statements) { return listed("int main() { float* p; " + statements + " }\n"); };
    EXPECT_EQ(made("int w; std::cin >> w; int r = w / 4; cudaMalloc(&p, w * 4); copy<<<(w + 255) / 256, 256>>>(p, p, r);"), "copy<<<cdiv(w, 256)|256|0>>>(float p[w * 4], float p[w * 4], w // 4)\n");
    EXPECT_EQ(made("int w; scanf(\"%d\", &w); int r = w; copy<<<4, 256>>>(p, p, r);"), "copy<<<4|256|0>>>(?, ?, w)\n");
    EXPECT_EQ(made("int w = 0, h = 0; std::cin >> w >> h; const int r = std::min(w, h) / 2 - 1; copy<<<w, 256>>>(p, p, r);"), "copy<<<w|256|0>>>(?, ?, min(w, h) // 2 - 1)\n");
    EXPECT_EQ(made("int n; file >> n; std::vector<float> v(n); cudaMalloc(&p, v.size() * sizeof(float)); copy<<<4, 256>>>(p, p, 3);"), "copy<<<4|256|0>>>(float p[n * 4], float p[n * 4], 3)\n");
    EXPECT_EQ(made("int mode; std::cin >> mode; if (mode == 1) copy<<<4, 256>>>(p, p, 3); else copy<<<8, 256>>>(p, p, 5);"), "copy<<<4|256|0>>>(?, ?, 3)\ncopy<<<8|256|0>>>(?, ?, 5)\n") << "which way is gone is not guessed";
    const ProgramLaunches threads = launchesOf({ { .text = kKernels + "int main() { int t; std::cin >> t; copy<<<4, t>>>(0, 0, 3); }\n", .names = {} } });
    ASSERT_EQ(threads.parameters.size(), 1);
    EXPECT_EQ(threads.parameters[0].value, 256) << "threads of a block";
    const ProgramLaunches image = launchesOf({ { .text = kKernels + "int main() { int w, h, c; float *v = load(\"a.png\", &w, &h, &c), *p; cudaMalloc(&p, w * h * c * 4); copy<<<w * h / 256, 256>>>(p, p, c); }\n", .names = {} } });
    std::string values;
    for (const ProgramParameter& parameter : image.parameters)
        values += parameter.name + "=" + std::to_string(parameter.value) + (parameter.isGuessed ? "? " : " ");
    EXPECT_EQ(values, "w=1024? h=1024? c=3? ");
}

TEST(Launches, whatAPointerToANumberPointsToIsKept)
{
    EXPECT_EQ(listed("void f(int w, int* r) { *r = (int)sqrt(w * 16); float* p; cudaMalloc(&p, *r * 4); copy<<<4, 256>>>(p, p, *r); }\n"), "copy<<<4|256|0>>>(float p[r * 4], float p[r * 4], r)\n");
    EXPECT_EQ(listed("void set(int* to) { *to = 180; }\nvoid f(int* r) { *r = 5; set(r); copy<<<4, 256>>>(0, 0, *r); }\n"), "copy<<<4|256|0>>>(0, 0, r_2)\n") << "also by whom it is given to";
    EXPECT_EQ(listed("void f(int* r) { *r = 5; change(r); copy<<<*r, 256>>>(0, 0, *r); }\n"), "copy<<<r_2|256|0>>>(0, 0, r_2)\n") << "as long as nobody may change it who is not read";
    EXPECT_EQ(listed("void f(float* p, const int* n) { copy<<<(*n + 255) / 256, 256>>>(p, p, *n); }\n"), "copy<<<cdiv(n, 256)|256|0>>>(float p[?], float p[?], n)\n");
}

TEST(Launches, whatTheHostPutsIntoManagedMemoryIsCopiedThere)
{
    const auto filled = [](const std::string& statements) {
        const std::string text = listed("struct P { int a; };\nint main() { float* d; P* p; cudaMallocManaged(&d, 4096); cudaMallocManaged(&p, 4096); std::ifstream file(\"x\");\n" + statements + " }\n");
        return text.substr(text.find('('), text.find(')') - text.find('('));
    };
    const std::string launch = " copy<<<4, 256>>>(d, d, 1024);";
    for (const char* statements : { "fread(d, 4, 1024, f);", "for (int i = 0; i < 1024; ++i) file >> d[i];", "file.read((char*)d, 4096);", "load(d, 1024);", "memcpy(d, given(), 4096);", "std::copy(v.begin(), v.end(), d);",
             "for (int i = 0; i < 1024; ++i) d[i] = v[i];" })
        EXPECT_EQ(filled(statements + launch).substr(0, 22), "(float d[4096] copied,") << statements;
    EXPECT_EQ(filled("for (int i = 0; i < 4; ++i) p[i].a = v[i]; copy<<<4, 256>>>(p, d, 1024);").substr(0, 18), "(P p[4096] copied,");
    for (const char* statements : { "", "*d = 0;", "d[0] = x;", "memcpy(h, d, 4096);", "print(d, 1024);", "for (int i = 0; i < 1024; ++i) sum += d[i];" })
        EXPECT_EQ(filled(statements + launch).substr(0, 15), "(float d[4096],") << statements;
    EXPECT_EQ(filled(launch + "fread(d, 4, 1024, f);").substr(0, 15), "(float d[4096],") << "behind the launch";
    EXPECT_EQ(filled("memset(d, 0, 4096);" + launch).substr(0, 20), "(float d[4096] zero,");
}

TEST(Launches, numbersOfTheCommandLineAreGuessedByTheirNamesAndUses)
{
    const auto guess = [](const std::string& name, const std::string& more, const std::string& use = {}) {
        const std::string source = kKernels + "int main(int argc, char** argv) { int " + name + " = atoi(argv[1]);" + more + " copy<<<" + (use.empty() ? name : use) + ", 32>>>(0, 0, 3); }\n";
        const ProgramLaunches found = launchesOf({ { .text = source, .names = {} } });
        const auto parameter = std::ranges::find(found.parameters, name, &ProgramParameter::name);
        return parameter == found.parameters.end() ? -1 : parameter->isGuessed ? parameter->value : -2;
    };
    EXPECT_EQ(guess("n", ""), 1 << 20);
    EXPECT_EQ(guess("n", " const int m = n; size_t bytes = n * m * 4;"), 1024) << "the side of a square";
    EXPECT_EQ(guess("n", " size_t bytes = n * n * n;"), 256);
    EXPECT_EQ(guess("w", " int h = std::stoi(argv[2]);"), 1024) << "one of two";
    EXPECT_EQ(guess("n", " int repeat = atoi(argv[2]), blockSize = atoi(argv[3]);"), 1 << 20) << "the others are no sizes";
    EXPECT_EQ(guess("iterations", ""), 10);
    EXPECT_EQ(listed("int main(int argc, char** argv) { if (argc < 2) return 1; int n = 96; for (int i = 1; i < argc; ++i) if (!strcmp(argv[i], \"-n\")) n = atoi(argv[++i]);\n"
                     "copy<<<1, 32>>>(0, 0, n); }\n"),
        "copy<<<1|32|0>>>(0, 0, n)\n")
        << "what it is without an option is known";
    EXPECT_EQ(guess("numThreads", ""), 256);
    EXPECT_EQ(guess("radius", ""), 8);
    EXPECT_EQ(guess("blksize", ""), 256) << "no side of a window";
    EXPECT_EQ(guess("ksize", ""), 5);
    EXPECT_EQ(guess("radixes", ""), 1 << 20);
    EXPECT_EQ(guess("numGrad", ""), 1 << 20);
    EXPECT_EQ(guess("levels", "", "1 << levels"), 20);
    EXPECT_EQ(guess("levels", " int size = pow(2, levels);", "size"), 20);
}

TEST(Launches, branchesThatAreKnownAreTakenAndOthersAreBothRead)
{
    EXPECT_EQ(listed("enum class Mode { Small, Large };\nvoid go(Mode m) { switch (m) { case Mode::Small: copy<<<1, 1>>>(0, 0, 1); break;\n"
                     "  case Mode::Large: tile<float, 8><<<2, 2>>>(0, 0, 2); break; } }\nint main() { go(Mode::Large); }\n"),
        "tile<float,8><<<2|2|0>>>(0, 0, 2)\ncopy<<<1|1|0>>>(0, 0, 1)\n")
        << "what is not taken is read for its kernels";
    EXPECT_EQ(listed("int main(int c, char** v) { if (strcmp(v[1], \"a\") == 0) copy<<<1, 1>>>(0, 0, 1); else tile<int, 4><<<1, 1>>>(0, 0, 1); }\n"),
        "copy<<<1|1|0>>>(0, 0, 1)\ntile<int,4><<<1|1|0>>>(0, 0, 1)\n");
    EXPECT_EQ(listed("int main() { for (int b : { 64, 128 }) { if (b == 128) copy<<<1, b>>>(0, 0, 1); } while (false) tile<int, 1><<<1, 1>>>(0, 0, 1); }\n"),
        "copy<<<1|128|0>>>(0, 0, 1)\ntile<int,1><<<1|1|0>>>(0, 0, 1)\n");
}

TEST(Launches, theRuntimesFunctionsLaunchToo)
{
    EXPECT_EQ(listed("int main() { float *a, *b; int n = 77; cudaMalloc(&a, n); cudaMalloc(&b, n); void* args[] = { &a, &b, &n };\n"
                     "  cudaLaunchKernel((const void*)tile<float, 16>, dim3(7), dim3(11), args, 48, 0); }\n"),
        "tile<float,16><<<7|11|48>>>(float a[n], float b[n], n)\n");
    EXPECT_EQ(listed("typedef void (*Kernel)(const float*, float*, int);\nstruct Variant { const char* name; Kernel k; };\n"
                     "int main() { Variant all[] = { { \"copy\", copy }, { \"tile\", tile<float, 4> } }; for (auto& v : all) v.k<<<1, 32>>>(0, 0, 5); }\n"),
        "copy<<<1|32|0>>>(0, 0, 5)\ntile<float,4><<<1|32|0>>>(0, 0, 5)\n");
}

TEST(Launches, aLaunchConfigurationHasItsMembers)
{
    for (const char* config : { "cudaLaunchConfig_t c = { 0 }; c.gridDim = dim3(9, 2); c.blockDim = k;",
             "cudaLaunchConfig_t c { dim3(9, 2), k, 512 }; cudaLaunchAttribute a[1]; a[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
             "  a[0].val.programmaticStreamSerializationAllowed = 1; c.attrs = a; c.numAttrs = 1;",
             "cudaLaunchConfig_t c {}; c.gridDim.x = 9; c.gridDim.y = 2; c.gridDim.z = 1; c.blockDim = { k, 1, 1 };" }) {
        const std::string found = listed("int main() { float* p; int n = 77, k = 96; cudaMalloc(&p, n * sizeof(float));\n  " + std::string(config)
            + "\n  c.dynamicSmemBytes = 512; CHECK(cudaLaunchKernelEx(&c, tile<float, 16>, p, nullptr, n)); }\n");
        EXPECT_TRUE(found.starts_with("tile<float,16><<<")) << found;
        EXPECT_TRUE(found.ends_with("|k|dynamicSmemBytes>>>(float p[n * 4], null, n)\n")) << found;
    }
}

TEST(Launches, namesOfAnEnumerationAreMadeOfThoseBefore)
{
    EXPECT_EQ(listed("constexpr int kWarp = 32;\nenum { BITS = 4, DIGITS = 1 << BITS, NEXT, THREADS = (kWarp * 8), ITEMS = THREADS / 64, TILE = THREADS * ITEMS };\n"
                     "enum Kind : unsigned { First, Second };\n"
                     "int main() { copy<<<DIGITS, THREADS>>>(0, 0, TILE); tile<float, 2><<<NEXT, ITEMS>>>(0, 0, Second); }\n"),
        "copy<<<16|256|0>>>(0, 0, 1024)\ntile<float,2><<<17|4|0>>>(0, 0, 1)\n");
}

TEST(Launches, aVectorOfUnknownLengthHasNoLength)
{
    EXPECT_EQ(listed("float* held(size_t count) { float* p; cudaMalloc(&p, std::max<size_t>(count, 1) * sizeof(float)); return p; }\n"
                     "int main(int c, char** v) { std::vector<float> h(atoi(v[1]), 0.5f), g(77); copy<<<1, 32>>>(held(h.size()), held(g.size()), 77); }\n"),
        "copy<<<1|32|0>>>(float p[?], float p[308], 77)\n");
}

TEST(Launches, aPackOfArgumentsIsHandedOn)
{
    for (const char* launcher : { "template <class K, class... As> void go(K k, int g, As... as) { k<<<g, 32>>>(as...); }",
             "template <class... Ps, class... As> void go(void (*k)(Ps...), int g, As&&... as) { k<<<g, 32>>>(std::forward<As>(as)...); }" })
        EXPECT_EQ(listed(std::string(launcher) + "\nint main() { float* a; cudaMalloc(&a, 400); go(copy, 3, a, nullptr, 100); }\n"), "copy<<<g|32|0>>>(float a[400], null, 100)\n")
            << launcher;
}

TEST(Launches, whatMakeUniqueMakesIsAnObject)
{
    EXPECT_EQ(listed("class Sim { float* p; int n; public: Sim(int count) : n(count) { cudaMalloc(&p, n * 4); } void step() { copy<<<n / 32, 32>>>(p, p, n); } };\n"
                     "int main() { auto sim = std::make_unique<Sim>(640); sim->step(); }\n"),
        "copy<<<n // 32|32|0>>>(float sim[n * 4], float sim[n * 4], n)\n");
}

TEST(Launches, asManyBlocksFitAsAnSmHasThreadsFor)
{
    EXPECT_EQ(listed("int main() { int sms = 0, perSm = 0; const int threads = 512; cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);\n"
                     "  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, copy, threads, 0); copy<<<perSm * sms, threads>>>(0, 0, 1); }\n"),
        "copy<<<2048 // threads * multiProcessorCount|threads|0>>>(0, 0, 1)\n");
}

TEST(Launches, whatTheGpuIsAskedForIsToldByTheAttribute)
{
    EXPECT_EQ(listed("int main() { int most = 0; cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0); const int n = most / 4; copy<<<1, 32, most>>>(0, 0, n); }\n"),
        "copy<<<1|32|sharedMemPerBlockOptin>>>(0, 0, sharedMemPerBlockOptin // 4)\n");
}

TEST(Launches, aLibrarysLauncherHasGuessedSizes)
{
    EXPECT_EQ(listed("extern \"C\" void launch_copy(const float* in, float* out, int n, cudaStream_t s) { copy<<<(n + 127) / 128, 128, 0, s>>>(in, out, n); }\n"),
        "copy<<<cdiv(n, 128)|128|0>>>(float in[?] copied, float out[?], n)\n");
}

TEST(Launches, membersOfAClassThatNothingUsesAreLaunchers)
{
    const std::string solver = "class Solver { public: Solver(unsigned n) : n_(n) { cudaMalloc(&f_, n * sizeof(float)); } void all() { run(); } void run() { copy<<<(n_ + 63) / 64, 64>>>(f_, f_, n_); }\n"
                               "static void once(float* f) { tile<float, 4><<<10, 100>>>(f, f, 1000); }\nprivate: unsigned n_; float* f_ = nullptr; };\n";
    EXPECT_EQ(listed(solver), "copy<<<cdiv(n, 64)|64|0>>>(float f_[n * 4], float f_[n * 4], n)\ntile<float,4><<<10|100|0>>>(float f[?], float f[?], 1000)\n");
    EXPECT_EQ(listed(solver + "int main() { Solver s(64); s.run(); }\n"), "copy<<<cdiv(n_, 64)|64|0>>>(float s[n_ * 4], float s[n_ * 4], n_)\n") << "that somebody uses: what he asks for";
    EXPECT_EQ(listed("class Solver { public: void run(unsigned n); };\nvoid Solver::run(unsigned n) { float* f; cudaMalloc(&f, n * 4); copy<<<(n + 63) / 64, 64>>>(f, f, n); }\n"),
        "copy<<<cdiv(n, 64)|64|0>>>(float f[n * 4], float f[n * 4], n)\n");
    EXPECT_EQ(listed("template <class T> class Solver { T* f; int n; public: void size(int m) { n = m; cudaMalloc(&f, m * sizeof(T)); } void run() { copy<<<n / 64, 64>>>(f, f, n); } };\n"),
        "copy<<<m // 64|64|0>>>(float f[m * 4], float f[m * 4], m)\n")
        << "what asks for memory has run";
}

TEST(Launches, whatIsNoSizeOfALibrarysFunctionIsGuessedByItsName)
{
    const auto guesses = [](const std::string& parameters) {
        const std::string source = kKernels + "void f(" + parameters + ") { copy<<<n / 32, 32>>>(0, 0, n); }\n";
        std::string text;
        for (const ProgramParameter& parameter : launchesOf({ { .text = source, .names = {} } }).parameters)
            text += parameter.name + "=" + std::to_string(parameter.value) + " ";
        return text;
    };
    EXPECT_EQ(guesses("int n, int diff"), "n=1048576 diff=8 ");
    EXPECT_EQ(guesses("int n, int k"), "n=1048576 k=8 ") << "such as neighbours";
    EXPECT_EQ(guesses("int m, int n, int k"), "m=256 n=256 k=256 ") << "sides of matrices";
    EXPECT_EQ(guesses("int n, int num_blocks, int block_size, int seed"), "n=1048576 num_blocks=256 block_size=256 seed=8 ");
}

TEST(Launches, pytorchsTypesOfSumsAreThoseThatTheyStandFor)
{
    for (const auto& [of, is] : std::map<std::string, std::string> { { "float", "float" }, { "double", "double" }, { "at::Half", "float" }, { "c10::BFloat16", "float" } })
        EXPECT_EQ(listed("void f(int n) { using scalar_t = " + of + "; using acc_t = at::opmath_type<scalar_t>; tile<acc_t, 4><<<4, 256>>>(0, 0, n); tile<at::acc_type<scalar_t, true>, 4><<<8, 256>>>(0, 0, n); }\n").substr(0, 8 + is.size()), "tile<" + is + ",4>") << of;
}

TEST(Launches, structuresByValueHaveTheirMembers)
{
    EXPECT_EQ(listed("struct Grid { int nx, ny; float h[2]; };\n__global__ void step(Grid g, float* u) { }\n"
                     "int main() { Grid g { 100, 50, { 0.5f, 0.25f } }; float* u; cudaMalloc(&u, g.nx * g.ny * sizeof *u); step<<<g.ny, g.nx>>>(g, u); }\n"),
        "step<<<ny|nx|0>>>({3}, float u[nx * ny * 4])\n");
    EXPECT_EQ(listed("struct Op { static constexpr float kBeta = 0.5f; static constexpr int kWide = 64; };\ntemplate <int N> struct Shape { static constexpr int kBlocks = 2 * N; };\nstruct V { float x, y; };\nstruct View { V eye; float far; };\n"
                     "__global__ void step(Op o, View v) { }\nint main() { View v = viewOf(getenv(\"VIEW\")); step<<<Shape<4>::kBlocks, Op::kWide>>>(Op {}, v); }\n"),
        "step<<<8|kWide|0>>>({0}, {2})\n")
        << "static ones are no part of it; of an unknown value the members are";
}

TEST(Launches, whatStandsInBracesIsOfTheParametersClass)
{
    EXPECT_EQ(listed("struct Grid { int nx, ny; float h; int cells() const { return nx * ny; } };\n"
                     "struct Field { float* p; explicit Field(size_t n) { cudaMalloc(&p, n * sizeof(float)); } operator float*() { return p; } };\n"
                     "__global__ void step(float* u, Grid g) { }\n"
                     "class Flow { public: Flow(Grid g, float w) : g_(g), u_(9 * g.cells()) { } void go() { step<<<g_.nx, 64>>>(u_.p, g_); }\n"
                     "private: Grid g_; Field u_; };\n"
                     "int main() { const int nx = 128, ny = 96; Flow flow({ nx, ny, 1.f }, 0.5f); flow.go(); }\n"),
        "step<<<nx|64|0>>>(float flow_u[nx * ny * 36], {3})\n");
}

TEST(Launches, aSmartPointerThatIsResetHoldsWhatItIsGiven)
{
    EXPECT_EQ(listed("template <class T> class Column { public: explicit Column(size_t n) { T* p = nullptr; cudaMalloc(&p, n * sizeof(T));\n"
                     "data_.reset(p, [](T* q) { cudaFree(q); }); } T* data() const { return data_.get(); } private: std::shared_ptr<T> data_; };\n"
                     "struct View { float* words; int mask; };\n__global__ void probe(View v) { }\n"
                     "int main() { int n = 4096; Column<float> a(n); const View v { a.data(), n - 1 }; copy<<<1, 32>>>(a.data(), a.data(), n); probe<<<2, 32>>>(v); }\n"),
        "copy<<<1|32|0>>>(float a[n * 4], float a[n * 4], n)\nprobe<<<2|32|0>>>({2})\n");
}

TEST(Launches, anAliasKeepsTheArgumentsOfItsTemplate)
{
    EXPECT_EQ(listed("template <int A, int B> struct Traits { static constexpr int BM = A, threads = A / B; };\n"
                     "template <class Tr> __global__ void gemm(float* c) { }\n"
                     "int main() { int n = 1024; using Tr = Traits<128, 8>; gemm<Tr><<<n / Tr::BM, Tr::threads>>>(nullptr); }\n"),
        "gemm<Traits<128,8>><<<n // 128|16|0>>>(null)\n");
}

TEST(Launches, aListOfWhatIsToBeRunIsRun)
{
    EXPECT_EQ(listed("int main() { int n = 1024; float* a; cudaMalloc(&a, n * 4);\n"
                     "struct Entry { std::string name; float scale; std::function<void()> run; };\n"
                     "std::vector<Entry> ladder = { { \"copy\", 1.f, [&] { copy<<<n / 64, 64>>>(a, a, n); } }, { \"tile\", 2.f, [&] { tile<float, 8><<<n / 8, 8>>>(a, a, n); } } };\n"
                     "for (auto& e : ladder) { e.run(); for (int r = 0; r < 5; ++r) e.run(); } }\n"),
        "copy<<<n // 64|64|0>>>(float a[n * 4], float a[n * 4], n)\ntile<float,8><<<n // 8|8|0>>>(float a[n * 4], float a[n * 4], n)\n");
}

TEST(Launches, anObjectIsCalledLikeAFunction)
{
    EXPECT_EQ(listed("class Scan { std::vector<float*> levels;\npublic: explicit Scan(int n) { do { n = (n + 255) / 256; float* p; cudaMalloc(&p, n * 4); levels.push_back(p); } while (n > 1); }\n"
                     "void operator()(float* out, int n, size_t level = 0) { copy<<<(n + 255) / 256, 256>>>(out, levels[level], n); } };\n"
                     "int main() { int n = 1024; float* a; cudaMalloc(&a, n * 4); Scan scan(n); scan(a, n); }\n"),
        "copy<<<cdiv(n, 256)|256|0>>>(float a[n * 4], float p[cdiv(n, 256) * 4], n)\n");
}

TEST(Launches, whatALoopAppendsIsKnownOneByOne)
{
    EXPECT_EQ(listed("struct Level { int n; float* u; };\nint main() { std::vector<Level> levels; for (int n = 64; n >= 3; n = n / 4) { float* u; cudaMalloc(&u, n * 4); levels.push_back({ n, u }); }\n"
                     "if (levels.size() == 3) copy<<<levels[2].n, 32>>>(levels[0].u, levels[2].u, levels[1].n); }\n"),
        "copy<<<4|32|0>>>(float u[256], float u[16], 16)\n");
}

TEST(Launches, aViewIsMadeOfTheObjectInItsBraces)
{
    const std::string program = kKernels
        + "struct Soa { float *x, *y; };\nstruct View { Soa p; };\ntemplate <class V> __global__ void probe(V view) { }\n"
          "int main() { Soa s; cudaMalloc(&s.x, 64); cudaMalloc(&s.y, 64); probe<<<1, 32>>>(View { s }); probe<<<1, 32>>>(s); }\n";
    const ProgramLaunches found = launchesOf({ { .text = program, .names = {} } });
    ASSERT_EQ(found.launches.size(), 2u) << "of two classes, though the entry's name is the same";
    EXPECT_EQ(found.launches[0].arguments[0].type, "View");
    EXPECT_EQ(found.launches[1].arguments[0].type, "Soa");
}

TEST(Launches, vectorsOfComponentsHaveThem)
{
    EXPECT_EQ(listed("__global__ void probe(float3 a, int2 b, float4 c) { }\n"
                     "int main() { float3 a = make_float3(0, 1, 2); int2 b = { 3, 4 }; float4 c { 1, 2, 3, 4 }; probe<<<b.y, 32>>>(a, b, c); }\n"),
        "probe<<<y|32|0>>>({3}, {2}, {4})\n");
}

TEST(Launches, kernelsInHeadersAndConditionsOfThePreprocessor)
{
    EXPECT_EQ(listed("#include \"header.h\"\n#if FAST && !defined(SLOW)\nint main() { other<<<LENGTH, 1>>>(nullptr); }\n#else\nint main() { copy<<<9, 9>>>(0, 0, 9); }\n#endif\n",
                  "#pragma once\n#define FAST 1\n#ifndef LENGTH\n#define LENGTH 12\n#endif\n__global__ void other(float* p) { }\n"),
        "other<<<LENGTH|1|0>>>(null)\n");
}

TEST(Launches, whatNobodyCanKnowIsUnknown)
{
    EXPECT_EQ(listed("int main() { float* p = fetch(); copy<<<load(\"file\"), 32>>>(p, p, 7); }\n"), "copy<<<?|0>>>(?, ?, 7)\n");
    EXPECT_EQ(listed("int main() { int n = load(\"file\"); float* p = fetch(); copy<<<n, 32>>>(p, p, 7); }\n"), "copy<<<?|0>>>(?, ?, 7)\n")
        << "a grid guessed for work of another size would tell nothing";
}

TEST(Launches, hostileCodeEnds)
{
    listed("struct A { static A a = A(); static int b = A::b + A::c, c = A::b * A::c; A n = A(); };\nint main() { A a; add<<<A::b, A::c>>>(0, 0, 0, 0); }\n");
    std::string deep = "int main() { int x = ";
    for (int i = 0; i < 5000; ++i)
        deep += "(";
    for (const std::string& source : { deep, std::string("int main() { main(); }"), std::string("int f(int n) { return f(n + 1) + f(n); } int main() { copy<<<f(0), 1>>>(0, 0, 0); }"),
             std::string("int main() { while (1) for (;;) do copy<<<1, 1>>>(0, 0, 0); while (true); }"),
             std::string("#define A B B B B B B\n#define B C C C C C C\n#define C D D D D D D\n#define D E E E E E E\n#define E A A A A\nint main() { A }"),
             std::string("struct S { S s; S() : s() { } }; int main() { S s; }"), std::string("struct A : A { A() : A() { } }; struct B : A { B() : A(*this), B(1) { } B(int) : B() { } }; int main() { B b; b.B::go(); }"),
             std::string("template <class T> struct A : B<A<T*>> { }; template <class T> struct B : A<B<T*>> { T t; }; int main() { struct A : B<int> { }; A a; }"), std::string("int main() { auto f = [&](auto g) { g(g); }; f(f); }"), std::string("int main() { std::map<int, std::function<void()>> m; m[0] = [&] { m[m[x]] = m[0]; for (auto& [k, f] : m) f(); m.clear(); m.erase(0); }; m[y](); m = {}; m = { 1 }; m[0](); }"),
             
             std::string("int main() { copy<<<"), std::string("int main() { copy<<<1, 2>>>"), std::string("#if\n#elif\n#else\n#endif\n#endif\nint main("),
             std::string("int main() { switch (1) { case 1: case"), std::string("template <class T, template <class> class") })
        (void)listed(source);
}

TEST(Launches, ofEachLambdaThatAVariantMayBeVisitedByAreFound)
{
    const std::string program = "template <class... F> struct overloaded : F... { using F::operator()...; };\nstruct A { int r; }; struct B { };\n"
                                "int main() { const int n = 64; float *x, *y; cudaMalloc(&x, 4 * n); cudaMalloc(&y, 4 * n); std::variant<A, B> v = A { 2 };\n"
                                "std::visit(overloaded { [&](const A& a) { copy<<<2, 32>>>(x, y, n); }, [&](const B&) { tile<float, 4><<<1, 64>>>(x, y, n); } }, v); }\n";
    EXPECT_EQ(listed(program), "copy<<<2|32|0>>>(float x[n * 4], float y[n * 4], n)\ntile<float,4><<<1|64|0>>>(float x[n * 4], float y[n * 4], n)\n");
}

TEST(Launches, aKernelIsNoLambdaOfItsName)
{
    EXPECT_EQ(listed("namespace ns { __global__ void dot(float* x) { } }\nint main() { float* x; cudaMalloc(&x, 64); auto dot = [&](int grid) { ns::dot<<<grid, 32>>>(x); return 1.f; }; float r = dot(3); }\n"), "ns::dot<<<3|32|0>>>(float x[64])\n");
}

TEST(Launches, whatBracketsTakeApartHasItsNames)
{
    const std::string variants = "int main() { const int n = 64; float* x; cudaMalloc(&x, 4 * n); struct Variant { std::string name; std::function<void()> launch; };\n"
                                 "const std::vector<Variant> all = { { \"a\", [&] { copy<<<2, 32>>>(x, x, n); } }, { \"b\", [&] { tile<float, 4><<<1, 64>>>(x, x, n); } } };\n"
                                 "for (const auto& [name, launch] : all) { launch(); } }\n";
    EXPECT_EQ(listed(variants), "copy<<<2|32|0>>>(float x[n * 4], float x[n * 4], n)\ntile<float,4><<<1|64|0>>>(float x[n * 4], float x[n * 4], n)\n");
    const std::string shape = "struct Shape { dim3 grid, block; };\nShape shapeFor(int n) { return { dim3(n / 32), dim3(32) }; }\n"
                              "int main() { const int n = 64; float* x; cudaMalloc(&x, 4 * n); auto [grid, block] = shapeFor(n); copy<<<grid, block>>>(x, x, n); }\n";
    EXPECT_EQ(listed(shape), "copy<<<n // 32|32|0>>>(float x[n * 4], float x[n * 4], n)\n");
}

TEST(Launches, whatIsNotKnownIsNotTakenForAnObjectToBeCopied)
{
    const std::string program = "template <class T> struct Owned { T* p = nullptr; explicit Owned(const std::vector<T>& v) { cudaMalloc(&p, v.size() * sizeof(T)); }\n"
                                "Owned(Owned&& o) noexcept : p(std::exchange(o.p, nullptr)) { } };\n"
                                "int main() { const int n = 64; Owned<float> x(made()); copy<<<2, 32>>>(x.p, x.p, n); }\n";
    EXPECT_EQ(listed(program).substr(0, 24), "copy<<<2|32|0>>>(float x");
}
