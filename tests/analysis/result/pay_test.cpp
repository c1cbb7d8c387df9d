// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/pay.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::analysis {

namespace {

struct Times {
    double dram = 30, shared = 4, latency = 10, l2 = 20;
    double sum = 40; ///< microseconds the whole takes
};

RunResult prediction(double sectors, double wavefronts, double conflicts, const Times& times)
{
    RunResult result;
    result.metrics.set(Metric::GlobalLoadSectors, sectors / 2);
    result.metrics.set(Metric::GlobalStoreSectors, sectors / 2);
    result.metrics.set(Metric::SharedLoadWavefronts, wavefronts);
    result.metrics.set(Metric::SharedLoadConflicts, conflicts);
    result.time.terms = { { "dram", times.dram * 1e3 }, { "l2", times.l2 * 1e3 },
        { "shared", times.shared * 1e3 }, { "latency", times.latency * 1e3 } };
    result.time.limiter = std::ranges::max_element(result.time.terms, {}, &TimeTerm::ns)->name;
    result.time.estimateNs = times.sum * 1e3 - 1700;
    result.time.warmNs = times.sum * 1e3;
    result.time.estimateError = 0.08;
    return result;
}

/// The same counts, other times.
PayFinding timesChange(const Times& before, const Times& after)
{
    return payFinding(prediction(4e6, 1e6, 0, before), prediction(4e6, 1e6, 0, after));
}

/// All conflicts go.
PayFinding conflictsGo(const Times& before, const Times& after)
{
    return payFinding(prediction(4e6, 17e6, 16e6, before), prediction(4e6, 1e6, 0, after));
}

RunResult measurement(double warmUs)
{
    RunResult result;
    result.kind = ResultKind::Measurement;
    result.time.warm = TimeSample { .medianNs = warmUs * 1e3, .runs = 20 };
    return result;
}

} // namespace

TEST(Pay, dramIsFollowedForWhatItMovesAndNotForTheSectorsOfAccesses)
{
    const auto withDram = [](RunResult result, double sectors) {
        result.metrics.set(Metric::DramReadSectors, sectors);
        result.metrics.set(Metric::DramWriteSectors, sectors);
        return result;
    };
    const RunResult before = withDram(prediction(8e6, 0, 0, { .dram = 96, .sum = 100 }), 2e6), after = prediction(4e6, 0, 0, { .dram = 80, .sum = 84 });
    const PayFinding same = payFinding(before, withDram(after, 2e6)), fewer = payFinding(before, withDram(after, 1.6e6));
    EXPECT_EQ(same.term, "dram");
    EXPECT_EQ(same.reason, PayReason::OtherTerm) << "as many sectors of DRAM before and after";
    EXPECT_EQ(fewer.reason, PayReason::Follows);
    EXPECT_EQ(fewer.count, PayCount::DramSectors);
}

TEST(Pay, removedConflictsThatLedTheTimePay)
{
    const PayFinding finding = conflictsGo({ .shared = 130, .sum = 140 }, { .shared = 60, .sum = 78 });
    EXPECT_EQ(finding.predicted, PayVerdict::Pays);
    EXPECT_EQ(finding.reason, PayReason::Follows);
    EXPECT_EQ(finding.count, PayCount::Wavefronts);
    EXPECT_EQ(finding.term, "shared");
    EXPECT_DOUBLE_EQ(finding.termNs.before, 130e3);
    EXPECT_DOUBLE_EQ(finding.termNs.after, 60e3);
    EXPECT_DOUBLE_EQ(finding.predictedNs->after, 78e3); // warm, as it is measured
    EXPECT_FALSE(finding.withinError);
    EXPECT_FALSE(finding.sectors.changed());
    EXPECT_TRUE(finding.conflicts.changed());
}

