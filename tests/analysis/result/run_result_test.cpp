// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/run_result.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coalescope::analysis {

namespace {

using Json = nlohmann::json;

LaunchInfo tileLaunch()
{
    return { .grid = { 128, 128, 1 },
        .block = { 32, 8, 1 },
        .staticSharedBytes = 4224,
        .dynamicSharedBytes = 16,
        .parameters = { { "pad", "1" }, { "type", "f32" } },
        .arguments = { "f32[4096]=iota", "i32:64" } };
}

RunResult prediction()
{
    RunResult result { .kernel = "transpose_shared", .device = "h200", .launch = tileLaunch() };
    setMissingToZero(result.metrics);
    result.metrics.set(Metric::SharedStoreWavefronts, 524288);
    result.metrics.set(Metric::SharedStoreWavefrontsSass, 524288);
    result.metrics.set(Metric::Duration, 41234.5);
    result.estimateErrors.set(Metric::Duration, 0.125);
    result.emptied.set(Metric::DramReadSectors, 262242);
    result.lines = { { .file = "tile.cu", .line = 12 } };
    result.lines[0].metrics.set(Metric::SharedStoreWavefronts, 524288);
    result.time = { .estimateNs = 41234.5,
        .limiter = "dram",
        .terms = { { .name = "launch", .ns = 2000 }, { .name = "dram", .ns = 39234.5 } },
        .estimateError = 0.125 };
    result.hazards = { { .kind = HazardKind::SharedRace,
        .line = 12,
        .otherLine = 17,
        .detail = "threads 0 and 32 race",
        .count = 3 } };
    result.guesses = { "the value of n: 16384" };
    result.verified = true;
    result.occupancy = Occupancy { .warpsPerSm = 64,
        .maxWarpsPerSm = 64,
        .blocksPerSm = 8,
        .limiter = "threads",
        .registersPerThread = 24 };
    result.milliseconds = { { "compile", 12.5 } };
    return result;
}

RunResult measurement()
{
    RunResult result { .kind = ResultKind::Measurement,
        .kernel = "transpose_shared",
        .device = "h200",
        .launch = tileLaunch() };
    result.metrics.set(Metric::SharedStoreWavefronts, 587493);
    result.metrics.set(Metric::SharedStoreConflicts, 63205);
    result.metrics.set(Metric::SharedStoreWavefrontsSass, 524288);
    result.notMeasured["dram__sectors_read.sum"] = "no permission for counters";
    result.time.warm = TimeSample {
        .medianNs = 42000, .minimumNs = 41000, .p10Ns = 41500, .p90Ns = 43000, .runs = 20
    };
    result.verified = false;
    result.verifyDetail = "element 7 differs";
    result.gpu = "NVIDIA H200";
    result.driver = "580.159";
    result.date = "2026-11-20";
    return result;
}

const ComparisonRow& rowOf(const Comparison& comparison, Metric metric)
{
    return comparison.rows.at(std::size_t(metric));
}

} // namespace

TEST(RunResult, predictionSurvivesTheRoundTrip)
{
    const std::string text = toJson(prediction());
    const auto read = resultFromJson(text);
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_EQ(toJson(*read), text);
    EXPECT_EQ(read->kind, ResultKind::Prediction);
    EXPECT_EQ(read->metrics, prediction().metrics);
    EXPECT_EQ(read->launch, prediction().launch);
    EXPECT_EQ(read->hazards, prediction().hazards);
    EXPECT_EQ(read->time.estimateError, 0.125);
    EXPECT_EQ(read->estimateErrors, prediction().estimateErrors);
    EXPECT_EQ(read->emptied, prediction().emptied);
}

TEST(RunResult, measurementSurvivesTheRoundTrip)
{
    const std::string text = toJson(measurement(), 2);
    const auto read = resultFromJson(text);
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_EQ(toJson(*read, 2), text);
    EXPECT_EQ(read->kind, ResultKind::Measurement);
    EXPECT_EQ(read->notMeasured, measurement().notMeasured);
    EXPECT_EQ(read->verified, false);
    EXPECT_FALSE(read->time.cold);
}

