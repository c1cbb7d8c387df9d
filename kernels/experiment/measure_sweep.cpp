// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep.h"
#include "kernels/experiment/sweep_journal.h"
#include "kernels/experiment/sweep_problem.h"
#include "kernels/source/followed_plan.h"

#include <map>

namespace coalescope::kernels {

namespace {

/// The launches of a sweep, kept in the journal as they end.
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
        if (!m_options.journal.empty()) {
            auto journal = SweepJournal::open(m_options.journal, m_kernel, m_options.measure);
            if (!journal)
                return std::unexpected(journal.error());
            m_journal.emplace(*std::move(journal));
        }
        if (auto ready = prepare(); !ready)
            return ready;
        const auto plan = [this](std::size_t open) { return *planFollowed(m_kernel, m_open[open]); };
        const auto finished = [this](std::size_t open, const Result<analysis::RunResult>& measured) {
            return finish(open, measured);
        };
        return measureQueue({ m_open.size(), plan, finished }, m_options);
    }

private:
    /// Hands over what needs no measuring and queues the rest.
    Result<void> prepare()
    {
        for (std::size_t index = 0; index < m_launches.size(); ++index) {
            if (m_options.stop.stop_requested())
                return fail(ErrorCode::Cancelled, "the sweep was cancelled");
            const auto plan = planFollowed(m_kernel, m_launches[index]);
            if (!plan) {
                if (plan.error().code == ErrorCode::WrongUsage)
                    return std::unexpected(plan.error());
                m_row(index, { .values = m_launches[index], .problem = std::string(plan.error().sentence()) });
                continue;
            }
            if (m_journal)
                if (const auto known = m_journal->rows().find(plan->parameters);
                    known != m_journal->rows().end() && !isTriedAgain(known->second)) {
                    m_row(index, known->second);
                    continue;
                }
            auto& same = m_indexes[plan->parameters];
            if (same.empty())
                m_open.push_back(plan->parameters);
            same.push_back(index);
        }
        return {};
    }

    bool isTriedAgain(const SweepRow& known) const
    {
        return m_options.retryFailed && !known.measured;
    }

    Result<void> finish(std::size_t open, const Result<analysis::RunResult>& measured)
    {
        SweepRow row { .values = m_open[open] };
        if (measured)
            row.measured = *measured;
        else
            row.problem = measured.error().sentence();
        if (m_journal)
            if (auto kept = m_journal->append(row); !kept)
                return kept;
        for (const std::size_t index : m_indexes.at(row.values))
            m_row(index, row);
        return {};
    }

    const KernelSpec& m_kernel;
    const std::vector<ParameterValues>& m_launches;
    const MeasureSweepOptions& m_options;
    const SweepRowFunction& m_row;
    std::optional<SweepJournal> m_journal;
    std::map<ParameterValues, std::vector<std::size_t>>
        m_indexes; ///< the same launch may be asked for twice
    std::vector<ParameterValues> m_open; ///< to be measured
};

} // namespace

Result<void> measureSweep(const KernelSpec& kernel, const std::vector<ParameterValues>& launches,
    const MeasureSweepOptions& options, const SweepRowFunction& row)
{
    return MeasureSweep(kernel, launches, options, row).run();
}

} // namespace coalescope::kernels
