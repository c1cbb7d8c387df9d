// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/unequal_blocks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace coalescope::analysis {

namespace {

/// Blocks that share something equally.
class Pool {
public:
    explicit Pool(const BlockPace& pace)
        : m_pace(pace)
    {
    }
    /// A place is given to a block of so many times the average work.
    void start(double now, double work)
    {
        m_startedNs = std::max(now, m_startedNs) + m_pace.startNs;
        m_starting.emplace(m_startedNs + m_pace.leadNs, work);
    }
    /// Goes on to the next moment at which a block begins or ends; true where one ends.
    bool step()
    {
        const double ns = nextNs(), done = (ns - m_now) / nsOfWork();
        const bool begins = !m_starting.empty() && m_starting.front().first <= ns;
        m_now = ns;
        m_done += done;
        if (begins) {
            m_ends.push(m_done + m_starting.front().second);
            m_starting.pop();
        } else {
            m_ends.pop();
        }
        return !begins;
    }
    [[nodiscard]] double nextNs() const
    {
        const double beginNs = m_starting.empty() ? kNever : m_starting.front().first;
        const double endNs = m_ends.empty() ? kNever : m_now + (m_ends.top() - m_done) * nsOfWork();
        return std::min(beginNs, endNs);
    }
    [[nodiscard]] bool isEmpty() const { return m_starting.empty() && m_ends.empty(); }

private:
    static constexpr double kNever = std::numeric_limits<double>::infinity();

    [[nodiscard]] double nsOfWork() const { return std::max(m_pace.aloneNs, double(m_ends.size()) * m_pace.sharedNs); }

    BlockPace m_pace;
    std::queue<std::pair<double, double>> m_starting; ///< when, with how much work
    std::priority_queue<double, std::vector<double>, std::greater<>> m_ends; ///< what is done of each when a block ends
    double m_done = 0; ///< of a block that has been there from the beginning
    double m_now = 0, m_startedNs = 0;
};

double timeNs(std::span<const std::uint32_t> work, double mean, const BlockPace& pace)
{
    std::vector<Pool> pools(std::size_t(pace.pools), Pool(pace));
    std::size_t started = 0;
    for (int slot = 0; slot < pace.slots; ++slot)
        for (std::size_t i = 0; i < pools.size() && started < work.size(); ++i)
            pools[i].start(0, work[started++] / mean);
    using Event = std::pair<double, std::size_t>;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> next;
    const auto await = [&](std::size_t pool) {
        if (!pools[pool].isEmpty())
            next.emplace(pools[pool].nextNs(), pool);
    };
    for (std::size_t i = 0; i < pools.size(); ++i)
        await(i);
    double now = 0;
    while (!next.empty()) {
        const std::size_t i = next.top().second;
        now = next.top().first;
        next.pop();
        if (pools[i].step() && started < work.size())
            pools[i].start(now, work[started++] / mean);
        await(i);
    }
    return now;
}

} // namespace

double unequalBlocks(std::span<const std::uint32_t> work, const BlockPace& pace)
{
    const double mean = std::accumulate(work.begin(), work.end(), 0.0) / double(std::max<std::size_t>(1, work.size()));
    if (mean <= 0)
        return 1;
    const std::vector<std::uint32_t> equal(work.size(), 1);
    return std::max(1.0, timeNs(work, mean, pace) / timeNs(equal, 1, pace));
}

} // namespace coalescope::analysis
