// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/experiment_panel.h"

#include "analysis/device/device_model.h"
#include "app/core/texts.h"
#include "app/widgets/parameter_control.h"
#include "app/widgets/try_view.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace coalescope::app {
namespace {

    QString warpShape(const analysis::Dim3& block)
    {
        if (block.count() < analysis::kWarpLanes)
            return ExperimentPanel::tr("the block is smaller than a warp");
        if (block.x % analysis::kWarpLanes == 0)
            return ExperimentPanel::tr("x is the fast dimension: a warp is 32 neighbours of one row");
        if (analysis::kWarpLanes % block.x == 0)
            return ExperimentPanel::tr("x is the fast dimension: a warp is %1 rows of %2")
                .arg(analysis::kWarpLanes / block.x)
                .arg(block.x);
        if (block.y * block.z == 1)
            return ExperimentPanel::tr("of the last warp's 32 lanes %1 have a thread").arg(block.x % analysis::kWarpLanes);
        return ExperimentPanel::tr("x is the fast dimension: a warp runs on over rows of %1").arg(block.x);
    }

    /// No file's or kernel's name is longer than the panel is wide; Chinese breaks anywhere.
    QString withShortWords(const QString& text)
    {
        constexpr qsizetype kMost = 30, kEnd = 12;
        QStringList words = text.split(QLatin1Char(' '));
        for (QString& word : words)
            if (word.size() > kMost && std::ranges::all_of(word, [](QChar c) { return c.unicode() < 0x80; }))
                word = word.left(kMost - kEnd) + QChar(0x2026) + word.right(kEnd);
        return words.join(QLatin1Char(' '));
    }

    QString outOfRange(const kernels::ParameterSpec& parameter, const std::string& value)
    {
        const std::int64_t number = std::atoll(value.c_str());
        if (!parameter.isInteger() || (number >= parameter.minimum && number <= parameter.maximum))
            return {};
        const QLocale locale;
        return ExperimentPanel::tr("Allowed: %1 to %2.")
            .arg(locale.toString(qlonglong(parameter.minimum)), locale.toString(qlonglong(parameter.maximum)));
    }

}

ExperimentPanel::ExperimentPanel(Experiment* experiment, QWidget* parent)
    : Card(parent)
    , m_experiment(experiment)
    , m_summary(new TextLabel(TextStyle::Small))
    , m_presets(new QToolButton)
    , m_controlArea(new QWidget)
    , m_grid(new QGridLayout(m_controlArea))
    , m_general(new TextLabel(TextStyle::Bad))
    , m_results(new QWidget)
    , m_launch(new TextLabel)
    , m_warpShape(new TextLabel(TextStyle::Small))
    , m_occupancyTitle(new TextLabel(TextStyle::Strong))
    , m_occupancyText(new TextLabel)
    , m_occupancyBar(new QProgressBar)
    , m_limiter(new TextLabel(TextStyle::Small))
    , m_status(new TextLabel)
    , m_try(new TryView)
{
    m_presets->setPopupMode(QToolButton::InstantPopup);
    m_presets->setProperty("quiet", true);
    m_presets->setObjectName(QStringLiteral("presets"));
    m_presets->setFocusPolicy(Qt::StrongFocus);
    header()->addWidget(m_presets);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, 1);
    m_occupancyBar->setTextVisible(false);
    m_occupancyBar->setFixedHeight(7);
    auto* occupancy = new QHBoxLayout;
    m_occupancyTitle->setWordWrap(false);
    m_occupancyText->setWordWrap(false);
    occupancy->addWidget(m_occupancyTitle);
    occupancy->addStretch(1);
    occupancy->addWidget(m_occupancyText);
    m_status->setObjectName(QStringLiteral("status"));
    QSizePolicy room = m_status->sizePolicy();
    room.setRetainSizeWhenHidden(true); // what is below it stays where it is
    m_status->setSizePolicy(room);
    m_limiter->setObjectName(QStringLiteral("occupancyLimit"));
    m_general->hide();
    for (QWidget* widget : { static_cast<QWidget*>(m_summary), m_controlArea, static_cast<QWidget*>(m_general), m_results })
        body()->addWidget(widget);
    auto* results = new QVBoxLayout(m_results);
    results->setContentsMargins(0, 0, 0, 0);
    results->setSpacing(6);
    results->addWidget(m_launch);
    results->addWidget(m_warpShape);
    results->addSpacing(4);
    results->addLayout(occupancy);
    results->addWidget(m_occupancyBar);
    results->addWidget(m_limiter);
    results->addWidget(m_status);
    results->addSpacing(4);
    results->addWidget(m_try);
    body()->addStretch(1);
    connect(m_status, &QLabel::linkActivated, this, [this](const QString& link) { emit lineAsked(link.toInt()); });
    connect(m_try, &TryView::applied, this, [this](const TryItem& item) {
        if (item.spec)
            m_experiment->chooseKernel(item.spec, item.change);
        else
            m_experiment->setValues(item.change, item.title);
        if (ParameterControl* changed = control(item.change.empty() ? std::string() : item.change.begin()->first))
            changed->setFocus(Qt::OtherFocusReason); // the button is gone
    });
    connect(experiment, &Experiment::kernelChanged, this, &ExperimentPanel::rebuild);
    connect(experiment, &Experiment::changed, this, &ExperimentPanel::showValues);
    retranslate();
}

