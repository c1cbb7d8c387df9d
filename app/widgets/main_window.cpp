// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/main_window.h"

#include "app/core/language.h"
#include "app/core/texts.h"
#include "app/views/strip/strip_view.h"
#include "app/widgets/card.h"
#include "app/widgets/comparison_panel.h"
#include "app/widgets/comparison_view.h"
#include "app/widgets/experiment_panel.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/source_panel.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/theme.h"
#include "app/widgets/top_bar.h"
#include "app/widgets/warp_models.h"
#include "app/widgets/warp_panel.h"
#include "app/widgets/window_style.h"
#include "kernels/compile/kernel_declarations.h"

#include <QApplication>
#include <QCloseEvent>
#include <QProgressBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coalescope::app {
namespace {

    constexpr int kLeftWidth = 278, kRightWidth = 392, kCentreLeast = 320;
    constexpr int kAnnounceMs = 300; ///< what takes longer is announced
    constexpr int kRememberMs = 1500; ///< after the last change

    /// Shows a widget whose texts would like to be higher where they are narrow, but need not: nothing is scrolled for that.
    class Frame final : public QWidget {
    public:
        explicit Frame(QWidget* content)
            : m_content(content)
        {
            content->setParent(this);
        }
        [[nodiscard]] QSize sizeHint() const override { return m_content->sizeHint(); }
        [[nodiscard]] QSize minimumSizeHint() const override { return m_content->minimumSizeHint(); }

    protected:
        void resizeEvent(QResizeEvent*) override { m_content->setGeometry(rect()); }
        bool event(QEvent* event) override
        {
            if (event->type() == QEvent::LayoutRequest)
                updateGeometry();
            return QWidget::event(event);
        }

    private:
        QWidget* m_content;
    };

    QScrollArea* scrolled(QWidget* content)
    {
        auto* area = new QScrollArea;
        area->setWidget(content);
        area->setWidgetResizable(true);
        area->setFrameShape(QFrame::NoFrame);
        area->setFocusPolicy(Qt::NoFocus);
        return area; // what larger text needs more than there is, is scrolled to: the window stays as it is
    }

    analysis::Dim3 clampedBlock(const analysis::Dim3& block, const analysis::Dim3& grid)
    {
        return { std::min(block.x, grid.x - 1), std::min(block.y, grid.y - 1), std::min(block.z, grid.z - 1) };
    }

    /// The line of the file that an error is about; 0: none.
    int lineOf(const Error& error, const std::string& file)
    {
        const QStringList parts = QString::fromStdString(error.where).split(QLatin1Char(':'));
        return parts.size() > 1 && parts[0].toStdString() == file ? parts[1].toInt() : 0;
    }

}

MainWindow::MainWindow(StartOptions options, QWidget* parent)
    : QMainWindow(parent)
    , m_remember(options.remember)
{
    LoadedSettings loaded = m_remember ? loadSettings() : LoadedSettings {};
    m_settings = std::move(loaded.settings);
    if (!options.theme.isEmpty())
        m_settings.theme = options.theme;
    if (!options.language.isEmpty())
        m_settings.language = options.language;
    m_language = m_settings.language.isEmpty() ? systemLanguage() : m_settings.language;
    applyLanguage(m_language);
    applyTextSize(*qApp, m_settings.textSize);
    switchTheme(m_settings.theme);
    build();
    buildMenus();
    qApp->installEventFilter(this);
    connectModel();
    connectPanels();
    connectSweep();
    connectFile();
    resize(1440, 900);
    restoreGeometry(m_settings.geometry);
    if (m_remember) // else there is no screen that it must fit
        fitToScreen();
    const bool isChosen = m_settings.leftWidth > 0 && m_settings.rightWidth > 0;
    m_sides = isChosen ? Sides { double(m_settings.leftWidth), double(m_settings.rightWidth) } : Sides { kLeftWidth, kRightWidth };
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_sides = sidesAtUsualSize(); });
    if (loaded.damaged)
        m_openError = tr("The settings could not be read; defaults are used.");
    m_top->setTab(tabNamed(options.show));
    connectMemory();
    start(options);
    probeGpu();
    m_warp->strip()->setFocus();
}

