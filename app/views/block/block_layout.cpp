// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/block/block_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace coalescope::app {
namespace {

constexpr std::uint32_t kMaxThreads = 1024; // no CUDA device has larger blocks
constexpr std::uint32_t kWarp = 32; // lanes

std::uint32_t parts(std::uint32_t whole, std::uint32_t part) { return (whole + part - 1) / part; }

/// The whole extent, then the powers of two below it, down to a floor.
std::vector<std::uint32_t> splits(std::uint32_t extent, std::uint32_t floor)
{
    std::vector<std::uint32_t> sizes { extent };
    for (std::uint32_t size = std::bit_floor(std::max(1u, extent - 1)); size >= floor; size /= 2)
        sizes.push_back(size);
    return sizes;
}

/// Whole pixels where there are enough of them: cells of one size look calmer than a full width.
qreal snappedToQuarters(qreal pitch) { return pitch >= 3 ? std::floor(pitch) : std::floor(pitch * 4) / 4; }

/// Sets the cells' pitch for the splits that are already chosen.
void fitCells(BlockLayout& layout, qreal largest)
{
    constexpr qreal longest = 2.5; // times the short side
    const auto down = parts(layout.tiles(), layout.tilesAcross);
    const auto lines = layout.rowsPerTile * layout.linesPerRow();
    const qreal width = layout.grid.width() - (layout.tilesAcross - 1) * layout.tileGap;
    const qreal height = layout.grid.height() - (down - 1) * layout.tileGap
        - down * (layout.rowsPerTile - 1) * layout.rowGap;
    qreal w = std::min(width / (layout.tilesAcross * layout.wrapX), largest);
    qreal h = std::min(height / (down * lines), largest);
    w = std::max(0.0, std::min(w, h * longest));
    h = std::max(0.0, std::min(h, w * longest));
    layout.cellWidth = w;
    layout.cellHeight = h;
}

/// Larger is better: cells that can be told apart, and every halving of rows has to pay.
qreal score(const BlockLayout& layout)
{
    const qreal shorter = std::min({ layout.cellWidth, layout.cellHeight, 6.0 });
    return shorter / (1 + std::log2(layout.linesPerRow()) + std::log2(layout.tilesPerLayer()))
        + 1e-4 * layout.cellWidth * layout.cellHeight;
}

BlockLayout best(const BlockLayout& start, qreal largest, qreal gap)
{
    BlockLayout chosen = start;
    qreal highest = -1;
    for (const auto wrap : splits(start.block.x, std::min(start.block.x, kWarp))) { // a warp's neighbours stay one line
        for (const auto rows : splits(start.block.y, 4)) {
            BlockLayout layout = start;
            layout.wrapX = wrap;
            layout.rowsPerTile = rows;
            layout.rowGap = layout.linesPerRow() > 1 ? std::floor(gap / 2) : 0;
            layout.tileGap = layout.tiles() > 1 ? gap : 0;
            for (layout.tilesAcross = 1; layout.tilesAcross <= layout.tiles();
                 ++layout.tilesAcross) {
                fitCells(layout, largest);
                if (const qreal points = score(layout); points > highest) {
                    highest = points;
                    chosen = layout;
                }
            }
        }
    }
    return chosen;
}

} // namespace

std::uint32_t BlockLayout::linesPerRow() const { return parts(block.x, wrapX); }
std::uint32_t BlockLayout::tilesPerLayer() const { return parts(block.y, rowsPerTile); }
std::uint32_t BlockLayout::tiles() const { return tilesPerLayer() * block.z; }

QSizeF BlockLayout::tileSize() const
{
    return { wrapX * cellWidth,
        rowsPerTile * linesPerRow() * cellHeight + (rowsPerTile - 1) * rowGap };
}

