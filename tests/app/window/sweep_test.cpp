// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/sweep_fixture.h"

#include "app/widgets/theme.h"

#include <QAction>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMessageBox>
#include <QSignalSpy>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

/// The sweep in the real window, driven by keys and the mouse: what is typed, predicted, loaded and kept.
class SweepTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { compileIntoTemporaryFolder(); }
    void init() { m_folder = freshFolder(); }
    void nothingIsWrongBeforeAnythingIsTyped();
    void aRangeThatIsTypedIsPredictedCellByCell();
    void aLargeSweepWaitsForTheButtonHoweverItIsTyped();
    void aClickLoadsTheCellAsOneUndoStep();
    void theKeysMoveAndLoad();
    void illegalCellsSayWhyAndAreNotLoaded();
    void whatTheGpuDoesNotTakeIsNotAllowedEither();
    void aWrongRangeIsExplainedAtItsField();
    void spacesPartValuesAsCommasDo();
    void whatIsHalfTypedLeavesTheMapAndIsComplainedOfAfterAWhile();
    void aSavedMapIsAsBroadAsItsColumns();
    void anotherSettingDropsWhatWasThere();
    void cancelKeepsWhatHasCome();
    void theSweepIsSaved();
    void aFolderThatIsMissingIsSaidInABox();
    void aSessionKeepsTheSweepAndTheTab();
    void aSessionWithoutThemOpensAsBefore_data();
    void aSessionWithoutThemOpensAsBefore();
    void everyKernelHasASweepToStartWith();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

/// What the library says of one launch.
double predictedAlone(const std::string& kernel, const kernels::ParameterValues& values, Metric load, Metric store)
{
    const auto plan = kernels::planLaunch(**kernels::kernelNamed(kernel), values);
    const auto prediction = kernels::predict(*plan, { .verify = false });
    return *prediction->result.metrics.get(load) + *prediction->result.metrics.get(store);
}

}

void SweepTest::nothingIsWrongBeforeAnythingIsTyped()
{
    MainWindow window(options(QStringLiteral("copy"), kSmall));
    openAndSettle(window);
    openSweep(window, { { "block_x", QString() }, { "block_y", QString() } });
    const auto* problem = window.findChild<QLabel*>(QStringLiteral("sweepProblem"));
    const auto isOf = [&](ColorRole role) { return problem->palette().color(QPalette::WindowText) == themeColor(QGuiApplication::palette(), role); };
    QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible() && isOf(ColorRole::MutedText), kPatienceMs);
    window.sweepPanel()->setRanges({ { "block_x", QStringLiteral("8") } });
    QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible() && isOf(ColorRole::Bad), kPatienceMs);
}

void SweepTest::aRangeThatIsTypedIsPredictedCellByCell()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, kBlocks);
    QVERIFY(window.sweepPanel()->predictButton()->text().contains(QStringLiteral("24")));
    settle(window);
    const HeatMapModel& model = window.sweepPanel()->heatMap()->model();
    QCOMPARE(model.columns(), 8);
    QCOMPARE(model.rows(), 3);
    choose(window.sweepPanel()->metricBox(), QStringLiteral("sectors"));
    for (const auto& [x, y] : { std::pair("4", "8"), std::pair("32", "8"), std::pair("12", "64") }) {
        const HeatCell& cell = at(window, QString::fromLatin1(x), QString::fromLatin1(y));
        QVERIFY(cell.state == CellState::Known);
        kernels::ParameterValues values = kSmall;
        values["block_x"] = x;
        values["block_y"] = y;
        QCOMPARE(cell.value, predictedAlone("transpose_naive", values, Metric::GlobalLoadSectors, Metric::GlobalStoreSectors));
    }
    const auto best = std::ranges::min_element(model.cells, {}, [](const HeatCell& cell) {
        return cell.state == CellState::Known ? cell.value : HUGE_VAL;
    });
    for (int i = 0; i < int(model.cells.size()); ++i) { // every one that is as good
        const HeatCell& cell = model.cells[std::size_t(i)];
        QCOMPARE(std::ranges::count(model.best, i), cell.state == CellState::Known && cell.value == best->value);
    }
    QVERIFY(window.sweepPanel()->sentence().startsWith(QStringLiteral("Best: ")));
    keepPicture(window, QStringLiteral("sweep"));
}

