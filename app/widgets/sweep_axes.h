// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/sweep_ranges.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLineEdit;

namespace coalescope::app {

class ElidedLabel;

/// A field for each parameter of the kernel: the values that it is swept over, as typed.
class SweepAxes : public QWidget {
    Q_OBJECT
public:
    explicit SweepAxes(QWidget* parent = nullptr);

    /// The fields of a kernel, with what is worth a first sweep filled in.
    void setSpec(SpecPointer spec);
    /// What a field that is left empty holds.
    void setValues(const kernels::ParameterValues& values);
    /// Marks the field that an error names.
    void setProblemAt(const std::string& name);
    [[nodiscard]] SweepRanges ranges() const;
    /// What is typed into every field; a parameter that is missing gets an empty one.
    void setRanges(const SweepRanges& ranges);
    [[nodiscard]] QLineEdit* field(const std::string& name) const; ///< null: no such parameter
    /// Two fields beside each other: what has more columns now will have fewer then.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void edited();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Field {
        std::string name;
        ElidedLabel* label;
        QLineEdit* edit;
    };
    void place();
    void retranslate();

    SpecPointer m_spec;
    QGridLayout* m_grid;
    std::vector<Field> m_fields;
    int m_columns = 0;
};

} // namespace coalescope::app
