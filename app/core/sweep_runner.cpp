// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/sweep_runner.h"

#include "kernels/experiment/recorded.h"
#include "kernels/experiment/sweep_problem.h"

#include <QCryptographicHash>
#include <QDir>
#include <QStandardPaths>

#include <algorithm>
#include <mutex>
#include <utility>

namespace coalescope::app {
namespace {

    constexpr int kDrainMs = 33; ///< new rows are shown about thirty times a second

    /// The committed measurement of a launch on the device that the sweep is for.
    const analysis::RunResult* recordedOf(const SweepOrder& order, const kernels::ParameterValues& values)
    {
        const auto isCandidate = [&](const analysis::RunResult& result) {
            return result.kernel == order.spec->id && result.launch.parameters == values
                && QString::fromStdString(result.device) == order.device;
        };
        if (std::ranges::none_of(kernels::recordedMeasurements(), isCandidate))
            return nullptr;
        const auto plan = kernels::planLaunch(*order.spec, values);
        return plan ? kernels::recordedFor(*plan, order.device.toStdString()).exact : nullptr;
    }

    SweepEntry predictedEntry(const SweepOrder& order, const kernels::SweepRow& row)
    {
        SweepEntry entry;
        if (row.predicted) {
            entry.predicted = std::make_shared<const analysis::RunResult>(*row.predicted);
            entry.work = row.buffers;
            if (const auto* recorded = recordedOf(order, row.values)) {
                // Of the pack, which lives as long as the program.
                entry.measured = { std::shared_ptr<void>(), recorded };
                entry.origin = MeasurementOrigin::Recorded;
            }
            return entry;
        }
        for (kernels::ParameterProblem& problem : kernels::problemsOf(*order.spec, row.values))
            entry.illegal.push_back(std::move(problem.sentence));
        if (entry.illegal.empty() && row.refused && kernels::isNotAllowed(row.refused->code)) // by the GPU's limits, or a program's own
            entry.illegal.push_back({ .en = row.problem, .zhCN = {} });
        entry.problem = QString::fromStdString(row.problem);
        return entry;
    }

}

/// What has come and is not yet shown. The workers of a sweep that was given up may still write into theirs.
struct SweepRunner::Feed {
    std::mutex mutex;
    std::vector<std::pair<std::size_t, SweepEntry>> rows;

