// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include "kernels/catalogue/expression.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr int kDeepestCall = 24;
constexpr std::size_t kMostBuffers = 1000, kMostParameters = 1000, kMostLaunches = 200;
constexpr std::int64_t kLongestMember = 64; ///< elements of an array in a structure
constexpr double kLargestParameter = 1u << 31; ///< of a manifest
constexpr int kMostOfAKernel = 8; ///< launches of a kernel with other template arguments

/// What a size is taken to be where no code says it.
constexpr int kGuessedLength = 1 << 20, kGuessedExtent = 1024;

} // namespace

HostReader::HostReader(HostProgram& program)
    : m_program(program)
    , m_globals(newScope(nullptr))
    , m_scope(m_globals)
{
}

HostScope* HostReader::newScope(HostScope* outer)
{
    m_scopes.emplace_back();
    m_scopes.back().outer = outer;
    return &m_scopes.back();
}

ProgramLaunches HostReader::read()
{
    readGlobals();
    findLaunching();
    if (const HostFunction* main = m_program.function("main", 0)) {
        std::vector<HostValue> arguments;
        if (!main->parameters.empty())
            arguments.push_back(HostValue::of(Symbolic::ofInteger(1))); // argc
        call(*main, std::move(arguments), {}, m_globals);
    }
    readLaunchers();
    return std::move(m_found);
}

void HostReader::readGlobals()
{
    for (const std::string_view name : m_program.text().constantNames()) // kernels may use what the host does not
        if (const auto range = m_program.text().constant(name))
            named(std::string(name), evaluate({ range->first, range->second }), true);
    for (const auto& [name, value] : m_program.enumerators()) {
        HostValue enumerator = HostValue::of(Symbolic::ofInteger(value));
        enumerator.isEnumerator = true;
        enumerator.type = "int";
        m_globals->values[name] = std::move(enumerator);
    }
    for (const Declaration& type : m_program.types()) {
        const std::vector<Token>& all = m_program.tokens();
        if (type.names.empty())
            continue;
        std::size_t at = type.first + 1;
        if (all[type.first].is("using"))
            at = type.first + 3;
        if (const auto named = typeAt(at, type.last); named && named->name != type.names.back() && at <= type.last)
            m_globals->types[std::string(type.names.back())] = named->name + std::string(std::size_t(named->pointers), '*');
    }
    m_found.aliases = m_globals->types;
    m_found.aliases.merge(m_program.text().renamings());
    for (const Declaration& variable : m_program.variables()) {
        std::size_t at = variable.first;
        if (m_program.tokens()[at].is("template") || !startsDeclaration(at, variable.last))
            continue;
        declaration(at, variable.last, false);
        for (const std::string_view name : variable.names) { // kernels may see them, too
            const auto known = m_globals->values.find(name);
            if (known == m_globals->values.end() || !known->second.isNumber())
                continue;
            const auto parameter = std::ranges::find(m_found.parameters, known->second.number.text(), &ProgramParameter::name);
            if (parameter != m_found.parameters.end() && parameter->define.empty())
                parameter->define = name;
        }
    }
}

/// The functions that launch, themselves or through others.
void HostReader::findLaunching()
{
    const auto launches = [&](const HostFunction& function) {
        for (std::size_t i = function.bodyFirst; i < function.bodyLast; ++i) {
            if (token(i).is("<<<") || (token(i).isWord() && token(i).text.starts_with("cudaLaunch")))
                return true;
            if (!token(i).isWord())
                continue;
            for (const HostFunction* other : m_launching)
                if (other->name == token(i).text)
                    return true;
        }
        return false;
    };
    for (bool grows = true; grows;) {
        grows = false;
        for (const HostFunction* function : m_program.functions())
            if (!m_launching.contains(function) && launches(*function))
                grows = m_launching.insert(function).second;
    }
}

