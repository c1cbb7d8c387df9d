// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/block/block_view.h"

#include "app/widgets/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace coalescope::app {
namespace {

using analysis::kWarpLanes;

QString dimensions(const analysis::Dim3& block)
{
    QString text = QStringLiteral("%1 × %2").arg(block.x).arg(block.y);
    if (block.z > 1)
        text += QStringLiteral(" × %1").arg(block.z);
    return text;
}

/// How the block is folded to fit; empty where every row is one line.
QString foldedText(const BlockLayout& layout)
{
    QStringList parts;
    if (layout.linesPerRow() > 1)
        parts << BlockView::tr("wraps at %1").arg(layout.wrapX);
    if (layout.tilesPerLayer() > 1)
        parts << BlockView::tr("%1 rows a column").arg(layout.rowsPerTile);
    if (layout.block.z > 1)
        parts << BlockView::tr("%1 layers in z").arg(layout.block.z);
    return parts.join(QStringLiteral(", "));
}

} // namespace

int BlockModel::warps() const { return int((block.count() + kWarpLanes - 1) / kWarpLanes); }

BlockView::BlockView(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    setAccessibleName(tr("Threads of the block"));
    relayout();
}

void BlockView::setModel(BlockModel model)
{
    m_model = std::move(model);
    m_hovered.reset();
    relayout();
}

void BlockView::setWarp(int warp)
{
    m_model.warp = warp;
    relayout();
}

void BlockView::setHoveredLane(int lane)
{
    if (std::exchange(m_model.hoveredLane, lane) != lane)
        update();
}

void BlockView::relayout()
{
    m_layout
        = layoutBlock(m_model.block, QRectF(rect()).adjusted(2, 2, -2, -2), textMetrics(font()));
    setAccessibleDescription(tr("%1 threads, warp %2 of %3 is lit")
                                 .arg(dimensions(m_model.block))
                                 .arg(m_model.warp)
                                 .arg(m_model.warps()));
    update();
}

void BlockView::render(
    QPainter& painter, const BlockModel& model, const BlockLayout& layout, const QPalette& palette)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, layout.gapX == 0 || layout.gapY == 0);
    // Small cells lose most of their colour to the gaps.
    const bool small = std::min(layout.cellWidth, layout.cellHeight) < 6;
    const QColor quiet = themeColor(palette, small ? ColorRole::PanelBorder : ColorRole::Quiet);
    const std::uint64_t threads = layout.cellWidth > 0 ? layout.block.count() : 0;
    const std::uint64_t first = std::uint64_t(std::max(model.warp, 0)) * kWarpLanes;
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        const bool lit = thread >= first && thread < first + kWarpLanes;
        painter.fillRect(layout.threadRect(thread), lit ? laneColor(int(thread - first)) : quiet);
    }
    const std::uint64_t hovered = first + std::uint64_t(std::max(model.hoveredLane, 0));
    if (model.hoveredLane >= 0 && hovered < threads) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(themeColor(palette, ColorRole::Text), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(layout.threadRect(std::uint32_t(hovered)).adjusted(-1, -1, 1, 1));
    }
    painter.setFont(smallFont(painter.font()));
    painter.setPen(themeColor(palette, ColorRole::MutedText));
    QRectF line = layout.caption;
    const QString folded = foldedText(layout);
    line.setHeight(folded.isEmpty() ? line.height() : line.height() / 2);
    const QString size = dimensions(model.block), named = BlockView::tr("%1 threads").arg(size);
    const bool fits = QFontMetricsF(painter.font()).horizontalAdvance(named) <= line.width() + 1;
    drawElided(painter, line, threads == 0 ? BlockView::tr("no such block") : fits ? named : size);
    if (!folded.isEmpty())
        drawElided(painter, line.translated(0, line.height()), folded);
    painter.restore();
}

QSize BlockView::sizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 9), int(text.line * 9 + text.smallLine * 2));
}

QSize BlockView::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 6), int(text.line * 6));
}

void BlockView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    render(painter, m_model, m_layout, palette());
    if (hasFocus())
        drawFocusFrame(painter, rect(), palette());
}

void BlockView::resizeEvent(QResizeEvent*) { relayout(); }

void BlockView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        relayout();
}

bool BlockView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto thread = m_layout.threadAt(help->pos());
    if (!thread) {
        QToolTip::hideText();
        return true;
    }
    const auto& block = m_model.block;
    QToolTip::showText(help->globalPos(),
        tr("thread (%1, %2, %3)\nwarp %4, lane %5")
            .arg(*thread % block.x)
            .arg(*thread / block.x % block.y)
            .arg(*thread / block.x / block.y)
            .arg(*thread / kWarpLanes)
            .arg(*thread % kWarpLanes),
        this);
    return true;
}

void BlockView::hover(std::optional<std::uint32_t> thread)
{
    if (std::exchange(m_hovered, thread) == thread)
        return;
    const auto& block = m_model.block;
    if (thread)
        emit threadHovered(int(*thread % block.x), int(*thread / block.x % block.y),
            int(*thread / block.x / block.y));
    else
        emit threadHovered(-1, -1, -1);
}

void BlockView::choose(int warp)
{
    warp = std::clamp(warp, 0, std::max(0, m_model.warps() - 1));
    if (warp == m_model.warp)
        return;
    setWarp(warp);
    emit warpChosen(warp);
}

void BlockView::mouseMoveEvent(QMouseEvent* event) { hover(m_layout.threadAt(event->position())); }

void BlockView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    const auto thread = m_layout.threadAt(event->position());
    if (thread)
        choose(int(*thread) / kWarpLanes);
    emit laneChosen(thread ? int(*thread) % kWarpLanes : -1);
}

void BlockView::leaveEvent(QEvent*) { hover({}); }

void BlockView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
        return choose(m_model.warp - 1);
    case Qt::Key_Down:
        return choose(m_model.warp + 1);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(m_model.warps() - 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace coalescope::app
