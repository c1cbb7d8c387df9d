// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/texts.h"
#include "app/views/reading/reading.h"
#include "app/widgets/card.h"
#include "app/widgets/comparison_panel.h"
#include "app/widgets/comparison_view.h"
#include "app/widgets/experiment_panel.h"
#include "app/widgets/main_window.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/top_bar.h"
#include "app/widgets/try_view.h"
#include "app/widgets/warp_models.h"
#include "kernels/catalogue/argument_parts.h"

#include <QAction>
#include <QLocale>
#include <QStatusBar>

#include <algorithm>
#include <span>

namespace coalescope::app {
namespace {

    BarRow barOf(const QString& label, const ComparisonInput& input)
    {
        const QString named = isFaulty(*input.predicted) ? MainWindow::tr("✗ %1 (faulty)").arg(label) : label;
        return timeBar(named, input.predicted->time.warmNs, input.measured ? input.measured->time.warm : std::nullopt);
    }

    /// The values that a change is about, as they are elsewhere: "Padding 0".
    QString labelOfChange(const kernels::ParameterValues& change, const ExperimentState& state)
    {
        QStringList parts;
        for (const auto& [name, value] : change)
            parts << labelOfParameter(*state.spec, name) + QLatin1Char(' ') + valueText(*state.spec, name, state.values.at(name));
        return parts.join(QStringLiteral(", "));
    }

    /// The parameters in the manifest's order: "rows 33, cols 65, pad 0".
    QString valuesText(const kernels::KernelSpec& spec, const kernels::ParameterValues& values, const QString& between)
    {
        QStringList parts;
        for (const kernels::ParameterSpec& parameter : spec.parameters) {
            if (const auto value = values.find(parameter.name); value != values.end())
                parts << QString::fromStdString(parameter.name + ' ' + value->second);
        }
        return parts.join(between);
    }

    AccessPicture pictureOf(const Predicted& predicted, const analysis::TraceStep& step)
    {
        AccessPicture picture { .title = titleOfStep(predicted, step), .reading = readAccess(step.access) };
        if (step.access.space == analysis::Space::Shared)
            picture.banks = BankModel::of(step.access);
        else
            picture.sectors = SectorModel::of(step.access);
        return picture;
    }

