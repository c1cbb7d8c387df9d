// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/language.h"
#include "app/core/texts.h"
#include "app/views/banks/banks_view.h"
#include "app/views/block/block_view.h"
#include "app/views/lane/lane_view.h"
#include "app/views/sectors/sectors_view.h"
#include "app/views/strip/strip_view.h"
#include "app/widgets/comparison_panel.h"
#include "app/widgets/comparison_view.h"
#include "app/widgets/experiment_panel.h"
#include "app/widgets/main_window.h"
#include "app/widgets/parameter_control.h"
#include "app/widgets/source_panel.h"
#include "app/widgets/theme.h"
#include "app/widgets/top_bar.h"
#include "app/widgets/try_view.h"
#include "app/widgets/warp_panel.h"
#include "kernels/experiment/recorded.h"

#include <Qsci/qscilexer.h>
#include <Qsci/qsciscintilla.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QMenuBar>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <QTabBar>

#include <bit>

using namespace coalescope;
using namespace coalescope::app;
using analysis::Metric;

namespace {

StartOptions options(const QString& kernel, const kernels::ParameterValues& values = {})
{
    StartOptions start;
    start.open = kernel;
    start.values = values;
    start.language = QStringLiteral("en");
    start.theme = QStringLiteral("light");
    return start;
}

/// A small transpose: fast to predict, two blocks in each direction.
const kernels::ParameterValues kSmall { { "rows", "64" }, { "cols", "64" } };

void openAndSettle(MainWindow& window, QSize size = { 1280, 720 })
{
    window.resize(size);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current(), 60000);
}

/// The same through a tile without padding: every column lies in one bank.
const kernels::ParameterValues kConflict { { "rows", "64" }, { "cols", "64" }, { "pad", "0" } };

double predictedValue(MainWindow& window, Metric metric)
{
    return window.predictor()->current()->prediction.result.metrics.get(metric).value_or(-1);
}

/// Types a number into a parameter's control, with keys.
void typeInto(MainWindow& window, const std::string& name, const QString& number)
{
    ParameterControl* control = window.experimentPanel()->control(name);
    QVERIFY2(control, name.c_str());
    QWidget* editor = control->editor();
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(editor, number);
}

/// Keeps a picture of the window for people to look at, where COALESCOPE_PICTURES names a folder.
void keepPicture(QWidget& window, const QString& name)
{
    const QString folder = qEnvironmentVariable("COALESCOPE_PICTURES");
    if (folder.isEmpty())
        return;
    QTest::qWait(50);
    window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

void moveTo(QWidget* widget, QPointF at)
{
    QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &move);
}

}

class WindowTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aKernelIsChosenThroughTheSearch();
    void changingBlockAndPadWithKeysChangesThePrediction();
    void aFasterChangeSupersedesTheOneBefore();
    void arrowKeysStepTheInstructions();
    void hoveringABankShowsItsLanesEverywhere();
    void clickingAThreadChoosesItsWarp();
    void anotherBlockIsTraced();
    void illegalValuesAreExplainedAtTheirControl();
    void theWrongKernelIsReportedWithItsLine();
    void theRaceIsReportedWithBothLines();
    void aRecordedLaunchStandsBesideThePrediction();
    void anUnrecordedLaunchNamesItsNeighbours();
    void withoutAGpuTheButtonSaysWhy();
    void runShowsProgressThenTheMeasurement();
    void aFailedRunIsExplained();
    void aHangingRunIsCancelled();
    void picturesAndTableAreSaved();
    void savingGoesThroughTheDialog();
    void theTableIsCopied();
    void undoWorksFromInsideASpinBox();
    void whatToTryIsAppliedWithItsButton();
    void theLanguageSwitchesWhileRunning();
    void theThemeSwitchesWhileRunning();
    void theLastExperimentIsRestored();
    void corruptSettingsAreSaidSo();
    void aKernelFileIsOpened();
    void anUnreadableFileIsSaidSo();
    void aClickInTheSourceChoosesTheInstruction();
    void everythingFitsASmallScreen();
    void everyControlHasANameForScreenReaders();
    void tabReachesEveryPart();

private:
    QString worker(const QByteArray& body);
    std::unique_ptr<QTemporaryDir> m_folder;
};

void WindowTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

QString WindowTest::worker(const QByteArray& body)
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

