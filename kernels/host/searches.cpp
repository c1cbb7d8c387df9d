// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>

/// Algorithms of the library that ask for something of each element.
namespace coalescope::kernels::host {

bool Run::isSearch(std::string_view name)
{
    return isAmong(name, { "count", "count_if", "all_of", "any_of", "none_of", "find", "find_if", "find_if_not", "for_each", "binary_search", "is_sorted", "minmax_element",
        "inner_product", "adjacent_difference", "replace", "replace_if", "remove", "remove_if", "copy_if", "rotate", "partition", "stable_partition" });
}

/// Of a range; `rest`: the other arguments. Nothing: it is not known.
std::optional<Value> Run::searched(std::string_view name, const Handle& list, std::int64_t first, std::int64_t last, const std::vector<Value>& rest)
{
    if (name == "for_each" && rest.size() == 1) {
        for (std::int64_t i = first; i < last && !isUp(); ++i)
            callObject(rest[0], { { .place = { list, i }, .alone = {} } });
        return Value {};
    }
    if (name == "binary_search" && !rest.empty()) {
        const Value comparison = rest.size() > 1 ? rest[1] : Value {}, at = searchRange(list, first, last, rest[0], comparison, true);
        if (!at.isKnown)
            return Value::unknown(Kind::Bool);
        const Value isBelow = at.integer < last ? isLess(rest[0], list->at(at.integer), comparison) : Value::of(Kind::Bool, 1);
        return isBelow.isKnown ? Value::of(Kind::Bool, !isBelow.isTrue()) : Value::unknown(Kind::Bool);
    }
    if (name == "is_sorted") {
        for (std::int64_t i = first + 1; i < last; ++i)
            if (const Value isBelow = isLess(list->at(i), list->at(i - 1), rest.empty() ? Value {} : rest[0]); !isBelow.isFalse() || isUp())
                return isBelow.isKnown && !isUp() ? Value::of(Kind::Bool, 0) : Value::unknown(Kind::Bool);
        return Value::of(Kind::Bool, 1);
    }
    if (name == "minmax_element") {
        const Value comparison = rest.empty() ? Value {} : rest[0];
        const Value least = arrangeRange("min_element", list, first, last, comparison), most = arrangeRange("max_element", list, first, last, comparison);
        return construct(*tupleOf({ pointerTo(list->element), pointerTo(list->element) }, ""), { least, most }, false);
    }
    if (name == "inner_product" && rest.size() == 2 && rest[0].kind == Kind::Pointer && rest[0].thing) {
        Value sum = rest[1];
        for (std::int64_t i = first; i < last && !isUp(); ++i)
            sum = host::converted(host::applied(Arithmetic::Add, sum, host::applied(Arithmetic::Multiply, list->at(i), rest[0].thing->at(rest[0].integer + i - first))), sum.kind);
        return sum;
    }
    if (name == "adjacent_difference" && rest.size() == 1 && rest[0].kind == Kind::Pointer && rest[0].thing) {
        Value before;
        for (std::int64_t i = first; i < last && !isUp(); ++i) {
            const Value item = list->at(i);
            rest[0].thing->set(rest[0].integer + i - first, i > first ? host::applied(Arithmetic::Subtract, item, before) : item);
            before = item;
        }
        return Value::pointer(rest[0].thing, rest[0].integer + last - first);
    }
    if (name.ends_with("partition") && rest.size() == 1)
        return partitioned(name, list, first, last, rest[0]);
    if (name == "rotate" || rest.empty() || isAmong(name, { "replace", "replace_if", "remove", "remove_if", "copy_if" }))
        return keptOf(name, list, first, last, rest);
    const bool isByValue = name == "count" || name == "find";
    const bool isAll = name == "all_of", isAny = name == "any_of", isNone = name == "none_of", isCount = name.starts_with("count");
    std::int64_t found = 0;
    for (std::int64_t i = first; i < last; ++i) {
        const Value item = list->at(i), holding = isByValue ? appliedToAny(Arithmetic::Equal, item, rest[0]) : callUser(rest[0], { item });
        if (!holding.isKnown || isUp())
            return Value::unknown(isCount ? Kind::I64 : isAll || isAny || isNone ? Kind::Bool : Kind::Pointer);
        const bool isMet = holding.isTrue() != (name == "find_if_not");
        found += isMet;
        if (isMet && (isAny || isNone))
            return Value::of(Kind::Bool, isAny);
        if (!isMet && isAll)
            return Value::of(Kind::Bool, 0);
        if (isMet && name.starts_with("find"))
            return Value::pointer(list, i);
    }
    return isCount ? Value::of(Kind::I64, found) : isAll || isAny || isNone ? Value::of(Kind::Bool, !isAny) : Value::pointer(list, last);
}

/// Those that meet the condition first, in the order of the library's.
std::optional<Value> Run::partitioned(std::string_view name, const Handle& list, std::int64_t first, std::int64_t last, const Value& condition)
{
    std::vector<std::pair<Value, bool>> items;
    for (std::int64_t i = first; i < last; ++i) {
        const Value item = copied(list->at(i)), isMet = callUser(condition, { item });
        if (!isMet.isKnown || isUp())
            return std::nullopt;
        items.emplace_back(item, isMet.isTrue());
    }
    const auto isMet = [](const std::pair<Value, bool>& item) { return item.second; };
    const auto middle = name == "partition" ? std::partition(items.begin(), items.end(), isMet) : std::stable_partition(items.begin(), items.end(), isMet);
    for (std::size_t i = 0; i < items.size(); ++i)
        list->set(first + std::int64_t(i), items[i].first);
    return Value::pointer(list, first + (middle - items.begin()));
}

/// std::erase(list, value) and std::erase_if(list, condition): how many. Nothing: it is neither.
std::optional<Value> Run::erased(std::string_view name, const Node& node)
{
    if (!isAmong(name, { "erase", "erase_if" }) || node.kids.size() != 2)
        return std::nullopt;
    const Value container = value(*node.kids[0]), wanted = value(*node.kids[1]);
    const bool isContainer = container.kind == Kind::Whole && container.thing && container.thing->element && !container.thing->isUnknown;
    std::int64_t kept = 0;
    const std::int64_t size = isContainer ? std::int64_t(container.thing->size()) : 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const Value item = copied(container.thing->at(i)), isMet = name == "erase" ? appliedToAny(Arithmetic::Equal, item, wanted) : callUser(wanted, { item });
        if (!isMet.isKnown || isUp()) {
            container.thing->forget();
            return Value {};
        }
        if (!isMet.isTrue())
            container.thing->set(kept++, item);
    }
    if (!isContainer)
        return Value {};
    container.thing->resize(std::size_t(kept), {});
    container.thing->number = isUnordered(*container.thing) ? kNoOrder : container.thing->number;
    return Value::of(Kind::U64, size - kept);
}

