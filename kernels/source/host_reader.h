// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/host_program.h"
#include "kernels/source/launches.h"
#include "kernels/source/parameter_types.h"

#include <functional>
#include <set>
#include <span>

namespace coalescope::kernels {

inline constexpr std::int64_t kGuessedSide = 1024; ///< of an image

/// The value of a number whose name says that it is small: of a window's side, of channels, or how often something is done.
[[nodiscard]] std::optional<std::int64_t> fewByName(std::string_view name);
/// Of any that is no size: also of threads of a block, of radii and thresholds.
[[nodiscard]] std::optional<std::int64_t> noSizeByName(std::string_view name);
/// Of a real number: a probability or a threshold lies between 0 and 1, any other is 1.
[[nodiscard]] double realByName(std::string_view name);
/// Of a side of an image.
[[nodiscard]] std::optional<std::int64_t> sideByName(std::string_view name);

/// Follows host code from statement to statement. See launchesOf().
class HostReader {
public:
    /// `guesses`: of parameters whose value nobody knows, in place of what would be guessed. `numbers`: see launchesOf().
    explicit HostReader(HostProgram& program, RegistersOf registersOf = {}, std::map<std::string, std::int64_t> guesses = {}, std::vector<HostNumber> numbers = {});

    ProgramLaunches read();

private:
    static constexpr std::int64_t kGuessedCount = 16384; ///< of what another kernel has counted, or of blocks
    static constexpr std::int64_t kGuessedThreads = 256; ///< of a block
    static constexpr int kDeepestCall = 24;
    static constexpr int kForLaunches = 40'000; ///< evaluations
    static constexpr int kDeepest = 120; ///< of nested statements and expressions
    static constexpr std::size_t kMostItems = 256; ///< of a list
    enum class Flow : std::uint8_t { Next, Break, Continue, Return };
    enum class Naming : std::uint8_t { Variable, Define, Dimension }; ///< by what a constant has a name
    using Range = TokenRange;
    using Asked = std::pair<std::string, std::int64_t>; ///< a parameter, and what it must be for a branch to be taken
    struct Layout {
        std::int64_t bytes = 0, alignment = 1; ///< 0 bytes: not known
    };
    /// A variable and the code that gives it a value, or the value.
    struct Assignment {
        HostPlace place;
        Range value;
    };
    struct Given {
        HostPlace place;
        HostValue value;
    };
    /// Of a loop: what stands in its brackets.
    struct Head {
        Range first, condition, step;
        std::size_t colon = 0; ///< of `for (type name : list)`; 0: it is none
        bool isWhole = false; ///< all three are there
    };
    struct Turns {
        Symbolic count;
        std::string variable; ///< that counts
        std::int64_t middle = 0; ///< of its values
    };
    /// Shape<4>::index<int>: "index", with its arguments, and "Shape", with its own.
    struct Name {
        std::string last, full, owner;
        std::vector<std::string> ofTemplate, ofOwner;
    };

    // host_reader.cpp: what is read, names, launches
    HostScope* newScope(HostScope* outer);
    void readGlobals();
    std::int64_t readEnumerator(const Enumerator& enumerator, std::int64_t next);
    void launch(const HostValue& kernel, const HostValue& grid, const HostValue& block, const HostValue& shared, const std::vector<HostValue>& arguments,
        std::size_t at);
    void refuseGuessForNothing(ProgramLaunch& launch, std::size_t at);
    [[nodiscard]] bool isUnknownCall(std::size_t at) const;
    [[nodiscard]] bool isOpen(const std::string& entry) const;
    [[nodiscard]] int placeOf(std::size_t at) const;
    [[nodiscard]] const HostClass* classOf(const HostClass& type, const std::string& member);
    LaunchArgument argumentOf(const HostValue& value);
    [[nodiscard]] bool isPointer(const HostClass& type, const std::string& member);
    [[nodiscard]] bool pointsToConst(const HostClass& type, const std::string& member);
    static std::set<int> buffersOf(const std::vector<LaunchArgument>& arguments);
    LaunchArgument unknownStructure(const HostClass& type, int depth);
    std::array<Symbolic, 3> shapeOf(const HostValue& value, bool& isKnown) const;
    void guessWhereUnknown(HostValue& value, const HostPlace& place);
    HostValue guessed(const std::string& name, std::int64_t value);
    HostValue named(const std::string& name, HostValue value, Naming how = Naming::Variable);
    [[nodiscard]] const HostNumber* givenFor(const std::string& name, std::int64_t value) const;
    [[nodiscard]] bool isOfLibrary(const HostFunction& function) const; ///< none of the user's
    int newBuffer(const std::string& name, std::optional<Symbolic> bytes, const std::string& type);
    void findLaunching();
    [[nodiscard]] bool launchesIn(Range code) const;

