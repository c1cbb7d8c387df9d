// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"

namespace coalescope::analysis {

/// What an asynchronous copy past L1 asks for: what comes from one sector is asked for once for each 32 bytes of shared memory that
/// it goes to.
struct CopyReport {
    std::uint32_t counted = 0; ///< l1tex__t_sectors_pipe_lsu_mem_global_op_ld: distinct pairs of a cache line and 32 bytes of shared memory
    std::uint32_t asked = 0; ///< of the L2, and smsp__sass_sectors_mem_global: distinct pairs of a sector and 32 bytes of shared memory

    bool operator==(const CopyReport&) const = default;
};

/// Whether it counts so: cp.async.cg. Copies that L1 keeps ask for each sector once.
[[nodiscard]] inline bool copiesPastL1(const WarpAccess& access)
{
    return access.op == MemoryOp::AsyncCopy && access.l1 == L1Use::Bypassed;
}

/// `from` is the global side of one copy, `to` its shared side.
///
/// Source:  132 copies of 16 bytes a lane and 352 of those that L1 keeps, in rows of 2 to 32 lanes, padded and shifted on both
///          sides, and in random order, on an NVIDIA H200 (driver 580.159.04, 2026-11-24).
/// Checked: copy_model_test.cpp, against 116 of them.
[[nodiscard]] CopyReport copyReport(const WarpAccess& from, const WarpAccess& to);

} // namespace coalescope::analysis
