// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "kernels/experiment/recorded.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QPainter>
#include <QProgressBar>
#include <QScreen>
#include <QSplitter>
#include <QSvgRenderer>

#include <algorithm>

class WindowRunTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aRecordedLaunchStandsBesideThePrediction();
    void anUnrecordedLaunchNamesItsNeighbours();
    void withoutAGpuTheButtonSaysWhy();
    void runShowsProgressThenTheMeasurement();
    void aFailedRunIsExplained();
    void aHangingRunIsCancelled();
    void picturesAndTableAreSaved();
    void savingGoesThroughTheDialog();
    void theTableIsCopied();
    void theLastExperimentIsRestored();
    void theWindowFitsTheScreen();
    void thePanelsAreAsWideAsBefore();
    void corruptSettingsAreSaidSo();
    void aKernelFileIsOpened();
    void theTitleNamesWhatIsOpen();
    void theNextStartIsStillOfTheSession();
    void anUnreadableFileIsSaidSo();
    void anUnknownKernelIsSaidSo();

private:
    QString worker(const QByteArray& body);
    std::unique_ptr<QTemporaryDir> m_folder;
};

void WindowRunTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

QString WindowRunTest::worker(const QByteArray& body)
{
    const QString path = m_folder->filePath(QStringLiteral("worker"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\ncat >/dev/null\n" + body + "\n");
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

static QByteArray answer(MainWindow& window)
{
    analysis::RunResult result = window.predictor()->current()->prediction.result;
    result.kind = analysis::ResultKind::Measurement;
    result.gpu = "NVIDIA Test";
    result.driver = "1.2";
    result.date = "2026-11-20T00:00:00Z";
    result.verified = true;
    result.metrics.set(Metric::SharedLoadConflicts, *result.metrics.get(Metric::SharedLoadConflicts) + 77);
    result.time = {};
    result.time.warm = analysis::TimeSample { 5000, 4900, 4950, 5100, 20 };
    return "{\"result\":" + QByteArray::fromStdString(analysis::toJson(result)) + "}";
}

void WindowRunTest::aRecordedLaunchStandsBesideThePrediction()
{
    // What was recorded on the H100 was recorded on the H200 before.
    const auto recorded = std::ranges::find(kernels::recordedMeasurements(), "h100-sxm", &analysis::RunResult::device);
    QVERIFY(recorded != kernels::recordedMeasurements().end());
    MainWindow window(options(QString::fromStdString(recorded->kernel), recorded->launch.parameters));
    openAndSettle(window);
    QCOMPARE(window.predictor()->recorded().exact->device, std::string("h200"));
    QComboBox* device = window.topBar()->deviceBox();
    QTest::keyClicks(device, QStringLiteral("NVIDIA H100 S"));
    QTRY_COMPARE_WITH_TIMEOUT(window.predictor()->recorded().exact, &*recorded, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    const ComparisonTable& table = window.comparisonPanel()->table()->table();
    QVERIFY(!table.measuredHeading.isEmpty());
    QVERIFY(std::ranges::any_of(table.rows, [](const TableRow& row) { return row.label == QStringLiteral("warm L2"); }));
    QVERIFY(!window.findChild<QLabel*>(QStringLiteral("near"))->isVisible());
    QVERIFY(window.findChild<QLabel*>(QStringLiteral("provenance"))->text().contains(QStringLiteral("NVIDIA H100 80GB HBM3 · recorded")));
}

void WindowRunTest::anUnrecordedLaunchNamesItsNeighbours()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "96" }, { "cols", "160" } }));
    openAndSettle(window);
    QVERIFY(!window.predictor()->recorded().exact);
    QVERIFY(window.findChild<QLabel*>(QStringLiteral("provenance"))->text().contains(QStringLiteral("no such launch is recorded")));
    const auto near = window.predictor()->recorded().near;
    if (near.empty())
        QSKIP("no measurement is recorded yet");
    emit window.findChild<QLabel*>(QStringLiteral("near"))->linkActivated(QStringLiteral("near:0"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.predictor()->recorded().exact, near.front());
}

