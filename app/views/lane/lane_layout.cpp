// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/lane/lane_layout.h"

#include <algorithm>
#include <cmath>

namespace coalescope::app {

QRectF LaneLayout::labelRect(int row) const
{
    return { origin.x(), origin.y() + row * rowHeight, labelWidth, rowHeight };
}

QRectF LaneLayout::valueRect(int row) const
{
    return { origin.x() + labelWidth, origin.y() + row * rowHeight, valueWidth, rowHeight };
}

int LaneLayout::rowAt(QPointF point) const
{
    const qreal row = std::floor((point.y() - origin.y()) / rowHeight);
    return row >= 0 && row < rows ? int(row) : -1;
}

LaneLayout layoutLane(int rows, const QRectF& area, const TextMetrics& text)
{
    LaneLayout layout;
    layout.rows = rows;
    layout.title = QRectF(area.left(), area.top(), area.width(), text.line + 4);
    layout.origin = layout.title.bottomLeft();
    const qreal room = (area.bottom() - layout.origin.y()) / std::max(1, rows);
    layout.rowHeight = std::clamp(std::floor(room), text.line, std::round(text.line * 1.25));
    layout.labelWidth = std::ceil(std::min(9.5 * text.smallDigit, area.width() * 0.4));
    layout.valueWidth = area.width() - layout.labelWidth;
    return layout;
}

} // namespace coalescope::app
