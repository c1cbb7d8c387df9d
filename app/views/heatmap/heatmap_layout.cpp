// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_layout.h"

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

constexpr qreal kSpace = 6; ///< between labels and cells

int every(qreal needed, qreal pitch)
{
    return pitch > 0 ? std::max(1, int(std::ceil(needed / pitch))) : 1;
}

} // namespace

QRectF HeatMapLayout::cellRect(int cell) const
{
    const int x = cell % std::max(1, columns), y = cell / std::max(1, columns);
    return { grid.left() + x * cellWidth, grid.top() + y * cellHeight, cellWidth - gap,
        cellHeight - gap };
}

int HeatMapLayout::cellAt(QPointF point) const
{
    if (cells() == 0 || point.x() < grid.left() || point.y() < grid.top())
        return -1;
    const int x = int((point.x() - grid.left()) / cellWidth);
    const int y = int((point.y() - grid.top()) / cellHeight);
    return x < columns && y < rows ? y * columns + x : -1;
}

QRectF HeatMapLayout::xLabelRect(int column) const
{
    const qreal width = cellWidth * xLabelEvery;
    const qreal centre = grid.left() + (column + 0.5) * cellWidth - gap / 2;
    return { centre - width / 2, xLabels.top(), width, xLabels.height() };
}

QRectF HeatMapLayout::yLabelRect(int row) const
{
    const qreal height = cellHeight * yLabelEvery;
    const qreal centre = grid.top() + (row + 0.5) * cellHeight - gap / 2;
    return { yLabels.left(), centre - height / 2, yLabels.width(), height };
}

HeatMapLayout layoutHeatMap(
    int columns, int rows, const QRectF& area, const HeatMapTexts& texts, const TextMetrics& text)
{
    HeatMapLayout layout;
    layout.columns = columns;
    layout.rows = rows;
    if (columns <= 0 || rows <= 0)
        return { .key = area };
    const qreal titleHeight = text.smallLine + 2;
    const qreal left
        = (texts.yTitle ? titleHeight + 2 : 0) + texts.yLabel + (texts.yLabel > 0 ? kSpace : 1);
    const qreal below = text.smallLine + 4 + (texts.xTitle ? titleHeight : 0);
    const qreal keyHeight = text.smallLine + 8;
    const QSizeF room(std::max(1.0, area.width() - left - 2),
        std::max(1.0, area.height() - below - keyHeight - 3));
    // Few cells do not grow into posters: their colours are what is to be seen.
    layout.cellWidth = std::clamp(std::floor(room.width() / columns), 1.0, 9 * text.line);
    layout.cellHeight = std::clamp(std::floor(room.height() / rows), 1.0, 4 * text.line);
    layout.gap = std::min(layout.cellWidth, layout.cellHeight) >= 6 ? 1 : 0;
    layout.grid = QRectF(
        area.left() + left, area.top() + 2, columns * layout.cellWidth, rows * layout.cellHeight);
    layout.xLabels = QRectF(
        layout.grid.left(), layout.grid.bottom() + 2, layout.grid.width(), text.smallLine + 2);
    layout.yLabels = QRectF(layout.grid.left() - kSpace - texts.yLabel, layout.grid.top(),
        texts.yLabel, layout.grid.height());
    layout.xLabelEvery = every(texts.xLabel + text.smallDigit, layout.cellWidth);
    layout.yLabelEvery = every(text.smallLine, layout.cellHeight);
    qreal bottom = layout.xLabels.bottom();
    if (texts.xTitle) {
        layout.xTitle = QRectF(layout.grid.left(), bottom, layout.grid.width(), titleHeight);
        // A title wider than few narrow cells goes on to the right.
        layout.xTitle.setRight(std::max(layout.xTitle.right(), area.right()));
        bottom = layout.xTitle.bottom();
    }
    if (texts.yTitle)
        layout.yTitle = QRectF(area.left(), layout.grid.top(), titleHeight, layout.grid.height());
    layout.key = QRectF(area.left(), bottom + 4, area.width(), text.smallLine + 4);
    layout.showsValues = texts.value > 0 && texts.value + 4 <= layout.cellWidth - layout.gap
        && text.smallLine <= layout.cellHeight - layout.gap;
    return layout;
}

int neighbourCell(const HeatMapLayout& layout, int cell, int stepX, int stepY)
{
    if (layout.cells() == 0)
        return -1;
    if (cell < 0 || cell >= layout.cells())
        return 0;
    const int x = std::clamp(cell % layout.columns + stepX, 0, layout.columns - 1);
    const int y = std::clamp(cell / layout.columns + stepY, 0, layout.rows - 1);
    return y * layout.columns + x;
}

} // namespace coalescope::app
