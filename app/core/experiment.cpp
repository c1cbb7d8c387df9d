// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/experiment.h"

#include <QElapsedTimer>
#include <QUndoStack>

#include <algorithm>

namespace coalescope::app {

/// One step of the undo history. Steps that type into the same control within a second are one.
class ExperimentCommand : public QUndoCommand {
public:
    ExperimentCommand(Experiment* experiment, ExperimentState after, const QString& title, int mergeId)
        : QUndoCommand(title)
        , m_experiment(experiment)
        , m_before(experiment->state())
        , m_after(std::move(after))
        , m_mergeId(mergeId)
    {
        m_age.start();
    }
    void undo() override { m_experiment->apply(m_before); }
    void redo() override { m_experiment->apply(m_after); }
    [[nodiscard]] int id() const override { return m_mergeId; }
    bool mergeWith(const QUndoCommand* other) override
    {
        static constexpr qint64 kOneEditMs = 1000;
        const auto* next = static_cast<const ExperimentCommand*>(other);
        if (m_age.elapsed() > kOneEditMs)
            return false;
        m_after = next->m_after;
        m_age.restart();
        return true;
    }

private:
    Experiment* m_experiment;
    ExperimentState m_before, m_after;
    int m_mergeId;
    QElapsedTimer m_age;
};

SpecPointer catalogueSpec(std::string_view id)
{
    for (const kernels::KernelSpec& spec : kernels::catalogue()) {
        if (spec.id == id)
            return { std::shared_ptr<void>(), &spec }; // the catalogue lives as long as the program
    }
    return nullptr;
}

bool isSameKernel(const kernels::KernelSpec& a, const kernels::KernelSpec& b)
{
    return a.id == b.id && a.path == b.path;
}

kernels::ParameterValues defaultValues(const kernels::KernelSpec& spec)
{
    kernels::ParameterValues values;
    for (const kernels::ParameterSpec& parameter : spec.parameters)
        values[parameter.name] = parameter.defaultValue;
    return values;
}

kernels::ParameterValues fittingValues(const kernels::KernelSpec& spec, const kernels::ParameterValues& values)
{
    const auto fits = [](const kernels::ParameterSpec& parameter, const std::string& value) {
        if (!parameter.isInteger())
            return std::ranges::find(parameter.choices, value, &kernels::Choice::value) != parameter.choices.end();
        bool isNumber = false;
        const qlonglong number = QString::fromStdString(value).toLongLong(&isNumber);
        return isNumber && number >= parameter.minimum && number <= parameter.maximum;
    };
    kernels::ParameterValues fitting;
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (const auto value = values.find(parameter.name); value != values.end() && fits(parameter, value->second))
            fitting.insert(*value);
    }
    return fitting;
}

Experiment::Experiment(QObject* parent)
    : QObject(parent)
    , m_undo(new QUndoStack(this))
{
    m_undo->setUndoLimit(200);
}

void Experiment::chooseKernel(SpecPointer spec, const kernels::ParameterValues& values)
{
    if (!spec)
        return;
    ExperimentState next { spec, defaultValues(*spec), m_state.device };
    for (const auto& [name, value] : values) {
        if (next.values.contains(name))
            next.values[name] = value;
    }
    push(std::move(next), QString::fromStdString(spec->id), -1);
}

void Experiment::refreshKernel(SpecPointer spec)
{
    const Selection selection = m_selection;
    apply({ std::move(spec), m_state.values, m_state.device });
    setSelection(selection);
}

void Experiment::setValue(const std::string& name, const std::string& value)
{
    ExperimentState next = m_state;
    next.values[name] = value;
    const int mergeId = int(qHash(QByteArrayView(name.data(), qsizetype(name.size()))) & 0x3fffffff) + 1;
    push(std::move(next), QStringLiteral("%1 %2").arg(QString::fromStdString(name), QString::fromStdString(value)),
        mergeId);
}

void Experiment::setValues(const kernels::ParameterValues& values, const QString& title)
{
    ExperimentState next = m_state;
    for (const auto& [name, value] : values) {
        if (next.values.contains(name))
            next.values[name] = value;
    }
    push(std::move(next), title, -1);
}

void Experiment::setDevice(const QString& device)
{
    ExperimentState next = m_state;
    next.device = device;
    push(std::move(next), device, -1);
}

void Experiment::setSelection(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    emit selectionChanged();
}

void Experiment::reset(ExperimentState state, const Selection& selection)
{
    m_undo->clear();
    m_selection = selection;
    apply(state);
    emit selectionChanged();
}

void Experiment::push(ExperimentState state, const QString& title, int mergeId)
{
    if (state == m_state)
        return;
    m_undo->push(new ExperimentCommand(this, std::move(state), title, mergeId));
}

void Experiment::apply(const ExperimentState& state)
{
    const bool otherKernel = state.spec != m_state.spec;
    if (otherKernel && m_state.spec)
        m_selection = {};
    m_state = state;
    if (otherKernel)
        emit kernelChanged();
    emit changed();
}

} // namespace coalescope::app