MainWindow::~MainWindow()
{
    if (QWidget* const edited = focusWidget())
        edited->clearFocus(); // what is typed reaches the experiment while there is one
    // The members that work in the background go before the widgets that their answers would reach.
    m_runner.disconnect(this);
    m_sweeper.disconnect();
    // Hiding the window takes the focus away, of which these tell a status bar that is no more.
    m_sweep->disconnect(this);
    m_right->table()->disconnect(this);
    m_predictor.disconnect(this);
    m_experiment.disconnect(this);
}

void MainWindow::build()
{
    setWindowIcon(QIcon(QStringLiteral(":/icons/coalescope.svg")));
    auto* central = new QWidget;
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_top = new TopBar;
    m_top->setAttribute(Qt::WA_StyledBackground);
    column->addWidget(m_top);
    m_notice = new TextLabel(TextStyle::Warn);
    m_notice->setObjectName(QStringLiteral("notice"));
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setContentsMargins(14, 6, 14, 0);
    m_notice->hide();
    column->addWidget(m_notice);
    m_splitter = new QSplitter;
    m_splitter->setObjectName(QStringLiteral("panels"));
    m_splitter->setContentsMargins(8, 8, 8, 8);
    m_splitter->setHandleWidth(8);
    m_splitter->setChildrenCollapsible(false);
    column->addWidget(m_splitter, 1);
    m_left = new ExperimentPanel(&m_experiment);
    m_warp = new WarpPanel(&m_experiment, &m_predictor);
    m_source = new SourcePanel;
    m_right = new ComparisonPanel;
    m_centre = new QStackedWidget;
    m_centre->addWidget(m_warp);
    m_sweep = new SweepPanel(&m_experiment, &m_sweeper);
    m_centre->addWidget(m_source);
    m_centre->addWidget(m_sweep);
    m_pay = new PayPanel;
    m_centre->addWidget(m_pay);
    connect(m_centre, &QStackedWidget::currentChanged, this, &MainWindow::fitCentre);
    m_splitter->addWidget(scrolled(m_left));
    m_splitter->addWidget(scrolled(new Frame(m_centre)));
    m_splitter->widget(1)->setMinimumWidth(kCentreLeast);
    auto* rightArea = scrolled(m_right);
    m_splitter->addWidget(rightArea);
    connect(&m_experiment, &Experiment::kernelChanged, rightArea, [rightArea] { rightArea->verticalScrollBar()->setValue(0); });
    m_splitter->setSizes({ int(kLeftWidth * textScale()), 760, int(kRightWidth * textScale()) });
    fitCentre();
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    widenSides();
    setCentralWidget(central);
    m_status = new ElidedLabel(TextStyle::Small);
    m_status->setObjectName(QStringLiteral("status"));
    m_progress = new QProgressBar;
    m_progress->setFixedWidth(180);
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->hide();
    m_gpuLabel = new TextLabel(TextStyle::Small);
    m_gpuLabel->setWordWrap(false);
    m_gpuLabel->setObjectName(QStringLiteral("gpu"));
    // A permanent widget is not hidden by a message: it shows the message, where and as it shows everything else.
    statusBar()->addPermanentWidget(m_status, 1);
    connect(statusBar(), &QStatusBar::messageChanged, this, &MainWindow::showStatusLine);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_gpuLabel);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(6, 0, 8, 0);
    showTitle();
}

