// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// Where a header stands in: where a CUDA toolkit's headers are there, where they are not, or both.
enum class StandsIn : std::uint8_t { Always, WithToolkit, WithoutToolkit };

/// A header that kernel files include though no CUDA toolkit or C library may be there.
struct StandardHeader {
    std::string name; ///< as in #include <name>
    std::string content;
    StandsIn when = StandsIn::Always;
};

/// What is included before every source, as nvcc includes its own.
inline constexpr const char* kPrelude = "coalescope_prelude.cuh";

/// What stands for the headers of PyTorch's extensions: see isTensorHeader().
inline constexpr const char* kTensors = "tensor.cuh";

/// Small stand-ins: the integer types for <cstdint>, nothing for what the compilers know by themselves, and
/// cuda::std, where a toolkit has it, for those headers of the C++ library that kernels use.
[[nodiscard]] const std::vector<StandardHeader>& standardHeaders();

} // namespace coalescope::kernels
