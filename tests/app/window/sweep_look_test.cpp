// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/sweep_fixture.h"

#include "app/core/sweep_texts.h"
#include "app/views/plot/xy_plot.h"
#include "app/widgets/sweep_models.h"

#include <QStyle>
#include <QStyleOptionComboBox>

#include <algorithm>

/// How a sweep is looked at in the real window: metrics, measurements, slices, lines and points.
class SweepLookTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { compileIntoTemporaryFolder(); }
    void init() { m_folder = freshFolder(); }
    void anotherMetricIsAnotherPicture();
    void recordedLaunchesAreMeasuredCells();
    void aThirdAxisIsSliced();
    void theBestIsToldOfTheSliceAndOfAll();
    void onlyLaunchesOfTheSameProblemAreCompared();
    void severalThatAreEqualAreAllTheBest();
    void whatIsHeldFollowsTheExperiment();
    void aSingleValueIsHeldAndIsNoAxis();
    void oneAxisIsALineWhereNobodyHasChosenTheMap();
    void oneAxisIsOneRow();
    void theScatterHoldsWhatIsMeasured();
    void warmAndColdAreToldApartOnASmallScreen();
    void aFaultyLaunchIsNeverTheBest();
    void oneLaunchThatIsFarSlowerLeavesTheOthersTheirColours();
    void itFollowsLanguageAndTheme();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

