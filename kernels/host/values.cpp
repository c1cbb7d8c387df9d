// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coalescope::kernels::host {
namespace {

/// What is stored of an integer of this kind, with its sign.
std::int64_t wrapped(Kind kind, std::int64_t integer)
{
    switch (kind) {
    case Kind::Bool: return integer != 0;
    case Kind::I8: return std::int8_t(integer);
    case Kind::U8: return std::uint8_t(integer);
    case Kind::I16: return std::int16_t(integer);
    case Kind::U16: return std::uint16_t(integer);
    case Kind::I32: return std::int32_t(integer);
    case Kind::U32: return std::uint32_t(integer);
    default: return integer;
    }
}

template <class Real> std::optional<Real> ofReals(Arithmetic operation, Real a, Real b)
{
    switch (operation) {
    case Arithmetic::Add: return a + b;
    case Arithmetic::Subtract: return a - b;
    case Arithmetic::Multiply: return a * b;
    case Arithmetic::Divide: return a / b;
    default: return std::nullopt;
    }
}

/// Without overflow: the result is wrapped by the caller. `isSigned`: 64 bits are.
std::optional<std::int64_t> ofIntegers(Arithmetic operation, std::int64_t a, std::int64_t b, bool isSigned, int bits)
{
    const auto ua = std::uint64_t(a), ub = std::uint64_t(b);
    const bool divides = operation == Arithmetic::Divide || operation == Arithmetic::Remainder;
    const bool shifts = operation == Arithmetic::ShiftLeft || operation == Arithmetic::ShiftRight;
    if ((divides && (b == 0 || (isSigned && b == -1 && a == std::numeric_limits<std::int64_t>::min()))) || (shifts && (b < 0 || b >= bits)))
        return std::nullopt;
    switch (operation) {
    case Arithmetic::Add: return std::int64_t(ua + ub);
    case Arithmetic::Subtract: return std::int64_t(ua - ub);
    case Arithmetic::Multiply: return std::int64_t(ua * ub);
    case Arithmetic::Divide: return isSigned ? a / b : std::int64_t(ua / ub);
    case Arithmetic::Remainder: return isSigned ? a % b : std::int64_t(ua % ub);
    case Arithmetic::And: return a & b;
    case Arithmetic::Or: return a | b;
    case Arithmetic::Xor: return a ^ b;
    case Arithmetic::ShiftLeft: return std::int64_t(ua << ub);
    case Arithmetic::ShiftRight: return isSigned ? a >> b : std::int64_t(ua >> ub);
    default: return std::nullopt;
    }
}

bool isSignedKind(Kind kind) { return kind == Kind::I32 || kind == Kind::I64; }

Value ofPointers(Arithmetic operation, const Value& a, const Value& b)
{
    const bool isEquality = operation == Arithmetic::Equal || operation == Arithmetic::NotEqual;
    if (a.kind != Kind::Pointer || b.kind != Kind::Pointer) {
        const bool isNull = isInteger(a.kind) || isInteger(b.kind); // p == 0
        const Value &pointer = a.kind == Kind::Pointer ? a : b, &number = a.kind == Kind::Pointer ? b : a;
        if (isNull && isEquality && number.integer == 0)
            return Value::of(Kind::Bool, bool(pointer.thing) == (operation == Arithmetic::NotEqual));
        if (isNull && (operation == Arithmetic::Add || (operation == Arithmetic::Subtract && a.kind == Kind::Pointer))) {
            Value moved = pointer;
            moved.integer += operation == Arithmetic::Add ? number.integer : -number.integer;
            return moved;
        }
        return Value::unknown(isComparison(operation) ? Kind::Bool : Kind::Pointer);
    }
    const bool isOfOne = a.thing.get() == b.thing.get();
    if (isEquality)
        return Value::of(Kind::Bool, (isOfOne && a.integer == b.integer) == (operation == Arithmetic::Equal));
    if (operation == Arithmetic::Subtract)
        return isOfOne ? Value::of(Kind::I64, a.integer - b.integer) : Value::unknown(Kind::I64);
    return isOfOne && isComparison(operation) ? Value::of(Kind::Bool, compared(operation, a.integer, b.integer)) : Value::unknown(Kind::Bool);
}

} // namespace

