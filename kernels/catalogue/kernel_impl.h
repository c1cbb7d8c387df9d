// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/expression.h"
#include "kernels/catalogue/kernel_spec.h"

#include <array>

namespace coalescope::kernels {

/// A launch's own: the sizes of its block where the program has no names for them.
inline constexpr auto kOwnBlockParameters = std::to_array<std::string_view>({ "block_x", "block_y", "block_z" });

/// One entry of a manifest's `arguments`.
struct ArgumentSpec {
    bool isBuffer = true; ///< else a scalar, or a structure, which has members
    std::string name;
    std::string type; ///< "f32", or "{parameter}"
    std::string count; ///< buffers: expression, elements
    std::string fill; ///< buffers: as written, with expressions for numbers; empty: zero
    std::string afterLaunch, afterBuffer; ///< buffers: of the program, whose launch leaves there what this one holds; empty: none
    std::optional<HostBuffer> host; ///< buffers: of the program, whose host code fills it
    bool holdsAddresses = false; ///< buffers: of other memory of the program's
    bool isLeft = false; ///< buffers: launches of the program have written to it since
    std::string offset; ///< buffers: expression, bytes from its begin to where the argument points; empty: none
    std::string sameAs; ///< buffers: the earlier one that this is, which has the rest; empty: another
    std::string value; ///< scalars: expression, whose value may have a fraction
    std::vector<ArgumentSpec> members;
    std::int64_t alignment = 1; ///< of a structure, where it is more than its members ask for, in bytes
    int line = 0; ///< of the file
};

/// A number, or what a structure or an array holds.
struct ConstantValue {
    std::string expression;
    std::vector<ConstantValue> items; ///< empty: a number
};

/// What a variable of the GPU holds while the kernel runs, as after cudaMemcpyToSymbol.
struct ConstantSpec {
    std::string name;
    ConstantValue value;
    int line = 0; ///< of the file
};

struct ReferenceSpec {
    int output = 0, input = 0; ///< indexes into KernelSpec::Impl::arguments
    std::string index; ///< expression of i
};

/// What the manifest says beyond the public fields; expressions as text.
struct KernelSpec::Impl {
    int order = 1000; ///< place in the catalogue
    std::map<std::string, std::map<std::string, std::string>> defineValues; ///< parameter -> choice -> define
    std::vector<ArgumentSpec> arguments;
    std::vector<ConstantSpec> constants;
    std::vector<ArgumentSpec> variables; ///< buffers: see LaunchPlan
    std::array<std::string, 3> grid { "1", "1", "1" }, block { "1", "1", "1" };
    std::string dynamicShared = "0";
    int launchLine = 0, entryLine = 0; ///< of the file
    std::optional<ReferenceSpec> reference;
    std::vector<std::pair<std::string, std::string>> verify; ///< parameter -> expression
};

/// Whether a program's host code may make other things of another value: not of what it works out itself, nor of a block's sizes, which have no name there.
[[nodiscard]] inline bool mayMatterToHost(const ParameterSpec& parameter) { return !parameter.isWorkedOut && !parameter.name.starts_with("block_"); }

/// Adds what an integer parameter is in the program's source and what it is to be there; one that is called "n_2" may be another n.
void addNumber(std::vector<HostNumber>& numbers, const ParameterSpec& parameter, const std::string& value);

/// A kernel file's manifest with line breaks kept, so that its line numbers are the file's.
///
/// Errors: BadInput where the leading comment holds none, or one without an end.
[[nodiscard]] Result<std::string> manifestText(std::string_view source, std::string_view sourceName);

/// The first line, from 1, that has a character outside ASCII outside quotes and comments, which no TOML
/// may have; 0 where there is none. toml++ 3.3 does not survive some of them.
[[nodiscard]] int lineOfStrayCharacter(std::string_view toml);

} // namespace coalescope::kernels
