// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/missing_work.h"

#include "kernels/experiment/program_work.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace coalescope::kernels {

namespace {

/// How far a path may lack what the program issues, or have more of it, since it makes the accesses and may pass by the rest.
struct Doubt {
    double most = 0; ///< lacking
    double fewest = 0; ///< too many: negative
    double least = 0; ///< that is added, as a share of the path
};

constexpr double kMuch = 0.1; ///< PTX mostly tells within this how many instructions machine code has

/// Of branches around arithmetic alone, which may be made without a branch as well.
Doubt doubtOfBranches(const analysis::Program& program, const std::vector<analysis::InstructionTotals>& totals)
{
    std::vector<analysis::InstructionTotals> taken(totals.size()), always(totals.size());
    for (std::size_t at = 0; at < program.instructions.size(); ++at) {
        const analysis::Instruction& branch = program.instructions[at];
        if (branch.op != analysis::Opcode::Bra || branch.guard == analysis::kNone || branch.target <= at + 1)
            continue;
        const auto passed = std::span(program.instructions).subspan(at + 1, branch.target - at - 1);
        if (!std::ranges::all_of(passed, [](const analysis::Instruction& one) { return one.op < analysis::Opcode::Shfl; }))
            continue;
        for (std::size_t i = at + 1; i < branch.target; ++i) {
            taken[i] = totals[i];
            always[i].executions = std::max(always[i].executions, totals[at].executions);
        }
    }
    constexpr double kLeast = 0.15;
    const double most = programWork(program, taken).instructions;
    return { most, most - programWork(program, always).instructions, kLeast };
}

/// Where data decide about a good part of what is issued, all of it is in doubt.
Doubt doubtOf(const analysis::Program& program, const analysis::GridTotals& totals, double all)
{
    if (!totals.passedOver.empty()) {
        std::vector<analysis::InstructionTotals> others = totals.instructions;
        for (const std::uint32_t instruction : totals.passedOver)
            others[instruction] = {};
        if (programWork(program, others).instructions < (1 - kMuch) * all)
            return { all, -all };
    }
    const Doubt doubt = doubtOfBranches(program, totals.instructions);
    return doubt.most - doubt.fewest > kMuch * all ? doubt : Doubt {};
}

} // namespace

void addMissingWork(
    analysis::MachineWork& work, const analysis::ProgramWork& issued, const analysis::Program& program, const analysis::GridTotals& totals, double warps)
{
    const Doubt doubt = doubtOf(program, totals, issued.instructions);
    const double ofPath = work.loadInstructions + work.storeInstructions;
    const double missing = std::clamp(issued.instructions / warps - ofPath, doubt.fewest / warps, doubt.most / warps);
    if (missing < -kMuch * ofPath) {
        for (const auto part : { &analysis::MachineWork::loadInstructions, &analysis::MachineWork::storeInstructions,
                 &analysis::MachineWork::loadClocks, &analysis::MachineWork::storeClocks, &analysis::MachineWork::issueClocks })
            work.*part *= 1 + missing / ofPath;
        return;
    }
    if (missing <= doubt.least * ofPath || work.loadInstructions <= 0)
        return;
    work.loadClocks *= 1 + missing / work.loadInstructions;
    work.loadInstructions += missing;
    work.issueClocks *= 1 + missing / ofPath;
    work.specials = std::max(work.specials, issued.specials / warps);
    work.doubles = std::max(work.doubles, issued.doubles / warps);
}

} // namespace coalescope::kernels
