// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/predict.h"

#include "analysis/result/number_text.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"
#include "kernels/experiment/modelled_memory.h"

#include <fmt/format.h>

#include <cstring>

namespace coalescope::kernels {

namespace {

constexpr std::uint64_t kFirstBuffer = 0x2'0000'0000ull;
constexpr std::uint64_t kBufferAlignment = 256;
constexpr std::uint64_t kBetweenBuffers = std::uint64_t(1) << 36;

/// Address of the next buffer: aligned as cudaMalloc aligns, so far behind the last one that what lies beyond its end is no other buffer's.
std::uint64_t nextAddress(std::uint64_t end)
{
    return (end / kBufferAlignment + 2) * kBufferAlignment + (end == kFirstBuffer ? 0 : kBetweenBuffers);
}

analysis::Buffer modelledBuffer(const BufferPlan& plan, std::uint64_t address, const BufferContents& contents)
{
    analysis::Buffer buffer {
        .name = plan.name, .address = address, .bytes = plan.count * bytesOf(plan.type)
    };
    if (plan.fill.kind != FillKind::Zero || plan.left || plan.host || plan.known) {
        buffer.fill = [plan, contents](std::uint64_t first, std::span<std::uint8_t> out) {
            if (!contents.bytes(plan, first, out))
                std::memset(out.data(), 0, out.size());
        };
    }
    return buffer;
}

Result<void> checkFill(const BufferPlan& plan)
{
    std::uint8_t probe[16] {};
    const std::uint64_t bytes = plan.count * bytesOf(plan.type);
    if (plan.fill.kind != FillKind::File || bytes == 0)
        return {};
    const std::size_t tail = std::min<std::uint64_t>(bytes, sizeof probe);
    return fillBytes(plan, bytes - tail, std::span(probe, tail));
}

/// An error about the arguments: of the manifest at the line of the one so many, or of the command line.
std::unexpected<Error> wrongArgument(const LaunchPlan& plan, std::string what, std::optional<std::size_t> index = {})
{
    if (!plan.manifest)
        return fail(ErrorCode::WrongUsage, std::move(what), index ? fmt::format("--arg number {}", *index + 1) : "--arg");
    const std::vector<int>& lines = plan.manifest->argumentLines;
    const std::size_t at = index.value_or(lines.empty() ? 0 : lines.size() - 1);
    const int line = at < lines.size() ? lines[at] : plan.manifest->entryLine;
    return fail(ErrorCode::BadInput, std::move(what), fmt::format("{}:{}", plan.sourceName, line));
}

/// How the sizes of an argument and its parameter differ, and how a structure is given.
std::string sizeProblem(std::size_t number, std::uint64_t given, const Argument& argument, const LaunchPlan& plan, std::uint64_t taken)
{
    const bool isStruct = std::holds_alternative<StructPlan>(argument);
    std::string text = fmt::format("argument {} has {}{} and the kernel's parameter {} takes {}", number,
        analysis::counted(given, "byte"), isStruct ? ", laid out as C does," : "", number, taken);
    const bool isOfScalar = taken == 1 || taken == 2 || taken == 4 || taken == 8;
    if (!isStruct && !isOfScalar)
        text += plan.manifest ? "; a structure is given by its members, as struct = \"p\" with [[arguments.members]]"
                              : "; a structure is given by its members, as {f32:0.5,i32:7,f32[1024]}";
    return text;
}

/// Whether an argument of this kind would be read as another one, bit by bit. A structure, as one of half is, is of no kind.
bool isOfOtherKind(const Argument& argument, analysis::Type parameter)
{
    using analysis::Type;
    if (std::holds_alternative<StructPlan>(argument) || parameter == Type::B8 || parameter == Type::B16 || parameter == Type::B32 || parameter == Type::B64)
        return false;
    const auto* scalar = std::get_if<ScalarPlan>(&argument);
    return analysis::isFloat(parameter) != (scalar && infoOf(scalar->type).kind == ElementKind::Float);
}

} // namespace

Result<ModelledMemory> modelledMemory(const LaunchPlan& plan, std::stop_token stop)
{
    ModelledMemory memory { .contents = BufferContents(std::move(stop)) };
    auto pointed = memory.contents.pointedBy(plan);
    if (!pointed)
        return std::unexpected(pointed.error());
    std::uint64_t end = kFirstBuffer;
    const auto add = [&](const BufferPlan& buffer) {
        const std::uint64_t address = nextAddress(end);
        end = address + buffer.count * std::uint64_t(bytesOf(buffer.type));
        return address;
    };
    for (const Argument& argument : plan.arguments)
        for (const ArgumentPart& part : partsOf(argument))
            if (part.buffer && part.buffer->isOwn()) {
                memory.own.push_back(add(*part.buffer));
                memory.placed.add(*part.buffer, memory.own.back());
            }
    std::map<std::uint64_t, std::uint64_t> addresses;
    for (const PointedBuffer& one : *pointed) {
        const auto given = memory.placed.ofArgument(plan, one.argument);
        const std::uint64_t address = addresses[one.address] = given ? *given : add(one.buffer);
        if (!given)
            memory.pointed.emplace_back(one.buffer, address);
    }
    memory.contents.place(std::move(addresses));
    return memory;
}

Result<analysis::Launch> modelledLaunch(const LaunchPlan& plan, const analysis::Program& program, std::stop_token stop)
{
    const auto memory = modelledMemory(plan, std::move(stop));
    if (!memory)
        return std::unexpected(memory.error());
    if (plan.arguments.size() != program.parameters.size()) {
        const std::size_t given = plan.arguments.size();
        return wrongArgument(plan,
            fmt::format("the kernel {} takes {} and {}", plan.entry, analysis::counted(program.parameters.size(), "parameter"),
                plan.manifest ? fmt::format("the manifest has {}", analysis::counted(given, "[[arguments]] table"))
                              : fmt::format("{} {} given", analysis::counted(given, "argument"), given == 1 ? "was" : "were")));
    }
    analysis::Launch launch {
        .grid = plan.grid, .block = plan.block, .dynamicSharedBytes = plan.dynamicSharedBytes
    };
    launch.parameters.resize(program.parameterBytes);
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
        const analysis::Parameter& parameter = program.parameters[i];
        const std::uint64_t size = bytesOf(plan.arguments[i]);
        if (size != parameter.size)
            return wrongArgument(plan, sizeProblem(i + 1, size, plan.arguments[i], plan, parameter.size), i);
        if (isOfOtherKind(plan.arguments[i], parameter.type)) {
            const auto* scalar = std::get_if<ScalarPlan>(&plan.arguments[i]);
            return wrongArgument(plan,
                fmt::format("argument {} is {} and the kernel's parameter {} takes {}", i + 1,
                    scalar ? nameOf(scalar->type) : "a buffer", i + 1,
                    analysis::isFloat(parameter.type) ? "a floating-point number" : "an integer or a buffer"),
                i);
        }
        for (const ArgumentPart& part : partsOf(plan.arguments[i])) {
            std::uint64_t bits = part.scalar ? part.scalar->bits : 0;
            if (part.buffer && !part.buffer->isOwn()) {
                const auto same = memory->placed.ofSame(*part.buffer);
                if (!same)
                    return wrongArgument(plan, same.error().detail, i);
                bits = *same + part.buffer->offset;
            } else if (part.buffer) {
                bits = memory->own[launch.buffers.size()];
                if (auto checked = checkFill(*part.buffer); !checked)
                    return std::unexpected(checked.error());
                launch.buffers.push_back(modelledBuffer(*part.buffer, bits, memory->contents));
                bits += part.buffer->offset;
            }
            std::memcpy(launch.parameters.data() + parameter.offset + part.offset, &bits, part.bytes());
        }
    }
    for (const auto& [buffer, address] : memory->pointed)
        launch.buffers.push_back(modelledBuffer(buffer, address, memory->contents));
    return launch;
}

} // namespace coalescope::kernels
