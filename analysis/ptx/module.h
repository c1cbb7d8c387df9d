// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"
#include "analysis/ptx/lexer.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coalescope::analysis::ptx {

/// A parameter or return value of a function, in .param or .reg space.
struct ParamDeclaration {
    std::string_view name;
    Type type = Type::B32; ///< of one element
    std::uint32_t size = 0, align = 1; ///< bytes
    bool isRegister = false;
    std::uint32_t offset = 0; ///< where it is declared in the text
};

struct FunctionDeclaration {
    std::string_view name;
    bool isEntry = false, hasBody = false;
    std::vector<ParamDeclaration> returns, params;
    std::size_t bodyBegin = 0; ///< token after the brace
    std::uint32_t maxThreads = 0; ///< .maxntid product; 0: none
    std::array<std::uint32_t, 3> requiredBlock {}; ///< .reqntid; zeros: none
    std::array<std::uint32_t, 3> cluster { 1, 1, 1 }; ///< .reqnctapercluster
    std::uint32_t offset = 0; ///< where it is declared in the text
};

/// A place in an initialiser that holds a variable's address.
struct InitialReference {
    std::size_t at = 0; ///< bytes into the variable
    int width = 8; ///< bytes
    std::string_view name;
    std::int64_t addend = 0;
    bool generic = false; ///< the generic address rather than that in the variable's own space
    std::uint32_t offset = 0; ///< in the text
};

/// Where a variable is declared; also the order in which variables are placed.
enum class Owner : std::uint8_t { Entry, Module, Function };

/// A variable in shared, constant, global or local memory.
struct Variable {
    std::string_view name;
    Space space = Space::Shared;
    Owner owner = Owner::Module;
    Type type = Type::B8; ///< of one element
    std::uint64_t size = 0; ///< bytes
    std::uint32_t align = 1;
    bool isExtern = false;
    bool isDynamic = false; ///< extern shared array without a size
    std::vector<std::uint8_t> initial;
    std::vector<InitialReference> references;
    std::uint32_t offset = 0; ///< where it is declared in the text
};

/// What a module declares; bodies are left as tokens.
struct Module {
    std::vector<FunctionDeclaration> functions;
    std::unordered_map<std::string_view, std::size_t> functionNamed;
    std::vector<Variable> variables;
    std::unordered_map<std::string_view, std::size_t> variableNamed;
    std::unordered_map<std::uint32_t, std::string> files; ///< .file number to its name
    std::string debugTexts; ///< .debug_str: the names that `.loc` refers to, each ended by a zero
    std::unordered_map<std::string_view, std::size_t> debugLabels; ///< places in debugTexts

    /// The text so many bytes behind a label; empty where there is none.
    [[nodiscard]] std::string_view debugText(std::string_view label, std::int64_t offset) const;
};

/// Reads the declarations of a module; throws Failure.
[[nodiscard]] Module readModule(Cursor cursor);

/// True where `directive` starts a variable (.shared, .const, .global, .local).
[[nodiscard]] bool startsVariable(std::string_view directive);

/// Reads a variable from its space directive to the semicolon; several names make several
/// variables.
[[nodiscard]] std::vector<Variable> readVariables(Cursor& cursor, bool isExtern);

/// Reads a parameter from .param or .reg on; the separator after it stays.
[[nodiscard]] ParamDeclaration readParam(Cursor& cursor);

/// Reads a type directive; throws Failure where there is none.
[[nodiscard]] Type readType(Cursor& cursor);

/// Moves behind the brace that closes the one just read.
void skipBraces(Cursor& cursor);

} // namespace coalescope::analysis::ptx
