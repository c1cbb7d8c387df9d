// SPDX-License-Identifier: Apache-2.0
#include "app/cli/access_row.h"

#include "analysis/access/atomic_model.h"
#include "analysis/access/bank_model.h"
#include "analysis/access/sector_model.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace coalescope::cli {

using analysis::MemoryOp;
using analysis::SharedUpdate;
using analysis::Space;
using analysis::WarpAccess;

namespace {

/// Which columns a kind of access is confirmed for by recorded counters.
enum Confirmed : unsigned {
    Requests = 1u << int(AccessColumn::Requests),
    Sectors = 1u << int(AccessColumn::Sectors),
    Tags = 1u << int(AccessColumn::Tags),
    Wavefronts = 1u << int(AccessColumn::Wavefronts),
    WavefrontsSass = 1u << int(AccessColumn::WavefrontsSass),
    Conflicts = 1u << int(AccessColumn::Conflicts),
    GlobalColumns = Requests | Sectors | Tags,
    SharedColumns = Wavefronts | WavefrontsSass | Conflicts,
    None = 0,
};

/// One name of an operation: in `space`, with `width` bytes a lane where it has no choice.
struct OpRow {
    std::string_view name;
    MemoryOp op;
    Space space; ///< Generic: in either, as the access says
    std::uint8_t width; ///< 0: as the access says
    std::uint8_t matrices;
    unsigned shared, global; ///< confirmed columns in either space
    std::optional<SharedUpdate> update = {}; ///< of shared atomics; not told: one lane after the other of 4 bytes, no rule of 8
};

constexpr unsigned kPatched = Wavefronts | WavefrontsSass;

constexpr std::array kOps {
    OpRow { "ld", MemoryOp::Load, Space::Generic, 0, 0, SharedColumns, GlobalColumns },
    OpRow { "st", MemoryOp::Store, Space::Generic, 0, 0, SharedColumns, GlobalColumns },
    OpRow { "atom", MemoryOp::Atomic, Space::Generic, 0, 0, SharedColumns, Requests | Tags },
    OpRow { "red", MemoryOp::Reduction, Space::Generic, 0, 0, SharedColumns, Requests | Tags },
    OpRow { "atoms.add.u32", MemoryOp::Reduction, Space::Shared, 4, 0, SharedColumns, None },
    OpRow { "atoms.add.u32.ret", MemoryOp::Atomic, Space::Shared, 4, 0, SharedColumns, None },
    OpRow { "atoms.popc.inc", MemoryOp::Reduction, Space::Shared, 4, 0, SharedColumns, None, SharedUpdate::Counted },
    OpRow { "atoms.cas.b32", MemoryOp::Atomic, Space::Shared, 4, 0, SharedColumns, None, SharedUpdate::InTwoSteps },
    OpRow { "atoms.cas.b64", MemoryOp::Atomic, Space::Shared, 8, 0, SharedColumns, None, SharedUpdate::InTwoSteps },
    OpRow { "atoms.exch.b64", MemoryOp::Atomic, Space::Shared, 8, 0, SharedColumns, None, SharedUpdate::LaneByLane },
    OpRow { "atoms.add.f32", MemoryOp::Atomic, Space::Shared, 4, 0, Wavefronts | Conflicts, None, SharedUpdate::InALoop },
    OpRow { "red.global.u32", MemoryOp::Reduction, Space::Global, 4, 0, None, Requests | Tags },
    OpRow { "ldmatrix.x1", MemoryOp::MatrixLoad, Space::Shared, 16, 1, kPatched, None },
    OpRow { "ldmatrix.x2", MemoryOp::MatrixLoad, Space::Shared, 16, 2, kPatched, None },
    OpRow { "ldmatrix.x4", MemoryOp::MatrixLoad, Space::Shared, 16, 4, kPatched, None },
    OpRow { "cp.async.4", MemoryOp::AsyncCopy, Space::Generic, 4, 0, None, GlobalColumns },
    OpRow { "cp.async.8", MemoryOp::AsyncCopy, Space::Generic, 8, 0, None, GlobalColumns },
    OpRow { "cp.async.16", MemoryOp::AsyncCopy, Space::Generic, 16, 0, kPatched, Tags },
};

Result<const OpRow*> findOp(std::string_view name)
{
    const auto row = std::ranges::find(kOps, name, &OpRow::name);
    if (row != kOps.end())
        return &*row;
    std::string names;
    for (const OpRow& op : kOps)
        names += (names.empty() ? "" : ", ") + std::string(op.name);
    return fail(
        ErrorCode::BadInput, fmt::format("the operation \"{}\" is none of {}", name, names), "op");
}

Result<Space> findSpace(const OpRow& op, std::string_view name)
{
    if (name.empty() && op.space != Space::Generic)
        return op.space;
    if (name.empty() && op.op == MemoryOp::AsyncCopy) // the offsets are its destinations
        return Space::Shared;
    if (name.empty())
        return fail(ErrorCode::BadInput, fmt::format("{} needs a space, shared or global", op.name),
            "space");
    if (name != "shared" && name != "global")
        return fail(ErrorCode::BadInput,
            fmt::format("the space \"{}\" is neither shared nor global", name), "space");
    const Space space = name == "shared" ? Space::Shared : Space::Global;
    if (op.space != Space::Generic && op.space != space)
        return fail(ErrorCode::BadInput,
            fmt::format("{} does not exist in {} memory", op.name, name), "space");
    return space;
}

Result<std::uint8_t> findWidth(const OpRow& op, std::string_view text)
{
    if (text.empty() && op.width)
        return op.width;
    if (text.empty())
        return fail(ErrorCode::BadInput,
            fmt::format("{} needs a width: 1, 2, 4, 8 or 16 bytes a lane", op.name), "width");
    int width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    const bool read = error == std::errc() && end == text.data() + text.size();
    if (!read || (width != 1 && width != 2 && width != 4 && width != 8 && width != 16))
        return fail(ErrorCode::BadInput,
            fmt::format("the width \"{}\" is none of 1, 2, 4, 8 and 16 bytes a lane", text),
            "width");
    if (op.width && op.width != width)
        return fail(ErrorCode::BadInput,
            fmt::format("{} takes {} bytes a lane, not {}", op.name, op.width, width), "width");
    return std::uint8_t(width);
}

Result<void> readOffsets(WarpAccess& access, std::string_view text)
{
    const char* at = text.data();
    const char* const end = at + text.size();
    int lane = 0;
    const auto isSeparator = [](char c) { return c == ' ' || c == '\t' || c == ','; };
    for (;; ++lane) {
        while (at != end && isSeparator(*at))
            ++at;
        if (at == end)
            break;
        if (lane == analysis::kWarpLanes)
            return fail(
                ErrorCode::BadInput, "a warp has 32 lanes, here are more offsets", "offsets");
        std::int64_t offset = 0;
        const auto [after, error] = std::from_chars(at, end, offset);
        if (error != std::errc() || (after != end && !isSeparator(*after)) || offset < -1)
            return fail(ErrorCode::BadInput,
                fmt::format(
                    "the offset of lane {} is no byte offset, nor -1 for an inactive lane", lane),
                "offsets");
        at = after;
        if (offset < 0)
            continue;
        access.active |= analysis::LaneMask(1) << lane;
        access.address[std::size_t(lane)] = std::uint64_t(offset);
    }
    if (!lane)
        return fail(ErrorCode::BadInput, "there is no offset", "offsets");
    for (std::size_t l = 0; l < analysis::kWarpLanes; ++l) {
        if ((access.active >> l & 1u) && access.address[l] % access.widthBytes)
            return fail(ErrorCode::BadInput,
                fmt::format("lane {}'s offset {} is no multiple of its {} bytes", l,
                    access.address[l], access.widthBytes),
                "offsets");
    }
    return {};
}

void keep(AccessCounts& counts, unsigned confirmed, AccessColumn column, std::uint32_t value)
{
    if (confirmed >> int(column) & 1u)
        counts[std::size_t(column)] = value;
}

/// Counters of the other space read 0, except a copy's: it has a side there that is not given.
void zeroOtherSpace(AccessCounts& counts, const WarpAccess& access)
{
    if (access.op == MemoryOp::AsyncCopy)
        return;
    const std::size_t first = access.space == Space::Global ? 3 : 0;
    std::fill_n(counts.begin() + first, 3, 0u);
}

} // namespace

