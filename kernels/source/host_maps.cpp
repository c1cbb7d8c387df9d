// SPDX-License-Identifier: Apache-2.0
// Maps of functions and objects, by names or numbers, and what is one of several.
#include "kernels/source/host_reader.h"

#include <algorithm>
#include <utility>

namespace coalescope::kernels {

/// Not of numbers: what these become later is not followed.
bool HostReader::isFollowedMap(const HostType& type) const
{
    if ((type.name != "map" && type.name != "unordered_map") || type.arguments.size() < 2)
        return false;
    HostType held = typeOfText(type.arguments[1]);
    if ((held.name == "unique_ptr" || held.name == "shared_ptr") && !held.arguments.empty())
        held = typeOfText(held.arguments[0]);
    held.name.resize(held.name.find_last_not_of('*') + 1);
    return type.arguments[1].find('(') != std::string::npos || m_program.classNamed(held.name);
}

/// Empty: nobody knows it, as that of a variable.
std::string HostReader::keyOf(const HostValue& value)
{
    return value.isNumber() ? std::to_string(value.number.asInteger()) : value.place.name.empty() ? value.key : "";
}

/// Where a key has been put, in the order of a map's keys. One that nobody knows is another one, unless what it has is not known either.
std::size_t HostReader::putInto(HostValue& map, const HostValue& key, HostValue item, bool replaces)
{
    item.key = keyOf(key);
    item.place = {};
    const auto isIt = [&](const HostValue& other) { return other.key == item.key && (!other.key.empty() || !other.items.empty()); };
    const auto known = std::ranges::find_if(map.items, isIt);
    const auto at = std::size_t(known - map.items.begin());
    if (known != map.items.end()) {
        if (replaces || item.key.empty())
            *known = std::move(item);
        return at;
    }
    const auto isBehind = [&](const HostValue& other) { return key.isNumber() ? std::atoll(other.key.c_str()) > key.number.asInteger() : other.key > item.key; };
    const auto place = map.items.insert(std::ranges::find_if(map.items, isBehind), std::move(item));
    return std::size_t(place - map.items.begin());
}

/// Made of { { "a", f }, { "b", g } }, or of what stands in its brackets.
HostValue HostReader::mapOfType(const HostType& type, const std::vector<HostValue>& arguments)
{
    if (arguments.size() == 1 && arguments[0].isMap)
        return arguments[0];
    HostValue map { .kind = HostKind::List };
    map.isMap = true;
    map.type = type.arguments[1];
    const bool isOfLists = arguments.size() == 1 && !arguments[0].items.empty() && arguments[0].items[0].kind == HostKind::List;
    for (const HostValue& entry : isOfLists ? arguments[0].items : arguments)
        if (entry.items.size() == 2 && map.items.size() < kMostItems)
            putInto(map, entry.items[0], itemMade(map, entry.items[1]), false);
    return map;
}

/// One of those whose key may be this one, nobody knows which.
HostValue HostReader::anyOf(const HostValue& map, const std::string& key)
{
    HostValue any;
    for (const HostValue& item : map.items) {
        const bool isOne = (item.kind == HostKind::Object || (item.kind == HostKind::Function && item.function)) && item.items.empty();
        if (!isOne || (!key.empty() && !item.key.empty()))
            continue;
        if (any.kind == HostKind::Unknown)
            any = item;
        else
            any.items.push_back(item);
    }
    any.place = {};
    return any;
}

/// { 1, 2 } becomes an object.
HostValue HostReader::itemMade(const HostValue& map, HostValue item)
{
    const HostType type = typeOfText(map.type);
    return item.isBraced && m_program.classNamed(type.name) ? valueOfType(type, { std::move(item) }) : item;
}

HostValue HostReader::pairOf(HostValue item)
{
    HostValue pair { .kind = HostKind::List }, first;
    first.key = item.key;
    pair.number = Symbolic::ofInteger(2);
    pair.items = { std::move(first), std::move(item) };
    return pair;
}

/// map[key], which puts it in.
HostValue HostReader::itemOfMap(const HostValue& map, const HostValue& key)
{
    HostValue* const stored = map.place.scope && map.place.component < 0 ? &map.place.scope->values[map.place.name] : nullptr;
    const std::string name = keyOf(key);
    HostValue made = anyOf(map, name);
    if (!stored || !stored->isMap || m_muted || stored->items.size() >= kMostItems)
        return made;
    if (made.kind == HostKind::Unknown && m_program.classNamed(typeOfText(map.type).name))
        made = valueOfType(typeOfText(map.type), {});
    const std::size_t at = putInto(*stored, key, std::move(made), false);
    HostValue value = stored->items[at];
    value.place = map.place;
    value.place.component = int(at);
    return value;
}

HostValue HostReader::callMemberOfMap(const HostValue& map, const std::string& name, const std::vector<HostValue>& arguments)
{
    HostValue* const stored = map.place.scope && map.place.component < 0 && !m_muted ? &map.place.scope->values[map.place.name] : nullptr;
    if ((name == "at" || name == "find") && arguments.size() == 1) {
        const std::string key = keyOf(arguments[0]);
        const auto known = std::ranges::find(map.items, key, &HostValue::key);
        HostValue item = key.empty() || known == map.items.end() ? anyOf(map, key) : *known;
        return name == "at" ? item : pairOf(std::move(item));
    }
    const bool isPair = arguments.size() == 1 && arguments[0].items.size() == 2;
    const std::vector<HostValue>& entry = isPair ? arguments[0].items : arguments;
    const bool puts = isOneOf(name, std::array<std::string_view, 4> { "emplace", "try_emplace", "insert", "insert_or_assign" });
    if (puts && entry.size() == 2 && stored && stored->isMap && stored->items.size() < kMostItems)
        putInto(*stored, entry[0], itemMade(map, entry[1]), name == "insert_or_assign");
    if (name == "erase" && arguments.size() == 1 && stored && !keyOf(arguments[0]).empty())
        std::erase_if(stored->items, [&](const HostValue& item) { return item.key == keyOf(arguments[0]); });
    if (name == "clear" && stored)
        stored->items.clear();
    return {};
}

/// What may be one of several is read as each of them. By value: what is read may assign to where it stands.
HostValue HostReader::callFunction(HostValue function, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate)
{
    HostValue made = call(*function.function, arguments, ofTemplate, function.scope);
    for (const HostValue& other : function.items)
        if (other.function)
            call(*other.function, arguments, ofTemplate, other.scope);
    return function.items.empty() ? made : HostValue {};
}

} // namespace coalescope::kernels
