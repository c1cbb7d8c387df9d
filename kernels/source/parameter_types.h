// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/kernel_declarations.h"

#include <map>

namespace coalescope::kernels {

/// A C++ type that a manifest's element types make up.
struct PlainType {
    std::string_view c, element; ///< "float4", "f32"
    int elements = 1;
};

/// What the words of a type name: "unsigned int", "std::uint8_t"; null: a structure, or unknown.
[[nodiscard]] const PlainType* plainType(std::string_view type);

/// "float" of "float3"; empty: no vector whose components have names.
[[nodiscard]] std::string componentOf(std::string_view type);
inline constexpr std::string_view kComponents[] = { "x", "y", "z", "w" };

/// A parameter of a kernel, taken apart.
struct KernelParameter {
    std::string name, type; ///< the type without const and pointers
    int pointers = 0;
    bool isConst = false; ///< what it points to, or, of no pointer, itself
    bool isOfConst = false; ///< what pointers lead to at last: const float* const*
    const PlainType* plain = nullptr; ///< null: a structure, or unknown
    /// One that can hold a size.
    [[nodiscard]] bool isInteger() const;
    [[nodiscard]] bool pointsToObjects() const { return !plain && pointers == 1; } ///< whose members may be integers
};

/// What names of types stand for.
struct TypeNames {
    std::vector<std::string> values; ///< of the template's parameters, as the entry names them; others are floats
    std::map<std::string, std::string, std::less<>> aliases; ///< typedefs and their kin
};

[[nodiscard]] KernelParameter parameterOf(
    std::string_view text, const std::string& fallbackName, const KernelDeclaration& kernel, const TypeNames& names = {});

/// "float", "Op<int,2>" of "tile<float,Op<int,2>>"; none where it is no template.
[[nodiscard]] std::vector<std::string> templateArgumentsOf(std::string_view type);

/// "<float,32>"; empty where there are none.
[[nodiscard]] std::string templateList(const std::vector<std::string>& arguments);

/// The size of a type in bytes; 0: not known.
[[nodiscard]] int bytesOfType(std::string_view type);

/// Whether it is an integer that may count something, or some: of 4 bytes or more each.
[[nodiscard]] bool isCount(std::string_view type);

/// By its name, a buffer says where in another to look: "row_ptr", "colIdx".
[[nodiscard]] bool holdsIndices(const std::string& name);

/// Whether a buffer of that name holds what is true or false: "solid_mask".
[[nodiscard]] bool holdsFlags(const std::string& name);

} // namespace coalescope::kernels
