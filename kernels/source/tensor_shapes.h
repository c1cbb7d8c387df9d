// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/host_program.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coalescope::kernels {

/// What a function asks of the tensors that it is given.
struct TensorShapes {
    struct Tensor {
        std::string name; ///< of the parameter
        std::vector<std::string> sizes; ///< names among TensorShapes::sizes, or numbers; empty: nothing tells any
        int code = 0; ///< of its elements' type, as tensor_library.cuh has them
    };
    std::vector<Tensor> tensors;
    std::vector<std::pair<std::string, std::int64_t>> sizes; ///< names, and values that are guessed
};

/// Names of kernels' parameters, by the kernels' names.
using KernelParameters = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Reads what the function, and those of the program that it hands its tensors on to, ask for: `x.size(1)`, `x.dim() == 4`,
/// `x.size(0) == y.size(1)`, `const int rows = x.size(0)`, accessors' ranks, types of pointers, what kernels that are
/// given a size call it.
[[nodiscard]] TensorShapes tensorShapes(const HostProgram& program, const HostFunction& function, const KernelParameters& kernels);

/// An integer of that name that is no size of a tensor, as people pass it: 3 for a kernel's size, 8 for heads.
[[nodiscard]] std::int64_t exampleOfInteger(std::string_view name);

/// A real number of that name, as C++ has it: "1e-5" for an epsilon.
[[nodiscard]] std::string exampleOfReal(std::string_view name);

} // namespace coalescope::kernels
