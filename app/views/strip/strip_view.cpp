// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/strip/strip_view.h"

#include <QEvent>
#include <QPainter>

namespace coalescope::app {

InstructionStrip::InstructionStrip(QWidget* parent) : QAbstractScrollArea(parent) {}
void InstructionStrip::setModel(StripModel model) { m_model = std::move(model); update(); }
void InstructionStrip::setCurrent(int) {}
void InstructionStrip::render(QPainter&, const StripModel&, const StripLayout&, const QPalette&) {}
QSize InstructionStrip::sizeHint() const { return { 160, 160 }; }
QSize InstructionStrip::minimumSizeHint() const { return { 160, 160 }; }
bool InstructionStrip::viewportEvent(QEvent* e) { return QAbstractScrollArea::viewportEvent(e); }
void InstructionStrip::paintEvent(QPaintEvent*) {}
void InstructionStrip::resizeEvent(QResizeEvent*) {}
void InstructionStrip::changeEvent(QEvent*) {}
void InstructionStrip::scrollContentsBy(int, int) {}
void InstructionStrip::mousePressEvent(QMouseEvent*) {}
void InstructionStrip::keyPressEvent(QKeyEvent*) {}
void InstructionStrip::wheelEvent(QWheelEvent*) {}
void InstructionStrip::focusInEvent(QFocusEvent*) {}
void InstructionStrip::focusOutEvent(QFocusEvent*) {}
void InstructionStrip::measure() {}
void InstructionStrip::relayout() {}
void InstructionStrip::showCurrent() {}
void InstructionStrip::choose(int) {}

qreal stripLabelWidth(const StripModel&, const QFont&) { return 80; }

} // namespace coalescope::app
