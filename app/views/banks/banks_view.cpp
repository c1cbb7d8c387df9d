// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/banks/banks_view.h"

#include <QEvent>
#include <QPainter>

namespace coalescope::app {

BankView::BankView(QWidget* parent) : QWidget(parent) {}
void BankView::setModel(BankModel model) { m_model = std::move(model); update(); }
void BankView::setHoveredLane(int) {}
void BankView::setHoveredBank(int) {}
void BankView::setWavefront(int) {}
void BankView::render(QPainter&, const BankModel&, const BankLayout&, const QPalette&) {}
QSize BankView::sizeHint() const { return { 160, 160 }; }
QSize BankView::minimumSizeHint() const { return { 160, 160 }; }
bool BankView::event(QEvent* e) { return QWidget::event(e); }
void BankView::paintEvent(QPaintEvent*) {}
void BankView::resizeEvent(QResizeEvent*) {}
void BankView::changeEvent(QEvent*) {}
void BankView::mouseMoveEvent(QMouseEvent*) {}
void BankView::mousePressEvent(QMouseEvent*) {}
void BankView::leaveEvent(QEvent*) {}
void BankView::keyPressEvent(QKeyEvent*) {}
void BankView::relayout() {}
void BankView::hover(int, int) {}
void BankView::choose(int) {}
QString BankView::tipAt(QPointF) const { return {}; }

BankModel BankModel::of(const analysis::WarpAccess& access) { return { .access = access }; }
QString bankFigures(const BankModel&) { return {}; }
QStringList bankListing(const BankModel&, int) { return {}; }

} // namespace coalescope::app
