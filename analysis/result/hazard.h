// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coalescope::analysis {

enum class HazardKind : std::uint8_t {
    OutOfBounds, ///< a global, shared or local address outside every buffer
    SharedRace, ///< two threads, one shared byte, at least one write, no barrier between
    Misaligned, ///< an address that is no multiple of the access width
    WrongOutput, ///< the output differs from the reference
    BarrierDivergence, ///< a barrier that some threads of the block never reach
    Uninitialised, ///< shared memory read that nothing wrote
    NotModelled, ///< something whose counters the prediction cannot vouch for
    DivergentLoop, ///< lanes leave a loop with global accesses at different turns
    LeftOut, ///< a grid that is rounded down: no block works on the rest
};

/// False for what is no mistake of the kernel, but says where the prediction may be off.
[[nodiscard]] constexpr bool isFault(HazardKind kind)
{
    return kind != HazardKind::NotModelled && kind != HazardKind::DivergentLoop;
}

[[nodiscard]] std::string_view nameOf(HazardKind kind); ///< "out-of-bounds", "shared-race", ...

/// Something wrong with the kernel or its launch, with its place.
struct Hazard {
    HazardKind kind = HazardKind::OutOfBounds;
    std::uint32_t line = 0; ///< source line
    std::uint32_t otherLine = 0; ///< second line of a race; 0: none
    std::string detail; ///< one sentence: who, where, what
    std::uint64_t count = 1; ///< times seen (a lower bound when blocks are represented)
    bool operator==(const Hazard&) const = default;
};

} // namespace coalescope::analysis
