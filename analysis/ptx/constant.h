// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/opcode.h"
#include "analysis/ptx/lexer.h"

#include <cstdint>

namespace coalescope::analysis::ptx {

/// A number of the text before it takes its operand's type.
struct Constant {
    enum class Kind : std::uint8_t { Integer, Single, Double } kind = Kind::Integer;
    std::uint64_t bits = 0; ///< two's complement, or the pattern of the float or double
};

/// True where a constant expression may start.
[[nodiscard]] bool atConstant(const Cursor& cursor);

/// Reads a constant expression: numbers, signs, parentheses and the integer operators.
[[nodiscard]] Constant readConstant(Cursor& cursor);

/// Reads a constant expression that must be an integer.
std::int64_t readInteger(Cursor& cursor);

/// The constant's bits as a value of `type`; `offset` is where to complain.
///
/// Integers wrap to the type's width; floats convert between f32 and f64, and keep their pattern in
/// a bit type of their width.
[[nodiscard]] std::uint64_t bitsAs(const Constant& constant, Type type, std::uint32_t offset);

} // namespace coalescope::analysis::ptx
