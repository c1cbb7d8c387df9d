// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/engine.h"
#include "kernels/host/run.h"

#include <algorithm>
#include <cstring>

namespace coalescope::kernels::host {

namespace {

bool isSorting(std::string_view name)
{
    return isAmong(name, { "sort", "stable_sort", "nth_element", "partial_sort", "make_heap", "push_heap", "pop_heap", "sort_heap", "next_permutation", "prev_permutation" });
}

} // namespace

/// Both within one array, the first not behind the last.
std::optional<std::pair<Value, Value>> Run::rangeOf(const Value& first, const Value& last) const
{
    const bool isRange = first.kind == Kind::Pointer && last.kind == Kind::Pointer && first.isKnown && last.isKnown && first.thing && first.thing.get() == last.thing.get()
        && !first.thing->isUnknown && first.integer >= 0 && first.integer <= last.integer && last.integer <= std::int64_t(first.thing->size());
    return isRange ? std::optional(std::pair(first, last)) : std::nullopt;
}

/// std::sort(v.rbegin(), v.rend()); nothing: it is none.
std::optional<Value> Run::sortedBackwards(std::string_view name, const Node& node)
{
    const auto asks = [&](std::size_t i, std::string_view what) { return node.kids[i]->op == Op::CallMember && node.kids[i]->name == what && node.kids[i]->kids.size() == 1 && stands(*node.kids[i]->kids[0]); };
    if (!isAmong(name, { "sort", "stable_sort" }) || node.kids.size() < 2 || node.kids.size() > 3 || !asks(0, "rbegin") || !asks(1, "rend"))
        return std::nullopt;
    const Value list = value(*node.kids[0]->kids[0]);
    if (list.kind != Kind::Whole || !list.thing || !list.thing->element || list.thing->isUnknown)
        return Value {};
    const Value comparison = node.kids.size() == 3 ? value(*node.kids[2]) : Value {};
    const auto last = std::int64_t(list.thing->size());
    const bool isTurned = arrangeRange("reverse", list.thing, 0, last, {}).kind == Kind::None;
    sortRange(name, list.thing, 0, last, last, comparison, {});
    if (isTurned)
        arrangeRange("reverse", list.thing, 0, last, {});
    return Value {};
}

std::optional<Value> Run::callAlgorithm(std::string_view name, const Node& node)
{
    if (auto left = erased(name, node))
        return left;
    if (const auto done = sortedBackwards(name, node))
        return done;
    const bool hasMiddle = isAmong(name, { "nth_element", "partial_sort" });
    const bool isKnown = isSearch(name) || isSorting(name) || isAmong(name, { "fill", "fill_n", "iota", "sequence", "copy", "copy_n", "reverse", "shuffle", "swap", "iter_swap", "accumulate", "reduce", "partial_sum", "inclusive_scan",
        "exclusive_scan", "generate", "generate_n", "max_element", "min_element", "lower_bound", "upper_bound", "unique", "begin", "end", "size", "distance", "transform" });
    if (!isKnown || node.kids.empty())
        return std::nullopt;
    const std::size_t count = node.kids.size();
    if (name == "swap" && count == 2) {
        const Place first = place(*node.kids[0]), second = place(*node.kids[1]);
        const Value a = copied(first.value()), b = copied(second.value());
        if (!first.thing || !second.thing)
            return std::nullopt;
        first.set(b);
        second.set(a);
        return Value {};
    }
    std::vector<Value> arguments;
    Handle appendedTo; // std::back_inserter(list)
    for (const Node* kid : node.kids) {
        const bool appends = kid->op == Op::Call && kid->name == "back_inserter" && kid->kids.size() == 1;
        arguments.push_back(value(appends ? *kid->kids[0] : *kid));
        if (!appends)
            continue;
        const Value grown = arguments.back();
        const bool isList = grown.kind == Kind::Whole && grown.thing && grown.thing->element && !grown.thing->isUnknown && grown.thing->hollow < 0;
        appendedTo = isList ? grown.thing : Handle {};
        arguments.back() = isList ? Value::pointer(grown.thing, std::int64_t(grown.thing->size())) : Value {};
    }
    const auto append = [&](std::int64_t items) {
        if (appendedTo && items > 0 && items < kMostBytes)
            appendedTo->resize(appendedTo->size() + std::size_t(items), initial(*appendedTo->element));
    };
    const bool isOfRanges = arguments[0].kind == Kind::Whole && arguments[0].thing && arguments[0].thing->element && !arguments[0].thing->isUnknown && !isAmong(name, { "begin", "end", "size" });
    if (isOfRanges && (arguments[0].thing->type == nullptr || arguments[0].thing->type->shape != Type::Shape::Array || count < 3)) { // std::ranges::sort(v)
        const Handle whole = arguments[0].thing;
        arguments[0] = Value::pointer(whole, 0);
        arguments.insert(arguments.begin() + (hasMiddle && count >= 2 ? 2 : 1), Value::pointer(whole, std::int64_t(whole->size())));
    }
    for (Value& argument : arguments) {
        argument = decayed(argument);
        if (argument.kind == Kind::Pointer && argument.thing && argument.thing->raw >= 0 && argument.points) // what has just been allocated
            giveType(*argument.thing, argument.points);
    }
    if (arguments[0].kind == Kind::Function || (arguments[0].kind != Kind::Pointer && count >= 3)) // thrust's policy
        arguments.erase(arguments.begin());
    if (name == "begin" || name == "end" || name == "size") {
        const Value& whole = arguments[0];
        const Handle list = whole.thing;
        if (!list || list->isUnknown)
            return Value {};
        return name == "begin" ? Value::pointer(list, 0) : name == "end" ? Value::pointer(list, std::int64_t(list->size())) : Value::of(Kind::U64, std::int64_t(list->size()));
    }
    const auto forgetAll = [&] {
        for (const Value& argument : arguments)
            if (argument.thing && argument.kind == Kind::Pointer)
                argument.thing->forget(true);
        return Value {};
    };
    const auto isElement = [](const Value& at) { return at.kind == Kind::Pointer && at.isKnown && at.thing && !at.thing->isUnknown; };
    if (name == "iter_swap" && arguments.size() == 2 && std::ranges::all_of(arguments, isElement)) {
        const Value first = copied(arguments[0].thing->at(arguments[0].integer));
        arguments[0].thing->set(arguments[0].integer, copied(arguments[1].thing->at(arguments[1].integer)));
        arguments[1].thing->set(arguments[1].integer, first);
        return Value {};
    }
    const bool isCounted = name == "fill_n" || name == "copy_n" || name == "generate_n";
    if (isCounted && arguments.size() == 3 && arguments[1].isKnown && arguments[0].kind == Kind::Pointer) { // as a range
        if (name != "copy_n")
            append(arguments[1].asInteger());
        const Value last = Value::pointer(arguments[0].thing, arguments[0].integer + arguments[1].asInteger());
        arguments = { arguments[0], last, arguments[2] };
    }
    const auto range = arguments.size() >= 2 ? rangeOf(arguments[0], arguments[1]) : std::nullopt;
    if (!range)
        return forgetAll();
    const Handle list = range->first.thing;
    const std::int64_t first = range->first.integer, last = range->second.integer;
    const auto argument = [&](std::size_t i) { return i < arguments.size() ? arguments[i] : Value {}; };
    const auto comparisonAt = [&](std::size_t i) { return isList(argument(i)) ? Value {} : argument(i); }; // {}: as if there were none
    if (name == "distance")
        return Value::of(Kind::I64, last - first);
    if (name == "fill" || name == "fill_n") {
        for (std::int64_t i = first; i < last && !isUp(); ++i)
            list->set(i, copied(argument(2)));
        return Value {};
    }
    if (name == "iota" || name == "sequence") {
        Value next = arguments.size() > 2 ? argument(2) : Value::of(Kind::I32, 0);
        for (std::int64_t i = first; i < last && !isUp(); ++i) {
            list->set(i, next);
            next = host::applied(Arithmetic::Add, next, Value::of(Kind::I32, 1));
        }
        return Value {};
    }
    if (name == "generate" || name == "generate_n") {
        const Value callee = argument(2);
        const bool isReal = list->element && kernels::host::isReal(list->element->kind);
        const std::int64_t steps = m_steps;
        for (std::int64_t i = first; i < last && !isUp(); ++i) {
            constexpr std::int64_t kShareOfReals = 75;
            if (isReal && m_steps - steps > m_options.steps / kShareOfReals) {
                list->forget(true);
                break;
            }
            list->set(i, callUser(callee, {}));
        }
        return Value {};
    }
    if (name == "copy" || name == "copy_n" || name == "transform") {
        const Value to = argument(2);
        if (to.kind != Kind::Pointer || !to.thing || to.thing->isUnknown)
            return forgetAll();
        if (name == "transform" && arguments.size() != 4)
            return forgetAll();
        Thing& target = *to.thing;
        append(last - first);
        const bool isOfBytes = name != "transform" && list->element && list->element == target.element && list->element->isStored() && list->unknown.empty() && list->hollow < 0 && target.hollow < 0;
        if (isOfBytes && first >= 0 && last <= std::int64_t(list->size()) && to.integer >= 0 && to.integer + last - first <= std::int64_t(target.size()) && first <= last) {
            const std::size_t width = list->element->stride;
            m_steps += (last - first) * std::int64_t(width) / 64;
            std::memmove(target.bytes.data() + std::size_t(to.integer) * width, list->bytes.data() + std::size_t(first) * width, std::size_t(last - first) * width);
            target.know(to.integer, to.integer + last - first);
            return Value::pointer(to.thing, to.integer + last - first);
        }
        for (std::int64_t i = first; i < last && !isUp(); ++i) {
            const Value item = copied(list->at(i));
            to.thing->set(to.integer + i - first, name == "transform" ? callUser(argument(3), { item }) : item);
        }
        return Value::pointer(to.thing, to.integer + last - first);
    }
    if (isSearch(name)) {
        const bool appends = appendedTo && name == "copy_if";
        if (appends)
            append(last - first);
        const auto found = searched(name, list, first, last, { arguments.begin() + 2, arguments.end() });
        if (found && appends && found->kind == Kind::Pointer)
            appendedTo->resize(std::size_t(found->integer), {});
        if (found)
            return *found;
    }
    if (hasMiddle) {
        const bool isWithin = argument(2).kind == Kind::Pointer && argument(2).thing.get() == list.get() && argument(2).integer >= last && argument(2).integer <= std::int64_t(list->size());
        return isWithin ? sortRange(name, list, first, last, argument(2).integer, comparisonAt(3), argument(4)) : forgetAll();
    }
    if (isSorting(name))
        return sortRange(name, list, first, last, last, comparisonAt(2), argument(3));
    if (isAmong(name, { "lower_bound", "upper_bound" }))
        return searchRange(list, first, last, argument(2), argument(3), name == "lower_bound");
    if (isAmong(name, { "unique", "max_element", "min_element", "reverse", "shuffle" }))
        return arrangeRange(name, list, first, last, argument(2));
    if (name == "accumulate" || name == "reduce") {
        Value sum = arguments.size() > 2 ? argument(2) : Value::of(Kind::I32, 0);
        for (std::int64_t i = first; i < last && !isUp(); ++i)
            sum = arguments.size() > 3 && argument(3).kind == Kind::Function ? callUser(argument(3), { sum, list->at(i) }) : host::converted(host::applied(Arithmetic::Add, sum, list->at(i)), sum.kind);
        return arguments.size() > 3 && argument(3).kind != Kind::Function ? Value {} : sum;
    }
    if (isAmong(name, { "partial_sum", "inclusive_scan", "exclusive_scan" })) {
        const Value to = argument(2);
        if (to.kind != Kind::Pointer || !to.thing || to.thing->isUnknown)
            return forgetAll();
        const bool isExclusive = name == "exclusive_scan";
        Value sum = isExclusive && arguments.size() > 3 ? argument(3) : Value::of(list->element ? list->element->kind : Kind::I32, 0);
        for (std::int64_t i = first; i < last && !isUp(); ++i) {
            const Value item = list->at(i);
            const Value next = host::converted(host::applied(Arithmetic::Add, sum, item), sum.kind);
            to.thing->set(to.integer + i - first, isExclusive ? sum : next);
            sum = next;
        }
        return Value {};
    }
    return forgetAll();
}

} // namespace coalescope::kernels::host
