// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/global_memory.h"

#include "analysis/result/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace coalescope::analysis {

namespace {

constexpr std::uint64_t kNullBytes = 4096; // what a null pointer plus a small offset reaches
constexpr std::uint64_t kNearBytes = 1 << 20;
constexpr std::size_t kPagesKept = 4096; // 16 MiB a thread between blocks

std::vector<std::uint64_t> sizesOf(const MemoryMap& map)
{
    std::vector<std::uint64_t> sizes;
    for (const Buffer& buffer : map.buffers())
        sizes.push_back(buffer.bytes);
    return sizes;
}

} // namespace

Buffer bufferOf(const Symbol& symbol)
{
    return { .name = symbol.name,
        .address = symbol.address,
        .bytes = symbol.size,
        .fill = [initial = symbol.initial](std::uint64_t first, std::span<std::uint8_t> out) {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = first + i < initial.size() ? initial[std::size_t(first + i)] : 0;
        } };
}

MemoryMap::MemoryMap(const Launch& launch, const Program& program)
    : m_buffers(launch.buffers)
{
    for (const Symbol& symbol : program.symbols) {
        if (symbol.space == Space::Global)
            m_buffers.push_back(bufferOf(symbol));
        else if (symbol.space == Space::Constant)
            m_constants.push_back(symbol);
    }
    std::ranges::stable_sort(m_buffers, {}, &Buffer::address);
}

std::optional<std::size_t> MemoryMap::find(std::uint64_t address, std::uint64_t width) const
{
    const auto next = std::ranges::upper_bound(m_buffers, address, {}, &Buffer::address);
    if (next == m_buffers.begin())
        return std::nullopt;
    const Buffer& buffer = *(next - 1);
    const std::uint64_t offset = address - buffer.address;
    if (offset >= buffer.bytes || width > buffer.bytes - offset)
        return std::nullopt;
    return std::size_t(next - 1 - m_buffers.begin());
}

std::optional<BesideBuffer> MemoryMap::beside(std::uint64_t address, std::uint64_t width) const
{
    BesideBuffer nearest;
    for (const Buffer& buffer : m_buffers) {
        const bool isBefore = address < buffer.address;
        const std::uint64_t offset = address - buffer.address, left = buffer.bytes - std::min(buffer.bytes, offset); // in the buffer, from there on
        const std::uint64_t away = isBefore ? buffer.address - address : offset - std::min(buffer.bytes, offset) + width - std::min(left, width);
        if (nearest.buffer == nullptr || away < nearest.distance)
            nearest = { &buffer, away, isBefore };
    }
    if (nearest.buffer == nullptr || nearest.distance > std::max(nearest.buffer->bytes, kNearBytes))
        return std::nullopt;
    return nearest;
}

std::string MemoryMap::describe(std::uint64_t address, std::uint64_t width) const
{
    const auto what = fmt::format("{} at {:#x}", counted(width, "byte"), address);
    if (address < kNullBytes)
        return what + ", through a null pointer";
    if (m_buffers.empty())
        return what + ", and the launch has no buffer";
    const auto near = beside(address, width);
    if (!near)
        return what + ", which lies in no buffer, nor near one";
    return fmt::format("{}, reaching {} {} buffer `{}` of {} bytes", what, counted(near->distance, "byte"),
        near->isBefore ? "before the start of" : "past the end of", near->buffer->name, near->buffer->bytes);
}

bool MemoryMap::readConstant(std::uint64_t address, std::span<std::uint8_t> out) const
{
    std::ranges::fill(out, std::uint8_t(0));
    for (const Symbol& symbol : m_constants) {
        if (address < symbol.address || address + out.size() > symbol.address + symbol.size)
            continue;
        const auto first = std::size_t(address - symbol.address);
        for (std::size_t i = 0; i < out.size() && first + i < symbol.initial.size(); ++i)
            out[i] = symbol.initial[first + i];
        return true;
    }
    return false;
}

GlobalMemory::GlobalMemory(const MemoryMap& map, Keep keep)
    : m_map(map)
    , m_keep(keep)
    , m_chunks(map.buffers().size())
    , m_uses(map.buffers().size())
    , m_lineUses(sizesOf(map))
{
    constexpr std::uint64_t kChunkBytes = kPageBytes * kChunkPages;
    for (std::size_t b = 0; b < m_chunks.size(); ++b)
        m_chunks[b].resize(std::size_t((map.buffers()[b].bytes + kChunkBytes - 1) / kChunkBytes));
}

GlobalMemory::Page& GlobalMemory::page(std::size_t buffer, std::uint64_t number)
{
    auto& chunk = m_chunks[buffer][std::size_t(number / kChunkPages)];
    if (!chunk)
        chunk = std::make_unique<Chunk>();
    auto& slot = (*chunk)[std::size_t(number % kChunkPages)];
    if (slot)
        return *slot;
    const Buffer& b = m_map.buffers()[buffer];
    const std::uint64_t first = number * kPageBytes;
    slot = std::make_unique<Page>();
    slot->bytes.resize(std::size_t(std::min(kPageBytes, b.bytes - first)));
    if (b.fill)
        b.fill(first, slot->bytes);
    if (m_keep == Keep::Writers)
        slot->writer.assign(slot->bytes.size(), kNone);
    ++m_pageCount;
    return *slot;
}

