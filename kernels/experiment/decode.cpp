// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/decode.h"

#include "analysis/device/device_model.h"
#include "analysis/program/contract.h"
#include "analysis/program/count_up.h"
#include "analysis/program/join_accesses.h"
#include "analysis/program/sign_tests.h"
#include "analysis/ptx/parse.h"
#include "kernels/make_cache.h"
#include "kernels/stopwatch.h"

namespace coalescope::kernels {

namespace {

constexpr std::size_t kCacheBytes = 256 << 20;

std::size_t bytesOfProgram(const analysis::Program& program)
{
    return sizeof program + program.text.size()
        + program.instructions.size() * sizeof(analysis::Instruction)
        + program.registers * (sizeof(std::string) + sizeof(analysis::Type));
}

Result<analysis::Program> programOf(const CompiledPtx& compiled)
{
    auto program = analysis::parsePtx(compiled.ptx, compiled.entry);
    if (program) { // as ptxas will, but for the signs
        analysis::splitSignTests(*program);
        analysis::joinAccesses(*program);
        analysis::markCounts(*program);
        analysis::contractProducts(*program);
    }
    return program;
}

} // namespace

Result<DecodedPlan> decode(const LaunchPlan& plan, const PredictOptions& options)
{
    static MakeCache<analysis::Program> cache(kCacheBytes, &bytesOfProgram);
    CompileOptions compileOptions { .compiler = options.compiler, .registers = options.registers };
    const auto device = analysis::deviceNamed(options.device);
    if (!device)
        return std::unexpected(device.error());
    compileOptions.computeMajor = (*device)->computeMajor;
    compileOptions.computeMinor = (*device)->computeMinor;
    auto compiled = compileToPtx(plan, compileOptions);
    if (!compiled)
        return std::unexpected(compiled.error());

    DecodedPlan decoded { .compiler = compiled->compiler,
        .registersPerThread = compiled->registersPerThread,
        .machineCode = std::move(compiled->machineCode),
        .compileMs = compiled->milliseconds };
    const Stopwatch watch;
    bool fresh = false;
    auto program = cache.get(
        compiled->entry + '\n' + compiled->ptx, fresh, [&] { return programOf(*compiled); });
    if (!program)
        return std::unexpected(std::move(program.error()));
    decoded.program = *std::move(program);
    if (fresh)
        decoded.decodeMs = watch.milliseconds();
    return decoded;
}

} // namespace coalescope::kernels
