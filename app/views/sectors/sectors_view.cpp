// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/sectors/sectors_view.h"

#include <QEvent>
#include <QPainter>

namespace coalescope::app {

SectorView::SectorView(QWidget* parent) : QAbstractScrollArea(parent) {}
void SectorView::setModel(SectorModel model) { m_model = std::move(model); update(); }
void SectorView::setHoveredLane(int) {}
void SectorView::render(QPainter&, const SectorModel&, const SectorLayout&, const QPalette&) {}
QSize SectorView::sizeHint() const { return { 160, 160 }; }
QSize SectorView::minimumSizeHint() const { return { 160, 160 }; }
bool SectorView::viewportEvent(QEvent* e) { return QAbstractScrollArea::viewportEvent(e); }
void SectorView::paintEvent(QPaintEvent*) {}
void SectorView::resizeEvent(QResizeEvent*) {}
void SectorView::changeEvent(QEvent*) {}
void SectorView::scrollContentsBy(int, int) {}
void SectorView::mouseMoveEvent(QMouseEvent*) {}
void SectorView::keyPressEvent(QKeyEvent*) {}
void SectorView::focusInEvent(QFocusEvent*) {}
void SectorView::focusOutEvent(QFocusEvent*) {}
void SectorView::relayout() {}
void SectorView::hover(int) {}
LineByte SectorView::byteUnder(QPointF) const { return {}; }

SectorModel SectorModel::of(const analysis::WarpAccess& access) { return { .access = access }; }
SectorFigures sectorFigures(const SectorModel&) { return {}; }

} // namespace coalescope::app
