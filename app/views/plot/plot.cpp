// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/plot/plot.h"

#include <QEvent>
#include <QPainter>

namespace coalescope::app {

Plot::Plot(QWidget* parent) : QWidget(parent) {}
void Plot::setModel(PlotModel model) { m_model = std::move(model); update(); }
QRectF Plot::barRect(int bar) const { return {}; }
int Plot::rowAt(QPointF point) const { return {}; }
void Plot::render(QPainter&, const QRectF&, const PlotModel&, const QPalette&, const QFont&) {}
void Plot::changeEvent(QEvent*) {}
void Plot::resizeEvent(QResizeEvent*) {}
void Plot::refresh() {}

} // namespace coalescope::app
