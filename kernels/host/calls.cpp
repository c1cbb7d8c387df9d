// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/run.h"

#include <algorithm>

namespace coalescope::kernels::host {
namespace {

constexpr int kDeepestCall = 200;
constexpr std::int64_t kStepsOfACall = 25; ///< that take as long as making a function's variables

} // namespace

Run::Place Run::temporary(Value value)
{
    Thing* cell = new Thing;
    cell->items.push_back(std::move(value));
    return { Handle(cell), 0 };
}

/// Of a list in braces, from the first to the last, as C++ has it.
std::vector<Value> Run::valuesOf(const std::vector<const Node*>& nodes)
{
    std::vector<Value> values;
    values.reserve(nodes.size());
    if (!hasPacks(nodes)) {
        for (const Node* node : nodes)
            values.push_back(value(*node));
        return values;
    }
    for (const Given& given : givenBy(nodes, 0))
        values.push_back(withPack(given, [&](const Node& node) { return value(node); }));
    return values;
}

/// Of a call, from the last to the first: C++ leaves it open, and so does the compiler that nvcc gives host code to.
/// Source: what GCC 12 makes of f(a(), b()) on x86-64.
std::vector<Value> Run::argumentValues(const std::vector<const Node*>& nodes, std::size_t first)
{
    return fromLast<Value>(nodes, first, [&](const Node& node, std::size_t) { return value(node); });
}

/// Of a parameter that is a reference with the place that it stands at; nowhere: nobody knows what it is.
Run::Argument Run::argumentOf(const Node& node, bool isAlias)
{
    return stands(node) && isAlias ? Argument { .place = place(node), .alone = {} } : Argument { .place = {}, .alone = value(node) };
}

std::vector<Run::Argument> Run::argumentsOf(const std::vector<const Node*>& nodes, std::size_t first, const std::vector<bool>& areAliases)
{
    const auto isAlias = [&](std::size_t i) { return i >= areAliases.size() || areAliases[i]; };
    return fromLast<Argument>(nodes, first, [&](const Node& node, std::size_t i) { return argumentOf(node, isAlias(i)); });
}

Run::Place Run::placeOf(const Argument& argument)
{
    return argument.place.thing ? argument.place : temporary(argument.alone);
}

/// What a reference refers to: of a string that is given a literal, a std::variant that is given one of its types, or whatever is given braces, one made of it.
Run::Place Run::asParameter(const Place& given, const TypeName& type)
{
    const bool isLiteral = isAmong(type.name, { "string", "string_view" }) && given.value().kind != Kind::Whole;
    if (isLiteral)
        return temporary(constructString({ given.value() }));
    const Type* const wanted = type.isAuto ? nullptr : resolve(type);
    if (!wanted)
        return given;
    const Value value = given.value();
    const bool isOpen = wanted->shape == Type::Shape::Other || (wanted->element && wanted->element->shape == Type::Shape::Other);
    if (isList(value) && !isOpen)
        return temporary(ofList(*wanted, *value.thing));
    const bool isOther = wanted->shape == Type::Shape::Variant && typeOf(value) != wanted;
    return isOther ? temporary(variantOf(*wanted, value)) : given;
}

void Run::forgetArguments(const std::vector<Argument>& arguments)
{
    for (const Argument& argument : arguments)
        if (const Value held = argument.value(); held.thing && held.kind == Kind::Function)
            forgetCaptured(*held.thing);
        else if (held.thing)
            held.thing->forget();
}

const HostFunction* Run::memberFunction(const HostClass& type, std::string_view name, std::size_t arguments) const
{
    const auto found = std::ranges::find_if(type.functions, [&](const HostFunction* function) { return function->name == name && function->takes(arguments); });
    if (found != type.functions.end() || type.bases.empty())
        return found == type.functions.end() ? nullptr : *found;
    const std::vector<const HostFunction*> functions = overloads(type, name, arguments);
    return functions.empty() ? nullptr : functions[0];
}

/// Of a name that several functions have, those that take so many arguments.
std::vector<const HostFunction*> Run::overloads(const HostClass& type, std::string_view name, std::size_t arguments) const
{
    std::vector<const HostFunction*> found = m_parser.program().functionsOf(type, name);
    std::erase_if(found, [&](const HostFunction* function) { return !function->takes(arguments); });
    return found;
}

/// The one whose parameters suit what is given best, by what is a number, a pointer or an object; of equals the first. Null: there is none.
const HostFunction* Run::bestOf(const std::vector<const HostFunction*>& functions, const std::vector<Argument>& arguments)
{
    const HostFunction* best = nullptr;
    int most = 0;
    for (const HostFunction* function : functions) {
        const Body& body = m_parser.bodyOf(*function);
        int score = 0;
        for (std::size_t i = 0; functions.size() > 1 && i < arguments.size() && i < body.parameters.size(); ++i)
            score += suits(body.parameters[i], arguments[i].value());
        if (!best || score > most) {
            best = function;
            most = score;
        }
    }
    return best;
}

/// 2: as it is; 0: nobody knows; below: it does not.
int Run::suits(const TypeName& parameter, const Value& given) const
{
    constexpr int kWell = 2, kNotAtAll = -4;
    const bool isOfNumber = parameter.pointers == 0 && isPlainName(parameter.name);
    const bool isOfList = parameter.pointers == 0 && (parameter.isOfLibrary || !m_parser.program().classNamed(parameter.name)) && isAmong(parameter.name, { "vector", "host_vector", "device_vector", "array", "initializer_list", "string", "span" });
    const Type* const held = given.thing && given.kind == Kind::Whole ? given.thing->type : nullptr;
    if (isNumber(given.kind)) // 0 may be a null pointer
        return isOfNumber ? kWell : isOfList || parameter.pointers > 0 ? kNotAtAll : 0;
    if (given.kind == Kind::Pointer && parameter.pointers == 0 && parameter.name == "string")
        return kWell / 2;
    if (given.kind == Kind::Pointer || (held && held->shape == Type::Shape::Array && parameter.pointers > 0))
        return parameter.pointers > 0 ? kWell : isOfNumber || isOfList ? kNotAtAll : 0;
    if (!held)
        return 0;
    const bool isSameClass = held->declared && m_parser.program().derives(held->declared->name, parameter.name);
    const bool isSameList = isOfList && (held->shape == Type::Shape::Vector || held->name == parameter.name || (held->shape == Type::Shape::Array && parameter.name == "span"));
    return parameter.pointers > 0 || isOfNumber ? kNotAtAll : isSameClass || isSameList ? kWell : isOfList ? kNotAtAll : 0;
}

/// Which function a call is of, where it is one of the program's: the same each time.
void Run::findCallee(const Node& node) const
{
    const std::size_t count = argumentCount(node.kids, 0);
    const bool isOfAnyCount = std::ranges::any_of(node.kids, [&](const Node* kid) { return kid->op == Op::Expand && !packIn(*kid); });
    node.function = nullptr;
    node.isOverloaded = false;
    const HostClass* const own = m_scanned ? *m_scanned : m_frame->ofClass;
    if (own && !node.ofClass && own->virtuals.contains(node.name)) {
        node.callee = Node::Callee::Virtual;
        return;
    }
    if (node.ofClass)
        node.function = memberFunction(*node.ofClass, node.name, count);
    else if (own)
        node.function = memberFunction(*own, node.name, count);
    const bool isStatic = node.ofClass && !(own && m_parser.program().derives(own->name, node.ofClass->name));
    node.callee = !node.function ? Node::Callee::Runtime : isStatic ? Node::Callee::Function : Node::Callee::Member;
    if (node.function)
        return;
    for (const HostFunction* known : m_parser.program().functionsNamed(node.name, node.scope)) {
        if (!(isOfAnyCount || known->takes(count)) || !m_parser.bodyOf(*known).block)
            continue;
        node.isOverloaded = node.isOverloaded || (node.function && (node.function->parameters.size() == count) == (known->parameters.size() == count));
        if (!node.function || known->parameters.size() == count)
            node.function = known;
    }
    if (node.function)
        node.callee = Node::Callee::Function;
}

/// Null: it is none of the program's, or nobody knows of what class the object is.
const HostFunction* Run::functionOf(const Node& call) const
{
    if (call.callee == Node::Callee::NotYet || call.flag)
        findCallee(call);
    if (call.callee != Node::Callee::Virtual)
        return call.function;
    const HostClass* const made = m_frame->self && m_frame->self->type ? m_frame->self->type->declared : nullptr;
    const HostClass* const real = m_frame->madeFor ? m_frame->madeFor : made;
    return real ? memberFunction(*real, call.name, argumentCount(call.kids, 0)) : nullptr;
}

Value Run::callOverloaded(const Node& node)
{
    std::vector<const HostFunction*> functions;
    for (const HostFunction* known : m_parser.program().functionsNamed(node.name, node.scope))
        if (known->takes(argumentCount(node.kids, 0)) && m_parser.bodyOf(*known).block)
            functions.push_back(known);
    const std::vector<Argument> arguments = argumentsOf(node.kids, 0, {});
    return callFunction(*bestOf(functions, arguments), arguments, {}, &node);
}

/// A call of the library's with what its arguments are, worked out from the last to the first, which `made` holds.
const Node& Run::inOrder(const Node& call, std::size_t first, std::deque<Node>& made)
{
    if (call.kids.size() < first + 2 || !isOrderOfMatter(call, first) || hasPacks(call.kids))
        return call;
    Node& ordered = made.emplace_back(call);
    for (std::size_t i = call.kids.size(); i-- > first;) {
        const Node& argument = *call.kids[i];
        if (!hasEffects(argument))
            continue;
        const Place at = stands(argument) ? place(argument) : Place {};
        const bool isPlace = at.thing && at.part < 0;
        Node& worked = made.emplace_back();
        worked.op = Op::Constant;
        worked.constant = isPlace ? at.pointer() : at.thing ? at.value() : value(argument);
        ordered.kids[i] = &worked;
        if (isPlace) {
            Node& pointed = made.emplace_back();
            pointed.op = Op::Dereference;
            pointed.kids = { &worked };
            ordered.kids[i] = &pointed;
        }
    }
    return ordered;
}

Value Run::call(const Node& node)
{
    const HostFunction* const function = functionOf(node);
    if (node.isOverloaded)
        return callOverloaded(node);
    if (function)
        return callFunction(*function, argumentsOf(node.kids, 0, m_parser.bodyOf(*function).areAliases),
            node.callee != Node::Callee::Function ? m_frame->self : Handle {}, &node);
    if (node.callee == Node::Callee::Virtual && m_frame->self)
        m_frame->self->forget();
    std::deque<Node> made;
    const Node& ordered = inOrder(node, 0, made);
    if (node.callee == Node::Callee::Runtime) {
        if (const auto known = callRuntime(node.name, ordered))
            return *known;
        node.callee = Node::Callee::Library;
    }
    if (const auto known = callLibrary(node.name, ordered)) {
        m_returnedPlace = {}; // an argument may have left one
        return *known;
    }
    argumentValues(ordered.kids); // for what they do: g(i++), g(rand())
    for (const Node* argument : node.kids)
        forgetArgument(*argument);
    return {};
}

/// Of a function that is called from here: its variables, but for its parameters, and what its template's parameters are.
/// `call`: has the template's arguments, where they are given.
std::shared_ptr<Frame> Run::frameOf(const HostFunction& function, const Handle& self, const Node* call)
{
    const Body& body = m_parser.bodyOf(function);
    auto frame = std::make_shared<Frame>();
    frame->variables = Handle(new Thing);
    frame->variables->items.resize(std::size_t(body.slots));
    frame->self = self;
    frame->ofClass = function.ofClass.empty() ? nullptr : m_parser.program().classNamed(function.ofClass);
    frame->returnsPlace = body.returns.isReference;
    frame->isMain = function.name == "main" && m_depth == 0;
    if (self)
        frame->madeFor = function.name == function.ofClass ? frame->ofClass : self.get() == m_frame->self.get() ? m_frame->madeFor : nullptr;
    std::map<std::string, std::int64_t, std::less<>> values;
    if (self && self->type) {
        frame->bound = self->type->bound;
        values = self->type->boundValues;
    }
    for (std::size_t i = 0; call && i < function.ofTemplate.size() && i < call->types.size(); ++i) {
        const HostParameter& parameter = function.ofTemplate[i];
        const auto slot = std::ranges::find(body.ofTemplate, parameter.name, &std::pair<std::string, int>::first);
        if (parameter.isPack && slot != body.ofTemplate.end()) {
            frame->variables->items[std::size_t(slot->second)] = packOf(templateValues(call->types, call->values, i));
            break;
        }
        if (parameter.isType)
            frame->bound[parameter.name] = resolve(call->types[i]);
        else if (call->values[i])
            if (const Value bound = value(*call->values[i]); bound.isKnown)
                values[parameter.name] = bound.asInteger();
    }
    for (const auto& [name, slot] : body.ofTemplate)
        if (const auto bound = values.find(name); bound != values.end())
            frame->variables->items[std::size_t(slot)] = Value::of(Kind::I32, bound->second);
    frame->boundValues = std::move(values);
    return frame;
}

/// Whether a recursion may never end.
bool Run::isLost(const void* recursive) const
{
    constexpr std::int64_t kMostUnknown = 200; ///< branches of which nobody knows whether they are taken
    const auto known = m_running.find(recursive);
    return known != m_running.end() && known->second.depth > 0 && m_unknownBranches - known->second.unknownBranches > kMostUnknown;
}

Value Run::callFunction(const HostFunction& function, const std::vector<Argument>& arguments, Handle self, const Node* call)
{
    if (m_thrown) // what it is given could not be made
        return {};
    const Body& body = m_parser.bodyOf(function);
    Running& running = m_running[&function];
    if (!body.block || m_depth >= kDeepestCall || isLost(&function) || isUp()) {
        forgetArguments(arguments);
        if (self)
            self->forget();
        return {};
    }
    m_steps += kStepsOfACall;
    if (running.depth++ == 0)
        running.unknownBranches = m_unknownBranches;
    const auto outer = m_frame;
    const auto frame = frameOf(function, self, call);
    ++m_depth;
    m_frame = frame;
    for (std::size_t i = 0; i < body.parameters.size(); ++i) {
        const TypeName& parameter = body.parameters[i];
        Value& variable = frame->variables->items[i];
        if (body.takesPack && i + 1 == body.parameters.size()) {
            Value rest = packOf(arguments, i, parameter);
            frame->variables->items[i] = std::move(rest);
            bindTypes(body.ofTemplate, parameter, arguments, i);
            continue;
        }
        if (i < arguments.size())
            unify(function.ofTemplate, body.ofTemplate, parameter, arguments[i].value());
        if (parameter.isReference) {
            const Place at = i < arguments.size() ? placeOf(arguments[i]) : temporary(body.defaults[i] ? value(*body.defaults[i]) : Value {});
            variable = asParameter(at, parameter).pointer();
            continue;
        }
        const Type* type = resolve(parameter);
        const Value made = i < arguments.size() ? arguments[i].value() : body.defaults[i] ? value(*body.defaults[i]) : Value {};
        Value taken = type->shape == Type::Shape::Auto ? copied(made) : convert(made, *type);
        frame->variables->items[i] = given(function.parameters[i].name, std::move(taken));
    }
    bindDefaults(body);
    if (self && frame->ofClass && function.name == function.ofClass)
        constructMembers(self, *frame->ofClass, body);
    m_returned = {};
    Place returnedPlace;
    const Node* const lambda = std::exchange(m_lambda, nullptr);
    statement(*body.block);
    m_lambda = lambda;
    Value returned = std::exchange(m_returned, {});
    if (body.returns.isReference && m_returnedPlace.thing)
        returnedPlace = m_returnedPlace;
    else if (!body.returns.isAuto)
        if (const Type* type = resolve(body.returns); type->shape != Type::Shape::Other)
            returned = convert(returned, *type);
    frame->madeFor = nullptr; // lambdas may still see it
    m_frame = outer;
    --m_depth;
    --running.depth;
    m_returnedPlace = returnedPlace;
    return returned;
}

/// What the parameters of a function's template are that nothing else has told.
void Run::bindDefaults(const Body& body)
{
    for (const auto& [name, type] : body.defaultTypes)
        if (!m_frame->bound.contains(name))
            m_frame->bound[name] = resolve(type);
    for (const auto& [slot, otherwise] : body.defaultValues)
        if (m_frame->variables->items[std::size_t(slot)].kind == Kind::None)
            m_frame->variables->items[std::size_t(slot)] = value(*otherwise);
}

/// T::kConstant, where T is known by now.
Value Run::staticOf(const Node& node)
{
    const Type& type = *resolve(*node.type);
    const HostClass* const declared = type.declared;
    const auto found = declared ? std::ranges::find(declared->statics.rbegin(), declared->statics.rend(), node.name, &HostParameter::name) : std::vector<HostParameter>::const_reverse_iterator {};
    const Node* const constant = declared && found != declared->statics.rend() ? m_parser.memberValue(*declared, *found) : nullptr; // its own stand behind its bases'
    if (!constant || m_depth >= kDeepestCall)
        return {};
    const auto outer = std::exchange(m_frame, std::make_shared<Frame>());
    ++m_depth;
    m_frame->variables = Handle(new Thing);
    m_frame->ofClass = declared;
    m_frame->bound = type.bound;
    m_frame->boundValues = type.boundValues;
    const Type* const of = resolve(m_parser.memberType(*declared, *found));
    Value made = of->isPlain() ? convert(value(*constant), *of) : value(*constant);
    --m_depth;
    m_frame = outer;
    return made;
}

/// T::function(), likewise: of an object of which nothing is known but its type.
Value Run::callStatic(const Node& node)
{
    const Type& type = *resolve(*node.type);
    const auto functions = type.declared ? overloads(*type.declared, node.name, argumentCount(node.kids, 0)) : std::vector<const HostFunction*> {};
    const std::vector<Argument> arguments = argumentsOf(node.kids, 0, functions.size() == 1 ? m_parser.bodyOf(*functions[0]).areAliases : std::vector<bool> {});
    if (functions.empty()) {
        forgetArguments(arguments);
        return {};
    }
    const Handle object(new Thing);
    object->type = &type;
    object->isUnknown = true;
    return callFunction(*bestOf(functions, arguments), arguments, object, nullptr);
}

Value Run::callLambda(Thing& closure, const std::vector<Argument>& arguments)
{
    if (m_thrown)
        return {};
    const auto isItsOwn = [&](const Argument& argument) { // a variable of its own, which the call would overwrite
        const Place& at = argument.place;
        return at.thing && closure.frame && at.thing.get() == closure.frame->variables.get() && closure.code->firstSlot <= at.index && at.index < closure.code->lastSlot;
    };
    if (!closure.code || !closure.frame || m_depth >= kDeepestCall || isUp() || (closure.isRunning && (std::ranges::any_of(arguments, isItsOwn) || isLost(closure.code)))) {
        forgetArguments(arguments);
        return {};
    }
    const Node& node = *closure.code;
    const auto outer = m_frame;
    m_frame = closure.frame;
    const auto bound = node.ofTemplate ? m_frame->bound : decltype(m_frame->bound) {};
    const bool isAgain = std::exchange(closure.isRunning, true); // by itself
    Running& running = m_running[&node];
    if (running.depth++ == 0)
        running.unknownBranches = m_unknownBranches;
    const bool returnsPlace = std::exchange(m_frame->returnsPlace, node.flag); // the function's around it
    ++m_depth;
    if (m_frame->variables && m_frame->variables->items.size() < std::size_t(node.lastSlot))
        m_frame->variables->items.resize(std::size_t(node.lastSlot));
    for (std::size_t i = 0; node.ofTemplate && i < std::min(arguments.size(), node.types.size()); ++i)
        unify(*node.ofTemplate, node.templateSlots, node.types[i], arguments[i].value(), true);
    std::vector<Value> given;
    for (std::size_t i = 0; i < node.slots.size(); ++i) {
        if (node.takesPack && i + 1 == node.slots.size()) {
            given.push_back(packOf(arguments, i, node.types[i]));
            bindTypes(node.templateSlots, node.types[i], arguments, i);
        } else if (node.areAliases[i]) {
            given.push_back(asParameter(i < arguments.size() ? placeOf(arguments[i]) : temporary({}), node.types[i]).pointer());
        } else {
            const Type* type = resolve(node.types[i]);
            const Value made = i < arguments.size() ? arguments[i].value() : Value {};
            given.push_back(type->shape == Type::Shape::Auto ? copied(made) : convert(made, *type));
        }
    }
    std::vector<Value>& variables = m_frame->variables->items;
    std::vector<Value> before;
    if (isAgain)
        before.assign(variables.begin() + node.firstSlot, variables.begin() + node.lastSlot);
    for (std::size_t i = 0; i < node.slots.size(); ++i)
        variables[std::size_t(node.slots[i])] = std::move(given[i]);
    m_returned = {};
    m_returnedPlace = {};
    const auto swapCaptured = [&] { // what the variables around it are by now stays theirs
        for (auto& [slot, copy] : closure.captured)
            std::swap(copy, m_frame->variables->items[std::size_t(slot)]);
    };
    if (!isAgain)
        swapCaptured();
    const Node* const outerLambda = std::exchange(m_lambda, &node);
    statement(*node.kids.back());
    m_lambda = outerLambda;
    if (!isAgain)
        swapCaptured();
    closure.frame->returnsPlace = returnsPlace;
    closure.isRunning = isAgain;
    if (isAgain)
        std::ranges::move(before, m_frame->variables->items.begin() + node.firstSlot);
    if (node.ofTemplate)
        closure.frame->bound = bound;
    --running.depth;
    --m_depth;
    m_frame = outer;
    if (!node.flag)
        m_returnedPlace = {};
    return std::exchange(m_returned, {});
}

Value Run::callObject(const Value& object, const std::vector<Argument>& arguments)
{
    if (isAny(object)) { // one of several: as if it were each of them
        for (const Value& function : object.thing->items)
            callObject(function, arguments);
        forgetArguments(arguments);
        forgetCaptured(*object.thing);
        return {};
    }
    if (isFunctionObject(object))
        return callFunctionObject(object, arguments);
    if (object.kind == Kind::Function && object.thing && object.thing->type)
        if (const Value* const chosen = bestOf(object.thing->items, arguments))
            return callObject(*chosen, arguments);
    if (object.kind == Kind::Function && object.thing && object.thing->code) {
        if (object.thing->code->op == Op::Lambda)
            return callLambda(*object.thing, arguments);
        for (const HostFunction* function : m_parser.program().functionsNamed(object.thing->code->name, object.thing->code->scope))
            if (function->takes(arguments.size()))
                return callFunction(*function, arguments, {}, nullptr);
    }
    if (object.kind == Kind::Whole && object.thing && object.thing->type) {
        const Type& type = *object.thing->type;
        if (type.shape == Type::Shape::Engine && arguments.empty())
            return drawRaw(*object.thing);
        if (type.shape == Type::Shape::Distribution && arguments.size() == 1)
            if (const Value engine = arguments[0].value(); engine.thing)
                return draw(*object.thing, *engine.thing);
        if (type.declared)
            if (const HostFunction* function = bestOf(overloads(*type.declared, "operator", arguments.size()), arguments))
                return callFunction(*function, arguments, object.thing, nullptr);
    }
    forgetArguments(arguments);
    return {};
}

Value Run::callValue(const Node& node)
{
    const Value callee = value(*node.kids[0]);
    const bool isLambda = callee.kind == Kind::Function && callee.thing && callee.thing->code && callee.thing->code->op == Op::Lambda;
    return callObject(callee, argumentsOf(node.kids, 1, isLambda ? callee.thing->code->areAliases : std::vector<bool> {}));
}

Value Run::callUser(const Value& callee, const std::vector<Value>& arguments)
{
    std::vector<Argument> given;
    for (const Value& argument : arguments)
        given.push_back({ .place = {}, .alone = argument });
    return callObject(callee, given);
}

/// The size of a vector of numbers, and one more at its end: what loops are made of.
std::optional<Value> Run::callOften(const Node& node)
{
    std::int64_t first = 0;
    const bool isSize = node.name == "size" && node.kids.size() == 1, isPush = node.name == "push_back" && node.kids.size() == 2;
    Thing* array = (isSize || isPush) && !node.flag ? arrayOf(*node.kids[0], first) : nullptr;
    if (!array || !array->type || array->type->shape != Type::Shape::Vector || first != 0)
        return std::nullopt;
    if (isSize)
        return Value::of(Kind::U64, std::int64_t(array->size()));
    const Handle held(array);
    const Number item = number(*node.kids[1]);
    const Value other = item.isOther ? std::exchange(m_other, {}) : Value {};
    const Number made = item.isOther ? Number { .kind = array->element->kind } : converted(item, array->element->kind);
    const auto at = std::int64_t(array->size());
    array->bytes.resize(array->bytes.size() + std::size_t(bytesOf(array->element->kind)));
    m_allocated += bytesOf(array->element->kind);
    if (made.isKnown && array->unknown.empty())
        write(*array, at, made);
    else
        array->set(at, valueOf(made));
    return Value {};
}

Value Run::callMember(const Node& node)
{
    const std::size_t count = argumentCount(node.kids, 1);
    if (const auto known = callOften(node))
        return *known;
    const Place at = placeOfObject(node);
    const bool isPointer = !node.flag && at.value().kind == Kind::Pointer; // a smart one
    if (isPointer)
        if (const auto known = callPointer(node.name, at, node))
            return *known;
    if (const auto known = callStream(at, node))
        return *known;
    const Handle object = objectAt(at);
    if (!object) {
        argumentValues(node.kids, 1);
        forgetPlace(*node.kids[0]);
        for (std::size_t i = 1; i < node.kids.size(); ++i)
            forgetArgument(*node.kids[i]);
        return {};
    }
    if (const HostClass* declared = object->type ? object->type->declared : nullptr) {
        if (const auto functions = overloads(*declared, node.name, count); !functions.empty()) {
            const std::vector<Argument> arguments = argumentsOf(node.kids, 1, functions.size() == 1 ? m_parser.bodyOf(*functions[0]).areAliases : std::vector<bool> {});
            Value made = callFunction(*bestOf(functions, arguments), arguments, object, &node);
            if (at.thing && at.thing->element && !at.thing->element->offsets.empty()) // it was a copy
                at.set(Value::whole(object));
            return made;
        }
        if (const int member = memberIndex(object->type, object->items.size(), node); member >= 0) // a lambda, or an object that can be called
            return callObject(object->at(member), argumentsOf(node.kids, 1, {}));
    }
    if (const int part = object->element ? -1 : memberIndex(object->type, object->items.size(), node); part >= 0 && object->at(part).kind == Kind::Function) // pair.second()
        return callObject(object->at(part), argumentsOf(node.kids, 1, {}));
    std::deque<Node> made;
    const Node& ordered = inOrder(node, 1, made);
    if (isSpan(Value::whole(object)))
        if (const auto known = callSpan(node.name, object, ordered))
            return *known;
    if (object->type && object->type->shape == Type::Shape::Variant)
        if (const auto known = callOfVariant(node.name, *object, ordered))
            return *known;
    if (isMap(Value::whole(object)))
        if (const auto known = callMap(node.name, *object, ordered))
            return *known;
    if (const auto known = callContainer(node.name, *object, ordered))
        return *known;
    argumentValues(ordered.kids, 1);
    object->forget();
    return {};
}

} // namespace coalescope::kernels::host
