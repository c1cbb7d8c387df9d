// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/block/block_layout.h"

#include <QWidget>

namespace coalescope::app {

/// What the view shows: the threads of a block, one warp of them lit.
struct BlockModel {
    analysis::Dim3 block;
    int warp = 0;
    int hoveredLane = -1; ///< of that warp; -1: none

    [[nodiscard]] int warps() const;
};

/// The block as a grid of threads. A click on a thread chooses its warp; the arrow keys step warps.
class BlockView : public QWidget {
    Q_OBJECT
public:
    explicit BlockView(QWidget* parent = nullptr);

    void setModel(BlockModel model);
    [[nodiscard]] const BlockModel& model() const { return m_model; }
    [[nodiscard]] const BlockLayout& layoutOfCells() const { return m_layout; }
    void setWarp(int warp);
    void setHoveredLane(int lane);

    static void render(QPainter&, const BlockModel&, const BlockLayout&, const QPalette&);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void warpChosen(int warp);
    void laneChosen(int lane); ///< by a click, of the warp that it chooses, too; -1: none
    void threadHovered(int x, int y, int z); ///< -1, -1, -1 when the pointer leaves the threads

protected:
    bool event(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void leaveEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

private:
    void relayout();
    void choose(int warp);
    void hover(std::optional<std::uint32_t> thread);

    BlockModel m_model;
    BlockLayout m_layout;
    std::optional<std::uint32_t> m_hovered;
};

} // namespace coalescope::app
