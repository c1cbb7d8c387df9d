// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/plot/xy_plot.h"

#include "app/views/draw/draw.h"
#include "app/views/plot/plot.h"
#include "app/widgets/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace coalescope::app {
namespace {

constexpr double kNearPixels = 9; ///< how far from a point a click still means it

struct Range {
    double least = std::numeric_limits<double>::infinity(), most = -least;

    void include(double value)
    {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    void include(const Range& other)
    {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// With room around the points; from 0 where they are not spread over decades.
QCPRange paddedRange(const Range& range, bool logarithmic)
{
    if (!(range.least <= range.most))
        return { logarithmic ? 0.1 : 0.0, 1.0 };
    if (logarithmic)
        return { range.least / 1.25, range.most * 1.25 };
    return { std::min(0.0, range.least), range.most > 0 ? range.most * 1.06 : 1.0 };
}

void styleAxis(QCPAxis* axis, const QString& title, const QPalette& palette, const QFont& font)
{
    const QColor muted = themeColor(palette, ColorRole::MutedText);
    axis->setVisible(true);
    axis->setLabel(title);
    axis->setLabelFont(smallFont(font));
    axis->setLabelColor(muted);
    axis->setTickLabelFont(smallFont(font));
    axis->setTickLabelColor(muted);
    const QPen line(themeColor(palette, ColorRole::Grid), 1);
    axis->setBasePen(line);
    axis->setTickPen(line);
    axis->setSubTickPen(line);
    axis->grid()->setVisible(true);
    axis->grid()->setPen(QPen(themeColor(palette, ColorRole::Quiet), 1));
    axis->grid()->setZeroLinePen(Qt::NoPen);
}

/// Ticks whose numbers are written as the model says.
template <class Base> class FormattedTicker : public Base {
public:
    explicit FormattedTicker(std::function<QString(double)> format)
        : m_format(std::move(format))
    {
    }

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar kind, int precision) override
    {
        return m_format ? m_format(tick) : Base::getTickLabel(tick, locale, kind, precision);
    }

private:
    std::function<QString(double)> m_format;
};

/// 1, 2, 5, 10, 20, ...; over many decades their powers alone.
class DecadeTicker : public FormattedTicker<QCPAxisTicker> {
public:
    using FormattedTicker::FormattedTicker;

protected:
    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        static constexpr double kFewDecades = 3;
        const double first = std::floor(std::log10(range.lower)), last = std::ceil(std::log10(range.upper));
        QVector<double> ticks;
        for (double decade = first; decade <= last; decade += std::max(1.0, std::floor((last - first) / 8))) {
            for (const double step : { 1.0, 2.0, 5.0 })
                if (step == 1 || last - first <= kFewDecades)
                    ticks << step * std::pow(10, decade);
        }
        return ticks;
    }
    int getSubTickCount(double) override { return 0; }
};

void setScale(QCPAxis* axis, const XyModel& model)
{
    using Ticker = QSharedPointer<QCPAxisTicker>;
    axis->setScaleType(model.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setTicker(model.logarithmic ? Ticker(new DecadeTicker(model.format))
                                      : Ticker(new FormattedTicker<QCPAxisTicker>(model.format)));
}

/// Names at whole numbers, thinned out where there are many.
QSharedPointer<QCPAxisTicker> nameTicker(const QStringList& names)
{
    static constexpr qsizetype kMostNames = 17;
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const qsizetype every = (names.size() + kMostNames - 1) / kMostNames;
    for (qsizetype i = 0; i < names.size(); i += std::max<qsizetype>(1, every))
        ticker->addTick(double(i), names[i]);
    return ticker;
}

void addSeries(QCustomPlot& plot, const XySeries& series, const QPalette& palette)
{
    auto* curve = new QCPCurve(plot.xAxis, plot.yAxis);
    QVector<double> t, x, y;
    for (const XyPoint& point : series.points) {
        t << double(t.size());
        x << point.x;
        y << point.y;
    }
    curve->setData(t, x, y, true);
    curve->setName(series.name);
    const bool filled = series.style == XyStyle::Filled;
    const QColor color = themeColor(palette, filled ? ColorRole::Accent : ColorRole::Text);
    curve->setLineStyle(series.joined ? QCPCurve::lsLine : QCPCurve::lsNone);
    curve->setPen(QPen(color, 1));
    curve->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color, 1),
        filled ? QBrush(color) : QBrush(themeColor(palette, ColorRole::Panel)), 6));
}

