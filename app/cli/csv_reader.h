// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::cli {

/// Takes a CSV text apart record by record: RFC 4180 with either line end, a byte-order mark and
/// blank lines allowed. Fields are views into the text, which must outlive the reader.
class CsvReader {
public:
    explicit CsvReader(std::string_view text);

    /// Reads the next record into `fields`; false at the end of the text.
    ///
    /// Errors: BadInput, without a place, where a quoted field has no end.
    [[nodiscard]] Result<bool> next(std::vector<std::string_view>& fields);

    /// Line, from 1, on which the last record began.
    [[nodiscard]] std::size_t line() const { return m_recordLine; }

private:
    Result<std::string_view> quotedField();
    std::string_view plainField();
    void skipBlankLines();
    bool takeLineEnd();

    std::string_view m_text;
    std::size_t m_at = 0, m_line = 1, m_recordLine = 0;
    std::deque<std::string> m_unquoted; // fields with doubled quotes, in their plain form
};

} // namespace coalescope::cli
