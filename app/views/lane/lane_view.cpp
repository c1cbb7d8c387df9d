// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/lane/lane_view.h"

#include <QEvent>
#include <QPainter>

namespace coalescope::app {

LaneDetailView::LaneDetailView(QWidget* parent) : QWidget(parent) {}
void LaneDetailView::setModel(LaneDetailModel model) { m_model = std::move(model); update(); }
void LaneDetailView::setLane(int) {}
void LaneDetailView::render(QPainter&, const LaneDetailModel&, const LaneLayout&, const QPalette&) {}
QSize LaneDetailView::sizeHint() const { return { 160, 160 }; }
QSize LaneDetailView::minimumSizeHint() const { return { 160, 160 }; }
bool LaneDetailView::event(QEvent* e) { return QWidget::event(e); }
void LaneDetailView::paintEvent(QPaintEvent*) {}
void LaneDetailView::resizeEvent(QResizeEvent*) {}
void LaneDetailView::changeEvent(QEvent*) {}
void LaneDetailView::relayout() {}

void LaneDetailModel::update() {}

} // namespace coalescope::app
