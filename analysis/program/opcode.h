// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"

#include <cstdint>
#include <string_view>

namespace coalescope::analysis {

enum class Type : std::uint8_t {
    Pred, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64,
    U16x2, S16x2, ///< two integers in one register
    F16, F16x2, BF16, BF16x2, F32, F64,
    E4M3, E4M3x2, E5M2, E5M2x2, ///< floats of 8 bits
};

/// The operations a program is made of, whichever front end decoded it.
enum class Opcode : std::uint8_t {
    Nop,
    // integer and floating-point arithmetic
    Add, AddC, Sub, SubC, Mul, Mad, MadC, Mul24, Mad24, Sad, Div, Rem, Abs, Neg, Min, Max, Fma,
    Rcp, Sqrt, Rsqrt, Sin, Cos, Lg2, Ex2, Tanh, CopySign, TestP,
    Popc, Clz, Bfind, Brev, Bfe, Bfi, Fns, Dp4a, Dp2a, AbsDiff4, AbsDiff2, SzExt, Bmsk,
    // comparison and selection
    Set, Setp, Selp, Slct,
    // logic and shift
    And, Or, Xor, Not, CNot, Lop3, Shl, Shr, Shf,
    // movement
    Mov, ///< one register
    Pack, ///< mov.bN d, {a, b, ...}: src 0..n-1 to dst 0
    Unpack, ///< mov.bN {a, b, ...}, s
    Prmt, Cvt, Cvta, IsSpacep, Shfl,
    Mma, ///< one register of the result of a matrix product
    MoveMatrix, MatchAny, MatchAll, Ld, St, LdMatrix, CpAsync,
    CpAsyncCommit, ///< closes the group of copies begun since the last one
    CpAsyncWait, ///< src 0: groups that may stay pending; wait_all: none, committed or not
    CpAsyncArrive, ///< arrives at an mbarrier when the thread's copies are there
    BulkCopy, ///< by one thread, of as many bytes as it says, past the LSU
    BulkCommit, BulkWait, ///< of groups of bulk copies, as of cp.async
    Prefetch,
    // parallel synchronisation
    Bar, ///< bar.sync / barrier.sync (mod.barrier tells)
    MBarrier, ///< an operation on a barrier object in shared memory (mod.mbarrier tells)
    BarWarp, Membar, Atom, Red, Vote, ActiveMask, Redux, ElectSync,
    // control
    Bra,
    BrxIdx, ///< jump table
    Exit, ///< ret of an entry and exit
    Trap, Brkpt, Nanosleep,
};

enum class Compare : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Lo, Ls, Hi, Hs, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };
enum class Rounding : std::uint8_t { None, Nearest, Zero, Down, Up, NearestAway, IntNearest, IntZero, IntDown, IntUp };
enum class MulPart : std::uint8_t { None, Lo, Hi, Wide };
enum class AtomOp : std::uint8_t { None, And, Or, Xor, Cas, Exch, Add, Inc, Dec, Min, Max };
enum class BoolOp : std::uint8_t { None, And, Or, Xor };
enum class ShflMode : std::uint8_t { Up, Down, Bfly, Idx };
enum class VoteMode : std::uint8_t { All, Any, Uni, Ballot };
enum class BarMode : std::uint8_t { Sync, Arrive, RedPopc, RedAnd, RedOr };
enum class MBarrierMode : std::uint8_t {
    Init, Inval, ExpectTx, CompleteTx,
    Arrive, ArriveExpectTx, ArriveNoComplete, ArriveDrop, ArriveDropExpectTx, ArriveDropNoComplete,
    TestWait, TestWaitParity, TryWait, TryWaitParity, PendingCount,
};
[[nodiscard]] constexpr bool waitsByParity(MBarrierMode mode)
{
    return mode == MBarrierMode::TestWaitParity || mode == MBarrierMode::TryWaitParity;
}
enum class PrmtMode : std::uint8_t { Generic, F4e, B4e, Rc8, Ecl, Ecr, Rc16 };
enum class ShfMode : std::uint8_t { LeftClamp, LeftWrap, RightClamp, RightWrap };

