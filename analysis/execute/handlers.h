// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/decoded.h"

namespace coalescope::analysis {

/// Chooses the handler of an instruction by its types and modifiers; null: not modelled.
using Selector = Handler (*)(const Instruction& instruction);

// integer.cpp
Handler selectAdd(const Instruction&);
Handler selectAddCarry(const Instruction&);
Handler selectSub(const Instruction&);
Handler selectSubCarry(const Instruction&);
Handler selectMul(const Instruction&);
Handler selectMad(const Instruction&);
Handler selectMadCarry(const Instruction&);
Handler selectMul24(const Instruction&);
Handler selectMad24(const Instruction&);
Handler selectSad(const Instruction&);
Handler selectDiv(const Instruction&);
Handler selectRem(const Instruction&);
Handler selectAbs(const Instruction&);
Handler selectNeg(const Instruction&);
Handler selectMin(const Instruction&);
Handler selectMax(const Instruction&);
// bits.cpp
Handler selectPopc(const Instruction&);
Handler selectClz(const Instruction&);
Handler selectBfind(const Instruction&);
Handler selectBrev(const Instruction&);
Handler selectBfe(const Instruction&);
Handler selectBfi(const Instruction&);
Handler selectFns(const Instruction&);
Handler selectDp4a(const Instruction&);
Handler selectAbsDiff(const Instruction&);
Handler selectDp2a(const Instruction&);
Handler selectSzExt(const Instruction&);
Handler selectBmsk(const Instruction&);
// floating_point.cpp
Handler selectFloatBinary(const Instruction&); ///< add, sub, mul, div, min, max, copysign
Handler selectFma(const Instruction&); ///< fma and mad
Handler selectFloatUnary(const Instruction&); ///< rcp, sqrt, ..., neg, abs
Handler selectTestP(const Instruction&);
// comparison.cpp
Handler selectSet(const Instruction&);
Handler selectSetp(const Instruction&);
Handler selectSelp(const Instruction&);
Handler selectSlct(const Instruction&);
// logic.cpp
Handler selectAnd(const Instruction&);
Handler selectOr(const Instruction&);
Handler selectXor(const Instruction&);
Handler selectNot(const Instruction&);
Handler selectCNot(const Instruction&);
Handler selectLop3(const Instruction&);
Handler selectShl(const Instruction&);
Handler selectShr(const Instruction&);
Handler selectShf(const Instruction&);
// conversion.cpp
Handler selectCvt(const Instruction&);
Handler selectCvta(const Instruction&);
Handler selectIsSpacep(const Instruction&);
// movement.cpp
Handler selectNop(const Instruction&);
Handler selectMov(const Instruction&);
Handler selectPack(const Instruction&);
Handler selectUnpack(const Instruction&);
Handler selectPrmt(const Instruction&);
// warp_wide.cpp
Handler selectShfl(const Instruction&);
Handler selectMatchAny(const Instruction&);
Handler selectMatchAll(const Instruction&);
Handler selectVote(const Instruction&);
Handler selectActiveMask(const Instruction&);
Handler selectRedux(const Instruction&);
Handler selectElectSync(const Instruction&);
// matrix.cpp
Handler selectMma(const Instruction&);
Handler selectMoveMatrix(const Instruction&);
// memory.cpp
Handler selectLd(const Instruction&);
Handler selectSt(const Instruction&);
Handler selectLdMatrix(const Instruction&);
Handler selectCpAsync(const Instruction&);
Handler selectCpAsyncCommit(const Instruction&);
Handler selectCpAsyncWait(const Instruction&);
// bulk_copy.cpp
Handler selectBulkCopy(const Instruction&);
// mbarrier.cpp
Handler selectMBarrier(const Instruction&);
Handler selectCpAsyncArrive(const Instruction&);
// atomics.cpp
Handler selectAtom(const Instruction&);
// control.cpp
Handler selectBar(const Instruction&);
Handler selectBarWarp(const Instruction&);
Handler selectBra(const Instruction&);
Handler selectBrxIdx(const Instruction&);
Handler selectExit(const Instruction&);
Handler selectTrap(const Instruction&);

/// The handler for an instruction; null where it is not modelled.
[[nodiscard]] Handler handlerOf(const Instruction& instruction);

} // namespace coalescope::analysis
