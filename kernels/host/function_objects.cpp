// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/function_objects.h"

#include "kernels/host/run.h"

#include <algorithm>
#include <array>

/// std::greater and its kin: functions of their names, with a type so that they are told from others.
namespace coalescope::kernels::host {
namespace {

struct Operation {
    std::string_view name;
    Arithmetic arithmetic;
};
constexpr std::array kOperations { Operation { "plus", Arithmetic::Add }, Operation { "minus", Arithmetic::Subtract }, Operation { "multiplies", Arithmetic::Multiply },
    Operation { "divides", Arithmetic::Divide }, Operation { "modulus", Arithmetic::Remainder }, Operation { "bit_and", Arithmetic::And }, Operation { "bit_or", Arithmetic::Or },
    Operation { "bit_xor", Arithmetic::Xor }, Operation { "less", Arithmetic::Less }, Operation { "less_equal", Arithmetic::LessEqual }, Operation { "greater", Arithmetic::Greater },
    Operation { "greater_equal", Arithmetic::GreaterEqual }, Operation { "equal_to", Arithmetic::Equal }, Operation { "not_equal_to", Arithmetic::NotEqual } };

} // namespace

std::optional<Arithmetic> operationOf(std::string_view functionObject)
{
    const auto* const known = std::ranges::find(kOperations, functionObject, &Operation::name);
    return known == kOperations.end() ? std::nullopt : std::optional(known->arithmetic);
}

bool Run::isFunctionObject(const Value& value) { return value.kind == Kind::Function && value.thing && value.thing->type && operationOf(value.thing->type->name); }

/// Nothing: the library has none of this name.
std::optional<Value> Run::functionObject(std::string_view name)
{
    if (!operationOf(name))
        return std::nullopt;
    Type type {};
    type.name = name;
    Value object { .kind = Kind::Function, .isKnown = true };
    object.thing = Handle(new Thing);
    object.thing->type = intern(std::move(type));
    return object;
}

Value Run::callFunctionObject(const Value& object, const std::vector<Argument>& arguments)
{
    const Arithmetic operation = *operationOf(object.thing->type->name);
    if (arguments.size() != 2)
        return {};
    const Value a = arguments[0].value(), b = arguments[1].value();
    return operation == Arithmetic::Less ? isLess(a, b, {}) : operation == Arithmetic::Greater ? isGreater(a, b) : appliedToAny(operation, a, b);
}

} // namespace coalescope::kernels::host
