// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/comparison_table.h"

#include "app/core/texts.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace coalescope::app {
namespace {

    struct Table {
        Q_DECLARE_TR_FUNCTIONS(ComparisonTable)
    };

    using analysis::ComparisonRow;
    using analysis::Metric;
    using analysis::MetricGroup;

    /// An estimate this near to the measurement is called near.
    constexpr double kNear = 0.1;

    const QString kNothing = QStringLiteral("–");

    /// All keys; those of atomics where there are any.
    std::vector<ComparisonRow> rowsOf(const ComparisonInput& input)
    {
        std::vector<ComparisonRow> rows;
        if (input.measured)
            rows = analysis::compare(*input.predicted, *input.measured).rows;
        else
            for (const analysis::MetricInfo& info : analysis::metricTable())
                rows.push_back({ .metric = info.metric, .predicted = input.predicted->metrics.get(info.metric) });
        std::erase_if(rows, [&](const ComparisonRow& row) {
            const analysis::MetricInfo& info = analysis::infoOf(row.metric);
            return !isShown(info, input.predicted->metrics) && !(input.measured && isShown(info, input.measured->metrics));
        });
        return rows;
    }

    Tone toneOf(std::optional<double> predicted, std::optional<double> measured)
    {
        if (!predicted || !measured)
            return Tone::None;
        if (*predicted == *measured)
            return Tone::Equal;
        return std::abs(*measured - *predicted) <= kNear * std::abs(*measured) ? Tone::Near : Tone::Differs;
    }

    QString meanErrorText(double error)
    {
        return Table::tr("An estimate; over the recorded launches it is off by %1 % on average.")
            .arg(QLocale().toString(error * 100, 'f', 0));
    }

    QString errorOfEstimate(const analysis::RunResult& predicted)
    {
        if (predicted.deviceVerified == false)
            return Table::tr("An estimate; the rates of %1 are its data sheet's, not measured.")
                .arg(QString::fromStdString(predicted.device));
        if (!predicted.time.estimateError)
            return Table::tr("An estimate; its error over the recorded launches is not known.");
        return meanErrorText(*predicted.time.estimateError);
    }

    TableRow valueRow(const ComparisonInput& input, const ComparisonRow& row)
    {
        const analysis::MetricInfo& info = analysis::infoOf(row.metric);
        const bool time = info.group == MetricGroup::Time;
        const auto text = [time](double value) { return time ? formatTime(value) : formatValue(value); };
        TableRow shown { .predictedNumber = row.predicted, .measuredNumber = row.measured, .isTime = time };
        shown.label = labelOf(row.metric);
        shown.estimate = info.exactness == analysis::Exactness::Estimate;
        shown.predicted = row.predicted ? (shown.estimate ? kEstimate : QString()) + text(*row.predicted) : kNothing;
        if (input.measured)
            shown.measured = row.measured ? text(*row.measured) : kNothing;
        if (row.predicted && row.measured)
            shown.change = formatChange(*row.predicted, *row.measured);
        shown.tone = toneOf(row.predicted, row.measured);
        shown.key = QString::fromUtf8(info.key);
        QStringList tip { meaningOf(row.metric), shown.key };
        if (row.predicted && row.measured && !row.equal)
            tip << Table::tr("Measured minus predicted: %1").arg(text(*row.measured - *row.predicted));
        if (const auto error = input.predicted->estimateErrors.get(row.metric); error && !time)
            tip << meanErrorText(*error);
        else if (shown.estimate && !time)
            tip << Table::tr("An estimate: caches decide, not addresses alone.");
        if (time)
            tip << errorOfEstimate(*input.predicted);
        if (const auto emptied = input.predicted->emptied.get(row.metric); emptied && emptied != row.predicted)
            tip << Table::tr("With the caches emptied before the launch, as Nsight Compute does unless it is told not to: %1").arg(kEstimate + text(*emptied));
        if (!row.note.empty())
            tip << QString::fromStdString(row.note);
        shown.tip = tip.join(QLatin1Char('\n'));
        return shown;
    }

    TableRow noteRow(const QString& sentence, const QString& tip)
    {
        TableRow row;
        row.kind = TableRow::Kind::Note;
        row.label = sentence;
        row.tip = tip;
        return row;
    }

    std::optional<double> measuredOf(const ComparisonInput& input, Metric metric)
    {
        return input.measured ? input.measured->metrics.get(metric) : std::nullopt;
    }

