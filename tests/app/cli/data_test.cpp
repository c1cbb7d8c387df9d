// SPDX-License-Identifier: Apache-2.0
// compare, access and report: what scripts read.
#include "program.h"

using namespace coalescope::cli;
using nlohmann::json;

namespace {

class Data : public NeedsCompiler { };

} // namespace

TEST_F(Data, compareNestsBothAndAddsTheDifference)
{
    const Outcome outcome = run({ "compare", "transpose_naive", "--recorded", "--json" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json result = outcome.json();
    const char* key = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
    EXPECT_EQ(
        result.at("predicted").at("metrics").at(key), result.at("measured").at("metrics").at(key));
    EXPECT_EQ(result.at("delta").at(key), 0);
}

TEST_F(Data, recordedExactKeysAgree)
{
    const Outcome outcome
        = run({ "compare", "transpose_shared", "--recorded", "--fail-on", "difference" });
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
}

TEST_F(Data, recordingsOfAnotherGpuDoNotStandIn)
{
    expectError(run({ "compare", "transpose_shared", "--recorded", "--device", "t4" }), 4,
        "not recorded on t4, but on h200");
}

TEST_F(Data, aReportForAnotherGpuHasNoMeasurement)
{
    const Folder folder;
    const std::string path = folder.at("report.json");
    ASSERT_EQ(run({ "report", "transpose_shared", "--device", "t4", "-o", path }).status, 0);
    EXPECT_FALSE(json::parse(folder.read("report.json")).contains("measured"));
    ASSERT_EQ(run({ "report", "transpose_shared", "-o", path }).status, 0);
    EXPECT_TRUE(json::parse(folder.read("report.json")).contains("measured"));
}

TEST_F(Data, recordingsOfAnotherSourceDoNotStandIn)
{
    const Folder folder;
    std::ifstream file(COALESCOPE_SOURCE_DIR "/kernels/catalogue/transpose_naive.cu");
    const std::string source { std::istreambuf_iterator<char>(file), {} };
    const std::string changed = folder.write("mine.cu", source + "// changed\n");
    expectError(run({ "compare", changed, "--recorded" }), 4, "recorded");
}

TEST(Access, oneObjectARow)
{
    const Outcome outcome = run({ "access", "--batch", "-", "--json" },
        { .input = "id,space,op,width,offsets\r\na,shared,ld,4,0 128\n\"b\"\"c\",global,st,4,\"0 "
                   "32\"\n" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto lines = linesOf(outcome.out);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(json::parse(lines[0]).at("wavefronts"), 2);
    EXPECT_EQ(json::parse(lines[1]).at("id"), "b\"c");
    EXPECT_EQ(json::parse(lines[1]).at("sectors"), 2);
}

TEST(Access, badRowHasItsLineAndColumn)
{
    expectError(run({ "access", "--batch", "-" },
                    { .input = "id,space,op,width,offsets\na,shared,ld,4,0\nb,shared,ld,5,0\n" }),
        3, "standard input:3, column width");
}

TEST_F(Data, reportWritesDataWithoutTheWindow)
{
    const Folder folder;
    const Outcome csv = run({ "report", "transpose_naive", "-o", folder.at("r.csv") });
    ASSERT_EQ(csv.status, 0) << csv.err;
    EXPECT_EQ(csv.out, "");
    const auto lines = linesOf(folder.read("r.csv"));
    EXPECT_EQ(lines.size(), 32u);
    EXPECT_EQ(lines[0], "kernel,device,key,predicted,measured,delta,parameters,grid,block,unit");
    ASSERT_EQ(run({ "report", "transpose_naive", "-o", folder.at("r.json") }).status, 0);
    EXPECT_TRUE(json::parse(folder.read("r.json")).contains("predicted"));
}

TEST_F(Data, reportThatCannotBeWrittenLeavesNothing)
{
    const Folder folder;
    expectError(run({ "report", "copy", "-o", folder.at("no/r.csv") }), 3, "cannot be written");
    expectError(run({ "report", "copy", "-o", folder.at("r.docx") }), 2, ".csv");
    EXPECT_TRUE(std::filesystem::is_empty(folder.at("")));
}
