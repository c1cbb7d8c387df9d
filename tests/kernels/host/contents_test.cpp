// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/contents.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>

using namespace coalescope::kernels;

namespace {

const std::string kKernel = "#include <cuda_runtime.h>\n#include <vector>\n__global__ void k(const int* table, int n) {}\n";

HostContents contentsOf(const std::string& program, const std::vector<HostNumber>& numbers = {}, const HostBuffer& buffer = { .launch = 1, .kernel = "k", .argument = "0" })
{
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    constexpr std::int64_t kSteps = 3'000'000; // enough, and quick where they are used up
    return hostContents(files, numbers, buffer, {}, kSteps);
}

template <class Number> std::string textOf(const std::optional<std::vector<std::uint8_t>>& bytes)
{
    if (!bytes)
        return "unknown";
    std::vector<Number> numbers(bytes->size() / sizeof(Number));
    std::memcpy(numbers.data(), bytes->data(), numbers.size() * sizeof(Number));
    return fmt::format("{}", fmt::join(numbers, " "));
}

/// What `k` gets as its first argument, where main does this before it uploads the vector `h`.
template <class Number = int> std::string uploaded(const std::string& code, const std::string& before = "", const std::string& type = "int")
{
    const std::string program = kKernel + before + "\nint main()\n{\n" + code + "\n    " + type + "* d;\n    cudaMalloc(&d, h.size() * sizeof(" + type
        + "));\n    cudaMemcpy(d, h.data(), h.size() * sizeof(" + type + "), cudaMemcpyHostToDevice);\n    k<<<1, 32>>>(d, 1);\n}\n";
    return textOf<Number>(contentsOf(program).bytes);
}

} // namespace

TEST(HostContents, tellTheLoopThatTakesTooLong)
{
    const auto program = [](const std::string& turns) {
        return kKernel + "int main()\n{\n    std::vector<int> h(9);\n    for (int i = 0; i < 3; ++i)\n        for (int j = 0; j < " + turns
            + "; ++j) h[j * 7 % 9] ^= i + j;\n    int* d; cudaMalloc(&d, 36); cudaMemcpy(d, h.data(), 36, cudaMemcpyHostToDevice); k<<<1, 32>>>(d, 1);\n}\n";
    };
    EXPECT_EQ(contentsOf(program("200000000")).leftLoop, 8);
    EXPECT_EQ(contentsOf(program("20")).leftLoop, 0);
}

TEST(HostContents, areWhatLoopsPushBack)
{
    EXPECT_EQ(uploaded("std::vector<int> h; for (int y = 0; y < 2; ++y) for (int x = 0; x < 3; x++) { if (x == y) continue; h.push_back(y * 10 + x); }"), "1 2 10 12");
    EXPECT_EQ(uploaded("std::vector<int> h(4, 7); h[1] = 3; h.back() += 2; int i = 0; while (true) { if (++i > 3) break; } h[0] = i;"), "4 3 7 9");
    EXPECT_EQ(uploaded("std::vector<int> h; int i = 3; do { h.push_back(i--); } while (i);"), "3 2 1");
    EXPECT_EQ(uploaded("std::vector<int> h; for (int v : { 5, 6 }) switch (v) { case 5: h.push_back(1); default: h.push_back(2); break; case 9: h.push_back(3); }"), "1 2 2");
}

TEST(HostContents, howLargeIsWhatAPointerPointsToIsKnownBeforeItPointsSomewhere)
{
    const auto copied = [](const std::string& of, const std::string& made, const std::string& bytes) {
        return textOf<int>(contentsOf(kKernel + "\nstruct P { int a, b; };\nint main()\n{\n" + of + " *h = (" + of + "*)malloc(" + made + "), *d; " + (of == "P" ? "h->a = 7; h->b = 9;" : "for (int i = 0; i < 3; ++i) h[i] = 2 * i;") + " cudaMalloc(&d, " + bytes
            + "); cudaMemcpy(d, h, " + bytes + ", cudaMemcpyHostToDevice); k<<<1, 32>>>(d, 1);\n}\n").bytes);
    };
    EXPECT_EQ(copied("int", "3 * sizeof(*h)", "3 * sizeof(*d)"), "0 2 4");
    EXPECT_EQ(copied("int", "sizeof *h * 3", "sizeof(d[0]) * 3"), "0 2 4");
    EXPECT_EQ(copied("P", "sizeof(*h)", "sizeof(*h)"), "7 9");
}

