// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/join_accesses.h"

#include "analysis/program/control_flow.h"
#include "analysis/program/uses.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <utility>

namespace coalescope::analysis {

namespace {
/// A register's value as a multiple of one definition of another register and a constant.
struct Value {
    std::uint32_t root = kNone; ///< kNone: the constant alone
    std::uint32_t version = 0; ///< definitions of the root passed in this block
    std::int64_t constant = 0;

    [[nodiscard]] bool sameRoot(const Value& other) const
    {
        return root == other.root && version == other.version;
    }
};

/// How far an access of a width can be widened, and where the window around an address starts.
struct Window {
    std::int64_t begin = 0;
    int bytes = 0; ///< 0: it cannot be widened
};

/// Accesses of one aligned window that wait for their neighbours: at most four slots.
struct Pending {
    Value root;
    Window window;
    int width = 0;
    bool isReadOnly = false;
    std::array<std::uint32_t, 4> slots { kNone, kNone, kNone, kNone }; ///< instruction of each
    std::vector<std::uint32_t> repeats; ///< loads of a slot that is asked for already
};

int widthOf(const Instruction& ins) { return bytesOf(ins.type) * ins.vector; }

/// Whether a path leads from one block to another, or to the exit, without a third.
bool reaches(const std::vector<BasicBlock>& blocks, std::uint32_t from, std::uint32_t to, std::uint32_t without)
{
    std::vector<bool> seen(blocks.size() + 1);
    std::vector<std::uint32_t> open;
    const auto visit = [&](std::uint32_t block) {
        if (block != without && !seen[block]) {
            seen[block] = true;
            open.push_back(block);
        }
    };
    visit(from);
    while (!open.empty()) {
        const std::uint32_t block = open.back();
        open.pop_back();
        if (block == to)
            return true;
        if (block < blocks.size())
            std::ranges::for_each(blocks[block].successors, visit);
    }
    return false;
}

/// Whether every way to a block leads through `other`.
bool isBehind(const std::vector<BasicBlock>& blocks, std::uint32_t block, std::uint32_t other)
{
    return block == other || !reaches(blocks, 0, block, other);
}

/// The blocks that lead to each.
std::vector<std::vector<std::uint32_t>> waysInto(const std::vector<BasicBlock>& blocks)
{
    std::vector<std::vector<std::uint32_t>> ways(blocks.size());
    for (std::uint32_t block = 0; block < blocks.size(); ++block)
        for (const std::uint32_t next : blocks[block].successors)
            if (next < blocks.size())
                ways[next].push_back(block);
    return ways;
}

/// Whether ptxas makes branches of it, or a call, for its rare cases: loads before and after it stay apart.
bool takesBranches(const Instruction& ins)
{
    switch (ins.op) {
    case Opcode::Div:
    case Opcode::Rem:
        return isFloat(ins.type) ? !ins.mod.approximate : bytesOf(ins.type) == 8;
    case Opcode::Rcp:
    case Opcode::Sqrt:
        return !ins.mod.approximate;
    default:
        return false;
    }
}

/// For each block those that every way to it leads through, if nothing on the ways from there keeps loads apart and none comes to the
/// block before. `keepsApart`: of each block.
std::vector<std::vector<std::uint32_t>> blocksBefore(const std::vector<BasicBlock>& blocks, const std::vector<bool>& keepsApart)
{
    const auto ways = waysInto(blocks);
    // Those on ways to a block that do not lead through another one, backwards.
    const auto between = [&](std::uint32_t from, std::uint32_t to) {
        std::vector<bool> seen(blocks.size());
        std::vector<std::uint32_t> open { to };
        std::vector<std::uint32_t> found;
        while (!open.empty()) {
            const std::uint32_t block = open.back();
            open.pop_back();
            for (const std::uint32_t before : ways[block]) {
                if (before == from || seen[before])
                    continue;
                seen[before] = true;
                found.push_back(before);
                open.push_back(before);
            }
        }
        return found;
    };
    constexpr std::size_t kMostBlocks = 256; ///< beyond, the search would take too long
    std::vector<std::vector<std::uint32_t>> result(blocks.size());
    for (std::uint32_t block = 1; block < blocks.size() && blocks.size() <= kMostBlocks; ++block) {
        for (std::uint32_t from = block; from-- > 0 && !ways[block].empty();) {
            if (reaches(blocks, 0, block, from))
                continue; // there is a way around it
            const auto on = between(from, block);
            if (std::ranges::find(on, block) != on.end() || std::ranges::any_of(on, [&](std::uint32_t one) { return keepsApart[one]; }))
                break; // so it is from those before
            result[block].push_back(from);
        }
    }
    return result;
}

class Joiner {
public:
    /// Of global memory nothing is known beyond what longer accesses tell.
    Joiner(Program& program, Space space)
        : m_program(program)
        , m_space(space)
        , m_blocks(basicBlocks(program))
        , m_ways(waysInto(m_blocks))
        , m_zeros(knownTrailingZeros(program))
        , m_registers(program)
        , m_now(program.registers)
        , m_isNow(program.registers, 0)
        , m_version(program.registers, 0)
        , m_segments(program.instructions.size())
    {
    }

