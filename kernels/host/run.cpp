// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/last_launch.h"
#include "kernels/host/loop_compiler.h"

#include <algorithm>

namespace coalescope::kernels::host {
namespace {

// Of all steps, what a loop may take: one that fills real numbers alone, one that is not compiled, and any other.
constexpr std::int64_t kShareOfReals = 75, kShareOfALoop = 4, kShareOfACompiledLoop = 2;
constexpr std::int64_t kShareOfWhatIsLeft = 2; ///< when a loop begins: what comes behind it is to be followed, too
constexpr std::int64_t kFewTurns = 16; ///< of a loop that is not compiled, which it may always make: what takes its time are loops in it
constexpr std::int64_t kShareBetweenLooks = 300; ///< at what it has taken
constexpr std::int64_t kBeforeCompiling = 3000; ///< steps that a loop takes as it is: compiling it takes as long
constexpr std::int64_t kInstructionsOfAStep = 6; ///< that take as long

} // namespace

Run::Run(Parser& parser, Options options)
    : m_parser(parser)
    , m_options(std::move(options))
    , m_frame(std::make_shared<Frame>())
    , m_globals(new Thing)
{
}

/// What lambdas see holds them in circles.
Run::~Run()
{
    for (const std::weak_ptr<Frame>& held : m_frames)
        if (const auto frame = held.lock())
            frame->variables = {};
    m_globals->items.clear();
}

void Run::run()
{
    m_globals->items.resize(std::size_t(m_parser.globalSlots()));
    m_frame->variables = m_globals;
    for (const Node* declared : m_parser.globals())
        statement(*declared);
    const HostFunction* main = m_parser.program().function("main", 0);
    if (!main)
        return;
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < main->parameters.size(); ++i)
        arguments.push_back({ .place = {}, .alone = i == 0 ? Value::of(Kind::I32, 1) : Value::unknown(Kind::Pointer) });
    m_lastLaunching = lastLaunching(m_parser.program(), *main).value_or(SIZE_MAX);
    callFunction(*main, arguments, {});
}

bool Run::isUp()
{
    constexpr std::int64_t kBetweenLooks = 4096;
    ++m_steps;
    if (m_steps >= m_options.steps || (m_steps % kBetweenLooks == 0 && m_options.stop.stop_requested()))
        m_isOver = true;
    return isLeaving();
}

/// A value that has a name is the one given for it, where it is as it was when it got the name; of a dim3 each of its three, as "block_x".
Value Run::given(std::string_view name, Value value)
{
    if (m_options.given.empty())
        return value;
    const bool isOfThree = value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->name == "dim3";
    for (std::size_t i = 0; isOfThree && i < value.thing->items.size(); ++i)
        value.thing->items[i] = given(std::string(name) + "_" + "xyz"[i], value.thing->items[i]);
    if (!isInteger(value.kind))
        return value;
    for (const HostNumber& number : m_options.given) {
        if (number.name != name || (value.isKnown && value.integer != number.before))
            continue;
        m_read.insert(number.name);
        return Value::of(value.kind, number.value);
    }
    return value;
}

Run::Flow Run::block(const Node& node, std::size_t first)
{
    for (std::size_t i = first; i < node.kids.size(); ++i) {
        if (m_frame->isMain && m_loops == 0 && m_parser.tokenOf(*node.kids[i]) > m_lastLaunching) { // what follows launches nothing
            m_isOver = true;
            return Flow::Return;
        }
        const Flow flow = statement(*node.kids[i]);
        if (flow != Flow::Next)
            return flow;
        if (isLeaving())
            return Flow::Return;
    }
    return Flow::Next;
}

