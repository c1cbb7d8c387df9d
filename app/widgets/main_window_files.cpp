// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/texts.h"
#include "app/widgets/kernel_chooser.h"
#include "app/widgets/main_window.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/sweep_axes.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/top_bar.h"
#include "kernels/compile/include_check.h"

#include <QAction>
#include <QDir>
#include <QDropEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QTabBar>
#include <QUndoStack>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <utility>

namespace coalescope::app {
namespace {

    constexpr int kWritingMs = 150; ///< an editor writes, renames and writes again
    constexpr int kGoneMs = 500; ///< between two looks for a file that is gone: no folder on a network tells of it

    QStringList droppedPaths(const QMimeData& dropped)
    {
        QStringList paths;
        for (const QUrl& url : dropped.urls()) {
            if (url.isLocalFile())
                paths << QFileInfo(url.toLocalFile()).absoluteFilePath();
        }
        return paths;
    }

    /// The file, or the folder's first, by its name; empty: none.
    QString openableAt(const QString& path)
    {
        const QStringList names { QStringLiteral("*.cu"), QStringLiteral("*.cuh"), QStringLiteral("*.py"), QStringLiteral("*.json") };
        if (!QFileInfo(path).isDir())
            return QDir::match(names, QFileInfo(path).fileName()) ? path : QString();
        const QFileInfoList files = QDir(path).entryInfoList(names, QDir::Files, QDir::Name);
        return files.isEmpty() ? QString() : files.first().filePath();
    }

}

void MainWindow::connectFile()
{
    setAcceptDrops(true);
    m_changed.setSingleShot(true);
    m_return.setInterval(kGoneMs);
    connect(&m_return, &QTimer::timeout, this, &MainWindow::lookForAwaited);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this](const QString& path) {
        if (path != openFileName()) {
            m_headerChanged = true;
            if (!QFileInfo::exists(path))
                m_goneHeaders << path;
        }
        m_changed.start(kWritingMs);
    });
    connect(&m_changed, &QTimer::timeout, this, &MainWindow::followFile);
}

void MainWindow::followFile()
{
    if (m_open.isBusy()) { // another file comes first
        m_changed.start();
        return;
    }
    const bool isBack = m_goneHeaders.removeIf([](const QString& path) { return QFileInfo::exists(path); }) > 0;
    m_headerChanged |= isBack;
    if (m_changed.interval() == kGoneMs && !isBack && m_gone != QFileInfo::exists(openFileName())) {
        m_changed.start(); // as it was
        return;
    }
    watchFile(); // a file that was replaced is another one
    if (!m_watcher.files().isEmpty())
        readPath(openFileName(), Asked::ByChange);
}

QString MainWindow::openFileName() const
{
    const SpecPointer& spec = m_experiment.state().spec;
    return spec ? QString::fromStdString(spec->path.string()) : QString();
}

void MainWindow::watchFile()
{
    const QString path = openFileName();
    m_reloadAction->setEnabled(!path.isEmpty());
    const SpecPointer& spec = m_experiment.state().spec;
    m_manifestAction->setEnabled(spec && !spec->derived.empty());
    m_headersMenu->menuAction()->setEnabled(m_manifestAction->isEnabled());
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    m_headers.cancel();
    if (std::exchange(m_followed, path) != path) {
        m_goneHeaders.clear();
        m_readError.clear();
    }
    m_gone = !path.isEmpty() && !QFileInfo::exists(path);
    showNotice();
    if (m_gone || !m_goneHeaders.isEmpty())
        m_changed.start(kGoneMs);
    else if (m_changed.interval() == kGoneMs)
        m_changed.stop();
    if (path.isEmpty() || m_gone)
        return;
    m_watcher.addPath(path);
    watchHeaders();
}

void MainWindow::showNotice()
{
    QStringList lines { unusedText() };
    if (!m_awaited.isEmpty())
        lines << tr("%1 is gone: the last experiment is kept and opened as soon as it is back, unless another one is begun.").arg(m_awaited);
    if (m_gone)
        lines << tr("%1 is gone: what is shown is of the file as it was. It is read again as soon as it is back.")
                     .arg(openFileName());
    if (!m_readError.isEmpty())
        lines << tr("%1 was saved, but cannot be read: %2 What is shown is of the file as it was; it is read again when it is saved.")
                     .arg(QFileInfo(openFileName()).fileName(), m_readError);
    lines.removeAll(QString());
    m_notice->setText(lines.join(QLatin1Char('\n')));
    m_notice->setVisible(!lines.isEmpty());
}

void MainWindow::watchHeaders()
{
    m_headers.start(
        [spec = m_experiment.state().spec](const JobContext&) {
            QStringList paths;
            const Result<kernels::LaunchPlan> plan = kernels::planLaunch(*spec, {});
            const auto includes = plan ? kernels::programIncludesOf(*plan) : std::unexpected(plan.error());
            if (!includes)
                return paths; // predicting it says why
            for (const kernels::IncludedFile& file : includes->files)
                paths << QString::fromStdString(file.path.string());
            return paths;
        },
        [this](const QStringList& paths) {
            if (!paths.isEmpty())
                m_watcher.addPaths(paths);
        });
}

