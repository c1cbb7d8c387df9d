// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/draw/draw.h"

#include <QRectF>

namespace coalescope::app {

/// Where the title and the rows of the table are drawn.
struct LaneLayout {
    QRectF title;
    QPointF origin;
    qreal labelWidth = 0, valueWidth = 0;
    qreal rowHeight = 1;
    int rows = 0;

    [[nodiscard]] QRectF labelRect(int row) const;
    [[nodiscard]] QRectF valueRect(int row) const;
    [[nodiscard]] int rowAt(QPointF point) const; ///< -1: none
};

[[nodiscard]] LaneLayout layoutLane(int rows, const QRectF& area, const TextMetrics& text);

} // namespace coalescope::app
