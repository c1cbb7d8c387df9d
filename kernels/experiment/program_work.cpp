// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/program_work.h"

#include <algorithm>

namespace coalescope::kernels {

namespace {

using analysis::Instruction;
using analysis::ProgramWork;
using analysis::Type;
using enum analysis::Opcode;

bool isOf64Bits(Type type) { return analysis::bytesOf(type) == 8; }

constexpr ProgramWork kNothing {}, kOne { .instructions = 1 }, kTwo { .instructions = 2 }, kFunction { .instructions = 1, .specials = 1 };

ProgramWork ofDivision(const Instruction& instruction)
{
    if (instruction.type == Type::F64)
        return { .instructions = 16, .doubles = 8, .specials = 1 };
    if (instruction.type == Type::F32) {
        if (!instruction.mod.approximate)
            return { .instructions = 10, .specials = 2 };
        return instruction.mod.flushSubnormals ? ProgramWork { .instructions = 2, .specials = 1 }
                                               : ProgramWork { .instructions = 6, .specials = 1 };
    }
    if (isOf64Bits(instruction.type)) // those that fit 32 bits are others: compilers branch to them
        return { .instructions = analysis::isSigned(instruction.type) ? 77.0 : 66.0, .specials = 3 };
    return { .instructions = analysis::isSigned(instruction.type) ? 25.0 : 18.0, .specials = 3 };
}

/// Reciprocals, roots, powers and logarithms: around the pipe's own function compilers scale what is too small for it.
ProgramWork ofFunction(const Instruction& instruction)
{
    const bool isReciprocal = instruction.op == Rcp, isRoot = instruction.op == Sqrt;
    if (instruction.type == Type::F64) {
        if (isReciprocal && !instruction.mod.approximate)
            return { .instructions = 11, .doubles = 5, .specials = 1 };
        if (isRoot)
            return { .instructions = 18, .doubles = 8, .specials = 1 };
        return instruction.op == Rsqrt && !instruction.mod.flushSubnormals
            ? ProgramWork { .instructions = 14, .doubles = 5, .specials = 1 }
            : kFunction;
    }
    if ((isReciprocal || isRoot) && !instruction.mod.approximate)
        return { .instructions = 10, .specials = 1 };
    if (instruction.mod.flushSubnormals || instruction.type != Type::F32)
        return kFunction;
    return { .instructions = isReciprocal ? 7.0 : 4.0, .specials = 1 };
}

ProgramWork ofConversion(const Instruction& instruction)
{
    const bool toFloat = analysis::isFloat(instruction.type), fromFloat = analysis::isFloat(instruction.sourceType);
    if (instruction.type == Type::F64 || instruction.sourceType == Type::F64 || (fromFloat && !toFloat))
        return kFunction;
    return toFloat || !isOf64Bits(instruction.type) ? kOne : kNothing; // indices are extended by the product that they go into
}

ProgramWork ofArithmetic(const Instruction& instruction)
{
    constexpr double kProduct = 4, kHighProduct = 7; ///< of 64 bits
    switch (instruction.op) {
    case Add: case Sub: case Mul: case Fma: case Setp:
        if (instruction.type == Type::F64)
            return { .instructions = 1, .doubles = 1 };
        break;
    case Min: case Max:
        if (instruction.type == Type::F64)
            return { .instructions = 8, .doubles = 1 };
        break;
    default:
        break;
    }
    if (!isOf64Bits(instruction.type) || instruction.type == Type::F64)
        return kOne;
    switch (instruction.op) {
    case Add: case Sub:
        return kOne; // most are addresses, whose sums are made by the product before or the access after them
    case Mul: case Mad:
        return { .instructions = instruction.mod.part == analysis::MulPart::Hi ? kHighProduct : kProduct };
    case Min: case Max:
        return { .instructions = 4 };
    default:
        return kTwo;
    }
}

ProgramWork workOf(const Instruction& instruction)
{
    switch (instruction.op) {
    case Cvta: case IsSpacep: case Nop:
        return kNothing;
    case Mov: case Pack: case Unpack:
        return { .instructions = 0.25 }; // most are renamed
    case Abs: case Neg:
        return analysis::isFloat(instruction.type) ? kNothing : kOne; // floats: part of what uses them
    case And: case Or: case Xor: case Not:
        return instruction.type == Type::Pred ? kNothing : ofArithmetic(instruction); // predicates: part of the comparison
    case Div: case Rem:
        return ofDivision(instruction);
    case Rcp: case Sqrt: case Rsqrt: case Lg2: case Ex2: case Tanh:
        return ofFunction(instruction);
    case Shfl:
        return { .instructions = 1, .shuffles = 1 };
    case Sin: case Cos:
        return { .instructions = 2, .specials = 1 };
    case Popc: case Clz: case Bfind: case Brev:
        return kFunction;
    case Cvt:
        return ofConversion(instruction);
    case Ld: case St:
        return instruction.isJoined ? kNothing : kOne;
    case Atom: case Red: case Mma: case LdMatrix:
        return kOne;
    default:
        return ofArithmetic(instruction);
    }
}

/// Moves that bring a constant to a sum or product of 64 bits, which has room for its upper half only.
double movesOfConstants(const Instruction& instruction, const ProgramWork& work)
{
    constexpr double kHalves = 2;
    const bool hasConstant = std::ranges::any_of(instruction.src, [](const analysis::Operand& source) {
        return source.kind == analysis::OperandKind::Immediate && (source.bits & 0xffffffffu) != 0;
    });
    return hasConstant && (work.doubles > 0 || (instruction.op == Mov && instruction.type == Type::F64)) ? kHalves : 0;
}

} // namespace

ProgramWork programWork(const analysis::Program& program, std::span<const analysis::InstructionTotals> totals)
{
    ProgramWork sum;
    const double warps = program.instructions.empty() ? 0 : double(totals.front().executions);
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const ProgramWork work = workOf(program.instructions[i]);
        const double times = double(totals[i].executions);
        // In loops they stay in registers.
        sum.instructions += work.instructions * times + movesOfConstants(program.instructions[i], work) * std::min(times, warps);
        sum.doubles += work.doubles * times;
        sum.specials += work.specials * times;
        sum.shuffles += work.shuffles * times;
    }
    return sum;
}

} // namespace coalescope::kernels
