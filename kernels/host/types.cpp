// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/engine.h"
#include "kernels/host/launch_arguments.h"
#include "kernels/host/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace coalescope::kernels::host {
namespace {

constexpr std::int64_t kMostOfAll = std::int64_t(3) << 30; ///< ever asked for
constexpr std::size_t kMostKept = 16; ///< members of an object of which arrays are kept as bytes
constexpr int kDeepestType = 12; ///< of types in each other
constexpr std::string_view kIncomplete = "incomplete"; ///< the name of a class's type while its bases are told

struct Known {
    std::string_view name;
    Kind kind;
};
constexpr std::array kKinds { Known { "int", Kind::I32 }, Known { "unsigned int", Kind::U32 }, Known { "uint", Kind::U32 }, Known { "char", Kind::I8 },
    Known { "unsigned char", Kind::U8 }, Known { "uchar", Kind::U8 }, Known { "short", Kind::I16 }, Known { "unsigned short", Kind::U16 }, Known { "ushort", Kind::U16 },
    Known { "long", Kind::I64 }, Known { "unsigned long", Kind::U64 }, Known { "ulong", Kind::U64 }, Known { "longlong", Kind::I64 }, Known { "ulonglong", Kind::U64 }, Known { "float", Kind::F32 }, Known { "double", Kind::F64 },
    Known { "bool", Kind::Bool }, Known { "size_t", Kind::U64 }, Known { "ssize_t", Kind::I64 }, Known { "ptrdiff_t", Kind::I64 }, Known { "int8_t", Kind::I8 },
    Known { "uint8_t", Kind::U8 }, Known { "int16_t", Kind::I16 }, Known { "uint16_t", Kind::U16 }, Known { "int32_t", Kind::I32 }, Known { "uint32_t", Kind::U32 },
    Known { "int64_t", Kind::I64 }, Known { "uint64_t", Kind::U64 }, Known { "intptr_t", Kind::I64 }, Known { "uintptr_t", Kind::U64 }, Known { "half", Kind::F16 },
    Known { "__half", Kind::F16 }, Known { "nv_bfloat16", Kind::F16 }, Known { "__nv_bfloat16", Kind::F16 }, Known { "cudaError_t", Kind::I32 } };

constexpr std::string_view kSequence = "integer_sequence";

/// A number that is the same in every call.
bool isFixed(const Node* number) { return !number || number->op == Op::Constant || number->op == Op::Macro; }

/// From what a variable holds, a pack, or a template's number.
bool isDeduced(const TypeName& name) { return name.name == "decltype" || name.pack > 0 || name.isExpanded || !std::ranges::all_of(name.values, isFixed) || std::ranges::any_of(name.arguments, isDeduced); }

} // namespace

bool Run::isPlainName(std::string_view name) { return std::ranges::find(kKinds, name, &Known::name) != kKinds.end(); }

const Type* Run::intern(Type type)
{
    const auto list = [](const std::vector<const Type*>& parts) {
        std::string text;
        for (const Type* part : parts)
            text += part->text + ",";
        return text;
    };
    type.text = fmt::format("{}.{}.{}.{}<{}>", int(type.shape), int(type.kind), type.name, type.count, list(type.parts));
    if (type.element)
        type.text += "[" + type.element->text + "]";
    if (type.declared)
        type.text += type.declared->name;
    for (const auto& [name, bound] : type.bound)
        type.text += ";" + name + "=" + bound->text;
    for (const auto& [name, bound] : type.boundValues)
        type.text += fmt::format(";{}={}", name, bound);
    std::unique_ptr<Type>& known = m_types[type.text];
    if (!known && type.isPlain())
        type.stride = std::size_t(bytesOf(type.kind));
    const bool isAggregate = (type.shape == Type::Shape::Class || (type.shape == Type::Shape::Tuple && type.name != "entry")) && (!type.declared || type.declared->isWhole);
    if (!known && isAggregate && type.bits.empty() && type.references.empty() && !type.parts.empty() && type.parts.size() <= kMostKept && std::ranges::all_of(type.parts, &Type::isPlain)) {
        std::size_t end = 0;
        for (const Type* part : type.parts) {
            end = alignedUp(end, part->stride);
            type.offsets.push_back(end);
            end += part->stride;
        }
        type.stride = type.bytes();
    }
    if (!known)
        known = std::make_unique<Type>(std::move(type));
    return known.get();
}

const Type* Run::plain(Kind kind)
{
    const Type*& known = m_plain.at(std::size_t(kind));
    if (!known)
        known = intern({ .shape = Type::Shape::Plain, .kind = kind });
    return known;
}

const Type* Run::pointerTo(const Type* element)
{
    return intern({ .shape = Type::Shape::Pointer, .kind = Kind::Pointer, .element = element });
}

const Type* Run::vectorOf(const Type* element)
{
    return intern({ .shape = Type::Shape::Vector, .kind = Kind::Whole, .element = element });
}

const Type* Run::tupleOf(std::vector<const Type*> parts, std::string name)
{
    Type type { .shape = Type::Shape::Tuple, .kind = Kind::Whole };
    type.parts = std::move(parts);
    type.name = std::move(name);
    return intern(std::move(type));
}

