// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/host/compiled_program.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <cctype>
#include <cmath>
#include <tuple>
#include <set>
#include <compare>
#include <functional>
#include <array>
#include <bit>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <stdexcept>
#include <string>
#include <unordered_map>

using namespace coalescope::kernels;

// What stands before main: compiled into this test, and its text.
#define BEFORE(name, ...) \
    __VA_ARGS__ \
    const std::string name = #__VA_ARGS__;

namespace {

// NOLINTBEGIN
PROGRAM(left, std::vector<int> v; for (int i = 0; i < 40; ++i) v.push_back(i); for (auto it = v.begin(); it != v.end();) if (*it % 3 == 0) it = v.erase(it); else ++it; h.insert(h.end(), v.begin(), v.end()); h.push_back(int(std::erase_if(v, [](int x) { return x % 5 == 1; }))); h.push_back(int(std::erase(v, 7))); v.erase(v.begin() + 2, v.begin() + 5); v.insert(v.begin() + 1, 99); v.insert(v.begin() + 3, { 5, 6 }); v.insert(v.end(), { 7 }); v.emplace(v.begin() + 2, 55); for (int i = 0; i < 600; ++i) v.emplace(v.begin(), i * 3 % 7); h.insert(h.end(), v.begin(), v.end());
    std::map<int, int> m; for (int i = 0; i < 20; ++i) m[i * 7 % 20] = i; for (auto it = m.begin(); it != m.end();) it = it->second % 2 ? m.erase(it) : std::next(it); h.push_back(int(m.size())); h.push_back(int(std::erase_if(m, [](const auto& e) { return e.first > 10; }))); for (auto& [key, held] : m) h.push_back(key * 100 + held); std::list<int> l { 1, 2, 3 }; auto at = l.begin(); ++at; l.erase(at); h.insert(h.end(), l.begin(), l.end());)

BEFORE(kMember, struct Pair2 { int k, v; };)
PROGRAM(chosen, std::vector<Pair2> p; for (int i = 0; i < 100; ++i) p.push_back({ i * 37 % 23, i }); std::ranges::sort(p, {}, &Pair2::k); for (auto& x : p) h.push_back(x.v); std::ranges::stable_sort(p, std::greater {}, [](const Pair2& x) { return x.v % 10; }); for (auto& x : p) h.push_back(x.v); std::vector<int> v { 0, 1, 2, 3, 4 }; int c = 0; do { if (v[0] < v[4]) c++; } while (std::next_permutation(v.begin(), v.end())); h.push_back(c); std::prev_permutation(v.begin(), v.end()); h.insert(h.end(), v.begin(), v.end());
    std::vector<int> w(60), o; std::iota(w.begin(), w.end(), 0); auto middle = std::stable_partition(w.begin(), w.end(), [](int x) { return x % 4 == 1; }); h.push_back(int(middle - w.begin())); std::partition(w.begin(), w.end(), [](int x) { return x % 3; }); std::copy_if(w.begin(), w.end(), std::back_inserter(o), [](int x) { return x % 11 < 3; }); h.insert(h.end(), w.begin(), w.end()); h.insert(h.end(), o.begin(), o.end()); h.push_back(std::gcd(84, 36) + std::lcm(6, 8));)

PROGRAM(thrown, int s = 0; for (int i = 0; i < 10; ++i) { try { if (i % 3 == 0) throw std::runtime_error("x"); s += i; } catch (const std::exception&) { s += 100; } h.push_back(s); })

BEFORE(kFriend, struct V2 { int x, y; friend V2 operator+(V2 a, V2 b) { return { a.x + b.x, a.y + b.y }; } V2 operator*(int k) const { return { x * k, y * k }; } }; struct Grown { std::vector<std::array<int, 4>> go = std::vector<std::array<int, 4>>(2); int other = 5; };
    class Builder { std::vector<int>& m_out; int m_step; public: Builder(std::vector<int>& out, int step) : m_out(out), m_step(step) {} void add(int n) { for (int i = 0; i < n; ++i) m_out.push_back(i * m_step); } };)
PROGRAM(everyday, V2 a { 1, 2 }, b { 3, 4 }; V2 c = a + b * 2; h.push_back(c.x * 100 + c.y); Grown g; h.push_back(int(g.go.size()) * 10 + g.other); Builder out(h, 3); out.add(4); Builder copy = out; copy.add(2); float f = 8.5f; unsigned u; std::memcpy(&u, &f, 4); h.push_back(int(u >> 13)); h.push_back(int(std::bit_cast<unsigned>(16.0f) >> 3)); std::memcpy(&f, &u, 4); h.push_back(int(f * 2)); std::vector<unsigned char> bytes(8, 1); int two[2] = { 770, 5 }; int one = 1027; std::memcpy(bytes.data() + 4, &one, 4); for (auto x : bytes) h.push_back(x); std::memcpy(&one, two, 4); h.push_back(one);)

PROGRAM(seen, std::vector<int> v; for (int i = 0; i < 50; ++i) v.push_back(i * i % 23); int s = 1; for (int x : v | std::views::take(10)) s += x; h.push_back(s); for (int x : v | std::views::drop(3) | std::views::filter([](int a) { return a % 2; }) | std::views::transform([](int a) { return a * 3; })) h.push_back(x); for (int& x : v | std::views::take(4)) x = 100 + x; for (int x : std::views::reverse(v)) h.push_back(x); for (int x : v | std::views::reverse | std::views::take(2)) h.push_back(x);
    for (int i : std::views::iota(3, 7)) h.push_back(i); std::map<int, int> m { { 4, 1 }, { 2, 9 } }; for (int x : m | std::views::values) h.push_back(x); for (int x : m | std::views::keys) h.push_back(x); for (int x : v | std::views::take_while([](int a) { return a > 20; })) h.push_back(x);)

BEFORE(kWithin, struct Inner { int* place; int a, b; }; struct Outer { int first; Inner in; std::array<Inner, 2> two; }; int fill(Inner* made, int w) { made->a = w; made->b = 2 * w; made->place = &made->a; *made->place += 1; return 0; }
    class Holder { Inner m_in { }; public: int other = 3; explicit Holder(int w) { fill(&m_in, w); } Inner get() const { return m_in; } };)
PROGRAM(within, Outer o {}; o.first = 7; fill(&o.in, 5); fill(&o.two[1], 9); Inner* p = &o.in; p->b += 3; h = { o.first, o.in.a, o.in.b, o.two[1].a, o.two[1].b }; Holder held(30); h.push_back(held.get().a + held.get().b); h.push_back(held.other);)

PROGRAM(parts, int nx = 20; const std::array<std::array<float, 2>, 3> centres { { { nx * 0.2f, 3.f }, { nx * 0.5f, 7.5f }, { 1.f, 2.f } } }; for (int x = 0; x < 9; ++x) for (const auto& [cx, cy] : centres) h.push_back(int(10 * std::hypot(x - cx, x - cy)));
    std::array<std::array<int, 2>, 2> pairs { { { 1, 2 }, { 3, 4 } } }; for (auto& [a, b] : pairs) { a += 10; b *= a; } for (auto [a, b] : pairs) { h.push_back(a); h.push_back(b); a = 0; } int table[2][2] = { { 5, 6 }, { 7, 8 } }; for (auto& [a, b] : table) std::swap(a, b); h.push_back(table[0][0] * 100 + table[1][1]); auto& [first, second] = pairs[1]; first = second + 1; h.push_back(pairs[1][0]);)

BEFORE(kNext, struct Next { int c = 13; int operator()() { return ++c; } };)
PROGRAM(ordered, Next nx; std::minstd_rand draw(99); std::string q; std::fill_n(std::back_inserter(q), 2 + nx() % 3, char(97 + nx() % 3)); for (int i = 0; i < 30; ++i) std::fill_n(std::back_inserter(q), 20 + draw() % 60, char('a' + draw() % 3)); for (char x : q) h.push_back(x);
    std::vector<int> w(9); std::fill(w.begin() + nx() % 3, w.end(), nx()); w.resize(11 + nx() % 3, nx()); w.insert(w.begin() + nx() % 3, nx()); for (int t = 0; t < 9; ++t) std::swap(w[nx() % 7], w[nx() * 5 % 9]); std::iter_swap(w.begin() + nx() % 7, w.begin() + nx() * 3 % 7); h.insert(h.end(), w.begin(), w.end());
    w.assign(5 + nx() % 3, nx()); h.insert(h.end(), w.begin(), w.end()); h.push_back(std::clamp(nx() % 7, nx() % 3, 4 + nx() % 3)); h.push_back(std::max(nx() % 5, nx() % 3)); for (char x : std::string("abcdefghijk").substr(nx() % 4, 1 + nx() % 4)) h.push_back(x);
    std::vector<int> v { 1, 2, 3, 4, 5, 6 }; h.push_back(std::accumulate(v.begin() + nx() % 2, v.end(), nx())); for (int i = 0; i < 200; ++i) h.push_back(std::max(int(draw() % 50), int(draw() % 90)));)

BEFORE(kRow, struct Row { int k, v; bool operator<(const Row& other) const { return k < other.k; } };)
PROGRAM(backwards, std::vector<int> v; std::vector<Row> rows; for (int i = 0; i < 200; ++i) { v.push_back(i * 37 % 101); rows.push_back({ i * 7 % 13, i }); } std::sort(v.rbegin(), v.rend()); std::sort(rows.rbegin(), rows.rend()); for (int x : v) h.push_back(x); for (auto& r : rows) h.push_back(r.v); std::stable_sort(rows.rbegin(), rows.rend(), [](const Row& a, const Row& b) { return a.v % 5 < b.v % 5; }); for (auto& r : rows) h.push_back(r.v);
    int a = 0, b = 0; auto set = [&](int& x, int n) -> int& { x = n; return x; }; set(a, 5)++; set(b, a) += 2; h.push_back(a * b);)

BEFORE(kScene, struct Scene { std::vector<int> points; void line(int y) { for (int i = 0; i < 640; ++i) set(i, y); } void set(int x, int y) { if (x > 3) points.push_back(y * 640 + x); } };)
PROGRAM(scene, Scene s; s.line(2); s.set(5, 1); h = s.points;)

BEFORE(kCompared, struct Cell { int u, v; bool operator==(const Cell&) const = default; }; struct Key { int u; float w; auto operator<=>(const Key&) const = default; }; struct Tied { int a, b; bool operator<(const Tied& o) const { return std::tie(b, a) < std::tie(o.b, o.a); } };
    struct Ranked { int r, other; std::strong_ordering operator<=>(const Ranked& o) const { if (auto c = r % 5 <=> o.r % 5; c != 0) return c; return other <=> o.other; } bool operator==(const Ranked& o) const { return r == o.r; } };)
PROGRAM(compared, std::vector<int> v { 1, 2, 3 }, w = v; h.push_back(v == w); w.push_back(4); h.push_back(v == w); h.push_back(v != w); h.push_back(v < w); w[0] = 0; h.push_back(v < w); h.push_back(v >= w); std::array<int, 2> a { 4, 5 }, b { 4, 6 }; h.push_back(a == b); h.push_back(a < b); h.push_back(a != b);
    auto p = std::make_pair(3, 9.5); auto q = std::make_pair(3, 10.5); h.push_back(p < q); h.push_back(p == q); h.push_back(p >= q); std::tuple<int, int, std::string> t { 1, 2, "b" }, u { 1, 2, "a" }; h.push_back(t < u); h.push_back(t == u); h.push_back(t > u); h.push_back(Cell { 1, 2 } == Cell { 1, 2 }); h.push_back(Cell { 1, 2 } != Cell { 1, 3 }); h.push_back(Key { 1, 2.f } < Key { 1, 3.f }); h.push_back(Key { 1, 2.f } == Key { 2, 2.f });
    std::vector<Key> keys; std::vector<Tied> tied; std::vector<Ranked> ranked; for (int i = 0; i < 40; ++i) { keys.push_back({ i * 7 % 5, float(i * 3 % 11) }); tied.push_back({ i * 5 % 7, i * 3 % 4 }); ranked.push_back({ i * 11 % 17, i * 5 % 3 }); } std::sort(keys.begin(), keys.end()); std::stable_sort(tied.begin(), tied.end()); std::stable_sort(ranked.begin(), ranked.end()); for (auto& k : keys) h.push_back(k.u * 100 + int(k.w)); for (auto& k : tied) h.push_back(k.a * 100 + k.b); for (auto& k : ranked) h.push_back(k.r * 100 + k.other);
    h.push_back(Ranked { 3, 1 } > Ranked { 8, 0 }); h.push_back(Ranked { 3, 1 } != Ranked { 3, 2 }); std::map<std::pair<int, int>, int> m; for (int i = 0; i < 30; ++i) m[{ i % 4, i % 3 }] += i; for (auto& [k, x] : m) h.push_back(k.first * 1000 + k.second * 100 + x); int left = 0; double right = 0; std::tie(left, right) = p; h.push_back(left * 10 + int(right)); std::set<std::pair<int, int>> s; for (int i = 0; i < 20; ++i) s.insert({ i % 3, i % 2 }); h.push_back(int(s.size()));
    std::set<int> n { 5, 1, 9, 1, 8 }; h.push_back(*n.upper_bound(5)); h.push_back(*n.upper_bound(6)); h.push_back(n.upper_bound(9) == n.end());)

PROGRAM(written, std::string s = "ABCDEFGH"; s.replace(2, 3, "xyz!"); h.push_back(int(s.size())); s.erase(1, 2); s.insert(3, "inner"); s.insert(0, 2, '-'); s.replace(s.find("inner"), 5, ""); h.push_back(int(s.size())); for (char c : s) h.push_back(c); std::string line = "  name = 42, 17;rest"; auto at = line.find_first_of("=:"); h.push_back(int(at)); h.push_back(std::stoi(line.substr(at + 1))); h.push_back(int(line.find_first_not_of(" "))); h.push_back(int(line.find_last_of(" "))); h.push_back(int(line.find_last_not_of("rest"))); h.push_back(int(line.find("n", 3)));
    int digits = 0, letters = 0, blanks = 0; for (char c : line) { digits += std::isdigit(c) ? 1 : 0; letters += std::isalpha(static_cast<unsigned char>(c)) ? 1 : 0; blanks += isspace(c) ? 1 : 0; h.push_back(std::toupper(c)); } h.push_back(digits * 10000 + letters * 100 + blanks); line.erase(5); h.push_back(int(line.size())); line.erase(line.begin()); h.push_back(int(line.size()));)

BEFORE(kChosen, static void grown(int& x, int by) { x += by; } struct Leaf { int v; std::unique_ptr<Leaf> l, r; explicit Leaf(int given) : v(given) {} }; static int put(std::unique_ptr<Leaf>& at, int v) { if (!at) { at = std::make_unique<Leaf>(v); return 1; } return 1 + put(v < at->v ? at->l : at->r, v); })
PROGRAM(places, int a = 100, b = 200; int& r = a < b ? a : b; r += 57; (a > b ? a : b) += 3; h.push_back(a * 1000 + b); grown(a < b ? a : b, 90); h.push_back(a * 1000 + b); std::unique_ptr<Leaf> root; int deepest = 0; for (int i = 0; i < 20; ++i) deepest = std::max(deepest, put(root, i * 7 % 20)); h.push_back(deepest); h.push_back(-17 / 5); h.push_back(-17 % 5); h.push_back(17 / -5); h.push_back(-17 >> 2);)

BEFORE(kAsked, struct Found { int v = 0; explicit operator bool() const { return v > 3; } void next() { v += 5; } }; static Found found(int i) { return { i }; } struct Steps { int i = 0; explicit operator bool() const { return i < 12; } void next() { i += 5; } };
    class Shape { std::vector<int> m_sizes; public: Shape(std::initializer_list<int> sizes) : m_sizes(sizes) {} int count() const { int n = 1; for (int s : m_sizes) n *= s; return n; } int rank() const { return int(m_sizes.size()); } }; struct Layer { Shape w, b; Layer(int rows, int columns) : w { rows, columns }, b { columns } {} };)
PROGRAM(asked, Found r { 2 }, s { 7 }; if (r) h.push_back(1); else h.push_back(2); h.push_back(s ? 3 : 4); if (!r) h.push_back(5); if (s && !r) h.push_back(6); for (int i = 0; i < 8; ++i) if (auto one = found(i)) h.push_back(one.v); for (Steps it; it; it.next()) h.push_back(it.i); while (!r) { r.next(); h.push_back(r.v); }
    Shape a { 4, 5, 6 }, b = { 7, 8 }; h.push_back(a.count() * 10 + a.rank()); h.push_back(b.count() * 10 + b.rank()); Layer l(3, 11); h.push_back(l.w.count() * 100 + l.b.count()); std::vector<Shape> all { Shape { 2, 3 }, { 9 } }; for (auto& one : all) h.push_back(one.count());)

BEFORE(kCount, struct Count { int v; operator int() const { return v * 2; } }; struct Share { float v; operator float() const { return v / 4; } };)
PROGRAM(counts, Count c { 50 }; Share s { 10 }; h.push_back(c + 7); int n = c; h.push_back(n); h.push_back(3 * c); h.push_back(int(s * 100)); h.push_back(c > 99); std::string t = "the cat the dog the end"; for (size_t p = t.find("the"); p != std::string::npos; p = t.find("the", p + 1)) h.push_back(int(p)); h.push_back(t.find("cow") == std::string::npos); h.push_back(int(std::nearbyint(2.5f)));)

BEFORE(kLoaded, bool load(const std::string& path, std::vector<int>& v) { std::ifstream in(path); if (!in.is_open()) return false; int x; while (in >> x) v.push_back(x); return true; } int counted(const char* path) { int n = 0; if (FILE* file = fopen(path, "rb")) { fread(&n, 4, 1, file); fclose(file); return n; } return 17; })
PROGRAM(loaded, std::vector<int> v; if (!load("no such file", v)) for (int i = 0; i < 5; ++i) v.push_back(i * 3); h = v; h.push_back(counted("no such file")); h.push_back(std::ifstream("no such file").good() ? 1 : 2); h.push_back(std::filesystem::exists("no such file")); std::ifstream in("no such file"); h.push_back(in.fail() * 2 + bool(in));)

PROGRAM(copies, std::vector<std::function<int()>> all; for (int t : { 3, 5, 9 }) all.push_back([=] { return t * 10; }); for (int i = 0; i < 4; ++i) all.push_back([i] { return i; }); for (int i = 0; i < 3; ++i) all.push_back([c = 1 << i] { return c; }); \
    int seen = 1; all.push_back([&] { return seen; }); all.push_back([=, &seen] { return seen + 1; }); all.push_back([&, seen] { return seen + 2; }); seen = 50; for (auto& f : all) h.push_back(f()); \
    int n = 100, by = 7; auto scaled = [=](int x) { return x * by + n; }; n = 0; by = 1; for (int i = 0; i < 20; ++i) h.push_back(scaled(i)); int sum = 0; std::vector<int> v { 1, 2, 3 }; std::for_each(v.begin(), v.end(), [&, by](int x) { sum += x * by; }); h.push_back(sum); \
    auto count = [k = 10]() mutable { return k++; }; h.push_back(count() + 100 * count()); auto make = [&](int t) { return [=] { return t + seen; }; }; auto a = make(1), b = make(2); seen = 60; h.push_back(a() * 1000 + b()); \
    auto outer = [=] { int m = n + 1; auto inner = [=] { return m + by; }; m = 9; return inner(); }; by = 30; h.push_back(outer());)
// NOLINTEND

} // namespace

