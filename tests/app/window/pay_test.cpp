// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "app/core/session.h"
#include "app/views/bars/bars_view.h"
#include "app/widgets/comparison_view.h"
#include "app/widgets/pay_panel.h"
#include "app/widgets/try_view.h"

#include <QComboBox>
#include <QFileDialog>
#include <QToolButton>

#include <algorithm>

/// Does it pay?, in the real window.
class PayTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void aReasonIsASentence_data();
    void aReasonIsASentence();
    void partsThatOverlapAreASentence_data();
    void partsThatOverlapAreASentence();
    void noPartIsSaidToLeadBeforeItself();
    void thePartThatLedIsTheReason();
    void noPartIsCreditedWithAGainThatItIsTooShortFor();
    void anotherGpuIsSaidFirstAndNoCountIsItsReason();
    void theMeasurementDecidesTheVerdict();
    void aColdL2ThatDecidesOtherwiseIsTold();
    void thePublishedPaddingPays();
    void theBlockShapePaysForItsSectors();
    void aPinnedExperimentIsComparedWithWhatComesNext();
    void launchesOfOtherBuffersAreNotSaidToPay();
    void whatIsPinnedIsKeptWithTheSessionAndCanBeForgotten();
    void aPinnedLaunchThatIsGoneIsSaid();
    void anotherKernelIsComparedFromItsExperiment();
    void anAlternativeIsKeptByWhatItChanges();
    void figuresThatDifferReadDifferently();
    void variantBIsLoaded();
    void theReasonStandsBesideWhatToTry();
    void theTermsStandAboveTheDurationThatTheyMakeAndTheTimesByEvents();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void PayTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

namespace {

using analysis::PayCount;
using analysis::PayFinding;
using analysis::PayReason;
using analysis::PayVerdict;

PayFinding beside()
{
    return { .conflicts = { 1e6, 0 },
        .predictedNs = analysis::PayFigure { 40e3, 40e3 },
        .predicted = PayVerdict::NoDifference,
        .reason = PayReason::Beside,
        .count = PayCount::Wavefronts,
        .term = "shared",
        .termNs = { 8e3, 4e3 },
        .limiterBefore = "dram",
        .limiterAfter = "dram",
        .limiterNs = { 31e3, 31e3 } };
}

/// The reason with plain spaces before its units.
QString plainWhy(const PayFinding& finding)
{
    return whyText(finding).replace(QChar(0x202f), QLatin1Char(' '));
}

void openPay(MainWindow& window)
{
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    QVERIFY(window.payPanel()->isVisible());
}

void chooseKey(QComboBox* box, const QString& key)
{
    const int at = box->findData(key);
    QVERIFY(at >= 0);
    box->setCurrentIndex(at);
    emit box->activated(at);
}

void choosePart(QComboBox* box, const QString& part)
{
    for (int i = 0; i < box->count(); ++i) {
        if (!box->itemText(i).contains(part))
            continue;
        box->setCurrentIndex(i);
        emit box->activated(i);
        return;
    }
    QFAIL(qPrintable(part));
}

}

void PayTest::aReasonIsASentence_data()
{
    QTest::addColumn<int>("reason");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, PayReason reason, const char* sentence) {
        QTest::newRow(name) << int(reason) << QString::fromUtf8(sentence);
    };
    row("beside", PayReason::Beside,
        "The bank conflicts cost nothing here: DRAM is the limiter with 31.0 µs (shared wavefronts: 8.00 µs).");
    row("follows", PayReason::Follows, "The time follows the bank conflicts (shared wavefronts: 8.00 µs → 4.00 µs). "
        "The longest before and after: DRAM (31.0 µs → 31.0 µs).");
    row("other", PayReason::OtherTerm, "What moves the time is shared wavefronts: 8.00 µs → 4.00 µs. The longest before and after: DRAM (31.0 µs → 31.0 µs).");
    row("nothing", PayReason::Nothing, "Nothing that takes time is different.");
}

