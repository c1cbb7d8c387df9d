// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/comparison_table.h"
#include "app/core/gpu_runner.h"
#include "app/core/predictor.h"
#include "app/core/report_page.h"
#include "app/core/session.h"
#include "app/core/settings.h"
#include "app/core/sweep_runner.h"
#include "app/views/bars/bars_view.h"
#include "app/widgets/card.h"
#include "app/widgets/comparison_picture.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QMainWindow>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <vector>

class QAction;
class QProgressBar;
class QSplitter;
class QStackedWidget;
class QUndoStack;

namespace coalescope::app {

class ComparisonPanel;
class ElidedLabel;
class ExperimentPanel;
class PayPanel;
class SourcePanel;
class SweepPanel;
class TextLabel;
class TopBar;
class WarpPanel;
struct Variant;

/// What the program is started with.
struct StartOptions {
    QString open; ///< kernel id, kernel file or session; empty: the last experiment
    QString entry; ///< of a file's launches; empty: the first
    QStringList headers; ///< folders of headers, of a file without a manifest
    kernels::ParameterValues values;
    QString device; ///< empty: the last one
    QString language, theme; ///< empty: as remembered
    QString show; ///< the name of a tab; empty: the first
    bool remember = true; ///< read and write the settings
};

/// The window: the experiment, the warp, the comparison, and what connects them.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(StartOptions options = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Experiment* experiment() { return &m_experiment; }
    [[nodiscard]] Predictor* predictor() { return &m_predictor; }
    [[nodiscard]] GpuRunner* runner() { return &m_runner; }
    [[nodiscard]] TopBar* topBar() const { return m_top; }
    [[nodiscard]] ExperimentPanel* experimentPanel() const { return m_left; }
    [[nodiscard]] WarpPanel* warpPanel() const { return m_warp; }
    [[nodiscard]] SourcePanel* sourcePanel() const { return m_source; }
    [[nodiscard]] SweepPanel* sweepPanel() const { return m_sweep; }
    [[nodiscard]] PayPanel* payPanel() const { return m_pay; }
    [[nodiscard]] SweepRunner* sweepRunner() { return &m_sweeper; }
    [[nodiscard]] ComparisonPanel* comparisonPanel() const { return m_right; }
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] QString whyNoPrediction() const; ///< with all that the compiler says
    [[nodiscard]] QString gpuText() const;
    [[nodiscard]] QString openError() const { return m_openError; } ///< of the file or kernel asked for at start
    [[nodiscard]] QString unusedText() const; ///< what of the session opened could not be used; empty: all was

    void setTarget(const Target& target);
    /// Opens a kernel file or a session. The file that is open already is read again: values, device and the point looked
    /// at stay as far as they still fit.
    void openPath(const QString& path);
    void reload(); ///< the open file; nothing where the kernel is of the catalogue
    void switchLanguage(const QString& language);
    void switchTheme(const QString& theme); ///< "light", "dark", "system"
    void showSides(bool shown);
    void setTextSize(int percent); ///< of the desktop's; the panels at the sides get as much wider
    void copyTable(TextForm form);
    /// The comparison, as it is saved.
    void copyPicture();
    void showLine(int line); ///< in the source

    /// What "save as picture" saves: the comparison with its warp and captions.
    [[nodiscard]] PictureModel picture() const;
    [[nodiscard]] ReportPage reportPage() const; ///< without its pictures
    /// Writes .png, .svg, .pdf, .html, .txt, .csv or .json, whole or not at all; `done` gets the answer on the GUI
    /// thread. An empty size fits the content.
    void exportTo(const QString& path, QSize size, qreal scale, std::function<void(Result<void>)> done);

    /// The same for the sweep: .png, .svg, .csv or .json.
    void exportSweepTo(const QString& path, std::function<void(Result<void>)> done);

    /// Everything asked for is there: prediction, trace, recorded launch, alternatives, the sweep shown.
    [[nodiscard]] bool isSettled() const;

signals:
    void settled();

