// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/predict.h"

#include "analysis/device/device_model.h"
#include "analysis/device/estimate.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"
#include "kernels/experiment/atomics.h"
#include "kernels/experiment/left_contents.h"
#include "kernels/experiment/machine_instruction.h"
#include "kernels/experiment/machine_path.h"
#include "kernels/experiment/module_symbols.h"
#include "kernels/experiment/traffic.h"
#include "kernels/experiment/waiting_blocks.h"
#include "kernels/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace coalescope::kernels {

using analysis::InstructionTotals;
using analysis::Metric;
using analysis::MetricValues;

namespace {

bool isStore(const analysis::Instruction& instruction)
{
    return instruction.op == analysis::Opcode::St;
}

/// Global accesses: loads and asynchronous copies feed the load keys, atomics and reductions keys of their own and the instrumented ones.
/// Source: launches of tests/device/kernels on an H200; markAtomics().
void addGlobal(
    MetricValues& values, const analysis::Instruction& instruction, const InstructionTotals& totals)
{
    if (isAtomic(instruction)) {
        const bool isReduction = instruction.mod.isReduction;
        values.add(isReduction ? Metric::GlobalReductionRequests : Metric::GlobalAtomicRequests, double(totals.requests));
        values.add(isReduction ? Metric::GlobalReductionSectors : Metric::GlobalAtomicSectors, double(totals.atomicSectors));
    } else {
        const bool store = isStore(instruction);
        values.add(store ? Metric::GlobalStoreRequests : Metric::GlobalLoadRequests,
            double(totals.requests));
        const std::uint64_t sectors = totals.copyCounted > 0 ? totals.copyCounted : totals.sectors;
        values.add(store ? Metric::GlobalStoreSectors : Metric::GlobalLoadSectors, double(sectors));
    }
    values.add(Metric::GlobalTags, double(totals.tags));
    values.add(Metric::GlobalSassSectors, double(totals.copyAsked > 0 ? totals.copyAsked : totals.sectors));
    values.add(Metric::GlobalSassSectorsIdeal, double(totals.idealSectors));
}

/// An atomic on shared memory. One that is a loop loads in each turn, and counts no conflicts; where its address is a generic one, one more
/// wavefront tries global memory first.
/// Source: atomic_counters.csv.
void addSharedAtomic(MetricValues& values, const analysis::Instruction& instruction, const InstructionTotals& totals)
{
    if (totals.turns == 0) {
        values.add(Metric::SharedAtomicInstructions, double(totals.sharedExecutions));
        values.add(Metric::SharedAtomicWavefronts, double(totals.wavefronts));
        values.add(Metric::SharedAtomicConflicts, double(totals.conflicts));
        return;
    }
    const bool isTriedInGlobal = instruction.mod.space == analysis::Space::Generic;
    values.add(Metric::SharedAtomicInstructions, double(totals.turns));
    values.add(Metric::SharedAtomicWavefronts, double(totals.swapWavefronts + (isTriedInGlobal ? totals.sharedExecutions : 0)));
    values.add(Metric::SharedLoadInstructions, double(totals.turns));
    values.add(Metric::SharedLoadWavefronts, double(totals.turnLoads));
    values.add(Metric::SharedLoadWavefrontsSass, double(totals.turnLoadsSass));
    values.add(Metric::SharedLoadConflicts, double(totals.turnLoadConflicts));
}

/// Shared accesses: ldmatrix feeds the hardware's load keys and none of the instrumented ones; asynchronous copies feed none.
/// Source: as addGlobal().
void addShared(
    MetricValues& values, const analysis::Instruction& instruction, const InstructionTotals& totals)
{
    using analysis::Opcode;
    if (isAtomic(instruction))
        addSharedAtomic(values, instruction, totals);
    if (isAtomic(instruction) || instruction.op == Opcode::CpAsync)
        return;
    const bool store = isStore(instruction);
    values.add(store ? Metric::SharedStoreWavefronts : Metric::SharedLoadWavefronts,
        double(totals.wavefronts));
    values.add(store ? Metric::SharedStoreConflicts : Metric::SharedLoadConflicts,
        double(totals.conflicts));
    if (instruction.op == Opcode::LdMatrix)
        return;
    values.add(store ? Metric::SharedStoreInstructions : Metric::SharedLoadInstructions,
        double(totals.sharedExecutions));
    values.add(store ? Metric::SharedStoreWavefrontsSass : Metric::SharedLoadWavefrontsSass,
        double(totals.wavefrontsSass));
}

/// Adds one instruction's totals to the keys that its operation feeds; a bulk copy feeds none of the
/// load-store unit's. Source: as addGlobal(), 2026-11-24.
void addTotals(
    MetricValues& values, const analysis::Instruction& instruction, const InstructionTotals& totals)
{
    if (instruction.op == analysis::Opcode::BulkCopy)
        return;
    if (totals.requests > 0)
        addGlobal(values, instruction, totals);
    if (totals.phases > 0)
        addShared(values, instruction, totals);
}

/// A line's values: zero in every key that a line can have.
MetricValues emptyLine()
{
    MetricValues values;
    for (const analysis::MetricInfo& info : analysis::metricTable()) {
        if (info.perLine)
            values.set(info.metric, 0);
    }
    return values;
}

/// The name a line is shown under: the plan's own source by its name, any other file by its path.
std::string fileOf(const LaunchPlan& plan, const analysis::Program& program, std::uint32_t file)
{
    if (file >= program.files.size())
        return plan.sourceName;
    const std::filesystem::path path(program.files[file]);
    return path.filename() == std::filesystem::path(plan.sourceName).filename() ? plan.sourceName
                                                                                : path.string();
}

/// What an atomic makes beside what is counted, where that depends on values or on who comes first; empty: nothing.
std::string loopOf(const analysis::Instruction& instruction, const InstructionTotals& totals, const LaunchPlan& plan)
{
    using analysis::AtomOp;
    const AtomOp op = instruction.mod.atom;
    if (totals.requests > 0 && bytesOf(instruction.type) == 2)
        return " is a loop of compares and swaps of the word around it: one turn is counted";
    if (totals.turns == 0)
        return "";
    if (op != AtomOp::Add && op != AtomOp::Xor)
        return " is a loop of a load from shared memory and a compare and swap: counted are the turns of a warp whose lanes all change the word; a "
               "lane that changes nothing makes fewer";
    return plan.block.count() <= analysis::kWarpLanes
        ? ""
        : " is a loop of a load from shared memory and a compare and swap: counted are the turns that each warp makes alone, it makes more where "
          "warps meet at a word";
}

void tellOfLoops(analysis::RunResult& result, const LaunchPlan& plan, const analysis::Program& program, const analysis::GridTotals& totals)
{
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const analysis::Instruction& instruction = program.instructions[i];
        const std::string loop = isAtomic(instruction) ? loopOf(instruction, totals.instructions[i], plan) : "";
        const analysis::Hazard hazard { .kind = analysis::HazardKind::NotModelled,
            .line = instruction.lineToName(),
            .detail = program.mnemonic(i) + loop };
        const auto same = [&](const analysis::Hazard& other) { return other.line == hazard.line && other.detail == hazard.detail; };
        if (!loop.empty() && std::ranges::none_of(result.hazards, same))
            result.hazards.push_back(hazard);
    }
}

