// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/sweep_fixture.h"

#include <QFile>
#include <QMenu>
#include <QTimer>
#include <QToolButton>

/// Measured sweeps in the real window, with a worker that stands for the GPU.
class SweepMeasureTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { compileIntoTemporaryFolder(); }
    void init() { m_folder = freshFolder(); }
    void aTargetMeasuresAndTheJournalResumes();
    void timesAloneAreAnotherMeasurement();
    void whatFailedIsTriedAgain();
    void aLostTargetIsSaidSo();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void SweepMeasureTest::aTargetMeasuresAndTheJournalResumes()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    const QString log = m_folder->filePath(QStringLiteral("log"));
    const QString worker = QStringLiteral(COALESCOPE_SOURCE_DIR "/tests/fake_worker.sh");
    window.setTarget({ QStringLiteral("sh %1 %2 0").arg(worker, log), {} });
    openSweep(window, { { "block_x", "8,16,32,2000" }, { "block_y", "8" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    QVERIFY2(panel->measureButton()->isEnabled(), qPrintable(panel->measureButton()->toolTip()));
    QTest::mouseClick(panel->measureButton(), Qt::LeftButton);
    QVERIFY(window.sweepRunner()->isMeasuring());
    QVERIFY(!window.topBar()->runButton()->isEnabled()); // two runs at once would disturb each other
    settle(window);
    QTRY_VERIFY_WITH_TIMEOUT(window.topBar()->runButton()->isEnabled(), kPatienceMs);
    QVERIFY2(panel->problem().isEmpty(), qPrintable(panel->problem()));
    const auto started = [&] {
        QFile file(log);
        return file.open(QIODevice::ReadOnly) ? file.readAll().count("start") : 0;
    };
    QCOMPARE(started(), 3); // the illegal one is not measured
    QTest::mouseClick(panel->sideButton(SweepSide::Measured), Qt::LeftButton);
    std::size_t known = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const SweepEntry& entry = window.sweepRunner()->entries()[i];
        QVERIFY(entry.measured && entry.origin == MeasurementOrigin::Run);
        known += panel->heatMap()->model().cells[i].state == CellState::Known ? 1 : 0;
        QCOMPARE(panel->heatMap()->model().cells[i].value, entry.measured->time.warm->medianNs);
    }
    QCOMPARE(known, std::size_t(3));
    QVERIFY(tipAt(window, 0).contains(QStringLiteral("Fake GPU")));
    // Again, with one more: only that one is new.
    openSweep(window, { { "block_x", "8,16,32,64" } });
    settle(window);
    QTest::mouseClick(panel->measureButton(), Qt::LeftButton);
    settle(window);
    QCOMPARE(started(), 4);
    QVERIFY(window.sweepRunner()->entries()[3].measured);
    QVERIFY(window.sweepRunner()->entries()[0].measured);
}

void SweepMeasureTest::timesAloneAreAnotherMeasurement()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    // A worker that keeps what it is asked for.
    const QString log = m_folder->filePath(QStringLiteral("log")), jobs = m_folder->filePath(QStringLiteral("jobs"));
    QFile script(m_folder->filePath(QStringLiteral("worker.sh")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(QStringLiteral("tee -a '%1' | sh '%2' '%3' 0\n")
                     .arg(jobs, QStringLiteral(COALESCOPE_SOURCE_DIR "/tests/fake_worker.sh"), log).toUtf8());
    script.close();
    window.setTarget({ QStringLiteral("sh %1").arg(script.fileName()), {} });
    openSweep(window, { { "block_x", "8,16" }, { "block_y", "8" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    QCOMPARE(panel->measureButton()->text(), QStringLiteral("Measure"));
    const auto asked = [&](const char* what) {
        QFile file(jobs);
        return file.open(QIODevice::ReadOnly) ? file.readAll().count(what) : 0;
    };
    QTest::mouseClick(panel->measureButton(), Qt::LeftButton);
    settle(window);
    QCOMPARE(asked("\"counters\":true"), 2);
    QTimer::singleShot(0, this, [panel] { // the menu has a loop of its own
        QMenu* menu = panel->countButton()->menu();
        QTRY_VERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
    });
    QTest::mouseClick(panel->countButton(), Qt::LeftButton);
    QTRY_COMPARE(panel->measureButton()->text(), QStringLiteral("Measure times"));
    QTest::mouseClick(panel->measureButton(), Qt::LeftButton);
    settle(window);
    QVERIFY2(panel->problem().isEmpty(), qPrintable(panel->problem()));
    QCOMPARE(asked("\"counters\":false"), 2);
    QVERIFY(window.sweepRunner()->entries()[1].measured);
    keepPicture(window, QStringLiteral("sweep-times-only"));
}

void SweepMeasureTest::whatFailedIsTriedAgain()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    // Its GPU is full until a file is there.
    const QString log = m_folder->filePath(QStringLiteral("log")), roomy = m_folder->filePath(QStringLiteral("roomy"));
    const QString worker = QStringLiteral(COALESCOPE_SOURCE_DIR "/tests/fake_worker.sh");
    QFile script(m_folder->filePath(QStringLiteral("worker.sh")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(QStringLiteral("[ -e '%1' ] && exec sh '%2' '%3' 0\nexec sh '%2' '%3' 0 "
                                "'{\"error\":{\"code\":\"OutOfMemory\",\"detail\":\"the GPU is full\",\"where\":\"\"}}'\n")
                     .arg(roomy, worker, log).toUtf8());
    script.close();
    window.setTarget({ QStringLiteral("sh %1").arg(script.fileName()), {} });
    openSweep(window, { { "block_x", "8,16" }, { "block_y", "8" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    QVERIFY(!panel->retryButton()->isVisible());
    QTest::mouseClick(panel->measureButton(), Qt::LeftButton);
    settle(window);
    QCOMPARE(window.sweepRunner()->failures(), std::size_t(2));
    QVERIFY(panel->retryButton()->isVisible() && panel->retryButton()->text().contains(QStringLiteral("2")));
    QFile file(roomy);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(panel->measureButton()->isEnabled(), kPatienceMs);
    QTest::mouseClick(panel->measureButton(), Qt::LeftButton); // goes on where it was: they are done, if failed
    settle(window);
    QCOMPARE(window.sweepRunner()->failures(), std::size_t(2));
    QTRY_VERIFY_WITH_TIMEOUT(panel->retryButton()->isEnabled() && panel->retryButton()->isVisible(), kPatienceMs);
    QTest::mouseClick(panel->retryButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(window.sweepRunner()->failures(), std::size_t(0), kPatienceMs);
    settle(window);
    QVERIFY(window.sweepRunner()->entries()[0].measured && window.sweepRunner()->entries()[1].measured);
    QVERIFY(!panel->retryButton()->isVisible());
}

void SweepMeasureTest::aLostTargetIsSaidSo()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.setTarget({ QStringLiteral("/no/such/command"), {} });
    openSweep(window, { { "block_x", "8,16" }, { "block_y", "8" } });
    settle(window);
    QTest::mouseClick(window.sweepPanel()->measureButton(), Qt::LeftButton);
    settle(window);
    QVERIFY2(window.sweepPanel()->problem().contains(QStringLiteral("/no/such/command")), qPrintable(window.sweepPanel()->problem()));
    QVERIFY(window.sweepPanel()->heatMap()->model().cells[0].state == CellState::Known); // the predictions stay
}

APP_TEST(SweepMeasureTest, QApplication)
#include "sweep_measure_test.moc"
