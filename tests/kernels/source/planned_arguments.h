// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <cstdint>
#include <variant>

namespace coalescope::kernels {

/// An argument's bits, and the elements of a buffer. Errors: throws where the plan has another kind of argument there, or none.
inline std::uint64_t scalarOf(const LaunchPlan& plan, std::size_t argument)
{
    return std::get<ScalarPlan>(plan.arguments.at(argument)).bits;
}
inline std::uint64_t countOf(const LaunchPlan& plan, std::size_t argument)
{
    return std::get<BufferPlan>(plan.arguments.at(argument)).count;
}

} // namespace coalescope::kernels