void fillCounts(analysis::RunResult& result, const LaunchPlan& plan,
    const analysis::Program& program, const analysis::GridTotals& totals)
{
    setMissingToZero(result.metrics);
    std::map<std::pair<std::string, std::uint32_t>, MetricValues> lines;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const analysis::Instruction& instruction = program.instructions[i];
        const InstructionTotals& counts = totals.instructions[i];
        if (counts.requests == 0 && counts.phases == 0)
            continue;
        addTotals(result.metrics, instruction, counts);
        const auto key = std::pair(fileOf(plan, program, instruction.file), instruction.line);
        addTotals(lines.try_emplace(key, emptyLine()).first->second, instruction, counts);
    }
    for (auto& [place, values] : lines)
        result.lines.push_back({ place.first, place.second, values });
    tellOfLoops(result, plan, program, totals);
}

/// What is read before it is written where a race decides which comes first is the race's finding.
void dropDecidedByRaces(std::vector<analysis::Hazard>& hazards)
{
    std::set<std::uint32_t> raced;
    for (const analysis::Hazard& hazard : hazards)
        if (hazard.kind == analysis::HazardKind::SharedRace)
            raced.insert({ hazard.line, hazard.otherLine });
    std::erase_if(hazards, [&](const analysis::Hazard& hazard) { return hazard.kind == analysis::HazardKind::Uninitialised && raced.contains(hazard.line); });
}

