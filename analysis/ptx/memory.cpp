// SPDX-License-Identifier: Apache-2.0
// ISA chapter: data movement and conversion, what reaches memory.
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

namespace coalescope::analysis::ptx {

namespace {
constexpr int kWidestAccess = 16; ///< bytes a lane

struct Values {
    std::array<Operand, 4> operands {};
    int count = 0;
};

/// The operands of a vector.
template <class Read> Values readValues(Decoder& decoder, int count, Read read)
{
    Values values { .count = count };
    decoder.operandsInBraces(count, [&](int i) { values.operands[std::size_t(i)] = read(); });
    return values;
}

void checkWidth(Decoder& decoder)
{
    const Instruction& ins = decoder.current();
    if (bytesOf(ins.type) * ins.vector > kWidestAccess)
        failUnsupported(
            decoder.mnemonicOffset(), "An access of more than 16 bytes a lane is not modelled.");
}

bool isFloatReduction(AtomOp op)
{
    return op == AtomOp::Add || op == AtomOp::Min || op == AtomOp::Max;
}

void checkAtomic(Decoder& decoder)
{
    const Instruction& ins = decoder.current();
    const AtomOp op = ins.mod.atom;
    const bool bitwise = op == AtomOp::And || op == AtomOp::Or || op == AtomOp::Xor;
    const bool untyped = !isFloat(ins.type) && ins.type <= Type::B128;
    const bool good = bitwise                     ? untyped && bytesOf(ins.type) >= 4
        : op == AtomOp::Cas || op == AtomOp::Exch ? untyped
        : op == AtomOp::Inc || op == AtomOp::Dec  ? ins.type == Type::U32
        : isFloat(ins.type)                       ? isFloatReduction(op)
                                                  : !untyped;
    if (!good || (ins.op == Opcode::Red && (op == AtomOp::Cas || op == AtomOp::Exch)))
        failBad(decoder.mnemonicOffset(), "This operation does not exist for this type.");
    const Space space = ins.mod.space;
    if (space != Space::Generic && space != Space::Global && space != Space::Shared)
        failBad(decoder.mnemonicOffset(), "Atomics reach global and shared memory only.");
}

void emitLoad(Decoder& decoder, const Values& values, const Address& address)
{
    Instruction& ins = decoder.current();
    ins.dst = values.operands;
    ins.src[0] = address.base;
    ins.offset = address.offset;
    decoder.settleSpace(address);
    decoder.emit();
}
}

void decodeLd(Decoder& decoder)
{
    checkWidth(decoder);
    Instruction& ins = decoder.current();
    const Values values = readValues(
        decoder, ins.vector, [&] { return decoder.destination(ins.type, Fit::Relaxed); });
    decoder.cursor().expect(',');
    const Address address = decoder.memoryOperand(ins.mod.space == Space::Param);
    decoder.readCacheHint();
    if (decoder.isCallParameter(address)) {
        for (int i = 0; i < values.count; ++i)
            decoder.emitCallParameter(
                Opcode::Ld, ins.type, address, i * bytesOf(ins.type), values.operands[i]);
        return;
    }
    emitLoad(decoder, values, address);
}

void decodeSt(Decoder& decoder)
{
    checkWidth(decoder);
    Instruction& ins = decoder.current();
    const Address address = decoder.memoryOperand(ins.mod.space == Space::Param);
    decoder.cursor().expect(',');
    const Values values
        = readValues(decoder, ins.vector, [&] { return decoder.source(ins.type, Fit::Relaxed); });
    decoder.readCacheHint();
    if (decoder.isCallParameter(address)) {
        for (int i = 0; i < values.count; ++i)
            decoder.emitCallParameter(
                Opcode::St, ins.type, address, i * bytesOf(ins.type), values.operands[i]);
        return;
    }
    decoder.settleSpace(address);
    if (ins.mod.space == Space::Constant || ins.mod.space == Space::Param)
        failBad(
            decoder.mnemonicOffset(), "A kernel's parameters and constants cannot be stored to.");
    ins.src[0] = address.base;
    for (int i = 0; i < values.count; ++i)
        ins.src[i + 1] = values.operands[i];
    ins.offset = address.offset;
    decoder.emit();
}

void decodeAtom(Decoder& decoder)
{
    checkAtomic(decoder);
    Instruction& ins = decoder.current();
    if (ins.op == Opcode::Atom) {
        ins.dst[0] = decoder.destination(ins.type);
        decoder.cursor().expect(',');
    }
    const Address address = decoder.memoryOperand();
    ins.src[0] = address.base;
    ins.offset = address.offset;
    for (int i = 1; i <= (ins.mod.atom == AtomOp::Cas ? 2 : 1); ++i) {
        decoder.cursor().expect(',');
        ins.src[i] = decoder.source(ins.type);
    }
    decoder.readCacheHint();
    decoder.settleSpace(address);
    decoder.emit();
}

void decodeLdMatrix(Decoder& decoder)
{
    Instruction& ins = decoder.current();
    ins.mod.space = ins.mod.space == Space::Generic ? Space::Generic : Space::Shared;
    const Values values
        = readValues(decoder, ins.vector, [&] { return decoder.destination(Type::B32); });
    decoder.cursor().expect(',');
    const Address address = decoder.memoryOperand();
    emitLoad(decoder, values, address);
}

void decodePrefetch(Decoder& decoder)
{
    const Address address = decoder.memoryOperand();
    decoder.current().src[0] = address.base;
    decoder.current().offset = address.offset;
    if (decoder.cursor().accept(','))
        (void)decoder.source(Type::U32); // the bytes of applypriority and discard: always one line
    decoder.readCacheHint();
    decoder.settleSpace(address);
    decoder.emit();
}

} // namespace coalescope::analysis::ptx
