// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

using namespace coalescope::cli;
using nlohmann::json;

namespace {

class Predict : public NeedsCompiler { };

constexpr const char* kScale = R"(__global__ void scale(float* out, const float* in, int n, float f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * f;
}
)";

constexpr std::size_t kKeys = 29;

std::vector<std::string> scaleOf(const std::string& file, const std::vector<std::string>& more = {})
{
    std::vector<std::string> arguments { "predict", "--source", file, "--entry", "scale", "--grid",
        "4", "--block", "256", "--arg", "f32[1000]", "--arg", "f32[1000]=iota", "--arg", "i32:1000",
        "--arg", "f32:0.5" };
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

const json* hazard(const json& result, std::string_view kind)
{
    for (const json& one : result.at("hazards")) {
        if (one.at("kind") == kind)
            return &one;
    }
    return nullptr;
}

json exactMetrics(const json& result)
{
    json metrics = result.at("metrics");
    for (const json& key : result.at("estimates"))
        metrics.erase(key.get<std::string>());
    return metrics;
}

} // namespace

TEST_F(Predict, theTextHasWarmAndColdBesideTheDuration)
{
    const Outcome outcome = run({ "predict", "transpose_naive", "--set", "rows=256" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    for (const char* line : { "\ntime: ", "\ntime, caches emptied: ", "\ntime, warm L2: ", "\ntime, cold L2: ", "; a profiler's gpu__time_duration), limited by ",
             " us (estimate; between two events, which add about 2 us)\n" })
        EXPECT_NE(outcome.out.find(line), std::string::npos) << outcome.out;
}

TEST_F(Predict, aDeviceIsNamedInAnyCase)
{
    const Outcome outcome = run({ "predict", "copy", "--set", "rows=32", "--device", "T4", "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("device"), "t4");
}

TEST_F(Predict, whyThereIsNoReferenceIsTold)
{
    const Folder folder;
    const std::string manifest = "/* --- coalescope\nid = \"scale\"\ntitle = \"Scale\"\nentry = \"scale\"\n"
                                 "[launch]\ngrid = [4]\nblock = [256]\n"
                                 "[[arguments]]\nbuffer = \"out\"\ntype = \"f32\"\ncount = \"1000\"\n"
                                 "[[arguments]]\nbuffer = \"in\"\ntype = \"f32\"\ncount = \"1000\"\n"
                                 "[[arguments]]\nscalar = \"n\"\ntype = \"i32\"\nvalue = \"1000\"\n"
                                 "[[arguments]]\nscalar = \"f\"\ntype = \"f32\"\nvalue = \"2\"\n--- */\n";
    const Outcome with = run({ "predict", folder.write("with.cu", manifest + kScale) });
    EXPECT_NE(with.out.find("output: no reference: the kernel's manifest names none"), std::string::npos)
        << with.out << with.err;
    const Outcome without = run(scaleOf(folder.write("without.cu", kScale)));
    EXPECT_NE(without.out.find("output: no reference: the kernel is launched without a manifest"), std::string::npos)
        << without.out << without.err;
}

TEST_F(Predict, theLimiterIsCalledAsInTheWindow)
{
    const Outcome t4 = run({ "predict", "transpose_shared", "--device", "t4", "--set", "tile=16" });
    EXPECT_NE(t4.out.find(", limited by DRAM\n"), std::string::npos) << t4.out;
}

TEST_F(Predict, jsonHasTheMembersOfTheContract)
{
    const Outcome outcome = run({ "predict", "transpose_naive", "--set", "rows=256", "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const json result = outcome.json();
    EXPECT_EQ(result.at("kernel"), "transpose_naive");
    EXPECT_EQ(result.at("device"), "h200");
    EXPECT_EQ(result.at("source"), "ptx");
    EXPECT_EQ(result.at("launch").at("block"), json::array({ 32, 8, 1 }));
    EXPECT_EQ(result.at("metrics").size(), kKeys);
    EXPECT_EQ(result.at("metrics").at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 1048576);
    EXPECT_TRUE(result.at("estimates").is_array());
    EXPECT_EQ(result.at("lines").at(0).at("file"), "transpose_naive.cu");
    EXPECT_GT(result.at("lines").at(0).at("line"), 0);
    EXPECT_TRUE(result.at("time").at("estimate_ns").is_number());
    EXPECT_TRUE(result.at("hazards").empty());
    EXPECT_EQ(result.at("verified"), true);
}

TEST_F(Predict, flatBoundAtAnOddShapeIsWrongAtALine)
{
    const Outcome outcome = run({ "predict", "transpose_flat_bound", "--set", "rows=1000", "--set",
        "cols=1003", "--json", "--fail-on", "hazard" });
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_EQ(outcome.json().at("verified"), false);
    const json result = outcome.json();
    const json* wrong = hazard(result, "wrong-output");
    ASSERT_TRUE(wrong);
    EXPECT_GT(wrong->at("line"), 0);
}

TEST_F(Predict, missingSecondBarrierIsARaceBetweenTwoLines)
{
    const Outcome outcome = run({ "predict", "copy_transpose_batched", "--set",
        "second_barrier=without", "--set", "rows=64", "--set", "cols=64", "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json result = outcome.json();
    const json* race = hazard(result, "shared-race");
    ASSERT_TRUE(race);
    EXPECT_GT(race->at("line"), 0);
    EXPECT_GT(race->at("other_line"), 0);
    EXPECT_NE(race->at("line"), race->at("other_line"));
}

TEST_F(Predict, clangGivesTheSameExactKeys)
{
    for (const char* kernel : { "transpose_shared", "transpose_float4" }) {
        const std::vector<std::string> arguments { "predict", kernel, "--json", "--no-verify" };
        const Outcome any = run(arguments);
        const Outcome clang = run(arguments, { .variables = { { "COALESCOPE_NVRTC", "off" } } });
        if (clang.err.find("no compiler for CUDA C++") != std::string::npos)
            GTEST_SKIP() << "clang is not installed";
        ASSERT_EQ(clang.status, 0) << clang.err;
        EXPECT_EQ(exactMetrics(any.json()), exactMetrics(clang.json())) << kernel;
    }
}

TEST_F(Predict, noCompilerSaysWhatToInstall)
{
    const Outcome outcome = run({ "predict", "copy" },
        { .variables = { { "COALESCOPE_NVRTC", "off" }, { "PATH", "/nonexistent" } } });
    expectError(outcome, 3, "Install clang 14 or newer, or the CUDA toolkit");
}

TEST_F(Predict, sourceTakesArgumentsInOrder)
{
    const Folder folder;
    const Outcome outcome = run(scaleOf(folder.write("scale.cu", kScale), { "--json" }));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json result = outcome.json();
    EXPECT_EQ(result.at("metrics").at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 125);
    EXPECT_EQ(result.at("lines").at(0).at("line"), 5);
    EXPECT_EQ(result.at("verified"), nullptr);
}

TEST_F(Predict, byteOrderMarkAndCarriageReturnsAreNoErrors)
{
    const Folder folder;
    std::string text = "\xef\xbb\xbf// gr\xc3\xb6\xc3\x9f"
                       "e\n";
    for (const char c : std::string(kScale))
        text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const Outcome outcome = run(scaleOf(folder.write("scale.cu", text)));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(Predict, compileErrorHasItsLine)
{
    const Folder folder;
    const std::string file
        = folder.write("scale.cu", "\n__global__ void scale() { undefined(); }\n");
    const Outcome outcome = run({ "predict", "--source", file, "--grid", "1", "--block", "32" });
    expectError(outcome, 3, "scale.cu:2");
    EXPECT_NE(outcome.err.find("undefined"), std::string::npos);
}

TEST_F(Predict, missingEntryListsTheKernels)
{
    const Folder folder;
    expectError(run({ "predict", "--source", folder.write("s.cu", kScale), "--entry", "skale",
                    "--grid", "1", "--block", "32" }),
        2, "the file holds scale");
}

TEST_F(Predict, aBadAddressIsCounted)
{
    const Folder folder;
    const std::string file = folder.write("s.cu", kScale);
    const auto with = [&](const char* in) {
        return run({ "predict", "--source", file, "--entry", "scale", "--grid", "4", "--block", "256", "--arg", "f32[1024]", "--arg", in,
            "--arg", "i32:1024", "--arg", "f32:2" }).out;
    };
    EXPECT_NE(with("f32[0]").find(" of 0 bytes; seen at least 256 times\n"), std::string::npos) << with("f32[0]");
    EXPECT_NE(with("f32[1023]").find(" of 4092 bytes\n"), std::string::npos) << with("f32[1023]");
}

TEST_F(Predict, wrongNumberOfArgumentsIsCounted)
{
    const Folder folder;
    expectError(run({ "predict", "--source", folder.write("s.cu", kScale), "--entry", "scale",
                    "--grid", "1", "--block", "32", "--arg", "f32[8]" }),
        2, "takes 4 parameters and 1 argument was given");
}

TEST_F(Predict, anArgumentOfTheOtherKindIsNotReadBitByBit)
{
    const Folder folder;
    const std::string file = folder.write("a.cu", "__global__ void k(int n, float f, unsigned long long u, double d, float* p)\n{\n"
                                                  "    p[threadIdx.x] = n + f + u + d;\n}\n");
    const auto of = [&](const char* n, const char* f, const char* u, const char* d, const char* p) {
        return run({ "predict", "--source", file, "--entry", "k", "--grid", "1", "--block", "32", "--arg", n, "--arg", f,
            "--arg", u, "--arg", d, "--arg", p });
    };
    EXPECT_EQ(of("i32:1", "f32:1", "u64:1", "f64:1", "f32[32]").status, 0);
    EXPECT_EQ(of("u32:1", "f32:1", "i64:1", "f64:1", "f32[32]").status, 0) << "signed or not";
    EXPECT_EQ(of("u32:1", "f32:1", "f32[1]", "f64:1", "f32[32]").status, 0) << "an address is a number";
    expectError(of("f32:1000", "f32:1", "u64:1", "f64:1", "f32[32]"), 2,
        "argument 1 is f32 and the kernel's parameter 1 takes an integer or a buffer (--arg number 1)");
    expectError(of("i32:1", "i32:1", "u64:1", "f64:1", "f32[32]"), 2,
        "argument 2 is i32 and the kernel's parameter 2 takes a floating-point number");
    expectError(of("i32:1", "f32:1", "f64:1", "f64:1", "f32[32]"), 2, "argument 3 is f64");
    expectError(of("i32:1", "f32:1", "u64:1", "f32[9]", "f32[32]"), 2, "argument 4 is a buffer");
    expectError(of("i32:1", "f32:1", "u64:1", "f64:1", "f64:0"), 2, "argument 5 is f64");
    const std::string manifest = folder.write("m.cu", "/* --- coalescope\nid = 'k'\ntitle = 'K'\nentry = 'k'\n[launch]\n"
        "grid = [1]\nblock = [32]\n[[arguments]]\nscalar = 'n'\ntype = 'f32'\nvalue = '1'\n--- */\n__global__ void k(int n) { }\n");
    expectError(run({ "predict", manifest }), 3,
        "argument 1 is f32 and the kernel's parameter 1 takes an integer or a buffer (m.cu:8)");
}

constexpr const char* kScaleByStruct = "struct Params { float f; int n; const float* in; long long offset; };\n"
                                       "__global__ void scale(float* out, Params p)\n{\n"
                                       "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                       "    if (i < p.n)\n        out[i] = p.in[i + p.offset] * p.f;\n}\n";

TEST_F(Predict, aStructurePassedByValueIsGivenByItsMembers)
{
    const Folder folder;
    const std::string file = folder.write("s.cu", kScaleByStruct);
    const auto with = [&](const char* p) {
        return run({ "predict", "--source", file, "--entry", "scale", "--grid", "4", "--block", "256", "--arg", "f32[1000]", "--arg", p,
            "--json" });
    };
    const Outcome outcome = with("{f32:0.5,i32:1000,f32[1000]=iota,i64:0}");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("metrics").at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 125);
    EXPECT_EQ(outcome.json().at("launch").at("arguments").at(1), "{f32:0.5,i32:1000,f32[1000]=iota,i64:0}");
    EXPECT_TRUE(outcome.json().at("hazards").empty()) << outcome.out;
    const Outcome outside = with("{f32:0.5,i32:1000,f32[999],i64:0}");
    EXPECT_NE(outside.out.find("arg2.3"), std::string::npos) << outside.out;
    expectError(with("f32:0.5"), 2, "argument 2 has 4 bytes and the kernel's parameter 2 takes 24; a structure is given by its "
                                    "members, as {f32:0.5,i32:7,f32[1024]} (--arg number 2)");
    expectError(with("{f32:0.5,f32[9],i64:1,i8:0}"), 2, "argument 2 has 32 bytes, laid out as C does, and the kernel's parameter 2 takes 24 (");
    expectError(with("{f32:0.5,f99:1}"), 2, "'f99:1' starts with no element type");
}

TEST_F(Predict, aManifestHasStructuresOfMembers)
{
    const Folder folder;
    const std::string head = "/* --- coalescope\nid = 's'\ntitle = 'S'\nentry = 'scale'\n[[parameters]]\nname = 'n'\ndefault = 1000\n"
                             "min = 1\nmax = 1000\n[launch]\ngrid = [4]\nblock = [256]\n"
                             "[[arguments]]\nbuffer = 'out'\ntype = 'f32'\ncount = 'n'\n[[arguments]]\nstruct = 'p'\n";
    const std::string members = "[[arguments.members]]\nscalar = 'f'\ntype = 'f32'\nvalue = 0.5\n[[arguments.members]]\nscalar = 'n'\n"
                                "type = 'i32'\n[[arguments.members]]\nbuffer = 'in'\ntype = 'f32'\ncount = 'n'\n"
                                "[[arguments.members]]\nscalar = 'offset'\ntype = 'i64'\nvalue = 0\n";
    const Outcome outcome = run({ "predict", folder.write("m.cu", head + members + "--- */\n" + kScaleByStruct), "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("metrics").at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 125);
    EXPECT_TRUE(outcome.json().at("hazards").empty()) << outcome.out;
    expectError(run({ "predict", folder.write("n.cu", head + "--- */\n" + kScaleByStruct) }), 3, "the struct 'p' has no members (n.cu:17)");
}

TEST_F(Predict, whatIsNoTextIsQuotedWithoutWhatMovesTheTerminal)
{
    const Folder folder;
    const std::string file = folder.write("a.cu",
        "int \xc3\xa9 \xe4\xb8\xad = \x1b[2J \x9b" "2J \xc2\x9b" "2J \xff;\n__global__ void scale() { }\n");
    const std::string said = run(scaleOf(file)).err;
    for (const char* control : { "\x1b", "\x9b", "\xff" })
        EXPECT_EQ(said.find(control), std::string::npos) << said;
    EXPECT_NE(said.find("\xc3\xa9 \xe4\xb8\xad = "), std::string::npos) << said;
}

TEST_F(Predict, ofOneItSaysOne)
{
    const std::string said = run({ "predict", "copy", "--set", "rows=32", "--set", "cols=32", "--no-verify" }).out;
    EXPECT_NE(said.find(", 1 block; limited by grid"), std::string::npos) << said;
}

TEST_F(Predict, wrongArgumentsOfAManifestAreNamedByItsLine)
{
    const Folder folder;
    const std::string head = "/* --- coalescope\nid = 'f'\ntitle = 'F'\nentry = 'f'\n[launch]\ngrid = [1]\nblock = [32]\n"
                             "[[arguments]]\nbuffer = 'out'\ntype = 'f32'\ncount = 32\n";
    const std::string code = "--- */\n__global__ void f(float* out, double x) { out[threadIdx.x] = x; }\n";
    const Outcome few = run({ "predict", folder.write("few.cu", head + code) });
    expectError(few, 3, "the kernel f takes 2 parameters and the manifest has 1 [[arguments]] table (few.cu:8)");
    EXPECT_EQ(few.err.find("--arg"), std::string::npos) << few.err;
    const std::string scalar = "[[arguments]]\nscalar = 'x'\ntype = 'f32'\nvalue = 1\n";
    expectError(run({ "predict", folder.write("wrong.cu", head + scalar + code) }), 3,
        "argument 2 has 4 bytes and the kernel's parameter 2 takes 8 (wrong.cu:12)");
    const std::string entry
        = folder.write("entry.cu", head + "--- */\ntemplate <int N> __global__ void f(float* out) { out[N] = 1; }\n");
    const Outcome outcome = run({ "predict", entry });
    expectError(outcome, 2, "f is a template: write its arguments, such as f<4> (entry.cu:4). Correct the manifest's entry.");
}

TEST_F(Predict, linesOfAtomicsAreInTheTableAndAPlaceIsNamedOnce)
{
    const Folder folder;
    const std::string file = folder.write("a.cu", "__global__ void a(int* o, int* p)\n{\n    atomicAdd(o + threadIdx.x, 1);\n"
        "    if (p[threadIdx.x] == 0) p[threadIdx.x] = 1;\n}\n");
    const Outcome outcome = run({ "predict", "--source", file, "--entry", "a", "--grid", "2", "--block", "32", "--arg", "i32[32]",
        "--arg", "i32[32]" });
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("a.cu:3                                    8\n"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(": line 4: addresses or branches depend"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("line 4 and line 4"), std::string::npos) << outcome.out;
}

TEST_F(Predict, aBlockThatWaitsForAnotherIsSaidToBeUnpredictable)
{
    const Folder folder;
    const std::string file = folder.write("spin.cu", "__global__ void spin(volatile int* o) { while (o[0] < blockIdx.x + 1) ; }\n");
    expectError(run({ "predict", "--source", file, "--grid", "2", "--block", "32", "--arg", "i32[32]" }), 3,
        "for blocks are executed one after another");
}

TEST_F(Predict, tooLargeABlockNamesTheLimit)
{
    const Folder folder;
    const std::string file = folder.write("s.cu", "__global__ void s() {}\n");
    expectError(run({ "predict", "--source", file, "--grid", "1", "--block", "1025" }), 2, "1024");
}

TEST_F(Predict, fileWithoutAManifestIsLaunchedAsItsCodeSuggestsOrRefused)
{
    const Folder folder;
    const Outcome alone = run({ "predict", folder.write("s.cu", kScale), "--json" });
    EXPECT_EQ(alone.status, 0);
    EXPECT_NE(alone.err.find("nothing in the program launches it"), std::string::npos) << alone.err;
    EXPECT_EQ(alone.json().at("metrics").at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 131072) << "four bytes a thread";
    expectError(run({ "predict", folder.at("missing.cu") }), 3, "does not exist");
    expectError(run({ "predict", folder.at("") }), 3, "folder");
}

TEST_F(Predict, kernelFileWithAManifestIsTheCataloguesEqual)
{
    const std::string file = COALESCOPE_SOURCE_DIR "/kernels/catalogue/transpose_shared.cu";
    const Outcome byFile = run({ "predict", file, "--set", "pad=0", "--json" });
    const Outcome byName = run({ "predict", "transpose_shared", "--set", "pad=0", "--json" });
    ASSERT_EQ(byFile.status, 0) << byFile.err;
    EXPECT_EQ(byFile.json().at("metrics"), byName.json().at("metrics"));
}

TEST_F(Predict, aKernelFileNamedRelativelyFindsWhatItIncludes)
{
    const Folder folder;
    folder.write("rows.cuh", "#define VALUE 3.0f\n");
    const std::string file = folder.write("mine.cu", R"(/* --- coalescope
id = "mine"
title = "Mine"
entry = "f"
[launch]
grid = ["1"]
block = ["32"]
[[arguments]]
buffer = "out"
type = "f32"
count = "32"
--- */
#include "rows.cuh"
__global__ void f(float* out) { out[threadIdx.x] = VALUE; }
)");
    const Outcome outcome = run({ "predict", std::filesystem::relative(file).string(), "--json" });
    EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(Predict, interruptEndsAnEndlessKernel)
{
    const Folder folder;
    const std::string file = folder.write(
        "s.cu", "__global__ void s(volatile float* o) { while (true) o[threadIdx.x] = 1; }\n");
    const std::string command = "timeout -s INT -k 20 1 " COALESCOPE_PROGRAM " predict --source "
        + file + " --grid 1 --block 32 --arg 'f32[32]' 2>/dev/null";
    const int state = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(state), 124) << "124: the interrupt ended it; 137: it took a kill";
}

TEST_F(Predict, aTerminalSeesTheProgressAndAnInterruptIsToldInASentence)
{
    const Folder folder;
    const std::string file = folder.write("s.cu", "__global__ void s(volatile float* o) { while (true) o[threadIdx.x] = 1; }\n");
    Terminal terminal;
    Process process({ "predict", "--source", file, "--grid", "1", "--block", "32", "--arg", "f32[32]" }, { .errorFile = terminal.path() });
    terminal.readUntil("0 %  of the blocks predicted");
    expectInterrupted(process, terminal, "\r\x1b[Kcoalescope: the prediction was interrupted. Run it again.");
}
