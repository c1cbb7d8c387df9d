// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/window_style.h"

#include "app/widgets/theme.h"

namespace coalescope::app {

QString windowStyleSheet(const QPalette& palette)
{
    QString sheet = QStringLiteral(R"(
QSpinBox, QDoubleSpinBox { padding-right: 0px; }
QSpinBox::up-button, QSpinBox::down-button { border: none; background: transparent; width: 16px; }
QSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; margin: 2px 2px 0px 0px; }
QSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; margin: 0px 2px 2px 0px; }
QSpinBox::up-button:hover, QSpinBox::down-button:hover { background: {quiet}; }
QSpinBox::up-arrow { image: url(:/icons/up-{name}.svg); width: 9px; height: 9px; }
QSpinBox::down-arrow { image: url(:/icons/down-{name}.svg); width: 9px; height: 9px; }
QSpinBox::up-arrow:off, QSpinBox::down-arrow:off { image: none; }
QComboBox { padding-right: 18px; }
QComboBox::drop-down { border: none; background: transparent; width: 18px; }
QComboBox::down-arrow { image: url(:/icons/down-{name}.svg); width: 10px; height: 10px; }
QToolButton::menu-indicator { image: none; }
QToolButton[quiet="true"]:disabled { background: transparent; color: {grid}; }
QToolButton[chip="true"] { padding-left: 2px; padding-right: 2px; }
coalescope--app--TopBar { background: {panel}; border-bottom: 1px solid {border}; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: {muted}; border: none; border-bottom: 3px solid transparent;
    padding: 7px 10px 5px 10px; }
QTabBar::tab:selected { color: {text}; border-bottom: 3px solid {accent}; }
QTabBar::tab:hover:!selected, QTabBar::tab:focus { color: {accent}; }
QMenuBar { background: transparent; border: none; color: {muted}; }
QMenuBar::item { background: transparent; color: {muted}; padding: 5px 7px; border-radius: 4px; }
QMenuBar::item:selected { color: {accent}; background: {quiet}; }
QToolButton#qt_menubar_ext_button { background: transparent; padding: 0px; min-width: 18px; }
QMenu { background: {panel}; color: {text}; border: 1px solid {border}; padding: 4px; }
QMenu::item { padding: 5px 22px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: {accent}; color: {onaccent}; }
QMenu::item:disabled { color: {muted}; background: transparent; }
QMenu::separator { height: 1px; background: {border}; margin: 4px 8px; }
QStatusBar { background: {panel}; border-top: 1px solid {border}; color: {muted}; padding: 1px 12px; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: {muted}; padding: 2px 4px; }
QSplitter::handle { background: transparent; }
QScrollBar:vertical { background: transparent; width: 9px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 9px; margin: 0; }
QScrollBar::handle { background: {grid}; border-radius: 3px; margin: 1px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: {muted}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QFrame#tryItem { background: {quiet}; border-radius: 6px; }
QFrame#tryItem QPushButton { background: transparent; color: {accent}; font-weight: bold; padding: 0px 2px; }
QFrame#tryItem QPushButton:hover, QFrame#tryItem QPushButton:focus { border-color: {accent}; }
QLabel#banner { background: {panel}; border: 1px solid {warn}; border-radius: 6px; }
)");
    const auto set = [&](const char* name, const QString& value) {
        sheet.replace(QStringLiteral("{%1}").arg(QLatin1String(name)), value);
    };
    set("name", themeOf(palette) == ThemeKind::Dark ? QStringLiteral("dark") : QStringLiteral("light"));
    const std::pair<const char*, ColorRole> colors[] { { "panel", ColorRole::Panel },
        { "border", ColorRole::PanelBorder }, { "text", ColorRole::Text }, { "muted", ColorRole::MutedText },
        { "quiet", ColorRole::Quiet }, { "grid", ColorRole::Grid }, { "accent", ColorRole::Accent },
        { "onaccent", ColorRole::OnAccent }, { "warn", ColorRole::Warn } };
    for (const auto& [name, role] : colors)
        set(name, themeColor(palette, role).name());
    return sheet;
}

} // namespace coalescope::app
