// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/bits.h"
#include "kernels/host/loop_code.h"
#include "kernels/host/run.h"

namespace coalescope::kernels::host {

/// Makes of a loop that has begun what a Machine executes: some ten times as quick as its text. It takes loops of numbers that are known, in
/// variables and in arrays that stay where they are, with functions of the program's put in place of their calls. What it does not take goes on
/// as it is.
class Run::LoopCompiler {
public:
    explicit LoopCompiler(Run& run);
    ~LoopCompiler() = default;
    LoopCompiler(const LoopCompiler&) = delete;
    LoopCompiler& operator=(const LoopCompiler&) = delete;

    /// From where it is about to ask whether it goes on. `list` and `index`: of a ForEach, which item is next.
    [[nodiscard]] bool compile(const Node& loop, const Value& list = {}, std::int64_t index = 0);
    /// Of two items of a list: a lambda that a sort is given, or a function that gets pointers to them.
    [[nodiscard]] bool compileComparison(const Value& comparison, const Handle& list);
    [[nodiscard]] std::optional<std::int64_t> compared(std::int64_t a, std::int64_t b); ///< by their places in the list; nothing: it is not known
    [[nodiscard]] Machine& machine() { return m_machine; }
    void leave(); ///< variables are again where the rest of the run looks for them

private:
    struct Unsupported {}; ///< thrown and caught in here
    struct Operand {
        Kind kind = Kind::None;
        int cell = 0;
        bool isVariable = false; ///< it may change
        const Value* constant = nullptr;
    };
    /// What a place is.
    struct Spot {
        enum class Is : std::uint8_t { Number, Element, Pointer, Parts, Object } is = Is::Object;
        Operand number; ///< Number: the register; Element and Pointer: what holds the index
        int memory = 0; ///< Element and Pointer
        std::int64_t first = 0; ///< is added to the index
        const Type* type = nullptr; ///< Element, Pointer and Parts
        std::size_t offset = 0;
        std::vector<Operand> parts = {}; ///< of an object that is kept in registers
        Value object = {}; ///< what is no number, and the same as long as the loop runs
    };
    enum class Way : std::uint8_t { Value, Reference, Seen }; ///< Seen: a value that nobody changes
    using Key = std::pair<const Thing*, int>;
    struct Outside { ///< a variable that was there before
        Handle thing;
        int index = 0, cell = 0;
    };
    using Jumps = std::vector<std::size_t>; ///< instructions whose distance is not known yet
    struct Call { ///< of a function that is put in place
        bool isAuto = false, hasResult = false;
        Operand result;
        Jumps ends;
    };

    // loop_compiler.cpp: statements, and code
    void statement(const Node& node);
    void branch(const Node& node);
    void loop(const Node& node, bool isEntered);
    void forEach(const Node& node, const Value& list, std::int64_t index);
    void choose(const Node& node);
    void declare(const Node& variable);
    void declareArray(const Node& variable);
    void bind(const Node& bindings, const Spot& object);
    void comeBack(const Node& node);
    void finish(); ///< no more is emitted
    std::size_t emit(const Instruction& instruction);
    Operand emitted(Kind kind, Instruction instruction); ///< what it makes
    void rewind(std::size_t to); ///< what has been emitted since is not
    std::size_t jump();
    void land(const Jumps& jumps); ///< here
    void jumpBack(std::size_t to);
    Jumps jumpUnless(const Node& condition);
    Jumps jumpUnless(const Operand& condition);
    [[nodiscard]] int cell();
    Operand variable(Kind kind); ///< another one
    Operand constant(const Value& value);
    Operand constant(Kind kind, std::int64_t integer) { return constant(Value::of(kind, integer)); }
    void move(const Operand& to, const Operand& from); ///< both of one kind
    Operand kept(const Operand& operand); ///< it stays as it is
    Operand own(const Operand& operand); ///< a variable that begins as it
    Operand converted(const Operand& operand, Kind kind);
    Operand applied(Arithmetic operation, const Operand& a, const Operand& b);
    Operand chosen(const Operand& condition, const Operand& then, const Operand& otherwise);

