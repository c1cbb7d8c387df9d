// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/host_launch.h"

#include "kernels/catalogue/expression.h"
#include "kernels/compile/diagnostics.h"
#include "kernels/source/parameter_types.h"
#include "kernels/source/template_deduction.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace coalescope::kernels {
namespace {

constexpr std::string_view kNoInstance = "?"; ///< of a template's launch that following the host's code does not come to

bool isNumberText(std::string_view text) { return !text.empty() && (std::isdigit(static_cast<unsigned char>(text.back())) != 0) && text.find_first_not_of("-0123456789") == text.npos; }

Symbolic newParameter(ProgramLaunches& program, const std::string& name, std::int64_t value)
{
    const std::string plain = isExpressionName(name) ? name : name + "_";
    std::string chosen = plain;
    for (int number = 2; std::ranges::find(program.parameters, chosen, &ProgramParameter::name) != program.parameters.end(); ++number)
        chosen = plain + "_" + std::to_string(number);
    program.parameters.push_back({ .name = chosen, .value = value, .define = {}, .isOfHost = true });
    return Symbolic::ofParameter(chosen, value);
}

class Correction {
public:
    Correction(ProgramLaunches& program, ProgramLaunch& launch, const HostLaunch& told)
        : m_program(program)
        , m_launch(launch)
        , m_told(told)
    {
    }

    void integers(LaunchArgument& argument, const std::string& path, const std::string& name)
    {
        for (std::size_t i = 0; i < argument.members.size() && i < argument.memberNames.size(); ++i)
            integers(argument.members[i], path + "." + argument.memberNames[i].first, isNumberText(argument.memberNames[i].first) ? name + "_" + argument.memberNames[i].first : argument.memberNames[i].first);
        const auto told = m_told.integers.find(path);
        const bool isNumber = argument.kind == LaunchArgument::Kind::Number && !argument.number.isReal;
        if (isNumber && told == m_told.integers.end())
            guess(argument, name); // following came to the launch, but not by way of what makes this
        if (told == m_told.integers.end() || (!isNumber && (argument.kind != LaunchArgument::Kind::Unknown || argument.isPointer)))
            return;
        if (isNumberText(std::string_view(path).substr(path.rfind('.') + 1)) && path.find('.') != path.npos) { // of an array in an object, which may have many
            argument.kind = LaunchArgument::Kind::Number;
            if (isNumber && argument.number.integer == told->second && !isGuessed(argument.number))
                return;
            argument.number = Symbolic::ofInteger(told->second);
            m_launch.isWorkedOut = true;
            return;
        }
        if (!isNumber || argument.number.integer != told->second || isGuessed(argument.number)) {
            argument.kind = LaunchArgument::Kind::Number;
            const Symbolic& before = argument.number;
            const bool hadName = before.parameters.size() == 1 && before.text() == before.parameters[0] && isGuessed(before); // else that is another number
            argument.number = parameter(hadName ? before.parameters[0] : name, told->second);
            note(name);
            m_isCorrected = true;
        }
        m_numbers.push_back(argument.number);
    }

    /// Of real numbers, those that reading the code has not told, or has told otherwise.
    void reals(LaunchArgument& argument, const std::string& path)
    {
        constexpr double kSame = 1e-6; ///< relative
        for (std::size_t i = 0; i < argument.members.size() && i < argument.memberNames.size(); ++i)
            reals(argument.members[i], path + "." + argument.memberNames[i].first);
        const auto told = m_told.reals.find(path);
        const bool isNumber = argument.kind == LaunchArgument::Kind::Number;
        if (told == m_told.reals.end() || (!isNumber && (argument.kind != LaunchArgument::Kind::Unknown || argument.isPointer)))
            return;
        const bool isSame = isNumber && !isGuessed(argument.number) && std::abs(argument.number.asReal() - told->second) <= kSame * std::abs(told->second);
        if (isSame)
            return;
        argument.kind = LaunchArgument::Kind::Number;
        argument.number = Symbolic::ofReal(told->second);
        m_launch.isWorkedOut = true;
    }

