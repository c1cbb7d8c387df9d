// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

class QApplication;

namespace coalescope::app {

enum class ThemeKind { Light, Dark };

/// What a colour means. Data is the only colour: everything but the last six is a quiet grey.
enum class ColorRole {
    Background, ///< between the panels
    Panel,
    PanelBorder,
    Text,
    MutedText, ///< units, hints, axis labels
    Quiet, ///< empty cells, tracks, controls at rest
    Grid, ///< lines between quiet cells
    Accent, ///< global memory, selection, links
    OnAccent, ///< text on Accent
    Good, ///< shared memory at its ideal, verified
    Warn, ///< more than the ideal
    Bad, ///< wrong output, errors
    Local, ///< local memory
};

/// The colours of a theme as a Qt palette.
[[nodiscard]] QPalette themePalette(ThemeKind kind);

/// Gives the application its palette and the style sheet of panels and controls.
void applyTheme(QApplication& application, ThemeKind kind);

/// Tells the theme of a palette by its background.
[[nodiscard]] ThemeKind themeOf(const QPalette& palette);

/// Looks up a colour of the theme that the palette belongs to.
[[nodiscard]] QColor themeColor(const QPalette& palette, ColorRole role);

/// The colour of a lane in every picture: lightness rises evenly from lane 0 to lane 31, so that
/// the order survives colour blindness and grey printing.
[[nodiscard]] QColor laneColor(int lane);

/// Black or white, whichever reads better on laneColor(lane).
[[nodiscard]] QColor laneTextColor(int lane);

/// The same ramp for amounts: `share` from 0, the least, to 1, the most.
[[nodiscard]] QColor rampColor(double share);

/// Deviations: -1 is Accent, 0 no colour, 1 is Warn; blue and orange stay apart for colour-blind eyes.
[[nodiscard]] QColor divergingColor(const QPalette& palette, double share);

/// Black or white, whichever reads better on a colour.
[[nodiscard]] QColor textColorOn(const QColor& background);

/// The desktop's font, whatever size of text is chosen: pictures are made with it.
[[nodiscard]] QFont unscaledFont();

/// Gives the application the desktop's font at a size; `percent` of its own.
void applyTextSize(QApplication& application, int percent);

/// The system's fixed font at the size of `base`: for numbers and addresses.
[[nodiscard]] QFont numberFont(const QFont& base);

/// `base` a little smaller: for axis labels and hints.
[[nodiscard]] QFont smallFont(const QFont& base);

/// Marks a widget as a panel of the style sheet (rounded, bordered, panel colour).
void makePanel(QWidget& widget);

/// Marks an editor of the style sheet as holding what is not allowed.
void markIllegal(QWidget& editor, bool illegal);

} // namespace coalescope::app
