// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/syntax.h"

namespace coalescope::kernels::host {

class Run;
struct Machine;

/// What a loop is compiled to: registers, of which each holds numbers of one kind, and memory of numbers.
struct Instruction {
    using Step = const Instruction* (*)(const Instruction& at, Machine& machine); ///< to the next one; null: the machine stops
    union Extra {
        std::int64_t integer;
        double (*ofOne)(double);
        double (*ofTwo)(double, double);
        std::int64_t (*ofBits)(std::uint64_t, int);
    };
    Step step = nullptr;
    int to = 0; ///< a register; of a jump: how many instructions ahead
    int a = 0, b = 0; ///< registers; of an element: where its index stands, and its memory
    int stride = 0, offset = 0; ///< of an element, in bytes
    Extra extra {}; ///< of an element: what is added to its index; of a jump back: how many instructions that stands for
};

union Cell {
    std::int64_t integer; ///< with its sign
    double real; ///< F32: rounded to it
};

/// Where numbers, or objects of some, stand.
struct Memory {
    Handle thing;
    std::uint8_t* first = nullptr;
    std::int64_t count = 0;
    void look(); ///< where they stand now
};

struct Machine {
    enum class State : std::uint8_t { Paused, Done, Failed } state = State::Paused; ///< Failed: at what is not defined
    std::vector<Cell> cells;
    std::vector<Memory> memories;
    std::vector<Handle> things; ///< that random numbers are drawn from
    Run* host = nullptr;
    const Instruction* next = nullptr;
    std::int64_t left = 0; ///< instructions, about

    void run(std::int64_t instructions);
    const Instruction* fail();
};

/// Each of two registers of this kind, which is none smaller than I32. Null: it has none.
[[nodiscard]] Instruction::Step arithmeticStep(Arithmetic operation, Kind kind);
[[nodiscard]] Instruction::Step jumpUnlessStep(Arithmetic comparison, Kind kind);
[[nodiscard]] Instruction::Step conversionStep(Kind from, Kind to); ///< of register a; null: it is as it is
[[nodiscard]] Instruction::Step loadStep(Kind kind);
[[nodiscard]] Instruction::Step storeStep(Kind kind); ///< from register `to`
[[nodiscard]] Instruction::Step sortStep(Kind kind); ///< memory b, from the index in register `to` up to the one in register a
[[nodiscard]] Instruction::Step appendStep(Kind kind); ///< register a, to memory b

namespace steps {
const Instruction* move(const Instruction& at, Machine& machine);
const Instruction* jump(const Instruction& at, Machine& machine);
const Instruction* jumpBack(const Instruction& at, Machine& machine);
const Instruction* done(const Instruction& at, Machine& machine);
const Instruction* count(const Instruction& at, Machine& machine); ///< elements of memory b
const Instruction* resize(const Instruction& at, Machine& machine); ///< memory b, by `extra` elements; to none where `a` is not 0
const Instruction* absolute(const Instruction& at, Machine& machine); ///< of a real number
const Instruction* ofBits(const Instruction& at, Machine& machine); ///< of the lowest `stride` bits
const Instruction* ofOne(const Instruction& at, Machine& machine);
const Instruction* ofTwo(const Instruction& at, Machine& machine);
const Instruction* rounded(const Instruction& at, Machine& machine); ///< to a float
}

} // namespace coalescope::kernels::host
