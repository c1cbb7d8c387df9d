// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/loop_code.h"

#include "kernels/host/bits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace coalescope::kernels::host {
namespace {

constexpr std::array kKinds { Kind::I32, Kind::U32, Kind::I64, Kind::U64, Kind::F32, Kind::F64 }; ///< that operations are made in
constexpr std::size_t kArithmeticKinds = std::size_t(Arithmetic::NotEqual) + 1;

constexpr bool isRealKind(Kind kind) { return kind == Kind::F32 || kind == Kind::F64; }

template <Kind kind> std::int64_t wrapped(std::uint64_t made)
{
    if constexpr (kind == Kind::I32)
        return std::int32_t(made);
    else if constexpr (kind == Kind::U32)
        return std::int64_t(std::uint32_t(made));
    else
        return std::int64_t(made);
}

template <Arithmetic comparison, Kind kind> bool holds(const Cell& a, const Cell& b)
{
    if constexpr (isRealKind(kind))
        return compared(comparison, a.real, b.real);
    else if constexpr (kind == Kind::U64)
        return compared(comparison, std::uint64_t(a.integer), std::uint64_t(b.integer));
    else
        return compared(comparison, a.integer, b.integer);
}

template <Arithmetic operation, class Real> Real ofReals(Real a, Real b)
{
    if constexpr (operation == Arithmetic::Add)
        return a + b;
    else if constexpr (operation == Arithmetic::Subtract)
        return a - b;
    else if constexpr (operation == Arithmetic::Multiply)
        return a * b;
    else
        return a / b;
}

/// False: it is not defined.
template <Arithmetic operation, Kind kind> bool ofIntegers(std::int64_t a, std::int64_t b, std::int64_t& made)
{
    constexpr bool isSigned = kind == Kind::I32 || kind == Kind::I64;
    constexpr std::int64_t kBits = kind == Kind::I32 || kind == Kind::U32 ? 32 : 64;
    const auto ua = std::uint64_t(a), ub = std::uint64_t(b);
    if constexpr (operation == Arithmetic::Divide || operation == Arithmetic::Remainder) {
        if (b == 0 || (isSigned && b == -1 && a == std::numeric_limits<std::int64_t>::min()))
            return false;
        constexpr bool divides = operation == Arithmetic::Divide;
        if constexpr (isSigned)
            made = wrapped<kind>(std::uint64_t(divides ? a / b : a % b));
        else
            made = wrapped<kind>(divides ? ua / ub : ua % ub);
        return true;
    } else if constexpr (operation == Arithmetic::ShiftLeft || operation == Arithmetic::ShiftRight) {
        if (b < 0 || b >= kBits)
            return false;
        made = operation == Arithmetic::ShiftLeft ? wrapped<kind>(ua << ub) : isSigned ? a >> b : std::int64_t(ua >> ub);
        return true;
    } else {
        made = wrapped<kind>(operation == Arithmetic::Add ? ua + ub
                : operation == Arithmetic::Subtract       ? ua - ub
                : operation == Arithmetic::Multiply       ? ua * ub
                : operation == Arithmetic::And            ? ua & ub
                : operation == Arithmetic::Or             ? ua | ub
                                                          : ua ^ ub);
        return true;
    }
}

template <Arithmetic operation, Kind kind> const Instruction* arithmetic(const Instruction& at, Machine& machine)
{
    Cell* const cells = machine.cells.data();
    const Cell a = cells[at.a], b = cells[at.b];
    if constexpr (isComparison(operation)) {
        cells[at.to].integer = holds<operation, kind>(a, b);
    } else if constexpr (isRealKind(kind)) {
        using Real = std::conditional_t<kind == Kind::F32, float, double>;
        cells[at.to].real = double(ofReals<operation>(Real(a.real), Real(b.real)));
    } else if (!ofIntegers<operation, kind>(a.integer, b.integer, cells[at.to].integer)) {
        return machine.fail();
    }
    return &at + 1;
}

template <Arithmetic comparison, Kind kind> const Instruction* jumpUnless(const Instruction& at, Machine& machine)
{
    return &at + (holds<comparison, kind>(machine.cells[std::size_t(at.a)], machine.cells[std::size_t(at.b)]) ? 1 : at.to);
}

template <Arithmetic operation, Kind kind> constexpr Instruction::Step arithmeticOf()
{
    if constexpr (isRealKind(kind) && !isComparison(operation) && operation > Arithmetic::Divide)
        return nullptr;
    else
        return arithmetic<operation, kind>;
}

template <Arithmetic operation, Kind kind> constexpr Instruction::Step jumpOf()
{
    if constexpr (isComparison(operation))
        return jumpUnless<operation, kind>;
    else
        return nullptr;
}

using Row = std::array<Instruction::Step, kKinds.size()>;
template <Arithmetic operation, bool isJump, std::size_t... kinds> constexpr Row rowOf(std::index_sequence<kinds...>)
{
    if constexpr (isJump)
        return { jumpOf<operation, kKinds[kinds]>()... };
    else
        return { arithmeticOf<operation, kKinds[kinds]>()... };
}
template <bool isJump, std::size_t... operations> constexpr std::array<Row, kArithmeticKinds> tableOf(std::index_sequence<operations...>)
{
    return { rowOf<Arithmetic(operations), isJump>(std::make_index_sequence<kKinds.size()>())... };
}
constexpr auto kArithmetic = tableOf<false>(std::make_index_sequence<kArithmeticKinds>());
constexpr auto kJumps = tableOf<true>(std::make_index_sequence<kArithmeticKinds>());

Instruction::Step stepOf(const std::array<Row, kArithmeticKinds>& table, Arithmetic operation, Kind kind)
{
    const auto* const found = std::ranges::find(kKinds, kind);
    return found == kKinds.end() ? nullptr : table[std::size_t(operation)][std::size_t(found - kKinds.begin())];
}

/// Where an element stands; null: nowhere.
std::uint8_t* elementAt(const Instruction& at, Machine& machine)
{
    const Memory& memory = machine.memories[std::size_t(at.b)];
    const auto index = std::uint64_t(machine.cells[std::size_t(at.a)].integer) + std::uint64_t(at.extra.integer);
    return index < std::uint64_t(memory.count) ? memory.first + index * std::uint64_t(at.stride) + at.offset : nullptr;
}

template <class Stored> const Instruction* load(const Instruction& at, Machine& machine)
{
    const std::uint8_t* const from = elementAt(at, machine);
    if (!from)
        return machine.fail();
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    if constexpr (std::is_floating_point_v<Stored>)
        machine.cells[std::size_t(at.to)].real = double(stored);
    else
        machine.cells[std::size_t(at.to)].integer = std::int64_t(stored);
    return &at + 1;
}

template <class Stored> const Instruction* store(const Instruction& at, Machine& machine)
{
    std::uint8_t* const to = elementAt(at, machine);
    if (!to)
        return machine.fail();
    Stored stored;
    if constexpr (std::is_floating_point_v<Stored>)
        stored = Stored(machine.cells[std::size_t(at.to)].real);
    else
        stored = Stored(machine.cells[std::size_t(at.to)].integer);
    std::memcpy(to, &stored, sizeof stored);
    return &at + 1;
}

template <class Stored> const Instruction* append(const Instruction& at, Machine& machine)
{
    Memory& memory = machine.memories[std::size_t(at.b)];
    std::vector<std::uint8_t>& bytes = memory.thing->bytes;
    const Cell from = machine.cells[std::size_t(at.a)];
    Stored stored;
    if constexpr (std::is_floating_point_v<Stored>)
        stored = Stored(from.real);
    else
        stored = Stored(from.integer);
    const std::size_t before = bytes.size();
    if (before >= std::size_t(kMostBytes))
        return machine.fail();
    bytes.resize(before + sizeof stored);
    std::memcpy(bytes.data() + before, &stored, sizeof stored);
    memory.first = bytes.data();
    ++memory.count;
    return &at + 1;
}

/// Of numbers: which one of two equals comes first does not matter.
template <class Stored> const Instruction* sort(const Instruction& at, Machine& machine)
{
    const Memory& memory = machine.memories[std::size_t(at.b)];
    const std::int64_t first = machine.cells[std::size_t(at.to)].integer, last = machine.cells[std::size_t(at.a)].integer;
    if (first < 0 || last < first || last > memory.count)
        return machine.fail();
    std::vector<Stored> numbers(std::size_t(last - first));
    std::uint8_t* const place = memory.first + first * std::int64_t(sizeof(Stored));
    const std::size_t bytes = numbers.size() * sizeof(Stored);
    if (bytes == 0)
        return &at + 1;
    std::memcpy(numbers.data(), place, bytes);
    std::ranges::sort(numbers);
    std::memcpy(place, numbers.data(), bytes);
    machine.left -= (last - first) * std::bit_width(numbers.size());
    return &at + 1;
}

template <Kind to> const Instruction* wrap(const Instruction& at, Machine& machine)
{
    const std::int64_t of = machine.cells[std::size_t(at.a)].integer;
    machine.cells[std::size_t(at.to)].integer = Value::of(to, of).integer;
    return &at + 1;
}

template <bool isUnsigned> const Instruction* toReal(const Instruction& at, Machine& machine)
{
    const std::int64_t of = machine.cells[std::size_t(at.a)].integer;
    machine.cells[std::size_t(at.to)].real = isUnsigned ? double(std::uint64_t(of)) : double(of);
    return &at + 1;
}

template <bool isUnsigned> const Instruction* toFloat(const Instruction& at, Machine& machine)
{
    toReal<isUnsigned>(at, machine);
    Cell& made = machine.cells[std::size_t(at.to)];
    made.real = double(float(made.real));
    return &at + 1;
}

/// As values are converted.
template <Kind to> const Instruction* toInteger(const Instruction& at, Machine& machine)
{
    const Value made = converted(Value::ofReal(Kind::F64, machine.cells[std::size_t(at.a)].real), to);
    if (!made.isKnown)
        return machine.fail();
    machine.cells[std::size_t(at.to)].integer = made.integer;
    return &at + 1;
}

template <template <Kind> class Of> constexpr std::array<Instruction::Step, 9> eachInteger()
{
    return { nullptr, Of<Kind::Bool>::step, Of<Kind::I8>::step, Of<Kind::U8>::step, Of<Kind::I16>::step, Of<Kind::U16>::step, Of<Kind::I32>::step, Of<Kind::U32>::step, Of<Kind::I64>::step };
}
template <Kind to> struct Wrap {
    static constexpr Instruction::Step step = wrap<to>;
};
template <Kind to> struct ToInteger {
    static constexpr Instruction::Step step = toInteger<to>;
};
constexpr auto kWraps = eachInteger<Wrap>();
constexpr auto kToIntegers = eachInteger<ToInteger>();

/// Whether each number of the one kind is one of the other, as registers hold them.
bool fits(Kind from, Kind to)
{
    if (from == to || to == Kind::I64 || to == Kind::U64 || from == Kind::Bool)
        return true;
    const bool isFromSigned = from == Kind::I8 || from == Kind::I16 || from == Kind::I32 || from == Kind::I64;
    const bool isToSigned = to == Kind::I8 || to == Kind::I16 || to == Kind::I32;
    return to != Kind::Bool && (isFromSigned ? isToSigned && bytesOf(from) <= bytesOf(to) : bytesOf(from) < bytesOf(to) || (!isToSigned && bytesOf(from) == bytesOf(to)));
}

} // namespace