void MainWindow::connectModel()
{
    connect(&m_experiment, &Experiment::kernelChanged, this, [this] {
        showKernelsOf(m_experiment.state().spec->path);
        m_top->setSpec(m_experiment.state().spec);
        m_pay->forgetAlternative();
        m_source->setSource(*m_experiment.state().spec);
        statusBar()->clearMessage(); // of another kernel
        watchFile();
        showTitle();
    });
    connect(&m_experiment, &Experiment::changed, this, &MainWindow::onExperimentChanged);
    connect(&m_experiment, &Experiment::selectionChanged, this, &MainWindow::onSelectionChanged);
    connect(&m_predictor, &Predictor::predicted, this, &MainWindow::onPredicted);
    for (const auto signal : { &Predictor::verified, &Predictor::refined }) {
        connect(&m_predictor, signal, this, [this] {
            m_left->showPrediction(m_predictor.current());
            showSource();
            showComparison();
            showStatus();
        });
    }
    m_waiting.setInterval(kAnnounceMs);
    connect(&m_waiting, &QTimer::timeout, this, &MainWindow::showWaiting);
    connect(&m_predictor, &Predictor::busyChanged, this, &MainWindow::showCancel);
    connect(&m_predictor, &Predictor::failed, this, [this](const Error& error) {
        m_predictError = error;
        m_wait = Wait::None;
        m_sweep->setLaunchTime(0);
        if (const auto& shown = m_predictor.current(); !shown || !isSameKernel(*shown->state.spec, *m_experiment.state().spec))
            showNothing();
        setStale(textOf(error).whole());
        if (error.where == "block" || error.where == "grid")
            m_left->markEdited();
        showStatus();
    });
    connect(&m_predictor, &Predictor::traced, this, [this] {
        const Selection before = m_experiment.selection();
        if (!m_stale)
            m_warp->setStale({});
        m_warp->setEmpty(false);
        m_warp->showTrace();
        if (m_experiment.selection() == before) // else it was told
            onSelectionChanged();
    });
    connect(&m_predictor, &Predictor::traceFailed, this, [this](const Error& error) {
        setStale(textOf(error).whole());
    });
    connect(&m_predictor, &Predictor::recordedFound, this, [this] {
        showComparison();
        showGpuText();
    });
    connect(&m_predictor, &Predictor::alternativesFound, this, [this] {
        m_left->showAlternatives(m_predictor.alternatives(), *m_predictor.current());
        m_right->setBars(barsModel());
        showVariants();
    });
    connect(&m_predictor, &Predictor::settled, this, &MainWindow::tellSettled);
    connect(&m_runner, &GpuRunner::finished, this, &MainWindow::onRunFinished);
    connect(&m_runner, &GpuRunner::failed, this,
        [this](const Error& error) { m_right->setMessage(textOf(error).whole()); });
    connect(&m_runner, &GpuRunner::cancelled, this, [this] { statusBar()->showMessage(tr("Run cancelled."), 5000); });
    connect(&m_runner, &GpuRunner::runningChanged, this, [this](bool running) {
        m_progress->setVisible(running);
        m_progress->setValue(0);
        m_stage.clear();
        showRunState();
        showGpuText();
    });
    connect(&m_runner, &GpuRunner::progressed, this, [this](const QString& stage, double fraction) {
        m_progress->setValue(int(fraction * 1000));
        m_progress->setAccessibleName(stage);
        m_stage = stage;
        showGpuText();
    });
}