    /// True where the hardware counts more than the addresses ask for, and the count by addresses
    /// agrees with the prediction: the rest is lost arbitration.
    bool isArbitration(const ComparisonInput& input, const ComparisonRow& row, Metric byAddress)
    {
        const auto predicted = input.predicted->metrics.get(byAddress), measured = measuredOf(input, byAddress);
        return row.predicted && row.measured && *row.measured > *row.predicted && predicted && measured
            && *predicted == *measured;
    }

    QString arbitrationTip(const ComparisonInput& input, Metric byAddress)
    {
        const QString key = QString::fromUtf8(analysis::infoOf(byAddress).key);
        return Table::tr("Counted from the addresses (%1) the GPU has exactly the predicted %2 wavefronts. The rest "
                         "are cycles lost to other warps; padding cannot remove them.")
            .arg(key, formatValue(*measuredOf(input, byAddress)));
    }

    void addArbitration(const ComparisonInput& input, const ComparisonRow& row, std::vector<TableRow>& rows)
    {
        const bool load = row.metric == Metric::SharedLoadConflicts;
        const Metric byAddress = load ? Metric::SharedLoadWavefrontsSass : Metric::SharedStoreWavefrontsSass;
        if ((!load && row.metric != Metric::SharedStoreConflicts) || !isArbitration(input, row, byAddress))
            return;
        const QString tip = arbitrationTip(input, byAddress);
        rows.push_back(noteRow(*row.predicted == 0
                ? Table::tr("%1 by arbitration, not your addresses: nothing to fix").arg(formatValue(*row.measured))
                : Table::tr("%1 more: arbitration, not your addresses")
                      .arg(formatValue(*row.measured - *row.predicted)),
            tip));
    }

    TableRow timeRow(const ComparisonInput& input, const QString& label, const QString& meaning, std::optional<double> estimate,
        const std::optional<analysis::TimeSample>& sample)
    {
        TableRow row { .predictedNumber = estimate, .measuredNumber = sample ? std::optional(sample->medianNs) : std::nullopt, .isTime = true };
        row.label = label;
        row.estimate = true;
        row.predicted = estimate ? kEstimate + formatTime(*estimate) : kNothing;
        QStringList tip { meaning };
        if (input.measured)
            row.measured = sample ? formatTime(sample->medianNs) : kNothing;
        if (sample) {
            if (estimate)
                row.change = formatChange(*estimate, sample->medianNs);
            row.tone = toneOf(estimate, sample->medianNs);
            tip << Table::tr("Median of %n run(s), no profiler attached; shortest %1, 10 % to 90 %: %2 to %3.", nullptr,
                sample->runs)
                       .arg(formatTime(sample->minimumNs), formatTime(sample->p10Ns), formatTime(sample->p90Ns));
        }
        tip << errorOfEstimate(*input.predicted);
        row.tip = tip.join(QLatin1Char('\n'));
        return row;
    }

    void addTimes(const ComparisonInput& input, std::vector<TableRow>& rows)
    {
        const analysis::TimeValues& predicted = input.predicted->time;
        const analysis::TimeValues measured = input.measured ? input.measured->time : analysis::TimeValues {};
        rows.push_back(timeRow(input, Table::tr("warm L2"),
            Table::tr("Launches back to back, the L2 as the launch before left it: less than the duration where the data stays there, "
                      "more where that launch's own must be written back first. From event to event, which adds about 2 µs."),
            predicted.warmNs, measured.warm));
        rows.push_back(timeRow(input, Table::tr("cold L2"),
            Table::tr("The L2 is filled with other data before each launch; from event to event, as with a warm L2."),
            predicted.coldNs, measured.cold));
    }

    QString shortDevice(const ComparisonInput& input)
    {
        QString gpu = QString::fromStdString(input.measured->gpu);
        if (gpu.startsWith(QLatin1String("NVIDIA ")))
            gpu.remove(0, 7);
        return gpu.isEmpty() ? QString::fromStdString(input.measured->device).toUpper() : gpu;
    }

    /// What a spreadsheet reads as a number.
    QString plainNumber(const std::optional<double>& value, bool isTime)
    {
        constexpr double kNsOfUs = 1000;
        return !value ? QString() : isTime ? QString::number(*value / kNsOfUs, 'f', 3) : QString::number(*value, 'f', 0);
    }

