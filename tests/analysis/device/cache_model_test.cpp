// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/cache_model.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope::analysis;

constexpr double kResident = 132 * 8; ///< blocks on the whole chip

const DeviceModel& h200() { return **deviceNamed("h200"); }

/// A copy of `mebibytes`, read and written once by blocks of 32 sectors.
Traffic copyOf(double mebibytes)
{
    const double bytes = mebibytes * 1024 * 1024, sectors = bytes / 32;
    return { .blocks = sectors / 32,
        .loadRequests = sectors / 4,
        .storeRequests = sectors / 4,
        .loadSectors = sectors,
        .storeSectors = sectors,
        .readBytes = bytes,
        .writeBytes = bytes,
        .readLineBytes = bytes,
        .writeLineBytes = bytes,
        .storedSectors = 32 };
}

TEST(CacheModel, whatFitsTheL2IsReadFromDramOnlyWhenTheL2IsCold)
{
    const Traffic small = copyOf(4);
    EXPECT_LT(dramTraffic(h200(), small, kResident, L2State::Warm).readShare, 0.01);
    EXPECT_EQ(dramTraffic(h200(), small, kResident, L2State::Cold).readShare, 1);
}

TEST(CacheModel, whatOutgrowsTheL2GoesToDramInEveryState)
{
    const Traffic large = copyOf(256);
    for (const L2State state : { L2State::Profiled, L2State::Warm, L2State::Cold }) {
        const DramTraffic dram = dramTraffic(h200(), large, kResident, state);
        EXPECT_NEAR(dram.readBytes, large.readBytes, 0.01 * large.readBytes);
        EXPECT_NEAR(dram.writeBytes, large.writeBytes, 0.02 * large.writeBytes);
    }
}

TEST(CacheModel, aLaunchOfOneWaveFindsMoreOfWhatItReadsInTheL2)
{
    Traffic traffic = copyOf(20);
    const auto readShare = [&](double waves) {
        return dramTraffic(h200(), traffic, traffic.blocks / waves, L2State::Profiled).readShare;
    };
    EXPECT_LT(readShare(1), 0.7 * readShare(20)) << "nothing is written before all is read";
    EXPECT_NEAR(readShare(10), readShare(20), 0.05);
    traffic.loadsAhead = 0;
    EXPECT_EQ(readShare(1), readShare(20)) << "its blocks write between their loads";
}

// update_fields of 17, 25 and 34 MB on an H200, profiled: of the bytes read.
TEST(CacheModel, whatIsUpdatedInPlaceTakesItsRoomOnce)
{
    for (const auto& [mebibytes, counted] : { std::pair(16.0, 0.07), { 24.0, 0.46 }, { 32.0, 0.81 } }) {
        Traffic inPlace = copyOf(mebibytes);
        inPlace.bothLineBytes = inPlace.readLineBytes;
        EXPECT_NEAR(dramTraffic(h200(), inPlace, kResident, L2State::Profiled).readShare, counted, 0.16) << mebibytes;
        EXPECT_GT(dramTraffic(h200(), copyOf(mebibytes), kResident, L2State::Profiled).readShare, counted) << mebibytes;
        EXPECT_LT(dramTraffic(h200(), inPlace, kResident, L2State::Warm).readShare, 0.05) << mebibytes;
    }
}

// fft_stage (34 MB) and walsh_shared (67 MB) on an H200, profiled: of the bytes written.
TEST(CacheModel, ofWhatIsUpdatedInPlaceSomeIsStillModifiedInTheL2AtTheEnd)
{
    for (const auto& [mebibytes, counted] : { std::pair(32.0, 0.82), { 64.0, 0.93 } }) {
        Traffic inPlace = copyOf(mebibytes);
        inPlace.bothLineBytes = inPlace.readLineBytes;
        EXPECT_NEAR(dramTraffic(h200(), inPlace, kResident, L2State::Profiled).writeBytes, counted * inPlace.writeBytes,
            0.08 * inPlace.writeBytes)
            << mebibytes;
        EXPECT_GT(dramTraffic(h200(), copyOf(mebibytes), kResident, L2State::Profiled).writeBytes, inPlace.writeBytes);
    }
}

