// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/scattered_stores.h"

#include "kernels/experiment/block_accesses.h"
#include "kernels/experiment/reads_by_data.h"
#include "kernels/experiment/spread_blocks.h"

#include <algorithm>
#include <vector>

namespace coalescope::kernels {

namespace {

constexpr double kMostExecutedBlocks = 256;
constexpr double kMeetings = 40; ///< expected, of stores in one sector: fewer tell nothing
constexpr double kLeast = 0.6, kMost = 1.6; ///< as many as chance has it

} // namespace

Meetings meetingsOfStores(const Prediction& prediction, double sectors, double stores, double instructions)
{
    const analysis::Dim3& grid = prediction.launch.grid;
    const auto blocks = double(grid.count());
    const auto most = std::size_t(std::min({ kMostExecutedBlocks, blocks / 2, affordableBlocks(blocks, instructions) }));
    std::vector<std::uint64_t> stored;
    for (std::size_t done = 0; done < most;) {
        const std::size_t next = std::min(most, std::max<std::size_t>(8, 2 * done));
        std::vector<analysis::Dim3> wanted;
        for (; done < next; ++done)
            wanted.push_back(grid.at(grid.count() / 3 + done));
        const auto traces = analysis::traceAddresses(*prediction.program, prediction.launch, std::span<const analysis::Dim3>(wanted));
        if (!traces)
            return Meetings::Unknown;
        for (const analysis::BlockTrace& trace : *traces)
            for (const SectorPart& part : distinctSectors(trace, isGlobalStore))
                stored.push_back(part.sector);
        // Each of them to a place of its own.
        const double expected = (double(stored.size()) - linesDrawn(sectors, double(stored.size()))) * (1 - 1 / stores);
        if (expected < kMeetings)
            continue;
        std::ranges::sort(stored);
        const auto again = double(std::ranges::unique(stored).size());
        return again < kLeast * expected ? Meetings::Fewer : again > kMost * expected ? Meetings::More : Meetings::Chance;
    }
    return Meetings::Unknown;
}

} // namespace coalescope::kernels
