// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"

#include <optional>
#include <string>

namespace coalescope::analysis {

/// What in a kernel's code would make it faster, where its limiter says so.
enum class AdviceKind : std::uint8_t {
    AddUpFirst, ///< atomics meet: fewer of them
    Pad, ///< bank conflicts
    KeepInRegisters, ///< shared memory is busy without conflicts
    SideBySide, ///< sectors move of which lanes use a part
    FewerBytes, ///< DRAM is busy with what is needed
    Reuse, ///< the L2 is
    WiderAccesses, ///< the load/store unit or L1's data stage is
    HideWaits,
    MoreWork, ///< the launch itself takes the time
    LargerBlocks, ///< starting blocks does
    TableElsewhere, ///< loads of constants come one after another
    LessArithmetic,
};

struct Advice {
    AdviceKind kind = AdviceKind::MoreWork;
    std::string file; ///< of `line`
    std::uint32_t line = 0; ///< where most of it is; 0: it is of no line
    double cost = 0, atBest = 0; ///< of that line: wavefronts and those that are no conflicts, or sectors and those that lanes side by side need

    bool operator==(const Advice&) const = default;
};

/// By a prediction's limiter and its lines; nothing where it has no terms, or there is nothing to say.
[[nodiscard]] std::optional<Advice> adviceFor(const RunResult& prediction);

} // namespace coalescope::analysis
