// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/hazard.h"

#include <cstddef>
#include <iterator>

namespace coalescope::analysis {

namespace {

    struct HazardName {
        HazardKind kind;
        std::string_view name;
    };
    constexpr HazardName kNames[] = {
        { HazardKind::OutOfBounds, "out-of-bounds" },
        { HazardKind::SharedRace, "shared-race" },
        { HazardKind::Misaligned, "misaligned" },
        { HazardKind::WrongOutput, "wrong-output" },
        { HazardKind::BarrierDivergence, "barrier-divergence" },
        { HazardKind::Uninitialised, "uninitialised" },
        { HazardKind::NotModelled, "not-modelled" },
        { HazardKind::DivergentLoop, "divergent-loop" },
        { HazardKind::LeftOut, "left-out" },
    };
    constexpr bool rowsMatchEnum()
    {
        for (std::size_t i = 0; i < std::size(kNames); ++i)
            if (kNames[i].kind != HazardKind(i))
                return false;
        return std::size(kNames) == std::size_t(HazardKind::LeftOut) + 1;
    }
    static_assert(rowsMatchEnum());

} // namespace

std::string_view nameOf(HazardKind kind) { return kNames[std::size_t(kind)].name; }

} // namespace coalescope::analysis
