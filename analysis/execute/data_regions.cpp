// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/data_regions.h"

#include "analysis/execute/register_flow.h"

#include <algorithm>

namespace coalescope::analysis {

namespace {

constexpr std::size_t kLargest = 2048; ///< instructions

bool isLoadOfATable(const Instruction& i) { return i.op == Opcode::Ld && i.mod.space == Space::Global && i.mod.isReadOnly; }
bool isLocal(const Instruction& i) { return (i.op == Opcode::Ld || i.op == Opcode::St) && i.mod.space == Space::Local; }
bool storesLocally(const Instruction& i) { return isLocal(i) && i.op == Opcode::St; }

bool mayBePassed(const Instruction& i)
{
    const bool isArithmetic = isPure(i) || usesCarry(i);
    return isArithmetic || i.op == Opcode::Nop || i.op == Opcode::Bra || isLocal(i) || isLoadOfATable(i) || (i.op == Opcode::Ld && i.mod.space == Space::Param);
}

/// Everything that can be reached before the lanes of the branch meet; nothing where that is more than arithmetic.
std::vector<std::uint32_t> reachedFrom(const DecodedProgram& program, std::uint32_t branch)
{
    const auto count = std::uint32_t(program.code.size());
    const std::uint32_t meet = program.code[branch].source->reconverge;
    std::vector<std::uint32_t> reached, open { program.code[branch].source->target, branch + 1 };
    while (!open.empty()) {
        const std::uint32_t pc = open.back();
        open.pop_back();
        if (pc == meet || std::ranges::find(reached, pc) != reached.end())
            continue;
        if (pc >= count || reached.size() >= kLargest || !mayBePassed(*program.code[pc].source))
            return {};
        reached.push_back(pc);
        const Decoded& d = program.code[pc];
        const bool jumps = d.source->op == Opcode::Bra;
        if (jumps)
            open.push_back(d.source->target);
        if (!jumps || d.guard != kNone)
            open.push_back(pc + 1);
    }
    return reached;
}

} // namespace

void findDataRegions(DecodedProgram& program)
{
    const auto count = std::uint32_t(program.code.size());
    std::vector<std::pair<std::uint32_t, DataRegion>> found; // by branch
    std::vector<bool> isInside(count);
    for (std::uint32_t pc = 0; pc < count; ++pc) {
        const Decoded& d = program.code[pc];
        if (d.source->op != Opcode::Bra || d.guard == kNone || d.source->reconverge >= count)
            continue;
        DataRegion region { .instructions = reachedFrom(program, pc), .results = {}, .accesses = {} };
        const auto has = [&](auto&& is) { return std::ranges::any_of(region.instructions, [&](std::uint32_t i) { return is(*program.code[i].source); }); };
        if (region.instructions.empty() || (has(isLoadOfATable) && !has(storesLocally)))
            continue;
        for (const std::uint32_t inside : region.instructions) {
            const Decoded& passed = program.code[inside];
            isInside[inside] = true;
            if (isLocal(*passed.source) || isLoadOfATable(*passed.source))
                region.accesses.push_back(inside);
            for (std::size_t k = 0; k < passed.dst.size(); ++k)
                if (passed.source->dst[k].kind == OperandKind::Register)
                    region.results.push_back(passed.dst[k].slot);
        }
        std::ranges::sort(region.results);
        const auto [first, last] = std::ranges::unique(region.results);
        region.results.erase(first, last);
        found.emplace_back(pc, std::move(region));
    }
    bool localOutside = false;
    for (std::uint32_t pc = 0; pc < count; ++pc)
        localOutside = localOutside || (isLocal(*program.code[pc].source) && !isInside[pc]);
    for (auto& [branch, region] : found) {
        if (!region.accesses.empty() && localOutside)
            continue;
        program.code[branch].region = std::uint32_t(program.regions.size());
        program.regions.push_back(std::move(region));
    }
}

} // namespace coalescope::analysis
