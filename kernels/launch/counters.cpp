// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/counters.h"

#include "kernels/stopwatch.h"

#include <fmt/format.h>

#include <cmath>

#ifdef COALESCOPE_CUPTI
#include "kernels/launch/cupti.h"
#endif

namespace coalescope::kernels {

using analysis::Metric;
using analysis::MetricInfo;

bool isPerInstructionOnly(Metric metric)
{
    return metric == Metric::GlobalSassSectors || metric == Metric::GlobalSassSectorsIdeal;
}

#ifndef COALESCOPE_CUPTI

namespace {
    std::unexpected<Error> builtWithout()
    {
        return fail(ErrorCode::NoCupti, "this program was built without CUPTI's headers and cannot count");
    }
} // namespace

Result<std::map<std::string, bool>> knownCounters(const std::string&) { return builtWithout(); }
void loadProfiler() { }
Result<void> attachRangeProfiler() { return builtWithout(); }
Result<CounterValues> countLaunch(GpuSession&, const Trace&) { return builtWithout(); }

#else

namespace {

    using Names = std::vector<const char*>;

    /// CUPTI's host side for one chip: knows metrics, plans passes, evaluates counters.
    class ProfilerHost {
    public:
        ProfilerHost(const CuptiTable& cupti) : m_cupti(cupti) {}
        ProfilerHost(const ProfilerHost&) = delete;
        ProfilerHost& operator=(const ProfilerHost&) = delete;
        ~ProfilerHost()
        {
            CUpti_Profiler_Host_Deinitialize_Params p { CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE };
            p.pHostObject = m_object;
            if (m_object)
                m_cupti.hostDeinitialize(&p);
        }

        Result<void> open(const std::string& chip, const std::vector<std::uint8_t>& availability)
        {
            CUpti_Profiler_Host_Initialize_Params p { CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE };
            p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
            p.pChipName = chip.c_str();
            p.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
            COALESCOPE_TRY(checkCupti(m_cupti.hostInitialize(&p), "cuptiProfilerHostInitialize",
                fmt::format("preparing counters for chip {}", chip)));
            m_object = p.pHostObject;
            return {};
        }

        bool knows(const char* metric) const
        {
            CUpti_Profiler_Host_GetMetricProperties_Params p {
                CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE
            };
            p.pHostObject = m_object;
            p.pMetricName = metric;
            return m_cupti.hostMetricProperties(&p) == CUPTI_SUCCESS;
        }

        /// A failure leaves the object unusable: CUPTI then refuses every later metric.
        Result<void> add(Names metrics)
        {
            CUpti_Profiler_Host_ConfigAddMetrics_Params p {
                CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE
            };
            p.pHostObject = m_object;
            p.ppMetricNames = metrics.data();
            p.numMetrics = metrics.size();
            return checkCupti(m_cupti.hostAddMetrics(&p), "cuptiProfilerHostConfigAddMetrics",
                fmt::format("planning the passes of {} metrics", metrics.size()));
        }

        Result<std::vector<std::uint8_t>> configImage() const
        {
            CUpti_Profiler_Host_GetConfigImageSize_Params s {
                CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE
            };
            s.pHostObject = m_object;
            COALESCOPE_TRY(checkCupti(m_cupti.hostConfigImageSize(&s), "cuptiProfilerHostGetConfigImageSize",
                "planning the passes"));
            std::vector<std::uint8_t> image(s.configImageSize);
            CUpti_Profiler_Host_GetConfigImage_Params p {
                CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE
            };
            p.pHostObject = m_object;
            p.configImageSize = image.size();
            p.pConfigImage = image.data();
            COALESCOPE_TRY(checkCupti(
                m_cupti.hostConfigImage(&p), "cuptiProfilerHostGetConfigImage", "planning the passes"));
            return image;
        }

        std::size_t passesOf(std::vector<std::uint8_t>& image) const
        {
            CUpti_Profiler_Host_GetNumOfPasses_Params p {
                CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE
            };
            p.configImageSize = image.size();
            p.pConfigImage = image.data();
            return m_cupti.hostPasses(&p) == CUPTI_SUCCESS ? p.numOfPasses : 0;
        }

