// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/sweep_look.h"

#include "app/core/predictor.h"
#include "kernels/experiment/sweep_problem.h"

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

    std::size_t launchAt(const SweepOrder& order, const std::vector<std::size_t>& place)
    {
        std::size_t launch = 0;
        for (std::size_t axis = 0; axis < place.size(); ++axis)
            launch = launch * order.request.axes[axis].values.size() + place[axis];
        return launch;
    }

}

SweepLook lineLook(SweepLook look)
{
    look.y = -1;
    look.side = SweepSide::Predicted;
    return look;
}

std::optional<std::size_t> placeOnAxis(const kernels::SweepAxis& axis, const std::string& value)
{
    const auto found = std::ranges::find(axis.values, value);
    return found == axis.values.end() ? std::nullopt : std::optional(std::size_t(found - axis.values.begin()));
}

std::size_t valuesOnAxis(const SweepOrder& order, int axis)
{
    return axis < 0 ? 1 : order.request.axes[std::size_t(axis)].values.size();
}

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

std::optional<double> SweepFigures::of(SweepSide side) const
{
    switch (side) {
    case SweepSide::Predicted: return predicted;
    case SweepSide::Measured: return measured;
    case SweepSide::Error: break;
    }
    return differenceOf(predicted, measured);
}

SweepFigures figuresOf(const SweepEntry& entry, const SweepMetric& metric)
{
    return { entry.predicted ? metric.valueOf(*entry.predicted) : std::nullopt,
        entry.measured ? metric.valueOf(*entry.measured) : std::nullopt };
}

bool hasFault(const SweepEntry& entry)
{
    return entry.predicted && isFaulty(*entry.predicted);
}

double rankOf(const SweepLook& look, double value)
{
    return look.side == SweepSide::Error ? std::abs(value) : value;
}

bool isAsGood(const SweepLook& look, double value, double best)
{
    return rankOf(look, value) <= rankOf(look, best) * (look.metric.isEstimate() ? kernels::kSameTime : 1);
}

const std::string& comparedAs(const SweepLook& look, const SweepEntry& entry)
{
    static const std::string any;
    return look.side == SweepSide::Error ? any : entry.work;
}

} // namespace coalescope::app
