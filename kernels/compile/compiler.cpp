// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/compiler.h"

#include "kernels/compile/clang.h"
#include "kernels/compile/cubin.h"
#include "kernels/compile/diagnostics.h"
#include "kernels/compile/include_check.h"
#include "kernels/compile/kernel_declarations.h"
#include "kernels/compile/nvrtc.h"
#include "kernels/compile/ptx_store.h"
#include "kernels/compile/standard_headers.h"
#include "kernels/hash.h"
#include "kernels/make_cache.h"
#include "kernels/resource.h"
#include "kernels/source/device_part.h"
#include "kernels/source/host_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kCacheBytes = 128 << 20;

std::size_t bytesOfPtx(const Result<CompiledPtx>& compiled) { return compiled ? compiled->ptx.size() + compiled->machineCode.size() : compiled.error().detail.size(); }
std::size_t bytesOfCubin(const CompiledCubin& compiled) { return compiled.image.size(); }

std::string keyOf(const LaunchPlan& plan, const CompileOptions& options, std::string_view compiler,
    const Includes& includes)
{
    std::string key;
    const auto add = [&key](std::string_view part) { addPart(key, part); };
    add(compiler);
    add(std::to_string(options.computeMajor * 100 + options.computeMinor));
    add(plan.sourceName);
    add(plan.entry);
    add(plan.includeDirectory.string());
    add(plan.compile.standard);
    for (const std::filesystem::path& folder : plan.compile.include)
        add(folder.string());
    add("");
    for (const auto& [name, value] : plan.defines) {
        add(name);
        add(value);
    }
    add("");
    for (const auto& [name, value] : plan.constants) {
        add(name);
        add(value);
    }
    add("");
    for (const IncludedFile& file : includes.files) {
        add(file.path.string());
        add(std::to_string(file.bytes) + "@" + std::to_string(file.modified));
    }
    add(plan.source);
    return key;
}

Result<Includes> checkedInput(const LaunchPlan& plan)
{
    if (plan.source.size() > kSourceLimitBytes)
        return fail(ErrorCode::BadInput, "the source is larger than 16 MiB", plan.sourceName);
    for (const auto& [name, value] : plan.defines) {
        if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
                != std::string::npos)
            return fail(ErrorCode::BadInput, "'" + name + "' is no name for a define", "--define");
    }
    return includesOf(plan);
}

/// The mangled entry: the compiler's word, or the only kernel in the PTX where none was asked for.
Result<std::string> entryOf(const LaunchPlan& plan, const CompilerOutput& output)
{
    if (!output.entry.empty())
        return output.entry;
    constexpr std::string_view kMark = ".entry ";
    std::vector<std::string> entries;
    for (auto at = output.ptx.find(kMark); at != std::string::npos; at = output.ptx.find(kMark, at + 1)) {
        const auto begin = at + kMark.size();
        entries.push_back(output.ptx.substr(begin, output.ptx.find_first_of("( \t\n", begin) - begin));
    }
    if (plan.entry.empty() && entries.size() == 1)
        return entries[0];
    return std::unexpected(missingEntry(plan));
}

/// Names one of several kernels of a name, for which the compilers want its type: that is written at the end of the source, in the kernel's namespace.
CompilerInput withOverload(CompilerInput input)
{
    constexpr std::string_view kType = "coalescope_overload";
    LaunchPlan& plan = input.plan;
    const EntryName entry = entryNameOf(plan.entry);
    if (!entry.parameters)
        return input;
    const std::string kernel(entry.kernel);
    const std::size_t name = kernel.rfind("::", kernel.find('<'));
    const std::string scope = kernel.substr(0, name == kernel.npos ? 0 : name);
    const std::string type = fmt::format("using {} = void({});", kType, *entry.parameters);
    plan.source += scope.empty() ? "\n" + type + "\n" : fmt::format("\nnamespace {} {{ {} }}\n", scope, type);
    plan.entry = fmt::format("*static_cast<{}{}{}*>(&{})", scope, scope.empty() ? "" : "::", kType, kernel);
    return input;
}

