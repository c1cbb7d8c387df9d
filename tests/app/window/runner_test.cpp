// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/gpu_runner.h"
#include "tests/app/app_test.h"
#include "tests/app/patience.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace coalescope;
using namespace coalescope::app;

/// Each test runs a shell script that plays the worker's side of the protocol.
class RunnerTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qRegisterMetaType<coalescope::Error>(); }
    void localCommandIsTheWorkerBesideTheProgram();
    void prefixComesFirstAndIsSplitAsAShellWould();
    void progressAndResultArrive();
    void theJobArrivesWhole();
    void anErrorOfTheWorkerKeepsItsCode();
    void aCrashIsSaidSo();
    void garbageIsSaidSo();
    void aLoginBannerDoesNotDisturb();
    void aMissingCommandIsSaidSo();
    void aPlanThatCannotBeMadeIsSaidSo();
    void cancelEndsAWorkerThatHangs();
    void destroyingTheRunnerDoesNotWait();

private:
    QString script(const QByteArray& body);
    kernels::LaunchPlan plan();
    QTemporaryDir m_folder;
};

QString RunnerTest::script(const QByteArray& body)
{
    static int count = 0;
    const QString path = m_folder.filePath(QStringLiteral("worker%1").arg(++count));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n" + body + "\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

kernels::LaunchPlan RunnerTest::plan()
{
    const auto spec = kernels::kernelNamed("copy");
    const auto made = kernels::planLaunch(**spec, {});
    return *made;
}

static QByteArray resultLine()
{
    analysis::RunResult result;
    result.kind = analysis::ResultKind::Measurement;
    result.kernel = "copy";
    result.device = "h200";
    result.gpu = "NVIDIA H200";
    result.metrics.set(analysis::Metric::GlobalLoadSectors, 4242);
    return "{\"result\":" + QByteArray::fromStdString(analysis::toJson(result)) + "}";
}

void RunnerTest::localCommandIsTheWorkerBesideTheProgram()
{
    const QStringList command = commandOf({});
    QVERIFY(command.first().endsWith(QStringLiteral("coalescope")));
    QCOMPARE(command.mid(1), QStringList({ QStringLiteral("measure"), QStringLiteral("--job"), QStringLiteral("-") }));
}

void RunnerTest::prefixComesFirstAndIsSplitAsAShellWould()
{
    const QStringList command = commandOf({ QStringLiteral("ssh -o \"A b\" gpu01"), {} });
    QCOMPARE(command.mid(0, 5),
        QStringList({ QStringLiteral("ssh"), QStringLiteral("-o"), QStringLiteral("A b"), QStringLiteral("gpu01"),
            QStringLiteral("coalescope") }));
}

void RunnerTest::progressAndResultArrive()
{
    GpuRunner runner;
    QSignalSpy progress(&runner, &GpuRunner::progressed);
    QSignalSpy running(&runner, &GpuRunner::runningChanged);
    std::optional<analysis::RunResult> result;
    connect(&runner, &GpuRunner::finished, this, [&](const analysis::RunResult& value) { result = value; });
    runner.run(plan(), { {}, script("cat >/dev/null\necho '{\"progress\":{\"stage\":\"time\",\"fraction\":0.5}}'\n"
                                    "echo '" + resultLine() + "'") });
    QTRY_VERIFY_WITH_TIMEOUT(result, kPatienceMs);
    QCOMPARE(result->metrics.get(analysis::Metric::GlobalLoadSectors), 4242.0);
    QCOMPARE(progress.size(), 1);
    QCOMPARE(progress.at(0).at(0).toString(), QStringLiteral("time"));
    QCOMPARE(running.size(), 2);
    QVERIFY(!runner.isRunning());
}

void RunnerTest::theJobArrivesWhole()
{
    const QString copy = m_folder.filePath(QStringLiteral("job.json"));
    GpuRunner runner;
    bool done = false;
    connect(&runner, &GpuRunner::finished, this, [&] { done = true; });
    runner.run(plan(), { {}, script("cat >'" + copy.toUtf8() + "'\necho '" + resultLine() + "'") });
    QTRY_VERIFY_WITH_TIMEOUT(done, kPatienceMs);
    QFile file(copy);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()).trimmed(), QString::fromStdString(kernels::jobJson(plan(), {})).trimmed());
}