/// Functions that nothing of what was read calls, as those of a library: with values that are guessed. Templates come
/// last, for others may call them with their arguments.
void HostReader::readLaunchers()
{
    for (const bool isTemplate : { false, true }) {
        for (const HostFunction* function : m_program.functions()) {
            if (m_launching.contains(function) && !m_called.contains(function) && function->ofTemplate.empty() != isTemplate && function->name != "main")
                runUncalled(*function);
        }
    }
}

void HostReader::runUncalled(const HostFunction& function)
{
    const auto isInteger = [&](const HostParameter& parameter) {
        std::size_t at = parameter.typeFirst;
        const auto type = typeAt(at, parameter.typeLast);
        return type && type->pointers == 0 && bytesOfType(type->name) >= 4 && type->name != "float" && type->name != "double";
    };
    const bool isOnly = std::ranges::count_if(function.parameters, isInteger) <= 1;
    std::vector<HostValue> arguments;
    for (const HostParameter& parameter : function.parameters)
        arguments.push_back(unknownOf(parameter, isOnly));
    std::vector<std::string> ofTemplate;
    for (const HostParameter& parameter : function.ofTemplate)
        if (parameter.valueFirst == parameter.valueLast)
            ofTemplate.push_back(parameter.isType ? "float" : "4");
    call(function, std::move(arguments), ofTemplate, m_globals);
}

/// An object whose members are guessed.
HostValue HostReader::unknownObject(const HostClass& type)
{
    HostValue object { .kind = HostKind::Object };
    object.type = type.name;
    object.scope = newObjectScope(type, {});
    if (m_depth >= kDeepestCall)
        return object;
    ++m_depth;
    for (const HostParameter& field : type.members) {
        HostValue value = field.valueFirst < field.valueLast ? evaluate({ field.valueFirst, field.valueLast }) : unknownOf(field, false);
        value.place = {};
        object.scope->values[field.name] = std::move(value);
        object.scope->order.push_back(field.name);
    }
    --m_depth;
    return object;
}

HostValue HostReader::unknownOf(const HostParameter& parameter, bool isOnly)
{
    std::size_t at = parameter.typeFirst;
    const auto type = typeAt(at, parameter.typeLast);
    if (!type || type->name == "cudaStream_t")
        return {};
    if (type->pointers == 1) {
        HostValue pointer { .kind = HostKind::Pointer };
        pointer.type = type->name;
        if (const HostClass* known = m_program.classNamed(type->name)) // perhaps the host's
            pointer.scope = unknownObject(*known).scope;
        pointer.buffer = newBuffer(parameter.name, std::nullopt, type->name);
        if (pointer.buffer >= 0 && type->isConst)
            m_found.buffers[std::size_t(pointer.buffer)].fill = BufferFill::Copied;
        return pointer;
    }
    const int bytes = bytesOfType(type->name);
    if (type->name == "float" || type->name == "double")
        return HostValue::of(Symbolic::ofReal(1));
    if (const HostClass* known = bytes == 0 && type->pointers == 0 ? m_program.classNamed(type->name) : nullptr)
        return unknownObject(*known);
    if (bytes >= 4 && bytes <= 8)
        return named(parameter.name, HostValue::of(Symbolic::ofInteger(isOnly ? kGuessedLength : kGuessedExtent)));
    return bytes > 0 ? HostValue::of(Symbolic::ofInteger(1)) : HostValue {};
}

int HostReader::newBuffer(const std::string& name, std::optional<Symbolic> bytes, const std::string& type)
{
    if (m_muted || m_found.buffers.size() >= kMostBuffers)
        return -1;
    m_found.buffers.push_back({ .name = name, .bytes = std::move(bytes), .type = type });
    m_bufferDepths.push_back(m_depth);
    return int(m_found.buffers.size()) - 1;
}