TEST(HostEveryday, lambdasHoldCopiesOfWhatTheyCaptureByValue) { expectAsCompiled(copies, copiesText); }

TEST(HostEveryday, whatIsErasedIsNotCounted) { expectAsCompiled(left, leftText); }

TEST(HostEveryday, algorithmsOrderByMembersAndPermute) { expectAsCompiled(chosen, chosenText, kMember); }

TEST(HostEveryday, exceptionsThatAreCaughtBeforeAnythingIsLaunchedAreFollowed) { expectAsCompiled(thrown, thrownText); }

TEST(HostEveryday, viewsAreGoneThrough) { expectAsCompiled(seen, seenText); }

TEST(HostEveryday, listsAreSortedBackwardsAndLambdasReturnReferences) { expectAsCompiled(backwards, backwardsText, kRow); }

TEST(HostEveryday, friendsReferencesAndBitsAreFollowed) { expectAsCompiled(everyday, everydayText, kFriend); }

TEST(HostEveryday, functionsOfAClassMayBeNamedAsTheLibrarysTypes) { expectAsCompiled(scene, sceneText, kScene); }

TEST(HostEveryday, listsPairsAndObjectsAreComparedByTheirParts) { expectAsCompiled(compared, comparedText, kCompared); }

TEST(HostEveryday, textsAreChangedAndSearched) { expectAsCompiled(written, writtenText); }

