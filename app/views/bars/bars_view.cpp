// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/bars/bars_view.h"

#include "app/views/plot/plot.h"
#include "app/widgets/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

/// One row: predicted outlined over measured filled.
void addPair(PlotModel& plot, const BarRow& row, const QPalette& palette)
{
    const double centre = plot.rows();
    plot.labels << row.label;
    plot.texts << row.text;
    if (row.predicted)
        plot.bars.push_back(
            { .row = centre - 0.17, .thickness = 0.26, .value = *row.predicted, .outlined = true });
    if (row.measured)
        plot.bars.push_back({ .row = centre + 0.17,
            .thickness = 0.26,
            .value = *row.measured,
            .color = themeColor(palette, ColorRole::Accent) });
    plot.maximum = std::max({ plot.maximum, row.predicted.value_or(0), row.measured.value_or(0) });
}

PlotModel plotOf(const BarsModel& model, const QPalette& palette)
{
    PlotModel plot;
    plot.maximum = 0;
    for (const BarRow& row : model.rows)
        addPair(plot, row, palette);
    plot.maximum *= 1.01; // the longest outline's right side stays inside
    return plot;
}

QString termText(const TermRow& row)
{
    if (!row.text.isEmpty())
        return row.text;
    const int decimals = row.microseconds < 10 ? 1 : 0;
    return TermsView::tr("%1 µs").arg(QLocale().toString(row.microseconds, 'f', decimals));
}

PlotModel plotOf(const TermsModel& model, const QPalette& palette)
{
    PlotModel plot;
    plot.track = true;
    plot.maximum = 0;
    const int largest = model.largest();
    for (const TermRow& row : model.rows) {
        const int index = plot.rows();
        plot.labels << row.label;
        plot.texts << termText(row);
        const ColorRole role = index == largest ? ColorRole::Warn
            : row.data                          ? ColorRole::Accent
                                                : ColorRole::MutedText;
        plot.bars.push_back({ .row = double(index),
            .thickness = 0.5,
            .value = row.microseconds,
            .color = themeColor(palette, role) });
        plot.maximum = std::max(plot.maximum, row.microseconds);
    }
    for (const BarRow& row : model.totals)
        addPair(plot, row, palette);
    plot.maximum *= model.totals.empty() ? 1 : 1.01;
    return plot;
}

/// "[ ] predicted [#] measured": names what is outlined and what is filled.
void drawLegend(
    QPainter& painter, const QRectF& rect, const BarsModel& model, const QPalette& palette)
{
    painter.save();
    painter.setFont(smallFont(painter.font()));
    const QFontMetricsF metrics(painter.font());
    QRectF key(rect.left() + 1, 0, metrics.height() * 0.9, metrics.height() * 0.4);
    key.moveTop(std::round(rect.center().y() - key.height() / 2));
    const auto entry = [&](const QString& name, bool outlined) {
        painter.setPen(outlined ? QPen(themeColor(palette, ColorRole::Text), 1) : QPen(Qt::NoPen));
        painter.setBrush(outlined ? QBrush() : QBrush(themeColor(palette, ColorRole::Accent)));
        painter.drawRect(key);
        painter.setPen(themeColor(palette, ColorRole::MutedText));
        const qreal width = metrics.horizontalAdvance(name);
        painter.drawText(QRectF(key.right() + 5, rect.top(), width + 2, rect.height()),
            Qt::AlignLeft | Qt::AlignVCenter, name);
        key.translate(key.width() + width + 18, 0);
    };
    entry(model.outlined.isEmpty() ? BarsView::tr("predicted") : model.outlined, true);
    entry(model.filled.isEmpty() ? BarsView::tr("measured") : model.filled, false);
    painter.restore();
}

QString valueText(const std::optional<double>& value)
{
    return value ? QLocale().toString(*value, 'g', 6) : BarsView::tr("unknown");
}

/// A row's two figures, each by its name.
QString tipOf(const BarRow& row, const BarsModel& names = {}, QString (*text)(const std::optional<double>&) = &valueText)
{
    const QString figures = QStringLiteral("%1\n%2: %3\n%4: %5")
        .arg(row.label, names.outlined.isEmpty() ? BarsView::tr("predicted") : names.outlined, text(row.predicted),
            names.filled.isEmpty() ? BarsView::tr("measured") : names.filled, text(row.measured));
    return row.hint.isEmpty() ? figures : figures + QLatin1Char('\n') + row.hint;
}

QString timeText(const std::optional<double>& microseconds)
{
    return microseconds ? TermsView::tr("%1 µs").arg(QLocale().toString(*microseconds, 'f', 2)) : valueText(microseconds);
}

/// A whole time, as rich text.
QString totalTip(const BarRow& row)
{
    return QStringLiteral("<p>%1</p>").arg(tipOf(row, {}, &timeText).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
}

/// What a term is, and why the terms are more than the whole.
QString tipOf(const TermRow& row)
{
    const QString what = row.meaning.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(row.meaning);
    const QString text = TermsView::tr("%1%2: %3, if it were alone. The parts overlap: the longest leads, and the whole is shorter than their sum.")
                             .arg(row.label, what, termText(row));
    const QString hint = row.hint.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(row.hint.toHtmlEscaped());
    return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()) + hint;
}

} // namespace

