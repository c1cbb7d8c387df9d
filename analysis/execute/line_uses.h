// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coalescope::analysis {

/// Which block loads and which stores in each 128 bytes of the buffers, of blocks that are executed
/// each for itself: what one loads that another stores is not as it is on the GPU.
class LineUses {
public:
    enum class Kind : std::uint8_t { Load, Store };
    static constexpr std::uint64_t kLineBytes = 128;

    /// `bufferBytes`: how large each buffer is.
    explicit LineUses(std::span<const std::uint64_t> bufferBytes);

    /// An access that crosses no line. `block`: its number in the grid.
    void note(std::size_t buffer, std::uint64_t offset, std::uint64_t block, Kind kind)
    {
        std::uint32_t& by = at(buffer, offset / kLineBytes).by[kind == Kind::Load ? 0 : 1];
        by = joined(by, std::uint32_t(block % kSeveral) + 1);
    }
    void merge(const LineUses& other);
    /// A block loads in a line of the buffer in which another one stores.
    [[nodiscard]] bool meet(std::size_t buffer) const;

private:
    static constexpr std::size_t kChunkLines = 4096;
    static constexpr std::uint32_t kNobody = 0, kSeveral = 0xffff'fffe; ///< others: a block's number and 1
    struct Line {
        std::array<std::uint32_t, 2> by = { kNobody, kNobody }; ///< loads, stores
    };
    using Chunk = std::vector<Line>;

    [[nodiscard]] static std::uint32_t joined(std::uint32_t a, std::uint32_t b)
    {
        if (a == b || b == kNobody)
            return a;
        return a == kNobody ? b : kSeveral;
    }
    [[nodiscard]] Line& at(std::size_t buffer, std::uint64_t line)
    {
        auto& chunk = m_chunks[buffer][std::size_t(line / kChunkLines)];
        if (chunk.empty())
            chunk.resize(kChunkLines);
        return chunk[std::size_t(line % kChunkLines)];
    }

    std::vector<std::vector<Chunk>> m_chunks; ///< [buffer][line / kChunkLines], made when first touched
};

} // namespace coalescope::analysis
