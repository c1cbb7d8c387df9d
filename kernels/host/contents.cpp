// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/contents.h"

#include "kernels/compile/kernel_declarations.h"
#include "kernels/host/launch_arguments.h"
#include "kernels/host/replay.h"
#include "kernels/source/template_deduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coalescope::kernels {
namespace {

using host::Kind;
using host::Thing;
using host::Type;
using host::Value;

bool isKnownFrom(const Thing& memory, std::int64_t first)
{
    if (memory.raw >= 0)
        return memory.filled >= 0 && !memory.isUnknown;
    if (memory.isUnknown || memory.hollow >= 0 || !memory.element || first < 0 || std::uint64_t(first) > memory.size())
        return false;
    return memory.unknown.empty() || std::find(memory.unknown.begin() + first, memory.unknown.end(), true) == memory.unknown.end();
}

/// In bytes, from where a pointer points to up to the end; nothing: not known.
std::optional<std::uint64_t> sizeBehind(const Value& pointer)
{
    const Thing& memory = *pointer.thing;
    if (memory.isUnknown && (memory.raw < 0 || memory.raw == 0))
        return std::nullopt;
    const std::int64_t all = memory.raw >= 0 ? memory.raw : memory.element ? std::int64_t(memory.size() * memory.element->bytes()) : 0;
    const std::int64_t before = host::bytesBefore(pointer);
    return all > 0 && before >= 0 && before < all ? std::optional(std::uint64_t(all - before)) : std::nullopt;
}

/// From where a pointer points to, up to the end. `isWhole`: from the memory's begin on; what lies before need not be known.
std::optional<std::vector<std::uint8_t>> bytesBehind(const Value& pointer, host::Addresses* addresses = nullptr, bool isWhole = false)
{
    const Thing& memory = *pointer.thing;
    if (!isKnownFrom(memory, pointer.integer))
        return std::nullopt;
    if (memory.raw >= 0) {
        const std::int64_t before = isWhole ? 0 : host::bytesBefore(pointer);
        if (before < 0 || before > memory.raw)
            return std::nullopt;
        return std::vector<std::uint8_t>(std::size_t(memory.raw - before), std::uint8_t(memory.filled));
    }
    const std::int64_t first = isWhole ? 0 : pointer.integer;
    if (memory.element->isStored())
        return std::vector<std::uint8_t>(memory.bytes.begin() + first * std::int64_t(memory.element->stride), memory.bytes.end());
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = std::size_t(first); i < memory.size(); ++i)
        if (!host::appendBytes(memory.items[i], *memory.element, bytes, addresses))
            return std::nullopt;
    return bytes;
}

/// As a manifest calls it.
std::string elementName(const Type* type)
{
    const Type* of = type;
    for (int depth = 0; of && !of->isPlain() && depth < host::kDeepestMember; ++depth) // a float4 is made of f32
        of = of->isOfReals() ? (of->parts.empty() ? of->element : of->parts.front()) : nullptr;
    if (!of || !host::isNumber(of->kind) || of->kind == Kind::Bool || of->kind == Kind::F16)
        return "u8";
    return fmt::format("{}{}", host::isReal(of->kind) ? 'f' : of->kind == Kind::I8 || of->kind == Kind::I16 || of->kind == Kind::I32 || of->kind == Kind::I64 ? 'i' : 'u', 8 * host::bytesOf(of->kind));
}

HostLaunch shapeOf(const host::ReachedLaunch& launch)
{
    HostLaunch made;
    const std::vector<Value>& shape = launch.configuration;
    if (shape.size() >= 2) {
        made.grid = host::extentsOf(shape[0]);
        made.block = host::extentsOf(shape[1]);
        made.sharedBytes = host::sharedBytesOf(shape);
    }
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        host::eachNumber(launch.arguments[i], std::to_string(i), [&](const std::string& path, const Value& number) {
            if (host::isInteger(number.kind))
                made.integers[path] = number.integer;
            else if (host::isReal(number.kind) && number.isKnown && std::isfinite(number.real))
                made.reals[path] = number.real;
        });
    return made;
}

