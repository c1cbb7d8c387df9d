// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/mathematics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coalescope::kernels::host {
namespace {

using OfOne = double (*)(double);
using OfTwo = double (*)(double, double);

struct MathOfOne {
    std::string_view name;
    OfOne function;
};
struct MathOfTwo {
    std::string_view name;
    OfTwo function;
};
constexpr std::array kOfOne { MathOfOne { "sin", std::sin }, MathOfOne { "cos", std::cos }, MathOfOne { "tan", std::tan }, MathOfOne { "asin", std::asin },
    MathOfOne { "acos", std::acos }, MathOfOne { "atan", std::atan }, MathOfOne { "sinh", std::sinh }, MathOfOne { "cosh", std::cosh }, MathOfOne { "tanh", std::tanh },
    MathOfOne { "sqrt", std::sqrt }, MathOfOne { "rsqrt", [](double of) { return 1 / std::sqrt(of); } }, MathOfOne { "cbrt", std::cbrt }, MathOfOne { "exp", std::exp }, MathOfOne { "exp2", std::exp2 }, MathOfOne { "log", std::log },
    MathOfOne { "log2", std::log2 }, MathOfOne { "log10", std::log10 }, MathOfOne { "floor", std::floor }, MathOfOne { "ceil", std::ceil }, MathOfOne { "round", std::round },
    MathOfOne { "trunc", std::trunc }, MathOfOne { "rint", std::rint }, MathOfOne { "nearbyint", std::nearbyint }, MathOfOne { "fabs", std::fabs }, MathOfOne { "erf", std::erf } };
constexpr std::array kOfTwo { MathOfTwo { "pow", std::pow }, MathOfTwo { "atan2", std::atan2 }, MathOfTwo { "fmod", std::fmod }, MathOfTwo { "hypot", std::hypot },
    MathOfTwo { "fmax", std::fmax }, MathOfTwo { "fmin", std::fmin }, MathOfTwo { "copysign", std::copysign } };

} // namespace

Mathematics mathematics(std::string_view name, std::size_t arguments)
{
    const bool isOfFloat = name.size() > 1 && name.back() == 'f' && name != "erf";
    const std::string_view plain = isOfFloat ? name.substr(0, name.size() - 1) : name;
    if (const auto* const one = std::ranges::find(kOfOne, plain, &MathOfOne::name); arguments == 1 && one != kOfOne.end())
        return { .ofOne = one->function, .isOfFloat = isOfFloat };
    if (const auto* const two = std::ranges::find(kOfTwo, plain, &MathOfTwo::name); arguments == 2 && two != kOfTwo.end())
        return { .ofTwo = two->function, .isOfFloat = isOfFloat };
    return {};
}

bool makesHalf(std::string_view name)
{
    static constexpr auto kNames = std::to_array<std::string_view>({ "__float2half", "__float2half_rn", "__float2half_rz", "__double2half", "__int2half_rn", "__float2bfloat16",
        "__float2bfloat16_rn", "__double2bfloat16", "half", "__half", "nv_bfloat16", "__nv_bfloat16" });
    return std::ranges::find(kNames, name) != kNames.end();
}

bool readsHalf(std::string_view name)
{
    return name == "__half2float" || name == "__bfloat162float" || name == "__low2float" || name == "__high2float";
}

} // namespace coalescope::kernels::host
