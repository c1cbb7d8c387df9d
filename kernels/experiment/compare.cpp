// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/compare.h"

#include "kernels/experiment/recorded.h"

#include <fmt/format.h>

#include <algorithm>

namespace coalescope::kernels {

Result<analysis::RunResult> recordedResult(const LaunchPlan& plan, std::string_view device)
{
    const RecordedAnswer answer = recordedFor(plan, device);
    if (answer.exact && !device.empty() && answer.exact->device != device)
        return fail(ErrorCode::NotRecorded,
            fmt::format("the launch is not recorded on {}, but on {}", device, answer.exact->device), "--device");
    if (answer.exact)
        return *answer.exact;
    std::string near;
    for (const analysis::RunResult* result : answer.near) {
        near += near.empty() ? "; the nearest recorded ones are" : ",";
        for (const auto& [name, value] : result->launch.parameters)
            near += fmt::format(" {}={}", name, value);
    }
    return fail(ErrorCode::NotRecorded, "no measurement of exactly this launch is recorded" + near,
        plan.kernel);
}

bool exactKeysAgree(const analysis::Comparison& comparison)
{
    return std::ranges::all_of(comparison.rows, [](const analysis::ComparisonRow& row) {
        if (!row.predicted || !row.measured)
            return true;
        switch (infoOf(row.metric).exactness) {
        case analysis::Exactness::Exact:
            return row.equal;
        case analysis::Exactness::UpToArbitration:
            return *row.predicted <= *row.measured;
        case analysis::Exactness::Estimate:
            return true;
        }
        return true;
    });
}

} // namespace coalescope::kernels