    // host_uncalled.cpp
    void readLaunchers();
    void readLaunchingMembers();
    [[nodiscard]] bool isCalledByLaunching(const HostFunction& function) const;
    HostValue objectOfNobody(const HostClass& type);
    HostValue unknownOf(const HostParameter& parameter, std::int64_t extent);
    std::int64_t guessedExtent(const std::vector<HostParameter>& parameters);
    [[nodiscard]] static std::int64_t guessedExtent(std::size_t integers); ///< of so many that nobody knows
    std::vector<HostValue> guessedArguments(const HostFunction& function);
    [[nodiscard]] static HostValue guessedReal(const std::string& name);
    [[nodiscard]] static std::vector<std::string> guessedTypes(const std::vector<HostParameter>& ofTemplate);
    void runUncalled(const HostFunction& function, HostScope* seen);

    // host_functions.cpp
    [[nodiscard]] std::vector<std::string> ownTypes(const std::string& name) const;
    HostValue call(const HostFunction& function, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate, HostScope* seen);
    void bindTemplate(const HostFunction& function, const std::vector<std::string>& given, const std::vector<HostValue>& arguments, HostScope& scope);
    void bindParameter(const HostParameter& parameter, HostValue value, HostScope& scope);
    [[nodiscard]] HostValue templateValue(const std::string& text) const;
    [[nodiscard]] std::string deducedType(const HostParameter& parameter, const std::string& name, const HostValue& argument) const;

    // host_objects.cpp
    void bindAliases(const HostClass& type, HostScope& scope);
    void bindDefaults(const HostClass& type, std::size_t first, HostScope& scope);
    HostValue construct(const HostClass& type, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate);
    HostValue ofInitialList(const HostClass& type, HostValue list, const std::vector<std::string>& ofTemplate = {});
    HostValue unknownObject(const HostClass& type, const std::vector<std::string>& ofTemplate = {});
    [[nodiscard]] int suits(const HostFunction& function, const std::vector<HostValue>& arguments);
    HostValue defaultMember(const HostParameter& field);
    void runConstructor(const HostClass& type, const HostFunction& constructor, std::vector<HostValue> arguments, HostValue& object);
    const HostFunction* chosen(std::span<const HostFunction* const> functions, const std::vector<HostValue>& arguments);
    const HostFunction* chosen(const HostClass& type, const std::string& name, const std::vector<HostValue>& arguments);
    HostScope* newObjectScope(const HostClass& type, const std::vector<std::string>& ofTemplate);
    void nameBuffers(const HostValue& value, const std::string& name);
    HostValue namedMember(const std::string& member, HostValue held);
    HostValue memberOf(const HostParameter& field, const HostType& type, std::vector<HostValue> values);
    void nameMembers(const HostValue& value);

    // host_inheritance.cpp
    void bindBases(const HostClass& type, HostScope& scope);
    void constructPart(const HostClass& type, std::vector<HostValue> values, HostValue& object);
    void constructBases(const HostClass& type, HostValue& object, const std::function<std::vector<HostValue>(const HostBase&)>& given);
    [[nodiscard]] std::vector<HostValue> spread(const HostClass& type, std::vector<HostValue> items) const;
    [[nodiscard]] std::size_t bracketOf(Range member) const;
    [[nodiscard]] std::string nameOf(Range member) const;
    [[nodiscard]] bool launchesIn(const HostClass& type) const;
    [[nodiscard]] const HostClass* classAsked(const HostValue& self, std::string_view function) const;
    std::optional<HostValue> callOf(const Name& name, std::vector<HostValue>& arguments);

    // host_managed.cpp
    void fillManaged(int buffer);
    void fillByAssignment(std::size_t target, const HostValue& left, Range value);
    void fillByCall(std::string_view name, const std::vector<HostValue>& arguments);

