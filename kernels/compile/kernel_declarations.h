// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// A __global__ function as the source declares it.
struct KernelDeclaration {
    std::string name; ///< without namespaces
    std::string scope = {}; ///< "outer::inner"; empty: none, or one without a name
    std::vector<std::string> templateParameters; ///< "class T", "int N = 4"; empty: no template
    std::vector<std::string> parameters; ///< "const float* in"
    std::string launchBounds = {}; ///< "BLOCK, 2"; empty: none
    int line = 0; ///< of its __global__, from 1
    int lastLine = 0; ///< of its body; without one, `line`
    bool isDefined = false; ///< it has a body
    bool dynamicShared = false; ///< its body declares an extern __shared__ array
    [[nodiscard]] bool isTemplate() const { return !templateParameters.empty(); }
    [[nodiscard]] std::string fullName() const { return scope.empty() ? name : scope + "::" + name; }
};

/// The kernels of a file, in order, also those that macros of its own make. A scan of the text, before any other preprocessor: for messages and templates.
[[nodiscard]] std::vector<KernelDeclaration> kernelDeclarations(std::string_view source);

/// A block of as many threads is what an example assumes.
inline constexpr int kExampleThreads = 256;

/// An entry that names the kernel, with values for those of its template parameters that have no default: "ns::tile<float,4>".
[[nodiscard]] std::string exampleEntry(const KernelDeclaration& kernel);

} // namespace coalescope::kernels
