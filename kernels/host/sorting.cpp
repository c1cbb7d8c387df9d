// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/engine.h"
#include "kernels/host/loop_compiler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <span>

namespace coalescope::kernels::host {
namespace {

/// The same, with `order` telling which of those before stands where now.
void arrange(Thing& list, std::int64_t first, const std::vector<std::int64_t>& order)
{
    if (list.element && list.element->isStored()) {
        const std::size_t stride = list.element->stride;
        std::vector<std::uint8_t> made(order.size() * stride);
        for (std::size_t i = 0; i < order.size(); ++i)
            std::memcpy(made.data() + i * stride, list.bytes.data() + std::size_t(order[i]) * stride, stride);
        std::ranges::copy(made, list.bytes.begin() + first * std::int64_t(stride));
        return;
    }
    std::vector<Value> made;
    for (const std::int64_t from : order)
        made.push_back(list.items[std::size_t(from)]);
    std::ranges::move(made, list.items.begin() + first);
}

std::vector<std::int64_t> placesFrom(std::int64_t first, std::int64_t last)
{
    std::vector<std::int64_t> places(std::size_t(last - first));
    std::iota(places.begin(), places.end(), first);
    return places;
}

bool areKnown(const Thing& list, std::int64_t first, std::int64_t last)
{
    if (list.hollow >= 0)
        return false;
    if (list.element && list.element->isStored())
        return list.element->kind != Kind::F16 && (list.unknown.empty() || std::find(list.unknown.begin() + first, list.unknown.begin() + last, true) == list.unknown.begin() + last);
    return std::all_of(list.items.begin() + first, list.items.begin() + last, [](const Value& item) { return item.isKnown; });
}

/// A number as one of those that are ordered as it is; nothing: of what is no number.
std::optional<std::uint64_t> keyOf(const Value& number)
{
    constexpr std::uint64_t kSign = std::uint64_t(1) << 63;
    if (!isReal(number.kind))
        return number.kind == Kind::U64 ? std::uint64_t(number.integer) : std::uint64_t(number.integer) ^ kSign;
    if (std::isnan(number.real))
        return std::nullopt;
    const auto bits = std::bit_cast<std::uint64_t>(number.real + 0.0); // no zero with a sign
    return bits & kSign ? ~bits : bits | kSign;
}

/// What the library's algorithm of this name does, and what it returns.
template <class Place, class IsBefore> bool putInOrder(std::string_view name, const std::pair<Place, Place>& range, Place middle, IsBefore isBefore)
{
    const auto [first, last] = range;
    if (name == "sort")
        std::sort(first, last, isBefore);
    else if (name == "nth_element")
        std::nth_element(first, middle, last, isBefore);
    else if (name == "partial_sort")
        std::partial_sort(first, middle, last, isBefore);
    else if (name == "make_heap")
        std::make_heap(first, last, isBefore);
    else if (name == "push_heap")
        std::push_heap(first, last, isBefore);
    else if (name == "pop_heap")
        std::pop_heap(first, last, isBefore);
    else if (name == "sort_heap")
        std::sort_heap(first, last, isBefore);
    else if (name == "stable_sort")
        std::stable_sort(first, last, isBefore);
    else
        return name == "next_permutation" ? std::next_permutation(first, last, isBefore) : std::prev_permutation(first, last, isBefore);
    return true;
}

/// The elements of a list of numbers, or of pairs and tuples of some, so that they are compared in one go.
class Keys {
public:
    Keys(const Thing& list, std::int64_t first, std::int64_t last)
        : m_first(first)
    {
        const Type* const element = list.element;
        const bool isOfTuples = element && element->shape == Type::Shape::Tuple && !element->isSpan() && element->name.empty() && std::ranges::all_of(element->parts, [](const Type* part) { return part->isPlain(); });
        if (!element || !element->isStored() || (!element->isPlain() && !isOfTuples))
            return;
        m_width = isOfTuples ? element->parts.size() : 1;
        m_keys.reserve(std::size_t(last - first) * m_width);
        for (std::int64_t i = first; i < last && m_width > 0; ++i)
            for (std::size_t part = 0; part < m_width; ++part) {
                const auto key = keyOf(isOfTuples ? list.partAt(i, int(part)) : list.at(i));
                if (!key) {
                    m_width = 0;
                    return;
                }
                m_keys.push_back(*key);
            }
    }
    [[nodiscard]] bool areKnown() const { return m_width > 0; }
    [[nodiscard]] std::span<const std::uint64_t> of(std::int64_t place) const { return std::span(m_keys).subspan(std::size_t(place - m_first) * m_width, m_width); }
    [[nodiscard]] bool isLess(std::int64_t a, std::int64_t b) const { return std::ranges::lexicographical_compare(of(a), of(b)); }
    [[nodiscard]] bool isSame(std::int64_t a, std::int64_t b) const { return std::ranges::equal(of(a), of(b)); }