ParameterControl* ExperimentPanel::control(const std::string& name) const
{
    const auto found = std::ranges::find(m_controls, name, &ParameterControl::name);
    return found == m_controls.end() ? nullptr : *found;
}

void ExperimentPanel::rebuild()
{
    for (ParameterControl* control : m_controls) {
        control->hide();
        control->deleteLater();
    }
    m_controls.clear();
    m_try->clear();
    const SpecPointer& spec = m_experiment->state().spec;
    if (!spec)
        return;
    for (const kernels::ParameterSpec& parameter : spec->parameters) {
        auto* control = new ParameterControl(parameter, m_controlArea);
        connect(control, &ParameterControl::valueChosen, this, [this](const std::string& name, const std::string& value) {
            m_edited = name;
            m_experiment->setValue(name, value);
        });
        m_controls.push_back(control);
    }
    placeControls();
    fillPresets();
    retranslate();
}

void ExperimentPanel::placeControls()
{
    int row = 0;
    for (std::size_t i = 0; i < m_controls.size(); ++i, ++row) {
        const bool pair = !m_controls[i]->isWide() && i + 1 < m_controls.size() && !m_controls[i + 1]->isWide();
        m_grid->addWidget(m_controls[i], row, 0, 1, pair ? 1 : 2, Qt::AlignTop);
        if (pair)
            m_grid->addWidget(m_controls[++i], row, 1, Qt::AlignTop);
    }
}

void ExperimentPanel::fillPresets()
{
    const SpecPointer& spec = m_experiment->state().spec;
    delete m_presets->menu();
    auto* menu = new QMenu(m_presets);
    for (const kernels::Preset& preset : spec->presets) {
        const QString title = localized(preset.title);
        menu->addAction(title, m_experiment, [this, values = kernels::ParameterValues(preset.values), title] {
            m_experiment->setValues(values, title);
        });
    }
    menu->addSeparator();
    menu->addAction(tr("Defaults"), m_experiment,
        [this, spec] { m_experiment->setValues(defaultValues(*spec), tr("Defaults")); });
    m_presets->setMenu(menu);
}

void ExperimentPanel::showValues()
{
    const ExperimentState& state = m_experiment->state();
    for (ParameterControl* control : m_controls) {
        if (const auto value = state.values.find(control->name()); value != state.values.end())
            control->setValue(value->second);
    }
    showProblems();
}

void ExperimentPanel::showProblems()
{
    const ExperimentState& state = m_experiment->state();
    if (!state.spec)
        return;
    const std::vector<kernels::ParameterProblem> problems = kernels::problemsOf(*state.spec, state.values);
    QString general;
    m_problems.clear();
    for (const kernels::ParameterProblem& problem : problems)
        m_problems << localized(problem.sentence);
    for (const kernels::ParameterSpec& parameter : state.spec->parameters) {
        QStringList sentences;
        bool concerned = false;
        for (const kernels::ParameterProblem& problem : problems) {
            const auto& names = problem.parameters;
            if (std::ranges::find(names, parameter.name) == names.end())
                continue;
            concerned = true;
            const bool editedHere = std::ranges::find(names, m_edited) != names.end();
            if (parameter.name == (editedHere ? m_edited : names.front()))
                sentences << localized(problem.sentence);
        }
        if (sentences.isEmpty() && !concerned) {
            if (const QString range = outOfRange(parameter, state.values.at(parameter.name)); !range.isEmpty()) {
                sentences << range;
                m_problems << range;
            }
        }
        if (ParameterControl* shown = control(parameter.name)) {
            shown->setProblem(sentences.join(QLatin1Char(' ')));
            shown->setIllegal(concerned || !sentences.isEmpty());
        }
    }
    for (const kernels::ParameterProblem& problem : problems) {
        if (problem.parameters.empty())
            general += localized(problem.sentence) + QLatin1Char(' ');
    }
    m_general->setText(general.trimmed());
    m_general->setVisible(!general.isEmpty());
    m_legal = m_problems.isEmpty();
}

void ExperimentPanel::showPrediction(std::shared_ptr<const Predicted> predicted)
{
    m_shown = std::move(predicted);
    const analysis::Dim3 block = m_shown->plan.block, size = m_shown->plan.grid;
    const std::uint64_t threads = block.count();
    const auto warps = int((threads + analysis::kWarpLanes - 1) / analysis::kWarpLanes);
    const bool flat = block.y == 1 && block.z == 1;
    QString sentence = tr("block %1 = %2 threads, %n warp(s)", nullptr, warps)
                           .arg(formatDim(block), QLocale().toString(qulonglong(threads)));
    if (threads == 1)
        sentence = tr("block of one thread, 1 warp");
    else if (flat)
        sentence = tr("block of %1 threads, %n warp(s)", nullptr, warps).arg(QLocale().toString(qulonglong(threads)));
    const std::uint64_t blocks = size.count();
    const QString count = QLocale().toString(qulonglong(blocks));
    const QString grid = blocks == 1 ? tr("grid of one block")
        : blocks == size.x ? tr("grid of %1 blocks").arg(count)
                           : tr("grid %1 = %2 blocks").arg(formatDim(size), count);
    m_launch->setText(sentence + QLatin1Char('\n') + grid);
    m_warpShape->setText(warpShape(block));
    showWorkedOut();
    if (const auto& occupancy = m_shown->prediction.result.occupancy)
        showOccupancy(*occupancy);
    showStatus();
}

