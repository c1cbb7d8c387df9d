// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/host_buffer.h"
#include "kernels/host/parser.h"
#include "kernels/source/module_variables.h"

#include <array>
#include <deque>
#include <functional>
#include <type_traits>
#include <unordered_map>
#include <set>
#include <span>
#include <stop_token>

namespace coalescope::kernels::host {

/// What a function sees while it runs.
struct Frame {
    Handle variables;
    Handle self; ///< the object whose member runs; none: of no class
    const HostClass* ofClass = nullptr;
    const HostClass* madeFor = nullptr; ///< by what class's constructor `self` is being made: virtual functions are this class's; null: it is made
    std::map<std::string, const Type*, std::less<>> bound; ///< parameters of templates that are types
    std::map<std::string, std::int64_t, std::less<>> boundValues; ///< ... that are numbers
    bool isMain = false;
    bool returnsPlace = false; ///< a reference
};

/// Whether a function of the runtime or the library neither gives a value nor changes one that matters.
[[nodiscard]] bool isHarmless(std::string_view name);

/// A variable of the GPU's, as a launch finds it.
struct ReachedVariable {
    std::string name;
    Handle memory;
    bool isWritten = false; ///< the kernel may write to it
};

/// A launch as it is come to: what its arguments are.
struct ReachedLaunch {
    int place = 0; ///< which one of the program's, in the order of the text, from 1 on
    std::string kernel;
    std::vector<std::string> ofTemplate; ///< its template's arguments, as far as they are given
    std::vector<std::string> types; ///< of a template's kernel: of its arguments, as C++ writes them, empty where they are not known
    const std::vector<Value>& arguments;
    const std::vector<Value>& configuration; ///< grid, block, shared memory; fewer where it is not given
    const std::vector<ReachedVariable>& variables; ///< that the kernel names
    bool isOfMany = false; ///< the place may launch other kernels, too, of the same template or by a pointer
    bool isBehindRead = false; ///< before it, host code has read what a launch may have written, and no real numbers
    bool isUnsure = false; ///< nobody knows whether it is made
};

/// Executes host code from main on. What it does not understand makes what it may have changed unknown; a branch whose condition is not known
/// is not taken, and what it would have changed becomes unknown, too. Nothing is ever run natively. Work and memory are bounded.
class Run {
public:
    struct Options {
        std::vector<HostNumber> given;
        std::function<bool(const ReachedLaunch&)> reached; ///< false: no more is asked for
        std::function<std::vector<ModuleVariable>(std::string_view kernel)> variablesOf = {}; ///< none: of no kernel
        std::function<void(Thing&, bool isWritten)> touched = {}; ///< memory of the GPU's is about to be copied from, or written to; none: nobody knows what launches leave
        std::function<std::optional<int>(const std::string& kernel)> registersOf = {}; ///< of a thread's of a kernel; none: nobody knows
        std::stop_token stop = {};
        std::int64_t steps = 0; ///< that may be taken
        bool areFilesAbsent = false; ///< that are read; otherwise nobody knows what is in them
        std::optional<int> wanted = {}; ///< a launch's place: branches that lead to it are taken in place of others
    };
    Run(Parser& parser, Options options);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    void run();
    [[nodiscard]] const std::set<std::string>& numbersRead() const { return m_read; } ///< of those given, and what their names are
    [[nodiscard]] std::int64_t stepsTaken() const { return m_steps; }
    [[nodiscard]] int leftLoop() const { return m_leftLoop; } ///< the line of the first that took too long to be followed; 0: none did
    [[nodiscard]] bool hasReadBack() const { return m_hasReadBack; } ///< what a launch may have written, and no real numbers
    [[nodiscard]] bool hasAskedForFile() const { return m_hasAskedForFile; }
    [[nodiscard]] bool needsFiles() const { return m_hasAskedForFile && !m_hasLaunched && m_steps < m_options.steps; } ///< as they are absent, nothing is launched
    [[nodiscard]] std::set<int> launchedByMain(); ///< places of launches that it may come to
    [[nodiscard]] const Type* typeOf(const Value& value);
    void giveType(Thing& thing, const Type* element); ///< to memory that has none

private:
    class LoopCompiler;
    enum class Flow : std::uint8_t { Next, Break, Continue, Return };
    struct Place {
        Handle thing;
        std::int64_t index = 0;
        int part = -1; ///< of an element that is kept as bytes: one of its members
        [[nodiscard]] Value value() const { return !thing ? Value {} : part >= 0 ? thing->partAt(index, part) : thing->at(index); }
        void set(const Value& value) const { part >= 0 ? thing->setPart(index, part, value) : thing->set(index, value); }
        [[nodiscard]] Value pointer() const
        {
            if (thing && part < 0)
                return Value::pointer(thing, index);
            if (thing) // what is written through it would not be followed
                thing->forget(true);
            return Value::unknown(Kind::Pointer);
        }
    };
    /// Of a call: where it stands, or its value alone.
    struct Argument {
        Place place;
        Value alone;
        [[nodiscard]] Value value() const { return place.thing ? place.value() : alone; }
    };