    void shape()
    {
        if (m_told.grid && m_told.block)
            extents();
        else if (m_isCorrected && m_launch.isShapeKnown) // it may be made of what reading has told otherwise
            guessGrid();
        const bool isOther = m_told.sharedBytes && (!m_launch.sharedBytes || m_launch.sharedBytes->integer != *m_told.sharedBytes);
        if (isOther && m_launch.isShapeKnown) {
            m_launch.sharedBytes = bytes(*m_told.sharedBytes);
            note("dynamic shared memory");
        }
    }

    void guessGrid()
    {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (Symbolic& blocks = m_launch.grid[axis]; axis == 0 || blocks.integer > 1) {
                blocks = newParameter(m_program, std::string("blocks_") + "xyz"[axis], blocks.integer);
                m_program.parameters.back().isGuessed = true;
            }
    }

    void extents()
    {
        const bool isKnown = std::exchange(m_launch.isShapeKnown, true);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (const std::int64_t size = (*m_told.block)[axis]; !isKnown || m_launch.block[axis].integer != size) {
                m_launch.block[axis] = Symbolic::ofInteger(size);
                note("block");
            }
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (const std::int64_t size = (*m_told.grid)[axis]; !isKnown || m_launch.grid[axis].integer != size) {
                m_launch.grid[axis] = blocks(size, m_launch.block[axis]);
                note("grid");
            }
    }

    /// What a number that is told is made of: itself, or so many times one of the arguments.
    [[nodiscard]] Symbolic bytes(std::int64_t size) const
    {
        constexpr std::int64_t kMostWidth = 64;
        for (const Symbolic& number : m_numbers)
            if (number.integer > 1 && !number.isConstant() && size % number.integer == 0 && size / number.integer <= kMostWidth)
                return applied("*", number, Symbolic::ofInteger(size / number.integer));
        return Symbolic::ofInteger(size);
    }

private:
    [[nodiscard]] Symbolic blocks(std::int64_t count, const Symbolic& threads) const
    {
        if (count <= 1)
            return Symbolic::ofInteger(count);
        for (const Symbolic& number : m_numbers) {
            if (number.isConstant() || number.isReal)
                continue;
            if (Symbolic ofThreads = dividedUp(number, threads); ofThreads.integer == count)
                return ofThreads;
            if (number.integer == count)
                return number;
        }
        return Symbolic::ofInteger(count);
    }

    /// One of the numbers that it is made of is.
    [[nodiscard]] bool isGuessed(const Symbolic& number) const
    {
        return std::ranges::any_of(m_program.parameters, [&](const ProgramParameter& parameter) {
            return parameter.isGuessed && !parameter.isExample && std::ranges::find(number.parameters, parameter.name) != number.parameters.end();
        });
    }

    void guess(LaunchArgument& argument, const std::string& name)
    {
        if (m_told.grid && m_told.block && !argument.number.parameters.empty() && !isGuessed(argument.number)) { // the launch's alone: of others it may be told
            argument.number = newParameter(m_program, name, argument.number.integer);
            m_program.parameters.back().isGuessed = true;
            return;
        }
        if (argument.number.parameters.empty())
            argument.number = parameter(name, argument.number.integer);
        for (ProgramParameter& parameter : m_program.parameters)
            parameter.isGuessed = parameter.isGuessed || std::ranges::find(argument.number.parameters, parameter.name) != argument.number.parameters.end();
    }

    /// One of the program's with this value, of the name or made for another launch; else a new one.
    Symbolic parameter(const std::string& name, std::int64_t value)
    {
        std::string chosen = name;
        for (int number = 2;; ++number) {
            const auto known = std::ranges::find(m_program.parameters, chosen, &ProgramParameter::name);
            if (known == m_program.parameters.end())
                break;
            if (known->value == value && !known->isGuessed && (known->isOfHost || chosen == name))
                return Symbolic::ofParameter(chosen, value);
            chosen = name + "_" + std::to_string(number);
        }
        return newParameter(m_program, chosen, value);
    }

    void note(const std::string& what)
    {
        m_launch.isWorkedOut = true;
        if (std::ranges::find(m_launch.corrected, what) == m_launch.corrected.end())
            m_launch.corrected.push_back(what);
    }