/// What chooses some of the elements, and puts them elsewhere.
std::optional<Value> Run::keptOf(std::string_view name, const Handle& list, std::int64_t first, std::int64_t last, const std::vector<Value>& rest)
{
    if (rest.empty())
        return std::nullopt;
    if (name == "rotate") { // what stood between the arguments is the range: its middle is the last of them
        const auto range = rangeOf(Value::pointer(list, last), rest[0]);
        if (!range || !list->element)
            return std::nullopt;
        std::vector<Value> items;
        for (std::int64_t i = first; i < rest[0].integer && !isUp(); ++i)
            items.push_back(copied(list->at(i)));
        if (std::int64_t(items.size()) != rest[0].integer - first)
            return std::nullopt;
        std::ranges::rotate(items, items.begin() + (last - first));
        for (std::int64_t i = first; i < rest[0].integer; ++i)
            list->set(i, items[std::size_t(i - first)]);
        return Value::pointer(list, first + rest[0].integer - last);
    }
    const bool isCopy = name == "copy_if", isReplaced = name.starts_with("replace"), isByValue = !name.ends_with("_if");
    if ((isCopy || isReplaced) && rest.size() != 2)
        return std::nullopt;
    const Handle to = isCopy ? rest[0].thing : list;
    std::int64_t kept = isCopy ? rest[0].integer : first;
    if (!to || (isCopy && rest[0].kind != Kind::Pointer) || to->isUnknown)
        return std::nullopt;
    for (std::int64_t i = first; i < last; ++i) {
        const Value item = copied(list->at(i));
        const Value holding = isByValue ? appliedToAny(Arithmetic::Equal, item, rest[0]) : callUser(rest[isCopy ? 1 : 0], { item });
        if (!holding.isKnown || isUp())
            return std::nullopt;
        if (isReplaced && holding.isTrue())
            list->set(i, copied(rest[1]));
        else if (!isReplaced && holding.isTrue() == isCopy)
            to->set(kept++, item);
    }
    return isReplaced ? Value {} : Value::pointer(to, kept);
}

} // namespace coalescope::kernels::host
