// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/execute/launch.h"
#include "app/views/draw/draw.h"

#include <QRectF>

#include <cstdint>
#include <optional>

namespace coalescope::app {

/// Where each thread of a block is drawn.
///
/// x runs across, y down. A z layer is one tile. A row too long for the area is wrapped every
/// `wrapX` threads, its pieces directly below each other; a block with too many rows continues in
/// the next tile after `rowsPerTile` rows. Tiles follow each other in reading order.
struct BlockLayout {
    analysis::Dim3 block;
    QRectF grid; ///< the cells
    QRectF caption;
    std::uint32_t wrapX = 1; ///< threads of a row before it wraps
    std::uint32_t rowsPerTile = 1; ///< values of y in a tile
    std::uint32_t tilesAcross = 1;
    qreal cellWidth = 1, cellHeight = 1; ///< pitch of the cells
    qreal gapX = 0, gapY = 0; ///< between cells, part of the pitch
    qreal rowGap = 0; ///< extra between rows that are wrapped
    qreal tileGap = 0;

    [[nodiscard]] std::uint32_t linesPerRow() const; ///< 1 where no row is wrapped
    [[nodiscard]] std::uint32_t tilesPerLayer() const; ///< 1 where a layer is one tile
    [[nodiscard]] std::uint32_t tiles() const;
    [[nodiscard]] QSizeF tileSize() const;
    [[nodiscard]] QRectF tileRect(std::uint32_t tile) const;
    [[nodiscard]] QRectF threadRect(std::uint32_t flat) const; ///< flat = x + y * X + z * X * Y
    [[nodiscard]] std::optional<std::uint32_t> threadAt(QPointF point) const;
    [[nodiscard]] QRectF extent() const; ///< of the drawn cells
};

[[nodiscard]] BlockLayout layoutBlock(
    const analysis::Dim3& block, const QRectF& area, const TextMetrics& text);

} // namespace coalescope::app