    ProgramLaunches& m_program;
    ProgramLaunch& m_launch;
    const HostLaunch& m_told;
    std::vector<Symbolic> m_numbers; ///< among the arguments
    bool m_isCorrected = false; ///< one of them is
};

/// Whether an argument of a template, as following the host's code tells it, may be what stands in the source.
bool maySay(const std::string& told, const std::string& written)
{
    if (told.empty())
        return true;
    if (written == "true" || written == "false")
        return told == (written == "true" ? "1" : "0");
    if (isNumberText(written))
        return told == written;
    const PlainType *const plain = plainType(written), *const plainTold = plainType(told);
    return !plain || plain->elements != 1 || (plainTold && plainTold->element == plain->element);
}

/// The arguments of a template as HostBuffer::instance has them.
std::vector<std::string> argumentsOf(const std::string& instance)
{
    return instance.empty() ? std::vector<std::string> {} : templateArgumentsOf("k<" + instance + ">");
}

/// The arguments of a launch's template, as they stand in the source, parameters by their values.
std::vector<std::string> writtenArguments(const ProgramLaunches& program, const ProgramLaunch& launch)
{
    std::vector<std::string> written = templateArgumentsOf(launch.entry);
    for (std::string& argument : written)
        if (argument.starts_with('{'))
            if (const auto known = std::ranges::find(program.parameters, std::string_view(argument).substr(1, argument.size() - 2), &ProgramParameter::name); known != program.parameters.end())
                argument = std::to_string(known->value);
    return written;
}

bool maySay(const std::vector<std::string>& told, const std::vector<std::string>& written)
{
    const auto both = std::ptrdiff_t(std::min(told.size(), written.size()));
    return std::equal(told.begin(), told.begin() + both, written.begin(), [](const std::string& one, const std::string& other) { return maySay(one, other); });
}

/// How many are the same, word for word.
std::ptrdiff_t equalArguments(const std::vector<std::string>& told, const std::vector<std::string>& written)
{
    std::ptrdiff_t equal = 0;
    for (std::size_t i = 0; i < std::min(told.size(), written.size()); ++i)
        equal += told[i] == written[i];
    return equal;
}

/// Writes the template's arguments of classes out that the source leaves to their defaults: "sum<Scratch<float,256>>" of "sum<Scratch>".
void complete(std::string& entry, const std::vector<std::string>& told)
{
    std::vector<std::string> written = templateArgumentsOf(entry);
    for (std::size_t i = 0; i < std::min(written.size(), told.size()); ++i)
        if (const std::size_t open = told[i].find('<'); open != told[i].npos && written[i].find('<') == written[i].npos && told[i].substr(0, open) == baseName(written[i]))
            written[i] += told[i].substr(open);
    if (!written.empty())
        entry = entry.substr(0, entry.find('<')) + "<" + fmt::format("{}", fmt::join(written, ",")) + ">";
}

} // namespace

HostBuffer hostBufferOf(const ProgramLaunch& launch, const std::string& argument)
{
    return { .launch = launch.place, .instance = launch.instance, .kernel = launch.kernel, .argument = argument, .isAside = launch.isHostAside };
}

void matchInstance(const ProgramLaunches& program, ProgramLaunch& launch, const HostContents& host)
{
    const std::vector<std::string> written = writtenArguments(program, launch);
    std::set<std::string> others; // which launches before it are
    std::vector<std::vector<std::string>> writtenOfOthers;
    for (const ProgramLaunch& other : program.launches)
        if (other.place == launch.place && other.kernel == launch.kernel && &other != &launch) {
            writtenOfOthers.push_back(writtenArguments(program, other));
            if (&other < &launch)
                others.insert(other.instance);
        }
    launch.instance = kNoInstance;
    int order = -1;
    for (const auto& [reached, shape] : host.launches) {
        const bool isOther = reached.launch != launch.place || reached.kernel != launch.kernel || others.contains(reached.instance);
        if (isOther || (order >= 0 && shape.order > order))
            continue;
        std::vector<std::string> told = argumentsOf(reached.instance);
        const auto suitsBetter = [&](const std::vector<std::string>& other) { return maySay(told, other) && equalArguments(told, other) > equalArguments(told, written); };
        if (!maySay(told, written) || std::ranges::any_of(writtenOfOthers, suitsBetter))
            continue;
        order = shape.order;
        launch.instance = reached.instance;
        launch.isHostAside = reached.isAside;
        launch.told = std::move(told);
    }
    if (launch.isOpen && !launch.told.empty() && std::ranges::none_of(launch.told, &std::string::empty))
        launch.entry = launch.entry.substr(0, launch.entry.find('<')) + templateList(launch.told);
    complete(launch.entry, launch.told);
}

