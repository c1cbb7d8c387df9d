// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace coalescope::analysis::ptx {

/// Kinds of suffixes a mnemonic may carry. A row of the opcode table lists those its form takes, so
/// one spelling may mean different things to different opcodes (`.lo`, `.and`, `.min`).
enum class Suffix : std::uint8_t {
    Type,
    Space,
    Vector,
    Compare,
    Bool,
    Rounding,
    IntRounding,
    Atom,
    Prmt,
    Clamp,
    Sat,
    Finite,
    Relu,
    Ftz,
    Cc,
    Trans,
    Approx,
    Nan,
    ShiftAmount,
    MatrixCount,
    Order,
    NonCoherent,
    // accepted and without meaning to the model
    Cache,
    Scope,
    Level,
    CacheHint,
    Aligned,
    Uni,
    NoFtz,
    Shape,
    Full,
    NoIncrement,
    Read,
    ClusterSpace, ///< shared memory of the cluster: the block's own, which is all that is modelled
};

using SuffixMask = std::uint64_t;

[[nodiscard]] constexpr SuffixMask maskOf(Suffix suffix)
{
    return SuffixMask(1) << static_cast<int>(suffix);
}
[[nodiscard]] constexpr SuffixMask operator|(Suffix a, Suffix b) { return maskOf(a) | maskOf(b); }
[[nodiscard]] constexpr SuffixMask operator|(SuffixMask a, Suffix b) { return a | maskOf(b); }

using TypeMask = std::uint32_t;

[[nodiscard]] constexpr TypeMask maskOf(Type type) { return TypeMask(1) << static_cast<int>(type); }

/// One spelling of a suffix.
struct SuffixRow {
    std::string_view name; ///< without the dot
    Suffix suffix = Suffix::Type;
    std::uint8_t value = 0; ///< enumerator or count that it stands for
};

/// Every row spelled so, in no particular order of kinds; empty where the spelling is unknown.
[[nodiscard]] std::span<const SuffixRow> suffixesNamed(std::string_view name);

/// Writes what the suffix says into the instruction; types are the caller's.
void applySuffix(const SuffixRow& row, Instruction& instruction);

/// The type of that name, without its dot.
[[nodiscard]] const SuffixRow* typeNamed(std::string_view name);

} // namespace coalescope::analysis::ptx