void MainWindow::connectPanels()
{
    connect(m_top->chooser(), &KernelChooser::kernelChosen, this,
        [this](const SpecPointer& spec) { m_experiment.chooseKernel(spec); });
    connect(m_top->chooser(), &KernelChooser::openFileAsked, this, &MainWindow::askOpen);
    connect(m_top, &TopBar::deviceChosen, &m_experiment, &Experiment::setDevice);
    connect(m_top, &TopBar::runAsked, this, &MainWindow::runOnGpu);
    connect(m_top, &TopBar::cancelAsked, &m_runner, &GpuRunner::cancel);
    connect(m_top, &TopBar::tabChosen, m_centre, &QStackedWidget::setCurrentIndex);
    connect(m_top, &TopBar::languageAsked, this, [this] {
        switchLanguage(m_language == QLatin1String("zh_CN") ? QStringLiteral("en") : QStringLiteral("zh_CN"));
    });
    connect(m_top, &TopBar::themeAsked, this, [this] {
        switchTheme(themeOf(QGuiApplication::palette()) == ThemeKind::Dark ? QStringLiteral("light")
                                                                           : QStringLiteral("dark"));
    });
    connect(m_top, &TopBar::helpAsked, this, &MainWindow::showHelp);
    connect(m_left, &ExperimentPanel::lineAsked, this, &MainWindow::showLine);
    connect(m_right, &ComparisonPanel::lineAsked, this, &MainWindow::showLine);
    connect(m_warp, &WarpPanel::lineAsked, this, &MainWindow::showLine);
    connect(m_warp, &WarpPanel::cancelAsked, this, &MainWindow::cancelWork);
    connect(m_source, &SourcePanel::lineChosen, this, &MainWindow::onSourceLine);
    connect(m_source, &SourcePanel::lineOpened, this, [this](int line) {
        if (const SpecPointer other = otherKernelAt(line)) {
            m_experiment.chooseKernel(other);
            return;
        }
        onSourceLine(line);
        m_top->setTab(0);
    });
    connect(m_right, &ComparisonPanel::deviceAsked, &m_experiment, &Experiment::setDevice);
    connect(m_right, &ComparisonPanel::variantAsked, this, [this](int row) { // the first is the experiment itself
        const std::vector<Alternative>& alternatives = m_predictor.alternatives();
        if (row > 0 && std::size_t(row) <= alternatives.size() && !m_predictor.isTrying())
            m_experiment.setValues(alternatives[std::size_t(row) - 1].change, m_right->bars().rows[std::size_t(row)].label);
    });
    connect(m_right, &ComparisonPanel::termAsked, this, &MainWindow::onTerm);
    connect(m_right, &ComparisonPanel::nearAsked, this, [this](int index) {
        const auto& near = m_predictor.recorded().near;
        if (index >= 0 && index < int(near.size()))
            m_experiment.setValues(near[std::size_t(index)]->launch.parameters, tr("recorded launch"));
    });
    connect(m_right->table(), &ComparisonView::rowReached, this,
        [this](const QString& text) { statusBar()->showMessage(text); });
    connect(m_pay, &PayPanel::loadAsked, this, [this](const ExperimentState& state) {
        if (state.spec == m_experiment.state().spec)
            m_experiment.setValues(state.values, tr("variant B"));
        else
            m_experiment.chooseKernel(state.spec, state.values);
        m_experiment.setDevice(state.device); // which a pinned launch may have another of
    });
    connect(m_gpuLabel, &QLabel::linkActivated, this, &MainWindow::askTargets);
}

void MainWindow::onExperimentChanged()
{
    const ExperimentState& state = m_experiment.state();
    m_top->setDevice(state.device);
    m_predictError.reset();
    m_wait = Wait::None;
    m_unused.clear();
    showNotice();
    if (m_left->isLegal()) {
        m_sweep->awaitLaunchTime();
        m_predictor.request(state);
        m_asked.start();
        m_waiting.start();
        if (const auto& shown = m_predictor.current(); m_stale || (shown && !isSameKernel(*shown->state.spec, *state.spec)))
            showWaiting(); // at once: no number of one kernel stands under another's name
    } else {
        m_predictor.cancel();
        m_sweep->setLaunchTime(0);
        setStale(tr("These values are not allowed, see the experiment on the left; the pictures show the "
                    "last launch that was allowed."));
        QMetaObject::invokeMethod(this, &MainWindow::settled, Qt::QueuedConnection);
    }
    m_right->setMessage({});
    showRunState();
    showStatus();
}

