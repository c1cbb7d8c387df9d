// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels::host {
namespace {

/// Members of the library that leave their object as it is.
constexpr std::array<std::string_view, 21> kLooking { "size", "empty", "data", "begin", "end", "cbegin", "cend", "rbegin", "rend", "crbegin", "crend", "front", "back", "at", "length", "get", "count", "find", "c_str", "top", "capacity" };

const Node* rootOf(const Node& place)
{
    const Node* root = &place;
    const auto leads = [](const Node& node) {
        return node.op == Op::Member || node.op == Op::Index || node.op == Op::Dereference || node.op == Op::AddressOf || node.op == Op::Cast || node.op == Op::CallMember;
    };
    while (leads(*root) && !root->kids.empty() && !(root->op == Op::Member && root->kids[0]->op == Op::Self))
        root = root->kids[0];
    return root;
}

const Type* lastElement(const Type* type)
{
    while (type && type->element && (type->shape == Type::Shape::Array || type->shape == Type::Shape::Vector || type->shape == Type::Shape::Pointer))
        type = type->element;
    return type;
}

} // namespace

/// That of a large array takes its time.
void Run::forget(Thing& thing, bool keepsSize)
{
    constexpr std::int64_t kForgottenInAStep = 32;
    m_steps += thing.forget(keepsSize) / kForgottenInAStep;
}

/// Whatever the code might assign to, were it executed.
void Run::forgetChanged(const Node& code)
{
    switch (code.op) {
    case Op::Assign:
    case Op::AssignWith:
    case Op::Increase: forgetPlace(*code.kids[0]); break;
    case Op::Call: {
        if (code.name == "swap" && code.kids.size() == 2 && m_elsewhere == 0 && !functionOf(code)) {
            const Place one = place(*code.kids[0]), other = place(*code.kids[1]);
            if (one.thing && other.thing && one.value().kind == Kind::Whole && other.value().kind == Kind::Whole) {
                forgetSwapped(*one.value().thing, *other.value().thing);
                return;
            }
        }
        forgetShared(code);
        if (code.name.starts_with("cudaMemcpyToSymbol"))
            if (const Handle memory = variableNamedIn(code, 0))
                forget(*memory, true);
        const HostFunction* const function = functionOf(code);
        const Body* const body = function ? &m_parser.bodyOf(*function) : nullptr;
        const auto isByValue = [&](std::size_t i) { // a number
            const TypeName* const type = body && i < body->parameters.size() ? &body->parameters[i] : nullptr;
            return type && !type->isReference && type->pointers == 0 && isPlainName(type->name);
        };
        for (std::size_t i = 0; i < code.kids.size() && !(isHarmless(code.name) && !function); ++i)
            if (!isByValue(i))
                forgetArgument(*code.kids[i]);
        break;
    }
    case Op::CallValue:
        for (const Node* argument : code.kids)
            forgetArgument(*argument);
        break;
    case Op::CallMember:
        if (std::ranges::find(kLooking, code.name) == kLooking.end())
            forgetPlace(*code.kids[0]);
        for (std::size_t i = 1; i < code.kids.size(); ++i)
            forgetArgument(*code.kids[i]);
        break;
    case Op::Broken:
        for (const Node* mentioned : code.kids)
            forgetPlace(*mentioned);
        return;
    default: break;
    }
    for (const Node* part : code.kids)
        if (part)
            forgetChanged(*part);
}

/// Two objects, if they may have been swapped: what both have is still known.
void Run::forgetSwapped(Thing& one, Thing& other)
{
    if (one.type != other.type || one.element || one.items.size() != other.items.size()) {
        forget(one);
        forget(other);
        return;
    }
    for (std::size_t i = 0; i < one.items.size(); ++i) {
        Value &a = one.items[i], &b = other.items[i];
        if (a.kind == Kind::Whole && b.kind == Kind::Whole && a.thing && b.thing)
            forgetSwapped(*a.thing, *b.thing);
        else if (!isNumber(a.kind) || a.kind != b.kind || !a.isKnown || !b.isKnown || a.integer != b.integer || a.real != b.real)
            a = b = Value::unknown(a.kind);
    }
}

