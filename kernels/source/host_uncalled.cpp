// SPDX-License-Identifier: Apache-2.0
// Functions that nothing calls, as those of a library: with arguments that are guessed.
#include "kernels/source/host_reader.h"

#include <algorithm>

namespace coalescope::kernels {
namespace {

/// Of the integers a library's function is called with, by how many there are: a problem of about the same size.
constexpr std::array<std::int64_t, 4> kGuessedExtents { 1 << 20, 1024, 256, 64 };

constexpr std::int64_t kFew = 8;

/// The k of n and k: neighbours, letters of a word. Beside an m it is a matrix's side.
bool isFewBeside(std::string_view name, const std::vector<HostParameter>& parameters)
{
    const auto has = [&](std::string_view other) { return std::ranges::find(parameters, other, &HostParameter::name) != parameters.end(); };
    return name == "k" && has("n") && !has("m");
}

} // namespace

/// Templates come last, for others may call them with their arguments, and members of classes last of all.
void HostReader::readLaunchers()
{
    for (const bool isTemplate : { false, true }) {
        for (const HostFunction* function : m_program.functions()) {
            const bool isOfLibrary = m_program.text().isOfLibrary(token(function->returnFirst)); // such as tells Python what there is
            if (m_launching.contains(function) && !m_called.contains(function) && function->ofTemplate.empty() != isTemplate && function->name != "main" && !isOfLibrary)
                runUncalled(*function, m_globals);
        }
    }
    readLaunchingMembers();
}

/// Of classes that nothing makes objects of: those first that no other one calls.
void HostReader::readLaunchingMembers()
{
    std::map<const HostClass*, HostValue> objects;
    const auto used = m_usedClasses;
    const auto isUsed = [&](const HostClass& type) { return std::ranges::any_of(used, [&](const HostClass* other) { return m_program.derives(other->name, type.name) || other->foreign.contains(type.name); }); };
    for (const bool isWithin : { false, true }) {
        for (const HostFunction& function : m_program.everyFunction()) {
            const HostClass* const type = function.ofClass.empty() ? nullptr : m_program.classNamed(function.ofClass);
            const bool isAsked = type && function.name != type->name && !m_called.contains(&function) && (isWithin || !isCalledByLaunching(function));
            if (!isAsked || isUsed(*type) || isOfLibrary(function) || !launchesIn({ function.bodyFirst, function.bodyLast }))
                continue;
            const auto [object, isNew] = objects.try_emplace(type);
            if (isNew)
                object->second = objectOfNobody(*type);
            if (!m_called.contains(&function)) // making the object may have called it
                runUncalled(function, object->second.scope);
        }
    }
}

/// Another function that launches names it.
bool HostReader::isCalledByLaunching(const HostFunction& function) const
{
    return std::ranges::any_of(m_program.everyFunction(), [&](const HostFunction& other) {
        if (&other == &function || !launchesIn({ other.bodyFirst, other.bodyLast }))
            return false;
        for (std::size_t i = other.bodyFirst; i < other.bodyLast; ++i)
            if (token(i).is(function.name) && token(i + 1).is("("))
                return true;
        return false;
    });
}

/// Made by the constructor that takes most, and what asks for its memory elsewhere has done so; integers that nobody sets are not known.
HostValue HostReader::objectOfNobody(const HostClass& type)
{
    const HostFunction* constructor = nullptr;
    for (const HostFunction* function : m_program.functionsOf(type, type.name)) {
        const auto first = function->parameters.empty() ? std::nullopt : typeOf(function->parameters[0]);
        const bool isCopy = first && first->name == type.name;
        if (!isCopy && (!constructor || function->parameters.size() > constructor->parameters.size()))
            constructor = function;
    }
    m_open = 0;
    const std::vector<std::string> types = guessedTypes(type.ofTemplate);
    HostValue object = constructor ? construct(type, guessedArguments(*constructor), types) : unknownObject(type, types);
    for (const HostFunction* function : type.functions) {
        const auto body = std::span(m_program.tokens()).subspan(function->bodyFirst, function->bodyLast - function->bodyFirst);
        const bool allocates = std::ranges::any_of(body, [](const Token& token) { return token.text.starts_with("cudaMalloc"); });
        if (allocates && function->name != type.name && !m_called.contains(function) && !launchesIn({ function->bodyFirst, function->bodyLast }))
            runUncalled(*function, object.scope);
    }
    for (const HostParameter& field : type.members) {
        HostValue& member = object.scope->values[field.name];
        if (field.hasValue() || !member.isKnownFalse() || !isCount(member.type))
            continue;
        const std::string of = member.type;
        member = {};
        member.type = of;
    }
    return object;
}

/// A number for each of the integers among them.
std::int64_t HostReader::guessedExtent(const std::vector<HostParameter>& parameters)
{
    const auto isInteger = [&](const HostParameter& parameter) {
        const auto type = typeOf(parameter);
        return type && type->pointers == 0 && isCount(type->name);
    };
    std::size_t integers = 0, power = 1;
    for (const HostParameter& parameter : parameters) {
        if (!isInteger(parameter) || noSizeByName(parameter.name) || isFewBeside(parameter.name, parameters))
            continue;
        ++integers;
        power = std::max(power, powerOf(parameter.name));
    }
    return guessedExtent(std::max(integers, power));
}

std::int64_t HostReader::guessedExtent(std::size_t integers)
{
    return kGuessedExtents[std::clamp<std::size_t>(integers, 1, kGuessedExtents.size()) - 1];
}

std::vector<HostValue> HostReader::guessedArguments(const HostFunction& function)
{
    const std::int64_t extent = guessedExtent(function.parameters);
    std::vector<HostValue> arguments;
    for (const HostParameter& parameter : function.parameters)
        arguments.push_back(unknownOf(parameter, isFewBeside(parameter.name, function.parameters) ? kFew : extent));
    return arguments;
}

std::vector<std::string> HostReader::guessedTypes(const std::vector<HostParameter>& ofTemplate)
{
    std::vector<std::string> types;
    for (const HostParameter& parameter : ofTemplate)
        if (!parameter.hasValue())
            types.push_back(parameter.isType ? "float" : exampleNumber(parameter.name));
    return types;
}

HostValue HostReader::guessedReal(const std::string& name)
{
    HostValue value = HostValue::of(Symbolic::ofReal(realByName(name)));
    value.number.isGuessed = true;
    return value;
}

/// `seen`: the members of the object that it is called for, or what all see.
void HostReader::runUncalled(const HostFunction& function, HostScope* seen)
{
    std::vector<HostValue> arguments = guessedArguments(function);
    m_open = 0;
    call(function, std::move(arguments), guessedTypes(function.ofTemplate), seen);
}

HostValue HostReader::unknownOf(const HostParameter& parameter, std::int64_t extent)
{
    const auto type = typeOf(parameter);
    if (!type || type->name == "cudaStream_t")
        return {};
    if (type->pointers == 1) {
        HostValue pointer { .kind = HostKind::Pointer };
        pointer.type = type->name;
        if (const HostClass* known = m_program.classNamed(type->name)) // perhaps the host's
            pointer.scope = unknownObject(*known).scope;
        pointer.buffer = newBuffer(parameter.name, std::nullopt, type->name);
        if (!pointer.scope && bytesOfType(type->name) >= 4) // perhaps of one number, for results
            pointer.target = { .scope = newScope(nullptr), .name = parameter.name };
        if (pointer.buffer >= 0 && type->isConst)
            m_found.buffers[std::size_t(pointer.buffer)].fill = BufferFill::Copied;
        return pointer;
    }
    const int bytes = bytesOfType(type->name);
    if (type->name == "float" || type->name == "double")
        return guessedReal(parameter.name);
    if (const HostClass* known = bytes == 0 && type->pointers == 0 ? m_program.classNamed(type->name) : nullptr)
        return unknownObject(*known);
    if (const std::string component = componentOf(type->name); !component.empty()) {
        std::vector<HostValue> values;
        for (int i = 0; i < plainType(type->name)->elements; ++i)
            values.push_back(isCount(component) ? guessed(parameter.name + "_" + "xyzw"[i], extent) : HostValue::of(Symbolic::ofInteger(1)));
        return vectorOfComponents(type->name, std::move(values));
    }
    if (bytes >= 4 && bytes <= 8)
        return guessed(parameter.name, noSizeByName(parameter.name).value_or(extent));
    return bytes > 0 ? HostValue::of(Symbolic::ofInteger(1)) : HostValue {};
}

} // namespace coalescope::kernels
