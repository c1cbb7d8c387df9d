// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/index_targets.h"

#include "kernels/catalogue/element_type.h"

#include <algorithm>
#include <cctype>

namespace coalescope::kernels {

std::optional<Symbolic> IndexTargets::pointedInto(const IndexUses& found) const
{
    std::optional<Symbolic> least;
    for (const IndexUse& use : found.uses) {
        std::optional<Symbolic> count = elementsOf(use.into);
        const std::optional<Symbolic> factor = use.factor.empty() ? Symbolic::ofInteger(1) : numberNamed(use.factor);
        if (!count || !factor || factor->integer < 1)
            continue;
        *count = applied("-", applied("/", *count, *factor), Symbolic::ofInteger(use.isBegin));
        if (count->integer > 1 && (!least || count->integer < least->integer))
            least = std::move(count);
    }
    return least;
}

/// The argument that a parameter of the kernel gets, or one of a structure's members, and the parameter.
std::optional<std::pair<const LaunchArgument*, KernelParameter>> IndexTargets::argumentNamed(const std::string& name) const
{
    for (std::size_t i = 0; i < m_launch.arguments.size() && i < m_kernel.parameters.size(); ++i)
        if (const KernelParameter parameter = parameterOf(m_kernel.parameters[i], "", m_kernel, m_types); parameter.name == name)
            return std::pair(&m_launch.arguments[i], parameter);
    for (const LaunchArgument& argument : m_launch.arguments)
        for (std::size_t i = 0; i < argument.members.size(); ++i)
            if (const auto& [member, type] = argument.memberNames[i]; member == name)
                return std::pair(&argument.members[i],
                    KernelParameter { .name = name, .type = type, .pointers = argument.members[i].buffer >= 0, .plain = plainType(type) });
    return std::nullopt;
}

/// Elements, as the kernel sees them, of the buffer that it knows by that name.
std::optional<Symbolic> IndexTargets::elementsOf(const std::string& name) const
{
    const auto argument = argumentNamed(name);
    if (!argument || argument->first->buffer < 0 || argument->second.pointers != 1 || !argument->second.plain)
        return std::nullopt;
    const ProgramBuffer& buffer = m_program.buffers[std::size_t(argument->first->buffer)];
    return buffer.bytes ? std::optional(applied("/", *buffer.bytes, Symbolic::ofInteger(bytesOfType(argument->second.type)))) : std::nullopt;
}

/// A literal, an argument of the kernel, or a constant of the program.
std::optional<Symbolic> IndexTargets::numberNamed(const std::string& text) const
{
    if (std::isdigit(static_cast<unsigned char>(text[0])))
        return literal(text);
    if (const auto argument = argumentNamed(text); argument && argument->first->kind == LaunchArgument::Kind::Number)
        return argument->first->number;
    const auto known = std::ranges::find(m_program.parameters, text, &ProgramParameter::define);
    return known == m_program.parameters.end() ? std::nullopt : std::optional(Symbolic::ofParameter(known->name, known->value));
}

std::optional<Symbolic> IndexTargets::leastReals() const
{
    std::optional<Symbolic> least;
    const auto look = [&](auto& self, const LaunchArgument& argument) -> void {
        for (const LaunchArgument& member : argument.members)
            self(self, member);
        const ProgramBuffer* buffer = argument.buffer >= 0 ? &m_program.buffers[std::size_t(argument.buffer)] : nullptr;
        const PlainType* plain = buffer && buffer->bytes ? plainType(buffer->type) : nullptr;
        if (!plain || plain->element[0] == 'i' || plain->element[0] == 'u')
            return;
        Symbolic count = applied("/", *buffer->bytes, Symbolic::ofInteger(bytesOf(*elementTypeNamed(plain->element)) * plain->elements));
        if (count.integer > 1 && (!least || count.integer < least->integer))
            least = std::move(count);
    };
    for (const LaunchArgument& argument : m_launch.arguments)
        look(look, argument);
    return least;
}

} // namespace coalescope::kernels
