// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/sweep_ranges.h"

#include "app/core/sweep_metrics.h"
#include "kernels/catalogue/parameter_role.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <string>

namespace coalescope::app {
namespace {

    constexpr std::size_t kMostLaunches = 5'000; ///< each is a cell of the window, with its whole result
    constexpr std::size_t kSuggestedAxes = 2;
    constexpr std::int64_t kMostThreads = 1024; ///< of a block

    QString rangeText(const kernels::ParameterSpec& parameter, std::int64_t first, std::int64_t last, const char* step)
    {
        last = std::min(last, parameter.maximum);
        first = std::max(first, parameter.minimum);
        return QStringLiteral("%1:%2").arg(first).arg(last) + QLatin1String(step);
    }

    /// Nothing for a parameter that is the work itself (rows, columns) and not its shape. What is more than a side of a
    /// block by default is a whole block's threads.
    QString shapeRange(const kernels::KernelSpec& spec, const kernels::ParameterSpec& parameter, bool doubled)
    {
        constexpr int kLongestSide = 64;
        const kernels::ParameterRole role = kernels::roleOf(spec, parameter);
        if (role == kernels::ParameterRole::Shape)
            return std::stoll(parameter.defaultValue) > kLongestSide
                ? rangeText(parameter, 32, kMostThreads, doubled ? ":x2" : ":32")
                : rangeText(parameter, 4, kLongestSide, doubled ? ":x2" : ":4");
        return role == kernels::ParameterRole::Padding ? rangeText(parameter, 0, 8, "") : QString();
    }

    SweepRanges shapeRanges(const kernels::KernelSpec& spec, bool doubled)
    {
        SweepRanges ranges;
        for (const kernels::ParameterSpec& parameter : spec.parameters) {
            if (const QString range = shapeRange(spec, parameter, doubled); !range.isEmpty() && ranges.size() < kSuggestedAxes)
                ranges[parameter.name] = range;
        }
        return ranges;
    }

    /// Of the launches over the defaults, the share that breaks no rule.
    double legalShare(const kernels::KernelSpec& spec, const SweepRanges& ranges)
    {
        const SpecPointer pointer(std::shared_ptr<void>(), &spec); // only for this call
        const auto order = sweepOrder({ pointer, defaultValues(spec) }, ranges);
        if (!order)
            return 0;
        std::size_t legal = 0;
        for (std::size_t i = 0; i < order->launches(); ++i)
            legal += kernels::problemsOf(spec, order->valuesOf(i)).empty() ? 1 : 0;
        return double(legal) / double(order->launches());
    }

    QString listOf(const kernels::ParameterSpec& parameter)
    {
        QStringList values;
        for (const std::int64_t preset : parameter.presets)
            values << QString::number(preset);
        for (const kernels::Choice& choice : parameter.choices)
            values << QString::fromStdString(choice.value);
        return values.size() > 1 ? values.join(QLatin1Char(',')) : QString();
    }

    /// Around the default; only below it where that is no block's size, for more work takes longer.
    QString doublingRange(const kernels::ParameterSpec& parameter)
    {
        constexpr std::int64_t kAround = 8;
        if (!parameter.isInteger())
            return {};
        const std::int64_t value = std::stoll(parameter.defaultValue);
        const std::int64_t first = std::max({ std::int64_t(1), parameter.minimum, value / kAround });
        const std::int64_t last = std::min(parameter.maximum, value > kMostThreads ? value : value * kAround);
        return last >= 2 * first ? rangeText(parameter, first, last, ":x2") : QString();
    }

    /// A parameter that has one value is held at it: nothing lies across.
    void holdSingleValues(kernels::SweepRequest& request)
    {
        const auto isSingle = [](const kernels::SweepAxis& axis) { return axis.values.size() == 1; };
        for (const kernels::SweepAxis& axis : request.axes) {
            if (isSingle(axis))
                request.fixed[axis.name] = axis.values.front();
        }
        std::erase_if(request.axes, isSingle);
    }

    std::unexpected<Error> nothingToSweep()
    {
        return fail(ErrorCode::WrongUsage,
            Sweeps::tr("Give at least one parameter several values, such as 4:64:4 or 8,16,32.").toStdString());
    }

    /// As the terminal takes it; "8 16 32" are three values.
    QString withoutSpaces(const QString& typed)
    {
        static const QRegularExpression around(QStringLiteral("\\s*([,:])\\s*"));
        return typed.simplified().replace(around, QStringLiteral("\\1")).replace(QLatin1Char(' '), QLatin1Char(','));
    }

