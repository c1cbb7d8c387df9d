// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/element_type.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <utility>

namespace coalescope::kernels {
namespace {

/// A hash of a counter (the finalizer of SplitMix64): any element can be made on its own.
std::uint64_t mixed(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

constexpr int significandBits(ElementType type)
{
    switch (type) {
    case ElementType::F16: return 11;
    case ElementType::BF16: return 8;
    case ElementType::F32: return 24;
    default: return 53;
    }
}

/// From `low` to below `high`; floats are rounded to their type.
template <ElementType Type> std::uint64_t boundedBits(const Fill& fill, std::uint64_t hash)
{
    const double span = fill.high - fill.low, offset = double(hash >> 11) * 0x1p-53 * span;
    if constexpr (kElementTypes[std::size_t(Type)].kind == ElementKind::Float)
        return floatBits(Type, fill.low + offset);
    return std::uint64_t(std::int64_t(fill.low)) + std::min(std::uint64_t(offset), std::uint64_t(span) - 1);
}

/// Integers over their whole range; floats in [-1, 1), each exact in its type.
template <ElementType Type> std::uint64_t randomBits(std::uint64_t hash)
{
    constexpr int kBits = significandBits(Type);
    if constexpr (kElementTypes[std::size_t(Type)].kind != ElementKind::Float)
        return hash;
    const double value = double(hash >> (64 - kBits)) * (2.0 / double(1ull << kBits)) - 1; // exact
    if constexpr (Type == ElementType::F32)
        return std::bit_cast<std::uint32_t>(float(value));
    return floatBits(Type, value);
}

/// In the element's type: small integers wrap, floats round.
template <ElementType Type> std::uint64_t iotaBits(const Fill& fill, std::uint64_t index)
{
    if constexpr (kElementTypes[std::size_t(Type)].kind == ElementKind::Float)
        return floatBits(Type, fill.start + fill.step * double(index));
    return std::uint64_t(std::int64_t(fill.start)) + std::uint64_t(std::int64_t(fill.step)) * index;
}

/// Writes bytes [first, ...) of the elements that `make` gives; little-endian, as the GPU is.
template <std::size_t Width, class Make> void writeElements(std::uint64_t first, std::span<std::uint8_t> out, Make make)
{
    std::uint64_t index = first / Width;
    std::size_t done = 0;
    const auto part = [&](std::size_t skip, std::size_t count) {
        const std::uint64_t bits = make(index++);
        std::memcpy(out.data() + done, reinterpret_cast<const char*>(&bits) + skip, count);
        done += count;
    };
    if (const std::size_t skip = first % Width; skip && !out.empty())
        part(skip, std::min(Width - skip, out.size()));
    for (; out.size() - done >= Width; done += Width) {
        const std::uint64_t bits = make(index++);
        std::memcpy(out.data() + done, &bits, Width);
    }
    if (done < out.size())
        part(0, out.size() - done);
}

template <ElementType Type> void writeFill(const Fill& fill, std::uint64_t first, std::span<std::uint8_t> out)
{
    constexpr std::size_t kWidth = std::size_t(kElementTypes[std::size_t(Type)].bytes);
    const std::uint64_t seedHash = mixed(fill.seed);
    if (fill.kind == FillKind::Iota)
        writeElements<kWidth>(first, out, [&](std::uint64_t i) { return iotaBits<Type>(fill, i); });
    else if (fill.hasBounds)
        writeElements<kWidth>(first, out, [&](std::uint64_t i) { return boundedBits<Type>(fill, mixed(seedHash ^ i)); });
    else
        writeElements<kWidth>(first, out, [=](std::uint64_t i) { return randomBits<Type>(mixed(seedHash ^ i)); });
}

using Writer = void (*)(const Fill&, std::uint64_t, std::span<std::uint8_t>);

template <std::size_t... Types> constexpr auto writersOf(std::index_sequence<Types...>)
{
    return std::array<Writer, sizeof...(Types)> { &writeFill<ElementType(Types)>... };
}
constexpr auto kWriters = writersOf(std::make_index_sequence<kElementTypes.size()>()); // one an element type

Result<void> readFile(const BufferPlan& buffer, std::uint64_t first, std::span<std::uint8_t> out)
{
    const std::string name = buffer.fill.file.string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(buffer.fill.file, error))
        return fail(ErrorCode::FileFailed, "the fill '" + name + "' is no regular file", name);
    const std::uint64_t bytes = buffer.count * std::uint64_t(bytesOf(buffer.type));
    const std::uint64_t held = std::filesystem::file_size(buffer.fill.file, error);
    if (error || held < bytes)
        return fail(ErrorCode::BadInput,
            "the fill '" + name + "' holds " + std::to_string(error ? 0 : held) + " bytes where the buffer '" + buffer.name
                + "' needs " + std::to_string(bytes),
            name);
    std::ifstream file(buffer.fill.file, std::ios::binary);
    file.seekg(std::streamoff(first));
    file.read(reinterpret_cast<char*>(out.data()), std::streamsize(out.size()));
    if (!file)
        return fail(ErrorCode::FileFailed, "the fill '" + name + "' could not be read", name);
    return {};
}

} // namespace

Result<void> fillBytes(const BufferPlan& buffer, std::uint64_t first, std::span<std::uint8_t> out)
{
    const std::uint64_t width = std::uint64_t(bytesOf(buffer.type));
    if (first > buffer.count * width || out.size() > buffer.count * width - first)
        return fail(ErrorCode::WrongUsage, "the range lies outside the buffer '" + buffer.name + "'");
    if (buffer.fill.kind == FillKind::Zero) {
        std::ranges::fill(out, std::uint8_t(0));
        return {};
    }
    if (buffer.fill.kind == FillKind::File)
        return readFile(buffer, first, out);
    kWriters[std::size_t(buffer.type)](buffer.fill, first, out);
    return {};
}

} // namespace coalescope::kernels
