// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/bits.h"
#include "kernels/host/loop_compiler.h"
#include "kernels/host/mathematics.h"

#include <algorithm>

namespace coalescope::kernels::host {

/// A random number: of an engine, where no distribution is given.
Run::LoopCompiler::Operand Run::LoopCompiler::drawn(const Value& from, const Value& engine)
{
    const auto held = [&](const Value& value) {
        if (value.kind != Kind::Whole || !value.thing || value.thing->isUnknown)
            throw Unsupported {};
        m_machine.things.push_back(value.thing);
        return int(m_machine.things.size()) - 1;
    };
    const bool isRaw = engine.kind == Kind::None;
    const Type& type = *from.thing->type;
    const Kind kind = !isRaw ? (type.name == "bernoulli_distribution" ? Kind::Bool : type.element->kind) : type.name == "random_device" ? Kind::U32 : Kind::U64;
    const int first = held(from);
    return emitted(kind, { .step = isRaw ? drawRaw : draw, .a = first, .b = isRaw ? 0 : held(engine) });
}

const Instruction* Run::LoopCompiler::draw(const Instruction& at, Machine& machine)
{
    return put(at, machine, machine.host->draw(*machine.things[std::size_t(at.a)], *machine.things[std::size_t(at.b)]));
}

const Instruction* Run::LoopCompiler::drawRaw(const Instruction& at, Machine& machine) { return put(at, machine, machine.host->drawRaw(*machine.things[std::size_t(at.a)])); }

const Instruction* Run::LoopCompiler::random(const Instruction& at, Machine& machine)
{
    machine.cells[std::size_t(at.to)].integer = machine.host->random();
    return &at + 1;
}

const Instruction* Run::LoopCompiler::random48(const Instruction& at, Machine& machine) { return put(at, machine, machine.host->drand48()); }

const Instruction* Run::LoopCompiler::put(const Instruction& at, Machine& machine, const Value& made)
{
    constexpr std::int64_t kTakes = 8; ///< instructions
    machine.left -= kTakes;
    if (!made.isKnown)
        return machine.fail();
    Cell& cell = machine.cells[std::size_t(at.to)];
    if (isReal(made.kind))
        cell.real = made.real;
    else
        cell.integer = made.integer;
    return &at + 1;
}

/// The least of several numbers, or the most.
Run::LoopCompiler::Operand Run::LoopCompiler::extreme(bool isLeast, const std::vector<const Node*>& among)
{
    Operand best = number(*among[0]);
    for (std::size_t i = 1; i < among.size(); ++i) {
        best = kept(best);
        const Operand next = number(*among[i]);
        const Kind kind = std::max(best.kind, next.kind);
        const Operand isLess = applied(Arithmetic::Less, best, next);
        const Operand first = converted(best, kind), second = converted(next, kind);
        best = isLeast ? chosen(isLess, first, second) : chosen(isLess, second, first);
    }
    return best;
}

Run::LoopCompiler::Operand Run::LoopCompiler::ofBits(const BitFunction& function, const Operand& number)
{
    const bool isSigned = function.returned == Kind::None && (number.kind == Kind::I32 || number.kind == Kind::I64);
    if (!isInteger(number.kind) || isSigned)
        throw Unsupported {};
    const Operand of = function.taken == Kind::None ? number : converted(number, function.taken);
    return emitted(function.returned == Kind::None ? of.kind : function.returned, { .step = steps::ofBits, .a = of.cell, .stride = 8 * bytesOf(of.kind), .extra = { .ofBits = function.of } });
}

std::optional<Run::LoopCompiler::Operand> Run::LoopCompiler::callLibrary(const Node& node)
{
    const std::string_view name = node.name;
    const std::size_t count = node.kids.size();
    if (isAmong(name, { "rand", "random", "lrand48" }) && count == 0)
        return emitted(name == "rand" ? Kind::I32 : Kind::I64, { .step = random });
    if (name == "drand48" && count == 0)
        return emitted(Kind::F64, { .step = random48 });
    const bool isOfList = count == 1 && node.kids[0]->op == Op::List && !node.kids[0]->kids.empty(); // std::max({ a, b, c })
    if (isAmong(name, { "min", "max" }) && (count == 2 || isOfList))
        return extreme(name == "min", isOfList ? node.kids[0]->kids : node.kids);
    if (name == "clamp" && count == 3) {
        const Operand of = kept(number(*node.kids[0])), low = kept(number(*node.kids[1])), high = number(*node.kids[2]);
        const Kind kind = std::max({ of.kind, low.kind, high.kind });
        const Operand value = converted(of, kind), least = converted(low, kind), most = converted(high, kind);
        return chosen(applied(Arithmetic::Less, value, least), least, chosen(applied(Arithmetic::Less, most, value), most, value));
    }
    if (isAmong(name, { "abs", "labs", "llabs" }) && count == 1) {
        const Operand of = number(*node.kids[0]);
        if (isReal(of.kind))
            return emitted(of.kind, { .step = steps::absolute, .a = of.cell });
        const Operand wide = converted(of, std::max(of.kind, Kind::I32));
        return of.kind == Kind::U64 ? of : chosen(applied(Arithmetic::Less, wide, constant(Kind::I32, 0)), applied(Arithmetic::Subtract, constant(wide.kind, 0), wide), wide);
    }
    if (const BitFunction* const known = count == 1 ? bitFunction(name) : nullptr)
        return ofBits(*known, number(*node.kids[0]));
    if (name == "swap" && count == 2) {
        const Spot first = passed(*node.kids[0], Way::Reference), second = passed(*node.kids[1], Way::Reference);
        const Operand a = kept(loaded(first)), b = kept(loaded(second));
        store(first, b);
        store(second, a);
        return std::nullopt;
    }
    if (isAmong(name, { "sort", "stable_sort" }) && count == 2) {
        sort(node);
        return std::nullopt;
    }
    if (const auto limit = m_run.callLimit(name, node))
        return constant(*limit);
    const Mathematics known = mathematics(name, count);
    if (!known.ofOne && !known.ofTwo)
        throw Unsupported {};
    std::vector<Operand> arguments(count);
    for (std::size_t i = count; i-- > 0;)
        arguments[i] = kept(number(*node.kids[i]));
    const bool areFloats = std::ranges::all_of(arguments, [](const Operand& argument) { return argument.kind == Kind::F32; });
    const Kind kind = known.isOfFloat || areFloats ? Kind::F32 : Kind::F64;
    for (Operand& argument : arguments)
        argument = converted(argument, kind);
    const Operand made = known.ofOne ? emitted(kind, { .step = steps::ofOne, .a = arguments[0].cell, .extra = { .ofOne = known.ofOne } })
                                     : emitted(kind, { .step = steps::ofTwo, .a = arguments[0].cell, .b = arguments[1].cell, .extra = { .ofTwo = known.ofTwo } });
    return kind == Kind::F32 ? emitted(kind, { .step = steps::rounded, .a = made.cell }) : made;
}

/// A range of numbers.
void Run::LoopCompiler::sort(const Node& node)
{
    const auto last = pointer(*node.kids[1]);
    Operand end = last ? kept(last->number) : Operand {};
    const auto first = last ? pointer(*node.kids[0]) : std::nullopt;
    const bool isRange = first && first->memory == last->memory && first->type && first->type->isPlain();
    const Instruction::Step step = isRange ? sortStep(first->type->kind) : nullptr;
    if (!step)
        throw Unsupported {};
    const auto index = [&](const Operand& number, std::int64_t from) { return applied(Arithmetic::Add, converted(number, Kind::I64), constant(Kind::I64, from)); };
    end = index(end, last->first);
    const Operand begin = index(first->number, first->first);
    emit({ .step = step, .to = begin.cell, .a = end.cell, .b = first->memory });
}

} // namespace coalescope::kernels::host
