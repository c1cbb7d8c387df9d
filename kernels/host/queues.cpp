// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

/// std::priority_queue: the heap that the library makes of a list, so that equals come out in its order.
namespace coalescope::kernels::host {
namespace {

constexpr std::string_view kComparison = "Compare";

} // namespace

const Type* Run::queueOf(const TypeName& name)
{
    Type type { .shape = Type::Shape::Vector, .kind = Kind::Whole, .element = name.arguments.empty() ? intern({}) : resolve(name.arguments[0]) };
    type.name = name.name;
    if (name.arguments.size() > 2) {
        const TypeName& comparison = name.arguments[2];
        type.boundValues[std::string(comparison.name == "greater" ? "greater" : comparison.name == "less" ? "less" : "other")] = 1;
        type.bound[std::string(kComparison)] = resolve(comparison);
    }
    return intern(std::move(type));
}

std::optional<Value> Run::callQueue(std::string_view name, Thing& queue, const Node& node)
{
    const bool isPush = (name == "push" && node.kids.size() == 2) || name == "emplace", isPop = name == "pop" && node.kids.size() == 1;
    if (name == "top" && !queue.isUnknown && queue.size() > 0)
        return queue.at(0);
    if (queue.isUnknown || !(isPush || isPop))
        return std::nullopt;
    const Handle held(&queue);
    const std::map<std::string, const Type*, std::less<>>& bound = queue.type->bound;
    const bool isGreater = queue.type->boundValues.contains("greater"), isOther = queue.type->boundValues.contains("other");
    const Value comparison = isOther ? initial(*bound.find(kComparison)->second) : Value {};
    bool isKnown = !isOther || isObject(comparison);
    const auto isBelow = [&](std::int64_t a, const Value& item) { // a place's, in the heap
        const Value other = queue.at(a);
        const Value less = isOther ? callUser(comparison, { other, item }) : isGreater ? this->isGreater(other, item) : isLess(other, item, {});
        isKnown = isKnown && less.isKnown;
        ++m_steps;
        return less.isTrue();
    };
    const auto rise = [&](std::int64_t hole, const Value& item) {
        for (std::int64_t above = (hole - 1) / 2; hole > 0 && isKnown && isBelow(above, item); above = (hole - 1) / 2) {
            queue.set(hole, queue.at(above));
            hole = above;
        }
        queue.set(hole, item);
    };
    if (isPush) {
        std::vector<Value> given = argumentValues(node.kids, 1);
        const Value item = name == "push" ? convert(given[0], *queue.element) : construct(*queue.element, std::move(given), false);
        queue.resize(queue.size() + 1, item);
        m_allocated += std::int64_t(sizeof(Value));
        rise(std::int64_t(queue.size()) - 1, copied(item));
    } else if (queue.size() > 0) {
        const std::int64_t count = std::int64_t(queue.size()) - 1;
        const Value item = copied(queue.at(count));
        std::int64_t hole = 0;
        while (2 * hole + 1 < count && isKnown) { // down to the bottom, whatever the item is: then it rises
            std::int64_t below = 2 * hole + 2;
            if (below == count || isBelow(below, queue.at(below - 1)))
                --below;
            queue.set(hole, queue.at(below));
            hole = below;
        }
        queue.resize(std::size_t(count), {});
        if (count > 0)
            rise(hole, item);
    }
    if (!isKnown)
        queue.forget();
    return Value {};
}

} // namespace coalescope::kernels::host
