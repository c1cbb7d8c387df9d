// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/draw/draw.h"
#include "tests/app/app_test.h"

#include <QLocale>
#include <QTest>

using namespace coalescope::app;

class DrawTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English)); }

    void runsOfLanesAreJoined()
    {
        QCOMPARE(formatLanes(0), QString());
        QCOMPARE(formatLanes(1u << 31), QStringLiteral("31"));
        QCOMPARE(formatLanes(0b11), QStringLiteral("0, 1"));
        QCOMPARE(formatLanes(0xffffffffu), QStringLiteral("0-31"));
        QCOMPARE(formatLanes(0b1011'0111), QStringLiteral("0-2, 4, 5, 7"));
    }

    void percentHasADecimalOnlyWhereItSaysSomething()
    {
        QCOMPARE(formatPercent(1), QStringLiteral("100 %"));
        QCOMPARE(formatPercent(0.125), QStringLiteral("12.5 %"));
        QCOMPARE(formatPercent(0.5), QStringLiteral("50 %"));
        QCOMPARE(formatPercent(0.80004), QStringLiteral("80 %"));
    }

    void countsAreGrouped() { QCOMPARE(formatCount(4096), QStringLiteral("4,096")); }

    void nextLaneSkipsInactiveOnes()
    {
        const coalescope::analysis::LaneMask active = 1u << 3 | 1u << 9;
        QCOMPARE(nextLane(active, -1, 1), 3);
        QCOMPARE(nextLane(active, 3, 1), 9);
        QCOMPARE(nextLane(active, 9, 1), 9);
        QCOMPARE(nextLane(active, -1, -1), 9);
        QCOMPARE(nextLane(0, -1, 1), -1);
    }
};

APP_TEST(DrawTest, QApplication)
#include "draw_test.moc"