void GlobalMemory::load(std::uint64_t address, std::span<std::uint8_t> out)
{
    if (const auto buffer = m_map.find(address, out.size()))
        load(*buffer, address - m_map.buffers()[*buffer].address, out);
}

void GlobalMemory::load(std::size_t buffer, std::uint64_t offset, std::span<std::uint8_t> out)
{
    while (!out.empty()) {
        const Page& p = page(buffer, offset / kPageBytes);
        const auto at = std::size_t(offset % kPageBytes);
        const std::size_t n = std::min(out.size(), p.bytes.size() - at);
        std::memcpy(out.data(), p.bytes.data() + at, n);
        out = out.subspan(n);
        offset += n;
    }
}

GlobalMemory::PageBytes GlobalMemory::pageAt(std::size_t buffer, std::uint64_t offset)
{
    return { offset - offset % kPageBytes, page(buffer, offset / kPageBytes).bytes };
}

void GlobalMemory::store(
    std::uint64_t address, std::span<const std::uint8_t> bytes, std::uint32_t instruction)
{
    if (const auto buffer = m_map.find(address, bytes.size()))
        store(*buffer, address - m_map.buffers()[*buffer].address, bytes, instruction);
}

void GlobalMemory::store(std::size_t buffer, std::uint64_t offset,
    std::span<const std::uint8_t> bytes, std::uint32_t instruction)
{
    m_uses[buffer].storedBy = std::min(m_uses[buffer].storedBy, instruction);
    if (m_block)
        m_lineUses.note(buffer, offset, *m_block, LineUses::Kind::Store);
    while (!bytes.empty()) {
        Page& p = page(buffer, offset / kPageBytes);
        const auto at = std::size_t(offset % kPageBytes);
        std::size_t n = std::min(bytes.size(), p.bytes.size() - at);
        if (m_keep == Keep::UndoLog) {
            Undo& undo = m_undo.emplace_back();
            n = std::min(n, undo.before.size());
            undo.at = &p.bytes[at];
            undo.count = std::uint8_t(n);
            std::memcpy(undo.before.data(), undo.at, n);
        } else if (m_keep == Keep::Writers) {
            std::fill_n(p.writer.begin() + std::ptrdiff_t(at), n, instruction);
        }
        std::memcpy(&p.bytes[at], bytes.data(), n);
        bytes = bytes.subspan(n);
        offset += n;
    }
}

void GlobalMemory::noteLoad(std::uint64_t address, std::uint32_t instruction)
{
    if (const auto buffer = m_map.find(address, 1))
        noteLoad(*buffer, address - m_map.buffers()[*buffer].address, instruction);
}

void GlobalMemory::noteLoad(std::size_t buffer, std::uint64_t offset, std::uint32_t instruction)
{
    m_uses[buffer].loadedBy = std::min(m_uses[buffer].loadedBy, instruction);
    if (m_block)
        m_lineUses.note(buffer, offset, *m_block, LineUses::Kind::Load);
}

void GlobalMemory::undoStores()
{
    for (auto undo = m_undo.rbegin(); undo != m_undo.rend(); ++undo)
        std::memcpy(undo->at, undo->before.data(), undo->count);
    m_undo.clear();
    if (m_pageCount <= kPagesKept)
        return;
    for (auto& chunks : m_chunks)
        for (auto& chunk : chunks)
            chunk.reset();
    m_pageCount = 0;
}

void GlobalMemory::copyOut(
    std::size_t buffer, std::vector<std::uint8_t>& bytes, std::vector<std::uint32_t>& writer)
{
    bytes.clear();
    writer.clear();
    const std::uint64_t pages = (m_map.buffers()[buffer].bytes + kPageBytes - 1) / kPageBytes;
    for (std::uint64_t number = 0; number < pages; ++number) {
        const Page& p = page(buffer, number);
        bytes.insert(bytes.end(), p.bytes.begin(), p.bytes.end());
        writer.insert(writer.end(), p.writer.begin(), p.writer.end());
    }
}

void GlobalMemory::copyTouched(std::size_t buffer, std::span<std::uint8_t> bytes) const
{
    const auto& chunks = m_chunks[buffer];
    for (std::size_t i = 0; i < chunks.size(); ++i)
        for (std::size_t k = 0; chunks[i] && k < kChunkPages; ++k)
            if (const auto& touched = (*chunks[i])[k])
                std::ranges::copy(touched->bytes, bytes.begin() + std::ptrdiff_t((i * kChunkPages + k) * kPageBytes));
}

} // namespace coalescope::analysis
