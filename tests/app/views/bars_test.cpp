// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/bars/bars_view.h"
#include "app/views/plot/plot.h"
#include "app/widgets/theme.h"
#include "tests/app/app_test.h"

#include <QApplication>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>

using namespace coalescope::app;

namespace {

BarsModel padding()
{
    return { { { "pad 0", 131, 134, "131 | 134" }, { "pad 1", 79, 77, "79 | 77" },
        { "pad 2", 80, std::nullopt, "80 | -" } } };
}

} // namespace

class BarsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English));
        applyTheme(*qApp, ThemeKind::Light);
    }

    void everyRowIsFoundWhereItIsDrawn()
    {
        const BarsLayout layout = layoutBars(7, { 5, 6, 300, 200 }, {}, Legend::Shown);
        for (int row = 0; row < 7; ++row)
            QCOMPARE(layout.rowAt(layout.rowRect(row).center()), row);
        QVERIFY(layout.legend.bottom() <= 206);
        QVERIFY(layout.legend.top() >= layout.plot.bottom());
        QCOMPARE(layout.rowAt(layout.legend.center()), -1);
        QCOMPARE(layoutBars(0, { 5, 6, 300, 200 }, {}, Legend::None).rowAt({ 10, 10 }), -1);
    }

    void barsAreAsLongAsTheirValues()
    {
        BarsView view;
        view.resize(360, 140);
        view.setModel(padding());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const Plot& plot = view.plot();
        QCOMPARE(plot.model().bars.size(), std::size_t(5)); // the unknown one is not drawn as 0
        const double scale = plot.barRect(1).width() / 134;
        QVERIFY(qAbs(plot.barRect(0).width() - 131 * scale) < 1.5);
        QVERIFY(qAbs(plot.barRect(3).width() - 77 * scale) < 1.5);
        QVERIFY(plot.barRect(0).bottom() <= plot.barRect(1).top() + 0.5);
    }

    void measuredIsFilledAndPredictedOutlined()
    {
        BarsView view;
        view.resize(360, 140);
        view.setModel(padding());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QImage image = view.grab().toImage();
        const auto colorAt = [&](int bar) {
            return image.pixelColor(
                (view.plot().barRect(bar).center() + QPointF(view.plot().pos())).toPoint());
        };
        QCOMPARE(colorAt(1), themeColor(view.palette(), ColorRole::Accent));
        QCOMPARE(colorAt(0), themeColor(view.palette(), ColorRole::Panel));
    }

    void theExportShowsTheSamePicture()
    {
        const QPalette palette = themePalette(ThemeKind::Light);
        QImage image(360, 140, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        BarsView::render(
            painter, padding(), layoutBars(3, { 0, 0, 360, 140 }, {}, Legend::Shown), palette);
        painter.end();
        int accent = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                accent += image.pixelColor(x, y) == themeColor(palette, ColorRole::Accent);
        QVERIFY(accent > 500);
    }

    void aClickOrEnterChoosesARow()
    {
        BarsView view;
        view.resize(360, 140);
        view.setModel(padding());
        view.show();
        QSignalSpy chosen(&view, &BarsView::rowChosen);
        const QRectF plot(view.plot().geometry());
        QTest::mouseClick(
            &view, Qt::LeftButton, {}, QPoint(100, int(plot.top() + plot.height() * 0.5)));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 1);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen[1][0].toInt(), 2);
    }

    void theLargestTermIsHighlighted()
    {
        TermsView view;
        view.resize(360, 120);
        view.setModel(
            { { { "DRAM", 35 }, { "shared wavefronts", 131 }, { "launch", 7, "", false } } });
        QCOMPARE(view.model().largest(), 1);
        const auto& bars = view.plot().model().bars;
        QCOMPARE(bars[1].color, themeColor(view.palette(), ColorRole::Warn));
        QCOMPARE(bars[0].color, themeColor(view.palette(), ColorRole::Accent));
        QCOMPARE(bars[2].color, themeColor(view.palette(), ColorRole::MutedText));
        QCOMPARE(view.plot().model().texts[1], QStringLiteral("131 µs"));
        QCOMPARE(TermsModel {}.largest(), -1);
    }

    void aTermWithAHintIsChosenByAClick()
    {
        TermsView view;
        view.resize(360, 120);
        view.setModel({ { { .label = "atomics", .microseconds = 131, .key = "atomics", .hint = "shows them" }, { .label = "launch", .microseconds = 7, .key = "launch" } } });
        QSignalSpy chosen(&view, &TermsView::termChosen);
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, QPoint(180, 90)); // the second of two rows
        QCOMPARE(chosen.size(), 0);
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, QPoint(180, 20));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("atomics"));
    }

    void anEmptyModelIsDrawn()
    {
        BarsView bars;
        bars.setModel({});
        TermsView terms;
        terms.setModel({});
        QVERIFY(!bars.grab().isNull());
        QVERIFY(!terms.grab().isNull());
    }

    void allZeroesAreDrawn()
    {
        BarsView view;
        view.setModel({ { { "none", 0, 0, "0 | 0" } } });
        QVERIFY(!view.grab().isNull());
    }
};

APP_TEST(BarsTest, QApplication)
#include "bars_test.moc"
