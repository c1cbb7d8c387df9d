// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <string_view>

namespace coalescope::analysis::ptx {

struct SpecialRow {
    std::string_view name;
    SpecialRegister special = SpecialRegister::TidX;
    Type type = Type::U32;
};

/// The modelled special register of that name; null where there is none.
[[nodiscard]] const SpecialRow* specialRegister(std::string_view name);

/// True for a special register that PTX has and the model has not.
[[nodiscard]] bool isUnmodelledSpecial(std::string_view name);

} // namespace coalescope::analysis::ptx