void WindowTest::aKernelIsChosenThroughTheSearch()
{
    MainWindow window(options(QStringLiteral("copy")));
    openAndSettle(window);
    QTest::mouseClick(window.topBar()->chooser(), Qt::LeftButton);
    KernelPopup* popup = window.topBar()->chooser()->popup();
    QTRY_VERIFY(popup->isVisible());
    keepPicture(*popup, QStringLiteral("chooser"));
    QTest::keyClicks(popup->search(), QStringLiteral("transpose_naive"));
    QTest::keyClick(popup->search(), Qt::Key_Return);
    QTRY_COMPARE(window.experiment()->state().spec->id, "transpose_naive");
    QVERIFY(!popup->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QCOMPARE(window.predictor()->current()->state.spec->id, "transpose_naive");
    QVERIFY(window.sourcePanel()->editor()->text().contains(QStringLiteral("__global__")));
}

void WindowTest::changingBlockAndPadWithKeysChangesThePrediction()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QCOMPARE(predictedValue(window, Metric::SharedLoadWavefronts), 32.0 * 32 * 4); // pad 0: every column in one bank
    typeInto(window, "pad", QStringLiteral("1"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QCOMPARE(predictedValue(window, Metric::SharedLoadWavefronts), 32.0 * 4);

    window.experiment()->chooseKernel(catalogueSpec("transpose_naive"), kSmall);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    typeInto(window, "block_x", QStringLiteral("8"));
    typeInto(window, "block_y", QStringLiteral("32"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QVERIFY(window.predictor()->current()->plan.block == (analysis::Dim3 { 8, 32, 1 }));
    const double tall = predictedValue(window, Metric::GlobalStoreSectors);
    QTest::keyClick(window.experimentPanel()->control("block_x")->editor(), Qt::Key_Up); // 8 -> 16
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QVERIFY(window.predictor()->current()->plan.block == (analysis::Dim3 { 16, 32, 1 }));
    QVERIFY(predictedValue(window, Metric::GlobalStoreSectors) > tall);
    QVERIFY(window.warpPanel()->blockView()->model().block == (analysis::Dim3 { 16, 32, 1 }));
}

void WindowTest::aFasterChangeSupersedesTheOneBefore()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    for (const char* pad : { "1", "2", "3", "4", "5" })
        window.experiment()->setValue("pad", pad);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QCOMPARE(window.predictor()->current()->state.values.at("pad"), "5");
}

void WindowTest::arrowKeysStepTheInstructions()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    InstructionStrip* strip = window.warpPanel()->strip();
    // The step that wastes the most is chosen at first: the conflicting load.
    const int first = window.experiment()->selection().step;
    QVERIFY(strip->model().items[std::size_t(first)].mnemonic.contains(QStringLiteral("ld.shared")));
    QVERIFY(window.warpPanel()->bankView()->isVisible());
    strip->setFocus();
    QTest::keyClick(strip, Qt::Key_Right);
    QCOMPARE(window.experiment()->selection().step, first + 1);
    QVERIFY(window.warpPanel()->sectorView()->isVisible()); // the store to global memory
    QVERIFY(!window.warpPanel()->bankView()->isVisible());
    const QString sentence = window.warpPanel()->sentence();
    QTest::keyClick(strip, Qt::Key_Left);
    QTest::keyClick(strip, Qt::Key_Left);
    QCOMPARE(window.experiment()->selection().step, first - 1);
    QVERIFY(window.warpPanel()->sentence() != sentence);
}

void WindowTest::hoveringABankShowsItsLanesEverywhere()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    BankView* banks = window.warpPanel()->bankView();
    QVERIFY(banks->isVisible());
    const BankLayout& layout = banks->layoutOfCells();
    QCOMPARE(layout.wavefronts(), 32);
    const int bank = banks->model().wavefronts[7].requests.front().bank;
    moveTo(banks, layout.cellRect(7, bank).center());
    QCOMPARE(banks->model().hoveredBank, bank);
    const int lane = std::countr_zero(banks->model().wavefronts[7].lanes);
    QCOMPARE(window.warpPanel()->laneView()->model().lane, lane);
    QCOMPARE(window.warpPanel()->blockView()->model().hoveredLane, lane);
    keepPicture(window, QStringLiteral("hovered"));
}

void WindowTest::clickingAThreadChoosesItsWarp()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    BlockView* block = window.warpPanel()->blockView();
    QTest::mouseClick(block, Qt::LeftButton, {}, block->layoutOfCells().threadRect(5 * 32 + 3).center().toPoint());
    QCOMPARE(window.experiment()->selection().warp, 5);
    QCOMPARE(block->model().warp, 5);
}

