// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>

/// What the library has to point with: smart pointers; std::optional, a pointer to what it holds; std::span, a pointer and a size.
namespace coalescope::kernels::host {

bool Run::isSpan(const Value& value)
{
    return value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->isSpan() && value.thing->items.size() == 2;
}

/// Of a pointer and a size, a pointer and where it ends, or what it is to look at.
Value Run::spanOf(const Type& type, const std::vector<Value>& arguments)
{
    Thing* span = new Thing;
    Value made = Value::whole(Handle(span));
    span->type = &type;
    std::vector<Value>& parts = span->items;
    parts = { Value::pointer({}, 0), Value::of(Kind::U64, 0) };
    const Value whole = arguments.empty() ? Value {} : arguments[0];
    if (isSpan(whole)) {
        parts = whole.thing->items;
    } else if (whole.kind == Kind::Whole && whole.thing && whole.thing->element) {
        parts = { Value::pointer(whole.thing, 0), whole.thing->isUnknown ? Value::unknown(Kind::U64) : Value::of(Kind::U64, std::int64_t(whole.thing->size())) };
    } else if (arguments.size() == 2) {
        const bool isRange = arguments[1].kind == Kind::Pointer;
        const Value size = isRange ? host::applied(Arithmetic::Subtract, arguments[1], arguments[0]) : arguments[1];
        parts = { convert(arguments[0], *type.parts[0]), host::converted(size, Kind::U64) };
    } else if (!arguments.empty()) {
        parts = { Value::unknown(Kind::Pointer), Value::unknown(Kind::U64) };
    }
    parts[0].points = type.parts[0]->element;
    return made;
}

std::optional<Value> Run::callSpan(std::string_view name, const Handle& span, const Node& node)
{
    const Value first = span->items[0], size = span->items[1];
    const Type& type = *span->type;
    const std::vector<Value> arguments = argumentValues(node.kids, 1);
    const auto part = [&](const Value& from, const Value& count) { return spanOf(type, { host::applied(Arithmetic::Add, first, from), count }); };
    const auto at = [&](const Value& index) -> Value {
        m_returnedPlace = elementOf(first, index);
        return m_returnedPlace.thing && m_returnedPlace.index >= 0 ? m_returnedPlace.value() : Value::unknown(type.parts[0]->element->kind);
    };
    const Value zero = Value::of(Kind::I64, 0), last = host::applied(Arithmetic::Subtract, size, Value::of(Kind::U64, 1));
    if (name == "size")
        return size;
    if (name == "size_bytes")
        return host::applied(Arithmetic::Multiply, size, Value::of(Kind::U64, std::int64_t(type.parts[0]->element->bytes())));
    if (name == "empty")
        return size.isKnown ? Value::of(Kind::Bool, size.integer == 0) : Value::unknown(Kind::Bool);
    if (name == "data" || name == "begin")
        return first;
    if (name == "end")
        return host::applied(Arithmetic::Add, first, size);
    if (name == "front" || name == "back")
        return at(name == "front" ? zero : last);
    if (arguments.empty())
        return std::nullopt;
    if (name == "first")
        return part(zero, arguments[0]);
    if (name == "last")
        return part(host::applied(Arithmetic::Subtract, size, arguments[0]), arguments[0]);
    if (name == "subspan")
        return part(arguments[0], arguments.size() > 1 ? arguments[1] : host::applied(Arithmetic::Subtract, size, arguments[0]));
    return std::nullopt;
}

/// Of a value that a std::optional is to hold, or of another one.
Value Run::optionalOf(const Type& type, const Value& value)
{
    if (value.kind == Kind::Pointer) {
        Value same = value;
        same.points = type.element;
        return same;
    }
    if (isList(value) && value.thing->items.empty()) // {}
        return initial(type);
    const Handle held = newThing(nullptr, type.element, 1, initial(*type.element));
    held->set(0, convert(value, *type.element));
    Value made = Value::pointer(held, 0);
    made.points = type.element;
    return made;
}

/// A smart pointer's, or a std::optional's.
std::optional<Value> Run::callPointer(std::string_view name, const Place& at, const Node& node)
{
    const Value pointer = at.value();
    const std::size_t count = node.kids.size() - 1;
    if (name == "reset" || (name == "swap" && count == 1)) {
        const Place other = name == "swap" ? place(*node.kids[1]) : Place {};
        const Value given = name == "swap" ? (other.thing ? other.value() : Value::unknown(Kind::Pointer)) : count > 0 ? decayed(value(*node.kids[1])) : Value::pointer({}, 0);
        at.set(given.kind == Kind::Pointer ? given : Value::unknown(Kind::Pointer));
        if (other.thing)
            other.set(pointer);
        return Value {};
    }
    if (!pointer.isKnown)
        return std::nullopt;
    if (count == 0 && (name == "get" || name == "data"))
        return pointer;
    if (count == 0 && name == "release") {
        at.set(Value::pointer({}, 0));
        return pointer;
    }
    if (count == 0 && name == "has_value")
        return Value::of(Kind::Bool, bool(pointer.thing));
    if (name == "value" || name == "value_or") {
        if (!pointer.thing)
            return count > 0 ? value(*node.kids[1]) : Value {};
        m_returnedPlace = elementOf(pointer, Value::of(Kind::I32, 0));
        return m_returnedPlace.thing ? m_returnedPlace.value() : Value {};
    }
    return std::nullopt;
}

} // namespace coalescope::kernels::host
