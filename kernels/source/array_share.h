// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/host_program.h"

#include <cstdint>

namespace coalescope::kernels {

/// How much of an array a statement sets: each item, as far as can be seen, those that a condition chooses, or a few.
enum class Share : std::uint8_t { All, Some, Few };

/// Of the assignment at a token: the nearest `if` around tells, `i == 0` choosing a few, and where there is no loop, it sets one item.
[[nodiscard]] Share shareSet(const HostProgram& program, std::size_t at);

/// Whether the name at a token is one of those in `std::vector<float> a(...), b(...);`.
[[nodiscard]] bool declaresVector(const HostProgram& program, std::size_t at);

/// Whether items of the array that a token names may change there, other than by `array[i] = value`: `++array[i]`, `int* p = array.data()`, or
/// by a function whose name tells of filling: `file.read((char*)array.data(), n)`.
[[nodiscard]] bool mayChange(const HostProgram& program, std::size_t at);

} // namespace coalescope::kernels