    // run.cpp: statements, variables
    Flow statement(const Node& node);
    Flow block(const Node& node, std::size_t first = 0);
    [[nodiscard]] bool goesWithFunction(const Node& node) const;
    Flow branch(const Node& node);
    void lookInto(const Node& code, const Node& all);
    [[nodiscard]] std::set<int> launchedIn(const Node& code);
    [[nodiscard]] bool launches(const Node& code);
    [[nodiscard]] std::set<int> launchedBy(const HostFunction& function);
    [[nodiscard]] const HostClass* classOf(const HostFunction& function) const;
    [[nodiscard]] bool leadsToWanted(const Node& code);
    [[nodiscard]] static std::span<const Node* const> behindLabel(const Node& choice, std::size_t label);
    [[nodiscard]] bool caseLeadsToWanted(const Node& choice, std::size_t label);
    Flow loop(const Node& node);
    /// The rest of a loop, compiled; nothing: it is not.
    std::optional<Flow> compiled(const Node& loop, std::int64_t stepsAtFirst, const Value& list = {}, std::int64_t index = 0);
    struct Part {
        Handle list; ///< none: nobody knows
        std::int64_t first = 0, count = -1; ///< the latter -1: all of it
        Value iterator, end; ///< where iterators that are objects lead, instead
    };
    Part partToGoThrough(const Node& list);
    Value askedOf(const Value& object, std::string_view name);
    Flow turn(const Node& node, const Handle& list, std::int64_t place);
    Flow forEachByIterator(const Node& node, const Value& iterator, const Value& end);
    Flow forEach(const Node& node);
    Flow choose(const Node& node);
    Flow tryOut(const Node& node);
    [[nodiscard]] bool catches(std::string_view caught, std::string_view thrown) const;
    [[nodiscard]] bool isLeaving() const { return m_isOver || m_thrown; }
    void declare(const Node& variable);
    [[nodiscard]] const Type* declaredType(const Node& variable);
    void bind(const Node& bindings, const Value& value);
    Value initialValue(const Type& type, const Node& variable);
    [[nodiscard]] Value given(std::string_view name, Value value);
    [[nodiscard]] bool isUp(); ///< no more steps, or nobody waits
    [[nodiscard]] bool isPatienceUp(const Node& loop, std::int64_t stepsAtFirst, bool isCompiled = false);

    // forget.cpp: what becomes unknown
    void forget(Thing& thing, bool keepsSize = false);
    void forgetChanged(const Node& code);
    void forgetPlace(const Node& place);
    void forgetShared(const Node& call);
    void forgetSwapped(Thing& one, Thing& other);
    void forgetCaptured(const Thing& closure);
    void forgetAround(const Node& target);
    void forgetArgument(const Node& argument);
    [[nodiscard]] bool hasEffects(const Node& node) const;
    [[nodiscard]] bool isOrderOfMatter(const Node& call, std::size_t first) const;
    [[nodiscard]] bool changesOnlyReals(const Node& code, const Node& loop);
    [[nodiscard]] bool isRealPlace(const Node& place, const Node& loop);
    [[nodiscard]] bool capturesOnlyReals(const Node& callee);

