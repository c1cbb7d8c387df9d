// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/sweep_texts.h"

#include "app/core/texts.h"

#include <QLocale>

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace coalescope::app {
namespace {

    /// "Block x 32, Block y 8": what a launch has of each axis.
    QString launchName(const SweepOrder& order, std::size_t launch)
    {
        QStringList parts;
        const std::vector<std::size_t> place = placeOf(order, launch);
        for (std::size_t axis = 0; axis < place.size(); ++axis) {
            const kernels::SweepAxis& values = order.request.axes[axis];
            parts << labelOfParameter(*order.spec, values.name) + QLatin1Char(' ')
                    + valueText(*order.spec, values.name, values.values[place[axis]]);
        }
        return parts.join(QStringLiteral(", "));
    }

    QString measuredLine(const SweepEntry& entry, double value, const SweepMetric& metric)
    {
        return entry.origin == MeasurementOrigin::Recorded
            ? Sweeps::tr("recorded: %1 on %2").arg(metric.text(value), QString::fromStdString(entry.measured->gpu))
            : Sweeps::tr("measured: %1 on %2").arg(metric.text(value), QString::fromStdString(entry.measured->gpu));
    }

    /// What a picture, or the whole sweep, comes to.
    struct Summary {
        std::size_t launches = 0, illegal = 0, faulty = 0, sound = 0, unknown = 0;
        std::optional<std::size_t> best, worst; ///< of the sound launches
        double bestValue = 0, worstValue = 0;
        std::set<std::string> works; ///< of the sound launches, as far as they are not to be compared
        std::size_t asGood = 0; ///< other sound launches
        std::size_t withinError = 0; ///< further ones that the prediction's mean error does not tell from the best
        double error = 0; ///< the mean relative error of the best's predicted time
        QString problem; ///< of the first allowed launch that has one

        [[nodiscard]] bool isOfOneWork() const { return works.size() <= 1; }
    };

    std::vector<std::size_t> launchesShown(const SweepOrder& order, const SweepLook& look)
    {
        std::vector<std::size_t> launches(valuesOnAxis(order, look.x) * valuesOnAxis(order, look.y));
        for (std::size_t cell = 0; cell < launches.size(); ++cell)
            launches[cell] = launchOfCell(order, look, int(cell));
        return launches;
    }

    /// Those of the whole sweep that what is shown can be compared with.
    std::vector<std::size_t> launchesLike(const Summary& shown, const SweepData& data, const SweepLook& look)
    {
        std::vector<std::size_t> launches(data.order.launches());
        std::iota(launches.begin(), launches.end(), std::size_t(0));
        if (!shown.works.empty())
            std::erase_if(launches, [&](std::size_t launch) { return !shown.works.contains(comparedAs(look, data.entries[launch])); });
        return launches;
    }

    Summary summaryOf(const SweepData& data, const SweepLook& look, const std::vector<std::size_t>& launches)
    {
        Summary summary { .launches = launches.size() };
        for (const std::size_t launch : launches) {
            const SweepEntry& entry = data.entries[launch];
            summary.illegal += entry.illegal.empty() ? 0 : 1;
            summary.unknown += entry.isKnown() ? 0 : 1;
            if (summary.problem.isEmpty() && entry.illegal.empty())
                summary.problem = entry.problem;
            const auto value = figuresOf(entry, look.metric).of(look.side);
            if (!value)
                continue;
            const bool faulty = hasFault(entry);
            summary.faulty += faulty ? 1 : 0;
            if (faulty)
                continue;
            ++summary.sound;
            summary.works.insert(comparedAs(look, entry));
            const auto rank = [&](std::size_t of, double figure) { return std::pair(rankOf(look, figure), of); }; // of equals the first, however they are shown
            if (!summary.best || rank(launch, *value) < rank(*summary.best, summary.bestValue)) {
                summary.best = launch;
                summary.bestValue = *value;
            }
            if (!summary.worst || rankOf(look, *value) > rankOf(look, summary.worstValue)) {
                summary.worst = launch;
                summary.worstValue = *value;
            }
        }
        if (summary.best && look.side == SweepSide::Predicted && look.metric.isTime())
            summary.error = data.entries[*summary.best].predicted->time.estimateError.value_or(0);
        for (const std::size_t launch : launches) {
            const auto value = figuresOf(data.entries[launch], look.metric).of(look.side);
            const bool isAnother = value && launch != summary.best && !hasFault(data.entries[launch]);
            if (isAnother && isAsGood(look, *value, summary.bestValue))
                ++summary.asGood;
            else if (isAnother && rankOf(look, *value) <= rankOf(look, summary.bestValue) * (1 + summary.error))
                ++summary.withinError;
        }
        return summary;
    }

    /// Which launches the best and the worst are of: the sweep's, or a slice's that may hold the best of all.
    QString endsSentence(const SweepLook& look, bool isSlice, bool bestElsewhere)
    {
        if (look.side == SweepSide::Error) {
            return !isSlice    ? Sweeps::tr("Nearest: %1, %2. Furthest off: %3, %4.")
                : bestElsewhere ? Sweeps::tr("Nearest of this slice: %1, %2. Furthest off: %3, %4.")
                                : Sweeps::tr("Nearest of all: %1, %2. Furthest off in this slice: %3, %4.");
        }
        return !isSlice    ? Sweeps::tr("Best: %1, %2. Worst: %3, %4.")
            : bestElsewhere ? Sweeps::tr("Best of this slice: %1, %2. Worst: %3, %4.")
                            : Sweeps::tr("Best of all: %1, %2. Worst of this slice: %3, %4.");
    }

}

QString titleOf(const SweepLook& look)
{
    QString title = look.metric.label();
    if (look.side == SweepSide::Error)
        return Sweeps::tr("%1: difference, measured over predicted").arg(title);
    if (!look.metric.unit().isEmpty())
        title += QStringLiteral(", ") + look.metric.unit();
    return look.side == SweepSide::Predicted ? Sweeps::tr("%1, predicted").arg(title) : Sweeps::tr("%1, measured").arg(title);
}

QString textOfValue(const SweepLook& look, double value)
{
    return look.side == SweepSide::Error ? errorText(value) : look.metric.text(value);
}

QString problemText(const SweepEntry& entry)
{
    if (entry.illegal.empty())
        return entry.problem;
    QStringList sentences;
    for (const kernels::LocalizedText& sentence : entry.illegal)
        sentences << localized(sentence);
    return sentences.join(QLatin1Char(' '));
}

QString launchText(const SweepOrder& order, const SweepEntry& entry, std::size_t launch, const SweepMetric& metric)
{
    QStringList lines { launchName(order, launch) };
    if (!entry.isKnown())
        lines << Sweeps::tr("not yet predicted");
    else if (!entry.illegal.empty())
        lines << Sweeps::tr("not allowed: %1").arg(problemText(entry));
    else if (!entry.problem.isEmpty())
        lines << Sweeps::tr("no result: %1").arg(entry.problem);
    if (hasFault(entry)) {
        for (const analysis::Hazard& hazard : entry.predicted->hazards) {
            const QString fault = Sweeps::tr("faulty: %1").arg(titleOf(hazard));
            if (isFault(hazard.kind) && !lines.contains(fault))
                lines << fault;
        }
    }
    const SweepFigures figures = figuresOf(entry, metric);
    if (figures.predicted) {
        const QString sign = metric.isEstimate() ? kEstimate : QString();
        lines << metric.label() << Sweeps::tr("predicted: %1").arg(sign + metric.text(*figures.predicted));
    }
    if (figures.measured)
        lines << measuredLine(entry, *figures.measured, metric);
    if (const auto error = figures.of(SweepSide::Error))
        lines << Sweeps::tr("difference, measured over predicted: %1").arg(errorText(*error));
    if (!entry.measureProblem.isEmpty())
        lines << Sweeps::tr("not measured: %1").arg(entry.measureProblem);
    return lines.join(QLatin1Char('\n'));
}

QString sliceSentence(const SweepData& data, const SweepLook& look)
{
    if (data.entries.empty())
        return {};
    const Summary shown = summaryOf(data, look, launchesShown(data.order, look));
    const Summary all = summaryOf(data, look, launchesLike(shown, data, look));
    const bool isSlice = shown.sound + shown.faulty < all.sound + all.faulty;
    const bool elsewhere = all.best && all.isOfOneWork()
        && (!shown.best || rankOf(look, all.bestValue) < rankOf(look, shown.bestValue));
    QStringList parts;
    const bool estimate = look.side == SweepSide::Predicted && look.metric.isEstimate();
    const auto figure = [&](double value) { return (estimate ? kEstimate : QString()) + textOfValue(look, value); };
    if (!shown.best && shown.faulty == 0) {
        if (look.side != SweepSide::Predicted)
            parts << Sweeps::tr("None of these launches is measured yet.");
        else if (!shown.problem.isEmpty())
            parts << Sweeps::tr("None of these launches has a result: %1").arg(shown.problem);
    } else if (!shown.best) {
        parts << Sweeps::tr("None of these launches is without fault.");
    } else if (!shown.isOfOneWork()) {
        parts << Sweeps::tr("%n different problems (other buffers): only launches of the same one are compared.", nullptr,
            int(shown.works.size()));
    } else if (shown.sound == 1) {
        parts << QStringLiteral("%1: %2.").arg(launchName(data.order, *shown.best), figure(shown.bestValue));
    } else if (isAsGood(look, shown.worstValue, shown.bestValue)) {
        parts << Sweeps::tr("%1: all the same, %2.").arg(titleOf(look), figure(shown.bestValue));
    } else {
        parts << endsSentence(look, isSlice, elsewhere)
                     .arg(launchName(data.order, *shown.best), figure(shown.bestValue), launchName(data.order, *shown.worst),
                         figure(shown.worstValue));
        if (shown.asGood > 0)
            parts << Sweeps::tr("%n other(s) are as good (within 0.1 %).", nullptr, int(shown.asGood));
        if (shown.withinError > 0) {
            parts << Sweeps::tr("%n more within the mean error (%1).", nullptr, int(shown.withinError))
                         .arg(QLocale().toString(shown.error * 100, 'f', 1) + QStringLiteral(" %"));
        }
    }
    if (elsewhere) {
        const QString sentence
            = look.side == SweepSide::Error ? Sweeps::tr("Nearest of all: %1, %2.") : Sweeps::tr("Best of all: %1, %2.");
        parts << sentence.arg(launchName(data.order, *all.best), figure(all.bestValue));
    }
    const QLocale locale;
    if (shown.faulty > 0)
        parts << Sweeps::tr("%n launch(es) are faulty: point at them.", nullptr, int(shown.faulty));
    if (shown.unknown > 0)
        parts << Sweeps::tr("%1 of %2 launches are not predicted.")
                     .arg(locale.toString(qulonglong(shown.unknown)), locale.toString(qulonglong(shown.launches)));
    if (shown.illegal > 0) {
        parts << Sweeps::tr("%1 of %2 launches are not allowed.")
                     .arg(locale.toString(qulonglong(shown.illegal)), locale.toString(qulonglong(shown.launches)));
    }
    return parts.join(QLatin1Char(' '));
}

QString scatterSentence(const SweepData& data, const SweepLook& look)
{
    double sum = 0, worst = 0;
    std::size_t count = 0, worstLaunch = 0;
    for (std::size_t i = 0; i < data.entries.size(); ++i) {
        const auto error = figuresOf(data.entries[i], look.metric).of(SweepSide::Error);
        if (!error)
            continue;
        ++count;
        sum += std::abs(*error);
        if (std::abs(*error) > std::abs(worst)) {
            worst = *error;
            worstLaunch = i;
        }
    }
    if (count == 0)
        return Sweeps::tr("None of these launches is measured yet.");
    if (worst == 0)
        return Sweeps::tr("Over %n measured launch(es) every prediction is the measured number.", nullptr, int(count));
    return Sweeps::tr("Over %n measured launch(es) the measurement is off the prediction by %1 % on average, most for %2 (%3).",
        nullptr, int(count))
        .arg(QLocale().toString(sum / double(count) * 100, 'f', 1), launchName(data.order, worstLaunch), errorText(worst));
}

} // namespace coalescope::app