void WindowRunTest::withoutAGpuTheButtonSaysWhy()
{
    const auto gpu = kernels::localGpu();
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    if (gpu) {
        QTRY_VERIFY_WITH_TIMEOUT(window.topBar()->runButton()->isEnabled(), kPatienceMs);
        return;
    }
    QTRY_VERIFY_WITH_TIMEOUT(window.topBar()->runButton()->toolTip().contains(QStringLiteral("No GPU here")), kPatienceMs);
    QVERIFY(!window.topBar()->runButton()->isEnabled());
    QVERIFY(window.gpuText().contains(QStringLiteral("No NVIDIA GPU here")));
    QVERIFY(window.gpuText().contains(QStringLiteral("Targets")));
}

void WindowRunTest::runShowsProgressThenTheMeasurement()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    const QString gate = m_folder->filePath(QStringLiteral("gate"));
    window.setTarget({ QStringLiteral("env"), worker("echo '{\"progress\":{\"stage\":\"count\",\"fraction\":0.5}}'\n"
        "while [ ! -e '" + gate.toUtf8() + "' ]; do sleep 0.05; done\necho '" + answer(window) + "'") });
    QVERIFY(window.topBar()->runButton()->isEnabled());
    QTest::mouseClick(window.topBar()->runButton(), Qt::LeftButton);
    auto* progress = window.findChild<QProgressBar*>(QStringLiteral("progress"));
    QTRY_COMPARE_WITH_TIMEOUT(progress->value(), 500, kPatienceMs);
    QVERIFY(progress->isVisible());
    QCOMPARE(window.topBar()->runButton()->text().remove(u'&'), QStringLiteral("Cancel"));
    keepPicture(window, QStringLiteral("running"));
    QFile(gate).open(QIODevice::WriteOnly);
    QTRY_VERIFY_WITH_TIMEOUT(!window.runner()->isRunning(), kPatienceMs);
    const ComparisonTable& table = window.comparisonPanel()->table()->table();
    QTRY_COMPARE_WITH_TIMEOUT(table.measuredHeading, QStringLiteral("Test"), kPatienceMs);
    QVERIFY(std::ranges::any_of(table.rows,
        [](const TableRow& row) { return row.label.contains(QStringLiteral("77 more: arbitration")); }));
    QVERIFY(!progress->isVisible());
    keepPicture(window, QStringLiteral("measured"));
    // Another experiment has another measurement, or none; coming back brings this one back.
    window.experiment()->setValue("pad", "7");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(table.measuredHeading != QStringLiteral("Test"));
    window.experiment()->undoStack()->undo();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(table.measuredHeading, QStringLiteral("Test"));
}

void WindowRunTest::aFailedRunIsExplained()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.setTarget({ QStringLiteral("env"),
        worker("echo '{\"error\":{\"code\":\"NoCounterPermission\",\"detail\":\"The driver keeps the counters to itself\","
               "\"where\":\"\"}}'; exit 4") });
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window.comparisonPanel()->message().contains(QStringLiteral("The driver keeps the counters to itself.")), kPatienceMs);
    QVERIFY(window.comparisonPanel()->message().contains(QStringLiteral("NVreg_RestrictProfilingToAdminUsers")));
    QVERIFY(window.topBar()->runButton()->isEnabled());
    window.setTarget({ QStringLiteral("env"), worker("kill -SEGV $$") });
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window.comparisonPanel()->message().contains(QStringLiteral("without")) || !window.runner()->isRunning(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!window.comparisonPanel()->message().isEmpty(), kPatienceMs);
}

void WindowRunTest::aHangingRunIsCancelled()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.setTarget({ QStringLiteral("env"), worker("sleep 600") });
    QTest::mouseClick(window.topBar()->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.runner()->isRunning(), kPatienceMs);
    QTest::mouseClick(window.topBar()->runButton(), Qt::LeftButton);
    QVERIFY(!window.runner()->isRunning());
    QVERIFY(window.topBar()->runButton()->isEnabled());
}

