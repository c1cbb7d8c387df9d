// SPDX-License-Identifier: Apache-2.0
#include "app/cli/prediction_progress.h"

#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "app/cli/report_error.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace coalescope::cli {

namespace {

/// Shows how far the work is while the object lives; nothing in the first half second.
class ShownProgress {
public:
    explicit ShownProgress(const std::atomic<double>& progress)
        : m_thread([this, &progress](const std::stop_token& stop) { show(progress, stop); })
    {
    }

private:
    void show(const std::atomic<double>& progress, const std::stop_token& stop)
    {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        for (auto pause = std::chrono::milliseconds(500);; pause = std::chrono::milliseconds(100)) {
            never.wait_for(lock, stop, pause, [] { return false; });
            if (stop.stop_requested())
                return;
            const double done = progress;
            m_line.show(done, done < 1 ? "of the blocks predicted" : "predicted; checking the output");
        }
    }

    ProgressLine m_line; // the thread ends before it is cleared
    std::jthread m_thread;
};

} // namespace

Result<kernels::Prediction> predictWithProgress(const kernels::LaunchPlan& plan, kernels::PredictOptions options)
{
    const Interrupt interrupt;
    std::atomic<double> done = 0;
    options.stop = interrupt.token();
    options.progress = &done;
    const ShownProgress shown(done);
    auto prediction = kernels::predict(plan, options);
    if (Interrupt::signal() != 0) // which may also have ended the compiler
        return fail(ErrorCode::Cancelled, "the prediction was interrupted");
    return prediction;
}

int reportPredictionError(const Error& error)
{
    const int status = reportError(error);
    return error.code == ErrorCode::Cancelled && Interrupt::signal() != 0 ? 128 + Interrupt::signal() : status;
}

} // namespace coalescope::cli
