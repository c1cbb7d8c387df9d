// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/experiment/predict.h"
#include "kernels/experiment/sweep.h"
#include "kernels/experiment/sweep_problem.h"
#include "kernels/source/followed_plan.h"
#include "kernels/stopwatch.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_set>

namespace coalescope::kernels {

namespace {

/// What decides a launch's program: the parameters that the compiler sees.
std::string programKey(const KernelSpec& kernel, const ParameterValues& values)
{
    std::string key;
    for (const ParameterSpec& parameter : kernel.parameters) {
        if (parameter.define.empty()
            && kernel.entry.find('{' + parameter.name + '}') == std::string::npos)
            continue;
        const auto given = values.find(parameter.name);
        key += (given == values.end() ? parameter.defaultValue : given->second) + '\n';
    }
    return key;
}

/// The order of work: the launches that need a new program first, so that no thread waits for a
/// program that another is compiling while there are others to compile.
std::vector<std::size_t> workOrder(
    const KernelSpec& kernel, const std::vector<ParameterValues>& launches)
{
    std::vector<std::size_t> order, rest;
    std::unordered_set<std::string> seen;
    for (std::size_t index = 0; index < launches.size(); ++index)
        (seen.insert(programKey(kernel, launches[index])).second ? order : rest).push_back(index);
    order.insert(order.end(), rest.begin(), rest.end());
    return order;
}

/// The launches of a sweep, taken one after another by several threads.
///
/// Each thread compiles and analyses: while one waits in the compiler, the others analyse.
class PredictSweep {
public:
    PredictSweep(const KernelSpec& kernel, const std::vector<ParameterValues>& launches,
        const PredictSweepOptions& options, const SweepRowFunction& row)
        : m_kernel(kernel)
        , m_launches(launches)
        , m_order(workOrder(kernel, launches))
        , m_options(options)
        , m_row(row)
    {
    }

    Result<SweepTimes> run()
    {
        const Stopwatch watch;
        const std::size_t wanted = m_options.threads > 0
            ? std::size_t(m_options.threads)
            : std::max(1u, std::thread::hardware_concurrency());
        const std::size_t workers = std::clamp<std::size_t>(m_launches.size(), 1, wanted);
        m_threadsEach = int(wanted / workers);
        {
            std::vector<std::jthread> pool;
            for (std::size_t i = 1; i < workers; ++i)
                pool.emplace_back([this] { work(); });
            work();
        }
        if (!m_failure)
            verifyFastest();
        if (m_failure)
            return std::unexpected(*std::move(m_failure));
        m_times.wallMs = watch.milliseconds();
        return m_times;
    }

private:
    void work()
    {
        for (;;) {
            std::size_t index = 0;
            {
                const std::scoped_lock lock(m_mutex);
                if (m_failure || m_next == m_order.size())
                    return;
                if (m_options.stop.stop_requested()) {
                    m_failure = Error { ErrorCode::Cancelled, "the sweep was cancelled", {} };
                    return;
                }
                index = m_order[m_next++];
            }
            const Stopwatch watch;
            auto row = predictOne(m_launches[index]);
            const std::scoped_lock lock(m_mutex);
            keep(index, row, watch.milliseconds());
        }
    }

    void keep(std::size_t index, const Result<SweepRow>& row, double milliseconds)
    {
        if (!row) {
            // Of several failures the earliest launch's is told, whichever thread met it first.
            if (!m_failure || index < m_failedAt) {
                m_failure = row.error();
                m_failedAt = index;
            }
            return;
        }
        double compileMs = 0;
        if (row->predicted)
            if (const auto found = row->predicted->milliseconds.find("compile");
                found != row->predicted->milliseconds.end())
                compileMs = found->second;
        m_times.compiled += compileMs > 0 ? 1 : 0;
        m_times.compileMs += compileMs;
        m_times.analyseMs += milliseconds - compileMs;
        if (row->predicted && row->predicted->time.warmNs && !hasFault(*row))
            m_sound[row->buffers].push_back({ *row->predicted->time.warmNs, index });
        if (!m_failure)
            m_row(index, *row);
    }

    /// What would be called the fastest must be right as well: in each problem, from the fastest on, until one is and as far as
    /// others take the same time.
    void verifyFastest()
    {
        int left = kMostVerified;
        for (auto& [buffers, launches] : m_sound) {
            if (launches.size() < 2)
                continue;
            std::ranges::sort(launches);
            double limit = std::numeric_limits<double>::infinity();
            for (const auto& [ns, index] : launches) {
                if (ns > limit || left-- <= 0 || m_options.stop.stop_requested())
                    break;
                if (isRight(index))
                    limit = std::min(limit, kSameTime * ns);
            }
        }
    }

    /// Hands the launch over once more where its output is wrong.
    bool isRight(std::size_t index)
    {
        const auto plan = planFollowed(m_kernel, m_launches[index]);
        if (!plan)
            return true;
        auto verification = verify(*plan, { .device = m_options.device, .stop = m_options.stop });
        if (!verification || verification->verified != false)
            return true;
        auto row = predictOne(m_launches[index]);
        if (!row || !row->predicted)
            return true;
        row->predicted->verified = false;
        row->predicted->verifyDetail = verification->detail;
        std::ranges::move(verification->hazards, std::back_inserter(row->predicted->hazards));
        m_row(index, *row);
        return false;
    }

    static void refuse(SweepRow& row, const Error& error)
    {
        row.problem = error.sentence();
        row.refused = error;
    }

    Result<SweepRow> predictOne(const ParameterValues& values) const
    {
        SweepRow row { .values = values };
        auto plan = planFollowed(m_kernel, values);
        if (!plan) {
            if (plan.error().code == ErrorCode::WrongUsage)
                return std::unexpected(std::move(plan.error()));
            refuse(row, plan.error());
            return row;
        }
        row.values = plan->parameters;
        row.buffers = buffersOf(*plan);
        auto prediction = predict(*plan,
            { .device = m_options.device,
                .verify = false,
                .threads = m_threadsEach,
                .stop = m_options.stop });
        if (!prediction) {
            if (!isOfTheLaunch(prediction.error().code))
                return std::unexpected(std::move(prediction.error()));
            refuse(row, prediction.error());
            return row;
        }
        row.predicted = std::move(prediction->result);
        if (!m_options.keepLines)
            row.predicted->lines = {};
        return row;
    }

    const KernelSpec& m_kernel;
    const std::vector<ParameterValues>& m_launches;
    const std::vector<std::size_t> m_order;
    const PredictSweepOptions& m_options;
    const SweepRowFunction& m_row;
    int m_threadsEach = 1;

    static constexpr int kMostVerified = 32; ///< launches of a sweep
    std::map<std::string, std::vector<std::pair<double, std::size_t>>> m_sound; ///< by what they work on: time with a warm L2, launch

    std::mutex m_mutex;
    std::size_t m_next = 0, m_failedAt = 0;
    std::optional<Error> m_failure;
    SweepTimes m_times;
};

} // namespace

Result<SweepTimes> predictSweep(const KernelSpec& kernel,
    const std::vector<ParameterValues>& launches, const PredictSweepOptions& options,
    const SweepRowFunction& row)
{
    if (auto known = analysis::deviceNamed(options.device); !known)
        return std::unexpected(known.error());
    return PredictSweep(kernel, launches, options, row).run();
}

} // namespace coalescope::kernels