Run::Flow Run::statement(const Node& node)
{
    if (isUp())
        return Flow::Return;
    switch (node.op) {
    case Op::Block: return block(node);
    case Op::Declare:
        for (const Node* variable : node.kids) {
            if (variable->op == Op::Bindings)
                bind(*variable, variable->kids.empty() ? Value {} : value(*variable->kids[0]));
            else
                declare(*variable);
        }
        return Flow::Next;
    case Op::Expression: number(*node.kids[0]); return isLeaving() ? Flow::Return : Flow::Next;
    case Op::If: return branch(node);
    case Op::For:
    case Op::While:
    case Op::Do: return loop(node);
    case Op::ForEach: return forEach(node);
    case Op::Switch: return choose(node);
    case Op::Break: return Flow::Break;
    case Op::Continue: return Flow::Continue;
    case Op::Return:
        m_returned = {};
        m_returnedPlace = {};
        if (node.kids.empty())
            return Flow::Return;
        if (m_frame->returnsPlace) {
            m_returnedPlace = place(*node.kids[0]);
            m_returned = m_returnedPlace.value();
        } else if (goesWithFunction(*node.kids[0]))
            m_returned = std::exchange(slot(*node.kids[0]), {});
        else
            m_returned = value(*node.kids[0]);
        return Flow::Return;
    case Op::Throw:
        if (m_quietTries == 0 && (!m_hasLaunched || m_tries == 0)) // what ends the program is taken not to happen
            return endsForWantOfFile() ? Flow::Return : Flow::Next;
        m_thrown = node.name.empty() ? m_caught : node.name;
        return Flow::Return;
    case Op::Try: return tryOut(node);
    case Op::Broken:
        for (const Node* mentioned : node.kids)
            forgetPlace(*mentioned);
        return Flow::Next;
    default: return Flow::Next;
    }
}

/// A variable of the function that runs, and of none around it.
bool Run::goesWithFunction(const Node& node) const
{
    return node.op == Op::Local && !node.isAlias && (!m_lambda || (m_lambda->firstSlot <= node.slot && node.slot < m_lambda->lastSlot));
}

Run::Flow Run::branch(const Node& node)
{
    const std::optional<bool> condition = holds(*node.kids[0]);
    const Node* const then = node.kids[1];
    const Node* const otherwise = node.kids[2];
    if (!condition) {
        ++m_unknownBranches;
        for (const Node* part : { then, otherwise })
            if (part)
                lookInto(*part, *part);
        return isLeaving() ? Flow::Return : Flow::Next;
    }
    // What main would end with before it launches anything is taken not to happen.
    const bool endsInVain = node.flag && m_frame->isMain && !m_lambda && !m_hasLaunched && m_quietTries == 0;
    if (*condition && endsInVain && endsForWantOfFile())
        return Flow::Return;
    const bool isThen = *condition && !endsInVain;
    const Node *chosen = isThen ? then : otherwise, *const left = isThen ? otherwise : then;
    if (left && leadsToWanted(*left) && !(chosen && leadsToWanted(*chosen)))
        chosen = left;
    return chosen ? statement(*chosen) : Flow::Next;
}

/// Code of which nobody knows whether it is executed: what it launches is come to as if it were. What `all` changes is not known behind it.
void Run::lookInto(const Node& code, const Node& all)
{
    const auto thrown = m_thrown;
    ++m_unsure;
    if (launches(code))
        statement(code);
    --m_unsure;
    m_thrown = thrown;
    forgetChanged(all);
}

/// The launches in it, and in functions that it calls: their places.
std::set<int> Run::launchedIn(const Node& code)
{
    if (code.op == Op::Launch || (code.op == Op::Call && code.name.starts_with("cudaLaunch")))
        return { code.slot };
    std::set<int> places;
    if (code.op == Op::Call) {
        if (const HostFunction* const function = functionOf(code))
            places = launchedBy(*function);
    } else if (code.op == Op::CallMember) { // of whichever class
        for (const HostFunction& function : m_parser.program().everyFunction())
            if (!function.ofClass.empty() && function.name == code.name)
                places.merge(launchedBy(function));
    }
    for (const Node* kid : code.kids)
        if (kid)
            places.merge(launchedIn(*kid));
    return places;
}

/// Whether there are any in it.
bool Run::launches(const Node& code)
{
    const auto [known, isNew] = m_launching.try_emplace(&code, false);
    if (isNew)
        known->second = !launchedIn(code).empty();
    return known->second;
}

bool Run::leadsToWanted(const Node& code)
{
    if (!m_options.wanted)
        return false;
    const auto [known, isNew] = m_leading.try_emplace(&code, false);
    if (isNew)
        known->second = launchedIn(code).contains(*m_options.wanted);
    return known->second;
}