void SweepTest::aLargeSweepWaitsForTheButtonHoweverItIsTyped()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, kBlocks);
    openSweep(window, { { "rows", "100:5000:70" } }); // "100" alone would begin by itself
    SweepPanel* panel = window.sweepPanel();
    QCOMPARE(panel->predictButton()->text(), QStringLiteral("Predict 1,704 launches"));
    QTest::qWait(600); // longer than a pause of typing
    QVERIFY(!window.sweepRunner()->order());
    openSweep(window, { { "rows", "1:1000" } });
    QVERIFY(panel->problem().contains(QStringLiteral("24,000 launches")));
    QCOMPARE(panel->predictButton()->text(), QStringLiteral("Predict"));
    QVERIFY(!panel->predictButton()->isEnabled());
}

void SweepTest::aClickLoadsTheCellAsOneUndoStep()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, kBlocks);
    settle(window);
    const int steps = window.experiment()->undoStack()->count();
    QSignalSpy reset(window.sweepRunner(), &SweepRunner::reset);
    const int cell = cellOf(window, QStringLiteral("8"), QStringLiteral("16"));
    QTest::mouseClick(window.sweepPanel()->heatMap(), Qt::LeftButton, {}, middleOf(window, cell));
    QCOMPARE(window.experiment()->state().values.at("block_x"), "8");
    QCOMPARE(window.experiment()->state().values.at("block_y"), "16");
    QCOMPARE(window.experiment()->undoStack()->count(), steps + 1);
    QCOMPARE(window.sweepPanel()->heatMap()->model().current, cell); // outlined
    QCOMPARE(reset.size(), 0); // it is still the same sweep
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(window.predictor()->current()->plan.block == (analysis::Dim3 { 8, 16, 1 }));
    window.experiment()->undoStack()->undo();
    QCOMPARE(window.experiment()->state().values.at("block_x"), "32");
    QCOMPARE(window.sweepPanel()->heatMap()->model().current, cellOf(window, QStringLiteral("32"), QStringLiteral("8")));
}

void SweepTest::theKeysMoveAndLoad()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, kBlocks);
    settle(window);
    HeatMapView* map = window.sweepPanel()->heatMap();
    map->setFocus();
    QTest::keyClick(map, Qt::Key_Left); // from the experiment, 32 x 8
    QTest::keyClick(map, Qt::Key_Down);
    QVERIFY(window.statusBar()->currentMessage().contains(QStringLiteral("Block x 28, Block y 16")));
    const auto* status = window.findChild<ElidedLabel*>(QStringLiteral("status")); // the same label as ever
    QVERIFY(status->isVisible() && status->fullText() == window.statusBar()->currentMessage());
    window.statusBar()->clearMessage();
    QCOMPARE(status->fullText(), window.statusText());
    QTest::keyClick(map, Qt::Key_Return);
    QCOMPARE(window.experiment()->state().values.at("block_x"), "28");
    QCOMPARE(window.experiment()->state().values.at("block_y"), "16");
}

void SweepTest::illegalCellsSayWhyAndAreNotLoaded()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, kBlocks);
    settle(window);
    const int cell = cellOf(window, QStringLiteral("32"), QStringLiteral("64"));
    QVERIFY(at(window, QStringLiteral("32"), QStringLiteral("64")).state == CellState::Illegal);
    QVERIFY(at(window, QStringLiteral("16"), QStringLiteral("64")).state == CellState::Known);
    QVERIFY(tipAt(window, cell).contains(QStringLiteral("1024 is the limit")));
    const kernels::ParameterValues before = window.experiment()->state().values;
    QTest::mouseClick(window.sweepPanel()->heatMap(), Qt::LeftButton, {}, middleOf(window, cell));
    QVERIFY(window.experiment()->state().values == before);
    QVERIFY(window.statusBar()->currentMessage().contains(QStringLiteral("1024 is the limit")));
    QVERIFY(window.sweepPanel()->sentence().contains(QStringLiteral("4 of 24 launches are not allowed")));
}

void SweepTest::whatTheGpuDoesNotTakeIsNotAllowedEither()
{
    const QString path = m_folder->filePath(QStringLiteral("tiles.cu"));
    writeFile(path, "#define TILE 16\n__global__ void scale(float* a, int n) { a[(blockIdx.x * TILE + threadIdx.y) * TILE + threadIdx.x] *= 2; }\n"
               "int main() { int n = 1 << 16; float* a; cudaMalloc(&a, n * 4); scale<<<n / (TILE * TILE), dim3(TILE, TILE)>>>(a, n); }\n");
    MainWindow window(options(path)); // without a manifest: no condition of its own
    openAndSettle(window);
    openSweep(window, { { "TILE", "16,64" } });
    settle(window);
    const auto& entries = window.sweepRunner()->entries();
    QCOMPARE(entries.size(), std::size_t(2));
    QVERIFY(entries[0].illegal.empty() && entries[0].predicted);
    QVERIFY(!entries[1].illegal.empty());
    QVERIFY2(entries[1].illegal.front().en.find("1024") != std::string::npos, entries[1].illegal.front().en.c_str());
}