void PayTest::partsThatOverlapAreASentence_data()
{
    QTest::addColumn<int>("verdict");
    QTest::addColumn<QString>("limiterAfter");
    QTest::addColumn<double>("termAfter");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, PayVerdict verdict, const char* limiter, double after, const char* sentence) {
        QTest::newRow(name) << int(verdict) << QString::fromLatin1(limiter) << after << QString::fromUtf8(sentence);
    };
    row("the limiter stays, the time rises", PayVerdict::Costs, "dram", 9e3,
        "No part of the time gets that much longer: the parts overlap less. The most is from shared wavefronts (8.00 µs → 9.00 µs). "
        "The longest before and after: DRAM (31.0 µs → 29.0 µs).");
    row("the limiter stays, the time falls", PayVerdict::Pays, "dram", 4e3,
        "No part of the time gets that much shorter: the parts overlap more. The most is from shared wavefronts (8.00 µs → 4.00 µs). "
        "The longest before and after: DRAM (31.0 µs → 29.0 µs).");
    row("the limiter changes", PayVerdict::Costs, "latency", 9e3,
        "No part of the time gets that much longer: the parts overlap less. The most is from shared wavefronts (8.00 µs → 9.00 µs). "
        "The longest was DRAM with 31.0 µs, then latency with 29.0 µs.");
    row("a part falls, the time stays", PayVerdict::NoDifference, "dram", 4e3,
        "One part gets shorter (shared wavefronts: 8.00 µs → 4.00 µs), the whole does not: the parts overlap less.");
    row("a part rises, the time stays", PayVerdict::NoDifference, "dram", 12e3,
        "One part gets longer (shared wavefronts: 8.00 µs → 12.0 µs), the whole does not: the parts overlap more.");
}

void PayTest::partsThatOverlapAreASentence()
{
    QFETCH(int, verdict);
    QFETCH(QString, limiterAfter);
    QFETCH(double, termAfter);
    QFETCH(QString, sentence);
    PayFinding finding = beside();
    finding.reason = PayReason::Overlap;
    finding.predicted = PayVerdict(verdict);
    finding.limiterAfter = limiterAfter.toStdString();
    finding.limiterNs.after = 29e3;
    finding.termNs.after = termAfter;
    QCOMPARE(plainWhy(finding), sentence);
}

void PayTest::aReasonIsASentence()
{
    QFETCH(int, reason);
    QFETCH(QString, sentence);
    PayFinding finding = beside();
    finding.reason = PayReason(reason);
    QCOMPARE(plainWhy(finding), sentence);
}

void PayTest::noPartIsSaidToLeadBeforeItself()
{
    StartOptions start = options(QStringLiteral("transpose_shared"), { { "tile", "16" }, { "pad", "1" } });
    start.device = QStringLiteral("t4");
    MainWindow window(start);
    openAndSettle(window);
    openPay(window);
    choosePart(window.payPanel()->boxB(), QStringLiteral("Tile 32"));
    QCOMPARE(window.payPanel()->text().verdict, QStringLiteral("It costs time"));
    const QString why = window.payPanel()->text().why;
    QVERIFY2(why.contains(QStringLiteral("the parts overlap less. The longest before and after: DRAM")), qPrintable(why));
    keepPicture(window, QStringLiteral("pay-overlap"));
}

void PayTest::thePartThatLedIsTheReason()
{
    MainWindow window(options(QStringLiteral("copy"), { { "block_x", "7" }, { "block_y", "8" } }));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
    window.experiment()->setValue("block_x", "8");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.payPanel()->text().verdict, QStringLiteral("It pays"));
    const QString why = window.payPanel()->text().why; // the L2's part falls farther, beside it
    QVERIFY2(why.startsWith(QStringLiteral("What moves the time is starting blocks: 182")), qPrintable(why));
}

