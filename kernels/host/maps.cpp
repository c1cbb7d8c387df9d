// SPDX-License-Identifier: Apache-2.0
// Maps by texts or numbers: lists of pairs.
#include "kernels/host/run.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <ranges>

namespace coalescope::kernels::host {
namespace {

constexpr std::size_t kMovedInAStep = 8; ///< pairs, where one is put in before them

constexpr std::string_view kPair = "entry"; ///< the name of a pair's type: pairs are kept as values

} // namespace

bool Run::isMap(const Value& value)
{
    const Type* const type = value.kind == Kind::Whole && value.thing ? value.thing->type : nullptr;
    return type && type->shape == Type::Shape::Vector && type->name.ends_with("map");
}

/// Null: it is none.
const Type* Run::mapOf(const TypeName& name)
{
    if (!isAmong(name.name, { "map", "unordered_map" }) || name.arguments.size() < 2)
        return nullptr;
    Type type { .shape = Type::Shape::Vector, .kind = Kind::Whole, .element = tupleOf({ resolve(name.arguments[0]), resolve(name.arguments[1]) }, std::string(kPair)) };
    type.name = name.name;
    return intern(std::move(type));
}

/// Where a known key's pair stands, or would.
std::int64_t Run::placeInOrder(const Thing& map, const Value& key)
{
    const auto isBefore = [&](const Value& pair) { return isKnownKey(pair.thing->items[0]) && keysCompared(Arithmetic::Less, pair.thing->items[0], key); };
    m_steps += std::bit_width(map.items.size());
    return std::ranges::partition_point(map.items, isBefore) - map.items.begin();
}

/// The pair of a key; behind the last one: it has none, or nobody knows which it is.
std::int64_t Run::indexInMap(const Thing& map, const Value& key)
{
    const auto none = std::int64_t(map.items.size());
    const std::int64_t at = isKnownKey(key) ? placeInOrder(map, key) : none;
    return at < none && keysCompared(Arithmetic::Equal, key, map.items[std::size_t(at)].thing->items[0]) ? at : none;
}

/// False where one of them is not known.
bool Run::keysCompared(Arithmetic comparison, const Value& a, const Value& b)
{
    if (a.kind == b.kind && isInteger(a.kind)) // most of them, and often
        return a.isKnown && b.isKnown && (a.kind == Kind::U64 ? compared(comparison, std::uint64_t(a.integer), std::uint64_t(b.integer)) : compared(comparison, a.integer, b.integer));
    return appliedToAny(comparison, a, b).isTrue();
}

/// A number, a text, or made of these.
bool Run::isKnownKey(const Value& key)
{
    const bool isOfParts = key.kind == Kind::Whole && key.thing && key.thing->type && !key.thing->isUnknown && !key.thing->type->isString() && key.thing->type->shape != Type::Shape::Vector;
    if (!isOfParts)
        return isNumber(key.kind) ? key.isKnown : textOf(key).has_value();
    for (std::int64_t i = 0; i < std::int64_t(key.thing->size()); ++i)
        if (!isKnownKey(key.thing->at(i)))
            return false;
    return true;
}

/// In the order of a map's keys. Nobody knows which an unknown one is: it is another one, behind all that are known.
std::int64_t Run::putIntoMap(Thing& map, const Value& key, const Value& held)
{
    if (const std::int64_t known = indexInMap(map, key); known < std::int64_t(map.items.size()))
        return known;
    Value pair = construct(*map.element, { key, held }, false);
    const std::int64_t at = isKnownKey(key) ? placeInOrder(map, key) : std::int64_t(map.items.size());
    m_steps += (std::int64_t(map.items.size()) - at) / std::int64_t(kMovedInAStep);
    m_allocated += std::int64_t(sizeof(Value));
    if (map.number != kNoOrder)
        pair.thing->number = map.number++;
    map.items.insert(map.items.begin() + at, std::move(pair));
    return at;
}

bool Run::isAny(const Value& value) { return value.kind == Kind::Function && value.thing && !value.thing->code && !value.thing->type; }

/// Whether a key is at one place or at none.
bool Run::isKnownIn(const Thing& map, const Value& key)
{
    return isKnownKey(key) && (map.items.empty() || isKnownKey(map.items.back().thing->items[0]));
}

/// One of its functions, nobody knows which. Of objects: nobody knows what it is.
Value Run::anyOf(const Thing& map)
{
    if (map.element->parts[1]->shape != Type::Shape::Other)
        return {};
    Value any { .kind = Kind::Function, .isKnown = true };
    any.thing = Handle(new Thing);
    for (const Value& pair : map.items)
        if (pair.thing->items[1].kind == Kind::Function && !isAny(pair.thing->items[1]))
            any.thing->items.push_back(pair.thing->items[1]);
    return any;
}

/// map[key], which puts it in.
Run::Place Run::placeInMap(const Handle& map, const Value& key)
{
    if (map->isUnknown)
        return {};
    const Value held = convert(key, *map->element->parts[0]);
    const bool isKnown = isKnownIn(*map, held);
    if (!isKnown && map->element->parts[1]->shape != Type::Shape::Other) {
        map->forget();
        return {};
    }
    const auto isAnyAlready = [](const Value& pair) { return isAny(pair.thing->items[1]); };
    if (const auto any = isKnown ? map->items.end() : std::ranges::find_if(map->items, isAnyAlready); any != map->items.end()) {
        any->thing->items[1] = anyOf(*map);
        return { any->thing, 1 };
    }
    const std::int64_t at = putIntoMap(*map, isKnown ? held : Value {}, isKnown ? initial(*map->element->parts[1]) : anyOf(*map));
    return { map->items[std::size_t(at)].thing, 1 };
}

/// In which a std::unordered_map goes through its pairs: libstdc++ is asked, whose order depends on that in which they were put in.
/// Nothing: nobody knows.
std::optional<std::vector<std::int64_t>> Run::orderOf(const Thing& list)
{
    if (list.type->name != "unordered_map" || list.number == kNoOrder)
        return std::nullopt;
    std::vector<std::int64_t> places(list.items.size());
    std::iota(places.begin(), places.end(), std::int64_t(0));
    const auto pairAt = [&](std::int64_t place) -> const Thing& { return *list.items[std::size_t(place)].thing; };
    std::ranges::sort(places, {}, [&](std::int64_t place) { return pairAt(place).number; });
    m_steps += std::int64_t(places.size());
    std::unordered_map<std::int64_t, std::int64_t> byNumber;
    std::unordered_map<std::string, std::int64_t> byText;
    for (const std::int64_t place : places) {
        const Value& key = pairAt(place).items[0];
        const auto text = isInteger(key.kind) ? std::nullopt : textOf(key);
        if (isInteger(key.kind) && key.isKnown)
            byNumber.emplace(key.integer, place);
        else if (text)
            byText.emplace(*text, place);
        else
            return std::nullopt;
    }
    std::ranges::copy(byNumber | std::views::values, places.begin());
    std::ranges::copy(byText | std::views::values, places.begin() + std::ptrdiff_t(byNumber.size()));
    return places;
}

/// What tells where an insertion has put something, and whether it is new there. `isNew` nothing: nobody knows.
Value Run::insertionOf(const Handle& list, std::int64_t at, std::optional<bool> isNew)
{
    const Value tells = isNew ? Value::of(Kind::Bool, *isNew) : Value::unknown(Kind::Bool);
    return construct(*tupleOf({ pointerTo(list->element), plain(Kind::Bool) }, ""), { Value::pointer(list, at), tells }, false);
}

/// insert(), emplace() and their kin: a key and what its value is made of, or a pair of both.
Value Run::insertIntoMap(std::string_view name, const Handle& map, std::vector<Value> entry)
{
    const Value pair = entry[0];
    if (entry.size() == 1 && pair.kind == Kind::Whole && pair.thing && pair.thing->items.size() == 2) // insert({ key, function })
        entry = std::vector<Value>(pair.thing->items);
    const std::vector<const Type*>& types = map->element->parts;
    const Value asked = convert(entry[0], *types[0]);
    const bool isKnown = isKnownIn(*map, asked);
    if (!isKnown && types[1]->shape != Type::Shape::Other) { // how many it holds, nobody knows either
        map->forget();
        return {};
    }
    const Value key = isKnown ? asked : Value {};
    const std::size_t before = map->items.size();
    const Value held = entry.size() == 2 ? entry[1] : construct(*types[1], { entry.begin() + 1, entry.end() }, false);
    const std::int64_t at = putIntoMap(*map, key, held);
    const bool isNew = map->items.size() > before;
    if (name == "insert_or_assign" && !isNew)
        map->items[std::size_t(at)].thing->items[1] = convert(held, *types[1]);
    return insertionOf(map, at, isKnown ? std::optional(isNew) : std::nullopt);
}

/// insert(first, last), of a map or a set
void Run::insertRange(const Handle& list, const std::pair<Value, Value>& range)
{
    const bool isOfPairs = isMap(Value::whole(list)), isUnique = !list->type->name.ends_with("multiset");
    for (std::int64_t i = range.first.integer; i < range.second.integer && !list->isUnknown && !isUp(); ++i) {
        if (isOfPairs) {
            insertIntoMap("insert", list, { range.first.thing->at(i) });
            continue;
        }
        const Value item = convert(copied(range.first.thing->at(i)), *list->element);
        const auto place = placeInSet(*list, item);
        if (!place)
            list->forget(); // how many it holds, nobody knows either
        else if (!place->second || !isUnique)
            list->insert(place->first, item);
        m_steps += std::int64_t(list->size()) / 64;
        m_allocated += std::int64_t(sizeof(Value));
    }
}

std::optional<Value> Run::callMap(std::string_view name, Thing& map, const Node& node)
{
    const Handle held(&map);
    const std::size_t count = node.kids.size() - 1;
    if (map.isUnknown || count == 0)
        return std::nullopt;
    const std::vector<Value> given = argumentValues(node.kids, 1);
    if (const auto range = name == "insert" && count == 2 ? rangeOf(given[0], given[1]) : std::nullopt) {
        insertRange(held, *range);
        return Value {};
    }
    if (isAmong(name, { "emplace", "try_emplace", "insert", "insert_or_assign" }))
        return insertIntoMap(name, held, given);
    if (count != 1)
        return std::nullopt;
    if (name == "erase" && given[0].kind == Kind::Pointer && given[0].thing.get() == &map) {
        map.erase(given[0].integer);
        map.number = kNoOrder;
        return given[0];
    }
    const Value asked = convert(given[0], *map.element->parts[0]), key = isKnownIn(map, asked) ? asked : Value {};
    const std::int64_t at = indexInMap(map, key);
    const bool isThere = at < std::int64_t(map.items.size());
    if (name == "erase" && isKnownKey(key)) {
        if (isThere)
            map.items.erase(map.items.begin() + at);
        map.number = kNoOrder;
        return Value::of(Kind::U64, isThere);
    }
    if (isAmong(name, { "at", "find" }) && !isKnownKey(key) && map.element->parts[1]->shape != Type::Shape::Other) {
        map.forget();
        return Value {};
    }
    if (name == "at") {
        if (isThere)
            m_returnedPlace = { map.items[std::size_t(at)].thing, 1 };
        return isThere ? m_returnedPlace.value() : isKnownKey(key) ? Value {} : anyOf(map);
    }
    if (name == "find")
        return isKnownKey(key) ? Value::pointer(held, at) : temporary(construct(*map.element, { key, anyOf(map) }, false)).pointer();
    if (name == "count" || name == "contains")
        return isKnownKey(key) ? Value::of(name == "count" ? Kind::U64 : Kind::Bool, isThere) : Value::unknown(Kind::Bool);
    return std::nullopt;
}

/// Where a set holds the value, or would, and whether it does; nothing: nobody knows.
std::optional<std::pair<std::int64_t, bool>> Run::placeInSet(const Thing& set, const Value& item)
{
    std::int64_t first = 0, last = std::int64_t(set.size());
    while (first < last) {
        const std::int64_t middle = first + (last - first) / 2;
        const Value less = isLess(set.at(middle), item, {});
        if (!less.isKnown)
            return std::nullopt;
        (less.isTrue() ? first : last) = less.isTrue() ? middle + 1 : middle;
        ++m_steps;
    }
    const Value isBehind = first < std::int64_t(set.size()) ? isLess(item, set.at(first), {}) : Value::of(Kind::Bool, 1);
    return isBehind.isKnown ? std::optional(std::pair(first, !isBehind.isTrue())) : std::nullopt;
}

/// Of a std::set or its kin: a list in their order.
std::optional<Value> Run::callSet(std::string_view name, Thing& set, const Node& node)
{
    const Handle held(&set);
    const bool isInsertion = name == "insert" || name == "emplace", isUnique = !set.type->name.ends_with("multiset");
    const auto insert = [&](const Value& given) -> std::optional<std::pair<std::int64_t, bool>> {
        const Value item = convert(given, *set.element);
        const auto place = placeInSet(set, item);
        const bool isNew = place && !(place->second && isUnique);
        if (isNew) {
            set.insert(place->first, item);
            m_steps += std::int64_t(set.size()) / 64;
            m_allocated += std::int64_t(sizeof(Value));
        }
        return place ? std::optional(std::pair(place->first, isNew)) : std::nullopt;
    };
    if (set.isUnknown || !(isInsertion || isAmong(name, { "count", "contains", "find", "erase", "lower_bound", "upper_bound" })))
        return std::nullopt;
    if (name == "insert" && node.kids.size() == 3) {
        const Value first = decayed(value(*node.kids[1])), last = decayed(value(*node.kids[2]));
        const auto range = rangeOf(first, last);
        if (range)
            insertRange(held, *range);
        return range ? std::optional(Value {}) : std::nullopt;
    }
    const bool isMade = name == "emplace" && node.kids.size() != 2;
    if (node.kids.size() != 2 && !isMade)
        return std::nullopt;
    const Value given = isMade ? construct(*set.element, argumentValues(node.kids, 1), false) : value(*node.kids[1]);
    if (given.kind == Kind::Pointer && set.element->kind != Kind::Pointer) // an iterator
        return std::nullopt;
    if (isInsertion) {
        const auto made = insert(given);
        return made ? std::optional(insertionOf(held, made->first, made->second)) : std::nullopt;
    }
    const auto place = placeInSet(set, convert(given, *set.element));
    if (!place)
        return std::nullopt;
    const auto [at, isThere] = *place;
    if (name == "upper_bound")
        return isUnique ? std::optional(Value::pointer(held, at + isThere)) : std::nullopt;
    if (name == "lower_bound" || name == "find")
        return Value::pointer(held, name == "find" && !isThere ? std::int64_t(set.size()) : at);
    if (!isUnique)
        return std::nullopt;
    if (name == "erase" && isThere)
        set.erase(at);
    return Value::of(name == "contains" ? Kind::Bool : Kind::U64, isThere);
}

} // namespace coalescope::kernels::host
