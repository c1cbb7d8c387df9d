// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/plot/xy_plot.h"
#include "app/widgets/theme.h"
#include "tests/app/app_test.h"
#include "tests/app/patience.h"

#include <QApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace coalescope::app;

namespace {

XyModel scatter()
{
    XyModel model { .xTitle = "predicted", .yTitle = "measured", .diagonal = true };
    model.series.push_back({ .name = "launches",
        .points = { { 100, 120, 7 }, { 50, 49, 3 }, { 10, 11, 5 } },
        .style = XyStyle::Filled });
    model.tip = [](int id) { return QStringLiteral("launch %1").arg(id); };
    return model;
}

} // namespace

class XyPlotTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, ThemeKind::Light); }

    void aPointIsFoundWhereItIsDrawn()
    {
        XyPlot plot;
        plot.resize(500, 400);
        plot.setModel(scatter());
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QTRY_VERIFY_WITH_TIMEOUT(plot.pixelOf({ 100, 120 }).x() > plot.pixelOf({ 50, 49 }).x() + 50, kPatienceMs);
        for (const XyPoint& point : plot.model().series[0].points)
            QCOMPARE(plot.idAt(plot.pixelOf(point)), point.id);
        QCOMPARE(plot.idAt({ 495, 395 }), -1);
        const QColor seen = plot.grab().toImage().pixelColor(plot.pixelOf({ 100, 120 }).toPoint());
        QCOMPARE(seen, themeColor(plot.palette(), ColorRole::Accent));
    }

    void thePlotFillsItsPlaceWithAndWithoutALegend()
    {
        for (const int series : { 1, 2 }) {
            XyPlot plot;
            plot.resize(900, 400);
            XyModel model = scatter();
            model.series.resize(std::size_t(series), model.series[0]);
            plot.setModel(model);
            plot.show();
            QVERIFY(QTest::qWaitForWindowExposed(&plot));
            QTRY_VERIFY_WITH_TIMEOUT(plot.pixelOf({ 100, 120 }).x() > 600, kPatienceMs);
        }
    }

    void onTheDiagonalPredictionIsMeasurement()
    {
        XyPlot plot;
        plot.resize(500, 500);
        plot.setModel(scatter());
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        // A measured time above the prediction lies above the diagonal.
        const QPointF point = plot.pixelOf({ 100, 120 }), diagonal = plot.pixelOf({ 100, 100 });
        QTRY_VERIFY_WITH_TIMEOUT(point.y() < diagonal.y(), kPatienceMs);
    }

    void clickAndEnterChooseAPoint()
    {
        XyPlot plot;
        plot.resize(500, 400);
        plot.setModel(scatter());
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        QSignalSpy chosen(&plot, &XyPlot::pointChosen);
        QTRY_VERIFY_WITH_TIMEOUT(plot.idAt(plot.pixelOf({ 50, 49 })) == 3, kPatienceMs);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.pixelOf({ 50, 49 }).toPoint());
        QCOMPARE(chosen.takeFirst()[0].toInt(), 3);
        QTest::keyClick(&plot, Qt::Key_Right); // by x: 5, 3, 7
        QTest::keyClick(&plot, Qt::Key_Right);
        QTest::keyClick(&plot, Qt::Key_Right);
        QTest::keyClick(&plot, Qt::Key_Return);
        QCOMPARE(chosen.takeFirst()[0].toInt(), 7);
        QTest::keyClick(&plot, Qt::Key_Left);
        QTest::keyClick(&plot, Qt::Key_Return);
        QCOMPARE(chosen.takeFirst()[0].toInt(), 3);
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("launch 3"));
    }

    void predictedAndMeasuredOfOneLaunchAreOneStop()
    {
        XyPlot plot;
        XyModel model { .xNames = { "4", "8", "12" } };
        model.series.push_back({ .name = "predicted",
            .points = { { 0, 9, 1 }, { 1, 6, 2 }, { 2, 5, 3 } },
            .joined = true });
        model.series.push_back({ .name = "measured",
            .points = { { 0, 8, 1 }, { 1, 7, 2 } },
            .style = XyStyle::Filled });
        model.current = 1;
        plot.setModel(model);
        QSignalSpy chosen(&plot, &XyPlot::pointChosen);
        QTest::keyClick(&plot, Qt::Key_Right);
        QTest::keyClick(&plot, Qt::Key_Return);
        QCOMPARE(chosen.takeFirst()[0].toInt(), 2);
    }

    void theExportShowsTheSamePoints()
    {
        const QPalette palette = themePalette(ThemeKind::Light);
        QImage image(500, 400, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        XyPlot::render(painter, { 0, 0, 500, 400 }, scatter(), palette, painter.font());
        painter.end();
        int accent = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                accent += image.pixelColor(x, y) == themeColor(palette, ColorRole::Accent);
        QVERIFY(accent >= 3 * 12);
    }

    void axesOfNoPointHaveNoNumbers()
    {
        const auto drawn = [](XyModel model, const QString& number) {
            model.format = [number](double) { return number; };
            XyPlot plot;
            plot.resize(400, 300);
            plot.setModel(std::move(model));
            return plot.grab().toImage();
        };
        XyModel model = scatter();
        QVERIFY(drawn(model, "1") != drawn(model, "2"));
        for (XySeries& series : model.series)
            series.points.clear();
        QVERIFY(drawn(model, "1") == drawn(model, "2"));
    }

    void nothingAndZeroesAreDrawn()
    {
        XyPlot plot;
        plot.setModel({});
        QVERIFY(!plot.grab().isNull());
        XyModel model = scatter();
        model.series[0].points = { { 0, 0, 1 } };
        plot.setModel(model);
        QVERIFY(!plot.grab().isNull());
        QTest::keyClick(&plot, Qt::Key_Left); // no crash at the only point
    }
};

APP_TEST(XyPlotTest, QApplication)
#include "xy_plot_test.moc"
