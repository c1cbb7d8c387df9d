// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// A variable of the GPU's memory that a kernel names, or a function that it calls: `__device__`, `__constant__` or `__managed__`.
struct ModuleVariable {
    std::string name;
    std::string type; ///< of it, or of an array's elements: "unsigned int"
    bool isConst = false; ///< no kernel may write to it
    bool hasValue = false; ///< it is declared with one
    bool isWritten = false; ///< this kernel may write to it
    bool isManaged = false; ///< the host reads it and writes to it by its name

    bool operator==(const ModuleVariable&) const = default;
};

/// Those of a kernel, in the order of their declarations. `deviceCode`: as deviceParts() makes it for this kernel alone. A scan of tokens: where
/// it does not see what becomes of a variable, the kernel may write to it.
[[nodiscard]] std::vector<ModuleVariable> moduleVariablesOf(std::span<const std::string> deviceCode);

} // namespace coalescope::kernels
