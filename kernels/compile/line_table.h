// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// Where an instruction of the machine code comes from.
struct CodePlace {
    std::string file; ///< without its folder
    std::uint32_t line = 0;
    bool operator==(const CodePlace&) const = default;
};

/// The line numbers of a cubin that was compiled with -lineinfo, with what was inlined where.
///
/// Source:  the ELF section .debug_line: DWARF 2 and two operations of NVIDIA's, for the row that a place was
///          inlined at and for the inlined function's name, as elfutils reads them (libdw, dwarf_getsrclines).
/// Checked: line_table_test.cpp: each place is one that the PTX of the same compilation has.
class LineTable {
public:
    explicit LineTable(std::span<const char> cubin);

    /// The place of the instruction so many bytes into a function, by the rule of ptx::innermostOwnPlace(), else
    /// its very place. Nothing where the cubin says nothing.
    [[nodiscard]] std::optional<CodePlace> placeOf(std::string_view function, std::uint64_t pc) const;

private:
    struct Row {
        std::uint64_t address = 0;
        std::uint32_t file = 0, line = 0;
        std::uint32_t inlinedAt = 0; ///< row of the same unit, from 1; 0: not inlined
        bool isCopy = false; ///< of a copying function, see ptx::isCopyingFunction()
    };
    struct Unit {
        std::vector<std::string> files; ///< from 1
        std::vector<Row> rows;
    };
    /// The rows of one section of code, by address.
    struct Sequence {
        std::size_t unit = 0, begin = 0, end = 0; ///< into the unit's rows
    };
    struct Symbol {
        std::uint32_t section = 0;
        std::uint64_t value = 0;
    };
    class Reader;

    [[nodiscard]] const Row* rowAt(const Sequence& sequence, std::uint64_t address) const;

    std::vector<Unit> m_units;
    std::map<std::uint32_t, Sequence> m_sequences; ///< by section
    std::map<std::string, Symbol, std::less<>> m_functions;
};

} // namespace coalescope::kernels
