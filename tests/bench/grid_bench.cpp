// SPDX-License-Identifier: Apache-2.0
// Whole grids, every block executed.
#include "kernels/experiment/decode.h"
#include "kernels/experiment/predict.h"

#include <benchmark/benchmark.h>

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

[[maybe_unused]] const bool kGridsRegistered = [] {
    using benchmark::kMillisecond;
    benchmark::RegisterBenchmark("every_block_by_handlers/transpose_naive", executeEveryBlock,
        *kernels::kernelNamed("transpose_naive"), 1, false)
        ->Unit(kMillisecond);
    for (const kernels::KernelSpec& kernel : kernels::catalogue()) {
        // One thread in its own time, which other programs of the machine take nothing from.
        benchmark::RegisterBenchmark(
            ("every_block/" + kernel.id).c_str(), executeEveryBlock, &kernel, 1, true)
            ->Unit(kMillisecond);
        benchmark::RegisterBenchmark(("every_block_on_two_threads/" + kernel.id).c_str(),
            executeEveryBlock, &kernel, 2, true)
            ->Unit(kMillisecond)
            ->MeasureProcessCPUTime()
            ->UseRealTime();
    }
    return true;
}();

} // namespace