int bytesOf(Kind kind)
{
    switch (kind) {
    case Kind::Bool:
    case Kind::I8:
    case Kind::U8: return 1;
    case Kind::I16:
    case Kind::U16:
    case Kind::F16: return 2;
    case Kind::I32:
    case Kind::U32:
    case Kind::F32: return 4;
    default: return 8;
    }
}

void Handle::destroy()
{
    delete get();
}

Value Value::of(Kind kind, std::int64_t integer)
{
    Value value { .kind = kind, .isKnown = true };
    value.integer = wrapped(kind, integer);
    return value;
}

Value Value::ofReal(Kind kind, double real)
{
    Value value { .kind = kind, .isKnown = kind != Kind::F16 };
    value.real = kind == Kind::F32 ? double(float(real)) : real;
    return value;
}

Value Value::unknown(Kind kind)
{
    return { .kind = kind };
}

Value Value::pointer(Handle thing, std::int64_t at)
{
    Value value { .kind = Kind::Pointer, .isKnown = true };
    value.integer = at;
    value.thing = std::move(thing);
    return value;
}

Value Value::whole(Handle thing)
{
    Value value { .kind = Kind::Whole, .isKnown = true };
    value.thing = std::move(thing);
    return value;
}

std::size_t Type::alignment() const
{
    switch (shape) {
    case Shape::Plain: return std::size_t(bytesOf(kind));
    case Shape::Array: return element->alignment();
    case Shape::Class:
    case Shape::Tuple: {
        std::size_t most = 1;
        for (const Type* part : parts)
            most = std::max(most, part->alignment());
        return most;
    }
    default: return 8;
    }
}

bool Type::isOfFewReals() const
{
    constexpr std::size_t kFew = 2; // a complex number's
    return isOfReals() && (isPlain() || shape == Shape::Array || parts.size() <= kFew);
}

bool Type::isOfReals() const
{
    if (isPlain())
        return isReal(kind);
    if (shape == Shape::Array)
        return element->isOfReals();
    return (shape == Shape::Class || shape == Shape::Tuple) && !parts.empty() && std::ranges::all_of(parts, &Type::isOfReals);
}

bool Type::hasAddresses() const
{
    return isAddress() || (shape == Shape::Array && element->hasAddresses()) || ((shape == Shape::Class || shape == Shape::Tuple) && std::ranges::any_of(parts, &Type::hasAddresses));
}

std::size_t Type::bytes() const
{
    switch (shape) {
    case Shape::Plain: return std::size_t(bytesOf(kind));
    case Shape::Pointer: return 8;
    case Shape::Other: return name == kFunctionPointer ? 8 : 0;
    case Shape::Array: return count < 0 ? 0 : element->bytes() * std::size_t(count);
    case Shape::Class:
    case Shape::Tuple: {
        const std::vector<PartPlace> places = partPlaces();
        return places.empty() ? 0 : std::max<std::size_t>(1, alignedUp(places.back().offset, alignment()));
    }
    default: return 0;
    }
}

/// A bit field lies in what is left of a unit of its type, or in the next. Source: Itanium C++ ABI, 2.4 II.1 (b)
std::vector<Type::PartPlace> Type::partPlaces() const
{
    constexpr std::size_t kByte = 8;
    std::vector<PartPlace> places;
    std::size_t end = 0; // in bits
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t size = parts[i]->bytes(), unit = kByte * size, own = i < bits.size() ? std::size_t(bits[i]) : 0;
        if (size == 0 || own > unit)
            return {};
        if (own == 0) {
            const std::size_t offset = alignedUp(alignedUp(end, kByte) / kByte, parts[i]->alignment());
            places.push_back({ offset });
            end = kByte * (offset + size);
            continue;
        }
        end = end % unit + own > unit ? alignedUp(end, unit) : end;
        places.push_back({ end / unit * size, int(end % unit), int(own) });
        end += own;
    }
    places.push_back({ alignedUp(end, kByte) / kByte });
    return declared && !declared->isWhole ? std::vector<PartPlace> {} : places;
}