    void add(std::size_t index, SweepEntry entry)
    {
        const std::scoped_lock lock(mutex);
        rows.emplace_back(index, std::move(entry));
    }
};

SweepRunner::SweepRunner(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(kDrainMs);
    connect(&m_timer, &QTimer::timeout, this, &SweepRunner::drain);
    for (JobSlot* slot : { &m_predict, &m_measure }) {
        // Queued: the slot's answer is delivered after it has told that it is no longer busy.
        connect(slot, &JobSlot::busyChanged, this, &SweepRunner::busyChanged, Qt::QueuedConnection);
    }
}

SweepRunner::~SweepRunner() = default;

void SweepRunner::predict(const SweepOrder& order)
{
    cancel();
    m_order = order;
    m_entries.assign(order.launches(), {});
    m_times.reset();
    m_done = 0;
    m_toDo = m_entries.size();
    m_feed = std::make_shared<Feed>();
    emit reset();
    m_predict.start(
        [order, feed = m_feed](const JobContext& job) {
            kernels::PredictSweepOptions options;
            options.device = order.device.toStdString();
            options.stop = job.stop;
            return kernels::predictSweep(*order.spec, kernels::combinations(order.request), options,
                [&](std::size_t index, const kernels::SweepRow& row) { feed->add(index, predictedEntry(order, row)); });
        },
        [this](const Result<kernels::SweepTimes>& times) {
            drain();
            if (times)
                m_times = *times;
            finish();
            if (!times)
                emit failed(times.error());
        });
    m_timer.start();
    emit busyChanged();
}

std::size_t SweepRunner::measurable() const
{
    return std::size_t(std::ranges::count_if(m_entries, [](const SweepEntry& entry) { return entry.predicted != nullptr; }));
}

std::size_t SweepRunner::failures() const
{
    return std::size_t(std::ranges::count_if(m_entries, [](const SweepEntry& entry) { return !entry.measureProblem.isEmpty(); }));
}

void SweepRunner::measure(const Target& target, const QString& journal, const SweepMeasuring& how)
{
    if (isBusy() || !m_order)
        return;
    std::vector<std::size_t> places; // of the launches that go to the GPU, among all
    std::vector<kernels::ParameterValues> launches;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        m_entries[i].measureProblem.clear();
        if (m_entries[i].predicted) {
            places.push_back(i);
            launches.push_back(m_entries[i].predicted->launch.parameters);
        }
    }
    m_done = 0;
    m_toDo = places.size();
    m_feed = std::make_shared<Feed>();
    kernels::MeasureSweepOptions options;
    m_measuring = how;
    options.measure.counters = how.count == SweepCount::Totals;
    options.measure.lines = false; // a sweep shows whole launches
    options.retryFailed = how.retry == Retry::Failed;
    options.journal = journal.toStdString();
    if (!target.prefix.isEmpty())
        options.targets = { target.prefix.toStdString() };
    // Unjoined: what it waits for is another process, perhaps on another machine.
    m_measure.startUnjoined(
        [options, launches = std::move(launches), places = std::move(places), spec = m_order->spec, journal, feed = m_feed](
            const JobContext& job) {
            QDir().mkpath(QFileInfo(journal).path());
            kernels::MeasureSweepOptions stoppable = options;
            stoppable.stop = job.stop;
            return kernels::measureSweep(*spec, launches, stoppable, [&](std::size_t index, const kernels::SweepRow& row) {
                SweepEntry entry;
                if (row.measured) {
                    entry.measured = std::make_shared<const analysis::RunResult>(*row.measured);
                    entry.origin = MeasurementOrigin::Run;
                }
                entry.measureProblem = QString::fromStdString(row.problem);
                feed->add(places[index], std::move(entry));
            });
        },
        [this](const Result<void>& result) {
            drain();
            finish();
            if (!result)
                emit failed(result.error());
        });
    m_timer.start();
    emit busyChanged();
}

void SweepRunner::drain()
{
    if (!m_feed)
        return;
    std::vector<std::pair<std::size_t, SweepEntry>> rows;
    {
        const std::scoped_lock lock(m_feed->mutex);
        rows.swap(m_feed->rows);
    }
    for (auto& [index, row] : rows) {
        SweepEntry& entry = m_entries[index];
        if (row.isKnown()) {
            entry = std::move(row);
        } else {
            entry.measureProblem = row.measureProblem;
            if (row.measured) {
                entry.measured = std::move(row.measured);
                entry.origin = row.origin;
            }
        }
    }
    m_done = std::min(m_done + rows.size(), m_toDo); // some are told once more
    if (!rows.empty())
        emit arrived();
}

void SweepRunner::cancel()
{
    drain();
    finish();
    m_predict.cancel();
    m_measure.cancel();
}

void SweepRunner::clear()
{
    cancel();
    m_order.reset();
    m_entries.clear();
    m_times.reset();
    m_done = m_toDo = 0;
    emit reset();
}

void SweepRunner::finish()
{
    m_timer.stop();
    m_feed.reset();
}

std::vector<kernels::SweepRow> rowsOf(const SweepOrder& order, const std::vector<SweepEntry>& entries)
{
    std::vector<kernels::SweepRow> rows;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const SweepEntry& entry = entries[i];
        kernels::SweepRow row { .values = order.valuesOf(i) };
        if (entry.predicted)
            row.predicted = *entry.predicted;
        if (entry.measured)
            row.measured = *entry.measured;
        row.problem = (entry.problem.isEmpty() ? entry.measureProblem : entry.problem).toStdString();
        rows.push_back(std::move(row));
    }
    return rows;
}

QString sweepJournal(const SweepOrder& order, const Target& target, SweepCount count)
{
    // Another source, another machine or another measurement is another journal.
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArray::fromStdString(order.spec->source + order.spec->derived));
    hash.addData(target.prefix.toUtf8());
    if (count == SweepCount::None)
        hash.addData("\nno counters");
    return QStringLiteral("%1/sweeps/%2-%3.jsonl")
        .arg(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation), QString::fromStdString(order.spec->id),
            QString::fromLatin1(hash.result().toHex().left(12)));
}

} // namespace coalescope::app
