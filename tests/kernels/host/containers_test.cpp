// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/host/compiled_program.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>

using namespace coalescope::kernels;
using namespace std::string_literals;
using namespace std::string_view_literals;

// What stands before main: compiled into this test, and its text.
#define BEFORE(name, ...) \
    __VA_ARGS__ \
    const std::string name = #__VA_ARGS__;

namespace {

// NOLINTBEGIN
PROGRAM(entered, std::unordered_map<int, int> dict; std::map<std::string, int> words; for (int i = 0; i < 3000; ++i) { auto r = dict.emplace(i * 7 % 200, int(dict.size())); if (r.second) h.push_back(i); auto [it, fresh] = dict.try_emplace(i % 300, int(dict.size())); if (fresh) h.push_back(it->second); it->second += 1; }
    for (int i = 0; i < 50; ++i) if (words.insert({ "w" + std::to_string(i % 9), i }).second) h.push_back(-i); h.push_back(words.insert_or_assign("w3", 77).second); h.push_back(words.at("w3")); if (auto [at, isNew] = words.insert_or_assign("x", 5); isNew) h.push_back(at->second);
    std::map<int, std::string> texts; texts.try_emplace(3, 4, 'x'); texts.try_emplace(5); h.push_back(int(texts[3].size()) * 10 + int(texts[5].size())); std::vector<std::pair<int, int>> list { { 4, 1 }, { 2, 2 }, { 4, 3 } }; std::map<int, int> made; made.insert(list.begin(), list.end()); for (auto& [key, held] : made) h.push_back(key * 10 + held);
    std::set<std::pair<int, int>> pairs; for (int i = 0; i < 30; ++i) h.push_back(pairs.emplace(i % 4, i % 3).second); h.push_back(pairs.begin()->second); for (auto& [key, held] : dict) h.push_back(key * 1000 + held);)

BEFORE(kOwn, struct P { float x; int n; }; template <class T> class Own { T* d_; std::size_t n_; public: explicit Own(std::size_t n) : d_(static_cast<T*>(std::malloc(n * sizeof(T)))), n_(n) {} T* begin() { return d_; } T* end() { return d_ + n_; } const T* begin() const { return d_; } const T* end() const { return d_ + n_; } };
    struct Held { std::vector<int> v; auto begin() const { return v.begin(); } auto end() const { return v.end(); } }; struct Steps { int first, last, by; struct It { int at, by; int operator*() const { return at; } It& operator++() { at += by; return *this; } bool operator!=(const It& other) const { return at < other.at; } }; It begin() const { return { first, by }; } It end() const { return { last, by }; } };
    struct Walk { int* at; int& operator*() const { return *at; } Walk& operator++() { ++at; return *this; } bool operator==(const Walk& other) const { return at == other.at; } }; struct Walked { std::vector<int>& v; Walk begin() { return { v.data() }; } Walk end() { return { v.data() + v.size() }; } };)
PROGRAM(gone, Own<P> own(5); int i = 0; for (P& p : own) p = P { float(i) * 0.5f, i++ * 3 }; for (const P& p : own) h.push_back(p.n + int(p.x * 2)); const Own<P>& same = own; for (auto p : same) h.push_back(p.n); for (auto& [x, n] : own) n += 1; for (auto& [x, n] : own) h.push_back(n);
    Held held { { 4, 5, 6 } }; for (int x : held) { if (x == 5) continue; h.push_back(x); } for (int x : Steps { 3, 20, 4 }) { if (x > 15) break; h.push_back(x); } std::vector<int> v { 1, 2, 3 }; for (int& x : Walked { v }) x *= 10; for (int x : v) h.push_back(x); auto it = Steps { 3, 20, 4 }.begin(); ++it; h.push_back(*it);)

BEFORE(kSized, struct Wide { int w; bool operator<(const Wide& other) const { return w < other.w; } };)
PROGRAM(extremes, int widest = 0; for (int i = 0; i < 4000; ++i) { widest = std::max({ widest, i * 7919 % 1013, i % 5 }); h.push_back(std::min({ i % 17, i % 13, i % 11, 9 })); } h.push_back(widest); std::vector<double> v { 2.5, -1.0, 8.0 }; h.push_back(int(std::max({ v[0], v[1], v[2] }) * 10));
    h.push_back(std::max({ Wide { 3 }, Wide { 9 }, Wide { 5 } }).w); h.push_back(std::max(-7, 5, [](int a, int b) { return std::abs(a) < std::abs(b); })); h.push_back(std::min({ 4, -9, 2 }, [](int a, int b) { return std::abs(a) < std::abs(b); })); auto [least, most] = std::minmax({ 4, -9, 2 }); h.push_back(least * 100 + most); h.push_back(int(std::max("ab"s, "b"s).size())); h.push_back(std::ranges::max(std::vector<int> { 3, 8, 1 }));)

PROGRAM(bits, for (unsigned i = 0; i < 2000; ++i) { const unsigned x = i * 2654435761u >> (i % 29); h.push_back(int(std::bit_width(x))); h.push_back(std::popcount(x)); h.push_back(std::countl_zero(x) * 100 + std::countr_zero(x)); h.push_back(std::countl_one(x) * 100 + std::countr_one(x)); h.push_back(std::has_single_bit(x)); h.push_back(int(std::bit_floor(x))); h.push_back(int(std::rotl(x, int(i % 40) - 4))); h.push_back(int(std::rotr(x, int(i % 40) - 4))); if (x < 1u << 31) h.push_back(int(std::bit_ceil(x))); if (x) h.push_back(__builtin_clz(x) + 100 * __builtin_ctz(x)); }
    for (unsigned i = 0; i < 7; ++i) { const unsigned x = i * 2654435761u; h.push_back(int(std::rotl(std::uint8_t(i * 37), 3))); h.push_back(std::countl_zero(std::uint16_t(i)) * 100 + std::countr_zero(std::uint64_t(i))); h.push_back(int(std::bit_ceil(2 * i + 1)) + int(std::bit_floor(std::size_t(i)))); h.push_back(int(std::byteswap(x))); h.push_back(__builtin_ffs(int(i)) + __builtin_parity(i)); })

BEFORE(kWords, constexpr std::array words = { "ab"sv, "abc"sv, "b"sv };)
PROGRAM(deduced, for (auto w : words) h.push_back(int(w.size())); h.push_back(int(words.size())); std::array pairs { std::pair { 1, 2 }, std::pair { 3, 4 } }; for (auto [a, b] : pairs) h.push_back(a * b); std::vector texts { "x"s, "yz"s }; texts.push_back("w"); for (auto& t : texts) h.push_back(int(t.size())); std::vector copy(texts); copy.pop_back(); h.push_back(int(copy.size() * 10 + texts.size())); std::vector many(4, 2.5); h.push_back(int(many[3] * many.size())); std::vector part(many.begin() + 1, many.end()); h.push_back(int(part.size()));)

BEFORE(kFields, struct Node { float x; unsigned id : 24, level : 8; }; struct Packed { unsigned short next : 12, words : 3, last : 1; }; struct Signed { int a : 5; bool b : 1; long long c : 40; char d = 7; };)
PROGRAM(fields, std::vector<Node> nodes(700); for (int i = 0; i < 700; ++i) { nodes[i].id = i * 70001; nodes[i].level = i; nodes[i].x = float(i); } for (Node& n : nodes) { n.level += 200; n.id++; h.push_back(int(n.id)); h.push_back(n.level); } const int big = 3397 + int(nodes.size()); Packed p { 5, 6, 1 }; h.push_back(p.next * 100 + p.words * 10 + p.last); p.next = big; p.words = big + 9; p.last = big; h.push_back(p.next * 100 + p.words * 10 + p.last); Signed s { -7, true, 1ll << 39 }; h.push_back(s.a); h.push_back(int(s.c >> 20)); s.a = big + 99; h.push_back(s.a + s.d + s.b);
    h.push_back(int(sizeof(Node) * 10000 + sizeof(Packed) * 100 + sizeof(Signed)));)

BEFORE(kLeaf, struct Leaf { float x; unsigned id; }; struct Cost { std::uint64_t w; int id; bool operator>(const Cost& other) const { return w != other.w ? w > other.w : id > other.id; } };)
PROGRAM(ordered, std::vector<Leaf> v(500); for (int i = 0; i < 500; ++i) v[i] = Leaf { float(i * 37 % 101), unsigned(i * 7 % 500) }; std::nth_element(v.begin() + 10, v.begin() + 200, v.end(), [](const Leaf& a, const Leaf& b) { return a.x < b.x; }); for (auto& l : v) h.push_back(int(l.id)); std::partial_sort(v.begin(), v.begin() + 30, v.end(), [](const Leaf& a, const Leaf& b) { return a.id < b.id; }); for (auto& l : v) h.push_back(int(l.id));
    std::vector<int> n; for (int i = 0; i < 300; ++i) n.push_back(i * 7919 % 173); std::nth_element(n.begin(), n.begin() + 50, n.end()); h.insert(h.end(), n.begin(), n.end()); std::ranges::nth_element(n, n.begin() + 70, std::greater<int>()); h.insert(h.end(), n.begin(), n.end()); std::make_heap(n.begin(), n.end()); for (int i = 0; i < 40; ++i) { std::pop_heap(n.begin(), n.end()); h.push_back(n.back()); n.pop_back(); } n.push_back(77); std::push_heap(n.begin(), n.end()); h.insert(h.end(), n.begin(), n.end()); std::sort_heap(n.begin(), n.end()); h.insert(h.end(), n.begin(), n.end());
    std::sort(n.begin(), n.end(), std::greater<>()); h.push_back(n[0]); std::sort(n.begin(), n.end(), std::less<int> {}); h.push_back(n[0]); std::sort(n.begin(), n.end(), std::greater {}); h.push_back(n[0]); h.push_back(std::accumulate(n.begin(), n.begin() + 3, 2, std::multiplies<int>())); std::priority_queue<Cost, std::vector<Cost>, std::greater<Cost>> q; for (int i = 0; i < 60; ++i) q.push({ i * 31 % 11 + 1ull, i }); int next = 60; while (q.size() > 1) { Cost a = q.top(); q.pop(); Cost b = q.top(); q.pop(); h.push_back(a.id * 100 + b.id); q.push({ a.w + b.w, next++ }); })

BEFORE(kTasks, struct Task { unsigned cols; int left; }; inline Task* tasks = NULL; inline int count = 0; inline int room = 0; inline void expand(int row, Task t) { if (row == 3) { if (count == room) { room = room ? 2 * room : 4; tasks = (Task*)realloc(tasks, room * sizeof(Task)); } tasks[count++] = t; return; } for (int i = 0; i < 4; ++i) expand(row + 1, Task { t.cols | 1u << i, t.left * 3 + i }); }
    struct Row { unsigned cnt[4]; unsigned long long lo; };)
PROGRAM(memory, expand(0, Task { 0, 0 }); for (int i = 0; i < count; ++i) h.push_back(int(tasks[i].cols) * 1000 + tasks[i].left); std::vector<Row> rows(20); unsigned run[4] = { 5, 6, 7, 8 }; for (int i = 0; i < 80; ++i) { if (i % 4 == 0) { rows[i / 4].lo = 99; std::memset(&rows[i / 4], 0, sizeof(Row)); std::memcpy(rows[i / 4].cnt, run, sizeof run); } run[i * i % 4]++; rows[i / 4].lo |= 1ull << (i % 30); } for (auto& r : rows) h.push_back(int(r.cnt[1] * 100 + r.lo % 97)); Row one; one.cnt[2] = 4; std::memset(&one, 0, sizeof one); h.push_back(int(one.cnt[2] + one.lo));
    for (char c : "GATTACA"s) h.push_back(int(std::strchr("ACGT", c) - "ACGT")); h.push_back(std::strchr("ACGT", 'x') == nullptr); const char* text = "one,two"; h.push_back(int(std::strrchr(text, 'o') - text) * 100 + int(std::strstr(text, "tw") - text));)

BEFORE(kBook, struct European { double strike; bool call; }; struct Asian { double strike; std::optional<int> every; }; using Payoff = std::variant<European, Asian>; template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; }; template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;
    struct Engine { std::vector<int>& out; void price(const std::vector<Payoff>& book) { for (const Payoff& p : book) std::visit(overloaded { [&](const European& e) { out.push_back(int(e.strike) + e.call); }, [&](const Asian& a) { out.push_back(int(a.strike) * a.every.value_or(21)); } }, p); } }; inline int sum(const std::vector<std::pair<int, int>>& list) { int s = 0; for (auto& p : list) s += p.first * p.second; return s + int(list.size()); })