    // host_maps.cpp
    [[nodiscard]] bool isFollowedMap(const HostType& type) const;
    [[nodiscard]] static std::string keyOf(const HostValue& value);
    [[nodiscard]] static HostValue anyOf(const HostValue& map, const std::string& key);
    HostValue itemMade(const HostValue& map, HostValue item);
    [[nodiscard]] static HostValue pairOf(HostValue item);
    static std::size_t putInto(HostValue& map, const HostValue& key, HostValue item, bool replaces);
    HostValue mapOfType(const HostType& type, const std::vector<HostValue>& arguments);
    HostValue itemOfMap(const HostValue& map, const HostValue& key);
    HostValue callMemberOfMap(const HostValue& map, const std::string& name, const std::vector<HostValue>& arguments);
    HostValue callFunction(HostValue function, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate = {});

    // host_statements.cpp
    Flow block(std::size_t first, std::size_t last);
    std::size_t statement(std::size_t at, std::size_t last, Flow& flow);
    std::size_t ifStatement(std::size_t at, std::size_t last, Flow& flow);
    void readAside(Range code, const std::optional<Asked>& asked = {});
    [[nodiscard]] static std::optional<Asked> askedFor(const HostValue& value, const HostValue& number);
    [[nodiscard]] std::optional<Asked> askedIn(Range condition);
    [[nodiscard]] std::optional<Assignment> onlyAssignment(Range branch) const;
    [[nodiscard]] std::optional<Given> followingBoth(const HostValue& condition, Range then, Range otherwise);
    std::size_t loop(std::size_t at, std::size_t last, Flow& flow);
    void bindParts(Range names, const HostValue& value);
    void forEach(Range head, std::size_t colon);
    void nameCounters();
    [[nodiscard]] Head headOf(Range inside);
    void goRound(const Head& head, Range body, bool isDo, Flow& flow);
    void inLoop(Range body, Flow& flow);
    [[nodiscard]] bool isItemAssigned(std::size_t at) const;
    [[nodiscard]] bool assignsItems(Range code) const;
    void forgetItems(Range code);
    void openLists(Range code);
    bool guessDoubled(Range condition, Range body);
    [[nodiscard]] std::optional<Turns> turnsOf(const Head& head);
    std::size_t switchStatement(std::size_t at, std::size_t last, Flow& flow);
    std::size_t jump(std::size_t at, std::size_t last, Flow& flow);
    std::size_t localType(std::size_t at, std::size_t last);
    std::size_t expressionStatement(std::size_t at, std::size_t last);
    [[nodiscard]] std::size_t behindStatement(std::size_t at, std::size_t last) const;

    // host_arguments.cpp
    [[nodiscard]] std::string_view nameInMain(std::size_t parameter, std::string_view otherwise) const;
    HostValue withArgumentsGiven(HostValue value, Range condition, Range chosen);
    [[nodiscard]] std::string_view fromCommandLine(std::size_t at) const;
    HostValue argumentNumber(std::size_t at);
    [[nodiscard]] std::size_t powerOf(std::string_view name) const;
    HostValue readNumber(const HostValue& variable, std::string_view name);
    HostValue asNumber(HostValue value);
    void asNumbers(std::vector<HostValue>& values);

    // host_declarations.cpp
    std::size_t declaration(std::size_t at, std::size_t last, bool isOfLoop);
    std::size_t declarators(HostType type, std::size_t at, std::size_t last, bool isOfLoop);
    HostValue initialValue(const HostType& type, std::size_t& at, std::size_t last);
    [[nodiscard]] std::size_t behindValue(std::size_t at, std::size_t last) const;
    std::optional<HostValue> emptyArray(const HostType& type, std::size_t& at, std::size_t last);
    HostValue arrayOf(const HostType& type, HostValue array, std::vector<HostValue> items);
    [[nodiscard]] bool startsDeclaration(std::size_t at, std::size_t last);

