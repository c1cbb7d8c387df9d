// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/replay.h"

#include "kernels/host/launch_arguments.h"
#include "kernels/source/template_deduction.h"

#include <algorithm>
#include <set>

namespace coalescope::kernels::host {
namespace {

/// It is of numbers, and of pointers into the GPU's memory.
bool isPlainMemory(const Type& type)
{
    return type.isPlain() || type.isAddress() || (type.element ? isPlainMemory(*type.element) : !type.parts.empty() && std::ranges::all_of(type.parts, [](const Type* part) { return isPlainMemory(*part); }));
}

/// Of the numbers and pointers that such memory is made of, in bytes.
std::size_t smallestIn(const Type& type)
{
    if (type.element && !type.isAddress())
        return smallestIn(*type.element);
    std::size_t least = type.parts.empty() ? type.bytes() : 8;
    for (const Type* part : type.parts)
        least = std::min(least, smallestIn(*part));
    return std::max<std::size_t>(1, type.bits.empty() ? least : 1);
}

} // namespace

std::optional<KernelParameter> parameterOf(std::span<const KernelDeclaration> kernels, std::string_view kernel, std::size_t argument)
{
    const auto declared = std::ranges::find(kernels, kernel, &KernelDeclaration::name);
    const std::string* const parameter = declared == kernels.end() ? nullptr : parameterFor(*declared, argument);
    return parameter ? std::optional(kernels::parameterOf(*parameter, "", *declared)) : std::nullopt;
}

bool Replay::mayWrite(const HostBuffer& launch, std::size_t argument, const std::string& path) const
{
    if (const auto parameter = parameterOf(m_kernels, launch.kernel, argument); parameter && parameter->isConst)
        return false;
    HostBuffer buffer = launch;
    buffer.argument = path;
    return m_executor.mayWrite(buffer);
}

LaunchToExecute::Leaf Replay::leafOf(const Value& value, std::vector<Used>& used)
{
    using Kind = LaunchToExecute::Leaf::Kind;
    if (isNumber(value.kind) && value.isKnown)
        return { .kind = isReal(value.kind) ? Kind::Real : Kind::Integer, .integer = value.integer, .real = value.real, .memory = {} };
    if (value.kind != host::Kind::Pointer || !value.isKnown)
        return {};
    LaunchToExecute::Leaf leaf { .kind = Kind::Pointer, .memory = {} };
    if (!value.thing)
        return leaf;
    auto known = std::ranges::find_if(used, [&](const Used& other) { return other.memory.get() == value.thing.get(); });
    if (known == used.end())
        known = used.insert(known, { .memory = value.thing, .isWritten = false, .forgets = value.thing->forgets });
    leaf.memory = std::size_t(known - used.begin());
    leaf.integer = bytesBefore(value);
    return leaf;
}

void Replay::launched(const HostBuffer& name, const ReachedLaunch& launch)
{
    Waiting waiting { .launch = { .launch = name }, .used = {} };
    LaunchToExecute& made = waiting.launch;
    const std::vector<Value>& shape = launch.configuration;
    const auto grid = shape.size() >= 2 ? extentsOf(shape[0]) : std::nullopt, block = shape.size() >= 2 ? extentsOf(shape[1]) : std::nullopt;
    const auto shared = sharedBytesOf(shape);
    bool isKnown = grid && block && shared, isOfHost = false;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        eachPointer(launch.arguments[i], std::to_string(i), [&](const std::string& path, const Value& pointer) {
            if (!pointer.thing)
                return;
            if (pointer.thing->raw >= 0)
                m_run.giveType(*pointer.thing, pointer.points);
            const LaunchToExecute::Leaf leaf = leafOf(pointer, waiting.used);
            Used& used = waiting.used[*leaf.memory];
            used.isWritten = used.isWritten || mayWrite(name, i, path);
            isOfHost = isOfHost || !pointer.thing->isDevice;
            isKnown = isKnown && leaf.integer >= 0;
        });
        std::vector<LaunchToExecute::Leaf>& leaves = made.arguments.emplace_back();
        eachLeaf(launch.arguments[i], [&](const Value& leaf) { leaves.push_back(leafOf(leaf, waiting.used)); });
    }
    for (const ReachedVariable& variable : launch.variables) {
        const LaunchToExecute::Leaf leaf = leafOf(Value::pointer(variable.memory, 0), waiting.used);
        Used& used = waiting.used[*leaf.memory];
        used.variable = variable.name;
        used.isWritten = used.isWritten || variable.isWritten;
        isOfHost = isOfHost || !variable.memory->isDevice;
    }
    takePointed(name, launch, waiting.used);
    if (!isKnown || m_waiting.size() >= kMostWaiting) {
        giveUp(waiting, isKnown ? "'" + name.kernel + "' comes behind too many launches" : "the host code does not tell what '" + name.kernel + "' is launched with");
        return;
    }
    for (const Used& used : waiting.used)
        used.memory->takenBy = used.isWritten ? std::string_view(*m_takers.insert(name.kernel).first) : used.memory->takenBy;
    made.grid = *grid;
    made.block = *block;
    made.sharedBytes = *shared;
    m_waiting.push_back(std::move(waiting));
    if (isOfHost) // what the host may look into, or change, without a copy
        for (const Used& used : std::vector<Used>(m_waiting.back().used))
            settle(*used.memory, true);
}