Value Type::inPart(std::size_t part, const Value& value) const
{
    const int own = part < bits.size() ? bits[part] : 0;
    if (own == 0 || !value.isKnown || !isInteger(value.kind))
        return value;
    const int unused = 64 - own;
    const auto kept = std::uint64_t(value.integer) << unused;
    const bool isSigned = isSignedKind(parts[part]->kind) || parts[part]->kind == Kind::I8 || parts[part]->kind == Kind::I16;
    return Value::of(value.kind, isSigned ? std::int64_t(kept) >> unused : std::int64_t(kept >> unused));
}

std::optional<std::size_t> Type::offsetOf(std::string_view member) const
{
    const std::vector<PartPlace> places = declared ? partPlaces() : std::vector<PartPlace> {};
    for (std::size_t i = 0; i + 1 < places.size() && i < declared->members.size(); ++i)
        if (declared->members[i].name == member)
            return places[i].offset;
    return std::nullopt;
}

namespace {

Value read(Kind kind, const std::uint8_t* from)
{
    const auto as = [&]<class Number>(Number number) {
        std::memcpy(&number, from, sizeof number);
        return number;
    };
    switch (kind) {
    case Kind::Bool: return Value::of(Kind::Bool, as(std::uint8_t {}));
    case Kind::I8: return Value::of(Kind::I8, as(std::int8_t {}));
    case Kind::U8: return Value::of(Kind::U8, as(std::uint8_t {}));
    case Kind::I16: return Value::of(Kind::I16, as(std::int16_t {}));
    case Kind::U16: return Value::of(Kind::U16, as(std::uint16_t {}));
    case Kind::I32: return Value::of(Kind::I32, as(std::int32_t {}));
    case Kind::U32: return Value::of(Kind::U32, as(std::uint32_t {}));
    case Kind::F32: return Value::ofReal(Kind::F32, double(as(float {})));
    case Kind::F64: return Value::ofReal(Kind::F64, as(double {}));
    case Kind::F16: return Value::unknown(Kind::F16);
    default: return Value::of(kind, as(std::int64_t {}));
    }
}

/// Of this kind, and known.
void write(std::uint8_t* to, const Value& number)
{
    const auto as = [&]<class Number>(Number stored) { std::memcpy(to, &stored, sizeof stored); };
    switch (bytesOf(number.kind)) {
    case 1: return as(std::uint8_t(number.integer));
    case 2: return as(std::uint16_t(number.integer));
    case 4: return number.kind == Kind::F32 ? as(float(number.real)) : as(std::uint32_t(number.integer));
    default: return number.kind == Kind::F64 ? as(number.real) : as(number.integer);
    }
}

} // namespace

Value valueOfBytes(const Type& type, const std::uint8_t* from, const PointerAt& pointerAt)
{
    if (type.isPlain())
        return read(type.kind, from);
    if (type.shape == Type::Shape::Pointer) {
        std::uint64_t address = 0;
        std::memcpy(&address, from, sizeof address);
        Value pointer = type.isAddress() && address == 0 ? Value::pointer({}, 0) : type.isAddress() && pointerAt ? pointerAt(type, address) : Value::unknown(Kind::Pointer);
        pointer.points = type.element;
        return pointer;
    }
    if (type.bytes() == 0)
        return Value::unknown(type.kind);
    const bool isArray = type.shape == Type::Shape::Array;
    Value whole = Value::whole(Handle(new Thing));
    Thing& thing = *whole.thing;
    thing.type = &type;
    thing.element = isArray ? type.element : nullptr;
    if (isArray && type.element->isStored()) {
        thing.bytes.assign(from, from + type.bytes());
        return whole;
    }
    const std::vector<Type::PartPlace> places = isArray ? std::vector<Type::PartPlace> {} : type.partPlaces();
    for (std::size_t i = 0; i < (isArray ? std::size_t(type.count) : type.parts.size()); ++i) {
        const Type& part = isArray ? *type.element : *type.parts[i];
        Value held = valueOfBytes(part, from + (isArray ? i * part.bytes() : places[i].offset), pointerAt);
        if (!isArray && places[i].bits > 0)
            held = type.inPart(i, Value::of(held.kind, std::int64_t(std::uint64_t(held.integer) >> places[i].shift)));
        thing.items.push_back(std::move(held));
    }
    return whole;
}