void PayTest::noPartIsCreditedWithAGainThatItIsTooShortFor()
{
    StartOptions start = options(QStringLiteral("transpose_shared"), { { "pad", "0" } });
    start.device = QStringLiteral("rtx4090");
    MainWindow window(start);
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
    window.experiment()->setValue("tile", "16");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(window.payPanel()->text().verdict, QStringLiteral("It pays"));
    const QString why = window.payPanel()->text().why; // 41 of 111 us are the conflicts'
    QVERIFY2(why.startsWith(QStringLiteral("No part of the time gets that much shorter: the parts overlap more. The most is from shared wavefronts")),
        qPrintable(why));
    QVERIFY2(why.contains(QStringLiteral("The longest before and after: DRAM")), qPrintable(why));
}

void PayTest::anotherGpuIsSaidFirstAndNoCountIsItsReason()
{
    StartOptions start = options(QStringLiteral("transpose_shared"));
    start.device = QStringLiteral("rtx4090");
    MainWindow window(start);
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
    window.experiment()->chooseKernel(catalogueSpec("copy"));
    window.experiment()->setDevice(QStringLiteral("h200"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    PayPanel* panel = window.payPanel();
    QVERIFY2(panel->boxA()->currentText().contains(QStringLiteral("RTX 4090")), qPrintable(panel->boxA()->currentText()));
    const QString said = panel->findChild<QLabel*>(QStringLiteral("verdict"))->text();
    QVERIFY2(said.startsWith(QStringLiteral("A is transpose_shared on RTX 4090, B is copy on H200. ")), qPrintable(said));
    QVERIFY2(!panel->text().why.contains(QStringLiteral("follows")), qPrintable(panel->text().why));
    QVERIFY2(panel->text().why.startsWith(QStringLiteral("What moves the time is DRAM")), qPrintable(panel->text().why));
    keepPicture(window, QStringLiteral("pay-gpus"));
    // What is loaded is of its GPU as well.
    chooseKey(panel->boxB(), QStringLiteral("pin:0"));
    QTest::mouseClick(panel->loadButton(), Qt::LeftButton);
    QCOMPARE(window.experiment()->state().device, QStringLiteral("rtx4090"));
    QCOMPARE(window.experiment()->state().spec->id, "transpose_shared");
}

void PayTest::theMeasurementDecidesTheVerdict()
{
    PayFinding finding = beside();
    QCOMPARE(textOf(finding).verdict, QStringLiteral("It makes no difference"));
    QVERIFY(textOf(finding).doubt.isEmpty());
    finding.measuredNs = analysis::PayFigure { 60e3, 40e3 };
    finding.measured = PayVerdict::Pays;
    QCOMPARE(textOf(finding).verdict, QStringLiteral("It pays"));
    QVERIFY(textOf(finding).doubt.contains(QStringLiteral("disagrees")));
}

void PayTest::aColdL2ThatDecidesOtherwiseIsTold()
{
    PayFinding finding = beside();
    finding.predicted = PayVerdict::Pays;
    finding.predictedNs = analysis::PayFigure { 40e3, 30e3 };
    finding.coldNs = analysis::PayFigure { 50e3, 40e3 };
    finding.cold = PayVerdict::Pays;
    QCOMPARE(textOf(finding).verdict, QStringLiteral("It pays"));
    QVERIFY(!textOf(finding).figures.first().contains(QStringLiteral("cold")));
    finding.coldNs->after = 60e3;
    finding.cold = PayVerdict::Costs;
    QCOMPARE(textOf(finding).verdict, QStringLiteral("It pays where the L2 is warm, and costs time where it is cold"));
    QVERIFY2(textOf(finding).figures.first().contains(QStringLiteral("L2 cold ")), qPrintable(textOf(finding).figures.first()));
}

void PayTest::thePublishedPaddingPays()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "pad", "0" } })); // 4096 x 4096, recorded
    openAndSettle(window);
    openPay(window);
    PayPanel* panel = window.payPanel();
    choosePart(panel->boxB(), QStringLiteral("Padding 1"));
    const PayText& text = panel->text();
    QCOMPARE(text.verdict, QStringLiteral("It pays"));
    QVERIFY2(text.figures.first().contains(QStringLiteral("measured")), qPrintable(text.figures.first()));
    QVERIFY(text.figures.join(QLatin1Char(' ')).contains(QStringLiteral("bank conflicts")));
    QVERIFY2(text.why.contains(QStringLiteral("bank conflicts")), qPrintable(text.why));
    QVERIFY(!panel->terms()->model().rows.empty());
    const auto& rows = panel->table()->table().rows;
    const auto conflicts = std::ranges::find(rows, QStringLiteral("load conflicts"), &TableRow::label);
    QVERIFY(conflicts != rows.end());
    QCOMPARE(conflicts->measured, QStringLiteral("0"));
    keepPicture(window, QStringLiteral("pay"));
}

