// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/orchestrate.h"

#include "kernels/launch/calibrate_kernels.h"
#include "kernels/launch/child_process.h"
#include "kernels/launch/counters.h"
#include "kernels/launch/driver.h"
#include "kernels/stopwatch.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace coalescope::kernels {

namespace {

    using analysis::RunResult;
    using Clock = std::chrono::steady_clock;

    /// One step in its own process.
    struct StepProcess {
        JobStep step;
        std::unique_ptr<ChildProcess> child;
    };

    Result<StepProcess> startStep(Job job, JobStep step, bool hold)
    {
        auto program = workerExecutable();
        COALESCOPE_TRY(program);
        job.step = step;
        job.hold = hold;
        const auto errors = std::getenv("COALESCOPE_TRACE") ? ChildProcess::ErrorOutput::Inherit
                                                            : ChildProcess::ErrorOutput::Keep;
        auto child = ChildProcess::start({ *program, "measure", "--job", "-" }, errors);
        COALESCOPE_TRY(child);
        (*child)->send(toJson(job) + '\n');
        return StepProcess { step, std::move(*child) };
    }

    Error unanswered(const StepProcess& process, const ChildExit& exit)
    {
        const std::string said = lastLine(process.child->errorText());
        return { ErrorCode::LaunchFailed,
            fmt::format("the process of step '{}' ended with {} and no result{}{}", nameOf(process.step),
                exit.text(), said.empty() ? "" : "; it said: ", said),
            {} };
    }

    /// The answer of a step. The children watch their own deadlines; `patienceSeconds` of silence is for
    /// one that cannot.
    Result<JobMessage> answerOf(StepProcess& process, double patienceSeconds, const ProgressFunction& progress,
        const std::function<bool()>& cancelled)
    {
        auto heard = Clock::now();
        for (bool open = true; open;) {
            open = process.child->poll(50);
            while (const auto line = process.child->nextLine()) {
                heard = Clock::now();
                auto message = messageFromLine(*line);
                if (!message)
                    continue; // a library's chatter on the standard output
                if (message->error)
                    return std::unexpected(*message->error);
                if (!message->progress)
                    return message;
                if (progress)
                    progress(*message->progress);
            }
            if (cancelled && cancelled()) {
                process.child->kill();
                return fail(ErrorCode::Cancelled, "the measurement was cancelled");
            }
            if (Clock::now() - heard > std::chrono::duration<double>(patienceSeconds)) {
                process.child->kill();
                return fail(ErrorCode::TimedOut,
                    fmt::format("step '{}' gave no answer for {:g} seconds and was ended",
                        nameOf(process.step), patienceSeconds));
            }
        }
        return std::unexpected(unanswered(process, process.child->finish(2000)));
    }

    double patienceOf(const MeasureOptions& options) { return 180 + 40 * options.kernelTimeLimitSeconds; }

    StepOutcome resultOf(StepProcess& process, const Job& job, const ProgressFunction& progress,
        const std::function<bool()>& cancelled)
    {
        auto answer = answerOf(process, patienceOf(job.options), progress, cancelled);
        COALESCOPE_TRY(answer);
        if (!answer->result)
            return fail(ErrorCode::LaunchFailed,
                fmt::format("step '{}' answered without a result", nameOf(process.step)));
        return std::move(*answer->result);
    }

    /// What no other selection of metrics would cure.
    bool concernsEveryCounter(ErrorCode code)
    {
        return code == ErrorCode::NoCounterPermission || code == ErrorCode::NoCupti
            || code == ErrorCode::Cancelled;
    }

    /// What another process may get past that prepares less, or asks for less.
    bool mayBeCured(ErrorCode code) { return !concernsEveryCounter(code) && code != ErrorCode::TimedOut; }

    StepOutcome notAsked(const char* what)
    {
        return fail(ErrorCode::NotRecorded, fmt::format("{} were not asked for", what));
    }

    struct Waiting {
        std::optional<StepProcess> count, lines;
    };

    /// Lets a waiting step make its context while `before` leaves the GPU, and then work. Where it fails,
    /// `second` is its other try, in a new process that prepares nothing and finds the GPU free. `before` is
    /// afterwards the process that has answered.
    StepOutcome outcomeOf(StepProcess& before, StepProcess waiting, const Job& second,
        const std::function<bool()>& cancelled)
    {
        const Stopwatch firstTry;
        waiting.child->send("go\n");
        before.child->finish(kLeaveMilliseconds);
        waiting.child->send("free\n");
        before = std::move(waiting);
        auto outcome = resultOf(before, second, {}, cancelled);
        if (outcome || !mayBeCured(outcome.error().code))
            return outcome;
        before.child->finish(kLeaveMilliseconds);
        const double lost = firstTry.milliseconds();
        auto process = startStep(second, before.step, false);
        COALESCOPE_TRY(process);
        before = std::move(*process);
        auto again = resultOf(before, second, {}, cancelled);
        if (!again)
            return outcome;
        again->milliseconds[fmt::format("{}_first_try", nameOf(before.step))] = lost;
        return again;
    }

    Result<Waiting> startWaiting(const Job& job)
    {
        Waiting waiting;
        for (auto [wanted, step, slot] : { std::tuple(job.options.counters, JobStep::Count, &waiting.count),
                 std::tuple(job.options.lines, JobStep::Lines, &waiting.lines) }) {
            if (!wanted)
                continue;
            auto process = startStep(job, step, true);
            COALESCOPE_TRY(process);
            *slot = std::move(*process);
        }
        return waiting;
    }

} // namespace

