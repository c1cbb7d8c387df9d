// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "app/widgets/sweep_axes.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/warp_panel.h"

#include <QElapsedTimer>
#include <QLineEdit>
#include <QThread>

#include <algorithm>
#include <ctime>

/// Milliseconds that this thread has computed, whoever else has kept the machine busy.
static double threadMs()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// Measures the longest time that one event holds the event loop: a frame can be no faster. What the
/// clock says is told; what the thread computed is judged.
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
        const double before = threadMs();
        const bool handled = QApplication::notify(receiver, event);
        m_longest.wallMs = std::max(m_longest.wallMs, double(clock.nsecsElapsed()) / 1e6);
        m_longest.threadMs = std::max(m_longest.threadMs, threadMs() - before);
        m_inside = false;
        return handled;
    }
    struct Longest {
        double wallMs = 0, threadMs = 0;
    };
    Longest takeLongest() { return std::exchange(m_longest, {}); }

private:
    bool m_inside = false;
    Longest m_longest;
};

static constexpr double kFrameMs = 32;

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
    meter->takeLongest();
    static constexpr int kPresses = 40, kRepeatMs = 33; // as a keyboard repeats
    for (int i = 0; i < kPresses; ++i) {
        QTest::keyClick(editor, i < kPresses / 2 ? Qt::Key_Up : Qt::Key_Down);
        QTest::qWait(kRepeatMs);
    }
    QTest::keyClick(editor, Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    const auto longest = meter->takeLongest();
    qInfo("%s: longest event %.1f ms, %d predictions shown of %d key presses", qPrintable(kernel + u' ' + parameter),
        longest.wallMs, shown, kPresses + 1);
    QVERIFY2(longest.threadMs <= kFrameMs, qPrintable(QString::number(longest.threadMs)));
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
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.predictor()->current()->state.spec->id, kernels::catalogue().back().id);
    QVERIFY(!window.warpPanel()->sentence().isEmpty());
}

void HoldTest::aSweepNeverHoldsAFrame()
{
    MainWindow window(options(QStringLiteral("transpose_naive")));
    openAndSettle(window, { 1440, 900 });
    window.topBar()->setTab(tabNamed(QStringLiteral("sweep")));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    auto* meter = static_cast<MeteredApplication*>(qApp);
    QLineEdit* across = window.sweepPanel()->axes()->field("block_x");
    QLineEdit* down = window.sweepPanel()->axes()->field("block_y");
    meter->takeLongest();
    across->selectAll();
    QTest::keyClicks(across, QStringLiteral("2:33"));
    down->selectAll();
    QTest::keyClicks(down, QStringLiteral("1:20"));
    QTRY_VERIFY_WITH_TIMEOUT(
        window.isSettled() && window.sweepRunner()->entries().size() >= 500, kPatienceMs);
    QVERIFY(std::ranges::all_of(window.sweepRunner()->entries(), &SweepEntry::isKnown));
    const auto longest = meter->takeLongest();
    qInfo("%zu launches in %.0f ms: longest event %.1f ms", window.sweepRunner()->entries().size(),
        window.sweepRunner()->times()->wallMs, longest.wallMs);
    QVERIFY2(longest.threadMs <= kFrameMs, qPrintable(QString::number(longest.threadMs)));
}

APP_TEST(HoldTest, MeteredApplication)
#include "hold_test.moc"
