// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels::host {
namespace {

constexpr std::array<std::string_view, 4> kComponents { "x", "y", "z", "w" };
constexpr std::array<std::string_view, 2> kPair { "first", "second" };

} // namespace

/// Of a variable that the parser has counted later than the function began: a lambda's, in a member's default value.
Value& Run::lateSlot(std::vector<Value>& variables, int slot)
{
    variables.resize(std::size_t(slot) + 1);
    return variables[std::size_t(slot)];
}

/// An array becomes a pointer to its first element.
Value Run::decayed(const Value& value)
{
    const bool isArray = value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->shape == Type::Shape::Array;
    return isArray ? Value::pointer(value.thing, 0) : value;
}

/// An array that is no std::array does so beside an operator.
Value Run::operandOf(const Value& value)
{
    return value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->name == "array" ? value : decayed(value);
}

Value Run::value(const Node& node)
{
    switch (node.op) {
    case Op::Binary:
    case Op::Index:
    case Op::Assign:
    case Op::AssignWith:
    case Op::Increase:
    case Op::Conditional:
    case Op::Cast: {
        const Number made = number(node);
        return made.isOther ? std::exchange(m_other, {}) : valueOf(made);
    }
    default: return otherValue(node);
    }
}

Value Run::otherValue(const Node& node)
{
    ++m_steps;
    switch (node.op) {
    case Op::Constant: return node.constant;
    case Op::Unknown: return node.constant;
    case Op::Literal: return literalOf(node);
    case Op::Local:
    case Op::Global: {
        const Value& held = slot(node);
        if (!node.isAlias)
            return held;
        return held.thing ? held.thing->at(held.integer) : Value {};
    }
    case Op::Self: return m_frame->self ? Value::whole(m_frame->self) : Value {};
    case Op::Named: {
        if (const auto bound = m_frame->boundValues.find(node.name); bound != m_frame->boundValues.end())
            return Value::of(Kind::I32, bound->second);
        if (const Handle memory = variableOfModule(node.name)) // as cudaMemcpyToSymbol() takes it
            return Value::pointer(memory, 0);
        const bool isOfTheProgram = m_parser.program().isKernel(node.name) || !m_parser.program().functionsNamed(node.name).empty();
        Value function { .kind = Kind::Function, .isKnown = isOfTheProgram };
        Thing* thing = new Thing;
        thing->code = &node;
        if (!node.types.empty()) { // what they are here
            thing->frame = m_frame;
            m_frames.push_back(m_frame);
        }
        function.thing = Handle(thing);
        return function;
    }
    case Op::Fold: return foldOf(node);
    case Op::CountPack: {
        const Value& pack = m_frame->variables->items[std::size_t(node.slot)];
        return isPack(pack) ? Value::of(Kind::U64, std::int64_t(pack.thing->items.size())) : Value::unknown(Kind::U64);
    }
    case Op::Trait: return trait(node);
    case Op::Macro: return given(node.name, value(*node.kids[0]));
    case Op::Member:
    case Op::Dereference: return place(node).value();
    case Op::AddressOf: {
        if (node.kids[0]->op == Op::Self)
            return m_frame->self ? Value::pointer(temporary(Value::whole(m_frame->self)).thing, 0) : Value::unknown(Kind::Pointer);
        if (node.kids[0]->op == Op::Named)
            return value(*node.kids[0]);
        return place(*node.kids[0]).pointer();
    }
    case Op::Call: return call(node);
    case Op::CallMember: return callMember(node);
    case Op::CallValue: return callValue(node);
    case Op::Static: return staticOf(node);
    case Op::CallStatic: return callStatic(node);
    case Op::Negate: {
        const Value of = value(*node.kids[0]);
        if (auto own = negatedByOperator(of))
            return *std::move(own);
        const Kind kind = std::max(of.kind, Kind::I32);
        if (!of.isKnown || !isNumber(kind))
            return Value::unknown(kind);
        return isReal(kind) ? Value::ofReal(kind, -of.real) : Value::of(kind, std::int64_t(-std::uint64_t(of.integer)));
    }
    case Op::Not: {
        const Value of = asCondition(value(*node.kids[0]));
        return of.isKnown ? Value::of(Kind::Bool, !of.isTrue()) : Value::unknown(Kind::Bool);
    }
    case Op::Complement: {
        const Value of = value(*node.kids[0]);
        const Kind kind = std::max(of.kind, Kind::I32);
        return of.isKnown && isInteger(of.kind) ? Value::of(kind, ~of.integer) : Value::unknown(kind);
    }
    case Op::Both:
    case Op::Either: {
        const bool isBoth = node.op == Op::Both;
        const std::optional<bool> left = holds(*node.kids[0]);
        if (left == !isBoth)
            return Value::of(Kind::Bool, !isBoth);
        const std::optional<bool> right = holds(*node.kids[1]);
        if (right == !isBoth)
            return Value::of(Kind::Bool, !isBoth);
        return left && right ? Value::of(Kind::Bool, isBoth) : Value::unknown(Kind::Bool);
    }
    case Op::ThreeWay: return orderOf(operandOf(value(*node.kids[0])), operandOf(value(*node.kids[1])));
    case Op::Comma: value(*node.kids[0]); return value(*node.kids[1]);
    case Op::SizeOf: return sizeOf(node);
    case Op::New: return newOf(node);
    case Op::Lambda: return lambda(node);
    case Op::List: return listOf(node);
    case Op::Designated: return designated(node);
    case Op::Make: {
        const Type* type = resolve(*node.type);
        return construct(*type, node.flag ? valuesOf(node.kids) : argumentValues(node.kids), node.flag);
    }
    case Op::Launch: {
        const Value kernel = value(*node.kids[0]);
        const std::vector<Value> configuration = valuesOf(node.values);
        launch(node, kernel, argumentValues(node.kids, 1), configuration);
        return {};
    }
    default: return {};
    }
}

