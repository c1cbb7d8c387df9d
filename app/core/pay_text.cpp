// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/pay_text.h"

#include "app/core/predictor.h"
#include "app/core/texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace coalescope::app {
namespace {

    using analysis::PayCount;
    using analysis::PayFigure;
    using analysis::PayFinding;
    using analysis::PayReason;
    using analysis::PayVerdict;

    struct Pay {
        Q_DECLARE_TR_FUNCTIONS(Pay)
    };

    QString countName(const PayFinding& finding)
    {
        if (finding.count == PayCount::Sectors)
            return Pay::tr("sectors");
        if (finding.count == PayCount::DramSectors)
            return Pay::tr("sectors of DRAM");
        const bool areConflicts = finding.conflicts.changed() && finding.conflicts.moved() * finding.termNs.moved() >= 0;
        return areConflicts ? Pay::tr("bank conflicts") : Pay::tr("shared wavefronts");
    }

    QString verdictText(PayVerdict verdict)
    {
        switch (verdict) {
        case PayVerdict::Pays: return Pay::tr("It pays");
        case PayVerdict::Costs: return Pay::tr("It costs time");
        case PayVerdict::NoDifference: break;
        }
        return Pay::tr("It makes no difference");
    }

    /// Where a cold L2 decides otherwise, both.
    QString verdictText(PayVerdict warm, PayVerdict cold)
    {
        if (warm == cold)
            return verdictText(warm);
        switch (warm) {
        case PayVerdict::Pays:
            return cold == PayVerdict::Costs ? Pay::tr("It pays where the L2 is warm, and costs time where it is cold") : Pay::tr("It pays where the L2 is warm, not where it is cold");
        case PayVerdict::Costs:
            return cold == PayVerdict::Pays ? Pay::tr("It costs time where the L2 is warm, and pays where it is cold") : Pay::tr("It costs time where the L2 is warm, not where it is cold");
        case PayVerdict::NoDifference: break;
        }
        return cold == PayVerdict::Pays ? Pay::tr("It pays only where the L2 is cold") : Pay::tr("It costs time only where the L2 is cold");
    }

    QString timesText(const PayFigure& time, const QString& sign)
    {
        return QStringLiteral("%1%2 → %3 (%4)")
            .arg(sign, formatTime(time.before), formatTime(time.after), formatChange(time.before, time.after));
    }

    /// "16.8 M → 1.05 M shared wavefronts", or that they stay.
    void addFigure(QStringList& lines, const PayFigure& figure, const QString& name)
    {
        if (figure.before == 0 && figure.after == 0)
            return;
        const auto [before, after] = formatShortPair(figure.before, figure.after);
        lines << (figure.before == figure.after ? Pay::tr("%1 %2, unchanged").arg(after, name)
                                                : QStringLiteral("%1 → %2 %3").arg(before, after, name));
    }

    QString doubtText(const PayFinding& finding)
    {
        if (finding.measured && finding.predicted && *finding.measured != *finding.predicted)
            return Pay::tr("The measurement disagrees with the prediction: go by the measurement.");
        if (finding.withinError && !finding.measured)
            return Pay::tr("The difference is smaller than the mean error of the estimate: measure it.");
        return {};
    }

    void addRow(ComparisonTable& table, const QString& label, std::optional<double> before, std::optional<double> after,
        bool time, bool estimate, const QString& tip)
    {
        if (before.value_or(0) == 0 && after.value_or(0) == 0)
            return;
        const auto text = [&](std::optional<double> value) {
            if (!value)
                return QStringLiteral("–");
            return (estimate ? kEstimate : QString()) + (time ? formatTime(*value) : formatValue(*value));
        };
        TableRow row { .label = label, .predicted = text(before), .measured = text(after), .tip = tip, .key = tip };
        if (before && after) {
            row.change = formatChange(*before, *after);
            row.tone = *before == *after ? Tone::Equal : Tone::None;
        }
        table.rows.push_back(std::move(row));
    }

    std::optional<double> medianOf(const ComparisonInput& input, std::optional<analysis::TimeSample> analysis::TimeValues::*sample)
    {
        return input.measured && input.measured->time.*sample ? std::optional((input.measured->time.*sample)->medianNs) : std::nullopt;
    }

    void addHeading(ComparisonTable& table, const QString& label)
    {
        table.rows.push_back({ .kind = TableRow::Kind::Heading, .label = label });
    }

