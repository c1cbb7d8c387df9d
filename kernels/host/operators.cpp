// SPDX-License-Identifier: Apache-2.0
// The program's own operators, of its classes and of CUDA's vectors.
#include "kernels/host/run.h"

#include <algorithm>
#include <array>

namespace coalescope::kernels::host {
namespace {

constexpr std::array<std::string_view, 16> kMarks { "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=" }; ///< by Arithmetic

bool isStructure(const Value& value)
{
    return value.kind == Kind::Whole && value.thing && value.thing->type && !value.thing->type->isString() && value.thing->type->shape != Type::Shape::Vector && value.thing->type->shape != Type::Shape::Array;
}

/// An object, a pair, a tuple or a list, and nothing that points to others.
bool hasParts(const Value& value)
{
    using enum Type::Shape;
    const Type* const type = value.kind == Kind::Whole && value.thing ? value.thing->type : nullptr;
    return type && !type->isString() && !type->isSpan() && (type->shape == Class || type->shape == Tuple || type->shape == Vector || type->shape == Array);
}

} // namespace

/// Of a member of the first, or a function of no class. Nothing: there is none.
std::optional<Value> Run::callOperator(const std::string& name, const std::vector<Argument>& arguments)
{
    const Value object = arguments[0].value();
    const std::vector<Argument> others(arguments.begin() + 1, arguments.end());
    if (const HostClass* const declared = isStructure(object) ? object.thing->type->declared : nullptr)
        if (const HostFunction* const own = bestOf(overloads(*declared, name, others.size()), others))
            return callFunction(*own, others, object.thing);
    std::vector<const HostFunction*> functions = m_parser.program().functionsNamed(name);
    const auto isOfOthers = [&](const HostFunction& function) { // `operator==(const Edge&, const Edge&)`, of pairs
        const Body& body = m_parser.bodyOf(function);
        for (std::size_t i = 0; i < arguments.size() && i < body.parameters.size(); ++i) {
            const HostClass* const wanted = m_parser.program().classNamed(body.parameters[i].name);
            const Value given = arguments[i].value();
            if (wanted && isStructure(given) && (!given.thing->type->declared || !m_parser.program().derives(given.thing->type->declared->name, wanted->name)))
                return true;
        }
        return false;
    };
    std::erase_if(functions, [&](const HostFunction* function) { return !function->takes(arguments.size()) || isOfOthers(*function); });
    if (const HostFunction* const function = bestOf(functions, arguments))
        return callFunction(*function, arguments, {});
    return std::nullopt;
}

std::optional<Value> Run::byOperator(Arithmetic operation, const Value& a, const Value& b)
{
    if (!isStructure(a) && !isStructure(b) && !(hasParts(a) && hasParts(b)))
        return std::nullopt;
    const auto own = [&](std::string_view mark) { return callOperator("operator" + std::string(mark), { { .place = {}, .alone = a }, { .place = {}, .alone = b } }); };
    if (auto made = own(kMarks[std::size_t(operation)]))
        return made;
    const bool isDifference = operation == Arithmetic::NotEqual;
    if (const auto same = isDifference ? own("==") : std::nullopt)
        return same->isKnown ? Value::of(Kind::Bool, !same->isTrue()) : Value::unknown(Kind::Bool);
    if (isDifference || operation == Arithmetic::Equal)
        return equalityByParts(a, b, isDifference);
    if (const auto order = isComparison(operation) ? own("<=>") : std::nullopt)
        return host::applied(operation, *order, Value::of(Kind::I32, 0));
    return isComparison(operation) ? orderByParts(operation, a, b) : std::nullopt;
}

/// Of objects with a defaulted comparison, pairs, tuples and lists: all their parts. Nothing: they are not compared so.
std::optional<Value> Run::equalityByParts(const Value& a, const Value& b, bool isDifference)
{
    const auto isCompared = [](const Value& value) { return hasParts(value) && (!value.thing->type->declared || value.thing->type->declared->isComparedByParts); };
    if (!isCompared(a) || !isCompared(b))
        return std::nullopt;
    if (a.thing->isUnknown || b.thing->isUnknown || isUnordered(*a.thing))
        return Value::unknown(Kind::Bool);
    bool isSame = a.thing->size() == b.thing->size();
    const Type* const element = a.thing->element;
    if (isSame && element && element == b.thing->element && element->isStored() && isInteger(element->kind) && a.thing->unknown.empty() && b.thing->unknown.empty())
        return Value::of(Kind::Bool, (a.thing->bytes == b.thing->bytes) != isDifference);
    for (std::int64_t i = 0; isSame && i < std::int64_t(a.thing->size()) && !isUp(); ++i) {
        const Value same = appliedToAny(Arithmetic::Equal, a.thing->at(i), b.thing->at(i));
        if (!same.isKnown)
            return Value::unknown(Kind::Bool);
        isSame = same.isTrue();
        ++m_steps;
    }
    return Value::of(Kind::Bool, isSame != isDifference);
}

/// Likewise: the first part that is not alike decides.
std::optional<Value> Run::orderByParts(Arithmetic operation, const Value& a, const Value& b)
{
    if (!hasParts(a) || !hasParts(b))
        return std::nullopt;
    const bool isOfLess = operation == Arithmetic::Less || operation == Arithmetic::GreaterEqual;
    const Value less = isOfLess ? isLess(a, b, {}) : isLess(b, a, {});
    const bool isNegated = operation == Arithmetic::GreaterEqual || operation == Arithmetic::LessEqual;
    return less.isKnown ? Value::of(Kind::Bool, less.isTrue() != isNegated) : Value::unknown(Kind::Bool);
}

/// a <=> b
Value Run::orderOf(const Value& a, const Value& b)
{
    if (const auto own = isStructure(a) ? callOperator("operator<=>", { { .place = {}, .alone = a }, { .place = {}, .alone = b } }) : std::nullopt)
        return *own;
    const Value less = isLess(a, b, {}), greater = isLess(b, a, {});
    return less.isKnown && greater.isKnown ? Value::of(Kind::I32, less.isTrue() ? -1 : greater.isTrue()) : Value::unknown(Kind::I32);
}

/// Which of two values comes first; `comparison`: the program's own, or none.
Value Run::isLess(const Value& a, const Value& b, const Value& comparison)
{
    if (comparison.kind == Kind::Function || comparison.kind == Kind::Whole)
        return callUser(comparison, { a, b });
    if (auto ofTexts = appliedToTexts(Arithmetic::Less, a, b))
        return *std::move(ofTexts);
    if (isObject(a) && isObject(b) && !(a.thing->type->declared->isOrderedByParts && b.thing->type == a.thing->type)) {
        const std::vector<Argument> both { { .place = {}, .alone = a }, { .place = {}, .alone = b } };
        if (auto own = callOperator("operator<", both))
            return *std::move(own);
        const auto order = callOperator("operator<=>", both);
        return order ? host::applied(Arithmetic::Less, *order, Value::of(Kind::I32, 0)) : Value::unknown(Kind::Bool);
    }
    if (a.kind != Kind::Whole || !a.thing || b.kind != Kind::Whole || !b.thing)
        return host::applied(Arithmetic::Less, a, b);
    if (a.thing->isUnknown || b.thing->isUnknown)
        return Value::unknown(Kind::Bool);
    for (std::int64_t i = 0; i < std::int64_t(std::min(a.thing->size(), b.thing->size())) && !isUp(); ++i) { // pairs, arrays
        const Value left = a.thing->at(i), right = b.thing->at(i), less = isLess(left, right, {});
        ++m_steps;
        if (!less.isFalse() || !isLess(right, left, {}).isFalse())
            return less;
    }
    return Value::of(Kind::Bool, a.thing->size() < b.thing->size());
}

/// As std::greater has it: an object's own operator, or what is less the other way round.
Value Run::isGreater(const Value& a, const Value& b)
{
    auto own = isObject(a) ? byOperator(Arithmetic::Greater, a, b) : std::nullopt;
    return own ? *std::move(own) : isLess(b, a, {});
}

/// `place op= given`, of an object that stands there.
bool Run::assignedByOperator(Arithmetic operation, const Place& place, const Value& given)
{
    return isStructure(place.value()) && callOperator("operator" + std::string(kMarks[std::size_t(operation)]) + "=", { { .place = place, .alone = {} }, { .place = {}, .alone = given } });
}

/// What an object makes of itself by its own `operator int()` and its kin; another value as it is.
Value Run::asNumberOf(const Value& value)
{
    if (!isObject(value))
        return value;
    for (const HostFunction* const function : value.thing->type->declared->functions)
        if (function->name.starts_with("operator ") && function->takes(0) && isPlainName(std::string_view(function->name).substr(std::string_view("operator ").size())))
            return callFunction(*function, {}, value.thing);
    return value;
}

/// What `if` makes of it: an object is asked.
Value Run::asCondition(const Value& value)
{
    if (value.kind != Kind::Whole || !value.thing || !value.thing->type || !value.thing->type->declared)
        return value;
    const HostFunction* const own = memberFunction(*value.thing->type->declared, "operator bool", 0);
    return own ? asCondition(callFunction(*own, {}, value.thing)) : Value::unknown(Kind::Bool);
}

std::optional<Value> Run::negatedByOperator(const Value& value)
{
    return isStructure(value) ? callOperator("operator-", { { .place = {}, .alone = value } }) : std::nullopt;
}

} // namespace coalescope::kernels::host
