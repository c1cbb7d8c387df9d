// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/metrics.h"

namespace coalescope::analysis {

// What loads, stores and atomics have together.
inline constexpr std::array kSectors { Metric::GlobalLoadSectors, Metric::GlobalStoreSectors, Metric::GlobalAtomicSectors, Metric::GlobalReductionSectors };
inline constexpr std::array kWavefronts { Metric::SharedLoadWavefronts, Metric::SharedStoreWavefronts, Metric::SharedAtomicWavefronts };
inline constexpr std::array kConflicts { Metric::SharedLoadConflicts, Metric::SharedStoreConflicts, Metric::SharedAtomicConflicts };

/// What is absent counts as 0.
[[nodiscard]] inline double sumOf(const MetricValues& values, std::span<const Metric> metrics)
{
    double total = 0;
    for (const Metric metric : metrics)
        total += values.get(metric).value_or(0);
    return total;
}

} // namespace coalescope::analysis
