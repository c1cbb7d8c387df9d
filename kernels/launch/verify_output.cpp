// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/verify_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace coalescope::kernels {

namespace {

    constexpr std::uint64_t kChunk = 1u << 16; ///< elements

    struct Difference {
        std::uint64_t index = 0;
        std::int64_t source = -1;
        std::uint64_t got = 0, expected = 0; ///< bit patterns
    };

    struct Differences {
        std::mutex mutex;
        std::uint64_t count = 0;
        Difference first;
    };

    std::uint64_t bitsAt(std::span<const std::uint8_t> bytes, std::uint64_t element, std::size_t width)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data() + element * width, width);
        return bits;
    }

    std::string valueText(ElementType type, std::uint64_t bits)
    {
        switch (type) {
        case ElementType::F32: {
            float value;
            std::memcpy(&value, &bits, sizeof value);
            return fmt::format("{}", value);
        }
        case ElementType::F64: {
            double value;
            std::memcpy(&value, &bits, sizeof value);
            return fmt::format("{}", value);
        }
        case ElementType::I8:
            return fmt::format("{}", int(std::int8_t(bits)));
        case ElementType::I16:
            return fmt::format("{}", std::int16_t(bits));
        case ElementType::I32:
            return fmt::format("{}", std::int32_t(bits));
        case ElementType::I64:
            return fmt::format("{}", std::int64_t(bits));
        case ElementType::U8:
        case ElementType::U16:
        case ElementType::U32:
        case ElementType::U64:
            return fmt::format("{}", bits);
        case ElementType::F16:
        case ElementType::BF16:
            break;
        }
        return fmt::format("0x{:0{}x}", bits, 2 * bytesOf(type));
    }

    std::string sentence(const LaunchPlan& plan, const BufferPlan& output, const Differences& differences)
    {
        const Difference& first = differences.first;
        const auto& input = std::get<BufferPlan>(plan.arguments[std::size_t(plan.reference->input)]);
        const std::string origin = first.source < 0
            ? "its own fill, because nothing should write it"
            : fmt::format("element {} of '{}'", first.source, input.name);
        return fmt::format("{} of {} elements of '{}' are wrong; the first is element {}: it is {} and should be {} ({})",
            differences.count, output.count, output.name, first.index, valueText(output.type, first.got),
            valueText(output.type, first.expected), origin);
    }

    Result<void> compareChunk(const LaunchPlan& plan, const BufferPlan& buffer, std::uint64_t first,
        std::uint64_t size, std::span<const std::uint8_t> output, std::span<const std::uint8_t> input,
        Differences& differences)
    {
        const auto width = std::size_t(bytesOf(buffer.type));
        const std::uint64_t inputCount = input.size() / width;
        std::vector<std::int64_t> sources(size);
        COALESCOPE_TRY(plan.reference->indices(first, sources));
        std::vector<std::uint8_t> fill; // only where some element must be untouched
        if (std::ranges::any_of(sources, [](std::int64_t source) { return source < 0; })) {
            fill.resize(size * width);
            COALESCOPE_TRY(fillBytes(buffer, first * width, fill));
        }
        std::uint64_t count = 0;
        Difference earliest;
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::int64_t source = sources[i];
            if (source >= 0 && std::uint64_t(source) >= inputCount)
                return fail(ErrorCode::BadInput,
                    fmt::format("the reference takes element {} from element {} of an input of {} elements",
                        first + i, source, inputCount),
                    "reference");
            const std::uint64_t expected
                = source < 0 ? bitsAt(fill, i, width) : bitsAt(input, std::uint64_t(source), width);
            const std::uint64_t got = bitsAt(output, first + i, width);
            if (got != expected && count++ == 0)
                earliest = { first + i, source, got, expected };
        }
        if (count) {
            const std::scoped_lock lock(differences.mutex);
            if (differences.count == 0 || earliest.index < differences.first.index)
                differences.first = earliest;
            differences.count += count;
        }
        return {};
    }

} // namespace

Result<OutputCheck> compareOutput(
    const LaunchPlan& plan, std::span<const std::uint8_t> output, std::span<const std::uint8_t> input)
{
    const auto& buffer = std::get<BufferPlan>(plan.arguments[std::size_t(plan.reference->output)]);
    Differences differences;
    COALESCOPE_TRY(inChunks(buffer.count, kChunk, [&](std::uint64_t first, std::uint64_t size) {
        return compareChunk(plan, buffer, first, size, output, input, differences);
    }));
    if (differences.count == 0)
        return OutputCheck { true,
            fmt::format("all {} elements of '{}' equal the reference", buffer.count, buffer.name) };
    return OutputCheck { false, sentence(plan, buffer, differences) };
}

Result<OutputCheck> verifyOutput(const LaunchPlan& plan, const GpuSession& session)
{
    if (!plan.reference)
        return OutputCheck { std::nullopt, "the kernel has no reference to verify its output against" };
    const auto argument = std::size_t(plan.reference->output);
    const auto& buffer = std::get<BufferPlan>(plan.arguments[argument]);
    std::vector<std::uint8_t> output(buffer.count * std::uint64_t(bytesOf(buffer.type)));
    COALESCOPE_TRY(checkCuda(
        session.driver().memoryCopyToHost(output.data(), session.address(argument), output.size()),
        "cuMemcpyDtoH", fmt::format("reading buffer '{}' back", buffer.name)));
    return compareOutput(plan, output, session.kept(std::size_t(plan.reference->input)));
}

} // namespace coalescope::kernels
