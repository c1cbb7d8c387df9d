// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_models.h"

#include "app/core/texts.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

    struct Sweeps {
        Q_DECLARE_TR_FUNCTIONS(Sweeps)
    };

    constexpr double kDecades = 6; ///< a larger ratio of most to least is shown by its logarithm
    constexpr std::size_t kMostWritten = 1200; ///< more cells are too small for a value

    struct Figures {
        std::optional<double> predicted, measured;

        [[nodiscard]] std::optional<double> of(SweepSide side) const
        {
            switch (side) {
            case SweepSide::Predicted: return predicted;
            case SweepSide::Measured: return measured;
            case SweepSide::Error: break;
            }
            return predictionError(predicted, measured);
        }
    };

    Figures figuresOf(const SweepEntry& entry, const SweepMetric& metric)
    {
        return { entry.predicted ? metric.valueOf(*entry.predicted) : std::nullopt,
            entry.measured ? metric.valueOf(*entry.measured) : std::nullopt };
    }

    std::size_t valuesOnAxis(const SweepOrder& order, int axis)
    {
        return axis < 0 ? 1 : order.request.axes[std::size_t(axis)].values.size();
    }

    /// The index of a launch's value on every axis.
    std::vector<std::size_t> placeOf(const SweepOrder& order, std::size_t launch)
    {
        std::vector<std::size_t> place(order.request.axes.size());
        for (std::size_t axis = place.size(); axis-- > 0;) {
            const std::size_t size = order.request.axes[axis].values.size();
            place[axis] = launch % size;
            launch /= size;
        }
        return place;
    }

    std::size_t launchAt(const SweepOrder& order, const std::vector<std::size_t>& place)
    {
        std::size_t launch = 0;
        for (std::size_t axis = 0; axis < place.size(); ++axis)
            launch = launch * order.request.axes[axis].values.size() + place[axis];
        return launch;
    }

    QString axisTitle(const SweepOrder& order, int axis)
    {
        return axis < 0 ? QString() : labelOfParameter(*order.spec, order.request.axes[std::size_t(axis)].name);
    }

    QStringList axisLabels(const SweepOrder& order, int axis)
    {
        QStringList labels;
        if (axis < 0)
            return { QString() };
        for (const std::string& value : order.request.axes[std::size_t(axis)].values)
            labels << QString::fromStdString(value);
        return labels;
    }

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

    QString sideTitle(const SweepLook& look)
    {
        QString title = look.metric.label();
        if (look.side == SweepSide::Error)
            return Sweeps::tr("%1: predicted over measured").arg(title);
        if (!look.metric.unit().isEmpty())
            title += QStringLiteral(", ") + look.metric.unit();
        return look.side == SweepSide::Predicted ? Sweeps::tr("%1, predicted").arg(title) : Sweeps::tr("%1, measured").arg(title);
    }

    CellState stateOf(const SweepEntry& entry, bool hasValue)
    {
        if (!entry.isKnown())
            return CellState::Waiting;
        if (!entry.illegal.empty())
            return CellState::Illegal;
        if (!entry.problem.isEmpty())
            return CellState::Failed;
        return hasValue ? CellState::Known : CellState::Absent;
    }

    QString textOfValue(const SweepLook& look, double value)
    {
        return look.side == SweepSide::Error ? errorText(value) : look.metric.text(value);
    }

    /// Smaller is better; of an error, nearer to none.
    double rankOf(const SweepLook& look, double value)
    {
        return look.side == SweepSide::Error ? std::abs(value) : value;
    }

    void setScale(HeatMapModel& model, const SweepLook& look)
    {
        std::optional<std::pair<double, double>> ends;
        for (const HeatCell& cell : model.cells) {
            if (cell.state != CellState::Known)
                continue;
            if (!ends)
                ends = std::pair(cell.value, cell.value);
            ends->first = std::min(ends->first, cell.value);
            ends->second = std::max(ends->second, cell.value);
        }
        if (!ends)
            return;
        if (look.side == SweepSide::Error) {
            static constexpr double kLeastReach = 0.05; // a small error shall not look like a large one
            const double reach = std::max({ -ends->first, ends->second, kLeastReach });
            ends = std::pair(-reach, reach);
            model.scale = HeatScale::Deviation;
        }
        model.leastValue = ends->first;
        model.mostValue = ends->second;
        model.logarithmic = model.scale == HeatScale::Amount && ends->first > 0 && ends->second > kDecades * ends->first;
        model.least = textOfValue(look, ends->first);
        model.most = textOfValue(look, ends->second);
    }

    void markBest(HeatMapModel& model, const SweepLook& look)
    {
        for (std::size_t i = 0; i < model.cells.size(); ++i) {
            const HeatCell& cell = model.cells[i];
            if (cell.state == CellState::Known
                && (model.best < 0 || rankOf(look, cell.value) < rankOf(look, model.cells[std::size_t(model.best)].value)))
                model.best = int(i);
        }
    }

    /// A tip reads the rows when it is asked for; the rows live as long as the view's window.
    auto tipper(const SweepData& data, const SweepMetric& metric)
    {
        return [&order = data.order, entries = data.entries, metric](std::size_t launch) {
            return launchText(order, launch < entries.size() ? entries[launch] : SweepEntry {}, launch, metric);
        };
    }

    bool spansDecades(const XyModel& model)
    {
        double least = HUGE_VAL, most = 0;
        for (const XySeries& series : model.series) {
            for (const XyPoint& point : series.points) {
                least = std::min(least, point.y);
                most = std::max(most, point.y);
            }
        }
        return least > 0 && most > kDecades * least;
    }

    QString measuredLine(const SweepEntry& entry, double value, const SweepMetric& metric)
    {
        return entry.origin == MeasurementOrigin::Recorded
            ? Sweeps::tr("recorded: %1 on %2").arg(metric.text(value), QString::fromStdString(entry.measured->gpu))
            : Sweeps::tr("measured: %1 on %2").arg(metric.text(value), QString::fromStdString(entry.measured->gpu));
    }

}

