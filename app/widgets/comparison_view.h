// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/comparison_table.h"

#include <QRectF>
#include <QWidget>

#include <vector>

namespace coalescope::app {

/// Where the rows and columns of the comparison are.
struct TableLayout {
    std::vector<QRectF> rows; ///< one a row of the table
    QRectF heading; ///< the columns' names
    qreal label = 0; ///< right edges
    qreal predicted = 0, measured = 0, change = 0;
    qreal height = 0;
    bool hasSmallLabels = false; ///< some would not fit otherwise

    [[nodiscard]] int rowAt(QPointF point) const; ///< -1: none
};

[[nodiscard]] TableLayout layoutTable(const ComparisonTable& table, qreal width, const QFont& font);

/// The comparison in columns: plain words, predicted, measured, difference.
class ComparisonView : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonView(QWidget* parent = nullptr);

    void setTable(ComparisonTable table);
    [[nodiscard]] const ComparisonTable& table() const { return m_table; }

    static void render(QPainter& painter, const ComparisonTable& table, const TableLayout& layout,
        const QPalette& palette, const QFont& font, int current = -1);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void rowReached(const QString& description); ///< by keyboard; empty: none

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void relayout();
    void reach(int row);

    ComparisonTable m_table;
    TableLayout m_layout;
    int m_current = -1;
};

} // namespace coalescope::app
