// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_reader.h"

#include "kernels/catalogue/expression.h"
#include "kernels/compile/diagnostics.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <cmath>
#include <ranges>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kMostBuffers = 1000, kMostParameters = 1000, kMostLaunches = 200;
constexpr int kDeepestStructure = 4;
constexpr double kLargestParameter = 1u << 31; ///< of a manifest

} // namespace

HostReader::HostReader(HostProgram& program, RegistersOf registersOf, std::map<std::string, std::int64_t> guesses, std::vector<HostNumber> numbers)
    : m_program(program)
    , m_globals(newScope(nullptr))
    , m_scope(m_globals)
    , m_registersOf(std::move(registersOf))
    , m_guesses(std::move(guesses))
    , m_numbers(std::move(numbers))
{
}

HostScope* HostReader::newScope(HostScope* outer)
{
    m_scopes.emplace_back();
    m_scopes.back().outer = outer;
    return &m_scopes.back();
}

ProgramLaunches HostReader::read()
{
    readGlobals();
    findLaunching();
    if (const HostFunction* main = m_program.function("main", 0)) {
        std::vector<HostValue> arguments;
        if (!main->parameters.empty())
            arguments.push_back(HostValue::of(Symbolic::ofInteger(1))); // argc
        call(*main, std::move(arguments), {}, m_globals);
    }
    readLaunchers();
    for (const Token& token : m_program.tokens())
        if (startsLaunch(token))
            m_found.places.push_back({ m_program.text().lineOf(token), m_program.text().fileOf(token) });
    for (const auto& [name, type] : m_program.classes())
        if (LaunchArgument object = unknownStructure(type, kDeepestStructure); object.kind == LaunchArgument::Kind::Structure)
            m_found.structures.emplace(name, std::move(object));
    return std::move(m_found);
}

void HostReader::readGlobals()
{
    for (const std::string_view name : m_program.text().constantNames()) // kernels may use what the host does not
        if (const auto range = m_program.text().constant(name))
            named(std::string(name), evaluate({ range->first, range->second }), Naming::Define);
    for (const Declaration& type : m_program.types()) {
        const std::vector<Token>& all = m_program.tokens();
        std::size_t at = type.first + 1;
        if (all[type.first].is("template")) { // template <class T> using Name = vector<T, Allocator<T>>
            at = behindAngle(all, at, AngleIn::Declaration) + 3;
            const std::string_view name = at < type.last ? all[at - 2].text : std::string_view {};
            if (const auto target = at < type.last ? typeAt(at, type.last) : std::nullopt; target && !target->arguments.empty())
                m_templateAliases[std::string(name)] = target->name;
            continue;
        }
        if (type.names.empty())
            continue;
        if (all[type.first].is("using"))
            at = type.first + 3;
        if (const auto named = typeAt(at, type.last); named && named->name != type.names.back() && at <= type.last)
            m_globals->types[std::string(type.names.back())] = named->text();
    }
    m_found.aliases = m_globals->types;
    m_found.aliases.merge(m_program.text().renamings());
    auto enumerator = m_program.enumerators().begin();
    std::int64_t next = 0;
    const auto readEnumerators = [&](std::size_t before) {
        for (; enumerator != m_program.enumerators().end() && enumerator->at < before; ++enumerator)
            next = readEnumerator(*enumerator, next) + 1;
    };
    for (const Declaration& variable : m_program.variables()) {
        std::size_t at = variable.first;
        readEnumerators(at);
        if (token(at).is("template") || !startsDeclaration(at, variable.last))
            continue;
        declaration(at, variable.last, false);
        const auto tokens = std::span(m_program.tokens()).subspan(variable.first, variable.last - variable.first);
        if (std::ranges::none_of(tokens, [](const Token& token) { return token.is("const") || token.is("constexpr"); }))
            continue;
        for (const std::string_view name : variable.names) { // kernels may see them, too
            const auto known = m_globals->values.find(name);
            if (known == m_globals->values.end() || !known->second.isNumber())
                continue;
            const auto parameter = std::ranges::find(m_found.parameters, known->second.number.text(), &ProgramParameter::name);
            if (parameter != m_found.parameters.end() && parameter->define.empty())
                parameter->define = name;
        }
    }
    readEnumerators(m_program.tokens().size());
}