static std::optional<Error> failureOf(const kernels::LaunchPlan& plan, const Target& target)
{
    GpuRunner runner;
    std::optional<Error> failure;
    QObject::connect(&runner, &GpuRunner::failed, &runner, [&](const Error& error) { failure = error; });
    runner.run(plan, target);
    for (int i = 0; i < 100 && !failure; ++i)
        QTest::qWait(50);
    return failure;
}

void RunnerTest::anErrorOfTheWorkerKeepsItsCode()
{
    const auto failure = failureOf(plan(),
        { {}, script("cat >/dev/null\necho '{\"error\":{\"code\":\"NoCounterPermission\",\"detail\":\"Counters are off\","
                     "\"where\":\"cupti\"}}'\nexit 4") });
    QVERIFY(failure);
    QCOMPARE(failure->code, ErrorCode::NoCounterPermission);
    QCOMPARE(failure->detail, "Counters are off");
}

void RunnerTest::aCrashIsSaidSo()
{
    const auto failure = failureOf(plan(), { {}, script("cat >/dev/null\necho 'bad thing' >&2\nkill -SEGV $$") });
    QVERIFY(failure);
    QCOMPARE(failure->code, ErrorCode::LaunchFailed);
    QVERIFY(failure->detail.find("crashed") != std::string::npos);
    QVERIFY(failure->detail.find("bad thing") != std::string::npos);
}

void RunnerTest::garbageIsSaidSo()
{
    const auto failure = failureOf(plan(), { {}, script("cat >/dev/null\necho 'hello, I am no worker'") });
    QVERIFY(failure);
    QVERIFY(failure->detail.find("hello, I am no worker") != std::string::npos);
}

void RunnerTest::aLoginBannerDoesNotDisturb()
{
    GpuRunner runner;
    bool done = false;
    connect(&runner, &GpuRunner::finished, this, [&] { done = true; });
    runner.run(plan(), { {}, script("cat >/dev/null\necho 'Welcome to gpu01'\necho '" + resultLine() + "'") });
    QTRY_VERIFY_WITH_TIMEOUT(done, kPatienceMs);
}

void RunnerTest::aPlanThatCannotBeMadeIsSaidSo()
{
    GpuRunner runner;
    std::optional<Error> failure;
    connect(&runner, &GpuRunner::failed, this, [&](const Error& error) { failure = error; });
    runner.run([] { return kernels::planLaunch(**kernels::kernelNamed("copy"), { { "rows", "-1" } }); }, { {}, script("cat >/dev/null\necho '" + resultLine() + "'") });
    QTRY_VERIFY_WITH_TIMEOUT(failure.has_value(), kPatienceMs);
    QCOMPARE(failure->code, ErrorCode::IllegalParameter);
    QVERIFY(!runner.isRunning());
}

void RunnerTest::aMissingCommandIsSaidSo()
{
    const auto failure = failureOf(plan(), { QStringLiteral("/no/such/command"), {} });
    QVERIFY(failure);
    QCOMPARE(failure->code, ErrorCode::TargetFailed);
    QCOMPARE(failure->where, "/no/such/command");
}

void RunnerTest::cancelEndsAWorkerThatHangs()
{
    const QString marker = m_folder.filePath(QStringLiteral("pid"));
    GpuRunner runner;
    QSignalSpy cancelled(&runner, &GpuRunner::cancelled);
    runner.run(plan(), { {}, script("trap '' TERM\necho $$ >'" + marker.toUtf8() + "'\nwhile true; do sleep 1; done") });
    QFile file(marker);
    QTRY_VERIFY_WITH_TIMEOUT(file.exists() && file.size() > 0, kPatienceMs);
    QElapsedTimer clock;
    clock.start();
    runner.cancel();
    QVERIFY(clock.elapsed() < 500); // nobody waits for it
    QCOMPARE(cancelled.size(), 1);
    QVERIFY(!runner.isRunning());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString folder = QStringLiteral("/proc/%1").arg(QString::fromUtf8(file.readAll()).trimmed());
    QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(folder), 8000); // deaf to SIGTERM, ended all the same
}

void RunnerTest::destroyingTheRunnerDoesNotWait()
{
    const QString marker = m_folder.filePath(QStringLiteral("begun"));
    auto runner = std::make_unique<GpuRunner>();
    runner->run(plan(), { {}, script("touch '" + marker.toUtf8() + "'\nsleep 60") });
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(marker), kPatienceMs);
    QElapsedTimer clock;
    clock.start();
    runner.reset();
    QVERIFY(clock.elapsed() < 500);
}

APP_TEST(RunnerTest, QCoreApplication)
#include "runner_test.moc"
