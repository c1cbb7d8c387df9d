// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/steps.h"

#include "kernels/launch/line_metrics.h"
#include "kernels/launch/timing.h"
#include "kernels/launch/verify_output.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>

namespace coalescope::kernels {

namespace {

    using analysis::RunResult;

    constexpr double kSetupSeconds = 120; ///< compile, driver start, fills: never this long

    /// Milliseconds since the last call, for RunResult::milliseconds.
    class LapTimer {
    public:
        double lap()
        {
            const auto now = Clock::now();
            const double ms = std::chrono::duration<double, std::milli>(now - m_last).count();
            m_last = now;
            return ms;
        }

    private:
        using Clock = std::chrono::steady_clock;
        Clock::time_point m_last = Clock::now();
    };

    Result<CompiledCubin> compileFor(const GpuSession& session, const LaunchPlan& plan)
    {
        const GpuProperties& gpu = session.properties();
        return compileToCubin(
            plan, { .computeMajor = gpu.computeMajor, .computeMinor = gpu.computeMinor });
    }

    RunResult resultOf(const Job& job, const GpuSession& session)
    {
        const LaunchPlan& plan = job.plan;
        RunResult result;
        result.kind = analysis::ResultKind::Measurement;
        result.kernel = plan.kernel;
        result.device = deviceNameOf(session.properties().name, session.properties().sms);
        result.launch = { .grid = plan.grid, .block = plan.block,
            .staticSharedBytes = session.staticSharedBytes(),
            .dynamicSharedBytes = plan.dynamicSharedBytes,
            .parameters = plan.parameters,
            .arguments = plan.argumentSpecs };
        if (plan.parameters.empty())
            for (const auto& [name, value] : plan.defines)
                result.launch.parameters[name] = value;
        result.gpu = session.properties().name;
        result.driver = installedDriverVersion();
        result.date = utcNow();
        return result;
    }

    Result<void> timeBoth(const StepContext& context, GpuSession& session, RunResult& result)
    {
        const auto buffer = makeFlushBuffer(session);
        COALESCOPE_TRY(buffer);
        const MeasureOptions& options = context.job.options;
        const double allowed = kSetupSeconds + 8 * options.kernelTimeLimitSeconds;
        context.deadline(allowed);
        context.progress({ "time", 0.45 });
        const auto warm = timeLaunches(session, *buffer, options, L2State::Warm);
        COALESCOPE_TRY(warm);
        result.time.warm = *warm;
        context.deadline(allowed);
        const auto cold = timeLaunches(session, *buffer, options, L2State::Cold);
        COALESCOPE_TRY(cold);
        result.time.cold = *cold;
        context.trace(fmt::format("time: warm {:.0f} ns, cold {:.0f} ns (medians of {} and {})", warm->medianNs,
            cold->medianNs, warm->runs, cold->runs));
        return {};
    }

    std::unexpected<Error> givenUp() { return fail(ErrorCode::Cancelled, "the measurement was given up"); }

    /// Prepares a profiled step as far as it can without the GPU, and waits for its turn.
    Result<CompiledCubin> readyToCount(const StepContext& context, GpuSession& session)
    {
        const Job& job = context.job;
        context.deadline(kSetupSeconds);
        COALESCOPE_TRY(session.start());
        auto cubin = compileFor(session, job.plan);
        COALESCOPE_TRY(cubin);
        // A step that was not held begins cold: where a prepared one failed, it is tried in that way.
        if (job.hold)
            loadProfiler();
        if (!context.mayStart())
            return givenUp();
        // About ten passes, each of which runs the kernel once, patched code slower.
        context.deadline(kSetupSeconds + 40 * job.options.kernelTimeLimitSeconds);
        return cubin;
    }

    /// Makes the context while the process before may still be leaving the GPU; on return that is gone.
    Result<void> openContext(const StepContext& context, GpuSession& session)
    {
        const bool oneAtATime = session.properties().computeMode != 0;
        if (oneAtATime && !context.mayFill())
            return givenUp();
        COALESCOPE_TRY(session.openContext());
        if (!context.mayFill())
            return givenUp();
        return {};
    }

    std::string lineFile(const std::string& file, const std::string& sourceName)
    {
        const bool same = std::filesystem::path(sourceName).filename() == std::filesystem::path(file).filename();
        return same ? sourceName : file;
    }

} // namespace

std::string utcNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts {};
    gmtime_r(&now, &parts);
    char text[32];
    return { text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) };
}

