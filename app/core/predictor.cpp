// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/predictor.h"

#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/parameter_role.h"
#include "kernels/experiment/decode.h"
#include "kernels/experiment/sweep.h"
#include "kernels/source/followed_plan.h"

#include <QElapsedTimer>
#include <QThread>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <variant>

namespace coalescope::app {
namespace {

    /// Machine code takes as long to make as PTX and cannot be broken off: nobody wants it of a value that
    /// is only passed by.
    constexpr std::chrono::milliseconds kPauseBeforeMachineCode { 120 };
    constexpr std::chrono::milliseconds kLongPrediction { 1000 }; ///< it would rather begin again than be done twice

    constexpr double kShortPredictionMs = 100; ///< some fifty of them may be tried

    double analysisMs(const Predicted& predicted)
    {
        const auto& took = predicted.prediction.result.milliseconds;
        const auto analysis = took.find("analyse");
        return analysis != took.end() ? analysis->second : 0;
    }

    enum class Registers { IfKnown, Wait };

    Result<Predicted> predictState(
        const ExperimentState& state, Registers registers, std::stop_token stop, std::atomic<double>* progress = nullptr)
    {
        QElapsedTimer clock;
        clock.start();
        Result<kernels::LaunchPlan> plan = kernels::planFollowed(*state.spec, state.values);
        if (!plan)
            return std::unexpected(plan.error());
        kernels::PredictOptions options;
        options.device = state.device.toStdString();
        options.verify = false; // on its own afterwards: the numbers do not wait for it
        options.registers = registers == Registers::Wait;
        options.stop = stop;
        options.progress = progress;
        Result<kernels::Prediction> prediction = kernels::predict(*plan, options);
        if (!prediction)
            return std::unexpected(prediction.error());
        const bool refining = !options.registers && prediction->compiler.starts_with("NVRTC")
            && !prediction->result.occupancy->registersPerThread;
        return Predicted { state, std::move(*plan), std::move(*prediction), double(clock.nsecsElapsed()) / 1e6, true,
            refining, QThread::currentThreadId() };
    }

    /// False where the request was superseded meanwhile.
    bool paused(std::chrono::milliseconds time, const std::stop_token& stop)
    {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        never.wait_for(lock, stop, time, [] { return false; });
        return !stop.stop_requested();
    }

    Result<kernels::Verification> verificationOf(const Predicted& predicted, std::stop_token stop)
    {
        kernels::PredictOptions options;
        options.device = predicted.state.device.toStdString();
        options.registers = false;
        options.stop = stop;
        return kernels::verify(predicted.plan, options);
    }

    void addVerification(analysis::RunResult& result, const Result<kernels::Verification>& verification)
    {
        if (!verification) {
            result.verifyDetail = verification.error().detail;
            return;
        }
        result.verified = verification->verified;
        result.verifyDetail = verification->detail;
        for (const analysis::Hazard& hazard : verification->hazards) {
            const auto same = [&](const analysis::Hazard& known) {
                return known.kind == hazard.kind && known.line == hazard.line && known.otherLine == hazard.otherLine;
            };
            if (std::ranges::none_of(result.hazards, same))
                result.hazards.push_back(hazard);
        }
    }

    /// What a change would do: no advice may break the kernel.
    std::optional<Alternative> computed(
        const ExperimentState& other, kernels::ParameterValues change, SpecPointer spec, std::stop_token stop)
    {
        Result<Alternative> alternative = predictWhole(other, stop);
        if (!alternative)
            return std::nullopt; // a change that cannot be predicted is no advice
        alternative->change = std::move(change);
        alternative->spec = std::move(spec);
        return *std::move(alternative);
    }

    /// One more and one less, none at all, and its presets: rows that are read 16 bytes at a time take 8 halves more, not one.
    std::vector<std::int64_t> paddingsToTry(const kernels::ParameterSpec& parameter, std::int64_t value)
    {
        std::vector<std::int64_t> found, candidates { value + 1, value - 1, 0 };
        std::ranges::copy(parameter.presets, std::back_inserter(candidates));
        for (const std::int64_t candidate : candidates) {
            if (candidate != value && candidate >= parameter.minimum && candidate <= parameter.maximum
                && std::ranges::find(found, candidate) == found.end())
                found.push_back(candidate);
        }
        return found;
    }