/// A constant integer becomes a parameter of that name; other values stay as they are.
HostValue HostReader::named(const std::string& name, HostValue value, bool isDefine)
{
    if (value.kind == HostKind::Dim3) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (value.dims[i].isConstant() && value.dims[i].integer > 1)
                value.dims[i] = named(name + "_" + "xyz"[i], HostValue::of(value.dims[i])).number;
        }
        return value;
    }
    if (!value.isNumber() || value.isEnumerator || value.number.isReal || !value.number.isConstant() || m_muted || m_found.parameters.size() >= kMostParameters
        || std::abs(value.number.asReal()) > kLargestParameter)
        return value;
    std::string chosen = isExpressionName(name) ? name : name + "_";
    if (!isExpressionName(chosen))
        return value;
    for (int number = 2;; ++number) {
        const auto known = std::ranges::find(m_found.parameters, chosen, &ProgramParameter::name);
        if (known == m_found.parameters.end()) {
            m_found.parameters.push_back({ chosen, value.number.integer, isDefine ? name : "" });
            break;
        }
        if (known->value == value.number.integer && (known->define.empty() || isDefine || known->define == name)) {
            if (isDefine)
                known->define = name;
            break;
        }
        chosen = name + "_" + std::to_string(number);
    }
    value.number = Symbolic::ofParameter(chosen, value.number.integer);
    return value;
}

HostValue HostReader::call(const HostFunction& function, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate, HostScope* seen)
{
    if (m_muted || m_depth >= kDeepestCall || m_budget <= 0)
        return {};
    m_called.insert(&function);
    HostScope* const scope = newScope(seen ? seen : m_globals);
    bindTemplate(function, ofTemplate, arguments, *scope);
    HostScope* const caller = m_scope;
    m_scope = scope;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const HostParameter& parameter = function.parameters[i];
        HostValue value;
        if (i < arguments.size())
            value = std::move(arguments[i]);
        else if (parameter.valueFirst < parameter.valueLast)
            value = evaluate({ parameter.valueFirst, parameter.valueLast });
        if (!parameter.name.empty()) {
            const bool isLiteral = m_launching.contains(&function) && function.name != "main";
            value = isLiteral ? named(parameter.name, std::move(value)) : std::move(value);
            bindParameter(parameter, std::move(value), *scope);
        }
    }
    HostValue returned;
    std::swap(returned, m_returned);
    const int unsure = std::exchange(m_unsure, 0);
    ++m_depth;
    block(function.bodyFirst, function.bodyLast);
    --m_depth;
    m_unsure = unsure;
    std::swap(returned, m_returned);
    m_scope = caller;
    returned.place = {};
    return returned;
}

/// What a template's argument, as templateArguments() writes it, stands for.
HostValue HostReader::templateValue(const std::string& text) const
{
    if (text.starts_with('{') && text.ends_with('}')) {
        const auto known = std::ranges::find(m_found.parameters, text.substr(1, text.size() - 2), &ProgramParameter::name);
        return known == m_found.parameters.end() ? HostValue {} : HostValue::of(Symbolic::ofParameter(known->name, known->value));
    }
    if (!text.empty() && text.find_first_not_of("0123456789") == text.npos)
        return HostValue::of(literal(text));
    HostValue kernel;
    if (m_program.isKernel(text)) {
        kernel.kind = HostKind::Kernel;
        kernel.type = text;
    }
    return kernel;
}

/// What a function's argument tells of the template's type of that name; empty: nothing.
std::string HostReader::deducedType(const HostParameter& parameter, const std::string& name, const HostValue& argument) const
{
    if (argument.kind == HostKind::Function || argument.kind == HostKind::Kernel)
        return "";
    for (std::size_t at = parameter.typeFirst; at < parameter.typeLast; ++at) {
        if (!token(at).is(name))
            continue;
        const bool isOfTemplate = at > parameter.typeFirst && (token(at - 1).is("<") || token(at - 1).is(","));
        if (!isOfTemplate || argument.kind != HostKind::Object || !argument.scope)
            return argument.kind == HostKind::Object && argument.scope ? argument.scope->typeText : argument.type;
        const HostClass* type = m_program.classNamed(argument.type); // Matrix<T>
        const auto index = std::size_t(std::ranges::count_if(
            m_program.tokens().begin() + std::ptrdiff_t(parameter.typeFirst), m_program.tokens().begin() + std::ptrdiff_t(at), [](const Token& token) { return token.is(","); }));
        if (!type || index >= type->ofTemplate.size())
            return "";
        const auto known = argument.scope->types.find(type->ofTemplate[index].name);
        return known == argument.scope->types.end() ? "" : known->second;
    }
    return "";
}

