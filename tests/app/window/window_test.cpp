// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "app/core/language.h"
#include "app/views/banks/banks_view.h"
#include "app/views/bars/bars_view.h"
#include "app/views/block/block_view.h"
#include "app/views/lane/lane_view.h"
#include "app/views/sectors/sectors_view.h"
#include "app/views/strip/strip_view.h"
#include "app/widgets/help_dialog.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/source_panel.h"
#include "app/widgets/sweep_panel.h"
#include "app/widgets/theme.h"
#include "app/widgets/try_view.h"
#include "app/widgets/warp_models.h"
#include "app/widgets/warp_panel.h"
#include "kernels/compile/nvrtc.h"

#include <Qsci/qscilexer.h>
#include <Qsci/qsciscintilla.h>

#include <QComboBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolTip>

#include <algorithm>
#include <bit>

class WindowTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aKernelIsChosenThroughTheSearch();
    void changingBlockAndPadWithKeysChangesThePrediction();
    void aFasterChangeSupersedesTheOneBefore();
    void arrowKeysStepTheInstructions();
    void theStepStaysAtItsLineWhereAnotherShapeMovesIt();
    void hoveringABankShowsItsLanesEverywhere();
    void clickingAThreadChoosesItsWarp();
    void linksFollowTheTheme();
    void barsNameParametersAsTheControlsDo();
    void aClickOnAVariantsBarMakesItTheExperiment();
    void anotherBlockIsTraced();
    void illegalValuesAreExplainedAtTheirControl();
    void whatIsNoNumberIsNotReadAsAnother();
    void digitsOnTheWayToANumberAreNoValues();
    void aNameThatIsCutIsInTheTooltip();
    void theRegistersFollowThePrediction();
    void aBlockWithTooManyRegistersIsExplained();
    void theWrongKernelIsReportedWithItsLine();
    void aRaceIsReportedWithBothLinesAndElseWhereNoneWasFound();
    void undoWorksFromInsideASpinBox();
    void whatToTryIsAppliedWithItsButton();
    void theTitleHasAsManyIndicesAsTheGrid();
    void theTableMarksARowAndNotItsTextWhenItIsReached();
    void theHelpTellsVersionAndLicence();
    void theLanguageSwitchesWhileRunning();
    void theThemeSwitchesWhileRunning();
    void aClickInTheSourceChoosesTheInstruction();
    void everythingFitsASmallScreen();
    void everyControlHasANameForScreenReaders();
    void tabReachesEveryPart();

private:
    void checkNames(MainWindow& window);

    std::unique_ptr<QTemporaryDir> m_folder;
};

void WindowTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

