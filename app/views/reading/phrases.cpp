// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/reading/phrases.h"

#include "app/views/draw/draw.h"

namespace coalescope::app {

using analysis::MemoryOp;

QString Phrases::count(std::uint64_t n, const QString& one, const QString& many)
{
    return n == 1 ? one : many.arg(formatCount(n));
}

QString Phrases::values(std::uint64_t n, int widthBytes)
{
    return n == 1 ? tr("one %1-byte value").arg(widthBytes)
                  : tr("%1 neighbouring %2-byte values").arg(formatCount(n)).arg(widthBytes);
}

QString Phrases::lanes(int active)
{
    if (active == analysis::kWarpLanes)
        return tr("All %1 lanes").arg(active);
    return active == 1 ? tr("1 lane") : tr("%1 lanes").arg(active);
}

QString Phrases::verb(MemoryOp op, int lanes)
{
    switch (op) {
    case MemoryOp::Load:
    case MemoryOp::MatrixLoad:
        return lanes == 1 ? tr("reads") : tr("read");
    case MemoryOp::Store:
        return lanes == 1 ? tr("writes") : tr("write");
    case MemoryOp::Atomic:
    case MemoryOp::Reduction:
        return lanes == 1 ? tr("updates") : tr("update");
    case MemoryOp::AsyncCopy:
    case MemoryOp::BulkLoad:
    case MemoryOp::BulkStore:
        return lanes == 1 ? tr("copies") : tr("copy");
    }
    return {};
}

QString Phrases::partial(int active)
{
    if (active == analysis::kWarpLanes)
        return {};
    return active == 1 ? tr("1 of 32 lanes is active.")
                       : tr("%1 of 32 lanes are active.").arg(active);
}

QString Phrases::join(const QString& first, const QString& second)
{
    return first.isEmpty() || second.isEmpty() ? first + second : first + u' ' + second;
}

} // namespace coalescope::app
