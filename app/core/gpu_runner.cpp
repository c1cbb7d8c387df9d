// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/gpu_runner.h"

#include "kernels/launch/job.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>

#include <csignal>
#include <unistd.h>

namespace coalescope::app {
namespace {

    constexpr int kGraceMs = 2000; ///< between asking a worker to end and ending it
    constexpr qsizetype kErrorsKept = 4096;
    constexpr int kShownOfStray = 120; ///< characters
    constexpr qsizetype kLongestLine = 64 << 20;

    QString localWorker()
    {
        const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/coalescope");
        if (QFileInfo(beside).isExecutable())
            return beside;
        const QString found = QStandardPaths::findExecutable(QStringLiteral("coalescope"));
        return found.isEmpty() ? beside : found;
    }

    /// Signals the worker and everything it started: it leads a process group of its own.
    void signalGroup(const QProcess& process, int signal)
    {
        if (const qint64 id = process.processId(); id > 0)
            ::kill(-pid_t(id), signal);
    }

    QString lastLine(const QByteArray& text)
    {
        const QByteArray trimmed = text.trimmed();
        return QString::fromUtf8(trimmed.mid(trimmed.lastIndexOf('\n') + 1)).left(300);
    }

}

QStringList commandOf(const Target& target)
{
    QStringList command = QProcess::splitCommand(target.prefix);
    if (!target.program.isEmpty())
        command << QProcess::splitCommand(target.program);
    else
        command << (target.prefix.trimmed().isEmpty() ? localWorker() : QStringLiteral("coalescope"));
    return command << QStringLiteral("measure") << QStringLiteral("--job") << QStringLiteral("-");
}

GpuRunner::GpuRunner(QObject* parent)
    : QObject(parent)
{
}

GpuRunner::~GpuRunner()
{
    letGo();
}

void GpuRunner::run(const kernels::LaunchPlan& plan, const Target& target, const kernels::MeasureOptions& options)
{
    run([plan] { return plan; }, target, options);
}

void GpuRunner::run(const Plan& plan, const Target& target, const kernels::MeasureOptions& options)
{
    if (isRunning())
        return;
    m_prepare.start(
        [plan, options](const JobContext&) -> Result<QByteArray> {
            const auto made = plan();
            if (!made)
                return std::unexpected(made.error());
            return QByteArray::fromStdString(kernels::jobJson(*made, options));
        },
        [this, command = commandOf(target)](const Result<QByteArray>& job) { job ? start(*job, command) : report(job.error()); });
    emit runningChanged(true);
}

void GpuRunner::start(const QByteArray& job, const QStringList& command)
{
    m_pending.clear();
    m_errors.clear();
    m_strayLines = 0;
    m_process = new QProcess(this);
    m_process->setChildProcessModifier([] { ::setpgid(0, 0); });
    connect(m_process, &QProcess::readyReadStandardOutput, this, &GpuRunner::readLines);
    connect(m_process, &QProcess::readyReadStandardError, this,
        [this] { m_errors = (m_errors + m_process->readAllStandardError()).right(kErrorsKept); });
    connect(m_process, &QProcess::finished, this,
        [this](int code, QProcess::ExitStatus status) { ended(code, status == QProcess::CrashExit); });
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            startFailed();
    });
    m_process->start(command.first(), command.mid(1));
    if (m_process) {
        m_process->write(job);
        m_process->closeWriteChannel();
    }
}

void GpuRunner::cancel()
{
    if (!isRunning())
        return;
    m_prepare.cancel();
    letGo();
    emit cancelled();
    emit runningChanged(false);
}

void GpuRunner::letGo()
{
    QProcess* process = std::exchange(m_process, nullptr);
    if (!process)
        return;
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    // The process outlives its owner for a moment: nobody waits for it here.
    process->setParent(nullptr);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    signalGroup(*process, SIGTERM);
    if (QCoreApplication::closingDown() || !QCoreApplication::instance()) {
        signalGroup(*process, SIGKILL);
        return;
    }
    QTimer::singleShot(kGraceMs, process, [process] { signalGroup(*process, SIGKILL); });
}

void GpuRunner::readLines()
{
    m_pending += m_process->readAllStandardOutput();
    qsizetype end = 0;
    while (m_process && (end = m_pending.indexOf('\n')) >= 0) {
        const QByteArray line = m_pending.left(end).trimmed();
        m_pending.remove(0, end + 1);
        if (!line.isEmpty())
            readLine(line);
    }
    if (m_process && m_pending.size() > kLongestLine)
        report({ ErrorCode::LaunchFailed, tr("The worker's answer never ends.").toStdString(), {} });
}

void GpuRunner::readLine(const QByteArray& line)
{
    const Result<kernels::JobMessage> message
        = kernels::messageFromLine(std::string_view(line.data(), std::size_t(line.size())));
    if (!message) {
        ++m_strayLines; // a login banner, a library's warning: no message of ours
        m_stray = QString::fromUtf8(line).left(kShownOfStray);
    } else if (message->progress) {
        emit progressed(QString::fromStdString(message->progress->stage), message->progress->fraction);
    } else if (message->error) {
        report(*message->error);
    } else if (message->result) {
        letGo();
        emit finished(*message->result);
        emit runningChanged(false);
    }
}

void GpuRunner::report(const Error& error)
{
    letGo();
    emit failed(error);
    emit runningChanged(false);
}

void GpuRunner::ended(int exitCode, bool crashed)
{
    readLines();
    if (!m_process)
        return;
    m_errors += m_process->readAllStandardError();
    QString detail = crashed ? tr("The worker crashed (signal %1).").arg(exitCode)
                             : tr("The worker ended with status %1 and no result.").arg(exitCode);
    if (m_strayLines > 0)
        detail += QLatin1Char(' ') + tr("It wrote what is no message: %1").arg(m_stray);
    if (const QString said = lastLine(m_errors); !said.isEmpty())
        detail += QLatin1Char(' ') + tr("Its last words: %1").arg(said);
    report({ ErrorCode::LaunchFailed, detail.toStdString(), {} });
}

void GpuRunner::startFailed()
{
    const QString program = m_process->program();
    report({ ErrorCode::TargetFailed, tr("The command could not be started.").toStdString(), program.toStdString() });
}

} // namespace coalescope::app
