// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/decoded.h"

#include <set>
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

/// What a register's value may matter for.
enum class For : std::uint8_t {
    All, ///< all that is counted or checked, races included
    Decisions, ///< addresses and control flow alone
};

/// What can be said about a program's registers before it runs. Every answer errs to the side of
/// less being known.
class RegisterFlow {
public:
    /// Without values, what is loaded from global memory is unknown. `pointers`: where among the parameters those lie that
    /// lead into buffers, each into one of its own, so that what is stored through one is not loaded through another; empty:
    /// not known, or two lead into the same.
    RegisterFlow(const DecodedProgram& program, Values values, std::set<std::uint32_t> pointers = {}, For what = For::All);

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
    /// False where nobody looks at the registers that the instruction writes.
    [[nodiscard]] bool resultMatters(std::uint32_t pc) const;
    /// False where nobody looks at what a store to global memory leaves there.
    [[nodiscard]] bool storeMatters(std::uint32_t pc) const;

private:
    void findDefinitions();
    void findEarlyReads();
    void findUnknown();
    bool spreadUnknown();
    void findRoots();
    bool spreadRoot(const Decoded& d);
    void findWhatMatters();
    bool visitReads(std::uint32_t pc);
    [[nodiscard]] bool sourceMatters(std::uint32_t pc, std::size_t source) const;
    [[nodiscard]] bool sourceDecides(std::uint32_t pc, std::size_t source) const;
    [[nodiscard]] std::uint32_t rootOf(const Decoded& d, std::size_t source) const;
    template <class F> void forEachSource(const Decoded& d, F&& f) const;
    template <class F> void forEachResult(const Decoded& d, F&& f) const;
    bool anySourceUnknown(const Decoded& d) const;

    const DecodedProgram& m_program;
    Values m_values;
    std::vector<std::uint32_t> m_definitions;
    std::vector<bool> m_readEarly, m_unknown, m_matters;
    std::vector<std::uint32_t> m_root; ///< of each register: the parameter whose pointer an address in it comes from
    std::set<std::uint32_t> m_wantedRoots; ///< of memory that somebody looks at
    std::set<std::uint32_t> m_pointers;
    For m_for;
    bool m_sharedWanted = false; ///< somebody looks at what shared memory holds
    bool m_memoryUnknown = false; ///< shared or local memory may hold unknown bytes
    bool m_asksForData = false;
};

} // namespace coalescope::analysis