void Memory::look()
{
    first = thing->bytes.data();
    count = std::int64_t(thing->size());
}

void Machine::run(std::int64_t instructions)
{
    left = instructions;
    state = State::Paused;
    for (const Instruction* at = next; at;)
        at = at->step(*at, *this);
}

const Instruction* Machine::fail()
{
    state = State::Failed;
    return nullptr;
}

Instruction::Step arithmeticStep(Arithmetic operation, Kind kind) { return stepOf(kArithmetic, operation, kind); }
Instruction::Step jumpUnlessStep(Arithmetic comparison, Kind kind) { return stepOf(kJumps, comparison, kind); }

Instruction::Step conversionStep(Kind from, Kind to)
{
    if (isInteger(from))
        return isInteger(to) ? (fits(from, to) ? nullptr : kWraps[std::size_t(to)]) : to == Kind::F32 ? (from == Kind::U64 ? toFloat<true> : toFloat<false>) : from == Kind::U64 ? toReal<true> : toReal<false>;
    if (isInteger(to))
        return to == Kind::U64 ? toInteger<Kind::U64> : kToIntegers[std::size_t(to)];
    return from == Kind::F64 && to == Kind::F32 ? steps::rounded : nullptr;
}

Instruction::Step loadStep(Kind kind)
{
    switch (kind) {
    case Kind::Bool:
    case Kind::U8: return load<std::uint8_t>;
    case Kind::I8: return load<std::int8_t>;
    case Kind::I16: return load<std::int16_t>;
    case Kind::U16: return load<std::uint16_t>;
    case Kind::I32: return load<std::int32_t>;
    case Kind::U32: return load<std::uint32_t>;
    case Kind::I64:
    case Kind::U64: return load<std::int64_t>;
    case Kind::F32: return load<float>;
    case Kind::F64: return load<double>;
    default: return nullptr;
    }
}

