// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/plot/plot.h"

#include "app/widgets/theme.h"

#include <QEvent>
#include <QFontInfo>
#include <QPicture>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace coalescope::app {
namespace {

QSharedPointer<QCPAxisTickerText> rowTicker(const QStringList& labels)
{
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (qsizetype row = 0; row < labels.size(); ++row)
        ticker->addTick(double(row), labels[row]);
    return ticker;
}

/// Rows of texts line up on the right: a fixed font and equal lengths.
QStringList padded(QStringList texts)
{
    qsizetype longest = 0;
    for (const QString& text : texts)
        longest = std::max(longest, text.size());
    for (QString& text : texts)
        text = text.rightJustified(longest);
    return texts;
}

void styleLabels(QCPAxis* axis, const QFont& font, const QColor& color)
{
    axis->setVisible(true);
    axis->setBasePen(Qt::NoPen);
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelFont(font);
    axis->setTickLabelColor(color);
    axis->setTickLabelPadding(6);
    axis->setPadding(0);
    axis->grid()->setVisible(false);
}

void addBar(QCustomPlot& plot, const PlotBar& bar, const QColor& line)
{
    auto* bars = new QCPBars(plot.yAxis, plot.xAxis);
    bars->setWidthType(QCPBars::wtPlotCoords);
    bars->setWidth(bar.thickness);
    bars->setAntialiased(false);
    if (bar.outlined) {
        bars->setPen(QPen(line, 1));
        bars->setBrush(Qt::NoBrush);
    } else {
        bars->setPen(Qt::NoPen);
        bars->setBrush(bar.color);
    }
    bars->addData(bar.row, bar.value);
}

/// Everything that QCustomPlot is told, at one place.
void configure(
    QCustomPlot& plot, const PlotModel& model, const QPalette& palette, const QFont& font)
{
    plot.clearPlottables();
    const double rows = std::max(1, model.rows());
    plot.yAxis->setRangeReversed(true);
    plot.yAxis->setRange(-0.5, rows - 0.5);
    plot.yAxis->setTicker(rowTicker(model.labels));
    styleLabels(plot.yAxis, smallFont(font), themeColor(palette, ColorRole::Text));
    plot.yAxis2->setRangeReversed(true);
    plot.yAxis2->setRange(-0.5, rows - 0.5);
    plot.yAxis2->setTicker(rowTicker(padded(model.texts)));
    styleLabels(plot.yAxis2, smallFont(numberFont(font)), themeColor(palette, ColorRole::Text));
    plot.xAxis->setVisible(false);
    plot.xAxis->grid()->setVisible(false);
    plot.xAxis2->setVisible(false);
    plot.xAxis->setRange(0, model.maximum > 0 ? model.maximum : 1);
    plot.axisRect()->setMinimumMargins(QMargins(0, 0, 0, 0));
    plot.axisRect()->setBackground(Qt::NoBrush);
    plot.plotLayout()->setMargins({});
    if (model.track) {
        for (int row = 0; row < model.rows(); ++row)
            addBar(plot,
                { .row = double(row),
                    .thickness = 0.5,
                    .value = plot.xAxis->range().upper,
                    .color = themeColor(palette, ColorRole::Quiet) },
                {});
    }
    for (const PlotBar& bar : model.bars)
        addBar(plot, bar, themeColor(palette, ColorRole::Text));
}

} // namespace

QFont inPixels(QFont font)
{
    font.setPixelSize(QFontInfo(font).pixelSize());
    return font;
}

void paintPlot(QPainter& painter, const QRectF& area, QCustomPlot& plot)
{
    plot.setBackground(Qt::NoBrush);
    QPicture picture;
    QCPPainter inner(&picture);
    inner.setMode(QCPPainter::pmVectorized);
    inner.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&inner, int(area.width()), int(area.height()));
    inner.end();
    painter.drawPicture(area.topLeft(), picture);
}

Plot::Plot(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_plot);
    m_plot->setMinimumSize(0, 0);
    // The view around it answers the pointer: it knows what a row is.
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    refresh();
}

void Plot::setModel(PlotModel model)
{
    m_model = std::move(model);
    refresh();
}

void Plot::refresh()
{
    configure(*m_plot, m_model, palette(), font());
    m_plot->setBackground(themeColor(palette(), ColorRole::Panel));
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

QRectF Plot::barRect(int bar) const
{
    const PlotBar& shown = m_model.bars.at(std::size_t(bar));
    const double left = m_plot->xAxis->coordToPixel(0),
                 right = m_plot->xAxis->coordToPixel(shown.value);
    const double top = m_plot->yAxis->coordToPixel(shown.row - shown.thickness / 2);
    const double bottom = m_plot->yAxis->coordToPixel(shown.row + shown.thickness / 2);
    return QRectF(QPointF(left, top), QPointF(right, bottom)).translated(m_plot->pos());
}

int Plot::rowAt(QPointF point) const
{
    const double row = std::round(m_plot->yAxis->pixelToCoord(point.y() - m_plot->y()));
    return row >= 0 && row < m_model.rows() ? int(row) : -1;
}

void Plot::render(QPainter& painter, const QRectF& area, const PlotModel& model,
    const QPalette& palette, const QFont& font)
{
    QCustomPlot plot;
    configure(plot, model, palette, inPixels(font));
    paintPlot(painter, area, plot);
}

void Plot::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refresh();
}

} // namespace coalescope::app