TEST(HostContents, functionsInMapsAreCalledByTheirKeys)
{
    const std::string map = "std::vector<int> h { 0 }; int n = 0; std::map<std::string, std::function<void(int)>> m; m[\"b\"] = [&](int x) { h.push_back(x); }; m[\"a\"] = [&](int x) { h.push_back(-x); n = x; }; ";
    EXPECT_EQ(uploaded(map + "for (auto& [name, f] : m) f(3);"), "0 -3 3");
    EXPECT_EQ(uploaded(map + "m[\"b\"](4); m.at(\"a\")(5); auto it = m.find(\"b\"); if (it != m.end()) it->second(n); h.push_back(m.size()); h.push_back(m.count(\"c\"));"), "0 4 -5 5 2 0");
    EXPECT_EQ(uploaded(map + "std::string s = \"b\"; m[s](1); m.insert({ \"c\", [&](int) { h.push_back(9); } }); m.emplace(\"a\", nullptr); m[\"a\"](2); m.at(\"c\")(0);"), "0 1 -2 9");
    EXPECT_EQ(uploaded(map + "std::string s = getenv(\"KEY\"); m[s](1);"), "unknown") << "any of them";
    EXPECT_EQ(uploaded(map + "h = { 1 }; m[getenv(\"s\")] = [&](int) { }; m[\"b\"](1);"), "unknown") << "it may have been replaced";
    EXPECT_EQ(uploaded(map + "h = { 1 }; std::string s = getenv(\"s\"); auto it = m.find(s); it->second(4); h = { 2 }; h.push_back(n);"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h; using F = std::function<int(int)>; std::unordered_map<int, F> m { { 2, [](int x) { return x * x; } }, { 3, [](int x) { return x * x * x; } } }; for (int i = 0; i < 3; ++i) h.push_back(m[3](i)); h.push_back(m.at(2)(5));"),
        "0 1 8 25");
    EXPECT_EQ(uploaded("std::vector<int> h; std::vector<std::pair<std::string, std::function<void()>>> v { { \"a\", [&] { h.push_back(1); } } }; v.emplace_back(\"b\", [&] { h.push_back(2); }); for (auto& p : v) p.second(); for (auto& [name, f] : v) f();"), "1 2 1 2");
}

TEST(HostContents, objectsInMapsAreFoundByTheirKeys)
{
    const std::string classes = "struct Job { virtual int at(int i) = 0; int calls = 0; }; struct Twice : Job { int at(int i) override { ++calls; return 2 * i; } }; struct Range { int first = 5, last = 6; };";
    const std::string map = "std::vector<int> h { 1 }; std::map<std::string, std::unique_ptr<Job>> m; m[\"a\"] = std::make_unique<Twice>(); ";
    EXPECT_EQ(uploaded(map + "for (auto& [name, job] : m) h.push_back(job->at(4)); h.push_back(m.at(\"a\")->at(5)); h.push_back(m[\"a\"]->calls);", classes), "1 8 10 2");
    EXPECT_EQ(uploaded(map + "m.at(getenv(\"s\"))->at(1); h[0] = m[\"a\"]->calls;", classes), "unknown");
    EXPECT_EQ(uploaded("std::map<int, Range> m { { 1, { 2, 3 } } }; m[4].last = 7; m.at(1).first += 1; std::vector<int> h { m[1].first, m[1].last, m[4].first, m[4].last };", classes), "3 3 5 7");
}

TEST(HostContents, derivedClassesAreMadeOfTheirBases)
{
    const std::string classes = "struct Shape { int n; int scale = n * 10; Shape(int m) : n(m) { start = first(); } virtual ~Shape() {} int start = -1; virtual int first() { return 7; } virtual int at(int i) const = 0;\n"
                                "  std::vector<int> table() { std::vector<int> t { start, scale }; for (int i = 0; i < n; ++i) t.push_back(at(i)); return t; } };\n"
                                "struct Line : Shape { int step; Line(int m, int s) : Shape(m), step(s) {} int first() override { return 8; } int at(int i) const override { return i * step; } };\n"
                                "struct Back : public Line { using Line::Line; int at(int i) const override { return Line::at(n - 1 - i); } };\n"
                                "std::unique_ptr<Shape> make(bool isBack) { if (isBack) return std::make_unique<Back>(3, 2); return std::unique_ptr<Shape>(new Line(3, 2)); }";
    EXPECT_EQ(uploaded("Line line(3, 5); std::vector<int> h = line.table();", classes), "7 30 0 5 10");
    EXPECT_EQ(uploaded("std::vector<std::unique_ptr<Shape>> all; all.push_back(make(true)); all.push_back(make(false)); std::vector<int> h; for (auto& s : all) for (int v : s->table()) h.push_back(v);", classes),
        "7 30 4 2 0 7 30 0 2 4");
    EXPECT_EQ(uploaded("Back back(2, 3); Shape& shape = back; std::vector<int> h; for (int i = 0; i < 5000; ++i) h.resize(i % 2 + 1, shape.at(1)); h.push_back(shape.table()[2]);", classes), "0 0 3");
}

TEST(HostContents, castsTellOfWhatClassAnObjectIs)
{
    const std::string classes = "template <class T> struct A { T n; A(T m) : n(m) {} virtual T at() { return n; } }; struct B : A<int> { using Base = A<int>; B(int m) : Base(m) {} int at() override { return 10 * Base::at(); } }; struct C : A<int> { using A::A; };";
    EXPECT_EQ(uploaded("std::vector<A<int>*> all { new B(2), new C(3) }; std::vector<int> h; for (A<int>* a : all) { B* b = dynamic_cast<B*>(a); if (b) h.push_back(b->at()); else h.push_back(-a->at()); }", classes), "20 -3");
}

TEST(HostContents, basesMayBeTemplatesAndAggregates)
{
    EXPECT_EQ(uploaded("Doubles<int> d(3); std::vector<int> h = d.made();", "template <class T, int N> struct Made { std::vector<T> v; Made(int n) : v(n, T(N)) {} std::vector<T> made() { fill(); return v; } virtual void fill() = 0; };\n"
                                                                           "template <class T> struct Doubles : Made<T, 4> { Doubles(int n) : Made<T, 4>(n) {} void fill() override { this->v[1] *= 2; } };"),
        "4 8 4");
    EXPECT_EQ(uploaded("B b { { 1, 2 }, 3 }; E c { 4, 5, 6 }; C d; std::vector<int> h { b.x, b.y, b.z, c.sum(), d.sum(), d.w };", "struct A { int x, y; int sum() const { return x + y; } }; struct B : A { int z; }; struct E : A { int w = 9; }; struct C : A { int w = 9; C() : A { 7, 8 } {} };"),
        "1 2 3 9 15 9");
    EXPECT_EQ(uploaded("S s; s.run(); std::vector<int> h { s.n };", "template <class D> struct Crtp { int n = 1; void run() { static_cast<D*>(this)->step(); static_cast<D&>(*this).step(); } }; struct S : Crtp<S> { void step() { n *= 3; } };"), "9");
}

TEST(HostContents, areTheOnesOfFunctionsLambdasAndObjects)
{
    EXPECT_EQ(uploaded("std::vector<int> h = table(3);", "static int square(int x) { return x * x; }\nstd::vector<int> table(int n) { std::vector<int> t(n); for (int i = 0; i < n; ++i) t[i] = square(i); return t; }"), "0 1 4");
    EXPECT_EQ(uploaded("std::vector<int> h(3); int base = 10; auto fill = [&](int i, int& slot) { slot = base + i; }; for (int i = 0; i < 3; ++i) fill(i, h[i]);"), "10 11 12");
    EXPECT_EQ(uploaded("Grid g(3, 2); std::vector<int> h; for (int i = 0; i < g.cells(); ++i) h.push_back(g.at(i % 3, i / 3));",
                  "struct Grid { int nx, ny; std::vector<int> v; Grid(int x, int y) : nx(x), ny(y), v(x * y) { for (size_t i = 0; i < v.size(); ++i) v[i] = 100 - int(i); } int cells() const { return nx * ny; } int& at(int x, int y) { return v[y * nx + x]; } };"),
        "100 99 98 97 96 95");
    EXPECT_EQ(uploaded("std::vector<int> h; add(h, 2); add<int>(h, 3);", "template <typename T> void add(std::vector<T>& list, T value) { list.push_back(value * T(2)); }"), "4 6");
}

TEST(HostContents, areTheOnesOfArraysOfObjects)
{
    const std::string edge = "struct Edge { short from; int to; float w; int twice() const { return 2 * to; } void move(int by) { to += by; } };";
    EXPECT_EQ(uploaded("std::vector<Edge> e; for (short i = 0; i < 3; ++i) e.push_back({ i, i * 10, 0.5f }); e[1].to += 7; Edge& last = e.back(); last.to = 99; e[0].move(5); std::vector<int> h; for (const Edge& x : e) { h.push_back(x.from); h.push_back(x.twice()); }", edge),
        "0 10 1 34 2 198");
    EXPECT_EQ(uploaded("std::vector<Edge> e(2); e[0].to = 4; std::sort(e.begin(), e.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; }); Edge copy = e[1]; copy.to = 8; std::vector<int> h { e[0].to, e[1].to, copy.to };", edge), "0 4 8");
    EXPECT_EQ(uploaded("std::vector<Edge> e(2); e[1].to = atoi(getenv(\"N\")); e[0].to = 3; std::vector<int> h { e[0].to };", edge), "3");
    EXPECT_EQ(uploaded("std::vector<float4> p(2); p[1] = make_float4(1.9f, 2, 3, 4); p[0].w = p[1].x * 2; std::vector<int> h { int(p[0].w), int(p[1].z) };"), "3 3");
    EXPECT_EQ(uploaded("Grid g(2); g.at(1) = 6; std::swap(g.at(0), g.at(1)); std::vector<int> h = g.v;", "struct Grid { std::vector<int> v; explicit Grid(int n) : v(n) {} int& at(int i) { return v[i]; } };"), "6 0");
    const std::string program = kKernel + edge + "__global__ void e(const Edge* edges) {}\nint main() { Edge h[2]; for (int i = 0; i < 2; ++i) { h[i].from = i + 1; h[i].to = -i; h[i].w = 1.0f; } Edge* d; cudaMalloc(&d, sizeof(h)); cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice); e<<<1, 32>>>(d); }";
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 1, .kernel = "e", .argument = "0" }).bytes), "1 0 1065353216 2 -1 1065353216");
}

TEST(HostContents, wrapAsTheirTypesDo)
{
    EXPECT_EQ(uploaded<std::uint32_t>("std::vector<unsigned> h; unsigned s = 2463534242u; for (int i = 0; i < 2; ++i) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; h.push_back(s); }", "", "unsigned"), "723471715 2497366906");
    EXPECT_EQ(uploaded<int>("std::vector<int> h; unsigned char b = 250; b += 10; signed char c = (signed char)200; h.push_back(b); h.push_back(c); h.push_back(-7 / 2); h.push_back(-7 % 3); h.push_back(1u - 2u > 0); h.push_back(int(3.99f));"), "4 -56 -3 -1 1 3");
    EXPECT_EQ(uploaded<std::uint16_t>("std::vector<unsigned short> h(2); h[0] = 65537; h[1] = uint16_t(-1);", "", "unsigned short"), "1 65535");
    EXPECT_EQ(uploaded<std::int64_t>("std::vector<long long> h; h.push_back(1LL << 40); h.push_back(0xffffffff + 1);", "", "long long"), "1099511627776 0");
}

