// SPDX-License-Identifier: Apache-2.0
// The program's own operators, of its classes and of CUDA's vectors.
#include "kernels/host/run.h"

#include <array>

namespace coalescope::kernels::host {
namespace {

constexpr std::array<std::string_view, 16> kMarks { "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=" }; ///< by Arithmetic

bool isStructure(const Value& value)
{
    return value.kind == Kind::Whole && value.thing && value.thing->type && !value.thing->type->isString() && value.thing->type->shape != Type::Shape::Vector && value.thing->type->shape != Type::Shape::Array;
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
    std::erase_if(functions, [&](const HostFunction* function) { return !function->takes(arguments.size()); });
    if (const HostFunction* const function = bestOf(functions, arguments))
        return callFunction(*function, arguments, {});
    return std::nullopt;
}

std::optional<Value> Run::byOperator(Arithmetic operation, const Value& a, const Value& b)
{
    if (!isStructure(a) && !isStructure(b))
        return std::nullopt;
    return callOperator("operator" + std::string(kMarks[std::size_t(operation)]), { { .place = {}, .alone = a }, { .place = {}, .alone = b } });
}

/// `place op= given`, of an object that stands there.
bool Run::assignedByOperator(Arithmetic operation, const Place& place, const Value& given)
{
    return isStructure(place.value()) && callOperator("operator" + std::string(kMarks[std::size_t(operation)]) + "=", { { .place = place, .alone = {} }, { .place = {}, .alone = given } });
}

std::optional<Value> Run::negatedByOperator(const Value& value)
{
    return isStructure(value) ? callOperator("operator-", { { .place = {}, .alone = value } }) : std::nullopt;
}

} // namespace coalescope::kernels::host