    bool hasRole(const kernels::KernelSpec& spec, const kernels::ParameterSpec& parameter, kernels::ParameterRole role)
    {
        return parameter.isInteger() && kernels::roleOf(spec, parameter) == role;
    }

    const kernels::ParameterSpec* parameterNamed(const kernels::KernelSpec& spec, std::string_view name)
    {
        const auto found = std::ranges::find(spec.parameters, name, &kernels::ParameterSpec::name);
        return found == spec.parameters.end() ? nullptr : &*found;
    }

    bool isElementType(const kernels::ParameterSpec& parameter)
    {
        return !parameter.choices.empty()
            && std::ranges::all_of(parameter.choices,
                [](const kernels::Choice& choice) { return kernels::elementTypeNamed(choice.value).has_value(); });
    }

    bool isSameWork(const kernels::KernelSpec& spec, const kernels::ParameterValues& a, const kernels::ParameterValues& b)
    {
        const auto before = kernels::planFollowed(spec, a), after = kernels::planFollowed(spec, b);
        return before && after && workOf(*before) == workOf(*after);
    }

    /// Blocks of another size may leave a few more sums behind; where they move other amounts of data, their times say nothing.
    bool isAboutSameWork(const kernels::KernelSpec& spec, const kernels::ParameterValues& a, const kernels::ParameterValues& b)
    {
        constexpr double kAbout = 1.1;
        const auto before = kernels::planFollowed(spec, a), after = kernels::planFollowed(spec, b);
        if (!before || !after)
            return false;
        const auto [less, more] = std::minmax({ kernels::bufferBytes(*before), kernels::bufferBytes(*after) });
        return double(more) <= kAbout * double(less);
    }

    /// block_x and block_y, bx and by
    std::vector<std::pair<std::string, std::string>> blockPairs(const kernels::KernelSpec& spec)
    {
        std::vector<std::pair<std::string, std::string>> pairs;
        for (const kernels::ParameterSpec& x : spec.parameters) {
            const bool isX = x.name.ends_with('x') || x.name.ends_with('X');
            const std::string y = x.name.substr(0, x.name.size() - 1) + (x.name.ends_with('x') ? 'y' : 'Y');
            if (isX && hasRole(spec, x, kernels::ParameterRole::Shape) && parameterNamed(spec, y))
                pairs.emplace_back(x.name, y);
        }
        return pairs;
    }

    /// Blocks of powers of two, of 32 to 1024 threads, that the kernel takes without being compiled anew.
    std::vector<kernels::ParameterValues> shapesToTry(const ExperimentState& state)
    {
        constexpr std::int64_t kMostThreads = 1024;
        std::vector<kernels::ParameterValues> shapes;
        const kernels::KernelSpec& spec = *state.spec;
        const auto isCompiledIn = [&](const std::string& name) { return !parameterNamed(spec, name)->define.empty() || spec.entry.find('{' + name + '}') != spec.entry.npos; };
        for (const auto& [x, y] : blockPairs(spec)) {
            for (std::int64_t width = 1; width <= kMostThreads && !isCompiledIn(x) && !isCompiledIn(y); width *= 2)
                for (std::int64_t height = std::max<std::int64_t>(1, analysis::kWarpLanes / width); width * height <= kMostThreads; height *= 2) {
                    kernels::ParameterValues values = state.values;
                    values[x] = std::to_string(width);
                    values[y] = std::to_string(height);
                    if (values != state.values && kernels::problemsOf(spec, values).empty() && isAboutSameWork(spec, state.values, values))
                        shapes.push_back(std::move(values));
                }
        }
        return shapes;
    }

    /// The one of these shapes that takes the least time, where it takes less than the launch itself; only what it changes.
    kernels::ParameterValues fastestShape(const ExperimentState& state, std::stop_token stop)
    {
        std::vector<kernels::ParameterValues> shapes = shapesToTry(state);
        if (shapes.empty())
            return {};
        shapes.push_back(state.values);
        std::vector<double> times(shapes.size(), std::numeric_limits<double>::infinity());
        const auto swept = kernels::predictSweep(*state.spec, shapes, { .device = state.device.toStdString(), .threads = 1, .stop = stop }, [&](std::size_t index, const kernels::SweepRow& row) {
            const bool isSound = row.predicted && !analysis::isFaulty(*row.predicted);
            times[index] = isSound ? row.predicted->time.warmNs.value_or(times[index]) : std::numeric_limits<double>::infinity();
        });
        const std::size_t best = std::size_t(std::ranges::min_element(times) - times.begin());
        kernels::ParameterValues change = shapes[best];
        std::erase_if(change, [&](const auto& value) { return state.values.at(value.first) == value.second; });
        return swept ? change : kernels::ParameterValues {};
    }