std::size_t launchOfCell(const SweepOrder& order, const SweepLook& look, int cell)
{
    std::vector<std::size_t> place = look.slice;
    place.resize(order.request.axes.size());
    const std::size_t columns = valuesOnAxis(order, look.x);
    place[std::size_t(look.x)] = std::size_t(cell) % columns;
    if (look.y >= 0)
        place[std::size_t(look.y)] = std::size_t(cell) / columns;
    return launchAt(order, place);
}

int cellOfLaunch(const SweepOrder& order, const SweepLook& look, std::size_t launch)
{
    const std::vector<std::size_t> place = placeOf(order, launch);
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
        if (int(axis) != look.x && int(axis) != look.y && axis < look.slice.size() && place[axis] != look.slice[axis])
            return -1;
    }
    const std::size_t row = look.y >= 0 ? place[std::size_t(look.y)] : 0;
    return int(row * valuesOnAxis(order, look.x) + place[std::size_t(look.x)]);
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
    const Figures figures = figuresOf(entry, metric);
    if (figures.predicted) {
        const QString sign = metric.isEstimate() ? QStringLiteral("≈ ") : QString();
        lines << metric.label() << Sweeps::tr("predicted: %1").arg(sign + metric.text(*figures.predicted));
    }
    if (figures.measured)
        lines << measuredLine(entry, *figures.measured, metric);
    if (const auto error = figures.of(SweepSide::Error))
        lines << Sweeps::tr("predicted over measured: %1").arg(errorText(*error));
    if (!entry.measureProblem.isEmpty())
        lines << Sweeps::tr("not measured: %1").arg(entry.measureProblem);
    return lines.join(QLatin1Char('\n'));
}

HeatMapModel heatMapOf(const SweepData& data, const SweepLook& look)
{
    const SweepOrder& order = data.order;
    HeatMapModel model { .xTitle = axisTitle(order, look.x),
        .yTitle = axisTitle(order, look.y),
        .xLabels = axisLabels(order, look.x),
        .yLabels = axisLabels(order, look.y),
        .valueTitle = sideTitle(look) };
    model.cells.resize(std::size_t(model.columns()) * std::size_t(model.rows()));
    const bool written = model.cells.size() <= kMostWritten;
    for (std::size_t i = 0; i < model.cells.size() && !data.entries.empty(); ++i) {
        const SweepEntry& entry = data.entries[launchOfCell(order, look, int(i))];
        const auto value = figuresOf(entry, look.metric).of(look.side);
        HeatCell& cell = model.cells[i];
        cell.state = stateOf(entry, value.has_value());
        if (cell.state != CellState::Known)
            continue;
        cell.value = *value;
        if (written)
            cell.text = look.side == SweepSide::Error ? errorCellText(*value) : look.metric.cellText(*value);
    }
    setScale(model, look);
    markBest(model, look);
    if (data.current)
        model.current = cellOfLaunch(order, look, *data.current);
    model.tip = [&order, look, tip = tipper(data, look.metric)](int cell) { return tip(launchOfCell(order, look, cell)); };
    return model;
}