TEST(HostContents, areDrawnAsTheLibraryDraws)
{
    std::mt19937 engine(42);
    std::uniform_int_distribution<int> upTo(0, 99);
    std::vector<int> drawn, order(6);
    for (int i = 0; i < 4; ++i)
        drawn.push_back(upTo(engine));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine);
    EXPECT_EQ(uploaded("std::mt19937 engine(42); std::uniform_int_distribution<int> upTo(0, 99); std::vector<int> h; for (int i = 0; i < 4; ++i) h.push_back(upTo(engine));"), fmt::format("{}", fmt::join(drawn, " ")));
    EXPECT_EQ(uploaded("std::mt19937 engine(42); std::uniform_int_distribution<int> upTo(0, 99); for (int i = 0; i < 4; ++i) upTo(engine); std::vector<int> h(6); std::iota(h.begin(), h.end(), 0); std::shuffle(h.begin(), h.end(), engine);"),
        fmt::format("{}", fmt::join(order, " ")));
    std::srand(7);
    const int first = std::rand(), second = std::rand();
    EXPECT_EQ(uploaded("srand(7); std::vector<int> h(2); for (auto& v : h) v = rand();"), fmt::format("{} {}", first, second));
}

TEST(HostContents, areSortedAndSummedByTheLibrary)
{
    EXPECT_EQ(uploaded("std::vector<int> h { 3, 1, 2 }; std::sort(h.begin(), h.end());"), "1 2 3");
    EXPECT_EQ(uploaded("std::vector<int> h { 3, 1, 2 }; std::sort(h.begin(), h.end(), [](int a, int b) { return a > b; });"), "3 2 1");
    EXPECT_EQ(uploaded("std::vector<int> n { 3, 1, 2 }, h(4, 0); for (int i = 0; i < 3; ++i) h[i + 1] = h[i] + n[i];"), "0 3 4 6");
    EXPECT_EQ(uploaded("std::vector<std::pair<int, int>> e; e.push_back({ 2, 5 }); e.emplace_back(1, 7); std::sort(e.begin(), e.end()); std::vector<int> h; for (auto& [a, b] : e) { h.push_back(a); h.push_back(b); }"), "1 7 2 5");
    EXPECT_EQ(uploaded("std::vector<std::vector<int>> rows(2); rows[1].push_back(4); rows[0].push_back(3); std::vector<int> h; for (auto& r : rows) h.insert(h.end(), r.begin(), r.end());"), "3 4");
    EXPECT_EQ(uploaded("std::vector<int> h(3); std::fill(h.begin(), h.end(), std::max(2, 5)); h[0] = std::min<int>(h[0], 4);"), "4 5 5");
}

TEST(HostContents, areKnownThroughPointersAndTheRuntime)
{
    const std::string program = kKernel + R"(
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s", cudaGetErrorString(e)); exit(1); } } while (0)
struct Device { int* rows; const int* cols; float* w; };
__global__ void s(Device d, int n) {}
int main(int argc, char** argv)
{
    if (argc < 2) { printf("usage"); return 1; }
    const int n = 4;
    int* h = (int*)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) *(h + i) = i * i;
    Device d;
    CHECK(cudaMalloc((void**)&d.rows, n * sizeof(int)));
    CHECK(cudaMemcpy(d.rows, h, n * sizeof(int), cudaMemcpyHostToDevice));
    int* m;
    cudaMallocManaged(&m, 2 * n * sizeof(int));
    m[7] = 5;
    d.cols = m;
    s<<<1, 32>>>(d, n);
    k<<<1, 32>>>(m + 6, n);
})";
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 1, .kernel = "s", .argument = "0.rows" }).bytes), "0 1 4 9");
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 1, .kernel = "s", .argument = "0.cols" }).bytes), "0 0 0 0 0 0 0 5");
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 2, .kernel = "k", .argument = "0" }).bytes), "0 5");
}

TEST(HostContents, followTheNumbersThatAreGiven)
{
    const std::string program = kKernel + "#define SCALE 3\nint main(int argc, char** argv) { const int n = argc > 1 ? atoi(argv[1]) : 2; std::vector<int> h; for (int i = 0; i < n; ++i) h.push_back(i * SCALE);"
        "int* d; cudaMalloc(&d, n * 4); cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice); int other = 9; k<<<1, 32>>>(d, other); }";
    const HostContents plain = contentsOf(program, { { .name = "n", .before = 2, .value = 3 }, { .name = "unused", .before = 1, .value = 2 } });
    EXPECT_EQ(textOf<int>(plain.bytes), "0 3 6");
    EXPECT_EQ(plain.numbers, (std::set<std::string> { "n" }));
    EXPECT_EQ(textOf<int>(contentsOf(program, { { .name = "SCALE", .before = 3, .value = 4 } }).bytes), "0 4");
    EXPECT_EQ(textOf<int>(contentsOf(program, { { .name = "n", .before = 7, .value = 3 } }).bytes), "0 3"); // another n
}

