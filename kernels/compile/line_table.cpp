// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/line_table.h"

#include "analysis/ptx/location.h"
#include "kernels/compile/cubin_sections.h"

#include <algorithm>

namespace coalescope::kernels {

using analysis::ptx::Call;
using analysis::ptx::innermostOwnPlace;

namespace {

// Standard operations of a DWARF line program, and those behind a zero byte.
enum Operation : std::uint8_t { Extended, Copy, AdvancePc, AdvanceLine, SetFile, SetColumn, Negate, BasicBlock,
    ConstAddPc, FixedAdvancePc };
enum ExtendedOperation : std::uint8_t { EndSequence = 1, SetAddress = 2, InlinedCall = 0x90, FunctionName = 0x91 };

/// Reads numbers one after another; behind the end it reads zeros.
class Stream {
public:
    explicit Stream(Bytes bytes)
        : m_bytes(bytes)
    {
    }
    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] bool atEnd() const { return m_at >= m_bytes.size(); }
    void seek(std::size_t at) { m_at = std::min(at, m_bytes.size()); }

    template <class Value> Value take()
    {
        const auto value = valueAt<Value>(m_bytes, m_at);
        seek(value ? m_at + sizeof(Value) : m_bytes.size());
        return value.value_or(Value {});
    }
    std::uint64_t leb()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; !atEnd(); shift += 7) {
            const auto byte = take<std::uint8_t>();
            if (shift < 64)
                value |= std::uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80)
                break;
        }
        return value;
    }
    std::int64_t signedLeb()
    {
        const std::size_t begin = m_at;
        const std::uint64_t value = leb();
        const unsigned bits = unsigned(std::min<std::size_t>(m_at - begin, 9)) * 7;
        const bool negative = bits > 0 && (value >> (bits - 1) & 1);
        return std::int64_t(negative ? value | ~0ull << bits : value);
    }
    std::string_view text()
    {
        const std::string_view text = textAt(m_bytes, m_at);
        seek(m_at + text.size() + 1);
        return text;
    }

private:
    Bytes m_bytes;
    std::size_t m_at = 0;
};

} // namespace

/// Runs the line programs of a cubin.
class LineTable::Reader {
public:
    Reader(LineTable& table, Bytes cubin)
        : m_table(table)
        , m_sections(cubin)
        , m_lines(m_sections.bytes(".debug_line"))
        , m_texts(m_sections.bytes(".debug_str"))
    {
    }

    void run()
    {
        readSymbols();
        readRelocations();
        for (Stream stream(m_lines); !stream.atEnd();) {
            const std::size_t length = stream.take<std::uint32_t>();
            const std::size_t end = std::min(stream.at() + length, m_lines.size());
            readUnit(stream, end);
            stream.seek(end);
        }
    }

private:
    void readSymbols()
    {
        const auto header = m_sections.named(".symtab");
        if (!header)
            return;
        const Bytes symbols = m_sections.bytes(*header), names = m_sections.bytes(header->sh_link);
        for (std::uint64_t at = 0; const auto symbol = valueAt<Elf64_Sym>(symbols, at); at += sizeof(Elf64_Sym)) {
            m_symbols.push_back({ symbol->st_shndx, symbol->st_value });
            if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
                m_table.m_functions[std::string(textAt(names, symbol->st_name))] = m_symbols.back();
        }
    }

    /// The addresses in the programs are told by relocations: place of the address -> symbol.
    void readRelocations()
    {
        const Bytes relocations = m_sections.bytes(".rela.debug_line");
        for (std::uint64_t at = 0; const auto entry = valueAt<Elf64_Rela>(relocations, at); at += sizeof(Elf64_Rela))
            if (const std::size_t symbol = ELF64_R_SYM(entry->r_info); symbol < m_symbols.size())
                m_startOf[entry->r_offset] = { m_symbols[symbol].section,
                    m_symbols[symbol].value + std::uint64_t(entry->r_addend) };
    }

    void readUnit(Stream& stream, std::size_t end)
    {
        m_unit = &m_table.m_units.emplace_back();
        stream.take<std::uint16_t>(); // version
        const std::size_t headerBytes = stream.take<std::uint32_t>(), program = stream.at() + headerBytes;
        m_step = stream.take<std::uint8_t>();
        stream.take<std::uint8_t>(); // whether rows begin a statement
        m_lineBase = stream.take<std::int8_t>();
        m_lineRange = std::max<int>(stream.take<std::uint8_t>(), 1);
        m_operandCounts.assign(1, 0);
        const auto firstSpecial = stream.take<std::uint8_t>();
        while (m_operandCounts.size() < firstSpecial)
            m_operandCounts.push_back(stream.take<std::uint8_t>());
        while (!stream.text().empty()) { } // folders
        m_unit->files.emplace_back(); // they are counted from 1
        for (std::string_view name = stream.text(); !name.empty(); name = stream.text()) {
            m_unit->files.emplace_back(name.substr(name.rfind('/') + 1));
            for (int i = 0; i < 3; ++i)
                stream.leb(); // folder, time, size
        }
        stream.seek(program);
        m_row = { .file = 1, .line = 1 };
        m_begin = 0;
        m_section = 0;
        while (stream.at() < end)
            step(stream);
    }

