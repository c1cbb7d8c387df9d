// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/heatmap_view.h"
#include "app/views/plot/xy_plot.h"
#include "app/widgets/picture_file.h"

#include <QPalette>

#include <optional>

namespace coalescope::app {

/// What is saved of a sweep: one of its pictures with what it is of.
struct SweepPicture {
    QString title; ///< kernel
    QStringList captions; ///< what is held fixed, the device, where the figures come from
    QString sentence; ///< the picture read out
    std::optional<HeatMapModel> map;
    std::optional<XyModel> plot; ///< where there is no map
};

/// Size at which the picture shows everything. Units: logical pixels.
[[nodiscard]] QSize sweepPictureSize(const SweepPicture& picture);

void renderSweep(QPainter& painter, const QSizeF& size, const SweepPicture& picture, const QPalette& palette, const QFont& font);

} // namespace coalescope::app