/// With the kernel named so that the compiler finds it. A name that CUDA has a function of as well, as norm, needs the types of the kernel's parameters, too.
template <class Compile> Result<CompilerOutput> compiledByName(CompilerInput input, Compile compile)
{
    auto output = compile(withOverload(input));
    const bool isAmbiguous = output && !output->succeeded && output->log.contains("overloaded") && !entryNameOf(input.plan.entry).parameters;
    if (!isAmbiguous)
        return output;
    std::vector<KernelDeclaration> kernels = kernelDeclarations(input.plan.source);
    const auto named = std::ranges::find_if(kernels, [&](const KernelDeclaration& kernel) { return kernel.fullName() == input.plan.entry && !kernel.isTemplate(); });
    if (named == kernels.end())
        return output;
    named->isOverloaded = true;
    input.plan.entry += overloadOf(*named);
    return compile(withOverload(std::move(input)));
}

/// What the compiler sees of the plan's source and the user's headers: all of it, with the plan's defines in place of what gives
/// them another value, or, of a program with code for the host, what kernels need.
///
/// Errors: BadInput where a constant is declared nowhere.
Result<CompilerInput> inputOf(const LaunchPlan& plan, const Includes& includes)
{
    const GivenValues defined(plan.defines.begin(), plan.defines.end());
    std::string mentioned = plan.entry;
    for (const auto& [name, value] : plan.defines)
        mentioned += " " + value;
    std::set<std::string> found, placed;
    const auto given = [&](std::string_view text) { return withInitialisers(withValues(text, defined, placed), plan.constants, found); };
    std::vector<std::string> texts { given(plan.source) };
    for (const IncludedFile& file : includes.files)
        texts.push_back(given(file.text));
    for (const auto& [name, value] : plan.constants)
        if (!found.contains(name))
            return fail(ErrorCode::BadInput,
                "[[constants]]: the source declares no __constant__ or __device__ variable '" + name + "'", plan.sourceName);
    if (std::ranges::any_of(texts, [](const std::string& text) { return holdsHostCode(text); })) {
        std::vector<ProgramFile> files { { .text = texts[0], .names = {} } };
        for (std::size_t i = 0; i < includes.files.size(); ++i)
            files.push_back({ .text = texts[i + 1], .names = includes.files[i].names });
        texts = deviceParts(files, mentioned);
    }
    CompilerInput input { .plan = plan, .headers = {} };
    if (std::ranges::any_of(texts, [](const std::string& text) { return text.find("std::byte") != text.npos; }))
        input.plan.defines.emplace_back("COALESCOPE_BYTE", "1");
    input.plan.source = texts[0];
    std::erase_if(input.plan.defines, [&](const auto& define) { return placed.contains(define.first); });
    bool differs = false;
    for (std::size_t i = 0; i < includes.files.size(); ++i) {
        const IncludedFile& file = includes.files[i];
        differs = differs || texts[i + 1] != file.text;
        input.headers.push_back({ file.path, file.names, std::move(texts[i + 1]) });
    }
    if (!differs)
        input.headers.clear();
    return input;
}

Result<CompilerOutput> runCompiler(const CompilerInput& input, const CompileOptions& options, const Nvrtc* nvrtc)
{
    if (nvrtc && options.registers) {
        auto output = nvrtc->compile(input, options, Target::Cubin);
        if (output && output->succeeded)
            return output; // where only the machine code failed, the PTX is still to be had
    }
    if (nvrtc)
        return nvrtc->compile(input, options, Target::Ptx);
    const auto clang = Clang::find();
    if (!clang)
        return std::unexpected(clang.error());
    return clang->compile(input, options);
}

/// Where the compiler stops at what a manifest put there, it is said.
Error namingConstants(const LaunchPlan& plan, Error error)
{
    const std::size_t colon = error.where.rfind(':');
    const int line = colon == std::string::npos ? 0 : std::atoi(error.where.c_str() + colon + 1);
    std::size_t begin = 0;
    for (int at = 1; at < line && begin != std::string::npos; ++at)
        begin = plan.source.find('\n', begin) == std::string::npos ? std::string::npos : plan.source.find('\n', begin) + 1;
    if (line == 0 || begin == std::string::npos)
        return error;
    const std::vector<Token> tokens = tokensOf(std::string_view(plan.source).substr(begin, plan.source.find('\n', begin) - begin));
    for (const auto& [name, value] : plan.constants)
        if (std::ranges::any_of(tokens, [&](const Token& token) { return token.is(name); }))
            error.detail += ": the value of '" + name + "', " + value + ", is what the manifest's [[constants]] say";
    return error;
}