/// The memory that pointers in the launch's memories lead to. It may be written to where a kernel writes through such a variable, is given
/// a table of pointers to what is not const, or an object, which may hold any.
void Replay::takePointed(const HostBuffer& launch, const ReachedLaunch& reached, std::vector<Used>& used)
{
    std::vector<bool> leadsToWrites;
    for (const Used& one : used)
        leadsToWrites.push_back(!one.variable.empty() && one.isWritten);
    for (std::size_t i = 0; i < reached.arguments.size(); ++i) {
        const auto parameter = parameterOf(m_kernels, launch.kernel, i);
        const bool isOfReads = parameter && parameter->plain && (parameter->pointers < 2 || parameter->isOfConst);
        eachPointer(reached.arguments[i], "", [&](const std::string&, const Value& pointer) {
            for (std::size_t k = 0; k < used.size(); ++k)
                leadsToWrites[k] = leadsToWrites[k] || (!isOfReads && used[k].memory.get() == pointer.thing.get());
        });
    }
    for (std::size_t i = 0; i < used.size() && used.size() < kMostPointed; ++i) {
        const Handle memory = used[i].memory;
        if (!memory->element || !memory->element->hasAddresses())
            continue;
        settle(*memory, false);
        eachAddressIn(*memory, [&](const Value& pointer) {
            if (pointer.thing->raw >= 0)
                m_run.giveType(*pointer.thing, pointer.points);
            const std::size_t at = *leafOf(pointer, used).memory;
            leadsToWrites.resize(used.size());
            used[at].isWritten = used[at].isWritten || leadsToWrites[i];
            leadsToWrites[at] = leadsToWrites[at] || leadsToWrites[i];
        });
    }
}

void Replay::giveUp(const Waiting& waiting, const std::string& why)
{
    for (const Used& used : waiting.used)
        if (used.isWritten) {
            used.memory->takenBy = *m_takers.insert(waiting.launch.launch.kernel).first;
            used.memory->forget(true);
            m_why[used.memory.get()] = why;
        }
}

void Replay::settle(Thing& memory, bool isWritten)
{
    std::set<const Thing*> wanted { &memory }, written; // what must be right, and what launches that are to be executed write to
    if (isWritten)
        written.insert(&memory);
    std::vector<bool> isDue(m_waiting.size());
    for (std::size_t i = m_waiting.size(); i-- > 0;) {
        const std::vector<Used>& used = m_waiting[i].used;
        isDue[i] = std::ranges::any_of(used, [&](const Used& one) { return (one.isWritten && wanted.contains(one.memory.get())) || written.contains(one.memory.get()); });
        for (const Used& one : used) {
            if (!isDue[i])
                continue;
            wanted.insert(one.memory.get());
            if (one.isWritten)
                written.insert(one.memory.get());
        }
    }
    std::vector<Waiting> due, later;
    for (std::size_t i = 0; i < m_waiting.size(); ++i)
        (isDue[i] ? due : later).push_back(std::move(m_waiting[i]));
    m_waiting = std::move(later);
    for (Waiting& waiting : due)
        execute(waiting);
}

