// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/widgets/card.h"

#include "analysis/execute/block_trace.h"

#include <vector>

class QStackedWidget;
class QToolButton;

namespace coalescope::app {

struct Predicted;

class BankView;
class SectorView;

/// A second, quiet picture below the chosen one: the same warp's nearest access to the other memory.
class CompanionCard : public Card {
    Q_OBJECT
public:
    explicit CompanionCard(QWidget* parent = nullptr);

    void setStep(const Predicted& predicted, const analysis::TraceStep& step, int index);
    void setHoveredLane(int lane);
    [[nodiscard]] int step() const { return m_step; } ///< of the warp
    [[nodiscard]] std::size_t rows() const; ///< wavefronts or cache lines of the picture
    /// What the card needs for an access, in comfort and at least. Units: logical pixels.
    struct Height {
        int comfortable = 0, least = 0;
    };
    [[nodiscard]] Height heightFor(const analysis::WarpAccess& access, int width) const;
    [[nodiscard]] BankView* bankView() const { return m_banks; }
    [[nodiscard]] SectorView* sectorView() const { return m_sectors; }

signals:
    void stepAsked(int step); ///< to be looked at closely
    void laneHovered(int lane);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    TextLabel* m_sentence;
    QStackedWidget* m_stack;
    BankView* m_banks;
    SectorView* m_sectors;
    QToolButton* m_show;
    int m_step = -1;
};

/// The access to show beside step `index`: the nearest one to the other memory space, the later one of two;
/// where all go to one space, the nearest one of the other direction. -1: none.
[[nodiscard]] int companionOf(const std::vector<analysis::TraceStep>& steps, int index);

} // namespace coalescope::app