const Type* Run::resolve(const TypeName& name)
{
    if (name.resolved)
        return name.resolved;
    if (m_depth > 200)
        return intern({});
    const Type* type = named(name);
    for (int i = 0; i < name.pointers; ++i)
        type = pointerTo(type);
    const bool isWithinTemplate = !m_frame->bound.empty() || !m_beingMade.empty() || (m_frame->ofClass && !m_frame->ofClass->ofTemplate.empty());
    const bool isOfOneCall = isDeduced(name) || (isWithinTemplate && !name.isAuto && std::ranges::find(kKinds, name.name, &Known::name) == kKinds.end());
    if (!isOfOneCall)
        name.resolved = type;
    return type;
}

const Type* Run::named(const TypeName& name)
{
    if (const Value* const held = packOrItem(name))
        return typeIn(*held);
    if (const auto bound = m_frame->bound.find(name.name); bound != m_frame->bound.end())
        return bound->second;
    if (const auto known = std::ranges::find(kKinds, name.name, &Known::name); known != kKinds.end())
        return known->kind == Kind::F16 ? intern({ .shape = Type::Shape::Plain, .kind = Kind::F16, .name = name.name.starts_with("__") ? name.name : "__" + name.name }) : plain(known->kind);
    if (name.isAuto)
        return intern({ .shape = Type::Shape::Auto, .kind = Kind::None });
    if (!name.isOfLibrary)
        if (const Type* const own = ownType(name))
            return own;
    const auto argument = [&](std::size_t i) { return i < name.arguments.size() ? resolve(name.arguments[i]) : intern({}); };
    if (name.name.starts_with("::"))
        return typeWithin(*argument(0), std::string_view(name.name).substr(2));
    if (isAmong(name.name, { "vector", "host_vector", "device_vector", "initializer_list" }))
        return vectorOf(argument(0));
    if (isAmong(name.name, { "string", "string_view" }))
        return stringType();
    if (const Type* map = mapOf(name))
        return map;
    if (name.name == kFunctionPointer) {
        Type type {};
        type.name = kFunctionPointer;
        return intern(std::move(type));
    }
    if (name.name == "decltype")
        return deduced(name);
    const bool isSet = isAmong(name.name, { "set", "multiset", "unordered_set", "unordered_multiset" }) && name.arguments.size() == 1;
    if (isSet || isAmong(name.name, { "deque", "queue", "stack", "list", "forward_list" })) {
        Type type { .shape = Type::Shape::Vector, .kind = Kind::Whole, .element = argument(0) };
        type.name = name.name;
        return intern(std::move(type));
    }
    if (name.name == "array") {
        const Value count = name.values.size() > 1 && name.values[1] ? value(*name.values[1]) : Value {};
        Type type { .shape = Type::Shape::Array, .kind = Kind::Whole, .element = argument(0) };
        type.count = count.isKnown ? count.asInteger() : -1;
        type.name = "array";
        return intern(std::move(type));
    }
    if (isAmong(name.name, { "pair", "tuple" })) {
        std::vector<const Type*> parts;
        for (const Value& given : templateValues(name.arguments, name.values, 0))
            parts.push_back(typeIn(given));
        return tupleOf(std::move(parts), "");
    }
    if (name.name.ends_with("_sequence"))
        return sequenceOf(name);
    if (isAmong(name.name, { "unique_ptr", "shared_ptr", "device_ptr" }))
        return pointerTo(argument(0));
    if (name.name == "optional") {
        Type type { .shape = Type::Shape::Pointer, .kind = Kind::Pointer, .element = argument(0) };
        type.name = name.name;
        return intern(std::move(type));
    }
    if (name.name == "variant" || name.name == "monostate") {
        Type type { .shape = name.name == "variant" ? Type::Shape::Variant : Type::Shape::Tuple, .kind = Kind::Whole };
        for (std::size_t i = 0; i < name.arguments.size(); ++i)
            type.parts.push_back(argument(i));
        type.name = name.name;
        return intern(std::move(type));
    }
    if (name.name == "priority_queue")
        return queueOf(name);
    if (name.name == "span")
        return tupleOf({ pointerTo(argument(0)), plain(Kind::U64) }, name.name);
    if (isAmong(name.name, { "mt19937", "mt19937_64", "minstd_rand", "minstd_rand0", "default_random_engine", "random_device" })) {
        Type type { .shape = Type::Shape::Engine, .kind = Kind::Whole };
        type.name = name.name;
        return intern(std::move(type));
    }
    if (name.name.ends_with("_distribution")) {
        Type type { .shape = Type::Shape::Distribution, .kind = Kind::Whole };
        type.element = !name.arguments.empty() ? argument(0) : plain(name.name == "bernoulli_distribution" ? Kind::Bool : isOfIntegers(name.name) ? Kind::I32 : Kind::F64);
        type.name = name.name;
        return intern(std::move(type));
    }
    if (isAmong(name.name, { "ifstream", "ofstream", "fstream", kDeviceProperties })) {
        Type type {};
        type.name = name.name;
        return intern(std::move(type));
    }
    if (name.isOfLibrary && name.name.ends_with("_ordering")) // what a <=> b is
        return plain(Kind::I32);
    if (name.name == "dim3")
        return tupleOf({ plain(Kind::U32), plain(Kind::U32), plain(Kind::U32) }, "dim3");
    if (const std::string component = componentOf(name.name); !component.empty()) { // float4
        const TypeName of { .name = component == "unsigned" ? "uint" : component };
        return tupleOf(std::vector<const Type*>(std::size_t(name.name.back() - '0'), named(of)), name.name);
    }
    if (const Parser::Alias* alias = m_parser.alias(name.name); alias && alias->type.name != name.name && m_depth < 200) {
        const auto outer = m_frame;
        if (!alias->parameters.empty()) {
            m_frame = std::make_shared<Frame>(*outer);
            for (std::size_t i = 0; i < alias->parameters.size() && i < name.arguments.size(); ++i)
                m_frame->bound[alias->parameters[i]] = argument(i);
        }
        ++m_depth;
        const Type* type = resolve(alias->type);
        --m_depth;
        m_frame = outer;
        return type;
    }
    const std::vector<Enumerator>& enumerators = m_parser.program().enumerators();
    if (const auto one = std::ranges::find(enumerators, name.name, &Enumerator::ofEnumeration); one != enumerators.end()) {
        const auto known = std::ranges::find(kKinds, one->type, &Known::name);
        return plain(known == kKinds.end() ? Kind::I32 : known->kind);
    }
    const Type* const own = name.isOfLibrary ? ownType(name) : nullptr; // of runtime_library.cuh
    return own ? own : intern({});
}

