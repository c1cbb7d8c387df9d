// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/sweep_metrics.h"

#include "analysis/result/metric_sums.h"
#include "app/core/texts.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace coalescope::app {
namespace {

    using analysis::Metric;
    using analysis::RunResult;

    enum class SummaryKind { Time, Count, Bytes };

    struct SummedMetric {
        const char* label;
        SummaryKind kind;
        bool estimate;
        std::optional<double> (*value)(const RunResult&);
    };

    /// Nothing where one is missing; what was measured before atomics had keys has none of theirs, and counts without.
    template <const auto& metrics> std::optional<double> sum(const RunResult& result)
    {
        const bool isMissing = std::ranges::any_of(metrics,
            [&](Metric metric) { return !result.metrics.get(metric) && !analysis::infoOf(metric).isOfAtomics; });
        return isMissing ? std::nullopt : std::optional(sumOf(result.metrics, metrics));
    }

    constexpr std::array kDram { Metric::DramReadSectors, Metric::DramWriteSectors };

    std::optional<double> medianOf(const std::optional<analysis::TimeSample>& sample)
    {
        return sample ? std::optional(sample->medianNs) : std::nullopt;
    }

    std::optional<double> warmNs(const RunResult& result)
    {
        return result.kind == analysis::ResultKind::Measurement ? medianOf(result.time.warm) : result.time.warmNs;
    }

    std::optional<double> coldNs(const RunResult& result)
    {
        return result.kind == analysis::ResultKind::Measurement ? medianOf(result.time.cold) : result.time.coldNs;
    }

    std::optional<double> dramBytes(const RunResult& result)
    {
        static constexpr double kSectorBytes = 32;
        const auto sectors = sum<kDram>(result);
        return sectors ? std::optional(*sectors * kSectorBytes) : std::nullopt;
    }

    constexpr std::array kSummaries {
        SummedMetric { QT_TRANSLATE_NOOP("Sweeps", "time, L2 warm"), SummaryKind::Time, true, warmNs },
        SummedMetric { QT_TRANSLATE_NOOP("Sweeps", "time, L2 cold"), SummaryKind::Time, true, coldNs },
        SummedMetric { QT_TRANSLATE_NOOP("Sweeps", "sectors"), SummaryKind::Count, false,
            sum<analysis::kSectors> },
        SummedMetric { QT_TRANSLATE_NOOP("Sweeps", "shared wavefronts"), SummaryKind::Count, false,
            sum<analysis::kWavefronts> },
        SummedMetric { QT_TRANSLATE_NOOP("Sweeps", "bank conflicts"), SummaryKind::Count, false,
            sum<analysis::kConflicts> },
        SummedMetric { QT_TRANSLATE_NOOP("Sweeps", "DRAM bytes"), SummaryKind::Bytes, true, dramBytes },
    };

    const analysis::MetricInfo* metricAt(int index)
    {
        const int single = index - int(kSummaries.size());
        return single < 0 ? nullptr : &analysis::metricTable()[std::size_t(single)];
    }

    /// Three figures: what a cell has room for.
    QString threeFigures(double value)
    {
        const double size = std::abs(value);
        const int decimals = value == std::floor(value) || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
        QLocale locale;
        locale.setNumberOptions(QLocale::OmitGroupSeparator);
        return locale.toString(value, 'f', decimals);
    }

}

int SweepMetric::count()
{
    return int(kSummaries.size()) + analysis::kMetricCount;
}

int SweepMetric::summaries()
{
    return int(kSummaries.size());
}

SweepMetric::Kind SweepMetric::kind() const
{
    if (const auto* info = metricAt(m_index))
        return info->group == analysis::MetricGroup::Time ? Kind::Time : Kind::Count;
    switch (kSummaries[std::size_t(m_index)].kind) {
    case SummaryKind::Time: return Kind::Time;
    case SummaryKind::Bytes: return Kind::Bytes;
    case SummaryKind::Count: break;
    }
    return Kind::Count;
}

QString SweepMetric::label() const
{
    const auto* info = metricAt(m_index);
    return info ? QStringLiteral("%1: %2").arg(headingOf(info->group), labelOf(info->metric))
                : Sweeps::tr(kSummaries[std::size_t(m_index)].label);
}

QString SweepMetric::unit() const
{
    return kind() == Kind::Time ? QStringLiteral("µs") : kind() == Kind::Bytes ? QStringLiteral("MB") : QString();
}

bool SweepMetric::isEstimate() const
{
    const auto* info = metricAt(m_index);
    return info ? info->exactness == analysis::Exactness::Estimate : kSummaries[std::size_t(m_index)].estimate;
}

std::optional<double> SweepMetric::valueOf(const RunResult& result) const
{
    const auto* info = metricAt(m_index);
    return info ? result.metrics.get(info->metric) : kSummaries[std::size_t(m_index)].value(result);
}

double SweepMetric::inUnit(double value) const
{
    return kind() == Kind::Time ? value / 1e3 : kind() == Kind::Bytes ? value / 1e6 : value;
}

QString SweepMetric::text(double value) const
{
    if (kind() == Kind::Time)
        return formatTime(value);
    return kind() == Kind::Bytes ? threeFigures(inUnit(value)) + QChar(0x202f) + QStringLiteral("MB") : formatValue(value);
}

QString SweepMetric::cellText(double value) const
{
    if (kind() != Kind::Count)
        return threeFigures(inUnit(value));
    static constexpr double kThousand = 1e4, kMillion = 1e6, kMilliard = 1e9;
    if (value < kThousand)
        return threeFigures(value);
    if (value < kMillion)
        return threeFigures(value / 1e3) + QLatin1Char('k');
    return value < kMilliard ? threeFigures(value / 1e6) + QLatin1Char('M') : threeFigures(value / 1e9) + QLatin1Char('G');
}

std::optional<double> differenceOf(std::optional<double> predicted, std::optional<double> measured)
{
    if (!predicted || !measured)
        return std::nullopt;
    if (*predicted == *measured)
        return 0;
    return *predicted != 0 ? std::optional(*measured / *predicted - 1) : std::nullopt;
}

QString errorCellText(double error)
{
    const double percent = error * 100;
    static constexpr double kShown = 0.05;
    if (std::abs(percent) < kShown)
        return percent == 0 ? QStringLiteral("0") : QLocale().toString(0.0, 'f', 1);
    const int decimals = std::abs(percent) >= 9.95 ? 0 : 1;
    const QString sign = percent > 0 ? QStringLiteral("+") : QString(QChar(0x2212));
    return sign + QLocale().toString(std::abs(percent), 'f', decimals);
}

QString errorText(double error)
{
    return errorCellText(error) + QChar(0x202f) + QLatin1Char('%');
}

} // namespace coalescope::app
