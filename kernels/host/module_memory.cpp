// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/launch_arguments.h"
#include "kernels/host/run.h"

#include <algorithm>
#include <cstring>

namespace coalescope::kernels::host {

/// The variable that a call of the runtime is given: `x`, `&x`, `(const void*)x`; null: it names none.
Handle Run::variableNamedIn(const Node& call, std::size_t argument)
{
    const Node* node = argument < call.kids.size() ? call.kids[argument] : nullptr;
    while (node && (node->op == Op::AddressOf || node->op == Op::Cast || node->op == Op::Index) && !node->kids.empty())
        node = node->kids[0];
    if (!node || node->op != Op::Local)
        return node && (node->op == Op::Named || node->op == Op::Global) ? variableOfModule(node->name) : Handle {};
    const Value given = value(*node); // a function's parameter
    const auto isGiven = [&](const auto& known) { return given.thing && known.second.get() == given.thing.get(); };
    return std::ranges::any_of(m_ofModule, isGiven) ? given.thing : Handle {};
}

/// The memory of a variable of the GPU's, as the host code and launches have left it; null: the program has no such variable.
Handle Run::variableOfModule(std::string_view name)
{
    if (const auto known = m_ofModule.find(name); known != m_ofModule.end())
        return known->second;
    const Node* const declared = m_parser.variableOfModule(name);
    if (!declared)
        return {};
    const bool isManaged = m_parser.isGlobal(*declared);
    if (isManaged)
        if (const Value& held = m_globals->items[std::size_t(declared->slot)]; held.kind == Kind::Whole && held.thing && held.thing->element && held.thing->element->isStored())
            return m_ofModule[std::string(name)] = held.thing;
    const Type* const type = declaredType(*declared);
    const Type* element = type;
    std::int64_t count = 1;
    for (; element->shape == Type::Shape::Array; element = element->element)
        count = element->count < 0 || count < 0 ? -1 : count * element->count;
    const Handle memory = newThing(nullptr, element, count, initial(*element));
    m_ofModule.emplace(name, memory);
    memory->isDevice = !isManaged;
    const std::size_t size = memory->isUnknown ? 0 : memory->size() * element->bytes();
    if (size == 0)
        return memory;
    std::vector<std::uint8_t> bytes = declared->kids[0] ? bytesOfVariable(initialValue(*type, *declared)) : std::vector<std::uint8_t>(size);
    if (bytes.size() == size)
        memory->assign(std::move(bytes));
    else
        memory->forget(true);
    return memory;
}

/// What a launch of the kernel finds in the module.
std::vector<ReachedVariable> Run::variablesOf(std::string_view kernel)
{
    std::vector<ReachedVariable> variables;
    if (!m_options.variablesOf)
        return variables;
    for (const ModuleVariable& variable : m_options.variablesOf(kernel))
        if (Handle memory = variableOfModule(variable.name))
            variables.push_back({ variable.name, std::move(memory), variable.isWritten });
    return variables;
}

/// Puts what the host has in managed variables where launches find it, or, `isBack`, where the host does.
void Run::carryManaged(const std::vector<ReachedVariable>& variables, bool isBack)
{
    for (const ReachedVariable& variable : variables) {
        const Node* const declared = variable.memory->isDevice ? nullptr : m_parser.variableOfModule(variable.name);
        if (!declared || !m_parser.isGlobal(*declared))
            continue;
        Value& held = m_globals->items[std::size_t(declared->slot)];
        Thing& memory = *variable.memory;
        if (held.thing.get() == &memory || (isBack && !variable.isWritten))
            continue;
        std::vector<std::uint8_t> content = bytesOfVariable(isBack ? Value::pointer(variable.memory, 0) : held);
        const bool isKnown = !content.empty() && content.size() == memory.size() * std::size_t(memory.width());
        if (isBack && isKnown)
            m_globals->set(declared->slot, valueOfBytes(*declaredType(*declared), content.data()));
        else if (isBack && held.thing)
            forget(*held.thing, true);
        else if (isBack)
            held.isKnown = false;
        else if (isKnown)
            memory.assign(std::move(content));
        else
            memory.forget(true);
    }
}

std::optional<Value> Run::callOfModule(std::string_view name, const Node& node)
{
    const bool isTo = name.starts_with("cudaMemcpyToSymbol"), isFrom = name.starts_with("cudaMemcpyFromSymbol"), isAddress = name == "cudaGetSymbolAddress";
    if ((!isTo && !isFrom && !isAddress) || node.kids.size() < 2)
        return std::nullopt;
    const Handle memory = variableNamedIn(node, isTo ? 0 : 1);
    const Value success = Value::of(Kind::I32, 0);
    if (!memory) {
        forgetArgument(*node.kids[isTo ? 1 : 0]);
        return success;
    }
    const Value other = asPointer(value(*node.kids[isTo ? 1 : 0]));
    if (isAddress) {
        if (other.kind == Kind::Pointer && other.thing)
            other.thing->set(other.integer, Value::pointer(memory, 0));
        return success;
    }
    const Value bytes = node.kids.size() > 2 ? value(*node.kids[2]) : Value {};
    const Value offset = node.kids.size() > 3 ? value(*node.kids[3]) : Value::of(Kind::I64, 0);
    const std::int64_t width = memory->width();
    const bool isElement = offset.isKnown && width > 0 && offset.asInteger() % width == 0;
    if (isTo && bytes.isKnown && offset.isKnown && putBytes(*memory, offset.asInteger(), bytesAt(other, bytes.asInteger()), other.thing ? other.thing->takenBy : std::string_view {}))
        return success;
    const Value at = isElement ? Value::pointer(memory, offset.asInteger() / width) : Value {};
    if (isElement && isTo)
        copyBytes(at, other, bytes);
    else if (isElement)
        copyBytes(other, at, bytes);
    else if (isTo)
        memory->forget(true);
    else
        forgetArgument(*node.kids[0]);
    return success;
}

/// So many from where a pointer points to, as they lie in memory; empty: not known.
std::vector<std::uint8_t> Run::bytesAt(const Value& from, std::int64_t count)
{
    if (from.kind != Kind::Pointer || !from.thing || count <= 0)
        return {};
    touch(*from.thing, false);
    const Thing& source = *from.thing;
    const std::int64_t width = source.width(), first = from.integer * width;
    if (!source.element && source.at(from.integer).kind == Kind::Pointer) // a pointer itself is none of what is kept as bytes
        return {};
    const bool isStored = source.element && source.element->isStored() && source.unknown.empty() && source.hollow < 0 && !source.isUnknown;
    const std::vector<std::uint8_t> made = isStored ? std::vector<std::uint8_t> {} : bytesOfVariable(source.element ? Value::pointer(from.thing, 0) : source.at(from.integer)); // the latter: &variable
    const std::vector<std::uint8_t>& content = isStored ? source.bytes : made;
    if (first < 0 || count > kMostBytes || first + count > std::int64_t(content.size()))
        return {};
    m_steps += count / 64;
    return { content.begin() + first, content.begin() + first + count };
}

/// Writes bytes, that a launch has left where they come from, into a variable of the module. False: it has to be done otherwise.
bool Run::putBytes(Thing& memory, std::int64_t offset, const std::vector<std::uint8_t>& content, std::string_view takenBy)
{
    touch(memory, true);
    const std::size_t width = memory.element->bytes(), size = memory.size() * width, first = std::size_t(offset);
    if (content.empty() || memory.isUnknown || width == 0 || offset < 0 || first + content.size() > size)
        return false;
    if (memory.element->isStored()) {
        const bool isOfElements = first % width == 0 && content.size() % width == 0;
        if (!isOfElements && !memory.unknown.empty())
            return false;
        std::memcpy(memory.bytes.data() + first, content.data(), content.size());
        for (std::size_t i = first / width; i < memory.unknown.size() && i * width < first + content.size(); ++i)
            memory.unknown[i] = false;
    } else {
        std::vector<std::uint8_t> all = content.size() == size ? content : bytesOfVariable(Value::pointer(Handle(&memory), 0));
        if (all.size() != size)
            return false;
        std::memcpy(all.data() + first, content.data(), content.size());
        memory.assign(std::move(all));
    }
    memory.takenBy = content.size() == size || !takenBy.empty() ? takenBy : memory.takenBy;
    return true;
}

} // namespace coalescope::kernels::host
