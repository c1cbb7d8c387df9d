// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <stop_token>

namespace coalescope::kernels {

/// Says what a buffer holds before the launch: what an earlier launch of the program leaves in it, or its host code puts there, else its fill.
///
/// Earlier launches are interpreted whole, block after block, host code is followed step by step, and what they make is kept. Not for the GUI thread. Thread-safe.
class BufferContents {
public:
    explicit BufferContents(std::stop_token stop = {});

    /// Writes bytes [first, first + out.size()) of the buffer. Errors: as fillBytes(); Cancelled.
    Result<void> bytes(const BufferPlan& buffer, std::uint64_t first, std::span<std::uint8_t> out) const;

    /// Why it was not known what the buffer holds when somebody asked, and what was taken instead of what its host code and launches put there;
    /// empty: it was, or nobody has asked.
    [[nodiscard]] static std::string whyUnknown(const BufferPlan& buffer, std::string_view taken = "its fill");

    /// Which guess lies behind what a launch has left in the buffer; empty: none, or it does not hold that.
    [[nodiscard]] static std::string guessBehind(const BufferPlan& buffer);

private:
    struct LookedUp; ///< launches, and what they leave: asked for page after page

    std::stop_token m_stop;
    std::shared_ptr<LookedUp> m_lookedUp;
};

} // namespace coalescope::kernels
