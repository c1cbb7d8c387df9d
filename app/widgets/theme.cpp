// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace coalescope::app {
namespace {

struct RoleColors {
    ColorRole role;
    QRgb light, dark;
};

// Text on Panel, MutedText on Panel and OnAccent on Accent all have a contrast of at least 4.5:1.
constexpr std::array kColors {
    RoleColors { .role = ColorRole::Background, .light = 0xfff3f5f8, .dark = 0xff14181d },
    RoleColors { .role = ColorRole::Panel, .light = 0xffffffff, .dark = 0xff1c2129 },
    RoleColors { .role = ColorRole::PanelBorder, .light = 0xffd9dee5, .dark = 0xff2e353f },
    RoleColors { .role = ColorRole::Text, .light = 0xff171d2c, .dark = 0xffe9ecf1 },
    RoleColors { .role = ColorRole::MutedText, .light = 0xff5f697d, .dark = 0xff9da5b4 },
    RoleColors { .role = ColorRole::Quiet, .light = 0xffe9ecf1, .dark = 0xff2a303a },
    RoleColors { .role = ColorRole::Grid, .light = 0xffc9cfd9, .dark = 0xff444c59 },
    RoleColors { .role = ColorRole::Accent, .light = 0xff0070b2, .dark = 0xff56b4e9 },
    RoleColors { .role = ColorRole::OnAccent, .light = 0xffffffff, .dark = 0xff10151b },
    RoleColors { .role = ColorRole::Good, .light = 0xff00825f, .dark = 0xff2fbf8f },
    RoleColors { .role = ColorRole::Warn, .light = 0xffbd4f00, .dark = 0xfff08c46 },
    RoleColors { .role = ColorRole::Bad, .light = 0xffb3261e, .dark = 0xffff8b80 },
    RoleColors { .role = ColorRole::Local, .light = 0xff8a4f9e, .dark = 0xffc99be0 },
};

constexpr bool rowsMatchRoles()
{
    for (std::size_t row = 0; row < kColors.size(); ++row)
        if (kColors[row].role != ColorRole(row))
            return false;
    return kColors.size() == std::size_t(ColorRole::Local) + 1;
}
static_assert(rowsMatchRoles());

/// A stop of the lane ramp in OKLCh: lightness 0..1, chroma, hue in degrees.
struct RampStop {
    double lightness, chroma, hue;
};

// Equal steps along the ramp; between stops it runs straight in OKLab. Lightness rises by the same
// amount everywhere, and neighbouring lanes are 0.023 to 0.025 apart in OKLab.
constexpr std::array kRamp {
    RampStop { .lightness = 0.36, .chroma = 0.16, .hue = 300 }, // violet
    RampStop { .lightness = 0.50, .chroma = 0.12, .hue = 258 }, // blue
    RampStop { .lightness = 0.64, .chroma = 0.11, .hue = 195 }, // teal
    RampStop { .lightness = 0.78, .chroma = 0.17, .hue = 145 }, // green
    RampStop { .lightness = 0.92, .chroma = 0.18, .hue = 105 }, // yellow
};

constexpr int kLanes = 32;

struct Lab {
    double l, a, b;
};

Lab labOf(const RampStop& stop)
{
    const double hue = stop.hue * std::numbers::pi / 180;
    return { stop.lightness, stop.chroma * std::cos(hue), stop.chroma * std::sin(hue) };
}

double gammaEncoded(double linear)
{
    linear = std::clamp(linear, 0.0, 1.0);
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// OKLab to sRGB. Source: Björn Ottosson, "A perceptual color space for image processing" (2020).
QColor colorOf(const Lab& lab)
{
    const auto cube = [](double v) { return v * v * v; };
    const double l = cube(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
    const double m = cube(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
    const double s = cube(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
    const double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    const double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    const double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    const auto byte = [](double v) { return int(std::lround(255 * gammaEncoded(v))); };
    return QColor(byte(red), byte(green), byte(blue));
}

/// The ramp at a place from 0 to 1.
QColor rampAt(double share)
{
    const double at = share * (kRamp.size() - 1);
    const std::size_t stop = std::min(std::size_t(at), kRamp.size() - 2);
    const double t = at - double(stop);
    const Lab from = labOf(kRamp[stop]), to = labOf(kRamp[stop + 1]);
    return colorOf(
        { std::lerp(from.l, to.l, t), std::lerp(from.a, to.a, t), std::lerp(from.b, to.b, t) });
}

std::array<QColor, kLanes> makeRamp()
{
    constexpr double kDarkest = 0.2; // darker ones are lost on a dark ground
    std::array<QColor, kLanes> ramp;
    for (int lane = 0; lane < kLanes; ++lane)
        ramp[std::size_t(lane)] = rampAt(std::lerp(kDarkest, 1.0, double(lane) / (kLanes - 1)));
    return ramp;
}

double luminance(const QColor& color)
{
    const auto linear
        = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

QColor mix(const QColor& a, const QColor& b, double share)
{
    const auto channel = [share](float x, float y) { return float(x + (y - x) * share); };
    return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()),
        channel(a.blueF(), b.blueF()));
}

QColor roleColor(ThemeKind kind, ColorRole role)
{
    const RoleColors& row = kColors[std::size_t(role)];
    return QColor::fromRgb(kind == ThemeKind::Dark ? row.dark : row.light);
}

/// Fills the sheet's {names}; sizes follow the font so that large fonts and high DPI do not clip.
QString styleSheet(ThemeKind kind, const QFontMetrics& metrics)
{
    QString sheet = QStringLiteral(R"(
QWidget[panel="true"] { background: {panel}; border: 1px solid {border}; border-radius: {r}px; }
QToolTip { background: {panel}; color: {text}; border: 1px solid {grid}; padding: {s}px; }
QPushButton, QToolButton { background: {quiet}; color: {text}; border: 1px solid transparent;
    border-radius: {r}px; padding: {s}px {m}px; }
QPushButton:hover, QToolButton:hover { border-color: {grid}; }
QPushButton:checked, QToolButton:checked, QPushButton:default, QPushButton[primary="true"] {
    background: {accent}; color: {onaccent}; font-weight: bold; }
QDialogButtonBox QPushButton:default { font-weight: normal; }
QPushButton:focus, QToolButton:focus { border-color: {accent}; }
QPushButton:checked:focus, QPushButton:default:focus, QPushButton[primary="true"]:focus {
    border-color: {text}; }
QPushButton:disabled, QToolButton:disabled { background: {quiet}; color: {muted};
    border-color: transparent; }
QToolButton[quiet="true"], QPushButton[quiet="true"] { background: transparent; color: {muted}; }
QToolButton[quiet="true"]:hover, QPushButton[quiet="true"]:hover { color: {accent}; }
QSpinBox, QDoubleSpinBox, QLineEdit, QComboBox { background: {panel}; color: {text};
    border: 1px solid {border}; border-radius: {r}px; padding: {s}px {s}px; min-height: {h}px;
    selection-background-color: {accent}; selection-color: {onaccent}; }
QSpinBox:hover, QDoubleSpinBox:hover, QLineEdit:hover, QComboBox:hover { border-color: {grid}; }
QSpinBox:focus, QDoubleSpinBox:focus, QLineEdit:focus, QComboBox:focus { border-color: {accent}; }
QSpinBox[illegal="true"], QDoubleSpinBox[illegal="true"], QLineEdit[illegal="true"],
QComboBox[illegal="true"] { border-color: {bad}; }
QSpinBox:disabled, QDoubleSpinBox:disabled, QLineEdit:disabled, QComboBox:disabled {
    color: {muted}; background: {quiet}; }
QComboBox QAbstractItemView { background: {panel}; color: {text}; border: 1px solid {border};
    selection-background-color: {accent}; selection-color: {onaccent}; }
QProgressBar { background: {quiet}; border: none; border-radius: {p}px; max-height: {m}px;
    text-align: center; color: {text}; }
QProgressBar::chunk { background: {accent}; border-radius: {p}px; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:horizontal { height: {m}px; }
QScrollBar:vertical { width: {m}px; }
QScrollBar::handle { background: {grid}; border-radius: {p}px; }
QScrollBar::handle:hover { background: {muted}; }
QScrollBar::handle:horizontal { min-width: {w}px; margin: {g}px 0; }
QScrollBar::handle:vertical { min-height: {w}px; margin: 0 {g}px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QScrollArea, QAbstractScrollArea[bare="true"] { background: transparent; border: none; }
)");
    const auto set = [&sheet](const char* name, const QString& value) {
        sheet.replace(QStringLiteral("{%1}").arg(QLatin1String(name)), value);
    };
    const auto color
        = [&](const char* name, ColorRole role) { set(name, roleColor(kind, role).name()); };
    color("panel", ColorRole::Panel);
    color("border", ColorRole::PanelBorder);
    color("text", ColorRole::Text);
    color("muted", ColorRole::MutedText);
    color("quiet", ColorRole::Quiet);
    color("grid", ColorRole::Grid);
    color("accent", ColorRole::Accent);
    color("onaccent", ColorRole::OnAccent);
    color("bad", ColorRole::Bad);
    const int height = metrics.height();
    set("h", QString::number(height + 2));
    set("r", QString::number(std::max(3, height / 3)));
    set("s", QString::number(std::max(2, height / 6)));
    set("m", QString::number(std::max(4, height / 2)));
    set("w", QString::number(2 * height));
    set("g", QString::number(std::max(1, height / 10)));
    set("p", QString::number(std::max(2, height / 6)));
    return sheet;
}

} // namespace

QPalette themePalette(ThemeKind kind)
{
    const auto color = [kind](ColorRole role) { return roleColor(kind, role); };
    QPalette palette;
    palette.setColor(QPalette::Window, color(ColorRole::Background));
    palette.setColor(QPalette::WindowText, color(ColorRole::Text));
    palette.setColor(QPalette::Base, color(ColorRole::Panel));
    palette.setColor(
        QPalette::AlternateBase, mix(color(ColorRole::Panel), color(ColorRole::Quiet), 0.5));
    palette.setColor(QPalette::Text, color(ColorRole::Text));
    palette.setColor(QPalette::PlaceholderText, color(ColorRole::MutedText));
    palette.setColor(QPalette::Button, color(ColorRole::Quiet));
    palette.setColor(QPalette::ButtonText, color(ColorRole::Text));
    palette.setColor(QPalette::BrightText, color(ColorRole::Bad));
    palette.setColor(QPalette::ToolTipBase, color(ColorRole::Panel));
    palette.setColor(QPalette::ToolTipText, color(ColorRole::Text));
    palette.setColor(QPalette::Highlight, color(ColorRole::Accent));
    palette.setColor(QPalette::HighlightedText, color(ColorRole::OnAccent));
    palette.setColor(QPalette::Link, color(ColorRole::Accent));
    palette.setColor(QPalette::LinkVisited, color(ColorRole::Accent));
    palette.setColor(QPalette::Light, color(ColorRole::Panel));
    palette.setColor(QPalette::Midlight, color(ColorRole::Quiet));
    palette.setColor(QPalette::Mid, color(ColorRole::PanelBorder));
    palette.setColor(QPalette::Dark, color(ColorRole::Grid));
    palette.setColor(QPalette::Shadow, color(ColorRole::Grid));
    for (const auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        palette.setColor(QPalette::Disabled, role, color(ColorRole::MutedText));
    return palette;
}

void applyTheme(QApplication& application, ThemeKind kind)
{
    if (application.style()->name() != QLatin1String("fusion"))
        application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(themePalette(kind));
    application.setStyleSheet(styleSheet(kind, QFontMetrics(application.font())));
}

ThemeKind themeOf(const QPalette& palette)
{
    // A style sheet rewrites the backgrounds in a widget's palette, but never its tool tip's.
    return palette.color(QPalette::ToolTipBase).lightnessF() < 0.5 ? ThemeKind::Dark
                                                                   : ThemeKind::Light;
}

QColor themeColor(const QPalette& palette, ColorRole role)
{
    return roleColor(themeOf(palette), role);
}

QColor laneColor(int lane)
{
    static const std::array<QColor, kLanes> ramp = makeRamp();
    return ramp[std::size_t(std::clamp(lane, 0, kLanes - 1))];
}

QColor textColorOn(const QColor& background)
{
    // Where white's and black's contrast ratios are equal: (1.05 / (y + .05)) = ((y + .05) / .05).
    return luminance(background) > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

QColor laneTextColor(int lane) { return textColorOn(laneColor(lane)); }

QColor rampColor(double share)
{
    static constexpr int kSteps = 512; // no eye tells them apart, and thousands of cells ask
    static const std::vector<QColor> colors = [] {
        std::vector<QColor> made;
        for (int step = 0; step <= kSteps; ++step)
            made.push_back(rampAt(double(step) / kSteps));
        return made;
    }();
    return colors[std::size_t(std::lround(std::clamp(share, 0.0, 1.0) * kSteps))];
}

QColor divergingColor(const QPalette& palette, double share)
{
    return mix(themeColor(palette, ColorRole::Quiet),
        themeColor(palette, share < 0 ? ColorRole::Accent : ColorRole::Warn),
        std::min(std::abs(share), 1.0));
}

QFont unscaledFont()
{
    static const QFont font = QGuiApplication::font(); // before anything was applied
    return font;
}

void applyTextSize(QApplication& application, int percent)
{
    QFont font = unscaledFont();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * percent / 100);
    else
        font.setPixelSize(std::max(1, font.pixelSize() * percent / 100));
    application.setFont(font);
}

QFont numberFont(const QFont& base)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (base.pointSizeF() > 0)
        font.setPointSizeF(base.pointSizeF());
    else
        font.setPixelSize(base.pixelSize());
    font.setWeight(base.weight());
    return font;
}

QFont smallFont(const QFont& base)
{
    QFont font = base;
    if (base.pointSizeF() > 0)
        font.setPointSizeF(base.pointSizeF() * 0.86);
    else
        font.setPixelSize(std::max(1, int(std::lround(base.pixelSize() * 0.86))));
    return font;
}

void makePanel(QWidget& widget)
{
    widget.setProperty("panel", true);
    widget.setAttribute(Qt::WA_StyledBackground);
}

void markIllegal(QWidget& editor, bool illegal)
{
    if (editor.property("illegal").toBool() == illegal)
        return;
    editor.setProperty("illegal", illegal);
    editor.style()->unpolish(&editor);
    editor.style()->polish(&editor);
}

} // namespace coalescope::app
