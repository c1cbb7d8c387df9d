// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/bits.h"

#include "kernels/host/launch_arguments.h"
#include "kernels/host/run.h"

#include <algorithm>
#include <array>
#include <bit>

namespace coalescope::kernels::host {
namespace {

std::int64_t width(std::uint64_t number, int) { return std::bit_width(number); }
std::int64_t setBits(std::uint64_t number, int) { return std::popcount(number); }
std::int64_t parity(std::uint64_t number, int) { return std::popcount(number) % 2; }
std::int64_t leadingZeros(std::uint64_t number, int bits) { return bits - std::bit_width(number); }
std::int64_t trailingZeros(std::uint64_t number, int bits) { return std::min(std::countr_zero(number), bits); }
std::int64_t leadingOnes(std::uint64_t number, int bits) { return leadingZeros(bitsOf(std::int64_t(~number), bits), bits); }
std::int64_t trailingOnes(std::uint64_t number, int) { return std::countr_one(number); }
std::int64_t firstSet(std::uint64_t number, int) { return number == 0 ? 0 : std::countr_zero(number) + 1; }
std::int64_t hasOne(std::uint64_t number, int) { return std::has_single_bit(number); }
std::int64_t floorOf(std::uint64_t number, int) { return std::int64_t(std::bit_floor(number)); }
std::int64_t ceilOf(std::uint64_t number, int) { return number > std::uint64_t(1) << 63 ? 0 : std::int64_t(std::bit_ceil(number)); }
std::int64_t swappedBytes(std::uint64_t number, int bits) { return std::int64_t(std::byteswap(number) >> (64 - bits)); }

constexpr std::array kFunctions {
    BitFunction { "bit_width", width },
    BitFunction { "popcount", setBits },
    BitFunction { "countl_zero", leadingZeros },
    BitFunction { "countl_one", leadingOnes },
    BitFunction { "countr_zero", trailingZeros },
    BitFunction { "countr_one", trailingOnes },
    BitFunction { "has_single_bit", hasOne, Kind::None, Kind::Bool },
    BitFunction { "bit_floor", floorOf, Kind::None, Kind::None },
    BitFunction { "bit_ceil", ceilOf, Kind::None, Kind::None },
    BitFunction { "byteswap", swappedBytes, Kind::None, Kind::None },
    BitFunction { "__builtin_popcount", setBits, Kind::U32 },
    BitFunction { "__builtin_popcountl", setBits, Kind::U64 },
    BitFunction { "__builtin_popcountll", setBits, Kind::U64 },
    BitFunction { "__builtin_parity", parity, Kind::U32 },
    BitFunction { "__builtin_parityll", parity, Kind::U64 },
    BitFunction { "__builtin_clz", leadingZeros, Kind::U32 },
    BitFunction { "__builtin_clzl", leadingZeros, Kind::U64 },
    BitFunction { "__builtin_clzll", leadingZeros, Kind::U64 },
    BitFunction { "__builtin_ctz", trailingZeros, Kind::U32 },
    BitFunction { "__builtin_ctzl", trailingZeros, Kind::U64 },
    BitFunction { "__builtin_ctzll", trailingZeros, Kind::U64 },
    BitFunction { "__builtin_ffs", firstSet, Kind::U32 },
    BitFunction { "__builtin_ffsll", firstSet, Kind::U64 },
    BitFunction { "__builtin_bswap32", swappedBytes, Kind::U32, Kind::U32 },
    BitFunction { "__builtin_bswap64", swappedBytes, Kind::U64, Kind::U64 },
};

} // namespace

const BitFunction* bitFunction(std::string_view name)
{
    const auto* const known = std::ranges::find(kFunctions, name, &BitFunction::name);
    return known == kFunctions.end() ? nullptr : known;
}

std::uint64_t bitsOf(std::int64_t number, int bits) { return std::uint64_t(number) << (64 - bits) >> (64 - bits); }

std::uint64_t rotatedLeft(std::uint64_t number, int bits, std::int64_t by)
{
    const auto left = int((by % bits + bits) % bits);
    return left == 0 ? number : bitsOf(std::int64_t(number << left | number >> (bits - left)), bits);
}

/// std::bit_cast<T>(value)
Value Run::bitCast(const Type& type, const Value& value)
{
    const std::vector<std::uint8_t> content = value.kind == Kind::Pointer ? std::vector<std::uint8_t> {} : bytesOfVariable(value);
    const bool isKnown = !content.empty() && content.size() == type.bytes();
    return isKnown ? valueOfBytes(type, content.data()) : Value::unknown(type.kind);
}

std::optional<Value> Run::callBits(std::string_view name, const Node& node)
{
    if (name == "bit_cast" && node.kids.size() == 1 && node.types.size() == 1)
        return bitCast(*resolve(node.types[0]), value(*node.kids[0]));
    const bool isRotation = isAmong(name, { "rotl", "rotr" }) && node.kids.size() == 2;
    const BitFunction* const known = node.kids.size() == 1 ? bitFunction(name) : nullptr;
    if (!known && !isRotation)
        return std::nullopt;
    const std::vector<Value> given = argumentValues(node.kids);
    const Value of = known && known->taken != Kind::None ? host::converted(given[0], known->taken) : given[0];
    const Kind kind = known && known->returned != Kind::None ? known->returned : of.kind;
    if (!std::ranges::all_of(given, [](const Value& value) { return value.isKnown && isInteger(value.kind); }))
        return Value::unknown(kind);
    const int bits = 8 * bytesOf(of.kind);
    const std::uint64_t number = bitsOf(of.integer, bits);
    return Value::of(kind, known ? known->of(number, bits) : std::int64_t(rotatedLeft(number, bits, name == "rotl" ? given[1].integer : -given[1].integer)));
}

} // namespace coalescope::kernels::host
