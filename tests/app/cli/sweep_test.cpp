// SPDX-License-Identifier: Apache-2.0
// coalescope sweep, with a script in place of the GPU: tests/fake_worker.sh.
#include "terminal.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <random>
#include <set>
#include <thread>

using namespace coalescope::cli;
using nlohmann::json;

namespace {

class Sweep : public NeedsCompiler { };

/// The last cells of a line, none of them quoted.
std::string lastCells(const std::string& line, int count)
{
    std::size_t at = line.size();
    for (int i = 0; i < count; ++i)
        at = line.rfind(',', at - 1);
    return line.substr(at + 1);
}

/// A sweep of `copy` over some rows, measured by scripts that log what they begin.
class MeasuredSweep : public NeedsCompiler {
protected:
    const Folder m_folder;

    std::vector<std::string> arguments(const std::string& rows, const std::string& name) const
    {
        // Behind a program of that name one launch waits while another is measured.
        m_folder.write("ssh", "#!/bin/sh\nexec sh " COALESCOPE_TEST_DATA "/fake_worker.sh \"$1\" 0.005\n");
        std::filesystem::permissions(m_folder.at("ssh"), std::filesystem::perms::owner_all);
        const std::string target = m_folder.at("ssh") + ' ' + m_folder.at(name);
        return { "sweep", "copy", "--over", "rows=" + rows, "--measure", "--csv", "--journal",
            m_folder.at(name + ".sweep"), "--target", target, "--jobs", "2" };
    }
    Surroundings surroundings() const
    {
        return { .variables = { { "COALESCOPE_CACHE", m_folder.at("cache") } } };
    }
    /// The parameters of each launch that was begun, in order.
    std::vector<std::string> begun(const std::string& name) const
    {
        std::vector<std::string> launches;
        for (const std::string& line : linesOf(m_folder.read(name)))
            if (line.starts_with("start "))
                launches.push_back(line.substr(6));
        return launches;
    }
    /// The parameters of each launch that the journal holds whole.
    std::set<std::string> finished(const std::string& name) const
    {
        std::set<std::string> launches;
        const std::string text = m_folder.read(name + ".sweep");
        for (const std::string& line : linesOf(text.substr(0, text.rfind('\n') + 1))) {
            const auto launch = json::parse(line);
            if (!launch.contains("values"))
                continue; // the first line
            EXPECT_TRUE(launches.insert(launch.at("values").dump()).second) << "kept twice";
        }
        return launches;
    }
    bool waitForLaunches(const std::string& name, std::size_t count) const
    {
        for (int i = 0; i < 2000 && begun(name).size() < count; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return begun(name).size() >= count;
    }
};

} // namespace

TEST_F(Sweep, keepsTheOrderAndItsCsvIsRectangular)
{
    const Outcome outcome = run({ "sweep", "transpose_shared", "--over", "tile=32,16,64", "--over",
        "pad=1,0", "--set", "rows=256", "--set", "cols=256", "--csv" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("4 launches predicted, 2 not allowed in ")) << outcome.err;
    const auto lines = linesOf(outcome.out);
    ASSERT_EQ(lines.size(), 7u);
    for (const std::string& line : lines)
        EXPECT_EQ(cells(line), cells(lines[0])) << line;
    const char* starts[] { "rows,cols,type,tile,pad,", "256,256,f32,32,1,", "256,256,f32,32,0,",
        "256,256,f32,16,1,", "256,256,f32,16,0,", "256,256,f32,64,1,", "256,256,f32,64,0," };
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_TRUE(lines[i].starts_with(starts[i])) << lines[i];
    EXPECT_TRUE(lines[0].ends_with(",problem,predicted:warm_ns,predicted:cold_ns")) << lines[0];
    EXPECT_EQ(lastCells(lines[1], 3).front(), ',') << "a legal launch has no problem: " << lines[1];
    EXPECT_TRUE(lines[5].ends_with("outside 1 to 32.,,")) << lines[5];
}

TEST_F(Sweep, csvHasTheTimesThatAPredictionGives)
{
    const Outcome sweep
        = run({ "sweep", "transpose_shared", "--over", "tile=32", "--set", "rows=256", "--csv" });
    const Outcome single = run({ "predict", "transpose_shared", "--set", "rows=256", "--json" });
    ASSERT_EQ(sweep.status, 0) << sweep.err;
    const json time = single.json().at("time");
    EXPECT_EQ(lastCells(linesOf(sweep.out)[1], 2),
        std::to_string(std::lround(time.at("warm_ns").get<double>())) + ','
            + std::to_string(std::lround(time.at("cold_ns").get<double>())));
}

TEST_F(Sweep, saysHowFarItsTimesCanBeTrusted)
{
    const std::vector<std::string> sweep { "sweep", "copy", "--set", "rows=64", "--over",
        "cols=64" };
    EXPECT_NE(run(sweep).out.find("times are estimates, mean error"), std::string::npos);
    auto onT4 = sweep;
    onT4.insert(onT4.end(), { "--device", "t4" });
    EXPECT_NE(run(onT4).out.find(
                  "times are estimates: the rates of t4 are its data sheet's, not measured"),
        std::string::npos);
}

TEST_F(Sweep, jsonHasAProblemWhereThereIsNoPrediction)
{
    const Outcome outcome = run({ "sweep", "transpose_float4", "--over", "rows=1000,1024", "--set",
        "cols=1024", "--json" });
    const json rows = outcome.json();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_FALSE(rows[0].contains("predicted"));
    EXPECT_NE(rows[0].at("problem").get<std::string>().find("multiple"), std::string::npos);
    EXPECT_EQ(rows[1].at("parameters").at("rows"), "1024");
    EXPECT_TRUE(rows[1].at("predicted").at("metrics").is_object());
}

TEST_F(Sweep, launchesThatAreNotAllowedAreAFindingAndNoFailure)
{
    const Outcome outcome = run({ "sweep", "transpose_shared", "--over", "tile=64,128", "--json" });
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("0 launches predicted, 2 not allowed in ")) << outcome.err;
    EXPECT_EQ(outcome.json().size(), 2u);
}

TEST_F(Sweep, blocksBeyondTheLaunchBoundsAreNotAllowed)
{
    const Folder folder;
    const std::string file = folder.write("bounds.cu", "/* --- coalescope\nid = 'k'\ntitle = 'K'\nentry = 'k'\n"
        "[[parameters]]\nname = 'block'\ndefault = 128\nmin = 32\nmax = 1024\n[launch]\ngrid = ['65536 // block']\n"
        "block = ['block']\n[[arguments]]\nbuffer = 'a'\ntype = 'f32'\ncount = '65536'\n--- */\n"
        "__global__ void __launch_bounds__(256) k(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }\n");
    const Outcome outcome = run({ "sweep", file, "--over", "block=64:1024:x2" });
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("3 launches predicted, 2 not allowed in ")) << outcome.err;
    EXPECT_NE(outcome.out.find("block=512: a block has 512 threads, the kernel's __launch_bounds__ allow 256"), std::string::npos)
        << outcome.out;
    expectError(run({ "predict", file, "--set", "block=512" }), 2, "__launch_bounds__ allow 256 (block)");
}