/// A class of the program's; null: none has this name.
const Type* Run::ownType(const TypeName& name)
{
    if (const auto special = name.arguments.empty() ? std::nullopt : specialized(name)) {
        std::string arguments;
        for (std::size_t i = 0; i < name.arguments.size(); ++i) {
            const Value number = name.values[i] ? value(*name.values[i]) : Value {};
            arguments += (i ? "," : "") + (name.values[i] ? std::to_string(number.asInteger()) : sourceName(*resolve(name.arguments[i])));
        }
        return ofClass(*special->first, special->second, nullptr, name.name + "<" + arguments + ">");
    }
    const HostClass* const declared = m_parser.program().classNamed(name.name);
    return declared ? ofClass(*declared, name) : nullptr;
}

/// Whether an argument of a template suits what a class is written for there, `wanted`. What parameters of the class's own are by that goes into `made`.
bool Run::suitsSpecial(const HostClass& own, const TypeName& wanted, const TypeName& name, std::size_t i, TypeName& made)
{
    const auto ownParameter = [&](std::string_view called) { return std::size_t(std::ranges::find(own.ofTemplate, called, &HostParameter::name) - own.ofTemplate.begin()); };
    const Node *const number = name.values[i], *const wantedNumber = wanted.values[i];
    if (!wantedNumber != !number)
        return false;
    if (number) {
        const std::size_t parameter = wantedNumber->op == Op::Named ? ownParameter(wantedNumber->name) : own.ofTemplate.size();
        if (parameter == own.ofTemplate.size())
            return host::applied(Arithmetic::Equal, value(*wantedNumber), value(*number)).isTrue();
        const Node* const before = std::exchange(made.values[parameter], number);
        return !before || host::applied(Arithmetic::Equal, value(*before), value(*number)).isTrue();
    }
    const Type* type = resolve(name.arguments[i]);
    const TypeName& pattern = wanted.arguments[i];
    const std::size_t parameter = pattern.arguments.empty() ? ownParameter(pattern.name) : own.ofTemplate.size();
    if (parameter == own.ofTemplate.size())
        return type->shape != Type::Shape::Other && type->kind != Kind::F16 && type == resolve(pattern);
    for (int pointers = pattern.pointers; pointers > 0; --pointers) {
        if (!type || !type->isAddress())
            return false;
        type = type->element;
    }
    const Type* const before = std::exchange(made.arguments[parameter].resolved, type);
    return type && (!before || before == type);
}

/// The class that is written for these arguments of a template, or for some of them, and what its own parameters are; nothing: none is, or nobody knows.
std::optional<std::pair<const HostClass*, TypeName>> Run::specialized(const TypeName& name)
{
    std::optional<std::pair<const HostClass*, TypeName>> best;
    for (const auto& [own, range] : m_parser.program().specializationsOf(name.name)) {
        const auto [known, isNew] = m_specialized.try_emplace(own);
        if (isNew)
            known->second = m_parser.templateArgumentsIn(range, own->ofTemplate);
        const std::optional<TypeName>& wanted = known->second;
        if (!wanted || wanted->arguments.size() != name.arguments.size() || name.values.size() != name.arguments.size())
            continue;
        TypeName made { .name = own->name };
        made.arguments.resize(own->ofTemplate.size());
        made.values.resize(own->ofTemplate.size());
        bool areSame = !best || own->ofTemplate.size() < best->first->ofTemplate.size(); // the one for most of them
        for (std::size_t i = 0; i < name.arguments.size() && areSame; ++i)
            areSame = suitsSpecial(*own, *wanted, name, i, made);
        if (areSame)
            best = std::pair(own, std::move(made));
    }
    return best;
}

/// What a class calls so: a name that it gives to a type, or a class in it.
const Type* Run::typeWithin(const Type& type, std::string_view name)
{
    if (!type.declared)
        return intern({});
    const auto alias = std::ranges::find_if(type.declared->aliases, [&](const Declaration& one) { return !one.names.empty() && one.names.back() == name; });
    if (alias == type.declared->aliases.end()) {
        const HostClass* const own = m_parser.program().classNamed(name);
        return own ? ofClass(*own, { .name = std::string(name) }) : intern({});
    }
    HostParameter of;
    std::tie(of.typeFirst, of.typeLast) = std::pair(m_parser.program().aliasedFrom(*alias), alias->last - 1);
    return resolveWithin(*type.declared, type, m_parser.memberType(*type.declared, of));
}

