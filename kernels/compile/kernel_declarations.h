// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// A __global__ function as the source declares it.
struct KernelDeclaration {
    std::string name; ///< without namespaces
    std::vector<std::string> templateParameters; ///< "class T", "int N = 4"; empty: no template
    std::vector<std::string> parameters; ///< "const float* in"
    [[nodiscard]] bool isTemplate() const { return !templateParameters.empty(); }
};

/// The kernels of a file, in order. A scan of the text, before any preprocessor: for messages and templates.
[[nodiscard]] std::vector<KernelDeclaration> kernelDeclarations(std::string_view source);

/// An entry that names the kernel, with values for its template parameters: "tile<float,4>".
[[nodiscard]] std::string exampleEntry(const KernelDeclaration& kernel);

} // namespace coalescope::kernels
