// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/predictor.h"
#include "app/widgets/card.h"

#include <QWidget>

#include <array>
#include <optional>
#include <string>
#include <utility>

class QBoxLayout;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace coalescope::app {

class BankView;
class BlockView;
class CompanionCard;
class InstructionStrip;
class LaneDetailView;
class SectorView;

/// One warp of one block: which threads form it, its memory instructions, and what became of the
/// chosen one. Follows the experiment's selection and changes it.
class WarpPanel : public QWidget {
    Q_OBJECT
public:
    WarpPanel(Experiment* experiment, Predictor* predictor, QWidget* parent = nullptr);

    /// Shows the predictor's newest trace.
    void showTrace();
    /// Greys the pictures and says why they are not of what is typed; empty: they are.
    void setStale(const QString& why, TextStyle style = TextStyle::Bad);

    /// How much of a long prediction is done, below what setStale() says, with a button that cancels it; nothing: none is under way.
    void setProgress(std::optional<double> done);
    void setEmpty(bool empty); ///< there is nothing to show, but what setStale() says

    [[nodiscard]] BlockView* blockView() const { return m_blockView; }
    [[nodiscard]] InstructionStrip* strip() const { return m_strip; }
    [[nodiscard]] BankView* bankView() const { return m_bankView; }
    [[nodiscard]] SectorView* sectorView() const { return m_sectorView; }
    [[nodiscard]] LaneDetailView* laneView() const { return m_laneView; }
    [[nodiscard]] CompanionCard* companion() const { return m_companion; }
    [[nodiscard]] QSpinBox* blockSpin(int axis) const { return m_blockSpin[std::size_t(axis)]; }
    [[nodiscard]] QString sentence() const { return m_sentence->text(); }

    void stepBy(int steps); ///< to another instruction of the warp

signals:
    void cancelAsked();
    void lineAsked(int line);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeBanner();
    void buildBlockCard();
    void buildAccessCard();
    void connectViews();
    void chooseBlock();
    void chooseStep(int step);
    void showBlock();
    void showStep();
    void showAccess(const analysis::TraceStep& step);
    void showNoPicture();
    void arrange(bool tall);
    void showCompanion();
    void arrangeCompanion();
    [[nodiscard]] qreal heightFor(const analysis::WarpAccess& access) const;
    [[nodiscard]] qreal roomBeside(const analysis::WarpAccess& access) const;
    void fitCompanions();
    /// The steps of the access that is looked at, or is nearest, and of the one below it; -1: none.
    [[nodiscard]] std::pair<int, int> picturedSteps() const;
    void hoverLane(int lane);
    void chooseLane(int lane, const BankView* from); ///< the bank chosen elsewhere is no longer
    void retranslate();
    [[nodiscard]] const std::vector<analysis::TraceStep>* steps() const; ///< of the chosen warp

    /// Line, memory space and operation; -1 where it is no access.
    using StepKind = std::array<int, 3>;
    struct Place {
        std::string kernel; ///< its id
        int warp = 0, step = 0; ///< as it is shown
        StepKind kind {};
        int before = 0; ///< steps of its kind
    };
    [[nodiscard]] Place placeOf(const std::vector<analysis::TraceStep>& steps, int step) const;
    [[nodiscard]] int stepOf(const Place& place, const std::vector<analysis::TraceStep>& steps) const;
    [[nodiscard]] StepKind kindOf(const analysis::TraceStep& step) const;

    Experiment* m_experiment;
    Predictor* m_predictor;
    std::optional<Place> m_place; ///< of the step that is looked at
    TextLabel* m_banner; ///< see placeBanner()
    QProgressBar* m_progress; ///< below it
    QPushButton* m_cancel;
    QWidget* m_body;
    Card* m_blockCard;
    std::array<QSpinBox*, 3> m_blockSpin {};
    QLabel* m_blockLabel;
    QLabel* m_warpLabel;
    QSpinBox* m_warpSpin;
    BlockView* m_blockView;
    InstructionStrip* m_strip;
    Card* m_accessCard;
    QToolButton* m_lineButton;
    TextLabel* m_sentence;
    TextLabel* m_remark;
    QBoxLayout* m_pictureRow = nullptr;
    QStackedWidget* m_stack;
    BankView* m_bankView;
    SectorView* m_sectorView;
    QWidget* m_noPicture;
    LaneDetailView* m_laneView;
    int m_lane = -1; ///< chosen: shown wherever the pointer is not
    CompanionCard* m_companion;
    QVBoxLayout* m_cards = nullptr;
    bool m_tall = true; ///< the lane's table stands beside the picture
    int m_fittedWarp = -1; ///< of the trace: fitCompanions() was for it
    bool m_companionsFit = false; ///< beside every access of the warp: it neither comes nor goes on the way through them
    bool m_showing = false; ///< controls are being filled: their signals are echoes
};

} // namespace coalescope::app
