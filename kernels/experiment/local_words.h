// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/traffic.h"
#include "analysis/execute/block_trace.h"
#include "kernels/experiment/machine_path.h"
#include "kernels/experiment/sector_parts.h"

#include <cstdint>
#include <span>

namespace coalescope::kernels {

/// True for what loads from or stores to local memory.
[[nodiscard]] bool isLocal(const analysis::TraceStep& step);

/// Lines that the local memory of one warp takes: a word of each lane in a line.
[[nodiscard]] std::uint64_t localLinesOfAWarp(const analysis::BlockTrace& trace);

/// Appends the sectors of a warp's access to local memory, each word of a lane a request of its own, as if the block's local
/// memory began at address 0.
///
/// Source:  sectors and requests that an H200 (driver 580.159.04, 2026-11-22) counts for arrays of bytes, floats and doubles.
/// Checked: local_words_test.cpp.
void appendLocalParts(SectorParts& parts, const analysis::WarpAccess& access, std::size_t warp, std::uint64_t linesOfAWarp);

/// Adds to a block's trace what its warps do with spilled registers: all of them what one does, spread over their steps. Of very many
/// the first ones; returns how many times these the warps do.
[[nodiscard]] double addSpills(analysis::BlockTrace& trace, std::span<const LocalStep> spills);

/// What one block's warps ask of local memory: counts, not what L1 has of it.
[[nodiscard]] analysis::LocalTraffic localTraffic(const analysis::BlockTrace& trace);

} // namespace coalescope::kernels
