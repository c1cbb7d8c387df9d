// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/warp_models.h"

#include "analysis/access/atomic_model.h"
#include "analysis/access/bank_model.h"
#include "analysis/access/sector_model.h"
#include "analysis/execute/global_memory.h"
#include "app/core/texts.h"
#include "kernels/experiment/module_symbols.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace coalescope::app {
namespace {

    struct Warp {
        Q_DECLARE_TR_FUNCTIONS(WarpModels)
    };

    using analysis::Space;
    using analysis::TraceKind;
    using analysis::TraceStep;

    StripKind kindOf(const TraceStep& step)
    {
        if (step.kind == TraceKind::Barrier)
            return StripKind::Barrier;
        if (step.access.space == Space::Shared)
            return StripKind::Shared;
        return step.access.space == Space::Local ? StripKind::Local : StripKind::Global;
    }

    int lineOf(const analysis::Program& program, const TraceStep& step)
    {
        return step.instruction < program.instructions.size() ? int(program.instructions[step.instruction].lineToName()) : 0;
    }

    /// "cp.async.bulk", "ld.global.v4" of "ld.global.nc.v4.f32": what fits under a bar.
    QString shortMnemonic(const QString& mnemonic)
    {
        const QStringList parts = mnemonic.split(QLatin1Char('.'));
        QString text = QStringList(parts.mid(0, 2)).join(QLatin1Char('.'));
        for (const QString& part : parts.mid(2)) {
            if (part == QLatin1String("v2") || part == QLatin1String("v4") || part == QLatin1String("bulk"))
                text += QLatin1Char('.') + part;
        }
        return text;
    }

    /// An update whose old value nobody uses is made as a reduction, whatever the source calls it.
    QString mnemonicOf(const analysis::Program& program, const TraceStep& step)
    {
        QString mnemonic = QString::fromStdString(program.mnemonic(step.instruction));
        const QLatin1String atom("atom.");
        if (step.kind == TraceKind::Access && program.instructions[step.instruction].mod.isReduction && mnemonic.startsWith(atom))
            mnemonic.replace(0, atom.size(), QStringLiteral("red."));
        return shortMnemonic(mnemonic);
    }

    /// The array that the first active lane touches, by its name in the source; empty: it is in none, or in local memory.
    QString arrayOf(const Predicted& predicted, const TraceStep& step)
    {
        if (step.kind != TraceKind::Access || step.access.active == 0)
            return {};
        const std::uint64_t address = step.access.address[std::size_t(std::countr_zero(step.access.active))];
        const analysis::Program& program = *predicted.prediction.program;
        if (step.access.space == Space::Global) {
            const analysis::MemoryMap map(predicted.prediction.launch, program);
            const auto buffer = map.find(address, 1);
            return buffer ? QString::fromStdString(kernels::plainName(map.buffers()[*buffer].name)) : QString();
        }
        const analysis::Symbol* dynamic = nullptr; // whose size the launch tells: what no other has
        for (const analysis::Symbol& symbol : program.symbols) {
            if (symbol.space != step.access.space || symbol.space != Space::Shared)
                continue;
            if (address >= symbol.address && address < symbol.address + symbol.size)
                return QString::fromStdString(kernels::plainName(symbol.name));
            if (symbol.size == 0 && address >= symbol.address)
                dynamic = &symbol;
        }
        return dynamic != nullptr ? QString::fromStdString(kernels::plainName(dynamic->name)) : QString();
    }

    constexpr std::string_view kAtomicsTerm = "atomics", kSharedTerm = "shared";
    constexpr std::array<std::string_view, 4> kGlobalTerms { "dram", "l2", "lsu", "l1" };

    bool isOfTerm(const TraceStep& step, std::string_view term)
    {
        if (step.kind != TraceKind::Access)
            return false;
        const bool isAtomicInL2 = isAtomic(step.access) && step.access.space != Space::Shared;
        if (term == kAtomicsTerm)
            return isAtomicInL2;
        if (term == kSharedTerm)
            return step.access.space == Space::Shared;
        return !isAtomicInL2 && step.access.space != Space::Shared && isTermOfAccesses(term);
    }

    /// How often what is needed at best; 1: nothing is wasted.
    double wasteOf(const StepCost& cost)
    {
        return cost.ideal > 0 ? cost.cost / cost.ideal : 1;
    }

}