/// What is seen in a class's declaration, with what its template's parameters are so far.
std::shared_ptr<Frame> Run::frameWithin(const HostClass& declared, const Type& type)
{
    auto frame = std::make_shared<Frame>();
    frame->variables = Handle(new Thing);
    frame->ofClass = &declared;
    frame->bound = type.bound;
    frame->boundValues = type.boundValues;
    return frame;
}

/// As the class sees it.
const Type* Run::resolveWithin(const HostClass& declared, const Type& type, const TypeName& name)
{
    const auto outer = std::exchange(m_frame, frameWithin(declared, type));
    ++m_depth;
    const Type* const resolved = resolve(name);
    --m_depth;
    m_frame = outer;
    return resolved;
}

/// `around`: the class that it is a base of; `called`: of one that is written for some arguments of a template, what the program calls it.
const Type* Run::ofClass(const HostClass& declared, const TypeName& name, const Type* around, std::string called)
{
    Type type { .shape = Type::Shape::Class, .kind = Kind::Whole };
    type.declared = &declared;
    type.name = std::move(called);
    const bool isOfBase = std::exchange(m_isOfBase, false);
    bindTemplate(declared, name, type, around);
    if (m_frame->ofClass == &declared && name.arguments.empty()) // the class itself, within it
        for (const HostParameter& parameter : declared.ofTemplate)
            if (const auto bound = m_frame->bound.find(parameter.name); bound != m_frame->bound.end())
                type.bound[parameter.name] = bound->second;
    static thread_local int depth = 0;
    const bool isIncomplete = isOfBase && std::ranges::find(m_beingMade, &declared) != m_beingMade.end(); // struct A : Base<A>
    if (depth > kDeepestType || isIncomplete) {
        m_isOfBase = isOfBase;
        type.name = kIncomplete;
        return intern(isIncomplete ? std::move(type) : Type {});
    }
    m_beingMade.push_back(&declared);
    ++depth;
    const auto outer = std::exchange(m_frame, frameWithin(declared, type));
    inherit(declared, type);
    std::vector<bool> references(type.parts.size()); // those of bases are not looked at
    for (std::size_t own = type.parts.size(); own < declared.members.size(); ++own) {
        const HostParameter& member = declared.members[own];
        TypeName of = m_parser.memberType(declared, member);
        references.push_back(of.isReference);
        const std::size_t extents = of.values.size() - std::min(of.values.size(), of.arguments.size());
        const Type* part = of.name == declared.name && of.pointers > 0 ? pointerTo(intern({})) : resolve(of); // struct Node { Node* next; }
        for (std::size_t i = of.values.size(); i-- > of.values.size() - extents;) {
            const Value extent = value(*of.values[i]);
            Type array { .shape = Type::Shape::Array, .kind = Kind::Whole, .element = part };
            array.count = extent.isKnown ? extent.asInteger() : -1;
            part = intern(std::move(array));
        }
        type.parts.push_back(part);
    }
    if (std::ranges::find(references, true) != references.end())
        type.references = std::move(references);
    if (declared.hasBits())
        std::ranges::transform(declared.members, std::back_inserter(type.bits), &HostParameter::bits);
    m_frame = outer;
    m_beingMade.pop_back();
    m_isOfBase = isOfBase;
    --depth;
    return intern(std::move(type));
}

const Type* Run::typeOf(const Value& value)
{
    if (isNumber(value.kind))
        return plain(value.kind);
    if (value.kind == Kind::Pointer) {
        const Type* element = value.thing && value.thing->element ? value.thing->element : value.points;
        return element ? pointerTo(element) : nullptr;
    }
    return value.kind == Kind::Whole && value.thing ? value.thing->type : nullptr;
}

/// `count` below 0: nobody knows how many.
Handle Run::newThing(const Type* type, const Type* element, std::int64_t count, const Value& fill)
{
    Thing* thing = new Thing;
    Handle held(thing);
    thing->type = type;
    thing->element = element;
    constexpr std::int64_t kMostOfReals = 65536; ///< bytes of real numbers in objects that are kept
    if (!element->isStored() && element->isOfReals() && count >= 0 && count * std::int64_t(element->bytes()) > kMostOfReals) {
        thing->hollow = count;
        return held;
    }
    const std::int64_t width = element->isStored() ? std::int64_t(element->stride) : std::int64_t(sizeof(Value) + (element->kind == Kind::Whole ? sizeof(Thing) : 0) + element->parts.size() * sizeof(Value));
    if (count < 0 || count > kMostBytes / width || m_allocated + count * width > kMostOfAll) {
        thing->isUnknown = true;
        return held;
    }
    m_allocated += count * width;
    thing->resize(std::size_t(count), fill);
    return held;
}

void Run::giveType(Thing& thing, const Type* element)
{
    if (thing.raw < 0 || !element || element->shape == Type::Shape::Other || element->bytes() == 0)
        return;
    const std::int64_t count = thing.raw / std::int64_t(element->bytes());
    thing.raw = -1;
    const Handle made = newThing(nullptr, element, count, initial(*element));
    thing.element = element;
    thing.bytes = std::move(made->bytes);
    if (thing.filled > 0)
        std::ranges::fill(thing.bytes, std::uint8_t(thing.filled));
    thing.items = std::move(made->items);
    thing.unknown = std::move(made->unknown);
    thing.hollow = made->hollow;
    thing.isUnknown = thing.isUnknown || made->isUnknown || (thing.filled > 0 && !element->isStored());
}

