// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace coalescope::analysis {

inline constexpr int kWarpLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xffffffffu;

/// Bit l is lane l of the warp.
using LaneMask = std::uint32_t;

enum class Space : std::uint8_t { Generic, Global, Shared, Local, Constant, Param };
enum class MemoryOp : std::uint8_t { Load, Store, Atomic, Reduction, MatrixLoad, AsyncCopy,
    BulkLoad, BulkStore, ///< 128 bytes or less of a bulk copy, 16 a lane: what passes between the L2 and one line of shared memory
};

/// How shared memory serves an atomic.
enum class SharedUpdate : std::uint8_t {
    LaneByLane, ///< lanes that want the same bank one after the other: sums, minima, bits, exchanges
    Counted, ///< lanes that add 1 to the same word at once, where nobody asks for the old value
    InTwoSteps, ///< compare and swap: all lanes are served twice
    InALoop, ///< of loads and compares and swaps, until no other lane comes first: sums of floats, 8 bytes but for exchanges
};

/// What a load may do with L1.
enum class L1Use : std::uint8_t {
    Cached,
    NoAllocate, ///< reads what is there, leaves nothing
    Bypassed, ///< always asks the L2
    Emptied, ///< the same, and what L1 holds may be old: ld.acquire beyond the block
};

/// One memory instruction executed by one warp: what the models judge and the views draw.
///
/// Units:   addresses in bytes; for Space::Shared relative to the block's shared window.
/// Shapes:  one address a lane; addresses of lanes outside `active` mean nothing.
struct WarpAccess {
    Space space = Space::Global;
    MemoryOp op = MemoryOp::Load;
    std::uint8_t widthBytes = 4; ///< per lane: 1, 2, 4, 8 or 16 (ldmatrix: 16, one row a lane)
    std::uint8_t matrices = 0; ///< ldmatrix .x1 .x2 .x4: 1, 2 or 4; 0 for every other operation
    L1Use l1 = L1Use::Cached; ///< global
    SharedUpdate update = SharedUpdate::LaneByLane; ///< shared atomics
    bool isOneLanes = false; ///< atomics: one lane makes those of all lanes together (Modifiers::isOneLanes)
    LaneMask active = 0;
    std::uint32_t instruction = 0; ///< index into Program::instructions
    std::array<std::uint64_t, kWarpLanes> address {};
};

[[nodiscard]] inline bool isAtomic(const WarpAccess& access)
{
    return access.op == MemoryOp::Atomic || access.op == MemoryOp::Reduction;
}

/// Of these a lane is 16 bytes, not a thread.
[[nodiscard]] inline bool isBulk(const WarpAccess& access)
{
    return access.op == MemoryOp::BulkLoad || access.op == MemoryOp::BulkStore;
}

[[nodiscard]] inline bool isStore(const WarpAccess& access)
{
    return access.op == MemoryOp::Store || access.op == MemoryOp::BulkStore;
}

/// Whether each active lane's address is a multiple of the width.
[[nodiscard]] inline bool isAligned(const WarpAccess& access)
{
    std::uint64_t bits = 0;
    for (LaneMask left = access.active; left; left &= left - 1)
        bits |= access.address[std::size_t(std::countr_zero(left))];
    return !(bits & (access.widthBytes - 1u));
}

} // namespace coalescope::analysis