        Result<double> evaluate(const char* metric, const std::vector<std::uint8_t>& counterData) const
        {
            double value = NAN;
            CUpti_Profiler_Host_EvaluateToGpuValues_Params p {
                CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE
            };
            p.pHostObject = m_object;
            p.pCounterDataImage = counterData.data();
            p.counterDataImageSize = counterData.size();
            p.rangeIndex = 0;
            p.ppMetricNames = &metric;
            p.numMetrics = 1;
            p.pMetricValues = &value;
            COALESCOPE_TRY(checkCupti(m_cupti.hostEvaluate(&p), "cuptiProfilerHostEvaluateToGpuValues",
                fmt::format("evaluating {}", metric)));
            if (!std::isfinite(value))
                return fail(ErrorCode::UnsupportedChip, "the counter gave no number");
            return value;
        }

    private:
        const CuptiTable& m_cupti;
        CUpti_Profiler_Host_Object* m_object = nullptr;
    };

    Result<std::vector<std::uint8_t>> counterAvailability(const CuptiTable& cupti, CUctx_st* context)
    {
        CUpti_Profiler_GetCounterAvailability_Params p {
            CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE
        };
        p.ctx = context;
        constexpr std::string_view kFunction = "cuptiProfilerGetCounterAvailability";
        constexpr std::string_view kAttempt = "asking which counters are there";
        COALESCOPE_TRY(checkCupti(cupti.getCounterAvailability(&p), kFunction, kAttempt));
        std::vector<std::uint8_t> image(p.counterAvailabilityImageSize);
        p.pCounterAvailabilityImage = image.data();
        COALESCOPE_TRY(checkCupti(cupti.getCounterAvailability(&p), kFunction, kAttempt));
        return image;
    }

    /// One profiling session of one launch.
    class RangeSession {
    public:
        RangeSession(const CuptiTable& cupti) : m_cupti(cupti) {}
        RangeSession(const RangeSession&) = delete;
        RangeSession& operator=(const RangeSession&) = delete;
        ~RangeSession()
        {
            CUpti_RangeProfiler_Disable_Params p { CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE };
            p.pRangeProfilerObject = m_object;
            if (m_object)
                m_cupti.rangeDisable(&p);
        }

        Result<void> enable(CUctx_st* context, Names metrics, const std::vector<std::uint8_t>& config)
        {
            CUpti_RangeProfiler_Enable_Params e { CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE };
            e.ctx = context;
            COALESCOPE_TRY(
                checkCupti(m_cupti.rangeEnable(&e), "cuptiRangeProfilerEnable", "attaching the profiler"));
            m_object = e.pRangeProfilerObject;
            COALESCOPE_TRY(makeCounterData(std::move(metrics)));

            CUpti_RangeProfiler_SetConfig_Params c { CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE };
            c.pRangeProfilerObject = m_object;
            c.configSize = config.size();
            c.pConfig = config.data();
            c.counterDataImageSize = m_data.size();
            c.pCounterDataImage = m_data.data();
            c.range = CUPTI_AutoRange; // kernel replay exists only for automatic ranges
            c.replayMode = CUPTI_KernelReplay;
            c.maxRangesPerPass = 1;
            c.numNestingLevels = 1;
            c.minNestingLevel = 1;
            c.passIndex = 0;
            c.targetNestingLevel = 1;
            return checkCupti(
                m_cupti.rangeSetConfig(&c), "cuptiRangeProfilerSetConfig", "configuring the profiler");
        }

        Result<void> profile(GpuSession& session)
        {
            CUpti_RangeProfiler_Start_Params start { CUpti_RangeProfiler_Start_Params_STRUCT_SIZE };
            start.pRangeProfilerObject = m_object;
            CUpti_RangeProfiler_Stop_Params stop { CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE };
            stop.pRangeProfilerObject = m_object;
            CUpti_RangeProfiler_DecodeData_Params decode {
                CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE
            };
            decode.pRangeProfilerObject = m_object;
            COALESCOPE_TRY(
                checkCupti(m_cupti.rangeStart(&start), "cuptiRangeProfilerStart", "starting the profiler"));
            COALESCOPE_TRY(session.launch());
            COALESCOPE_TRY(checkCuda(
                session.driver().contextSynchronize(), "cuCtxSynchronize", "counting the kernel"));
            COALESCOPE_TRY(
                checkCupti(m_cupti.rangeStop(&stop), "cuptiRangeProfilerStop", "stopping the profiler"));
            COALESCOPE_TRY(
                checkCupti(m_cupti.rangeDecode(&decode), "cuptiRangeProfilerDecodeData", "reading the counters"));
            if (!stop.isAllPassSubmitted)
                return fail(ErrorCode::LaunchFailed, "CUPTI did not replay every pass");
            return {};
        }