Result<RunResult> runStep(const StepContext& context)
{
    const Job& job = context.job;
    LapTimer watch;
    context.deadline(kSetupSeconds);
    context.progress({ "compile", 0.02 });
    GpuSession session;
    COALESCOPE_TRY(session.start());
    std::map<std::string, double> milliseconds;
    milliseconds["start"] = watch.lap();
    const auto cubin = compileFor(session, job.plan);
    COALESCOPE_TRY(cubin);
    milliseconds["compile"] = watch.lap();
    if (!context.mayStart())
        return givenUp();
    watch.lap();
    context.deadline(kSetupSeconds);
    context.progress({ "verify", 0.15 });
    COALESCOPE_TRY(session.openContext());
    milliseconds["context"] = watch.lap();
    COALESCOPE_TRY(session.prepare(job.plan, *cubin));
    milliseconds["fill"] = watch.lap();

    // The session's own limit ends an endless kernel; the deadline catches a driver that never answers.
    context.deadline(kSetupSeconds + job.options.kernelTimeLimitSeconds);
    RunResult result = resultOf(job, session);
    COALESCOPE_TRY(session.launch());
    COALESCOPE_TRY(session.wait(job.options.kernelTimeLimitSeconds));
    milliseconds["run"] = watch.lap();
    context.deadline(kSetupSeconds);
    const auto check = verifyOutput(job.plan, session);
    COALESCOPE_TRY(check);
    result.verified = check->verified;
    result.verifyDetail = check->detail;
    milliseconds["verify"] = watch.lap();
    const auto occupancy = session.occupancy();
    COALESCOPE_TRY(occupancy);
    result.occupancy = *occupancy;

    COALESCOPE_TRY(timeBoth(context, session, result));
    milliseconds["time"] = watch.lap();
    result.milliseconds = std::move(milliseconds);
    return result;
}

Result<RunResult> countStep(const StepContext& context)
{
    const Job& job = context.job;
    GpuSession session;
    const auto cubin = readyToCount(context, session);
    COALESCOPE_TRY(cubin);
    LapTimer watch;
    COALESCOPE_TRY(attachRangeProfiler());
    COALESCOPE_TRY(openContext(context, session));
    COALESCOPE_TRY(session.prepare(job.plan, *cubin));
    RunResult result = resultOf(job, session);
    const double prepared = watch.lap();
    auto values = countLaunch(session, context.trace);
    COALESCOPE_TRY(values);
    result.metrics = values->metrics;
    result.notMeasured = std::move(values->notMeasured);
    result.milliseconds["count"] = prepared + watch.lap();
    context.trace(fmt::format("count: prepared in {:.0f} ms", prepared));
    return result;
}

Result<RunResult> linesStep(const StepContext& context)
{
    const Job& job = context.job;
    GpuSession session;
    const auto cubin = readyToCount(context, session);
    COALESCOPE_TRY(cubin);
    LapTimer watch;
    session.setClearing(Clearing::ByCopy);
    COALESCOPE_TRY(watchModules());
    COALESCOPE_TRY(attachRangeProfiler());
    COALESCOPE_TRY(openContext(context, session));
    LineProfiler profiler;
    COALESCOPE_TRY(profiler.configure(job.coreLineMetrics, context.trace));
    COALESCOPE_TRY(session.prepare(job.plan, *cubin));
    RunResult result = resultOf(job, session);
    const double prepared = watch.lap();
    const auto instructions = profiler.profile(session, *cubin, context.trace);
    COALESCOPE_TRY(instructions);
    LineTotals totals = linesOf(*instructions, profiler.collected());
    for (analysis::LineValues& line : totals.lines)
        line.file = lineFile(line.file, job.plan.sourceName);
    result.lines = std::move(totals.lines);
    result.metrics = totals.totals;
    result.milliseconds["lines"] = prepared + watch.lap();
    context.trace(fmt::format("lines: prepared in {:.0f} ms", prepared));
    return result;
}

Result<GpuInfo> infoStep()
{
    GpuSession session;
    COALESCOPE_TRY(session.start());
    const GpuProperties& gpu = session.properties();
    return GpuInfo { gpu.name, installedDriverVersion(), gpu.computeMajor, gpu.computeMinor };
}

} // namespace coalescope::kernels
