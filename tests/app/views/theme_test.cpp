// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/theme.h"
#include "tests/app/app_test.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QTest>

#include <cmath>

using namespace coalescope::app;

namespace {

double luminance(const QColor& color)
{
    const auto linear
        = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT
private slots:
    void laneColorsGetLighterFromLaneToLane()
    {
        for (int lane = 1; lane < 32; ++lane)
            QVERIFY(luminance(laneColor(lane)) > luminance(laneColor(lane - 1)));
    }

    void neighbouringLanesAreAlikeInStep()
    {
        // Perceived lightness (CIE L*) rises by about the same amount everywhere.
        const auto lightness
            = [](int lane) { return 116 * std::cbrt(luminance(laneColor(lane))) - 16; };
        const double mean = (lightness(31) - lightness(0)) / 31;
        for (int lane = 1; lane < 32; ++lane) {
            const double step = lightness(lane) - lightness(lane - 1);
            QVERIFY2(
                step > mean * 0.5 && step < mean * 1.6, qPrintable(QString::number(step / mean)));
        }
    }

    void lanesAreSeenOnADarkGround()
    {
        const QPalette dark = themePalette(ThemeKind::Dark);
        for (int lane = 0; lane < 32; ++lane)
            QVERIFY(contrast(laneColor(lane), themeColor(dark, ColorRole::Panel)) >= 1.6);
    }

    void laneTextReadsOnItsLane()
    {
        for (int lane = 0; lane < 32; ++lane)
            QVERIFY(contrast(laneColor(lane), laneTextColor(lane)) >= 4.5);
    }

    void textReadsOnItsGround_data()
    {
        QTest::addColumn<ThemeKind>("kind");
        QTest::newRow("light") << ThemeKind::Light;
        QTest::newRow("dark") << ThemeKind::Dark;
    }

    void textReadsOnItsGround()
    {
        QFETCH(ThemeKind, kind);
        const QPalette palette = themePalette(kind);
        QCOMPARE(themeOf(palette), kind);
        const QColor panel = themeColor(palette, ColorRole::Panel);
        for (const auto role : { ColorRole::Text, ColorRole::MutedText, ColorRole::Accent,
                 ColorRole::Good, ColorRole::Warn, ColorRole::Bad, ColorRole::Local })
            QVERIFY2(contrast(themeColor(palette, role), panel) >= 4.5,
                qPrintable(QString::number(int(role))));
        QVERIFY(contrast(themeColor(palette, ColorRole::OnAccent),
                    themeColor(palette, ColorRole::Accent))
            >= 4.5);
        QVERIFY(
            contrast(themeColor(palette, ColorRole::Text), themeColor(palette, ColorRole::Quiet))
            >= 4.5);
        QVERIFY(contrast(themeColor(palette, ColorRole::MutedText),
                    themeColor(palette, ColorRole::Background))
            >= 4.5);
    }

    void aStyledScrollAreaKnowsItsTheme()
    {
        for (const auto kind : { ThemeKind::Dark, ThemeKind::Light }) {
            applyTheme(*qApp, kind);
            QAbstractScrollArea area;
            area.setProperty("bare", true);
            area.show();
            QCOMPARE(themeOf(area.palette()), kind);
        }
    }

    void numberFontKeepsTheSize()
    {
        QFont base = QApplication::font();
        base.setPointSizeF(13.5);
        QCOMPARE(numberFont(base).pointSizeF(), 13.5);
        QVERIFY(smallFont(base).pointSizeF() < 13.5);
        base.setPixelSize(20);
        QCOMPARE(numberFont(base).pixelSize(), 20);
    }
};

APP_TEST(ThemeTest, QApplication)
#include "theme_test.moc"