void HostReader::bindTemplate(const HostFunction& function, const std::vector<std::string>& given, const std::vector<HostValue>& arguments, HostScope& scope)
{
    for (std::size_t i = 0; i < function.ofTemplate.size(); ++i) {
        const HostParameter& parameter = function.ofTemplate[i];
        const bool hasDefault = parameter.valueFirst < parameter.valueLast;
        std::string text = i < given.size() ? given[i] : "";
        if (!parameter.isType) {
            HostValue value = templateValue(text);
            if (text.empty() && hasDefault)
                value = evaluate({ parameter.valueFirst, parameter.valueLast });
            if (value.kind != HostKind::Unknown)
                scope.values[parameter.name] = named(parameter.name, std::move(value));
            continue;
        }
        for (std::size_t k = 0; k < function.parameters.size() && k < arguments.size() && text.empty(); ++k)
            text = deducedType(function.parameters[k], parameter.name, arguments[k]);
        if (text.empty() && hasDefault) {
            std::size_t at = parameter.valueFirst;
            const auto type = typeAt(at, parameter.valueLast);
            text = type ? type->name : "";
        }
        if (text != parameter.name)
            scope.types[parameter.name] = text.empty() ? "float" : text;
    }
}

void HostReader::bindParameter(const HostParameter& parameter, HostValue value, HostScope& scope)
{
    std::size_t at = parameter.typeFirst;
    const auto type = typeAt(at, parameter.typeLast);
    const bool refers = type && type->isReference && type->pointers == 0 && !type->isConst;
    if (refers && !value.place.name.empty() && value.place.scope != &scope && value.kind != HostKind::Object) {
        HostValue alias { .kind = HostKind::Reference };
        alias.target = value.place;
        alias.isAlias = true;
        scope.values[parameter.name] = std::move(alias);
        return;
    }
    const bool converts = type && (value.isNumber() || value.kind == HostKind::Dim3 || value.kind == HostKind::List) && !type->isAuto()
        && (type->name == "dim3" || bytesOfType(type->name) > 0);
    if (converts)
        value = valueOfType(*type, { std::move(value) });
    value.place = {};
    scope.values[parameter.name] = std::move(value);
}

/// How well a function's parameters take the arguments; below 0: not at all.
int HostReader::suits(const HostFunction& function, const std::vector<HostValue>& arguments)
{
    const auto required = std::ranges::count_if(function.parameters, [](const HostParameter& parameter) { return parameter.valueFirst == parameter.valueLast; });
    int score = arguments.size() >= std::size_t(required) && arguments.size() <= function.parameters.size() ? 10 : -100;
    for (std::size_t i = 0; i < function.parameters.size() && i < arguments.size(); ++i) {
        std::size_t at = function.parameters[i].typeFirst;
        const auto type = typeAt(at, function.parameters[i].typeLast);
        if (!type)
            continue;
        const HostKind kind = arguments[i].kind;
        const bool isList = type->name == "vector" || type->name == "array" || type->name == "initializer_list" || type->name == "span";
        const bool isNumber = type->pointers == 0 && bytesOfType(type->name) > 0;
        score += (kind == HostKind::List) == isList ? 1 : -1;
        score += (kind == HostKind::Number) == isNumber ? 1 : -1;
        score += kind == HostKind::Object && type->name == arguments[i].type ? 2 : 0;
        score += kind == HostKind::Pointer && type->pointers > 0 ? 1 : 0;
    }
    return score;
}

