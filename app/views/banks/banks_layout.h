// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/draw/draw.h"

#include <QRectF>

#include <vector>

namespace coalescope::app {

/// A cell of the picture: a bank in a wavefront.
struct BankCell {
    int wavefront = -1;
    int bank = -1;

    bool operator==(const BankCell&) const = default;
};

/// Where banks (across) and wavefronts (down, grouped by phase) are drawn.
struct BankLayout {
    std::vector<int> phaseOf; ///< phase of each wavefront, in the order served
    QRectF grid; ///< the cells
    QRectF bankAxis; ///< bank numbers above the grid
    QRectF wavefrontAxis; ///< wavefront numbers left of it
    QRectF phaseLabels; ///< right of the grid; empty where there is one phase
    QRectF figures; ///< the line above everything
    QRectF listing; ///< the lines under the grid
    qreal cellWidth = 1, cellHeight = 1; ///< pitch
    qreal gapX = 1, gapY = 1; ///< part of the pitch
    qreal phaseGap = 0; ///< between two phases
    std::vector<qreal> rowTop; ///< of each wavefront

    [[nodiscard]] int wavefronts() const { return int(phaseOf.size()); }
    [[nodiscard]] QRectF cellRect(int wavefront, int bank) const;
    [[nodiscard]] QRectF rowRect(int wavefront) const;
    [[nodiscard]] QRectF bankRect(int bank) const; ///< the column, its number included
    [[nodiscard]] BankCell cellAt(
        QPointF point) const; ///< wavefront -1 in the axis above; {-1, -1}: none
    [[nodiscard]] int wavefrontLabelStep(
        const TextMetrics& text) const; ///< every how many rows a number fits
    [[nodiscard]] int bankLabelStep(const TextMetrics& text) const;
};

[[nodiscard]] BankLayout layoutBanks(
    std::vector<int> phaseOfWavefront, const QRectF& area, const TextMetrics& text);

} // namespace coalescope::app
