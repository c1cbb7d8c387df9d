// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/widgets/calm_box.h"
#include "app/widgets/card.h"
#include "kernels/catalogue/kernel_spec.h"

#include <QWidget>
#include <QTimer>

#include <vector>

class QComboBox;
class QToolButton;

namespace coalescope::app {

/// A spin box that steps to round values, and lets what is illegal be typed so that it can be explained.
class StepSpinBox : public NumberBox {
    Q_OBJECT
public:
    explicit StepSpinBox(const kernels::ParameterSpec& parameter, QWidget* parent = nullptr);
    void stepBy(int steps) override;
    void fixup(QString& text) const override;

signals:
    void refused(const QString& typed) const; ///< what is typed is no number: the one before stays; empty: it is one

protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;
    QValidator::State validate(QString& text, int& position) const override;

private:
    mutable QTimer m_typing; ///< since the last key
    int m_least, m_most; ///< of the manifest
};

/// A field for a number with a fraction; the point is a point in every language, as in the source.
class RealEdit : public CalmBox<QLineEdit> {
    Q_OBJECT
public:
    explicit RealEdit(QWidget* parent = nullptr);
    [[nodiscard]] bool event(QEvent* event) override { return isLeftToWindow(event) || CalmBox::event(event); }

signals:
    void typed(const QString& text); ///< to its end

protected:
    void focusOutEvent(QFocusEvent* event) override;

private:
    void finish();
    QTimer m_typing; ///< since the last key
};

/// One parameter of the experiment: label, editor, presets, and what is wrong with the value.
class ParameterControl : public QWidget {
    Q_OBJECT
public:
    explicit ParameterControl(const kernels::ParameterSpec& parameter, QWidget* parent = nullptr);

    [[nodiscard]] const std::string& name() const { return m_parameter.name; }
    void setValue(const std::string& value); ///< shows without emitting
    void setProblem(const QString& sentence); ///< empty: nothing to say here
    void setIllegal(bool illegal); ///< marks the editor
    void setHere(const std::string& value); ///< what the program's host code makes of it with the other values; empty: the value
    [[nodiscard]] QString problem() const { return m_problem->text(); }
    [[nodiscard]] QWidget* editor() const; ///< the spin box, the field or the combo box
    [[nodiscard]] bool isWide() const; ///< wants a row of its own

signals:
    void valueChosen(const std::string& name, const std::string& value);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildEditor();
    void buildPresets();
    void retranslate();
    void lightChips();
    void choose(const std::string& value);
    void showProblem(const QString& sentence);
    void readReal(const QString& typed);

    kernels::ParameterSpec m_parameter;
    QLabel* m_label;
    StepSpinBox* m_spin = nullptr;
    RealEdit* m_real = nullptr;
    QComboBox* m_combo = nullptr;
    QToolButton* m_menuButton = nullptr;
    std::vector<QToolButton*> m_chips;
    TextLabel* m_problem;
    std::string m_value;
    std::string m_here;
    QString m_told; ///< what is wrong with the value, whatever is being typed
};

} // namespace coalescope::app
