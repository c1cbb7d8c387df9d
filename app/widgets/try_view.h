// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/predictor.h"
#include "app/widgets/card.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QVBoxLayout;

namespace coalescope::app {

/// One change that is offered, in words.
struct TryItem {
    kernels::ParameterValues change;
    SpecPointer spec; ///< another kernel; null: the same
    QString title; ///< "pad 0 → 1"
    QString gain; ///< "16.8 M → 0.52 M shared wavefronts", one line a figure
    double timeRatio = 1; ///< predicted time after over before, L2 warm
    bool cures = false; ///< it removes every fault of the present experiment
};

/// Describes what is worth a try, the best first: while the experiment is faulty only what cures it,
/// otherwise what pays and brings no fault. At most one other kernel, and only if it is better than every change.
[[nodiscard]] std::vector<TryItem> itemsToTry(const std::vector<Alternative>& alternatives, const Predicted& current);

/// What to try next, each with what it would change, computed, and a button that does it.
class TryView : public QWidget {
    Q_OBJECT
public:
    explicit TryView(QWidget* parent = nullptr);

    void setAlternatives(const std::vector<Alternative>& alternatives, const Predicted& current);
    void clear();
    void hold(); ///< fades them until the next ones come: they are of the launch before
    [[nodiscard]] bool isHeld() const { return m_isHeld; }
    [[nodiscard]] const std::vector<QPushButton*>& applyButtons() const { return m_buttons; }
    [[nodiscard]] QString adviceText() const; ///< what in the code would help; empty: nothing is known, or the launch is faulty
    [[nodiscard]] QString nothingText() const; ///< what was computed where nothing is offered

signals:
    void applied(const coalescope::app::TryItem& item);

protected:
    void changeEvent(QEvent* event) override;

private:
    void addItem(const TryItem& item);
    void rebuild();
    void setHeld(bool held);

    TextLabel* m_title;
    TextLabel* m_advice;
    TextLabel* m_nothing;
    QVBoxLayout* m_items;
    std::vector<QPushButton*> m_buttons;
    std::vector<Alternative> m_alternatives;
    std::shared_ptr<const Predicted> m_current;
    bool m_isHeld = false;
};

} // namespace coalescope::app