    void addTimes(ComparisonTable& table, const ComparisonInput& before, const ComparisonInput& after)
    {
        const analysis::TimeValues &a = before.predicted->time, &b = after.predicted->time;
        addHeading(table, headingOf(analysis::MetricGroup::Time));
        addRow(table, Pay::tr("warm, predicted"), a.warmNs, b.warmNs, true, true, {});
        addRow(table, Pay::tr("warm, measured"), medianOf(before, &analysis::TimeValues::warm),
            medianOf(after, &analysis::TimeValues::warm), true, false, {});
        addRow(table, Pay::tr("cold, predicted"), a.coldNs, b.coldNs, true, true, {});
        addRow(table, Pay::tr("cold, measured"), medianOf(before, &analysis::TimeValues::cold),
            medianOf(after, &analysis::TimeValues::cold), true, false, {});
    }

    QString changeText(const PayFigure& ns)
    {
        return formatTime(ns.before) + QStringLiteral(" → ") + formatTime(ns.after);
    }

    QString longestText(const PayFinding& finding)
    {
        const QString before = termLabel(finding.limiterBefore);
        if (finding.limiterBefore == finding.limiterAfter)
            return Pay::tr("The longest before and after: %1 (%2).").arg(before, changeText(finding.limiterNs));
        return Pay::tr("The longest was %1 with %2, then %3 with %4.")
            .arg(before, formatTime(finding.limiterNs.before), termLabel(finding.limiterAfter),
                formatTime(finding.limiterNs.after));
    }

    /// Whether the term led before it fell, or does since it rose.
    bool isLed(const PayFinding& finding)
    {
        return finding.term == (finding.predicted == PayVerdict::Pays ? finding.limiterBefore : finding.limiterAfter);
    }

    /// Beside a term that the time follows without being the longest, what is.
    QString besideLongest(const QString& sentence, const PayFinding& finding)
    {
        return isLed(finding) ? sentence : sentence + QLatin1Char(' ') + longestText(finding);
    }

    /// DRAM takes another time for what it moved before.
    QString sameSectorsText(const PayFinding& finding)
    {
        const bool isSame = finding.term == "dram" && !finding.otherDevice && finding.dramSectors.before > 0 && !finding.dramSectors.changed();
        return isSame ? QLatin1Char(' ') + Pay::tr("It moves as many sectors: the order in which they are asked for makes the difference.") : QString();
    }

    QString severalText(const PayFinding& finding)
    {
        const QString sentence = finding.predicted == PayVerdict::Pays
            ? Pay::tr("Several parts of the time get shorter, none of them by that much: %1 (%2), %3 (%4).")
            : Pay::tr("Several parts of the time get longer, none of them by that much: %1 (%2), %3 (%4).");
        return sentence.arg(termLabel(finding.term), changeText(finding.termNs), termLabel(finding.otherTerm), changeText(finding.otherNs));
    }

    /// Parts that overlap take less in all than one after another.
    QString overlapText(const PayFinding& finding)
    {
        const QString term = termLabel(finding.term), change = changeText(finding.termNs);
        if (finding.predicted != PayVerdict::NoDifference) {
            const bool isFaster = finding.predicted == PayVerdict::Pays;
            QStringList sentences { isFaster ? Pay::tr("No part of the time gets that much shorter: the parts overlap more.")
                                             : Pay::tr("No part of the time gets that much longer: the parts overlap less.") };
            if (!finding.term.empty() && !isLed(finding))
                sentences << Pay::tr("The most is from %1 (%2).").arg(term, change);
            return (sentences << longestText(finding)).join(QLatin1Char(' '));
        }
        return finding.termNs.moved() < 0
            ? Pay::tr("One part gets shorter (%1: %2), the whole does not: the parts overlap less.").arg(term, change)
            : Pay::tr("One part gets longer (%1: %2), the whole does not: the parts overlap more.").arg(term, change);
    }

}

QString whyText(const PayFinding& finding)
{
    const QString term = termLabel(finding.term);
    const QString change = changeText(finding.termNs);
    switch (finding.reason) {
    case PayReason::Follows:
    case PayReason::AnotherLeads:
        return besideLongest(Pay::tr("The time follows the %1 (%2: %3).").arg(countName(finding), term, change), finding);
    case PayReason::Beside:
        if (finding.count == PayCount::None)
            return Pay::tr("What changes costs nothing here (%1: %2): %3 is the limiter with %4.")
                .arg(term, change, termLabel(finding.limiterAfter), formatTime(finding.limiterNs.after));
        return Pay::tr("The %1 cost nothing here: %2 is the limiter with %3 (%4: %5).")
            .arg(countName(finding), termLabel(finding.limiterAfter), formatTime(finding.limiterNs.after), term,
                formatTime(std::max(finding.termNs.before, finding.termNs.after)));
    case PayReason::OtherTerm:
        return besideLongest(Pay::tr("What moves the time is %1: %2.").arg(term, change) + sameSectorsText(finding), finding);
    case PayReason::Several: return besideLongest(severalText(finding), finding);
    case PayReason::Balanced:
        return Pay::tr("What one part of the time gains another loses: %1 %2, %3 %4.")
            .arg(term, change, termLabel(finding.otherTerm), changeText(finding.otherNs));
    case PayReason::Overlap: return overlapText(finding);
    case PayReason::Unexplained:
        return Pay::tr("No part of the time explains it: the parts are of one launch as the profiler times it, "
                       "the whole of launches in a row.");
    case PayReason::Nothing: return Pay::tr("Nothing that takes time is different.");
    case PayReason::Unknown: break;
    }
    return Pay::tr("There is no estimate of the time for both.");
}

