// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/result/run_result.h"
#include "app/core/jobs.h"
#include "kernels/catalogue/kernel_spec.h"
#include "kernels/launch/measure.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>

class QProcess;

namespace coalescope::app {

/// Where kernels are run: here, or behind a command that reaches another machine.
struct Target {
    QString prefix; ///< "ssh gpu01", "srun --gres=gpu:1", "docker exec -i c"; empty: this machine
    QString program; ///< the worker there; empty: the one beside this program, "coalescope" on another machine

    bool operator==(const Target&) const = default;
};

/// The command line that a target means: program and arguments, job on standard input.
[[nodiscard]] QStringList commandOf(const Target& target);

/// Runs a launch on a GPU: starts the worker, hands it the job, reads progress and result.
///
/// The worker is another process, here or elsewhere: whatever happens to it, the window stays.
class GpuRunner : public QObject {
    Q_OBJECT
public:
    explicit GpuRunner(QObject* parent = nullptr);
    ~GpuRunner() override;

    using Plan = std::function<Result<kernels::LaunchPlan>()>; ///< may take its time

    void run(const kernels::LaunchPlan& plan, const Target& target, const kernels::MeasureOptions& options = {});
    void run(const Plan& plan, const Target& target, const kernels::MeasureOptions& options = {});
    /// Asks the worker to end, and ends it after two seconds; cancelled() follows at once.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_process || m_prepare.isBusy(); }

signals:
    void runningChanged(bool running);
    void progressed(const QString& stage, double fraction);
    void finished(const coalescope::analysis::RunResult& result);
    void failed(const coalescope::Error& error);
    void cancelled();

private:
    void start(const QByteArray& job, const QStringList& command);
    void readLines();
    void readLine(const QByteArray& line);
    void ended(int exitCode, bool crashed);
    void startFailed();
    void letGo();
    void report(const Error& error);

    JobSlot m_prepare; ///< the job's JSON: a buffer's file may be slow to read
    QProcess* m_process = nullptr;
    QByteArray m_pending; ///< of standard output, the line not yet ended
    QByteArray m_errors; ///< the end of standard error
    int m_strayLines = 0; ///< of standard output that were no message
    QString m_stray; ///< the last of them
};

} // namespace coalescope::app
