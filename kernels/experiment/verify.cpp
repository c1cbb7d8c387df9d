// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/argument_parts.h"
#include "kernels/experiment/module_symbols.h"
#include "kernels/experiment/predict.h"
#include "kernels/make_cache.h"

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
    std::ptrdiff_t index = 0;
    for (int i = 0; i < argument; ++i)
        index += std::ranges::count_if(
            partsOf(plan.arguments[std::size_t(i)]), [](const ArgumentPart& part) { return part.buffer && part.buffer->isOwn(); });
    return int(index);
}

/// Slice by slice: the indexes of a large output would take more memory than the output.
Result<Mismatch> compareOutput(const LaunchPlan& plan, const BufferPlan& output,
    const BufferPlan& input, std::span<const std::uint8_t> bytes)
{
    constexpr std::uint64_t kSlice = 32768;
    const std::size_t size = std::size_t(bytesOf(output.type));
    std::vector<std::uint8_t> source(input.count * size), fill(kSlice * size);
    if (auto done = fillBytes(input, 0, source); !done)
        return std::unexpected(done.error());
    std::vector<std::int64_t> indices(kSlice);
    Mismatch mismatch;
    for (std::uint64_t first = 0; first < output.count; first += kSlice) {
        const std::uint64_t count = std::min(kSlice, output.count - first);
        const std::span asked = std::span(indices).first(count);
        if (auto done = plan.reference->indices(first, asked); !done)
            return std::unexpected(done.error());
        if (std::ranges::any_of(asked, [](std::int64_t from) { return from < 0; })) {
            if (auto done = fillBytes(output, first * size, std::span(fill).first(count * size));
                !done)
                return std::unexpected(done.error());
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::int64_t from = asked[i];
            if (from >= std::int64_t(input.count))
                return fail(ErrorCode::BadInput,
                    fmt::format("the manifest's reference asks for element {} of {}, which has {}",
                        from, input.name, input.count),
                    plan.sourceName);
            const std::uint8_t* expected
                = from < 0 ? &fill[i * size] : &source[std::uint64_t(from) * size];
            if (std::memcmp(&bytes[(first + i) * size], expected, size) == 0)
                continue;
            if (mismatch.count++ == 0) {
                mismatch.first = first + i;
                mismatch.source = from;
            }
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

/// What a verification found, and the program, so that no other one takes its address.
struct Found {
    Verification verification;
    std::shared_ptr<const analysis::Program> program;
};

/// For the same program, launch and reference: parameters that the verification launch does not
/// depend on may change as fast as a slider moves.
MakeCache<Found>& verificationCache()
{
    static MakeCache<Found> cache(1 << 20, [](const Found&) { return sizeof(Found); });
    return cache;
}

std::string keyOf(const LaunchPlan& plan, const analysis::Program& program)
{
    std::string key = fmt::format("{}\n", fmt::ptr(&program));
    for (const auto& [name, value] : plan.parameters)
        key += fmt::format("{}={}\n", name, value);
    return key + plan.source; // holds the reference
}

/// Launched from a source and an entry, which then name it.
bool isWithoutManifest(const LaunchPlan& plan)
{
    return !plan.derived.empty() || (plan.parameters.empty() && plan.kernel.ends_with(':' + plan.entry));
}

/// A file may hold something else the next time.
bool readsFiles(const LaunchPlan& plan)
{
    return std::ranges::any_of(plan.arguments, [](const Argument& argument) {
        return std::ranges::any_of(partsOf(argument),
            [](const ArgumentPart& part) { return part.buffer && part.buffer->fill.kind == FillKind::File; });
    });
}

Result<Verification> executed(
    const LaunchPlan& plan, const analysis::Program& program, std::stop_token stop)
{
    auto launch = modelledLaunch(plan, program, stop);
    if (!launch)
        return std::unexpected(launch.error());
    auto output = analysis::gridOutput(program, *launch, { .stop = stop, .noteWriters = false });
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
    if (mismatch->count == 0)
        return result;

    output = analysis::gridOutput(program, *launch, { .stop = stop }); // who wrote what is wrong
    if (!output)
        return std::unexpected(output.error());
    const auto& writers = output->writer[index];
    std::uint32_t writer = writers[mismatch->first * std::size_t(bytesOf(out.type))];
    analysis::Hazard hazard = wrongOutput(plan, *mismatch, out, in, program, writer);
    if (writer == analysis::kNone) {
        writer = anyWriter(writers);
        hazard.line = writer == analysis::kNone ? 0 : program.instructions[writer].lineToName();
    }
    result.hazards.push_back(std::move(hazard));
    return result;
}

} // namespace

Result<Verification> verify(const LaunchPlan& asked, const PredictOptions& options)
{
    const LaunchPlan& plan = asked.verification ? *asked.verification : asked;
    if (!plan.reference)
        return Verification { .detail = isWithoutManifest(plan)
                ? "no reference: the kernel is launched without a manifest"
                : "no reference: the kernel's manifest names none" };
    if (const std::uint64_t total = bufferBytes(plan); total > kLargestVerifiedBytes)
        return Verification { .detail
            = fmt::format(
                "not verified: {} MB of buffers; give the manifest a smaller verification shape",
                total >> 20) };
    auto decoded = decodeToLaunch(plan, options);
    if (!decoded)
        return std::unexpected(decoded.error());
    const analysis::Program& program = *decoded->program;
    if (readsFiles(plan))
        return executed(plan, program, options.stop);
    bool fresh = false;
    const auto found = verificationCache().get(keyOf(plan, program), fresh, [&]() -> Result<Found> {
        auto verification = executed(plan, program, options.stop);
        if (!verification)
            return std::unexpected(verification.error());
        return Found { *std::move(verification), decoded->program };
    });
    if (!found)
        return std::unexpected(found.error());
    return (*found)->verification;
}

} // namespace coalescope::kernels
