// SPDX-License-Identifier: Apache-2.0
// ISA chapter: data movement and conversion, except what reaches memory.
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

#include <algorithm>

namespace coalescope::analysis::ptx {

namespace {
Type bitsOfWidth(int bytes)
{
    return bytes == 1 ? Type::B8 : bytes == 2 ? Type::B16 : bytes == 4 ? Type::B32 : Type::B64;
}

/// Elements before the closing brace, without reading them.
int elementsAhead(const Cursor& cursor)
{
    int count = 1;
    for (std::size_t i = 0; !cursor.at('}', i); ++i) {
        if (cursor.peek(i).kind == TokenKind::End || cursor.at(';', i))
            failBad(cursor.peek(i).offset, "Expected '}' after the elements of a vector.");
        count += cursor.at(',', i);
    }
    return count;
}

Type elementType(Decoder& decoder, int count)
{
    const int bytes = bytesOf(decoder.current().type);
    if ((count != 2 && count != 4) || bytes / count == 0)
        failBad(decoder.mnemonicOffset(), "mov takes 2 or 4 elements that fill its type.");
    decoder.current().vector = static_cast<std::uint8_t>(count);
    return bitsOfWidth(bytes / count);
}

void decodeUnpack(Decoder& decoder)
{
    Instruction& ins = decoder.current();
    ins.op = Opcode::Unpack;
    const int count = elementsAhead(decoder.cursor());
    const Type type = elementType(decoder, count);
    for (int i = 0; i < count; ++i) {
        if (i > 0)
            decoder.cursor().expect(',');
        ins.dst[i] = decoder.destination(type);
    }
    decoder.cursor().expect('}');
    decoder.cursor().expect(',');
    ins.src[0] = decoder.source(ins.type);
    decoder.emit();
}

void decodePack(Decoder& decoder)
{
    Instruction& ins = decoder.current();
    ins.op = Opcode::Pack;
    const int count = elementsAhead(decoder.cursor());
    const Type type = elementType(decoder, count);
    for (int i = 0; i < count; ++i) {
        if (i > 0)
            decoder.cursor().expect(',');
        ins.src[i] = decoder.source(type);
    }
    decoder.cursor().expect('}');
    decoder.emit();
}

void checkConversion(Decoder& decoder)
{
    const Instruction& ins = decoder.current();
    const bool floatResult = isFloat(ins.type), floatSource = isFloat(ins.sourceType);
    const bool rounds = decoder.spelledWith(Suffix::Rounding),
               roundsToInt = decoder.spelledWith(Suffix::IntRounding);
    if (isPair(ins.type) && !isPair(ins.sourceType) && (ins.sourceType != Type::F32 || !rounds))
        failUnsupported(decoder.mnemonicOffset(),
            "A packed conversion is modelled from f32 with a rounding only.");
    const auto isTiny = [](Type type) { return isPair(type) && bytesOf(type) == 2; };
    if ((isTiny(ins.type) || isTiny(ins.sourceType)) && ins.mod.rounding != Rounding::Nearest)
        failBad(decoder.mnemonicOffset(), "Floats of 8 bits are converted with .rn only.");
    if (roundsToInt && !floatSource)
        failBad(decoder.mnemonicOffset(), "Only a floating-point source is rounded to an integer.");
    if (floatSource && !floatResult && !roundsToInt)
        failBad(decoder.mnemonicOffset(),
            "A conversion from floating point to integer needs .rni, .rzi, .rmi or .rpi.");
    const bool inexact
        = floatResult && (!floatSource || bytesOf(ins.type) < bytesOf(ins.sourceType));
    if (inexact && !rounds)
        failBad(decoder.mnemonicOffset(), "This conversion needs a rounding, as in .rn.");
}
}

void decodeMov(Decoder& decoder)
{
    Cursor& cursor = decoder.cursor();
    Instruction& ins = decoder.current();
    if (cursor.accept('{'))
        return decodeUnpack(decoder);
    ins.dst[0] = decoder.destination(ins.type);
    cursor.expect(',');
    if (cursor.accept('{'))
        return decodePack(decoder);
    ins.src[0] = decoder.source(ins.type);
    decoder.emit();
}

void decodeCvt(Decoder& decoder)
{
    Instruction& ins = decoder.current();
    checkConversion(decoder);
    ins.dst[0] = decoder.destination(ins.type, Fit::Relaxed);
    for (int i = 0; i < (isPair(ins.type) && !isPair(ins.sourceType) ? 2 : 1); ++i) {
        decoder.cursor().expect(',');
        ins.src[i] = decoder.source(ins.sourceType, Fit::Relaxed);
    }
    decoder.emit();
}

/// cvt.rna.tf32.f32: 10 bits of the mantissa are left, ties away from zero.
void decodeTf32(Decoder& decoder)
{
    Instruction& ins = decoder.current();
    ins.type = Type::B32;
    ins.dst[0] = decoder.destination(Type::B32);
    decoder.cursor().expect(',');
    Instruction half = ins;
    half.op = Opcode::Add;
    half.type = Type::U32;
    half.src = { decoder.source(Type::F32), Operand { .kind = OperandKind::Immediate, .bits = 0x1000 } };
    half.dst[0] = decoder.temporary(Type::B32);
    decoder.emit(half);
    ins.src = { half.dst[0], Operand { .kind = OperandKind::Immediate, .bits = 0xffffe000 } };
    decoder.emit();
}

} // namespace coalescope::analysis::ptx
