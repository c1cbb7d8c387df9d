// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sectors/sectors_view.h"
#include "app/widgets/theme.h"
#include "tests/app/app_test.h"
#include "tests/app/patience.h"
#include "tests/app/views/patterns.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace coalescope::app;
using coalescope::analysis::WarpAccess;

namespace {

QImage painted(
    const SectorModel& model, const SectorLayout& layout, const QPalette& palette, QSize size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(themeColor(palette, ColorRole::Panel));
    QPainter painter(&image);
    SectorView::render(painter, model, layout, palette);
    return image;
}

} // namespace

class SectorsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English));
        applyTheme(*qApp, ThemeKind::Light);
    }

    void everyByteIsFoundWhereItIsDrawn()
    {
        for (const int lines : { 1, 2, 5, 32 }) {
            for (const QSizeF size : { QSizeF(700, 150), QSizeF(300, 90), QSizeF(1600, 500) }) {
                const SectorLayout layout = layoutSectors(lines, size, {});
                for (int line = 0; line < lines; ++line)
                    for (int byte = 0; byte < 128; ++byte)
                        QCOMPARE(layout.byteAt(layout.byteRect(line, byte).center()),
                            (LineByte { line, byte }));
                QVERIFY(layout.lineRect(lines - 1).bottom() <= layout.contentHeight);
                QVERIFY(layout.lineRect(layout.columns - 1).right() <= size.width() + 0.01);
                QCOMPARE(layout.byteAt({ -5, 50 }), LineByte {});
                QCOMPARE(layout.byteAt({ 5, layout.contentHeight + 50 }), LineByte {});
            }
        }
    }

    void everyWordOfLocalMemoryIsALineThatTheLanesShare()
    {
        coalescope::analysis::WarpAccess local = globalLoad(8, [](auto) { return 24; });
        local.space = coalescope::analysis::Space::Local;
        const SectorModel model = SectorModel::of(local);
        QCOMPARE(model.lines.size(), std::size_t(2));
        QCOMPARE(sectorFigures(model).cost, QStringLiteral("2 requests · 8 sectors · 2 tags"));
        QVERIFY(byteTip(model, { 0, 4 * 5 }).contains(QStringLiteral("lane 5")));
        QVERIFY(byteTip(model, { 1, 4 * 31 + 3 }).contains(QStringLiteral("lane 31")));
    }

    void thirtyTwoLinesFitTheCentreColumn()
    {
        QVERIFY(layoutSectors(32, { 690, 165 }, {}).contentHeight <= 165);
    }

    void eachByteWearsItsLanesColor()
    {
        for (const auto kind : { ThemeKind::Light, ThemeKind::Dark }) {
            const QPalette palette = themePalette(kind);
            const SectorModel model
                = SectorModel::of(globalLoad(4, [](auto lane) { return 4 * lane; }));
            const SectorLayout layout = layoutSectors(1, { 700, 120 }, {});
            const QImage image = painted(model, layout, palette, { 700, 120 });
            for (int lane = 0; lane < 32; ++lane)
                QCOMPARE(image.pixelColor(layout.byteRect(0, 4 * lane + 1).center().toPoint()),
                    laneColor(lane));
        }
    }

    void wastedBytesAreQuietAndUntouchedSectorsEmpty()
    {
        const QPalette palette = themePalette(ThemeKind::Light);
        const SectorModel model = SectorModel::of(globalLoad(
            4, [](auto) { return 0; }, 1));
        const SectorLayout layout = layoutSectors(1, { 700, 120 }, {});
        const QImage image = painted(model, layout, palette, { 700, 120 });
        const QRect wasted = layout.byteRect(0, 10).united(layout.byteRect(0, 30)).toAlignedRect();
        for (int x = wasted.left(); x < wasted.right(); ++x) {
            const QColor color = image.pixelColor(x, wasted.center().y());
            QVERIFY(color == themeColor(palette, ColorRole::Quiet) || color.hslSaturation() < 60);
            QVERIFY(color != themeColor(palette, ColorRole::Panel));
        }
        QCOMPARE(image.pixelColor(layout.sectorRect(0, 2).center().toPoint()),
            themeColor(palette, ColorRole::Panel));
    }

    void figuresReadLikeTheHardwares()
    {
        const auto figures
            = [](const WarpAccess& access) { return sectorFigures(SectorModel::of(access)); };
        const SectorFigures best = figures(globalLoad(4, [](auto lane) { return 4 * lane; }));
        QCOMPARE(best.cost, QStringLiteral("1 request · 4 sectors · 1 tag"));
        QCOMPARE(best.ideal, QStringLiteral("ideal 4"));
        QCOMPARE(best.used, QStringLiteral("used 128 of 128 B · 100 %"));
        const SectorFigures worst = figures(globalLoad(4, [](auto lane) { return 4096 * lane; }));
        QCOMPARE(worst.cost, QStringLiteral("1 request · 32 sectors · 32 tags"));
        QCOMPARE(worst.used, QStringLiteral("used 128 of 1,024 B · 12.5 %"));
        coalescope::analysis::WarpAccess same = globalLoad(4, [](auto) { return 64; });
        same.op = coalescope::analysis::MemoryOp::Reduction;
        QCOMPARE(figures(same).cost, QStringLiteral("1 request · 1 sector, counted as 32 · 1 tag"));
        same.isOneLanes = true;
        QCOMPARE(figures(same).cost, QStringLiteral("1 request · 1 sector · 1 tag"));
    }

    void figuresThatDoNotFitAreDroppedNotCut()
    {
        const SectorModel model = SectorModel::of(globalLoad(4, [](auto lane) { return 8 * lane; }));
        const SectorFigures all = sectorFigures(model);
        const QFont font = QGuiApplication::font();
        QFont bold = font;
        bold.setBold(true);
        qsizetype before = 1000;
        for (int width = 900; width > 60; width -= 20) {
            const SectorFigures fitting = fittingFigures(model, width, font);
            const qsizetype length = (fitting.cost + fitting.ideal + fitting.used).size();
            QVERIFY(length <= before);
            before = length;
            QVERIFY(fitting.cost == all.cost || fitting.cost == QStringLiteral("8 sectors"));
            QVERIFY(fitting.used == all.used || fitting.used == QStringLiteral("50 % used")
                || fitting.used == QStringLiteral("50 %") || fitting.used.isEmpty());
            if (width > 100)
                QVERIFY(QFontMetricsF(bold).horizontalAdvance(fitting.cost)
                        + QFontMetricsF(font).horizontalAdvance(fitting.ideal + fitting.used)
                    <= width);
        }
        QVERIFY(before < 20);
    }

    void pointingAtAByteNamesItsLane()
    {
        SectorView view;
        view.resize(700, 150);
        view.setAccess(globalLoad(4, [](auto lane) { return 8 * lane; }));
        view.show();
        QSignalSpy hovered(&view, &SectorView::laneHovered);
        QTest::mouseMove(
            view.viewport(), view.layoutOfLines().byteRect(0, 8 * 7 + 2).center().toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(hovered.size(), 1, kPatienceMs);
        QCOMPARE(hovered[0][0].toInt(), 7);
        QTest::mouseMove(
            view.viewport(), view.layoutOfLines().byteRect(0, 8 * 7 + 6).center().toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(hovered.size(), 2, kPatienceMs);
        QCOMPARE(hovered[1][0].toInt(), -1);
    }

    void theTipTellsUsedFromWasted()
    {
        const SectorModel model
            = SectorModel::of(globalLoad(4, [](auto lane) { return lane / 2 * 8; }));
        QVERIFY(byteTip(model, { 0, 9 }).contains(QStringLiteral("lanes 2, 3")));
        QVERIFY(byteTip(model, { 0, 9 }).contains(QStringLiteral("0x7f0000007008")));
        QVERIFY(byteTip(model, { 0, 13 }).contains(QStringLiteral("asked for by no lane")));
    }

    void scrolledLinesAreHitWhereTheyAre()
    {
        SectorView view;
        view.resize(260, 100);
        view.setAccess(globalLoad(4, [](auto lane) { return 4096 * lane; }));
        view.show();
        QTRY_VERIFY_WITH_TIMEOUT(view.verticalScrollBar()->isVisible(), kPatienceMs); // it narrows the lines
        QVERIFY(view.verticalScrollBar()->maximum() > 0);
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
        QSignalSpy hovered(&view, &SectorView::laneHovered);
        const QPointF at = view.layoutOfLines().byteRect(31, 1).center()
            - QPointF(0, view.verticalScrollBar()->value());
        QVERIFY(view.viewport()->rect().contains(at.toPoint()));
        QTest::mouseMove(view.viewport(), at.toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(hovered.size(), 1, kPatienceMs);
        QCOMPARE(hovered[0][0].toInt(), 31);
    }

    void keysStepLanes()
    {
        SectorView view;
        view.setAccess(globalLoad(
            4, [](auto lane) { return 4 * lane; }, 0b1010));
        QSignalSpy hovered(&view, &SectorView::laneHovered);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(hovered.size(), 3);
        QCOMPARE(hovered[0][0].toInt(), 1);
        QCOMPARE(hovered[1][0].toInt(), 3);
        QCOMPARE(hovered[2][0].toInt(), -1);
    }

    void whatCannotBeJudgedSaysSo()
    {
        SectorView view;
        view.resize(700, 150);
        view.setAccess(sharedLoad(4, [](auto lane) { return 4 * lane; }));
        QVERIFY(!view.model().report);
        QVERIFY(!view.model().problem.isEmpty());
        QVERIFY(!view.grab().isNull());
    }
};

APP_TEST(SectorsTest, QApplication)
#include "sectors_test.moc"
