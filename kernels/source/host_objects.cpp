// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace coalescope::kernels {
namespace {

constexpr int kDeepestStatics = 3; ///< of static members whose values name those of other classes

} // namespace

/// An object whose members are guessed. `ofTemplate`: the arguments of its class; empty: what is seen here tells what they are.
HostValue HostReader::unknownObject(const HostClass& type, const std::vector<std::string>& ofTemplate)
{
    HostValue object { .kind = HostKind::Object };
    object.type = type.name;
    object.scope = newObjectScope(type, ofTemplate);
    if (m_depth >= kDeepestCall)
        return object;
    HostScope* const caller = m_scope;
    m_scope = ofTemplate.empty() ? caller : object.scope;
    ++m_depth;
    const std::int64_t extent = guessedExtent(type.members);
    for (const HostParameter& field : type.members) {
        const auto of = typeOf(field);
        const bool isArray = of && of->pointers == 0 && field.extents > 0;
        HostValue value = field.hasValue() ? defaultOf(field) : isArray ? memberOf(field, *of, {}) : unknownOf(field, extent);
        if (of && value.isNumber() && value.type.empty())
            value.type = of->name;
        value.place = {};
        object.scope->values[field.name] = std::move(value);
        object.scope->order.push_back(field.name);
    }
    --m_depth;
    m_scope = caller;
    return object;
}

/// How well a function's parameters take the arguments; below 0: not at all.
int HostReader::suits(const HostFunction& function, const std::vector<HostValue>& arguments)
{
    int score = function.takes(arguments.size()) ? 10 : -100;
    for (std::size_t i = 0; i < function.parameters.size() && i < arguments.size(); ++i) {
        const auto type = typeOf(function.parameters[i]);
        if (!type)
            continue;
        const HostKind kind = arguments[i].kind;
        const bool isList = type->name == "vector" || type->name == "array" || type->name == "initializer_list" || type->name == "span";
        const bool isNumber = type->pointers == 0 && bytesOfType(type->name) > 0;
        score += (kind == HostKind::List) == isList ? 1 : -1;
        score += (kind == HostKind::Number) == isNumber ? 1 : -1;
        score += kind == HostKind::Object && type->name == arguments[i].type ? 2 : 0;
        score += kind == HostKind::Pointer && type->pointers > 0 ? 1 : 0;
        score -= kind == HostKind::Unknown && type->name == function.name ? 3 : 0; // a constructor that copies or moves: what is copied is mostly known to be an object
    }
    return score;
}

const HostFunction* HostReader::chosen(std::span<const HostFunction* const> functions, const std::vector<HostValue>& arguments)
{
    const HostFunction* best = nullptr;
    for (const HostFunction* function : functions)
        if (!best || suits(*function, arguments) > suits(*best, arguments))
            best = function;
    return best;
}

const HostFunction* HostReader::chosen(const HostClass& type, const std::string& name, const std::vector<HostValue>& arguments)
{
    return chosen(m_program.functionsOf(type, name), arguments);
}

HostScope* HostReader::newObjectScope(const HostClass& type, const std::vector<std::string>& ofTemplate)
{
    HostScope* const scope = newScope(m_globals);
    m_usedClasses.insert(&type);
    scope->ofClass = type.name;
    scope->typeText = type.name + templateList(ofTemplate);
    for (std::size_t i = 0; i < type.ofTemplate.size() && i < ofTemplate.size(); ++i) {
        if (type.ofTemplate[i].isType)
            scope->types[type.ofTemplate[i].name] = ofTemplate[i];
        else
            scope->values[type.ofTemplate[i].name] = templateValue(ofTemplate[i]);
    }
    bindDefaults(type, ofTemplate.size(), *scope);
    bindBases(type, *scope);
    bindAliases(type, *scope);
    if (m_statics >= kDeepestStatics || m_budget <= 0)
        return scope;
    ++m_statics;
    HostScope* const caller = std::exchange(m_scope, scope);
    for (const HostParameter& constant : type.statics) {
        if (!constant.hasValue())
            continue;
        HostValue value = defaultOf(constant);
        if (const auto of = value.isBraced && constant.extents == 0 ? typeOf(constant) : std::nullopt; of && of->pointers == 0) // static inline const dim3 block { 32, 8 };
            value = valueOfType(*of, { std::move(value) });
        scope->values[constant.name] = type.ofTemplate.empty() ? namedMember(constant.name, std::move(value)) : std::move(value);
    }
    m_scope = caller;
    --m_statics;
    return scope;
}

