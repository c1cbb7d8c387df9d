// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep_journal.h"

#include "file_size_limit.h"
#include "tests/folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace coalescope;
using kernels::SweepJournal;
using kernels::SweepRow;

const kernels::KernelSpec& copyKernel() { return **kernels::kernelNamed("copy"); }

SweepRow measuredRow(const std::string& rows, double ns)
{
    SweepRow row { .values = { { "rows", rows }, { "type", "f32" } } };
    analysis::RunResult result { .kind = analysis::ResultKind::Measurement, .kernel = "copy" };
    result.device = "h200";
    result.gpu = "NVIDIA \"H200\"\n";
    result.launch.grid = result.launch.block = { 1, 1, 1 };
    result.metrics.set(analysis::Metric::Duration, ns);
    row.measured = std::move(result);
    return row;
}

class Journal : public testing::Test {
protected:
    const Folder m_folder;
    const std::string m_path = m_folder.at("journal");

    Result<SweepJournal> open(const kernels::KernelSpec& kernel = copyKernel(),
        const kernels::MeasureOptions& options = {}) const
    {
        return SweepJournal::open(m_path, kernel, options);
    }
    /// Two launches, one with a problem.
    void fill() const
    {
        auto journal = open();
        ASSERT_TRUE(journal) << journal.error().detail;
        ASSERT_TRUE(journal->append(measuredRow("32", 1234.5)));
        ASSERT_TRUE(journal->append({ .values = { { "rows", "64" } }, .problem = "too \"much\"" }));
    }
    void expectRefused(const Result<SweepJournal>& journal, ErrorCode code, const std::string& part,
        const std::string& where = {}) const
    {
        ASSERT_FALSE(journal);
        EXPECT_EQ(journal.error().code, code);
        EXPECT_NE(journal.error().detail.find(part), std::string::npos) << journal.error().detail;
        EXPECT_EQ(journal.error().where, m_path + where);
    }
};

TEST_F(Journal, givesBackWhatWasAppended)
{
    fill();
    const auto journal = open();
    ASSERT_TRUE(journal) << journal.error().detail;
    ASSERT_EQ(journal->rows().size(), 2u);
    const SweepRow& first = journal->rows().at({ { "rows", "32" }, { "type", "f32" } });
    EXPECT_EQ(toJson(*first.measured), toJson(*measuredRow("32", 1234.5).measured));
    EXPECT_EQ(first.problem, "");
    const SweepRow& second = journal->rows().at({ { "rows", "64" } });
    EXPECT_FALSE(second.measured);
    EXPECT_EQ(second.problem, "too \"much\"");
}

TEST_F(Journal, isWholeWhereverItIsCutOff)
{
    fill();
    const std::string whole = m_folder.read("journal");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto isNearAnEnd = whole.substr(size, 2).find('\n') != std::string::npos
            || (size > 0 && whole[size - 1] == '\n');
        if (size % 41 != 0 && !isNearAnEnd)
            continue; // each byte would take seconds: every line goes to the disk
        m_folder.write("journal", whole.substr(0, size));
        const auto lines = std::size_t(std::ranges::count(whole.substr(0, size), '\n'));
        {
            auto journal = open();
            ASSERT_TRUE(journal) << size << ": " << journal.error().detail;
            EXPECT_EQ(journal->rows().size(), lines > 0 ? lines - 1 : 0) << size;
            ASSERT_TRUE(journal->append(measuredRow("128", 1)));
        }
        const auto again = open();
        ASSERT_TRUE(again) << size << ": " << again.error().detail;
        EXPECT_EQ(again->rows().size(), (lines > 0 ? lines - 1 : 0) + 1) << size;
    }
}

TEST_F(Journal, ofAnotherKernelSourceOrMeasurementIsRefused)
{
    fill();
    const std::string before = m_folder.read("journal");
    expectRefused(open(**kernels::kernelNamed("transpose_naive")), ErrorCode::BadInput,
        "of the kernel \"copy\"");
    auto changed = copyKernel();
    changed.source += "// changed";
    expectRefused(open(changed), ErrorCode::BadInput, "another version of the kernel's source");
    expectRefused(open(copyKernel(), { .runs = 7 }), ErrorCode::BadInput,
        "measured with 3 warm-ups, 20 runs, counters with lines, 10.0 s a kernel, and now 3 warm-ups, 7 runs");
    expectRefused(open(copyKernel(), { .lines = false }), ErrorCode::BadInput, "counters without lines");
    expectRefused(open(copyKernel(), { .counters = false, .lines = false }), ErrorCode::BadInput, "no counters");
    EXPECT_EQ(m_folder.read("journal"), before);
}

TEST_F(Journal, aChangedIncludeIsAnotherSource)
{
    m_folder.write("helper.cuh", "// one");
    auto kernel = copyKernel();
    kernel.source += "\n#include \"helper.cuh\"\n";
    kernel.path = m_folder.at("copy.cu");
    ASSERT_TRUE(open(kernel));
    m_folder.write("helper.cuh", "// two");
    expectRefused(open(kernel), ErrorCode::BadInput, "another version");
}

TEST_F(Journal, aFileOfAnotherKindIsLeftAlone)
{
    for (const char* text :
        { "my results", "a,b\n1,2\n", "{}\n", "{\"journal\":1}", "[1]\nxy", "\n" }) {
        m_folder.write("journal", text);
        expectRefused(open(), ErrorCode::BadInput, "no journal of a sweep");
        EXPECT_EQ(m_folder.read("journal"), text);
    }
}

TEST_F(Journal, aDamagedLineIsNamed)
{
    fill();
    const std::string whole = m_folder.read("journal");
    for (const char* line :
        { "garbage", "[]", "{}", "{\"values\":{}}", "{\"values\":{\"rows\":1},\"problem\":\"p\"}",
            "{\"values\":{},\"problem\":\"\"}", "{\"values\":{},\"problem\":3}",
            "{\"values\":{},\"measured\":3}", "{\"values\":{},\"measured\":{\"kernel\":1}}",
            "{\"values\":{},\"measured\":null,\"problem\":\"p\"}", "\xff\xfe", "" }) {
        m_folder.write("journal", whole + line + "\n");
        expectRefused(open(), ErrorCode::BadInput, "damaged", ":4");
    }
}

TEST_F(Journal, isWrittenByOneSweepAtATime)
{
    const auto first = open();
    ASSERT_TRUE(first);
    expectRefused(open(), ErrorCode::FileFailed, "another sweep is writing this journal");
}

TEST_F(Journal, aPathThatCannotBeOneIsTold)
{
    expectRefused(SweepJournal::open(m_path + "/none", copyKernel(), {}), ErrorCode::FileFailed,
        "No such file", "/none");
    const auto folder = SweepJournal::open(m_folder.at(""), copyKernel(), {});
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().code, ErrorCode::FileFailed);
    const auto device = SweepJournal::open("/dev/null", copyKernel(), {});
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().code, ErrorCode::FileFailed);
}

TEST_F(Journal, aFullDiskIsTold)
{
    // A limit on the file's size stands in for the disk's: /dev/full is no regular file.
    auto journal = open();
    ASSERT_TRUE(journal);
    const std::string before = m_folder.read("journal");
    const FileSizeLimit limit(before.size() + 100);
    const auto appended = journal->append(measuredRow("32", 1));
    ASSERT_FALSE(appended);
    EXPECT_EQ(appended.error().code, ErrorCode::FileFailed);
    EXPECT_EQ(m_folder.read("journal"), before) << "no half of a line is left";
}

} // namespace
