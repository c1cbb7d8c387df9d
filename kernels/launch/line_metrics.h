// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/launch/counters.h"
#include "kernels/launch/gpu_session.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// Values of one instruction of the machine code, by the SASS metric's name.
struct InstructionValues {
    std::string file;
    std::uint32_t line = 0; ///< 0: the cubin names no line
    std::uint64_t pc = 0; ///< bytes from the function's start
    std::map<std::string, double> values;
};

/// Lines and totals of our keys from values per instruction.
///
/// `collected` are the metrics that were configured: a line of memory accesses that one of them did not
/// patch has 0 of it. A shared-wavefront count that does not tell loads from stores goes to the side whose
/// own counter is not zero at that instruction, and nowhere where none tells.
struct LineTotals {
    std::vector<analysis::LineValues> lines; ///< by file and line
    analysis::MetricValues totals;
};
[[nodiscard]] LineTotals linesOf(
    const std::vector<InstructionValues>& instructions, const std::vector<std::string>& collected);

/// The SASS metrics to collect, of those that the chip has. `coreOnly`: those that have a key of ours.
[[nodiscard]] std::vector<std::string> lineMetricsAmong(
    const std::vector<std::string>& available, bool coreOnly);

/// Follows module loads, for the cubins; called before anything else of CUDA, once a process.
[[nodiscard]] Result<void> watchModules();

/// Configures the SASS metrics: after GpuSession::openContext(), before GpuSession::prepare().
class LineProfiler {
public:
    [[nodiscard]] Result<void> configure(bool coreOnly, const Trace& trace);

    /// Patches the kernel, launches it once and reads the values of every instruction.
    [[nodiscard]] Result<std::vector<InstructionValues>> profile(
        GpuSession& session, const CompiledCubin& cubin, const Trace& trace);

    [[nodiscard]] const std::vector<std::string>& collected() const { return m_names; }

private:
    std::vector<std::string> m_names; ///< what is collected
    std::map<std::uint64_t, std::string> m_nameOf; ///< metric id -> name
};

} // namespace coalescope::kernels
