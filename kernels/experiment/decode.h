// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/predict.h"

namespace coalescope::kernels {

struct DecodedPlan {
    std::shared_ptr<const analysis::Program> program;
    std::string compiler; ///< "NVRTC 13.0"
    std::optional<int> registersPerThread; ///< see CompiledPtx
    std::string machineCode; ///< see CompiledPtx
    double compileMs = 0, decodeMs = 0; ///< 0 where cached
};

/// Compiles and decodes a plan's source. Programs are cached by their text. Thread-safe.
[[nodiscard]] Result<DecodedPlan> decode(const LaunchPlan& plan, const PredictOptions& options);

} // namespace coalescope::kernels