void MainWindow::setStale(const QString& why, TextStyle style)
{
    m_stale = !why.isEmpty();
    if (m_stale && !m_predictor.current()) { // nothing is known yet
        m_left->setEmpty(true);
        m_warp->setEmpty(true);
    }
    m_warp->setStale(why, style);
    m_warp->setProgress(m_wait == Wait::Prediction ? std::optional(m_predictor.progress()) : std::nullopt);
    m_source->setStale(why, style, m_predictError ? lineOf(*m_predictError, m_experiment.state().spec->sourceName) : 0);
    m_left->setStale(!why.isEmpty());
    setFaded(*m_right, !why.isEmpty());
    m_pay->setWhyNone(why, style);
    setFaded(*m_pay, !why.isEmpty() && m_pay->isPairShown());
    showGpuText();
}

QString MainWindow::waitText() const
{
    if (m_wait == Wait::None)
        return {};
    const double done = m_predictor.progress();
    QStringList sentences { m_wait == Wait::Cancelled
                ? (m_reloadAction->isEnabled() ? tr("The prediction was cancelled: F5 predicts again; or undo, or change a value.")
                                               : tr("The prediction was cancelled: undo, or change a value."))
            : done > 0 ? tr("Predicting: %1 of the blocks done%2; Esc cancels.").arg(formatPercent(done), leftText(done))
                       : tr("Predicting; Esc cancels.") };
    if (const auto& shown = m_predictor.current())
        sentences << (isSameKernel(*shown->state.spec, *m_experiment.state().spec)
                ? tr("What is shown is the launch before.")
                : tr("What is shown is %1.").arg(QString::fromStdString(shown->state.spec->id)));
    return sentences.join(QLatin1Char(' '));
}

/// ", about 12 s left", as soon as what is done tells.
QString MainWindow::leftText(double done) const
{
    constexpr qint64 kLeastMs = 1500;
    constexpr double kLeastDone = 0.03;
    if (done < kLeastDone || done >= 1 || m_asked.elapsed() < kLeastMs)
        return {};
    return tr(", %1 left").arg(formatAbout(double(m_asked.elapsed()) / 1000 * (1 - done) / done));
}

void MainWindow::setWait(Wait wait)
{
    m_wait = wait;
    m_source->setResult({});
    setStale(waitText(), TextStyle::Muted);
    showStatus();
}

void MainWindow::showWaiting()
{
    if (m_predictor.isBusy())
        setWait(Wait::Prediction);
    else if (m_predictor.isTracing() && !m_stale)
        m_warp->setStale(tr("Executing the block chosen…"), TextStyle::Muted);
    else if (!m_predictor.isTracing())
        m_waiting.stop();
}

void MainWindow::cancelWork()
{
    const bool isSweepSeen = m_sweeper.isBusy() && m_sweep->isVisible();
    if (!m_predictor.isBusy() || isSweepSeen) {
        m_runner.cancel();
        m_sweeper.cancel();
        return;
    }
    m_predictor.cancel();
    setWait(Wait::Cancelled);
}

void MainWindow::onPredicted()
{
    m_predictError.reset();
    m_wait = Wait::None;
    const bool wasStale = m_stale;
    setStale({});
    if (wasStale) // its block is still to come
        m_warp->setStale(tr("Executing the block chosen…"), TextStyle::Muted);
    const Predicted& predicted = *m_predictor.current();
    noteUnusedPoint(predicted.plan);
    m_left->setEmpty(false);
    m_left->showPrediction(m_predictor.current());
    m_sweep->setLaunchTime(predicted.prediction.result.milliseconds.at("analyse"));
    const bool isAsked = m_predictor.isLookingUp() && m_right->kernel() == predicted.prediction.result.kernel;
    m_left->holdAlternatives();
    m_predictor.requestBlock(clampedBlock(m_experiment.selection().block, predicted.plan.grid));
    showSource();
    if (!isAsked) // else it changes once, when the record is there in a moment
        showComparison();
    showStatus();
}