void WindowTest::anotherBlockIsTraced()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QSpinBox* x = window.warpPanel()->blockSpin(0);
    x->setFocus();
    QTest::keyClick(x, Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QVERIFY(window.predictor()->trace()->block == (analysis::Dim3 { 1, 0, 0 }));
    QVERIFY(window.experiment()->selection().block == (analysis::Dim3 { 1, 0, 0 }));
}

void WindowTest::illegalValuesAreExplainedAtTheirControl()
{
    MainWindow window(options(QStringLiteral("transpose_float4")));
    openAndSettle(window);
    const auto before = window.predictor()->current();
    typeInto(window, "rows", QStringLiteral("1000"));
    typeInto(window, "cols", QStringLiteral("1003"));
    QVERIFY(!window.experimentPanel()->isLegal());
    QVERIFY(!window.experimentPanel()->control("cols")->problem().isEmpty());
    QVERIFY(window.experimentPanel()->control("cols")->editor()->property("illegal").toBool());
    QTRY_VERIFY(window.isSettled());
    QTRY_VERIFY(window.findChild<QLabel*>(QStringLiteral("banner"))->isVisible());
    QVERIFY(!window.topBar()->runButton()->isEnabled());
    QVERIFY(window.predictor()->current()); // the last good one stays
    keepPicture(window, QStringLiteral("illegal"));
    window.experiment()->undoStack()->undo();
    window.experiment()->undoStack()->undo();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.experimentPanel()->isLegal(), 60000);
    QVERIFY(!window.findChild<QLabel*>(QStringLiteral("banner"))->isVisible());
    QCOMPARE(window.predictor()->current()->state.values, before->state.values);
    for (const char* absurd : { "0", "999999999", "2147483647" }) {
        typeInto(window, "rows", QString::fromLatin1(absurd));
        QVERIFY(!window.experimentPanel()->isLegal());
    }
}

void WindowTest::theWrongKernelIsReportedWithItsLine()
{
    MainWindow window(options(QStringLiteral("transpose_flat_bound"), { { "rows", "1000" }, { "cols", "1003" } }));
    openAndSettle(window);
    QVERIFY(window.comparisonPanel()->findings().contains(QStringLiteral("predicted output is wrong")));
    QVERIFY(window.comparisonPanel()->findings().contains(QStringLiteral("Wrong output, line ")));
    keepPicture(window, QStringLiteral("wrong"));
    const auto& hazards = window.predictor()->current()->prediction.result.hazards;
    QVERIFY(!hazards.empty());
    const QLabel* status = window.experimentPanel()->findChild<QLabel*>(QStringLiteral("status"));
    QVERIFY(status->text().contains(QStringLiteral("line %1").arg(hazards.front().line)));
}

void WindowTest::theRaceIsReportedWithBothLines()
{
    MainWindow window(options(QStringLiteral("copy_transpose_batched")));
    openAndSettle(window);
    for (const kernels::ParameterSpec& parameter : window.experiment()->state().spec->parameters) {
        for (const kernels::Choice& choice : parameter.choices) {
            if (choice.value == "without")
                window.experiment()->setValue(parameter.name, "without");
        }
    }
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QVERIFY2(window.comparisonPanel()->findings().contains(QStringLiteral("Race in shared memory, lines ")),
        qPrintable(window.comparisonPanel()->findings()));
}

void WindowTest::aRecordedLaunchStandsBesideThePrediction()
{
    if (kernels::recordedMeasurements().empty())
        QSKIP("no measurement is recorded yet");
    const analysis::RunResult& recorded = kernels::recordedMeasurements().front();
    MainWindow window(options(QString::fromStdString(recorded.kernel), recorded.launch.parameters));
    openAndSettle(window);
    QCOMPARE(window.predictor()->recorded().exact, &recorded);
    const ComparisonTable& table = window.comparisonPanel()->table()->table();
    QVERIFY(!table.measuredHeading.isEmpty());
    QVERIFY(std::ranges::any_of(table.rows, [](const TableRow& row) { return row.label == QStringLiteral("warm L2"); }));
    QVERIFY(!window.findChild<QLabel*>(QStringLiteral("near"))->isVisible());
    QVERIFY(window.findChild<QLabel*>(QStringLiteral("provenance"))->text().contains(QStringLiteral("recorded")));
}

