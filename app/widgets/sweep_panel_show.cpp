// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/device/device_model.h"
#include "app/core/sweep_texts.h"
#include "app/core/texts.h"
#include "app/widgets/sweep_measure.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/sweep_selectors.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace coalescope::app {

void SweepPanel::showSelectors()
{
    m_selectors->setLook(m_order && m_mode != Mode::Scatter ? &*m_order : nullptr, m_look,
        m_mode == Mode::Line ? SweepSelectors::Axes::OnlyX : SweepSelectors::Axes::Both);
}

bool SweepPanel::isHeld(int axis) const
{
    return m_mode != Mode::Scatter && axis != m_look.x && (m_mode == Mode::Line || axis != m_look.y);
}

SweepData SweepPanel::data() const
{
    const bool same = m_runner->order() && *m_runner->order() == *m_order;
    return { *m_order, same ? std::span<const SweepEntry>(m_runner->entries()) : std::span<const SweepEntry>(),
        m_order->launchOf(m_experiment->state().values) };
}

void SweepPanel::showPicture()
{
    if (!m_order) {
        m_stack->setCurrentWidget(m_nothing); // no grid of nothing
        m_map->setModel({});
        m_plot->setModel({});
        m_sentence->clear();
        showProgress();
        return;
    }
    const SweepData shown = data();
    m_stack->setCurrentWidget(m_mode == Mode::Map ? static_cast<QWidget*>(m_map) : m_plot);
    for (QAbstractButton* side : m_sides->buttons())
        side->setVisible(m_mode == Mode::Map); // the others show both
    if (m_mode == Mode::Map)
        m_map->setModel(heatMapOf(shown, m_look));
    else
        m_plot->setModel(m_mode == Mode::Line ? lineOf(shown, m_look) : scatterOf(shown, m_look));
    // Read out once all is there: a sentence that changes thirty times a second helps nobody.
    const bool whole = !shown.entries.empty() && !m_runner->isPredicting();
    const QString sentence = !whole       ? QString()
        : m_mode == Mode::Scatter ? scatterSentence(shown, m_look)
                                  : sliceSentence(shown, m_mode == Mode::Line ? lineLook(m_look) : m_look);
    m_sentence->setText(sentence);
    m_stack->currentWidget()->setAccessibleDescription(sentence);
    showProgress();
}

void SweepPanel::showProgress()
{
    const QLocale locale;
    const std::size_t launches = m_order && !m_isHalfTyped ? m_order->launches() : 0;
    const bool busy = m_runner->isBusy();
    m_predict->setEnabled(busy || launches > 0);
    m_predict->setText(busy ? tr("Cancel")
            : launches == 0 ? tr("Predict")
                            : tr("Predict %Ln launch(es)", nullptr, int(launches)));
    m_progress->setVisible(busy);
    m_progress->setRange(0, int(std::max<std::size_t>(1, m_runner->toDo())));
    m_progress->setValue(int(m_runner->done()));
    QString text;
    const QString done = locale.toString(qulonglong(m_runner->done())), all = locale.toString(qulonglong(m_runner->toDo()));
    if (m_runner->isMeasuring())
        text = tr("measured %1 of %2").arg(done, all);
    else if (m_runner->isPredicting())
        text = takesLong() ? tr("%1 of %2, %3 left").arg(done, all, timeFor(m_runner->toDo() - m_runner->done())) : tr("%1 of %2").arg(done, all);
    else if (const auto& times = m_runner->times())
        text = times->compiled == 0
            ? tr("predicted in %1").arg(formatTime(times->wallMs * 1e6))
            : tr("predicted in %1 · %n program(s) compiled (%2, all threads)", nullptr, int(times->compiled))
                  .arg(formatTime(times->wallMs * 1e6), formatTime(times->compileMs * 1e6));
    else if (m_runner->order())
        text = tr("cancelled after %1 of %2").arg(done, all);
    else if (launches > 0 && takesLong())
        text = tr("takes %1").arg(timeFor(m_order->launches()));
    m_state->setFullText(text);
    const bool isThere = m_runner->order().has_value();
    for (QAction* save : m_save->menu()->actions())
        save->setEnabled(isThere);
    m_save->setToolTip(isThere ? tr("The picture, or every launch as a table") : tr("There is no sweep to save yet."));
    m_measure->follow();
}

SweepPicture SweepPanel::picture() const
{
    SweepPicture picture;
    if (!m_order)
        return picture;
    const kernels::KernelSpec& spec = *m_order->spec;
    picture.title = pictureTitle(spec);
    QStringList fixed; // by the names that the axes have
    const auto add = [&](const std::string& name, const std::string& value) {
        fixed << labelOfParameter(spec, name) + QLatin1Char(' ') + valueText(spec, name, value);
    };
    for (const auto& [name, value] : m_order->request.fixed)
        add(name, value);
    for (std::size_t i = 0; i < m_order->request.axes.size(); ++i) {
        if (const kernels::SweepAxis& axis = m_order->request.axes[i]; isHeld(int(i)))
            add(axis.name, axis.values[m_look.slice[i]]);
    }
    const auto device = analysis::deviceNamed(m_order->device.toStdString());
    const bool verified = device && (*device)->verified;
    picture.captions << fixed.join(QStringLiteral(" · "))
                     << (verified ? tr("predicted for %1") : tr("predicted for %1 (rates not measured)")).arg(deviceName(m_order->device));
    picture.sentence = m_sentence->text();
    if (m_mode == Mode::Map)
        picture.map = m_map->model();
    else
        picture.plot = m_plot->model();
    return picture;
}

void SweepPanel::retranslate()
{
    setTitle(tr("Sweep"));
    m_save->setText(tr("Save") + QStringLiteral(" ▾"));
    delete m_save->menu();
    auto* menu = new QMenu(m_save);
    const std::pair<const char*, QString> rows[] { { "png", tr("Picture as PNG…") }, { "svg", tr("Picture as SVG…") },
        { "csv", tr("Launches as CSV…") }, { "json", tr("Launches as JSON…") } };
    for (const auto& [suffix, text] : rows)
        menu->addAction(text, this, [this, suffix = QString::fromLatin1(suffix)] { emit saveAsked(suffix); });
    m_save->setMenu(menu);
    m_metric->setAccessibleName(tr("What is shown of a launch"));
    for (int i = 0; i < m_metric->count(); ++i) {
        if (m_metric->itemData(i).isValid())
            m_metric->setItemText(i, SweepMetric(m_metric->itemData(i).toInt()).label());
    }
    sideButton(SweepSide::Predicted)->setText(tr("predicted"));
    sideButton(SweepSide::Measured)->setText(tr("measured"));
    sideButton(SweepSide::Error)->setText(QStringLiteral("Δ")); // as in the comparison
    sideButton(SweepSide::Error)->setAccessibleName(tr("difference"));
    sideButton(SweepSide::Error)->setToolTip(tr("How far what was measured is above (+) or below (−) the prediction"));
    modeButton(Mode::Map)->setText(tr("map"));
    modeButton(Mode::Line)->setText(tr("line"));
    modeButton(Mode::Scatter)->setText(tr("scatter"));
    modeButton(Mode::Scatter)->setToolTip(tr("Every measured launch: predicted across, measured up"));
    m_progress->setAccessibleName(tr("Progress of the sweep"));
    m_measure->retranslate();
    showProgress();
}

} // namespace coalescope::app