/// Its value: `next` where nothing else is said.
std::int64_t HostReader::readEnumerator(const Enumerator& enumerator, std::int64_t next)
{
    HostValue value = HostValue::of(Symbolic::ofInteger(enumerator.isFirst ? 0 : next));
    if (enumerator.first < enumerator.last)
        if (const HostValue given = evaluate({ enumerator.first, enumerator.last }); given.isNumber())
            value = HostValue::of(Symbolic::ofInteger(given.number.asInteger()));
    value.isEnumerator = !enumerator.isLocal; // of which kernels know nothing
    value.type = "int";
    m_globals->values[enumerator.name] = m_globals->values[enumerator.ofEnumeration + "::" + enumerator.name] = value;
    return value.number.asInteger();
}

/// The functions that launch, themselves or through others, and the names of the members and lambdas that do.
void HostReader::findLaunching()
{
    for (bool grows = true; grows;) {
        grows = false;
        for (const HostFunction& function : m_program.everyFunction()) {
            const bool isMember = !function.ofClass.empty();
            const bool isKnown = isMember ? m_launchingCalls.contains(function.name) : m_launching.contains(&function);
            if (isKnown || !launchesIn({ function.bodyFirst, function.bodyLast }))
                continue;
            grows = true;
            if (isMember)
                m_launchingCalls.insert(function.name);
            else if (m_launching.insert(&function).second)
                m_launchingNames.insert(function.name);
        }
        for (std::size_t i = 0; i + 2 < m_program.tokens().size(); ++i) { // auto name = [&] { ... };
            const bool isLambda = token(i).isWord() && token(i + 1).is("=") && token(i + 2).is("[");
            if (isLambda && !m_launchingCalls.contains(token(i).text) && launchesIn({ i + 2, behindStatement(i + 2, m_program.tokens().size()) }))
                grows = m_launchingCalls.insert(token(i).text).second;
        }
    }
}

/// As far as is known by then.
bool HostReader::launchesIn(Range code) const
{
    for (std::size_t i = code.first; i < code.last; ++i) {
        const bool names = token(i).isWord() && (token(i).text.starts_with("cudaLaunch") || m_launchingNames.contains(token(i).text));
        const bool calls = token(i).isWord() && (token(i + 1).is("(") || token(i + 1).is("<")) && m_launchingCalls.contains(token(i).text)
            && (i == 0 || !token(i - 1).is("::"));
        if (names || calls || token(i).is("<<<"))
            return true;
    }
    return false;
}

bool HostReader::isOfLibrary(const HostFunction& function) const { return m_program.text().isOfLibrary(token(function.bodyFirst)); }

int HostReader::newBuffer(const std::string& name, std::optional<Symbolic> bytes, const std::string& type)
{
    if (m_muted || m_found.buffers.size() >= kMostBuffers)
        return -1;
    const auto isOfLibraryToo = [&](const CallSite& call) { return isOfLibrary(*call.function); };
    const bool isExample = !m_calls.empty() && (std::ranges::all_of(m_calls, isOfLibraryToo) || (isOfLibraryToo(m_calls.back()) && m_calls.back().function->name == "alike"));
    m_found.buffers.push_back({ .name = name, .bytes = std::move(bytes), .type = type, .isExample = isExample });
    m_bufferDepths.push_back(m_depth);
    return int(m_found.buffers.size()) - 1;
}

