// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sweep_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

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
    std::vector<std::string> faults;
    for (const analysis::Hazard& hazard : row.predicted->hazards) {
        if (!isFault(hazard.kind))
            continue;
        const bool two = hazard.otherLine != 0 && hazard.otherLine != hazard.line;
        const std::string place = two ? fmt::format(" in lines {} and {}", hazard.line, hazard.otherLine)
            : hazard.line != 0        ? fmt::format(" in line {}", hazard.line)
                                      : "";
        std::string fault = std::string(nameOf(hazard.kind)) + place;
        if (std::ranges::find(faults, fault) == faults.end()) // along two axes of the grid it is one
            faults.push_back(std::move(fault));
    }
    return "faulty: " + (faults.empty() ? row.predicted->verifyDetail : fmt::format("{}", fmt::join(faults, ", "))) + (row.problem.empty() ? "" : "; " + row.problem);
}

} // namespace coalescope::kernels
