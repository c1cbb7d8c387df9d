// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/loop_compiler.h"

#include <algorithm>
#include <bit>

namespace coalescope::kernels::host {
namespace {

constexpr std::size_t kMostInPlace = 12; ///< of functions put in place

/// Nothing has been assigned to it since it was copied.
bool isSame(const Value& one, const Value& other)
{
    return one.kind == other.kind && one.isKnown == other.isKnown && one.integer == other.integer && std::bit_cast<std::uint64_t>(one.real) == std::bit_cast<std::uint64_t>(other.real)
        && one.thing.get() == other.thing.get();
}

} // namespace

std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::call(const Node& node)
{
    if (node.callee == Node::Callee::NotYet)
        m_run.findCallee(node);
    if (node.isOverloaded || node.callee == Node::Callee::Virtual)
        throw Unsupported {};
    if (node.function && m_run.m_parser.bodyOf(*node.function).returns.isReference)
        return loaded(reference(node));
    if (node.function)
        return callFunction(*node.function, node.kids, 0, node.callee == Node::Callee::Member ? m_run.m_frame->self : Handle {}, &node);
    if (m_run.isOrderOfMatter(node, 0))
        throw Unsupported {};
    return callLibrary(node);
}

std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::callMember(const Node& node)
{
    const Value of = objectAsked(node);
    if (of.kind != Kind::Whole || !of.thing)
        throw Unsupported {};
    if (const HostClass* declared = of.thing->type ? of.thing->type->declared : nullptr) {
        const auto functions = m_run.overloads(*declared, node.name, node.kids.size() - 1);
        if (functions.empty() || of.thing->isUnknown)
            throw Unsupported {};
        if (m_run.m_parser.bodyOf(*functions[0]).returns.isReference)
            return loaded(reference(node));
        if (functions.size() != 1)
            throw Unsupported {};
        return callFunction(*functions[0], node.kids, 1, of.thing, &node);
    }
    if (m_run.isOrderOfMatter(node, 1))
        throw Unsupported {};
    return callContainer(node, of);
}

/// The object that a member function is called of.
Value Run::LoopCompiler::objectAsked(const Node& node)
{
    const Value of = object(*node.kids[0]);
    return of.kind == Kind::Pointer ? pointedTo(of).object : of;
}

std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::callContainer(const Node& node, const Value& container)
{
    const Handle thing = container.thing;
    const std::size_t count = node.kids.size() - 1;
    const bool isWritten = thing->element && thing->element->isStored() && thing->element->kind != Kind::F16; // nothing here makes others longer
    if (!isWritten && thing->element && !thing->isUnknown && isAmong(node.name, { "size", "length" }) && count == 0)
        return constant(Kind::U64, std::int64_t(thing->size()));
    if (!thing->element || !thing->element->isStored())
        throw Unsupported {};
    const int memory = this->memory(thing, nullptr);
    const auto size = [&] {
        return emitted(Kind::U64, { .step = steps::count, .b = memory });
    };
    const auto resized = [&](int by, bool isCleared = false) {
        emit({ .step = steps::resize, .a = isCleared ? 1 : 0, .b = memory, .stride = int(thing->element->stride), .extra = { .integer = by } });
    };
    if (isAmong(node.name, { "size", "length" }) && count == 0)
        return size();
    if (node.name == "empty" && count == 0)
        return applied(Arithmetic::Equal, size(), constant(Kind::I32, 0));
    const bool isVector = thing->type && thing->type->shape == Type::Shape::Vector;
    if (isVector && (thing->type->name == "priority_queue" || thing->type->name.ends_with("set"))) // they have an order of their own
        throw Unsupported {};
    const bool appends = isVector && (isAmong(node.name, { "push_back", "emplace_back", "push" }) || (node.name == "emplace" && isAmong(thing->type->name, { "queue", "stack" })));
    if (appends && isOfParts(thing->element)) {
        const bool isOne = count == 1 && (node.name.starts_with("push") || stands(*node.kids[1]) || node.kids[1]->op == Op::Make);
        const Spot item = isOne ? parts(*node.kids[1], thing->element) : partsOf({ node.kids.begin() + 1, node.kids.end() }, thing->element, false);
        const Spot back { .is = Spot::Is::Element, .number = size(), .memory = memory, .type = thing->element };
        resized(1);
        storeParts(back, item);
        return std::nullopt;
    }
    if (appends && count == 1) {
        const Operand item = converted(number(*node.kids[1]), thing->element->kind);
        emit({ .step = appendStep(item.kind), .a = item.cell, .b = memory, .stride = int(thing->element->stride) });
        return std::nullopt;
    }
    if (isVector && count == 0 && isAmong(node.name, { "pop_back", "clear" })) {
        resized(-1, node.name == "clear");
        return std::nullopt;
    }
    return loaded(spot(node));
}

std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::callValue(const Node& node)
{
    const Value callee = object(*node.kids[0]);
    if (callee.kind == Kind::Whole && callee.thing && callee.thing->type && callee.thing->type->declared)
        return loaded(reference(node));
    if (callee.kind == Kind::Function && callee.thing && callee.thing->code && callee.thing->code->op == Op::Lambda)
        return callLambda(*callee.thing, node.kids, 1);
    const Type* const type = callee.kind == Kind::Whole && callee.thing ? callee.thing->type : nullptr;
    if (type && type->shape == Type::Shape::Engine && node.kids.size() == 1)
        return drawn(callee, {});
    if (type && type->shape == Type::Shape::Distribution && node.kids.size() == 2)
        return drawn(callee, object(*node.kids[1]));
    throw Unsupported {};
}

/// What a function is given.
Run::LoopCompiler::Spot Run::LoopCompiler::passed(const Node& node, Way way)
{
    const bool isReference = way == Way::Reference;
    if (stands(node) || (node.op == Op::CallMember && isAmong(node.name, { "back", "front", "at", "top" }))) {
        Spot at = spot(node);
        const bool isNumber = at.is == Spot::Is::Number || (at.is == Spot::Is::Element && at.type->isPlain());
        if (isNumber && !isReference)
            return { .is = Spot::Is::Number, .number = way == Way::Seen ? loaded(at) : kept(loaded(at)) };
        if (at.is == Spot::Is::Element)
            at.number = kept(at.number);
        return at;
    }
    if (node.op == Op::Lambda && node.kids.size() == 1)
        return { .object = m_run.lambda(node) };
    if (auto to = pointer(node)) {
        to->number = kept(to->number);
        return *to;
    }
    if ((node.op == Op::Make && isOfParts(m_run.resolve(*node.type))) || makesParts(node))
        return ownParts(parts(node, nullptr));
    const Operand made = number(node);
    return { .is = Spot::Is::Number, .number = isReference ? own(made) : way == Way::Seen ? made : kept(made) };
}

/// As Run::given().
Run::LoopCompiler::Operand Run::LoopCompiler::named(const Operand& value, std::string_view name)
{
    for (const HostNumber& number : m_run.m_options.given) {
        if (number.name != name || !isInteger(value.kind))
            continue;
        m_run.m_read.insert(number.name);
        if (number.value != number.before)
            return chosen(applied(Arithmetic::Equal, value, constant(Kind::I64, number.before)), converted(constant(Kind::I64, number.value), value.kind), value);
    }
    return value;
}

/// Gives a variable, or a parameter that is no reference, its value.
void Run::LoopCompiler::take(Key parameter, const Spot& given, const TypeName& name, std::string_view called, Way way)
{
    const Type* const type = m_run.resolve(name);
    const bool isAuto = type->shape == Type::Shape::Auto;
    const bool isPointer = given.is == Spot::Is::Pointer || (given.is == Spot::Is::Object && (given.object.kind == Kind::Pointer || (given.object.thing && given.object.kind == Kind::Whole && given.object.thing->type && given.object.thing->type->shape == Type::Shape::Array)));
    if (given.is == Spot::Is::Object && given.object.kind == Kind::Function) {
        m_spots[parameter] = given;
    } else if (isOfParts(given) && (isAuto || type == given.type)) {
        m_spots[parameter] = way == Way::Seen ? given : ownParts(partsOf(given));
    } else if (type->isPlain() || (isAuto && isNumber(kindOf(given)))) {
        const Operand from = named(converted(loaded(given), isAuto ? kindOf(given) : type->kind), called);
        m_spots[parameter] = { .is = Spot::Is::Number, .number = way == Way::Seen ? from : own(from) };
    } else if ((type->shape == Type::Shape::Pointer || isAuto) && isPointer) {
        Spot made = given.is == Spot::Is::Pointer ? given : pointerTo(given.object);
        const bool isOfAnything = !isAuto && type->element->shape == Type::Shape::Other; // void*
        if (!isAuto && !isOfAnything && !isSeenAs(made, type->element))
            throw Unsupported {};
        made.number = own(converted(made.number, Kind::I64));
        m_spots[parameter] = made;
    } else {
        throw Unsupported {};
    }
}

std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::callFunction(
    const HostFunction& function, const std::vector<const Node*>& nodes, std::size_t first, const Handle& self, const Node* call)
{
    const auto outer = m_run.m_frame;
    enter(function, nodes, first, self, call);
    const Body& entered = m_run.m_parser.bodyOf(function);
    if (entered.returns.isReference)
        throw Unsupported {};
    const auto made = body(*entered.block, &entered.returns);
    m_run.m_frame = outer;
    return made;
}

/// Its parameters have what it is given; the frame is the function's.
void Run::LoopCompiler::enter(const HostFunction& function, const std::vector<const Node*>& nodes, std::size_t first, const Handle& self, const Node* call)
{
    const Body& body = m_run.m_parser.bodyOf(function);
    const std::size_t count = nodes.size() - first;
    if (!body.block || m_calls.size() >= kMostInPlace || !body.members.empty() || count > body.parameters.size())
        throw Unsupported {};
    const bool isSeen = onlyLooks(*body.block, nodes, first);
    std::vector<Spot> given(count);
    for (std::size_t i = count; i-- > 0;) // as argumentValues()
        given[i] = passed(*nodes[first + i], wayOf(body.areAliases[i], isSeen));
    enter(function, given, isSeen, self, call);
}

void Run::LoopCompiler::enter(const HostFunction& function, const std::vector<Spot>& given, bool isSeen, const Handle& self, const Node* call)
{
    const Body& body = m_run.m_parser.bodyOf(function);
    m_run.m_frame = m_run.frameOf(function, self, call);
    m_frames.push_back(m_run.m_frame);
    for (std::size_t i = 0; i < body.parameters.size(); ++i) {
        if (i >= given.size() && !body.defaults[i])
            throw Unsupported {};
        const Spot from = i < given.size() ? given[i] : passed(*body.defaults[i], wayOf(body.areAliases[i], isSeen));
        m_run.unify(function.ofTemplate, body.ofTemplate, body.parameters[i], from.is == Spot::Is::Object ? from.object : from.is == Spot::Is::Pointer ? pointed(from) : Value::unknown(kindOf(from)));
        const Key key { m_run.m_frame->variables.get(), int(i) };
        if (body.areAliases[i])
            m_spots[key] = from;
        else
            take(key, from, body.parameters[i], function.parameters[i].name, wayOf(false, isSeen));
    }
}

/// Of a function that does nothing but return a place: at(x, y).
Run::LoopCompiler::Spot Run::LoopCompiler::referenceOf(
    const HostFunction& function, const std::vector<const Node*>& nodes, std::size_t first, const Handle& self, const Node* call)
{
    const Body& of = m_run.m_parser.bodyOf(function);
    const bool isPlace = of.block && of.returns.isReference && of.block->kids.size() == 1 && of.block->kids[0]->op == Op::Return && !of.block->kids[0]->kids.empty();
    if (!isPlace)
        throw Unsupported {};
    const auto outer = m_run.m_frame;
    enter(function, nodes, first, self, call);
    Spot made = spot(*of.block->kids[0]->kids[0]);
    if (made.is == Spot::Is::Element)
        made.number = kept(made.number);
    m_run.m_frame = outer;
    return made;
}

/// What a call that returns a reference stands for.
Run::LoopCompiler::Spot Run::LoopCompiler::reference(const Node& node)
{
    if (node.op == Op::Call) {
        if (node.callee == Node::Callee::NotYet)
            m_run.findCallee(node);
        if (!node.function || node.isOverloaded)
            throw Unsupported {};
        return referenceOf(*node.function, node.kids, 0, node.callee == Node::Callee::Member ? m_run.m_frame->self : Handle {}, &node);
    }
    const Value of = node.op == Op::CallMember ? objectAsked(node) : object(*node.kids[0]);
    const HostClass* const declared = of.kind == Kind::Whole && of.thing && of.thing->type && !of.thing->isUnknown ? of.thing->type->declared : nullptr;
    const std::string_view name = node.op == Op::CallMember ? node.name : node.op == Op::Index ? "operator[]" : "operator";
    auto functions = declared ? m_run.overloads(*declared, name, node.kids.size() - 1) : std::vector<const HostFunction*> {};
    std::erase_if(functions, [&](const HostFunction* function) { return !m_run.m_parser.bodyOf(*function).returns.isReference; });
    if (functions.empty()) // one of two is const
        throw Unsupported {};
    return referenceOf(*functions[0], node.kids, 1, of.thing, &node);
}

/// Whether neither a function nor what it is given changes anything: its parameters need no place of their own.
bool Run::LoopCompiler::onlyLooks(const Node& block, const std::vector<const Node*>& nodes, std::size_t first)
{
    return !hasEffects(block) && std::none_of(nodes.begin() + std::ptrdiff_t(first), nodes.end(), [](const Node* argument) { return hasEffects(*argument); });
}

/// As a value: what it points into.
Value Run::LoopCompiler::pointed(const Spot& pointer) const { return Value::pointer(m_machine.memories[std::size_t(pointer.memory)].thing, 0); }

std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::callLambda(Thing& closure, const std::vector<const Node*>& nodes, std::size_t first)
{
    const Node& node = *closure.code;
    if (!closure.frame || closure.isRunning || m_calls.size() >= kMostInPlace || nodes.size() - first != node.slots.size())
        throw Unsupported {};
    const bool isSeen = onlyLooks(*node.kids.back(), nodes, first);
    std::vector<Spot> given(node.slots.size());
    for (std::size_t i = given.size(); i-- > 0;)
        given[i] = passed(*nodes[first + i], wayOf(node.areAliases[i], isSeen));
    return callLambda(closure, given, wayOf(false, isSeen));
}

std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::callLambda(Thing& closure, const std::vector<Spot>& given, Way way)
{
    const Node& node = *closure.code;
    const std::vector<Value>& variables = closure.frame->variables->items;
    if (!std::ranges::all_of(closure.captured, [&](const auto& copy) { return isSame(copy.second, variables[std::size_t(copy.first)]); }))
        throw Unsupported {}; // a variable has been changed since
    const auto outer = std::exchange(m_run.m_frame, closure.frame);
    struct Running {
        Thing& closure;
        ~Running() { closure.isRunning = false; }
    } const running { closure };
    closure.isRunning = true; // one that calls itself is not put in place
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Key key { m_run.m_frame->variables.get(), node.slots[i] };
        if (node.areAliases[i])
            m_spots[key] = given[i];
        else
            take(key, given[i], node.types[i], "", way);
    }
    const auto made = body(*node.kids.back(), nullptr);
    m_run.m_frame = outer;
    return made;
}

/// `returns`: null, or auto: as what it returns first.
std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::body(const Node& block, const TypeName* returns)
{
    Call made { .isAuto = !returns || returns->isAuto, .hasResult = false, .result = {}, .ends = {} };
    if (!made.isAuto) {
        const Type* const type = m_run.resolve(*returns);
        made.hasResult = type->isPlain();
        if (made.hasResult)
            made.result = variable(type->kind);
        else if (type->shape != Type::Shape::Other)
            throw Unsupported {};
    }
    m_calls.push_back(std::move(made));
    auto breaks = std::exchange(m_breaks, {});
    auto continues = std::exchange(m_continues, {});
    statement(block);
    m_breaks = std::move(breaks);
    m_continues = std::move(continues);
    Call ended = std::move(m_calls.back());
    m_calls.pop_back();
    const bool endsWithReturn = !ended.ends.empty() && ended.ends.back() + 1 == m_code.size() && m_landed != m_code.size();
    if (endsWithReturn) { // what follows is executed next anyway
        ended.ends.pop_back();
        m_code.pop_back();
    }
    land(ended.ends);
    ended.result.isVariable = false; // of this call alone
    return ended.hasResult ? std::optional(ended.result) : std::nullopt;
}

} // namespace coalescope::kernels::host
