// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/access_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace coalescope::analysis {

namespace {

    constexpr Space kWindows[] = { Space::Global, Space::Shared, Space::Local, Space::Constant, Space::Param };

    Space windowOf(std::uint64_t address)
    {
        switch (address >> 40 << 40) {
        case kSharedWindowBase: return Space::Shared;
        case kLocalWindowBase: return Space::Local;
        case kConstantBase: return Space::Constant;
        case kParamWindowBase: return Space::Param;
        default: return Space::Global;
        }
    }
    std::uint64_t windowStart(Space space)
    {
        switch (space) {
        case Space::Shared: return kSharedWindowBase;
        case Space::Local: return kLocalWindowBase;
        case Space::Param: return kParamWindowBase;
        default: return 0;
        }
    }
    bool isOffset(Space space)
    {
        return space == Space::Shared || space == Space::Local || space == Space::Param;
    }

    std::array<std::int64_t, kMaxAxes> corner(const Coefficients& c, const Box& box, bool high)
    {
        std::array<std::int64_t, kMaxAxes> t {};
        for (std::size_t k = 0; k < std::size_t(box.axes); ++k)
            if (c.c[k] != 0 && (c.c[k] > 0) == high)
                t[k] = box.axis[k].extent - 1;
        return t;
    }

    std::uint64_t orderOf(const Launch& launch, const std::array<std::int64_t, 3>& block)
    {
        return (std::uint64_t(block[2]) * launch.grid.y + std::uint64_t(block[1])) * launch.grid.x
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
        return fmt::format("{} of block ({}, {}, {})", threadName(w.block->launch().block, thread), block[0],
            block[1], block[2]);
    }

    std::string_view verb(Purpose purpose)
    {
        return purpose == Purpose::Read ? "reads" : purpose == Purpose::Write ? "writes" : "updates";
    }

    void report(Warp& w, const Decoded& d, HazardKind kind, int lane,
        const std::array<std::int64_t, kMaxAxes>& t, const std::string& what)
    {
        Block& block = *w.block;
        const auto at = block.box().block(t);
        block.log().add(kind, d.source->line, 0, orderOf(block.launch(), at),
            [&] { return fmt::format("{} {}", whoIs(w, lane, at), what); });
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
                fmt::format("{} {} byte{} at offset {} of {} memory, which has {} bytes",
                    verb(request.purpose), request.widthBytes, request.widthBytes == 1 ? "" : "s", a, name,
                    size));
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
                    fmt::format("{} {} bytes at {:#x}, which is no multiple of {}", verb(request.purpose),
                        request.widthBytes, at, request.widthBytes));
        }
    }

    LaneMask check(Warp& w, const Decoded& d, const AccessPath& path, const AccessRequest& request)
    {
        Block& block = *w.block;
        checkAlignment(w, d, path, request);
        switch (path.space) {
        case Space::Global: return inBuffers(w, d, path, request);
        case Space::Shared: return inWindow(w, d, path, request, block.shared().size(), "shared");
        case Space::Local: return inWindow(w, d, path, request, block.local().bytesPerThread(), "local");
        case Space::Param:
            return inWindow(w, d, path, request, block.launch().parameters.size(), "parameter");
        default: return path.lanes;
        }
    }

    /// Shared, local and constant memory hold one block's values: their addresses must not move.
    bool mayMove(Space space) { return space == Space::Global; }

    bool open(Warp& w, const Decoded& d, const AccessRequest& request, AccessPath& path)
    {
        Block& block = *w.block;
        if (path.shift != 0 && !mayMove(path.space)) {
            block.askBisection(block.pool()[path.shift].axes);
            return false;
        }
        path.good = check(w, d, path, request);
        if (block.isStopped())
            return false;
        if (path.space != Space::Global && path.space != Space::Shared && path.space != Space::Local)
            return true;
        const WarpAccess access { .space = path.space, .op = request.op, .widthBytes = request.widthBytes,
            .matrices = request.matrices, .active = path.lanes,
            .instruction = block.instructionOf(d), .address = path.address };
        return block.observe(w.index, access, path.shift) == Step::Next;
    }

} // namespace

bool openAccess(Warp& w, const Decoded& d, LaneMask mask, const AccessRequest& request,
    std::array<AccessPath, 5>& paths, int& count)
{
    Block& block = *w.block;
    const RegisterState& state = w.state(request.base);
    if (rules::asksForValue(w, state, mask))
        return false;
    const Word* base = w.value(request.base);
    AccessPath& first = paths[0];
    first = { .space = request.space, .lanes = mask, .shift = state.coefficients };
    const Word keep = isOffset(request.space) ? 0xffffffffu : ~Word(0);
#pragma GCC ivdep
    for (int lane = 0; lane < kWarpLanes; ++lane)
        first.address[std::size_t(lane)] = (base[lane] + Word(request.offset)) & keep;
    count = 1;
    if (request.space != Space::Generic)
        return open(w, d, request, first);

    std::array<LaneMask, std::size(kWindows)> lanesOf {};
    const auto& c = block.pool()[first.shift];
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = std::size_t(std::countr_zero(rest));
        const Space space = windowOf(first.address[lane] + std::uint64_t(c.low));
        if (space != windowOf(first.address[lane] + std::uint64_t(c.high))) {
            block.askBisection(c.axes);
            return false;
        }
        for (std::size_t k = 0; k < std::size(kWindows); ++k)
            if (kWindows[k] == space)
                lanesOf[k] |= 1u << lane;
    }
    const AccessPath generic = first;
    count = 0;
    for (std::size_t k = 0; k < std::size(kWindows); ++k) {
        if (lanesOf[k] == 0)
            continue;
        AccessPath& path = paths[std::size_t(count++)];
        path = generic;
        path.space = kWindows[k];
        path.lanes = lanesOf[k];
        for (auto& address : path.address)
            address -= windowStart(path.space);
        if (!open(w, d, request, path))
            return false;
    }
    return true;
}