QRectF BlockLayout::tileRect(std::uint32_t tile) const
{
    const QSizeF size = tileSize();
    const qreal column = tile % tilesAcross, row = tile / tilesAcross; // whole numbers
    return { grid.topLeft()
            + QPointF(column * (size.width() + tileGap), row * (size.height() + tileGap)),
        size };
}

QRectF BlockLayout::threadRect(std::uint32_t flat) const
{
    if (cellWidth <= 0 || flat >= block.count())
        return {};
    const auto x = flat % block.x, y = flat / block.x % block.y, z = flat / block.x / block.y;
    const QPointF corner = tileRect(z * tilesPerLayer() + y / rowsPerTile).topLeft();
    const auto row = y % rowsPerTile;
    const qreal left = (x % wrapX) * cellWidth;
    const qreal top = (row * linesPerRow() + x / wrapX) * cellHeight + row * rowGap;
    return { corner + QPointF(left, top), QSizeF(cellWidth - gapX, cellHeight - gapY) };
}

std::optional<std::uint32_t> BlockLayout::threadAt(QPointF point) const
{
    if (cellWidth <= 0 || cellHeight <= 0)
        return {};
    const QSizeF size = tileSize();
    const QPointF in = point - grid.topLeft();
    const qreal column = std::floor(in.x() / (size.width() + tileGap));
    const qreal line = std::floor(in.y() / (size.height() + tileGap));
    if (column < 0 || line < 0 || column >= tilesAcross)
        return {};
    const auto tile = std::uint32_t(line) * tilesAcross + std::uint32_t(column);
    if (tile >= tiles())
        return {};
    const QPointF cell = point - tileRect(tile).topLeft();
    const qreal rowPitch = linesPerRow() * cellHeight + rowGap;
    const auto row = std::uint32_t(cell.y() / rowPitch);
    const auto piece = std::uint32_t((cell.y() - row * rowPitch) / cellHeight);
    const auto x = piece * wrapX + std::uint32_t(cell.x() / cellWidth);
    const auto y = tile % tilesPerLayer() * rowsPerTile + row;
    if (cell.x() >= size.width() || row >= rowsPerTile || piece >= linesPerRow() || x >= block.x
        || y >= block.y)
        return {};
    return x + block.x * (y + block.y * (tile / tilesPerLayer()));
}

QRectF BlockLayout::extent() const
{
    return tileRect(0).united(tileRect(tilesAcross - 1)).united(tileRect(tiles() - 1));
}

BlockLayout layoutBlock(const analysis::Dim3& block, const QRectF& area, const TextMetrics& text)
{
    BlockLayout layout;
    layout.block = block;
    const auto cut = [&](int captionLines) {
        const qreal height = captionLines * text.smallLine;
        layout.grid = area.adjusted(0, 0, 0, -height - 3);
        layout.caption = QRectF(area.left(), area.bottom() - height, area.width(), height);
    };
    cut(1);
    if (block.count() == 0 || block.count() > kMaxThreads) {
        layout.cellWidth = layout.cellHeight = 0;
        layout.block = {};
        return layout;
    }
    const qreal largest = std::round(text.line * 0.85);
    const qreal gap = std::max(3.0, std::round(text.line / 4));
    BlockLayout chosen = best(layout, largest, gap);
    if (chosen.tiles() > 1 || chosen.linesPerRow() > 1) {
        cut(2); // the second line says how the block is folded
        chosen = best(layout, largest, gap);
    }
    chosen.cellWidth = snappedToQuarters(chosen.cellWidth);
    chosen.cellHeight = snappedToQuarters(chosen.cellHeight);
    chosen.gapX = chosen.cellWidth >= 3 ? 1 : 0;
    chosen.gapY = chosen.cellHeight >= 3 ? 1 : 0;
    // The caption follows the cells rather than the bottom of the area.
    const qreal bottom = chosen.extent().bottom() + 3;
    chosen.caption.moveTop(std::min(chosen.caption.top(), std::ceil(bottom)));
    return chosen;
}

} // namespace coalescope::app
