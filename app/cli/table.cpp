// SPDX-License-Identifier: Apache-2.0
#include "app/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coalescope::cli {

std::string Table::text() const
{
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                           : fmt::format("  {:>{}}", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string grouped(std::optional<double> value)
{
    if (!value)
        return "-";
    const double rounded = std::round(*value);
    std::string digits = std::abs(*value - rounded) < 0.05
        ? fmt::format("{:.0f}", std::abs(rounded))
        : fmt::format("{:.1f}", std::abs(*value));
    const std::size_t whole = std::min(digits.find('.'), digits.size());
    for (std::size_t i = whole; i > 3; i -= 3)
        digits.insert(i - 3, ",");
    return *value < 0 && digits != "0" ? "-" + digits : digits;
}

std::string microseconds(double ns) { return fmt::format("{:.2f} us", ns / 1000); }

} // namespace coalescope::cli
