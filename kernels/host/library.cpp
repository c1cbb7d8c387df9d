// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/engine.h"
#include "kernels/host/mathematics.h"
#include "kernels/host/run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace coalescope::kernels::host {
/// As glibc's rand() with its 31 words of state. Source: the description of the TYPE_3 generator, x[i] = x[i-3] + x[i-31].
std::int64_t Run::random()
{
    constexpr std::size_t kWords = 31, kLag = 3, kDropped = 310;
    if (m_random.empty()) {
        m_random.resize(kWords);
        std::int64_t word = m_randomAt == 0 ? 1 : std::int64_t(m_randomAt); // the seed
        for (std::size_t i = 0; i < kWords; ++i) {
            m_random[i] = std::int32_t(word);
            word = 16807 * (word % 127773) - 2836 * (word / 127773);
            word += word < 0 ? 2147483647 : 0;
        }
        m_randomAt = kLag;
        for (std::size_t i = 0; i < kDropped; ++i)
            random();
    }
    const std::size_t at = m_randomAt % kWords;
    m_random[at] = std::int32_t(std::uint32_t(m_random[at]) + std::uint32_t(m_random[(at + kWords - kLag) % kWords]));
    m_randomAt = at + 1;
    return std::int64_t(std::uint32_t(m_random[at]) >> 1);
}

/// X = X * 0x5deece66d + 11 modulo 2^48. Source: POSIX, drand48()
Value Run::drand48()
{
    m_random48 = (m_random48 * 0x5deece66dULL + 0xb) & 0xffffffffffffULL;
    return Value::ofReal(Kind::F64, double(m_random48) / 0x1p48);
}

/// What knows the function is asked again the next time that it is called from there.
std::optional<Value> Run::callLibrary(std::string_view name, const Node& node)
{
    using Family = std::optional<Value> (Run::*)(std::string_view, const Node&);
    static constexpr std::array<Family, 11> kFamilies { &Run::callView, &Run::callRandom, &Run::callComparison, &Run::callBits, &Run::callMathematics, &Run::callLimit, &Run::callVariant, &Run::callMaker, &Run::callText, &Run::callOutside, &Run::callAlgorithm };
    if (node.family >= 0)
        if (auto known = (this->*kFamilies[std::size_t(node.family)])(name, node))
            return known;
    constexpr int kNever = 1000; ///< what none has known so often is no function of the library's
    if (node.family <= -kNever)
        return std::nullopt;
    for (std::size_t i = 0; i < kFamilies.size(); ++i)
        if (auto known = (this->*kFamilies[i])(name, node)) {
            node.family = int(i);
            return known;
        }
    --node.family;
    return std::nullopt;
}

std::optional<Value> Run::callRandom(std::string_view name, const Node& node)
{
    if (name == "rand" || name == "random" || name == "lrand48")
        return Value::of(name == "rand" ? Kind::I32 : Kind::I64, random());
    if (name == "srand" || name == "srandom") {
        const Value seed = node.kids.empty() ? Value {} : value(*node.kids[0]);
        m_random.clear();
        m_randomAt = seed.isKnown ? std::size_t(std::uint32_t(seed.asInteger())) : 1;
        return Value {};
    }
    if (name == "srand48") {
        const Value seed = node.kids.empty() ? Value {} : value(*node.kids[0]);
        m_random48 = (std::uint64_t(std::uint32_t(seed.isKnown ? seed.asInteger() : 0)) << 16) + 0x330e;
        return Value {};
    }
    if (name == "drand48")
        return drand48();
    return std::nullopt;
}

