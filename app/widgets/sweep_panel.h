// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/sweep_runner.h"
#include "app/widgets/card.h"
#include "app/widgets/sweep_models.h"
#include "app/widgets/sweep_picture.h"
#include "app/widgets/top_bar.h"

#include <QTimer>

class QButtonGroup;
class QComboBox;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace coalescope::app {

class HeatMapView;
class SweepAxes;
class SweepMeasure;
class SweepSelectors;
class XyPlot;

/// Parameters over ranges: what is predicted and measured of each combination, as a heat map, a line
/// and a scatter of predicted against measured.
class SweepPanel : public Card {
    Q_OBJECT
public:
    enum class Mode { Map, Line, Scatter };

    SweepPanel(Experiment* experiment, SweepRunner* runner, QWidget* parent = nullptr);

    void setRanges(const SweepRanges& ranges); ///< as if they had been typed
    /// How long one prediction takes: a sweep that takes long begins when it is told to.
    void setLaunchTime(double milliseconds);
    void awaitLaunchTime(); ///< it is worked out: until it is set, no sweep begins by itself
    void setRunState(const RunState& state); ///< whether and where a GPU can be used
    [[nodiscard]] SweepPicture picture() const; ///< what is shown, to be saved

    [[nodiscard]] SweepAxes* axes() const { return m_axes; }
    [[nodiscard]] HeatMapView* heatMap() const { return m_map; }
    [[nodiscard]] XyPlot* plot() const { return m_plot; }
    [[nodiscard]] QPushButton* predictButton() const { return m_predict; }
    [[nodiscard]] QPushButton* measureButton() const;
    [[nodiscard]] QToolButton* countButton() const; ///< whose menu says what is measured
    [[nodiscard]] QPushButton* retryButton() const; ///< hidden where nothing failed
    [[nodiscard]] QComboBox* metricBox() const { return m_metric; }
    [[nodiscard]] QComboBox* axisBox(int axis) const; ///< of a slice's value; null where the axis has none
    [[nodiscard]] QToolButton* sideButton(SweepSide side) const;
    [[nodiscard]] QToolButton* modeButton(Mode mode) const;
    [[nodiscard]] QString sentence() const { return m_sentence->text(); }
    [[nodiscard]] QString progressText() const { return m_state->fullText(); }
    [[nodiscard]] QString problem() const { return m_problem->text(); }
    /// Nothing of the sweep shown is still to come.
    [[nodiscard]] bool isSettled() const;

signals:
    void measureAsked(const coalescope::app::SweepMeasuring& how);
    void saveAsked(const QString& suffix); ///< "png", "svg", "csv", "json"
    void reached(const QString& description); ///< a launch, by key or pointer; empty: none
    void settled();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void fitSentence();
    void showProblem(const QString& sentence);
    [[nodiscard]] QString sentenceOf(const Error& error) const;
    void buildLook();
    void connectParts();
    void followExperiment();
    void followHeldValues();
    void followRanges();
    void schedule();
    [[nodiscard]] bool takesLong() const;
    [[nodiscard]] QString timeFor(std::size_t launches) const;
    void startOrCancel();
    void choose(std::size_t launch);
    void resetLook();

    // sweep_panel_show.cpp
    void showSelectors();
    void showPicture();
    void showProgress();
    void retranslate();
    [[nodiscard]] bool isHeld(int axis) const; ///< at a value of the slice shown
    [[nodiscard]] SweepData data() const;

    Experiment* m_experiment;
    SweepRunner* m_runner;
    std::optional<SweepOrder> m_order; ///< of what is typed; nothing where it is wrong
    SpecPointer m_spec; ///< whose fields are shown
    kernels::ParameterValues m_values; ///< of the experiment, followed so far
    SweepLook m_look;
    Mode m_mode = Mode::Map;
    bool m_modeIsChosen = false; ///< by its button
    QTimer m_complaint; ///< what is half typed is complained of when the typing pauses
    double m_launchMs = 0; ///< of one prediction; 0: not known
    bool m_isAwaited = false; ///< until it is told no sweep begins by itself
    bool m_isHalfTyped = false; ///< what is shown is of the ranges before
    QTimer m_delay; ///< a sweep begins when the typing pauses

    SweepAxes* m_axes;
    TextLabel* m_problem;
    QPushButton* m_predict;
    SweepMeasure* m_measure;
    QProgressBar* m_progress;
    ElidedLabel* m_state;
    QComboBox* m_metric;
    QButtonGroup* m_sides;
    QButtonGroup* m_modes;
    SweepSelectors* m_selectors;
    QStackedWidget* m_stack;
    QWidget* m_nothing;
    HeatMapView* m_map;
    XyPlot* m_plot;
    TextLabel* m_sentence;
    QToolButton* m_save;
};

} // namespace coalescope::app