Run::Place Run::place(const Node& node)
{
    switch (node.op) {
    case Op::Local:
    case Op::Global: {
        const Value& held = slot(node);
        if (node.isAlias)
            return { held.thing, held.integer };
        return { node.op == Op::Global ? m_globals : m_frame->variables, node.slot };
    }
    case Op::Member: return placeOfMember(node);
    case Op::Index: {
        const Value base = value(*node.kids[0]);
        const Value index = value(*node.kids[1]);
        if (isMap(base))
            return placeInMap(base.thing, index);
        const HostClass* const declared = base.kind == Kind::Whole && base.thing && base.thing->type ? base.thing->type->declared : nullptr;
        const HostFunction* const function = declared ? memberFunction(*declared, "operator[]", 1) : nullptr;
        if (!function)
            return elementOf(base, index);
        m_returnedPlace = {};
        Value made = callFunction(*function, { { .place = {}, .alone = index } }, base.thing);
        return m_returnedPlace.thing ? std::exchange(m_returnedPlace, {}) : temporary(std::move(made));
    }
    case Op::Dereference: return pointedAt(value(*node.kids[0]));
    case Op::Self: return m_frame->self ? temporary(Value::whole(m_frame->self)) : Place {};
    case Op::Assign:
    case Op::AssignWith: assign(node); return place(*node.kids[0]);
    case Op::Increase:
        if (!node.flag) {
            increase(node);
            return place(*node.kids[0]);
        }
        return {};
    case Op::Call:
    case Op::CallValue:
    case Op::CallMember: {
        m_returnedPlace = {};
        const Value made = value(node);
        if (m_returnedPlace.thing)
            return std::exchange(m_returnedPlace, {});
        return made.kind == Kind::Whole ? temporary(made) : Place {};
    }
    case Op::Conditional: {
        const auto condition = holds(*node.kids[0]);
        return condition ? place(*node.kids[*condition ? 1 : 2]) : Place {};
    }
    case Op::Cast: return place(*node.kids[0]);
    case Op::Named: return { variableOfModule(node.name), 0 };
    default: return {};
    }
}

Run::Place Run::elementOf(const Value& base, const Value& index)
{
    if (isSpan(base))
        return elementOf(base.thing->items[0], index);
    if (!base.thing || !base.isKnown || !isInteger(index.kind))
        return {};
    if (base.kind != Kind::Pointer && !(base.kind == Kind::Whole && base.thing->element))
        return {};
    if (base.thing->raw >= 0 && base.points)
        giveType(*base.thing, base.points);
    const std::int64_t first = base.kind == Kind::Pointer ? base.integer : 0;
    return { base.thing, index.isKnown ? first + index.integer : -1 };
}

/// *pointer, also of an object that has an operator for that.
Run::Place Run::pointedAt(const Value& pointer)
{
    if (!isObject(pointer))
        return elementOf(decayed(pointer), Value::of(Kind::I32, 0));
    m_returnedPlace = {};
    auto made = callOperator("operator*", { { .place = {}, .alone = pointer } });
    return m_returnedPlace.thing ? std::exchange(m_returnedPlace, {}) : made ? temporary(*std::move(made)) : Place {};
}

