// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/device/device_model.h"
#include "app/core/texts.h"
#include "app/widgets/main_window.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/sweep_panel.h"

#include <QFileInfo>

#include <utility>

namespace coalescope::app {
namespace {

    constexpr const char* kFirstKernel = "transpose_shared";

}

void MainWindow::start(const StartOptions& options)
{
    Session session;
    if (options.open.isEmpty()) {
        Result<Session> last = sessionFromJson(m_settings.session);
        if (last)
            session = std::move(*last);
        else if (!m_settings.session.isEmpty())
            m_openError = tr("The last experiment could not be read; starting with a new one.");
    } else if (catalogueSpec(options.open.toStdString())) {
        session.kernel = options.open;
    }
    const bool isPath = !options.open.isEmpty() && session.kernel.isEmpty();
    if (isPath && !options.open.contains(QLatin1Char('/')) && !options.open.contains(QLatin1Char('.'))) {
        if (const auto known = kernels::kernelNamed(options.open.toStdString()); !known)
            m_openError = textOf(known.error()).whole(); // names the nearest
        startDefault(options);
        standIn({});
        return;
    }
    if (!isPath && session.kernel.isEmpty() && session.file.isEmpty()) {
        startDefault(options);
        return;
    }
    if (!isPath && session.file.isEmpty()) { // of the catalogue: nothing to wait for
        Result<Opened> opened = openSession(std::move(session));
        if (opened)
            startWith(std::move(*opened), options);
        else
            startDefault(options);
        return;
    }
    m_open.start(
        [isPath, path = options.open, device = options.device, entry = options.entry, headers = headersOf(options), session](
            const JobContext&) { return isPath ? openFile(path, device, entry, headers) : openSession(session); },
        [this, options, isPath, path = options.open, file = session.file](Result<Opened> opened) {
            if (opened) {
                startWith(std::move(*opened), options);
                if (isPath)
                    rememberFile(QFileInfo(path).absoluteFilePath());
                return;
            }
            m_openError = textOf(opened.error()).whole();
            startDefault(options);
            standIn(isPath ? QString() : file);
            if (isPath && options.remember) // pictures are made with nobody there to read it
                openPath(path);
        });
}

/// Those that are given, or were before.
QStringList MainWindow::headersOf(const StartOptions& options) const
{
    return options.headers.isEmpty() ? m_settings.headers.value(QFileInfo(options.open).absoluteFilePath()) : options.headers;
}

void MainWindow::startWith(Opened opened, const StartOptions& options)
{
    ExperimentState state { opened.spec, defaultValues(*opened.spec), QStringLiteral("h200") };
    for (const kernels::ParameterValues* given : { &std::as_const(opened.session.values), &options.values }) {
        for (const auto& [name, value] : *given) {
            if (state.values.contains(name))
                state.values[name] = value;
            else if (given == &options.values)
                m_openError = tr("The kernel has no parameter %1.").arg(QString::fromStdString(name));
        }
    }
    const QString device = options.device.isEmpty() ? opened.session.device : options.device;
    if (analysis::deviceNamed(device.toStdString())) {
        state.device = device;
    } else if (!options.device.isEmpty()) {
        QStringList names;
        for (const analysis::DeviceModel* known : analysis::knownDevices())
            names << QString::fromUtf8(known->name);
        m_openError = tr("There is no device %1; there are %2.").arg(options.device, names.join(QStringLiteral(", ")));
    }
    m_experiment.reset(std::move(state), opened.session.selection);
    showFileKernels(opened);
    noteUnused(opened);
    setSessionPath(options.open.isEmpty() && QFileInfo::exists(m_settings.sessionPath) ? m_settings.sessionPath : opened.sessionPath);
    if (!options.show.isEmpty())
        opened.session.tab.clear();
    if (!options.open.isEmpty() && !opened.session.pinned)
        keepPins(opened.session);
    showParts(opened.session);
}

/// Those of the last experiment, for which opening a kernel is no reason to go.
void MainWindow::keepPins(Session& opened) const
{
    if (Result<Session> last = sessionFromJson(m_settings.session)) {
        opened.pinned = std::move(last->pinned);
        opened.compared = std::move(last->compared);
    }
}

/// What is shown is not what was asked for: the last experiment is kept as it was, and opened when its file is back. `file`: the latter's;
/// empty: it was not asked for.
void MainWindow::standIn(const QString& file)
{
    if (m_settings.session.isEmpty())
        return;
    m_standIn = m_experiment.state();
    m_awaited = QFileInfo::exists(file) ? QString() : file;
    if (!m_awaited.isEmpty())
        m_return.start();
    showNotice();
}

/// Nobody has changed what is shown in its place, nor pinned it.
bool MainWindow::isStandIn() const { return m_standIn && m_experiment.state() == *m_standIn && m_pay->pinned().empty(); }

void MainWindow::leaveStandIn()
{
    m_standIn.reset();
    m_awaited.clear();
    m_return.stop();
    showNotice();
}

void MainWindow::lookForAwaited()
{
    if (!isStandIn()) {
        leaveStandIn();
        return;
    }
    if (!QFileInfo::exists(m_awaited) || m_open.isBusy())
        return;
    m_openError.clear();
    leaveStandIn();
    start({});
}

void MainWindow::startDefault(const StartOptions& options)
{
    SpecPointer spec = catalogueSpec(kFirstKernel);
    if (!spec && !kernels::catalogue().empty())
        spec = catalogueSpec(kernels::catalogue().front().id);
    if (spec) {
        startWith({ .spec = std::move(spec), .session = {}, .sessionPath = {}, .unused = {}, .ofFile = {} },
            options.open.isEmpty() ? options : StartOptions { .device = options.device });
    } else {
        showStatus();
        QMetaObject::invokeMethod(this, &MainWindow::settled, Qt::QueuedConnection);
    }
}

} // namespace coalescope::app
