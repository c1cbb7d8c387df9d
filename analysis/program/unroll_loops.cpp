// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/unroll_loops.h"

#include "analysis/program/control_flow.h"
#include "analysis/program/uses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <span>

namespace coalescope::analysis {

namespace {

constexpr std::uint32_t kMostTurns = 128;
constexpr std::int64_t kLongestStep = 1 << 20; ///< of a counter
constexpr std::size_t kMostInstructions = 4096; ///< of all turns together

bool isOfRegister(const Operand& operand) { return operand.kind == OperandKind::Register; }

/// As a signed number of the type's width.
std::int64_t signedOf(std::uint64_t bits, Type type)
{
    return bytesOf(type) == 4 ? std::int64_t(std::int32_t(bits)) : std::int64_t(bits);
}

bool isWholeNumber(Type type)
{
    return type == Type::S32 || type == Type::U32 || type == Type::B32 || type == Type::S64 || type == Type::U64 || type == Type::B64;
}

/// A sum, or a difference, that wraps around.
bool isPlainSum(const Instruction& ins)
{
    return (ins.op == Opcode::Add || ins.op == Opcode::Sub) && isWholeNumber(ins.type) && ins.guard == kNone && !ins.mod.saturate
        && !ins.mod.carryOut && isOfRegister(ins.dst[0]);
}

/// What a register that only such a sum sets in the loop gains in it.
std::optional<std::int64_t> stepOf(const Instruction& ins, std::uint32_t index)
{
    if (!isPlainSum(ins) || ins.dst[0].index != index || !isOfRegister(ins.src[0]) || ins.src[0].index != index
        || ins.src[1].kind != OperandKind::Immediate)
        return std::nullopt;
    const std::int64_t step = signedOf(ins.src[1].bits, ins.type);
    return ins.op == Opcode::Add ? step : -step;
}

std::optional<bool> holds(Compare compare, std::int64_t a, std::int64_t b, Type type)
{
    const auto ua = bytesOf(type) == 4 ? std::uint64_t(std::uint32_t(a)) : std::uint64_t(a);
    const auto ub = bytesOf(type) == 4 ? std::uint64_t(std::uint32_t(b)) : std::uint64_t(b);
    const bool isSigned = type == Type::S32 || type == Type::S64;
    const auto order = isSigned ? a <=> b : ua <=> ub;
    switch (compare) {
    case Compare::Eq:
        return order == 0;
    case Compare::Ne:
        return order != 0;
    case Compare::Lt:
    case Compare::Lo:
        return order < 0;
    case Compare::Le:
    case Compare::Ls:
        return order <= 0;
    case Compare::Gt:
    case Compare::Hi:
        return order > 0;
    case Compare::Ge:
    case Compare::Hs:
        return order >= 0;
    default:
        return std::nullopt;
    }
}

class Finder {
public:
    explicit Finder(const Program& program)
        : m_program(program)
        , m_registers(program)
    {
    }

    /// How often a block that ends with a branch to itself turns.
    [[nodiscard]] std::optional<std::uint32_t> turnsOf(const BasicBlock& block) const
    {
        const Instruction& branch = m_program.instructions[block.end - 1];
        const auto test = onlyIn(block, branch.guard);
        if (!test)
            return std::nullopt;
        const Instruction& ins = m_program.instructions[*test];
        if (ins.op != Opcode::Setp || ins.guard != kNone || ins.mod.combine != BoolOp::None || !isWholeNumber(ins.type)
            || !isOfRegister(ins.src[0]) || ins.src[1].kind != OperandKind::Immediate || !isOfRegister(ins.dst[0])
            || ins.dst[0].index != branch.guard)
            return std::nullopt;
        const std::uint32_t counter = ins.src[0].index;
        const auto update = onlyIn(block, counter);
        if (!update || *update > *test)
            return std::nullopt;
        const auto step = stepOf(m_program.instructions[*update], counter);
        const auto first = valueBefore(block, counter);
        if (!step || !first || bytesOf(m_program.instructions[*update].type) != bytesOf(ins.type))
            return std::nullopt;
        const std::int64_t last = signedOf(ins.src[1].bits, ins.type);
        std::int64_t value = *first;
        for (std::uint32_t turns = 1; turns <= kMostTurns; ++turns) {
            value = signedOf(std::uint64_t(value) + std::uint64_t(*step), ins.type);
            const auto goesOn = holds(ins.mod.compare, value, last, ins.type);
            if (!goesOn)
                return std::nullopt;
            if (*goesOn == branch.guardNegated)
                return turns;
        }
        return std::nullopt;
    }

