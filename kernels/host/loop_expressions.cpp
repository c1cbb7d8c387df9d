// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/loop_compiler.h"
#include "kernels/host/mathematics.h"

#include <algorithm>

namespace coalescope::kernels::host {

bool Run::LoopCompiler::hasEffects(const Node& node)
{
    const bool isEffect = node.op == Op::Assign || node.op == Op::AssignWith || node.op == Op::Increase || node.op == Op::Call || node.op == Op::CallMember || node.op == Op::CallValue;
    return isEffect || std::ranges::any_of(node.kids, [](const Node* kid) { return kid && hasEffects(*kid); });
}

void Run::LoopCompiler::effect(const Node& node)
{
    switch (node.op) {
    case Op::Increase:
        if (!pointer(node)) // p++
            increase(node, false);
        return;
    case Op::AssignWith:
        if (const auto to = pointer(*node.kids[0])) { // p += n
            const Operand by = number(*node.kids[1]);
            if (!to->number.isVariable || !isInteger(by.kind) || (node.arithmetic != Arithmetic::Add && node.arithmetic != Arithmetic::Subtract))
                throw Unsupported {};
            emit({ .step = arithmeticStep(node.arithmetic, Kind::I64), .to = to->number.cell, .a = to->number.cell, .b = converted(by, Kind::I64).cell });
            return;
        }
        assign(node);
        return;
    case Op::Assign:
        if (!assignUnknown(node) && !assignParts(node))
            assign(node);
        return;
    case Op::Comma:
        effect(*node.kids[0]);
        return effect(*node.kids[1]);
    case Op::Call: call(node); return;
    case Op::CallMember: callMember(node); return;
    case Op::CallValue: callValue(node); return;
    case Op::Cast: return effect(*node.kids[0]); // (void)f()
    default: number(node);
    }
}

/// What has a value that is a number.
Run::LoopCompiler::Operand Run::LoopCompiler::number(const Node& node)
{
    const auto made = [](const std::optional<Operand>& operand) {
        if (!operand)
            throw Unsupported {};
        return *operand;
    };
    switch (node.op) {
    case Op::Constant: return constant(node.constant);
    case Op::Macro:
    case Op::Static:
    case Op::Trait: return constant(m_run.value(node));
    case Op::Local:
    case Op::Global:
    case Op::Member:
    case Op::Index:
    case Op::Dereference: return loaded(spot(node));
    case Op::Binary: {
        Operand left = number(*node.kids[0]);
        if (hasEffects(*node.kids[1]))
            left = kept(left);
        return applied(node.arithmetic, left, number(*node.kids[1]));
    }
    case Op::Assign:
    case Op::AssignWith: return assign(node);
    case Op::Increase: return increase(node, true);
    case Op::Both:
    case Op::Either: return either(node);
    case Op::Not: {
        const Operand of = number(*node.kids[0]);
        return applied(Arithmetic::Equal, of, isReal(of.kind) ? constant(Value::ofReal(of.kind, 0)) : constant(Kind::I32, 0));
    }
    case Op::Negate: {
        const Operand of = number(*node.kids[0]);
        return isReal(of.kind) ? applied(Arithmetic::Multiply, of, constant(Value::ofReal(of.kind, -1))) : applied(Arithmetic::Subtract, constant(Kind::I32, 0), of);
    }
    case Op::Complement: {
        const Operand of = number(*node.kids[0]);
        if (!isInteger(of.kind))
            throw Unsupported {};
        return applied(Arithmetic::Xor, of, constant(std::max(of.kind, Kind::I32), -1));
    }
    case Op::Conditional: return conditional(node);
    case Op::Comma: effect(*node.kids[0]); return number(*node.kids[1]);
    case Op::SizeOf:
        if (!node.type)
            throw Unsupported {};
        return constant(m_run.sizeOf(node));
    case Op::Cast:
    case Op::Make: {
        const Type* const type = m_run.resolve(*node.type);
        if (!type->isPlain() || node.kids.size() > 1)
            throw Unsupported {};
        return converted(node.kids.empty() ? constant(Kind::I32, 0) : number(*node.kids[0]), type->kind);
    }
    case Op::Call: return made(call(node));
    case Op::CallMember: return made(callMember(node));
    case Op::CallValue: return made(callValue(node));
    default: throw Unsupported {};
    }
}

Run::LoopCompiler::Operand Run::LoopCompiler::assign(const Node& node)
{
    const Node& target = *node.kids[0];
    Operand right = number(*node.kids[1]); // before the place is looked for, as C++17 has it
    if (node.op == Op::Assign && namesItself(target))
        right = named(right, target.name);
    if (hasEffects(target))
        right = kept(right);
    const Spot to = spot(target);
    const Operand made = node.op == Op::Assign ? right : applied(node.arithmetic, loaded(to), right);
    store(to, made);
    return to.is == Spot::Is::Number ? to.number : converted(made, kindOf(to));
}

/// A number that a half-precision one makes, of which nothing is known.
bool Run::LoopCompiler::isOfHalf(const Node& node)
{
    if (node.op == Op::Call && readsHalf(node.name))
        return true;
    const bool isArithmetic = node.op == Op::Binary || node.op == Op::Negate || node.op == Op::Cast || node.op == Op::Make;
    return isArithmetic && std::ranges::any_of(node.kids, [](const Node* kid) { return isOfHalf(*kid); });
}

/// Of half-precision numbers nothing is known, nor of real ones that they make: that one is stored has no effect but that. False: it is none, and nothing has been done.
bool Run::LoopCompiler::assignUnknown(const Node& node)
{
    const Node& target = *node.kids[0];
    const Node* const list = target.op == Op::Index ? target.kids[0] : nullptr;
    const bool isMember = list && list->op == Op::Member && !list->flag && !list->isAlias;
    const Node* const variable = isMember ? list->kids[0] : list;
    const bool isVariable = variable && (variable->op == Op::Local || variable->op == Op::Global) && !m_spots.contains(keyOf(*variable));
    if (!isVariable)
        return false;
    const Value held = isMember ? m_run.place(*list).value() : m_run.slot(*list);
    const Type* const element = held.thing ? (held.thing->element ? held.thing->element : held.points) : nullptr;
    const bool isUnknown = element && (element->kind == Kind::F16 || (element->isPlain() && isReal(element->kind) && isOfHalf(*node.kids[1])));
    if (list->isAlias || !isUnknown || (!isPointer(held) && !isArray(held)))
        return false;
    Thing& memory = *held.thing;
    if (memory.raw >= 0)
        memory.isUnknown = true;
    else if (memory.hollow < 0 && !memory.isUnknown)
        memory.unknown.assign(memory.size(), true);
    discard(*target.kids[1]);
    discard(*node.kids[1]);
    return true;
}

/// Of a value at which nobody looks, what else it does.
void Run::LoopCompiler::discard(const Node& node)
{
    if (!hasEffects(node))
        return;
    const bool isOfHalves = isOfHalf(node) || (node.op == Op::Call && makesHalf(node.name));
    if (!isOfHalves)
        return effect(node);
    for (const Node* kid : node.kids)
        discard(*kid);
}

/// Of an object as a whole; false: it is none, and nothing has been done.
bool Run::LoopCompiler::assignParts(const Node& node)
{
    const std::size_t before = m_code.size();
    const Node& target = *node.kids[0];
    const bool isOfObject = isOfParts(spot(target));
    rewind(before);
    if (!isOfObject)
        return false;
    if (hasEffects(target))
        throw Unsupported {};
    const Spot from = parts(*node.kids[1], spot(target).type);
    storeParts(spot(target), from);
    return true;
}

Run::LoopCompiler::Operand Run::LoopCompiler::increase(const Node& node, bool isUsed)
{
    const Spot at = spot(*node.kids[0]);
    const Operand now = loaded(at);
    const Operand before = isUsed && node.flag ? kept(now) : now;
    const Operand by = constant(Kind::I32, node.slot);
    if (at.is == Spot::Is::Number && now.kind >= Kind::I32 && isInteger(now.kind)) {
        emit({ .step = arithmeticStep(Arithmetic::Add, now.kind), .to = now.cell, .a = now.cell, .b = converted(by, now.kind).cell });
        return before;
    }
    const Operand after = converted(applied(Arithmetic::Add, now, by), kindOf(at));
    store(at, after);
    return node.flag ? before : at.is == Spot::Is::Number ? at.number : after; // which may have been made in its place at once
}

/// && and ||
Run::LoopCompiler::Operand Run::LoopCompiler::either(const Node& node)
{
    const Operand made = variable(Kind::Bool);
    const bool isBoth = node.op == Op::Both;
    move(made, constant(Kind::Bool, isBoth ? 0 : 1));
    Jumps ends;
    for (const Node* kid : node.kids) {
        const Jumps unless = jumpUnless(*kid);
        if (isBoth) {
            ends.insert(ends.end(), unless.begin(), unless.end());
        } else {
            ends.push_back(jump());
            land(unless);
        }
    }
    move(made, constant(Kind::Bool, isBoth ? 1 : 0));
    land(ends);
    return { .kind = Kind::Bool, .cell = made.cell };
}

Run::LoopCompiler::Operand Run::LoopCompiler::conditional(const Node& node)
{
    const Operand made = { .kind = Kind::None, .cell = cell() };
    const Jumps unless = jumpUnless(*node.kids[0]);
    const Operand then = number(*node.kids[1]);
    const std::size_t thenEnd = m_code.size();
    emit({ .step = steps::move, .to = made.cell, .a = then.cell });
    const std::size_t end = jump();
    land(unless);
    const Operand otherwise = number(*node.kids[2]);
    const Kind kind = then.kind == otherwise.kind ? then.kind : std::max({ then.kind, otherwise.kind, Kind::I32 });
    if (then.kind != kind) // the place for the conversion is kept
        if (const Instruction::Step step = conversionStep(then.kind, kind))
            m_code[thenEnd].step = step;
    emit({ .step = steps::move, .to = made.cell, .a = converted(otherwise, kind).cell });
    land({ end });
    return { .kind = kind, .cell = made.cell };
}

} // namespace coalescope::kernels::host
