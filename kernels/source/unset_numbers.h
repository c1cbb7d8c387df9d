// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/kernel_declarations.h"
#include "kernels/source/tokens.h"

#include <string>
#include <vector>

namespace coalescope::kernels {

/// An integer that a kernel reads, and that only the host can set.
struct UnsetNumber {
    std::string name, type;
    bool isPointer = false; ///< a parameter that points to it; else it is a __constant__ variable
    bool operator==(const UnsetNumber&) const = default;
};

/// Those of a kernel in the file with these tokens: `__constant__ int n;`, and parameters `const int* n` that it has only as `*n`, and never
/// writes to. A scan of tokens.
[[nodiscard]] std::vector<UnsetNumber> unsetNumbersOf(const std::vector<Token>& tokens, const KernelDeclaration& kernel);

} // namespace coalescope::kernels
