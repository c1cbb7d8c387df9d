// SPDX-License-Identifier: Apache-2.0
#include "app/cli/csv_reader.h"

#include <algorithm>

namespace coalescope::cli {

CsvReader::CsvReader(std::string_view text)
    : m_text(text)
{
    if (m_text.starts_with("\xef\xbb\xbf"))
        m_text.remove_prefix(3);
}

bool CsvReader::takeLineEnd()
{
    if (m_text.substr(m_at).starts_with("\r\n"))
        m_at += 2;
    else if (m_at < m_text.size() && (m_text[m_at] == '\n' || m_text[m_at] == '\r'))
        m_at += 1;
    else
        return false;
    ++m_line;
    return true;
}

void CsvReader::skipBlankLines()
{
    while (m_at < m_text.size()) {
        const std::size_t text = std::min(m_text.find_first_not_of(" \t", m_at), m_text.size());
        if (text < m_text.size() && m_text[text] != '\n' && m_text[text] != '\r')
            return;
        m_at = text;
        takeLineEnd();
    }
}

std::string_view CsvReader::plainField()
{
    const std::size_t end = std::min(m_text.find_first_of(",\r\n", m_at), m_text.size());
    std::string_view field = m_text.substr(m_at, end - m_at);
    m_at = end;
    const std::size_t first = field.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return field.substr(first, field.find_last_not_of(" \t") - first + 1);
}

Result<std::string_view> CsvReader::quotedField()
{
    const std::size_t first = ++m_at;
    bool doubled = false;
    for (;; ++m_at) {
        if (m_at >= m_text.size())
            return fail(ErrorCode::BadInput, "a quoted field has no closing quote");
        m_line += m_text[m_at] == '\n';
        if (m_text[m_at] != '"')
            continue;
        if (m_at + 1 >= m_text.size() || m_text[m_at + 1] != '"')
            break;
        doubled = true;
        ++m_at;
    }
    const std::string_view raw = m_text.substr(first, m_at++ - first);
    if (!plainField().empty())
        return fail(ErrorCode::BadInput, "text follows the closing quote of a field");
    if (!doubled)
        return raw;
    std::string& field = m_unquoted.emplace_back();
    for (std::size_t i = 0; i < raw.size(); ++i) {
        field += raw[i];
        i += raw[i] == '"';
    }
    return field;
}

Result<bool> CsvReader::next(std::vector<std::string_view>& fields)
{
    fields.clear();
    skipBlankLines();
    m_recordLine = m_line;
    if (m_at >= m_text.size())
        return false;
    for (;;) {
        const std::size_t start = m_text.find_first_not_of(" \t", m_at);
        if (start < m_text.size() && m_text[start] == '"') {
            m_at = start;
            auto field = quotedField();
            if (!field)
                return std::unexpected(std::move(field.error()));
            fields.push_back(*field);
        } else {
            fields.push_back(plainField());
        }
        if (m_at < m_text.size() && m_text[m_at] == ',') {
            ++m_at;
            continue;
        }
        takeLineEnd();
        return true;
    }
}

} // namespace coalescope::cli