void Replay::execute(Waiting& waiting)
{
    std::vector<LaunchMemory>& memories = waiting.launch.memories;
    for (const Used& used : waiting.used) {
        memories.push_back(takeContent(*used.memory, used.isAsItWas()));
        memories.back().address = used.memory->number > 0 ? addressOf(used.memory->number) : 0;
        memories.back().isWritten = used.isWritten;
        memories.back().variable = used.variable;
    }
    std::string& why = waiting.launch.why;
    if (std::ranges::any_of(memories, [](const LaunchMemory& memory) { return memory.width == 0; }))
        why = "has memory of which nobody knows what it is made of";
    else
        m_executor.execute(waiting.launch);
    const auto pointerAt = [&](const Type& type, std::uint64_t address) {
        for (const Used& used : waiting.used) {
            const std::uint64_t behind = used.memory->number > 0 ? address - addressOf(used.memory->number) : kBetweenPointed;
            const std::size_t width = type.element ? type.element->bytes() : 0;
            if (behind < kBetweenPointed && width > 0 && behind % width == 0)
                return Value::pointer(used.memory, std::int64_t(behind / width));
        }
        return Value::unknown(host::Kind::Pointer);
    };
    std::string sentence = "'" + waiting.launch.launch.kernel + "' " + (why.empty() ? "depends on data that nobody knows" : why);
    for (const Used& used : waiting.used) // a launch before is why
        if (const auto earlier = m_why.find(used.memory.get()); why.empty() && earlier != m_why.end())
            sentence = earlier->second;
    for (std::size_t i = 0; i < waiting.used.size(); ++i) {
        Thing& memory = *waiting.used[i].memory;
        const bool isLeft = why.empty() && waiting.used[i].isWritten && waiting.used[i].isAsItWas() && !memories[i].isUnknown;
        if (!isLeft && memory.element && memory.element->isStored() && memory.bytes.empty())
            memory.bytes = std::move(memories[i].bytes); // back
        if (!waiting.used[i].isWritten)
            continue;
        if (isLeft) {
            memory.assign(std::move(memories[i].bytes), std::move(memories[i].unknown), pointerAt);
            m_why.erase(&memory);
        } else {
            memory.forget(true);
            --memory.forgets; // for those that wait behind it, it is not forgotten since
            m_why.try_emplace(&memory, sentence);
        }
    }
    memories.clear();
}

std::string Replay::whyUnknown(const Thing& memory) const
{
    const auto why = m_why.find(&memory);
    return why == m_why.end() ? "" : why->second;
}

/// Of width 0: there is none that could be told. Bytes, of which there may be many, are the memory's own: it is to have them back.
LaunchMemory Replay::takeContent(Thing& memory, bool isAsItWas)
{
    constexpr std::size_t kMostObjects = 65536; ///< that are not kept as bytes
    LaunchMemory content;
    if (!memory.element || memory.raw >= 0 || memory.isUnknown)
        return content;
    const Type& element = *memory.element;
    if (element.isStored() && memory.hollow < 0) {
        content.bytes = std::move(memory.bytes);
        memory.bytes.clear();
        content.unknown = memory.unknown;
    } else {
        if (element.isStored() || element.bytes() == 0 || !isPlainMemory(element) || memory.size() > kMostObjects)
            return content;
        Addresses addresses;
        for (std::size_t i = 0; i < memory.size(); ++i) {
            content.unknown.push_back(memory.hollow >= 0 || !appendBytes(memory.items[i], element, content.bytes, &addresses));
            content.bytes.resize((i + 1) * element.bytes());
        }
    }
    content.width = element.bytes();
    content.unit = element.isPlain() ? 0 : smallestIn(element);
    content.isReal = element.isOfReals();
    if (!isAsItWas)
        content.unknown.assign(content.bytes.size() / std::max<std::size_t>(content.width, 1), true);
    return content;
}

} // namespace coalescope::kernels::host
