// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/window_fixture.h"

#include "analysis/device/device_model.h"
#include "app/core/comparison_table.h"
#include "app/core/language.h"

#include <QComboBox>

#include <algorithm>

class DevicesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void theChooserTellsMeasuredFromUnmeasured();
    void thePictureOfAnUnmeasuredGpuSaysSo();
    void anUnknownDeviceNamesThem();

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
            const QString name = QString::fromUtf8(known[std::size_t(i)]->fullName.data());
            QVERIFY(box->itemText(i).startsWith(name));
            QCOMPARE(box->itemText(i) == name, known[std::size_t(i)]->verified);
        }
    }
    const int added = box->findData(QStringLiteral("quantum-z9"));
    QVERIFY(added > 0);
    QVERIFY(box->itemData(added, Qt::ToolTipRole).toString().contains(QLatin1String("calibrated here on 2026-11-20")));
    QVERIFY(box->itemText(box->findData(QStringLiteral("t4"))).endsWith(QLatin1String("(not measured)")));
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
    QVERIFY(window.picture().captions.join(QLatin1Char('\n')).contains(QLatin1String("t4 (rates not measured)")));
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

QTEST_MAIN(DevicesTest)
#include "devices_test.moc"
