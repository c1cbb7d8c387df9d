// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <vector>

namespace coalescope::analysis {

/// Where each register is read and set: instructions, in order, as often as they do.
struct RegisterUses {
    explicit RegisterUses(const Program& program);

    [[nodiscard]] bool isSetOnce(std::uint32_t index) const { return definitions[index].size() == 1; }
    /// By the instruction `first` or one behind it, before `last`.
    [[nodiscard]] bool isSetBetween(const Operand& operand, std::uint32_t first, std::uint32_t last) const;

    std::vector<std::vector<std::uint32_t>> uses, definitions; ///< of each register
};

} // namespace coalescope::analysis
