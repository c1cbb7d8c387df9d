// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/metrics.h"

#include <gtest/gtest.h>
#include <set>

namespace coalescope::analysis {

TEST(Metrics, everyKeyFindsItsRow)
{
    for (const MetricInfo& info : metricTable()) {
        EXPECT_EQ(metricOf(info.key), info.metric) << info.key;
        EXPECT_EQ(&infoOf(info.metric), &info) << info.key;
    }
}

TEST(Metrics, keysAndLabelsAreDistinct)
{
    std::set<std::string_view> keys, labels;
    for (const MetricInfo& info : metricTable()) {
        EXPECT_TRUE(keys.insert(info.key).second) << info.key;
        EXPECT_TRUE(labels.insert(info.label).second) << info.label;
    }
}

TEST(Metrics, unknownKeyHasNoMetric)
{
    EXPECT_FALSE(metricOf("l1tex__t_sectors.sum"));
    EXPECT_FALSE(metricOf(""));
}

TEST(Metrics, absentIsNotZero)
{
    MetricValues values;
    EXPECT_FALSE(values.get(Metric::GlobalTags));
    values.set(Metric::GlobalTags, 0);
    EXPECT_EQ(values.get(Metric::GlobalTags), 0.0);
}

TEST(Metrics, thoseOfAtomicsAreShownWhereThereAreAny)
{
    MetricValues values;
    values.set(Metric::SharedAtomicInstructions, 3);
    values.set(Metric::SharedAtomicConflicts, 0);
    values.set(Metric::GlobalReductionSectors, 8);
    EXPECT_TRUE(isShown(infoOf(Metric::GlobalLoadSectors), values));
    EXPECT_TRUE(isShown(infoOf(Metric::SharedAtomicConflicts), values)) << "that there are none says something";
    EXPECT_TRUE(isShown(infoOf(Metric::GlobalReductionSectors), values));
    EXPECT_FALSE(isShown(infoOf(Metric::GlobalAtomicSectors), values));
    EXPECT_FALSE(isShown(infoOf(Metric::SharedAtomicConflicts), {}));
}

TEST(Metrics, missingBecomesZeroAndTheRestStays)
{
    MetricValues values;
    values.add(Metric::GlobalLoadSectors, 4);
    setMissingToZero(values);
    EXPECT_EQ(values.get(Metric::GlobalLoadSectors), 4.0);
    for (const MetricInfo& info : metricTable())
        EXPECT_TRUE(values.get(info.metric)) << info.key;
}

} // namespace coalescope::analysis
