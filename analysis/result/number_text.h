// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace coalescope::analysis {

/// The value as an integer, where it is one that a double holds exactly.
[[nodiscard]] inline std::optional<std::int64_t> wholeNumber(double value)
{
    constexpr double kExact = 9007199254740992; // 2^53
    if (!(std::fabs(value) <= kExact) || value != std::trunc(value))
        return std::nullopt;
    return std::int64_t(value);
}

/// The shortest text that reads back as the same number; integers without point or exponent.
[[nodiscard]] inline std::string numberText(double value)
{
    const auto whole = wholeNumber(value);
    return whole ? fmt::format("{}", *whole) : fmt::format("{}", value);
}

/// "1 byte", "3 bytes".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view what)
{
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

} // namespace coalescope::analysis
