// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/element_type.h"

#include <algorithm>
#include <cstring>
#include <fstream>

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

/// Integers over their whole range; floats in [-1, 1), each exact in its type.
std::uint64_t randomBits(const ElementTypeInfo& info, std::uint64_t seed, std::uint64_t index)
{
    const std::uint64_t hash = mixed(mixed(seed) ^ index);
    if (info.kind != ElementKind::Float)
        return hash;
    int significand = 53;
    switch (info.type) {
    case ElementType::F16: significand = 11; break;
    case ElementType::BF16: significand = 8; break;
    case ElementType::F32: significand = 24; break;
    default: break;
    }
    const double unit = double(hash >> (64 - significand)) / double(1ull << significand); // [0, 1)
    return floatBits(info.type, 2 * unit - 1);
}

std::uint64_t elementBits(const ElementTypeInfo& info, const Fill& fill, std::uint64_t index)
{
    if (fill.kind == FillKind::Random)
        return randomBits(info, fill.seed, index);
    return info.kind == ElementKind::Float ? floatBits(info.type, double(index)) : index;
}

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
    const ElementTypeInfo& info = infoOf(buffer.type);
    const std::uint64_t width = std::uint64_t(info.bytes);
    if (first > buffer.count * width || out.size() > buffer.count * width - first)
        return fail(ErrorCode::WrongUsage, "the range lies outside the buffer '" + buffer.name + "'");
    if (buffer.fill.kind == FillKind::Zero) {
        std::ranges::fill(out, std::uint8_t(0));
        return {};
    }
    if (buffer.fill.kind == FillKind::File)
        return readFile(buffer, first, out);
    std::uint64_t done = 0;
    while (done < out.size()) {
        const std::uint64_t index = (first + done) / width, skip = (first + done) % width;
        const std::uint64_t bits = elementBits(info, buffer.fill, index); // little-endian, as the GPU is
        const std::uint64_t part = std::min<std::uint64_t>(width - skip, out.size() - done);
        std::memcpy(out.data() + done, reinterpret_cast<const char*>(&bits) + skip, part);
        done += part;
    }
    return {};
}

} // namespace coalescope::kernels
