// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included only by the files that talk to CUPTI, and only where its headers were found.
#include "analysis/result/error.h"

#include <cupti_callbacks.h>
#include <cupti_version.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <string>
#include <string_view>

namespace coalescope::kernels {

/// The functions of CUPTI that a measurement calls, loaded at run time.
struct CuptiTable {
    decltype(&::cuptiGetResultString) getResultString = nullptr;
    decltype(&::cuptiGetVersion) getVersion = nullptr;
    decltype(&::cuptiProfilerInitialize) profilerInitialize = nullptr;
    decltype(&::cuptiProfilerDeviceSupported) deviceSupported = nullptr;
    decltype(&::cuptiProfilerGetCounterAvailability) getCounterAvailability = nullptr;
    decltype(&::cuptiDeviceGetChipName) getChipName = nullptr;
    decltype(&::cuptiProfilerHostInitialize) hostInitialize = nullptr;
    decltype(&::cuptiProfilerHostDeinitialize) hostDeinitialize = nullptr;
    decltype(&::cuptiProfilerHostGetMetricProperties) hostMetricProperties = nullptr;
    decltype(&::cuptiProfilerHostConfigAddMetrics) hostAddMetrics = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImageSize) hostConfigImageSize = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImage) hostConfigImage = nullptr;
    decltype(&::cuptiProfilerHostGetNumOfPasses) hostPasses = nullptr;
    decltype(&::cuptiProfilerHostEvaluateToGpuValues) hostEvaluate = nullptr;
    decltype(&::cuptiRangeProfilerEnable) rangeEnable = nullptr;
    decltype(&::cuptiRangeProfilerDisable) rangeDisable = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataSize) rangeCounterDataSize = nullptr;
    decltype(&::cuptiRangeProfilerCounterDataImageInitialize) rangeCounterDataInitialize = nullptr;
    decltype(&::cuptiRangeProfilerSetConfig) rangeSetConfig = nullptr;
    decltype(&::cuptiRangeProfilerStart) rangeStart = nullptr;
    decltype(&::cuptiRangeProfilerStop) rangeStop = nullptr;
    decltype(&::cuptiRangeProfilerDecodeData) rangeDecode = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataInfo) rangeCounterDataInfo = nullptr;
    decltype(&::cuptiSubscribe) subscribe = nullptr;
    decltype(&::cuptiEnableCallback) enableCallback = nullptr;
    decltype(&::cuptiSassMetricsGetNumOfMetrics) sassNumOfMetrics = nullptr;
    decltype(&::cuptiSassMetricsGetMetrics) sassMetrics = nullptr;
    decltype(&::cuptiSassMetricsSetConfig) sassSetConfig = nullptr;
    decltype(&::cuptiSassMetricsEnable) sassEnable = nullptr;
    decltype(&::cuptiSassMetricsDisable) sassDisable = nullptr;
    decltype(&::cuptiSassMetricsGetDataProperties) sassDataProperties = nullptr;
    decltype(&::cuptiSassMetricsFlushData) sassFlush = nullptr;
    decltype(&::cuptiGetCubinCrc) cubinCrc = nullptr;
    decltype(&::cuptiGetSassToSourceCorrelation) sassToSource = nullptr;
    std::string path; ///< the library that was loaded
};

/// Loads libcupti once.
///
/// Errors: NoCupti.
[[nodiscard]] Result<const CuptiTable*> cuptiLibrary();

/// Turns CUPTI's result code into our error; the detail keeps the attempt, the function and the code.
[[nodiscard]] Result<void> checkCupti(CUptiResult code, std::string_view function, std::string_view attempt);

/// The name under which CUPTI knows the first GPU's chip: "GH100".
[[nodiscard]] Result<std::string> chipName(const CuptiTable& cupti);

} // namespace coalescope::kernels
