// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/host/compiled_program.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>

using namespace coalescope::kernels;

// What stands before main: compiled into this test, and its text.
#define BEFORE(name, ...) \
    __VA_ARGS__ \
    const std::string name = #__VA_ARGS__;

namespace {

void launch() { } // what is thrown before anything is launched is taken not to happen

// NOLINTBEGIN
BEFORE(kShapes, struct Disk { int radius; }; struct Box { int width, height = 3; }; struct Nothing { }; using Shape = std::variant<Disk, Box, Nothing>;
    template <class... Fs> struct overloaded : Fs... { using Fs::operator()...; }; template <class... Fs> overloaded(Fs...) -> overloaded<Fs...>;
    struct Area { int scale; int operator()(const Disk& d) const { return 3 * d.radius * scale; } int operator()(const Box& b) const { return b.width * b.height * scale; } int operator()(const Nothing&) const { return -scale; } };)
PROGRAM(variants, std::vector<Shape> shapes { Disk { 4 }, Box { 5 }, Nothing {} }; shapes.push_back(Box { 2, 7 }); Shape last; for (const Shape& shape : shapes) {
    std::visit(overloaded { [&](const Disk& d) { h.push_back(d.radius); }, [&](const Box& b) { h.push_back(b.width * b.height); }, [&](auto&&) { h.push_back(-1); } }, shape);
    h.push_back(std::visit(Area { 10 }, shape));
    h.push_back(int(shape.index()));
    last = shape;
    if (auto* box = std::get_if<Box>(&last)) box->width += 100;
    h.push_back(std::holds_alternative<Box>(last) ? std::get<Box>(last).width : 0);
    std::visit([&](auto& held) { using T = std::decay_t<decltype(held)>; if constexpr (std::is_same_v<T, Disk>) held.radius = 77; else if constexpr (std::is_same<T, Box>::value) held.height = 78; else h.push_back(79); }, last);
    h.push_back(std::visit(Area { 1 }, last));
} std::variant<int, double, std::string> number = 3; h.push_back(int(number.index())); number = 2.5; h.push_back(int(number.index())); h.push_back(int(std::get<1>(number) * 4)); number = "text"; h.push_back(int(number.index())); h.push_back(int(std::get<std::string>(number).size()));)

BEFORE(kPacks, template <class F, class... Args> void forAll(F f, Args&&... args) { (f(std::forward<Args>(args)), ...); }
    template <class... Ts> int total(Ts... numbers) { return (100 + ... + numbers); } template <class... Ts> int differences(Ts... numbers) { return (numbers - ...); }
    template <int... Ns> int product() { return (Ns * ... * 1); } template <class... Ts> bool all(Ts... ts) { return (ts && ...) && sizeof...(ts) > 1; }
    template <class F, class... Args> int handed(F f, Args... args) { return f(args...) + f((args * 2)...); } template <class T, class... Rest> int longest(T first, Rest... rest) { if constexpr (sizeof...(rest) == 0) return first; else return std::max(first, longest(rest...)); })
PROGRAM(packs, int sum = 5; forAll([&](int& x) { x += 2; h.push_back(x); }, sum, sum); forAll([&](int x) { sum += x; }, 1, 2, 4); h.push_back(sum); h.push_back(total(1, 2, 3)); h.push_back(differences(10, 4, 3)); h.push_back(product<2, 3, 7>()); h.push_back(all(1, 2, 3) * 10 + all(1, 0)); h.push_back(handed([](int a, int b) { return a * 10 + b; }, 3, 4));
    h.push_back(longest(3, 9, 4)); auto count = [&](auto... xs) { return int(sizeof...(xs)); }; h.push_back(count(1, 2, 3)); auto list = [](auto... xs) { std::vector<int> v { xs... }; return v; }; h.push_back(list(4, 5, 6).back()); h.push_back(total());)

BEFORE(kTypes, template <class T> struct Width { static constexpr int of = sizeof(T); }; template <class... Ts> int widths() { return (... + (10 * Width<Ts>::of)); } template <class... Ts> int counted(std::tuple<Ts...>) { return int(sizeof...(Ts)) * 1000 + widths<Ts...>(); }
    template <int... Ns> std::vector<int> listed(std::integer_sequence<int, Ns...>) { return { Ns... }; } template <class... Ts> int given(Ts...) { return widths<Ts...>(); } template <int N> int square() { std::array<int, N> a {}; for (int& x : a) x = N; int sum = 0; for (int x : a) sum += x; return sum; }
    template <class T> concept Small = sizeof(T) < 4; template <Small T> int small(T x) { return x + 1; } template <class T> struct Box3 { T x[3]; };)
PROGRAM(types, h.push_back(widths<char, short, double>()); h.push_back(counted(std::tuple<int, double>(1, 2.0))); for (int x : listed(std::make_integer_sequence<int, 5> {})) h.push_back(x); for (int x : listed(std::integer_sequence<int, 7, 3, 9> {})) h.push_back(x); h.push_back(given(1, 2.0, 'c')); h.push_back(square<3>() * 1000 + square<5>()); h.push_back(square<4>());
    [&]<class T, int... Ns>(T first, std::integer_sequence<int, Ns...>) { (h.push_back(int(first) * 100 + Ns), ...); h.push_back(int(sizeof(T))); }(2.5f, std::integer_sequence<int, 4, 6> {}); [&]<std::size_t... Is>(std::index_sequence<Is...>) { (h.push_back(int(Is * Is)), ...); }(std::make_index_sequence<4> {});
    h.push_back(small(char(4))); auto typed = [&]<class T>(std::vector<T> v) { h.push_back(int(sizeof(T) * v.size())); }; typed(std::vector<double>(3)); typed(std::vector<short>(5)); std::vector<std::pair<int, float>> pairs; for (int i = 0; i < 200; ++i) pairs.push_back({ i * 37 % 11 - 5, float(i * 53 % 7) - 3 }); std::sort(pairs.begin(), pairs.end()); pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (auto [a, b] : pairs) h.push_back(a * 100 + int(b)); std::vector<std::array<int, 3>> rows; for (int i = 0; i < 90; ++i) rows.push_back({ i % 3, i % 5, i * 7 % 30 }); std::sort(rows.begin(), rows.end()); for (auto& r : rows) h.push_back(r[0] * 10000 + r[1] * 100 + r[2]); std::vector<unsigned> u { 5u, 4000000000u, 0u, 7u }; std::sort(u.begin(), u.end()); h.push_back(int(u[2])); std::vector<double> reals { 0.5, -2.5, 1e300, -1e-300, 0.0 }; std::sort(reals.begin(), reals.end());
    for (double x : reals) h.push_back(x > 1e6 ? 1000000 : int(x * 100)); h.push_back(int(std::max_element(reals.begin(), reals.end()) - reals.begin())); std::vector<std::tuple<int, int, int>> triples; for (int i = 0; i < 60; ++i) triples.push_back({ i % 2, i % 3, -i }); std::sort(triples.begin(), triples.end()); for (auto [a, b, c] : triples) h.push_back(a * 1000 + b * 100 - c);)

BEFORE(kPartly, template <class T, int N> struct Loader { static constexpr int width = N; static int twice(int x) { return 2 * x + N; } }; template <int N> struct Loader<double, N> { static constexpr int width = N / 2; static int twice(int x) { return 3 * x + N; } }; template <> struct Loader<double, 6> { static constexpr int width = 99; static int twice(int x) { return x; } };
    template <class T> struct Depth { static constexpr int of = 0; }; template <class T> struct Depth<T*> { static constexpr int of = 10 + sizeof(T); T held[3]; }; template <class T, class U> struct Same { static constexpr bool value = false; }; template <class T> struct Same<T, T> { static constexpr bool value = true; };
    template <class L> int use(L) { return L::width * 100 + L::twice(4); })
PROGRAM(partly, h.push_back(Loader<float, 8>::width); h.push_back(Loader<double, 8>::width); h.push_back(Loader<double, 6>::width); h.push_back(Loader<double, 4>::twice(5)); h.push_back(use(Loader<double, 12> {})); h.push_back(use(Loader<int, 12> {})); h.push_back(Depth<int>::of); h.push_back(Depth<short*>::of); h.push_back(Depth<double*>::of); h.push_back(int(sizeof(Depth<short*>)));
    h.push_back(Same<int, int>::value); h.push_back(Same<int, float>::value);)

BEFORE(kTexts, struct Row { std::string name; int count; };)
PROGRAM(grown, std::string a = "ab"; std::string b = a; b += 'c'; b += b; std::vector<std::string> list { "x", "y" }; list[1] += "zw"; Row row { "r", 2 }; row.name += list[1]; auto add = [](std::string s) { s += "!"; return s; }; std::string c = add(a);
    for (int i = 0; i < 40000; ++i) c += "ACGT"[i * 7 % 4]; for (const std::string& s : { a, b, list[0], list[1], row.name, c.substr(0, 20) }) for (char x : s) h.push_back(x); h.push_back(int(c.size()));)
PROGRAM(written, volatile int i0 = 0; char line[40]; std::string all; for (int i = 0; i < 5; ++i) { h.push_back(std::snprintf(line, sizeof line, "%d,%5.2f;%-4s|%c%%%03u\n", i - 2, i * 1.5, i % 2 ? "odd" : "no", 'a' + i, unsigned(i * 9))); all += line; }
    std::mt19937 draws(5); std::snprintf(line, 40, "%u %u %u", unsigned(draws() % 100), unsigned(draws() % 100), unsigned(draws() % 100)); all += line; h.push_back(std::sprintf(line, "%lld %zu %x", 5000000000LL, all.size(), 255)); all += line; const char* word = i0 ? "" : "longer"; h.push_back(std::snprintf(line, 4, "%s", word)); all += line; for (char x : all) h.push_back(x);)
BEFORE(kDefaults, template <class V, class I = int, int N = 3> struct Table { I rows {}; std::vector<I> offsets; std::vector<V> values; static constexpr int width = N * 2; I last() const { return offsets[offsets.size() - 1]; } };
    template <class T, class U = T> struct Pair2 { T a; U b[2]; };)
PROGRAM(defaults, Table<double> t; t.rows = 7; for (int i = 0; i < 20; ++i) t.offsets.push_back(i * i); h.push_back(t.last() + int(sizeof(t.offsets[0])) * 1000 + Table<double>::width); Table<float, short, 5> s; s.offsets.push_back(short(70000)); h.push_back(s.offsets[0] + Table<float, short, 5>::width); h.push_back(int(sizeof(Pair2<double>) * 100 + sizeof(Pair2<char, int>)));)
PROGRAM(appended, unsigned z = 1; std::generate_n(std::back_inserter(h), 50, [&z] { z = z * 1664525u + 1013904223u; return int(z >> 20); }); std::generate_n(h.begin() + 3, 4, [&z]() -> int { return int(z++ % 9); });
    std::vector<int> more { 5, 6, 7 }; std::copy(more.begin(), more.end(), std::back_inserter(h)); std::transform(more.begin(), more.end(), std::back_inserter(h), [](int x) { return x * x; }); std::fill_n(std::back_inserter(h), 2, 8);
    struct Event { float energy; int channel; }; std::vector<Event> events; std::generate_n(std::back_inserter(events), 5, [&z]() -> Event { z += 77; return { float(z % 10), int(z & 7) }; }); for (const Event& e : events) h.push_back(int(e.energy) * 8 + e.channel);)
PROGRAM(inserted, h.insert(h.end(), 3, 7); h.insert(h.end(), std::size_t(0), 1); std::vector<std::vector<int>> rows; rows.insert(rows.end(), 2, std::vector<int> { 4, 5 }); rows[0][1] = 9; for (auto& r : rows) h.insert(h.end(), r.begin(), r.end());
    std::vector<float> reals; reals.insert(reals.end(), 2, 3); h.push_back(int(reals[1] * 2));)

BEFORE(kByCost, struct Task { int cost, id; bool operator<(const Task& other) const { return cost < other.cost; } }; struct Later { bool operator()(const Task& a, const Task& b) const { return a.cost > b.cost; } };)
PROGRAM(queues, std::priority_queue<int> most; std::priority_queue<int, std::vector<int>, std::greater<int>> least; std::priority_queue<std::pair<int, int>> pairs; std::priority_queue<Task> tasks; std::priority_queue<Task, std::vector<Task>, Later> later; for (int i = 0; i < 300; ++i) {
    const int x = i * 7919 % 101;
    most.push(x); least.push(x); pairs.push({ x % 5, i }); tasks.push({ x % 4, i }); later.push(Task { x % 4, i });
    if (i % 3 == 2) { h.push_back(most.top()); most.pop(); h.push_back(least.top()); least.pop(); }
} while (!tasks.empty()) { h.push_back(tasks.top().id); tasks.pop(); h.push_back(later.top().id); later.pop(); h.push_back(pairs.top().second); pairs.pop(); } h.push_back(int(most.size()));)

PROGRAM(unordered, std::unordered_map<int, int> counts; for (int i = 0; i < 3000; ++i) counts[i * 7919 % 977 - 300] += i; for (const auto& [key, count] : counts) { h.push_back(key); h.push_back(count); } std::unordered_map<std::string, int> words; for (int i = 0; i < 200; ++i) words["w" + std::to_string(i * 31 % 57)] += i;
    for (auto& entry : words) { entry.second += 1; h.push_back(entry.second); } h.push_back(words.find("w3") != words.end()); h.push_back(words.find("x") == words.end()); std::unordered_set<int> seen { 4, 5 }; h.push_back(seen.find(4) != seen.end()); auto copy = counts; for (auto [key, count] : copy) h.push_back(key - count);)

PROGRAM(searches, std::vector<int> v(40), w(40); std::iota(v.begin(), v.end(), 3); std::transform(v.begin(), v.end(), v.begin(), [](int x) { return x * 37 % 41; }); h.push_back(int(std::count_if(v.begin(), v.end(), [](int x) { return x % 2; })));
    h.push_back(int(std::count(v.begin(), v.end(), 5))); h.push_back(int(std::find(v.begin(), v.end(), 8) - v.begin())); h.push_back(int(std::find_if(v.begin(), v.end(), [](int x) { return x > 38; }) - v.begin()));
    h.push_back(std::all_of(v.begin(), v.end(), [](int x) { return x >= 0; }) + 10 * std::any_of(v.begin(), v.end(), [](int x) { return x == 40; }) + 100 * std::none_of(v.begin(), v.end(), [](int x) { return x < 0; }));
    std::for_each(v.begin(), v.begin() + 10, [](int& x) { x += 100; }); auto [low, high] = std::minmax_element(v.begin(), v.end()); h.push_back(*low * 1000 + *high); std::rotate(v.begin(), v.begin() + 11, v.end());
    auto end = std::copy_if(v.begin(), v.end(), w.begin(), [](int x) { return x % 3 == 0; }); h.push_back(int(end - w.begin())); v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x > 100; }), v.end());
    std::replace(v.begin(), v.end(), 7, 70); h.push_back(std::inner_product(v.begin(), v.end(), w.begin(), 1)); std::adjacent_difference(v.begin(), v.end(), w.begin()); h.push_back(std::is_sorted(v.begin(), v.end()));
    h.insert(h.end(), v.begin(), v.end()); h.insert(h.end(), w.begin(), w.end()); std::sort(v.begin(), v.end()); h.push_back(std::binary_search(v.begin(), v.end(), 12) * 2 + std::binary_search(v.begin(), v.end(), 1000));)