namespace {

/// Adds a launch before the one at `index`.
void insertBefore(ProgramLaunches& program, std::size_t index, ProgramLaunch launch)
{
    program.launches.insert(program.launches.begin() + std::ptrdiff_t(index), std::move(launch));
    const auto move = [&](const auto& self, LaunchArgument& argument) -> void {
        for (int& place : argument.takenBefore)
            place += std::size_t(place) >= index;
        for (LaunchArgument& member : argument.members)
            self(self, member);
    };
    for (ProgramLaunch& other : program.launches)
        for (LaunchArgument& argument : other.arguments)
            move(move, argument);
}

/// Gives an argument buffers of its own, which may be of other sizes.
void giveOwnBuffers(ProgramLaunches& program, LaunchArgument& argument)
{
    if (argument.buffer >= 0) {
        program.buffers.push_back(ProgramBuffer(program.buffers[std::size_t(argument.buffer)]));
        argument.buffer = int(program.buffers.size()) - 1;
    }
    for (LaunchArgument& member : argument.members)
        giveOwnBuffers(program, member);
}

std::vector<const std::pair<const HostBuffer, HostLaunch>*> inOrder(const HostContents& host)
{
    std::vector<const std::pair<const HostBuffer, HostLaunch>*> launches;
    for (const auto& reached : host.launches)
        if (!reached.first.isAside)
            launches.push_back(&reached);
    std::ranges::sort(launches, {}, [](const auto* reached) { return reached->second.order; });
    return launches;
}

} // namespace

void addReached(ProgramLaunches& program, const HostContents& host)
{
    for (const auto* const one : inOrder(host)) {
        const HostBuffer& reached = one->first;
        const auto isThere = [&](const ProgramLaunch& launch) { return launch.place == reached.launch && launch.kernel == reached.kernel; };
        const auto isAtPlace = [&](const ProgramLaunch& launch) { return launch.place == reached.launch && launch.kernel == launch.entry; };
        const auto last = std::ranges::find_if(program.launches.rbegin(), program.launches.rend(), isAtPlace);
        if (!reached.instance.empty() || last == program.launches.rend() || std::ranges::any_of(program.launches, isThere))
            continue;
        ProgramLaunch other = *last;
        other.kernel = other.entry = reached.kernel;
        insertBefore(program, std::size_t(last.base() - program.launches.begin()), std::move(other));
    }
}

namespace {

/// Of a launch that was not read: buffers and names of what else it is given.
ProgramLaunch unreadLaunch(ProgramLaunches& program, const HostBuffer& reached, const HostLaunch& shape, const KernelDeclaration& kernel, const HostContents& host)
{
    ProgramLaunch launch { .kernel = reached.kernel, .entry = kernel.fullName() };
    launch.told = argumentsOf(reached.instance);
    if (kernel.isTemplate())
        launch.entry += templateList(launch.told);
    launch.place = reached.launch;
    launch.instance = reached.instance;
    launch.grid.fill(Symbolic::ofInteger(1));
    launch.block.fill(Symbolic::ofInteger(1));
    if (shape.sharedBytes)
        launch.sharedBytes = Symbolic::ofInteger(*shape.sharedBytes);
    if (const std::size_t place = std::size_t(reached.launch) - 1; place < program.places.size())
        std::tie(launch.line, launch.file) = std::pair(program.places[place].line, program.places[place].file);
    std::map<int, int> buffers; // by memory
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const KernelParameter parameter = parameterOf(kernel.parameters[i], "arg" + std::to_string(i + 1), kernel);
        LaunchArgument argument;
        argument.isPointer = parameter.pointers > 0;
        const auto memory = host.memories.find(hostBufferOf(launch, std::to_string(i)));
        if (parameter.pointers > 0 && memory != host.memories.end()) {
            const auto [known, isNew] = buffers.try_emplace(memory->second.id, int(program.buffers.size()));
            if (isNew)
                program.buffers.push_back({ .name = parameter.name, .bytes = Symbolic::ofInteger(std::int64_t(memory->second.bytes)), .type = "" });
            argument.kind = LaunchArgument::Kind::Buffer;
            argument.buffer = known->second;
        }
        launch.arguments.push_back(std::move(argument));
    }
    return launch;
}

} // namespace

