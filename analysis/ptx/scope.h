// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coalescope::analysis::ptx {

enum class NameKind : std::uint8_t {
    Register,
    EntryParameter, ///< `index` is its offset
    Place, ///< `index` is into the decoder's places
};

/// What a name of a function's body stands for.
struct Name {
    NameKind kind = NameKind::Register;
    Type type = Type::B32; ///< of a register
    std::uint32_t index = kNone; ///< kNone: a register that is not used yet
    std::uint32_t size = 0; ///< bytes, of a parameter
};

/// `.reg .b32 %r<13>`: the names %r0 to %r12. Registers take a number when they are first used.
struct RegisterRange {
    std::string_view prefix;
    std::uint32_t count = 0;
    Type type = Type::B32;
    std::vector<Name> names; ///< as far as they are used
};

/// What is declared between two braces.
struct Scope {
    std::unordered_map<std::string_view, Name> names;
    std::vector<RegisterRange> ranges;
    std::unordered_map<std::string_view, std::uint32_t> labels; ///< instruction
    std::unordered_map<std::string_view, std::uint32_t>
        tables; ///< .branchtargets: index into Program::branchTables

    /// A use of a label that is bound when its scope closes, since it may be declared later.
    struct Use {
        std::string_view name;
        std::uint32_t offset = 0; ///< in the text
        std::uint32_t instruction = kNone; ///< the branch; kNone: an entry of a table
        std::uint32_t table = 0, entry = 0;
        bool isTable = false; ///< the branch names a table
    };
    std::vector<Use> uses;

    /// The register of a range that `name` belongs to; null where there is none.
    [[nodiscard]] Name* inRange(std::string_view name);
};

} // namespace coalescope::analysis::ptx