void SweepTest::aWrongRangeIsExplainedAtItsField()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, { { "block_x", "4:x" }, { "block_y", "8" } });
    SweepPanel* panel = window.sweepPanel();
    QVERIFY(!panel->problem().isEmpty());
    QVERIFY(panel->axes()->field("block_x")->property("illegal").toBool());
    QVERIFY(!panel->predictButton()->isEnabled());
    QVERIFY(!window.sweepRunner()->order());
    openSweep(window, { { "block_x", "1:200" }, { "block_y", "1:200" } });
    QVERIFY2(panel->problem().contains(QStringLiteral("40,000")), qPrintable(panel->problem()));
    openSweep(window, { { "block_x", "1:1024" }, { "block_y", "1:1024" } });
    QVERIFY2(panel->problem().startsWith(QStringLiteral("a sweep holds")), qPrintable(panel->problem()));
    openSweep(window, { { "block_x", "" }, { "block_y", "" } });
    QVERIFY(panel->problem().contains(QStringLiteral("4:64:4"))); // what to type
    const auto isSaveOffered = [&] {
        const auto entries = panel->findChild<QToolButton*>(QStringLiteral("saveSweep"))->menu()->actions();
        return std::ranges::all_of(entries, &QAction::isEnabled);
    };
    QVERIFY(!isSaveOffered());
    openSweep(window, { { "block_x", "8,16" } });
    QVERIFY(panel->problem().isEmpty());
    settle(window);
    QCOMPARE(panel->heatMap()->model().cells.size(), std::size_t(2));
    QVERIFY(isSaveOffered());
}

void SweepTest::spacesPartValuesAsCommasDo()
{
    const SpecPointer spec = catalogueSpec("transpose_naive");
    for (const char* typed : { "8,16,32", "8 16 32", " 8,  16 ,32 ", "8 : 32 : x2" }) {
        const auto order = sweepOrder({ spec, defaultValues(*spec) }, { { "block_x", QString::fromLatin1(typed) } });
        QVERIFY2(order && order->request.axes.size() == 1, typed);
        QVERIFY2((order->request.axes.front().values == std::vector<std::string> { "8", "16", "32" }), typed);
    }
}

void SweepTest::whatIsHalfTypedLeavesTheMapAndIsComplainedOfAfterAWhile()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, { { "block_x", "8,16" }, { "block_y", "4,8" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    const auto* problem = panel->findChild<QLabel*>(QStringLiteral("sweepProblem"));
    const int top = panel->heatMap()->mapTo(panel, QPoint()).y();
    QTest::keyClicks(panel->axes()->field("block_y"), QStringLiteral(":"));
    QCOMPARE(panel->heatMap()->model().cells.size(), std::size_t(4)); // as it was
    QVERIFY(!problem->isVisible());
    QVERIFY(panel->axes()->field("block_y")->property("illegal").toBool());
    QVERIFY(!panel->predictButton()->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(problem->isVisible(), kPatienceMs);
    QVERIFY2(problem->text().startsWith(QStringLiteral("Block y")), qPrintable(problem->text())); // as its field is called
    QCOMPARE(panel->heatMap()->mapTo(panel, QPoint()).y(), top);
    QTest::keyClicks(panel->axes()->field("block_y"), QStringLiteral("16:4"));
    QVERIFY(!problem->isVisible());
    settle(window);
    QVERIFY(panel->heatMap()->model().cells.size() != std::size_t(4));
}

void SweepTest::anotherSettingDropsWhatWasThere()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, { { "block_x", "1:32" }, { "block_y", "1:16" } });
    settle(window);
    for (const char* rows : { "128", "256", "96" }) {
        window.experiment()->setValue("rows", rows);
        const HeatMapModel& model = window.sweepPanel()->heatMap()->model();
        QVERIFY(std::ranges::all_of(model.cells, [](const HeatCell& cell) { return cell.state == CellState::Waiting; }));
        QVERIFY(window.sweepPanel()->sentence().isEmpty());
        QTest::qWait(420); // long enough for the next sweep to begin
    }
    settle(window);
    for (const SweepEntry& entry : window.sweepRunner()->entries())
        QVERIFY(entry.predicted && entry.predicted->launch.parameters.at("rows") == "96");
    window.experiment()->chooseKernel(catalogueSpec("copy"));
    QVERIFY(!window.sweepRunner()->order());
    QVERIFY(window.sweepPanel()->axes()->field("block_x"));
}