/// Writes down what launches are given, each when it is come to for the first time.
class Notes {
public:
    Notes(std::span<const ProgramFile> files, bool hasVariables, const std::optional<HostBuffer>& asked, HostContents& contents)
        : m_files(files)
        , m_hasVariables(hasVariables)
        , m_asked(asked)
        , m_contents(contents)
    {
        for (const ProgramFile& file : files)
            std::ranges::copy(kernelDeclarations(file.text), std::back_inserter(m_kernels));
    }

    /// Of the module, that a kernel names.
    std::vector<ModuleVariable> variablesOf(std::string_view kernel)
    {
        const auto [known, isNew] = m_variables.try_emplace(std::string(kernel));
        if (isNew && m_hasVariables)
            known->second = moduleVariablesOf(deviceParts(m_files, "", kernel));
        return known->second;
    }

    /// From here on, launches are executed by this; null: they are not.
    void replayBy(host::Replay* replay) { m_replay = replay; }
    [[nodiscard]] std::span<const KernelDeclaration> kernels() const { return m_kernels; }

    [[nodiscard]] bool hasReached(int place) const
    {
        return std::ranges::any_of(m_reached, [&](const HostBuffer& launch) { return launch.launch == place; });
    }

    /// The launches that the program may come to: once it has come to all of them, nothing more is noted.
    void expect(std::set<int> places) { m_expected = std::move(places); }

    /// Of the launches at one place alone, which the program does not come to by itself.
    void keepOnly(int place)
    {
        m_aside = place;
        m_reached.clear();
        m_expected.clear();
    }

    /// False: no more is asked for.
    bool reached(const host::ReachedLaunch& launch)
    {
        std::vector<Value> arguments = launch.arguments;
        host::ReachedLaunch told { .place = launch.place, .kernel = launch.kernel, .ofTemplate = launch.ofTemplate, .arguments = arguments, .configuration = launch.configuration, .variables = launch.variables,
            .isOfMany = launch.isOfMany, .isBehindRead = launch.isBehindRead, .isUnsure = launch.isUnsure };
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (const auto pointer = host::onlyPointer(arguments[i]))
                if (const auto parameter = host::parameterOf(m_kernels, launch.kernel, i); parameter && parameter->pointers > 0)
                    arguments[i] = *pointer;
        const KernelDeclaration* const declared = launch.types.empty() ? nullptr : launchedKernel(m_kernels, launch.kernel, launch.types);
        if (declared && declared->isTemplate())
            told.ofTemplate = templateArgumentsBy(*declared, launch.ofTemplate, launch.types);
        return reachedWith(told);
    }

private:
    bool reachedWith(const host::ReachedLaunch& launch)
    {
        const bool isKept = m_aside == 0 || m_aside == launch.place;
        const HostBuffer whole { launch.place, fmt::format("{}", fmt::join(launch.ofTemplate, ",")), launch.kernel, "", m_aside != 0 };
        const bool isFirst = m_reached.insert(whole).second;
        if (!m_asked && !m_contents.isBehindRead && (launch.isBehindRead || m_isManagedTaken)) // it is told where nothing is asked for
            m_contents.isBehindRead = mayDependOnRead(launch);
        m_hasInstances = m_hasInstances || launch.isOfMany; // of which one place may launch others later
        const bool isLast = m_expected.erase(launch.place) > 0 && m_expected.empty() && !m_hasInstances;
        const bool goesOn = (!isFirst || note(whole, launch, isKept)) && !isLast;
        if (goesOn && m_replay)
            m_replay->launched(whole, launch);
        else
            noteTaken(launch);
        return goesOn && (!isFirst || m_aside != launch.place);
    }

    /// Whether something of a launch is not known that may depend on what was read back: if it is made, what it is given, or how much of it.
    static bool mayDependOnRead(const host::ReachedLaunch& launch)
    {
        const HostLaunch shape = shapeOf(launch);
        if (launch.isUnsure || !shape.grid || !shape.block)
            return true;
        const auto isUnknownMemory = [](const Value& pointer) {
            const Thing& memory = *pointer.thing;
            const bool isOfReals = memory.element && memory.element->isOfReals();
            return !sizeBehind(Value::pointer(pointer.thing, 0)) || (memory.element && !isOfReals && memory.takenBy.empty() && !isKnownFrom(memory, pointer.integer));
        };
        return std::ranges::any_of(launch.arguments, [&](const Value& argument) {
            bool isUnknown = false;
            host::eachLeaf(argument, [&](const Value& leaf) {
                const bool isPointer = leaf.kind == Kind::Pointer && leaf.isKnown && leaf.thing;
                isUnknown = isUnknown || (!leaf.isKnown && !host::isReal(leaf.kind)) || (isPointer && isUnknownMemory(leaf));
            });
            return isUnknown;
        });
    }