void PayTest::theBlockShapePaysForItsSectors()
{
    MainWindow window(options(QStringLiteral("transpose_naive"))); // 32 x 8
    openAndSettle(window);
    openPay(window);
    choosePart(window.payPanel()->boxB(), QStringLiteral("Block x 8, Block y 32"));
    QCOMPARE(window.payPanel()->text().verdict, QStringLiteral("It pays"));
    QVERIFY2(window.payPanel()->text().why.contains(QStringLiteral("sectors")), qPrintable(window.payPanel()->text().why));
    keepPicture(window, QStringLiteral("pay-blocks"));
}

void PayTest::aPinnedExperimentIsComparedWithWhatComesNext()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "1024" }, { "cols", "1024" }, { "pad", "0" } }));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
    PayPanel* panel = window.payPanel();
    QVERIFY(panel->isVisible());
    window.experiment()->setValue("pad", "3");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY2(panel->boxA()->currentText().contains(QStringLiteral("Padding 0")), qPrintable(panel->boxA()->currentText()));
    QCOMPARE(panel->boxB()->currentText(), QStringLiteral("this experiment"));
    const auto& rows = panel->table()->table().rows;
    const auto wavefronts = std::ranges::find(rows, QStringLiteral("load wavefronts"), &TableRow::label);
    QVERIFY(wavefronts != rows.end());
    QCOMPARE(wavefronts->predicted, formatValue(1024.0 * 1024)); // 32 a load: every column in one bank
    QCOMPARE(wavefronts->measured, formatValue(predictedValue(window, Metric::SharedLoadWavefronts)));
    window.experiment()->chooseKernel(catalogueSpec("copy"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(panel->boxA()->currentText().contains(QStringLiteral("transpose_shared")));
    QVERIFY(!panel->text().verdict.isEmpty());
}

void PayTest::launchesOfOtherBuffersAreNotSaidToPay()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "1024" }, { "cols", "1024" } }));
    openAndSettle(window);
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
    window.experiment()->setValue("rows", "256");
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    PayPanel* panel = window.payPanel();
    QVERIFY2(panel->text().verdict.contains(QStringLiteral("different problems")), qPrintable(panel->text().verdict));
    QVERIFY(!panel->text().figures.isEmpty());
    QVERIFY(panel->text().why.isEmpty());
}

