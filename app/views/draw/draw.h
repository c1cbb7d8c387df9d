// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/access/warp_access.h"

#include <QFont>
#include <QPainter>
#include <QPalette>
#include <QString>

namespace coalescope::app {

/// The font sizes that a layout follows: plain numbers, so that layouts are tested without a
/// display.
///
/// Units: logical pixels.
struct TextMetrics {
    qreal line = 17; ///< height of a line of the widget's font
    qreal digit = 8; ///< width of a digit of it
    qreal smallLine = 15; ///< height of a line of smallFont()
    qreal smallDigit = 7;
};

[[nodiscard]] TextMetrics textMetrics(const QFont& font);

/// Draws one line, cut with an ellipsis where it does not fit.
void drawElided(QPainter& painter, const QRectF& rect, const QString& text,
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter,
    Qt::TextElideMode mode = Qt::ElideRight);

/// Shows that a picture has the keyboard focus.
void drawFocusFrame(QPainter& painter, const QRectF& rect, const QPalette& palette);

/// The next active lane in a direction (1 or -1); from -1, the first; `lane` where there is none.
[[nodiscard]] int nextLane(analysis::LaneMask active, int lane, int step);

/// A whole number with the locale's group separators.
[[nodiscard]] QString formatCount(std::uint64_t value);

/// "0x7080".
[[nodiscard]] QString formatHex(std::uint64_t value);

/// "12.5 %", with as many decimals as it takes, one at most.
[[nodiscard]] QString formatPercent(double ratio);

/// "0-15, 20, 22": the lanes of a mask, runs joined.
[[nodiscard]] QString formatLanes(analysis::LaneMask lanes);

} // namespace coalescope::app