void WindowTest::anUnrecordedLaunchNamesItsNeighbours()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "96" }, { "cols", "160" } }));
    openAndSettle(window);
    QVERIFY(!window.predictor()->recorded().exact);
    QVERIFY(window.comparisonPanel()->nearText().contains(QStringLiteral("No measurement of this very launch")));
    const auto near = window.predictor()->recorded().near;
    if (near.empty())
        QSKIP("no measurement is recorded yet");
    emit window.findChild<QLabel*>(QStringLiteral("near"))->linkActivated(QStringLiteral("near:0"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QCOMPARE(window.predictor()->recorded().exact, near.front());
}

void WindowTest::withoutAGpuTheButtonSaysWhy()
{
    const auto gpu = kernels::localGpu();
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    if (gpu) {
        QTRY_VERIFY(window.topBar()->runButton()->isEnabled());
        return;
    }
    QTRY_VERIFY(window.topBar()->runButton()->toolTip().contains(QStringLiteral("No GPU here")));
    QVERIFY(!window.topBar()->runButton()->isEnabled());
    QVERIFY(window.gpuText().contains(QStringLiteral("No NVIDIA GPU here")));
    QVERIFY(window.gpuText().contains(QStringLiteral("Targets")));
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

void WindowTest::runShowsProgressThenTheMeasurement()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    const QString gate = m_folder->filePath(QStringLiteral("gate"));
    window.setTarget({ QStringLiteral("env"), worker("echo '{\"progress\":{\"stage\":\"count\",\"fraction\":0.5}}'\n"
        "while [ ! -e '" + gate.toUtf8() + "' ]; do sleep 0.05; done\necho '" + answer(window) + "'") });
    QVERIFY(window.topBar()->runButton()->isEnabled());
    QTest::mouseClick(window.topBar()->runButton(), Qt::LeftButton);
    auto* progress = window.findChild<QProgressBar*>(QStringLiteral("progress"));
    QTRY_COMPARE(progress->value(), 500);
    QVERIFY(progress->isVisible());
    QCOMPARE(window.topBar()->runButton()->text().remove(u'&'), QStringLiteral("Cancel"));
    keepPicture(window, QStringLiteral("running"));
    QFile(gate).open(QIODevice::WriteOnly);
    QTRY_VERIFY(!window.runner()->isRunning());
    const ComparisonTable& table = window.comparisonPanel()->table()->table();
    QTRY_COMPARE(table.measuredHeading, QStringLiteral("Test"));
    QVERIFY(std::ranges::any_of(table.rows,
        [](const TableRow& row) { return row.label.contains(QStringLiteral("77 more: arbitration")); }));
    QVERIFY(!progress->isVisible());
    keepPicture(window, QStringLiteral("measured"));
    // Another experiment has another measurement, or none; coming back brings this one back.
    window.experiment()->setValue("pad", "7");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QVERIFY(table.measuredHeading != QStringLiteral("Test"));
    window.experiment()->undoStack()->undo();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QCOMPARE(table.measuredHeading, QStringLiteral("Test"));
}

void WindowTest::aFailedRunIsExplained()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.setTarget({ QStringLiteral("env"),
        worker("echo '{\"error\":{\"code\":\"NoCounterPermission\",\"detail\":\"The driver keeps the counters to itself\","
               "\"where\":\"\"}}'; exit 4") });
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(window.comparisonPanel()->message().contains(QStringLiteral("The driver keeps the counters to itself.")));
    QVERIFY(window.comparisonPanel()->message().contains(QStringLiteral("NVreg_RestrictProfilingToAdminUsers")));
    QVERIFY(window.topBar()->runButton()->isEnabled());
    window.setTarget({ QStringLiteral("env"), worker("kill -SEGV $$") });
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(window.comparisonPanel()->message().contains(QStringLiteral("without")) || !window.runner()->isRunning());
    QTRY_VERIFY(!window.comparisonPanel()->message().isEmpty());
}

void WindowTest::aHangingRunIsCancelled()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    window.setTarget({ QStringLiteral("env"), worker("sleep 600") });
    QTest::mouseClick(window.topBar()->runButton(), Qt::LeftButton);
    QTRY_VERIFY(window.runner()->isRunning());
    QTest::mouseClick(window.topBar()->runButton(), Qt::LeftButton);
    QVERIFY(!window.runner()->isRunning());
    QVERIFY(window.topBar()->runButton()->isEnabled());
}

