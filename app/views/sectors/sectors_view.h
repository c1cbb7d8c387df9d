// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/access/sector_model.h"
#include "app/views/sectors/sectors_layout.h"

#include <QAbstractScrollArea>

#include <optional>
#include <vector>

namespace coalescope::app {

/// What the view shows: one global access and what became of it.
struct SectorModel {
    analysis::WarpAccess access;
    int hoveredLane = -1;
    std::optional<analysis::SectorReport> report; ///< nothing: `problem` says why
    QString problem;
    std::vector<analysis::TouchedLine> lines;

    /// Judges the access; cheap, but not for paintEvent.
    [[nodiscard]] static SectorModel of(const analysis::WarpAccess& access);
};

/// "1 request · 4 sectors · 1 tag", then "ideal 4", then "128 B used of 128 B · 100 %".
struct SectorFigures {
    QString cost, ideal, used;
};
[[nodiscard]] SectorFigures sectorFigures(const SectorModel& model);

/// The figures as far as they fit: words and whole figures are dropped, never a digit cut.
[[nodiscard]] SectorFigures fittingFigures(const SectorModel& model, qreal width, const QFont& font);

/// Line, sector, lanes and address of a byte, a line each.
[[nodiscard]] QString byteTip(const SectorModel& model, LineByte at);

/// The touched cache lines, each split in its sectors, every byte in the colour of its lane.
class SectorView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit SectorView(QWidget* parent = nullptr);

    void setModel(SectorModel model);
    void setAccess(const analysis::WarpAccess& access) { setModel(SectorModel::of(access)); }
    [[nodiscard]] const SectorModel& model() const { return m_model; }
    [[nodiscard]] const SectorLayout& layoutOfLines() const { return m_layout; }
    void setHoveredLane(int lane); ///< shows the lane without emitting laneHovered

    /// Paints the whole content; the widget scrolls it.
    static void render(QPainter&, const SectorModel&, const SectorLayout&, const QPalette&);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void laneHovered(int lane); ///< -1 when the pointer leaves the lanes' bytes
    void laneChosen(int lane); ///< by a click or a key; -1: none

protected:
    bool viewportEvent(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent*) override;
    void scrollContentsBy(int dx, int dy) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void focusInEvent(QFocusEvent*) override;
    void focusOutEvent(QFocusEvent*) override;

private:
    void relayout();
    void hover(int lane);
    void choose(int lane);
    [[nodiscard]] int laneUnder(QPointF point) const; ///< -1: none
    [[nodiscard]] LineByte byteUnder(QPointF point) const;

    SectorModel m_model;
    SectorLayout m_layout;
};

} // namespace coalescope::app
