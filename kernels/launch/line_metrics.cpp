// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/line_metrics.h"

#include "kernels/compile/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <tuple>

#ifdef COALESCOPE_CUPTI
#include "kernels/launch/cupti.h"
#endif

namespace coalescope::kernels {

#ifndef COALESCOPE_CUPTI

namespace {
    std::unexpected<Error> builtWithout()
    {
        return fail(ErrorCode::NoCupti, "this program was built without CUPTI's headers and cannot count");
    }
} // namespace

Result<void> watchModules() { return builtWithout(); }
Result<void> LineProfiler::configure(bool, const Trace&) { return builtWithout(); }
Result<std::vector<InstructionValues>> LineProfiler::profile(GpuSession&, const CompiledCubin&, const Trace&)
{
    return builtWithout();
}

#else

namespace {

    using Image = std::vector<char>;

    /// Cubins as the driver loaded them.
    struct LoadedModules {
        std::mutex mutex;
        std::vector<Image> images;
    };

    LoadedModules& loadedModules()
    {
        static LoadedModules modules;
        return modules;
    }

    void CUPTIAPI onCallback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data)
    {
        if (domain != CUPTI_CB_DOMAIN_RESOURCE || id != CUPTI_CBID_RESOURCE_MODULE_LOADED || !data)
            return;
        const auto* resource = static_cast<const CUpti_ResourceData*>(data);
        const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource->resourceDescriptor);
        if (!module || !module->pCubin || module->cubinSize == 0)
            return;
        LoadedModules& modules = loadedModules();
        const std::scoped_lock lock(modules.mutex);
        modules.images.emplace_back(module->pCubin, module->pCubin + module->cubinSize);
    }

    Result<std::vector<CUpti_SassMetrics_MetricDetails>> metricsOf(const CuptiTable& cupti, const char* chip)
    {
        CUpti_SassMetrics_GetNumOfMetrics_Params n { CUpti_SassMetrics_GetNumOfMetrics_Params_STRUCT_SIZE };
        n.pChipName = chip;
        COALESCOPE_TRY(checkCupti(
            cupti.sassNumOfMetrics(&n), "cuptiSassMetricsGetNumOfMetrics", "listing the SASS metrics"));
        std::vector<CUpti_SassMetrics_MetricDetails> details(n.numOfMetrics);
        CUpti_SassMetrics_GetMetrics_Params p { CUpti_SassMetrics_GetMetrics_Params_STRUCT_SIZE };
        p.pChipName = chip;
        p.numOfMetrics = details.size();
        p.pMetricsList = details.data();
        COALESCOPE_TRY(
            checkCupti(cupti.sassMetrics(&p), "cuptiSassMetricsGetMetrics", "listing the SASS metrics"));
        return details;
    }

    /// The cubin with the checksum that the records carry: as the driver loaded it, or as we compiled it.
    const Image& cubinWith(const CuptiTable& cupti, std::uint32_t crc, const Image& compiled, const Trace& trace)
    {
        for (const Image& image : loadedModules().images) {
            CUpti_GetCubinCrcParams p { CUpti_GetCubinCrcParamsSize };
            p.cubin = image.data();
            p.cubinSize = image.size();
            if (cupti.cubinCrc(&p) == CUPTI_SUCCESS && std::uint32_t(p.cubinCrc) == crc)
                return image;
        }
        trace(fmt::format("lines: no loaded module has checksum {:08x}; the compiled cubin stands in", crc));
        return compiled;
    }

    /// CUPTI names the innermost place only; it is asked where the line table says nothing.
    CodePlace placeOf(
        const CuptiTable& cupti, const Image& cubin, const LineTable& lines, const char* function, std::uint64_t pc)
    {
        if (auto place = lines.placeOf(function, pc))
            return *std::move(place);
        CUpti_GetSassToSourceCorrelationParams p { CUpti_GetSassToSourceCorrelationParamsSize };
        p.cubin = cubin.data();
        p.cubinSize = cubin.size();
        p.functionName = function;
        p.pcOffset = pc;
        if (cupti.sassToSource(&p) != CUPTI_SUCCESS)
            return {};
        CodePlace place { p.fileName ? p.fileName : "", p.lineNumber };
        // CUPTI's documentation leaves both strings to the caller.
        std::free(p.fileName);
        std::free(p.dirName);
        place.file = std::filesystem::path(place.file).filename().string();
        return place;
    }

    Result<std::vector<CUpti_SassMetrics_Data>> flushRecords(const CuptiTable& cupti, CUctx_st* context,
        std::vector<CUpti_SassMetrics_InstanceValue>& values, std::size_t& instances, const Trace& trace)
    {
        CUpti_SassMetricsGetDataProperties_Params n { CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE };
        n.ctx = context;
        COALESCOPE_TRY(checkCupti(
            cupti.sassDataProperties(&n), "cuptiSassMetricsGetDataProperties", "sizing the values per instruction"));
        instances = n.numOfInstances;
        trace(fmt::format(
            "lines: {} records of {} instances", n.numOfPatchedInstructionRecords, n.numOfInstances));
        std::vector<CUpti_SassMetrics_Data> records(n.numOfPatchedInstructionRecords);
        values.assign(records.size() * instances, {});
        for (std::size_t i = 0; i < records.size(); ++i) {
            records[i].structSize = sizeof(CUpti_SassMetrics_Data);
            records[i].pInstanceValues = values.data() + i * instances;
        }
        if (records.empty())
            return records;
        CUpti_SassMetricsFlushData_Params p { CUpti_SassMetricsFlushData_Params_STRUCT_SIZE };
        p.ctx = context;
        p.numOfPatchedInstructionRecords = records.size();
        p.numOfInstances = instances;
        p.pMetricsData = records.data();
        COALESCOPE_TRY(checkCupti(
            cupti.sassFlush(&p), "cuptiSassMetricsFlushData", "reading the values per instruction"));
        return records;
    }

} // namespace