TEST(RunResult, jsonHasTheMembersOfTheContract)
{
    const Json json = Json::parse(toJson(prediction()));
    for (const char* member : { "kernel", "device", "source", "launch", "metrics", "estimates",
             "lines", "time", "hazards", "verified" })
        EXPECT_TRUE(json.contains(member)) << member;
    EXPECT_EQ(json["metrics"].size(), std::size_t(kMetricCount));
    EXPECT_EQ(json["launch"]["grid"], Json::array({ 128, 128, 1 }));
    EXPECT_EQ(json["launch"]["static_shared"], 4224);
    EXPECT_EQ(json["estimates"].size(), 7u);
    EXPECT_EQ(json["hazards"][0]["kind"], "shared-race");
    EXPECT_EQ(json["lines"][0]["file"], "tile.cu");
    EXPECT_EQ(json["time"]["terms"][1]["name"], "dram");
}

TEST(RunResult, unknownVerificationIsNull)
{
    RunResult result = prediction();
    result.verified.reset();
    EXPECT_TRUE(Json::parse(toJson(result))["verified"].is_null());
}

TEST(RunResult, integersPrintAsIntegers)
{
    RunResult result;
    result.metrics.set(Metric::GlobalTags, 1e15);
    result.metrics.set(Metric::GlobalSassSectors, 9007199254740992.0);
    const std::string text = toJson(result);
    EXPECT_NE(text.find(":1000000000000000,"), std::string::npos) << text;
    EXPECT_NE(text.find(":9007199254740992}"), std::string::npos) << text;
}

TEST(RunResult, textThatIsNoUtf8IsWrittenAsValidJson)
{
    RunResult result = prediction();
    result.kernel = "a\xff.cu:b";
    EXPECT_TRUE(resultFromJson(toJson(result)));
}

TEST(RunResult, brokenJsonIsBadInputWithItsPlace)
{
    const auto read = resultFromJson("{\n  \"kernel\": nope\n}");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::BadInput);
    EXPECT_TRUE(read.error().where.starts_with("2:")) << read.error().where;
}

TEST(RunResult, everyTruncationIsAnErrorAndNoCrash)
{
    const std::string text = toJson(prediction());
    for (std::size_t length = 0; length < text.size(); ++length)
        EXPECT_FALSE(resultFromJson(std::string_view(text).substr(0, length))) << length;
}

TEST(RunResult, aMemberOfTheWrongTypeIsBadInputWithItsPlace)
{
    const Json good = Json::parse(toJson(prediction()));
    for (const char* place : { "/kernel", "/device", "/launch/grid", "/launch/block/0", "/metrics",
             "/lines/0/line", "/lines/0/metrics/smsp__sass_l1tex_tags_mem_global.sum",
             "/time/terms/0/ns", "/hazards/0/kind", "/occupancy/limiter", "/milliseconds",
             "/launch/static_shared", "/verified" }) {
        Json bad = good;
        bad[Json::json_pointer(place)] = Json::array({ "nonsense", -1 });
        const auto read = resultFromJson(bad.dump());
        ASSERT_FALSE(read) << place;
        EXPECT_EQ(read.error().code, ErrorCode::BadInput) << place;
        EXPECT_EQ(read.error().where.substr(0, 4), std::string(place).substr(0, 4)) << place;
    }
}

TEST(RunResult, sizesOutOfRangeAreBadInput)
{
    for (const char* size : { "-1", "4294967296", "1.5", "1e300", "\"32\"" }) {
        Json json = Json::parse(toJson(prediction()));
        json["launch"]["block"][0] = Json::parse(size);
        const auto read = resultFromJson(json.dump());
        ASSERT_FALSE(read) << size;
        EXPECT_EQ(read.error().where, "/launch/block/0") << size;
    }
}

TEST(Comparison, hasARowAMetricInTableOrder)
{
    const Comparison comparison = compare(prediction(), measurement());
    ASSERT_EQ(comparison.rows.size(), std::size_t(kMetricCount));
    for (int row = 0; row < kMetricCount; ++row)
        EXPECT_EQ(int(comparison.rows[std::size_t(row)].metric), row);
}