const HostFunction* HostReader::chosen(const HostClass& type, const std::string& name, const std::vector<HostValue>& arguments)
{
    const HostFunction* best = nullptr;
    for (const HostFunction* function : type.functions)
        if (function->name == name && (!best || suits(*function, arguments) > suits(*best, arguments)))
            best = function;
    return best;
}

HostScope* HostReader::newObjectScope(const HostClass& type, const std::vector<std::string>& ofTemplate)
{
    HostScope* const scope = newScope(m_globals);
    scope->ofClass = scope->typeText = type.name;
    for (std::size_t i = 0; i < ofTemplate.size(); ++i)
        scope->typeText += (i == 0 ? "<" : ",") + ofTemplate[i] + (i + 1 == ofTemplate.size() ? ">" : "");
    for (std::size_t i = 0; i < type.ofTemplate.size() && i < ofTemplate.size(); ++i) {
        if (type.ofTemplate[i].isType)
            scope->types[type.ofTemplate[i].name] = ofTemplate[i];
        else
            scope->values[type.ofTemplate[i].name] = templateValue(ofTemplate[i]);
    }
    return scope;
}

HostValue HostReader::construct(const HostClass& type, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate)
{
    HostValue object { .kind = HostKind::Object };
    object.type = type.name;
    object.scope = newObjectScope(type, ofTemplate);
    if (m_muted || m_depth >= kDeepestCall)
        return object;
    HostScope* const caller = m_scope;
    m_scope = object.scope;
    for (const HostParameter& field : type.members) {
        std::size_t at = field.typeFirst;
        auto of = typeAt(at, field.typeLast + 1);
        HostValue value;
        if (of) {
            for (std::size_t i = at; i < field.typeLast; ++i)
                of->pointers += token(i).is("*");
            const bool hasValue = field.valueFirst < field.valueLast;
            // A class of the program's is made by the constructor, or below.
            if (hasValue || !m_program.classNamed(of->name))
                value = valueOfType(*of, hasValue ? std::vector { evaluate({ field.valueFirst, field.valueLast }) } : std::vector<HostValue> {});
            if (value.type.empty())
                value.type = of->name;
        }
        value.place = {};
        object.scope->values[field.name] = std::move(value);
        object.scope->order.push_back(field.name);
    }
    m_scope = caller;
    if (const HostFunction* constructor = chosen(type, type.name, arguments)) {
        ++m_depth; // what it asks for is named by who holds the object
        runConstructor(type, *constructor, std::move(arguments), object);
        --m_depth;
        return object;
    }
    if (arguments.empty())
        return object;
    HostValue list { .kind = HostKind::List }; // as of { }
    list.items = std::move(arguments);
    return ofInitialList(type, std::move(list), ofTemplate);
}

