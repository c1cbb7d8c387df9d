// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/decoded.h"

#include <vector>

namespace coalescope::analysis {

/// Reads and writes registers, nothing else, lane by lane: no memory, no other lane, no carry.
[[nodiscard]] bool isPure(const Instruction& instruction);
[[nodiscard]] bool usesCarry(const Instruction& instruction);

/// What is known of global memory while blocks are executed.
enum class Values : std::uint8_t {
    None, ///< nothing: what is loaded is unknown
    OfEachBlock, ///< the fill and the block's own stores
    Kept, ///< all of it, and what the blocks leave there is the result
};

/// What can be said about a program's registers before it runs. Every answer errs to the side of
/// less being known.
class RegisterFlow {
public:
    /// Without values, what is loaded from global memory is unknown.
    RegisterFlow(const DecodedProgram& program, Values values);

    [[nodiscard]] std::uint32_t definitions(std::uint32_t slot) const { return m_definitions[slot]; }
    /// May be read by a lane that has not written it: as 0, or by another lane.
    [[nodiscard]] bool isReadEarly(std::uint32_t slot) const { return m_readEarly[slot]; }
    /// May hold a value that is unknown.
    [[nodiscard]] bool isUnknown(std::uint32_t slot) const { return m_unknown[slot]; }
    /// True where a source or a destination may hold an unknown value.
    [[nodiscard]] bool touchesUnknown(const Decoded& d) const;
    /// True where an address, a guard or a branch may hold an unknown value.
    [[nodiscard]] bool asksForData() const { return m_asksForData; }
    /// False for a computation whose result reaches nothing that counts.
    [[nodiscard]] bool matters(std::uint32_t pc) const;
    /// False where nobody looks at what the instruction writes.
    [[nodiscard]] bool resultMatters(std::uint32_t pc) const;

private:
    void findDefinitions();
    void findEarlyReads();
    void findUnknown();
    bool spreadUnknown();
    void findWhatMatters();
    template <class F> void forEachSource(const Decoded& d, F&& f) const;
    template <class F> void forEachResult(const Decoded& d, F&& f) const;
    bool anySourceUnknown(const Decoded& d) const;

    const DecodedProgram& m_program;
    Values m_values;
    std::vector<std::uint32_t> m_definitions;
    std::vector<bool> m_readEarly, m_unknown, m_matters;
    bool m_memoryUnknown = false; ///< shared or local memory may hold unknown bytes
    bool m_asksForData = false;
};

} // namespace coalescope::analysis
