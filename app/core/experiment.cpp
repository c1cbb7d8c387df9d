// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/experiment.h"

#include <QElapsedTimer>
#include <QUndoStack>

#include <algorithm>
#include <utility>

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
    void undo() override { m_experiment->apply(m_experiment->asReadLast(m_before)); }
    void redo() override { m_experiment->apply(std::exchange(m_isNew, false) ? m_after : m_experiment->asReadLast(m_after)); }
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
    bool m_isNew = true; ///< done, not redone: as it was asked for, be it of an earlier source that was pinned
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
    kernels::ParameterValues fitting;
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (const auto value = values.find(parameter.name); value != values.end() && !kernels::valueProblem(parameter, value->second))
            fitting.insert(*value);
    }
    return fitting;
}

/// The values for the kernel as it is now; what nobody had changed follows the file.
static kernels::ParameterValues carriedOver(const ExperimentState& from, const kernels::KernelSpec& spec)
{
    kernels::ParameterValues chosen = from.values;
    const kernels::ParameterValues defaults = defaultValues(*from.spec);
    std::erase_if(chosen, [&](const auto& value) { return defaults.contains(value.first) && defaults.at(value.first) == value.second; });
    kernels::ParameterValues values = defaultValues(spec);
    for (const auto& [name, value] : fittingValues(spec, chosen))
        values[name] = value;
    return values;
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

void Experiment::refreshKernel(const SpecPointer& spec, const std::vector<SpecPointer>& ofFile)
{
    const Selection selection = m_selection;
    for (const SpecPointer& kernel : ofFile) // of a program's other files too
        m_readAgain[kernel->path] = ofFile;
    apply({ spec, carriedOver(m_state, *spec), m_state.device });
    setSelection(selection);
}

ExperimentState Experiment::asReadLast(const ExperimentState& state) const
{
    const auto file = m_readAgain.find(state.spec->path);
    if (file == m_readAgain.end())
        return state;
    const auto& kernels = file->second;
    const auto same = std::ranges::find_if(kernels, [&](const SpecPointer& kernel) { return isSameKernel(*kernel, *state.spec); });
    const SpecPointer& now = same == kernels.end() ? kernels.front() : *same; // it may have another name since
    return { now, carriedOver(state, *now), state.device };
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