void HostReader::runConstructor(const HostClass& type, const HostFunction& constructor, std::vector<HostValue> arguments, HostValue& object)
{
    HostScope* const caller = m_scope;
    HostScope* const scope = newScope(object.scope);
    m_scope = scope;
    for (std::size_t i = 0; i < constructor.parameters.size(); ++i) {
        const HostParameter& parameter = constructor.parameters[i];
        const HostValue value = i < arguments.size() ? arguments[i]
            : parameter.valueFirst < parameter.valueLast ? evaluate({ parameter.valueFirst, parameter.valueLast })
                                                         : HostValue {};
        bindParameter(parameter, value, *scope);
    }
    const bool hasMembers = constructor.membersFirst < constructor.membersLast; // : a(x), b { y }
    for (const Range& part : hasMembers ? parts({ constructor.membersFirst, constructor.membersLast }) : std::vector<Range> {}) {
        const std::string name(token(part.first).text);
        std::size_t open = part.first + 1;
        if (open < part.last && token(open).is("<"))
            open = behindAngle(m_program.tokens(), open, AngleIn::Declaration);
        if (open + 1 > part.last)
            continue;
        std::vector<HostValue> values = list({ open + 1, part.last - 1 });
        if (name == type.name && m_depth < kDeepestCall) { // another constructor of its own
            if (const HostFunction* other = chosen(type, name, values); other && other != &constructor) {
                ++m_depth;
                runConstructor(type, *other, std::move(values), object);
                --m_depth;
            }
            continue;
        }
        const auto field = std::ranges::find(type.members, name, &HostParameter::name);
        std::size_t at = field == type.members.end() ? 0 : field->typeFirst;
        const auto of = field == type.members.end() ? std::nullopt : typeAt(at, field->typeLast + 1);
        if (!of || values.empty())
            continue;
        HostValue value = valueOfType(*of, std::move(values));
        nameBuffers(value, name);
        if (value.type.empty())
            value.type = of->name;
        value.place = {};
        object.scope->values[name] = std::move(value);
    }
    m_scope = caller;
    call(constructor, std::move(arguments), {}, object.scope);
}

HostValue HostReader::ofInitialList(const HostClass& type, HostValue list, const std::vector<std::string>& ofTemplate)
{
    if (list.kind != HostKind::List)
        return list;
    HostValue object { .kind = HostKind::Object };
    object.type = type.name;
    object.scope = newObjectScope(type, ofTemplate);
    for (std::size_t i = 0; i < type.members.size(); ++i) {
        const HostParameter& field = type.members[i];
        HostValue value = i < list.items.size()          ? std::move(list.items[i])
            : field.valueFirst < field.valueLast ? evaluate({ field.valueFirst, field.valueLast })
                                                         : HostValue {};
        std::size_t at = field.typeFirst;
        if (const auto of = typeAt(at, field.typeLast + 1); of && value.kind != HostKind::Object)
            value.type = of->name;
        value.place = {};
        object.scope->values[field.name] = std::move(value);
        object.scope->order.push_back(field.name);
    }
    return object;
}

/// Constant members of an object that has been given its values: `Problem p { 4096, 768 };`
void HostReader::nameMembers(const HostValue& value)
{
    if (value.kind != HostKind::Object || !value.scope || m_muted)
        return;
    for (const std::string& member : value.scope->order) {
        HostValue& held = value.scope->values[member];
        if (held.isNumber() && held.number.isConstant() && held.number.integer != 0 && !held.isEnumerator && held.type != "bool") {
            const std::string type = held.type;
            held = named(member, held);
            held.type = type;
        }
    }
}

/// Buffers that were asked for deeper in calls are called as what holds them now.
void HostReader::nameBuffers(const HostValue& value, const std::string& name)
{
    if (value.kind == HostKind::Object && value.scope) {
        const auto holds = [&](const std::string& member) {
            const HostValue& held = value.scope->values[member];
            return held.kind == HostKind::Object || (held.buffer >= 0 && m_bufferDepths[std::size_t(held.buffer)] > m_depth);
        };
        const auto count = std::ranges::count_if(value.scope->order, holds);
        for (const std::string& member : value.scope->order) {
            if (!holds(member))
                continue;
            std::string_view plain = member;
            plain.remove_prefix(plain.starts_with("m_") ? 2 : 0);
            plain.remove_suffix(plain.ends_with('_') ? 1 : 0);
            const HostValue held = value.scope->values[member];
            nameBuffers(held, count == 1 ? name : name + "_" + std::string(plain));
        }
        return;
    }
    if (value.buffer < 0 || m_muted || m_bufferDepths[std::size_t(value.buffer)] <= m_depth)
        return;
    m_found.buffers[std::size_t(value.buffer)].name = name;
    m_bufferDepths[std::size_t(value.buffer)] = m_depth;
}