    bool isTheWork(const kernels::ParameterSpec& parameter)
    {
        return parameter.name == "rows" || parameter.name == "cols" || parameter.name == "type" || parameter.name == "n";
    }

}

SweepRanges suggestedRanges(const kernels::KernelSpec& spec)
{
    SweepRanges ranges = shapeRanges(spec, false);
    static constexpr double kMostlyIllegal = 0.25; // a kernel that wants powers of two
    if (!ranges.empty() && legalShare(spec, ranges) < kMostlyIllegal)
        ranges = shapeRanges(spec, true);
    for (const auto rangeOf : { listOf, doublingRange }) {
        for (const bool evenTheWork : { false, true }) {
            for (const kernels::ParameterSpec& parameter : spec.parameters) {
                if (ranges.empty() && isTheWork(parameter) == evenTheWork && !rangeOf(parameter).isEmpty())
                    ranges[parameter.name] = rangeOf(parameter);
            }
        }
    }
    return ranges;
}

std::size_t SweepOrder::launches() const
{
    std::size_t count = request.axes.empty() ? 0 : 1;
    for (const kernels::SweepAxis& axis : request.axes)
        count *= axis.values.size();
    return count;
}

kernels::ParameterValues SweepOrder::valuesOf(std::size_t launch) const
{
    kernels::ParameterValues values = request.fixed;
    for (auto axis = request.axes.rbegin(); axis != request.axes.rend(); ++axis) {
        values[axis->name] = axis->values[launch % axis->values.size()];
        launch /= axis->values.size();
    }
    return values;
}

std::optional<std::size_t> SweepOrder::launchOf(const kernels::ParameterValues& values) const
{
    const auto isSame = [&](const auto& known) {
        const auto value = values.find(known.first);
        return value != values.end() && value->second == known.second;
    };
    if (!std::ranges::all_of(request.fixed, isSame))
        return std::nullopt;
    std::size_t launch = 0;
    for (const kernels::SweepAxis& axis : request.axes) {
        const auto value = values.find(axis.name);
        if (value == values.end())
            return std::nullopt;
        const auto found = std::ranges::find(axis.values, value->second);
        if (found == axis.values.end())
            return std::nullopt;
        launch = launch * axis.values.size() + std::size_t(found - axis.values.begin());
    }
    return launch;
}

bool operator==(const SweepOrder& a, const SweepOrder& b)
{
    const auto sameAxis = [](const kernels::SweepAxis& x, const kernels::SweepAxis& y) {
        return x.name == y.name && x.values == y.values;
    };
    return a.spec == b.spec && a.device == b.device && a.request.fixed == b.request.fixed
        && std::ranges::equal(a.request.axes, b.request.axes, sameAxis);
}

Result<SweepOrder> sweepOrder(const ExperimentState& state, const SweepRanges& ranges)
{
    std::vector<std::string> over, sets;
    for (const kernels::ParameterSpec& parameter : state.spec->parameters) { // axes in the manifest's order
        const auto range = ranges.find(parameter.name);
        if (range != ranges.end() && !range->second.trimmed().isEmpty()) {
            over.push_back(parameter.name + '=' + withoutSpaces(range->second).toStdString());
        } else if (const auto value = state.values.find(parameter.name); value != state.values.end()) {
            sets.push_back(parameter.name + '=' + value->second);
        }
    }
    if (state.spec->parameters.empty())
        return fail(ErrorCode::WrongUsage,
            Sweeps::tr("This launch has only fixed numbers: there is no parameter that could be swept.").toStdString());
    if (over.empty())
        return nothingToSweep();
    auto request = kernels::sweepRequest(*state.spec, over, sets);
    if (!request) {
        Error error = request.error();
        if (error.where.starts_with("--")) // an option of the terminal program: there is none here
            error.where.clear();
        return std::unexpected(std::move(error));
    }
    holdSingleValues(*request);
    if (request->axes.empty())
        return nothingToSweep();
    SweepOrder order { state.spec, state.device, *std::move(request) };
    if (order.launches() > kMostLaunches)
        return fail(ErrorCode::WrongUsage,
            Sweeps::tr("These are %1 launches, %2 at most can be shown: take larger steps, or sweep in the terminal.")
                .arg(QLocale().toString(qulonglong(order.launches())), QLocale().toString(qulonglong(kMostLaunches)))
                .toStdString());
    return order;
}

} // namespace coalescope::app
