// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/loop_compiler.h"

namespace coalescope::kernels::host {

Run::LoopCompiler::Key Run::LoopCompiler::keyOf(const Node& node) const
{
    const bool isGlobal = node.op == Op::Global || (node.op == Op::Variable && node.flag);
    return { (isGlobal ? m_run.m_globals : m_run.m_frame->variables).get(), node.slot };
}

/// Memory of numbers that are all known, or of objects that are made of such.
int Run::LoopCompiler::memory(const Handle& thing, const Type* points)
{
    if (thing->raw >= 0 && points)
        m_run.giveType(*thing, points);
    const Type* const element = thing->element;
    const bool isReady = element && element->isStored() && element->kind != Kind::F16 && !thing->isUnknown && thing->hollow < 0 && thing->raw < 0 && thing->unknown.empty();
    if (!isReady)
        throw Unsupported {};
    std::vector<Memory>& memories = m_machine.memories;
    const auto known = std::ranges::find_if(memories, [&](const Memory& memory) { return memory.thing.get() == thing.get(); });
    if (known != memories.end())
        return int(known - memories.begin());
    memories.push_back({ .thing = thing });
    return int(memories.size()) - 1;
}

Run::LoopCompiler::Spot Run::LoopCompiler::pointerTo(const Value& value)
{
    if (!isPointer(value) && !isArray(value))
        throw Unsupported {};
    Spot made { .is = Spot::Is::Pointer, .number = constant(Kind::I64, 0), .memory = memory(value.thing, value.points) };
    made.first = value.kind == Kind::Pointer ? value.integer : 0;
    made.type = value.thing->element;
    return made;
}

/// Of memory that is not an array's: a variable, or a member.
Run::LoopCompiler::Spot Run::LoopCompiler::spotOf(const Handle& thing, std::int64_t index)
{
    if (!thing || index < 0)
        throw Unsupported {};
    if (thing->element && thing->element->isStored())
        return { .is = Spot::Is::Element, .number = constant(Kind::I64, index), .memory = memory(thing, nullptr), .type = thing->element };
    const bool isOfBits = thing->type && !thing->type->bits.empty();
    if (thing->isUnknown || isOfBits || thing->hollow >= 0 || thing->raw >= 0 || std::uint64_t(index) >= thing->items.size())
        throw Unsupported {};
    const Key key { thing.get(), int(index) };
    if (const auto known = m_spots.find(key); known != m_spots.end())
        return known->second;
    const Value& held = thing->items[std::size_t(index)];
    if (!isNumber(held.kind))
        return { .object = held };
    if (!held.isKnown || held.kind == Kind::F16)
        throw Unsupported {};
    const Spot made { .is = Spot::Is::Number, .number = variable(held.kind) };
    Cell& now = m_machine.cells[std::size_t(made.number.cell)];
    if (isReal(held.kind))
        now.real = held.real;
    else
        now.integer = held.integer;
    m_outside.push_back({ thing, int(index), made.number.cell });
    return m_spots[key] = made;
}

Run::LoopCompiler::Spot Run::LoopCompiler::spot(const Node& node)
{
    switch (node.op) {
    case Op::Local:
    case Op::Global: {
        if (const auto known = m_spots.find(keyOf(node)); known != m_spots.end())
            return known->second;
        const Value& held = m_run.slot(node);
        if (node.isAlias)
            return spotOf(held.thing, held.integer);
        return spotOf(node.op == Op::Global ? m_run.m_globals : m_run.m_frame->variables, node.slot);
    }
    case Op::Self: return { .object = Value::whole(m_run.m_frame->self) };
    case Op::Member: return member(node);
    case Op::Index: {
        const Node& base = *node.kids[0];
        Spot array = stands(base) ? spot(base) : Spot {};
        if (array.is == Spot::Is::Object && array.object.kind == Kind::Whole && array.object.thing && array.object.thing->type && array.object.thing->type->declared)
            return reference(node);
        if (!stands(base)) {
            auto made = pointer(base);
            if (!made)
                throw Unsupported {};
            array = *made;
        }
        return element(array, number(*node.kids[1]));
    }
    case Op::Dereference: {
        const auto to = pointer(*node.kids[0]);
        if (!to)
            throw Unsupported {};
        return element(*to, constant(Kind::I64, 0));
    }
    case Op::CallMember: { // v.back()
        const Value array = object(*node.kids[0]);
        if (!isArray(array))
            return reference(node);
        const bool isOfBack = node.name == "back" || node.name == "top";
        if (node.flag || !(isOfBack || node.name == "front" || node.name == "at") || node.kids.size() != (node.name == "at" ? 2 : 1))
            throw Unsupported {};
        const Spot base { .object = array };
        if (!isOfBack)
            return element(base, node.name == "at" ? number(*node.kids[1]) : constant(Kind::I64, 0));
        const Operand count = emitted(Kind::I64, { .step = steps::count, .b = memory(array.thing, nullptr) });
        Spot back = element(base, count);
        back.first -= 1;
        return back;
    }
    case Op::Call:
    case Op::CallValue: return reference(node);
    default: throw Unsupported {};
    }
}

Run::LoopCompiler::Spot Run::LoopCompiler::element(const Spot& base, const Operand& index)
{
    if (!isInteger(index.kind))
        throw Unsupported {};
    Spot made = base.is == Spot::Is::Object ? pointerTo(base.object) : base;
    if (made.is != Spot::Is::Pointer)
        throw Unsupported {};
    made.is = Spot::Is::Element;
    made.type = m_machine.memories[std::size_t(made.memory)].thing->element;
    if (made.number.constant && made.number.constant->integer == 0)
        made.number = index;
    else if (!index.constant || index.constant->integer != 0)
        made.number = applied(Arithmetic::Add, converted(made.number, Kind::I64), converted(index, Kind::I64));
    return made;
}

/// What a member is asked of; nothing is executed for it.
Value Run::LoopCompiler::object(const Node& node)
{
    if (stands(node) || node.op == Op::Self) {
        const Spot at = spot(node);
        if (at.is != Spot::Is::Object)
            throw Unsupported {};
        return at.object;
    }
    if (node.op == Op::Call && isAmong(node.name, { "move", "ref", "cref", "as_const" }) && node.kids.size() == 1)
        return object(*node.kids[0]);
    throw Unsupported {};
}

/// By a pointer to an object.
Run::LoopCompiler::Spot Run::LoopCompiler::pointedTo(const Value& pointer)
{
    if (!isPointer(pointer))
        throw Unsupported {};
    return spotOf(pointer.thing, pointer.integer);
}

Run::LoopCompiler::Spot Run::LoopCompiler::member(const Node& node)
{
    const Node& base = *node.kids[0];
    Spot of = stands(base) ? spot(base) : Spot { .object = object(base) };
    if (of.is == Spot::Is::Pointer)
        of = element(of, constant(Kind::I64, 0));
    if (of.is == Spot::Is::Object && isPointer(of.object))
        of = pointedTo(of.object);
    if (of.is == Spot::Is::Element || of.is == Spot::Is::Parts) {
        const int part = isOfParts(of) ? memberIndex(of.type, of.type->parts.size(), node) : -1;
        return part < 0 ? throw Unsupported {} : partOf(of, std::size_t(part));
    }
    const Handle thing = of.object.thing;
    if (of.is != Spot::Is::Object || of.object.kind != Kind::Whole || !thing || thing->element || thing->isUnknown)
        throw Unsupported {};
    return spotOf(thing, memberIndex(thing->type, thing->items.size(), node));
}

/// Nothing: it is none.
std::optional<Run::LoopCompiler::Spot> Run::LoopCompiler::pointer(const Node& node)
{
    const std::size_t before = m_code.size();
    std::optional<Spot> made;
    switch (node.op) {
    case Op::Local:
    case Op::Global:
    case Op::Member: {
        const Spot at = spot(node);
        if (at.is == Spot::Is::Pointer)
            made = at;
        else if (at.is == Spot::Is::Object && (isPointer(at.object) || isArray(at.object)))
            made = pointerTo(at.object);
        break;
    }
    case Op::Literal: made = pointerTo(m_run.literalOf(node)); break; // "ACGT"[i]
    case Op::AddressOf:
        if (stands(*node.kids[0]))
            if (Spot at = spot(*node.kids[0]); at.is == Spot::Is::Element && at.offset == 0) {
                at.is = Spot::Is::Pointer;
                made = at;
            }
        break;
    case Op::Binary:
    case Op::Increase: made = movedPointer(node); break;
    case Op::CallMember:
        if ((node.name == "data" || node.name == "begin" || node.name == "get") && node.kids.size() == 1)
            made = pointerTo(object(*node.kids[0]));
        break;
    case Op::Cast:
        made = pointer(*node.kids[0]);
        if (const Type* type = m_run.resolve(*node.type); made && (type->shape != Type::Shape::Pointer || !isSeenAs(*made, type->element)))
            throw Unsupported {};
        break;
    default: break;
    }
    if (!made)
        rewind(before);
    return made;
}

/// Whether what stands there is what a pointer of another type sees.
bool Run::LoopCompiler::isSeenAs(const Spot& pointer, const Type* element) const
{
    const Type* const held = m_machine.memories[std::size_t(pointer.memory)].thing->element;
    return element && (held == element || (held->isPlain() && element->isPlain() && held->kind == element->kind));
}

/// p + 3, p++
std::optional<Run::LoopCompiler::Spot> Run::LoopCompiler::movedPointer(const Node& node)
{
    if (node.op == Op::Increase) {
        const auto at = pointer(*node.kids[0]);
        if (!at || !at->number.isVariable || !stands(*node.kids[0]))
            return std::nullopt;
        Spot before = *at;
        if (node.flag)
            before.number = kept(at->number);
        emit({ .step = arithmeticStep(Arithmetic::Add, Kind::I64), .to = at->number.cell, .a = at->number.cell, .b = constant(Kind::I64, node.slot).cell });
        return before;
    }
    if (node.arithmetic != Arithmetic::Add && node.arithmetic != Arithmetic::Subtract)
        return std::nullopt;
    auto at = pointer(*node.kids[0]);
    const bool isFirst = at.has_value();
    if (!at && node.arithmetic == Arithmetic::Add)
        at = pointer(*node.kids[1]);
    if (!at)
        return std::nullopt;
    at->number = kept(at->number);
    const Operand by = number(*node.kids[isFirst ? 1 : 0]);
    if (!isInteger(by.kind))
        throw Unsupported {};
    const bool isAtFirst = at->number.constant && at->number.constant->integer == 0 && node.arithmetic == Arithmetic::Add;
    at->number = isAtFirst ? converted(by, Kind::I64) : applied(node.arithmetic, converted(at->number, Kind::I64), converted(by, Kind::I64));
    return at;
}

Run::LoopCompiler::Spot Run::LoopCompiler::partOf(const Spot& spot, std::size_t part)
{
    if (spot.is == Spot::Is::Parts)
        return { .is = Spot::Is::Number, .number = spot.parts[part] };
    Spot made = spot;
    made.offset = spot.type->offsets[part];
    made.type = spot.type->parts[part];
    return made;
}

/// Of an object: what its members are now.
Run::LoopCompiler::Spot Run::LoopCompiler::partsOf(const Spot& spot)
{
    Spot made { .is = Spot::Is::Parts, .type = spot.type };
    const Handle& thing = spot.object.thing;
    const bool isObject = spot.is == Spot::Is::Object && spot.object.kind == Kind::Whole && thing && !thing->element && isOfParts(thing->type);
    if (isObject)
        made.type = thing->type;
    else if (!isOfParts(spot))
        throw Unsupported {};
    for (std::size_t part = 0; part < made.type->parts.size(); ++part)
        made.parts.push_back(kept(loaded(isObject ? spotOf(thing, std::int64_t(part)) : partOf(spot, part))));
    return made;
}

/// { a, b }, or type(a, b): of what has no constructor of its own.
Run::LoopCompiler::Spot Run::LoopCompiler::partsOf(const std::vector<const Node*>& nodes, const Type* type, bool isBraced)
{
    const bool isMade = isOfParts(type) && nodes.size() <= type->parts.size() && (!type->declared || (type->declared->bases.empty() && !m_run.memberFunction(*type->declared, type->declared->name, nodes.size())));
    const auto isDefaulted = [&](std::size_t part) { return type->declared && m_run.m_parser.memberValue(*type->declared, type->declared->members[part]); };
    if (!isMade)
        throw Unsupported {};
    Spot made { .is = Spot::Is::Parts, .type = type, .parts = std::vector<Operand>(type->parts.size()) };
    for (std::size_t i = 0; i < made.parts.size(); ++i) { // as valuesOf() and argumentValues()
        const std::size_t part = isBraced ? i : made.parts.size() - 1 - i;
        if (part >= nodes.size() && (isDefaulted(part) || type->name == "dim3"))
            throw Unsupported {};
        made.parts[part] = converted(kept(part < nodes.size() ? number(*nodes[part]) : constant(Kind::I32, 0)), type->parts[part]->kind);
    }
    return made;
}

Run::LoopCompiler::Spot Run::LoopCompiler::parts(const Node& node, const Type* type)
{
    if (node.op == Op::List)
        return partsOf(node.kids, type, true);
    if (node.op == Op::Make)
        return partsOf(node.kids, m_run.resolve(*node.type), node.flag);
    if (makesParts(node) && isAmong(node.name, { "make_pair", "make_tuple" }))
        return partsOf(node.kids, type, false);
    if (makesParts(node))
        return partsOf(node.kids, m_run.resolve({ .name = std::string(node.name.substr(5)) }), false);
    return partsOf(spot(node));
}

bool Run::LoopCompiler::makesParts(const Node& node) const
{
    if (node.op != Op::Call || !node.name.starts_with("make_"))
        return false;
    if (node.callee == Node::Callee::NotYet)
        m_run.findCallee(node);
    return !node.function;
}

void Run::LoopCompiler::storeParts(const Spot& to, const Spot& from)
{
    if (!isOfParts(to) || to.type->parts.size() != from.parts.size())
        throw Unsupported {};
    for (std::size_t part = 0; part < from.parts.size(); ++part)
        store(partOf(to, part), from.parts[part]);
}

Run::LoopCompiler::Spot Run::LoopCompiler::ownParts(Spot parts)
{
    for (Operand& part : parts.parts)
        part = own(part);
    return parts;
}

Kind Run::LoopCompiler::kindOf(const Spot& spot) const
{
    return spot.is == Spot::Is::Number ? spot.number.kind : spot.is == Spot::Is::Element && spot.type && spot.type->isPlain() ? spot.type->kind : Kind::Other;
}

Run::LoopCompiler::Operand Run::LoopCompiler::loaded(const Spot& spot)
{
    if (spot.is == Spot::Is::Number)
        return spot.number;
    const Kind kind = kindOf(spot);
    const Instruction::Step step = isNumber(kind) ? loadStep(kind) : nullptr;
    if (!step)
        throw Unsupported {};
    const std::size_t stride = m_machine.memories[std::size_t(spot.memory)].thing->element->stride;
    return emitted(kind, { .step = step, .a = spot.number.cell, .b = spot.memory, .stride = int(stride), .offset = int(spot.offset), .extra = { .integer = spot.first } });
}

void Run::LoopCompiler::store(const Spot& spot, const Operand& number)
{
    const Kind kind = kindOf(spot);
    if (!isNumber(kind))
        throw Unsupported {};
    const Operand made = converted(number, kind);
    if (spot.is == Spot::Is::Number)
        return move(spot.number, made);
    const Instruction::Step step = storeStep(kind);
    if (!step)
        throw Unsupported {};
    const std::size_t stride = m_machine.memories[std::size_t(spot.memory)].thing->element->stride;
    emit({ .step = step, .to = made.cell, .a = spot.number.cell, .b = spot.memory, .stride = int(stride), .offset = int(spot.offset), .extra = { .integer = spot.first } });
}

} // namespace coalescope::kernels::host
