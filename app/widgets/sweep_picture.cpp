// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/sweep_picture.h"

#include "app/views/draw/draw.h"
#include "app/widgets/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <vector>

namespace coalescope::app {

namespace {

    constexpr qreal kMargin = 20, kBetween = 3, kAboveData = 8;
    constexpr QSize kSize(1100, 720);
    constexpr int kTextFlags = int(Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap);

    /// One of the texts above the data.
    struct Text {
        QString words;
        ColorRole role;
        QFont font;
    };

    std::vector<Text> textsOf(const SweepPicture& picture, const QFont& font)
    {
        std::vector<Text> texts { { picture.title, ColorRole::Text, titleFont(font) } };
        for (const QString& caption : picture.captions)
            texts.push_back({ caption, ColorRole::MutedText, smallFont(font) });
        texts.push_back({ picture.sentence, ColorRole::Text, font });
        std::erase_if(texts, [](const Text& text) { return text.words.isEmpty(); });
        return texts;
    }

    qreal heightOf(const Text& text, qreal width)
    {
        return QFontMetricsF(text.font).boundingRect(QRectF(0, 0, width, kSize.height()), kTextFlags, text.words).height();
    }

    /// What the texts leave of a picture.
    QRectF roomForData(const std::vector<Text>& texts, const QSizeF& size)
    {
        QRectF room = QRectF(QPointF(), size).adjusted(kMargin, kMargin, -kMargin, -kMargin);
        for (const Text& text : texts)
            room.setTop(room.top() + heightOf(text, room.width()) + kBetween);
        room.setTop(room.top() + kAboveData);
        return room;
    }

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
    const std::vector<Text> texts = textsOf(picture, font);
    // Few columns fill no broad picture: it is as broad as they are, its title, and what the colours mean.
    const HeatMapLayout broad = layoutOf(*picture.map, roomForData(texts, kSize), font);
    const qreal title = QFontMetricsF(texts.front().font).horizontalAdvance(picture.title) + 1;
    const qreal needed = std::max({ broad.grid.right() - kMargin, title, HeatMapView::keyWidth(*picture.map, font) });
    const int width = std::min(kSize.width(), int(needed + 2 * kMargin) + 1);
    const QRectF room = roomForData(texts, QSizeF(width, kSize.height()));
    return { width, std::min(kSize.height(), int(layoutOf(*picture.map, room, font).key.bottom() + kMargin)) };
}

void renderSweep(QPainter& painter, const QSizeF& size, const SweepPicture& picture, const QPalette& palette, const QFont& font)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(QPointF(), size), themeColor(palette, ColorRole::Panel));
    const std::vector<Text> texts = textsOf(picture, font);
    const QRectF room = roomForData(texts, size);
    QRectF line(kMargin, kMargin, room.width(), 0);
    for (const Text& text : texts) {
        line.setHeight(heightOf(text, room.width()));
        painter.setFont(text.font);
        painter.setPen(themeColor(palette, text.role));
        painter.drawText(line, kTextFlags, text.words);
        line.moveTop(line.bottom() + kBetween);
    }
    painter.setFont(font);
    // Cells are whole pixels: smoothed edges would only blur them.
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (picture.map)
        HeatMapView::render(painter, *picture.map, layoutOf(*picture.map, room, font), palette);
    else if (picture.plot)
        XyPlot::render(painter, room, *picture.plot, palette, font);
}

} // namespace coalescope::app
