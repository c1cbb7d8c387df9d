// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

class QCustomPlot;
class QPainter;

namespace coalescope::app {

struct XyPoint {
    double x = 0, y = 0;
    int id = 0; ///< what a click on it means
    bool isWrong = false; ///< marked
};

enum class XyStyle {
    Outlined, ///< predicted
    Filled, ///< measured
};

struct XySeries {
    QString name;
    std::vector<XyPoint> points;
    XyStyle style = XyStyle::Outlined;
    bool joined = false; ///< by a line, in the order given
};

/// Points over two axes.
struct XyModel {
    QString xTitle, yTitle, wrongName; ///< the last: in the legend, of marked points
    QStringList xNames; ///< of x = 0, 1, 2, ...; empty: x is a number
    std::vector<XySeries> series;
    bool logarithmic = false; ///< both axes, or y alone where x has names
    bool diagonal = false; ///< a line where x = y; both axes then have one range
    int current = -1; ///< id that is ringed
    std::function<QString(double value)> format; ///< of the axes' numbers; none: as they are
    std::function<QString(int id)> tip; ///< one figure a line
};

/// Points, drawn by QCustomPlot. A click or Enter chooses one, Left and Right move between them.
class XyPlot : public QWidget {
    Q_OBJECT
public:
    explicit XyPlot(QWidget* parent = nullptr);

    void setModel(XyModel model);
    [[nodiscard]] const XyModel& model() const { return m_model; }
    [[nodiscard]] QPointF pixelOf(const XyPoint& point) const; ///< in the widget's coordinates
    [[nodiscard]] int idAt(QPointF point) const; ///< -1: none is near

    static void render(QPainter& painter, const QRectF& area, const XyModel& model,
        const QPalette& palette, const QFont& font);

    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void pointChosen(int id);
    void pointReached(const QString& description); ///< by key or pointer; empty: none

protected:
    bool event(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void leaveEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

private:
    void refresh();
    void reach(int id);
    void moveBy(int step);

    XyModel m_model;
    QCustomPlot* m_plot = nullptr;
    int m_hovered = -1, m_cursor = -1;
};

} // namespace coalescope::app
