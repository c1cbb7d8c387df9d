// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/sm_waves.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope::analysis;

StationTimes only(Station station, double ns)
{
    StationTimes times {};
    times[std::size_t(station)] = ns;
    return times;
}

TEST(SmWaves, oneBlockTakesItsStartLeadWorkAndWaits)
{
    const BlockWork work { .startNs = 10,
        .leadNs = 20,
        .load = only(Station::Lsu, 5),
        .loadLatencyNs = 100,
        .store = only(Station::Lsu, 7),
        .storeLatencyNs = 3 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 145);
}

TEST(SmWaves, blocksThatOnlyWaitTakeAsLongAsOneWhereAllFit)
{
    const BlockWork work { .loadLatencyNs = 100 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 8, 8), 100);
}

TEST(SmWaves, blocksThatDoNotFitCameInWaves)
{
    const BlockWork work { .loadLatencyNs = 100 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 8, 2), 400);
    EXPECT_DOUBLE_EQ(smWavesNs(work, 7, 2), 400) << "the last wave is not full";
}

TEST(SmWaves, roundsWaitOneAfterTheOther)
{
    const BlockWork work { .load = only(Station::Lsu, 20), .loadLatencyNs = 100, .rounds = 4 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 420)
        << "the work is the block's, the latency a round's";
}

TEST(SmWaves, everyTurnOfARoundWaits)
{
    const BlockWork work {
        .load = only(Station::Lsu, 6), .loadLatencyNs = 100, .storeLatencyNs = 10, .loadTurns = 3, .storeTurns = 2
    };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 6 + 3 * 100 + 2 * 10);
}

TEST(SmWaves, copiesAheadComeWhileTheRoundBeforeIsWorkedOn)
{
    BlockWork work { .load = only(Station::Lsu, 20), .loadLatencyNs = 100, .store = only(Station::Issue, 40), .storeLatencyNs = 60, .rounds = 4, .copiesAhead = true };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), (5 + 100) + 3 * (5 + 100) + (10 + 60)) << "a copy takes longer than the work";
    work.storeLatencyNs = 200;
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), (5 + 100) + 4 * (10 + 200)) << "the work takes longer than a copy";
    work.copiesAhead = false;
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 4 * ((5 + 100) + (10 + 200))) << "one after the other";
}

TEST(SmWaves, storesThatComeLastAreWaitedForOnce)
{
    BlockWork work { .store = only(Station::L2, 40), .storeLatencyNs = 10, .rounds = 4, .storeTurns = 2 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 4 * (10 + 10) + 5 + 3 * (5 + 5) + 5) << "half of each round's, beside what was left behind before";
    work.storesLast = true;
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 4 * (10 + 10) + 20 + 20) << "half of all, then the other half";
}

TEST(SmWaves, storesOfATurnReachTheL2BeforeTheNext)
{
    BlockWork work { .store = only(Station::L2, 40), .storeLatencyNs = 10 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 10 + 40) << "in one turn: left behind";
    work.storeTurns = 2;
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), (20 + 10) + 10 + 20) << "the first half is waited for";
}

TEST(SmWaves, theBusiestStationSetsTheRateOfManyBlocks)
{
    BlockWork work { .startNs = 9, .load = only(Station::Dram, 10), .loadLatencyNs = 30 };
    EXPECT_NEAR(smWavesNs(work, 1000, 8), 10000, 50);
    work.load[std::size_t(Station::L2)] = 4;
    EXPECT_NEAR(smWavesNs(work, 1000, 8), 10000, 50) << "L2 works at the same time";
}

TEST(SmWaves, waitsSetTheRateWhereTooFewBlocksHideThem)
{
    const BlockWork work { .load = only(Station::Dram, 1), .loadLatencyNs = 90 };
    EXPECT_NEAR(smWavesNs(work, 1000, 2) / smWavesNs(work, 1000, 4), 2, 0.1);
}

TEST(SmWaves, anSmStartsOneBlockAfterTheOther)
{
    const BlockWork work { .startNs = 80, .loadLatencyNs = 100 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1000, 8), 80 * 1000 + 100);
}

TEST(SmWaves, blocksThatShareAStationStayTogether)
{
    // Both load, both share the banks, both are done at once: nothing of one hides the other's
    // wait.
    const BlockWork work { .loadLatencyNs = 100, .store = only(Station::Data, 100) };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 20, 2), 10 * 300);
}

TEST(SmWaves, theFirstInstructionsAreIssuedOnTheWayToTheFirstLoads)
{
    BlockWork work { .leadNs = 100, .load = only(Station::Issue, 60), .loadLatencyNs = 50 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 150);
    work.load = only(Station::Issue, 130);
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 180);
}

TEST(SmWaves, blocksIssueInTheOrderInWhichTheyCome)
{
    // All issue their loads, until 300, then the first, which came at 150, its stores.
    const BlockWork work { .load = only(Station::Issue, 100), .loadLatencyNs = 50, .store = only(Station::Issue, 100) };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 3, 3), 600);
}

TEST(SmWaves, anOlderBlockThatComesLittleLaterIssuesFirst)
{
    // The first starts at 80 and has its loads at 260; that is before the third, which starts at 240. The third loads from 330
    // to 430, and when it stores at 510, nobody is left to hide its wait.
    const BlockWork work { .startNs = 80, .load = only(Station::Issue, 100), .loadLatencyNs = 80, .store = only(Station::Issue, 50) };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 3, 3), 560);
}