    void run()
    {
        findSegments();
        forEachBlock([&](std::uint32_t index) { noteAlignment(index); }, [] {});
        if (m_space == Space::Shared)
            m_before = blocksBefore(m_blocks, blocksThatKeepApart());
        m_openAtEnd.resize(m_blocks.size());
        forEachBlock([&](std::uint32_t index) { visit(index); },
            [&] {
                std::erase_if(m_open, [&](std::size_t open) { return open < m_opened; });
                m_openAtEnd[m_inBlock] = std::exchange(m_open, {});
                flushStore();
            });
        for (const Pending& pending : m_loads)
            joinLoads(pending);
    }

private:
    template <class Visit, class End> void forEachBlock(Visit visit, End end)
    {
        for (m_inBlock = 0; m_inBlock < m_blocks.size(); ++m_inBlock) {
            ++m_block;
            m_zerosHere.clear();
            openFromBefore();
            for (std::uint32_t i = m_blocks[m_inBlock].begin; i < m_blocks[m_inBlock].end; ++i) {
                visit(i);
                define(m_program.instructions[i]);
            }
            end();
        }
    }

    [[nodiscard]] std::vector<bool> blocksThatKeepApart() const
    {
        std::vector<bool> keepApart;
        for (const BasicBlock& block : m_blocks)
            keepApart.push_back(std::any_of(m_program.instructions.begin() + block.begin, m_program.instructions.begin() + block.end,
                [&](const Instruction& ins) { return endsLoads(ins) || takesBranches(ins); }));
        return keepApart;
    }
    /// What is open where all ways to this block come from. A register that is set several times may be another one by then.
    void openFromBefore()
    {
        if (m_before.empty())
            return;
        for (const std::uint32_t block : m_before[m_inBlock])
            for (const std::size_t index : m_openAtEnd[block])
                if (const std::uint32_t root = m_loads[index].root.root; root == kNone || m_registers.isSetOnce(root))
                    m_open.push_back(index);
        m_opened = m_loads.size();
    }
    [[nodiscard]] bool isHere(const Instruction& ins) const { return ins.mod.space == m_space; }
    [[nodiscard]] bool mayBeHere(const Instruction& ins) const { return isHere(ins) || ins.mod.space == Space::Generic; }
    [[nodiscard]] bool isPlain(const Instruction& ins) const
    {
        return isHere(ins) && ins.guard == kNone && !ins.mod.isOrdered && ins.joinedBytes == 0;
    }

    [[nodiscard]] bool endsLoads(const Instruction& ins) const
    {
        switch (ins.op) {
        case Opcode::St:
        case Opcode::Atom:
        case Opcode::Red:
            return mayBeHere(ins);
        case Opcode::Bar:
        case Opcode::BarWarp:
        case Opcode::Membar:
        case Opcode::CpAsync:
        case Opcode::CpAsyncWait:
        case Opcode::CpAsyncArrive:
        case Opcode::BulkCopy:
        case Opcode::BulkWait:
        case Opcode::MBarrier:
        case Opcode::Nanosleep:
            return true;
        default:
            return false;
        }
    }
    [[nodiscard]] bool endsStores(const Instruction& ins) const
    {
        return endsLoads(ins) || ins.op == Opcode::CpAsyncCommit || ins.op == Opcode::BulkCommit
            || ((ins.op == Opcode::Ld || ins.op == Opcode::LdMatrix) && mayBeHere(ins));
    }