Value Thing::at(std::int64_t index) const
{
    if (isUnknown || hollow >= 0 || index < 0 || std::uint64_t(index) >= size())
        return Value::unknown(element ? element->kind : Kind::None);
    if (!element || !element->isStored())
        return items[std::size_t(index)];
    if (element->isPlain())
        return !unknown.empty() && unknown[std::size_t(index)] ? Value::unknown(element->kind) : read(element->kind, bytes.data() + std::size_t(index) * element->stride);
    Value whole = Value::whole(Handle(new Thing)); // a copy: members are assigned to by setPart()
    whole.thing->type = element;
    for (std::size_t part = 0; part < element->parts.size(); ++part)
        whole.thing->items.push_back(partAt(index, int(part)));
    return whole;
}

Value Thing::partAt(std::int64_t index, int part) const
{
    const Kind kind = element->parts[std::size_t(part)]->kind;
    const bool isThere = !isUnknown && hollow < 0 && index >= 0 && std::uint64_t(index) < size() && (unknown.empty() || !unknown[std::size_t(index)]);
    return isThere ? read(kind, bytes.data() + std::size_t(index) * element->stride + element->offsets[std::size_t(part)]) : Value::unknown(kind);
}

void Thing::setPart(std::int64_t index, int part, const Value& value)
{
    if (isUnknown || hollow >= 0 || index < 0 || std::uint64_t(index) >= size())
        return;
    const Value number = converted(value, element->parts[std::size_t(part)]->kind);
    if (number.isKnown) {
        write(bytes.data() + std::size_t(index) * element->stride + element->offsets[std::size_t(part)], number);
        return;
    }
    unknown.resize(size());
    unknown[std::size_t(index)] = true; // the other members, too
}

void Thing::set(std::int64_t index, const Value& value)
{
    if (isUnknown || hollow >= 0 || index < 0 || std::uint64_t(index) >= size())
        return;
    const auto place = std::size_t(index);
    if (!element || !element->isStored()) {
        Value& slot = items[place];
        if (slot.kind == Kind::Whole && value.kind == Kind::Whole && slot.thing && value.thing && slot.thing.get() != value.thing.get()) {
            const Value other = value.thing->owners > 1 ? copied(value) : value; // it stays the object that pointers point into
            const std::uint32_t owners = slot.thing->owners;
            const Type* type = slot.thing->type ? slot.thing->type : other.thing->type;
            *slot.thing = *other.thing;
            slot.thing->owners = owners;
            slot.thing->type = type;
            return;
        }
        const Kind kind = slot.kind;
        const Type* points = slot.points;
        const bool isBits = type && place < type->bits.size() && type->bits[place] > 0;
        slot = isBits ? type->inPart(place, converted(value, kind)) : isNumber(kind) ? converted(value, kind) : value.kind == Kind::Whole && value.thing && value.thing->owners > 1 ? copied(value) : value;
        if (slot.kind == Kind::None)
            slot.kind = kind;
        if (points)
            slot.points = points;
        return;
    }
    const auto know = [&](bool isKnown) {
        if (!unknown.empty() || !isKnown) {
            unknown.resize(size());
            unknown[place] = !isKnown;
        }
    };
    if (!element->isPlain()) {
        const Thing* const whole = value.kind == Kind::Whole ? value.thing.get() : nullptr;
        const bool isWhole = whole && !whole->isUnknown && whole->items.size() == element->parts.size();
        know(isWhole);
        for (std::size_t part = 0; isWhole && part < element->parts.size(); ++part)
            setPart(index, int(part), whole->items[part]);
        return;
    }
    const Value number = converted(value, element->kind);
    know(number.isKnown);
    if (number.isKnown)
        write(bytes.data() + place * element->stride, number);
}