/// Of std::numeric_limits.
std::optional<Value> Run::callLimit(std::string_view name, const Node& node)
{
    if (isAmong(name, { "max", "min", "lowest", "epsilon", "infinity" }) && node.kids.empty() && node.types.size() == 1) { // std::numeric_limits<int>::max()
        const Type* type = resolve(node.types[0]);
        if (!type->isPlain())
            return Value {};
        const int bits = bytesOf(type->kind) * 8;
        const bool isMost = name == "max" || name == "infinity";
        if (isReal(type->kind)) {
            const double most = type->kind == Kind::F32 ? 3.4028234663852886e38 : 1.7976931348623157e308;
            const double least = type->kind == Kind::F32 ? 1.1754943508222875e-38 : 2.2250738585072014e-308;
            return Value::ofReal(type->kind, name == "infinity" ? HUGE_VAL : name == "epsilon" ? (type->kind == Kind::F32 ? 0x1p-23 : 0x1p-52) : isMost ? most : name == "lowest" ? -most : least);
        }
        const bool isSigned = type->kind == Kind::I8 || type->kind == Kind::I16 || type->kind == Kind::I32 || type->kind == Kind::I64;
        if (!isMost)
            return Value::of(type->kind, isSigned ? std::int64_t(~std::uint64_t(0) << (bits - 1)) : 0);
        return Value::of(type->kind, isSigned ? std::int64_t((std::uint64_t(1) << (bits - 1)) - 1) : bits == 64 ? -1 : std::int64_t((std::uint64_t(1) << bits) - 1));
    }
    return std::nullopt;
}

/// std::min() and its kin: of two, or of all in a list, with the program's own comparison behind them or none.
Value Run::extremeOf(std::string_view name, std::vector<Value> among)
{
    const Value comparison = among.back().kind == Kind::Function && among.size() > 1 ? among.back() : Value {};
    if (comparison.kind == Kind::Function)
        among.pop_back();
    if (among.size() == 1) {
        const Value list = among[0];
        if (list.kind != Kind::Whole || !list.thing || list.thing->isUnknown)
            return {};
        among.clear();
        for (std::int64_t i = 0; i < std::int64_t(list.thing->size()) && !isUp(); ++i)
            among.push_back(list.thing->at(i));
    }
    if (among.empty())
        return {};
    const Kind kind = std::ranges::max(among, {}, &Value::kind).kind;
    const auto chosen = [&](bool isLeast) {
        Value best = among[0];
        for (std::size_t i = 1; i < among.size(); ++i) {
            const Value isBetter = isLeast ? isLess(among[i], best, comparison) : isLess(best, among[i], comparison);
            if (!isBetter.isKnown)
                return Value::unknown(kind);
            best = isBetter.isTrue() ? among[i] : best;
        }
        return isNumber(kind) ? host::converted(best, kind) : best;
    };
    if (name != "minmax")
        return chosen(name == "min");
    const Value least = chosen(true);
    const Type* const type = typeOf(least);
    return type ? construct(*tupleOf({ type, type }, ""), { least, chosen(false) }, false) : Value {};
}

std::optional<Value> Run::callComparison(std::string_view name, const Node& node)
{
    if (isAmong(name, { "min", "max", "minmax" }) && !node.kids.empty() && node.kids.size() <= 3)
        return extremeOf(name, argumentValues(node.kids));
    if (name == "clamp" && node.kids.size() == 3) {
        const Value of = value(*node.kids[0]), low = value(*node.kids[1]), high = value(*node.kids[2]);
        const Kind kind = std::max({ of.kind, low.kind, high.kind });
        const Value isLow = host::applied(Arithmetic::Less, of, low), isHigh = host::applied(Arithmetic::Less, high, of);
        if (!isLow.isKnown || !isHigh.isKnown || !isNumber(kind))
            return Value::unknown(kind);
        return host::converted(isLow.isTrue() ? low : isHigh.isTrue() ? high : of, kind);
    }
    if (isAmong(name, { "abs", "labs", "llabs" }) && node.kids.size() == 1) {
        const Value of = value(*node.kids[0]);
        if (!of.isKnown || !isNumber(of.kind))
            return Value::unknown(of.kind);
        return isReal(of.kind) ? Value::ofReal(of.kind, std::abs(of.real)) : Value::of(std::max(of.kind, Kind::I32), of.integer < 0 && of.kind != Kind::U64 ? -of.integer : of.integer);
    }
    if (isAmong(name, { "lround", "lroundf", "llround", "lrint" }) && node.kids.size() == 1) {
        const Value of = value(*node.kids[0]);
        return of.isKnown && isNumber(of.kind) ? host::converted(Value::ofReal(Kind::F64, std::round(of.asReal())), Kind::I64) : Value::unknown(Kind::I64);
    }
    if (isAmong(name, { "gcd", "lcm" }) && node.kids.size() == 2) {
        const std::vector<Value> of = argumentValues(node.kids);
        const Kind kind = std::max({ of[0].kind, of[1].kind, Kind::I32 });
        const bool areKnown = std::ranges::all_of(of, [](const Value& value) { return value.isKnown && isInteger(value.kind); });
        return areKnown ? Value::of(kind, name == "gcd" ? std::gcd(of[0].integer, of[1].integer) : std::lcm(of[0].integer, of[1].integer)) : Value::unknown(kind);
    }
    return std::nullopt;
}

