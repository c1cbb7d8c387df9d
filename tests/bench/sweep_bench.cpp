// SPDX-License-Identifier: Apache-2.0
// A sweep of 1,000 launches: first with nothing compiled, then as a new process finds it, then in
// memory.
#include "kernels/compile/run_child.h"
#include "kernels/experiment/sweep.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace coalescope;
using kernels::SweepTimes;

/// A folder for compiled programs that lives as long as this process.
class CacheFolder {
public:
    CacheFolder() { setenv("COALESCOPE_CACHE", m_folder.path().c_str(), 1); }

private:
    kernels::TemporaryDirectory m_folder;
};

/// 1,000 launches of transpose_shared_flat at 4096 x 4096, all legal, a program each.
Result<SweepTimes> sweepOnce()
{
    const auto kernel = kernels::kernelNamed("transpose_shared_flat");
    const auto request = kernels::sweepRequest(
        **kernel, { "block_x=4:40:4", "block_y=2:20:2", "pad=0:9" }, { "rows=4096", "cols=4096" });
    if (!request)
        return std::unexpected(request.error());
    std::string problem;
    auto times = kernels::predictSweep(
        **kernel, combinations(*request), {}, [&](std::size_t, const kernels::SweepRow& row) {
            if (!row.problem.empty())
                problem = row.problem;
        });
    if (times && !problem.empty())
        return fail(ErrorCode::ExecutionFailed, problem);
    return times;
}

/// The sweep in a process of its own, which holds no program in memory. False where it fails.
bool sweepInNewProcess(SweepTimes& times)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        const auto swept = sweepOnce();
        const bool told = swept && write(ends[1], &*swept, sizeof *swept) == sizeof *swept;
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    const bool heard = read(ends[0], &times, sizeof times) == sizeof times;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return heard && status == 0;
}

/// Processor time of this process and of the children that it waited for: what a busy machine
/// leaves as it is.
double cpuMilliseconds()
{
    double seconds = 0;
    for (const int who : { RUSAGE_SELF, RUSAGE_CHILDREN }) {
        rusage usage {};
        getrusage(who, &usage);
        for (const timeval& time : { usage.ru_utime, usage.ru_stime })
            seconds += double(time.tv_sec) + 1e-6 * double(time.tv_usec);
    }
    return 1000 * seconds;
}

enum class Programs { NotCompiled, InFiles, InMemory };

void sweep(benchmark::State& state, Programs programs)
{
    const CacheFolder folder;
    SweepTimes times;
    // Before this process has compiled anything, so that its children hold nothing either.
    if (programs == Programs::InFiles && !sweepInNewProcess(times))
        return state.SkipWithError("the sweep failed");
    if (programs == Programs::InMemory)
        if (const auto first = sweepOnce(); !first)
            return state.SkipWithError(first.error().detail.c_str());
    const double cpuBefore = cpuMilliseconds();
    for (auto _ : state) {
        if (programs != Programs::InMemory) {
            if (!sweepInNewProcess(times))
                return state.SkipWithError("the sweep failed");
        } else if (const auto swept = sweepOnce()) {
            times = *swept;
        } else {
            return state.SkipWithError(swept.error().detail.c_str());
        }
    }
    state.counters["cpu_ms"]
        = benchmark::Counter(cpuMilliseconds() - cpuBefore, benchmark::Counter::kAvgIterations);
    state.counters["compiled"] = double(times.compiled);
    state.counters["compile_ms"] = times.compileMs;
    state.counters["predict_ms"] = times.analyseMs;
}

[[maybe_unused]] const bool kSweepsRegistered = [] {
    const auto add = [](const char* name, Programs programs) {
        return benchmark::RegisterBenchmark(name, sweep, programs)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    };
    // In this order: the last one fills this process's memory with programs.
    add("sweep_1000/first_time", Programs::NotCompiled)->Iterations(1);
    add("sweep_1000/from_files_in_a_new_process", Programs::InFiles);
    add("sweep_1000/from_memory", Programs::InMemory);
    return true;
}();

} // namespace