    // numbers.cpp: most of what is executed
    /// A number without the rest of a Value; `isOther`: it is none, and stands in m_other.
    struct Number {
        Kind kind = Kind::None;
        bool isKnown = false, isOther = false;
        std::int64_t integer = 0;
        double real = 0;
        [[nodiscard]] bool isTrue() const { return isKnown && (isReal(kind) ? real != 0 : integer != 0); }
    };
    Number number(const Node& node);
    Number numberOf(Value value);
    [[nodiscard]] static Value valueOf(const Number& number);
    [[nodiscard]] static Number converted(const Number& number, Kind kind);
    [[nodiscard]] static Number applied(Arithmetic operation, const Number& a, const Number& b);
    Number binary(const Node& node);
    Number element(const Node& node);
    Number assigned(const Node& node);
    Thing* arrayOf(const Node& base, std::int64_t& first); ///< of numbers, each of which is known; null: it is none
    [[nodiscard]] static Number read(const Thing& array, std::int64_t index);
    static void write(Thing& array, std::int64_t index, const Number& number);
    /// Whether a condition holds; nothing: not known.
    std::optional<bool> holds(const Node& condition);

    // expressions.cpp
    Value value(const Node& node);
    Value otherValue(const Node& node); ///< of what numbers.cpp does not see to
    Place place(const Node& node);
    /// Whether it names a place, rather than making a value.
    [[nodiscard]] static bool stands(const Node& node)
    {
        const bool isSameObject = node.op == Op::Cast && node.type->isReference && !isPlainName(node.type->name); // static_cast<Derived&>(base)
        return node.op == Op::Local || node.op == Op::Global || node.op == Op::Member || node.op == Op::Index || node.op == Op::Dereference || (isSameObject && stands(*node.kids[0]))
            || (node.op == Op::Conditional && stands(*node.kids[1]) && stands(*node.kids[2]));
    }
    Handle objectAt(const Place& place) const;
    Place placeOfMember(const Node& node);
    Place placeOfObject(const Node& node); ///< that a member is asked of
    Place elementOf(const Value& base, const Value& index);
    Place pointedAt(const Value& pointer);
    static int memberIndex(const Type* type, std::size_t members, const Node& member);
    Value assign(const Node& node);
    bool assignedByItself(const Value& object, const Value& given);
    Value increase(const Node& node);
    Value lambda(const Node& node);
    Value listOf(const Node& node);
    Value designated(const Node& node);
    [[nodiscard]] static const Node* designatorOf(const Value& value); ///< null: it has none
    Value sizeOf(const Node& node);
    Value newOf(const Node& node);
    [[nodiscard]] static std::string sourceName(const Type& type);
    [[nodiscard]] std::string sourceNameOf(const Value& argument);
    void launch(const Node& node, const Value& kernel, const std::vector<Value>& arguments, const std::vector<Value>& configuration);
    Value& slot(const Node& node)
    {
        const bool isGlobal = node.op == Op::Global || (node.op == Op::Variable && node.flag);
        std::vector<Value>& variables = isGlobal ? m_globals->items : m_frame->variables->items;
        return std::size_t(node.slot) < variables.size() ? variables[std::size_t(node.slot)] : lateSlot(variables, node.slot);
    }
    static Value& lateSlot(std::vector<Value>& variables, int slot);
    [[nodiscard]] static Value decayed(const Value& value);
    [[nodiscard]] static Value operandOf(const Value& value);
    [[nodiscard]] static Value asPointer(const Value& value); ///< also of an object, to its only one

