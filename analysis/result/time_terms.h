// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace coalescope::analysis {

/// Marks an English text that the window translates, in a context of its translations; `ninja translations` looks for it.
consteval const char* translatable(const char* /*context*/, const char* english) { return english; }

/// What people call a part of a time estimate.
struct TimeTermText {
    std::string_view name; ///< TimeTerm::name
    const char* label; ///< plain words, English
    const char* meaning; ///< a sentence without its full stop, English
};

inline constexpr std::array kTimeTermTexts {
    TimeTermText { .name = "launch", .label = translatable("Texts", "launch"),
        .meaning = translatable("Texts", "what the smallest kernel takes from its start to its end") },
    TimeTermText { .name = "dram", .label = translatable("Texts", "DRAM"),
        .meaning = translatable("Texts", "bytes that the L2 does not have, and those it writes back, at the rate of DRAM") },
    TimeTermText { .name = "l2", .label = translatable("Texts", "L2"),
        .meaning = translatable("Texts", "sectors that the SMs ask the L2 for and store into it, at the rate of the L2") },
    TimeTermText { .name = "lsu", .label = translatable("Texts", "load/store unit"),
        .meaning = translatable("Texts", "the warps' memory instructions, and the cache lines of their loads, one after another through an SM's load/store unit") },
    TimeTermText { .name = "shared", .label = translatable("Texts", "shared wavefronts"),
        .meaning = translatable("Texts", "wavefronts of shared memory, one a clock for each SM; bank conflicts add to them") },
    TimeTermText { .name = "l1", .label = translatable("Texts", "L1 data stage"),
        .meaning = translatable("Texts", "global loads through the banks that L1 and shared memory share, a wavefront a clock for each SM, and stores, a line at a time; lanes whose words lie in one bank add to them") },
    TimeTermText { .name = "issue", .label = translatable("Texts", "issue"),
        .meaning = translatable("Texts", "instructions of all warps of an SM through its four schedulers, or through the arithmetic unit that is busiest") },
    TimeTermText { .name = "latency", .label = translatable("Texts", "latency"),
        .meaning = translatable("Texts", "waits for answers that nothing hides where an SM holds one wave of blocks: more resident warps, or more independent loads, hide them") },
    TimeTermText { .name = "blocks", .label = translatable("Texts", "starting blocks"),
        .meaning = translatable("Texts", "starting the blocks of an SM one after another") },
    TimeTermText { .name = "constants", .label = translatable("Texts", "constant memory"),
        .meaning = translatable("Texts", "loads from constant memory, one address at a time") },
    TimeTermText { .name = "atomics", .label = translatable("Texts", "atomics"),
        .meaning = translatable("Texts", "atomics, one after another where they meet in the L2") },
    TimeTermText { .name = "waits", .label = translatable("Texts", "barriers of the grid"),
        .meaning = translatable("Texts", "blocks that wait for each other, and their arrivals one after another") },
};

} // namespace coalescope::analysis
