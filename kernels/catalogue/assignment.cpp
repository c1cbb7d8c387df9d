// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/assignment.h"

#include <fmt/format.h>

namespace coalescope::kernels {

Result<std::pair<std::string, std::string>> assignmentOf(
    const std::string& text, const char* option)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return fail(ErrorCode::WrongUsage, fmt::format("'{}' is not NAME=VALUE", text), option);
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

} // namespace coalescope::kernels
