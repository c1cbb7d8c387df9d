// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace coalescope::analysis::test {

/// One launch of a recorded pattern file: the access and every column as text.
struct RecordedPattern {
    std::map<std::string, std::string> columns;
    WarpAccess access;

    const std::string& text(const std::string& column) const { return columns.at(column); }
    long count(const std::string& column) const { return std::stol(columns.at(column)); }
};

inline std::vector<std::string> splitAt(const std::string& line, char separator)
{
    std::vector<std::string> fields;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, separator);)
        fields.push_back(field);
    return fields;
}

inline void setOffsets(WarpAccess& access, const std::string& offsets)
{
    std::stringstream stream(offsets);
    long offset = 0;
    for (int lane = 0; stream >> offset; ++lane) {
        if (offset < 0)
            continue;
        access.active |= LaneMask(1) << lane;
        access.address[lane] = std::uint64_t(offset);
    }
}

/// Reads resources/patterns/FILE; the access has its offsets and, where there is a column, its
/// width.
inline std::vector<RecordedPattern> recordedPatterns(const std::string& file)
{
    std::ifstream stream(std::string(COALESCOPE_SOURCE_DIR "/resources/patterns/") + file);
    std::vector<RecordedPattern> patterns;
    std::string line;
    std::getline(stream, line);
    const std::vector<std::string> names = splitAt(line, ',');
    while (std::getline(stream, line)) {
        RecordedPattern pattern;
        const std::vector<std::string> fields = splitAt(line, ',');
        for (std::size_t i = 0; i < names.size(); ++i)
            pattern.columns[names[i]] = fields.at(i);
        if (pattern.columns.contains("width"))
            pattern.access.widthBytes = std::uint8_t(pattern.count("width"));
        if (pattern.text("op") == "st")
            pattern.access.op = MemoryOp::Store;
        setOffsets(pattern.access, pattern.text("offsets"));
        patterns.push_back(std::move(pattern));
    }
    return patterns;
}

} // namespace coalescope::analysis::test