BEFORE(kChecked, struct TooBig : std::runtime_error { using std::runtime_error::runtime_error; }; inline int checked(int x) { if (x > 10) throw TooBig("too big"); if (x < 0) throw std::out_of_range("negative"); return x; })
PROGRAM(exceptions, launch(); for (int x : { 3, 20, -1, 7 }) { int got = 1; try { got = checked(x) * 2; h.push_back(got); } catch (const std::out_of_range& e) { got += 40; } catch (const std::exception& e) { got += 50; } h.push_back(got); }
    try { for (int i = 0; i < 5; ++i) { h.push_back(i); if (i == 2) throw 7; } } catch (...) { h.push_back(-1); } try { try { checked(11); } catch (const TooBig&) { h.push_back(-2); throw; } h.push_back(-3); } catch (const TooBig&) { h.push_back(-4); })

BEFORE(kTemplates, template <class Derived> struct Policy { static int grid(int n) { return (n + Derived::kThreads * Derived::kItems - 1) / (Derived::kThreads * Derived::kItems); } static int shared() { return 0; } };
    template <int Threads, int Items> struct Linear : Policy<Linear<Threads, Items>> { static constexpr int kThreads = Threads, kItems = Items; }; struct Fixed : Policy<Fixed> { static constexpr int kThreads = 7; static constexpr int kItems = 1; static int grid(int n) { return n / kThreads; } };
    template <class T, int N> struct Scratch : Policy<Scratch<T, N>> { static constexpr int kThreads = N; static constexpr int kItems = 8; static int shared() { return int(sizeof(T)) * (N / 32); } };
    template <class P> int shapeOf(int n) { return P::grid(n) * 10000 + P::kThreads * 10 + P::shared(); } template <class T, class P = Scratch<T, 256>, int Extra = 3> int reduced(T* data, int n) { return shapeOf<P>(n) + Extra + int(sizeof(data[0])); }
    template <class T> struct Traits { static constexpr int kBlock = 64; static int twice() { return 2 * kBlock; } }; template <> struct Traits<double> { static constexpr int kBlock = 128; static int twice() { return 3 * kBlock; } }; template <int N> struct Only; template <> struct Only<1> { static constexpr int kIs = 10; }; template <> struct Only<2> { static constexpr int kIs = 20; }; template <class T> int blockOf() { return Traits<T>::kBlock + Traits<T>::twice(); }
    template <int A, int B> struct Tile { static constexpr int kRows = A, kCols = B; static constexpr int kAll = kRows * kCols; };)
