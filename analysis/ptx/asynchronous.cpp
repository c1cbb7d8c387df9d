// SPDX-License-Identifier: Apache-2.0
// ISA chapters: asynchronous copies, and the barrier objects that wait for them.
#include "analysis/ptx/decoder.h"
#include "analysis/ptx/failure.h"

namespace coalescope::analysis::ptx {

namespace {

/// The address as one operand: an instruction has room for two offsets only.
Operand wholeAddress(Decoder& decoder, Address address)
{
    if (address.base.kind == OperandKind::Immediate)
        address.base.bits += std::uint64_t(address.offset);
    if (address.offset == 0 || address.base.kind == OperandKind::Immediate)
        return address.base;
    Instruction add { .op = Opcode::Add, .type = decoder.widthOf(address.base) == 4 ? Type::U32 : Type::U64 };
    add.dst[0] = decoder.temporary(add.type);
    add.src = { address.base, Operand { .kind = OperandKind::Immediate, .bits = std::uint64_t(address.offset) } };
    decoder.emit(add);
    return add.dst[0];
}

/// How much a copy reads that a predicate tells to read nothing.
Operand bytesUnless(Decoder& decoder, const Operand& ignored, const Operand& size)
{
    Instruction select { .op = Opcode::Selp, .type = Type::B32 };
    select.dst[0] = decoder.temporary(Type::U32);
    select.src = { Operand { .kind = OperandKind::Immediate }, size, ignored };
    decoder.emit(select);
    return select.dst[0];
}

} // namespace

void decodeCpAsync(Decoder& decoder)
{
    Instruction& ins = decoder.current();
    Cursor& cursor = decoder.cursor();
    const Address to = decoder.memoryOperand();
    cursor.expect(',');
    const Address from = decoder.memoryOperand();
    cursor.expect(',');
    const std::uint32_t sizeOffset = cursor.peek().offset;
    const Operand size = decoder.source(Type::U32);
    if (size.kind != OperandKind::Immediate || size.index != kNone
        || (size.bits != 16
            && ((size.bits != 4 && size.bits != 8)
                || decoder.mnemonic().row->name.ends_with("cg"))))
        failBad(sizeOffset, "cp.async copies 4, 8 or 16 bytes; cp.async.cg copies 16.");
    Operand sourceSize;
    const bool hintOnly = decoder.spelledWith(Suffix::CacheHint) && cursor.at(';', 2);
    if (cursor.at(',') && !hintOnly) {
        cursor.accept(',');
        sourceSize = decoder.atPredicate() ? bytesUnless(decoder, decoder.predicate(), size) : decoder.source(Type::U32);
    }
    decoder.readCacheHint();
    ins.mod.space = Space::Shared;
    ins.mod.l1 = decoder.mnemonic().row->name.ends_with("cg") ? L1Use::Bypassed : L1Use::Cached;
    ins.src = { to.base, from.base, size, sourceSize };
    ins.offset = to.offset;
    ins.sourceOffset = from.offset;
    decoder.emit();
}

void decodeCpAsyncWait(Decoder& decoder)
{
    const std::uint32_t offset = decoder.cursor().peek().offset;
    decoder.plainOperands("u");
    if (decoder.current().src[0].kind != OperandKind::Immediate)
        failBad(offset, "The number of groups that may stay pending is a constant.");
    decoder.emit();
}

void decodeBulkCopy(Decoder& decoder)
{
    Cursor& cursor = decoder.cursor();
    const Address to = decoder.memoryOperand();
    cursor.expect(',');
    const Address from = decoder.memoryOperand();
    cursor.expect(',');
    const Operand size = decoder.source(Type::U32);
    Operand barrier;
    if (decoder.current().mod.space == Space::Shared) {
        cursor.expect(',');
        barrier = wholeAddress(decoder, decoder.memoryOperand());
    }
    decoder.readCacheHint();
    Instruction& ins = decoder.current();
    ins.src = { to.base, from.base, size, barrier };
    ins.offset = to.offset;
    ins.sourceOffset = from.offset;
    decoder.emit();
}

void decodeMBarrier(Decoder& decoder)
{
    Cursor& cursor = decoder.cursor();
    Instruction& ins = decoder.current();
    const MBarrierMode mode = ins.mod.mbarrier;
    const bool arrives = mode >= MBarrierMode::Arrive && mode <= MBarrierMode::ArriveDropNoComplete;
    const bool waits = mode >= MBarrierMode::TestWait && mode <= MBarrierMode::TryWaitParity;
    if (arrives || waits) {
        ins.dst[0] = decoder.destination(waits ? Type::Pred : Type::B64);
        cursor.expect(',');
    }
    const Address address = decoder.memoryOperand();
    ins.src[0] = address.base;
    ins.offset = address.offset;
    decoder.settleSpace(address);
    if (cursor.accept(','))
        ins.src[1] = decoder.source(waits && !waitsByParity(mode) ? Type::B64 : Type::U32);
    else if (mode == MBarrierMode::Arrive || mode == MBarrierMode::ArriveDrop)
        ins.src[1] = { .kind = OperandKind::Immediate, .bits = 1 };
    else if (mode != MBarrierMode::Inval && ins.op == Opcode::MBarrier)
        cursor.expect(',');
    if (waits && cursor.accept(','))
        (void)decoder.source(Type::U32); // how long to wait at most
    decoder.emit();
}

} // namespace coalescope::analysis::ptx
