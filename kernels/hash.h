// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace coalescope::kernels {

/// A 64-bit hash (FNV-1a) that is the same in every run: for names of files and to find damage and
/// change.
[[nodiscard]] constexpr std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text)
        hash = (hash ^ std::uint8_t(c)) * 0x100000001b3u;
    return hash;
}

} // namespace coalescope::kernels
