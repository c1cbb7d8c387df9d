// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/register_flow.h"

#include "analysis/program/control_flow.h"

#include <utility>

namespace coalescope::analysis {

namespace {

/// Memory whose values exist only where they are asked for.
bool isOutside(const Instruction& i)
{
    return i.mod.space == Space::Global || i.mod.space == Space::Generic;
}
/// Its results depend on its sources in all lanes.
bool isOfMatrices(const Instruction& i) { return i.op == Opcode::Mma || i.op == Opcode::MoveMatrix; }

/// Roots of addresses beside the parameters' offsets.
constexpr std::uint32_t kNoRoot = kNone, kAnyRoot = kNone - 1, kModuleRoot = kNone - 2;

std::uint32_t joinedRoot(std::uint32_t a, std::uint32_t b)
{
    return a == b || b == kNoRoot ? a : a == kNoRoot ? b : kAnyRoot;
}

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
        return isPure(i) || isOfMatrices(i);
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

RegisterFlow::RegisterFlow(const DecodedProgram& program, Values values, std::set<std::uint32_t> pointers, For what)
    : m_program(program)
    , m_values(values)
    , m_definitions(program.registers)
    , m_readEarly(program.registers)
    , m_unknown(program.registers)
    , m_matters(program.registers)
    , m_root(program.registers, kNoRoot)
    , m_pointers(std::move(pointers))
    , m_for(what)
{
    findDefinitions();
    findEarlyReads();
    if (values == Values::None)
        findUnknown();
    findRoots();
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
        forEachSource(d, [&](std::size_t source, std::uint32_t slot) {
            if ((d.source->op == Opcode::Shfl && source == 0) || isOfMatrices(*d.source)) // also from lanes elsewhere
                m_readEarly[slot] = true;
        });
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

/// Follows pointers from the parameters through whatever is computed from them; one pass, true where it found something new.
bool RegisterFlow::spreadRoot(const Decoded& d)
{
    const Instruction& i = *d.source;
    const bool loads = i.op == Opcode::Ld || i.op == Opcode::Atom || i.op == Opcode::LdMatrix;
    const bool isParameter = i.op == Opcode::Ld && i.mod.space == Space::Param && i.src[0].kind == OperandKind::Immediate;
    const bool mayBePointer = bytesOf(i.type) == 8;
    std::uint32_t root = kNoRoot;
    if (loads) {
        root = mayBePointer ? kAnyRoot : kNoRoot;
    } else {
        forEachSource(d, [&](std::size_t, std::uint32_t slot) { root = joinedRoot(root, m_root[slot]); });
        for (const Operand& operand : i.src)
            if (operand.kind == OperandKind::Immediate && mayBePointer && operand.bits >= kModuleGlobalBase
                && operand.bits < kSharedWindowBase)
                root = joinedRoot(root, kModuleRoot);
    }
    bool changed = false;
    for (std::size_t k = 0; k < d.dst.size(); ++k) {
        if (i.dst[k].kind != OperandKind::Register)
            continue;
        std::uint32_t own = root;
        if (isParameter && mayBePointer) {
            const auto offset = std::uint32_t(i.src[0].bits + std::uint64_t(i.offset) + 8 * k);
            own = m_pointers.contains(offset) ? offset : kNoRoot; // a number
        }
        std::uint32_t& known = m_root[d.dst[k].slot];
        const std::uint32_t both = joinedRoot(known, own);
        changed = changed || both != known;
        known = both;
    }
    return changed;
}

void RegisterFlow::findRoots()
{
    for (bool changed = true; changed;) {
        changed = false;
        for (const Decoded& d : m_program.code)
            changed = spreadRoot(d) || changed;
    }
}

/// kAnyRoot where it cannot be told.
std::uint32_t RegisterFlow::rootOf(const Decoded& d, std::size_t source) const
{
    const std::uint32_t root = d.src[source].bank == 0 ? m_root[d.src[source].slot] : kAnyRoot;
    return root == kNoRoot || m_pointers.empty() ? kAnyRoot : root;
}

bool RegisterFlow::storeMatters(std::uint32_t pc) const
{
    if (m_values == Values::Kept)
        return true;
    const std::uint32_t root = rootOf(m_program.code[pc], 0);
    return root == kAnyRoot ? !m_wantedRoots.empty() : m_wantedRoots.contains(root) || m_wantedRoots.contains(kAnyRoot);
}

/// Notes the memory that an instruction looks at; true where that is new.
bool RegisterFlow::visitReads(std::uint32_t pc)
{
    const Decoded& d = m_program.code[pc];
    const Instruction& i = *d.source;
    const bool readsOutside = i.op == Opcode::CpAsync
        || ((i.op == Opcode::Ld || i.op == Opcode::Atom) && isOutside(i) && resultMatters(pc));
    const bool readsShared = i.mod.space == Space::Shared && i.op != Opcode::St && resultMatters(pc);
    const bool isNew = readsShared && !m_sharedWanted;
    m_sharedWanted = m_sharedWanted || readsShared;
    if (isNew)
        return true;
    return m_values != Values::None && readsOutside
        && m_wantedRoots.insert(rootOf(d, i.op == Opcode::CpAsync ? 1 : 0)).second;
}

/// Whether an instruction needs the value of a source, given what is known to matter so far.
bool RegisterFlow::sourceMatters(std::uint32_t pc, std::size_t source) const
{
    const Instruction& i = *m_program.code[pc].source;
    if (m_for == For::Decisions)
        return sourceDecides(pc, source);
    // What is stored to shared memory matters: several lanes may write one word, if they write the same.
    if (i.op == Opcode::St && i.mod.space == Space::Global && source > 0)
        return storeMatters(pc);
    if ((i.op == Opcode::Shfl && source == 0) || isOfMatrices(i))
        return resultMatters(pc);
    return !isPure(i) || resultMatters(pc);
}

/// The same where only addresses and control flow count: what is stored or added up decides where somebody looks at it that does.
bool RegisterFlow::sourceDecides(std::uint32_t pc, std::size_t source) const
{
    const Instruction& i = *m_program.code[pc].source;
    const bool isAccess = i.op == Opcode::Ld || i.op == Opcode::St || isAtomic(i) || i.op == Opcode::CpAsync;
    if (i.op == Opcode::Bra || (isAccess && (source == 0 || i.op == Opcode::CpAsync)))
        return true;
    if (!isAccess)
        return resultMatters(pc);
    const bool isWanted = i.mod.space == Space::Shared ? m_sharedWanted : i.mod.space != Space::Global || storeMatters(pc);
    return isWanted || resultMatters(pc);
}

void RegisterFlow::findWhatMatters()
{
    for (bool changed = true; changed;) {
        changed = false;
        const auto need = [&](std::uint32_t slot) {
            changed = changed || !m_matters[slot];
            m_matters[slot] = true;
        };
        for (std::uint32_t pc = std::uint32_t(m_program.code.size()); pc-- > 0;) {
            const Decoded& d = m_program.code[pc];
            if (d.guard != kNone)
                need(d.guard);
            changed = visitReads(pc) || changed;
            forEachSource(d, [&](std::size_t k, std::uint32_t slot) {
                if (sourceMatters(pc, k))
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
    const Instruction& i = *m_program.code[pc].source;
    return !(isPure(i) || isOfMatrices(i)) || resultMatters(pc);
}

} // namespace coalescope::analysis
