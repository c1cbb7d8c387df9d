// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/decoded.h"

#include "analysis/execute/data_regions.h"
#include "analysis/execute/handlers.h"
#include "analysis/program/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace coalescope::analysis {

namespace {

class Decoder {
public:
    explicit Decoder(const Program& program)
        : m_program(program)
    {
        m_out.program = &program;
        m_out.registers = program.registers;
    }

    Result<DecodedProgram> run()
    {
        m_out.code.reserve(m_program.instructions.size());
        for (std::uint32_t pc = 0; pc < m_program.instructions.size(); ++pc) {
            auto decoded = decodeOne(pc);
            if (!decoded)
                return std::unexpected(decoded.error());
            m_out.code.push_back(*decoded);
        }
        const std::uint32_t sink = m_out.registers++;
        for (Decoded& d : m_out.code) {
            for (OperandSlot& slot : d.dst)
                if (slot.slot == kNone)
                    slot.slot = sink;
        }
        if (std::ranges::find(m_program.instructions, Opcode::MBarrier, &Instruction::op) != m_program.instructions.end())
            findAccesses();
        findDataRegions(m_out);
        return std::move(m_out);
    }

private:
    Result<Decoded> decodeOne(std::uint32_t pc)
    {
        const Instruction& instruction = m_program.instructions[pc];
        Decoded d { .source = &instruction,
            .guard = instruction.guard,
            .guardNegated = instruction.guardNegated };
        d.run = handlerOf(instruction);
        if (d.run == nullptr)
            return fail(ErrorCode::UnsupportedInstruction,
                fmt::format("`{}` is not modelled", m_program.mnemonic(pc)),
                placeOf(m_program, pc));
        for (std::size_t i = 0; i < d.dst.size(); ++i)
            d.dst[i] = instruction.dst[i].kind == OperandKind::Register
                ? OperandSlot { .slot = instruction.dst[i].index }
                : OperandSlot { .slot = kNone };
        for (std::size_t i = 0; i < d.src.size(); ++i)
            d.src[i] = sourceSlot(instruction.src[i]);
        noteSharedWidth(instruction);
        noteLoop(d, pc);
        return d;
    }

    static bool moves(const Instruction& i)
    {
        return (i.op == Opcode::Ld || i.op == Opcode::St) && (i.mod.space == Space::Global || i.mod.space == Space::Shared);
    }

    void findAccesses()
    {
        const auto blocks = basicBlocks(m_program);
        m_out.reachesAccess.assign(m_program.instructions.size() + 1, false);
        for (bool changed = true; changed;) {
            changed = false;
            for (const BasicBlock& block : blocks) {
                bool reaches = std::ranges::any_of(block.successors,
                    [&](std::uint32_t next) { return next < blocks.size() && m_out.reachesAccess[blocks[next].begin]; });
                for (std::uint32_t pc = block.end; pc-- > block.begin;) {
                    reaches = reaches || moves(m_program.instructions[pc]);
                    changed = changed || reaches != m_out.reachesAccess[pc];
                    m_out.reachesAccess[pc] = reaches;
                }
            }
        }
    }

    void noteLoop(Decoded& d, std::uint32_t pc) const
    {
        const auto& code = m_program.instructions;
        if (code[pc].op != Opcode::Bra || code[pc].target > pc)
            return;
        const std::span loop = std::span(code).subspan(code[pc].target, pc - code[pc].target);
        const auto isMarked = [&](const Instruction& i) {
            return moves(i) || i.op == Opcode::Atom || i.op == Opcode::Red || i.op == Opcode::Bar;
        };
        d.turnsLoop = code[pc].guard != kNone && std::ranges::any_of(loop, &Decoder::moves);
        d.turnsFreely = std::ranges::none_of(loop, isMarked);
    }

    OperandSlot sourceSlot(const Operand& operand)
    {
        switch (operand.kind) {
        case OperandKind::Register:
            return { .negated = operand.negated, .slot = operand.index };
        case OperandKind::Special:
            return { .slot = specialRegister(SpecialRegister(operand.index)) };
        case OperandKind::Immediate:
            return { .bank = 1, .slot = constant(operand.bits) };
        case OperandKind::None:
        case OperandKind::Sink:
            break;
        }
        return { .bank = 1, .slot = constant(0) };
    }

    std::uint32_t specialRegister(SpecialRegister special)
    {
        for (const auto& [known, slot] : m_out.specials)
            if (known == special)
                return slot;
        m_out.specials.emplace_back(special, m_out.registers);
        return m_out.registers++;
    }

    std::uint32_t constant(Word bits)
    {
        const auto [it, fresh] = m_constants.try_emplace(bits, std::uint32_t(m_constants.size()));
        if (fresh)
            m_out.constants.insert(m_out.constants.end(), kWarpLanes, bits);
        return it->second;
    }

    /// Accesses are aligned to their width, so the narrowest one is the grain of race detection.
    void noteSharedWidth(const Instruction& instruction)
    {
        switch (instruction.op) {
        case Opcode::Ld:
        case Opcode::St:
        case Opcode::Atom:
        case Opcode::Red:
            if (instruction.mod.space == Space::Shared || instruction.mod.space == Space::Generic)
                m_out.shadowBytes
                    = std::min(m_out.shadowBytes, std::uint32_t(bytesOf(instruction.type)));
            break;
        default:
            break;
        }
    }

    const Program& m_program;
    DecodedProgram m_out;
    std::map<Word, std::uint32_t> m_constants;
};

} // namespace

Result<DecodedProgram> decode(const Program& program, const Launch& launch)
{
    if (launch.block.count() == 0 || launch.block.count() > 1024 || launch.grid.count() == 0)
        return fail(ErrorCode::IllegalLaunch,
            fmt::format(
                "a block of {} x {} x {} threads in a grid of {} x {} x {} cannot be launched: "
                "blocks have 1 to 1024 threads and grids at least one block",
                launch.block.x, launch.block.y, launch.block.z, launch.grid.x, launch.grid.y,
                launch.grid.z));
    if (launch.parameters.size() < program.parameterBytes)
        return fail(ErrorCode::IllegalLaunch,
            fmt::format("the kernel takes {} bytes of parameters, the launch gives {}",
                program.parameterBytes, launch.parameters.size()));
    auto decoded = Decoder(program).run();
    if (decoded)
        decoded->sharedBytes = launch.dynamicSharedBytes == 0
            ? program.staticSharedBytes
            : std::max(program.staticSharedBytes, program.dynamicSharedOffset + launch.dynamicSharedBytes);
    return decoded;
}

std::string placeOf(const Program& program, std::uint32_t instruction)
{
    if (instruction >= program.instructions.size())
        return "end of the kernel";
    const Instruction& i = program.instructions[instruction];
    if (i.line != 0 && i.file < program.files.size())
        return fmt::format("{}:{}", program.files[i.file], i.line);
    return fmt::format("ptx:{}", i.textLine);
}

} // namespace coalescope::analysis
