// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/access/warp_access.h"
#include "analysis/execute/launch.h"
#include "app/views/lane/lane_layout.h"

#include <QWidget>

#include <vector>

namespace coalescope::app {

struct LaneRow {
    QString label, value, tip;
};

/// What the view shows: everything about one lane of one access.
struct LaneDetailModel {
    analysis::WarpAccess access;
    int lane = -1; ///< -1: a hint instead
    analysis::Dim3 block; ///< block dimensions, for the thread's coordinates
    int warp = 0;
    std::uint64_t baseAddress = 0; ///< of the buffer that the addresses lie in
    QString baseName; ///< its name; empty: offsets from the warp's lowest address
    std::vector<LaneRow> rows; ///< filled by update()

    void update(); ///< computes the rows from the other fields
};

/// The hovered lane as a table: thread, address, offset, bytes, word, bank, wavefront, sector,
/// line.
class LaneDetailView : public QWidget {
    Q_OBJECT
public:
    explicit LaneDetailView(QWidget* parent = nullptr);

    void setModel(LaneDetailModel model); ///< calls update()
    [[nodiscard]] const LaneDetailModel& model() const { return m_model; }
    void setLane(int lane);

    static void render(QPainter&, const LaneDetailModel&, const LaneLayout&, const QPalette&);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void changeEvent(QEvent*) override;

private:
    void relayout();

    LaneDetailModel m_model;
    LaneLayout m_layout;
};

} // namespace coalescope::app