    void noteAlignment(std::uint32_t index)
    {
        const Instruction& ins = m_program.instructions[index];
        if ((ins.op != Opcode::Ld && ins.op != Opcode::St) || !isPlain(ins))
            return;
        const Value at = addressOf(index);
        const int zeros = std::countr_zero(std::uint64_t(at.constant) | std::uint64_t(widthOf(ins)));
        if (at.root == kNone)
            return;
        if (!m_registers.isSetOnce(at.root)) {
            if (at.version == 0 && m_segments[index] == m_segments[m_blocks[m_inBlock].begin] && isChosenHere(at.root))
                raise(m_chosenAlignments[{ m_inBlock, at.root }], zeros);
        } else if (isParameter(at.root)) {
            raise(m_alignments[at.root][m_inBlock], zeros);
        } else if (m_segments[index] == m_segments[m_registers.definitions[at.root].front()]) {
            raise(m_zerosTold[at.root], zeros);
        }
    }
    static void raise(int& known, int zeros) { known = std::max(known, zeros); }
    /// Where longer accesses tell how far a register is aligned: ptxas looks between its definition and the next branch, which may be
    /// that of a division's rare cases.
    void findSegments()
    {
        std::uint32_t segment = 0;
        for (std::uint32_t index = 0; index < m_blocks.size(); ++index) {
            const BasicBlock& block = m_blocks[index];
            const bool goesOn = m_ways[index].size() == 1 && m_ways[index].front() + 1 == index && m_blocks[index - 1].successors.size() == 1;
            segment += !goesOn;
            for (std::uint32_t i = block.begin; i < block.end; ++i) {
                m_segments[i] = segment;
                segment += takesBranches(m_program.instructions[i]);
            }
        }
    }
    /// Whether a register holds what a kernel is called with.
    [[nodiscard]] bool isParameter(std::uint32_t root) const
    {
        const Instruction* ins = &m_program.instructions[m_registers.definitions[root].front()];
        while (ins->op == Opcode::Cvta && ins->src[0].kind == OperandKind::Register && m_registers.isSetOnce(ins->src[0].index))
            ins = &m_program.instructions[m_registers.definitions[ins->src[0].index].front()];
        return ins->op == Opcode::Ld && ins->mod.space == Space::Param;
    }
    /// Whether what a register holds where this block begins depends on the way there, as with a loop that sets it for its next turn.
    [[nodiscard]] bool isChosenHere(std::uint32_t root) const
    {
        return std::ranges::any_of(m_registers.definitions[root], [&](std::uint32_t at) {
            const auto after = std::ranges::upper_bound(m_blocks, at, {}, &BasicBlock::begin);
            const auto from = std::uint32_t(after - m_blocks.begin()) - 1;
            return (from == m_inBlock || !isBehind(m_blocks, m_inBlock, from))
                && std::ranges::any_of(m_ways[m_inBlock], [&](std::uint32_t way) { return isBehind(m_blocks, way, from); });
        });
    }
    [[nodiscard]] int zerosOf(const Value& at)
    {
        if (!m_registers.isSetOnce(at.root)) {
            const auto told = at.version == 0 ? m_chosenAlignments.find({ m_inBlock, at.root }) : m_chosenAlignments.end();
            return std::max(m_space == Space::Shared ? m_zeros[at.root] : 0, told == m_chosenAlignments.end() ? 0 : told->second);
        }
        const auto [here, isNew] = m_zerosHere.try_emplace(at.root, m_space == Space::Shared ? m_zeros[at.root] : 0);
        if (!isNew)
            return here->second;
        if (const auto told = m_zerosTold.find(at.root); told != m_zerosTold.end())
            raise(here->second, told->second);
        if (const auto known = m_alignments.find(at.root); known != m_alignments.end())
            for (const auto& [block, zeros] : known->second)
                if (zeros > here->second && isBehind(m_blocks, m_inBlock, block))
                    here->second = zeros;
        return here->second;
    }

    void visit(std::uint32_t index)
    {
        const Instruction& ins = m_program.instructions[index];
        if (takesBranches(ins))
            m_open.clear();
        else if (endsLoads(ins))
            std::erase_if(m_open, [&](std::size_t open) { return !m_loads[open].isReadOnly; });
        const bool joinable = isPlain(ins);
        if (ins.op == Opcode::St && joinable)
            store(index);
        else if (endsStores(ins))
            flushStore();
        if (ins.op == Opcode::Ld && joinable)
            load(index);
    }

