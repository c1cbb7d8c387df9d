// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace coalescope::kernels {

/// A number with a name in a program. It is `value` where the source says `before`, or where nobody knows what the source says.
struct HostNumber {
    std::string name;
    std::int64_t before = 0, value = 0;
};

/// A buffer, as a launch in a program's host code is given it.
struct HostBuffer {
    int launch = 0; ///< which one of the program's, in the order of the text, from 1 on
    std::string instance; ///< which one of the kernels that it launches: the arguments of its template as far as they are known, "float,32"
    std::string kernel; ///< without scope and template arguments
    std::string argument; ///< "2", the third; "2.rows", a member of it
    bool isAside = false; ///< the launch is in a branch that the program does not take: it is followed into it
    bool isWhole = false; ///< all of the memory, also what lies before that to which the pointer points

    auto operator<=>(const HostBuffer&) const = default;
};

} // namespace coalescope::kernels
