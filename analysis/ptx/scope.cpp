// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/scope.h"

#include <charconv>

namespace coalescope::analysis::ptx {

Name* Scope::inRange(std::string_view name)
{
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
        --digits;
    for (RegisterRange& range : ranges) {
        // a prefix may itself end in digits, as in `.reg .b32 %x1<4>`
        if (range.prefix.size() < digits || !name.starts_with(range.prefix)
            || range.prefix.size() == name.size())
            continue;
        const std::string_view number = name.substr(range.prefix.size());
        std::uint32_t index = 0;
        const auto [end, error]
            = std::from_chars(number.data(), number.data() + number.size(), index);
        if (error != std::errc() || index >= range.count || (number.size() > 1 && number[0] == '0'))
            continue;
        if (index >= range.names.size())
            range.names.resize(index + 1, Name { .type = range.type });
        return &range.names[index];
    }
    return nullptr;
}

} // namespace coalescope::analysis::ptx