    /// How a block that ends with a branch to itself goes on; nothing: it does so in another way.
    [[nodiscard]] std::optional<BoundedLoop> boundedOf(const BasicBlock& block) const
    {
        const Instruction& branch = m_program.instructions[block.end - 1];
        const auto test = onlyIn(block, branch.guard);
        if (!test || branch.guardNegated)
            return std::nullopt;
        const Instruction& ins = m_program.instructions[*test];
        const bool isLess = ins.op == Opcode::Setp && ins.mod.compare == Compare::Lt && (ins.type == Type::S32 || ins.type == Type::S64);
        if (!isLess || ins.guard != kNone || ins.mod.combine != BoolOp::None || !isOfRegister(ins.src[0]) || !isOfRegister(ins.dst[0]) || ins.dst[0].index != branch.guard)
            return std::nullopt;
        const bool isBoundSame = ins.src[1].kind == OperandKind::Immediate || (isOfRegister(ins.src[1]) && !isSetIn(block, ins.src[1].index));
        const auto update = onlyIn(block, ins.src[0].index);
        const auto step = update && *update < *test ? stepOf(m_program.instructions[*update], ins.src[0].index) : std::nullopt;
        if (!isBoundSame || !step || *step <= 0 || *step > kLongestStep || bytesOf(m_program.instructions[*update].type) != bytesOf(ins.type))
            return std::nullopt;
        return BoundedLoop { block.begin, block.end, *test, *step };
    }

private:
    [[nodiscard]] bool isSetIn(const BasicBlock& block, std::uint32_t index) const
    {
        return std::ranges::any_of(m_registers.definitions[index], [&](std::uint32_t at) { return at >= block.begin && at < block.end; });
    }
    /// The only instruction of the block that sets a register.
    [[nodiscard]] std::optional<std::uint32_t> onlyIn(const BasicBlock& block, std::uint32_t index) const
    {
        if (index == kNone)
            return std::nullopt;
        std::optional<std::uint32_t> found;
        for (const std::uint32_t at : m_registers.definitions[index]) {
            if (at < block.begin || at >= block.end)
                continue;
            if (found)
                return std::nullopt;
            found = at;
        }
        return found;
    }
    /// A constant that the only other instruction gives the register.
    [[nodiscard]] std::optional<std::int64_t> valueBefore(const BasicBlock& block, std::uint32_t index) const
    {
        const auto& definitions = m_registers.definitions[index];
        if (definitions.size() != 2)
            return std::nullopt;
        const std::uint32_t outside = definitions[0] >= block.begin && definitions[0] < block.end ? definitions[1] : definitions[0];
        return constantOf(outside);
    }
    [[nodiscard]] std::optional<std::int64_t> constantOf(std::uint32_t at) const
    {
        for (int steps = 0; steps < 8; ++steps) {
            const Instruction& ins = m_program.instructions[at];
            if (ins.op != Opcode::Mov || ins.guard != kNone || !isWholeNumber(ins.type))
                return std::nullopt;
            if (ins.src[0].kind == OperandKind::Immediate)
                return signedOf(ins.src[0].bits, ins.type);
            if (!isOfRegister(ins.src[0]) || !m_registers.isSetOnce(ins.src[0].index))
                return std::nullopt;
            at = m_registers.definitions[ins.src[0].index].front();
        }
        return std::nullopt;
    }

