// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

struct lua_State;

namespace coalescope::kernels {

/// What an expression sees under a parameter's name.
using ExpressionValue = std::variant<std::int64_t, double, std::string>;
using ExpressionValues = std::map<std::string, ExpressionValue>;

/// Evaluates a manifest's expressions: Lua's, with 64-bit integers, over the parameters.
///
/// Helpers: cdiv(a, b) rounds up, min, max, size(type) in bytes. There is no library, no loop and no
/// function definition; work and memory are limited, so that a hostile manifest ends with an error.
/// One object belongs to one thread.
class Expressions {
public:
    explicit Expressions(const ExpressionValues& values);
    ~Expressions();
    Expressions(const Expressions&) = delete;
    Expressions& operator=(const Expressions&) = delete;

    /// Errors: BadInput, also where the value is no integer.
    [[nodiscard]] Result<std::int64_t> integer(std::string_view text);
    /// Errors: BadInput, also where the value is neither true nor false.
    [[nodiscard]] Result<bool> condition(std::string_view text);
    /// An integer or a text, as text. A number with a fraction is neither.
    [[nodiscard]] Result<std::string> text(std::string_view text);

    /// A number, with a fraction or without, or a text; as text. What is whole has no fraction: "4", not "4.0".
    [[nodiscard]] Result<std::string> scalar(std::string_view text);

    /// Evaluates `text` for i = first, first + 1, ... in one compiled loop.
    ///
    /// Errors: BadInput.
    [[nodiscard]] Result<void> indices(std::string_view text, std::uint64_t first, std::span<std::int64_t> out);

private:
    [[nodiscard]] Result<void> evaluate(std::string_view text);
    [[nodiscard]] std::string takeMessage();

    struct Memory;
    std::unique_ptr<Memory> m_memory;
    lua_State* m_lua = nullptr;
    const ExpressionValues m_values;
};

/// Whether the text compiles, for errors at the place where it stands in a manifest.
///
/// Errors: BadInput.
[[nodiscard]] Result<void> checkExpression(std::string_view text);

/// Why no parameter may have this name, as the end of a sentence; empty where one may.
[[nodiscard]] std::string nameProblem(std::string_view name);

/// Whether a parameter may have this name.
[[nodiscard]] bool isExpressionName(std::string_view name);

} // namespace coalescope::kernels
