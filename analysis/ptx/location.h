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

/// The call that the instructions of a `.loc` were inlined at.
struct InlinedAt {
    SourcePlace place;
    bool isCopy = false; ///< of a copying or assigning function that stands at its structure's declaration
};

/// Whether a mangled name is a copy or move constructor's or assignment's. The compiler makes most of them and
/// gives them the line of the structure's name.
[[nodiscard]] bool isCopyingFunction(std::string_view mangled);

/// Follows the `.loc` directives of a kernel and what was inlined where.
class Locations {
public:
    /// `isCalled`: in a function that is called rather than inlined.
    void enter(const SourcePlace& place, const std::optional<InlinedAt>& inlinedAt, bool isCalled = false);

    /// The innermost place that lies in the kernel's own file and is no copying function; where none does, the
    /// very place of the instructions.
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