Result<void> watchModules()
{
    const auto cupti = cuptiLibrary();
    COALESCOPE_TRY(cupti);
    CUpti_SubscriberHandle subscriber = nullptr;
    COALESCOPE_TRY(checkCupti(
        (*cupti)->subscribe(&subscriber, &onCallback, nullptr), "cuptiSubscribe", "following module loads"));
    return checkCupti((*cupti)->enableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                          CUPTI_CBID_RESOURCE_MODULE_LOADED),
        "cuptiEnableCallback", "following module loads");
}

Result<void> LineProfiler::configure(bool coreOnly, const Trace& trace)
{
    const auto cupti = cuptiLibrary();
    COALESCOPE_TRY(cupti);
    const auto chip = chipName(**cupti);
    COALESCOPE_TRY(chip);
    const auto details = metricsOf(**cupti, chip->c_str());
    COALESCOPE_TRY(details);
    std::vector<std::string> available;
    for (const auto& metric : *details)
        available.emplace_back(metric.pMetricName);
    m_names = lineMetricsAmong(available, coreOnly);
    trace(fmt::format("lines: chip {}, {} SASS metrics, {} chosen", *chip, available.size(), m_names.size()));
    if (m_names.empty())
        return fail(ErrorCode::UnsupportedChip,
            fmt::format("chip {} has none of the metrics per instruction", *chip));

    std::vector<CUpti_SassMetrics_Config> configs;
    for (const auto& metric : *details)
        if (std::ranges::find(m_names, metric.pMetricName) != m_names.end()) {
            configs.push_back({ metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU });
            m_nameOf[metric.metricId] = metric.pMetricName;
        }
    CUpti_SassMetricsSetConfig_Params p { CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE };
    p.numOfMetricConfig = configs.size();
    p.pConfigs = configs.data();
    p.deviceIndex = 0;
    return checkCupti((*cupti)->sassSetConfig(&p), "cuptiSassMetricsSetConfig",
        fmt::format("configuring {} SASS metrics", configs.size()));
}

Result<std::vector<InstructionValues>> LineProfiler::profile(
    GpuSession& session, const CompiledCubin& cubin, const Trace& trace)
{
    const auto library = cuptiLibrary();
    COALESCOPE_TRY(library);
    const CuptiTable& cupti = **library;
    CUpti_SassMetricsEnable_Params enable { CUpti_SassMetricsEnable_Params_STRUCT_SIZE };
    enable.ctx = session.context();
    enable.enableLazyPatching = 1;
    COALESCOPE_TRY(checkCupti(cupti.sassEnable(&enable), "cuptiSassMetricsEnable", "patching the kernel"));
    COALESCOPE_TRY(session.launch());
    COALESCOPE_TRY(checkCuda(
        session.driver().contextSynchronize(), "cuCtxSynchronize", "running the patched kernel"));
    std::vector<CUpti_SassMetrics_InstanceValue> values;
    std::size_t instances = 0;
    const auto records = flushRecords(cupti, session.context(), values, instances, trace);
    COALESCOPE_TRY(records);
    if (records->empty())
        return fail(ErrorCode::LaunchFailed, "CUPTI patched no instruction of the kernel");

    const Image& image = cubinWith(cupti, records->front().cubinCrc, cubin.image, trace);
    LineTable lines(image);
    if (!lines.placeOf(records->front().functionName, records->front().pcOffset)) // the driver's copy lacks its relocations
        lines = LineTable(cubin.image);
    std::map<std::pair<std::string, std::uint64_t>, InstructionValues> instructions;
    for (const CUpti_SassMetrics_Data& record : *records) {
        InstructionValues& instruction = instructions[{ record.functionName, record.pcOffset }];
        if (instruction.values.empty()) {
            const CodePlace place = placeOf(cupti, image, lines, record.functionName, record.pcOffset);
            std::tie(instruction.file, instruction.line) = std::tie(place.file, place.line);
            instruction.pc = record.pcOffset;
        }
        for (std::size_t i = 0; i < instances; ++i) {
            const auto name = m_nameOf.find(record.pInstanceValues[i].metricId);
            if (name != m_nameOf.end())
                instruction.values[name->second] += double(record.pInstanceValues[i].value);
        }
    }
    std::vector<InstructionValues> result;
    for (auto& [place, instruction] : instructions) {
        for (const auto& [name, value] : instruction.values)
            trace(fmt::format("lines: {}+{:#06x} {}:{} {} = {}", place.first, instruction.pc,
                instruction.file, instruction.line, name, value));
        result.push_back(std::move(instruction));
    }
    return result;
}

#endif

} // namespace coalescope::kernels
