// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/advice.h"

#include <gtest/gtest.h>

#include <map>

namespace coalescope::analysis {

namespace {

/// Two lines: 12 loads as it should, 14 does what the test is about.
RunResult limitedBy(const std::string& limiter, const std::map<Metric, double>& onLine14)
{
    RunResult result;
    result.time.limiter = limiter;
    result.time.terms = { { limiter, 40e3 } };
    result.lines = { { .file = "a.cu", .line = 12, .metrics = {} }, { .file = "a.cu", .line = 14, .metrics = {} } };
    const auto add = [&](std::size_t line, Metric metric, double value) {
        result.lines[line].metrics.add(metric, value);
        result.metrics.add(metric, value);
    };
    add(0, Metric::GlobalSassSectors, 1000);
    add(0, Metric::GlobalSassSectorsIdeal, 1000);
    add(0, Metric::SharedLoadWavefronts, 100);
    for (const auto& [metric, value] : onLine14)
        add(1, metric, value);
    return result;
}

} // namespace

TEST(Advice, namesTheLineThatHasTheMostOfWhatTheLimiterIsOf)
{
    EXPECT_EQ(adviceFor(limitedBy("atomics", { { Metric::GlobalReductionSectors, 50 } })),
        (Advice { .kind = AdviceKind::AddUpFirst, .file = "a.cu", .line = 14 }));
    EXPECT_EQ(adviceFor(limitedBy("shared", { { Metric::SharedLoadWavefronts, 320 }, { Metric::SharedLoadConflicts, 310 } })),
        (Advice { .kind = AdviceKind::Pad, .file = "a.cu", .line = 14, .cost = 320, .atBest = 10 }));
    EXPECT_EQ(adviceFor(limitedBy("l2", { { Metric::GlobalSassSectors, 8000 }, { Metric::GlobalSassSectorsIdeal, 1000 } })),
        (Advice { .kind = AdviceKind::SideBySide, .file = "a.cu", .line = 14, .cost = 8000, .atBest = 1000 }));
}

TEST(Advice, blamesNoLineWhereNothingIsWasted)
{
    EXPECT_EQ(adviceFor(limitedBy("dram", { { Metric::SharedLoadWavefronts, 320 }, { Metric::SharedLoadConflicts, 310 } })), (Advice { .kind = AdviceKind::FewerBytes, .file = {} }))
        << "conflicts beside DRAM cost nothing";
    EXPECT_EQ(adviceFor(limitedBy("shared", { { Metric::SharedLoadConflicts, 3 } })), (Advice { .kind = AdviceKind::KeepInRegisters, .file = {} }));
    EXPECT_EQ(adviceFor(limitedBy("issue", { { Metric::GlobalSassSectors, 8000 } })), (Advice { .kind = AdviceKind::LessArithmetic, .file = {} }));
}

TEST(Advice, isNoneWithoutAnEstimate)
{
    EXPECT_EQ(adviceFor(RunResult {}), std::nullopt);
    EXPECT_EQ(adviceFor(limitedBy("waits", {})), std::nullopt);
}

} // namespace coalescope::analysis
