// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/decode.h"

#include "analysis/device/device_model.h"
#include "analysis/program/contract.h"
#include "analysis/program/atomic_forms.h"
#include "analysis/program/join_accesses.h"
#include "analysis/program/narrow_loads.h"
#include "analysis/program/sign_tests.h"
#include "analysis/program/unroll_loops.h"
#include "analysis/program/waits.h"
#include "analysis/ptx/parse.h"
#include "kernels/experiment/machine_instruction.h"
#include "kernels/make_cache.h"
#include "kernels/stopwatch.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <ranges>

namespace coalescope::kernels {

namespace {

constexpr std::size_t kCacheBytes = 256 << 20;

std::size_t bytesOfProgram(const analysis::Program& program)
{
    return sizeof program + program.text.size()
        + program.instructions.size() * sizeof(analysis::Instruction)
        + program.registers * (sizeof(std::string) + sizeof(analysis::Type));
}

/// As ptxas will, but for the signs.
analysis::Program finished(analysis::Program program)
{
    analysis::splitSignTests(program);
    analysis::narrowLoads(program);
    analysis::joinAccesses(program);
    analysis::markAtomics(program);
    analysis::contractProducts(program);
    return program;
}

using Kind = MachineInstruction::Kind;
using KindCounts = std::map<Kind, std::int64_t>;

KindCounts countsOf(const std::string& machineCode, int computeMajor)
{
    KindCounts counts;
    for (std::size_t i = 0; i < machineCode.size() / kInstructionBytes; ++i)
        ++counts[MachineInstruction(machineCode.data() + i * kInstructionBytes, i, computeMajor).kind];
    return counts;
}

/// By how many accesses to shared and global memory a program differs from the machine code, each counted once.
std::size_t differenceFrom(KindCounts counts, const analysis::Program& program)
{
    for (const analysis::Instruction& ins : program.instructions) {
        const bool isShared = ins.mod.space == analysis::Space::Shared, isGlobal = ins.mod.space == analysis::Space::Global;
        if (ins.isJoined || (!isShared && !isGlobal))
            continue;
        if (ins.op == analysis::Opcode::Ld)
            --counts[isShared ? Kind::SharedLoad : Kind::GlobalLoad];
        else if (ins.op == analysis::Opcode::St)
            --counts[isShared ? Kind::SharedStore : Kind::GlobalStore];
    }
    std::size_t difference = 0;
    for (const Kind kind : { Kind::SharedLoad, Kind::SharedStore, Kind::GlobalLoad, Kind::GlobalStore })
        difference += std::size_t(std::abs(counts[kind]));
    return difference;
}

/// With the loops unrolled that ptxas has unrolled, as far as the number of accesses in its machine code tells: neighbours of
/// several turns may have been joined.
analysis::Program withLoopsUnrolled(analysis::Program program, const CompiledPtx& compiled, int computeMajor)
{
    constexpr std::size_t kMostLoops = 16;
    analysis::Program best = finished(program);
    if (compiled.machineCode.empty())
        return best;
    const KindCounts counts = countsOf(compiled.machineCode, computeMajor);
    std::size_t least = differenceFrom(counts, best);
    const auto attempt = [&](analysis::Program tried) {
        analysis::Program done = finished(tried);
        const std::size_t difference = differenceFrom(counts, done);
        if (difference >= least)
            return;
        least = difference;
        best = std::move(done);
        program = std::move(tried);
    };
    // From the last on, so that those before it stay where they are.
    for (const analysis::CountedLoop& loop : analysis::countedLoops(program) | std::views::reverse | std::views::take(kMostLoops))
        attempt(analysis::unrolled(program, loop));
    for (const analysis::BoundedLoop& loop : analysis::boundedLoops(program) | std::views::reverse | std::views::take(kMostLoops))
        attempt(analysis::cascaded(program, loop));
    return best;
}

Result<analysis::Program> programOf(const CompiledPtx& compiled, int computeMajor)
{
    auto program = analysis::parsePtx(compiled.ptx, compiled.entry);
    if (!program)
        return program;
    analysis::passWaits(*program);
    return withLoopsUnrolled(*std::move(program), compiled, computeMajor);
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
        .machineCode = compiled->machineCode,
        .compileMs = compiled->milliseconds };
    const Stopwatch watch;
    bool fresh = false;
    auto program = cache.get(
        compiled->entry + '\n' + compiled->ptx + compiled->machineCode, fresh, [&] { return programOf(*compiled, (*device)->computeMajor); });
    if (!program)
        return std::unexpected(std::move(program.error()));
    decoded.program = *std::move(program);
    if (fresh)
        decoded.decodeMs = watch.milliseconds();
    return decoded;
}

} // namespace coalescope::kernels
