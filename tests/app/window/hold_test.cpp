// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/window_fixture.h"

#include "app/widgets/sweep_axes.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/warp_panel.h"

#include <QElapsedTimer>
#include <QLineEdit>
#include <QThread>

#include <algorithm>

/// Measures the longest time that one event holds the event loop: a frame can be no faster.
class MeteredApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_inside)
            return QApplication::notify(receiver, event);
        m_inside = true;
        QElapsedTimer clock;
        clock.start();
        const bool handled = QApplication::notify(receiver, event);
        m_longest = std::max(m_longest, double(clock.nsecsElapsed()) / 1e6);
        m_inside = false;
        return handled;
    }
    double takeLongestMs() { return std::exchange(m_longest, 0.0); }

private:
    bool m_inside = false;
    double m_longest = 0;
};

class HoldTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aHeldArrowNeverShowsAStaleModelNorPredictsOnTheGuiThread_data();
    void aHeldArrowNeverShowsAStaleModelNorPredictsOnTheGuiThread();
    void quickKernelChangesEndAtTheLast();
    void aSweepNeverHoldsAFrame();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void HoldTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

void HoldTest::aHeldArrowNeverShowsAStaleModelNorPredictsOnTheGuiThread_data()
{
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("parameter");
    QTest::newRow("columns of a shared tile") << QStringLiteral("transpose_shared") << QStringLiteral("cols");
    QTest::newRow("padding") << QStringLiteral("transpose_shared") << QStringLiteral("pad");
    QTest::newRow("rows of the naive one") << QStringLiteral("transpose_naive") << QStringLiteral("rows");
}

void HoldTest::aHeldArrowNeverShowsAStaleModelNorPredictsOnTheGuiThread()
{
    QFETCH(QString, kernel);
    QFETCH(QString, parameter);
    MainWindow window(options(kernel, { { "rows", "32768" }, { "cols", "32768" }, { "pad", "0" } }));
    openAndSettle(window, { 1440, 900 });
    int shown = 0;
    connect(window.predictor(), &Predictor::predicted, &window, [&] {
        ++shown;
        const Predicted& current = *window.predictor()->current();
        QVERIFY(current.state == window.experiment()->state());
        QVERIFY(current.thread != nullptr && current.thread != QThread::currentThreadId());
    });
    connect(window.predictor(), &Predictor::traced, &window,
        [&] { QVERIFY(window.predictor()->current()->state == window.experiment()->state() || window.predictor()->isBusy()); });
    QWidget* editor = window.experimentPanel()->control(parameter.toStdString())->editor();
    editor->setFocus();
    auto* meter = static_cast<MeteredApplication*>(qApp);
    meter->takeLongestMs();
    static constexpr int kPresses = 40, kRepeatMs = 33; // as a keyboard repeats
    for (int i = 0; i < kPresses; ++i) {
        QTest::keyClick(editor, i < kPresses / 2 ? Qt::Key_Up : Qt::Key_Down);
        QTest::qWait(kRepeatMs);
    }
    QTest::keyClick(editor, Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    qInfo("%s: longest event %.1f ms, %d predictions shown of %d key presses", qPrintable(kernel + u' ' + parameter),
        meter->takeLongestMs(), shown, kPresses + 1);
    QVERIFY(shown >= 1);
    QVERIFY(window.predictor()->current()->state == window.experiment()->state());
    // What the table shows is the newest prediction's.
    const auto& rows = window.comparisonPanel()->table()->table().rows;
    const auto loads = std::ranges::find_if(rows, [](const TableRow& row) { return row.label == QStringLiteral("load sectors"); });
    QVERIFY(loads != rows.end());
    QCOMPARE(loads->predicted, formatValue(predictedValue(window, Metric::GlobalLoadSectors)));
}

void HoldTest::quickKernelChangesEndAtTheLast()
{
    MainWindow window(options(QStringLiteral("copy")));
    openAndSettle(window);
    connect(window.predictor(), &Predictor::predicted, &window,
        [&] { QVERIFY(window.predictor()->current()->state == window.experiment()->state()); });
    for (const kernels::KernelSpec& spec : kernels::catalogue()) {
        window.experiment()->chooseKernel(catalogueSpec(spec.id));
        QTest::qWait(15);
    }
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QCOMPARE(window.predictor()->current()->state.spec->id, kernels::catalogue().back().id);
    QVERIFY(!window.warpPanel()->sentence().isEmpty());
}

void HoldTest::aSweepNeverHoldsAFrame()
{
    MainWindow window(options(QStringLiteral("transpose_naive")));
    openAndSettle(window, { 1440, 900 });
    window.topBar()->setTab(tabNamed(QStringLiteral("sweep")));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    auto* meter = static_cast<MeteredApplication*>(qApp);
    // Whoever tests on a loaded machine may have a frame taken away: the best of three counts.
    static constexpr int kTries = 3;
    static constexpr double kFrameMs = 32;
    double least = 1e9;
    for (int i = 0; i < kTries && least > kFrameMs; ++i) {
        QLineEdit* across = window.sweepPanel()->axes()->field("block_x");
        QLineEdit* down = window.sweepPanel()->axes()->field("block_y");
        meter->takeLongestMs();
        across->selectAll();
        QTest::keyClicks(across, QStringLiteral("%1:33").arg(i + 2)); // 500 launches and more
        down->selectAll();
        QTest::keyClicks(down, QStringLiteral("1:20"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.sweepRunner()->entries().size() >= 500, 60000);
        QVERIFY(std::ranges::all_of(window.sweepRunner()->entries(), &SweepEntry::isKnown));
        least = std::min(least, meter->takeLongestMs());
    }
    qInfo("%zu launches in %.0f ms: longest event %.1f ms", window.sweepRunner()->entries().size(),
        window.sweepRunner()->times()->wallMs, least);
    QVERIFY2(least <= kFrameMs, qPrintable(QString::number(least)));
}

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    MeteredApplication application(argc, argv);
    HoldTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "hold_test.moc"
