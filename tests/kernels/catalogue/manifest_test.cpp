// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/kernel_impl.h"

#include "kernels/catalogue/argument_parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

const std::string kHead = "// SPDX-License-Identifier: MIT\n/* --- coalescope\n"; // two lines
const std::string kBasics = "id = 'k'\ntitle = 'T'\nentry = 'k'\n"; // three lines
const std::string kParameter = "[[parameters]]\nname = 'n'\ndefault = 4\nmin = 1\nmax = 8\n";
const std::string kLaunch = "[launch]\ngrid = ['n']\nblock = [32]\n";
const std::string kTail = "--- */\n__global__ void k(float* p) {}\n";

std::string whereOf(const std::string& manifest)
{
    const auto kernel = parseKernel(kHead + manifest + kTail, "mine.cu");
    if (kernel)
        return "parsed";
    EXPECT_EQ(kernel.error().code, ErrorCode::BadInput);
    return kernel.error().where;
}

TEST(Manifest, aMinimalOneParses)
{
    const auto kernel = parseKernel(kHead + kBasics + kParameter + kLaunch + kTail, "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail << kernel.error().where;
    EXPECT_EQ(kernel->id, "k");
    EXPECT_EQ(kernel->title.en, "T");
    EXPECT_EQ(kernel->sourceName, "mine.cu");
    ASSERT_EQ(kernel->parameters.size(), 1u);
    EXPECT_EQ(kernel->parameters[0].label.en, "n"); // its name, where it has no label
    EXPECT_TRUE(kernel->source.starts_with("// SPDX")); // the whole file
}

TEST(Manifest, whatAnEarlierLaunchLeavesIsNamedByLaunchAndBuffer)
{
    const auto buffer = [&](const std::string& after) {
        return kBasics + kParameter + "[[arguments]]\nbuffer = 'a'\ntype = 'i32'\ncount = 'n'\nafter = " + after + "\n" + kLaunch;
    };
    const auto kernel = parseKernel(kHead + buffer("{ launch = 'sort', buffer = 'keys' }") + kTail, "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail;
    const auto plan = planLaunch(*kernel, {});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().detail, "the file's host code has no launch of 'sort' before this one");
    EXPECT_EQ(plan.error().where, "mine.cu:11");
    EXPECT_EQ(whereOf(buffer("'sort'")), "mine.cu:15");
    EXPECT_EQ(whereOf(buffer("{ launch = 'sort' }")), "mine.cu:15");
    EXPECT_EQ(whereOf(buffer("{ launch = 'sort', buffer = 'keys', at = 3 }")), "mine.cu:15");
}

TEST(Manifest, aBufferMayBeTheSameAsAnEarlierOne)
{
    const std::string own = "[[arguments]]\nbuffer = 'a'\ntype = 'f32'\ncount = 'n'\nfill = 'iota'\n";
    const auto kernel = parseKernel(kHead + kBasics + kParameter + own + "[[arguments]]\nbuffer = 'b'\nsame = 'a'\n" + kLaunch + kTail, "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail;
    const auto plan = planLaunch(*kernel, { { "n", "8" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto& same = std::get<BufferPlan>(plan->arguments.at(1));
    EXPECT_EQ(same.name, "b");
    EXPECT_EQ(same.sameAs, "a");
    EXPECT_EQ(same.count, 8u);
    EXPECT_EQ(bufferBytes(*plan), 32u) << "counted once";
    EXPECT_EQ(buffersOf(*plan), "f32[8] =f32[8] ");
    EXPECT_EQ(whereOf(kBasics + kParameter + own + "[[arguments]]\nbuffer = 'b'\nsame = 'c'\n" + kLaunch), "mine.cu:16");
    EXPECT_EQ(whereOf(kBasics + kParameter + own + "[[arguments]]\nbuffer = 'b'\nsame = 'a'\ncount = 8\n" + kLaunch), "mine.cu:19");
}

TEST(Manifest, anArgumentMayPointIntoABuffer)
{
    const std::string own = "[[arguments]]\nbuffer = 'a'\ntype = 'f32'\ncount = 'n'\noffset = '4 * n - 4'\n";
    const auto kernel = parseKernel(kHead + kBasics + kParameter + own + "[[arguments]]\nbuffer = 'b'\nsame = 'a'\noffset = 12\n" + kLaunch + kTail, "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail;
    const auto plan = planLaunch(*kernel, { { "n", "8" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments.at(0)).offset, 28u);
    EXPECT_EQ(std::get<BufferPlan>(plan->arguments.at(1)).offset, 12u);
    EXPECT_FALSE(planLaunch(*kernel, { { "n", "2" } })) << "beyond its end";
    EXPECT_EQ(whereOf(kBasics + kParameter + own + "addresses = true\n" + kLaunch), "mine.cu:16") << "nothing tells where they lead";
}

TEST(Manifest, constantsAreListsOfNumbersAndExpressions)
{
    const auto kernel = parseKernel(
        kHead + kBasics + kParameter + "[[constants]]\nname = 'kGrid'\nvalues = ['n * 2', 0.5, [1, 'n'], -3, '16186183351374184449']\n" + kLaunch + kTail, "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail << kernel.error().where;
    const auto plan = planLaunch(*kernel, { { "n", "5" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    const std::vector<std::pair<std::string, std::string>> expected { { "kGrid", "{ 10, 0.5, { 1, 5 }, -3, 16186183351374184449ull }" } };
    EXPECT_EQ(plan->constants, expected);
    for (const char* wrong : { "name = 'k'\n", "name = 'k'\nvalues = 3\n", "name = 'k'\nvalues = []\n", "name = 'k'\nvalues = ['n +']\n",
             "name = 'a b'\nvalues = [1]\n", "values = [1]\n", "name = 'k'\nvalues = [true]\n", "name = 'k'\nvalues = [1]\ncount = 1\n" })
        EXPECT_TRUE(whereOf(kBasics + "[[constants]]\n" + wrong + kLaunch).starts_with("mine.cu:")) << wrong;
}

TEST(Manifest, variablesOfTheModuleAreFilledAsBuffersAre)
{
    const auto kernel = parseKernel(kHead + kBasics + kParameter + "[[variables]]\nbuffer = 'table'\ntype = 'u32'\ncount = 'n * 2'\nfill = 'iota'\n" + kLaunch + kTail, "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail << kernel.error().where;
    const auto plan = planLaunch(*kernel, { { "n", "5" } });
    ASSERT_TRUE(plan) << plan.error().detail;
    ASSERT_EQ(plan->variables.size(), 1u);
    EXPECT_EQ(plan->variables[0].name, "table");
    EXPECT_EQ(plan->variables[0].count, 10u);
    EXPECT_EQ(plan->variables[0].fill.kind, FillKind::Iota);
    const std::string one = "[[variables]]\nbuffer = 'a'\ntype = 'f32'\ncount = 4\n";
    for (const std::string& wrong : { one + one, one + "after = { launch = 'a', buffer = 'b' }\n", std::string("[[variables]]\nscalar = 'a'\ntype = 'f32'\nvalue = 1\n") })
        EXPECT_TRUE(whereOf(kBasics + wrong + kLaunch).starts_with("mine.cu:")) << wrong;
}

TEST(Manifest, everyCommentStyleGivesTheSameText)
{
    const std::string expected = "\nid = 'k'\n\nx = 1\n";
    EXPECT_EQ(manifestText("/* --- coalescope\nid = 'k'\n\nx = 1\n--- */\n", "f"), expected);
    EXPECT_EQ(manifestText("// --- coalescope\n// id = 'k'\n//\n// x = 1\n// ---\n", "f"), expected);
    EXPECT_EQ(manifestText("//--- coalescope\r\n//id = 'k'\r\n//\r\n//x = 1\r\n//---\r\n", "f"), expected);
    const auto starred = manifestText("/* --- coalescope\n * id = 'k'\n *\n * x = 1\n * ---\n */\n", "f");
    ASSERT_TRUE(starred);
    EXPECT_EQ(*starred, "\n id = 'k'\n\n x = 1\n");
}

TEST(Manifest, isFoundOnlyInTheLeadingComment)
{
    EXPECT_FALSE(manifestText("int x;\n/* --- coalescope\nid = 'k'\n--- */\n", "f"));
    EXPECT_TRUE(manifestText("\n\n// a licence\n\n/* more\n --- coalescope\nid = 'k'\n---\n */\n", "f"));
    const auto none = parseKernel("__global__ void k() {}\n", "mine.cu");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().detail.find("no manifest"), std::string::npos);
}

TEST(Manifest, oneWithoutAnEndNamesItsFirstLine)
{
    const auto open = parseKernel("// x\n/* --- coalescope\nid = 'k'\n*/\nint x;\n", "mine.cu");
    ASSERT_FALSE(open);
    EXPECT_EQ(open.error().where, "mine.cu:2");
}

TEST(Manifest, anUnknownKeyIsAnsweredWithTheKnownOnes)
{
    const auto kernel = parseKernel("/* --- coalescope\n" + std::string(kBasics) + kParameter + "[launch]\ngrid = ['n']\nblock = [32]\nshared = 64\n--- */\n", "mine.cu");
    ASSERT_FALSE(kernel);
    EXPECT_NE(kernel.error().detail.find("'shared' here, but grid, block, dynamic_shared"), std::string::npos) << kernel.error().detail;
}

TEST(Manifest, errorsNameTheLineInTheFile)
{
    EXPECT_EQ(whereOf("id = 'k'\ntitle = \n"), "mine.cu:4"); // TOML's own error
    EXPECT_EQ(whereOf(kBasics + "titel = 'x'\n" + kParameter + kLaunch), "mine.cu:6"); // an unknown key
    EXPECT_EQ(whereOf(kBasics + "[[parameters]]\nname = 'i'\ndefault = 4\nmin = 1\nmax = 8\n" + kLaunch), "mine.cu:6");
    EXPECT_EQ(whereOf(kBasics + "[[parameters]]\nname = 'n'\ndefault = 9\nmin = 1\nmax = 8\n" + kLaunch), "mine.cu:8");
    EXPECT_EQ(whereOf(kBasics + kParameter + "[launch]\ngrid = ['n +']\nblock = [32]\n"), "mine.cu:12");
    EXPECT_EQ(whereOf(kBasics + kParameter + "[launch]\nblock = [32]\n"), "mine.cu:11"); // no grid
    EXPECT_EQ(whereOf(kBasics + kParameter + kLaunch + "[[legality]]\ncondition = 'n > 1'\nparameters = ['m']\nsentence = 's'\n"),
        "mine.cu:16");
    EXPECT_EQ(whereOf(kBasics + kParameter + kLaunch + "[[arguments]]\nbuffer = 'b'\ntype = 'f31'\ncount = 4\n"), "mine.cu:14");
    EXPECT_EQ(whereOf(kBasics + kParameter + kLaunch + "[verify]\nm = 3\n"), "mine.cu:15");
}

/// The bits of an argument `scalar = "a"`, the only one; the error where there is one.
std::string scalarOf(const std::string& type, const std::string& value)
{
    const auto kernel = parseKernel(kHead + kBasics + kParameter + kLaunch + "[[arguments]]\nscalar = 'a'\ntype = '" + type
            + "'\nvalue = " + value + "\n" + kTail, "mine.cu");
    if (!kernel)
        return kernel.error().where + ": " + kernel.error().detail;
    const auto plan = planLaunch(*kernel, {});
    if (!plan)
        return plan.error().where + ": " + plan.error().detail;
    return std::to_string(std::get<ScalarPlan>(plan->arguments.at(0)).bits);
}

/// Bounds, start and step of the fill of the only argument; the error where there is one.
std::string fillOf(const std::string& type, const std::string& fill)
{
    const auto kernel = parseKernel(kHead + kBasics + kParameter + kLaunch + "[[arguments]]\nbuffer = 'a'\ntype = '" + type
            + "'\ncount = 8\nfill = '" + fill + "'\n" + kTail, "mine.cu");
    if (!kernel)
        return kernel.error().where + ": " + kernel.error().detail;
    const auto plan = planLaunch(*kernel, {});
    if (!plan)
        return plan.error().where + ": " + plan.error().detail;
    const Fill made = std::get<BufferPlan>(plan->arguments.at(0)).fill;
    return fmt::format("{} {} {} {}", made.low, made.high, made.start, made.step);
}

TEST(Manifest, numbersOfAFillAreExpressionsOfTheParameters)
{
    EXPECT_EQ(fillOf("i32", "random:1:0:n * n"), "0 16 0 1");
    EXPECT_EQ(fillOf("f32", "random:1:-1.0 / n:1"), "-0.25 1 0 1");
    EXPECT_EQ(fillOf("i32", "iota:n:2 * n"), "0 0 4 8");
    EXPECT_EQ(fillOf("i32", "iota"), "0 0 0 1");
    EXPECT_EQ(fillOf("i32", "random:1:0:n +").substr(0, 11), "mine.cu:18:");
    EXPECT_EQ(fillOf("i32", "random:1:0:0.5"), "mine.cu:18: the fill's 0.5 is no value of i32");
    EXPECT_EQ(fillOf("i32", "random:1:n:n"), "mine.cu:14: the fill of 'a': no random value is from 4 to below 4");
}

TEST(Manifest, aScalarTakesNumbersWithAFractionAndExpressionsOfThem)
{
    const auto bits = [](float value) { return std::to_string(std::bit_cast<std::uint32_t>(value)); };
    EXPECT_EQ(scalarOf("f32", "0.01"), bits(0.01f));
    EXPECT_EQ(scalarOf("f32", "-1.5e-3"), bits(-1.5e-3f));
    EXPECT_EQ(scalarOf("f32", "'0.01'"), bits(0.01f));
    EXPECT_EQ(scalarOf("f32", "'1.0 / n'"), bits(0.25f));
    EXPECT_EQ(scalarOf("f32", "3"), bits(3.0f));
    EXPECT_EQ(scalarOf("f32", "-inf"), bits(-HUGE_VALF));
    EXPECT_EQ(scalarOf("f64", "0.1"), std::to_string(std::bit_cast<std::uint64_t>(0.1)));
    EXPECT_EQ(scalarOf("i32", "2.0"), "2");
    EXPECT_EQ(scalarOf("i32", "'n / 2'"), "2");
}

TEST(Manifest, aScalarThatDoesNotFitIsRefusedAtItsLine)
{
    EXPECT_EQ(scalarOf("i32", "0.5"), "mine.cu:17: '0.5' is no integer");
    EXPECT_EQ(scalarOf("i32", "'n / 8'"), "mine.cu:14: the scalar 'a': '0.5' is no integer");
    EXPECT_EQ(scalarOf("f32", "'n =='").substr(0, 11), "mine.cu:17:");
    EXPECT_EQ(scalarOf("f32", "'m * 0.5'").substr(0, 27), "mine.cu:14: the scalar 'a':");
    EXPECT_EQ(scalarOf("f32", "true"), "mine.cu:17: 'value' must be a number or an expression in quotes");
}

TEST(Manifest, aParametersNameIsRefusedWithTheReason)
{
    const auto detailOf = [](const std::string& parameters) {
        const auto kernel = parseKernel(kHead + kBasics + parameters + kLaunch + kTail, "mine.cu");
        return kernel ? "parsed" : kernel.error().detail;
    };
    EXPECT_EQ(detailOf("[[parameters]]\nname = 'size'\ndefault = 4\nmin = 1\nmax = 8\n"),
        "'size' cannot name a parameter: expressions have a function of this name");
    EXPECT_EQ(detailOf(kParameter + kParameter), "there are two parameters 'n'");
}

TEST(Manifest, withoutAnIdTheFilesNameIsTaken)
{
    const auto spec = parseKernel("/* --- coalescope\ntitle = 'T'\nentry = 'k'\n" + kParameter + kLaunch + "--- */\n__global__ void k() {}\n", "saxpy.cu");
    ASSERT_TRUE(spec.has_value()) << spec.error().detail;
    EXPECT_EQ(spec->id, "saxpy");
}

TEST(Manifest, missingPartsAreErrors)
{
    EXPECT_NE(whereOf("title = 'T'\n" + kParameter + kLaunch), "parsed");
    EXPECT_NE(whereOf(kBasics + kParameter), "parsed");
    EXPECT_NE(whereOf(kBasics + kLaunch + "[reference]\noutput = 'out'\ninput = 'in'\nindex = 'i'\n"), "parsed");
}

TEST(Manifest, hostileTextIsAnErrorNotACrash)
{
    EXPECT_NE(whereOf(std::string(100000, '[')), "parsed");
    EXPECT_NE(whereOf("id = \"\\uD800\"\n"), "parsed");
    EXPECT_NE(whereOf(kBasics + "x = " + std::string(2000, '{') + "\n"), "parsed");
    EXPECT_NE(whereOf(std::string("id = '\0'\n", 9)), "parsed");
    EXPECT_EQ(whereOf(kBasics + "[[!parameters]]\n"), "mine.cu:6"); // toml++ 3.3 asserts here
    EXPECT_EQ(whereOf(kBasics + "[^]\n"), "mine.cu:6");
    EXPECT_EQ(whereOf(kBasics + "gr\xc3\xb6\xc3\x9f" "e = 3\n"), "mine.cu:6");
    EXPECT_EQ(whereOf(kBasics + "summary = '''\n\xc3\xb6\n'''\n# \xc3\xb6\n\xc3\xb6 = 3\n"), "mine.cu:10");
    EXPECT_FALSE(parseKernel(std::string((16 << 20) + 1, ' '), "big.cu"));
}

TEST(Manifest, aParameterMayBeARealNumber)
{
    const std::string argument = "[[arguments]]\nscalar = 'keep'\ntype = 'f32'\n[[arguments]]\nscalar = 'half'\ntype = 'f64'\nvalue = 'keep / 2'\n";
    const auto manifest = [&](const std::string& rest) { return kBasics + kParameter + "[[parameters]]\nname = 'keep'\nreal = true\n" + rest + argument + kLaunch; };
    const auto kernel = parseKernel(kHead + manifest("default = 0.25\n") + kTail, "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail << kernel.error().where;
    EXPECT_TRUE(kernel->parameters[1].isReal);
    EXPECT_FALSE(kernel->parameters[1].isInteger());
    const auto bitsOf = [&](const std::string& keep) {
        const auto plan = planLaunch(*kernel, { { "keep", keep } });
        EXPECT_TRUE(plan) << plan.error().detail;
        return std::pair(std::bit_cast<float>(std::uint32_t(std::get<ScalarPlan>(plan->arguments[0]).bits)), std::bit_cast<double>(std::get<ScalarPlan>(plan->arguments[1]).bits));
    };
    EXPECT_EQ(bitsOf("0.25"), std::pair(0.25f, 0.125));
    EXPECT_EQ(bitsOf("3"), std::pair(3.f, 1.5));
    EXPECT_EQ(bitsOf("-1e-3"), std::pair(-1e-3f, -5e-4));
    EXPECT_EQ(planLaunch(*kernel, { { "keep", "0.50" } })->parameters.at("keep"), "0.5") << "one value has one text";
    for (const char* wrong : { "", "half", "nan", "inf", "1e999", "0,5" }) {
        const auto plan = planLaunch(*kernel, { { "keep", wrong } });
        ASSERT_FALSE(plan) << wrong;
        EXPECT_EQ(plan.error().code, ErrorCode::IllegalParameter) << wrong;
    }
    EXPECT_EQ(whereOf(manifest("default = 1\n")), "parsed");
    EXPECT_EQ(whereOf(manifest("default = 'much'\n")), "mine.cu:14");
    EXPECT_EQ(whereOf(manifest("default = 1\nmax = 4\n")), "mine.cu:15") << "bounds are of integers";
}

} // namespace