void WindowRunTest::picturesAndTableAreSaved()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    int done = 0;
    const auto count = [&](const Result<void>& result) { done += result ? 1 : 100; };
    window.exportTo(m_folder->filePath(QStringLiteral("a.png")), { 1280, 800 }, 2, count);
    QTRY_COMPARE_WITH_TIMEOUT(done, 1, kPatienceMs);
    window.exportTo(m_folder->filePath(QStringLiteral("a.svg")), {}, 1, count);
    QTRY_COMPARE_WITH_TIMEOUT(done, 2, kPatienceMs);
    window.exportTo(m_folder->filePath(QStringLiteral("a.txt")), {}, 1, count);
    QTRY_COMPARE_WITH_TIMEOUT(done, 3, kPatienceMs);
    const QImage image(m_folder->filePath(QStringLiteral("a.png")));
    QCOMPARE(image.size(), QSize(2560, 1600));
    QFile svg(m_folder->filePath(QStringLiteral("a.svg")));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    QVERIFY(text.contains("<svg") && text.contains("transpose_shared") && text.contains("load wavefronts"));
    QSvgRenderer renderer(text);
    QVERIFY(renderer.isValid());
    QImage drawn(renderer.defaultSize(), QImage::Format_RGB32);
    QPainter painter(&drawn);
    renderer.render(&painter);
    if (const QString folder = qEnvironmentVariable("COALESCOPE_PICTURES"); !folder.isEmpty())
        drawn.save(folder + QStringLiteral("/svg.png"));
    QFile table(m_folder->filePath(QStringLiteral("a.txt")));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QVERIFY(table.readAll().contains("4,096"));
    window.exportTo(m_folder->filePath(QStringLiteral("a.gif")), {}, 1, count);
    QCOMPARE(done, 103);
    window.exportTo(QStringLiteral("/no/such/folder/a.png"), {}, 1, count);
    QTRY_COMPARE_WITH_TIMEOUT(done, 203, kPatienceMs);
}

void WindowRunTest::savingGoesThroughTheDialog()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QFileDialog*>(), kPatienceMs);
    auto* dialog = window.findChild<QFileDialog*>();
    const QString path = m_folder->filePath(QStringLiteral("dialog.png"));
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!QImage(path).isNull(), kPatienceMs);
}

void WindowRunTest::theTableIsCopied()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QString aligned = QGuiApplication::clipboard()->text();
    QVERIFY(aligned.contains(QStringLiteral("load sectors")));
    QVERIFY(aligned.contains(QStringLiteral("rows 64")));
    QTest::keyClick(&window, Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("load sectors\t")));
}

void WindowRunTest::theLastExperimentIsRestored()
{
    {
        MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "96" }, { "pad", "1" } }));
        openAndSettle(window);
        window.experiment()->setSelection({ { 0, 1, 0 }, 3, 1 });
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
        window.close();
    }
    MainWindow window;
    openAndSettle(window);
    QCOMPARE(window.experiment()->state().spec->id, "transpose_shared");
    QCOMPARE(window.experiment()->state().values.at("rows"), "96");
    QCOMPARE(window.experiment()->state().values.at("pad"), "1");
    QVERIFY(window.experiment()->selection().block == (analysis::Dim3 { 0, 1, 0 }));
    QCOMPARE(window.experiment()->selection().warp, 3);
}

void WindowRunTest::theWindowFitsTheScreen()
{
    const QRect room = QGuiApplication::primaryScreen()->availableGeometry();
    const auto isInside = [&](const QRect& window) {
        return window.top() >= room.top() && window.bottom() <= room.bottom() && window.left() >= room.left() && window.right() <= room.right();
    };
    {
        MainWindow first(options(QStringLiteral("copy"), kSmall));
        QVERIFY(first.width() <= room.width() && first.height() < room.height()); // its title is above it
        first.setGeometry(room.adjusted(100, 200, 900, 900)); // as on a larger screen
        first.close();
    }
    MainWindow again(options(QStringLiteral("copy"), kSmall));
    QVERIFY2(isInside(again.geometry()), qPrintable(QStringLiteral("%1 x %2").arg(again.width()).arg(again.height())));
}

void WindowRunTest::thePanelsAreAsWideAsBefore()
{
    const auto widths = [](const MainWindow& window) { return window.findChild<QSplitter*>(QStringLiteral("panels"))->sizes(); };
    QList<int> first;
    {
        MainWindow window;
        openAndSettle(window);
        first = widths(window);
        window.close();
    }
    MainWindow again;
    openAndSettle(again);
    QCOMPARE(widths(again), first);
}

