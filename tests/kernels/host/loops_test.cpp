// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/host/compiled_program.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace coalescope::kernels;

namespace {

// NOLINTBEGIN
PROGRAM(arithmetic, unsigned char small = 0; float step = 0; for (int i = 0; i < 3000; ++i) {
    h.push_back(++small);
    h.push_back(small--);
    ++small;
    h.push_back(int(++step));
    h.push_back(int(step--));
    ++step;
    int twice = 0;
    int both = twice = i + 1;
    h.push_back(both + twice);
    h.push_back((small += 3) + (twice -= 5));
    unsigned char c = (unsigned char)(i * 7);
    c += 250;
    signed char d = (signed char)c;
    short x = d;
    x <<= 9;
    unsigned u = 2463534242u + i;
    u ^= u << 13;
    u ^= u >> 17;
    u *= 1664525u;
    h.push_back(c);
    h.push_back(x);
    h.push_back(int(u % 1000u));
    h.push_back(i / 7 - i % 3 + (-i) / 4 + (-i) % 5);
    h.push_back((i && c) || !d);
    h.push_back(~i ^ (i << 3));
    h.push_back(int(i > 10 ? i : 2.5f));
    h.push_back(i++);
    --i;
})
PROGRAM(longNumbers, unsigned long long z = 1; unsigned long long y = 88172645463325252ull; for (int i = 0; i < 3000; ++i) {
    z = z * 6364136223846793005ll + 1;
    y ^= y << 13;
    y ^= y >> 7;
    y ^= y << 17;
    h.push_back(int(z >> 33));
    h.push_back(int(y % 1000));
    h.push_back(y > 9223372036854775808ull ? 1 : 0);
})
PROGRAM(reals, double a = 0; float b = 0; for (int i = 0; i < 3000; ++i) {
    a += 1.0 / (i + 1);
    b += 1.0f / (i + 1);
    float c = float(i) * 0.1f;
    h.push_back(int(a * 100000));
    h.push_back(int(b * 10000));
    h.push_back(int(1000 * std::sin(c)));
    h.push_back((int)std::floor(-i / 3.0));
    h.push_back(std::abs(-i) + int(std::fabs(-0.5 * i)));
    h.push_back(int(std::max(a, 7.0)) - int(std::pow(1.001, i)));
})
struct Edge {
    int u;
    int v;
    float w;
};
const std::string kEdge = "struct Edge { int u; int v; float w; };\n";
PROGRAM(objects, std::vector<Edge> e; std::vector<std::pair<int, int>> p; unsigned s = 7; for (int i = 0; i < 3000; ++i) {
    s = s * 1664525u + 1013904223u;
    int u = int((s >> 8) % 1000);
    int v = int((s >> 20) % 1000);
    if (u == v)
        continue;
    e.push_back({ u, v, 0.5f * float(u) });
    p.emplace_back(v, u);
    if (i % 3 == 0) {
        Edge f = { 0, 0, 0.0f };
        f.u = u + 1;
        f.v = v;
        e.push_back(f);
    }
} for (const auto& x : e) {
    h.push_back(x.u);
    h.push_back(int(x.w));
} for (auto [a, b] : p) h.push_back(a * 3 + b); for (auto& [a, b] : p) {
    a += 1;
    b = a > b ? b : a;
} for (std::size_t i = 0; i < p.size(); ++i) {
    h.push_back(p[i].first);
    auto q = p[i];
    q.second -= 4;
    h.push_back(q.second);
} for (std::size_t i = 0; i + 1 < e.size(); ++i) {
    Edge t = e[i];
    e[i] = e[i + 1];
    e[i + 1] = t;
} for (Edge x : e) {
    x.u *= 2;
    h.push_back(x.u);
})
PROGRAM(pointers, const int n = 3000; int* q = (int*)std::malloc(n * sizeof(int)); for (int i = 0; i < n; ++i) q[i] = i ^ 5; for (int i = 0; i < n; ++i) {
    int* row = q + i;
    row[0] += 2;
    h.push_back(*row + *(q + i / 2));
} for (int r = 0; r < 50; ++r) {
    int* at = q;
    for (int i = 0; i < 40; ++i)
        *at++ += r;
} for (int i = n - 1; i > 0; --i) {
    int j = (i * 7919) % (i + 1);
    std::swap(q[i], q[j]);
} for (int i = 0; i < n; ++i) h.push_back(q[i]); int hist[16] = { 0 }; for (int i = 0; i < n; ++i) hist[q[i] & 15]++; for (int v : hist) h.push_back(v); std::free(q);)
PROGRAM(rows, const int n = 500; std::vector<unsigned> row(n * 8); for (int v = 0; v < n; ++v) {
    unsigned* at = row.data() + v * 8;
    for (int d = 0; d < 8; ++d)
        at[d] = unsigned(v * 7919 + d * 104729) % 1009u;
    std::sort(at + 1, at + 8);
} for (unsigned r : row) h.push_back(int(r)); for (int v = 0; v < 300; ++v) std::sort(h.begin() + v, h.begin() + v + 9);)
PROGRAM(flow, const int n = 3000; for (int i = 0; i < n; ++i) {
    const int d[4] = { 1, -1, n, -n };
    int best = 0;
    for (int x : d)
        best = std::max(best, i + x);
    for (int x : { 3, 4 })
        best += x;
    h.push_back(best);
} for (int i = 0; i < n; ++i) switch (i % 5) {
case 0:
case 1: h.push_back(2); break;
default: h.push_back(9); break;
case 3: continue;
} int i = 0; do { h.push_back(i--); } while (i > -n); while (true) {
    if (++i > n)
        break;
    if (i & 1)
        continue;
    h.push_back(i);
    for (int k = 0; k < 3; ++k)
        if (k == i % 4)
            break;
})
int square(int x) { return x * x; }
int clamped(int x, int most = 100)
{
    if (x < 0)
        return 0;
    return x > most ? most : x;
}
template <class T> void add(std::vector<T>& to, T value) { to.push_back(value * T(2)); }
struct Grid {
    int nx, ny, seen;
    Grid(int x, int y) : nx(x), ny(y), seen(0) { }
    int at(int x, int y)
    {
        ++seen;
        return y * nx + x;
    }
};
const std::string kFunctions = "int square(int x) { return x * x; }\nint clamped(int x, int most = 100) { if (x < 0) return 0; return x > most ? most : x; }\n"
                               "template <class T> void add(std::vector<T>& to, T value) { to.push_back(value * T(2)); }\n"
                               "struct Grid { int nx, ny, seen; Grid(int x, int y) : nx(x), ny(y), seen(0) { } int at(int x, int y) { ++seen; return y * nx + x; } };\n";
PROGRAM(functions, Grid g(30, 20); int calls = 0; auto count = [&](int by) { calls += by; return calls; }; auto id = [=](int x, int y) { return y * 7 + x; }; for (int r = 0; r < 5; ++r) for (int y = 0; y < g.ny; ++y) for (int x = 0; x < g.nx; ++x) {
    h.push_back(g.at(x, y) + square(x - y));
    h.push_back(clamped(x * y - 50) + clamped(x, 3));
    h.push_back(id(x, y) + count(2));
    add(h, x + y);
    add<int>(h, 1);
} h.push_back(g.seen); h.push_back(calls);)
PROGRAM(randomNumbers, std::mt19937 g(3); std::uniform_int_distribution<int> di(-5, 900); std::uniform_real_distribution<float> dr(0.f, 50.f); std::normal_distribution<double> dn(0, 100); std::srand(9); for (int j = 0; j < 3000; ++j) {
    h.push_back(di(g));
    h.push_back(int(dr(g)));
    h.push_back(int(g() % 77));
    h.push_back(int(dn(g)));
    h.push_back(std::rand() % 100);
})
// NOLINTEND

} // namespace