TEST(SmWaves, blocksThatIssueAndWaitDriftApart)
{
    // The first has issued at 100 and waits while the second issues: they drift apart.
    const BlockWork work { .load = only(Station::Issue, 100), .loadLatencyNs = 100 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 2, 2), 300);
    EXPECT_NEAR(smWavesNs(work, 1000, 2), 100 * 1000, 200);
}

/// Two parts whose first loads come 10 ns after each other.
BlockWork twoParts(bool meet)
{
    return { .load = only(Station::Lsu, 20),
        .loadLatencyNs = 100,
        .store = only(Station::Data, 40),
        .parts = 2,
        .partLeadNs = 10,
        .meetings = meet ? 1 : 0 };
}

TEST(SmWaves, partsOfABlockStoreAsSoonAsTheirOwnLoadsAreThere)
{
    // The first part loads from 0 to 10, the second from 10 to 20; they store from 110 and from 130.
    EXPECT_DOUBLE_EQ(smWavesNs(twoParts(false), 1, 1), 150);
}

TEST(SmWaves, partsThatMeetStoreWhenAllLoadsAreThere)
{
    EXPECT_DOUBLE_EQ(smWavesNs(twoParts(true), 1, 1), 160) << "both store from 120";
}

TEST(SmWaves, partsMeetAsOftenAsTheyAreSaidTo)
{
    BlockWork work { .load = only(Station::Lsu, 40), .loadLatencyNs = 100, .rounds = 2, .parts = 2, .partLeadNs = 10 };
    // Every load takes 10: the second rounds begin at 110 and 120, or both at 120 and then share the unit.
    work.meetings = 1;
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 230);
    work.meetings = 2;
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 240);
}

TEST(SmWaves, dramServesTheOldestBlockFirst)
{
    // The first has its data at 100, the second at 200; if they shared DRAM, both would at 200 and store until 500.
    const BlockWork work { .load = only(Station::Dram, 100), .loadLatencyNs = 100, .store = only(Station::Data, 100) };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 2, 2), 400);
}

TEST(SmWaves, sharedMemoryLiesBetweenWhatIsLoadedAndWhatIsStored)
{
    const BlockWork work { .load = only(Station::Lsu, 10),
        .loadLatencyNs = 100,
        .shared = only(Station::Data, 20),
        .sharedLatencyNs = 5,
        .store = only(Station::Data, 7),
        .storeLatencyNs = 3,
        .storeTurns = 2 };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 1, 1), 10 + 100 + (20 + 7) + 2 * (5 + 3)) << "the latencies are a turn's";
}

TEST(SmWaves, storesWaitBehindWhatOthersAskOfSharedMemory)
{
    const BlockWork work { .shared = only(Station::Data, 100), .store = only(Station::Data, 10) };
    // The first has what it wants at 100; then the second is served, and both store when it is done.
    EXPECT_DOUBLE_EQ(smWavesNs(work, 2, 2), 100 + 100 + 10 + 10);
}

TEST(SmWaves, blocksThatUseSharedMemoryComeTogetherAgain)
{
    // A block whose shared memory is served first stores with the others, and the next ones load together: their wait is hidden by
    // nobody.
    const BlockWork work { .loadLatencyNs = 100, .shared = only(Station::Data, 100), .store = only(Station::Data, 1) };
    EXPECT_NEAR(smWavesNs(work, 400, 4), 100 * (100 + 4 * 101), 500);
}

TEST(SmWaves, atomicsOfOneWaveAreDoneAfterIt)
{
    const BlockWork work { .loadLatencyNs = 100, .store = only(Station::Atomics, 50) };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 4, 4), 100 + 4 * 50);
}

TEST(SmWaves, theNextBlockStartsWhenAllPartsOfTheOneBeforeAreDone)
{
    EXPECT_DOUBLE_EQ(smWavesNs(twoParts(false), 10, 1), 1500);
    EXPECT_DOUBLE_EQ(smWavesNs(twoParts(true), 10, 1), 1600);
}

TEST(SmWaves, whatGoesIntoTheL2DoesNotWaitForItsAnswers)
{
    BlockWork work { .load = only(Station::L2, 10) };
    work.load[std::size_t(Station::L2Answers)] = 10;
    EXPECT_NEAR(smWavesNs(work, 1000, 8), 10 * 1000, 100);
}

TEST(SmWaves, nobodyWaitsForStores)
{
    const BlockWork work { .loadLatencyNs = 100, .store = only(Station::L2, 50) };
    EXPECT_DOUBLE_EQ(smWavesNs(work, 10, 1), 10 * 100 + 50) << "the last ones are still under way";
}

TEST(SmWaves, storesThatPileUpSetTheRateAllTheSame)
{
    const BlockWork work { .loadLatencyNs = 100, .store = only(Station::Dram, 200) };
    EXPECT_NEAR(smWavesNs(work, 1000, 1), 200 * 1000, 500);
}

TEST(SmWaves, aLongQueueGrowsByItsSteadyRate)
{
    const BlockWork work { .startNs = 5,
        .load = only(Station::Lsu, 20),
        .loadLatencyNs = 300,
        .store = only(Station::Data, 30) };
    const double first = smWavesNs(work, 2000, 8), second = smWavesNs(work, 4000, 8);
    EXPECT_NEAR(second / first, 2, 0.02);
}

} // namespace
