// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"
#include "analysis/ptx/lexer.h"
#include "analysis/ptx/location.h"
#include "analysis/ptx/module.h"
#include "analysis/ptx/opcode_table.h"
#include "analysis/ptx/scope.h"

#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coalescope::analysis::ptx {

/// Whether a register must be as wide as the operand's type or may be wider.
enum class Fit : std::uint8_t { Exact, Relaxed };

/// A memory operand: base and bytes added to it.
struct Address {
    Operand base;
    std::int64_t offset = 0;
    std::uint32_t place = kNone; ///< Place that a name in the text stands for
};

/// Something with an address that is known only when all of the kernel has been read.
///
/// While a kernel is being decoded, an immediate operand whose `index` is not kNone means the
/// address of that place plus `bits`.
struct Place {
    const Variable* variable = nullptr; ///< null: a .param variable of a call
    std::string_view name;
    std::uint32_t size = 0; ///< bytes, of a .param variable
    std::uint32_t align = 1;
    bool addressTaken
        = false; ///< it lies in memory: a variable that is used, or a parameter that must
};

/// Turns the tokens of one kernel and of the functions that it calls into a program.
///
/// Functions are expanded where they are called: their tokens are read once more under fresh names.
/// Throws Failure.
class Decoder {
public:
    Decoder(const Module& module, Cursor cursor);

    /// Decodes `entry`, a function with a body.
    [[nodiscard]] Program decode(const FunctionDeclaration& entry);

    // What the opcodes' handlers read with.
    [[nodiscard]] Cursor& cursor() { return m_cursor; }
    [[nodiscard]] const Mnemonic& mnemonic() const { return *m_mnemonic; }
    [[nodiscard]] bool spelledWith(Suffix suffix) const
    {
        return (m_mnemonic->suffixes & maskOf(suffix)) != 0;
    }
    [[nodiscard]] Instruction& current() { return m_current; }
    [[nodiscard]] std::uint32_t mnemonicOffset() const { return m_mnemonicOffset; }

    [[nodiscard]] Operand destination(Type type, Fit fit = Fit::Exact);
    [[nodiscard]] Operand source(Type type, Fit fit = Fit::Exact);
    [[nodiscard]] Operand predicate(); ///< a source, with or without `!`
    [[nodiscard]] bool atPredicate(); ///< whether a predicate's register comes next, with or without `!`
    [[nodiscard]] Operand addressValue(); ///< a register or name that holds an address
    /// In brackets; a .param variable of a call only where the caller says that it can handle one.
    [[nodiscard]] Address memoryOperand(bool allowCallParameter = false);
    /// Calls read(i) for each of so many operands in braces; of a single one they may be left out.
    template <class Read> void operandsInBraces(int count, Read read)
    {
        const bool braces = m_cursor.accept('{');
        if (!braces && count != 1)
            m_cursor.expect('{');
        for (int i = 0; i < count; ++i) {
            if (i > 0)
                m_cursor.expect(',');
            read(i);
        }
        if (braces)
            m_cursor.expect('}');
    }
    /// A name in brackets tells the current instruction's space where the mnemonic does not; a
    /// parameter that a function reaches through a register lies in local memory.
    void settleSpace(const Address& address);
    void plainOperands(std::string_view letters); ///< reads operands as OpcodeRow::operands says
    void readCacheHint(); ///< drops the policy operand where the mnemonic has one

    /// True where a `.param` variable of a call, rather than the kernel's parameters, is meant.
    [[nodiscard]] bool isCallParameter(const Address& address) const
    {
        return address.place != kNone && m_places[address.place].variable == nullptr;
    }
    [[nodiscard]] bool insideFunction() const { return m_calls.size() > 1; }
    /// Bytes of an operand's register; 8 for a constant.
    [[nodiscard]] int widthOf(const Operand& operand) const
    {
        return operand.kind == OperandKind::Register ? bytesOf(m_program.registerType[operand.index]) : 8;
    }
    [[nodiscard]] const Place& place(std::uint32_t index) const { return m_places[index]; }

    /// Emits an access to bytes of a call's .param variable; ends up as a move where that can be.
    void emitCallParameter(
        Opcode op, Type type, const Address& address, std::int64_t extra, Operand value);

