// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <cstring>

namespace coalescope::kernels::host {
namespace {

template <class Stored> Stored loaded(const Thing& array, std::int64_t index)
{
    Stored stored;
    std::memcpy(&stored, array.bytes.data() + std::size_t(index) * sizeof stored, sizeof stored);
    return stored;
}

template <class Stored> void stored(Thing& array, std::int64_t index, Stored number)
{
    std::memcpy(array.bytes.data() + std::size_t(index) * sizeof number, &number, sizeof number);
}

} // namespace

Value Run::valueOf(const Number& number)
{
    Value value { .kind = number.kind, .isKnown = number.isKnown };
    value.integer = number.integer;
    value.real = number.real;
    return value;
}

Run::Number Run::numberOf(Value value)
{
    if (isNumber(value.kind))
        return { value.kind, value.isKnown, false, value.integer, value.real };
    Number other { .kind = value.kind, .isKnown = value.isKnown, .isOther = true };
    m_other = std::move(value);
    return other;
}

std::optional<bool> Run::holds(const Node& condition)
{
    const Number made = number(condition);
    if (!made.isOther)
        return made.isKnown ? std::optional(made.isTrue()) : std::nullopt;
    const Value other = asCondition(std::exchange(m_other, {}));
    return other.isKnown ? std::optional(other.isTrue()) : std::nullopt;
}

Run::Number Run::converted(const Number& number, Kind kind)
{
    if (number.kind == kind)
        return number;
    if (isInteger(kind) && isInteger(number.kind)) {
        const std::int64_t integer = number.integer;
        switch (kind) {
        case Kind::U8: return { kind, number.isKnown, false, std::uint8_t(integer), 0 };
        case Kind::I32: return { kind, number.isKnown, false, std::int32_t(integer), 0 };
        case Kind::U32: return { kind, number.isKnown, false, std::int64_t(std::uint32_t(integer)), 0 };
        case Kind::I64:
        case Kind::U64: return { kind, number.isKnown, false, integer, 0 };
        default: break;
        }
    }
    if (kind == Kind::F64 && number.kind == Kind::F32)
        return { kind, number.isKnown, false, 0, number.real };
    const Value value = host::converted(valueOf(number), kind);
    return { value.kind, value.isKnown, false, value.integer, value.real };
}

Run::Number Run::applied(Arithmetic operation, const Number& a, const Number& b)
{
    const bool areKnown = a.isKnown && b.isKnown;
    const bool areIntegers = isInteger(a.kind) && isInteger(b.kind);
    const bool shifts = operation == Arithmetic::ShiftLeft || operation == Arithmetic::ShiftRight;
    if (areKnown && areIntegers && a.kind != b.kind && !shifts) { // the usual conversions, once
        const Kind common = std::max({ a.kind, b.kind, Kind::I32 });
        return applied(operation, converted(a, common), converted(b, common));
    }
    if (areKnown && a.kind == b.kind && (a.kind == Kind::U32 || a.kind == Kind::U64)) {
        const auto made = [&](std::uint64_t number) { return Number { a.kind, true, false, a.kind == Kind::U32 ? std::int64_t(std::uint32_t(number)) : std::int64_t(number), 0 }; };
        const auto ua = std::uint64_t(a.integer), ub = std::uint64_t(b.integer);
        const unsigned bits = a.kind == Kind::U32 ? 32 : 64;
        switch (operation) {
        case Arithmetic::Add: return made(ua + ub);
        case Arithmetic::Subtract: return made(ua - ub);
        case Arithmetic::Multiply: return made(ua * ub);
        case Arithmetic::And: return made(ua & ub);
        case Arithmetic::Or: return made(ua | ub);
        case Arithmetic::Xor: return made(ua ^ ub);
        case Arithmetic::ShiftLeft:
            if (ub < bits)
                return made(ua << ub);
            break;
        case Arithmetic::ShiftRight:
            if (ub < bits)
                return made(ua >> ub);
            break;
        case Arithmetic::Less: return { Kind::Bool, true, false, ua < ub, 0 };
        default: break;
        }
    }
    if (areKnown && a.kind == b.kind && (a.kind == Kind::I32 || a.kind == Kind::I64)) {
        const auto wrapped = [&](std::uint64_t made) { return Number { a.kind, true, false, a.kind == Kind::I32 ? std::int64_t(std::int32_t(made)) : std::int64_t(made), 0 }; };
        const auto compared = [](bool holds) { return Number { Kind::Bool, true, false, holds, 0 }; };
        const auto ua = std::uint64_t(a.integer), ub = std::uint64_t(b.integer);
        switch (operation) {
        case Arithmetic::Add: return wrapped(ua + ub);
        case Arithmetic::Subtract: return wrapped(ua - ub);
        case Arithmetic::Multiply: return wrapped(ua * ub);
        case Arithmetic::And: return wrapped(ua & ub);
        case Arithmetic::Or: return wrapped(ua | ub);
        case Arithmetic::Xor: return wrapped(ua ^ ub);
        case Arithmetic::Less: return compared(a.integer < b.integer);
        case Arithmetic::LessEqual: return compared(a.integer <= b.integer);
        case Arithmetic::Greater: return compared(a.integer > b.integer);
        case Arithmetic::GreaterEqual: return compared(a.integer >= b.integer);
        case Arithmetic::Equal: return compared(a.integer == b.integer);
        case Arithmetic::NotEqual: return compared(a.integer != b.integer);
        default: break;
        }
    }
    if (areKnown && a.kind == Kind::F64 && b.kind == Kind::F64 && operation <= Arithmetic::Multiply) {
        const double made = operation == Arithmetic::Add ? a.real + b.real : operation == Arithmetic::Subtract ? a.real - b.real : a.real * b.real;
        return { Kind::F64, true, false, 0, made };
    }
    const Value value = host::applied(operation, valueOf(a), valueOf(b));
    return { value.kind, value.isKnown, !isNumber(value.kind), value.integer, value.real };
}

Run::Number Run::read(const Thing& array, std::int64_t index)
{
    const auto integer = [&](std::int64_t number) { return Number { array.element->kind, true, false, number, 0 }; };
    switch (array.element->kind) {
    case Kind::Bool:
    case Kind::U8: return integer(loaded<std::uint8_t>(array, index));
    case Kind::I8: return integer(loaded<std::int8_t>(array, index));
    case Kind::I16: return integer(loaded<std::int16_t>(array, index));
    case Kind::U16: return integer(loaded<std::uint16_t>(array, index));
    case Kind::I32: return integer(loaded<std::int32_t>(array, index));
    case Kind::U32: return integer(loaded<std::uint32_t>(array, index));
    case Kind::F32: return { Kind::F32, true, false, 0, double(loaded<float>(array, index)) };
    case Kind::F64: return { Kind::F64, true, false, 0, loaded<double>(array, index) };
    case Kind::F16: return { Kind::F16, false, false, 0, 0 };
    default: return integer(loaded<std::int64_t>(array, index));
    }
}

/// Of the array's own kind, and known.
void Run::write(Thing& array, std::int64_t index, const Number& number)
{
    switch (bytesOf(array.element->kind)) {
    case 1: return stored(array, index, std::uint8_t(number.integer));
    case 2: return stored(array, index, std::uint16_t(number.integer));
    case 4: return number.kind == Kind::F32 ? stored(array, index, float(number.real)) : stored(array, index, std::uint32_t(number.integer));
    default: return number.kind == Kind::F64 ? stored(array, index, number.real) : stored(array, index, number.integer);
    }
}

/// Of a variable alone: nothing has an effect.
Thing* Run::arrayOf(const Node& base, std::int64_t& first)
{
    const Value* held = nullptr;
    if (base.op == Op::Local || base.op == Op::Global) {
        held = &slot(base);
        if (base.isAlias) {
            Thing* const behind = held->thing.get();
            const bool stands = behind && !behind->element && held->integer >= 0 && std::uint64_t(held->integer) < behind->items.size();
            held = stands ? &behind->items[std::size_t(held->integer)] : nullptr;
        }
    } else if (base.op == Op::Member && base.kids[0]->op == Op::Self && m_frame->self) {
        Thing& object = *m_frame->self;
        const int index = object.element || object.isUnknown ? -1 : memberIndex(object.type, object.items.size(), base);
        held = index < 0 ? nullptr : &object.items[std::size_t(index)];
    }
    if (!held || !held->isKnown || !held->thing || (held->kind != Kind::Pointer && held->kind != Kind::Whole))
        return nullptr;
    Thing* const array = held->thing.get();
    const bool isReady = array->element && array->element->isPlain() && array->element->kind != Kind::F16 && !array->isUnknown && array->hollow < 0 && array->raw < 0 && array->unknown.empty();
    first = held->kind == Kind::Pointer ? held->integer : 0;
    return isReady ? array : nullptr;
}

Run::Number Run::element(const Node& node)
{
    std::int64_t first = 0;
    if (const Thing* array = arrayOf(*node.kids[0], first)) {
        const Number index = number(*node.kids[1]);
        array = arrayOf(*node.kids[0], first); // the index may have changed it
        const std::int64_t at = first + index.integer;
        if (array && !index.isOther && index.isKnown && isInteger(index.kind) && at >= 0 && std::uint64_t(at) < array->size())
            return read(*array, at);
        return numberOf(elementOf(value(*node.kids[0]), index.isOther ? std::exchange(m_other, {}) : valueOf(index)).value());
    }
    return numberOf(place(node).value());
}

Run::Number Run::binary(const Node& node)
{
    const Number left = number(*node.kids[0]);
    if (left.isOther) {
        const Value other = operandOf(std::exchange(m_other, {}));
        if (node.arithmetic == Arithmetic::ShiftRight) { // of a stream
            readFrom(other);
            forgetPlace(*node.kids[1]);
            return numberOf({});
        }
        return numberOf(appliedToAny(node.arithmetic, other, operandOf(value(*node.kids[1]))));
    }
    const Number right = number(*node.kids[1]);
    if (right.isOther) {
        const Value other = decayed(std::exchange(m_other, {}));
        return numberOf(appliedToAny(node.arithmetic, valueOf(left), other));
    }
    const Number made = applied(node.arithmetic, left, right);
    if (made.isOther)
        m_other = Value::unknown(made.kind);
    return made;
}

/// To a variable or an element that is a number; all else goes the long way.
Run::Number Run::assigned(const Node& node)
{
    const Node& target = *node.kids[0];
    std::int64_t first = 0;
    const bool isGiven = node.op == Op::Assign && std::ranges::find(m_options.given, target.name, &HostNumber::name) != m_options.given.end();
    const bool isVariable = target.op == Op::Local && !target.isAlias && isNumber(slot(target).kind) && !isGiven;
    if (!isVariable && !(target.op == Op::Index && arrayOf(*target.kids[0], first)))
        return numberOf(assign(node));
    const Number right = number(*node.kids[1]); // before the place is looked for, as C++17 has it
    if (right.isOther)
        m_other = {};
    if (m_thrown)
        return numberOf({});
    const auto made = [&](const Number& before) {
        if (right.isOther)
            return Number { before.kind, false, false, 0, 0 };
        const Number after = node.op == Op::Assign ? right : applied(node.arithmetic, before, right);
        return after.isOther ? Number { before.kind, false, false, 0, 0 } : converted(after, before.kind);
    };
    if (isVariable) {
        Value& held = slot(target);
        const Number now = made({ held.kind, held.isKnown, false, held.integer, held.real });
        held.isKnown = now.isKnown;
        held.integer = now.integer;
        held.real = now.real;
        return now;
    }
    const Number index = number(*target.kids[1]);
    if (index.isOther)
        m_other = {};
    Thing* const array = arrayOf(*target.kids[0], first);
    const std::int64_t at = first + index.integer;
    if (!array || index.isOther || !index.isKnown || !isInteger(index.kind) || at < 0 || std::uint64_t(at) >= array->size()) {
        if (array)
            forget(*array, true); // nobody knows which element
        return { Kind::None, false, false, 0, 0 };
    }
    const Number now = made(read(*array, at));
    if (now.isKnown)
        write(*array, at, now);
    else
        array->set(at, valueOf(now));
    return now;
}

Run::Number Run::number(const Node& node)
{
    ++m_steps;
    switch (node.op) {
    case Op::Constant:
        if (!isNumber(node.constant.kind))
            return numberOf(node.constant);
        return { node.constant.kind, node.constant.isKnown, false, node.constant.integer, node.constant.real };
    case Op::Local: {
        const Value& held = slot(node);
        if (!node.isAlias && isNumber(held.kind))
            return { held.kind, held.isKnown, false, held.integer, held.real };
        return numberOf(otherValue(node));
    }
    case Op::Index: return element(node);
    case Op::Binary: return binary(node);
    case Op::Assign:
    case Op::AssignWith: return assigned(node);
    case Op::Increase: {
        const Node& target = *node.kids[0];
        if (target.op == Op::Local && !target.isAlias) {
            Value& held = slot(target);
            if (held.isKnown && (held.kind == Kind::I32 || held.kind == Kind::I64 || held.kind == Kind::U64)) {
                const Number before { held.kind, true, false, held.integer, 0 };
                const auto made = std::int64_t(std::uint64_t(held.integer) + std::uint64_t(std::int64_t(node.slot)));
                held.integer = held.kind == Kind::I32 ? std::int64_t(std::int32_t(made)) : made;
                return node.flag ? before : Number { held.kind, true, false, held.integer, 0 };
            }
        }
        return numberOf(increase(node));
    }
    case Op::Cast: {
        const Type& type = *resolve(*node.type);
        const Number of = number(*node.kids[0]);
        if (!of.isOther && type.isPlain())
            return converted(of, type.kind);
        if (node.flag && of.isOther)
            return numberOf(dynamicCast(std::exchange(m_other, {}), type));
        return numberOf(convert(of.isOther ? std::exchange(m_other, {}) : valueOf(of), type));
    }
    case Op::Conditional:
        if (const auto condition = holds(*node.kids[0]))
            return number(*node.kids[*condition ? 1 : 2]);
        forgetChanged(*node.kids[1]);
        forgetChanged(*node.kids[2]);
        return numberOf({});
    default: return numberOf(otherValue(node));
    }
}

} // namespace coalescope::kernels::host
