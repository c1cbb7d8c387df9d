// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

namespace coalescope::kernels {

/// What a parameter is about.
enum class ParameterRole : std::uint8_t {
    Work, ///< how much there is to do: rows, columns, offsets, strides
    Shape, ///< how the GPU is to do it: blocks and tiles
    Padding, ///< of rows in shared memory
};

[[nodiscard]] bool namesPadding(std::string name);
/// "log_n", "logN", "log2_size": there are two to the power of it.
[[nodiscard]] bool namesLogarithm(std::string name);

/// By its name, and by whether the block's size follows it.
[[nodiscard]] ParameterRole roleOf(const KernelSpec& kernel, const ParameterSpec& parameter);

} // namespace coalescope::kernels
