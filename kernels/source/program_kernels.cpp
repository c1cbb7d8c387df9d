// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/program_kernels.h"

#include "kernels/catalogue/kernel_impl.h"
#include "kernels/compile/diagnostics.h"
#include "kernels/compile/include_check.h"
#include "kernels/experiment/decode.h"
#include "kernels/experiment/execute_launch.h"
#include "kernels/experiment/touched_sizes.h"
#include "kernels/host/contents.h"
#include "kernels/source/host_launch.h"
#include "kernels/source/host_words.h"
#include "kernels/source/launch_manifest.h"
#include "kernels/source/manifest_template.h"
#include "kernels/source/parameter_types.h"
#include "kernels/source/program_units.h"
#include "kernels/source/suggested_launch.h"
#include "kernels/source/template_deduction.h"
#include "kernels/source/tokens.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <regex>
#include <sstream>

namespace coalescope::kernels {
namespace {

/// "tile<float,32>" of "tile<float,{TILE}>".
std::string entryWithDefaults(const KernelSpec& spec)
{
    std::string entry = spec.entry;
    for (const ParameterSpec& parameter : spec.parameters)
        setInEntry(entry, parameter.name, parameter.defaultValue);
    return entry;
}

std::string withoutBlanks(std::string text)
{
    std::erase_if(text, [](char c) { return c == ' '; });
    return text;
}

Error noLaunch(const ProgramKernels::Unread& unread, const std::string& sourceName)
{
    const std::string& file = unread.file.empty() ? sourceName : unread.file;
    if (unread.line == 0)
        return { ErrorCode::LaunchUnread,
            "the file has no manifest (a leading comment with a line '--- coalescope') and no launch of " + unread.entry + " that could be read",
            file + (unread.declaredOn > 0 ? ":" + std::to_string(unread.declaredOn) : "") };
    return { ErrorCode::LaunchUnread, "the launch of " + unread.entry + " " + unread.why, file + ":" + std::to_string(unread.line) };
}

/// What following the host code tells: found out when somebody asks.
class HostAnswers {
public:
    HostAnswers(std::span<const ProgramFile> files, std::span<const HostNumber> guesses, RegistersOf registersOf)
        : m_files(files)
        , m_guesses(guesses)
        , m_registersOf(std::move(registersOf))
    {
    }
    /// With launches executed. Of what a launch leaves that cannot be, it is told what `asWritten` tells.
    HostAnswers(std::span<const ProgramFile> files, std::span<const HostNumber> guesses, LaunchExecutor& executor, const HostContents& asWritten, const RegistersOf& registersOf)
        : m_files(files)
        , m_contents(hostContents(m_files, guesses, std::nullopt, {}, kHostSteps, &executor, registersOf))
    {
        for (const HostBuffer& buffer : asWritten.known) {
            if (!m_contents->known.insert(buffer).second)
                continue;
            if (asWritten.stale.contains(buffer))
                m_contents->stale.insert(buffer);
            if (asWritten.nonZero.contains(buffer))
                m_contents->nonZero.insert(buffer);
            if (asWritten.pointing.contains(buffer))
                m_contents->pointing.insert(buffer);
        }
    }
    const HostContents& operator()()
    {
        if (!m_contents)
            m_contents = hostContents(m_files, m_guesses, std::nullopt, {}, kHostSteps, nullptr, m_registersOf);
        return *m_contents;
    }

private:
    std::span<const ProgramFile> m_files;
    std::span<const HostNumber> m_guesses;
    RegistersOf m_registersOf;
    std::optional<HostContents> m_contents;
};

/// Its entry, and the classes of the objects that it is given, which a template's parameter may stand for.
std::string mentionedBy(const ProgramLaunch& launch)
{
    std::string mentioned = launch.entry;
    for (const LaunchArgument& argument : launch.arguments)
        mentioned += " " + argument.type;
    for (const std::string& told : launch.told)
        mentioned += " " + told;
    return mentioned;
}

/// By another launch, or by host code that may have read what one leaves.
bool isLeftSomething(const ArgumentSpec& argument)
{
    return !argument.afterLaunch.empty() || argument.host || std::ranges::any_of(argument.members, [](const ArgumentSpec& member) { return isLeftSomething(member); });
}

bool isLeftSomething(const KernelSpec& spec)
{
    const auto isLeft = [](const ArgumentSpec& argument) { return isLeftSomething(argument); };
    return std::ranges::any_of(spec.impl->arguments, isLeft) || std::ranges::any_of(spec.impl->variables, isLeft);
}

/// By the program's host code.
bool isLaunched(const KernelSpec& spec)
{
    return std::ranges::none_of(spec.guesses, [](const Guess& guess) { return guess.kind == Guess::Kind::Launch; });
}

/// Whether two arguments of a template are the same, the first perhaps without its namespace or by another name of its type.
bool isSameArgument(const std::string& asked, const std::string& own)
{
    const PlainType *const one = plainType(asked), *const other = plainType(own);
    if (one && other)
        return one->element == other->element && one->elements == other->elements;
    const std::string plain = withoutBlanks(asked), full = withoutBlanks(own);
    return plain == full || full.ends_with("::" + plain);
}

/// Whether it is the instance of a template that the entry names, which may leave out namespaces and last arguments.
bool isInstance(const KernelSpec& spec, const std::string& entry)
{
    const std::vector<std::string> asked = templateArgumentsOf(entryNameOf(entry).kernel), own = templateArgumentsOf(entryNameOf(spec.title.en).kernel);
    return asked.size() <= own.size() && std::ranges::equal(asked, std::span(own).first(asked.size()), isSameArgument);
}

/// Whether a program is written in C++20, by its words and the headers that it includes.
bool isOfCpp20(std::string_view source)
{
    static constexpr std::array<std::string_view, 4> kWords { "concept", "requires", "consteval", "constinit" };
    static constexpr std::array<std::string_view, 9> kHeaders { "bit", "compare", "concepts", "format", "numbers", "ranges", "source_location", "span", "stop_token" };
    return std::ranges::any_of(tokensOf(source), [](const Token& token) {
        if (token.kind == TokenKind::Directive)
            return partsOf(token).rest.starts_with('<') && isOneOf(includedName(token), kHeaders);
        return token.isWord() && isOneOf(token.text, kWords);
    });
}

/// A manifest's table; nothing where all is as usual.
std::string compileTable(const CompileSettings& compile)
{
    std::string table;
    const auto add = [&](std::string_view key, const std::vector<std::filesystem::path>& paths) {
        std::string listed;
        for (const std::filesystem::path& path : paths)
            listed += (listed.empty() ? "" : ", ") + inQuotes(path.generic_string());
        if (!paths.empty())
            table += std::string(key) + " = [" + listed + "]\n";
    };
    if (compile.standard != CompileSettings {}.standard)
        table += "standard = " + inQuotes(compile.standard) + "\n";
    add("include", compile.include);
    add("sources", compile.sources);
    return table.empty() ? table : "\n[compile]\n" + table;
}

/// The manifest of a suggested launch with the sizes that its kernel touches, and what is guessed of it.
std::string withSizes(std::string manifest, const TouchedSizes& sizes, std::vector<Guess>& guesses, bool isSuggested)
{
    static const std::regex kBuffer(R"re(buffer = "(\w+)")re"), kCount(R"re(count = ("[^"]*"|\d+))re");
    std::string buffer, result;
    std::istringstream lines(manifest);
    for (std::string line; std::getline(lines, line);) {
        if (std::smatch found; std::regex_search(line, found, kBuffer))
            buffer = found[1];
        if (const auto size = sizes.counts.find(buffer); size != sizes.counts.end() && std::regex_search(line, kCount)) {
            line = std::regex_replace(line, kCount, "count = " + inQuotes(size->second));
            for (Guess& guess : guesses)
                if (guess.kind == Guess::Kind::BufferSize && (guess.what == buffer || guess.what.ends_with("." + buffer)))
                    guess.taken = size->second;
        }
        if (isSuggested && line.starts_with("summary = "))
            line = R"(summary = { en = "As its code suggests: nothing in the program launches it.", zh_CN = "按其代码推测的启动方式：程序中没有启动它。" })";
        if (isSuggested && line.starts_with("grid = [") && sizes.blocks)
            line = std::regex_replace(line, std::regex(R"re(^grid = \[("[^"]*"|\d+))re"), "grid = [" + inQuotes(*sizes.blocks), std::regex_constants::format_first_only);
        if (line.starts_with("dynamic_shared = ") && sizes.sharedBytes)
            line = "dynamic_shared = " + inQuotes(*sizes.sharedBytes);
        result += line + '\n';
    }
    if (isSuggested)
        guesses.insert(guesses.begin(), { .kind = Guess::Kind::Launch, .what = "the launch", .taken = {} });
    return result;
}

/// Of what is touched, the buffers whose size is guessed, and those of made-up tensors that have one more size than the program asks for.
void keepGuessed(const KernelSpec& spec, LaunchManifest& manifest, TouchedSizes& sizes)
{
    sizes.sharedBytes.reset();
    std::erase_if(sizes.counts, [&](const auto& size) {
        return std::ranges::none_of(manifest.guesses, [&](const Guess& guess) { return guess.kind == Guess::Kind::BufferSize && (guess.what == size.first || guess.what.ends_with("." + size.first)); });
    });
    for (const auto& argument : spec.impl->arguments) {
        const auto further = sizes.times.find(argument.name);
        if (further == sizes.times.end() || !manifest.examples.contains(argument.name) || sizes.counts.contains(argument.name))
            continue;
        const bool isProduct = argument.count.find_first_of("+-/%") == argument.count.npos;
        const std::string count = (isProduct ? argument.count : "(" + argument.count + ")") + " * " + std::to_string(further->second);
        sizes.counts[argument.name] = count;
        manifest.guesses.push_back({ .kind = Guess::Kind::BufferSize, .what = argument.name, .taken = count });
    }
}

/// Elements of a plan's buffers.
std::map<std::string, std::uint64_t> countsOf(const KernelSpec& spec)
{
    std::map<std::string, std::uint64_t> counts;
    if (const auto plan = planLaunch(spec, {}))
        for (const Argument& argument : plan->arguments)
            if (const auto* const buffer = std::get_if<BufferPlan>(&argument))
                counts[buffer->name] = buffer->count;
    return counts;
}

/// Of what is touched, what is more than the program asks for: what it does so for is another kernel, which it launches in place of this one.
void keepLarger(const KernelSpec& spec, LaunchManifest& manifest, TouchedSizes& sizes)
{
    sizes.sharedBytes.reset();
    std::vector<Guess> guesses = manifest.guesses;
    const auto touching = parseKernel(spec.source, spec.sourceName, withSizes(spec.derived, sizes, guesses, false), 1);
    const std::map<std::string, std::uint64_t> asked = countsOf(spec), touched = touching ? countsOf(*touching) : asked;
    std::erase_if(sizes.counts, [&](const auto& size) {
        const auto before = asked.find(size.first), now = touched.find(size.first);
        return before == asked.end() || now == touched.end() || now->second <= before->second;
    });
    for (const auto& [name, count] : sizes.counts)
        manifest.guesses.push_back({ .kind = Guess::Kind::BufferSize, .what = name, .taken = count });
}

/// Nothing: it is of another file, or does not compile.
std::optional<int> registersOf(const LaunchPlan& plan, const std::string& kernel)
{
    LaunchPlan alone = plan;
    alone.entry = kernel;
    const auto decoded = decode(alone, { .verify = false });
    return decoded ? decoded->registersPerThread : std::nullopt;
}

/// A program's launches and kernels.
class ProgramReader {
public:
    /// `plan`: of the one of its units that was asked for. `isSuggested`: the launch in it is, and stands behind what the user has written.
    /// `asked`, `numbers`: see programKernels().
    ProgramReader(const LaunchPlan& plan, std::vector<ProgramFile> files, bool isSuggested = false, std::optional<std::string> asked = {}, std::vector<HostNumber> numbers = {})
        : m_plan(plan)
        , m_files(std::move(files))
        , m_found(launchesOf(m_files, [&plan](const std::string& kernel) { return registersOf(plan, kernel); }, numbers))
        , m_numbers(std::move(numbers))
        , m_isSuggested(isSuggested)
        , m_asked(std::move(asked))
    {
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            std::ranges::copy(kernelDeclarations(m_files[i].text), std::back_inserter(m_declared));
            m_fileOf.resize(m_declared.size(), i);
        }
        markOverloads(m_declared);
        std::ranges::copy(m_found.guesses, std::back_inserter(m_numbers));
    }

    ProgramKernels read()
    {
        const RegistersOf registers = [this](const std::string& kernel) { return registersOf(m_plan, kernel); };
        HostAnswers asWritten(m_files, m_numbers, registers);
        ProgramKernels program = read(asWritten);
        if (!asWritten().isBehindRead)
            return program;
        // What is read back of what launches leave may tell how large others are.
        const auto executor = launchExecutor(launchesToExecute(m_launches), kMostInstructions, {});
        HostAnswers executed(m_files, m_numbers, *executor, asWritten(), registers);
        return read(executed);
    }

private:
    /// A file that is compiled by itself.
    struct Unit {
        LaunchPlan plan;
        std::vector<ProgramFile> files; ///< it and what it includes
        std::vector<std::filesystem::path> headers;
    };

    static std::string nameOf(const ProgramFile& file) { return file.path.filename().string(); }

    static constexpr std::uint64_t kMostInstructions = 16'000'000; ///< three or four seconds

    /// As launchedKernel() wants it.
    static std::string typeOf(const LaunchArgument& argument)
    {
        switch (argument.kind) {
        case LaunchArgument::Kind::Buffer:
            return argument.element + "*";
        case LaunchArgument::Kind::Null:
            return "*";
        case LaunchArgument::Kind::Number:
            return argument.number.isReal ? "double" : "int";
        case LaunchArgument::Kind::Structure:
            return argument.type;
        case LaunchArgument::Kind::Unknown:
            return argument.isPointer ? "*" : "";
        }
        return {};
    }

    [[nodiscard]] const KernelDeclaration* declarationOf(const ProgramLaunch& launch) const
    {
        std::vector<std::string> types;
        for (const LaunchArgument& argument : launch.arguments)
            types.push_back(typeOf(argument));
        return launchedKernel(m_declared, launch.entry, types);
    }

    [[nodiscard]] std::size_t fileOf(const KernelDeclaration& kernel) const { return m_fileOf[std::size_t(&kernel - m_declared.data())]; }

    /// With which it is compiled: its own, or of a header's the one that was asked for, where that includes it.
    [[nodiscard]] const Unit& unitOf(const KernelDeclaration& kernel)
    {
        const std::size_t file = fileOf(kernel);
        if (m_files[file].isUnit)
            return unitAt(file);
        const auto includes = [&](std::size_t unit) {
            const std::vector<std::filesystem::path>& headers = unitAt(unit).headers;
            return std::ranges::find(headers, m_files[file].path) != headers.end();
        };
        const std::filesystem::path asked = m_plan.includeDirectory / m_plan.sourceName;
        std::size_t chosen = 0;
        for (std::size_t i = 0; i < m_files.size() && m_files[i].isUnit; ++i)
            if (includes(i) && (m_files[i].path == asked || !includes(chosen)))
                chosen = i;
        return unitAt(chosen);
    }

    const Unit& unitAt(std::size_t file)
    {
        const auto known = m_units.find(file);
        if (known != m_units.end())
            return known->second;
        const std::filesystem::path& path = m_files[file].path;
        Unit unit { .plan = { .sourceName = path.filename().string(), .source = std::string(m_files[file].text) }, .files = { m_files[file] }, .headers = {} };
        unit.plan.includeDirectory = path.parent_path();
        unit.plan.compile = m_plan.compile;
        unit.plan.compile.sources.clear();
        if (const auto included = includesOf(unit.plan))
            for (const IncludedFile& header : included->files)
                unit.headers.push_back(header.path);
        for (const ProgramFile& other : m_files)
            if (std::ranges::find(unit.headers, other.path) != unit.headers.end())
                unit.files.push_back(other);
            else if (other.isUnit && other.path != path)
                unit.plan.compile.sources.push_back(other.path.lexically_relative(path.parent_path()));
        return m_units.emplace(file, std::move(unit)).first->second;
    }

    [[nodiscard]] std::string toStartFrom(const KernelDeclaration& kernel) const
    {
        return manifestTemplate(kernel, m_files[fileOf(kernel)].text);
    }

    ProgramKernels read(HostAnswers& answers)
    {
        ProgramLaunches found = m_found;
        if (std::ranges::any_of(found.launches, [](const ProgramLaunch& launch) { return launch.place > 0; }))
            addReached(found, answers());
        if (isAnyUnread(found))
            addUnread(found, m_declared, answers());
        const auto isToBeFollowed = [&](const ProgramLaunch& launch) { return launch.place > 0 && declarationOf(launch); };
        for (ProgramLaunch& launch : found.launches)
            if (isToBeFollowed(launch))
                matchInstance(found, launch, answers());
        if (std::ranges::any_of(found.launches, isToBeFollowed)) {
            addInstances(found, answers());
            correctBranches(found, answers());
        }
        for (std::size_t i = 0; i < found.launches.size(); ++i)
            if (isToBeFollowed(found.launches[i])) {
                correctLaunch(found, i, *declarationOf(found.launches[i]), answers());
                nameLater(found, i, *declarationOf(found.launches[i]));
            }
        m_launches.clear();
        ProgramKernels program;
        std::vector<WrittenLaunch> written;
        for (const ProgramLaunch& launch : found.launches) {
            written.emplace_back();
            if (const KernelDeclaration* const kernel = declarationOf(launch))
                add(found, launch, *kernel, answers, written, program);
        }
        for (std::size_t i = 0; i < m_launches.size(); ++i) {
            if (!isLeftSomething(program.kernels[i]))
                continue;
            program.kernels[i].earlier = m_launches;
            program.kernels[i].earlier.erase(program.kernels[i].earlier.begin() + std::ptrdiff_t(i));
        }
        for (const KernelDeclaration& declared : m_declared) {
            const auto isLaunched = [&](const ProgramLaunch& launch) { return launch.kernel == declared.name && (!declared.isOverloaded || declarationOf(launch) == &declared); };
            const ProgramFile& file = m_files[fileOf(declared)];
            const bool isDefinedElsewhere = !declared.isDefined && std::ranges::any_of(m_declared, [&](const KernelDeclaration& other) { return other.isDefined && other.fullName() + overloadOf(other) == declared.fullName() + overloadOf(declared); });
            if (isDefinedElsewhere || std::ranges::any_of(found.launches, isLaunched) || !isAskedFor(declared, program))
                continue;
            auto spec = m_suggestions.find(&declared);
            if (spec == m_suggestions.end()) // the program may be read twice
                spec = m_suggestions.emplace(&declared, suggested(declared)).first;
            std::ranges::copy(spec->second, std::back_inserter(program.kernels));
            if (spec->second.empty())
                program.unread.push_back({ .entry = declared.fullName() + overloadOf(declared), .why = {}, .file = file.isUnit ? nameOf(file) : "", .declaredOn = file.isUnit ? declared.line : 0, .manifest = toStartFrom(declared) });
        }
        return program;
    }

    /// There are launches in the text that reading the code has not come to.
    static bool isAnyUnread(const ProgramLaunches& found)
    {
        std::set<int> places;
        for (const ProgramLaunch& launch : found.launches)
            places.insert(launch.place);
        for (int place = 1; place <= int(found.places.size()); ++place)
            if (!places.contains(place))
                return true;
        return false;
    }

    [[nodiscard]] bool isAskedFor(const KernelDeclaration& kernel, const ProgramKernels& program) const
    {
        return !m_asked || (m_asked->empty() ? program.kernels.empty() : kernel.name == baseName(*m_asked));
    }

    /// A kernel that nothing launches, as its code suggests, for each of a template's instantiations. Empty: that leads to none.
    [[nodiscard]] std::vector<KernelSpec> suggested(const KernelDeclaration& kernel)
    {
        std::vector<KernelSpec> all;
        if (m_isSuggested || !kernel.isDefined || !m_files[fileOf(kernel)].isUnit)
            return all;
        const std::string asked = m_asked && kernel.isTemplate() ? fmt::format("{}", fmt::join(templateArgumentsOf(entryNameOf(*m_asked).kernel), ",")) : "";
        const std::size_t instances = asked.empty() ? instancesOf(unitOf(kernel).plan, kernel) : 1;
        for (std::size_t i = 0; i < instances; ++i)
            if (auto one = suggested(kernel, { .instance = i, .arguments = asked }))
                all.push_back(*std::move(one));
        return all;
    }

    [[nodiscard]] std::optional<KernelSpec> suggested(const KernelDeclaration& kernel, SuggestedBefore known)
    {
        const Unit& unit = unitOf(kernel);
        TouchedSizes touched;
        const auto read = [&](const SuggestedBefore& before) {
            const std::string launch = suggestedLaunch(unit.plan, kernel, before);
            std::vector<std::string> texts = deviceParts(unit.files, launch, kernel.name); // also a structure that a template is given
            texts[0] += launch;
            std::vector<ProgramFile> files = unit.files;
            for (std::size_t i = 0; i < files.size(); ++i)
                files[i].text = texts[i];
            ProgramReader reader(unit.plan, std::move(files), true);
            ProgramKernels program = reader.read();
            touched = std::move(reader.m_touched);
            return program;
        };
        ProgramKernels program = read(known);
        if (program.kernels.empty())
            return std::nullopt;
        // Where the members of structures lie is known only now, whether so many threads have room, and whether it takes long.
        const auto plan = planLaunch(program.kernels.front(), {});
        const bool hasStructures = plan && std::ranges::any_of(plan->arguments, [](const Argument& argument) { return std::holds_alternative<StructPlan>(argument); });
        known.plan = hasStructures ? &*plan : nullptr;
        if (touched.isSlow)
            takeSmaller(known, program, touched, read);
        constexpr int kMostTries = 4;
        for (int i = 0; plan && i < kMostTries && (touched.leavesShared || (hasStructures && i == 0)); ++i) {
            if (touched.leavesShared)
                known.mostThreads = std::uint32_t(std::max<std::uint64_t>(std::min<std::uint64_t>(known.mostThreads, plan->block.count()) / 2, 1));
            ProgramKernels again = read(known);
            if (!again.kernels.empty() && (!touched.leavesShared || known.mostThreads == SuggestedBefore {}.mostThreads))
                program = std::move(again);
        }
        KernelSpec spec = std::move(program.kernels.front());
        spec.source = unit.plan.source;
        spec.launch = {};
        return spec;
    }

    /// The largest sizes with which a block does not take long; where none are so, something else takes long, and nothing is changed.
    /// `read` sets what is touched.
    template <class Read> static void takeSmaller(SuggestedBefore& known, ProgramKernels& program, TouchedSizes& touched, Read read)
    {
        constexpr int kSmallest = 4;
        const TouchedSizes before = touched;
        int slow = 0, fast = kSmallest + 1;
        TouchedSizes ofFast;
        for (int smaller = kSmallest; fast - slow > 1; smaller = (slow + fast) / 2) {
            known.smaller = smaller;
            ProgramKernels again = read(known);
            const bool isFast = !touched.isSlow && !again.kernels.empty();
            if (!isFast && smaller == kSmallest)
                break;
            (isFast ? fast : slow) = smaller;
            if (isFast) {
                program = std::move(again);
                ofFast = touched;
            }
        }
        const bool isAnyFast = fast <= kSmallest;
        known.smaller = isAnyFast ? fast : 0;
        touched = isAnyFast ? ofFast : before;
    }

    void add(const ProgramLaunches& found, const ProgramLaunch& launch, const KernelDeclaration& kernel, HostAnswers& answers, std::vector<WrittenLaunch>& written,
        ProgramKernels& program)
    {
        const Unit& unit = unitOf(kernel);
        const std::vector<std::string> code = deviceParts(unit.files, mentionedBy(launch), launch.kernel);
        const std::string launcher = nameOf(m_files[launch.file]);
        LaunchManifest manifest = launchManifest(found, launch, kernel, code, launcher, std::ref(answers), written);
        if (!manifest.problem.empty()) {
            program.unread.push_back({ launch.entry, manifest.problem, launch.line, launcher, 0, toStartFrom(kernel) });
            return;
        }
        const bool isLaunchedThere = launcher == unit.plan.sourceName;
        auto spec = parseKernel(unit.plan.source, unit.plan.sourceName, manifest.text + compileTable(unit.plan.compile), std::max(isLaunchedThere ? launch.line : kernel.line, 1));
        if (!spec) {
            program.unread.push_back({ launch.entry, "cannot be described: " + spec.error().detail, launch.line, launcher, 0, toStartFrom(kernel) });
            return;
        }
        const bool isGuessed = std::ranges::find(manifest.guesses, Guess::Kind::BufferSize, &Guess::kind) != manifest.guesses.end();
        if (m_isSuggested || !manifest.examples.empty() || isGuessed || launch.isAside) {
            spec->earlier = m_launches;
            m_touched = touchedBy(*spec);
            if (launch.isAside && manifest.examples.empty() && !isGuessed)
                keepLarger(*spec, manifest, m_touched);
            else if (!m_isSuggested)
                keepGuessed(*spec, manifest, m_touched);
            const std::string text = withSizes(spec->derived, m_touched, manifest.guesses, m_isSuggested);
            if (auto sized = parseKernel(unit.plan.source, unit.plan.sourceName, text, std::max(kernel.line, 1)))
                spec = std::move(sized);
        }
        spec->guesses = std::move(manifest.guesses);
        spec->path = unit.plan.includeDirectory / unit.plan.sourceName;
        spec->compile = unit.plan.compile;
        std::string title = entryWithDefaults(*spec);
        if (std::ranges::any_of(program.kernels, [&](const KernelSpec& other) { return other.title.en == title; }))
            title += " (line " + std::to_string(launch.line) + ")";
        spec->title = { .en = title, .zhCN = {} };
        spec->launch = hostBufferOf(launch, "");
        spec->isAside = launch.isAside && !launch.isAskedWhole;
        spec->isWorkedOut = launch.isWorkedOut;
        spec->written = std::move(manifest.written);
        if (manifest.isLeft)
            spec->earlier = m_launches;
        written.back() = { title, std::move(manifest.buffers) };
        m_launches.push_back(std::make_shared<const KernelSpec>(*spec));
        program.kernels.push_back(*std::move(spec));
    }

    static constexpr std::uint64_t kMostTouching = 6'000'000; ///< instructions of warps, of all launches: some six seconds

    /// The program may be read twice.
    TouchedSizes touchedBy(const KernelSpec& spec)
    {
        const auto known = m_touchedBy.find(spec.derived);
        if (known != m_touchedBy.end() || m_touching >= kMostTouching)
            return known != m_touchedBy.end() ? known->second : TouchedSizes {};
        const TouchedSizes sizes = m_touchedBy.emplace(spec.derived, touchedSizes(spec, kMostTouching - m_touching)).first->second;
        m_touching += sizes.instructions;
        return sizes;
    }

    const LaunchPlan& m_plan;
    std::vector<ProgramFile> m_files;
    std::map<std::string, TouchedSizes> m_touchedBy; ///< by the launches' manifests
    std::uint64_t m_touching = 0; ///< instructions of warps
    const ProgramLaunches m_found; ///< as the code is read, before anything is corrected
    std::vector<HostNumber> m_numbers; ///< that stand for what is in the source, or that nobody knows
    const bool m_isSuggested;
    const std::optional<std::string> m_asked; ///< nothing: each kernel is
    TouchedSizes m_touched; ///< by the suggested launch
    std::vector<KernelDeclaration> m_declared;
    std::map<const KernelDeclaration*, std::vector<KernelSpec>> m_suggestions; ///< of those that nothing launches
    std::vector<std::size_t> m_fileOf; ///< of each of them
    std::map<std::size_t, Unit> m_units; ///< that were asked for
    std::vector<std::shared_ptr<const KernelSpec>> m_launches; ///< that were read
};

} // namespace

Result<ProgramKernels> programKernels(
    const std::string& source, const std::string& sourceName, const std::filesystem::path& file, const CompileSettings& compile, const std::optional<std::string>& askedFor,
    std::vector<HostNumber> numbers)
{
    std::error_code error;
    LaunchPlan plan { .sourceName = sourceName, .source = withoutCellMagic(source) };
    plan.includeDirectory = std::filesystem::absolute(file, error).parent_path();
    plan.compile = compile;
    const std::filesystem::path asked = plan.includeDirectory / plan.sourceName;
    ProgramUnits units = programUnits(plan);
    if (units.own != asked) { // the file is a header
        plan = { .sourceName = units.own.filename().string(), .source = std::move(units.source) };
        plan.includeDirectory = units.own.parent_path();
        plan.compile = compile;
    }
    plan.compile.sources = std::move(units.others);
    const auto includes = programIncludesOf(plan);
    if (!includes)
        return std::unexpected(includes.error());
    const std::vector<ProgramFile> files = programFiles(plan, *includes);
    if (std::ranges::any_of(files, [](const ProgramFile& one) { return !one.isLibrary && isOfCpp20(one.text); }))
        plan.compile.standard = "c++20";
    ProgramKernels program = ProgramReader(plan, files, false, askedFor, std::move(numbers)).read();
    if (std::ranges::none_of(program.unread, [](const ProgramKernels::Unread& unread) { return unread.line == 0; }))
        return program;
    const std::vector<Token> tokens = tokensOf(plan.source); // a bracket may be why
    if (const auto open = unclosedBracket(tokens))
        return fail(ErrorCode::BadInput, fmt::format("the \"{}\" is not closed, so that nothing behind it can be read", tokens[*open].text), fmt::format("{}:{}", plan.sourceName, 1 + std::ranges::count(plan.source.begin(), plan.source.begin() + std::ptrdiff_t(tokens[*open].offset), '\n')));
    return program;
}

Result<const KernelSpec*> chosenKernel(const ProgramKernels& program, const std::string& entry, const std::string& sourceName)
{
    const std::string plain = withoutBlanks(entry);
    const auto isAsWritten = [&](const KernelSpec& spec) {
        return entry.empty() || withoutBlanks(spec.entry) == plain || withoutBlanks(spec.title.en) == plain;
    };
    const bool isAnyLaunched = std::ranges::any_of(program.kernels, isLaunched);
    if (entry.empty() && !isAnyLaunched && !program.unread.empty()) // what its launch lacks comes before what others suggest
        return std::unexpected(noLaunch(program.unread.front(), sourceName));
    auto chosen = std::ranges::find_if(program.kernels, isAsWritten);
    if (entry.empty() && isAnyLaunched) { // of a program of several files, one of this file; rather one that the program by itself comes to
        const auto isOwn = [&](const KernelSpec& spec) { return spec.sourceName == sourceName && isLaunched(spec); };
        const auto own = std::ranges::find_if(program.kernels, [&](const KernelSpec& spec) { return isOwn(spec) && !spec.launch.isAside; });
        const auto any = own != program.kernels.end() ? own : std::ranges::find_if(program.kernels, isOwn);
        chosen = any != program.kernels.end() ? any : chosen;
    }
    if (chosen == program.kernels.end() && !entryNameOf(entry).parameters)
        chosen = std::ranges::find_if(program.kernels, [&](const KernelSpec& spec) { return spec.id == baseName(entry) && isInstance(spec, entry); });
    if (chosen != program.kernels.end())
        return &*chosen;
    if (const ProgramKernels::Unread* asked = unreadKernel(program, entry))
        return std::unexpected(noLaunch(*asked, sourceName));
    if (program.kernels.empty() && program.unread.empty())
        return fail(ErrorCode::BadInput, "the file holds no __global__ function", sourceName);
    if (!isAnyLaunched && !program.unread.empty())
        return std::unexpected(noLaunch(program.unread.front(), sourceName));
    std::string names, instances; // those of other arguments
    for (const KernelSpec& spec : program.kernels) {
        names += (names.empty() ? "" : ", ") + spec.title.en;
        if (spec.id == baseName(entry) && !isInstance(spec, entry) && isLaunched(spec))
            instances += (instances.empty() ? "" : ", ") + spec.title.en;
    }
    if (!instances.empty())
        return fail(ErrorCode::EntryNotFound, "the program does not launch '" + entry + "'; it launches " + instances, sourceName);
    return fail(ErrorCode::EntryNotFound, "there is no kernel '" + entry + "' in the file; it has " + names, sourceName);
}

const ProgramKernels::Unread* unreadKernel(const ProgramKernels& program, const std::string& entry)
{
    if (entry.empty())
        return std::ranges::none_of(program.kernels, isLaunched) && !program.unread.empty() ? &program.unread.front() : nullptr;
    const auto asked = std::ranges::find_if(program.unread, [&](const ProgramKernels::Unread& unread) { return baseName(unread.entry) == baseName(entry); });
    return asked == program.unread.end() ? nullptr : &*asked;
}

Result<KernelSpec> kernelOfFile(std::string source, const std::filesystem::path& file, const std::string& entry, const CompileSettings& compile)
{
    const std::string name = file.filename().string();
    std::error_code error;
    source = withoutCellMagic(std::move(source));
    if (!lacksManifest(source)) {
        auto spec = parseKernel(std::move(source), name);
        if (!spec)
            return spec;
        spec->path = std::filesystem::absolute(file, error); // what it includes lies beside it
        if (isLeftSomething(*spec)) {
            auto program = programKernels(spec->source, name, file, compile);
            if (!program)
                return std::unexpected(program.error());
            for (KernelSpec& earlier : program->kernels)
                spec->earlier.push_back(std::make_shared<const KernelSpec>(std::move(earlier)));
        }
        return spec;
    }
    auto program = programKernels(source, name, file, compile, entry);
    if (!program)
        return std::unexpected(program.error());
    if (const auto chosen = chosenKernel(*program, entry, name))
        return **chosen;
    program = programKernels(source, name, file, compile); // whose kernels the error names
    if (!program)
        return std::unexpected(program.error());
    const auto chosen = chosenKernel(*program, entry, name);
    if (!chosen)
        return std::unexpected(chosen.error());
    return **chosen;
}

} // namespace coalescope::kernels
