// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/opcode_table.h"

#include "analysis/ptx/failure.h"
#include "analysis/ptx/opcode_rows.h"

#include <algorithm>
#include <string>

namespace coalescope::analysis::ptx {

namespace {
constexpr std::size_t kRowCount = std::size(kArithmeticRows) + std::size(kLogicRows)
    + std::size(kMovementRows) + std::size(kMemoryRows) + std::size(kMatrixRows)
    + std::size(kControlRows);

constexpr std::string_view firstSegment(std::string_view name)
{
    return name.substr(0, name.find('.'));
}

/// All chapters, sorted by the first segment of the name, so that one search finds an opcode's
/// forms.
constexpr std::array<OpcodeRow, kRowCount> kRows = [] {
    std::array<OpcodeRow, kRowCount> rows {};
    auto out = rows.begin();
    out = std::ranges::copy(kArithmeticRows, out).out;
    out = std::ranges::copy(kLogicRows, out).out;
    out = std::ranges::copy(kMovementRows, out).out;
    out = std::ranges::copy(kMemoryRows, out).out;
    out = std::ranges::copy(kMatrixRows, out).out;
    std::ranges::copy(kControlRows, out);
    std::ranges::sort(rows, [](const OpcodeRow& a, const OpcodeRow& b) {
        const auto first = firstSegment(a.name), second = firstSegment(b.name);
        return first != second ? first < second
            : a.name != b.name ? a.name < b.name
                               : a.types < b.types;
    });
    return rows;
}();

constexpr bool isSound(const OpcodeRow& row)
{
    int destinations = 0, sources = 0;
    for (const char letter : row.operands) {
        destinations += std::string_view("dDepq").find(letter) != std::string_view::npos;
        sources += std::string_view("tTsuPCga").find(letter) != std::string_view::npos;
        if (std::string_view("dDepqtTsuPCga?").find(letter) == std::string_view::npos)
            return false;
    }
    const bool typed = row.operands.find_first_of("dDtT") != std::string_view::npos;
    const bool untypedMemory = row.op == Opcode::CpAsync || row.op == Opcode::BulkCopy;
    return !row.name.empty() && destinations <= 4 && sources <= 5
        && (!typed || row.types != 0 || untypedMemory) && (row.required & row.optional) == 0
        && (row.sourceTypes == 0 || row.types != 0);
}
static_assert(std::ranges::all_of(kRows, isSound), "each row's operands, types and suffixes agree");

constexpr bool isMade(Opcode op)
{
    // mov makes Pack and Unpack where its operand is in braces; Nop has no spelling of its own
    return op == Opcode::Pack || op == Opcode::Unpack
        || std::ranges::any_of(kRows, [op](const OpcodeRow& row) { return row.op == op; });
}
static_assert(
    [] {
        for (int op = 0; op <= static_cast<int>(Opcode::Nanosleep); ++op) {
            if (!isMade(static_cast<Opcode>(op)))
                return false;
        }
        return true;
    }(),
    "each opcode of a program has a spelling");

/// The next dotted piece of `text` from `at` on, where `at` is moved behind it.
std::string_view nextSegment(std::string_view text, std::size_t& at)
{
    const std::size_t end = std::min(text.find('.', at), text.size());
    const std::string_view segment = text.substr(at, end - at);
    at = end + 1;
    return segment;
}

const SuffixRow* suffixFor(const OpcodeRow& row, std::string_view segment)
{
    const SuffixMask allowed
        = row.required | row.optional | (row.types != 0 ? maskOf(Suffix::Type) : 0);
    for (const SuffixRow& candidate : suffixesNamed(segment)) {
        if ((allowed & maskOf(candidate.suffix)) != 0)
            return &candidate;
    }
    return nullptr;
}

bool takesType(const OpcodeRow& row, Instruction& instruction, int& typeCount, Type type)
{
    const TypeMask allowed = typeCount == 0 ? row.types : typeCount == 1 ? row.sourceTypes : 0;
    if ((allowed & maskOf(type)) == 0)
        return false;
    (typeCount == 0 ? instruction.type : instruction.sourceType) = type;
    ++typeCount;
    return true;
}

/// Fits one form; returns how far into the text it understood, text.size() + 1 where all of it
/// fits.
std::size_t fit(const OpcodeRow& row, std::string_view text, Mnemonic& out)
{
    if (!text.starts_with(row.name)
        || (text.size() > row.name.size() && text[row.name.size()] != '.'))
        return 0;
    out = { &row, {}, 0 };
    if (row.readsRest) {
        out.rest = text.substr(std::min(text.size(), row.name.size() + 1));
        return text.size() + 1;
    }
    out.instruction.op = row.op;
    out.instruction.mod = row.mod;
    int typeCount = 0;
    for (std::size_t at = row.name.size() + 1; at <= text.size();) {
        const std::size_t begin = at;
        const SuffixRow* suffix = suffixFor(row, nextSegment(text, at));
        if (suffix == nullptr)
            return begin;
        if (suffix->suffix == Suffix::Type
            && !takesType(row, out.instruction, typeCount, static_cast<Type>(suffix->value)))
            return begin;
        out.suffixes |= maskOf(suffix->suffix);
        applySuffix(*suffix, out.instruction);
    }
    const bool typesMissing = typeCount != (row.types != 0) + (row.sourceTypes != 0);
    const bool complete = (out.suffixes & row.required) == row.required && !typesMissing;
    return complete ? text.size() + 1 : text.size();
}
}

Mnemonic understand(std::string_view text, std::uint32_t offset)
{
    const std::string_view name = firstSegment(text);
    const auto forms = std::ranges::equal_range(
        kRows, name, {}, [](const OpcodeRow& row) { return firstSegment(row.name); });
    std::size_t furthest = 0;
    for (const OpcodeRow& row : forms) {
        Mnemonic mnemonic;
        const std::size_t reached = fit(row, text, mnemonic);
        if (reached > text.size())
            return mnemonic;
        furthest = std::max(furthest, reached);
    }
    if (forms.empty() || furthest == 0)
        failUnsupported(offset, "The instruction '" + std::string(text) + "' is not modelled.");
    if (furthest == text.size())
        failBad(offset,
            "The instruction '" + std::string(text)
                + "' lacks its type or another suffix that it needs.");
    std::size_t end = furthest;
    const std::string_view segment = nextSegment(text, end);
    failUnsupported(offset + static_cast<std::uint32_t>(furthest),
        "The suffix '." + std::string(segment) + "' of '" + std::string(text)
            + "' is not modelled.");
}

std::span<const OpcodeRow> opcodeRows() { return kRows; }

} // namespace coalescope::analysis::ptx
