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
};

inline constexpr std::array kTimeTermTexts {
    TimeTermText { .name = "launch", .label = translatable("Texts", "launch") },
    TimeTermText { .name = "dram", .label = translatable("Texts", "DRAM") },
    TimeTermText { .name = "l2", .label = translatable("Texts", "L2") },
    TimeTermText { .name = "lsu", .label = translatable("Texts", "load/store unit") },
    TimeTermText { .name = "shared", .label = translatable("Texts", "shared wavefronts") },
    TimeTermText { .name = "issue", .label = translatable("Texts", "issue") },
    TimeTermText { .name = "latency", .label = translatable("Texts", "latency") },
    TimeTermText { .name = "blocks", .label = translatable("Texts", "starting blocks") },
    TimeTermText { .name = "constants", .label = translatable("Texts", "constant memory") },
    TimeTermText { .name = "atomics", .label = translatable("Texts", "atomics") },
};

} // namespace coalescope::analysis
