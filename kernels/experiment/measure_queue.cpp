// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/measure_queue.h"

#include "kernels/experiment/sweep_problem.h"
#include "kernels/launch/target.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace coalescope::kernels {

namespace {

/// A connection that broke may need a moment.
constexpr std::chrono::milliseconds kPauseBeforeRetry { 300 };

/// The launches of a queue, given to the targets as they become free.
class QueueRun {
public:
    QueueRun(const MeasureQueue& queue, const MeasureQueueOptions& options)
        : m_queue(queue)
        , m_options(options)
    {
        for (std::size_t index = 0; index < queue.count; ++index)
            m_open.push_back(index);
    }

    Result<void> run()
    {
        const auto targets
            = m_options.targets.empty() ? std::vector<std::string> { "" } : m_options.targets;
        for (const std::string& target : targets)
            if (auto words = wordsOfPrefix(target); !words)
                return std::unexpected(words.error());
        m_targetsLeft = targets.size();
        {
            std::vector<std::jthread> pool;
            for (const std::string& target : targets)
                pool.emplace_back([this, target] { work(target); });
        }
        if (m_failure)
            return std::unexpected(*std::move(m_failure));
        if (m_options.stop.stop_requested() && !m_open.empty())
            return fail(ErrorCode::Cancelled, "the sweep was cancelled");
        return {};
    }

private:
    /// A launch that was taken, and its process where that has been started.
    struct Taken {
        std::size_t index = 0;
        std::optional<TargetJob> job;
    };

    void work(const std::string& target)
    {
        const auto prefix = wordsOfPrefix(target); // checked by run()
        const bool holds = mayHoldBehind(*prefix);
        std::optional<Taken> next; // at most one waits
        while (auto current = next ? std::exchange(next, std::nullopt) : take()) {
            if (isOver()) {
                putBack(current);
                break;
            }
            auto measured = measureOnce(target, *current, holds ? &next : nullptr);
            if (!measured && !isOfTheLaunch(measured.error().code)) {
                // What waits may hold what the other try needs.
                putBack(next);
                if (pause())
                    measured = measureOnce(target, *current, holds ? &next : nullptr);
            }
            // A launch that was ended with the queue is not a failed one.
            if (!measured
                && (!isOfTheLaunch(measured.error().code) || m_options.stop.stop_requested())) {
                putBack(next);
                return giveUp(*current, target, std::move(measured.error()));
            }
            finish(current->index, measured);
        }
    }

    /// Measures a launch. As soon as its times are taken, `next` is filled with another one that
    /// waits.
    Result<analysis::RunResult> measureOnce(
        const std::string& target, Taken& taken, std::optional<Taken>* next)
    {
        if (taken.job) {
            taken.job->go();
        } else {
            auto started = start(target, taken.index, TargetJob::Start::AtOnce);
            if (!started)
                return std::unexpected(started.error());
            taken.job = *std::move(started);
        }
        const auto onProgress = [&](const MeasureProgress& progress) {
            if (next && !*next && progress.stage == "timed")
                *next = startHeld(target);
        };
        auto result = taken.job->result(onProgress, m_options.stop);
        taken.job.reset(); // its process is gone before another begins
        return result;
    }

    Result<TargetJob> start(
        const std::string& target, std::size_t index, TargetJob::Start how) const
    {
        return TargetJob::start(target, m_queue.plan(index), m_options.measure, how);
    }

    std::optional<Taken> startHeld(const std::string& target)
    {
        auto taken = takeIfAny();
        if (!taken)
            return std::nullopt;
        auto job = start(target, taken->index, TargetJob::Start::Held);
        if (!job) { // told when its turn comes
            putBack(taken);
            return std::nullopt;
        }
        taken->job = *std::move(job);
        return taken;
    }

    /// Waits for a launch: one may come back from another target as long as that works on it.
    std::optional<Taken> take()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(
            lock, m_options.stop, [this] { return m_failure || !m_open.empty() || m_inWork == 0; });
        return takeFirst();
    }

    std::optional<Taken> takeIfAny()
    {
        const std::scoped_lock lock(m_mutex);
        return takeFirst();
    }

    std::optional<Taken> takeFirst()
    {
        if (m_failure || m_options.stop.stop_requested() || m_open.empty())
            return std::nullopt;
        Taken taken { .index = m_open.front(), .job = {} };
        m_open.pop_front();
        ++m_inWork;
        return taken;
    }

    bool isOver()
    {
        const std::scoped_lock lock(m_mutex);
        return m_failure || m_options.stop.stop_requested();
    }

    /// False where the queue ends meanwhile.
    bool pause()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(
            lock, m_options.stop, kPauseBeforeRetry, [this] { return m_failure.has_value(); });
        return !m_failure && !m_options.stop.stop_requested();
    }

    /// For whoever is free; its process is ended first.
    void putBack(std::optional<Taken>& taken)
    {
        if (!taken)
            return;
        const std::size_t index = taken->index;
        taken.reset();
        {
            const std::scoped_lock lock(m_mutex);
            m_open.push_front(index);
            --m_inWork;
        }
        m_changed.notify_all();
    }

    void giveUp(const Taken& taken, const std::string& target, Error error)
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_open.push_front(taken.index);
            --m_inWork;
            --m_targetsLeft;
            const bool cancelled = m_options.stop.stop_requested();
            if (!cancelled && m_targetsLeft > 0 && m_options.targetLost)
                m_options.targetLost(target, error);
            if (!cancelled && m_targetsLeft == 0 && !m_failure)
                m_failure = std::move(error);
        }
        m_changed.notify_all();
    }

    void finish(std::size_t index, const Result<analysis::RunResult>& measured)
    {
        {
            const std::scoped_lock lock(m_mutex);
            --m_inWork;
            if (!m_failure)
                if (auto done = m_queue.finished(index, measured); !done)
                    m_failure = std::move(done.error());
        }
        m_changed.notify_all();
    }

    const MeasureQueue& m_queue;
    const MeasureQueueOptions& m_options;

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::size_t> m_open;
    std::size_t m_inWork = 0, m_targetsLeft = 0;
    std::optional<Error> m_failure;
};

} // namespace

Result<void> measureQueue(const MeasureQueue& queue, const MeasureQueueOptions& options)
{
    return QueueRun(queue, options).run();
}

} // namespace coalescope::kernels