void HostReader::bindAliases(const HostClass& type, HostScope& scope)
{
    HostScope* const caller = std::exchange(m_scope, &scope);
    for (const Declaration& alias : type.aliases) {
        std::size_t at = m_program.aliasedFrom(alias);
        if (const auto of = alias.names.empty() ? std::nullopt : typeAt(at, alias.last))
            scope.types[std::string(alias.names.back())] = of->text();
    }
    m_scope = caller;
}

/// Of parameters of a class's template, from one on, what they are where nobody gives them: `template <class V, class I = int>`.
void HostReader::bindDefaults(const HostClass& type, std::size_t first, HostScope& scope)
{
    HostScope* const caller = std::exchange(m_scope, &scope);
    for (std::size_t i = first; i < type.ofTemplate.size(); ++i) {
        const HostParameter& parameter = type.ofTemplate[i];
        std::size_t at = parameter.valueFirst;
        if (!parameter.hasValue())
            continue;
        if (!parameter.isType)
            scope.values[parameter.name] = defaultOf(parameter);
        else if (const auto of = typeAt(at, parameter.valueLast))
            scope.types[parameter.name] = of->text();
    }
    m_scope = caller;
}

HostValue HostReader::construct(const HostClass& type, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate)
{
    const std::size_t open = std::exchange(m_open, 0);
    HostValue object { .kind = HostKind::Object };
    object.type = type.name;
    object.scope = newObjectScope(type, ofTemplate);
    if (m_muted || m_depth >= kDeepestCall)
        return object;
    HostScope* const caller = m_scope;
    m_scope = object.scope;
    ++m_depth;
    for (const HostParameter& field : type.members) {
        object.scope->values[field.name] = type.bases.empty() ? defaultMember(field) : HostValue {};
        object.scope->order.push_back(field.name);
    }
    --m_depth;
    m_scope = caller;
    if (chosen(type, type.name, arguments) || (arguments.empty() && !type.bases.empty())) {
        m_open = open;
        constructPart(type, std::move(arguments), object);
        return object;
    }
    if (arguments.empty())
        return object;
    HostValue list { .kind = HostKind::List }; // as of { }
    list.items = std::move(arguments);
    return ofInitialList(type, std::move(list), ofTemplate);
}

HostValue HostReader::defaultMember(const HostParameter& field)
{
    HostValue value;
    if (const auto of = typeOf(field)) {
        // A class of the program's that has constructors is made by this one's, or below.
        const HostClass* nested = m_program.classNamed(of->name);
        if (nested && of->pointers == 0 && !m_making.insert(nested).second)
            return value; // an object in one of its own class: it is not as it looks
        if (field.hasValue() || field.extents || !nested || !chosen(*nested, nested->name, {}))
            value = memberOf(field, *of, field.hasValue() ? std::vector { defaultOf(field) } : std::vector<HostValue> {});
        if (value.type.empty())
            value.type = of->name;
        if (of->pointers == 0)
            m_making.erase(nested);
    }
    value.place = {};
    return value;
}

void HostReader::runConstructor(const HostClass& type, const HostFunction& constructor, std::vector<HostValue> arguments, HostValue& object)
{
    const std::size_t open = std::exchange(m_open, 0);
    HostScope* const caller = m_scope;
    HostScope* const scope = newScope(object.scope);
    m_scope = scope;
    m_calls.push_back({ &constructor, open, caller });
    const bool hasMembers = constructor.membersFirst < constructor.membersLast; // : a(x), b { y }
    const std::vector<Range> members = hasMembers ? parts({ constructor.membersFirst, constructor.membersLast }) : std::vector<Range> {};
    // What is made of its sizes follows them: they are parameters by the names that the object has for them.
    const HostClass* const whole = m_program.classNamed(object.type);
    const bool launches = whole && launchesIn(*whole);
    for (std::size_t i = 0; launches && i < std::min(arguments.size(), constructor.parameters.size()); ++i) {
        const auto keeps = [&](const Range& part) { return part.last == part.first + 4 && token(part.first + 2).is(constructor.parameters[i].name); };
        const auto member = std::ranges::find_if(members, keeps);
        if (member == members.end() || !m_program.baseNamed(type, token(member->first).text)) // a base has its own name for it
            arguments[i] = namedMember(member == members.end() ? constructor.parameters[i].name : std::string(token(member->first).text), std::move(arguments[i]));
    }
    for (std::size_t i = 0; i < constructor.parameters.size(); ++i) {
        const HostParameter& parameter = constructor.parameters[i];
        bindParameter(parameter, i < arguments.size() ? arguments[i] : defaultOf(parameter), *scope);
    }
    if (whole && !whole->bases.empty() && std::ranges::none_of(members, [&](const Range& part) { return nameOf(part) == type.name; }))
        constructBases(type, object, [&](const HostBase& base) {
            const auto isOf = [&](const Range& part) { return m_program.baseNamed(type, nameOf(part)) == &base; };
            const auto given = std::ranges::find_if(members, isOf);
            if (given == members.end())
                return std::vector<HostValue> {};
            std::vector<HostValue> values = list({ bracketOf(*given) + 1, given->last - 1 });
            m_open = bracketOf(*given);
            return values;
        });
    for (const Range& part : members) {
        const std::string name = nameOf(part);
        const std::size_t bracket = bracketOf(part);
        if (bracket + 1 > part.last || m_program.baseNamed(type, name))
            continue;
        std::vector<HostValue> values = list({ bracket + 1, part.last - 1 });
        m_open = bracket;
        if (name == type.name && m_depth < kDeepestCall) { // another constructor of its own
            if (const HostFunction* other = chosen(type, name, values); other && other != &constructor) {
                ++m_depth;
                runConstructor(type, *other, std::move(values), object);
                --m_depth;
            }
            continue;
        }
        const auto field = std::ranges::find(type.members, name, &HostParameter::name);
        const auto of = field == type.members.end() ? std::nullopt : typeOf(*field);
        if (!of || values.empty())
            continue;
        HostValue value = memberOf(*field, *of, std::move(values));
        nameBuffers(value, name);
        if (value.type.empty())
            value.type = of->name;
        value.place = {};
        object.scope->values[name] = std::move(value);
    }
    m_scope = caller;
    m_calls.pop_back();
    m_open = open;
    call(constructor, std::move(arguments), {}, object.scope);
}