    const Program& m_program;
    RegisterUses m_registers;
};

/// What the counters and sums of a loop's turn gain from one turn to the next, where that is a constant.
class Steps {
public:
    Steps(const Program& program, const CountedLoop& loop)
    {
        const auto body = std::views::iota(loop.begin, loop.end);
        std::map<std::uint32_t, int> settings;
        std::map<std::uint32_t, bool> isReadFirst; ///< in a turn, before it is set
        for (const std::uint32_t i : body) {
            const Instruction& ins = program.instructions[i];
            const auto read = [&](std::uint32_t index) { isReadFirst.try_emplace(index, !settings.contains(index)); };
            for (const Operand& operand : ins.src)
                if (isOfRegister(operand))
                    read(operand.index);
            if (ins.guard != kNone)
                read(ins.guard);
            for (const Operand& operand : ins.dst)
                if (isOfRegister(operand))
                    ++settings[operand.index];
        }
        for (const std::uint32_t i : body)
            if (const Instruction& ins = program.instructions[i]; isOfRegister(ins.dst[0]) && settings[ins.dst[0].index] == 1)
                if (const auto step = stepOf(ins, ins.dst[0].index))
                    m_ofRegisters[ins.dst[0].index] = m_ofCounters[i] = *step;
        for (const std::uint32_t i : body) {
            const Instruction& ins = program.instructions[i];
            if (!isPlainSum(ins) || settings[ins.dst[0].index] != 1 || isReadFirst[ins.dst[0].index])
                continue;
            const auto gain = [&](const Operand& operand) -> std::optional<std::int64_t> {
                if (operand.kind == OperandKind::Immediate || (isOfRegister(operand) && !settings.contains(operand.index)))
                    return 0;
                const auto known = isOfRegister(operand) ? m_ofRegisters.find(operand.index) : m_ofRegisters.end();
                return known == m_ofRegisters.end() ? std::nullopt : std::optional(known->second);
            };
            const auto a = gain(ins.src[0]), b = gain(ins.src[1]);
            if (!a || !b)
                continue;
            m_ofRegisters[ins.dst[0].index] = m_ofSums[i] = ins.op == Opcode::Add ? *a + *b : *a - *b;
        }
    }
    /// By how much an instruction lets its register count; nothing where it does not.
    [[nodiscard]] std::optional<std::int64_t> ofCounter(std::uint32_t instruction) const { return found(m_ofCounters, instruction); }
    /// Of another sum.
    [[nodiscard]] std::optional<std::int64_t> ofSum(std::uint32_t instruction) const { return found(m_ofSums, instruction); }

private:
    using Gains = std::map<std::uint32_t, std::int64_t>;
    [[nodiscard]] static std::optional<std::int64_t> found(const Gains& gains, std::uint32_t at)
    {
        const auto place = gains.find(at);
        return place == gains.end() ? std::nullopt : std::optional(place->second);
    }

