// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/box.h"

namespace coalescope::analysis {

void Box::add(Axis added)
{
    if (added.extent > 1)
        axis[std::size_t(axes++)] = added;
}

std::uint64_t Box::volume() const
{
    std::uint64_t blocks = 1;
    for (int k = 0; k < axes; ++k)
        blocks *= std::uint64_t(axis[std::size_t(k)].extent);
    return blocks;
}

std::array<std::int64_t, 3> Box::block(const std::array<std::int64_t, kMaxAxes>& t) const
{
    auto at = origin;
    for (std::size_t k = 0; k < std::size_t(axes); ++k)
        for (std::size_t d = 0; d < 3; ++d)
            at[d] += t[k] * axis[k].step[d];
    return at;
}

int Box::longestAxis(unsigned among) const
{
    int longest = -1;
    for (int k = 0; k < axes; ++k)
        if ((among >> k & 1)
            && (longest < 0 || axis[std::size_t(k)].extent > axis[std::size_t(longest)].extent))
            longest = k;
    return longest;
}

Box wholeGrid(Dim3 grid)
{
    Box box;
    box.add({ .extent = grid.x, .step = { 1, 0, 0 } });
    box.add({ .extent = grid.y, .step = { 0, 1, 0 } });
    box.add({ .extent = grid.z, .step = { 0, 0, 1 } });
    return box;
}

Box singleBlock(Dim3 block) { return { .origin = { block.x, block.y, block.z } }; }

namespace {

/// The box with one axis replaced by another that starts `skip` steps later.
Box withAxis(const Box& box, int axis, std::int64_t skip, std::int64_t extent)
{
    Box part { .origin = box.origin };
    for (int k = 0; k < box.axes; ++k) {
        Axis a = box.axis[std::size_t(k)];
        if (k == axis) {
            for (std::size_t d = 0; d < 3; ++d)
                part.origin[d] += skip * a.step[d];
            a.extent = extent;
        }
        part.add(a);
    }
    return part;
}

} // namespace

std::vector<Box> parts(const Box& box, const Split& split)
{
    const Axis& old = box.axis[std::size_t(split.axis)];
    if (split.kind == SplitKind::Cut)
        return { withAxis(box, split.axis, 0, split.at),
            withAxis(box, split.axis, split.at, old.extent - split.at) };
    const std::int64_t periods = old.extent / split.at, rest = old.extent % split.at;
    std::vector<Box> result { withAxis(box, split.axis, 0, split.at) };
    Axis outer { .extent = periods, .step = old.step };
    for (auto& step : outer.step)
        step *= split.at;
    result.front().add(outer);
    if (rest != 0)
        result.push_back(withAxis(box, split.axis, periods * split.at, rest));
    return result;
}

std::vector<Box> singles(const Box& box)
{
    std::vector<Box> result;
    result.reserve(box.volume());
    std::array<std::int64_t, kMaxAxes> t {};
    for (std::uint64_t i = 0, n = box.volume(); i < n; ++i) {
        result.push_back({ .origin = box.block(t) });
        for (std::size_t k = 0; k < std::size_t(box.axes) && ++t[k] == box.axis[k].extent; ++k)
            t[k] = 0;
    }
    return result;
}

} // namespace coalescope::analysis
