// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/drawn_reals.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace {

using namespace coalescope;

/// "low:high" of what is assigned to `h` by a function that ends with a call `copy(h)`; n is 64.
std::string assigned(const std::string& statements, const std::string& before = "", const std::string& call = "copy(h);")
{
    const std::string source = before + "\nint main() { float* h = get(); " + statements + " " + call + " }\n";
    const kernels::ProgramText text({ { .text = source, .names = {} } });
    const kernels::HostProgram program(text);
    std::size_t at = program.tokens().size();
    while (at > 0 && !program.token(at).is("copy"))
        --at;
    const auto valueOf = [&](std::size_t token) { return program.token(token).is("n") ? std::optional(64.0) : std::nullopt; };
    const auto range = kernels::realsAssigned(program, program.token(at + 2).text, at + 2, valueOf);
    if (range && range->step)
        return (std::ostringstream {} << range->low << " by " << *range->step).str();
    return range ? (std::ostringstream {} << range->low << ":" << range->high).str() : "";
}

TEST(DrawnReals, intervalsAreThoseOfTheExpression)
{
    const auto item = [](const std::string& value) { return assigned("for (int i = 0; i < n; ++i) h[i] = " + value + ";"); };
    EXPECT_EQ(item("rand() / (float)RAND_MAX"), "0:1");
    EXPECT_EQ(item("static_cast<float>(std::rand()) / RAND_MAX * 2.0f - 1.0f"), "-1:1");
    EXPECT_EQ(item("(rand() % 100) * 0.01f"), "0:0.99");
    EXPECT_EQ(item("-(float)(i % n)"), "-63:-0");
    EXPECT_EQ(item("i & 7"), "0:7");
    EXPECT_EQ(item("std::sin(0.1 * i)"), "-1:1");
    EXPECT_EQ(item("fabsf(sinf(i)) + 1"), "1:2");
    EXPECT_EQ(item("sqrtf(drand48() * 4)"), "0:2");
    EXPECT_EQ(item("i < 8 ? -1.f : 3.f"), "-1:3");
    EXPECT_EQ(item("fminf(drand48() * 64, 63.5f)"), "0:63.5");
    EXPECT_EQ(item("std::max(0.25, drand48())"), "0.25:1");
    EXPECT_EQ(item("std::clamp(drand48() * 80 - 10, 0.0, 63.5)"), "0:63.5");
    EXPECT_EQ(item("std::min(other(i), 3.f)"), "") << "less than all, perhaps";
    EXPECT_EQ(item("g[i] = drand48()"), "0:1");
    EXPECT_EQ(item("1.0f / n"), "0.015625:0.015625");
    EXPECT_EQ(item("i & 0x1F"), "0:31");
    EXPECT_EQ(item("rand() / (i % 4)"), "") << "by 0, too";
    EXPECT_EQ(item("other(i)"), "");
    EXPECT_EQ(item("2 * (i >> 8)"), "") << "read in part";
    EXPECT_EQ(item("("), "");
    EXPECT_EQ(item("a ? b"), "");
}

TEST(DrawnReals, castsOfAllTypesChangeNothing)
{
    for (const char* cast : { "int16_t", "std::uint32_t", "uint8_t", "(short)", "(std::int16_t)", "static_cast<int16_t>" })
        EXPECT_EQ(assigned("for (int i = 0; i < n; ++i) h[i] = " + std::string(cast) + "(gen() % 25);", "std::mt19937 gen(99);"), "0:24") << cast;
    EXPECT_EQ(assigned("for (size_t i = 0; i < n; ++i) { h[i] = uint32_t(i) * 2 + 1; }"), "1 by 2");
}

TEST(DrawnReals, valuesMayFollowFromTheIndex)
{
    EXPECT_EQ(assigned("for (int i = 0; i < n; ++i) h[i] = i;"), "0 by 1");
    EXPECT_EQ(assigned("for (int r = 0; r < n; ++r) h[r] = 4 + 2.5f * (float)r;"), "4 by 2.5");
    EXPECT_EQ(assigned("for (int i = 0; i < n; ++i) h[i] = n - 1 - i;"), "63 by -1");
    EXPECT_EQ(assigned("iota(h, n);", "void iota(float* out, int count) { for (int j = 0; j < count; ++j) out[j] = j / 4.0; }"), "0 by 0.25");
    EXPECT_EQ(assigned("h[i] = i % 16;"), "0:15");
    EXPECT_EQ(assigned("h[i] = i * i;"), "");
    EXPECT_EQ(assigned("h[i] = j;"), "");
    EXPECT_EQ(assigned("h[i + 1] = i;"), "");
    EXPECT_EQ(assigned("h[i] = i; h[3] = 7;"), "") << "not all of them";
}