    /// Lines of label, predicted, measured, difference in percent, unit.
    QStringList tabbed(const ComparisonTable& table, const QString& predictedHeading)
    {
        const bool isMeasured = !table.measuredHeading.isEmpty();
        QStringList lines { QStringList { QString(), predictedHeading, table.measuredHeading, isMeasured ? Table::tr("difference in %") : QString(), Table::tr("unit") }.join(QLatin1Char('\t')) };
        for (const TableRow& row : table.rows) {
            const auto &predicted = row.predictedNumber, &measured = row.measuredNumber;
            const bool isDivided = predicted && measured && *predicted != 0;
            const QString change = isDivided ? QString::number(100 * (*measured / *predicted - 1), 'f', 2) : QString();
            const QString unit = row.isTime ? QStringLiteral("µs") : QString();
            lines << QStringList { row.label, plainNumber(predicted, row.isTime), isMeasured ? plainNumber(measured, row.isTime) : QString(), change, unit }.join(QLatin1Char('\t'));
        }
        return lines;
    }

    QString pad(const QString& text, qsizetype width, bool right)
    {
        return right ? text.rightJustified(width) : text.leftJustified(width);
    }

}

QString notMeasuredText(const ComparisonInput& input)
{
    if (!input.elsewhere)
        return Table::tr("not measured: no such launch is recorded");
    return Table::tr("not measured on %1: this launch is recorded on %2")
        .arg(deviceName(QString::fromStdString(input.predicted->device)), QString::fromStdString(input.elsewhere->gpu));
}

QString provenance(const ComparisonInput& input)
{
    if (!input.measured)
        return {};
    QStringList parts { QString::fromStdString(input.measured->gpu) };
    const QString date = QString::fromStdString(input.measured->date).left(10);
    if (!date.isEmpty())
        parts << (input.origin == MeasurementOrigin::Recorded ? Table::tr("recorded %1").arg(date)
                                                              : Table::tr("measured %1").arg(date));
    if (!input.measured->driver.empty())
        parts << Table::tr("driver %1").arg(QString::fromStdString(input.measured->driver));
    if (input.predicted && input.predicted->device != input.measured->device) // run on what GPU there is
        parts << Table::tr("predicted for %1, another GPU").arg(deviceName(QString::fromStdString(input.predicted->device)));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

ComparisonTable makeTable(const ComparisonInput& input)
{
    ComparisonTable table;
    if (!input.predicted)
        return table;
    if (input.measured)
        table.measuredHeading = shortDevice(input);
    std::optional<MetricGroup> group;
    for (const ComparisonRow& row : rowsOf(input)) {
        const MetricGroup next = analysis::infoOf(row.metric).group;
        // DRAM stands under the caches' heading: both are estimates of the same way out.
        const bool sameHeading = group == MetricGroup::Cache && next == MetricGroup::Dram;
        if (group != next && !sameHeading) {
            TableRow heading;
            heading.kind = TableRow::Kind::Heading;
            heading.label = next == MetricGroup::Cache ? Table::tr("Sectors of L2 and DRAM, as profiled") : headingOf(next);
            if (next == MetricGroup::Time && input.isRefining)
                heading.label = Table::tr("Time (its registers are being compiled)");
            table.rows.push_back(heading);
            if (next == MetricGroup::Time)
                addTimes(input, table.rows);
        }
        group = next;
        table.rows.push_back(valueRow(input, row));
        addArbitration(input, row, table.rows);
    }
    return table;
}

QString tableText(const ComparisonTable& table, const QStringList& caption, TextForm form)
{
    const QString predictedHeading = table.predictedHeading.isEmpty() ? Table::tr("predicted") : table.predictedHeading;
    if (form == TextForm::Tabs)
        return (caption + QStringList { QString() } + tabbed(table, predictedHeading)).join(QLatin1Char('\n')) + QLatin1Char('\n');
    std::vector<std::array<QString, 4>> cells { { QString(), predictedHeading, table.measuredHeading,
        table.measuredHeading.isEmpty() ? QString() : Table::tr("difference") } };
    for (const TableRow& row : table.rows)
        cells.push_back({ row.kind == TableRow::Kind::Value ? QStringLiteral("  ") + row.label : row.label,
            row.predicted, row.measured, row.change });
    std::array<qsizetype, 4> width {};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        for (std::size_t c = 0; c < 4; ++c) {
            if (i == 0 || table.rows[i - 1].kind != TableRow::Kind::Note)
                width[c] = std::max(width[c], cells[i][c].size());
        }
    }
    QStringList lines = caption;
    lines << QString();
    for (const auto& row : cells) {
        QString line;
        for (std::size_t c = 0; c < 4; ++c)
            line += (c ? QStringLiteral("  ") : QString()) + pad(row[c], width[c], c > 0);
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
        lines << line;
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace coalescope::app