void SweepTest::cancelKeepsWhatHasCome()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "512" }, { "cols", "512" } }));
    openAndSettle(window);
    openSweep(window, { { "tile", "1:32" }, { "pad", "0:8" } }); // each of 288 cells is a program of its own
    QTRY_VERIFY_WITH_TIMEOUT(window.sweepRunner()->done() > 0 && window.sweepRunner()->isPredicting(), kPatienceMs);
    QElapsedTimer clock;
    clock.start();
    QTest::mouseClick(window.sweepPanel()->predictButton(), Qt::LeftButton);
    QVERIFY(clock.elapsed() < 100);
    QVERIFY(!window.sweepRunner()->isBusy());
    const auto known = [&] { return std::ranges::count_if(window.sweepRunner()->entries(), &SweepEntry::isKnown); };
    const auto before = known();
    QVERIFY(before > 0 && before < 288);
    QTest::qWait(300);
    QCOMPARE(known(), before); // nothing comes late
    QVERIFY(window.sweepPanel()->progressText().contains(QStringLiteral("cancelled")));
    QVERIFY2(window.sweepPanel()->sentence().contains(QStringLiteral("%1 of 288 launches are not predicted.").arg(288 - before)),
        qPrintable(window.sweepPanel()->sentence()));
}

void SweepTest::theSweepIsSaved()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, kBlocks);
    settle(window);
    for (const char* suffix : { "csv", "json", "png", "svg" }) {
        const QString path = m_folder->filePath(QStringLiteral("sweep.") + QLatin1String(suffix));
        std::optional<Result<void>> done;
        window.exportSweepTo(path, [&](const Result<void>& result) { done = result; });
        QTRY_VERIFY_WITH_TIMEOUT(done, kPatienceMs);
        QVERIFY2(*done, suffix);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        if (path.endsWith(QLatin1String("csv"))) {
            QCOMPARE(bytes.count('\n'), 25); // a heading, a line a launch
            QVERIFY(bytes.contains("1024 is the limit"));
            QVERIFY(bytes.contains(",problem,predicted:warm_ns,predicted:cold_ns\n")); // what the map ranks by
        } else if (path.endsWith(QLatin1String("json"))) {
            const QJsonArray rows = QJsonDocument::fromJson(bytes).array();
            QCOMPARE(rows.size(), 24);
            QVERIFY(rows[0].toObject().value(QStringLiteral("predicted")).isObject());
        } else if (path.endsWith(QLatin1String("png"))) {
            const QImage image = QImage::fromData(bytes);
            QCOMPARE(image.width(), 2 * sweepPictureSize(window.sweepPanel()->picture()).width());
            if (const QString folder = qEnvironmentVariable("COALESCOPE_PICTURES"); !folder.isEmpty())
                image.save(folder + QStringLiteral("/sweep-export.png"));
        } else {
            QVERIFY(bytes.contains("<text") && bytes.contains("Best: "));
        }
    }
    std::optional<Result<void>> done;
    window.exportSweepTo(m_folder->filePath(QStringLiteral("sweep.doc")), [&](const Result<void>& result) { done = result; });
    QVERIFY(done && !*done);
}

void SweepTest::aSavedMapIsAsBroadAsItsColumns()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    const auto widthOf = [&](const SweepRanges& typed) {
        openSweep(window, { typed.begin(), typed.end() });
        settle(window);
        return sweepPictureSize(window.sweepPanel()->picture()).width();
    };
    const int few = widthOf({ { "block_x", QStringLiteral("8,16,32") }, { "block_y", QStringLiteral("2,4,8,16") } });
    const int many = widthOf({ { "block_x", QStringLiteral("1:32") }, { "block_y", QStringLiteral("2,4,8,16") } });
    QVERIFY2(few < 0.8 * many, qPrintable(QStringLiteral("%1 of %2").arg(few).arg(many)));
}

