// SPDX-License-Identifier: Apache-2.0
// What can be settled only when the whole kernel has been read: where parameters of calls live and
// which instructions are left.
#include "analysis/program/control_flow.h"
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

#include <algorithm>
#include <map>
#include <string>

namespace coalescope::analysis::ptx {

namespace {
bool fallsThrough(const Instruction& ins)
{
    const bool leaves = ins.op == Opcode::Exit || ins.op == Opcode::Bra || ins.op == Opcode::BrxIdx
        || ins.op == Opcode::Trap;
    return !leaves || ins.guard != kNone;
}
}

void Decoder::finish(const FunctionDeclaration& entry)
{
    auto& instructions = m_program.instructions;
    const auto end = static_cast<std::uint32_t>(instructions.size());
    const bool reachesEnd = instructions.empty() || fallsThrough(instructions.back())
        || std::ranges::any_of(instructions,
            [end](const Instruction& ins) { return ins.op == Opcode::Bra && ins.target == end; })
        || std::ranges::any_of(m_program.branchTables,
            [end](const auto& table) { return std::ranges::find(table, end) != table.end(); });
    if (reachesEnd) {
        m_guard = kNone;
        m_mnemonicOffset = entry.offset;
        Instruction exit;
        exit.op = Opcode::Exit;
        emit(exit);
    }
    for (Instruction& ins : instructions) {
        if (ins.op == Opcode::BrxIdx && m_program.branchTables[ins.target].empty())
            failBad(entry.offset, "A table of branch targets is empty.");
    }
    lowerParameters();
    useReferenced();
    placeVariables();
    listSymbols();
    patchAddresses();
    dropNothings();
    nameFiles();
    computeReconvergence(m_program);
}

/// Bytes of a call's parameter that are always read and written in the same pieces become
/// registers; a parameter whose address is taken, or whose pieces overlap, stays in local memory.
void Decoder::lowerParameters()
{
    struct Piece {
        std::uint32_t offset, width, registerIndex;
        bool loaded;
    };
    std::map<std::uint32_t, std::vector<Piece>> pieces;
    for (const ParameterAccess& access : m_parameterAccesses) {
        auto& list = pieces[access.place];
        bool& taken = m_places[access.place].addressTaken;
        const auto same = std::ranges::find_if(list, [&](const Piece& piece) {
            return piece.offset < access.offset + access.width
                && access.offset < piece.offset + piece.width;
        });
        const bool loads = m_program.instructions[access.instruction].op == Opcode::Ld;
        if (same == list.end())
            list.push_back({ access.offset, access.width, kNone, loads });
        else if (same->offset != access.offset || same->width != access.width)
            taken = true;
        else
            same->loaded = same->loaded || loads;
    }
    for (const ParameterAccess& access : m_parameterAccesses) {
        if (m_places[access.place].addressTaken) {
            m_program.instructions[access.instruction].mod.space = Space::Local;
            continue;
        }
        Piece& piece = *std::ranges::find(pieces[access.place], access.offset, &Piece::offset);
        if (!piece.loaded) {
            m_program.instructions[access.instruction].op = Opcode::Nop;
            continue;
        }
        if (piece.registerIndex == kNone)
            piece.registerIndex = temporary(access.width == 8 ? Type::B64 : Type::B32).index;
        lowerToMove(access, piece.registerIndex);
    }
}

void Decoder::lowerToMove(const ParameterAccess& access, std::uint32_t registerIndex)
{
    Instruction& ins = m_program.instructions[access.instruction];
    const bool loads = ins.op == Opcode::Ld;
    const Operand piece { .kind = OperandKind::Register, .index = registerIndex };
    const Operand from = loads ? piece : ins.src[1];
    const Operand to = loads ? ins.dst[0] : piece;
    const int fromBytes
        = from.kind == OperandKind::Register ? bytesOf(m_program.registerType[from.index]) : 0;
    const int toBytes = bytesOf(m_program.registerType[to.index]);
    const auto width = static_cast<int>(access.width);
    ins.mod = {};
    ins.offset = 0;
    ins.src = { from };
    ins.dst = { to };
    if (width == toBytes && (fromBytes == width || fromBytes == 0)) {
        ins.op = Opcode::Mov;
        ins.type = width == 8 ? Type::B64
            : width == 4      ? Type::B32
            : width == 2      ? Type::B16
                              : Type::B8;
        return;
    }
    const bool extends = loads && isSigned(ins.type);
    const auto integer = [](int bytes, bool sign) {
        return bytes == 1 ? (sign ? Type::S8 : Type::U8)
            : bytes == 2  ? (sign ? Type::S16 : Type::U16)
            : bytes == 4  ? (sign ? Type::S32 : Type::U32)
                          : (sign ? Type::S64 : Type::U64);
    };
    ins.op = Opcode::Cvt;
    ins.sourceType = integer(width, extends);
    ins.type = integer(toBytes, extends);
}

void Decoder::patchAddresses()
{
    for (Instruction& ins : m_program.instructions) {
        for (Operand& operand : ins.src) {
            if (operand.kind != OperandKind::Immediate || operand.index == kNone)
                continue;
            operand.bits += m_placeAddress[operand.index];
            operand.index = kNone;
        }
    }
}

void Decoder::dropNothings()
{
    auto& instructions = m_program.instructions;
    std::vector<std::uint32_t> newIndex(instructions.size() + 1);
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        newIndex[i] = kept;
        kept += instructions[i].op != Opcode::Nop;
    }
    newIndex.back() = kept;
    if (kept == instructions.size())
        return;
    std::erase_if(instructions, [](const Instruction& ins) { return ins.op == Opcode::Nop; });
    for (Instruction& ins : instructions) {
        if (ins.op == Opcode::Bra)
            ins.target = newIndex[ins.target];
    }
    for (auto& table : m_program.branchTables) {
        for (std::uint32_t& target : table)
            target = newIndex[target];
    }
}

void Decoder::nameFiles()
{
    std::map<std::uint32_t, std::uint32_t> indexOf;
    for (Instruction& ins : m_program.instructions) {
        if (ins.file == 0 && ins.line == 0)
            continue;
        const auto [at, isNew]
            = indexOf.try_emplace(ins.file, static_cast<std::uint32_t>(m_program.files.size()));
        if (isNew) {
            const auto name = m_module.files.find(ins.file);
            m_program.files.push_back(name == m_module.files.end() ? std::string() : name->second);
        }
        ins.file = at->second;
    }
}

} // namespace coalescope::analysis::ptx
