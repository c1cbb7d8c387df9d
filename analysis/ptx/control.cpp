// SPDX-License-Identifier: Apache-2.0
// ISA chapters: control flow, parallel synchronisation and communication.
#include "analysis/ptx/decoder.h"

namespace coalescope::analysis::ptx {

void decodeBarRed(Decoder& decoder)
{
    Instruction& ins = decoder.current();
    Cursor& cursor = decoder.cursor();
    ins.dst[0] = decoder.destination(ins.type);
    cursor.expect(',');
    ins.src[0] = decoder.source(Type::B32);
    cursor.expect(',');
    const bool threadsGiven = cursor.at(',', 1) && !cursor.at('!');
    if (threadsGiven) {
        ins.src[1] = decoder.source(Type::B32);
        cursor.expect(',');
    }
    ins.src[2] = decoder.predicate();
    decoder.emit();
}

void decodeBra(Decoder& decoder)
{
    const Token& label = decoder.cursor().expectWord("a label");
    decoder.branchToLabel(decoder.cursor().text(label), label.offset);
}

void decodeBrxIdx(Decoder& decoder)
{
    decoder.plainOperands("u");
    decoder.cursor().expect(',');
    const Token& label = decoder.cursor().expectWord("a label of .branchtargets");
    decoder.branchThroughTable(decoder.cursor().text(label), label.offset);
}

void decodeRet(Decoder& decoder) { decoder.returnFromFunction(); }

void decodeCall(Decoder& decoder) { decoder.call(); }

} // namespace coalescope::analysis::ptx