/// What makes something of its arguments, or hands them on.
std::optional<Value> Run::callMaker(std::string_view name, const Node& node)
{
    if (node.made)
        return construct(*node.made, argumentValues(node.kids), false);
    if (node.kids.empty())
        if (auto object = functionObject(name)) // std::greater<int>()
            return object;
    if (isAmong(name, { "move", "forward", "ref", "cref", "raw_pointer_cast", "as_const" }) && node.kids.size() == 1)
        return value(*node.kids[0]);
    if (isAmong(name, { "next", "prev" }) && (node.kids.size() == 1 || node.kids.size() == 2)) {
        const std::vector<Value> given = argumentValues(node.kids);
        const Value by = given.size() == 2 ? given[1] : Value::of(Kind::I32, 1);
        return given[0].kind == Kind::Pointer ? host::applied(name == "next" ? Arithmetic::Add : Arithmetic::Subtract, given[0], by) : Value::unknown(Kind::Pointer);
    }
    if (name == "advance" && node.kids.size() == 2) {
        const Place at = place(*node.kids[0]);
        const Value moved = host::applied(Arithmetic::Add, at.value(), value(*node.kids[1]));
        if (at.thing)
            at.set(moved);
        return Value {};
    }
    if (isAmong(name, { "make_pair", "make_tuple", "tie" })) {
        std::vector<Value> values = argumentValues(node.kids);
        std::vector<const Type*> parts;
        for (const Value& part : values) {
            const Type* type = typeOf(part);
            parts.push_back(type ? type : intern({}));
        }
        return construct(*tupleOf(std::move(parts), ""), std::move(values), false);
    }
    if (name.starts_with("make_") && name.size() > 6 && !componentOf(name.substr(5)).empty()) { // make_float4
        const TypeName of { .name = std::string(name.substr(5)) };
        node.made = resolve(of);
        return construct(*node.made, argumentValues(node.kids), false);
    }
    if (isAmong(name, { "make_unique", "make_shared" }) && node.types.size() == 1) {
        const Type* type = resolve(node.types[0]);
        const std::vector<Value> arguments = argumentValues(node.kids);
        if (type->isPlain() && arguments.size() == 1 && isInteger(arguments[0].kind))
            return Value::pointer(newThing(nullptr, type, arguments[0].isKnown ? arguments[0].asInteger() : -1, initial(*type)), 0);
        return temporary(construct(*type, arguments, false)).pointer();
    }
    return std::nullopt;
}

std::optional<Value> Run::callMathematics(std::string_view name, const Node& node)
{
    if (node.kids.size() == 1 && (makesHalf(name) || readsHalf(name))) {
        argumentValues(node.kids); // for what they do
        return Value::unknown(makesHalf(name) ? Kind::F16 : Kind::F32);
    }
    const Mathematics known = mathematics(name, node.kids.size());
    if (!known.ofOne && !known.ofTwo)
        return std::nullopt;
    const std::vector<Value> arguments = argumentValues(node.kids);
    const bool areFloats = std::ranges::all_of(arguments, [](const Value& value) { return value.kind == Kind::F32; });
    const Kind kind = known.isOfFloat || areFloats ? Kind::F32 : Kind::F64;
    if (!std::ranges::all_of(arguments, [](const Value& value) { return value.isKnown && isNumber(value.kind); }))
        return Value::unknown(kind);
    const auto real = [&](std::size_t i) { return kind == Kind::F32 ? double(float(arguments[i].asReal())) : arguments[i].asReal(); };
    return Value::ofReal(kind, known.ofOne ? known.ofOne(real(0)) : known.ofTwo(real(0), real(1)));
}