void PayTest::whatIsPinnedIsKeptWithTheSessionAndCanBeForgotten()
{
    const QString path = m_folder->filePath(QStringLiteral("pins.json"));
    {
        MainWindow window(options(QStringLiteral("transpose_shared"), kSmall));
        openAndSettle(window);
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
        window.experiment()->setValue("pad", "3");
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
        window.experiment()->chooseKernel(catalogueSpec("transpose_naive"), kSmall);
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
        chooseKey(window.payPanel()->boxA(), QStringLiteral("pin:1"));
        chooseKey(window.payPanel()->boxB(), QStringLiteral("pin:0"));
        saveSessionAs(window, path);
    }
    MainWindow window(options(path));
    openAndSettle(window);
    openPay(window);
    PayPanel* panel = window.payPanel();
    QCOMPARE(panel->pinned().size(), std::size_t(2));
    QCOMPARE(panel->pinned().front().state.values.at("pad"), "3"); // the newest first
    QVERIFY(panel->pinned().front().input.predicted);
    QCOMPARE(panel->boxA()->currentData().toString(), QStringLiteral("pin:1")); // the two that were compared
    QVERIFY2(panel->boxB()->currentText().contains(QStringLiteral("Padding 3")), qPrintable(panel->boxB()->currentText()));
    choosePart(panel->boxA(), QStringLiteral("Padding 3"));
    QTest::mouseClick(panel->unpinButton(panel->boxA()), Qt::LeftButton);
    QCOMPARE(panel->pinned().size(), std::size_t(1));
    QCOMPARE(panel->boxA()->currentText(), QStringLiteral("this experiment"));
    // What is saved once more goes where it came from.
    window.findChild<QAction*>(QStringLiteral("saveSession"))->trigger();
    QVERIFY(!window.findChild<QFileDialog*>());
    QTRY_VERIFY_WITH_TIMEOUT(openFile(path)->session.pinned->size() == 1, kPatienceMs);
}

void PayTest::aPinnedLaunchThatIsGoneIsSaid()
{
    const QString path = m_folder->filePath(QStringLiteral("gone.json"));
    Session session { .kernel = QStringLiteral("copy"), .values = kSmall, .device = QStringLiteral("h200") };
    session.pinned.emplace({ Session { .file = QStringLiteral("/no/such/folder/mine.cu") }, session });
    QVERIFY(saveSession(session, path));
    MainWindow window(options(path));
    openAndSettle(window);
    QTRY_COMPARE_WITH_TIMEOUT(window.payPanel()->pinned().size(), std::size_t(1), kPatienceMs);
    QVERIFY2(window.unusedText().contains(QStringLiteral("pinned launch of mine.cu")), qPrintable(window.unusedText()));
}

void PayTest::anotherKernelIsComparedFromItsExperiment()
{
    MainWindow window(options(QStringLiteral("transpose_shared_flat"), kSmall));
    openAndSettle(window);
    openPay(window);
    PayPanel* panel = window.payPanel();
    choosePart(panel->boxA(), QStringLiteral("Block x"));
    QVERIFY(panel->boxA()->currentText().startsWith(QStringLiteral("instead: ")));
    window.experiment()->chooseKernel(catalogueSpec("transpose_naive"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(panel->boxA()->currentText(), QStringLiteral("this experiment"));
    QVERIFY(panel->boxB()->currentText().startsWith(QStringLiteral("instead: ")));
}

void PayTest::anAlternativeIsKeptByWhatItChanges()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "rows", "256" }, { "cols", "256" }, { "pad", "0" } }));
    openAndSettle(window);
    openPay(window);
    PayPanel* panel = window.payPanel();
    choosePart(panel->boxB(), QStringLiteral("Tile 16"));
    window.experiment()->setValue("pad", "1"); // another list of alternatives
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QCOMPARE(panel->boxB()->currentText(), QStringLiteral("instead: Tile 16"));
}

void PayTest::figuresThatDifferReadDifferently()
{
    QCOMPARE(formatShortPair(135168, 139264), std::pair(QStringLiteral("135,168"), QStringLiteral("139,264")));
    QCOMPARE(formatShortPair(135168, 135168).first, formatShort(135168));
    QCOMPARE(formatShortPair(4.2e6, 2.1e6).first, formatShort(4.2e6));
    PayFinding finding = beside();
    finding.sectors = { 135168, 139264 };
    QVERIFY(textOf(finding).figures.contains(QStringLiteral("135,168 → 139,264 sectors")));
}