/// Rows, block x and block y: the map is of the two sides of a block, rows are held.
void openThreeAxes(MainWindow& window)
{
    openSweep(window, { { "rows", "64,128" }, { "block_x", "8,16" }, { "block_y", "8,16" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    choose(panel->metricBox(), QStringLiteral("sectors"));
    for (const auto& [box, axis] : { std::pair("sweepX", "Block x"), std::pair("sweepY", "Block y") }) {
        choose(panel->findChild<QComboBox*>(QString::fromLatin1(box)), QString::fromLatin1(axis));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::MetaCall);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

}

void SweepLookTest::anotherMetricIsAnotherPicture()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
    openAndSettle(window);
    openSweep(window, { { "tile", "16,32" }, { "pad", "0:2" } });
    settle(window);
    choose(window.sweepPanel()->metricBox(), QStringLiteral("bank conflicts"));
    QVERIFY(at(window, QStringLiteral("32"), QStringLiteral("0")).value > 0);
    QCOMPARE(at(window, QStringLiteral("32"), QStringLiteral("1")).value, 0.0);
    QVERIFY(tipAt(window, cellOf(window, QStringLiteral("32"), QStringLiteral("1"))).contains(QStringLiteral("predicted: 0")));
    choose(window.sweepPanel()->metricBox(), QStringLiteral("time, L2 warm"));
    QVERIFY(at(window, QStringLiteral("32"), QStringLiteral("1")).value > 1000);
    QVERIFY(tipAt(window, 0).contains(QStringLiteral("≈")));
}

void SweepLookTest::recordedLaunchesAreMeasuredCells()
{
    MainWindow window(options(QStringLiteral("transpose_naive"))); // 4096 x 4096: the published launches
    openAndSettle(window);
    openSweep(window, { { "block_x", "8,16,18,32" }, { "block_y", "8,16,32" } });
    settle(window);
    QTest::mouseClick(window.sweepPanel()->sideButton(SweepSide::Measured), Qt::LeftButton);
    QVERIFY(at(window, QStringLiteral("8"), QStringLiteral("32")).state == CellState::Known);
    const auto recorded = std::ranges::find_if(kernels::recordedMeasurements(), [](const analysis::RunResult& result) {
        return result.device == "h200" && result.kernel == "transpose_naive" && result.launch.parameters.at("rows") == "4096"
            && result.launch.parameters.at("cols") == "4096" && result.launch.parameters.at("type") == "f32"
            && result.launch.block == (analysis::Dim3 { 8, 32, 1 });
    });
    QVERIFY(recorded != kernels::recordedMeasurements().end());
    QCOMPARE(at(window, QStringLiteral("8"), QStringLiteral("32")).value, recorded->time.warm->medianNs);
    QTest::mouseClick(window.sweepPanel()->sideButton(SweepSide::Error), Qt::LeftButton);
    const HeatMapModel& model = window.sweepPanel()->heatMap()->model();
    QVERIFY(model.scale == HeatScale::Deviation);
    const SweepEntry& entry = window.sweepRunner()->entries()[2]; // block_x 8, block_y 32: the last axis is the fastest
    QCOMPARE(at(window, QStringLiteral("8"), QStringLiteral("32")).value,
        recorded->time.warm->medianNs / *entry.predicted->time.warmNs - 1);
    // As the comparison has it.
    const double error = at(window, QStringLiteral("8"), QStringLiteral("32")).value;
    const QString change = formatChange(*entry.predicted->time.warmNs, recorded->time.warm->medianNs);
    QCOMPARE(errorText(error).front(), change.front());
    const QString tip = tipAt(window, cellOf(window, QStringLiteral("8"), QStringLiteral("32")));
    QVERIFY2(tip.contains(QStringLiteral("difference, measured over predicted: ") + errorText(error)), qPrintable(tip));
    QVERIFY(tipAt(window, cellOf(window, QStringLiteral("8"), QStringLiteral("32"))).contains(QStringLiteral("recorded")));
    QVERIFY(std::ranges::any_of(model.cells, [](const HeatCell& cell) { return cell.state == CellState::Absent; }));
    keepPicture(window, QStringLiteral("sweep-error"));
    // Another device has no recorded launch.
    window.experiment()->setDevice(QStringLiteral("a100-80"));
    settle(window);
    QVERIFY(std::ranges::none_of(window.sweepPanel()->heatMap()->model().cells,
        [](const HeatCell& cell) { return cell.state == CellState::Known; }));
}

void SweepLookTest::aThirdAxisIsSliced()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, { { "rows", "64,128" }, { "block_x", "8,16" }, { "block_y", "8,16" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    choose(panel->metricBox(), QStringLiteral("sectors"));
    QCOMPARE(panel->heatMap()->model().xTitle, QStringLiteral("Rows"));
    QVERIFY(panel->axisBox(2)); // block_y is held
    choose(panel->findChild<QComboBox*>(QStringLiteral("sweepX")), QStringLiteral("Block x"));
    QCoreApplication::processEvents();
    choose(panel->findChild<QComboBox*>(QStringLiteral("sweepY")), QStringLiteral("Block y"));
    QCoreApplication::processEvents();
    QCOMPARE(panel->heatMap()->model().xTitle, QStringLiteral("Block x"));
    QCOMPARE(panel->heatMap()->model().yTitle, QStringLiteral("Block y"));
    QVERIFY(panel->axisBox(0));
    const double small = at(window, QStringLiteral("8"), QStringLiteral("8")).value;
    choose(panel->axisBox(0), QStringLiteral("128"));
    QCOMPARE(at(window, QStringLiteral("8"), QStringLiteral("8")).value, 2 * small);
    const int cell = cellOf(window, QStringLiteral("16"), QStringLiteral("8"));
    QTest::mouseClick(panel->heatMap(), Qt::LeftButton, {}, middleOf(window, cell));
    QCOMPARE(window.experiment()->state().values.at("rows"), "128");
    QCOMPARE(window.experiment()->state().values.at("block_x"), "16");
    keepPicture(window, QStringLiteral("sweep-slices"));
}

void SweepLookTest::theBestIsToldOfTheSliceAndOfAll()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openThreeAxes(window);
    SweepPanel* panel = window.sweepPanel();
    QVERIFY2(panel->sentence().startsWith(QStringLiteral("Best: Rows 64, ")), qPrintable(panel->sentence()));
    choose(panel->axisBox(0), QStringLiteral("128")); // less is to be done for 64 rows: that is no better
    QVERIFY2(panel->sentence().startsWith(QStringLiteral("Best: Rows 128, ")), qPrintable(panel->sentence()));
    QVERIFY(!panel->sentence().contains(QStringLiteral("Rows 64")));
    const QString caption = panel->picture().captions.first();
    QVERIFY2(caption.contains(QStringLiteral("Rows 128")), qPrintable(caption));
    keepPicture(window, QStringLiteral("sweep-best"));
    QTest::mouseClick(panel->sideButton(SweepSide::Error), Qt::LeftButton);
    QVERIFY(panel->sentence().contains(QStringLiteral("None of these launches is measured yet.")));
    // A line reads out what is on it: the prediction, at the block's height that is held.
    QTest::mouseClick(panel->modeButton(SweepPanel::Mode::Line), Qt::LeftButton);
    QVERIFY2(panel->sentence().startsWith(QStringLiteral("Best of all: Rows 128, ")), qPrintable(panel->sentence()));
    QVERIFY(panel->sentence().count(QStringLiteral("Block y 8")) == 2);
    QVERIFY(panel->picture().captions.first().contains(QStringLiteral("Block y 8")));
}

void SweepLookTest::onlyLaunchesOfTheSameProblemAreCompared()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, { { "rows", "64,128" }, { "block_x", "8,32" }, { "block_y", "8" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    const QString sentence = QStringLiteral("2 different problems (other buffers): only launches of the same one are compared.");
    QVERIFY2(panel->sentence().startsWith(sentence), qPrintable(panel->sentence()));
    const HeatMapModel& model = panel->heatMap()->model();
    QCOMPARE(model.best.size(), std::size_t(2)); // of 64 rows and of 128
    const auto rowsOf = [&](int cell) { return model.xTitle == QStringLiteral("Rows") ? cell % model.columns() : cell / model.columns(); };
    QVERIFY(rowsOf(model.best[0]) != rowsOf(model.best[1]));
    keepPicture(window, QStringLiteral("sweep-problems"));
    openSweep(window, { { "rows", "64,128" }, { "block_x", "8" }, { "block_y", "8" } });
    settle(window);
    QVERIFY(panel->heatMap()->model().best.empty()); // each is alone
}

void SweepLookTest::severalThatAreEqualAreAllTheBest()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, { { "rows", "64" }, { "block_x", "8,32" }, { "block_y", "8,16" } });
    settle(window);
    choose(window.sweepPanel()->metricBox(), QStringLiteral("sectors"));
    QCOMPARE(window.sweepPanel()->heatMap()->model().best.size(), std::size_t(2)); // a warp of 8 x 4 threads, in blocks of any height
    const QString sentence = window.sweepPanel()->sentence();
    QVERIFY2(sentence.startsWith(QStringLiteral("Best: ")), qPrintable(sentence));
    QVERIFY2(sentence.contains(QStringLiteral("One other is as good (within 0.1 %).")), qPrintable(sentence));
}

void SweepLookTest::whatIsHeldFollowsTheExperiment()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openThreeAxes(window);
    SweepPanel* panel = window.sweepPanel();
    QCOMPARE(panel->axisBox(0)->currentText(), QStringLiteral("64"));
    window.experiment()->setValue("rows", "128");
    QCOMPARE(panel->axisBox(0)->currentText(), QStringLiteral("128"));
    QVERIFY(panel->sentence().startsWith(QStringLiteral("Best: Rows 128, ")));
    choose(panel->axisBox(0), QStringLiteral("64"));
    window.experiment()->setValue("block_x", "16"); // a slice that was chosen stays
    QCOMPARE(panel->axisBox(0)->currentText(), QStringLiteral("64"));
    window.experiment()->undoStack()->undo();
    window.experiment()->undoStack()->undo();
    QCOMPARE(panel->axisBox(0)->currentText(), QStringLiteral("64"));
}