TEST_F(Sweep, whereTheInputLetsNoLaunchBePredictedItFailsWithTheSentenceOnce)
{
    const Folder folder;
    const std::string head = "/* --- coalescope\nid = 'k'\ntitle = 'K'\nentry = 'k'\n[[parameters]]\nname = 'n'\n"
                             "default = 1\nmin = 1\nmax = 8\n[launch]\ngrid = ['n']\nblock = [32]\n";
    const std::string broken = folder.write("broken.cu", head + "--- */\n__global__ void k() { no; }\n");
    const std::string badValue = folder.write("value.cu",
        head + "[[arguments]]\nscalar = 'a'\ntype = 'f32'\nvalue = 'm + 1'\n--- */\n__global__ void k(float a) { }\n");
    for (const char* form : { "--csv", "--json" }) {
        expectError(run({ "sweep", broken, "--over", "n=1,2,3", form }), 3, "(broken.cu:14");
        const Outcome outcome = run({ "sweep", badValue, "--over", "n=1,2,3", form });
        expectError(outcome, 3, "the scalar 'a': 'm + 1'");
        EXPECT_NE(outcome.err.find("(value.cu:13)"), std::string::npos) << outcome.err;
        EXPECT_EQ(linesOf(outcome.err).size(), 1u) << outcome.err;
    }
}

