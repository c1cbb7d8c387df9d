// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"
#include "kernels/experiment/machine_instruction.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <vector>

namespace coalescope::kernels {

/// The kinds of accesses that are told apart, and barriers: those of machine instructions and, behind them, loads of global memory of 8
/// and of 16 bytes a lane.
inline constexpr std::size_t kAccessKindCount = std::size_t(MachineInstruction::Counted) + 2;
inline constexpr auto kAccessKinds = std::views::iota(std::size_t(0), kAccessKindCount);

/// Which of them an access is. `byWidth`: loads of global memory are told apart by their bytes.
[[nodiscard]] constexpr std::size_t accessKindOf(MachineInstruction::Kind kind, int bytes, bool byWidth)
{
    constexpr int kTwoWords = 8, kFourWords = 16;
    if (kind != MachineInstruction::GlobalLoad || !byWidth || bytes < kTwoWords)
        return kind;
    return bytes < kFourWords ? kAccessKindCount - 2 : kAccessKindCount - 1;
}

/// How many accesses and barriers of each kind.
using AccessCounts = std::array<std::int64_t, kAccessKindCount>;

/// How the accesses of the machine code are taken to be those of the PTX.
struct AccessRules {
    bool loadsPassBarriers = false; ///< loads of global memory may stand one barrier earlier than in the PTX
    bool areAlike = true; ///< a load of global memory moves as many bytes as that of the PTX; what is predicated, or in a loop, is not made before its turn in the PTX
};

[[nodiscard]] std::size_t sumOf(const AccessCounts& counts);

/// The accesses a warp has still to make on its path through machine code, in the order of the PTX.
class WarpAccesses {
public:
    WarpAccesses(const std::vector<analysis::TraceStep>& warp, const AccessRules& rules);

    [[nodiscard]] const AccessCounts& left() const { return m_left; }
    [[nodiscard]] std::size_t made() const { return m_made; }
    /// Whether a warp can come past such an access of the machine code: it has one left to make, or the access is
    /// predicated, or what was counted for a predicated one before was this. Accesses do not pass barriers.
    [[nodiscard]] bool make(std::size_t kind, bool predicated);
    /// Whether a turn of a loop without a barrier can make so many accesses to shared memory: they do not pass barriers.
    [[nodiscard]] bool areBeforeBarrier(const AccessCounts& must) const;
    /// Whether what a turn of a loop must access, or most of it, is among the next as many as it makes: ptxas moves accesses
    /// about within a turn, not from one loop to another.
    [[nodiscard]] bool areNext(const AccessCounts& must, std::size_t turn) const;
    /// Whether a turn of a loop, which makes at most these accesses, makes the next one of the PTX.
    [[nodiscard]] bool makesNext(const AccessCounts& turn) const;
    /// Whether another turn of a loop would come, for the most part of what it must access, from instructions of the PTX that the
    /// last one came from, and not from the next loop.
    [[nodiscard]] bool goOnAlike(const AccessCounts& must, std::size_t turn) const;
    /// What comes next of the PTX's loop of which the last so many accesses were a turn, or the next ones are; one of its turns, perhaps
    /// of several together, makes no more than `most`.
    [[nodiscard]] AccessCounts aheadLikeLast(std::size_t turn, std::size_t most) const;
    [[nodiscard]] AccessCounts aheadLikeNext(std::size_t most) const { return aheadLike(m_made, most, most); }

private:
    /// The kind of the access that comes in the PTX before all others that are left.
    [[nodiscard]] std::size_t nextKind() const;
    [[nodiscard]] AccessCounts aheadLike(std::size_t first, std::size_t turn, std::size_t most) const;

    std::vector<std::size_t> m_order; ///< kinds
    std::vector<std::uint32_t> m_instructions; ///< of the PTX, in the same order
    AccessCounts m_left {}, m_predicated {}; ///< the latter since the last barrier
    std::vector<AccessCounts> m_untilBarrier = std::vector<AccessCounts>(1); ///< accesses left to make, from one barrier to the next
    std::array<std::vector<std::uint32_t>, kAccessKindCount> m_places; ///< of each kind in that order
    std::size_t m_made = 0, m_barriers = 0;
    AccessRules m_rules;
};

} // namespace coalescope::kernels