    std::uint32_t emit() { return emit(m_current); }
    std::uint32_t emit(Instruction instruction); ///< adds guard and source line
    void emitMove(const Operand& to, const Operand& from, Type type);
    [[nodiscard]] Operand temporary(Type type); ///< a fresh register

    void branchToLabel(
        std::string_view name, std::uint32_t offset); ///< emits the current instruction as a branch
    void branchThroughTable(std::string_view name, std::uint32_t offset);
    void returnFromFunction();
    void call();

private:
    /// One function being expanded.
    struct Call {
        const FunctionDeclaration* function = nullptr;
        std::vector<std::uint32_t> returns; ///< branches to patch with the end of the expansion
    };
    struct ParameterAccess {
        std::uint32_t instruction = 0, place = 0;
        std::uint32_t offset = 0, width = 0; ///< bytes
    };

    // decoder.cpp
    void body();
    void statement();
    void directive();
    void instruction();
    void location();
    void label(const Token& token);
    void branchTargets(std::string_view name, std::uint32_t offset);
    void registers();
    void localVariables(bool isExtern);
    void bind(const Scope::Use& use, std::uint32_t instruction);
    void guard();
    void openScope() { m_scopes.emplace_back(); }
    void closeScope();
    void addParameters(const FunctionDeclaration& entry);
    const Mnemonic& understood(const Token& token);

    // operands.cpp
    [[nodiscard]] Name* find(std::string_view name);
    [[nodiscard]] std::uint32_t registerOf(Name& name, std::string_view text);
    [[nodiscard]] Operand nameOperand(const Token& token, Type type, Fit fit);
    [[nodiscard]] Operand specialOperand(const Token& token, Type type);
    [[nodiscard]] Operand placeOperand(const Name& name, std::uint32_t offset);
    [[nodiscard]] const Variable* moduleVariable(std::string_view name, std::uint32_t offset) const;
    void checkWidth(std::uint32_t registerIndex, Type type, Fit fit, std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t variablePlace(const Variable& variable);

    // inline.cpp
    struct Copy {
        Operand to;
        std::uint32_t place = 0;
        Type type = Type::B32;
    };
    void declareParam(const ParamDeclaration& param);
    [[nodiscard]] Name bindArgument(const ParamDeclaration& formal);
    [[nodiscard]] Name bindReturn(
        const ParamDeclaration& formal, const Token& actual, std::vector<Copy>& copies);
    void callDefined(const FunctionDeclaration& function, const std::vector<Token>& returns);
    void callExternal(const Token& name, const std::vector<Token>& returns);
    void expand(
        const FunctionDeclaration& function, std::unordered_map<std::string_view, Name> names);
    [[nodiscard]] std::uint32_t newPlace(const ParamDeclaration& param);

    // finish.cpp
    void finish(const FunctionDeclaration& entry);
    void lowerParameters();
    void lowerToMove(const ParameterAccess& access, std::uint32_t registerIndex);
    void patchAddresses();
    [[nodiscard]] std::string sourcePlace() const; ///< FILE:LINE being read; empty where unknown
    void dropNothings();
    void nameFiles();

    // layout.cpp
    void useReferenced();
    void placeVariables();
    void listSymbols();

    const Module& m_module;
    Cursor m_cursor;
    Program m_program;
    std::unordered_map<std::string_view, Mnemonic> m_mnemonics;

    // the instruction being read
    const Mnemonic* m_mnemonic = nullptr;
    std::uint32_t m_mnemonicOffset = 0;
    Instruction m_current;
    std::uint32_t m_guard = kNone;
    bool m_guardNegated = false;
    std::uint32_t m_textLine = 0;
    Locations m_locations;

    std::vector<Call> m_calls;
    std::deque<Scope> m_scopes; ///< of the innermost function, innermost last
    std::deque<Variable> m_localVariables; ///< declared within functions
    std::unordered_map<std::uint32_t, const Variable*>
        m_variableAt; ///< declared within functions, by text offset
    std::vector<Place> m_places;
    std::unordered_map<const Variable*, std::uint32_t> m_placeOf;
    std::vector<std::uint32_t> m_inMemory; ///< places, in the order of their declaration
    std::vector<std::uint64_t> m_placeAddress; ///< filled by placeVariables
    std::vector<ParameterAccess> m_parameterAccesses;
};

} // namespace coalescope::analysis::ptx