    /// All places in order. Equals are alike in all, so that it does not matter how they stand.
    [[nodiscard]] std::vector<std::int64_t> sorted() const
    {
        struct Row {
            std::array<std::uint64_t, 2> keys {}; ///< the first ones
            std::int64_t place = 0;
        };
        std::vector<Row> rows(m_keys.size() / m_width);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].place = m_first + std::int64_t(i);
            for (std::size_t part = 0; part < std::min<std::size_t>(m_width, 2); ++part)
                rows[i].keys[part] = m_keys[i * m_width + part];
        }
        std::ranges::sort(rows, [&](const Row& a, const Row& b) {
            return a.keys[0] != b.keys[0] ? a.keys[0] < b.keys[0] : a.keys[1] != b.keys[1] || m_width <= 2 ? a.keys[1] < b.keys[1] : isLess(a.place, b.place);
        });
        std::vector<std::int64_t> order;
        order.reserve(rows.size());
        for (const Row& row : rows)
            order.push_back(row.place);
        return order;
    }

private:
    std::int64_t m_first = 0;
    std::size_t m_width = 0; ///< keys of an element; 0: it has none
    std::vector<std::uint64_t> m_keys;
};

} // namespace

/// std::sort() and its kin. Equals stand in the order that libstdc++'s gives them, for it is asked. `middle`: of those that have one.
Value Run::sortRange(std::string_view name, const Handle& list, std::int64_t first, std::int64_t middle, std::int64_t last, const Value& comparison, const Value& projection)
{
    const bool sortsAll = projection.kind == Kind::None && isAmong(name, { "sort", "stable_sort", "sort_heap" });
    constexpr std::int64_t kNobody = -1; // beside them, and less than none: a comparison that contradicts itself ends there
    bool isSure = areKnown(*list, first, last);
    if (isSure && sortsAll && comparison.kind == Kind::None)
        if (const Keys keys(*list, first, last); keys.areKnown()) {
            m_steps += last - first;
            arrange(*list, first, keys.sorted());
            return {};
        }
    const Handle compared = isSure ? projected(list, first, last, projection) : list;
    LoopCompiler compiler(*this);
    const bool isCompiled = isSure && compiler.compileComparison(comparison.kind == Kind::Function ? comparison : Value {}, compared);
    const auto isBefore = [&](std::int64_t a, std::int64_t b) {
        if (a == kNobody || b == kNobody || !isSure || isUp())
            return false;
        if (const auto less = isCompiled ? compiler.compared(a, b) : std::nullopt)
            return *less != 0;
        const Value made = isLess(compared->at(a), compared->at(b), comparison);
        isSure = isSure && made.isKnown;
        return made.isTrue();
    };
    std::vector<std::int64_t> order = placesFrom(first, last);
    order.insert(order.begin(), kNobody);
    order.push_back(kNobody);
    const bool isDone = isSure && putInOrder(name, std::pair(order.begin() + 1, order.end() - 1), order.begin() + 1 + (middle - first), isBefore);
    if (isCompiled)
        compiler.leave();
    order.erase(order.begin());
    order.pop_back();
    if (!isSure || m_isOver) {
        list->forget(true);
        return Value::unknown(Kind::Pointer);
    }
    m_steps += (last - first) / 4;
    arrange(*list, first, order);
    return name.ends_with("_permutation") ? Value::of(Kind::Bool, isDone) : Value {};
}

/// What a member pointer, or a function, makes of each element: at the same places. `projection` of no kind: the list itself.
Handle Run::projected(const Handle& list, std::int64_t first, std::int64_t last, const Value& projection)
{
    if (projection.kind == Kind::None)
        return list;
    const Handle made(new Thing);
    made->items.resize(std::size_t(last));
    for (std::int64_t i = first; i < last && !isUp(); ++i)
        made->items[std::size_t(i)] = projectedBy(projection, list->at(i));
    return made;
}

/// std::invoke() of &Class::member, or of a function.
Value Run::projectedBy(const Value& projection, const Value& item)
{
    const Node* const code = projection.kind == Kind::Function && projection.thing ? projection.thing->code : nullptr;
    if (!code || code->op != Op::Named)
        return callUser(projection, { item });
    const int member = item.kind == Kind::Whole && item.thing ? memberIndex(item.thing->type, item.thing->items.size(), *code) : -1;
    return member >= 0 ? item.thing->at(member) : callUser(projection, { item });
}

