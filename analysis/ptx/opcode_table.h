// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"
#include "analysis/ptx/modifiers.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace coalescope::analysis::ptx {

class Decoder;

/// One form of one PTX opcode: what it may be spelled with and where its operands go.
///
/// `operands` names them in PTX order; each letter fills the next free dst or src of the
/// instruction:
/// - d destination of the instruction's type, D of twice its width, e of 32 bits, p a predicate,
///   q a second predicate after `|`, which may be left out
/// - t source of the instruction's type, T of twice its width, s of the source type, u of 32 bits,
///   P a predicate (`!` allowed), C the same where the mnemonic has a boolean operation,
///   g a generic or windowed address as a value, a a memory operand in brackets
/// - ? what follows may be left out
struct OpcodeRow {
    std::string_view name; ///< mnemonic, or all of it that the form fixes, as in `shf.l.wrap`
    Opcode op = Opcode::Nop;
    TypeMask types = 0; ///< of the first type suffix; 0: it has none
    TypeMask sourceTypes = 0; ///< of the second one
    SuffixMask required = 0;
    SuffixMask optional = 0;
    Modifiers mod {}; ///< what the name already says
    std::string_view operands {};
    void (*decode)(Decoder&) = nullptr;
    bool readsRest = false; ///< the handler understands what follows the name
};

/// A mnemonic understood: which form it is and the instruction that it starts.
struct Mnemonic {
    const OpcodeRow* row = nullptr;
    Instruction instruction;
    SuffixMask suffixes = 0; ///< kinds that it was spelled with
    std::string_view rest {}; ///< what follows the name, for handlers that understand it
};

/// Understands a mnemonic; throws Failure (UnsupportedInstruction) where no form fits.
[[nodiscard]] Mnemonic understand(std::string_view text, std::uint32_t offset);

/// Every row, for tests and for the list of what is modelled.
[[nodiscard]] std::span<const OpcodeRow> opcodeRows();

// Handlers, by ISA chapter. Each reads the operands of the decoder's current instruction and emits
// it.
void decodePlain(Decoder& decoder); ///< operands as the row says: any chapter
void decodeLop3(Decoder& decoder);
void decodeMov(Decoder& decoder);
void decodeCvt(Decoder& decoder);
void decodeTf32(Decoder& decoder);
void decodeLd(Decoder& decoder);
void decodeSt(Decoder& decoder);
void decodeAtom(Decoder& decoder);
void decodeLdMatrix(Decoder& decoder);
void decodeMma(Decoder& decoder);
void decodeWmmaMma(Decoder& decoder);
void decodeWmmaLoadA(Decoder& decoder);
void decodeWmmaLoadB(Decoder& decoder);
void decodeWmmaLoadC(Decoder& decoder);
void decodeWmmaStore(Decoder& decoder);
void decodeCpAsync(Decoder& decoder);
void decodeCpAsyncWait(Decoder& decoder);
void decodeBulkCopy(Decoder& decoder);
void decodeMBarrier(Decoder& decoder);
void decodePrefetch(Decoder& decoder);
void decodeBarRed(Decoder& decoder);
void decodeBra(Decoder& decoder);
void decodeBrxIdx(Decoder& decoder);
void decodeRet(Decoder& decoder);
void decodeCall(Decoder& decoder);

} // namespace coalescope::analysis::ptx
