// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/location.h"

namespace coalescope::analysis::ptx {

namespace {
constexpr int kDeepestInlining = 256; ///< keeps a circle of places from being followed for ever
}

void Locations::enter(const SourcePlace& place, const std::optional<SourcePlace>& inlinedAt)
{
    m_place = place;
    if (inlinedAt)
        m_inlinedAt[place] = *inlinedAt;
    else
        m_inlinedAt.erase(place);
    if (m_kernelFile == 0 && !inlinedAt)
        m_kernelFile = place.file; // the kernel's first line
    SourcePlace at = place;
    for (int depth = 0; at.file != m_kernelFile && depth < kDeepestInlining; ++depth) {
        const auto caller = m_inlinedAt.find(at);
        if (caller == m_inlinedAt.end())
            return; // a function of another file that is called: the call's line stays
        at = caller->second;
    }
    if (at.file == m_kernelFile && at.line != 0)
        m_kernelLine = at.line;
}

} // namespace coalescope::analysis::ptx
