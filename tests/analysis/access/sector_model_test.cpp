// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/sector_model.h"

#include "tests/analysis/access/recorded_patterns.h"

#include <bit>
#include <functional>
#include <gtest/gtest.h>
#include <set>

namespace coalescope::analysis {

using test::RecordedPattern;
using test::recordedPatterns;

namespace {

WarpAccess globalAccess(int width, const std::function<std::uint64_t(int)>& address)
{
    WarpAccess access { .widthBytes = std::uint8_t(width), .active = kAllLanes };
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.address[lane] = address(lane);
    return access;
}

std::vector<RecordedPattern> globalPatterns()
{
    auto patterns = recordedPatterns("global_patterns.csv");
    for (RecordedPattern& pattern : recordedPatterns("global_patterns_l2.csv"))
        patterns.push_back(std::move(pattern));
    return patterns;
}

/// A recorded counter, less what the kernel itself adds: its offsets are loaded before a load.
long counted(const RecordedPattern& pattern, const std::string& stage, int ownLoad)
{
    const std::string& op = pattern.text("op");
    return pattern.count("l1tex__t_" + stage + "_pipe_lsu_mem_global_op_" + op + ".sum")
        - (op == "ld" ? ownLoad : 0);
}

} // namespace

TEST(SectorModel, requestsSectorsAndTagsEqualTheHardwareInEveryRecordedRow)
{
    const auto patterns = globalPatterns();
    ASSERT_EQ(patterns.size(), 700u);
    for (const RecordedPattern& pattern : patterns) {
        const auto report = sectorReport(pattern.access);
        ASSERT_TRUE(report) << pattern.text("id");
        EXPECT_EQ(report->requests, counted(pattern, "requests", 1)) << pattern.text("id");
        EXPECT_EQ(report->sectors, counted(pattern, "sectors", 4)) << pattern.text("id");
        EXPECT_EQ(report->tags, counted(pattern, "set_accesses", 1)) << pattern.text("id");
    }
}

TEST(SectorModel, tagsEqualTheSassPatchedCountInEveryRecordedRow)
{
    for (const RecordedPattern& pattern : recordedPatterns("global_patterns_l2.csv"))
        EXPECT_EQ(sectorReport(pattern.access)->tags + 1,
            pattern.count("smsp__sass_l1tex_tags_mem_global.sum"))
            << pattern.text("id");
}

TEST(SectorModel, asyncCopiesAndReductionsAskForTheRecordedRequestsAndTags)
{
    for (const RecordedPattern& pattern : recordedPatterns("special_patterns.csv")) {
        const std::string& op = pattern.text("op");
        const bool copies = op.starts_with("cp.async.");
        if (!copies && op != "red.global.u32")
            continue;
        WarpAccess access { .op = copies ? MemoryOp::AsyncCopy : MemoryOp::Reduction };
        access.widthBytes = std::uint8_t(copies ? std::stoi(op.substr(9)) : 4);
        test::setOffsets(access, pattern.text(copies ? "goffsets" : "offsets"));
        const SectorReport report = *sectorReport(access);
        // What the kernel adds by loading its own offsets.
        EXPECT_EQ(
            report.tags + (copies ? 4 : 1), pattern.count("smsp__sass_l1tex_tags_mem_global.sum"))
            << pattern.text("id");
        if (!copies || access.widthBytes == 16)
            continue;
        EXPECT_EQ(report.requests,
            pattern.count("l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access.sum"));
        EXPECT_EQ(report.sectors,
            pattern.count("l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum"))
            << pattern.text("id");
    }
}

TEST(SectorModel, idealSectorsEqualTheProfilersInEveryRecordedRow)
{
    const auto patterns = recordedPatterns("ideal_patterns.csv");
    ASSERT_EQ(patterns.size(), 205u);
    for (const RecordedPattern& pattern : patterns) {
        const SectorReport report = *sectorReport(pattern.access);
        EXPECT_EQ(report.idealSectors, pattern.count("memory_l2_theoretical_sectors_global_ideal"))
            << pattern.text("id");
        EXPECT_EQ(report.sectors, pattern.count("memory_l2_theoretical_sectors_global"))
            << pattern.text("id");
        EXPECT_EQ(report.tags, pattern.count("memory_l1_tag_requests_global"))
            << pattern.text("id");
    }
}

TEST(SectorModel, aLoneWarpsStoreSendsItsSectorsToL2)
{
    for (const RecordedPattern& pattern : recordedPatterns("global_patterns_l2.csv")) {
        if (pattern.text("op") == "st") {
            EXPECT_EQ(sectorReport(pattern.access)->sectors,
                pattern.count("l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum"))
                << pattern.text("id");
        }
    }
}

TEST(SectorModel, touchedLinesAddUpToTheReport)
{
    for (const RecordedPattern& pattern : globalPatterns()) {
        const SectorReport report = *sectorReport(pattern.access);
        const auto lines = touchedLines(pattern.access);
        EXPECT_EQ(lines.size(), report.tags);
        std::uint32_t sectors = 0, bytes = 0;
        std::uint64_t previous = 0;
        for (const TouchedLine& line : lines) {
            EXPECT_TRUE(&line == &lines.front() || line.address > previous);
            previous = line.address;
            sectors += std::popcount(line.sectorMask);
            for (int sector = 0; sector < 4; ++sector) {
                bytes += std::popcount(line.usedBytes[sector]);
                EXPECT_EQ(line.usedBytes[sector] != 0, (line.sectorMask >> sector & 1) != 0);
            }
            for (int byte = 0; byte < kCacheLineBytes; ++byte)
                EXPECT_EQ(line.lane[byte] >= 0, (line.usedBytes[byte / 32] >> byte % 32 & 1u) != 0);
        }
        EXPECT_EQ(sectors, report.sectors) << pattern.text("id");
        EXPECT_EQ(bytes, report.usedBytes) << pattern.text("id");
    }
}

TEST(SectorModel, usedBytesAreTheDistinctBytes)
{
    for (const RecordedPattern& pattern : globalPatterns()) {
        std::set<std::uint64_t> bytes;
        for (int lane = 0; lane < kWarpLanes; ++lane)
            for (int byte = 0; byte < pattern.access.widthBytes; ++byte)
                if (pattern.access.active >> lane & 1u)
                    bytes.insert(pattern.access.address[lane] + byte);
        EXPECT_EQ(sectorReport(pattern.access)->usedBytes, bytes.size()) << pattern.text("id");
    }
}

TEST(SectorModel, everyStrideCountsTheLinesThatItTouches)
{
    for (const int width : { 1, 2, 4, 8, 16 }) {
        for (int step = -300; step <= 300; ++step) {
            const auto access = globalAccess(
                width, [&](int lane) { return (1 << 20) + (lane * step + 3) * width; });
            const SectorReport report = *sectorReport(access);
            std::uint32_t sectors = 0, bytes = 0;
            const auto lines = touchedLines(access);
            for (const TouchedLine& line : lines) {
                sectors += std::popcount(line.sectorMask);
                for (const std::uint32_t used : line.usedBytes)
                    bytes += std::popcount(used);
            }
            EXPECT_EQ(report.tags, lines.size()) << width << ' ' << step;
            EXPECT_EQ(report.sectors, sectors) << width << ' ' << step;
            EXPECT_EQ(report.usedBytes, bytes) << width << ' ' << step;
            EXPECT_EQ(report.idealSectors, std::min(sectors, std::uint32_t(width)))
                << width << ' ' << step;
        }
    }
}

TEST(SectorModel, alignedRowIsFourSectorsAndShiftedRowFive)
{
    const auto aligned = sectorReport(globalAccess(4, [](int lane) { return 256 + lane * 4; }));
    EXPECT_EQ(*aligned,
        (SectorReport {
            .requests = 1, .sectors = 4, .tags = 1, .idealSectors = 4, .usedBytes = 128 }));
    const auto shifted = sectorReport(globalAccess(4, [](int lane) { return 260 + lane * 4; }));
    EXPECT_EQ(shifted->sectors, 5u);
    EXPECT_EQ(shifted->tags, 2u);
    EXPECT_EQ(shifted->idealSectors, 4u);
}

TEST(SectorModel, columnOfAMatrixIsASectorALane)
{
    const auto report = sectorReport(globalAccess(4, [](int lane) { return lane * 4096; }));
    EXPECT_EQ(report->sectors, 32u);
    EXPECT_EQ(report->tags, 32u);
    EXPECT_EQ(report->idealSectors, 4u);
    EXPECT_EQ(report->usedBytes, 128u);
}

TEST(SectorModel, sixteenByteRowIsOneRequestOfSixteenSectors)
{
    const auto report = sectorReport(globalAccess(16, [](int lane) { return lane * 16; }));
    EXPECT_EQ(report->requests, 1u);
    EXPECT_EQ(report->sectors, 16u);
    EXPECT_EQ(report->tags, 4u);
}

TEST(SectorModel, inactiveWarpAsksForNothing)
{
    auto access = globalAccess(4, [](int lane) { return lane; });
    access.active = 0;
    EXPECT_EQ(*sectorReport(access), SectorReport {});
    EXPECT_TRUE(touchedLines(access).empty());
}

TEST(SectorModel, firstLaneThatAsksOwnsTheByte)
{
    const auto lines = touchedLines(globalAccess(4, [](int lane) { return lane / 2 * 4; }));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].lane[0], 0);
    EXPECT_EQ(lines[0].lane[7], 2);
    EXPECT_EQ(lines[0].lane[64], -1);
}

