// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>

/// std::variant, and functions that are joined to visit one.
namespace coalescope::kernels::host {
namespace {

constexpr int kNotAtAll = -1;

bool isVariant(const Value& value) { return value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->shape == Type::Shape::Variant; }

/// Which of its types a variant holds; nothing: nobody knows.
std::optional<std::size_t> heldBy(const Value& variant)
{
    if (!isVariant(variant) || variant.thing->isUnknown || variant.thing->items.size() != 2 || !variant.thing->items[1].isKnown)
        return std::nullopt;
    const auto index = std::size_t(variant.thing->items[1].integer);
    return index < variant.thing->type->parts.size() ? std::optional(index) : std::nullopt;
}

} // namespace

/// Of the types that a variant may hold, the one that a value is of; of a number, text or pointer, the only one that takes it.
std::optional<std::size_t> Run::alternativeFor(const Type& variant, const Value& value)
{
    const auto only = [&](const auto& takes) -> std::optional<std::size_t> {
        if (std::ranges::count_if(variant.parts, takes) != 1)
            return std::nullopt;
        return std::size_t(std::ranges::find_if(variant.parts, takes) - variant.parts.begin());
    };
    const Type* const type = typeOf(value);
    if (const auto same = only([&](const Type* part) { return part == type; }))
        return same;
    if (value.kind == Kind::Function)
        return only([](const Type* part) { return part->shape == Type::Shape::Other; });
    if (value.kind == Kind::Other || (value.kind == Kind::Pointer && !textOf(value).value_or("").empty()))
        return only([](const Type* part) { return part->isString(); });
    if (isReal(value.kind))
        return only([](const Type* part) { return part->isPlain() && isReal(part->kind); });
    if (isInteger(value.kind) && value.kind != Kind::Bool)
        return only([](const Type* part) { return part->isPlain() && part->kind != Kind::Bool; });
    if (value.kind == Kind::Pointer)
        return only([](const Type* part) { return part->shape == Type::Shape::Pointer; });
    if (isObject(value)) // of a class that derives from one
        return only([&](const Type* part) { return part->declared && isOf(value, *part->declared); });
    return std::nullopt;
}

Value Run::variantOf(const Type& type, const Value& value)
{
    if (isVariant(value) && value.thing->type == &type)
        return value;
    Thing* variant = new Thing;
    Value made = Value::whole(Handle(variant));
    variant->type = &type;
    if (const auto index = alternativeFor(type, value))
        variant->items = { copied(convert(value, *type.parts[*index])), Value::of(Kind::I32, std::int64_t(*index)) };
    else
        variant->isUnknown = true;
    return made;
}

std::optional<Value> Run::callVariant(std::string_view name, const Node& node)
{
    const std::size_t count = node.kids.size();
    if (name == "visit" && count >= 2)
        return visit(node);
    const bool isAsked = name == "holds_alternative" && count == 1;
    if (!(isAsked || ((name == "get" || name == "get_if") && count == 1)) || node.types.size() != 1)
        return std::nullopt;
    const Value given = value(*node.kids[0]);
    const Value variant = name == "get_if" && given.kind == Kind::Pointer ? elementOf(given, Value::of(Kind::I32, 0)).value() : given;
    if (!isVariant(variant) && name == "get") { // a pair's, a tuple's
        const Value index = node.values[0] ? value(*node.values[0]) : Value {};
        const std::vector<const Type*> none;
        const std::vector<const Type*>& parts = given.kind == Kind::Whole && given.thing && given.thing->type ? given.thing->type->parts : none;
        const auto part = node.values[0] ? parts.end() : std::ranges::find(parts, resolve(node.types[0]));
        const std::int64_t at = index.isKnown ? index.asInteger() : part != parts.end() ? part - parts.begin() : -1;
        return given.kind == Kind::Whole && given.thing && at >= 0 ? given.thing->at(at) : Value {};
    }
    if (!isVariant(variant))
        return std::nullopt;
    const auto held = heldBy(variant);
    if (!held)
        return isAsked ? Value::unknown(Kind::Bool) : name == "get_if" ? Value::unknown(Kind::Pointer) : Value {};
    const Value index = node.values[0] ? value(*node.values[0]) : Value {};
    const bool isHeld = index.isKnown ? std::size_t(index.asInteger()) == *held : resolve(node.types[0]) == variant.thing->type->parts[*held];
    if (isAsked)
        return Value::of(Kind::Bool, isHeld);
    if (name == "get_if") {
        Value pointer = isHeld ? Value::pointer(variant.thing, 0) : Value::pointer({}, 0);
        pointer.points = node.values[0] ? nullptr : resolve(node.types[0]);
        return pointer;
    }
    if (!isHeld)
        return Value {};
    m_returnedPlace = { variant.thing, 0 };
    return m_returnedPlace.value();
}

std::optional<Value> Run::callOfVariant(std::string_view name, Thing& variant, const Node& node)
{
    if (name == "index" && node.kids.size() == 1)
        return variant.isUnknown ? Value::unknown(Kind::U64) : host::converted(variant.items[1], Kind::U64);
    if (name == "valueless_by_exception")
        return Value::of(Kind::Bool, 0);
    if (name != "emplace" || node.types.size() != 1 || node.values[0])
        return std::nullopt;
    const Value made = variantOf(*variant.type, construct(*resolve(node.types[0]), argumentValues(node.kids, 1), false));
    variant.isUnknown = made.thing->isUnknown;
    variant.items = made.thing->items;
    return Value {};
}

/// std::visit(function, variants...): what is not known of a variant, the function may change.
Value Run::visit(const Node& node)
{
    const std::vector<Argument> all = argumentsOf(node.kids, 0, {});
    std::vector<Argument> held;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Value variant = all[i].value();
        if (!heldBy(variant)) {
            forgetArguments(all);
            return {};
        }
        held.push_back({ .place = { variant.thing, 0 }, .alone = {} });
    }
    return callObject(all[0].value(), held);
}