    bool note(const HostBuffer& whole, const host::ReachedLaunch& launch, bool isKept)
    {
        if (!m_asked && isKept) {
            const int order = int(m_contents.launches.size());
            HostLaunch& noted = m_contents.launches[whole] = shapeOf(launch);
            noted.order = order;
        }
        bool goesOn = true;
        std::vector<const Thing*> memories;
        for (std::size_t i = 0; i < launch.arguments.size(); ++i)
            host::eachPointer(launch.arguments[i], std::to_string(i), [&](const std::string& path, const Value& pointer) {
                HostBuffer buffer = whole;
                buffer.argument = path;
                if (!m_asked && isKept && pointer.thing)
                    noteMemory(buffer, pointer, memories);
                if (isKept && pointer.thing)
                    goesOn = take(buffer, pointer, launch) && goesOn;
            });
        for (const host::ReachedVariable& variable : launch.variables) {
            HostBuffer buffer = whole;
            buffer.argument = variable.name;
            if (isKept)
                goesOn = take(buffer, Value::pointer(variable.memory, 0), launch) && goesOn;
            if (!m_asked && isKept && variable.memory->size() <= kMostTexts)
                if (auto texts = host::numberTexts(Value::pointer(variable.memory, 0)); !texts.empty())
                    m_contents.constants[buffer] = std::move(texts);
        }
        return goesOn;
    }

    void noteMemory(const HostBuffer& buffer, const Value& pointer, std::vector<const Thing*>& memories)
    {
        const std::int64_t before = host::bytesBefore(pointer);
        const auto all = sizeBehind(Value::pointer(pointer.thing, 0));
        if (!all || before < 0 || std::uint64_t(before) >= *all)
            return;
        auto known = std::ranges::find(memories, pointer.thing.get());
        if (known == memories.end())
            known = memories.insert(known, pointer.thing.get());
        m_contents.memories[buffer] = { int(known - memories.begin()), *all, std::uint64_t(before) };
    }

    /// Than zeros.
    static bool holdsMore(const Thing& memory)
    {
        if (memory.raw >= 0)
            return memory.filled > 0;
        return !memory.element || !memory.element->isStored() || std::ranges::any_of(memory.bytes, [](std::uint8_t byte) { return byte != 0; });
    }

    bool take(HostBuffer buffer, const Value& pointer, const host::ReachedLaunch& launch)
    {
        buffer.isWhole = m_asked && m_asked->isWhole;
        if (m_asked && buffer != *m_asked) {
            takeBeside(buffer, pointer);
            return true;
        }
        const bool isSettled = m_replay && (m_asked || !pointer.thing->element || !pointer.thing->element->isOfReals());
        if (isSettled)
            m_replay->settle(*pointer.thing, false);
        if (!pointer.thing->takenBy.empty()) {
            m_contents.taken[buffer] = std::string(pointer.thing->takenBy);
            if (!isSettled)
                m_contents.stale.insert(buffer);
        }
        if (m_asked) {
            host::Addresses addresses;
            m_contents.bytes = bytesBehind(pointer, &addresses, m_asked->isWhole);
            m_contents.places = addresses.places;
            takePointed(addresses, launch);
            if (m_replay && !m_contents.bytes)
                m_contents.why = m_replay->whyUnknown(*pointer.thing);
            return false;
        }
        if (const auto size = sizeBehind(pointer))
            m_contents.sizes[buffer] = *size;
        host::Addresses addresses;
        if (pointer.thing->element && !pointer.thing->element->isStored() ? bytesBehind(pointer, &addresses).has_value() : isKnownFrom(*pointer.thing, pointer.integer)) {
            m_contents.known.insert(buffer);
            if (!addresses.places.empty())
                m_contents.pointing.insert(buffer);
            if (holdsMore(*pointer.thing))
                m_contents.nonZero.insert(buffer);
        }
        return true;
    }

