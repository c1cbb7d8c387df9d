// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_view.h"
#include "app/widgets/theme.h"
#include "tests/app/app_test.h"
#include "tests/app/patience.h"

#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <set>

using namespace coalescope::app;

namespace {

/// columns x rows cells whose values rise from 10 by 10.
HeatMapModel rising(int columns, int rows)
{
    HeatMapModel model { .xTitle = "Block x", .yTitle = "Block y" };
    for (int x = 0; x < columns; ++x)
        model.xLabels << QString::number(4 * (x + 1));
    for (int y = 0; y < rows; ++y)
        model.yLabels << QString::number(4 * (y + 1));
    for (int i = 0; i < columns * rows; ++i)
        model.cells.push_back({ CellState::Known, 10.0 * (i + 1), QString::number(10 * (i + 1)) });
    model.leastValue = 10;
    model.mostValue = 10.0 * columns * rows;
    model.least = "10 µs";
    model.most = "many";
    model.best = { 0 };
    model.tip = [](int cell) { return QStringLiteral("cell %1\nreason").arg(cell); };
    return model;
}

HeatMapLayout layoutOf(int columns, int rows, const QRectF& area, const HeatMapTexts& texts = {})
{
    return layoutHeatMap(columns, rows, area, texts, {});
}

} // namespace

class HeatMapTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, ThemeKind::Light); }

    void everyCellIsFoundWhereItIsDrawn()
    {
        for (const QSize size :
            { QSize(16, 16), QSize(1, 1), QSize(40, 3), QSize(7, 1), QSize(1, 9) }) {
            const QRectF area(5, 6, 640, 400);
            const HeatMapLayout layout
                = layoutOf(size.width(), size.height(), area, { 20, 20, 30, true, true });
            for (int cell = 0; cell < layout.cells(); ++cell) {
                QCOMPARE(layout.cellAt(layout.cellRect(cell).center()), cell);
                QVERIFY(area.contains(layout.cellRect(cell)));
            }
            QVERIFY(layout.key.bottom() <= area.bottom());
            QVERIFY(layout.key.top() >= layout.xTitle.bottom());
            QVERIFY(layout.xLabels.top() >= layout.grid.bottom());
            QVERIFY(layout.yTitle.right() <= layout.yLabels.left());
            QCOMPARE(layout.cellAt(layout.key.center()), -1);
            QCOMPARE(layout.cellAt(area.topLeft()), -1);
        }
    }

    void cellsAreWholePixelsOfOneSize()
    {
        const HeatMapLayout layout = layoutOf(13, 7, { 0, 0, 633, 401 });
        for (int cell = 0; cell < layout.cells(); ++cell) {
            QCOMPARE(layout.cellRect(cell).size(), layout.cellRect(0).size());
            QCOMPARE(layout.cellRect(cell).left(), std::floor(layout.cellRect(cell).left()));
        }
    }

    void labelsThatWouldTouchAreThinnedOut()
    {
        QCOMPARE(layoutOf(8, 8, { 0, 0, 800, 400 }, { 20, 20 }).xLabelEvery, 1);
        const HeatMapLayout narrow = layoutOf(64, 64, { 0, 0, 400, 400 }, { 20, 20 });
        QVERIFY(narrow.xLabelEvery * narrow.cellWidth >= 20);
        QVERIFY(narrow.yLabelEvery * narrow.cellHeight >= TextMetrics {}.smallLine);
    }

    void valuesAreWrittenOnlyWhereAllFit()
    {
        QVERIFY(layoutOf(8, 8, { 0, 0, 800, 400 }, { 20, 20, 30 }).showsValues);
        QVERIFY(!layoutOf(64, 8, { 0, 0, 800, 400 }, { 20, 20, 30 }).showsValues);
        QVERIFY(!layoutOf(8, 40, { 0, 0, 800, 400 }, { 20, 20, 30 }).showsValues);
        QVERIFY(!layoutOf(8, 8, { 0, 0, 800, 400 }, { 20, 20, 0 }).showsValues);
    }

    void noAreaAndNoCellsAreNoCrash()
    {
        QCOMPARE(layoutOf(0, 0, { 0, 0, 100, 100 }).cellAt({ 5, 5 }), -1);
        QVERIFY(layoutOf(500, 500, { 0, 0, 10, 10 }).cellWidth >= 1);
        HeatMapView view;
        view.setModel({});
        QVERIFY(!view.grab().isNull());
        QCOMPARE(neighbourCell({}, -1, 1, 0), -1);
    }

    void arrowsStopAtTheEdge()
    {
        const HeatMapLayout layout = layoutOf(3, 2, { 0, 0, 300, 200 });
        QCOMPARE(neighbourCell(layout, 0, 1, 0), 1);
        QCOMPARE(neighbourCell(layout, 2, 1, 0), 2);
        QCOMPARE(neighbourCell(layout, 1, 0, 1), 4);
        QCOMPARE(neighbourCell(layout, 4, 0, 1), 4);
        QCOMPARE(neighbourCell(layout, -1, 0, 1), 0);
    }

    void theScaleIsLinearOrLogarithmic()
    {
        HeatMapModel model { .leastValue = 10, .mostValue = 1000 };
        QCOMPARE(model.shareOf(505), 0.5);
        model.logarithmic = true;
        QVERIFY(qAbs(model.shareOf(100) - 0.5) < 1e-9);
        QCOMPARE(model.shareOf(10), 0.0);
        QCOMPARE(model.shareOf(5000), 1.0);
        const HeatMapModel flat { .leastValue = 7, .mostValue = 7 };
        QCOMPARE(flat.shareOf(7), 0.0);
        const HeatMapModel error {
            .scale = HeatScale::Deviation, .leastValue = -0.2, .mostValue = 0.4
        };
        QCOMPARE(error.shareOf(0), 0.0);
        QCOMPARE(error.shareOf(-0.2), -0.5);
        QCOMPARE(error.shareOf(0.4), 1.0);
    }

    void everyStateIsDrawnDifferently()
    {
        HeatMapModel model = rising(5, 1);
        model.best.clear();
        const CellState states[] { CellState::Known, CellState::Waiting, CellState::Absent,
            CellState::Illegal, CellState::Failed };
        for (int i = 0; i < 5; ++i) {
            model.cells[std::size_t(i)].state = states[i];
            model.cells[std::size_t(i)].text.clear();
        }
        for (const ThemeKind kind : { ThemeKind::Light, ThemeKind::Dark }) {
            const QPalette palette = themePalette(kind);
            QImage image(500, 120, QImage::Format_RGB32);
            image.fill(themeColor(palette, ColorRole::Panel));
            QPainter painter(&image);
            const HeatMapLayout layout
                = layoutHeatMap(5, 1, image.rect(), measureTexts(model, painter.font()), {});
            HeatMapView::render(painter, model, layout, palette);
            painter.end();
            std::set<QByteArray> pictures;
            for (int i = 0; i < 5; ++i) {
                const QImage part = image.copy(layout.cellRect(i).toRect());
                pictures.insert(QByteArray(
                    reinterpret_cast<const char*>(part.constBits()), part.sizeInBytes()));
            }
            QCOMPARE(pictures.size(), std::size_t(5));
        }
    }

    void colourFollowsTheValue()
    {
        HeatMapView view;
        view.resize(400, 200);
        HeatMapModel model = rising(3, 1);
        model.best.clear();
        for (HeatCell& cell : model.cells)
            cell.text.clear();
        view.setModel(model);
        const QImage image = view.grab().toImage();
        for (int i = 0; i < 3; ++i) {
            const QColor seen
                = image.pixelColor(view.layoutOfCells().cellRect(i).center().toPoint());
            QCOMPARE(seen, rampColor(i / 2.0));
        }
    }

    void clickAndEnterChooseACell()
    {
        HeatMapView view;
        view.resize(400, 300);
        view.setModel(rising(4, 4));
        view.show();
        QSignalSpy chosen(&view, &HeatMapView::cellChosen);
        QSignalSpy reached(&view, &HeatMapView::cellReached);
        QTest::mouseClick(
            &view, Qt::LeftButton, {}, view.layoutOfCells().cellRect(6).center().toPoint());
        QCOMPARE(chosen.takeFirst()[0].toInt(), 6);
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.layoutOfCells().key.center().toPoint());
        QVERIFY(chosen.isEmpty());
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(reached.last()[0].toString(), QStringLiteral("cell 11 · reason"));
        QCOMPARE(view.accessibleDescription(), QStringLiteral("cell 11\nreason"));
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(chosen.takeFirst()[0].toInt(), 11);
    }

    void theFirstArrowStartsAtTheExperiment()
    {
        HeatMapView view;
        view.resize(400, 300);
        HeatMapModel model = rising(4, 4);
        model.current = 5;
        view.setModel(model);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(view.cursor(), 4);
    }

    void aFewerCellsModelForgetsTheCursor()
    {
        HeatMapView view;
        view.resize(400, 300);
        view.setModel(rising(4, 4));
        QTest::mouseClick(
            &view, Qt::LeftButton, {}, view.layoutOfCells().cellRect(15).center().toPoint());
        view.setModel(rising(2, 2));
        QCOMPARE(view.cursor(), -1);
        QVERIFY(!view.grab().isNull());
    }

    void hoveringShowsTheTip()
    {
        HeatMapView view;
        view.resize(400, 300);
        view.setModel(rising(4, 4));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QPoint at = view.layoutOfCells().cellRect(9).center().toPoint();
        QHelpEvent help(QEvent::ToolTip, at, view.mapToGlobal(at));
        QApplication::sendEvent(&view, &help);
        QTRY_COMPARE_WITH_TIMEOUT(QToolTip::text(), QStringLiteral("cell 9\nreason"), kPatienceMs);
    }

    void textStaysInsideAtAnySize()
    {
        // A row of values at the widest must not run over its neighbour: what does not fit is not
        // written.
        for (int width = 80; width < 900; width += 37) {
            HeatMapModel model = rising(9, 9);
            const HeatMapLayout layout = layoutHeatMap(9, 9, QRectF(0, 0, width, 300),
                measureTexts(model, qApp->font()), textMetrics(qApp->font()));
            if (layout.showsValues)
                QVERIFY(measureTexts(model, qApp->font()).value <= layout.cellWidth);
            QVERIFY(layout.grid.right() <= width);
        }
    }
};

APP_TEST(HeatMapTest, QApplication)
#include "heatmap_test.moc"