TEST(Pay, aColdL2IsJudgedForItself)
{
    RunResult before = prediction(4e6, 0, 0, { .sum = 60 }), after = prediction(4e6, 0, 0, { .sum = 50 });
    EXPECT_FALSE(payFinding(before, after).cold.has_value());
    before.time.coldNs = 70e3;
    after.time.coldNs = 84e3;
    EXPECT_EQ(payFinding(before, after).predicted, PayVerdict::Pays);
    EXPECT_EQ(payFinding(before, after).cold, PayVerdict::Costs);
    RunResult measuredBefore = measurement(60), measuredAfter = measurement(50);
    measuredBefore.time.cold = measuredAfter.time.cold = TimeSample { .medianNs = 71e3, .runs = 20 };
    EXPECT_EQ(payFinding(before, after, &measuredBefore, &measuredAfter).cold, PayVerdict::NoDifference);
}

TEST(Pay, onceAnotherTermLeadsItIsNamed)
{
    const PayFinding finding = conflictsGo({ .shared = 130, .sum = 140 }, { .shared = 4, .sum = 40 });
    EXPECT_EQ(finding.reason, PayReason::AnotherLeads);
    EXPECT_EQ(finding.limiterBefore, "shared");
    EXPECT_EQ(finding.limiterAfter, "dram");
    EXPECT_DOUBLE_EQ(finding.limiterNs.after, 30e3);
}

TEST(Pay, conflictsBesideALongerTermCostNothing)
{
    const PayFinding finding = payFinding(prediction(4e6, 2e6, 1e6, { .shared = 8, .sum = 40.3 }),
        prediction(4e6, 1e6, 0, { .shared = 4, .sum = 40 }));
    EXPECT_EQ(finding.predicted, PayVerdict::NoDifference);
    EXPECT_EQ(finding.reason, PayReason::Beside);
    EXPECT_EQ(finding.count, PayCount::Wavefronts);
    EXPECT_EQ(finding.term, "shared");
    EXPECT_EQ(finding.limiterBefore, "dram");
    EXPECT_EQ(finding.limiterAfter, "dram");
}

TEST(Pay, aTermThatNoCountDecidesCanBeBesideAsWell)
{
    const PayFinding finding = timesChange({ .latency = 10, .sum = 40.5 }, { .latency = 5, .sum = 40 });
    EXPECT_EQ(finding.reason, PayReason::Beside);
    EXPECT_EQ(finding.count, PayCount::None);
    EXPECT_EQ(finding.term, "latency");
}

TEST(Pay, sectorsAreToldFromWavefronts)
{
    const PayFinding finding = payFinding(prediction(18e6, 0, 0, { .l2 = 200, .sum = 250 }),
        prediction(6e6, 0, 0, { .l2 = 80, .sum = 93 }));
    EXPECT_EQ(finding.reason, PayReason::Follows);
    EXPECT_EQ(finding.count, PayCount::Sectors);
    EXPECT_EQ(finding.term, "l2");
}

TEST(Pay, aTermThatNoCountDecidesIsNamedAsSuch)
{
    const PayFinding finding = timesChange({ .latency = 70, .sum = 80 }, { .latency = 20, .sum = 45 });
    EXPECT_EQ(finding.predicted, PayVerdict::Pays);
    EXPECT_EQ(finding.reason, PayReason::OtherTerm);
    EXPECT_EQ(finding.term, "latency");
    EXPECT_EQ(finding.count, PayCount::None);
}

TEST(Pay, aTermOfAnotherModelIsNoObstacle)
{
    RunResult before = prediction(4e6, 1e6, 0, { .sum = 80 }),
              after = prediction(4e6, 1e6, 0, { .sum = 45 });
    before.time.terms.push_back({ "partial writes", 70e3 });
    before.time.limiter = "partial writes";
    const PayFinding finding = payFinding(before, after);
    EXPECT_EQ(finding.reason, PayReason::OtherTerm);
    EXPECT_EQ(finding.term, "partial writes");
    EXPECT_DOUBLE_EQ(finding.termNs.after, 0);
}

