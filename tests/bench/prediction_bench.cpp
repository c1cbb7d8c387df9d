// SPDX-License-Identifier: Apache-2.0
// Time from a changed parameter to a new prediction, and the memory it takes.
#include "kernels/experiment/predict.h"
#include "kernels/stopwatch.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>
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

using Random = std::mt19937;

std::int64_t pick(Random& random, std::int64_t low, std::int64_t high)
{
    return std::uniform_int_distribution(low, high)(random);
}

/// Any value that the manifest offers; sides of 1 to 32768, every second one near the largest.
std::string anyValue(const kernels::ParameterSpec& parameter, Random& random)
{
    const auto of = [&](const auto& list) -> const auto&
    {
        return list[std::size_t(pick(random, 0, std::int64_t(list.size()) - 1))];
    };
    if (!parameter.isInteger())
        return of(parameter.choices).value;
    if (parameter.name == "rows" || parameter.name == "cols") {
        const std::int64_t step = pick(random, 0, 1) == 0 ? 1 : 32;
        const std::int64_t least = pick(random, 0, 1) == 0 ? 1 : 32000 / step;
        return std::to_string(step * pick(random, least, 32768 / step));
    }
    return std::to_string(parameter.presets.empty()
            ? pick(random, parameter.minimum, std::min(parameter.maximum, parameter.minimum + 64))
            : of(parameter.presets));
}

/// A legal launch; what the program is compiled for is drawn anew only where `fresh` says so.
kernels::LaunchPlan anyLaunch(
    const kernels::KernelSpec& kernel, kernels::ParameterValues values, bool fresh, Random& random)
{
    for (;;) {
        for (const kernels::ParameterSpec& parameter : kernel.parameters)
            if (fresh || parameter.define.empty())
                values[parameter.name] = anyValue(parameter, random);
        if (auto plan = kernels::planLaunch(kernel, values))
            return *std::move(plan);
    }
}

/// Times predictions of launches that were not asked for before, verification included.
class PredictionTimes {
public:
    explicit PredictionTimes(benchmark::State& state)
        : m_state(state)
    {
    }
    /// False where there is none.
    bool predict(const kernels::LaunchPlan& plan, bool registers = true)
    {
        const kernels::Stopwatch watch;
        const auto prediction = kernels::predict(plan, { .registers = registers });
        const double milliseconds = watch.milliseconds();
        m_state.SetIterationTime(milliseconds / 1000);
        m_all.push_back(milliseconds);
        if (!prediction)
            m_state.SkipWithError(prediction.error().detail.c_str());
        return prediction.has_value();
    }
    void tell()
    {
        if (m_all.empty())
            return;
        std::ranges::sort(m_all);
        m_state.counters["p95_ms"] = m_all[m_all.size() * 95 / 100];
        m_state.counters["worst_ms"] = m_all.back();
        m_state.counters["peak_MB"] = peakMegabytes();
    }

private:
    benchmark::State& m_state;
    std::vector<double> m_all;
};

/// After a change of anything that needs no compiler, or whose program is compiled already.
void predictCompiled(benchmark::State& state, const kernels::KernelSpec* kernel)
{
    constexpr std::size_t kPrograms = 12;
    Random random(1);
    std::vector<kernels::ParameterValues> compiled;
    for (std::size_t i = 0; i < kPrograms; ++i) {
        const kernels::LaunchPlan plan = anyLaunch(*kernel, {}, true, random);
        (void)kernels::predict(plan, { .verify = false });
        compiled.push_back(plan.parameters);
    }
    PredictionTimes times(state);
    std::size_t next = 0;
    for (auto _ : state)
        if (!times.predict(anyLaunch(*kernel, compiled[next++ % kPrograms], false, random)))
            return;
    times.tell();
}

/// The same when the compiler must run: a program never seen before. The window's first numbers do not wait
/// for registers.
void compileAndPredict(benchmark::State& state, const kernels::KernelSpec* kernel, bool registers)
{
    static int fresh = 0;
    Random random(2);
    PredictionTimes times(state);
    for (auto _ : state) {
        kernels::LaunchPlan plan = anyLaunch(*kernel, {}, true, random);
        plan.defines.emplace_back("BENCH_RUN", std::to_string(++fresh));
        if (plan.verification) { // the same program, as without the define
            auto verification = *plan.verification;
            verification.defines.push_back(plan.defines.back());
            plan.verification
                = std::make_shared<const kernels::LaunchPlan>(std::move(verification));
        }
        if (!times.predict(plan, registers))
            return;
    }
    times.tell();
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
        benchmark::RegisterBenchmark(("predict/" + kernel.id).c_str(), predictCompiled, &kernel)
            ->Unit(kMillisecond)
            ->Iterations(200)
            ->UseManualTime();
        for (const bool registers : { false, true })
            benchmark::RegisterBenchmark(
                ((registers ? "registers_too/" : "compile_and_predict/") + kernel.id).c_str(),
                compileAndPredict, &kernel, registers)
                ->Unit(kMillisecond)
                ->Iterations(60)
                ->UseManualTime();
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
