// SPDX-License-Identifier: Apache-2.0
// Time from a changed parameter to a new prediction, and the interpreter's rate.
#include "kernels/experiment/decode.h"
#include "kernels/experiment/predict.h"

#include <benchmark/benchmark.h>

namespace {

using namespace coalescope;

kernels::ParameterValues largeShape(const kernels::KernelSpec& kernel)
{
    kernels::ParameterValues values;
    for (const kernels::ParameterSpec& parameter : kernel.parameters) {
        if (parameter.name == "rows" || parameter.name == "cols")
            values[parameter.name] = "4096";
    }
    return values;
}

/// A prediction whose program is compiled already: what a change of rows, cols or a grid costs.
void predictCompiled(benchmark::State& state, const kernels::KernelSpec* kernel)
{
    const auto plan = kernels::planLaunch(*kernel, largeShape(*kernel));
    if (!plan) {
        state.SkipWithError(plan.error().detail.c_str());
        return;
    }
    std::uint64_t executed = 0, blocks = 0;
    for (auto _ : state) {
        auto prediction = kernels::predict(*plan);
        if (!prediction) {
            state.SkipWithError(prediction.error().detail.c_str());
            return;
        }
        executed = prediction->blocksExecuted;
        blocks = prediction->blocks;
    }
    state.counters["blocks"] = double(blocks);
    state.counters["executed"] = double(executed);
}

/// The same when the compiler must run: a changed compile-time parameter, never seen before.
void predictAndCompile(benchmark::State& state, const kernels::KernelSpec* kernel)
{
    auto plan = kernels::planLaunch(*kernel, largeShape(*kernel));
    if (!plan) {
        state.SkipWithError(plan.error().detail.c_str());
        return;
    }
    static int fresh = 0;
    for (auto _ : state) {
        plan->defines.emplace_back("BENCH_RUN", std::to_string(++fresh));
        auto prediction = kernels::predict(*plan);
        if (!prediction) {
            state.SkipWithError(prediction.error().detail.c_str());
            return;
        }
    }
}

/// Every block executed on one thread, memory analysis included: the interpreter's rate.
void executeEveryBlock(benchmark::State& state)
{
    const auto kernel = kernels::kernelNamed("transpose_naive");
    const auto plan = kernels::planLaunch(**kernel, { { "rows", "4096" }, { "cols", "4096" } });
    const auto decoded = kernels::decode(*plan, {});
    if (!decoded) {
        state.SkipWithError(decoded.error().detail.c_str());
        return;
    }
    const auto launch = kernels::modelledLaunch(*plan, *decoded->program);
    std::uint64_t instructions = 0;
    for (auto _ : state) {
        const auto totals = analysis::gridTotals(
            *decoded->program, *launch, { .threads = 1, .executeEveryBlock = true });
        instructions += totals->warpInstructions;
    }
    state.counters["warp_instructions"]
        = benchmark::Counter(double(instructions), benchmark::Counter::kIsRate);
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
    benchmark::RegisterBenchmark("interpreter/transpose_naive_4096", executeEveryBlock)
        ->Unit(kMillisecond);
    benchmark::RegisterBenchmark("open_block/transpose_shared", openBlock)->Unit(kMillisecond);
    for (const kernels::KernelSpec& kernel : kernels::catalogue()) {
        benchmark::RegisterBenchmark(("predict/" + kernel.id).c_str(), predictCompiled, &kernel)
            ->Unit(kMillisecond)
            ->UseRealTime();
        benchmark::RegisterBenchmark(
            ("compile_and_predict/" + kernel.id).c_str(), predictAndCompile, &kernel)
            ->Unit(kMillisecond)
            ->UseRealTime();
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