TEST(Pay, gainsThatAreLostElsewhereAreBalanced)
{
    const PayFinding finding = conflictsGo({ .shared = 60, .latency = 10, .sum = 78 }, { .shared = 4, .latency = 66, .sum = 78 });
    EXPECT_EQ(finding.predicted, PayVerdict::NoDifference);
    EXPECT_EQ(finding.reason, PayReason::Balanced);
    EXPECT_EQ(finding.term, "shared");
    EXPECT_EQ(finding.otherTerm, "latency");
    EXPECT_DOUBLE_EQ(finding.otherNs.after, 66e3);
}

TEST(Pay, partsThatAllFallWhileTheTimeRisesOverlapLess)
{
    const PayFinding finding
        = payFinding(prediction(4e6, 2e6, 1e6, { .dram = 604, .shared = 68, .latency = 359, .sum = 645 }),
            prediction(4e6, 1e6, 0, { .dram = 541, .shared = 33, .latency = 331, .sum = 858 }));
    EXPECT_EQ(finding.predicted, PayVerdict::Costs);
    EXPECT_EQ(finding.reason, PayReason::Overlap);
    EXPECT_EQ(finding.limiterBefore, "dram");
    EXPECT_EQ(finding.limiterAfter, "dram");
    EXPECT_DOUBLE_EQ(finding.limiterNs.after, 541e3);
}

TEST(Pay, partsThatAllRiseWhileTheTimeFallsOverlapMore)
{
    const PayFinding finding = payFinding(prediction(4e6, 1e6, 0, { .latency = 50.1, .sum = 74.7 }),
        prediction(4e6, 2e6, 1e6, { .shared = 19, .latency = 54.1, .sum = 71.7 }));
    EXPECT_EQ(finding.predicted, PayVerdict::Pays);
    EXPECT_EQ(finding.reason, PayReason::Overlap);
    EXPECT_EQ(finding.limiterBefore, "latency");
    EXPECT_EQ(finding.limiterAfter, "latency");
}

TEST(Pay, aPartThatMovesALittleIsNotTheReason)
{
    const PayFinding finding = timesChange(
        { .dram = 600, .latency = 350, .sum = 640 }, { .dram = 540, .latency = 362, .sum = 860 });
    EXPECT_EQ(finding.reason, PayReason::Overlap); // 12 of 220
}

TEST(Pay, partsThatFallWhileTheTimeStaysOverlapLess)
{
    const PayFinding finding = timesChange({ .dram = 60, .sum = 78 }, { .dram = 50, .sum = 78 });
    EXPECT_EQ(finding.predicted, PayVerdict::NoDifference);
    EXPECT_EQ(finding.reason, PayReason::Overlap);
    EXPECT_EQ(finding.term, "dram");
}

TEST(Pay, aTimeThatOnlyRepetitionChangesIsNotExplainedByItsParts)
{
    const RunResult before = prediction(4e6, 1e6, 0, { .sum = 80 });
    RunResult after = prediction(4e6, 1e6, 0, { .sum = 60 });
    after.time.estimateNs = before.time.estimateNs;
    EXPECT_EQ(payFinding(before, after).reason, PayReason::Unexplained);
}

TEST(Pay, thePartThatLedIsTheReasonEvenWhereAnotherFallsFarther)
{
    const PayFinding finding = payFinding(prediction(9e6, 0, 0, { .latency = 182, .l2 = 76, .sum = 186 }),
        prediction(4e6, 0, 0, { .latency = 159, .l2 = 30, .sum = 163 }));
    EXPECT_EQ(finding.reason, PayReason::OtherTerm);
    EXPECT_EQ(finding.term, "latency");
}

TEST(Pay, aPartThatTakesTheLeadIsTheReasonOfALoss)
{
    const PayFinding finding = payFinding(prediction(4e6, 0, 0, { .latency = 60, .l2 = 5, .sum = 65 }),
        prediction(9e6, 0, 0, { .latency = 62, .l2 = 90, .sum = 93 }));
    EXPECT_EQ(finding.reason, PayReason::Follows);
    EXPECT_EQ(finding.term, "l2");
}