/// As callLibrary().
std::optional<Value> Run::callContainer(std::string_view name, Thing& object, const Node& node)
{
    using Family = std::optional<Value> (Run::*)(std::string_view, Thing&, const Node&);
    static constexpr std::array<Family, 6> kFamilies { &Run::callString, &Run::askContainer, &Run::appendTo, &Run::elementAsked, &Run::resizeContainer, &Run::changeContainer };
    const Handle held(&object);
    if (object.type && (object.type->shape == Type::Shape::Engine || object.type->shape == Type::Shape::Distribution))
        return callEngine(name, object, node);
    if (!object.element)
        return std::nullopt;
    if (object.type && object.type->name == "priority_queue")
        if (auto known = callQueue(name, object, node))
            return known;
    if (object.type && object.type->name.ends_with("set"))
        if (auto known = callSet(name, object, node))
            return known;
    if (node.family >= 0)
        if (auto known = (this->*kFamilies[std::size_t(node.family)])(name, object, node))
            return known;
    for (std::size_t i = 0; i < kFamilies.size(); ++i)
        if (auto known = (this->*kFamilies[i])(name, object, node)) {
            node.family = int(i);
            return known;
        }
    return std::nullopt;
}

std::optional<Value> Run::callEngine(std::string_view name, Thing& object, const Node& node)
{
    if (name == "seed" && node.kids.size() == 2) {
        const Value seeded = construct(*object.type, { value(*node.kids[1]) }, false);
        object.engine = seeded.thing->engine;
        return Value {};
    }
    return name == "reset" || name == "discard" ? std::optional(Value {}) : std::nullopt;
}

/// How many it holds, and where.
std::optional<Value> Run::askContainer(std::string_view name, Thing& object, const Node&)
{
    const Handle held(&object);
    if (object.isUnknown && isAmong(name, { "size", "length" }))
        return Value::unknown(Kind::U64);
    const auto size = std::int64_t(object.size());
    if (name == "size" || name == "length")
        return Value::of(Kind::U64, size);
    if (name == "empty")
        return object.isUnknown ? Value::unknown(Kind::Bool) : Value::of(Kind::Bool, size == 0);
    if (isUnordered(object) && isAmong(name, { "begin", "cbegin" })) // what follows it, nobody knows
        return Value::unknown(Kind::Pointer);
    if (name == "data" || name == "begin" || name == "cbegin")
        return Value::pointer(held, 0);
    if (name == "end" || name == "cend")
        return object.isUnknown ? Value::unknown(Kind::Pointer) : Value::pointer(held, size);
    return std::nullopt;
}

std::optional<Value> Run::elementAsked(std::string_view name, Thing& object, const Node& node)
{
    const Handle held(&object);
    const std::size_t count = node.kids.size() - 1;
    const auto argument = [&](std::size_t i) { return i < count ? value(*node.kids[i + 1]) : Value {}; };
    const auto size = std::int64_t(object.size());
    if (name == "front" || name == "back" || name == "top" || name == "at") {
        const Value index = name == "at" ? argument(0) : Value::of(Kind::I64, name == "front" ? 0 : size - 1);
        if (!index.isKnown || object.isUnknown)
            return Value::unknown(object.element->kind);
        m_returnedPlace = { held, index.integer };
        return object.at(index.integer);
    }
    return std::nullopt;
}

