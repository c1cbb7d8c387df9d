// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/join_shared.h"

#include "analysis/program/control_flow.h"
#include "analysis/program/uses.h"

#include <algorithm>
#include <array>
#include <optional>

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
    std::array<std::uint32_t, 4> slots { kNone, kNone, kNone, kNone }; ///< instruction of each
    std::vector<std::uint32_t> repeats; ///< loads of a slot that is asked for already
};

int widthOf(const Instruction& ins) { return bytesOf(ins.type) * ins.vector; }

bool isShared(const Instruction& ins) { return ins.mod.space == Space::Shared; }
bool mayBeShared(const Instruction& ins)
{
    return isShared(ins) || ins.mod.space == Space::Generic;
}

bool endsLoads(const Instruction& ins)
{
    switch (ins.op) {
    case Opcode::St:
    case Opcode::Atom:
    case Opcode::Red:
        return mayBeShared(ins);
    case Opcode::Bar:
    case Opcode::BarWarp:
    case Opcode::Membar:
    case Opcode::CpAsync:
    case Opcode::CpAsyncWait:
    case Opcode::Nanosleep:
        return true;
    default:
        return false;
    }
}

bool endsStores(const Instruction& ins)
{
    return endsLoads(ins) || ins.op == Opcode::LdMatrix || ins.op == Opcode::CpAsyncCommit
        || (ins.op == Opcode::Ld && mayBeShared(ins));
}

class Joiner {
public:
    explicit Joiner(Program& program)
        : m_program(program)
        , m_zeros(knownTrailingZeros(program))
        , m_registers(program)
        , m_now(program.registers)
        , m_isNow(program.registers, 0)
        , m_version(program.registers, 0)
    {
    }

    void run()
    {
        for (const BasicBlock& block : basicBlocks(m_program)) {
            ++m_block;
            for (std::uint32_t i = block.begin; i < block.end; ++i)
                visit(i);
            flushLoads();
            flushStore();
        }
    }

private:
    void visit(std::uint32_t index)
    {
        const Instruction& ins = m_program.instructions[index];
        if (endsLoads(ins))
            flushLoads();
        const bool joinable = isShared(ins) && ins.guard == kNone && !ins.mod.isOrdered;
        if (ins.op == Opcode::St && joinable)
            store(index);
        else if (endsStores(ins))
            flushStore();
        if (ins.op == Opcode::Ld && joinable)
            load(index);
        define(ins);
    }

    void load(std::uint32_t index)
    {
        const Value at = addressOf(index);
        const int width = widthOf(m_program.instructions[index]);
        const Window window = windowAt(at, width);
        if (window.bytes == 0 || widens(m_program.instructions[index]))
            return;
        auto same = std::ranges::find_if(m_loads, [&](const Pending& p) {
            return p.width == width && p.root.sameRoot(at) && p.window.begin == window.begin;
        });
        if (same == m_loads.end())
            same = m_loads.insert(same, { .root = at, .window = window, .width = width });
        std::uint32_t& slot = same->slots[std::size_t((at.constant - window.begin) / width)];
        if (slot == kNone)
            slot = index;
        else
            same->repeats.push_back(index);
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

    void flushLoads()
    {
        for (const Pending& pending : m_loads) {
            joinWindow(pending, 3);
            for (const std::uint32_t repeat : pending.repeats)
                m_program.instructions[repeat].isJoined = true;
        }
        m_loads.clear();
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
    [[nodiscard]] Window windowAt(const Value& at, int width) const
    {
        if (width != 2 && width != 4 && width != 8)
            return {};
        const int known = at.root == kNone ? 4 : std::min(m_zeros[at.root], 4);
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
    std::vector<int> m_zeros;
    RegisterUses m_registers;
    std::vector<Value> m_now;
    std::vector<std::uint32_t> m_isNow; ///< block in which m_now was written; 0: none
    std::vector<std::uint32_t> m_version;
    std::uint32_t m_block = 0;
    std::vector<Pending> m_loads;
    std::optional<Pending> m_store;
};
}

void joinSharedAccesses(Program& program) { Joiner(program).run(); }

} // namespace coalescope::analysis