TEST(HostContents, areUnknownWhereSomethingUnknownMadeThem)
{
    EXPECT_EQ(uploaded("std::vector<int> h(2); h[0] = atoi(getenv(\"N\"));"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); int i = atoi(getenv(\"N\")); h[i] = 1;"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); if (atoi(getenv(\"N\"))) h[0] = 1;"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); for (int i = 0; i < atoi(getenv(\"N\")); ++i) h.push_back(1);"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); std::ifstream in(\"x\"); for (auto& v : h) in >> v;"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); readAll(h.data(), 2);"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); int* x; cudaMalloc(&x, 8); cudaMemcpy(h.data(), x, 8, cudaMemcpyDeviceToHost);"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); h[0] = undeclared + 1;"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); asm(\"\" : \"=r\"(h[0]));"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); h[1] = 1 / (h[0] - h[0]);"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); h[5] = 1; h[0] = h[7];"), "unknown");
}

TEST(HostContents, ofWhatIsUnknownLeaveTheRestAlone)
{
    EXPECT_EQ(uploaded("std::vector<int> h; int i = 0; outside(i++); double d = 2 * std::polar(i++, 3.0); h.push_back(i);"), "2");
    EXPECT_EQ(uploaded("std::vector<int> h(2, 3), other(2); if (atoi(getenv(\"N\"))) other[0] = 1; std::cout << other[0] << h[1] << '\\n'; printf(\"%d\", h[0]);"), "3 3");
    EXPECT_EQ(uploaded("std::vector<int> h(2); h[0] = atoi(getenv(\"N\")); h[0] = 4;"), "4 0");
    EXPECT_EQ(uploaded("std::vector<int> h(2, 1); try { h[0] = 2; } catch (const std::exception& e) { h[1] = 9; }"), "2 1");
    EXPECT_EQ(uploaded("std::vector<float> w(1 << 20); for (size_t i = 0; i < w.size(); ++i) w[i] = sinf(float(i)); std::vector<int> h { 8 };"), "8"); // too long, and no integers
}

TEST(HostContents, areUnknownWhereNobodyHasWritten)
{
    const auto allocated = [](const std::string& then) { return contentsOf(kKernel + "int main() { int* d; cudaMalloc(&d, 8); " + then + " k<<<1, 32>>>(d, 1); }").bytes; };
    EXPECT_FALSE(allocated(""));
    EXPECT_EQ(textOf<int>(allocated("cudaMemset(d, 0, 8);")), "0 0");
    EXPECT_FALSE(allocated("cudaMemset(d, 0, 8); fillIt(d);"));
    EXPECT_FALSE(allocated("cudaMemset(d, 0, 8); cudaMemcpy2D(d, 4, source, 4, 4, 2, cudaMemcpyHostToDevice);"));
}

TEST(HostContents, areUnknownWhereSomebodyElseMayHaveChangedThem)
{
    EXPECT_EQ(uploaded("std::vector<int> h(2), a(3); std::for_each_of_them(a.begin(), a.end(), [&](int x) { h[0] += 1; });"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2), a(3); auto count = [&](int x) { h[0] += 1; }; std::for_each_of_them(a.begin(), a.end(), count);"), "unknown");
    EXPECT_EQ(uploaded("if (atoi(getenv(\"N\"))) more(); std::vector<int> h { total };", "static int total = 1; void more() { int total2 = 3; total += total2; }"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h { 4 }; if (atoi(getenv(\"N\"))) more();", "void more() { int other = 3; other += 2; }"), "4"); // of its own
}

TEST(HostContents, doEachThingOnce)
{
    EXPECT_EQ(uploaded("std::vector<std::vector<int>> v(3); int i = 0; v[i++].push_back(5); std::vector<int> h { i, int(v[0].size()) };"), "1 1");
    EXPECT_EQ(uploaded("int calls = 0; auto next = [&]() { return ++calls; }; const int& first = next(); std::vector<int> h { first, calls };"), "1 1");
    EXPECT_EQ(uploaded("std::vector<int> v { 7, 2 }; const int& most = std::max(9, v.back()); std::vector<int> h { most };"), "9");
    EXPECT_EQ(uploaded("std::vector<std::pair<int, int>> e { { 1, 2 }, { 3, 4 } }; for (auto& [a, b] : e) a += 10; std::vector<int> h { e[0].first, e[1].first };"), "11 13");
}

TEST(HostContents, endWithTheWorkThatTheyMayTake)
{
    for (const char* endless : { "while (true) { }", "for (;;) { int x = 1; x = x + 1; }", "std::vector<int> other; while (true) other.push_back(1);" })
        EXPECT_EQ(uploaded(std::string("std::vector<int> h(1, 2); ") + endless), "2") << endless;
    EXPECT_EQ(uploaded("std::vector<int> h(1, 2); f(1);", "int f(int x) { return f(x + 1) + f(x + 2); }"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(1, 2); while (true) h.push_back(1);"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(size_t(1) << 60);"), "unknown");
    EXPECT_EQ(uploaded("std::vector<int> h(2); auto again = [&](auto self, int n) -> void { self(self, n); }; again(again, 1);").substr(0, 1), "0");
}

TEST(HostContents, ofAVariableThatLeadsToARingAreNoNumbers)
{
    const std::string program = "struct Node { Node* next; int value; };\n__device__ Node* head;\n__global__ void k(int* p) { p[0] = head->next->value; }\n"
        "int main() { Node* ring; cudaMalloc(&ring, 2 * sizeof(Node)); Node h[2]; h[0].next = ring + 1; h[1].next = ring; h[0].value = h[1].value = 3;\n"
        "cudaMemcpy(ring, h, sizeof h, cudaMemcpyHostToDevice); cudaMemcpyToSymbol(head, &ring, sizeof ring); int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); }";
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    const HostContents contents = hostContents(files, {}, std::nullopt);
    EXPECT_EQ(contents.launches.size(), 1u);
    EXPECT_TRUE(contents.constants.empty());
}

TEST(HostContents, tellWhatVariablesOfTheGpuHoldAndHowLargeBuffersAre)
{
    const std::string program = "#include <cuda_runtime.h>\n__constant__ unsigned keys[3]; __constant__ float scale; __constant__ int part[4]; __constant__ int asked; __device__ int other;\n"
        "__global__ void k(int* p, int n) { p[n] = keys[0] * scale + part[1] + asked; }\nint main() { unsigned h[3]; for (int i = 0; i < 3; ++i) h[i] = 0xfffffff0u + i; cudaMemcpyToSymbol(keys, h, sizeof h); float f = 0.1f; cudaMemcpyToSymbol(scale, &f, sizeof(f));\n"
        "int p[2] = { 1, 2 }; cudaMemcpyToSymbol(part, p, sizeof(p), 8); int n = atoi(getenv(\"N\")); cudaMemcpyToSymbol(asked, &n, 4);\n"
        "int *d, *e; cudaMalloc(&d, 3 * sizeof(float)); cudaMalloc(&e, n); k<<<1, 32>>>(d, 1); k<<<1, 32>>>(e, 1); }";
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    const HostContents contents = hostContents(files, {}, std::nullopt);
    const auto constant = [&](const std::string& name) {
        const auto found = contents.constants.find({ .launch = 1, .kernel = "k", .argument = name });
        return found == contents.constants.end() ? "unknown" : fmt::format("{}", fmt::join(found->second, " "));
    };
    EXPECT_EQ(constant("keys"), "4294967280 4294967281 4294967282");
    EXPECT_EQ(constant("scale"), "0.100000001");
    EXPECT_EQ(constant("part"), "0 0 1 2");
    EXPECT_EQ(constant("asked"), "unknown");
    const auto size = [&](const std::string& name) { return contents.sizes.contains({ .launch = 1, .kernel = "k", .argument = name }) ? contents.sizes.at({ .launch = 1, .kernel = "k", .argument = name }) : 0; };
    EXPECT_EQ(size("0"), 12u);
    EXPECT_EQ(size("part"), 16u);
    EXPECT_EQ(size("other"), 0u) << "the kernel does not name it";
}

TEST(HostContents, followTypesThatAreDeclaredInFunctions)
{
    EXPECT_EQ(uploaded("struct P { int y; const char* rows[3]; }; const P ps[] = { { 1, { \"ab\", \"c\", nullptr } }, { 4, { \"x\" } } }; std::vector<int> h;\n"
                       "for (const P& p : ps) for (int r = 0; p.rows[r] && r < 3; ++r) h.push_back(p.y + int(strlen(p.rows[r])));"),
        "3 2 5");
    EXPECT_EQ(uploaded("struct Edge { int to, weight; bool operator()(int x) const { return x == to; } } edges[2] = { { 3, 4 }, { 5, 6 } }; std::vector<int> h { edges[0].weight, edges[1].to, edges[1](5) };"), "4 5 1");
    EXPECT_EQ(uploaded("struct P { int x; }; std::vector<P> v; v.push_back({ 7 }); std::vector<int> h { v[0].x, int(sizeof(P)) };"), "7 4");
    EXPECT_EQ(uploaded("struct P { int x; }; P p { 3 }; std::vector<int> h { p.x };", "void other() { struct P { int a, x; }; P p { 1, 2 }; }"), "unknown") << "which one is not told apart";
}

TEST(HostContents, followTexts)
{
    for (const auto& [code, expected] : std::vector<std::pair<std::string, std::string>> {
             { "std::string s = \"ab\"; s += 'c'; s += \"d\" + std::string(\"e\"); v = { int(s.size()), s == \"abcde\", s[3], s < \"abd\" };", "5 1 100 1" },
             { "const char* n = \"17\"; v = { atoi(n), std::stoi(n + std::to_string(3)), int(strlen(n)), strcmp(n, \"17\") };", "17 173 2 0" },
             { "char n[] = \"card\", m[8] = \"at\"; v = { int(sizeof(n)), int(strlen(n)), int(strlen(m)), m[5] };", "5 4 2 0" },
             { "std::string s(\"key=\\x\"\"42\"), t(s.begin() + 4, s.end()); v = { int(s.find('=')), std::stoi(s.substr(s.size() - 2)), int(s.substr(0, 3) == \"key\"), int(t.size()) };", "3 42 1 3" },
             { "auto length = [](const std::string& s) { return int(s.size()); }; std::string s; while (s.size() < 10) s += \"abc\"; v = { length(\"four\"), length(s), length(std::string(3, 'x')), int(std::string(argv[0]).size()) };", "4 12 3 ?" } }) {
        const std::string program = kKernel + "int main(int argc, char** argv) { std::vector<int> v; " + code + " int* d; cudaMallocManaged(&d, 16); for (int i = 0; i < 4; ++i) d[i] = v[i]; k<<<1, 32>>>(d); }";
        const auto bytes = contentsOf(program, {}, { .launch = 1, .kernel = "k", .argument = "0" }).bytes;
        EXPECT_EQ(bytes ? textOf<int>(bytes) : "?", expected.ends_with('?') ? "?" : expected) << code;
    }
}

TEST(HostContents, followMaps)
{
    for (const auto& [code, expected] : std::vector<std::pair<std::string, std::string>> {
             { "std::unordered_map<std::string, int> o { { \"scale\", 4 }, { \"degree\", 12 } }; for (int i = 1; i + 1 < argc; i += 2) o[argv[i]] = atoi(argv[i + 1]); v = { o[\"scale\"], o.at(\"degree\"), o[\"none\"], int(o.size()) };", "4 12 0 3" },
             { "std::map<std::string, std::string> o; o[\"m\"] = \"1000\"; auto get = [&](const char* k) { return std::stoi(o.at(k)); }; v = { get(\"m\"), int(o.count(\"m\")), int(o.find(\"n\") == o.end()), o.find(\"m\")->second == \"1000\" };", "1000 1 1 1" },
             { "std::map<int, int> m; for (int i = 9; i > 0; --i) m[i % 3] += i; for (const auto& [key, count] : m) { v.push_back(key); v.push_back(count); }", "0 18 1 12 2 15" },
             { "std::map<int, std::vector<int>> m; for (int i = 0; i < 9; ++i) m[i % 2].push_back(i); m[7]; m.erase(7); v = { int(m.size()), int(m[0].size()), m[1][3], m.begin()->second[1] };", "2 5 7 2" },
             { "std::map<std::string, int> m; m[getenv(\"KEY\")] = 1; v = { m[\"a\"], 2, 3, 4 };", "?" } }) {
        const std::string program = kKernel + "int main(int argc, char** argv) { std::vector<int> v; " + code + " int* d; cudaMallocManaged(&d, 4 * v.size()); for (size_t i = 0; i < v.size(); ++i) d[i] = v[i]; k<<<1, 32>>>(d); }";
        const auto bytes = contentsOf(program, {}, { .launch = 1, .kernel = "k", .argument = "0" }).bytes;
        EXPECT_EQ(bytes ? textOf<int>(bytes) : "?", expected) << code;
    }
}

TEST(HostContents, ofALaunchInABranchThatIsNotTakenAreWhatTheyWouldBeThere)
{
    const std::string program = kKernel + "void go(int* d, int m) { switch (m) { case 1: k<<<1, 32>>>(d); break; case 2: d[0] = 7; k<<<2, 32>>>(d); } }\n"
        "int main() { int* a; cudaMallocManaged(&a, 4); a[0] = 1; go(a, 1); }";
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 1, .kernel = "k", .argument = "0" }).bytes), "1");
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 2, .kernel = "k", .argument = "0", .isAside = true }).bytes), "7");
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    EXPECT_EQ(hostContents(files, {}, std::nullopt).launches.size(), 2u);
}

