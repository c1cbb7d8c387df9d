// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/comparison_table.h"
#include "app/core/predictor.h"
#include "app/views/bars/bars_view.h"
#include "app/widgets/card.h"

namespace coalescope::app {

class ComparisonView;

/// The right side: predicted beside measured, whether the output is right, and what takes the time.
class ComparisonPanel : public Card {
    Q_OBJECT
public:
    explicit ComparisonPanel(QWidget* parent = nullptr);

    void setInput(const ComparisonInput& input, bool verifying);
    /// What is recorded near the experiment, in words; to be called once it is known whether there is a measurement.
    void setNear(const QStringList& near);
    void setBars(const BarsModel& bars);
    [[nodiscard]] static QString titleOf(const BarsModel& bars);
    [[nodiscard]] const BarsModel& bars() const { return m_bars->model(); }
    void holdBars(); ///< fades them until the next ones come: they are of the launch before
    void setMessage(const QString& text); ///< of the run: what failed and what to do; empty: none

    [[nodiscard]] std::string kernel() const { return m_input.predicted ? m_input.predicted->kernel : std::string(); } ///< that is shown
    [[nodiscard]] ComparisonView* table() const { return m_table; }
    [[nodiscard]] TermsView* termsView() const { return m_terms; }
    [[nodiscard]] QString nearText() const { return m_near->text(); }
    [[nodiscard]] QString message() const { return m_message->text(); }
    [[nodiscard]] QString findings() const { return m_findings->text(); }
    /// However narrow: a figure that does not fit is cut with a mark, one that must be scrolled to looks like another number.
    [[nodiscard]] QSize minimumSizeHint() const override { return { 0, Card::minimumSizeHint().height() }; }

signals:
    void lineAsked(int line);
    void nearAsked(int index); ///< of setNear()
    void variantAsked(int row); ///< of setBars()
    void termAsked(const QString& term); ///< TimeTerm::name
    void deviceAsked(const QString& device);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showFindings();
    void showTerms();
    void retranslate();

    ComparisonInput m_input;
    bool m_verifying = false;
    TextLabel* m_source;
    TextLabel* m_message;
    TextLabel* m_near;
    std::optional<QStringList> m_nearShown; ///< what is recorded nearby; nothing: not known yet
    ComparisonView* m_table;
    TextLabel* m_findings;
    TextLabel *m_termsTitle, *m_termsRule;
    TermsView* m_terms;
    TextLabel* m_barsTitle;
    BarsView* m_bars;
};

/// A whole time: predicted, and measured where it was.
[[nodiscard]] BarRow timeBar(
    const QString& label, std::optional<double> predictedNs, const std::optional<analysis::TimeSample>& sample);

/// What takes the time, as the terms view shows it: each term, then the duration that they make, and the times with warm and cold L2,
/// the measured times beside it.
[[nodiscard]] TermsModel termsOf(const ComparisonInput& input);

/// Verified or not and every hazard, one a line; `links` makes the lines clickable.
enum class LineLinks { No, Yes };
[[nodiscard]] QStringList findingsOf(const ComparisonInput& input, bool verifying, LineLinks links);

} // namespace coalescope::app
