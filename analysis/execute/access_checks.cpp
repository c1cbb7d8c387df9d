// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/access_checks.h"

#include "analysis/result/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace coalescope::analysis {

std::uint64_t orderOf(Dim3 grid, const std::array<std::int64_t, 3>& block)
{
    return (std::uint64_t(block[2]) * grid.y + std::uint64_t(block[1])) * grid.x
        + std::uint64_t(block[0]);
}

std::string threadName(Dim3 shape, std::uint32_t thread)
{
    return fmt::format("thread ({}, {}, {})", thread % shape.x, thread / shape.x % shape.y,
        thread / shape.x / shape.y);
}
std::string whoIs(const Warp& w, int lane, const std::array<std::int64_t, 3>& block)
{
    const std::uint32_t thread = w.index * kWarpLanes + std::uint32_t(lane);
    return fmt::format("{} of block ({}, {}, {})", threadName(w.block->launch().block, thread),
        block[0], block[1], block[2]);
}

void report(Warp& w, const Decoded& d, HazardKind kind, int lane,
    const std::array<std::int64_t, kMaxAxes>& t, const std::string& what)
{
    Block& block = *w.block;
    const auto at = block.box().block(t);
    block.log().add(kind, d.source->lineToName(), 0, orderOf(block.launch().grid, at),
        [&] { return fmt::format("{} {}", whoIs(w, lane, at), what); });
}

void stopAt(Warp& w, const Decoded& d, int lane, const std::string& what)
{
    Block& block = *w.block;
    block.stop({ ErrorCode::ExecutionFailed, fmt::format("{} {}", whoIs(w, lane, block.box().origin), what),
        placeOf(*block.program().program, block.instructionOf(d)) });
}

namespace {

std::array<std::int64_t, kMaxAxes> corner(const Coefficients& c, const Box& box, bool high)
{
    std::array<std::int64_t, kMaxAxes> t {};
    for (std::size_t k = 0; k < std::size_t(box.axes); ++k)
        if (c.c[k] != 0 && (c.c[k] > 0) == high)
            t[k] = box.axis[k].extent - 1;
    return t;
}

std::string_view verb(Purpose purpose)
{
    return purpose == Purpose::Read ? "reads" : purpose == Purpose::Write ? "writes" : "updates";
}

/// Lanes whose global bytes lie in one buffer in every block of the box.
LaneMask inBuffers(Warp& w, const Decoded& d, const AccessPath& path, const AccessRequest& request)
{
    Block& block = *w.block;
    const Coefficients c = block.pool()[path.shift];
    const auto low = std::uint64_t(c.low);
    const std::uint64_t width = request.widthBytes;
    std::uint64_t least = ~0ull, most = 0;
    for (LaneMask rest = path.lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t a = path.address[std::size_t(std::countr_zero(rest))];
        least = std::min(least, a);
        most = std::max(most, a);
    }
    const auto first = Int128(least) + c.low, last = Int128(most) + c.high + width;
    if (first >= 0 && last - first <= INT64_MAX
        && block.map().find(std::uint64_t(first), std::uint64_t(last - first)))
        return path.lanes;
    LaneMask good = path.lanes;
    for (LaneMask rest = path.lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t a = path.address[std::size_t(lane)];
        const auto lowest = block.map().find(a + low, width);
        const auto highest = block.map().find(a + std::uint64_t(c.high), width);
        if (lowest && lowest == highest)
            continue;
        if (lowest && highest) { // two buffers: which one must be settled block by block
            block.askBisection(c.axes);
            return good;
        }
        good &= ~(1u << lane);
        const std::uint64_t bad = lowest ? a + std::uint64_t(c.high) : a + low;
        report(w, d, HazardKind::OutOfBounds, lane, corner(c, block.box(), lowest.has_value()),
            fmt::format("{} {}", verb(request.purpose), block.map().describe(bad, width)));
    }
    return good;
}

/// Lanes inside a window of `size` bytes.
LaneMask inWindow(Warp& w, const Decoded& d, const AccessPath& path, const AccessRequest& request,
    std::uint64_t size, std::string_view name)
{
    LaneMask good = path.lanes;
    for (LaneMask rest = path.lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t a = path.address[std::size_t(lane)];
        if (a + request.widthBytes <= size)
            continue;
        good &= ~(1u << lane);
        report(w, d, HazardKind::OutOfBounds, lane, {},
            fmt::format("{} {} at offset {} of {} memory, which has {} bytes",
                verb(request.purpose), counted(request.widthBytes, "byte"), a, name, size));
    }
    return good;
}

void checkAlignment(Warp& w, const Decoded& d, const AccessPath& path, const AccessRequest& request)
{
    Block& block = *w.block;
    const std::uint64_t low = request.widthBytes - 1u;
    std::uint64_t bits = 0;
    for (LaneMask rest = path.lanes; rest != 0; rest &= rest - 1)
        bits |= path.address[std::size_t(std::countr_zero(rest))];
    const Coefficients& c = block.pool()[path.shift];
    std::uint64_t steps = 0;
    for (const std::int64_t value : c.c)
        steps |= std::uint64_t(value);
    if (((bits | steps) & low) == 0)
        return;
    // One step along one axis leaves the alignment, or the first block has not got it.
    for (LaneMask rest = path.lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t a = path.address[std::size_t(lane)];
        std::array<std::int64_t, kMaxAxes> t {};
        for (std::size_t k = 0; (a & low) == 0 && k < c.c.size(); ++k)
            if (std::uint64_t(c.c[k]) & low) {
                t[k] = 1;
                break;
            }
        std::uint64_t at = a;
        for (std::size_t k = 0; k < t.size(); ++k)
            at += std::uint64_t(t[k] * c.c[k]);
        if (at & low)
            report(w, d, HazardKind::Misaligned, lane, t,
                fmt::format("{} {} bytes at {:#x}, which is no multiple of {}",
                    verb(request.purpose), request.widthBytes, at, request.widthBytes));
    }
}

} // namespace

LaneMask checkAccess(
    Warp& w, const Decoded& d, const AccessPath& path, const AccessRequest& request)
{
    Block& block = *w.block;
    checkAlignment(w, d, path, request);
    switch (path.space) {
    case Space::Global:
        return inBuffers(w, d, path, request);
    case Space::Shared:
        return inWindow(w, d, path, request, block.shared().size(), "shared");
    case Space::Local:
        return inWindow(w, d, path, request, block.local().bytesPerThread(), "local");
    case Space::Param:
        return inWindow(w, d, path, request, block.launch().parameters.size(), "parameter");
    default:
        return path.lanes;
    }
}

} // namespace coalescope::analysis
