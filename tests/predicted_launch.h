// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/predict.h"
#include "tests/counted_launches.h"

#include <gtest/gtest.h>

namespace coalescope {

/// A counter, as predicted; -1 where it is not.
inline double value(const kernels::Prediction& prediction, analysis::Metric metric)
{
    return prediction.result.metrics.get(metric).value_or(-1);
}

/// A kernel's launch, "copy rows=1024 cols=1024", without its output's verification. Errors: fails the test and throws
/// std::bad_expected_access.
inline kernels::Prediction predictedLaunch(const kernels::KernelSpec& kernel, const std::string& launch, const char* device = "h200")
{
    const auto plan = kernels::planLaunch(kernel, settingsOf(launch).settings);
    EXPECT_TRUE(plan) << plan.error().detail;
    auto prediction = kernels::predict(plan.value(), { .device = device, .verify = false });
    EXPECT_TRUE(prediction) << prediction.error().detail;
    return std::move(prediction).value();
}

} // namespace coalescope
