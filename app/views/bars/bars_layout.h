// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/draw/draw.h"

#include <QRectF>

namespace coalescope::app {

/// Where the rows and the legend are; the bars within a row are the plot's.
struct BarsLayout {
    QRectF plot;
    QRectF legend; ///< empty: none
    int rows = 0;

    [[nodiscard]] QRectF rowRect(int row) const;
    [[nodiscard]] int rowAt(QPointF point) const; ///< -1: none
};

enum class Legend { None, Shown };

[[nodiscard]] BarsLayout layoutBars(
    int rows, const QRectF& area, const TextMetrics& text, Legend legend);

/// Height that `rows` rows need.
[[nodiscard]] qreal barsHeight(int rows, const TextMetrics& text, Legend legend);

} // namespace coalescope::app
