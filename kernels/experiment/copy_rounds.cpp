// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/copy_rounds.h"

#include "kernels/experiment/block_accesses.h"

#include <algorithm>
#include <set>
#include <span>

namespace coalescope::kernels {

namespace {

using analysis::CopyWait;
using analysis::TraceStep;

bool loadsShared(const TraceStep& step)
{
    return step.kind == analysis::TraceKind::Access && step.access.space == analysis::Space::Shared
        && (step.access.op == analysis::MemoryOp::Load || step.access.op == analysis::MemoryOp::MatrixLoad);
}

bool changesGlobal(const TraceStep& step)
{
    return isGlobalStore(step) || (step.kind == analysis::TraceKind::Access && step.access.space == analysis::Space::Global
        && (step.access.op == analysis::MemoryOp::Atomic || step.access.op == analysis::MemoryOp::Reduction));
}

CopyRounds roundsOf(const std::vector<TraceStep>& steps, const std::vector<CopyWait>& waits)
{
    std::vector<std::uint32_t> loads { 0 }; // before each step
    for (const TraceStep& step : steps)
        loads.push_back(loads.back() + loadsShared(step));
    CopyRounds result { .rounds = int(waits.size()) };
    std::set<std::uint64_t> barriers;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (waits[i].barrier)
            barriers.insert(*waits[i].barrier);
        int worked = 0;
        for (std::size_t round = i + 1; round-- > 0 && waits[round].steps > waits[i].asked;) {
            const std::uint32_t since = std::max(round == 0 ? 0 : waits[round - 1].steps, waits[i].asked);
            worked += loads[waits[round].steps] > loads[since];
        }
        result.ahead = std::max(result.ahead, worked);
    }
    result.ahead = std::max(result.ahead, int(barriers.size()) - 1);
    result.storesLast = std::ranges::none_of(std::span(steps).first(waits.back().steps), changesGlobal);
    return result;
}

} // namespace

CopyRounds copyRounds(const analysis::BlockTrace& trace)
{
    CopyRounds most;
    for (std::size_t warp = 0; warp < trace.copyWaits.size(); ++warp)
        if (trace.copyWaits[warp].size() > std::size_t(most.rounds))
            most = roundsOf(trace.warps[warp], trace.copyWaits[warp]);
    return most;
}

} // namespace coalescope::kernels
