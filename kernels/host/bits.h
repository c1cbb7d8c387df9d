// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/values.h"

#include <string_view>

namespace coalescope::kernels::host {

/// What <bit>, or one of the compiler's own functions, asks of a number's bits.
struct BitFunction {
    using OfBits = std::int64_t (*)(std::uint64_t number, int bits);

    std::string_view name;
    OfBits of = nullptr;
    Kind taken = Kind::None; ///< what it takes; None: the number as it is
    Kind returned = Kind::I32; ///< None: of the number's kind
};

/// Null: there is none of this name.
[[nodiscard]] const BitFunction* bitFunction(std::string_view name);

/// A number's bits, without those that its sign sets beside them.
[[nodiscard]] std::uint64_t bitsOf(std::int64_t number, int bits);

/// std::rotl(), of so many bits.
[[nodiscard]] std::uint64_t rotatedLeft(std::uint64_t number, int bits, std::int64_t by);

} // namespace coalescope::kernels::host