/// Says where blocks wait for each other: how often they look depends on who is late.
void tellOfWaits(analysis::RunResult& result, const Prediction& prediction, const analysis::GridTotals& totals)
{
    const std::vector<analysis::Instruction>& code = prediction.program->instructions;
    for (std::size_t i = 0; i < code.size(); ++i)
        if (code[i].endsWait && totals.instructions[i].executions > 0)
            result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
                .line = code[i].lineToName(),
                .detail = prediction.launch.grid.count() > 1
                    ? "a loop waits here for other blocks: one look at what they write is counted, the GPU looks until they have written it"
                    : "a loop waits here for what no other block writes, for the grid has one: one look is counted; where nothing else writes it, the kernel never ends" });
}

/// Says where the profiler's instrumented count of sectors is not to be had from addresses.
///
/// Source:  two GEMMs and fifteen kernels of one copy each on an NVIDIA H200 (driver 580.159.04, 2026-11-28): where ptxas makes two
///          instructions of such a copy, a full one and one of zeros, it counted none, half or all of the sectors, a few too many, or
///          those of lanes that read nothing. L1's counters had them all, and so did copies that L1 keeps.
void tellOfCopiesOfZeros(analysis::RunResult& result, const analysis::Program& program, const analysis::GridTotals& totals)
{
    std::set<std::uint32_t> mayFill, executed;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const analysis::Instruction& copy = program.instructions[i];
        if (copy.op != analysis::Opcode::CpAsync || copy.mod.l1 != analysis::L1Use::Bypassed)
            continue;
        const analysis::Operand &size = copy.src[2], &read = copy.src[3];
        if (read.kind == analysis::OperandKind::Register || (read.kind == analysis::OperandKind::Immediate && read.bits < size.bits))
            mayFill.insert(copy.lineToName());
        if (totals.instructions[i].executions > 0)
            executed.insert(copy.lineToName());
    }
    for (const std::uint32_t line : mayFill)
        if (executed.contains(line))
            result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
                .line = line,
                .detail = "a copy past L1 that may fill up with zeros: the profiler's instrumented count of global sectors leaves out many of "
                          "these, as ptxas splits them; what L1 counts is as predicted" });
}

/// Says what lies in local memory: arrays that are indexed while the kernel runs, and registers that ptxas spills. Its sectors feed
/// none of the exact keys.
void tellOfLocalMemory(
    analysis::RunResult& result, const analysis::DeviceModel& device, const Prediction& prediction, const analysis::GridTotals& totals)
{
    const std::vector<analysis::Instruction>& code = prediction.program->instructions;
    const std::size_t words = localWordsStored(prediction.machineCode, device.computeMajor);
    const auto tell = [&](const analysis::Instruction& instruction, std::string what) {
        result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
            .line = instruction.lineToName(),
            .detail = what + "; no key counts its sectors, the estimates beyond L1 and of the time do" });
    };
    if (prediction.program->localBytes == 0) {
        if (words > 0)
            tell(code.front(), fmt::format("ptxas spills {} registers of each thread to local memory: fewer threads a block "
                                           "(__launch_bounds__) or less unrolling may avoid it", words));
        return;
    }
    if (!prediction.machineCode.empty() && words == 0)
        return; // ptxas keeps the arrays in registers
    for (std::size_t i = 0; i < code.size(); ++i) {
        const bool isAccess = code[i].op == analysis::Opcode::Ld || code[i].op == analysis::Opcode::St;
        if (!isAccess || code[i].mod.space != analysis::Space::Local || totals.instructions[i].executions == 0)
            continue;
        tell(code[i], "an array lies in local memory, as one is that is indexed by what the compiler does not know: shared memory or "
                      "unrolled loops may avoid it");
        return;
    }
}

/// Says of which buffers it is not known what an earlier launch leaves in them.
void tellOfUnknownContents(analysis::RunResult& result, const LaunchPlan& plan, const analysis::Program& program)
{
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument)) {
            const std::string why = part.buffer ? BufferContents::whyUnknown(*part.buffer) : "";
            if (!why.empty())
                result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
                    .line = program.instructions.front().lineToName(),
                    .detail = why });
            const std::string guessed = part.buffer ? BufferContents::guessBehind(*part.buffer) : "";
            if (!guessed.empty())
                result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
                    .line = program.instructions.front().lineToName(),
                    .detail = fmt::format("what '{}' leaves in '{}' follows from a guess about '{}'", part.buffer->left->launch->entry, part.buffer->name, guessed) });
        }
}

