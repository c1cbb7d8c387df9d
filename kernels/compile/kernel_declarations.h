// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
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
    bool isSpecialization = false; ///< of a template, or an instantiation: its name has arguments, or `template` stands before it
    bool isOverloaded = false; ///< others have its name, and other parameters
    [[nodiscard]] bool isTemplate() const { return !templateParameters.empty(); }
    [[nodiscard]] std::string fullName() const { return scope.empty() ? name : scope + "::" + name; }
};

/// The kernels of a file, in order, also those that macros of its own make. A scan of the text, before any other preprocessor: for messages and templates.
[[nodiscard]] std::vector<KernelDeclaration> kernelDeclarations(std::string_view source);

/// Finds out which are overloaded, where they come from several files.
void markOverloads(std::span<KernelDeclaration> kernels);

/// A block of as many threads is what an example assumes.
inline constexpr int kExampleThreads = 256;

/// A template's number that its name says something about: how many threads a block has, or the logarithm of how many elements it works on.
/// Others may be anything, so they are small.
[[nodiscard]] std::string exampleNumber(std::string_view name);

/// The name of a template's parameter: "T" of "typename T = float", "Fs" of "class... Fs".
[[nodiscard]] std::string_view nameOfTemplateParameter(std::string_view parameter);

/// A text of the kernel's declaration with the values of its template's parameters, first the given ones, then defaults, in place of their names.
[[nodiscard]] std::string withTemplateValues(std::string_view text, const KernelDeclaration& kernel, std::span<const std::string> given);

/// "const float*" of "const float* __restrict__ in".
[[nodiscard]] std::string typeOfParameter(std::string_view parameter);

/// What behind its name tells a kernel from others of that name: "(const float*,int)"; empty where it is not overloaded. `given`: its template's arguments.
[[nodiscard]] std::string overloadOf(const KernelDeclaration& kernel, std::span<const std::string> given = {});

/// An entry, taken apart: "ns::scale<float>", and "float*,int" of the one of several that is meant; without brackets: nothing.
struct EntryName {
    std::string_view kernel;
    std::optional<std::string_view> parameters;
};
[[nodiscard]] EntryName entryNameOf(std::string_view entry);

/// An entry that names the kernel, with values for those of its template parameters that have no default: "ns::tile<float,4>", or "ns::tile<float,4>(float*,int)" where it is overloaded.
[[nodiscard]] std::string exampleEntry(const KernelDeclaration& kernel);

} // namespace coalescope::kernels
