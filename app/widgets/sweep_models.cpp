// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_models.h"

#include "app/core/sweep_texts.h"
#include "app/core/texts.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace coalescope::app {
namespace {

    constexpr double kDecades = 6; ///< a larger ratio of most to least is shown by its logarithm
    constexpr std::size_t kMostWritten = 1200; ///< more cells are too small for a value

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

    constexpr std::size_t kRare = 6; ///< of so many launches one may lie beyond the scale
    constexpr double kFarAway = 2; ///< of how often what the others reach, at least

    /// Where an amount's scale ends: a few launches that take far longer shall not leave one colour to all others.
    double upperEnd(const std::vector<double>& sorted)
    {
        const double others = sorted[sorted.size() - 1 - sorted.size() / kRare];
        const auto behind = std::ranges::upper_bound(sorted, kFarAway * others);
        return others > 0 && behind != sorted.begin() ? *std::prev(behind) : sorted.back();
    }

    void setScale(HeatMapModel& model, const SweepLook& look)
    {
        // Faulty launches have the colour of the end that they lie beyond.
        const bool isSomeSound = std::ranges::any_of(model.cells, [](const HeatCell& cell) { return cell.state == CellState::Known && !cell.faulty; });
        std::vector<double> values;
        for (const HeatCell& cell : model.cells) {
            if (cell.state == CellState::Known && !(isSomeSound && cell.faulty))
                values.push_back(cell.value);
        }
        if (values.empty())
            return;
        std::ranges::sort(values);
        if (look.side == SweepSide::Error) {
            static constexpr double kLeastReach = 0.05; // a small error shall not look like a large one
            model.mostValue = std::max({ -values.front(), values.back(), kLeastReach });
            model.leastValue = -model.mostValue;
            model.scale = HeatScale::Deviation;
        } else {
            model.leastValue = values.front();
            model.mostValue = upperEnd(values);
            model.logarithmic = model.leastValue > 0 && model.mostValue > kDecades * model.leastValue;
        }
        model.least = textOfValue(look, model.leastValue);
        model.most = textOfValue(look, model.mostValue);
        if (model.scale == HeatScale::Amount && model.mostValue < values.back())
            model.most.prepend(QStringLiteral("≥ "));
    }

    void markBest(HeatMapModel& model, const SweepData& data, const SweepLook& look)
    {
        std::map<std::string, std::vector<int>> compared;
        for (std::size_t i = 0; i < model.cells.size(); ++i) {
            if (const HeatCell& cell = model.cells[i]; cell.state == CellState::Known && !cell.faulty)
                compared[comparedAs(look, data.entries[launchOfCell(data.order, look, int(i))])].push_back(int(i));
        }
        const auto value = [&](int cell) { return model.cells[std::size_t(cell)].value; };
        for (const auto& [work, cells] : compared) {
            const auto [best, worst] = std::ranges::minmax(cells, {}, [&](int cell) { return rankOf(look, value(cell)); });
            const bool isAlone = cells.size() == 1 && compared.size() > 1;
            if (isAlone || (cells.size() > 1 && isAsGood(look, value(worst), value(best)))) // none is better than another
                continue;
            std::ranges::copy_if(cells, std::back_inserter(model.best),
                [&, least = value(best)](int cell) { return isAsGood(look, value(cell), least); });
        }
    }

    /// A tip reads the rows when it is asked for; the rows live as long as the view's window.
    auto tipper(const SweepData& data, const SweepMetric& metric)
    {
        return [&order = data.order, entries = data.entries, metric](std::size_t launch) {
            return launchText(order, launch < entries.size() ? entries[launch] : SweepEntry {}, launch, metric);
        };
    }

    /// Points of a plot are launches: how a value reads, which one is the experiment, and what is told of each.
    void nameLaunches(XyModel& model, const SweepData& data, const SweepMetric& metric)
    {
        model.wrongName = Sweeps::tr("faulty");
        model.format = [metric](double value) { return metric.cellText(value); };
        model.current = data.current ? int(*data.current) : -1;
        model.tip = [tip = tipper(data, metric)](int launch) { return tip(std::size_t(launch)); };
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

}

HeatMapModel heatMapOf(const SweepData& data, const SweepLook& look)
{
    const SweepOrder& order = data.order;
    HeatMapModel model { .xTitle = axisTitle(order, look.x),
        .yTitle = axisTitle(order, look.y),
        .xLabels = axisLabels(order, look.x),
        .yLabels = axisLabels(order, look.y),
        .valueTitle = titleOf(look) };
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
        cell.faulty = hasFault(entry);
        if (written)
            cell.text = look.side == SweepSide::Error ? errorCellText(*value) : look.metric.cellText(*value);
    }
    setScale(model, look);
    markBest(model, data, look);
    if (data.current)
        model.current = cellOfLaunch(order, look, *data.current);
    model.tip = [&order, look, tip = tipper(data, look.metric)](int cell) { return tip(launchOfCell(order, look, cell)); };
    return model;
}

XyModel lineOf(const SweepData& data, const SweepLook& look)
{
    const SweepOrder& order = data.order;
    const SweepLook line = lineLook(look);
    XyModel model { .xTitle = axisTitle(order, line.x), .yTitle = look.metric.label(), .xNames = axisLabels(order, line.x) };
    if (!look.metric.unit().isEmpty())
        model.yTitle += QStringLiteral(", ") + look.metric.unit();
    XySeries predicted { .name = Sweeps::tr("predicted"), .joined = true };
    XySeries measured { .name = Sweeps::tr("measured"), .style = XyStyle::Filled };
    for (qsizetype i = 0; i < model.xNames.size() && !data.entries.empty(); ++i) {
        const std::size_t launch = launchOfCell(order, line, int(i));
        const SweepFigures figures = figuresOf(data.entries[launch], look.metric);
        const bool faulty = hasFault(data.entries[launch]);
        if (figures.predicted)
            predicted.points.push_back({ double(i), *figures.predicted, int(launch), faulty });
        if (figures.measured)
            measured.points.push_back({ double(i), *figures.measured, int(launch), faulty });
    }
    model.series.push_back(std::move(predicted));
    if (!measured.points.empty())
        model.series.push_back(std::move(measured));
    model.logarithmic = spansDecades(model);
    nameLaunches(model, data, look.metric);
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
        const SweepFigures figures = figuresOf(data.entries[i], look.metric);
        if (figures.predicted && figures.measured)
            launches.points.push_back({ *figures.predicted, *figures.measured, int(i), hasFault(data.entries[i]) });
    }
    model.series.push_back(std::move(launches));
    model.logarithmic = spansDecades(model) && std::ranges::all_of(model.series.front().points, [](const XyPoint& point) { return point.x > 0; });
    nameLaunches(model, data, look.metric);
    return model;
}

} // namespace coalescope::app