PROGRAM(templates, using Four = Linear<128, 4>; float data[2]; short small[2]; h.push_back(shapeOf<Four>(100003)); h.push_back(shapeOf<Linear<256, 2>>(100003)); h.push_back(shapeOf<Fixed>(100)); h.push_back(reduced(data, 5000)); h.push_back(reduced<short, Scratch<short, 512>>(small, 5000)); h.push_back(Tile<3, 5>::kAll); h.push_back(Four::kItems); h.push_back(blockOf<float>()); h.push_back(blockOf<double>()); h.push_back(Traits<double>::kBlock); h.push_back(Traits<int>::kBlock); h.push_back(Only<1>::kIs + 3 * Only<2>::kIs);
    auto sized = [&](auto tile) { using T = decltype(tile); return T::kAll; }; h.push_back(sized(Tile<2, 9> {}));)

BEFORE(kSpaces, namespace first { inline int run(int x) { return x + 1; } inline int twice(int x) { return run(run(x)); } } namespace second { inline int run(int x) { return x * 10; } inline int twice(int x) { return run(run(x)); } }
    struct Demo { const char* name; int (*run)(int); }; static const Demo kDemos[] = { { "first", first::run }, { "second", second::run } };)
PROGRAM(spaces, for (const auto& demo : kDemos) h.push_back(demo.run(4)); h.push_back(first::twice(3)); h.push_back(second::twice(3)); for (auto [a, b] : { std::pair { 1, 2 }, std::pair { 3, 4 } }) h.push_back(a * 10 + b); auto early = [&](int m) { if (m == 0) return 5; return 6; }; h.push_back(early(0) * 10 + early(1));)

