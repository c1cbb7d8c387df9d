// SPDX-License-Identifier: Apache-2.0
// Whole grids: every block executed, the largest predictions, and the memory they take.
#include "kernels/experiment/decode.h"
#include "kernels/experiment/predict.h"

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

namespace {

using namespace coalescope;

kernels::ParameterValues square(const kernels::KernelSpec& kernel, const char* side)
{
    kernels::ParameterValues values;
    for (const kernels::ParameterSpec& parameter : kernel.parameters)
        if (parameter.name == "rows" || parameter.name == "cols")
            values[parameter.name] = side;
    return values;
}

struct Ready {
    std::shared_ptr<const analysis::Program> program;
    analysis::Launch launch;
};

Result<Ready> prepared(const kernels::KernelSpec& kernel, const char* side)
{
    const auto plan = kernels::planLaunch(kernel, square(kernel, side));
    if (!plan)
        return std::unexpected(plan.error());
    auto decoded = kernels::decode(*plan, {});
    if (!decoded)
        return std::unexpected(decoded.error());
    auto launch = kernels::modelledLaunch(*plan, *decoded->program);
    if (!launch)
        return std::unexpected(launch.error());
    return Ready { decoded->program, std::move(*launch) };
}

/// Every block executed, memory analysis included.
void executeEveryBlock(
    benchmark::State& state, const kernels::KernelSpec* kernel, int threads, bool plan)
{
    const auto ready = prepared(*kernel, "4096");
    if (!ready) {
        state.SkipWithError(ready.error().detail.c_str());
        return;
    }
    std::uint64_t instructions = 0;
    for (auto _ : state) {
        const auto totals = analysis::gridTotals(*ready->program, ready->launch,
            { .threads = threads, .executeEveryBlock = true, .planBlocks = plan });
        if (!totals) {
            state.SkipWithError(totals.error().detail.c_str());
            return;
        }
        instructions += totals->warpInstructions;
    }
    state.counters["warp_instructions"]
        = benchmark::Counter(double(instructions), benchmark::Counter::kIsRate);
}

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

/// A prediction of the largest matrix, its program compiled before.
void predictLargest(benchmark::State& state, const kernels::KernelSpec* kernel)
{
    const auto plan = kernels::planLaunch(*kernel, square(*kernel, "32768"));
    if (!plan) {
        state.SkipWithError(plan.error().detail.c_str());
        return;
    }
    (void)kernels::predict(*plan);
    std::uint64_t executed = 0;
    for (auto _ : state) {
        const auto prediction = kernels::predict(*plan);
        if (!prediction) {
            state.SkipWithError(prediction.error().detail.c_str());
            return;
        }
        executed = prediction->blocksExecuted;
    }
    state.counters["executed"] = double(executed);
    state.counters["peak_MB"] = peakMegabytes();
}

[[maybe_unused]] const bool kRegistered = [] {
    using benchmark::kMillisecond;
    for (const kernels::KernelSpec& kernel : kernels::catalogue()) {
        // One thread in its own time, which other programs of the machine take nothing from.
        benchmark::RegisterBenchmark(("every_block/" + kernel.id).c_str(), executeEveryBlock,
            &kernel, 1, true)
            ->Unit(kMillisecond);
        benchmark::RegisterBenchmark(
            ("every_block_by_handlers/" + kernel.id).c_str(), executeEveryBlock, &kernel, 1, false)
            ->Unit(kMillisecond);
        benchmark::RegisterBenchmark(("every_block_on_two_threads/" + kernel.id).c_str(),
            executeEveryBlock, &kernel, 2, true)
            ->Unit(kMillisecond)
            ->MeasureProcessCPUTime()
            ->UseRealTime();
        benchmark::RegisterBenchmark(
            ("predict_32768/" + kernel.id).c_str(), predictLargest, &kernel)
            ->Unit(kMillisecond)
            ->UseRealTime();
    }
    return true;
}();

} // namespace
