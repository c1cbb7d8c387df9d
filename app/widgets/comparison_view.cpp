// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/comparison_view.h"

#include "app/core/texts.h"
#include "app/views/draw/draw.h"
#include "app/widgets/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

    constexpr qreal kColumnGap = 10;
    constexpr qreal kLeastLabels = 0.3; ///< of the width, before figures are cut

    QFont bold(QFont font)
    {
        font.setBold(true);
        return font;
    }

    qreal widest(const ComparisonTable& table, const QString& heading, QString TableRow::* column, const QFont& font)
    {
        const QFontMetricsF numbers(numberFont(font)), small(smallFont(font));
        qreal width = small.horizontalAdvance(heading);
        for (const TableRow& row : table.rows)
            width = std::max(width, numbers.horizontalAdvance(row.*column));
        return std::ceil(width);
    }

    QColor toneColor(const QPalette& palette, Tone tone)
    {
        switch (tone) {
        case Tone::Equal:
        case Tone::Near: return themeColor(palette, ColorRole::Good);
        case Tone::Differs: return themeColor(palette, ColorRole::Accent);
        case Tone::None: break;
        }
        return themeColor(palette, ColorRole::MutedText);
    }

    /// The rectangle of a column that ends at `right`.
    QRectF cell(const QRectF& row, qreal left, qreal right)
    {
        return { left, row.top(), right - left, row.height() };
    }

    /// Where it has no room whole, a count as "4.19 M"; what has none then is cut with a mark.
    void drawFigure(QPainter& painter, const QRectF& column, const QString& figure)
    {
        const QRectF room = column.adjusted(kColumnGap / 2, 0, 0, 0);
        QString text = figure;
        if (painter.fontMetrics().horizontalAdvance(figure) > room.width()) {
            const auto digit = std::ranges::find_if(figure, [](QChar letter) { return letter.isDigit(); });
            const QString sign(figure.cbegin(), digit - figure.cbegin()); // "≈ ", "+"
            bool isCount = false;
            const qlonglong count = QLocale().toLongLong(figure.mid(sign.size()), &isCount);
            text = isCount ? sign + formatShort(double(count)) : figure;
        }
        drawElided(painter, room, text, Qt::AlignRight | Qt::AlignVCenter);
    }

    void renderValue(QPainter& painter, const TableRow& row, const QRectF& area, const TableLayout& layout,
        const QPalette& palette, const QFont& font)
    {
        const QRectF label = cell(area, area.left(), layout.label);
        painter.setFont(layout.hasSmallLabels ? smallFont(font) : font);
        painter.setPen(themeColor(palette, ColorRole::Text));
        drawElided(painter, label, row.label);
        painter.setFont(numberFont(font));
        if (row.estimate)
            painter.setPen(themeColor(palette, ColorRole::MutedText));
        drawFigure(painter, cell(area, layout.label, layout.predicted), row.predicted);
        painter.setPen(themeColor(palette, ColorRole::Text));
        drawFigure(painter, cell(area, layout.predicted, layout.measured), row.measured);
        painter.setFont(bold(numberFont(font)));
        painter.setPen(toneColor(palette, row.tone));
        drawFigure(painter, cell(area, layout.measured, layout.change), row.change);
    }

}

int TableLayout::rowAt(QPointF point) const
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].contains(point))
            return int(i);
    }
    return -1;
}