StepCost costOf(const analysis::WarpAccess& access)
{
    if (access.space == Space::Shared) {
        const auto report = analysis::bankReport(access);
        if (!report)
            return { 0, 0, Warp::tr("not modelled") };
        const int wavefronts = int(report->wavefronts);
        if (isLoop(access)) {
            const int turns = int(analysis::loopTurns(access).size());
            return { double(turns), 1, Warp::tr("%n turn(s)", nullptr, turns) };
        }
        return { double(wavefronts), double(report->phases), Warp::tr("%n wavefront(s)", nullptr, wavefronts) };
    }
    const auto report = analysis::sectorReport(access);
    if (!report)
        return { 0, 0, Warp::tr("not modelled") };
    const int sectors = int(isAtomic(access) ? analysis::atomicSectors(access) : report->sectors);
    return { double(sectors), double(report->idealSectors), Warp::tr("%n sector(s)", nullptr, sectors) };
}

StripModel stripOf(const analysis::Program& program, const std::vector<TraceStep>& steps, int current)
{
    StripModel model;
    model.current = current;
    model.items.reserve(steps.size());
    for (const TraceStep& step : steps) {
        StripItem item { .mnemonic = mnemonicOf(program, step),
            .line = lineOf(program, step),
            .kind = kindOf(step) };
        if (step.kind == TraceKind::Access) {
            const StepCost cost = costOf(step.access);
            item.store = isStore(step.access);
            item.cost = cost.cost;
            item.ideal = cost.ideal;
            item.costText = cost.text;
        }
        model.highest = std::max(model.highest, item.cost);
        model.items.push_back(std::move(item));
    }
    return model;
}

int stepOfTerm(const std::vector<TraceStep>& steps, std::string_view term)
{
    int found = -1;
    std::pair<double, double> most;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!isOfTerm(steps[i], term))
            continue;
        const StepCost cost = costOf(steps[i].access);
        if (const std::pair rank { wasteOf(cost), cost.cost }; found < 0 || rank > most) {
            most = rank;
            found = int(i);
        }
    }
    return found;
}

bool isTermOfAccesses(std::string_view term)
{
    return term == kAtomicsTerm || term == kSharedTerm || std::ranges::find(kGlobalTerms, term) != kGlobalTerms.end();
}

int worstStep(const std::vector<TraceStep>& steps, std::string_view limiter)
{
    const int ofLimiter = stepOfTerm(steps, limiter);
    if (ofLimiter >= 0 && (limiter == kAtomicsTerm || wasteOf(costOf(steps[std::size_t(ofLimiter)].access)) > 1))
        return ofLimiter;
    int worst = 0;
    double most = 1;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].kind != TraceKind::Access)
            continue;
        if (const double waste = wasteOf(costOf(steps[i].access)); waste > most) {
            most = waste;
            worst = int(i);
        }
    }
    return worst;
}

QString titleOfStep(const Predicted& predicted, const TraceStep& step)
{
    const analysis::Program& program = *predicted.prediction.program;
    const QString name = (mnemonicOf(program, step) + QLatin1Char(' ') + arrayOf(predicted, step)).trimmed();
    const int line = lineOf(program, step);
    const QString place = line > 0 ? Warp::tr("%1, line %2").arg(name).arg(line) : name;
    if (step.kind == TraceKind::Barrier)
        return Warp::tr("%1: the block waits").arg(place);
    if (step.access.space == Space::Shared)
        return Warp::tr("%1: banks and wavefronts").arg(place);
    return Warp::tr("%1: cache lines and sectors").arg(place);
}

LaneDetailModel laneDetailOf(const Predicted& predicted, const analysis::WarpAccess& access, int warp)
{
    LaneDetailModel model;
    model.access = access;
    model.block = predicted.plan.block;
    model.warp = warp;
    if (access.space == Space::Shared || access.active == 0)
        return model;
    const std::uint64_t first = access.address[std::size_t(std::countr_zero(access.active))];
    const analysis::MemoryMap map(predicted.prediction.launch, *predicted.prediction.program);
    if (const auto near = map.beside(first, 1)) {
        model.baseAddress = near->buffer->address;
        model.baseName = QString::fromStdString(near->buffer->name);
    }
    return model;
}

