// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/block/block_view.h"
#include "app/widgets/theme.h"
#include "tests/app/app_test.h"
#include "tests/app/patience.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

using namespace coalescope::app;
using coalescope::analysis::Dim3;

Q_DECLARE_METATYPE(Dim3)

class BlockTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, ThemeKind::Light); }

    void everyThreadIsFoundWhereItIsDrawn_data()
    {
        QTest::addColumn<Dim3>("block");
        for (const Dim3 block : { Dim3 { 1, 1, 1 }, { 2, 1, 1 }, { 33, 1, 1 }, { 100, 3, 1 },
                 { 1024, 1, 1 }, { 32, 32, 1 }, { 8, 32, 1 }, { 32, 8, 1 }, { 16, 16, 1 },
                 { 2, 512, 1 }, { 1, 1024, 1 }, { 4, 4, 64 }, { 1, 1, 64 }, { 8, 8, 16 },
                 { 7, 5, 3 }, { 256, 4, 1 }, { 64, 2, 8 }, { 3, 11, 31 } })
            QTest::newRow(
                qPrintable(QStringLiteral("%1x%2x%3").arg(block.x).arg(block.y).arg(block.z)))
                << block;
    }

    void everyThreadIsFoundWhereItIsDrawn()
    {
        QFETCH(Dim3, block);
        for (const QSizeF size : { QSizeF(150, 150), QSizeF(300, 180), QSizeF(110, 240) }) {
            const QRectF area(QPointF(7, 5), size);
            const BlockLayout layout = layoutBlock(block, area, {});
            for (std::uint32_t thread = 0; thread < block.count(); ++thread) {
                const QRectF rect = layout.threadRect(thread);
                QVERIFY(area.adjusted(-0.01, -0.01, 0.01, 0.01).contains(rect));
                QVERIFY2(rect.width() >= 1 && rect.height() >= 1,
                    qPrintable(QString::number(rect.width())));
                QCOMPARE(layout.threadAt(rect.center()), std::optional(thread));
                QVERIFY(!layout.caption.intersects(rect));
            }
            QVERIFY(area.adjusted(0, 0, 0, 0.01).contains(layout.caption));
        }
    }

    void rowsAreOnlyWrappedWhereTheyDoNotFit()
    {
        const QRectF area(0, 0, 150, 150);
        for (const Dim3 block :
            { Dim3 { 32, 32, 1 }, { 8, 32, 1 }, { 16, 16, 1 }, { 64, 16, 1 } }) {
            const BlockLayout layout = layoutBlock(block, area, {});
            QCOMPARE(layout.linesPerRow(), 1u);
            QCOMPARE(layout.tilesPerLayer(), 1u);
        }
        QCOMPARE(layoutBlock({ 1024, 1, 1 }, area, {}).wrapX, 32u);
    }

    void nothingIsHitOutsideTheThreads()
    {
        const BlockLayout layout = layoutBlock({ 7, 5, 3 }, { 10, 10, 150, 150 }, {});
        QVERIFY(!layout.threadAt({ 9, 9 }));
        QVERIFY(!layout.threadAt({ 159, 159 }));
        QVERIFY(!layout.threadAt({ -500, 20 }));
    }

    void aBlockThatNoDeviceTakesIsRefused()
    {
        for (const Dim3 block : { Dim3 { 4096, 4096, 1 }, Dim3 { 0, 1, 1 } }) {
            const BlockLayout layout = layoutBlock(block, { 0, 0, 150, 150 }, {});
            QVERIFY(layout.threadRect(0).isEmpty());
            QVERIFY(!layout.threadAt({ 1, 1 }));
        }
    }

    void theChosenWarpWearsTheLaneColors()
    {
        for (const auto kind : { ThemeKind::Light, ThemeKind::Dark }) {
            const QPalette palette = themePalette(kind);
            const BlockModel model { .block = { 16, 16, 1 }, .warp = 3 };
            const BlockLayout layout = layoutBlock(model.block, { 0, 0, 150, 150 }, {});
            QImage image(150, 150, QImage::Format_RGB32);
            image.fill(themeColor(palette, ColorRole::Panel));
            QPainter painter(&image);
            BlockView::render(painter, model, layout, palette);
            painter.end();
            for (std::uint32_t thread = 0; thread < 256; ++thread) {
                const QColor color = image.pixelColor(layout.threadRect(thread).center().toPoint());
                if (thread / 32 == 3)
                    QCOMPARE(color, laneColor(int(thread % 32)));
                else
                    QCOMPARE(color, themeColor(palette, ColorRole::Quiet));
            }
        }
    }

    void aPartialLastWarpLightsOnlyItsThreads()
    {
        const QPalette palette = themePalette(ThemeKind::Light);
        const BlockModel model { .block = { 40, 1, 1 }, .warp = 1 };
        QCOMPARE(model.warps(), 2);
        const BlockLayout layout = layoutBlock(model.block, { 0, 0, 400, 100 }, {});
        QImage image(400, 100, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        BlockView::render(painter, model, layout, palette);
        painter.end();
        QCOMPARE(image.pixelColor(layout.threadRect(39).center().toPoint()), laneColor(7));
        QCOMPARE(image.pixelColor(layout.threadRect(31).center().toPoint()),
            themeColor(palette, ColorRole::Quiet));
    }

    void aClickChoosesTheThreadsWarp()
    {
        BlockView view;
        view.resize(150, 150);
        view.setModel({ .block = { 16, 16, 1 } });
        view.show();
        QSignalSpy chosen(&view, &BlockView::warpChosen);
        QTest::mouseClick(
            &view, Qt::LeftButton, {}, view.layoutOfCells().threadRect(100).center().toPoint());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 3);
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(149, 149));
        QCOMPARE(chosen.size(), 1);
    }

    void keysStepWarpsAndStopAtTheEnds()
    {
        BlockView view;
        view.setModel({ .block = { 96, 1, 1 } });
        QSignalSpy chosen(&view, &BlockView::warpChosen);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(chosen.size(), 0);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_End);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen[0][0].toInt(), 1);
        QCOMPARE(chosen[1][0].toInt(), 2);
    }

    void pointingNamesTheThread()
    {
        BlockView view;
        view.resize(200, 200);
        view.setModel({ .block = { 4, 4, 4 } });
        view.show();
        QSignalSpy hovered(&view, &BlockView::threadHovered);
        QTest::mouseMove(
            &view, view.layoutOfCells().threadRect(2 + 4 * 3 + 16 * 1).center().toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(hovered.size(), 1, kPatienceMs);
        QCOMPARE(hovered[0], (QVariantList { 2, 3, 1 }));
        QTest::mouseMove(&view, QPoint(198, 198));
        QTRY_COMPARE_WITH_TIMEOUT(hovered.size(), 2, kPatienceMs);
        QCOMPARE(hovered[1], (QVariantList { -1, -1, -1 }));
    }

    void showingDoesNotEmit()
    {
        BlockView view;
        view.setModel({ .block = { 96, 1, 1 } });
        QSignalSpy chosen(&view, &BlockView::warpChosen);
        view.setWarp(2);
        view.setHoveredLane(5);
        QCOMPARE(chosen.size(), 0);
        QCOMPARE(view.model().warp, 2);
    }
};

APP_TEST(BlockTest, QApplication)
#include "block_test.moc"