void MainWindow::showSource()
{
    const auto& predicted = m_predictor.current();
    m_source->setResult(std::shared_ptr<const analysis::RunResult>(predicted, &predicted->prediction.result));
}

/// No figure of one kernel stands under another's name.
void MainWindow::showNothing()
{
    m_predictor.forget();
    m_left->setEmpty(true);
    m_warp->setEmpty(true);
    m_source->setResult({});
    m_right->setInput({}, false);
    m_right->setNear({});
    m_right->setBars({});
    showVariants();
}

void MainWindow::onSelectionChanged()
{
    const auto& predicted = m_predictor.current();
    const auto& trace = m_predictor.trace();
    if (!predicted || !trace || predicted->state.spec != m_experiment.state().spec)
        return;
    const Selection& selection = m_experiment.selection();
    if (trace->block != selection.block) {
        m_waiting.start();
        m_predictor.requestBlock(clampedBlock(selection.block, predicted->plan.grid));
        return;
    }
    const auto warp = std::size_t(std::max(0, selection.warp));
    if (warp >= trace->warps.size() || selection.step < 0 || selection.step >= int(trace->warps[warp].size()))
        return;
    const auto instruction = trace->warps[warp][std::size_t(selection.step)].instruction;
    m_source->setCurrentLine(int(predicted->prediction.program->instructions[instruction].lineToName()));
}

/// The kernel of the file whose code has the line, where that is another one than the experiment's; null: none.
SpecPointer MainWindow::otherKernelAt(int line) const
{
    const SpecPointer& spec = m_experiment.state().spec;
    const auto ofFile = spec ? m_ofFiles.find(spec->path) : m_ofFiles.end();
    if (ofFile == m_ofFiles.end())
        return nullptr;
    const auto nameOf = [](const SpecPointer& kernel) {
        const std::string plain = kernel->entry.substr(0, kernel->entry.find('<'));
        const std::size_t scope = plain.rfind("::");
        return scope == plain.npos ? plain : plain.substr(scope + 2);
    };
    for (const kernels::KernelDeclaration& kernel : kernels::kernelDeclarations(spec->source)) {
        if (line < kernel.line || line > kernel.lastLine || kernel.name == nameOf(spec))
            continue;
        const auto other = std::ranges::find(ofFile->second, kernel.name, nameOf);
        return other == ofFile->second.end() ? nullptr : *other;
    }
    return nullptr;
}

void MainWindow::onSourceLine(int line)
{
    const auto& predicted = m_predictor.current();
    const auto& trace = m_predictor.trace();
    if (!predicted || !trace || trace->warps.empty() || predicted->state.spec != m_experiment.state().spec)
        return;
    Selection selection = m_experiment.selection();
    const auto& steps = trace->warps[std::min(std::size_t(std::max(0, selection.warp)), trace->warps.size() - 1)];
    const auto found = std::ranges::find_if(steps, [&](const analysis::TraceStep& step) {
        return int(predicted->prediction.program->instructions[step.instruction].lineToName()) == line;
    });
    if (found == steps.end()) {
        if (const SpecPointer other = otherKernelAt(line))
            statusBar()->showMessage(tr("Line %1 is of %2: a double click, or Enter, chooses that kernel.").arg(line).arg(QString::fromStdString(other->entry)), 8000);
        return;
    }
    selection.step = int(found - steps.begin());
    m_experiment.setSelection(selection);
}

void MainWindow::onTerm(const QString& term)
{
    const auto& trace = m_predictor.trace();
    Selection selection = m_experiment.selection();
    if (!trace || selection.warp < 0 || std::size_t(selection.warp) >= trace->warps.size())
        return;
    const int step = stepOfTerm(trace->warps[std::size_t(selection.warp)], term.toStdString());
    if (step < 0) {
        statusBar()->showMessage(tr("No access of this warp is of that."), 8000);
        return;
    }
    selection.step = step;
    m_experiment.setSelection(selection);
    m_top->setTab(0);
}