Run::Place Run::placeOfObject(const Node& node)
{
    const Node& base = *node.kids[0];
    if (stands(base) && !node.flag)
        return place(base);
    Value object = value(base);
    if (object.kind == Kind::Pointer && !node.flag) // a smart one
        return temporary(std::move(object));
    if (object.kind != Kind::Pointer)
        return object.kind == Kind::Whole || object.kind == Kind::Other ? temporary(std::move(object)) : Place {};
    if (!object.isKnown || !object.thing)
        return {};
    return elementOf(object, Value::of(Kind::I32, 0));
}

/// The object that stands there, itself or by reference; none: no object does.
Handle Run::objectAt(const Place& place) const
{
    Value held = place.value();
    if (held.kind == Kind::Pointer && held.isKnown && held.thing && held.thing->element == nullptr) // a reference to one
        held = held.thing->at(held.integer);
    return held.kind == Kind::Whole ? held.thing : Handle {};
}

int Run::memberIndex(const Type* type, std::size_t members, const Node& member)
{
    const HostClass* declared = type ? type->declared : nullptr;
    if (declared && member.knownClass == declared)
        return member.knownMember;
    int found = -1;
    if (declared) {
        const auto at = std::ranges::find(declared->members, member.name, &HostParameter::name);
        found = at == declared->members.end() ? -1 : int(at - declared->members.begin());
        member.knownClass = declared;
        member.knownMember = found;
    } else if (const auto pair = std::ranges::find(kPair, member.name); pair != kPair.end()) {
        found = int(pair - kPair.begin());
    } else if (const auto component = std::ranges::find(kComponents, member.name); component != kComponents.end()) {
        found = int(component - kComponents.begin());
    }
    return found < int(members) ? found : -1;
}

Run::Place Run::placeOfMember(const Node& node)
{
    const Place at = placeOfObject(node);
    if (const Place property = at.thing ? placeOfProperty(at.value(), node.name) : Place {}; property.thing)
        return property;
    if (at.thing && at.part < 0 && at.thing->element && !at.thing->element->offsets.empty()) { // kept as bytes
        const int part = memberIndex(at.thing->element, at.thing->element->parts.size(), node);
        return part < 0 ? Place {} : Place { at.thing, at.index, part };
    }
    const Handle object = objectAt(at);
    if (!object || object->element || object->isUnknown)
        return {};
    const int index = memberIndex(object->type, object->items.size(), node);
    return index < 0 ? Place {} : Place { object, index };
}

Value Run::assign(const Node& node)
{
    const Node& target = *node.kids[0];
    Value made = value(*node.kids[1]); // before the place is looked for, as C++17 has it
    if (m_thrown)
        return {};
    if (target.op == Op::Call && target.name == "tie") { // std::tie(a, b) = pair
        for (std::size_t i = 0; i < target.kids.size(); ++i) {
            const bool isThere = made.kind == Kind::Whole && made.thing && !made.thing->element && i < made.thing->items.size();
            const Place part = place(*target.kids[i]);
            if (part.thing && part.index >= 0)
                part.set(isThere ? made.thing->items[i] : Value {});
            else
                forgetAround(*target.kids[i]);
        }
        return made;
    }
    const bool isSelf = target.op == Op::Local && !target.isAlias;
    const Place at = isSelf ? Place {} : place(target);
    if (!isSelf && !at.thing) {
        forgetAround(target);
        return {};
    }
    if (!isSelf && at.index < 0) { // nobody knows which element
        forget(*at.thing, true);
        return {};
    }
    const Value before = isSelf ? slot(target) : at.value();
    if (node.op == Op::Assign && assignedByItself(before, made))
        return before;
    if (node.op == Op::AssignWith && assignedByOperator(node.arithmetic, isSelf ? Place { m_frame->variables, target.slot } : at, made))
        return before;
    if (node.op == Op::AssignWith && isString(before) && node.arithmetic == Arithmetic::Add)
        return appended(before, made); // where it lies: a long text is not copied for each letter
    if (node.op == Op::AssignWith)
        made = host::applied(node.arithmetic, before, made);
    if (isString(before) && made.kind != Kind::Whole)
        made = constructString({ made });
    if (before.kind == Kind::Whole && before.thing && before.thing->type && before.thing->type->shape == Type::Shape::Variant)
        made = variantOf(*before.thing->type, made);
    if (isList(made) && before.kind != Kind::None) { // = { ... }
        const Type* const type = before.kind == Kind::Whole && before.thing ? before.thing->type : isNumber(before.kind) ? plain(before.kind) : nullptr;
        made = type ? ofList(*type, *made.thing) : Value {};
    }
    if (before.kind == Kind::Pointer && before.points && isNumber(made.kind) && !(made.isKnown && made.asInteger() == 0))
        made = optionalOf(*pointerTo(before.points), made); // only a std::optional takes one
    if (before.kind == Kind::Pointer && made.kind != Kind::Pointer)
        made = made.kind == Kind::Whole ? decayed(made) : isInteger(made.kind) && made.isKnown && made.integer == 0 ? Value::pointer({}, 0) : Value::unknown(Kind::Pointer);
    if (node.op == Op::Assign && namesItself(target))
        made = given(target.name, std::move(made));
    if (!isSelf) {
        at.set(made);
        return made;
    }
    Handle variables = m_frame->variables;
    variables->set(target.slot, made);
    return made;
}