/// A parameter whose value nobody knows.
HostValue HostReader::guessed(const std::string& name, std::int64_t number)
{
    if (const auto given = m_guesses.find(name); given != m_guesses.end())
        number = given->second;
    if (const auto empty = std::ranges::find(m_found.parameters, name, &ProgramParameter::name);
        empty != m_found.parameters.end() && empty->value == 0 && !m_muted) // as it was declared: int n = 0;
        empty->value = number;
    HostValue value = named(name, HostValue::of(Symbolic::ofInteger(number)));
    const auto parameter = std::ranges::find(m_found.parameters, value.number.text(), &ProgramParameter::name);
    if (parameter != m_found.parameters.end())
        parameter->isGuessed = true;
    return value;
}

/// The one of the numbers given that is this constant: of "n" with the value "n_3" has, that.
const HostNumber* HostReader::givenFor(const std::string& name, std::int64_t value) const
{
    const auto isIt = [&](const HostNumber& number) {
        const std::string_view rest = std::string_view(number.name).substr(std::min(name.size(), number.name.size()));
        return number.before == value && number.name.starts_with(name) && (rest.empty() || (rest.size() > 1 && rest[0] == '_' && rest.find_first_not_of("0123456789", 1) == rest.npos));
    };
    const auto given = std::ranges::find_if(m_numbers, isIt);
    return given == m_numbers.end() ? nullptr : &*given;
}

/// A constant integer becomes a parameter of that name; other values stay as they are.
HostValue HostReader::named(const std::string& name, HostValue value, Naming how)
{
    const bool isDefine = how == Naming::Define;
    if (value.kind == HostKind::Dim3) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (value.dims[i].isConstant() && value.dims[i].integer > 1)
                value.dims[i] = named(name + "_" + "xyz"[i], HostValue::of(value.dims[i]), Naming::Dimension).number;
        }
        return value;
    }
    const HostFunction* const within = m_calls.empty() ? nullptr : m_calls.back().function;
    const bool isWithinLibrary = within && isOfLibrary(*within), isExample = isWithinLibrary && within->name == "main";
    if (!value.isNumber() || value.isEnumerator || value.number.isReal || !value.number.isConstant() || m_muted || m_found.parameters.size() >= kMostParameters
        || std::abs(value.number.asReal()) > kLargestParameter || (isWithinLibrary && !isExample))
        return value;
    std::string chosen = isExpressionName(name) ? name : name + "_";
    if (!isExpressionName(chosen))
        return value;
    if (const auto given = m_guesses.find(chosen); isExample && given != m_guesses.end())
        value.number = Symbolic::ofInteger(given->second);
    std::optional<std::int64_t> inSource;
    if (const HostNumber* const given = givenFor(chosen, value.number.integer)) {
        inSource = value.number.integer;
        value.number = Symbolic::ofInteger(given->value);
    }
    for (int number = 2;; ++number) {
        const auto known = std::ranges::find(m_found.parameters, chosen, &ProgramParameter::name);
        if (known == m_found.parameters.end()) {
            m_found.parameters.push_back({ .name = chosen, .value = value.number.integer, .define = isDefine ? name : "", .isGuessed = isExample, .isExample = isExample, .isDimension = how == Naming::Dimension, .inSource = inSource });
            break;
        }
        if (known->value == value.number.integer && (known->define.empty() || isDefine || known->define == name)) {
            if (isDefine)
                known->define = name;
            known->isDimension = known->isDimension && how == Naming::Dimension;
            break;
        }
        chosen = name + "_" + std::to_string(number);
    }
    value.number = Symbolic::ofParameter(chosen, value.number.integer);
    return value;
}

std::array<Symbolic, 3> HostReader::shapeOf(const HostValue& value, bool& isKnown) const
{
    std::array<Symbolic, 3> shape { Symbolic::ofInteger(1), Symbolic::ofInteger(1), Symbolic::ofInteger(1) };
    if (value.kind == HostKind::Dim3)
        return value.dims;
    if (value.isNumber())
        shape[0] = asInteger(value.number);
    else if (value.kind == HostKind::List && std::ranges::all_of(value.items, &HostValue::isNumber) && !value.items.empty()) {
        for (std::size_t i = 0; i < 3 && i < value.items.size(); ++i)
            shape[i] = asInteger(value.items[i].number);
    } else {
        isKnown = false;
    }
    return shape;
}