void WindowTest::picturesAndTableAreSaved()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    int done = 0;
    const auto count = [&](const Result<void>& result) { done += result ? 1 : 100; };
    window.exportTo(m_folder->filePath(QStringLiteral("a.png")), { 1280, 800 }, 2, count);
    QTRY_COMPARE(done, 1);
    window.exportTo(m_folder->filePath(QStringLiteral("a.svg")), {}, 1, count);
    QTRY_COMPARE(done, 2);
    window.exportTo(m_folder->filePath(QStringLiteral("a.txt")), {}, 1, count);
    QTRY_COMPARE(done, 3);
    const QImage image(m_folder->filePath(QStringLiteral("a.png")));
    QCOMPARE(image.size(), QSize(2560, 1600));
    QFile svg(m_folder->filePath(QStringLiteral("a.svg")));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    QVERIFY(text.contains("<svg") && text.contains("transpose_shared") && text.contains("load wavefronts"));
    QFile table(m_folder->filePath(QStringLiteral("a.txt")));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QVERIFY(table.readAll().contains("4,096"));
    window.exportTo(m_folder->filePath(QStringLiteral("a.gif")), {}, 1, count);
    QCOMPARE(done, 103);
    window.exportTo(QStringLiteral("/no/such/folder/a.png"), {}, 1, count);
    QTRY_COMPARE(done, 203);
}

void WindowTest::savingGoesThroughTheDialog()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(window.findChild<QFileDialog*>());
    auto* dialog = window.findChild<QFileDialog*>();
    const QString path = m_folder->filePath(QStringLiteral("dialog.png"));
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_VERIFY(QFile::exists(path));
    QTRY_VERIFY(!QImage(path).isNull());
}

void WindowTest::theTableIsCopied()
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

void WindowTest::undoWorksFromInsideASpinBox()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    typeInto(window, "pad", QStringLiteral("2"));
    QCOMPARE(window.experiment()->state().values.at("pad"), "2");
    QTest::keyClick(window.experimentPanel()->control("pad")->editor(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(window.experiment()->state().values.at("pad"), "0");
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(window.experiment()->state().values.at("pad"), "2");
}

void WindowTest::whatToTryIsAppliedWithItsButton()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    const auto& buttons = window.experimentPanel()->tryView()->applyButtons();
    QVERIFY(!buttons.empty());
    QVERIFY(buttons.front()->accessibleDescription().contains(QStringLiteral("4,096 → 128")) || buttons.front()->accessibleDescription().contains(QStringLiteral("wavefronts")));
    QTest::mouseClick(buttons.front(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
    QVERIFY(window.experiment()->state().values.at("pad") != "0");
    QVERIFY(predictedValue(window, Metric::SharedLoadConflicts) == 0);
}

void WindowTest::theLanguageSwitchesWhileRunning()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QCOMPARE(window.experimentPanel()->title(), QStringLiteral("Experiment"));
    QTest::mouseClick(window.topBar()->languageButton(), Qt::LeftButton);
    QTRY_COMPARE(window.experimentPanel()->title(), QStringLiteral("实验"));
    QCOMPARE(window.topBar()->tabs()->tabText(1), QStringLiteral("源码"));
    QVERIFY(window.statusText().contains(QStringLiteral("精确")));
    QVERIFY(std::ranges::any_of(window.comparisonPanel()->table()->table().rows,
        [](const TableRow& row) { return row.label == QStringLiteral("读取扇区"); }));
    QVERIFY(!window.warpPanel()->sentence().contains(QStringLiteral("lanes")));
    QTest::mouseClick(window.topBar()->languageButton(), Qt::LeftButton);
    QTRY_COMPARE(window.experimentPanel()->title(), QStringLiteral("Experiment"));
}

void WindowTest::theThemeSwitchesWhileRunning()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QVERIFY(themeOf(QGuiApplication::palette()) == ThemeKind::Light);
    QTest::mouseClick(window.topBar()->themeButton(), Qt::LeftButton);
    QVERIFY(themeOf(QGuiApplication::palette()) == ThemeKind::Dark);
    QCoreApplication::processEvents();
    QVERIFY(window.grab().toImage().pixelColor(640, 715).lightness() < 100);
    QVERIFY(window.sourcePanel()->editor()->lexer()->defaultPaper().lightness() < 100);
}

void WindowTest::theLastExperimentIsRestored()
{
    {
        MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "96" }, { "pad", "1" } }));
        openAndSettle(window);
        window.experiment()->setSelection({ { 0, 1, 0 }, 3, 1 });
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60000);
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