    std::shared_ptr<const analysis::RunResult> borrowed(const analysis::RunResult* result)
    {
        return { std::shared_ptr<void>(), result }; // of the pack, which lives as long as the program
    }

}

ComparisonInput MainWindow::inputOf(const std::shared_ptr<const Predicted>& predicted, const analysis::RunResult* recorded) const
{
    ComparisonInput input;
    if (!predicted)
        return input;
    input.predicted = std::shared_ptr<const analysis::RunResult>(predicted, &predicted->prediction.result);
    input.ledByGuesses = isLedByGuesses(*predicted);
    const auto run = std::ranges::find_if(m_runs, [&](const Run& known) { return known.state == predicted->state; });
    if (run != m_runs.end()) {
        input.measured = run->result;
        input.origin = MeasurementOrigin::Run;
    } else if (recorded && QString::fromStdString(recorded->device) == predicted->state.device) {
        input.measured = borrowed(recorded);
        input.origin = MeasurementOrigin::Recorded;
    } else {
        input.elsewhere = recorded;
    }
    return input;
}

ComparisonInput MainWindow::comparisonInput() const
{
    ComparisonInput input = inputOf(m_predictor.current(), m_predictor.recorded().exact);
    input.isRefining = m_predictor.current() && m_predictor.current()->refining;
    return input;
}

Variant MainWindow::variantOf(const std::shared_ptr<const Predicted>& predicted, const analysis::RunResult* recorded) const
{
    return { predicted->state, inputOf(predicted, recorded), kernels::buffersOf(predicted->plan) };
}

void MainWindow::showVariants()
{
    const auto& predicted = m_predictor.current();
    std::vector<Variant> alternatives;
    for (const Alternative& alternative : m_predictor.alternatives())
        alternatives.push_back(variantOf(alternative.predicted, alternative.recorded));
    m_pay->setCurrent(predicted ? std::optional(variantOf(predicted, m_predictor.recorded().exact)) : std::nullopt);
    m_pay->setAlternatives(std::move(alternatives));
}

void MainWindow::showComparison()
{
    const auto& predicted = m_predictor.current();
    if (!predicted)
        return;
    const ComparisonInput input = comparisonInput();
    m_right->setInput(input, predicted->verifying);
    const kernels::RecordedAnswer& recorded = m_predictor.recorded();
    QStringList near;
    for (const analysis::RunResult* result : recorded.near) {
        kernels::ParameterValues other = result->launch.parameters; // only what differs
        std::erase_if(other, [&](const auto& value) { return predicted->state.values.contains(value.first)
                && predicted->state.values.at(value.first) == value.second; });
        const bool elsewhere = QString::fromStdString(result->device) != predicted->state.device;
        near << labelOfChange(other, { predicted->state.spec, other, predicted->state.device })
                + (elsewhere ? QStringLiteral(" (%1)").arg(QString::fromStdString(result->gpu)) : QString());
    }
    if (!m_predictor.isLookingUp())
        m_right->setNear(near);
    showVariants();
    if (m_predictor.isTrying())
        m_right->holdBars();
    else
        m_right->setBars(barsModel());
}

BarsModel MainWindow::barsModel() const
{
    BarsModel bars;
    const auto& predicted = m_predictor.current();
    const std::vector<Alternative>& alternatives = m_predictor.alternatives();
    if (!predicted || alternatives.empty() || alternatives.front().spec) // other kernels stand under "what to try"
        return bars;
    bars.rows.push_back(barOf(labelOfChange(alternatives.front().change, predicted->state), comparisonInput()));
    static constexpr std::size_t kMostBars = 5;
    for (const Alternative& alternative : std::span(alternatives).first(std::min(alternatives.size(), kMostBars))) {
        if (alternative.spec)
            break;
        if (makesNoDifference(alternative, *predicted)) // those stand behind the others
            break;
        bars.rows.push_back(barOf(labelOfChange(alternative.change, alternative.predicted->state), inputOf(alternative.predicted, alternative.recorded)));
        bars.rows.back().hint = tr("A click makes it the experiment.");
    }
    if (bars.rows.size() == 1)
        bars.rows.clear();
    return bars;
}

QStringList MainWindow::captions() const
{
    QStringList lines;
    const auto& predicted = m_predictor.current();
    if (!predicted)
        return lines;
    lines << valuesText(*predicted->state.spec, predicted->state.values, QStringLiteral(" · "));
    const bool verified = predicted->prediction.result.deviceVerified.value_or(false);
    lines << tr("block %1, grid %2; predicted for %3, PTX by %4")
                 .arg(formatDim(predicted->plan.block), formatDim(predicted->plan.grid),
                     verified ? deviceName(predicted->state.device) : tr("%1 (rates not measured)").arg(deviceName(predicted->state.device)),
                     QString::fromStdString(predicted->prediction.compiler));
    const ComparisonInput input = comparisonInput();
    lines << (input.measured ? tr("measured on %1").arg(provenance(input)) : notMeasuredText(input));
    return lines;
}

QString MainWindow::comparisonText(TextForm form) const
{
    const ComparisonInput input = comparisonInput();
    const auto& predicted = m_predictor.current();
    const QStringList findings = findingsOf(input, predicted && predicted->verifying, LineLinks::No);
    QStringList lines = captions();
    if (predicted)
        lines.prepend(localized(predicted->state.spec->title) + QStringLiteral(" (%1)").arg(kernelName(*predicted->state.spec)));
    return tableText(makeTable(input), lines, form) + QLatin1Char('\n') + findings.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

PictureModel MainWindow::picture() const
{
    PictureModel model;
    const auto& predicted = m_predictor.current();
    if (!predicted)
        return model;
    const kernels::KernelSpec& spec = *predicted->state.spec;
    model.title = pictureTitle(spec);
    model.captions = captions();
    const ComparisonInput input = comparisonInput();
    model.table = makeTable(input);
    model.findings = findingsOf(input, predicted->verifying, LineLinks::No);
    const analysis::RunResult& result = predicted->prediction.result;
    model.wrong = isDoubtful(result, input.ledByGuesses);
    model.verified = result.verified == true;
    model.terms = termsOf(input);
    model.termsTitle = ComparisonPanel::tr("What takes the time: %1").arg(termLabel(result.time.limiter));
    model.bars = barsModel();
    model.barsTitle = ComparisonPanel::titleOf(model.bars);
    const Selection& selection = m_experiment.selection();
    const auto& trace = m_predictor.trace();
    model.warpTitle = titleOfWarp(selection.block, selection.warp, predicted->plan.grid);
    if (!trace || selection.warp < 0 || std::size_t(selection.warp) >= trace->warps.size())
        return model;
    model.block = BlockModel { .block = predicted->plan.block, .warp = selection.warp };
    const auto& steps = trace->warps[std::size_t(selection.warp)];
    model.strip = stripOf(*predicted->prediction.program, steps, selection.step);
    if (selection.step < 0 || std::size_t(selection.step) >= steps.size())
        return model;
    // The chosen instruction first, then the warp's others as far as they have room: of an unrolled loop's, one.
    std::vector<std::uint32_t> shown;
    const auto add = [&](const analysis::TraceStep& step) {
        if (step.kind != analysis::TraceKind::Access || std::ranges::find(shown, step.instruction) != shown.end())
            return;
        shown.push_back(step.instruction);
        AccessPicture access = pictureOf(*predicted, step);
        const bool isLikeAnother = std::ranges::any_of(model.accesses, [&](const AccessPicture& other) {
            return other.title == access.title && other.reading == access.reading;
        });
        if (!isLikeAnother)
            model.accesses.push_back(std::move(access));
    };
    add(steps[std::size_t(selection.step)]);
    for (const analysis::TraceStep& step : steps)
        add(step);
    return model;
}

QString MainWindow::statusText() const
{
    return m_statusText;
}

QString MainWindow::whyNoPrediction() const
{
    return m_predictError ? tr("No prediction: %1").arg(textOf(*m_predictError).sentence) : statusText();
}

QString MainWindow::gpuText() const
{
    return m_gpuLabel->text();
}

void MainWindow::showStatus()
{
    const auto& predicted = m_predictor.current();
    QStringList parts;
    if (!m_openError.isEmpty())
        parts << m_openError;
    if (!m_left->isLegal()) {
        parts << tr("No prediction: %1").arg(m_left->problems());
    } else if (m_predictError) {
        const QString log = textOf(*m_predictError).sentence; // the banner has it all
        parts << tr("No prediction: %1").arg(log.section(QLatin1Char('\n'), 0, 0));
    } else if (m_wait != Wait::None) {
        parts << waitText();
    } else if (predicted) {
        const kernels::Prediction& prediction = predicted->prediction;
        QString made = tr("Predicted in %1, whole grid, exact").arg(formatTime(predicted->milliseconds * 1e6));
        if (std::ranges::any_of(prediction.result.hazards,
                [](const analysis::Hazard& hazard) { return hazard.kind == analysis::HazardKind::NotModelled; }))
            made = tr("Predicted in %1, but not every instruction is modelled")
                       .arg(formatTime(predicted->milliseconds * 1e6));
        else if (isLedByGuesses(*predicted))
            made = tr("Predicted in %1, whole grid, exact for the data that is guessed").arg(formatTime(predicted->milliseconds * 1e6));
        parts << made;
        if (prediction.blocksExecuted < prediction.blocks)
            parts << tr("%1 of %2 blocks executed, the addresses of the others follow from them")
                         .arg(formatValue(double(prediction.blocksExecuted)), formatValue(double(prediction.blocks)));
        if (predicted->refining)
            parts << tr("the time follows when the registers are compiled");
        parts << tr("PTX by %1").arg(QString::fromStdString(prediction.compiler));
    } else if (kernels::catalogue().empty()) {
        parts << tr("The program holds no kernel; open a kernel file.");
    } else {
        parts << tr("Predicting…");
    }
    m_statusText = parts.join(QStringLiteral(" · "));
    showStatusLine();
}

void MainWindow::showStatusLine()
{
    const QString message = statusBar()->currentMessage();
    m_status->setFullText(message.isEmpty() ? m_statusText : message);
}

void MainWindow::showRunState()
{
    RunState state;
    state.running = m_runner.isRunning();
    state.target = m_settings.target.prefix;
    if (state.target.isEmpty()) {
        if (!m_gpu)
            state.whyNot = tr("Looking for a GPU…");
        else if (!*m_gpu)
            state.whyNot = tr("No GPU here: %1").arg(textOf(m_gpu->error()).whole());
    }
    if (state.whyNot.isEmpty() && !m_left->isLegal())
        state.whyNot = tr("These values are not allowed: see the experiment.");
    if (state.whyNot.isEmpty() && m_sweeper.isMeasuring())
        state.whyNot = tr("The sweep is being measured: two runs at once would disturb each other's times.");
    m_top->setRunState(state);
    m_sweep->setRunState(state);
    m_runAction->setEnabled(!state.running && state.whyNot.isEmpty());
    showCancel();
}

void MainWindow::showCancel()
{
    m_cancelAction->setEnabled(m_predictor.isBusy() || m_runner.isRunning() || m_sweeper.isBusy());
    m_cancelAction->setText(m_predictor.isBusy() ? tr("&Cancel the prediction")
            : m_runner.isRunning()               ? tr("&Cancel the run")
                                                 : tr("&Cancel the sweep"));
}

void MainWindow::showGpuText()
{
    const QString targets = QStringLiteral(" · <a href=\"targets\">%1</a>").arg(tr("Targets…"));
    QString text;
    const ComparisonInput input = comparisonInput();
    if (m_runner.isRunning()) {
        text = tr("Running on %1").arg(m_settings.target.prefix.isEmpty() ? tr("this machine") : m_settings.target.prefix);
        if (!m_stage.isEmpty())
            text += QStringLiteral(": ") + stageLabel(m_stage);
    } else if (!m_settings.target.prefix.isEmpty()) {
        text = tr("Target: %1").arg(m_settings.target.prefix.toHtmlEscaped());
    } else if (!m_gpu) {
        text = tr("Looking for a GPU…");
    } else if (*m_gpu) {
        text = tr("%1, driver %2").arg(QString::fromStdString((*m_gpu)->name), QString::fromStdString((*m_gpu)->driver));
    } else if (m_stale) {
        text = tr("No NVIDIA GPU here");
    } else if (input.origin == MeasurementOrigin::Recorded) {
        text = tr("No NVIDIA GPU here: showing the launch recorded on %1")
                   .arg(QString::fromStdString(input.measured->gpu).toHtmlEscaped());
    } else if (input.elsewhere) {
        text = tr("No NVIDIA GPU here; this launch is recorded on %1, not on the device chosen")
                   .arg(QString::fromStdString(input.elsewhere->gpu).toHtmlEscaped());
    } else {
        text = tr("No NVIDIA GPU here, and this launch is not recorded");
    }
    m_gpuLabel->setText(text + targets);
    m_gpuLabel->setToolTip(m_gpu && !*m_gpu ? textOf(m_gpu->error()).whole() : QString());
}

} // namespace coalescope::app