    /// The memory that addresses lead to, and what in it leads on.
    void takePointed(const host::Addresses& first, const host::ReachedLaunch& launch)
    {
        constexpr std::size_t kMostPointed = 4096;
        std::vector<Value> found;
        const auto add = [&](const host::Addresses& addresses) {
            for (const Value& pointer : addresses.pointers)
                if (found.size() < kMostPointed && std::ranges::none_of(found, [&](const Value& other) { return other.thing.get() == pointer.thing.get(); }))
                    found.push_back(pointer);
        };
        add(first);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const host::Handle memory = found[i].thing;
            const Type* const element = memory->element ? memory->element : found[i].points;
            if (m_replay && (!element || !element->isOfReals()))
                m_replay->settle(*memory, false);
            const Value start = Value::pointer(memory, 0);
            host::Addresses addresses;
            PointedMemory pointed { .address = host::addressOf(memory->number), .bytes = sizeBehind(start).value_or(0), .element = elementName(element), .content = {}, .places = {}, .argument = {} };
            if (memory->takenBy.empty() || m_replay)
                pointed.content = bytesBehind(start, &addresses);
            pointed.places = addresses.places;
            pointed.isUnknown = !pointed.content && (memory->raw < 0 || memory->isUnknown);
            for (std::size_t argument = 0; argument < launch.arguments.size(); ++argument)
                if (const Value& given = launch.arguments[argument]; given.kind == Kind::Pointer && given.isKnown && given.thing.get() == memory.get() && given.integer == 0)
                    pointed.argument = std::to_string(argument);
            if (pointed.bytes > 0)
                m_contents.pointed.push_back(std::move(pointed));
            add(addresses);
        }
    }

    void takeBeside(const HostBuffer& buffer, const Value& pointer)
    {
        constexpr std::uint64_t kMostBeside = std::uint64_t(256) << 20;
        const bool isOfTheSame = buffer.launch == m_asked->launch && buffer.instance == m_asked->instance && buffer.kernel == m_asked->kernel;
        const bool isTaken = !pointer.thing->takenBy.empty();
        const auto size = sizeBehind(pointer);
        if ((!isOfTheSame && isTaken) || !size || m_besideBytes + *size > kMostBeside)
            return;
        if (m_replay && isTaken)
            m_replay->settle(*pointer.thing, false);
        host::Addresses addresses;
        BesideBuffer beside { .bytes = bytesBehind(pointer, &addresses), .why = {}, .isTaken = isTaken };
        if (!addresses.places.empty() || (!beside.bytes && !(m_replay && isTaken)))
            return;
        if (!beside.bytes)
            beside.why = m_replay->whyUnknown(*pointer.thing);
        m_besideBytes += beside.bytes ? beside.bytes->size() : 0;
        m_contents.beside[buffer] = std::move(beside);
    }

    void noteTaken(const host::ReachedLaunch& launch)
    {
        for (const host::ReachedVariable& variable : launch.variables)
            if (variable.isWritten) {
                noteTaken(*variable.memory, launch.kernel);
                host::eachAddressIn(*variable.memory, [&](const Value& pointer) { noteTaken(*pointer.thing, launch.kernel); });
            }
        for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
            const Value& argument = launch.arguments[i];
            const bool isMemory = argument.kind == Kind::Pointer && argument.isKnown && argument.thing;
            const auto parameter = isMemory ? host::parameterOf(m_kernels, launch.kernel, i) : std::nullopt;
            if (!parameter)
                continue;
            if (!parameter->isConst)
                noteTaken(*argument.thing, launch.kernel);
            host::eachAddressIn(*argument.thing, [&](const Value& pointer) {
                if (!parameter->isOfConst || !parameter->plain)
                    noteTaken(*pointer.thing, launch.kernel);
            });
        }
    }

    void noteTaken(Thing& memory, const std::string& kernel)
    {
        memory.takenBy = *m_takers.insert(kernel).first;
        if (memory.isDevice)
            return;
        memory.forget(true); // managed: the host may read what the kernel has left
        m_isManagedTaken = m_isManagedTaken || !memory.element || !memory.element->isOfReals();
    }

    static constexpr std::size_t kMostTexts = 1024;

    std::span<const ProgramFile> m_files;
    const bool m_hasVariables; ///< of the module
    std::map<std::string, std::vector<ModuleVariable>> m_variables; ///< by kernels
    const std::optional<HostBuffer>& m_asked;
    HostContents& m_contents;
    host::Replay* m_replay = nullptr;
    std::set<std::string> m_takers; ///< kernels, by whose names memory is noted
    std::vector<KernelDeclaration> m_kernels;
    std::set<HostBuffer> m_reached;
    std::set<int> m_expected; ///< places that are still to be come to; empty: nobody knows
    bool m_isManagedTaken = false, m_hasInstances = false;
    int m_aside = 0; ///< the only place to keep; 0: all
    std::uint64_t m_besideBytes = 0;
};

