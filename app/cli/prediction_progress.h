// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/predict.h"

namespace coalescope::cli {

/// Predicts, with a line on the terminal where it takes longer than half a second. Ctrl-C ends it.
///
/// Errors: those of predict(); Cancelled after Ctrl-C.
[[nodiscard]] Result<kernels::Prediction> predictWithProgress(const kernels::LaunchPlan& plan, kernels::PredictOptions options);

/// reportError(), but an interruption is one and not an error: 128 + the signal.
int reportPredictionError(const Error& error);

} // namespace coalescope::cli