    // types.cpp
    const Type* resolve(const TypeName& name);
    const Type* named(const TypeName& name);
    [[nodiscard]] std::optional<std::pair<const HostClass*, TypeName>> specialized(const TypeName& name);
    [[nodiscard]] bool suitsSpecial(const HostClass& own, const TypeName& wanted, const TypeName& name, std::size_t i, TypeName& made);
    const Type* typeWithin(const Type& type, std::string_view name);
    [[nodiscard]] static std::shared_ptr<Frame> frameWithin(const HostClass& declared, const Type& type);
    const Type* resolveWithin(const HostClass& declared, const Type& type, const TypeName& name);
    const Type* ofClass(const HostClass& declared, const TypeName& name, const Type* around = nullptr, std::string called = {});
    [[nodiscard]] static bool isPlainName(std::string_view name); ///< of a number
    const Type* intern(Type type);
    const Type* plain(Kind kind);
    const Type* pointerTo(const Type* element);
    const Type* vectorOf(const Type* element);
    const Type* tupleOf(std::vector<const Type*> parts, std::string name);
    Value initial(const Type& type);
    [[nodiscard]] const Type* deducedOf(const Type& type, const std::vector<Value>& arguments, bool isBraced);
    Value construct(const Type& type, std::vector<Value> arguments, bool isBraced);
    [[nodiscard]] static std::vector<Value> gathered(const Type& type, std::vector<Value> values);
    Value constructObject(const Type& type, std::vector<Value> arguments, bool isBraced = false);
    [[nodiscard]] bool takesList(const HostClass& type);
    Value convert(const Value& value, const Type& type);
    Value ofList(const Type& type, const Thing& list);
    Handle newThing(const Type* type, const Type* element, std::int64_t count, const Value& fill);
    /// Counts what is around, such as loops.
    class Inside {
    public:
        explicit Inside(int& count)
            : m_count(count)
        {
            ++m_count;
        }
        ~Inside() { --m_count; }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        int& m_count;
    };
    using TemplateSlots = std::vector<std::pair<std::string, int>>; ///< see Body::ofTemplate
    void unify(const std::vector<HostParameter>& ofTemplate, const TemplateSlots& slots, const TypeName& name, const Value& value, bool isAnew = false);
    void unifyPack(const TemplateSlots& slots, const TypeName& expanded, const Type& type, std::size_t first);
    void bindTypes(const TemplateSlots& slots, const TypeName& pack, const std::vector<Argument>& arguments, std::size_t first);
    [[nodiscard]] const Type* ownType(const TypeName& name);
    [[nodiscard]] const Type* sequenceOf(const TypeName& name);

    // calls.cpp
    Value call(const Node& node);
    void findCallee(const Node& node) const;
    [[nodiscard]] const HostFunction* functionOf(const Node& call) const;
    Value callMember(const Node& node);
    std::optional<Value> callOften(const Node& node);
    Value callValue(const Node& node);
    std::shared_ptr<Frame> frameOf(const HostFunction& function, const Handle& self, const Node* call);
    Value callFunction(const HostFunction& function, const std::vector<Argument>& arguments, Handle self, const Node* call = nullptr);
    Value callLambda(Thing& closure, const std::vector<Argument>& arguments);
    void bindDefaults(const Body& body);
    Value staticOf(const Node& node);
    Value callStatic(const Node& node);
    Value callObject(const Value& object, const std::vector<Argument>& arguments);
    Value callUser(const Value& callee, const std::vector<Value>& arguments); ///< a comparison, a generator
    Argument argumentOf(const Node& node, bool isAlias);
    std::vector<Argument> argumentsOf(const std::vector<const Node*>& nodes, std::size_t first, const std::vector<bool>& areAliases);
    Place placeOf(const Argument& argument);
    Place asParameter(const Place& given, const TypeName& type);
    void forgetArguments(const std::vector<Argument>& arguments);
    const Node& inOrder(const Node& call, std::size_t first, std::deque<Node>& made);
    std::vector<Value> valuesOf(const std::vector<const Node*>& nodes);
    std::vector<Value> argumentValues(const std::vector<const Node*>& nodes, std::size_t first = 0);
    Place temporary(Value value);
    [[nodiscard]] std::vector<const HostFunction*> overloads(const HostClass& type, std::string_view name, std::size_t arguments) const;
    [[nodiscard]] bool isLost(const void* recursive) const;
    const HostFunction* bestOf(const std::vector<const HostFunction*>& functions, const std::vector<Argument>& arguments);
    [[nodiscard]] int suits(const TypeName& parameter, const Value& given) const;
    Value callOverloaded(const Node& node);
    const HostFunction* memberFunction(const HostClass& type, std::string_view name, std::size_t arguments) const;

    // inheritance.cpp
    void bindDefault(const HostClass& declared, const HostParameter& parameter, Type& type);
    void bindTemplate(const HostClass& declared, const TypeName& name, Type& type, const Type* around);
    void inherit(const HostClass& declared, Type& type);
    void construct(const Handle& object, const HostClass& declared, std::vector<Value> values);
    void constructMembers(const Handle& object, const HostClass& declared, const Body& body);
    void constructBases(const Handle& object, const HostClass& declared, const std::function<std::vector<Value>(const HostBase&)>& given);
    Value defaultMember(const Handle& object, std::size_t member);
    [[nodiscard]] std::vector<Value> spread(const HostClass& declared, std::vector<Value> values) const;
    [[nodiscard]] static std::vector<Value> membersOf(const HostClass& declared, const Value& object);
    [[nodiscard]] static std::optional<std::size_t> indexOf(const Thing& object, std::string_view member);
    [[nodiscard]] std::optional<Value> baseOf(const Value& object, const Type& base) const;
    Value dynamicCast(const Value& pointer, const Type& type);
    [[nodiscard]] bool isOf(const Value& object, const HostClass& base) const;