std::optional<Value> Run::resizeContainer(std::string_view name, Thing& object, const Node& node)
{
    const std::size_t count = node.kids.size() - 1;
    const auto argument = [&](std::size_t i) { return i < count ? value(*node.kids[i + 1]) : Value {}; };
    const auto size = std::int64_t(object.size());
    if (isUnordered(object))
        object.number = kNoOrder;
    if (name == "reserve" || name == "shrink_to_fit")
        return Value {};
    if (name == "clear") {
        object.isUnknown = false;
        object.resize(0, {});
        object.unknown.clear();
        return Value {};
    }
    if (name == "assign" && count == 2) {
        const Value first = argument(0), second = argument(1);
        const Value made = construct(*object.type, { first, second }, false);
        object.bytes = std::move(made.thing->bytes);
        object.items = std::move(made.thing->items);
        object.unknown = std::move(made.thing->unknown);
        object.isUnknown = made.thing->isUnknown;
        return Value {};
    }
    if (name == "resize") {
        const Value to = argument(0), fill = count > 1 ? convert(argument(1), *object.element) : initial(*object.element);
        const bool isTooMuch = !to.isKnown || !isNumber(to.kind) || to.asInteger() < 0 || to.asInteger() > kMostBytes / (object.element->isStored() ? std::int64_t(object.element->stride) : std::int64_t(sizeof(Value)));
        if (isTooMuch) {
            object.forget();
            return Value {};
        }
        if (object.isUnknown && to.asInteger() == 0)
            object.isUnknown = false;
        if (object.isUnknown) { // what it holds is not known, but how many there are is
            object.isUnknown = false;
            object.resize(0, {});
            object.resize(std::size_t(to.asInteger()), fill);
            object.forget(true);
            return Value {};
        }
        m_steps += std::max<std::int64_t>(0, to.asInteger() - size) / 16;
        object.resize(std::size_t(to.asInteger()), fill);
        return Value {};
    }
    return std::nullopt;
}

std::optional<Value> Run::appendTo(std::string_view name, Thing& object, const Node& node)
{
    if (object.isUnknown)
        return std::nullopt;
    const std::size_t count = node.kids.size() - 1;
    const auto argument = [&](std::size_t i) { return i < count ? value(*node.kids[i + 1]) : Value {}; };
    const auto size = std::int64_t(object.size());
    const bool isOfQueue = object.type && isAmong(object.type->name, { "queue", "stack", "priority_queue" });
    if (isAmong(name, { "push_back", "emplace_back", "push" }) || (name == "emplace" && isOfQueue)) {
        Value item;
        if (name.starts_with("emplace") && (count != 1 || object.element->kind == Kind::Whole)) {
            std::vector<Value> made = argumentValues(node.kids, 1);
            const bool isSame = made.size() == 1 && made[0].kind == Kind::Whole;
            item = isSame ? convert(made[0], *object.element) : construct(*object.element, std::move(made), false);
        } else {
            item = convert(argument(0), *object.element);
        }
        if (object.hollow >= 0) {
            ++object.hollow;
        } else if (object.element->isStored()) {
            object.bytes.resize(object.bytes.size() + object.element->stride);
            if (!object.unknown.empty())
                object.unknown.push_back(false);
            object.set(size, item);
        } else {
            object.items.push_back(copied(item));
        }
        m_allocated += object.element->isStored() ? std::int64_t(object.element->stride) : std::int64_t(sizeof(Value));
        return Value {};
    }
    return std::nullopt;
}