    /// What the kernel is launched with by itself, the presets next below and next above the value, and where there are none half and
    /// twice as much.
    std::vector<std::int64_t> valuesBeside(const kernels::ParameterSpec& parameter, std::int64_t value)
    {
        std::optional<std::int64_t> below, above;
        if (parameter.presets.empty()) {
            below = value / 2;
            above = value * 2;
        }
        for (const std::int64_t preset : parameter.presets) {
            if (preset < value && preset > below.value_or(-1))
                below = preset;
            if (preset > value && preset < above.value_or(preset + 1))
                above = preset;
        }
        std::vector<std::int64_t> found;
        for (const auto& other : { std::optional<std::int64_t>(std::atoll(parameter.defaultValue.c_str())), below, above }) {
            if (other && *other != value && std::ranges::find(found, *other) == found.end())
                found.push_back(*other);
        }
        return found;
    }

}

std::vector<kernels::ParameterValues> changesToTry(const ExperimentState& state)
{
    std::vector<kernels::ParameterValues> changes;
    const kernels::KernelSpec& spec = *state.spec;
    const auto offer = [&](kernels::ParameterValues change) {
        kernels::ParameterValues values = state.values;
        for (const auto& [name, value] : change)
            values[name] = value;
        if (values != state.values && kernels::problemsOf(spec, values).empty())
            changes.push_back(std::move(change));
    };
    const auto offerIf = [&](auto&& isWanted, const std::string& name, std::int64_t value) {
        kernels::ParameterValues values = state.values;
        values[name] = std::to_string(value);
        if (isWanted(spec, state.values, values))
            offer({ { name, std::to_string(value) } });
    };
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (!hasRole(spec, parameter, kernels::ParameterRole::Padding))
            continue;
        for (const std::int64_t value : paddingsToTry(parameter, std::atoll(state.values.at(parameter.name).c_str())))
            offer({ { parameter.name, std::to_string(value) } });
    }
    for (const auto& [x, y] : blockPairs(spec))
        offer({ { x, state.values.at(y) }, { y, state.values.at(x) } });
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (isElementType(parameter))
            continue;
        for (const kernels::Choice& choice : parameter.choices)
            offer({ { parameter.name, choice.value } });
    }
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (!hasRole(spec, parameter, kernels::ParameterRole::Shape))
            continue;
        for (const std::int64_t value : valuesBeside(parameter, std::atoll(state.values.at(parameter.name).c_str())))
            offerIf(isAboutSameWork, parameter.name, value);
    }
    for (const kernels::ParameterSpec& parameter : spec.parameters) {
        if (!hasRole(spec, parameter, kernels::ParameterRole::Work))
            continue;
        for (const std::int64_t preset : parameter.presets)
            offerIf(isSameWork, parameter.name, preset);
    }
    static constexpr std::size_t kMost = 12;
    changes.resize(std::min(changes.size(), kMost));
    return changes;
}

bool isTooLongToTry(const Predicted& predicted)
{
    constexpr double kLongMs = 5000;
    return analysisMs(predicted) > kLongMs;
}

std::vector<ExperimentState> kernelsToTry(const ExperimentState& state)
{
    /// The transposes that move the most with the least; all of them write the same output.
    static constexpr std::array kGoodTransposes { "transpose_shared_multi", "transpose_float4" };
    std::vector<ExperimentState> found;
    if (!state.spec->path.empty() || !state.spec->id.starts_with("transpose_"))
        return found;
    for (const char* id : kGoodTransposes) {
        SpecPointer spec = catalogueSpec(id);
        if (!spec || spec == state.spec)
            continue;
        ExperimentState other { spec, defaultValues(*spec), state.device };
        for (const char* name : { "rows", "cols", "type" }) {
            if (const auto value = state.values.find(name); value != state.values.end() && other.values.contains(name))
                other.values[name] = value->second;
        }
        if (kernels::problemsOf(*spec, other.values).empty())
            found.push_back(std::move(other));
    }
    return found;
}