PROGRAM(braced, Engine e { h }; e.price({ European { 100, true }, Asian { 90, 5 }, Asian { 105, std::nullopt } }); h.push_back(sum({ { 1, 2 }, { 3, 4 } }));)

PROGRAM(distinct, std::vector<int> v; std::vector<std::pair<int, int>> pairs; for (int i = 0; i < 1000; ++i) { v.push_back(i * 7 % 250); pairs.push_back({ i % 90, i }); } std::set<int> s(v.begin(), v.end()); h.push_back(int(s.size())); for (int x : s) h.push_back(x); h.push_back(int(std::set<int>(v.begin() + 5, v.begin() + 300).size())); h.push_back(int(std::multiset<int>(v.begin(), v.end()).size()));
    const std::size_t n = std::unordered_set<int>(v.begin(), v.end()).size(); h.push_back(int(n)); std::map<int, int> m(pairs.begin(), pairs.end()); h.push_back(int(m.size())); for (auto& [key, held] : m) h.push_back(key * 1000 + held); std::set<int> listed { 5, 2, 5, 9, 2 }; h.push_back(int(listed.size())); for (int x : listed) h.push_back(x); std::set<std::string> words { "b", "a", "b" }; h.push_back(int(words.size()));)
// NOLINTEND

} // namespace