TableLayout layoutTable(const ComparisonTable& table, qreal width, const QFont& font)
{
    const TextMetrics text = textMetrics(font);
    TableLayout layout;
    layout.heading = QRectF(0, 0, width, text.smallLine + 2);
    layout.change = width;
    const bool none = table.measuredHeading.isEmpty();
    const qreal change = none ? 0 : widest(table, QStringLiteral("Δ"), &TableRow::change, bold(font)) + kColumnGap;
    const qreal measured = none ? 0 : widest(table, table.measuredHeading, &TableRow::measured, font) + kColumnGap;
    const qreal predicted = widest(table, ComparisonView::tr("predicted"), &TableRow::predicted, font) + kColumnGap;
    const qreal share = std::min(1.0, width * (1 - kLeastLabels) / (predicted + measured + change));
    layout.measured = width - change * share;
    layout.predicted = layout.measured - measured * share;
    layout.label = layout.predicted - predicted * share;
    const QFontMetricsF labels(font);
    layout.hasSmallLabels = std::ranges::any_of(table.rows,
        [&](const TableRow& row) { return row.kind == TableRow::Kind::Value && labels.horizontalAdvance(row.label) > layout.label; });
    qreal y = layout.heading.bottom();
    bool first = true;
    for (const TableRow& row : table.rows) {
        if (row.kind == TableRow::Kind::Heading && !first)
            y += 5;
        const qreal height = row.kind == TableRow::Kind::Note ? text.smallLine : text.line + 1;
        layout.rows.emplace_back(0, y, width, height);
        y += height;
        first = false;
    }
    layout.height = y;
    return layout;
}

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setObjectName(QStringLiteral("comparison"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSizePolicy(policy);
}

void ComparisonView::setTable(ComparisonTable table)
{
    m_table = std::move(table);
    m_current = std::min(m_current, int(m_table.rows.size()) - 1);
    setAccessibleName(tr("Predicted and measured values"));
    setAccessibleDescription(tableText(m_table, {}, TextForm::Aligned));
    relayout();
}

void ComparisonView::render(QPainter& painter, const ComparisonTable& table, const TableLayout& layout,
    const QPalette& palette, const QFont& font, int current)
{
    if (table.rows.empty())
        return;
    painter.save();
    painter.setFont(smallFont(font));
    painter.setPen(themeColor(palette, ColorRole::MutedText));
    drawFigure(painter, cell(layout.heading, layout.label, layout.predicted), table.predictedHeading.isEmpty() ? tr("predicted") : table.predictedHeading);
    if (!table.measuredHeading.isEmpty()) {
        drawFigure(painter, cell(layout.heading, layout.predicted, layout.measured), table.measuredHeading);
        drawFigure(painter, cell(layout.heading, layout.measured, layout.change), QStringLiteral("Δ"));
    }
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const TableRow& row = table.rows[i];
        const QRectF area = layout.rows[i];
        if (int(i) == current) {
            painter.fillRect(area, themeColor(palette, ColorRole::Quiet));
        }
        switch (row.kind) {
        case TableRow::Kind::Heading:
            painter.setFont(bold(smallFont(font)));
            painter.setPen(themeColor(palette, ColorRole::MutedText));
            drawElided(painter, area, row.label);
            break;
        case TableRow::Kind::Note:
            painter.setFont(smallFont(font));
            painter.setPen(themeColor(palette, ColorRole::Accent));
            drawElided(painter, area.adjusted(10, 0, 0, 0), row.label);
            break;
        case TableRow::Kind::Value: renderValue(painter, row, area, layout, palette, font); break;
        }
    }
    painter.restore();
}

QSize ComparisonView::sizeHint() const
{
    return { int(textMetrics(font()).line * 22), int(std::ceil(m_layout.height)) };
}

QSize ComparisonView::minimumSizeHint() const
{
    return { int(textMetrics(font()).line * 17), int(std::ceil(m_layout.height)) };
}

bool ComparisonView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int row = m_layout.rowAt(help->pos());
        const TableRow none, &shown = row < 0 ? none : m_table.rows[std::size_t(row)];
        const QString tip = shown.tip.isEmpty() ? QString() : shown.label + QLatin1Char('\n') + shown.tip; // it may be cut
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, this, m_layout.rows[std::size_t(row)].toAlignedRect());
        return true;
    }
    return QWidget::event(event);
}

void ComparisonView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    render(painter, m_table, m_layout, palette(), font(), hasFocus() ? m_current : -1);
    if (hasFocus() && m_table.rows.empty()) // else a row is marked, which cuts through no text
        drawFocusFrame(painter, rect(), palette());
}

void ComparisonView::resizeEvent(QResizeEvent*)
{
    relayout();
}

void ComparisonView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        relayout();
}

void ComparisonView::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    int row = m_current + step;
    while (row >= 0 && row < int(m_table.rows.size())
        && m_table.rows[std::size_t(row)].kind == TableRow::Kind::Heading)
        row += step;
    if (row >= 0 && row < int(m_table.rows.size()))
        reach(row);
}

void ComparisonView::mousePressEvent(QMouseEvent* event)
{
    reach(m_layout.rowAt(event->position()));
}

void ComparisonView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    const auto first = std::ranges::find(m_table.rows, TableRow::Kind::Value, &TableRow::kind);
    if (m_current < 0 && event->reason() != Qt::MouseFocusReason && first != m_table.rows.end())
        reach(int(first - m_table.rows.begin()));
    update();
}

void ComparisonView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    emit rowReached({});
    update();
}

void ComparisonView::reach(int row)
{
    m_current = row;
    update();
    if (row < 0)
        return;
    const TableRow& shown = m_table.rows[std::size_t(row)];
    QStringList parts { shown.label, shown.predicted, shown.measured, shown.change, QString(shown.tip).replace(QLatin1Char('\n'), QStringLiteral(" · ")) };
    parts.removeAll(QString());
    emit rowReached(parts.join(QStringLiteral("  ")));
}

void ComparisonView::relayout()
{
    m_layout = layoutTable(m_table, std::max(width(), 100), font());
    const int height = int(std::ceil(m_layout.height));
    if (height != this->height())
        setFixedHeight(std::max(1, height));
    update();
}

} // namespace coalescope::app