void WindowRunTest::corruptSettingsAreSaidSo()
{
    QDir(m_folder->path()).mkpath(QStringLiteral("coalescope"));
    {
        QSettings file(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("coalescope"),
            QStringLiteral("coalescope-gui"));
        file.setValue(QStringLiteral("session/last"), QByteArray("{\"coalescope\": 1, \"kern"));
        file.setValue(QStringLiteral("window/geometry"), QByteArray("nonsense"));
        file.setValue(QStringLiteral("window/leftWidth"), QStringLiteral("wide"));
        file.setValue(QStringLiteral("window/rightWidth"), -7);
    }
    MainWindow window;
    openAndSettle(window);
    QVERIFY(window.statusText().contains(QStringLiteral("The last experiment could not be read")));
    QVERIFY(window.predictor()->current());
}

void WindowRunTest::aKernelFileIsOpened()
{
    const QString path = m_folder->filePath(QStringLiteral("mine.cu"));
    QVERIFY(QFile::copy(QStringLiteral(COALESCOPE_SOURCE_DIR "/kernels/catalogue/copy.cu"), path));
    MainWindow window(options(path, kSmall));
    openAndSettle(window);
    QCOMPARE(window.experiment()->state().spec->path.string(), path.toStdString());
    QCOMPARE(window.experiment()->state().values.at("rows"), "64");
}

void WindowRunTest::theTitleNamesWhatIsOpen()
{
    const QString session = m_folder->filePath(QStringLiteral("talk.json"));
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    QCOMPARE(window.windowTitle(), QStringLiteral("copy — Coalescope"));
    QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QFileDialog*>(), kPatienceMs);
    auto* dialog = window.findChild<QFileDialog*>();
    dialog->selectFile(session);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_COMPARE_WITH_TIMEOUT(window.windowTitle(), QStringLiteral("talk.json: copy — Coalescope"), kPatienceMs);
    window.experiment()->chooseKernel(catalogueSpec("offset_copy"));
    QCOMPARE(window.windowTitle(), QStringLiteral("offset_copy — Coalescope"));
    window.openPath(session);
    QTRY_COMPARE_WITH_TIMEOUT(window.windowTitle(), QStringLiteral("talk.json: copy — Coalescope"), kPatienceMs);
    const QString file = m_folder->filePath(QStringLiteral("mine.cu"));
    QVERIFY(QFile::copy(QStringLiteral(COALESCOPE_SOURCE_DIR "/kernels/catalogue/copy.cu"), file));
    window.openPath(file);
    QTRY_COMPARE_WITH_TIMEOUT(window.windowTitle(), QStringLiteral("mine.cu — Coalescope"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
}

void WindowRunTest::theNextStartIsStillOfTheSession()
{
    const QString session = m_folder->filePath(QStringLiteral("talk.json"));
    {
        MainWindow window(options(QStringLiteral("copy"), kSmall));
        openAndSettle(window);
        saveSessionAs(window, session);
        QTRY_VERIFY_WITH_TIMEOUT(window.windowTitle().startsWith(QStringLiteral("talk.json")), kPatienceMs);
        window.close();
    }
    MainWindow window(options({}));
    openAndSettle(window);
    QCOMPARE(window.windowTitle(), QStringLiteral("talk.json: copy — Coalescope"));
    typeInto(window, "block_y", QStringLiteral("4"));
    QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!window.findChild<QFileDialog*>());
    QTRY_VERIFY_WITH_TIMEOUT(openFile(session) && openFile(session)->session.values.at("block_y") == "4", kPatienceMs);
    window.close();
    MainWindow other(options(QStringLiteral("copy"), kSmall)); // was not opened as it
    openAndSettle(other);
    QCOMPARE(other.windowTitle(), QStringLiteral("copy — Coalescope"));
}

void WindowRunTest::anUnreadableFileIsSaidSo()
{
    MainWindow window(options(QStringLiteral("/no/such/kernel.cu")));
    openAndSettle(window);
    QVERIFY(window.statusText().contains(QStringLiteral("/no/such/kernel.cu")));
}

void WindowRunTest::anUnknownKernelIsSaidSo()
{
    MainWindow window(options(QStringLiteral("transpose_shard")));
    openAndSettle(window);
    QVERIFY2(window.statusText().contains(QStringLiteral("transpose_shared")), qPrintable(window.statusText()));
}

APP_TEST(WindowRunTest, QApplication)
#include "window_run_test.moc"
