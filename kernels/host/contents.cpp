// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/contents.h"

#include "kernels/compile/kernel_declarations.h"
#include "kernels/host/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coalescope::kernels {
namespace {

using host::Kind;
using host::Thing;
using host::Type;
using host::Value;

/// Appends a value as it lies in memory. False: it is not known, or of no known layout.
bool append(const Value& value, const Type& type, std::vector<std::uint8_t>& bytes)
{
    const auto store = [&](const auto& number) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(&number);
        bytes.insert(bytes.end(), first, first + sizeof number);
        return true;
    };
    switch (type.shape) {
    case Type::Shape::Plain: {
        const Value number = host::converted(value, type.kind);
        if (!number.isKnown)
            return false;
        if (type.kind == Kind::F32)
            return store(float(number.real));
        if (type.kind == Kind::F64)
            return store(number.real);
        const auto* first = reinterpret_cast<const std::uint8_t*>(&number.integer);
        bytes.insert(bytes.end(), first, first + host::bytesOf(type.kind));
        return true;
    }
    case Type::Shape::Array:
    case Type::Shape::Class:
    case Type::Shape::Tuple: {
        if (value.kind != Kind::Whole || !value.thing || value.thing->isUnknown || type.bytes() == 0)
            return false;
        const std::size_t first = bytes.size();
        const std::size_t count = type.shape == Type::Shape::Array ? value.thing->size() : type.parts.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Type& part = type.shape == Type::Shape::Array ? *type.element : *type.parts[i];
            const std::size_t alignment = part.alignment();
            bytes.resize(first + (bytes.size() - first + alignment - 1) / alignment * alignment);
            if (!append(value.thing->at(std::int64_t(i)), part, bytes))
                return false;
        }
        bytes.resize(first + type.bytes());
        return true;
    }
    default: return false;
    }
}

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
    const Type* const element = memory.raw >= 0 ? pointer.points : memory.element;
    const auto width = std::int64_t(element ? element->bytes() : 0);
    const std::int64_t all = memory.raw >= 0 ? memory.raw : std::int64_t(memory.size()) * width;
    const std::int64_t before = pointer.integer * width;
    return all > 0 && before >= 0 && before < all && (width > 0 || pointer.integer == 0) ? std::optional(std::uint64_t(all - before)) : std::nullopt;
}

/// As C++ writes it; empty: not known.
std::string numberText(const Value& number)
{
    if (!number.isKnown || !host::isNumber(number.kind) || (host::isReal(number.kind) && !std::isfinite(number.real)))
        return "";
    return number.kind == Kind::F32 ? fmt::format("{:.9g}", number.real) : number.kind == Kind::F64 ? fmt::format("{:.17g}", number.real)
        : number.kind == Kind::U64 ? fmt::format("{}", std::uint64_t(number.integer)) : fmt::format("{}", number.integer);
}

/// A number, or each of an array; empty: one of them is not known.
std::vector<std::string> numberTexts(const Value& value)
{
    std::vector<std::string> texts;
    const std::size_t count = value.kind == Kind::Pointer && value.thing ? value.thing->size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
        texts.push_back(numberText(value.kind == Kind::Pointer && value.thing ? value.thing->at(std::int64_t(i)) : value));
        if (texts.back().empty())
            return {};
    }
    return texts;
}

/// From where a pointer points to, up to the end.
std::optional<std::vector<std::uint8_t>> bytesBehind(const Value& pointer)
{
    const Thing& memory = *pointer.thing;
    if (!isKnownFrom(memory, pointer.integer))
        return std::nullopt;
    if (memory.raw >= 0) {
        const std::int64_t before = pointer.integer == 0 ? 0 : pointer.points && pointer.points->bytes() > 0 ? pointer.integer * std::int64_t(pointer.points->bytes()) : -1;
        if (before < 0 || before > memory.raw)
            return std::nullopt;
        return std::vector<std::uint8_t>(std::size_t(memory.raw - before), std::uint8_t(memory.filled));
    }
    if (memory.element->isStored())
        return std::vector<std::uint8_t>(memory.bytes.begin() + pointer.integer * std::int64_t(memory.element->stride), memory.bytes.end());
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = std::size_t(pointer.integer); i < memory.size(); ++i)
        if (!append(memory.items[i], *memory.element, bytes))
            return std::nullopt;
    return bytes;
}

