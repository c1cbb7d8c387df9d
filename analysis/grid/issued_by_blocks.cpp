// SPDX-License-Identifier: Apache-2.0
#include "analysis/grid/issued_by_blocks.h"

#include "analysis/execute/access_checks.h"

#include <algorithm>

namespace coalescope::analysis {

namespace {

constexpr double kEqual = 1.05; ///< the busiest block to the average one

} // namespace

void IssuedByBlocks::add(const Box& box, std::uint64_t warpInstructions)
{
    if (m_grid.count() > kMostBlocks)
        return;
    if (box.isSingle())
        m_singles.emplace_back(std::uint32_t(orderOf(m_grid, box.origin)), std::uint32_t(warpInstructions));
    else
        m_boxes.emplace_back(box, std::uint32_t(warpInstructions));
}

void IssuedByBlocks::merge(const IssuedByBlocks& other)
{
    m_singles.insert(m_singles.end(), other.m_singles.begin(), other.m_singles.end());
    m_boxes.insert(m_boxes.end(), other.m_boxes.begin(), other.m_boxes.end());
}

std::vector<std::uint32_t> IssuedByBlocks::unequal() const
{
    double sum = 0;
    std::uint32_t most = 0;
    for (const auto& [box, issued] : m_boxes) {
        sum += double(box.volume()) * issued;
        most = std::max(most, issued);
    }
    for (const auto& [place, issued] : m_singles) {
        sum += issued;
        most = std::max(most, issued);
    }
    const std::uint64_t blocks = m_grid.count();
    if (most <= kEqual * sum / double(blocks))
        return {};
    std::vector<std::uint32_t> result(blocks);
    for (const auto& [place, issued] : m_singles)
        result[place] = issued;
    for (const auto& [box, issued] : m_boxes)
        for (const Box& single : singles(box))
            result[orderOf(m_grid, single.origin)] = issued;
    return result;
}

} // namespace coalescope::analysis