/// What a function of the program's may change beside its arguments: variables of all, and members of the object that it belongs to.
void Run::forgetShared(const Node& call)
{
    const HostFunction* const function = functionOf(call);
    if (!function || !m_forgetting.insert(function).second)
        return;
    if (const Node* const block = m_parser.bodyOf(*function).block) {
        ++m_elsewhere;
        const auto outer = std::exchange(m_scanned, classOf(*function));
        forgetChanged(*block);
        m_scanned = outer;
        --m_elsewhere;
    }
    m_forgetting.erase(function);
}

/// What a lambda may change that is called by nobody knows whom.
void Run::forgetCaptured(const Thing& closure)
{
    for (const Value& function : closure.items)
        forgetCaptured(*function.thing);
    if (!closure.code || closure.code->op != Op::Lambda || !closure.frame || !closure.frame->variables)
        return;
    const auto outer = std::exchange(m_frame, closure.frame);
    forgetChanged(*closure.code);
    m_frame = outer;
}

void Run::forgetPlace(const Node& changed)
{
    const Node* const root = rootOf(changed);
    if (root->op == Op::Local && isPack(slot(*root)))
        return m_elsewhere > 0 ? void() : forgetPack(*slot(*root).thing, root->isAlias);
    if (root->op != Op::Local && root->op != Op::Global && root->op != Op::Member)
        return;
    if (m_elsewhere > 0 && root->op == Op::Local) // of a function that does not run
        return;
    const Place at = place(*root);
    if (!at.thing)
        return;
    const Value held = at.value();
    const bool isOfItems = &changed != root && changed.op == Op::Index;
    if (held.thing && (held.kind == Kind::Whole || held.kind == Kind::Pointer))
        forget(*held.thing, isOfItems);
    if (root == &changed && held.kind != Kind::Whole)
        at.set(Value::unknown(held.kind));
}

/// What cannot be assigned to, for nobody knows where it stands: the nearest memory around it.
void Run::forgetAround(const Node& target)
{
    for (const Node* node = &target; (node->op == Op::Member || node->op == Op::Index || node->op == Op::Dereference) && !node->kids.empty(); node = node->kids[0]) {
        const Value base = value(*node->kids[0]);
        if (!base.thing || (base.kind != Kind::Whole && base.kind != Kind::Pointer))
            continue;
        forget(*base.thing, node->op != Op::Member);
        return;
    }
    forgetPlace(target);
}

/// What a function is given that it may write to.
void Run::forgetArgument(const Node& argument)
{
    if (argument.op == Op::Lambda)
        return forgetChanged(argument);
    if (argument.op == Op::Expand)
        return forgetArgument(*argument.kids[0]);
    const Node* const root = rootOf(argument);
    if (root->op == Op::Local && isPack(slot(*root)))
        return forgetPlace(*root);
    if (root->op != Op::Local && root->op != Op::Global && root->op != Op::Member)
        return;
    if (m_elsewhere > 0 && root->op == Op::Local)
        return;
    const Value held = place(*root).value();
    if (held.kind == Kind::Function && held.thing && root == &argument && !held.thing->isRunning) {
        held.thing->isRunning = true; // one that names itself is looked into once
        forgetCaptured(*held.thing);
        held.thing->isRunning = false;
    }
    const bool isPointed = held.kind == Kind::Whole || held.kind == Kind::Pointer;
    if (argument.op == Op::AddressOf || isPointed)
        forgetPlace(argument.op == Op::AddressOf ? *argument.kids[0] : argument);
}

