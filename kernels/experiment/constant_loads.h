// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"

#include <optional>

namespace coalescope::kernels {

struct MachinePath;

/// What a block's warps load of constants from addresses in registers.
struct ConstantTraffic {
    double addresses = 0; ///< different ones of each load
    double misses = 0; ///< lines that an SM's cache of constants lacks, after blocks like it
};

/// As far as the machine code of the warp whose path is known makes these loads: where all lanes want the same, it may need none.
///
/// Source: 2 KB of cache in lines of 64 bytes, measured on an NVIDIA H100 (docs/models.md). Warps load in turn, a line each.
[[nodiscard]] ConstantTraffic constantTraffic(const analysis::BlockTrace& trace, const std::optional<MachinePath>& path);

} // namespace coalescope::kernels
