// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/reading/reading.h"

#include "analysis/access/atomic_model.h"
#include "app/views/draw/draw.h"
#include "app/views/reading/phrases.h"

#include <cstdlib>

namespace coalescope::app {
namespace {

using analysis::SectorReport;
using analysis::WarpAccess;

struct Global {
    const WarpAccess& access;
    const SectorReport& report;
    Pattern pattern;

    [[nodiscard]] std::uint64_t moved() const
    {
        return std::uint64_t(report.sectors) * analysis::kSectorBytes;
    }
    [[nodiscard]] bool full() const { return report.usedBytes == moved(); }
    [[nodiscard]] bool neighbours() const
    {
        return pattern.stride && std::abs(*pattern.stride) == access.widthBytes;
    }
    [[nodiscard]] int startInSector() const { return int(pattern.lowest % analysis::kSectorBytes); }
    [[nodiscard]] QString used() const
    {
        return full() ? Phrases::tr("every byte that moves is used")
                      : Phrases::tr("%1 of what moves is used")
                            .arg(formatPercent(double(report.usedBytes) / double(moved())));
    }
};

QString neighbourSentence(const Global& g)
{
    const int lanes = g.pattern.lanes;
    const QString values = Phrases::values(std::uint64_t(lanes), g.access.widthBytes);
    const QString subject
        = Phrases::tr("%1 %2 %3")
              .arg(Phrases::lanes(lanes), Phrases::verb(g.access.op, lanes), values);
    if (g.full())
        return Phrases::tr("%1: every byte of every sector is used.").arg(subject);
    if (g.report.sectors > g.report.idealSectors)
        return Phrases::tr("%1 that start %2 into a sector: %3 where %4 would do; %5.")
            .arg(subject, Phrases::bytes(std::uint64_t(g.startInSector())),
                Phrases::sectors(g.report.sectors), formatCount(g.report.idealSectors), g.used());
    return Phrases::tr("%1: %2; %3.").arg(subject, Phrases::sectors(g.report.sectors), g.used());
}

QString groupSentence(const Global& g)
{
    const Pattern& p = g.pattern;
    const int groups = p.lanes / p.groupLanes;
    if (p.groupOuter == 0)
        return Phrases::tr("%1 groups of %2 lanes ask for the same %3: %4; %5.")
            .arg(groups)
            .arg(p.groupLanes)
            .arg(Phrases::bytes(g.report.usedBytes), Phrases::sectors(g.report.sectors), g.used());
    QString inner;
    if (p.groupInner == 0)
        inner = Phrases::tr("%1 groups of %2 lanes that share an address")
                    .arg(groups)
                    .arg(p.groupLanes);
    else if (std::abs(p.groupInner) == g.access.widthBytes)
        inner = Phrases::tr("%1 rows of %2 neighbouring values").arg(groups).arg(p.groupLanes);
    else
        inner = Phrases::tr("%1 groups of %2 lanes, lanes %3 B apart")
                    .arg(groups)
                    .arg(p.groupLanes)
                    .arg(formatCount(std::uint64_t(std::abs(p.groupInner))));
    return Phrases::tr("%1, each %2 B from the next: %3 for %4 useful bytes; %5.")
        .arg(inner, formatCount(std::uint64_t(std::abs(p.groupOuter))),
            Phrases::sectors(g.report.sectors), formatCount(g.report.usedBytes), g.used());
}

QString globalSentence(const Global& g)
{
    const Pattern& p = g.pattern;
    const QString sectors = Phrases::sectors(g.report.sectors);
    if (p.lanes == 0)
        return Phrases::tr("No lane is active: nothing moves.");
    if (p.broadcast())
        return Phrases::tr("%1 %2 the same %3: %4; %5.")
            .arg(Phrases::lanes(p.lanes), Phrases::verb(g.access.op, p.lanes),
                Phrases::bytes(g.access.widthBytes), sectors, g.used());
    if (p.lanes == 1 || g.neighbours())
        return neighbourSentence(g);
    if (p.stride)
        return (p.gaps ? Phrases::tr("Active lanes are %1 B apart: %2 for %3 useful bytes; %4.")
                       : Phrases::tr("Lanes are %1 B apart: %2 for %3 useful bytes; %4."))
            .arg(formatCount(std::uint64_t(std::abs(*p.stride))), sectors,
                formatCount(g.report.usedBytes), g.used());
    if (p.groupLanes > 0)
        return groupSentence(g);
    if (g.full())
        return Phrases::tr(
            "%1 ask for %2 bytes, in no even order, that fill %3: every byte is used.")
            .arg(Phrases::lanes(p.lanes), formatCount(g.report.usedBytes), sectors);
    return Phrases::tr("%1 ask for %2 bytes, in no even order, in %3 of %4; %5.")
        .arg(Phrases::lanes(p.lanes), formatCount(g.report.usedBytes), sectors,
            Phrases::count(
                g.report.tags, Phrases::tr("1 cache line"), Phrases::tr("%1 cache lines")),
            g.used());
}

QString globalRemark(const Global& g)
{
    const QString partial = g.pattern.lanes > 1 ? Phrases::partial(g.pattern.lanes) : QString();
    if (g.report.sectors <= g.report.idealSectors)
        return partial;
    // Lanes that ask for the same bytes share them.
    const auto fewest = std::min<std::uint64_t>(g.report.idealSectors, (g.report.usedBytes + analysis::kSectorBytes - 1) / analysis::kSectorBytes);
    const QString ideal = Phrases::sectors(fewest);
    if (g.neighbours())
        return Phrases::join(partial,
            Phrases::tr("Starting at a multiple of 32 bytes, the same access needs %1.")
                .arg(ideal));
    return Phrases::join(
        partial, Phrases::tr("Side by side, what the lanes ask for needs %1.").arg(ideal));
}

/// What the GPU makes of lanes that update one word; nothing where none do.
QString atomicRemark(const Global& g)
{
    if (!isAtomic(g.access) || g.pattern.lanes <= 1)
        return {};
    if (g.access.isOneLanes)
        return Phrases::tr("The compiler puts together what the lanes do, and one lane updates the word.");
    const std::uint32_t counted = analysis::atomicSectors(g.access);
    return counted <= g.report.sectors
        ? QString()
        : Phrases::tr("Lanes that update one word come one after another: the GPU counts %1.").arg(Phrases::sectors(counted));
}

/// Its bytes lie side by side on both sides: all that can be wasted is at the borders of sectors.
Reading readBulk(const Global& g)
{
    const QString bytes = Phrases::bytes(g.report.usedBytes), sectors = Phrases::sectors(g.report.sectors);
    const bool loads = g.access.op == analysis::MemoryOp::BulkLoad;
    const QString alone = Phrases::tr("One thread starts it; it passes by L1 and the load/store unit.");
    if (g.report.sectors <= g.report.idealSectors)
        return { (loads ? Phrases::tr("A bulk copy fetches %1 for a line of shared memory: %2; %3.")
                        : Phrases::tr("A bulk copy stores %1 from a line of shared memory: %2; %3."))
                     .arg(bytes, sectors, g.used()),
            alone };
    return { (loads ? Phrases::tr("A bulk copy fetches %1 for a line of shared memory, from %2 into a sector: %3 where %4 would do; %5.")
                    : Phrases::tr("A bulk copy stores %1 from a line of shared memory, from %2 into a sector: %3 where %4 would do; %5."))
                 .arg(bytes, Phrases::bytes(std::uint64_t(g.startInSector())), sectors, formatCount(g.report.idealSectors), g.used()),
        Phrases::join(alone,
            Phrases::tr("Global and shared address alike, but for multiples of 32 bytes, need %1.").arg(Phrases::sectors(g.report.idealSectors))) };
}

} // namespace

Reading readGlobal(const WarpAccess& access, const SectorReport& report)
{
    const Global g { access, report, patternOf(access) };
    if (isBulk(access))
        return readBulk(g);
    return { globalSentence(g), Phrases::join(globalRemark(g), atomicRemark(g)) };
}

Reading readAccess(const WarpAccess& access)
{
    if (access.space == analysis::Space::Shared) {
        const auto report = analysis::bankReport(access);
        if (report)
            return readShared(access, *report);
        return { Phrases::tr("These wavefronts are not modelled: %1.")
                     .arg(QString::fromStdString(report.error().detail)),
            {} };
    }
    if (access.space == analysis::Space::Global) {
        const auto report = analysis::sectorReport(access);
        if (report)
            return readGlobal(access, *report);
        return { Phrases::tr("These sectors are not modelled: %1.")
                     .arg(QString::fromStdString(report.error().detail)),
            {} };
    }
    const int lanes = patternOf(access).lanes;
    const auto report = analysis::sectorReport(access);
    if (lanes == 0 || !report)
        return { Phrases::tr("No lane is active: nothing moves."), {} };
    return { Phrases::tr("%1 %2 %3 each, in local memory: %4.")
                 .arg(Phrases::lanes(lanes), Phrases::verb(access.op, lanes),
                     Phrases::bytes(access.widthBytes), Phrases::sectors(report->sectors)),
        report->sectors > report->idealSectors
            ? Phrases::tr("At the same element, the lanes need %1: a word of each lies beside that of the next.").arg(Phrases::sectors(report->idealSectors))
            : Phrases::tr("A word of each lane lies beside that of the next.") };
}

} // namespace coalescope::app
