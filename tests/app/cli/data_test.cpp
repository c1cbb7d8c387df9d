// SPDX-License-Identifier: Apache-2.0
// compare, sweep, access and report: what scripts read.
#include "program.h"

#include <sstream>

using namespace coalescope::cli;
using nlohmann::json;

namespace {

class Data : public NeedsCompiler { };

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// Cells of a CSV line, quoted cells as one.
std::size_t cells(const std::string& line)
{
    std::size_t count = 1;
    bool quoted = false;
    for (const char c : line) {
        quoted ^= c == '"';
        count += c == ',' && !quoted;
    }
    return count;
}

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
        "recorded on h200, not on t4");
}

TEST_F(Data, recordingsOfAnotherSourceDoNotStandIn)
{
    const Folder folder;
    std::ifstream file(COALESCOPE_SOURCE_DIR "/kernels/catalogue/transpose_naive.cu");
    const std::string source { std::istreambuf_iterator<char>(file), {} };
    const std::string changed = folder.write("mine.cu", source + "// changed\n");
    expectError(run({ "compare", changed, "--recorded" }), 4, "recorded");
}

TEST_F(Data, sweepKeepsTheOrderAndItsCsvIsRectangular)
{
    const Outcome outcome = run({ "sweep", "transpose_shared", "--over", "tile=32,16,64", "--over",
        "pad=1,0", "--set", "rows=256", "--set", "cols=256", "--csv" });
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const auto lines = linesOf(outcome.out);
    ASSERT_EQ(lines.size(), 7u);
    for (const std::string& line : lines)
        EXPECT_EQ(cells(line), cells(lines[0])) << line;
    const char* starts[] { "rows,cols,type,tile,pad,", "256,256,f32,32,1,", "256,256,f32,32,0,",
        "256,256,f32,16,1,", "256,256,f32,16,0,", "256,256,f32,64,1,", "256,256,f32,64,0," };
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_TRUE(lines[i].starts_with(starts[i])) << lines[i];
    EXPECT_TRUE(lines[1].ends_with(',')) << "a legal launch has no problem: " << lines[1];
    EXPECT_TRUE(lines[5].ends_with("outside 1 to 32.")) << lines[5];
}

TEST_F(Data, sweepSaysHowFarItsTimesCanBeTrusted)
{
    const std::vector<std::string> sweep { "sweep", "copy", "--set", "rows=64", "--over", "cols=64" };
    EXPECT_NE(run(sweep).out.find("times are estimates, mean error"), std::string::npos);
    auto onT4 = sweep;
    onT4.insert(onT4.end(), { "--device", "t4" });
    EXPECT_NE(run(onT4).out.find("times are estimates: the rates of t4 are its data sheet's, not measured"), std::string::npos);
}

TEST_F(Data, sweepJsonHasAProblemWhereThereIsNoPrediction)
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

TEST_F(Data, sweepSaysEarlyWhatIsMisspelt)
{
    expectError(run({ "sweep", "copy", "--over", "rows=32", "--over", "colls=1" }), 2,
        "no parameter 'colls'");
    expectError(run({ "sweep", "copy", "--over", "rows=32,many" }), 2, "'many' is no integer");
    expectError(run({ "sweep", "copy", "--over", "type=f32,f33" }), 2, "'f33' is none of");
    expectError(run({ "sweep", "copy", "--over", "rows=1", "--set", "rows=2" }), 2, "given twice");
    expectError(run({ "sweep", "copy", "--over", "rows" }), 2, "NAME=VALUE");
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
    EXPECT_EQ(lines.size(), 23u);
    EXPECT_EQ(lines[0], "kernel,device,key,predicted,measured,delta");
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