    // packs.cpp
    /// One of a call's arguments, or one that a pack of them is expanded to.
    struct Given {
        const Node* node = nullptr; ///< null: nobody knows
        const Node* expanded = nullptr; ///< null: it is no pack's
        std::size_t index = 0;
    };
    [[nodiscard]] static bool isPack(const Value& value) { return value.kind == Kind::Whole && value.thing && value.thing->type && value.thing->type->isPack(); }
    [[nodiscard]] static bool hasPacks(const std::vector<const Node*>& nodes);
    [[nodiscard]] Handle packIn(const Node& expanded) const;
    [[nodiscard]] std::vector<Given> givenBy(const std::vector<const Node*>& nodes, std::size_t first) const;
    [[nodiscard]] std::size_t argumentCount(const std::vector<const Node*>& nodes, std::size_t first) const;
    /// What is made of an argument; of a pack's, while the pack's variable stands for that one.
    template <class Use> std::invoke_result_t<Use, const Node&> withPack(const Given& given, Use use);
    /// What is made of each argument with its place among them, the last one first: see argumentValues().
    template <class Made, class Use> std::vector<Made> fromLast(const std::vector<const Node*>& nodes, std::size_t first, Use use);
    Value packOf(std::vector<Value> items);
    Value packOf(const std::vector<Argument>& arguments, std::size_t first, const TypeName& type);
    std::vector<Value> templateValues(const std::vector<TypeName>& types, const std::vector<const Node*>& numbers, std::size_t first);
    [[nodiscard]] static Value typeValue(const Type* type);
    [[nodiscard]] const Type* typeIn(const Value& value);
    [[nodiscard]] const Value* packOrItem(const TypeName& name) const;
    Value foldOf(const Node& fold);
    void forgetPack(const Thing& pack, bool areAliases);

    // variants.cpp
    Value variantOf(const Type& type, const Value& value);
    [[nodiscard]] std::optional<std::size_t> alternativeFor(const Type& variant, const Value& value);
    std::optional<Value> callVariant(std::string_view name, const Node& node);
    std::optional<Value> callOfVariant(std::string_view name, Thing& variant, const Node& node);
    Value visit(const Node& node);
    Value joined(const Type& type, std::vector<Value> functions);
    [[nodiscard]] const Value* bestOf(const std::vector<Value>& functions, const std::vector<Argument>& arguments);
    [[nodiscard]] int suits(const Thing& lambda, const std::vector<Argument>& arguments);

    // traits.cpp
    Value trait(const Node& node);
    const Type* deduced(const TypeName& name);

    // queues.cpp
    const Type* queueOf(const TypeName& name);
    std::optional<Value> callQueue(std::string_view name, Thing& queue, const Node& node);

    // maps.cpp
    [[nodiscard]] static bool isMap(const Value& value);
    static constexpr int kNoOrder = -1; ///< of a std::unordered_map's number: nobody knows which it has
    [[nodiscard]] static bool isUnordered(const Thing& list) { return list.type && list.type->name.starts_with("unordered_"); }
    [[nodiscard]] std::optional<std::vector<std::int64_t>> orderOf(const Thing& list);
    const Type* mapOf(const TypeName& name);
    [[nodiscard]] std::int64_t placeInOrder(const Thing& map, const Value& key);
    [[nodiscard]] std::int64_t indexInMap(const Thing& map, const Value& key);
    [[nodiscard]] bool keysCompared(Arithmetic comparison, const Value& a, const Value& b);
    [[nodiscard]] bool isKnownKey(const Value& key);
    std::int64_t putIntoMap(Thing& map, const Value& key, const Value& held);
    [[nodiscard]] static bool isAny(const Value& value);
    [[nodiscard]] bool isKnownIn(const Thing& map, const Value& key);
    [[nodiscard]] static Value anyOf(const Thing& map);
    Place placeInMap(const Handle& map, const Value& key);
    Value insertionOf(const Handle& list, std::int64_t at, std::optional<bool> isNew);
    Value insertIntoMap(std::string_view name, const Handle& map, std::vector<Value> entry);
    void insertRange(const Handle& map, const std::pair<Value, Value>& range);
    std::optional<Value> callMap(std::string_view name, Thing& map, const Node& node);
    [[nodiscard]] std::optional<std::pair<std::int64_t, bool>> placeInSet(const Thing& set, const Value& item);
    std::optional<Value> callSet(std::string_view name, Thing& set, const Node& node);

