// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/constant_loads.h"

#include "kernels/experiment/machine_path.h"

#include <algorithm>
#include <set>
#include <vector>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kCacheLines = 2048 / analysis::kConstantLineBytes;
/// Of random loads from 3 to 16 KB as many are found as in 2.3 to 2.5 KB: what is on its way counts as there.
constexpr std::size_t kLinesOnTheirWay = 6;

/// Lines by when they were asked for last.
class ConstantCache {
public:
    /// Whether it lacks the line, which it has from now on.
    bool misses(std::uint32_t line)
    {
        const auto found = std::ranges::find(m_lines, line);
        const bool isMiss = found == m_lines.end();
        if (isMiss)
            m_lines.insert(m_lines.begin(), line);
        else
            std::rotate(m_lines.begin(), found, found + 1);
        m_lines.resize(std::min(m_lines.size(), kCacheLines + kLinesOnTheirWay));
        return isMiss;
    }

private:
    std::vector<std::uint32_t> m_lines; ///< the newest first
};

bool fits(const std::vector<analysis::ConstantLoads>& warps)
{
    std::set<std::uint32_t> lines;
    for (const analysis::ConstantLoads& warp : warps) {
        lines.insert(warp.lines.begin(), warp.lines.end());
        if (lines.size() > kCacheLines)
            return false;
    }
    return true;
}

/// Of the requests that were kept, a line of each warp in turn.
double missesOf(const std::vector<analysis::ConstantLoads>& warps, ConstantCache& cache)
{
    std::size_t most = 0;
    for (const analysis::ConstantLoads& warp : warps)
        most = std::max(most, warp.ends.size());
    double misses = 0;
    for (std::size_t request = 0; request < most; ++request) {
        bool isMore = true;
        for (std::size_t place = 0; isMore; ++place) {
            isMore = false;
            for (const analysis::ConstantLoads& warp : warps) {
                if (request >= warp.ends.size())
                    continue;
                const std::size_t at = (request ? warp.ends[request - 1] : 0) + place;
                if (at < warp.ends[request]) {
                    misses += cache.misses(warp.lines[at]);
                    isMore = true;
                }
            }
        }
    }
    return misses;
}

}

ConstantTraffic constantTraffic(const analysis::BlockTrace& trace, const std::optional<MachinePath>& path)
{
    ConstantTraffic traffic;
    double most = 0, requests = 0, kept = 0;
    for (const analysis::ConstantLoads& ofWarp : trace.constants) {
        traffic.addresses += double(ofWarp.addresses);
        most = std::max(most, double(ofWarp.requests));
        requests += double(ofWarp.requests);
        kept += double(ofWarp.ends.size());
    }
    if (kept > 0 && !fits(trace.constants)) {
        ConstantCache cache;
        missesOf(trace.constants, cache); // of the block before
        traffic.misses = missesOf(trace.constants, cache) * requests / kept;
    }
    const double made = path && most > 0 ? std::min(1.0, path->constantLoads / most) : 1;
    return { traffic.addresses * made, traffic.misses * made };
}

} // namespace coalescope::kernels
