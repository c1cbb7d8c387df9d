// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace coalescope::analysis {

/// What the blocks of an SM queue for.
enum class Station {
    Lsu,
    Data, ///< the stage behind the LSU that serves shared memory and what is loaded and stored
    Issue,
    L2, ///< its way in: requests, and what is stored
    L2Answers,
    Dram,
    Constants,
    Atomics, ///< the slice of the L2 that gets the most
    Count
};

inline constexpr int kStationCount = int(Station::Count);

/// Whether all SMs share it.
[[nodiscard]] constexpr bool isOfChip(Station station)
{
    return station == Station::L2 || station == Station::L2Answers || station == Station::Dram || station == Station::Atomics;
}

inline constexpr int kMostParts = 64; ///< of all blocks on an SM at a time

/// Time that each station works for one block. Units: nanoseconds.
using StationTimes = std::array<double, kStationCount>;

/// One block as an SM sees it. Every round loads, waits for what was loaded, goes through shared memory, and stores; the next
/// round's loads may be on their way meanwhile.
struct BlockWork {
    double startNs = 0; ///< an SM takes this long from one block's start to the next's
    double leadNs = 0; ///< from a block's start to its first load; its first instructions are
                       ///< issued meanwhile
    StationTimes load {}; ///< until everything is asked for
    double loadLatencyNs = 0; ///< a turn, until the last answer is there
    StationTimes shared {}; ///< what is asked of shared memory. Where it is, Station::Data serves in the order of arrival:
                            ///< stores and the loads of new blocks wait behind what others ask of shared memory
    double sharedLatencyNs = 0; ///< a turn
    StationTimes store {}; ///< what DRAM does for stores, and atomics, nobody waits for
    double storeLatencyNs = 0; ///< a turn: barriers
    int rounds = 1;
    int loadTurns = 1; ///< of a round: it loads in so many parts, and waits for each
    int storeTurns = 1; ///< it goes through shared memory and stores in so many parts, and waits for all but the last to reach the L2
    int parts = 1; ///< groups of warps that queue each for itself, for their share of everything
    double partLeadNs = 0; ///< a part's first load comes so much later than that of the part before
    bool copiesAhead = false; ///< a round's loads are asked for when the round before has its own, and are waited for after its stores
    bool storesLast = false; ///< what it asks of the L2, DRAM and atomics in its stores comes in the last round, in place of evenly
    int meetings = 0; ///< of the rounds: the parts meet at a barrier when they have what they loaded; spread evenly, the
                      ///< last round among them

    [[nodiscard]] double busyNs(Station station) const
    {
        const auto s = std::size_t(station);
        return load[s] + shared[s] + store[s];
    }
};

/// Time until an SM has executed `blocks` blocks of which at most `resident` are there at a time.
///
/// Stations divide themselves equally among the blocks that want them; DRAM and the L2's answers
/// serve them in the order in which they come, and so do issue and shared memory's stage, older ones a little earlier. What nobody waits for takes
/// its share as one block more. A long queue of blocks is followed until its rate is steady.
///
/// Shapes:  at most kMostParts parts of resident blocks.
/// Checked: sm_waves_test.cpp, against what can be computed by hand.
[[nodiscard]] double smWavesNs(const BlockWork& work, int blocks, int resident);

} // namespace coalescope::analysis