TEST(CacheModel, aColdLaunchWritesBackWhatItPushesOut)
{
    const Traffic small = copyOf(4);
    EXPECT_EQ(
        dramTraffic(h200(), small, kResident, L2State::Cold).writeBytes, small.readBytes + small.writeBytes);
}

TEST(CacheModel, readsOfOneSectorALineFillTheL2WithLines)
{
    Traffic strided = copyOf(8);
    EXPECT_LT(dramTraffic(h200(), strided, kResident, L2State::Warm).readShare, 0.1);
    strided.readLineBytes = 4 * strided.readBytes;
    strided.writeLineBytes = 4 * strided.writeBytes;
    EXPECT_GT(dramTraffic(h200(), strided, kResident, L2State::Warm).readShare, 0.9);
}

TEST(CacheModel, anL2InOnePieceCountsNothingTwice)
{
    const Traffic copy = copyOf(256);
    const CacheSectors whole = cacheSectors(**deviceNamed("rtx4090"), copy, kResident);
    EXPECT_EQ(whole.l2Write, whole.l1Write);
    EXPECT_LT(whole.l2Read, 1.001 * whole.l1Read);
    const CacheSectors halves = cacheSectors(h200(), copy, kResident);
    EXPECT_EQ(halves.l2Write, 1.5 * halves.l1Write);
}

// L2 to L1, then what the L2 has read, of launches of tests/device/sweeps/h200.jsonl.
TEST(CacheModel, theHalvesOfTheL2AskEachOtherOnceForWhatSmsOfBothWant)
{
    struct Launch {
        const char* name;
        double bytes, asked, counted;
    };
    for (const auto& [name, bytes, asked, counted] : {
             Launch { "stencil_five 8x1", 4096.0 * 4096 * 4, 10472008, 12431550 },
             Launch { "stencil_five 32x16", 4096.0 * 4096 * 4, 3393829, 4730741 },
             Launch { "stencil_seven 16x2", 320.0 * 320 * 320 * 4, 20014886, 24025029 },
             Launch { "stencil_high 16x2", 320.0 * 320 * 320 * 4, 52286500, 56278305 },
             Launch { "sobel_edges 8x2", 3000.0 * 3000 * 4, 6735640, 7809538 },
         }) {
        Traffic traffic = copyOf(bytes / 1024 / 1024);
        traffic.l1ReadShare = asked / traffic.loadSectors;
        EXPECT_NEAR(cacheSectors(h200(), traffic, kResident).l2Read, counted, 0.02 * counted) << name;
    }
}

TEST(CacheModel, halfOfWhatTheL2HasKeptIsInBothHalves)
{
    const Traffic copy = copyOf(8);
    const CacheSectors sectors = cacheSectors(h200(), copy, kResident);
    EXPECT_NEAR(sectors.l2Read, 1.25 * sectors.l1Read, 0.01 * sectors.l1Read);
}

TEST(CacheModel, warpsJoinTheirPartsOfFewSectorsButNotOfMany)
{
    Traffic parts = copyOf(4);
    parts.partStoredSectors = parts.followedSectors = parts.storedSectors;
    parts.storeSectors = 2 * parts.loadSectors; // each sector written in two halves, by neighbouring warps
    parts.storeRequests = parts.storeSectors / 8;
    EXPECT_LT(cacheSectors(h200(), parts, kResident).l1Write, 0.9 * parts.storeSectors);
    parts.storeRequests = parts.storeSectors / 32;
    EXPECT_EQ(cacheSectors(h200(), parts, kResident).l1Write, parts.storeSectors);
}

TEST(CacheModel, warpsThatBeginElsewhereJoinMoreOfTheirSectors)
{
    // l1tex__m_l1tex2xbar_write_sectors over sectors stored on an H200, transpose_naive: (24, 32) 0.89 where all is in the
    // L2 and 0.68 where it is not, (32, 32) 1 in both.
    Traffic aligned = copyOf(4);
    aligned.partStoredSectors = aligned.storedSectors = 1000;
    aligned.storeSectors = 24 * aligned.storeRequests;
    aligned.followedSectors = 0.9 * aligned.storeSectors / aligned.blocks;
    aligned.storeLaneBytes = 4;
    Traffic shifted = aligned;
    shifted.followedShifted = shifted.followedSectors;
    const auto share = [](const Traffic& traffic, double readShare) {
        return 1 - joinedSectors(traffic, { .readShare = readShare }).beforeL2 / traffic.storeSectors;
    };
    EXPECT_EQ(share(aligned, 0), 1);
    EXPECT_NEAR(share(shifted, 0), 0.89, 0.05);
    EXPECT_NEAR(share(shifted, 1), 0.75, 0.1);
    Traffic halves = shifted;
    halves.storeLaneBytes = 2;
    EXPECT_GT(share(halves, 0), share(shifted, 0));
}

