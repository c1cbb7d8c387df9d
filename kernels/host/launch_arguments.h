// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/values.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace coalescope::kernels::host {

inline constexpr int kDeepestMember = 4; ///< of structures in structures that a launch is given
inline constexpr std::uint64_t kBetweenPointed = std::uint64_t(1) << 36; ///< see addressOf()

/// Of an object: the only one of its members that is a pointer, which it converts to; nothing: there is none, or several.
[[nodiscard]] std::optional<Value> onlyPointer(const Value& object);

/// Calls `use` with each pointer of a value that is known, also if it points to nothing, and what it is called within it: "" or ".rows".
template <class Use> void eachPointer(const Value& value, const std::string& path, const Use& use, int depth = kDeepestMember)
{
    const bool isArray = value.kind == Kind::Whole && value.thing && value.thing->element;
    if (value.kind == Kind::Pointer && value.isKnown)
        use(path, value);
    else if (isArray && depth == kDeepestMember) // it is passed by where it stands
        use(path, Value::pointer(value.thing, 0));
    else if (isArray && depth > 0 && value.thing->items.size() <= kLongestMember)
        for (std::size_t i = 0; i < value.thing->items.size(); ++i)
            eachPointer(value.thing->items[i], path + "." + std::to_string(i), use, depth - 1);
    else if (value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->declared && depth > 0) {
        const HostClass& declared = *value.thing->type->declared;
        for (std::size_t i = 0; i < declared.members.size() && i < value.thing->items.size(); ++i)
            eachPointer(value.thing->items[i], path + "." + declared.members[i].name, use, depth - 1);
    }
}

/// The name of a member of an object, or of one that the library has: "x" of a float4; empty: it has none.
[[nodiscard]] std::string memberName(const Type& type, std::size_t member);

/// Calls `use` with each number that is known of a value, and what it is called within it.
template <class Use> void eachNumber(const Value& value, const std::string& path, const Use& use, int depth = kDeepestMember)
{
    if (isNumber(value.kind) && value.isKnown)
        use(path, value);
    if (value.kind != Kind::Whole || !value.thing || value.thing->isUnknown || depth == 0)
        return;
    if (value.thing->element && depth < kDeepestMember && value.thing->size() <= kLongestMember) // an array in an object
        for (std::size_t i = 0; i < value.thing->size(); ++i)
            eachNumber(value.thing->at(std::int64_t(i)), path + "." + std::to_string(i), use, depth - 1);
    if (value.thing->element || !value.thing->type)
        return;
    for (std::size_t i = 0; i < value.thing->items.size(); ++i)
        if (const std::string name = memberName(*value.thing->type, i); !name.empty())
            eachNumber(value.thing->items[i], path + "." + name, use, depth - 1);
}

/// Calls `use` with each number and pointer of a value, known or not, in the order in which they lie in memory.
template <class Use> void eachLeaf(const Value& value, const Use& use, int depth = 0)
{
    const bool isWhole = value.kind == Kind::Whole && value.thing && value.thing->type && !value.thing->isUnknown && depth <= kDeepestMember;
    const bool isArray = isWhole && value.thing->element;
    if (isArray && depth == 0) { // it is passed by where it stands
        use(Value::pointer(value.thing, 0));
        return;
    }
    if (!isWhole) {
        use(value.kind == Kind::Whole ? Value {} : value);
        return;
    }
    for (std::size_t i = 0; i < value.thing->size(); ++i)
        eachLeaf(value.thing->at(std::int64_t(i)), use, depth + 1);
}

/// Of a grid or a block; nothing: one of them is not known.
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> extentsOf(const Value& value);

/// Of a launch's configuration: the third of it, 0 where it is not given; nothing: not known.
[[nodiscard]] std::optional<std::int64_t> sharedBytesOf(const std::vector<Value>& configuration);

/// A number, or each of an array and of the objects in it, as C++ writes it; empty: one of them is not known.
[[nodiscard]] std::vector<std::string> numberTexts(const Value& value, int depth = 0);

/// Pointers among the bytes of a memory. Each is written as the address of what addressOf() says, and so many bytes behind it.
struct Addresses {
    std::vector<std::uint64_t> places; ///< in the bytes, ascending
    std::vector<Value> pointers; ///< by places; not null
};

/// Where memory of the GPU's that is pointed to counts as lying: no address that a GPU has, and far from all others.
[[nodiscard]] constexpr std::uint64_t addressOf(int number) { return (std::uint64_t(1) << 55) + std::uint64_t(number) * kBetweenPointed; }

/// Appends a value as it lies in memory. False: it is not known, or of no known layout; pointers are only where somebody asks for their `addresses`.
bool appendBytes(const Value& value, const Type& type, std::vector<std::uint8_t>& bytes, Addresses* addresses = nullptr);

/// A number, an object, or an array of what is kept as bytes, as it lies in memory; empty: not known.
[[nodiscard]] std::vector<std::uint8_t> bytesOfVariable(const Value& value);

/// Calls `use` with each pointer that lies in an array or a variable of the GPU's memory, if it is known and points to such memory.
template <class Use> void eachAddressIn(const Thing& memory, const Use& use, int depth = kDeepestMember)
{
    if (memory.isUnknown || (memory.element && !memory.element->hasAddresses()))
        return;
    for (const Value& item : memory.items) {
        if (item.kind == Kind::Pointer && item.isKnown && item.thing && item.thing->number > 0)
            use(item);
        else if (item.kind == Kind::Whole && item.thing && depth > 0)
            eachAddressIn(*item.thing, use, depth - 1);
    }
}

/// Where a pointer points to, in bytes from the memory's start; below 0: not known.
[[nodiscard]] std::int64_t bytesBefore(const Value& pointer);

} // namespace coalescope::kernels::host