Result<Alternative> predictWhole(const ExperimentState& state, std::stop_token stop)
{
    Result<Predicted> predicted = predictState(state, Registers::Wait, stop);
    if (!predicted)
        return std::unexpected(predicted.error());
    addVerification(predicted->prediction.result, verificationOf(*predicted, stop));
    if (stop.stop_requested())
        return fail(ErrorCode::Cancelled, "superseded");
    predicted->verifying = false;
    const analysis::RunResult* recorded = kernels::recordedFor(predicted->plan, state.device.toStdString()).exact;
    return Alternative { {}, nullptr, std::make_shared<const Predicted>(*std::move(predicted)), recorded };
}

Predictor::Predictor(QObject* parent)
    : QObject(parent)
{
    connect(&m_predict, &JobSlot::busyChanged, this, &Predictor::busyChanged);
    for (JobSlot* slot : { &m_predict, &m_compile, &m_verify, &m_refine, &m_block, &m_record, &m_try }) {
        // Queued: a delivered result may start the next job first.
        connect(slot, &JobSlot::busyChanged, this, &Predictor::tellSettled, Qt::QueuedConnection);
    }
}

void Predictor::cancel()
{
    for (JobSlot* slot : { &m_predict, &m_compile, &m_verify, &m_refine, &m_try })
        slot->cancel();
}

void Predictor::forget()
{
    cancel();
    m_record.cancel();
    dropAnswers();
    m_current.reset();
}

void Predictor::dropAnswers()
{
    m_block.cancel();
    m_trace.reset();
    m_recorded = {};
    m_alternatives.clear();
}

bool Predictor::isSettled() const
{
    const std::array jobs { &m_predict, &m_compile, &m_verify, &m_refine, &m_block, &m_record, &m_try };
    return std::ranges::none_of(jobs, &JobSlot::isBusy);
}

void Predictor::tellSettled()
{
    if (isSettled())
        emit settled();
}

void Predictor::request(const ExperimentState& state)
{
    cancel();
    if (!state.spec)
        return;
    if (m_current && m_current->state.spec != state.spec)
        m_block.cancel(); // its block is of no kernel that is open
    std::erase_if(m_recent, [&](const auto& recent) { return recent->state.spec != state.spec; }); // its file may become another one
    const auto known = std::ranges::find(m_recent, state, [](const auto& recent) { return recent->state; });
    if (known != m_recent.end()) {
        m_predict.start([known = *known](const JobContext&) -> Result<Predicted> { return *known; },
            [this](Result<Predicted> predicted) { deliver(std::move(predicted)); });
        return;
    }
    predict(state, false);
    compileMeanwhile(state);
}

void Predictor::predict(const ExperimentState& state, bool waitForRegisters)
{
    m_progress = std::make_shared<std::atomic<double>>(0);
    m_predict.start(
        [state, waitForRegisters, progress = m_progress](const JobContext& job) {
            return predictState(state, waitForRegisters ? Registers::Wait : Registers::IfKnown, job.stop, progress.get());
        },
        [this](Result<Predicted> predicted) { deliver(std::move(predicted)); });
}

/// A long prediction is not done a second time for the registers: it begins again, with them, where it has not come far.
void Predictor::compileMeanwhile(const ExperimentState& state)
{
    m_compile.start(
        [state](const JobContext& job) {
            if (!paused(kLongPrediction, job.stop))
                return false;
            const auto plan = kernels::planFollowed(*state.spec, state.values);
            kernels::PredictOptions options;
            options.device = state.device.toStdString();
            const auto decoded = plan ? kernels::decode(*plan, options) : std::unexpected(plan.error());
            return decoded && decoded->registersPerThread;
        },
        [this, state](bool isKnown) {
            constexpr double kFar = 0.4;
            if (isKnown && m_predict.isBusy() && progress() < kFar)
                predict(state, true);
        });
}

void Predictor::deliver(Result<Predicted> predicted)
{
    m_compile.cancel();
    if (!predicted) {
        emit failed(predicted.error());
        return;
    }
    dropAnswers();
    m_current = std::make_shared<const Predicted>(std::move(*predicted));
    findRecorded();
    if (m_current->verifying)
        verify();
    else
        findAlternatives(); // it is one of the recent ones: nothing else of it is unknown
    emit this->predicted();
}

