// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/joined_reads.h"

#include <algorithm>
#include <cmath>

namespace coalescope::kernels {

namespace {

constexpr double kJoiningNs = 32; ///< that a request waits for others
constexpr double kMostJoined = 4;
// How far apart SMs ask for the same: with one block each, and more for each further block, which gets on at a pace of its own, the more
// so the more warps there are.
constexpr double kApartNs = 163, kFurtherApartNs = 3;

} // namespace

double joinedReads(const Footprint& footprint, std::span<const double> missed, const AskingSms& chip)
{
    const double apartNs = kApartNs + kFurtherApartNs * (chip.resident - 1) * chip.warpsPerSm;
    const double together = std::min(1.0, kJoiningNs / apartNs);
    const auto leftOf = [&](double others) { return 1 / std::min(kMostJoined, 1 + std::max(0.0, others) * together); };
    const double running = std::min(chip.sms * chip.resident, chip.blocks);
    const double first = running / chip.blocks;
    double asked = 0, left = 0;
    for (std::size_t group = 0; group < footprint.groups(); ++group) {
        const double own = footprint.sectors(group, 1);
        if (own == 0)
            continue;
        const double ofL1 = own * (missed.empty() ? 1 : missed[group]);
        // At first neighbours start on the SMs of a GPC, later on whichever have a place.
        const double neighbours = std::min(chip.smsPerGpc, running);
        const double next = neighbours * own / footprint.sectors(group, neighbours) - 1;
        const double anywhere = (running * ofL1 / footprint.sectors(group, running) - 1) * chip.smsPerGpc / chip.sms;
        asked += ofL1;
        left += ofL1 * std::lerp(leftOf(anywhere), leftOf(next), first);
    }
    return asked > 0 ? left / asked : 1;
}

} // namespace coalescope::kernels
