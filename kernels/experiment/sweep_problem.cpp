// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep_problem.h"

#include <fmt/format.h>

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

bool hasFault(const SweepRow& row)
{
    return row.predicted && isFaulty(*row.predicted);
}

std::string problemText(const SweepRow& row)
{
    if (!hasFault(row))
        return row.problem;
    std::string faults;
    for (const analysis::Hazard& hazard : row.predicted->hazards) {
        if (!isFault(hazard.kind))
            continue;
        const bool two = hazard.otherLine != 0 && hazard.otherLine != hazard.line;
        faults += (faults.empty() ? "" : ", ") + std::string(nameOf(hazard.kind));
        faults += two              ? fmt::format(" in lines {} and {}", hazard.line, hazard.otherLine)
            : hazard.line != 0 ? fmt::format(" in line {}", hazard.line)
                               : "";
    }
    return "faulty: " + (faults.empty() ? row.predicted->verifyDetail : faults) + (row.problem.empty() ? "" : "; " + row.problem);
}

} // namespace coalescope::kernels
