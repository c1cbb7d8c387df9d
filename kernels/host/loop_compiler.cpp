// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/loop_compiler.h"

#include <bit>

namespace coalescope::kernels::host {
namespace {

constexpr std::size_t kMostInstructions = 4096;

} // namespace

Run::LoopCompiler::LoopCompiler(Run& run)
    : m_run(run)
{
    m_machine.host = &run;
}

bool Run::LoopCompiler::compile(const Node& node, const Value& list, std::int64_t index)
{
    const auto outer = m_run.m_frame;
    try {
        if (node.op == Op::ForEach)
            forEach(node, list, index);
        else
            loop(node, true);
        finish();
    } catch (const Unsupported&) {
        m_run.m_frame = outer;
        return false;
    }
    return true;
}

void Run::LoopCompiler::finish()
{
    emit({ .step = steps::done });
    for (Memory& memory : m_machine.memories)
        memory.look();
    m_machine.next = m_code.data();
}

void Run::LoopCompiler::leave()
{
    for (const Outside& variable : m_outside) {
        Value& held = variable.thing->items[std::size_t(variable.index)];
        const Cell now = m_machine.cells[std::size_t(variable.cell)];
        if (isReal(held.kind))
            held.real = now.real;
        else
            held.integer = now.integer;
    }
}

std::size_t Run::LoopCompiler::emit(const Instruction& instruction)
{
    if (m_code.size() >= kMostInstructions)
        throw Unsupported {};
    m_code.push_back(instruction);
    return m_code.size() - 1;
}

Run::LoopCompiler::Operand Run::LoopCompiler::emitted(Kind kind, Instruction instruction)
{
    instruction.to = cell();
    m_made = emit(instruction);
    return { .kind = kind, .cell = instruction.to };
}

void Run::LoopCompiler::rewind(std::size_t to)
{
    m_code.resize(to);
    m_made = kMostInstructions; // none
}

std::size_t Run::LoopCompiler::jump() { return emit({ .step = steps::jump }); }

void Run::LoopCompiler::land(const Jumps& jumps)
{
    for (const std::size_t at : jumps)
        m_code[at].to = int(m_code.size() - at);
    if (!jumps.empty())
        m_landed = m_code.size();
}

void Run::LoopCompiler::jumpBack(std::size_t to)
{
    const std::size_t length = m_code.size() - to + 1;
    emit({ .step = steps::jumpBack, .to = -int(m_code.size() - to), .extra = { .integer = std::int64_t(length) } });
}

int Run::LoopCompiler::cell()
{
    m_machine.cells.push_back({ .integer = 0 });
    return int(m_machine.cells.size()) - 1;
}

Run::LoopCompiler::Operand Run::LoopCompiler::variable(Kind kind) { return { .kind = kind, .cell = cell(), .isVariable = true }; }

Run::LoopCompiler::Operand Run::LoopCompiler::constant(const Value& value)
{
    if (!value.isKnown || !isNumber(value.kind))
        throw Unsupported {};
    const bool isOfReals = isReal(value.kind);
    const auto [held, isNew] = m_constants.try_emplace({ value.kind, isOfReals ? std::bit_cast<std::int64_t>(value.real) : value.integer });
    if (isNew) {
        held->second = { cell(), value };
        Cell& made = m_machine.cells.back();
        if (isOfReals)
            made.real = value.real;
        else
            made.integer = value.integer;
    }
    return { .kind = value.kind, .cell = held->second.first, .constant = &held->second.second };
}

void Run::LoopCompiler::move(const Operand& to, const Operand& from)
{
    const bool isMadeLast = !from.isVariable && !from.constant && m_made + 1 == m_code.size() && m_landed != m_code.size() && m_code[m_made].to == from.cell;
    if (isMadeLast) // at once in its place
        m_code[m_made].to = to.cell;
    else if (to.cell != from.cell)
        emit({ .step = steps::move, .to = to.cell, .a = from.cell });
}

Run::LoopCompiler::Operand Run::LoopCompiler::kept(const Operand& operand)
{
    if (!operand.isVariable)
        return operand;
    return emitted(operand.kind, { .step = steps::move, .a = operand.cell });
}

Run::LoopCompiler::Operand Run::LoopCompiler::own(const Operand& operand)
{
    Operand made = operand;
    if (operand.isVariable || operand.constant)
        made = emitted(operand.kind, { .step = steps::move, .a = operand.cell });
    made.isVariable = true;
    return made;
}

Run::LoopCompiler::Operand Run::LoopCompiler::converted(const Operand& operand, Kind kind)
{
    if (!isNumber(kind) || !isNumber(operand.kind) || kind == Kind::F16 || operand.kind == Kind::F16)
        throw Unsupported {};
    if (operand.kind == kind)
        return operand;
    if (operand.constant)
        return constant(host::converted(*operand.constant, kind));
    if (const Instruction::Step step = conversionStep(operand.kind, kind))
        return emitted(kind, { .step = step, .a = operand.cell });
    return { .kind = kind, .cell = operand.cell, .isVariable = operand.isVariable };
}

Run::LoopCompiler::Operand Run::LoopCompiler::applied(Arithmetic operation, const Operand& a, const Operand& b)
{
    if (a.constant && b.constant)
        if (const Value made = host::applied(operation, *a.constant, *b.constant); made.isKnown)
            return constant(made);
    const bool shifts = operation == Arithmetic::ShiftLeft || operation == Arithmetic::ShiftRight;
    const Kind common = std::max(shifts ? a.kind : std::max(a.kind, b.kind), Kind::I32);
    const Operand left = converted(a, common), right = shifts ? b : converted(b, common);
    const Instruction::Step step = arithmeticStep(operation, common);
    if (!step || (shifts && !isInteger(b.kind)))
        throw Unsupported {};
    return emitted(operation >= Arithmetic::Less ? Kind::Bool : common, { .step = step, .a = left.cell, .b = right.cell });
}

/// As ?: has it: both are made of one kind.
Run::LoopCompiler::Operand Run::LoopCompiler::chosen(const Operand& condition, const Operand& then, const Operand& otherwise)
{
    const Operand made = variable(then.kind);
    move(made, converted(otherwise, then.kind));
    const Jumps unless = jumpUnless(condition);
    move(made, then);
    land(unless);
    return { .kind = made.kind, .cell = made.cell };
}

Run::LoopCompiler::Jumps Run::LoopCompiler::jumpUnless(const Operand& condition)
{
    const Kind kind = std::max(condition.kind, Kind::I32);
    const Operand zero = isReal(kind) ? constant(Value::ofReal(kind, 0)) : constant(kind, 0);
    return { emit({ .step = jumpUnlessStep(Arithmetic::NotEqual, kind), .a = converted(condition, kind).cell, .b = zero.cell }) };
}

Run::LoopCompiler::Jumps Run::LoopCompiler::jumpUnless(const Node& condition)
{
    if (condition.op == Op::Both) {
        Jumps jumps = jumpUnless(*condition.kids[0]);
        for (const std::size_t other : jumpUnless(*condition.kids[1]))
            jumps.push_back(other);
        return jumps;
    }
    const Operand made = number(condition);
    const bool isComparedLast = condition.op == Op::Binary && condition.arithmetic >= Arithmetic::Less && !made.constant && m_made + 1 == m_code.size() && m_code[m_made].to == made.cell;
    if (!isComparedLast)
        return jumpUnless(made);
    // the comparison was made last, and nobody else looks at what it gave
    for (const Kind kind : { Kind::I32, Kind::U32, Kind::I64, Kind::U64, Kind::F32, Kind::F64 }) {
        if (m_code.back().step != arithmeticStep(condition.arithmetic, kind))
            continue;
        m_code.back().step = jumpUnlessStep(condition.arithmetic, kind);
        return { m_code.size() - 1 };
    }
    return jumpUnless(made);
}

void Run::LoopCompiler::statement(const Node& node)
{
    switch (node.op) {
    case Op::Block:
        for (const Node* part : node.kids)
            statement(*part);
        return;
    case Op::Declare:
        for (const Node* declared : node.kids)
            declare(*declared);
        return;
    case Op::Expression: return effect(*node.kids[0]);
    case Op::If: return branch(node);
    case Op::For:
    case Op::While:
    case Op::Do: return loop(node, false);
    case Op::ForEach: {
        const Node& list = *node.kids[1];
        return forEach(node, list.op == Op::List ? Value {} : object(list), 0);
    }
    case Op::Switch: return choose(node);
    case Op::Return: return comeBack(node);
    case Op::Break:
    case Op::Continue: {
        std::vector<Jumps>& targets = node.op == Op::Break ? m_breaks : m_continues;
        if (targets.empty())
            throw Unsupported {};
        return targets.back().push_back(jump());
    }
    default: throw Unsupported {};
    }
}

void Run::LoopCompiler::branch(const Node& node)
{
    const bool endsInVain = node.flag && m_run.m_frame->isMain && !m_run.m_hasLaunched; // as in Run::branch()
    if (endsInVain)
        throw Unsupported {};
    const Jumps otherwise = jumpUnless(*node.kids[0]);
    if (node.kids[1])
        statement(*node.kids[1]);
    if (!node.kids[2])
        return land(otherwise);
    const std::size_t end = jump();
    land(otherwise);
    statement(*node.kids[2]);
    land({ end });
}

/// `isEntered`: it is the one that has begun, and is about to ask whether it goes on.
void Run::LoopCompiler::loop(const Node& node, bool isEntered)
{
    const bool isFor = node.op == Op::For, asksBehind = node.op == Op::Do && !isEntered;
    if (isFor && node.kids[0] && !isEntered)
        statement(*node.kids[0]);
    const Node* const condition = node.kids[isFor ? 1 : 0];
    const Node* const step = isFor ? node.kids[2] : nullptr;
    const std::size_t top = m_code.size();
    Jumps ends = condition && !asksBehind ? jumpUnless(*condition) : Jumps {};
    m_breaks.emplace_back();
    m_continues.emplace_back();
    if (node.kids.back())
        statement(*node.kids.back());
    land(m_continues.back());
    if (condition && asksBehind)
        ends = jumpUnless(*condition);
    if (step)
        effect(*step);
    jumpBack(top);
    land(ends);
    land(m_breaks.back());
    m_breaks.pop_back();
    m_continues.pop_back();
}

void Run::LoopCompiler::forEach(const Node& node, const Value& list, std::int64_t index)
{
    constexpr std::size_t kMostWritten = 16;
    const Node& variable = *node.kids[0]->kids[0];
    const Node& written = *node.kids[1];
    const bool isWritten = list.kind == Kind::None && written.op == Op::List && !written.kids.empty() && written.kids.size() <= kMostWritten; // { -1, 1 }
    const bool isArray = list.kind == Kind::Whole && list.thing && list.thing->element;
    const bool binds = variable.op == Op::Bindings;
    if ((binds && isWritten) || (!isWritten && !isArray))
        throw Unsupported {};
    m_breaks.emplace_back();
    if (isWritten) {
        for (const Node* item : written.kids) {
            take(keyOf(variable), { .is = Spot::Is::Number, .number = kept(number(*item)) }, *variable.type, variable.name);
            m_continues.emplace_back();
            if (node.kids[2])
                statement(*node.kids[2]);
            land(m_continues.back());
            m_continues.pop_back();
        }
    } else {
        const Operand at = this->variable(Kind::I64);
        const Spot item { .is = Spot::Is::Element, .number = at, .memory = memory(list.thing, nullptr), .type = list.thing->element };
        move(at, constant(Kind::I64, index));
        const std::size_t top = m_code.size();
        const Operand count = emitted(Kind::I64, { .step = steps::count, .b = item.memory });
        const std::size_t end = emit({ .step = jumpUnlessStep(Arithmetic::Less, Kind::I64), .a = at.cell, .b = count.cell });
        if (binds)
            bind(variable, item);
        else if (variable.isAlias)
            m_spots[keyOf(variable)] = item;
        else
            take(keyOf(variable), item, *variable.type, variable.name);
        m_continues.emplace_back();
        if (node.kids[2])
            statement(*node.kids[2]);
        land(m_continues.back());
        m_continues.pop_back();
        emit({ .step = arithmeticStep(Arithmetic::Add, Kind::I64), .to = at.cell, .a = at.cell, .b = constant(Kind::I64, 1).cell });
        jumpBack(top);
        land({ end });
    }
    land(m_breaks.back());
    m_breaks.pop_back();
}

void Run::LoopCompiler::choose(const Node& node)
{
    const Operand asked = kept(number(*node.kids[0]));
    std::vector<Jumps> entries(node.kids.size());
    std::size_t fallback = 0;
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
        const Node& label = *node.kids[i];
        if (label.op != Op::Case)
            continue;
        if (label.kids.empty()) {
            fallback = i;
            continue;
        }
        const Jumps other = jumpUnless(applied(Arithmetic::Equal, asked, number(*label.kids[0])));
        entries[i].push_back(jump());
        land(other);
    }
    m_breaks.emplace_back();
    (fallback > 0 ? entries[fallback] : m_breaks.back()).push_back(jump());
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
        land(entries[i]);
        if (node.kids[i]->op != Op::Case)
            statement(*node.kids[i]);
    }
    land(m_breaks.back());
    m_breaks.pop_back();
}