Value Run::initial(const Type& type)
{
    switch (type.shape) {
    case Type::Shape::Plain: return isReal(type.kind) ? Value::ofReal(type.kind, 0) : Value::of(type.kind, 0);
    case Type::Shape::Pointer: {
        Value null = Value::pointer({}, 0);
        null.points = type.element;
        return null;
    }
    case Type::Shape::Array: return Value::whole(newThing(&type, type.element, type.count, initial(*type.element)));
    case Type::Shape::Vector: return Value::whole(newThing(&type, type.element, 0, {}));
    case Type::Shape::Class: return type.declared->joinsFunctions ? joined(type, {}) : constructObject(type, {});
    case Type::Shape::Variant: return variantOf(type, type.parts.empty() ? Value {} : initial(*type.parts[0]));
    case Type::Shape::Tuple:
    case Type::Shape::Engine:
    case Type::Shape::Distribution: return construct(type, {}, false);
    case Type::Shape::Other: return type.isStream() || type.name == kDeviceProperties ? streamOf(type, false) : Value::unknown(Kind::Other);
    case Type::Shape::Auto: break;
    }
    return {};
}

Value Run::convert(const Value& value, const Type& type)
{
    switch (type.shape) {
    case Type::Shape::Plain:
        if (isList(value))
            return ofList(type, *value.thing);
        if (isObject(value))
            if (const Value number = asNumberOf(value); isNumber(number.kind))
                return host::converted(number, type.kind);
        return isNumber(value.kind) || (type.kind == Kind::Bool && (value.kind == Kind::Pointer || value.kind == Kind::Other)) ? host::converted(value, type.kind) : Value::unknown(type.kind);
    case Type::Shape::Pointer: {
        if (type.isOptional())
            return optionalOf(type, value);
        if (isList(value)) // a smart one's, behind it perhaps what deletes
            return ofList(type, *value.thing);
        Value pointer = asPointer(value);
        if (isInteger(pointer.kind) && pointer.isKnown && pointer.integer == 0)
            pointer = Value::pointer({}, 0);
        if (pointer.kind != Kind::Pointer)
            pointer = Value::unknown(Kind::Pointer);
        if (pointer.thing) {
            const Type* const held = pointer.thing->element;
            const bool isSeenOtherwise = held && held->isPlain() && type.element->isPlain() && bytesOf(held->kind) != bytesOf(type.element->kind);
            if (isSeenOtherwise) { // what is written through it is not followed
                pointer.thing->forget();
                pointer = Value::unknown(Kind::Pointer);
            }
        }
        pointer.points = type.element;
        return pointer;
    }
    case Type::Shape::Other:
    case Type::Shape::Auto: return value;
    case Type::Shape::Variant:
        if (!(value.kind == Kind::Whole && value.thing && value.thing->type == &type))
            return variantOf(type, value);
        break;
    default: break;
    }
    if (type.isSpan() && !isList(value))
        return spanOf(type, { value });
    if (type.isString() && (value.kind != Kind::Whole || !value.thing))
        return constructString({ value });
    if (value.kind != Kind::Whole || !value.thing)
        return isNumber(value.kind) || value.kind == Kind::Pointer ? construct(type, { value }, false) : Value {};
    if (isList(value))
        return ofList(type, *value.thing);
    if (auto base = baseOf(value, type))
        return *std::move(base);
    return value.thing->owners > 1 ? copied(value) : value;
}

Value Run::asPointer(const Value& value)
{
    const Value pointer = decayed(value);
    return isObject(pointer) ? onlyPointer(pointer).value_or(Value {}) : pointer;
}

/// { a, b } as a value of this type.
Value Run::ofList(const Type& type, const Thing& list)
{
    const auto made = [&](std::size_t i, const Type& of) { return i < list.items.size() ? convert(list.items[i], of) : initial(of); };
    switch (type.shape) {
    case Type::Shape::Array:
    case Type::Shape::Vector: {
        if (type.name.ends_with("map")) {
            Value map = initial(type);
            for (const Value& entry : list.items)
                if (entry.kind == Kind::Whole && entry.thing && entry.thing->items.size() == 2)
                    putIntoMap(*map.thing, convert(entry.thing->items[0], *type.element->parts[0]), entry.thing->items[1]);
                else
                    map.thing->isUnknown = true;
            map.thing->number = kNoOrder; // it had room for all of them before
            return map;
        }
        const std::int64_t count = type.shape == Type::Shape::Array ? type.count : std::int64_t(list.items.size());
        const bool isNested = list.items.size() == 1 && type.name == "array" && list.items[0].kind == Kind::Whole && !type.element->parts.size() && type.element->isPlain();
        const bool isNestedOfLists = list.items.size() == 1 && type.name == "array" && type.count > 1 && isList(list.items[0]) && !list.items[0].thing->items.empty() && std::ranges::all_of(list.items[0].thing->items, isList);
        if (isNested || isNestedOfLists) // array<int, 2> { { 1, 2 } }
            return ofList(type, *list.items[0].thing);
        Value array = Value::whole(newThing(&type, type.element, count, initial(*type.element)));
        for (std::size_t i = 0; i < list.items.size() && std::int64_t(i) < count; ++i)
            array.thing->set(std::int64_t(i), convert(list.items[i], *type.element));
        if (type.name.ends_with("set")) {
            Value set = initial(type);
            insertRange(set.thing, { Value::pointer(array.thing, 0), Value::pointer(array.thing, count) });
            return set;
        }
        return array;
    }
    case Type::Shape::Class: return constructObject(type, list.items, !list.items.empty());
    case Type::Shape::Variant: return list.items.empty() ? initial(type) : variantOf(type, list.items.size() == 1 ? list.items[0] : Value {});
    case Type::Shape::Tuple: {
        if (type.isSpan())
            return spanOf(type, list.items);
        Value tuple = initial(type);
        for (std::size_t i = 0; i < type.parts.size() && i < list.items.size(); ++i)
            if (const Node* const named = designatorOf(list.items[i])) { // float4 { .x = 1 }
                const std::size_t part = std::string_view("xyzw").find(named->name);
                if (part < type.parts.size())
                    tuple.thing->items[part] = convert(list.items[i].thing->items[0], *type.parts[part]);
            } else {
                tuple.thing->items[i] = convert(list.items[i], *type.parts[i]);
            }
        return tuple;
    }
    case Type::Shape::Engine: return construct(type, list.items, false);
    case Type::Shape::Distribution: return construct(type, list.items, true);
    case Type::Shape::Plain:
    case Type::Shape::Pointer: return made(0, type);
    default: return {};
    }
}