    void load(std::uint32_t index)
    {
        const Value at = addressOf(index);
        const int width = widthOf(m_program.instructions[index]);
        const Window window = windowAt(at, width);
        if (window.bytes == 0 || widens(m_program.instructions[index]))
            return;
        const bool isReadOnly = m_program.instructions[index].mod.isReadOnly;
        const auto same = std::ranges::find_if(m_open, [&](std::size_t open) {
            const Pending& p = m_loads[open];
            return p.width == width && p.root.sameRoot(at) && p.window.begin == window.begin && p.window.bytes == window.bytes
                && p.isReadOnly == isReadOnly;
        });
        const std::size_t found = same == m_open.end() ? m_loads.size() : *same;
        if (found == m_loads.size()) {
            m_open.push_back(found);
            m_loads.push_back({ .root = at, .window = window, .width = width, .isReadOnly = isReadOnly });
        }
        Pending& pending = m_loads[found];
        std::uint32_t& slot = pending.slots[std::size_t((at.constant - window.begin) / width)];
        if (slot == kNone)
            slot = index;
        else
            pending.repeats.push_back(index);
    }

    void store(std::uint32_t index)
    {
        const Value at = addressOf(index);
        const int width = widthOf(m_program.instructions[index]);
        const Window window = windowAt(at, width);
        const auto slot = std::size_t(window.bytes == 0 ? 0 : (at.constant - window.begin) / width);
        if (m_store
            && (m_store->width != width || !m_store->root.sameRoot(at)
                || m_store->window.begin != window.begin || m_store->slots[slot] != kNone))
            flushStore();
        if (window.bytes == 0)
            return flushStore();
        if (!m_store)
            m_store = Pending { .root = at, .window = window, .width = width };
        m_store->slots[slot] = index;
    }

    void joinLoads(const Pending& pending)
    {
        joinWindow(pending, 3);
        for (const std::uint32_t repeat : pending.repeats)
            m_program.instructions[repeat].isJoined = true;
    }

    void flushStore()
    {
        if (m_store)
            joinWindow(*m_store, 4);
        m_store.reset();
    }

    /// Joins a window of four slots that has `needed` of them, else its halves.
    void joinWindow(const Pending& pending, int needed)
    {
        const int slots = pending.window.bytes / pending.width;
        const auto present
            = std::ranges::count_if(pending.slots, [](auto i) { return i != kNone; });
        if (slots == 4 && present >= needed)
            return join(pending, 0, 4);
        for (int first = 0; first < slots; first += 2) {
            if (pending.slots[std::size_t(first)] != kNone
                && pending.slots[std::size_t(first) + 1] != kNone)
                join(pending, first, 2);
        }
    }

    void join(const Pending& pending, int first, int count)
    {
        int leader = -1;
        for (int s = first; s < first + count; ++s) {
            const std::uint32_t index = pending.slots[std::size_t(s)];
            if (index == kNone)
                continue;
            m_program.instructions[index].isJoined = true;
            if (leader < 0 || index < pending.slots[std::size_t(leader)])
                leader = s;
        }
        Instruction& ins = m_program.instructions[pending.slots[std::size_t(leader)]];
        ins.isJoined = false;
        ins.joinedBytes = std::uint8_t(count * pending.width);
        ins.joinedOffset = std::int8_t((first - leader) * pending.width);
    }

    /// A half that is extended into a longer register stays a load of its own.
    [[nodiscard]] bool widens(const Instruction& ins) const
    {
        return ins.vector == 1 && bytesOf(ins.type) == 2 && ins.dst[0].kind == OperandKind::Register
            && bytesOf(m_program.registerType[ins.dst[0].index]) > 2;
    }
    /// Source: 2-byte elements reach 8 bytes, longer ones 16, single bytes are left alone.
    [[nodiscard]] Window windowAt(const Value& at, int width)
    {
        if (width != 2 && width != 4 && width != 8)
            return {};
        const int known = at.root != kNone ? std::min(zerosOf(at), 4) : m_space == Space::Shared ? 4 : 0;
        const int bytes = std::min(width == 2 ? 8 : 16, 1 << known);
        if (bytes <= width || at.constant % width != 0)
            return {};
        return { at.constant & ~std::int64_t(bytes - 1), bytes };
    }

    [[nodiscard]] Value addressOf(std::uint32_t index)
    {
        const Instruction& ins = m_program.instructions[index];
        Value value = valueOf(ins.src[0]);
        value.constant += ins.offset;
        return value;
    }