void touchShared(Warp& w, const Decoded& d, std::uint64_t address, std::uint32_t width, int lane, Touch touch)
{
    Block& block = *w.block;
    const std::uint32_t thread = w.index * kWarpLanes + std::uint32_t(lane);
    const auto race = block.shared().touch(thread, block.instructionOf(d), touch, address, width);
    if (!race)
        return;
    const std::uint32_t line = d.source->line;
    const std::uint32_t otherLine = block.program().program->instructions[race->otherInstruction].line;
    const bool writes = touch != Touch::Read;
    // One entry however the two came about: the writing line first, of two writes the smaller.
    const bool swap = race->otherWrites && (!writes || otherLine < line);
    block.log().add(HazardKind::SharedRace, swap ? otherLine : line, swap ? line : otherLine,
        orderOf(block.launch(), block.box().origin), [&] {
            const auto verbs = [](bool w_) { return w_ ? "writes" : "reads"; };
            return fmt::format("{} {} shared bytes {} to {} at line {} and {} {} them at line {}, with no barrier "
                               "between",
                whoIs(w, lane, block.box().origin), verbs(writes), address, address + width - 1, line,
                threadName(block.launch().block, race->otherThread), verbs(race->otherWrites), otherLine);
        });
}

void loadLane(Warp& w, const Decoded& d, const AccessPath& path, int lane, std::uint32_t width, LaneBytes& out)
{
    if (!(path.good >> lane & 1))
        return; // out of bounds reads 0
    Block& block = *w.block;
    const std::uint64_t address = path.address[std::size_t(lane)];
    const auto bytes = std::span(out.bytes).first(width);
    const auto gather = [&](const std::uint8_t* data, const std::uint8_t* flags, std::uint16_t axes) {
        std::memcpy(bytes.data(), data, width);
        for (std::uint32_t b = 0; b < width; ++b)
            out.flags |= flags[b];
        if (out.flags & kByteNonlinear)
            out.axes = axes;
    };
    switch (path.space) {
    case Space::Global:
        if (GlobalMemory* values = block.values()) {
            values->load(address, bytes);
            values->noteLoad(address, block.instructionOf(d));
        } else {
            out.flags = kByteUnknown;
        }
        return;
    case Space::Shared:
        gather(block.shared().bytes(address), block.shared().flags(address), block.shared().nonlinearAxes);
        touchShared(w, d, address, width, lane, Touch::Read);
        if (out.flags & kByteUnwritten)
            report(w, d, HazardKind::Uninitialised, lane, {},
                fmt::format("reads shared bytes {} to {}, which nothing has written", address,
                    address + width - 1));
        return;
    case Space::Local: {
        const std::uint32_t thread = w.index * kWarpLanes + std::uint32_t(lane);
        gather(block.local().bytes(thread, address), block.local().flags(thread, address),
            block.local().nonlinearAxes);
        return;
    }
    case Space::Param:
        std::memcpy(bytes.data(), block.launch().parameters.data() + address, width);
        return;
    case Space::Constant:
        if (!block.map().readConstant(address, bytes))
            report(w, d, HazardKind::OutOfBounds, lane, {},
                fmt::format("reads constant memory at {:#x}, outside every constant", address));
        return;
    case Space::Generic: return;
    }
}

void storeLane(
    Warp& w, const Decoded& d, const AccessPath& path, int lane, std::uint32_t width, const LaneBytes& in)
{
    Block& block = *w.block;
    const std::uint64_t address = path.address[std::size_t(lane)];
    const auto bytes = std::span(in.bytes).first(width);
    switch (path.space) {
    case Space::Global:
        if (GlobalMemory* values = block.values())
            values->store(address, bytes, block.instructionOf(d));
        return;
    case Space::Shared: {
        SharedMemory& shared = block.shared();
        if (shared.writtenByThisAccess(address)
            && std::memcmp(shared.bytes(address), bytes.data(), width) != 0 && in.flags == 0)
            block.log().add(HazardKind::SharedRace, d.source->line, d.source->line,
                orderOf(block.launch(), block.box().origin), [&] {
                    return fmt::format("{} and another lane of its warp write different values to shared "
                                       "bytes {} to {} with one instruction",
                        whoIs(w, lane, block.box().origin), address, address + width - 1);
                });
        else if (in.flags != 0 && shared.writtenByThisAccess(address))
            report(w, d, HazardKind::NotModelled, lane, {},
                fmt::format("writes shared bytes {} to {} together with another lane of its warp; whether "
                            "the values differ depends on data",
                    address, address + width - 1));
        std::memcpy(shared.bytes(address), bytes.data(), width);
        std::memset(shared.flags(address), in.flags, width);
        shared.nonlinearAxes |= in.axes;
        touchShared(w, d, address, width, lane, Touch::Write);
        return;
    }
    case Space::Local: {
        const std::uint32_t thread = w.index * kWarpLanes + std::uint32_t(lane);
        std::memcpy(block.local().bytes(thread, address), bytes.data(), width);
        std::memset(block.local().flags(thread, address), in.flags, width);
        block.local().nonlinearAxes |= in.axes;
        return;
    }
    default: return;
    }
}

} // namespace coalescope::analysis
