// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <csignal>

using namespace coalescope::cli;

TEST(Usage, aloneItPrintsHelpWithExamples)
{
    const Outcome outcome = run({});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(
        outcome.out.find("coalescope predict transpose_shared --set pad=0\n"), std::string::npos);
    EXPECT_NE(outcome.out.find("coalescope compare transpose_shared"), std::string::npos);
}

TEST(Usage, versionIsOneLine)
{
    const Outcome outcome = run({ "--version" });
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(outcome.out.starts_with("coalescope ")) << outcome.out;
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 1);
}

TEST(Usage, unknownCommandNamesThem)
{
    expectError(run({ "frob" }), 2, "there is no command 'frob'; there are kernels, predict");
}

TEST(Usage, oneOptionTakesOneAssignment)
{
    expectError(run({ "predict", "copy", "--set", "rows=64", "cols=64" }), 2,
        "'cols=64' was not expected here: each NAME=VALUE has an option before it, as in --set a=1 --set b=2");
    EXPECT_EQ(run({ "predict", "copy", "more" }).err.find("NAME=VALUE"), std::string::npos);
}

TEST(Usage, unknownOptionIsNamed)
{
    expectError(run({ "predict", "copy", "--devce", "t4" }), 2, "'--devce'");
}

TEST(Usage, kernelOrSourceIsNeeded)
{
    expectError(run({ "predict" }), 2, "either a KERNEL or --source");
}

TEST(Usage, unknownKernelGetsTheNearest)
{
    expectError(run({ "predict", "transpose_nave" }), 2, "transpose_naive");
}

TEST(Usage, misspeltParameterListsThem)
{
    expectError(run({ "predict", "copy", "--set", "row=3" }), 2, "it has rows, cols, type");
}

TEST(Usage, illegalValueSaysItsRange)
{
    expectError(run({ "predict", "copy", "--set", "rows=0" }), 2, "outside 1 to 65536 (rows)");
}

TEST(Usage, aValueThatAFileDoesNotTakeIsAskedOfTheFile)
{
    const Folder folder;
    const std::string file = folder.write("mine.cu", "/* --- coalescope\nid = 'k'\ntitle = 'K'\nentry = 'k'\n[[parameters]]\n"
        "name = 'n'\ndefault = 1\nmin = 1\nmax = 8\n[launch]\ngrid = ['n']\nblock = [32]\n--- */\n__global__ void k() { }\n");
    for (const auto& arguments : { std::vector<std::string> { "predict", file, "--set", "n=9" },
             std::vector<std::string> { "sweep", file, "--over", "n=x" } })
        expectError(run(arguments), 2, "(n in mine.cu). Give another value; \"coalescope kernels FILE\" lists what it accepts.");
    expectError(run({ "predict", "copy", "--set", "rows=0" }), 2, "(rows). Give another value; \"coalescope kernels\" lists");
}

TEST(Usage, float4AtAnOddShapeIsRefusedWithItsSentence)
{
    expectError(run({ "predict", "transpose_float4", "--set", "rows=1000", "--set", "cols=1003",
                    "--json" }),
        2, "The columns (1003) must be a multiple of 4 x block x = 128");
}

TEST(Usage, aParameterGivenTwiceIsSaidToBe)
{
    expectError(run({ "predict", "transpose_shared", "--set", "pad=1", "--set", "pad=2" }), 2, "the parameter 'pad' is given twice (--set)");
}

TEST(Usage, unknownDeviceListsThem)
{
    expectError(run({ "predict", "copy", "--device", "h300" }), 2, "known are h200");
}

TEST(Usage, targetThatIsNoCommandIsNoGpu)
{
    expectError(run({ "measure", "copy", "--target", "/nonexistent-command" }), 4, "nonexistent");
}

TEST(Usage, jobThatIsNoJsonIsBadInputInOneLine)
{
    const Outcome outcome = run({ "measure", "--job", "-" }, { .input = "nothing\n" });
    EXPECT_EQ(outcome.status, 3);
    EXPECT_EQ(outcome.json().at("error").at("code"), "BadInput");
}

TEST(Usage, kernelsListsWhatEachAccepts)
{
    const Outcome text = run({ "kernels" });
    EXPECT_EQ(text.status, 0);
    EXPECT_NE(text.out.find("--set pad=1"), std::string::npos);
    EXPECT_NE(text.out.find("f32, f64, f16, i8, i32"), std::string::npos);
    const Outcome json = run({ "kernels", "--json" });
    EXPECT_EQ(json.json().at(0).at("id"), "copy");
    EXPECT_EQ(json.json().at(0).at("parameters").at(0).at("name"), "rows");
}

TEST(Usage, fullDiskIsAnError)
{
    if (access("/dev/full", W_OK))
        GTEST_SKIP() << "this system has no /dev/full";
    const Outcome outcome = run({ "kernels" }, { .outputFile = "/dev/full" });
    expectError(outcome, 3, "cannot be written: No space left on device");
}

TEST(Usage, readerThatLeavesEndsItQuietly)
{
    const Outcome outcome = run({ "kernels" }, { .readerIsGone = true });
    EXPECT_EQ(outcome.status, 128 + SIGPIPE);
    EXPECT_EQ(outcome.err, "");
}
