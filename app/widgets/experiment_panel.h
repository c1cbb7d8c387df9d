// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/predictor.h"
#include "app/widgets/card.h"

#include <vector>

class QGridLayout;
class QProgressBar;
class QToolButton;

namespace coalescope::app {

class ParameterControl;
class TryView;

/// The experiment: one control for each parameter of the kernel, what is wrong with their values, and
/// what the launch that they make looks like.
class ExperimentPanel : public Card {
    Q_OBJECT
public:
    explicit ExperimentPanel(Experiment* experiment, QWidget* parent = nullptr);

    void showPrediction(std::shared_ptr<const Predicted> predicted);
    void showAlternatives(const std::vector<Alternative>& alternatives, const Predicted& current);
    void holdAlternatives();
    void setEmpty(bool empty); ///< there is no prediction to show
    void setStale(bool stale); ///< the launch shown is not of the values typed
    void markEdited(); ///< what was typed last makes a launch that the GPU does not allow
    [[nodiscard]] ParameterControl* control(const std::string& name) const;
    [[nodiscard]] TryView* tryView() const { return m_try; }
    /// True where the values break no rule of the manifest; the broken ones are explained at their controls.
    [[nodiscard]] bool isLegal() const { return m_legal; }
    [[nodiscard]] QString problems() const { return m_problems.join(QLatin1Char(' ')); }

signals:
    void lineAsked(int line);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void placeControls();
    void showValues();
    void showProblems();
    void showWorkedOut();
    void showOccupancy(const analysis::Occupancy& occupancy);
    void showStatus();
    void fillPresets();
    void retranslate();

    Experiment* m_experiment;
    TextLabel* m_summary;
    QToolButton* m_presets;
    QWidget* m_controlArea;
    QGridLayout* m_grid;
    std::vector<ParameterControl*> m_controls;
    TextLabel* m_general; ///< a broken rule that belongs to no control
    QWidget* m_results; ///< everything below the controls
    TextLabel* m_launch;
    TextLabel* m_warpShape;
    QLabel* m_occupancyTitle;
    QLabel* m_occupancyText;
    QProgressBar* m_occupancyBar;
    TextLabel* m_limiter;
    TextLabel* m_status;
    TryView* m_try;
    std::shared_ptr<const Predicted> m_shown;
    bool m_legal = true;
    QStringList m_problems; ///< the sentences of what is illegal
    std::string m_edited; ///< the parameter typed last: a sentence about several stands there
};

} // namespace coalescope::app