void SweepTest::aFolderThatIsMissingIsSaidInABox()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, kBlocks);
    settle(window);
    emit window.sweepPanel()->saveAsked(QStringLiteral("json"));
    auto* dialog = window.findChild<QFileDialog*>();
    QVERIFY(dialog);
    emit dialog->fileSelected(m_folder->filePath(QStringLiteral("none/sweep.json")));
    dialog->close();
    QMessageBox* box = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((box = window.findChild<QMessageBox*>(QStringLiteral("saveProblem"))), 5000);
    QVERIFY2(box->text().contains(QStringLiteral("sweep.json cannot be saved")), qPrintable(box->text()));
    const QString why = m_folder->filePath(QStringLiteral("none does not exist."));
    QVERIFY2(box->informativeText().contains(why), qPrintable(box->informativeText()));
    box->close();
}

void SweepTest::aSessionKeepsTheSweepAndTheTab()
{
    const QString path = m_folder->filePath(QStringLiteral("kept.json"));
    const SweepRanges typed { { "rows", QStringLiteral("64") }, { "block_x", QStringLiteral("4:32:4") },
        { "block_y", QStringLiteral("8,16") } };
    {
        MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
        openAndSettle(window);
        openSweep(window, { typed.begin(), typed.end() });
        window.findChild<QAction*>(QStringLiteral("saveSession"))->trigger();
        auto* dialog = window.findChild<QFileDialog*>();
        emit dialog->fileSelected(path);
        dialog->close();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 5000);
    }
    MainWindow window(options(path));
    openAndSettle(window);
    QVERIFY(window.sweepPanel()->isVisible());
    QVERIFY(window.sweepPanel()->axes()->ranges() == typed);
    settle(window);
    QCOMPARE(window.sweepRunner()->entries().size(), std::size_t(16));
    MainWindow other(options(QStringLiteral("copy"))); // opened later
    openAndSettle(other);
    other.openPath(path);
    QTRY_VERIFY_WITH_TIMEOUT(other.sweepPanel()->isVisible(), kPatienceMs);
    QVERIFY(other.sweepPanel()->axes()->ranges() == typed);
}

void SweepTest::aSessionWithoutThemOpensAsBefore_data()
{
    QTest::addColumn<QByteArray>("parts");
    QTest::newRow("of an older program") << QByteArray();
    QTest::newRow("unknown and damaged") << QByteArray(R"(, "tab": "nonsense", "sweep": 7, "more": [])");
}

void SweepTest::aSessionWithoutThemOpensAsBefore()
{
    QFETCH(QByteArray, parts);
    const QString path = m_folder->filePath(QStringLiteral("old.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({ "coalescope": 1, "kernel": "transpose_naive", "values": { "rows": "64", "cols": "64" })" + parts + '}');
    file.close();
    MainWindow window(options(path));
    openAndSettle(window);
    QCOMPARE(window.experiment()->state().values.at("rows"), "64");
    QVERIFY(!window.sweepPanel()->isVisible());
    QVERIFY(window.sweepPanel()->axes()->ranges() == suggestedRanges(*catalogueSpec("transpose_naive")));
}

void SweepTest::everyKernelHasASweepToStartWith()
{
    for (const kernels::KernelSpec& spec : kernels::catalogue()) {
        const SpecPointer pointer = catalogueSpec(spec.id);
        const auto order = sweepOrder({ pointer, defaultValues(spec) }, suggestedRanges(spec));
        QVERIFY2(order, spec.id.c_str());
        QVERIFY2(order->launches() > 1 && order->launches() <= 1024, spec.id.c_str());
        std::size_t legal = 0;
        for (std::size_t i = 0; i < order->launches(); ++i)
            legal += kernels::problemsOf(spec, order->valuesOf(i)).empty() ? 1 : 0;
        QVERIFY2(4 * legal >= order->launches(), spec.id.c_str());
        for (std::size_t i = 0; i < order->launches(); ++i)
            QCOMPARE(order->launchOf(order->valuesOf(i)), i);
    }
    QCOMPARE(suggestedRanges(*catalogueSpec("transpose_naive")).at("block_x"), QStringLiteral("4:64:4"));
    QCOMPARE(suggestedRanges(*catalogueSpec("strided_copy")).at("block_x"), QStringLiteral("32:1024:32")); // all of a block
    kernels::KernelSpec own;
    own.parameters = { { .name = "b", .defaultValue = "64", .minimum = 32, .maximum = 256 } };
    QCOMPARE(suggestedRanges(own).at("b"), QStringLiteral("32:256:x2"));
    own.parameters.front().defaultValue = "4096";
    own.parameters.front().maximum = 1 << 30;
    QCOMPARE(suggestedRanges(own).at("b"), QStringLiteral("512:4096:x2")); // no block's size: less work than by default, not more
}

APP_TEST(SweepTest, QApplication)
#include "sweep_test.moc"
