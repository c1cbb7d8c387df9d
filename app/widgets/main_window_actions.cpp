// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/language.h"
#include "app/core/texts.h"
#include "app/widgets/help_dialog.h"
#include "app/widgets/main_window.h"
#include "app/widgets/manifest_dialog.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/targets_dialog.h"
#include "app/widgets/theme.h"
#include "app/widgets/top_bar.h"
#include "app/widgets/warp_panel.h"
#include "kernels/source/manifest_template.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QStatusBar>
#include <QUndoStack>

namespace coalescope::app {
namespace {

    constexpr int kTextStep = 10; ///< %

}

QAction* MainWindow::addAction(
    QMenu* menu, const QString& text, const QKeySequence& keys, const QString& name, std::function<void()> act)
{
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, std::move(act));
    return action;
}

void MainWindow::buildMenus()
{
    QMenuBar* bar = m_top->menuBar();
    for (QMenu* menu : bar->findChildren<QMenu*>(Qt::FindDirectChildrenOnly))
        menu->deleteLater(); // of the language before
    bar->clear();
    fillFileMenu(bar->addMenu(tr("&File")));
    fillEditMenu(bar->addMenu(tr("&Edit")));
    fillViewMenu(bar->addMenu(tr("&View")));
    fillGpuMenu(bar->addMenu(tr("&GPU")));
    showRunState();
}

void MainWindow::fillFileMenu(QMenu* menu)
{
    addAction(menu, tr("Choose &kernel…"), QStringLiteral("Ctrl+K"), QStringLiteral("chooseKernel"),
        [this] { m_top->chooser()->openPopup(); });
    addAction(menu, tr("&Open kernel file or session…"), QKeySequence::Open, QStringLiteral("open"), [this] { askOpen(); });
    m_recent = menu->addMenu(tr("Open re&cent"));
    m_recent->setObjectName(QStringLiteral("recent"));
    fillRecentMenu(m_recent);
    m_reloadAction
        = addAction(menu, tr("&Reload the kernel file"), Qt::Key_F5, QStringLiteral("reload"), [this] { reload(); });
    m_reloadAction->setEnabled(!openFileName().isEmpty());
    m_manifestAction = addAction(menu, tr("&How the file is launched…"), QStringLiteral("Ctrl+L"), QStringLiteral("showLaunch"), [this] { showLaunchManifest(); });
    m_manifestAction->setEnabled(m_experiment.state().spec && !m_experiment.state().spec->derived.empty());
    m_headersMenu = menu->addMenu(tr("H&eader folders"));
    m_headersMenu->setObjectName(QStringLiteral("headerFolders"));
    connect(m_headersMenu, &QMenu::aboutToShow, this, &MainWindow::fillHeadersMenu);
    m_headersMenu->menuAction()->setEnabled(m_manifestAction->isEnabled());
    addAction(menu, tr("&Save session"), QKeySequence::Save, QStringLiteral("saveSession"), [this] {
        if (isOfSession())
            saveSessionTo(m_sessionPath);
        else
            askSaveSession();
    });
    addAction(menu, tr("Save session &as…"), QStringLiteral("Ctrl+Shift+S"), QStringLiteral("saveSessionAs"), [this] { askSaveSession(); });
    menu->addSeparator();
    addExportActions(menu);
    menu->addSeparator();
    addAction(menu, tr("&Quit"), QKeySequence::Quit, QStringLiteral("quit"), [this] { close(); });
}

void MainWindow::askSaveSession()
{
    askSave(tr("Save session"), tr("Session (*.json)"), QStringLiteral("json"), [this](const QString& path) { saveSessionTo(path); });
}

void MainWindow::saveSessionTo(const QString& path)
{
    m_save.start([path, session = session()](const JobContext&) { return saveSession(session, path); },
        [this, path](const Result<void>& result) {
            if (result)
                setSessionPath(path);
            tellExported(path, result);
        });
}