TEST(HostContents, ofEachKernelThatOneLaunchLaunchesAreToldApart)
{
    const std::string program = kKernel + "template <int N> __global__ void t(const int* table) {}\ntemplate <int N> void go(int* d) { t<N><<<1, 32>>>(d); }\n"
        "int main() { int *a, *b; cudaMallocManaged(&a, 4); cudaMallocManaged(&b, 4); a[0] = 1; b[0] = 2; go<1>(a); go<2>(b); go<1>(b); }";
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 1, .instance = "1", .kernel = "t", .argument = "0" }).bytes), "1");
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 1, .instance = "2", .kernel = "t", .argument = "0" }).bytes), "2");
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    EXPECT_EQ(hostContents(files, {}, std::nullopt).known.size(), 2u);
}

TEST(HostContents, areTheOnesOfTheOverloadThatSuits)
{
    const std::string owner = "template <class T> class Owner { public: explicit Owner(size_t n) : n_(n) { cudaMalloc(&p_, n * sizeof(T)); } explicit Owner(const std::vector<T>& h) : Owner(h.size()) { cudaMemcpy(p_, h.data(), n_ * sizeof(T), cudaMemcpyHostToDevice); } T* data() { return p_; } private: T* p_ = nullptr; size_t n_ = 0; };\n";
    EXPECT_EQ(textOf<int>(contentsOf(kKernel + owner + "int main() { std::vector<int> h { 4, 5 }; Owner<int> d(h); k<<<1, 32>>>(d.data(), 2); }").bytes), "4 5");
    const std::string unique = "#include <memory>\nstruct Free { void operator()(void* p) const { cudaFree(p); } };\ntemplate <class T> using Device = std::unique_ptr<T[], Free>;\n"
                               "template <class T> Device<T> sent(const std::vector<T>& v) { void* p = nullptr; cudaMalloc(&p, v.size() * sizeof(T)); Device<T> d(static_cast<T*>(p)); cudaMemcpy(d.get(), v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); return d; }\n";
    EXPECT_EQ(textOf<int>(contentsOf(kKernel + unique + "int main() { std::vector<int> h { 4, 5 }; auto d = sent(h); k<<<1, 32>>>(d.get(), 2); }").bytes), "4 5");
    EXPECT_EQ(uploaded("std::vector<int> h { twice(3), twice(h2) };", "int twice(int x) { return 2 * x; }\nint twice(const std::vector<int>& v) { return 2 * v[0]; }\nstd::vector<int> h2 { 5 };"), "6 10");
}

TEST(HostContents, areReachedThroughBrackets)
{
    const std::string managed = "template <class T> struct Managed { T* p; size_t n; Managed(size_t c) : n(c) { cudaMallocManaged(&p, n * sizeof(T)); } T& operator[](size_t i) { return p[i]; } operator T*() { return p; } };\n";
    EXPECT_EQ(textOf<int>(contentsOf(kKernel + managed + "int main() { Managed<int> m(3); m[0] = 2; for (int i = 0; i < 2; ++i) m[i + 1] = m[i] * 3; k<<<1, 32>>>(m, 3); }", {}, { .launch = 1, .kernel = "k", .argument = "0" }).bytes), "2 6 18");
    EXPECT_EQ(textOf<int>(contentsOf(kKernel + managed + "int main() { Managed<int> m(2); m[0] = 2; m[1] = 3; int *now = m, *next = nullptr; k<<<1, 32>>>(now, 2); }").bytes), "2 3");
    EXPECT_EQ(uploaded("Image im(2); for (int y = 0; y < 2; ++y) for (int x = 0; x < 2; ++x) im.at(x, y) = 10 * y + x; std::vector<int> h = im.v;", "struct Image { std::vector<int> v; int w; explicit Image(int n) : v(n * n), w(n) {} int& at(int x, int y) { return v[y * w + x]; } };"), "0 1 10 11");
}

TEST(HostContents, equalsStandAsLibstdcppSortsThem)
{
    std::vector<int> order(200), key(200);
    for (int i = 0; i < 200; ++i) {
        order[std::size_t(i)] = i;
        key[std::size_t(i)] = i * 7 % 5;
    }
    const auto byKey = [&](int a, int b) { return key[std::size_t(a)] < key[std::size_t(b)]; };
    std::vector<int> sorted = order, stable = order;
    std::sort(sorted.begin(), sorted.end(), byKey);
    std::stable_sort(stable.begin(), stable.end(), byKey);
    const std::string code = "std::vector<int> h(200), key(200); for (int i = 0; i < 200; ++i) { h[i] = i; key[i] = i * 7 % 5; } std::";
    EXPECT_EQ(uploaded(code + "sort(h.begin(), h.end(), [&](int a, int b) { return key[a] < key[b]; });"), fmt::format("{}", fmt::join(sorted, " ")));
    EXPECT_EQ(uploaded(code + "stable_sort(h.begin(), h.end(), [&](int a, int b) { return key[a] < key[b]; });"), fmt::format("{}", fmt::join(stable, " ")));
    EXPECT_EQ(uploaded("std::vector<int> h { 1, 9, 3, 8, 1, 7 }; qsort(h.data(), 3, 2 * sizeof(int), byFirst);", "int byFirst(const void* a, const void* b) { const int *x = (const int*)a, *y = (const int*)b; return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1]; }"), "1 7 1 9 3 8");
    const std::string wild = uploaded("std::vector<int> h(40); for (int i = 0; i < 40; ++i) h[i] = i % 3; std::sort(h.begin(), h.end(), [](int a, int b) { return true; });"); // it contradicts itself
    EXPECT_EQ(std::ranges::count(wild, ' '), 39) << wild;
}

TEST(HostContents, areCopiedByRowsAndSetToAnyByte)
{
    const std::string rows = "int main() { std::vector<int> h { 1, 2, 3, 4 }; int* d; size_t pitch; cudaMallocPitch(&d, &pitch, 2 * sizeof(int), 2); cudaMemcpy2D(d, pitch, h.data(), 2 * sizeof(int), 2 * sizeof(int), 2, cudaMemcpyHostToDevice); k<<<1, 32>>>(d, pitch); }";
    const auto bytes = contentsOf(kKernel + rows).bytes;
    ASSERT_TRUE(bytes);
    ASSERT_EQ(bytes->size(), 1024u);
    std::array<int, 256> held;
    std::memcpy(held.data(), bytes->data(), bytes->size());
    EXPECT_EQ((std::array { held[0], held[1], held[128], held[129] }), (std::array { 1, 2, 3, 4 }));
    EXPECT_EQ(textOf<int>(contentsOf(kKernel + "int main() { int* d; int zero = 0; cudaMalloc(&d, 12); cudaMemset(d, 0xff, 12); cudaMemcpy(d + 1, &zero, sizeof(int), cudaMemcpyHostToDevice); k<<<1, 32>>>(d, 3); }").bytes), "-1 0 -1");
}