/// Columns of 4-byte elements, written by blocks of 16 warps: `lines` lines a store, each warp next to the one before.
Traffic columnsOf(double lines)
{
    Traffic traffic = copyOf(4);
    traffic.storeRequests = 16 * traffic.blocks;
    traffic.storeTags = traffic.storeSectors = lines * traffic.storeRequests;
    traffic.followedLines = 15 * lines;
    traffic.storedLines = lines;
    traffic.storeLaneBytes = 4;
    return traffic;
}

TEST(CacheModel, storesOfNeighbouringWarpsMeetOnTheirWayToTheL2)
{
    // lts__t_requests over stores on an H200, transpose_naive 2048 x 2048: 0.57 for (16, 32), 0.88 for (16, 8), 1 for (32, 32).
    const auto requests = [](const Traffic& traffic, double resident) {
        return storeLineRequests(traffic, resident, {}) / traffic.storeTags;
    };
    const Traffic sixteen = columnsOf(16);
    EXPECT_NEAR(requests(sixteen, 4), 0.57, 0.03);
    EXPECT_GT(requests(sixteen, 16), 0.88) << "more blocks come between";
    EXPECT_EQ(requests(columnsOf(32), 2), 1) << "too many lines";
    Traffic halfWords = sixteen;
    halfWords.storeLaneBytes = 2;
    EXPECT_EQ(requests(halfWords, 4), 1);
    Traffic alone = sixteen;
    alone.followedLines = 0;
    EXPECT_EQ(requests(alone, 4), 1);
    EXPECT_GT(storeLineRequests(sixteen, 4, { .readShare = 1 }), storeLineRequests(sixteen, 4, {}))
        << "waiting for DRAM drives warps apart";
}

TEST(CacheModel, anL2FullOfOtherDataSplitsWhatItCouldKeep)
{
    Traffic traffic = copyOf(4);
    traffic.partStoredSectors = traffic.openSectors = traffic.storedSectors;
    const auto split = [&](L2State state) {
        return splitSectors(h200(), traffic, kResident, dramTraffic(h200(), traffic, kResident, state));
    };
    EXPECT_LT(split(L2State::Warm), 1);
    EXPECT_GT(split(L2State::Cold), 1000);
}

// spread_fields on an H200, profiled: what is read from DRAM beyond what the launch loads.
TEST(CacheModel, sectorsWithHolesAreReadFromDramWhereTheirLinesLeaveTheL2)
{
    struct Case {
        double lines, loaded, sectorsOfALine, read; ///< MB, MB; read: of all sectors with holes
    };
    for (const Case& c : { Case { 8, 4, 4, 0 }, Case { 16, 8, 4, 0.1 }, Case { 33.6, 4.2, 4, 0.7 }, Case { 33.6, 1, 1, 0.55 },
             Case { 134, 16.8, 4, 0.93 }, Case { 134, 4.2, 1, 1 } }) {
        const double blocks = 1000, sectors = c.lines * 1e6 / 128 * c.sectorsOfALine;
        const Traffic traffic { .blocks = blocks,
            .writeBytes = sectors * 32,
            .readLineBytes = c.loaded * 1e6,
            .writeLineBytes = c.lines * 1e6,
            .holeSectors = sectors / blocks };
        const DramTraffic dram = dramTraffic(h200(), traffic, kResident, L2State::Profiled);
        EXPECT_NEAR(holeSectors(traffic, dram) / sectors, c.read, 0.15) << c.lines << " MB";
    }
}

