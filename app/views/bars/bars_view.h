// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/bars/bars_layout.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace coalescope::app {

class Plot;
struct PlotModel;

/// One value predicted and measured; either may be unknown.
struct BarRow {
    QString label;
    std::optional<double> predicted, measured;
    QString text; ///< on the right: "131 | 134 us"
    QString hint; ///< what a click does; empty: nothing
};

struct BarsModel {
    std::vector<BarRow> rows;
    QString outlined, filled; ///< what the two bars are; empty: predicted, measured
};

/// Predicted (outlined) over measured (filled) bars, one pair a row, all on one scale.
class BarsView : public QWidget {
    Q_OBJECT
public:
    explicit BarsView(QWidget* parent = nullptr);

    void setModel(BarsModel model);
    [[nodiscard]] const BarsModel& model() const { return m_model; }
    [[nodiscard]] const Plot& plot() const { return *m_plot; }

    static void render(QPainter&, const BarsModel&, const BarsLayout&, const QPalette&);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void rowChosen(int row); ///< click or Enter

protected:
    bool event(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

private:
    void relayout();

    BarsModel m_model;
    BarsLayout m_layout;
    Plot* m_plot = nullptr;
    int m_current = 0;
};

/// One part of the time.
struct TermRow {
    QString label;
    double microseconds = 0;
    QString text; ///< "131 us"; empty: made from the value
    bool data = true; ///< false: overhead (launch, issue), drawn in grey
    QString meaning; ///< what it counts
    QString key; ///< its name in TimeValues::terms
    QString hint; ///< what a click does; empty: nothing
};

struct TermsModel {
    std::vector<TermRow> rows; ///< in the order shown
    std::vector<BarRow> totals; ///< below them, on the same scale: the whole they make, then other times of the launch
    QString totalsTip; ///< what these times are, as rich text

    [[nodiscard]] int count() const { return int(rows.size() + totals.size()); }

    [[nodiscard]] int largest() const; ///< -1: no rows
};

/// What takes the time: one bar a term, the largest highlighted.
class TermsView : public QWidget {
    Q_OBJECT
public:
    explicit TermsView(QWidget* parent = nullptr);

    void setModel(TermsModel model);
    [[nodiscard]] const TermsModel& model() const { return m_model; }
    [[nodiscard]] const Plot& plot() const { return *m_plot; }

    static void render(QPainter&, const TermsModel&, const BarsLayout&, const QPalette&);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void termChosen(const QString& key); ///< a click on one with a hint

protected:
    bool event(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;

private:
    void relayout();
    [[nodiscard]] const TermRow* clickableAt(QPointF point) const;

    TermsModel m_model;
    BarsLayout m_layout;
    Plot* m_plot = nullptr;
};

} // namespace coalescope::app
