// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/compiler.h"

#include "kernels/compile/clang.h"
#include "kernels/compile/diagnostics.h"
#include "kernels/compile/include_check.h"
#include "kernels/compile/nvrtc.h"

#include <chrono>
#include <map>
#include <mutex>

namespace coalescope::kernels {
namespace {

constexpr std::size_t kSourceLimitBytes = 16 << 20;
constexpr std::size_t kCacheEntries = 256;

/// Results by key. A result being made by one thread is waited for by others that want the same.
template <class Value> class Cache {
public:
    template <class Make> Result<Value> get(const std::string& key, bool& fresh, Make make)
    {
        std::shared_ptr<Slot> slot;
        {
            const std::lock_guard lock(m_mutex);
            if (m_slots.size() >= kCacheEntries && !m_slots.contains(key))
                m_slots.clear();
            auto& entry = m_slots[key];
            if (!entry)
                entry = std::make_shared<Slot>();
            slot = entry;
        }
        const std::lock_guard lock(slot->mutex);
        fresh = !slot->value;
        if (fresh) {
            auto value = make();
            if (!value)
                return value; // what failed is tried again: a compiler may have been installed
            slot->value = std::move(*value);
        }
        return *slot->value;
    }

private:
    struct Slot {
        std::mutex mutex;
        std::optional<Value> value;
    };
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Slot>> m_slots;
};

std::string keyOf(const LaunchPlan& plan, const CompileOptions& options, std::string_view compiler,
    const std::vector<IncludedFile>& included)
{
    std::string key;
    const auto add = [&key](std::string_view part) {
        key += std::to_string(part.size());
        key += ':';
        key += part;
    };
    add(compiler);
    add(std::to_string(options.computeMajor * 100 + options.computeMinor));
    add(plan.sourceName);
    add(plan.entry);
    add(plan.includeDirectory.string());
    for (const auto& [name, value] : plan.defines) {
        add(name);
        add(value);
    }
    add("");
    for (const IncludedFile& file : included) {
        add(file.path.string());
        add(std::to_string(file.bytes) + "@" + std::to_string(file.modified));
    }
    add(plan.source);
    return key;
}

Result<std::vector<IncludedFile>> checkedInput(const LaunchPlan& plan)
{
    if (plan.source.size() > kSourceLimitBytes)
        return fail(ErrorCode::BadInput, "the source is larger than 16 MiB", plan.sourceName);
    for (const auto& [name, value] : plan.defines) {
        if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
                != std::string::npos)
            return fail(ErrorCode::BadInput, "'" + name + "' is no name for a define", "--define");
    }
    return includedFiles(plan);
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
    return fail(ErrorCode::EntryNotFound, missingEntry(plan, kernelNames(plan.source)), plan.sourceName);
}

Result<CompilerOutput> runCompiler(const LaunchPlan& plan, const CompileOptions& options, const Nvrtc* nvrtc)
{
    if (nvrtc)
        return nvrtc->compile(plan, options, Target::Ptx);
    const auto clang = Clang::find();
    if (!clang)
        return std::unexpected(clang.error());
    return clang->compile(plan, options);
}

Result<CompiledPtx> compileNow(const LaunchPlan& plan, const CompileOptions& options, const Nvrtc* nvrtc)
{
    const auto begin = std::chrono::steady_clock::now();
    auto output = runCompiler(plan, options, nvrtc);
    if (!output)
        return std::unexpected(output.error());
    if (!output->succeeded)
        return std::unexpected(compileError(plan, output->log));
    auto entry = entryOf(plan, *output);
    if (!entry)
        return std::unexpected(entry.error());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    return CompiledPtx { std::move(output->ptx), std::move(*entry), std::move(output->compiler), took.count(),
        warningsOf(output->log) };
}

std::unexpected<Error> noNvrtc()
{
    return fail(ErrorCode::NoCompiler,
        "NVRTC was not found: install the CUDA toolkit's NVRTC, or set CUDA_HOME to where the toolkit is");
}

} // namespace

Result<CompiledPtx> compileToPtx(const LaunchPlan& plan, const CompileOptions& options)
{
    static Cache<CompiledPtx> cache;
    const auto included = checkedInput(plan);
    if (!included)
        return std::unexpected(included.error());
    const Nvrtc* nvrtc = options.compiler == CompilerKind::Clang ? nullptr : Nvrtc::instance();
    if (!nvrtc && options.compiler == CompilerKind::Nvrtc)
        return noNvrtc();
    bool fresh = false;
    auto result = cache.get(keyOf(plan, options, nvrtc ? "nvrtc" : "clang", *included), fresh,
        [&] { return compileNow(plan, options, nvrtc); });
    if (result && !fresh)
        result->milliseconds = 0;
    return result;
}

Result<CompiledCubin> compileToCubin(const LaunchPlan& plan, const CompileOptions& options)
{
    static Cache<CompiledCubin> cache;
    const auto included = checkedInput(plan);
    if (!included)
        return std::unexpected(included.error());
    const Nvrtc* nvrtc = Nvrtc::instance();
    if (!nvrtc)
        return noNvrtc();
    LaunchPlan named = plan;
    if (named.entry.empty()) { // a cubin's kernels cannot be read off as easily as a PTX's
        const std::vector<std::string> kernels = kernelNames(plan.source);
        if (kernels.size() != 1)
            return fail(ErrorCode::EntryNotFound, missingEntry(plan, kernels), plan.sourceName);
        named.entry = kernels[0];
    }
    bool fresh = false;
    return cache.get(keyOf(named, options, "cubin", *included), fresh, [&]() -> Result<CompiledCubin> {
        auto output = nvrtc->compile(named, options, Target::Cubin);
        if (!output)
            return std::unexpected(output.error());
        if (!output->succeeded)
            return std::unexpected(compileError(named, output->log));
        return CompiledCubin { std::move(output->cubin), std::move(output->entry) };
    });
}

} // namespace coalescope::kernels
