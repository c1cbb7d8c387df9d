// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"
#include "analysis/grid/grid_totals.h"
#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"
#include "kernels/compile/compiler.h"

#include <atomic>
#include <memory>
#include <stop_token>

namespace coalescope::kernels {

struct PredictOptions {
    std::string device = "h200";
    CompilerKind compiler = CompilerKind::Automatic;
    bool verify = true; ///< execute the plan's verification launch with real values
    bool registers = true; ///< make machine code to know them, which takes as long as PTX again;
                           ///< false: only where they are known already
    int threads = 0;
    std::stop_token stop;
    std::atomic<double>* progress = nullptr; ///< 0 to 1, written as blocks are executed
};

/// A prediction with what the views need to open any block of it.
struct Prediction {
    analysis::RunResult result;
    std::shared_ptr<const analysis::Program> program;
    analysis::Launch launch;
    std::string compiler; ///< "NVRTC 13.0"
    std::string machineCode; ///< see CompiledPtx
    std::uint64_t blocksExecuted = 0, blocks = 0;
    std::vector<analysis::InstructionTotals> counts; ///< of each instruction, over the whole grid
    bool ledByData = false; ///< addresses or branches depend on what the kernel loads
};

/// Source + launch -> compile -> program -> totals -> result. Thread-safe; programs are cached.
[[nodiscard]] Result<Prediction> predict(
    const LaunchPlan& plan, const PredictOptions& options = {});

/// The launch of a result, from its plan.
[[nodiscard]] analysis::LaunchInfo launchInfo(
    const LaunchPlan& plan, std::uint32_t staticSharedBytes);

/// Any block of a prediction, executed on demand.
[[nodiscard]] Result<analysis::BlockTrace> traceBlock(
    const Prediction& prediction, analysis::Dim3 block, std::stop_token stop = {});

/// The modelled launch of a decoded plan: buffers laid out as cudaMalloc would, parameters packed. What launches before it leave in its
/// buffers is worked out when somebody reads it, as far as `stop` lets it.
[[nodiscard]] Result<analysis::Launch> modelledLaunch(
    const LaunchPlan& plan, const analysis::Program& program, std::stop_token stop = {});

/// Runs the plan's verification launch and says whether the output equals the reference.
struct Verification {
    std::optional<bool> verified;
    std::string detail;
    std::vector<analysis::Hazard>
        hazards; ///< WrongOutput with the line that wrote the wrong element
};
[[nodiscard]] Result<Verification> verify(
    const LaunchPlan& plan, const PredictOptions& options = {});

} // namespace coalescope::kernels