protected:
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    static constexpr double kCentreWanted = 394; ///< of which the pictures make do

    struct Run {
        ExperimentState state;
        std::shared_ptr<const analysis::RunResult> result;
    };

    // main_window.cpp
    void build();
    void connectModel();
    void connectPanels();
    void fitToScreen();
    [[nodiscard]] double textScale() const { return m_settings.textSize / double(kNormalTextSize); }
    void widenSides();
    void showTextSize(int percent);
    void fitText(int before, QSize chosen);
    void showSideWidths(); ///< as kept, by the text's size; they give way before the centre is scrolled
    void fitCentre(); ///< to the tab shown: no other is a reason to scroll
    /// How wide the panels at the sides are, and what the centre keeps before they give way, for text of the usual size.
    struct Sides {
        double left = 0, right = 0, centre = kCentreWanted;
    };
    [[nodiscard]] Sides sidesAtUsualSize() const;
    void onExperimentChanged();
    void onSelectionChanged();
    void tellSettled();
    /// What is shown is not of what is typed; empty: it is.
    void setStale(const QString& why, TextStyle style = TextStyle::Bad);
    /// What has taken, or would have taken, long.
    enum class Wait { None, Prediction, Cancelled };
    void setWait(Wait wait);
    [[nodiscard]] QString waitText() const;
    [[nodiscard]] QString leftText(double done) const;
    void showWaiting(); ///< for the prediction, or for the block
    void cancelWork(); ///< the prediction, else the run
    void onPredicted();
    void showSource(); ///< the figures beside its lines
    void showNothing();
    [[nodiscard]] SpecPointer otherKernelAt(int line) const;
    void onSourceLine(int line);
    void onTerm(const QString& term);
    void connectMemory();
    void remember();

    // main_window_start.cpp
    void start(const StartOptions& options);
    void startWith(Opened opened, const StartOptions& options);
    void keepPins(Session& opened) const;
    void standIn(const QString& file);
    [[nodiscard]] bool isStandIn() const;
    void leaveStandIn();
    void lookForAwaited();
    void startDefault(const StartOptions& options);

    // main_window_run.cpp
    void probeGpu();
    void runOnGpu();
    void onRunFinished(const analysis::RunResult& result);

    // main_window_files.cpp
    enum class Asked { ByUser, ByChange };
    void connectFile();
    void followFile(); ///< has it read again where it, or a header, is another one or is back
    void showNotice();
    void watchFile(); ///< the open one and what it includes, and no other
    void watchHeaders();
    void readPath(const QString& path, Asked asked);
    void take(const Opened& opened, Asked asked);
    void stepThrough(void (QUndoStack::*step)()); ///< undoes or redoes
    void setSessionPath(const QString& path); ///< empty: none is open
    [[nodiscard]] bool isOfSession() const; ///< the kernel shown is the one of the session opened or saved last
    void showTitle();
    void showFileKernels(const Opened& opened); ///< to choose among them
    void showKernelsOf(const std::filesystem::path& file);
    void noteUnused(const Opened& opened); ///< shown until the experiment is changed
    void noteUnusedPoint(const kernels::LaunchPlan& plan);
    [[nodiscard]] Session session() const; ///< the experiment with the tab and the sweep typed
    void showParts(const Session& session); ///< the tab and the sweep typed, as far as the session says
    void restorePins(const std::vector<Session>& pinned);
    [[nodiscard]] QString openFileName() const; ///< empty: a kernel of the catalogue

    // main_window_actions.cpp
    void buildMenus();
    void fillFileMenu(QMenu* menu);
    void fillEditMenu(QMenu* menu);
    void fillViewMenu(QMenu* menu);
    void fillGpuMenu(QMenu* menu);
    QAction* addAction(
        QMenu* menu, const QString& text, const QKeySequence& keys, const QString& name, std::function<void()> act);
    void askOpen();
    void askSave(const QString& title, const QString& filter, const QString& suffix,
        std::function<void(const QString&)> chosen);
    void askSaveSession();
    void saveSessionTo(const QString& path);
    void askTargets();
    void fillRecentMenu(QMenu* menu);
    void fillHeadersMenu();
    void setHeaderFolders(const QStringList& folders); ///< of the open file, which is read again
    [[nodiscard]] QStringList headersOf(const StartOptions& options) const;
    void rememberFile(const QString& path); ///< as the one opened last
    void offerManifest(const QString& path, const QString& manifest, const QString& why);
    void showLaunchManifest(); ///< of a launch that was read out of the open file
    /// A dialog with what is wrong, and a manifest to copy where one is missing.
    void tellOpenProblem(const QString& path, const Error& error, const QString& manifest);
    void showHelp();

    // main_window_export.cpp
    void addExportActions(QMenu* menu);
    [[nodiscard]] static QString whyNotSaved(const QString& path, const Error& error);
    using Content = std::function<QByteArray()>; ///< makes a file's content; called on a worker
    [[nodiscard]] Result<Content> comparisonFile(const QString& path, QSize size, qreal scale) const;
    [[nodiscard]] Result<Content> sweepFile(const QString& path) const;
    void save(const QString& path, Result<Content> content, std::function<void(Result<void>)> done);
    void tellExported(const QString& path, const Result<void>& result);
    void tellNotSaved(const QString& what, const QString& why);
    [[nodiscard]] QString whyNothingToSave() const; ///< empty: what is shown is of the source as it is

    // main_window_sweep.cpp
    void connectSweep();
    void measureSweep(const SweepMeasuring& how);
    void askSaveSweep(const QString& suffix);

    // main_window_show.cpp
    [[nodiscard]] ComparisonInput comparisonInput() const;
    [[nodiscard]] BarsModel barsModel() const;
    [[nodiscard]] QStringList captions() const;
    [[nodiscard]] QString comparisonText(TextForm form) const; ///< captions, table, and what was found
    void showComparison();
    [[nodiscard]] ComparisonInput inputOf(
        const std::shared_ptr<const Predicted>& predicted, const analysis::RunResult* recorded) const;
    [[nodiscard]] Variant variantOf(const std::shared_ptr<const Predicted>& predicted, const analysis::RunResult* recorded) const;
    void showVariants();
    void showStatus();
    void showStatusLine(); ///< a message, else the status
    void showRunState();
    void showCancel(); ///< what Esc would cancel
    void showGpuText();

    Settings m_settings;
    bool m_remember = true;
    Experiment m_experiment;
    Predictor m_predictor;
    GpuRunner m_runner;
    SweepRunner m_sweeper;
    JobSlot m_open, m_headers, m_probe, m_save, m_pins;
    std::vector<Session> m_pinsToCome; ///< of the session opened, being predicted
    QFileSystemWatcher m_watcher; ///< of the open file and its headers
    bool m_headerChanged = false; ///< since the file was read
    QString m_sessionPath, m_sessionKernel; ///< opened or saved last; empty: none
    QString m_followed; ///< the open file
    QStringList m_goneHeaders; ///< of its headers those that the watcher lost
    bool m_gone = false; ///< the open file is not where it was
    QMenu* m_recent = nullptr; ///< files opened before
    QStringList m_unused; ///< of the session opened
    std::optional<Selection> m_openedAt; ///< the session's, until the launch is known
    QTimer m_changed; ///< until an editor has written it whole, or until the next look for what is gone
    std::optional<Result<kernels::GpuInfo>> m_gpu; ///< nothing: not yet known
    std::vector<Run> m_runs; ///< of this session
    std::optional<ExperimentState> m_running;
    QString m_stage; ///< of the run
    std::optional<Error> m_predictError;
    std::map<std::filesystem::path, std::vector<SpecPointer>> m_ofFiles; ///< kernels of each file that was open
    QElapsedTimer m_asked; ///< since the newest prediction was asked for
    QTimer m_rememberSoon; ///< until what was predicted is remembered
    QTimer m_waiting; ///< while something is computed that is to be shown
    Wait m_wait = Wait::None;
    bool m_stale = false; ///< what is shown is not of what is typed
    QString m_openError;
    QString m_awaited; ///< the last experiment's file, which is not there; empty: none is waited for
    QTimer m_return; ///< looks for it
    std::optional<ExperimentState> m_standIn; ///< what is shown in place of what could not be opened, while nothing was changed: the last experiment is kept
    QString m_readError; ///< why the open file, as it was saved last, cannot be read
    QString m_statusText;
    QString m_language;

    TopBar* m_top = nullptr;
    TextLabel* m_notice = nullptr; ///< what is to be known of the open file
    QSplitter* m_splitter = nullptr;
    Sides m_sides; ///< as the user has left them
    QSize m_chosen, m_grown; ///< the window before larger text made it grow, and since
    ExperimentPanel* m_left = nullptr;
    QStackedWidget* m_centre = nullptr;
    WarpPanel* m_warp = nullptr;
    SourcePanel* m_source = nullptr;
    SweepPanel* m_sweep = nullptr;
    PayPanel* m_pay = nullptr;
    ComparisonPanel* m_right = nullptr;
    ElidedLabel* m_status = nullptr;
    QProgressBar* m_progress = nullptr;
    TextLabel* m_gpuLabel = nullptr;
    QAction* m_reloadAction = nullptr;
    QAction* m_manifestAction = nullptr;
    QMenu* m_headersMenu = nullptr;
    QAction* m_runAction = nullptr;
    QAction* m_cancelAction = nullptr;
};

} // namespace coalescope::app