/// An object that derives from the functions that it is made of.
Value Run::joined(const Type& type, std::vector<Value> functions)
{
    Value made { .kind = Kind::Function, .isKnown = true };
    made.thing = Handle(new Thing);
    made.thing->type = &type;
    made.thing->items = std::move(functions);
    return made;
}

/// Null: none suits.
const Value* Run::bestOf(const std::vector<Value>& functions, const std::vector<Argument>& arguments)
{
    const Value* best = nullptr;
    int most = kNotAtAll;
    for (const Value& function : functions) {
        const bool isLambda = function.kind == Kind::Function && function.thing && function.thing->code && function.thing->code->op == Op::Lambda;
        const int score = isLambda ? suits(*function.thing, arguments) : kNotAtAll;
        if (score > most) {
            best = &function;
            most = score;
        }
    }
    return best;
}

/// How well a lambda's parameters do; below 0: they do not.
int Run::suits(const Thing& lambda, const std::vector<Argument>& arguments)
{
    constexpr int kSame = 3, kSameKind = 2, kAnything = 1;
    const Node& code = *lambda.code;
    if (!lambda.frame || code.slots.size() != arguments.size())
        return kNotAtAll;
    const auto outer = std::exchange(m_frame, lambda.frame);
    int score = 0;
    for (std::size_t i = 0; i < arguments.size() && score >= 0; ++i) {
        const Value given = arguments[i].value();
        const Type* const parameter = resolve(code.types[i]);
        const Type* const type = typeOf(given);
        const bool isOfClass = parameter->declared && isObject(given) && isOf(given, *parameter->declared);
        if (parameter == type)
            score += kSame;
        else if (isOfClass || (parameter->isPlain() && isNumber(given.kind)))
            score += kSameKind;
        else if (parameter->shape == Type::Shape::Auto)
            score += kAnything;
        else
            score = kNotAtAll;
    }
    m_frame = outer;
    return score;
}

} // namespace coalescope::kernels::host