    Gains m_ofRegisters; ///< in any turn
    Gains m_ofCounters, m_ofSums; ///< by instruction
};

bool accesses(const Instruction& ins)
{
    return (ins.op == Opcode::Ld || ins.op == Opcode::St) && (ins.mod.space == Space::Shared || ins.mod.space == Space::Global);
}

/// The blocks that end with a branch to themselves and access memory.
std::vector<BasicBlock> loopsThatAccess(const Program& program)
{
    std::vector<BasicBlock> loops;
    for (const BasicBlock& block : basicBlocks(program)) {
        const Instruction& branch = program.instructions[block.end - 1];
        const std::span body = std::span(program.instructions).subspan(block.begin, block.end - block.begin);
        if (branch.op == Opcode::Bra && branch.target == block.begin && branch.guard != kNone && std::ranges::any_of(body, accesses))
            loops.push_back(block);
    }
    return loops;
}

/// A new register of another's type and name.
std::uint32_t registerLike(Program& program, std::uint32_t index)
{
    program.registerType.push_back(program.registerType[index]);
    program.registerName.push_back(program.registerName[index]);
    return program.registers++;
}

/// Writes the turns of a loop one after the other. What a sum or a counter is in the first turn gets a register of its own, that
/// all other turns count from: of it, as much is known as of what it was before the loop.
class Unroller {
public:
    Unroller(Program& program, const CountedLoop& loop)
        : m_program(program)
        , m_loop(loop)
        , m_steps(program, loop)
    {
        for (std::uint32_t i = loop.begin; i + 1 < loop.end; ++i) {
            const Operand& target = program.instructions[i].dst[0];
            if (m_steps.ofCounter(i))
                m_counters[target.index] = { .update = i, .first = registerLike(m_program, target.index), .between = registerLike(m_program, target.index) };
            else if (m_steps.ofSum(i))
                m_sums[target.index] = registerLike(m_program, target.index);
        }
    }
    /// The branches back left out.
    [[nodiscard]] std::vector<Instruction> turns()
    {
        std::vector<Instruction> result;
        for (const auto& [index, counter] : m_counters) {
            Instruction& ins = result.emplace_back(m_program.instructions[counter.update]);
            ins.op = Opcode::Mov;
            ins.dst[0].index = counter.first;
            ins.src = { Operand { .kind = OperandKind::Register, .index = index } };
        }
        for (std::uint32_t turn = 0; turn < m_loop.turns; ++turn)
            for (std::uint32_t i = m_loop.begin; i + 1 < m_loop.end; ++i)
                result.push_back(instructionOf(turn, i));
        return result;
    }

private:
    struct Counter {
        std::uint32_t update = 0; ///< the instruction
        std::uint32_t first = 0, between = 0; ///< registers: before the loop, and in it
    };

    [[nodiscard]] bool isLast(std::uint32_t turn) const { return turn + 1 == m_loop.turns; }
    [[nodiscard]] Instruction instructionOf(std::uint32_t turn, std::uint32_t at) const
    {
        Instruction ins = m_program.instructions[at];
        const std::uint32_t target = ins.dst[0].index;
        if (const auto step = m_steps.ofCounter(at)) {
            const Counter& counter = m_counters.at(target);
            ins.dst[0].index = isLast(turn) ? target : counter.between;
            return sum(ins, counter.first, *step * (turn + 1));
        }
        if (const auto step = m_steps.ofSum(at); step && turn > 0)
            return sum(ins, m_sums.at(target), *step * turn);
        for (Operand& operand : ins.src)
            renameRead(operand, turn, at);
        if (const auto found = m_sums.find(target); turn == 0 && isOfRegister(ins.dst[0]) && found != m_sums.end())
            ins.dst[0].index = found->second;
        return ins;
    }
    void renameRead(Operand& operand, std::uint32_t turn, std::uint32_t at) const
    {
        if (!isOfRegister(operand))
            return;
        if (const auto sum = m_sums.find(operand.index); turn == 0 && sum != m_sums.end())
            operand.index = sum->second;
        if (const auto found = m_counters.find(operand.index); found != m_counters.end()) {
            const bool isUpdated = at > found->second.update;
            if (!isUpdated || !isLast(turn))
                operand.index = turn == 0 && !isUpdated ? found->second.first : found->second.between;
        }
    }
    [[nodiscard]] static Instruction sum(Instruction ins, std::uint32_t of, std::int64_t more)
    {
        const auto bits = std::uint64_t(more);
        ins.op = Opcode::Add;
        ins.src = { Operand { .kind = OperandKind::Register, .index = of },
            Operand { .kind = OperandKind::Immediate, .bits = bytesOf(ins.type) == 4 ? std::uint32_t(bits) : bits } };
        return ins;
    }

    Program& m_program;
    CountedLoop m_loop;
    Steps m_steps;
    std::map<std::uint32_t, Counter> m_counters; ///< by register
    std::map<std::uint32_t, std::uint32_t> m_sums; ///< the register for the first turn's, by register
};

/// Writes a loop in parts of four, two and one of its turns.
class Cascade {
public:
    Cascade(Program& program, const BoundedLoop& loop)
        : m_program(program)
        , m_loop(loop)
        , m_test(program.instructions[loop.test])
        , m_branch(program.instructions[loop.end - 1])
        , m_left(registerLike(m_program, m_test.src[0].index))
        , m_more(registerLike(m_program, m_branch.guard))
    {
    }

