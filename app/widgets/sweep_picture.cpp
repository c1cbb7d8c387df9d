// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_picture.h"

#include "app/views/draw/draw.h"
#include "app/widgets/theme.h"

#include <QPainter>

namespace coalescope::app {

QSize sweepPictureSize()
{
    return { 1100, 720 };
}

void renderSweep(QPainter& painter, const QSizeF& size, const SweepPicture& picture, const QPalette& palette, const QFont& font)
{
    static constexpr qreal kMargin = 20;
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
        HeatMapView::render(painter, *picture.map,
            layoutHeatMap(picture.map->columns(), picture.map->rows(), room, measureTexts(*picture.map, font), textMetrics(font)),
            palette);
    else if (picture.plot)
        XyPlot::render(painter, room, *picture.plot, palette, font);
}

} // namespace coalescope::app
