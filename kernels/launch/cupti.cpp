// SPDX-License-Identifier: Apache-2.0
#ifdef COALESCOPE_CUPTI
#include "kernels/launch/cupti.h"

#include "kernels/launch/driver.h"
#include "kernels/launch/shared_library.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>

namespace coalescope::kernels {

namespace {

    constexpr LibrarySymbol kCuptiSymbols[] = {
        { "cuptiGetResultString", offsetof(CuptiTable, getResultString) },
        { "cuptiGetVersion", offsetof(CuptiTable, getVersion) },
        { "cuptiProfilerInitialize", offsetof(CuptiTable, profilerInitialize) },
        { "cuptiProfilerDeviceSupported", offsetof(CuptiTable, deviceSupported) },
        { "cuptiProfilerGetCounterAvailability", offsetof(CuptiTable, getCounterAvailability) },
        { "cuptiDeviceGetChipName", offsetof(CuptiTable, getChipName) },
        { "cuptiProfilerHostInitialize", offsetof(CuptiTable, hostInitialize) },
        { "cuptiProfilerHostDeinitialize", offsetof(CuptiTable, hostDeinitialize) },
        { "cuptiProfilerHostGetMetricProperties", offsetof(CuptiTable, hostMetricProperties) },
        { "cuptiProfilerHostConfigAddMetrics", offsetof(CuptiTable, hostAddMetrics) },
        { "cuptiProfilerHostGetConfigImageSize", offsetof(CuptiTable, hostConfigImageSize) },
        { "cuptiProfilerHostGetConfigImage", offsetof(CuptiTable, hostConfigImage) },
        { "cuptiProfilerHostGetNumOfPasses", offsetof(CuptiTable, hostPasses) },
        { "cuptiProfilerHostEvaluateToGpuValues", offsetof(CuptiTable, hostEvaluate) },
        { "cuptiRangeProfilerEnable", offsetof(CuptiTable, rangeEnable) },
        { "cuptiRangeProfilerDisable", offsetof(CuptiTable, rangeDisable) },
        { "cuptiRangeProfilerGetCounterDataSize", offsetof(CuptiTable, rangeCounterDataSize) },
        { "cuptiRangeProfilerCounterDataImageInitialize", offsetof(CuptiTable, rangeCounterDataInitialize) },
        { "cuptiRangeProfilerSetConfig", offsetof(CuptiTable, rangeSetConfig) },
        { "cuptiRangeProfilerStart", offsetof(CuptiTable, rangeStart) },
        { "cuptiRangeProfilerStop", offsetof(CuptiTable, rangeStop) },
        { "cuptiRangeProfilerDecodeData", offsetof(CuptiTable, rangeDecode) },
        { "cuptiRangeProfilerGetCounterDataInfo", offsetof(CuptiTable, rangeCounterDataInfo) },
        { "cuptiSubscribe", offsetof(CuptiTable, subscribe) },
        { "cuptiEnableCallback", offsetof(CuptiTable, enableCallback) },
        { "cuptiSassMetricsGetNumOfMetrics", offsetof(CuptiTable, sassNumOfMetrics) },
        { "cuptiSassMetricsGetMetrics", offsetof(CuptiTable, sassMetrics) },
        { "cuptiSassMetricsSetConfig", offsetof(CuptiTable, sassSetConfig) },
        { "cuptiSassMetricsEnable", offsetof(CuptiTable, sassEnable) },
        { "cuptiSassMetricsDisable", offsetof(CuptiTable, sassDisable) },
        { "cuptiSassMetricsGetDataProperties", offsetof(CuptiTable, sassDataProperties) },
        { "cuptiSassMetricsFlushData", offsetof(CuptiTable, sassFlush) },
        { "cuptiGetCubinCrc", offsetof(CuptiTable, cubinCrc) },
        { "cuptiGetSassToSourceCorrelation", offsetof(CuptiTable, sassToSource) },
    };

    Result<CuptiTable> loadCupti()
    {
        auto library = openLibrary(cuptiCandidates());
        if (!library)
            return fail(ErrorCode::NoCupti,
                "CUPTI is not on this machine: no libcupti.so.13 or .12 beside the program, under CUDA_HOME "
                "or /usr/local/cuda, or on the library path");
        CuptiTable table;
        table.path = library->path;
        if (const char* const missing = fillTable(*library, kCuptiSymbols, &table))
            return fail(ErrorCode::NoCupti,
                fmt::format("this CUPTI is too old: {} has no {} (CUDA 12.6 or newer has it)", library->path, missing));
        return table;
    }

    constexpr std::string_view kPermission
        = "the driver lets only administrators read the GPU's counters; load the nvidia module with "
          "NVreg_RestrictProfilingToAdminUsers=0 (in /etc/modprobe.d, then reboot), or run as root or with "
          "CAP_SYS_ADMIN";

    constexpr CodeMeaning kCuptiCodes[] = {
        { CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, ErrorCode::NoCounterPermission, kPermission },
        { CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, ErrorCode::NoCounterPermission,
            "the virtual GPU's host does not let this machine read counters" },
        { CUPTI_ERROR_OUT_OF_MEMORY, ErrorCode::OutOfMemory, "CUPTI found too little memory" },
        { CUPTI_ERROR_NOT_SUPPORTED, ErrorCode::UnsupportedChip, "this GPU does not support it" },
        { CUPTI_ERROR_NOT_COMPATIBLE, ErrorCode::UnsupportedChip, "the driver and this CUPTI do not fit" },
        { CUPTI_ERROR_INVALID_CHIP_NAME, ErrorCode::UnsupportedChip, "this CUPTI does not know the GPU" },
        { CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, ErrorCode::UnsupportedChip,
            "profiling is off for this virtual GPU" },
        { CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, ErrorCode::UnsupportedChip,
            "profiling is off in confidential computing" },
        { CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, ErrorCode::UnsupportedChip,
            "the counters cannot be read on a MIG slice" },
        { CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, ErrorCode::UnsupportedChip,
            "the counters cannot be read under this WSL" },
        { CUPTI_ERROR_HARDWARE_BUSY, ErrorCode::LaunchFailed,
            "another profiler is using this GPU's counters; end it and measure again" },
        { CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, ErrorCode::LaunchFailed,
            "another profiler is attached to this process" },
    };

} // namespace

Result<const CuptiTable*> cuptiLibrary()
{
    static const Result<CuptiTable> table = loadCupti();
    if (!table)
        return std::unexpected(table.error());
    return &*table;
}

Result<void> checkCupti(CUptiResult code, std::string_view function, std::string_view attempt)
{
    if (code == CUPTI_SUCCESS)
        return {};
    const char* name = nullptr;
    if (auto cupti = cuptiLibrary())
        (*cupti)->getResultString(code, &name);
    ErrorCode error = ErrorCode::LaunchFailed;
    std::string_view meaning = "CUPTI reported an error";
    for (const CodeMeaning& row : kCuptiCodes)
        if (row.code == code) {
            error = row.error;
            meaning = row.meaning;
        }
    return fail(error,
        fmt::format("{} while {} ({} returned {}, {})", meaning, attempt, function,
            name ? name : "an unknown code", int(code)));
}

Result<std::string> chipName(const CuptiTable& cupti)
{
    CUpti_Device_GetChipName_Params query { CUpti_Device_GetChipName_Params_STRUCT_SIZE };
    COALESCOPE_TRY(checkCupti(cupti.getChipName(&query), "cuptiDeviceGetChipName", "naming the GPU's chip"));
    return std::string(query.pChipName);
}

} // namespace coalescope::kernels
#endif
