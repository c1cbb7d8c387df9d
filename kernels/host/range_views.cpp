// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>

/// std::views: what stands behind `list |`. Of what is taken or dropped the elements are the list's own; the others are copies.
namespace coalescope::kernels::host {
namespace {

constexpr std::string_view kView = "view "; ///< before the name of one, as a function's type

bool isViewName(std::string_view name) { return isAmong(name, { "take", "drop", "filter", "transform", "reverse", "take_while", "drop_while", "keys", "values" }); }

bool isOfViews(std::string_view scope) { return scope == "views" || scope == "view"; }

/// The name of a view, which it may be without a call; empty: it is none.
std::string_view viewName(const Value& value)
{
    if (value.kind != Kind::Function || !value.thing)
        return {};
    if (value.thing->type && std::string_view(value.thing->type->name).starts_with(kView))
        return std::string_view(value.thing->type->name).substr(kView.size());
    const Node* const code = value.thing->code;
    return code && code->op == Op::Named && isOfViews(code->scope) && isViewName(code->name) ? code->name : std::string_view {};
}

} // namespace

/// std::views::take(3): waits for its list; std::views::iota(0, n) is one.
std::optional<Value> Run::callView(std::string_view name, const Node& node)
{
    if (!isOfViews(node.scope) || !(isViewName(name) || name == "iota"))
        return std::nullopt;
    const std::vector<Value> given = argumentValues(node.kids);
    if (name == "iota")
        return counted(given);
    const bool isComplete = given.size() == 2 || (given.size() == 1 && isAmong(name, { "reverse", "keys", "values" }));
    if (isComplete) // std::views::take(list, 3)
        return viewed(name, given[0], given.back());
    Type type {};
    type.name = std::string(kView) + std::string(name);
    Value view { .kind = Kind::Function, .isKnown = true };
    view.thing = Handle(new Thing);
    view.thing->type = intern(std::move(type));
    view.thing->items = given;
    return view;
}

/// std::views::iota() of two numbers.
Value Run::counted(const std::vector<Value>& ends)
{
    const bool isKnown = ends.size() == 2 && std::ranges::all_of(ends, [](const Value& end) { return end.isKnown && isInteger(end.kind); });
    const std::int64_t count = isKnown ? std::max<std::int64_t>(0, ends[1].integer - ends[0].integer) : -1;
    const Type* const element = plain(isKnown ? ends[0].kind : Kind::I32);
    Value list = Value::whole(newThing(vectorOf(element), element, count, initial(*element)));
    for (std::int64_t i = 0; i < count && !list.thing->isUnknown && !isUp(); ++i)
        list.thing->set(i, Value::of(element->kind, ends[0].integer + i));
    return list;
}

/// `list | view`; nothing: it is none.
std::optional<Value> Run::viewedBy(const Value& list, const Value& view)
{
    const std::string_view name = viewName(view);
    if (name.empty())
        return std::nullopt;
    return viewed(name, list, view.thing->items.empty() ? Value {} : view.thing->items[0]);
}

Value Run::viewed(std::string_view name, const Value& given, const Value& argument)
{
    const bool isList = given.kind == Kind::Whole && given.thing && given.thing->element && !given.thing->isUnknown && !isUnordered(*given.thing);
    const Value list = isList ? spanOf(*tupleOf({ pointerTo(given.thing->element), plain(Kind::U64) }, "span"), { given }) : given;
    const Value first = isSpan(list) ? list.thing->items[0] : Value {}, size = isSpan(list) ? list.thing->items[1] : Value {};
    if (!first.isKnown || !first.thing || !size.isKnown)
        return {};
    if (name == "take" || name == "drop") {
        if (!argument.isKnown || !isInteger(argument.kind))
            return {};
        const std::int64_t count = std::clamp<std::int64_t>(argument.integer, 0, size.integer), begin = name == "take" ? 0 : count, left = name == "take" ? count : size.integer - count;
        return spanOf(*list.thing->type, { host::applied(Arithmetic::Add, first, Value::of(Kind::I64, begin)), Value::of(Kind::U64, left) });
    }
    std::vector<Value> items;
    bool isWithin = name != "drop_while";
    for (std::int64_t i = 0; i < size.integer; ++i) {
        const Value item = copied(first.thing->at(first.integer + i));
        const bool isPart = name == "keys" || name == "values";
        const Value made = isPart ? (item.thing && item.thing->items.size() == 2 ? item.thing->items[name == "values"] : Value {}) : name == "reverse" ? item : projectedBy(argument, item);
        if (isUp() || (name != "reverse" && !made.isKnown))
            return {};
        if (name == "take_while" && !made.isTrue())
            break;
        isWithin = isWithin || (name == "drop_while" && !made.isTrue());
        if (name == "filter" ? made.isTrue() : isWithin)
            items.push_back(isPart || name == "transform" ? made : item);
    }
    if (name == "reverse")
        std::ranges::reverse(items);
    const Type* const element = items.empty() ? first.thing->element : typeOf(items[0]);
    if (!element)
        return {};
    Value view = Value::whole(newThing(vectorOf(element), element, std::int64_t(items.size()), initial(*element)));
    for (std::size_t i = 0; i < items.size() && !view.thing->isUnknown; ++i)
        view.thing->set(std::int64_t(i), items[i]);
    return view;
}

} // namespace coalescope::kernels::host
