// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

class QUndoStack;

namespace coalescope::app {

using SpecPointer = std::shared_ptr<const kernels::KernelSpec>;

/// A catalogue kernel as the experiment holds it; null where there is none of that name.
[[nodiscard]] SpecPointer catalogueSpec(std::string_view id);

/// A file that was read again is the same kernel.
[[nodiscard]] bool isSameKernel(const kernels::KernelSpec& a, const kernels::KernelSpec& b);

/// Every parameter's default.
[[nodiscard]] kernels::ParameterValues defaultValues(const kernels::KernelSpec& spec);

/// Of the values given those that a parameter of the kernel can take.
[[nodiscard]] kernels::ParameterValues fittingValues(const kernels::KernelSpec& spec, const kernels::ParameterValues& values);

/// What is predicted and run: everything that undo steps through.
struct ExperimentState {
    SpecPointer spec;
    kernels::ParameterValues values; ///< every parameter of the spec
    QString device = QStringLiteral("h200");

    bool operator==(const ExperimentState&) const = default;
};

/// What of it is looked at.
struct Selection {
    analysis::Dim3 block { 0, 0, 0 };
    int warp = 0;
    int step = -1; ///< of the warp; -1: the one that wastes the most

    bool operator==(const Selection&) const = default;
};

/// The user's experiment: kernel, parameters and device, with undo, and the point looked at.
class Experiment : public QObject {
    Q_OBJECT
public:
    explicit Experiment(QObject* parent = nullptr);

    [[nodiscard]] const ExperimentState& state() const { return m_state; }
    [[nodiscard]] const Selection& selection() const { return m_selection; }
    [[nodiscard]] QUndoStack* undoStack() const { return m_undo; }

    /// Chooses a kernel; `values` override its defaults, names that it does not have are dropped.
    void chooseKernel(SpecPointer spec, const kernels::ParameterValues& values = {});
    /// The kernel, of a file that was read again: no step of undo, and none leads back to the file's kernels as they were.
    /// Values that nobody has changed follow the file.
    void refreshKernel(const SpecPointer& spec, const std::vector<SpecPointer>& ofFile);
    void setValue(const std::string& name, const std::string& value);
    /// Changes several values as one step; `title` names it in the undo menu.
    void setValues(const kernels::ParameterValues& values, const QString& title);
    void setDevice(const QString& device);
    void setSelection(const Selection& selection);

    /// Starts from a state with an empty undo history.
    void reset(ExperimentState state, const Selection& selection);

signals:
    void kernelChanged(); ///< another kernel: controls are to be rebuilt; changed() follows
    void changed(); ///< kernel, a value or the device
    void selectionChanged();

private:
    friend class ExperimentCommand;
    void push(ExperimentState state, const QString& title, int mergeId);
    void apply(const ExperimentState& state);
    [[nodiscard]] ExperimentState asReadLast(const ExperimentState& state) const;

    ExperimentState m_state;
    std::map<std::filesystem::path, std::vector<SpecPointer>> m_readAgain; ///< kernels of the files, as they were read last
    Selection m_selection;
    QUndoStack* m_undo;
};

} // namespace coalescope::app