Result<CompiledPtx> compileNow(const CompilerInput& input, const CompileOptions& options, const Nvrtc* nvrtc)
{
    const auto begin = std::chrono::steady_clock::now();
    const LaunchPlan& plan = input.plan;
    auto output = compiledByName(input, [&](const CompilerInput& named) { return runCompiler(named, options, nvrtc); });
    if (!output)
        return std::unexpected(output.error());
    if (!output->succeeded)
        return std::unexpected(namingConstants(plan, compileError(plan, output->log)));
    auto entry = entryOf(plan, *output);
    if (!entry)
        return std::unexpected(entry.error());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    const auto registers = registersOf(output->cubin, *entry);
    const auto code = codeOf(output->cubin, *entry);
    return CompiledPtx { std::move(output->ptx), std::move(*entry), std::move(output->compiler), registers,
        std::string(code.begin(), code.end()), took.count(), warningsOf(output->log) };
}

/// The headers that this program brings along.
std::string ownHeaders()
{
    std::string text;
    for (const StandardHeader& header : standardHeaders()) {
        addPart(text, header.name);
        addPart(text, header.content);
    }
    for (const Resource& file : resourcesUnder("kernels/compile/"))
        addPart(text, file.content);
    return std::to_string(hashOf(text));
}

/// Names in the #include lines that the compiler sees, of no file of the user's.
std::vector<std::string> foreignIncludes(const CompilerInput& input, const Includes& includes)
{
    std::vector<std::string> foreign;
    const auto add = [&](std::string_view text) {
        for (const Token& token : tokensOf(text)) {
            const std::string_view name = token.kind == TokenKind::Directive ? includedName(token) : std::string_view {};
            if (!name.empty() && std::ranges::find(includes.elsewhere, name) != includes.elsewhere.end())
                foreign.emplace_back(name);
        }
    };
    add(input.plan.source);
    for (const HeaderText& header : input.headers)
        add(header.text);
    for (const IncludedFile& file : includes.files) {
        if (input.headers.empty())
            add(file.text);
    }
    return foreign;
}

/// Everything that a compiled program depends on beside its in-memory key; empty where that is not known,
/// and a file of an earlier run may not stand in.
std::string recipeOf(const CompilerInput& input, const CompileOptions& options, const Nvrtc* nvrtc, const Includes& includes)
{
    static const std::string own = ownHeaders();
    const auto isOwn = [](const std::string& name) {
        return std::ranges::find(standardHeaders(), name, &StandardHeader::name) != standardHeaders().end();
    };
    if (!includes.complete)
        return {};
    std::string recipe;
    addPart(recipe, own);
    const std::vector<std::string> foreign = foreignIncludes(input, includes);
    if (nvrtc) { // which looks into the working directory, and then for the toolkit's headers
        std::error_code error;
        for (const std::string& name : foreign)
            if (std::filesystem::exists(name, error))
                return {};
        addPart(recipe, nvrtc->recipe(input.plan, options));
        return recipe;
    }
    const auto clang = Clang::find();
    if (!clang || !std::ranges::all_of(foreign, isOwn))
        return {};
    addPart(recipe, clang->recipe(input.plan, options));
    return recipe;
}

/// From the store of earlier runs, or compiled and left there for later ones.
Result<CompiledPtx> storedOrCompiled(const std::string& key, const LaunchPlan& plan, const CompileOptions& options,
    const Nvrtc* nvrtc, const Includes& includes)
{
    const auto input = inputOf(plan, includes);
    if (!input)
        return std::unexpected(input.error());
    const std::string recipe = recipeOf(*input, options, nvrtc, includes);
    if (recipe.empty())
        return compileNow(*input, options, nvrtc);
    const PtxStore store = PtxStore::ofUser();
    const std::string wholeKey = recipe + key;
    if (auto stored = store.find(wholeKey); stored && (stored->registersPerThread || !options.registers))
        return *std::move(stored);
    auto compiled = compileNow(*input, options, nvrtc);
    if (compiled)
        store.insert(wholeKey, *compiled);
    return compiled;
}

