// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_view.h"

#include "app/widgets/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coalescope::app {
namespace {

qreal widest(const QStringList& texts, const QFontMetricsF& metrics)
{
    qreal width = 0;
    for (const QString& text : texts)
        width = std::max(width, metrics.horizontalAdvance(text));
    return std::ceil(width);
}

} // namespace

HeatMapTexts measureTexts(const HeatMapModel& model, const QFont& font)
{
    const QFontMetricsF metrics(smallFont(font));
    HeatMapTexts texts { .xLabel = widest(model.xLabels, metrics),
        .yLabel = widest(model.yLabels, metrics),
        .xTitle = !model.xTitle.isEmpty(),
        .yTitle = !model.yTitle.isEmpty() };
    qsizetype longest = 0; // digits are equally wide: only the longest texts are measured
    for (const HeatCell& cell : model.cells)
        longest = std::max(longest, cell.text.size());
    for (const HeatCell& cell : model.cells) {
        if (cell.text.size() + 1 >= longest && !cell.text.isEmpty())
            texts.value = std::max(texts.value, std::ceil(metrics.horizontalAdvance(cell.text)));
    }
    return texts;
}

QString HeatMapModel::tipOf(int cell) const
{
    return tip && cell >= 0 && cell < int(cells.size()) ? tip(cell) : QString();
}

HeatMapView::HeatMapView(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Heat map"));
    relayout();
}

void HeatMapView::setModel(HeatMapModel model)
{
    m_model = std::move(model);
    if (m_cursor >= int(m_model.cells.size()))
        m_cursor = -1;
    relayout();
}

void HeatMapView::relayout()
{
    m_texts = measureTexts(m_model, font());
    m_layout = layoutHeatMap(m_model.columns(), m_model.rows(),
        QRectF(rect()).adjusted(4, 4, -4, -4), m_texts, textMetrics(font()));
    m_hovered = -1;
    update();
}

QSize HeatMapView::sizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 32), int(text.line * 20));
}

QSize HeatMapView::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 14), int(text.line * 8));
}

void HeatMapView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    render(painter, m_model, m_layout, palette());
    if (m_cursor >= 0 && hasFocus()) {
        const QRectF rect = m_layout.cellRect(m_cursor);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(themeColor(palette(), ColorRole::Panel), 3));
        painter.drawRect(rect);
        painter.setPen(QPen(themeColor(palette(), ColorRole::Accent), 2, Qt::DotLine));
        painter.drawRect(rect);
    } else if (hasFocus()) {
        drawFocusFrame(painter, rect(), palette());
    }
}

void HeatMapView::resizeEvent(QResizeEvent*) { relayout(); }

void HeatMapView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        setAccessibleName(tr("Heat map"));
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        relayout();
}

bool HeatMapView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int cell = m_layout.cellAt(help->pos());
    if (cell < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(
            help->globalPos(), m_model.tipOf(cell), this, m_layout.cellRect(cell).toAlignedRect());
    return true;
}

void HeatMapView::reach(int cell)
{
    emit cellReached(m_model.tipOf(cell).replace(u'\n', QStringLiteral(" · ")));
}

void HeatMapView::mouseMoveEvent(QMouseEvent* event)
{
    const int cell = m_layout.cellAt(event->position());
    setCursor(cell >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (std::exchange(m_hovered, cell) != cell)
        reach(cell);
}

void HeatMapView::mousePressEvent(QMouseEvent* event)
{
    const int cell = m_layout.cellAt(event->position());
    if (event->button() != Qt::LeftButton || cell < 0)
        return QWidget::mousePressEvent(event);
    m_cursor = cell;
    update();
    emit cellChosen(cell);
}

void HeatMapView::leaveEvent(QEvent*)
{
    if (std::exchange(m_hovered, -1) >= 0)
        reach(-1);
}

void HeatMapView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    reach(-1);
    update();
}

void HeatMapView::moveBy(int stepX, int stepY)
{
    // From where the experiment is, unless the keys have moved already.
    m_cursor = neighbourCell(m_layout, m_cursor >= 0 ? m_cursor : m_model.current, stepX, stepY);
    if (m_cursor < 0)
        return;
    setAccessibleDescription(m_model.tipOf(m_cursor));
    reach(m_cursor);
    update();
}

void HeatMapView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return moveBy(-1, 0);
    case Qt::Key_Right:
        return moveBy(1, 0);
    case Qt::Key_Up:
        return moveBy(0, -1);
    case Qt::Key_Down:
        return moveBy(0, 1);
    case Qt::Key_Home:
        return moveBy(-m_layout.columns, 0);
    case Qt::Key_End:
        return moveBy(m_layout.columns, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_cursor >= 0)
            emit cellChosen(m_cursor);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace coalescope::app