/// An access beyond a buffer whose size was guessed is no fault of the kernel's, nor one to nowhere, which may be far beyond such a one.
/// Where other values were guessed, it may be none, nor where the program takes another branch for these values.
void tellOfGuesses(analysis::RunResult& result, const LaunchPlan& plan)
{
    const auto ofOtherValues = std::ranges::find_if(plan.guesses, &Guess::isOfOtherValues); // the likeliest
    const auto leading = ofOtherValues != plan.guesses.end() ? ofOtherValues : std::ranges::find_if(plan.guesses, &Guess::leads);
    const bool isAlone = std::ranges::find(plan.guesses, Guess::Kind::Launch, &Guess::kind) != plan.guesses.end();
    if (plan.isNotMade)
        result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled, .line = std::uint32_t(plan.manifest ? plan.manifest->entryLine : 0), .detail = "with these values the program does not make this launch: it is as its other values tell" });
    for (analysis::Hazard& hazard : result.hazards) {
        if (isAlone && (hazard.kind == analysis::HazardKind::Uninitialised || hazard.kind == analysis::HazardKind::SharedRace)) // with another block it may be none
            hazard.detail += "; its launch was guessed, and may be why";
        for (const Guess& guess : plan.guesses) {
            const auto says = [&](const std::string& part) { return hazard.detail.find(part) != std::string::npos; };
            const bool isBeyond = says(fmt::format("buffer `{}` of ", guess.what)) || says("which lies in no buffer, nor near one");
            if (hazard.kind != analysis::HazardKind::OutOfBounds || guess.kind != Guess::Kind::BufferSize || !isBeyond)
                continue;
            hazard.kind = analysis::HazardKind::NotModelled;
            const bool isBefore = says("before the start of"); // a kernel may be given a pointer into its buffer, as to the inside of a halo
            hazard.detail += isBefore ? fmt::format("; that `{}` points to the start of its buffer was guessed", guess.what) : fmt::format("; how large `{}` is was guessed", guess.what);
        }
        if (hazard.kind == analysis::HazardKind::OutOfBounds && plan.isAside) {
            hazard.kind = analysis::HazardKind::NotModelled;
            hazard.detail += "; with these values the program takes another branch, which may be why";
        }
        if (hazard.kind == analysis::HazardKind::OutOfBounds && leading != plan.guesses.end()) {
            hazard.kind = analysis::HazardKind::NotModelled;
            hazard.detail += fmt::format(fmt::runtime(leading->isOfOtherValues ? "; `{}` was worked out for other values, and may be why" : "; `{}` was guessed, and may be why"), leading->what);
        }
    }
}

/// Says what a grid that is rounded down leaves out. A kernel that asks how large the grid is may work on the rest as well.
void tellOfLeftOut(analysis::RunResult& result, const LaunchPlan& plan, const analysis::Program& program)
{
    const auto asksForSize = [&](int axis) {
        const auto isSize = [axis](const analysis::Operand& operand) {
            return operand.kind == analysis::OperandKind::Special && operand.index == std::uint32_t(analysis::SpecialRegister::NctaidX) + std::uint32_t(axis);
        };
        return std::ranges::any_of(program.instructions, [&](const analysis::Instruction& one) { return std::ranges::any_of(one.src, isSize); });
    };
    if (std::ranges::any_of(plan.guesses, &Guess::leads))
        return;
    const bool isRead = !plan.derived.empty() && plan.manifest && plan.manifest->entryLine > 0; // then the launch has a line of its own
    for (const LeftOut& left : plan.leftOut) {
        if (asksForSize(left.axis))
            continue;
        result.hazards.push_back({ .kind = analysis::HazardKind::LeftOut,
            .line = isRead ? std::uint32_t(plan.manifest->entryLine) : program.instructions.front().lineToName(),
            .detail = fmt::format("the grid's {} is {}, {} / {} rounded down: no block works on the last {} of {}", "xyz"[left.axis], left.all / left.each,
                left.all, left.each, left.all % left.each, left.all) });
    }
}

