// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/draw/draw.h"

#include <QRectF>

namespace coalescope::app {

/// What the layout must know of the texts. Units: logical pixels.
struct HeatMapTexts {
    qreal xLabel = 0, yLabel = 0; ///< widest label of the columns and of the rows
    qreal value = 0; ///< widest value of a cell; 0: none is written
    bool xTitle = false, yTitle = false;
};

/// Where the cells, their labels and the key are.
///
/// Cells are whole pixels, so that all are equally large. Where labels have no room side by side
/// only every n-th is shown.
struct HeatMapLayout {
    QRectF grid; ///< the cells
    QRectF xLabels, yLabels; ///< strips beside the cells
    QRectF xTitle, yTitle; ///< empty: none
    QRectF key; ///< what the colours mean
    int columns = 0, rows = 0;
    qreal cellWidth = 0, cellHeight = 0, gap = 0;
    int xLabelEvery = 1, yLabelEvery = 1;
    bool showsValues = false; ///< every value fits its cell

    [[nodiscard]] int cells() const { return columns * rows; }
    [[nodiscard]] QRectF cellRect(int cell) const; ///< cells row by row
    [[nodiscard]] int cellAt(QPointF point) const; ///< -1: none
    [[nodiscard]] QRectF xLabelRect(int column) const;
    [[nodiscard]] QRectF yLabelRect(int row) const;
};

[[nodiscard]] HeatMapLayout layoutHeatMap(
    int columns, int rows, const QRectF& area, const HeatMapTexts& texts, const TextMetrics& text);

/// The cell an arrow key leads to, one step in x or y; the same at the edge.
[[nodiscard]] int neighbourCell(const HeatMapLayout& layout, int cell, int stepX, int stepY);

} // namespace coalescope::app