    // bits.cpp
    Value bitCast(const Type& type, const Value& value);
    std::optional<Value> callBits(std::string_view name, const Node& node);

    // files.cpp
    [[nodiscard]] Value streamOf(const Type& type, bool isOpened);
    bool isAbsent();
    bool endsForWantOfFile();
    std::optional<Value> callOutside(std::string_view name, const Node& node);
    std::optional<Value> callStream(const Place& at, const Node& node);
    void readFrom(const Value& stream);

    // device_properties.cpp
    static constexpr std::string_view kDeviceProperties = "cudaDeviceProp";
    [[nodiscard]] Place placeOfProperty(const Value& object, std::string_view member);
    [[nodiscard]] std::string kernelNameOf(const Value& function);
    std::optional<Value> askDevice(std::string_view name, const Node& node);

    // library.cpp
    std::optional<Value> callLibrary(std::string_view name, const Node& node);
    std::optional<Value> callRandom(std::string_view name, const Node& node);
    std::optional<Value> callLimit(std::string_view name, const Node& node);
    Value extremeOf(std::string_view name, std::vector<Value> among);
    std::optional<Value> callComparison(std::string_view name, const Node& node);
    std::optional<Value> callMaker(std::string_view name, const Node& node);
    std::optional<Value> callMathematics(std::string_view name, const Node& node);
    std::optional<Value> sortedBackwards(std::string_view name, const Node& node);
    std::optional<Value> callAlgorithm(std::string_view name, const Node& node);
    std::optional<Value> callContainer(std::string_view name, Thing& object, const Node& node);
    std::optional<Value> callEngine(std::string_view name, Thing& object, const Node& node);
    std::optional<Value> askContainer(std::string_view name, Thing& object, const Node& node);
    std::optional<Value> elementAsked(std::string_view name, Thing& object, const Node& node);
    std::optional<Value> resizeContainer(std::string_view name, Thing& object, const Node& node);
    std::optional<Value> appendTo(std::string_view name, Thing& object, const Node& node);
    std::optional<Value> changeContainer(std::string_view name, Thing& object, const Node& node);
    Value constructDistribution(const Type& type, const std::vector<Value>& arguments, bool isBraced);
    std::optional<std::vector<double>> weightsOf(const std::vector<Value>& arguments, bool isBraced);
    Value draw(Thing& distribution, Thing& engine);
    Value drawRaw(Thing& engine);
    Value sortRange(std::string_view name, const Handle& list, std::int64_t first, std::int64_t middle, std::int64_t last, const Value& comparison, const Value& projection);
    Handle projected(const Handle& list, std::int64_t first, std::int64_t last, const Value& projection);
    Value projectedBy(const Value& projection, const Value& item);
    void sortBytes(const Value& base, const Value& count, const Value& bytes, const Value& comparison);
    Value searchRange(const Handle& list, std::int64_t first, std::int64_t last, const Value& wanted, const Value& comparison, bool isLower);
    Value arrangeRange(std::string_view name, const Handle& list, std::int64_t first, std::int64_t last, const Value& argument);
    [[nodiscard]] std::optional<std::pair<Value, Value>> rangeOf(const Value& first, const Value& last) const;
    std::int64_t random();
    Value drand48();

    // searches.cpp
    [[nodiscard]] static bool isSearch(std::string_view name);
    std::optional<Value> searched(std::string_view name, const Handle& list, std::int64_t first, std::int64_t last, const std::vector<Value>& rest);
    std::optional<Value> partitioned(std::string_view name, const Handle& list, std::int64_t first, std::int64_t last, const Value& condition);
    std::optional<Value> erased(std::string_view name, const Node& node);
    std::optional<Value> keptOf(std::string_view name, const Handle& list, std::int64_t first, std::int64_t last, const std::vector<Value>& rest);

