// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/line_uses.h"

#include <algorithm>

namespace coalescope::analysis {

LineUses::LineUses(std::span<const std::uint64_t> bufferBytes)
{
    for (const std::uint64_t bytes : bufferBytes)
        m_chunks.emplace_back(std::size_t(bytes / (kLineBytes * kChunkLines) + 1));
}

void LineUses::merge(const LineUses& other)
{
    for (std::size_t b = 0; b < m_chunks.size(); ++b) {
        for (std::size_t c = 0; c < m_chunks[b].size(); ++c) {
            const Chunk& more = other.m_chunks[b][c];
            Chunk& lines = m_chunks[b][c];
            if (lines.empty()) {
                lines = more;
                continue;
            }
            for (std::size_t l = 0; l < more.size(); ++l)
                for (std::size_t kind = 0; kind < 2; ++kind)
                    lines[l].by[kind] = joined(lines[l].by[kind], more[l].by[kind]);
        }
    }
}

bool LineUses::meet(std::size_t buffer) const
{
    return std::ranges::any_of(m_chunks[buffer], [](const Chunk& chunk) {
        return std::ranges::any_of(chunk, [](const Line& line) {
            const auto [loads, stores] = line.by;
            return loads != kNobody && stores != kNobody && (loads != stores || loads == kSeveral);
        });
    });
}

} // namespace coalescope::analysis
