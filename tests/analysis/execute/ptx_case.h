// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"
#include "analysis/program/opcode.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace coalescope::analysis {

/// One expected element of a case's output buffer.
struct ExpectedElement {
    Type type = Type::U32;
    std::uint64_t offset = 0; ///< bytes into the buffer
    std::uint64_t bits = 0;
    bool any = false; ///< `_`: not looked at
    bool nan = false; ///< any NaN of the type
    double tolerance = 0; ///< absolute, of f32 and f64
};

/// A text case: PTX whose comments say what goes in and what must come out. See
/// tests/ptx/README.md.
struct PtxCase {
    std::string text;
    Dim3 grid, block;
    std::uint32_t shared = 0;
    std::vector<std::uint8_t> in, params;
    std::vector<ExpectedElement> out;
    std::uint64_t outBytes = 0;
    std::optional<std::string> error; ///< "CODE WHERE"
    std::string problem; ///< the case itself cannot be read
};

namespace ptx_case {

inline std::optional<Type> typeNamed(std::string_view name)
{
    for (int t = 0; t <= static_cast<int>(Type::F64); ++t) {
        if (nameOf(static_cast<Type>(t)) == name)
            return static_cast<Type>(t);
    }
    return std::nullopt;
}

inline std::uint64_t bitsOf(const std::string& word, Type type, bool& good)
{
    const bool isHex = word.starts_with("0x");
    if ((type == Type::F32 || type == Type::F64) && !isHex) {
        char* end = nullptr;
        const double value = std::strtod(word.c_str(), &end);
        good = *end == '\0';
        return type == Type::F64 ? std::bit_cast<std::uint64_t>(value)
                                 : std::bit_cast<std::uint32_t>(std::strtof(word.c_str(), nullptr));
    }
    const bool negative = word.starts_with('-');
    const std::string_view digits = std::string_view(word).substr(isHex ? 2 : negative ? 1 : 0);
    std::uint64_t value = 0;
    const auto [end, error]
        = std::from_chars(digits.data(), digits.data() + digits.size(), value, isHex ? 16 : 10);
    good = error == std::errc() && end == digits.data() + digits.size();
    return negative ? 0 - value : value;
}

/// `7`, `8*7` (eight times 7), `3..6` (3 4 5 6).
inline std::vector<std::string> expanded(const std::string& word)
{
    if (const auto star = word.find('*'); star != std::string::npos)
        return std::vector<std::string>(std::stoul(word.substr(0, star)), word.substr(star + 1));
    std::vector<std::string> words;
    if (const auto dots = word.find(".."); dots != std::string::npos) {
        for (long i = std::stol(word.substr(0, dots)); i <= std::stol(word.substr(dots + 2)); ++i)
            words.push_back(std::to_string(i));
        return words;
    }
    return { word };
}

inline std::uint64_t alignedUp(std::uint64_t value, std::uint64_t align)
{
    return (value + align - 1) / align * align;
}

inline void append(std::vector<std::uint8_t>& bytes, const ExpectedElement& element)
{
    bytes.resize(alignedUp(bytes.size(), static_cast<std::uint64_t>(bytesOf(element.type))));
    for (int i = 0; i < bytesOf(element.type); ++i)
        bytes.push_back(static_cast<std::uint8_t>(element.bits >> (8 * i)));
}

/// `// out f32 +-1e-6: 1 2 _ nan`
inline void readValues(PtxCase& c, const std::string& kind, std::istringstream& line)
{
    std::string typeName, word;
    double tolerance = 0;
    line >> typeName;
    if (!typeName.ends_with(':')) {
        line >> word;
        tolerance = word.starts_with("+-") ? std::strtod(word.c_str() + 2, nullptr) : 0;
    } else {
        typeName.pop_back();
    }
    const std::optional<Type> type = typeNamed(typeName);
    if (!type) {
        c.problem = "unknown type " + typeName;
        return;
    }
    while (line >> word) {
        for (const std::string& one : expanded(word)) {
            bool good = true;
            ExpectedElement element {
                .type = *type, .any = one == "_", .nan = one == "nan", .tolerance = tolerance
            };
            element.bits = element.any || element.nan ? 0 : bitsOf(one, *type, good);
            if (!good)
                c.problem = "cannot read the value " + one;
            if (kind != "out") {
                append(kind == "in" ? c.in : c.params, element);
                continue;
            }
            c.outBytes = element.offset
                = alignedUp(c.outBytes, static_cast<std::uint64_t>(bytesOf(*type)));
            c.outBytes += static_cast<std::uint64_t>(bytesOf(*type));
            c.out.push_back(element);
        }
    }
}

inline void readLaunch(PtxCase& c, std::istringstream& line)
{
    std::string word;
    while (line >> word) {
        const auto value = static_cast<std::uint32_t>(std::stoul(word.substr(word.find('=') + 1)));
        if (word.starts_with("grid="))
            c.grid.x = value;
        else if (word.starts_with("block="))
            c.block.x = value;
        else if (word.starts_with("shared="))
            c.shared = value;
        else
            c.problem = "unknown launch item " + word;
    }
}

inline PtxCase read(const std::string& path)
{
    PtxCase c;
    std::ifstream file(path);
    std::stringstream whole;
    whole << file.rdbuf();
    c.text = whole.str();
    std::istringstream lines(c.text);
    for (std::string text; std::getline(lines, text);) {
        std::istringstream line(text);
        std::string slashes, kind;
        line >> slashes >> kind;
        if (slashes != "//")
            continue;
        if (kind == "in" || kind == "out" || kind == "param")
            readValues(c, kind, line);
        else if (kind == "launch:")
            readLaunch(c, line);
        else if (kind == "error:")
            c.error = text.substr(text.find("error:") + 7);
    }
    return c;
}

} // namespace ptx_case
} // namespace coalescope::analysis