TEST(SectorModel, aWordOfEachLaneOfLocalMemoryIsALine)
{
    // An NVIDIA H200, driver 580.159.04, 2026-11-22: doubles are two requests, bytes share a word.
    auto access = globalAccess(8, [](int) { return 40; });
    access.space = Space::Local;
    EXPECT_EQ(*sectorReport(access), (SectorReport { .requests = 2, .sectors = 8, .tags = 2, .idealSectors = 8, .usedBytes = 256 }));
    const auto lines = touchedLines(access);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].address, 10u * kCacheLineBytes);
    EXPECT_EQ(lines[1].lane[127], 31);
    auto bytes = globalAccess(1, [](int lane) { return lane; });
    bytes.space = Space::Local;
    EXPECT_EQ(*sectorReport(bytes), (SectorReport { .requests = 1, .sectors = 8, .tags = 8, .idealSectors = 4, .usedBytes = 32 }));
    bytes.active = 0x100;
    EXPECT_EQ(sectorReport(bytes)->idealSectors, 1u);
}

TEST(SectorModel, whatIsNotModelledIsAnError)
{
    EXPECT_EQ(sectorReport(globalAccess(32, [](int) { return 0; })).error().code,
        ErrorCode::UnsupportedWidth);
    EXPECT_EQ(
        sectorReport(globalAccess(4, [](int) { return 2; })).error().code, ErrorCode::BadInput);
    auto access = globalAccess(4, [](int) { return 0; });
    access.space = Space::Shared;
    EXPECT_EQ(sectorReport(access).error().code, ErrorCode::BadInput);
}

} // namespace coalescope::analysis
