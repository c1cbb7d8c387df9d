// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/grid/grid_totals.h"

namespace coalescope::kernels {

/// Totals of a launch whose blocks may wait for what others write, as a scan does that looks back. Such blocks do not end alone: all are
/// executed in order then, with one memory, and what they leave is what each finds in the launch's buffers from then on, but for the
/// tickets that they draw. `areWaiting` says that it was so.
///
/// Errors: as analysis::gridTotals().
[[nodiscard]] Result<analysis::GridTotals> totalsOfBlocks(
    const analysis::Program& program, analysis::Launch& launch, analysis::GridOptions options, bool& areWaiting);

} // namespace coalescope::kernels