    // views.cpp
    [[nodiscard]] static bool isSpan(const Value& value);
    Value spanOf(const Type& type, const std::vector<Value>& arguments);
    std::optional<Value> callSpan(std::string_view name, const Handle& span, const Node& node);
    Value optionalOf(const Type& type, const Value& value);
    std::optional<Value> callPointer(std::string_view name, const Place& at, const Node& node);

    // function_objects.cpp
    [[nodiscard]] static bool isFunctionObject(const Value& value);
    std::optional<Value> functionObject(std::string_view name);
    Value callFunctionObject(const Value& object, const std::vector<Argument>& arguments);

    // range_views.cpp
    std::optional<Value> callView(std::string_view name, const Node& node);
    Value counted(const std::vector<Value>& ends);
    std::optional<Value> viewedBy(const Value& list, const Value& view);
    Value viewed(std::string_view name, const Value& given, const Value& argument);

    // operators.cpp
    std::optional<Value> callOperator(const std::string& name, const std::vector<Argument>& arguments);
    std::optional<Value> byOperator(Arithmetic operation, const Value& a, const Value& b);
    std::optional<Value> equalityByParts(const Value& a, const Value& b, bool isDifference);
    std::optional<Value> orderByParts(Arithmetic operation, const Value& a, const Value& b);
    Value orderOf(const Value& a, const Value& b);
    Value isLess(const Value& a, const Value& b, const Value& comparison);
    Value isGreater(const Value& a, const Value& b);
    bool assignedByOperator(Arithmetic operation, const Place& place, const Value& given);
    Value asNumberOf(const Value& value);
    Value asCondition(const Value& value);
    std::optional<Value> negatedByOperator(const Value& value);

    // texts.cpp
    const Type* stringType();
    [[nodiscard]] std::optional<std::string> textOf(const Value& value);
    Value stringOf(const std::optional<std::string>& text);
    Value literalOf(const Node& node);
    Value constructString(const std::vector<Value>& arguments);
    std::optional<Value> appliedToTexts(Arithmetic operation, const Value& a, const Value& b);
    Value appliedToAny(Arithmetic operation, const Value& a, const Value& b); ///< texts or others
    Value appended(const Value& string, const Value& more);
    std::optional<Value> callText(std::string_view name, const Node& node);
    std::optional<Value> changeString(std::string_view name, Thing& object, const Node& node);
    std::optional<Value> callString(std::string_view name, Thing& object, const Node& node);

    // printing.cpp
    std::optional<std::string> printed(std::string_view format, const std::vector<Value>& arguments);
    std::optional<Value> callPrinting(std::string_view name, const Node& node);

    // runtime.cpp
    std::optional<Value> callRuntime(std::string_view name, const Node& node);
    void allocate(const Value& target, std::int64_t bytes, bool isDevice);
    void copyBytes(const Value& to, const Value& from, const Value& bytes);
    void copyVariable(const Value& to, const Value& held, std::int64_t bytes);
    void touch(Thing& memory, bool isWritten) const;
    std::optional<Value> callDevice(std::string_view name, const Node& node);
    void copyRows(const Value& to, const Value& toPitch, const Value& from, const Value& fromPitch, const Value& width, const Value& height);
    [[nodiscard]] static Value pitched(const Value& width);
    [[nodiscard]] static Value allocated(std::int64_t bytes);
    Value reallocated(const Value& before, std::int64_t bytes);
    bool setObjects(const Value& to, const Value& byte, const Value& bytes);
    void setBytes(const Value& to, const Value& byte, const Value& bytes);

    // module_memory.cpp: variables of the GPU's memory
    Handle variableOfModule(std::string_view name);
    Handle variableNamedIn(const Node& call, std::size_t argument);
    [[nodiscard]] std::vector<ReachedVariable> variablesOf(std::string_view kernel);
    void carryManaged(const std::vector<ReachedVariable>& variables, bool isBack);
    std::optional<Value> callOfModule(std::string_view name, const Node& node);
    [[nodiscard]] std::vector<std::uint8_t> bytesAt(const Value& from, std::int64_t count);
    bool putBytes(Thing& memory, std::int64_t offset, const std::vector<std::uint8_t>& content, std::string_view takenBy);

