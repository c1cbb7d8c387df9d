// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/launch_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coalescope::kernels::host {
namespace {

/// As C++ writes it; empty: not known.
std::string numberText(const Value& number)
{
    if (!number.isKnown || !isNumber(number.kind) || (isReal(number.kind) && !std::isfinite(number.real)))
        return "";
    return number.kind == Kind::F32 ? fmt::format("{:.9g}", number.real) : number.kind == Kind::F64 ? fmt::format("{:.17g}", number.real)
        : number.kind == Kind::U64 ? fmt::format("{}", std::uint64_t(number.integer)) : fmt::format("{}", number.integer);
}

} // namespace

std::optional<std::array<std::int64_t, 3>> extentsOf(const Value& value)
{
    if (isInteger(value.kind) && value.isKnown)
        return std::array<std::int64_t, 3> { value.integer, 1, 1 };
    const bool isOfThree = value.kind == Kind::Whole && value.thing && !value.thing->isUnknown && value.thing->type && value.thing->type->name == "dim3" && value.thing->items.size() == 3;
    if (!isOfThree || !std::ranges::all_of(value.thing->items, &Value::isKnown))
        return std::nullopt;
    return std::array { value.thing->items[0].integer, value.thing->items[1].integer, value.thing->items[2].integer };
}

std::optional<std::int64_t> sharedBytesOf(const std::vector<Value>& configuration)
{
    if (configuration.size() < 3)
        return 0;
    return isInteger(configuration[2].kind) && configuration[2].isKnown ? std::optional(configuration[2].integer) : std::nullopt;
}

std::vector<std::string> numberTexts(const Value& value)
{
    std::vector<std::string> texts;
    const std::size_t count = value.kind == Kind::Pointer && value.thing ? value.thing->size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
        texts.push_back(numberText(value.kind == Kind::Pointer && value.thing ? value.thing->at(std::int64_t(i)) : value));
        if (texts.back().empty())
            return {};
    }
    return texts;
}

std::int64_t bytesBefore(const Value& pointer)
{
    const Type* const element = pointer.thing->raw >= 0 ? pointer.points : pointer.thing->element;
    const auto width = std::int64_t(element ? element->bytes() : 0);
    return pointer.integer == 0 ? 0 : width > 0 ? pointer.integer * width : -1;
}

} // namespace coalescope::kernels::host
