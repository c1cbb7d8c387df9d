// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/strip/strip_view.h"

#include "app/widgets/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSet>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace coalescope::app {
namespace {

QString lineText(const StripItem& item)
{
    return item.line > 0 ? InstructionStrip::tr("line %1").arg(item.line)
                         : InstructionStrip::tr("no line");
}

QFont boldFont(QFont font)
{
    font.setBold(true);
    return font;
}

struct KindColor {
    StripKind kind;
    ColorRole role;
};
constexpr std::array kKinds {
    KindColor { .kind = StripKind::Global, .role = ColorRole::Accent },
    KindColor { .kind = StripKind::Shared, .role = ColorRole::Good },
    KindColor { .kind = StripKind::Local, .role = ColorRole::Local },
    KindColor { .kind = StripKind::Barrier, .role = ColorRole::MutedText },
};

ColorRole roleOf(const StripItem& item)
{
    return item.cost > item.ideal ? ColorRole::Warn : kKinds[std::size_t(item.kind)].role;
}

double shareOf(double cost, double highest) { return highest > 0 ? cost / highest : 0; }

void drawBarrier(QPainter& painter, const StripLayout& layout, int index, const QPalette& palette)
{
    const QRectF column = layout.itemRect(index);
    const qreal x = std::round(column.center().x()) + 0.5;
    painter.setPen(QPen(themeColor(palette, ColorRole::MutedText), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, column.top() + layout.costLine), QPointF(x, layout.baseline));
}

void drawCost(QPainter& painter, const StripItem& item, const StripLayout& layout, int index,
    double highest, const QPalette& palette)
{
    const double share = shareOf(item.cost, highest);
    const QRectF bar = layout.barRect(index, share);
    const qreal radius = std::min(3.0, bar.height() / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColor(palette, roleOf(item)));
    painter.drawRoundedRect(bar, radius, radius);
    if (item.cost > item.ideal && item.ideal > 0) {
        const qreal y = std::round(layout.barRect(index, shareOf(item.ideal, highest)).top()) + 0.5;
        painter.setPen(QPen(themeColor(palette, ColorRole::Text), 1));
        painter.drawLine(QPointF(bar.left() - 4, y), QPointF(bar.right() + 4, y));
    }
    painter.setPen(themeColor(palette, ColorRole::Text));
    painter.save();
    painter.setFont(boldFont(smallFont(painter.font())));
    drawElided(painter, layout.costRect(index, share), item.costText, Qt::AlignCenter);
    painter.restore();
}

void drawCurrent(QPainter& painter, const StripItem& item, const StripLayout& layout, int index,
    const QPalette& palette)
{
    const QRectF column = layout.itemRect(index).adjusted(2.5, 0.5, -2.5, -0.5);
    painter.setPen(QPen(themeColor(palette, roleOf(item)), 1.2));
    painter.setBrush(themeColor(palette, ColorRole::Quiet));
    painter.drawRoundedRect(column, 5, 5);
}

void drawLabels(QPainter& painter, const StripItem& item, const StripLayout& layout, int index,
    const QPalette& palette)
{
    const QFont font = painter.font();
    painter.setFont(numberFont(font));
    painter.setPen(themeColor(palette, ColorRole::Text));
    drawElided(painter, layout.mnemonicRect(index), item.mnemonic, Qt::AlignCenter);
    painter.setFont(smallFont(font));
    painter.setPen(themeColor(palette, ColorRole::MutedText));
    drawElided(painter, layout.lineRect(index), lineText(item), Qt::AlignCenter);
    painter.setFont(font);
}

} // namespace

qreal stripLabelWidth(const StripModel& model, const QFont& font)
{
    const QFontMetricsF mnemonics(numberFont(font)), costs(boldFont(smallFont(font))),
        lines(smallFont(font));
    QSet<QString> seen; // thousands of steps repeat a few instructions
    qreal width = 0;
    const auto measure = [&](const QString& text, const QFontMetricsF& metrics) {
        if (seen.contains(text))
            return;
        seen.insert(text);
        width = std::max(width, metrics.horizontalAdvance(text));
    };
    for (const StripItem& item : model.items) {
        measure(item.mnemonic, mnemonics);
        measure(item.costText, costs);
        measure(lineText(item), lines);
    }
    return width;
}

InstructionStrip::InstructionStrip(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setProperty("bare", true);
    viewport()->setAutoFillBackground(false);
    setFocusPolicy(Qt::StrongFocus);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Memory instructions of the warp"));
    relayout();
}

void InstructionStrip::setModel(StripModel model)
{
    m_model = std::move(model);
    measure();
    relayout();
    showCurrent();
}

void InstructionStrip::setCurrent(int index)
{
    m_model.current = index;
    showCurrent();
    viewport()->update();
}

void InstructionStrip::measure()
{
    m_labelWidth = stripLabelWidth(m_model, font());
    m_model.highest = 0;
    for (const StripItem& item : m_model.items)
        m_model.highest = std::max(m_model.highest, item.cost);
}

void InstructionStrip::relayout()
{
    const QSizeF size = viewport()->size();
    const TextMetrics text = textMetrics(font());
    const int count = int(m_model.items.size());
    m_layout = layoutStrip(count, size, m_labelWidth, horizontalScrollBar()->value(), text);
    horizontalScrollBar()->setRange(
        0, std::max(0, int(std::ceil(m_layout.contentWidth() - size.width()))));
    horizontalScrollBar()->setPageStep(int(size.width()));
    horizontalScrollBar()->setSingleStep(int(m_layout.pitch));
    m_layout.visible.moveLeft(horizontalScrollBar()->value());
    viewport()->update();
}