/// qsort(): glibc's keeps equals in their order, where it has the memory. `bytes`: of one of those that are sorted.
void Run::sortBytes(const Value& base, const Value& count, const Value& bytes, const Value& comparison)
{
    if (base.kind != Kind::Pointer || !base.thing)
        return;
    Thing& list = *base.thing;
    const std::int64_t width = list.element && list.element->isStored() ? std::int64_t(list.element->stride) : 0;
    const std::int64_t group = width > 0 && bytes.isKnown && isInteger(bytes.kind) ? bytes.integer / width : 0, sorted = count.isKnown && isInteger(count.kind) ? count.integer : -1;
    const std::int64_t first = base.integer;
    const bool isThere = base.isKnown && group > 0 && bytes.integer == group * width && sorted >= 0 && first >= 0 && sorted <= (std::int64_t(list.size()) - first) / group;
    bool isSure = isThere && areKnown(list, first, first + sorted * group);
    std::vector<std::int64_t> order = placesFrom(0, isSure ? sorted : 0);
    LoopCompiler compiler(*this);
    const bool isCompiled = isSure && compiler.compileComparison(comparison, base.thing);
    const auto isBefore = [&](std::int64_t a, std::int64_t b) {
        if (!isSure || isUp())
            return false;
        const std::int64_t left = first + a * group, right = first + b * group;
        if (const auto made = isCompiled ? compiler.compared(left, right) : std::nullopt)
            return *made < 0;
        const Value made = callUser(comparison, { Value::pointer(base.thing, left), Value::pointer(base.thing, right) });
        isSure = made.isKnown && isInteger(made.kind);
        return isSure && made.integer < 0;
    };
    std::stable_sort(order.begin(), order.end(), isBefore);
    if (isCompiled)
        compiler.leave();
    if (!isSure || m_isOver) {
        list.forget(true);
        return;
    }
    std::vector<std::int64_t> places;
    for (const std::int64_t from : order)
        for (std::int64_t i = 0; i < group; ++i)
            places.push_back(first + from * group + i);
    arrange(list, first, places);
    m_steps += std::int64_t(places.size()) / 4;
}

Value Run::searchRange(const Handle& list, std::int64_t first, std::int64_t last, const Value& wanted, const Value& comparison, bool isLower)
{
    std::int64_t low = first, high = last;
    while (low < high && !isUp()) {
        const std::int64_t middle = low + (high - low) / 2;
        const Value item = list->at(middle);
        const Value less = isLower ? isLess(item, wanted, comparison) : isLess(wanted, item, comparison);
        if (!less.isKnown)
            return Value::unknown(Kind::Pointer);
        const bool goesOn = less.isTrue() == isLower;
        (goesOn ? low : high) = goesOn ? middle + 1 : middle;
    }
    return m_isOver ? Value::unknown(Kind::Pointer) : Value::pointer(list, low);
}

/// What else looks at all of them, or changes their order.
Value Run::arrangeRange(std::string_view name, const Handle& list, std::int64_t first, std::int64_t last, const Value& argument)
{
    m_steps += last - first;
    std::vector<std::int64_t> order = placesFrom(first, last);
    const auto unknown = [&] {
        if (name != "max_element" && name != "min_element")
            list->forget(true);
        return Value::unknown(Kind::Pointer);
    };
    if (!areKnown(*list, first, last))
        return unknown();
    if (name == "reverse" || name == "shuffle") {
        if (name == "reverse")
            std::ranges::reverse(order);
        else if (!argument.thing || !withEngine(argument.thing->engine, [&](auto& held) { std::shuffle(order.begin(), order.end(), held); }))
            return unknown();
        arrange(*list, first, order);
        return {};
    }
    if (name == "unique") {
        std::vector<std::int64_t> kept;
        const Keys keys(*list, first, last);
        for (const std::int64_t place : order) {
            if (isUp())
                return unknown();
            if (keys.areKnown()) {
                if (kept.empty() || !keys.isSame(kept.back(), place))
                    kept.push_back(place);
                continue;
            }
            const Value before = kept.empty() ? Value {} : list->at(kept.back()), item = list->at(place);
            if (kept.empty() || isLess(before, item, {}).isTrue() || isLess(item, before, {}).isTrue())
                kept.push_back(place);
        }
        arrange(*list, first, kept);
        return Value::pointer(list, first + std::int64_t(kept.size()));
    }
    std::int64_t best = first;
    const Keys keys(*list, first, argument.kind == Kind::None ? last : first);
    const bool areCompared = argument.kind == Kind::None && keys.areKnown();
    for (std::int64_t i = first + 1; i < last; ++i) {
        if (areCompared) {
            best = (name == "max_element" ? keys.isLess(best, i) : keys.isLess(i, best)) ? i : best;
            continue;
        }
        const Value less = name == "max_element" ? isLess(list->at(best), list->at(i), argument) : isLess(list->at(i), list->at(best), argument);
        if (!less.isKnown || isUp())
            return unknown();
        best = less.isTrue() ? i : best;
    }
    return Value::pointer(list, best);
}

} // namespace coalescope::kernels::host