TEST(HostContainers, insertionsTellWhereAndWhetherSomethingIsNew) { expectAsCompiled(entered, enteredText); }

TEST(HostContainers, classesWithABeginAndAnEndAreGoneThrough) { expectAsCompiled(gone, goneText, kOwn); }

TEST(HostContainers, theMostOfAListIsFound) { expectAsCompiled(extremes, extremesText, kSized); }

TEST(HostContainers, bitsAreCountedAndRotated) { expectAsCompiled(bits, bitsText); }

TEST(HostContainers, elementsTellOfWhatAnArrayOrAVectorIs) { expectAsCompiled(deduced, deducedText, kWords); }

TEST(HostContainers, bitFieldsKeepAsManyBitsAsTheyHave) { expectAsCompiled(fields, fieldsText, kFields); }

TEST(HostContainers, algorithmsOrderAsTheLibrarys) { expectAsCompiled(ordered, orderedText, kLeaf); }

TEST(HostContainers, memoryGrowsAndIsSet) { expectAsCompiled(memory, memoryText, kTasks); }

TEST(HostContainers, bracesBecomeWhatAParameterIs) { expectAsCompiled(braced, bracedText, kBook); }

TEST(HostContainers, setsAndMapsOfARangeHoldNoKeyTwice) { expectAsCompiled(distinct, distinctText); }