/// Its members, none of whose values is known. One that holds pointers stays unknown, too.
LaunchArgument HostReader::unknownStructure(const HostClass& type, int depth)
{
    LaunchArgument structure;
    for (const HostParameter& field : type.members) {
        const auto of = typeOf(field);
        const HostClass* nested = of ? m_program.classNamed(of->name) : nullptr;
        if (!of || of->pointers > 0 || (nested && depth == 0))
            return {};
        structure.members.push_back(nested ? unknownStructure(*nested, depth - 1) : LaunchArgument {});
        structure.memberNames.emplace_back(field.name, of->name);
    }
    if (!structure.members.empty())
        structure.kind = LaunchArgument::Kind::Structure;
    return structure;
}

bool HostReader::pointsToConst(const HostClass& type, const std::string& member)
{
    const auto field = std::ranges::find(type.members, member, &HostParameter::name);
    const auto of = field == type.members.end() ? std::nullopt : typeOf(*field);
    return of && of->pointers == 1 && of->isConst;
}

bool HostReader::isPointer(const HostClass& type, const std::string& member)
{
    const auto field = std::ranges::find(type.members, member, &HostParameter::name);
    const auto of = field == type.members.end() || field->extents > 0 ? std::nullopt : typeOf(*field);
    return of && of->pointers == 1;
}

/// Of a member that is one object of a class of the program's; null: it is none.
const HostClass* HostReader::classOf(const HostClass& type, const std::string& member)
{
    const auto field = std::ranges::find(type.members, member, &HostParameter::name);
    const auto of = field == type.members.end() || field->extents > 0 ? std::nullopt : typeOf(*field);
    return of && of->pointers == 0 ? m_program.classNamed(of->name) : nullptr;
}

LaunchArgument HostReader::argumentOf(const HostValue& value)
{
    LaunchArgument argument;
    if (value.isNumber()) {
        argument.kind = LaunchArgument::Kind::Number;
        argument.number = value.number;
    } else if (value.kind == HostKind::Pointer && (value.buffer >= 0 || value.type == "null" || value.isNull)) {
        argument.kind = value.buffer >= 0 ? LaunchArgument::Kind::Buffer : LaunchArgument::Kind::Null;
        argument.buffer = value.buffer;
        argument.element = value.type == "null" || value.type == "void" ? "" : value.type;
        argument.isOffset = value.isOffset;
        if (const auto taken = m_takenBy.find(value.buffer); taken != m_takenBy.end())
            argument.takenBefore = taken->second;
    } else if (value.kind == HostKind::Dim3) {
        argument.kind = LaunchArgument::Kind::Structure;
        argument.type = "dim3";
        for (std::size_t i = 0; i < value.dims.size(); ++i) {
            argument.members.push_back(argumentOf(HostValue::of(value.dims[i])));
            argument.memberNames.emplace_back(std::string(1, "xyz"[i]), "unsigned int");
        }
    } else if (value.kind == HostKind::Function && value.function) {
        argument.lambda = value.function->deviceLambda;
    } else if (value.kind == HostKind::Unknown && value.buffer >= 0) { // d[i], of a pointer to pointers
        argument.isOffset = true;
    } else if (value.kind == HostKind::List && value.number.asInteger() > 0 && value.number.asInteger() <= std::int64_t(kLongestMember)) {
        argument.kind = LaunchArgument::Kind::Structure; // an array in a structure
        for (std::size_t i = 0; i < std::size_t(value.number.asInteger()); ++i) {
            argument.members.push_back(argumentOf(i < value.items.size() ? value.items[i] : HostValue {}));
            argument.memberNames.emplace_back(std::to_string(i), value.type);
        }
    } else if (value.kind == HostKind::Object && value.scope) {
        argument.kind = LaunchArgument::Kind::Structure;
        argument.type = value.scope->typeText;
        const HostClass* const known = m_program.classNamed(baseName(argument.type));
        for (const std::string& name : value.scope->order) {
            const HostValue& member = value.scope->values[name];
            const HostClass* const nested = known && member.kind == HostKind::List ? classOf(*known, name) : nullptr; // `w = { a, b, c };`, of which nobody has made an object
            argument.members.push_back(nested ? unknownStructure(*nested, kDeepestStructure) : argumentOf(member));
            argument.members.back().isReadOnly = known && pointsToConst(*known, name);
            argument.members.back().isPointer = known && isPointer(*known, name);
            argument.memberNames.emplace_back(name, componentOf(argument.type).empty() ? member.type : componentOf(argument.type));
        }
    } else if (const HostClass* type = value.kind == HostKind::Unknown ? m_program.classNamed(value.type) : nullptr) {
        return unknownStructure(*type, kDeepestStructure);
    }
    return argument;
}

