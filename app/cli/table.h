// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace coalescope::cli {

/// Text in columns: the first left-aligned, the others right-aligned.
class Table {
public:
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> m_rows;
};

/// 2097152 as "2,097,152"; at most one decimal where it is no integer; "-" where absent.
[[nodiscard]] std::string grouped(std::optional<double> value);

/// Nanoseconds as "37.9 us".
[[nodiscard]] std::string microseconds(double ns);

} // namespace coalescope::cli