TEST(DrawnReals, whatLoopsCountIsAsTheirHeadsSay)
{
    EXPECT_EQ(assigned("for (int b = 0; b < 4; b++) for (int t = 0; t < n; t++) h[b * n + t] = 1800 + 100 * b + t;"), "1800:2163");
    EXPECT_EQ(assigned("for (int b = 3; b >= 0; --b) { for (int t = 1; t <= n; t += 3) { h[at(b, t)] = b - t; } }"), "-64:2");
    EXPECT_EQ(assigned("for (int b = 0; b < 4; b++) { } for (int t = 0; t < n; t++) h[b + t] = b;"), "") << "behind its loop";
    EXPECT_EQ(assigned("for (int b = 0; b < read(); b++) h[2 * b] = b;"), "");
    EXPECT_EQ(assigned("for (int b = 0; b < b; b++) h[2 * b] = b;"), "") << "ends";
}

TEST(DrawnReals, deepExpressionsAndManyCallersEnd)
{
    for (const std::string part : { "(", "-", "(float)", "1 ? ", "f(", "1 + (" })
        for (const int count : { 50, 100'000 }) {
            std::string deep;
            for (int i = 0; i < count; ++i)
                deep += part;
            EXPECT_EQ(assigned("h[0] = " + deep + ";"), "") << part;
        }
    std::string loops, sum = "h[2 * i] = i";
    for (int i = 0; i < 900; ++i) {
        loops += "for (i = 0; f(i); i = 1) i; ";
        sum += " + i * i * i";
    }
    EXPECT_EQ(assigned(loops + sum + ";"), "");
    std::string callers = "void f0(const float* data) { copy(data); }\n";
    for (int level = 1; level < 4; ++level) {
        callers += "void f" + std::to_string(level) + "(const float* data) { ";
        for (int call = 0; call < 1000; ++call)
            callers += "f" + std::to_string(level - 1) + "(data); ";
        callers += "}\n";
    }
    EXPECT_EQ(assigned("", callers, "f3(h);"), "");
}

TEST(DrawnReals, allAssignmentsCount)
{
    EXPECT_EQ(assigned("for (int i = 0; i < n; ++i) { h[i] = 2; h[i + 1] = 3; }"), "2:3");
    EXPECT_EQ(assigned("h[0] = 2; h[1] = read();"), "") << "no constant";
    EXPECT_EQ(assigned("h[0] = read(); h[1] = drand48();"), "0:1");
    EXPECT_EQ(assigned("h[0].x = drand48(); h[0].y = 2 + drand48();"), "0:3");
    EXPECT_EQ(assigned("g[0] = 1;"), "") << "another array";
    EXPECT_EQ(assigned("x = h[0]; f(h[0] = 1"), "") << "no statement's end";
}

TEST(DrawnReals, librariesFillToo)
{
    EXPECT_EQ(assigned("std::fill(h.begin(), h.end(), 0.5f);"), "0.5:0.5");
    EXPECT_EQ(assigned("std::generate(h.begin(), h.end(), [&] { return dist(gen); });", "std::uniform_real_distribution<float> dist(-2, 2);"), "-2:2");
    EXPECT_EQ(assigned("std::generate_n(h, n, one);", "float one() { return 1; }"), "1:1");
    EXPECT_EQ(assigned("std::normal_distribution<> dist { 5, 1 }; for (auto& x : h) x = dist(gen);"), "3:7");
    EXPECT_EQ(assigned("std::uniform_real_distribution<double> dist; for (auto& x : h) { x = dist(gen); }"), "0:1");
    EXPECT_EQ(assigned("for (int i = 0; i < n; ++i) h.push_back(drand48() - 1);"), "-1:0");
}

TEST(DrawnReals, functionsThatTheArrayIsGivenToAssign)
{
    const std::string fill = "void fill(float* data, int count, float scale = 2) { for (int i = 0; i < count; ++i) data[i] = scale * drand48(); }\n";
    EXPECT_EQ(assigned("fill(h, n);", fill), "0:2");
    EXPECT_EQ(assigned("fill(h.data(), n, 10);", fill), "0:10");
    EXPECT_EQ(assigned("fill(&h[0], n, -1);", fill), "-1:-0");
    EXPECT_EQ(assigned("fill(g, n);", fill), "");
    EXPECT_EQ(assigned("h[0] = draw(3, 5);", "float draw(float low, float high) { return low + (high - low) * drand48(); }"), "3:5");
    EXPECT_EQ(assigned("auto draw = [&]() { return 4 * drand48(); }; h[0] = draw();"), "0:4");
    EXPECT_EQ(assigned("again(h);", "void again(float* h) { again(h); }"), "") << "ends";
    EXPECT_EQ(assigned("h[0] = again(1);", "float again(float x) { return again(x) + again(x); }"), "");
}

TEST(DrawnReals, vectorsHoldWhatTheyAreMadeOf)
{
    const auto made = [](const std::string& more) { return assigned("std::vector<float> g(n), h(n, 0.1f); " + more); };
    EXPECT_EQ(made(""), "0.1 by 0");
    EXPECT_EQ(assigned("std::vector<int> h(size_t(n) * 2, -1), g(n, 5);"), "-1 by 0");
    EXPECT_EQ(assigned("std::vector<float> h; h.assign(n, 0.5f);"), "0.5 by 0");
    EXPECT_EQ(made("copy(h); h.assign(n, 7.f);"), "7 by 0") << "as it is at its last use";
    EXPECT_EQ(made("for (int i = 0; i < n; ++i) h[i] = 2;"), "2:2");
    EXPECT_EQ(made("for (auto& x : h) x = 2;"), "2:2");
    EXPECT_EQ(made("for (int i = 0; i < n; ++i) if (i % 3 == 0) h[i] = 2;"), "0.1:2");
    EXPECT_EQ(made("for (int i = 0; i < n; ++i) { if (i > 9) { h[i] = 2; } else { h[i] = 3; } }"), "2:3");
    EXPECT_EQ(made("for (int i = 0; i < n; ++i) { g[i] = 1; if (i == 0) h[i] = 2; }"), "0.1 by 0") << "one item";
    EXPECT_EQ(made("h[0] = 1; h[n / 2] = read();"), "0.1 by 0");
    EXPECT_EQ(made("h[source] = 1;"), "0.1 by 0");
    EXPECT_EQ(made("for (int i = 0; i < n; ++i) h[i] = other();"), "");
    EXPECT_EQ(made("file.read((char*)h.data(), 4 * n);"), "");
    for (const char* change : { "++h[where()];", "h[k] += 3;", "h[k]++;", "in >> h[k];", "auto& item = h[k]; item = 3;", "float* p = h.data(); p[3] = 1;", "scanf(\"%f\", &h[k]);", "std::iota(h.begin(), h.end(), 0);" })
        EXPECT_EQ(made(change), "") << change;
    EXPECT_EQ(made("g[0] = h[1] + 2 * h[2];"), "0.1 by 0");
    EXPECT_EQ(assigned("Matrix<float> h(3, 5);"), "") << "no vector";
    EXPECT_EQ(assigned("std::vector<float> h(n, read());"), "");
}

TEST(DrawnReals, lambdasFillFromLowToHigh)
{
    const std::string body = "(std::vector<float>& v, float lo, float hi) { std::uniform_real_distribution<float> d(lo, hi); for (float& f : v) f = d(rng); }";
    EXPECT_EQ(assigned("auto fill = [&rng]" + body + "; fill(h, -0.5f, 2.f);"), "-0.5:2");
    EXPECT_EQ(assigned("auto fill = [&]" + body + "; fill(g, 0.f, 9.f); fill(h, -1.f, 2.f);"), "-1:2");
    EXPECT_EQ(assigned("fill(h, -0.5f, 2.f);", "void fill" + body), "-0.5:2");
    EXPECT_EQ(assigned("auto fill = [&]" + body + "; std::fill(h.begin(), h.end(), 3.f);"), "3:3");
    EXPECT_EQ(assigned("std::normal_distribution<float> d(5, 1); for (auto& x : h) x = d(gen);", "void other() { std::uniform_real_distribution<float> d(7, 9); }"), "3:7")
        << "another function's has the same name";
}

TEST(DrawnReals, whatAFunctionIsGivenItsCallersAssign)
{
    EXPECT_EQ(assigned("", "void upload(const float* data) { copy(data); }", "h[0] = 3; upload(h);"), "3:3");
    EXPECT_EQ(assigned("", "template <class T> struct Device { Device(const std::vector<T>& data) { copy(data.data()); } };", "h[0] = 3; Device<float> d(h);"), "3:3");
    EXPECT_EQ(assigned("", "void upload(const float* data) { copy(data); }", "upload(h);"), "");
}

} // namespace
