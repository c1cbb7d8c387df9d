// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/execute_launch.h"

#include "analysis/grid/grid_totals.h"
#include "kernels/catalogue/argument_parts.h"
#include "kernels/catalogue/element_type.h"
#include "kernels/experiment/module_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace coalescope::kernels {
namespace {

using Leaf = LaunchToExecute::Leaf;

constexpr std::uint64_t kInstructionsOfALaunch = 2000; ///< whose time one takes beside those that it executes
constexpr std::uint64_t kFirstMemory = 0x2'0000'0000ull, kBetweenMemories = std::uint64_t(1) << 36;

std::uint64_t addressOf(std::size_t memory) { return kFirstMemory + memory * kBetweenMemories; }

/// Writes one element that nobody knows: what it might be.
void writeGuess(const LaunchMemory& memory, std::uint64_t index, std::uint8_t* out)
{
    const std::uint64_t hash = (index + 1) * 0x9e37'79b9'7f4a'7c15ull >> 40;
    const auto write = [&](auto number) { std::memcpy(out, &number, std::min(sizeof number, memory.width)); };
    if (memory.isReal && memory.width % sizeof(float) == 0 && memory.width != sizeof(double))
        for (std::size_t at = 0; at < memory.width; at += sizeof(float)) {
            const float real = float(hash % 1000 + 1 + at) / 1024;
            std::memcpy(out + at, &real, sizeof real);
        }
    else if (memory.isReal && memory.width == sizeof(double))
        write(double(hash % 1000 + 1) / 1024);
    else if (memory.unit == 0)
        write(hash % 1000 + 1);
    else // in each number of a structure
        for (std::size_t at = 0; at < memory.width; at += memory.unit) {
            const std::uint64_t number = memory.unit == 1 ? (hash + at) % 255 + 1 : (hash + at) % 1000 + 1;
            std::memcpy(out + at, &number, std::min(memory.unit, memory.width - at));
        }
}

/// With one value, or another, in place of those that nobody knows.
std::vector<std::uint8_t> contentOf(const LaunchMemory& memory, bool isOther)
{
    std::vector<std::uint8_t> bytes = memory.bytes;
    for (std::size_t i = 0; i < memory.unknown.size() && (i + 1) * memory.width <= bytes.size(); ++i) {
        if (!memory.unknown[i])
            continue;
        std::uint8_t* const at = bytes.data() + i * memory.width;
        std::memset(at, 0, memory.width);
        if (isOther)
            writeGuess(memory, i, at);
    }
    return bytes;
}

bool hasUnknown(const LaunchMemory& memory) { return std::ranges::find(memory.unknown, true) != memory.unknown.end(); }

/// As the parameter has it.
std::uint64_t numberBits(const Leaf& number, ElementType type)
{
    std::uint64_t bits = 0;
    const bool isReal = number.kind == Leaf::Kind::Real;
    const double real = isReal ? number.real : double(number.integer);
    const auto keep = [&](auto value) { std::memcpy(&bits, &value, sizeof value); };
    if (type == ElementType::F32)
        keep(float(real));
    else if (type == ElementType::F64)
        keep(real);
    else
        keep(isReal ? std::int64_t(number.real) : number.integer);
    return bits;
}

class Executor final : public LaunchExecutor {
public:
    Executor(std::vector<ProgramLaunchPlan> launches, std::uint64_t mostInstructions, std::stop_token stop)
        : m_launches(std::move(launches))
        , m_most(mostInstructions)
        , m_left(mostInstructions)
        , m_stop(std::move(stop))
    {
    }

    void execute(LaunchToExecute& launch) override
    {
        const ProgramLaunchPlan* const ofProgram = knownLaunch(launch.launch);
        const LaunchPlan* const plan = ofProgram ? ofProgram->plan.get() : nullptr;
        std::uint64_t bytes = 0;
        for (const LaunchMemory& memory : launch.memories)
            bytes += memory.bytes.size();
        if (!plan || bytes > kMostBytesExecuted) {
            launch.why = plan ? fmt::format("has {} MB of memory", bytes >> 20) : "could not be read";
            return;
        }
        const auto known = compiled(*plan);
        if (!known) {
            launch.why = "does not compile: " + std::string(known.error().sentence());
            return;
        }
        m_left -= std::min(m_left, kInstructionsOfALaunch);
        const auto placed = placeVariables(**known, launch);
        const auto shape = placed ? shapeOf(*plan, *(*known)->program, launch, placed->addresses) : std::nullopt;
        if (!shape) {
            launch.why = placed ? "is given what the host code does not tell" : "has variables of the module of which nobody knows what they hold";
            return;
        }
        if (std::ranges::none_of(launch.memories, &hasUnknown)) {
            executeInto(*placed, *shape, launch, [](LaunchMemory& memory) { return std::span(memory.bytes); });
            return;
        }
        auto left = executed(*placed, *shape, launch, false);
        const auto other = left ? executed(*placed, *shape, launch, true) : std::nullopt;
        if (!left || !other)
            return;
        for (std::size_t i = 0; i < launch.memories.size(); ++i)
            if (launch.memories[i].isWritten)
                note(launch.memories[i], std::move((*left)[i]), (*other)[i]);
    }