    void step(Stream& stream)
    {
        const auto operation = stream.take<std::uint8_t>();
        if (operation >= m_operandCounts.size()) {
            const int special = operation - int(m_operandCounts.size());
            advance(unsigned(special / m_lineRange));
            m_row.line += std::uint32_t(m_lineBase + special % m_lineRange);
            m_unit->rows.push_back(m_row);
            return;
        }
        switch (operation) {
        case Extended: return extended(stream);
        case Copy: m_unit->rows.push_back(m_row); return;
        case AdvancePc: return advance(stream.leb());
        case AdvanceLine: m_row.line += std::uint32_t(stream.signedLeb()); return;
        case SetFile: m_row.file = std::uint32_t(stream.leb()); return;
        case ConstAddPc: return advance(unsigned((255 - int(m_operandCounts.size())) / m_lineRange));
        case FixedAdvancePc: m_row.address += stream.take<std::uint16_t>(); return;
        default:
            for (int i = 0; i < m_operandCounts[operation]; ++i)
                stream.leb();
        }
    }

    void advance(std::uint64_t operations) { m_row.address += operations * m_step; }

    void extended(Stream& stream)
    {
        const std::uint64_t length = stream.leb(), end = stream.at() + std::min<std::uint64_t>(length, m_lines.size());
        switch (length > 0 ? stream.take<std::uint8_t>() : 0) {
        case EndSequence: endSequence(); break;
        case SetAddress: setAddress(stream); break;
        case InlinedCall:
            m_row.inlinedAt = std::uint32_t(stream.leb());
            nameFunction(stream.leb());
            break;
        case FunctionName: nameFunction(stream.leb()); break;
        default: break;
        }
        stream.seek(end);
    }

    void nameFunction(std::uint64_t at) { m_row.isCopy = analysis::ptx::isCopyingFunction(textAt(m_texts, at)); }

    void setAddress(Stream& stream)
    {
        const auto start = m_startOf.find(stream.at());
        m_section = start == m_startOf.end() ? 0 : start->second.section;
        m_row.address = stream.take<std::uint64_t>() + (start == m_startOf.end() ? 0 : start->second.value);
    }

    void endSequence()
    {
        if (m_section != 0)
            m_table.m_sequences[m_section] = { m_table.m_units.size() - 1, m_begin, m_unit->rows.size() };
        m_unit->rows.push_back(m_row);
        m_begin = m_unit->rows.size();
        m_row = { .file = 1, .line = 1 };
        m_section = 0;
    }

    LineTable& m_table;
    Sections m_sections;
    Bytes m_lines, m_texts;
    std::vector<Symbol> m_symbols;
    std::map<std::uint64_t, Symbol> m_startOf;

    // of the unit being read
    Unit* m_unit = nullptr;
    Row m_row;
    std::uint64_t m_step = 1;
    int m_lineBase = 0, m_lineRange = 1;
    std::vector<std::uint8_t> m_operandCounts; ///< by operation; those behind have none and make a row
    std::size_t m_begin = 0;
    std::uint32_t m_section = 0;
};

LineTable::LineTable(std::span<const char> cubin) { Reader(*this, cubin).run(); }

/// The last row at or before the address.
const LineTable::Row* LineTable::rowAt(const Sequence& sequence, std::uint64_t address) const
{
    const auto& rows = m_units[sequence.unit].rows;
    const auto begin = rows.begin() + std::ptrdiff_t(sequence.begin), end = rows.begin() + std::ptrdiff_t(sequence.end);
    const auto after = std::upper_bound(begin, end, address, [](std::uint64_t at, const Row& row) { return at < row.address; });
    return after == begin ? nullptr : &*std::prev(after);
}

std::optional<CodePlace> LineTable::placeOf(std::string_view function, std::uint64_t pc) const
{
    const auto symbol = m_functions.find(function);
    const auto found = symbol == m_functions.end() ? m_sequences.end() : m_sequences.find(symbol->second.section);
    if (found == m_sequences.end())
        return std::nullopt;
    const Unit& unit = m_units[found->second.unit];
    const Row* const innermost = rowAt(found->second, symbol->second.value + pc);
    if (!innermost)
        return std::nullopt;
    const auto begin = unit.rows.begin() + std::ptrdiff_t(found->second.begin);
    const auto first = std::ranges::find(begin, unit.rows.end(), 0u, &Row::inlinedAt);
    const std::uint32_t kernelFile = first == unit.rows.end() ? 0 : first->file;
    const auto callOf = [&](const Row* row) -> std::optional<Call<const Row*>> {
        if (row->inlinedAt == 0 || row->inlinedAt > unit.rows.size())
            return std::nullopt;
        return Call { &unit.rows[row->inlinedAt - 1], row->isCopy };
    };
    const Row* const row
        = innermostOwnPlace(innermost, [&](const Row* at) { return at->file == kernelFile; }, callOf).value_or(innermost);
    return CodePlace { row->file < unit.files.size() ? unit.files[row->file] : std::string(), row->line };
}

} // namespace coalescope::kernels