    Parser& m_parser;
    Options m_options;
    std::shared_ptr<Frame> m_frame;
    Handle m_globals;
    std::map<std::string, std::unique_ptr<Type>, std::less<>> m_types;
    std::map<const HostClass*, std::optional<TypeName>> m_specialized; ///< what arguments classes are written for
    std::vector<const HostClass*> m_beingMade; ///< their types are
    bool m_isOfBase = false; ///< what is resolved is a template's argument of one's base
    std::vector<std::weak_ptr<Frame>> m_frames; ///< that lambdas hold
    std::set<const Node*> m_declared; ///< static variables
    std::set<std::string> m_read;
    std::map<std::string, Handle, std::less<>> m_ofModule; ///< variables that somebody has asked for
    Value m_returned, m_other;
    Place m_returnedPlace;
    std::int64_t m_steps = 0, m_allocated = 0;
    int m_memories = 0; ///< so many have been allocated by the runtime
    std::map<std::string_view, Handle> m_literals; ///< by their texts
    std::map<const Node*, bool> m_leading; ///< what leadsToWanted() has told
    std::unordered_map<const Node*, bool> m_launching; ///< what launches() has told
    const Type* m_stringType = nullptr;
    std::array<const Type*, std::size_t(Kind::Other) + 1> m_plain {};
    std::map<const HostFunction*, std::set<int>> m_launched; ///< by functions: the places of launches
    std::set<const void*> m_forgetting; ///< functions and lambdas that are being looked through
    const Node* m_lambda = nullptr; ///< that runs
    std::optional<const HostClass*> m_scanned; ///< while a function is looked at that does not run: its class; null: none
    std::optional<std::string_view> m_thrown; ///< the class of what has been thrown and not been caught
    std::string_view m_caught; ///< ... and has been, here
    int m_tries = 0, m_quietTries = 0; ///< that are being executed; the latter: of those that launch nothing and go on behind
    int m_unsure = 0; ///< conditions that are not known, and code behind them that is executed nevertheless
    /// A function that is being called, perhaps by itself.
    struct Running {
        int depth = 0;
        std::int64_t unknownBranches = 0; ///< before the outermost call
    };
    std::map<const void*, Running> m_running; ///< by functions, and lambdas' code
    std::int64_t m_unknownBranches = 0; ///< so many conditions were not known
    int m_depth = 0;
    int m_elsewhere = 0; ///< above 0: what is being forgotten stands in another function
    int m_leftLoop = 0;
    bool m_isOver = false, m_hasLaunched = false, m_hasReadBack = false, m_hasAskedForFile = false;
    std::size_t m_lastLaunching = SIZE_MAX; ///< see lastLaunching()
    int m_loops = 0; ///< around
    std::vector<std::int32_t> m_random; ///< of rand(): its state
    std::uint64_t m_random48 = 0x1234abcd330e;
    std::size_t m_randomAt = 0;
};

template <class Use> std::invoke_result_t<Use, const Node&> Run::withPack(const Given& given, Use use)
{
    if (!given.node)
        return {};
    if (!given.expanded)
        return use(*given.node);
    const Handle frame = m_frame->variables;
    std::vector<std::pair<int, Value>> packs;
    for (const int slot : given.expanded->slots) {
        Value& variable = frame->items[std::size_t(slot)];
        if (!isPack(variable))
            continue;
        packs.emplace_back(slot, variable);
        const std::vector<Value> items = variable.thing->items;
        variable = given.index < items.size() ? items[given.index] : Value {};
    }
    auto made = use(*given.node);
    for (auto& [slot, pack] : packs)
        frame->items[std::size_t(slot)] = std::move(pack);
    return made;
}

template <class Made, class Use> std::vector<Made> Run::fromLast(const std::vector<const Node*>& nodes, std::size_t first, Use use)
{
    if (!hasPacks(nodes)) { // most calls
        std::vector<Made> made(nodes.size() - std::min(first, nodes.size()));
        for (std::size_t i = made.size(); i-- > 0;)
            made[i] = use(*nodes[first + i], i);
        return made;
    }
    const std::vector<Given> all = givenBy(nodes, first);
    std::vector<Made> made(all.size());
    for (std::size_t i = made.size(); i-- > 0;)
        made[i] = withPack(all[i], [&](const Node& node) { return use(node, i); });
    return made;
}

} // namespace coalescope::kernels::host
