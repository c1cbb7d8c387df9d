// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/draw/draw.h"

#include <QRectF>

namespace coalescope::app {

/// A byte of a touched cache line.
struct LineByte {
    int line = -1; ///< index into touchedLines()
    int byte = -1; ///< 0..127

    bool operator==(const LineByte&) const = default;
};

/// Where the touched cache lines, their sectors and bytes are drawn, in content coordinates.
struct SectorLayout {
    int lines = 0;
    int columns = 1; ///< lines side by side
    QRectF header; ///< the figures
    QPointF origin; ///< of the first line's label
    qreal lineWidth = 128, lineGap = 8;
    qreal labelHeight = 14; ///< the address above each line
    qreal boxHeight = 32; ///< of a line's sectors
    qreal rowGap = 8;
    qreal sectorGap = 2;
    qreal contentHeight = 0;

    [[nodiscard]] QRectF lineRect(int line) const; ///< the four sectors
    [[nodiscard]] QRectF labelRect(int line) const;
    [[nodiscard]] QRectF sectorRect(int line, int sector) const;
    [[nodiscard]] QRectF byteRect(int line, int byte) const;
    [[nodiscard]] LineByte byteAt(QPointF point) const; ///< {-1, -1}: none
};

/// Wraps `lines` cache lines into rows of the width; rows beyond the height are for scrolling.
[[nodiscard]] SectorLayout layoutSectors(int lines, QSizeF size, const TextMetrics& text);

} // namespace coalescope::app
