// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/texts.h"
#include "app/widgets/comparison_panel.h"
#include "app/widgets/experiment_panel.h"
#include "app/widgets/main_window.h"
#include "app/widgets/pay_panel.h"

namespace coalescope::app {

void MainWindow::probeGpu()
{
    m_probe.startUnjoined([](const JobContext&) { return kernels::localGpu(); }, // a driver may take seconds to wake
        [this](Result<kernels::GpuInfo> gpu) {
            m_gpu = std::move(gpu);
            showRunState();
            showGpuText();
        });
}

void MainWindow::runOnGpu()
{
    const ExperimentState& state = m_experiment.state();
    if (m_runner.isRunning() || !state.spec || !m_left->isLegal())
        return;
    const auto& predicted = m_predictor.current();
    const Result<kernels::LaunchPlan> plan = predicted && predicted->state == state
        ? predicted->plan
        : kernels::planLaunch(*state.spec, state.values);
    if (!plan) {
        m_right->setMessage(textOf(plan.error()).whole());
        return;
    }
    m_right->setMessage({});
    m_running = state;
    m_runner.run(*plan, m_settings.target);
}

void MainWindow::onRunFinished(const analysis::RunResult& result)
{
    if (!m_running)
        return;
    std::erase_if(m_runs, [this](const Run& run) { return run.state == *m_running; });
    m_runs.push_back({ *m_running, std::make_shared<const analysis::RunResult>(result) });
    m_pay->addMeasured(*m_running, m_runs.back().result);
    showComparison();
    showGpuText();
}

void MainWindow::setTarget(const Target& target)
{
    m_settings.target = target;
    if (!target.prefix.isEmpty()) {
        m_settings.prefixes.removeAll(target.prefix);
        m_settings.prefixes.prepend(target.prefix);
    }
    showRunState();
    showGpuText();
}

} // namespace coalescope::app