/// Where the host code makes other numbers of these values than of the defaults.
void ExperimentPanel::showWorkedOut()
{
    for (ParameterControl* control : m_controls) {
        const auto taken = m_shown->plan.parameters.find(control->name()), set = m_shown->state.values.find(control->name());
        const bool isOther = taken != m_shown->plan.parameters.end() && set != m_shown->state.values.end() && taken->second != set->second;
        control->setHere(isOther ? taken->second : std::string());
    }
}

void ExperimentPanel::showOccupancy(const analysis::Occupancy& occupancy)
{
    m_occupancyText->setText(tr("%1 of %2 warps").arg(occupancy.warpsPerSm).arg(occupancy.maxWarpsPerSm));
    m_occupancyBar->setRange(0, std::max(1, occupancy.maxWarpsPerSm));
    m_occupancyBar->setValue(occupancy.warpsPerSm);
    m_occupancyBar->setAccessibleName(tr("Occupancy"));
    const analysis::LaunchInfo& launch = m_shown->prediction.result.launch;
    QStringList parts { tr("limit: %1").arg(limiterLabel(occupancy.limiter)),
        tr("%n block(s) an SM", nullptr, occupancy.blocksPerSm),
        tr("%1 B shared").arg(QLocale().toString(qulonglong(launch.staticSharedBytes + launch.dynamicSharedBytes))) };
    if (occupancy.registersPerThread)
        parts << tr("%n register(s)", nullptr, *occupancy.registersPerThread);
    else if (!m_shown->refining)
        parts << tr("registers not known");
    m_limiter->setText(parts.join(QStringLiteral(" · ")));
    const auto model = analysis::deviceNamed(m_shown->state.device.toStdString());
    m_limiter->setToolTip(model ? tr("Of one SM of %1").arg(QString::fromUtf8((*model)->fullName)) : QString());
}

void ExperimentPanel::showStatus()
{
    const analysis::RunResult& result = m_shown->prediction.result;
    const bool wrong = result.verified == false;
    QStringList lines;
    if (m_shown->verifying)
        lines << tr("verifying the output…");
    else if (wrong)
        lines << QStringLiteral("✗ ")
            + (raceDecides(result) ? tr("output is wrong in the order executed here; the race decides") : tr("output is wrong"));
    else if (result.verified)
        lines << QStringLiteral("✓ ") + tr("output verified");
    else
        lines << tr("output not checked: no reference");
    QStringList links; // the right side tells apart what has the same title
    for (const analysis::Hazard& hazard : worstFirst(result.hazards))
        links << QStringLiteral("<a href=\"%1\">%2</a>").arg(hazard.line).arg(titleOf(hazard).toHtmlEscaped());
    links.removeDuplicates();
    lines << links << soundnessOf(result, m_shown->verifying, isLedByGuesses(*m_shown));
    m_status->setTextStyle(isDoubtful(result, isLedByGuesses(*m_shown)) ? TextStyle::Warn
            : result.verified == true                                  ? TextStyle::Good
                                                                       : TextStyle::Muted);
    m_status->setLines(lines);
    m_status->setToolTip(QString::fromStdString(result.verifyDetail));
}

void ExperimentPanel::showAlternatives(const std::vector<Alternative>& alternatives, const Predicted& current)
{
    m_try->setAlternatives(alternatives, current);
}

void ExperimentPanel::setStale(bool stale)
{
    setFaded(*m_results, stale);
    m_try->setEnabled(!stale && !m_try->isHeld()); // it is of the experiment before
    m_status->setVisible(!stale); // nothing is verified of what is typed
}

void ExperimentPanel::markEdited()
{
    if (ParameterControl* const shown = control(m_edited))
        shown->setIllegal(true);
}

void ExperimentPanel::setEmpty(bool empty)
{
    m_results->setVisible(!empty);
}

void ExperimentPanel::holdAlternatives()
{
    m_try->hold();
}

void ExperimentPanel::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void ExperimentPanel::retranslate()
{
    setTitle(tr("Experiment"));
    m_presets->setText(tr("Presets") + QStringLiteral(" ▾"));
    m_presets->setToolTip(tr("The published launches, and the lessons of this kernel"));
    m_occupancyTitle->setText(tr("Occupancy"));
    const SpecPointer& spec = m_experiment->state().spec;
    if (spec) {
        m_summary->setText(withShortWords(summaryOf(*spec)));
        m_summary->setToolTip(wrappedTip(localized(spec->teaches)));
        fillPresets();
        showProblems();
    }
    if (m_shown)
        showPrediction(m_shown);
}

} // namespace coalescope::app
