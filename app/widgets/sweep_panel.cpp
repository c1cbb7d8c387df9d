// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_panel.h"

#include "app/core/sweep_texts.h"
#include "app/core/texts.h"
#include "app/widgets/choice_box.h"
#include "app/widgets/sweep_axes.h"
#include "app/widgets/sweep_measure.h"
#include "app/widgets/sweep_selectors.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace coalescope::app {
namespace {

    constexpr int kHalfTypedMs = 1000; ///< until what cannot be read is complained of
    constexpr int kPauseMs = 350; ///< of typing, before a sweep begins by itself
    constexpr std::size_t kMostByItself = 1024; ///< launches; more begin with the button
    constexpr double kLongMs = 20'000; ///< so does what takes longer

    QToolButton* segment(QButtonGroup* group, int id, const QString& name)
    {
        auto* button = new QToolButton;
        button->setCheckable(true);
        button->setObjectName(name);
        button->setFocusPolicy(Qt::StrongFocus);
        group->addButton(button, id);
        return button;
    }

    bool sameAxes(const std::vector<kernels::SweepAxis>& a, const std::vector<kernels::SweepAxis>& b)
    {
        return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.name == y.name && x.values == y.values; });
    }

}

SweepPanel::SweepPanel(Experiment* experiment, SweepRunner* runner, QWidget* parent)
    : Card(parent)
    , m_experiment(experiment)
    , m_runner(runner)
    , m_axes(new SweepAxes)
    , m_problem(new TextLabel(TextStyle::Bad))
    , m_predict(new QPushButton)
    , m_measure(new SweepMeasure(runner))
    , m_progress(new QProgressBar)
    , m_state(new ElidedLabel(TextStyle::Small))
    , m_metric(new ChoiceBox)
    , m_sides(new QButtonGroup(this))
    , m_modes(new QButtonGroup(this))
    , m_selectors(new SweepSelectors)
    , m_stack(new QStackedWidget)
    , m_nothing(new QWidget)
    , m_map(new HeatMapView)
    , m_plot(new XyPlot)
    , m_sentence(new TextLabel)
    , m_save(new QToolButton)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(kPauseMs);
    m_complaint.setSingleShot(true);
    m_complaint.setInterval(kHalfTypedMs);
    build();
    buildLook();
    connectParts();
    retranslate();
    followExperiment();
}

void SweepPanel::build()
{
    m_save->setPopupMode(QToolButton::InstantPopup);
    m_save->setProperty("quiet", true);
    m_save->setObjectName(QStringLiteral("saveSweep"));
    m_save->setFocusPolicy(Qt::StrongFocus);
    for (const auto& [mode, name] :
        { std::pair(Mode::Map, "map"), std::pair(Mode::Line, "line"), std::pair(Mode::Scatter, "scatter") })
        header()->addWidget(segment(m_modes, int(mode), QStringLiteral("mode-") + QLatin1String(name)));
    header()->addWidget(m_save);
    m_predict->setObjectName(QStringLiteral("predictSweep"));
    m_progress->setObjectName(QStringLiteral("sweepProgress"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(56);
    m_progress->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_problem->setObjectName(QStringLiteral("sweepProblem"));
    m_problem->hide();
    m_sentence->setObjectName(QStringLiteral("sweepSentence"));
    for (TextLabel* label : { m_sentence, m_problem })
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    fitSentence();
    auto* run = new QHBoxLayout;
    run->setSpacing(8);
    run->addWidget(m_predict);
    run->addWidget(m_measure);
    run->addWidget(m_progress);
    run->addWidget(m_state, 1);
    auto* look = new QHBoxLayout;
    look->setSpacing(3);
    m_metric->setObjectName(QStringLiteral("sweepMetric"));
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_metric->setMinimumContentsLength(8); // tells L2 warm and cold apart; it takes what is left
    look->addWidget(m_metric, 1);
    look->addSpacing(3);
    for (const auto& [side, name] : { std::pair(SweepSide::Predicted, "predicted"), std::pair(SweepSide::Measured, "measured"),
             std::pair(SweepSide::Error, "error") })
        look->addWidget(segment(m_sides, int(side), QStringLiteral("side-") + QLatin1String(name)));
    m_stack->addWidget(m_map);
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_nothing);
    body()->addWidget(m_axes);
    body()->addLayout(run);
    body()->addLayout(look);
    body()->addWidget(m_selectors);
    body()->addWidget(m_problem);
    body()->addWidget(m_sentence);
    body()->addWidget(m_stack, 1);
}

void SweepPanel::buildLook()
{
    for (int i = 0; i < SweepMetric::count(); ++i) {
        if (i == SweepMetric::summaries())
            m_metric->insertSeparator(m_metric->count());
        m_metric->addItem(QString(), i);
    }
    m_sides->button(int(SweepSide::Predicted))->setChecked(true);
    m_modes->button(int(Mode::Map))->setChecked(true);
}

void SweepPanel::connectParts()
{
    connect(m_experiment, &Experiment::changed, this, &SweepPanel::followExperiment);
    connect(m_axes, &SweepAxes::edited, this, &SweepPanel::followRanges);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        if (m_order && isVisible() && !m_runner->order())
            m_runner->predict(*m_order);
    });
    connect(&m_complaint, &QTimer::timeout, this, [this] {
        m_problem->show();
        m_sentence->hide();
    });
    connect(m_predict, &QPushButton::clicked, this, &SweepPanel::startOrCancel);
    connect(m_measure, &SweepMeasure::asked, this, &SweepPanel::measureAsked);
    connect(m_metric, &QComboBox::activated, this, [this](int index) {
        m_look.metric = SweepMetric(m_metric->itemData(index).toInt());
        showPicture();
    });
    connect(m_sides, &QButtonGroup::idClicked, this, [this](int side) {
        m_look.side = SweepSide(side);
        showPicture();
    });
    connect(m_modes, &QButtonGroup::idClicked, this, [this](int mode) {
        m_mode = Mode(mode);
        m_modeIsChosen = true;
        showSelectors();
        showPicture();
    });
    connect(m_selectors, &SweepSelectors::lookChosen, this, [this](const SweepLook& look) {
        m_look.x = look.x;
        m_look.y = look.y;
        m_look.slice = look.slice;
        showPicture();
    });
    connect(m_runner, &SweepRunner::reset, this, &SweepPanel::showPicture);
    connect(m_runner, &SweepRunner::arrived, this, [this] {
        showProgress();
        if (isVisible())
            showPicture();
    });
    connect(m_runner, &SweepRunner::busyChanged, this, [this] {
        showProgress();
        if (isVisible())
            showPicture(); // the sentence waits for the last row
        if (isSettled())
            emit settled();
    });
    connect(m_runner, &SweepRunner::failed, this, [this](const Error& error) {
        showProblem(textOf(error).whole());
    });
    connect(m_map, &HeatMapView::cellChosen, this, [this](int cell) {
        if (m_order)
            choose(launchOfCell(*m_order, m_look, cell));
    });
    connect(m_plot, &XyPlot::pointChosen, this, [this](int launch) { choose(std::size_t(launch)); });
    connect(m_map, &HeatMapView::cellReached, this, &SweepPanel::reached);
    connect(m_plot, &XyPlot::pointReached, this, &SweepPanel::reached);
}