TEST(HostContents, areAsTheyWereWhereNothingIsCopied)
{
    EXPECT_EQ(textOf<int>(contentsOf(kKernel + "int main() { std::vector<int> h { 3, 4 }, none; int* d; cudaMalloc(&d, 8); cudaMemcpy(d, h.data(), 8, cudaMemcpyHostToDevice); cudaMemcpy(d, none.data(), none.size() * sizeof(int), cudaMemcpyHostToDevice); memcpy(none.data(), none.data(), 0); k<<<1, 32>>>(d, 2); }").bytes), "3 4");
}

TEST(HostContents, ofManagedMemoryAreUnknownOnceAKernelMayHaveChangedThem)
{
    const std::string program = kKernel + "__global__ void mark(int* flag) { *flag = 1; }\nint main() { int *flag, *d; cudaMallocManaged(&flag, 4); cudaMallocManaged(&d, 4); *flag = 0; *d = 5; mark<<<1, 32>>>(flag); if (*flag) *d = 6; k<<<1, 32>>>(d, 1); }";
    EXPECT_EQ(textOf<int>(contentsOf(program, {}, { .launch = 1, .kernel = "mark", .argument = "0" }).bytes), "0");
    EXPECT_FALSE(contentsOf(program, {}, { .launch = 2, .kernel = "k", .argument = "0" }).bytes) << "nobody knows what the kernel has left";
}

TEST(HostContents, stayWhereALambdaReturnsAVariableOfTheFunctionAroundIt)
{
    EXPECT_EQ(uploaded("int calls = 0; auto count = [&](int by) { calls += by; return calls; }; std::vector<int> h; for (int i = 0; i < 3; ++i) h.push_back(count(2)); h.push_back(std::clamp(calls, 0, 5));"), "2 4 6 5");
}

TEST(HostContents, tellHowLaunchesAreMade)
{
    const std::string program = kKernel + "int main() { int m = 0; for (int i = 0; i < 10; ++i) m += i; dim3 grid(m, 2), block(32, 4); k<<<grid, block, m * sizeof(float)>>>(nullptr, m); }";
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    const HostContents contents = hostContents(files, {}, std::nullopt);
    const auto launch = contents.launches.find({ .launch = 1, .kernel = "k", .argument = "" });
    ASSERT_NE(launch, contents.launches.end());
    EXPECT_EQ(launch->second.grid, (std::array<std::int64_t, 3> { 45, 2, 1 }));
    EXPECT_EQ(launch->second.block, (std::array<std::int64_t, 3> { 32, 4, 1 }));
    EXPECT_EQ(launch->second.sharedBytes, 180);
    EXPECT_EQ(launch->second.integers.at("1"), 45);
}

TEST(HostContents, membersThatAreNamedInAListGetTheirValues)
{
    const std::string type = "struct S { int a = 1, b = 2; struct { int c = 3, d = 4; } in; float2 f { 5, 6 }; };";
    EXPECT_EQ(uploaded("S s { .b = 7, .in = { .d = 8 } }; std::vector<int> h { s.a, s.b, s.in.c, s.in.d, int(s.f.x) };", type), "1 7 3 8 5");
    EXPECT_EQ(uploaded("S s = { .f { .y = 9 } }; std::vector<int> h { s.a, int(s.f.x), int(s.f.y) };", type), "1 0 9");
}

TEST(HostContents, spansLookAtWhatTheyAreMadeOf)
{
    const std::string list = "std::vector<int> v { 1, 2, 3, 4, 5 }; ";
    EXPECT_EQ(uploaded(list + "std::span<int> s(v); s[1] = 9; std::vector<int> h { int(s.size()), v[1], s.front(), s.back(), int(s.size_bytes()), s.empty() };"), "5 9 1 5 20 0");
    EXPECT_EQ(uploaded(list + "std::vector<int> h; for (int x : std::span<int>(v).subspan(1, 3)) h.push_back(x); for (int x : std::span<const int>(v.data() + 3, 2).first(1)) h.push_back(x);"), "2 3 4 4");
    EXPECT_EQ(uploaded(list + "std::vector<int> h; sum(v, h); sum({ v.data(), 2 }, h);", "void sum(std::span<const int> s, std::vector<int>& out) { int t = 0; for (int x : s) t += x; out.push_back(t); }"), "15 3");
}

TEST(HostContents, optionalValuesAreThereOrNot)
{
    const std::string find = "std::optional<int> find(int x) { if (x > 3) return x * 2; return std::nullopt; }";
    EXPECT_EQ(uploaded("auto a = find(5), b = find(1); std::vector<int> h { *a, a.value(), b.value_or(7), a.has_value(), b ? 1 : 0 };", find), "10 10 7 1 0");
    EXPECT_EQ(uploaded("std::optional<int> o; std::vector<int> h { o.has_value() }; o = 4; if (o) h.push_back(*o); o.reset(); h.push_back(o.value_or(-1));"), "0 4 -1");
}

TEST(HostContents, smartPointersGiveUpWhatTheyPointTo)
{
    EXPECT_EQ(uploaded("std::unique_ptr<int[]> a(new int[1] { 3 }), b(new int[1] { 4 }); a.swap(b); std::vector<int> h { a[0], b[0] }; std::swap(a, b); h.push_back(a[0]); int* p = a.release(); h.push_back(p[0]); h.push_back(a == nullptr);"), "4 3 3 3 1");
}

TEST(HostContents, anObjectIsAssignedAsItSaysItself)
{
    const std::string type = "struct M { int n = 0; std::vector<int> v; M& operator=(const std::vector<int>& o) { v = o; n = int(o.size()) + 10; return *this; } M& operator=(const M& o) = default; };";
    EXPECT_EQ(uploaded("M m; std::vector<int> o { 4, 5 }; m = o; M other; other = m; std::vector<int> h { m.n, other.n, other.v[1] };", type), "12 12 5");
}

TEST(HostContents, whoseFunctionsCodeCallsDoesNotDependOnWhoLooksAtItFirst)
{
    const std::string levels = "struct Grid { std::vector<int> n, out; Grid() { for (int i = 8; i > 1; i /= 2) n.push_back(i); }\n"
                               "void cycle(size_t depth = 0) { if (depth + 1 == n.size()) return; cycle(depth + 1); out.push_back(n[depth]); } };";
    EXPECT_EQ(uploaded("Grid g; int *d; float norm; cudaMemcpy(&norm, d, 4, cudaMemcpyDeviceToHost); if (norm > 1) g.cycle(); Grid g2; g2.cycle(); std::vector<int> h = g2.out;", levels), "4 8");
}

TEST(HostContents, aCopyOfFewerBytesThanNoneMakesItsTargetUnknown)
{
    EXPECT_EQ(uploaded("std::vector<int> h { 1, 2 }, o(2); int some; cudaMemcpy(&some, nullptr, 4, cudaMemcpyDeviceToHost); o[1] = some; int n = -2; memcpy(h.data(), o.data(), n * int(sizeof(int)));"), "unknown");
}

TEST(HostContents, bracesMayBeLeftOutAroundAnArray)
{
    EXPECT_EQ(uploaded("std::vector<T> t; t.push_back({ 1, 2, 3, 4 }); T u { 5, 6 }; std::vector<int> h { t[0].v[0], t[0].v[2], t[0].last, u.v[1], u.v[2], u.last };", "struct T { int v[3]; int last; };"), "1 3 4 6 0 0");
}

TEST(HostContents, anObjectIsCopiedFromByTheOnlyPointerThatItHas)
{
    EXPECT_EQ(uploaded("A a; std::vector<int> h(2); cudaMemcpy(a, o, 8, cudaMemcpyHostToDevice); memcpy(h.data(), a, 8);", "struct A { int* p; A() { cudaMallocHost(&p, 8); } operator int*() { return p; } };\nint o[2] = { 7, 8 };"), "7 8");
}