/// Calls `use` with each pointer of a value, and what it is called within it: "" or ".rows".
template <class Use> void eachPointer(const Value& value, const std::string& path, int depth, const Use& use)
{
    const bool isArray = value.kind == Kind::Whole && value.thing && value.thing->element;
    if (value.kind == Kind::Pointer && value.isKnown && value.thing)
        use(path, value);
    else if (isArray)
        use(path, Value::pointer(value.thing, 0));
    else if (value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->declared && depth > 0) {
        const HostClass& declared = *value.thing->type->declared;
        for (std::size_t i = 0; i < declared.members.size() && i < value.thing->items.size(); ++i)
            eachPointer(value.thing->items[i], path + "." + declared.members[i].name, depth - 1, use);
    }
}

/// Calls `use` with each integer that is known of a value, and what it is called within it.
template <class Use> void eachInteger(const Value& value, const std::string& path, int depth, const Use& use)
{
    if (host::isInteger(value.kind) && value.isKnown)
        use(path, value.integer);
    const bool isObject = value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->declared && !value.thing->isUnknown;
    if (!isObject || depth == 0)
        return;
    const HostClass& declared = *value.thing->type->declared;
    for (std::size_t i = 0; i < declared.members.size() && i < value.thing->items.size(); ++i)
        eachInteger(value.thing->items[i], path + "." + declared.members[i].name, depth - 1, use);
}

/// Of a grid or a block; nothing: one of them is not known.
std::optional<std::array<std::int64_t, 3>> extentsOf(const Value& value)
{
    if (host::isInteger(value.kind) && value.isKnown)
        return std::array<std::int64_t, 3> { value.integer, 1, 1 };
    const bool isOfThree = value.kind == Kind::Whole && value.thing && !value.thing->isUnknown && value.thing->type && value.thing->type->name == "dim3" && value.thing->items.size() == 3;
    if (!isOfThree || !std::ranges::all_of(value.thing->items, &Value::isKnown))
        return std::nullopt;
    return std::array { value.thing->items[0].integer, value.thing->items[1].integer, value.thing->items[2].integer };
}

HostLaunch shapeOf(const host::ReachedLaunch& launch, int depth)
{
    HostLaunch made;
    const std::vector<Value>& shape = launch.configuration;
    if (shape.size() >= 2) {
        made.grid = extentsOf(shape[0]);
        made.block = extentsOf(shape[1]);
        made.sharedBytes = shape.size() < 3 ? std::optional<std::int64_t>(0) : host::isInteger(shape[2].kind) && shape[2].isKnown ? std::optional(shape[2].integer) : std::nullopt;
    }
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        eachInteger(launch.arguments[i], std::to_string(i), depth, [&](const std::string& path, std::int64_t integer) { made.integers[path] = integer; });
    return made;
}

/// Writes down what launches are given, each when it is come to for the first time.
class Notes {
public:
    Notes(std::span<const ProgramFile> files, const std::optional<HostBuffer>& asked, HostContents& contents)
        : m_asked(asked)
        , m_contents(contents)
    {
        for (const ProgramFile& file : files)
            std::ranges::copy(kernelDeclarations(file.text), std::back_inserter(m_kernels));
    }

    [[nodiscard]] bool hasReached(int place) const
    {
        return std::ranges::any_of(m_reached, [&](const HostBuffer& launch) { return launch.launch == place; });
    }

    /// Of the launches at one place alone, which the program does not come to by itself.
    void keepOnly(int place)
    {
        m_aside = place;
        m_reached.clear();
    }

    /// False: no more is asked for.
    bool reached(const host::ReachedLaunch& launch)
    {
        const bool isKept = m_aside == 0 || m_aside == launch.place;
        const HostBuffer whole { launch.place, launch.ofTemplate, launch.kernel, "", m_aside != 0 };
        if (!m_reached.insert(whole).second)
            return true;
        if (!m_asked && isKept) {
            const int order = int(m_contents.launches.size());
            HostLaunch& noted = m_contents.launches[whole] = shapeOf(launch, kDeepest);
            noted.order = order;
        }
        bool goesOn = true;
        for (std::size_t i = 0; i < launch.arguments.size(); ++i)
            eachPointer(launch.arguments[i], std::to_string(i), kDeepest, [&](const std::string& path, const Value& pointer) {
                HostBuffer buffer = whole;
                buffer.argument = path;
                if (isKept)
                    goesOn = take(buffer, pointer) && goesOn;
            });
        noteTaken(launch);
        for (const auto& [name, value] : launch.symbols)
            if (const auto texts = numberTexts(value); !m_asked && isKept && !texts.empty()) {
                HostBuffer variable = whole;
                variable.argument = name;
                m_contents.constants[variable] = texts;
            }
        return goesOn && m_aside != launch.place;
    }

private:
    static constexpr int kDeepest = 4; ///< of structures