/// std::pair { 1, 2 } tells by its values what it is of; null: it says so itself.
const Type* Run::deducedOf(const Type& type, const std::vector<Value>& arguments, bool isBraced)
{
    const bool isOpen = type.shape == Type::Shape::Vector || type.shape == Type::Shape::Array || (type.shape == Type::Shape::Tuple && type.parts.empty());
    if (!isOpen || arguments.empty() || (type.element && type.element->shape != Type::Shape::Other))
        return nullptr;
    std::vector<const Type*> parts;
    for (const Value& argument : arguments) {
        const Type* const part = typeOf(argument);
        parts.push_back(part ? part : intern({}));
    }
    if (type.shape == Type::Shape::Tuple && type.name.empty() && type.parts.empty())
        return tupleOf(std::move(parts), "");
    const bool isVector = type.shape == Type::Shape::Vector && type.name.empty();
    if (isVector && parts.size() == 1 && parts[0]->shape == Type::Shape::Vector && !parts[0]->isString()) // a copy
        return parts[0];
    if (isVector && !isBraced && parts.size() == 2) // so many of one value, or a range
        return isInteger(arguments[0].kind) ? vectorOf(parts[1]) : parts[0]->isAddress() ? vectorOf(parts[0]->element) : nullptr;
    if (!isBraced || parts[0]->shape == Type::Shape::Other)
        return nullptr;
    if (isVector)
        return vectorOf(parts[0]);
    if (type.shape != Type::Shape::Array || type.name != "array" || type.count >= 0)
        return nullptr;
    Type array { .shape = Type::Shape::Array, .kind = Kind::Whole, .element = parts[0], .count = std::int64_t(parts.size()) };
    array.name = type.name;
    return intern(std::move(array));
}