void InstructionStrip::showCurrent()
{
    if (m_model.current < 0 || m_model.current >= int(m_model.items.size()))
        return;
    const StripItem& item = m_model.items[std::size_t(m_model.current)];
    setAccessibleDescription(tr("Step %1 of %2: %3, %4, %5")
                                 .arg(m_model.current + 1)
                                 .arg(m_model.items.size())
                                 .arg(item.mnemonic, lineText(item), item.costText));
    // A neighbour stays in view on either side: it shows that there is more.
    const QRectF column = m_layout.itemRect(m_model.current);
    const qreal margin = m_layout.pitch / 2;
    const QRectF visible = m_layout.visible;
    if (column.left() - margin < visible.left())
        horizontalScrollBar()->setValue(int(column.left() - margin));
    else if (column.right() + margin > visible.right())
        horizontalScrollBar()->setValue(int(std::ceil(column.right() + margin - visible.width())));
}

void InstructionStrip::render(
    QPainter& painter, const StripModel& model, const StripLayout& layout, const QPalette& palette)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (model.items.empty()) {
        painter.setPen(themeColor(palette, ColorRole::MutedText));
        drawElided(painter, layout.visible.translated(-layout.visible.topLeft()),
            InstructionStrip::tr("this warp touches no memory"), Qt::AlignCenter);
        painter.restore();
        return;
    }
    painter.translate(-layout.visible.left(), 0);
    const auto [first, last] = layout.visibleItems();
    if (model.current >= first && model.current < last)
        drawCurrent(
            painter, model.items[std::size_t(model.current)], layout, model.current, palette);
    painter.setPen(QPen(themeColor(palette, ColorRole::PanelBorder), 1));
    const qreal y = std::round(layout.baseline) + 0.5;
    painter.drawLine(
        QPointF(layout.itemRect(first).left(), y), QPointF(layout.itemRect(last).left(), y));
    for (int index = first; index < last; ++index) {
        const StripItem& item = model.items[std::size_t(index)];
        if (item.kind == StripKind::Barrier)
            drawBarrier(painter, layout, index, palette);
        else
            drawCost(painter, item, layout, index, model.highest, palette);
        drawLabels(painter, item, layout, index, palette);
    }
    painter.restore();
}

QSize InstructionStrip::sizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 28), int(text.line * 10));
}

QSize InstructionStrip::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 10), int(text.line * 6));
}

void InstructionStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    render(painter, m_model, m_layout, palette());
    if (hasFocus())
        drawFocusFrame(painter, viewport()->rect(), palette());
}

void InstructionStrip::resizeEvent(QResizeEvent*)
{
    relayout();
    showCurrent();
}

void InstructionStrip::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) {
        measure();
        relayout();
    }
}

void InstructionStrip::scrollContentsBy(int, int)
{
    m_layout.visible.moveLeft(horizontalScrollBar()->value());
    viewport()->update();
}

bool InstructionStrip::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = m_layout.itemAt(help->pos() + m_layout.visible.topLeft());
    if (index < 0) {
        QToolTip::hideText();
        return true;
    }
    const StripItem& item = m_model.items[std::size_t(index)];
    QStringList lines { tr("%1, %2").arg(item.mnemonic, lineText(item)) };
    if (item.kind != StripKind::Barrier)
        lines << tr("%1, ideal %2").arg(item.costText, QLocale().toString(item.ideal, 'g', 6));
    lines << tr("step %1 of %2").arg(index + 1).arg(m_model.items.size());
    QToolTip::showText(help->globalPos(), lines.join(u'\n'), this);
    return true;
}

void InstructionStrip::choose(int index)
{
    index = std::clamp(index, 0, std::max(0, int(m_model.items.size()) - 1));
    if (m_model.items.empty() || index == m_model.current)
        return;
    setCurrent(index);
    emit stepChosen(index);
}

void InstructionStrip::mousePressEvent(QMouseEvent* event)
{
    const int index = m_layout.itemAt(event->position() + m_layout.visible.topLeft());
    if (event->button() == Qt::LeftButton && index >= 0)
        choose(index);
}

void InstructionStrip::keyPressEvent(QKeyEvent* event)
{
    const auto [first, last] = m_layout.visibleItems();
    const int page = std::max(1, last - first - 2);
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(m_model.current - 1);
    case Qt::Key_Right:
        return choose(m_model.current + 1);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(int(m_model.items.size()) - 1);
    case Qt::Key_PageUp:
        return choose(m_model.current - page);
    case Qt::Key_PageDown:
        return choose(m_model.current + page);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void InstructionStrip::wheelEvent(QWheelEvent* event)
{
    // A wheel without a horizontal axis scrolls the only direction there is.
    const QPoint turn
        = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
    const int delta = turn.x() != 0 ? turn.x() : turn.y();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta);
    event->accept();
}

void InstructionStrip::focusInEvent(QFocusEvent*) { viewport()->update(); }
void InstructionStrip::focusOutEvent(QFocusEvent*) { viewport()->update(); }

} // namespace coalescope::app
