// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/comparison_table.h"
#include "app/core/gpu_runner.h"
#include "app/core/jobs.h"
#include "app/core/sweep_ranges.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace coalescope::app {

/// One launch of a sweep, as far as it is known.
struct SweepEntry {
    std::shared_ptr<const analysis::RunResult> predicted, measured;
    std::string work; ///< of what is predicted: see kernels::buffersOf()
    MeasurementOrigin origin = MeasurementOrigin::None; ///< of `measured`
    std::vector<kernels::LocalizedText> illegal; ///< the rules of the manifest that it breaks
    QString problem; ///< why there is no prediction, where no rule says it
    QString measureProblem; ///< why there is no measurement though one was asked for

    [[nodiscard]] bool isKnown() const { return predicted || !illegal.empty() || !problem.isEmpty(); }
};

/// What is counted of each launch, beside its times.
enum class SweepCount { Totals, None };
enum class Retry { No, Failed };

/// How a sweep is measured.
struct SweepMeasuring {
    SweepCount count = SweepCount::Totals;
    Retry retry = Retry::No; ///< of what the journal keeps as failed
};

/// Predicts and measures the launches of a sweep in the background and collects them as they come.
///
/// Rows arrive by themselves some thirty times a second; only the newest sweep's do.
class SweepRunner : public QObject {
    Q_OBJECT
public:
    explicit SweepRunner(QObject* parent = nullptr);
    ~SweepRunner() override;

    /// Begins another sweep: what was there is gone.
    void predict(const SweepOrder& order);
    /// Measures what has been predicted, here or behind the target's command. What is in the journal
    /// from an earlier time is not measured again.
    void measure(const Target& target, const QString& journal, const SweepMeasuring& how = {});
    void cancel(); ///< keeps what has come
    void clear(); ///< cancels and forgets

    [[nodiscard]] const std::optional<SweepOrder>& order() const { return m_order; }
    [[nodiscard]] const std::vector<SweepEntry>& entries() const { return m_entries; }
    [[nodiscard]] bool isPredicting() const { return m_predict.isBusy(); }
    [[nodiscard]] bool isMeasuring() const { return m_measure.isBusy(); }
    [[nodiscard]] bool isBusy() const { return isPredicting() || isMeasuring(); }
    [[nodiscard]] std::size_t done() const { return m_done; } ///< of toDo(), of what runs or ran last
    [[nodiscard]] std::size_t toDo() const { return m_toDo; }
    [[nodiscard]] std::size_t measurable() const; ///< launches that measure() would measure
    [[nodiscard]] std::size_t failures() const; ///< launches of which there is no measurement though it was tried
    [[nodiscard]] const SweepMeasuring& measuring() const { return m_measuring; } ///< how it was measured last
    [[nodiscard]] const std::optional<kernels::SweepTimes>& times() const { return m_times; }

signals:
    void reset(); ///< entries() are of another sweep
    void arrived(); ///< some entries are new
    void busyChanged();
    void failed(const coalescope::Error& error);

private:
    struct Feed;

    void drain();
    void finish();

    std::optional<SweepOrder> m_order;
    std::vector<SweepEntry> m_entries;
    std::optional<kernels::SweepTimes> m_times;
    SweepMeasuring m_measuring;
    std::shared_ptr<Feed> m_feed; ///< of the work under way
    QTimer m_timer;
    JobSlot m_predict, m_measure;
    std::size_t m_done = 0, m_toDo = 0;
};

/// The rows as they are written to a file.
[[nodiscard]] std::vector<kernels::SweepRow> rowsOf(const SweepOrder& order, const std::vector<SweepEntry>& entries);

/// Where what a sweep measures is kept from one start to the next.
[[nodiscard]] QString sweepJournal(const SweepOrder& order, const Target& target, SweepCount count);

} // namespace coalescope::app
