// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/location.h"

#include <algorithm>
#include <array>

namespace coalescope::analysis::ptx {

namespace {
/// Behind the class: complete or base constructor, or operator=; of one parameter, const T& or T&&.
constexpr auto kCopying = std::to_array<std::string_view>(
    { "C1ERKS", "C2ERKS", "C1EOS", "C2EOS", "aSERKS", "aSEOS" });
}

bool isCopyingFunction(std::string_view mangled)
{
    // The class's own name comes back as a substitution at the end: S_, S0_, ...
    if (!mangled.starts_with("_ZN") || !mangled.ends_with('_'))
        return false;
    mangled.remove_suffix(1);
    const auto isOfANumber = [](char c) { return ('0' <= c && c <= '9') || ('A' <= c && c <= 'R'); };
    while (!mangled.empty() && isOfANumber(mangled.back()))
        mangled.remove_suffix(1);
    return std::ranges::any_of(kCopying, [&](std::string_view end) { return mangled.ends_with(end); });
}

std::optional<SourcePlace> Locations::placeInKernelFile(const SourcePlace& place) const
{
    const auto callOf = [this](const SourcePlace& at) {
        const auto call = m_inlinedAt.find(at);
        return call == m_inlinedAt.end() ? nullptr : &call->second;
    };
    return innermostOwnPlace(place, [this](const SourcePlace& at) { return at.file == m_kernelFile; }, callOf);
}

void Locations::enter(const SourcePlace& place, const std::optional<InlinedAt>& inlinedAt, bool isCalled)
{
    if (inlinedAt)
        m_inlinedAt[place] = *inlinedAt;
    else
        m_inlinedAt.erase(place);
    if (m_kernelFile == 0 && !inlinedAt)
        m_kernelFile = place.file; // the kernel's first line
    const auto own = placeInKernelFile(place);
    if (own && own->line != 0)
        m_kernelLine = own->line; // else a function of another file that is called: the call's line stays
    m_place = own.value_or(place);
    // Line 0 is the compiler's own code. Clang does not say what it inlined: what stands in the kernel itself was.
    if ((own ? own->line == 0 : !isCalled) && m_kernelLine != 0)
        m_place = { m_kernelFile, m_kernelLine, 0 };
}

} // namespace coalescope::analysis::ptx
