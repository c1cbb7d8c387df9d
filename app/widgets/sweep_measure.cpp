// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_measure.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace coalescope::app {

SweepMeasure::SweepMeasure(const SweepRunner* runner, QWidget* parent)
    : QWidget(parent)
    , m_runner(runner)
    , m_measure(new QPushButton)
    , m_count(new QToolButton)
    , m_retry(new QPushButton)
{
    auto* menu = new QMenu(m_count);
    auto* group = new QActionGroup(menu);
    m_totals = group->addAction(QString());
    m_timesOnly = group->addAction(QString());
    for (QAction* action : group->actions()) {
        action->setCheckable(true);
        menu->addAction(action);
    }
    m_totals->setChecked(true);
    m_count->setText(QStringLiteral("▾"));
    m_count->setMenu(menu);
    m_count->setPopupMode(QToolButton::InstantPopup);
    m_count->setProperty("quiet", true);
    m_count->setFocusPolicy(Qt::StrongFocus);
    m_measure->setObjectName(QStringLiteral("measureSweep"));
    m_count->setObjectName(QStringLiteral("countSweep"));
    m_retry->setObjectName(QStringLiteral("retrySweep"));
    m_retry->hide();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(3);
    for (QWidget* widget : { static_cast<QWidget*>(m_measure), static_cast<QWidget*>(m_count),
             static_cast<QWidget*>(m_retry) })
        row->addWidget(widget);
    connect(group, &QActionGroup::triggered, this, &SweepMeasure::showCount);
    connect(m_measure, &QPushButton::clicked, this, [this] { emit asked({ count(), Retry::No }); });
    // What failed is in the journal of how it was measured.
    connect(m_retry, &QPushButton::clicked, this, [this] {
        emit asked({ m_runner->measuring().count, Retry::Failed });
    });
}

SweepCount SweepMeasure::count() const
{
    return m_timesOnly->isChecked() ? SweepCount::None : SweepCount::Totals;
}

void SweepMeasure::setRunState(const RunState& state)
{
    m_run = state;
    follow();
}

void SweepMeasure::follow()
{
    const std::size_t launches = m_runner->isBusy() ? 0 : m_runner->measurable();
    const std::size_t failed = m_runner->isBusy() ? 0 : m_runner->failures();
    QString why = m_run.whyNot;
    if (why.isEmpty() && m_run.running)
        why = tr("A run is under way.");
    if (why.isEmpty() && launches == 0)
        why = tr("Predict first: only launches that are legal are measured.");
    m_measure->setEnabled(why.isEmpty());
    m_measure->setToolTip(why.isEmpty()
            ? tr("Runs %n launch(es) on %1, one after another, and keeps each as it comes: a sweep "
                 "that was cancelled goes on where it was.",
                nullptr, int(launches))
                  .arg(m_run.target.isEmpty() ? tr("this machine") : m_run.target)
            : why);
    m_measure->setAccessibleDescription(m_measure->toolTip());
    m_retry->setVisible(failed > 0);
    m_retry->setEnabled(why.isEmpty());
    m_retry->setText(tr("Try %n failed again", nullptr, int(failed)));
    m_retry->setToolTip(why.isEmpty()
            ? tr("Measures the launches that failed once more and leaves the others alone.")
            : why);
    m_retry->setAccessibleDescription(m_retry->toolTip());
}

void SweepMeasure::showCount()
{
    m_measure->setText(count() == SweepCount::None ? tr("Measure times") : tr("Measure"));
}

void SweepMeasure::retranslate()
{
    m_totals->setText(tr("times and counters"));
    m_timesOnly->setText(tr("times only"));
    m_count->setAccessibleName(tr("What is measured of each launch"));
    m_count->setToolTip(
        tr("Counting a launch takes longer than timing it. Each choice keeps its own results."));
    showCount();
    follow();
}

} // namespace coalescope::app