void MainWindow::fillEditMenu(QMenu* menu)
{
    QUndoStack* stack = m_experiment.undoStack();
    QAction* undo = addAction(menu, tr("&Undo"), QKeySequence::Undo, QStringLiteral("undo"), [this] { stepThrough(&QUndoStack::undo); });
    QAction* redo = addAction(menu, tr("&Redo"), QKeySequence::Redo, QStringLiteral("redo"), [this] { stepThrough(&QUndoStack::redo); });
    redo->setShortcuts({ QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y")) });
    undo->setEnabled(stack->canUndo());
    redo->setEnabled(stack->canRedo());
    connect(stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    menu->addSeparator();
    addAction(menu, tr("&Copy table as text"), QStringLiteral("Ctrl+Shift+C"), QStringLiteral("copyTable"),
        [this] { copyTable(TextForm::Aligned); });
    addAction(menu, tr("Copy table for a &spreadsheet"), QStringLiteral("Ctrl+Alt+C"), QStringLiteral("copyTabs"),
        [this] { copyTable(TextForm::Tabs); });
    addAction(menu, tr("Copy comparison as a &picture"), QStringLiteral("Ctrl+Alt+P"), QStringLiteral("copyPicture"), [this] { copyPicture(); });
}

void MainWindow::fillViewMenu(QMenu* menu)
{
    addAction(menu, tr("&Warp"), QStringLiteral("Ctrl+1"), QStringLiteral("showWarp"), [this] { m_top->setTab(0); });
    addAction(menu, tr("&Source"), QStringLiteral("Ctrl+2"), QStringLiteral("showSource"), [this] { m_top->setTab(1); });
    addAction(menu, tr("S&weep"), QStringLiteral("Ctrl+3"), QStringLiteral("showSweep"), [this] { m_top->setTab(2); });
    addAction(menu, tr("&Does it pay?"), QStringLiteral("Ctrl+4"), QStringLiteral("showPay"), [this] { m_top->setTab(3); });
    addAction(menu, tr("&Pin this experiment"), QStringLiteral("Ctrl+P"), QStringLiteral("pin"), [this] {
        m_pay->pinButton()->click();
        m_top->setTab(3);
    });
    addAction(menu, tr("&Next instruction"), QStringLiteral("Alt+Right"), QStringLiteral("nextStep"),
        [this] { m_warp->stepBy(1); });
    addAction(menu, tr("&Previous instruction"), QStringLiteral("Alt+Left"), QStringLiteral("previousStep"),
        [this] { m_warp->stepBy(-1); });
    menu->addSeparator();
    addAction(menu, tr("&Larger text"), QKeySequence::ZoomIn, QStringLiteral("textLarger"), [this] { setTextSize(m_settings.textSize + kTextStep); })
        ->setShortcuts({ QKeySequence(QStringLiteral("Ctrl++")), QKeySequence(QStringLiteral("Ctrl+=")) }); // "+" is shifted on most keyboards
    addAction(menu, tr("S&maller text"), QStringLiteral("Ctrl+-"), QStringLiteral("textSmaller"), [this] { setTextSize(m_settings.textSize - kTextStep); });
    addAction(menu, tr("Text of the &usual size"), QStringLiteral("Ctrl+0"), QStringLiteral("textUsual"), [this] { setTextSize(kNormalTextSize); });
    QAction* alone = addAction(menu, tr("Only the &pictures"), Qt::Key_F9, QStringLiteral("onlyPictures"), [this] { showSides(m_splitter->widget(0)->isHidden()); });
    alone->setCheckable(true);
    alone->setChecked(m_splitter->widget(0)->isHidden());
    QAction* full = addAction(menu, tr("&Full screen"), Qt::Key_F11, QStringLiteral("fullScreen"), [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    full->setCheckable(true);
    full->setChecked(isFullScreen());
    menu->addSeparator();
    QMenu* theme = menu->addMenu(tr("&Theme"));
    const std::pair<const char*, QString> themes[] { { "system", tr("As the &system") }, { "light", tr("&Light") },
        { "dark", tr("&Dark") } };
    for (const auto& [name, text] : themes)
        theme->addAction(text, this, [this, name = QString::fromLatin1(name)] { switchTheme(name); });
    QMenu* language = menu->addMenu(tr("&Language"));
    language->addAction(QStringLiteral("English"), this, [this] { switchLanguage(QStringLiteral("en")); });
    language->addAction(QStringLiteral("简体中文"), this, [this] { switchLanguage(QStringLiteral("zh_CN")); });
    addAction(menu, tr("&Keys and words"), QKeySequence::HelpContents, QStringLiteral("keys"), [this] { showHelp(); });
}

void MainWindow::fillGpuMenu(QMenu* menu)
{
    m_runAction
        = addAction(menu, tr("&Run on GPU"), QStringLiteral("Ctrl+R"), QStringLiteral("runOnGpu"), [this] { runOnGpu(); });
    m_cancelAction = addAction(
        menu, tr("&Cancel the run"), Qt::Key_Escape, QStringLiteral("cancelRun"), [this] { cancelWork(); });
    addAction(menu, tr("&Targets…"), QStringLiteral("Ctrl+T"), QStringLiteral("targets"), [this] { askTargets(); });
}

void MainWindow::fillRecentMenu(QMenu* menu)
{
    menu->clear();
    for (const QString& path : m_settings.recent) {
        QAction* action = menu->addAction(QFileInfo(path).fileName(), this, [this, path] { openPath(path); });
        action->setToolTip(path);
    }
    menu->setToolTipsVisible(true);
    menu->setEnabled(!menu->isEmpty());
}

/// The folders in which headers of the open file are looked for, each to be forgotten by a click, and one to add.
void MainWindow::fillHeadersMenu()
{
    m_headersMenu->clear();
    const QStringList folders = m_settings.headers.value(openFileName());
    for (const QString& folder : folders) {
        m_headersMenu->addAction(tr("Forget %1").arg(QDir::toNativeSeparators(folder)), this, [this, folders, folder] {
            QStringList others = folders;
            others.removeAll(folder);
            setHeaderFolders(others);
        });
    }
    m_headersMenu->addAction(tr("&Add a folder…"), this, [this, folders] {
        auto* dialog = new QFileDialog(this, tr("Folder of headers"), QFileInfo(openFileName()).absolutePath());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, this, [this, folders](const QString& folder) { setHeaderFolders(QStringList(folders) << folder); });
        dialog->open();
    })->setObjectName(QStringLiteral("addHeaderFolder"));
}

void MainWindow::rememberFile(const QString& path)
{
    if (path.isEmpty())
        return;
    m_settings.recent.removeAll(path);
    m_settings.recent.prepend(path);
    m_settings.recent = m_settings.recent.mid(0, kMostRecentFiles);
    fillRecentMenu(m_recent);
}

void MainWindow::askOpen()
{
    const QString last = m_settings.recent.isEmpty() ? QString() : QFileInfo(m_settings.recent.first()).absolutePath();
    auto* dialog = new QFileDialog(this, tr("Open kernel file or session"), last);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({ tr("Kernels and sessions (*.cu *.cuh *.py *.json)"), tr("All files (*)") });
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
    dialog->open();
}

void MainWindow::askSave(const QString& title, const QString& filter, const QString& suffix,
    std::function<void(const QString&)> chosen)
{
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(filter);
    dialog->setDefaultSuffix(suffix);
    const SpecPointer& spec = m_experiment.state().spec;
    dialog->selectFile((spec ? QString::fromStdString(spec->id) : QStringLiteral("coalescope")) + QLatin1Char('.') + suffix);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& chosenFilter) { // "SVG picture (*.svg)"
        dialog->setDefaultSuffix(chosenFilter.section(QLatin1Char('.'), -1).remove(QLatin1Char(')')));
    });
    connect(dialog, &QFileDialog::fileSelected, this, chosen);
    dialog->open();
}

void MainWindow::offerManifest(const QString& path, const QString& manifest, const QString& why)
{
    auto* offer = new ManifestDialog(path, manifest, why, this);
    offer->setAttribute(Qt::WA_DeleteOnClose);
    connect(offer, &ManifestDialog::copied, this,
        [this] { statusBar()->showMessage(tr("The manifest is on the clipboard."), 5000); });
    connect(offer, &ManifestDialog::inserted, this, &MainWindow::openPath);
    offer->open();
}

void MainWindow::showLaunchManifest()
{
    const SpecPointer& spec = m_experiment.state().spec;
    if (!spec || spec->derived.empty())
        return;
    offerManifest(openFileName(), QString::fromStdString(kernels::manifestComment(spec->derived)),
        tr("The file holds no manifest, a comment that says how to launch its kernel. This one is what was read: %1").arg(summaryOf(*spec)));
}

void MainWindow::tellOpenProblem(const QString& path, const Error& error, const QString& manifest)
{
    if (!manifest.isEmpty()) {
        const ErrorText problem = textOf(error);
        offerManifest(path, manifest,
            problem.sentence + QLatin1Char(' ') + tr("A manifest is a comment that says how to launch a kernel. This one was made from the kernel's parameters."));
        return;
    }
    auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("Coalescope"),
        tr("%1 cannot be opened.").arg(QFileInfo(path).fileName()), QMessageBox::Close, this);
    box->setObjectName(QStringLiteral("openProblem"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(textOf(error).whole());
    box->open();
}

void MainWindow::askTargets()
{
    auto* dialog = new TargetsDialog(m_settings.target, m_settings.prefixes, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { setTarget(dialog->target()); });
    dialog->open();
}

void MainWindow::showHelp()
{
    QList<QAction*> actions;
    for (const QAction* menu : m_top->menuBar()->actions())
        actions += menu->menu()->actions();
    auto* dialog = new HelpDialog(actions, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::copyTable(TextForm form)
{
    if (const QString why = whyNothingToSave(); !why.isEmpty()) {
        statusBar()->showMessage(why, 8000);
        return;
    }
    QGuiApplication::clipboard()->setText(comparisonText(form));
    statusBar()->showMessage(tr("The table is on the clipboard."), 5000);
}

} // namespace coalescope::app
