// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace coalescope::analysis {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t(x) * y * z; }
    /// Place of the block, or thread, of that number, x first.
    [[nodiscard]] Dim3 at(std::uint64_t number) const
    {
        return { std::uint32_t(number % x), std::uint32_t(number / x % y), std::uint32_t(number / x / y) };
    }
    auto operator<=>(const Dim3&) const = default;
};

/// A buffer of the modelled global memory. Values come from `fill` on demand: nothing is allocated.
struct Buffer {
    std::string name;
    std::uint64_t address = 0; ///< 256-byte aligned, as cudaMalloc would
    std::uint64_t bytes = 0;
    /// Writes the initial bytes [first, first + out.size()) of the buffer; empty: zeros.
    std::function<void(std::uint64_t first, std::span<std::uint8_t> out)> fill;
};

/// One launch of one program: everything but the program.
struct Launch {
    Dim3 grid, block;
    std::uint32_t dynamicSharedBytes = 0;
    std::vector<std::uint8_t>
        parameters; ///< the parameter block, laid out as Program::parameters says
    std::vector<Buffer> buffers; ///< disjoint, in address order
};

} // namespace coalescope::analysis