std::unexpected<Error> noNvrtc()
{
    return fail(ErrorCode::NoCompiler,
        "NVRTC was not found: install the CUDA toolkit's NVRTC, or set CUDA_HOME to where the toolkit is");
}

/// Whether a kernel of the PTX reads where the grid's barrier lies (analysis::Program::isCooperative).
bool asksForGridBarrier(std::string_view ptx, std::string_view entry)
{
    constexpr std::string_view kEntry = ".entry ";
    const std::size_t at = ptx.find(std::string(kEntry) + std::string(entry) + '(');
    if (at == std::string_view::npos)
        return false;
    const std::string_view rest = ptx.substr(at + kEntry.size());
    return rest.substr(0, rest.find(kEntry)).contains("%envreg");
}

} // namespace

Result<CompiledPtx> compileToPtx(const LaunchPlan& plan, const CompileOptions& wanted)
{
    using Compiled = Result<CompiledPtx>; // what is wrong with the source does not change
    static MakeCache<Compiled> cache(kCacheBytes, &bytesOfPtx), withRegisters(kCacheBytes, &bytesOfPtx);
    CompileOptions options = wanted;
    const auto includes = checkedInput(plan);
    if (!includes)
        return std::unexpected(includes.error());
    const Nvrtc* nvrtc = options.compiler == CompilerKind::Clang ? nullptr : Nvrtc::instance();
    if (!nvrtc && options.compiler == CompilerKind::Nvrtc)
        return noNvrtc();
    const std::string key = keyOf(plan, options, nvrtc ? "nvrtc" : "clang", *includes);
    const auto known = withRegisters.find(key);
    options.registers = (options.registers || known) && nvrtc && nvrtc->makesCubin(options);
    bool fresh = false;
    auto made = (options.registers ? withRegisters : cache).get(key, fresh, [&]() -> Result<Compiled> {
        Compiled compiled = storedOrCompiled(key, plan, options, nvrtc, *includes);
        if (!compiled && compiled.error().code != ErrorCode::CompileFailed)
            return std::unexpected(std::move(compiled.error()));
        return compiled;
    });
    if (!made)
        return std::unexpected(std::move(made.error()));
    Compiled result = **made;
    if (result && !fresh)
        result->milliseconds = 0;
    return result;
}

Result<CompiledCubin> compileToCubin(const LaunchPlan& plan, const CompileOptions& options)
{
    static MakeCache<CompiledCubin> cache(kCacheBytes, &bytesOfCubin);
    const auto includes = checkedInput(plan);
    if (!includes)
        return std::unexpected(includes.error());
    const Nvrtc* nvrtc = Nvrtc::instance();
    if (!nvrtc)
        return noNvrtc();
    LaunchPlan named = plan;
    if (named.entry.empty()) { // a cubin's kernels cannot be read off as easily as a PTX's
        const std::vector<KernelDeclaration> kernels = kernelDeclarations(plan.source);
        if (kernels.size() != 1 || kernels[0].isTemplate())
            return std::unexpected(missingEntry(plan));
        named.entry = exampleEntry(kernels[0]);
    }
    bool fresh = false;
    auto made = cache.get(keyOf(named, options, "cubin", *includes), fresh, [&]() -> Result<CompiledCubin> {
        const auto input = inputOf(named, *includes);
        if (!input)
            return std::unexpected(input.error());
        auto output = compiledByName(*input, [&](const CompilerInput& one) { return nvrtc->compile(one, options, Target::Cubin); });
        if (!output)
            return std::unexpected(output.error());
        if (!output->succeeded)
            return std::unexpected(compileError(named, output->log));
        const bool isCooperative = asksForGridBarrier(output->ptx, output->entry);
        return CompiledCubin { std::move(output->cubin), std::move(output->entry), isCooperative };
    });
    if (!made)
        return std::unexpected(std::move(made.error()));
    return **made;
}

} // namespace coalescope::kernels