void MainWindow::showLine(int line)
{
    m_top->setTab(1);
    m_source->setCurrentLine(line);
}

void MainWindow::tellSettled()
{
    if (isSettled())
        emit settled();
}

bool MainWindow::isSettled() const
{
    return !m_open.isBusy() && !m_pins.isBusy() && m_predictor.isSettled() && m_sweep->isSettled();
}

/// From left to right and down, as the widgets are made: Qt's own order ends with those that another kernel brought.
bool MainWindow::focusNextPrevChild(bool next)
{
    QList<QWidget*> stops = findChildren<QWidget*>();
    stops.removeIf([this](const QWidget* widget) {
        return !widget->isVisible() || !widget->isEnabled() || widget->window() != this || widget->focusProxy()
            || (widget->focusPolicy() & Qt::TabFocus) != Qt::TabFocus;
    });
    if (stops.isEmpty())
        return false;
    std::ranges::stable_sort(stops, {}, [this](const QWidget* widget) {
        for (int panel = 0; panel < m_splitter->count(); ++panel) {
            if (m_splitter->widget(panel)->isAncestorOf(widget))
                return panel + 1;
        }
        return m_top->isAncestorOf(widget) ? 0 : m_splitter->count() + 1;
    });
    qsizetype at = stops.indexOf(focusWidget());
    at = next ? at + 1 : (at < 0 ? stops.size() : at) - 1;
    stops[(at + stops.size()) % stops.size()]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    // A line of text goes to its end by Ctrl+E; here it saves the picture, wherever the cursor is.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (widget && widget->window() == this && key->modifiers() == Qt::ControlModifier && key->key() == Qt::Key_E) {
            event->ignore();
            return true;
        }
    }
    if (watched == m_splitter && event->type() == QEvent::Resize) // before it shares out its new width
        showSideWidths();
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_top) {
        buildMenus();
        showComparison();
        if (m_wait != Wait::None)
            setWait(m_wait);
        showStatus();
        showRunState();
        showGpuText();
        showNotice();
    }
}

/// A program that is killed, or falls, has most of the experiment as well.
void MainWindow::connectMemory()
{
    m_rememberSoon.setSingleShot(true);
    m_rememberSoon.setInterval(kRememberMs);
    connect(&m_rememberSoon, &QTimer::timeout, this, &MainWindow::remember);
    // Not before it is predicted: what takes all memory would be what the next start begins with.
    for (const auto signal : { &Predictor::predicted, &Predictor::traced })
        connect(&m_predictor, signal, &m_rememberSoon, qOverload<>(&QTimer::start));
    connect(m_top->tabs(), &QTabBar::currentChanged, this, [this] {
        if (!m_predictor.isBusy())
            m_rememberSoon.start();
    });
#ifndef QT_NO_SESSIONMANAGER
    connect(qApp, &QGuiApplication::commitDataRequest, this, &MainWindow::remember);
#endif
}

void MainWindow::remember()
{
    m_rememberSoon.stop();
    if (!m_remember)
        return;
    if (m_standIn && !isStandIn()) // something new was begun
        leaveStandIn();
    if (m_experiment.state().spec && !m_standIn) { // else the last one is still being read, or could not be
        m_settings.session = sessionToJson(session());
        m_settings.sessionPath = isOfSession() ? m_sessionPath : QString();
    }
    m_settings.geometry = saveGeometry();
    m_settings.leftWidth = qRound(m_sides.left);
    m_settings.rightWidth = qRound(m_sides.right);
    saveSettings(m_settings);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    remember();
    m_runner.cancel();
    m_sweeper.cancel();
    m_predictor.cancel();
    event->accept();
}

} // namespace coalescope::app