void addUnread(ProgramLaunches& program, std::span<const KernelDeclaration> kernels, const HostContents& host)
{
    for (const auto* const one : inOrder(host)) {
        const HostBuffer& reached = one->first;
        const std::vector<std::string> told = argumentsOf(reached.instance);
        const auto isOfIt = [&](const KernelDeclaration& kernel) { return kernel.name == reached.kernel && kernel.isDefined && !kernel.isOverloaded && !kernel.isSpecialization; };
        const auto kernel = std::ranges::find_if(kernels, isOfIt);
        const auto isThere = [&](const ProgramLaunch& launch) { return launch.place == reached.launch; };
        const bool isKnown = one->second.grid && one->second.block && std::ranges::none_of(told, &std::string::empty);
        if (std::ranges::any_of(program.launches, isThere) || kernel == kernels.end() || !isKnown || (kernel->isTemplate() && told.empty()))
            continue;
        const auto behind = std::ranges::find_if(program.launches, [&](const ProgramLaunch& launch) { return launch.place > reached.launch; });
        insertBefore(program, std::size_t(behind - program.launches.begin()), unreadLaunch(program, reached, one->second, *kernel, host));
    }
}

void addInstances(ProgramLaunches& program, const HostContents& host)
{
    for (const auto* const one : inOrder(host)) {
        const HostBuffer& reached = one->first;
        const std::vector<std::string> told = argumentsOf(reached.instance);
        const auto isOfTheKernel = [&](const ProgramLaunch& launch) { return launch.kernel == reached.kernel; };
        const auto isThere = [&](const ProgramLaunch& launch) {
            return isOfTheKernel(launch) && (launch.place == reached.launch ? launch.instance == reached.instance : launch.told == told);
        };
        if (told.empty() || std::ranges::any_of(told, &std::string::empty) || std::ranges::any_of(program.launches, isThere) || std::ranges::count_if(program.launches, isOfTheKernel) >= kMostOfAKernel)
            continue;
        const auto isAtPlace = [&](const ProgramLaunch& launch) { return isOfTheKernel(launch) && launch.place == reached.launch; };
        const auto last = std::ranges::find_if(program.launches.rbegin(), program.launches.rend(), isAtPlace);
        if (last == program.launches.rend())
            continue;
        ProgramLaunch other = *last;
        other.entry = other.entry.substr(0, other.entry.find('<')) + templateList(told);
        other.told = told;
        other.instance = reached.instance;
        other.isHostAside = reached.isAside;
        for (LaunchArgument& argument : other.arguments)
            giveOwnBuffers(program, argument);
        if (last->instance == kNoInstance && !last->isShapeKnown) // it was not read what it launches
            *last = std::move(other);
        else
            insertBefore(program, std::size_t(last.base() - program.launches.begin()), std::move(other));
    }
}

void correctBranches(ProgramLaunches& program, const HostContents& host)
{
    std::set<int> taken; // places
    for (const auto& [reached, shape] : host.launches)
        if (!reached.isAside)
            taken.insert(reached.launch);
    // Of a template's kernels at one place, those that it has not come to, where it has come to others and was not stopped.
    const auto isNotAmong = [&](const ProgramLaunch& launch) {
        const auto isReached = [&](const ProgramLaunch& other) { return other.place == launch.place && other.kernel == launch.kernel && other.instance != kNoInstance; };
        return launch.instance == kNoInstance && host.leftLoop == 0 && std::ranges::any_of(program.launches, isReached);
    };
    for (ProgramLaunch& launch : program.launches)
        launch.isAside = taken.contains(launch.place) ? isNotAmong(launch) : launch.isAside || (launch.isHostAside && !taken.empty() && !host.isBehindRead);
}