/// Every modifier of every opcode; each opcode reads its own.
struct Modifiers {
    Space space = Space::Generic; ///< memory, cvta (the space to convert from or to), isspacep
    Compare compare = Compare::Eq;
    BoolOp combine = BoolOp::None; ///< setp.lt.and: combined with src[2]
    Rounding rounding = Rounding::None;
    MulPart part = MulPart::None;
    AtomOp atom = AtomOp::None; ///< of vabsdiff: Add, all are added up
    ShflMode shfl = ShflMode::Up;
    VoteMode vote = VoteMode::All;
    BarMode bar = BarMode::Sync;
    MBarrierMode mbarrier = MBarrierMode::Init;
    PrmtMode prmt = PrmtMode::Generic;
    ShfMode shf = ShfMode::LeftClamp;
    bool saturate = false; ///< .sat
    bool finite = false; ///< .satfinite: to the largest number instead of infinity
    bool relu = false; ///< .relu: zero instead of what is negative
    bool noIncrement = false; ///< cp.async.mbarrier.arrive .noinc: the count has a place for it
    bool flushSubnormals = false; ///< .ftz
    bool carryOut = false; ///< .cc
    bool toSpace = false; ///< cvta.to.SPACE
    bool transposed = false; ///< ldmatrix .trans
    bool secondColumn = false; ///< mma: the second of the two columns of a lane
    bool isOrdered = false; ///< ld, st .volatile, .relaxed, .acquire, ...: done as written
    bool acquires = false; ///< ld .acquire: later loads see what others have written
    bool countsUp = false; ///< atom, red: 1 is added to 4 bytes, and nobody asks for what was there before
    bool isOneLanes = false; ///< atom, red: all lanes have one address, and one lane does what all lanes together do
    bool isOfLaunch = false; ///< atom, red: the address follows from the launch's parameters alone: one word for all threads of all blocks
    bool isReduction = false; ///< atom, red: nobody asks what was there before, and the hardware does not say
    bool isReadOnly = false; ///< ld .nc: no store may change what it reads
    L1Use l1 = L1Use::Cached; ///< ld, cp.async: what the cache operator leaves of L1
    bool approximate = false; ///< .approx
    bool nanResult = false; ///< min, max .NaN: a NaN input makes a NaN result
    bool shiftAmount = false; ///< bfind.shiftamt
    bool clampMode = true; ///< bmsk, szext: .clamp; false: .wrap
    bool testFinite = false, testInfinite = false, testNumber = false, testNotANumber = false, testNormal = false,
         testSubnormal = false; ///< testp
    std::uint8_t lop3Table = 0;
};

[[nodiscard]] constexpr int bytesOf(Type type)
{
    switch (type) {
    case Type::Pred: case Type::B8: case Type::U8: case Type::S8: case Type::E4M3: case Type::E5M2: return 1;
    case Type::B16: case Type::U16: case Type::S16: case Type::F16: case Type::BF16: case Type::E4M3x2: case Type::E5M2x2:
        return 2;
    case Type::B32: case Type::U32: case Type::S32: case Type::U16x2: case Type::S16x2: case Type::F32: case Type::F16x2: case Type::BF16x2: return 4;
    case Type::B64: case Type::U64: case Type::S64: case Type::F64: return 8;
    case Type::B128: return 16;
    }
    return 0;
}

[[nodiscard]] constexpr bool isSigned(Type type)
{
    return type == Type::S8 || type == Type::S16 || type == Type::S32 || type == Type::S64;
}

[[nodiscard]] constexpr bool isFloat(Type type) { return type >= Type::F16; }
/// Two floats in one register.
[[nodiscard]] constexpr bool isPair(Type type)
{
    return type == Type::F16x2 || type == Type::BF16x2 || type == Type::E4M3x2 || type == Type::E5M2x2;
}

[[nodiscard]] std::string_view nameOf(Type type); ///< "u32"
[[nodiscard]] std::string_view nameOf(Opcode op); ///< "ld"

} // namespace coalescope::analysis
