// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/handlers.h"

namespace coalescope::analysis {

namespace {

struct HandlerRow {
    Opcode op;
    Selector select;
};

constexpr HandlerRow kHandlers[] = {
    { .op = Opcode::Nop, .select = &selectNop },
    { .op = Opcode::Add, .select = &selectAdd },
    { .op = Opcode::AddC, .select = &selectAddCarry },
    { .op = Opcode::Sub, .select = &selectSub },
    { .op = Opcode::SubC, .select = &selectSubCarry },
    { .op = Opcode::Mul, .select = &selectMul },
    { .op = Opcode::Mad, .select = &selectMad },
    { .op = Opcode::MadC, .select = &selectMadCarry },
    { .op = Opcode::Mul24, .select = &selectMul24 },
    { .op = Opcode::Mad24, .select = &selectMad24 },
    { .op = Opcode::Sad, .select = &selectSad },
    { .op = Opcode::Div, .select = &selectDiv },
    { .op = Opcode::Rem, .select = &selectRem },
    { .op = Opcode::Abs, .select = &selectAbs },
    { .op = Opcode::Neg, .select = &selectNeg },
    { .op = Opcode::Min, .select = &selectMin },
    { .op = Opcode::Max, .select = &selectMax },
    { .op = Opcode::Fma, .select = &selectFma },
    { .op = Opcode::Rcp, .select = &selectFloatUnary },
    { .op = Opcode::Sqrt, .select = &selectFloatUnary },
    { .op = Opcode::Rsqrt, .select = &selectFloatUnary },
    { .op = Opcode::Sin, .select = &selectFloatUnary },
    { .op = Opcode::Cos, .select = &selectFloatUnary },
    { .op = Opcode::Lg2, .select = &selectFloatUnary },
    { .op = Opcode::Ex2, .select = &selectFloatUnary },
    { .op = Opcode::Tanh, .select = &selectFloatUnary },
    { .op = Opcode::CopySign, .select = &selectFloatBinary },
    { .op = Opcode::TestP, .select = &selectTestP },
    { .op = Opcode::Popc, .select = &selectPopc },
    { .op = Opcode::Clz, .select = &selectClz },
    { .op = Opcode::Bfind, .select = &selectBfind },
    { .op = Opcode::Brev, .select = &selectBrev },
    { .op = Opcode::Bfe, .select = &selectBfe },
    { .op = Opcode::Bfi, .select = &selectBfi },
    { .op = Opcode::Fns, .select = &selectFns },
    { .op = Opcode::Dp4a, .select = &selectDp4a },
    { .op = Opcode::Dp2a, .select = &selectDp2a },
    { .op = Opcode::AbsDiff4, .select = &selectAbsDiff },
    { .op = Opcode::AbsDiff2, .select = &selectAbsDiff },
    { .op = Opcode::SzExt, .select = &selectSzExt },
    { .op = Opcode::Bmsk, .select = &selectBmsk },
    { .op = Opcode::Set, .select = &selectSet },
    { .op = Opcode::Setp, .select = &selectSetp },
    { .op = Opcode::Selp, .select = &selectSelp },
    { .op = Opcode::Slct, .select = &selectSlct },
    { .op = Opcode::And, .select = &selectAnd },
    { .op = Opcode::Or, .select = &selectOr },
    { .op = Opcode::Xor, .select = &selectXor },
    { .op = Opcode::Not, .select = &selectNot },
    { .op = Opcode::CNot, .select = &selectCNot },
    { .op = Opcode::Lop3, .select = &selectLop3 },
    { .op = Opcode::Shl, .select = &selectShl },
    { .op = Opcode::Shr, .select = &selectShr },
    { .op = Opcode::Shf, .select = &selectShf },
    { .op = Opcode::Mov, .select = &selectMov },
    { .op = Opcode::Pack, .select = &selectPack },
    { .op = Opcode::Unpack, .select = &selectUnpack },
    { .op = Opcode::Prmt, .select = &selectPrmt },
    { .op = Opcode::Cvt, .select = &selectCvt },
    { .op = Opcode::Cvta, .select = &selectCvta },
    { .op = Opcode::IsSpacep, .select = &selectIsSpacep },
    { .op = Opcode::Shfl, .select = &selectShfl },
    { .op = Opcode::Mma, .select = &selectMma },
    { .op = Opcode::MoveMatrix, .select = &selectMoveMatrix },
    { .op = Opcode::MatchAny, .select = &selectMatchAny },
    { .op = Opcode::MatchAll, .select = &selectMatchAll },
    { .op = Opcode::Ld, .select = &selectLd },
    { .op = Opcode::St, .select = &selectSt },
    { .op = Opcode::LdMatrix, .select = &selectLdMatrix },
    { .op = Opcode::CpAsync, .select = &selectCpAsync },
    { .op = Opcode::CpAsyncCommit, .select = &selectCpAsyncCommit },
    { .op = Opcode::CpAsyncWait, .select = &selectCpAsyncWait },
    { .op = Opcode::CpAsyncArrive, .select = &selectCpAsyncArrive },
    { .op = Opcode::BulkCopy, .select = &selectBulkCopy },
    { .op = Opcode::BulkCommit, .select = &selectNop },
    { .op = Opcode::BulkWait, .select = &selectNop },
    { .op = Opcode::Prefetch, .select = &selectNop },
    { .op = Opcode::Bar, .select = &selectBar },
    { .op = Opcode::MBarrier, .select = &selectMBarrier },
    { .op = Opcode::BarWarp, .select = &selectBarWarp },
    { .op = Opcode::Membar, .select = &selectNop },
    { .op = Opcode::Atom, .select = &selectAtom },
    { .op = Opcode::Red, .select = &selectAtom },
    { .op = Opcode::Vote, .select = &selectVote },
    { .op = Opcode::ActiveMask, .select = &selectActiveMask },
    { .op = Opcode::Redux, .select = &selectRedux },
    { .op = Opcode::ElectSync, .select = &selectElectSync },
    { .op = Opcode::Bra, .select = &selectBra },
    { .op = Opcode::BrxIdx, .select = &selectBrxIdx },
    { .op = Opcode::Exit, .select = &selectExit },
    { .op = Opcode::Trap, .select = &selectTrap },
    { .op = Opcode::Brkpt, .select = &selectNop },
    { .op = Opcode::Nanosleep, .select = &selectNop },
};

constexpr bool everyOpcodeHasItsRow()
{
    std::size_t row = 0;
    for (const HandlerRow& handler : kHandlers)
        if (handler.op != Opcode(row++))
            return false;
    return row == std::size_t(Opcode::Nanosleep) + 1;
}
static_assert(everyOpcodeHasItsRow(), "one row an opcode, in the order of the enum");

} // namespace

Handler handlerOf(const Instruction& instruction)
{
    return kHandlers[std::size_t(instruction.op)].select(instruction);
}

} // namespace coalescope::analysis