/// Those of structures as well.
std::set<int> HostReader::buffersOf(const std::vector<LaunchArgument>& arguments)
{
    std::set<int> buffers;
    for (const LaunchArgument& argument : arguments) {
        if (argument.kind == LaunchArgument::Kind::Buffer)
            buffers.insert(argument.buffer);
        buffers.merge(buffersOf(argument.members));
    }
    return buffers;
}

/// A grid of guessed size does work of a size that is not told: only where the guess is among the arguments, too, are both of the same.
void HostReader::refuseGuessForNothing(ProgramLaunch& launch, std::size_t at)
{
    const auto guessedIn = [&](const Symbolic& number) {
        const auto found = std::ranges::find_if(number.parameters, [&](const std::string& name) { return m_guessedCounts.contains(name); });
        return found == number.parameters.end() ? std::string() : *found;
    };
    const std::function<bool(const LaunchArgument&)> passes = [&](const LaunchArgument& argument) {
        return (argument.kind == LaunchArgument::Kind::Number && !guessedIn(argument.number).empty()) || std::ranges::any_of(argument.members, passes);
    };
    if (!launch.isShapeKnown || std::ranges::any_of(launch.arguments, passes))
        return;
    const auto check = [&](const std::array<Symbolic, 3>& sizes, bool& isKnown) {
        for (const Symbolic& size : sizes) {
            const std::string name = guessedIn(size);
            if (name.empty())
                continue;
            const std::string within = unknownIn(lastMade(name, at));
            launch.unknown = within.empty() ? name : within;
            launch.isShapeKnown = isKnown = false;
        }
    };
    check(launch.block, launch.isBlockKnown);
    check(launch.grid, launch.isGridKnown);
}

/// Whether a kernel's template arguments name a pack, a parameter of one of the host's templates, or a type that could not be read.
bool HostReader::isOpen(const std::string& entry) const
{
    const std::string arguments = entry.substr(std::min(entry.find('<'), entry.size()));
    const std::vector<Token> tokens = tokensOf(arguments);
    return std::ranges::any_of(tokens, [&](const Token& token) {
        const auto isOfTemplate = [&](const auto& declared) { return std::ranges::find(declared.ofTemplate, token.text, &HostParameter::name) != declared.ofTemplate.end(); };
        const bool isOfTheProgram = token.offset > 0 && arguments[token.offset - 1] == '{'; // a parameter of its
        const bool isName = token.isWord() && !isOfTheProgram;
        return token.is("...") || (isName && (m_unreadTypes.contains(token.text) || std::ranges::any_of(m_program.everyFunction(), isOfTemplate) || std::ranges::any_of(m_program.classes() | std::views::values, isOfTemplate)));
    });
}

