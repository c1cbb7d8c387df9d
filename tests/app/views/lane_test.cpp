// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/lane/lane_view.h"
#include "tests/app/app_test.h"
#include "tests/app/views/patterns.h"

#include <QLocale>
#include <QTest>

using namespace coalescope::app;

namespace {

QString valueOf(const LaneDetailModel& model, const QString& label)
{
    for (const LaneRow& row : model.rows)
        if (row.label == label)
            return row.value;
    return QStringLiteral("-");
}

} // namespace

class LaneTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English)); }

    void everyRowIsFoundWhereItIsDrawn()
    {
        const LaneLayout layout = layoutLane(8, { 3, 4, 220, 200 }, {});
        for (int row = 0; row < 8; ++row) {
            QCOMPARE(layout.rowAt(layout.labelRect(row).center()), row);
            QCOMPARE(layout.rowAt(layout.valueRect(row).center()), row);
        }
        QCOMPARE(layout.rowAt(layout.title.center()), -1);
        QCOMPARE(layout.rowAt({ 10, 1000 }), -1);
    }

    void aSharedLaneHasWordBankAndWavefront()
    {
        LaneDetailModel model { .access = sharedLoad(4, [](auto lane) { return 128 * lane; }),
            .lane = 7,
            .block = { 32, 8, 1 },
            .warp = 3 };
        model.update();
        QCOMPARE(valueOf(model, "thread"), QStringLiteral("(7, 3, 0)"));
        QCOMPARE(valueOf(model, "address"), QStringLiteral("0x380"));
        QCOMPARE(valueOf(model, "word"), QStringLiteral("224"));
        QCOMPARE(valueOf(model, "bank"), QStringLiteral("0"));
        QCOMPARE(valueOf(model, "wavefront"), QStringLiteral("7 of 0-31"));
    }

    void aGlobalLaneHasOffsetLineAndSector()
    {
        LaneDetailModel model { .access = globalLoad(16, [](auto lane) { return 16 * lane; }),
            .lane = 11,
            .block = { 32, 1, 1 },
            .baseAddress = 0x7f0000006000,
            .baseName = "in" };
        model.update();
        QCOMPARE(valueOf(model, "offset"), QStringLiteral("4,272"));
        QCOMPARE(valueOf(model, "line"), QStringLiteral("0x7f0000007080"));
        QCOMPARE(valueOf(model, "sector"), QStringLiteral("1 of 0-3"));
        model.baseName.clear();
        model.update();
        QCOMPARE(valueOf(model, "offset"), QStringLiteral("176"));
    }

    void aWideSharedLaneCoversItsBanks()
    {
        LaneDetailModel model { .access = sharedLoad(16, [](auto lane) { return 16 * lane; }),
            .lane = 9 };
        model.update();
        QCOMPARE(valueOf(model, "word"), QStringLiteral("36 … 39"));
        QCOMPARE(valueOf(model, "bank"), QStringLiteral("4 … 7"));
        QCOMPARE(valueOf(model, "wavefront"), QStringLiteral("1 of 0-3"));
    }

    void anInactiveLaneMovesNothing()
    {
        LaneDetailModel model { .access = sharedLoad(
                                    4, [](auto lane) { return 4 * lane; }, 1),
            .lane = 9 };
        model.update();
        QCOMPARE(valueOf(model, "address"), QStringLiteral("-"));
        QVERIFY(!model.rows.empty());
        LaneDetailView view;
        view.setModel(model);
        view.setLane(-1);
        QVERIFY(view.model().rows.empty());
        QVERIFY(!view.grab().isNull());
    }
};

APP_TEST(LaneTest, QApplication)
#include "lane_test.moc"
