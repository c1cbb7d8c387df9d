// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/strip/strip_layout.h"

#include <QAbstractScrollArea>

#include <vector>

namespace coalescope::app {

enum class StripKind { Global, Shared, Local, Barrier };

/// One step of the warp: a memory instruction or a barrier.
struct StripItem {
    QString mnemonic; ///< "ld.global"
    int line = 0; ///< source line; 0: unknown
    StripKind kind = StripKind::Global;
    bool store = false;
    double cost = 0; ///< sectors or wavefronts
    double ideal = 0; ///< what the same bytes need at least
    QString costText; ///< "32 wavefronts"
};

struct StripModel {
    std::vector<StripItem> items;
    int current = 0;
    double highest = 0; ///< largest cost; setModel() fills it
};

/// The warp's memory instructions in execution order, to step through with the arrow keys.
class InstructionStrip : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit InstructionStrip(QWidget* parent = nullptr);

    void setModel(StripModel model);
    [[nodiscard]] const StripModel& model() const { return m_model; }
    [[nodiscard]] const StripLayout& layoutOfItems() const { return m_layout; }
    void setCurrent(int index); ///< shows the step without emitting stepChosen

    /// Paints the layout's visible part with its left edge at x 0.
    static void render(QPainter&, const StripModel&, const StripLayout&, const QPalette&);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void stepChosen(int index);

protected:
    bool viewportEvent(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent*) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void focusInEvent(QFocusEvent*) override;
    void focusOutEvent(QFocusEvent*) override;

private:
    void measure();
    void relayout();
    void showCurrent();
    void choose(int index);

    StripModel m_model;
    StripLayout m_layout;
    qreal m_labelWidth = 0;
};

/// Width of the widest label of the items, for layoutStrip().
[[nodiscard]] qreal stripLabelWidth(const StripModel& model, const QFont& font);

} // namespace coalescope::app