    [[nodiscard]] Value valueOf(const Operand& operand)
    {
        if (operand.kind == OperandKind::Immediate)
            return { .constant = std::int64_t(operand.bits) };
        if (operand.kind != OperandKind::Register)
            return {};
        const std::uint32_t index = operand.index;
        return m_isNow[index] == m_block ? m_now[index] : atEntry(index);
    }

    /// A register that is written once has the same relation to its source wherever it is read.
    [[nodiscard]] Value atEntry(std::uint32_t index) const
    {
        Value value { .root = index };
        for (int steps = 0; steps < 64 && m_registers.isSetOnce(value.root); ++steps) {
            const Instruction& ins = m_program.instructions[m_registers.definitions[value.root].front()];
            const auto [source, constant] = sumOf(ins);
            if (source == nullptr)
                break;
            if (source->kind == OperandKind::Immediate)
                return { .constant = value.constant + constant + std::int64_t(source->bits) };
            if (!m_registers.isSetOnce(source->index))
                break;
            value.root = source->index;
            value.constant += constant;
        }
        return value;
    }

    void define(const Instruction& ins)
    {
        for (const Operand& target : ins.dst) {
            if (target.kind != OperandKind::Register)
                continue;
            const auto [source, constant] = sumOf(ins);
            Value value;
            if (source != nullptr) {
                value = valueOf(*source);
                value.constant += constant;
            } else {
                value = { .root = target.index, .version = m_version[target.index] + 1 };
                if (m_registers.isSetOnce(target.index))
                    value.version = 0; // atEntry names it so
            }
            ++m_version[target.index];
            m_now[target.index] = value;
            m_isNow[target.index] = m_block;
        }
    }

    struct Sum {
        const Operand* source = nullptr;
        std::int64_t constant = 0;
    };
    /// What an instruction adds to what, where it is nothing but a copy or the sum with a constant.
    [[nodiscard]] static Sum sumOf(const Instruction& ins)
    {
        const auto isValue = [](const Operand& o) {
            return o.kind == OperandKind::Register || o.kind == OperandKind::Immediate;
        };
        if (ins.guard != kNone || isFloat(ins.type) || ins.type == Type::Pred)
            return {};
        if (ins.op == Opcode::Mov && isValue(ins.src[0]))
            return { &ins.src[0], 0 };
        if (ins.op != Opcode::Add || ins.mod.saturate || ins.mod.carryOut)
            return {};
        const int width = bytesOf(ins.type);
        for (const int k : { 1, 0 }) {
            const Operand& constant = ins.src[std::size_t(k)];
            const Operand& source = ins.src[std::size_t(1 - k)];
            if (constant.kind == OperandKind::Immediate && isValue(source) && width >= 4)
                return { &source,
                    width == 4 ? std::int64_t(std::int32_t(constant.bits))
                               : std::int64_t(constant.bits) };
        }
        return {};
    }

    Program& m_program;
    Space m_space;
    std::vector<BasicBlock> m_blocks;
    std::vector<std::vector<std::uint32_t>> m_ways; ///< into each block
    std::uint32_t m_inBlock = 0;
    // What longer accesses tell of registers, as m_zeros:
    std::map<std::uint32_t, std::map<std::uint32_t, int>> m_alignments; ///< of a parameter, those of each block
    std::map<std::uint32_t, int> m_zerosTold; ///< of others that are set once
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> m_chosenAlignments; ///< of [block, register], as it is at the block's start
    std::map<std::uint32_t, int> m_zerosHere; ///< of registers asked for in this block
    std::vector<int> m_zeros;
    RegisterUses m_registers;
    std::vector<Value> m_now;
    std::vector<std::uint32_t> m_isNow; ///< block in which m_now was written; 0: none
    std::vector<std::uint32_t> m_version;
    std::vector<std::uint32_t> m_segments; ///< of each instruction, see findSegments()
    std::uint32_t m_block = 0; ///< counts the blocks of both passes
    std::vector<Pending> m_loads; ///< all
    std::vector<std::size_t> m_open; ///< of those, what the next load may be joined with
    std::size_t m_opened = 0; ///< those from there on were opened in this block
    std::vector<std::vector<std::size_t>> m_openAtEnd; ///< of each block, what it has opened
    std::vector<std::vector<std::uint32_t>> m_before; ///< blocks, of each; empty: only within blocks
    std::optional<Pending> m_store;
};
}

void joinAccesses(Program& program)
{
    for (const Space space : { Space::Shared, Space::Global })
        Joiner(program, space).run();
}

} // namespace coalescope::analysis