TEST_F(Sweep, aProblemOfSeveralLaunchesIsToldOnce)
{
    const Folder folder;
    const std::string file = folder.write("some.cu", "/* --- coalescope\nid = 'k'\ntitle = 'K'\nentry = 'k'\n"
        "[[parameters]]\nname = 'n'\ndefine = 'N'\ndefault = 1\nmin = 1\nmax = 9\n[launch]\ngrid = ['n']\nblock = [32]\n"
        "--- */\n#if N > 1\n#error no\n#endif\n__global__ void k() { }\n");
    const Outcome outcome = run({ "sweep", file, "--over", "n=1:9" });
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("1 launch predicted, 8 failed in ")) << outcome.err;
    EXPECT_NE(outcome.out.find("\nn=2, n=3, n=4, n=5 and 4 more: "), std::string::npos) << outcome.out;
}

TEST_F(Sweep, saysEarlyWhatIsMisspelt)
{
    expectError(run({ "sweep", "copy", "--over", "rows=32", "--over", "colls=1" }), 2,
        "no parameter 'colls'");
    expectError(run({ "sweep", "copy", "--over", "rows=32,many" }), 2, "'many' is no integer");
    expectError(run({ "sweep", "copy", "--over", "type=f32,f33" }), 2, "'f33' is none of");
    expectError(run({ "sweep", "copy", "--over", "rows=1", "--set", "rows=2" }), 2, "given twice");
    expectError(run({ "sweep", "copy", "--over", "rows" }), 2, "NAME=VALUE");
}