/// Says which real numbers of a program, which nobody knows and are drawn at random, decide about addresses or branches.
void tellOfRealsDrawn(analysis::RunResult& result, const LaunchPlan& plan, const analysis::Program& program, const analysis::GridTotals& totals)
{
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument)) {
            const bool isDrawn = part.buffer && !plan.derived.empty() && infoOf(part.buffer->type).kind == ElementKind::Float && part.buffer->fill.kind == FillKind::Random && !part.buffer->fill.hasBounds;
            if (isDrawn && std::ranges::find(totals.deciding, part.buffer->name) != totals.deciding.end() && !BufferContents::isKnown(*part.buffer))
                result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled, .line = program.instructions.front().lineToName(),
                    .detail = fmt::format("addresses or branches depend on the values in `{}`, which are not known: they are drawn at random", part.buffer->name) });
        }
}

/// Says where the GPU may count sectors of atomics more than once that are counted once here.
void tellOfMeetingAtomics(analysis::RunResult& result, const analysis::Program& program, const analysis::GridTotals& totals)
{
    constexpr double kFew = 1e-3; ///< of the sectors
    for (std::size_t i = 0; i < totals.instructions.size(); ++i) {
        const analysis::InstructionTotals& total = totals.instructions[i];
        if (double(total.openAtomicSectors) > kFew * double(total.atomicSectors))
            result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled, .line = program.instructions[i].lineToName(),
                .detail = fmt::format("lanes of one atomic want several words of a sector, and other lanes words of the same banks: the L1 may put some off and count their sectors again, up to {:.1f} % more than predicted",
                    100 * double(total.openAtomicSectors) / double(total.atomicSectors)) });
    }
}

/// Says of which variables of the module it is not known what earlier launches leave in them.
void tellOfVariables(analysis::RunResult& result, const LaunchPlan& plan, const analysis::Program& program)
{
    for (const BufferPlan& variable : plan.variables)
        if (const std::string why = BufferContents::whyUnknown(variable, "what it starts with"); !why.empty())
            result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled, .line = program.instructions.front().lineToName(), .detail = why });
}

/// Says of which memory that addresses lead to nobody knows what it holds, where that may lead further.
void tellOfPointedMemory(analysis::RunResult& result, const LaunchPlan& plan, const analysis::Program& program)
{
    const auto pointed = BufferContents().pointedBy(plan); // asked for before
    for (std::size_t i = 0; pointed && i < pointed->size(); ++i) {
        const BufferPlan& buffer = (*pointed)[i].buffer;
        if ((*pointed)[i].isUnknown && infoOf(buffer.type).kind != ElementKind::Float)
            result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled, .line = program.instructions.front().lineToName(),
                .detail = fmt::format("what the host code and launches before leave in '{}' is not known: zeros are taken", buffer.name) });
    }
}

/// Says where ptxas loads only behind the branch at which some lanes leave what the PTX loads before it: those lanes do not load it then.
/// Not looked for where the number of loads differs, as that of unrolled loops does.
void tellOfLoadsBehindExits(
    analysis::RunResult& result, const analysis::DeviceModel& device, const Prediction& prediction, const analysis::GridTotals& totals)
{
    const std::vector<analysis::Instruction>& code = prediction.program->instructions;
    const auto isLoad = [&](const analysis::Instruction& instruction) {
        return instruction.op == analysis::Opcode::Ld && instruction.mod.space == analysis::Space::Global && !instruction.isJoined;
    };
    struct Leaving {
        const analysis::Instruction* branch;
        std::ptrdiff_t before; ///< loads
    };
    std::vector<Leaving> exits;
    std::ptrdiff_t loads = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
        loads += isLoad(code[i]);
        const bool leaves = code[i].op == analysis::Opcode::Bra && code[i].guard != analysis::kNone && code[i].target < code.size()
            && code[code[i].target].op == analysis::Opcode::Exit;
        if (leaves && totals.instructions[i].executions > 0)
            exits.push_back({ &code[i], loads });
    }
    if (exits.empty() || exits.back().before == 0)
        return;
    std::ptrdiff_t machineLoads = 0;
    std::vector<std::ptrdiff_t> machineBefore;
    for (std::size_t at = 0; (at + 1) * kInstructionBytes <= prediction.machineCode.size(); ++at) {
        const MachineInstruction instruction(prediction.machineCode.data() + at * kInstructionBytes, at, device.computeMajor);
        machineLoads += instruction.kind == MachineInstruction::GlobalLoad;
        if (instruction.kind == MachineInstruction::Exit && instruction.conditional)
            machineBefore.push_back(machineLoads);
    }
    if (machineLoads != loads || machineBefore.empty())
        return;
    if (machineBefore.size() != exits.size()) { // which is which is known of the last
        machineBefore = { machineBefore.back() };
        exits = { exits.back() };
    }
    for (std::size_t i = 0; i < exits.size(); ++i) {
        const auto [branch, before] = exits[i];
        if (machineBefore[i] >= before)
            continue;
        result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
            .line = branch->lineToName(),
            .detail = fmt::format("of the {} loads before this branch ptxas makes {} behind it: lanes that leave here do not load there, and "
                                  "fewer sectors are counted; with the branch before the loads both count the same", before, before - machineBefore[i]) });
        return;
    }
}