    // host_types.cpp
    [[nodiscard]] static HostType typeOfText(const std::string& text);
    [[nodiscard]] static HostType pointerOfText(const std::string& text);
    [[nodiscard]] static bool isTypeQualifier(const Token& token);
    std::optional<HostType> typeAt(std::size_t& at, std::size_t last);
    bool readIntegerType(HostType& type, std::size_t& at, std::size_t last) const;
    std::optional<HostType> typeWithin(const HostType& type, std::string_view name);
    bool readNamedType(HostType& type, std::size_t& at, std::size_t last);
    bool readDeducedType(HostType& type, std::size_t& at, std::size_t last);
    std::optional<HostType> typeOf(const HostParameter& parameter);
    HostValue defaultOf(const HostParameter& parameter);
    HostValue valueOfType(const HostType& type, std::vector<HostValue> arguments);
    [[nodiscard]] static HostValue pointerWithin(const HostValue& object);
    HostValue pointerOfType(const HostType& type, const HostValue& value, bool isGiven);
    [[nodiscard]] static HostValue dim3Of(const std::vector<HostValue>& sizes);
    HostValue vectorOfType(const HostType& type, const HostValue& first, const HostValue& element);
    [[nodiscard]] bool allocatesForTheGpu(const std::string& allocator);
    HostValue launchConfig(const std::vector<HostValue>& values);
    HostValue vectorOfComponents(const std::string& type, std::vector<HostValue> values);
    HostValue objectOfType(const HostType& type, const HostClass& known, std::vector<HostValue> arguments);

    // host_expressions.cpp
    HostValue evaluate(Range range);
    [[nodiscard]] HostValue packIn(Range code) const;
    std::vector<HostValue> list(Range range);
    [[nodiscard]] std::vector<Range> parts(Range range) const;
    [[nodiscard]] Range inBrackets(std::size_t& at, std::size_t last) const;
    HostValue assignment();
    HostValue ternary();
    [[nodiscard]] static HostValue chosenBy(const HostValue& condition, const HostValue& first, const HostValue& second);
    HostValue binary(int level);
    [[nodiscard]] std::pair<std::string_view, int> operatorHere() const;
    HostValue unary();
    [[nodiscard]] HostValue pointedTo(HostValue value) const;
    [[nodiscard]] HostValue referenceTo(HostValue value);
    HostValue postfix();
    [[nodiscard]] HostValue at(const HostPlace& place) const;
    void store(const HostPlace& place, HostValue value);
    HostPlace find(const std::string& name) const;
    [[nodiscard]] std::string resolvedType(const std::string& name) const;
    [[nodiscard]] bool is(std::string_view mark) const;
    [[nodiscard]] bool isAdjacent(std::size_t at, std::size_t count) const;

    // host_primaries.cpp
    HostValue primary();
    HostValue cast();
    HostValue namedCast();
    HostValue integerCast();
    HostValue sizeOf();
    [[nodiscard]] std::int64_t bytesOf(const HostType& type);
    [[nodiscard]] Layout layoutOf(const HostType& type, int depth);
    [[nodiscard]] std::int64_t itemsOf(const HostType& type, const HostParameter& member);
    HostValue newExpression();
    HostValue lambda();
    [[nodiscard]] std::string textOf(Range code) const;
    HostValue member(HostValue object);
    HostValue item(HostValue object, const HostValue& index);
    [[nodiscard]] bool isStructure(const std::string& type) const;
    bool growTo(const HostPlace& list, std::size_t count);
    HostValue launchBehind(const HostValue& kernel);
    [[nodiscard]] std::vector<std::string> templateArguments(std::size_t& at);

    // host_names.cpp
    HostValue word();
    HostValue valueOf(const Name& name);
    [[nodiscard]] Name nameHere();
    [[nodiscard]] bool namesType(const std::string& name) const;