        const std::vector<std::uint8_t>& data() const { return m_data; }

        std::size_t ranges() const
        {
            CUpti_RangeProfiler_GetCounterDataInfo_Params p {
                CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE
            };
            p.pCounterDataImage = m_data.data();
            p.counterDataImageSize = m_data.size();
            return m_cupti.rangeCounterDataInfo(&p) == CUPTI_SUCCESS ? p.numTotalRanges : 0;
        }

    private:
        Result<void> makeCounterData(Names metrics)
        {
            CUpti_RangeProfiler_GetCounterDataSize_Params s {
                CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE
            };
            s.pRangeProfilerObject = m_object;
            s.pMetricNames = metrics.data();
            s.numMetrics = metrics.size();
            s.maxNumOfRanges = 1;
            s.maxNumRangeTreeNodes = 1;
            COALESCOPE_TRY(checkCupti(m_cupti.rangeCounterDataSize(&s), "cuptiRangeProfilerGetCounterDataSize",
                "sizing the counter data"));
            m_data.assign(s.counterDataSize, 0);
            CUpti_RangeProfiler_CounterDataImage_Initialize_Params p {
                CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE
            };
            p.pRangeProfilerObject = m_object;
            p.counterDataSize = m_data.size();
            p.pCounterData = m_data.data();
            return checkCupti(m_cupti.rangeCounterDataInitialize(&p),
                "cuptiRangeProfilerCounterDataImageInitialize", "clearing the counter data");
        }

        const CuptiTable& m_cupti;
        CUpti_RangeProfiler_Object* m_object = nullptr;
        std::vector<std::uint8_t> m_data;
    };

    struct CountContext {
        GpuSession& session;
        const CuptiTable& cupti;
        const Trace& trace;
        std::string chip;
        std::vector<std::uint8_t> availability;
    };

    Names namesOf(const std::vector<Metric>& metrics)
    {
        Names names;
        for (Metric metric : metrics)
            names.push_back(analysis::infoOf(metric).key.data()); // keys are string literals
        return names;
    }

    /// Drops the metrics that cannot be planned on this chip.
    Result<std::vector<Metric>> plannable(CountContext& context, CounterValues& values)
    {
        ProfilerHost host(context.cupti);
        COALESCOPE_TRY(host.open(context.chip, context.availability));
        std::vector<Metric> known, metrics;
        for (const MetricInfo& info : analysis::metricTable()) {
            if (isPerInstructionOnly(info.metric))
                continue;
            if (host.knows(info.key.data()))
                known.push_back(info.metric);
            else
                values.notMeasured[std::string(info.key)]
                    = fmt::format("chip {} has no such metric", context.chip);
        }
        if (host.add(namesOf(known)))
            return known;
        // One of them spoils the plan: each is tried in a plan of its own.
        for (Metric metric : known) {
            ProfilerHost alone(context.cupti);
            COALESCOPE_TRY(alone.open(context.chip, context.availability));
            if (auto added = alone.add(namesOf({ metric })))
                metrics.push_back(metric);
            else
                values.notMeasured[std::string(analysis::infoOf(metric).key)] = added.error().detail;
        }
        return metrics;
    }