std::array<Symbolic, 3> HostReader::shapeOf(const HostValue& value, bool& isKnown) const
{
    std::array<Symbolic, 3> shape { Symbolic::ofInteger(1), Symbolic::ofInteger(1), Symbolic::ofInteger(1) };
    if (value.kind == HostKind::Dim3)
        return value.dims;
    if (value.isNumber())
        shape[0] = asInteger(value.number);
    else if (value.kind == HostKind::List && std::ranges::all_of(value.items, &HostValue::isNumber) && !value.items.empty()) {
        for (std::size_t i = 0; i < 3 && i < value.items.size(); ++i)
            shape[i] = asInteger(value.items[i].number);
    } else {
        isKnown = false;
    }
    return shape;
}

LaunchArgument HostReader::argumentOf(const HostValue& value) const
{
    LaunchArgument argument;
    if (value.isNumber()) {
        argument.kind = LaunchArgument::Kind::Number;
        argument.number = value.number;
    } else if (value.kind == HostKind::Pointer && (value.buffer >= 0 || value.type == "null")) {
        argument.kind = value.buffer >= 0 ? LaunchArgument::Kind::Buffer : LaunchArgument::Kind::Null;
        argument.buffer = value.buffer;
        argument.isOffset = value.isOffset;
    } else if (value.kind == HostKind::Unknown && value.buffer >= 0) { // d[i], of a pointer to pointers
        argument.isOffset = true;
    } else if (value.kind == HostKind::List && value.number.isConstant() && value.number.integer > 0 && value.number.integer <= kLongestMember) {
        argument.kind = LaunchArgument::Kind::Structure; // an array in a structure
        for (std::size_t i = 0; i < std::size_t(value.number.integer); ++i) {
            argument.members.push_back(argumentOf(i < value.items.size() ? value.items[i] : HostValue {}));
            argument.memberNames.emplace_back(std::to_string(i), value.type);
        }
    } else if (value.kind == HostKind::Object && value.scope) {
        argument.kind = LaunchArgument::Kind::Structure;
        for (const std::string& name : value.scope->order) {
            const HostValue& member = value.scope->values[name];
            argument.members.push_back(argumentOf(member));
            argument.memberNames.emplace_back(name, member.type);
        }
    }
    return argument;
}

void HostReader::launch(const HostValue& kernel, const HostValue& grid, const HostValue& block, const HostValue& shared,
    const std::vector<HostValue>& arguments, std::size_t at)
{
    if (m_muted || kernel.kind != HostKind::Kernel || m_found.launches.size() >= kMostLaunches)
        return;
    ProgramLaunch launch { .entry = kernel.type, .isShapeKnown = true, .line = m_program.text().lineOf(token(at)) };
    const std::string plain = kernel.type.substr(0, kernel.type.find('<'));
    launch.kernel = plain.substr(plain.rfind(':') == plain.npos ? 0 : plain.rfind(':') + 1);
    launch.grid = shapeOf(grid, launch.isShapeKnown);
    launch.block = shapeOf(block, launch.isShapeKnown);
    if (shared.isNumber())
        launch.sharedBytes = asInteger(shared.number);
    for (const HostValue& argument : arguments)
        launch.arguments.push_back(argumentOf(argument));
    const auto known = std::ranges::find(m_found.launches, launch.entry, &ProgramLaunch::entry);
    if (known == m_found.launches.end() && std::ranges::count(m_found.launches, launch.kernel, &ProgramLaunch::kernel) < kMostOfAKernel)
        m_found.launches.push_back(std::move(launch));
    else if (known == m_found.launches.end())
        return;
    else if (!known->isShapeKnown && launch.isShapeKnown)
        *known = std::move(launch);
}

ProgramLaunches launchesOf(std::vector<ProgramFile> files, std::vector<std::vector<std::string>> names)
{
    const ProgramText text(std::move(files), std::move(names));
    HostProgram program(text);
    return HostReader(program).read();
}

} // namespace coalescope::kernels