    [[nodiscard]] std::vector<Instruction> code()
    {
        const auto four = turns(4), two = turns(2), one = turns(1);
        const std::size_t ofTwo = 3 + four.size() + 3, ofOne = ofTwo + 3 + two.size(), end = ofOne + 3 + one.size();
        addTest(3, ofTwo, true);
        add(four);
        addTest(3, 3, false);
        addTest(1, ofOne, true);
        add(two);
        addTest(0, end, true);
        add(one);
        return std::move(m_code);
    }

private:
    [[nodiscard]] std::vector<Instruction> turns(std::uint32_t count) { return Unroller(m_program, { m_loop.begin, m_loop.end, count }).turns(); }
    void add(const std::vector<Instruction>& code) { m_code.insert(m_code.end(), code.begin(), code.end()); }

    /// Goes to `target` of the code where more than so many turns are left, or where not.
    void addTest(std::int64_t turns, std::size_t target, bool isNot)
    {
        Instruction left = m_test;
        left.op = Opcode::Sub;
        left.mod = {};
        left.dst = { Operand { .kind = OperandKind::Register, .index = m_left } };
        left.src = { m_test.src[1], m_test.src[0] };
        Instruction test = m_test;
        test.mod.compare = Compare::Gt;
        test.dst[0].index = m_more;
        test.src = { left.dst[0], Operand { .kind = OperandKind::Immediate, .bits = std::uint64_t(turns * m_loop.step) } };
        Instruction branch = m_branch;
        branch.guard = m_more;
        branch.guardNegated = isNot;
        branch.target = std::uint32_t(m_loop.begin + target);
        add({ left, test, branch });
    }

    Program& m_program;
    BoundedLoop m_loop;
    Instruction m_test, m_branch;
    std::uint32_t m_left, m_more; ///< registers
    std::vector<Instruction> m_code;
};

} // namespace

std::vector<CountedLoop> countedLoops(const Program& program)
{
    const Finder finder(program);
    std::vector<CountedLoop> loops;
    for (const BasicBlock& block : loopsThatAccess(program)) {
        const auto turns = finder.turnsOf(block);
        if (turns && *turns > 1 && *turns * (block.end - block.begin) <= kMostInstructions)
            loops.push_back({ block.begin, block.end, *turns });
    }
    return loops;
}

std::vector<BoundedLoop> boundedLoops(const Program& program)
{
    const Finder finder(program);
    std::vector<BoundedLoop> loops;
    for (const BasicBlock& block : loopsThatAccess(program))
        if (const auto loop = finder.boundedOf(block))
            loops.push_back(*loop);
    return loops;
}

namespace {

/// Puts other code in a loop's place.
void replace(Program& program, std::uint32_t begin, std::uint32_t end, const std::vector<Instruction>& code)
{
    const auto moved = [&](std::uint32_t target) { return target == kNone || target <= begin ? target : std::uint32_t(target + code.size() - (end - begin)); };
    auto& instructions = program.instructions;
    for (Instruction& ins : instructions)
        if (ins.op == Opcode::Bra)
            ins.target = moved(ins.target);
    for (auto& table : program.branchTables)
        std::ranges::transform(table, table.begin(), moved);
    const auto at = instructions.erase(instructions.begin() + begin, instructions.begin() + end);
    instructions.insert(at, code.begin(), code.end());
    computeReconvergence(program);
}

} // namespace

Program unrolled(const Program& program, const CountedLoop& loop)
{
    Program result = program;
    const std::vector<Instruction> turns = Unroller(result, loop).turns();
    replace(result, loop.begin, loop.end, turns);
    return result;
}

Program cascaded(const Program& program, const BoundedLoop& loop)
{
    Program result = program;
    const std::vector<Instruction> code = Cascade(result, loop).code();
    replace(result, loop.begin, loop.end, code);
    return result;
}

} // namespace coalescope::analysis
