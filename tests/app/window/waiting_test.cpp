// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "app/core/language.h"

#include <QAction>
#include <QFile>
#include <QPushButton>

/// A prediction that takes its time: what the window says and shows until it is there.
class WaitingTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void aLaunchThatIsPredictedForLongIsNotTakenForTheOneBefore();
    void anotherKernelNeverStandsOverTheOldOnesNumbers();
    void undoLeadsAtOnceToWhatTookLong();
    void theCancelButtonEndsALongPrediction();
    void noSweepBeginsByItselfWhileTheLaunchIsPredictedForLong();
    void aQuickPredictionIsNotAnnounced();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

/// Every block is executed, each for itself, and every step needs the one before.
static const QByteArray kChase = R"(/* --- coalescope
id = "chase"
title = "Pointer chase"
entry = "chase"
[[parameters]]
name = "n"
default = 4194304
min = 256
max = 4194304
[[parameters]]
name = "steps"
default = 4096
min = 1
max = 4096
[launch]
grid = ["n // 256"]
block = [256]
[[arguments]]
buffer = "next"
type = "i32"
count = "n"
fill = "random:1"
[[arguments]]
buffer = "out"
type = "i32"
count = "n"
[[arguments]]
scalar = "n"
type = "i32"
[[arguments]]
scalar = "steps"
type = "i32"
--- */
__global__ void chase(const unsigned* next, int* out, int n, int steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = i;
    for (int k = 0; k < steps; ++k)
        j = next[j] % n;
    out[i] = j;
}
)";

static const kernels::ParameterValues kQuick { { "n", "4096" }, { "steps", "1" } };

static QLabel* banner(MainWindow& window)
{
    return window.findChild<QLabel*>(QStringLiteral("banner"));
}

/// The experiment's own line: "output verified".
static QLabel* verdict(MainWindow& window)
{
    return window.experimentPanel()->findChild<QLabel*>(QStringLiteral("status"));
}

void WaitingTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
    m_path = m_folder->filePath(QStringLiteral("chase.cu"));
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kChase) == kChase.size());
}

void WaitingTest::cleanup()
{
    applyLanguage(QStringLiteral("en"));
}

void WaitingTest::aLaunchThatIsPredictedForLongIsNotTakenForTheOneBefore()
{
    MainWindow window(options(m_path, kQuick));
    openAndSettle(window);
    QVERIFY(window.statusText().contains(QStringLiteral("exact")) && verdict(window)->isVisible() && !banner(window)->isVisible());
    typeInto(window, "n", QStringLiteral("4194304"));
    typeInto(window, "steps", QStringLiteral("4096"));
    QTRY_VERIFY_WITH_TIMEOUT(banner(window)->isVisible(), kPatienceMs);
    QVERIFY2(window.statusText().startsWith(QStringLiteral("Predicting")), qPrintable(window.statusText()));
    QVERIFY2(window.statusText().endsWith(QStringLiteral("Esc cancels. What is shown is the launch before.")), qPrintable(window.statusText()));
    QVERIFY(!verdict(window)->isVisible());
    QVERIFY(!window.gpuText().contains(QStringLiteral("recorded")));
    const auto* cancel = window.findChild<QAction*>(QStringLiteral("cancelRun"));
    QVERIFY(cancel->isEnabled());
    keepPicture(window, QStringLiteral("predicting"));

    QTest::keyClick(window.experimentPanel()->control("steps")->editor(), Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(!cancel->isEnabled());
    QVERIFY2(window.statusText().startsWith(QStringLiteral("The prediction was cancelled")), qPrintable(window.statusText()));
    QCOMPARE(banner(window)->text(), window.statusText());
    QVERIFY(!verdict(window)->isVisible());
    window.switchLanguage(QStringLiteral("zh_CN"));
    QTRY_VERIFY2_WITH_TIMEOUT(
        window.statusText().startsWith(QStringLiteral("预测已取消")), qPrintable(window.statusText()), kPatienceMs);
    QCOMPARE(banner(window)->text(), window.statusText());
    window.switchLanguage(QStringLiteral("en"));

    while (window.experiment()->state().values != window.predictor()->current()->state.values) {
        QVERIFY(window.experiment()->undoStack()->canUndo());
        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    }
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.statusText().contains(QStringLiteral("exact")) && verdict(window)->isVisible() && !banner(window)->isVisible());
}