void SweepPanel::followExperiment()
{
    const ExperimentState& state = m_experiment->state();
    if (!state.spec)
        return;
    if (state.spec != m_spec) {
        const bool again = m_spec && !m_spec->path.empty() && m_spec->path == state.spec->path; // the file, read once more
        const SweepRanges typed = m_axes->ranges();
        m_spec = state.spec;
        m_axes->setSpec(m_spec);
        if (again)
            m_axes->setRanges(typed);
    }
    m_axes->setValues(state.values);
    followHeldValues();
    followRanges();
}

/// A slice is chosen by hand, or by an experiment that takes another value of its axis.
void SweepPanel::followHeldValues()
{
    const kernels::ParameterValues before = std::exchange(m_values, m_experiment->state().values);
    const std::vector<kernels::SweepAxis> axes = m_order ? m_order->request.axes : std::vector<kernels::SweepAxis>();
    bool moved = false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto value = m_values.find(axes[i].name);
        const auto old = before.find(axes[i].name);
        if (value == m_values.end() || (old != before.end() && old->second == value->second))
            continue;
        const std::size_t place = placeOnAxis(axes[i], value->second).value_or(m_look.slice[i]);
        moved = moved || place != m_look.slice[i];
        m_look.slice[i] = place;
    }
    if (moved)
        showSelectors();
}

void SweepPanel::followRanges()
{
    Result<SweepOrder> order = sweepOrder(m_experiment->state(), m_axes->ranges());
    m_isHalfTyped = !order && m_order && m_order->spec == m_spec;
    showProblem(order ? QString() : sentenceOf(order.error()));
    m_axes->setProblemAt(order ? std::string() : order.error().where);
    m_measure->setEnabled(!m_isHalfTyped);
    setFaded(*m_stack, m_isHalfTyped);
    if (m_isHalfTyped) { // what is shown stays until it can be read
        m_delay.stop();
        showProgress();
        return;
    }
    if (order && m_order == *order) { // another launch of the same sweep
        showPicture();
        return;
    }
    const bool keepLook = order && m_order && sameAxes(order->request.axes, m_order->request.axes);
    m_order = order ? std::optional(*std::move(order)) : std::nullopt;
    if (!keepLook)
        resetLook();
    m_runner->clear(); // what was there is of another sweep
    showPicture();
    schedule();
}