PayText textOf(const PayFinding& finding)
{
    PayText text;
    if (const auto verdict = finding.measured ? finding.measured : finding.predicted)
        text.verdict = verdictText(*verdict, finding.cold.value_or(*verdict));
    QStringList times;
    if (finding.predictedNs)
        times << Pay::tr("predicted %1").arg(timesText(*finding.predictedNs, kEstimate));
    if (finding.measuredNs)
        times << Pay::tr("measured %1").arg(timesText(*finding.measuredNs, {}));
    if (finding.cold && finding.cold != (finding.measured ? finding.measured : finding.predicted))
        times << Pay::tr("L2 cold %1").arg(changeText(*finding.coldNs));
    text.figures << times.join(QStringLiteral(", "));
    addFigure(text.figures, finding.sectors, Pay::tr("sectors"));
    if (finding.count == PayCount::DramSectors)
        addFigure(text.figures, finding.dramSectors, Pay::tr("sectors of DRAM"));
    addFigure(text.figures, finding.wavefronts, Pay::tr("shared wavefronts"));
    addFigure(text.figures, finding.conflicts, Pay::tr("bank conflicts"));
    text.why = whyText(finding);
    if (finding.reason == PayReason::AnotherLeads)
        text.why += QLatin1Char(' ')
            + Pay::tr("Then %1 leads with %2: fewer %3 than that would gain little.")
                  .arg(termLabel(finding.limiterAfter), formatTime(finding.limiterNs.after), countName(finding));
    text.doubt = doubtText(finding);
    return text;
}

QString differText(const analysis::RunResult& a, const analysis::RunResult& b)
{
    const auto text = [](const std::string& any) { return QString::fromStdString(any); };
    const QString deviceA = deviceName(text(a.device)), deviceB = deviceName(text(b.device));
    if (a.kernel != b.kernel && a.device != b.device)
        return Pay::tr("A is %1 on %2, B is %3 on %4.").arg(text(a.kernel), deviceA, text(b.kernel), deviceB);
    if (a.device != b.device)
        return Pay::tr("A is on %1, B is on %2.").arg(deviceA, deviceB);
    return a.kernel != b.kernel ? Pay::tr("A is %1, B is %2.").arg(text(a.kernel), text(b.kernel)) : QString();
}

QString faultText(const analysis::RunResult& before, const analysis::RunResult& after)
{
    const auto fault = [](const analysis::RunResult& result) {
        const auto hazard = std::ranges::find_if(result.hazards, [](const analysis::Hazard& each) { return isFault(each.kind); });
        return hazard == result.hazards.end() ? Pay::tr("wrong output") : titleOf(*hazard);
    };
    if (isFaulty(before) && isFaulty(after))
        return Pay::tr("A and B are faulty (A: %1; B: %2).").arg(fault(before), fault(after));
    if (isFaulty(before))
        return Pay::tr("A is faulty (%1), B is not.").arg(fault(before));
    return isFaulty(after) ? Pay::tr("B is faulty (%1), A is not.").arg(fault(after)) : QString();
}

ComparisonTable payTable(const ComparisonInput& before, const ComparisonInput& after)
{
    ComparisonTable table { .measuredHeading = QStringLiteral("B"), .predictedHeading = QStringLiteral("A") };
    if (!before.predicted || !after.predicted)
        return table;
    addTimes(table, before, after);
    std::optional<analysis::MetricGroup> group;
    for (const analysis::MetricInfo& info : analysis::metricTable()) {
        if (info.group == analysis::MetricGroup::Time)
            continue;
        const auto a = before.predicted->metrics.get(info.metric), b = after.predicted->metrics.get(info.metric);
        if (a.value_or(0) == 0 && b.value_or(0) == 0)
            continue;
        if (std::exchange(group, info.group) != info.group)
            addHeading(table, headingOf(info.group));
        addRow(table, labelOf(info.metric), a, b, false, info.exactness == analysis::Exactness::Estimate,
            QString::fromUtf8(info.key));
    }
    return table;
}

} // namespace coalescope::app
