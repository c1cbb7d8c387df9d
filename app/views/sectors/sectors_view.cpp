// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sectors/sectors_view.h"

#include "analysis/access/atomic_model.h"
#include "app/widgets/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace coalescope::app {
namespace {

using analysis::kCacheLineBytes;
using analysis::kSectorBytes;
using analysis::kWarpLanes;
using analysis::TouchedLine;

/// "1 request", "4 sectors": both forms are spelled out, English needs no translation file.
QString countOf(std::uint64_t n, const QString& one, const QString& many)
{
    return n == 1 ? one : many.arg(formatCount(n));
}

/// Of local memory, where each word of a lane has a line.
bool asksLocally(const analysis::WarpAccess& access, int lane, std::uint64_t address)
{
    if (address % analysis::kCacheLineBytes / analysis::kLocalWordBytes != std::uint64_t(lane))
        return false;
    const std::uint64_t own = address / analysis::kCacheLineBytes * analysis::kLocalWordBytes + address % analysis::kLocalWordBytes;
    return own - access.address[std::size_t(lane)] < access.widthBytes;
}

bool asks(const analysis::WarpAccess& access, int lane, std::uint64_t address)
{
    if (lane < 0 || !(access.active >> lane & 1))
        return false;
    if (access.space == analysis::Space::Local)
        return asksLocally(access, lane, address);
    return address - access.address[std::size_t(lane)] < access.widthBytes;
}

analysis::LaneMask lanesOf(const analysis::WarpAccess& access, std::uint64_t address)
{
    analysis::LaneMask lanes = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane)
        if (asks(access, lane, address))
            lanes |= 1u << lane;
    return lanes;
}

QString lineLabel(const SectorModel& model, int line)
{
    const std::uint64_t address = model.lines[std::size_t(line)].address;
    if (line == 0)
        return formatHex(address);
    return QStringLiteral("+") + formatHex(address - model.lines.front().address);
}

/// Fills without antialiasing, so that neighbouring bytes neither blend nor leave seams.
void fill(QPainter& painter, const QRectF& rect, const QBrush& brush)
{
    const qreal left = std::round(rect.left()), right = std::round(rect.right());
    painter.fillRect(QRectF(left, rect.top(), std::max(1.0, right - left), rect.height()), brush);
}

/// Hatches with lines of its own: pattern brushes get lost in many readers of SVG.
void hatch(QPainter& painter, const QRectF& box, const QColor& color)
{
    constexpr qreal step = 6;
    painter.setPen(QPen(color, 1));
    for (qreal x = box.left() - box.height() + step / 2; x < box.right(); x += step) {
        const qreal before = std::max(0.0, box.left() - x);
        const qreal beyond = std::max(0.0, x + box.height() - box.right());
        painter.drawLine(QPointF(x + before, box.bottom() - before),
            QPointF(x + box.height() - beyond, box.top() + beyond));
    }
}

