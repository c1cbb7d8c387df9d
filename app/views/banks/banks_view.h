// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/access/bank_model.h"
#include "app/views/banks/banks_layout.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace coalescope::app {

/// What the view shows: one shared access and the wavefronts that serve it.
struct BankModel {
    analysis::WarpAccess access;
    int hoveredLane = -1;
    int hoveredBank = -1;
    int wavefront = -1; ///< the one that is lit; -1: all
    std::optional<analysis::BankReport> report; ///< nothing: `problem` says why
    QString problem;
    std::vector<analysis::Wavefront> wavefronts;

    /// Judges the access; cheap, but not for paintEvent.
    [[nodiscard]] static BankModel of(const analysis::WarpAccess& access);
};

/// "32 wavefronts · 31 conflicts · 1 phase".
[[nodiscard]] QString bankFigures(const BankModel& model);
/// What is asked of a bank: one line a word, in the order served, "word 224 · lane 7 · wavefront
/// 7".
[[nodiscard]] QStringList bankListing(const BankModel& model, int bank);
/// A lane's wavefronts and banks, then its words.
[[nodiscard]] QStringList laneListing(const BankModel& model, int lane);

/// The 32 banks across and the wavefronts down, each cell in the colour of the lanes served there.
/// Comma and full stop (or the up and down keys) step wavefronts, left and right banks; a click chooses both; Escape shows all.
class BankView : public QWidget {
    Q_OBJECT
public:
    explicit BankView(QWidget* parent = nullptr);

    void setModel(BankModel model);
    void setAccess(const analysis::WarpAccess& access) { setModel(BankModel::of(access)); }
    [[nodiscard]] const BankModel& model() const { return m_model; }
    [[nodiscard]] const BankLayout& layoutOfCells() const { return m_layout; }
    /// These show without emitting; -1: none, for the wavefront: all.
    void setHoveredLane(int lane);
    void setWavefront(int wavefront);
    void releaseBank(); ///< none is chosen

    static void render(QPainter&, const BankModel&, const BankLayout&, const QPalette&);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void bankHovered(int bank); ///< -1 when the pointer leaves the banks
    void laneHovered(int lane); ///< -1 when the pointer leaves the lanes
    void laneChosen(int lane); ///< the first one of the cell or the bank that was clicked on or reached by key; -1: none
    void wavefrontChosen(int wavefront); ///< -1: all

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
    void hover(int bank, int lane);
    void choose(int wavefront);
    void chooseBank(int bank, int lane);
    [[nodiscard]] int firstLaneOf(int bank) const;
    [[nodiscard]] QString tipAt(QPointF point) const;

    BankModel m_model;
    BankLayout m_layout;
    int m_bank = -1; ///< chosen, until another one is or none: shown wherever the pointer is not
};

} // namespace coalescope::app