void Thing::know(std::int64_t first, std::int64_t last)
{
    if (unknown.empty() || first >= last)
        return;
    std::fill(unknown.begin() + first, unknown.begin() + last, false);
    if (first == 0 && last == std::int64_t(unknown.size()))
        unknown.clear();
}

void Thing::resize(std::size_t count, const Value& fill)
{
    const std::size_t before = size();
    if (hollow >= 0) {
        hollow = std::int64_t(count);
        return;
    }
    if (!element || !element->isStored()) {
        items.resize(std::min(before, count));
        while (items.size() < count)
            items.push_back(copied(fill));
        return;
    }
    bytes.resize(count * element->stride);
    if (!unknown.empty())
        unknown.resize(count);
    const auto isZero = [](const Value& number) { return number.isKnown && isNumber(number.kind) && number.integer == 0 && number.real == 0 && !std::signbit(number.real); };
    const bool isAllZero = element->isPlain() ? isZero(fill) : fill.kind == Kind::Whole && fill.thing && std::ranges::all_of(fill.thing->items, isZero);
    if (isAllZero || before >= count)
        return;
    set(std::int64_t(before), fill);
    const std::size_t stride = element->stride;
    for (std::size_t made = 1, left = count - before - 1; left > 0;) { // all the others are like it
        const std::size_t more = std::min(made, left);
        std::copy_n(bytes.begin() + std::ptrdiff_t(before * stride), more * stride, bytes.begin() + std::ptrdiff_t((before + made) * stride));
        made += more;
        left -= more;
    }
    if (!unknown.empty())
        std::fill(unknown.begin() + std::ptrdiff_t(before), unknown.end(), bool(unknown[before]));
}

void Thing::insert(std::int64_t index, const Value& value)
{
    if (isUnknown || index < 0 || std::size_t(index) > size())
        return;
    if (hollow >= 0) {
        ++hollow;
    } else if (element && element->isStored()) {
        bytes.insert(bytes.begin() + index * std::int64_t(element->stride), element->stride, 0);
        if (!unknown.empty())
            unknown.insert(unknown.begin() + index, false);
        set(index, value);
    } else {
        items.insert(items.begin() + index, copied(value));
    }
}

void Thing::erase(std::int64_t index)
{
    if (isUnknown || index < 0 || std::size_t(index) >= size())
        return;
    if (hollow >= 0) {
        --hollow;
        return;
    }
    if (element && element->isStored())
        bytes.erase(bytes.begin() + index * std::int64_t(element->stride), bytes.begin() + (index + 1) * std::int64_t(element->stride));
    else
        items.erase(items.begin() + index);
    if (!unknown.empty())
        unknown.erase(unknown.begin() + index);
}

void Thing::assign(std::vector<std::uint8_t> content, std::vector<bool> unlike, const PointerAt& pointerAt)
{
    if (std::ranges::find(unlike, true) == unlike.end())
        unlike.clear();
    if (element->isStored()) {
        bytes = std::move(content);
        unknown = std::move(unlike);
        return;
    }
    const std::size_t width = element->bytes(), count = content.size() / width;
    hollow = -1;
    items.clear();
    for (std::size_t i = 0; i < count; ++i) {
        items.push_back(valueOfBytes(*element, content.data() + i * width, pointerAt));
        if (!unlike.empty() && unlike[i] && items.back().kind == Kind::Pointer)
            items.back().isKnown = false;
        else if (!unlike.empty() && unlike[i] && items.back().thing)
            items.back().thing->forget(true);
    }
}

