// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

/// What code asks about types.
namespace coalescope::kernels::host {

/// std::is_same_v<A, B> and its kin. Which of several formats a number of 16 bits has is not known.
Value Run::trait(const Node& node)
{
    const auto type = [&](std::size_t i) -> const Type* {
        const bool isType = i < node.types.size() && node.types[i].name != "?";
        const Type* const known = isType ? resolve(node.types[i]) : nullptr;
        return known && known->shape != Type::Shape::Other && known->shape != Type::Shape::Auto ? known : nullptr;
    };
    const auto told = [](bool holds) { return Value::of(Kind::Bool, holds); };
    const Type* const first = type(0);
    const Type* const second = type(1);
    if (node.name == "is_same_v")
        return first && second && !(first == second && first->kind == Kind::F16) ? told(first == second) : Value::unknown(Kind::Bool);
    if (!first || node.types.size() != 1)
        return Value::unknown(Kind::Bool);
    const bool isFloat = first->isPlain() && (first->kind == Kind::F32 || first->kind == Kind::F64), isIntegral = first->isPlain() && isInteger(first->kind);
    const bool isSigned = isIntegral && (first->kind == Kind::I8 || first->kind == Kind::I16 || first->kind == Kind::I32 || first->kind == Kind::I64);
    if (node.name == "is_floating_point_v")
        return told(isFloat);
    if (node.name == "is_integral_v")
        return told(isIntegral);
    if (node.name == "is_arithmetic_v")
        return told(isFloat || isIntegral);
    if (node.name == "is_signed_v")
        return told(isFloat || isSigned);
    if (node.name == "is_unsigned_v")
        return told(isIntegral && !isSigned);
    if (node.name == "is_pointer_v")
        return told(first->isAddress());
    return Value::unknown(Kind::Bool);
}

/// decltype(x) of what it does no harm to look at.
const Type* Run::deduced(const TypeName& name)
{
    const auto isHarmless = [](const auto& self, const Node& node) -> bool {
        const bool isPlace = node.op == Op::Local || node.op == Op::Global || node.op == Op::Self || node.op == Op::Constant;
        const bool isMade = node.op == Op::Member || node.op == Op::Index || node.op == Op::Dereference || node.op == Op::Binary || node.op == Op::Negate;
        return isPlace || (isMade && std::ranges::all_of(node.kids, [&](const Node* kid) { return self(self, *kid); }));
    };
    const Node* const expression = name.values.empty() ? nullptr : name.values[0];
    const Type* const type = expression && isHarmless(isHarmless, *expression) ? typeOf(value(*expression)) : nullptr;
    return type ? type : intern({});
}

} // namespace coalescope::kernels::host