/// Null: of none.
const HostClass* Run::classOf(const HostFunction& function) const { return function.ofClass.empty() ? nullptr : m_parser.program().classNamed(function.ofClass); }

std::set<int> Run::launchedBy(const HostFunction& function)
{
    const Node* const block = m_launched.try_emplace(&function).second ? m_parser.bodyOf(function).block : nullptr;
    if (block) {
        const auto outer = std::exchange(m_scanned, classOf(function));
        m_launched[&function] = launchedIn(*block);
        m_scanned = outer;
    }
    return m_launched[&function];
}

std::set<int> Run::launchedByMain()
{
    const HostFunction* const main = m_parser.program().function("main", 0);
    return main ? launchedBy(*main) : std::set<int> {};
}

/// Up to the next one.
std::span<const Node* const> Run::behindLabel(const Node& choice, std::size_t label)
{
    const auto first = choice.kids.begin() + std::ptrdiff_t(label) + 1;
    return { first, std::ranges::find(first, choice.kids.end(), Op::Case, [](const Node* node) { return node->op; }) };
}

bool Run::caseLeadsToWanted(const Node& choice, std::size_t label)
{
    return std::ranges::any_of(behindLabel(choice, label), [&](const Node* node) { return leadsToWanted(*node); });
}

bool Run::isPatienceUp(const Node& loop, std::int64_t stepsAtFirst, bool isCompiled)
{
    const std::int64_t steps = m_steps - stepsAtFirst, all = m_options.steps;
    const std::int64_t most = std::min(all / (isCompiled ? kShareOfACompiledLoop : kShareOfALoop), (all - stepsAtFirst) / kShareOfWhatIsLeft);
    if (steps > most && m_leftLoop == 0)
        m_leftLoop = loop.line;
    return steps > most || (steps > all / kShareOfReals && changesOnlyReals(loop, loop));
}

Run::Flow Run::loop(const Node& node)
{
    const Inside around(m_loops);
    const bool isFor = node.op == Op::For;
    if (isFor && node.kids[0])
        statement(*node.kids[0]);
    const Node* const condition = node.kids[isFor ? 1 : 0];
    const Node* const step = isFor ? node.kids[2] : nullptr;
    const Node* const body = node.kids.back();
    const std::int64_t stepsAtFirst = m_steps;
    std::int64_t looked = m_steps;
    bool isCompiled = false;
    for (std::int64_t turns = 0; !isLeaving(); ++turns) {
        const bool isFirst = turns == 0;
        if (!isCompiled && m_steps - stepsAtFirst > kBeforeCompiling) {
            isCompiled = true;
            if (const auto flow = compiled(node, stepsAtFirst))
                return *flow;
        }
        const std::optional<bool> goesOn = condition && !(node.op == Op::Do && isFirst) ? holds(*condition) : std::optional(true);
        if (goesOn == false) {
            if (isFirst && body && leadsToWanted(*body))
                lookInto(*body, node);
            break;
        }
        const bool looks = m_steps - looked > m_options.steps / kShareBetweenLooks;
        looked = looks ? m_steps : looked;
        if (!goesOn && isFirst && body) {
            lookInto(*body, node);
            break;
        }
        if (!goesOn || (looks && turns >= kFewTurns && isPatienceUp(node, stepsAtFirst))) {
            forgetChanged(node);
            break;
        }
        const Flow flow = body ? statement(*body) : Flow::Next;
        if (isUp() || flow == Flow::Return)
            return Flow::Return;
        if (flow == Flow::Break)
            break;
        if (step)
            number(*step);
    }
    return isLeaving() ? Flow::Return : Flow::Next;
}

std::optional<Run::Flow> Run::compiled(const Node& loop, std::int64_t stepsAtFirst, const Value& list, std::int64_t index)
{
    constexpr int kMostTries = 3; // it depends on what the loop finds
    if (loop.uncompiled >= kMostTries)
        return std::nullopt;
    LoopCompiler compiler(*this);
    if (!compiler.compile(loop, list, index)) {
        ++loop.uncompiled;
        return std::nullopt;
    }
    Machine& machine = compiler.machine();
    const std::int64_t steps = m_options.steps / kShareBetweenLooks + 1;
    while (true) {
        machine.run(steps * kInstructionsOfAStep);
        m_steps += steps - machine.left / kInstructionsOfAStep;
        if (m_steps >= m_options.steps || m_options.stop.stop_requested())
            m_isOver = true;
        const bool isLeft = machine.state == Machine::State::Failed || (machine.state == Machine::State::Paused && !m_isOver && isPatienceUp(loop, stepsAtFirst, true));
        if (machine.state == Machine::State::Paused && !isLeft && !m_isOver)
            continue;
        compiler.leave();
        if (isLeft)
            forgetChanged(loop);
        return m_isOver ? Flow::Return : Flow::Next;
    }
}