std::int64_t Thing::forget(bool keepsSize, int depth)
{
    if (isLiteral)
        return 1;
    ++forgets;
    if (isUnknown || (type && type->isPack()))
        return 1;
    if (raw >= 0) { // of no type yet
        isUnknown = true;
        return 1;
    }
    const bool mayGrow = !keepsSize && type && type->shape == Type::Shape::Vector;
    if (hollow >= 0 || (element && element->isStored())) {
        constexpr std::size_t kAtATime = 64;
        isUnknown = mayGrow;
        if (!mayGrow && hollow < 0)
            unknown.assign(size(), true);
        return mayGrow || hollow >= 0 ? 1 : std::int64_t(1 + size() / kAtATime);
    }
    std::int64_t through = 1;
    for (Value& item : items) {
        ++through;
        if ((item.kind == Kind::Whole || item.kind == Kind::Pointer) && item.thing && depth > 0)
            through += item.thing->forget(false, depth - 1);
        else if (item.kind != Kind::Function)
            item.isKnown = false;
    }
    isUnknown = mayGrow;
    return through;
}

Value converted(const Value& value, Kind kind)
{
    if (value.kind == kind || !isNumber(kind))
        return value;
    if (kind == Kind::Bool && value.kind == Kind::Pointer && value.isKnown)
        return Value::of(Kind::Bool, bool(value.thing));
    if (kind == Kind::Bool && value.kind == Kind::Other && value.isKnown) // a stream
        return Value::of(Kind::Bool, value.isTrue());
    if (!value.isKnown || !isNumber(value.kind))
        return Value::unknown(kind);
    if (isReal(kind))
        return Value::ofReal(kind, value.asReal());
    if (!isReal(value.kind))
        return Value::of(kind, value.integer);
    if (kind == Kind::Bool)
        return Value::of(kind, value.real != 0);
    const bool isTooLarge = !(std::abs(value.real) < (kind == Kind::U64 ? 0x1p64 : 0x1p63)); // also what is no number
    if (isTooLarge)
        return Value::unknown(kind);
    return Value::of(kind, value.real >= 0x1p63 ? std::int64_t(std::uint64_t(value.real)) : std::int64_t(value.real));
}

Value applied(Arithmetic operation, const Value& a, const Value& b)
{
    if (a.kind == Kind::Pointer || b.kind == Kind::Pointer)
        return a.isKnown && b.isKnown ? ofPointers(operation, a, b) : Value::unknown(isComparison(operation) ? Kind::Bool : Kind::Pointer);
    const bool shifts = operation == Arithmetic::ShiftLeft || operation == Arithmetic::ShiftRight;
    const Kind common = std::max(shifts ? a.kind : std::max(a.kind, b.kind), Kind::I32);
    const Kind result = isComparison(operation) ? Kind::Bool : common;
    if (!isNumber(a.kind) || !isNumber(b.kind))
        return Value::unknown(isComparison(operation) ? Kind::Bool : Kind::None);
    if (!a.isKnown || !b.isKnown)
        return Value::unknown(result);
    const Value left = converted(a, common), right = shifts ? b : converted(b, common);
    if (isReal(common)) {
        if (!left.isKnown || !right.isKnown)
            return Value::unknown(result);
        if (isComparison(operation))
            return Value::of(Kind::Bool, compared(operation, left.real, right.real));
        const auto made = common == Kind::F32 ? ofReals(operation, float(left.real), float(right.real)).transform([](float f) { return double(f); })
                                              : ofReals(operation, left.real, right.real);
        return made ? Value::ofReal(common, *made) : Value::unknown(common);
    }
    if (isComparison(operation))
        return Value::of(Kind::Bool, common == Kind::U64 ? compared(operation, std::uint64_t(left.integer), std::uint64_t(right.integer)) : compared(operation, left.integer, right.integer));
    const auto made = ofIntegers(operation, left.integer, right.integer, isSignedKind(common), bytesOf(common) * 8);
    return made ? Value::of(common, *made) : Value::unknown(common);
}

Value copied(const Value& value)
{
    if (value.kind != Kind::Whole || !value.thing)
        return value;
    Thing* copy = new Thing(*value.thing);
    copy->owners = 0;
    if (copy->engine)
        copy->engine = std::make_shared<Engine>(*copy->engine);
    Value other = value;
    other.thing = Handle(copy);
    for (std::size_t i = 0; i < copy->items.size(); ++i)
        if (!copy->type || !copy->type->isReference(i))
            copy->items[i] = copied(copy->items[i]);
    return other;
}

} // namespace coalescope::kernels::host
