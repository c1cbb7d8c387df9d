// SPDX-License-Identifier: Apache-2.0
// Time from a changed parameter to a new prediction, and the memory it takes.
#include "kernels/experiment/predict.h"
#include "kernels/stopwatch.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace coalescope;

/// Greatest resident memory of this process so far.
double peakMegabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes / 1024;
        }
    return 0;
}

/// The value that 95 of 100 do not exceed.
double percentile95(std::vector<double>& values)
{
    if (values.empty())
        return 0;
    const auto at = values.begin() + std::ptrdiff_t(values.size() * 95 / 100);
    std::ranges::nth_element(values, at);
    return *at;
}

/// A launch near the largest matrix that was not asked for before: what a slider does.
Result<kernels::LaunchPlan> movedLaunch(const kernels::KernelSpec& kernel, int& step)
{
    for (;;) {
        ++step;
        kernels::ParameterValues values;
        for (const kernels::ParameterSpec& parameter : kernel.parameters) {
            if (parameter.name == "rows")
                values[parameter.name] = std::to_string(32768 - step % 8192);
            if (parameter.name == "cols")
                values[parameter.name] = std::to_string(32768 - step / 3 * 4 % 8192);
        }
        auto plan = kernels::planLaunch(kernel, values);
        if (plan || step > 100'000)
            return plan;
    }
}

/// A new prediction, verification included, after rows or columns of the largest matrix have
/// changed; the program is compiled before.
void predict(benchmark::State& state, const kernels::KernelSpec* kernel)
{
    int step = 0;
    if (const auto plan = movedLaunch(*kernel, step); plan)
        (void)kernels::predict(*plan);
    std::vector<double> milliseconds;
    for (auto _ : state) {
        const kernels::Stopwatch watch;
        const auto plan = movedLaunch(*kernel, step);
        const auto prediction = plan ? kernels::predict(*plan)
                                     : Result<kernels::Prediction>(std::unexpected(plan.error()));
        if (!prediction) {
            state.SkipWithError(prediction.error().detail.c_str());
            return;
        }
        milliseconds.push_back(watch.milliseconds());
    }
    state.counters["p95_ms"] = percentile95(milliseconds);
    state.counters["peak_MB"] = peakMegabytes();
}

/// The same when the compiler must run: a program never seen before.
void compileAndPredict(benchmark::State& state, const kernels::KernelSpec* kernel)
{
    int step = 0;
    static int fresh = 0;
    std::vector<double> milliseconds;
    for (auto _ : state) {
        const kernels::Stopwatch watch;
        auto plan = movedLaunch(*kernel, step);
        if (plan)
            plan->defines.emplace_back("BENCH_RUN", std::to_string(++fresh));
        const auto prediction = plan ? kernels::predict(*plan)
                                     : Result<kernels::Prediction>(std::unexpected(plan.error()));
        if (!prediction) {
            state.SkipWithError(prediction.error().detail.c_str());
            return;
        }
        milliseconds.push_back(watch.milliseconds());
    }
    state.counters["p95_ms"] = percentile95(milliseconds);
}

/// One block opened: what a click on another block costs.
void openBlock(benchmark::State& state)
{
    const auto kernel = kernels::kernelNamed("transpose_shared");
    const auto plan = kernels::planLaunch(**kernel, {});
    const auto prediction = kernels::predict(*plan, { .verify = false });
    if (!prediction) {
        state.SkipWithError(prediction.error().detail.c_str());
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(kernels::traceBlock(*prediction, { 7, 9, 0 }));
}

} // namespace

int main(int argc, char** argv)
{
    using benchmark::kMillisecond;
    benchmark::RegisterBenchmark("open_block/transpose_shared", openBlock)->Unit(kMillisecond);
    for (const kernels::KernelSpec& kernel : kernels::catalogue()) {
        benchmark::RegisterBenchmark(("predict_32768/" + kernel.id).c_str(), predict, &kernel)
            ->Unit(kMillisecond)
            ->MinTime(0.2)
            ->UseRealTime();
        benchmark::RegisterBenchmark(
            ("compile_and_predict_32768/" + kernel.id).c_str(), compileAndPredict, &kernel)
            ->Unit(kMillisecond)
            ->MinTime(1)
            ->UseRealTime();
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