TEST(Pay, aCountThatMovesTheOtherWayIsNotWhatTheTimeFollows)
{
    const PayFinding finding = payFinding(prediction(4e6, 0, 0, { .dram = 180, .sum = 200 }),
        prediction(9e6, 0, 0, { .dram = 80, .sum = 100 }));
    EXPECT_EQ(finding.reason, PayReason::OtherTerm);
    EXPECT_EQ(finding.term, "dram");
}

TEST(Pay, onAnotherGpuNoCountIsWhatTheTimeFollows)
{
    const RunResult before = prediction(9e6, 0, 0, { .dram = 180, .sum = 200 });
    RunResult after = prediction(4e6, 0, 0, { .dram = 80, .sum = 100 });
    EXPECT_EQ(payFinding(before, after).reason, PayReason::Follows);
    after.device = "t4";
    const PayFinding finding = payFinding(before, after);
    EXPECT_TRUE(finding.otherDevice);
    EXPECT_EQ(finding.reason, PayReason::OtherTerm);
    EXPECT_EQ(finding.count, PayCount::None);
}

TEST(Pay, partsThatExplainItOnlyTogetherAreNamedTogether)
{
    const PayFinding finding = timesChange({ .dram = 100, .latency = 90, .l2 = 80, .sum = 300 },
        { .dram = 60, .latency = 55, .l2 = 50, .sum = 200 });
    EXPECT_EQ(finding.reason, PayReason::Several);
    EXPECT_EQ(finding.term, "dram");
    EXPECT_EQ(finding.otherTerm, "latency");
}

TEST(Pay, theSameLaunchTwiceIsNoChange)
{
    const RunResult one = prediction(4e6, 1e6, 0, {});
    const PayFinding finding = payFinding(one, one);
    EXPECT_EQ(finding.predicted, PayVerdict::NoDifference);
    EXPECT_EQ(finding.reason, PayReason::Nothing);
}

TEST(Pay, aLossIsACost)
{
    const PayFinding finding = payFinding(prediction(4e6, 1e6, 0, { .shared = 4, .sum = 40 }),
        prediction(4e6, 17e6, 16e6, { .shared = 130, .sum = 140 }));
    EXPECT_EQ(finding.predicted, PayVerdict::Costs);
    EXPECT_EQ(finding.reason, PayReason::Follows);
}

TEST(Pay, aDifferenceBelowTheEstimatesErrorIsSaidSo)
{
    const PayFinding finding = payFinding(prediction(4e6, 2e6, 0, { .shared = 30.5, .sum = 42 }),
        prediction(4e6, 1e6, 0, { .shared = 26, .sum = 40 }));
    EXPECT_EQ(finding.predicted, PayVerdict::Pays);
    EXPECT_TRUE(finding.withinError);
}

TEST(Pay, measurementsCountOnlyInPairs)
{
    const RunResult before = prediction(4e6, 17e6, 16e6, { .shared = 130, .sum = 140 });
    const RunResult after = prediction(4e6, 1e6, 0, { .shared = 60, .sum = 78 });
    const RunResult slow = measurement(136), fast = measurement(135);
    EXPECT_FALSE(payFinding(before, after, &slow, nullptr).measured);
    const PayFinding finding = payFinding(before, after, &slow, &fast);
    EXPECT_EQ(finding.measured, PayVerdict::NoDifference); // whatever was predicted
    EXPECT_EQ(finding.predicted, PayVerdict::Pays);
    EXPECT_DOUBLE_EQ(finding.measuredNs->before, 136e3);
}

TEST(Pay, withoutTermsTheReasonIsUnknown)
{
    const PayFinding finding = payFinding(RunResult {}, prediction(4e6, 1e6, 0, {}));
    EXPECT_FALSE(finding.predicted);
    EXPECT_EQ(finding.reason, PayReason::Unknown);
}

TEST(Pay, countsFromNothingHaveChanged)
{
    EXPECT_TRUE((PayFigure { 0, 5 }).changed());
    EXPECT_FALSE((PayFigure { 0, 0 }).changed());
    EXPECT_FALSE((PayFigure { 1000, 1005 }).changed());
}

} // namespace coalescope::analysis
