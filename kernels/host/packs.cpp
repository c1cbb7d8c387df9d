// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>

/// Parameters that take all further arguments, `T... rest`: a pack holds in its variable what each would in one of its own.
namespace coalescope::kernels::host {

/// Of the packs in a pattern one that is known; none: nobody knows any of them.
Handle Run::packIn(const Node& expanded) const
{
    if (m_scanned || m_elsewhere > 0 || !m_frame->variables) // the code is of a function that does not run
        return {};
    const std::vector<Value>& variables = m_frame->variables->items;
    for (const int slot : expanded.slots)
        if (std::size_t(slot) < variables.size() && isPack(variables[std::size_t(slot)]))
            return variables[std::size_t(slot)].thing;
    return {};
}

std::vector<Run::Given> Run::givenBy(const std::vector<const Node*>& nodes, std::size_t first) const
{
    std::vector<Given> all;
    all.reserve(nodes.size());
    for (std::size_t i = first; i < nodes.size(); ++i) {
        if (nodes[i]->op != Op::Expand) {
            all.push_back({ .node = nodes[i] });
            continue;
        }
        const Handle pack = packIn(*nodes[i]);
        if (!pack)
            all.push_back({});
        for (std::size_t item = 0; pack && item < pack->items.size(); ++item)
            all.push_back({ nodes[i]->kids[0], nodes[i], item });
    }
    return all;
}

bool Run::hasPacks(const std::vector<const Node*>& nodes)
{
    return std::ranges::any_of(nodes, [](const Node* node) { return node->op == Op::Expand; });
}

std::size_t Run::argumentCount(const std::vector<const Node*>& nodes, std::size_t first) const
{
    return !hasPacks(nodes) ? nodes.size() - std::min(first, nodes.size()) : givenBy(nodes, first).size();
}

Value Run::packOf(std::vector<Value> items)
{
    Type type { .shape = Type::Shape::Other };
    type.name = "pack";
    Value pack = Value::whole(Handle(new Thing));
    pack.thing->type = intern(std::move(type));
    pack.thing->items = std::move(items);
    return pack;
}

Value Run::packOf(const std::vector<Argument>& arguments, std::size_t first, const TypeName& type)
{
    const Type* const of = resolve(type);
    std::vector<Value> items;
    for (std::size_t i = first; i < arguments.size(); ++i)
        if (type.isReference)
            items.push_back(placeOf(arguments[i]).pointer());
        else
            items.push_back(of->shape == Type::Shape::Auto || of->shape == Type::Shape::Other ? copied(arguments[i].value()) : convert(arguments[i].value(), *of));
    return packOf(std::move(items));
}

/// A type, as a pack of types holds it.
Value Run::typeValue(const Type* type)
{
    Value value { .kind = Kind::Other };
    value.points = type;
    return value;
}

const Type* Run::typeIn(const Value& value) { return value.kind == Kind::Other && value.points ? value.points : intern({}); }

/// What a template's pack stands for, or the one of it that stands for it now; null: it names none that is seen here.
const Value* Run::packOrItem(const TypeName& name) const
{
    const bool isThere = name.pack > 0 && m_frame->variables && std::size_t(name.pack) <= m_frame->variables->items.size();
    return isThere ? &m_frame->variables->items[std::size_t(name.pack) - 1] : nullptr;
}

/// From a template's argument on: numbers, and types.
std::vector<Value> Run::templateValues(const std::vector<TypeName>& types, const std::vector<const Node*>& numbers, std::size_t first)
{
    std::vector<Value> values;
    for (std::size_t i = first; i < types.size(); ++i) {
        if (types[i].isExpanded) {
            if (const Value* const pack = packOrItem(types[i]); pack && isPack(*pack))
                values.insert(values.end(), pack->thing->items.begin(), pack->thing->items.end());
            else
                values.emplace_back();
        } else {
            values.push_back(i < numbers.size() && numbers[i] ? value(*numbers[i]) : typeValue(resolve(types[i])));
        }
    }
    return values;
}

Value Run::foldOf(const Node& fold)
{
    const Handle pack = packIn(fold);
    if (!pack) {
        forgetChanged(*fold.kids[0]);
        return {};
    }
    const std::size_t count = pack->items.size();
    const auto item = [&](std::size_t i) { return Given { fold.kids[0], &fold, i }; };
    if (fold.joins != Op::Binary) {
        const bool isBoth = fold.joins == Op::Both;
        Value last = isBoth || fold.joins == Op::Either ? Value::of(Kind::Bool, isBoth) : Value {};
        for (std::size_t i = 0; i < count && !isUp(); ++i) {
            if (fold.joins == Op::Comma) {
                last = withPack(item(i), [&](const Node& node) { return value(node); });
                continue;
            }
            const auto holding = withPack(item(i), [&](const Node& node) { return holds(node); });
            if (holding == !isBoth)
                return Value::of(Kind::Bool, !isBoth);
            last = holding ? last : Value::unknown(Kind::Bool);
        }
        return last;
    }
    std::vector<Value> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(withPack(item(i), [&](const Node& node) { return value(node); }));
    if (fold.kids[1])
        values.insert(fold.flag ? values.begin() : values.end(), value(*fold.kids[1]));
    if (!fold.flag)
        std::ranges::reverse(values);
    Value all = values.empty() ? Value {} : values[0];
    for (std::size_t i = 1; i < values.size(); ++i)
        all = appliedToAny(fold.arithmetic, fold.flag ? all : values[i], fold.flag ? values[i] : all);
    return all;
}

/// `areAliases`: what is known is where they stand.
void Run::forgetPack(const Thing& pack, bool areAliases)
{
    for (const Value& item : pack.items) {
        const Place at { item.thing, item.integer };
        const Value held = areAliases ? at.value() : item;
        if (held.thing && (held.kind == Kind::Whole || held.kind == Kind::Pointer))
            forget(*held.thing);
        if (areAliases && at.thing && held.kind != Kind::Whole && held.kind != Kind::Function)
            at.set(Value::unknown(held.kind));
    }
}

} // namespace coalescope::kernels::host