TEST(HostLoops, computeAsTheirTypesDo)
{
    expectAsCompiled(arithmetic, arithmeticText);
    expectAsCompiled(longNumbers, longNumbersText);
    expectAsCompiled(reals, realsText);
}

TEST(HostLoops, keepObjectsAndPairs) { expectAsCompiled(objects, objectsText, kEdge); }

TEST(HostLoops, followPointersAndArrays) { expectAsCompiled(pointers, pointersText); }

TEST(HostLoops, sortRowsOfNumbers) { expectAsCompiled(rows, rowsText); }

TEST(HostLoops, leaveAndGoOnWhereTheProgramDoes) { expectAsCompiled(flow, flowText); }

TEST(HostLoops, callFunctionsLambdasAndMembers) { expectAsCompiled(functions, functionsText, kFunctions); }

TEST(HostLoops, drawAsTheLibraryDraws) { expectAsCompiled(randomNumbers, randomNumbersText); }

TEST(HostLoops, thatReadWhatIsNotThereMakeUnknownWhatTheyChange)
{
    const auto contentsOf = [](const std::string& code) {
        const std::string text = "#include <vector>\n__global__ void k(const int* t) {}\nint main() { std::vector<int> h(5000, 1), z(5000, 1), other(5000, 2); " + code
            + " int* d; cudaMalloc(&d, 4 * h.size()); cudaMemcpy(d, h.data(), 4 * h.size(), cudaMemcpyHostToDevice); k<<<1, 32>>>(d); cudaMemcpy(d, other.data(), 4 * other.size(), cudaMemcpyHostToDevice); k<<<1, 32>>>(d); }";
        const std::vector<ProgramFile> files { { .text = text, .names = {} } };
        return std::pair(hostContents(files, {}, HostBuffer { .launch = 1, .kernel = "k", .argument = "0" }, {}, 3'000'000).bytes.has_value(),
            hostContents(files, {}, HostBuffer { .launch = 2, .kernel = "k", .argument = "0" }, {}, 3'000'000).bytes.has_value());
    };
    EXPECT_EQ(contentsOf("for (int i = 0; i < 5000; ++i) h[i] = i / z[i];"), std::pair(true, true));
    EXPECT_EQ(contentsOf("z[4500] = 0; for (int i = 0; i < 5000; ++i) h[i] = i / z[i];"), std::pair(false, true));
    EXPECT_EQ(contentsOf("for (int i = 0; i < 5000; ++i) h[i] = z[i + 300];"), std::pair(false, true));
    EXPECT_EQ(contentsOf("for (int i = 0; true; ++i) h[i % 5000] = i;"), std::pair(false, true)); // it never ends
}