/// What a variable is made of where it is set last before a token: `grid(n / 4)`, `grid = n / 4`.
TokenRange HostReader::lastMade(std::string_view name, std::size_t before) const
{
    static constexpr std::array<std::string_view, 3> kMakes { "=", "(", "{" };
    for (std::size_t i = before; i-- > 0;) {
        if (!token(i).is(name) || !isOneOf(token(i + 1).text, kMakes))
            continue;
        std::size_t end = i + 2;
        while (end < before && !token(end).is(";"))
            ++end;
        return { i + 2, end };
    }
    return {};
}

/// Of a function that is not the program's, nor known here.
bool HostReader::isUnknownCall(std::size_t at) const
{
    const std::string name(token(at).text);
    const bool isOfCuda = name.starts_with("cuda") || name.starts_with("make_");
    return token(at).isWord() && token(at + 1).is("(") && at > 0 && !token(at - 1).is(".") && !token(at - 1).is("->") && !isOfCuda && bytesOfType(name) == 0 && !namesType(name) && m_program.functionsNamed(name).empty();
}

/// The first name among these tokens, or among those that a variable there was made of, of which nothing is known: "n", "Config::kBlock", or,
/// where all names are known, a function's, "sizeOf()"; empty: there is none.
std::string HostReader::unknownIn(Range range, int depth)
{
    constexpr int kDeepest = 4;
    static constexpr std::array<std::string_view, 4> kBefore { ".", "->", "::", "<" }, kBehind { "(", "::", "<", "{" };
    std::string called;
    for (std::size_t i = range.first; i < range.last; ++i) {
        if (token(i).isWord() && token(i + 1).is("::") && !token(i - 1).is("::")) { // Config::kBlock
            std::size_t end = i + 1;
            while (token(end).is("::") && token(end + 1).isWord())
                end += 2;
            if (end <= range.last && !isOneOf(token(end).text, kBehind) && bytesOfType(token(end - 1).text) == 0 && evaluate({ i, end }).kind == HostKind::Unknown)
                return textOf({ i, end });
        }
        if (called.empty() && isUnknownCall(i))
            called = std::string(token(i).text) + "()";
        if (!token(i).isWord() || isOneOf(token(i - 1).text, kBefore) || (i + 1 < m_program.tokens().size() && isOneOf(token(i + 1).text, kBehind)))
            continue;
        const std::string name(token(i).text);
        const HostPlace place = find(name);
        const HostValue value = at(place);
        const bool isOfUnknownClass = value.kind == HostKind::Pointer && !value.scope && i + 2 < range.last && token(i + 1).is("->");
        if (isOfUnknownClass)
            return name + "->" + std::string(token(i + 2).text);
        if (place.name.empty() ? bytesOfType(name) > 0 || evaluate({ i, i + 1 }).kind != HostKind::Unknown
                               : value.kind != HostKind::Unknown && value.kind != HostKind::Object)
            continue;
        if (const Range made = lastMade(name, range.first); made.first < made.last && depth < kDeepest)
            if (std::string within = unknownIn(made, depth + 1); !within.empty())
                return within;
        const bool isMember = i + 2 < range.last && (token(i + 1).is(".") || token(i + 1).is("->"));
        if (value.kind == HostKind::Object) {
            if (!isMember || !value.scope)
                continue;
            const auto held = value.scope->values.find(std::string(token(i + 2).text));
            if (held == value.scope->values.end() || held->second.kind != HostKind::Unknown)
                continue;
        }
        return isMember ? name + std::string(token(i + 1).text) + std::string(token(i + 2).text) : name;
    }
    return called;
}

/// Of a launch that stands there, among the others.
int HostReader::placeOf(std::size_t at) const
{
    const auto first = m_program.tokens().begin();
    return int(std::count_if(first, first + std::ptrdiff_t(std::min(at + 1, m_program.tokens().size())), [](const Token& token) { return startsLaunch(token); }));
}

