// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/sweep_runner.h"
#include "app/widgets/top_bar.h"

#include <QWidget>

class QAction;
class QPushButton;
class QToolButton;

namespace coalescope::app {

/// What has a sweep measured: the button, what shall be counted, and another try of what failed.
class SweepMeasure : public QWidget {
    Q_OBJECT
public:
    explicit SweepMeasure(const SweepRunner* runner, QWidget* parent = nullptr);

    void setRunState(const RunState& state);
    void follow(); ///< what the runner has
    void retranslate();

    [[nodiscard]] QPushButton* measureButton() const { return m_measure; }
    [[nodiscard]] QToolButton* countButton() const { return m_count; }
    [[nodiscard]] QPushButton* retryButton() const { return m_retry; }

signals:
    void asked(const coalescope::app::SweepMeasuring& how);

private:
    [[nodiscard]] SweepCount count() const;
    void showCount();

    const SweepRunner* m_runner;
    RunState m_run;
    QPushButton* m_measure;
    QToolButton* m_count;
    QAction *m_totals, *m_timesOnly;
    QPushButton* m_retry; ///< only where a launch failed
};

} // namespace coalescope::app
