// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/launch_arguments.h"

#include "kernels/host/bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace coalescope::kernels::host {
namespace {

/// As C++ writes it; empty: not known.
std::string numberText(const Value& number)
{
    if (!number.isKnown || !isNumber(number.kind) || (isReal(number.kind) && !std::isfinite(number.real)))
        return "";
    return number.kind == Kind::F32 ? fmt::format("{:.9g}", number.real) : number.kind == Kind::F64 ? fmt::format("{:.17g}", number.real)
        : number.kind == Kind::U64 ? fmt::format("{}", std::uint64_t(number.integer)) : fmt::format("{}", number.integer);
}

} // namespace

std::optional<Value> onlyPointer(const Value& object)
{
    if (!isObject(object))
        return std::nullopt;
    const std::vector<Value>& members = object.thing->items;
    const auto isPointer = [](const Value& member) { return member.kind == Kind::Pointer; };
    return std::ranges::count_if(members, isPointer) == 1 ? std::optional(*std::ranges::find_if(members, isPointer)) : std::nullopt;
}

std::string memberName(const Type& type, std::size_t member)
{
    if (type.declared)
        return member < type.declared->members.size() ? type.declared->members[member].name : "";
    const bool isVector = type.shape == Type::Shape::Tuple && !type.name.empty() && !type.isSpan() && type.parts.size() <= 4;
    return isVector && member < type.parts.size() ? std::string(1, "xyzw"[member]) : "";
}

std::optional<std::array<std::int64_t, 3>> extentsOf(const Value& value)
{
    if (isInteger(value.kind) && value.isKnown)
        return std::array<std::int64_t, 3> { value.integer, 1, 1 };
    const bool isOfThree = value.kind == Kind::Whole && value.thing && !value.thing->isUnknown && value.thing->type && value.thing->type->name == "dim3" && value.thing->items.size() == 3;
    if (!isOfThree || !std::ranges::all_of(value.thing->items, &Value::isKnown))
        return std::nullopt;
    return std::array { value.thing->items[0].integer, value.thing->items[1].integer, value.thing->items[2].integer };
}

std::optional<std::int64_t> sharedBytesOf(const std::vector<Value>& configuration)
{
    if (configuration.size() < 3)
        return 0;
    return isInteger(configuration[2].kind) && configuration[2].isKnown ? std::optional(configuration[2].integer) : std::nullopt;
}

std::vector<std::string> numberTexts(const Value& value, int depth)
{
    const bool isOfSeveral = ((value.kind == Kind::Pointer && depth == 0) || value.kind == Kind::Whole) && value.thing && depth <= 2 * kDeepestMember; // where pointers lead is another matter
    if (!isOfSeveral) {
        const std::string text = numberText(value);
        return text.empty() ? std::vector<std::string> {} : std::vector { text };
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < value.thing->size(); ++i) {
        const std::vector<std::string> item = numberTexts(value.thing->at(std::int64_t(i)), depth + 1);
        if (item.empty())
            return {};
        texts.insert(texts.end(), item.begin(), item.end());
    }
    return texts;
}

namespace {

/// A bit field of an object that begins at `first`, into a unit of so many bytes. False: it is not known.
bool putBits(const Value& value, const Type::PartPlace& place, std::size_t unit, std::size_t first, std::vector<std::uint8_t>& bytes)
{
    if (!value.isKnown || !isInteger(value.kind))
        return false;
    const std::uint64_t kept = bitsOf(value.integer, place.bits) << place.shift;
    bytes.resize(std::max(bytes.size(), first + place.offset + unit));
    for (std::size_t i = 0; i < unit; ++i)
        bytes[first + place.offset + i] |= std::uint8_t(kept >> (8 * i));
    return true;
}

} // namespace