Result<AccessCounts> countAccess(const AccessText& text)
{
    const auto op = findOp(text.op);
    if (!op)
        return std::unexpected(op.error());
    const auto space = findSpace(**op, text.space);
    if (!space)
        return std::unexpected(space.error());
    const auto width = findWidth(**op, text.width);
    if (!width)
        return std::unexpected(width.error());
    WarpAccess access {
        .space = *space, .op = (*op)->op, .widthBytes = *width, .matrices = (*op)->matrices, .update = (*op)->update.value_or(SharedUpdate::LaneByLane)
    };
    if (auto read = readOffsets(access, text.offsets); !read)
        return std::unexpected(std::move(read.error()));

    AccessCounts counts;
    zeroOtherSpace(counts, access);
    if (*space == Space::Shared && isLoop(access)) {
        const auto loop = analysis::loopReport(access);
        if (!loop)
            return std::unexpected(loop.error());
        keep(counts, (*op)->shared, AccessColumn::Wavefronts, loop->swapWavefronts);
        keep(counts, (*op)->shared, AccessColumn::Conflicts, 0);
    } else if (*space == Space::Shared) {
        const auto report = analysis::bankReport(access);
        if (!report || (isAtomic(access) && *width == 8 && !(*op)->update)) // a kind that is not modelled: its columns stay unknown
            return counts;
        keep(counts, (*op)->shared, AccessColumn::Wavefronts, report->wavefronts);
        keep(counts, (*op)->shared, AccessColumn::WavefrontsSass, report->wavefrontsSass);
        keep(counts, (*op)->shared, AccessColumn::Conflicts, report->conflicts);
    } else {
        const auto report = analysis::sectorReport(access);
        const bool recorded = !isAtomic(access) || *width == 4 || *width == 8;
        if (!report || !recorded)
            return counts;
        keep(counts, (*op)->global, AccessColumn::Requests, report->requests);
        keep(counts, (*op)->global, AccessColumn::Sectors, report->sectors);
        keep(counts, (*op)->global, AccessColumn::Tags, report->tags);
    }
    return counts;
}

} // namespace coalescope::cli