XyModel lineOf(const SweepData& data, const SweepLook& look)
{
    const SweepOrder& order = data.order;
    SweepLook line = look;
    line.y = -1; // held, as every axis but x
    XyModel model { .xTitle = axisTitle(order, line.x), .yTitle = look.metric.label(), .xNames = axisLabels(order, line.x) };
    if (!look.metric.unit().isEmpty())
        model.yTitle += QStringLiteral(", ") + look.metric.unit();
    XySeries predicted { .name = Sweeps::tr("predicted"), .joined = true };
    XySeries measured { .name = Sweeps::tr("measured"), .style = XyStyle::Filled };
    for (qsizetype i = 0; i < model.xNames.size() && !data.entries.empty(); ++i) {
        const std::size_t launch = launchOfCell(order, line, int(i));
        const Figures figures = figuresOf(data.entries[launch], look.metric);
        if (figures.predicted)
            predicted.points.push_back({ double(i), *figures.predicted, int(launch) });
        if (figures.measured)
            measured.points.push_back({ double(i), *figures.measured, int(launch) });
    }
    model.series.push_back(std::move(predicted));
    if (!measured.points.empty())
        model.series.push_back(std::move(measured));
    model.logarithmic = spansDecades(model);
    model.format = [metric = look.metric](double value) { return metric.cellText(value); };
    model.current = data.current ? int(*data.current) : -1;
    model.tip = [tip = tipper(data, look.metric)](int launch) { return tip(std::size_t(launch)); };
    return model;
}

XyModel scatterOf(const SweepData& data, const SweepLook& look)
{
    QString unit = look.metric.unit();
    if (!unit.isEmpty())
        unit.prepend(QStringLiteral(", "));
    XyModel model { .xTitle = Sweeps::tr("%1, predicted").arg(look.metric.label() + unit),
        .yTitle = Sweeps::tr("measured") + unit,
        .diagonal = true };
    XySeries launches { .name = Sweeps::tr("launches"), .style = XyStyle::Filled };
    for (std::size_t i = 0; i < data.entries.size(); ++i) {
        const Figures figures = figuresOf(data.entries[i], look.metric);
        if (figures.predicted && figures.measured)
            launches.points.push_back(
                { *figures.predicted, *figures.measured, int(i) });
    }
    model.series.push_back(std::move(launches));
    model.logarithmic = spansDecades(model) && std::ranges::all_of(model.series.front().points, [](const XyPoint& point) { return point.x > 0; });
    model.format = [metric = look.metric](double value) { return metric.cellText(value); };
    model.current = data.current ? int(*data.current) : -1;
    model.tip = [tip = tipper(data, look.metric)](int launch) { return tip(std::size_t(launch)); };
    return model;
}

QString heatMapSentence(const SweepData& data, const SweepLook& look)
{
    const HeatMapModel model = heatMapOf(data, look);
    if (model.cells.empty() || data.entries.empty())
        return {};
    int worst = -1, illegal = 0;
    for (std::size_t i = 0; i < model.cells.size(); ++i) {
        const HeatCell& cell = model.cells[i];
        illegal += cell.state == CellState::Illegal ? 1 : 0;
        if (cell.state == CellState::Known
            && (worst < 0 || rankOf(look, cell.value) > rankOf(look, model.cells[std::size_t(worst)].value)))
            worst = int(i);
    }
    QStringList parts;
    if (model.best >= 0) {
        const auto valueAt = [&](int cell) { return model.cells[std::size_t(cell)].value; };
        const auto nameAt = [&](int cell) { return launchName(data.order, launchOfCell(data.order, look, cell)); };
        const bool estimate = look.side == SweepSide::Predicted && look.metric.isEstimate();
        const auto figureAt = [&](int cell) {
            return (estimate ? QStringLiteral("≈ ") : QString()) + textOfValue(look, valueAt(cell));
        };
        if (valueAt(model.best) == valueAt(worst))
            parts << Sweeps::tr("%1: all the same, %2.").arg(model.valueTitle, figureAt(model.best));
        else if (look.side == SweepSide::Error)
            parts << Sweeps::tr("Nearest: %1, %2. Furthest off: %3, %4.")
                         .arg(nameAt(model.best), figureAt(model.best), nameAt(worst), figureAt(worst));
        else
            parts << Sweeps::tr("Best: %1, %2. Worst: %3, %4.")
                         .arg(nameAt(model.best), figureAt(model.best), nameAt(worst), figureAt(worst));
    } else if (look.side != SweepSide::Predicted) {
        parts << Sweeps::tr("None of these launches is measured yet.");
    }
    if (illegal > 0)
        parts << Sweeps::tr("%1 of %2 launches are not allowed.").arg(illegal).arg(model.cells.size());
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
    return Sweeps::tr("Over %n measured launch(es) the prediction is off by %1 % on average, most for %2 (%3).", nullptr, int(count))
        .arg(QLocale().toString(sum / double(count) * 100, 'f', 1), launchName(data.order, worstLaunch), errorText(worst));
}

} // namespace coalescope::app