/// What a range-for goes through: a list, or so many of it from one on.
Run::Part Run::partToGoThrough(const Node& list)
{
    const Value whole = value(list);
    if (isSpan(whole)) {
        const Value from = whole.thing->items[0], size = whole.thing->items[1];
        const bool isKnown = from.isKnown && from.thing && size.isKnown && from.integer >= 0 && size.integer >= 0 && from.integer + size.integer <= std::int64_t(from.thing->size());
        return isKnown ? Part { from.thing, from.integer, size.integer } : Part {};
    }
    if (isObject(whole)) { // with begin() and end() of its own
        const Value first = askedOf(whole, "begin"), last = askedOf(whole, "end");
        if (first.kind == Kind::Pointer && first.thing && first.thing->raw >= 0) // what has just been allocated
            giveType(*first.thing, first.points);
        if (const auto range = rangeOf(first, last))
            return { range->first.thing, range->first.integer, range->second.integer - range->first.integer };
        return { .iterator = isObject(first) ? copied(first) : Value {}, .end = last };
    }
    return whole.kind == Kind::Whole && whole.thing && !whole.thing->isUnknown ? Part { whole.thing } : Part {};
}

/// What an object's function of no arguments returns.
Value Run::askedOf(const Value& object, std::string_view name)
{
    const HostFunction* const function = memberFunction(*object.thing->type->declared, name, 0);
    return function ? decayed(callFunction(*function, {}, object.thing)) : Value {};
}

/// One turn of a range-for, with what stands there.
Run::Flow Run::turn(const Node& node, const Handle& list, std::int64_t place)
{
    const Node& variable = *node.kids[0]->kids[0];
    Value bound;
    if (variable.op == Op::Bindings) {
        bound = variable.flag ? list->at(place) : copied(list->at(place));
        bind(variable, bound);
    } else if (variable.isAlias) {
        slot(variable) = Value::pointer(list, place);
    } else {
        const Type* type = resolve(*variable.type);
        const Value item = copied(list->at(place));
        slot(variable) = type->shape == Type::Shape::Auto ? item : convert(item, *type);
    }
    const Flow inside = node.kids[2] ? statement(*node.kids[2]) : Flow::Next;
    if (variable.flag && variable.op == Op::Bindings && list->element && !list->element->offsets.empty()) // it was a copy
        list->set(place, bound);
    return isUp() ? Flow::Return : inside;
}

/// As `for (auto it = begin(); it != end(); ++it)`.
Run::Flow Run::forEachByIterator(const Node& node, const Value& iterator, const Value& end)
{
    const std::int64_t stepsAtFirst = m_steps;
    const Place at = temporary(iterator);
    while (!isLeaving()) {
        const auto other = byOperator(Arithmetic::NotEqual, at.value(), end), same = other ? std::nullopt : byOperator(Arithmetic::Equal, at.value(), end);
        const Value goesOn = other.value_or(same && same->isKnown ? Value::of(Kind::Bool, !same->isTrue()) : Value {});
        if (goesOn.isFalse())
            break;
        const Place item = goesOn.isKnown ? pointedAt(at.value()) : Place {};
        if (!item.thing || isPatienceUp(node, stepsAtFirst)) {
            forgetChanged(node);
            break;
        }
        const Flow inside = turn(node, item.thing, item.index);
        if (inside == Flow::Return || inside == Flow::Break)
            return inside == Flow::Break ? Flow::Next : inside;
        if (!callOperator("operator++", { { .place = at, .alone = {} } }))
            at.set(Value {});
    }
    return isLeaving() ? Flow::Return : Flow::Next;
}