/// Where the machine code does not make the accesses of the PTX, keys that should be exact may not be: on an H200 a block's partial
/// sums, two of them loaded at once, were half the shared loads.
void tellOfOtherMachineCode(analysis::RunResult& result, const analysis::Traffic& traffic)
{
    if (!traffic.machineFits)
        result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
            .detail = "the accesses of the machine code could not be matched with those of the PTX, from which all is counted: ptxas may "
                      "have joined or repeated some; a measurement tells" });
}

/// Says that blocks fill sectors together, and how far apart they are was not followed.
void tellOfFarApart(analysis::RunResult& result, const analysis::Traffic& traffic, const analysis::Program& program)
{
    if (traffic.filledFarApart)
        result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
            .line = program.instructions.front().lineToName(),
            .detail = "blocks that are far from each other fill the same sectors: how often DRAM must complete them meanwhile is not modelled, and the time "
                      "may be several times as long" });
}

/// Whether the source is a built-in kernel's, to which the time model was fitted.
bool isOfCatalogue(const LaunchPlan& plan)
{
    const auto kernel = kernelNamed(plan.kernel);
    return kernel && (*kernel)->source == plan.source;
}

void fill(MetricValues& values, const analysis::CacheSectors& sectors, double durationNs)
{
    values.set(Metric::L1ReadSectors, sectors.l1Read);
    values.set(Metric::L1WriteSectors, sectors.l1Write);
    values.set(Metric::L2ReadSectors, sectors.l2Read);
    values.set(Metric::L2WriteSectors, sectors.l2Write);
    values.set(Metric::DramReadSectors, sectors.dramRead);
    values.set(Metric::DramWriteSectors, sectors.dramWrite);
    values.set(Metric::Duration, durationNs);
}

void fillEstimates(analysis::RunResult& result, const LaunchPlan& plan, const analysis::DeviceModel& device,
    const Prediction& prediction, const analysis::GridTotals& totals)
{
    const analysis::Traffic traffic = trafficOf(device, prediction, totals);
    tellOfOtherMachineCode(result, traffic);
    tellOfFarApart(result, traffic, *prediction.program);
    const analysis::Estimate estimate = analysis::estimate(device, traffic, *result.occupancy);
    fill(result.metrics, estimate.sectors, estimate.time.estimateNs.value_or(0));
    fill(result.emptied, estimate.emptiedSectors, estimate.emptiedNs);
    result.time = estimate.time;
    const analysis::ErrorBasis basis { .registersKnown = result.occupancy->registersPerThread.has_value(),
        .ofCatalogue = isOfCatalogue(plan),
        .ledByData = prediction.ledByData };
    for (const analysis::MetricInfo& info : analysis::metricTable())
        if (const auto error = analysis::recordedError(device, info.metric, basis))
            result.estimateErrors.set(info.metric, *error);
    result.time.estimateError = result.estimateErrors.get(Metric::Duration);
}

Result<void> addVerification(
    analysis::RunResult& result, const LaunchPlan& plan, const PredictOptions& options)
{
    auto verification = verify(plan, options);
    if (!verification)
        return std::unexpected(verification.error());
    result.verified = verification->verified;
    result.verifyDetail = verification->detail;
    for (analysis::Hazard& hazard : verification->hazards) {
        const auto same = [&](const analysis::Hazard& other) {
            return other.kind == hazard.kind && other.line == hazard.line
                && other.otherLine == hazard.otherLine;
        };
        if (std::ranges::none_of(result.hazards, same))
            result.hazards.push_back(std::move(hazard));
    }
    return {};
}

} // namespace

