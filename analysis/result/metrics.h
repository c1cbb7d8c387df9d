// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace coalescope::analysis {

/// How far a predicted value may be from the counter.
enum class Exactness : std::uint8_t {
    Exact,
    UpToArbitration, ///< predicted <= measured; the rest is lost arbitration, not addresses
    Estimate,
};

enum class MetricGroup : std::uint8_t { Global, Shared, Cache, Dram, Time };

/// The keys of every prediction and measurement, in the order shown.
enum class Metric : std::uint8_t {
    GlobalLoadRequests, GlobalStoreRequests, GlobalLoadSectors, GlobalStoreSectors,
    GlobalAtomicRequests, GlobalReductionRequests, GlobalAtomicSectors, GlobalReductionSectors,
    GlobalTags, GlobalSassSectors, GlobalSassSectorsIdeal,
    SharedLoadInstructions, SharedStoreInstructions,
    SharedLoadWavefronts, SharedStoreWavefronts, SharedLoadWavefrontsSass, SharedStoreWavefrontsSass,
    SharedLoadConflicts, SharedStoreConflicts,
    SharedAtomicInstructions, SharedAtomicWavefronts, SharedAtomicConflicts,
    L1ReadSectors, L1WriteSectors, L2ReadSectors, L2WriteSectors, DramReadSectors, DramWriteSectors,
    Duration,
    Count,
};

inline constexpr int kMetricCount = int(Metric::Count);

struct MetricInfo {
    Metric metric;
    std::string_view key; ///< CUPTI's metric name
    std::string_view label; ///< plain words, English: "global load sectors"
    MetricGroup group;
    Exactness exactness;
    bool perLine; ///< has a value per source line in a prediction
    bool isOfAtomics = false; ///< most kernels have none: tables show it where there are any
};

[[nodiscard]] std::span<const MetricInfo, kMetricCount> metricTable();
[[nodiscard]] const MetricInfo& infoOf(Metric metric);
[[nodiscard]] std::optional<Metric> metricOf(std::string_view key);

/// A value a metric; absent means not measured or not predicted.
class MetricValues {
public:
    [[nodiscard]] std::optional<double> get(Metric metric) const { return m_values[std::size_t(metric)]; }
    void set(Metric metric, double value) { m_values[std::size_t(metric)] = value; }
    void add(Metric metric, double value) { set(metric, get(metric).value_or(0) + value); }
    bool operator==(const MetricValues&) const = default;

private:
    std::array<std::optional<double>, kMetricCount> m_values {};
};

/// Whether tables have a row for it: for those of atomics, where there are atomics of the kind.
[[nodiscard]] bool isShown(const MetricInfo& info, const MetricValues& values);

/// Gives every absent metric the value 0: a prediction holds every key.
void setMissingToZero(MetricValues& values);

} // namespace coalescope::analysis
