// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/strip/strip_view.h"
#include "app/widgets/theme.h"
#include "tests/app/app_test.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace coalescope::app;

namespace {

StripModel transpose()
{
    return { .items = { { "ld.global", 14, StripKind::Global, false, 4, 4, "4 sectors" },
                 { "st.shared", 14, StripKind::Shared, true, 1, 1, "1 wavefront" },
                 { "bar.sync", 15, StripKind::Barrier },
                 { "ld.shared", 18, StripKind::Shared, false, 32, 1, "32 wavefronts" },
                 { "st.global", 18, StripKind::Global, true, 4, 4, "4 sectors" } } };
}

StripModel loop(int steps)
{
    StripModel model;
    for (int step = 0; step < steps; ++step)
        model.items.push_back(
            { "ld.shared.v4.f32", 20, StripKind::Shared, false, 8, 4, "8 wavefronts" });
    return model;
}

} // namespace

class StripTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, ThemeKind::Light); }

    void everyStepIsFoundWhereItIsDrawn()
    {
        for (const int count : { 1, 5, 40, 3000 }) {
            const StripLayout layout = layoutStrip(count, { 530, 170 }, 90, 0, {});
            for (int index = 0; index < count; ++index) {
                QCOMPARE(layout.itemAt(layout.itemRect(index).center()), index);
                QVERIFY(layout.itemRect(index).contains(layout.barRect(index, 1)));
                QVERIFY(layout.barRect(index, 0).height() > 0);
            }
            QCOMPARE(layout.itemAt({ layout.itemRect(count - 1).right() + 1, 50 }), -1);
            QCOMPARE(layout.itemAt({ -1, 50 }), -1);
        }
    }

    void labelsStayInsideTheStrip()
    {
        const TextMetrics text;
        const StripLayout layout = layoutStrip(5, { 530, 170 }, 90, 0, text);
        QVERIFY(layout.lineRect(0).bottom() <= 170);
        QVERIFY(layout.costRect(0, 1).top() >= 0);
        QVERIFY(layout.mnemonicRect(0).bottom() <= layout.lineRect(0).top());
        QVERIFY(layout.pitch >= 90);
    }

    void onlyTheVisibleStepsAreDrawn()
    {
        const StripLayout layout = layoutStrip(3000, { 530, 170 }, 90, 100000, {});
        const auto [first, last] = layout.visibleItems();
        QVERIFY(last - first <= 8);
        QVERIFY(layout.itemRect(first).right() > 100000);
        QVERIFY(layout.itemRect(first).left() <= 100000);
    }

    void barsHaveTheHeightOfTheirCost()
    {
        const StripLayout layout = layoutStrip(5, { 530, 170 }, 90, 0, {});
        QVERIFY(qAbs(layout.barRect(0, 0.5).height() * 2 - layout.barRect(0, 1).height()) <= 1);
        QCOMPARE(layout.barRect(3, 1).bottom(), layout.barRect(0, 0.1).bottom());
    }

    void moreThanTheIdealIsOrange()
    {
        InstructionStrip view;
        view.resize(600, 180);
        view.setModel(transpose());
        view.show();
        const QPalette palette = themePalette(ThemeKind::Light);
        QImage image(600, 180, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        InstructionStrip::render(painter, view.model(), view.layoutOfItems(), palette);
        painter.end();
        const auto colorOf = [&](int index, double share) {
            return image.pixelColor(view.layoutOfItems().barRect(index, share).center().toPoint());
        };
        QCOMPARE(colorOf(3, 1), themeColor(palette, ColorRole::Warn));
        QCOMPARE(colorOf(0, 4 / 32.), themeColor(palette, ColorRole::Accent));
        QCOMPARE(colorOf(1, 1 / 32.), themeColor(palette, ColorRole::Good));
    }

    void keysStepAndStopAtTheEnds()
    {
        InstructionStrip view;
        view.resize(600, 180);
        view.setModel(transpose());
        QSignalSpy chosen(&view, &InstructionStrip::stepChosen);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(chosen.size(), 0);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_End);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(chosen.size(), 3);
        QCOMPARE(chosen[0][0].toInt(), 1);
        QCOMPARE(chosen[1][0].toInt(), 4);
        QCOMPARE(chosen[2][0].toInt(), 0);
    }

    void aClickChoosesAStep()
    {
        InstructionStrip view;
        view.resize(600, 180);
        view.setModel(transpose());
        view.show();
        QSignalSpy chosen(&view, &InstructionStrip::stepChosen);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
            view.layoutOfItems().itemRect(3).center().toPoint());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 3);
    }

    void theCurrentStepIsKeptInView()
    {
        InstructionStrip view;
        view.resize(600, 180);
        view.show();
        view.setModel(loop(5000));
        QSignalSpy chosen(&view, &InstructionStrip::stepChosen);
        for (const int index : { 4999, 0, 2500, 2499, 2507 }) {
            view.setCurrent(index);
            QVERIFY(view.layoutOfItems().visible.contains(view.layoutOfItems().itemRect(index)));
        }
        QCOMPARE(chosen.size(), 0);
        const QPointF corner = view.layoutOfItems().visible.topLeft();
        const QRectF item = view.layoutOfItems().itemRect(2507).translated(-corner);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
            item.center().toPoint() - QPoint(int(item.width()), 0));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 2506);
    }

    void anEmptyStripTakesKeys()
    {
        InstructionStrip view;
        view.setModel({});
        QSignalSpy chosen(&view, &InstructionStrip::stepChosen);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(chosen.size(), 0);
        QVERIFY(!view.grab().isNull());
    }
};

APP_TEST(StripTest, QApplication)
#include "strip_test.moc"
