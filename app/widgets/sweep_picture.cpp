// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_picture.h"

#include "app/views/draw/draw.h"
#include "app/widgets/theme.h"

#include <QPainter>

#include <algorithm>

namespace coalescope::app {

namespace {

    constexpr qreal kMargin = 20;
    constexpr QSize kSize(1100, 720);

    HeatMapLayout layoutOf(const HeatMapModel& map, const QRectF& room, const QFont& font)
    {
        return layoutHeatMap(map.columns(), map.rows(), room, measureTexts(map, font), textMetrics(font));
    }

}

QSize sweepPictureSize(const SweepPicture& picture)
{
    if (!picture.map)
        return kSize;
    const QFont font = pictureFont();
    const qreal lines = 3.5 + qreal(picture.captions.size());
    const QRectF room(kMargin, kMargin + lines * textMetrics(font).line, kSize.width() - 2 * kMargin, kSize.height());
    return { kSize.width(), std::min(kSize.height(), int(layoutOf(*picture.map, room, font).key.bottom() + kMargin)) };
}

void renderSweep(QPainter& painter, const QSizeF& size, const SweepPicture& picture, const QPalette& palette, const QFont& font)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(QPointF(), size), themeColor(palette, ColorRole::Panel));
    QRectF room = QRectF(QPointF(), size).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const auto write = [&](const QString& words, ColorRole role, const QFont& with) {
        painter.setFont(with);
        painter.setPen(themeColor(palette, role));
        QRectF used;
        painter.drawText(room, int(Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap), words, &used);
        room.setTop(used.bottom() + 3);
    };
    QFont large = font;
    large.setBold(true);
    large.setPixelSize(int(font.pixelSize() * 1.3));
    write(picture.title, ColorRole::Text, large);
    for (const QString& caption : picture.captions)
        write(caption, ColorRole::MutedText, smallFont(font));
    if (!picture.sentence.isEmpty())
        write(picture.sentence, ColorRole::Text, font);
    room.setTop(room.top() + 8);
    painter.setFont(font);
    // Cells are whole pixels: smoothed edges would only blur them.
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (picture.map)
        HeatMapView::render(painter, *picture.map, layoutOf(*picture.map, room, font), palette);
    else if (picture.plot)
        XyPlot::render(painter, room, *picture.plot, palette, font);
}

} // namespace coalescope::app