    // host_calls.cpp
    HostValue callNamed(const std::string& name, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate, std::size_t at);
    HostValue callLibrary(const std::string& name, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate, std::size_t at);
    HostValue callRuntime(const std::string& name, std::vector<HostValue>& arguments, std::size_t at);
    void forgetWritten(const std::vector<HostValue>& arguments);
    std::optional<HostValue> byOperator(std::string_view op, const HostValue& left, const std::vector<HostValue>& others);
    HostValue callMember(const HostValue& object, const std::string& name, std::vector<HostValue> arguments, const std::vector<std::string>& ofTemplate);
    HostValue callMemberOfList(const HostValue& list, const std::string& name, const std::vector<HostValue>& arguments);
    void append(const HostValue& list, bool isEmplaced, const std::vector<HostValue>& arguments);
    void callFunctionsAmong(const std::vector<HostValue>& arguments);
    [[nodiscard]] HostValue thisObject() const;
    [[nodiscard]] std::optional<std::array<Symbolic, 2>> drawnInto(Range code);
    void readAssigned(int buffer, std::size_t call, std::size_t argument);
    [[nodiscard]] std::optional<RealRange> realsIn(Range code);
    [[nodiscard]] HostScope* scopeAround(std::size_t at) const;
    HostValue evaluateThere(Range range);
    [[nodiscard]] Range originOf(Range code) const;
    HostValue allocate(const HostValue& target, const HostValue& bytes);
    [[nodiscard]] std::int64_t knownFactors(Range product);
    HostValue allocatePitched(std::vector<HostValue> arguments, std::size_t at);
    [[nodiscard]] std::optional<ProgramConstant::Value> constantOf(const HostValue& value, int depth) const;
    void copyToSymbol(const HostValue& value, std::size_t at, bool isWhole);
    [[nodiscard]] std::size_t shapeEnd(std::size_t at) const;
    [[nodiscard]] Range lastMade(std::string_view name, std::size_t before) const;
    std::string unknownIn(Range range, int depth = 0);
    void launchByConfig(std::vector<HostValue> arguments, std::size_t at);
    void launchThroughRuntime(const std::vector<HostValue>& arguments, std::size_t at);

    [[nodiscard]] const Token& token(std::size_t at) const { return m_program.token(at); }

    HostProgram& m_program;
    std::set<std::string, std::less<>> m_unreadTypes; ///< names that the code gives to types of which nobody knows what they are
    std::map<std::string, std::string, std::less<>> m_templateAliases; ///< of class templates, with the same first argument
    std::vector<ProgramConstant> m_constants; ///< what the GPU's variables hold by now
    ProgramLaunches m_found;
    std::deque<HostScope> m_scopes; ///< all: values point to them, in circles
    HostScope *m_globals, *m_scope;
    HostValue m_returned;
    std::size_t m_at = 0, m_end = 0; ///< of the expression
    Symbolic m_turns = Symbolic::ofInteger(1); ///< of the loops around, as far as each is read once
    RegistersOf m_registersOf;
    std::map<std::string, std::int64_t> m_guesses;
    std::vector<HostNumber> m_numbers;
    bool m_counting = false; ///< a loop's step is being evaluated
    std::set<std::string, std::less<>> m_guessedCounts; ///< parameters
    std::set<std::string, std::less<>> m_sizesRead; ///< variables that get their values from the program's input or a file
    std::map<std::string, std::int64_t> m_guessedMembers; ///< of objects of types that are not known
    bool m_isGuessing = false; ///< integers that are not known: the shape of a launch is being evaluated
    bool m_guessesThreads = false; ///< of a block
    std::int64_t m_elementBytes = 0; ///< of the pitched memory whose size is being guessed; 0: of none
    int m_muted = 0; ///< above 0: what is evaluated has no effect
    int m_depth = 0; ///< of calls
    int m_nested = 0; ///< of expressions and statements
    int m_unsure = 0; ///< above 0: inside of a branch that may not be taken
    std::map<std::string, std::int64_t> m_asked; ///< of the branches that are not taken around
    int m_aside = 0; ///< above 0: inside of one that is not
    int m_unasked = 0; ///< above 0: nor is it known for which values it would be
    int m_loops = 0; ///< around
    int m_budget = 100'000; ///< of evaluations
    int m_kept = 0; ///< of those, for what launches: functions that do not cannot use them up
    std::set<const HostClass*> m_usedClasses; ///< somebody has made an object of it, or asked it for a constant
    std::set<const HostClass*> m_making; ///< classes of members that are being made
    int m_recursions = 300; ///< that are followed of functions that launch nothing
    std::int64_t m_tableTurns = 2000; ///< that may still be followed of loops that fill a list
    int m_statics = 0; ///< classes whose static members are being evaluated
    std::set<const HostFunction*> m_called, m_launching;
    std::set<std::string_view> m_launchingNames, m_launchingCalls; ///< of functions; of members and lambdas
    std::map<std::size_t, const HostFunction*> m_lambdas; ///< by their first token
    std::vector<int> m_bufferDepths; ///< of the calls that asked for them
    std::map<int, std::vector<int>> m_takenBy; ///< buffers, and the launches that were given them since the host last wrote to them
    std::vector<CallSite> m_calls; ///< that are being followed
    std::size_t m_open = 0; ///< the bracket of the arguments of what is called next; 0: not known
};

} // namespace coalescope::kernels
