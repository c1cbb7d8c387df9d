// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/language.h"
#include "app/core/texts.h"
#include "app/widgets/help_dialog.h"
#include "app/widgets/main_window.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/targets_dialog.h"
#include "app/widgets/theme.h"
#include "app/widgets/top_bar.h"
#include "app/widgets/warp_panel.h"

#include <QAbstractButton>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QUndoStack>

namespace coalescope::app {

QAction* MainWindow::addAction(QMenu* menu, const QString& text, const QKeySequence& keys, const QString& name)
{
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    action->setObjectName(name);
    return action;
}

void MainWindow::buildMenus()
{
    QMenuBar* bar = m_top->menuBar();
    for (QMenu* menu : bar->findChildren<QMenu*>(Qt::FindDirectChildrenOnly))
        menu->deleteLater(); // of the language before
    bar->clear();
    QMenu* file = bar->addMenu(tr("&File"));
    connect(addAction(file, tr("Choose &kernel…"), QKeySequence(QStringLiteral("Ctrl+K")), QStringLiteral("chooseKernel")),
        &QAction::triggered, this, [this] { m_top->chooser()->openPopup(); });
    connect(addAction(file, tr("&Open kernel file or session…"), QKeySequence::Open, QStringLiteral("open")),
        &QAction::triggered, this, &MainWindow::askOpen);
    m_reloadAction = addAction(file, tr("&Reload the kernel file"), QKeySequence(Qt::Key_F5), QStringLiteral("reload"));
    m_reloadAction->setEnabled(!openFileName().isEmpty());
    connect(m_reloadAction, &QAction::triggered, this, &MainWindow::reload);
    connect(addAction(file, tr("&Save session…"), QKeySequence::Save, QStringLiteral("saveSession")),
        &QAction::triggered, this, [this] {
            askSave(tr("Save session"), tr("Session (*.json)"), QStringLiteral("json"), [this](const QString& path) {
                m_save.start([path, session = session()](
                                 const JobContext&) { return saveSession(session, path); },
                    [this, path](const Result<void>& result) { tellExported(path, result); });
            });
        });
    file->addSeparator();
    addExportActions(file);
    file->addSeparator();
    connect(addAction(file, tr("&Quit"), QKeySequence::Quit, QStringLiteral("quit")), &QAction::triggered, this,
        &QWidget::close);

    QMenu* edit = bar->addMenu(tr("&Edit"));
    QUndoStack* stack = m_experiment.undoStack();
    QAction* undo = addAction(edit, tr("&Undo"), QKeySequence::Undo, QStringLiteral("undo"));
    QAction* redo = addAction(edit, tr("&Redo"), QKeySequence::Redo, QStringLiteral("redo"));
    redo->setShortcuts({ QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y")) });
    undo->setEnabled(stack->canUndo());
    redo->setEnabled(stack->canRedo());
    connect(undo, &QAction::triggered, stack, &QUndoStack::undo);
    connect(redo, &QAction::triggered, stack, &QUndoStack::redo);
    connect(stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    edit->addSeparator();
    connect(addAction(edit, tr("&Copy table as text"), QKeySequence(QStringLiteral("Ctrl+Shift+C")), QStringLiteral("copyTable")),
        &QAction::triggered, this, [this] { copyTable(TextForm::Aligned); });
    connect(addAction(edit, tr("Copy table for a &spreadsheet"), QKeySequence(QStringLiteral("Ctrl+Alt+C")),
                QStringLiteral("copyTabs")),
        &QAction::triggered, this, [this] { copyTable(TextForm::Tabs); });

    QMenu* view = bar->addMenu(tr("&View"));
    connect(addAction(view, tr("&Warp"), QKeySequence(QStringLiteral("Ctrl+1")), QStringLiteral("showWarp")), &QAction::triggered,
        this, [this] { m_top->setTab(0); });
    connect(addAction(view, tr("&Source"), QKeySequence(QStringLiteral("Ctrl+2")), QStringLiteral("showSource")),
        &QAction::triggered, this, [this] { m_top->setTab(1); });
    connect(addAction(view, tr("S&weep"), QKeySequence(QStringLiteral("Ctrl+3")), QStringLiteral("showSweep")),
        &QAction::triggered, this, [this] { m_top->setTab(2); });
    connect(addAction(view, tr("&Does it pay?"), QKeySequence(QStringLiteral("Ctrl+4")), QStringLiteral("showPay")),
        &QAction::triggered, this, [this] { m_top->setTab(3); });
    connect(addAction(view, tr("&Pin this experiment"), QKeySequence(QStringLiteral("Ctrl+P")), QStringLiteral("pin")),
        &QAction::triggered, this, [this] {
            m_pay->pinButton()->click();
            m_top->setTab(3);
        });
    connect(addAction(view, tr("&Next instruction"), QKeySequence(QStringLiteral("Alt+Right")), QStringLiteral("nextStep")),
        &QAction::triggered, this, [this] { m_warp->stepBy(1); });
    connect(addAction(view, tr("&Previous instruction"), QKeySequence(QStringLiteral("Alt+Left")), QStringLiteral("previousStep")),
        &QAction::triggered, this, [this] { m_warp->stepBy(-1); });
    view->addSeparator();
    QMenu* theme = view->addMenu(tr("&Theme"));
    const std::pair<const char*, QString> themes[] { { "system", tr("As the &system") }, { "light", tr("&Light") },
        { "dark", tr("&Dark") } };
    for (const auto& [name, text] : themes)
        connect(theme->addAction(text), &QAction::triggered, this,
            [this, name = QString::fromLatin1(name)] { switchTheme(name); });
    QMenu* language = view->addMenu(tr("&Language"));
    connect(language->addAction(QStringLiteral("English")), &QAction::triggered, this,
        [this] { switchLanguage(QStringLiteral("en")); });
    connect(language->addAction(QStringLiteral("简体中文")), &QAction::triggered, this,
        [this] { switchLanguage(QStringLiteral("zh_CN")); });

    connect(addAction(view, tr("&Keys"), QKeySequence::HelpContents, QStringLiteral("keys")), &QAction::triggered,
        this, &MainWindow::showHelp);

    QMenu* gpu = bar->addMenu(tr("&GPU"));
    m_runAction = addAction(gpu, tr("&Run on GPU"), QKeySequence(QStringLiteral("Ctrl+R")), QStringLiteral("runOnGpu"));
    connect(m_runAction, &QAction::triggered, this, &MainWindow::runOnGpu);
    m_cancelAction = addAction(gpu, tr("&Cancel the run"), QKeySequence(Qt::Key_Escape), QStringLiteral("cancelRun"));
    connect(m_cancelAction, &QAction::triggered, &m_runner, &GpuRunner::cancel);
    connect(addAction(gpu, tr("&Targets…"), QKeySequence(QStringLiteral("Ctrl+T")), QStringLiteral("targets")),
        &QAction::triggered, this, &MainWindow::askTargets);
    showRunState();
}

void MainWindow::askOpen()
{
    auto* dialog = new QFileDialog(this, tr("Open kernel file or session"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({ tr("Kernels and sessions (*.cu *.json)"), tr("All files (*)") });
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
    connect(dialog, &QFileDialog::fileSelected, this, chosen);
    dialog->open();
}

void MainWindow::tellOpenProblem(const QString& path, const Error& error, const QString& manifest)
{
    auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("Coalescope"),
        tr("%1 cannot be opened.").arg(QFileInfo(path).fileName()), QMessageBox::Close, this);
    box->setObjectName(QStringLiteral("openProblem"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(textOf(error).whole());
    if (!manifest.isEmpty()) {
        box->setInformativeText(tr("It holds no manifest, so there is no telling how to launch it. Put a comment like the one below "
                                   "at the top of the file, with its grid, block and arguments, save it and open it again."));
        box->setDetailedText(manifest);
        QAbstractButton* copy = box->addButton(tr("&Copy a manifest to start from"), QMessageBox::AcceptRole);
        copy->setObjectName(QStringLiteral("copyManifest"));
        connect(copy, &QAbstractButton::clicked, this, [this, manifest] {
            QGuiApplication::clipboard()->setText(manifest);
            statusBar()->showMessage(tr("The manifest is on the clipboard."), 5000);
        });
    }
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
    QGuiApplication::clipboard()->setText(tableText(makeTable(comparisonInput()), captions(), form));
    statusBar()->showMessage(tr("The table is on the clipboard."), 5000);
}

} // namespace coalescope::app