TEST(Comparison, excessOverEqualSassCountIsArbitration)
{
    const Comparison comparison = compare(prediction(), measurement());
    const ComparisonRow& wavefronts = rowOf(comparison, Metric::SharedStoreWavefronts);
    EXPECT_EQ(wavefronts.delta, 63205.0);
    EXPECT_FALSE(wavefronts.equal);
    EXPECT_EQ(wavefronts.note, "arbitration, not your addresses");
    const ComparisonRow& conflicts = rowOf(comparison, Metric::SharedStoreConflicts);
    EXPECT_EQ(conflicts.note, "arbitration, not your addresses");
    EXPECT_TRUE(rowOf(comparison, Metric::SharedStoreWavefrontsSass).equal);
}

TEST(Comparison, excessIsNotArbitrationWhenTheAddressesDiffer)
{
    RunResult measured = measurement();
    measured.metrics.set(Metric::SharedStoreWavefrontsSass, 524289);
    const Comparison comparison = compare(prediction(), measured);
    EXPECT_EQ(rowOf(comparison, Metric::SharedStoreWavefronts).note, "");
}

TEST(Comparison, shortfallIsNeverArbitration)
{
    RunResult measured = measurement();
    measured.metrics.set(Metric::SharedStoreWavefronts, 524287);
    const Comparison comparison = compare(prediction(), measured);
    EXPECT_EQ(rowOf(comparison, Metric::SharedStoreWavefronts).note, "");
    EXPECT_EQ(rowOf(comparison, Metric::SharedStoreWavefronts).delta, -1.0);
}

TEST(Comparison, whatIsNotMeasuredSaysWhy)
{
    const Comparison comparison = compare(prediction(), measurement());
    const ComparisonRow& dram = rowOf(comparison, Metric::DramReadSectors);
    EXPECT_EQ(dram.note, "no permission for counters");
    EXPECT_FALSE(dram.delta);
    EXPECT_FALSE(dram.equal);
    EXPECT_EQ(rowOf(comparison, Metric::GlobalTags).note, "not measured");
}

TEST(Comparison, jsonHasTheDeltaOfWhatBothHave)
{
    const Json json = Json::parse(toJson(compare(prediction(), measurement())));
    EXPECT_EQ(json["delta"].size(), 3u);
    EXPECT_EQ(json["delta"]["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"], 63205);
    EXPECT_EQ(json["predicted"]["kernel"], "transpose_shared");
    EXPECT_EQ(json["measured"]["gpu"], "NVIDIA H200");
    EXPECT_EQ(json["launch"]["block"][1], 8);
}

TEST(Comparison, csvHasARowAKeyAndLeavesTheUnknownEmpty)
{
    RunResult predicted = prediction();
    predicted.kernel = "my, \"tile\".cu:k";
    const std::string csv = toCsv(compare(predicted, measurement()));
    EXPECT_TRUE(csv.starts_with("kernel,device,key,predicted,measured,delta,parameters,grid,block,unit\n"));
    EXPECT_EQ(std::ranges::count(csv, '\n'), kMetricCount + 3) << "the head, and warm and cold times";
    EXPECT_NE(
        csv.find("\"my, \"\"tile\"\".cu:k\",h200,"
                 "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum,524288,587493,63205,"),
        std::string::npos)
        << csv;
    EXPECT_NE(csv.find("dram__sectors_read.sum,0,,,"), std::string::npos) << csv;
}

TEST(Comparison, csvTellsLaunchesApartAndHasWarmAndColdTimes)
{
    RunResult predicted = prediction();
    predicted.launch = { .grid = { 4, 2, 1 }, .block = { 32, 8, 1 }, .parameters = { { "pad", "1" }, { "type", "f32" } }, .arguments = {} };
    predicted.time.warmNs = 5000;
    RunResult measured = measurement();
    measured.time.warm = TimeSample { .medianNs = 5500 };
    measured.time.cold.reset();
    const std::string csv = toCsv(compare(predicted, measured));
    EXPECT_NE(csv.find("warm_ns,5000,5500,500,pad=1 type=f32,4x2x1,32x8x1,ns\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",pad=1 type=f32,4x2x1,32x8x1,wavefronts\n"), std::string::npos) << csv;
    EXPECT_NE(csv.find("dram__sectors_read.sum,0,,,pad=1 type=f32,4x2x1,32x8x1,sectors\n"), std::string::npos) << csv;
}

} // namespace coalescope::analysis