    // loop_places.cpp
    Spot spot(const Node& node);
    Spot spotOf(const Handle& thing, std::int64_t index);
    Spot member(const Node& node);
    Spot pointedTo(const Value& pointer);
    Spot element(const Spot& base, const Operand& index);
    std::optional<Spot> pointer(const Node& node);
    std::optional<Spot> movedPointer(const Node& node);
    [[nodiscard]] bool isSeenAs(const Spot& pointer, const Type* element) const;
    Spot pointerTo(const Value& value);
    Value object(const Node& node); ///< of a place, or what it is that a member is asked of
    Operand loaded(const Spot& spot);
    [[nodiscard]] static bool isOfParts(const Type* type) { return type && type->isStored() && !type->isPlain(); }
    [[nodiscard]] static bool isOfParts(const Spot& spot) { return spot.is == Spot::Is::Parts || (spot.is == Spot::Is::Element && isOfParts(spot.type)); }
    Spot parts(const Node& node, const Type* type); ///< the object's, of this type; null: of its own
    Spot partsOf(const Spot& spot);
    [[nodiscard]] bool makesParts(const Node& node) const; ///< make_float2(a, b)
    Spot partsOf(const std::vector<const Node*>& nodes, const Type* type, bool isBraced);
    [[nodiscard]] static Spot partOf(const Spot& spot, std::size_t part);
    void storeParts(const Spot& to, const Spot& from);
    Spot ownParts(Spot parts);
    void store(const Spot& spot, const Operand& number);
    [[nodiscard]] Kind kindOf(const Spot& spot) const;
    int memory(const Handle& thing, const Type* points);
    [[nodiscard]] Key keyOf(const Node& node) const;

    // loop_expressions.cpp
    Operand number(const Node& node);
    void effect(const Node& node); ///< its value is not looked at
    Operand assign(const Node& node);
    bool assignParts(const Node& node);
    bool assignUnknown(const Node& node);
    [[nodiscard]] static bool isOfHalf(const Node& node);
    void discard(const Node& node);
    Operand increase(const Node& node, bool isUsed);
    Operand either(const Node& node);
    Operand conditional(const Node& node);
    [[nodiscard]] static bool hasEffects(const Node& node);
    [[nodiscard]] static bool isArray(const Value& value) { return value.kind == Kind::Whole && value.thing && value.thing->element; }
    [[nodiscard]] static bool isPointer(const Value& value) { return value.kind == Kind::Pointer && value.isKnown && value.thing; }

    // loop_calls.cpp, loop_library.cpp; without a result: of a function that has none
    std::optional<Operand> call(const Node& node);
    std::optional<Operand> callMember(const Node& node);
    std::optional<Operand> callValue(const Node& node);
    Operand ofBits(const BitFunction& function, const Operand& number);
    Operand extreme(bool isLeast, const std::vector<const Node*>& among);
    std::optional<Operand> callLibrary(const Node& node);
    std::optional<Operand> callContainer(const Node& node, const Value& container);
    std::optional<Operand> callFunction(const HostFunction& function, const std::vector<const Node*>& nodes, std::size_t first, const Handle& self, const Node* call);
    std::optional<Operand> callLambda(Thing& closure, const std::vector<const Node*>& nodes, std::size_t first);
    std::optional<Operand> callLambda(Thing& closure, const std::vector<Spot>& given, Way way);
    Spot reference(const Node& node);
    Spot referenceOf(const HostFunction& function, const std::vector<const Node*>& nodes, std::size_t first, const Handle& self, const Node* call);
    void enter(const HostFunction& function, const std::vector<Spot>& given, bool isSeen, const Handle& self, const Node* call);
    void enter(const HostFunction& function, const std::vector<const Node*>& nodes, std::size_t first, const Handle& self, const Node* call);
    std::optional<Operand> body(const Node& block, const TypeName* returns);
    Value objectAsked(const Node& node);
    Spot passed(const Node& node, Way way);
    [[nodiscard]] static Way wayOf(bool isReference, bool isSeen) { return isReference ? Way::Reference : isSeen ? Way::Seen : Way::Value; }
    void take(Key parameter, const Spot& given, const TypeName& name, std::string_view called, Way way = Way::Value);
    Operand named(const Operand& value, std::string_view name);
    [[nodiscard]] static bool onlyLooks(const Node& block, const std::vector<const Node*>& nodes, std::size_t first);
    [[nodiscard]] Value pointed(const Spot& pointer) const;
    Operand drawn(const Value& from, const Value& engine);
    void sort(const Node& node);
    static const Instruction* put(const Instruction& at, Machine& machine, const Value& made);
    static const Instruction* random(const Instruction& at, Machine& machine);
    static const Instruction* random48(const Instruction& at, Machine& machine);
    static const Instruction* draw(const Instruction& at, Machine& machine);
    static const Instruction* drawRaw(const Instruction& at, Machine& machine);

    Run& m_run;
    Machine m_machine;
    std::vector<Instruction> m_code;
    std::map<Key, Spot> m_spots; ///< variables
    std::map<std::pair<Kind, std::int64_t>, std::pair<int, Value>> m_constants; ///< and where they stand
    std::vector<Outside> m_outside;
    std::vector<Jumps> m_breaks, m_continues;
    std::vector<Call> m_calls;
    std::vector<std::shared_ptr<Frame>> m_frames; ///< of functions that are put in place
    int m_compared = 0; ///< a comparison's items: where their places stand, and behind them its result
    std::size_t m_landed = 0; ///< where jumps lead to last
    std::size_t m_made = 0; ///< the last instruction that made something of its own
};

} // namespace coalescope::kernels::host
