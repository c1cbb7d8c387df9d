// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/access_path.h"

#include "analysis/execute/access_checks.h"

#include <iterator>

namespace coalescope::analysis {

namespace {

constexpr Space kWindows[]
    = { Space::Global, Space::Shared, Space::Local, Space::Constant, Space::Param };

Space windowOf(std::uint64_t address)
{
    switch (address >> 40 << 40) {
    case kSharedWindowBase:
        return Space::Shared;
    case kLocalWindowBase:
        return Space::Local;
    case kConstantBase:
        return Space::Constant;
    case kParamWindowBase:
        return Space::Param;
    default:
        return Space::Global;
    }
}
std::uint64_t windowStart(Space space)
{
    switch (space) {
    case Space::Shared:
        return kSharedWindowBase;
    case Space::Local:
        return kLocalWindowBase;
    case Space::Param:
        return kParamWindowBase;
    default:
        return 0;
    }
}
bool isOffset(Space space)
{
    return space == Space::Shared || space == Space::Local || space == Space::Param;
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
    path.good = checkAccess(w, d, path, request);
    if (block.isStopped())
        return false;
    const Instruction& source = *d.source;
    if (path.space == Space::Constant && path.lanes != 0 && source.src[0].kind == OperandKind::Register)
        block.onConstantLoad(w, { .address = path.address, .lanes = path.lanes, .widthBytes = request.widthBytes });
    if (path.space != Space::Global && path.space != Space::Shared && path.space != Space::Local)
        return true;
    if (source.isJoined)
        return true;
    WarpAccess access { .space = path.space,
        .op = request.op,
        .widthBytes = source.joinedBytes != 0 ? source.joinedBytes : request.widthBytes,
        .matrices = request.matrices,
        .l1 = source.mod.acquires ? L1Use::Emptied : source.mod.isOrdered ? L1Use::Bypassed : source.mod.l1,
        .update = request.update,
        .isOneLanes = source.mod.isOneLanes,
        .active = path.lanes,
        .instruction = block.instructionOf(d),
        .address = path.address };
    for (std::uint64_t& address : access.address)
        address += std::uint64_t(std::int64_t(source.joinedOffset));
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

} // namespace coalescope::analysis