    Result<void> count(CountContext& context, const std::vector<Metric>& metrics, CounterValues& values)
    {
        if (metrics.empty())
            return {};
        ProfilerHost host(context.cupti);
        COALESCOPE_TRY(host.open(context.chip, context.availability));
        COALESCOPE_TRY(host.add(namesOf(metrics)));
        auto config = host.configImage();
        COALESCOPE_TRY(config);
        context.trace(fmt::format("count: {} metrics in {} passes", metrics.size(), host.passesOf(*config)));
        RangeSession range(context.cupti);
        Stopwatch enabling;
        COALESCOPE_TRY(range.enable(context.session.context(), namesOf(metrics), *config));
        const double enabled = enabling.milliseconds();
        COALESCOPE_TRY(range.profile(context.session));
        context.trace(fmt::format("count: attached to the GPU in {:.1f} ms, all passes in {:.1f} ms", enabled,
            enabling.milliseconds() - enabled));
        if (range.ranges() == 0)
            return fail(ErrorCode::LaunchFailed, "CUPTI saw no kernel");
        for (Metric metric : metrics) {
            const std::string key(analysis::infoOf(metric).key);
            const auto value = host.evaluate(key.c_str(), range.data());
            context.trace(fmt::format("count: {} = {}", key, value ? fmt::format("{}", *value) : value.error().detail));
            if (value)
                values.metrics.set(metric, *value);
            else
                values.notMeasured[key] = value.error().detail;
        }
        return {};
    }

    /// A failure that another selection of metrics would meet again.
    bool isFinal(ErrorCode code)
    {
        return code == ErrorCode::NoCounterPermission || code == ErrorCode::IllegalAddress
            || code == ErrorCode::NoCupti || code == ErrorCode::TimedOut;
    }

    /// Hardware counters and patched code apart, where counting them together fails.
    Result<void> countApart(CountContext& context, const std::vector<Metric>& metrics, CounterValues& values)
    {
        std::vector<Metric> hardware, patched;
        for (Metric metric : metrics)
            (analysis::infoOf(metric).key.find("sass_") == std::string_view::npos ? hardware : patched)
                .push_back(metric);
        for (const auto& part : { hardware, patched })
            if (auto done = count(context, part, values); !done) {
                context.trace("count: " + done.error().detail);
                if (isFinal(done.error().code))
                    return done;
                for (Metric metric : part)
                    values.notMeasured[std::string(analysis::infoOf(metric).key)] = done.error().detail;
            }
        return {};
    }

} // namespace

Result<std::map<std::string, bool>> knownCounters(const std::string& chip)
{
    const auto cupti = cuptiLibrary();
    COALESCOPE_TRY(cupti);
    ProfilerHost host(**cupti);
    COALESCOPE_TRY(host.open(chip, {}));
    std::map<std::string, bool> known;
    for (const MetricInfo& info : analysis::metricTable())
        known[std::string(info.key)] = host.knows(info.key.data());
    return known;
}

void loadProfiler()
{
    const auto cupti = cuptiLibrary();
    if (!cupti)
        return;
    // A process's first host object takes long, for whichever chip it is; any later one is made in no time.
    ProfilerHost host(**cupti);
    (void)host.open("GH100", {});
}

Result<void> attachRangeProfiler()
{
    const auto cupti = cuptiLibrary();
    COALESCOPE_TRY(cupti);
    CUpti_Profiler_Initialize_Params p { CUpti_Profiler_Initialize_Params_STRUCT_SIZE };
    return checkCupti(
        (*cupti)->profilerInitialize(&p), "cuptiProfilerInitialize", "connecting CUPTI with the driver");
}

Result<CounterValues> countLaunch(GpuSession& session, const Trace& trace)
{
    const auto cupti = cuptiLibrary();
    COALESCOPE_TRY(cupti);
    std::uint32_t version = 0;
    (*cupti)->getVersion(&version);
    const auto chip = chipName(**cupti);
    COALESCOPE_TRY(chip);
    trace(fmt::format("count: {} version {}, chip {}", (*cupti)->path, version, *chip));
    Stopwatch asking;
    auto availability = counterAvailability(**cupti, session.context());
    COALESCOPE_TRY(availability);
    const double asked = asking.milliseconds();

    CountContext context { session, **cupti, trace, *chip, std::move(*availability) };
    CounterValues values;
    const auto metrics = plannable(context, values);
    COALESCOPE_TRY(metrics);
    trace(fmt::format("count: which counters there are in {:.1f} ms, which metrics in {:.1f} ms", asked,
        asking.milliseconds() - asked));
    auto done = count(context, *metrics, values);
    if (!done) {
        trace("count: " + done.error().detail);
        if (isFinal(done.error().code))
            return std::unexpected(done.error());
        COALESCOPE_TRY(countApart(context, *metrics, values));
    }
    return values;
}

#endif

} // namespace coalescope::kernels