Value Run::construct(const Type& type, std::vector<Value> arguments, bool isBraced)
{
    if (const Type* const deduced = deducedOf(type, arguments, isBraced))
        return construct(*deduced, std::move(arguments), isBraced);
    const std::size_t count = arguments.size();
    const auto list = [&] {
        Thing items;
        items.items = arguments;
        return items;
    };
    switch (type.shape) {
    case Type::Shape::Vector: {
        if (type.isString() && !(isBraced && count > 0 && isInteger(arguments[0].kind)))
            return constructString(arguments);
        if (type.name == "priority_queue" && count > 0 && !(count == 1 && typeOf(arguments[0]) == &type)) // what compares them, or what it is to be made of
            return Value::whole(newThing(&type, type.element, -1, {}));
        if (count == 1 && isList(arguments[0]) && !isBraced)
            return ofList(type, *arguments[0].thing);
        const bool isCopy = count == 1 && arguments[0].kind == Kind::Whole && arguments[0].thing && arguments[0].thing->type
            && arguments[0].thing->type->shape == Type::Shape::Vector;
        if (isCopy) {
            Value copy = copied(arguments[0]);
            copy.thing->type = &type;
            return copy;
        }
        const bool areLetters = count == 2 && arguments[0].thing && arguments[0].thing->element == plain(Kind::I8); // { "x", "y" } of strings
        const bool isOfPointers = isBraced && (type.element->shape == Type::Shape::Pointer || (type.element->isString() && areLetters));
        if (count == 2 && arguments[0].kind == Kind::Pointer && arguments[1].kind == Kind::Pointer && !isOfPointers) {
            const auto range = rangeOf(arguments[0], arguments[1]);
            if (!range)
                return Value::whole(newThing(&type, type.element, -1, {}));
            if (type.name.ends_with("set") || type.name.ends_with("map")) { // which hold no key twice
                Value made = initial(type);
                insertRange(made.thing, *range);
                made.thing->number = isMap(made) ? kNoOrder : made.thing->number;
                return made;
            }
            Value made = Value::whole(newThing(&type, type.element, range->second.integer - range->first.integer, initial(*type.element)));
            const Thing& from = *range->first.thing;
            if (from.element == type.element && type.element->isStored() && from.unknown.empty() && from.hollow < 0 && !made.thing->isUnknown) {
                const auto first = from.bytes.begin() + range->first.integer * std::int64_t(type.element->stride);
                made.thing->bytes.assign(first, first + std::int64_t(made.thing->bytes.size()));
                m_steps += std::int64_t(made.thing->bytes.size()) / 64;
                return made;
            }
            for (std::size_t i = 0; i < made.thing->size() && !isUp(); ++i)
                made.thing->set(std::int64_t(i), range->first.thing->at(range->first.integer + std::int64_t(i)));
            return made;
        }
        if (isBraced && (count != 1 || type.element->kind != Kind::Whole || isList(arguments[0]))) {
            const Thing items = list();
            return ofList(type, items);
        }
        if (count == 0)
            return initial(type);
        const std::int64_t size = arguments[0].isKnown && isNumber(arguments[0].kind) ? arguments[0].asInteger() : -1;
        return Value::whole(newThing(&type, type.element, size, count > 1 ? convert(arguments[1], *type.element) : initial(*type.element)));
    }
    case Type::Shape::Tuple: {
        if (type.isSpan())
            return spanOf(type, arguments);
        Thing* tuple = new Thing;
        Value made = Value::whole(Handle(tuple));
        tuple->type = &type;
        const bool isCopy = count == 1 && arguments[0].kind == Kind::Whole && arguments[0].thing && arguments[0].thing->type == &type;
        if (isCopy)
            return copied(arguments[0]);
        for (std::size_t i = 0; i < type.parts.size(); ++i)
            tuple->items.push_back(i < count ? convert(arguments[i], *type.parts[i]) : type.name == "dim3" ? Value::of(Kind::U32, 1) : initial(*type.parts[i]));
        return made;
    }
    case Type::Shape::Variant: return count == 0 ? initial(type) : convert(count == 1 ? arguments[0] : Value {}, type);
    case Type::Shape::Class: {
        if (type.declared->joinsFunctions)
            return joined(type, std::move(arguments));
        const bool isCopy = count == 1 && arguments[0].kind == Kind::Whole && arguments[0].thing && arguments[0].thing->type == &type;
        const auto base = count == 1 ? baseOf(arguments[0], type) : std::nullopt;
        return isCopy ? copied(arguments[0]) : base ? *base : constructObject(type, std::move(arguments), isBraced && count > 0);
    }
    case Type::Shape::Engine: {
        Thing* engine = new Thing;
        Value made = Value::whole(Handle(engine));
        engine->type = &type;
        const bool isSeeded = count > 0 && arguments[0].isKnown && isNumber(arguments[0].kind); // another seed draws as well
        const auto seed = std::uint64_t(isSeeded ? arguments[0].asInteger() : 0);
        engine->engine = std::make_shared<Engine>();
        if (type.name == "mt19937_64")
            *engine->engine = isSeeded ? std::mt19937_64(seed) : std::mt19937_64();
        else if (type.name == "minstd_rand")
            *engine->engine = isSeeded ? std::minstd_rand(std::uint32_t(seed)) : std::minstd_rand();
        else if (type.name == "minstd_rand0" || type.name == "default_random_engine")
            *engine->engine = isSeeded ? std::minstd_rand0(std::uint32_t(seed)) : std::minstd_rand0();
        else
            *engine->engine = isSeeded ? std::mt19937(std::uint32_t(seed)) : std::mt19937();
        return made;
    }
    case Type::Shape::Distribution: return constructDistribution(type, arguments, isBraced);
    case Type::Shape::Array: {
        const Thing items = list();
        return ofList(type, items);
    }
    case Type::Shape::Auto: return count > 0 ? arguments[0] : Value {};
    case Type::Shape::Other: return type.isStream() || type.name == kDeviceProperties ? streamOf(type, count > 0 && type.isStream()) : Value::unknown(Kind::Other);
    default: return count > 0 ? convert(arguments[0], type) : initial(type);
    }
}

/// Of { 1, 2, 3 } for a member that is an array, without braces of its own: a list of as many as it has.
std::vector<Value> Run::gathered(const Type& type, std::vector<Value> values)
{
    std::vector<Value> members;
    std::size_t taken = 0;
    for (const Type* part : type.parts) {
        const bool isArray = part->shape == Type::Shape::Array && part->count > 0 && part->element->isPlain();
        const std::size_t count = isArray && taken < values.size() && isNumber(values[taken].kind) ? std::size_t(part->count) : 1;
        Thing* list = new Thing;
        Value member = Value::whole(Handle(list));
        for (; list->items.size() < count && taken < values.size() && (count == 1 || isNumber(values[taken].kind)); ++taken)
            list->items.push_back(values[taken]);
        if (!list->items.empty())
            members.push_back(count > 1 ? member : list->items[0]);
    }
    return taken == values.size() ? members : values;
}

/// Whether it has a constructor of a std::initializer_list.
bool Run::takesList(const HostClass& type)
{
    return std::ranges::any_of(overloads(type, type.name, 1), [&](const HostFunction* constructor) {
        const Body& body = m_parser.bodyOf(*constructor);
        return constructor->ofClass == type.name && !body.parameters.empty() && body.parameters[0].name == "initializer_list";
    });
}