bool appendBytes(const Value& value, const Type& type, std::vector<std::uint8_t>& bytes, Addresses* addresses)
{
    const auto store = [&](const auto& number) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(&number);
        bytes.insert(bytes.end(), first, first + sizeof number);
        return true;
    };
    switch (type.shape) {
    case Type::Shape::Plain: {
        const Value number = converted(value, type.kind);
        if (!number.isKnown)
            return false;
        if (type.kind == Kind::F32)
            return store(float(number.real));
        if (type.kind == Kind::F64)
            return store(number.real);
        const auto* first = reinterpret_cast<const std::uint8_t*>(&number.integer);
        bytes.insert(bytes.end(), first, first + bytesOf(type.kind));
        return true;
    }
    case Type::Shape::Array:
    case Type::Shape::Class:
    case Type::Shape::Tuple: {
        if (value.kind != Kind::Whole || !value.thing || value.thing->isUnknown || type.bytes() == 0)
            return false;
        const std::size_t first = bytes.size();
        const bool isArray = type.shape == Type::Shape::Array;
        const std::vector<Type::PartPlace> places = isArray ? std::vector<Type::PartPlace> {} : type.partPlaces();
        for (std::size_t i = 0; i < (isArray ? value.thing->size() : type.parts.size()); ++i) {
            const Type& part = isArray ? *type.element : *type.parts[i];
            const Value held = value.thing->at(std::int64_t(i));
            if (!isArray && places[i].bits > 0) {
                if (!putBits(held, places[i], part.bytes(), first, bytes))
                    return false;
                continue;
            }
            bytes.resize(first + (isArray ? alignedUp(bytes.size() - first, part.alignment()) : places[i].offset));
            if (!appendBytes(held, part, bytes, addresses))
                return false;
        }
        bytes.resize(first + type.bytes());
        return true;
    }
    case Type::Shape::Pointer: {
        const bool isKnown = addresses && type.isAddress() && value.kind == Kind::Pointer && value.isKnown;
        const std::int64_t before = isKnown && value.thing && value.thing->number > 0 ? bytesBefore(value) : -1;
        if (!isKnown || (value.thing && before < 0))
            return false;
        if (!value.thing)
            return store(std::uint64_t(0));
        addresses->places.push_back(bytes.size());
        addresses->pointers.push_back(value);
        return store(addressOf(value.thing->number) + std::uint64_t(before));
    }
    default: return false;
    }
}

std::vector<std::uint8_t> bytesOfVariable(const Value& value)
{
    std::vector<std::uint8_t> bytes;
    if (value.kind == Kind::Whole && value.thing && value.thing->type && !value.thing->element)
        return appendBytes(value, *value.thing->type, bytes) ? bytes : std::vector<std::uint8_t> {};
    if (value.kind == Kind::Pointer || value.kind == Kind::Whole) {
        if (value.thing && value.thing->element && !value.thing->element->isStored() && value.thing->hollow < 0 && !value.thing->isUnknown) {
            for (std::size_t i = 0; i < value.thing->size(); ++i)
                if (!appendBytes(value.thing->at(std::int64_t(i)), *value.thing->element, bytes))
                    return {};
            return bytes;
        }
        const bool isKnown = value.thing && value.thing->element && value.thing->element->isStored() && value.thing->unknown.empty() && value.thing->hollow < 0 && !value.thing->isUnknown;
        return isKnown ? value.thing->bytes : std::vector<std::uint8_t> {};
    }
    if (!value.isKnown || !isNumber(value.kind) || value.kind == Kind::F16)
        return {};
    bytes.resize(std::size_t(bytesOf(value.kind)));
    const auto real = float(value.real);
    std::memcpy(bytes.data(), value.kind == Kind::F32 ? static_cast<const void*>(&real) : value.kind == Kind::F64 ? static_cast<const void*>(&value.real) : &value.integer, bytes.size());
    return bytes;
}

std::int64_t bytesBefore(const Value& pointer)
{
    const Type* const element = pointer.thing->raw >= 0 ? pointer.points : pointer.thing->element;
    const auto width = std::int64_t(element ? element->bytes() : 0);
    return pointer.integer == 0 ? 0 : width > 0 ? pointer.integer * width : -1;
}

} // namespace coalescope::kernels::host
