// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/experiment.h"
#include "app/core/pay_text.h"
#include "app/widgets/card.h"

#include <QDateTime>

#include <optional>
#include <vector>

class QComboBox;
class QPushButton;
class QToolButton;

namespace coalescope::app {

class BarsView;
class ComparisonView;

/// One of the two that are compared.
struct Variant {
    ExperimentState state;
    ComparisonInput input;
    std::string work; ///< of the launch: see kernels::buffersOf()
    QDateTime pinnedAt = {}; ///< not valid: it is not pinned
};

/// Does it pay? Any two variants side by side: what changes in sectors, wavefronts and time, and why
/// the time follows or does not. Variants are the experiment, what was tried beside it, and what was
/// pinned.
class PayPanel : public Card {
    Q_OBJECT
public:
    static constexpr std::size_t kMostPinned = 8; ///< the oldest goes when one more is pinned

    explicit PayPanel(QWidget* parent = nullptr);

    /// The experiment as it is predicted; nothing while it is not.
    void setCurrent(std::optional<Variant> current);
    void setWhyNone(const QString& why, TextStyle style); ///< told where there is nothing to compare; empty: nothing is wrong
    [[nodiscard]] bool isPairShown() const;
    void setAlternatives(std::vector<Variant> alternatives);
    void forgetAlternative(); ///< one that is compared is of the kernel before
    void addPinned(Variant variant); ///< behind those that are pinned; nothing where it is among them
    void unpinAll();
    /// Which two are compared: "current", "pin:N", "alt:CHANGE"; empty: the default. One that is not there yet is taken when it comes.
    [[nodiscard]] std::pair<QString, QString> compared() const { return { m_keyA, m_keyB }; }
    void setCompared(const std::pair<QString, QString>& keys);
    [[nodiscard]] const std::vector<Variant>& pinned() const { return m_pinned; } ///< the newest first
    /// A measurement of what may be pinned.
    void addMeasured(const ExperimentState& state, const std::shared_ptr<const analysis::RunResult>& measured);

    [[nodiscard]] QComboBox* boxA() const { return m_a; }
    [[nodiscard]] QComboBox* boxB() const { return m_b; }
    [[nodiscard]] QPushButton* pinButton() const { return m_pin; }
    [[nodiscard]] QToolButton* unpinButton(QComboBox* box) const { return box == m_a ? m_unpinA : m_unpinB; }
    [[nodiscard]] QPushButton* loadButton() const { return m_load; }
    [[nodiscard]] const PayText& text() const { return m_text; }
    [[nodiscard]] ComparisonView* table() const { return m_table; }
    [[nodiscard]] BarsView* terms() const { return m_terms; }

signals:
    void loadAsked(const coalescope::app::ExperimentState& state);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void pin();
    void unpin(const QString& which);
    void fillBoxes();
    void showPair();
    void retranslate();
    [[nodiscard]] const Variant* variantOf(const QString& which) const;
    [[nodiscard]] bool isOfAnotherKernel(const Variant& variant) const; ///< than the experiment, or there is none
    [[nodiscard]] QString alternativeKey(const Variant& variant) const;
    [[nodiscard]] QString nameOf(const Variant& variant) const;

    std::optional<Variant> m_current;
    std::vector<Variant> m_alternatives, m_pinned;
    PayText m_text;
    QString m_keyA, m_keyB; ///< chosen by the user; empty: the default

    QComboBox* m_a;
    QComboBox* m_b;
    QPushButton* m_pin;
    QPushButton* m_load;
    QToolButton* m_unpinA;
    QToolButton* m_unpinB;
    TextLabel* m_none;
    TextLabel* m_verdict;
    TextLabel* m_figures;
    TextLabel* m_why;
    TextLabel* m_doubt;
    TextLabel* m_termsTitle;
    BarsView* m_terms;
    ComparisonView* m_table;
    TextLabel* m_names; ///< of both, in full: the boxes have what differs
    QWidget* m_content;
};

} // namespace coalescope::app