    [[nodiscard]] bool mayWrite(const HostBuffer& argument) const override
    {
        const ProgramLaunchPlan* const known = knownLaunch(argument);
        return !known || known->written.contains(argument.argument);
    }

private:
    using Bytes = std::vector<std::vector<std::uint8_t>>;

    /// Itself, or another one of the same kernel: what it is compiled of is the same.
    [[nodiscard]] const ProgramLaunchPlan* knownLaunch(const HostBuffer& launch) const
    {
        const ProgramLaunchPlan* other = nullptr;
        for (const ProgramLaunchPlan& known : m_launches)
            if (known.launch.kernel == launch.kernel && known.launch.instance == launch.instance) {
                if (known.launch.launch == launch.launch)
                    return &known;
                other = &known;
            }
        return other;
    }

    /// A kernel, compiled once.
    struct Compiled {
        std::shared_ptr<const analysis::Program> program;
        analysis::Program bare; ///< without the variables that it may write to: they are memory of the launch's
    };

    Result<Compiled*> compiled(const LaunchPlan& plan)
    {
        if (const auto known = m_compiled.find(&plan); known != m_compiled.end())
            return &known->second;
        const auto decoded = decode(plan, { .registers = false, .stop = m_stop });
        if (!decoded)
            return std::unexpected(decoded.error());
        Compiled made { .program = decoded->program, .bare = *decoded->program };
        std::erase_if(made.bare.symbols, [](const analysis::Symbol& symbol) { return symbol.space == analysis::Space::Global && !isOfCompiler(symbol); });
        return &m_compiled.emplace(&plan, std::move(made)).first->second;
    }

    /// Where a launch's memories are.
    struct Placed {
        analysis::Program& program; ///< see Compiled::bare
        std::vector<std::uint64_t> addresses; ///< by memories
        std::vector<std::optional<std::size_t>> constants; ///< by memories: which symbol one is
    };

    /// Nothing: of a variable it is not known what it holds.
    static std::optional<Placed> placeVariables(Compiled& compiled, const LaunchToExecute& launch)
    {
        const std::vector<analysis::Symbol>& symbols = compiled.program->symbols;
        Placed placed { .program = compiled.bare, .addresses = {}, .constants = {} };
        std::vector<bool> isPlaced(symbols.size());
        for (std::size_t i = 0; i < launch.memories.size(); ++i) {
            const LaunchMemory& memory = launch.memories[i];
            const std::optional<std::size_t> symbol = memory.variable.empty() ? std::nullopt : symbolNamed(*compiled.program, memory.variable);
            const bool isConstant = symbol && symbols[*symbol].space == analysis::Space::Constant;
            placed.addresses.push_back(symbol && !isConstant ? symbols[*symbol].address : memory.address != 0 ? memory.address : addressOf(i));
            placed.constants.push_back(isConstant ? symbolNamed(compiled.bare, memory.variable) : std::nullopt);
            if (symbol && symbols[*symbol].size != memory.bytes.size())
                return std::nullopt;
            if (symbol)
                isPlaced[*symbol] = true;
        }
        for (std::size_t i = 0; i < symbols.size(); ++i)
            if (symbols[i].space == analysis::Space::Global && !isPlaced[i] && !isOfCompiler(symbols[i]))
                return std::nullopt;
        return placed;
    }

    static std::optional<analysis::Launch> shapeOf(const LaunchPlan& plan, const analysis::Program& program, const LaunchToExecute& launch, const std::vector<std::uint64_t>& addresses)
    {
        const auto extents = [](const std::array<std::int64_t, 3>& of) { return analysis::Dim3 { std::uint32_t(of[0]), std::uint32_t(of[1]), std::uint32_t(of[2]) }; };
        const auto fits = [](std::int64_t extent) { return extent >= 1 && extent <= std::int64_t(INT32_MAX); };
        if (!std::ranges::all_of(launch.grid, fits) || !std::ranges::all_of(launch.block, fits) || launch.sharedBytes < 0 || launch.sharedBytes > (1 << 20) || plan.arguments.size() != program.parameters.size() || launch.arguments.size() != plan.arguments.size())
            return std::nullopt;
        analysis::Launch made { .grid = extents(launch.grid), .block = extents(launch.block), .dynamicSharedBytes = std::uint32_t(launch.sharedBytes), .parameters = {}, .buffers = {} };
        made.parameters.resize(program.parameterBytes);
        for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
            const analysis::Parameter& parameter = program.parameters[i];
            if (bytesOf(plan.arguments[i]) != parameter.size)
                return std::nullopt;
            const std::vector<ArgumentPart> parts = partsOf(plan.arguments[i]);
            const std::vector<Leaf> leaves = leavesFor(launch.arguments[i], parts);
            for (std::size_t k = 0; k < parts.size(); ++k) {
                const auto bits = leaves.empty() ? std::nullopt : bitsOf(leaves[k], parts[k], addresses);
                if (!bits)
                    return std::nullopt;
                std::memcpy(made.parameters.data() + parameter.offset + parts[k].offset, &*bits, parts[k].bytes());
            }
        }
        return made;
    }

