// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/banks/banks_layout.h"

#include "analysis/access/bank_model.h"

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

using analysis::kBanks;

qreal snapped(qreal pitch) { return pitch >= 3 ? std::floor(pitch) : pitch; }

/// The smallest of 1, 2, 4, 8, ... whose labels do not touch.
int stepFor(qreal pitch, qreal label, int most)
{
    int step = 1;
    while (step < most && step * pitch < label)
        step *= 2;
    return step;
}

}

QRectF BankLayout::rowRect(int wavefront) const
{
    return { grid.left(), rowTop[std::size_t(wavefront)], grid.width(), cellHeight - gapY };
}

QRectF BankLayout::cellRect(int wavefront, int bank) const
{
    return { grid.left() + bank * cellWidth, rowTop[std::size_t(wavefront)], cellWidth - gapX,
        cellHeight - gapY };
}

QRectF BankLayout::bankRect(int bank) const
{
    return { grid.left() + bank * cellWidth, bankAxis.top(), cellWidth,
        grid.bottom() - bankAxis.top() };
}

BankCell BankLayout::cellAt(QPointF point) const
{
    const qreal x = (point.x() - grid.left()) / cellWidth;
    if (x < 0 || x >= kBanks || point.y() < bankAxis.top() || point.y() >= grid.bottom())
        return {};
    const int bank = int(x);
    const auto below = std::upper_bound(rowTop.begin(), rowTop.end(), point.y());
    if (below == rowTop.begin())
        return { -1, bank };
    const int row = int(below - rowTop.begin()) - 1;
    return { point.y() < rowTop[std::size_t(row)] + cellHeight ? row : -1, bank };
}

int BankLayout::wavefrontLabelStep(const TextMetrics& text) const
{
    return stepFor(cellHeight, text.smallLine, 16);
}

int BankLayout::bankLabelStep(const TextMetrics& text) const
{
    return stepFor(cellWidth, 3 * text.smallDigit, 16);
}

BankLayout layoutBanks(
    std::vector<int> phaseOfWavefront, const QRectF& area, const TextMetrics& text)
{
    BankLayout layout;
    layout.phaseOf = std::move(phaseOfWavefront);
    const int rows = layout.wavefronts();
    int changes = 0;
    for (int row = 1; row < rows; ++row)
        changes += layout.phaseOf[std::size_t(row)] != layout.phaseOf[std::size_t(row - 1)];

    layout.figures = QRectF(area.left(), area.top(), area.width(), text.line + 2);
    const qreal listing = 2 * text.smallLine + 2;
    layout.listing = QRectF(area.left(), area.bottom() - listing, area.width(), listing);
    const qreal left = std::ceil(9 * text.smallDigit); // "wavefront" above the numbers
    const qreal right = changes > 0 ? std::ceil(13 * text.smallDigit) : 2;
    layout.bankAxis = QRectF(area.left() + left, layout.figures.bottom() + 2,
        std::max(32.0, area.width() - left - right), text.smallLine + 1);
    const qreal top = layout.bankAxis.bottom();
    const qreal room = std::max(8.0, layout.listing.top() - 3 - top);

    layout.cellWidth = snapped(std::min(layout.bankAxis.width() / kBanks, text.line * 1.9));
    layout.phaseGap
        = changes > 0 ? std::floor(std::min(text.line / 2, room / (4 * (changes + 1)))) : 0;
    const qreal least = 0.5; // a row is never thinner, however little room there is
    const qreal fitting = (room - changes * layout.phaseGap) / std::max(1, rows);
    layout.cellHeight = std::max(least, snapped(std::min(fitting, std::ceil(text.line * 1.6))));
    layout.gapX = layout.cellWidth >= 4 ? 1 : 0;
    layout.gapY = layout.cellHeight >= 4 ? 1 : 0;
    qreal y = top;
    for (int row = 0; row < rows; ++row) {
        if (row > 0 && layout.phaseOf[std::size_t(row)] != layout.phaseOf[std::size_t(row - 1)])
            y += layout.phaseGap;
        layout.rowTop.push_back(y);
        y += layout.cellHeight;
    }
    layout.bankAxis.setWidth(kBanks * layout.cellWidth);
    layout.grid = QRectF(layout.bankAxis.left(), top, kBanks * layout.cellWidth, y - top);
    layout.wavefrontAxis = QRectF(area.left(), top, left - text.smallDigit, y - top);
    if (changes > 0)
        layout.phaseLabels = QRectF(layout.grid.right() + text.smallDigit, top,
            area.right() - layout.grid.right() - text.smallDigit, y - top);
    // The listing follows the grid; what is left below stays empty.
    layout.listing.moveTop(std::min(layout.listing.top(), layout.grid.bottom() + 3));
    return layout;
}

} // namespace coalescope::app