/// `auto [a, b] = pair;`
void Run::LoopCompiler::bind(const Node& bindings, const Spot& object)
{
    if (!isOfParts(object) || bindings.slots.size() > object.type->parts.size())
        throw Unsupported {};
    const Spot held = bindings.flag ? object : ownParts(partsOf(object));
    for (std::size_t i = 0; i < bindings.slots.size(); ++i)
        m_spots[{ m_run.m_frame->variables.get(), bindings.slots[i] }] = partOf(held, i);
}

void Run::LoopCompiler::declare(const Node& variable)
{
    if (variable.op == Op::Bindings && !variable.kids.empty())
        return bind(variable, passed(*variable.kids[0], Way::Reference));
    if (variable.op != Op::Variable || variable.flag) // statics
        throw Unsupported {};
    const Node* const init = variable.kids[0];
    const Key key = keyOf(variable);
    if (variable.isAlias) {
        if (!init)
            throw Unsupported {};
        m_spots[key] = passed(*init, Way::Reference);
        return;
    }
    if (variable.kids.size() > 1)
        return declareArray(variable);
    if (const Type* type = m_run.resolve(*variable.type); isOfParts(type)) {
        const bool isCopy = init && variable.style == Initial::Equals && init->op != Op::List;
        m_spots[key] = ownParts(isCopy ? parts(*init, type) : partsOf(init ? init->kids : std::vector<const Node*> {}, type, variable.style != Initial::Brackets));
        return;
    }
    const bool isList = init && (variable.style != Initial::Equals || init->op == Op::List); // int x(3), x { 3 }
    const Node* const value = isList ? init->kids.empty() ? nullptr : init->kids[0] : init;
    if (isList && init->kids.size() > 1)
        throw Unsupported {};
    if (value)
        return take(key, passed(*value, Way::Value), *variable.type, variable.name);
    const Type* type = m_run.resolve(*variable.type);
    if (!type->isPlain())
        throw Unsupported {};
    take(key, { .is = Spot::Is::Number, .number = constant(Kind::I32, 0) }, *variable.type, variable.name); // as initial() has it
}

