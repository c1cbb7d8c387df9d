// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

namespace coalescope::analysis::ptx {

/// Where a `.loc` says that the following instructions come from.
struct SourcePlace {
    std::uint32_t file = 0, line = 0, column = 0; ///< file: the `.file` number
    auto operator<=>(const SourcePlace&) const = default;
};

/// The call that instructions were inlined at. `Place`: how a place is told, by a `.loc` or by a row of a line table.
template <class Place> struct Call {
    Place place {};
    bool isCopy = false; ///< of a copying or assigning function that stands at its structure's declaration
};
using InlinedAt = Call<SourcePlace>;

/// The place at which inlined instructions count: from their own one outwards, the first that lies in the kernel's own
/// file and is no copying function's; nothing where none does. `callOf` gives a place's Call, as a pointer or an
/// optional: nothing where it was not inlined.
template <class Place> std::optional<Place> innermostOwnPlace(Place at, auto isInKernelFile, auto callOf)
{
    constexpr int kDeepestInlining = 256; // keeps a circle of places from being followed for ever
    for (int depth = 0; depth < kDeepestInlining; ++depth) {
        const auto call = callOf(at);
        if (isInKernelFile(at) && !(call && call->isCopy))
            return at;
        if (!call)
            return std::nullopt;
        at = call->place;
    }
    return std::nullopt;
}

/// Whether a mangled name is a copy or move constructor's or assignment's. The compiler makes most of them and
/// gives them the line of the structure's name.
[[nodiscard]] bool isCopyingFunction(std::string_view mangled);

/// Follows the `.loc` directives of a kernel and what was inlined where.
class Locations {
public:
    /// `isCalled`: in a function that is called rather than inlined.
    void enter(const SourcePlace& place, const std::optional<InlinedAt>& inlinedAt, bool isCalled = false);

    /// The innermostOwnPlace(); where there is none, the very place of the instructions.
    [[nodiscard]] const SourcePlace& place() const { return m_place; }
    /// The line in the kernel's own file: of the place, or of the call that brought it there.
    [[nodiscard]] std::uint32_t kernelLine() const { return m_kernelLine; }
    [[nodiscard]] std::uint32_t kernelFile() const { return m_kernelFile; }

    /// What a call's expansion changes, to be put back behind it.
    struct Mark {
        SourcePlace place;
        std::uint32_t kernelLine = 0;
    };
    [[nodiscard]] Mark mark() const { return { m_place, m_kernelLine }; }
    void restore(const Mark& mark)
    {
        m_place = mark.place;
        m_kernelLine = mark.kernelLine;
    }

private:
    [[nodiscard]] std::optional<SourcePlace> placeInKernelFile(const SourcePlace& place) const;

    std::map<SourcePlace, InlinedAt> m_inlinedAt;
    SourcePlace m_place;
    std::uint32_t m_kernelFile = 0, m_kernelLine = 0;
};

} // namespace coalescope::analysis::ptx