Result<std::string> workerExecutable()
{
    namespace fs = std::filesystem;
    if (const char* chosen = std::getenv("COALESCOPE_WORKER"); chosen && *chosen)
        return std::string(chosen);
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const std::string name = self.filename().string();
    if (name.starts_with("coalescope") && !name.starts_with("coalescope-"))
        return std::string("/proc/self/exe"); // holds even where the file was replaced meanwhile
    for (const fs::path& folder : { self.parent_path(), self.parent_path().parent_path() / "bin" })
        if (fs::exists(folder / "coalescope", error))
            return (folder / "coalescope").string();
    return fail(ErrorCode::TargetFailed,
        fmt::format("the program 'coalescope', which measures, is not beside {}", self.string()));
}

void joinCounts(RunResult& run, const StepOutcome& counted, const StepOutcome& lines)
{
    if (counted) {
        run.metrics = counted->metrics;
        run.notMeasured.insert(counted->notMeasured.begin(), counted->notMeasured.end());
    }
    if (lines)
        run.lines = lines->lines;
    for (const StepOutcome* outcome : { &counted, &lines })
        if (*outcome)
            for (const auto& [name, milliseconds] : (*outcome)->milliseconds)
                run.milliseconds[name] = milliseconds;
    for (const analysis::MetricInfo& info : analysis::metricTable()) {
        const std::string key(info.key);
        const bool perInstruction = isPerInstructionOnly(info.metric);
        // The sum over instructions stands in for the same metric, never for a similar one.
        if (lines && !run.metrics.get(info.metric))
            if (const auto total = lines->metrics.get(info.metric))
                run.metrics.set(info.metric, *total);
        if (run.metrics.get(info.metric)) {
            run.notMeasured.erase(key);
            continue;
        }
        const StepOutcome& source = perInstruction ? lines : counted;
        if (!run.notMeasured.contains(key))
            run.notMeasured[key] = source ? "the GPU's profiler gave no value" : source.error().detail;
    }
}

Result<RunResult> measureJob(const Job& job, const ProgressFunction& progress,
    const std::function<bool()>& cancelled, const std::function<bool()>& mayStart)
{
    auto begin = Clock::now();
    const auto report = [&](const char* stage, double fraction) {
        if (progress)
            progress({ stage, fraction });
    };
    report("compile", 0);
    auto process = startStep(job, JobStep::Run, job.hold);
    COALESCOPE_TRY(process);
    auto waiting = startWaiting(job);
    COALESCOPE_TRY(waiting);
    if (job.hold) {
        if (!mayStart || !mayStart())
            return fail(ErrorCode::Cancelled, "the measurement was given up before its turn");
        begin = Clock::now();
        process->child->send("go\n");
    }
    auto run = resultOf(*process, job, progress, cancelled);
    if (!run)
        return run;
    report("timed", 0.6);

    StepOutcome counted = notAsked("the counters"), lines = notAsked("the values per line");
    if (waiting->count) {
        report("count", 0.65);
        counted = outcomeOf(*process, *std::move(waiting->count), job, cancelled);
    }
    const bool hopeless = waiting->count && !counted && concernsEveryCounter(counted.error().code);
    if (hopeless) {
        lines = counted;
    } else if (waiting->lines) {
        report("lines", 0.85);
        // One configuration a process: a smaller one needs a new process.
        Job smaller = job;
        smaller.coreLineMetrics = true;
        lines = outcomeOf(*process, *std::move(waiting->lines), smaller, cancelled);
    }
    process->child->finish(kLeaveMilliseconds);
    for (const StepOutcome* outcome : { &counted, &lines })
        if (!*outcome && outcome->error().code == ErrorCode::Cancelled)
            return *outcome;
    joinCounts(*run, counted, lines);
    run->milliseconds["measure"]
        = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    report("done", 1);
    return run;
}

Result<DeviceRow> calibrateJob(const ProgressFunction& progress, const std::function<bool()>& cancelled)
{
    auto process = startStep({}, JobStep::Rates, false);
    COALESCOPE_TRY(process);
    const double patience = patienceOf({});
    auto rates = answerOf(*process, patience, progress, cancelled);
    COALESCOPE_TRY(rates);
    process->child->finish(kLeaveMilliseconds);
    if (!rates->device)
        return fail(ErrorCode::LaunchFailed, "the step 'rates' answered without a device");
    DeviceRow row = std::move(*rates->device);
    if (progress)
        progress({ "empty kernel", 0.9 });
    const Job empty { .plan = calibrationPlan(Rate::Empty, {}, 0) };
    auto counting = startStep(empty, JobStep::Count, false);
    COALESCOPE_TRY(counting);
    const auto counted = resultOf(*counting, empty, {}, cancelled);
    if (!counted && counted.error().code == ErrorCode::Cancelled)
        return std::unexpected(counted.error());
    if (const auto ns = counted ? counted->metrics.get(analysis::Metric::Duration) : std::nullopt) {
        row.model.launchNs = *ns;
        row.launchFrom = "profiler";
    }
    return row;
}

Result<RunResult> measure(const LaunchPlan& plan, const MeasureOptions& options,
    const std::function<void(const MeasureProgress&)>& progress)
{
    return measureJob(Job { .plan = plan, .options = options }, progress, {});
}

Result<GpuInfo> localGpu()
{
    auto process = startStep({}, JobStep::Info, false);
    COALESCOPE_TRY(process);
    auto answer = answerOf(*process, 60, {}, {});
    COALESCOPE_TRY(answer);
    if (!answer->gpu)
        return fail(ErrorCode::LaunchFailed, "the step 'info' answered without a GPU");
    return *answer->gpu;
}

} // namespace coalescope::kernels