/// int d[4] = { 1, 2 };
void Run::LoopCompiler::declareArray(const Node& variable)
{
    const Node* const init = variable.kids[0];
    const Type* element = m_run.resolve(*variable.type);
    const Node* const extent = variable.kids[1];
    const bool hasList = init && init->op == Op::List;
    if (variable.kids.size() != 2 || !element->isPlain() || (!extent && !hasList) || (init && !hasList))
        throw Unsupported {};
    const Operand asked = extent ? number(*extent) : constant(Kind::I64, std::int64_t(init->kids.size()));
    constexpr std::int64_t kMost = 64;
    if (!asked.constant || asked.constant->asInteger() <= 0 || asked.constant->asInteger() > kMost || (hasList && std::int64_t(init->kids.size()) > asked.constant->asInteger()))
        throw Unsupported {};
    const std::int64_t count = asked.constant->asInteger();
    Type array { .shape = Type::Shape::Array, .kind = Kind::Whole, .element = element };
    array.count = count;
    const Handle thing = m_run.newThing(m_run.intern(std::move(array)), element, count, m_run.initial(*element));
    Spot place { .is = Spot::Is::Element, .memory = memory(thing, nullptr), .type = element };
    for (std::int64_t i = 0; i < count; ++i) {
        place.number = constant(Kind::I64, i);
        const bool isWritten = hasList && std::size_t(i) < init->kids.size();
        store(place, isWritten ? number(*init->kids[std::size_t(i)]) : constant(Kind::I32, 0));
    }
    m_spots[keyOf(variable)] = { .object = Value::whole(thing) };
}

void Run::LoopCompiler::comeBack(const Node& node)
{
    if (m_calls.empty())
        throw Unsupported {};
    const std::size_t call = m_calls.size() - 1;
    if (!node.kids.empty()) {
        const Operand made = number(*node.kids[0]);
        Call& of = m_calls[call];
        if (of.isAuto && !of.hasResult) {
            of.hasResult = true;
            of.result = variable(made.kind);
        }
        if (!of.hasResult)
            throw Unsupported {};
        move(of.result, converted(made, of.result.kind));
    }
    m_calls[call].ends.push_back(jump());
}

} // namespace coalescope::kernels::host