BarsView::BarsView(QWidget* parent)
    : QWidget(parent)
    , m_plot(new Plot(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Predicted and measured"));
    relayout();
}

void BarsView::setModel(BarsModel model)
{
    m_model = std::move(model);
    m_current = std::clamp(m_current, 0, std::max(0, int(m_model.rows.size()) - 1));
    updateGeometry();
    relayout();
}

void BarsView::relayout()
{
    m_layout = layoutBars(int(m_model.rows.size()), QRectF(rect()).adjusted(3, 2, -3, -2),
        textMetrics(font()), Legend::Shown);
    m_plot->setGeometry(m_layout.plot.toRect());
    m_plot->setVisible(!m_model.rows.empty());
    m_plot->setModel(plotOf(m_model, palette()));
    QStringList text;
    for (const BarRow& row : m_model.rows)
        text << row.label + u' ' + row.text;
    setAccessibleDescription(text.join(QStringLiteral(", ")));
    update();
}

void BarsView::render(
    QPainter& painter, const BarsModel& model, const BarsLayout& layout, const QPalette& palette)
{
    if (!model.rows.empty())
        Plot::render(painter, layout.plot, plotOf(model, palette), palette, painter.font());
    drawLegend(painter, layout.legend, model, palette);
}

QSize BarsView::sizeHint() const
{
    const TextMetrics text = textMetrics(font());
    const int rows = int(m_model.rows.size());
    return QSize(int(text.line * 20), int(std::ceil(barsHeight(rows, text, Legend::Shown))) + 4);
}

QSize BarsView::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    const auto rows = std::max<std::size_t>(1, m_model.rows.size());
    return QSize(int(text.line * 12), int(text.smallLine * (double(rows) * 1.2 + 1)) + 8);
}

void BarsView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawLegend(painter, m_layout.legend, m_model, palette());
    if (hasFocus())
        drawFocusFrame(painter, rect(), palette());
}

void BarsView::resizeEvent(QResizeEvent*) { relayout(); }

void BarsView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange
        || event->type() == QEvent::PaletteChange)
        relayout();
}

bool BarsView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = m_layout.rowAt(help->pos());
    if (row < 0) {
        QToolTip::hideText();
        return true;
    }
    QToolTip::showText(
        help->globalPos(), tipOf(m_model.rows[std::size_t(row)], m_model, &timeText), this);
    return true;
}

void BarsView::mousePressEvent(QMouseEvent* event)
{
    const int row = m_layout.rowAt(event->position());
    if (event->button() != Qt::LeftButton || row < 0)
        return QWidget::mousePressEvent(event);
    m_current = row;
    emit rowChosen(row);
}

void BarsView::keyPressEvent(QKeyEvent* event)
{
    const int last = int(m_model.rows.size()) - 1;
    if (last < 0)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up:
        m_current = std::max(0, m_current - 1);
        break;
    case Qt::Key_Down:
        m_current = std::min(last, m_current + 1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        emit rowChosen(m_current);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

int TermsModel::largest() const
{
    const auto most = std::ranges::max_element(rows, {}, &TermRow::microseconds);
    return most == rows.end() ? -1 : int(most - rows.begin());
}

TermsView::TermsView(QWidget* parent)
    : QWidget(parent)
    , m_plot(new Plot(this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("What takes the time"));
    setMouseTracking(true);
    relayout();
}

void TermsView::setModel(TermsModel model)
{
    m_model = std::move(model);
    updateGeometry();
    relayout();
}

void TermsView::relayout()
{
    m_layout = layoutBars(m_model.count(), QRectF(rect()), textMetrics(font()), Legend::None);
    m_plot->setGeometry(m_layout.plot.toRect());
    m_plot->setVisible(!m_model.rows.empty());
    m_plot->setModel(plotOf(m_model, palette()));
    QStringList text;
    for (const TermRow& row : m_model.rows)
        text << row.label + u' ' + termText(row);
    for (const BarRow& row : m_model.totals)
        text << row.label + u' ' + row.text;
    setAccessibleDescription(text.join(QStringLiteral(", ")));
    update();
}

void TermsView::render(
    QPainter& painter, const TermsModel& model, const BarsLayout& layout, const QPalette& palette)
{
    if (!model.rows.empty())
        Plot::render(painter, layout.plot, plotOf(model, palette), palette, painter.font());
}

QSize TermsView::sizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 20),
        int(std::ceil(barsHeight(m_model.count(), text, Legend::None))));
}

QSize TermsView::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    const auto rows = std::max(1, m_model.count());
    return QSize(int(text.line * 12), int(text.smallLine * double(rows) * 1.2));
}

void TermsView::resizeEvent(QResizeEvent*) { relayout(); }

const TermRow* TermsView::clickableAt(QPointF point) const
{
    const int row = m_layout.rowAt(point);
    if (row < 0 || row >= int(m_model.rows.size()) || m_model.rows[std::size_t(row)].hint.isEmpty())
        return nullptr;
    return &m_model.rows[std::size_t(row)];
}

void TermsView::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(clickableAt(event->position()) != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TermsView::mousePressEvent(QMouseEvent* event)
{
    const TermRow* const row = clickableAt(event->position());
    if (event->button() != Qt::LeftButton || row == nullptr)
        return QWidget::mousePressEvent(event);
    emit termChosen(row->key);
}

void TermsView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange
        || event->type() == QEvent::PaletteChange)
        relayout();
}

bool TermsView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = m_layout.rowAt(help->pos());
    const int terms = int(m_model.rows.size());
    if (row < 0)
        QToolTip::hideText();
    else if (row < terms)
        QToolTip::showText(help->globalPos(), tipOf(m_model.rows[std::size_t(row)]), this);
    else
        QToolTip::showText(help->globalPos(),
            totalTip(m_model.totals[std::size_t(row - terms)]) + m_model.totalsTip, this);
    return true;
}

} // namespace coalescope::app