void WindowTest::aKernelIsChosenThroughTheSearch()
{
    MainWindow window(options(QStringLiteral("copy")));
    openAndSettle(window);
    QTest::mouseClick(window.topBar()->chooser(), Qt::LeftButton);
    KernelPopup* popup = window.topBar()->chooser()->popup();
    QTRY_VERIFY_WITH_TIMEOUT(popup->isVisible(), kPatienceMs);
    keepPicture(*popup, QStringLiteral("chooser"));
    QTest::keyClicks(popup->search(), QStringLiteral("transpose_naive"));
    QTest::keyClick(popup->search(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(window.experiment()->state().spec->id, "transpose_naive", kPatienceMs);
    QVERIFY(!popup->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.predictor()->current()->state.spec->id, "transpose_naive");
    QVERIFY(window.sourcePanel()->editor()->text().contains(QStringLiteral("__global__")));
}

void WindowTest::changingBlockAndPadWithKeysChangesThePrediction()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QCOMPARE(predictedValue(window, Metric::SharedLoadWavefronts), 32.0 * 32 * 4); // pad 0: every column in one bank
    typeInto(window, "pad", QStringLiteral("1"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(predictedValue(window, Metric::SharedLoadWavefronts), 32.0 * 4);

    window.experiment()->chooseKernel(catalogueSpec("transpose_naive"), kSmall);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    typeInto(window, "block_x", QStringLiteral("8"));
    typeInto(window, "block_y", QStringLiteral("32"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.predictor()->current()->plan.block == (analysis::Dim3 { 8, 32, 1 }));
    const double tall = predictedValue(window, Metric::GlobalStoreSectors);
    QTest::keyClick(window.experimentPanel()->control("block_x")->editor(), Qt::Key_Up); // 8 -> 16
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
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
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
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

/// "mnemonic, line" of the step that is looked at, and how many like it come before.
static std::pair<QString, std::ptrdiff_t> stepLookedAt(MainWindow& window)
{
    const Selection& selection = window.experiment()->selection();
    const auto& steps = window.predictor()->trace()->warps[std::size_t(selection.warp)];
    const analysis::Program& program = *window.predictor()->current()->prediction.program;
    const auto nameOf = [&](const analysis::TraceStep& step) {
        const analysis::Instruction& instruction = program.instructions[step.instruction];
        return QStringLiteral("%1, %2, %3").arg(int(step.access.space)).arg(int(step.access.op)).arg(instruction.lineToName());
    };
    const QString name = nameOf(steps[std::size_t(selection.step)]);
    return { name, std::count_if(steps.begin(), steps.begin() + selection.step, [&](const auto& step) { return nameOf(step) == name; }) };
}

void WindowTest::theStepStaysAtItsLineWhereAnotherShapeMovesIt()
{
    MainWindow window(options(QStringLiteral("transpose_shared_multi"), kConflict));
    openAndSettle(window);
    const auto first = stepLookedAt(window); // the loads that conflict, behind the global ones
    const int step = window.experiment()->selection().step;
    QVERIFY(step > 0);
    const int rows = QString::fromStdString(window.experiment()->state().values.at("rows_per_block")).toInt();
    typeInto(window, "rows_per_block", QString::number(rows * 2));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current()->state.values.at("rows_per_block") == std::to_string(rows * 2), kPatienceMs);
    QVERIFY(window.experiment()->selection().step < step);
    QCOMPARE(stepLookedAt(window), first);
    window.experiment()->undoStack()->undo();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.predictor()->current()->state.values.at("rows_per_block") == std::to_string(rows), kPatienceMs);
    QCOMPARE(window.experiment()->selection().step, step);
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

void WindowTest::linksFollowTheTheme()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    auto* label = window.findChild<QLabel*>(QStringLiteral("gpu"));
    const auto pixelsOf = [&](const QColor& color) {
        const QImage image = label->grab().toImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == color;
        return count;
    };
    const QColor light = QGuiApplication::palette().color(QPalette::Link);
    QTRY_VERIFY_WITH_TIMEOUT(pixelsOf(light) > 0, kPatienceMs);
    window.switchTheme(QStringLiteral("dark"));
    const QColor dark = QGuiApplication::palette().color(QPalette::Link);
    QVERIFY(dark != light);
    QTRY_VERIFY_WITH_TIMEOUT(pixelsOf(dark) > 0 && pixelsOf(light) == 0, kPatienceMs);
    window.switchTheme(QStringLiteral("light"));
}

void WindowTest::barsNameParametersAsTheControlsDo()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QTRY_VERIFY_WITH_TIMEOUT(!window.picture().bars.rows.empty(), kPatienceMs);
    QCOMPARE(window.picture().bars.rows[0].label, QStringLiteral("Padding 0"));
    QCOMPARE(window.picture().bars.rows[1].label, QStringLiteral("Padding 1"));
}

void WindowTest::aClickOnAVariantsBarMakesItTheExperiment()
{
    MainWindow window(options(QStringLiteral("transpose_shared_multi"), kConflict));
    openAndSettle(window, { 1280, 1200 });
    auto* bars = window.findChild<BarsView*>();
    QVERIFY(bars && bars->model().rows.size() > 1);
    QVERIFY(bars->model().rows.front().hint.isEmpty() && !bars->model().rows[1].hint.isEmpty());
    const kernels::ParameterValues change = window.predictor()->alternatives().front().change;
    bars->setFocus();
    QTest::keyClick(bars, Qt::Key_Down);
    QTest::keyClick(bars, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    for (const auto& [name, value] : change)
        QCOMPARE(window.experiment()->state().values.at(name), value);
    QCOMPARE(window.experiment()->undoStack()->count(), 1);
}

void WindowTest::anotherBlockIsTraced()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QSpinBox* x = window.warpPanel()->blockSpin(0);
    x->setFocus();
    QTest::keyClick(x, Qt::Key_Up);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
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
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QLabel*>(QStringLiteral("banner"))->isVisible(), kPatienceMs);
    QVERIFY(!window.topBar()->runButton()->isEnabled());
    QVERIFY(window.statusText().contains(window.experimentPanel()->control("cols")->problem()));
    QVERIFY(window.predictor()->current()); // the last good one stays
    keepPicture(window, QStringLiteral("illegal"));
    window.experiment()->undoStack()->undo();
    window.experiment()->undoStack()->undo();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.experimentPanel()->isLegal(), kPatienceMs);
    QVERIFY(!window.findChild<QLabel*>(QStringLiteral("banner"))->isVisible());
    QCOMPARE(window.predictor()->current()->state.values, before->state.values);
    for (const char* absurd : { "0", "999999999", "2147483647" }) {
        typeInto(window, "rows", QString::fromLatin1(absurd));
        QVERIFY(!window.experimentPanel()->isLegal());
    }
}