void drawSector(QPainter& painter, const SectorModel& model, const SectorLayout& layout, int line,
    int sector, const QPalette& palette)
{
    const QRectF box = layout.sectorRect(line, sector);
    const TouchedLine& touched = model.lines[std::size_t(line)];
    if (!(touched.sectorMask >> sector & 1)) {
        painter.setPen(QPen(themeColor(palette, ColorRole::PanelBorder), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    painter.fillRect(box, themeColor(palette, ColorRole::Quiet));
    if (touched.usedBytes[std::size_t(sector)] != ~0u)
        hatch(painter, box.adjusted(0.5, 0.5, -0.5, -0.5), themeColor(palette, ColorRole::Grid));
    const int end = (sector + 1) * kSectorBytes;
    for (int byte = sector * kSectorBytes; byte < end;) {
        const int lane = touched.lane[std::size_t(byte)];
        int last = byte;
        while (last + 1 < end && touched.lane[std::size_t(last + 1)] == lane)
            ++last;
        QRectF run = layout.byteRect(line, byte).united(layout.byteRect(line, last));
        if (lane >= 0) {
            if (run.width() >= 4 && last + 1 < end)
                run.setRight(run.right() - 1); // lanes stay apart
            fill(painter, run, laneColor(lane));
        }
        byte = last + 1;
    }
}

/// Outlines every byte that the hovered lane asks for, shared with others or not.
void drawHovered(QPainter& painter, const SectorModel& model, const SectorLayout& layout,
    const QPalette& palette)
{
    const int lane = model.hoveredLane;
    if (lane < 0 || lane >= kWarpLanes || !(model.access.active >> lane & 1))
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColor(palette, ColorRole::Text), 2));
    painter.setBrush(laneColor(lane));
    for (int line = 0; line < int(model.lines.size()); ++line) {
        for (int sector = 0; sector < 4; ++sector) {
            QRectF marked;
            for (int byte = sector * kSectorBytes; byte < (sector + 1) * kSectorBytes; ++byte)
                if (asks(model.access, lane,
                        model.lines[std::size_t(line)].address + std::uint64_t(byte)))
                    marked = marked.united(layout.byteRect(line, byte));
            if (!marked.isNull())
                painter.drawRect(marked.adjusted(-1, 0, 0, 0));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void drawHeader(QPainter& painter, const SectorModel& model, const SectorLayout& layout,
    const QPalette& palette)
{
    if (!model.report) {
        painter.setPen(themeColor(palette, ColorRole::MutedText));
        drawElided(painter, layout.header, model.problem);
        return;
    }
    const SectorFigures figures = fittingFigures(model, layout.header.width(), painter.font());
    const bool wasteful = model.report->sectors > model.report->idealSectors;
    const QFont font = painter.font();
    QFont bold = font;
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(themeColor(palette, ColorRole::Text));
    drawElided(painter, layout.header, figures.cost);
    QRectF rest = layout.header;
    rest.setLeft(
        rest.left() + QFontMetricsF(bold).horizontalAdvance(figures.cost + QStringLiteral("   ")));
    painter.setFont(font);
    painter.setPen(themeColor(palette, wasteful ? ColorRole::Warn : ColorRole::MutedText));
    if (rest.width() > 0)
        drawElided(painter, rest, figures.ideal);
    rest.setLeft(
        rest.left() + QFontMetricsF(font).horizontalAdvance(figures.ideal + QStringLiteral("   ")));
    painter.setPen(themeColor(palette, wasteful ? ColorRole::Warn : ColorRole::MutedText));
    if (rest.width() > 0)
        painter.drawText(rest, int(Qt::AlignRight | Qt::AlignVCenter) | Qt::TextSingleLine, figures.used);
}

/// "8 sectors"; of atomics as the GPU counts them, where lanes that want one word make them more: "8 sectors, counted as 11".
QString sectorsText(const SectorModel& model)
{
    const std::uint32_t sectors = model.report->sectors;
    const QString text = countOf(sectors, SectorView::tr("1 sector"), SectorView::tr("%1 sectors"));
    const std::uint32_t counted = isAtomic(model.access) ? analysis::atomicSectors(model.access) : sectors;
    return counted == sectors ? text : SectorView::tr("%1, counted as %2").arg(text, formatCount(counted));
}

} // namespace

SectorModel SectorModel::of(const analysis::WarpAccess& access)
{
    SectorModel model { .access = access };
    if (auto report = analysis::sectorReport(access)) {
        model.report = *report;
        model.lines = analysis::touchedLines(access);
        if (model.lines.empty())
            model.problem = SectorView::tr("no lane is active");
    } else {
        model.problem = QString::fromStdString(report.error().detail);
    }
    return model;
}

SectorFigures sectorFigures(const SectorModel& model)
{
    if (!model.report)
        return {};
    const auto& report = *model.report;
    const QString dot = QStringLiteral(" · ");
    const std::uint64_t moved = std::uint64_t(report.sectors) * kSectorBytes;
    SectorFigures figures;
    figures.cost
        = countOf(report.requests, SectorView::tr("1 request"), SectorView::tr("%1 requests")) + dot
        + sectorsText(model) + dot
        + countOf(report.tags, SectorView::tr("1 tag"), SectorView::tr("%1 tags"));
    figures.ideal = SectorView::tr("ideal %1").arg(formatCount(report.idealSectors));
    if (moved > 0)
        figures.used = SectorView::tr("used %1 of %2 B")
                           .arg(formatCount(report.usedBytes), formatCount(moved))
            + dot + formatPercent(double(report.usedBytes) / double(moved));
    return figures;
}

SectorFigures fittingFigures(const SectorModel& model, qreal width, const QFont& font)
{
    const SectorFigures all = sectorFigures(model);
    if (!model.report)
        return all;
    const auto& report = *model.report;
    const std::uint64_t moved = std::uint64_t(report.sectors) * kSectorBytes;
    const QString percent = moved > 0 ? formatPercent(double(report.usedBytes) / double(moved)) : QString();
    const QString sectors = sectorsText(model);
    const SectorFigures shorter[] { { all.cost, all.ideal, percent.isEmpty() ? QString() : SectorView::tr("%1 used").arg(percent) },
        { all.cost, all.ideal, percent }, { all.cost, all.ideal, {} }, { sectors, all.ideal, percent }, { sectors, {}, {} } };
    QFont bold = font;
    bold.setBold(true);
    const qreal gap = QFontMetricsF(font).horizontalAdvance(QStringLiteral("   "));
    const auto fits = [&](const SectorFigures& figures) {
        return QFontMetricsF(bold).horizontalAdvance(figures.cost) + gap + QFontMetricsF(font).horizontalAdvance(figures.ideal)
            + gap + QFontMetricsF(font).horizontalAdvance(figures.used) <= width;
    };
    if (fits(all))
        return all;
    const auto found = std::ranges::find_if(shorter, fits);
    return found != std::end(shorter) ? *found : shorter[std::size(shorter) - 1];
}

SectorView::SectorView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setProperty("bare", true);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Cache lines and sectors"));
    relayout();
}

void SectorView::setModel(SectorModel model)
{
    m_model = std::move(model);
    relayout();
    verticalScrollBar()->setValue(0);
}

void SectorView::setHoveredLane(int lane)
{
    if (std::exchange(m_model.hoveredLane, lane) != lane)
        viewport()->update();
}

void SectorView::relayout()
{
    const QSizeF size = viewport()->size();
    m_layout = layoutSectors(int(m_model.lines.size()), size, textMetrics(font()));
    verticalScrollBar()->setRange(
        0, std::max(0, int(std::ceil(m_layout.contentHeight - size.height()))));
    verticalScrollBar()->setPageStep(int(size.height()));
    verticalScrollBar()->setSingleStep(int(m_layout.labelHeight + m_layout.boxHeight));
    const SectorFigures figures = sectorFigures(m_model);
    setAccessibleDescription(m_model.report
            ? QStringList { figures.cost, figures.ideal, figures.used }.join(QStringLiteral(", "))
            : m_model.problem);
    viewport()->update();
}

void SectorView::render(QPainter& painter, const SectorModel& model, const SectorLayout& layout,
    const QPalette& palette)
{
    painter.save();
    drawHeader(painter, model, layout, palette);
    painter.setFont(smallFont(numberFont(painter.font())));
    for (int line = 0; line < int(model.lines.size()); ++line) {
        painter.setPen(themeColor(palette, ColorRole::MutedText));
        drawElided(painter, layout.labelRect(line), lineLabel(model, line),
            Qt::AlignLeft | Qt::AlignVCenter, Qt::ElideLeft);
        for (int sector = 0; sector < 4; ++sector)
            drawSector(painter, model, layout, line, sector, palette);
    }
    drawHovered(painter, model, layout, palette);
    painter.restore();
}

QSize SectorView::sizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 41), int(text.line * 9));
}

