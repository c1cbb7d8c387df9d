// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QWidget>

#include <vector>

class QCustomPlot;
class QPainter;

namespace coalescope::app {

/// One horizontal bar.
struct PlotBar {
    double row = 0; ///< centre, in rows from the top; fractions place several bars in one row
    double thickness = 0.5; ///< in rows
    double value = 0;
    QColor color;
    bool outlined = false; ///< an empty bar with a line around it
};

/// Horizontal bars with a label on the left and a text on the right of each row.
struct PlotModel {
    QStringList labels, texts; ///< one a row
    std::vector<PlotBar> bars;
    double maximum = 1; ///< end of the value axis
    bool track = false; ///< a quiet bar over the whole axis behind each row

    [[nodiscard]] int rows() const { return int(labels.size()); }
};

/// The font in pixels. A picture has a resolution of its own: sizes in pixels keep the texts in their margins.
[[nodiscard]] QFont inPixels(QFont font);

/// Paints a plot into an area, vectors kept.
void paintPlot(QPainter& painter, const QRectF& area, QCustomPlot& plot);

/// Horizontal bars, drawn by QCustomPlot: axes, palette, fonts and export. Only this folder knows it.
class Plot : public QWidget {
    Q_OBJECT
public:
    explicit Plot(QWidget* parent = nullptr);

    void setModel(PlotModel model);
    [[nodiscard]] const PlotModel& model() const { return m_model; }

    /// Pixel rectangle of a bar, in the widget's coordinates.
    [[nodiscard]] QRectF barRect(int bar) const;
    [[nodiscard]] int rowAt(QPointF point) const; ///< -1: none

    /// Paints the same picture of any size, vectors kept: for SVG and PDF.
    static void render(QPainter& painter, const QRectF& area, const PlotModel& model,
        const QPalette& palette, const QFont& font);

protected:
    void changeEvent(QEvent*) override;

private:
    void refresh();

    PlotModel m_model;
    QCustomPlot* m_plot = nullptr;
};

} // namespace coalescope::app
