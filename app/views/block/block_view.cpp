// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/block/block_view.h"

#include <QEvent>
#include <QPainter>

namespace coalescope::app {

BlockView::BlockView(QWidget* parent) : QWidget(parent) {}
void BlockView::setModel(BlockModel model) { m_model = std::move(model); update(); }
void BlockView::setWarp(int) {}
void BlockView::setHoveredLane(int) {}
void BlockView::render(QPainter&, const BlockModel&, const BlockLayout&, const QPalette&) {}
QSize BlockView::sizeHint() const { return { 160, 160 }; }
QSize BlockView::minimumSizeHint() const { return { 160, 160 }; }
bool BlockView::event(QEvent* e) { return QWidget::event(e); }
void BlockView::paintEvent(QPaintEvent*) {}
void BlockView::resizeEvent(QResizeEvent*) {}
void BlockView::changeEvent(QEvent*) {}
void BlockView::mouseMoveEvent(QMouseEvent*) {}
void BlockView::mousePressEvent(QMouseEvent*) {}
void BlockView::leaveEvent(QEvent*) {}
void BlockView::keyPressEvent(QKeyEvent*) {}
void BlockView::relayout() {}
void BlockView::choose(int) {}
void BlockView::hover(std::optional<std::uint32_t>) {}

int BlockModel::warps() const { return int((block.count() + 31) / 32); }

} // namespace coalescope::app
