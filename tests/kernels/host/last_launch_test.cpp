// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/last_launch.h"

#include <gtest/gtest.h>

using namespace coalescope::kernels;

namespace {

/// The line of the last token that may launch; 0: not known.
int lastLine(const std::string& code)
{
    const ProgramText text({ { .text = code, .names = {} } });
    const HostProgram program(text);
    const HostFunction* main = program.function("main", 0);
    const auto last = main ? host::lastLaunching(program, *main) : std::nullopt;
    return last ? text.lineOf(program.token(*last)) : 0;
}

const std::string kKernel = "__global__ void k(int* a) { }\n";

} // namespace

TEST(LastLaunch, isTheLaunchItselfOrTheCallOfWhatLaunches)
{
    EXPECT_EQ(lastLine(kKernel + "int main() {\n k<<<1, 1>>>(0);\n int n = 0;\n return n; }\n"), 3);
    EXPECT_EQ(lastLine(kKernel + "void run() { k<<<1, 1>>>(0); }\nvoid outer() { run(); }\nvoid check() { }\nint main() {\n run();\n outer();\n check(); }\n"), 7);
    EXPECT_EQ(lastLine(kKernel + "struct S { void step() { k<<<1, 1>>>(0); } void look() { } };\nint main() {\n S s;\n s.step();\n s.look(); }\n"), 5);
    EXPECT_EQ(lastLine(kKernel + "struct S { S() { k<<<1, 1>>>(0); } };\nint main() {\n int a;\n S s;\n return a; }\n"), 5) << "a constructor's";
    EXPECT_EQ(lastLine(kKernel + "int main() {\n auto go = [&] { k<<<1, 1>>>(0); };\n int n = 1;\n go();\n return n; }\n"), 5);
    EXPECT_EQ(lastLine(kKernel + "template <class T> void run(T x) { k<<<1, 1>>>(x); }\nint main() {\n run<int*>(0);\n return 0; }\n"), 4);
}

TEST(LastLaunch, isTheEndOfTheStatementThatLaunches)
{
    EXPECT_EQ(lastLine(kKernel + "void run(int n) { k<<<n, 1>>>(0); }\nint main() {\n run([](int x) {\n return x; }(3)\n );\n return 0; }\n"), 6) << "what a lambda does for it comes before";
}

TEST(LastLaunch, isNotKnownWhereWhatLaunchesIsHandedOn)
{
    EXPECT_EQ(lastLine(kKernel + "void run() { k<<<1, 1>>>(0); }\ntemplate <class F> void time(F f) { f(); }\nint main() {\n time(run);\n time(run);\n return 0; }\n"), 0);
    EXPECT_EQ(lastLine(kKernel + "void run() { k<<<1, 1>>>(0); }\nint main() {\n auto p = &run;\n p();\n return 0; }\n"), 0);
    EXPECT_EQ(lastLine(kKernel + "struct S { ~S() { k<<<1, 1>>>(0); } };\nint main() {\n S s;\n return 0; }\n"), 0) << "a destructor comes last";
    EXPECT_EQ(lastLine(kKernel + "template <class F> void time(F f) { f(); }\nint main() {\n time([&] { k<<<1, 1>>>(0); });\n return 0; }\n"), 0);
    EXPECT_EQ(lastLine(kKernel + "int main() {\nagain: int n = 0;\n k<<<1, 1>>>(0);\n if (n) goto again;\n return 0; }\n"), 0);
}
