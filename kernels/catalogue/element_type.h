// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <array>
#include <functional>

namespace coalescope::kernels {

enum class ElementKind : std::uint8_t { Float, Signed, Unsigned };

struct ElementTypeInfo {
    ElementType type;
    std::string_view name;
    int bytes;
    ElementKind kind;
    /// What a define sees. The kernels move elements and compute nothing with them, so that a 16-bit float
    /// travels as its bits: the source needs no cuda_fp16.h.
    std::string_view cType;
    LocalizedText (*label)();
};

inline constexpr std::array kElementTypes {
    ElementTypeInfo { .type = ElementType::F16, .name = "f16", .bytes = 2, .kind = ElementKind::Float,
        .cType = "unsigned short", .label = [] { return LocalizedText { "f16 (half, 2 bytes)", "f16（半精度，2 字节）" }; } },
    ElementTypeInfo { .type = ElementType::BF16, .name = "bf16", .bytes = 2, .kind = ElementKind::Float,
        .cType = "unsigned short", .label = [] { return LocalizedText { "bf16 (2 bytes)", "bf16（2 字节）" }; } },
    ElementTypeInfo { .type = ElementType::F32, .name = "f32", .bytes = 4, .kind = ElementKind::Float,
        .cType = "float", .label = [] { return LocalizedText { "f32 (float, 4 bytes)", "f32（单精度，4 字节）" }; } },
    ElementTypeInfo { .type = ElementType::F64, .name = "f64", .bytes = 8, .kind = ElementKind::Float,
        .cType = "double", .label = [] { return LocalizedText { "f64 (double, 8 bytes)", "f64（双精度，8 字节）" }; } },
    ElementTypeInfo { .type = ElementType::I8, .name = "i8", .bytes = 1, .kind = ElementKind::Signed,
        .cType = "signed char", .label = [] { return LocalizedText { "i8 (1 byte)", "i8（1 字节）" }; } },
    ElementTypeInfo { .type = ElementType::U8, .name = "u8", .bytes = 1, .kind = ElementKind::Unsigned,
        .cType = "unsigned char", .label = [] { return LocalizedText { "u8 (1 byte)", "u8（1 字节）" }; } },
    ElementTypeInfo { .type = ElementType::I16, .name = "i16", .bytes = 2, .kind = ElementKind::Signed,
        .cType = "short", .label = [] { return LocalizedText { "i16 (2 bytes)", "i16（2 字节）" }; } },
    ElementTypeInfo { .type = ElementType::U16, .name = "u16", .bytes = 2, .kind = ElementKind::Unsigned,
        .cType = "unsigned short", .label = [] { return LocalizedText { "u16 (2 bytes)", "u16（2 字节）" }; } },
    ElementTypeInfo { .type = ElementType::I32, .name = "i32", .bytes = 4, .kind = ElementKind::Signed,
        .cType = "int", .label = [] { return LocalizedText { "i32 (int, 4 bytes)", "i32（整数，4 字节）" }; } },
    ElementTypeInfo { .type = ElementType::U32, .name = "u32", .bytes = 4, .kind = ElementKind::Unsigned,
        .cType = "unsigned int", .label = [] { return LocalizedText { "u32 (4 bytes)", "u32（4 字节）" }; } },
    ElementTypeInfo { .type = ElementType::I64, .name = "i64", .bytes = 8, .kind = ElementKind::Signed,
        .cType = "long long", .label = [] { return LocalizedText { "i64 (8 bytes)", "i64（8 字节）" }; } },
    ElementTypeInfo { .type = ElementType::U64, .name = "u64", .bytes = 8, .kind = ElementKind::Unsigned,
        .cType = "unsigned long long", .label = [] { return LocalizedText { "u64 (8 bytes)", "u64（8 字节）" }; } },
};

/// Proves that rows stand in the order of their enum.
consteval bool elementTypesInOrder()
{
    for (std::size_t i = 0; i < kElementTypes.size(); ++i) {
        if (std::size_t(kElementTypes[i].type) != i)
            return false;
    }
    return kElementTypes.size() == std::size_t(ElementType::U64) + 1;
}
static_assert(elementTypesInOrder());

[[nodiscard]] const ElementTypeInfo& infoOf(ElementType type);

/// A number as the bits of one element, correctly rounded; values too large become infinite.
[[nodiscard]] std::uint64_t floatBits(ElementType type, double value);

/// A fill as text: "zero", "iota", "iota:START:STEP", "random:SEED", "random:SEED:LOW:HIGH", "file:PATH". `number` gives the value of
/// a START, STEP, LOW or HIGH as written.
///
/// Errors: WrongUsage; those of `number`.
[[nodiscard]] Result<Fill> parseFill(std::string_view text, const std::function<Result<double>(std::string_view)>& number);

/// Whether the bounds of random values, or the start and step of iota, are values for elements of this type.
///
/// Errors: WrongUsage.
[[nodiscard]] Result<void> checkFillNumbers(ElementType type, const Fill& fill);

/// A number, or a product of numbers, as text.
///
/// Errors: WrongUsage.
[[nodiscard]] Result<double> parseNumber(std::string_view text);

/// One --arg: `f32[1024]=iota`, `i32:7`, `{f32:0.5,i32:7,f32[1024]}`.
///
/// Errors: WrongUsage with the spec as `where`.
[[nodiscard]] Result<Argument> parseArgument(std::string_view spec, std::string name);

/// A scalar's value, which may be a product, as its little-endian bits; range-checked.
///
/// Errors: WrongUsage.
[[nodiscard]] Result<std::uint64_t> parseScalar(ElementType type, std::string_view text);

} // namespace coalescope::kernels