// spread_fields of 8 fields, 8, 16 and 32 words apart, on an H200: of 2,097,152 sectors.
TEST(CacheModel, whatOneWarpFillsTakesWholeLinesOfTheL2)
{
    double before = 0;
    for (const auto& [sectorsOfALine, split] : { std::pair(4, 0.35), std::pair(2, 0.79), std::pair(1, 0.96) }) {
        const double sectors = 2'097'152, blocks = 32'768;
        const Traffic traffic { .blocks = blocks,
            .storeSectors = 8 * sectors,
            .storeTags = 8 * sectors / sectorsOfALine,
            .writeBytes = sectors * 32,
            .readLineBytes = sectors * 32,
            .writeLineBytes = sectors * 128 / sectorsOfALine,
            .storedSectors = 64,
            .partStoredSectors = 64,
            .openSectors = 56,
            .openByOneWarp = 56,
            .loadRounds = 8 };
        const double resident = 132 * 32;
        const double found = splitSectors(h200(), traffic, resident, dramTraffic(h200(), traffic, resident, L2State::Profiled));
        EXPECT_NEAR(found / sectors, split, 0.2) << sectorsOfALine << " sectors of a line";
        EXPECT_GT(found, before);
        before = found;
    }
}

TEST(CacheModel, wholeSectorsAreNeverSplit)
{
    Traffic traffic = copyOf(256);
    const auto split = [&](double resident) {
        return splitSectors(h200(), traffic, resident, dramTraffic(h200(), traffic, kResident, L2State::Warm));
    };
    EXPECT_EQ(split(1000), 0);
    traffic.partStoredSectors = traffic.openSectors = traffic.storedSectors;
    EXPECT_GT(split(100), 0);
    EXPECT_GT(split(10000), split(100))
        << "the more blocks have begun sectors, the more are pushed out";
    EXPECT_LE(split(10000), traffic.storeSectors);
}

TEST(CacheModel, sectorsThatBlocksFillTogetherAreSplitByHowFarApartTheyStart)
{
    Traffic traffic = copyOf(256);
    traffic.partStoredSectors = traffic.storedSectors;
    const auto split = [&] {
        return splitSectors(h200(), traffic, kResident, dramTraffic(h200(), traffic, kResident, L2State::Warm));
    };
    EXPECT_EQ(split(), 0);
    traffic.openBetweenBlocks = traffic.storedSectors / 2; // the next block fills the other halves
    const double next = split();
    EXPECT_LT(next, 0.001 * traffic.storeSectors);
    traffic.openBetweenBlocks *= 100; // a row of blocks later
    EXPECT_NEAR(split(), 100 * next, 0.01 * 100 * next);
    traffic.openApart = traffic.storedSectors / 6;
    traffic.loadRounds = 1;
    const double inOneRound = split();
    traffic.loadRounds = 8;
    EXPECT_EQ(split(), inOneRound) << "all its loads come before its stores";
    traffic.loadsAhead = 1.0 / 8;
    EXPECT_LT(split(), inOneRound) << "blocks of a loop are in step within a turn";
}

TEST(CacheModel, blocksWhoseWarpsMeetStayInStepForAWhile)
{
    Traffic traffic = copyOf(256);
    traffic.partStoredSectors = traffic.storedSectors;
    traffic.openApart = traffic.storedSectors / 2;
    traffic.warps = 8;
    const auto split = [&](double waves) {
        const double resident = traffic.blocks / waves;
        return splitSectors(h200(), traffic, resident, dramTraffic(h200(), traffic, resident, L2State::Warm));
    };
    const double free = split(100);
    traffic.barriers = 1;
    EXPECT_LT(split(100), 0.5 * free);
    EXPECT_EQ(split(1), 0) << "they start together";
    const double resident16 = split(16);
    traffic.warps = 32;
    EXPECT_LT(split(16), resident16) << "the more warps, the later they get apart";
    traffic.warps = 8;
    traffic.sharedInstructions = traffic.storeRequests;
    traffic.sharedWavefronts = 64 * traffic.sharedInstructions;
    EXPECT_LT(split(16), 0.01 * resident16) << "shared memory takes longer than DRAM";
}

TEST(CacheModel, storesOfPartsOfLinesLeaveLessModifiedInTheL2)
{
    Traffic lines = copyOf(64), sectors = lines;
    lines.storeTags = lines.storeSectors / 4;
    sectors.storeTags = sectors.storeSectors;
    const auto written = [](const Traffic& traffic) {
        return dramTraffic(h200(), traffic, kResident, L2State::Profiled).writeBytes;
    };
    EXPECT_GT(written(sectors), written(lines));
    EXPECT_GT(written(lines), lines.writeBytes);
    EXPECT_LT(written(sectors), 1.15 * lines.writeBytes);
}