void PayTest::variantBIsLoaded()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), kConflict));
    openAndSettle(window);
    openPay(window);
    const auto& alternatives = window.predictor()->alternatives();
    const auto warm = [](const Alternative& one) { return isFaulty(one.predicted->prediction.result) || one.spec ? 1e18 : *one.predicted->prediction.result.time.warmNs; };
    const auto best = std::ranges::min_element(alternatives, {}, warm);
    QTest::mouseClick(window.payPanel()->loadButton(), Qt::LeftButton); // what takes least time stands there first
    QCOMPARE(window.experiment()->state().values, best->predicted->state.values);
    window.experiment()->undoStack()->undo();
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    choosePart(window.payPanel()->boxB(), QStringLiteral("Padding 1"));
    const int steps = window.experiment()->undoStack()->index();
    QTest::mouseClick(window.payPanel()->loadButton(), Qt::LeftButton);
    QCOMPARE(window.experiment()->state().values.at("pad"), "1");
    QCOMPARE(window.experiment()->undoStack()->index(), steps + 1);
}

void PayTest::theReasonStandsBesideWhatToTry()
{
    MainWindow window(options(QStringLiteral("transpose_shared"), { { "pad", "0" } }));
    openAndSettle(window);
    const auto items = itemsToTry(window.predictor()->alternatives(), *window.predictor()->current());
    const auto pad = std::ranges::find_if(items, [](const TryItem& item) { return item.change.contains("pad"); });
    QVERIFY(pad != items.end());
    QVERIFY2(pad->gain.contains(QStringLiteral("The time follows the bank conflicts")), qPrintable(pad->gain));
    // The time is the one that the map and the verdict rank by.
    const auto& after = std::ranges::find(window.predictor()->alternatives(), pad->change, &Alternative::change)->predicted;
    const auto warm = [](const Predicted& predicted) { return *predicted.prediction.result.time.warmNs; };
    QCOMPARE(pad->timeRatio, warm(*after) / warm(*window.predictor()->current()));
    QVERIFY2(pad->gain.contains(formatTime(warm(*after)) + QStringLiteral(" predicted, L2 warm")), qPrintable(pad->gain));
}

void PayTest::theTermsStandAboveTheDurationThatTheyMakeAndTheTimesByEvents()
{
    MainWindow window(options(QStringLiteral("transpose_shared"))); // recorded
    openAndSettle(window);
    const TermsModel& terms = window.comparisonPanel()->termsView()->model();
    QCOMPARE(terms.totals.size(), std::size_t(4));
    const ComparisonInput input { window.predictor()->current()
            ? std::shared_ptr<const analysis::RunResult>(window.predictor()->current(), &window.predictor()->current()->prediction.result)
            : nullptr };
    const analysis::RunResult* recorded = window.predictor()->recorded().exact;
    QVERIFY(recorded);
    QCOMPARE(terms.totals[0].predicted, *input.predicted->time.estimateNs / 1e3); // what the terms are parts of
    QCOMPARE(terms.totals[0].measured, *recorded->metrics.get(Metric::Duration) / 1e3);
    QCOMPARE(terms.totals[1].predicted, *input.predicted->emptied.get(Metric::Duration) / 1e3);
    QVERIFY(!terms.totals[1].measured);
    QCOMPARE(terms.totals[2].predicted, *input.predicted->time.warmNs / 1e3);
    QCOMPARE(terms.totals[2].measured, recorded->time.warm->medianNs / 1e3);
    QCOMPARE(terms.totals[3].measured, recorded->time.cold->medianNs / 1e3);
    QVERIFY(terms.totalsTip.contains(QStringLiteral("gpu__time_duration")) && terms.totalsTip.contains(QStringLiteral("adds about 2 µs")));
    window.experiment()->setValue("rows", "1000"); // not recorded
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kPatienceMs);
    QVERIFY(!window.comparisonPanel()->termsView()->model().totals[0].measured);
}

APP_TEST(PayTest, QApplication)
#include "pay_test.moc"
