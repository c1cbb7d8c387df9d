// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <stop_token>

namespace coalescope::kernels {

/// Memory that no argument of a launch is, but that addresses in its buffers lead to.
struct PointedBuffer {
    BufferPlan buffer;
    std::uint64_t address = 0; ///< of its first byte, as what holds it has it
    std::string argument; ///< the launch is given it as well: which of its arguments; empty: it is not
    bool isUnknown = false; ///< something has been written to it, nobody knows what
};

/// Says what a buffer holds before the launch: what an earlier launch of the program leaves in it, or its host code puts there, else its fill.
///
/// Earlier launches are interpreted whole, block after block, host code is followed step by step, and what they make is kept. Not for the GUI thread. Thread-safe.
class BufferContents {
public:
    explicit BufferContents(std::stop_token stop = {});

    /// The memory that addresses in a launch's buffers and variables lead to. Errors: as bytes().
    [[nodiscard]] Result<std::vector<PointedBuffer>> pointedBy(const LaunchPlan& plan) const;

    /// Where it lies: what bytes() has for the addresses that pointedBy() tells.
    void place(std::map<std::uint64_t, std::uint64_t> addresses);

    /// Writes bytes [first, first + out.size()) of the buffer. Errors: as fillBytes(); Cancelled.
    Result<void> bytes(const BufferPlan& buffer, std::uint64_t first, std::span<std::uint8_t> out) const;

    /// Whether it was known what the buffer holds when somebody asked: its host code, or a launch before, tells it.
    [[nodiscard]] static bool isKnown(const BufferPlan& buffer);

    /// Why it was not known what the buffer holds when somebody asked, and what was taken instead of what its host code and launches put there;
    /// empty: it was, or nobody has asked.
    [[nodiscard]] static std::string whyUnknown(const BufferPlan& buffer, std::string_view taken = "its fill");

    /// Which guess lies behind what a launch has left in the buffer; empty: none, or it does not hold that.
    [[nodiscard]] static std::string guessBehind(const BufferPlan& buffer);

private:
    struct LookedUp; ///< launches, and what they leave: asked for page after page

    void putAddresses(const std::vector<std::uint64_t>& places, std::uint64_t first, std::span<std::uint8_t> out) const;

    std::stop_token m_stop;
    std::map<std::uint64_t, std::uint64_t> m_addresses; ///< by those of pointedBy()
    std::shared_ptr<LookedUp> m_lookedUp;
};

} // namespace coalescope::kernels
