// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/texts.h"
#include "app/widgets/comparison_panel.h"
#include "app/widgets/experiment_panel.h"
#include "app/widgets/main_window.h"
#include "app/widgets/pay_panel.h"
#include "kernels/source/followed_plan.h"

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
    m_right->setMessage({});
    m_running = state;
    if (predicted && predicted->state == state)
        m_runner.run(predicted->plan, m_settings.target);
    else
        m_runner.run([state] { return kernels::planFollowed(*state.spec, state.values); }, m_settings.target);
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
