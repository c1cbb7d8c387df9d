// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/index_use.h"
#include "kernels/source/launches.h"
#include "kernels/source/parameter_types.h"

namespace coalescope::kernels {

/// What indices may point into that a launch hands to its kernel.
class IndexTargets {
public:
    IndexTargets(const ProgramLaunches& program, const ProgramLaunch& launch, const KernelDeclaration& kernel, const TypeNames& types)
        : m_program(program)
        , m_launch(launch)
        , m_kernel(kernel)
        , m_types(types)
    {
    }

    /// How many elements an index may name, by the smallest of the arrays in whose subscripts it is; nothing: none is a buffer of known size.
    [[nodiscard]] std::optional<Symbolic> pointedInto(const IndexUses& found) const;
    /// How many elements the smallest buffer of real numbers has that the launch gets; nothing: none is known.
    [[nodiscard]] std::optional<Symbolic> leastReals() const;

private:
    [[nodiscard]] std::optional<std::pair<const LaunchArgument*, KernelParameter>> argumentNamed(const std::string& name) const;
    [[nodiscard]] std::optional<Symbolic> elementsOf(const std::string& name) const;
    [[nodiscard]] std::optional<Symbolic> numberNamed(const std::string& text) const;

    const ProgramLaunches& m_program;
    const ProgramLaunch& m_launch;
    const KernelDeclaration& m_kernel;
    const TypeNames& m_types;
};

} // namespace coalescope::kernels
