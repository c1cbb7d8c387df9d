// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/comparison_table.h"
#include "app/views/banks/banks_view.h"
#include "app/views/bars/bars_view.h"
#include "app/views/block/block_view.h"
#include "app/views/reading/reading.h"
#include "app/views/sectors/sectors_view.h"
#include "app/views/strip/strip_view.h"
#include "app/widgets/picture_file.h"

#include <QImage>
#include <QStringList>

#include <optional>
#include <vector>

namespace coalescope::app {

/// One memory instruction of the warp, read out and drawn.
struct AccessPicture {
    QString title;
    Reading reading;
    std::optional<BankModel> banks;
    std::optional<SectorModel> sectors;
};

/// Everything that the saved picture shows: one experiment, its chosen warp, and the comparison.
struct PictureModel {
    QString title; ///< kernel
    QStringList captions; ///< parameters, launch, where the figures come from
    QString warpTitle;
    std::optional<BlockModel> block;
    StripModel strip;
    std::vector<AccessPicture> accesses; ///< the chosen one first; those after it as far as there is room
    ComparisonTable table;
    QStringList findings;
    bool wrong = false; ///< the findings are bad ones
    bool verified = false; ///< and these are good ones
    QString termsTitle;
    TermsModel terms;
    QString barsTitle;
    BarsModel bars;
};

/// Size at which the picture shows everything. Units: logical pixels.
[[nodiscard]] QSize pictureSize(const PictureModel& model, const QFont& font);

/// Paints the picture; a size smaller than pictureSize() cuts its lower end.
void renderPicture(QPainter& painter, const QSizeF& size, const PictureModel& model, const QPalette& palette,
    const QFont& font);

[[nodiscard]] QImage pictureImage(const PictureModel& model, const QPalette& palette, QSize size, qreal scale);
/// One page as large as the picture, everything on it drawn as vectors and text.
[[nodiscard]] QByteArray picturePdf(const PictureModel& model, const QPalette& palette, QSize size);
[[nodiscard]] QByteArray pictureSvg(const PictureModel& model, const QPalette& palette, QSize size);

} // namespace coalescope::app