void MainWindow::openPath(const QString& path)
{
    readPath(path, Asked::ByUser);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!droppedPaths(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList paths = droppedPaths(*event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    for (const QString& path : paths) {
        if (const QString found = openableAt(path); !found.isEmpty())
            return openPath(found);
    }
    if (!QFileInfo(paths.first()).isDir())
        return openPath(paths.first()); // whatever its name
    tellOpenProblem(paths.first(), { ErrorCode::WrongUsage, tr("The folder holds no kernel (*.cu, *.cuh, *.py) and no session (*.json).").toStdString(), {} }, {});
}

void MainWindow::reload()
{
    if (const QString path = openFileName(); !path.isEmpty())
        openPath(path);
}

void MainWindow::readPath(const QString& path, Asked asked)
{
    struct Answer {
        Result<Opened> opened;
        QString manifest;
    };
    const SpecPointer& spec = m_experiment.state().spec;
    const bool isAgain = spec && !spec->derived.empty() && path == openFileName();
    m_open.start(
        [path, entry = isAgain ? QString::fromStdString(spec->entry) : QString(), headers = m_settings.headers.value(QFileInfo(path).absoluteFilePath())](const JobContext&) {
            Result<Opened> opened = openFile(path, {}, entry, headers);
            const QString manifest = opened ? QString() : manifestFor(path);
            return Answer { std::move(opened), manifest };
        },
        [this, path, asked](const Answer& answer) {
            const bool followed = path == m_followed;
            if (followed)
                m_readError = answer.opened || asked == Asked::ByUser ? QString() : textOf(answer.opened.error()).sentence;
            if (answer.opened)
                take(*answer.opened, asked);
            else if (asked == Asked::ByUser)
                tellOpenProblem(path, answer.opened.error(), answer.manifest);
            if (followed)
                showNotice();
        });
}

void MainWindow::take(const Opened& opened, Asked asked)
{
    const ExperimentState& state = m_experiment.state();
    const bool again = opened.sessionPath.isEmpty() && state.spec && !opened.spec->path.empty()
        && opened.spec->path == state.spec->path;
    const bool headerChanged = std::exchange(m_headerChanged, false);
    if (asked == Asked::ByChange && (!again || (opened.spec->source == state.spec->source && !headerChanged)))
        return;
    m_openError.clear();
    showFileKernels(opened);
    rememberFile(!opened.sessionPath.isEmpty() ? opened.sessionPath : QString::fromStdString(opened.spec->path.string()));
    if (again) {
        m_experiment.refreshKernel(opened.spec, opened.ofFile);
        statusBar()->showMessage(tr("Read again: %1").arg(QFileInfo(openFileName()).fileName()), 5000);
        return;
    }
    m_experiment.chooseKernel(opened.spec, opened.session.values);
    if (!opened.session.device.isEmpty())
        m_experiment.setDevice(opened.session.device);
    m_experiment.setSelection(opened.session.selection);
    showParts(opened.session);
    noteUnused(opened);
    setSessionPath(opened.sessionPath);
}

void MainWindow::setHeaderFolders(const QStringList& folders)
{
    m_settings.headers[openFileName()] = folders;
    m_headerChanged = true;
    reload();
}

void MainWindow::showFileKernels(const Opened& opened)
{
    if (const QString& file = opened.session.file; !opened.session.headers.isEmpty())
        m_settings.headers[file] = opened.session.headers;
    if (opened.ofFile.empty())
        return;
    for (const SpecPointer& kernel : opened.ofFile) // of a program's other files too
        m_ofFiles[kernel->path] = opened.ofFile;
    m_top->chooser()->popup()->setFileKernels(opened.ofFile);
}

/// A file that was open before may have changed since.
void MainWindow::stepThrough(void (QUndoStack::*step)())
{
    const QString before = openFileName();
    (m_experiment.undoStack()->*step)();
    if (openFileName() != before)
        m_changed.start(kWritingMs);
}

/// Undo may lead to a file that was open before.
void MainWindow::showKernelsOf(const std::filesystem::path& file)
{
    if (const auto known = m_ofFiles.find(file); known != m_ofFiles.end())
        m_top->chooser()->popup()->setFileKernels(known->second);
}

void MainWindow::noteUnused(const Opened& opened)
{
    m_unused.clear();
    for (const auto& [name, value] : opened.unused) {
        const QString given = QString::fromStdString(name + " = " + value);
        const auto taken = m_experiment.state().values.find(name);
        m_unused << (taken == m_experiment.state().values.end()
                ? tr("%1 (the kernel has no such parameter)").arg(given)
                : tr("%1 (not allowed; %2 is taken)").arg(given, QString::fromStdString(taken->second)));
    }
    m_openedAt = opened.session.selection;
    if (const auto& shown = m_predictor.current(); shown && shown->state == m_experiment.state())
        noteUnusedPoint(shown->plan);
    showNotice();
}

void MainWindow::noteUnusedPoint(const kernels::LaunchPlan& plan)
{
    const std::optional<Selection> at = std::exchange(m_openedAt, std::nullopt);
    if (!at)
        return;
    const analysis::Dim3& block = at->block;
    if (block.x >= plan.grid.x || block.y >= plan.grid.y || block.z >= plan.grid.z)
        m_unused << tr("block (%1, %2, %3) (the grid is %4)").arg(block.x).arg(block.y).arg(block.z).arg(formatDim(plan.grid));
    const auto warps = (plan.block.count() + analysis::kWarpLanes - 1) / analysis::kWarpLanes;
    if (std::uint64_t(at->warp) >= warps)
        m_unused << tr("warp %1 (a block has %2)").arg(at->warp).arg(warps);
    showNotice();
}

QString MainWindow::unusedText() const
{
    return m_unused.isEmpty() ? QString() : tr("Not used of the session: %1.").arg(m_unused.join(QStringLiteral("; ")));
}

void MainWindow::setSessionPath(const QString& path)
{
    m_sessionPath = path;
    m_sessionKernel = kernelName(*m_experiment.state().spec);
    showTitle();
}

bool MainWindow::isOfSession() const
{
    const SpecPointer& spec = m_experiment.state().spec;
    return !m_sessionPath.isEmpty() && spec && kernelName(*spec) == m_sessionKernel;
}

void MainWindow::showTitle()
{
    const SpecPointer& spec = m_experiment.state().spec;
    QStringList names;
    if (spec)
        names << kernelName(*spec);
    if (isOfSession())
        names.prepend(QFileInfo(m_sessionPath).fileName());
    const QString product = QStringLiteral("Coalescope");
    setWindowTitle(names.isEmpty() ? product : QStringLiteral("%1 — %2").arg(names.join(QStringLiteral(": ")), product));
}

Session MainWindow::session() const
{
    Session session = sessionOf(m_experiment);
    session.tab = tabNames().value(m_top->tabs()->currentIndex());
    session.ranges = m_sweep->axes()->ranges();
    session.compared = m_pay->compared();
    session.pinned.emplace();
    for (const Variant& variant : m_pay->pinned()) {
        Session& pin = session.pinned->emplace_back(sessionOf(variant.state));
        pin.pinnedAt = variant.pinnedAt;
        if (!pin.file.isEmpty()) // the file may be edited, or be gone
            pin.source = QString::fromStdString(variant.state.spec->source);
    }
    std::ranges::copy(m_pinsToCome, std::back_inserter(*session.pinned));
    return session;
}

void MainWindow::showParts(const Session& session)
{
    if (tabNames().contains(session.tab))
        m_top->setTab(tabNamed(session.tab));
    if (session.ranges)
        m_sweep->setRanges(*session.ranges);
    if (session.pinned)
        restorePins(*session.pinned);
    if (session.compared)
        m_pay->setCompared(*session.compared);
}

void MainWindow::restorePins(const std::vector<Session>& pinned)
{
    struct Pin {
        Session launch;
        Result<Alternative> found;
    };
    m_pay->unpinAll();
    m_pinsToCome.assign(pinned.begin(), pinned.begin() + std::ptrdiff_t(std::min(pinned.size(), PayPanel::kMostPinned)));
    if (pinned.empty()) {
        m_pins.cancel();
        return;
    }
    m_pins.start(
        [pinned = m_pinsToCome, open = m_experiment.state().spec](const JobContext& job) {
            std::vector<Pin> pins;
            for (const Session& launch : pinned) {
                const auto opened = openSession(launch);
                if (!opened) {
                    pins.push_back({ launch, std::unexpected(opened.error()) });
                    continue;
                }
                const bool isOpen = isSameKernel(*opened->spec, *open) && opened->spec->source == open->source;
                ExperimentState state { .spec = isOpen ? open : opened->spec, .values = defaultValues(*opened->spec) };
                if (!launch.device.isEmpty())
                    state.device = launch.device;
                for (const auto& [name, value] : opened->session.values)
                    state.values[name] = value;
                pins.push_back({ launch, predictWhole(state, job.stop) });
            }
            return pins;
        },
        [this](const std::vector<Pin>& pins) {
            m_pinsToCome.clear();
            for (const auto& [launch, found] : pins) {
                if (found) {
                    Variant pin = variantOf(found->predicted, found->recorded);
                    pin.pinnedAt = launch.pinnedAt;
                    m_pay->addPinned(std::move(pin));
                } else {
                    m_pay->setCompared({}); // the others have other places
                    m_unused << tr("pinned launch of %1 (%2)").arg(launch.file.isEmpty() ? launch.kernel : QFileInfo(launch.file).fileName(), textOf(found.error()).sentence);
                }
            }
            showNotice();
            tellSettled();
        });
}

} // namespace coalescope::app