std::optional<Value> Run::changeContainer(std::string_view name, Thing& object, const Node& node)
{
    if (object.isUnknown)
        return std::nullopt;
    const bool isQueue = object.type && object.type->name == "queue";
    const std::size_t count = node.kids.size() - 1;
    const auto argument = [&](std::size_t i) { return i < count ? value(*node.kids[i + 1]) : Value {}; };
    const auto size = std::int64_t(object.size());
    if (name == "pop_back" || (name == "pop" && !isQueue)) {
        if (size > 0)
            object.resize(std::size_t(size - 1), {});
        return Value {};
    }
    if (name == "pop" || name == "pop_front") {
        object.erase(0);
        m_steps += size / 64;
        return Value {};
    }
    if (name == "push_front" || name == "emplace_front") {
        std::vector<Value> given = argumentValues(node.kids, 1);
        object.insert(0, given.size() == 1 ? convert(given[0], *object.element) : construct(*object.element, std::move(given), false));
        m_steps += size / 64;
        return Value {};
    }
    if (name == "remove_if" && count == 1) {
        const Value isUnwanted = argument(0);
        std::int64_t kept = 0;
        for (std::int64_t i = 0; i < size && !isUp(); ++i) {
            const Value item = object.at(i), unwanted = callUser(isUnwanted, { item });
            if (!unwanted.isKnown)
                return std::nullopt;
            if (!unwanted.isTrue())
                object.set(kept++, item);
        }
        object.resize(std::size_t(kept), {});
        return Value {};
    }
    if (name == "fill" && count == 1) {
        const Value item = convert(argument(0), *object.element);
        for (std::int64_t i = 0; i < size && !isUp(); ++i)
            object.set(i, copied(item));
        return Value {};
    }
    if (name == "insert" && count == 3) {
        const Value at = argument(0), first = decayed(argument(1)), last = decayed(argument(2));
        if (isNumber(first.kind) && at.kind == Kind::Pointer && at.integer == size) { // so many of one value
            const std::int64_t more = first.isKnown ? first.asInteger() : -1;
            if (more < 0 || more > kMostBytes)
                return std::nullopt;
            object.resize(std::size_t(size + more), convert(last, *object.element));
            m_steps += more / 16;
            return Value {};
        }
        const auto range = rangeOf(first, last);
        if (!range || at.kind != Kind::Pointer || at.integer != size)
            return std::nullopt;
        for (std::int64_t i = range->first.integer; i < range->second.integer && !isUp(); ++i) {
            const Value item = copied(range->first.thing->at(i));
            object.resize(object.size() + 1, item);
        }
        return Value {};
    }
    if (name == "erase" && (count == 1 || count == 2)) {
        const Value first = argument(0), last = count == 2 ? argument(1) : host::applied(Arithmetic::Add, first, Value::of(Kind::I32, 1));
        const auto range = rangeOf(first, last);
        if (!range || range->first.thing.get() != &object)
            return std::nullopt;
        if (range->second.integer == size)
            object.resize(std::size_t(range->first.integer), {});
        for (std::int64_t i = range->first.integer; i < range->second.integer && range->second.integer < size; ++i)
            object.erase(range->first.integer);
        m_steps += (size - range->first.integer) / 64;
        return range->first;
    }
    if ((name == "insert" && count == 2) || (name == "emplace" && count > 0)) {
        std::vector<Value> given = argumentValues(node.kids, 1);
        const Value at = given[0], item = name == "insert" ? given[1] : construct(*object.element, { given.begin() + 1, given.end() }, false);
        if (at.kind != Kind::Pointer || !at.isKnown || at.thing.get() != &object)
            return std::nullopt;
        const bool areSeveral = isList(item) && object.element->isPlain(); // { 1, 2 }
        const std::vector<Value> items = areSeveral ? item.thing->items : std::vector<Value> { item };
        for (std::size_t i = 0; i < items.size(); ++i)
            object.insert(at.integer + std::int64_t(i), convert(items[i], *object.element));
        m_allocated += std::int64_t(sizeof(Value) * items.size());
        m_steps += (size - at.integer) / 64;
        return at;
    }
    if (name == "swap" && count == 1) {
        const Value other = value(*node.kids[1]);
        if (other.kind != Kind::Whole || !other.thing)
            return std::nullopt;
        std::swap(object.bytes, other.thing->bytes);
        std::swap(object.items, other.thing->items);
        std::swap(object.unknown, other.thing->unknown);
        std::swap(object.isUnknown, other.thing->isUnknown);
        return Value {};
    }
    return std::nullopt;
}

} // namespace coalescope::kernels::host