QSize SectorView::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 14), int(text.line * 4.5));
}

void SectorView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.save();
    painter.translate(0, -verticalScrollBar()->value());
    render(painter, m_model, m_layout, palette());
    painter.restore();
    if (hasFocus())
        drawFocusFrame(painter, viewport()->rect(), palette());
}

void SectorView::resizeEvent(QResizeEvent*) { relayout(); }

void SectorView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        relayout();
}

void SectorView::scrollContentsBy(int, int) { viewport()->update(); }

LineByte SectorView::byteUnder(QPointF point) const
{
    return m_layout.byteAt(point + QPointF(0, verticalScrollBar()->value()));
}

bool SectorView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        hover(-1);
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const LineByte at = byteUnder(help->pos());
    if (at.line < 0) {
        QToolTip::hideText();
        return true;
    }
    QToolTip::showText(help->globalPos(), byteTip(m_model, at), this);
    return true;
}

QString byteTip(const SectorModel& model, LineByte at)
{
    const TouchedLine& line = model.lines[std::size_t(at.line)];
    const std::uint64_t address = line.address + std::uint64_t(at.byte);
    const int sector = at.byte / kSectorBytes;
    QStringList text { SectorView::tr("line %1, sector %2, byte %3")
                           .arg(formatHex(line.address))
                           .arg(sector)
                           .arg(at.byte) };
    const analysis::LaneMask lanes = lanesOf(model.access, address);
    if (lanes != 0) {
        const int lane = std::countr_zero(lanes);
        const std::uint64_t first = model.access.address[std::size_t(lane)];
        text << (isBulk(model.access)         ? SectorView::tr("part %1")
                    : std::has_single_bit(lanes) ? SectorView::tr("lane %1")
                                                 : SectorView::tr("lanes %1"))
                    .arg(formatLanes(lanes));
        text << SectorView::tr("%1 … %2, %3 B")
                    .arg(formatHex(first), formatHex(first + model.access.widthBytes - 1))
                    .arg(model.access.widthBytes);
    } else if (line.sectorMask >> sector & 1) {
        text << SectorView::tr("moved, asked for by no lane");
    } else {
        text << SectorView::tr("not moved");
    }
    return text.join(u'\n');
}

void SectorView::hover(int lane)
{
    if (lane == m_model.hoveredLane)
        return;
    setHoveredLane(lane);
    emit laneHovered(lane);
}

int SectorView::laneUnder(QPointF point) const
{
    const LineByte at = byteUnder(point);
    return at.line < 0 ? -1 : m_model.lines[std::size_t(at.line)].lane[std::size_t(at.byte)];
}

void SectorView::choose(int lane)
{
    hover(lane);
    emit laneChosen(lane);
}

void SectorView::mouseMoveEvent(QMouseEvent* event) { hover(laneUnder(event->position())); }

void SectorView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QAbstractScrollArea::mousePressEvent(event);
    choose(laneUnder(event->position()));
}

void SectorView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(nextLane(m_model.access.active, m_model.hoveredLane, -1));
    case Qt::Key_Right:
        return choose(nextLane(m_model.access.active, m_model.hoveredLane, 1));
    case Qt::Key_Escape:
        return choose(-1);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void SectorView::focusInEvent(QFocusEvent*) { viewport()->update(); }
void SectorView::focusOutEvent(QFocusEvent*) { viewport()->update(); }

} // namespace coalescope::app