Run::Flow Run::forEach(const Node& node)
{
    const Inside around(m_loops);
    const auto [list, first, count, iterator, end] = partToGoThrough(*node.kids[1]);
    if (iterator.thing)
        return forEachByIterator(node, iterator, end);
    if (!list) {
        forgetChanged(node);
        return Flow::Next;
    }
    const auto order = isUnordered(*list) ? orderOf(*list) : std::nullopt;
    if (isUnordered(*list) && !order) {
        if (node.kids[2])
            lookInto(*node.kids[2], node);
        return isLeaving() ? Flow::Return : Flow::Next;
    }
    const std::int64_t stepsAtFirst = m_steps;
    std::int64_t looked = m_steps;
    bool isCompiled = count >= 0 || order; // not those of a part
    for (auto i = std::size_t(first); i < (count >= 0 ? std::size_t(first + count) : list->size()) && !isLeaving(); ++i) {
        if (!isCompiled && m_steps - stepsAtFirst > kBeforeCompiling) {
            isCompiled = true;
            if (const auto flow = compiled(node, stepsAtFirst, Value::whole(list), std::int64_t(i)))
                return *flow;
        }
        if (m_steps - looked > m_options.steps / kShareBetweenLooks) {
            looked = m_steps;
            if (std::int64_t(i) >= first + kFewTurns && isPatienceUp(node, stepsAtFirst)) {
                forgetChanged(node);
                break;
            }
        }
        const Flow inside = turn(node, list, order && i < order->size() ? (*order)[i] : std::int64_t(i));
        if (inside == Flow::Return)
            return Flow::Return;
        if (inside == Flow::Break)
            break;
    }
    return isLeaving() ? Flow::Return : Flow::Next;
}

Run::Flow Run::choose(const Node& node)
{
    const Value chosen = value(*node.kids[0]);
    std::size_t start = 0;
    for (std::size_t i = 1; i < node.kids.size() && !isLeaving(); ++i) {
        if (node.kids[i]->op != Op::Case)
            continue;
        if (!chosen.isKnown && std::ranges::any_of(behindLabel(node, i), [&](const Node* behind) { return launches(*behind); })) {
            ++m_unsure;
            block(node, i);
            --m_unsure;
        }
        if (chosen.isKnown && caseLeadsToWanted(node, i))
            start = i;
    }
    if (!chosen.isKnown) {
        forgetChanged(node);
        return isLeaving() ? Flow::Return : Flow::Next;
    }
    const bool isWanted = start > 0;
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
        const Node& label = *node.kids[i];
        if (label.op != Op::Case || (isWanted && !caseLeadsToWanted(node, i)))
            continue;
        const bool isDefault = label.kids.empty();
        if (isDefault ? start == 0 : host::applied(Arithmetic::Equal, chosen, value(*label.kids[0])).isTrue()) {
            start = i;
            if (!isDefault)
                break;
        }
    }
    if (start == 0)
        return Flow::Next;
    const Flow inside = block(node, start);
    return inside == Flow::Break ? Flow::Next : inside;
}

Run::Flow Run::tryOut(const Node& node)
{
    const bool endsInVain = std::ranges::any_of(node.kids, [](const Node* part) { return part && part->op == Op::Catch && part->flag; });
    const bool isQuiet = !endsInVain && node.kids[0] && !launches(*node.kids[0]); // what is thrown in it is followed wherever it stands
    ++m_tries;
    m_quietTries += isQuiet;
    const Flow flow = node.kids[0] ? statement(*node.kids[0]) : Flow::Next;
    m_quietTries -= isQuiet;
    --m_tries;
    if (!m_thrown || m_isOver)
        return flow;
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
        if (!catches(node.kids[i]->name, *m_thrown))
            continue;
        const std::string_view outer = std::exchange(m_caught, *std::exchange(m_thrown, std::nullopt));
        const Flow inside = node.kids[i]->kids[0] ? statement(*node.kids[i]->kids[0]) : Flow::Next;
        m_caught = outer;
        return inside;
    }
    return Flow::Return;
}