void WaitingTest::anotherKernelNeverStandsOverTheOldOnesNumbers()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    window.openPath(m_path);
    QTRY_COMPARE_WITH_TIMEOUT(window.experiment()->state().spec->id, "chase", kPatienceMs);
    QVERIFY(banner(window)->isVisible()); // at once
    QVERIFY2(banner(window)->text().endsWith(QStringLiteral("What is shown is transpose_shared.")), qPrintable(banner(window)->text()));
    QVERIFY(!verdict(window)->isVisible() && !window.statusText().contains(QStringLiteral("exact")));
    QVERIFY(!window.gpuText().contains(QStringLiteral("recorded")));
    // How far it is follows; the first sentence cannot know.
    QTRY_VERIFY_WITH_TIMEOUT(window.predictor()->progress() > 0, kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(
        window.statusText().contains(QStringLiteral("% of the blocks done")), qPrintable(window.statusText()), kPatienceMs);
    window.experiment()->setValues(kQuick, {});
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(!banner(window)->isVisible() && verdict(window)->isVisible());
    QCOMPARE(window.predictor()->current()->state.spec->id, "chase");
}

void WaitingTest::undoLeadsAtOnceToWhatTookLong()
{
    MainWindow window(options(m_path, { { "n", "65536" }, { "steps", "1024" } }));
    openAndSettle(window);
    const double milliseconds = window.predictor()->current()->milliseconds; // to the nanosecond: no other takes as long
    window.experiment()->setValue("n", "4096");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.predictor()->current()->milliseconds != milliseconds);
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(window.predictor()->current()->state == window.experiment()->state(), kPatienceMs);
    QCOMPARE(window.predictor()->current()->milliseconds, milliseconds);
    QVERIFY(!window.predictor()->current()->verifying && !window.predictor()->current()->refining);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.predictor()->trace() && verdict(window)->isVisible());
}

void WaitingTest::theCancelButtonEndsALongPrediction()
{
    MainWindow window(options(m_path, kQuick));
    openAndSettle(window);
    auto* cancel = window.findChild<QPushButton*>(QStringLiteral("cancelPrediction"));
    QVERIFY(!cancel->isVisible());
    typeInto(window, "n", QStringLiteral("4194304"));
    typeInto(window, "steps", QStringLiteral("4096"));
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible(), kPatienceMs);
    QVERIFY(!cancel->geometry().intersects(banner(window)->geometry()));
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY2(window.statusText().startsWith(QStringLiteral("The prediction was cancelled: F5 predicts again")), qPrintable(window.statusText()));
    QVERIFY(!cancel->isVisible());
}

void WaitingTest::noSweepBeginsByItselfWhileTheLaunchIsPredictedForLong()
{
    MainWindow window(options(m_path, kQuick));
    openAndSettle(window);
    typeInto(window, "n", QStringLiteral("4194304"));
    typeInto(window, "steps", QStringLiteral("4096"));
    QTRY_VERIFY_WITH_TIMEOUT(banner(window)->isVisible(), kPatienceMs);
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    QTest::qWait(1500); // it would have begun
    QVERIFY(!window.sweepRunner()->isBusy());
    QTest::keyClick(&window, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(!window.sweepRunner()->isBusy());
}

void WaitingTest::aQuickPredictionIsNotAnnounced()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    typeInto(window, "pad", QStringLiteral("0"));
    QVERIFY(window.predictor()->isBusy());
    QVERIFY(!banner(window)->isVisible() && verdict(window)->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(!banner(window)->isVisible() && verdict(window)->isVisible());
}

APP_TEST(WaitingTest, QApplication)
#include "waiting_test.moc"
