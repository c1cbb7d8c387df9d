// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/decoder.h"

#include "analysis/ptx/constant.h"
#include "analysis/ptx/failure.h"

#include <string>

namespace coalescope::analysis::ptx {

namespace {
constexpr std::size_t kMostInstructions = 1u << 18;
constexpr std::size_t kDeepestScope = 256;
constexpr std::uint32_t kMostRegistersOfARange = 1u << 20;
}

Decoder::Decoder(const Module& module, Cursor cursor)
    : m_module(module)
    , m_cursor(cursor)
{
}

Program Decoder::decode(const FunctionDeclaration& entry)
{
    m_program.entry = entry.name;
    m_program.text = m_cursor.wholeText();
    m_program.maxThreads = entry.maxThreads;
    m_program.requiredBlock = entry.requiredBlock;
    m_program.cluster = entry.cluster;
    m_calls.push_back({ &entry, {} });
    openScope();
    addParameters(entry);
    m_cursor.seek(entry.bodyBegin);
    try {
        body();
    } catch (Failure& failure) {
        failure.source = sourcePlace();
        throw;
    }
    closeScope();
    finish(entry);
    return std::move(m_program);
}

std::string Decoder::sourcePlace() const
{
    const auto name = m_module.files.find(m_locations.kernelFile());
    if (name == m_module.files.end() || m_locations.kernelLine() == 0)
        return {};
    const std::string_view path = name->second;
    return std::string(path.substr(path.rfind('/') + 1)) + ':'
        + std::to_string(m_locations.kernelLine());
}

void Decoder::addParameters(const FunctionDeclaration& entry)
{
    std::uint32_t offset = 0;
    for (const ParamDeclaration& param : entry.params) {
        offset = (offset + param.align - 1) / param.align * param.align;
        m_program.parameters.push_back(
            { std::string(param.name), offset, param.size, param.align, param.type });
        const Name name { NameKind::EntryParameter, param.type, offset, param.size };
        if (param.isRegister)
            failBad(param.offset, "A kernel's parameters are in .param space.");
        if (!m_scopes.back().names.try_emplace(param.name, name).second)
            failBad(
                param.offset, "The parameter '" + std::string(param.name) + "' is declared twice.");
        offset += param.size;
    }
    m_program.parameterBytes = offset;
}

void Decoder::body()
{
    const std::size_t outermost = m_scopes.size();
    for (;;) {
        if (m_cursor.atEnd())
            failBad(m_cursor.peek().offset, "The text ends within a function.");
        if (m_cursor.accept('{')) {
            if (m_scopes.size() >= kDeepestScope)
                failBad(m_cursor.peek().offset, "The braces are nested too deeply.");
            openScope();
        } else if (m_cursor.accept('}')) {
            if (m_scopes.size() == outermost)
                return;
            closeScope();
        } else {
            statement();
        }
    }
}

void Decoder::statement()
{
    const Token& token = m_cursor.peek();
    if (m_cursor.accept(';'))
        return;
    if (token.kind == TokenKind::Directive)
        return directive();
    if (token.kind == TokenKind::Word && m_cursor.at(':', 1)) {
        m_cursor.next();
        m_cursor.next();
        return label(token);
    }
    if (m_cursor.accept('@'))
        guard();
    instruction();
    m_guard = kNone;
    m_guardNegated = false;
}

void Decoder::guard()
{
    m_guardNegated = m_cursor.accept('!');
    const Token& token = m_cursor.expectWord("a predicate");
    const Operand operand = nameOperand(token, Type::Pred, Fit::Exact);
    if (operand.kind != OperandKind::Register)
        failBad(token.offset, "A guard is a predicate register.");
    m_guard = operand.index;
}

const Mnemonic& Decoder::understood(const Token& token)
{
    const std::string_view text = m_cursor.text(token);
    if (const auto known = m_mnemonics.find(text); known != m_mnemonics.end())
        return known->second;
    return m_mnemonics.emplace(text, understand(text, token.offset)).first->second;
}

void Decoder::instruction()
{
    const Token& token = m_cursor.expectWord("an instruction");
    m_mnemonic = &understood(token);
    m_mnemonicOffset = token.offset;
    m_textLine = token.line;
    m_current = m_mnemonic->instruction;
    m_mnemonic->row->decode(*this);
    m_cursor.expect(';');
}

std::uint32_t Decoder::emit(Instruction instruction)
{
    if (m_program.instructions.size() >= kMostInstructions)
        failUnsupported(m_mnemonicOffset,
            "The kernel has more than 262144 instructions once its calls are expanded.");
    if (instruction.guard == kNone) {
        instruction.guard = m_guard;
        instruction.guardNegated = m_guardNegated;
    }
    instruction.file = m_locations.place().file;
    instruction.line = m_locations.place().line;
    instruction.kernelLine = m_locations.kernelLine();
    instruction.textLine = m_textLine;
    m_program.instructions.push_back(instruction);
    return static_cast<std::uint32_t>(m_program.instructions.size() - 1);
}

void Decoder::emitMove(const Operand& to, const Operand& from, Type type)
{
    Instruction move;
    move.op = Opcode::Mov;
    move.type = type;
    move.dst[0] = to;
    move.src[0] = from;
    emit(move);
}

void Decoder::directive()
{
    const Token& token = m_cursor.peek();
    const std::string_view name = m_cursor.text(token);
    if (startsVariable(name))
        return localVariables(false);
    if (name == ".param") {
        const ParamDeclaration param = readParam(m_cursor);
        m_cursor.expect(';');
        return declareParam(param);
    }
    m_cursor.next();
    if (name == ".loc")
        return location();
    if (name == ".reg")
        return registers();
    if (name == ".extern") {
        if (!startsVariable(m_cursor.text(m_cursor.peek())))
            failBad(m_cursor.peek().offset, "Expected a variable after .extern.");
        return localVariables(true);
    }
    if (name != ".pragma")
        failBad(token.offset,
            "The directive '" + std::string(name) + "' is not known within a function.");
    while (!m_cursor.atEnd() && !m_cursor.accept(';'))
        m_cursor.next();
}

void Decoder::location()
{
    const auto place = [this] {
        const auto file = static_cast<std::uint32_t>(readInteger(m_cursor));
        const auto line = static_cast<std::uint32_t>(readInteger(m_cursor));
        return SourcePlace { file, line, static_cast<std::uint32_t>(readInteger(m_cursor)) };
    };
    const SourcePlace here = place();
    std::optional<InlinedAt> inlinedAt;
    std::string_view function;
    while (m_cursor.accept(',')) {
        const Token& token = m_cursor.expectWord("function_name or inlined_at");
        if (m_cursor.text(token) == "function_name") {
            const std::string_view label = m_cursor.text(m_cursor.expectWord("a label"));
            function = m_module.debugText(label, m_cursor.accept('+') ? readInteger(m_cursor) : 0);
        } else if (m_cursor.text(token) == "inlined_at") {
            inlinedAt = InlinedAt { .place = place() };
        } else {
            failBad(token.offset, "Expected function_name or inlined_at.");
        }
    }
    if (inlinedAt)
        inlinedAt->isCopy = isCopyingFunction(function);
    m_locations.enter(here, inlinedAt, insideFunction());
}

void Decoder::registers()
{
    if (m_cursor.atDirective(".v2") || m_cursor.atDirective(".v4"))
        failUnsupported(m_cursor.peek().offset, "Vector registers are not modelled.");
    const Type type = readType(m_cursor);
    do {
        const Token& token = m_cursor.expectWord("a register's name");
        const std::string_view name = m_cursor.text(token);
        if (m_cursor.accept('<')) {
            const std::int64_t count = readInteger(m_cursor);
            if (count < 0 || count > kMostRegistersOfARange)
                failBad(token.offset, "A range has at most a million registers.");
            m_cursor.expect('>');
            m_scopes.back().ranges.push_back({ name, static_cast<std::uint32_t>(count), type, {} });
        } else if (!m_scopes.back()
                        .names.try_emplace(name, Name { NameKind::Register, type })
                        .second) {
            failBad(token.offset, "The name '" + std::string(name) + "' is declared twice.");
        }
    } while (m_cursor.accept(','));
    m_cursor.expect(';');
}

void Decoder::localVariables(bool isExtern)
{
    for (Variable& variable : readVariables(m_cursor, isExtern)) {
        const std::uint32_t offset = variable.offset;
        variable.owner = m_calls.size() == 1 ? Owner::Entry : Owner::Function;
        const Variable*& known = m_variableAt[offset];
        if (known == nullptr)
            known = &m_localVariables.emplace_back(std::move(variable));
        const Name name { NameKind::Place, known->type, variablePlace(*known),
            static_cast<std::uint32_t>(known->size) };
        if (!m_scopes.back().names.try_emplace(known->name, name).second)
            failBad(offset, "The name '" + std::string(known->name) + "' is declared twice.");
    }
}

void Decoder::label(const Token& token)
{
    const std::string_view name = m_cursor.text(token);
    if (m_cursor.acceptDirective(".branchtargets"))
        return branchTargets(name, token.offset);
    if (m_cursor.atDirective(".callprototype") || m_cursor.atDirective(".calltargets")) {
        while (!m_cursor.atEnd() && !m_cursor.accept(';'))
            m_cursor.next();
        return;
    }
    const auto here = static_cast<std::uint32_t>(m_program.instructions.size());
    if (!m_scopes.back().labels.try_emplace(name, here).second)
        failBad(token.offset, "The label '" + std::string(name) + "' is declared twice.");
}

void Decoder::branchTargets(std::string_view name, std::uint32_t offset)
{
    const auto table = static_cast<std::uint32_t>(m_program.branchTables.size());
    if (!m_scopes.back().tables.try_emplace(name, table).second)
        failBad(offset, "The label '" + std::string(name) + "' is declared twice.");
    std::vector<std::uint32_t> targets;
    do {
        const Token& token = m_cursor.expectWord("a label");
        m_scopes.back().uses.push_back({ m_cursor.text(token), token.offset, kNone, table,
            static_cast<std::uint32_t>(targets.size()), false });
        targets.push_back(kNone);
    } while (m_cursor.accept(','));
    m_cursor.expect(';');
    m_program.branchTables.push_back(std::move(targets));
}

void Decoder::branchToLabel(std::string_view name, std::uint32_t offset)
{
    m_scopes.back().uses.push_back({ name, offset, emit(), 0, 0, false });
}

void Decoder::branchThroughTable(std::string_view name, std::uint32_t offset)
{
    m_scopes.back().uses.push_back({ name, offset, emit(), 0, 0, true });
}

void Decoder::bind(const Scope::Use& use, std::uint32_t target)
{
    if (use.instruction == kNone)
        m_program.branchTables[use.table][use.entry] = target;
    else
        m_program.instructions[use.instruction].target = target;
}

void Decoder::closeScope()
{
    const Scope closed = std::move(m_scopes.back());
    m_scopes.pop_back();
    for (const Scope::Use& use : closed.uses) {
        const auto& names = use.isTable ? closed.tables : closed.labels;
        if (const auto found = names.find(use.name); found != names.end())
            bind(use, found->second);
        else if (!m_scopes.empty())
            m_scopes.back().uses.push_back(use);
        else
            failBad(use.offset,
                "The label '" + std::string(use.name) + "' is not declared in this function.");
    }
}

} // namespace coalescope::analysis::ptx