TEST(HostContents, aRecursionThatNobodyKnowsTheEndOfIsLeft)
{
    EXPECT_EQ(uploaded("Node t[64]; Node* d; cudaMalloc(&d, sizeof t); cudaMemcpy(t, d, sizeof t, cudaMemcpyDeviceToHost); std::vector<int> h { 3 }; int seen = 0; walk(t, 63, seen); h.push_back(4);",
                  "struct Node { int left, right; }; void walk(const Node* t, int at, int& seen) { ++seen; if (t[at].left < 0) return; walk(t, t[at].left, seen); walk(t, t[at].right, seen); }"),
        "3 4");
}

TEST(HostContents, setsAndListsAreInTheirOrder)
{
    EXPECT_EQ(uploaded("std::set<int> s { }; s.insert(5); s.insert(2); s.insert(5); s.emplace(9); s.erase(2); std::vector<int> h; for (int v : s) h.push_back(v); h.push_back(s.count(9)); h.push_back((int)s.size()); h.push_back(s.find(4) == s.end());"), "5 9 1 2 1");
    EXPECT_EQ(uploaded("int t[2][2] = { { 7, 3 }, { 3, 1 } }; std::multiset<int> s; for (int k = 0; k < 2; ++k) s.insert(t[k], t[k] + 2); std::vector<int> h; h.insert(h.end(), s.begin(), s.end());"), "1 3 3 7");
    EXPECT_EQ(uploaded("std::list<std::pair<int, int>> l; l.push_back({ 1, 2 }); l.push_front(std::make_pair(3, 3)); l.push_front({ 4, 5 }); l.remove_if([](const std::pair<int, int>& p) { return p.first == p.second; });\n"
                       "std::vector<int> h; for (std::list<std::pair<int, int>>::iterator it = l.begin(); it != l.end(); ++it) h.push_back(it->first * 10 + it->second);"),
        "45 12");
    const std::string edge = "struct Edge { int to, cost; bool operator<(const Edge& o) const { return to < o.to; } };\n";
    EXPECT_EQ(uploaded("std::set<Edge> s; s.insert(Edge { 4, 1 }); s.insert(Edge { 2, 2 }); s.insert(Edge { 4, 3 }); std::vector<int> h; for (const Edge& e : s) h.push_back(e.cost);", edge), "2 1") << "by its own comparison";
    EXPECT_EQ(uploaded("std::set<int> s; s.insert(time(0)); s.insert(1); std::vector<int> h(2); for (int v : s) h[0] = v;"), "unknown");
}

TEST(HostContents, enumerationsOfFunctionsAndTheirTypesCount)
{
    EXPECT_EQ(uploaded("enum { N = 3, M }; std::vector<int> h(N, M);"), "4 4 4");
    EXPECT_EQ(uploaded<std::int16_t>("std::vector<Layer> h(1); h[0] = Layer { 300, Mode::Fast, 2 };", "enum class Mode : uint8_t { Slow, Fast };\nstruct Layer { short n; Mode mode; unsigned char bits; };\n", "Layer"), "300 513");
}

TEST(HostContents, noOptionsAreGiven)
{
    EXPECT_EQ(uploaded("int n = 2; for (int c; (c = getopt(0, nullptr, \"n:\")) != -1;) if (c == 'n') n = atoi(optarg); std::vector<int> h(n, 7);"), "7 7");
}

TEST(HostContents, aKernelIsNoLambdaOfItsName)
{
    const std::string program = "#include <cuda_runtime.h>\nnamespace kernels { __global__ void k(const int* t, int n) {} }\nint main() { int h[2] = { 4, 5 }; int* d; cudaMalloc(&d, 8); cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice); auto k = [&](int n) { kernels::k<<<1, 32>>>(d, n); }; k(2); }\n";
    EXPECT_EQ(textOf<int>(contentsOf(program).bytes), "4 5");
}

TEST(HostContents, checksThatNameTheirFileAndLineLeaveWhatTheyCheck)
{
    const std::string macros = "#define STR2(x) #x\n#define STR(x) STR2(x)\n#define MUST(e) must((e), __FILE__ \":\" STR(__LINE__))\nvoid must(cudaError_t e, const char* where) { if (e != cudaSuccess) exit(1); }\n";
    EXPECT_EQ(uploaded("int n = 3; int* other; MUST(cudaMalloc(&other, n * 4)); std::vector<int> h(n, n);", macros), "3 3 3");
}

TEST(HostContents, objectsThatMayHaveBeenSwappedHaveWhatBothHad)
{
    const std::string view = "struct View { int* p; int w, h; };\n";
    EXPECT_EQ(uploaded("View a { nullptr, 5, 6 }, b { nullptr, 5, 7 }; if (getenv(\"A\")) std::swap(a, b); std::vector<int> h { a.w, b.w };", view), "5 5");
    EXPECT_EQ(uploaded("View a { nullptr, 5, 6 }, b { nullptr, 5, 7 }; if (time(nullptr) % 2) std::swap(a, b); std::vector<int> h { a.w, b.h };", view), "unknown");
}

TEST(HostContents, whatIsCopiedToMemoryThatHasJustBeenAllocatedIsKnown)
{
    const std::string pinned = "template <class T> struct Pinned { T* p = nullptr; size_t n; explicit Pinned(std::span<const T> s) : n(s.size()) { cudaMallocHost((void**)&p, n * sizeof(T)); std::copy(s.begin(), s.end(), p); } explicit Pinned(int) { } };\n";
    EXPECT_EQ(uploaded("std::vector<int> v { 4, 7, 9 }; Pinned<int> pinned(v); std::vector<int> h(3); std::copy(pinned.p + 1, pinned.p + 3, h.begin());", pinned), "7 9 0");
}

TEST(HostContents, classesOfTheProgramsWithNamesOfTheLibrarysAreTheirOwn)
{
    const std::string own = "template <class T> struct device_vector { T* p = nullptr; int n = 0; explicit device_vector(int count) : n(count * 2) { } explicit device_vector(std::span<const T> s) : n(int(s.size()) * 10) { } };\n";
    EXPECT_EQ(uploaded("std::vector<int> v(4); device_vector<float> a(3); device_vector<int> b(v); std::vector<int> h { a.n, b.n, int(v.size()) };", own), "6 40 4");
}

TEST(HostContents, cubSortsAndScansWhatIsKnown)
{
    const auto given = [](const std::string& call, const std::string& asked) {
        return contentsOf(kKernel + "int main()\n{\nstd::vector<int> h { 5, -3, 260, 5, 0 }, v { 0, 1, 2, 3, 4 }; const int n = h.size(); int *a, *b, *c, *d; float* f; void* tmp = nullptr; size_t bytes = 0;\n"
                                   "cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4); cudaMalloc(&d, n * 4); cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice); cudaMemcpy(c, v.data(), n * 4, cudaMemcpyHostToDevice);\n"
                                   + call + "; cudaMalloc(&tmp, bytes); " + call + "; k<<<1, 32>>>(" + asked + ", n); }\n")
            .bytes;
    };
    EXPECT_EQ(textOf<int>(given("cub::DeviceScan::ExclusiveSum(tmp, bytes, a, b, n)", "b")), "0 5 2 262 267");
    EXPECT_EQ(textOf<int>(given("check(cub::DeviceScan::InclusiveSum(tmp, bytes, a, a, n))", "a")), "5 2 262 267 267");
    EXPECT_EQ(textOf<int>(given("cub::DeviceRadixSort::SortKeys(tmp, bytes, a, b, n)", "b")), "-3 0 5 5 260");
    EXPECT_EQ(textOf<int>(given("cub::DeviceRadixSort::SortPairsDescending(tmp, bytes, a, b, c, d, n)", "d")), "2 0 3 4 1") << "equals stay as they were";
    EXPECT_EQ(textOf<int>(given("cub::DeviceRadixSort::SortPairs(tmp, bytes, a, b, c, d, n, 0, 8)", "b")), "0 260 5 5 -3") << "by their lowest byte";
    EXPECT_EQ(textOf<int>(given("cub::DeviceReduce::Sum(tmp, bytes, a, b, n)", "b")), "unknown");
    EXPECT_EQ(textOf<int>(given("cub::DeviceScan::ExclusiveSum(tmp, bytes, a, b, other())", "b")), "unknown");
}