/// In the sentence's place, so that the map stays where it is; what is half typed is given a while.
void SweepPanel::showProblem(const QString& sentence)
{
    const SweepRanges ranges = m_axes->ranges();
    const bool isBegun = std::ranges::any_of(ranges, [](const auto& range) { return !range.second.trimmed().isEmpty(); });
    m_problem->setTextStyle(isBegun ? TextStyle::Bad : TextStyle::Muted); // before anything is typed nothing is wrong
    m_problem->setText(sentence);
    const bool isShown = !sentence.isEmpty() && !m_isHalfTyped;
    m_problem->setVisible(isShown);
    m_sentence->setVisible(!isShown);
    if (m_isHalfTyped)
        m_complaint.start();
    else
        m_complaint.stop();
}

/// The parameter by the name that its field has.
QString SweepPanel::sentenceOf(const Error& error) const
{
    const bool isOfField = m_spec && std::ranges::find(m_spec->parameters, error.where, &kernels::ParameterSpec::name) != m_spec->parameters.end();
    if (!isOfField)
        return textOf(error).sentence;
    Error named = error;
    named.where = labelOfParameter(*m_spec, error.where).toStdString();
    return textOf(named).sentence;
}

void SweepPanel::schedule()
{
    if (m_order && isVisible() && !m_runner->order() && m_order->launches() <= kMostByItself && !m_isAwaited && !takesLong())
        m_delay.start();
    else
        m_delay.stop(); // what was typed before is not what shall be predicted
    showProgress();
}

void SweepPanel::awaitLaunchTime()
{
    m_isAwaited = true;
    m_delay.stop();
}

void SweepPanel::setLaunchTime(double milliseconds)
{
    m_launchMs = milliseconds;
    m_isAwaited = false;
    schedule();
}

bool SweepPanel::takesLong() const
{
    return m_order && m_launchMs * double(m_order->launches()) > kLongMs;
}

QString SweepPanel::timeFor(std::size_t launches) const { return formatAbout(m_launchMs * double(launches) / 1000); }

void SweepPanel::startOrCancel()
{
    m_delay.stop();
    showProblem({});
    if (m_runner->isBusy())
        m_runner->cancel();
    else if (m_order)
        m_runner->predict(*m_order);
    showProgress();
}

void SweepPanel::choose(std::size_t launch)
{
    if (!m_order)
        return;
    const std::vector<SweepEntry>& entries = m_runner->entries();
    if (launch < entries.size() && !entries[launch].illegal.empty()) {
        emit reached(launchText(*m_order, entries[launch], launch, m_look.metric).replace(u'\n', QStringLiteral(" · ")));
        return;
    }
    kernels::ParameterValues values;
    QStringList title;
    for (const auto& [name, value] : m_order->valuesOf(launch)) {
        if (m_experiment->state().values.at(name) != value) {
            values[name] = value;
            title << QString::fromStdString(name + ' ' + value);
        }
    }
    m_experiment->setValues(values, title.join(QStringLiteral(", ")));
}

void SweepPanel::resetLook()
{
    const std::vector<kernels::SweepAxis> axes = m_order ? m_order->request.axes : std::vector<kernels::SweepAxis>();
    m_look.x = 0;
    m_look.y = axes.size() > 1 ? 1 : -1;
    m_look.slice.assign(axes.size(), 0);
    for (std::size_t i = 0; i < axes.size(); ++i)
        m_look.slice[i] = placeOnAxis(axes[i], m_experiment->state().values.at(axes[i].name)).value_or(0);
    if (!m_modeIsChosen) { // a map of one row shows little
        m_mode = axes.size() == 1 ? Mode::Line : Mode::Map;
        modeButton(m_mode)->setChecked(true);
    }
    showSelectors();
}

void SweepPanel::setRanges(const SweepRanges& ranges)
{
    m_axes->setRanges(ranges);
    followRanges();
}

void SweepPanel::setRunState(const RunState& state)
{
    m_measure->setRunState(state);
}

QPushButton* SweepPanel::measureButton() const
{
    return m_measure->measureButton();
}

QToolButton* SweepPanel::countButton() const
{
    return m_measure->countButton();
}

QPushButton* SweepPanel::retryButton() const
{
    return m_measure->retryButton();
}

QComboBox* SweepPanel::axisBox(int axis) const
{
    return m_selectors->sliceBox(axis);
}

QToolButton* SweepPanel::sideButton(SweepSide side) const
{
    return static_cast<QToolButton*>(m_sides->button(int(side)));
}

QToolButton* SweepPanel::modeButton(Mode mode) const
{
    return static_cast<QToolButton*>(m_modes->button(int(mode)));
}

bool SweepPanel::isSettled() const
{
    return !m_delay.isActive() && !m_runner->isBusy();
}

void SweepPanel::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    showPicture();
    schedule();
}

/// The map stays where it is when the text comes.
void SweepPanel::fitSentence()
{
    for (TextLabel* label : { m_sentence, m_problem })
        label->setMinimumHeight(2 * m_sentence->fontMetrics().lineSpacing());
}

void SweepPanel::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showSelectors();
        followExperiment(); // an error is a sentence too
    } else if (event->type() == QEvent::FontChange) {
        fitSentence();
    }
}

} // namespace coalescope::app