/// Whether an object's own operator= has taken the value.
bool Run::assignedByItself(const Value& object, const Value& given)
{
    const Type* const type = object.kind == Kind::Whole && object.thing ? object.thing->type : nullptr;
    const bool isOfTheSame = type && given.kind == Kind::Whole && given.thing && given.thing->type == type; // a copy, or a move: which come to the same
    if (!type || !type->declared || isOfTheSame)
        return false;
    const std::vector<Argument> arguments { { .place = {}, .alone = given } };
    const HostFunction* const function = bestOf(overloads(*type->declared, "operator=", 1), arguments);
    if (function)
        callFunction(*function, arguments, object.thing);
    return function != nullptr;
}

Value Run::increase(const Node& node)
{
    const Node& target = *node.kids[0];
    const Value by = Value::of(Kind::I32, node.slot);
    if (target.op == Op::Local && !target.isAlias && !isObject(slot(target))) {
        Value& held = slot(target);
        const Value before = held;
        const Value after = host::applied(Arithmetic::Add, before, by);
        held = isNumber(before.kind) ? host::converted(after, before.kind) : after;
        held.points = before.points;
        return node.flag ? before : held;
    }
    const Place at = place(target);
    if (!at.thing || at.index < 0) {
        forgetAround(target);
        return {};
    }
    const Value before = at.value();
    if (isObject(before)) {
        const Value copy = copied(before);
        if (!callOperator(node.slot > 0 ? "operator++" : "operator--", { { .place = at, .alone = {} } }))
            forgetPlace(target);
        return node.flag ? copy : at.value();
    }
    const Value after = host::applied(Arithmetic::Add, before, by);
    at.set(after);
    return node.flag ? before : at.value();
}

Value Run::lambda(const Node& node)
{
    for (std::size_t i = 0; i + 1 < node.kids.size(); ++i)
        declare(*node.kids[i]);
    Thing* closure = new Thing;
    closure->code = &node;
    closure->frame = m_frame;
    for (const int slot : node.captured)
        if (m_frame->variables && std::size_t(slot) < m_frame->variables->items.size())
            closure->captured.emplace_back(slot, m_frame->variables->items[std::size_t(slot)]);
    m_frames.push_back(m_frame);
    Value value { .kind = Kind::Function, .isKnown = true };
    value.thing = Handle(closure);
    return value;
}

/// { a, b }: of no type until it becomes the value of something.
Value Run::listOf(const Node& node)
{
    Thing* list = new Thing;
    Handle held(list);
    list->items = valuesOf(node.kids);
    return Value::whole(held);
}

/// An item of a list, with the name of the member that it is for.
Value Run::designated(const Node& node)
{
    Thing* item = new Thing;
    Value made = Value::whole(Handle(item));
    item->code = &node;
    item->items = valuesOf(node.kids);
    return made;
}

const Node* Run::designatorOf(const Value& value)
{
    const Node* const code = value.kind == Kind::Whole && value.thing ? value.thing->code : nullptr;
    return code && code->op == Op::Designated && value.thing->items.size() == 1 ? code : nullptr;
}

Value Run::sizeOf(const Node& node)
{
    std::size_t bytes = 0;
    if (!node.name.empty()) {
        const Type& type = *resolve(*node.type);
        const auto offset = type.offsetOf(node.name);
        return offset ? Value::of(Kind::U64, std::int64_t(*offset)) : Value::unknown(Kind::U64);
    }
    if (node.type) {
        bytes = resolve(*node.type)->bytes();
    } else {
        const std::int64_t steps = m_steps;
        const Node& of = *node.kids[0];
        const bool isElement = (of.op == Op::Dereference || of.op == Op::Index) && !of.kids.empty(); // of memory that need not be there yet
        const Value base = isElement ? value(*of.kids[0]) : Value {};
        const Type* const declared = base.kind == Kind::Pointer ? base.points : nullptr;
        if (const Type* const type = declared ? declared : typeOf(value(of)))
            bytes = type->bytes();
        m_steps = steps + 1;
    }
    return bytes > 0 ? Value::of(Kind::U64, std::int64_t(bytes)) : Value::unknown(Kind::U64);
}

