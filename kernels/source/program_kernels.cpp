// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/program_kernels.h"

#include "kernels/catalogue/kernel_impl.h"
#include "kernels/compile/diagnostics.h"
#include "kernels/compile/include_check.h"
#include "kernels/experiment/execute_launch.h"
#include "kernels/host/contents.h"
#include "kernels/source/host_launch.h"
#include "kernels/source/host_words.h"
#include "kernels/source/launch_manifest.h"
#include "kernels/source/manifest_template.h"
#include "kernels/source/tokens.h"

#include <algorithm>
#include <array>
#include <functional>

namespace coalescope::kernels {
namespace {

/// "tile<float,32>" of "tile<float,{TILE}>".
std::string entryWithDefaults(const KernelSpec& spec)
{
    std::string entry = spec.entry;
    for (const ParameterSpec& parameter : spec.parameters) {
        const std::string hole = "{" + parameter.name + "}";
        for (auto at = entry.find(hole); at != entry.npos; at = entry.find(hole))
            entry.replace(at, hole.size(), parameter.defaultValue);
    }
    return entry;
}

std::string withoutBlanks(std::string text)
{
    std::erase_if(text, [](char c) { return c == ' '; });
    return text;
}

Error noLaunch(const ProgramKernels::Unread& unread, const std::string& sourceName)
{
    if (unread.line == 0)
        return { ErrorCode::LaunchUnread,
            "the file has no manifest (a leading comment with a line '--- coalescope') and no launch of " + unread.entry + " that could be read",
            sourceName + (unread.declaredOn > 0 ? ":" + std::to_string(unread.declaredOn) : "") };
    return { ErrorCode::LaunchUnread, "the launch of " + unread.entry + " " + unread.why, sourceName + ":" + std::to_string(unread.line) };
}

/// What following the host code tells: found out when somebody asks.
class HostAnswers {
public:
    explicit HostAnswers(std::span<const ProgramFile> files)
        : m_files(files)
    {
    }
    /// With launches executed. Of what a launch leaves that cannot be, it is told what `asWritten` tells.
    HostAnswers(std::span<const ProgramFile> files, LaunchExecutor& executor, const HostContents& asWritten)
        : m_files(files)
        , m_contents(hostContents(m_files, {}, std::nullopt, {}, kHostSteps, &executor))
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
            m_contents = hostContents(m_files, {}, std::nullopt);
        return *m_contents;
    }

private:
    std::span<const ProgramFile> m_files;
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

/// Whether a program is written in C++20, by its words and the headers that it includes.
bool isOfCpp20(const std::string& source)
{
    static constexpr std::array<std::string_view, 4> kWords { "concept", "requires", "consteval", "constinit" };
    static constexpr std::array<std::string_view, 9> kHeaders { "bit", "compare", "concepts", "format", "numbers", "ranges", "source_location", "span", "stop_token" };
    return std::ranges::any_of(tokensOf(source), [](const Token& token) {
        if (token.kind == TokenKind::Directive)
            return partsOf(token).rest.starts_with('<') && isOneOf(includedName(token), kHeaders);
        return token.isWord() && isOneOf(token.text, kWords);
    });
}

/// A program's launches and kernels.
class ProgramReader {
public:
    ProgramReader(const LaunchPlan& plan, std::vector<ProgramFile> files, const std::filesystem::path& file)
        : m_plan(plan)
        , m_files(std::move(files))
        , m_file(file)
        , m_found(launchesOf(m_files))
    {
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            std::ranges::copy(kernelDeclarations(m_files[i].text), std::back_inserter(m_declared));
            m_fileOf.resize(m_declared.size(), i);
        }
    }

    ProgramKernels read()
    {
        HostAnswers asWritten(m_files);
        ProgramKernels program = read(asWritten);
        if (!asWritten().isBehindRead)
            return program;
        // What is read back of what launches leave may tell how large others are.
        const auto executor = launchExecutor(launchesToExecute(m_launches), kMostInstructions, {});
        HostAnswers executed(m_files, *executor, asWritten());
        return read(executed);
    }

private:
    static constexpr std::uint64_t kMostInstructions = 16'000'000; ///< three or four seconds

    [[nodiscard]] const KernelDeclaration* declarationOf(const ProgramLaunch& launch) const
    {
        const auto declared = std::ranges::find(m_declared, launch.kernel, &KernelDeclaration::name);
        return declared == m_declared.end() ? nullptr : &*declared;
    }

    [[nodiscard]] std::string toStartFrom(const KernelDeclaration& kernel) const
    {
        return manifestTemplate(kernel, m_files[m_fileOf[std::size_t(&kernel - m_declared.data())]].text);
    }

    ProgramKernels read(HostAnswers& answers)
    {
        ProgramLaunches found = m_found;
        if (std::ranges::any_of(found.launches, [](const ProgramLaunch& launch) { return launch.place > 0; }))
            addReached(found, answers());
        const auto isToBeFollowed = [&](const ProgramLaunch& launch) { return launch.place > 0 && declarationOf(launch); };
        for (ProgramLaunch& launch : found.launches)
            if (isToBeFollowed(launch))
                matchInstance(found, launch, answers());
        if (std::ranges::any_of(found.launches, isToBeFollowed))
            addInstances(found, answers());
        for (std::size_t i = 0; i < found.launches.size(); ++i)
            if (isToBeFollowed(found.launches[i]))
                correctLaunch(found, i, *declarationOf(found.launches[i]), answers());
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
            const auto isLaunched = [&](const ProgramLaunch& launch) { return launch.kernel == declared.name; };
            const bool isOfTheFile = m_fileOf[std::size_t(&declared - m_declared.data())] == 0;
            if (std::ranges::none_of(found.launches, isLaunched))
                program.unread.push_back({ .entry = declared.fullName(), .why = {}, .declaredOn = isOfTheFile ? declared.line : 0, .manifest = toStartFrom(declared) });
        }
        return program;
    }

