// SPDX-License-Identifier: Apache-2.0
// Recordings by a script in place of a GPU: tests/fake_worker.sh.
#include "kernels/experiment/record_launches.h"

#include "tests/folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace {

using namespace coalescope;

class RecordLaunches : public testing::Test {
protected:
    RecordLaunches()
    {
        m_options.output = m_folder.at("out.jsonl");
        m_options.targets = { worker("") };
    }

    const Folder m_folder;
    kernels::RecordOptions m_options;
    std::map<std::size_t, bool> m_told; ///< whether measured

    std::string worker(const std::string& answer) const
    {
        return "sh " COALESCOPE_TEST_DATA "/fake_worker.sh " + m_folder.at("log") + " 0 '" + answer
            + "'";
    }
    /// Launches of `copy` with these rows.
    Result<void> record(const std::vector<int>& rows)
    {
        m_told.clear();
        std::vector<kernels::LaunchPlan> launches;
        for (const int count : rows)
            launches.push_back(
                planLaunch(**kernels::kernelNamed("copy"), { { "rows", std::to_string(count) } })
                    .value());
        return recordLaunches(launches, m_options,
            [&](std::size_t index, const Result<analysis::RunResult>& measured) {
                EXPECT_TRUE(m_told.emplace(index, measured.has_value()).second)
                    << "told twice: " << index;
            });
    }
    std::size_t begun() const
    {
        const std::string log = m_folder.read("log");
        std::size_t count = 0;
        for (std::size_t at = 0; (at = log.find("start ", at)) != std::string::npos; ++at)
            ++count;
        return count;
    }
    std::ptrdiff_t lines() const { return std::ranges::count(m_folder.read("out.jsonl"), '\n'); }
};

TEST_F(RecordLaunches, eachIsALineAndIsMeasuredOnce)
{
    ASSERT_TRUE(record({ 32, 64, 32 }));
    EXPECT_EQ(m_told.size(), 3u);
    EXPECT_EQ(lines(), 2);
    EXPECT_EQ(begun(), 2u);
    ASSERT_TRUE(record({ 64, 96 }));
    EXPECT_EQ(m_told.size(), 2u) << "what the file held is told too";
    EXPECT_EQ(lines(), 3);
    EXPECT_EQ(begun(), 3u);
    const std::string text = m_folder.read("out.jsonl");
    const auto first = analysis::resultFromJson(text.substr(0, text.find('\n')));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->launch.parameters.at("rows"), "32");
}

TEST_F(RecordLaunches, whatFailsIsToldAndTriedNextTime)
{
    m_options.targets
        = { worker(R"({"error":{"code":"OutOfMemory","detail":"full","where":""}})") };
    ASSERT_TRUE(record({ 32 }));
    EXPECT_FALSE(m_told.at(0));
    EXPECT_EQ(lines(), 0);
    m_options.targets = { worker("") };
    ASSERT_TRUE(record({ 32 }));
    EXPECT_TRUE(m_told.at(0));
    EXPECT_EQ(lines(), 1);
}

TEST_F(RecordLaunches, aLineThatAKilledRunLeftUnfinishedIsMeasuredAgain)
{
    ASSERT_TRUE(record({ 32, 64 }));
    const std::string whole = m_folder.read("out.jsonl");
    for (const std::size_t cut : { std::size_t(1), whole.size() / 3, whole.size() - 1 }) {
        m_folder.write("out.jsonl", whole.substr(0, cut));
        ASSERT_TRUE(record({ 32, 64 }));
        EXPECT_EQ(m_folder.read("out.jsonl").size(), whole.size());
    }
}

TEST_F(RecordLaunches, aFileOfSomethingElseIsLeftAlone)
{
    for (const char* text : { "my notes", "my notes\n", "{}\n" }) {
        m_folder.write("out.jsonl", text);
        const auto done = record({ 32 });
        ASSERT_FALSE(done) << text;
        EXPECT_EQ(done.error().code, ErrorCode::BadInput);
        EXPECT_EQ(m_folder.read("out.jsonl"), text);
    }
    EXPECT_EQ(begun(), 0u);
}

} // namespace