void WindowTest::whatIsNoNumberIsNotReadAsAnother()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    auto* rows = qobject_cast<QSpinBox*>(window.experimentPanel()->control("rows")->editor());
    typeInto(window, "rows", QStringLiteral("-5"));
    QCOMPARE(rows->text(), QStringLiteral("-5"));
    QVERIFY(rows->property("illegal").toBool());
    QVERIFY(!window.experimentPanel()->isLegal());
    QVERIFY(window.experimentPanel()->control("rows")->problem().contains(QStringLiteral("-5")));
    typeInto(window, "rows", QStringLiteral("32"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    const ParameterControl* control = window.experimentPanel()->control("rows");
    // What cannot be read is taken back, and it is said why.
    typeInto(window, "rows", QStringLiteral("32.5")); // 325 is another number
    QTest::qWait(600); // until it is read, and longer
    QCOMPARE(rows->text(), QStringLiteral("32"));
    QCOMPARE(control->problem(), QStringLiteral("\"32.5\" is no whole number that fits here: 32 stays."));
    typeInto(window, "rows", QStringLiteral("banana"));
    QCOMPARE(control->problem(), QStringLiteral("\"banana\" is no whole number that fits here: 32 stays."));
    typeInto(window, "rows", QStringLiteral("48"));
    QVERIFY(control->problem().isEmpty());
    // It is said while the cursor stands there, and no longer than it is so.
    QTest::keyClick(rows, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(rows, QStringLiteral("99999999999"));
    QTRY_COMPARE_WITH_TIMEOUT(control->problem(), QStringLiteral("\"99999999999\" is no whole number that fits here: 48 stays."), kPatienceMs);
    QTest::keyClick(rows, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(rows, QStringLiteral("48"));
    QTRY_VERIFY_WITH_TIMEOUT(control->problem().isEmpty(), kPatienceMs);
}

void WindowTest::digitsOnTheWayToANumberAreNoValues()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    auto* rows = qobject_cast<QSpinBox*>(window.experimentPanel()->control("rows")->editor());
    QSignalSpy changed(window.experiment(), &Experiment::changed);
    rows->setFocus();
    QTest::keyClick(rows, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(rows, QStringLiteral("128"));
    QCOMPARE(changed.count(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(window.experiment()->state().values.at("rows"), "128", kPatienceMs); // without Enter, too
    QCOMPARE(changed.count(), 1);
    QCOMPARE(rows->text(), QStringLiteral("128"));
}

void WindowTest::aNameThatIsCutIsInTheTooltip()
{
    MainWindow window(options(QStringLiteral("transpose_shared_multi"), kSmall));
    openAndSettle(window, { 1024, 640 });
    QCOMPARE(window.width(), 1024);
    QVERIFY(!window.findChild<QLabel*>(QStringLiteral("productName"))->isVisible()); // the kernel's name has its room
    QVERIFY(window.findChild<QWidget*>(QStringLiteral("kernelChooser"))->toolTip().startsWith(QStringLiteral("transpose_shared_multi: ")));
    ComparisonView* table = window.comparisonPanel()->table();
    const QPoint at(5, table->height() / 4);
    QHelpEvent help(QEvent::ToolTip, at, table->mapToGlobal(at));
    QApplication::sendEvent(table, &help);
    const QString label = QToolTip::text().section(QLatin1Char('\n'), 0, 0);
    const ComparisonTable shown = makeTable({ window.predictor()->current()
            ? std::shared_ptr<const analysis::RunResult>(window.predictor()->current(), &window.predictor()->current()->prediction.result)
            : nullptr });
    QVERIFY2(std::ranges::find(shown.rows, label, &TableRow::label) != shown.rows.end(), qPrintable(QToolTip::text()));
    keepPicture(window, QStringLiteral("small"));
    QToolTip::hideText();
}

void WindowTest::theRegistersFollowThePrediction()
{
    if (!kernels::Nvrtc::instance())
        QSKIP("only NVRTC makes machine code");
    MainWindow window(options(QStringLiteral("copy_transpose_batched"), { { "rows", "512" }, { "cols", "992" } }));
    const Predictor& predictor = *window.predictor();
    const auto registers
        = [&] { return predictor.current()->prediction.result.occupancy->registersPerThread; };
    std::optional<int> first = -1;
    connect(&predictor, &Predictor::predicted, this, [&] { first = registers(); });
    openAndSettle(window);
    QVERIFY2(!first, "the first numbers do not wait for machine code");
    QVERIFY(registers());
    const auto& occupancy = *predictor.current()->prediction.result.occupancy;
    QCOMPARE(occupancy.limiter, "registers");
    QVERIFY(predictor.current()->prediction.result.verified == true);
    const QString said = window.findChild<QLabel*>(QStringLiteral("occupancyLimit"))->text();
    QVERIFY2(said.contains(QStringLiteral("%1 registers").arg(*registers())), qPrintable(said));
}

void WindowTest::aBlockWithTooManyRegistersIsExplained()
{
    if (!kernels::Nvrtc::instance())
        QSKIP("only NVRTC makes machine code");
    const QString path = m_folder->filePath(QStringLiteral("many.cu"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"(/* --- coalescope
id = "many"
title = "Many values at once"
summary = "Keeps 64 values of each thread."
entry = "many"
[[parameters]]
name = "threads"
default = 256
min = 32
max = 1024
[launch]
grid = [100]
block = ["threads"]
[[arguments]]
buffer = "values"
type = "f32"
count = "65536"
fill = "zero"
--- */
__global__ void many(float* p)
{
    float v[64];
    #pragma unroll
    for (int i = 0; i < 64; ++i)
        v[i] = p[i * 1024 + threadIdx.x];
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 64; ++i)
        p[i * 1024 + threadIdx.x] = v[63 - i] * v[(i * 7) % 64];
}
)");
    file.close();
    MainWindow window(options(path));
    openAndSettle(window);
    const auto labels = window.experimentPanel()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(
        labels, [](const QLabel* label) { return label->text().endsWith(QStringLiteral("\ngrid of 100 blocks")); }));
    typeInto(window, "threads", QStringLiteral("1024"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    auto* banner = window.findChild<QLabel*>(QStringLiteral("banner"));
    QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), kPatienceMs);
    QVERIFY2(banner->text().contains(QStringLiteral("registers")), qPrintable(banner->text()));
    keepPicture(window, QStringLiteral("too_many_registers"));
    typeInto(window, "threads", QStringLiteral("512"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && !banner->isVisible(), kPatienceMs);
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

void WindowTest::aRaceIsReportedWithBothLinesAndElseWhereNoneWasFound()
{
    MainWindow window(options(QStringLiteral("copy_transpose_batched")));
    openAndSettle(window);
    const QString clean = QStringLiteral("✓ no race in shared memory, no bad address"); // global memory is not looked through
    const QLabel* status = window.experimentPanel()->findChild<QLabel*>(QStringLiteral("status"));
    QTRY_VERIFY_WITH_TIMEOUT(status->text().endsWith(clean) && window.comparisonPanel()->findings().endsWith(clean), kPatienceMs);
    for (const kernels::ParameterSpec& parameter : window.experiment()->state().spec->parameters) {
        for (const kernels::Choice& choice : parameter.choices) {
            if (choice.value == "without")
                window.experiment()->setValue(parameter.name, "without");
        }
    }
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY2(window.comparisonPanel()->findings().contains(QStringLiteral("Race in shared memory, lines ")),
        qPrintable(window.comparisonPanel()->findings()));
    QVERIFY(!status->text().contains(clean) && !window.comparisonPanel()->findings().contains(clean));
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
    auto* const warp = window.findChild<QSpinBox*>(QStringLiteral("warp")); // whichever field has the keys
    warp->setFocus();
    QTest::keyClick(warp->findChild<QLineEdit*>(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(window.experiment()->state().values.at("pad"), "0");
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(window.experiment()->state().values.at("pad"), "2");
}

void WindowTest::whatToTryIsAppliedWithItsButton()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    const auto& buttons = window.experimentPanel()->tryView()->applyButtons();
    const auto padding = std::ranges::find_if(buttons,
        [](const QPushButton* button) { return button->accessibleName() == QStringLiteral("Apply Padding 0 → 1"); });
    QVERIFY(padding != buttons.end());
    QVERIFY((*padding)->accessibleDescription().contains(QStringLiteral("4,224 → 256 shared wavefronts")));
    QTest::mouseClick(*padding, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.experiment()->state().values.at("pad") != "0");
    QVERIFY(predictedValue(window, Metric::SharedLoadConflicts) == 0);
}

void WindowTest::theTitleHasAsManyIndicesAsTheGrid()
{
    QCOMPARE(titleOfWarp({ 3, 0, 0 }, 2, { 8, 1, 1 }), QStringLiteral("Block 3, warp 2"));
    QCOMPARE(titleOfWarp({ 3, 0, 0 }, 2, { 8, 4, 1 }), QStringLiteral("Block (3, 0), warp 2"));
    QCOMPARE(titleOfWarp({ 3, 0, 0 }, 2, { 8, 1, 2 }), QStringLiteral("Block (3, 0, 0), warp 2"));
}

void WindowTest::theTableMarksARowAndNotItsTextWhenItIsReached()
{
    QString said; // outlives the window, which takes the focus away at its end
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    ComparisonView* table = window.comparisonPanel()->table();
    connect(table, &ComparisonView::rowReached, this, [&](const QString& text) { said = text; });
    table->setFocus(Qt::TabFocusReason);
    QVERIFY2(said.startsWith(QStringLiteral("load requests")), qPrintable(said));
    keepPicture(window, QStringLiteral("table-focus"));
}

void WindowTest::theHelpTellsVersionAndLicence()
{
    QCoreApplication::setApplicationVersion(QStringLiteral("1.2.3"));
    HelpDialog dialog({});
    const QString about = dialog.findChild<QLabel*>(QStringLiteral("about"))->text();
    QVERIFY2(about.startsWith(QStringLiteral("Coalescope 1.2.3, ")) && about.contains(QStringLiteral("GPL")), qPrintable(about));
    keepPicture(dialog, QStringLiteral("help"));
}

void WindowTest::theLanguageSwitchesWhileRunning()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QCOMPARE(window.experimentPanel()->title(), QStringLiteral("Experiment"));
    QTest::mouseClick(window.topBar()->languageButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(window.experimentPanel()->title(), QStringLiteral("实验"), kPatienceMs);
    QCOMPARE(window.topBar()->tabs()->tabText(1), QStringLiteral("源码"));
    QVERIFY(window.statusText().contains(QStringLiteral("精确")));
    QVERIFY(std::ranges::any_of(window.comparisonPanel()->table()->table().rows,
        [](const TableRow& row) { return row.label == QStringLiteral("读取扇区"); }));
    QVERIFY(!window.warpPanel()->sentence().contains(QStringLiteral("lanes")));
    window.experiment()->setValue("pad", "2");
    QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier); // the rebuilt menus' shortcuts still work
    QCOMPARE(window.experiment()->state().values.at("pad"), "0");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QTest::mouseClick(window.topBar()->languageButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(window.experimentPanel()->title(), QStringLiteral("Experiment"), kPatienceMs);
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

void WindowTest::aClickInTheSourceChoosesTheInstruction()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QVERIFY(window.sourcePanel()->isVisible());
    const auto& predicted = window.predictor()->current();
    const auto& steps = window.predictor()->trace()->warps[0];
    const auto line = predicted->prediction.program->instructions[steps.front().instruction].lineToName();
    QVERIFY(!window.sourcePanel()->marginText(int(line)).isEmpty());
    emit window.sourcePanel()->editor()->marginClicked(1, int(line) - 1, Qt::NoModifier);
    QCOMPARE(window.experiment()->selection().step, 0);
    QCOMPARE(window.sourcePanel()->currentLine(), int(line));
    keepPicture(window, QStringLiteral("source"));
}

void WindowTest::everythingFitsASmallScreen()
{
    // The one with three block indices to choose, and the one with most to say.
    for (const auto& [language, kernel] : { std::pair("en", "copy_transpose_batched"),
             std::pair("en", "transpose_shared_flat"), std::pair("zh_CN", "transpose_shared_flat") }) {
        StartOptions start = options(QString::fromLatin1(kernel));
        start.language = QString::fromLatin1(language);
        MainWindow window(start);
        openAndSettle(window, { 1024, 640 });
        QCOMPARE(window.size(), QSize(1024, 640));
        QWidget* const tabs[] { window.warpPanel(), window.sourcePanel(), window.sweepPanel(), window.payPanel() };
        for (const QSize size : { QSize(1280, 720), QSize(1024, 640) }) {
            for (int tab = 0; tab < 4; ++tab) {
                window.topBar()->setTab(tab);
                QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
                window.resize(size);
                keepPicture(window, QStringLiteral("small-%1-%2-%3").arg(QLatin1String(language)).arg(size.width()).arg(tab));
                QVERIFY2(window.size() == size, qPrintable(QStringLiteral("tab %1 is %2 wide").arg(tab).arg(window.width())));
                const auto clipped = [&] { // until the layout has followed what the prediction says
                    QStringList texts;
                    for (const auto* button : window.findChildren<QAbstractButton*>())
                        if (button->isVisible() && !qobject_cast<const KernelChooser*>(button) && !button->objectName().startsWith(QStringLiteral("qt_")) && button->width() < button->minimumSizeHint().width() - 2)
                            texts << button->text();
                    return texts.join(QLatin1Char('|'));
                };
                QTRY_VERIFY2_WITH_TIMEOUT(clipped().isEmpty(), qPrintable(clipped()), 3000);
                for (const QWidget* part : { static_cast<QWidget*>(window.experimentPanel()), tabs[tab], static_cast<QWidget*>(window.comparisonPanel()) }) {
                    QVERIFY2(part->width() >= part->minimumSizeHint().width(), qPrintable(QStringLiteral("%1: %2 of %3").arg(QLatin1String(part->metaObject()->className())).arg(part->width()).arg(part->minimumSizeHint().width())));
                    const auto isWithin = [&] { return window.rect().contains(QRect(part->mapTo(&window, QPoint()), QSize(part->width(), 1))); };
                    QTRY_VERIFY2_WITH_TIMEOUT(isWithin(), qPrintable(QStringLiteral("%1 of tab %2 from %3, %4 on is %5 x %6").arg(QLatin1String(part->metaObject()->className())).arg(tab).arg(part->mapTo(&window, QPoint()).x()).arg(part->mapTo(&window, QPoint()).y()).arg(part->width()).arg(part->height())), 3000);
                }
            }
        }
    }
    applyLanguage(QStringLiteral("en"));
}

void WindowTest::everyControlHasANameForScreenReaders()
{
    MainWindow window(options(QStringLiteral("transpose_shared_flat"), kSmall));
    openAndSettle(window);
    for (int tab = 0; tab < window.topBar()->tabs()->count(); ++tab) {
        window.topBar()->setTab(tab);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
        checkNames(window);
    }
}

void WindowTest::checkNames(MainWindow& window)
{
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
    QSet<const QWidget*> focused;
    QStringList order;
    window.topBar()->chooser()->setFocus();
    for (int i = 0; i < 80; ++i) {
        focused << QApplication::focusWidget();
        order << QApplication::focusWidget()->objectName();
        for (const QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget())
            reached << at->objectName();
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window, Qt::Key_Tab);
    }
    for (const char* name : { "kernelChooser", "device", "pad", "rows", "blockView", "strip", "bankView", "comparison" })
        QVERIFY2(reached.contains(QString::fromLatin1(name)), name);
    // From left to right, the parameters in their order.
    const QStringList expected { QStringLiteral("kernelChooser"), QStringLiteral("presets"), QStringLiteral("rows"), QStringLiteral("cols"),
        QStringLiteral("type"), QStringLiteral("tile"), QStringLiteral("pad"), QStringLiteral("blockView"), QStringLiteral("strip"), QStringLiteral("comparison") };
    for (qsizetype i = 1; i < expected.size(); ++i)
        QVERIFY2(order.indexOf(expected[i - 1]) < order.indexOf(expected[i]), qPrintable(expected[i]));
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->isEnabled() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy()
            || widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        QVERIFY2(focused.contains(widget), qPrintable(QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName()
            + u' ' + widget->accessibleName()));
    }
}

APP_TEST(WindowTest, QApplication)
#include "window_test.moc"
