// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/main_window.h"
#include "app/widgets/sweep_panel.h"

#include <QStatusBar>

namespace coalescope::app {

void MainWindow::connectSweep()
{
    connect(m_sweep, &SweepPanel::measureAsked, this, &MainWindow::measureSweep);
    connect(m_sweep, &SweepPanel::saveAsked, this, &MainWindow::askSaveSweep);
    connect(&m_sweeper, &SweepRunner::busyChanged, this, &MainWindow::showRunState);
    connect(m_sweep, &SweepPanel::settled, this, &MainWindow::tellSettled);
    connect(m_sweep, &SweepPanel::reached, this, [this](const QString& text) { statusBar()->showMessage(text); });
}

void MainWindow::measureSweep(const SweepMeasuring& how)
{
    if (m_sweeper.order() && !m_runner.isRunning())
        m_sweeper.measure(m_settings.target, sweepJournal(*m_sweeper.order(), m_settings.target, how.count), how);
}

void MainWindow::askSaveSweep(const QString& suffix)
{
    askSave(tr("Save the sweep"), QStringLiteral("*.") + suffix, suffix, [this](const QString& path) {
        exportSweepTo(path, [this, path](const Result<void>& result) { tellExported(path, result); });
    });
}

} // namespace coalescope::app