/// As C++ writes it; empty: not known.
std::string Run::sourceName(const Type& type)
{
    constexpr std::array<std::string_view, 13> kNumbers { "", "bool", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long long", "unsigned long long", "", "float", "double" };
    if (type.isPlain() && isNumber(type.kind))
        return type.name.empty() ? std::string(kNumbers[std::size_t(type.kind)]) : type.name;
    if (type.isAddress() || type.shape == Type::Shape::Array) {
        const std::string of = type.element ? sourceName(*type.element) : "";
        return of.empty() ? of : of + "*";
    }
    if (type.shape == Type::Shape::Tuple && !componentOf(type.name).empty())
        return type.name; // float4
    if (!type.declared)
        return {};
    if (type.name.ends_with(">"))
        return type.name;
    std::string arguments;
    for (const HostParameter& parameter : type.declared->ofTemplate) {
        const auto bound = type.bound.find(parameter.name);
        const auto number = type.boundValues.find(parameter.name);
        const std::string argument = parameter.isPack ? "" : !parameter.isType && number != type.boundValues.end() ? std::to_string(number->second) : parameter.isType && bound != type.bound.end() ? sourceName(*bound->second) : "";
        if (argument.empty())
            return {};
        arguments += (arguments.empty() ? "" : ",") + argument;
    }
    return type.declared->name + (arguments.empty() ? "" : "<" + arguments + ">");
}

/// Of what a launch is given, as C++ writes its type; empty: not known. An array is where it begins.
std::string Run::sourceNameOf(const Value& argument)
{
    const bool isDeclared = argument.kind == Kind::Pointer && argument.points; // whatever lies there
    const Type* const type = isDeclared ? pointerTo(argument.points) : typeOf(argument);
    return type ? sourceName(*type) : "";
}

Value Run::newOf(const Node& node)
{
    const Type* type = resolve(*node.type);
    if (!node.flag)
        return temporary(construct(*type, valuesOf(node.kids), false)).pointer();
    const Value count = value(*node.kids[0]);
    Handle array = newThing(nullptr, type, count.isKnown ? count.asInteger() : -1, initial(*type));
    for (std::size_t i = 1; i < node.kids.size() && !array->isUnknown && i <= array->size(); ++i) // { 1, 2 }
        array->set(std::int64_t(i) - 1, convert(value(*node.kids[i]), *type));
    return Value::pointer(array, 0);
}

void Run::launch(const Node& node, const Value& kernel, const std::vector<Value>& arguments, const std::vector<Value>& configuration)
{
    if (m_thrown)
        return;
    constexpr std::int64_t kStepsOfALaunch = 2'000;
    m_steps += kStepsOfALaunch;
    m_hasLaunched = true;
    const Node* const named = kernel.kind == Kind::Function && kernel.thing ? kernel.thing->code : nullptr;
    if (!m_options.reached || !named || named->op != Op::Named)
        return;
    const std::vector<ReachedVariable> variables = variablesOf(named->name);
    ReachedLaunch reached { .place = node.slot, .kernel = std::string(named->name), .arguments = arguments, .configuration = configuration, .variables = variables };
    reached.isOfMany = node.kids[0]->op != Op::Named || !named->types.empty() || !m_frame->bound.empty();
    reached.isBehindRead = m_hasReadBack;
    reached.isUnsure = m_unsure > 0;
    const auto outer = kernel.thing->frame ? std::exchange(m_frame, kernel.thing->frame) : m_frame;
    for (std::size_t i = 0; i < named->types.size(); ++i) {
        const Value of = named->values[i] ? value(*named->values[i]) : Value {};
        reached.ofTemplate.push_back(!named->values[i] ? sourceName(*resolve(named->types[i])) : of.isKnown ? std::to_string(of.asInteger()) : "");
    }
    m_frame = outer;
    if (m_parser.program().isOfSeveralKernels(named->name))
        for (const Value& argument : arguments)
            reached.types.push_back(sourceNameOf(argument));
    carryManaged(variables, false);
    if (!m_options.reached(reached))
        m_isOver = true;
    carryManaged(variables, true);
}

} // namespace coalescope::kernels::host