/// By its constructor, or its members in order.
Value Run::constructObject(const Type& type, std::vector<Value> arguments, bool isBraced)
{
    Thing* object = new Thing;
    Value made = Value::whole(Handle(object));
    object->type = &type;
    object->isUnknown = type.name == kIncomplete;
    if (object->isUnknown)
        return made;
    const HostClass& declared = *type.declared;
    if (isBraced && takesList(declared)) { // V { 1, 2, 3 }
        Thing* const list = new Thing;
        Value given = Value::whole(Handle(list));
        list->items = std::exchange(arguments, {});
        arguments = { given };
    }
    const bool isConstructed = memberFunction(declared, declared.name, arguments.size()) || (arguments.empty() && !declared.bases.empty());
    if (!isConstructed)
        arguments = spread(declared, std::move(arguments));
    const auto isArray = [](const Type* part) { return part->shape == Type::Shape::Array; };
    if (!isConstructed && std::ranges::any_of(type.parts, isArray))
        arguments = gathered(type, std::move(arguments));
    const bool areDesignated = !isConstructed && std::ranges::any_of(arguments, [](const Value& argument) { return designatorOf(argument) != nullptr; });
    for (std::size_t i = 0; i < declared.members.size(); ++i) {
        const Type& part = *type.parts[i];
        if (areDesignated) {
            const auto given = std::ranges::find_if(arguments, [&](const Value& argument) { return designatorOf(argument) && designatorOf(argument)->name == declared.members[i].name; });
            object->items.push_back(given != arguments.end() ? convert(given->thing->items[0], part) : defaultMember(made.thing, i));
            continue;
        }
        const bool isBases = isConstructed && !declared.bases.empty(); // each has its turn
        const bool refers = !isConstructed && i < arguments.size() && type.isReference(i) && arguments[i].kind == Kind::Whole && !isList(arguments[i]);
        object->items.push_back(refers ? arguments[i] : !isConstructed && i < arguments.size() ? convert(arguments[i], part) : isBases ? initial(part) : defaultMember(made.thing, i));
    }
    if (isConstructed)
        construct(made.thing, declared, std::move(arguments));
    for (std::size_t i = 0; !type.bits.empty() && i < object->items.size(); ++i)
        object->items[i] = type.inPart(i, object->items[i]);
    return made;
}

/// What the parameters of a template are, by an argument. `isAnew`: whatever they were before.
void Run::unify(const std::vector<HostParameter>& ofTemplate, const TemplateSlots& slots, const TypeName& name, const Value& value, bool isAnew)
{
    const Type* type = typeOf(value);
    const TypeName* pattern = &name;
    int pointers = name.pointers;
    if (type && type->shape == Type::Shape::Array && pointers > 0) {
        type = type->element;
        --pointers;
    }
    while (type && pointers > 0 && type->shape == Type::Shape::Pointer) {
        type = type->element;
        --pointers;
    }
    if (type && !pattern->arguments.empty() && pattern->arguments.back().isExpanded)
        return unifyPack(slots, pattern->arguments.back(), *type, type->shape == Type::Shape::Tuple && !type->name.empty() ? 0 : pattern->arguments.size() - 1);
    while (type && pattern->arguments.size() == 1 && type->element) {
        type = type->element;
        pattern = &pattern->arguments[0];
    }
    const auto parameter = std::ranges::find(ofTemplate, pattern->name, &HostParameter::name);
    if (!type || parameter == ofTemplate.end() || !parameter->isType || !pattern->arguments.empty())
        return;
    if (isAnew)
        m_frame->bound[pattern->name] = type;
    else
        m_frame->bound.try_emplace(pattern->name, type);
}

/// `std::tuple<Ts...>`, `std::integer_sequence<int, Ns...>`: what the pack stands for, from a part of the type on.
void Run::unifyPack(const TemplateSlots& slots, const TypeName& expanded, const Type& type, std::size_t first)
{
    const auto slot = std::ranges::find(slots, expanded.name, &std::pair<std::string, int>::first);
    if (slot == slots.end() || type.shape != Type::Shape::Tuple)
        return;
    std::vector<Value> items;
    for (std::size_t i = first; i < type.parts.size(); ++i)
        items.push_back(type.name == kSequence ? Value::of(Kind::I32, type.parts[i]->count) : typeValue(type.parts[i]));
    m_frame->variables->items[std::size_t(slot->second)] = packOf(std::move(items));
}

/// `Ts... rest`: the types of what it is given.
void Run::bindTypes(const TemplateSlots& slots, const TypeName& pack, const std::vector<Argument>& arguments, std::size_t first)
{
    const auto slot = std::ranges::find(slots, pack.name, &std::pair<std::string, int>::first);
    if (slot == slots.end() || isPack(m_frame->variables->items[std::size_t(slot->second)]))
        return;
    std::vector<Value> items;
    for (std::size_t i = first; i < arguments.size(); ++i) {
        const Type* type = typeOf(arguments[i].value());
        for (int pointers = pack.pointers; type && pointers > 0; --pointers)
            type = type->element;
        items.push_back(typeValue(type ? type : intern({})));
    }
    m_frame->variables->items[std::size_t(slot->second)] = packOf(std::move(items));
}

/// std::integer_sequence and its kin: each part stands for a number.
const Type* Run::sequenceOf(const TypeName& name)
{
    constexpr std::int64_t kLongest = 256;
    const bool isMade = name.name.starts_with("make_");
    const std::vector<Value> given = templateValues(name.arguments, name.values, name.name.ends_with("index_sequence") ? 0 : 1);
    std::vector<const Type*> parts;
    const auto add = [&](std::int64_t number) {
        Type part { .shape = Type::Shape::Other };
        part.count = number;
        part.name = std::to_string(number);
        parts.push_back(intern(std::move(part)));
    };
    for (std::int64_t i = 0; isMade && !given.empty() && i < std::min(given[0].asInteger(), kLongest); ++i)
        add(i);
    for (std::size_t i = 0; !isMade && i < given.size(); ++i)
        add(given[i].asInteger());
    return tupleOf(std::move(parts), std::string(kSequence));
}

} // namespace coalescope::kernels::host