BEFORE(kNames, inline int forward(int x) { return x * 3; } inline int visits = 0; inline std::pair<int, double> next() { return { ++visits, 0.5 }; } struct Limits { int len_v = 7; bool within(int a, int b, int c) const { return len_v < a && b > (c); } };)
PROGRAM(names, h.push_back(forward(4)); h.push_back(std::get<0>(next())); h.push_back(int(std::get<double>(next()) * 4)); h.push_back(visits); h.push_back(Limits {}.within(8, 3, 2) * 10 + Limits {}.within(6, 3, 2));)

PROGRAM(others, std::unordered_set<int> seen; for (int i = 0; i < 100; ++i) if (!seen.insert(i * i % 23).second) h.push_back(i); h.push_back(int(seen.size())); h.push_back(int(seen.count(2)) * 10 + int(seen.count(5)));
    std::function<int(int)> fibonacci = [&](int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }; h.push_back(fibonacci(15)); std::function<int(int, int)> ackermann = [&](int m, int n) -> int { int inner = n; if (m == 0) return n + 1; if (n > 0) inner = ackermann(m, n - 1); else inner = 1; return ackermann(m - 1, inner); }; h.push_back(ackermann(2, 3));
    std::mt19937 g(5); std::geometric_distribution<int> rare(0.1); std::poisson_distribution<int> few(3.5); std::exponential_distribution<double> gap(0.01); std::poisson_distribution<int> many(40); std::binomial_distribution<int> hits(255, 0.4); std::uniform_int_distribution<std::uint64_t> wide(3, ~std::uint64_t(0) - 1); std::uniform_int_distribution<unsigned> any; for (int i = 0; i < 500; ++i) { h.push_back(rare(g)); h.push_back(few(g)); h.push_back(int(gap(g))); h.push_back(many(g)); h.push_back(hits(g)); h.push_back(int(wide(g) >> 40)); h.push_back(int(any(g) >> 1)); } std::map<std::uint64_t, int> counts; for (std::uint64_t i = 0; i < 900; ++i) counts[(i * 0x9e3779b97f4a7c15ull) >> 55]++; for (auto& [key, count] : counts) h.push_back(int(key) * 10 + count); std::string text(300, 'a'); text[7] = 'b'; h.push_back(int(text.substr(5, 4).find('b')));)
