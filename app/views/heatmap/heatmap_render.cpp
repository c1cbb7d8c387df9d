// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_view.h"

#include "app/widgets/theme.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace coalescope::app {
namespace {

constexpr int kKeySteps = 48;

QColor colorOf(const HeatMapModel& model, double share, const QPalette& palette)
{
    return model.scale == HeatScale::Deviation ? divergingColor(palette, share) : rampColor(share);
}

/// Rising or falling lines over a rectangle, ended at its edges: a vector file knows neither the
/// patterns of a brush nor, always, a clip.
void addHatch(QList<QLineF>& lines, const QRectF& rect, bool rising)
{
    static constexpr qreal kPitch = 5;
    const qreal height = rect.height();
    for (qreal x = rect.left() - height; x < rect.right(); x += kPitch) {
        const qreal from = std::max(0.0, rect.left() - x), to = std::min(height, rect.right() - x);
        const auto at = [&](qreal way) {
            return QPointF(x + way, rising ? rect.bottom() - way : rect.top() + way);
        };
        if (to > from)
            lines.append({ at(from), at(to) });
    }
}

/// Hatches what is not allowed one way, what failed both ways.
void drawHatched(
    QPainter& painter, const QList<QRectF>& rects, CellState state, const QPalette& palette)
{
    QList<QLineF> lines;
    for (const QRectF& rect : rects) {
        addHatch(lines, rect, true);
        if (state == CellState::Failed)
            addHatch(lines, rect, false);
    }
    painter.setPen(QPen(
        themeColor(palette, state == CellState::Failed ? ColorRole::Warn : ColorRole::Grid), 1));
    painter.drawLines(lines);
}

void drawCell(QPainter& painter, const HeatMapModel& model, const HeatCell& cell,
    const QRectF& rect, const QPalette& palette)
{
    switch (cell.state) {
    case CellState::Known:
        painter.fillRect(rect, colorOf(model, model.shareOf(cell.value), palette));
        break;
    case CellState::Waiting:
        painter.fillRect(rect, themeColor(palette, ColorRole::Quiet));
        break;
    case CellState::Absent:
        painter.setPen(QPen(themeColor(palette, ColorRole::Quiet), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        break;
    case CellState::Illegal:
    case CellState::Failed:
        break; // hatched all at once
    }
}

void drawStar(QPainter& painter, QPointF centre, qreal radius, const QColor& color)
{
    QPolygonF star;
    for (int i = 0; i < 10; ++i) {
        const double angle = (i * 36 - 90) * std::numbers::pi / 180;
        const qreal r = i % 2 == 0 ? radius : radius * 0.42;
        star << centre + QPointF(r * std::cos(angle), r * std::sin(angle));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(star);
    painter.restore();
}

/// Marks the lower left corner.
void drawFault(QPainter& painter, const QRectF& rect, const QPalette& palette)
{
    const qreal side = std::min({ rect.width() * 0.6, rect.height() * 0.6, 12.0 });
    painter.setPen(QPen(themeColor(palette, ColorRole::Panel), 1));
    painter.setBrush(themeColor(palette, ColorRole::Bad));
    painter.drawPolygon(QPolygonF { rect.bottomLeft(), rect.bottomLeft() + QPointF(side, 0),
        rect.bottomLeft() - QPointF(0, side) });
}

void drawBest(QPainter& painter, const HeatMapModel& model, int best, const HeatMapLayout& layout,
    const QPalette& palette)
{
    const HeatCell& cell = model.cells[std::size_t(best)];
    const QRectF rect = layout.cellRect(best);
    const QColor ink = textColorOn(colorOf(model, model.shareOf(cell.value), palette));
    // Where the value is written the star goes to the corner, as small as the space above the
    // digits or beside them; where there is none it sits on the corner, where no cell has digits.
    const bool corner = layout.showsValues;
    constexpr qreal kLeastRadius = 4, kRadius = 5, kEdge = 3, kLeastInCorner = 2.5;
    const QFontMetricsF font(painter.font());
    const qreal above = (rect.height() - font.capHeight()) / 2, beside = (rect.width() - font.horizontalAdvance(cell.text)) / 2;
    const qreal free = std::max(above, beside) / 2 - kEdge + 1;
    const qreal inside = std::min({ rect.width() / 2, rect.height() / 2, kRadius });
    if (!corner && inside < kLeastRadius) { // larger than its cell, with an edge that no neighbour's colour hides
        drawStar(painter, rect.center(), kRadius + 2, themeColor(palette, ColorRole::Panel));
        drawStar(painter, rect.center(), kRadius, themeColor(palette, ColorRole::Text));
        return;
    }
    const qreal radius = corner ? std::min(free, kRadius) : inside;
    if (corner) { // so small a star wants a frame
        painter.setPen(QPen(ink, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(1.5, 1.5, -1.5, -1.5));
    }
    if (!corner)
        return drawStar(painter, rect.center(), radius, ink);
    if (radius >= kLeastInCorner)
        return drawStar(painter, rect.topRight() + QPointF(-radius - kEdge, radius + kEdge), radius, ink);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColor(palette, ColorRole::Panel));
    painter.drawEllipse(rect.topRight(), kRadius + 1.5, kRadius + 1.5);
    painter.restore();
    drawStar(painter, rect.topRight(), kRadius, themeColor(palette, ColorRole::Text));
}

void drawAxes(QPainter& painter, const HeatMapModel& model, const HeatMapLayout& layout,
    const QPalette& palette)
{
    painter.setPen(themeColor(palette, ColorRole::MutedText));
    for (int x = 0; x < layout.columns; x += layout.xLabelEvery)
        painter.drawText(
            layout.xLabelRect(x), int(Qt::AlignCenter) | Qt::TextSingleLine, model.xLabels[x]);
    for (int y = 0; y < layout.rows; y += layout.yLabelEvery)
        painter.drawText(layout.yLabelRect(y),
            int(Qt::AlignRight | Qt::AlignVCenter) | Qt::TextSingleLine, model.yLabels[y]);
    if (!layout.xTitle.isEmpty())
        drawElided(painter, layout.xTitle, model.xTitle);
    if (!layout.yTitle.isEmpty()) {
        painter.save();
        painter.translate(layout.yTitle.left(), layout.yTitle.bottom());
        painter.rotate(-90);
        drawElided(painter, QRectF(0, 0, layout.yTitle.height(), layout.yTitle.width()),
            model.yTitle, Qt::AlignRight | Qt::AlignVCenter);
        painter.restore();
    }
}

/// The line below the picture: entries from left to right, as far as there is room.
struct KeyLine {
    QPainter& painter;
    QRectF area;
    qreal x;

    bool write(const QString& text, const QColor& color)
    {
        const qreal width = QFontMetricsF(painter.font()).horizontalAdvance(text);
        if (x + width > area.right() + 1)
            return false;
        painter.setPen(color);
        painter.drawText(QRectF(x, area.top(), width + 2, area.height()),
            int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine, text);
        x += width + 6;
        return true;
    }
    template <class Draw> void entry(const QString& name, const QColor& color, Draw draw)
    {
        const QRectF box(x, area.center().y() - 5, 14, 11);
        if (box.right() + 6 + QFontMetricsF(painter.font()).horizontalAdvance(name) > area.right())
            return;
        draw(box);
        x = box.right() + 5;
        write(name, color);
        x += 8;
    }
};

/// The colours between the scale's ends.
void drawScale(KeyLine& line, const HeatMapModel& model, const QPalette& palette)
{
    const QColor ink = themeColor(palette, ColorRole::Text);
    if (model.least.isEmpty() || !line.write(model.least, ink))
        return;
    const qreal width = line.area.width(); // where it is short, the marks need it more
    const qreal step = std::min(2.5, std::max(width / 10, (width - 220) / 4) / kKeySteps);
    for (int i = 0; i < kKeySteps; ++i) {
        const double share = double(i) / (kKeySteps - 1);
        line.painter.fillRect(QRectF(line.x + i * step, line.area.center().y() - 4, step + 0.5, 9),
            colorOf(model, model.scale == HeatScale::Deviation ? 2 * share - 1 : share, palette));
    }
    line.x += kKeySteps * step + 6;
    line.write(model.most, ink);
    line.x += 10;
}

/// What the colours, a star, an outline and the hatching mean; returns where it ends.
qreal drawKey(QPainter& painter, const HeatMapModel& model, const HeatMapLayout& layout,
    const QPalette& palette)
{
    KeyLine line { painter, layout.key, layout.key.left() };
    const QColor ink = themeColor(palette, ColorRole::Text);
    const QColor muted = themeColor(palette, ColorRole::MutedText);
    drawScale(line, model, palette);
    if (!model.best.empty())
        line.entry(model.scale == HeatScale::Deviation ? HeatMapView::tr("nearest") : HeatMapView::tr("best"), muted,
            [&](const QRectF& box) { drawStar(painter, box.center(), 5, ink); });
    const auto outlined = [&](const QString& name, const QPen& pen) {
        line.entry(name, muted, [&](const QRectF& box) {
            painter.setPen(pen);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        });
    };
    if (model.current >= 0)
        outlined(HeatMapView::tr("experiment"), QPen(ink, 2));
    const auto has = [&](CellState state) {
        return std::ranges::find(model.cells, state, &HeatCell::state) != model.cells.end();
    };
    for (const auto& [state, name] :
        { std::pair(CellState::Illegal, HeatMapView::tr("not allowed")),
            std::pair(CellState::Failed, HeatMapView::tr("no result")) }) {
        if (has(state))
            line.entry(name, muted,
                [&](const QRectF& box) { drawHatched(painter, { box }, state, palette); });
    }
    if (std::ranges::find(model.cells, true, &HeatCell::faulty) != model.cells.end())
        line.entry(HeatMapView::tr("faulty"), muted,
            [&](const QRectF& box) { drawFault(painter, box.adjusted(0, -5, 4, 0), palette); });
    if (has(CellState::Absent))
        outlined(HeatMapView::tr("not measured"), QPen(themeColor(palette, ColorRole::Grid), 1));
    // Last: where room is short, the controls above say it too.
    line.write(model.valueTitle, muted);
    return line.x;
}

} // namespace

double HeatMapModel::shareOf(double value) const
{
    if (scale == HeatScale::Deviation) {
        const double reach = std::max(std::abs(leastValue), std::abs(mostValue));
        return reach > 0 ? std::clamp(value / reach, -1.0, 1.0) : 0;
    }
    if (mostValue <= leastValue)
        return 0;
    const double share = logarithmic
        ? std::log(value / leastValue) / std::log(mostValue / leastValue)
        : (value - leastValue) / (mostValue - leastValue);
    return std::clamp(share, 0.0, 1.0);
}

qreal HeatMapView::keyWidth(const HeatMapModel& model, const QFont& font)
{
    static constexpr qreal kEnough = 1e5;
    QImage nowhere(1, 1, QImage::Format_RGB32);
    QPainter painter(&nowhere);
    painter.setFont(smallFont(font));
    HeatMapLayout layout;
    layout.key = QRectF(0, 0, kEnough, textMetrics(font).smallLine);
    return drawKey(painter, model, layout, QPalette());
}

void HeatMapView::render(QPainter& painter, const HeatMapModel& model, const HeatMapLayout& layout,
    const QPalette& palette)
{
    painter.save();
    painter.setFont(smallFont(painter.font()));
    const int cells = std::min(layout.cells(), int(model.cells.size()));
    for (int i = 0; i < cells; ++i) {
        const HeatCell& cell = model.cells[std::size_t(i)];
        const QRectF rect = layout.cellRect(i);
        drawCell(painter, model, cell, rect, palette);
        if (layout.showsValues && cell.state == CellState::Known) {
            painter.setPen(textColorOn(colorOf(model, model.shareOf(cell.value), palette)));
            painter.drawText(rect, int(Qt::AlignCenter) | Qt::TextSingleLine, cell.text);
        }
        if (cell.faulty)
            drawFault(painter, rect, palette);
    }
    for (const CellState state : { CellState::Illegal, CellState::Failed }) {
        QList<QRectF> rects;
        for (int i = 0; i < cells; ++i) {
            if (model.cells[std::size_t(i)].state == state)
                rects.append(layout.cellRect(i));
        }
        drawHatched(painter, rects, state, palette);
    }
    if (cells > 0)
        drawAxes(painter, model, layout, palette);
    for (const int best : model.best)
        drawBest(painter, model, best, layout, palette);
    if (model.current >= 0 && model.current < cells) {
        // Dark and light together are seen on every colour of the ramp.
        const QRectF rect = layout.cellRect(model.current);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(
            themeColor(palette, ColorRole::Panel), 4, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect.adjusted(0, 0, 0, 0));
        painter.setPen(QPen(
            themeColor(palette, ColorRole::Text), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5));
    }
    drawKey(painter, model, layout, palette);
    painter.restore();
}

} // namespace coalescope::app
