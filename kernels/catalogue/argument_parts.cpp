// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/argument_parts.h"

#include "kernels/catalogue/element_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace coalescope::kernels {
namespace {

std::uint64_t roundedUp(std::uint64_t offset, std::uint64_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

ArgumentPart partOf(const StructMember& member)
{
    return { member.offset, std::get_if<BufferPlan>(&member.value), std::get_if<ScalarPlan>(&member.value) };
}

} // namespace

std::string buffersOf(const LaunchPlan& plan)
{
    std::string buffers;
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument))
            buffers += part.buffer ? fmt::format("{}{}[{}] ", part.buffer->isOwn() ? "" : "=", infoOf(part.buffer->type).name, part.buffer->count) + (part.buffer->offset > 0 ? fmt::format("+{} ", part.buffer->offset) : "") : "";
    return buffers;
}

std::uint64_t bufferBytes(const LaunchPlan& plan)
{
    std::uint64_t total = 0;
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument))
            total += part.buffer && part.buffer->isOwn() ? part.buffer->count * std::uint64_t(bytesOf(part.buffer->type)) : 0;
    return total;
}

Result<std::uint64_t> BufferAddresses::ofSame(const BufferPlan& buffer) const
{
    const auto same = m_addresses.find(buffer.sameAs);
    if (same == m_addresses.end())
        return fail(ErrorCode::BadInput, "there is no buffer '" + buffer.sameAs + "' before '" + buffer.name + "'", "arguments");
    return same->second;
}

std::optional<std::uint64_t> BufferAddresses::ofArgument(const LaunchPlan& plan, const std::string& argument) const
{
    std::size_t index = 0;
    const auto [end, problem] = std::from_chars(argument.data(), argument.data() + argument.size(), index);
    if (problem != std::errc() || end != argument.data() + argument.size() || index >= plan.arguments.size())
        return std::nullopt;
    const auto* const buffer = std::get_if<BufferPlan>(&plan.arguments[index]);
    const auto known = buffer ? m_addresses.find(buffer->isOwn() ? buffer->name : buffer->sameAs) : m_addresses.end();
    return known == m_addresses.end() ? std::nullopt : std::optional(known->second);
}

std::string workOf(const LaunchPlan& plan)
{
    std::string scalars;
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument))
            scalars += part.scalar ? fmt::format("{}:{} ", infoOf(part.scalar->type).name, part.scalar->bits) : "";
    for (const auto& [name, value] : plan.constants)
        scalars += fmt::format("{}={} ", name, value);
    return buffersOf(plan) + scalars;
}

std::vector<ArgumentPart> partsOf(const Argument& argument)
{
    const auto* structure = std::get_if<StructPlan>(&argument);
    if (!structure)
        return { { 0, std::get_if<BufferPlan>(&argument), std::get_if<ScalarPlan>(&argument) } };
    std::vector<ArgumentPart> parts(structure->members.size());
    std::ranges::transform(structure->members, parts.begin(), partOf);
    return parts;
}

std::uint64_t bytesOf(const Argument& argument)
{
    const auto* structure = std::get_if<StructPlan>(&argument);
    return structure ? structure->bytes : partsOf(argument).front().bytes();
}

StructPlan structOf(std::string name, std::vector<Argument> members, std::uint64_t alignment)
{
    StructPlan structure { .name = std::move(name), .members = {}, .alignment = alignment };
    for (Argument& member : members) {
        const auto* nested = std::get_if<StructPlan>(&member);
        const std::uint64_t bytes = bytesOf(member), own = nested ? nested->alignment : bytes;
        const std::uint64_t offset = roundedUp(structure.bytes, own);
        if (nested) {
            for (const StructMember& inner : nested->members)
                structure.members.push_back({ offset + inner.offset, inner.value });
        } else if (auto* buffer = std::get_if<BufferPlan>(&member)) {
            structure.members.push_back({ offset, std::move(*buffer) });
        } else {
            structure.members.push_back({ offset, std::get<ScalarPlan>(std::move(member)) });
        }
        structure.bytes = offset + bytes;
        structure.alignment = std::max(structure.alignment, own);
    }
    structure.bytes = roundedUp(structure.bytes, structure.alignment);
    return structure;
}

} // namespace coalescope::kernels