    bool take(const HostBuffer& buffer, const Value& pointer)
    {
        if (m_asked && buffer != *m_asked) {
            takeBeside(buffer, pointer);
            return true;
        }
        if (pointer.thing->isTaken)
            m_contents.taken.insert(buffer);
        if (m_asked) {
            m_contents.bytes = bytesBehind(pointer);
            return false;
        }
        if (const auto size = sizeBehind(pointer))
            m_contents.sizes[buffer] = *size;
        if (pointer.thing->element && !pointer.thing->element->isStored() ? bytesBehind(pointer).has_value() : isKnownFrom(*pointer.thing, pointer.integer))
            m_contents.known.insert(buffer);
        return true;
    }

    void takeBeside(const HostBuffer& buffer, const Value& pointer)
    {
        constexpr std::size_t kMostBeside = std::size_t(256) << 20;
        const Type* const element = pointer.thing->element;
        const bool isOfTheSame = buffer.launch == m_asked->launch && buffer.instance == m_asked->instance && buffer.kernel == m_asked->kernel;
        if (!isOfTheSame || !element || !element->isPlain() || !host::isInteger(element->kind) || pointer.thing->bytes.size() + m_besideBytes > kMostBeside)
            return;
        if (auto bytes = bytesBehind(pointer)) {
            m_besideBytes += bytes->size();
            m_contents.beside[buffer] = *std::move(bytes);
        }
    }

    void noteTaken(const host::ReachedLaunch& launch)
    {
        const auto declared = std::ranges::find(m_kernels, launch.kernel, &KernelDeclaration::name);
        for (std::size_t i = 0; declared != m_kernels.end() && i < launch.arguments.size() && i < declared->parameters.size(); ++i)
            if (const Value& argument = launch.arguments[i]; argument.kind == Kind::Pointer && argument.isKnown && argument.thing && !parameterOf(declared->parameters[i], "", *declared).isConst) {
                argument.thing->isTaken = true;
                if (!argument.thing->isDevice) // managed: the host may read what the kernel has left
                    argument.thing->forget(true);
            }
    }

    const std::optional<HostBuffer>& m_asked;
    HostContents& m_contents;
    std::vector<KernelDeclaration> m_kernels;
    std::set<HostBuffer> m_reached;
    int m_aside = 0; ///< the only place to keep; 0: all
    std::size_t m_besideBytes = 0;
};

} // namespace

HostContents hostContents(
    std::span<const ProgramFile> files, std::span<const HostNumber> numbers, const std::optional<HostBuffer>& asked, std::stop_token stop, std::int64_t steps)
{
    const ProgramText text({ files.begin(), files.end() });
    const HostProgram program(text);
    HostContents contents;
    if (!program.function("main", 0))
        return contents;
    Notes notes(files, asked, contents);
    std::int64_t left = steps;
    std::set<int> mayBeReached;
    const auto follow = [&](std::optional<int> wanted) {
        if (wanted)
            notes.keepOnly(*wanted);
        host::Parser parser(program); // a run's own: it notes in the code what it finds
        host::Run run(parser,
            { .given = { numbers.begin(), numbers.end() }, .reached = [&](const host::ReachedLaunch& launch) { return notes.reached(launch); }, .stop = stop, .steps = left, .wanted = wanted });
        run.run();
        left -= run.stepsTaken();
        if (!wanted)
            mayBeReached = run.launchedByMain();
        contents.numbers.merge(std::set<std::string>(run.numbersRead()));
    };
    follow(asked && asked->isAside ? std::optional(asked->launch) : std::nullopt);
    if (asked)
        return contents;
    std::erase_if(mayBeReached, [&](int place) { return notes.hasReached(place); });
    for (const int place : mayBeReached)
        if (left > 0)
            follow(place);
    return contents;
}

} // namespace coalescope::kernels