/// Nothing: as they are absent, it needs its files.
std::optional<HostContents> followed(
    std::span<const ProgramFile> files, std::span<const HostNumber> numbers, const std::optional<HostBuffer>& asked, std::stop_token stop, std::int64_t steps,
    LaunchExecutor* executor, const RegistersOf& registersOf, bool areFilesAbsent)
{
    const ProgramText text({ files.begin(), files.end() });
    HostProgram program(text);
    program.readLocalTypes();
    HostContents contents;
    contents.isReplayed = executor != nullptr;
    if (!program.function("main", 0))
        return contents;
    Notes notes(files, !program.ofModule().empty(), asked, contents);
    std::int64_t left = steps;
    std::set<int> mayBeReached;
    bool hasReadBack = false;
    const auto follow = [&](std::optional<int> wanted) {
        if (wanted)
            notes.keepOnly(*wanted);
        host::Parser parser(program); // a run's own: it notes in the code what it finds
        std::optional<host::Replay> replay;
        host::Run::Options options { .given = { numbers.begin(), numbers.end() }, .reached = [&](const host::ReachedLaunch& launch) { return notes.reached(launch); }, .stop = stop, .steps = left, .areFilesAbsent = areFilesAbsent, .wanted = wanted };
        options.registersOf = registersOf;
        options.variablesOf = [&](std::string_view kernel) { return notes.variablesOf(kernel); };
        if (executor)
            options.touched = [&](host::Thing& memory, bool isWritten) { replay->settle(memory, isWritten); };
        host::Run run(parser, std::move(options));
        if (executor)
            notes.replayBy(&replay.emplace(run, *executor, notes.kernels()));
        if (!wanted)
            notes.expect(mayBeReached = run.launchedByMain());
        run.run();
        notes.replayBy(nullptr);
        left -= run.stepsTaken();
        contents.areFilesAbsent = contents.areFilesAbsent || (areFilesAbsent && run.hasAskedForFile());
        contents.leftLoop = contents.leftLoop == 0 ? run.leftLoop() : contents.leftLoop;
        contents.numbers.merge(std::set<std::string>(run.numbersRead()));
        hasReadBack = hasReadBack || run.hasReadBack();
        return !run.needsFiles();
    };
    if (!follow(asked && asked->isAside ? std::optional(asked->launch) : std::nullopt))
        return std::nullopt;
    if (asked)
        return contents;
    std::erase_if(mayBeReached, [&](int place) { return notes.hasReached(place); });
    contents.isBehindRead = contents.isBehindRead || (hasReadBack && !mayBeReached.empty());
    // As long again as the program by itself took: what it does not come to is worth no more.
    constexpr std::int64_t kShareOfShort = 20; ///< of all steps: less is no matter
    const std::int64_t least = left - std::max(steps - left, steps / kShareOfShort);
    for (const int place : mayBeReached)
        if (left > std::max<std::int64_t>(least, 0))
            follow(place);
    return contents;
}

} // namespace

HostContents hostContents(
    std::span<const ProgramFile> files, std::span<const HostNumber> numbers, const std::optional<HostBuffer>& asked, std::stop_token stop, std::int64_t steps,
    LaunchExecutor* executor, const RegistersOf& registersOf)
{
    auto contents = followed(files, numbers, asked, stop, steps, executor, registersOf, true);
    return contents ? *std::move(contents) : followed(files, numbers, asked, stop, steps, executor, registersOf, false).value_or(HostContents {});
}

} // namespace coalescope::kernels
