// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>

namespace coalescope::kernels {

/// What an environment variable names; empty where it is not set.
inline std::filesystem::path environmentPath(const char* name)
{
    const char* value = std::getenv(name);
    return value ? std::filesystem::path(value) : std::filesystem::path {};
}

} // namespace coalescope::kernels