namespace {

/// What a launch gives other integers than when it was made first.
void noteLater(ProgramLaunch& first, const ProgramLaunch& again, const std::vector<ProgramParameter>& parameters)
{
    const auto isGuessed = [&](const Symbolic& number) {
        return std::ranges::any_of(parameters, [&](const ProgramParameter& parameter) { return parameter.isGuessed && std::ranges::find(number.parameters, parameter.name) != number.parameters.end(); });
    };
    const auto isInteger = [](const LaunchArgument& argument) { return argument.kind == LaunchArgument::Kind::Number && !argument.number.isReal; };
    for (std::size_t i = 0; i < std::min(first.arguments.size(), again.arguments.size()); ++i) {
        const LaunchArgument &before = first.arguments[i], &now = again.arguments[i];
        const bool isOther = now.kind == LaunchArgument::Kind::Unknown ? !now.isPointer : isInteger(now) && now.number.integer != before.number.integer;
        if (!isInteger(before) || !isOther)
            continue;
        std::vector<std::int64_t>& others = first.later[i];
        if (isInteger(now) && !isGuessed(now.number) && std::ranges::find(others, now.number.integer) == others.end())
            others.push_back(now.number.integer);
    }
}

} // namespace

void HostReader::launch(const HostValue& kernel, const HostValue& grid, const HostValue& block, const HostValue& shared,
    const std::vector<HostValue>& arguments, std::size_t at)
{
    if (m_muted || kernel.kind != HostKind::Kernel || m_found.launches.size() >= kMostLaunches)
        return;
    ProgramLaunch launch { .entry = kernel.type, .isShapeKnown = true, .line = m_program.text().lineOf(token(at)), .file = m_program.text().fileOf(token(at)) };
    launch.place = placeOf(at);
    launch.kernel = baseName(kernel.type);
    launch.isOpen = isOpen(kernel.type);
    launch.isGridKnown = launch.isBlockKnown = true;
    launch.grid = shapeOf(grid, launch.isGridKnown);
    launch.block = shapeOf(block, launch.isBlockKnown);
    launch.isShapeKnown = launch.isGridKnown && launch.isBlockKnown;
    if (!launch.isShapeKnown && token(at).is("<<<"))
        launch.unknown = unknownIn({ at + 1, shapeEnd(at + 1) });
    if (shared.isNumber())
        launch.sharedBytes = asInteger(shared.number);
    for (const HostValue& argument : arguments)
        launch.arguments.push_back(argumentOf(argument));
    launch.constants = m_constants;
    launch.isAside = m_aside > 0;
    launch.asked = m_asked;
    launch.isAskedWhole = m_aside > 0 && m_unasked == 0;
    refuseGuessForNothing(launch, at);
    const std::set<int> buffers = buffersOf(launch.arguments);
    const bool isAside = launch.isAside;
    const bool isOfSeveral = m_program.isOfSeveralKernels(launch.kernel);
    const auto isAlike = [&](const LaunchArgument& one, const LaunchArgument& other) { // which of several kernels it is may be told by what it is given only
        if (one.type != other.type || !isOfSeveral || one.kind != other.kind)
            return one.type == other.type;
        if (one.kind == LaunchArgument::Kind::Number)
            return one.number.isReal == other.number.isReal;
        return one.element.empty() || other.element.empty() || one.element == other.element;
    };
    const auto isOtherShape = [&](const ProgramLaunch& other) { // as the second level of a reduction
        const auto differ = [](const Symbolic& one, const Symbolic& two) { return one.text() != two.text(); };
        return other.place != launch.place && !launch.isAside && !other.isAside && launch.isShapeKnown && other.isShapeKnown
            && (!std::ranges::equal(other.grid, launch.grid, std::not_fn(differ)) || !std::ranges::equal(other.block, launch.block, std::not_fn(differ)));
    };
    const auto known = std::ranges::find_if(m_found.launches, [&](const ProgramLaunch& other) {
        return other.entry == launch.entry && std::ranges::equal(other.arguments, launch.arguments, isAlike) && !isOtherShape(other);
    });
    std::size_t place = std::size_t(known - m_found.launches.begin());
    if (known != m_found.launches.end()) {
        const std::set<int> own = buffersOf(known->arguments);
        const auto bytesOf = [&](int buffer) { return m_found.buffers[std::size_t(buffer)].bytes.value_or(Symbolic::ofInteger(-1 - buffer)).integer; };
        for (std::size_t i = 0; i < launch.arguments.size(); ++i)
            if (const int buffer = launch.arguments[i].buffer, first = known->arguments[i].buffer; buffer >= 0 && first >= 0 && !own.contains(buffer) && bytesOf(buffer) == bytesOf(first))
                known->again.try_emplace(buffer, first);
        if (!known->isAside && !launch.isAside) {
            noteLater(*known, launch, m_found.parameters);
            known->isLaterOpen = known->isLaterOpen || m_loops > 0; // of which not every turn is read
        }
        const bool isTaken = known->isAside && !launch.isAside && launch.isShapeKnown;
        if (isTaken || (!known->isShapeKnown && launch.isShapeKnown))
            *known = std::move(launch);
    } else if (std::ranges::count(m_found.launches, launch.kernel, &ProgramLaunch::kernel) < kMostOfAKernel) {
        m_found.launches.push_back(std::move(launch));
    } else {
        place = m_found.launches.size();
    }
    for (const int buffer : buffers)
        if (std::vector<int>& taken = m_takenBy[buffer]; !isAside && place < m_found.launches.size() && std::ranges::find(taken, int(place)) == taken.end())
            taken.push_back(int(place));
}