void SweepLookTest::aSingleValueIsHeldAndIsNoAxis()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    std::vector<std::pair<std::string, QString>> ranges = kBlocks;
    ranges.emplace_back("type", QStringLiteral("f64"));
    openSweep(window, ranges);
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    const HeatMapModel& model = panel->heatMap()->model();
    QCOMPARE(model.xTitle, QStringLiteral("Block x"));
    QCOMPARE(model.yTitle, QStringLiteral("Block y"));
    QCOMPARE(model.cells.size(), std::size_t(24));
    QCOMPARE(model.current, -1); // the experiment is f32
    for (const SweepEntry& entry : window.sweepRunner()->entries())
        QVERIFY(!entry.predicted || entry.predicted->launch.parameters.at("type") == "f64");
    QVERIFY(panel->picture().captions.first().contains(QStringLiteral("Element type f64")));
    const int cell = cellOf(window, QStringLiteral("16"), QStringLiteral("8"));
    QTest::mouseClick(panel->heatMap(), Qt::LeftButton, {}, middleOf(window, cell));
    QCOMPARE(window.experiment()->state().values.at("type"), "f64");
    openSweep(window, { { "block_x", "8" }, { "block_y", "16" } });
    QVERIFY(panel->problem().contains(QStringLiteral("several values")));
}