void WindowTest::corruptSettingsAreSaidSo()
{
    QDir(m_folder->path()).mkpath(QStringLiteral("coalescope"));
    {
        QSettings file(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("coalescope"),
            QStringLiteral("coalescope-gui"));
        file.setValue(QStringLiteral("session/last"), QByteArray("{\"coalescope\": 1, \"kern"));
        file.setValue(QStringLiteral("window/geometry"), QByteArray("nonsense"));
        file.setValue(QStringLiteral("window/splitter"), QByteArray("\x01\x02"));
    }
    MainWindow window;
    openAndSettle(window);
    QVERIFY(window.statusText().contains(QStringLiteral("The last experiment could not be read")));
    QVERIFY(window.predictor()->current());
}

void WindowTest::aKernelFileIsOpened()
{
    const QString path = m_folder->filePath(QStringLiteral("mine.cu"));
    QVERIFY(QFile::copy(QStringLiteral(COALESCOPE_SOURCE_DIR "/kernels/catalogue/copy.cu"), path));
    MainWindow window(options(path, kSmall));
    openAndSettle(window);
    QCOMPARE(window.experiment()->state().spec->path.string(), path.toStdString());
    QCOMPARE(window.experiment()->state().values.at("rows"), "64");
}

void WindowTest::anUnreadableFileIsSaidSo()
{
    MainWindow window(options(QStringLiteral("/no/such/kernel.cu")));
    openAndSettle(window);
    QVERIFY(window.statusText().contains(QStringLiteral("/no/such/kernel.cu")));
}

void WindowTest::aClickInTheSourceChoosesTheInstruction()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QVERIFY(window.sourcePanel()->isVisible());
    const auto& predicted = window.predictor()->current();
    const auto& steps = window.predictor()->trace()->warps[0];
    const auto line = predicted->prediction.program->instructions[steps.front().instruction].line;
    QVERIFY(!window.sourcePanel()->marginText(int(line)).isEmpty());
    emit window.sourcePanel()->editor()->marginClicked(1, int(line) - 1, Qt::NoModifier);
    QCOMPARE(window.experiment()->selection().step, 0);
    QCOMPARE(window.sourcePanel()->currentLine(), int(line));
    keepPicture(window, QStringLiteral("source"));
}

void WindowTest::everythingFitsASmallScreen()
{
    for (const char* language : { "en", "zh_CN" }) {
        StartOptions start = options(QStringLiteral("transpose_shared"), kConflict);
        start.language = QString::fromLatin1(language);
        MainWindow window(start);
        openAndSettle(window);
        QCOMPARE(window.size(), QSize(1280, 720));
        for (const auto* button : window.topBar()->findChildren<QAbstractButton*>()) {
            if (button->isVisible() && !qobject_cast<const KernelChooser*>(button))
                QVERIFY2(button->width() >= button->minimumSizeHint().width() - 2, qPrintable(button->text()));
        }
        for (const QWidget* part : { static_cast<QWidget*>(window.experimentPanel()),
                 static_cast<QWidget*>(window.warpPanel()), static_cast<QWidget*>(window.comparisonPanel()) }) {
            QVERIFY(part->width() >= part->minimumSizeHint().width());
            QVERIFY(window.rect().contains(QRect(part->mapTo(&window, QPoint()), QSize(part->width(), 1))));
        }
    }
    applyLanguage(QStringLiteral("en"));
}

void WindowTest::everyControlHasANameForScreenReaders()
{
    MainWindow window(options(QStringLiteral("transpose_shared_flat"), kSmall));
    openAndSettle(window);
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const bool control = qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QSpinBox*>(widget)
            || qobject_cast<const QComboBox*>(widget);
        const bool own = !widget->objectName().startsWith(QStringLiteral("qt_"));
        if (!control || !own || !widget->isVisible() || widget->focusPolicy() == Qt::NoFocus)
            continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && button->text().size() > 1),
            qPrintable(QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName()));
    }
}

void WindowTest::tabReachesEveryPart()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    window.activateWindow();
    QSet<QString> reached;
    window.topBar()->chooser()->setFocus();
    for (int i = 0; i < 80; ++i) {
        for (const QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget())
            reached << at->objectName();
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window, Qt::Key_Tab);
    }
    for (const char* name : { "kernelChooser", "device", "pad", "rows", "blockView", "strip", "bankView", "comparison" })
        QVERIFY2(reached.contains(QString::fromLatin1(name)), name);
}

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    WindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "window_test.moc"