PROGRAM(drawn, std::mt19937 g(7); std::mt19937_64 wide(7); std::lognormal_distribution<double> prices(0.0, 0.6); std::lognormal_distribution<float> sizes; std::gamma_distribution<> waits(2.0, 1.5); std::gamma_distribution<float> few(0.4f); std::weibull_distribution<> lives(1.5, 3.0); std::cauchy_distribution<float> far(0.f, 2.f); std::extreme_value_distribution<> floods(1.0, 2.0); std::chi_squared_distribution<> squares(3.0); std::student_t_distribution<float> tails(4.f); std::fisher_f_distribution<> ratios(3.0, 5.0); std::negative_binomial_distribution<int> misses(5, 0.3); std::exponential_distribution<> usual; std::geometric_distribution<int> even; std::bernoulli_distribution coin;
    std::vector<double> weights { 1, 5, 0, 2.5 }; std::discrete_distribution<int> listed { 40, 10, 0, 50 }; std::discrete_distribution<int> ranged(weights.begin(), weights.end());
    for (int i = 0; i < 300; ++i) { h.push_back(int(prices(g) * 1000)); h.push_back(int(sizes(wide) * 1000)); h.push_back(int(waits(g) * 1000)); h.push_back(int(few(g) * 1000)); h.push_back(int(lives(wide) * 1000)); h.push_back(int(far(g) * 100)); h.push_back(int(floods(g) * 1000)); h.push_back(int(squares(wide) * 1000)); h.push_back(int(tails(g) * 1000)); h.push_back(int(ratios(g) * 1000)); h.push_back(misses(g)); h.push_back(int(usual(g) * 1000)); h.push_back(even(wide)); h.push_back(coin(g)); h.push_back(listed(g)); h.push_back(ranged(wide)); })
