// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/bars/bars_layout.h"

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

qreal rowHeight(const TextMetrics& text) { return std::round(text.line * 1.6); }

qreal legendHeight(const TextMetrics& text, Legend legend)
{
    return legend == Legend::Shown ? text.smallLine + 4 : 0;
}

}

QRectF BarsLayout::rowRect(int row) const
{
    const qreal height = plot.height() / std::max(1, rows);
    return { plot.left(), plot.top() + row * height, plot.width(), height };
}

int BarsLayout::rowAt(QPointF point) const
{
    if (rows <= 0 || !plot.contains(point))
        return -1;
    return std::min(rows - 1, int((point.y() - plot.top()) / plot.height() * rows));
}

BarsLayout layoutBars(int rows, const QRectF& area, const TextMetrics& text, Legend legend)
{
    BarsLayout layout;
    layout.rows = rows;
    layout.plot = area;
    const qreal room = area.height() - legendHeight(text, legend);
    // Rows keep their height in a tall area; in a low one they share what there is.
    layout.plot.setHeight(std::max(1.0, std::min(room, rows * rowHeight(text))));
    if (legend == Legend::Shown)
        layout.legend
            = QRectF(area.left(), layout.plot.bottom() + 2, area.width(), text.smallLine + 2);
    return layout;
}

qreal barsHeight(int rows, const TextMetrics& text, Legend legend)
{
    return std::max(1, rows) * rowHeight(text) + legendHeight(text, legend);
}

} // namespace coalescope::app