bool hasWrong(const XyModel& model)
{
    return std::ranges::any_of(model.series, [](const XySeries& series) { return std::ranges::any_of(series.points, &XyPoint::isWrong); });
}

void markWrong(QCustomPlot& plot, const XyModel& model, const QPalette& palette)
{
    auto* marks = new QCPCurve(plot.xAxis, plot.yAxis);
    for (const XySeries& series : model.series)
        for (const XyPoint& point : series.points)
            if (point.isWrong)
                marks->addData(point.x, point.y);
    marks->setName(model.wrongName);
    const QColor color = themeColor(palette, ColorRole::Bad);
    marks->setLineStyle(QCPCurve::lsNone);
    marks->setPen(QPen(color, 1));
    marks->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, QPen(color, 2), Qt::NoBrush, 9));
}

void addDiagonal(QCustomPlot& plot, const QCPRange& range, const QPalette& palette)
{
    auto* line = new QCPCurve(plot.xAxis, plot.yAxis);
    line->setData({ 0, 1 }, { range.lower, range.upper }, { range.lower, range.upper }, true);
    line->setPen(QPen(themeColor(palette, ColorRole::MutedText), 1, Qt::DashLine));
    line->removeFromLegend();
}

void ringCurrent(QCustomPlot& plot, const XyModel& model, const QPalette& palette)
{
    auto* ring = new QCPCurve(plot.xAxis, plot.yAxis);
    for (const XySeries& series : model.series) {
        for (const XyPoint& point : series.points) {
            if (point.id == model.current)
                ring->addData(point.x, point.y);
        }
    }
    ring->setLineStyle(QCPCurve::lsNone);
    ring->setScatterStyle(QCPScatterStyle(
        QCPScatterStyle::ssCircle, QPen(themeColor(palette, ColorRole::Warn), 2), Qt::NoBrush, 12));
    ring->removeFromLegend();
}

void styleLegend(
    QCustomPlot& plot, const XyModel& model, const QPalette& palette, const QFont& font)
{
    plot.legend->setVisible(model.series.size() > 1 || hasWrong(model));
    plot.legend->setFont(smallFont(font));
    plot.legend->setTextColor(themeColor(palette, ColorRole::Text));
    plot.legend->setBrush(themeColor(palette, ColorRole::Panel));
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setIconSize(18, 10);
    if (plot.legend->layout() == plot.axisRect()->insetLayout()) { // at first: above, over no point
        plot.axisRect()->insetLayout()->take(plot.legend);
        plot.plotLayout()->insertRow(0);
        // What is left of the row is empty: the legend's greatest width is not the plot's.
        auto* row = new QCPLayoutGrid;
        plot.plotLayout()->addElement(0, 0, row);
        row->addElement(0, 0, plot.legend);
        row->addElement(0, 1, new QCPLayoutElement(&plot));
        plot.plotLayout()->setRowStretchFactor(0, 0.001);
        plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
        plot.legend->setMaximumSize(16 * QFontMetrics(font).averageCharWidth() * 2, QWIDGETSIZE_MAX);
    }
}

void configure(QCustomPlot& plot, const XyModel& model, const QPalette& palette, const QFont& font)
{
    plot.clearPlottables();
    Range xs, ys;
    for (const XySeries& series : model.series) {
        for (const XyPoint& point : series.points) {
            xs.include(point.x);
            ys.include(point.y);
        }
    }
    if (model.diagonal) {
        xs.include(ys);
        ys = xs;
    }
    const bool named = !model.xNames.isEmpty();
    setScale(plot.yAxis, model);
    if (named) {
        plot.xAxis->setScaleType(QCPAxis::stLinear);
        plot.xAxis->setTicker(nameTicker(model.xNames));
    } else {
        setScale(plot.xAxis, model);
    }
    plot.xAxis->setRange(named ? QCPRange(-0.5, double(model.xNames.size()) - 0.5)
                               : paddedRange(xs, model.logarithmic));
    plot.yAxis->setRange(paddedRange(ys, model.logarithmic));
    const auto titled = [](const QString& title, bool logarithmic) {
        return logarithmic && !title.isEmpty() ? XyPlot::tr("%1, logarithmic").arg(title) : title;
    };
    styleAxis(plot.xAxis, titled(model.xTitle, model.logarithmic && !named), palette, font);
    styleAxis(plot.yAxis, titled(model.yTitle, model.logarithmic), palette, font);
    const bool empty = std::ranges::all_of(model.series, [](const XySeries& series) { return series.points.empty(); });
    plot.xAxis->setTickLabels(named || !empty); // numbers of nothing
    plot.yAxis->setTickLabels(!empty);
    plot.axisRect()->setBackground(Qt::NoBrush);
    if (model.diagonal)
        addDiagonal(plot, plot.xAxis->range(), palette);
    for (const XySeries& series : model.series)
        addSeries(plot, series, palette);
    if (hasWrong(model))
        markWrong(plot, model, palette);
    if (model.current >= 0)
        ringCurrent(plot, model, palette);
    styleLegend(plot, model, palette, font);
}

} // namespace