    void add(const ProgramLaunches& found, const ProgramLaunch& launch, const KernelDeclaration& kernel, HostAnswers& answers, std::vector<WrittenLaunch>& written,
        ProgramKernels& program)
    {
        const std::vector<std::string> code = deviceParts(m_files, mentionedBy(launch), launch.kernel);
        LaunchManifest manifest = launchManifest(found, launch, kernel, code, m_plan.sourceName, std::ref(answers), written);
        if (!manifest.problem.empty()) {
            program.unread.push_back({ launch.entry, manifest.problem, launch.line, 0, toStartFrom(kernel) });
            return;
        }
        auto spec = parseKernel(m_plan.source, m_plan.sourceName, std::move(manifest.text), std::max(launch.line, 1));
        if (!spec) {
            program.unread.push_back({ launch.entry, "does not tell " + spec.error().detail, launch.line, 0, toStartFrom(kernel) });
            return;
        }
        std::error_code error;
        spec->guesses = std::move(manifest.guesses);
        spec->path = std::filesystem::absolute(m_file, error);
        spec->compile = m_plan.compile;
        std::string title = entryWithDefaults(*spec);
        if (std::ranges::any_of(program.kernels, [&](const KernelSpec& other) { return other.title.en == title; }))
            title += " (line " + std::to_string(launch.line) + ")";
        spec->title = { .en = title, .zhCN = {} };
        spec->launch = hostBufferOf(launch, "");
        spec->written = std::move(manifest.written);
        if (manifest.isLeft)
            spec->earlier = m_launches;
        written.back() = { title, std::move(manifest.buffers) };
        m_launches.push_back(std::make_shared<const KernelSpec>(*spec));
        program.kernels.push_back(*std::move(spec));
    }

    const LaunchPlan& m_plan;
    std::vector<ProgramFile> m_files;
    const std::filesystem::path& m_file;
    const ProgramLaunches m_found; ///< as the code is read, before anything is corrected
    std::vector<KernelDeclaration> m_declared;
    std::vector<std::size_t> m_fileOf; ///< of each of them
    std::vector<std::shared_ptr<const KernelSpec>> m_launches; ///< that were read
};

} // namespace

Result<ProgramKernels> programKernels(
    const std::string& source, const std::string& sourceName, const std::filesystem::path& file, const CompileSettings& compile)
{
    std::error_code error;
    LaunchPlan plan { .sourceName = sourceName, .source = source };
    plan.includeDirectory = std::filesystem::absolute(file, error).parent_path();
    plan.compile = compile;
    if (isOfCpp20(source))
        plan.compile.standard = "c++20";
    const auto includes = includesOf(plan);
    if (!includes)
        return std::unexpected(includes.error());
    return ProgramReader(plan, programFiles(plan, *includes), file).read();
}

Result<const KernelSpec*> chosenKernel(const ProgramKernels& program, const std::string& entry, const std::string& sourceName)
{
    const std::string plain = withoutBlanks(entry);
    const auto isAsWritten = [&](const KernelSpec& spec) {
        return entry.empty() || withoutBlanks(spec.entry) == plain || withoutBlanks(spec.title.en) == plain;
    };
    auto chosen = std::ranges::find_if(program.kernels, isAsWritten);
    if (chosen == program.kernels.end())
        chosen = std::ranges::find(program.kernels, baseName(entry), &KernelSpec::id);
    if (chosen != program.kernels.end())
        return &*chosen;
    if (const ProgramKernels::Unread* asked = unreadKernel(program, entry))
        return std::unexpected(noLaunch(*asked, sourceName));
    if (program.kernels.empty() && program.unread.empty())
        return fail(ErrorCode::BadInput, "the file holds no __global__ function", sourceName);
    if (program.kernels.empty())
        return std::unexpected(noLaunch(program.unread.front(), sourceName));
    std::string names;
    for (const KernelSpec& spec : program.kernels)
        names += (names.empty() ? "" : ", ") + spec.title.en;
    return fail(ErrorCode::EntryNotFound, "no launch of '" + entry + "' is in the file; it launches " + names, sourceName);
}

const ProgramKernels::Unread* unreadKernel(const ProgramKernels& program, const std::string& entry)
{
    if (entry.empty())
        return program.kernels.empty() && !program.unread.empty() ? &program.unread.front() : nullptr;
    const auto asked = std::ranges::find_if(program.unread, [&](const ProgramKernels::Unread& unread) { return baseName(unread.entry) == baseName(entry); });
    return asked == program.unread.end() ? nullptr : &*asked;
}

Result<KernelSpec> kernelOfFile(std::string source, const std::filesystem::path& file, const std::string& entry, const CompileSettings& compile)
{
    const std::string name = file.filename().string();
    std::error_code error;
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
    const auto program = programKernels(source, name, file, compile);
    if (!program)
        return std::unexpected(program.error());
    const auto chosen = chosenKernel(*program, entry, name);
    if (!chosen)
        return std::unexpected(chosen.error());
    return **chosen;
}

} // namespace coalescope::kernels