HostValue HostReader::ofInitialList(const HostClass& type, HostValue list, const std::vector<std::string>& ofTemplate)
{
    m_open = 0;
    if (list.kind != HostKind::List)
        return list;
    HostValue object { .kind = HostKind::Object };
    object.type = type.name;
    object.scope = newObjectScope(type, ofTemplate);
    list.items = spread(type, std::move(list.items));
    const auto isDesignated = [](const HostValue& item) { return !item.designator.empty(); };
    const bool areDesignated = std::ranges::any_of(list.items, isDesignated);
    HostScope* const caller = std::exchange(m_scope, object.scope);
    for (std::size_t i = 0; i < type.members.size(); ++i) {
        const HostParameter& field = type.members[i];
        const auto given = areDesignated ? std::ranges::find(list.items, field.name, &HostValue::designator) : list.items.begin() + std::ptrdiff_t(std::min(i, list.items.size()));
        HostValue value = given != list.items.end() ? std::move(*given) : defaultOf(field);
        value.designator.clear();
        const auto of = typeOf(field);
        if (of && field.extents)
            value = memberOf(field, *of, value.kind == HostKind::Unknown ? std::vector<HostValue> {} : std::vector { std::move(value) });
        else if (of && of->pointers > 0 && value.kind == HostKind::Object)
            value = pointerWithin(value);
        else if (of && of->pointers == 0 && value.isBraced && isStructure(of->name))
            value = valueOfType(*of, { std::move(value) });
        else if (of && value.kind != HostKind::Object && value.kind != HostKind::Kernel)
            value.type = of->name;
        value.place = {};
        object.scope->values[field.name] = std::move(value);
        object.scope->order.push_back(field.name);
    }
    m_scope = caller;
    return object;
}

/// A member made of what stands in the brackets behind its name.
HostValue HostReader::memberOf(const HostParameter& field, const HostType& type, std::vector<HostValue> values)
{
    std::size_t at = field.extents;
    const auto array = at ? emptyArray(type, at, m_program.tokens().size()) : std::nullopt;
    if (!array)
        return valueOfType(type, std::move(values));
    const bool isList = values.size() == 1 && values[0].isBraced;
    return arrayOf(type, *array, isList ? values[0].items : std::move(values));
}

HostValue HostReader::namedMember(const std::string& member, HostValue held)
{
    if (!held.isNumber() || !held.number.isConstant() || held.number.integer == 0 || held.isEnumerator || held.type == "bool")
        return held;
    const std::string type = held.type;
    held = named(member, std::move(held));
    held.type = type;
    return held;
}

/// Constant members of an object that has been given its values: `Problem p { 4096, 768 };`
void HostReader::nameMembers(const HostValue& value)
{
    const HostClass* const type = value.kind == HostKind::Object ? m_program.classNamed(value.type) : nullptr;
    if (value.kind != HostKind::Object || !value.scope || m_muted || (type && type->isOfLibrary))
        return;
    for (const std::string& member : value.scope->order) {
        HostValue& held = value.scope->values[member];
        held = namedMember(member, held);
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

} // namespace coalescope::kernels
