// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/heatmap_layout.h"

#include <QWidget>

#include <functional>
#include <vector>

namespace coalescope::app {

enum class CellState {
    Waiting, ///< not yet computed
    Known,
    Absent, ///< has no such value: not measured
    Illegal, ///< the launch is not allowed
    Failed, ///< there is no result: the program did not compile or run
};

struct HeatCell {
    CellState state = CellState::Waiting;
    double value = 0; ///< of a known cell
    QString text; ///< the value as it is written in the cell
    bool faulty = false; ///< known, and yet not to be used: its corner is marked
};

/// What an amount's colour says.
enum class HeatScale {
    Amount, ///< from the least to the most
    Deviation, ///< from none to either side
};

/// One value a cell over two parameters.
struct HeatMapModel {
    QString xTitle, yTitle; ///< parameters; an empty yTitle: a single row
    QStringList xLabels, yLabels;
    std::vector<HeatCell> cells; ///< row by row
    QString valueTitle; ///< "time, µs: predicted"
    HeatScale scale = HeatScale::Amount;
    QString least, most; ///< the scale's ends as texts
    double leastValue = 0, mostValue = 0; ///< the scale's ends
    bool logarithmic = false; ///< equal ratios are equal steps of the scale
    std::vector<int> best; ///< marked with a star
    int current = -1; ///< the experiment's cell, outlined; -1: not among them
    /// A cell's place with its figures or its reason, one a line. Made when asked for: there may be
    /// thousands of cells, and they change many times a second while a sweep runs.
    std::function<QString(int cell)> tip;

    [[nodiscard]] QString tipOf(int cell) const; ///< empty where there is none
    [[nodiscard]] int columns() const { return int(xLabels.size()); }
    [[nodiscard]] int rows() const { return int(yLabels.size()); }
    [[nodiscard]] double shareOf(double value) const; ///< place on the scale: 0 to 1, or -1 to 1
};

/// Widths of the model's texts in a font.
[[nodiscard]] HeatMapTexts measureTexts(const HeatMapModel& model, const QFont& font);

/// A heat map. A click or Enter chooses a cell, the arrow keys move between them.
class HeatMapView : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapView(QWidget* parent = nullptr);

    void setModel(HeatMapModel model);
    [[nodiscard]] const HeatMapModel& model() const { return m_model; }
    [[nodiscard]] const HeatMapLayout& layoutOfCells() const { return m_layout; }
    [[nodiscard]] int cursor() const { return m_cursor; } ///< -1: none

    static void render(QPainter&, const HeatMapModel&, const HeatMapLayout&, const QPalette&);
    /// How broad the line is that tells what the colours and marks mean. Units: logical pixels.
    [[nodiscard]] static qreal keyWidth(const HeatMapModel& model, const QFont& font);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void cellChosen(int cell);
    void cellReached(const QString& description); ///< by key or pointer; empty: none

protected:
    bool event(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void leaveEvent(QEvent*) override;
    void focusOutEvent(QFocusEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

private:
    void relayout();
    void reach(int cell);
    void moveBy(int stepX, int stepY);

    HeatMapModel m_model;
    HeatMapLayout m_layout;
    HeatMapTexts m_texts;
    int m_cursor = -1; ///< of the keyboard
    int m_hovered = -1;
};

} // namespace coalescope::app