QString outsideText(const Predicted& predicted, const analysis::WarpAccess& access)
{
    const bool isFinding = std::ranges::find(predicted.prediction.result.hazards, analysis::HazardKind::OutOfBounds, &analysis::Hazard::kind)
        != predicted.prediction.result.hazards.end();
    if (!isFinding || access.space != Space::Global)
        return {};
    const analysis::MemoryMap map(predicted.prediction.launch, *predicted.prediction.program);
    int count = 0, first = -1;
    for (int lane = analysis::kWarpLanes - 1; lane >= 0; --lane)
        if ((access.active >> lane & 1) && !map.find(access.address[std::size_t(lane)], access.widthBytes)) {
            ++count;
            first = lane;
        }
    if (count == 0)
        return {};
    const auto near = map.beside(access.address[std::size_t(first)], access.widthBytes);
    if (!near)
        return Warp::tr("%n lane(s) reach outside of every buffer, lane %1 first.", nullptr, count).arg(first);
    const QString where = near->isBefore ? Warp::tr("%1 bytes before the start of %2") : Warp::tr("%1 bytes past the end of %2");
    return Warp::tr("%n lane(s) reach outside of every buffer: lane %1, %2.", nullptr, count)
        .arg(first)
        .arg(where.arg(formatCount(near->distance), QString::fromStdString(near->buffer->name)));
}

namespace {

    QString gridWavefronts(double wavefronts, bool isOfLine = false)
    {
        if (isOfLine)
            return Warp::tr("its line, whole grid: %1 wavefronts").arg(formatShort(wavefronts));
        return wavefronts == 1 ? Warp::tr("whole grid: 1 wavefront")
                               : Warp::tr("whole grid: %1 wavefronts").arg(formatShort(wavefronts));
    }
    QString gridSectors(double sectors, bool isOfLine = false)
    {
        if (isOfLine)
            return Warp::tr("its line, whole grid: %1 sectors").arg(formatShort(sectors));
        return sectors == 1 ? Warp::tr("whole grid: 1 sector") : Warp::tr("whole grid: %1 sectors").arg(formatShort(sectors));
    }

    /// Of atomics and bulk copies, from the line's instructions of the kind. Nothing where no rule says how they are served.
    QString gridTotalsOfInstructions(const kernels::Prediction& prediction, const TraceStep& step)
    {
        const analysis::Program& program = *prediction.program;
        const bool shared = step.access.space == Space::Shared;
        const analysis::Instruction& seen = program.instructions[step.instruction];
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < program.instructions.size(); ++i) {
            const analysis::Instruction& one = program.instructions[i];
            if (one.op == seen.op && one.file == seen.file && one.lineToName() == seen.lineToName())
                total += shared ? (prediction.counts[i].turns > 0 ? prediction.counts[i].swapWavefronts : prediction.counts[i].wavefronts)
                    : isAtomic(one) ? prediction.counts[i].atomicSectors : prediction.counts[i].sectors;
        }
        return total == 0 ? QString() : shared ? gridWavefronts(double(total)) : gridSectors(double(total));
    }

    /// Whether the line makes other accesses of the same kind, which its totals have as well.
    bool hasOthers(const kernels::Prediction& prediction, const TraceStep& step)
    {
        const std::vector<analysis::Instruction>& code = prediction.program->instructions;
        const analysis::Instruction& seen = code[step.instruction];
        std::size_t count = 0;
        for (std::size_t i = 0; i < code.size(); ++i)
            count += code[i].op == seen.op && code[i].file == seen.file && code[i].lineToName() == seen.lineToName() && code[i].mod.space == seen.mod.space
                && prediction.counts[i].executions > 0;
        return count > 1;
    }

}

QString gridTotalsOf(const Predicted& predicted, const TraceStep& step)
{
    using analysis::Metric;
    if (isAtomic(step.access) || isBulk(step.access))
        return gridTotalsOfInstructions(predicted.prediction, step);
    const int line = lineOf(*predicted.prediction.program, step);
    const bool store = step.access.op == analysis::MemoryOp::Store, isOfLine = hasOthers(predicted.prediction, step);
    for (const analysis::LineValues& values : predicted.prediction.result.lines) {
        if (int(values.line) != line || values.file != predicted.plan.sourceName)
            continue;
        if (step.access.space == Space::Shared)
            return gridWavefronts(
                values.metrics.get(store ? Metric::SharedStoreWavefronts : Metric::SharedLoadWavefronts).value_or(0), isOfLine);
        if (step.access.space == Space::Local)
            return {};
        return gridSectors(values.metrics.get(store ? Metric::GlobalStoreSectors : Metric::GlobalLoadSectors).value_or(0), isOfLine);
    }
    return {};
}

QString titleOfWarp(const analysis::Dim3& block, int warp, const analysis::Dim3& grid)
{
    const QString place = grid.z > 1 ? QStringLiteral("(%1, %2, %3)").arg(block.x).arg(block.y).arg(block.z)
        : grid.y > 1                 ? QStringLiteral("(%1, %2)").arg(block.x).arg(block.y)
                                     : QString::number(block.x);
    return Warp::tr("Block %1, warp %2").arg(place).arg(warp);
}

} // namespace coalescope::app
