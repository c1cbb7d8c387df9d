// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sectors/sectors_layout.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

using analysis::kSectorBytes;
constexpr int kSectors = 4; // of a line

int rowsOf(int lines, int columns) { return (lines + columns - 1) / columns; }

}

QRectF SectorLayout::labelRect(int line) const
{
    const qreal rowPitch = labelHeight + boxHeight + rowGap;
    return { origin.x() + line % columns * (lineWidth + lineGap),
        origin.y() + line / columns * rowPitch, lineWidth, labelHeight };
}

QRectF SectorLayout::lineRect(int line) const
{
    const QRectF label = labelRect(line);
    return { label.left(), label.bottom(), lineWidth, boxHeight };
}

QRectF SectorLayout::sectorRect(int line, int sector) const
{
    const QRectF box = lineRect(line);
    const qreal pitch = (lineWidth + sectorGap) / kSectors;
    return { box.left() + sector * pitch, box.top(), pitch - sectorGap, boxHeight };
}

QRectF SectorLayout::byteRect(int line, int byte) const
{
    const QRectF sector = sectorRect(line, byte / kSectorBytes);
    const qreal width = sector.width() / kSectorBytes;
    return { sector.left() + byte % kSectorBytes * width, sector.top(), width, sector.height() };
}

LineByte SectorLayout::byteAt(QPointF point) const
{
    const QPointF in = point - origin;
    const int column = int(std::floor(in.x() / (lineWidth + lineGap)));
    const int row = int(std::floor(in.y() / (labelHeight + boxHeight + rowGap)));
    const int line = row * columns + column;
    if (column < 0 || row < 0 || column >= columns || line >= lines)
        return {};
    for (int sector = 0; sector < kSectors; ++sector) {
        const QRectF box = sectorRect(line, sector);
        if (!box.contains(point))
            continue;
        const int byte = int((point.x() - box.left()) / box.width() * kSectorBytes);
        return { line, sector * kSectorBytes + std::clamp(byte, 0, kSectorBytes - 1) };
    }
    return {};
}

SectorLayout layoutSectors(int lines, QSizeF size, const TextMetrics& text)
{
    SectorLayout layout;
    layout.lines = lines;
    layout.header = QRectF(2, 0, size.width() - 4, text.line + 2);
    layout.origin = QPointF(2, layout.header.bottom() + text.smallLine / 3);
    layout.labelHeight = text.smallLine + 1;
    layout.lineGap = std::round(text.digit);
    layout.rowGap = std::round(text.smallLine / 3);
    layout.sectorGap = 2;
    const qreal width = layout.header.width() + layout.lineGap;
    const qreal room = size.height() - layout.origin.y();
    // A line is never narrower than the last digits of its address, never so wide that the eye must travel.
    const qreal narrowest = std::max(76.0, 11 * text.smallDigit), widest = 56 * text.line;
    static constexpr int kFewLines = 12;
    const qreal lowest = std::floor(0.75 * text.line), highest = (lines <= kFewLines ? 3.4 : 2.2) * text.line;
    const int most = std::clamp(int(width / (narrowest + layout.lineGap)), 1, std::max(1, lines));
    // Neighbouring lines stand side by side while a byte has a pixel; more columns, of narrower
    // lines, only where the rows do not fit the height; flat boxes only where even that is too few.
    const qreal comfortable = std::max(140.0, 1.3 * narrowest);
    const int start = std::clamp(int(width / (comfortable + layout.lineGap)), 1, most);
    const auto fits = [&](qreal least) {
        for (layout.columns = start; layout.columns <= most; ++layout.columns) {
            const int rows = std::max(1, rowsOf(lines, layout.columns));
            const qreal box = room / rows - layout.labelHeight - layout.rowGap;
            layout.boxHeight = std::floor(std::clamp(box, lowest, highest));
            if (box >= least)
                return true;
        }
        layout.columns = most;
        return false;
    };
    if (!fits(text.line))
        fits(lowest);
    layout.lineWidth = std::floor(std::min(width / layout.columns - layout.lineGap, widest));
    // One sector's width is a whole number of pixels, so that sectors look alike.
    layout.lineWidth -= std::fmod(layout.lineWidth + layout.sectorGap, kSectors);
    const int rows = rowsOf(lines, layout.columns);
    layout.contentHeight
        = layout.origin.y() + rows * (layout.labelHeight + layout.boxHeight + layout.rowGap);
    return layout;
}

} // namespace coalescope::app