XyPlot::XyPlot(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
{
    m_plot->setMinimumSize(0, 0);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents); // this widget knows what a point is
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    refresh();
}

void XyPlot::setModel(XyModel model)
{
    m_model = std::move(model);
    refresh();
}

void XyPlot::refresh()
{
    m_plot->setGeometry(rect().adjusted(2, 2, -2, -2));
    configure(*m_plot, m_model, palette(), font());
    m_plot->setBackground(themeColor(palette(), ColorRole::Panel));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QPointF XyPlot::pixelOf(const XyPoint& point) const
{
    return QPointF(m_plot->xAxis->coordToPixel(point.x), m_plot->yAxis->coordToPixel(point.y))
        + m_plot->pos();
}

int XyPlot::idAt(QPointF at) const
{
    int found = -1;
    double nearest = kNearPixels;
    for (const XySeries& series : m_model.series) {
        for (const XyPoint& point : series.points) {
            const QPointF way = pixelOf(point) - at;
            if (const double distance = std::hypot(way.x(), way.y()); distance < nearest) {
                nearest = distance;
                found = point.id;
            }
        }
    }
    return found;
}

void XyPlot::render(QPainter& painter, const QRectF& area, const XyModel& model,
    const QPalette& palette, const QFont& font)
{
    QCustomPlot plot;
    configure(plot, model, palette, inPixels(font));
    paintPlot(painter, area, plot);
}

QSize XyPlot::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 14), int(text.line * 8));
}

void XyPlot::resizeEvent(QResizeEvent*) { m_plot->setGeometry(rect().adjusted(2, 2, -2, -2)); }

void XyPlot::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refresh();
}

bool XyPlot::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int id = idAt(help->pos());
    if (id < 0 || !m_model.tip)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), m_model.tip(id), this);
    return true;
}

void XyPlot::reach(int id)
{
    const QString text = id >= 0 && m_model.tip ? m_model.tip(id) : QString();
    setAccessibleDescription(text);
    emit pointReached(QString(text).replace(u'\n', QStringLiteral(" · ")));
}

void XyPlot::mouseMoveEvent(QMouseEvent* event)
{
    const int id = idAt(event->position());
    setCursor(id >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (std::exchange(m_hovered, id) != id)
        reach(id);
}

void XyPlot::mousePressEvent(QMouseEvent* event)
{
    const int id = idAt(event->position());
    if (event->button() != Qt::LeftButton || id < 0)
        return QWidget::mousePressEvent(event);
    emit pointChosen(id);
}

void XyPlot::leaveEvent(QEvent*)
{
    if (std::exchange(m_hovered, -1) >= 0)
        reach(-1);
}

void XyPlot::moveBy(int step)
{
    std::vector<XyPoint> points;
    for (const XySeries& series : m_model.series)
        points.insert(points.end(), series.points.begin(), series.points.end());
    if (points.empty())
        return;
    std::ranges::stable_sort(points, {}, &XyPoint::x);
    const int from = m_cursor >= 0 ? m_cursor : m_model.current;
    const auto at = std::ranges::find(points, from, &XyPoint::id);
    // Predicted and measured points of one launch are one stop.
    auto next = at;
    while (next != points.end() && next->id == from) {
        if (step < 0 && next == points.begin())
            break;
        next += step;
    }
    if (at == points.end())
        next = points.begin();
    if (next == points.end())
        return;
    m_cursor = m_model.current = next->id; // the ring shows where the keys are
    refresh();
    reach(m_cursor);
}

void XyPlot::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return moveBy(-1);
    case Qt::Key_Right:
        return moveBy(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_cursor >= 0)
            emit pointChosen(m_cursor);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace coalescope::app
