// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/block_moves.h"

#include <algorithm>

namespace coalescope::kernels {

namespace {

/// A box of fewer of the grid's blocks does not speak for the others.
constexpr std::uint64_t kLeastShare = 4;

std::size_t dimensionOf(const analysis::Axis& axis)
{
    return axis.step[0] != 0 ? 0 : axis.step[1] != 0 ? 1 : 2;
}

std::array<std::uint64_t, 3> sizesOf(analysis::Dim3 grid) { return { grid.x, grid.y, grid.z }; }

/// Indices of the box's axes in the order in which their blocks start.
std::vector<std::size_t> startOrder(const analysis::Box& box)
{
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < std::size_t(box.axes); ++k)
        order.push_back(k);
    std::ranges::sort(order, {}, [&](std::size_t k) {
        const std::size_t d = dimensionOf(box.axis[k]);
        return std::pair(d, box.axis[k].step[d]);
    });
    return order;
}

bool coversEveryDimension(const analysis::Box& box, analysis::Dim3 grid)
{
    const auto sizes = sizesOf(grid);
    for (std::size_t d = 0; d < 3; ++d) {
        const auto along = [&](const analysis::Axis& axis) { return dimensionOf(axis) == d; };
        if (sizes[d] > 1 && std::none_of(box.axis.begin(), box.axis.begin() + box.axes, along))
            return false;
    }
    return true;
}

} // namespace

std::optional<BlockMoves> BlockMoves::of(const analysis::GridTotals& totals,
    analysis::Dim3 grid, const analysis::BlockTrace& trace, AccessFilter wanted)
{
    if (!totals.moves || totals.moves->box.volume() < grid.count() / kLeastShare)
        return {};
    const analysis::Box& box = totals.moves->box;
    BlockMoves moves;
    moves.m_grid = grid;
    moves.m_coversGrid = coversEveryDimension(box, grid);
    moves.m_origin = box.origin;
    moves.m_traced = { trace.block.x, trace.block.y, trace.block.z };
    moves.m_groupOf.assign(totals.moves->instructions.size(), analysis::kNone);
    const std::array<double, 3> rowStride { 1, double(grid.x), double(grid.x) * grid.y };
    const auto order = startOrder(box);
    const auto sizes = sizesOf(grid);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const analysis::Axis& axis = box.axis[order[i]];
        const std::size_t d = dimensionOf(axis);
        // An axis goes on to where the next one of its dimension, or the grid, takes over: the box
        // may have lost its border.
        const bool hasNext = i + 1 < order.size() && dimensionOf(box.axis[order[i + 1]]) == d;
        const std::int64_t end = hasNext ? box.axis[order[i + 1]].step[d] : std::int64_t(sizes[d]);
        const std::int64_t blocks = (end + axis.step[d] - 1) / axis.step[d];
        moves.m_axes.push_back({ double(blocks), rowStride[d] * double(axis.step[d]) });
        moves.m_lattice.push_back(axis);
    }
    for (const auto& warp : trace.warps) {
        for (const analysis::TraceStep& step : warp) {
            if (!wanted(step) || moves.m_groupOf[step.instruction] != analysis::kNone)
                continue;
            const auto& move = totals.moves->instructions[step.instruction];
            if (!move)
                return {};
            Steps steps {};
            for (std::size_t i = 0; i < order.size(); ++i)
                steps[i] = (*move)[order[i]];
            const auto same = std::ranges::find(moves.m_moves, steps);
            moves.m_groupOf[step.instruction] = std::uint32_t(same - moves.m_moves.begin());
            if (same == moves.m_moves.end())
                moves.m_moves.push_back(steps);
        }
    }
    return moves;
}

BlockMoves::Steps BlockMoves::stepsTo(std::array<std::int64_t, 3> block) const
{
    Steps steps {};
    for (std::size_t d = 0; d < 3; ++d)
        block[d] -= m_origin[d];
    std::array<bool, 3> isOutermost { true, true, true };
    for (std::size_t i = m_lattice.size(); i-- > 0;) {
        const analysis::Axis& axis = m_lattice[i];
        const std::size_t d = dimensionOf(axis);
        steps[i] = block[d] >= 0 ? block[d] / axis.step[d]
                                 : -((axis.step[d] - 1 - block[d]) / axis.step[d]);
        if (!isOutermost[d])
            steps[i] = std::clamp<std::int64_t>(steps[i], 0, std::int64_t(m_axes[i].blocks) - 1);
        isOutermost[d] = false;
        block[d] -= steps[i] * axis.step[d];
    }
    return steps;
}

std::vector<std::int64_t> BlockMoves::shifts(std::uint64_t block) const
{
    const std::uint64_t row = m_grid.x, plane = row * m_grid.y;
    const Steps from = stepsTo(m_traced);
    const Steps to = stepsTo({ std::int64_t(block % row), std::int64_t(block % plane / row),
        std::int64_t(block / plane) });
    std::vector<std::int64_t> shifts;
    for (const Steps& move : m_moves) {
        std::int64_t shift = 0;
        for (std::size_t i = 0; i < m_lattice.size(); ++i)
            shift += (to[i] - from[i]) * move[i];
        shifts.push_back(shift);
    }
    return shifts;
}

} // namespace coalescope::kernels