TEST(HostEveryday, pointersLeadToMembersOfObjects) { expectAsCompiled(within, withinText, kWithin); }
TEST(HostEveryday, argumentsOfTheLibrarysFunctionsAreWorkedOutFromTheLastToTheFirst) { expectAsCompiled(ordered, orderedText, kNext); }
TEST(HostEveryday, anArrayOfNumbersIsBoundByItsParts) { expectAsCompiled(parts, partsText); }
TEST(HostEveryday, filesAreAbsentWhereTheProgramDoesWithoutThem) { expectAsCompiled(loaded, loadedText, kLoaded); }

TEST(HostEveryday, whatFilesHoldIsNotKnownWhereTheProgramNeedsThem)
{
    const auto isKnown = [](const std::string& reading) {
        const std::string text = "__global__ void k(const int* d) {} int main() { std::vector<int> v(4, 1); " + reading + " int* d; cudaMalloc(&d, 16); cudaMemcpy(d, v.data(), 16, cudaMemcpyHostToDevice); k<<<1, 4>>>(d); }";
        const std::vector<ProgramFile> files { { .text = text, .names = {} } };
        const HostContents contents = hostContents(files, {}, {});
        EXPECT_EQ(contents.sizes.size(), 1u) << reading;
        return !contents.known.empty();
    };
    EXPECT_TRUE(isKnown("std::ifstream in(\"a\"); if (in) in.read((char*)v.data(), 16);"));
    EXPECT_FALSE(isKnown("std::ifstream in(\"a\"); if (!in) return 1; in.read((char*)v.data(), 16);"));
    EXPECT_FALSE(isKnown("FILE* in = fopen(\"a\", \"r\"); if (in == NULL) { perror(\"a\"); exit(1); } fread(v.data(), 4, 4, in);"));
    EXPECT_FALSE(isKnown("std::ifstream in(\"a\"); for (int& x : v) in >> x;"));
    EXPECT_FALSE(isKnown("std::ifstream in(\"a\"); if (!in) throw std::runtime_error(\"no file\"); in.read((char*)v.data(), 16);"));
}

TEST(HostEveryday, whatAConditionChoosesCanBeWrittenTo) { expectAsCompiled(places, placesText, kChosen); }

TEST(HostEveryday, objectsAreAskedForConditionsAndMadeOfLists) { expectAsCompiled(asked, askedText, kAsked); }

TEST(HostEveryday, objectsMakeNumbersOfThemselvesAndSearchesEnd) { expectAsCompiled(counts, countsText, kCount); }
