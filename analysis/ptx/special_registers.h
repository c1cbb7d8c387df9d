// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace coalescope::analysis::ptx {

struct SpecialRow {
    std::string_view name;
    SpecialRegister special = SpecialRegister::TidX;
    Type type = Type::U32;
};

/// The modelled special register of that name; null where there is none.
[[nodiscard]] const SpecialRow* specialRegister(std::string_view name);

/// Half of the address at which the grid's barrier lies, where that register holds one: %envreg1 the upper, %envreg2 the lower.
///
/// Source: cooperative_groups.h of CUDA 13.0, whose grids find their barrier there.
[[nodiscard]] std::optional<std::uint32_t> gridBarrierHalf(std::string_view name);

/// True for a special register that PTX has and the model has not.
[[nodiscard]] bool isUnmodelledSpecial(std::string_view name);

} // namespace coalescope::analysis::ptx
