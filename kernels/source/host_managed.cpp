// SPDX-License-Identifier: Apache-2.0
// What the host's code puts into memory that it shares with the GPU, from cudaMallocManaged().
#include "kernels/source/array_share.h"
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels {
namespace {

/// Beginnings of names of functions that only look at what they are given.
constexpr auto kLooking = std::to_array<std::string_view>(
    { "print", "fprint", "sprint", "snprint", "write", "fwrite", "save", "dump", "show", "display", "draw", "check", "verify", "validate", "compare", "test", "free", "delete", "assert", "accumulate", "reduce", "count", "max_", "min_" });
/// Functions that write to their first argument, and those that write to their third.
constexpr auto kIntoFirst = std::to_array<std::string_view>({ "memcpy", "memmove", "strcpy", "strncpy" });
constexpr auto kIntoThird = std::to_array<std::string_view>({ "copy", "copy_n", "copy_if", "transform", "partial_sum", "inclusive_scan", "exclusive_scan" });

} // namespace

/// What the buffer holds is others than zeros, and nobody knows what: unless a launch has had it, or that was told before.
void HostReader::fillManaged(int written)
{
    if (written < 0 || m_muted)
        return;
    ProgramBuffer& buffer = m_found.buffers[std::size_t(written)];
    const auto taken = m_takenBy.find(written);
    if (buffer.isManaged && buffer.fill == BufferFill::Unknown && (taken == m_takenBy.end() || taken->second.empty()))
        buffer.fill = BufferFill::Copied;
}

/// `array[i] = value`, `array[i].member += value`: the first of its tokens, and the value's.
void HostReader::fillByAssignment(std::size_t target, const HostValue& left, Range value)
{
    const bool isZero = value.last == value.first + 1 && token(value.first).kind == TokenKind::Number && literal(token(value.first).text).asReal() == 0;
    if (isZero || shareSet(m_program, target) == Share::Few)
        return;
    const bool isItem = left.kind == HostKind::Unknown && left.buffer >= 0;
    if (isItem)
        fillManaged(left.buffer);
    else if (token(target).isWord() && token(target + 1).is("["))
        fillManaged(at(find(std::string(token(target).text))).buffer);
}

/// A function that is not read is given a buffer, which it may fill.
void HostReader::fillByCall(std::string_view name, const std::vector<HostValue>& arguments)
{
    if (std::ranges::any_of(kLooking, [&](std::string_view beginning) { return name.starts_with(beginning); }))
        return;
    const auto into = isOneOf(name, kIntoFirst) ? 0 : isOneOf(name, kIntoThird) ? 2 : -1;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (into < 0 || std::size_t(into) == i)
            fillManaged(arguments[i].buffer);
}

} // namespace coalescope::kernels
