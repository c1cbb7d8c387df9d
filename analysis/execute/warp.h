// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/coefficients.h"
#include "analysis/execute/decoded.h"

#include <bit>
#include <vector>

namespace coalescope::analysis {

class Block;

/// What is known of a register beside its 32 words, which are those of the box's first block.
struct RegisterState {
    LaneMask unknown = 0; ///< lanes whose value came from memory that this mode does not hold
    LaneMask nonlinear
        = 0; ///< lanes whose value depends on the block in a way coefficients do not say
    CoefficientId coefficients = 0; ///< of the other lanes
    std::uint16_t axes = 0; ///< axes that the nonlinear lanes depend on
    std::uint16_t quotient
        = 0; ///< of nonlinear lanes: index of a ScaledQuotient of the block; 0: none

    [[nodiscard]] bool isPlain() const { return (unknown | nonlinear | coefficients) == 0; }
    /// Lanes whose value is the words plus the coefficients.
    [[nodiscard]] LaneMask linear() const { return ~(unknown | nonlinear); }
};

/// An operand as the rules see it.
struct ValueView {
    const Word* lanes = nullptr;
    RegisterState state;
};

struct StackEntry {
    LaneMask mask = 0;
    std::uint32_t pc = 0;
    std::uint32_t reconverge = kNone;
};

enum class WarpStatus : std::uint8_t {
    Ready,
    Waiting, ///< at a barrier
    Polling, ///< for a phase of an mbarrier
    Exited
};

/// One warp: registers, masks and where it is in the program.
struct Warp {
    Block* block = nullptr;
    std::array<Word*, 3> bank {}; ///< as OperandSlot numbers them
    std::array<RegisterState*, 3> states {};
    LaneMask live = 0; ///< threads that exist and have not exited
    LaneMask active = 0;
    std::uint32_t pc = 0;
    std::uint32_t reconverge = kNone;
    std::vector<StackEntry> stack;
    std::uint32_t index = 0; ///< in the block
    WarpStatus status = WarpStatus::Ready;
    std::uint32_t barrier = 0; ///< waited for
    bool waitsInVain = false; ///< Polling, and nothing else in the block goes on: the wait is told so
    bool carry[kWarpLanes] = {}; ///< the condition code of add.cc and its kin

    [[nodiscard]] const Word* value(OperandSlot slot) const
    {
        return bank[slot.bank] + std::size_t(slot.slot) * kWarpLanes;
    }
    [[nodiscard]] Word* target(OperandSlot slot)
    {
        return bank[0] + std::size_t(slot.slot) * kWarpLanes;
    }
    [[nodiscard]] const RegisterState& state(OperandSlot slot) const
    {
        return states[slot.bank][slot.slot];
    }
    [[nodiscard]] ValueView view(OperandSlot slot) const { return { value(slot), state(slot) }; }
    /// True where writing every lane is as good as writing those of the mask.
    [[nodiscard]] bool coversAll(LaneMask mask) const { return (live & ~mask) == 0; }

    /// Gives the lanes of `mask` of a register a new state; other lanes keep theirs.
    void setState(OperandSlot slot, LaneMask mask, const RegisterState& now)
    {
        RegisterState& old = states[0][slot.slot];
        if (!(old.isPlain() && now.isPlain()))
            mergeState(old, mask, now);
    }

    /// Makes the entry below the top current.
    void pop()
    {
        active = stack.back().mask & live;
        pc = stack.back().pc;
        reconverge = stack.back().reconverge;
        stack.pop_back();
    }

    /// Turns to lanes that wait where the active ones are through. False where none are left: the
    /// warp has exited.
    bool findLanes(std::uint32_t end)
    {
        while (active == 0 || pc == reconverge || pc >= end) {
            if (pc >= end && reconverge != end) // falls off the end: these lanes are done
                live &= ~active;
            if (stack.empty()) {
                status = WarpStatus::Exited;
                return false;
            }
            pop();
        }
        return true;
    }

private:
    void mergeState(RegisterState& old, LaneMask mask, const RegisterState& now);
};

template <int N> [[nodiscard]] inline bool plainSources(const Warp& w, const Decoded& d)
{
    for (int i = 0; i < N; ++i)
        if (!w.state(d.src[std::size_t(i)]).isPlain())
            return false;
    return true;
}

/// A lane's word as a value of a type, and back.
template <class T> [[nodiscard]] inline T as(Word word)
{
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<T>(word);
    else if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<float>(std::uint32_t(word));
    else
        return T(word);
}
template <class T> [[nodiscard]] inline Word word(T value)
{
    if constexpr (std::is_same_v<T, bool>)
        return Word(value);
    else if constexpr (sizeof(T) == 8)
        return std::bit_cast<Word>(value);
    else if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<std::uint32_t>(value);
    else
        return Word(std::make_unsigned_t<T>(value));
}

/// Writes f(lane) to the lanes of the mask; f must be harmless in every lane.
template <class F> inline void writeLanes(Warp& w, OperandSlot slot, LaneMask mask, F&& f)
{
    Word* out = w.target(slot);
    if (w.coversAll(mask)) {
#pragma GCC ivdep
        for (int lane = 0; lane < kWarpLanes; ++lane)
            out[lane] = f(lane);
        return;
    }
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        out[lane] = f(lane);
    }
}

} // namespace coalescope::analysis
