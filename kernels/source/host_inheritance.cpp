// SPDX-License-Identifier: Apache-2.0
// Objects of classes that derive from others.
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <utility>

namespace coalescope::kernels {

/// What the parameters of its bases' templates are; what two of them call the same stays unknown.
void HostReader::bindBases(const HostClass& type, HostScope& scope)
{
    HostScope* const caller = std::exchange(m_scope, &scope);
    for (const HostBase& base : type.bases) {
        const HostClass* const known = m_program.classNamed(base.name);
        std::size_t at = base.first;
        const auto of = known ? typeAt(at, base.last) : std::nullopt;
        for (std::size_t i = 0; of && i < known->ofTemplate.size() && i < of->arguments.size(); ++i) {
            const HostParameter& parameter = known->ofTemplate[i];
            if (parameter.isType) {
                const auto [bound, isNew] = scope.types.emplace(parameter.name, of->arguments[i]);
                if (!isNew && bound->second != of->arguments[i])
                    bound->second.clear();
                continue;
            }
            HostValue value = templateValue(of->arguments[i]);
            const auto [bound, isNew] = scope.values.emplace(parameter.name, value);
            if (!isNew && (!value.isNumber() || bound->second.number.text() != value.number.text()))
                bound->second = {};
        }
        if (known)
            bindBases(*known, scope);
    }
    m_scope = caller;
}

/// What a class has of an object: its own, or a base's. Virtual functions are the class's meanwhile.
void HostReader::constructPart(const HostClass& type, std::vector<HostValue> values, HostValue& object)
{
    if (m_depth >= kDeepestCall)
        return;
    const std::string whole = std::exchange(object.scope->ofClass, type.name);
    const HostFunction* const constructor = chosen(type, type.name, values);
    const bool isCopy = values.size() == 1 && values[0].kind == HostKind::Object && values[0].scope && m_program.derives(values[0].type, type.name);
    ++m_depth; // what it asks for is named by who holds the object
    if (isCopy) {
        for (const HostParameter& member : type.members)
            object.scope->values[member.name] = values[0].scope->values[member.name];
    } else if (constructor && constructor->ofClass == type.name) {
        runConstructor(type, *constructor, std::move(values), object);
    } else {
        constructBases(type, object, [&](const HostBase& base) {
            return constructor && m_program.derives(base.name, constructor->ofClass) ? values : std::vector<HostValue> {};
        });
        for (std::size_t i = 0; !constructor && i < values.size() && i < type.members.size(); ++i)
            if (const auto of = typeOf(type.members[i]))
                object.scope->values[type.members[i].name] = memberOf(type.members[i], *of, { std::move(values[i]) });
    }
    --m_depth;
    object.scope->ofClass = whole;
}

/// Then the members that are the class's own, as they are where its constructor says nothing else.
void HostReader::constructBases(const HostClass& type, HostValue& object, const std::function<std::vector<HostValue>(const HostBase&)>& given)
{
    for (const HostBase& base : type.bases)
        if (const HostClass* known = m_program.classNamed(base.name))
            constructPart(*known, given(base), object);
    HostScope* const caller = std::exchange(m_scope, object.scope);
    for (std::size_t i = type.inherited; i < type.members.size(); ++i)
        object.scope->values[type.members[i].name] = defaultMember(type.members[i]);
    m_scope = caller;
}

/// Of { { a, b }, c }, and { Base(a), c }: the values of its members.
std::vector<HostValue> HostReader::spread(const HostClass& type, std::vector<HostValue> items) const
{
    std::vector<HostValue> members;
    std::size_t taken = 0;
    for (const HostBase& base : type.bases) {
        const HostClass* const known = m_program.classNamed(base.name);
        const bool isObject = known && taken < items.size() && items[taken].kind == HostKind::Object && items[taken].scope && m_program.derives(items[taken].type, base.name);
        if (!isObject && !(known && taken < items.size() && items[taken].isBraced))
            break;
        std::vector<HostValue> part = isObject ? std::vector<HostValue> {} : spread(*known, items[taken].items);
        for (std::size_t i = 0; isObject && i < known->members.size(); ++i)
            part.push_back(items[taken].scope->values[known->members[i].name]);
        part.resize(known->members.size());
        members.insert(members.end(), part.begin(), part.end());
        ++taken;
    }
    members.insert(members.end(), items.begin() + std::ptrdiff_t(taken), items.end());
    return members;
}

/// Of `lbm::Solver<T>(n)`, behind a constructor's colon: where its bracket is.
std::size_t HostReader::bracketOf(Range member) const
{
    std::size_t at = member.first + 1;
    while (at + 1 < member.last && token(at).is("::"))
        at += 2;
    return at < member.last && token(at).is("<") ? behindAngle(m_program.tokens(), at, AngleIn::Declaration) : at;
}

std::string HostReader::nameOf(Range member) const
{
    while (token(member.first + 1).is("::"))
        member.first += 2;
    return std::string(token(member.first).text);
}

/// Whether a function of the class, or of its bases, launches.
bool HostReader::launchesIn(const HostClass& type) const
{
    const auto launches = [&](const HostFunction* function) { return launchesIn(Range { function->bodyFirst, function->bodyLast }); };
    const auto isBase = [&](const HostBase& base) {
        const HostClass* known = m_program.classNamed(base.name);
        return known && launchesIn(*known);
    };
    return std::ranges::any_of(type.functions, launches) || std::ranges::any_of(type.bases, isBase);
}

/// Of the object whose function is being read: the class that a function is looked for in. A base's function calls the base's,
/// unless it is virtual.
const HostClass* HostReader::classAsked(const HostValue& self, std::string_view function) const
{
    const HostClass* const own = m_program.classNamed(self.type);
    const HostClass* const reading = m_calls.empty() ? nullptr : m_program.classNamed(m_calls.back().function->ofClass);
    const bool isBase = own && reading && m_program.derives(self.type, reading->name);
    return isBase && !reading->virtuals.contains(function) ? reading : own;
}

/// Base::step(): of the object whose function is being read, by this class even where it is virtual; or of none, where it is static.
std::optional<HostValue> HostReader::callOf(const Name& name, std::vector<HostValue>& arguments)
{
    const HostClass* const reading = name.owner.empty() || m_calls.empty() ? nullptr : m_program.classNamed(m_calls.back().function->ofClass);
    const HostBase* const base = reading ? m_program.baseNamed(*reading, name.owner) : nullptr;
    const HostClass* const type = base ? m_program.classNamed(base->name) : name.owner.empty() ? nullptr : m_program.classNamed(typeOfText(resolvedType(name.owner)).name);
    const HostFunction* const function = type ? chosen(*type, name.last, arguments) : nullptr;
    if (!function)
        return std::nullopt;
    const HostValue self = thisObject();
    const bool isOwn = self.kind == HostKind::Object && m_program.derives(self.type, type->name);
    HostScope* const seen = isOwn ? self.scope : newObjectScope(*type, name.ofOwner);
    return call(*function, std::move(arguments), name.ofTemplate, seen);
}

} // namespace coalescope::kernels