void SweepLookTest::oneAxisIsALineWhereNobodyHasChosenTheMap()
{
    MainWindow window(options(QStringLiteral("strided_copy"), kSmall));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    QCOMPARE(window.sweepRunner()->order()->request.axes.size(), std::size_t(1));
    QVERIFY(panel->plot()->isVisible() && panel->modeButton(SweepPanel::Mode::Line)->isChecked());
    QTest::mouseClick(panel->modeButton(SweepPanel::Mode::Map), Qt::LeftButton);
    QVERIFY(panel->heatMap()->isVisible());
}

void SweepLookTest::oneAxisIsOneRow()
{
    MainWindow window(options(QStringLiteral("offset_copy")));
    openAndSettle(window);
    openSweep(window, { { "block_x", "" }, { "offset", "0:8" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    QCOMPARE(panel->heatMap()->model().rows(), 1);
    QCOMPARE(panel->heatMap()->model().columns(), 9);
    keepPicture(window, QStringLiteral("sweep-row"));
    QTest::mouseClick(panel->modeButton(SweepPanel::Mode::Line), Qt::LeftButton);
    QVERIFY(panel->plot()->isVisible());
    QCOMPARE(panel->plot()->model().series.front().points.size(), std::size_t(9));
    keepPicture(window, QStringLiteral("sweep-line"));
    const XyPoint& point = panel->plot()->model().series.front().points[5];
    QTRY_VERIFY_WITH_TIMEOUT(panel->plot()->idAt(panel->plot()->pixelOf(point)) == point.id, kPatienceMs);
    QTest::mouseClick(panel->plot(), Qt::LeftButton, {}, panel->plot()->pixelOf(point).toPoint());
    QCOMPARE(window.experiment()->state().values.at("offset"), "5");
}

void SweepLookTest::theScatterHoldsWhatIsMeasured()
{
    MainWindow window(options(QStringLiteral("transpose_naive")));
    openAndSettle(window);
    openSweep(window, { { "block_x", "8,16,32" }, { "block_y", "8,16,32" } });
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    QTest::mouseClick(panel->modeButton(SweepPanel::Mode::Scatter), Qt::LeftButton);
    const auto measured = std::ranges::count_if(
        window.sweepRunner()->entries(), [](const SweepEntry& entry) { return entry.measured != nullptr; });
    QVERIFY(measured >= 3);
    QCOMPARE(panel->plot()->model().series.front().points.size(), std::size_t(measured));
    QVERIFY(panel->plot()->model().diagonal);
    QVERIFY(panel->sentence().contains(QStringLiteral("off the prediction by")));
    choose(panel->metricBox(), QStringLiteral("sectors"));
    QVERIFY2(panel->sentence().contains(QStringLiteral("every prediction is the measured number")), qPrintable(panel->sentence()));
    keepPicture(window, QStringLiteral("sweep-scatter"));
}

void SweepLookTest::warmAndColdAreToldApartOnASmallScreen()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window, { 1024, 700 });
    openSweep(window, kBlocks);
    QCOMPARE(window.size(), QSize(1024, 700)); // nothing needs more
    QComboBox* box = window.sweepPanel()->metricBox();
    QStyleOptionComboBox style;
    style.initFrom(box);
    const QRect words = box->style()->subControlRect(QStyle::CC_ComboBox, &style, QStyle::SC_ComboBoxEditField, box);
    for (const char* metric : { "time, L2 warm", "time, L2 cold" })
        QVERIFY2(box->fontMetrics().horizontalAdvance(QString::fromLatin1(metric)) <= words.width(), metric);
    settle(window);
}

void SweepLookTest::aFaultyLaunchIsNeverTheBest()
{
    MainWindow window(options(QStringLiteral("copy_transpose_batched")));
    openAndSettle(window);
    std::vector<std::pair<std::string, QString>> ranges { { "second_barrier", QStringLiteral("with,without") } };
    for (const auto& [name, text] : window.sweepPanel()->axes()->ranges()) {
        if (name != "second_barrier")
            ranges.emplace_back(name, QString());
    }
    openSweep(window, ranges);
    settle(window);
    const HeatMapModel& model = window.sweepPanel()->heatMap()->model();
    const int without = int(model.xLabels.indexOf(QStringLiteral("without")));
    QVERIFY(without >= 0);
    QVERIFY(model.cells[std::size_t(without)].faulty);
    QVERIFY(!model.cells[std::size_t(1 - without)].faulty);
    QCOMPARE(model.best, std::vector<int> { 1 - without });
    QVERIFY2(tipAt(window, without).contains(QStringLiteral("faulty: Race in shared memory")), qPrintable(tipAt(window, without)));
    QVERIFY(window.sweepPanel()->sentence().contains(QStringLiteral("One launch is faulty")));
    keepPicture(window, QStringLiteral("sweep-fault"));
    QTest::mouseClick(window.sweepPanel()->modeButton(SweepPanel::Mode::Line), Qt::LeftButton);
    QCOMPARE(int(std::ranges::count_if(window.sweepPanel()->plot()->model().series.front().points, &XyPoint::isWrong)), 1);
    keepPicture(window, QStringLiteral("sweep-line-fault"));
}

void SweepLookTest::oneLaunchThatIsFarSlowerLeavesTheOthersTheirColours()
{
    SweepOrder order { .spec = catalogueSpec("copy"), .request = { .axes = { { .name = "block_x", .values = {} } } } };
    std::vector<SweepEntry> entries;
    for (int i = 0; i < 12; ++i) {
        order.request.axes[0].values.push_back(std::to_string(i + 1));
        const auto result = std::make_shared<analysis::RunResult>();
        result->time.warmNs = i == 4 ? 900e3 : 100e3 + 1e3 * i;
        result->time.estimateError = 0.05;
        entries.push_back({ .predicted = result });
    }
    const SweepLook look { .y = -1, .slice = { 0 } };
    const HeatMapModel model = heatMapOf({ order, entries, {} }, look);
    QCOMPARE(model.leastValue, 100e3);
    QCOMPARE(model.mostValue, 111e3);
    QVERIFY2(model.most.startsWith(QStringLiteral("≥ ")), qPrintable(model.most));
    QCOMPARE(model.shareOf(900e3), 1.0);
    const QString sentence = sliceSentence({ order, entries, {} }, look);
    QVERIFY2(sentence.contains(QStringLiteral("4 more within the mean error (5.0 %)")), qPrintable(sentence));
}

void SweepLookTest::itFollowsLanguageAndTheme()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    openSweep(window, kBlocks);
    settle(window);
    window.switchTheme(QStringLiteral("dark"));
    window.switchLanguage(QStringLiteral("zh_CN"));
    settle(window);
    SweepPanel* panel = window.sweepPanel();
    QVERIFY2(panel->problem().isEmpty(), qPrintable(panel->problem()));
    keepPicture(window, QStringLiteral("sweep-dark-zh"));
    QTRY_VERIFY_WITH_TIMEOUT(panel->heatMap()->model().xTitle.contains(QStringLiteral("线程块")), kPatienceMs);
    QVERIFY(tipAt(window, cellOf(window, QStringLiteral("32"), QStringLiteral("64"))).contains(QStringLiteral("上限为 1024")));
    QVERIFY(!panel->sentence().contains(QStringLiteral("Best")));
    QVERIFY(!panel->predictButton()->text().contains(QStringLiteral("Predict")));
    keepPicture(window, QStringLiteral("sweep-dark-zh"));
    window.switchTheme(QStringLiteral("light"));
    window.switchLanguage(QStringLiteral("en"));
}

APP_TEST(SweepLookTest, QApplication)
#include "sweep_look_test.moc"
