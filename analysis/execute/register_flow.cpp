// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/register_flow.h"

#include "analysis/program/control_flow.h"

namespace coalescope::analysis {

namespace {

/// Memory whose values exist only where they are asked for.
bool isOutside(const Instruction& i)
{
    return i.mod.space == Space::Global || i.mod.space == Space::Generic;
}
bool isAtomic(const Instruction& i) { return i.op == Opcode::Atom || i.op == Opcode::Red; }

/// Sources whose value is only moved: it decides nothing about the execution.
bool isMoved(const Instruction& i, std::size_t source)
{
    switch (i.op) {
    case Opcode::St:
    case Opcode::Atom:
    case Opcode::Red:
        return source > 0;
    case Opcode::Shfl:
        return source == 0;
    default:
        return isPure(i);
    }
}

} // namespace

bool usesCarry(const Instruction& i)
{
    return i.op == Opcode::AddC || i.op == Opcode::SubC || i.op == Opcode::MadC || i.mod.carryOut;
}

bool isPure(const Instruction& i)
{
    static_assert(Opcode::Add < Opcode::IsSpacep && Opcode::Shf < Opcode::Mov
        && int(Opcode::Shfl) == int(Opcode::IsSpacep) + 1 && int(Opcode::Add) == 1);
    return i.op >= Opcode::Add && i.op <= Opcode::IsSpacep && !usesCarry(i);
}

RegisterFlow::RegisterFlow(const DecodedProgram& program, Values values)
    : m_program(program)
    , m_values(values)
    , m_definitions(program.registers)
    , m_readEarly(program.registers)
    , m_unknown(program.registers)
    , m_matters(program.registers)
{
    findDefinitions();
    findEarlyReads();
    if (values == Values::None)
        findUnknown();
    findWhatMatters();
}

template <class F> void RegisterFlow::forEachSource(const Decoded& d, F&& f) const
{
    for (std::size_t k = 0; k < d.src.size(); ++k)
        if (d.src[k].bank == 0)
            f(k, d.src[k].slot);
}
template <class F> void RegisterFlow::forEachResult(const Decoded& d, F&& f) const
{
    for (std::size_t k = 0; k < d.dst.size(); ++k)
        if (d.source->dst[k].kind == OperandKind::Register)
            f(d.dst[k].slot);
}

void RegisterFlow::findDefinitions()
{
    for (const Decoded& d : m_program.code)
        forEachResult(d, [&](std::uint32_t slot) { ++m_definitions[slot]; });
}

/// Liveness of a lane's registers at the start of the program.
void RegisterFlow::findEarlyReads()
{
    const auto blocks = basicBlocks(*m_program.program);
    std::vector<std::vector<bool>> in(blocks.size() + 1, std::vector<bool>(m_program.registers));
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = blocks.size(); b-- > 0;) {
            std::vector<bool> live(m_program.registers);
            for (const std::uint32_t next : blocks[b].successors)
                for (std::size_t r = 0; r < live.size(); ++r)
                    live[r] = live[r] || in[next][r];
            for (std::uint32_t pc = blocks[b].end; pc-- > blocks[b].begin;) {
                const Decoded& d = m_program.code[pc];
                if (d.guard == kNone)
                    forEachResult(d, [&](std::uint32_t slot) { live[slot] = false; });
                else
                    live[d.guard] = true;
                forEachSource(d, [&](std::size_t, std::uint32_t slot) { live[slot] = true; });
            }
            if (live != in[b]) {
                in[b] = std::move(live);
                changed = true;
            }
        }
    }
    if (!blocks.empty())
        m_readEarly = in[0];
    for (const auto& [special, slot] : m_program.specials)
        m_readEarly[slot] = false; // they are there from the start
    for (const Decoded& d : m_program.code)
        if (d.source->op == Opcode::Shfl && d.src[0].bank == 0) // also from lanes elsewhere
            m_readEarly[d.src[0].slot] = true;
}

bool RegisterFlow::anySourceUnknown(const Decoded& d) const
{
    bool unknown = false;
    forEachSource(d, [&](std::size_t, std::uint32_t slot) { unknown = unknown || m_unknown[slot]; });
    return unknown;
}

bool RegisterFlow::touchesUnknown(const Decoded& d) const
{
    bool unknown = anySourceUnknown(d);
    forEachResult(d, [&](std::uint32_t slot) { unknown = unknown || m_unknown[slot]; });
    return unknown;
}

/// One pass; true where it found something new.
bool RegisterFlow::spreadUnknown()
{
    bool changed = false;
    for (const Decoded& d : m_program.code) {
        const Instruction& i = *d.source;
        const bool loads = i.op == Opcode::Ld || i.op == Opcode::Atom || i.op == Opcode::LdMatrix;
        bool unknown = anySourceUnknown(d);
        if (loads && i.mod.space != Space::Param && i.mod.space != Space::Constant)
            unknown = unknown || isOutside(i) || m_memoryUnknown;
        if (unknown)
            forEachResult(d, [&](std::uint32_t slot) {
                changed = changed || !m_unknown[slot];
                m_unknown[slot] = true;
            });
        const bool stores = i.op == Opcode::St || isAtomic(i);
        if (!m_memoryUnknown && (i.op == Opcode::CpAsync || (stores && unknown)))
            changed = m_memoryUnknown = true;
    }
    return changed;
}

void RegisterFlow::findUnknown()
{
    while (spreadUnknown()) { }
    for (const Decoded& d : m_program.code) {
        if (d.guard != kNone && m_unknown[d.guard])
            m_asksForData = true;
        forEachSource(d, [&](std::size_t k, std::uint32_t slot) {
            if (m_unknown[slot] && !isMoved(*d.source, k))
                m_asksForData = true;
        });
    }
}

void RegisterFlow::findWhatMatters()
{
    const auto readsOutside = [&](const Decoded& d) {
        const Instruction& i = *d.source;
        return (i.op == Opcode::Ld && isOutside(i)) || isAtomic(i) || i.op == Opcode::CpAsync;
    };
    // What is stored to global memory is read again.
    bool storesMatter = m_values == Values::Kept;
    for (bool changed = true; changed;) {
        changed = false;
        const auto need = [&](std::uint32_t slot) {
            changed = changed || !m_matters[slot];
            m_matters[slot] = true;
        };
        for (std::uint32_t pc = std::uint32_t(m_program.code.size()); pc-- > 0;) {
            const Decoded& d = m_program.code[pc];
            const Instruction& i = *d.source;
            if (d.guard != kNone)
                need(d.guard);
            if (m_values != Values::None && readsOutside(d) && (i.op != Opcode::Ld || resultMatters(pc))
                && !storesMatter)
                changed = storesMatter = true;
            const bool onlyAddress
                = i.op == Opcode::St && i.mod.space == Space::Global && !storesMatter;
            if (!isPure(i) || resultMatters(pc))
                forEachSource(d, [&](std::size_t k, std::uint32_t slot) {
                    if (k == 0 || !onlyAddress)
                        need(slot);
                });
        }
    }
}

bool RegisterFlow::resultMatters(std::uint32_t pc) const
{
    bool matters = false;
    forEachResult(m_program.code[pc],
        [&](std::uint32_t slot) { matters = matters || m_matters[slot]; });
    return matters;
}

bool RegisterFlow::matters(std::uint32_t pc) const
{
    return !isPure(*m_program.code[pc].source) || resultMatters(pc);
}

} // namespace coalescope::analysis