Instruction::Step storeStep(Kind kind)
{
    if (isReal(kind))
        return kind == Kind::F32 ? store<float> : kind == Kind::F64 ? store<double> : nullptr;
    switch (bytesOf(kind)) {
    case 1: return store<std::uint8_t>;
    case 2: return store<std::uint16_t>;
    case 4: return store<std::uint32_t>;
    default: return store<std::uint64_t>;
    }
}

Instruction::Step sortStep(Kind kind)
{
    switch (kind) {
    case Kind::U8: return sort<std::uint8_t>;
    case Kind::I16: return sort<std::int16_t>;
    case Kind::U16: return sort<std::uint16_t>;
    case Kind::I32: return sort<std::int32_t>;
    case Kind::U32: return sort<std::uint32_t>;
    case Kind::I64: return sort<std::int64_t>;
    case Kind::U64: return sort<std::uint64_t>;
    default: return nullptr; // reals may be none
    }
}

Instruction::Step appendStep(Kind kind)
{
    if (isReal(kind))
        return kind == Kind::F32 ? append<float> : kind == Kind::F64 ? append<double> : nullptr;
    switch (bytesOf(kind)) {
    case 1: return append<std::uint8_t>;
    case 2: return append<std::uint16_t>;
    case 4: return append<std::uint32_t>;
    default: return append<std::uint64_t>;
    }
}

