// SPDX-License-Identifier: Apache-2.0
// Objects of classes, and of those that they derive from.
#include "kernels/host/run.h"

#include <algorithm>

namespace coalescope::kernels::host {

/// What the parameters of a class's template are in `name`, which stands within the class `around`.
void Run::bindTemplate(const HostClass& declared, const TypeName& name, Type& type, const Type* around)
{
    m_isOfBase = around != nullptr;
    for (std::size_t i = 0; i < declared.ofTemplate.size(); ++i) {
        const HostParameter& parameter = declared.ofTemplate[i];
        const std::size_t given = std::max(name.arguments.size(), name.values.size());
        if (i >= given && given > 0 && parameter.hasValue() && !parameter.isPack) {
            bindDefault(declared, parameter, type);
            continue;
        }
        if (parameter.isType && i < name.arguments.size())
            type.bound[parameter.name] = resolve(name.arguments[i]);
        if (parameter.isType || i >= name.values.size() || !name.values[i])
            continue;
        if (around && name.values[i]->op == Op::Named) // a parameter of its template
            if (const auto outer = around->boundValues.find(name.values[i]->name); outer != around->boundValues.end()) {
                type.boundValues[parameter.name] = outer->second;
                continue;
            }
        if (const Value bound = value(*name.values[i]); bound.isKnown)
            type.boundValues[parameter.name] = bound.asInteger();
    }
    m_isOfBase = false;
}

/// `class I = int`, `int N = 4`, where nobody gives another.
void Run::bindDefault(const HostClass& declared, const HostParameter& parameter, Type& type)
{
    if (!parameter.isType) {
        const Node* const node = m_parser.memberValue(declared, parameter);
        if (const Value bound = node ? value(*node) : Value {}; bound.isKnown && isInteger(bound.kind))
            type.boundValues[parameter.name] = bound.asInteger();
        return;
    }
    HostParameter written = parameter;
    written.typeFirst = parameter.valueFirst;
    written.typeLast = parameter.valueLast;
    type.bound[parameter.name] = resolveWithin(declared, type, m_parser.memberType(declared, written));
}

/// The members of its bases, and what their templates' parameters are; what two of them call the same is not known.
void Run::inherit(const HostClass& declared, Type& type)
{
    for (const HostBase& base : declared.bases) {
        const HostClass* const known = m_parser.program().classNamed(base.name);
        const Type* const of = known ? ofClass(*known, m_parser.baseType(declared, base), &type) : intern({});
        const std::size_t count = known ? known->members.size() : 0;
        for (std::size_t i = 0; i < count; ++i)
            type.parts.push_back(i < of->parts.size() ? of->parts[i] : intern({}));
        for (const auto& [name, bound] : of->bound)
            if (const auto [other, isNew] = type.bound.emplace(name, bound); !isNew && other->second != bound)
                other->second = intern({});
        for (const auto& [name, bound] : of->boundValues)
            if (const auto [other, isNew] = type.boundValues.emplace(name, bound); !isNew && other->second != bound)
                type.boundValues.erase(other);
    }
}

bool Run::isOf(const Value& object, const HostClass& base) const
{
    const Type* const type = object.kind == Kind::Whole && object.thing ? object.thing->type : nullptr;
    return type && type->declared && m_parser.program().derives(type->declared->name, base.name);
}

/// Null where the object is of another class.
Value Run::dynamicCast(const Value& pointer, const Type& type)
{
    if (pointer.kind != Kind::Pointer || !pointer.isKnown || !pointer.thing || type.shape != Type::Shape::Pointer || !type.element->declared)
        return convert(pointer, type);
    const Value object = elementOf(pointer, Value::of(Kind::I32, 0)).value();
    return object.kind != Kind::Whole ? Value::unknown(Kind::Pointer) : convert(isOf(object, *type.element->declared) ? pointer : Value::pointer({}, 0), type);
}

/// Of an object of a class that derives from this one: its part. Nothing: it is none.
std::optional<Value> Run::baseOf(const Value& object, const Type& base) const
{
    if (!base.declared || !isOf(object, *base.declared) || object.thing->type->declared == base.declared)
        return std::nullopt;
    Value part = Value::whole(Handle(new Thing));
    part.thing->type = &base;
    part.thing->items = membersOf(*base.declared, object);
    part.thing->isUnknown = object.thing->isUnknown;
    return part;
}

/// Those that an object has of a class, its own or a base.
std::vector<Value> Run::membersOf(const HostClass& declared, const Value& object)
{
    const std::vector<HostParameter>& all = object.thing->type->declared->members;
    std::vector<Value> members;
    for (const HostParameter& member : declared.members) {
        const auto index = std::size_t(std::ranges::find(all, member.name, &HostParameter::name) - all.begin());
        members.push_back(index < object.thing->items.size() ? copied(object.thing->items[index]) : Value {});
    }
    return members;
}

/// Of { { a, b }, c }, and { Base(a), c }: the values of its members.
std::vector<Value> Run::spread(const HostClass& declared, std::vector<Value> values) const
{
    std::vector<Value> members;
    std::size_t taken = 0;
    for (const HostBase& base : declared.bases) {
        const HostClass* const known = m_parser.program().classNamed(base.name);
        const bool isBraced = taken < values.size() && isList(values[taken]);
        if (!known || taken >= values.size() || !(isBraced || isOf(values[taken], *known)))
            break;
        std::vector<Value> part = isBraced ? spread(*known, values[taken].thing->items) : membersOf(*known, values[taken]);
        part.resize(known->members.size());
        members.insert(members.end(), part.begin(), part.end());
        ++taken;
    }
    members.insert(members.end(), values.begin() + std::ptrdiff_t(taken), values.end());
    return members;
}

/// What a member is where nothing else is said.
Value Run::defaultMember(const Handle& object, std::size_t member)
{
    const HostClass& declared = *object->type->declared;
    const Type& part = *object->type->parts[member];
    const Node* const value = m_parser.memberValue(declared, declared.members[member]);
    if (!value)
        return initial(part);
    const auto outer = m_frame;
    m_frame = std::make_shared<Frame>();
    m_frame->variables = Handle(new Thing);
    m_frame->ofClass = &declared;
    m_frame->bound = object->type->bound;
    m_frame->self = object;
    Value made = given(declared.members[member].name, value->op == Op::List ? construct(part, valuesOf(value->kids), true) : convert(this->value(*value), part));
    m_frame = outer;
    return made;
}

/// By a class's constructor, of an object that has its members already: by its own class's, or a base's.
void Run::construct(const Handle& object, const HostClass& declared, std::vector<Value> values)
{
    std::vector<Argument> arguments;
    for (const Value& value : values)
        arguments.push_back({ .place = {}, .alone = value });
    const bool isCopy = values.size() == 1 && object->type->declared != &declared && isOf(values[0], declared);
    const HostFunction* const constructor = isCopy ? nullptr : bestOf(overloads(declared, declared.name, arguments.size()), arguments);
    if (constructor && constructor->ofClass == declared.name) {
        callFunction(*constructor, arguments, object);
        return;
    }
    values = isCopy ? membersOf(declared, values[0]) : constructor ? std::move(values) : spread(declared, std::move(values));
    constructBases(object, declared, [&](const HostBase& base) {
        return constructor && m_parser.program().derives(base.name, constructor->ofClass) ? values : std::vector<Value> {};
    });
    for (std::size_t i = 0; i < declared.members.size(); ++i)
        if (const auto at = indexOf(*object, declared.members[i].name); at && (i >= declared.inherited || !values.empty()))
            object->items[*at] = !constructor && i < values.size() ? convert(values[i], *object->type->parts[*at]) : i >= declared.inherited ? defaultMember(object, *at) : object->items[*at];
}

/// As a constructor says it: its bases, then its own members, in the order of the class.
void Run::constructMembers(const Handle& object, const HostClass& declared, const Body& body)
{
    const auto itself = std::ranges::find(body.members, std::string_view(declared.name), &decltype(body.members)::value_type::first);
    if (itself != body.members.end()) { // another constructor does it
        construct(object, declared, valuesOf(itself->second->kids));
        return;
    }
    constructBases(object, declared, [&](const HostBase& base) {
        const auto isOf = [&](const auto& member) { return m_parser.program().baseNamed(declared, member.first) == &base; };
        const auto given = std::ranges::find_if(body.members, isOf);
        return given == body.members.end() ? std::vector<Value> {} : valuesOf(given->second->kids);
    });
    const bool isDerived = !object->type->declared->bases.empty();
    for (std::size_t i = declared.inherited; i < declared.members.size(); ++i) {
        const std::string& name = declared.members[i].name;
        const auto given = std::ranges::find(body.members, std::string_view(name), &decltype(body.members)::value_type::first);
        const auto at = indexOf(*object, name);
        if (!at)
            continue;
        if (given != body.members.end()) {
            std::vector<Value> values = valuesOf(given->second->kids);
            const bool refers = object->type->isReference(*at) && values.size() == 1 && values[0].kind == Kind::Whole;
            object->items[*at] = refers ? values[0] : construct(*object->type->parts[*at], std::move(values), given->second->flag);
        }
        else if (isDerived)
            object->items[*at] = defaultMember(object, *at);
    }
}

void Run::constructBases(const Handle& object, const HostClass& declared, const std::function<std::vector<Value>(const HostBase&)>& given)
{
    for (const HostBase& base : declared.bases)
        if (const HostClass* known = m_parser.program().classNamed(base.name))
            construct(object, *known, given(base));
}

/// Where a member stands in an object that has been made so far.
std::optional<std::size_t> Run::indexOf(const Thing& object, std::string_view member)
{
    const std::vector<HostParameter>& all = object.type->declared->members;
    const auto index = std::size_t(std::ranges::find(all, member, &HostParameter::name) - all.begin());
    return index < object.items.size() && index < object.type->parts.size() ? std::optional(index) : std::nullopt;
}

} // namespace coalescope::kernels::host
