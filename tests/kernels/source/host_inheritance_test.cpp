// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/launches.h"

#include <gtest/gtest.h>

using namespace coalescope::kernels;

namespace {

const std::string kKernels = "__global__ void copy(const float* in, float* out, int n) { }\n__global__ void scale(float* p, int n) { }\n";
const std::string kBase = "class Base { public: explicit Base(int n) : m_n(n) { cudaMalloc(&m_p, m_n * sizeof(float)); } virtual ~Base() { cudaFree(m_p); }\n"
                          "  virtual void step() = 0; void run() { step(); scale<<<m_n / 128, 128>>>(m_p, m_n); } protected: float* m_p = nullptr; int m_n; };\n"
                          "struct Solver final : public Base { int twice; Solver(int n) : Base(n), twice(2 * m_n) { } void step() override { copy<<<twice / 256, 256>>>(m_p, m_p, twice); } };\n";

/// "kernel grid bytes of its first buffer", one a line.
std::string launched(const std::string& source)
{
    const ProgramLaunches found = launchesOf({ { .text = kKernels + source, .names = {} } });
    std::string text;
    for (const ProgramLaunch& launch : found.launches) {
        const int buffer = launch.arguments.at(0).buffer;
        const auto bytes = buffer >= 0 ? found.buffers[std::size_t(buffer)].bytes : std::nullopt;
        text += launch.kernel + " " + (launch.isShapeKnown ? std::to_string(launch.grid[0].asInteger()) : "?") + " " + (bytes ? std::to_string(bytes->asInteger()) : "?") + "\n";
    }
    return text;
}

} // namespace

TEST(HostInheritance, aDerivedClassHasTheMembersAndFunctionsOfItsBases)
{
    EXPECT_EQ(launched("struct D { float *in, *out; int n; void go() { copy<<<(n + 255) / 256, 256>>>(in, out, n); } };\nstruct E : D { };\n"
                       "int main() { E e; e.n = 1024; cudaMalloc(&e.in, e.n * 4); cudaMalloc(&e.out, e.n * 4); e.go(); }\n"),
        "copy 4 4096\n");
    EXPECT_EQ(launched("struct A { float* p; int n; }; struct B { int blocks; }; struct C : A, B { int threads = 64; };\n"
                       "int main() { float* p; cudaMalloc(&p, 64); C c { { p, 16 }, { 3 } }; scale<<<c.blocks, c.threads>>>(c.p, c.n); }\n"),
        "scale 3 64\n");
}

TEST(HostInheritance, constructorsMakeTheirBases)
{
    EXPECT_EQ(launched(kBase + "int main() { Solver s(512); s.run(); }\n"), "copy 4 2048\nscale 4 2048\n");
    EXPECT_EQ(launched("struct A { float* p; int n; A(int m) : n(m) { cudaMalloc(&p, n); } };\nstruct B : A { using A::A; int half = n / 2; };\nint main() { B b(64); scale<<<b.half, 32>>>(b.p, b.n); }\n"), "scale 32 64\n");
}

TEST(HostInheritance, virtualFunctionsAreThoseOfTheObject)
{
    for (const std::string made : { "std::unique_ptr<Base> s = std::make_unique<Solver>(512);", "std::unique_ptr<Base> s(new Solver(512));", "Base* s = new Solver(512);",
             "std::vector<std::unique_ptr<Base>> all; all.push_back(std::make_unique<Solver>(512)); for (auto& s : all)", "Solver made(512); Base* s = &made;", "auto s = make(512);" })
        EXPECT_EQ(launched(kBase + "std::unique_ptr<Base> make(int n) { return std::unique_ptr<Base>(new Solver(n)); }\nint main() { " + made + " s->run(); }\n"), "copy 4 2048\nscale 4 2048\n") << made;
    EXPECT_EQ(launched(kBase + "void drive(Base& solver) { solver.run(); }\nint main() { Solver s(512); drive(s); }\n"), "copy 4 2048\nscale 4 2048\n");
}

TEST(HostInheritance, aBasesFunctionIsCalledByItsClassAndByItsConstructor)
{
    const std::string classes = "struct A { float* p; A() { cudaMalloc(&p, 4); init(); } virtual void init() { scale<<<1, 1>>>(p, 1); } void plain() { scale<<<2, 1>>>(p, 1); } void run() { plain(); } };\n"
                                "struct B : A { void init() override { A::init(); copy<<<3, 1>>>(p, p, 1); } void plain() { copy<<<4, 1>>>(p, p, 1); } };\n";
    EXPECT_EQ(launched(classes + "int main() { B b; }\n"), "scale 1 4\n");
    EXPECT_EQ(launched(classes + "int main() { B b; b.init(); }\n"), "scale 1 4\ncopy 3 4\n");
    EXPECT_EQ(launched(classes + "int main() { A* a = new B; a->run(); }\n"), "scale 1 4\nscale 2 4\n") << "another shape is another launch";
    EXPECT_EQ(launched(classes + "int main() { B b; b.plain(); }\n"), "scale 1 4\ncopy 4 4\n");
}

TEST(HostInheritance, templatesOfBasesHaveTheirArguments)
{
    EXPECT_EQ(launched("template <class T, int TILE> struct A { T* p; int n; A(int m) : n(m) { cudaMalloc(&p, n * sizeof(T)); } virtual void step() = 0; void run() { step(); } };\n"
                       "template <class R, int WIDTH> struct B : public A<R, WIDTH * 2> { B(int m) : A<R, WIDTH * 2>(m) { } void step() override { scale<<<this->n / WIDTH, WIDTH>>>(this->p, this->n); } };\n"
                       "int main() { B<double, 32> b(64); b.run(); }\n"),
        "scale 2 512\n");
    EXPECT_EQ(launched("template <class T> struct A { T* p; int n; A(int m) : n(m) { cudaMalloc(&p, n * sizeof(T)); } virtual void step() { copy<<<n, 1>>>(p, p, n); } };\n"
                       "template <class T> class B : public A<T> { using Base = A<T>; using Base::n; public: B(int m) : Base(m) { } void step() override { Base::step(); scale<<<2, 1>>>(this->p, n); } };\n"
                       "int main() { std::unique_ptr<A<float>> b = std::make_unique<B<float>>(3); b->step(); }\n"),
        "copy 3 12\nscale 2 12\n");
    EXPECT_EQ(launched("template <class D> struct A { float* p; void run() { cudaMalloc(&p, 8); static_cast<D*>(this)->step(); } };\n"
                       "struct B : A<B> { void step() { scale<<<5, 1>>>(p, 2); } };\nint main() { B b; b.run(); }\n"),
        "scale 5 8\n");
}

TEST(HostInheritance, whereTwoMembersHaveOneNameNoneIsTaken)
{
    EXPECT_EQ(launched("struct A { int n = 3; float* p; void go() { scale<<<n, 1>>>(p, n); } }; struct B : A { int n = 5; };\nint main() { B b; b.go(); }\n"), "");
}
