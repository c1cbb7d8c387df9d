// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/draw/draw.h"

#include <QRectF>

#include <utility>

namespace coalescope::app {

/// Where each step of a warp is drawn: one column a step, all of one width, in content coordinates.
struct StripLayout {
    int count = 0;
    qreal left = 0; ///< of the first column
    qreal pitch = 1; ///< width of a column
    qreal barWidth = 1;
    qreal top = 0; ///< of the columns
    qreal bottom = 0;
    qreal costLine = 0; ///< height of the cost's text above a bar
    qreal baseline = 0; ///< where bars stand
    qreal mnemonicLine = 0, sourceLine = 0; ///< heights of the two labels under the baseline
    QRectF visible; ///< the part of the content that is on screen

    [[nodiscard]] qreal contentWidth() const;
    [[nodiscard]] QRectF itemRect(int index) const; ///< the whole column
    [[nodiscard]] QRectF barRect(int index, double share) const; ///< share of the highest bar, 0..1
    [[nodiscard]] QRectF costRect(int index, double share) const;
    [[nodiscard]] QRectF mnemonicRect(int index) const;
    [[nodiscard]] QRectF lineRect(int index) const;
    [[nodiscard]] int itemAt(QPointF point) const; ///< -1: none
    [[nodiscard]] std::pair<int, int> visibleItems() const; ///< [first, last), the drawn ones
};

/// Spreads `count` columns over `size`; columns that do not fit continue beyond the right edge.
/// `labelWidth` is the width of the widest label; `scroll` the content's x at the left edge.
[[nodiscard]] StripLayout layoutStrip(
    int count, QSizeF size, qreal labelWidth, qreal scroll, const TextMetrics& text);

} // namespace coalescope::app