namespace steps {

const Instruction* move(const Instruction& at, Machine& machine)
{
    machine.cells[std::size_t(at.to)] = machine.cells[std::size_t(at.a)];
    return &at + 1;
}

const Instruction* jump(const Instruction& at, Machine&) { return &at + at.to; }

const Instruction* jumpBack(const Instruction& at, Machine& machine)
{
    machine.left -= at.extra.integer;
    const Instruction* const to = &at + at.to;
    if (machine.left > 0)
        return to;
    machine.next = to;
    return nullptr;
}

const Instruction* done(const Instruction&, Machine& machine)
{
    machine.state = Machine::State::Done;
    return nullptr;
}

const Instruction* count(const Instruction& at, Machine& machine)
{
    machine.cells[std::size_t(at.to)].integer = machine.memories[std::size_t(at.b)].count;
    return &at + 1;
}

const Instruction* resize(const Instruction& at, Machine& machine)
{
    Memory& memory = machine.memories[std::size_t(at.b)];
    const std::int64_t count = at.a != 0 ? 0 : memory.count + at.extra.integer;
    if (count < 0 || count > kMostBytes / at.stride)
        return machine.fail();
    memory.thing->bytes.resize(std::size_t(count) * std::size_t(at.stride));
    memory.look();
    return &at + 1;
}

const Instruction* absolute(const Instruction& at, Machine& machine)
{
    machine.cells[std::size_t(at.to)].real = std::abs(machine.cells[std::size_t(at.a)].real);
    return &at + 1;
}

const Instruction* ofBits(const Instruction& at, Machine& machine)
{
    machine.cells[std::size_t(at.to)].integer = at.extra.ofBits(bitsOf(machine.cells[std::size_t(at.a)].integer, at.stride), at.stride);
    return &at + 1;
}

const Instruction* ofOne(const Instruction& at, Machine& machine)
{
    machine.cells[std::size_t(at.to)].real = at.extra.ofOne(machine.cells[std::size_t(at.a)].real);
    return &at + 1;
}

const Instruction* ofTwo(const Instruction& at, Machine& machine)
{
    machine.cells[std::size_t(at.to)].real = at.extra.ofTwo(machine.cells[std::size_t(at.a)].real, machine.cells[std::size_t(at.b)].real);
    return &at + 1;
}

const Instruction* rounded(const Instruction& at, Machine& machine)
{
    machine.cells[std::size_t(at.to)].real = double(float(machine.cells[std::size_t(at.a)].real));
    return &at + 1;
}

} // namespace steps
} // namespace coalescope::kernels::host
