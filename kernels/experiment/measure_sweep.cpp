// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep.h"
#include "kernels/experiment/sweep_journal.h"
#include "kernels/experiment/sweep_problem.h"
#include "kernels/launch/target.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace coalescope::kernels {

namespace {

/// A connection that broke may need a moment.
constexpr std::chrono::milliseconds kPauseBeforeRetry { 300 };

/// The launches of a sweep, given to the targets as they become free, kept in the journal as they
/// end.
class MeasureSweep {
public:
    MeasureSweep(const KernelSpec& kernel, const std::vector<ParameterValues>& launches,
        const MeasureSweepOptions& options, const SweepRowFunction& row)
        : m_kernel(kernel)
        , m_launches(launches)
        , m_options(options)
        , m_row(row)
    {
    }

    Result<void> run()
    {
        const auto targets
            = m_options.targets.empty() ? std::vector<std::string> { "" } : m_options.targets;
        for (const std::string& target : targets)
            if (auto words = wordsOfPrefix(target); !words)
                return std::unexpected(words.error());
        if (!m_options.journal.empty()) {
            auto journal = SweepJournal::open(m_options.journal, m_kernel, m_options.measure);
            if (!journal)
                return std::unexpected(journal.error());
            m_journal.emplace(*std::move(journal));
        }
        if (auto ready = prepare(); !ready)
            return ready;
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
    /// Hands over what needs no measuring and queues the rest.
    Result<void> prepare()
    {
        for (std::size_t index = 0; index < m_launches.size(); ++index) {
            if (m_options.stop.stop_requested())
                return fail(ErrorCode::Cancelled, "the sweep was cancelled");
            const auto plan = planLaunch(m_kernel, m_launches[index]);
            if (!plan) {
                if (plan.error().code == ErrorCode::WrongUsage)
                    return std::unexpected(plan.error());
                m_row(index, { .values = m_launches[index], .problem = problemText(plan.error()) });
                continue;
            }
            if (m_journal)
                if (const auto known = m_journal->rows().find(plan->parameters);
                    known != m_journal->rows().end()) {
                    m_row(index, known->second);
                    continue;
                }
            auto& same = m_indexes[plan->parameters];
            if (same.empty())
                m_open.push_back(index);
            same.push_back(index);
        }
        return {};
    }

    void work(const std::string& target)
    {
        while (const auto index = take()) {
            const auto plan = planLaunch(m_kernel, m_launches[*index]);
            auto measured = measureOnce(target, *plan);
            if (!measured && !isOfTheLaunch(measured.error().code) && pause())
                measured = measureOnce(target, *plan);
            // A launch that was ended with the sweep is not a failed one.
            if (!measured
                && (!isOfTheLaunch(measured.error().code) || m_options.stop.stop_requested()))
                return giveBack(*index, target, std::move(measured.error()));
            SweepRow row { .values = plan->parameters };
            if (measured)
                row.measured = *std::move(measured);
            else
                row.problem = problemText(measured.error());
            finish(row);
        }
    }

    Result<analysis::RunResult> measureOnce(const std::string& target, const LaunchPlan& plan) const
    {
        return measureOnTarget(target, plan, m_options.measure, {}, m_options.stop);
    }

    /// Waits for a launch: one may come back from another target as long as that works on it.
    std::optional<std::size_t> take()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(
            lock, m_options.stop, [this] { return m_failure || !m_open.empty() || m_inWork == 0; });
        if (m_failure || m_options.stop.stop_requested() || m_open.empty())
            return std::nullopt;
        const std::size_t index = m_open.front();
        m_open.pop_front();
        ++m_inWork;
        return index;
    }

    /// False where the sweep ends meanwhile.
    bool pause()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(
            lock, m_options.stop, kPauseBeforeRetry, [this] { return m_failure.has_value(); });
        return !m_failure && !m_options.stop.stop_requested();
    }

    void giveBack(std::size_t index, const std::string& target, Error error)
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_open.push_front(index);
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

    void finish(const SweepRow& row)
    {
        {
            const std::scoped_lock lock(m_mutex);
            --m_inWork;
            auto kept = m_journal ? m_journal->append(row) : Result<void> {};
            if (!kept && !m_failure)
                m_failure = std::move(kept.error());
            if (!m_failure)
                for (const std::size_t index : m_indexes.at(row.values))
                    m_row(index, row);
        }
        m_changed.notify_all();
    }

    const KernelSpec& m_kernel;
    const std::vector<ParameterValues>& m_launches;
    const MeasureSweepOptions& m_options;
    const SweepRowFunction& m_row;
    std::optional<SweepJournal> m_journal;
    std::map<ParameterValues, std::vector<std::size_t>>
        m_indexes; ///< the same launch may be asked for twice

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::size_t> m_open;
    std::size_t m_inWork = 0, m_targetsLeft = 0;
    std::optional<Error> m_failure;
};

} // namespace

Result<void> measureSweep(const KernelSpec& kernel, const std::vector<ParameterValues>& launches,
    const MeasureSweepOptions& options, const SweepRowFunction& row)
{
    return MeasureSweep(kernel, launches, options, row).run();
}

} // namespace coalescope::kernels