void Predictor::remember()
{
    constexpr double kLongMs = 250; // what takes less is as quickly predicted anew
    constexpr std::size_t kMost = 4;
    if (m_current->milliseconds < kLongMs)
        return;
    std::erase_if(m_recent, [this](const auto& recent) { return recent->state == m_current->state; });
    m_recent.push_front(m_current);
    m_recent.resize(std::min(m_recent.size(), kMost));
}

void Predictor::requestBlock(analysis::Dim3 block)
{
    if (!m_current)
        return;
    m_block.start(
        [current = m_current, block](
            const JobContext& job) { return kernels::traceBlock(current->prediction, block, job.stop); },
        [this](Result<analysis::BlockTrace> trace) {
            if (!trace) {
                emit traceFailed(trace.error());
                return;
            }
            m_trace = std::make_shared<const analysis::BlockTrace>(std::move(*trace));
            emit traced();
        });
}

void Predictor::verify()
{
    m_verify.start(
        [current = m_current](const JobContext& job) { return verificationOf(*current, job.stop); },
        [this](const Result<kernels::Verification>& verification) {
            Predicted next = *m_current;
            next.verifying = false;
            addVerification(next.prediction.result, verification);
            m_current = std::make_shared<const Predicted>(std::move(next));
            refine();
            emit verified();
        });
}

void Predictor::refine()
{
    if (!m_current->refining) {
        findAlternatives();
        return;
    }
    m_refine.start(
        [current = m_current](const JobContext& job) -> Result<Predicted> {
            if (!paused(kPauseBeforeMachineCode, job.stop))
                return fail(ErrorCode::Cancelled, "superseded");
            return predictState(current->state, Registers::Wait, job.stop);
        },
        [this](Result<Predicted> known) {
            if (!known) { // more registers than an SM has
                emit failed(known.error());
                return;
            }
            Predicted next = *m_current;
            analysis::RunResult& result = known->prediction.result;
            result.verified = next.prediction.result.verified;
            result.verifyDetail = next.prediction.result.verifyDetail;
            result.hazards = next.prediction.result.hazards;
            next.prediction = std::move(known->prediction);
            next.refining = false;
            m_current = std::make_shared<const Predicted>(std::move(next));
            findAlternatives();
            emit refined();
        });
}

void Predictor::findRecorded()
{
    m_record.start([current = m_current](const JobContext&) { return kernels::recordedFor(current->plan, current->state.device.toStdString()); },
        [this](kernels::RecordedAnswer answer) {
            m_recorded = std::move(answer);
            emit recordedFound();
        });
}

bool makesNoDifference(const Alternative& alternative, const Predicted& current)
{
    const analysis::RunResult &before = current.prediction.result, &after = alternative.predicted->prediction.result;
    return !alternative.spec && before.metrics == after.metrics && before.time.warmNs == after.time.warmNs && before.hazards == after.hazards;
}

void Predictor::findAlternatives()
{
    remember();
    if (isTooLongToTry(*m_current)) {
        m_alternatives.clear();
        emit alternativesFound();
        return;
    }
    m_try.start(
        [state = m_current->state, mayTryShapes = analysisMs(*m_current) < kShortPredictionMs](const JobContext& job) {
            std::vector<Alternative> found;
            std::vector<kernels::ParameterValues> changes = changesToTry(state);
            if (mayTryShapes)
                if (const kernels::ParameterValues shape = fastestShape(state, job.stop); !shape.empty() && std::ranges::find(changes, shape) == changes.end())
                    changes.push_back(shape);
            for (kernels::ParameterValues& change : changes) {
                ExperimentState other = state;
                for (const auto& [name, value] : change)
                    other.values[name] = value;
                if (auto alternative = computed(other, std::move(change), nullptr, job.stop))
                    found.push_back(std::move(*alternative));
                if (job.stop.stop_requested())
                    return found;
            }
            for (const ExperimentState& other : kernelsToTry(state)) {
                if (auto alternative = computed(other, other.values, other.spec, job.stop))
                    found.push_back(std::move(*alternative));
            }
            return found;
        },
        [this](std::vector<Alternative> found) {
            if (m_current) // what makes no difference comes last
                std::ranges::stable_sort(found, {}, [this](const Alternative& one) { return makesNoDifference(one, *m_current); });
            m_alternatives = std::move(found);
            emit alternativesFound();
        });
}

} // namespace coalescope::app
