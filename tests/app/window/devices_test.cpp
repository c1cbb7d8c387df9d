// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/app_test.h"
#include "tests/app/window/window_fixture.h"

#include "analysis/device/device_model.h"
#include "app/core/comparison_table.h"
#include "app/core/language.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QWheelEvent>

#include <algorithm>

class DevicesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void theChooserTellsMeasuredFromUnmeasured();
    void thePictureOfAnUnmeasuredGpuSaysSo();
    void anUnknownDeviceNamesThem();
    void anotherGpusRecordingsAreNotDrawn();
    void aRunOnAnotherGpuSaysSo();
    void theWheelChangesNoBoxThatItPasses();
    void aGpuIsFoundByAnyPartOfItsName_data();
    void aGpuIsFoundByAnyPartOfItsName();
    void theNameOfTheGpuIsSeen();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void DevicesTest::initTestCase()
{
    // As calibrated rows are added when the program starts.
    analysis::DeviceModel measured = **analysis::deviceNamed("rtx4090");
    measured.name = "quantum-z9";
    measured.fullName = "NVIDIA Quantum Z9";
    measured.origin = "calibrated here on 2026-11-20, driver 580.1";
    measured.verified = true;
    analysis::addDevice(measured);
}

void DevicesTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
}

void DevicesTest::theChooserTellsMeasuredFromUnmeasured()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    const QComboBox* box = window.topBar()->deviceBox();
    const auto known = analysis::knownDevices();
    QCOMPARE(box->count(), int(known.size()));
    for (const QString& language : { QStringLiteral("en"), QStringLiteral("zh_CN"), QStringLiteral("en") }) {
        applyLanguage(language);
        QCoreApplication::processEvents();
        for (int i = 0; i < box->count(); ++i) {
            const QString whole = QString::fromUtf8(known[std::size_t(i)]->fullName.data());
            const QString name = QString(whole).remove(QStringLiteral("NVIDIA ")).remove(QStringLiteral("GeForce "));
            QVERIFY(box->itemData(i, Qt::ToolTipRole).toString().startsWith(whole));
            QVERIFY(box->itemText(i).startsWith(name));
            QCOMPARE(box->itemText(i) == name, known[std::size_t(i)]->verified);
        }
    }
    const int added = box->findData(QStringLiteral("quantum-z9"));
    QVERIFY(added > 0);
    QVERIFY(box->itemData(added, Qt::ToolTipRole).toString().contains(QLatin1String("calibrated here on 2026-11-20")));
    QVERIFY(box->itemText(box->findData(QStringLiteral("t4"))).endsWith(QLatin1String("(data sheet)")));
}

void DevicesTest::thePictureOfAnUnmeasuredGpuSaysSo()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    QVERIFY(!window.picture().captions.join(QLatin1Char('\n')).contains(QLatin1String("not measured)")));
    QComboBox* box = window.topBar()->deviceBox();
    box->setFocus();
    const int t4 = box->findData(QStringLiteral("t4"));
    while (box->currentIndex() < t4)
        QTest::keyClick(box, Qt::Key_Down);
    const auto device = [&] { return window.predictor()->current()->prediction.result.device; };
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(device()), QStringLiteral("t4"), kPatienceMs);
    QVERIFY(window.picture().captions.join(QLatin1Char('\n')).contains(QLatin1String("T4 (rates not measured)")));
    const auto& rows = window.picture().table.rows;
    QVERIFY(std::ranges::any_of(rows, [](const TableRow& row) {
        return row.tip.contains(QLatin1String("the rates of t4 are its data sheet's, not measured"));
    }));
}

void DevicesTest::anUnknownDeviceNamesThem()
{
    StartOptions start = options(QStringLiteral("transpose_naive"), kSmall);
    start.device = QStringLiteral("rtx4080");
    MainWindow window(start);
    openAndSettle(window);
    QVERIFY(window.openError().contains(QLatin1String("rtx4080")));
    QVERIFY(window.openError().contains(QLatin1String("rtx4090, ")));
}

void DevicesTest::anotherGpusRecordingsAreNotDrawn()
{
    StartOptions start = options(QStringLiteral("transpose_shared"), { { "pad", "1" } }); // 4096 x 4096, recorded on an H200
    start.device = QStringLiteral("t4");
    MainWindow window(start);
    openAndSettle(window);
    QVERIFY(window.predictor()->recorded().exact);
    QVERIFY(std::ranges::any_of(window.predictor()->alternatives(), &Alternative::recorded));
    const BarsModel bars = window.picture().bars;
    QVERIFY(bars.rows.size() > 1);
    QVERIFY(std::ranges::none_of(bars.rows, [](const BarRow& row) { return row.measured.has_value(); }));
    QVERIFY(window.picture().table.measuredHeading.isEmpty());
    // Panel, status bar and picture say the same.
    QVERIFY(window.findChild<QLabel*>(QStringLiteral("provenance"))->text().contains(QStringLiteral("recorded on NVIDIA H200")));
    QVERIFY(window.comparisonPanel()->nearText().contains(QStringLiteral("Compare on NVIDIA H200")));
    const QString caption = window.picture().captions.last();
    QCOMPARE(caption, QStringLiteral("not measured on T4: this launch is recorded on NVIDIA H200"));
    QTRY_VERIFY_WITH_TIMEOUT(!window.gpuText().contains(QStringLiteral("Looking")), kPatienceMs);
    if (window.gpuText().contains(QStringLiteral("No NVIDIA GPU here")))
        QVERIFY2(window.gpuText().contains(QStringLiteral("recorded on NVIDIA H200, not on the device chosen")),
            qPrintable(window.gpuText()));
    keepPicture(window, QStringLiteral("another-gpu"));
    window.experiment()->setDevice(QStringLiteral("h200"));
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && !window.picture().table.measuredHeading.isEmpty(), kPatienceMs);
    QVERIFY(window.picture().bars.rows.front().measured.has_value());
}