TEST_F(Sweep, takesRangesAndMarksTheFastest)
{
    const Outcome outcome = run({ "sweep", "transpose_naive", "--over", "block_x=8:32:x2", "--set",
        "block_y=8", "--set", "rows=512" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto lines = linesOf(outcome.out);
    ASSERT_EQ(lines.size(), 5u) << outcome.out; // the last says how far to trust the times
    const auto marked = std::ranges::count_if(
        lines, [](const std::string& line) { return line.ends_with("<- fastest predicted"); });
    EXPECT_EQ(marked, 1) << outcome.out;
    EXPECT_TRUE(lines[1].starts_with("8 ") && lines[2].starts_with("16 ")) << outcome.out;
}

TEST_F(Sweep, theFastestOfEachProblemIsMarkedWithAllThatEqualIt)
{
    const auto marked = [](const std::vector<std::string>& over) {
        std::vector<std::string> words { "sweep", "transpose_shared", "--set", "cols=512" };
        for (const std::string& axis : over)
            words.insert(words.end(), { "--over", axis });
        std::vector<bool> all;
        for (const std::string& line : linesOf(run(words).out))
            all.push_back(line.ends_with("<- fastest predicted"));
        return all;
    };
    EXPECT_EQ(marked({ "rows=512,1024,2048" }), std::vector<bool>(5)) << "one launch of each problem is no choice";
    EXPECT_EQ(marked({ "rows=512,2048", "pad=0,1" }), (std::vector<bool> { false, false, true, false, true, false }));
    EXPECT_EQ(marked({ "rows=512", "pad=1,0,3" }), (std::vector<bool> { false, true, false, true, false }));
}

TEST_F(Sweep, aFaultyLaunchIsSaidToBeAndIsNeverTheFastest)
{
    const std::vector<std::string> sweep { "sweep", "copy_transpose_batched", "--over", "second_barrier=with,without" };
    const Outcome outcome = run(sweep);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("2 launches predicted (1 faulty) in ")) << outcome.err;
    EXPECT_EQ(outcome.out.find("fastest"), std::string::npos) << "one is no choice\n" << outcome.out;
    EXPECT_TRUE(linesOf(outcome.out)[2].ends_with("  faulty")) << outcome.out;
    EXPECT_NE(outcome.out.find("\nsecond_barrier=without: faulty: shared-race in lines "), std::string::npos) << outcome.out;
    auto csv = sweep, asJson = sweep;
    csv.emplace_back("--csv");
    asJson.emplace_back("--json");
    const auto lines = linesOf(run(csv).out);
    EXPECT_EQ(lastCells(lines[1], 3).front(), ',') << lines[1];
    EXPECT_NE(lines[2].find("faulty: shared-race in lines "), std::string::npos) << lines[2];
    const json rows = run(asJson).json();
    EXPECT_FALSE(rows.at(0).contains("problem"));
    EXPECT_TRUE(rows.at(1).at("problem").get<std::string>().starts_with("faulty: shared-race in lines "));
    EXPECT_TRUE(rows.at(1).contains("predicted"));
}

TEST_F(Sweep, anInterruptPrintsWhatIsPredictedAndHowMuchThatIs)
{
    const Folder folder;
    const std::string file = folder.write("some.cu", "/* --- coalescope\nid = 'k'\ntitle = 'K'\nentry = 'k'\n[[parameters]]\nname = 'n'\n"
        "default = 1\nmin = 1\nmax = 9999\n[launch]\ngrid = [1]\nblock = [32]\n[[arguments]]\nbuffer = 'o'\ntype = 'i32'\ncount = 32\n"
        "[[arguments]]\nscalar = 'n'\ntype = 'i32'\n--- */\n"
        "__global__ void k(volatile int* o, int n) { do o[threadIdx.x] = n; while (n > 99); }\n"); // endless at 100 and more
    Terminal terminal;
    Process process({ "sweep", file, "--over", "n=1,2,1000:9999", "--csv" },
        { .outputFile = folder.at("rows.csv"), .errorFile = terminal.path() });
    terminal.readUntil("2 of 9002 launches predicted");
    expectInterrupted(process, terminal, "the sweep was interrupted: 2 of 9002 launches are predicted; run the command again for all.");
    const auto lines = linesOf(folder.read("rows.csv"));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_TRUE(lines[1].starts_with("1,") && lines[2].starts_with("2,")) << lines[1];
}

TEST_F(Sweep, measuringOptionsNeedMeasure)
{
    const auto withOption = [](std::vector<std::string> more) {
        more.insert(more.begin(), { "sweep", "copy", "--over", "rows=32" });
        return run(more);
    };
    expectError(withOption({ "--journal", "j" }), 2, "--journal needs --measure");
    expectError(withOption({ "--gpus", "0" }), 2, "--gpus needs --measure");
    expectError(withOption({ "--target", "ssh" }), 2, "--target needs --measure");
    expectError(withOption({ "--measure", "--jobs", "2" }), 2, "--jobs needs a --target");
    expectError(withOption({ "--measure", "--retry-failed" }), 2, "--retry-failed needs a --journal");
    expectError(withOption({ "--measure", "--gpus", "0,a b" }), 2, "'a b' is no GPU");
}

TEST_F(MeasuredSweep, csvHasTheTimesAndTheJournalIsNotMeasuredAgain)
{
    const Outcome first = run(arguments("32:128:32", "a"), surroundings());
    ASSERT_EQ(first.status, 0) << first.err;
    const auto lines = linesOf(first.out);
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_NE(lines[0].find("measured:gpu__time_duration.sum"), std::string::npos);
    for (const std::string& line : lines)
        EXPECT_EQ(cells(line), cells(lines[0])) << line;
    EXPECT_EQ(begun("a").size(), 4u);
    const Outcome second = run(arguments("32:128:32", "a"), surroundings());
    EXPECT_EQ(second.out, first.out);
    EXPECT_EQ(begun("a").size(), 4u);
}

TEST_F(MeasuredSweep, whatIsCountedIsSaidToTheTargetAndKeptInTheJournal)
{
    const auto withCount = [&](const char* count) {
        auto words = arguments("32,64", "a");
        if (*count)
            words.insert(words.end(), { "--count", count });
        return run(words, surroundings());
    };
    ASSERT_EQ(withCount("none").status, 0);
    EXPECT_NE(m_folder.read("a.sweep").find(R"("counters":false,"lines":false)"), std::string::npos);
    expectError(withCount(""), 3, "no counters, 10.0 s a kernel, and now 3 warm-ups, 20 runs, counters without lines");
    expectError(withCount("all"), 3, "counters with lines");
    EXPECT_EQ(withCount("none").status, 0);
    EXPECT_EQ(begun("a").size(), 2u);
    EXPECT_NE(withCount("some").err.find("--count: some not in {all,totals,none}"), std::string::npos)
        << withCount("some").err;
}

TEST_F(MeasuredSweep, failedLaunchesAreCountedAndTriedAgainOnRequest)
{
    const std::string full = R"('{"error":{"code":"OutOfMemory","detail":"the GPU is full","where":""}}')";
    const auto on = [&](const std::string& log, const std::string& answer, const char* more) {
        std::vector<std::string> words { "sweep", "copy", "--over", "rows=32,64", "--measure", "--csv", "--journal",
            m_folder.at("j"), "--target", "sh " COALESCOPE_TEST_DATA "/fake_worker.sh " + m_folder.at(log) + " 0 " + answer };
        if (*more)
            words.emplace_back(more);
        return run(words, surroundings());
    };
    const Outcome failed = on("a", full, "");
    ASSERT_EQ(failed.status, 5) << failed.err;
    EXPECT_NE(failed.err.find("2 of them failed on the GPU; with --retry-failed"), std::string::npos) << failed.err;
    EXPECT_NE(linesOf(failed.out)[1].find("the GPU is full"), std::string::npos);
    const Outcome kept = on("b", "", "");
    EXPECT_EQ(kept.out, failed.out) << "kept as they are";
    EXPECT_EQ(kept.status, 5);
    const Outcome again = on("b", "", "--retry-failed");
    EXPECT_EQ(again.status, 0);
    EXPECT_EQ(again.out.find("the GPU is full"), std::string::npos);
    EXPECT_EQ(again.err.find("failed"), std::string::npos) << again.err;
    EXPECT_EQ(begun("b").size(), 2u);
}

TEST_F(MeasuredSweep, eachGpuOfThisMachineHasItsWorker)
{
    const std::string worker = m_folder.write("worker.sh",
        "#!/bin/sh\nexec sh " COALESCOPE_TEST_DATA "/fake_worker.sh " + m_folder.at("gpu")
            + "$CUDA_VISIBLE_DEVICES 0.05\n");
    std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
    Surroundings with = surroundings();
    with.variables.emplace_back("COALESCOPE_WORKER", worker);
    const Outcome outcome = run(
        { "sweep", "copy", "--over", "rows=1:8", "--measure", "--gpus", "0,3", "--json" }, with);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_FALSE(begun("gpu0").empty());
    EXPECT_FALSE(begun("gpu3").empty());
    EXPECT_EQ(begun("gpu0").size() + begun("gpu3").size(), 8u);
    EXPECT_EQ(outcome.json().at(7).at("measured").at("gpu"), "Fake GPU");
}

TEST_F(MeasuredSweep, aJournalOfSomethingElseIsToldBeforeTheWork)
{
    m_folder.write("a.sweep", "my notes\n");
    expectError(run(arguments("32", "a"), surroundings()), 3, "no journal of a sweep");
    EXPECT_EQ(m_folder.read("a.sweep"), "my notes\n");
}

TEST_F(MeasuredSweep, killedAnywhereAndResumedItIsTheSameSweep)
{
    const Outcome whole = run(arguments("1:30", "whole"), surroundings());
    ASSERT_EQ(whole.status, 0) << whole.err;
    std::mt19937 random(7);
    int kills = 0;
    for (int longest = 60;; longest += 10) {
        const auto before = finished("killed");
        const std::size_t begunBefore = begun("killed").size();
        Process process(arguments("1:30", "killed"), surroundings());
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % longest));
        kill(process.pid(), SIGKILL);
        const Outcome outcome = process.wait();
        const auto launches = begun("killed");
        for (std::size_t i = begunBefore; i < launches.size(); ++i)
            EXPECT_FALSE(before.contains(launches[i])) << "measured again: " << launches[i];
        for (const std::string& launch : before)
            EXPECT_TRUE(finished("killed").contains(launch)) << "lost: " << launch;
        if (outcome.status == 0) {
            EXPECT_EQ(outcome.out, whole.out);
            break;
        }
        ASSERT_EQ(outcome.status, 128 + SIGKILL) << outcome.err;
        ASSERT_LT(++kills, 500);
    }
    EXPECT_GT(kills, 2);
    EXPECT_EQ(finished("killed").size(), 30u);
}

TEST_F(MeasuredSweep, controlCKeepsTheJournalAndSaysHowToGoOn)
{
    Process process(arguments("1:30", "a"), surroundings());
    ASSERT_TRUE(waitForLaunches("a", 4));
    kill(-process.pid(), SIGINT); // as the terminal does: to all of them
    const Outcome outcome = process.wait();
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("run the same command to go on"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("a.sweep"), std::string::npos) << outcome.err;
    EXPECT_EQ(m_folder.read("a.sweep").find("problem"), std::string::npos);
    const auto before = finished("a");
    EXPECT_LT(before.size(), 30u);
    const std::size_t begunBefore = begun("a").size();
    const Outcome resumed = run(arguments("1:30", "a"), surroundings());
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_EQ(begun("a").size() - begunBefore, 30 - before.size());
    EXPECT_EQ(linesOf(resumed.out).size(), 31u);
}