// NOLINTEND

} // namespace

TEST(HostLibrary, variantsHoldOneOfTheirTypes) { expectAsCompiled(variants, variantsText, kShapes); }

TEST(HostLibrary, packsAreExpanded) { expectAsCompiled(packs, packsText, kPacks); }

TEST(HostLibrary, packsOfTypesAndSequencesAreExpandedAndPairsAreSorted) { expectAsCompiled(types, typesText, kTypes); }

TEST(HostLibrary, classesThatAreWrittenForSomeArgumentsOfATemplateAreTaken) { expectAsCompiled(partly, partlyText, kPartly); }

TEST(HostLibrary, distributionsDrawAsTheLibrarys) { expectAsCompiled(drawn, drawnText); }

TEST(HostLibrary, queuesGiveEqualsInTheOrderOfTheLibrarysHeap) { expectAsCompiled(queues, queuesText, kByCost); }

TEST(HostLibrary, unorderedMapsGoThroughTheirPairsAsTheLibrarys) { expectAsCompiled(unordered, unorderedText); }

TEST(HostLibrary, algorithmsSearchAndChoose) { expectAsCompiled(searches, searchesText); }

TEST(HostLibrary, exceptionsAreCaughtByTheirClass) { expectAsCompiled(exceptions, exceptionsText, kChecked + "__global__ void other() {} void launch() { other<<<1, 1>>>(); }", 2); }

TEST(HostLibrary, namesOfTheProgramsAreNotTheLibrarys) { expectAsCompiled(names, namesText, kNames); }

TEST(HostLibrary, constantsOfATemplatesClassAreItsOwn) { expectAsCompiled(templates, templatesText, kTemplates); }

TEST(HostLibrary, templatesHaveTheirDefaults) { expectAsCompiled(defaults, defaultsText, kDefaults); }

TEST(HostLibrary, algorithmsAppend) { expectAsCompiled(appended, appendedText); }

TEST(HostLibrary, textsGrowWhereTheyLie) { expectAsCompiled(grown, grownText, kTexts); }

TEST(HostLibrary, whatIsPrintedIntoATextIsKnown) { expectAsCompiled(written, writtenText); }

TEST(HostLibrary, soManyOfOneValueAreInserted) { expectAsCompiled(inserted, insertedText); }

TEST(HostLibrary, functionsOfOneNameAreToldApartByTheirNamespaces) { expectAsCompiled(spaces, spacesText, kSpaces); }

TEST(HostLibrary, setsRecursiveLambdasAndDistributionsAreThoseOfTheLibrary) { expectAsCompiled(others, othersText); }