void correctLaunch(ProgramLaunches& program, std::size_t index, const KernelDeclaration& kernel, const HostContents& host)
{
    ProgramLaunch& launch = program.launches[index];
    const auto told = host.launches.find(hostBufferOf(launch, ""));
    if (told == host.launches.end())
        return;
    Correction correction(program, launch, told->second);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const std::string* const text = parameterFor(kernel, i);
        const KernelParameter parameter = text ? parameterOf(withTemplateValues(*text, kernel, launch.told), "n", kernel) : KernelParameter { .name = "n", .type = {} };
        const auto structure = launch.arguments[i].kind == LaunchArgument::Kind::Unknown && launch.arguments[i].lambda.empty() && parameter.pointers == 0 ? program.structures.find(baseName(parameter.type)) : program.structures.end();
        if (structure != program.structures.end()) { // what it holds, following the code may tell
            launch.arguments[i] = structure->second;
            launch.arguments[i].type = parameter.type;
        }
        if (parameter.pointers == 0) // else it may be an object that converts to one
            correction.integers(launch.arguments[i], std::to_string(i), parameter.name);
        if (parameter.pointers == 0)
            correction.reals(launch.arguments[i], std::to_string(i));
    }
    correction.shape();
    const auto sizes = [&](const auto& self, const LaunchArgument& argument, const std::string& path) -> void {
        for (std::size_t i = 0; i < argument.members.size() && i < argument.memberNames.size(); ++i)
            self(self, argument.members[i], path + "." + argument.memberNames[i].first);
        const auto size = host.sizes.find(hostBufferOf(launch, path));
        if (argument.buffer < 0 || argument.isOffset || size == host.sizes.end())
            return;
        std::optional<Symbolic>& bytes = program.buffers[std::size_t(argument.buffer)].bytes;
        if (bytes && bytes->integer != std::int64_t(size->second)) {
            bytes = correction.bytes(std::int64_t(size->second));
            launch.isWorkedOut = true;
        }
    };
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        sizes(sizes, launch.arguments[i], std::to_string(i));
}

namespace {

/// Parameters that a launch's shape and its buffers are made of.
std::set<std::string, std::less<>> sizesOf(const ProgramLaunches& program, const ProgramLaunch& launch)
{
    std::set<std::string, std::less<>> sizes;
    const auto add = [&](const Symbolic& size) { sizes.insert(size.parameters.begin(), size.parameters.end()); };
    const auto addBuffers = [&](const auto& self, const LaunchArgument& argument) -> void {
        if (argument.buffer >= 0 && program.buffers[std::size_t(argument.buffer)].bytes)
            add(*program.buffers[std::size_t(argument.buffer)].bytes);
        for (const LaunchArgument& member : argument.members)
            self(self, member);
    };
    std::ranges::for_each(launch.grid, add);
    std::ranges::for_each(launch.block, add);
    for (const LaunchArgument& argument : launch.arguments)
        addBuffers(addBuffers, argument);
    return sizes;
}

} // namespace

void nameLater(ProgramLaunches& program, std::size_t index, const KernelDeclaration& kernel)
{
    ProgramLaunch& launch = program.launches[index];
    std::set<std::string, std::less<>> later; // parameters
    const std::set<std::string, std::less<>> sizes = sizesOf(program, launch);
    const auto isConstant = [&](const std::string& name) { // with which strides only begin
        const auto parameter = std::ranges::find(program.parameters, name, &ProgramParameter::name);
        return parameter != program.parameters.end() && !parameter->define.empty() && !sizes.contains(name);
    };
    for (const auto& [place, values] : launch.later)
        if (const Symbolic& number = launch.arguments[place].number; number.parameters.size() == 1 && number.text() == number.parameters[0] && !isConstant(number.parameters[0]))
            later.insert(number.parameters[0]);
    for (const auto& [place, values] : launch.later) {
        Symbolic& number = launch.arguments[place].number;
        const std::string* const text = parameterFor(kernel, place);
        const bool isOfLater = std::ranges::all_of(number.parameters, [&](const std::string& name) { return later.contains(name) || isConstant(name); });
        if (text && isOfLater && !values.empty() && !later.contains(number.text()))
            number = newParameter(program, parameterOf(*text, "n", kernel).name, number.integer);
    }
}

} // namespace coalescope::kernels
