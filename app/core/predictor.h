// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/experiment.h"
#include "app/core/jobs.h"
#include "kernels/experiment/predict.h"
#include "kernels/experiment/recorded.h"

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

namespace coalescope::app {

/// A prediction with the launch that it is of.
struct Predicted {
    ExperimentState state;
    kernels::LaunchPlan plan;
    kernels::Prediction prediction;
    double milliseconds = 0; ///< from the request to the result, compile included
    bool verifying = false; ///< the output's verification is still on its way
    bool refining = false; ///< so are the registers, and with them occupancy and time
    Qt::HANDLE thread = nullptr; ///< that computed it: never the GUI's
};

/// What the file's launch does not say leads addresses or branches: the counts are those of the guess.
[[nodiscard]] inline bool isLedByGuesses(const Predicted& predicted)
{
    return predicted.prediction.ledByData && !predicted.state.spec->guesses.empty();
}

/// It took so long that alternatives to it are not computed.
[[nodiscard]] bool isTooLongToTry(const Predicted& predicted);

/// A change worth trying, with what it would do.
struct Alternative {
    kernels::ParameterValues change; ///< only what differs; of another kernel, every value
    SpecPointer spec; ///< another kernel that does the same work; null: the same kernel
    std::shared_ptr<const Predicted> predicted;
    const analysis::RunResult* recorded = nullptr; ///< the very same launch; null where none is recorded
};

/// It changes no count and no time, as a parameter that the kernel does not use.
[[nodiscard]] bool makesNoDifference(const Alternative& alternative, const Predicted& current);

/// Keeps the prediction of the newest experiment, the block looked at, and the recorded launch.
///
/// Six kinds of background work: the prediction, the machine code of one that takes long, its verification, the registers, the trace
/// of one block, and what else could be tried. Each is superseded by its next request.
class Predictor : public QObject {
    Q_OBJECT
public:
    explicit Predictor(QObject* parent = nullptr);

    /// Asks for a new prediction; the answer comes as predicted() or failed().
    void request(const ExperimentState& state);
    /// Drops what was asked and not yet answered: the experiment is not one that can be predicted.
    void cancel();
    /// Cancels, and forgets what there is: it is of a kernel that is not the experiment's any more.
    void forget();
    /// Asks for one block of the newest prediction; the answer comes as traced() or traceFailed().
    void requestBlock(analysis::Dim3 block);

    [[nodiscard]] const std::shared_ptr<const Predicted>& current() const { return m_current; }
    [[nodiscard]] const std::shared_ptr<const analysis::BlockTrace>& trace() const { return m_trace; }
    [[nodiscard]] const kernels::RecordedAnswer& recorded() const { return m_recorded; }
    [[nodiscard]] const std::vector<Alternative>& alternatives() const { return m_alternatives; }
    [[nodiscard]] bool isBusy() const { return m_predict.isBusy(); }
    [[nodiscard]] double progress() const { return m_progress ? m_progress->load() : 0; } ///< of the grid's blocks, 0 to 1
    [[nodiscard]] bool isLookingUp() const { return m_record.isBusy(); } ///< recorded() is on its way
    [[nodiscard]] bool isTrying() const { return m_verify.isBusy() || m_refine.isBusy() || m_try.isBusy(); } ///< so are alternatives()
    [[nodiscard]] bool isTracing() const { return m_block.isBusy(); }
    /// Nothing is on its way any more, alternatives included.
    [[nodiscard]] bool isSettled() const;

signals:
    void busyChanged(bool busy);
    void settled(); ///< isSettled() has become true
    void predicted(); ///< current() is new
    void failed(const coalescope::Error& error); ///< current() is still the last good one
    void verified(); ///< current() now says whether the output is right
    void refined(); ///< current() now knows the registers, as far as they can be known
    void traced(); ///< trace() is new
    void traceFailed(const coalescope::Error& error);
    void recordedFound(); ///< recorded() is new
    void alternativesFound(); ///< alternatives() is new

private:
    void predict(const ExperimentState& state, bool waitForRegisters);
    void compileMeanwhile(const ExperimentState& state);
    void deliver(Result<Predicted> predicted);
    void dropAnswers(); ///< to what current() was
    void verify();
    void refine();
    void findRecorded();
    void findAlternatives();
    void remember(); ///< current(), where it took long and nothing of it is on its way any more
    void tellSettled();

    std::shared_ptr<const Predicted> m_current;
    std::shared_ptr<const analysis::BlockTrace> m_trace;
    kernels::RecordedAnswer m_recorded;
    std::vector<Alternative> m_alternatives;
    std::deque<std::shared_ptr<const Predicted>> m_recent; ///< the newest first: undo leads back to them at once
    std::shared_ptr<std::atomic<double>> m_progress; ///< of the newest request
    JobSlot m_predict, m_compile, m_verify, m_refine, m_block, m_record, m_try;
};

/// A launch for its own sake: predicted with its registers, its output verified, with what is recorded of it; `change` is empty.
///
/// Errors: as planning and predicting it; Cancelled. Not for the GUI thread.
[[nodiscard]] Result<Alternative> predictWhole(const ExperimentState& state, std::stop_token stop);

/// The changes of an experiment that are worth a try: one more or less word of padding, block
/// dimensions swapped, the choices of a parameter, the presets beside a tile or block size, or half and twice as much where it has
/// none, and every preset of other parameters that leaves buffers and scalars as they are. Only values that the manifest
/// allows; at most twelve.
[[nodiscard]] std::vector<kernels::ParameterValues> changesToTry(const ExperimentState& state);

/// Other kernels of the catalogue that do the same work on the same matrix, with every value that both know.
[[nodiscard]] std::vector<ExperimentState> kernelsToTry(const ExperimentState& state);

} // namespace coalescope::app