/// Whether another value may be another one when this one has been asked for.
bool Run::hasEffects(const Node& node) const
{
    if (node.effects >= 0)
        return node.effects > 0;
    bool has = node.op == Op::Increase || node.op == Op::Assign || node.op == Op::AssignWith || node.op == Op::CallValue || node.op == Op::CallStatic;
    if (node.op == Op::Call)
        has = functionOf(node) || isAmong(node.name, { "rand", "rand_r", "random", "drand48", "lrand48" });
    else if (node.op == Op::CallMember)
        has = std::ranges::find(kLooking, node.name) == kLooking.end();
    has = has || (node.op != Op::Lambda && std::ranges::any_of(node.kids, [this](const Node* part) { return part && hasEffects(*part); }));
    node.effects = has;
    return has;
}

/// Whether two of a call's arguments have effects.
bool Run::isOrderOfMatter(const Node& call, std::size_t first) const
{
    std::size_t with = 0;
    for (std::size_t i = first; i < call.kids.size() && with < 2; ++i)
        with += hasEffects(*call.kids[i]);
    return with >= 2;
}

/// Whether nothing but real numbers, and what is declared within, would be another if the code were not executed. Generators of random
/// numbers do not count: what they draw next is as random.
bool Run::changesOnlyReals(const Node& code, const Node& loop)
{
    const auto isNumber = [&](const Node& argument) {
        const Node* const root = rootOf(argument);
        if (root->op != Op::Local && root->op != Op::Global && root->op != Op::Member)
            return true;
        if (isRealPlace(argument, loop))
            return true;
        const Value held = place(*root).value();
        const bool draws = held.kind == Kind::Whole && held.thing && held.thing->type
            && (held.thing->type->shape == Type::Shape::Engine || held.thing->type->shape == Type::Shape::Distribution);
        return argument.op != Op::AddressOf && (draws || (held.kind != Kind::Whole && held.kind != Kind::Pointer));
    };
    switch (code.op) {
    case Op::Assign:
    case Op::AssignWith:
    case Op::Increase:
        if (!isRealPlace(*code.kids[0], loop))
            return false;
        break;
    case Op::Call:
        if (!std::ranges::all_of(code.kids, [&](const Node* argument) { return isNumber(*argument); }))
            return false;
        break;
    case Op::CallMember:
        if (std::ranges::find(kLooking, code.name) == kLooking.end() && !isRealPlace(*code.kids[0], loop))
            return false;
        break;
    case Op::CallValue:
        if (!capturesOnlyReals(*code.kids[0]))
            return false;
        break;
    case Op::Launch:
    case Op::Broken:
    case Op::Return:
    case Op::Break: return false;
    default: break;
    }
    return std::ranges::all_of(code.kids, [&](const Node* part) { return !part || changesOnlyReals(*part, loop); });
}

/// Of a lambda that has a name, and changes what it has captured.
bool Run::capturesOnlyReals(const Node& callee)
{
    if (callee.op != Op::Local && callee.op != Op::Global)
        return true;
    const Value function = place(callee).value();
    if (function.kind != Kind::Function || !function.thing || !function.thing->code || function.thing->code->op != Op::Lambda || !function.thing->frame || !function.thing->frame->variables)
        return true;
    const Handle closure = function.thing;
    if (!m_forgetting.insert(closure->code).second) // it calls itself
        return true;
    const auto outer = std::exchange(m_frame, closure->frame);
    const bool areReals = changesOnlyReals(*closure->code, *closure->code);
    m_frame = outer;
    m_forgetting.erase(closure->code);
    return areReals;
}

bool Run::isRealPlace(const Node& changed, const Node& loop)
{
    const Node* const root = rootOf(changed);
    if (root->op == Op::Local && !root->isAlias && loop.firstSlot <= root->slot && root->slot < loop.lastSlot && root == &changed)
        return true;
    if (root->op != Op::Local && root->op != Op::Global && root->op != Op::Member)
        return false;
    const Value held = place(*root).value();
    if (held.kind == Kind::Whole || held.kind == Kind::Pointer) {
        const Type* const element = held.thing ? lastElement(held.thing->element ? held.thing->element : held.thing->type) : nullptr;
        return element && element->isOfFewReals();
    }
    return isReal(held.kind);
}

} // namespace coalescope::kernels::host
