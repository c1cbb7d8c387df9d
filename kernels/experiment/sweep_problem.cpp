// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep_problem.h"

namespace coalescope::kernels {

bool isOfTheLaunch(ErrorCode code)
{
    switch (code) {
    case ErrorCode::IllegalParameter:
    case ErrorCode::IllegalLaunch:
    case ErrorCode::CompileFailed:
    case ErrorCode::UnsupportedInstruction:
    case ErrorCode::ExecutionFailed:
    case ErrorCode::NeedsValues:
    case ErrorCode::OutOfMemory:
    case ErrorCode::IllegalAddress:
    case ErrorCode::LaunchFailed:
    case ErrorCode::TimedOut:
        return true;
    default:
        return false;
    }
}

bool isNotAllowed(ErrorCode code)
{
    return code == ErrorCode::IllegalParameter || code == ErrorCode::IllegalLaunch;
}

} // namespace coalescope::kernels