namespace {

/// How good a program's guesses are: launches of which the shape is known, and how many blocks they have.
std::pair<std::ptrdiff_t, double> worthOf(const ProgramLaunches& found)
{
    constexpr double kMostBlocks = 1 << 20; ///< more are no better, and far more are none at all
    std::pair<std::ptrdiff_t, double> worth { 0, 0 };
    for (const ProgramLaunch& launch : found.launches) {
        double blocks = launch.isShapeKnown ? 1 : 0;
        for (std::size_t i = 0; i < 3; ++i)
            blocks *= launch.block[i].asInteger() < 1 ? 0 : double(std::max<std::int64_t>(launch.grid[i].asInteger(), 0));
        if (blocks < 1 || blocks > double(std::numeric_limits<std::uint32_t>::max()))
            continue;
        ++worth.first;
        worth.second += std::min(blocks, kMostBlocks);
    }
    return worth;
}

/// One that is made of guesses.
bool isGuess(const ProgramParameter& parameter) { return parameter.isGuessed || parameter.isExample; }

} // namespace

ProgramLaunches launchesOf(std::vector<ProgramFile> files, RegistersOf registersOf, std::vector<HostNumber> numbers)
{
    const ProgramText text(std::move(files));
    std::map<std::string, std::int64_t> guesses;
    const auto read = [&] {
        HostProgram program(text);
        return HostReader(program, registersOf, guesses, numbers).read();
    };
    ProgramLaunches found = read();
    auto best = worthOf(found);
    if (best.first == std::ptrdiff_t(found.launches.size()))
        return found;
    // A guess may make a grid of no block, or of more than there are: then one guess at a time is made another.
    constexpr std::size_t kMostGuesses = 6;
    std::vector<std::string> names;
    const std::vector<ProgramParameter> first = found.parameters;
    for (const ProgramParameter& parameter : first)
        if (isGuess(parameter) && names.size() < kMostGuesses)
            names.push_back(parameter.name);
    for (const std::string& name : names) {
        for (const std::int64_t value : { 1 << 16, 16, 4 }) {
            guesses = { { name, value } };
            ProgramLaunches other = read();
            if (const auto worth = worthOf(other); worth > best && other.launches.size() >= found.launches.size()) {
                best = worth;
                const auto guess = std::ranges::find(first, name, &ProgramParameter::name);
                found = std::move(other);
                found.guesses = { { name, guess->value, value } };
            }
        }
    }
    return found;
}

} // namespace coalescope::kernels