TEST(HostContents, loopsThatCallALambdaWhichChangesMoreThanRealNumbersAreFollowed)
{
    // The lambda is given numbers, and itself changes what it has captured.
    EXPECT_EQ(uploaded("std::vector<int> h(4); std::vector<std::vector<std::pair<int, double>>> rows(4); auto couple = [&](int a, int b) { const double w = 0.5; rows[a % 4].emplace_back(b, -w); };"
                       "for (int j = 0; j < 100; ++j) for (int i = 0; i < 120; ++i) couple(j + i, i); for (int r = 0; r < 4; ++r) h[r] = int(rows[r].size());"),
        "3000 3000 3000 3000");
}

TEST(HostContents, loopsThatMakeRealNumbersOfHalvesOrAskATemplateForItsConstantsAreCompiled)
{
    constexpr std::int64_t kFewSteps = 10'000'000;
    const std::string program = kKernel + "template <int B> struct Bits { static constexpr int perWord = 32 / B, bits = B; }; struct Layer { std::vector<__half> scales; std::vector<float> values; std::vector<int> packed; };\n"
        "template <int B> Layer make(int n) { using T = Bits<B>; Layer l; l.scales.resize(n); l.values.resize(n); l.packed.resize(n / T::perWord); for (auto& s : l.scales) s = __float2half(0.5f);"
        "for (int i = 0; i < l.packed.size(); ++i) { int word = i * 7; l.packed[i] = word; for (int k = 0; k < T::perWord; ++k) l.values[i * T::perWord + k] = ((word >> (T::bits * k)) & 15) * __half2float(l.scales[i]); } return l; }\n"
        "int main() { Layer l = make<4>(1 << 20); int* d; cudaMalloc(&d, l.packed.size() * 4); cudaMemcpy(d, l.packed.data(), l.packed.size() * 4, cudaMemcpyHostToDevice); k<<<1, 32>>>(d, l.packed.size()); }\n";
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    const HostContents contents = hostContents(files, {}, HostBuffer { .launch = 1, .kernel = "k", .argument = "0" }, {}, kFewSteps);
    ASSERT_TRUE(contents.bytes);
    EXPECT_EQ(contents.bytes->size(), (std::size_t(1) << 20) / 8 * 4);
    int last = 0;
    std::memcpy(&last, contents.bytes->data() + contents.bytes->size() - 4, 4);
    EXPECT_EQ(last, 7 * ((1 << 17) - 1));
}

TEST(HostContents, bitFieldsHoldNumbersAndLieInTheObjectsBytes)
{
    const std::string policy = "struct Policy { float account; std::uint32_t sex : 1; std::uint32_t months : 9; int region = 3; };\n";
    EXPECT_EQ(uploaded("std::vector<Policy> v(4); for (int i = 0; i < 4; ++i) { v[i] = Policy{}; v[i].sex = i & 1; v[i].months = 100 - 7 * i; }"
                       "std::sort(v.begin(), v.end(), [](const Policy& a, const Policy& b) { return a.months < b.months; }); std::vector<int> h(4); for (int i = 0; i < 4; ++i) h[i] = 1000 * v[i].sex + v[i].months + v[i].region;",
                  policy),
        "1082 89 1096 103");
    EXPECT_EQ(uploaded("Policy p { 1, 1, 40 }; std::vector<unsigned char> bytes(sizeof(Policy)); std::memcpy(bytes.data(), &p, sizeof(Policy)); std::vector<int> h(2); h[0] = bytes[4]; h[1] = 7;", policy), "81 7");
}

TEST(HostContents, smallTablesOfRealNumbersInArraysAreKept)
{
    const std::string matrix = "struct Matrix { float m[2][3]; };\n__constant__ Matrix c_all[2];\n";
    const std::string program = kKernel + matrix + "__global__ void reads(float* x) { x[0] = c_all[1].m[0][1]; }\nint main() { Matrix all[2]; float s = 4; for (Matrix& one : all) { one = { { { 1, 2, s }, { s, 5, 6 } } }; s += 1; } cudaMemcpyToSymbol(c_all, all, sizeof(all)); float* d; cudaMalloc(&d, 64); reads<<<1, 32>>>(d); }";
    EXPECT_EQ(textOf<float>(contentsOf(program, {}, { .launch = 1, .kernel = "reads", .argument = "c_all" }).bytes), "1 2 4 4 5 6 1 2 5 5 5 6");
}

TEST(HostContents, areWhatTheProgramsOwnOperatorsMake)
{
    const std::string types = "struct V { int x, y; V operator-(const V& o) const { return { x - o.x, y - o.y }; } V& operator+=(const V& o) { x += o.x; y += o.y; return *this; } };\n"
                              "inline V operator*(V a, int s) { return { a.x * s, a.y * s }; }\ninline V operator-(V a) { return { -a.x, -a.y }; }\n"
                              "inline bool operator==(V a, V b) { return a.x == b.x && a.y == b.y; }\ninline int2 operator+(int2 a, int2 b) { return make_int2(a.x + b.x, a.y + b.y); }";
    EXPECT_EQ(uploaded("V a{7, 5}, b{2, 1}, c = (a - b) * 3; V d = -c; c += a; a += b; int2 e = make_int2(1, 2) + make_int2(10, 20);\n"
                       "std::vector<int> h { c.x, c.y, d.x, d.y, a.x, a.y, a == b, b == V{2, 1}, e.x, e.y };", types), "22 17 -15 -12 9 6 0 1 11 22");
}

TEST(HostContents, ofLaunchesOnTheWayAreKeptWithThoseAskedFor)
{
    const HostContents contents = contentsOf(
        "#include <cuda_runtime.h>\n__global__ void first(const int* a, int* b) {}\n__global__ void k(const int* a, const int* b, const int* c) {}\n"
        "int main()\n{\n    int h[2] = { 4, 5 }, *a, *b, *c;\n    cudaMalloc(&a, 8); cudaMalloc(&b, 8); cudaMalloc(&c, 8);\n"
        "    cudaMemcpy(a, h, 8, cudaMemcpyHostToDevice);\n    cudaMemcpy(c, h, 8, cudaMemcpyHostToDevice);\n    first<<<1, 32>>>(a, b);\n    k<<<1, 32>>>(a, b, c);\n}\n",
        {}, { .launch = 2, .kernel = "k", .argument = "2" });
    EXPECT_EQ(textOf<int>(contents.bytes), "4 5");
    const auto beside = [&](const HostBuffer& buffer) { return contents.beside.contains(buffer) ? textOf<int>(contents.beside.at(buffer).bytes) : "not kept"; };
    EXPECT_EQ(beside({ .launch = 1, .kernel = "first", .argument = "0" }), "4 5");
    EXPECT_EQ(beside({ .launch = 2, .kernel = "k", .argument = "0" }), "4 5");
    EXPECT_EQ(beside({ .launch = 2, .kernel = "k", .argument = "1" }), "not kept") << "an earlier launch may have written to it";
}

TEST(HostContents, memoryIsNotedByTheKernelThatWasGivenItLast)
{
    const std::string program = "__global__ void first(int* p) { p[threadIdx.x] = 1; }\n__global__ void second(int* p) { p[threadIdx.x] = 2; }\n__global__ void third(const int* p, int* q) { q[threadIdx.x] = p[threadIdx.x]; }\n"
                                "template <class K, class... A> void go(K kernel, A... given) { kernel<<<1, 32>>>(given...); }\n" // all launched on one line
                                "int main() { int *p, *q; cudaMalloc(&p, 128); cudaMalloc(&q, 128); go(first, p); go(second, p); go(third, p, q); }\n";
    const std::vector<ProgramFile> files { { .text = program, .names = {} } };
    const HostContents contents = hostContents(files, {}, {});
    std::map<std::string, std::string> taken;
    for (const auto& [buffer, kernel] : contents.taken)
        taken[buffer.kernel + " " + buffer.argument] = kernel;
    EXPECT_EQ(taken, (std::map<std::string, std::string> { { "second 0", "first" }, { "third 0", "second" } }));
}