TEST(CacheModel, aSplitSectorIsReadAndWrittenOnceMore)
{
    const Traffic whole = copyOf(256);
    Traffic parts = whole;
    parts.partStoredSectors = parts.openSectors = parts.storedSectors;
    const CacheSectors without = cacheSectors(h200(), whole, kResident),
                       with = cacheSectors(h200(), parts, kResident);
    const double split
        = splitSectors(h200(), parts, kResident, dramTraffic(h200(), parts, kResident, L2State::Profiled));
    EXPECT_GT(split, 1000);
    EXPECT_NEAR(with.dramRead - without.dramRead, split, 1);
    EXPECT_NEAR(with.dramWrite - without.dramWrite, split, 1);
    EXPECT_NEAR(with.l2Write - without.l2Write, split, 1);
}

TEST(CacheModel, whatIsUpdatedInPlaceNeedsNoReadToBeCompleted)
{
    Traffic traffic = copyOf(256);
    traffic.partStoredSectors = traffic.openSectors = traffic.storedSectors;
    const double apart = cacheSectors(h200(), traffic, kResident).dramRead;
    traffic.openInPlace = traffic.openSectors / 2;
    const double half = cacheSectors(h200(), traffic, kResident).dramRead;
    traffic.openInPlace = traffic.openSectors;
    const double inPlace = cacheSectors(h200(), traffic, kResident).dramRead;
    EXPECT_NEAR(apart - half, half - inPlace, 1);
    EXPECT_NEAR(inPlace, traffic.readBytes / 32, 100);
}

TEST(CacheModel, nothingIsSplitWhileTheL2KeepsEverything)
{
    Traffic parts = copyOf(1);
    parts.partStoredSectors = parts.openSectors = parts.storedSectors;
    EXPECT_LT(cacheSectors(h200(), parts, kResident).dramRead, 100);
}

TEST(CacheModel, whatIsReadAgainComesFromDramOnceMore)
{
    Traffic traffic = copyOf(256);
    traffic.loadSectors *= 10;
    const double once = dramTraffic(h200(), traffic, kResident, L2State::Profiled).readBytes;
    traffic.readAgainBytes = 3 * traffic.readBytes;
    EXPECT_DOUBLE_EQ(
        dramTraffic(h200(), traffic, kResident, L2State::Profiled).readBytes, once + 3 * traffic.readBytes);
}

TEST(CacheModel, dramReadsNoMoreThanAPairForEverySectorThatL1AsksFor)
{
    Traffic traffic = copyOf(256);
    traffic.readAgainBytes = 100 * traffic.readBytes;
    const DramTraffic dram = dramTraffic(h200(), traffic, kResident, L2State::Profiled);
    EXPECT_LE(dram.readBytes, 64 * traffic.loadSectors * (1 + 1e-12));
}

TEST(CacheModel, whereBlocksReadTheSameMostSectorsAreThere)
{
    Traffic traffic = copyOf(256);
    traffic.loadSectors *= 10;
    const DramTraffic apart = dramTraffic(h200(), traffic, kResident, L2State::Profiled);
    EXPECT_EQ(apart.missShare, apart.readShare);
    traffic.blocksReadTheSame = true;
    const DramTraffic same = dramTraffic(h200(), traffic, kResident, L2State::Profiled);
    EXPECT_EQ(same.readBytes, apart.readBytes);
    EXPECT_NEAR(same.missShare, 0.1, 0.001);
}

TEST(CacheModel, whatTheL2HoldsIsNotGoneAndWhatIsFarLargerIs)
{
    EXPECT_EQ(goneShare(h200(), 0), 0);
    EXPECT_EQ(goneShare(h200(), 0.4 * h200().l2Bytes), 0);
    EXPECT_NEAR(goneShare(h200(), 0.575 * h200().l2Bytes), 0.5, 1e-9);
    EXPECT_EQ(goneShare(h200(), h200().l2Bytes), 1);
}

} // namespace
