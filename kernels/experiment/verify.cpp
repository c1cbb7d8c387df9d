// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/decode.h"
#include "kernels/experiment/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace coalescope::kernels {

namespace {

/// A launch whose buffers are larger is not executed with real values.
constexpr std::uint64_t kLargestVerifiedBytes = 64ull << 20;

struct Mismatch {
    std::uint64_t first = 0; ///< element of the output
    std::int64_t source = -1; ///< element of the input it should equal; -1: its own fill
    std::uint64_t count = 0;
};

/// Index of an argument's buffer among the launch's buffers.
int bufferIndex(const LaunchPlan& plan, int argument)
{
    int index = 0;
    for (int i = 0; i < argument; ++i)
        index += std::holds_alternative<BufferPlan>(plan.arguments[std::size_t(i)]);
    return index;
}

Result<Mismatch> compareOutput(const LaunchPlan& plan, const BufferPlan& output,
    const BufferPlan& input, std::span<const std::uint8_t> bytes)
{
    const std::size_t size = std::size_t(bytesOf(output.type));
    std::vector<std::uint8_t> fill(bytes.size()), source(input.count * size);
    if (auto done = fillBytes(output, 0, fill); !done)
        return std::unexpected(done.error());
    if (auto done = fillBytes(input, 0, source); !done)
        return std::unexpected(done.error());
    std::vector<std::int64_t> indices(output.count);
    if (auto done = plan.reference->indices(0, indices); !done)
        return std::unexpected(done.error());
    Mismatch mismatch;
    for (std::uint64_t i = 0; i < output.count; ++i) {
        const std::int64_t from = indices[i];
        if (from >= std::int64_t(input.count))
            return fail(ErrorCode::BadInput,
                fmt::format("the manifest's reference asks for element {} of {}, which has {}",
                    from, input.name, input.count),
                plan.sourceName);
        const std::uint8_t* expected
            = from < 0 ? &fill[i * size] : &source[std::uint64_t(from) * size];
        if (std::memcmp(&bytes[i * size], expected, size) == 0)
            continue;
        if (mismatch.count++ == 0) {
            mismatch.first = i;
            mismatch.source = from;
        }
    }
    return mismatch;
}

std::string shapeOf(const LaunchPlan& plan)
{
    const auto rows = plan.parameters.find("rows"), cols = plan.parameters.find("cols");
    if (rows != plan.parameters.end() && cols != plan.parameters.end())
        return fmt::format("{} x {}", rows->second, cols->second);
    return fmt::format("grid {} x {} x {}", plan.grid.x, plan.grid.y, plan.grid.z);
}

analysis::Hazard wrongOutput(const LaunchPlan& plan, const Mismatch& mismatch,
    const BufferPlan& output, const BufferPlan& input, const analysis::Program& program,
    std::uint32_t writer)
{
    analysis::Hazard hazard { .kind = analysis::HazardKind::WrongOutput, .count = mismatch.count };
    const std::string expected = mismatch.source < 0
        ? std::string("what it held before")
        : fmt::format("{}[{}]", input.name, mismatch.source);
    std::string who = "nothing wrote it";
    if (writer != analysis::kNone) {
        hazard.line = program.instructions[writer].lineToName();
        who = fmt::format("line {} wrote it last", hazard.line);
    }
    hazard.detail = fmt::format(
        "{} of {} elements of {} are wrong at {}: first {}[{}], which should be {}; {}",
        mismatch.count, output.count, output.name, shapeOf(plan), output.name, mismatch.first,
        expected, who);
    return hazard;
}

/// Line of the last store to the buffer, for an element that nothing wrote.
std::uint32_t anyWriter(std::span<const std::uint32_t> writers)
{
    const auto found
        = std::ranges::find_if(writers, [](std::uint32_t w) { return w != analysis::kNone; });
    return found == writers.end() ? analysis::kNone : *found;
}

} // namespace

Result<Verification> verify(const LaunchPlan& asked, const PredictOptions& options)
{
    const LaunchPlan& plan = asked.verification ? *asked.verification : asked;
    if (!plan.reference)
        return Verification { .detail
            = "no reference: the kernel has no manifest, or its manifest names none" };
    std::uint64_t total = 0;
    for (const Argument& argument : plan.arguments) {
        if (const auto* buffer = std::get_if<BufferPlan>(&argument))
            total += buffer->count * std::uint64_t(bytesOf(buffer->type));
    }
    if (total > kLargestVerifiedBytes)
        return Verification { .detail
            = fmt::format(
                "not verified: {} MB of buffers; give the manifest a smaller verification shape",
                total >> 20) };
    auto decoded = decode(plan, options);
    if (!decoded)
        return std::unexpected(decoded.error());
    const analysis::Program& program = *decoded->program;
    auto launch = modelledLaunch(plan, program);
    if (!launch)
        return std::unexpected(launch.error());
    auto output = analysis::gridOutput(program, *launch, options.stop);
    if (!output)
        return std::unexpected(output.error());

    const auto& out = std::get<BufferPlan>(plan.arguments[std::size_t(plan.reference->output)]);
    const auto& in = std::get<BufferPlan>(plan.arguments[std::size_t(plan.reference->input)]);
    const auto index = std::size_t(bufferIndex(plan, plan.reference->output));
    auto mismatch = compareOutput(plan, out, in, output->buffers[index]);
    if (!mismatch)
        return std::unexpected(mismatch.error());
    Verification result { .verified = mismatch->count == 0, .hazards = std::move(output->hazards) };
    result.detail = fmt::format("executed at {}: {}", shapeOf(plan),
        mismatch->count == 0
            ? std::string("every element is right")
            : fmt::format("{} of {} elements are wrong", mismatch->count, out.count));
    if (mismatch->count > 0) {
        const auto& writers = output->writer[index];
        std::uint32_t writer = writers[mismatch->first * std::size_t(bytesOf(out.type))];
        analysis::Hazard hazard = wrongOutput(plan, *mismatch, out, in, program, writer);
        if (writer == analysis::kNone) {
            writer = anyWriter(writers);
            hazard.line = writer == analysis::kNone ? 0 : program.instructions[writer].lineToName();
        }
        result.hazards.push_back(std::move(hazard));
    }
    return result;
}

} // namespace coalescope::kernels
