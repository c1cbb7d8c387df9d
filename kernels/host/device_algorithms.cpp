// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace coalescope::kernels::host {
namespace {

/// Bits [begin, end) of a number, in the order of a radix sort.
std::uint64_t radixKey(const Value& number, std::int64_t begin, std::int64_t end)
{
    const int bits = 8 * int(bytesOf(number.kind));
    const std::uint64_t sign = std::uint64_t(1) << (bits - 1), all = sign | (sign - 1);
    std::uint64_t key = 0;
    if (isReal(number.kind)) {
        key = number.kind == Kind::F32 ? std::bit_cast<std::uint32_t>(float(number.real)) : std::bit_cast<std::uint64_t>(number.real);
        key = key & sign ? ~key & all : key | sign;
    } else {
        const bool isSigned = number.kind == Kind::I8 || number.kind == Kind::I16 || number.kind == Kind::I32 || number.kind == Kind::I64;
        key = (std::uint64_t(number.integer) & all) ^ (isSigned ? sign : 0);
    }
    const std::uint64_t below = end - begin >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << std::max<std::int64_t>(end - begin, 0)) - 1;
    return (key >> std::clamp<std::int64_t>(begin, 0, 63)) & below;
}

/// So many elements from where a pointer points to, all known; nothing where they are not.
std::optional<std::vector<Value>> elementsAt(const Value& pointer, std::int64_t count)
{
    if (pointer.kind != Kind::Pointer || !pointer.thing || pointer.thing->isUnknown || !pointer.thing->element || pointer.integer < 0 || count < 0 || pointer.integer + count > std::int64_t(pointer.thing->size()))
        return std::nullopt;
    std::vector<Value> elements;
    elements.reserve(std::size_t(count));
    for (std::int64_t i = 0; i < count; ++i) {
        elements.push_back(pointer.thing->at(pointer.integer + i));
        if (!elements.back().isKnown)
            return std::nullopt;
    }
    return elements;
}

void put(const Value& pointer, std::span<const Value> elements)
{
    for (std::size_t i = 0; i < elements.size(); ++i)
        pointer.thing->set(pointer.integer + std::int64_t(i), elements[i]);
}

} // namespace

/// cub::DeviceScan, cub::DeviceRadixSort and cub::DeviceReduce, as far as they take pointers. The first call, without memory for what
/// they keep, only asks how much that is: nobody knows.
std::optional<Value> Run::callDevice(std::string_view name, const Node& node)
{
    const bool isScan = node.scope == "DeviceScan" && isAmong(name, { "ExclusiveSum", "InclusiveSum" });
    const bool isReduction = node.scope == "DeviceReduce" && isAmong(name, { "Sum", "Max", "Min" });
    const bool isOfPairs = name.starts_with("SortPairs"), isSort = node.scope == "DeviceRadixSort" && (isOfPairs || name.starts_with("SortKeys"));
    if ((!isScan && !isReduction && !isSort) || node.kids.size() < (isOfPairs ? 7u : 5u))
        return std::nullopt;
    const Value success = Value::of(Kind::I32, 0);
    std::vector<Value> arguments = valuesOf(node.kids);
    for (Value& argument : arguments)
        argument = decayed(argument);
    const Value& temporary = arguments[0];
    if ((isInteger(temporary.kind) && temporary.isKnown) || (temporary.kind == Kind::Pointer && temporary.isKnown && !temporary.thing)) { // none yet
        if (const Place bytes = place(*node.kids[1]); bytes.thing)
            bytes.set(Value::unknown(Kind::U64));
        return success;
    }
    const Value& from = arguments[2];
    const Value& to = arguments[3];
    const Value& count = arguments[isOfPairs ? 6 : 4];
    const auto bytesOfAll = [&](const Value& pointer) {
        return pointer.points && count.isKnown && isInteger(count.kind) ? Value::of(Kind::I64, count.integer * std::int64_t(pointer.points->bytes())) : Value::unknown(Kind::I64);
    };
    if (isReduction) {
        if (from.thing)
            touch(*from.thing, false);
        if (to.kind == Kind::Pointer && to.thing) {
            touch(*to.thing, true);
            to.thing->forget(true);
        }
        return success;
    }
    // What they write is as what they read until it is known better: left by the same launches.
    if (to.thing.get() != from.thing.get() || to.integer != from.integer)
        copyBytes(to, from, bytesOfAll(from));
    else if (to.thing)
        touch(*to.thing, true);
    if (isOfPairs)
        copyBytes(arguments[5], arguments[4], bytesOfAll(arguments[4]));
    auto elements = count.isKnown && isInteger(count.kind) ? elementsAt(to, count.integer) : std::nullopt;
    m_steps += elements ? std::int64_t(elements->size()) : 0;
    if (!elements || elements->empty() || !isNumber(elements->front().kind)) {
        for (const Value* written : { &to, isOfPairs ? &arguments[5] : &to })
            if (written->kind == Kind::Pointer && written->thing)
                written->thing->forget(true);
        return success;
    }
    if (isScan) {
        Value sum = Value::of(elements->front().kind, 0);
        for (Value& element : *elements) {
            const Value next = host::converted(host::applied(Arithmetic::Add, sum, element), sum.kind);
            element = name == "ExclusiveSum" ? sum : next;
            sum = next;
        }
        put(to, *elements);
        return success;
    }
    const std::size_t bits = isOfPairs ? 7 : 5;
    const auto bit = [&](std::size_t i, std::int64_t otherwise) { return i < arguments.size() && arguments[i].isKnown && isInteger(arguments[i].kind) ? arguments[i].integer : otherwise; };
    const std::int64_t begin = bit(bits, 0), end = bit(bits + 1, 8 * std::int64_t(bytesOf(elements->front().kind)));
    std::vector<std::uint64_t> keys;
    for (const Value& element : *elements)
        keys.push_back(radixKey(element, begin, end));
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const bool isDescending = name.ends_with("Descending");
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return isDescending ? keys[b] < keys[a] : keys[a] < keys[b]; });
    const auto arranged = [&](const std::vector<Value>& of) {
        std::vector<Value> made;
        for (const std::size_t place : order)
            made.push_back(of[place]);
        return made;
    };
    put(to, arranged(*elements));
    if (const auto values = isOfPairs ? elementsAt(arguments[5], count.integer) : std::nullopt)
        put(arguments[5], arranged(*values));
    else if (isOfPairs && arguments[5].kind == Kind::Pointer && arguments[5].thing)
        arguments[5].thing->forget(true);
    return success;
}

} // namespace coalescope::kernels::host
