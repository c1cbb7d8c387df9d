// SPDX-License-Identifier: Apache-2.0
// coalescope measure --batch, with a script in place of the GPU: tests/fake_worker.sh.
#include "program.h"

#include <algorithm>
#include <csignal>
#include <random>
#include <thread>

using namespace coalescope::cli;
using nlohmann::json;

namespace {

class Batch : public testing::Test {
protected:
    const Folder m_folder;

    /// Behind a program of that name one launch waits while another is measured.
    std::vector<std::string> arguments() const
    {
        m_folder.write(
            "ssh", "#!/bin/sh\nexec sh " COALESCOPE_TEST_DATA "/fake_worker.sh \"$1\" 0.005\n");
        std::filesystem::permissions(m_folder.at("ssh"), std::filesystem::perms::owner_all);
        return { "measure", "--batch", m_folder.at("list"), "-o", m_folder.at("out.jsonl"),
            "--target", m_folder.at("ssh") + ' ' + m_folder.at("log") };
    }
    Outcome runList(const std::string& list) const
    {
        m_folder.write("list", list);
        return run(arguments());
    }
    /// The launches in the file of results, in order of their names.
    std::vector<std::string> kept() const
    {
        std::vector<std::string> launches;
        const std::string text = m_folder.read("out.jsonl");
        for (const std::string& line : linesOf(text.substr(0, text.rfind('\n') + 1)))
            launches.push_back(json::parse(line).at("launch").at("parameters").dump());
        std::ranges::sort(launches);
        return launches;
    }
};

} // namespace

TEST_F(Batch, measuresAListAndGoesOnWithALongerOne)
{
    const Outcome first = runList("copy rows=32\n\n# a remark\ncopy rows=64 cols=32\n");
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(first.err.find("2 of 2 launches are in " + m_folder.at("out.jsonl")), 0u)
        << first.err;
    EXPECT_EQ(kept().size(), 2u);
    const Outcome second = runList("copy rows=32\ncopy rows=64 cols=32\ncopy rows=96\n");
    ASSERT_EQ(second.status, 0) << second.err;
    EXPECT_EQ(kept().size(), 3u);
    const auto log = linesOf(m_folder.read("log"));
    EXPECT_EQ(std::ranges::count_if(
                  log, [](const std::string& line) { return line.starts_with("start"); }),
        3);
}

TEST_F(Batch, whatIsAskedForReachesTheTarget)
{
    const std::string worker = m_folder.write("worker.sh",
        "tee -a '" + m_folder.at("jobs") + "' | sh " COALESCOPE_TEST_DATA "/fake_worker.sh '"
            + m_folder.at("log") + "' 0\n");
    const auto asked = [&](std::vector<std::string> words) {
        m_folder.write("jobs", "");
        words.insert(words.begin(), "measure");
        words.insert(words.end(), { "--target", "sh " + worker });
        EXPECT_EQ(run(words).status, 0);
        return json::parse(m_folder.read("jobs")).at("options");
    };
    const json all = asked({ "copy" }), totals = asked({ "copy", "--count", "totals" });
    EXPECT_TRUE(all.at("counters") == true && all.at("lines") == true && all.at("runs") == 20)
        << all;
    EXPECT_TRUE(totals.at("counters") == true && totals.at("lines") == false) << totals;
    m_folder.write("list", "copy rows=32\n");
    const json none = asked({ "--batch", m_folder.at("list"), "-o", m_folder.at("o"), "--count",
        "none", "--runs", "60" });
    EXPECT_TRUE(none.at("counters") == false && none.at("lines") == false && none.at("runs") == 60)
        << none;
}

TEST_F(Batch, whatWasNotAskedForIsSaidInShort)
{
    const std::string answer
        = R"({"result":{"kind":"measurement","kernel":"copy","device":"h200","source":"ptx",)"
          R"("launch":{"grid":[1,1,1],"block":[32,1,1],"parameters":{}},"metrics":{},"verified":true,)"
          R"("not_measured":{"gpu__time_duration.sum":"the counters were not asked for"}}})";
    const std::string worker
        = m_folder.write("w.sh", "cat >/dev/null; printf '%s\\n' '" + answer + "'\n");
    const Outcome outcome = run({ "measure", "copy", "--target", "sh " + worker });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(
        outcome.out.find("not measured: the counters were not asked for\n"), std::string::npos)
        << outcome.out;
    EXPECT_EQ(outcome.out.find("gpu__time"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("load requests"), std::string::npos) << outcome.out;
    EXPECT_EQ(run({ "measure", "copy", "--json", "--target", "sh " + worker }).json().at("metrics"),
        json::object());
}

TEST_F(Batch, aListThatIsWrongIsToldWithItsLine)
{
    expectError(runList("copy rows=32\nkopy rows=32\n"), 3, "list:2");
    expectError(runList("copy rows\n"), 3, "list:1");
    expectError(runList("copy raws=3\n"), 3, "list:1");
    EXPECT_EQ(m_folder.read("log"), "");
    expectError(run({ "measure", "--batch", "/no/list", "-o", m_folder.at("o") }), 3, "/no/list");
    expectError(run({ "measure", "--batch", "/no/list" }), 2, "--batch needs --output");
    expectError(run({ "measure", "copy", "-o", "x" }), 2, "--output belongs to --batch");
    expectError(
        run({ "measure", "copy", "--batch", "/no/list", "-o", "x" }), 2, "from the list alone");
}

TEST_F(Batch, anIllegalLaunchIsToldAndTheOthersAreMeasured)
{
    const Outcome outcome = runList("copy rows=32 block_x=4000\ncopy rows=64\n");
    EXPECT_EQ(outcome.status, 5);
    EXPECT_NE(outcome.err.find("copy rows=32 block_x=4000: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("1 of 2 launches"), std::string::npos) << outcome.err;
    EXPECT_EQ(kept().size(), 1u);
}

TEST_F(Batch, killedAnywhereAndRunAgainItHoldsEveryLaunchOnce)
{
    std::string list;
    for (int rows = 1; rows <= 30; ++rows)
        list += "copy rows=" + std::to_string(rows) + '\n';
    m_folder.write("list", list);
    std::mt19937 random(3);
    int kills = 0;
    for (int longest = 60;; longest += 10) {
        const auto before = kept();
        Process process(arguments());
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % longest));
        kill(process.pid(), kills % 3 == 2 ? SIGINT : SIGKILL);
        const Outcome outcome = process.wait();
        const auto after = kept();
        EXPECT_TRUE(std::ranges::includes(after, before)) << "lost";
        if (outcome.status == 0)
            break;
        ASSERT_LT(++kills, 500) << outcome.err;
    }
    EXPECT_GT(kills, 2);
    const auto all = kept();
    EXPECT_EQ(all.size(), 30u);
    EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "measured twice";
}