void DevicesTest::aRunOnAnotherGpuSaysSo()
{
    auto predicted = std::make_shared<analysis::RunResult>(), measured = std::make_shared<analysis::RunResult>();
    predicted->device = "t4";
    measured->device = "h200";
    measured->gpu = "NVIDIA H200";
    QCOMPARE(provenance({ predicted, measured, MeasurementOrigin::Run }),
        QStringLiteral("NVIDIA H200 · predicted for T4, another GPU"));
    measured->device = "t4";
    QCOMPARE(provenance({ predicted, measured, MeasurementOrigin::Run }), QStringLiteral("NVIDIA H200"));
}

void DevicesTest::theWheelChangesNoBoxThatItPasses()
{
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    const ExperimentState before = window.experiment()->state();
    const Selection selected = window.experiment()->selection();
    QWidget* focused = window.focusWidget();
    QList<QWidget*> boxes;
    for (QComboBox* box : window.findChildren<QComboBox*>())
        boxes << box;
    for (QAbstractSpinBox* box : window.findChildren<QAbstractSpinBox*>())
        boxes << box;
    QVERIFY(boxes.contains(window.topBar()->deviceBox()) && boxes.size() > 8);
    for (QWidget* box : boxes) {
        const QPointF at = QRectF(box->rect()).center();
        for (const int turn : { 120, -120 }) {
            QWheelEvent wheel(at, box->mapToGlobal(at), {}, { 0, turn }, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(box, &wheel);
            QVERIFY2(window.experiment()->state() == before && window.experiment()->selection() == selected, qPrintable(box->objectName()));
        }
        QVERIFY2(window.focusWidget() == focused, qPrintable(box->objectName()));
    }
}

void DevicesTest::aGpuIsFoundByAnyPartOfItsName_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("device");
    QTest::newRow("number") << QStringLiteral("4090") << QStringLiteral("rtx4090");
    QTest::newRow("with a blank") << QStringLiteral("RTX 4090") << QStringLiteral("rtx4090");
    QTest::newRow("as on the command line") << QStringLiteral("h100-pcie") << QStringLiteral("h100-pcie");
    QTest::newRow("the whole name") << QStringLiteral("geforce rtx 30") << QStringLiteral("rtx3060");
}

void DevicesTest::aGpuIsFoundByAnyPartOfItsName()
{
    QFETCH(QString, typed);
    QFETCH(QString, device);
    MainWindow window(options(QStringLiteral("transpose_naive"), kSmall));
    openAndSettle(window);
    QComboBox* box = window.topBar()->deviceBox();
    const int steps = window.experiment()->undoStack()->count();
    box->setFocus();
    QTest::keyClicks(box, typed);
    QCOMPARE(box->currentData().toString(), device);
    QTRY_COMPARE_WITH_TIMEOUT(window.experiment()->state().device, device, kPatienceMs);
    QCOMPARE(window.experiment()->undoStack()->count(), steps + 1); // whatever the first of its letters would mean
    QTest::qWait(1600); // another word
    window.experiment()->setDevice(QStringLiteral("l40s"));
    box->showPopup();
    QTRY_VERIFY_WITH_TIMEOUT(box->view()->isVisible(), kPatienceMs);
    QTest::keyClicks(box->view(), typed);
    QTest::keyClick(box->view(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(window.experiment()->state().device, device, kPatienceMs);
}

void DevicesTest::theNameOfTheGpuIsSeen()
{
    StartOptions start = options(QStringLiteral("transpose_naive"), kSmall);
    start.device = QStringLiteral("rtx4090");
    MainWindow window(start);
    openAndSettle(window, { 1600, 900 });
    const QComboBox* box = window.topBar()->deviceBox();
    QVERIFY2(box->fontMetrics().horizontalAdvance(box->currentText()) <= box->width() - 24, qPrintable(QString::number(box->width())));
    QVERIFY(box->toolTip().contains(QStringLiteral("NVIDIA GeForce RTX 4090")));
    keepPicture(window, QStringLiteral("gpu-name"));
}

APP_TEST(DevicesTest, QApplication)
#include "devices_test.moc"