Result<Prediction> predict(const LaunchPlan& plan, const PredictOptions& options)
{
    const auto device = analysis::deviceNamed(options.device);
    if (!device)
        return std::unexpected(device.error());
    auto decoded = decodeToLaunch(plan, options);
    if (!decoded)
        return std::unexpected(decoded.error());
    auto launch = modelledLaunch(plan, *decoded->program, options.stop);
    if (!launch)
        return std::unexpected(launch.error());
    takeVariables(decoded->program, *launch);
    const analysis::Program& program = *decoded->program;
    if (auto legal = analysis::checkLaunch(
            **device, *launch, program.staticSharedBytes, decoded->registersPerThread);
        !legal)
        return std::unexpected(legal.error());
    if (auto legal = analysis::checkLaunchBounds(program, launch->grid, launch->block); !legal)
        return std::unexpected(legal.error());

    if (program.isCooperative) {
        if (auto legal = analysis::checkCooperative(**device, *launch, program.staticSharedBytes, decoded->registersPerThread); !legal)
            return std::unexpected(legal.error());
    }

    const Stopwatch analyseWatch;
    bool areWaiting = false;
    auto totals = totalsOfBlocks(program, *launch, { .threads = options.threads, .stop = options.stop, .progress = options.progress }, areWaiting);
    if (!totals)
        return std::unexpected(totals.error());

    Prediction prediction;
    prediction.program = decoded->program;
    prediction.launch = *std::move(launch);
    prediction.compiler = decoded->compiler;
    prediction.machineCode = std::move(decoded->machineCode);
    prediction.blocksExecuted = totals->blocksExecuted;
    prediction.blocks = totals->blocks;
    prediction.ledByData = totals->valuesNeeded;
    analysis::RunResult& result = prediction.result;
    result.kernel = plan.kernel;
    result.device = options.device;
    result.deviceVerified = (*device)->verified;
    result.launch = launchInfo(plan, program.staticSharedBytes);
    result.hazards = totals->hazards;
    dropDecidedByRaces(result.hazards);
    fillCounts(result, plan, program, *totals);
    tellOfWaits(result, prediction, *totals);
    if (areWaiting)
        result.hazards.push_back({ .kind = analysis::HazardKind::NotModelled,
            .detail = "blocks wait for what others write, as in a scan that looks back: they were executed in order first, and each finds what all have left; the GPU looks oftener" });
    tellOfCopiesOfZeros(result, program, *totals);
    tellOfLocalMemory(result, **device, prediction, *totals);
    tellOfLoadsBehindExits(result, **device, prediction, *totals);
    tellOfUnknownContents(result, plan, program);
    tellOfRealsDrawn(result, plan, program, *totals);
    tellOfMeetingAtomics(result, program, *totals);
    tellOfLeftOut(result, plan, program);
    tellOfVariables(result, plan, program);
    tellOfPointedMemory(result, plan, program);
    tellOfGuesses(result, plan);
    result.occupancy = analysis::occupancyOf(**device, plan.grid, plan.block,
        program.staticSharedBytes + plan.dynamicSharedBytes, decoded->registersPerThread);
    fillEstimates(result, plan, **device, prediction, *totals);
    prediction.counts = std::move(totals->instructions);
    result.milliseconds["compile"] = decoded->compileMs;
    result.milliseconds["decode"] = decoded->decodeMs;
    result.milliseconds["analyse"] = analyseWatch.milliseconds();
    if (options.verify) {
        const Stopwatch verifyWatch;
        if (auto done = addVerification(result, plan, options); !done)
            return std::unexpected(done.error());
        result.milliseconds["verify"] = verifyWatch.milliseconds();
    }
    return prediction;
}

analysis::LaunchInfo launchInfo(const LaunchPlan& plan, std::uint32_t staticSharedBytes)
{
    analysis::LaunchInfo info { .grid = plan.grid,
        .block = plan.block,
        .staticSharedBytes = staticSharedBytes,
        .dynamicSharedBytes = plan.dynamicSharedBytes,
        .parameters = plan.parameters,
        .arguments = plan.argumentSpecs };
    if (plan.parameters.empty())
        info.parameters.insert(plan.defines.begin(), plan.defines.end());
    return info;
}

Result<analysis::BlockTrace> traceBlock(
    const Prediction& prediction, analysis::Dim3 block, std::stop_token stop)
{
    return analysis::traceBlock(*prediction.program, prediction.launch, block, std::move(stop));
}

} // namespace coalescope::kernels