/// By the names of classes. `caught` empty: all of them.
bool Run::catches(std::string_view caught, std::string_view thrown) const
{
    const HostProgram& program = m_parser.program();
    if (caught.empty() || program.derives(thrown, caught))
        return true;
    if (const HostClass* const own = program.classNamed(thrown))
        return std::ranges::any_of(own->foreign, [&](const std::string& base) { return catches(caught, base); });
    if (caught == "exception")
        return thrown.ends_with("_error") || thrown.ends_with("exception") || isAmong(thrown, { "out_of_range", "invalid_argument", "bad_alloc" });
    if (caught == "runtime_error")
        return isAmong(thrown, { "range_error", "overflow_error", "underflow_error", "system_error" });
    return caught == "logic_error" && isAmong(thrown, { "out_of_range", "invalid_argument", "domain_error", "length_error" });
}

void Run::declare(const Node& variable)
{
    if (variable.op != Op::Variable)
        return;
    if (variable.flag && !m_declared.insert(&variable).second) // static
        return;
    const Node* const init = variable.kids[0];
    if (variable.isAlias) {
        m_returnedPlace = {};
        Value made = init && !stands(*init) ? value(*init) : Value {};
        Place target = init && stands(*init) ? place(*init) : std::exchange(m_returnedPlace, {}); // of a function that returns a reference
        if (!target.thing)
            target = temporary(std::move(made));
        slot(variable) = target.pointer();
        return;
    }
    const Type* const type = declaredType(variable);
    if (init && type->isAddress()) // int* p = (int*)malloc(sizeof(*p));
        slot(variable) = initial(*type);
    Value made = initialValue(*type, variable);
    slot(variable) = given(variable.name, std::move(made));
}

const Type* Run::declaredType(const Node& variable)
{
    const Node* const init = variable.kids[0];
    const Type* type = resolve(*variable.type);
    for (std::size_t i = variable.kids.size(); i-- > 1;) { // int a[2][3]
        const Value extent = variable.kids[i] ? value(*variable.kids[i]) : Value::unknown(Kind::I64);
        Type array { .shape = Type::Shape::Array, .kind = Kind::Whole, .element = type };
        array.count = extent.isKnown ? extent.asInteger() : -1;
        if (!extent.isKnown && !variable.kids[i] && init && init->op == Op::List)
            array.count = std::int64_t(argumentCount(init->kids, 0));
        else if (!extent.isKnown && !variable.kids[i] && init && type->isPlain() && type->kind == Kind::I8)
            if (const auto text = textOf(value(*init))) // char word[] = "card"
                array.count = std::int64_t(text->size()) + 1;
        type = intern(std::move(array));
    }
    return type;
}

/// `auto [a, b] = pair;`
void Run::bind(const Node& bindings, const Value& value)
{
    for (std::size_t i = 0; i < bindings.slots.size(); ++i) {
        Node variable { .op = Op::Local };
        variable.slot = bindings.slots[i];
        const bool isThere = value.kind == Kind::Whole && value.thing && i < value.thing->size();
        slot(variable) = !isThere ? Value {} : bindings.flag ? Value::pointer(value.thing, std::int64_t(i)) : copied(value.thing->at(std::int64_t(i)));
        if (!isThere && bindings.flag)
            slot(variable) = temporary({}).pointer();
    }
}

Value Run::initialValue(const Type& type, const Node& variable)
{
    const Node* const init = variable.kids[0];
    if (!init)
        return initial(type);
    if (variable.style == Initial::Equals && init->op != Op::List) {
        const Value made = value(*init);
        if (type.shape == Type::Shape::Array && type.element->isPlain() && type.element->kind == Kind::I8)
            if (const auto text = textOf(made); text && std::int64_t(text->size()) <= type.count) {
                Value array = Value::whole(newThing(&type, type.element, type.count, Value::of(Kind::I8, 0)));
                if (!array.thing->isUnknown)
                    std::ranges::copy(*text, array.thing->bytes.begin());
                return array;
            }
        return type.shape == Type::Shape::Auto ? (made.thing && made.kind == Kind::Whole && made.thing->owners > 1 ? copied(made) : made) : convert(made, type);
    }
    if (type.shape == Type::Shape::Auto)
        return init->kids.empty() ? Value {} : value(*init->kids[0]);
    return construct(type, variable.style == Initial::Brackets ? argumentValues(init->kids) : valuesOf(init->kids), variable.style != Initial::Brackets);
}

} // namespace coalescope::kernels::host