    /// One for each part; none: they are not the parts'.
    static std::vector<Leaf> leavesFor(const std::vector<Leaf>& leaves, const std::vector<ArgumentPart>& parts)
    {
        if (leaves.size() == parts.size())
            return leaves;
        const auto isPointer = [](const Leaf& leaf) { return leaf.kind == Leaf::Kind::Pointer; };
        const bool isConverted = parts.size() == 1 && parts[0].buffer && std::ranges::count_if(leaves, isPointer) == 1; // an object, to its only pointer
        return isConverted ? std::vector<Leaf> { *std::ranges::find_if(leaves, isPointer) } : std::vector<Leaf> {};
    }

    static std::optional<std::uint64_t> bitsOf(const Leaf& leaf, const ArgumentPart& part, const std::vector<std::uint64_t>& addresses)
    {
        if (leaf.kind == Leaf::Kind::Pointer)
            return leaf.memory ? addresses[*leaf.memory] + std::uint64_t(leaf.integer) : 0;
        const bool isOfHalf = part.scalar && infoOf(part.scalar->type).kind == ElementKind::Float && part.bytes() < sizeof(float);
        if (leaf.kind == Leaf::Kind::Unknown || !part.scalar || isOfHalf)
            return std::nullopt;
        return numberBits(leaf, part.scalar->type);
    }

    /// What is left in each memory that is written to, with what those might hold of which it is not known; nothing: it cannot be executed, or no more may be.
    std::optional<Bytes> executed(const Placed& placed, const analysis::Launch& shape, LaunchToExecute& launch, bool isOther)
    {
        Bytes left(launch.memories.size());
        const bool isDone = executeInto(placed, shape, launch, [&](LaunchMemory& memory) {
            std::vector<std::uint8_t>& content = left[std::size_t(&memory - launch.memories.data())];
            if (!memory.isWritten && !hasUnknown(memory))
                return std::span(memory.bytes);
            content = contentOf(memory, isOther);
            return std::span(content);
        });
        return isDone ? std::optional(std::move(left)) : std::nullopt;
    }

    /// `contentOf`: where what a memory holds is, and is to be put. False: it cannot be executed, or no more may be, and nothing is changed.
    template <class ContentOf> bool executeInto(const Placed& placed, analysis::Launch shape, LaunchToExecute& launch, const ContentOf& contentOf)
    {
        launch.why = fmt::format("takes, with those before it, more than {} instructions", m_most);
        if (m_left == 0)
            return false;
        std::vector<std::span<std::uint8_t>> into;
        for (std::size_t i = 0; i < launch.memories.size(); ++i) {
            const std::span<std::uint8_t> content = contentOf(launch.memories[i]);
            if (placed.constants[i])
                placed.program.symbols[*placed.constants[i]].initial.assign(content.begin(), content.end());
            shape.buffers.push_back({ .name = std::to_string(i), .address = placed.addresses[i], .bytes = content.size(),
                .fill = [content](std::uint64_t first, std::span<std::uint8_t> out) { std::memcpy(out.data(), content.data() + first, out.size()); } });
            into.push_back(launch.memories[i].isWritten ? content : std::span<std::uint8_t> {});
        }
        std::uint64_t taken = 0;
        const auto output = analysis::gridOutput(placed.program, shape, { .stop = m_stop, .mostInstructions = m_left, .instructions = &taken, .findsRaces = false, .noteWriters = false, .into = into });
        m_left -= std::min(m_left, taken);
        if (!output) {
            if (m_left > 0)
                launch.why = "cannot be executed: " + std::string(output.error().sentence());
            return false;
        }
        launch.why.clear();
        return true;
    }

    static void note(LaunchMemory& memory, std::vector<std::uint8_t> left, const std::vector<std::uint8_t>& other)
    {
        if (left != other) {
            const std::vector<std::uint8_t> before = contentOf(memory, false), otherBefore = contentOf(memory, true);
            std::vector<bool> unknown(memory.bytes.size() / memory.width);
            for (std::size_t i = 0; i < unknown.size() && !memory.isUnknown; ++i) {
                const auto isSame = [&](const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) { return std::memcmp(a.data() + i * memory.width, b.data() + i * memory.width, memory.width) == 0; };
                unknown[i] = !isSame(left, other);
                const bool isAsBefore = isSame(left, before) && isSame(other, otherBefore);
                memory.isUnknown = unknown[i] && !isAsBefore;
            }
            memory.unknown = std::move(unknown);
        } else {
            memory.unknown.clear();
        }
        memory.bytes = std::move(left);
    }

    std::vector<ProgramLaunchPlan> m_launches;
    std::map<const LaunchPlan*, Compiled> m_compiled;
    std::uint64_t m_most, m_left; ///< instructions
    std::stop_token m_stop;
};

} // namespace

std::unique_ptr<LaunchExecutor> launchExecutor(std::vector<ProgramLaunchPlan> launches, std::uint64_t mostInstructions, std::stop_token stop)
{
    return std::make_unique<Executor>(std::move(launches), mostInstructions, std::move(stop));
}

} // namespace coalescope::kernels
