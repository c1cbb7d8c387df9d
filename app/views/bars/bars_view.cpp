// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/bars/bars_view.h"

#include <QEvent>
#include <QPainter>

namespace coalescope::app {

BarsView::BarsView(QWidget* parent) : QWidget(parent) {}
void BarsView::setModel(BarsModel model) { m_model = std::move(model); update(); }
void BarsView::render(QPainter&, const BarsModel&, const BarsLayout&, const QPalette&) {}
QSize BarsView::sizeHint() const { return { 160, 160 }; }
QSize BarsView::minimumSizeHint() const { return { 160, 160 }; }
bool BarsView::event(QEvent* e) { return QWidget::event(e); }
void BarsView::paintEvent(QPaintEvent*) {}
void BarsView::resizeEvent(QResizeEvent*) {}
void BarsView::changeEvent(QEvent*) {}
void BarsView::mousePressEvent(QMouseEvent*) {}
void BarsView::keyPressEvent(QKeyEvent*) {}
void BarsView::relayout() {}

TermsView::TermsView(QWidget* parent) : QWidget(parent) {}
void TermsView::setModel(TermsModel model) { m_model = std::move(model); update(); }
void TermsView::render(QPainter&, const TermsModel&, const BarsLayout&, const QPalette&) {}
QSize TermsView::sizeHint() const { return { 160, 160 }; }
QSize TermsView::minimumSizeHint() const { return { 160, 160 }; }
bool TermsView::event(QEvent* e) { return QWidget::event(e); }
void TermsView::resizeEvent(QResizeEvent*) {}
void TermsView::changeEvent(QEvent*) {}
void TermsView::relayout() {}

int TermsModel::largest() const { return -1; }

} // namespace coalescope::app
